/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of small mechanisms against closed forms: the meanings of model files, one by one. */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

static run r;

static void setup(void)
{
    r = run_new();
}

static void teardown(void)
{
    run_end(&r);
}

/* Reads a model, which must be right, and runs it; the status of the run. */
static ha_status status_of(const char *text)
{
    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "model", NULL, &r.model), HA_OK);
    return run_model(&r);
}

/* The value of an output at the end. */
static double end(const char *name)
{
    return run_last(&r, name);
}

#define HEAD "halfarrow: 1\nname: test\n"
#define TAIL "simulate: {t_end: 0.7 s, rtol: 1e-10, atol: 1e-10}\n"

START_TEST(a_force_acts_in_inertial_axes_with_its_moment)
{
    /* at the mass centre of a turned body: no moment, inertial directions */
    ck_assert_int_eq(status_of(HEAD "gravity: [0, 0]\n"
                                    "bodies:\n"
                                    "  K: {mass: 2 kg, inertia: 0.3 kg.m2, points: {P: [0, 0]},\n"
                                    "      start: {angle: 1.1}}\n"
                                    "forces:\n"
                                    "  F: {type: force, on: K.P, value: [3 N, -5 N]}\n" TAIL),
                     HA_OK);
    ck_assert_double_eq_tol(end("K.x"), 0.5 * 3 / 2.0 * 0.49, 1e-9);
    ck_assert_double_eq_tol(end("K.y"), -0.5 * 5 / 2.0 * 0.49, 1e-9);
    ck_assert_double_eq_tol(end("K.angle"), 1.1, 1e-12);
    ck_assert_double_eq_tol(end("energy.supplied"), end("energy.kinetic"), 1e-9);
}
END_TEST

START_TEST(a_force_off_the_mass_centre_turns_the_body)
{
    /* at the start the moment is x_P f_y = 0.4 * 6 */
    ck_assert_int_eq(status_of(HEAD "gravity: [0, 0]\n"
                                    "bodies:\n"
                                    "  K: {mass: 2 kg, inertia: 0.3 kg.m2, points: {P: [0.4, 0]}}\n"
                                    "forces:\n"
                                    "  F: {type: force, on: K.P, value: [0, 6 N]}\n"
                                    "simulate: {t_end: 0}\n"),
                     HA_OK);
    ck_assert_double_eq_tol(end("K.alpha"), 0.4 * 6 / 0.3, 1e-12);
    ck_assert_double_eq_tol(end("K.ay"), 3.0, 1e-12);
    ck_assert_double_eq_tol(end("K.P.ay"), 3.0 + 0.4 * 0.4 * 6 / 0.3, 1e-12);
}
END_TEST

START_TEST(a_wrench_and_a_torque_turn_anticlockwise)
{
    ck_assert_int_eq(status_of(HEAD "gravity: [0, 0]\n"
                                    "bodies:\n"
                                    "  K: {mass: 2 kg, inertia: 0.3 kg.m2, points: {P: [0, 0]}}\n"
                                    "  L: {mass: 1 kg, inertia: 0.5 kg.m2}\n"
                                    "forces:\n"
                                    "  W: {type: wrench, on: K.P, value: [1 N, 0, 0.6 N.m]}\n"
                                    "  T: {type: torque, on: L, value: 2*t}\n" TAIL),
                     HA_OK);
    ck_assert_double_eq_tol(end("K.angle"), 0.5 * 0.6 / 0.3 * 0.49, 1e-9);
    ck_assert_double_eq_tol(end("K.x"), 0.25 * 0.49, 1e-9);
    ck_assert_double_eq_tol(end("L.angle"), 0.343 / 3 / 0.5, 1e-9);
}
END_TEST

START_TEST(gravity_may_be_given_for_a_body)
{
    ck_assert_int_eq(status_of(HEAD
                               "bodies:\n"
                               "  K: {mass: 2 kg, inertia: 0.3 kg.m2}\n"
                               "  L: {mass: 1 kg, inertia: 0.5 kg.m2, gravity: [2, 0]}\n" TAIL),
                     HA_OK);
    ck_assert_double_eq_tol(end("K.y"), -0.5 * 9.81 * 0.49, 1e-9);
    ck_assert_double_eq_tol(end("L.x"), 0.49, 1e-9);
    ck_assert_double_eq_tol(end("L.y"), 0.0, 1e-12);
    /* potential, zero at the origin, and kinetic energy keep their sum */
    ck_assert_double_eq_tol(end("energy.potential"), -end("energy.kinetic"), 1e-8);
}
END_TEST

/* A mass hanging at rest under its pin; the reaction is on the second body, ground included. */
START_TEST(a_reaction_is_on_the_second_body)
{
    ck_assert_int_eq(status_of(HEAD
                               "ground: {points: {O: [0, 0]}}\n"
                               "bodies:\n"
                               "  K: {mass: 2 kg, inertia: 0.3 kg.m2, points: {P: [0, 0.5]}}\n"
                               "joints: {J: {type: revolute, between: [K.P, ground.O]}}\n" TAIL),
                     HA_OK);
    ck_assert_double_eq_tol(end("J.fy"), -2 * 9.81, 1e-9);
    ck_assert_double_eq_tol(end("J.fx"), 0.0, 1e-12);
}
END_TEST

