/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What velocities carry along besides positions, over a finite way. Not installed. */
#ifndef LIB_DAE_CARRIED_H
#define LIB_DAE_CARRIED_H

#include "lib/dae/direct/dae_rest_rows.h"

typedef struct ha__carried {
    ha__start_matrix matrix; /* at a place on the way */
    const ha__stops *stops;  /* borrowed */
    int n;                   /* unknowns that are carried along */
    int *unknown;            /* (n) */
    double *span;            /* (n) what they change by where positions move by their sizes */
    double *y, *move;        /* (dae->n) a place on the way; what the positions go */
    double *row;             /* (dae->n) sums over rows */
    double *rate;            /* (n) at the place */
    double *sum, *finer;     /* (n) over the way, by some parts and by more */
} ha__carried;

/* Finds what is carried along; `matrix` was evaluated. To be freed with ha__carried_clear(), also
   on failure. */
HA_MUST_CHECK ha_status ha__carried_init(ha__carried *carried, ha_ctx *ctx,
                                         const ha__start_matrix *matrix, const ha__stops *stops);

/* Frees it. */
void ha__carried_clear(ha__carried *carried);

/* The way went from y0 (n) to y1, to which a share of the step d (n) had led: in place of what d
   says of them, what is carried along gets what it is carried over the way. */
void ha__carried_follow(ha__carried *carried, double t, const double *y0, const double *d,
                        double share, const double *yp, double *y1);

#endif
