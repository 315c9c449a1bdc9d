/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues of matrices and pencils against closed forms. */
#include <config.h>

#include "lib/linalg/eigen.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>

enum { MOST = 8 };

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static void expect(const double *values, int k, double re, double im)
{
    ck_assert_double_eq_tol(values[2 * k], re, 1e-12);
    ck_assert_double_eq_tol(values[2 * k + 1], im, 1e-12);
}

/* lambda^2 + 2 lambda + 5 = 0 and lambda = -4, by magnitude. */
START_TEST(a_pair_and_a_real_one_come_in_order)
{
    const double a[9] = { -4.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -5.0, -2.0 };
    double values[6];

    ck_assert_int_eq(ha__eigenvalues(ctx, 3, a, values, NULL), HA_OK);
    expect(values, 0, -1.0, 2.0);
    expect(values, 1, -1.0, -2.0);
    expect(values, 2, -4.0, 0.0);
}
END_TEST

/* A v = lambda v of matrices at random; the sum of the eigenvalues is the trace. */
START_TEST(vectors_belong_to_their_values)
{
    uint64_t state = 3;

    for (int round = 0; round < 100; round++) {
        double a[MOST * MOST], values[2 * MOST], v[2 * MOST * MOST], sum = 0.0, trace = 0.0;
        int n = 1 + random_below(&state, MOST);
        for (int i = 0; i < n * n; i++) {
            a[i] = random_in(&state, -1.0, 1.0);
        }
        ck_assert_int_eq(ha__eigenvalues(ctx, n, a, values, v), HA_OK);
        for (int k = 0; k < n; k++) {
            sum += values[2 * k];
            trace += a[k * n + k];
            for (int i = 0; i < n; i++) {
                double re = 0.0, im = 0.0;
                for (int j = 0; j < n; j++) {
                    re += a[i * n + j] * v[(j * n + k) * 2];
                    im += a[i * n + j] * v[(j * n + k) * 2 + 1];
                }
                const double *x = &v[(i * n + k) * 2], *l = &values[2 * k];
                ck_assert_double_eq_tol(re, l[0] * x[0] - l[1] * x[1], 1e-12);
                ck_assert_double_eq_tol(im, l[0] * x[1] + l[1] * x[0], 1e-12);
            }
        }
        ck_assert_double_eq_tol(sum, trace, 1e-11);
    }
}
END_TEST

/* det(a - lambda e) = (2 - lambda) (-3 - 2 lambda) 1: the third is infinite. */
START_TEST(a_singular_pencil_has_fewer)
{
    const double a[9] = { 2.0, 0.0, 0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 1.0 };
    const double e[9] = { 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0 };
    double values[6];
    int n = 0;

    ck_assert_int_eq(ha__pencil_eigenvalues(ctx, 3, a, e, 1e-10, values, &n), HA_OK);
    ck_assert_int_eq(n, 2);
    expect(values, 0, -1.5, 0.0);
    expect(values, 1, 2.0, 0.0);
    ck_assert_int_eq(ha__pencil_eigenvalues(ctx, 0, a, e, 1e-10, values, &n), HA_OK);
    ck_assert_int_eq(n, 0);
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    const double a[4] = { 0.0, 1.0, -4.0, 0.0 }, e[4] = { 1.0, 0.0, 0.0, 1.0 };
    ha_status status = HA_ERR_MEMORY;

    for (size_t k = 1; status != HA_OK; k++) {
        double values[4], vectors[8];
        int n = 0;
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, k);
        status = ha__eigenvalues(ctx, 2, a, values, vectors);
        status = status == HA_OK ? ha__pencil_eigenvalues(ctx, 2, a, e, 1e-10, values, &n) : status;
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("eigen");
    TCase *tests = tcase_create("eigen");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_pair_and_a_real_one_come_in_order);
    tcase_add_test(tests, vectors_belong_to_their_values);
    tcase_add_test(tests, a_singular_pencil_has_fewer);
    tcase_add_test(tests, lack_of_memory_is_reported_wherever_it_strikes);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
