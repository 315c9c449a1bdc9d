/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explicit steps that an event cuts. The truth is a closed form: y' = 1 with a push to and fro in
 * time that leaves nothing behind, and is so short that only a stage of the cut step sees it: a
 * step that takes it for more is wrong by as much as that stage counts.
 */
#include <config.h>

#include "lib/dae.h"
#include "lib/dae/method/runge_table.h"

#include "tests/unit/lib/dae/dae_systems.h"

static const double WIDTH = 1e-4, RATE = 10.0;
static const double EVENT = 0.6789; /* of y */
static double pulse;  /* when its first half is at its height; not a number: there is none */
static double cut[2]; /* the step that ends at the event */

static double push(double t)
{
    double s = (t - pulse) / WIDTH - sqrt(0.5);

    return isnan(pulse) ? 0.0 : -RATE * s * exp(-s * s);
}

static void residual(const void *model, double *work, double t, const double *u, const double *up,
                     double *r)
{
    (void) model, (void) work, (void) u;
    r[0] = up[0] - 1.0 - push(t);
}

static void jacobian(const void *model, double *work, double t, double cj, const double *u,
                     const double *up, double *values)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    values[0] = cj;
}

static void switching(const void *model, double *work, double t, const double *u, const double *up,
                      double *values)
{
    (void) model, (void) work, (void) t, (void) up;
    values[0] = u[0] - EVENT;
}

static void enclose(const void *model, double *work, const ha_dae_span *span, double *low,
                    double *high, double *slope_low, double *slope_high)
{
    (void) model, (void) work;
    low[0] = span->low[0] - EVENT;
    high[0] = span->high[0] - EVENT;
    slope_low[0] = span->slope_low[0];
    slope_high[0] = span->slope_high[0];
}

static void clocks(const void *model, double *work, double t0, double t1, double *low, double *high)
{
    (void) model, (void) work, (void) t0, (void) t1, (void) low, (void) high; /* there are none */
}

static void set_sides(const void *model, double *work, const signed char *sides)
{
    (void) model, (void) work, (void) sides; /* the equation is the same on both */
}

static ha_status note_cut(void *user, double t0, double t1, const double *u, ha_dae_inside inside,
                          void *of)
{
    (void) user, (void) inside, (void) of;
    if (fabs(u[0] - EVENT) < 1e-9) {
        cut[0] = t0;
        cut[1] = t1;
    }
    return HA_OK;
}

static const ha_dae_unknown unknown = { .name = "y", .kind = HA_DIFFERENTIAL, .scale = 1.0 };
static const char *const equation = "rate of y", *const condition = "y - 0.6789";
static const signed char no = 0;
static const int input = 0;

/* y at t = 1, from 0. */
static double end_of_run(void)
{
    const ha_dae_observer observer = { NULL, note_cut };
    ha_dae dae = full_system(1, &unknown, &equation);
    ha_dae_options options = options_to(1.0);

    dae.residual = residual;
    dae.jacobian = jacobian;
    dae.n_switches = 1;
    dae.switches = &condition;
    dae.is_clock = &no;
    dae.switch_reads_solved = &no;
    dae.n_switch_inputs = 1;
    dae.switch_inputs = &input;
    dae.switching = switching;
    dae.enclose = enclose;
    dae.clocks = clocks;
    dae.set_sides = set_sides;
    options.observer = &observer;
    y[0] = 0.0;
    yp[0] = 1.0 + push(0.0);
    expect_ok(run(&dae, &options));
    return y[0];
}

START_TEST(a_step_that_is_cut_is_tested_as_any_other)
{
    const ha__runge_table *table =
        driver == HA_DRIVER_EXPLICIT8 ? &ha__runge_order8 : &ha__runge_order5;

    pulse = (double) NAN;
    ck_assert_double_eq_tol(end_of_run(), 1.0, 1e-9);
    const double h = cut[1] - cut[0];
    ck_assert_double_gt(h, 100.0 * WIDTH);
    pulse = cut[0] + table->node[table->n_stages - 4] * h;
    tear_down();
    driver == HA_DRIVER_EXPLICIT8 ? set_up_explicit8() : set_up_explicit();
    ck_assert_double_eq_tol(end_of_run(), 1.0, 1e-5);
    ck_assert_int_gt(stats.error_test_failures, 0); /* the push was seen */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cut_steps");
    TCase *order5 = tcase_create("order 5"), *order8 = tcase_create("order 8");

    tcase_add_checked_fixture(order5, set_up_explicit, tear_down);
    tcase_add_test(order5, a_step_that_is_cut_is_tested_as_any_other);
    suite_add_tcase(suite, order5);
    tcase_add_checked_fixture(order8, set_up_explicit8, tear_down);
    tcase_add_test(order8, a_step_that_is_cut_is_tested_as_any_other);
    suite_add_tcase(suite, order8);
    return test_run(suite);
}
