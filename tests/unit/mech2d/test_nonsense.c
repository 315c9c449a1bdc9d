/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NULL, numbers out of their lists and bad names: a status or a harmless value, never a crash. */
#include <config.h>

#include "bondgraph/bgt.h"
#include "bondgraph/causality.h"
#include "bondgraph/compact.h"
#include "bondgraph/equations.h"
#include "bondgraph/expand.h"
#include "bondgraph/export.h"
#include "bondgraph/linearise.h"
#include "lib/compare.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"
#include "mech2d/simulate.h"
#include "mech2d/write.h"

#include "tests/util/util.h"

#include <check.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static ha_result *result;

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
    ck_assert_ptr_nonnull(graph);
    ck_assert_ptr_nonnull(result);
}

static void tear_down(void)
{
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* The call refuses its arguments and says so in the context. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        ha_ctx_clear(ctx);                                                                         \
        ck_assert_int_eq(call, HA_ERR_ARGUMENT);                                                   \
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);                                                \
        ck_assert_int_eq(ha_ctx_diag(ctx, 0)->status, HA_ERR_ARGUMENT);                            \
    } while (0)

/* The call has no object, and with it no context to tell. */
#define LOST(call) ck_assert_int_eq(call, HA_ERR_ARGUMENT)

START_TEST(no_context_makes_no_object)
{
    ck_assert_ptr_null(bg_graph_new(NULL));
    ck_assert_ptr_null(ha_dag_new(NULL));
    ck_assert_ptr_null(ha_result_new(NULL));
    ck_assert_ptr_null(m2d_mechanism_new(NULL));
    ck_assert_ptr_null(bg_graph_new_with(ctx, NULL, 0));
    ck_assert_ptr_null(ha_dag_clone(NULL));
    ck_assert_uint_eq(ha_ctx_n_diags(NULL), 0);
    ck_assert_ptr_null(ha_ctx_diag(NULL, 0));
    ck_assert_ptr_null(ha_ctx_diag(ctx, SIZE_MAX));
    ck_assert_int_eq(ha_fail(NULL, HA_ERR_VALUE, HA_NOWHERE, "%d", 1), HA_ERR_VALUE);
    ha_ctx_clear(NULL);
    ha_ctx_set_interrupt(NULL, NULL);
    ha_ctx_free(NULL);
}
END_TEST

START_TEST(readers_want_a_text_and_a_place_for_what_they_read)
{
    m2d_model *model = NULL;
    ha_result *table = NULL;

    REFUSED(m2d_read_text(ctx, NULL, 0, "model", NULL, &model));
    REFUSED(m2d_read_text(ctx, NULL, 7, "model", NULL, &model));
    REFUSED(m2d_read_text(ctx, "", 0, NULL, NULL, &model));
    REFUSED(m2d_read_text(ctx, "", 0, "model", NULL, NULL));
    REFUSED(m2d_read_file(ctx, NULL, NULL, &model));
    REFUSED(m2d_read_file(ctx, "x", NULL, NULL));
    LOST(m2d_read_file(NULL, "x", NULL, &model));
    LOST(m2d_read_text(NULL, "", 0, "model", NULL, &model));
    REFUSED(bg_bgt_read(graph, NULL, 0, "x", NULL, 0));
    REFUSED(bg_bgt_read(graph, "", 0, "x", NULL, 1));
    REFUSED(bg_compact_read(graph, NULL, 0, HA_NOWHERE));
    LOST(bg_compact_read(NULL, "", 0, HA_NOWHERE));
    LOST(bg_compact_read_set(NULL, "", 0, HA_NOWHERE, NULL, 0));
    REFUSED(ha_result_read(ctx, NULL, &table));
    REFUSED(ha_result_read_csv(ctx, NULL, &table));
    REFUSED(ha_result_read_mat(ctx, "x", NULL));
    ck_assert_ptr_null(model);
    ck_assert_ptr_null(table);
}
END_TEST

