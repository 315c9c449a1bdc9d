/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear least squares within bounds. Not installed. */
#ifndef LIB_MARQUARDT_H
#define LIB_MARQUARDT_H

#include "lib/context.h"

#include <stdbool.h>

/* What to minimise: |r(x)|^2 over least <= x <= most. */
typedef struct ha__marquardt_def {
    int m, n;                   /* residuals; variables, no more than these */
    const double *least, *most; /* (n) bounds, least < most; -INFINITY, INFINITY: none */
    double tolerance;           /* relative, of a step that leads nowhere any more */
    int most_evaluations;       /* of r */
    void *user;
    /* r(x) (m). `*exists` is true before; false tells that there is none at this x, and the step is
       shortened. Any other status than HA_OK ends the search. */
    ha_status (*residuals)(void *user, const double *x, double *r, bool *exists);
    /* dr/dx (m x n), by columns, at an x that has residuals. */
    ha_status (*jacobian)(void *user, const double *x, double *a);
} ha__marquardt_def;

/* How it went. */
typedef struct ha__marquardt_report {
    int evaluations, jacobians; /* of r, of dr/dx */
    int shortened;              /* steps that led to where there is no r */
    bool has_converged;
} ha__marquardt_report;

/*
 * Finds a minimum from `x` (n) on, which lies within the bounds. Out: `x`, `r` (m) and `a` (m x n),
 * by columns, there, and `is_held` (n), true of a variable at a bound beyond which r would be
 * smaller. HA_ERR_VALUE where the start has no residuals, else what the functions return.
 */
HA_MUST_CHECK ha_status ha__marquardt(ha_ctx *ctx, const ha__marquardt_def *def, double *x,
                                      double *r, double *a, bool *is_held,
                                      ha__marquardt_report *report);

#endif
