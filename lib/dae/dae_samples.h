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

/* The middle of the widest gap between samples from number `first` on, of which there are two. */
double ha__samples_widest(const ha__samples *samples, int first);

/* Removes sample i. */
void ha__samples_remove(ha__samples *samples, int i);

/* Removes all but the last n. */
void ha__samples_keep(ha__samples *samples, int n);

/* Weights (n) of the values at n times in their divided difference of order n - 1. */
void ha__samples_difference(int n, const double *times, double *weight);

/* Weights (n) of the values at n times in the derivative at time j of the polynomial through them;
   `difference` has those of the divided difference. */
void ha__samples_slope(int n, const double *times, const double *difference, int j, double *weight);

/* --- where outputs turn ---------------------------------------------------------------------- */

enum { HA__CUBIC = 4 /* its nodes */ };

static inline double ha__larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double ha__smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Four samples, and their weights in what is asked of the cubic through them: its slopes at the
   ends of a span, and how far at the last it is from the parabola through the others. */
typedef struct ha__cubic {
    int node[HA__CUBIC];
    int a, b; /* the samples at the ends of the span */
    double length;
    double begin[HA__CUBIC], end[HA__CUBIC], third[HA__CUBIC];
} ha__cubic;

/* Around samples i and i + 1, which are the ends of the span. */
ha__cubic ha__cubic_around(const ha__samples *samples, int i);

/* Over the samples from `begin` to the last: these and those inside which are nearest to the
   thirds. */
ha__cubic ha__cubic_over(const ha__samples *samples, int begin);

/* What is read of the outputs: the four samples, those at the ends of the span, and the extremes
   so far. */
typedef struct ha__view {
    const double *f[HA__CUBIC], *a, *b, *high, *low;
} ha__view;

/* Of the HA__BLOCK outputs from `first` on: `turns` is above 0 where one may have an extremum in
   the span that exceeds all, `rough` where it may exceed all and the samples are too far apart to
   tell. Returns the largest of these. */
double ha__cubic_judge(const ha__cubic *c, const ha__view *v, int first, double *restrict turns,
                       double *restrict rough);

/* An extremum as a polynomial has it. */
typedef struct ha__extremum {
    double t, f;   /* when and how high; of a minimum the negative of it */
    double sign;   /* -1: a minimum */
    double error;  /* of f */
    double below;  /* how far below it an evaluated value may be */
    double room;   /* how much higher the output may be inside, where it is at one of the two; */
    double middle; /* halfway between them */
} ha__extremum;

/* The extremum between samples i and i + 1 of an output, by n samples; at one of the two if there
   is none. */
ha__extremum ha__find_extremum(const ha__samples *samples, int n, int i, int output);

/* Nodes from -1 to 1 and weights of a rule of integration. */
typedef struct ha__nodes {
    const double (*at)[2];
    int n;
} ha__nodes;

/* Gauss' rule of 5 nodes, or of 3. */
ha__nodes ha__gauss(int n);

#endif
