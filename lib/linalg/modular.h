/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact linear algebra in the field of the integers modulo the prime p = 2^61 - 1. Not installed.
 *
 * A number of the field is its residue 0 ... p - 1. Every finite double m 2^k has one: an exact
 * image, with which sums and products of doubles are computed without rounding. A quantity that
 * vanishes is 0 here; one that does not, but is made of values drawn by chance, is 0 with a
 * probability of its degree / p (Schwartz 1980, Zippel 1979).
 */
#ifndef LIB_MODULAR_H
#define LIB_MODULAR_H

#include "lib/context.h"

#include <stdint.h>

/* The prime. */
#define HA__PRIME ((UINT64_C(1) << 61) - 1)

/* a + b, a - b, a b. */
uint64_t ha__mod_add(uint64_t a, uint64_t b);
uint64_t ha__mod_sub(uint64_t a, uint64_t b);
uint64_t ha__mod_mul(uint64_t a, uint64_t b);

/* a to the power of `exponent`. */
uint64_t ha__mod_power(uint64_t a, uint64_t exponent);

/* 1 / a for a != 0; 0 for 0. */
uint64_t ha__mod_inverse(uint64_t a);

/* The residue of a finite double, exactly. */
uint64_t ha__mod_of_double(double x);

/* The residue of the number that a double was probably rounded from: m 10^k, m the first convergent
   of the double's continued fraction that is right to 14 digits. 0.1 is 1/10, 0.1 + 0.2 is 3/10,
   1.0 / 3 is 1/3. */
uint64_t ha__mod_of_meant(double x);

/* A residue other than 0 that looks drawn by chance, always the same for equal keys. */
uint64_t ha__mod_chance(uint64_t a, uint64_t b);

/* A sparse square matrix by rows; no column twice in a row. Borrowed. */
typedef struct ha__mod_matrix {
    int n;
    const int *row_start;  /* (n + 1) */
    const int *column;     /* (row_start[n]) */
    const uint64_t *value; /* (row_start[n]) */
} ha__mod_matrix;

/* What elimination found. */
typedef struct ha__mod_answer {
    int rank;
    uint64_t determinant;
} ha__mod_answer;

/*
 * Rank and determinant. Of a singular matrix A also, where asked for (n; NULL: not), vectors with
 * A right = 0 and left A = 0, combined by chance of all such: an entry is 0 where it is 0 in all of
 * them. Of a regular one zeros.
 */
HA_MUST_CHECK ha_status ha__mod_eliminate(ha_ctx *ctx, const ha__mod_matrix *matrix,
                                          uint64_t *right, uint64_t *left, ha__mod_answer *out);

/* A sparse matrix by columns; no row twice in a column. Borrowed. */
typedef struct ha__mod_columns {
    int n_rows, n_columns;
    const int *start;      /* (n_columns + 1) */
    const int *row;        /* (start[n_columns]) */
    const uint64_t *value; /* (start[n_columns]) */
} ha__mod_columns;

/*
 * Takes each column that is no combination of those before it, until there are as many as rows.
 * `pivot` (n_rows): the column that was taken with a row, -1: none. The part of these rows and
 * columns is regular, and as large as one can be.
 */
HA_MUST_CHECK ha_status ha__mod_take_columns(ha_ctx *ctx, const ha__mod_columns *matrix,
                                             int *pivot);

#endif
