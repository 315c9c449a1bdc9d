/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where outputs that are known by samples turn: by cubics, roughly and for all, and by polynomials
   of higher degree, closely and for one (dae_turns.c). */
#ifndef LIB_DAE_TURNS_H
#define LIB_DAE_TURNS_H

#include "lib/dae/dae_samples.h"

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
    double t, f;  /* when and how high; of a minimum the negative of it */
    double sign;  /* -1: a minimum */
    double error; /* of f */
    double below; /* how far below it an evaluated value may be */
} ha__extremum;

/* The extremum between samples i and i + 1 of an output, by n samples; at one of the two if there
   is none. */
ha__extremum ha__find_extremum(const ha__samples *samples, int n, int i, int output);

#endif
