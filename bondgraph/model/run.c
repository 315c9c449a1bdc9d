/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a compiled model: start values, stabilisation, energy book, solver. */
#include <config.h>

#include "bondgraph/model/run_options.h"
#include "bondgraph/model/run_priv.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/random.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 3 };

static const double APART = 1e3;    /* times the error of kept constraints: no longer redundant */
static const double CLOSED = 1e-6;  /* of the size of a constraint: it was kept */
static const double NUDGE = 1e-3;   /* of the size of a position */
static const double AT_REST = 1e-9; /* [m/s, rad/s ...] of what is prescribed */
static const double MOST_ALPHA = 1e40; /* [1/s] chosen; the square must leave room for masses */

/* What a run needs besides the model. */
typedef struct {
    double *y, *yp, *work, *extremes;
    ha_dae_unknown *unknowns; /* with their scales in this run */
    double parameters[BG__PARAMETER_COUNT];
} scratch;

static void scratch_free(scratch *s)
{
    HA_FREE(s->y, s->yp, s->work, s->extremes, s->unknowns);
}

static ha_status scratch_new(ha_ctx *ctx, const bg_model *m, scratch *s)
{
    HA_TRY_ALLOC(ctx, s->work, m->dae.work_size, s->extremes, m->dae.n_checks);
    HA_TRY_ALLOC_EACH(ctx, m->dae.n, s->y, s->yp, s->unknowns);
    return HA_OK;
}

/* The time scale of the motion at the start: that in which a speed or an acceleration there leads
   as far as is usual,

       T = min over the speeds v of  L / |v|, sqrt(L / |v'|);

   0 where nothing moves, or moves so little that it does not get anywhere in the run. */
static double time_scale(const bg_model *m, const scratch *s, double t_end)
{
    double rate = 0.0;

    for (int i = 0; i < m->dae.n; i++) {
        if (m->unknowns[i].motion == HA_VELOCITY && m->unknowns[i].size > 0.0) {
            rate = fmax(rate, fmax(fabs(s->y[i]) / m->unknowns[i].size,
                                   sqrt(fabs(s->yp[i]) / m->unknowns[i].size)));
        }
    }
    return rate * t_end > 1.0 ? 1.0 / rate : 0.0;
}

/* 20 / min(t_end, 1 s), or 20 / T where the motion is slower than that: a violation decays within a
   tenth of the run, of a second or of T. More than that is worse for slow motion: the errors of
   positions that the tolerance allows come back as accelerations, alpha^2 times as large. The
   solver raises it where its steps tell of motion that is faster. */
static double default_alpha(double t_end, double scale)
{
    return fmin(20.0 / (t_end > 0.0 && t_end < 1.0 ? t_end : fmax(1.0, scale)), MOST_ALPHA);
}

/* Absolute tolerances that followed the sizes that the run has reached, for what is said of it. */
static void scale_by_reached(const bg_model *m, scratch *s)
{
    for (int i = 0; i < m->dae.n; i++) {
        double reached = s->extremes[m->n_constraints + i];
        s->unknowns[i].scale = isfinite(reached) && reached > 0.0 ? reached : 1.0;
    }
}

/* Where alpha comes from. */
static const char *reason_of(const bg_run_options *options, const bg_run_report *report)
{
    return !isnan(options->alpha)            ? "as given"
           : report->solver.drift_rate > 0.0 ? "raised to 0.5 / time scale of the steps"
           : report->alpha < 20.0            ? "20 / time scale of the start"
           : report->alpha == MOST_ALPHA     ? "the most there is"
                                             : "20 / min(end time, 1 s)";
}

/* Chooses what is not given, and says why. */
static ha_status choose_alpha(ha_ctx *ctx, const bg_run_options *options, double scale, scratch *s,
                              bg_run_report *report)
{
    report->alpha =
        isnan(options->alpha) ? default_alpha(options->solver.t_end, scale) : options->alpha;
    report->beta = isnan(options->beta) ? report->alpha : options->beta;
    HA_TRY(ha__option_check(ctx, &bg__run_options[BG__RUN_alpha], NULL, report->alpha, HA_NOWHERE));
    HA_TRY(ha__option_check(ctx, &bg__run_options[BG__RUN_beta], NULL, report->beta, HA_NOWHERE));
    s->parameters[BG__PARAMETER_ALPHA] = report->alpha;
    s->parameters[BG__PARAMETER_BETA] = report->beta;
    report->alpha_reason = reason_of(options, report);
    return HA_OK;
}

