/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How constraints are kept: alpha and beta that follow the motion, values that are given, and drift
 * that is taken back.
 *
 * A row of two squares of uniform bars, 1 m and 1 kg, turning through positions in which two ranks
 * are lost, where every time is T times as long: speeds go with 1/T, gravity with 1/T^2. By
 * quadrature of the one equation of motion the uprights have after 10 T
 *
 *     cos(angle) = 0.3284581115, sin(angle) = 0.9445185382.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"

#include <check.h>
#include <stdio.h>

static run run_squares(double time, double t_end, const char *more)
{
    char text[3000];

    snprintf(text, sizeof text,
             "halfarrow: 1\n"
             "parameters: {L: 1 m, M: 1 kg, J: M*L^2/12, W: %.17g rad/s, V: %.17g m/s}\ngravity: "
             "[0, %.17g]\n"
             "ground: {points: {G0: [0, 0], G1: [1, 0], G2: [2, 0]}}\nbodies:\n" SQUARES_BODIES
             "joints:\n" SQUARES_JOINTS "simulate: {t_end: %.17g%s}\n",
             1.0 / time, 1.0 / time, -9.81 / (time * time), t_end, more);
    return run_text(text);
}

static void expect_angle(const run *r, double error)
{
    ck_assert_double_eq_tol(cos(run_last(r, "U0.angle")), 0.3284581115, error);
    ck_assert_double_eq_tol(sin(run_last(r, "U0.angle")), 0.9445185382, error);
}

static const double times[] = { 1e-6, 1e-3, 1.0, 1e3, 1e6 };

/* With alpha and atol by default slow and fast mechanisms are as accurate and take as many steps as
   that of seconds. */
START_TEST(defaults_follow_the_time_scale)
{
    double time = times[_i / 2];
    run r = run_squares(time, 10.0 * time, _i % 2 == 0 ? "" : ", driver: explicit");

    expect_angle(&r, 1e-2);
    ck_assert_double_le(r.report.energy_error * time * time, 0.01);
    ck_assert_int_lt(r.report.solver.steps, 2000);
    ck_assert_double_eq(r.report.beta, r.report.alpha);
    run_end(&r);
}
END_TEST

/* Errors of steps add up over the ten turns: by default to no more than four digits leave. */
START_TEST(ten_seconds_are_right_by_default)
{
    run r = run_squares(1.0, 10.0, "");

    expect_angle(&r, 1e-4);
    ck_assert_int_eq(r.report.solver.driver, HA_DRIVER_EXPLICIT8);
    run_end(&r);
}
END_TEST

/* T = min(1 / W, sqrt(1 / (acceleration))): at the start the uprights stand, and C0 turns its way
   with W^2 downwards. */
static const struct {
    double time, t_end, alpha; /* 0: more than 20 */
    const char *more, *reason;
} reasons[] = {
    { 1.0, 2.0, 20.0, "", "20 / min(end time, 1 s)" },
    { 1.0, 0.5, 40.0, "", "20 / min(end time, 1 s)" },
    { 1e3, 1e4, 0.02, "", "20 / time scale of the start" },
    { 1e3, 500.0, 20.0, "", "20 / min(end time, 1 s)" }, /* no motion to speak of in the run */
    { 1e-2, 2.0, 0.0, ", driver: ida", "raised to 0.5 / time scale of the steps" },
    { 1.0, 2.0, 5.0, ", alpha: 5, beta: 5", "as given" },
    { 1e-2, 0.2, 7.0, ", alpha: 7", "as given" }, /* never raised */
};

START_TEST(the_reason_of_alpha_is_told)
{
    run r = run_squares(reasons[_i].time, reasons[_i].t_end, reasons[_i].more);

    ck_assert_str_eq(r.report.alpha_reason, reasons[_i].reason);
    if (reasons[_i].alpha == 0.0) {
        ck_assert_double_gt(r.report.alpha, 20.0);
    } else {
        ck_assert_double_ge(r.report.alpha, reasons[_i].alpha);
        ck_assert_double_le(r.report.alpha, 4.0 * reasons[_i].alpha);
    }
    ck_assert_double_eq(r.report.beta, r.report.alpha);
    run_end(&r);
}
END_TEST

/* A beta alone is taken, too, and nothing is raised then. */
START_TEST(a_beta_that_is_given_is_kept)
{
    run r = run_squares(1e-2, 0.2, ", beta: 9");

    ck_assert_double_eq(r.report.beta, 9.0);
    ck_assert_double_eq(r.report.alpha, 100.0);
    run_end(&r);
}
END_TEST

/* What is slow at first and fast later has alpha raised: a rod turns at
   0.05 rad/s, until a torque of 2 N.m drives it from 100 s on. */
START_TEST(alpha_is_raised_when_motion_becomes_fast)
{
    run r =
        run_text("halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                 "bodies: {rod: {mass: 1, inertia: 0.0083333, points: {O: [-0.1581, 0]}, start: "
                 "{omega: 0.05, fixed: [omega]}}}\n"
                 "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
                 "forces: {T: {type: torque, on: rod, value: \"if(t > 100, 2, 0)\"}}\n"
                 "simulate: {t_end: 101, driver: ida}\n");

    ck_assert_str_eq(r.report.alpha_reason, "raised to 0.5 / time scale of the steps");
    ck_assert_double_gt(r.report.alpha, 2.0);
    double inertia = 0.0083333 + 0.1581 * 0.1581;
    run_expect(&r, "rod.omega", 0.05 + 2.0 / inertia, 1e-4);
    ck_assert_double_le(r.report.constraint_error, 1e-4);
    run_end(&r);
}
END_TEST

/* Taken back after each step drift is round-off in every row, and the motion no worse. */
START_TEST(projection_leaves_no_drift)
{
    run kept = run_squares(1.0, 10.0, ", driver: ida, projection: steps, rtol: 1e-8, atol: 1e-8");
    run drifting =
        run_squares(1.0, 10.0, ", driver: ida, projection: none, rtol: 1e-8, atol: 1e-8");

    expect_angle(&kept, 1e-4);
    expect_angle(&drifting, 1e-4);
    ck_assert_double_le(kept.report.constraint_error, 1e-13);
    ck_assert_double_le(kept.report.velocity_error, 1e-12);
    ck_assert_double_gt(drifting.report.constraint_error, 1e-11);
    ck_assert_int_ge(kept.report.solver.projections, kept.report.solver.steps);
    ck_assert_int_eq(drifting.report.solver.projections, 0);
    run_end(&kept);
    run_end(&drifting);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stabilisation");
    TCase *tests = tcase_create("stabilisation");

    tcase_add_loop_test(tests, defaults_follow_the_time_scale, 0, 2 * (int) HA_COUNT(times));
    tcase_add_loop_test(tests, the_reason_of_alpha_is_told, 0, (int) HA_COUNT(reasons));
    tcase_add_test(tests, ten_seconds_are_right_by_default);
    tcase_add_test(tests, a_beta_that_is_given_is_kept);
    tcase_add_test(tests, alpha_is_raised_when_motion_becomes_fast);
    tcase_add_test(tests, projection_leaves_no_drift);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
