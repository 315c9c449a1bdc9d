/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest eigenvalues of diagonal matrices, in which they and how often they are there are
   known: equal ones, as many as there are, also where the basis becomes the whole space. */
#include <config.h>

#include "lib/linalg/arnoldi.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 60, LARGE = 240, WANTED = 12 };

typedef struct {
    int n;
    double value[LARGE];
} diagonal;

static void multiply(void *user, const double *x, double *y)
{
    const diagonal *d = user;

    for (int i = 0; i < d->n; i++) {
        y[i] = d->value[i] * x[i];
    }
}

/* `copies` of 100, then 99.3, 98.6 ... */
static diagonal make(int n, int copies)
{
    diagonal d = { .n = n };

    for (int i = 0; i < n; i++) {
        d.value[i] = i < copies ? 100.0 : 100.0 - 0.7 * (i - copies + 1);
    }
    return d;
}

START_TEST(equal_ones_are_found_as_often_as_they_are_there)
{
    for (int n = 1; n <= MOST; n++) {
        for (int copies = 1; copies <= 8 && copies <= n; copies++) {
            diagonal d = make(n, copies);
            double values[2 * WANTED], vectors[2 * WANTED * MOST];
            int wanted = n < WANTED ? n : WANTED, found = 0;
            ha_ctx *ctx = ha_ctx_new();
            ck_assert_int_eq(
                ha__arnoldi(ctx, n, multiply, &d, wanted, 1e-12, values, vectors, &found), HA_OK);
            ck_assert_int_eq(found, wanted);
            for (int i = 0; i < found; i++) {
                ck_assert_msg(fabs(values[2 * i] - d.value[i]) < 1e-8,
                              "n %d, %d copies: number %d is %g, not %g", n, copies, i,
                              values[2 * i], d.value[i]);
            }
            ha_ctx_free(ctx);
        }
    }
}
END_TEST

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return x < y ? 1 : x > y ? -1 : 0;
}

/* More vectors than one beginning has room for: others begin, end, and go on where they ended. */
START_TEST(several_beginnings_find_all)
{
    static double vectors[2 * WANTED * LARGE], sorted[LARGE];

    for (int distinct = 5; distinct <= 100; distinct += 5) {
        double values[2 * WANTED];
        diagonal d = { .n = LARGE };
        int found = 0;
        ha_ctx *ctx = ha_ctx_new();
        for (int i = 0; i < LARGE; i++) {
            sorted[i] = d.value[i] = i < 6 ? 100.0 : 99.0 - 0.9 * (i % distinct);
        }
        qsort(sorted, LARGE, sizeof *sorted, compare);
        ck_assert_int_eq(
            ha__arnoldi(ctx, LARGE, multiply, &d, WANTED, 1e-12, values, vectors, &found), HA_OK);
        ck_assert_int_eq(found, WANTED);
        for (int k = 0; k < found; k++) {
            ck_assert_msg(fabs(values[2 * k] - sorted[k]) < 1e-8,
                          "%d distinct: number %d is %g, not %g", distinct, k, values[2 * k],
                          sorted[k]);
            for (int i = 0; i < LARGE; i++) {
                const double *x = &vectors[2 * (k * LARGE + i)];
                ck_assert_double_le(fabs((d.value[i] - values[2 * k]) * x[0]), 1e-8);
            }
        }
        ha_ctx_free(ctx);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arnoldi");
    TCase *tcase = tcase_create("arnoldi");

    tcase_add_test(tcase, equal_ones_are_found_as_often_as_they_are_there);
    tcase_add_test(tcase, several_beginnings_find_all);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
