/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues of dense matrices, by LAPACK. */
#include <config.h>

#include "lib/linalg/eigen.h"

#include "lib/core/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK stores by columns. It has no header of its own for C. */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info);
void dggev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *b, const int *ldb, double *alphar, double *alphai, double *beta, double *vl,
            const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork,
            int *info);

static void transpose(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            to[(size_t) j * (size_t) n + (size_t) i] = from[(size_t) i * (size_t) n + (size_t) j];
        }
    }
}

static double magnitude(const double *value)
{
    return hypot(value[0], value[1]);
}

/* By magnitude, then by real part; the positive imaginary part first. */
static int compare(const double *x, const double *y)
{
    double a = magnitude(x), b = magnitude(y);

    if (fabs(a - b) > 1e-12 * fmax(a, b)) {
        return a < b ? -1 : 1;
    }
    if (fabs(x[0] - y[0]) > 1e-12 * fmax(a, b)) {
        return x[0] < y[0] ? -1 : 1;
    }
    return x[1] > y[1] ? -1 : x[1] < y[1] ? 1 : 0;
}

/* Insertion keeps the order of what compares alike, and n is small where vectors are asked for. */
static void sort_values(int n, double *values, int *order)
{
    for (int i = 0; i < n; i++) {
        double value[2] = { values[2 * i], values[2 * i + 1] };
        int k = i;
        for (; k > 0 && compare(value, values + 2 * (k - 1)) < 0; k--) {
            memcpy(values + 2 * k, values + 2 * (k - 1), sizeof value);
            order[k] = order[k - 1];
        }
        memcpy(values + 2 * k, value, sizeof value);
        order[k] = i;
    }
}

/* Column k of LAPACK's real array, with that of its conjugate, as complex numbers. */
static void spread_vectors(int n, const double *vr, const double *wi, const int *order,
                           double *vectors)
{
    for (int k = 0; k < n; k++) {
        int from = order[k];
        int real = wi[from] < 0.0 ? from - 1 : from;
        const double *re = vr + (size_t) real * (size_t) n;
        double sign = wi[from] > 0.0 ? 1.0 : wi[from] < 0.0 ? -1.0 : 0.0;
        for (int i = 0; i < n; i++) {
            double *v = vectors + 2 * ((size_t) i * (size_t) n + (size_t) k);
            v[0] = re[i];
            v[1] = sign == 0.0 ? 0.0 : sign * re[n + i];
        }
    }
}

static ha_status fail(ha_ctx *ctx, int info)
{
    return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the eigenvalues could not be found: the QR method of LAPACK did not converge "
                   "(code %d); look for values of the model that are not finite or differ by many "
                   "powers of ten",
                   info);
}

ha_status ha__eigenvalues(ha_ctx *ctx, int n, const double *a, double *values, double *vectors)
{
    size_t m = (size_t) n;
    int room = 34 * n + 1, info = 0, one = 1;
    double *copy = NULL, *w = NULL, *vr = NULL, *work = NULL;
    int *order = NULL;

    if (n == 0) {
        return HA_OK;
    }
    copy = ha__alloc(ctx, m * m, sizeof *copy);
    w = ha__alloc(ctx, 2 * m, sizeof *w);
    vr = ha__alloc(ctx, vectors != NULL ? m * m : 1, sizeof *vr);
    work = ha__alloc(ctx, (size_t) room, sizeof *work);
    order = ha__alloc(ctx, m, sizeof *order);
    ha_status status = copy == NULL || w == NULL || vr == NULL || work == NULL || order == NULL
                           ? HA_ERR_MEMORY
                           : HA_OK;
    if (status == HA_OK) {
        transpose(n, a, copy);
        dgeev_("N", vectors != NULL ? "V" : "N", &n, copy, &n, w, w + n, NULL, &one, vr,
               vectors != NULL ? &n : &one, work, &room, &info);
        status = info != 0 ? fail(ctx, info) : HA_OK;
    }
    if (status == HA_OK) {
        for (int i = 0; i < n; i++) {
            values[2 * i] = w[i];
            values[2 * i + 1] = w[n + i];
        }
        sort_values(n, values, order);
        if (vectors != NULL) {
            spread_vectors(n, vr, w + n, order, vectors);
        }
    }
    HA_FREE(copy, w, vr, work, order);
    return status;
}

static double norm(int n, const double *a)
{
    double sum = 0.0;

    for (size_t i = 0; i < (size_t) n * (size_t) n; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

ha_status ha__pencil_eigenvalues(ha_ctx *ctx, int n, const double *a, const double *e, double tiny,
                                 double *values, int *n_finite)
{
    size_t m = (size_t) n;
    int room = 40 * n + 16, info = 0, one = 1;
    double *copy = NULL, *w = NULL, *work = NULL;
    int *order = NULL;

    *n_finite = 0;
    if (n == 0) {
        return HA_OK;
    }
    copy = ha__alloc(ctx, 2 * m * m, sizeof *copy);
    w = ha__alloc(ctx, 3 * m, sizeof *w);
    work = ha__alloc(ctx, (size_t) room, sizeof *work);
    order = ha__alloc(ctx, m, sizeof *order);
    ha_status status =
        copy == NULL || w == NULL || work == NULL || order == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK) {
        double unit = norm(n, a) / fmax(norm(n, e), 1e-300);
        transpose(n, a, copy);
        transpose(n, e, copy + m * m);
        dggev_("N", "N", &n, copy, &n, copy + m * m, &n, w, w + n, w + 2 * m, NULL, &one, NULL,
               &one, work, &room, &info);
        status = info != 0 ? fail(ctx, info) : HA_OK;
        for (int i = 0; i < n && status == HA_OK; i++) {
            double beta = w[2 * n + i], size = hypot(w[i], w[n + i]);
            if (fabs(beta) * unit > tiny * size) {
                values[2 * *n_finite] = w[i] / beta;
                values[2 * *n_finite + 1] = w[n + i] / beta;
                ++*n_finite;
            }
        }
        sort_values(*n_finite, values, order);
    }
    HA_FREE(copy, w, work, order);
    return status;
}
