/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dimensions: of the values of elements, by the domain of their bonds; of parameters where they are
 * used; the units that outputs get from them.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "lib/data/dimension.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>
#include <string.h>

#define HEAD "halfarrow: 1\n"

/* --- units of outputs ------------------------------------------------------------------------ */

static const struct {
    const char *text, *output, *unit;
} outputs[] = {
    { "Se{12 V} > 1a > R; 1a > I; 1a > C", "R.e", "V" },
    { "Se{12 V} > 1a > R; 1a > I; 1a > C", "I.f", "A" },
    { "Se{12 V} > 1a > R; 1a > I; 1a > C", "I.p", "V.s" },
    { "Se{12 V} > 1a > R; 1a > I; 1a > C", "C.q", "C" },
    { "Se > 1a > R{2 ohm}; 1a > I", "Se.e", "V" },
    { "Se > 1a > R; 1a > 0b; 0b > C{3 uF}; 0b > R2", "R2.f", "A" },
    { "Sf{2 l/min} > 0 > R; 0 > C", "R.f", "m3/s" },
    { "Sf > 0 > R; 0 > C{1e-11 m3/Pa}", "C.e", "Pa" },
    { "Se{3 N} > 1 > R; 1 > I", "I.f", "m/s" },
    { "Sf{1500 rev/min} > 0 > R; 0 > C", "C.q", "rad" },
    { "Se{300 K} > 1 > R", "R.e", "K" },
    { "Se{300 K} > 1 > R{2 K/W}; 1 > C", "C.f", "W" },
    { "Se{300 K} > 1 > R", "R.f", "" }, /* of heat, or of entropy */
    { "Se{2} > 1a > R{3}; 1a > I{4}", "I.f", "" },
    { "U = 3 V; Se{U} > 1 > R", "R.f", "A" },
    { "L = 3 m; a = 2 s; MSf{2*L/a*sin(t)} > 0 > R; 0 > C", "R.f", "" }, /* sin: not followed */
    { "L = 3 m; a = 2 s; Sf{2*L/a} > 0 > R; 0 > C", "R.f", "m/s" },
    /* not over a gyrator, of which each side has its own */
    { "Se{12 V} > 1a > R; 1a > GY{0.05}; GY > 1b > I", "I.f", "" },
    { "Se{12 V} > 1a > R; 1a > GY{0.05}; GY > 1b > I{2 kg.m2}", "GY.f2", "rad/s" },
    { "Se{12 V} > 1a > R; 1a > GY{0.05}; GY > 1b > I{2 kg.m2}", "GY.e1", "V" },
};

START_TEST(units_of_outputs_follow_from_those_of_values)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    const char *text = outputs[_i].text;

    options.solver.t_end = 1e-3;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ck_assert_int_eq(bg_graph_find_domains(graph), HA_OK);
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
    int column = ha_result_find(result, outputs[_i].output);
    ck_assert_int_ge(column, 0);
    ck_assert_str_eq(ha_result_unit(result, (size_t) column), outputs[_i].unit);
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}
END_TEST

