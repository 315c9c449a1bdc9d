/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Start values of joints and points, against closed forms: a chain by sums of angles, a four-bar
 * linkage by the law of cosines, the mechanisms that Zimmer's library of planar mechanics shows
 * (crane crab, double pendulum, kinematic loop) started at their joints.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "halfarrow: 1\n"
#define END "simulate: {t_end: 0}\n"

static double deg(double angle)
{
    return angle * acos(-1.0) / 180.0;
}

static void expect(const run *r, const char *name, double truth)
{
    double found = run_last(r, name);

    ck_assert_msg(fabs(found - truth) <= 1e-11, "%s is %.17g, not %.17g", name, found, truth);
}

#define PENDULUM                                                                                   \
    "ground: {points: {O: [0, 0]}}\n"                                                              \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0], B: [0.5, 0]}}\n"                          \
    "  b: {mass: 1, inertia: 0.1, points: {B: [-0.3, 0], P: [0.3, 0]}%s}\n"                        \
    "joints:\n"                                                                                    \
    "  O: {type: revolute, between: [ground.O, a.O], start: {angle: 0.4, omega: 2, fixed: "        \
    "[angle, omega]}}\n"                                                                           \
    "  B: {type: revolute, between: [a.B, b.B]%s}\n" END

#define PENDULUM_DRIVEN                                                                            \
    "ground: {points: {O: [0, 0]}}\n"                                                              \
    "bodies: {a: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}}}\n"                               \
    "joints: {O: {type: revolute, between: [ground.O, a.O], motion: t^2, start: {angle: "          \
    "1}}}\n" END

START_TEST(a_chain_starts_at_its_joints)
{
    char text[2048];

    snprintf(text, sizeof text, HEAD PENDULUM, "",
             ", start: {angle: 400 deg, omega: -0.5, fixed: [angle, omega]}");
    run r = run_text(text);
    double angle = 0.4 + deg(400);
    expect(&r, "a.angle", 0.4);
    expect(&r, "b.angle", angle); /* not wrapped, as the joint's is not */
    expect(&r, "b.omega", 1.5);
    expect(&r, "b.x", cos(0.4) + 0.3 * cos(angle));
    expect(&r, "b.vy", 2.0 * cos(0.4) + 1.5 * 0.3 * cos(angle));
    run_end(&r);
}
END_TEST

START_TEST(a_point_starts_where_it_is_known)
{
    char text[2048];

    /* the elbow by the law of cosines: the distance from B to P is 0.6 */
    snprintf(text, sizeof text, HEAD PENDULUM,
             ", start: {angle: 1, at: {P: {x: 1.2, vy: 3}}, fixed: [P.x, P.vy]}", "");
    run r = run_text(text);
    double angle = acos((1.2 - cos(0.4)) / 0.6);
    expect(&r, "b.P.x", 1.2);
    expect(&r, "b.P.vy", 3.0);
    expect(&r, "b.angle", angle);
    expect(&r, "b.omega", (3.0 - 2.0 * cos(0.4)) / (0.6 * cos(angle)));
    run_end(&r);
}
END_TEST

START_TEST(what_is_fixed_without_a_value_is_0)
{
    char text[2048];

    snprintf(text, sizeof text, HEAD PENDULUM, ", start: {angle: 1, fixed: [P.y]}",
             ", start: {fixed: [omega]}");
    run r = run_text(text);
    expect(&r, "b.P.y", 0.0);
    expect(&r, "B.omega", 0.0);
    run_end(&r);
}
END_TEST

START_TEST(a_direction_of_the_users_own_starts)
{
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {a: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}}}\n"
                      "joints:\n"
                      "  O: {type: constraint, between: [ground.O, a.O], rows: {x: MN.x_0, y: "
                      "MN.y_0}, free: {turn: 2*theta_j}, start: {turn: 0.6, turn_rate: 3, fixed: "
                      "[turn, turn_rate]}}\n" END);

    expect(&r, "a.angle", 0.3);
    expect(&r, "a.omega", 1.5);
    run_end(&r);
}
END_TEST

START_TEST(a_crab_starts_with_its_load)
{
    run r = run_text(HEAD
                     "ground: {points: {rail: [0, 0]}}\n"
                     "bodies:\n"
                     "  crab: {mass: 1, inertia: 1, points: {C: [0, 0]}}\n"
                     "  load: {mass: 0.5, inertia: 0.1, points: {C: [0, 0.8]}}\n"
                     "joints:\n"
                     "  S: {type: translational, between: [ground.rail, crab.C], start: {slide: 2, "
                     "speed: -1, fixed: [slide, speed]}}\n"
                     "  C: {type: revolute, between: [crab.C, load.C], start: {angle: 20 deg, "
                     "omega: 3, fixed: [angle, omega]}}\n" END);

    expect(&r, "crab.x", 2.0);
    expect(&r, "load.x", 2.0 + 0.8 * sin(deg(20)));
    expect(&r, "load.y", -0.8 * cos(deg(20)));
    expect(&r, "load.vx", -1.0 + 0.8 * 3.0 * cos(deg(20)));
    run_end(&r);
}
END_TEST