START_TEST(writers_want_what_they_write_and_where)
{
    const bg_draw_options draw = bg_draw_options_default();
    char *text = NULL;

    REFUSED(bg_bgt_write(graph, "x", NULL));
    LOST(bg_bgt_write(NULL, "x", &text));
    REFUSED(bg_compact_write(graph, NULL));
    LOST(bg_compact_write(NULL, &text));
    REFUSED(m2d_write_graph(graph, "x", NULL, NULL));
    LOST(m2d_write_graph(NULL, "x", NULL, &text));
    REFUSED(bg_graph_dot(graph, NULL, NULL, &text));
    REFUSED(bg_graph_graphml(graph, NULL, &draw, NULL));
    REFUSED(bg_graph_tikz(graph, NULL, &draw, NULL));
    LOST(bg_graph_svg(NULL, NULL, &draw, &text));
    REFUSED(bg_graph_draw(graph, NULL, &draw, NULL));
    REFUSED(ha_result_write_csv(result, NULL));
    REFUSED(ha_result_write_mat(result, NULL));
    LOST(ha_result_write_csv(NULL, "x"));
    LOST(ha_result_write_mat(NULL, "x"));
    LOST(bg_equations_text(NULL, &text));
    LOST(bg_equations_latex(NULL, &text));
    LOST(bg_equations_c(NULL, NULL, NULL, &text));
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(a_table_has_no_values_beyond_its_end)
{
    const double row[1] = { 7.0 };

    ck_assert_int_eq(ha_result_add_column(result, "t", "s"), HA_OK);
    ck_assert_int_eq(ha_result_add_row(result, row), HA_OK);
    ck_assert_double_eq(ha_result_value(result, 0, 0), 7.0);
    ck_assert(isnan(ha_result_value(result, 0, 1)));
    ck_assert(isnan(ha_result_value(result, 1, 0)));
    ck_assert(isnan(ha_result_value(result, SIZE_MAX, SIZE_MAX)));
    ck_assert(isnan(ha_result_value(NULL, 0, 0)));
    ck_assert_str_eq(ha_result_name(result, 1), "");
    ck_assert_str_eq(ha_result_unit(result, SIZE_MAX), "");
    ck_assert_int_eq(ha_result_find(result, NULL), -1);
    ck_assert_uint_eq(ha_result_n_columns(NULL) + ha_result_n_rows(NULL), 0);
    REFUSED(ha_result_add_row(result, NULL));
    REFUSED(ha_result_add_column(result, NULL, ""));
    REFUSED(ha_compare_results(result, NULL, NULL));
    LOST(ha_result_reserve(NULL, 1));
    ck_assert_ptr_null(ha_compare_get(NULL, 0));
    ha_result_cut(NULL, 0);
}
END_TEST

START_TEST(made_up_expressions_are_refused)
{
    const ha_expr wrong[] = { INT_MIN, -1, 1000000, INT_MAX };
    ha_expr *symbols = NULL, *partials = NULL, out = HA_EXPR_NONE;
    size_t n = 0;

    for (size_t i = 0; i < HA_COUNT(wrong); i++) {
        ha_dag *dag = ha_dag_new(ctx);
        ha_expr e = wrong[i], x = ha_symbol(dag, "x");
        ck_assert_ptr_null(ha_expr_text(dag, e));
        ck_assert_ptr_null(ha_expr_text_cut(dag, e, 9));
        ck_assert_str_eq(ha_symbol_name(dag, e), "");
        ck_assert_str_eq(ha_symbol_name(dag, ha_constant(dag, 3.0)), "");
        ck_assert(isnan(ha_expr_value(dag, e, NULL, NULL)));
        ck_assert_int_eq(ha_expr_op(dag, e), HA_OP_COUNT);
        ck_assert_int_eq(ha_expr_operand(dag, e, 0), HA_EXPR_NONE);
        ck_assert_int_eq(ha_expr_operand(dag, x, -1), HA_EXPR_NONE);
        ck_assert(!ha_expr_is_constant(dag, e, NULL));
        ck_assert_int_eq(ha_partial(dag, e, x), HA_EXPR_NONE);
        ck_assert_int_eq(ha_partial(dag, x, e), HA_EXPR_NONE);
        ck_assert_int_eq(ha_antiderivative(dag, e, x), HA_EXPR_NONE);
        ck_assert_int_eq(ha_expr_replace(dag, e, &x, &x, 1), HA_EXPR_NONE);
        ha_symbol_define(dag, e, x);
        ha_symbol_define(dag, x, e);
        ck_assert_int_eq(ha_symbol_definition(dag, x), HA_EXPR_NONE);
        ha_symbol_set_derivative(dag, e, x);
        REFUSED(ha_resolve(dag, e, &out));
        REFUSED(ha_dt(dag, e, &out));
        REFUSED(ha_gradient(dag, e, &symbols, &partials, &n));
        REFUSED(ha_expr_symbols(dag, e, &symbols, &n));
        REFUSED(ha_expr_parse(dag, NULL, NULL, &out));
        ck_assert_int_eq(ha_dag_status(dag), HA_OK);
        ck_assert_int_eq(ha_add(dag, x, e), HA_EXPR_NONE);
        ck_assert_int_eq(ha_dag_status(dag), HA_ERR_ARGUMENT);
        ha_dag_free(dag);
    }
    ck_assert_int_eq(ha_apply(bg_graph_dag(graph), (ha_op) 999, 0, 0, 0), HA_EXPR_NONE);
    ck_assert_int_eq(ha_op_arity((ha_op) 999), 0);
    ck_assert_str_eq(ha_op_text((ha_op) 999), "");
    LOST(ha_dag_status(NULL));
    ck_assert_int_eq(ha_constant(NULL, 1.0), HA_EXPR_NONE);
    ck_assert_int_eq(ha_symbol(bg_graph_dag(graph), NULL), HA_EXPR_NONE);
}
END_TEST

START_TEST(names_are_printable_text)
{
    static const char *const bad[] = { "a\nb", "\xff", "a\xc3", "\x7f", "a\xed\xa0\x80", "\r" };
    bg_element_def def = bg_element_def_default();
    bg_element e = -1;
    ha_expr p = HA_EXPR_NONE;

    def.type = "I";
    for (size_t i = 0; i < HA_COUNT(bad); i++) {
        def.name = bad[i];
        ha_ctx_clear(ctx);
        ck_assert_int_eq(bg_graph_add_element(graph, &def, &e), HA_ERR_NAME);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        ck_assert_int_eq(bg_graph_add_parameter(graph, bad[i], 1.0, &p), HA_ERR_NAME);
        ck_assert_int_eq(bg_graph_add_output(graph, bad[i], "", bg_graph_time(graph)), HA_ERR_NAME);
    }
    ck_assert_int_eq(bg_graph_n_elements(graph), 0);
    def.name = "\xc3\x84rm.1 a";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &e), HA_OK);
    ck_assert_str_eq(bg_element_name(graph, e), def.name);
}
END_TEST

