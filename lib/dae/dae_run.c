/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver: the loop over the steps of a run.
 *
 * A method of integration (dae_run.h) takes one step after another; rows, quadratures, watched
 * quantities, events, interrupts and limits are handled here after each, the same for all methods.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/clock.h"
#include "lib/core/context_priv.h"
#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STANDSTILL = 50 /* steps in a row that do not advance the time */ };

static const double REPORT_EVERY = 1e-3; /* share of the run between two reports of progress */

static ha_status fail_interrupted(ha__run *run)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];

    return ha_fail(run->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE,
                   "interrupted at t = %s s of %s s; the result ends there",
                   ha__dae_number(time, run->stats->t_reached),
                   ha__dae_number(end, run->options->t_end));
}

/* True when a step may be taken; else why it may not is told. */
static ha_status check_limits(ha__run *run)
{
    if (ha_ctx_is_interrupted(run->ctx)) {
        return fail_interrupted(run);
    }
    if (run->stats->steps >= run->options->max_steps) {
        return run->method->stop(run, "the allowed number of steps is used up",
                                 "allow more (max-steps) or loosen rtol and atol");
    }
    return ha__run_check_pace(run);
}

/* What there may be where the steps get too short. Near a singular position round-off can be more
   than the tolerances, and shorter steps do not help against that. */
static const char *name_standstill(const ha_dae_stats *stats)
{
    return stats->relaxed > 0.0 || stats->hops > 0
               ? "there the solution grows beyond all bounds, jumps, or passes a singular "
                 "position, "
                 "near to which round-off is more than these tolerances: loosen rtol and atol"
               : "there the solution grows beyond all bounds, jumps, or passes a singular position";
}

/* The solution inside the last step, for an observer. */
static ha_status look_inside(void *user, double t, double *y, double *yp)
{
    ha__run *run = user;
    size_t bytes = (size_t) run->dae->n * sizeof *y;

    run->method->dense(run, t, run->y_in, run->yp_in);
    HA_TRY(ha__record_settle(&run->recorder, t, run->y_in, run->yp_in));
    memcpy(y, run->y_in, bytes);
    if (yp != NULL) {
        memcpy(yp, run->yp_in, bytes);
    }
    return HA_OK;
}

static ha_status show(ha__run *run, double t0, double t1)
{
    const ha_dae_observer *observer = run->options->observer;

    return observer == NULL ? HA_OK
                            : observer->step(observer->user, t0, t1, run->y, look_inside, run);
}

/* The times in the step from t0 to t1 at which extremes of signals let outputs be extreme: those
   that exceed both ends, and the end where it was chosen for one. */
static void find_crests(ha__run *run, double t0, double t1)
{
    const int n_signals = run->dae->n_signals + run->dae->n_output_signals;
    ha__peaks *peaks = &run->recorder.peaks;

    peaks->n_crests = ha__run_find_crests(run, n_signals, t0, t1, 1, peaks->crests);
    if (t1 == run->foresight.stop && peaks->n_crests < HA__MOST_CRESTS) {
        peaks->crests[peaks->n_crests++] = t1;
    }
}

/* Records the step from t0 to t1; where that cannot go on the run has reached what is recorded. */
static ha_status record(ha__run *run, double t0, double t1)
{
    size_t bytes = (size_t) run->dae->n * sizeof *run->y;

    if (run->recorder.peaks.found != NULL) {
        find_crests(run, t0, t1);
    }
    ha_status status = ha__record_step(&run->recorder, t0, t1, run->y, run->yp, run->method->dense,
                                       run, run->y_in, run->yp_in);

    if (status == HA_ERR_SOLVER) {
        run->stats->t_reached = run->recorder.t_recorded;
        run->method->dense(run, run->stats->t_reached, run->y_in, run->yp_in);
        memcpy(run->y, run->y_in, bytes);
        memcpy(run->yp, run->yp_in, bytes);
    }
    return status;
}

/* Records the step from t0 to t1 and handles the event at its end, if there is one. A step that was
   rejected when it was cut for one is none. */
static ha_status finish_step(ha__run *run, double t0, double t1, bool *is_event)
{
    const double t_step = t1;

    *is_event = false;
    run->is_rejected = false;
    HA_TRY(ha__run_end_at_event(run, t0, &t1));
    HA_TRY(run->is_rejected ? HA_OK : ha__run_end_at_leave(run, t0, &t1));
    if (run->is_rejected) {
        return HA_OK;
    }
    HA_TRY(ha__run_check_sources(run, t0, t1));
    run->stats->steps++;
    run->stats->t_reached = t1;
    run->recorder.t_left = ha__run_left_of_event(run, t0, t1);
    ha__nominal_go_on(&run->nominal, run->y);
    HA_TRY(record(run, t0, t1));
    HA_TRY(show(run, t0, t1));
    run->is_between = t1 < run->options->t_end;
    HA_TRY(run->is_between ? ha__run_handle_event(run, t1 < t_step, is_event) : HA_OK);
    run->is_between = false;
    return HA_OK;
}

