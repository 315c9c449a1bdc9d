/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joints whose constraints the user writes: against an equation of motion reduced by hand, against
 * the types of the catalogue written in the same form, and what is refused.
 */
#include <config.h>

#include "mech2d/mechanism.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"

/* A bead of 1 kg on the curve y = k x^2: by Lagrange (1 + 4 k^2 x^2) x'' + 4 k^2 x x'^2 + 2 k g x =
 * 0. */
static const double k = 0.5, g = 9.81;

static double bead_acceleration(double x, double v)
{
    return -(4.0 * k * k * x * v * v + 2.0 * k * g * x) / (1.0 + 4.0 * k * k * x * x);
}

/* Classical Runge-Kutta. */
static void move_bead(double t, double *x, double *v)
{
    enum { STEPS = 20000 };
    const double h = t / STEPS;

    for (int i = 0; i < STEPS; i++) {
        double v1 = *v, a1 = bead_acceleration(*x, v1);
        double v2 = *v + h / 2.0 * a1, a2 = bead_acceleration(*x + h / 2.0 * v1, v2);
        double v3 = *v + h / 2.0 * a2, a3 = bead_acceleration(*x + h / 2.0 * v2, v3);
        double v4 = *v + h * a3, a4 = bead_acceleration(*x + h * v3, v4);
        *x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        *v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
}

#define BEAD(ROWS)                                                                                 \
    HEAD "parameters: {k: 0.5}\nground: {points: {O: [0, 0]}}\n"                                   \
         "bodies: {bead: {mass: 1, inertia: 0.01, points: {P: [0, 0]}, start: {x: 1, fixed: "      \
         "[x]}}}\n"                                                                                \
         "joints:\n  J:\n    type: constraint\n    between: [ground.O, bead.P]\n" ROWS             \
         "simulate: {t_end: 1.5, rtol: 1e-11, atol: 1e-11}\n"

START_TEST(bead_on_a_parabola_moves_as_lagrange_says)
{
    run r = run_text(BEAD("    rows: {path: ON.y_0 - k*ON.x_0^2}\n    free: {along: ON.x_0}\n"));
    double x = 1.0, v = 0.0;

    move_bead(1.5, &x, &v);
    run_expect(&r, "bead.x", x, 1e-8);
    run_expect(&r, "bead.vx", v, 1e-7);
    run_expect(&r, "J.along", x, 1e-8);
    run_expect(&r, "J.along_rate", v, 1e-7);
    /* the reaction is normal to the curve */
    run_expect_near(&r, "J.fx", -2.0 * k * run_last(&r, "bead.x") * run_last(&r, "J.fy"), 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(a_free_direction_carries_springs_and_motions)
{
    /* a spring against the weight holds the bead: 2 k g x = stiffness (length - x) */
    run r =
        run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {bead: {mass: 1, inertia: 0.01, points: {P: [0, 0]}, start: {x: "
                      "1, fixed: [x]}}}\n"
                      "joints: {J: {type: constraint, between: [ground.O, bead.P], rows: {path: "
                      "ON.y_0 - 0.5*ON.x_0^2, turn: {value: theta_j, unit: rad}}, free: {along: "
                      "ON.x_0}}}\n"
                      "forces: {S: {type: spring-damper, on: J.along, stiffness: 9.81, "
                      "free_length: 2}}\n"
                      "simulate: {t_end: 0}\n");
    run driven = run_text(BEAD("    rows: {path: ON.y_0 - k*ON.x_0^2, turn: {value: theta_j, unit: "
                               "rad}}\n    free: {along: ON.x_0}\n    motion: 1 + 0.2*t\n"));

    run_expect_near(&r, "bead.ax", 0.0, 1e-12);
    run_expect_near(&r, "bead.ay", 0.0, 1e-12);
    run_expect(&driven, "bead.x", 1.3, 1e-10);
    run_expect(&driven, "bead.y", 0.845, 1e-10);
    /* along x the drive carries the weight's slope and the curve's acceleration: y'' = 2 k x'^2 */
    run_expect(&driven, "J.drive", 1.3 * (g + 0.04), 1e-8);
    run_end(&driven);
    run_end(&r);
}
END_TEST

/* Monotone cubics through (0, 0), (1, 0.4), (2, 0.5): slopes by Fritsch and Butland. In a motion
   and in a constraint, where the bead goes along y = T(x). */
START_TEST(a_cubic_table_drives_and_guides)
{
    static const char table[] = "tables: {T: {x: [0, 1, 2], y: [0, 0.4, 0.5], kind: cubic}}\n";
    char text[900];

    snprintf(text, sizeof text, "%s%s%s", HEAD, table,
             "ground: {points: {O: [0, 0]}}\n"
             "bodies: {arm: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
             "joints: {J: {type: revolute, between: [ground.O, arm.P], motion: T(t)}}\n"
             "simulate: {t_end: 1, rtol: 1e-8}\n");
    run driven = run_text(text);
    run_expect(&driven, "J.angle", 0.4, 1e-7);
    /* 2 d_0 d_1 / (d_0 + d_1) where points are even */
    run_expect(&driven, "J.omega", 2.0 * 0.4 * 0.1 / 0.5, 1e-6);
    run_expect_near(&driven, "energy.error", 0.0, 1e-6);
    run_end(&driven);
    snprintf(text, sizeof text, "%s%s%s", HEAD, table,
             "gravity: [0, 0]\n"
             "ground: {points: {O: [0, 0]}}\n"
             "bodies: {bead: {mass: 1, inertia: 0.01, points: {P: [0, 0]}, start: {x: 0.2, vx: 1, "
             "fixed: [x, vx]}}}\n"
             "joints: {J: {type: constraint, between: [ground.O, bead.P], rows: {path: ON.y_0 - "
             "T(ON.x_0)}}}\n"
             "simulate: {t_end: 0.5, rtol: 1e-8}\n");
    run guided = run_text(text);
    run_expect_near(&guided, "energy.error", 0.0, 1e-6);
    ck_assert_double_le(guided.report.constraint_error, 1e-6);
    run_end(&guided);
}
END_TEST

/* The unit of a direction: what is said, else rad for `angle` and for what is made of angles. */
START_TEST(a_free_direction_has_the_unit_of_what_it_is)
{
    static const struct {
        const char *free, *output, *rate, *unit;
    } cases[] = {
        { "angle: theta_j", "J.angle", "J.omega", "rad" },
        { "turn: theta_j - 2*theta_i", "J.turn", "J.turn_rate", "rad" },
        { "turn: {value: theta_j}", "J.turn", "J.turn_rate", "rad" },
        { "angle: 'atan2(MN.y_0, MN.x_0)'", "J.angle", "J.omega", "rad" },
        { "bent: {value: 'atan2(MN.y_0, MN.x_0)', unit: rad}", "J.bent", "J.bent_rate", "rad" },
        { "along: ON.x_0", "J.along", "J.along_rate", "m" },
        { "rolled: {value: 0.5*theta_j, unit: m}", "J.rolled", "J.rolled_rate", "m" },
        { "rolled: ON.x_0 + 0.5*theta_j", "J.rolled", "J.rolled_rate", "m" },
    };
    char text[600], rate[16];

    snprintf(text, sizeof text,
             HEAD
             "ground: {points: {O: [0, 0]}}\n"
             "bodies: {bead: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1, y: 1}}}\n"
             "joints: {J: {type: constraint, between: [ground.O, bead.P], rows: {line: ON.y_0 "
             "- 1}, free: {%s}}}\n"
             "simulate: {t_end: 0}\n",
             cases[_i].free);
    snprintf(rate, sizeof rate, "%s/s", cases[_i].unit);
    run r = run_text(text);
    int value = ha_result_find(r.result, cases[_i].output);
    int speed = ha_result_find(r.result, cases[_i].rate);
    ck_assert_int_ge(value, 0);
    ck_assert_int_ge(speed, 0);
    ck_assert_str_eq(ha_result_unit(r.result, (size_t) value), cases[_i].unit);
    ck_assert_str_eq(ha_result_unit(r.result, (size_t) speed), rate);
    run_end(&r);
}
END_TEST

START_TEST(a_row_may_depend_on_the_time)
{
    /* the bead's height is prescribed, x is free: it is thrown up by the moving line */
    run r = run_text(BEAD("    rows: {lift: ON.y_0 - 0.1*sin(3*t)}\n"));

    run_expect(&r, "bead.y", 0.1 * sin(4.5), 1e-8);
    run_expect(&r, "bead.vy", 0.3 * cos(4.5), 1e-7);
    run_expect(&r, "J.fy", g - 0.9 * sin(4.5), 1e-7);
    run_expect(&r, "bead.x", 1.0, 1e-12);
    run_end(&r);
}
END_TEST

/* A type of the catalogue, and the same in the user's words. */
static const struct {
    const char *catalogue, *own;
} same[] = {
    { "type: revolute", "type: constraint, rows: {x: MN.x_0, y: MN.y_0}, free: {angle: {value: "
                        "theta_j - theta_i, unit: rad}}" },
    { "type: translational", "type: constraint, rows: {y: MN.y_i, angle: {value: x_j.y_i, unit: "
                             "rad}}, free: {slide: MN.x_i}" },
    { "type: double-translational",
      "type: constraint, rows: {angle: {value: x_j.y_i, unit: rad}}" },
    { "type: translational-revolute", "type: constraint, rows: {y: MN.y_j}" },
    { "type: weld", "type: constraint, rows: {x: MN.x_0, y: MN.y_0, angle: {value: x_j.y_i, unit: "
                    "rad}}" },
    { "type: distance, length: 0.8", "type: constraint, rows: {length: (MN.MN - 0.8^2)/(2*0.8)}" },
    { "type: perpendicular", "type: constraint, rows: {x: MN.x_0, y: OM.y_0, y_other: ON.y_0}" },
};

START_TEST(types_of_the_catalogue_can_be_written_so)
{
    static const char text[] = HEAD
        "ground: {points: {O: [0.1, 0.2]}}\n"
        "bodies:\n"
        "  A: {mass: 2, inertia: 0.3, points: {O: [-0.5, 0], P: {at: [0.4, 0.1], axis: 0.2}}, "
        "start: {angle: 0.1, omega: 1}}\n"
        "  B: {mass: 1, inertia: 0.1, points: {P: {at: [-0.3, 0], axis: -0.1}}, start: {x: 1.5, "
        "y: 0.3, angle: 0.4}}\n"
        "joints:\n"
        "  O: {type: revolute, between: [ground.O, A.O]}\n"
        "  J: {between: [A.P, B.P], %s}\n"
        "simulate: {t_end: 0.4, rtol: 1e-12, atol: 1e-12}\n";
    char texts[2][2048];
    int n = 0;

    snprintf(texts[0], sizeof texts[0], text, same[_i].catalogue);
    snprintf(texts[1], sizeof texts[1], text, same[_i].own);
    run a = run_text(texts[0]), b = run_text(texts[1]);
    for (size_t c = 0; c < ha_result_n_columns(a.result); c++) {
        const char *name = ha_result_name(a.result, c);
        if (ha_result_find(b.result, name) >= 0) {
            run_expect_near(&b, name, run_last(&a, name), 1e-8);
            n++;
        }
    }
    ck_assert_int_gt(n, 40);
    run_end(&b);
    run_end(&a);
}
END_TEST

static const struct {
    const char *rows;
    ha_status status;
    const char *part;
} refused[] = {
    { "", HA_ERR_NAME, "joint `J` has no `rows`" },
    { "    rows: {}\n", HA_ERR_VALUE, "0 rows" },
    { "    rows: {a: MN.x_0, b: MN.y_0, c: theta_j, d: theta_i}\n", HA_ERR_VALUE, "4 rows" },
    { "    rows: {path: MN.z_0}\n", HA_ERR_NAME, "`path` of joint `J`: unknown name `MN.z_0`" },
    { "    rows: {path: bead.x}\n", HA_ERR_NAME, "unknown name `bead.x`" },
    { "    rows: {path: 0.5}\n", HA_ERR_VALUE, "does not depend on the positions" },
    { "    rows: {path: abs(MN.x_0)}\n", HA_ERR_VALUE, "uses `abs`" },
    { "    rows: {path: MN.y_0 - T(MN.x_0)}\ntables: {T: {x: [0, 1], y: [0, 1]}}\n", HA_ERR_VALUE,
      "uses `T`, whose value or rate jumps" },
    { "    rows: {path: {value: MN.x_0, unit: deg}}\n", HA_ERR_VALUE, "unit `deg`" },
    { "    rows: {path: {unit: rad}}\n", HA_ERR_NAME, "has no `value`" },
    { "    rows: {path: {value: MN.x_0, unt: m}}\n", HA_ERR_NAME, "did you mean `unit`" },
    { "    rows: {path: MN.x_0}\n    free: {fx: MN.y_0}\n", HA_ERR_NAME, "free direction `fx`" },
    { "    rows: {path: MN.x_0}\n    fre: {a: MN.y_0}\n", HA_ERR_NAME, "did you mean `free`" },
    { "    rows: [MN.x_0]\n", HA_ERR_SYNTAX, "`rows` of joint `J`" },
};

START_TEST(what_is_no_constraint_is_refused)
{
    char text[1024];

    snprintf(text, sizeof text, "%s%s%s",
             HEAD "ground: {points: {O: [0, 0]}}\nbodies: {bead: {mass: 1, inertia: 0.01, points: "
                  "{P: [0, 0]}}}\njoints:\n  J:\n    type: constraint\n    between: [ground.O, "
                  "bead.P]\n",
             refused[_i].rows, "simulate: {t_end: 1}\n");
    run_expect_failure(text, refused[_i].status, refused[_i].part);
}
END_TEST

START_TEST(other_types_take_no_rows)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    m2d_row_def row = { .name = "x", .value = m2d_constraint_lookup(m, "MN.x_0") };
    m2d_joint_def def = m2d_joint_def_default();

    ck_assert_int_eq(scene_body(m, "A", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_body(m, "B", 1.0, 1.0, 0.0, false), HA_OK);
    for (int i = 0; i < 2; i++) {
        m2d_point_def point = m2d_point_def_default();
        point.body = i == 0 ? "A" : "B";
        point.name = "P";
        point.x = point.y = scene_number(m, 0.0);
        ck_assert_int_eq(m2d_mechanism_add_point(m, &point), HA_OK);
    }
    def.type = "revolute";
    def.name = "J";
    def.ends[0] = "A.P";
    def.ends[1] = "B.P";
    def.rows = &row;
    def.n_rows = 1;
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def), HA_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "use the type `constraint`"));
    def.type = "constraint";
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def), HA_OK);
    ck_assert_int_eq(m2d_constraint_lookup(m, "MN.nothing"), HA_EXPR_NONE);
    ck_assert_int_eq(m2d_constraint_lookup(m, "nothing"), HA_EXPR_NONE);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}