START_TEST(a_graph_knows_its_elements_and_bonds)
{
    const int wrong[] = { INT_MIN, -1, 1, INT_MAX };
    const ha_expr made_up = 1000000;
    bg_element_def def = bg_element_def_default();
    bg_element e = -1;
    bg_bond bond = -1;
    int number = 0;

    def.type = "I";
    def.name = "m";
    REFUSED(bg_graph_add_element(graph, NULL, &e));
    REFUSED(bg_graph_add_element(graph, &def, NULL));
    LOST(bg_graph_add_element(NULL, &def, &e));
    def.n_values = 1;
    REFUSED(bg_graph_add_element(graph, &def, &e));
    def.value = &made_up;
    REFUSED(bg_graph_add_element(graph, &def, &e));
    def.n_values = 0;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &e), HA_OK);
    for (size_t i = 0; i < HA_COUNT(wrong); i++) {
        int w = wrong[i];
        ck_assert_str_eq(bg_element_name(graph, w), "");
        ck_assert_str_eq(bg_element_type_name(graph, w), "");
        ck_assert_str_eq(bg_element_group(graph, w), "");
        ck_assert_str_eq(bg_element_component(graph, w, 0), "");
        ck_assert_str_eq(bg_element_component(graph, e, w), "");
        ck_assert_str_eq(bg_output_name(graph, w), "");
        ck_assert_int_eq(bg_element_dim(graph, w) + bg_element_n_values(graph, w), 0);
        ck_assert_int_eq(bg_element_value(graph, w, 0), HA_EXPR_NONE);
        ck_assert_int_eq(bg_graph_signal(graph, w, 0, BG_SIGNAL_F), HA_EXPR_NONE);
        ck_assert_int_eq(bg_graph_signal(graph, e, w, BG_SIGNAL_F), HA_EXPR_NONE);
        ck_assert_int_eq(bg_bond_tail(graph, w), -1);
        ck_assert_int_eq(bg_bond_dim(graph, w), 0);
        REFUSED(bg_graph_set_value(graph, w, NULL, 0));
        REFUSED(bg_graph_set_units(graph, w, NULL, 0));
        REFUSED(bg_graph_bond_number(graph, w, &number));
        REFUSED(bg_graph_add_bond(graph, e, w, 1, HA_NOWHERE, &bond));
    }
    REFUSED(bg_graph_set_law(graph, e, NULL));
    REFUSED(bg_graph_add_partial_bond(graph, NULL, &bond));
    REFUSED(bg_graph_add_named_bond(graph, NULL, "m", HA_NOWHERE, &bond));
    REFUSED(bg_graph_add_block(graph, NULL, NULL));
    REFUSED(bg_graph_add_output(graph, "y", "", made_up));
    REFUSED(bg_graph_expand(graph, NULL));
    ck_assert_int_eq(bg_graph_lookup(graph, NULL), HA_EXPR_NONE);
    ck_assert_int_eq(bg_graph_find(graph, NULL), -1);
    ck_assert_int_eq(bg_graph_n_elements(NULL) + bg_graph_n_bonds(NULL), 0);
    ck_assert_ptr_null(bg_graph_ctx(NULL));
}
END_TEST

