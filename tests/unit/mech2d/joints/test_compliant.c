/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compliant joints against what is known of them: oscillations in closed form, Andrews' mechanism
 * whose crank angle tends to that of ideal pins (a 113-bit program), the times that Bera &
 * Samantaray (2011) print, and the Rapson slide with its corrected equations of motion (integrated
 * elsewhere).
 */
#include <config.h>

#include "mech2d/mechanism/mechanism_priv.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

/* --- closed forms ----------------------------------------------------------------------------- */

#define BODY                                                                                       \
    "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"                               \
    "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10}\n"

/* m x'' + c x' + k x = 0 from rest at x0. */
static double damped(double m, double c, double k, double x0, double t)
{
    double decay = c / (2 * m), w = sqrt(k / m - decay * decay);

    return x0 * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
}

START_TEST(weld_on_springs_oscillates_in_closed_form)
{
    run r = run_text(
        BODY "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}, start: {x: 0.01, y: 0.02, "
             "angle: 7.1, fixed: [x, y, angle]}}}\n"
             "joints: {W: {type: weld, between: [ground.O, B.O], model: compliant, stiffness: "
             "[200, 800], angular_stiffness: 50, damping: 3, angular_damping: 1}}\n");
    const double turn = 8 * atan(1.0), angle = damped(0.5, 1, 50, 7.1 - turn, 1);

    run_expect_near(&r, "B.x", damped(2, 3, 200, 0.01, 1), 1e-9);
    run_expect_near(&r, "B.y", damped(2, 3, 800, 0.02, 1), 1e-9);
    /* an angle is held with a torque in proportion to it, at the nearest turn */
    run_expect_near(&r, "B.angle", turn + angle, 1e-8);
    run_expect_near(&r, "W.torque", -50 * angle - run_last(&r, "B.omega"), 1e-7);
    run_expect_near(&r, "W.fx", -200 * run_last(&r, "B.x") - 3 * run_last(&r, "B.vx"), 1e-9);
    ck_assert_double_eq_tol(run_value(&r, 0, "energy.potential"),
                            0.5 * (200 * 1e-4 + 800 * 4e-4 + 50 * (7.1 - turn) * (7.1 - turn)),
                            1e-14);
    ck_assert_double_lt(r.report.energy_error, 1e-9 * run_value(&r, 0, "energy.potential"));
    run_end(&r);
}
END_TEST

/* K = [[5, 3], [3, 5]] has the modes (1, 1) with 8 and (1, -1) with 2, and D = K / 10 the same. */
START_TEST(matrix_couples_the_rows)
{
    run r = run_text(
        BODY "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}, start: {x: 0.3, y: 0.1, "
             "angle: 0, fixed: [x, y, angle]}}}\n"
             "joints: {W: {type: weld, between: [ground.O, B.O], model: compliant, stiffness: "
             "[[5, 3], [3, 5]], angular_stiffness: 1, damping: [[0.5, 0.3], [0.3, 0.5]]}}\n");
    double sum = damped(2, 0.8, 8, 0.2, 1), difference = damped(2, 0.2, 2, 0.1, 1);

    run_expect_near(&r, "B.x", sum + difference, 1e-9);
    run_expect_near(&r, "B.y", sum - difference, 1e-9);
    ck_assert_double_lt(r.report.energy_error, 1e-8);
    run_end(&r);
}
END_TEST

/* A hardening spring, K = k + h q^2: with x = A sin(u) its period is the integral over u from 0 to
   2 pi of 1 / sqrt(k / m + h A^2 (1 + sin(u)^2) / (2 m)), for which equal steps are enough. */
