/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of results are made consistent: between two steps the differential unknowns y_d are
 * interpolated within the error test, but the multipliers are not in it. Where the states rest
 * under a moving load the steps grow long and interpolated multipliers are wrong. Derivatives are
 * off by the local error divided by the step, at the steps as well, where IDA gives that of its
 * polynomial. So at each row both are solved for again,
 *
 *     F(t, y_d, y_a, y_d') = 0  for y_a and y_d',
 *
 * by Newton's method from the interpolated values, with the matrix of the start system, which is
 * kept as long as it serves. Mechanisms are linear in both: one step is exact. Where the matrix is
 * singular (a mechanism passing through a singular position), an equation is not finite, or Newton
 * does not improve, the interpolated values stay.
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 6 };

static const double ENOUGH = 1e-13; /* residual, relative to the first, at which it stops */
static const double SLOW = 1e-3;    /* share left by a step that calls for a new matrix */

struct ha__refiner {
    ha__start_matrix matrix;
    double *residual; /* (n) */
    double *y;        /* (n) last values that were better */
    double *yp;       /* (n) */
};

ha_status ha__refiner_new(ha_ctx *ctx, const ha_dae *dae, double *work, bool has_sizes,
                          ha__refiner **out)
{
    bool is_needed = dae->rate_reads_solved != 0 || dae->output_reads_solved != 0 ||
                     dae->check_reads_solved != 0;

    *out = NULL;
    for (int j = 0; j < dae->n; j++) {
        is_needed = is_needed || dae->unknowns[j].kind != HA_DIFFERENTIAL;
    }
    if (!is_needed) {
        return HA_OK;
    }

    ha__refiner *refiner = ha__alloc(ctx, 1, sizeof *refiner);
    if (refiner == NULL) {
        return HA_ERR_MEMORY;
    }
    refiner->residual = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    refiner->y = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    refiner->yp = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    ha_status status = ha__start_matrix_init(&refiner->matrix, ctx, dae, work);
    refiner->matrix.has_sizes = has_sizes;
    if (refiner->residual == NULL || refiner->y == NULL || refiner->yp == NULL) {
        status = HA_ERR_MEMORY;
    }
    if (status != HA_OK) {
        ha__refiner_free(refiner);
        return status;
    }
    *out = refiner;
    return HA_OK;
}

void ha__refiner_free(ha__refiner *refiner)
{
    if (refiner != NULL) {
        ha__start_matrix_clear(&refiner->matrix);
        ha__free(refiner->residual);
        ha__free(refiner->y);
        ha__free(refiner->yp);
        ha__free(refiner);
    }
}

/* Evaluates the residual; its norm in the scale of the equilibrated rows, nan when not finite. */
static double residual_norm(ha__refiner *refiner, double t, const double *y, const double *yp)
{
    const ha_dae *dae = refiner->matrix.dae;
    double sum = 0.0;

    dae->residual(dae->model, refiner->matrix.work, t, y, yp, refiner->residual);
    for (int i = 0; i < dae->n; i++) {
        double r = refiner->residual[i] * refiner->matrix.row_scale[i];
        sum += r * r;
    }
    return sqrt(sum);
}

/* Factors the matrix at the values; false where it is singular or not finite. */
static ha_status factor(ha__refiner *refiner, double t, const double *y, const double *yp,
                        bool *is_regular)
{
    double rcond = 0.0;

    *is_regular = ha__start_matrix_evaluate(&refiner->matrix, t, y, yp) < 0;
    if (*is_regular) {
        ha__start_matrix_equilibrate(&refiner->matrix);
        HA_TRY(ha__start_matrix_factor(&refiner->matrix, &rcond));
        *is_regular = rcond >= HA__SINGULAR_RCOND;
    }
    return HA_OK;
}

/* Moves the values by a Newton step; the residual is that of the values. */
static void take_step(ha__refiner *refiner, double *y, double *yp)
{
    ha__start_matrix *matrix = &refiner->matrix;
    const ha_dae *dae = matrix->dae;

    for (int i = 0; i < dae->n; i++) {
        refiner->residual[i] = -refiner->residual[i];
    }
    ha__start_matrix_solve(matrix, refiner->residual);
    for (int j = 0; j < dae->n; j++) {
        double *x = dae->unknowns[j].kind == HA_DIFFERENTIAL ? yp : y;
        x[j] += refiner->residual[j];
    }
}

/* A step from values whose residual has the norm `*norm`; false where it does not get nearer: the
   values are then as before. */
static bool improve(ha__refiner *refiner, double t, double *y, double *yp, double *norm)
{
    size_t bytes = (size_t) refiner->matrix.dae->n * sizeof(double);

    memcpy(refiner->y, y, bytes);
    memcpy(refiner->yp, yp, bytes);
    take_step(refiner, y, yp);
    double after = residual_norm(refiner, t, y, yp);
    if (!(after < *norm)) {
        memcpy(y, refiner->y, bytes);
        memcpy(yp, refiner->yp, bytes);
        return false;
    }
    *norm = after;
    return true;
}

ha_status ha__refine(ha__refiner *refiner, double t, double *y, double *yp, bool *is_done)
{
    bool is_regular = false;

    if (is_done != NULL) {
        *is_done = true;
    }
    if (refiner == NULL) {
        return HA_OK;
    }
    HA_TRY(factor(refiner, t, y, yp, &is_regular));
    if (!is_regular) {
        if (is_done != NULL) {
            *is_done = false;
        }
        return HA_OK;
    }
    double first = residual_norm(refiner, t, y, yp), norm = first, before = first;
    for (int step = 0; step < MAX_STEPS && norm > ENOUGH * first; step++) {
        before = norm;
        if (!improve(refiner, t, y, yp, &norm)) {
            break;
        }
        if (norm > SLOW * before && norm > ENOUGH * first) {
            HA_TRY(factor(refiner, t, y, yp, &is_regular));
            if (!is_regular) {
                break;
            }
            norm = residual_norm(refiner, t, y, yp); /* in the scale of the new matrix */
        }
    }
    if (is_done != NULL) {
        *is_done = isfinite(norm); /* what enters the residual alone does not show in the matrix */
    }
    return HA_OK;
}
