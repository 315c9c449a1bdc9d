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
 * does not improve, the interpolated values stay. They are a solution where that is so for
 * round-off alone: with B = R A C the equilibrated matrix, its entries at most 1, and x = (y_d',
 * y_a)
 *
 *     |R F| <= SOLVED |C^-1 x|.
 *
 * Else nothing was solved, as where friction is no straight line of the reactions and no step leads
 * nearer.
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"

#include "lib/core/mem.h"
#include "lib/dae/method/newton.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 6 };

static const double ENOUGH = 1e-13; /* residual, relative to the first, at which it stops */
static const double SOLVED = 1e-6;  /* residual beside the terms that it is the sum of */
static const double SLOW = 1e-3;    /* share left by a step that calls for a new matrix */

struct ha__refiner {
    ha__start_matrix matrix;
    double *residual; /* (n) */
    double *y_last;   /* (n) last values that were better */
    double *yp_last;  /* (n) */
    double t;         /* of the values under way, */
    double *y, *yp;   /* the caller's */
    double first;     /* norm of the residual at the begin, */
    double norm;      /* now, */
    double before;    /* and before the last step */
    ha_status status; /* of what stopped it */
};

ha_status ha__refiner_new(ha_ctx *ctx, const ha_dae *dae, double *work, bool has_sizes,
                          ha__refiner **out)
{
    bool is_needed = dae->rate_reads_solved != 0 || dae->output_reads_solved != 0 ||
                     dae->check_reads_solved != 0 || dae->switching_reads_solved != 0;

    *out = NULL;
    for (int j = 0; j < dae->n; j++) {
        is_needed = is_needed || dae->unknowns[j].kind != HA_DIFFERENTIAL;
    }
    if (!is_needed) {
        return HA_OK;
    }

    ha__refiner *refiner = ha__alloc(ctx, 1, sizeof *refiner);
    HA_TRY_MEMORY(refiner);
    refiner->residual = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    refiner->y_last = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    refiner->yp_last = ha__alloc(ctx, (size_t) dae->n, sizeof(double));
    ha_status status = ha__start_matrix_init(&refiner->matrix, ctx, dae, work);
    refiner->matrix.has_sizes = has_sizes;
    if (refiner->residual == NULL || refiner->y_last == NULL || refiner->yp_last == NULL) {
        status = HA_ERR_MEMORY;
    }
    return HA_GIVE(status, refiner, ha__refiner_free, out);
}

void ha__refiner_free(ha__refiner *refiner)
{
    if (refiner != NULL) {
        ha__start_matrix_clear(&refiner->matrix);
        HA_FREE(refiner->residual, refiner->y_last, refiner->yp_last, refiner);
    }
}

/* Evaluates the residual; its norm in the scale of the equilibrated rows, nan when not finite. */
static double residual_norm(ha__refiner *r)
{
    const ha_dae *dae = r->matrix.dae;
    double sum = 0.0;

    dae->residual(dae->model, r->matrix.work, r->t, r->y, r->yp, r->residual);
    for (int i = 0; i < dae->n; i++) {
        double x = r->residual[i] * r->matrix.row_scale[i];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Factors the matrix at the values; false where it is singular or not finite. */
static bool factor(ha__refiner *r)
{
    double rcond = 0.0;

    if (ha__start_matrix_evaluate(&r->matrix, r->t, r->y, r->yp) >= 0) {
        return false;
    }
    ha__start_matrix_equilibrate(&r->matrix);
    r->status = ha__start_matrix_factor(&r->matrix, &rcond);
    return r->status == HA_OK && rcond >= HA__SINGULAR_RCOND;
}

/* The step from the values; with a new matrix at first and where the last step was a slow one. */
static ha__newton_state solve(void *user, int k)
{
    ha__refiner *r = user;

    if (k == 0 || r->norm > SLOW * r->before) {
        if (!factor(r)) {
            return HA__NEWTON_STOPPED;
        }
        r->norm = residual_norm(r); /* in the scale of the new matrix */
        r->first = k == 0 ? r->norm : r->first;
    }
    if (!(r->norm > ENOUGH * r->first)) {
        return HA__NEWTON_DONE;
    }
    for (int i = 0; i < r->matrix.dae->n; i++) {
        r->residual[i] = -r->residual[i];
    }
    ha__start_matrix_solve(&r->matrix, r->residual);
    return HA__NEWTON_GOES_ON;
}

/* Takes the step, which is in the room of the residual; back where it does not get nearer. */
static bool move(void *user, double share)
{
    ha__refiner *r = user;
    const ha_dae *dae = r->matrix.dae;
    size_t bytes = (size_t) dae->n * sizeof(double);

    memcpy(r->y_last, r->y, bytes);
    memcpy(r->yp_last, r->yp, bytes);
    for (int j = 0; j < dae->n; j++) {
        double *x = dae->unknowns[j].kind == HA_DIFFERENTIAL ? r->yp : r->y;
        x[j] += share * r->residual[j];
    }
    r->before = r->norm;
    r->norm = residual_norm(r);
    if (!(r->norm < r->before)) {
        memcpy(r->y, r->y_last, bytes);
        memcpy(r->yp, r->yp_last, bytes);
        r->norm = r->before;
        return false;
    }
    return true;
}

static ha__newton_state judge(void *user, int k)
{
    const ha__refiner *r = user;

    (void) k;
    return r->norm > ENOUGH * r->first ? HA__NEWTON_GOES_ON : HA__NEWTON_DONE;
}

ha_status ha__refine(ha__refiner *r, double t, double *y, double *yp, bool *is_done)
{
    static const ha__newton method = { MAX_STEPS, 0, solve, move, judge };
    bool is_refined = true;

    if (r != NULL) {
        r->t = t;
        r->y = y;
        r->yp = yp;
        r->status = HA_OK;
        r->norm = (double) NAN; /* where there is no matrix */
        (void) ha__newton_iterate(&method, r);
        is_refined = isfinite(r->norm); /* what enters the residual alone is not in the matrix */
    }
    if (is_done != NULL) {
        *is_done = is_refined;
    }
    return r != NULL ? r->status : HA_OK;
}

bool ha__refiner_has_solved(const ha__refiner *r)
{
    double sum = 0.0;

    if (r == NULL || !isfinite(r->norm)) {
        return r == NULL;
    }
    for (int j = 0; j < r->matrix.dae->n; j++) {
        bool differential = r->matrix.dae->unknowns[j].kind == HA_DIFFERENTIAL;
        double x = (differential ? r->yp[j] : r->y[j]) / r->matrix.column_scale[j];
        sum += x * x;
    }
    return r->norm <= SOLVED * sqrt(sum);
}
