/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constraints on velocities: against the closed form of Chaplygin's sleigh and a prescribed speed,
 * what assembly makes of them, and what is refused.
 */
#include <config.h>

#include "mech2d/assemble.h"
#include "mech2d/system.h"
#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>

#define HEAD "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"

#define SLEIGH(START, MORE)                                                                        \
    HEAD "bodies: {sleigh: {mass: 2, inertia: 0.3, points: {K: [-0.5, 0]}, start: " START "}}\n"   \
         "joints: {edge: {type: constraint, between: [ground.O, sleigh.K], rates: {side: "         \
         "vN.y_j}}}\n"                                                                             \
         "simulate: {t_end: 5, rtol: 1e-11" MORE "}\n"

/* With the speed v of the skate along its edge, v' = a w^2 and w' = -m a v w / (I + m a^2). From v
   = 0: w = w0 / cosh(k t), v = V tanh(k t), V = w0 sqrt((I + m a^2) / m), k = m a V / (I + m a^2).
 */
static void expect_sleigh(const run *r, double t)
{
    const double m = 2.0, a = 0.5, inertia = 0.3 + m * a * a, w0 = 1.0;
    const double speed = w0 * sqrt(inertia / m), k = m * a * speed / inertia;
    const double angle = w0 / k * 2.0 * atan(tanh(0.5 * k * t));

    run_expect_near(r, "sleigh.omega", w0 / cosh(k * t), 1e-9);
    run_expect(r, "sleigh.angle", angle, 1e-9);
    run_expect(r, "sleigh.K.vx", speed * tanh(k * t) * cos(angle), 1e-9);
    run_expect(r, "sleigh.K.vy", speed * tanh(k * t) * sin(angle), 1e-9);
    run_expect_near(r, "energy.error", 0.0, 1e-9);
}

START_TEST(sleigh_moves_as_chaplygin_says)
{
    run r = run_text(SLEIGH("{vy: 0.5, omega: 1}", ""));
    run implicit = run_text(SLEIGH("{vy: 0.5, omega: 1}", ", driver: ida"));

    expect_sleigh(&r, 5.0);
    expect_sleigh(&implicit, 5.0);
    run_expect_near(&r, "energy.error", 0.0, 1e-12);
    run_end(&r);
    run_end(&implicit);
}
END_TEST

START_TEST(projection_holds_it_to_round_off)
{
    run r = run_text(SLEIGH("{vy: 0.5, omega: 1}", ", projection: steps"));

    expect_sleigh(&r, 5.0);
    ck_assert_double_lt(r.report.velocity_error, 1e-15);
    run_end(&r);
}
END_TEST

START_TEST(assembly_chooses_velocities_and_moves_nothing)
{
    run r =
        run_text(HEAD "bodies: {b: {mass: 2, inertia: 0.3, points: {K: [-0.5, 0]}, start: {x: 3, "
                      "y: 4, angle: 0.5, vx: 1, omega: 0.25, fixed: [omega, vx]}}}\n"
                      "joints: {J: {type: constraint, between: [ground.O, b.K], rates: {side: "
                      "vN.y_j}}}\nsimulate: {t_end: 0}\n");

    run_expect(&r, "b.x", 3.0, 0.0);
    run_expect(&r, "b.y", 4.0, 0.0);
    run_expect(&r, "b.angle", 0.5, 0.0);
    run_expect(&r, "b.vx", 1.0, 0.0);
    run_expect(&r, "b.vy", (sin(0.5) + 0.125) / cos(0.5), 1e-14);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 3);
    ck_assert_int_eq(m2d_assembly_mobility_count(r.assembly), 3);
    ck_assert_int_eq(m2d_assembly_speed_mobility(r.assembly), 2);
    ck_assert_int_eq(m2d_assembly_speed_count(r.assembly), 2);
    ck_assert_int_eq(m2d_system_n_rates(r.system), 1);
    run_end(&r);
}
END_TEST

START_TEST(a_row_on_velocities_that_others_hold_already_is_redundant)
{
    run r =
        run_text(HEAD "bodies: {b: {mass: 2, inertia: 0.3, points: {K: [0, 0], E: [1, 0]}, start: "
                      "{omega: 0.5}}}\n"
                      "joints: {O: {type: revolute, between: [ground.O, b.K]}, J: {type: "
                      "constraint, between: [ground.O, b.E], rates: {along: vN.x_j}}}\n"
                      "simulate: {t_end: 1}\n");

    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_speed_mobility(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 1);
    ck_assert_str_eq(m2d_assembly_redundant(r.assembly, 0), "J");
    run_expect(&r, "b.angle", 0.5, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(a_speed_can_be_prescribed)
{
    /* N moves along its own axis with the speed 2 + t, the axis turns with 0.5 rad/s */
    run r = run_text(HEAD "bodies: {b: {mass: 2, inertia: 0.3, points: {K: [0, 0]}}}\n"
                          "joints: {J: {type: constraint, between: [ground.O, b.K], rates: {along: "
                          "\"vN.x_j - 2 - t\", side: vN.y_j, turn: {value: \"omega_j - omega_i - "
                          "0.5\", unit: rad/s}}}}\n"
                          "simulate: {t_end: 2, rtol: 1e-11}\n");

    run_expect(&r, "b.angle", 1.0, 1e-10);
    run_expect(&r, "b.x", 8.0 * sin(1.0) + 4.0 * cos(1.0) - 4.0, 1e-9);
    run_expect(&r, "b.y", 4.0 * sin(1.0) - 8.0 * cos(1.0) + 4.0, 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(what_is_no_constraint_on_velocities_is_refused)
{
#define WITH(RATE)                                                                                 \
    HEAD "bodies: {b: {mass: 2, inertia: 0.3, points: {K: [0, 0]}}}\n"                             \
         "joints: {J: {type: constraint, between: [ground.O, b.K], rates: {r: \"" RATE "\"}}}\n"   \
         "simulate: {t_end: 1}\n"
    run_expect_failure(WITH("vN.x_0*vN.y_0"), HA_ERR_VALUE, "not linear in the velocities");
    run_expect_failure(WITH("omega_j*abs(omega_j)"), HA_ERR_VALUE, "not linear");
    run_expect_failure(WITH("MN.x_0"), HA_ERR_VALUE, "does not depend on a velocity");
    run_expect_failure(WITH("vN.x_0 - b.x"), HA_ERR_NAME, "unknown name `b.x`");
    run_expect_failure(WITH("vK.x_0"), HA_ERR_NAME, "vK.x_0");
    run_expect_failure(HEAD
                       "bodies: {b: {mass: 2, inertia: 0.3, points: {K: [0, 0]}}}\n"
                       "joints: {J: {type: constraint, between: [ground.O, b.K], model: compliant, "
                       "stiffness: 1e5, rates: {r: vN.x_0}}}\nsimulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "which no spring can hold");
#undef WITH
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rates");
    TCase *tests = tcase_create("rates");

    tcase_add_test(tests, sleigh_moves_as_chaplygin_says);
    tcase_add_test(tests, projection_holds_it_to_round_off);
    tcase_add_test(tests, assembly_chooses_velocities_and_moves_nothing);
    tcase_add_test(tests, a_row_on_velocities_that_others_hold_already_is_redundant);
    tcase_add_test(tests, a_speed_can_be_prescribed);
    tcase_add_test(tests, what_is_no_constraint_on_velocities_is_refused);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