/* As in a file, where an element whose value is an expression has a unit, an empty one. */
START_TEST(units_follow_from_expressions_of_a_file)
{
    run r = run_text(HEAD "parameters: {L: 3 m, a: 2 s}\n"
                          "bondgraph: {elements: {S: {type: Sf, value: 2*L/a}, 0: {type: '0'}, "
                          "R: {type: R}, C: {type: C}}, bonds: [S > 0, 0 > R, 0 > C]}\n"
                          "simulate: {t_end: 1e-3}\n");
    int column = ha_result_find(r.result, "R.f");

    ck_assert_int_ge(column, 0);
    ck_assert_str_eq(ha_result_unit(r.result, (size_t) column), "m/s");
    run_end(&r);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------- */

#define GRAPH(PARAMETERS, ELEMENTS, BONDS)                                                         \
    HEAD "parameters: {" PARAMETERS "}\n"                                                          \
         "bondgraph: {elements: {1a: {type: '1'}, " ELEMENTS "}, bonds: [" BONDS "]}\n"            \
         "simulate: {t_end: 1e-3}\n"

#define BODY(PARAMETERS, MORE)                                                                     \
    HEAD "parameters: {" PARAMETERS "}\n"                                                          \
         "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}}}\n" MORE                       \
         "simulate: {t_end: 1e-3}\n"

#define MOTOR                                                                                      \
    "submodels: {winding: {parameters: {R0: 2 ohm}, elements: {j: {type: '1'}, R: {type: R, "      \
    "value: R0}}, bonds: [j > R], ports: {a: j}}}\n"

static const struct {
    const char *text, *said[2];
} wrong[] = {
    { GRAPH("", "V: {type: Se, value: 12 V}, L: {type: I, value: 0.6 mF}", "V > 1a > L"),
      { "the value of `L` is a capacitance", "H, kg, kg.m2" } },
    { GRAPH("", "V: {type: Se, value: 12 V}, L: {type: I, value: 3 kg}", "V > 1a > L"),
      { "`L` is translational", "`V`, which shares its bond, is electrical" } },
    { GRAPH("", "V: {type: Se, domain: electrical}, L: {type: I, value: 3 kg}", "V > 1a > L"),
      { "`L` is translational", "`V`, which shares its bond, is electrical" } },
    { GRAPH("", "V: {type: Se}, R: {type: R, domain: hydraulic}, L: {type: I, domain: thermal}",
            "V > 1a, 1a > R, 1a > L"),
      { "`L` is thermal", "`R`, which shares its bond, is hydraulic" } },
    { GRAPH("", "V: {type: Se, domain: magic}, L: {type: I}", "V > 1a > L"),
      { "`domain` of element `V` is `magic`", "use electrical" } },
    { GRAPH("m: 3 kg", "V: {type: Se, value: 12 V}, L: {type: I, value: m}", "V > 1a > L"),
      { "`L` is translational", "`V`" } },
    { MOTOR GRAPH("", "V: {type: Se, value: 3 N}, W: {type: winding}", "V > 1a, 1a > W.a"),
      { "`W.R` is electrical", "`V`, which shares its bond, is translational" } },
    { MOTOR GRAPH("k: 3 kg", "V: {type: Se}, W: {type: winding, parameters: {R0: k}}",
                  "V > 1a, 1a > W.a"),
      { "parameter `R0` of the instance `W` is a mass", "default is an electric resistance" } },
    /* an axis of a mechanism */
    { BODY("", "joints: {J: {type: revolute, between: [ground.O, b.P]}}\n"
               "bondgraph: {elements: {F: {type: Se, value: 3 N}}, bonds: [F > J.axis]}\n"),
      { "`F`", "rotational" } },
    /* what no domain measures an element in */
    { GRAPH("", "V: {type: Se, value: 12 kg.s}, L: {type: I, value: 0.6}", "V > 1a > L"),
      { "`V` is of the dimension kg.s, in which no effort", "one of V, N, N.m, Pa, K" } },
    { GRAPH("", "V: {type: Se, value: 12}, L: {type: I, value: 0.6 kg.m}", "V > 1a > L"),
      { "`L` is of the dimension kg.m, in which no inertia", "H, kg, kg.m2" } },
    { GRAPH("", "V: {type: Se, value: 12 V*t}, L: {type: I, value: 0.6}", "V > 1a > L"),
      { "in which no effort", "in a unit the `t` is the tonne" } },
    /* parameters as lengths */
    { BODY("a: 80 mrad", "joints: {J: {type: distance, between: [ground.O, b.P], length: a}}\n"),
      { "`length` of joint `J`: `a` is an angle", "a length in m is expected" } },
    { BODY("F: 60 N", "joints: {J: {type: distance, between: [ground.O, b.P], length: F}}\n"),
      { "`F` is a force by the units of its parameters", "a length in m" } },
    { BODY("F: 60 N, l: 1 m", "forces: {T: {type: torque, on: b, value: F/l}}\n"),
      { "`value` of force `T`: `F/l` is a stiffness", "a torque in N.m" } },
};

START_TEST(a_wrong_dimension_is_refused_by_name)
{
    run r = run_new();
    const char *text = wrong[_i].text;
    char all[4096];

    /* HEAD stands once, in front */
    const char *head = strstr(text, HEAD);
    ck_assert_ptr_nonnull(head);
    snprintf(all, sizeof all, "%s%.*s%s", HEAD, (int) (head - text), text, head + strlen(HEAD));
    ha_status status = m2d_read_text(r.ctx, all, strlen(all), "m.yaml", NULL, &r.model);
    status = status == HA_OK ? run_model(&r) : status;
    ck_assert_msg(status == HA_ERR_UNIT || status == HA_ERR_NAME, "%s", ha_status_name(status));
    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 1);
    for (int i = 0; i < 2; i++) {
        const char *said = ha_ctx_diag(r.ctx, 0)->text;
        ck_assert_msg(strstr(said, wrong[_i].said[i]) != NULL, "%s", said);
    }
    run_end(&r);
}
END_TEST

