/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that expand a mechanism share. Not installed. */
#ifndef MECH2D_EXPAND_PRIV_H
#define MECH2D_EXPAND_PRIV_H

#include "mech2d/expand/system_priv.h"
#include "mech2d/mechanism/mechanism_priv.h"

/* A point as connections see it. */
typedef struct m2d__port {
    const char *name;    /* "K1.H" */
    int body;            /* or M2D__GROUND */
    ha_expr pose[3];     /* symbols of x, y and the angle of its axis, in the inertial frame */
    ha_expr velocity[3]; /* their rates, over the body's flows */
    ha_expr moduli[9];   /* d pose / d coordinates, row by row; of bodies only */
    bool is_centre;      /* it moves as the mass centre does and needs no transport */
    int n_uses;          /* bonds to it; something that needs a junction counts 2 */
    bg_element element;  /* what connections are bonded to; -1: none */
} m2d__port;

/* How stiffly joints hold a body: the sums of their stiffnesses. */
typedef struct m2d__hold {
    ha_expr of_position;          /* along x and y [N/m] */
    ha_expr of_angle;             /* about the mass centre [N.m/rad] */
    ha_expr per_depth, per_angle; /* 1 / depth of the shallowest contact [1/m], and 1 over the
                                     angle that it turns by; 0: none */
} m2d__hold;

/* An expansion that is under way. */
typedef struct m2d__expander {
    ha_ctx *ctx;
    m2d_mechanism *mechanism;
    m2d_system *system;
    bg_graph *graph;
    ha_dag *dag;      /* of the graph; the mechanism's expressions have the same numbers in it */
    ha__arena names;  /* names while elements are made */
    m2d__port *ports; /* (number of points) */
    m2d__hold *holds; /* (bodies) */
} m2d__expander;

/* A set of constraints or lengths between two ports: scalar functions of their symbols. */
typedef struct m2d__rowset {
    const char *name;         /* in front of those of its elements: "O" */
    const char *group;        /* the part that they belong to; NULL: that of the name */
    const m2d__port *ends[2]; /* M, N */
    int n;                    /* number of rows, at most M2D__MAX_ROWS */
    const m2d__row *rows;
    bool is_own;     /* the user wrote the rows: they may hold bodies against the fixed axes */
    bool has_moduli; /* the moduli are given, the rows being speeds without phi */
    ha_expr rate;    /* with is_turning: the flow of the one row */
    bool is_turning; /* the row is the roll of a wheel, which is no motion of its ends */
    const ha_expr *origin; /* the symbol that rows may read; NULL: none */
    ha_where where;

    bg_element junction;                 /* out: the 0-junction `O.0` */
    bg_element sink;                     /* the residual sink on it, where there is one */
    ha_expr moduli[2][M2D__MAX_ROWS][3]; /* out: d phi_k / d (x, y, angle) of each end */
} m2d__rowset;

/* The part that the elements of a set belong to. */
static inline const char *m2d__set_group(const m2d__rowset *set)
{
    return set->group == NULL ? set->name : set->group;
}

/* The three components of a body or port. */
extern const char *const m2d__labels[3];

/* --- expand.c: helpers over the graph ------------------------------------------------------- */

/* A name of two or three parts: "K1.H.transport"; NULL without memory. */
const char *m2d__name(m2d__expander *x, const char *first, const char *second, const char *third);

/* Adds an element, by default with one component. No name is one whose memory ran out. */
HA_MUST_CHECK ha_status m2d__element(m2d__expander *x, const bg_element_def *def, bg_element *out);

/* Bonds all components of two elements. */
HA_MUST_CHECK ha_status m2d__bond(m2d__expander *x, bg_element tail, bg_element head, int dim,
                                  ha_where where);

/* Bonds an element of `dim` components to the components of a junction from `first` on, with the
   half arrow at the junction. */
HA_MUST_CHECK ha_status m2d__bond_to(m2d__expander *x, bg_element tail, bg_element junction,
                                     int first, int dim, ha_where where);

/* Adds the output "FIRST.SECOND" or "FIRST.SECOND.THIRD". */
HA_MUST_CHECK ha_status m2d__output(m2d__expander *x, const char *first, const char *second,
                                    const char *third, const char *unit, ha_expr value);

