/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract of a force type: what it acts on, its settings, and the elements that it adds to the
 * bond graph. A new type is one file force_x.c and one row of forces.def. Not installed.
 */
#ifndef MECH2D_FORCE_H
#define MECH2D_FORCE_H

#include "lib/status.h"
#include "mech2d/mechanism/key.h"
#include "mech2d/scene.h"

#include <stddef.h>

struct m2d_connection_def;
struct m2d_mechanism;
struct m2d__expander;
struct m2d__connection;

/* What a force acts on. */
typedef enum m2d__target {
    M2D__ON_BODY,        /* `on: BODY` */
    M2D__ON_POINT,       /* `on: BODY.POINT` */
    M2D__BETWEEN_POINTS, /* `between: [BODY.POINT, BODY.POINT]` */
    M2D__ON_ANGLE,       /* `on: JOINT`, a free direction that is an angle */
    M2D__ON_SLIDE        /* `on: JOINT`, a free direction that is a length */
} m2d__target;

/* How a connection is bonded to a point. */
typedef enum m2d__use {
    M2D__USE_NONE = 0, /* not at all */
    M2D__USE_BOND = 1, /* by one bond of all three components, towards the force */
    M2D__USE_SHARE = 2 /* by something that needs a junction there */
} m2d__use;

/* A force type. Types that share a name differ in what they act on; the one between points comes
   first. */
typedef struct m2d__force_type {
    const char *name; /* as written in model files */
    m2d__target target;
    m2d_symbol symbol;    /* how it is drawn */
    const m2d__key *keys; /* (n_keys) settings */
    int n_keys;

    /* HA_OK when its settings, each in its range, go together. `def` serves messages: `force` has
       no name yet. NULL: they do. */
    ha_status (*check)(struct m2d_mechanism *mechanism, const struct m2d__connection *force,
                       const struct m2d_connection_def *def);

    /* How it is bonded to its points. */
    m2d__use (*use)(struct m2d__expander *expander, const struct m2d__connection *force);

    /* Adds its elements, bonds and outputs. */
    ha_status (*expand)(struct m2d__expander *expander, const struct m2d__connection *force);
} m2d__force_type;

#define X(type) extern const m2d__force_type type;
#include "mech2d/forces.def"
#undef X

/* The first type of this name, NULL when there is none. */
const m2d__force_type *m2d__force_type_find(const char *name);

/* The type of this name that acts on such a thing, NULL when there is none. */
const m2d__force_type *m2d__force_type_with(const char *name, m2d__target target);

/* Force type number `i` from 0, NULL behind the last. */
const m2d__force_type *m2d__force_type_at(size_t i);

#endif