/* --- units of a domain ----------------------------------------------------------------------- */

static ha__dimension dimension_of(const char *unit)
{
    ha__dimension is = { { 0 } };

    ck_assert_msg(ha__dimension_of_unit(unit, &is, NULL), "%s", unit);
    return is;
}

/* Whether a unit, where there is one, is a b^n but for radians. */
static void expect_power(const char *unit, const char *a, const char *b, int n)
{
    if (unit[0] != '\0') {
        ha__dimension is = ha__dimension_times(dimension_of(a), dimension_of(b), n);
        ck_assert_msg(ha__dimension_is_like(dimension_of(unit), is), "%s: %s, %s", unit, a, b);
    }
}

/* q = f s, p = e s, R = e/f, C = q/e, I = p/f. */
START_TEST(units_of_a_domain_follow_from_effort_and_flow)
{
    static const char *const units[][7] = {
#define X(id, name, ...) { __VA_ARGS__ },
#include "bondgraph/domains.def"
#undef X
    };
    const char *const *u = units[_i], *e = u[0], *f = u[1];
    char momentum[32];

    snprintf(momentum, sizeof momentum, "%s.s", e);
    expect_power(u[2], f, "s", 1);
    expect_power(u[3], e, "s", 1);
    expect_power(u[4], e, f, -1);
    expect_power(u[5], u[2], e, -1);
    expect_power(u[6], momentum, f, -1);
}
END_TEST

/* --- what is not ----------------------------------------------------------------------------- */

static const char *const right[] = {
    GRAPH("", "V: {type: Se, value: 12 V}, L: {type: I, value: 0.6}", "V > 1a > L"),
    GRAPH("m: 3 kg, g: 9.81", "V: {type: Se, value: m*g}, L: {type: I, value: m}", "V > 1a > L"),
    GRAPH("m: 3 kg", "V: {type: Se, value: 9.81*m}, L: {type: I, value: m}", "V > 1a > L"),
    GRAPH("m: 3 kg", "V: {type: Se, value: 5*m}, L: {type: I, value: m}", "V > 1a > L"),
    BODY("l: 50 mm", "forces: {T: {type: torque, on: b, value: 0.5*l/12}}\n"),
    GRAPH("", "V: {type: Se, value: 3 J/mol}, L: {type: R, value: 2 J.s/mol2}", "V > 1a > L"),
    BODY("F: 60 N, l: 50 mm", "forces: {T: {type: torque, on: b, value: F*l}}\n"),
    BODY("m: 3 kg, l: 50 mm", "forces: {T: {type: torque, on: b, value: m*l*9.81}}\n"),
    BODY("s: 3 mm, l: 50 mm",
         "joints: {J: {type: revolute, between: [ground.O, b.P], motion: s/l + t}}\n"),
    BODY("", "joints: {J: {type: revolute, between: [ground.O, b.P]}}\n"
             "bondgraph: {elements: {F: {type: Se, value: 3 N.m}}, bonds: [F > J.axis]}\n"),
};

START_TEST(what_fits_or_cannot_be_told_is_accepted)
{
    run r = run_text(right[_i]);

    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 0);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("domains");
    TCase *tests = tcase_create("domains");

    tcase_add_loop_test(tests, units_of_outputs_follow_from_those_of_values, 0,
                        (int) HA_COUNT(outputs));
    tcase_add_test(tests, units_follow_from_expressions_of_a_file);
    tcase_add_loop_test(tests, units_of_a_domain_follow_from_effort_and_flow, 0,
                        (int) BG_DOMAIN_END - 1);
    tcase_add_loop_test(tests, a_wrong_dimension_is_refused_by_name, 0, (int) HA_COUNT(wrong));
    tcase_add_loop_test(tests, what_fits_or_cannot_be_told_is_accepted, 0, (int) HA_COUNT(right));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
