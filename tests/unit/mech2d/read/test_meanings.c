/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the words of a model file mean, sentence by sentence, where no other test says it: each test
 * is a small mechanism whose numbers follow from a closed form or from Newton and Euler by hand.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define FREE HEAD "gravity: [0, 0]\n"
#define TIGHT "rtol: 1e-11, atol: 1e-11"

/* --- massless bodies ------------------------------------------------------------------------- */

START_TEST(a_massless_body_moves_as_its_joints_say)
{
    /* the rod of a pendulum without mass, a point mass at its end: IFToMM benchmark A01 */
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies:\n"
                      "  rod: {mass: 0, inertia: 0, points: {O: [0, 0], P: [1, 0]}, start: {angle: "
                      "180 deg, fixed: [angle]}}\n"
                      "  bob: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {angle: 0, omega: "
                      "0, fixed: [omega]}}\n"
                      "joints:\n"
                      "  O: {type: revolute, between: [ground.O, rod.O]}\n"
                      "  P: {type: revolute, between: [rod.P, bob.P]}\n"
                      "simulate: {t_end: 2, rtol: 1e-10, atol: 1e-10, alpha: 100, beta: 100}\n");

    run_expect_near(&r, "bob.x", -0.793566195343, 1e-7);
    run_expect_near(&r, "bob.y", -0.608483930444, 1e-7);
    run_expect_near(&r, "bob.vx", -2.1024378744, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(a_massless_body_moves_as_its_dampers_say)
{
    /* 5 x + 2 x' = 0, 3 y' = 6, 2 a' = 1 */
    run r =
        run_text(FREE "ground: {points: {O: [0, 0], B: [0, 0]}}\n"
                      "bodies: {L: {mass: 0, inertia: 0, points: {P: [0, 0]}, start: {x: 1, fixed: "
                      "[x, y, angle]}}}\n"
                      "forces:\n"
                      "  S: {type: force, on: L.P, value: [-5*L.x - 2*L.vx, 6 - 3*L.vy]}\n"
                      "  T: {type: torque, on: L, value: 1 - 2*L.omega}\n"
                      "simulate: {t_end: 1, " TIGHT "}\n");

    run_expect(&r, "L.x", exp(-2.5), 1e-8);
    run_expect(&r, "L.vx", -2.5 * exp(-2.5), 1e-8);
    run_expect(&r, "L.y", 2.0, 1e-8);
    run_expect(&r, "L.angle", 0.5, 1e-8);
    run_end(&r);
}
END_TEST

/* A massless plate on dampers beside a pendulum: what drift is taken back from has a derivative. */
START_TEST(only_differential_unknowns_take_part_in_the_motion)
{
    run r = run_text(FREE "ground: {points: {O: [0, 0]}}\n"
                          "bodies:\n"
                          "  L: {mass: 0, inertia: 0, points: {P: [0, 0]}}\n"
                          "  B: {mass: 1, inertia: 1, points: {P: [-1, 0]}}\n"
                          "joints: {O: {type: revolute, between: [ground.O, B.P]}}\n"
                          "forces:\n"
                          "  S: {type: force, on: L.P, value: [-L.vx, 1 - L.vy]}\n"
                          "  T: {type: torque, on: L, value: -L.omega}\n"
                          "simulate: {t_end: 0.1}\n");
    const ha_dae *dae = bg_model_dae(r.compiled);
    int n_moving = 0;

    for (int j = 0; j < dae->n; j++) {
        n_moving += dae->unknowns[j].motion != HA_NO_MOTION;
        ck_assert(dae->unknowns[j].motion == HA_NO_MOTION ||
                  dae->unknowns[j].kind == HA_DIFFERENTIAL);
    }
    ck_assert_int_gt(n_moving, 0);
    run_end(&r);
}
END_TEST

/* Expects the errors of a run that must fail: their number, and of each its place and a part. */
typedef struct {
    int line, column;
    const char *part;
} said;

static void expect_said(const char *text, const said *errors, size_t n)
{
    run r = run_new();

    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model), HA_OK);
    ck_assert_int_eq(run_model(&r), HA_ERR_SINGULAR);
    ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), n);
    for (size_t i = 0; i < n; i++) {
        const ha_diag *diag = ha_ctx_diag(r.ctx, i);
        ck_assert_msg(strstr(diag->text, errors[i].part) != NULL &&
                          diag->where.line == errors[i].line &&
                          diag->where.column == errors[i].column,
                      "%d:%d: %s", diag->where.line, diag->where.column, diag->text);
        ck_assert_str_eq(diag->where.file, "m.yaml");
    }
    run_end(&r);
}

