/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions and values of the user, and outputs by expression, against closed forms.
 *
 * A rod on a hinge, let go when it is level, with s = -sin angle, J about the hinge and the mass
 * centre at the distance l from it:
 *
 *   omega^2 = 2 m g l s / J,  alpha = -m g l cos angle / J
 *   the hinge pushes along the rod with -m (l omega^2 + g s), across it with m (l alpha + g cos)
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "halfarrow: 1\n"
#define ROD                                                                                        \
    "ground: {points: {O: [0, 0]}}\n"                                                              \
    "bodies:\n"                                                                                    \
    "  rod: {mass: 2 kg, inertia: 0.1, points: {O: [-0.5, 0], P: [0.5, 0]},\n"                     \
    "        start: {angle: 0, fixed: [angle]}}\n"                                                 \
    "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
#define END "simulate: {t_end: 0.8, step: 0.02, rtol: 1e-11}\n"

static const double m = 2.0, g = 9.81, l = 0.5, J = 0.1 + 2.0 * 0.25;

static void expect(double found, double truth, double tolerance, const char *what)
{
    ck_assert_msg(fabs(found - truth) <= tolerance, "%s is %.17g, not %.17g", what, found, truth);
}

static const char *unit_of(const run *r, const char *name)
{
    int column = ha_result_find(r->result, name);

    ck_assert_msg(column >= 0, "no output %s", name);
    return ha_result_unit(r->result, (size_t) column);
}

START_TEST(outputs_by_expression_meet_the_closed_form)
{
    run r =
        run_text(HEAD "functions:\n"
                      "  hyp: {of: [a, b], is: \"sqrt(square(a) + square(b))\"}\n"
                      "  square: {of: [a], is: a^2}\n" ROD END
                      "values: {tip: 2*half, half: \"hyp(rod.vx, rod.vy)\"}\n"
                      "outputs:\n"
                      "  - {pin: {value: \"hyp(O.fx, O.fy)\", unit: kN}}\n"
                      "  - {turned: {value: rod.angle, unit: deg}, share: energy.kinetic/2}\n"
                      "  - {twice: 2*share, alpha: O.alpha, far: \"distance(ground.O, rod.P)\"}\n"
                      "  - {ax: rod.P.ax, rx: \"relative(ground.O, rod.P).vx\"}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double angle = run_value(&r, i, "rod.angle"), s = -sin(angle), c = cos(angle);
        double omega2 = 2.0 * m * g * l * s / J, alpha = -m * g * l * c / J;
        double along = m * (l * omega2 + g * s), across = m * (l * alpha + g * c);
        double omega = -sqrt(fmax(omega2, 0.0)); /* it falls */
        expect(run_value(&r, i, "pin"), 1e-3 * hypot(along, across), 1e-9, "pin");
        expect(run_value(&r, i, "turned"), angle * 45.0 / atan(1.0), 1e-12, "turned");
        expect(run_value(&r, i, "twice"), 0.5 * J * omega2, 1e-7, "twice");
        expect(run_value(&r, i, "alpha"), alpha, 1e-7, "alpha");
        expect(run_value(&r, i, "tip"), 2.0 * l * fabs(omega), 1e-4 * (i == 0) + 1e-7, "tip");
        expect(run_value(&r, i, "far"), 1.0, 1e-8, "far");
        expect(run_value(&r, i, "ax"), 2.0 * l * (alpha * s - omega2 * c), 1e-6, "ax");
        expect(run_value(&r, i, "rx"), 2.0 * l * omega * s, 1e-6, "rx");
    }
    ck_assert_str_eq(unit_of(&r, "pin"), "kN");
    ck_assert_str_eq(unit_of(&r, "turned"), "deg");
    ck_assert_str_eq(unit_of(&r, "tip"), "m/s");
    ck_assert_str_eq(unit_of(&r, "twice"), "N.m");
    ck_assert_str_eq(unit_of(&r, "ax"), "m/s2");
    run_end(&r);
}
END_TEST

