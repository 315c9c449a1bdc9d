/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements: a table with the time, then columns named as outputs. Beside OUTPUT there may be
 * sigma(OUTPUT), the standard deviation of each value, or weight(OUTPUT), what the square of its
 * residual is multiplied with; a weight of 0 leaves a value out.
 */
#include <config.h>

#include "mech2d/study/fit.h"

#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A table under way. */
typedef struct {
    ha_ctx *ctx;
    ha__arena *arena;
    const m2d_fit_def *def;
    const ha_result *table;
    m2d__fit_data *data;
} reading;

/* The line of a row, or of the header for -1. */
static ha_where line_of(const reading *r, long row)
{
    return (ha_where){ r->def->where.file, (int) row + 2, 0 };
}

/* What stands in the brackets of NAME(...); it is left as it was where the column is no such. */
static ha_status find_inside(const reading *r, const char *column, const char *name,
                             const char **out)
{
    size_t n = strlen(name), length = strlen(column);

    if (strncmp(column, name, n) == 0 && column[n] == '(' && column[length - 1] == ')') {
        HA_TRY_GET(*out, ha__arena_text(r->ctx, r->arena, column + n + 1, length - n - 2));
    }
    return HA_OK;
}

/* Of whose values a column says how exact they are, by standard deviations or weights; both NULL:
   it has values itself. */
static ha_status find_owner(const reading *r, size_t column, const char **sigma,
                            const char **weight)
{
    const char *name = ha_result_name(r->table, column);

    *sigma = *weight = NULL;
    HA_TRY(find_inside(r, name, "sigma", sigma));
    return find_inside(r, name, "weight", weight);
}

static ha_status check_finite(const reading *r)
{
    for (size_t i = 0; i < r->data->n_rows; i++) {
        for (size_t c = 0; c < ha_result_n_columns(r->table); c++) {
            if (!isfinite(ha_result_value(r->table, i, c))) {
                return ha_fail(
                    r->ctx, HA_ERR_VALUE, line_of(r, (long) i),
                    "`%s` is no finite number here; leave out the row, or give a number and a "
                    "weight of 0",
                    ha_result_name(r->table, c));
            }
        }
    }
    return HA_OK;
}

/* How many SI units the unit of a column is, which must be of the dimension of `like`. */
static ha_status find_factor(const reading *r, const char *unit, const char *like,
                             const char *column, double *factor)
{
    char text[2][80];

    *factor = 1.0;
    if (unit[0] == '\0' || strcmp(unit, like) == 0) {
        return HA_OK;
    }
    snprintf(text[0], sizeof text[0], "1 %s", unit);
    snprintf(text[1], sizeof text[1], "1 %s", like);
    HA_TRY(ha__quantity_read(r->ctx, text[0], HA__QUANTITY_ANY, line_of(r, -1), column, factor));
    return like[0] == '\0'
               ? HA_OK
               : ha__quantity_check_like(r->ctx, text[0], text[1], line_of(r, -1), column);
}

static ha_status read_times(const reading *r)
{
    const char *name = ha_result_name(r->table, 0);
    double factor = 1.0, before = -INFINITY;

    if (strcmp(name, "t") != 0 && strcmp(name, "time") != 0) {
        return ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, -1),
                       "the first column must be the time, `t` or `time`, not `%s`", name);
    }
    HA_TRY(find_factor(r, ha_result_unit(r->table, 0), "s", "the time", &factor));
    for (size_t i = 0; i < r->data->n_rows; i++) {
        double t = factor * ha_result_value(r->table, i, 0);
        if (!(t >= 0.0 && t > before)) {
            return ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, (long) i),
                           "times must ascend from 0 on; %g s comes behind %g s", t,
                           i == 0 ? 0.0 : before);
        }
        r->data->times[i] = before = t;
    }
    return before > 0.0 ? HA_OK
                        : ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, -1),
                                  "there is no measurement behind the time 0");
}