START_TEST(a_spring_pulls_along_its_line)
{
    ck_assert_int_eq(
        status_of(HEAD "gravity: [0, 0]\n"
                       "ground: {points: {O: [0, 0]}}\n"
                       "bodies:\n"
                       "  K: {mass: 2 kg, inertia: 0.3 kg.m2, points: {P: [0, 0]},\n"
                       "      start: {x: 1.5, y: 2}}\n"
                       "forces:\n"
                       "  S: {type: spring-damper, between: [ground.O, K.P], stiffness: 8 N/m,\n"
                       "      free_length: 2 m}\n" TAIL),
        HA_OK);
    /* distance 2 + 0.5 cos(2 t) along (0.6, 0.8) */
    double length = 2 + 0.5 * cos(2 * 0.7);
    ck_assert_double_eq_tol(end("K.x"), 0.6 * length, 1e-8);
    ck_assert_double_eq_tol(end("K.y"), 0.8 * length, 1e-8);
}
END_TEST

/*
 * Three parallel cranks of 1 m on a coupler, two rows for each pin: one more than needed. With the
 * cranks of 1 kg and the coupler of 1 kg: angle'' = -(5/4) g cos(angle), from 90 degrees at 1
 * rad/s.
 */
START_TEST(redundant_joints_run_with_the_right_motion)
{
    double a = 1.5707963267948966, w = 1.0;
    const int steps = 20000;
    const double h = 0.7 / steps, k = 1.25 * 9.81;

    ck_assert_int_eq(
        status_of(
            HEAD
            "ground: {points: {A: [0, 0], B: [1, 0], C: [2, 0]}}\n"
            "parameters: {J: 1/12}\n"
            "bodies:\n"
            "  L1: {mass: 1 kg, inertia: J, points: {P: [-0.5, 0], Q: [0.5, 0]},\n"
            "       start: {x: 0, y: 0.5, angle: 90 deg, omega: 1 rad/s, fixed: [omega]}}\n"
            "  L2: {mass: 1 kg, inertia: J, points: {P: [-0.5, 0], Q: [0.5, 0]},\n"
            "       start: {x: 1, y: 0.5, angle: 90 deg}}\n"
            "  L3: {mass: 1 kg, inertia: J, points: {P: [-0.5, 0], Q: [0.5, 0]},\n"
            "       start: {x: 2, y: 0.5, angle: 90 deg}}\n"
            "  C: {mass: 1 kg, inertia: 0.3 kg.m2, points: {P: [-1, 0], Q: [0, 0], R: [1, 0]},\n"
            "      start: {x: 1, y: 1}}\n"
            "joints:\n"
            "  A: {type: revolute, between: [ground.A, L1.P]}\n"
            "  B: {type: revolute, between: [ground.B, L2.P]}\n"
            "  D: {type: revolute, between: [ground.C, L3.P]}\n"
            "  E: {type: revolute, between: [L1.Q, C.P]}\n"
            "  F: {type: revolute, between: [L2.Q, C.Q]}\n"
            "  G: {type: revolute, between: [L3.Q, C.R]}\n" TAIL),
        HA_OK);
    for (int i = 0; i < steps; i++) {
        double a1 = w, w1 = -k * cos(a), a2 = w + h / 2 * w1, w2 = -k * cos(a + h / 2 * a1);
        double a3 = w + h / 2 * w2, w3 = -k * cos(a + h / 2 * a2), a4 = w + h * w3;
        double w4 = -k * cos(a + h * a3);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 1);
    ck_assert_double_eq_tol(end("L1.angle"), a, 1e-7);
    ck_assert_double_eq_tol(end("L3.omega"), w, 1e-6);
}
END_TEST

/* A stretched dyad: at the start one of its rows follows from the others, later it does not. */
START_TEST(a_singular_start_is_not_taken_for_redundant)
{
    ha_status status = status_of(
        HEAD "ground: {points: {A: [0, 0], B: [2, 0]}}\n"
             "bodies:\n"
             "  K: {mass: 1 kg, inertia: 0.1 kg.m2, points: {P: [-0.5, 0], Q: [0.5, 0]},\n"
             "      start: {x: 0.5}}\n"
             "  L: {mass: 1 kg, inertia: 0.1 kg.m2, points: {P: [-0.5, 0], Q: [0.5, 0]},\n"
             "      start: {x: 1.5}}\n"
             "joints:\n"
             "  A: {type: revolute, between: [ground.A, K.P]}\n"
             "  C: {type: revolute, between: [K.Q, L.P]}\n"
             "  D: {type: revolute, between: [L.Q, ground.B]}\n" TAIL);

    ck_assert_int_eq(status, HA_ERR_SINGULAR);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "singular position"));
}
END_TEST

