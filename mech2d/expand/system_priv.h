/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of an expanded mechanism. Not installed.
 *
 * Coordinates are numbered 3 * body + component (x, y, angle). The tapes read them, behind them the
 * time and the variables, and give
 *   position tape:  phi (n_rows), lengths (n_lines)
 *   velocity tape:  d phi / d q in compressed columns (n_entries), (d phi / dt)_t (n_rows)
 * where phi is, for a constraint with an assembly angle, that angle. A constraint on velocities has
 * the position 0, its coefficients of the rates as d phi / d q, and what is left as (d phi / dt)_t.
 */
#ifndef MECH2D_SYSTEM_PRIV_H
#define MECH2D_SYSTEM_PRIV_H

#include "lib/core/mem.h"
#include "lib/core/symtab.h"
#include "lib/tape/tape.h"
#include "mech2d/mechanism/joint.h"
#include "mech2d/system.h"

#include <stdint.h>

/* An entry of `outputs:`, or a name that an expression uses. */
typedef struct m2d__wanted {
    const char *name;
    ha_where where;
} m2d__wanted;

/* A body of the system. */
typedef struct m2d__mass {
    const char *name;
    double mass, inertia;
    double start[M2D_N_COORDINATES];
    bool is_given[M2D_N_COORDINATES];
    bool is_sought[M2D_N_COORDINATES]; /* not given, but searched from where the part is */
    bool is_fixed[M2D_N_COORDINATES];
    ha_where where;
    bg_element element, junction, position; /* `K1`, `K1.1`, `K1.position` */
    ha_expr q[3], f[3];                     /* signals: coordinates and their rates */
} m2d__mass;

/* A constraint of a joint. */
typedef struct m2d__constraint {
    const char *name;  /* "O.x" */
    const char *kind;  /* what has it: "joint", "motion" */
    const char *joint; /* "O" */
    bool is_angle;
    bool is_elastic;   /* it may open: assembly closes it where it can */
    bool is_start;     /* a start value: no constraint of the motion */
    bool is_rate;      /* of a start value: that of the rate */
    bool is_fixed;     /* of a start value: it may not open */
    bool is_motion;    /* a prescribed motion: its value less what is asked for */
    double given;      /* the start value */
    bool reads_origin; /* the origin of its joint is in it */
    bool is_flow;   /* a constraint on velocities: phi is over the bodies' flows, too, and there is
                       no position level */
    ha_expr phi;    /* what must vanish, over the ports' symbols */
    ha_expr closed; /* what assembly brings to a multiple of the period: phi, or an angle */
    double period;  /* 0: to 0 only */
    ha_where where;
} m2d__constraint;

/* A function of the positions that counts from the start. */
typedef struct m2d__origin {
    ha_expr symbol; /* what the function is at the start; defined as that number */
    ha_expr value;  /* the function, over the ports' symbols */
} m2d__origin;

/* A length of which the start must make something. */
typedef struct m2d__line {
    const char *name;
    ha_expr length;       /* over the ports' symbols; of a fit it may be negative */
    const char *fit_name; /* of a joint that asks for a length: what it is; else NULL: the length of
                             a line that must not be 0 */
    double asked;         /* [m], of a fit */
    ha_where where;
} m2d__line;

/* The relative acceleration of a joint along a free direction. */
typedef struct m2d__acceleration {
    const char *name; /* "O.alpha" */
    ha_expr rate;     /* of which it is the derivative */
    bool is_angle;    /* in rad/s2, else in m/s2 */
} m2d__acceleration;

/* A spring-damper or a stop. */
typedef struct m2d__spring {
    const char *name;
    ha_expr effort; /* of spring and damper together */
    ha_expr flow;   /* of both, the rate of the length or angle */
    bool is_angle;  /* a torque, else a force */
} m2d__spring;

/* How far bodies fall onto what they touch in a point, in lengths of the mechanism. */
#define M2D__SIZE_OF_POINT 0.01