START_TEST(a_run_wants_a_graph_options_and_a_table)
{
    bg_run_options options = bg_run_options_default();
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    bg_linear linear = { 0 };

    REFUSED(bg_simulate(graph, &options, NULL, NULL));
    REFUSED(bg_simulate(graph, NULL, result, NULL));
    LOST(bg_simulate(NULL, &options, result, NULL));
    REFUSED(bg_causality_assign(graph, NULL));
    LOST(bg_causality_assign(NULL, &causality));
    LOST(bg_causality_status(NULL));
    LOST(bg_equations_derive(NULL, &equations));
    LOST(bg_model_compile(NULL, NULL, 0, &model));
    REFUSED(bg_model_run(ctx, NULL, &options, result, NULL));
    REFUSED(bg_model_probe(ctx, NULL, NULL));
    REFUSED(bg_model_build_native(ctx, NULL));
    REFUSED(bg_linearise(ctx, NULL, NULL, &linear));
    REFUSED(bg_run_options_set(ctx, &options, NULL, "1", HA_NOWHERE));
    REFUSED(bg_run_options_set(ctx, &options, "rtol", NULL, HA_NOWHERE));
    ck_assert_ptr_null(bg_model_dae(NULL));
    ck_assert_int_eq(bg_model_n_unknowns(NULL) + bg_model_n_states(NULL), 0);
    ck_assert_int_eq(bg_model_find_unknown(NULL, "x"), -1);
    ck_assert_str_eq(bg_model_unknown_name(NULL, 0), "");
    bg_model_start(NULL, NULL);
}
END_TEST

