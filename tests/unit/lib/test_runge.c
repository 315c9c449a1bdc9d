/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explicit Runge-Kutta steps against closed forms: the order of the step, of its error estimate and of
 * what is interpolated, and the eigenvalue that the last stages tell.
 */
#include <config.h>

#include "lib/runge.h"

#include "tests/util/util.h"

#include <math.h>

static ha_ctx *ctx;
static ha__runge *runge;

/* x' = v, v' = -x: x = cos t. */
static ha_status circle(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = y[1];
    f[1] = -y[0];
    *is_good = true;
    return HA_OK;
}

static double slope;

static ha_status decay(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = -slope * y[0];
    *is_good = y[0] > -1.0;
    return HA_OK;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    ck_assert_int_eq(ha__runge_new(ctx, 2, circle, NULL, &runge), HA_OK);
}

static void tear_down(void)
{
    ha__runge_free(runge);
    ha_ctx_free(ctx);
}

/* A step of cos from 0; the error of it, of its middle and of the derivative there, the estimate. */
static void turn(double h, double *error, double *middle, double *rate, double *estimate)
{
    const double y0[2] = { 1.0, 0.0 }, f0[2] = { 0.0, -1.0 }, weights[2] = { 1.0, 1.0 };
    double y[2], f[2];
    bool is_good = false;

    ck_assert_int_eq(ha__runge_step(runge, 3.0, h, y0, f0, y, f, &is_good), HA_OK);
    ck_assert(is_good);
    *error = hypot(y[0] - cos(h), y[1] + sin(h));
    ck_assert_double_eq(f[1], -y[0]);
    *estimate = ha__runge_error(runge, weights);
    ha__runge_dense(runge, 3.0 + 0.4 * h, y, f);
    *middle = hypot(y[0] - cos(0.4 * h), y[1] + sin(0.4 * h));
    *rate = hypot(f[0] + sin(0.4 * h), f[1] + cos(0.4 * h));
}

/* log2 of what half the step leaves. */
static double order(double whole, double half)
{
    return log2(whole / half);
}

START_TEST(errors_fall_with_their_orders)
{
    double a[4], b[4];

    turn(0.2, &a[0], &a[1], &a[2], &a[3]);
    turn(0.1, &b[0], &b[1], &b[2], &b[3]);
    ck_assert_double_ge(order(a[0], b[0]), 5.8); /* local error of order 5 */
    ck_assert_double_ge(order(a[1], b[1]), 4.8); /* interpolant of order 4 */
    ck_assert_double_ge(order(a[2], b[2]), 3.8);
    ck_assert_double_ge(order(a[3], b[3]), ha__runge_power(runge) - 0.2);
    ck_assert_double_ge(a[3], a[0]); /* it is the error of the lower order */
}
END_TEST

START_TEST(the_ends_of_a_step_are_interpolated)
{
    const double y0[2] = { 1.0, 0.0 }, f0[2] = { 0.0, -1.0 };
    double y1[2], f1[2], y[2], f[2];
    bool is_good = false;

    ck_assert_int_eq(ha__runge_step(runge, 1.0, 0.7, y0, f0, y1, f1, &is_good), HA_OK);
    ha__runge_dense(runge, 1.0, y, f);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(y[i], y0[i], 1e-15);
        ck_assert_double_eq_tol(f[i], f0[i], 1e-14);
    }
    ha__runge_dense(runge, 1.7, y, f);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(y[i], y1[i], 1e-14);
        ck_assert_double_eq_tol(f[i], f1[i], 1e-13);
    }
}
END_TEST

START_TEST(the_last_stages_tell_the_eigenvalue)
{
    const double y0[1] = { 1.0 }, weights[1] = { 1.0 };
    double y[1], f[1];
    bool is_good = false;

    ha__runge_free(runge);
    ck_assert_int_eq(ha__runge_new(ctx, 1, decay, NULL, &runge), HA_OK);
    for (slope = 1.0; slope < 200.0; slope *= 5.0) {
        const double f0[1] = { -slope };
        ck_assert_int_eq(ha__runge_step(runge, 0.0, 0.01, y0, f0, y, f, &is_good), HA_OK);
        ck_assert_double_eq_tol(ha__runge_stiffness(runge, weights), 0.01 * slope, 1e-9 * slope);
    }
}
END_TEST

START_TEST(a_stage_without_a_value_is_told)
{
    const double y0[1] = { 1.0 }, f0[1] = { -1e3 };
    double y[1] = { 7.0 }, f[1] = { 8.0 };
    bool is_good = true;

    slope = 1e3;
    ha__runge_free(runge);
    ck_assert_int_eq(ha__runge_new(ctx, 1, decay, NULL, &runge), HA_OK);
    ck_assert_int_eq(ha__runge_step(runge, 0.0, 1.0, y0, f0, y, f, &is_good), HA_OK);
    ck_assert(!is_good);
    ck_assert_double_eq(y[0], 7.0);
    ck_assert_double_eq(f[0], 8.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("runge");
    TCase *tests = tcase_create("runge");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, errors_fall_with_their_orders);
    tcase_add_test(tests, the_ends_of_a_step_are_interpolated);
    tcase_add_test(tests, the_last_stages_tell_the_eigenvalue);
    tcase_add_test(tests, a_stage_without_a_value_is_told);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
