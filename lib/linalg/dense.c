/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss' elimination of a small full system, the largest entry of a column being its pivot. */
#include <config.h>

#include "lib/linalg/dense.h"

#include <math.h>

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
