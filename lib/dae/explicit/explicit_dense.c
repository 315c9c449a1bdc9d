/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values inside the last step of the explicit method: interpolated, as polynomials, and exact at a
 * time at which the step ends sooner.
 */
#include <config.h>

#include "lib/dae/explicit/explicit_priv.h"

#include <math.h>
#include <string.h>

void ha__explicit_dense(void *user, double t, double *y, double *yp)
{
    ha__run *run = user;
    ha__explicit *e = run->state;
    double s = (t - e->t0) / (e->t1 - e->t0);
    bool is_good = false;

    if (e->is_hop) {
        ha__hop_dense(&e->pass.hopper, t, y, yp);
        e->status = e->status == HA_OK ? e->pass.hopper.status : e->status;
    } else {
        for (int j = e->n_leading; j < run->dae->n; j++) { /* those that are algebraic */
            y[j] = e->begin[j] + s * (e->end[j] - e->begin[j]);
            if (yp != NULL) {
                yp[j] = 0.0;
            }
        }
        ha_status status = ha__runge_dense(e->runge, t, e->y0, yp == NULL ? NULL : e->f0);
        e->status = e->status == HA_OK ? status : e->status;
        ha__explicit_spread(e, e->y0, y);
        if (yp != NULL) {
            ha__explicit_spread(e, e->f0, yp);
        }
    }
    if (run->look.n_sampled > 0 && yp != NULL && e->status == HA_OK) {
        e->status = ha__explicit_evaluate(e, t, y, yp, &is_good);
    }
}

/* Of differential unknowns; what is solved for has no polynomial. */
int ha__explicit_unfold(ha__run *run, double *out, double *base, double *h)
{
    ha__explicit *e = run->state;
    const ha_dae *dae = run->dae;
    const int n = dae->n_switch_inputs;
    int degree = -1;

    if (e->is_hop || e->status != HA_OK) {
        return -1;
    }
    *base = e->t0;
    *h = e->t1 - e->t0;
    memset(out, 0, (size_t) n * (HA__MOST_DEGREE + 1) * sizeof *out);
    e->status = ha__runge_unfold(e->runge, &degree);
    for (int i = 0; i < n && e->status == HA_OK; i++) {
        int j = dae->switch_inputs[i];
        if (j < dae->n && e->index[j] >= 0) {
            ha__runge_coefficients(e->runge, e->index[j], out + i, n);
        }
    }
    return e->status == HA_OK ? degree : -1;
}

/* Goes back to where the last step began: what it was cut to, of size h, is too inexact. */
static void reject(ha__explicit *e, double h, double error)
{
    ha__run *run = e->run;
    size_t bytes = (size_t) run->dae->n * sizeof *e->y;

    memcpy(run->y, e->begin, bytes);
    memcpy(run->yp, e->begin_p, bytes);
    memcpy(e->y, e->begin, bytes);
    memcpy(e->yp, e->begin_p, bytes);
    e->t1 = e->t_settled = e->t0;
    e->condition_before = 1.0;
    e->h = ha__explicit_shorter(e, h, error);
    run->stats->error_test_failures += isfinite(error) ? 1 : 0;
    run->stats->convergence_failures += isfinite(error) ? 0 : 1;
    run->is_rejected = true;
}

/* What is interpolated is not in the error test: a contact would begin with a penetration, and an
   energy, that is off. */
ha_status ha__explicit_land(ha__run *run, double t)
{
    ha__explicit *e = run->state;
    size_t bytes = (size_t) run->dae->n * sizeof *e->y;
    double error = (double) INFINITY;
    bool is_good = false;

    if (e->is_hop) {
        return HA_OK;
    }
    HA_TRY(ha__runge_again(e->runge, t - e->t0, e->y1, e->f1, &is_good));
    if (is_good) {
        ha__explicit_collect(e, e->begin, e->y0); /* interpolation has used it */
        HA_TRY(ha__explicit_test(e, e->t0, t - e->t0, &error));
    }
    if (error > 1.0) {
        reject(e, t - e->t0, error);
        return HA_OK;
    }
    memcpy(run->y, e->y, bytes);
    memcpy(run->yp, e->yp, bytes);
    memcpy(e->end, e->y, bytes);
    e->condition_before = e->condition;
    e->t1 = e->t_settled = t;
    return HA_OK;
}
