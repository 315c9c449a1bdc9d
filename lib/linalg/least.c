/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least squares with any rank, by one-sided Jacobi rotations: A V = U S, with orthogonal columns on
 * the right, after which x = V S^-1 U' b of the singular values that count. For small matrices;
 * the same on every processor.
 */
#include <config.h>

#include "lib/linalg/least.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 60 };

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Turns two columns by the angle with this cosine and sine. */
static void rotate(double *a, double *b, int n, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double keep = a[i];
        a[i] = c * keep - s * b[i];
        b[i] = s * keep + c * b[i];
    }
}

/* Makes all columns of `u` (m x n, by columns) orthogonal, and turns those of `v` (n x n) with
   them. */
static void orthogonalise(int m, int n, double *u, double *v)
{
    bool is_done = false;

    for (int sweep = 0; sweep < MOST_SWEEPS && !is_done; sweep++) {
        is_done = true;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                double *up = u + (size_t) p * (size_t) m, *uq = u + (size_t) q * (size_t) m;
                double a = dot(up, up, m), b = dot(uq, uq, m), c = dot(up, uq, m);
                if (!(fabs(c) > 4.0 * DBL_EPSILON * sqrt(a) * sqrt(b))) {
                    continue;
                }
                double zeta = (b - a) / (2.0 * c);
                double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + hypot(1.0, zeta));
                double cosine = 1.0 / hypot(1.0, t);
                rotate(up, uq, m, cosine, cosine * t);
                rotate(v + (size_t) p * (size_t) n, v + (size_t) q * (size_t) n, n, cosine,
                       cosine * t);
                is_done = false;
            }
        }
    }
}

ha_status ha__least_squares(ha_ctx *ctx, int m, int n, const double *a, const double *b,
                            double tiny, double *x, int *rank)
{
    size_t size = (size_t) m * (size_t) n, width = (size_t) n;
    double *u = ha__alloc(ctx, size + width * width, sizeof *u), largest = 0.0;

    HA_TRY_MEMORY(u);
    double *v = u + size;
    for (size_t j = 0; j < width; j++) {
        v[j * width + j] = 1.0;
        x[j] = 0.0;
        for (size_t i = 0; i < (size_t) m; i++) {
            u[j * (size_t) m + i] = a[i * width + j];
        }
    }
    orthogonalise(m, n, u, v);
    for (size_t j = 0; j < width; j++) {
        largest = fmax(largest, dot(u + j * (size_t) m, u + j * (size_t) m, m));
    }
    *rank = 0;
    for (size_t j = 0; j < width; j++) {
        const double *column = u + j * (size_t) m;
        double square = dot(column, column, m);
        if (square <= tiny * tiny * largest || square == 0.0) {
            continue;
        }
        double share = dot(column, b, m) / square;
        for (size_t i = 0; i < width; i++) {
            x[i] += share * v[j * width + i];
        }
        ++*rank;
    }
    ha__free(u);
    return HA_OK;
}

static void swap_columns(double *a, size_t m, int j, int k)
{
    for (size_t i = 0; i < m; i++) {
        double keep = a[(size_t) j * m + i];
        a[(size_t) j * m + i] = a[(size_t) k * m + i];
        a[(size_t) k * m + i] = keep;
    }
}

void ha__singular_values(int m, int n, double *u, double *values, double *v)
{
    memset(v, 0, (size_t) n * (size_t) n * sizeof *v);
    for (size_t j = 0; j < (size_t) n; j++) {
        v[j * (size_t) n + j] = 1.0;
    }
    orthogonalise(m, n, u, v);
    for (int j = 0; j < n; j++) {
        const double *column = u + (size_t) j * (size_t) m;
        values[j] = sqrt(dot(column, column, m));
        for (int k = j; k > 0 && values[k] > values[k - 1]; k--) {
            double keep = values[k];
            values[k] = values[k - 1];
            values[k - 1] = keep;
            swap_columns(u, (size_t) m, k, k - 1);
            swap_columns(v, (size_t) n, k, k - 1);
        }
    }
}