/* What pushes bodies back: a contact or a stop. */
typedef struct m2d__bump {
    const char *name;
    bool is_stop;           /* else a contact */
    bool is_angle;          /* the depth is one */
    bool passes;            /* at `most` the bodies go through each other */
    ha_expr depth;          /* over the ports' symbols [m or rad] */
    ha_expr effort, energy; /* of its spring, likewise; the effort of either sign */
    double size;            /* how far bodies fall onto it, about [m] */
    double most;            /* a depth at which its law ends [m]; INFINITY: none */
    ha_where where;
} m2d__bump;

/* A wheel that starts to roll as its point moves. */
typedef struct m2d__roller {
    const char *name; /* of the unknown that is its roll speed */
    ha_expr rate;     /* over the coordinates and flows of the bodies */
} m2d__roller;

/* The pose of a point: position and orientation. */
typedef struct m2d__pose {
    ha_expr pose[3]; /* symbols of x, y and the angle of its axis, in the inertial frame */
} m2d__pose;

/* Where a body, joint or force is drawn: between its points. */
typedef struct m2d__spot {
    const char *name;
    ha_expr x, y; /* over the ports' symbols */
} m2d__spot;

struct m2d_system {
    ha_ctx *ctx;
    ha__arena arena;
    const char *file;
    bg_graph *graph;
    int n_joints;
    double length; /* of the model: largest distance of a point from its mass centre or origin */
    ha_expr length_value; /* the same over the parameters */
    HA_ARRAY(m2d__mass) masses;
    HA_ARRAY(m2d__constraint) rows; /* the n_starts of start values last */
    int n_starts;
    HA_ARRAY(m2d__origin) origins;
    HA_ARRAY(m2d__line) lines;
    HA_ARRAY(m2d__spring) springs;
    HA_ARRAY(m2d__acceleration) accelerations;
    HA_ARRAY(m2d__bump) bumps;
    HA_ARRAY(m2d__pose) poses;
    HA_ARRAY(m2d__spot) spots;
    ha_expr on_ground[3]; /* force and moment about the origin on the ground */
    HA_ARRAY(m2d__roller) rollers;
    ha__symtab pose_names;       /* "K1.H", in order of poses */
    ha__symtab outputs;          /* names of all outputs, in order */
    HA_ARRAY(ha_expr) variables; /* symbols of parameters that may take other values */
    double *values;              /* (variables) their values */
    ha__tape *numbers;           /* of the variables: M2D__N_NUMBERS for each body, then the
                                    length of the model; NULL: none */
    bool is_copy;                /* it owns `masses`, `values` and `is_read` alone */
    bool *is_read;               /* (variables) of a copy: the constraints read it */
    long n_changes;              /* of a copy: how often what assembly reads got other values */
    ha__tape *position;
    ha__tape *velocity;
    int64_t *column_start; /* (3 * bodies + 1) */
    int64_t *entry_row;    /* (n_entries) ascending in each column */
    size_t n_entries;
};

/* The numbers of a body that variables may change: mass, inertia, then the starts. */
enum { M2D__N_NUMBERS = 2 + M2D_N_COORDINATES };

/* Expands a mechanism: its origins have no values yet, and there are no tapes. */
HA_MUST_CHECK ha_status m2d__expand(m2d_mechanism *mechanism, m2d_system **out);

/* Adds the outputs of an entry like distance(A.P, B.Q) or SPRING.force to the graph and the system:
   the *n from number *first on; *n = 0 when the entry is nothing of that kind. */
HA_MUST_CHECK ha_status m2d__add_asked(ha_ctx *ctx, m2d_system *system, const m2d__wanted *entry,
                                       int *first, int *n);

/* The value of such an output, `relative(A.P, B.Q).x`, without adding any, and its unit; left alone
   when the name is nothing of that kind. */
HA_MUST_CHECK ha_status m2d__find_asked(ha_ctx *ctx, m2d_system *system, const m2d__wanted *entry,
                                        ha_expr *value, const char **unit);

/* Which rows of the constraints a tape has. */
typedef enum m2d__rows {
    M2D__ALL_ROWS,
    M2D__ROWS_WITHOUT_ORIGIN /* rows that read an origin count as met */
} m2d__rows;

/* Compiles the tapes of an expanded system; those of before are freed. */
HA_MUST_CHECK ha_status m2d__system_compile(m2d_system *system, m2d__rows rows);

#endif