/* Adds the outputs .e and .f of an element's components, and .q where `q_unit` is not NULL. */
HA_MUST_CHECK ha_status m2d__element_outputs(m2d__expander *x, bg_element element,
                                             const char *const *e_units, const char *const *f_units,
                                             const char *q_unit);

/* --- expand_body.c --------------------------------------------------------------------------- */

/* Adds the elements and outputs of body number `i`; how stiffly joints hold it must be known. */
HA_MUST_CHECK ha_status m2d__expand_body(m2d__expander *x, int i);

/* --- expand_port.c --------------------------------------------------------------------------- */

/* HA_ERR_VALUE where the body is a point mass: `kind` `name` would turn it. */
HA_MUST_CHECK ha_status m2d__check_turning(m2d__expander *x, int body, const char *kind,
                                           const char *name, ha_where where);

/* Sets up the symbols and velocities of point number `i`, and its outputs. */
HA_MUST_CHECK ha_status m2d__prepare_port(m2d__expander *x, int i);

/* Adds the transport of point number `i`, if its uses ask for one. */
HA_MUST_CHECK ha_status m2d__expand_port(m2d__expander *x, int i);

/* --- expand_rows.c --------------------------------------------------------------------------- */

/* What a joint or force (NULL: none in particular) writes its constraints in; without origin. */
m2d__frame m2d__frame_of(m2d__expander *x, const m2d__port *M, const m2d__port *N,
                         const m2d__connection *connection);

/* The transformers of a set of rows and the 0-junction that sums their flows: the flow out of it
   into whatever is bonded to it is d phi / dt. */
HA_MUST_CHECK ha_status m2d__expand_rows(m2d__expander *x, m2d__rowset *set);

/* The rate of a function of the symbols of two ports, over the flows of their bodies. */
HA_MUST_CHECK ha_status m2d__rate(m2d__expander *x, ha_expr value, const m2d__port *const ends[2],
                                  ha_expr *out);

/* The flow of row `row` of an expanded set, over the flows of its bodies. */
HA_MUST_CHECK ha_status m2d__set_rate(m2d__expander *x, const m2d__rowset *set, int row,
                                      ha_expr *out);

/* The row of a free direction of a joint: phi is its coordinate. `set` has a name and a location;
   the rest is filled and expanded, `row` belongs to it. */
HA_MUST_CHECK ha_status m2d__expand_direction(m2d__expander *x, const m2d__connection *joint,
                                              int direction, m2d__row *row, m2d__rowset *set);

/* The residual sink, named as the set, on its 0-junction, and its rows for assembly; `kind` is what
   messages call what has the rows: "joint". */
HA_MUST_CHECK ha_status m2d__add_sink(m2d__expander *x, const m2d__rowset *set, const char *kind,
                                      bg_element *sink);

/* Keeps the rows of a set that something elastic holds, for assembly. */
HA_MUST_CHECK ha_status m2d__keep_elastic_rows(m2d__expander *x, const m2d__rowset *set,
                                               const char *kind);

/* --- expand_spring.c ------------------------------------------------------------------------- */

/* A spring and a damper of common flow on one row. */
typedef struct m2d__spring_damper {
    const char *name;   /* of what it belongs to: "strut" */
    ha_expr q;          /* displacement of the spring, over the ports' symbols */
    ha_expr compliance; /* of a linear spring, else HA_EXPR_NONE */
    ha_expr resistance; /* of a linear damper, likewise */
    bg_law spring; /* its effort or its energy where it is not linear, over the mechanism's q */
    bg_law damper; /* its effort, over the mechanism's f */
} m2d__spring_damper;

/* A spring and a damper of which nothing is given but the displacement. */
m2d__spring_damper m2d__no_spring_damper(const m2d__expander *x, const char *name, ha_expr q);

/* The row of a line between the points of a force: phi is its length. As m2d__expand_direction().
 */
HA_MUST_CHECK ha_status m2d__expand_line(m2d__expander *x, const m2d__connection *force,
                                         m2d__row *row, m2d__rowset *set);

