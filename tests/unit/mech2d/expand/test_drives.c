/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What acts on the free directions of joints: springs and dampers, prescribed motions, elements of
 * other domains. The truth comes from closed forms and from equations that were reduced by hand.
 */
#include <config.h>

#include "mech2d/expand/system_priv.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define TIGHT "rtol: 1e-12, atol: 1e-12"

/* --- springs and dampers --------------------------------------------------------------------- */

START_TEST(torsion_spring_makes_a_disc_swing)
{
    /* J a'' + c a' + k (a - a0) = 0 with J = 2, c = 0.4, k = 50, a0 = 0.3, from a = 1 at rest */
    const double J = 2.0, c = 0.4, k = 50.0, a0 = 0.3, t = 1.7;
    double d = c / (2.0 * J), w = sqrt(k / J - d * d);
    double angle = a0 + 0.7 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    double omega = -0.7 * exp(-d * t) * k / J / w * sin(w * t);
    run r = run_text(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {disc: {mass: 3, inertia: 2, points: {O: [0, 0]}, start: {angle: 1, fixed: "
             "[angle]}}}\n"
             "joints: {O: {type: revolute, between: [ground.O, disc.O]}}\n"
             "forces: {s: {type: spring-damper, on: O, stiffness: 50 N.m/rad, damping: 0.4, "
             "free_angle: 0.3}}\n"
             "simulate: {t_end: 1.7, rtol: 1e-11, atol: 1e-11}\n");

    run_expect_near(&r, "O.angle", angle, 1e-8);
    run_expect_near(&r, "O.omega", omega, 1e-8);
    run_expect(&r, "s.C.e", k * (angle - a0), 1e-7);
    run_expect(&r, "s.R.e", c * omega, 1e-7);
    run_expect(&r, "s.C.q", angle - a0, 1e-8);
    run_expect_near(&r, "O.torque", 0.0, 1e-12);
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(spring_on_a_slide_has_a_sign)
{
    /* m s'' = -k (s - s0) passes through negative slides: s = s0 + (s(0) - s0) cos(w t) */
    run r = run_text(
        HEAD
        "gravity: [0, 0]\nground: {points: {O: {at: [0, 0], axis: 0.6}}}\n"
        "bodies: {block: {mass: 2, inertia: 1, points: {P: {at: [0, 0], axis: 0.6}}, start: "
        "{x: 0.5*cos(0.6), y: 0.5*sin(0.6), fixed: [x]}}}\n"
        "joints: {S: {type: translational, between: [ground.O, block.P]}}\n"
        "forces: {s: {type: spring-damper, on: S.slide, stiffness: 8 N/m, free_length: -0.1}}\n"
        "simulate: {t_end: 1.4, rtol: 1e-11, atol: 1e-11}\n");

    run_expect(&r, "S.slide", -0.1 + 0.6 * cos(2.0 * 1.4), 1e-8);
    run_expect(&r, "S.speed", -1.2 * sin(2.0 * 1.4), 1e-7);
    run_expect(&r, "s.e", 8.0 * 0.6 * cos(2.0 * 1.4), 1e-7);
    run_expect_near(&r, "S.fx", 0.0, 1e-10);
    run_expect_near(&r, "S.fy", 0.0, 1e-10);
    run_end(&r);
}
END_TEST

START_TEST(spring_between_two_bodies_turns_both)
{
    /* discs of 2 and 3 kg m2 on one pin, k = 6: relative angle cos(sqrt(6 (1/2 + 1/3)) t), their
       angular momentum is kept */
    run r =
        run_text(HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                      "bodies:\n"
                      "  A: {mass: 1, inertia: 2, points: {O: [0, 0]}, start: {angle: 0, fixed: "
                      "[angle]}}\n"
                      "  B: {mass: 1, inertia: 3, points: {O: [0, 0]}, start: {angle: 1, fixed: "
                      "[angle]}}\n"
                      "joints:\n"
                      "  O: {type: revolute, between: [ground.O, A.O]}\n"
                      "  P: {type: revolute, between: [A.O, B.O]}\n"
                      "forces: {s: {type: spring-damper, on: P.angle, stiffness: 6}}\n"
                      "simulate: {t_end: 2, rtol: 1e-11, atol: 1e-11}\n");
    double relative = cos(sqrt(5.0) * 2.0);

    run_expect(&r, "P.angle", relative, 1e-7);
    run_expect(&r, "A.angle", 0.6 * (1.0 - relative), 1e-7);
    run_expect(&r, "A.alpha", 3.0 * relative, 1e-6);
    run_expect(&r, "B.alpha", -2.0 * relative, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(spring_without_settings_adds_nothing)
{
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {disc: {mass: 3, inertia: 2, points: {O: [0, 0]}}}\n"
                          "joints: {O: {type: revolute, between: [ground.O, disc.O]}}\n"
                          "forces: {s: {type: spring-damper, on: O}}\n"
                          "simulate: {t_end: 0.1}\n");

    ck_assert_int_lt(bg_graph_find(m2d_system_graph(r.system), "s.0"), 0);
    run_end(&r);
}
END_TEST

/* --- outputs on demand ----------------------------------------------------------------------- */

/* Runs a text with the outputs that it asks for. */
static run run_asked(const char *text)
{
    run r = run_new();
    const char **names = NULL;
    int n = 0;

    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(r.model), &r.system), HA_OK);
    run_check(&r, m2d_model_select(r.model, r.system, &names, &n));
    ck_assert_int_gt(n, 0);
    free(names);
    run_check(&r, run_expanded(&r));
    return r;
}

#define TWO_BODIES                                                                                 \
    HEAD                                                                                           \
        "gravity: [0, 0]\nground: {points: {O: {at: [0.3, 0.1], axis: 0.2}}}\n"                    \
        "bodies:\n"                                                                                \
        "  A: {mass: 2, inertia: 1, points: {P: {at: [0.5, 0.2], axis: 0.3}}, start: {x: 1, y: 2," \
        " angle: 0.4, vx: 0.3, vy: -0.2, omega: 0.7}}\n"                                           \
        "  B: {mass: 2, inertia: 1, points: {Q: {at: [-0.1, 0.6], axis: -0.5}}, start: {x: -1, "   \
        "y: "                                                                                      \
        "0.5, angle: 1.1, vx: -0.4, vy: 0.1, omega: -1.3}}\n"

/* Place of Q from P in the axes of P: both bodies move on straight lines and turn steadily. */
static void relative_place(double t, double place[3])
{
    const double a[2] = { 0.4 + 0.7 * t, 1.1 - 1.3 * t };
    double P[2] = { 1.0 + 0.3 * t + 0.5 * cos(a[0]) - 0.2 * sin(a[0]),
                    2.0 - 0.2 * t + 0.5 * sin(a[0]) + 0.2 * cos(a[0]) };
    double Q[2] = { -1.0 - 0.4 * t - 0.1 * cos(a[1]) - 0.6 * sin(a[1]),
                    0.5 + 0.1 * t - 0.1 * sin(a[1]) + 0.6 * cos(a[1]) };
    double c = cos(a[0] + 0.3), s = sin(a[0] + 0.3);

    place[0] = c * (Q[0] - P[0]) + s * (Q[1] - P[1]);
    place[1] = -s * (Q[0] - P[0]) + c * (Q[1] - P[1]);
    place[2] = a[1] - 0.5 - a[0] - 0.3;
}

START_TEST(relative_outputs_are_what_the_first_body_sees)
{
    static const char *const names[3][3] = { { "x", "vx", "ax" },
                                             { "y", "vy", "ay" },
                                             { "angle", "omega", "alpha" } };
    const double t = 0.5, h = 1e-3;
    double at[3], up[3], down[3];
    char name[64];
    run r = run_asked(TWO_BODIES "simulate: {t_end: 0.5, rtol: 1e-10, atol: 1e-10}\n"
                                 "outputs: ['relative(A.P,B.Q)', 'distance( A.P , B.Q )', "
                                 "'distance(ground.O, B.Q)', 'relative(A.P, B.Q)']\n");

    relative_place(t, at);
    relative_place(t + h, up);
    relative_place(t - h, down);
    for (int k = 0; k < 3; k++) {
        const double truth[3] = { at[k], (up[k] - down[k]) / (2.0 * h),
                                  (up[k] - 2.0 * at[k] + down[k]) / (h * h) };
        for (int order = 0; order < 3; order++) {
            snprintf(name, sizeof name, "relative(A.P, B.Q).%s", names[k][order]);
            run_expect_near(&r, name, truth[order], order == 0 ? 1e-8 : 1e-5);
        }
    }
    run_expect(&r, "distance(A.P, B.Q)", hypot(at[0], at[1]), 1e-8);
    run_expect(&r, "distance(ground.O, B.Q)",
               hypot(run_last(&r, "B.Q.x") - 0.3, run_last(&r, "B.Q.y") - 0.1), 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(forces_lengths_and_powers_are_given_on_demand)
{
    run r = run_asked(
        TWO_BODIES
        "forces:\n"
        "  S: {type: spring-damper, between: [A.P, B.Q], stiffness: 30, damping: 4, "
        "free_length: 0.5}\n"
        "  F: {type: force, on: A.P, value: [1, 2]}\n"
        "simulate: {t_end: 0.5, rtol: 1e-11, atol: 1e-11}\n"
        "outputs: [S.force, S.length, F.force, power(S.R), power(S), power(F), power(A.x)]\n");
    double e = run_last(&r, "S.R.e"), f = run_last(&r, "S.R.f");

    run_expect(&r, "S.force", run_last(&r, "S.C.e") + e, 1e-12);
    run_expect(&r, "S.length", 0.5 + run_last(&r, "S.C.q"), 1e-12);
    run_expect(&r, "power(S.R)", e * f, 1e-12);
    run_expect(&r, "power(S)", f * run_last(&r, "S.force"), 1e-12);
    run_expect(&r, "power(F)", run_last(&r, "A.P.vx") + 2.0 * run_last(&r, "A.P.vy"), 1e-12);
    run_expect(&r, "power(A.x)", 2.0 * run_last(&r, "A.ax") * run_last(&r, "A.vx"), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(relative_accelerations_are_second_derivatives_of_coordinates)
{
    run r = run_asked(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies:\n"
             "  A: {mass: 2, inertia: 1, points: {O: [0, 0], S: {at: [0.1, 0.2], axis: 0.3}}}\n"
             "  B: {mass: 1, inertia: 0.5, points: {S: [0, 0], T: [0.4, 0]}}\n"
             "  C: {mass: 1, inertia: 0.5, points: {T: [0, 0]}}\n"
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, A.O], motion: sin(3*t)}\n"
             "  S: {type: translational, between: [A.S, B.S], motion: 0.3 + 0.1*sin(4*t)}\n"
             "  D: {type: double-translational, between: [B.T, C.T], motion: {slide_x: t^3, "
             "slide_y: 0.2*cos(t)}}\n"
             "simulate: {t_end: 0.5, rtol: 1e-11, atol: 1e-11}\n"
             "outputs: [O.alpha, S.acceleration, D.acceleration_x, D.acceleration_y]\n");

    run_expect(&r, "O.alpha", -9.0 * sin(1.5), 1e-8);
    run_expect(&r, "S.acceleration", -1.6 * sin(2.0), 1e-8);
    run_expect(&r, "D.acceleration_x", 3.0, 1e-8);
    run_expect(&r, "D.acceleration_y", -0.2 * cos(0.5), 1e-8);
    run_end(&r);

    /* a direction of one's own: along the ground's x axis */
    r = run_asked(HEAD "gravity: [2, 0]\nground: {points: {O: [0, 0]}}\n"
                       "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
                       "joints: {W: {type: constraint, between: [ground.O, b.P], rows: {flat: "
                       "ON.y_0}, free: {along: ON.x_0}}}\n"
                       "simulate: {t_end: 0.1}\noutputs: [W.along_acceleration]\n");
    run_expect(&r, "W.along_acceleration", 2.0, 1e-10);
    run_end(&r);
}
END_TEST

START_TEST(wrong_demands_are_refused)
{
    static const char *const cases[][2] = {
        { "distance(A.P, B.R)", "did you mean `B.Q`" },
        { "distance(A.P)", "write distance" },
        { "power(Z)", "no element" },
        { "power(A.1)", "no element" },
        { "area(A.P, B.Q)", "write distance" },
        { "A.P.length", "no output" },
        { "relative(A.P, B.Q, A.P)", "no output" },
        { "distance(A.P, )", "no output" },
        { "distance(A.P", "half of an entry; put what has a comma in quotes" },
        { "B.Q)", "half of an entry" },
        { "A.e", "no output" },
        { "A.1.f", "no output" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[2048];
        run r = run_new();
        const char **names = NULL;
        int n = 0;
        snprintf(text, sizeof text, TWO_BODIES "outputs: ['%s']\n", cases[i][0]);
        ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model), HA_OK);
        ck_assert_int_eq(m2d_expand(m2d_model_mechanism(r.model), &r.system), HA_OK);
        ck_assert_int_eq(m2d_model_select(r.model, r.system, &names, &n), HA_ERR_NAME);
        ck_assert_msg(strstr(ha_ctx_diag(r.ctx, 0)->text, cases[i][1]) != NULL, "%s: %s",
                      cases[i][0], ha_ctx_diag(r.ctx, 0)->text);
        run_end(&r);
    }
}
END_TEST

/* --- prescribed motions ---------------------------------------------------------------------- */

/* A slider-crank; the crank's hinge is completed by what follows. */
#define SLIDER_CRANK(HINGE)                                                                        \
    HEAD "parameters: {r: 0.05, l: 0.15}\n"                                                        \
         "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies:\n"                                                                               \
         "  crank: {mass: 3, inertia: 0.02, points: {O: [-0.01, 0], A: [r - 0.01, 0]}}\n"          \
         "  rod: {mass: 0.6, inertia: 1.2e-3, points: {A: [-0.06, 0], B: [l - 0.06, 0]}, start: "  \
         "{angle: -0.2}}\n"                                                                        \
         "  piston: {mass: 0.5, inertia: 4e-4, points: {B: [0, 0]}, start: {x: 0.17}}\n"           \
         "joints:\n"                                                                               \
         "  O: {type: revolute, between: [ground.O, crank.O]" HINGE "}\n"                          \
         "  A: {type: revolute, between: [crank.A, rod.A]}\n"                                      \
         "  B: {type: revolute, between: [rod.B, piston.B]}\n"                                     \
         "  S: {type: translational, between: [ground.O, piston.B]}\n"

/*
 * The drive's torque in closed form. With the crank at q(t) the rod's angle is
 *   b = -asin(r sin q / l),  b' = -r q' cos q / (l cos b),
 *   b'' = (r (q'^2 sin q - q'' cos q) + l b'^2 sin b) / (l cos b)
 * (from r sin q + l sin b = 0, differentiated twice), and the places of the mass centres are
 *   crank 0.01 (cos q, sin q), rod r (cos q, sin q) + 0.06 (cos b, sin b), piston r cos q + l cos
 * b. The drive does all the work that inertias and weights need (d'Alembert): T q' = sum of m (a -
 * g) . v + J w' w.
 */
static double drive_torque(double q, double dq, double ddq)
{
    const double r = 0.05, l = 0.15, g = 9.81;
    double b = -asin(r * sin(q) / l);
    double db = -r * dq * cos(q) / (l * cos(b));
    double ddb = (r * (dq * dq * sin(q) - ddq * cos(q)) + l * db * db * sin(b)) / (l * cos(b));
    double power = 0.0;

    /* arms on q and on b of the three mass centres, in kg, kg m2 */
    const double arms[3][2] = { { 0.01, 0.0 }, { r, 0.06 }, { r, l } };
    const double mass[3] = { 3.0, 0.6, 0.5 };
    for (int i = 0; i < 3; i++) {
        double p = arms[i][0], s = arms[i][1];
        double vx = -p * dq * sin(q) - s * db * sin(b);
        double vy = p * dq * cos(q) + s * db * cos(b);
        double ax = -p * (ddq * sin(q) + dq * dq * cos(q)) - s * (ddb * sin(b) + db * db * cos(b));
        double ay = p * (ddq * cos(q) - dq * dq * sin(q)) + s * (ddb * cos(b) - db * db * sin(b));
        power += mass[i] * (ax * vx + (ay + g) * vy);
    }
    power += 0.02 * ddq * dq + 1.2e-3 * ddb * db;
    return power / dq;
}

START_TEST(slider_crank_takes_the_torque_of_the_closed_form)
{
    /* speeding up: q = 0.7 + 30 t + 20 t^2 - 2 sin(5 t) */
    run r = run_text(SLIDER_CRANK(
        ", motion: 0.7 + 30*t + 20*t^2 - 2*sin(5*t)") "simulate: {t_end: 0.3, step: 0.03, alpha: "
                                                      "200, beta: 200, " TIGHT "}\n");

    ck_assert_uint_eq(ha_result_n_rows(r.result), 11);
    for (size_t i = 0; i < 11; i++) {
        double t = 0.03 * (double) i, q = 0.7 + 30.0 * t + 20.0 * t * t - 2.0 * sin(5.0 * t);
        double dq = 30.0 + 40.0 * t - 10.0 * cos(5.0 * t), ddq = 40.0 + 50.0 * sin(5.0 * t);
        double torque = drive_torque(q, dq, ddq), found = run_value(&r, i, "O.drive");
        ck_assert_msg(fabs(found - torque) <= 1e-8 * 10.0, "t = %g: %.12g, not %.12g", t, found,
                      torque);
        ck_assert_double_eq_tol(run_value(&r, i, "crank.angle"), q, 1e-9);
        ck_assert_double_eq_tol(run_value(&r, i, "O.omega"), dq, 1e-8);
        ck_assert_double_eq_tol(run_value(&r, i, "O.torque"), found, 1e-12 * 100.0);
    }
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(start_of_a_motion_is_met_from_any_guess)
{
    run r = run_text(SLIDER_CRANK(", motion: 7 + 3*t") "simulate: {t_end: 0}\n");

    run_expect_near(&r, "crank.angle", 7.0, 1e-14 * 10.0);
    run_expect_near(&r, "crank.omega", 3.0, 1e-13);
    run_expect_near(&r, "S.speed",
                    -0.05 * 3.0 * sin(7.0) + 0.05 * 3.0 * cos(7.0) * tan(-asin(sin(7.0) / 3.0)),
                    1e-12);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 0);
    run_end(&r);
}
END_TEST

START_TEST(motion_of_a_body_is_its_angle)
{
    /* a free plate turned by sin(3 t) with a torque J (sin(3 t))'' while it falls */
    run r =
        run_text(HEAD "bodies: {plate: {mass: 3, inertia: 0.5, motion: {angle: 1 + sin(3*t)}}}\n"
                      "simulate: {t_end: 0.4, " TIGHT "}\n");

    run_expect(&r, "plate.drive", -4.5 * sin(1.2), 1e-8);
    run_expect(&r, "plate.angle", 1.0 + sin(1.2), 1e-10);
    run_expect(&r, "plate.omega", 3.0 * cos(1.2), 1e-9);
    run_expect(&r, "plate.vy", -9.81 * 0.4, 1e-9);
    /* from rest relative to omega(0) = 3: work of the drive */
    run_expect(&r, "energy.supplied", 0.25 * 9.0 * (cos(1.2) * cos(1.2) - 1.0), 1e-7);
    ck_assert_int_eq(m2d_system_n_joints(r.system), 0);
    ck_assert_int_eq(m2d_system_n_rows(r.system), 1);
    ck_assert_str_eq(m2d_system_row_name(r.system, 0), "plate.drive");
    run_end(&r);
}
END_TEST

START_TEST(lift_takes_the_force_of_weight_and_acceleration)
{
    /* a guide straight up, slide = 0.2 t^3: F = m (g + 1.2 t), acting on the second body */
    run r = run_text(HEAD "ground: {points: {O: {at: [0, 0], axis: 90 deg}}}\n"
                          "bodies: {cage: {mass: 4, inertia: 1, points: {P: {at: [0, 0], axis: 90 "
                          "deg}}}}\n"
                          "joints: {S: {type: translational, between: [ground.O, cage.P], motion: "
                          "0.2*t^3}}\n"
                          "simulate: {t_end: 0.5, " TIGHT "}\n");

    run_expect(&r, "S.drive", 4.0 * (9.81 + 0.6), 1e-9);
    run_expect(&r, "S.fy", 4.0 * (9.81 + 0.6), 1e-9);
    run_expect_near(&r, "S.fx", 0.0, 1e-9);
    run_expect(&r, "S.slide", 0.025, 1e-9);
    run_expect(&r, "energy.supplied", 4.0 * (9.81 * 0.025 + 0.5 * 0.15 * 0.15), 1e-7);
    run_end(&r);
}
END_TEST

/* Force times speed: of a lift, up at 0.6 t^2 with the force m (g + 1.2 t); of a disc whose motions
   are its own, m v v' and I omega omega'; of a joint whose constraints give way. */
START_TEST(power_of_a_drive_is_what_it_gives)
{
    run lift = run_asked(
        HEAD "ground: {points: {O: {at: [0, 0], axis: 90 deg}}}\n"
             "bodies: {cage: {mass: 4, inertia: 1, points: {P: {at: [0, 0], axis: 90 deg}}}}\n"
             "joints: {S: {type: translational, between: [ground.O, cage.P], motion: 0.2*t^3}}\n"
             "simulate: {t_end: 0.5, " TIGHT "}\noutputs: [power(S.drive), power(S)]\n");
    run disc =
        run_asked(HEAD "gravity: [0, 0]\nbodies:\n"
                       "  D: {mass: 3, inertia: 2, motion: {x: 0.5*t^2, angle: t^2}}\n"
                       "simulate: {t_end: 0.5, " TIGHT "}\n"
                       "outputs: [power(D.drive_x), power(D.drive_angle), power(D.drive)]\n");
    run alone = run_asked(HEAD "gravity: [0, 0]\n"
                               "bodies: {D: {mass: 3, inertia: 2, motion: {angle: t^2}}}\n"
                               "simulate: {t_end: 0.5, " TIGHT "}\noutputs: [power(D.drive)]\n");
    run soft = run_asked(HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                              "bodies: {D: {mass: 3, inertia: 2, points: {O: [0, 0]}}}\n"
                              "joints: {O: {type: revolute, between: [ground.O, D.O], "
                              "model: compliant, stiffness: 1e4, damping: 100, motion: t^2}}\n"
                              "simulate: {t_end: 0.5, " TIGHT "}\noutputs: [power(O.drive)]\n");

    run_expect(&lift, "power(S.drive)", 4.0 * (9.81 + 0.6) * 0.15, 1e-7);
    run_expect_near(&lift, "power(S)", 0.0, 1e-6);
    run_expect(&disc, "power(D.drive_x)", 3.0 * 0.5, 1e-7);
    run_expect(&disc, "power(D.drive_angle)", 2.0 * 1.0 * 2.0, 1e-7);
    run_expect(&disc, "power(D.drive)", 1.5 + 4.0, 1e-7);
    run_expect(&alone, "power(D.drive)", 4.0, 1e-7);
    run_expect(&soft, "power(O.drive)", 4.0, 1e-7);
    run_end(&lift);
    run_end(&disc);
    run_end(&alone);
    run_end(&soft);
}
END_TEST

START_TEST(lift_as_second_end_takes_the_opposite_force)
{
    run r = run_text(HEAD "ground: {points: {O: {at: [0, 0], axis: 90 deg}}}\n"
                          "bodies: {cage: {mass: 4, inertia: 1, points: {P: {at: [0, 0], axis: 90 "
                          "deg}}}}\n"
                          "joints: {S: {type: translational, between: [cage.P, ground.O], motion: "
                          "{slide: -0.2*t^3}}}\n"
                          "simulate: {t_end: 0.5, " TIGHT "}\n");

    run_expect(&r, "S.drive", -4.0 * (9.81 + 0.6), 1e-9);
    run_expect(&r, "cage.y", 0.025, 1e-9);
    run_expect(&r, "energy.supplied", 4.0 * (9.81 * 0.025 + 0.5 * 0.15 * 0.15), 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(two_directions_of_a_joint_have_two_drives)
{
    /* a table that is moved along both axes of a joint; the names tell the drives apart */
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {table: {mass: 4, inertia: 1, points: {P: [0, 0]}}}\n"
                          "joints: {T: {type: double-translational, between: [ground.O, table.P], "
                          "motion: {slide_x: t^2, slide_y: 1 - cos(t)}}}\n"
                          "simulate: {t_end: 1, " TIGHT "}\n");

    run_expect(&r, "T.drive_slide_x", 8.0, 1e-9);
    run_expect(&r, "T.drive_slide_y", 4.0 * (9.81 + cos(1.0)), 1e-9);
    run_expect_near(&r, "T.slide_y", 1.0 - cos(1.0), 1e-9);
    run_expect_near(&r, "T.torque", 0.0, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(contradicting_motions_are_named)
{
    run_expect_failure(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {disc: {mass: 3, inertia: 2, points: {O: [0, 0]}, motion: {angle: t}}}\n"
             "joints: {O: {type: revolute, between: [ground.O, disc.O], motion: 1 + t}}\n"
             "simulate: {t_end: 0.1}\n",
        HA_ERR_ASSEMBLY,
        "`O.drive`, `disc.drive` contradict each other at t = 0: what they ask of "
        "the angles is 1 rad apart");
    run_expect_failure(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {slider: {mass: 3, inertia: 2, points: {O: [0, 0]}, motion: {angle: 0.3}}}\n"
             "joints: {S: {type: translational, between: [ground.O, slider.O]}}\n"
             "simulate: {t_end: 0.1}\n",
        HA_ERR_ASSEMBLY,
        "`S.angle`, `slider.drive` contradict each other at t = 0: what they ask "
        "of the angles is 0.3 rad apart");
    run_expect_failure(
        HEAD
        "bodies: {disc: {mass: 3, inertia: 2, motion: {angle: 1 + t}, start: {angle: 2, fixed: "
        "[angle]}}}\n"
        "simulate: {t_end: 0.1}\n",
        HA_ERR_ASSEMBLY, "motion `disc.drive` cannot be closed");
    run_expect_failure(
        HEAD "bodies: {disc: {mass: 3, inertia: 2, motion: {angle: t}, start: {omega: 2, fixed: "
             "[omega]}}}\n"
             "simulate: {t_end: 0.1}\n",
        HA_ERR_ASSEMBLY, "break motion `disc.drive`");
}
END_TEST

/* --- bond graphs of other domains ------------------------------------------------------------ */

/* The four-bar of the example: link lengths, masses, inertias about the mass centres. */
static const double bar[3] = { 0.1, 0.35, 0.25 }, base = 0.4, bar_mass[3] = { 0.5, 0.7, 0.6 };
static const double arm_of_centre[3] = { 0.0, 0.175, 0.125 };
enum { CRANK, COUPLER, ROCKER };

static double bar_inertia(int i)
{
    return i == CRANK ? 2e-3 : bar_mass[i] * bar[i] * bar[i] / 12.0;
}

/* The angles of coupler and rocker at a crank angle: the point where circles about A and C meet. */
static void close_loop(double q, double angle[3])
{
    double ax = bar[CRANK] * cos(q), ay = bar[CRANK] * sin(q);
    double dx = base - ax, dy = -ay, d = hypot(dx, dy);
    double along = (bar[COUPLER] * bar[COUPLER] - bar[ROCKER] * bar[ROCKER] + d * d) / (2.0 * d);
    double above = sqrt(bar[COUPLER] * bar[COUPLER] - along * along);
    double bx = ax + (along * dx - above * dy) / d, by = ay + (along * dy + above * dx) / d;

    angle[CRANK] = q;
    angle[COUPLER] = atan2(by - ay, bx - ax);
    angle[ROCKER] = atan2(by, bx - base);
}

/* The rates of the angles with the crank's: from a e(q) + b e(p) = d + c e(s), differentiated. */
static void speed_ratios(const double angle[3], double ratio[3])
{
    double sine = sin(angle[ROCKER] - angle[COUPLER]);

    ratio[CRANK] = 1.0;
    ratio[COUPLER] = bar[CRANK] * sin(angle[CRANK] - angle[ROCKER]) / (bar[COUPLER] * sine);
    ratio[ROCKER] = bar[CRANK] * sin(angle[CRANK] - angle[COUPLER]) / (bar[ROCKER] * sine);
}

/* The reduced inertia at a crank angle: T = J(q) q'^2 / 2, the rotor included, and the potential.
 */
static double reduced_inertia(double q, double *potential)
{
    double angle[3], ratio[3], sum = 3e-3;

    close_loop(q, angle);
    speed_ratios(angle, ratio);
    for (int i = 0; i < 3; i++) {
        double s = arm_of_centre[i], vx = 0.0, vy = 0.0;
        if (i == COUPLER) {
            vx = -bar[CRANK] * sin(q);
            vy = bar[CRANK] * cos(q);
        }
        vx -= s * sin(angle[i]) * ratio[i];
        vy += s * cos(angle[i]) * ratio[i];
        sum += bar_mass[i] * (vx * vx + vy * vy) + bar_inertia(i) * ratio[i] * ratio[i];
    }
    *potential = 9.81 * (bar_mass[COUPLER] *
                             (bar[CRANK] * sin(q) + arm_of_centre[COUPLER] * sin(angle[COUPLER])) +
                         bar_mass[ROCKER] * arm_of_centre[ROCKER] * sin(angle[ROCKER]));
    return sum;
}

/*
 * The motor with its load reduced by hand to the crank angle q:
 *   J(q) q'' + J'(q) q'^2 / 2 + V'(q) + 0.2 (ds/dq)^2 q' = K i,   L i' + R i + K q' = U
 * Derivatives by q are central differences of sixth order.
 */
static void reduced_rates(const double y[3], double rate[3])
{
    static const double weights[3] = { 45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0 };
    const double h = 2e-3;
    double angle[3], ratio[3], potential = 0.0, dJ = 0.0, dV = 0.0;

    for (int k = 0; k < 3; k++) {
        double up = 0.0, down = 0.0;
        dJ += weights[k] *
              (reduced_inertia(y[0] + h * (k + 1), &up) -
               reduced_inertia(y[0] - h * (k + 1), &down)) /
              h;
        dV += weights[k] * (up - down) / h;
    }
    double J = reduced_inertia(y[0], &potential);
    close_loop(y[0], angle);
    speed_ratios(angle, ratio);
    double damping = 0.2 * ratio[ROCKER] * ratio[ROCKER];
    rate[0] = y[1];
    rate[1] = (0.5 * y[2] - damping * y[1] - dV - 0.5 * dJ * y[1] * y[1]) / J;
    rate[2] = (24.0 - 0.6 * y[2] - 0.5 * y[1]) / 5e-3;
}

/* Runge and Kutta's method of fourth order with n steps. */
static void integrate(double y[3], double t_end, int n)
{
    static const double part[4] = { 0.0, 0.5, 0.5, 1.0 };
    static const double weight[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    double h = t_end / n;

    for (int step = 0; step < n; step++) {
        double k[3] = { 0.0 }, sum[3] = { 0.0 }, at[3];
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < 3; j++) {
                at[j] = y[j] + h * part[stage] * k[j];
            }
            reduced_rates(at, k);
            for (int j = 0; j < 3; j++) {
                sum[j] += weight[stage] * k[j];
            }
        }
        for (int j = 0; j < 3; j++) {
            y[j] += h * sum[j];
        }
    }
}

START_TEST(motor_turns_a_four_bar_as_the_reduced_equation_says)
{
    const char *const sets[] = { "simulate.t_end=0.5", "simulate.rtol=1e-11", "simulate.atol=1e-11",
                                 "simulate.alpha=100", "simulate.beta=100" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    double y[3] = { 0.0, 0.0, 0.0 };
    run r = run_file("examples/motor_four_bar.yaml", &def);

    integrate(y, 0.5, 20000);
    run_expect(&r, "crank.angle", y[0], 1e-7);
    run_expect(&r, "crank.omega", y[1], 1e-7);
    run_expect(&r, "I_coil.f", y[2], 1e-7);
    run_expect(&r, "K.e2", 0.5 * y[2], 1e-7);
    run_expect_near(&r, "energy.error", 0.0, 1e-6);
    run_end(&r);
}
END_TEST

/* A disc of 2 kg m2 and a point of the ground to hinge it to. */
#define DISC                                                                                       \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {disc: {mass: 3, inertia: 2, points: {O: [0, 0]}}}\n"

START_TEST(positive_effort_acts_on_the_second_body)
{
    static const struct {
        const char *ends;
        double sign;
    } cases[] = { { "ground.O, disc.O", 1.0 }, { "disc.O, ground.O", -1.0 } };
    char text[1024];

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        snprintf(text, sizeof text,
                 DISC "joints: {O: {type: revolute, between: [%s]}}\n"
                      "bondgraph: {elements: {T: {type: Se, value: 1 N.m}}, bonds: [T > O.axis]}\n"
                      "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n",
                 cases[i].ends);
        run r = run_text(text);
        run_expect(&r, "disc.omega", 0.5 * cases[i].sign, 1e-9);
        run_expect(&r, "O.omega", 0.5, 1e-9);
        run_expect(&r, "T.f", 0.5, 1e-9);
        run_expect(&r, "energy.supplied", 0.25, 1e-8);
        run_expect_near(&r, "O.torque", 0.0, 1e-12);
        run_end(&r);
    }
}
END_TEST

START_TEST(flow_of_a_port_is_the_rate_of_its_direction)
{
    /* a resistor and a capacitance on two directions of one joint, with detectors beside them */
    run r = run_text(
        HEAD
        "ground: {points: {O: {at: [0.1, 0.2], axis: 0.3}}}\n"
        "bodies: {pin: {mass: 3, inertia: 2, points: {P: {at: [0.1, 0.3], axis: -0.4}}, "
        "start: {x: 1, vx: 0.3, omega: 0.4}}}\n"
        "joints: {S: {type: translational-revolute, between: [ground.O, pin.P]}}\n"
        "bondgraph:\n"
        "  elements: {D: {type: Df}, A: {type: Df}, R: {type: R, value: 2}, C: {type: C, value: "
        "1/30, q: 0.25}}\n"
        "  bonds: [S.slide > D, S.slide > R, S.angle > C, S.angle > A]\n"
        "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n");
    double slide = run_value(&r, 0, "S.slide"), angle = run_value(&r, 0, "S.angle");

    run_expect_near(&r, "D.f", run_last(&r, "S.speed"), 1e-12);
    run_expect_near(&r, "A.f", run_last(&r, "S.omega"), 1e-12);
    run_expect_near(&r, "D.q", run_last(&r, "S.slide") - slide, 1e-8);
    run_expect_near(&r, "C.q", 0.25 + run_last(&r, "S.angle") - angle, 1e-8);
    run_expect_near(&r, "R.e", 2.0 * run_last(&r, "S.speed"), 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(motor_with_two_resistances_drives_a_joint)
{
    /* R1 and R2 decide each other through the current, an algebraic loop beside the constraints of
       the joint: J w' = K i, V = (R1 + R2) i + K w */
    const double J = 0.5, V = 12.0, R = 0.7 + 0.5, K = 0.4, t = 2.0;
    double omega = V / K * (1.0 - exp(-K * K / (R * J) * t));
    run r = run_text(
        HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
             "bodies: {disc: {mass: 3, inertia: 0.5, points: {O: [0, 0]}, "
             "start: {omega: 0, fixed: [angle, omega]}}}\n"
             "joints: {O: {type: revolute, between: [ground.O, disc.O]}}\n"
             "bondgraph:\n"
             "  elements: {V: {type: Se, value: 12}, 1m: {type: '1'}, R1: {type: R, value: 0.7}, "
             "R2: {type: R, value: 0.5}, K: {type: GY, value: 0.4}}\n"
             "  bonds: [V > 1m, 1m > R1, 1m > R2, 1m > K, K > O.axis]\n"
             "simulate: {t_end: 2, rtol: 1e-11, atol: 1e-11}\n");

    run_expect(&r, "O.omega", omega, 1e-8);
    run_expect(&r, "R2.f", (V - K * omega) / R, 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(controller_reads_the_mechanism)
{
    /* a modulated source as a PD controller: J a'' = -8 (a - 0.5) - 8 a', critically damped */
    run r = run_text(DISC "joints: {O: {type: revolute, between: [ground.O, disc.O]}}\n"
                          "bondgraph: {elements: {T: {type: MSe, value: -8*(O.angle - 0.5) - "
                          "8*O.omega}}, bonds: [T > O.axis]}\n"
                          "simulate: {t_end: 1.5, rtol: 1e-11, atol: 1e-11}\n");
    double e = exp(-2.0 * 1.5);

    run_expect(&r, "O.angle", 0.5 - 0.5 * e * (1.0 + 2.0 * 1.5), 1e-9);
    run_expect(&r, "T.e", 4.0 * e * (1.0 + 3.0) - 8.0 * 2.0 * 1.5 * e, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(rotor_follows_the_start_of_the_crank)
{
    /* the rotor depends on the disc, not the other way round: the disc's start speed counts */
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {disc: {mass: 3, inertia: 2, points: {O: [0, 0]}, start: {omega: "
                      "4, fixed: [omega]}}}\n"
                      "joints: {O: {type: revolute, between: [ground.O, disc.O]}}\n"
                      "bondgraph: {elements: {A: {type: I, value: 2}}, bonds: [O.axis > A]}\n"
                      "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n");

    run_expect(&r, "A.f", 4.0, 1e-9);
    run_expect(&r, "energy.kinetic", 32.0, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(unbonded_port_and_wrong_bonds_are_reported)
{
    run_expect_failure(DISC "bondgraph: {elements: {R1: {type: R}}}\n"
                            "simulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "`R1` has 0 bonds");
    run_expect_failure(DISC
                       "bondgraph: {elements: {R1: {type: R}, a: {type: '1'}, b: {type: '1'}}, "
                       "bonds: [a > R1 > b]}\n"
                       "simulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "bonded 2 times");
    run_expect_failure(DISC "bondgraph: {elements: {a: {type: '1'}}, bonds: [a > a]}\n"
                            "simulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "bonded to itself");
    run_expect_failure(DISC "bondgraph: {elements: {I1: {type: I, value: -1}, a: {type: '1'}}, "
                            "bonds: [a > I1]}\n"
                            "simulate: {t_end: 1}\n",
                       HA_ERR_VALUE, "at least 0");
}
END_TEST

START_TEST(ports_and_elements_are_made_from_c)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    m2d_element_def source = m2d_element_def_default();
    m2d_system *system = NULL;

    ck_assert_int_eq(scene_body(m, "disc", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "disc", "O", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_joint(m, "revolute", "O", "ground.O", "disc.O"), HA_OK);
    ck_assert_int_eq(m2d_mechanism_add_port(m, "O", HA_NOWHERE), HA_OK);
    ck_assert_int_eq(m2d_mechanism_add_port(m, "O.slide", HA_NOWHERE), HA_ERR_NAME);
    source.type = "Se";
    source.name = "T";
    ck_assert_int_eq(m2d_mechanism_add_element(m, &source), HA_OK);
    ck_assert_int_eq(m2d_mechanism_add_element(m, &source), HA_ERR_NAME);
    ck_assert_int_eq(m2d_mechanism_add_bond(m, "T", "O.axis", HA_NOWHERE), HA_OK);
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);

    bg_graph *graph = m2d_system_graph(system);
    bg_element axis = bg_graph_find(graph, "O.axis");
    ck_assert_int_ge(axis, 0);
    ck_assert_str_eq(bg_element_type_name(graph, axis), "1");
    ck_assert_int_ge(bg_graph_find(graph, "T"), 0);
    m2d_system_free(system);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}
END_TEST

START_TEST(every_failing_allocation_is_survived)
{
    run_survives(
        SLIDER_CRANK(
            ", motion: t") "forces: {s: {type: spring-damper, on: S, stiffness: 3, damping: 2}}\n"
                           "bondgraph: {elements: {C: {type: C, q: 1}}, bonds: [A.axis > C]}\n",
        run_expand);
}
END_TEST

START_TEST(body_is_shaken_as_prescribed)
{
    run r = run_text(HEAD "bodies: {b: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, motion: {x: "
                          "0.1*sin(3*t), y: 0.2*t^2}}}\n"
                          "simulate: {t_end: 0.7, rtol: 1e-10, atol: 1e-10}\n");

    run_expect(&r, "b.x", 0.1 * sin(2.1), 1e-8);
    run_expect(&r, "b.y", 0.2 * 0.49, 1e-9);
    run_expect(&r, "b.drive_x", -1.8 * sin(2.1), 1e-8);
    run_expect(&r, "b.drive_y", 2.0 * (0.4 + 9.81), 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
    run_expect_failure(HEAD "bodies: {b: {mass: 2, inertia: 0.1, motion: {}}}\n", HA_ERR_VALUE,
                       "`motion` of body `b` is empty");
    run_expect_failure(HEAD "bodies: {b: {mass: 2, inertia: 0.1, motion: {z: t}}}\n", HA_ERR_NAME,
                       "unknown key `z` in `motion` of body `b`");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drives");
    TCase *tests = tcase_create("drives");

    tcase_add_test(tests, torsion_spring_makes_a_disc_swing);
    tcase_add_test(tests, spring_on_a_slide_has_a_sign);
    tcase_add_test(tests, spring_between_two_bodies_turns_both);
    tcase_add_test(tests, spring_without_settings_adds_nothing);
    tcase_add_test(tests, relative_outputs_are_what_the_first_body_sees);
    tcase_add_test(tests, forces_lengths_and_powers_are_given_on_demand);
    tcase_add_test(tests, relative_accelerations_are_second_derivatives_of_coordinates);
    tcase_add_test(tests, wrong_demands_are_refused);
    tcase_add_test(tests, slider_crank_takes_the_torque_of_the_closed_form);
    tcase_add_test(tests, start_of_a_motion_is_met_from_any_guess);
    tcase_add_test(tests, motion_of_a_body_is_its_angle);
    tcase_add_test(tests, lift_takes_the_force_of_weight_and_acceleration);
    tcase_add_test(tests, power_of_a_drive_is_what_it_gives);
    tcase_add_test(tests, lift_as_second_end_takes_the_opposite_force);
    tcase_add_test(tests, two_directions_of_a_joint_have_two_drives);
    tcase_add_test(tests, contradicting_motions_are_named);
    tcase_add_test(tests, motor_turns_a_four_bar_as_the_reduced_equation_says);
    tcase_add_test(tests, positive_effort_acts_on_the_second_body);
    tcase_add_test(tests, flow_of_a_port_is_the_rate_of_its_direction);
    tcase_add_test(tests, motor_with_two_resistances_drives_a_joint);
    tcase_add_test(tests, controller_reads_the_mechanism);
    tcase_add_test(tests, rotor_follows_the_start_of_the_crank);
    tcase_add_test(tests, unbonded_port_and_wrong_bonds_are_reported);
    tcase_add_test(tests, ports_and_elements_are_made_from_c);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    tcase_add_test(tests, body_is_shaken_as_prescribed);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
