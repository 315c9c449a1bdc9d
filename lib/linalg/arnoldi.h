/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest eigenvalues of a large matrix that is known by what it does to a vector. Not
   installed. */
#ifndef LIB_ARNOLDI_H
#define LIB_ARNOLDI_H

#include "lib/context.h"

/* y = A x (n each). */
typedef void (*ha__product)(void *user, const double *x, double *y);

/*
 * Finds eigenvalues of the n x n matrix of largest magnitude, n_wanted or all of them: `values`
 * (n_wanted x 2) by falling magnitude and `vectors` (n_wanted x n x 2), each with the length 1. Of
 * a conjugate pair both count, and of a multiple one as many as it has vectors; where the last
 * one's partner did not fit in, it is left out.
 * `*n_found` is how many there are. HA_ERR_SOLVER where they do not converge to `tolerance`.
 */
HA_MUST_CHECK ha_status ha__arnoldi(ha_ctx *ctx, int n, ha__product product, void *user,
                                    int n_wanted, double tolerance, double *values, double *vectors,
                                    int *n_found);

#endif