START_TEST(stiffness_may_be_an_expression_of_the_deflection)
{
    enum { STEPS = 64 };
    const double m = 2, k = 200, h = 4e6, A = 0.01, turn = 8 * atan(1.0);
    double period = 0.0;
    char text[1024];

    for (int i = 0; i < STEPS; i++) {
        double u = turn * i / STEPS;
        period += turn / STEPS / sqrt(k / m + h * A * A * (1 + sin(u) * sin(u)) / (2 * m));
    }
    snprintf(
        text, sizeof text,
        "halfarrow: 1\ngravity: [0, 0]\nparameters: {k: 200, h: 4e6}\n"
        "ground: {points: {O: [0, 0]}}\n"
        "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}, start: {x: 0.01, y: 0, angle: "
        "0.1, fixed: [x, y, angle]}}}\n"
        "joints: {W: {type: weld, between: [ground.O, B.O], model: compliant, stiffness: [k*(1 "
        "+ h/k*q^2), 100], angular_stiffness: 3}}\n"
        "simulate: {t_end: %.17g, rtol: 1e-10, atol: 1e-10}\n",
        period);
    run r = run_text(text);
    run_expect_near(&r, "B.x", A, 1e-9);
    run_expect_near(&r, "B.vx", 0.0, 1e-6);
    run_expect_near(&r, "B.angle", damped(0.5, 0, 3, 0.1, period), 1e-8);
    ck_assert_double_eq_tol(run_value(&r, 0, "energy.potential"),
                            k * A * A / 2 + h * A * A * A * A / 4 + 3 * 0.01 / 2, 1e-14);
    ck_assert_double_lt(r.report.energy_error, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(damping_may_be_an_expression_of_the_motion)
{
    run r = run_text(
        BODY "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}, start: {x: 0.1, y: 0.1, "
             "angle: 0, fixed: [x, y, angle]}}}\n"
             "joints: {W: {type: weld, between: [ground.O, B.O], model: compliant, stiffness: 50, "
             "angular_stiffness: 1, damping: [40*abs(f) + 100*q^2, 2 + t + B.x]}}\n");
    double x = run_last(&r, "B.x"), vx = run_last(&r, "B.vx"), vy = run_last(&r, "B.vy");
    double along_x = 40 * fabs(vx) + 100 * x * x, along_y = 3 + x;

    run_expect_near(&r, "W.fx", -50 * x - along_x * vx, 1e-9);
    run_expect_near(&r, "W.fy", -50 * run_last(&r, "B.y") - along_y * vy, 1e-9);
    ck_assert_double_lt(r.report.energy_error, 1e-8);
    run_end(&r);
}
END_TEST

/* Guesses close a compliant joint, as they close an ideal one; fixed values deform it. */
START_TEST(only_fixed_values_start_it_deformed)
{
    run r = run_text(
        BODY "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}, start: {x: 0.01, y: 0.02, "
             "vx: 3, vy: 4, fixed: [y, vy]}}}\n"
             "joints: {P: {type: revolute, between: [ground.O, B.O], model: compliant, stiffness: "
             "200}}\n");

    ck_assert_double_eq_tol(run_value(&r, 0, "B.x"), 0.0, 1e-15);
    ck_assert_double_eq_tol(run_value(&r, 0, "B.y"), 0.02, 1e-15);
    ck_assert_double_eq_tol(run_value(&r, 0, "B.vx"), 0.0, 1e-15);
    ck_assert_double_eq_tol(run_value(&r, 0, "B.vy"), 4.0, 1e-15);
    ck_assert_double_eq_tol(m2d_assembly_residual(r.assembly, 1), 0.02, 1e-15);
    ck_assert_double_eq_tol(m2d_assembly_rate(r.assembly, 1), 4.0, 1e-15);
    run_end(&r);
}
END_TEST

/* Three links hang on one pin by springs, two of them on the reference link (Bera & Samantaray, fig
   9): at rest each spring is stretched by the weight it carries. */
START_TEST(links_on_one_pin_share_a_reference_link)
{
    run r = run_text(
        "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
        "  reference: {mass: 1, inertia: 1, points: {O: [0, 0]}, start: {angle: 0}}\n"
        "  left: {mass: 2, inertia: 1, points: {O: [0, 0.5]}, start: {angle: 0}}\n"
        "  right: {mass: 3, inertia: 1, points: {O: [0, 0.5]}, start: {angle: 0}}\n"
        "joints:\n"
        "  carrier: {type: revolute, between: [ground.O, reference.O], model: compliant, "
        "stiffness: "
        "1e4, damping: 200}\n"
        "  first: {type: revolute, between: [reference.O, left.O], model: compliant, stiffness: "
        "1e4, "
        "damping: 200}\n"
        "  second: {type: revolute, between: [reference.O, right.O], model: compliant, stiffness: "
        "2e4, damping_factor: 20 ms}\n"
        "simulate: {t_end: 6, rtol: 1e-8, atol: 1e-8}\n");

    run_expect_near(&r, "reference.y", -6 * 9.81 / 1e4, 1e-8);
    run_expect_near(&r, "left.O.y", -6 * 9.81 / 1e4 - 2 * 9.81 / 1e4, 1e-8);
    run_expect_near(&r, "right.O.y", -6 * 9.81 / 1e4 - 3 * 9.81 / 2e4, 1e-8);
    run_expect_near(&r, "second.fy", 3 * 9.81, 1e-4);
    run_end(&r);
}
END_TEST

/* --- in C ------------------------------------------------------------------------------------- */

START_TEST(model_is_given_in_c)
{
    run r = run_new();
    m2d_mechanism *m = m2d_mechanism_new(r.ctx);
    m2d_joint_def def = m2d_joint_def_default();
    const ha_expr stiffness = scene_number(m, 100.0);
    const m2d_setting setting = { "stiffness", &stiffness, 1, HA_NOWHERE };

    ck_assert_int_eq(scene_body(m, "B", 1.0, 1.0, 0.0, true), HA_OK);
    ck_assert_int_eq(scene_point(m, "B", "P", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
    def.type = "revolute";
    def.name = "O";
    def.ends[0] = "ground.O";
    def.ends[1] = "B.P";
    def.settings = &setting;
    def.n_settings = 1;
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def),
                     HA_ERR_NAME); /* an ideal joint has no such */
    def.model = "compliant";
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def), HA_OK);
    ck_assert_int_eq(m2d_expand(m, &r.system), HA_OK);
    ck_assert_int_eq(m2d_system_n_elastic(r.system), 2);
    ck_assert(m2d_system_row_is_elastic(r.system, 1));
    ck_assert_str_eq(m2d_system_row_name(r.system, 1), "O.y");
    ck_assert_int_ge(bg_graph_find(m2d_system_graph(r.system), "O.C"), 0);
    ck_assert_int_lt(bg_graph_find(m2d_system_graph(r.system), "O"), 0);
    m2d_mechanism_free(m);
    run_end(&r);
}
END_TEST