/* The last value of an output of a text. */
static double end_of(const char *text, const char *name)
{
    run r = run_text(text);
    double value = run_last(&r, name);

    run_end(&r);
    return value;
}

START_TEST(a_law_by_functions_and_values_is_the_law_written_out)
{
    static const char call[] = HEAD
        "parameters: {rho: 3}\n"
        "functions: {drag: {of: [v], is: \"0.5*rho*v*abs(v)\"}}\n"
        "values: {fast: rod.P.vx, slow: half*fast}\n" ROD END
        "forces: {wind: {type: force, on: rod.P, value: [\"-drag(fast) + slow\", 0]}}\n"
        "bondgraph: {signals: {half: {type: lag, input: 0.5, start: 0.5, time_constant: 1}}}\n";
    static const char written[] = HEAD
        "parameters: {rho: 3}\n" ROD END "forces: {wind: {type: force, on: rod.P, value: "
        "[\"-0.5*rho*rod.P.vx*abs(rod.P.vx) + half*rod.P.vx\", 0]}}\n"
        "bondgraph: {signals: {half: {type: lag, input: 0.5, start: 0.5, time_constant: 1}}}\n";

    ck_assert_double_eq(end_of(call, "rod.angle"), end_of(written, "rod.angle"));
}
END_TEST

#define CIRCUIT(law)                                                                               \
    "submodels:\n"                                                                                 \
    "  load:\n"                                                                                    \
    "    ports: {in: 1a}\n"                                                                        \
    "    elements: {1a: {type: \"1\"}, R: {type: R, e: " law "}}\n"                                \
    "    bonds: [1a > R]\n"                                                                        \
    "bondgraph:\n"                                                                                 \
    "  elements: {V: {type: Se, value: 2}, C: {type: C, value: 0.1}, 1b: {type: \"1\"},\n"         \
    "             L: {type: load}}\n"                                                              \
    "  bonds: [V > 1b > C, 1b > L.in]\n"                                                           \
    "simulate: {t_end: 0.1}\n"

START_TEST(submodels_call_functions_of_their_arguments_alone)
{
    static const char call[] =
        HEAD "functions: {cube: {of: [x], is: x + x^3}}\n" CIRCUIT("cube(f)");
    static const char written[] = HEAD CIRCUIT("f + f^3");

    ck_assert_double_eq(end_of(call, "C.q"), end_of(written, "C.q"));
    run_expect_failure(HEAD "parameters: {k: 2}\n"
                            "functions: {cube: {of: [x], is: k*x^3}}\n" CIRCUIT("cube(f)"),
                       HA_ERR_NAME, "unknown name `k`");
}
END_TEST

