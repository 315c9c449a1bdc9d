/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of dry friction: expressions of the sliding speed and the normal load. Not installed. */
#ifndef MECH2D_FRICTION_LAW_H
#define MECH2D_FRICTION_LAW_H

#include "lib/expr.h"

#include <stdbool.h>
#include <stddef.h>

/* The parameters of friction. Speeds in m/s. */
typedef struct m2d__friction {
    const struct m2d__friction_law *law;
    double mu;                 /* of sliding; force per load */
    double mu_static;          /* of breaking away; at least mu */
    double viscous;            /* force per load and speed */
    double v;                  /* the speed that regularises the jump at rest */
    double v_stribeck;         /* over which the static friction wears off, */
    double exponent;           /* and how */
    double v_dead;             /* below which there is none */
    double stiffness, damping; /* of bristles, per load */
    double v_fading;           /* over which that damping wears off; 0: it does not */
    double dahl;               /* exponent of dahl, at least 1 */
    double lubricant;          /* a force per speed, [N.s/m], */
    double load;               /* which is fully there from about this load on [N] */
    bool is_shared;            /* others may hold the same bodies: what holds must yield */
    double arm;                /* sliding speed per rate of what has the friction [m/rad, 1] */
} m2d__friction;

/* A law. F / N is a function of the speed v and, of bristles, of their deflection z. */
typedef struct m2d__friction_law {
    const char *name;   /* as written in model files */
    const char *source; /* where it is from */
    double steepness;   /* v_s / v_f that it needs; 0: v_s may be v_f */

    /* F / N. */
    ha_expr (*force)(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z);

    /* z'; NULL: there is no z. */
    ha_expr (*rate)(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z);

    /* What holds beside the force: its limit at the load N, not above 0 where nothing does. NULL:
       nothing does ever. */
    ha_expr (*limit)(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr N);
} m2d__friction_law;

/* Law number `i` from 0, the first being that of friction without a law; NULL behind the last. */
const m2d__friction_law *m2d__friction_law_at(size_t i);

/* c v tanh(4 N / N_t), which a lubricant adds to any law. */
ha_expr m2d__lubricant(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr N);

/* The name of a law, NULL behind the last. */
const char *m2d__friction_law_name(size_t i);

#endif
