/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Planar mechanisms as engineers describe them: bodies with points, joints between points, forces.
 * Editable, without equations; m2d_expand() turns a mechanism into a bond graph.
 *
 * Everything is in an inertial frame with x to the right and y up. A body's own axes have their
 * origin at the mass centre; its angle is counted anticlockwise from the inertial x axis. Values
 * are expressions of the mechanism's own expression graph, in SI units: constants, parameters, and
 * where a force allows it the time `t` and outputs of the model.
 */
#ifndef MECH2D_MECHANISM_H
#define MECH2D_MECHANISM_H

#include "bondgraph/block.h"
#include "bondgraph/graph.h"
#include "bondgraph/submodel.h"
#include "lib/context.h"
#include "lib/expr.h"
#include "mech2d/outline.h"

#include <stdbool.h>

HA_BEGIN_DECLS

/** A mechanism. */
typedef struct m2d_mechanism m2d_mechanism;

/** The coordinates of a body and their rates. */
typedef enum m2d_coordinate {
    M2D_X,            /**< x of the mass centre [m] */
    M2D_Y,            /**< y of the mass centre [m] */
    M2D_ANGLE,        /**< angle of the body [rad] */
    M2D_VX,           /**< rate of x [m/s] */
    M2D_VY,           /**< rate of y [m/s] */
    M2D_OMEGA,        /**< rate of the angle [rad/s] */
    M2D_N_COORDINATES /**< number of coordinates and rates */
} m2d_coordinate;

/** The name of a coordinate: "x", "y", "angle", "vx", "vy", "omega"; static storage. */
const char *m2d_coordinate_name(m2d_coordinate coordinate);

/**
 * What a body is made of; start from m2d_body_def_default(). All values are constants or
 * expressions of parameters; HA_EXPR_NONE means: not given. A shape gives what is not given of
 * mass, inertia and mass centre.
 */
typedef struct m2d_body_def {
    const char *name; /**< unique among bodies, joints and forces; not "ground"; copied */
    ha_expr mass;     /**< [kg], at least 0; not given: of the outline */
    ha_expr inertia;  /**< about the mass centre [kg m2], at least 0; not given: of the outline,
                           as if that had the mass; without an outline the body is a point mass,
                           which keeps its angle and which nothing may turn */
    const m2d_plate_def *outline; /**< (n_outline) its plates and holes, copied; NULL: none. In the
                                       frame of the drawing, else in the body's axes */
    int n_outline;                /**< number of plates and holes */
    bool is_drawn;                /**< points and outline are given in the frame of a drawing, whose
                                       axes are the body's and whose origin is anywhere; else in the
                                       body's axes, with the mass centre in the origin */
    ha_expr centre[2];  /**< the mass centre in the drawing [m]; not given: that of the outline */
    const char *colour; /**< in pictures, "#c2410c"; copied; NULL: one of eight */
    int layer;          /**< in pictures bodies of a higher layer lie over those of a lower one */
    ha_expr gravity[2]; /**< x and y [m/s2]; not given: the mechanism's */
    ha_expr start[M2D_N_COORDINATES]; /**< start values, in the order of m2d_coordinate; guesses
                                           unless fixed; not given: 0, and free to move first */
    bool is_fixed[M2D_N_COORDINATES]; /**< true: assembly must keep the start value */
    ha_expr motion[3]; /**< x, y [m] of the mass centre and the angle [rad] as functions of the time
                            alone that can be differentiated twice, which drives of unknown force or
                            torque then make them follow, from the start on; not given: none */
    ha_where where;    /**< where the user wrote it, for diagnostics */
    int cookie;        /**< set by m2d_body_def_default() */
} m2d_body_def;

/** A definition in which nothing is given. */
m2d_body_def m2d_body_def_default(void);

/** A point of a body or of the ground; start from m2d_point_def_default(). */
typedef struct m2d_point_def {
    const char *body; /**< name of the body, or "ground" */
    const char *name; /**< unique on the body; copied */
    ha_expr x;        /**< in the body's axes or its drawing [m]; on the ground in the inertial
                           frame */
    ha_expr y;        /**< likewise [m] */
    ha_expr axis;     /**< angle of the joint axis from the body's x axis [rad]; not given: 0 */
    ha_where where;   /**< where the user wrote it, for diagnostics */
    int cookie;       /**< set by m2d_point_def_default() */
} m2d_point_def;

