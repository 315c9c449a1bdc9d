/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which variables of homogeneous linear equations are independent. Not installed. */
#ifndef BONDGRAPH_TANGENT_H
#define BONDGRAPH_TANGENT_H

#include "lib/context.h"
#include "lib/core/mem.h"

#include <stdbool.h>

/* A term value * x[column] of a row. */
typedef struct bg__term {
    int column;
    double value;
} bg__term;

/* The rows in echelon form: each gives the variable of its pivot by those of later pivots and the
   independent ones. Zero-initialised but for the first three is empty. */
typedef struct bg__tangent {
    ha_ctx *ctx;
    int n;              /* variables */
    const double *size; /* (n) usual magnitude of each, > 0 */
    int *keep;          /* (n) how much each is wanted as an independent one; < 0: it is given, and
                           never depends on others */
    int *pivot_of;      /* (n) number of the pivot that a variable is, -1: independent */
    double *dense;      /* (n) the row at hand, 0 else, */
    int *touched;       /* (n) and the variables that it may have, */
    int n_touched;
    char *is_touched;      /* (n) 1 of those */
    HA_ARRAY(int) pivots;  /* their variables */
    HA_ARRAY(int) starts;  /* of each pivot's terms, and the end */
    HA_ARRAY(int) columns; /* of the terms of all pivots, */
    HA_ARRAY(double)
    values; /* and their values, the pivot's own being 1; not in one array: what
               is read of memory is what a large model waits for */
} bg__tangent;

/* Makes one without rows; `size` is borrowed. */
HA_MUST_CHECK ha_status bg__tangent_new(ha_ctx *ctx, int n, const double *size, bg__tangent *out);

/* Adds the row sum of terms (n_terms) = 0. One that follows from the others adds nothing. */
HA_MUST_CHECK ha_status bg__tangent_add(bg__tangent *tangent, const bg__term *terms, int n_terms);

/*
 * What each variable does when the independent and the given ones do: `basis` (n x n_directions),
 * by rows, 0 at first. `direction` (n) is the number of the direction in which a variable is 1 that
 * is independent or given; -1: it is 0 in all.
 */
void bg__tangent_basis(const bg__tangent *tangent, const int *direction, int n_directions,
                       double *basis);

/* Sets in `x` (n) what depends on the independent and the given ones, which are in it. */
void bg__tangent_follow(const bg__tangent *tangent, double *x);

/* Frees what it holds. */
void bg__tangent_clear(bg__tangent *tangent);

#endif