START_TEST(what_means_nothing_is_refused)
{
    static const struct {
        const char *text;
        ha_status status;
        const char *part;
    } cases[] = {
        { "functions: {f: {of: [x], is: f(x)}}\n", HA_ERR_NAME, "a function cannot call itself" },
        { "functions: {f: {of: [x], is: g(x)}, g: {of: [x], is: f(x)}}\n", HA_ERR_NAME,
          "`f` calls `g`, which calls `f`" },
        { "functions: {f: {of: [x], is: y}}\n", HA_ERR_NAME, "unknown name `y`" },
        { "functions: {f: {of: [x, x], is: x}}\n", HA_ERR_NAME, "has `x` twice" },
        { "functions: {sin: {of: [x], is: x}}\n", HA_ERR_NAME, "it has a meaning already" },
        { "functions: {f: {of: [pi], is: 2*pi}}\n", HA_ERR_NAME, "it has a meaning already" },
        { "values: {t: 1}\n", HA_ERR_NAME, "cannot be the name of a value" },
        { "bondgraph: {signals: {pi: {type: lag, input: 7, time_constant: 1}}}\n", HA_ERR_NAME,
          "cannot be the name of a signal" },
        { "functions: {f: {of: [x]}}\n", HA_ERR_NAME, "`is`" },
        { "functions: {f: {of: [x], is: x}}\nvalues: {a: \"f(1, 2)\"}\n", HA_ERR_SYNTAX,
          "takes 1 argument, not 2" },
        { "functions: {drag: {of: [x], is: x}}\nvalues: {a: drg(1)}\n", HA_ERR_NAME,
          "did you mean `drag`?" },
        { "values: {a: b, b: a}\n", HA_ERR_NAME, "`a` needs `b`, which needs `a`" },
        { "values: {a: rod.agle}\n", HA_ERR_NAME, "did you mean `rod.angle`?" },
        { "values: {rod: 1}\n", HA_ERR_NAME, "already that of a body" },
        { "values: {a: energy.kinetic}\n", HA_ERR_NAME, "outputs by expression can read them" },
        { "outputs: [{a: 1, b: {value: 1, unit: flup}}]\n", HA_ERR_UNIT, "unknown unit `flup`" },
        { "outputs: [{a: {value: rod.angle, unit: kN}}]\n", HA_ERR_UNIT,
          "kN is a force, but the expression is an angle" },
        { "outputs: [{a: {value: \"sqrt(O.fx^2 + O.fy^2)\", unit: deg}}]\n", HA_ERR_UNIT,
          "but the expression is a force" },
        { "outputs: [{rod.angle: 1}]\n", HA_ERR_NAME, "has the name of an output" },
        { "outputs: [{a: \"power(rodd)\"}]\n", HA_ERR_NAME, "`rodd` is no element" },
        { "outputs: [{a: 1}]\nforces: {f: {type: torque, on: rod, value: a}}\n", HA_ERR_NAME,
          "unknown name `a`" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, HEAD ROD END "%s", cases[i].text);
        run_expect_failure(text, cases[i].status, cases[i].part);
    }
}
END_TEST

START_TEST(in_c_the_same)
{
    run r = run_new();
    const char *text = HEAD ROD END;

    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    m2d_mechanism *mechanism = m2d_model_mechanism(r.model);
    ha_dag *dag = m2d_mechanism_dag(mechanism);
    m2d_value_def def = { .name = "rise",
                          .value = m2d_mechanism_lookup(mechanism, "rod.P.y"),
                          .unit = "mm" };
    run_check(&r, m2d_mechanism_add_value(mechanism, &def));
    m2d_mechanism_begin_outputs(mechanism, true);
    def = (m2d_value_def){ .name = "gain.of",
                           .value = ha_mul(dag, m2d_mechanism_lookup(mechanism, "energy.kinetic"),
                                           m2d_mechanism_lookup(mechanism, "rise")) };
    run_check(&r, m2d_mechanism_add_output(mechanism, &def));
    run_check(&r, run_model(&r));
    size_t last = ha_result_n_rows(r.result) - 1;
    double y = run_value(&r, last, "rod.P.y");
    expect(run_value(&r, last, "rise"), 1e3 * y, 1e-12, "rise");
    expect(run_value(&r, last, "gain.of"), y * run_value(&r, last, "energy.kinetic"), 1e-12,
           "gain");
    ck_assert_str_eq(unit_of(&r, "gain.of"), "kg.m3.s-2");
    run_end(&r);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    run_survives(HEAD "functions: {hyp: {of: [a, b], is: \"sqrt(a^2 + b^2)\"}}\n" ROD
                      "values: {v: \"hyp(rod.vx, rod.vy)\"}\nsimulate: {t_end: 0}\n"
                      "outputs: [{a: {value: v, unit: mm/s}, b: energy.kinetic + a}]\n",
                 run_expand);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("named");
    TCase *tcase = tcase_create("named");

    tcase_add_test(tcase, outputs_by_expression_meet_the_closed_form);
    tcase_add_test(tcase, a_law_by_functions_and_values_is_the_law_written_out);
    tcase_add_test(tcase, submodels_call_functions_of_their_arguments_alone);
    tcase_add_test(tcase, what_means_nothing_is_refused);
    tcase_add_test(tcase, in_c_the_same);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
