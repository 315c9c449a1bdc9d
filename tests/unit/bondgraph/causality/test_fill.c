/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings of k 1-junctions with a source of 1 and a capacitance each, joined by gyrators: with what
 * follows from the loop inserted, every row would be a sum over half the ring. Signals that are
 * kept as unknowns make it sparse, and change nothing else: the laws
 *
 *     1 - q_i / C_i - r_i f_i+1 + r_i-1 f_i-1 = 0
 *
 * hold at the start and later.
 */
#include <config.h>

#include "bondgraph/causality.h"
#include "bondgraph/compact.h"
#include "bondgraph/equations.h"
#include "bondgraph/model.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4001, PER_JUNCTION = 96 };

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_equations *equations;
static bg_model *model;
static ha_result *result;
static char text[MOST * PER_JUNCTION];
static double c[MOST], r[MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
    causality = NULL;
    equations = NULL;
    model = NULL;
}

static void tear_down(void)
{
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static void read_ring(int k)
{
    uint64_t state = 3;
    size_t n = 0;

    for (int i = 0; i < k; i++) {
        c[i] = random_in(&state, 0.5, 2.0);
        r[i] = random_in(&state, 0.8, 1.25);
    }
    for (int i = 0; i < k; i++) {
        n += (size_t) snprintf(text + n, sizeof text - n,
                               "Se%d>1n%d;1n%d>C%d{%.17g};1n%d>GY%d{%.17g};GY%d>1n%d;", i, i, i, i,
                               c[i], i, i, r[i], i, (i + 1) % k);
    }
    ck_assert_int_eq(bg_compact_read(graph, text, n, HA_NOWHERE), HA_OK);
}

static double value(size_t row, const char *element, int i, const char *quantity)
{
    char name[32];

    snprintf(name, sizeof name, "%s%d.%s", element, i, quantity);
    int column = ha_result_find(result, name);
    ck_assert_int_ge(column, 0);
    return ha_result_value(result, row, (size_t) column);
}

START_TEST(laws_hold_in_large_rings)
{
    const int k = 700 + _i;
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    read_ring(k);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    options.solver.t_end = 0.01;
    options.solver.step = 0.01;
    options.solver.rtol = 1e-7;
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        for (int i = 0; i < k; i++) {
            int on = (i + 1) % k, back = (i + k - 1) % k;
            double left = 1.0 - value(row, "C", i, "q") / c[i] - r[i] * value(row, "C", on, "f") +
                          r[back] * value(row, "C", back, "f");
            double size = 1.0 + fabs(r[i] * value(row, "C", on, "f"));
            ck_assert_double_eq_tol(left / size, 0.0, 1e-8);
        }
    }
    ck_assert_double_le(report.energy_error, 1e-4 * report.energy_passed);
}
END_TEST

/* Twice the ring, twice the entries; loop variables are those of any ring. */
START_TEST(entries_grow_with_the_ring)
{
    const int size = (1 + _i / 2) * 2000 + _i % 2;

    read_ring(size);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_causality_n_loop_variables(causality), _i % 2 == 0 ? 2 : 1);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    const ha_dae *dae = bg_model_dae(model);
    ck_assert_int_lt(dae->column_start[dae->n], 20 * (int64_t) size);
}
END_TEST

/* Small ones are as they were. */
START_TEST(nothing_is_kept_in_small_rings)
{
    read_ring(100 + _i);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    ck_assert_int_le(bg_model_dae(model)->n, 102);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill");
    TCase *tests = tcase_create("fill");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, laws_hold_in_large_rings, 0, 2);
    tcase_add_loop_test(tests, entries_grow_with_the_ring, 0, 4);
    tcase_add_loop_test(tests, nothing_is_kept_in_small_rings, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
