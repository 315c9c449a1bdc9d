/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues of dense matrices. Not installed. */
#ifndef LIB_EIGEN_H
#define LIB_EIGEN_H

#include "lib/context.h"

/*
 * Eigenvalues of the n x n matrix `a`, stored by rows, which is left as it is: real and imaginary
 * part of each in `values` (n x 2), by magnitude, of a conjugate pair the one with the positive
 * imaginary part first. HA_ERR_SOLVER where an entry is not finite.
 */
HA_MUST_CHECK ha_status ha__eigenvalues(ha_ctx *ctx, int n, const double *a, double *values);

#endif
