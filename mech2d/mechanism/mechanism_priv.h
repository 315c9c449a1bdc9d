/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a mechanism, for the files of this directory. Not installed. */
#ifndef MECH2D_MECHANISM_PRIV_H
#define MECH2D_MECHANISM_PRIV_H

#include "lib/core/mem.h"
#include "lib/core/symtab.h"
#include "lib/data/dimension.h"
#include "mech2d/mechanism.h"
#include "mech2d/mechanism/force.h"
#include "mech2d/mechanism/joint.h"
#include "mech2d/mechanism/joint_model.h"
#include "mech2d/part.h"

enum { M2D__GROUND = -1 }; /* the number of the ground among the bodies */
enum { M2D__N_SLIPS = 5 };

/* A body. All values are given. */
typedef struct m2d__body {
    const char *name;
    ha_expr mass, inertia;
    ha_expr gravity[2];               /* HA_EXPR_NONE: the mechanism's */
    ha_expr start[M2D_N_COORDINATES]; /* HA_EXPR_NONE: not given */
    ha_expr from[2];                  /* where x, y are searched from that are not given */
    bool is_fixed[M2D_N_COORDINATES];
    ha_expr motion[3];            /* of x, y, angle; HA_EXPR_NONE: none */
    const m2d_plate_def *outline; /* (n_outline), in the arena, as are its points */
    int n_outline;
    ha_expr centre[2];  /* the mass centre in the frame of points and outline */
    const char *colour; /* NULL: not given */
    int layer;
    bool is_point; /* it has no inertia, since nothing turns it: its angle stays */
    ha_where where;
} m2d__body;

/* What a shape weighs. */
typedef struct m2d__shape_mass {
    ha_expr mass, inertia, centre[2]; /* the inertia about the centre */
    double size;                      /* the largest extent of one of its plates [m] */
} m2d__shape_mass;

/* A point. */
typedef struct m2d__point {
    const char *name;      /* "H" */
    const char *full_name; /* "K1.H" */
    int body;              /* or M2D__GROUND */
    ha_expr x, y, axis;
    ha_where where;
} m2d__point;

/* A joint or a force. */
typedef struct m2d__connection {
    const char *name;
    const m2d__joint_type *joint; /* one of the two */
    const m2d__force_type *force;
    m2d__target target; /* of forces */
    int points[2];      /* -1: none; of a force on a joint those of the joint */
    int body;           /* of M2D__ON_BODY; else of the first point */
    int on_joint;       /* of M2D__ON_ANGLE and M2D__ON_SLIDE: the number of the joint, */
    int on_direction;   /* and of its direction */
    ha_expr *settings;  /* (n_keys, M2D__MAX_COMPONENTS), in the arena */
    const m2d__joint_model *model;            /* of joints: what holds it */
    const m2d__model_setting *model_settings; /* (model->n_keys), in the arena */
    ha_expr motions[M2D__MAX_DIRECTIONS];     /* of joints; HA_EXPR_NONE: none */
    bool is_port[M2D__MAX_DIRECTIONS];        /* of joints: something is bonded to the direction */
    const m2d__own *own; /* of joints that the user wrote, in the arena; else NULL */
    ha_where where;
} m2d__connection;

/* An element of the bond graph that is no part of the mechanism. */
typedef struct m2d__element_part {
    const char *name, *type;
    ha_expr value, start;            /* HA_EXPR_NONE: not given */
    bg_unit unit;                    /* of the value; name NULL: none */
    bg_domain domain;                /* of its bonds */
    int n_ports;                     /* of a field; 0: an element with the ports of its type */
    const ha_expr *matrix;           /* (n_ports * n_ports) or NULL */
    const ha_expr *starts;           /* (n_ports) or NULL */
    const bg_law *law;               /* NULL: none */
    const bg_instance_def *instance; /* NULL: an element; else that of a submodel */
    ha_where where;
} m2d__element_part;

/* An end of a bond: an element, a port of an instance, or a free direction of a joint. */
typedef struct m2d__bond_end {
    int element; /* or instance; -1: a direction */
    int port;    /* of an instance, or of an element from 0; -1: the next of an element */
    int joint, direction;
} m2d__bond_end;

/* A bond between such. */
typedef struct m2d__bond_part {
    m2d__bond_end ends[2]; /* tail, head */
    ha_where where;
} m2d__bond_part;