START_TEST(a_massless_body_that_nothing_determines_is_named_at_its_place)
{
    static const said both[] = { { 3, 13, "body `L` has mass 0 and nothing determines its motion" },
                                 { 3, 13, "body `L` has inertia 0" } };
    static const said turning[] = { { 4, 3,
                                      "body `L` has inertia 0 and nothing determines its "
                                      "rotation; give it an inertia" } };
    static const said inertia_alone[] = { { 4, 10, "body `L` has inertia 0" } };
    static const said sliding[] = { { 3, 10, "body `L` has mass 0" } };

    expect_said(FREE "bodies: {   L: {mass: 0, inertia: 0}}\nsimulate: {t_end: 1}\n", both, 2);
    /* a parameter of 0 is as good as a 0 */
    expect_said(FREE "parameters: {r: 0}\n"
                     "bodies: {L: {mass: 1, inertia: 0.7*r^2/12}}\nsimulate: {t_end: 1}\n",
                inertia_alone, 1);
    /* a rod pinned to the ground, and a spring on it: position alone determines no velocity */
    expect_said(HEAD "ground: {points: {O: [0, 0], A: [0, 1]}}\nbodies:\n"
                     "  L: {mass: 0, inertia: 0, points: {O: [0, 0], P: [1, 0]}}\n"
                     "joints: {J: {type: revolute, between: [ground.O, L.O]}}\n"
                     "forces: {S: {type: spring-damper, between: [ground.A, L.P], stiffness: 3}}\n"
                     "simulate: {t_end: 1}\n",
                turning, 1);
    /* a slanted guide: not structural, since both balances hold the multiplier */
    expect_said(HEAD "ground: {points: {O: {at: [0, 0], axis: 0.5}}}\n"
                     "bodies: {L: {mass: 0, inertia: 1, points: {P: {at: [0, 0], axis: 0.5}}}}\n"
                     "joints: {J: {type: translational, between: [ground.O, L.P]}}\n"
                     "simulate: {t_end: 1}\n",
                sliding, 1);
}
END_TEST

/* --- forces ---------------------------------------------------------------------------------- */