/* Columns that are values, in their order; those of what belongs to them are left. */
static ha_status read_values(const reading *r)
{
    m2d__fit_data *d = r->data;

    for (size_t c = 1; c < ha_result_n_columns(r->table); c++) {
        const char *name = ha_result_name(r->table, c), *unit = ha_result_unit(r->table, c);
        const char *sigma = NULL, *weight = NULL;
        HA_TRY(find_owner(r, c, &sigma, &weight));
        if (sigma != NULL || weight != NULL) {
            continue;
        }
        d->outputs[d->n_outputs] = ha__arena_text(r->ctx, r->arena, name, strlen(name));
        d->units[d->n_outputs] = ha__arena_text(r->ctx, r->arena, unit, strlen(unit));
        HA_TRY_MEMORY(d->outputs[d->n_outputs]);
        HA_TRY_MEMORY(d->units[d->n_outputs]);
        for (size_t i = 0; i < d->n_rows; i++) {
            d->values[d->n_outputs * d->n_rows + i] = ha_result_value(r->table, i, c);
            d->factors[d->n_outputs * d->n_rows + i] = 1.0;
        }
        d->n_outputs++;
    }
    return HA_OK;
}

static int find_output(const m2d__fit_data *d, const char *name)
{
    for (size_t i = 0; i < d->n_outputs; i++) {
        if (strcmp(d->outputs[i], name) == 0) {
            return (int) i;
        }
    }
    return -1;
}

/* The column of standard deviations or weights of an output. */
static ha_status read_factors(const reading *r, size_t column, const char *output, bool is_sigma)
{
    m2d__fit_data *d = r->data;
    int k = find_output(d, output);

    if (k < 0) {
        return ha_fail(r->ctx, HA_ERR_NAME, line_of(r, -1), "`%s` stands without a column `%s`",
                       ha_result_name(r->table, column), output);
    }
    for (size_t i = 0; i < d->n_rows; i++) {
        double x = ha_result_value(r->table, i, column);
        if (is_sigma ? !(x > 0.0) : !(x >= 0.0)) {
            return ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, (long) i),
                           is_sigma ? "a standard deviation must be above 0; `%s` is %g here"
                                    : "a weight must not be below 0; `%s` is %g here",
                           ha_result_name(r->table, column), x);
        }
        d->factors[(size_t) k * d->n_rows + i] = is_sigma ? 1.0 / x : sqrt(x);
    }
    d->has_weights = true;
    return HA_OK;
}

static ha_status mixes(const reading *r)
{
    return ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, -1),
                   "standard deviations are given of some outputs only, or with weights; give "
                   "those of all outputs, or weights alone");
}

/* Standard deviations, from columns or the study, are those of all outputs or of none. */
static ha_status read_sigmas(const reading *r)
{
    m2d__fit_data *d = r->data;
    size_t n_sigmas = (size_t) r->def->n_sigmas;
    bool has_weights = false;

    for (size_t c = 1; c < ha_result_n_columns(r->table); c++) {
        const char *sigma = NULL, *weight = NULL;
        HA_TRY(find_owner(r, c, &sigma, &weight));
        if (sigma != NULL || weight != NULL) {
            HA_TRY(read_factors(r, c, sigma != NULL ? sigma : weight, sigma != NULL));
            n_sigmas += sigma != NULL ? 1 : 0;
            has_weights = has_weights || weight != NULL;
        }
    }
    for (size_t i = 0; i < (size_t) r->def->n_sigmas; i++) {
        const m2d_fit_sigma *sigma = &r->def->sigmas[i];
        int k = find_output(d, sigma->output);
        if (k < 0) {
            return ha_fail(r->ctx, HA_ERR_NAME, sigma->where,
                           "`sigma` has `%s`, of which %s has no column", sigma->output,
                           r->def->where.file != NULL ? r->def->where.file : "the table");
        }
        if (!(sigma->value > 0.0) || !isfinite(sigma->value)) {
            return ha_fail(r->ctx, HA_ERR_VALUE, sigma->where,
                           "a standard deviation must be above 0; that of `%s` is %g",
                           sigma->output, sigma->value);
        }
        for (size_t j = 0; j < d->n_rows; j++) {
            d->factors[(size_t) k * d->n_rows + j] = 1.0 / sigma->value;
        }
    }
    d->has_sigma = n_sigmas > 0;
    d->has_weights = d->has_weights || d->has_sigma;
    return n_sigmas > 0 && (has_weights || n_sigmas != d->n_outputs) ? mixes(r) : HA_OK;
}