/* --- what is refused -------------------------------------------------------------------------- */

#define JOINT(TYPE, MORE)                                                                          \
    "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"                                                \
    "bodies: {B: {mass: 2, inertia: 0.5, points: {O: [0, 0]}}}\n"                                  \
    "joints: {J: {type: " TYPE ", between: [ground.O, B.O], " MORE "}}\nsimulate: {t_end: 1}\n"

START_TEST(bad_settings_are_refused_with_what_to_do)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } cases[] = {
        { JOINT("revolute", "model: compliant, stiffness: -5 N/m"),
          "`stiffness` of joint `J` is -5; it must be above 0", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 0"), "it must be above 0", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: [1, -2]"), "is not positive",
          HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 5, damping: -1"), "at least 0",
          HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: [[1, 2], [2, 1]]"),
          "leaves -3 in row 2, so that the joint would push itself open", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 1, damping: [[0, 1], [1, 0]]"),
          "is not positive or zero", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: [[1, 0.1], [0.2, 1]]"),
          "it must be symmetric", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: [1, 2, 3]"), "acts on 2 rows",
          HA_ERR_VALUE },
        { JOINT("weld", "model: compliant, stiffness: 5"),
          "nothing holds its row `angle`; give it `angular_stiffness`", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 5 + t"), "depends on `t`", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 3*q - 1"), "is -1 where the joint is not",
          HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: [[1 + q^2, 0], [0, 1]]"),
          "has an expression in it", HA_ERR_VALUE },
        { JOINT("revolute", "model: compliant, stiffness: 1 + tan(sin(q))"), "no antiderivative",
          HA_ERR_UNSUPPORTED },
        { JOINT("revolute", "model: compliant"), "nothing holds its rows `x`, `y`", HA_ERR_VALUE },
        { JOINT("revolute", "stiffness: 5"), "give it `model: compliant`", HA_ERR_NAME },
        { JOINT("revolute", "model: elastic"), "use one of `ideal`, `compliant`", HA_ERR_NAME },
        { JOINT("revolute", "model: compliant, stiffness: 5 N"), "a stiffness in N/m is expected",
          HA_ERR_UNIT },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        run_expect_failure(cases[i].text, cases[i].status, cases[i].part);
    }
}
END_TEST

