/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two results side by side. With d_k = b(t_k) - a(t_k) at the common times t_0 < ... < t_m,
 *
 *     largest = max |d_k|
 *     rms     = sqrt(1/T sum over k of (t_{k+1} - t_k) (d_k^2 + d_{k+1}^2) / 2),  T = t_m - t_0
 *
 * and rms = |d_0| where T = 0. The common times are found by walking along both tables at once.
 */
#include <config.h>

#include "lib/compare.h"

#include "lib/core/mem.h"
#include "lib/core/need.h"

#include <math.h>
#include <string.h>

typedef struct {
    size_t a, b;
} row_pair;

struct ha_compare {
    const ha_result *a, *b; /* borrowed */
    HA_ARRAY(row_pair) rows;
    HA_ARRAY(ha_difference) columns;
};

static const double SAME_TIME = 1e-9; /* of the longer span */

static double time_of(const ha_result *result, size_t row)
{
    return ha_result_value(result, row, 0);
}

static double span_of(const ha_result *result)
{
    size_t n = ha_result_n_rows(result);

    return n == 0 ? 0.0 : fabs(time_of(result, n - 1) - time_of(result, 0));
}

/* Pairs the rows of equal times. */
static ha_status pair_rows(ha_ctx *ctx, ha_compare *c)
{
    double slack = SAME_TIME * fmax(span_of(c->a), span_of(c->b));
    size_t i = 0, j = 0;

    while (i < ha_result_n_rows(c->a) && j < ha_result_n_rows(c->b)) {
        double apart = time_of(c->b, j) - time_of(c->a, i);
        if (fabs(apart) <= slack) {
            HA_TRY_PUSH(ctx, &c->rows, (row_pair){ i, j });
        }
        size_t i_step = apart >= -slack ? 1 : 0;
        j += apart <= slack ? 1 : 0;
        i += i_step;
    }
    return HA_OK;
}

/* The difference of two columns, whose numbers are set already. */
static void measure(const ha_compare *c, ha_difference *d)
{
    double sum = 0.0, last = 0.0, t_last = 0.0;
    double t_0 = time_of(c->a, c->rows.items[0].a), span = 0.0;

    for (size_t k = 0; k < c->rows.count; k++) {
        row_pair row = c->rows.items[k];
        double a = ha_result_value(c->a, row.a, d->column_a);
        double t = time_of(c->a, row.a);
        d->end = ha_result_value(c->b, row.b, d->column_b) - a;
        d->range = fmax(d->range, fabs(a));
        if (k == 0 || fabs(d->end) > d->largest || isnan(d->end)) {
            d->largest = isnan(d->largest) ? d->largest : fabs(d->end);
            d->t = isnan(d->largest) && !isnan(d->end) ? d->t : t;
        }
        sum += k == 0 ? 0.0 : (t - t_last) * (last * last + d->end * d->end) / 2.0;
        last = d->end;
        t_last = t;
        span = t - t_0;
    }
    d->rms = span > 0.0 ? sqrt(sum / span) : d->largest;
    if (!isfinite(d->largest)) {
        d->largest = d->rms = (double) NAN;
    }
}

static ha_status compare_columns(ha_ctx *ctx, ha_compare *c)
{
    for (size_t j = 1; j < ha_result_n_columns(c->a); j++) {
        int found = ha_result_find(c->b, ha_result_name(c->a, j));
        if (found > 0) {
            ha_difference d = { .column_a = j, .column_b = (size_t) found };
            measure(c, &d);
            HA_TRY_PUSH(ctx, &c->columns, d);
        }
    }
    return HA_OK;
}

static ha_status fill(ha_ctx *ctx, ha_compare *c)
{
    if (ha_result_n_columns(c->a) == 0 || ha_result_n_columns(c->b) == 0) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "a table without columns cannot be compared; give results with the time in "
                       "the first column");
    }
    HA_TRY(pair_rows(ctx, c));
    if (c->rows.count == 0) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "the two results, of %zu and %zu rows, have no time in common; give both "
                       "the same grid of output times",
                       ha_result_n_rows(c->a), ha_result_n_rows(c->b));
    }
    return compare_columns(ctx, c);
}

ha_status ha_compare_results(const ha_result *a, const ha_result *b, ha_compare **out)
{
    HA_NEED(ha_result_ctx(a), a != NULL && b != NULL && out != NULL);
    ha_ctx *ctx = ha_result_ctx(a);
    ha_compare *c = NULL;

    HA_TRY_ALLOC(ctx, c, 1);
    c->a = a;
    c->b = b;
    ha_status status = fill(ctx, c);
    return HA_GIVE(status, c, ha_compare_free, out);
}

void ha_compare_free(ha_compare *compare)
{
    if (compare != NULL) {
        HA_ARRAY_CLEAR(&compare->rows, &compare->columns);
        ha__free(compare);
    }
}

size_t ha_compare_n_times(const ha_compare *compare)
{
    HA_NEED_ELSE(compare != NULL, 0);
    return compare->rows.count;
}

void ha_compare_rows(const ha_compare *compare, size_t i, size_t *row_a, size_t *row_b)
{
    HA_NEED_ELSE(i < ha_compare_n_times(compare) && row_a != NULL && row_b != NULL, );
    *row_a = compare->rows.items[i].a;
    *row_b = compare->rows.items[i].b;
}

size_t ha_compare_n(const ha_compare *compare)
{
    HA_NEED_ELSE(compare != NULL, 0);
    return compare->columns.count;
}

const ha_difference *ha_compare_get(const ha_compare *compare, size_t i)
{
    HA_NEED_ELSE(i < ha_compare_n(compare), NULL);
    return &compare->columns.items[i];
}

double ha_result_work(const ha_result *result, size_t effort, size_t flow)
{
    double work = 0.0, last = 0.0, t_last = 0.0;

    for (size_t k = 0; k < ha_result_n_rows(result); k++) {
        double t = time_of(result, k);
        double power = ha_result_value(result, k, effort) * ha_result_value(result, k, flow);
        work += k == 0 ? 0.0 : (t - t_last) * (last + power) / 2.0;
        last = power;
        t_last = t;
    }
    return work;
}

/* With u = log x, v = log y: order = sum (u - u_m) (v - v_m) / sum (u - u_m)^2, through the means.
 */
size_t ha_fit_power(size_t n, const double *x, const double *y, double *order, double *factor)
{
    double u_mean = 0.0, v_mean = 0.0, uu = 0.0, uv = 0.0;
    size_t used = 0;

    for (int pass = 0; pass < 2; pass++) {
        used = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(x[i] > 0.0 && y[i] > 0.0 && isfinite(x[i]) && isfinite(y[i]))) {
                continue;
            }
            double u = log(x[i]), v = log(y[i]);
            used++;
            if (pass == 0) {
                u_mean += (u - u_mean) / (double) used;
                v_mean += (v - v_mean) / (double) used;
            } else {
                uu += (u - u_mean) * (u - u_mean);
                uv += (u - u_mean) * (v - v_mean);
            }
        }
    }
    *order = used >= 2 && uu > 0.0 ? uv / uu : (double) NAN;
    *factor = exp(v_mean - *order * u_mean);
    return used;
}
