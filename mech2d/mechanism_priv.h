/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a mechanism, for the files of this directory. Not installed. */
#ifndef MECH2D_MECHANISM_PRIV_H
#define MECH2D_MECHANISM_PRIV_H

#include "lib/mem.h"
#include "lib/symtab.h"
#include "mech2d/force.h"
#include "mech2d/joint.h"
#include "mech2d/mechanism.h"

enum { M2D__GROUND = -1 }; /* the number of the ground among the bodies */

/* A body. All values are given. */
typedef struct m2d__body {
    const char *name;
    ha_expr mass, inertia;
    ha_expr gravity[2];               /* HA_EXPR_NONE: the mechanism's */
    ha_expr start[M2D_N_COORDINATES]; /* HA_EXPR_NONE: not given */
    bool is_fixed[M2D_N_COORDINATES];
    ha_where where;
} m2d__body;

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
    int points[2];     /* -1: none */
    int body;          /* of M2D__ON_BODY; else of the first point */
    ha_expr *settings; /* (n_keys, M2D__MAX_COMPONENTS), in the arena */
    ha_where where;
} m2d__connection;

/* A name that expressions use before its meaning is known. */
typedef struct m2d__placeholder {
    ha_expr symbol;
    ha_where where; /* where it stands first */
} m2d__placeholder;

struct m2d_mechanism {
    ha_ctx *ctx;
    ha_dag *dag;
    ha__arena arena;
    ha_expr time;
    ha_expr gravity[2];
    const char *file; /* the file name kept last by m2d__keep_where() */
    ha__symtab body_names, joint_names, force_names; /* in order of the arrays */
    ha__symtab point_names;                          /* "K1.H" */
    ha__symtab parameter_names;
    ha__symtab placeholder_names;
    HA_ARRAY(m2d__body) bodies;
    HA_ARRAY(m2d__point) points;
    HA_ARRAY(m2d__connection) joints;
    HA_ARRAY(m2d__connection) forces;
    HA_ARRAY(ha_expr) parameters; /* symbols */
    HA_ARRAY(m2d__placeholder) placeholders;
};

/* The place with the file name copied into the arena; `*kept` (start: NULL) is the name copied
   last. Without memory the place loses its file name. */
ha_where m2d__keep_where(ha_ctx *ctx, ha__arena *arena, const char **kept, ha_where where);

/* HA_OK when a name is made of letters, digits and `_`, with a letter or `_` first unless
   `may_start_with_digit`; `kind` is "body". */
HA_MUST_CHECK ha_status m2d__check_name(ha_ctx *ctx, const char *kind, const char *name,
                                        bool may_start_with_digit, ha_where where);

/* What a value belongs to, for messages: key "mass" of kind "body", name "K1". */
typedef struct m2d__owner {
    const char *kind;
    const char *name;
    const char *key;
    ha_where where;
} m2d__owner;

/* The number that a constant expression stands for; HA_ERR_VALUE when it is not constant or not
   finite. */
HA_MUST_CHECK ha_status m2d__constant(ha_ctx *ctx, ha_dag *dag, ha_expr e, m2d__owner owner,
                                      double *out);

/* The number that an expression stands for that was checked by m2d__constant() before. */
double m2d__number(ha_dag *dag, ha_expr e);

/* Number of the body of this name, M2D__GROUND for "ground"; HA_ERR_NAME with the nearest. */
HA_MUST_CHECK ha_status m2d__find_body(m2d_mechanism *mechanism, const char *name, m2d__owner user,
                                       int *out);

#endif
