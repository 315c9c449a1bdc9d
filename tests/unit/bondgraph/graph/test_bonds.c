/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effort and flow of every bond in a run, against the laws of junctions, transformers and gyrators;
 * the steps of the procedure, one by one, against the strokes and the trace.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/unit/bondgraph/causal_graph.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void load(const char *text)
{
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_causality_status(causality), HA_OK);
}

/* Runs a second with the numbers of all bonds. */
static ha_result *run_with_bonds(void)
{
    bg_run_options options = bg_run_options_default();
    ha_result *result = ha_result_new(ctx);
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    bg_run_report report;
    int n = 0;

    options.solver.t_end = 1.0;
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_equations_add_bonds(equations, causality, &n), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_OK);
    bg_model_free(model);
    bg_equations_free(equations);
    return result;
}

/* Effort ('e') or flow ('f') of a component of a bond. */
static double of_bond(const ha_result *result, size_t row, bg_bond bond, int component, char what)
{
    char name[32];
    int number = 0, column = 0;

    ck_assert_int_eq(bg_causality_scalar_number(causality, bond, component, &number), HA_OK);
    snprintf(name, sizeof name, "#%d.%c", number, what);
    column = ha_result_find(result, name);
    ck_assert_msg(column > 0, "no %s", name);
    return ha_result_value(result, row, (size_t) column);
}

/* Of the bond between two elements. */
static double between(const ha_result *result, size_t row, const char *tail, const char *head,
                      char what)
{
    for (int b = 0; b < bg_graph_n_bonds(graph); b++) {
        if (strcmp(bg_element_name(graph, bg_bond_tail(graph, b)), tail) == 0 &&
            strcmp(bg_element_name(graph, bg_bond_head(graph, b)), head) == 0) {
            return of_bond(result, row, b, 0, what);
        }
    }
    ck_abort_msg("no bond from %s to %s", tail, head);
    return (double) NAN;
}

/* What the bonds at a junction have in common is equal, and no power is left there. */
static void check_junction(const ha_result *result, size_t row, bg_element junction)
{
    bool is_one = strcmp(bg_element_type_name(graph, junction), "1") == 0;
    double common = (double) NAN, power = 0.0, size = 0.0;

    for (int b = 0; b < bg_graph_n_bonds(graph); b++) {
        bool is_in = bg_bond_head(graph, b) == junction;
        double e = 0.0, f = 0.0;
        if (!is_in && bg_bond_tail(graph, b) != junction) {
            continue;
        }
        e = of_bond(result, row, b, 0, 'e');
        f = of_bond(result, row, b, 0, 'f');
        common = isnan(common) ? (is_one ? f : e) : common;
        ck_assert_double_eq_tol(is_one ? f : e, common, 1e-12 * (1.0 + fabs(common)));
        power += is_in ? e * f : -e * f;
        size += fabs(e * f);
    }
    ck_assert_double_le(fabs(power), 1e-6 * size + 1e-12);
}

START_TEST(no_power_is_left_at_junctions)
{
    const char *const junctions[] = { "1a", "0b", "1c" };
    load("Se{3}>1a;1a>I{2};1a>TF{0.5}>0b;0b>C{0.7};0b>R{4};1a>GY{3}>1c;1c>I2{5};1c>R2{6}");
    ha_result *result = run_with_bonds();

    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        for (size_t j = 0; j < HA_COUNT(junctions); j++) {
            check_junction(result, row, bg_graph_find(graph, junctions[j]));
        }
        /* TF: e1 = n e2, f2 = n f1; GY: e1 = r f2, e2 = r f1 */
        ck_assert_double_eq_tol(between(result, row, "1a", "TF", 'e'),
                                0.5 * between(result, row, "TF", "0b", 'e'), 1e-9);
        ck_assert_double_eq_tol(between(result, row, "TF", "0b", 'f'),
                                0.5 * between(result, row, "1a", "TF", 'f'), 1e-9);
        ck_assert_double_eq_tol(between(result, row, "1a", "GY", 'e'),
                                3.0 * between(result, row, "GY", "1c", 'f'), 1e-9);
        ck_assert_double_eq_tol(between(result, row, "GY", "1c", 'e'),
                                3.0 * between(result, row, "1a", "GY", 'f'), 1e-9);
        ck_assert_double_eq(between(result, row, "Se", "1a", 'e'), 3.0);
    }
    ha_result_free(result);
}
END_TEST

START_TEST(half_arrows_decide_the_signs)
{
    /* the bond of the resistor is drawn out of it: it loses power, its flow is counted negative */
    load("Se{6}>1a;R{3}>1a");
    ha_result *result = run_with_bonds();

    ck_assert_double_eq_tol(between(result, 0, "Se", "1a", 'f'), 2.0, 1e-12);
    ck_assert_double_eq_tol(between(result, 0, "R", "1a", 'e') * between(result, 0, "R", "1a", 'f'),
                            -12.0, 1e-12);
    ha_result_free(result);
}
END_TEST

START_TEST(components_of_multibonds_have_numbers_of_their_own)
{
    load("Se{1}=2>1a;1a=2>R{2}");
    ha_result *result = run_with_bonds();

    for (int b = 0; b < bg_graph_n_bonds(graph); b++) {
        for (int c = 0; c < 2; c++) {
            ck_assert_double_eq(of_bond(result, 0, b, c, 'e'), 1.0);
            ck_assert_double_eq(of_bond(result, 0, b, c, 'f'), 0.5);
        }
    }
    ha_result_free(result);
}
END_TEST

