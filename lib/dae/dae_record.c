/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recorder: what a run leaves behind.
 *
 * Rows go to the grid times k * step before t_end, or those given, and to t_end. A quadrature, the
 * integral of a rate r(t, y, y'), is summed over the pieces into which the grid times cut the
 * accepted steps, by Simpson's rule on the interpolated solution,
 *
 *     integral from a to b = (b - a) / 6 * (r(a) + 4 r((a + b) / 2) + r(b)),
 *
 * whose error h^5 r'''' / 2880 is below the local error of a BDF method of order 5 or less at the
 * step sizes its error test allows; the rate at the end of a piece serves the next one. For methods
 * with longer steps it is Gauss' rule of 3 or 5 nodes.
 *
 * A piece in which a rate varies much is looked at: it may have a pole (dae_pole.c), at which the
 * run ends.
 *
 * Rows between steps are made consistent (dae_refine.c, or by the method), and so are the points of
 * a quadrature whose rate reads algebraic unknowns or derivatives (the power of a drive), and the
 * ends of the steps when what is watched reads them (the energy of a dependent storage): at the
 * steps of the solver, too, these have an error that no test sees, which a sum over many steps
 * would collect. Nothing of ours is allocated after ha__record_init().
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double MAX_ROWS = 2e7;        /* beyond, the step is taken for a slip of the pen */
static const double GRAIN = 1e-3;          /* of t_end: intervals in which losses are looked for */
static const double GRID_ROUND_OFF = 1e-9; /* a grid time this near t_end, in steps, is t_end */

static const double VARIES = 2.0;  /* a rate that may have a pole, by this factor */
static const double COUNTS = 1e-3; /* of what was integrated so far: less has none */

/* Number of grid rows 0, step, 2 step ... before t_end, and the step. */
static ha_status plan_grid(ha__recorder *recorder, const ha_dae_options *options)
{
    char text[3][HA__NUMBER_SIZE];
    double step = options->step > 0.0 ? options->step : options->t_end / HA_DAE_ROWS;
    double rows = !(step > 0.0) ? 0.0
                  : options->times != NULL
                      ? 1.0 + (double) options->n_times
                      : fmax(1.0, ceil(options->t_end / step - GRID_ROUND_OFF));

    if (rows >= MAX_ROWS) {
        return ha_fail(
            recorder->ctx, HA_ERR_VALUE, HA_NOWHERE,
            "an output step of %s s up to %s s gives %s rows, more than 20 million; choose a "
            "longer step",
            ha__dae_number(text[0], step), ha__dae_number(text[1], options->t_end),
            ha__dae_number(text[2], rows));
    }
    recorder->has_event_rows = options->events == HA_EVENT_ROWS;
    recorder->t_end = options->t_end;
    recorder->step = step;
    recorder->times = options->times;
    recorder->n_grid = (int64_t) rows; /* 0 for t_end = 0: the end row is all */
    return HA_OK;
}

/* A table whose rows were cut for another attempt has its columns. */
static ha_status add_columns(const ha_dae *dae, ha_result *result)
{
    if (ha_result_n_columns(result) > 0) {
        return HA_OK;
    }
    HA_TRY(ha_result_add_column(result, "t", "s"));
    for (int i = 0; i < dae->n_outputs; i++) {
        HA_TRY(ha_result_add_column(result, dae->outputs[i].name, dae->outputs[i].unit));
    }
    return HA_OK;
}

static ha_status init(ha__recorder *recorder, const ha_dae_options *options)
{
    const ha_dae *dae = recorder->dae;
    ha_ctx *ctx = recorder->ctx;

    HA_TRY(plan_grid(recorder, options));
    HA_TRY_ALLOC(ctx, recorder->row, 1 + (size_t) dae->n_outputs);
    HA_TRY_ALLOC(ctx, recorder->integrals, dae->n_integrals, recorder->kept, 2 * (size_t) dae->n);
    HA_TRY_ALLOC(ctx, recorder->watched, dae->n_checks);
    HA_TRY_ALLOC_EACH(ctx, 3 * (size_t) dae->n_integrals, recorder->rates, recorder->reach);
    HA_TRY(ha__book_init(&recorder->book, ctx, dae->n_columns, GRAIN * options->t_end));
    HA_TRY(ha__refiner_new(ctx, dae, recorder->work, false, &recorder->refiner));
    if (options->projection == HA_PROJECTION_STEPS) {
        HA_TRY(ha__projector_new(ctx, dae, recorder->work, true, &recorder->projector));
    }
    if (options->peaks != NULL || recorder->has_event_rows) {
        HA_TRY(ha__refiner_new(ctx, dae, recorder->work, false, &recorder->looker));
    }
    HA_TRY(ha__peaks_init(&recorder->peaks, ctx, dae, recorder->work, options));
    HA_TRY(add_columns(dae, recorder->result));
    return ha_result_reserve(recorder->result, (size_t) recorder->n_grid + 1);
}

ha_status ha__record_init(ha__recorder *recorder, ha_ctx *ctx, const ha_dae *dae,
                          const ha_dae_options *options, double *work, ha_result *result,
                          double *extremes)
{
    *recorder = (ha__recorder){ .ctx = ctx, .dae = dae, .result = result, .work = work };
    recorder->extremes = dae->n_checks > 0 ? extremes : NULL;
    ha_status status = init(recorder, options);
    if (status != HA_OK) {
        ha__record_clear(recorder);
    }
    return status;
}

void ha__record_clear(ha__recorder *recorder)
{
    HA_FREE(recorder->row, recorder->integrals, recorder->rates, recorder->reach, recorder->kept,
            recorder->watched);
    ha__book_clear(&recorder->book);
    ha__projector_free(recorder->projector);
    ha__refiner_free(recorder->refiner);
    ha__refiner_free(recorder->looker);
    ha__peaks_clear(&recorder->peaks);
    *recorder = (ha__recorder){ 0 };
}

double ha__record_time(const ha__recorder *recorder, int64_t row)
{
    return row >= recorder->n_grid              ? recorder->t_end
           : recorder->times != NULL && row > 0 ? recorder->times[row - 1]
                                                : (double) row * recorder->step;
}

double ha__record_next(const ha__recorder *recorder)
{
    return ha__record_time(recorder, recorder->next);
}

ha_status ha__record_extra_row(ha__recorder *recorder, double t, double t_outputs, const double *y,
                               const double *yp)
{
    const ha_dae *dae = recorder->dae;

    recorder->row[0] = t;
    if (dae->n_outputs > 0) {
        dae->output(dae->model, recorder->work, t_outputs, y, yp, recorder->integrals,
                    recorder->row + 1);
    }
    ha__peaks_note(&recorder->peaks, t, recorder->row + 1);
    return ha_result_add_row(recorder->result, recorder->row);
}

ha_status ha__record_row(ha__recorder *recorder, double t, const double *y, const double *yp)
{
    recorder->next++;
    return ha__record_extra_row(recorder, t, t, y, yp);
}

/* The entries of the book among what is watched. */
static const double *book_entries(const ha__recorder *recorder)
{
    return recorder->watched + recorder->dae->n_checks - recorder->book.n - 1;
}

/* Evaluates what is watched. */
static void watch(ha__recorder *recorder, double t, const double *y, const double *yp)
{
    const ha_dae *dae = recorder->dae;

    dae->check(dae->model, recorder->work, t, y, yp, recorder->integrals, recorder->watched);
    for (int i = 0; i < dae->n_checks; i++) {
        double magnitude = fabs(recorder->watched[i]), largest = recorder->extremes[i];
        /* a nan stays: nothing can be said about the largest magnitude then */
        recorder->extremes[i] = magnitude > largest || isnan(magnitude) ? magnitude : largest;
    }
}

void ha__record_watch(ha__recorder *recorder, double t, const double *y, const double *yp)
{
    if (recorder->extremes == NULL) {
        return;
    }
    watch(recorder, t, y, yp);
    if (recorder->book.n > 0) {
        ha__book_go_on(&recorder->book, t, book_entries(recorder), t >= recorder->t_end);
    }
}

/* Looks at the book in a row between steps: what a row shows must not be off unsaid. */
static void watch_row(ha__recorder *recorder, double t, const double *y, const double *yp)
{
    const ha_dae *dae = recorder->dae;

    if (recorder->extremes == NULL || recorder->book.n == 0) {
        return;
    }
    if (dae->book_output == 0) {
        dae->check(dae->model, recorder->work, t, y, yp, recorder->integrals, recorder->watched);
    }
    double off = fabs(dae->book_output > 0 ? recorder->row[dae->book_output]
                                           : recorder->watched[dae->n_checks - 1]);
    double *largest = &recorder->extremes[dae->n_checks - 1];
    *largest = off > *largest || isnan(off) ? off : *largest;
    ha__book_look(&recorder->book, t, off);
}

/* Begins to watch. */
static void watch_start(ha__recorder *recorder, const double *y, const double *yp)
{
    memset(recorder->extremes, 0, (size_t) recorder->dae->n_checks * sizeof(double));
    watch(recorder, 0.0, y, yp);
    if (recorder->book.n > 0) {
        ha__book_begin(&recorder->book, 0.0, book_entries(recorder));
    }
}

/* Widens what the rates of a piece reach, by those at an index. */
static void note_reach(ha__recorder *recorder, int index)
{
    const int n = recorder->dae->n_integrals;
    const double *rates = recorder->rates + index * n;
    double *least = recorder->reach, *most = least + n;

    for (int i = 0; i < n; i++) {
        double magnitude = fabs(rates[i]);
        least[i] = ha__smaller(magnitude, least[i]);
        most[i] = ha__larger(magnitude, most[i]);
    }
}

/* The rates at a time, at index 0 (begin), 1 (middle) or 2 (end) of a piece. */
static void rates_at(ha__recorder *recorder, int index, double t, const double *y, const double *yp)
{
    const ha_dae *dae = recorder->dae;

    dae->rate(dae->model, recorder->work, t, y, yp, recorder->rates + index * dae->n_integrals);
    note_reach(recorder, index);
}

ha_status ha__record_settle(ha__recorder *recorder, double t, double *y, double *yp)
{
    return recorder->settle != NULL ? recorder->settle(recorder->user, t, y, yp)
                                    : ha__refine(recorder->refiner, t, y, yp, NULL);
}

/* The same for the peaks. */
static ha_status settle_peak(void *user, double t, double *y, double *yp)
{
    ha__recorder *recorder = user;

    return recorder->settle != NULL ? recorder->settle(recorder->user, t, y, yp)
                                    : ha__refine(recorder->looker, t, y, yp, NULL);
}

/* The rates inside or at the end of a step, from values that may be changed. */
static ha_status rates_in(ha__recorder *recorder, int index, double t, double *y, double *yp)
{
    if (recorder->dae->rate_reads_solved != 0) {
        HA_TRY(ha__record_settle(recorder, t, y, yp));
    }
    rates_at(recorder, index, t, y, yp);
    return HA_OK;
}

/* Adds the piece [a, b] to the quadratures by Simpson's rule; the rates at b become those at a. */
static void integrate_piece(ha__recorder *recorder, double a, double b)
{
    int n = recorder->dae->n_integrals;
    double *begin = recorder->rates;
    const double *middle = begin + n;
    const double *end = middle + n;

    for (int i = 0; i < n; i++) {
        recorder->integrals[i] += (b - a) / 6.0 * (begin[i] + 4.0 * middle[i] + end[i]);
        begin[i] = end[i];
    }
}

/* What is needed of the solution inside a step. */
typedef struct {
    ha__dense dense;
    void *user;
    double *y, *yp;     /* (n) where it goes */
    double *yp_of_rate; /* the same, NULL where rates do not read it */
} inside;

/* Adds the piece [a, b] to the quadratures by Gauss' rule. */
static ha_status integrate_by_gauss(ha__recorder *recorder, double a, double b, const inside *in)
{
    const ha__nodes nodes = ha__gauss(recorder->n_nodes);
    const double half = 0.5 * (b - a);
    const int n = recorder->dae->n_integrals;

    for (int k = 0; k < nodes.n; k++) {
        double t = a + half * (1.0 + nodes.at[k][0]);
        in->dense(in->user, t, in->y, in->yp_of_rate);
        HA_TRY(rates_in(recorder, 1, t, in->y, in->yp));
        for (int i = 0; i < n; i++) {
            recorder->integrals[i] += half * nodes.at[k][1] * recorder->rates[n + i];
        }
    }
    return HA_OK;
}

/* --- poles ----------------------------------------------------------------------------------- */

/* A rate inside a step. */
typedef struct {
    ha__recorder *recorder;
    const inside *in;
    int number;
} one_rate;

static ha_status size_at(void *user, double t, double *size)
{
    const one_rate *rate = user;
    ha__recorder *recorder = rate->recorder;
    const inside *in = rate->in;

    in->dense(in->user, t, in->y, in->yp_of_rate);
    HA_TRY(rates_in(recorder, 1, t, in->y, in->yp));
    *size = fabs(recorder->rates[recorder->dae->n_integrals + rate->number]);
    return HA_OK;
}

/* The unknowns and the outputs at time a and at the pole at t tell what has it. */
static ha_status fail_at_pole(ha__recorder *recorder, double a, double t, const inside *in)
{
    const ha_dae *dae = recorder->dae;
    const size_t n = (size_t) dae->n, n_outputs = (size_t) dae->n_outputs;
    const double times[2] = { a, t };
    double *y = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(recorder->ctx, y, 2 * (n + n_outputs));
    double *outputs = y + 2 * n;
    for (size_t k = 0; k < 2 && status == HA_OK; k++) {
        in->dense(in->user, times[k], in->y, in->yp);
        status = ha__record_settle(recorder, times[k], in->y, in->yp);
        memcpy(y + k * n, in->y, n * sizeof *y);
        dae->output(dae->model, recorder->work, times[k], in->y, in->yp, recorder->integrals,
                    outputs + k * n_outputs);
    }
    HA_THEN(status, ha__fail_at_pole(recorder->ctx, dae, t, y, outputs));
    ha__free(y);
    return status;
}

/* The rate that may have a pole in a piece of this length, which is counted; -1: none. */
static int find_suspect(ha__recorder *recorder, double length)
{
    const int n = recorder->dae->n_integrals;
    const double *least = recorder->reach, *most = least + n;
    double *passed = recorder->reach + 2 * (size_t) n, largest = COUNTS;
    int suspect = -1;

    for (int i = 0; i < n; i++) {
        double share = length * most[i] / passed[i];
        if (most[i] > VARIES * least[i] && share > largest) {
            largest = share;
            suspect = i;
        }
        passed[i] += length * most[i];
    }
    return suspect;
}

/* HA_OK when no rate has a pole in the piece [a, b] that was integrated. */
static ha_status check_piece(ha__recorder *recorder, double a, double b, const inside *in)
{
    const size_t n = (size_t) recorder->dae->n, bytes = n * sizeof *in->y;
    one_rate rate = { recorder, in, -1 };
    double t = 0.0;

    if (recorder->gain == NULL && !recorder->ignores_poles) {
        rate.number = find_suspect(recorder, b - a);
    }
    if (rate.number < 0) {
        return HA_OK;
    }
    memcpy(recorder->kept, in->y, bytes);
    memcpy(recorder->kept + n, in->yp, bytes);
    HA_TRY(ha__find_pole(a, b, size_at, &rate, &t));
    HA_TRY(t < b ? fail_at_pole(recorder, a, t, in) : HA_OK); /* not before it is passed */
    memcpy(in->y, recorder->kept, bytes);
    memcpy(in->yp, recorder->kept + n, bytes);
    return HA_OK;
}

/* --- pieces ---------------------------------------------------------------------------------- */

/* The rates of a piece to come have reached nothing, but by Simpson's rule those at its begin. */
static void begin_reach(ha__recorder *recorder)
{
    const int n = recorder->dae->n_integrals;

    for (int i = 0; i < n; i++) {
        recorder->reach[i] = HUGE_VAL;
        recorder->reach[n + i] = 0.0;
    }
    if (recorder->n_nodes == 0) {
        note_reach(recorder, 0);
    }
}

/* Integrates the piece [a, b]: by Simpson's rule up to its middle, what is at b being added
   later. */
static ha_status begin_piece(ha__recorder *recorder, double a, double b, const inside *in)
{
    begin_reach(recorder);
    if (recorder->gain != NULL) {
        return HA_OK;
    }
    if (recorder->n_nodes > 0) {
        return integrate_by_gauss(recorder, a, b, in);
    }
    in->dense(in->user, a + 0.5 * (b - a), in->y, in->yp_of_rate);
    return rates_in(recorder, 1, a + 0.5 * (b - a), in->y, in->yp);
}

/* Adds what the method has integrated. */
static void add_gain(ha__recorder *recorder, double a, double b)
{
    int n = recorder->dae->n_integrals;
    double *gain = recorder->rates + n;

    recorder->gain(recorder->gain_user, a, b, gain);
    for (int i = 0; i < n; i++) {
        recorder->integrals[i] += gain[i];
    }
}

/* What is left to do at the end of a piece: Simpson's rule needs what is there. */
static ha_status end_piece(ha__recorder *recorder, double a, double b, const inside *in)
{
    if (recorder->gain != NULL) {
        add_gain(recorder, a, b);
        rates_at(recorder, 0, b, in->y, in->yp);
    } else if (recorder->n_nodes == 0) {
        rates_at(recorder, 2, b, in->y, in->yp);
        integrate_piece(recorder, a, b);
    }
    HA_TRY(check_piece(recorder, a, b, in));
    recorder->t_recorded = b;
    return HA_OK;
}

ha_status ha__record_start(ha__recorder *recorder, const double *y, const double *yp)
{
    if (recorder->dae->n_integrals > 0) {
        rates_at(recorder, 0, 0.0, y, yp);
    }
    if (recorder->extremes != NULL) {
        watch_start(recorder, y, yp);
    }
    ha__peaks_begin(&recorder->peaks, 0.0, y, yp, recorder->integrals, true);
    return ha__record_row(recorder, 0.0, y, yp);
}

ha_status ha__record_stop(ha__recorder *recorder, double t, double *y, double *yp)
{
    size_t n = ha_result_n_rows(recorder->result);

    if (n == 0 || recorder->t_recorded != t || ha_result_value(recorder->result, n - 1, 0) >= t) {
        return HA_OK;
    }
    HA_TRY(ha__record_settle(recorder, t, y, yp));
    return ha__record_extra_row(recorder, t, t, y, yp);
}

ha_status ha__record_resume(ha__recorder *recorder, double t, const double *y, const double *yp)
{
    const bool has_row = recorder->n_before > 0;

    recorder->n_before = 0;
    if (recorder->dae->n_integrals > 0) {
        rates_at(recorder, 0, t, y, yp);
    }
    ha__peaks_begin(&recorder->peaks, t, y, yp, recorder->integrals, true);
    return has_row ? ha__record_extra_row(recorder, t, t, y, yp) : HA_OK;
}

/* Writes the row before an event that may come; one that did not come takes its row along. */
static ha_status record_left(ha__recorder *recorder, const ha__inside *in)
{
    if (!recorder->has_event_rows || isnan(in->t_left) || in->t1 >= recorder->t_end) {
        return HA_OK;
    }
    in->dense(in->user, in->t_left, in->y_in, in->yp_in);
    HA_TRY(ha__project_inside(recorder->projector, in->t_left, in->y_in, in->yp_in));
    HA_TRY(settle_peak(recorder, in->t_left, in->y_in, in->yp_in));
    recorder->n_before = ha_result_n_rows(recorder->result);
    return ha__record_extra_row(recorder, in->t1, in->t_left, in->y_in, in->yp_in);
}

/* The grid rows between t0 and t1; `*a` is where the last of them is, or t0. */
static ha_status record_rows(ha__recorder *recorder, double t1, bool integrates, const inside *in,
                             double *a)
{
    const bool is_exact = recorder->settle != NULL; /* as the ends of steps are */
    const double last = isnan(recorder->t_left) ? t1 : ha__late(t1);
    while (recorder->next < recorder->n_grid && ha__record_next(recorder) <= last) {
        double row = ha__record_next(recorder), b = fmin(row, t1);
        if (integrates && b > *a) {
            HA_TRY(begin_piece(recorder, *a, b, in));
        }
        in->dense(in->user, b, in->y, in->yp);
        HA_TRY(ha__project_inside(recorder->projector, b, in->y, in->yp));
        HA_TRY(ha__record_settle(recorder, b, in->y, in->yp));
        if (integrates && b > *a) {
            HA_TRY(end_piece(recorder, *a, b, in));
        }
        HA_TRY(ha__record_row(recorder, row, in->y, in->yp));
        if (is_exact) {
            ha__peaks_row(&recorder->peaks, t1, b, recorder->integrals, recorder->row + 1);
        }
        watch_row(recorder, b, in->y, in->yp);
        *a = b;
    }
    return HA_OK;
}

/* Rows, quadratures and watched quantities of a step. */
static ha_status record_step(ha__recorder *recorder, double t0, double t1, const double *y,
                             const double *yp, ha__dense dense, void *user, double *y_in,
                             double *yp_in)
{
    const ha_dae *dae = recorder->dae;
    bool integrates = dae->n_integrals > 0 && dae->rate_is_zero == 0,
         is_last = t1 >= recorder->t_end;
    bool settles =
        is_last || dae->check_reads_solved != 0 || (integrates && dae->rate_reads_solved != 0);
    const inside in = { dense, user, y_in, yp_in, dae->rate_reads_solved == 0 ? NULL : yp_in };
    size_t bytes = (size_t) dae->n * sizeof *y;
    double a = t0;

    HA_TRY(record_rows(recorder, t1, integrates, &in, &a));
    if (!settles && !integrates) { /* what was solved for is good enough as it is */
        ha__record_watch(recorder, t1, y, yp);
        return HA_OK;
    }
    if (integrates && t1 > a) {
        HA_TRY(begin_piece(recorder, a, t1, &in));
    }
    memcpy(y_in, y, bytes);
    memcpy(yp_in, yp, bytes);
    if (settles) {
        HA_TRY(ha__record_settle(recorder, t1, y_in, yp_in));
    }
    if (integrates && t1 > a) {
        HA_TRY(end_piece(recorder, a, t1, &in));
    }
    ha__record_watch(recorder, t1, y_in, yp_in);
    return is_last ? ha__record_row(recorder, t1, y_in, yp_in) : HA_OK;
}

ha_status ha__record_step(ha__recorder *recorder, double t0, double t1, const double *y,
                          const double *yp, ha__dense dense, void *user, double *y_in,
                          double *yp_in)
{
    ha__peaks *peaks = &recorder->peaks;
    const ha__inside in = { t0,
                            t1,
                            y,
                            yp,
                            dense,
                            user,
                            recorder->projector,
                            y_in,
                            yp_in,
                            settle_peak,
                            recorder,
                            recorder->settle != NULL,
                            recorder->t_left,
                            recorder->integrals,
                            recorder->n_nodes,
                            recorder->gain,
                            recorder->gain_user };

    if (recorder->n_before > 0) { /* there was no event */
        ha_result_cut(recorder->result, recorder->n_before);
        recorder->n_before = 0;
    }
    if (!ha__peaks_are_at(peaks, t0)) { /* the record went back */
        dense(user, t0, y_in, yp_in);
        ha__peaks_begin(peaks, t0, y_in, yp_in, recorder->integrals, false);
    }
    HA_TRY(record_step(recorder, t0, t1, y, yp, dense, user, y_in, yp_in));
    HA_TRY(ha__peaks_step(peaks, &in));
    HA_TRY(record_left(recorder, &in));
    recorder->t_recorded = t1;
    return HA_OK;
}
