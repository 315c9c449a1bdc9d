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
    M2D__BETWEEN_POINTS, /* `between: [BODY.POINT, BODY.POINT]` */
    M2D__ON_BODY,        /* `on: BODY` */
    M2D__ON_POINT,       /* `on: BODY.POINT` */
    M2D__ON_ANGLE,       /* `on: JOINT`, a free direction that is an angle */
    M2D__ON_SLIDE,       /* `on: JOINT`, a free direction that is a length */
    M2D__TARGET_COUNT
} m2d__target;

/* How a connection is bonded to a point. */
typedef enum m2d__use {
    M2D__USE_BOND = 1, /* by one bond of all three components, towards the force */
    M2D__USE_SHARE = 2 /* by something that needs a junction there */
} m2d__use;

/* The settings of a force. */
typedef struct m2d__force_keys {
    const m2d__key *items; /* (count) */
    int count;
} m2d__force_keys;

#define M2D__FORCE_KEYS(array)                                                                     \
    {                                                                                              \
        array, HA_COUNT(array)                                                                     \
    }

/* A force type. */
typedef struct m2d__force_type {
    const char *name; /* as written in model files */

    /* Its settings, by what it acts on; none: it does not act on such. One that acts on angles
       acts on slides. */
    m2d__force_keys on[M2D__TARGET_COUNT];
    m2d_symbol symbol; /* how it is drawn between two points */
    m2d__use use;      /* how it is bonded to its points */

    /* HA_OK when its settings, each in its range, go together. `def` serves messages: `force` has
       no name yet. NULL: they do. */
    ha_status (*check)(struct m2d_mechanism *mechanism, const struct m2d__connection *force,
                       const struct m2d_connection_def *def);

    /* How deep a body of this mass [kg] goes in a contact between points, in m, that falls with
       this acceleration [m/s2] as far as the contact is large; `size` [m] is that of the mechanism.
       NULL: nothing touches. */
    ha_expr (*depth)(struct m2d__expander *expander, const struct m2d__connection *force,
                     ha_expr mass, double acceleration, ha_expr size);

    /* True when its settings let it do nothing: it then adds nothing. NULL: it does something. */
    bool (*is_idle)(struct m2d__expander *expander, const struct m2d__connection *force);

    /* Adds its elements, bonds and outputs. */
    ha_status (*expand)(struct m2d__expander *expander, const struct m2d__connection *force);
} m2d__force_type;

#define X(type) extern const m2d__force_type type;
#include "mech2d/forces.def"
#undef X

/* The type of this name, NULL when there is none. */
const m2d__force_type *m2d__force_type_find(const char *name);

/* True when a type acts on such a thing. */
bool m2d__force_acts_on(const m2d__force_type *type, m2d__target target);

/* Force type number `i` from 0, NULL behind the last. */
const m2d__force_type *m2d__force_type_at(size_t i);

#endif
