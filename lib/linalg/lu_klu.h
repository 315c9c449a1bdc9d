/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors of sparse matrices of one pattern, pivots chosen by KLU. Not installed. */
#ifndef LIB_LU_KLU_H
#define LIB_LU_KLU_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

/* The pattern of a square matrix in compressed columns. */
typedef struct ha__klu_pattern {
    int n;
    int *start; /* (n + 1) */
    int *row;   /* (start[n]) */
} ha__klu_pattern;

/* Fails where a matrix of n rows has more entries than can be numbered. */
HA_MUST_CHECK ha_status ha__klu_check_size(ha_ctx *ctx, int n, int64_t n_entries);

/* Copies a pattern, which must be small enough; to be cleared, also on failure. */
HA_MUST_CHECK ha_status ha__klu_copy(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                                     ha__klu_pattern *out);

/* Frees a copy. */
void ha__klu_pattern_clear(ha__klu_pattern *pattern);

/* How columns are ordered for little fill-in. */
typedef enum ha__klu_ordering {
    HA__KLU_AMD,   /* by the degree in A + A'; wants entries in the diagonal */
    HA__KLU_COLAMD /* by that in A' A */
} ha__klu_ordering;

typedef struct ha__klu ha__klu;

/*
 * Makes a solver for matrices of this pattern, whose arrays are borrowed and not changed. A pivot
 * in the diagonal is taken where it is at least `steady` of the largest entry of its column.
 */
HA_MUST_CHECK ha_status ha__klu_new(ha_ctx *ctx, const ha__klu_pattern *pattern,
                                    ha__klu_ordering ordering, double steady, ha__klu **out);

/*
 * The same for complex matrices, whose values, and those of right sides, are pairs of real and
 * imaginary part. KLU scales their rows, for along an axis of frequencies the entries change by
 * powers of ten.
 */
HA_MUST_CHECK ha_status ha__klu_new_complex(ha_ctx *ctx, const ha__klu_pattern *pattern,
                                            ha__klu **out);

/* Frees it; NULL is legal. */
void ha__klu_free(ha__klu *klu);

/* Orders the columns; the first factorisation does it where it was not done. */
HA_MUST_CHECK ha_status ha__klu_analyse(ha__klu *klu);

/* Factors the matrix with these values and chooses its pivots. A singular matrix is no failure, but
   there are no factors then. */
HA_MUST_CHECK ha_status ha__klu_factor(ha__klu *klu, double *values);

/* Factors it with the pivots chosen last, a few times as fast; false where there are none, or one
   is 0: it has to be factored anew then. */
bool ha__klu_refactor(ha__klu *klu, double *values);

/* True where there are factors. */
bool ha__klu_is_factored(const ha__klu *klu);

/* The estimate of the reciprocal condition of the matrix factored last, 0 where it is singular:
   the least pivot over the largest. */
double ha__klu_condition(const ha__klu *klu);

/* The reciprocal condition in the norm of column sums, estimated by some solutions with the values
   that were factored last: what the pivots, which may be old, are like does not matter. 0: there
   are no factors, or they are of complex numbers. */
double ha__klu_measure(ha__klu *klu, double *values);

/* True when it is so much worse than where the pivots were chosen that others may do better. */
bool ha__klu_is_worse(const ha__klu *klu);

/* x = A^-1 x (n); there must be factors. */
void ha__klu_solve(ha__klu *klu, double *x);

/* x = A'^-1 x (n), A' the transpose, not conjugate; there must be factors. */
void ha__klu_solve_transposed(ha__klu *klu, double *x);

/* The pivots: pivot k is in row p[k] of column q[k] (both n); there must be factors. */
void ha__klu_pivots(const ha__klu *klu, int *p, int *q);

/* The order `order` (n) in which a matrix with this symmetric pattern has little fill-in, by
   approximate minimum degree. */
HA_MUST_CHECK ha_status ha__klu_order(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                                      int *order);

#endif
