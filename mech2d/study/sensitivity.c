/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sensitivities to values of a file.
 *
 * The values become inputs of what is compiled (kit.c). That they stand for themselves wherever the
 * file uses them is found out by the model that is ready to run with other values (prepared.c),
 * which also gives the derivatives of the start values: assembly is run at p + h, p - h, p + h/2,
 * ..., and D(h) = (y0(p + h) - y0(p - h)) / 2h is extrapolated to h = 0 (Ridders 1982), with
 * shorter steps until two orders agree. Where none do, or where y0(p + h) + y0(p - h) - 2 y0(p)
 * does not fall faster than h, the start is no smooth function of p.
 *
 * Several values at once may depend on each other by the file, as a mass that is given by a length.
 * So that each derivative is the same whatever else is asked for, values of files become factors:
 * with p = p0 x, dy/dp = (dy/dx) / p0.
 *
 * A value of 0 may spare an element, and what is not there has no derivative. So it is made the
 * least that is none: the element is there, and what it does is 0 to the last digit. Derivatives at
 * 0 are then those towards values above.
 *
 * Only what is independent is taken from it, and start values that the file fixes do not change at
 * all; the rest follows exactly from the constraints (bondgraph/analysis/sensitivity.c).
 */
#include <config.h>

#include "mech2d/sensitivity.h"

#include "bondgraph/model/model_agree.h"
#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "mech2d/study/kit.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 12, ORDERS = 4 };

static const double LEAST = 1e-200; /* instead of a value of 0 */
static const double PROBE = 1e-3;   /* likewise, to see whether it is read as a number */
static const double STEEP = 1e60;   /* a derivative at 0 that is none */
static const double SAME = 1e-4;    /* of an output: what both models may differ by at 0 */
static const double STEP = 2e-3;    /* of a value, or in SI units where that is 0 */
static const double NEARBY = 1e-3;  /* of a value: one that is a little different */
static const double WELL = 1e-10;   /* of a derivative: an error that is small enough, */
static const double ENOUGH = 1e-7;  /* and one that may be left */
static const double NOISE = 1e-8;   /* of the largest start value by the value: round-off */
static const double BENDS = 0.75;   /* of the step before: a second difference that does not fall */

typedef struct {
    ha_ctx *ctx;
    const m2d_sensitivity_def *def;
    m2d_variable *variables; /* (n) */
    char *text;              /* of the source */
    size_t length;
    m2d_prepared *prepared;
    m2d__kit kit;        /* with the values as inputs */
    double *start_rates; /* (n x unknowns) */
    double *values;      /* (n) what the file says [SI] */
    double *scales;      /* (n) of a variable that is a factor the value, else 1 */
    double *sizes;       /* (n) magnitudes of the variables, 1 of 0 */
} work;

/* --- values --------------------------------------------------------------------------------- */

static m2d__kit_def kit_def(const work *w, m2d__kit_use use)
{
    const m2d_source *source = w->def->source;

    return (m2d__kit_def){ .source = source,
                           .text = w->text,
                           .length = w->length,
                           .variables = w->variables,
                           .n_variables = w->def->n_parameters,
                           .use = use };
}

/* What the values are for now, which the file says. */
static ha_status find_values(work *w)
{
    const m2d__kit_def def = kit_def(w, M2D__KIT_FREE);
    const bool is_file = m2d__kit_is_file(w->def->source);

    for (int i = 0; i < w->def->n_parameters; i++) {
        const char *path = w->def->parameters[i];
        w->variables[i] =
            (m2d_variable){ .path = path, .value = (double) NAN, .where = { path, 0, 0 } };
        HA_TRY(m2d__kit_value(w->ctx, &def, i, &w->values[i]));
        bool is_factor = is_file && w->def->n_parameters > 1 && w->values[i] != 0.0;
        w->variables[i].is_factor = is_factor;
        w->variables[i].value = is_factor ? 1.0 : w->values[i] != 0.0 ? w->values[i] : LEAST;
        w->scales[i] = is_factor ? w->values[i] : 1.0;
    }
    return HA_OK;
}