static ha_status integrate(ha__run *run)
{
    const double t_end = run->options->t_end;
    double next_report = 0.0;
    int standstill = 0;

    while (run->stats->t_reached < t_end) {
        double t0 = 0.0, t1 = 0.0;
        bool is_event = false, is_changed = false;
        HA_TRY(check_limits(run));
        HA_TRY(ha__run_foresee(run));
        HA_TRY(run->method->step(run, &t0, &t1));
        if (t0 >= t_end) {
            break;
        }
        if (t1 == t0 && run->gives_up != NULL) {
            HA_TRY(ha__run_reconsider(run, &is_changed));
            continue;
        }
        HA_TRY(finish_step(run, t0, t1, &is_event));
        t1 = run->stats->t_reached;
        standstill = t1 - t0 <= 4.0 * DBL_EPSILON * t1 && !is_event ? standstill + 1 : 0;
        if (standstill > MAX_STANDSTILL && t1 < t_end) {
            return run->method->stop(run, "the steps have become too short to advance the time",
                                     name_standstill(run->stats));
        }
        if (run->is_rejected) {
            continue;
        }
        HA_TRY(run->method->watch(run, t1 - t0));
        HA_TRY(ha__run_reconsider(run, &is_changed));
        if (t1 >= next_report) {
            ha_ctx_report_progress(run->ctx, t1 / t_end);
            next_report = t1 + REPORT_EVERY * t_end;
        }
    }
    ha_ctx_report_progress(run->ctx, 1.0);
    return HA_OK;
}

static ha_status check_system(ha_ctx *ctx, const ha_dae *dae)
{
    char number[HA__NUMBER_SIZE];

    for (int j = 0; j < dae->n; j++) {
        double scale = dae->unknowns[j].scale;
        if (!(scale > 0.0) || !isfinite(scale)) {
            return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "the scale of the unknown `%s` is %s; it must be positive",
                           dae->unknowns[j].name, ha__dae_number(number, scale));
        }
    }
    return HA_OK;
}

static ha_status run_with_unknowns(ha__run *run)
{
    HA_TRY_ALLOC_EACH(run->ctx, run->dae->n, run->bad_y, run->bad_yp, run->y_in, run->yp_in);
    run->bad_equation = -1;
    HA_TRY(ha__look_init(&run->look, run));
    HA_TRY(ha__foresight_init(&run->foresight, run));
    HA_TRY(ha__sides_init(&run->sides, run->ctx, run->dae, run->work));
    run->sides.rtol = run->options->rtol;
    run->sides.atol = run->options->atol;
    run->sides.refiner = run->recorder.refiner;
    run->sides.slide = run->slide;
    HA_TRY(ha__sides_start(&run->sides, 0.0, run->y, run->yp, run->stats));
    HA_TRY(ha__nominal_start(&run->nominal, run->y, run->yp));
    HA_TRY(ha__record_start(&run->recorder, run->y, run->yp));
    if (run->options->t_end == 0.0) {
        return HA_OK;
    }
    ha__run_choose(run);
    HA_TRY(run->method->open(run));
    HA_TRY(ha__run_set_stop(run));
    return integrate(run);
}

/* A run that stops leaves a row where it did: what it reached, before the event that it does not
   get beyond. For lack of memory there is none. */
static ha_status record_stop(ha__run *run)
{
    size_t bytes = (size_t) run->dae->n * sizeof *run->y;
    double t = run->stats->t_reached;

    if (run->dae->n_switches > 0 && run->is_between) {
        ha__sides_undo(&run->sides);
        run->method->dense(run, t, run->y_in, run->yp_in);
    } else if (run->dae->n > 0) {
        memcpy(run->y_in, run->y, bytes);
        memcpy(run->yp_in, run->yp, bytes);
    }
    return ha__record_stop(&run->recorder, t, run->y_in, run->yp_in);
}

static void run_clear(ha__run *run)
{
    if (run->method != NULL) {
        run->method->close(run);
    }
    ha__record_clear(&run->recorder);
    ha__nominal_clear(&run->nominal);
    ha__sides_clear(&run->sides);
    ha__slide_free(run->slide);
    ha__look_clear(&run->look);
    ha__foresight_clear(&run->foresight);
    HA_FREE(run->work, run->y_in, run->yp_in, run->bad_y, run->bad_yp);
}

