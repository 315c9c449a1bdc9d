/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Algebraic loops and storages in derivative causality, solved: against closed forms, a scalar
 * Newton iteration, nodal analysis, and the balance of power.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_equations *equations;
static bg_model *model;
static ha_result *result;

static void setup(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
}

static void teardown(void)
{
    ha_result_free(result);
    bg_model_free(model);
    model = NULL;
    bg_equations_free(equations);
    equations = NULL;
    bg_causality_free(causality);
    causality = NULL;
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static void assign(const char *text)
{
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
}

static bg_run_report run(const char *text, double t_end, double tolerance, double alpha)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    assign(text);
    ck_assert_int_eq(bg_causality_status(causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    options.solver.t_end = t_end;
    options.solver.step = t_end / 100.0;
    options.solver.rtol = options.solver.atol = tolerance;
    options.alpha = alpha;
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_OK);
    return report;
}

static double value(size_t row, const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "no column %s", name);
    return ha_result_value(result, row, (size_t) column);
}

/* Largest error of a column, relative to the largest magnitude of the closed form. */
static double column_error(const char *name, double (*exact)(double t))
{
    double worst = 0.0, largest = 0.0;

    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double x = exact(ha_result_value(result, i, 0));
        worst = fmax(worst, fabs(value(i, name) - x));
        largest = fmax(largest, fabs(x));
    }
    return worst / largest;
}

/* --- closed forms --------------------------------------------------------------------------- */

static double charge(double t, double u, double R, double C)
{
    return C * u * (1.0 - exp(-t / (R * C)));
}

static double two_resistors(double t)
{
    return charge(t, 3.0, 1.5 + 0.5, 0.4);
}

/* Thevenin: the source seen from R3 and C has u R2 / (R1 + R2) behind R1 R2 / (R1 + R2). */
static double divider(double t)
{
    return charge(t, 3.0 * 0.5 / 2.0, 1.5 * 0.5 / 2.0 + 0.7, 0.4);
}

static double bridge(double t)
{
    return charge(t, 5.0 * (2.0 / 3.0 - 4.0 / 7.0), 1.0 * 2.0 / 3.0 + 3.0 * 4.0 / 7.0, 0.1);
}

static double resonance(double t)
{
    return t * exp(-t);
}

/* 0x would have two efforts of its own unless it has none: I f' = u - R f. */
static double unloaded(double t)
{
    return 2.0 / 0.5 * (1.0 - exp(-0.5 * t / 0.25));
}

/* C e = q, e = n^2 R f, q' = -f with n = 2 + t / 10. */
static double through_varying(double t)
{
    return 3.0 * exp(-10.0 / (2.0 * 1.5) * (1.0 / 2.0 - 1.0 / (2.0 + 0.1 * t)));
}

static const struct {
    const char *text, *column;
    double (*exact)(double t);
    double t_end;
} forms[] = {
    { "Se{3}>1a>R1{1.5};1a>R2{0.5};1a>C{0.4}", "C.q", two_resistors, 2.0 },
    { "Se{3}>1a>R1{1.5};1a>0a>R2{0.5};0a>1b>R3{0.7};1b>C{0.4}", "C.q", divider, 2.0 },
    { "Se{5}>0a>1p>0b;1p>R1{1};0a>1q>0c;1q>R3{3};0b>R2{2};0c>R4{4};0b>1g>0c;1g>C{0.1}", "C.q",
      bridge, 1.0 },
    { "Se{exp(-t)}>1a>R1{0.25};1a>R2{0.75};1a>C", "C.q", resonance, 3.0 },
    { "Se{exp(-t)}>1a>R;1a>C", "C.q", resonance, 3.0 },
    { "Se{2}>1s>R{0.5};1s>I{0.25};1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C", "I.f", unloaded, 2.0 },
    { "1a>MTF{2+0.1*t}>0b>R{1.5};1a>C{2,q=3}", "C.q", through_varying, 4.0 },
};

START_TEST(closed_forms_are_followed)
{
    run(forms[_i].text, forms[_i].t_end, 1e-11, 10.0);
    double error = column_error(forms[_i].column, forms[_i].exact);
    ck_assert_msg(error <= 1e-8, "%s: %g", forms[_i].text, error);
}
END_TEST