/* Where values nearby give no model, it is said why. */
static ha_status try_near(work *w)
{
    for (int i = 0; i < w->def->n_parameters; i++) {
        double value = w->variables[i].value;
        m2d_prepared_set(w->prepared, i, value * (1.0 + NEARBY));
        ha_status status = m2d_prepared_update(w->prepared);
        if (status != HA_OK) {
            return ha_fail(w->ctx, status, HA_NOWHERE,
                           "there are no sensitivities to `%s`: with %.9g instead of %.9g the "
                           "model cannot be built, see above; give fewer fixed start values",
                           w->def->parameters[i], w->values[i] * (1.0 + NEARBY), w->values[i]);
        }
        m2d_prepared_set(w->prepared, i, value);
    }
    return HA_OK;
}

static ha_status check_values(work *w)
{
    if (!m2d_prepared_is_quick(w->prepared)) {
        HA_TRY(try_near(w));
        HA_TRY(m2d_check_inputs(w->ctx, w->def->source, w->def->parameters, w->def->n_parameters));
        return ha_fail(
            w->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
            "there are no sensitivities to `%s`%s: a value is read as a number while the "
            "model is built, as that of an outline or an option is; ask for each value "
            "alone to find out which, or vary it with `study`",
            w->def->parameters[0], w->def->n_parameters > 1 ? " and the others" : "");
    }
    for (int i = 0; i < w->def->n_parameters; i++) {
        if (w->values[i] == 0.0) {
            m2d__prepared_keep_sides(w->prepared);
        }
    }
    return HA_OK;
}

static bool has_zero(const work *w)
{
    bool has_one = false;

    for (int i = 0; i < w->def->n_parameters; i++) {
        has_one = has_one || w->values[i] == 0.0;
    }
    return has_one;
}

/* The model with other values for those that are 0. */
static ha_status prepare_with(work *w, double instead, m2d_prepared **out)
{
    m2d_variable *variables = ha__alloc(w->ctx, (size_t) w->def->n_parameters, sizeof *variables);

    HA_TRY_MEMORY(variables);
    for (int i = 0; i < w->def->n_parameters; i++) {
        variables[i] = w->variables[i];
        variables[i].value = w->values[i] == 0.0 ? instead : variables[i].value;
    }
    return ha__then_free(m2d_prepare(w->ctx, w->def->source, variables, w->def->n_parameters, out),
                         variables);
}

static ha_status fail_at_zero(const work *w, const char *why)
{
    int i = 0;

    while (w->values[i] != 0.0) {
        i++;
    }
    return ha_fail(w->ctx, HA_ERR_VALUE, HA_NOWHERE,
                   "there are no sensitivities to `%s` at its value 0: %s; give it a small value",
                   w->def->parameters[i], why);
}

/* A value that is read as a number is not seen to be where it is nearly 0. */
static ha_status check_probe(work *w)
{
    m2d_prepared *probe = NULL;
    const size_t n_diags = ha_ctx_n_diags(w->ctx);
    ha_status status = prepare_with(w, PROBE, &probe);

    if (status != HA_OK && status != HA_ERR_MEMORY) {
        ha__ctx_forget(w->ctx, n_diags);
        return fail_at_zero(w, "with a value above there is no model");
    }
    if (status == HA_OK && !m2d_prepared_is_quick(probe)) {
        status = fail_at_zero(w, "it is read as a number while the model is built");
    }
    m2d_prepared_free(probe);
    return status;
}

/* --- the start ------------------------------------------------------------------------------ */

/* What assembly makes of a value; quadratures, which are unknowns behind the others in the model
   with inputs alone, start at 0. */