static ha_status take(const reading *r)
{
    m2d__fit_data *d = r->data;
    size_t n_columns = ha_result_n_columns(r->table);

    d->n_rows = ha_result_n_rows(r->table);
    HA_TRY_ALLOC(r->ctx, d->times, d->n_rows);
    HA_TRY_ALLOC_EACH(r->ctx, n_columns, d->outputs, d->units);
    HA_TRY_ALLOC_EACH(r->ctx, d->n_rows * n_columns, d->values, d->factors);
    HA_TRY(check_finite(r));
    HA_TRY(read_times(r));
    HA_TRY(read_values(r));
    HA_TRY(read_sigmas(r));
    for (size_t i = 0; i < d->n_rows * d->n_outputs; i++) {
        d->n_counted += d->factors[i] > 0.0 ? 1 : 0;
    }
    return d->n_counted >= (size_t) r->def->n_parameters && d->n_outputs > 0
               ? HA_OK
               : ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, -1),
                         "there are fewer data than parameters: %zu values for %zu; fit fewer, or "
                         "measure more",
                         d->n_counted, (size_t) r->def->n_parameters);
}

ha_status m2d__fit_take(ha_ctx *ctx, ha__arena *arena, const m2d_fit_def *def, m2d__fit_data *out)
{
    const reading r = { ctx, arena, def, def->data, out };

    return take(&r);
}

/* --- units ---------------------------------------------------------------------------------- */

/* Outputs of different units have residuals that cannot be added as they are. */
static ha_status check_units(const reading *r)
{
    const ha_result *run = r->table;
    const m2d__fit_data *d = r->data;
    const char *first = ha_result_unit(run, (size_t) ha_result_find(run, d->outputs[0]));

    for (size_t k = 1; k < d->n_outputs && !d->has_weights; k++) {
        const char *unit = ha_result_unit(run, (size_t) ha_result_find(run, d->outputs[k]));
        if (strcmp(unit, first) != 0) {
            return ha_fail(r->ctx, HA_ERR_VALUE, line_of(r, -1),
                           "`%s` [%s] and `%s` [%s] have different units; say how exact they are: "
                           "`sigma: {%s: ..., %s: ...}` in `fit`",
                           d->outputs[0], first, d->outputs[k], unit, d->outputs[0], d->outputs[k]);
        }
    }
    return HA_OK;
}

ha_status m2d__fit_convert(ha_ctx *ctx, const m2d_fit_def *def, m2d__fit_data *d,
                           const ha_result *run)
{
    const reading r = { ctx, NULL, def, run, d };

    for (size_t k = 0; k < d->n_outputs; k++) {
        int column = ha_result_find(run, d->outputs[k]);
        double factor = 1.0;
        if (column < 0) {
            return ha_fail(ctx, HA_ERR_NAME, line_of(&r, -1),
                           "`%s` stands for several outputs; name the column after one of them, "
                           "such as `%s`",
                           d->outputs[k], ha_result_name(run, 1));
        }
        HA_TRY(find_factor(&r, d->units[k], ha_result_unit(run, (size_t) column), d->outputs[k],
                           &factor));
        bool has_column = d->has_sigma && def->n_sigmas == 0;
        for (size_t i = 0; i < d->n_rows; i++) {
            d->values[k * d->n_rows + i] *= factor;
            d->factors[k * d->n_rows + i] /= has_column ? factor : 1.0;
        }
    }
    return check_units(&r);
}

void m2d__fit_clear_data(m2d__fit_data *d)
{
    HA_FREE(d->times, d->outputs, d->units, d->values, d->factors);
    *d = (m2d__fit_data){ 0 };
}