/* Nodal analysis of the bridge: two equations for the efforts of 0b and 0c. */
START_TEST(the_bridge_obeys_nodal_analysis)
{
    double R[6] = { 0, 1.1, 2.3, 3.7, 0.9, 1.7 };

    run("Se{3*cos(2*t)}>0a>1p>0b;1p>R1{1.1};0a>1q>0c;1q>R3{3.7};0b>R2{2.3};0c>R4{0.9};0b>1g>0c;"
        "1g>R5{1.7}",
        3.0, 1e-8, 10.0);
    ck_assert_int_eq(bg_causality_n_loop_variables(causality), 2);
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double u = 3.0 * cos(2.0 * ha_result_value(result, i, 0));
        double a = 1 / R[1] + 1 / R[2] + 1 / R[5], d = 1 / R[3] + 1 / R[4] + 1 / R[5];
        double b = -1 / R[5], p = u / R[1], q = u / R[3], det = a * d - b * b;
        double vb = (p * d - b * q) / det, vc = (a * q - b * p) / det;
        ck_assert_double_eq_tol(value(i, "R5.f"), (vb - vc) / R[5], 1e-12);
        ck_assert_double_eq_tol(value(i, "R2.e"), vb, 1e-12);
        ck_assert_double_eq_tol(value(i, "R4.e"), vc, 1e-12);
    }
}
END_TEST

/* u - q / C = 2 f + (0.1 + f^2) f by a scalar Newton iteration. */
START_TEST(a_nonlinear_loop_agrees_with_a_scalar_newton_iteration)
{
    bg_run_report report =
        run("Se{5*cos(t)}>1a>R1{2};1a>R2{0.1+R2.f^2};1a>C{0.5}", 3.0, 1e-9, 10.0);

    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double drop = 5.0 * cos(ha_result_value(result, i, 0)) - value(i, "C.q") / 0.5,
               f = drop / 2;
        for (int k = 0; k < 100; k++) {
            f -= (2.1 * f + f * f * f - drop) / (2.1 + 3.0 * f * f);
        }
        ck_assert_double_eq_tol(value(i, "R1.f"), f, 1e-11);
    }
    ck_assert_double_le(report.energy_error, 1e-7);
}
END_TEST

/* e = f |f| has no slope at f = 0, where the search for the start begins. */
START_TEST(an_orifice_starts_from_rest)
{
    run("Se{6}>1a>R1{3};1a>R2{abs(R2.f)}", 0.0, 1e-6, 10.0);
    ck_assert_double_eq_tol(value(0, "R2.f"), (-3.0 + sqrt(9.0 + 24.0)) / 2.0, 1e-12);
}
END_TEST

/* f = 1e-12 (q - 1e11 f) with q = 1e7: the loop is no weaker for its small numbers. */
START_TEST(a_loop_of_small_numbers_is_solved)
{
    run("C{1,q=1e7}>1a>R1{f = 1e-12*e};1a>R2{e=1e11*f}", 0.0, 1e-6, 10.0);
    ck_assert_double_eq_tol(fabs(value(0, "R1.f")), 1e-5 / 1.1, 1e-14);
}
END_TEST

/* --- balance of power ----------------------------------------------------------------------- */

#define RING                                                                                       \
    ">1x>C1{0.7};Se2{sin(t)}>1y>C2{1.3};Se3{1-cos(t)}>1z>C3{2};1x>GY1{0.8}>1y;"                    \
    "1y>GY2{1.1}>1z;1z>GY3{1.7}>1x"

static const char *const balanced[] = {
    "Se{sin(t)}>1s>R;1s>I;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C", /* T18 */
    ("Se1{0.5}>1x>C1{0.7};Se2{sin(t)}>1y>C2{1.3};Se3{1-cos(t)}>1z>C3{2};1x>GY1{0.8}>1y;"
     "1y>GY2{1.1}>1z;1z>GY3{1.7}>1x"),                                /* T27 */
    "Se{12}>1a>R1;1a>I1;1a>GY{0.4}>1b>I2;1b>R2;1b>TF{3}>1c>I3;1c>C",  /* T25 */
    "Se{12}>1a>R1;1a>I1;1a>GY{0.4}>1b>I2;1b>R2;1b>TF{3}>1c>I3;1c>R3", /* T06 */
    "Se{1-cos(t)}>1a>R1;1a>I1;1a>GY{0.4}>0a>C;0a>1b>I2;1b>R2",        /* T08 */
    "Se1>1x>I1;Se2{sin(t)}>1y>I2;1t>I3;1t>TF1{2}>1x;1t>TF2{3}>1y",    /* T31 */
};

/* What sources give is what the other one-ports take, in every row. */
START_TEST(power_is_balanced_at_every_instant)
{
    static const char *const names[] = { "Se", "MSe1", "Se1", "Se2", "Se3", "R",  "R1", "R2", "R3",
                                         "I",  "I1",   "I2",  "I3",  "C",   "C1", "C2", "C3" };
    bg_run_report report = run(balanced[_i], 2.0, 1e-9, 10.0);

    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double sum = 0.0, size = 0.0;
        for (size_t k = 0; k < HA_COUNT(names); k++) {
            char e[8], f[8];
            snprintf(e, sizeof e, "%s.e", names[k]);
            snprintf(f, sizeof f, "%s.f", names[k]);
            if (ha_result_find(result, e) >= 0) {
                double power = value(row, e) * value(row, f);
                sum += strstr(names[k], "Se") != NULL ? power : -power;
                size += fabs(power);
            }
        }
        ck_assert_msg(fabs(sum) <= 1e-12 * (1.0 + size), "%s: %g of %g", balanced[_i], sum, size);
    }
    ck_assert_double_le(report.energy_error, 1e-6);
}
END_TEST