/* A variant can make a compliant joint ideal again: settings of other models are then left alone.
 */
START_TEST(named_model_leaves_settings_of_others_alone)
{
    run r = run_text(JOINT("revolute", "model: ideal, stiffness: 5"));

    ck_assert_int_eq(m2d_system_n_elastic(r.system), 0);
    run_end(&r);
}
END_TEST

/* --- variants --------------------------------------------------------------------------------- */

#define TWO_PINS                                                                                   \
    "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"                                                \
    "bodies: {A: {mass: 2, inertia: 0.5, points: {O: [0, 1], P: [0, -1]}},\n"                      \
    "  B: {mass: 2, inertia: 0.5, points: {P: [0, 1]}}}\n"                                         \
    "joints: {upper: {type: revolute, between: [ground.O, A.O]},\n"                                \
    "  lower: {type: revolute, between: [A.P, B.P]}}\n"                                            \
    "simulate: {t_end: 1}\nvariants:\n"                                                            \
    "  soft: {joints: {lower: {stiffness: 7}, \"*\": {model: compliant, stiffness: 3}}}\n"         \
    "  wrong: {joints: {uper: {model: compliant, stiffness: 3}}}\n"                                \
    "  more: {joints: {weld: {type: weld, between: [ground.O, B.P]}}}\n"

static ha_status read_variant(run *r, const char *variant)
{
    const m2d_read_def def = { .variant = variant };
    const char *text = TWO_PINS;

    return m2d_read_text(r->ctx, text, strlen(text), "m.yaml", &def, &r->model);
}

START_TEST(variant_applies_to_all_first_then_to_names)
{
    static const double stiffness[2] = { 3.0, 7.0 };
    run r = run_new();

    run_check(&r, read_variant(&r, "soft"));
    m2d_mechanism *m = m2d_model_mechanism(r.model);
    for (int i = 0; i < 2; i++) {
        const m2d__connection *joint = &m->joints.items[i];
        ck_assert_str_eq(joint->model->name, "compliant");
        ck_assert_double_eq(m2d__number(m->dag, joint->model_settings[0].values[0]), stiffness[i]);
    }
    run_end(&r);
}
END_TEST

START_TEST(variant_that_names_no_joint_is_refused_with_the_nearest)
{
    run r = run_new();

    ck_assert_int_eq(read_variant(&r, "wrong"), HA_ERR_NAME);
    ck_assert_ptr_nonnull(
        strstr(ha_ctx_diag(r.ctx, 0)->text,
               "the variant `wrong` changes the joint `uper`, which the file does "
               "not have; did you mean `upper`?"));
    run_end(&r);
    r = run_new();
    run_check(&r, read_variant(&r, "more")); /* a whole joint is a new one */
    ck_assert_int_eq(m2d_mechanism_n_joints(m2d_model_mechanism(r.model)), 3);
    run_end(&r);
}
END_TEST

/* --- memory ----------------------------------------------------------------------------------- */

START_TEST(every_failing_allocation_is_survived)
{
    run_survives(JOINT("weld", "model: compliant, stiffness: [[2, 1], [1, 2]], "
                               "angular_stiffness: 3, damping_factor: 0.1"),
                 run_model);
}
END_TEST

/* --- Andrews' mechanism ------------------------------------------------------------------------
 */

static const double crank_angle = 15.81077119515370709711939; /* ideal, at 0.03 s */

