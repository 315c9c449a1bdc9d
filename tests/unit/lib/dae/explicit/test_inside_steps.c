/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows inside of explicit steps against a closed form. A motion of two rates,
 *
 *     y'' + (a + c) y' + a c y = 0,   y = (c e^(-a t) - a e^(-c t)) / (c - a) from rest at 1,
 *
 * soon goes with the slow rate a, and its steps grow to the bound of stability of the fast one, c.
 * What is left of that by then does not show in the last stages of a step, nor at its end.
 */
#include <config.h>

#include "lib/dae.h"

#include "tests/unit/lib/dae/dae_systems.h"
#include "tests/util/random.h"

enum { N_RUNS = 200, N_ROWS = 500 };

static double slow, fast; /* rates [1/s] */

static void residual(const void *model, double *work, double t, const double *u, const double *up,
                     double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] - u[1];
    r[1] = up[1] + (slow + fast) * u[1] + slow * fast * u[0];
}

static void jacobian(const void *model, double *work, double t, double cj, const double *u,
                     const double *up, double *values)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    values[0] = cj;
    values[1] = slow * fast;
    values[2] = -1.0;
    values[3] = cj + slow + fast;
}

static const ha_dae_unknown unknowns[] = { { .name = "y", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
                                           { .name = "v", .kind = HA_DIFFERENTIAL, .scale = 1.0 } };
static const char *const equations[] = { "rate of y", "rate of v" };
static const ha_dae_output column = { .name = "y", .unit = "" };

static void output(const void *model, double *work, double t, const double *u, const double *up,
                   const double *integrals, double *out)
{
    (void) model, (void) work, (void) t, (void) up, (void) integrals;
    out[0] = u[0];
}

/* By how many tolerances the rows are off y, at most. */
static double worst_row(double rtol, double t_end)
{
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_options options = options_to(t_end);
    double worst = 0.0;

    dae.residual = residual;
    dae.jacobian = jacobian;
    dae.n_outputs = 1;
    dae.outputs = &column;
    dae.output = output;
    options.step = t_end / N_ROWS;
    options.rtol = options.atol = rtol;
    y[0] = 1.0;
    y[1] = 0.0;
    yp[0] = 0.0;
    yp[1] = -slow * fast;
    expect_ok(run(&dae, &options));
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        const double t = ha_result_value(result, i, 0);
        double truth = (fast * exp(-slow * t) - slow * exp(-fast * t)) / (fast - slow);
        double off = fabs(ha_result_value(result, i, 1) - truth) / rtol;
        ck_assert(isfinite(off)); /* or fmax() would pass it over */
        worst = fmax(worst, off);
    }
    return worst;
}

START_TEST(rows_are_right_where_what_is_fast_has_nearly_died_out)
{
    uint64_t state = 7;

    fast = 1.0;
    for (int k = 0; k < N_RUNS; k++) {
        slow = 1.0 / random_in(&state, 5.0, 100.0);
        const double rtol = pow(10.0, random_in(&state, -10.0, -5.0));
        const double t_end = random_in(&state, 20.0, 60.0), off = worst_row(rtol, t_end);
        ck_assert_msg(off < 10.0, "rate %.17g, rtol %.17g, to %.17g: off by %g tolerances", slow,
                      rtol, t_end, off);
        tear_down();
        driver == HA_DRIVER_EXPLICIT8 ? set_up_explicit8() : set_up_explicit();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inside_steps");
    TCase *order5 = tcase_create("order 5"), *order8 = tcase_create("order 8");

    tcase_add_checked_fixture(order5, set_up_explicit, tear_down);
    tcase_add_test(order5, rows_are_right_where_what_is_fast_has_nearly_died_out);
    suite_add_tcase(suite, order5);
    tcase_add_checked_fixture(order8, set_up_explicit8, tear_down);
    tcase_add_test(order8, rows_are_right_where_what_is_fast_has_nearly_died_out);
    suite_add_tcase(suite, order8);
    return test_run(suite);
}