START_TEST(bonds_can_be_asked_for_alone)
{
    const char *const wanted = "#1";
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    int n = 0;

    load("Se{3}>1a;1a>R{2}");
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_equations_add_bonds(equations, causality, &n), HA_OK);
    ck_assert_int_eq(n, 4);
    ck_assert_int_eq(bg_model_compile(equations, &wanted, 1, &model), HA_OK);
    ck_assert_int_eq(bg_model_dae(model)->n_outputs, 2);
    ck_assert_str_eq(bg_model_dae(model)->outputs[0].name, "#1.e");
    ck_assert_str_eq(bg_model_dae(model)->outputs[1].name, "#1.f");
    bg_model_free(model);
    bg_equations_free(equations);
}
END_TEST

/* A source of 3 on an inertia of 1 and resistors of 2 and 4 gives the flow (1 - exp(-6 t))/2. */
START_TEST(heat_is_integrated_for_each_resistor)
{
    const char *const wanted[] = { "#dissipated", "energy" };
    const double flows = 0.25 * (1.0 + (exp(-6.0) - 1.0) / 3.0 - (exp(-12.0) - 1.0) / 12.0);
    bg_run_options options = bg_run_options_default();
    ha_result *result = ha_result_new(ctx);
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    bg_run_report report;
    int n = 0;

    load("Se{3}>1a;1a>R{2};1a>R2{4};1a>I{1}");
    options.solver.t_end = 1.0;
    options.solver.rtol = options.solver.atol = 1e-10;
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_equations_add_losses(equations, causality, &n), HA_OK);
    ck_assert_int_eq(n, 2);
    ck_assert_int_eq(bg_model_compile(equations, wanted, 2, &model), HA_OK);
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_OK);
    size_t last = ha_result_n_rows(result) - 1;
    size_t first = (size_t) ha_result_find(result, "#dissipated.R");
    size_t second = (size_t) ha_result_find(result, "#dissipated.R2");
    size_t all = (size_t) ha_result_find(result, "energy.dissipated");
    for (size_t row = 0; row <= last; row++) {
        double sum = ha_result_value(result, row, first) + ha_result_value(result, row, second);
        ck_assert_double_eq_tol(sum, ha_result_value(result, row, all), 1e-14);
    }
    ck_assert_double_eq_tol(ha_result_value(result, last, first), 2.0 * flows, 1e-8);
    ck_assert_double_eq_tol(ha_result_value(result, last, second), 4.0 * flows, 1e-8);
    bg_model_free(model);
    bg_equations_free(equations);
    ha_result_free(result);
}
END_TEST

/* Line `i` of a trace, without its end. */
static void line_of(const char *trace, int i, char *line, size_t size)
{
    for (; i > 0; i--) {
        trace = strchr(trace, '\n') + 1;
    }
    snprintf(line, size, "%.*s", (int) strcspn(trace, "\n"), trace);
}

static const char *const step_graphs[] = {
    "Se>1a>R;1a>I;1a>C",
    "Se{1}=3>1a;1a=3>R;1a=3>I;1a=3>0b;0b=3>C",
    "Sf>0a;0a>TF{2}>1b;1b>I;1b>I2;0a>R;0a>GY{2}>1c;1c>R2;1c>Re",
};

START_TEST(steps_are_those_of_the_trace)
{
    char *trace = NULL, *reason = NULL, line[500], wanted[500];
    bg_step step;

    load(step_graphs[_i]);
    ck_assert_int_eq(bg_causality_n_steps(causality), bg_causality_n_bonds(causality));
    ck_assert_int_eq(bg_causality_trace(causality, &trace), HA_OK);
    for (int i = 0; i < bg_causality_n_steps(causality); i++) {
        int number = 0;
        ck_assert_int_eq(bg_causality_step(causality, i, &step, &reason), HA_OK);
        snprintf(wanted, sizeof wanted, "%d  bond %d, %s > %s: stroke at %s; %s: %s", i + 1,
                 step.number, step.tail, step.head,
                 step.stroke == BG_STROKE_HEAD ? step.head : step.tail, step.decided, reason);
        line_of(trace, i, line, sizeof line);
        ck_assert_str_eq(line, wanted);
        ck_assert_int_eq(step.stroke, bg_causality_stroke(causality, step.bond, step.component));
        ck_assert_int_eq(bg_causality_scalar_number(causality, step.bond, step.component, &number),
                         HA_OK);
        ck_assert_int_eq(number, step.number);
        ck_assert_int_eq(step.follows != 0, strncmp(reason, "follows from its", 16) == 0);
        free(reason);
    }
    free(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bonds");
    TCase *tests = tcase_create("bonds");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, heat_is_integrated_for_each_resistor);
    tcase_add_test(tests, no_power_is_left_at_junctions);
    tcase_add_test(tests, half_arrows_decide_the_signs);
    tcase_add_test(tests, components_of_multibonds_have_numbers_of_their_own);
    tcase_add_test(tests, bonds_can_be_asked_for_alone);
    tcase_add_loop_test(tests, steps_are_those_of_the_trace, 0, (int) HA_COUNT(step_graphs));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
