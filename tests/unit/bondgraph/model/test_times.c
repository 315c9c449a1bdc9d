/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows at given times, of every driver, against closed forms; of derivatives, see cli/fit.sh. */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double times[] = { 1e-6, 0.1, 0.30000000000000004, 1.7, 3.14159, 9.99 };
static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8,
                                     HA_DRIVER_AUTO };

static ha_status run(const char *text, ha_driver driver, const double *at, size_t n)
{
    bg_run_options options = bg_run_options_default();

    read_text(text);
    options.solver.t_end = 10.0;
    options.solver.driver = (long) driver;
    options.solver.rtol = options.solver.atol = 1e-9;
    options.solver.times = at;
    options.solver.n_times = n;
    return bg_simulate(graph, &options, result, NULL);
}

/* Start, the times as they were given, end. */
static void expect_times(void)
{
    ck_assert_uint_eq(ha_result_n_rows(result), HA_COUNT(times) + 2);
    ck_assert_double_eq(ha_result_value(result, 0, 0), 0.0);
    for (size_t i = 0; i < HA_COUNT(times); i++) {
        ck_assert_double_eq(ha_result_value(result, i + 1, 0), times[i]);
    }
    ck_assert_double_eq(ha_result_value(result, HA_COUNT(times) + 1, 0), 10.0);
}

/* q = sin t. */
START_TEST(rows_are_at_the_times_given)
{
    ck_assert_int_eq(run("1a>I{1, p=1};1a>C{1}", drivers[_i], times, HA_COUNT(times)), HA_OK);
    expect_times();
    size_t q = (size_t) ha_result_find(result, "C.q");
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double t = ha_result_value(result, i, 0);
        ck_assert_double_eq_tol(ha_result_value(result, i, q), sin(t), 1e-6);
    }
}
END_TEST

/* What has no unknowns is integrated from row to row: the work of 2 t is that of its square. */
START_TEST(rows_of_formulas)
{
    ck_assert_int_eq(run("MSe{2*t}>1a>R", HA_DRIVER_AUTO, times, HA_COUNT(times)), HA_OK);
    expect_times();
    size_t e = (size_t) ha_result_find(result, "R.e"),
           lost = (size_t) ha_result_find(result, "energy.dissipated");
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double t = ha_result_value(result, i, 0);
        ck_assert_double_eq_tol(ha_result_value(result, i, e), 2.0 * t, 1e-14 * t + 1e-20);
        ck_assert_double_eq_tol(ha_result_value(result, i, lost), 4.0 / 3.0 * t * t * t,
                                1e-6 * t * t * t + 1e-20);
    }
}
END_TEST

/* Without any, there are the start and the end. */
START_TEST(no_times_between)
{
    ck_assert_int_eq(run("1a>I{1, p=1};1a>C{1}", HA_DRIVER_AUTO, times, 0), HA_OK);
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
}
END_TEST

START_TEST(times_must_ascend_within_the_run)
{
    static const double bad[][2] = {
        { 0.0, 1.0 }, { 2.0, 1.0 }, { 1.0, 1.0 }, { 1.0, 10.0 }, { (double) NAN, 1.0 }
    };

    ck_assert_int_eq(run("1a>I{1, p=1};1a>C{1}", HA_DRIVER_AUTO, bad[_i], 2), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "must ascend"));
}
END_TEST

/* A vibration of 1e7 rad/s without a damper would take 1e7 steps and more. It is told long before
   they are used up, after a fifth of them and the two twentieths that the other method is tried for
   first; one that dies out is waited for. */
START_TEST(steps_that_cannot_lead_to_the_end_are_told_early)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    static const char *const graphs[] = { "1>I{1, p=1};1>C{1e-14}",
                                          "1>I{1, p=1};1>C{1e-8};1>R{8}" };

    ck_assert_int_eq(bg_compact_read(graph, graphs[_i], strlen(graphs[_i]), HA_NOWHERE), HA_OK);
    options.solver.t_end = _i == 0 ? 1.0 : 1000.0;
    options.solver.max_steps = 100000;
    ha_status status = bg_simulate(graph, &options, result, &report);
    ck_assert_int_eq(status, _i == 0 ? HA_ERR_SOLVER : HA_OK);
    ck_assert_int_lt(report.solver.steps, _i == 0 ? 30001 : 100000);
    ck_assert_int_gt(report.solver.steps, 2000);
    const char *said = ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "";
    ck_assert_msg(_i == 1 || strstr(said, "damp what swings so fast") != NULL, "%s", said);
}
END_TEST

/* A burst that ends is no such thing: what depends on the time may change at any. */
START_TEST(a_burst_that_ends_is_waited_for)
{
    bg_run_options options = bg_run_options_default();

    read_text("Se{if(t < 0.5, sin(19777.3*t), 0)}>1a;1a>R{1};1a>I{1}");
    options.solver.t_end = 20.0;
    options.solver.max_steps = 50000;
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
}
END_TEST

/* Steps that meet a vibration at whole periods have seen nothing of it but round-off. At t = 0.01 s
   I f' = sin(w t) - f has come to (sin wt - w cos wt + w exp(-t)) / (1 + w^2). */
START_TEST(whole_periods_are_no_rest)
{
    static const double frequencies[] = { 1e4, 2e4 };
    const double frequency = frequencies[(size_t) _i / HA_COUNT(drivers)];
    const double w = 8.0 * atan(1.0) * frequency, t = 0.01;
    const double exact = (sin(w * t) - w * cos(w * t) + w * exp(-t)) / (1.0 + w * w);
    bg_run_options options = bg_run_options_default();
    char text[128];

    snprintf(text, sizeof text, "Se{sin(2*pi*%d*t)}>1a;1a>R{1};1a>I{1}", (int) frequency);
    read_text(text);
    options.solver.t_end = t;
    options.solver.rtol = 1e-8;
    options.solver.driver = (long) drivers[(size_t) _i % HA_COUNT(drivers)];
    options.solver.max_steps = 50000;
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), exact, 2e-4 / w); /* of its swing, 1 / w */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("times");
    TCase *tcase = tcase_create("times");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, rows_are_at_the_times_given, 0, (int) HA_COUNT(drivers));
    tcase_add_test(tcase, rows_of_formulas);
    tcase_add_test(tcase, no_times_between);
    tcase_add_loop_test(tcase, times_must_ascend_within_the_run, 0, 5);
    tcase_add_loop_test(tcase, steps_that_cannot_lead_to_the_end_are_told_early, 0, 2);
    tcase_add_test(tcase, a_burst_that_ends_is_waited_for);
    tcase_add_loop_test(tcase, whole_periods_are_no_rest, 0, 2 * (int) HA_COUNT(drivers));
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
