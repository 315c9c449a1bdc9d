/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors of sparse matrices of one pattern with pivots that are fixed. Not installed. */
#ifndef LIB_LU_FIXED_H
#define LIB_LU_FIXED_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ha__lu_fixed ha__lu_fixed;

/*
 * Makes a solver for matrices of n rows with the pattern `start` (n + 1), `row` in compressed
 * columns, of which `start` is borrowed, with at most INT_MAX entries, and the pivots in rows p of
 * columns q (n). `*out` is NULL where the factors have so many entries that it does not pay.
 */
HA_MUST_CHECK ha_status ha__lu_fixed_new(ha_ctx *ctx, int n, const int64_t *start,
                                         const int64_t *row, const int *p, const int *q,
                                         ha__lu_fixed **out);

/* Frees it; NULL is legal. */
void ha__lu_fixed_free(ha__lu_fixed *s);

/*
 * Factors the matrix with the values `a`, and x = A^-1 b (n); x is not b. False when a pivot is 0,
 * or little beside its terms, or when a row was seen not to hold but for roundings of its terms:
 * other pivots are better.
 */
bool ha__lu_fixed_factor(ha__lu_fixed *s, const double *a, const double *b, double *x);

/* x = A^-1 b for another b and the matrix factored last, whose values are given again. False as
   there. */
bool ha__lu_fixed_solve(ha__lu_fixed *s, const double *a, const double *b, double *x);

#endif