END_TEST

/* A bead that nothing pushes, at 30 m/s along x where it begins, on a curve made of two pieces that
   meet at x = X: pieces of parabolas y = c (x - X)^2, whose flows differ next to X by as much as X
   is missed. Its speed V along the curve stays, and the arc from the vertex is

       S(u, c) = u/2 sqrt(1 + 4 c^2 u^2) + asinh(2 c u)/(4 c). */
#define PIECES                                                                                     \
    HEAD "gravity: [0, 0]\nparameters: {X: %s}\nground: {points: {O: [0, 0]}}\n"                   \
         "bodies: {bead: {mass: 1, inertia: 1, points: {P: [0, 0]},\n"                             \
         "  start: {x: X - 1, vx: 30, fixed: [x, vx]}}}\n"                                         \
         "joints: {J: {type: constraint, between: [ground.O, bead.P],\n"                           \
         "  rows: {y: \"ON.y_0 - if(ON.x_0 > X, %s, %s)\"}}}\n"                                    \
         "simulate: {t_end: 1, driver: %s}\n"

static const char *const wheres[] = { "0", "1e3", "1e5", "1e7" };
static const char *const drivers[] = { "auto", "ida", "explicit", "explicit8" };

static double arc(double u, double c)
{
    return 0.5 * u * sqrt(1.0 + 4.0 * c * c * u * u) + asinh(2.0 * c * u) / (4.0 * c);
}

