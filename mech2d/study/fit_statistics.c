/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a fit says of its estimates. With A = dr/dp of the weighted residuals r (m) by the
 * parameters that are not held, and D = diag(magnitudes of the parameters),
 *
 *     A D = U S V',   cov(p) = s^2 D V S^-2 V' D,   s^2 = |r|^2 / (m - n),
 *
 * or s = 1 where the standard deviations of the data are known. A column v of V is a combination of
 * relative changes, and S its length in the data. Where that is below what the derivatives are
 * wrong by, beside the largest, the data do not determine the combination: no sum over 1 / S^2 has
 * it, and the parameters in it have no standard error.
 */
#include <config.h>

#include "mech2d/study/fit.h"

#include "lib/linalg/least.h"

#include <math.h>

static const double SHARE = 1e-4; /* of a combination: less is no part of it */

/* A decomposition under way. */
typedef struct {
    int m, n;           /* data, parameters that are not held */
    int *number;        /* (n) of each among all */
    double *u;          /* (m x n) by columns */
    double *values;     /* (n) singular values */
    double *v;          /* (n x n) by columns */
    double *covariance; /* (n x n) over s^2, in relative changes */
    bool *is_loose;     /* (n) has a part in a combination that is not determined */
    int rank;
} decomposition;

static double share_of(const decomposition *d, int k, int j)
{
    return d->v[(size_t) k * (size_t) d->n + (size_t) j];
}

/* Combinations that are not determined, with the largest share 1. */
static ha_status find_loose(ha_ctx *ctx, m2d_fit *fit, decomposition *d)
{
    fit->n_loose = d->n - d->rank;
    HA_TRY_ALLOC(ctx, fit->loose, fit->n_loose * fit->n);
    for (int k = d->rank; k < d->n; k++) {
        double *row = fit->loose + (size_t) (k - d->rank) * (size_t) fit->n, largest = 0.0;
        for (int j = 0; j < d->n; j++) {
            double share = share_of(d, k, j);
            row[d->number[j]] = share;
            largest = fabs(share) > fabs(largest) * (1.0 + SHARE) ? share : largest;
            d->is_loose[j] = d->is_loose[j] || fabs(share) > SHARE;
        }
        for (int j = 0; j < fit->n; j++) {
            row[j] = fabs(row[j]) > SHARE * fabs(largest) ? row[j] / largest : 0.0;
        }
    }
    return HA_OK;
}

static void find_covariance(decomposition *d)
{
    for (int i = 0; i < d->n; i++) {
        for (int j = 0; j < d->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < d->rank; k++) {
                sum += share_of(d, k, i) / d->values[k] * (share_of(d, k, j) / d->values[k]);
            }
            d->covariance[i * d->n + j] = sum;
        }
    }
}

/* Standard errors and correlations of what is neither held nor loose. */
static void fill(m2d_fit *fit, const decomposition *d, const double *size, double s)
{
    for (int i = 0; i < fit->n; i++) {
        fit->deviation[i] = (double) NAN;
        for (int j = 0; j < fit->n; j++) {
            fit->correlation[i * fit->n + j] = (double) NAN;
        }
    }
    for (int i = 0; i < d->n; i++) {
        double own = d->covariance[i * d->n + i];
        for (int j = 0; j < d->n && !d->is_loose[i]; j++) {
            double other = d->covariance[j * d->n + j];
            fit->correlation[d->number[i] * fit->n + d->number[j]] =
                d->is_loose[j] ? (double) NAN
                : i == j       ? 1.0
                               : d->covariance[i * d->n + j] / sqrt(own * other);
        }
        fit->deviation[d->number[i]] =
            d->is_loose[i] ? (double) NAN : s * size[d->number[i]] * sqrt(own);
    }
}

static ha_status make_room(ha_ctx *ctx, const m2d_fit *fit, int m, decomposition *d)
{
    size_t n = (size_t) fit->n;

    d->m = m;
    HA_TRY_ALLOC(ctx, d->u, n * (size_t) m);
    HA_TRY_ALLOC_EACH(ctx, n, d->number, d->values, d->is_loose);
    HA_TRY_ALLOC_EACH(ctx, n * n, d->v, d->covariance);
    return HA_OK;
}

