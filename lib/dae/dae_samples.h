/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of the outputs of a run in order of time, and polynomials through them. */
#ifndef LIB_DAE_SAMPLES_H
#define LIB_DAE_SAMPLES_H

#include "lib/dae.h"

enum {
    HA__MOST_SAMPLES = 28, /* at a time */
    HA__DEGREE_NODES = 8,  /* of a polynomial */
    HA__BLOCK = 16         /* outputs at a time, for vector registers */
};

typedef struct ha__samples {
    const ha_dae *dae;
    double t[HA__MOST_SAMPLES]; /* their times, ascending */
    int slot[HA__MOST_SAMPLES]; /* where the values of each are; behind the last: free ones */
    int n;
    int stride;        /* n_outputs and what makes it a multiple of HA__BLOCK, which are 0 */
    double *values;    /* (HA__MOST_SAMPLES, stride) */
    double *integrals; /* (HA__MOST_SAMPLES, n_integrals) */
} ha__samples;

/* Makes an empty list; to be freed with ha__samples_clear(). */
HA_MUST_CHECK ha_status ha__samples_init(ha__samples *samples, ha_ctx *ctx, const ha_dae *dae);

/* Frees it. */
void ha__samples_clear(ha__samples *samples);

/* The outputs and the quadratures of sample i. */
double *ha__samples_values(const ha__samples *samples, int i);
double *ha__samples_integrals(const ha__samples *samples, int i);

/* Makes room for a sample at a time, which there must be; returns its number. */
int ha__samples_insert(ha__samples *samples, double t);

/* Removes sample i. */
void ha__samples_remove(ha__samples *samples, int i);

/* Removes all but the last n. */
void ha__samples_keep(ha__samples *samples, int n);

/* Weights (n) of the values at n times in their divided difference of order n - 1. */
void ha__samples_difference(int n, const double *times, double *weight);

/* Weights (n) of the values at n times in the derivative at time j of the polynomial through them;
   `difference` has those of the divided difference. */
void ha__samples_slope(int n, const double *times, const double *difference, int j, double *weight);

#endif
