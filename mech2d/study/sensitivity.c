/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sensitivities to values of a file.
 *
 * The values become inputs of what is compiled (kit.c). That they stand for themselves wherever the
 * file uses them is found out by the model that is ready to run with other values (prepared.c),
 * which also gives the derivatives of the start values: assembly is run at p + h, p - h, p + h/2,
 * ..., and with D(h) = (y0(p + h) - y0(p - h)) / 2h the derivative is
 *
 *     dy0/dp = (64 D(h/4) - 20 D(h/2) + D(h)) / 45 + O(h^6).
 *
 * Only what is independent is taken from it, and start values that the file fixes do not change at
 * all; the rest follows exactly from the constraints (bondgraph/analysis/sensitivity.c).
 */
#include <config.h>

#include "mech2d/sensitivity.h"

#include "bondgraph/model/model_agree.h"
#include "lib/core/input.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "mech2d/study/kit.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 3, MOST_BYTES = 64 * 1024 * 1024 };

static const double STEP = 2e-3;   /* of a value, or in SI units where that is 0 */
static const double NEARBY = 1e-3; /* of a value: one that is a little different */
static const double weight[LEVELS] = { 1.0 / 45.0, -20.0 / 45.0, 64.0 / 45.0 };

typedef struct {
    ha_ctx *ctx;
    const m2d_sensitivity_def *def;
    m2d_variable *variables; /* (n) */
    char *text;              /* of the file; NULL: the graph of the source */
    size_t length;
    m2d_prepared *prepared;
    m2d__kit kit;        /* with the values as inputs */
    double *start_rates; /* (n x unknowns) */
    double *sizes;       /* (n) magnitudes of the values, 1 of 0 */
} work;

/* --- values --------------------------------------------------------------------------------- */

static m2d__kit_def kit_def(const work *w, m2d__kit_use use)
{
    const m2d_source *source = w->def->source;

    return (m2d__kit_def){ .source = source,
                           .text = w->text != NULL ? w->text : source->graph,
                           .length = w->text != NULL ? w->length : strlen(source->graph),
                           .variables = w->variables,
                           .n_variables = w->def->n_parameters,
                           .use = use };
}

/* What the values are for now, which the file says. */
static ha_status find_values(work *w)
{
    const m2d__kit_def def = kit_def(w, M2D__KIT_FREE);

    for (int i = 0; i < w->def->n_parameters; i++) {
        const char *path = w->def->parameters[i];
        w->variables[i] =
            (m2d_variable){ .path = path, .value = (double) NAN, .where = { .file = path } };
        HA_TRY(m2d__kit_value(w->ctx, &def, i, &w->variables[i].value));
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
                           "there are no sensitivities to `%s`: with %.9g in place of %.9g the "
                           "model cannot be built, see above; give fewer fixed start values",
                           w->def->parameters[i], value * (1.0 + NEARBY), value);
        }
        m2d_prepared_set(w->prepared, i, value);
    }
    return HA_OK;
}

/* A value of 0 may spare an element; then what the model becomes without it is not known. */
static ha_status check_values(work *w)
{
    if (!m2d_prepared_is_quick(w->prepared)) {
        HA_TRY(try_near(w));
        return ha_fail(
            w->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
            "there are no sensitivities to `%s`%s: a value is read as a number while the "
            "model is built, as that of an outline or an option is; ask for each value "
            "alone to find out which, or vary it with `study`",
            w->def->parameters[0], w->def->n_parameters > 1 ? " and the others" : "");
    }
    for (int i = 0; i < w->def->n_parameters; i++) {
        if (w->variables[i].value == 0.0 && m2d_prepared_is_signed(w->prepared, i)) {
            return ha_fail(
                w->ctx, HA_ERR_VALUE, HA_NOWHERE,
                "there are no sensitivities to `%s`: its value is 0, for which the model "
                "may lack an element that it has otherwise; give it a small value",
                w->def->parameters[i]);
        }
    }
    return HA_OK;
}

/* --- the start ------------------------------------------------------------------------------ */

/* Adds what assembly makes of a value, times a factor. */
static ha_status add_start(work *w, int i, double value, double factor, double *out)
{
    m2d_prepared_set(w->prepared, i, value);
    HA_TRY(m2d_prepared_update(w->prepared));
    if (m2d_prepared_n_compiled(w->prepared) > 0) {
        return ha_fail(w->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there are no sensitivities to `%s`: near its value, %g, the model changes "
                       "its equations",
                       w->def->parameters[i], w->variables[i].value);
    }
    const double *start = m2d_prepared_start(w->prepared);
    for (int j = 0; j < bg_model_n_unknowns(w->kit.model); j++) {
        out[j] += factor * start[j];
    }
    return HA_OK;
}

static ha_status find_start_rates(work *w, int i)
{
    size_t n = (size_t) bg_model_n_unknowns(w->kit.model);
    double value = w->variables[i].value, h = STEP * w->sizes[i];
    double *rates = w->start_rates + (size_t) i * n;

    for (int k = 0; k < LEVELS; k++, h *= 0.5) {
        HA_TRY(add_start(w, i, value + h, weight[k] / (2.0 * h), rates));
        HA_TRY(add_start(w, i, value - h, -weight[k] / (2.0 * h), rates));
    }
    m2d_prepared_set(w->prepared, i, value);
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status open(work *w)
{
    const m2d_sensitivity_def *def = w->def;

    HA_TRY_ALLOC(w->ctx, w->variables, def->n_parameters);
    if (def->source->path != NULL) {
        HA_TRY(ha__input_read(w->ctx, def->source->path, MOST_BYTES, &w->text, &w->length));
    }
    HA_TRY(find_values(w));
    HA_TRY(m2d_prepare(w->ctx, def->source, w->variables, def->n_parameters, &w->prepared));
    HA_TRY(check_values(w));
    const m2d__kit_def kit = kit_def(w, M2D__KIT_INPUTS);
    HA_TRY(m2d__kit_make(w->ctx, &kit, &w->kit));
    HA_TRY_ALLOC(w->ctx, w->sizes, def->n_parameters);
    HA_TRY_ALLOC(w->ctx, w->start_rates,
                 (size_t) def->n_parameters * (size_t) bg_model_n_unknowns(w->kit.model));
    for (int i = 0; i < def->n_parameters; i++) {
        double value = w->variables[i].value;
        w->sizes[i] = value == 0.0 ? 1.0 : fabs(value);
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
    options.start = w->kit.start;
    return bg_sensitivities(w->ctx, w->kit.model, &def, out);
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
        values[i] = w.variables[i].value;
    }
    m2d__kit_clear(&w.kit);
    m2d_prepared_free(w.prepared);
    HA_FREE(w.text, w.variables, w.start_rates, w.sizes);
    return status;
}