static run run_andrews(const char *variant, const char *stiffness)
{
    char set[96];
    const char *sets[] = { set, "simulate.rtol=1e-6", "simulate.atol=1e-6" };
    const m2d_read_def def = { .variant = variant, .sets = sets, .n_sets = 3 };

    snprintf(set, sizeof set, "variants.%s.joints.*.stiffness=%s", variant, stiffness);
    return run_file("examples/andrews.yaml", &def);
}

/* At the default tolerances. */
START_TEST(andrews_crank_tends_to_ideal_pins_as_stiffness_grows)
{
    static const char *const stiffness[] = { "1e7", "1e8", "1e9", "1e10" };
    double difference[HA_COUNT(stiffness)];

    for (size_t i = 0; i < HA_COUNT(stiffness); i++) {
        run r = run_andrews("compliant", stiffness[i]);
        difference[i] = crank_angle - run_last(&r, "K1.angle");
        ck_assert_int_eq(bg_model_n_multipliers(r.compiled), 0);
        ck_assert_double_lt(r.report.energy_error, 1e-6);
        run_end(&r);
    }
    ck_assert_double_lt(fabs(difference[3]), 1e-3);
    ck_assert_double_eq_tol(difference[2] / difference[3], 10.0, 0.1);
    ck_assert_double_eq_tol(difference[1] / difference[2], 10.0, 1.0);
    /* the pins give by 0.1 mm with the first, a sixtieth of the crank: with a second power of 1 /
       k, a x (1 + c x) over x = 1e10 / k, whose c follows from the two in the middle; the third
       power is left out, and the tolerances of the runs move the value by 0.1 */
    double R = 0.1 * difference[1] / difference[2], c = (R - 1.0) / (100.0 - 10.0 * R);
    double expected = 10.0 * (1.0 + 1000.0 * c) / (1.0 + 100.0 * c);
    ck_assert_double_eq_tol(difference[0] / difference[1], expected, 0.5);
}
END_TEST

/* When an output first reaches a value, between two rows by a line. */
static double time_of(const run *r, const char *name, double value)
{
    for (size_t row = 1; row < ha_result_n_rows(r->result); row++) {
        double before = run_value(r, row - 1, name), after = run_value(r, row, name);
        if (before < value && after >= value) {
            double t0 = ha_result_value(r->result, row - 1, 0),
                   t1 = ha_result_value(r->result, row, 0);
            return t0 + (value - before) / (after - before) * (t1 - t0);
        }
    }
    ck_abort_msg("%s does not reach %g", name, value);
}

START_TEST(andrews_crank_turns_once_in_16_33_ms)
{
    run r = run_andrews("compliant", "1e10");

    ck_assert_double_eq_tol(time_of(&r, "K1.angle", andrews_start[0] + 8 * atan(1.0)), 0.016328,
                            1e-6);
    run_end(&r);
}
END_TEST

/* With the point D that they print the crank passes 16 rad at 29.898 ms, they say. */
START_TEST(andrews_crank_passes_16_rad_with_the_misprinted_point)
{
    run r = run_andrews("bera", "1e10");

    ck_assert_double_eq_tol(time_of(&r, "K1.angle", 16.0), 0.029911, 1e-6);
    ck_assert_double_eq_tol(time_of(&r, "K1.angle", 16.0), 0.029898, 2e-5);
    ck_assert_double_eq_tol(run_last(&r, "K1.angle"), 16.100, 1e-3);
    run_end(&r);
}
END_TEST

/* --- Rapson slide ------------------------------------------------------------------------------
 */

/* l, theta, l', theta' of the rigid slide at t = 1, 2, 3, 4, 6 s. */
static const double rapson[][5] = {
    { 1, 4.60739780, 0.69836853, -0.76946282, 0.11727093 },
    { 2, 3.54455422, 0.91509538, -1.27119994, 0.35017131 },
    { 3, 2.42102535, 1.49490754, -0.66975222, 0.84292355 },
    { 4, 2.91286456, 2.43508366, 1.86275891, 0.83886386 },
    { 6, 10.6415767, 3.16893847, 5.28676195, 0.10620821 },
};

static const char *const rapson_names[] = { "slide.slide", "tiller.angle", "slide.speed",
                                            "tiller.omega" };