static ha_status find_start(work *w, int i, double value, double *out)
{
    m2d_prepared_set(w->prepared, i, value);
    ha_status status = m2d_prepared_update(w->prepared);
    if (status != HA_OK) {
        return ha_fail(w->ctx, status, HA_NOWHERE,
                       "there are no sensitivities to `%s`: with %.9g instead of %.9g the model "
                       "cannot be built, see above; give another value",
                       w->def->parameters[i], value * w->scales[i], w->values[i]);
    }
    if (m2d_prepared_n_compiled(w->prepared) > 0) {
        return ha_fail(w->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there are no sensitivities to `%s`: near its value, %g, the model changes "
                       "its equations",
                       w->def->parameters[i], w->values[i]);
    }
    memcpy(out, m2d_prepared_start(w->prepared),
           (size_t) bg_model_n_unknowns(m2d_prepared_model(w->prepared)) * sizeof *out);
    return HA_OK;
}

/* The table of one unknown: the row before, the best so far and what it is off by. */
typedef struct {
    double row[ORDERS];
    double best, error;
    double bend; /* (y(p + h) + y(p - h) - 2 y(p)) / 2h, which goes with h unless it bends there */
    bool bends, is_done, is_enough;
} extrapolated;

/* Goes on with D(h), where the step before was twice as long. */
static void extrapolate(extrapolated *e, int level, double d)
{
    double row[ORDERS] = { d }, power = 1.0;

    for (int m = 1; m < ORDERS && m <= level; m++) {
        power *= 4.0;
        row[m] = (power * row[m - 1] - e->row[m - 1]) / (power - 1.0);
        double off = fmax(fabs(row[m] - row[m - 1]), fabs(row[m] - e->row[m - 1]));
        if (off <= e->error) {
            e->best = row[m];
            e->error = off;
        }
    }
    memcpy(e->row, row, sizeof row);
}

static double largest(const double *y, size_t n)
{
    double size = 0.0;

    for (size_t j = 0; j < n; j++) {
        size = fmax(size, fabs(y[j]));
    }
    return size;
}

/* One more level for all unknowns; `*is_done` where all are known well enough. `y` (3 n) has room
   for the starts of p + h and p - h, and that of p. */
static ha_status refine_starts(work *w, int i, int level, double *y, extrapolated *all,
                               bool *is_done)
{
    size_t n = (size_t) bg_model_n_unknowns(w->kit.compiled);
    double value = w->variables[i].value, h = ldexp(STEP * w->sizes[i], -level);

    HA_TRY(find_start(w, i, value + h, y));
    HA_TRY(find_start(w, i, value - h, y + n));
    double floor = NOISE * largest(y, 3 * n) / w->sizes[i];
    *is_done = true;
    for (size_t j = 0; j < n; j++) {
        extrapolated *e = &all[j];
        double bend = (y[j] + y[n + j] - 2.0 * y[2 * n + j]) / (2.0 * h);
        if (!e->is_done) {
            e->bends = fabs(bend) > BENDS * fabs(e->bend) && fabs(bend) > floor;
            e->bend = bend;
            extrapolate(e, level, (y[j] - y[n + j]) / (2.0 * h));
            e->is_enough = !e->bends && e->error <= ENOUGH * fabs(e->best) + floor;
            e->is_done = level >= 2 && e->is_enough && e->error <= WELL * fabs(e->best) + floor;
        }
        *is_done = *is_done && e->is_done;
    }
    return HA_OK;
}

/* What is not known to a part of itself after all levels has no derivative. */
static ha_status take_rates(work *w, int i, const extrapolated *all, double *rates)
{
    int n = bg_model_n_unknowns(w->kit.compiled);

    for (int j = 0; j < n; j++) {
        const extrapolated *e = &all[j];
        if (!e->is_enough) {
            return ha_fail(w->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "there are no sensitivities to `%s`: the start value of `%s` is no "
                           "smooth function of it at %g; move the value a little",
                           w->def->parameters[i], bg_model_unknown_name(w->kit.compiled, j),
                           w->values[i]);
        }
        rates[j] = e->best;
    }
    return HA_OK;
}

