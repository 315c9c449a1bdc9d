/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first explicit step. Beside x = 1, which rests, stands z from 0 with
 *
 *     z' = 1 - sinh(k z),
 *
 * which is next to asinh(1) / k after a few times 1 / k. What is tried to find the first step goes
 * by a share of all unknowns, and z with it to where sinh is finite and its square is not: that
 * tells that it went too far, not that no step is short enough.
 */
#include <config.h>

#include "lib/dae.h"

#include "tests/unit/lib/dae/dae_systems.h"

static const double K = 1e5;

static void residual(const void *model, double *work, double t, const double *u, const double *up,
                     double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0];
    r[1] = up[1] - 1.0 + sinh(K * u[1]);
}

static void jacobian(const void *model, double *work, double t, double cj, const double *u,
                     const double *up, double *values)
{
    (void) model, (void) work, (void) t, (void) up;
    values[0] = cj;
    values[1] = values[2] = 0.0;
    values[3] = cj + K * cosh(K * u[1]);
}

static void start_system(const void *model, double *work, double t, const double *u, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = 0.0;
    r[1] = sinh(K * u[1]) - 1.0;
}

static const int64_t start_column[] = { 0, 1, 2 }, start_row[] = { 0, 1 };
static const int start_index[] = { 2, 2 }; /* behind r: the constant */
static const double start_constant[] = { 1.0 };
static const ha_dae_unknown unknowns[] = { { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
                                           { .name = "z", .kind = HA_DIFFERENTIAL, .scale = 1.0 } };
static const char *const equations[] = { "rest of x", "rate of z" };

START_TEST(a_trial_that_goes_too_far_is_followed_by_shorter_steps)
{
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_options options = options_to(1000.0 / K);

    options.atol = 1e-6;
    dae.residual = residual;
    dae.jacobian = jacobian;
    dae.start_system = start_system;
    dae.start_column = start_column;
    dae.start_row = start_row;
    dae.start_index = start_index;
    dae.start_constant = start_constant;
    dae.n_start_constants = 1;
    y[0] = 1.0;
    y[1] = 0.0;
    yp[1] = 1.0;
    expect_ok(run(&dae, &options));
    ck_assert_double_eq(y[0], 1.0);
    EXPECT_NEAR(K * y[1], asinh(1.0), 1e-6 * K);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("first_steps");
    TCase *order5 = tcase_create("order 5"), *order8 = tcase_create("order 8");

    tcase_add_checked_fixture(order5, set_up_explicit, tear_down);
    tcase_add_test(order5, a_trial_that_goes_too_far_is_followed_by_shorter_steps);
    suite_add_tcase(suite, order5);
    tcase_add_checked_fixture(order8, set_up_explicit8, tear_down);
    tcase_add_test(order8, a_trial_that_goes_too_far_is_followed_by_shorter_steps);
    suite_add_tcase(suite, order8);
    return test_run(suite);
}
