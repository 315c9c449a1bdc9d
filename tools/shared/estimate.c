/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digits of a run, estimated.
 *
 * With Phi(T, t) what the motion makes at the end of a disturbance at t, and d_k the local errors
 * of the steps, the end values y are off by
 *
 *     e(tol) = sum over the steps of Phi(T, t_k) d_k.
 *
 * A method tells the d_k, each of them about as large as the tolerance, but nothing of Phi, which
 * is 1 in a damped motion, grows with T where a period hangs on the energy, and as exp(lambda T) in
 * a chaotic one. No book tells it either: energy is kept whatever the phase is. To carry a
 * disturbance along costs as much as a second run, and has to be told of each event; so it is a
 * second run, whose disturbances are the local errors of a tolerance ten times as large, without
 * rows. Both have the same Phi, and
 *
 *     D = |y(10 tol) - y(tol)| = |e(10 tol) - e(tol)|,   which is about 9 |e(tol)|,
 *
 * since steps get longer with the tolerance such that d_k grows with it. D itself is taken for the
 * error. That is a digit too careful as a rule, and needs no more than that the looser run is at
 * least twice as wrong as the run: |e(tol)| <= |e(10 tol)| / 2 makes |e(tol)| <= D. Where a motion
 * has no digit, D is as large as the motion.
 *
 * The digits are -log10(D / |y|) of the output that has the fewest, less 0.3; |y| is the largest
 * magnitude of the output over the run, or a thousandth of the largest of its unit where that is
 * more: what is nothing but round-off beside its kind has no digits to speak of. Left out are
 * energy.error, reactions that others could replace, and points that a joint holds. Digits that
 * the energy book or the constraints contradict are not told: with E the largest energy of the run
 * and L its largest length, no more than -log10(|error of the book| / E) and -log10(|error of the
 * constraints| / L).
 *
 * What it cannot know: what both runs miss alike, and what a model leaves out. Of a start that is
 * wrong it knows nothing.
 */
#include <config.h>

#include "tools/shared/agreement.h"
#include "tools/shared/estimate.h"

#include "lib/core/clock.h"
#include "tools/shared/cli.h"

#include <math.h>
#include <string.h>

static const double LOOSER = 10.0;   /* times the tolerance */
static const double LOOSEST = 0.1;   /* rtol */
static const double STEPS = 2.0;     /* times those of the run: no more are taken for it, */
static const long MORE_STEPS = 1000; /* but for these */
static const double LONGER = 1.5;    /* the longest step allowed: it may be what decides */
static const double MARGIN = 0.3;
static const double SMALL = 1e-3; /* of the largest of a unit */
static const double MOST = 15.0;  /* digits: the rest is round-off */

estimate estimate_none(const char *reason)
{
    return (estimate){ .digits = (double) NAN, .reason = reason };
}

/* The options of the second run. */
static bg_run_options loosen(const cli_run *run)
{
    bg_run_options options = run->model.options;
    ha_dae_options *s = &options.solver;
    double factor = LOOSER * s->rtol <= LOOSEST ? LOOSER : 1.0 / LOOSER;
    double steps = STEPS * (double) run->report.solver.steps * fmax(1.0, 1.0 / factor);

    s->rtol *= factor;
    s->atol *= factor;
    s->max_step *= LONGER;
    s->max_steps = (long) steps + MORE_STEPS;
    s->step = s->t_end;
    s->events = HA_EVENT_ROWS_NONE;
    s->peaks = NULL;
    options.last = NULL;
    return options;
}

/* True when an output says nothing of the digits. */
static bool is_left_out(const cli_run *run, size_t c)
{
    const char *name = ha_result_name(run->result, c), *unit = ha_result_unit(run->result, c);
    double drift = strcmp(unit, "m") == 0     ? run->report.constraint_error
                   : strcmp(unit, "m/s") == 0 ? run->report.velocity_error
                                              : 0.0;

    return strcmp(name, "energy.error") == 0 || agreement_is_open(&run->model, name) ||
           agreement_is_held(run, c, 2.0 * drift);
}

/* Lets the estimate be no more than an error beside a size leaves. */
static void bound(estimate *e, double error, double size, const char *worst, const char *reason)
{
    double digits = error > 0.0 ? -log10(error / size) - MARGIN : MOST;

    digits = isnan(digits) ? 0.0 : fmin(MOST, fmax(0.0, digits));
    if (digits < e->digits) {
        *e = (estimate){ .digits = digits, .worst = worst, .reason = reason };
    }
}

/* What a tolerance ten times as large changes. */
static void compare(const cli_run *run, const ha_result *other, estimate *e)
{
    size_t last = ha_result_n_rows(other) - 1;

    for (size_t c = 1; c < ha_result_n_columns(run->result); c++) {
        double size = agreement_magnitude(run, c), largest = agreement_largest(run, c);
        double off = fabs(agreement_end(run, c) - ha_result_value(other, last, c));
        if (!is_left_out(run, c)) {
            bound(e, off, fmax(size, SMALL * largest), ha_result_name(run->result, c),
                  "by a run with another tolerance");
        }
    }
}

/* The largest magnitude of the outputs of a unit. */
static double largest_of(const cli_run *run, const char *unit)
{
    for (size_t c = 1; c < ha_result_n_columns(run->result); c++) {
        if (strcmp(ha_result_unit(run->result, c), unit) == 0) {
            return agreement_largest(run, c);
        }
    }
    return 0.0;
}

/* What the book and the constraints contradict. */
static void check(const cli_run *run, estimate *e)
{
    double energy = fmax(largest_of(run, "J"), run->report.energy_passed);
    double length = largest_of(run, "m");

    if (energy > 0.0) {
        bound(e, fabs(run->report.solver.off_at_end), energy, NULL, "by the energy book");
    }
    if (length > 0.0) {
        bound(e, run->report.constraint_error, length, NULL, "by the errors of the constraints");
    }
}

static ha_status run_again(ha_ctx *ctx, const cli_run *run, ha_result *result, estimate *e)
{
    const bg_run_options options = loosen(run);
    bg_run_report report = { 0 };
    ha_status status = bg_model_run(ctx, run->model.compiled, &options, result, &report);
    size_t n = ha_result_n_rows(result);

    if (status == HA_ERR_INTERRUPTED || status == HA_ERR_MEMORY) {
        *e = estimate_none(ha_status_text(status));
    } else if (n == 0 || ha_result_value(result, n - 1, 0) < options.solver.t_end) {
        *e = (estimate){ .reason = "since a run with another tolerance does not get to the end" };
    } else {
        e->digits = MOST;
        compare(run, result, e);
        check(run, e);
    }
    return HA_OK;
}

ha_status estimate_digits(const cli_run *run, estimate *out)
{
    double begin = ha__clock();
    ha_ctx *ctx = ha_ctx_new();
    ha_result *result = ctx == NULL ? NULL : ha_result_new(ctx);
    ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;

    *out = estimate_none("the run has no end");
    if (status == HA_OK && run->status == HA_OK) {
        cli_share_interrupt(ctx);
        status = run_again(ctx, run, result, out);
    }
    out->seconds = ha__clock() - begin;
    ha_result_free(result);
    ha_ctx_free(ctx);
    return status;
}