START_TEST(a_wrench_at_a_point_has_the_moment_of_its_force_and_its_own)
{
    /* the point is at (0.4 cos a - 0.1 sin a, 0.4 sin a + 0.1 cos a) from the mass centre */
    const double a = 0.6, x = 0.4 * cos(a) - 0.1 * sin(a), y = 0.4 * sin(a) + 0.1 * cos(a);
    run r = run_text(FREE "bodies: {K: {mass: 2, inertia: 0.3, points: {P: [0.4, 0.1]}, start: "
                          "{angle: 0.6}}}\n"
                          "forces: {W: {type: wrench, on: K.P, value: [3, -5 N, 0.7]}}\n"
                          "simulate: {t_end: 0}\n");

    run_expect(&r, "K.ax", 1.5, 1e-12);
    run_expect(&r, "K.ay", -2.5, 1e-12);
    run_expect(&r, "K.alpha", (x * -5.0 - y * 3.0 + 0.7) / 0.3, 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(entries_of_a_force_are_quantities_or_expressions)
{
    /* x'' = 3 t, y'' = -4 y */
    run r = run_text(FREE "parameters: {c: 6}\n"
                          "bodies: {K: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {y: 1}}}\n"
                          "forces: {F: {type: force, on: K.P, value: [c*t, -8*K.y]}, G: {type: "
                          "force, on: K.P, value: [0 N, 0 N]}}\n"
                          "simulate: {t_end: 1.3, " TIGHT "}\n");

    run_expect(&r, "K.x", 0.5 * 1.3 * 1.3 * 1.3, 1e-8);
    run_expect(&r, "K.y", cos(2.6), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(a_damper_between_points_acts_along_their_line)
{
    /* distance r: 2 r'' + 3 r' + 8 (r - 2) = 0 from 2.5 at rest, along (0.6, 0.8) */
    const double d = 0.75, w = sqrt(4.0 - d * d), t = 0.9;
    double length = 2.0 + 0.5 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    run r =
        run_text(FREE "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {K: {mass: 2, inertia: 0.3, points: {P: [0, 0]}, start: {x: 1.5, y: "
                      "2}}}\n"
                      "forces: {S: {type: spring-damper, between: [K.P, ground.O], stiffness: 8 "
                      "N/m, damping: 3 N.s/m, free_length: 2 m}}\n"
                      "simulate: {t_end: 0.9, " TIGHT "}\n");

    run_expect(&r, "K.x", 0.6 * length, 1e-8);
    run_expect(&r, "K.y", 0.8 * length, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(omitted_values_of_a_spring_damper_are_zero)
{
    /* no free length: 2 r'' = -8 r; no stiffness: 2 x'' = -3 x' */
    run r =
        run_text(FREE "ground: {points: {O: [0, 0], Q: [0, 0]}}\n"
                      "bodies:\n"
                      "  K: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 1.5, y: 2}}\n"
                      "  L: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 1, vx: 4}}\n"
                      "  D: {mass: 1, inertia: 2, points: {P: [0, 0]}, start: {angle: 1, fixed: "
                      "[angle]}}\n"
                      "joints: {J: {type: revolute, between: [ground.Q, D.P]}}\n"
                      "forces:\n"
                      "  S: {type: spring-damper, between: [ground.O, K.P], stiffness: 8}\n"
                      "  C: {type: spring-damper, between: [ground.O, L.P], damping: 3}\n"
                      "  T: {type: spring-damper, on: J, stiffness: 50}\n"
                      "simulate: {t_end: 0.5, " TIGHT "}\n");

    run_expect(&r, "K.x", 1.5 * cos(1.0), 1e-8);
    run_expect(&r, "K.y", 2.0 * cos(1.0), 1e-8);
    run_expect(&r, "L.vx", 4.0 * exp(-0.75), 1e-8);
    run_expect(&r, "J.angle", cos(2.5), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(a_spring_may_act_on_one_of_several_directions)
{
    /* a table: free along x, on a spring along y: 2 y'' = -8 (y - 0.3) */
    run r =
        run_text(FREE "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {K: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 0, y: 1, "
                      "vx: 0.5}}}\n"
                      "joints: {J: {type: double-translational, between: [ground.O, K.P]}}\n"
                      "forces: {S: {type: spring-damper, on: J.slide_y, stiffness: 8, free_length: "
                      "0.3}}\n"
                      "simulate: {t_end: 0.6, " TIGHT "}\n");

    run_expect(&r, "J.slide_y", 0.3 + 0.7 * cos(1.2), 1e-8);
    run_expect(&r, "J.slide_x", 0.3, 1e-8);
    run_end(&r);
}
END_TEST

/* --- joints ---------------------------------------------------------------------------------- */

START_TEST(a_point_without_axis_has_the_angle_of_its_body)
{
    run r = run_text(FREE "bodies:\n"
                          "  K: {mass: 2, inertia: 1, points: {P: [0, 0], R: {at: [1, 0], axis: "
                          "0.25}}, start: {angle: 0.3, fixed: [angle]}}\n"
                          "  L: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {angle: 1.1, "
                          "fixed: [angle]}}\n"
                          "  M: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {angle: 2, "
                          "fixed: [angle]}}\n"
                          "joints: {J: {type: revolute, between: [K.P, L.P]}, I: {type: revolute, "
                          "between: [K.R, M.P]}}\n"
                          "simulate: {t_end: 0}\n");

    run_expect(&r, "J.angle", 0.8, 1e-14);
    run_expect(&r, "I.angle", 2.0 - 0.3 - 0.25, 1e-14);
    run_end(&r);
}
END_TEST

START_TEST(an_angle_goes_on_beyond_a_turn)
{
    run r = run_text(FREE "ground: {points: {O: {at: [0, 0], axis: 0.2}}}\n"
                          "bodies: {K: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {angle: "
                          "0.5, omega: -40, fixed: [angle, omega]}}}\n"
                          "joints: {J: {type: revolute, between: [ground.O, K.P]}}\n"
                          "simulate: {t_end: 2, " TIGHT "}\n");

    run_expect(&r, "J.angle", 0.3 - 80.0, 1e-9);
    run_expect(&r, "J.omega", -40.0, 1e-9);
    run_end(&r);
}
END_TEST

/* Two bodies in flight that a joint holds together, a torque on the first; what follows the type
 * ends its mapping. */
static run run_pair(const char *joint)
{
    char text[2048];

    snprintf(text, sizeof text,
             FREE "bodies:\n"
                  "  A: {mass: 2, inertia: 0.7, points: {P: {at: [0.5, 0.2], axis: 0.3}}, start: "
                  "{x: 1, y: 2, angle: 0.4, vx: 0.3, vy: -0.2, omega: 0.7}}\n"
                  "  B: {mass: 3, inertia: 1.1, points: {Q: {at: [-0.1, 0.6], axis: -0.5}}, start: "
                  "{x: -1, y: 0.5, angle: 1.1, vx: -0.4, vy: 0.1, omega: -1.3}}\n"
                  "joints: {J: {between: [A.P, B.Q], type: %s}}\n"
                  "forces: {T: {type: torque, on: A, value: 2}}\n"
                  "simulate: {t_end: 0}\n",
             joint);
    return run_text(text);
}

START_TEST(a_reaction_moves_both_bodies_as_newton_and_euler_say)
{
    /* a force at the point Q of B and a torque on B, the opposite on A at the same place */
    static const char *const joints[] = {
        "revolute",
        "translational",
        "double-translational",
        "translational-revolute",
        "weld",
        "distance, length: 2",
        "revolute, motion: 0.4 + 3*t^2",
        "translational, motion: 0.2 + t - t^2",
        "translational-revolute, motion: {slide: 0.3 + t^2}",
        "double-translational, motion: {slide_y: 0.3 + t^2}",
    };

    for (size_t i = 0; i < HA_COUNT(joints); i++) {
        run r = run_pair(joints[i]);
        double fx = run_last(&r, "J.fx"), fy = run_last(&r, "J.fy");
        double torque = run_last(&r, "J.torque"), Qx = run_last(&r, "B.Q.x");
        double Qy = run_last(&r, "B.Q.y");
        double arm_A = (Qx - run_last(&r, "A.x")) * fy - (Qy - run_last(&r, "A.y")) * fx;
        double arm_B = (Qx - run_last(&r, "B.x")) * fy - (Qy - run_last(&r, "B.y")) * fx;
        ck_assert_msg(fabs(fx) + fabs(fy) + fabs(torque) > 0.01, "%s: no reaction", joints[i]);
        run_expect_near(&r, "B.ax", fx / 3.0, 1e-11);
        run_expect_near(&r, "B.ay", fy / 3.0, 1e-11);
        run_expect_near(&r, "B.alpha", (torque + arm_B) / 1.1, 1e-11);
        run_expect_near(&r, "A.ax", -fx / 2.0, 1e-11);
        run_expect_near(&r, "A.ay", -fy / 2.0, 1e-11);
        run_expect_near(&r, "A.alpha", (2.0 - torque - arm_A) / 0.7, 1e-11);
        run_end(&r);
    }
}
END_TEST

START_TEST(slides_are_measured_along_the_axis_that_is_said)
{
    static const struct {
        const char *type, *slide, *speed, *body; /* whose axis */
        double axis;
    } cases[] = {
        { "translational", "J.slide", "J.speed", "A.angle", 0.3 },
        { "translational-revolute", "J.slide", "J.speed", "B.angle", -0.5 },
        { "double-translational", "J.slide_x", "J.speed_x", "A.angle", 0.3 },
        { "double-translational", "J.slide_y", "J.speed_y", "A.angle", 0.3 + M_PI / 2.0 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        run r = run_pair(cases[i].type);
        double c = cos(run_last(&r, cases[i].body) + cases[i].axis);
        double s = sin(run_last(&r, cases[i].body) + cases[i].axis);
        double x = run_last(&r, "B.Q.x") - run_last(&r, "A.P.x");
        double y = run_last(&r, "B.Q.y") - run_last(&r, "A.P.y");
        double vx = run_last(&r, "B.Q.vx") - run_last(&r, "A.P.vx");
        double vy = run_last(&r, "B.Q.vy") - run_last(&r, "A.P.vy");
        double turn = run_last(&r, cases[i].body[0] == 'A' ? "A.omega" : "B.omega");
        run_expect_near(&r, cases[i].slide, c * x + s * y, 1e-13);
        run_expect_near(&r, cases[i].speed, c * vx + s * vy + turn * (-s * x + c * y), 1e-13);
        run_end(&r);
    }
}
END_TEST

START_TEST(one_of_several_directions_may_be_prescribed)
{
    /* a bead that is pushed along a slot at rest: its force is that of its acceleration */
    run r = run_text(FREE
                     "ground: {points: {O: {at: [0, 0], axis: 0.7}}}\n"
                     "bodies: {K: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {omega: 3}}}\n"
                     "joints: {J: {type: translational-revolute, between: [K.P, ground.O], motion: "
                     "{slide: 0.5*t^3}}}\n"
                     "simulate: {t_end: 1, " TIGHT "}\n");

    /* from the pin to the point of the slot: the bead goes backwards */
    run_expect(&r, "K.x", -0.5 * cos(0.7), 1e-8);
    run_expect(&r, "K.y", -0.5 * sin(0.7), 1e-8);
    run_expect(&r, "K.angle", 3.0, 1e-8);
    run_expect(&r, "J.drive", 6.0, 1e-7);
    run_expect(&r, "energy.supplied", 2.25, 1e-7);
    run_end(&r);
}
END_TEST

/* --- energy ---------------------------------------------------------------------------------- */

START_TEST(potential_energy_is_that_of_all_c_and_of_gravity_from_the_origin)
{
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies:\n"
                      "  K: {mass: 3, inertia: 1, points: {P: [0, 0]}, start: {x: 0, y: 2}}\n"
                      "  L: {mass: 2, inertia: 1, gravity: [4, 0], start: {x: -1.5, y: 7}}\n"
                      "forces: {S: {type: spring-damper, between: [ground.O, K.P], stiffness: 10, "
                      "free_length: 1.2}}\n"
                      "bondgraph: {elements: {C: {type: C, value: 0.5, q: 3}, R: {type: R}, 1a: "
                      "{type: '1'}}, bonds: [1a > C, 1a > R]}\n"
                      "simulate: {t_end: 0}\n");

    run_expect(&r, "energy.potential", 3 * 9.81 * 2 + 2 * 4 * 1.5 + 0.5 * 10 * 0.64 + 9, 1e-13);
    run_expect_near(&r, "energy.supplied", 0.0, 0.0);
    run_end(&r);
}
END_TEST

START_TEST(kinetic_energy_is_that_of_all_i)
{
    run r =
        run_text(FREE "bodies: {K: {mass: 3, inertia: 0.4, start: {vx: 1, vy: -2, omega: 5}}}\n"
                      "bondgraph: {elements: {I: {type: I, value: 0.5, p: 3}, R: {type: R}, 1a: "
                      "{type: '1'}}, bonds: [1a > I, 1a > R]}\n"
                      "simulate: {t_end: 0}\n");

    run_expect(&r, "I.f", 6.0, 1e-14);
    run_expect(&r, "energy.kinetic", 1.5 * 5.0 + 0.2 * 25.0 + 9.0, 1e-13);
    run_end(&r);
}
END_TEST

START_TEST(supplied_is_the_work_of_all_but_gravity)
{
    /* a force on a falling body, a torque, a prescribed angle, a source: each by its closed form */
    const double t = 0.7, force = 3.0 * 0.5 * 1.5 * t * t, torque = 2.0 * 0.5 * 4.0 * t * t;
    const double motion = 0.5 * 0.25 * 4.0 * t * t;      /* 0.25 kg m2 at 2 t rad/s */
    const double source = 0.5 * 6.0 * 6.0 / 0.5 * t * t; /* 6 V on 0.5 H */
    run r =
        run_text(HEAD "bodies:\n"
                      "  K: {mass: 2, inertia: 1, points: {P: [0, 0]}}\n"
                      "  L: {mass: 2, inertia: 0.5}\n"
                      "  M: {mass: 2, inertia: 0.25, motion: {angle: t^2}}\n"
                      "forces: {F: {type: force, on: K.P, value: [3, 0]}, T: {type: torque, on: L, "
                      "value: 2}}\n"
                      "bondgraph: {elements: {V: {type: Se, value: 6 V}, I: {type: I, value: 0.5 "
                      "H}, 1a: {type: '1'}}, bonds: [V > 1a > I]}\n"
                      "simulate: {t_end: 0.7, " TIGHT "}\n");

    run_expect(&r, "energy.supplied", force + torque + motion + source, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(dissipated_goes_into_r_and_dampers)
{
    /* 2 x'' = -3 x' from 4 m/s and 0.5 f' = -2 f from 6 */
    double mass = 0.5 * 2.0 * 16.0 * (1.0 - exp(-2.0 * 1.5 * 0.8));
    double coil = 0.5 * 0.5 * 36.0 * (1.0 - exp(-2.0 * 4.0 * 0.8));
    run r = run_text(FREE
                     "ground: {points: {O: [0, 0]}}\n"
                     "bodies: {L: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 1, vx: 4}}}"
                     "\n"
                     "forces: {C: {type: spring-damper, between: [ground.O, L.P], damping: 3}}\n"
                     "bondgraph: {elements: {I: {type: I, value: 0.5, p: 3}, R: {type: R, value: "
                     "2}, 1a: {type: '1'}}, bonds: [1a > I, 1a > R]}\n"
                     "simulate: {t_end: 0.8, " TIGHT "}\n");

    run_expect(&r, "energy.dissipated", mass + coil, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(the_energy_error_is_what_the_book_says)
{
    run r = run_text(HEAD
                     "ground: {points: {O: [0, 0]}}\n"
                     "bodies: {K: {mass: 2, inertia: 0.3, points: {P: [0.3, 0]}, start: {angle: 1, "
                     "omega: 4}}}\n"
                     "joints: {J: {type: revolute, between: [ground.O, K.P]}}\n"
                     "forces: {S: {type: spring-damper, on: J, stiffness: 3, damping: 0.2}, T: "
                     "{type: torque, on: K, value: 2*t}}\n"
                     "simulate: {t_end: 1, rtol: 1e-4, atol: 1e-4, alpha: 5, driver: ida}\n");
    double worst = 0.0, gap = 0.0, speed = 0.0, start = 0.0;

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double stored = run_value(&r, i, "energy.kinetic") + run_value(&r, i, "energy.potential");
        start = i == 0 ? stored : start;
        double error = stored - start - run_value(&r, i, "energy.supplied") +
                       run_value(&r, i, "energy.dissipated");
        ck_assert_double_eq_tol(run_value(&r, i, "energy.error"), error, 1e-12);
        worst = fmax(worst, fabs(error));
        gap = fmax(gap, fmax(fabs(run_value(&r, i, "K.P.x")), fabs(run_value(&r, i, "K.P.y"))));
        speed =
            fmax(speed, fmax(fabs(run_value(&r, i, "K.P.vx")), fabs(run_value(&r, i, "K.P.vy"))));
    }
    /* the largest over the steps, of which the rows show nearly as much */
    ck_assert_double_gt(worst, 1e-9);
    ck_assert_double_gt(gap, 1e-9);
    ck_assert_double_eq_tol(r.report.energy_error / worst, 1.0, 0.1);
    ck_assert_double_eq_tol(r.report.constraint_error / gap, 1.0, 0.1);
    ck_assert_double_eq_tol(r.report.velocity_error / speed, 1.0, 0.1);
    run_end(&r);
}
END_TEST

START_TEST(errors_of_a_run_that_did_not_start_are_not_known)
{
    run r = run_new();
    /* a constraint on a flow that its transformer makes 0 at the start */
    const char *text = FREE "bodies: {K: {mass: 1, inertia: 1}}\n"
                            "bondgraph:\n"
                            "  elements: {1a: {type: \"1\"}, I: {type: I}, "
                            "M: {type: MTF, value: t}, Re: {type: Re}}\n"
                            "  bonds: [1a > I, 1a > M, M > Re]\n"
                            "simulate: {t_end: 1}\n";

    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model), HA_OK);
    ck_assert_int_eq(run_model(&r), HA_ERR_SINGULAR);
    ck_assert_ptr_nonnull(r.compiled);
    ck_assert(isnan(r.report.energy_error));
    ck_assert(isnan(r.report.constraint_error));
    ck_assert(isnan(r.report.velocity_error));
    run_end(&r);
}
END_TEST

/* --- names, values, defaults ----------------------------------------------------------------- */

START_TEST(a_parameter_may_have_any_name)
{
    /* names that are units or letters of formulas, and one that is a function's only elsewhere */
    run r = run_text(FREE "parameters: {m: 2, s: 3*m, kg: s + 1, e: kg/7, g: 10, N: e + m}\n"
                          "bodies: {K: {mass: m, inertia: e, points: {P: [0, 0]}}}\n"
                          "forces: {F: {type: force, on: K.P, value: [s*e, g - N]}, T: {type: "
                          "torque, on: K, value: 3*e}}\n"
                          "simulate: {t_end: 0}\n");

    run_expect(&r, "K.ax", 3.0, 1e-14);
    run_expect(&r, "K.ay", 3.5, 1e-14);
    run_expect(&r, "K.alpha", 3.0, 1e-14);
    run_end(&r);
}
END_TEST

START_TEST(a_number_a_blank_and_a_parameter_is_a_quantity)
{
    run_expect_failure(HEAD "parameters: {m: 2}\nbodies: {K: {mass: 3 m, inertia: 1}}\n",
                       HA_ERR_UNIT, "3 m is a length, a mass in kg is expected");
}
END_TEST

START_TEST(values_of_elements_are_converted)
{
    run r =
        run_text(FREE "bodies: {K: {mass: 1, inertia: 1}}\n"
                      "bondgraph:\n"
                      "  elements: {V: {type: Se, value: 12 kV}, R: {type: R, value: 3 mohm}, A: "
                      "{type: '1'}}\n"
                      "  bonds: [V > A > R]\n"
                      "simulate: {t_end: 0}\n");

    run_expect(&r, "R.f", 12e3 / 3e-3, 1e-14);
    run_end(&r);
}
END_TEST

START_TEST(without_a_step_there_are_500_intervals)
{
    run r = run_text(FREE "bodies: {K: {mass: 1, inertia: 1}}\nsimulate: {t_end: 3}\n");

    ck_assert_uint_eq(ha_result_n_rows(r.result), 501);
    ck_assert_double_eq_tol(run_value(&r, 1, "t"), 3.0 / 500.0, 1e-17);
    ck_assert_double_eq(run_last(&r, "t"), 3.0);
    ck_assert_double_eq(r.report.alpha, 20.0);
    ck_assert_double_eq(r.report.beta, r.report.alpha);
    run_end(&r);
}
END_TEST

START_TEST(gravity_is_that_of_the_earth_unless_given)
{
    run r = run_text(HEAD "bodies: {K: {mass: 1, inertia: 1}}\nsimulate: {t_end: 0}\n");
    run other = run_text(HEAD "gravity: [1 cm/s2, -1.62]\nbodies: {K: {mass: 1, inertia: 1}}\n"
                              "simulate: {t_end: 0}\n");

    run_expect_near(&r, "K.ax", 0.0, 0.0);
    run_expect(&r, "K.ay", -9.81, 1e-15);
    run_expect(&other, "K.ax", 0.01, 1e-15);
    run_expect(&other, "K.ay", -1.62, 1e-15);
    run_end(&other);
    run_end(&r);
}
END_TEST

START_TEST(start_values_are_guesses_unless_fixed)
{
    /* a hinge at the origin that neither start meets: what is fixed stays */
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {K: {mass: 1, inertia: 1, points: {P: [-1, 0]}, start: {x: 0.6, y: "
                      "0.6, angle: 0.3, fixed: [x]}}}\n"
                      "joints: {J: {type: revolute, between: [ground.O, K.P]}}\n"
                      "simulate: {t_end: 0}\n");

    ck_assert_double_eq(run_last(&r, "K.x"), 0.6);
    run_expect(&r, "K.y", 0.8, 1e-12);
    run_expect(&r, "K.angle", acos(0.6), 1e-12);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("meanings");
    TCase *tests = tcase_create("meanings");

    tcase_add_test(tests, a_massless_body_moves_as_its_joints_say);
    tcase_add_test(tests, a_massless_body_moves_as_its_dampers_say);
    tcase_add_test(tests, only_differential_unknowns_take_part_in_the_motion);
    tcase_add_test(tests, a_massless_body_that_nothing_determines_is_named_at_its_place);
    tcase_add_test(tests, a_wrench_at_a_point_has_the_moment_of_its_force_and_its_own);
    tcase_add_test(tests, entries_of_a_force_are_quantities_or_expressions);
    tcase_add_test(tests, a_damper_between_points_acts_along_their_line);
    tcase_add_test(tests, omitted_values_of_a_spring_damper_are_zero);
    tcase_add_test(tests, a_spring_may_act_on_one_of_several_directions);
    tcase_add_test(tests, a_point_without_axis_has_the_angle_of_its_body);
    tcase_add_test(tests, an_angle_goes_on_beyond_a_turn);
    tcase_add_test(tests, a_reaction_moves_both_bodies_as_newton_and_euler_say);
    tcase_add_test(tests, slides_are_measured_along_the_axis_that_is_said);
    tcase_add_test(tests, one_of_several_directions_may_be_prescribed);
    tcase_add_test(tests, potential_energy_is_that_of_all_c_and_of_gravity_from_the_origin);
    tcase_add_test(tests, kinetic_energy_is_that_of_all_i);
    tcase_add_test(tests, supplied_is_the_work_of_all_but_gravity);
    tcase_add_test(tests, dissipated_goes_into_r_and_dampers);
    tcase_add_test(tests, the_energy_error_is_what_the_book_says);
    tcase_add_test(tests, errors_of_a_run_that_did_not_start_are_not_known);
    tcase_add_test(tests, a_parameter_may_have_any_name);
    tcase_add_test(tests, a_number_a_blank_and_a_parameter_is_a_quantity);
    tcase_add_test(tests, values_of_elements_are_converted);
    tcase_add_test(tests, without_a_step_there_are_500_intervals);
    tcase_add_test(tests, gravity_is_that_of_the_earth_unless_given);
    tcase_add_test(tests, start_values_are_guesses_unless_fixed);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
