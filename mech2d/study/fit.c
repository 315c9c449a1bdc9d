/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits: of the parameters p the ones that make
 *
 *     chi^2 = sum over all data (f (y(t; p) - y_measured))^2,   f = 1 / sigma or sqrt(weight),
 *
 * least (lib/linalg/marquardt.c). Runs end at the last time of the data and have rows at all
 * others. Where no derivatives are needed, the model that was compiled once runs with other values
 * (prepared.c); dy/dp are exact sensitivities along the motion (sensitivity.c). A run that fails
 * makes the step shorter; it is counted and not told.
 */
#include <config.h>

#include "mech2d/study/fit.h"

#include "lib/core/context_priv.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/linalg/marquardt.h"
#include "mech2d/sensitivity.h"
#include "mech2d/study/pass_errors.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { RUNS = 200 }; /* for each parameter, at most */

static const double STEP = 1e-3;         /* of rtol: a step that leads nowhere */
static const double LEAST_STEP = 1e-13;  /* and its least */
static const double NOTHING = 1e-3;      /* of the start value */
static const double LOOSE = 1.0;         /* times rtol: derivatives are not better */
static const double LEAST_LOOSE = 1e-10; /* and its least */

typedef struct {
    ha_ctx *ctx;
    const m2d_fit_def *def;
    m2d_fit *fit;
    m2d__fit_data data; /* in the units of the outputs */
    ha__arena arena;
    ha_ctx *own;             /* of the runs, whose errors are not told */
    m2d_source source;       /* with the outputs that were measured */
    m2d_variable *variables; /* (n) */
    const char **paths;      /* (n) */
    m2d_prepared *model;
    double *times; /* (n_times) of the data between start and end */
    size_t n_times;
    size_t *row;                  /* (n_rows) of each time of the data in the table of a run */
    double *least, *most, *size;  /* (n) */
    double *residuals, *jacobian; /* (m), (m x n) */
    ha__marquardt_report report;
} work;

static int n_data(const work *w)
{
    return (int) (w->data.n_rows * w->data.n_outputs);
}

/* --- errors --------------------------------------------------------------------------------- */

/* Tells what was said of a run: outputs at the header of the data, values where they are fitted. */
static ha_status pass_errors(work *w, ha_status status)
{
    const m2d__handed_over given = { .outputs = w->data.outputs,
                                     .n_outputs = w->data.n_outputs,
                                     .where = { w->def->where.file, 1, 0 },
                                     .variables = w->variables,
                                     .n_variables = (size_t) w->fit->n };

    return m2d__pass_errors(w->ctx, w->own, status, &given);
}

/* Whether a status ends the fit rather than the run. */
static bool is_of_all(ha_status status)
{
    return status == HA_ERR_MEMORY || status == HA_ERR_INTERRUPTED || status == HA_ERR_INTERNAL;
}

/* --- runs ----------------------------------------------------------------------------------- */

/* The options of all runs. */
static ha_status set_options(void *user, bg_run_options *options)
{
    const work *w = user;
    const m2d__fit_data *d = &w->data;

    HA_TRY(w->def->adjust == NULL ? HA_OK : w->def->adjust(w->def->user, options));
    options->digits = 0;
    options->solver.events = HA_EVENT_ROWS_NONE;
    options->solver.peaks = NULL;
    options->solver.t_end = d->times[d->n_rows - 1];
    options->solver.times = w->times;
    options->solver.n_times = w->n_times;
    return HA_OK;
}

static void set_values(work *w, const double *x)
{
    for (int j = 0; j < w->fit->n; j++) {
        m2d_prepared_set(w->model, j, x[j]);
    }
}

static ha_status run(work *w, const double *x, ha_result *result)
{
    bg_run_report report;

    ha_ctx_clear(w->own);
    set_values(w, x);
    HA_TRY(m2d_prepared_update(w->model));
    bg_run_options options = *m2d_prepared_options(w->model); /* which may follow from the values */
    HA_TRY(set_options(w, &options));
    HA_TRY(m2d_prepared_run(w->model, &options, result, &report));
    return ha_result_n_rows(result) == w->n_times + 2 ? HA_OK : HA_ERR_SOLVER;
}

/* f (y - y_measured), output by output. */
static void take_residuals(const work *w, const ha_result *result, double *r)
{
    const m2d__fit_data *d = &w->data;

    for (size_t k = 0; k < d->n_outputs; k++) {
        size_t column = (size_t) ha_result_find(result, d->outputs[k]);
        for (size_t i = 0; i < d->n_rows; i++) {
            size_t at = k * d->n_rows + i;
            double y = ha_result_value(result, w->row[i], column);
            r[at] = d->factors[at] == 0.0 ? 0.0 : d->factors[at] * (y - d->values[at]);
        }
    }
}

