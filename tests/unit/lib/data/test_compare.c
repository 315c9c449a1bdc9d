/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences of two results against closed forms. */
#include <config.h>

#include "lib/compare.h"
#include "tests/util/context.h"
#include "tests/util/memory.h"

#include <math.h>
#include <string.h>

enum { N = 1000 };

static const double PI = 3.14159265358979323846;

/* A table of t and up to two columns. */
static ha_result *table(const char *first, const char *second)
{
    ha_result *result = ha_result_new(ctx);

    ck_assert_ptr_nonnull(result);
    ck_assert_int_eq(ha_result_add_column(result, "t", "s"), HA_OK);
    ck_assert_int_eq(ha_result_add_column(result, first, "m"), HA_OK);
    ck_assert_int_eq(ha_result_add_column(result, second, ""), HA_OK);
    return result;
}

static void add(ha_result *result, double t, double x, double y)
{
    const double row[3] = { t, x, y };

    ck_assert_int_eq(ha_result_add_row(result, row), HA_OK);
}

/* a = 3 t, b = 3 t + 0.1 + 0.2 sin(2 pi t) over one period: the largest difference is 0.3 at t =
   1/4, the mean square 0.1^2 + 0.2^2 / 2; the trapezoidal rule is exact for whole periods. */
START_TEST(a_sine_has_its_amplitude_and_its_mean_square)
{
    ha_result *a = table("x", "only_a"), *b = table("only_b", "x");
    ha_compare *c = NULL;

    for (int k = 0; k <= N; k++) {
        double t = (double) k / N;
        add(a, t, 3.0 * t, 7.0);
        add(b, t, 8.0, 3.0 * t + 0.1 + 0.2 * sin(2.0 * PI * t));
    }
    ck_assert_int_eq(ha_compare_results(a, b, &c), HA_OK);
    ck_assert_uint_eq(ha_compare_n_times(c), N + 1);
    ck_assert_uint_eq(ha_compare_n(c), 1);
    const ha_difference *d = ha_compare_get(c, 0);
    ck_assert_uint_eq(d->column_a, 1);
    ck_assert_uint_eq(d->column_b, 2);
    ck_assert_double_eq_tol(d->largest, 0.3, 1e-15);
    ck_assert_double_eq_tol(d->t, 0.25, 1e-15);
    ck_assert_double_eq_tol(d->rms, sqrt(0.03), 1e-14);
    ck_assert_double_eq_tol(d->range, 3.0, 1e-15);
    ck_assert_double_eq_tol(d->end, 0.1, 1e-15);
    ha_compare_free(c);
    ha_result_free(a);
    ha_result_free(b);
}
END_TEST

/* Grids of 0.3 s and 0.2 s meet every 0.6 s. The mean square of d = t is taken over uneven times.
 */
START_TEST(only_common_times_count)
{
    ha_result *a = table("x", "y"), *b = table("x", "y");
    ha_compare *c = NULL;
    size_t row_a = 0, row_b = 0;

    for (int k = 0; k <= 10; k++) {
        add(a, 0.3 * k, 0.0, 1.0);
    }
    for (int k = 0; k <= 100; k++) {
        add(b, 0.2 * k, 0.2 * k, k % 3 == 0 ? 1.0 : 1e9);
    }
    ck_assert_int_eq(ha_compare_results(a, b, &c), HA_OK);
    ck_assert_uint_eq(ha_compare_n_times(c), 6); /* 0, 0.6 ... 3 */
    ha_compare_rows(c, 5, &row_a, &row_b);
    ck_assert_uint_eq(row_a, 10);
    ck_assert_uint_eq(row_b, 15);
    ck_assert_double_eq_tol(ha_compare_get(c, 0)->end, 3.0, 1e-15);
    /* 1/3 of the trapezoids of t^2: 3^2/3 + h^2/6 */
    ck_assert_double_eq_tol(ha_compare_get(c, 0)->rms, sqrt(3.0 + 0.06), 1e-14);
    ck_assert(ha_compare_get(c, 1)->largest == 0.0);
    ha_compare_free(c);
    ha_result_free(a);
    ha_result_free(b);
}
END_TEST

