/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a model that has no unknowns: every output is a formula of time and of the quadratures.
 *
 * The quadratures are integrated from row to row by Simpson's rule with step control: S over a step
 * h against S2 over its two halves; |S2 - S| / 15 estimates the error of S2 and must stay below
 * rtol |integral| + atol on the way to t_end, shared out by h; S2 + (S2 - S) / 15 is taken. A step
 * of t_end / 10^9 is taken as it is, for rates that grow without bound. Steps end at events.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>

static const double SMALLEST_STEP = 1e-9; /* of t_end */

/* The rates at the five points of a step and the state of the march. */
typedef struct march {
    ha__recorder *recorder;
    const ha_dae_options *options;
    ha_dae_stats *stats;
    double *rates; /* (5 * n_integrals) at t, t + h/4, t + h/2, t + 3h/4, t + h */
    double t;
    double h;
    double longest; /* limit of h */
    ha__sides *sides;
    double event; /* time of the next event, or t_end */
} march;

/* What the callbacks get for the unknowns that do not exist. */
static const double nothing[1] = { 0.0 };

static void evaluate(march *m, int index, double t)
{
    const ha_dae *dae = m->recorder->dae;

    dae->rate(dae->model, m->recorder->work, t, nothing, nothing,
              m->rates + index * dae->n_integrals);
    m->stats->residual_evaluations++;
}

/* Simpson's rule over the step and over its halves for quadrature i; returns the difference. */
static double difference(const march *m, int i, double h, double *halves)
{
    int n = m->recorder->dae->n_integrals;
    const double *r = m->rates + i;
    double whole = h / 6.0 * (r[0] + 4.0 * r[2 * n] + r[4 * n]);

    *halves = h / 12.0 * (r[0] + 4.0 * r[n] + 2.0 * r[2 * n] + 4.0 * r[3 * n] + r[4 * n]);
    return *halves - whole;
}

/* Error over tolerance of a step, the largest of the quadratures that are smooth. */
static double error_of(const march *m, double h)
{
    double worst = 0.0;

    for (int i = 0; i < m->recorder->dae->n_integrals - m->recorder->dae->n_loose; i++) {
        double halves = 0.0;
        double error = fabs(difference(m, i, h, &halves)) / 15.0;
        double total = fabs(m->recorder->integrals[i]) + fabs(halves);
        double allowed = (m->options->rtol * total + m->options->atol) * h / m->recorder->t_end;
        worst = fmax(worst, error / allowed);
    }
    return worst;
}

/* Takes one step of at most m->h, not beyond `target`. */
static void step(march *m, double target)
{
    int n = m->recorder->dae->n_integrals;
    double smallest = SMALLEST_STEP * m->recorder->t_end;

    evaluate(m, 0, m->t);
    for (;;) {
        double h = m->t + 1.01 * m->h >= target ? target - m->t : m->h;
        for (int index = 1; index < 5; index++) {
            evaluate(m, index, m->t + 0.25 * index * h);
        }
        double error = error_of(m, h);
        /* Simpson's error goes with h^5, the allowance with h */
        double factor = fmin(4.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.25)));
        if (error <= 1.0 || h <= smallest) {
            for (int i = 0; i < n; i++) {
                double halves = 0.0;
                double extra = difference(m, i, h, &halves) / 15.0;
                m->recorder->integrals[i] += halves + extra;
            }
            m->t = h == target - m->t ? target : m->t + h;
            m->h = fmin(m->longest, fmax(smallest, factor * (factor > 1.0 ? fmax(h, m->h) : h)));
            m->stats->steps++;
            m->stats->last_step = h;
            return;
        }
        m->stats->error_test_failures++;
        m->h = fmax(smallest, factor * h);
    }
}

/* There is nothing but the time inside a step. */
static void dense(void *user, double t, double *y, double *yp)
{
    (void) user;
    (void) t;
    (void) y;
    (void) yp;
}

static ha_status settle(void *user, double t, double *y, double *yp)
{
    (void) user;
    (void) t;
    (void) y;
    (void) yp;
    return HA_OK;
}

/* The last time before an event. */
static double left_of(double t)
{
    return t - 8.0 * DBL_EPSILON * t;
}