static ha_status find_residuals(void *user, const double *x, double *r, bool *exists)
{
    work *w = user;
    ha_result *result = ha_result_new(w->own);
    ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;

    HA_THEN(status, run(w, x, result));
    if (status == HA_OK) {
        take_residuals(w, result, r);
    }
    ha_result_free(result);
    *exists = status == HA_OK;
    return is_of_all(status) ? status : HA_OK;
}

/* --- derivatives ---------------------------------------------------------------------------- */

/* The source with the values as overrides, behind its own. */
static ha_status override(work *w, const double *x, ha__arena *arena, m2d_source *out)
{
    size_t n_sets = (size_t) w->source.n_sets, n = (size_t) w->fit->n;
    const char **sets = ha__arena_alloc(w->own, arena, n_sets + n, sizeof *sets);
    char digits[HA__NUMBER_SIZE];

    HA_TRY_MEMORY(sets);
    for (size_t i = 0; i < n_sets; i++) {
        sets[i] = w->source.sets[i];
    }
    for (size_t j = 0; j < n; j++) {
        const m2d_variable *v = &w->variables[j];
        ha__print_number(digits, x[j]);
        HA_TRY_GET(sets[n_sets + j], ha__arena_format(w->own, arena, "%s=%s %s", v->path, digits,
                                                      v->unit != NULL ? v->unit : ""));
    }
    *out = w->source;
    out->sets = sets;
    out->n_sets = (int) (n_sets + n);
    return HA_OK;
}

/* The derivatives of an output, which the table of curves has for all parameters. */
static ha_status take_derivatives(const work *w, const ha_result *curves, size_t output, double *a)
{
    const m2d__fit_data *d = &w->data;
    ha__strbuf name = HA_STRBUF(w->own);

    for (size_t j = 0; j < (size_t) w->fit->n; j++) {
        ha__strbuf_clear(&name);
        ha__strbuf_addf(&name, "d(%s)/d(%s)", d->outputs[output], w->paths[j]);
        int column = name.status == HA_OK ? ha_result_find(curves, ha__strbuf_text(&name)) : -1;
        for (size_t i = 0; i < d->n_rows && column >= 0; i++) {
            size_t at = output * d->n_rows + i;
            a[j * (size_t) n_data(w) + at] =
                d->factors[at] * ha_result_value(curves, w->row[i], (size_t) column);
        }
        ha__strbuf_clear(&name);
        if (column < 0) {
            return ha_fail(
                w->own, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                "`%s` cannot be fitted: it reads energy.error, what the energies are off by, "
                "which has no derivative",
                d->outputs[output]);
        }
    }
    return HA_OK;
}

static ha_status differentiate(work *w, const double *x, ha__arena *arena, ha_result *curves,
                               double *a)
{
    m2d_source source;
    bg_sensitivity sensitivity = { 0 };

    HA_TRY(override(w, x, arena, &source));
    const m2d_sensitivity_def def = { .source = &source,
                                      .parameters = w->paths,
                                      .n_parameters = w->fit->n,
                                      .adjust = set_options,
                                      .user = w,
                                      .curves = curves };
    ha_status status = m2d_sensitivities(w->own, &def, NULL, &sensitivity);
    bg_sensitivity_clear(&sensitivity);
    for (size_t k = 0; k < w->data.n_outputs; k++) {
        HA_THEN(status, take_derivatives(w, curves, k, a));
    }
    return status;
}

static ha_status find_jacobian(void *user, const double *x, double *a)
{
    work *w = user;
    ha__arena arena = { 0 };

    ha_ctx_clear(w->own);
    ha_result *curves = ha_result_new(w->own);
    ha_status status = curves == NULL ? HA_ERR_MEMORY : differentiate(w, x, &arena, curves, a);
    ha_result_free(curves);
    ha__arena_clear(&arena);
    return pass_errors(w, status);
}

/* --- the whole ------------------------------------------------------------------------------ */

/* The times at which runs have rows, and in which each time of the data is. */
static ha_status plan_rows(work *w)
{
    const m2d__fit_data *d = &w->data;

    HA_TRY_ALLOC_EACH(w->ctx, d->n_rows, w->times, w->row);
    for (size_t i = 0; i < d->n_rows; i++) {
        bool is_between = d->times[i] > 0.0 && i + 1 < d->n_rows;
        if (is_between) {
            w->times[w->n_times++] = d->times[i];
        }
        w->row[i] = d->times[i] == 0.0 ? 0 : w->n_times + (is_between ? 0 : 1);
    }
    return HA_OK;
}

