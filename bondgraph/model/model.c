/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiled model at work: what the solver calls, what is checked at a start, what it is asked.
 *
 * All tapes have the same inputs (model_priv.h). The scratch memory of a run is one work array for
 * each tape, one behind the other, a second one for the tape of the clocks and more for that which
 * encloses switching functions. The tape of the
 * Jacobian goes on where that of the residual ends, in the same array; the time there is not a
 * number as long as the residual is not that of the inputs.
 */
#include <config.h>

#include "bondgraph/model/model_priv.h"
#include "lib/core/need.h"
#include "lib/core/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- callbacks ------------------------------------------------------------------------------ */

static double *tape_work(const bg_model *m, double *work, bg__tape_kind kind)
{
    return work + m->offset[kind];
}

/* Puts the inputs that change into a tape's work array; returns it. */
static double *put(const bg_model *m, double *work, bg__tape_kind kind, double t, const double *y,
                   const double *yp)
{
    double *w = tape_work(m, work, kind);
    size_t n = (size_t) m->dae.n;

    w[BG__IN_T] = t;
    if (n > 0) {
        memcpy(w + BG__IN_Y, y, n * sizeof *y);
    }
    if (n > 0 && m->reads_rates[kind]) {
        memcpy(w + BG__IN_Y + n, yp, n * sizeof *yp);
    }
    return w;
}

/* Where the quadratures but the first two begin among the inputs: behind the sides of switches. */
static int others_at(const bg_model *m)
{
    return BG__IN_Y + 2 * m->dae.n + m->dae.n_switches;
}

/* The inputs of a linearisation are the last ones. */
static void deviate(const bg_model *m, double *w, double deviation)
{
    int n_losses = m->dae.n_integrals > 2 ? m->dae.n_integrals - 2 : 0;

    if (m->n_inputs > 0) {
        w[others_at(m) + n_losses] = deviation;
    }
}

void bg__model_deviate(const bg_model *m, double *work, double deviation)
{
    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        deviate(m, tape_work(m, work, (bg__tape_kind) k), deviation);
    }
}

void bg__model_prepare_tape(const bg_model *m, bg__tape_kind kind, const double *parameters,
                            double *w)
{
    ha__tape_prepare(m->tapes[kind], w);
    w[BG__IN_T] = (double) NAN;
    w[BG__IN_CJ] = 0.0;
    w[BG__IN_ALPHA] = parameters[BG__PARAMETER_ALPHA];
    w[BG__IN_BETA] = parameters[BG__PARAMETER_BETA];
    w[BG__IN_ENERGY] = parameters[BG__PARAMETER_ENERGY];
    w[BG__IN_WORK] = w[BG__IN_LOSS] = 0.0;
    for (int i = 0; i < m->dae.n_switches; i++) {
        w[BG__IN_Y + 2 * m->dae.n + i] = 1.0;
    }
    int n_others = (m->dae.n_integrals > 2 ? m->dae.n_integrals - 2 : 0) + m->n_inputs;
    for (int i = 0; i < n_others; i++) {
        w[others_at(m) + i] = 0.0;
    }
    deviate(m, w, parameters[BG__PARAMETER_DEVIATION]);
    for (int i = 0; i < m->n_variables; i++) {
        w[m->variables_at + (size_t) i] = m->values_now[i];
    }
}

/* A work array more of the tape that encloses. */
static double *enclosure_work(const bg_model *m, double *work, int array)
{
    return work + m->enclosure + (size_t) array * ha__tape_work_size(m->tapes[BG__TAPE_ENCLOSE]);
}

static void prepare(const void *model, const double *parameters, double *work)
{
    const bg_model *m = model;
    size_t size = ha__tape_work_size(m->tapes[BG__TAPE_ENCLOSE]);

    bg__model_prepare_tape(m, BG__TAPE_ENCLOSE, parameters, enclosure_work(m, work, BG__LOW));
    bg__model_prepare_tape(m, BG__TAPE_ENCLOSE, parameters, enclosure_work(m, work, BG__HIGH));
    memset(enclosure_work(m, work, BG__SLOPE_LOW), 0, 2 * size * sizeof *work);

    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        bg__model_prepare_tape(m, (bg__tape_kind) k, parameters,
                               tape_work(m, work, (bg__tape_kind) k));
    }
    bg__model_prepare_tape(m, BG__TAPE_CLOCK, parameters, work + m->clock_high);
    bg__model_prepare_tape(m, BG__TAPE_SIGNAL, parameters, work + m->signal_high);
}

