/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse linear systems of masses and constraints, with one pattern and many values. Not installed. */
#ifndef LIB_LDL_H
#define LIB_LDL_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ha__ldl ha__ldl;

/*
 * Makes a solver for matrices of n rows with the pattern `start` (n + 1), `row` in compressed
 * columns, the rows of each ascending, which is borrowed. `first` (n) marks unknowns with a good
 * pivot in their diagonal entry, of which no two meet in a row or column: they are eliminated before
 * the others. `a` are the values of one such matrix. `*out` is NULL where rows times 1 or -1 do not
 * make it symmetric, or where its factor would be large.
 */
HA_MUST_CHECK ha_status ha__ldl_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                                    const double *a, const signed char *first, ha__ldl **out);

/* Frees it; NULL is legal. */
void ha__ldl_free(ha__ldl *ldl);

/* Factors the matrix with the values `a`; false where it is no longer symmetric in that sense. */
bool ha__ldl_factor(ha__ldl *ldl, const double *a);

/* The least pivot of the factor beside what it was before unknowns not marked were eliminated: about
   the reciprocal condition; 0 where a row follows from the others. */
double ha__ldl_condition(const ha__ldl *ldl);

/* x = A^-1 b (n) for the matrix factored last, whose values are given again; the unknown of a row that follows from the others is 0. False where such a row
   contradicts them. */
bool ha__ldl_solve(ha__ldl *ldl, const double *a, const double *b, double *x);

#endif