/* A name that expressions use before its meaning is known. */
typedef struct m2d__stand_in {
    ha_expr symbol;
    ha_where where; /* where it stands first */
    bool in_law;    /* it stands in something else than an output, too: energies cannot */
} m2d__stand_in;

/* A start value of a joint or a point. */
typedef struct m2d__start {
    const char *name; /* "O.angle", "rod.P.x" */
    int joint, point; /* of the joint, -1: of the point */
    int component;    /* number of the direction; 0, 1: x, y */
    bool is_rate, is_angle, is_fixed;
    ha_expr value;
    bool is_placed; /* a point in a part that stands somewhere: value and axes ... */
    ha_expr axes[M2D_N_COORDINATES]; /* ... are those of the part, how these stand and move */
    ha_where where;
} m2d__start;

/* A named sub-expression, or an output by expression. */
typedef struct m2d__value {
    const char *name;
    ha_expr value;    /* in SI units */
    const char *unit; /* that it is shown in; NULL: by its dimension */
    double size;      /* of one unit, in SI units */
    ha__dimension is; /* of the unit, where it is given */
    bool is_output;   /* an output by expression: laws cannot read it */
    ha_where where;
} m2d__value;
/* A part. */
typedef struct m2d__part {
    const char *name; /* with those around it */
    const char *type;
    int outer;                        /* the part around it, -1: none */
    ha_expr start[M2D_N_COORDINATES]; /* HA_EXPR_NONE: not given */
    bool is_placed;                   /* one of these is given */
    size_t first_bond, first_port;    /* of the mechanism when it was begun */
    ha_where where;
} m2d__part;

/* A port of a part. */
typedef struct m2d__part_port {
    int part;
    const char *target; /* full name of what it is */
} m2d__part_port;

struct m2d_mechanism {
    ha_ctx *ctx;
    ha_dag *dag;
    ha__arena arena;
    ha_expr time;
    ha_expr ends[6];  /* symbols of constraints that the user writes: x, y, angle of M, then of N */
    ha_expr rates[6]; /* and of constraints on velocities: the rates of those */
    ha_expr slips[M2D__N_SLIPS]; /* symbols of the laws of tyres: m2d_slip_lookup() */
    ha_expr own[2];              /* symbols of the laws of forces: displacement q, its rate f */
    ha_expr gravity[2];
    const char *file; /* the file name kept last by m2d__keep_where() */
    ha__symtab body_names, joint_names, force_names, element_names; /* in order of the arrays */
    ha__symtab point_names;                                         /* "K1.H" */
    ha__symtab parameter_names;
    ha__symtab stand_in_names;
    ha__symtab faulty_names; /* declared, but refused: what names them is not reported again */
    ha__symtab signal_names;
    ha__symtab value_names;
    bool in_output;                    /* what is looked up is read by outputs alone */
    ha__symtab part_names, port_names; /* in order of the arrays */
    HA_ARRAY(m2d__body) bodies;
    HA_ARRAY(m2d__point) points;
    HA_ARRAY(m2d__connection) joints;
    HA_ARRAY(m2d__connection) forces;
    HA_ARRAY(m2d__element_part) elements;
    HA_ARRAY(m2d__bond_part) bonds;
    HA_ARRAY(bg_block_def) signals; /* in order of signal_names */
    HA_ARRAY(ha_expr) parameters;   /* symbols */
    HA_ARRAY(m2d__stand_in) stand_ins;
    HA_ARRAY(m2d__start) starts;
    HA_ARRAY(m2d__value) values; /* in order of value_names */
    HA_ARRAY(m2d__part) parts;
    HA_ARRAY(m2d__part_port) ports;
    int part; /* that is being built, -1: none */
};

/* The location with the file name copied into the arena; `*kept` (start: NULL) is the name copied
   last. Without memory the location loses its file name. */
ha_where m2d__keep_where(ha_ctx *ctx, ha__arena *arena, const char **kept, ha_where where);

/* HA_OK when a name is made of letters, digits and `_`, with a letter or `_` first unless
   `may_start_with_digit`; `kind` is "body". */
HA_MUST_CHECK ha_status m2d__check_name(ha_ctx *ctx, const char *kind, const char *name,
                                        bool may_start_with_digit, ha_where where);

/* The same for what expressions call by this name alone: it may not hide `t` or `pi` either. */
HA_MUST_CHECK ha_status m2d__check_symbol(ha_ctx *ctx, const char *kind, const char *name,
                                          ha_where where);

