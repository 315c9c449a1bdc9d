/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for an equilibrium, shared by its parts. Not installed. */
#ifndef LIB_DAE_REST_PRIV_H
#define LIB_DAE_REST_PRIV_H

#include "lib/dae/direct/dae_carried.h"
#include "lib/dae/direct/dae_held.h"

/* |e| / |d| of a step up to which c falls. */
#define HA__REST_AS_GOOD 1.05

/* The search. */
typedef struct ha__rest {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;  /* of the callbacks */
    ha__held held; /* the system with its sampled values */
    ha__start_matrix matrix;
    ha__sides sides;
    ha__projector *projector;
    signed char *side_before; /* (n_switches) */
    int *pin;                 /* (n) of a row that only holds this unknown; -1: it is an equation */
    ha__stops stops;          /* velocities that have to vanish at rest */
    ha__carried carried;      /* what they carry along */
    bool *is_kept;            /* (n) rows that say no more of velocities than that */
    bool *holds;           /* (n) false of a switched row that says nothing of it on these sides */
    double *entries;       /* of the Jacobian, to find these; NULL: no row is switched */
    double *size;          /* (n) of the unknowns that measure a step; 0: it does not */
    double *origin;        /* (n) where it began */
    double *y, *yp;        /* (n) the iterate; 0 */
    double *y_try, *y_cut; /* (n) */
    double *r, *r_try;     /* (n) residuals */
    double *d, *e;         /* (n) step, and what is left */
    double *terms;         /* (n) magnitudes of the terms of each equation, summed */
    double *still;         /* (n) where it began to creep for ever, */
    bool creeps;           /* if it does */
    double t, c;
    double went;     /* share of the last step that was taken before a side changed */
    double residual; /* the largest, beside its terms */
    bool goes_down;  /* steps must lead where the forces push */
    ha_dae_rest_stats *stats;
} ha__rest;

static inline bool ha__rest_is_differential(const ha__rest *it, int j)
{
    return it->dae->unknowns[j].kind == HA_DIFFERENTIAL;
}

/* An unknown that a step changes and that has a size. */
static inline bool ha__rest_is_measured(const ha__rest *it, int j)
{
    return ha__rest_is_differential(it, j) && !it->stops.is[j];
}

/* dae_rest_step.c: the residual (n) at rest; false where it is not finite. */
bool ha__rest_evaluate(ha__rest *it, const double *y, double *r);

/* dae_rest_step.c: factors the matrix at the iterate; `*is_regular` is false where it is singular.
 */
HA_MUST_CHECK ha_status ha__rest_factor(ha__rest *it, bool *is_regular);

/* dae_rest_step.c: x (n), the step that a residual asks for. */
void ha__rest_solve(ha__rest *it, const double *r, double *x);

/* dae_rest_step.c: largest part of a step in units of the sizes; those that are not known grow with
   it. */
double ha__rest_length(ha__rest *it, const double *x);

/* dae_rest_step.c: how long a step round-off of all equations makes, each by one unit of its
   terms. */
double ha__rest_noise(ha__rest *it);

/* dae_rest_step.c: tries the step in d; `*left` is what is left of it as a share, infinite where it
   is not to be taken. */
HA_MUST_CHECK ha_status ha__rest_try(ha__rest *it, double size, double *left);

#endif