static ha_status find_start_rates(work *w, int i)
{
    size_t n = (size_t) bg_model_n_unknowns(w->kit.compiled);
    double value = w->variables[i].value;
    double *y = ha__alloc(w->ctx, 3 * n, sizeof *y);
    extrapolated *all = ha__alloc(w->ctx, n, sizeof *all);
    bool is_done = false;
    ha_status status = y == NULL || all == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t j = 0; j < n && status == HA_OK; j++) {
        all[j].error = (double) INFINITY;
        all[j].bend = (double) INFINITY;
    }
    HA_THEN(status, find_start(w, i, value, y + 2 * n));
    for (int level = 0; level < LEVELS && !is_done && status == HA_OK; level++) {
        status = refine_starts(w, i, level, y, all, &is_done);
    }
    HA_THEN(status, take_rates(w, i, all, w->start_rates + (size_t) i * n));
    m2d_prepared_set(w->prepared, i, value);
    HA_FREE(y, all);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* The parameters of the file, by their own names. */
static ha_status list_named(work *w, m2d_variable **out, int *n)
{
    HA_TRY_ALLOC(w->ctx, *out, w->def->n_parameters);
    for (int i = 0; i < w->def->n_parameters; i++) {
        if (strncmp(w->def->parameters[i], "parameters.", strlen("parameters.")) == 0) {
            (*out)[*n] = w->variables[i];
            (*out)[*n].is_factor = false;
            (*out)[(*n)++].value = w->values[i];
        }
    }
    return HA_OK;
}

/* Conditions are called as by the user: here parameters are sums of what they are and deviations,
   and products. */
static ha_status name_conditions(work *w)
{
    m2d__kit_def def = kit_def(w, M2D__KIT_FREE);
    m2d__kit plain = { 0 };
    m2d_variable *named = NULL;
    const size_t n_diags = ha_ctx_n_diags(w->ctx);

    if (bg_model_dae(w->kit.compiled)->n_switches == 0) {
        return HA_OK;
    }
    def.n_variables = 0;
    ha_status status = list_named(w, &named, &def.n_variables);
    def.variables = named;
    HA_THEN(status, m2d__kit_make(w->ctx, &def, &plain));
    HA_THEN(status, bg__model_name_switches(w->kit.compiled, plain.compiled));
    m2d__kit_clear(&plain);
    ha__free(named);
    if (status != HA_OK && status != HA_ERR_MEMORY) {
        ha__ctx_forget(w->ctx, n_diags); /* then they have their other names */
        status = HA_OK;
    }
    return status;
}

/* The largest magnitude of a column. */
static double size_of(const ha_result *result, size_t column)
{
    double size = 0.0;

    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        size = fmax(size, fabs(ha_result_value(result, i, column)));
    }
    return size;
}

/* The model at 0 must end where that near 0 does, and the derivatives must be such. */
static ha_status compare_at_zero(const work *w, const bg_sensitivity *found,
                                 const ha_result *result)
{
    const int n = w->def->n_parameters;
    double most = 0.0;

    for (size_t c = 1; c < ha_result_n_columns(result); c++) {
        most = fmax(most, size_of(result, c));
    }
    for (int k = 0; k < found->n_outputs; k++) {
        int column = ha_result_find(result, found->outputs[k]);
        size_t last = ha_result_n_rows(result) - 1;
        if (column < 0) {
            continue;
        }
        double off = fabs(ha_result_value(result, last, (size_t) column) - found->end[k]);
        double size = fmax(size_of(result, (size_t) column), SAME * most);
        if (!(off <= SAME * size + sqrt(LEAST))) {
            return fail_at_zero(w, "above it the model is another one, which ends elsewhere");
        }
        for (int i = 0; i < n; i++) {
            if (w->values[i] == 0.0 && fabs(found->value[k * n + i]) > STEEP) {
                return fail_at_zero(w, "it has an infinite slope there");
            }
        }
    }
    return HA_OK;
}

