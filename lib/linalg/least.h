/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares with any rank. Not installed. */
#ifndef LIB_LEAST_H
#define LIB_LEAST_H

#include "lib/context.h"

#include <stdbool.h>

/*
 * The shortest x (n) of those with the least |a x - b|, of the m x n matrix `a`, stored by rows,
 * by its singular values; those below `tiny` times the largest count as 0. `*rank` is how many do
 * not.
 */
HA_MUST_CHECK ha_status ha__least_squares(ha_ctx *ctx, int m, int n, const double *a,
                                          const double *b, double tiny, double *x, int *rank);

/*
 * Singular values (n), the largest first, of the m x n matrix `u`, stored by columns, and the
 * vectors on the right that go with them, the columns of `v` (n x n). Out: the columns of `u` are
 * U S.
 */
void ha__singular_values(int m, int n, double *u, double *values, double *v);

#endif