/* Bonds the C and the R, those that are given, to the 0-junction of a row, with their outputs; and
   keeps their effort together for the output NAME.force. */
HA_MUST_CHECK ha_status m2d__add_spring_damper(m2d__expander *x, const m2d__spring_damper *both,
                                               const m2d__rowset *set);

/* --- expand_joint.c -------------------------------------------------------------------------- */

/* Adds the elements and outputs of joint number `i`, its motions included. */
HA_MUST_CHECK ha_status m2d__expand_joint(m2d__expander *x, int i);

/* Adds the 1-junctions of the directions of joint number `i` that are ports. */
HA_MUST_CHECK ha_status m2d__expand_axes(m2d__expander *x, int i);

/* The force and torque on the second body at its point, of efforts on the rows of a set; added to
   what is there. */
void m2d__add_reaction(m2d__expander *x, const m2d__rowset *set, const ha_expr *efforts,
                       ha_expr reaction[3]);

/* The name of the 1-junction of a direction: "O.axis", "S.slide.axis"; NULL without memory. */
const char *m2d__axis_name(m2d__expander *x, const m2d__connection *joint, int direction);

/* --- expand_motion.c ------------------------------------------------------------------------- */

/* Number of motions of a joint. */
int m2d__n_motions(const m2d__connection *joint);

/* Adds the rows of a joint's motions behind its own, rows[*n]. */
HA_MUST_CHECK ha_status m2d__add_motion_rows(m2d__expander *x, const m2d__connection *joint,
                                             const m2d__frame *frame, m2d__row *rows, int *n);

/* Adds the drives of a joint that is not exact: their own rows and sink, `O.drive`; their part of
   the force and torque on the second body is added. */
HA_MUST_CHECK ha_status m2d__add_drives(m2d__expander *x, const m2d__connection *joint,
                                        const m2d__frame *frame, m2d__rowset *set,
                                        ha_expr reaction[3]);

/* Adds the outputs of the drives of the joint `name`, whose rows in the set start at `first`. */
HA_MUST_CHECK ha_status m2d__add_drive_outputs(m2d__expander *x, const char *name,
                                               const m2d__rowset *set, int first);

/* Adds the drive of body number `i`, if its motion is given. */
HA_MUST_CHECK ha_status m2d__expand_motion(m2d__expander *x, int i);

/* --- expand_graph.c -------------------------------------------------------------------------- */

/* Adds the elements of the bond graph that are no part of the mechanism, instances of submodels,
   and their bonds. */
HA_MUST_CHECK ha_status m2d__add_graph(m2d__expander *x);

/* Lists the names of their signals among the outputs of the system, for messages. */
HA_MUST_CHECK ha_status m2d__list_signals(m2d__expander *x);

/* Adds the same with their outputs. */
HA_MUST_CHECK ha_status m2d__expand_graph(m2d__expander *x);

/* --- expand_start.c -------------------------------------------------------------------------- */

/* Adds the row of a start value; behind all other rows. */
HA_MUST_CHECK ha_status m2d__expand_start(m2d__expander *x, const m2d__start *start);

/* --- expand_signal.c ------------------------------------------------------------------------- */

/* Makes numbers of the quantities of a signal: its laws are written in SI. */
void m2d__drop_units(const m2d__expander *x, bg_block_def *def);

/* Refuses signals whose gains, limits and starts contradict each other by their units. */
HA_MUST_CHECK ha_status m2d__check_signals(const m2d__expander *x);

/* --- expand_value.c -------------------------------------------------------------------------- */

/* Gives the names that expressions used their meaning: outputs that exist by now, values. */
HA_MUST_CHECK ha_status m2d__define_stand_ins(m2d__expander *x);

/* Adds the outputs of values and by expression, with their units. */
HA_MUST_CHECK ha_status m2d__expand_values(m2d__expander *x);

/* --- for forces ------------------------------------------------------------------------------ */

/* The value of component `component` of setting `key` (its number in the type's table). */
ha_expr m2d__setting(const m2d__connection *connection, int key, int component);

/* The port of an end of a connection. */
const m2d__port *m2d__end(const m2d__expander *x, const m2d__connection *connection, int end);

#endif