START_TEST(what_is_not_finite_is_said)
{
    ha_result *a = table("x", "y"), *b = table("x", "y");
    ha_compare *c = NULL;

    add(a, 0.0, 1.0, 1.0);
    add(a, 1.0, 1.0, 1.0);
    add(b, 0.0, (double) NAN, 1.5);
    add(b, 1.0, 9.0, (double) INFINITY);
    ck_assert_int_eq(ha_compare_results(a, b, &c), HA_OK);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(isnan(ha_compare_get(c, i)->largest));
        ck_assert(isnan(ha_compare_get(c, i)->rms));
    }
    ck_assert(ha_compare_get(c, 0)->t == 0.0);
    ck_assert(ha_compare_get(c, 1)->t == 1.0);
    ha_compare_free(c);
    ha_result_free(a);
    ha_result_free(b);
}
END_TEST

START_TEST(one_time_is_enough_and_none_is_refused)
{
    ha_result *a = table("x", "y"), *b = table("x", "y");
    ha_compare *c = NULL;

    add(a, 1.0, 2.0, 0.0);
    ck_assert_int_eq(ha_compare_results(a, b, &c), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "1 and 0 rows"));
    add(b, 1.0, 5.0, 0.0);
    ck_assert_int_eq(ha_compare_results(a, b, &c), HA_OK);
    ck_assert(ha_compare_get(c, 0)->rms == 3.0);
    ha_compare_free(c);
    ha_result_free(a);
    ha_result_free(b);
}
END_TEST

typedef struct {
    ha_result *a, *b;
} pair;

static ha_status compare_again(void *user)
{
    const pair *p = user;
    ha_compare *c = NULL;
    ha_status status = ha_compare_results(p->a, p->b, &c);

    ck_assert(status != HA_OK || ha_compare_get(c, 0)->largest == 99.0);
    ha_compare_free(c);
    return status;
}

START_TEST(no_memory_is_an_error)
{
    pair p = { table("x", "y"), table("x", "y") };

    for (int k = 0; k < 100; k++) {
        add(p.a, k, k, 0.0);
        add(p.b, k, 0.0, 0.0);
    }
    memory_survives(ctx, 0, compare_again, &p);
    ha_result_free(p.a);
    ha_result_free(p.b);
}
END_TEST

/* e = 2 t, f = 3: the work is 3 T^2, and the trapezoidal rule exact. */
START_TEST(work_is_the_integral_of_the_power)
{
    ha_result *a = table("e", "f");

    for (int k = 0; k <= 7; k++) {
        add(a, 0.5 * k, 1.0 * k, 3.0);
    }
    ck_assert_double_eq_tol(ha_result_work(a, 1, 2), 3.0 * 3.5 * 3.5, 1e-13);
    ha_result_free(a);
}
END_TEST

START_TEST(a_power_is_found_again)
{
    double x[6], y[6], order = 0.0, factor = 0.0;

    for (int i = 0; i < 6; i++) {
        x[i] = pow(10.0, 2.0 * i);
        y[i] = 5.0 * pow(x[i], -1.5);
    }
    ck_assert_uint_eq(ha_fit_power(6, x, y, &order, &factor), 6);
    ck_assert_double_eq_tol(order, -1.5, 1e-13);
    ck_assert_double_eq_tol(factor, 5.0, 1e-11);
    y[2] = 0.0;
    y[4] = (double) NAN;
    ck_assert_uint_eq(ha_fit_power(6, x, y, &order, &factor), 4);
    ck_assert_double_eq_tol(order, -1.5, 1e-13);
    ck_assert_uint_eq(ha_fit_power(1, x, y, &order, &factor), 1);
    ck_assert(isnan(order) && isnan(factor));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_sine_has_its_amplitude_and_its_mean_square);
    tcase_add_test(tests, only_common_times_count);
    tcase_add_test(tests, what_is_not_finite_is_said);
    tcase_add_test(tests, one_time_is_enough_and_none_is_refused);
    tcase_add_test(tests, no_memory_is_an_error);
    tcase_add_test(tests, work_is_the_integral_of_the_power);
    tcase_add_test(tests, a_power_is_found_again);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