#define LOOP                                                                                       \
    HEAD "ground: {points: {A: [0, 0], D: [3, 0]}}\n"                                              \
         "bodies:\n"                                                                               \
         "  crank: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}}\n"                 \
         "  rod: {mass: 1, inertia: 0.1, points: {B: [-1.5, 0], C: [1.5, 0]}%s}\n"                 \
         "  rocker: {mass: 1, inertia: 0.1, points: {D: [-1, 0], C: [1, 0]}}\n"                    \
         "joints:\n"                                                                               \
         "  A: {type: revolute, between: [ground.A, crank.A], start: {angle: 60 deg, omega: 2, "   \
         "fixed: [angle, omega]}}\n"                                                               \
         "  B: {type: revolute, between: [crank.B, rod.B]}\n"                                      \
         "  C: {type: revolute, between: [rod.C, rocker.C], start: {%s}}\n"                        \
         "  D: {type: revolute, between: [ground.D, rocker.D]}\n" END

/* The elbow of rod (3) and rocker (2) over the distance of B and D: the angle between their axes,
   which both point to C. */
static double elbow(double side)
{
    double square = 3.0 * 3.0 + 1.0 - 2.0 * 3.0 * cos(deg(60)); /* B at 1 m, D at 3 m */

    return side * acos((9.0 + 4.0 - square) / (2.0 * 3.0 * 2.0));
}

START_TEST(a_guess_says_on_which_branch_a_loop_is)
{
    for (int side = -1; side <= 1; side += 2) {
        for (double off = -40.0; off <= 40.0; off += 20.0) {
            char text[2048], start[64];
            snprintf(start, sizeof start, "angle: %.17g", elbow(side) + deg(off));
            snprintf(text, sizeof text, LOOP, "", start);
            run r = run_text(text);
            expect(&r, "C.angle", elbow(side));
            expect(&r, "A.angle", deg(60));
            expect(&r, "A.omega", 2.0);
            run_end(&r);
        }
    }
}
END_TEST

/* Whole turns of a body that is fixed: what hangs on it by rows over angles is there, too, however
   many they are, and stands as it does without them. */
#define TURNED                                                                                     \
    HEAD "ground: {points: {O: [0, 0], D: [1, 0]}}\n"                                              \
         "bodies:\n"                                                                               \
         "  a: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [0.3, 0]}, start: {angle: "          \
         "(10 + 360*%d)*pi/180, fixed: [angle]}}\n"                                                \
         "  b: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [1, 0]}, start: {angle: 40 deg}}\n"  \
         "  c: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [0.8, 0]}, start: {angle: 100 "      \
         "deg}}\n"                                                                                 \
         "joints:\n"                                                                               \
         "  O: {type: revolute, between: [ground.O, a.A]}\n"                                       \
         "  P: {type: revolute, between: [a.B, b.A]%s}\n"                                          \
         "  Q: {type: revolute, between: [b.B, c.%s}\n"                                            \
         "%s" END

static const int turns[] = { 1, 9, 100, -1, -100 };

START_TEST(a_loop_closes_alike_whatever_the_turn)
{
    static const char rest[] = "  R: {type: revolute, between: [ground.D, c.A]}\n";
    char text[2048];

    snprintf(text, sizeof text, TURNED, 0, ", start: {angle: 38 deg}", "B], start: {angle: 50 deg}",
             rest);
    run base = run_text(text);
    snprintf(text, sizeof text, TURNED, turns[_i], ", start: {angle: 38 deg}",
             "B], start: {angle: 50 deg}", rest);
    run r = run_text(text);
    for (int k = 0; k < 3; k++) {
        const char *name = k == 0 ? "a.angle" : k == 1 ? "b.angle" : "c.angle";
        expect(&r, name, run_last(&base, name) + deg(360) * turns[_i]);
    }
    run_end(&base);
    run_end(&r);
}
END_TEST

