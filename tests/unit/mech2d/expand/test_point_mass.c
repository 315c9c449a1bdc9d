/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bodies without inertia: nothing turns them, so that none is needed. A spherical pendulum in the
 * plane, two masses on a spring, and what is refused. What a sensor on a body measures: the pin of
 * a pendulum along the rod.
 *
 *   a pendulum of length l, let go when level: l omega^2 = 2 g s, s = -sin angle;
 *   the string pulls with m (l omega^2 + g s) = 3 m g s
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define STRING                                                                                     \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {m: {mass: 2, points: {C: [0, 0], P: [0.1, 0]}, start: {x: 0.5, y: 0, angle: "   \
         "0.7, fixed: [x, y, angle]}}}\n"

START_TEST(a_point_mass_swings_on_a_string)
{
    run r = run_text(STRING "joints: {s: {type: distance, between: [ground.O, m.C], length: 0.5}}\n"
                            "simulate: {t_end: 0.4, rtol: 1e-11}\n"
                            "outputs: [m, {pull: \"sqrt(s.fx^2 + s.fy^2)\"}]\n");
    double s = -run_last(&r, "m.y") / 0.5, vx = run_last(&r, "m.vx"), vy = run_last(&r, "m.vy");

    ck_assert_double_gt(s, 0.5);
    ck_assert_double_eq_tol(vx * vx + vy * vy, 2.0 * 9.81 * 0.5 * s, 1e-8);
    ck_assert_double_eq_tol(run_last(&r, "pull"), 3.0 * 2.0 * 9.81 * s, 1e-6);
    ck_assert_double_eq(run_last(&r, "m.angle"), 0.7);
    ck_assert_double_eq(run_last(&r, "m.omega"), 0.0);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_mobility_count(r.assembly), 1);
    ck_assert_int_lt(ha_result_find(r.result, "m.drive"), 0);
    run_end(&r);
}
END_TEST

/* 1 kg and 3 kg on a spring of 300 N/m: (300 (1 + 1/3))^(1/2) = 20 rad/s about their centre. */
START_TEST(point_masses_swing_on_a_spring)
{
    run r = run_text(HEAD "gravity: [0, 0]\n"
                          "bodies:\n"
                          "  a: {mass: 1, points: {C: [0, 0]}, start: {x: 0, y: 0}}\n"
                          "  b: {mass: 3, points: {C: [0, 0]}, start: {x: 1.2, y: 0}}\n"
                          "forces: {s: {type: spring-damper, between: [a.C, b.C], stiffness: 300, "
                          "free_length: 1}}\n"
                          "simulate: {t_end: 0.3, rtol: 1e-11}\n");

    run_expect(&r, "a.x", 0.75 * 0.2 * (1.0 - cos(20.0 * 0.3)), 1e-8);
    run_expect(&r, "b.x", 1.2 - 0.25 * 0.2 * (1.0 - cos(20.0 * 0.3)), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(what_turns_a_point_mass_is_refused)
{
    static const char *const cases[][2] = {
        { "joints: {J: {type: weld, between: [ground.O, m.C]}}\n", "`J` turns body `m`" },
        { "joints: {J: {type: revolute, between: [ground.O, m.P]}}\n",
          "what acts at the point `m.P` turns body `m`" },
        { "forces: {f: {type: torque, on: m, value: 1}}\n", "force `f` turns body `m`" },
        { "forces: {f: {type: wrench, on: m.C, value: [0, 0, 1]}}\n", "force `f` turns body `m`" },
        { "forces: {f: {type: force, on: m.P, value: [0, 1]}}\n", "point `m.P` turns" },
        { "joints: {J: {type: revolute, between: [ground.O, m.C]}}\n"
          "forces: {f: {type: spring-damper, on: J, stiffness: 1}}\n",
          "turns body `m`, which has no `inertia`" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, STRING "%ssimulate: {t_end: 1}\n", cases[i][0]);
        run_expect_failure(text, HA_ERR_VALUE, cases[i][1]);
    }
    run_expect_failure(HEAD "bodies: {m: {mass: 2, start: {omega: 1}}}\nsimulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "starts with an `omega`");
}
END_TEST

/* --- sensors -------------------------------------------------------------------------------- */

/* A rod of 1 m with the inertia of a point mass in its middle, from level: the pin pulls along it
   with 3 m g s, and the point at its end is accelerated by -2 l omega^2 along it. */
START_TEST(sensors_measure_in_the_axes_of_their_body)
{
    run r = run_text(HEAD
                     "ground: {points: {O: [0, 0]}}\n"
                     "bodies: {rod: {mass: 2, inertia: 1e-12, points: {O: {at: [-0.5, 0], axis: 90 "
                     "deg}, P: [0.5, 0]}, start: {angle: 0, fixed: [angle]}}}\n"
                     "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
                     "simulate: {t_end: 0.4, rtol: 1e-11}\n"
                     "outputs:\n"
                     "  - {along: \"in_axes(rod.P, O).fx\", across: \"in_axes(rod.P, O).fy\"}\n"
                     "  - {a: \"in_axes(rod.O, rod.P).ay\", v: \"in_axes(rod.O, rod.P).vx\"}\n");
    double s = -sin(run_last(&r, "rod.angle"));

    ck_assert_double_gt(s, 0.5);
    run_expect(&r, "along", -3.0 * 2.0 * 9.81 * s, 1e-6);
    ck_assert_double_eq_tol(run_last(&r, "across"), 0.0, 1e-9);
    run_expect(&r, "a", 4.0 * 9.81 * s, 1e-6); /* the axes of O are turned by 90 degrees */
    run_expect(&r, "v", run_last(&r, "rod.omega"), 1e-9);
    run_end(&r);
    run_expect_failure(HEAD "ground: {points: {O: [0, 0]}}\nbodies: {m: {mass: 2, points: {C: [0, "
                            "0]}}}\nsimulate: {t_end: 0}\noutputs: [{a: \"in_axes(m.C, x).fx\"}]\n",
                       HA_ERR_NAME, "`x` has neither .fx and .fy nor .vx and .vy");
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    run_survives(STRING "joints: {s: {type: distance, between: [ground.O, m.C], length: 0.5}}\n"
                        "simulate: {t_end: 0}\noutputs: [{a: \"in_axes(m.C, s).fx\"}]\n",
                 run_expand);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("point masses");
    TCase *tcase = tcase_create("point masses");

    tcase_add_test(tcase, a_point_mass_swings_on_a_string);
    tcase_add_test(tcase, point_masses_swing_on_a_spring);
    tcase_add_test(tcase, what_turns_a_point_mass_is_refused);
    tcase_add_test(tcase, sensors_measure_in_the_axes_of_their_body);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
