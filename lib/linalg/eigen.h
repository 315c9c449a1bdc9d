/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues of dense matrices, by LAPACK. Not installed. */
#ifndef LIB_EIGEN_H
#define LIB_EIGEN_H

#include "lib/context.h"

/*
 * Eigenvalues of the n x n matrix `a`, stored by rows, which is left as it is: real and imaginary
 * part of each in `values` (n x 2), by magnitude, of a conjugate pair the one with the positive
 * imaginary part first. `vectors` (n x n x 2), NULL or the right eigenvectors: eigenvector k is
 * vectors[(i * n + k) * 2], component i.
 */
HA_MUST_CHECK ha_status ha__eigenvalues(ha_ctx *ctx, int n, const double *a, double *values,
                                        double *vectors);

/*
 * Finite eigenvalues of the pencil: lambda with det(a - lambda e) = 0, of n x n matrices stored by
 * rows; `values` (n x 2), `*n_finite` of them. An eigenvalue counts as infinite where |beta| <=
 * tiny |alpha| in the generalised Schur form, in units of the norms.
 */
HA_MUST_CHECK ha_status ha__pencil_eigenvalues(ha_ctx *ctx, int n, const double *a, const double *e,
                                               double tiny, double *values, int *n_finite);

#endif
