/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The triangular factor of a sparse QR factorisation, built row by row. Not installed.
 *
 * R is upper triangular with R' R = M' M, where M has the rows that were added. Rotations alone
 * lead to it, each a fixed sequence of sums and products: its bits are the same on every processor.
 */
#ifndef LIB_TRIANGLE_H
#define LIB_TRIANGLE_H

#include "lib/context.h"
#include "lib/core/mem.h"

#include <stdint.h>

/* An entry of a sparse row. */
typedef struct ha__term {
    int column;
    double value;
} ha__term;

/* A sparse row, its columns ascending. */
typedef HA_ARRAY(ha__term) ha__terms;

/* R; freed with ha__triangle_clear(), also after a failure. */
typedef struct ha__triangle {
    ha_ctx *ctx; /* borrowed */
    int n;       /* columns */
    int room;    /* rows that are there, n of them in use */
    /* (room) row k starts in column k, with its pivot, or is empty: column k is then a combination
       of those before it */
    ha__terms *rows;
    ha__terms guest;  /* the row that is worked in */
    ha__terms stays;  /* of a rotation: the new row k */
    ha__terms leaves; /* of a rotation: what is left of the guest */
} ha__triangle;

/* A triangle of `n` columns and empty rows. It may be zeroed or one that was used, whose memory it
   takes over. */
HA_MUST_CHECK ha_status ha__triangle_init(ha__triangle *triangle, ha_ctx *ctx, int n);

/* Frees what the triangle holds; a zeroed one is legal. */
void ha__triangle_clear(ha__triangle *triangle);

/* Works a row of M in, given by `count` terms with ascending columns. R is soonest done when rows
   that end early come early. */
HA_MUST_CHECK ha_status ha__triangle_add(ha__triangle *triangle, const ha__term *terms,
                                         size_t count);

/* Once all rows are in: empties each row whose pivot is not greater than `tolerance`, what is right
   of the pivot going to the rows below. The pivot is the length of the part of column k that the
   columns before it, of those that count, do not span. */
HA_MUST_CHECK ha_status ha__triangle_settle(ha__triangle *triangle, double tolerance);

/* Replaces c (n) by the solution u of R' R u = c; columns of empty rows get 0. */
void ha__triangle_solve(const ha__triangle *triangle, double *c);

#endif