/* A sleigh whose edge points from O to it, and which starts in O: at the start its row says
   nothing, later it forbids to fall. Rows that hang on the time or on a place in the same way. */
START_TEST(a_row_of_velocities_that_says_nothing_at_the_start_is_told)
{
    static const char *const rows[] = { "vN.x_0*ON.y_0 - vN.y_0*ON.x_0", "vN.y_0*t",
                                        "vN.y_0*(ON.x_0 - 0.3)" };
    static const char *const starts[] = { "x: 0, y: 0, vx: 1", "x: 0, y: 0, vx: 1",
                                          "x: 0.3, y: 0.2, vx: 1" };
    char text[600];

    snprintf(text, sizeof text,
             HEAD "ground: {points: {O: [0, 0]}}\n"
                  "bodies: {b: {mass: 2, inertia: 0.3, points: {s: [0, 0]}, start: {%s}}}\n"
                  "joints: {edge: {type: constraint, between: [ground.O, b.s],\n"
                  "    rates: {side: \"%s\"}}}\n" TAIL,
             starts[_i], rows[_i]);
    ck_assert_int_eq(status_of(text), HA_ERR_SINGULAR);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "edge"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "came apart"));
}
END_TEST

/* The same edge twice: the second row is kept by the first. */
START_TEST(a_row_of_velocities_that_others_keep_is_no_fault)
{
    ck_assert_int_eq(status_of(HEAD "ground: {points: {O: [0, 0]}}\n"
                                    "bodies: {b: {mass: 2, inertia: 0.3, points: {s: [-0.5, 0]},\n"
                                    "    start: {vx: 1, omega: 1}}}\n"
                                    "joints:\n"
                                    "  edge: {type: constraint, between: [ground.O, b.s],\n"
                                    "    rates: {side: vN.y_j}}\n"
                                    "  again: {type: constraint, between: [ground.O, b.s],\n"
                                    "    rates: {side: 2*vN.y_j*(1 + t)}}\n" TAIL),
                     HA_OK);
    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 1);
}
END_TEST

START_TEST(a_massless_body_that_nothing_determines_is_named)
{
    ck_assert_int_eq(status_of(HEAD "bodies:\n"
                                    "  K: {mass: 0, inertia: 0}\n"
                                    "  L: {mass: 1 kg, inertia: 1 kg.m2}\n" TAIL),
                     HA_ERR_SINGULAR);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "body `K` has mass 0"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 1)->text, "body `K` has inertia 0"));
    ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), 2);
}
END_TEST

/* Drag 0.1 v |v|: from rest v = sqrt(g/0.1) tanh(g t / sqrt(g/0.1)). */
START_TEST(an_element_may_have_a_law)
{
    double top = sqrt(9.81 / 0.1);

    ck_assert_int_eq(status_of(HEAD "parameters: {c: 0.1}\n"
                                    "bondgraph:\n"
                                    "  elements:\n"
                                    "    weight: {type: Se, value: 9.81}\n"
                                    "    1v: {type: \"1\"}\n"
                                    "    mass: {type: I, energy: p^2/2}\n"
                                    "    drag: {type: R, e: c*f*abs(f)}\n"
                                    "  bonds: [weight > 1v > mass, 1v > drag]\n" TAIL),
                     HA_OK);
    ck_assert_double_eq_tol(end("mass.f"), top * tanh(9.81 * 0.7 / top), 1e-8);
    ck_assert_double_eq_tol(end("drag.e"), 0.1 * end("mass.f") * end("mass.f"), 1e-12);
}
END_TEST

START_TEST(a_law_that_its_type_does_not_take_is_refused)
{
    ck_assert_int_eq(status_of(HEAD "bondgraph:\n"
                                    "  elements: {1v: {type: \"1\"}, K: {type: C, e: 3*f}}\n"
                                    "  bonds: [1v > K]\n" TAIL),
                     HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "must be a function of q"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("run");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_force_acts_in_inertial_axes_with_its_moment);
    tcase_add_test(tcase, a_force_off_the_mass_centre_turns_the_body);
    tcase_add_test(tcase, a_wrench_and_a_torque_turn_anticlockwise);
    tcase_add_test(tcase, gravity_may_be_given_for_a_body);
    tcase_add_test(tcase, a_reaction_is_on_the_second_body);
    tcase_add_test(tcase, a_spring_pulls_along_its_line);
    tcase_add_test(tcase, redundant_joints_run_with_the_right_motion);
    tcase_add_test(tcase, a_singular_start_is_not_taken_for_redundant);
    tcase_add_loop_test(tcase, a_row_of_velocities_that_says_nothing_at_the_start_is_told, 0, 3);
    tcase_add_test(tcase, a_row_of_velocities_that_others_keep_is_no_fault);
    tcase_add_test(tcase, a_massless_body_that_nothing_determines_is_named);
    tcase_add_test(tcase, an_element_may_have_a_law);
    tcase_add_test(tcase, a_law_that_its_type_does_not_take_is_refused);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