/** A definition in which nothing is given. */
m2d_point_def m2d_point_def_default(void);

/** One named setting of a joint or a force: "stiffness", "value". */
typedef struct m2d_setting {
    const char *key;       /**< one of the type's or the joint model's keys */
    const ha_expr *values; /**< (n_values) one, or one for each component; of a matrix row by row */
    int n_values;          /**< number of values */
    ha_where where;        /**< where the user wrote it, for diagnostics */
} m2d_setting;

/** A setting of a joint or a force that is one of several names: "law" of a contact. */
typedef struct m2d_choice {
    const char *key;  /**< one of the type's or the joint model's keys */
    const char *name; /**< what is chosen: "flores" */
    ha_where where;   /**< where the user wrote it, for diagnostics */
} m2d_choice;

/** A prescribed motion of a free direction of a joint. */
typedef struct m2d_motion {
    const char *direction; /**< "angle", "slide"; NULL: the only one that the joint leaves free */
    ha_expr value;         /**< the coordinate [rad, m] as a function of the time alone that can be
                                differentiated twice; the start meets it, too */
    ha_where where;        /**< where the user wrote it, for diagnostics */
} m2d_motion;

/**
 * A constraint, or a free direction, of a joint of the type "constraint": a scalar function of the
 * positions of its two points, written with the names of m2d_constraint_lookup() (Marquis-Favre et
 * al. 2006, part I, eq 13).
 */
typedef struct m2d_row_def {
    const char *name; /**< names it after the joint, "gap" in "J.gap"; copied */
    ha_expr value;  /**< of a constraint what must vanish, of a direction its coordinate [m, rad] */
    bool is_angle;  /**< in rad, else in m */
    ha_where where; /**< where the user wrote it, for diagnostics */
} m2d_row_def;

/**
 * A joint or a force between two points, or a force on one point, body or joint; start from
 * m2d_joint_def_default() or m2d_force_def_default(). Strings and arrays are copied.
 */
typedef struct m2d_connection_def {
    const char
        *type; /**< a type of model-mechanism.md, "joints" or "forces": "revolute", "torque" */
    const char *name;       /**< unique among bodies, joints and forces */
    const char *ends[2];    /**< "BODY.POINT" of the first (M) and the second body (N); a force that
                                 acts on one point, body or free direction of a joint ("O.angle",
                                 or "O" where one is free) names it first, the second is NULL */
    ha_where ends_where[2]; /**< where the user wrote them, for diagnostics */
    const char *model;      /**< joints only: what holds it, of model-mechanism.md, "joint models":
                                 "compliant"; NULL: "ideal", by constraints */
    const m2d_setting *settings; /**< (n_settings) those of the type and of the model */
    int n_settings;              /**< number of settings */
    const m2d_choice *choices;   /**< (n_choices) settings that are names */
    int n_choices;               /**< number of such settings */
    const m2d_motion *motions;   /**< (n_motions) joints only */
    int n_motions;               /**< number of motions, at most one for each free direction */
    const m2d_row_def *rows;     /**< (n_rows) of the joint type "constraint" only: what holds */
    int n_rows;                  /**< number of constraints; with n_rates at most 3 */
    const m2d_row_def *rates;    /**< (n_rates) of that type only: what holds of the velocities,
                                      linear in these, [m/s, rad/s] */
    int n_rates;                 /**< number of such constraints; with n_rows at most 3 */
    const m2d_row_def
        *free;      /**< (n_free) of that type only: directions left free that have a name */
    int n_free;     /**< number of such directions, at most 3 */
    ha_where where; /**< where the user wrote it, for diagnostics */
    int cookie;     /**< set by the default function */
} m2d_connection_def;

/** A joint. */
typedef m2d_connection_def m2d_joint_def;

/** A force, torque, spring or damper. */
typedef m2d_connection_def m2d_force_def;

/**
 * An element of the bond graph that is no part of the mechanism: a source, a motor's inductance, a
 * controller; start from m2d_element_def_default(). Strings are copied.
 */
