/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small dense systems, by Gauss' elimination with the largest entry that is left as pivot: the
 * reference of the sparse solvers, whose pivots are chosen otherwise. Not installed.
 */
#ifndef TESTS_UTIL_DENSE_H
#define TESTS_UTIL_DENSE_H

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The place of the largest entry in rows and columns k ... n - 1. */
static inline int dense_largest(int n, const double *a, int k)
{
    int place = k * n + k;

    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            place = fabs(a[i * n + j]) > fabs(a[place]) ? i * n + j : place;
        }
    }
    return place;
}

/* Swaps rows i and k of n + 1 numbers each: those of A and of b. */
static inline void dense_swap_rows(int n, double *a, double *b, int i, int k)
{
    for (int j = 0; j < n; j++) {
        double keep = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = keep;
    }
    double keep = b[i];
    b[i] = b[k];
    b[k] = keep;
}

static inline void dense_swap_columns(int n, double *a, int *order, int j, int k)
{
    for (int i = 0; i < n; i++) {
        double keep = a[i * n + j];
        a[i * n + j] = a[i * n + k];
        a[i * n + k] = keep;
    }
    int keep = order[j];
    order[j] = order[k];
    order[k] = keep;
}

/* x = A^-1 b for A (n, n) row by row. Returns the last pivot over the first one, 0 when A is
   singular: x is not set then. */
static inline double dense_solve(int n, const double *given, const double *right, double *x)
{
    double *a = malloc((size_t) (n * n + n) * sizeof *a), *b = a + n * n, first = 1.0, last = 1.0;
    int *order = malloc((size_t) n * sizeof *order);

    memcpy(a, given, (size_t) (n * n) * sizeof *a);
    memcpy(b, right, (size_t) n * sizeof *b);
    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (int k = 0; k < n && last != 0.0; k++) {
        int place = dense_largest(n, a, k);
        dense_swap_rows(n, a, b, place / n, k);
        dense_swap_columns(n, a, order, place % n, k);
        last = fabs(a[k * n + k]);
        first = k == 0 ? last : first;
        for (int i = k + 1; i < n && last != 0.0; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0 && last != 0.0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= a[k * n + j] * x[order[j]];
        }
        x[order[k]] = b[k] / a[k * n + k];
    }
    free(a);
    free(order);
    return last == 0.0 ? 0.0 : last / first;
}

/* Expects x to be A^-1 b, but for round-off that the condition enlarges. */
static inline void dense_expect(int n, const double *a, const double *b, const double *x)
{
    double *wanted = calloc(n > 0 ? (size_t) n : 0, sizeof *wanted), most = 0.0;
    double rcond = dense_solve(n, a, b, wanted);

    ck_assert_msg(rcond > 0.0, "the reference finds the matrix singular");
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(wanted[i]));
    }
    for (int i = 0; i < n; i++) {
        ck_assert_msg(fabs(x[i] - wanted[i]) <= 1e-13 * n / rcond * most,
                      "x[%d] = %.17g, not %.17g (condition %g)", i, x[i], wanted[i], rcond);
    }
    free(wanted);
}

#endif