START_TEST(pieces_that_meet_are_no_jump_wherever_they_are)
{
    const double before = -0.4, after = 0.02, speed = 30.0 * sqrt(1.0 + 4.0 * before * before);
    char text[1024];

    snprintf(text, sizeof text, PIECES, wheres[_i / 4], "0.02*(ON.x_0 - X)^2",
             "-0.4*(ON.x_0 - X)^2", drivers[_i % 4]);
    run r = run_text(text);
    double end = run_last(&r, "bead.x") - atof(wheres[_i / 4]);
    ck_assert_double_eq_tol(arc(1.0, before) + arc(end, after), speed, 1e-5 * speed);
    ck_assert_int_eq(r.report.solver.events, 1);
    run_end(&r);
}
END_TEST

/* A kink by a millionth of a right angle throws the bead as one of a right angle does. */
START_TEST(a_slight_kink_is_a_jump_wherever_it_is)
{
    char text[1024];

    snprintf(text, sizeof text, PIECES, wheres[_i / 4], "1e-6*(ON.x_0 - X)", "0", drivers[_i % 4]);
    run_expect_failure(text, HA_ERR_SOLVER, "the constraint of J jumps by -3e-05");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constraint");
    TCase *tests = tcase_create("constraint");

    tcase_add_test(tests, bead_on_a_parabola_moves_as_lagrange_says);
    tcase_add_test(tests, a_cubic_table_drives_and_guides);
    tcase_add_test(tests, a_free_direction_carries_springs_and_motions);
    tcase_add_loop_test(tests, a_free_direction_has_the_unit_of_what_it_is, 0, 8);
    tcase_add_test(tests, a_row_may_depend_on_the_time);
    tcase_add_loop_test(tests, types_of_the_catalogue_can_be_written_so, 0, (int) HA_COUNT(same));
    tcase_add_loop_test(tests, what_is_no_constraint_is_refused, 0, (int) HA_COUNT(refused));
    tcase_add_test(tests, other_types_take_no_rows);
    tcase_add_loop_test(tests, pieces_that_meet_are_no_jump_wherever_they_are, 0, 16);
    tcase_add_loop_test(tests, a_slight_kink_is_a_jump_wherever_it_is, 0, 16);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