/* --- a large loop --------------------------------------------------------------------------- */

enum { MAX_GRID = 14, MAX_NODES = MAX_GRID * MAX_GRID };

static const int grids[] = { 8, MAX_GRID }; /* torn with few variables, and sparsely */
static int grid, nodes;

/* Resistance between node k and its neighbour to the right (0) or below (1). */
static double resistance(int k, int way)
{
    return 1.0 + 0.37 * ((7 * k + 3 * way) % 11);
}

/* A grid of resistors with 10 into one corner and the other at 0: every node a 0-junction. */
static void write_grid(char *text, size_t size)
{
    size_t n = (size_t) snprintf(text, size, "Se{10}>0n0;0n%d>Se2{0};", nodes - 1);

    for (int k = 0; k < nodes; k++) {
        for (int way = 0; way < 2; way++) {
            int other = way == 0 ? k + 1 : k + grid;
            if (way == 0 ? k % grid < grid - 1 : k < nodes - grid) {
                n += (size_t) snprintf(text + n, size - n, "0n%d>1r%d_%d>0n%d;1r%d_%d>R%d_%d{%g};",
                                       k, k, way, other, k, way, k, way, resistance(k, way));
            }
        }
    }
}

/* Efforts of the nodes by Gaussian elimination with pivoting. */
static void solve_nodes(double v[MAX_NODES])
{
    static double a[MAX_NODES][MAX_NODES + 1];

    memset(a, 0, sizeof a);
    for (int k = 0; k < nodes; k++) {
        for (int way = 0; way < 2; way++) {
            int other = way == 0 ? k + 1 : k + grid;
            if (way == 0 ? k % grid < grid - 1 : k < nodes - grid) {
                double g = 1.0 / resistance(k, way);
                a[k][k] += g;
                a[other][other] += g;
                a[k][other] -= g;
                a[other][k] -= g;
            }
        }
    }
    for (int end = 0; end < 2; end++) {
        int k = end == 0 ? 0 : nodes - 1;
        for (int j = 0; j < nodes; j++) {
            a[k][j] = 0.0;
        }
        a[k][k] = 1.0;
        a[k][nodes] = end == 0 ? 10.0 : 0.0;
    }
    for (int k = 0; k < nodes; k++) {
        int pivot = k;
        for (int i = k; i < nodes; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j <= nodes; j++) {
            double keep = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = keep;
        }
        for (int i = 0; i < nodes; i++) {
            double factor = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j <= nodes && i != k; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int k = 0; k < nodes; k++) {
        v[k] = a[k][nodes] / a[k][k];
    }
}

START_TEST(a_grid_of_resistors_obeys_nodal_analysis)
{
    static char text[40000];
    double v[MAX_NODES];

    grid = grids[_i];
    nodes = grid * grid;
    write_grid(text, sizeof text);
    run(text, 0.0, 1e-6, 10.0);
    solve_nodes(v);
    for (int k = 0; k < nodes; k++) {
        for (int way = 0; way < 2; way++) {
            int other = way == 0 ? k + 1 : k + grid;
            if (way == 0 ? k % grid < grid - 1 : k < nodes - grid) {
                char name[24];
                snprintf(name, sizeof name, "R%d_%d.e", k, way);
                ck_assert_double_eq_tol(value(0, name), v[k] - v[other], 1e-11);
            }
        }
    }
    if (_i == 0) { /* each node but two can be given its effort by one resistor */
        ck_assert_int_le(bg_causality_n_loop_variables(causality), nodes - 2);
    } else { /* a row has what is read at its node, and no more */
        const ha_dae *dae = bg_model_dae(model);
        ck_assert_int_le((int) dae->column_start[dae->n], 6 * dae->n);
    }
}
END_TEST

/* --- constraints, texts --------------------------------------------------------------------- */

static double relative_flow(double t)
{
    return 8e-8 * exp(-2.0 * 4.0 * t);
}

/* A violated constraint without position level decays as df/dt + 2 alpha f = 0 says. What the
   start violates must be too little to be called a contradiction. */
START_TEST(a_constraint_of_flows_is_stabilised_at_first_order)
{
    run("Se>1a>I1{2,p=1.6e-7};1a>0c>1b>I2{0.5,p=0};1b>R;0c>Re", 1.0, 1e-13, 4.0);
    ck_assert_double_le(column_error("Re.f", relative_flow), 1e-4);
}
END_TEST

START_TEST(loop_variables_do_not_depend_on_the_order_of_the_text)
{
    static const char *const texts[] = {
        "Se>0a>1p>0b;1p>R1;0a>1q>0c;1q>R3;0b>R2;0c>R4;0b>1g>0c;1g>R5",
        "1g>R5;0c>R4;0b>1g>0c;0b>R2;1q>R3;0a>1q>0c;1p>R1;1p>0b;0a>1p;Se>0a",
    };
    char names[2][80] = { "", "" };

    for (size_t i = 0; i < 2; i++) {
        if (i > 0) {
            teardown();
            setup();
        }
        assign(texts[i]);
        for (int k = 0; k < bg_causality_n_loop_variables(causality); k++) {
            strcat(names[i], bg_causality_loop_variable(causality, k));
            strcat(names[i], " ");
        }
    }
    ck_assert_str_eq(names[0], names[1]);
}
END_TEST

START_TEST(the_text_says_what_a_loop_is_solved_for)
{
    char *text = NULL;

    assign("Se>1a>R1;1a>R2;1a>C");
    ck_assert_int_eq(bg_equations_text(causality, &text), HA_OK);
    ck_assert_ptr_nonnull(strstr(text, "# algebraic loop through R1, R2: solved for R1.e\n"
                                       "0 = R1.e - R1*R1.f\n"));
    ck_assert_ptr_null(strstr(text, "\nR1.e = "));
    free(text);
}
END_TEST

START_TEST(the_text_keeps_a_storage_in_a_loop_as_its_content)
{
    char *text = NULL;

    assign("Se1>1x>C1;Se2>1y>C2;Se3>1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x");
    ck_assert_int_eq(bg_equations_text(causality, &text), HA_OK);
    ck_assert_ptr_nonnull(strstr(text, "C3.f = der(C3.q)\n"));
    ck_assert_ptr_nonnull(strstr(text, "0 = C3.q - C3*C3.e\n0 = der(C3.q - C3*C3.e)\n"));
    free(text);
}
END_TEST

/* The mesh 0a - 1d - 0a leaves C1 no effort; C2, which the strokes call dependent, is the state,
   and starts with the value given for it. */
START_TEST(a_dependent_storage_behind_a_loop_may_be_a_state)
{
    run("0a>1d; 1d>0a; 1d>C1{1.5}; 0a>C2{2, q=0.7}; 0a>R{3}", 2.0, 1e-10, 10.0);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double t = ha_result_value(result, row, 0);
        ck_assert_double_eq_tol(value(row, "C2.q"), 0.7 * exp(-t / 6.0), 1e-8);
        ck_assert_double_eq_tol(value(row, "C1.q"), 0.0, 1e-12);
    }
}
END_TEST

