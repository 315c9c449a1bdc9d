/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse linear systems with one pattern and many values. Not installed. */
#ifndef LIB_LU_H
#define LIB_LU_H

#include "lib/context.h"

#include <stdint.h>

typedef struct ha__lu ha__lu;

/* What became of a matrix. */
typedef enum ha__lu_flag {
    HA__LU_DONE,
    HA__LU_POOR,     /* the solution is no better than the matrix allows: it is nearly singular */
    HA__LU_SINGULAR, /* there is no factor */
    HA__LU_FAILED    /* for lack of memory */
} ha__lu_flag;

/*
 * Makes a solver for matrices of n rows with the pattern `start` (n + 1), `row` in compressed
 * columns, which is borrowed. `eliminated` (n) marks unknowns with a good pivot in their diagonal
 * entry, of which no two meet in a row or column.
 */
HA_MUST_CHECK ha_status ha__lu_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                                   const signed char *eliminated, ha__lu **out);

/* The pivots of the matrix factored last: pivot k is in row p[k] of column q[k] (both n). */
void ha__lu_pivots(const ha__lu *lu, int *p, int *q);

/* Frees it; NULL is legal. */
void ha__lu_free(ha__lu *lu);

/* Factors the matrix with the values `a`. */
ha__lu_flag ha__lu_factor(ha__lu *lu, const double *a);

/* The same, with new pivots where those kept do no longer; HA__LU_SINGULAR where the matrix is
   singular but for round-off. For ha__lu_solve_at_once(). */
ha__lu_flag ha__lu_factor_safely(ha__lu *lu, const double *a);

/* The reciprocal condition estimate of the matrix factored so last, 0 when it is singular. */
double ha__lu_condition(const ha__lu *lu);

/* x = A^-1 b for the matrix factored last, whose values `a` are given again; looks at nothing. */
void ha__lu_solve_at_once(ha__lu *lu, const double *a, const double *b, double *x);

/* The same with a look at the residual, which may call for a correction or for new pivots. */
ha__lu_flag ha__lu_solve(ha__lu *lu, const double *a, const double *b, double *x);

#endif
