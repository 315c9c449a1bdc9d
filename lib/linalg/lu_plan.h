/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to do to factor sparse matrices of one pattern with known pivots. Not installed. */
#ifndef LIB_LU_PLAN_H
#define LIB_LU_PLAN_H

#include "lib/context.h"
#include "lib/core/mem.h"

#include <stdint.h>

/*
 * The factors are in one array, for each pivot k from `base[k]` on
 *
 *     [pivot | L below it, n_below entries | U right of it, n_right entries].
 *
 * What is done with them is in `shapes` from `shape[k]` on, and counts from k or from base[k]:
 *
 *     [n_below | n_right | rows of L | for each the number of the same column of U, -1: none |
 *      columns of U | slots of L_i U_j (n_below x n_right)].
 */
typedef struct ha__lu_plan {
    int n, n_entries; /* of the matrix A */
    int n_slots;      /* of the factors */
    int *p, *q;       /* (n) row and column of A of each pivot */
    int *base;        /* (n) */
    int *shape;       /* (n) */
    HA_ARRAY(int) shapes;
    int *slot;          /* (n_entries) of an entry of A */
    HA_ARRAY(int) fill; /* slots where A has no entry */
} ha__lu_plan;

/*
 * Makes the plan for matrices of n rows in compressed columns, with at most INT_MAX entries and the
 * pivots p, q (n), in another order of the same outcome. `*out` is NULL where the factors have so
 * many entries that a plan does not pay.
 */
HA_MUST_CHECK ha_status ha__lu_plan_new(ha_ctx *ctx, int n, const int64_t *start,
                                        const int64_t *row, const int *p, const int *q,
                                        ha__lu_plan **out);

/* Frees it; NULL is legal. */
void ha__lu_plan_free(ha__lu_plan *plan);

#endif