/* What a value belongs to, for messages: key "mass" of kind "body", name "K1". */
typedef struct m2d__owner {
    const char *kind;
    const char *name;
    const char *key;
    ha_where where;
} m2d__owner;

/* Weighs the outline of a body, checked; its plates have the weight 1 where none is given. */
HA_MUST_CHECK ha_status m2d__weigh_outline(m2d_mechanism *mechanism, const m2d_body_def *def,
                                           m2d__shape_mass *out);

/* Takes what the shape of a body gives: outline, mass centre, and mass and inertia where they are
   not given. */
HA_MUST_CHECK ha_status m2d__take_outline(m2d_mechanism *mechanism, const m2d_body_def *def,
                                          m2d__body *body);

/* A body with a mass and without inertia becomes a point mass: it keeps its angle, as a motion of
   its own would have it, and what turns it is refused when it is expanded. */
HA_MUST_CHECK ha_status m2d__take_point_mass(m2d_mechanism *mechanism, const m2d_body_def *def,
                                             m2d__body *body);

/* The number that a constant expression stands for; HA_ERR_VALUE when it is not constant or not
   finite. */
HA_MUST_CHECK ha_status m2d__constant(ha_ctx *ctx, ha_dag *dag, ha_expr e, m2d__owner owner,
                                      double *out);

/* HA_OK when an expression is a constant that is not negative, nor zero where that is excluded. */
HA_MUST_CHECK ha_status m2d__check_positive(m2d_mechanism *mechanism, ha_expr e, bool excludes_zero,
                                            m2d__owner owner);

/* The same of a setting whose key is positive: HA_OK when it is within the range of that. */
HA_MUST_CHECK ha_status m2d__check_range(m2d_mechanism *mechanism, ha_expr e, const m2d__key *key,
                                         m2d__owner owner);

/* The number of the name that is chosen, as a constant; HA_ERR_NAME when it is none. */
HA_MUST_CHECK ha_status m2d__take_choice(m2d_mechanism *mechanism, const m2d__key *key,
                                         const m2d_choice *choice, m2d__owner owner, ha_expr *out);

/* Takes over the settings of a joint or force, each checked against its key. */
HA_MUST_CHECK ha_status m2d__take_settings(m2d_mechanism *mechanism, const m2d_connection_def *def,
                                           const m2d__key *keys, int n_keys,
                                           m2d__connection *connection);

/* Tells what is wrong with the settings of a joint or force, with its kind in front; NULL: nothing.
   What was found without memory is no fault. */
HA_MUST_CHECK ha_status m2d__tell_fault(m2d_mechanism *mechanism, const char *kind,
                                        const char *name, const char *fault, ha_where where);

/* The number that an expression stands for that was checked by m2d__constant() before. */
double m2d__number(ha_dag *dag, ha_expr e);

/* "a" or "an", for a kind or a title. */
const char *m2d__article(const char *kind);

/* Refuses the name of a row of parts where that of a body is meant. */
HA_MUST_CHECK ha_status m2d__refuse_row(m2d_mechanism *mechanism, const char *name,
                                        m2d__owner user);

/* Names of the part that is being built, in front of which stand those of the parts around it.
   All tables of a mechanism have full names. NULL without memory. */
const char *m2d__inside(m2d_mechanism *mechanism, const char *name);

/* The same, behind ports what they are: `left.tip` is `left.rod.P`. */
const char *m2d__resolve(m2d_mechanism *mechanism, const char *text);

/* Follows ports in a full name. */
const char *m2d__through_ports(m2d_mechanism *mechanism, const char *full);

/* What m2d__inside() was given; a part of `full`. */
const char *m2d__short_name(const m2d_mechanism *mechanism, const char *full);

/* The length of a full name up to its last dot, 0 without one. */
size_t m2d__owner_length(const char *full);

/* HA_ERR_NAME with an error when a full name is that of a port which its part does not have; HA_OK
   when it is not of a part. */
HA_MUST_CHECK ha_status m2d__fail_port(m2d_mechanism *mechanism, const char *full, m2d__owner user);

/* Takes a start from the axes of the part that is being built to the inertial frame. `from` is
   where x and y are searched from if they are not given; HA_EXPR_NONE: the origin. */
void m2d__move_start(const m2d_mechanism *mechanism, ha_expr start[M2D_N_COORDINATES],
                     ha_expr from[2]);

/* Where a coordinate of a body or its rate starts, or is searched from; HA_EXPR_NONE: at 0. */
ha_expr m2d__start_of(const m2d__body *body, int coordinate);

