/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least squares that are not linear, against certified values of NIST's Statistical Reference
 * Datasets, and within bounds against closed forms.
 */
#include <config.h>

#include "lib/linalg/marquardt.h"

#include "tests/util/context.h"

#include <math.h>

enum { DATA = 14 };

/* Misra1a: y = b1 (1 - exp(-b2 x)). */
static const double misra_x[DATA] = { 77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                      378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0 };
static const double misra_y[DATA] = { 10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                      44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78 };
static const double certified[2] = { 2.3894212918e+02, 5.5015643181e-04 };
static const double certified_sum = 1.2455138894e-01;

static ha_status misra(void *user, const double *b, double *r, bool *exists)
{
    (void) user;
    (void) exists;
    for (int i = 0; i < DATA; i++) {
        r[i] = b[0] * -expm1(-b[1] * misra_x[i]) - misra_y[i];
    }
    return HA_OK;
}

static ha_status misra_jacobian(void *user, const double *b, double *a)
{
    (void) user;
    for (int i = 0; i < DATA; i++) {
        a[i] = -expm1(-b[1] * misra_x[i]);
        a[DATA + i] = b[0] * misra_x[i] * exp(-b[1] * misra_x[i]);
    }
    return HA_OK;
}

static const double nowhere[2] = { -INFINITY, -INFINITY }, far_away[2] = { INFINITY, INFINITY };

static ha__marquardt_def misra_def(const double *least, const double *most)
{
    return (ha__marquardt_def){ .m = DATA,
                                .n = 2,
                                .least = least,
                                .most = most,
                                .tolerance = 1e-13,
                                .most_evaluations = 1000,
                                .residuals = misra,
                                .jacobian = misra_jacobian };
}

static double sum_of(const double *r)
{
    double sum = 0.0;

    for (int i = 0; i < DATA; i++) {
        sum += r[i] * r[i];
    }
    return sum;
}

/* From both starts that NIST gives, which are hard and easy. */
START_TEST(certified_values_are_found)
{
    static const double starts[2][2] = { { 500.0, 1e-4 }, { 250.0, 5e-4 } };
    const ha__marquardt_def def = misra_def(nowhere, far_away);
    double x[2] = { starts[_i][0], starts[_i][1] }, r[DATA], a[2 * DATA];
    bool is_held[2];
    ha__marquardt_report report;

    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_OK);
    ck_assert(report.has_converged);
    for (int j = 0; j < 2; j++) {
        ck_assert_double_eq_tol(x[j] / certified[j], 1.0, 2e-10);
        ck_assert(!is_held[j]);
    }
    ck_assert_double_eq_tol(sum_of(r) / certified_sum, 1.0, 2e-10);
}
END_TEST

/* With b2 at a bound b1 is a linear fit. */
START_TEST(what_a_bound_holds_is_told)
{
    static const double starts[3][2] = { { 500.0, 1e-4 }, { 250.0, 5e-4 }, { 100.0, 4.9e-4 } };
    const double most[2] = { INFINITY, 5e-4 };
    const ha__marquardt_def def = misra_def(nowhere, most);
    double x[2] = { starts[_i][0], starts[_i][1] }, r[DATA], a[2 * DATA], above = 0.0, below = 0.0;
    bool is_held[2];
    ha__marquardt_report report;

    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_OK);
    for (int i = 0; i < DATA; i++) {
        double f = -expm1(-5e-4 * misra_x[i]);
        above += f * misra_y[i];
        below += f * f;
    }
    ck_assert(report.has_converged && !is_held[0] && is_held[1]);
    ck_assert_double_eq(x[1], 5e-4);
    ck_assert_double_eq_tol(x[0] / (above / below), 1.0, 1e-10);
}
END_TEST

/* A bound that is not in the way holds nothing, even where the search begins at it. */
START_TEST(what_stands_at_a_bound_may_leave_it)
{
    const double least[2] = { 100.0, 1e-4 }, most[2] = { 500.0, 1e-3 };
    const ha__marquardt_def def = misra_def(least, most);
    double x[2] = { 500.0, 1e-4 }, r[DATA], a[2 * DATA];
    bool is_held[2];
    ha__marquardt_report report;

    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_OK);
    ck_assert(report.has_converged && !is_held[0] && !is_held[1]);
    ck_assert_double_eq_tol(x[0] / certified[0], 1.0, 2e-10);
    ck_assert_double_eq_tol(x[1] / certified[1], 1.0, 2e-10);
}
END_TEST

/* r = log x is not there from 0 downwards, where the first steps from 20 lead. */
static ha_status logarithm(void *user, const double *x, double *r, bool *exists)
{
    (void) user;
    *exists = x[0] > 0.0;
    r[0] = *exists ? log(x[0]) : 0.0;
    return HA_OK;
}

static ha_status logarithm_jacobian(void *user, const double *x, double *a)
{
    (void) user;
    a[0] = 1.0 / x[0];
    return HA_OK;
}

static ha_status fails(void *user, const double *x, double *r, bool *exists)
{
    int *left = user;

    return (*left)-- > 0 ? logarithm(NULL, x, r, exists) : HA_ERR_INTERRUPTED;
}

static ha__marquardt_def logarithm_def(void)
{
    return (ha__marquardt_def){ .m = 1,
                                .n = 1,
                                .least = nowhere,
                                .most = far_away,
                                .tolerance = 1e-13,
                                .most_evaluations = 1000,
                                .residuals = logarithm,
                                .jacobian = logarithm_jacobian };
}

START_TEST(a_step_to_nowhere_is_shortened)
{
    const ha__marquardt_def def = logarithm_def();
    double x[1] = { 20.0 }, r[1], a[1];
    bool is_held[1];
    ha__marquardt_report report;

    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_OK);
    ck_assert(report.has_converged && report.shortened > 0);
    ck_assert_double_eq_tol(x[0], 1.0, 1e-12);
}
END_TEST

START_TEST(what_ends_a_search)
{
    ha__marquardt_def def = logarithm_def();
    double x[1] = { -1.0 }, r[1], a[1];
    bool is_held[1];
    ha__marquardt_report report;
    int left = 3;

    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_ERR_VALUE);
    x[0] = 5.0;
    def.user = &left;
    def.residuals = fails;
    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_ERR_INTERRUPTED);
    def = logarithm_def();
    def.most_evaluations = 2;
    x[0] = 20.0;
    ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_OK);
    ck_assert(!report.has_converged);
    for (size_t i = 1; i <= 4; i++) {
        x[0] = 5.0;
        ha_ctx_fail_allocation(ctx, i);
        def.most_evaluations = 1000;
        ck_assert_int_eq(ha__marquardt(ctx, &def, x, r, a, is_held, &report), HA_ERR_MEMORY);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("marquardt");
    TCase *tcase = tcase_create("marquardt");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, certified_values_are_found, 0, 2);
    tcase_add_loop_test(tcase, what_a_bound_holds_is_told, 0, 3);
    tcase_add_test(tcase, what_stands_at_a_bound_may_leave_it);
    tcase_add_test(tcase, a_step_to_nowhere_is_shortened);
    tcase_add_test(tcase, what_ends_a_search);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