static ha_status check_bounds(ha_ctx *ctx, const m2d_fit_parameter *p)
{
    char text[3][HA__NUMBER_SIZE];
    double start = p->variable.value;

    if (!(p->least < p->most)) {
        return ha_fail(ctx, HA_ERR_VALUE, p->variable.where,
                       "the bounds of `%s` are crossed: `min` is %s and `max` is %s; `min` must be "
                       "less",
                       p->variable.path, ha__print_rounded_number(text[0], p->least, 9),
                       ha__print_rounded_number(text[1], p->most, 9));
    }
    return isfinite(start) && start >= p->least && start <= p->most
               ? HA_OK
               : ha_fail(ctx, HA_ERR_VALUE, p->variable.where,
                         "the start value of `%s`, %s, is not within its bounds, %s to %s",
                         p->variable.path, ha__print_rounded_number(text[0], start, 9),
                         ha__print_rounded_number(text[1], p->least, 9),
                         ha__print_rounded_number(text[2], p->most, 9));
}

static ha_status plan_parameters(work *w)
{
    ha_ctx *ctx = w->ctx;
    size_t n = (size_t) w->fit->n;

    HA_TRY_ALLOC(ctx, w->fit->correlation, n * n, w->residuals, n_data(w));
    HA_TRY_ALLOC(ctx, w->jacobian, (size_t) n_data(w) * n);
    HA_TRY_ALLOC_EACH(ctx, n, w->variables, w->paths, w->least, w->most, w->size, w->fit->value,
                      w->fit->is_held, w->fit->deviation);
    for (size_t j = 0; j < n; j++) {
        const m2d_fit_parameter *p = &w->def->parameters[j];
        HA_TRY(check_bounds(ctx, p));
        w->variables[j] = p->variable;
        w->paths[j] = p->variable.path;
        w->least[j] = p->least;
        w->most[j] = p->most;
        w->fit->value[j] = p->variable.value;
    }
    return HA_OK;
}

/* The model with the start values, and a first run that says what outputs there are. */
static ha_status open(work *w)
{
    HA_TRY_GET(w->own, ha_ctx_new());
    ha__ctx_share_interrupt(w->own, w->ctx);
    w->source = *w->def->source;
    w->source.outputs = w->data.outputs;
    w->source.n_outputs = (int) w->data.n_outputs;
    HA_TRY(pass_errors(w, m2d_prepare(w->own, &w->source, w->variables, w->fit->n, &w->model)));
    ha_result *result = ha_result_new(w->own);
    ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, pass_errors(w, run(w, w->fit->value, result)));
    HA_THEN(status, m2d__fit_convert(w->ctx, w->def, &w->data, result));
    ha_result_free(result);
    return status;
}

static double rtol_of(work *w)
{
    bg_run_options options = *m2d_prepared_options(w->model);

    return set_options(w, &options) == HA_OK ? options.solver.rtol : 1.0;
}

/* Magnitudes of the parameters, of which changes are parts; of one that became next to nothing,
   that of its start. */
static void find_sizes(work *w)
{
    for (int j = 0; j < w->fit->n; j++) {
        double value = fabs(w->fit->value[j]), start = fabs(w->variables[j].value);
        w->size[j] = value > NOTHING * start ? value : start > 0.0 ? start : 1.0;
    }
}

static ha_status search(work *w)
{
    m2d_fit *fit = w->fit;
    double rtol = rtol_of(w);
    const ha__marquardt_def def = { .m = n_data(w),
                                    .n = fit->n,
                                    .least = w->least,
                                    .most = w->most,
                                    .tolerance = fmax(STEP * rtol, LEAST_STEP),
                                    .most_evaluations = RUNS * (fit->n + 1),
                                    .user = w,
                                    .residuals = find_residuals,
                                    .jacobian = find_jacobian };

    HA_TRY(ha__marquardt(w->ctx, &def, fit->value, w->residuals, w->jacobian, fit->is_held,
                         &w->report));
    fit->runs = w->report.evaluations;
    fit->jacobians = w->report.jacobians;
    fit->failed = w->report.shortened;
    find_sizes(w);
    HA_TRY(m2d__fit_judge(w->ctx, &w->data, w->residuals, w->jacobian, w->size,
                          fmax(LOOSE * rtol, LEAST_LOOSE), fit));
    fit->end = !w->report.has_converged ? M2D_FIT_NOT_CONVERGED
               : fit->n_loose > 0       ? M2D_FIT_UNDETERMINED
                                        : M2D_FIT_DONE;
    return HA_OK;
}

/* --- the table ------------------------------------------------------------------------------ */

