/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of lists of eigenvalues that ought to be the same. Not installed. */
#ifndef LIB_SPECTRUM_H
#define LIB_SPECTRUM_H

#include "lib/context.h"

/* Where two lists differ most. */
typedef struct ha__spectrum_difference {
    double error;      /* relative; of a cluster of m eigenvalues comparable with that of one */
    int n_first;       /* eigenvalues of the cluster that are from the first list */
    int n_second;      /* and from the second */
    double mean[2][2]; /* their means, real and imaginary part; 0 of none */
} ha__spectrum_difference;

/*
 * Compares two lists of n eigenvalues (n x 2, real and imaginary parts), in any order. Clusters
 * that both have in the same number are compared by their means, and the more their members may be
 * apart the more they are: round-off moves an m-fold eigenvalue by its m-th root. `scale` is
 * of the matrices whose eigenvalues they are, which counts where all are 0; `tolerance` is the
 * relative error above which more members are looked for.
 */
HA_MUST_CHECK ha_status ha__compare_spectra(ha_ctx *ctx, int n, const double *first,
                                            const double *second, double scale, double tolerance,
                                            ha__spectrum_difference *out);

#endif