/* One run from the start values in y, yp. */
static ha_status attempt(ha_ctx *ctx, const ha_dae *dae, const ha_dae_options *options,
                         const double *parameters, double *y, double *yp, ha_result *result,
                         double *extremes, ha_dae_stats *stats)
{
    ha_dae_options own = *options;
    ha__run run = { .ctx = ctx, .dae = dae, .options = &own, .y = y, .yp = yp, .stats = stats };

    *run.stats = (ha_dae_stats){ 0 };
    HA_TRY(ha__dae_options_check(ctx, options));
    HA_TRY(check_system(ctx, dae));
    bool follows = options->atol == 0.0;
    own.atol = follows ? options->rtol : options->atol;
    run.share = ha__run_share(dae, options);

    HA_TRY_ALLOC(ctx, run.work, dae->work_size);
    dae->prepare(dae->model, parameters, run.work);
    ha_status status = ha__nominal_init(&run.nominal, ctx, dae, follows, own.t_end, run.work);
    run.nominal.dae.rate_is_zero |= options->is_motion_only ? 1 : 0;
    run.dae = &run.nominal.dae;
    HA_THEN(status, ha__slide_new(ctx, &run.dae, run.work, &run.sides, &run.slide));
    HA_THEN(status, ha__record_init(&run.recorder, ctx, run.dae, &own, run.work, result, extremes));
    double begin = ha__clock();
    HA_THEN(status, dae->n > 0 ? run_with_unknowns(&run)
                               : ha__dae_run_formulas(&run.recorder, &own, run.stats));
    if (status == HA_ERR_SOLVER || status == HA_ERR_INTERRUPTED) {
        ha_status stopped = record_stop(&run);
        status = stopped == HA_ERR_MEMORY ? stopped : status;
    }
    if (run.method != NULL) {
        run.method->count(&run);
    }
    run.stats->seconds = ha__clock() - begin;
    ha__nominal_range(&run.nominal, own.atol, run.stats->atol);
    ha__book_report(&run.recorder.book, run.stats);
    run_clear(&run);
    return status;
}

/* What explicit steps began, and neither they nor IDA from there could end, as next to a singular
   position, is taken again by IDA from the start on; so is what a share of the tolerance did not
   lead to the end, with all of it. */
static ha_status attempt_with_ida(ha_ctx *ctx, const ha_dae *dae, const ha_dae_options *options,
                                  const double *parameters, double *y, double *yp,
                                  ha_result *result, double *extremes, ha_dae_stats *stats)
{
    ha_dae_options own = *options;
    const double seconds = stats->seconds;
    const bool was_ida = stats->first_driver == HA_DRIVER_IDA;

    own.driver = HA_DRIVER_IDA;
    ha_result_cut(result, 0);
    ha_status status = attempt(ctx, dae, &own, parameters, y, yp, result, extremes, stats);
    stats->seconds += seconds;
    stats->switch_reason =
        was_ida
            ? "a share of the tolerance did not lead to the end: it was run again with all of it"
            : "explicit steps did not lead to the end: it was run again from the start";
    return status;
}

ha_status ha_dae_run(ha_ctx *ctx, const ha_dae *dae, const ha_dae_options *options,
                     const double *parameters, double *y, double *yp, ha_result *result,
                     double *extremes, ha_dae_stats *stats)
{
    const size_t n = dae->n > 0 ? (size_t) dae->n : 0, first = ha_ctx_n_diags(ctx);
    ha_dae_stats unwanted;
    double *start = NULL;

    if (ha_result_n_columns(result) != 0) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the result of a run must be an empty table, this one has %zu columns",
                       ha_result_n_columns(result));
    }
    stats = stats != NULL ? stats : &unwanted;
    HA_TRY_ALLOC(ctx, start, 2 * n);
    if (n > 0) {
        memcpy(start, y, n * sizeof *y);
        memcpy(start + n, yp, n * sizeof *yp);
    }
    ha_status status = attempt(ctx, dae, options, parameters, y, yp, result, extremes, stats);
    bool is_other = options->driver == HA_DRIVER_AUTO &&
                    (stats->first_driver != HA_DRIVER_IDA || ha__run_share(dae, options) < 1.0);
    bool met_singular = stats->singular_passes > 0 || stats->relaxed > 0.0;
    if (status == HA_ERR_SOLVER && is_other && met_singular && stats->steps < options->max_steps) {
        ha__ctx_forget(ctx, first);
        memcpy(y, start, n * sizeof *y);
        memcpy(yp, start + n, n * sizeof *yp);
        status = attempt_with_ida(ctx, dae, options, parameters, y, yp, result, extremes, stats);
    }
    ha__free(start);
    return status;
}
