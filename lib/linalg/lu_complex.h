/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse complex linear systems with one pattern, by KLU. Not installed. */
#ifndef LIB_LU_COMPLEX_H
#define LIB_LU_COMPLEX_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ha__lu_complex ha__lu_complex;

/* Makes a solver for matrices of n rows with this pattern in compressed columns, which is copied.
 */
HA_MUST_CHECK ha_status ha__lu_complex_new(ha_ctx *ctx, int n, const int64_t *start,
                                           const int64_t *row, ha__lu_complex **out);

/* Frees it; NULL is legal. */
void ha__lu_complex_free(ha__lu_complex *lu);

/* Factors the matrix with the values `a` (entries x 2, real and imaginary parts); `*is_singular`
   where it has no factors. */
HA_MUST_CHECK ha_status ha__lu_complex_factor(ha__lu_complex *lu, double *a, bool *is_singular);

/* x = A^-1 x (n x 2). */
void ha__lu_complex_solve(ha__lu_complex *lu, double *x);

#endif