static void residual(const void *model, double *work, double t, const double *y, const double *yp,
                     double *r)
{
    const bg_model *m = model;

    ha__tape_run(m->tapes[BG__TAPE_RESIDUAL], put(m, work, BG__TAPE_RESIDUAL, t, y, yp), r);
}

/* True where the residual was computed last. */
static bool is_where_residual_was(const bg_model *m, const double *w, double t, const double *y,
                                  const double *yp)
{
    size_t n = (size_t) m->dae.n;

    return w[BG__IN_T] == t && (n == 0 || (memcmp(w + BG__IN_Y, y, n * sizeof *y) == 0 &&
                                           memcmp(w + BG__IN_Y + n, yp, n * sizeof *yp) == 0));
}

static void jacobian(const void *model, double *work, double t, double cj, const double *y,
                     const double *yp, double *values)
{
    const bg_model *m = model;
    double *w = tape_work(m, work, BG__TAPE_JACOBIAN);

    if (!is_where_residual_was(m, w, t, y, yp)) {
        residual(m, work, t, y, yp, w + ha__tape_work_size(m->tapes[BG__TAPE_JACOBIAN]));
    }
    w[BG__IN_CJ] = cj;
    ha__tape_run(m->tapes[BG__TAPE_JACOBIAN], w, values);
}

/* Its expressions are free of y' and of the algebraic unknowns. */
static void start_system(const void *model, double *work, double t, const double *y, double *values)
{
    const bg_model *m = model;
    double *w = tape_work(m, work, BG__TAPE_START);

    w[BG__IN_T] = t;
    memcpy(w + BG__IN_Y, y, (size_t) m->dae.n * sizeof *y);
    ha__tape_run(m->tapes[BG__TAPE_START], w, values);
}

static void with_integrals(const bg_model *m, double *work, bg__tape_kind kind, double t,
                           const double *y, const double *yp, const double *integrals, double *out)
{
    double *w = put(m, work, kind, t, y, yp);

    w[BG__IN_WORK] = integrals[0];
    w[BG__IN_LOSS] = integrals[1];
    for (int i = 2; i < m->dae.n_integrals; i++) {
        w[others_at(m) + i - 2] = integrals[i];
    }
    ha__tape_run(m->tapes[kind], w, out);
}

static void output(const void *model, double *work, double t, const double *y, const double *yp,
                   const double *integrals, double *out)
{
    with_integrals(model, work, BG__TAPE_OUTPUT, t, y, yp, integrals, out);
}

static void held_output(const void *model, double *work, double t, const double *y,
                        const double *yp, const double *integrals, double *out)
{
    with_integrals(model, work, BG__TAPE_HELD, t, y, yp, integrals, out);
}

static void rate(const void *model, double *work, double t, const double *y, const double *yp,
                 double *rates)
{
    const bg_model *m = model;

    ha__tape_run(m->tapes[BG__TAPE_RATE], put(m, work, BG__TAPE_RATE, t, y, yp), rates);
}

static void check(const void *model, double *work, double t, const double *y, const double *yp,
                  const double *integrals, double *watched)
{
    with_integrals(model, work, BG__TAPE_CHECK, t, y, yp, integrals, watched);
}

static void switching(const void *model, double *work, double t, const double *y, const double *yp,
                      double *values)
{
    const bg_model *m = model;

    ha__tape_run(m->tapes[BG__TAPE_SWITCH], put(m, work, BG__TAPE_SWITCH, t, y, yp), values);
}

static void sample(const void *model, double *work, double t, const double *y, const double *yp,
                   double *values)
{
    const bg_model *m = model;

    ha__tape_run(m->tapes[BG__TAPE_SAMPLE], put(m, work, BG__TAPE_SAMPLE, t, y, yp), values);
}

static void put_sides(const bg_model *m, double *w, const signed char *sides)
{
    w[BG__IN_T] = (double) NAN;
    for (int i = 0; i < m->dae.n_switches; i++) {
        w[BG__IN_Y + 2 * m->dae.n + i] = (double) sides[i];
    }
}

/* f and phi are expressions of t, y and parameters alone: y' is not looked at. */
static void condition(const void *model, double *work, double t, const double *y, double *phi,
                      double *f)
{
    const bg_model *m = model;
    int n = m->dae.n_conditions;
    double *w = tape_work(m, work, BG__TAPE_CONDITION);
    double *out = w + ha__tape_work_size(m->tapes[BG__TAPE_CONDITION]);

    w[BG__IN_T] = t;
    memcpy(w + BG__IN_Y, y, (size_t) m->dae.n * sizeof *y);
    ha__tape_run(m->tapes[BG__TAPE_CONDITION], w, out);
    memcpy(phi, out, (size_t) n * sizeof *phi);
    memcpy(f, out + n, (size_t) n * sizeof *f);
}

