/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joints in mechanisms, against statics, closed forms and equations reduced by hand: reactions,
 * slides and their rates, the position that assembly finds.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"

START_TEST(weld_carries_a_cantilever)
{
    /* a beam of 3 kg, clamped at a point 0.4 m left and 0.1 m below its mass centre, both axes
       turned by 0.3, with 5 N sideways at a point 0.35 m above the clamp */
    run r =
        run_text(HEAD "ground: {points: {O: {at: [1, 2], axis: 0.3}}}\n"
                      "bodies: {beam: {mass: 3, inertia: 0.2, points: {C: {at: [-0.4, -0.1], axis: "
                      "0.3}, tip: [0.8, 0.25]}}}\n"
                      "joints: {W: {type: weld, between: [ground.O, beam.C]}}\n"
                      "forces: {push: {type: force, on: beam.tip, value: [5, 0]}}\n"
                      "simulate: {t_end: 0}\n");

    run_expect_near(&r, "W.fx", -5.0, 1e-12 * 30.0);
    run_expect_near(&r, "W.fy", 3.0 * 9.81, 1e-12 * 30.0);
    /* about the clamp: torque + 0.4 (-3 g) - (0.25 + 0.1) 5 = 0 */
    run_expect_near(&r, "W.torque", 0.4 * 3.0 * 9.81 + 0.35 * 5.0, 1e-12 * 30.0);
    run_expect_near(&r, "beam.x", 1.4, 1e-12);
    run_expect_near(&r, "beam.y", 2.1, 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(weld_to_the_ground_as_second_body_has_the_opposite_reaction)
{
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {beam: {mass: 3, inertia: 0.2, points: {C: [-0.4, 0]}}}\n"
                          "joints: {W: {type: weld, between: [beam.C, ground.O]}}\n"
                          "simulate: {t_end: 0}\n");

    run_expect_near(&r, "W.fx", 0.0, 1e-12 * 30.0);
    run_expect_near(&r, "W.fy", -3.0 * 9.81, 1e-12 * 30.0);
    run_expect_near(&r, "W.torque", -0.4 * 3.0 * 9.81, 1e-12 * 30.0);
    run_end(&r);
}
END_TEST

START_TEST(guide_carries_a_slider_and_its_couple)
{
    /* a guide along 30 deg through (1, 1), the slider's point 0.5 m along its axis behind the mass
       centre and 0.2 m beside it, held along the guide by a force at that point: the guide carries
       the normal part of the weight and the couple of the weight about the point */
    run r = run_text(HEAD "parameters: {a: pi/6, g: 9.81}\n"
                          "ground: {points: {O: {at: [1, 1], axis: a}}}\n"
                          "bodies: {block: {mass: 2, inertia: 0.1, points: {P: [-0.5, -0.2]}, "
                          "start: {angle: a}}}\n"
                          "joints: {G: {type: translational, between: [ground.O, block.P]}}\n"
                          "forces: {hold: {type: force, on: block.P, value: [2*g*sin(a)*cos(a), "
                          "2*g*sin(a)^2]}}\n"
                          "simulate: {t_end: 0}\n");
    const double w = 2.0 * 9.81, c = sqrt(3.0) / 2.0, s = 0.5;

    run_expect_near(&r, "G.fx", -w * c * s, 1e-12 * w);
    run_expect_near(&r, "G.fy", w * c * c, 1e-12 * w);
    /* the mass centre is at 0.5 (c, s) + 0.2 (-s, c) from the point: torque = w x */
    run_expect_near(&r, "G.torque", w * (0.5 * c - 0.2 * s), 1e-12 * w);
    run_expect_near(&r, "block.ax", 0.0, 1e-12);
    run_expect_near(&r, "block.ay", 0.0, 1e-12);
    run_end(&r);
}
END_TEST

#define INCLINE(TYPE)                                                                              \
    HEAD "parameters: {a: -0.5}\n"                                                                 \
         "ground: {points: {O: {at: [1, 1], axis: a}}}\n"                                          \
         "bodies: {block: {mass: 2, inertia: 0.1, points: {P: [0.1, -0.2]}, "                      \
         "start: {angle: a}}}\n"                                                                   \
         "joints: {G: {type: " TYPE ", between: [ground.O, block.P]}}\n"                           \
         "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n"

START_TEST(block_slides_down_an_incline)
{
    run r = run_text(INCLINE("translational"));
    const double a = 9.81 * sin(0.5);

    run_expect(&r, "G.slide", 0.5 * a + run_value(&r, 0, "G.slide"), 1e-9);
    run_expect(&r, "G.speed", a, 1e-9);
    run_expect(&r, "block.ax", a * cos(0.5), 1e-9);
    run_expect(&r, "block.ay", -a * sin(0.5), 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(axes_only_stay_parallel_in_a_double_translational_joint)
{
    run r = run_text(INCLINE("double-translational"));

    run_expect(&r, "block.ay", -9.81, 1e-10);
    run_expect_near(&r, "block.angle", -0.5, 1e-12);
    run_expect_near(&r, "G.speed_x", 9.81 * sin(0.5), 1e-8);
    run_expect_near(&r, "G.speed_y", -9.81 * cos(0.5), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(axes_close_at_the_nearer_half_turn)
{
    static const double starts[] = { 0.4, 1.4, 1.8, 3.5, -2.0, 6.5, 100.0 };
    char text[512];

    for (size_t i = 0; i < HA_COUNT(starts); i++) {
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {block: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, start: {x: 1, "
                      "angle: %g}}}\n"
                      "joints: {G: {type: translational, between: [ground.O, block.P]}}\n"
                      "simulate: {t_end: 0}\n",
                 starts[i]);
        run r = run_text(text);
        run_expect_near(&r, "block.angle", M_PI * round(starts[i] / M_PI), 1e-13 * 100.0);
        run_expect_near(&r, "G.slide", 1.0, 1e-12);
        run_end(&r);
    }
}
END_TEST

START_TEST(weld_closes_at_the_nearest_turn)
{
    static const double starts[] = { 0.4, 3.0, 3.3, -3.5, 12.0 };
    char text[512];

    for (size_t i = 0; i < HA_COUNT(starts); i++) {
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {block: {mass: 2, inertia: 0.1, points: {P: [0.5, 0]}, start: "
                      "{angle: %g}}}\n"
                      "joints: {W: {type: weld, between: [ground.O, block.P]}}\n"
                      "simulate: {t_end: 0.1}\n",
                 starts[i]);
        run r = run_text(text);
        double closed = 2.0 * M_PI * round(starts[i] / (2.0 * M_PI));
        run_expect_near(&r, "block.angle", closed, 1e-12);
        run_expect(&r, "W.torque", -0.5 * 2.0 * 9.81, 1e-10);
        run_end(&r);
    }
}
END_TEST

START_TEST(slider_may_be_upside_down)
{
    /* the second axis points against the first: the slide is still counted along the first */
    run r = run_text(HEAD "ground: {points: {O: {at: [0, 0], axis: -0.5}}}\n"
                          "bodies: {block: {mass: 2, inertia: 0.1, points: {P: {at: [0.1, -0.2], "
                          "axis: pi}}, start: {angle: -0.5}}}\n"
                          "joints: {G: {type: translational, between: [ground.O, block.P]}}\n"
                          "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n");

    run_expect(&r, "G.speed", 9.81 * sin(0.5), 1e-9);
    run_expect_near(&r, "block.angle", -0.5, 1e-10);
    run_end(&r);
}
END_TEST

START_TEST(distance_joint_is_a_pendulum_without_mass_in_the_rod)
{
    /* a point mass on a rod of 1 m from the horizontal: IFToMM benchmark A01, from elliptic
       functions */
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {bob: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: -1, "
                      "y: 0, angle: 0, fixed: [x, y]}}}\n"
                      "joints: {L: {type: distance, between: [ground.O, bob.P], length: 1}}\n"
                      "simulate: {t_end: 2, rtol: 1e-10, atol: 1e-10, alpha: 100, beta: 100}\n");

    run_expect_near(&r, "bob.x", -0.793566195343, 1e-7);
    run_expect_near(&r, "bob.y", -0.608483930444, 1e-7);
    run_expect_near(&r, "bob.vx", -2.1024378744, 1e-7);
    run_expect_near(&r, "bob.vy", 2.7419353930, 1e-7);
    run_expect_near(&r, "L.torque", 0.0, 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(distance_needs_a_length_above_zero)
{
    run_expect_failure(HEAD
                       "ground: {points: {O: [0, 0]}}\n"
                       "bodies: {bob: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
                       "joints: {L: {type: distance, between: [ground.O, bob.P], length: 0}}\n",
                       HA_ERR_VALUE, "above 0");
    run_expect_failure(HEAD "ground: {points: {O: [0, 0]}}\n"
                            "bodies: {bob: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
                            "joints: {L: {type: distance, between: [ground.O, bob.P]}}\n",
                       HA_ERR_NAME, "no `length`");
}
END_TEST

START_TEST(pin_runs_in_a_slot_of_the_second_body)
{
    /* a rotating guide that is driven by nothing: bead of mass m at the distance s of a slotted arm
       of inertia J about its hinge, no gravity: (J + m s^2) w = L, s'' = s w^2, so that with the
       energy E = (s'^2 + s^2 w^2) m / 2 + J w^2 / 2 both are kept. From s = 1, s' = 0, w = 2,
       J = 3, m = 1: L = 8, E = 8. */
    run r = run_text(HEAD
                     "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                     "bodies:\n"
                     "  arm: {mass: 5, inertia: 3, points: {O: [0, 0]}, start: {angle: 0, omega: 2,"
                     " fixed: [angle, omega]}}\n"
                     "  bead: {mass: 1, inertia: 0.1, points: {P: [0, 0]}, start: {x: 1, y: 0, vx: "
                     "0, omega: 0, fixed: [x, vx, omega]}}\n"
                     "joints:\n"
                     "  O: {type: revolute, between: [ground.O, arm.O]}\n"
                     "  S: {type: translational-revolute, between: [bead.P, arm.O]}\n"
                     "simulate: {t_end: 1.5, rtol: 1e-10, atol: 1e-10}\n");
    double s = -run_last(&r, "S.slide"), v = -run_last(&r, "S.speed");
    double w = run_last(&r, "arm.omega");

    ck_assert_double_gt(s, 2.0);
    ck_assert_double_eq_tol((3.0 + s * s) * w, 8.0, 1e-6);
    ck_assert_double_eq_tol(0.5 * (v * v + s * s * w * w) + 1.5 * w * w, 8.0, 1e-6);
    run_expect_near(&r, "S.angle", run_last(&r, "arm.angle"), 1e-12);
    /* force of the arm on the bead: 2 v w m across the slot; S.f is on the arm */
    double angle = run_last(&r, "arm.angle");
    run_expect_near(&r, "S.fx", sin(angle) * (2.0 * v * w + s * run_last(&r, "arm.alpha")), 1e-6);
    run_expect_near(&r, "bead.omega", 0.0, 1e-12);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint types");
    TCase *tests = tcase_create("joint types");

    tcase_add_test(tests, weld_carries_a_cantilever);
    tcase_add_test(tests, weld_to_the_ground_as_second_body_has_the_opposite_reaction);
    tcase_add_test(tests, guide_carries_a_slider_and_its_couple);
    tcase_add_test(tests, block_slides_down_an_incline);
    tcase_add_test(tests, axes_only_stay_parallel_in_a_double_translational_joint);
    tcase_add_test(tests, axes_close_at_the_nearer_half_turn);
    tcase_add_test(tests, weld_closes_at_the_nearest_turn);
    tcase_add_test(tests, slider_may_be_upside_down);
    tcase_add_test(tests, distance_joint_is_a_pendulum_without_mass_in_the_rod);
    tcase_add_test(tests, distance_needs_a_length_above_zero);
    tcase_add_test(tests, pin_runs_in_a_slot_of_the_second_body);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