typedef struct m2d_element_def {
    const char *type; /**< a type of graph-formats.md: "Se", "GY", "1" */
    const char *name; /**< unique among bodies, joints, forces and elements; may start with a digit;
                           copied */
    ha_expr value;    /**< in SI, may depend on the time and outputs; not given: 1 */
    bg_unit unit;     /**< in which pictures show the value; name NULL, the default: in none */
    bg_domain domain; /**< of its bonds; BG_DOMAIN_OPEN, the default: nothing is said */
    ha_expr p;        /**< start of a momentum (I, De), constant; not given: see bg_element_def */
    ha_expr q;        /**< start of a displacement (C, Df), constant; likewise */
    const bg_law *law; /**< law by expressions of a C, I, IC or R, instead of a value; copied;
                          NULL: none */
    int n_ports;       /**< 0: what the type has; else the element is a field of so many ports */
    const ha_expr *matrix; /**< (n_ports * n_ports) of a field, row by row, instead of a law;
                              copied; NULL: none */
    const ha_expr *starts; /**< (n_ports) of a field: starts of p or q by port, constants, not given
                                where HA_EXPR_NONE; copied; NULL: none */
    ha_where where;        /**< where the user wrote it, for diagnostics */
    int cookie;            /**< set by m2d_element_def_default() */
} m2d_element_def;

/** A definition in which nothing is given. */
m2d_element_def m2d_element_def_default(void);

/** A definition in which nothing is given. */
m2d_joint_def m2d_joint_def_default(void);

/** A definition in which nothing is given. */
m2d_force_def m2d_force_def_default(void);

/** Makes an empty mechanism under gravity (0, -9.81) m/s2; NULL when there is no memory. Free it
    with m2d_mechanism_free(). */
m2d_mechanism *m2d_mechanism_new(ha_ctx *ctx);

/** Frees a mechanism; NULL is legal. */
void m2d_mechanism_free(m2d_mechanism *mechanism);

/** The context the mechanism was made with. */
ha_ctx *m2d_mechanism_ctx(const m2d_mechanism *mechanism);

/** The expression graph of the mechanism's values; borrowed, expressions may be added to it. */
ha_dag *m2d_mechanism_dag(m2d_mechanism *mechanism);

/** The symbol of the time `t` [s]. */
ha_expr m2d_mechanism_time(const m2d_mechanism *mechanism);

/**
 * Sets the gravity of the mechanism [m/s2], constants or expressions of parameters.
 * @return HA_ERR_VALUE when they are not
 */
HA_MUST_CHECK ha_status m2d_mechanism_set_gravity(m2d_mechanism *mechanism, ha_expr x, ha_expr y,
                                                  ha_where where);

/**
 * Adds a parameter: a symbol that stands for a constant or an expression of earlier parameters.
 * @param out the symbol; may be NULL
 * @return HA_ERR_NAME (malformed, reserved or taken), HA_ERR_VALUE (not constant, not finite),
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_parameter(m2d_mechanism *mechanism, const char *name,
                                                    ha_expr value, ha_where where, ha_expr *out);

/**
 * Adds a body.
 * @return HA_ERR_NAME (malformed or taken), HA_ERR_VALUE (missing, negative, not constant or not
 *         finite), HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_body(m2d_mechanism *mechanism, const m2d_body_def *def);

/** Adds a point to a body that was added before, or to the ground; errors as for bodies. */
HA_MUST_CHECK ha_status m2d_mechanism_add_point(m2d_mechanism *mechanism, const m2d_point_def *def);

/**
 * Adds a joint between two points that were added before.
 * @return HA_ERR_NAME (unknown type, model, body, point or setting, with the nearest one; name
 *         taken), HA_ERR_VALUE (both points on one body; a setting missing or out of range),
 *         HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_joint(m2d_mechanism *mechanism, const m2d_joint_def *def);

/**
 * Gives a start value to a free direction of a joint or its rate, "O.angle", "S.speed", or to a
 * point of a body, "rod.P.x", "rod.P.vy"; both were added before. Of a point in a part that stands
 * somewhere it is a position in the axes of the part, and a velocity as seen from there.
 * @param value [m, rad, m/s, rad/s], constant; a guess unless fixed
 * @return HA_ERR_NAME (no such direction or point, given twice), HA_ERR_VALUE (not constant, or the
 *         direction has a prescribed motion), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_start(m2d_mechanism *mechanism, const char *what,
                                                ha_expr value, bool is_fixed, ha_where where);

/** Adds a force; errors as for joints. */
HA_MUST_CHECK ha_status m2d_mechanism_add_force(m2d_mechanism *mechanism, const m2d_force_def *def);