/* A ring of two junctions: strokes exist, a solution does not. */
START_TEST(a_mesh_of_gain_one_is_refused_by_name)
{
    const char *text = "1a>0b;0b>1c;1c>0d;0d>1c;Sf5>1a;0b>R6;0b>C7";
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = 1.0;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ha_status status = bg_simulate(graph, &options, result, NULL);
    ck_assert_msg(status == HA_ERR_CAUSALITY, "%s", ha_status_name(status));
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    const char *message = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(message, "`0d`") != NULL && strstr(message, "`1c`") != NULL, "%s",
                  message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loops");
    TCase *tests = tcase_create("loops");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, closed_forms_are_followed, 0, (int) HA_COUNT(forms));
    tcase_add_test(tests, the_bridge_obeys_nodal_analysis);
    tcase_add_test(tests, a_nonlinear_loop_agrees_with_a_scalar_newton_iteration);
    tcase_add_test(tests, an_orifice_starts_from_rest);
    tcase_add_test(tests, a_loop_of_small_numbers_is_solved);
    tcase_add_loop_test(tests, power_is_balanced_at_every_instant, 0, (int) HA_COUNT(balanced));
    tcase_add_loop_test(tests, a_grid_of_resistors_obeys_nodal_analysis, 0, (int) HA_COUNT(grids));
    tcase_add_test(tests, a_constraint_of_flows_is_stabilised_at_first_order);
    tcase_add_test(tests, loop_variables_do_not_depend_on_the_order_of_the_text);
    tcase_add_test(tests, the_text_says_what_a_loop_is_solved_for);
    tcase_add_test(tests, the_text_keeps_a_storage_in_a_loop_as_its_content);
    tcase_add_test(tests, a_dependent_storage_behind_a_loop_may_be_a_state);
    tcase_add_test(tests, a_mesh_of_gain_one_is_refused_by_name);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
