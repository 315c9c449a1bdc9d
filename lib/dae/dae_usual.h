/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well conditioned the constraints usually are in a run. Not installed. */
#ifndef LIB_DAE_USUAL_H
#define LIB_DAE_USUAL_H

#include "lib/dae/dae_priv.h"

/* What is remembered of the positions passed; zero-initialised is empty. */
typedef struct ha__usual {
    ha_ctx *ctx;              /* borrowed */
    const ha_dae *dae;        /* borrowed */
    ha__projector *projector; /* borrowed */
    long steps;               /* noted */
    long looked_at;           /* the last step whose position was looked at, */
    double condition;         /* and the usual condition then */
    int n_kept;               /* positions that were not looked at yet: */
    long *step;               /* (KEPT) their steps, */
    double *t;                /* (KEPT) times */
    double *y;                /* (KEPT n) and values */
} ha__usual;

/* Sets it up. To be freed with ha__usual_clear(). */
void ha__usual_init(ha__usual *u, ha_ctx *ctx, const ha_dae *dae, ha__projector *projector);

/* Frees it. */
void ha__usual_clear(ha__usual *u);

/* Notes the values y (n) at the end t of a step. */
HA_MUST_CHECK ha_status ha__usual_note(ha__usual *u, double t, const double *y);

/* Finds the condition of the positions noted, into u->condition. yp (n) is near their derivatives:
   the conditions hang on it only where algebraic equations do. */
HA_MUST_CHECK ha_status ha__usual_find(ha__usual *u, const double *yp);

#endif