/* What was watched from the start on; a nan stays, since nothing is known then. */
static void fill_report(const bg_model *m, const scratch *s, bool has_book, bg_run_report *report)
{
    const double *book = s->extremes + m->dae.n_checks - BG__BOOK_COUNT;

    if (has_book) {
        report->energy_error = book[BG__BOOK_ERROR];
        report->energy_passed =
            fmax(book[BG__BOOK_KINETIC], book[BG__BOOK_GAIN]) + report->solver.passed;
    }
    report->constraint_error = report->velocity_error = 0.0;
    for (int i = 0; i < m->n_constraints; i++) {
        double *worst = m->is_position[i] ? &report->constraint_error : &report->velocity_error;
        if (!isnan(*worst) && !(s->extremes[i] <= *worst)) {
            *worst = s->extremes[i];
        }
    }
}

/* The level at which a constraint is held: its position, or its flow where it has no position, as a
   blade that does not slip sideways. Flows of constraints that have a position follow from that. */
typedef enum { AT_POSITION, AT_VELOCITY, FOLLOWS } level;

static level level_of(const bg_model *m, int i)
{
    return m->is_position[i]                ? AT_POSITION
           : i > 0 && m->is_position[i - 1] ? FOLLOWS /* the flow is behind its position */
                                            : AT_VELOCITY;
}

/* What a position or a velocity is measured by; 0 for what is neither. */
static double size_of(const bg_model *m, const scratch *s, int unknown)
{
    const ha_motion motion = m->unknowns[unknown].motion;

    return motion == HA_POSITION   ? m->unknowns[unknown].size
           : motion == HA_VELOCITY ? s->extremes[m->n_constraints + unknown]
                                   : 0.0;
}

/* How much the constraints change where all positions change by about a thousandth of their sizes,
   and all velocities of the largest that they have had: in three random directions, the largest of
   each. `sizes` (n_checks) gets it times a thousand. */
static ha_status measure_constraints(ha_ctx *ctx, const bg_model *m, const scratch *s, double t,
                                     double *sizes)
{
    const size_t n_checks = (size_t) m->dae.n_checks;
    uint32_t state = 1;
    double *integrals = NULL, *y = NULL, *values = NULL;

    integrals = ha__alloc(ctx, (size_t) m->dae.n_integrals, sizeof *integrals);
    y = ha__alloc(ctx, (size_t) m->dae.n, sizeof *y);
    values = ha__alloc(ctx, 2 * n_checks, sizeof *values);
    bool is_good = integrals != NULL && y != NULL && values != NULL;
    for (int turn = 0; turn < DIRECTIONS && is_good; turn++) {
        for (int i = 0; i < m->dae.n; i++) {
            double share = ha__random_sign(&state), size = size_of(m, s, i);
            y[i] = s->y[i] + (isfinite(size) ? NUDGE * share * size : 0.0);
        }
        m->dae.check(m, s->work, t, s->y, s->yp, integrals, values);
        m->dae.check(m, s->work, t, y, s->yp, integrals, values + n_checks);
        for (size_t i = 0; i < n_checks; i++) {
            double change = fabs(values[n_checks + i] - values[i]) / NUDGE;
            sizes[i] = isfinite(change) ? fmax(sizes[i], change) : sizes[i];
        }
    }
    HA_FREE(integrals, y, values);
    return is_good ? HA_OK : HA_ERR_MEMORY;
}

/* The released constraint of a level that came apart most beside its size; -1: all were kept by the
   others. */
static int find_apart(const bg_model *m, const double *extremes, const double *sizes, level at)
{
    double others = 0.0, largest = 0.0;
    int worst = -1;

    for (int i = 0; i < m->n_constraints; i++) {
        double error = sizes[i] > 0.0 ? extremes[i] / sizes[i] : extremes[i];
        if (!m->is_released[i] && m->is_position[i] == (at == AT_POSITION)) {
            others = fmax(others, error);
        } else if (m->is_released[i] && level_of(m, i) == at && (worst < 0 || error > largest)) {
            largest = error;
            worst = i;
        }
    }
    return largest > APART * others + CLOSED ? worst : -1;
}

static ha_status fail_apart(ha_ctx *ctx, const bg_model *m, const scratch *s, int worst)
{
    char digits[HA__NUMBER_SIZE];
    const bool is_place = m->is_position[worst];

    return ha_fail(ctx, HA_ERR_SINGULAR, HA_NOWHERE,
                   "the %s follows from the others at the start but came apart by %s (in SI "
                   "units%s) in the run: the start is a singular position; start from another "
                   "position%s",
                   m->constraints[worst], ha__print_rounded_number(digits, s->extremes[worst], 3),
                   is_place ? "" : ", a velocity",
                   is_place ? "" : ", or write the row so that it takes part from the start on");
}