/* How the axes of the part that is being built stand and move at the start; false when they are
   those of the inertial frame. */
bool m2d__part_axes(const m2d_mechanism *mechanism, ha_expr axes[M2D_N_COORDINATES]);

/* HA_ERR_NAME where the name of a body is that of a point or joint, with the body that is meant. */
HA_MUST_CHECK ha_status m2d__check_is_body(m2d_mechanism *mechanism, const char *name,
                                           m2d__owner user);

/* What an end of a bond names, by its full name. */
HA_MUST_CHECK ha_status m2d__find_end(m2d_mechanism *mechanism, const char *full, m2d__owner user,
                                      m2d__bond_end *out);

/* HA_OK when the full name of a body, joint, force or element of the bond graph is well formed and
   free: they share the element names of the graph. */
HA_MUST_CHECK ha_status m2d__check_new_name(m2d_mechanism *mechanism, const char *kind,
                                            const char *name, bool may_start_with_digit,
                                            ha_where where);

/* The symbol that stands for an output of this name, as it is called here, until there is one. */
HA_MUST_CHECK ha_status m2d__find_stand_in(m2d_mechanism *mechanism, const char *name,
                                           ha_where where, ha_expr *out);

/* The free direction that "O", "O.axis" (of the only one) or "S.slide" names; a full name. */
HA_MUST_CHECK ha_status m2d__find_direction(m2d_mechanism *mechanism, const char *text,
                                            m2d__owner user, int *joint, int *direction);

/* True when a joint of this type leaves one direction free, which has a name. */
bool m2d__has_axis(const m2d__joint_type *type);

/* HA_OK when a motion is a function of the time alone that can be differentiated twice. */
HA_MUST_CHECK ha_status m2d__check_motion(m2d_mechanism *mechanism, ha_expr motion,
                                          m2d__owner owner);

/* HA_OK when neither the value nor the rate of a resolved expression jumps. */
HA_MUST_CHECK ha_status m2d__check_smooth(m2d_mechanism *mechanism, ha_expr e, m2d__owner owner);

/* Whether a function of the poses of two points depends on their axes' angles alone. */
HA_MUST_CHECK ha_status m2d__is_of_angles(m2d_mechanism *mechanism, ha_expr e, bool *out);

/* The joint type with the constraints and free directions that the user wrote; the type itself when
   it has its own. `joint->joint` is that type, and becomes the new one. */
HA_MUST_CHECK ha_status m2d__take_own(m2d_mechanism *mechanism, const m2d_connection_def *def,
                                      m2d__connection *joint);

/* Name `i` of what the law of a tyre reads. */
const char *m2d__slip_name(size_t i);

/* HA_OK when a law reads nothing but what it may. */
HA_MUST_CHECK ha_status m2d__check_law(m2d_mechanism *mechanism, ha_expr value, m2d__law law,
                                       m2d__owner owner);

/* Whether an expression has no value yet: it reads own quantities, the time or outputs. */
HA_MUST_CHECK ha_status m2d__varies(m2d_mechanism *mechanism, ha_expr e, bool *out);

/* Takes over the model of a joint and those of its settings that are the model's, checked. */
HA_MUST_CHECK ha_status m2d__take_model(m2d_mechanism *mechanism, const m2d_joint_def *def,
                                        m2d__connection *joint);

/* Takes over the motions of a joint. */
HA_MUST_CHECK ha_status m2d__take_motions(m2d_mechanism *mechanism, const m2d_connection_def *def,
                                          m2d__connection *joint);

/* What a force of a type acts on: by the ends it is given, and by the direction of the joint. */
HA_MUST_CHECK ha_status m2d__find_target(m2d_mechanism *mechanism, const m2d_connection_def *def,
                                         const m2d__force_type *type, m2d__target *out);

/* Makes a submodel whose body is the bond graph of a mechanism, which has nothing else, and whose
   parameters are the mechanism's. */
HA_MUST_CHECK ha_status m2d__expand_submodel(m2d_mechanism *mechanism, const char *name,
                                             bg_submodel **out);

/* Remembers that something that is called so here was declared and refused with an error. */
HA_MUST_CHECK ha_status m2d__mark_faulty(m2d_mechanism *mechanism, const char *name);

/* True when a full name like "O", "O.axis" or "rod.P", or what stands before one of its dots, was
   refused: that it is not found has been explained. */
bool m2d__is_faulty(const m2d_mechanism *mechanism, const char *name);

#endif