START_TEST(causality_has_nothing_beyond_its_lists)
{
    bg_causality *causality = NULL;
    bg_step step;
    char *text = NULL;

    ck_assert_int_eq(bg_compact_read(graph, "Se>1a>R;1a>I", 12, HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_str_eq(bg_causality_name(causality, BG_INTEGRAL, 1), "");
    ck_assert_str_eq(bg_causality_name(causality, BG_INTEGRAL, -1), "");
    ck_assert_str_eq(bg_causality_loop(causality, 0), "");
    ck_assert_str_eq(bg_causality_loop_variable(causality, -7), "");
    REFUSED(bg_causality_step(causality, 999, &step, &text));
    REFUSED(bg_causality_trace(causality, NULL));
    REFUSED(bg_causality_path(causality, 0, NULL));
    bg_causality_free(causality);
}
END_TEST

START_TEST(a_mechanism_knows_its_parts)
{
    static const char text[] = "halfarrow: 1\nbodies: {K: {mass: 1 kg, inertia: 1 kg.m2}}\n";
    const int wrong[] = { INT_MIN, -2, 1, INT_MAX };
    bg_run_options options = bg_run_options_default();
    m2d_model *model = NULL;
    m2d_system *system = NULL;
    m2d_assembly *assembly = NULL;

    ck_assert_int_eq(m2d_read_text(ctx, text, sizeof text - 1, "x", NULL, &model), HA_OK);
    m2d_mechanism *m = m2d_model_mechanism(model);
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    ck_assert_int_eq(m2d_assemble(system, &assembly), HA_OK);
    for (size_t i = 0; i < HA_COUNT(wrong); i++) {
        int w = wrong[i];
        ck_assert_str_eq(m2d_body_name(m, w), "");
        ck_assert_str_eq(m2d_joint_name(m, w), "");
        ck_assert_str_eq(m2d_force_type_name(m, w), "");
        ck_assert_str_eq(m2d_parameter_name(m, w), "");
        ck_assert_int_eq(m2d_joint_end(m, w, 0), -1);
        ck_assert(isnan(m2d_parameter_value(m, w)));
        ck_assert_str_eq(m2d_model_variant(model, w), "");
        ck_assert_str_eq(m2d_model_output(model, w), "");
        ck_assert_str_eq(m2d_system_body_name(system, w), "");
        ck_assert_str_eq(m2d_system_row_name(system, w), "");
        ck_assert(isnan(m2d_assembly_value(assembly, w, M2D_X)));
        ck_assert(isnan(m2d_assembly_residual(assembly, w)));
        ck_assert_str_eq(m2d_assembly_redundant(assembly, w), "");
    }
    ck_assert(isnan(m2d_assembly_value(assembly, 0, (m2d_coordinate) 99)));
    ck_assert_str_eq(m2d_coordinate_name((m2d_coordinate) 99), "");
    REFUSED(m2d_mechanism_add_body(m, NULL));
    REFUSED(m2d_mechanism_add_point(m, NULL));
    REFUSED(m2d_mechanism_add_joint(m, NULL));
    REFUSED(m2d_mechanism_add_force(m, NULL));
    REFUSED(m2d_mechanism_add_element(m, NULL));
    REFUSED(m2d_mechanism_add_bond(m, NULL, "x", HA_NOWHERE));
    REFUSED(m2d_expand(m, NULL));
    REFUSED(m2d_assemble(system, NULL));
    REFUSED(m2d_simulate(m, &options, NULL, NULL));
    REFUSED(m2d_simulate(m, NULL, result, NULL));
    REFUSED(m2d_model_select(model, NULL, NULL, NULL));
    LOST(m2d_expand(NULL, &system));
    LOST(m2d_simulate(NULL, &options, result, NULL));
    ck_assert_int_eq(m2d_mechanism_n_bodies(NULL), 0);
    ck_assert_ptr_null(m2d_model_mechanism(NULL));
    ck_assert_str_eq(m2d_model_name(NULL), "");
    m2d_assembly_free(assembly);
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        no_context_makes_no_object,
        readers_want_a_text_and_a_place_for_what_they_read,
        writers_want_what_they_write_and_where,
        a_table_has_no_values_beyond_its_end,
        made_up_expressions_are_refused,
        names_are_printable_text,
        a_graph_knows_its_elements_and_bonds,
        a_run_wants_a_graph_options_and_a_table,
        causality_has_nothing_beyond_its_lists,
        a_mechanism_knows_its_parts,
    };

    return test_run_all("nonsense", set_up, tear_down, tests, HA_COUNT(tests));
}