/* A constraint that was taken for redundant at the start must have been kept by the others. */
static ha_status check_released(ha_ctx *ctx, const bg_model *m, const scratch *s, double t)
{
    double *sizes = NULL;
    bool is_any = false;

    for (int i = 0; i < m->n_constraints; i++) {
        is_any = is_any || m->is_released[i];
    }
    if (!is_any) {
        return HA_OK;
    }
    HA_TRY_ALLOC(ctx, sizes, m->dae.n_checks);
    ha_status status = measure_constraints(ctx, m, s, t, sizes);
    int worst = status == HA_OK ? find_apart(m, s->extremes, sizes, AT_POSITION) : -1;
    worst = status == HA_OK && worst < 0 ? find_apart(m, s->extremes, sizes, AT_VELOCITY) : worst;
    ha__free(sizes);
    return status == HA_OK && worst >= 0 ? fail_apart(ctx, m, s, worst) : status;
}

/* The consistent start; what cannot be evaluated is said in terms of the elements. */
static ha_status start(ha_ctx *ctx, const bg_model *m, const double *parameters, double *work,
                       double *y, double *yp)
{
    m->dae.prepare(m, parameters, work);
    HA_TRY(bg__model_check_values(ctx, m, work, y, yp));
    HA_TRY(ha_dae_start(ctx, &m->dae, parameters, 0.0, y, yp));
    return bg__meet_start(ctx, m, parameters, work, y, yp);
}

/* What is to be said about a run that has come to its end. */
static ha_status judge(ha_ctx *ctx, const bg_model *m, const ha_dae_options *solver, scratch *s,
                       const bg_run_report *report)
{
    ha_dae dae = m->dae;
    const bg__book_terms terms = {
        solver->rtol, s->parameters[BG__PARAMETER_ENERGY],
        s->extremes[m->dae.n_checks - BG__BOOK_COUNT + BG__BOOK_PASSED]
    };

    if (m->dae.n > 0) {
        memcpy(s->unknowns, m->unknowns, (size_t) m->dae.n * sizeof *s->unknowns);
    }
    dae.unknowns = s->unknowns;
    if (solver->atol > 0.0) {
        HA_TRY(bg__warn_of_coarse_tolerance(ctx, &dae, solver->atol, s->extremes + m->n_constraints,
                                            s->work, s->y, s->yp));
    } else {
        scale_by_reached(m, s);
    }
    HA_TRY(check_released(ctx, m, s, solver->t_end));
    return solver->is_motion_only ? HA_OK
                                  : bg__judge_book(ctx, &dae, &terms, report, s->work, s->y, s->yp);
}

/* At rest everything stands, but a motion that is prescribed may begin with a velocity. */
static ha_status check_drives_rest(ha_ctx *ctx, const bg_model *m, const scratch *s)
{
    const ha_dae *dae = &m->dae;
    double *phi = ha__alloc(ctx, 2 * (size_t) dae->n_conditions, sizeof *phi);
    ha_status status = phi == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK && dae->n_conditions > 0) {
        dae->prepare(m, s->parameters, s->work);
        dae->condition(m, s->work, 0.0, s->y, phi, phi + dae->n_conditions);
    }
    for (int i = 0; i < dae->n_conditions && status == HA_OK; i++) {
        double speed = fabs(phi[dae->n_conditions + i]);
        if (speed > AT_REST) {
            status = ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                             "the run cannot start at rest: the %s moves with %g (in SI units) at "
                             "t = 0; let what is prescribed there begin at rest, as by a ramp, or "
                             "leave the equilibrium out",
                             dae->equations[dae->condition_row[i]], speed);
        }
    }
    ha__free(phi);
    return status;
}

/* The equilibrium to which the search of `statics` comes from the start; one that is unstable is
   not left. */
static ha_status find_rest(ha_ctx *ctx, const bg_model *m, scratch *s)
{
    const double parameters[BG__PARAMETER_COUNT] = { BG__REST_DRIFT, BG__REST_DRIFT, 0.0 };

    return ha_dae_rest(ctx, &m->dae, parameters, 0.0, NULL, s->y, NULL, NULL);
}