static ha_status add_columns(work *w, const ha_result *result)
{
    const m2d__fit_data *d = &w->data;

    HA_TRY(ha_result_add_column(w->fit->table, "t", "s"));
    for (size_t k = 0; k < d->n_outputs; k++) {
        const char *unit = ha_result_unit(result, (size_t) ha_result_find(result, d->outputs[k]));
        const char *other = ha__arena_format(w->ctx, &w->arena, "data(%s)", d->outputs[k]);
        const char *rest = ha__arena_format(w->ctx, &w->arena, "residual(%s)", d->outputs[k]);
        HA_TRY(other == NULL || rest == NULL ? HA_ERR_MEMORY : HA_OK);
        HA_TRY(ha_result_add_column(w->fit->table, d->outputs[k], unit));
        HA_TRY(ha_result_add_column(w->fit->table, other, unit));
        HA_TRY(ha_result_add_column(w->fit->table, rest, unit));
    }
    return HA_OK;
}

/* Root of the mean square of what was measured less what was run, where it counts. */
static void find_rms(work *w, const ha_result *result)
{
    m2d_fit *fit = w->fit;
    const m2d__fit_data *d = &w->data;
    const char *unit = ha_result_unit(result, (size_t) ha_result_find(result, d->outputs[0]));
    double sum = 0.0;

    for (size_t at = 0; at < d->n_rows * d->n_outputs; at++) {
        size_t column = (size_t) ha_result_find(result, d->outputs[at / d->n_rows]);
        double rest = d->values[at] - ha_result_value(result, w->row[at % d->n_rows], column);
        sum += d->factors[at] > 0.0 ? rest * rest : 0.0;
        sum += strcmp(unit, ha_result_unit(result, column)) == 0 ? 0.0 : (double) NAN;
    }
    fit->rms = sqrt(sum / (double) d->n_counted);
}

static ha_status fill_table(work *w, const ha_result *result)
{
    const m2d__fit_data *d = &w->data;
    double *values = ha__alloc(w->ctx, 1 + 3 * d->n_outputs, sizeof *values);
    ha_status status = values == NULL ? HA_ERR_MEMORY : add_columns(w, result);

    for (size_t i = 0; i < d->n_rows && status == HA_OK; i++) {
        values[0] = d->times[i];
        for (size_t k = 0; k < d->n_outputs; k++) {
            size_t column = (size_t) ha_result_find(result, d->outputs[k]);
            double y = ha_result_value(result, w->row[i], column);
            values[1 + 3 * k] = y;
            values[2 + 3 * k] = d->values[k * d->n_rows + i];
            values[3 + 3 * k] = d->values[k * d->n_rows + i] - y;
        }
        status = ha_result_add_row(w->fit->table, values);
    }
    ha__free(values);
    return status;
}

static ha_status make_table(work *w)
{
    ha_result *result = ha_result_new(w->own);
    ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;

    w->fit->table = ha_result_new(w->ctx);
    HA_THEN(status, w->fit->table == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_THEN(status, pass_errors(w, run(w, w->fit->value, result)));
    HA_THEN(status, fill_table(w, result));
    if (status == HA_OK) {
        find_rms(w, result);
    }
    ha_result_free(result);
    return status;
}

static void release(work *w)
{
    m2d_prepared_free(w->model);
    ha_ctx_free(w->own);
    m2d__fit_clear_data(&w->data);
    ha__arena_clear(&w->arena);
    HA_FREE(w->variables, w->paths, w->times, w->row, w->least, w->most, w->size, w->residuals,
            w->jacobian);
}

ha_status m2d_fit_find(ha_ctx *ctx, const m2d_fit_def *def, m2d_fit *out)
{
    if (out != NULL) {
        *out = (m2d_fit){ 0 }; /* to be freed whatever comes */
    }
    HA_NEED(ctx, ctx != NULL && def != NULL && out != NULL && def->source != NULL);
    HA_NEED(ctx, def->data != NULL && def->parameters != NULL && def->n_parameters > 0);
    work w = { .ctx = ctx, .def = def, .fit = out };

    *out = (m2d_fit){ .n = def->n_parameters };
    ha_status status = m2d__fit_take(ctx, &w.arena, def, &w.data);
    out->n_outputs = (int) w.data.n_outputs;
    out->n_data = (long) w.data.n_counted;
    HA_THEN(status, plan_rows(&w));
    HA_THEN(status, plan_parameters(&w));
    HA_THEN(status, open(&w));
    HA_THEN(status, search(&w));
    HA_THEN(status, make_table(&w));
    if (status == HA_OK) {
        m2d__fit_doubt(ctx, &w.data, out->table, def->where);
    }
    release(&w);
    return status;
}

void m2d_fit_clear(m2d_fit *fit)
{
    HA_NEED_ELSE(fit != NULL, );
    ha_result_free(fit->table);
    HA_FREE(fit->value, fit->is_held, fit->deviation, fit->correlation, fit->loose);
    *fit = (m2d_fit){ 0 };
}