/**
 * Adds a signal with a state: an integrator, lag, filtered derivative or PID controller of the bond
 * graph. Expressions call its output by its name. Values are expressions of the mechanism.
 * @return as for bodies; what the kind needs is checked when the mechanism is expanded
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_signal(m2d_mechanism *mechanism, const bg_block_def *def);

/** A value with a name: an expression over parameters, `t` and outputs of the model. */
typedef struct m2d_value_def {
    const char *name; /**< unique among parameters, bodies, joints, forces, elements, signals and
                           values; of an output it may have dots; copied */
    ha_expr value;    /**< in SI units */
    const char *unit; /**< that the output is shown in, "deg"; NULL: the SI unit, as far as the
                           dimension can be told; copied */
    ha_where where;   /**< where the user wrote it, for diagnostics */
} m2d_value_def;

/**
 * Adds a named sub-expression: all expressions can use its name, which is an output, too.
 * @return HA_ERR_NAME (malformed or taken), HA_ERR_UNIT (unknown), HA_ERR_LIMIT, HA_ERR_ARGUMENT,
 *         HA_ERR_MEMORY; a unit of another dimension, and a value that needs itself, are reported
 *         by m2d_expand()
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_value(m2d_mechanism *mechanism, const m2d_value_def *def);

/** Adds an output by expression, which may read energies, too; errors as for values. */
HA_MUST_CHECK ha_status m2d_mechanism_add_output(m2d_mechanism *mechanism,
                                                 const m2d_value_def *def);

/**
 * Says what the expressions that are looked up from now on are for: outputs alone, which may read
 * energies and other outputs by expression, or also laws (the default).
 */
void m2d_mechanism_begin_outputs(m2d_mechanism *mechanism, bool is_for_outputs);

/** Adds an element of the bond graph; errors as for bodies. */
HA_MUST_CHECK ha_status m2d_mechanism_add_element(m2d_mechanism *mechanism,
                                                  const m2d_element_def *def);

/**
 * Adds an instance of a submodel; its name is unique among bodies, joints, forces and elements, and
 * values of its parameters are constants or expressions of the mechanism's parameters. The submodel
 * must not change and must outlive the mechanism.
 * @return HA_ERR_NAME (malformed or taken; unknown parameter, with the nearest one), HA_ERR_VALUE
 *         (a parameter is not constant or not finite), HA_ERR_ARGUMENT, HA_ERR_MEMORY; what the
 *         body does not allow for these parameters is reported by m2d_expand()
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_instance(m2d_mechanism *mechanism,
                                                   const bg_instance_def *def);

/**
 * Adds a bond with its half arrow at `head`. Each end is an element that was added before, a port
 * of an instance ("M1.shaft"), or a free direction of a joint: "O.axis" where the joint leaves one
 * free, "S.slide" where it leaves several. A direction is a 1-junction whose flow is the rate of
 * its coordinate, and on which a positive effort acts positively on the second body of the joint.
 * @return HA_ERR_NAME (unknown element, port, joint or direction), HA_ERR_MEMORY; what the element
 *         types do not allow is reported by m2d_expand()
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_bond(m2d_mechanism *mechanism, const char *tail,
                                               const char *head, ha_where where);

/**
 * Makes a free direction of a joint a port without bonding anything to it: m2d_expand() then adds
 * its 1-junction, to which elements can be bonded in the graph. It is called "O.axis" where joint O
 * leaves one direction free, else "S.slide.axis"; a junction that is left with one bond moves
 * freely. Errors as for bonds.
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_port(m2d_mechanism *mechanism, const char *direction,
                                               ha_where where);

/**
 * The expression of a name: `t`, a parameter, or any dotted name ("K1.angle"), for which the result
 * is a symbol that m2d_expand() gives its meaning, an output of the model. HA_EXPR_NONE for
 * anything else. `user` is the mechanism: fits ha_parse_def.lookup.
 */
ha_expr m2d_mechanism_lookup(void *user, const char *name);

/** As m2d_mechanism_lookup(), for a name that stands at `where`, which m2d_expand() reports when
    the model has no such output. */
ha_expr m2d_mechanism_lookup_at(m2d_mechanism *mechanism, const char *name, ha_where where);