static ha_status judge(ha_ctx *ctx, const m2d__fit_data *data, m2d_fit *fit, decomposition *d,
                       const double *a, const double *size, double tiny)
{
    size_t m = (size_t) d->m;

    for (int j = 0; j < fit->n; j++) {
        for (size_t i = 0; i < m && !fit->is_held[j]; i++) {
            d->u[(size_t) d->n * m + i] = a[(size_t) j * m + i] * size[j];
        }
        if (!fit->is_held[j]) {
            d->number[d->n++] = j;
        }
    }
    ha__singular_values(d->m, d->n, d->u, d->values, d->v);
    while (d->rank < d->n && d->values[d->rank] > tiny * d->values[0]) {
        d->rank++;
    }
    fit->freedom = (long) data->n_counted - d->rank;
    fit->condition = d->n == 0 ? 1.0 : d->values[0] / d->values[d->n - 1];
    HA_TRY(find_loose(ctx, fit, d));
    find_covariance(d);
    double variance = data->has_sigma    ? 1.0
                      : fit->freedom > 0 ? fit->chi2 / (double) fit->freedom
                                         : (double) NAN;
    fill(fit, d, size, sqrt(variance));
    return HA_OK;
}

ha_status m2d__fit_judge(ha_ctx *ctx, const m2d__fit_data *data, const double *r, const double *a,
                         const double *size, double tiny, m2d_fit *fit)
{
    const int m = (int) (data->n_rows * data->n_outputs);
    decomposition d = { 0 };

    fit->chi2 = 0.0;
    for (int i = 0; i < m; i++) {
        fit->chi2 += r[i] * r[i];
    }
    ha_status status = make_room(ctx, fit, m, &d);
    HA_THEN(status, judge(ctx, data, fit, &d, a, size, tiny));
    HA_FREE(d.number, d.u, d.values, d.v, d.covariance, d.is_loose);
    return status;
}

/* --- doubts --------------------------------------------------------------------------------- */

/* A fit of the mean alone leaves all of the scatter. Noise as large as its standard deviation is no
   reason for doubt. */
static const double MOST_LEFT = 0.5;
static const double SIGMAS = 3.0;

/* The root mean squares of what is measured of output k about its mean, of the residuals, and of
   these in what they are weighted by; the number of values. */
static size_t measure(const m2d__fit_data *data, const ha_result *table, size_t k, double rms[3])
{
    const double *values = data->values + k * data->n_rows;
    const double *factors = data->factors + k * data->n_rows;
    double mean = 0.0;
    size_t n = 0;

    rms[0] = rms[1] = rms[2] = 0.0;
    for (size_t i = 0; i < data->n_rows; i++) {
        n += factors[i] > 0.0 ? 1 : 0;
        mean += factors[i] > 0.0 ? (values[i] - mean) / (double) n : 0.0;
    }
    for (size_t i = 0; i < data->n_rows; i++) {
        double r = ha_result_value(table, i, 3 + 3 * k);
        if (factors[i] > 0.0) {
            rms[0] += (values[i] - mean) * (values[i] - mean) / (double) n;
            rms[1] += r * r / (double) n;
            rms[2] += r * r * factors[i] * factors[i] / (double) n;
        }
    }
    for (int i = 0; i < 3; i++) {
        rms[i] = sqrt(rms[i]);
    }
    return n;
}

void m2d__fit_doubt(ha_ctx *ctx, const m2d__fit_data *data, const ha_result *table, ha_where where)
{
    for (size_t k = 0; k < data->n_outputs; k++) {
        const char *unit = ha_result_unit(table, 1 + 3 * k);
        double rms[3];
        size_t n = measure(data, table, k, rms);
        bool is_noise = data->has_sigma && rms[2] <= SIGMAS;
        if (n > 1 && rms[0] > 0.0 && rms[1] > MOST_LEFT * rms[0] && !is_noise) {
            ha_warn(ctx, where,
                    "the model does not follow the data of `%s`: after the fit the residual is "
                    "%.3g%s%s (root mean square), and the data scatter by %.3g%s%s about their "
                    "mean; see whether their time begins where the run does, in seconds, whether "
                    "their unit is that of the output, and whether the start values are near",
                    data->outputs[k], rms[1], unit[0] == '\0' ? "" : " ", unit, rms[0],
                    unit[0] == '\0' ? "" : " ", unit);
        }
    }
}