static void set_drift_rate(const void *model, double *work, double rate)
{
    const bg_model *m = model;

    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        double *w = tape_work(m, work, (bg__tape_kind) k);
        w[BG__IN_ALPHA] = w[BG__IN_BETA] = rate;
        w[BG__IN_T] = (double) NAN;
    }
}

static void set_sides(const void *model, double *work, const signed char *sides)
{
    const bg_model *m = model;

    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        put_sides(m, tape_work(m, work, (bg__tape_kind) k), sides);
    }
    put_sides(m, work + m->clock_high, sides);
    put_sides(m, work + m->signal_high, sides);
    put_sides(m, enclosure_work(m, work, BG__LOW), sides);
    put_sides(m, enclosure_work(m, work, BG__HIGH), sides);
}

static void clocks(const void *model, double *work, double t0, double t1, double *low, double *high)
{
    const bg_model *m = model;
    double *from = tape_work(m, work, BG__TAPE_CLOCK), *to = work + m->clock_high;

    from[BG__IN_T] = t0;
    to[BG__IN_T] = t1;
    ha__tape_range(m->tapes[BG__TAPE_CLOCK], from, to, low, high);
}

static void signals(const void *model, double *work, double t0, double t1, double *low,
                    double *high)
{
    const bg_model *m = model;
    double *from = tape_work(m, work, BG__TAPE_SIGNAL), *to = work + m->signal_high;

    from[BG__IN_T] = t0;
    to[BG__IN_T] = t1;
    ha__tape_range(m->tapes[BG__TAPE_SIGNAL], from, to, low, high);
}

/* Puts a span into the work arrays. */
static ha__tape_span put_span(const bg_model *m, double *work, const ha_dae_span *span)
{
    ha__tape_span w = { span->half,
                        tape_work(m, work, BG__TAPE_ENCLOSE),
                        enclosure_work(m, work, BG__LOW),
                        enclosure_work(m, work, BG__HIGH),
                        enclosure_work(m, work, BG__SLOPE_LOW),
                        enclosure_work(m, work, BG__SLOPE_HIGH),
                        enclosure_work(m, work, BG__ENCLOSURE_ARRAYS) };

    w.middle[BG__IN_T] = span->t;
    w.low[BG__IN_T] = span->t - span->half;
    w.high[BG__IN_T] = span->t + span->half;
    w.slope_low[BG__IN_T] = w.slope_high[BG__IN_T] = 1.0;
    for (int i = 0; i < m->dae.n_switch_inputs; i++) {
        int at = BG__IN_Y + m->switch_inputs[i];
        w.middle[at] = span->middle[i];
        w.low[at] = span->low[i];
        w.high[at] = span->high[i];
        w.slope_low[at] = span->slope_low[i];
        w.slope_high[at] = span->slope_high[i];
    }
    return w;
}

static void enclose(const void *model, double *work, const ha_dae_span *span, double *low,
                    double *high, double *slope_low, double *slope_high)
{
    const bg_model *m = model;
    const ha__tape_span w = put_span(m, work, span);
    int n = m->dae.n_switches;
    ha__range *values = (ha__range *) (w.out + n), *slopes = values + n;

    ha__tape_enclose(m->tapes[BG__TAPE_ENCLOSE], &w, values, slopes);
    for (int i = 0; i < n; i++) {
        low[i] = values[i].low;
        high[i] = values[i].high;
        slope_low[i] = slopes[i].low;
        slope_high[i] = slopes[i].high;
    }
}

/* What must not jump at an event. */
static void kept(const void *model, double *work, double t, const double *y, const double *yp,
                 double *values)
{
    const bg_model *m = model;

    ha__tape_run(m->tapes[BG__TAPE_KEEP], put(m, work, BG__TAPE_KEEP, t, y, yp), values);
}

double bg__model_stored(const bg_model *m, double *work, const double *y, const double *yp)
{
    double stored = 0.0;

    ha__tape_run(m->tapes[BG__TAPE_STORED], put(m, work, BG__TAPE_STORED, 0.0, y, yp), &stored);
    return stored;
}

/* True when every equation has a finite value; `r` (n) is room. */
static bool is_finite(const bg_model *m, double *work, const double *y, const double *yp, double *r)
{
    residual(m, work, 0.0, y, yp, r);
    for (int i = 0; i < m->dae.n; i++) {
        if (!isfinite(r[i])) {
            return false;
        }
    }
    return true;
}

