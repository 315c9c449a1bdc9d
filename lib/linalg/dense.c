/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss' elimination of a small full system, the largest entry of a column being its pivot. */
#include <config.h>

#include "lib/linalg/dense.h"

#include <math.h>
#include <stddef.h>

static void swap(double *x, double *y)
{
    double kept = *x;

    *x = *y;
    *y = kept;
}

/* Puts the row with the largest entry of column j, from row j on, into row j. */
static void choose_pivot(int n, int j, double *a, double *b)
{
    int pivot = j;

    for (int i = j + 1; i < n; i++) {
        pivot = fabs(a[i * n + j]) > fabs(a[pivot * n + j]) ? i : pivot;
    }
    for (int k = 0; k < n && pivot != j; k++) {
        swap(&a[j * n + k], &a[pivot * n + k]);
    }
    swap(&b[j], &b[pivot]);
}

bool ha__dense_solve(int n, double *a, double *b, double *x)
{
    for (int j = 0; j < n; j++) {
        choose_pivot(n, j, a, b);
        if (!(fabs(a[j * n + j]) > 0.0)) {
            return false;
        }
        for (int i = j + 1; i < n; i++) {
            double factor = a[i * n + j] / a[j * n + j];
            for (int k = j; k < n; k++) {
                a[i * n + k] -= factor * a[j * n + k];
            }
            b[i] -= factor * b[j];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        x[j] = b[j];
        for (int k = j + 1; k < n; k++) {
            x[j] -= a[j * n + k] * x[k];
        }
        x[j] /= a[j * n + j];
    }
    return true;
}

bool ha__dense_cholesky(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t) i * (size_t) n;
        for (int j = 0; j <= i; j++) {
            const double *other = a + (size_t) j * (size_t) n;
            double rest = row[j];
            for (int k = 0; k < j; k++) {
                rest -= row[k] * other[k];
            }
            if (j == i && !(rest > 0.0)) {
                return false;
            }
            row[j] = j == i ? sqrt(rest) : rest / other[j];
        }
        for (int j = i + 1; j < n; j++) {
            row[j] = 0.0;
        }
    }
    return true;
}

void ha__dense_transform(int n, const double *l, double *a)
{
    size_t width = (size_t) n;

    for (size_t i = 0; i < width; i++) { /* A L */
        double *row = a + i * width;
        for (size_t k = 0; k < width; k++) {
            double factor = row[k];
            row[k] = 0.0;
            for (size_t j = 0; j <= k && factor != 0.0; j++) {
                row[j] += factor * l[k * width + j];
            }
        }
    }
    for (size_t i = 0; i < width; i++) { /* L^-1 of that */
        double *row = a + i * width;
        for (size_t k = 0; k < i; k++) {
            double factor = l[i * width + k];
            for (size_t j = 0; j < width && factor != 0.0; j++) {
                row[j] -= factor * a[k * width + j];
            }
        }
        for (size_t j = 0; j < width; j++) {
            row[j] /= l[i * width + i];
        }
    }
}
