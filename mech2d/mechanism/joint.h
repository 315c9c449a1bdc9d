/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract of a joint type. A joint is nothing but its vector constraints: scalar functions
 * phi_k = 0 of OM, ON, x_il, y_il, x_jl, y_jl and the angles of the axes (Marquis-Favre, Bideaux &
 * Scavarda 2006, part I, eq 13). The flow at the constraint and all transformer moduli follow from
 * them by differentiation (eqs 14-17). A new type is one file joint_x.c and one row of joints.def.
 * Not installed.
 */
#ifndef MECH2D_JOINT_H
#define MECH2D_JOINT_H

#include "mech2d/mechanism/key.h"
#include "mech2d/mechanism/vector.h"
#include "mech2d/scene.h"

#include <stddef.h>

struct m2d_connection_def;
struct m2d__connection;
struct m2d__expander;

enum { M2D__MAX_ROWS = 6, M2D__MAX_DIRECTIONS = 3 };

/* A row or a free direction of a joint that the user wrote, over the symbols `ends`, of a row on
   velocities also over the symbols of the rates of those (m2d_mechanism.rates). */
typedef struct m2d__own_row {
    const char *name;
    ha_expr value;
    bool is_angle;
    bool is_rate;
} m2d__own_row;

/* What a joint of the type "constraint" is made of. */
typedef struct m2d__own {
    const ha_expr *ends; /* (6) symbols: x, y, angle of M, then of N */
    m2d__own_row rows[M2D__MAX_DIRECTIONS], free[M2D__MAX_DIRECTIONS];
    int n_rows, n_free;
} m2d__own;

/* What the constraints of a joint are written in. M is on body i, the first of `between`, N on
   body j. All vectors are in inertial axes. */
typedef struct m2d__frame {
    ha_dag *dag;
    m2d__vector x_0, y_0;     /* the fixed axes */
    m2d__vector OM, ON;       /* positions of the points */
    m2d__vector x_il, y_il;   /* axes of the point on body i */
    m2d__vector x_jl, y_jl;   /* axes of the point on body j */
    ha_expr theta_i, theta_j; /* angles of x_il and x_jl, never wrapped */
    ha_expr origin;           /* of types with `origin`: what that is at the assembled start */
    const ha_expr *settings;  /* value c of key k of the type: [k * M2D__MAX_COMPONENTS + c] */
    const m2d__own *own;      /* what the user wrote; NULL: nothing */
} m2d__frame;

/* One constraint. */
typedef struct m2d__row {
    const char *label; /* names it after the joint: "x", "y", "angle" */
    bool is_angle;     /* phi is in rad, else in m */
    ha_expr phi;       /* what must vanish */
    ha_expr angle;     /* where phi has more zeros than the joint allows or its start decides among
                          them: the angle that assembly brings to a multiple of `period` instead;
                          else HA_EXPR_NONE */
    double period;     /* [rad], with `angle` only */
    bool is_rate;      /* phi is linear in the velocities, over the symbols of these, and has no
                          position level: no function of the positions has it as its rate */
    bool is_motion;    /* a prescribed motion asks for it */
} m2d__row;

/* A free direction: a relative coordinate of the two bodies that outputs, springs, drives and ports
   use, positive where the second body is ahead. */
typedef struct m2d__direction {
    const char *name;    /* "angle", "slide" */
    const char *rate;    /* the name of its rate: "omega", "speed" */
    bool is_angle;       /* in rad, else in m */
    const char *formula; /* its coordinate, for the manual */
} m2d__direction;

/* A joint type. */
typedef struct m2d__joint_type {
    const char *name;            /* as written in model files */
    const char *title;           /* what it is, a sentence for the manual */
    const char *source;          /* where its equations are from; NULL: nowhere */
    const char *const *formulas; /* (n_rows) the constraints, for the manual */
    m2d_symbol symbol;           /* how it is drawn; radii of circles are its first setting */
    const m2d__key *keys;        /* (n_keys) settings of its own */
    int n_keys;
    bool is_written;  /* the user writes the constraints and the free directions */
    bool keeps_apart; /* the length or the direction of MN is in it, which must not be 0 */
    int n_rows;       /* number of constraints */
    void (*rows)(const m2d__frame *frame, m2d__row *rows);

    /* A function of the positions whose value at the start is frame->origin: teeth mesh as the
       other constraints place the bodies. Rows with it hold there by definition. NULL: none. */
    ha_expr (*origin)(const m2d__frame *frame);

    /* A length that other joints hold and the settings ask for, in words, and the function of the
       positions; `*asked` is what its magnitude is asked to be, a constant. NULL: none. */
    const char *fit_name;
    ha_expr (*fit)(const m2d__frame *frame, ha_expr *asked);

    /* What is wrong with the values of the settings (in their order), for a message; NULL: nothing.
       NULL: every value in the range of its key is fine. */
    const char *(*fault)(const double *settings);

    bool takes_point; /* it may have `on: BODY.POINT`, to the plane of the ground */
    bool has_models;  /* its models are its own, a setting `model`: what springs hold is none */

    /* HA_OK when its settings, each in its range, go together. NULL: they do. */
    ha_status (*check)(m2d_mechanism *mechanism, const struct m2d_connection_def *def,
                       const struct m2d__connection *joint);

    /* Adds its elements and outputs, instead of `rows` and `coordinates`: of a type that is more
       than constraints. Its one direction is a 1-junction, `JOINT.axis`, that it adds. NULL: it is
       made of its rows. */
    ha_status (*expand)(struct m2d__expander *expander, const struct m2d__connection *joint);

    const m2d__direction *directions; /* (n_directions) the free directions that have a name */
    int n_directions;
    void (*coordinates)(const m2d__frame *frame, ha_expr *coordinates); /* their coordinates */
} m2d__joint_type;

#define X(type) extern const m2d__joint_type type;
#include "mech2d/joints.def"
#undef X

/* The frame of two points whose poses (x, y, angle) are these, without origin and settings. */
m2d__frame m2d__frame_between(ha_dag *dag, const ha_expr M[3], const ha_expr N[3]);

/* The type of this name, NULL when there is none. */
const m2d__joint_type *m2d__joint_type_find(const char *name);

/* The name here of a type that others call `type`, as a hinge; NULL: nothing that is known. */
const char *m2d__joint_type_meant(const char *type);

/* Joint type number `i` from 0, NULL behind the last. */
const m2d__joint_type *m2d__joint_type_at(size_t i);

#endif