/**
 * The expression of a name in the constraints of a joint: the scalar product of two of the vectors
 * OM, ON, MN (M, N the points on the first and second body, O the origin), x_0, y_0 (the fixed
 * axes), x_i, y_i, x_j, y_j (the axes of the points), written "MN.y_i"; the angles theta_i, theta_j
 * of x_i and x_j; `t`; a parameter. HA_EXPR_NONE for anything else. `user` is the mechanism: fits
 * ha_parse_def.lookup.
 */
ha_expr m2d_constraint_lookup(void *user, const char *name);

/**
 * The same for a constraint on velocities, which knows besides: the velocities vM, vN of the points
 * and vMN = vN - vM among the vectors, as in "vN.y_j", and the angular velocities omega_i, omega_j.
 * `user` is the mechanism: fits ha_parse_def.lookup.
 */
ha_expr m2d_rate_lookup(void *user, const char *name);

/**
 * The expression of a name in the law of a spring, damper or stop: its displacement `q`, the rate
 * `f` of that, or anything that m2d_mechanism_lookup() knows. `user` is the mechanism: fits
 * ha_parse_def.lookup.
 */
ha_expr m2d_law_lookup(void *user, const char *name);

/**
 * The expression of a name in the law of a tyre: the slips `slip_long` and `slip_lat` [m/s], the
 * `load` [N], the speeds `v_long` of the wheel and `v_roll` = R omega of its tread [m/s], or
 * anything that m2d_mechanism_lookup() knows. `user` is the mechanism: fits ha_parse_def.lookup.
 */
ha_expr m2d_slip_lookup(void *user, const char *name);

/** Number of bodies, the ground not counted. */
int m2d_mechanism_n_bodies(const m2d_mechanism *mechanism);

/** Number of joints. */
int m2d_mechanism_n_joints(const m2d_mechanism *mechanism);

/** Number of prescribed motions, of joints and of bodies. */
int m2d_mechanism_n_motions(const m2d_mechanism *mechanism);

/** Number of forces. */
int m2d_mechanism_n_forces(const m2d_mechanism *mechanism);

/** Number of parameters. */
int m2d_mechanism_n_parameters(const m2d_mechanism *mechanism);

/** Number of points of all bodies and the ground. */
int m2d_mechanism_n_points(const m2d_mechanism *mechanism);

/** Name of body `i`, "ground" for -1; borrowed. */
const char *m2d_body_name(const m2d_mechanism *mechanism, int i);

/** Name of joint `i`; borrowed. */
const char *m2d_joint_name(const m2d_mechanism *mechanism, int i);

/** Type of joint `i` ("revolute"); borrowed. */
const char *m2d_joint_type_name(const m2d_mechanism *mechanism, int i);

/** Number of the point that end `end` (0, 1) of joint `i` joins. */
int m2d_joint_end(const m2d_mechanism *mechanism, int i, int end);

/** Name of force `i`; borrowed. */
const char *m2d_force_name(const m2d_mechanism *mechanism, int i);

/** Type of force `i` ("torque"); borrowed. */
const char *m2d_force_type_name(const m2d_mechanism *mechanism, int i);

/** Number of the point that end `end` (0, 1) of force `i` acts on, of a force on a joint that of
   the joint; -1 when it has none. */
int m2d_force_end(const m2d_mechanism *mechanism, int i, int end);

/** Name of parameter `i`; borrowed. */
const char *m2d_parameter_name(const m2d_mechanism *mechanism, int i);

/** Value of parameter `i` in SI. */
double m2d_parameter_value(m2d_mechanism *mechanism, int i);

/** Name of point `i` with its body's, "K1.H"; borrowed. */
const char *m2d_point_name(const m2d_mechanism *mechanism, int i);

/** The body that point `i` is on, -1: the ground. */
int m2d_point_body(const m2d_mechanism *mechanism, int i);

/** Coordinates of point `i` in its body's axes and its axis angle, into pose[3] [m, m, rad]. */
void m2d_point_pose(m2d_mechanism *mechanism, int i, double *pose);

/**
 * Makes the parameters of a mechanism those of the graph that it was expanded to, so that a written
 * file has them, with their definitions, and values that read them.
 * @return HA_ERR_NAME when the graph has one of that name; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_keep_parameters(const m2d_mechanism *mechanism, bg_graph *graph);

HA_END_DECLS

#endif