/* The start of a run in `s`, and alpha and beta, which follow from it, in the report. */
static ha_status begin(ha_ctx *ctx, const bg_model *m, const bg_run_options *options, scratch *s,
                       bg_run_report *report)
{
    HA_TRY(choose_alpha(ctx, options, 0.0, s, report));
    bg_model_start(m, s->y);
    if (options->start != NULL && m->dae.n > 0) {
        memcpy(s->y, options->start, (size_t) m->dae.n * sizeof *s->y);
    }

    if (options->from == BG_FROM_PERIODIC) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "a run does not look for a cycle itself: start it from what bg_periodic() "
                       "found");
    }
    if (options->from == BG_FROM_EQUILIBRIUM) {
        HA_TRY(find_rest(ctx, m, s));
        HA_TRY(check_drives_rest(ctx, m, s));
    }
    /* the stored energy at the start may depend on what the consistent start finds */
    HA_TRY(start(ctx, m, s->parameters, s->work, s->y, s->yp));
    return choose_alpha(ctx, options, time_scale(m, s, options->solver.t_end), s, report);
}

static ha_status run(ha_ctx *ctx, const bg_model *m, const bg_run_options *options, scratch *s,
                     ha_result *result, bg_run_report *report)
{
    HA_TRY(begin(ctx, m, options, s, report));
    ha_dae_options solver = options->solver;
    if (isnan(options->alpha) && isnan(options->beta) && !m->keeps_alpha) {
        solver.drift_rate = report->alpha;
    }
    /* f' + 2 alpha f + beta^2 phi = 0, also where there is no phi */
    solver.drift_bound = m->is_stabilised ? 2.0 * fmax(report->alpha, report->beta) : 0.0;
    s->parameters[BG__PARAMETER_ENERGY] = bg__model_stored(m, s->work, s->y, s->yp);

    report->atol = solver.atol == 0.0 ? solver.rtol : solver.atol;
    report->reads_alpha = m->keeps_alpha;

    ha_status status = ha_dae_run(ctx, &m->dae, &solver, s->parameters, s->y, s->yp, result,
                                  s->extremes, &report->solver);
    if (options->last != NULL && m->dae.n > 0) {
        memcpy(options->last, s->y, (size_t) m->dae.n * sizeof *s->y);
    }
    if (ha_result_n_rows(result) > 0) {
        fill_report(m, s, !solver.is_motion_only, report);
    }
    if (report->solver.drift_rate > 0.0) {
        report->alpha = report->beta = report->solver.drift_rate;
    }
    report->alpha_reason = reason_of(options, report);
    if (status == HA_OK) {
        bg__warn_of_no_numbers(result);
        status = judge(ctx, m, &solver, s, report);
    }
    return status;
}

ha_status bg_model_run(ha_ctx *ctx, const bg_model *model, const bg_run_options *options,
                       ha_result *result, bg_run_report *report)
{
    HA_NEED(ctx,
            ctx != NULL && model != NULL && options != NULL && result != NULL && report != NULL);
    scratch s = { 0 };
    bg_run_report found = { .alpha = (double) NAN,
                            .beta = (double) NAN,
                            .energy_error = (double) NAN,
                            .energy_passed = (double) NAN,
                            .constraint_error = (double) NAN,
                            .velocity_error = (double) NAN,
                            .atol = (double) NAN };
    ha_status status = scratch_new(ctx, model, &s);

    HA_THEN(status, run(ctx, model, options, &s, result, &found));
    scratch_free(&s);
    *report = found;
    return status;
}

ha_status bg__model_stabilisation(ha_ctx *ctx, const bg_model *m, const bg_run_options *options,
                                  double out[2])
{
    scratch s = { 0 };
    bg_run_report report = { 0 };
    ha_status status = scratch_new(ctx, m, &s);

    HA_THEN(status, begin(ctx, m, options, &s, &report));
    scratch_free(&s);
    if (status == HA_OK) {
        out[0] = report.alpha;
        out[1] = report.beta;
    }
    return status;
}

ha_status bg_model_probe(ha_ctx *ctx, const bg_model *model, double *y)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && y != NULL);
    const double parameters[BG__PARAMETER_COUNT] = { 0 };
    scratch s = { 0 };
    ha_status status = scratch_new(ctx, model, &s);

    HA_THEN(status, start(ctx, model, parameters, s.work, y, s.yp));
    scratch_free(&s);
    return status;
}

ha_status bg_simulate(bg_graph *graph, const bg_run_options *options, ha_result *result,
                      bg_run_report *report)
{
    HA_NEED_OF(graph, options != NULL && result != NULL);
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    bg_run_report unwanted;
    ha_status status = bg_causality_assign(graph, &causality);

    HA_THEN(status, bg_equations_derive(causality, &equations));
    HA_THEN(status,
            bg_model_compile_for(equations, NULL, 0, (ha_driver) options->solver.driver, &model));
    HA_THEN(status,
            bg_model_run(graph->ctx, model, options, result, report == NULL ? &unwanted : report));
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    return status;
}
