/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The monodromy matrix from exact derivatives.
 *
 * Small deviations of a motion obey
 *
 *     K [v'; v_a] = -F_yd v,        v(0) = N,
 *
 * with the derivatives of the equations along the motion (linearise.c) and the tangent space N of
 * the constraints at its begin, which deviations do not leave. These equations are integrated with
 * the explicit method of order 8 over the steps of the run itself, or parts of them, as they are
 * made; what the states have become after a period is the matrix. Each step has an estimate of its
 * error, and the estimates are summed.
 *
 * That is for smooth equations which explicit steps solve. At an event deviations jump, and stiff
 * equations would need an implicit method: then differences have to do (periodic_shot.c).
 */
#include <config.h>

#include "bondgraph/analysis/periodic_priv.h"
#include "lib/dae/method/runge.h"

#include <math.h>
#include <string.h>

enum { ORDER = 8 };

static const double SHORTEST = 1e-3; /* part of a step of the run */

/* What follows the run. */
typedef struct {
    bg__shooting *s;
    bg__linearisation l;
    ha__runge *runge;
    ha_dae_inside inside; /* of the step under way */
    void *run;
    double *y, *yp;             /* (n) */
    double *v, *rate;           /* (n x n_states) by columns of n */
    double *v_next, *rate_next; /* (n x n_states) */
    double *weights;            /* (n x n_states) */
    double error, tolerance;
    double t; /* reached */
} follower;

/* --- one point ------------------------------------------------------------------------------ */

/* K and F_yd at a point of the motion. */
static ha_status evaluate(follower *f, double t)
{
    HA_TRY(f->inside(f->run, t, f->y, f->yp));
    bg__linear_differentiate(&f->l, t, f->y, f->yp);
    return bg__linear_refactor(&f->l);
}

/* v' of all columns at a time inside the step. */
static ha_status rates(void *user, double t, const double *v, double *out, bool *is_good)
{
    follower *f = user;
    bg__linearisation *l = &f->l;
    size_t n = (size_t) l->m->dae.n;

    HA_TRY(evaluate(f, t));
    for (size_t k = 0; k < (size_t) f->s->n_states; k++) {
        memcpy(l->column, v + k * n, n * sizeof *v);
        bg__linear_solve(l);
        for (size_t j = 0; j < n; j++) {
            bool moves = bg__linear_is_differential(l, (int) j);
            out[k * n + j] = moves ? l->solution[j] : 0.0;
            *is_good = *is_good && isfinite(out[k * n + j]);
        }
    }
    return HA_OK;
}

/* --- steps ---------------------------------------------------------------------------------- */

static void swap(double **a, double **b)
{
    double *keep = *a;

    *a = *b;
    *b = keep;
}

/* From t to t1 by steps of at most *h, which is halved where its error is too large. */
static ha_status advance(follower *f, double t, double t1, double *h)
{
    bool is_good = true;

    HA_TRY(rates(f, t, f->v, f->rate, &is_good));
    while (t < t1) {
        bool is_last = t + *h >= t1 - 1e-9 * *h;
        double step = is_last ? t1 - t : *h;
        HA_TRY(ha__runge_step(f->runge, t, step, f->v, f->rate, f->v_next, f->rate_next, &is_good));
        double error = ha__runge_error(f->runge, f->weights);
        if (!is_good || !isfinite(error)) {
            return ha_fail(f->s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "a derivative along the cycle is not a finite number");
        }
        if (error > f->tolerance && step > SHORTEST * (t1 - t)) {
            *h = 0.5 * step;
            continue;
        }
        swap(&f->v, &f->v_next);
        swap(&f->rate, &f->rate_next);
        f->error += error;
        t = is_last ? t1 : t + step;
    }
    return HA_OK;
}

/* Deviations of one scale of each state at the begin, within the tangent space. */
static void set_out(follower *f)
{
    const bg__shooting *s = f->s;
    size_t n = (size_t) s->m->dae.n;

    for (size_t k = 0; k < (size_t) s->n_states; k++) {
        for (size_t j = 0; j < n; j++) {
            f->v[k * n + j] = s->basis[k * n + j] * s->scale[s->state[k]];
        }
    }
    f->error = f->t = 0.0;
}

static ha_status follow(void *user, double t0, double t1, const double *y, ha_dae_inside inside,
                        void *run)
{
    follower *f = user;
    double h = t1 - t0;

    (void) y;
    if (t0 < f->t) { /* the run is taken again from the start */
        set_out(f);
    }
    f->inside = inside;
    f->run = run;
    f->t = t1;
    return advance(f, t0, t1, &h);
}

/* --- the whole ------------------------------------------------------------------------------ */

/* An error counts in the scale of what it is in. */
static ha_status begin(follower *f)
{
    bg__shooting *s = f->s;
    size_t n = (size_t) s->m->dae.n, all = n * (size_t) s->n_states;

    HA_TRY_ALLOC_EACH(s->ctx, n, f->y, f->yp);
    HA_TRY_ALLOC_EACH(s->ctx, all, f->v, f->rate, f->v_next, f->rate_next, f->weights);
    HA_TRY(bg__linear_begin(&f->l));
    memset(f->l.column, 0, (n + (size_t) s->m->n_inputs) * sizeof *f->l.column);
    for (size_t k = 0; k < (size_t) s->n_states; k++) {
        for (size_t j = 0; j < n; j++) {
            f->weights[k * n + j] = s->scale[j] > 0.0 ? 1.0 / s->scale[j] : 0.0;
        }
    }
    set_out(f);
    return ha__runge_new(s->ctx, ORDER, (int) all, rates, f, &f->runge);
}

static void release(follower *f)
{
    bg__linear_release(&f->l);
    ha__runge_free(f->runge);
    HA_FREE(f->y, f->yp, f->v, f->rate, f->v_next, f->rate_next, f->weights);
}

ha_status bg__cycle_follow(bg__shooting *s, double *out, double *error)
{
    const bg_operating_point point = { .y = s->y, .force = true };
    size_t n = (size_t) s->m->dae.n, ns = (size_t) s->n_states;
    bg_linear linear = { 0 };
    follower f = { .s = s, .l = { .ctx = s->ctx, .m = s->m, .point = &point, .out = &linear } };
    const ha_dae_observer observer = { &f, follow };
    f.tolerance = s->rtol;
    ha_status status = begin(&f);

    HA_THEN(status, bg__shoot(s, s->y, s->period, &observer, s->try_end));
    for (size_t i = 0; i < ns && status == HA_OK; i++) {
        for (size_t k = 0; k < ns; k++) {
            out[i * ns + k] = f.v[k * n + (size_t) s->state[i]] / s->scale[s->state[k]];
        }
    }
    *error = f.error * sqrt((double) (n * ns));
    release(&f);
    bg_linear_clear(&linear);
    return status;
}