static run run_rapson(const char *variant, const char *stiffness, const char *damping)
{
    char kb[64], kp[64], rb[64], rp[64];
    const char *sets[] = { kb, kp, rb, rp, "simulate.rtol=1e-10", "simulate.atol=1e-10" };
    const m2d_read_def def = { .variant = variant, .sets = sets, .n_sets = HA_COUNT(sets) };

    snprintf(kb, sizeof kb, "parameters.kb=%s", stiffness);
    snprintf(kp, sizeof kp, "parameters.kp=%s", stiffness);
    snprintf(rb, sizeof rb, "parameters.rb=%s", damping);
    snprintf(rp, sizeof rp, "parameters.rp=%s", damping);
    return run_file("examples/rapson.yaml", &def);
}

/* The largest difference from the table in units of 1 + its magnitude. */
static double rapson_error(const run *r)
{
    double largest = 0.0;

    for (size_t i = 0; i < HA_COUNT(rapson); i++) {
        size_t row = 0;
        while (ha_result_value(r->result, row, 0) < rapson[i][0] - 1e-6) {
            row++;
        }
        for (size_t k = 0; k < HA_COUNT(rapson_names); k++) {
            double truth = rapson[i][k + 1];
            double error = fabs(run_value(r, row, rapson_names[k]) - truth);
            largest = fmax(largest, error / (1 + fabs(truth)));
        }
    }
    return largest;
}

/* T - W stays 0, W = -F (x - x0). */
static void check_work(const run *r)
{
    for (size_t row = 0; row < ha_result_n_rows(r->result); row += 50) {
        double work = -(run_value(r, row, "block.x") - 4.0);
        double stored = run_value(r, row, "energy.kinetic") + run_value(r, row, "energy.potential");
        double lost = run_value(r, row, "energy.dissipated");
        ck_assert_double_eq_tol(stored + lost, work, 1e-7);
    }
}

START_TEST(rigid_rapson_slide_has_the_corrected_motion)
{
    run r = run_rapson("rigid", "1e5", "1e3");

    ck_assert_double_lt(rapson_error(&r), 3e-8);
    check_work(&r);
    run_end(&r);
}
END_TEST

START_TEST(compliant_rapson_slide_tends_to_the_rigid_one)
{
    run soft = run_rapson("compliant", "1e5", "1e3"), stiff = run_rapson("compliant", "1e6", "1e4");
    double error = rapson_error(&soft);

    check_work(&soft);
    ck_assert_double_lt(error, 1e-4); /* F / k_b is 1e-5 m, after 6 s and two swings */
    ck_assert_double_eq_tol(error / rapson_error(&stiff), 10.0, 0.5);
    run_end(&soft);
    run_end(&stiff);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compliant");
    TCase *tests = tcase_create("compliant");

    tcase_add_test(tests, weld_on_springs_oscillates_in_closed_form);
    tcase_add_test(tests, matrix_couples_the_rows);
    tcase_add_test(tests, stiffness_may_be_an_expression_of_the_deflection);
    tcase_add_test(tests, damping_may_be_an_expression_of_the_motion);
    tcase_add_test(tests, only_fixed_values_start_it_deformed);
    tcase_add_test(tests, links_on_one_pin_share_a_reference_link);
    tcase_add_test(tests, model_is_given_in_c);
    tcase_add_test(tests, bad_settings_are_refused_with_what_to_do);
    tcase_add_test(tests, named_model_leaves_settings_of_others_alone);
    tcase_add_test(tests, variant_applies_to_all_first_then_to_names);
    tcase_add_test(tests, variant_that_names_no_joint_is_refused_with_the_nearest);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    tcase_add_test(tests, andrews_crank_tends_to_ideal_pins_as_stiffness_grows);
    tcase_add_test(tests, andrews_crank_turns_once_in_16_33_ms);
    tcase_add_test(tests, andrews_crank_passes_16_rad_with_the_misprinted_point);
    tcase_add_test(tests, rigid_rapson_slide_has_the_corrected_motion);
    tcase_add_test(tests, compliant_rapson_slide_tends_to_the_rigid_one);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