/* An error for each value that is not finite. */
static ha_status refuse_values(ha_ctx *ctx, const bg_model *m, const double *values)
{
    ha_status status = HA_OK;

    for (int i = 0; i < m->n_values; i++) {
        if (!isfinite(values[i])) {
            char digits[HA__NUMBER_SIZE];
            status = ha_fail(ctx, HA_ERR_VALUE, m->values[i].where,
                             "the value of `%s` is %s at t = 0; change its expression or the start "
                             "values, so that it is a finite number from the start",
                             m->values[i].name, ha__print_short_number(digits, values[i]));
        }
    }
    return status;
}

ha_status bg__model_check_values(ha_ctx *ctx, const bg_model *m, double *work, const double *y,
                                 const double *yp)
{
    double *room = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(ctx, room, (size_t) m->dae.n + (size_t) m->n_values);
    if (!is_finite(m, work, y, yp, room)) {
        double *values = room + m->dae.n;
        ha__tape_run(m->tapes[BG__TAPE_VALUE], put(m, work, BG__TAPE_VALUE, 0.0, y, yp), values);
        status = refuse_values(ctx, m, values);
    }
    ha__free(room);
    return status;
}

void bg__model_dependents(const bg_model *m, double *work, const double *y, const double *yp,
                          double *found)
{
    ha__tape_run(m->tapes[BG__TAPE_DEPENDENT], put(m, work, BG__TAPE_DEPENDENT, 0.0, y, yp), found);
}

void bg__model_bind(bg_model *m, int n)
{
    m->dae = (ha_dae){ .model = m,
                       .n = n,
                       .prepare = prepare,
                       .residual = residual,
                       .jacobian = jacobian,
                       .start_system = start_system,
                       .output = output,
                       .held_output = held_output,
                       .rate = rate,
                       .check = check,
                       .switching = switching,
                       .set_sides = set_sides,
                       .sample = sample,
                       .clocks = clocks,
                       .signals = signals,
                       .enclose = enclose,
                       .keep = kept,
                       .condition = condition,
                       .set_drift_rate = set_drift_rate };
}

/* --- freeing --------------------------------------------------------------------------------- */

void bg_model_free(bg_model *m)
{
    if (m == NULL) {
        return;
    }
    if (m->is_copy) {
        HA_FREE(m->values_now, m->unknowns, m->holds, m->dependents, m);
        return;
    }
    HA_FREE(m->variables, m->values_now, m->initial);
    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        ha__tape_free(m->tapes[k]);
    }
    HA_FREE(m->column_start, m->row, m->start_column, m->start_row, m->start_index,
            m->start_constant, m->outputs, m->output_is_direct, m->output_may_jump, m->unknowns,
            m->names, m->by_name, m->equations, m->switches, m->is_turned, m->is_summed,
            m->is_clock, m->reads_solved, m->switch_inputs, m->holds, m->sample_inputs,
            m->continuous, m->round_off, m->absences, m->is_position, m->is_released, m->follows,
            m->constraints, m->condition_row, m->lacks_place, m->is_switched, m->values,
            m->dependents, m->linear, m->edges, m->inputs, m->has_content, m->conditions,
            m->switched_row);
    ha__native_free(m->native);
    ha__arena_clear(&m->arena);
    ha__free(m);
}

/* --- what is in it -------------------------------------------------------------------------- */

const ha_dae *bg_model_dae(const bg_model *m)
{
    HA_NEED_ELSE(m != NULL, NULL);
    return &m->dae;
}

int bg_model_n_unknowns(const bg_model *m)
{
    HA_NEED_ELSE(m != NULL, 0);
    return m->dae.n;
}

int bg_model_n_states(const bg_model *m)
{
    HA_NEED_ELSE(m != NULL, 0);
    return m->n_states;
}

int bg_model_n_multipliers(const bg_model *m)
{
    HA_NEED_ELSE(m != NULL, 0);
    return m->n_multipliers;
}

int bg_model_find_unknown(const bg_model *m, const char *name)
{
    HA_NEED_ELSE(m != NULL && name != NULL, -1);
    int low = 0, high = m->dae.n; /* the first whose name is not before this one */

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(m->names[m->by_name[middle]], name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < m->dae.n && strcmp(m->names[m->by_name[low]], name) == 0 ? m->by_name[low] : -1;
}

const char *bg_model_unknown_name(const bg_model *m, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_model_n_unknowns(m)), "");
    return m->names[i];
}

void bg_model_start(const bg_model *m, double *y)
{
    HA_NEED_ELSE(m != NULL && y != NULL, );
    for (int i = 0; i < m->dae.n; i++) {
        y[i] = m->unknowns[i].start;
    }
}