START_TEST(motions_of_hinges_hold_beyond_many_turns)
{
    char text[2048];

    /* the second motion is given beyond three turns more */
    snprintf(text, sizeof text, TURNED, turns[_i], ", motion: 0.2 + t",
             "A], motion: 0.3 + 6*pi - t", "");
    run r = run_text(text);
    expect(&r, "b.angle", deg(10 + 360 * turns[_i]) + 0.2);
    expect(&r, "c.angle", deg(10 + 360 * (turns[_i] + 3)) + 0.5);
    run_end(&r);
}
END_TEST

START_TEST(what_contradicts_is_named)
{
    static const struct {
        const char *of_rod, *of_joint;
        ha_status status;
        const char *part;
    } cases[] = {
        { "", "angle: 1.5, fixed: [angle]", HA_ERR_ASSEMBLY,
          "the fixed start values `A.angle`, `C.angle` contradict each other" },
        { ", start: {x: 1, angle: 0.37, fixed: [angle]}", "angle: 1.2", HA_ERR_ASSEMBLY,
          "`rod.angle`, `A.angle`" },
        { "", "omega: 9, fixed: [omega]", HA_ERR_ASSEMBLY,
          "the fixed velocities `A.omega`, `C.omega` contradict each other" },
        { "", "angel: 9", HA_ERR_NAME, "did you mean `angle`?" },
        { "", "angle: 9 m", HA_ERR_UNIT, "9 m is a length, an angle in rad is expected" },
        { "", "fixed: [angel]", HA_ERR_NAME, "joint `C` has no `angel` to start with" },
        { ", start: {at: {X: {x: 1}}}", "", HA_ERR_NAME, "`rod.X.x` is of nothing" },
        { ", start: {at: {C: {x: 1}}, fixed: [C.z]}", "", HA_ERR_NAME, "`rod.C.z` is of nothing" },
        { ", start: {at: {C: {z: 1}}}", "", HA_ERR_NAME, "unknown key `z`" },
        { "", "angle: A.angle", HA_ERR_VALUE, "it must be constant" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, LOOP, cases[i].of_rod, cases[i].of_joint);
        run_expect_failure(text, cases[i].status, cases[i].part);
    }
    run_expect_failure(HEAD PENDULUM_DRIVEN, HA_ERR_VALUE, "a prescribed motion");
}
END_TEST

START_TEST(in_c_the_same)
{
    run r = run_new();
    char text[2048];

    snprintf(text, sizeof text, HEAD PENDULUM, "", "");
    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    m2d_mechanism *mechanism = m2d_model_mechanism(r.model);
    ha_expr value = ha_constant(m2d_mechanism_dag(mechanism), 0.7);
    run_check(&r, m2d_mechanism_add_start(mechanism, "B.angle", value, true, HA_NOWHERE));
    run_check(&r, run_model(&r));
    ck_assert_int_eq(m2d_assembly_n_starts(r.assembly), 3);
    m2d_start_value start = m2d_assembly_start(r.assembly, 2);
    ck_assert_str_eq(start.name, "B.angle");
    ck_assert_str_eq(start.unit, "rad");
    ck_assert(start.is_fixed);
    ck_assert_double_eq_tol(start.value, 0.7, 1e-12);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 2);
    ck_assert_int_eq(m2d_assembly_mobility_count(r.assembly), 2);
    ck_assert_int_eq(m2d_system_n_rows(r.system), 4);
    expect(&r, "b.angle", 1.1);
    run_end(&r);
}
END_TEST

static ha_status go_on(run *r)
{
    HA_TRY(run_expand(r));
    return m2d_assemble(r->system, &r->assembly);
}

START_TEST(every_allocation_may_fail)
{
    char text[2048];

    snprintf(text, sizeof text, LOOP, ", start: {at: {C: {x: 1}}}", "angle: 1, fixed: []");
    run_survives(text, go_on);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("starts");
    TCase *tcase = tcase_create("starts");

    tcase_add_test(tcase, a_chain_starts_at_its_joints);
    tcase_add_test(tcase, a_point_starts_where_it_is_known);
    tcase_add_test(tcase, what_is_fixed_without_a_value_is_0);
    tcase_add_test(tcase, a_direction_of_the_users_own_starts);
    tcase_add_test(tcase, a_crab_starts_with_its_load);
    tcase_add_test(tcase, a_guess_says_on_which_branch_a_loop_is);
    tcase_add_loop_test(tcase, a_loop_closes_alike_whatever_the_turn, 0, (int) HA_COUNT(turns));
    tcase_add_loop_test(tcase, motions_of_hinges_hold_beyond_many_turns, 0, (int) HA_COUNT(turns));
    tcase_add_test(tcase, what_contradicts_is_named);
    tcase_add_test(tcase, in_c_the_same);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