static ha_status check_zero(work *w, const bg_run_options *options, const bg_sensitivity *found)
{
    m2d_prepared *plain = NULL;
    ha_result *result = ha_result_new(w->ctx);
    ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;
    bg_run_report report;

    HA_THEN(status, prepare_with(w, 0.0, &plain));
    HA_THEN(status, m2d_prepared_run(plain, options, result, &report));
    HA_THEN(status, compare_at_zero(w, found, result));
    m2d_prepared_free(plain);
    ha_result_free(result);
    return status;
}

static ha_status open(work *w)
{
    const m2d_sensitivity_def *def = w->def;

    HA_TRY_ALLOC_EACH(w->ctx, def->n_parameters, w->variables, w->values, w->scales);
    HA_TRY(m2d__kit_text(w->ctx, def->source, &w->text, &w->length));
    HA_TRY(find_values(w));
    HA_TRY(m2d_prepare(w->ctx, def->source, w->variables, def->n_parameters, &w->prepared));
    HA_TRY(check_values(w));
    HA_TRY(has_zero(w) ? check_probe(w) : HA_OK);
    const m2d__kit_def kit = kit_def(w, M2D__KIT_INPUTS);
    HA_TRY(m2d__kit_make(w->ctx, &kit, &w->kit));
    HA_TRY(name_conditions(w));
    HA_TRY_ALLOC(w->ctx, w->sizes, def->n_parameters);
    HA_TRY_ALLOC(w->ctx, w->start_rates,
                 (size_t) def->n_parameters * (size_t) bg_model_n_unknowns(w->kit.compiled));
    for (int i = 0; i < def->n_parameters; i++) {
        w->sizes[i] = w->values[i] == 0.0 ? 1.0 : fabs(w->variables[i].value);
        HA_TRY(find_start_rates(w, i));
    }
    return HA_OK;
}

static ha_status find(work *w, bg_sensitivity *out)
{
    bg_run_options options = w->kit.options;
    const bg_sensitivity_def def = { .options = &options,
                                     .names = w->def->parameters,
                                     .start_rates = w->start_rates,
                                     .sizes = w->sizes,
                                     .scales = w->scales,
                                     .curves = w->def->curves };

    HA_TRY(w->def->adjust == NULL ? HA_OK : w->def->adjust(w->def->user, &options));
    if (options.from != BG_FROM_GIVEN) {
        return ha_fail(w->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                       "there are no sensitivities of a run that starts in an equilibrium or on a "
                       "cycle; let it start from given values (--start given)");
    }
    if (!(options.solver.t_end > 0.0)) {
        return ha_fail(w->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "sensitivities need an end time above 0; give --t-end TIME");
    }
    const bg_run_options plain = options;
    const size_t n_diags = ha_ctx_n_diags(w->ctx);
    options.start = w->kit.start;
    ha_status status = bg_sensitivities(w->ctx, w->kit.compiled, &def, out);
    if (status == HA_ERR_VALUE && has_zero(w)) {
        ha__ctx_forget(w->ctx, n_diags);
        return fail_at_zero(w, "the equations have no finite derivative there");
    }
    HA_TRY(status);
    return has_zero(w) ? check_zero(w, &plain, out) : HA_OK;
}

ha_status m2d_sensitivities(ha_ctx *ctx, const m2d_sensitivity_def *def, double *values,
                            bg_sensitivity *out)
{
    HA_NEED(ctx, ctx != NULL && def != NULL && out != NULL && def->source != NULL &&
                     def->n_parameters > 0 && def->parameters != NULL);
    HA_NEED(ctx, def->source->path != NULL || def->source->graph != NULL);
    work w = { .ctx = ctx, .def = def };

    *out = (bg_sensitivity){ 0 };
    ha_status status = open(&w);
    HA_THEN(status, find(&w, out));
    for (int i = 0; i < def->n_parameters && values != NULL && status == HA_OK; i++) {
        values[i] = w.values[i];
    }
    m2d__kit_clear(&w.kit);
    m2d_prepared_free(w.prepared);
    HA_FREE(w.text, w.variables, w.start_rates, w.sizes, w.values, w.scales);
    return status;
}