/* Looks for extremes in the step since t0. */
static ha_status find_peaks(march *m, double t0)
{
    ha__recorder *recorder = m->recorder;
    double y[1] = { 0.0 }, yp[1] = { 0.0 };
    const ha__inside in = { .t0 = t0,
                            .t1 = m->t,
                            .y = nothing,
                            .yp = nothing,
                            .dense = dense,
                            .y_in = y,
                            .yp_in = yp,
                            .settle = settle,
                            .is_exact = true,
                            .t_left = m->t < m->event ? (double) NAN : left_of(m->t),
                            .integrals = recorder->integrals };

    return ha__peaks_step(&recorder->peaks, &in);
}

/* Switches where an event is. */
static ha_status handle_event(march *m)
{
    double t_end = m->recorder->t_end, y[1] = { 0.0 }, yp[1] = { 0.0 };
    bool is_event = false, has_rows = m->recorder->has_event_rows;

    HA_TRY(has_rows ? ha__record_extra_row(m->recorder, m->t, left_of(m->t), y, yp) : HA_OK);
    HA_TRY(ha__sides_step(m->sides, m->t, t_end, y, yp, m->stats, &is_event));
    ha__peaks_begin(&m->recorder->peaks, m->t, y, yp, m->recorder->integrals, true);
    HA_TRY(has_rows ? ha__record_extra_row(m->recorder, m->t, m->t, y, yp) : HA_OK);
    return ha__sides_next(m->sides, m->t, t_end, &m->event);
}

/* From row to row until t_end. */
static ha_status run(march *m)
{
    ha__recorder *recorder = m->recorder;
    char number[HA__NUMBER_SIZE];
    double y[1] = { 0.0 }, yp[1] = { 0.0 };

    HA_TRY(ha__sides_start(m->sides, 0.0, y, yp, m->stats));
    if (recorder->t_end > 0.0) {
        HA_TRY(ha__sides_next(m->sides, 0.0, recorder->t_end, &m->event));
    }
    HA_TRY(ha__record_start(recorder, nothing, nothing));
    while (m->t < recorder->t_end) {
        double target = fmin(ha__record_next(recorder), m->event), t0 = m->t;
        if (recorder->dae->n_integrals > 0) {
            step(m, target);
        } else {
            m->stats->last_step = target - m->t;
            m->stats->steps++;
            m->t = target;
        }
        m->stats->t_reached = m->t;
        ha__record_watch(recorder, m->t, nothing, nothing);
        HA_TRY(find_peaks(m, t0));
        recorder->t_recorded = m->t;
        double row = ha__record_next(recorder);
        if (row <= ha__late(m->t)) {
            HA_TRY(ha__record_row(recorder, row, nothing, nothing));
            ha_ctx_report_progress(recorder->ctx, m->t / recorder->t_end);
        }
        if (m->t >= m->event && m->t < recorder->t_end) {
            HA_TRY(handle_event(m));
        }
        if (ha_ctx_is_interrupted(recorder->ctx)) {
            return ha_fail(recorder->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE,
                           "interrupted at t = %s s; the result ends there",
                           ha__dae_number(number, m->t));
        }
        if (m->stats->steps >= m->options->max_steps && m->t < recorder->t_end) {
            return ha_fail(recorder->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                           "the allowed number of steps, %ld, is used up at t = %s s; allow more "
                           "(max-steps) or loosen rtol and atol",
                           m->options->max_steps, ha__dae_number(number, m->t));
        }
    }
    return HA_OK;
}

ha_status ha__dae_run_formulas(ha__recorder *recorder, const ha_dae_options *options,
                               ha_dae_stats *stats)
{
    ha__sides sides = { 0 };
    march m = { .recorder = recorder, .options = options, .stats = stats, .sides = &sides };

    m.longest = options->max_step > 0.0 ? options->max_step : recorder->t_end;
    m.h = fmin(m.longest, 1e-3 * recorder->t_end);
    HA_TRY_ALLOC(recorder->ctx, m.rates, 5 * (size_t) recorder->dae->n_integrals);
    ha_status status = ha__sides_init(&sides, recorder->ctx, recorder->dae, recorder->work);
    HA_THEN(status, run(&m));
    ha__sides_clear(&sides);
    ha__free(m.rates);
    return status;
}
