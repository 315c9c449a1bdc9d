/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numerical rank, dependent rows and least-norm solutions of sparse systems. Not installed.
 *
 * The matrix has a row for each condition (a constraint) and a column for each unknown (a
 * coordinate); it may have more rows than columns and dependent rows. Rows count as earlier or
 * later by their number: a row is called dependent when it is a combination of independent rows
 * before it, so that the first of two equal rows is kept.
 *
 * The problem that is decomposed is R A W with R = diag(1 / |row of A W|), so that no choice of
 * units makes a row small, and W = diag(column_scale). Its rows have length 1 (a row of zeros stays
 * one, and is dependent).
 */
#ifndef LIB_RANK_H
#define LIB_RANK_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

/* A sparse matrix in compressed columns; borrowed. */
typedef struct ha__matrix {
    int n_rows;
    int n_columns;
    const int64_t *column_start; /* (n_columns + 1) */
    const int64_t *row;          /* (column_start[n_columns]) ascending in each column */
    const double *value;         /* (column_start[n_columns]) */
} ha__matrix;

/*
 * What calls with matrices of one size hand on to the next: memory, and the orders that were found
 * for patterns of entries. A call with it gives what it gives without.
 */
typedef struct ha__rank_room ha__rank_room;

/* How a matrix is taken; zero-initialised gives the defaults. */
typedef struct ha__rank_options {
    /* (n_columns) x_j is sought as w_j z_j with least |z|: the larger w_j the cheaper is x_j; 0
       holds x_j at 0. NULL: all 1. Borrowed. */
    const double *column_scale;
    /* a row whose part outside the rows before it is shorter than this, its own length being 1, is
       dependent; 0: 20 (n_rows + n_columns) machine epsilons */
    double tolerance;
    bool keep_row_lengths; /* the rows are not scaled: the caller's lengths mean something */
    ha__rank_room **room;  /* made here where it points at NULL; NULL: nothing is handed on */
} ha__rank_options;

/* Frees it; NULL is legal. */
void ha__rank_room_free(ha__rank_room *room);

/*
 * The rank of A, and in `dependent` (n_rows, may be NULL) the numbers of the n_rows - *rank
 * dependent rows in ascending order.
 */
HA_MUST_CHECK ha_status ha__rank(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options,
                                 int *rank, int *dependent);

/*
 * x (n_columns) of least sum of (x_j / w_j)^2 that satisfies the independent rows of A x = b; the
 * dependent rows are then satisfied if b is consistent, which is the caller's to check. `rank` and
 * `dependent` (n_rows) as above; both may be NULL. Outputs are untouched on failure.
 */
HA_MUST_CHECK ha_status ha__least_norm(ha_ctx *ctx, const ha__matrix *a,
                                       const ha__rank_options *options, const double *b, double *x,
                                       int *rank, int *dependent);

#endif
