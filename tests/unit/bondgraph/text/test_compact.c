/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compact notation. The truth is the notation's own description: for each text the elements,
 * bonds and values are written out by hand here; places of errors are counted by hand.
 */
#include <config.h>

#include "bondgraph/compact.h"

#include "bondgraph/graph/graph_priv.h"
#include "lib/core/strbuf.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static ha_ctx *ctx;
static bg_graph *graph;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    graph = bg_graph_new(ctx);
    ck_assert_ptr_nonnull(graph);
}

static void tear_down(void)
{
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static ha_status read_text(const char *text)
{
    return bg_compact_read(graph, text, strlen(text), (ha_where){ "a.bgl", 1, 1 });
}

static void read_well(const char *text)
{
    ha_status status = read_text(text);

    ck_assert_msg(status == HA_OK, "%s: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* The text has this error, at this place, with this part of a message; and `n` errors in all. */
static void expect_error(const char *text, ha_status status, size_t n, int line, int column,
                         const char *part)
{
    ha_status found = HA_OK;
    const ha_diag *diag;

    bg_graph_free(graph);
    graph = bg_graph_new(ctx);
    found = read_text(text);
    ck_assert_msg(found == status, "`%s` gives %s", text, ha_status_name(found));
    ck_assert_msg(ha_ctx_n_diags(ctx) == n, "`%s`: %zu errors, the first: %s", text,
                  ha_ctx_n_diags(ctx), ha_ctx_diag(ctx, 0)->text);
    diag = ha_ctx_diag(ctx, 0);
    ck_assert_msg(strstr(diag->text, part) != NULL, "`%s`: %s", text, diag->text);
    ck_assert_str_eq(diag->where.file, "a.bgl");
    ck_assert_msg(diag->where.line == line && diag->where.column == column, "`%s`: %d:%d: %s", text,
                  diag->where.line, diag->where.column, diag->text);
    ha_ctx_clear(ctx);
}

static const char *type_of(const char *name)
{
    bg_element e = bg_graph_find(graph, name);

    ck_assert_msg(e >= 0, "no element `%s`", name);
    return bg_element_type_name(graph, e);
}

/* The constant value number `i` of an element. */
static double value_of(const char *name, int i)
{
    double x = (double) NAN;
    ha_expr e = bg_element_value(graph, bg_graph_find(graph, name), i);

    ck_assert_msg(e != HA_EXPR_NONE && ha_expr_is_constant(bg_graph_dag(graph), e, &x),
                  "the value %d of `%s` is not a constant", i, name);
    return x;
}

static double start_of(const char *name, int i)
{
    const bg__element *e = &graph->elements.items[bg_graph_find(graph, name)];
    double x = (double) NAN;

    ck_assert_ptr_nonnull(bg__extra(e)->start);
    ha_expr start = bg__extra(e)->start[i]; /* a quantity is a symbol that stands for its value */
    ck_assert_int_eq(ha_resolve(bg_graph_dag(graph), start, &start), HA_OK);
    ck_assert(ha_expr_is_constant(bg_graph_dag(graph), start, &x));
    return x;
}

#define ck_assert_same(a, b) ck_assert_msg((a) <= (b) && (a) >= (b), "%.17g != %.17g", (a), (b))

/* --- structure ------------------------------------------------------------------------------- */

START_TEST(a_chain_makes_elements_and_bonds_in_order)
{
    read_well("Se>1a>R;1a>I;1a>C");
    ck_assert_int_eq(bg_graph_n_elements(graph), 5);
    ck_assert_int_eq(bg_graph_n_bonds(graph), 4);
    ck_assert_str_eq(bg_element_name(graph, 0), "Se");
    ck_assert_str_eq(bg_element_name(graph, 1), "1a");
    ck_assert_str_eq(bg_element_name(graph, 4), "C");
    ck_assert_int_eq(bg_bond_tail(graph, 1), 1);
    ck_assert_int_eq(bg_bond_head(graph, 1), 2);
    ck_assert_int_eq(bg_bond_dim(graph, 3), 1);
}
END_TEST

START_TEST(the_longest_type_wins)
{
    static const char *const cases[][2] = {
        { "Se", "Se" },   { "Sf2", "Sf" },      { "MSe1", "MSe" }, { "MSf_a", "MSf" },
        { "I", "I" },     { "I_load", "I" },    { "C10", "C" },    { "R2", "R" },
        { "Re1", "Re" },  { "R_e1", "R" },      { "Rf", "Rf" },    { "Rx", "R" },
        { "TF1", "TF" },  { "MTF", "MTF" },     { "GY", "GY" },    { "MGYm", "MGY" },
        { "0x", "0" },    { "1left", "1" },     { "10", "1" },     { "De", "De" },
        { "Df_q", "Df" }, { "R\xce\xb1", "R" }, { "Sef", "Se" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        read_well(cases[i][0]);
        ck_assert_str_eq(type_of(cases[i][0]), cases[i][1]);
    }
}
END_TEST

START_TEST(blanks_comments_lines_and_empty_items_are_free)
{
    read_well("\xef\xbb\xbf# a filter\r\n\n;; Se { 5 } > 1a >R{ 2 } ; # loss\n\t1a\t>\tC;\n#end");
    ck_assert_int_eq(bg_graph_n_elements(graph), 4);
    ck_assert_int_eq(bg_graph_n_bonds(graph), 3);
    ck_assert_same(value_of("Se", 0), 5.0);
    ck_assert_same(value_of("R", 0), 2.0);
}
END_TEST

START_TEST(an_empty_text_is_an_empty_graph)
{
    read_well("");
    read_well(" # nothing");
    ck_assert_int_eq(bg_graph_n_elements(graph), 0);
}
END_TEST

START_TEST(multibonds_give_their_elements_components)
{
    read_well("Se=3>1a =\t3 > I{2|3|4}; 1b>TF>0b; 0b>C");
    ck_assert_int_eq(bg_element_dim(graph, bg_graph_find(graph, "1a")), 3);
    ck_assert_int_eq(bg_element_dim(graph, bg_graph_find(graph, "C")), 1);
    ck_assert_int_eq(bg_bond_dim(graph, 0), 3);
    ck_assert_same(value_of("I", 2), 4.0);
}
END_TEST

START_TEST(a_transformer_between_two_dimensions_has_a_matrix)
{
    read_well("Se=3>TF{1|2|3|4|5|6}=2>I");
    const bg__element *tf = &graph->elements.items[bg_graph_find(graph, "TF")];
    ck_assert_int_eq(tf->dim, 3);
    ck_assert_int_eq(tf->dim2, 2);
    ck_assert_int_eq(tf->n_values, 6);
    ck_assert_same(value_of("TF", 5), 6.0);
}
END_TEST

START_TEST(a_transformer_of_equal_dimensions_has_moduli_or_a_matrix)
{
    read_well("Se1=2>TF1{5|6}=2>I1; Se2=2>TF2{1|2|3|4}=2>I2; Se3=2>TF3{7}=2>I3");
    ck_assert_int_eq(graph->elements.items[bg_graph_find(graph, "TF1")].dim2, 0);
    ck_assert_int_eq(bg_element_n_values(graph, bg_graph_find(graph, "TF1")), 2);
    ck_assert_int_eq(graph->elements.items[bg_graph_find(graph, "TF2")].dim2, 2);
    ck_assert_int_eq(bg_element_n_values(graph, bg_graph_find(graph, "TF2")), 4);
    ck_assert_int_eq(bg_element_n_values(graph, bg_graph_find(graph, "TF3")), 1);
}
END_TEST

/* --- values ---------------------------------------------------------------------------------- */

START_TEST(values_are_converted_to_si)
{
    read_well("Se{12 V}>1a>R{0.5 ohm};1a>C{10 uF, q=1 uC};1a>I{p = -2e-3, 3 mH}");
    ck_assert_same(value_of("Se", 0), 12.0);
    ck_assert_same(value_of("R", 0), 0.5);
    ck_assert_same(value_of("C", 0), 10e-6);
    ck_assert_same(start_of("C", 0), 1e-6);
    ck_assert_same(value_of("I", 0), 3e-3);
    ck_assert_same(start_of("I", 0), -2e-3);
}
END_TEST

START_TEST(an_element_alone_as_an_item_takes_its_value)
{
    read_well("R1{2};Se>1a>R1;1a>C;C{3}");
    ck_assert_same(value_of("R1", 0), 2.0);
    ck_assert_same(value_of("C", 0), 3.0);
    ck_assert_int_eq(bg_graph_n_elements(graph), 4);
    ck_assert_int_eq(bg_element_n_values(graph, bg_graph_find(graph, "Se")), 0);
}
END_TEST

START_TEST(one_start_value_serves_all_components)
{
    read_well("1a=2>I1{p=3};1a=2>I2{p=3|4}");
    ck_assert_same(start_of("I1", 1), 3.0);
    ck_assert_same(start_of("I2", 1), 4.0);
}
END_TEST

START_TEST(detectors_start_their_integrals)
{
    read_well("Se>1a>R;1a>Df{q=0.5};0b>De{p=2}");
    ck_assert_same(start_of("Df", 0), 0.5);
    ck_assert_same(start_of("De", 0), 2.0);
}
END_TEST

static double one(void *user, ha_expr symbol)
{
    (void) user;
    (void) symbol;
    return 1.0;
}

START_TEST(expressions_may_name_later_elements)
{
    read_well("MSe{2*C.q + 3*(t + I.f)}>1a>I;1a>C");
    ha_expr e = bg_element_value(graph, bg_graph_find(graph, "MSe"), 0);
    ha_expr *symbols = NULL;
    size_t n = 0;

    ck_assert_same(ha_expr_value(bg_graph_dag(graph), e, one, NULL), 8.0);
    ck_assert_int_eq(ha_expr_symbols(bg_graph_dag(graph), e, &symbols, &n), HA_OK);
    ck_assert_uint_eq(n, 3);
    ha__free(symbols);
}
END_TEST

START_TEST(commas_inside_functions_do_not_end_a_value)
{
    read_well("MSe{max(atan2(0, 1), if(t < 1, 2, 3))}>1a>R");
}
END_TEST

START_TEST(parameters_are_constants_over_those_before)
{
    double x = (double) NAN;
    ha_expr e = HA_EXPR_NONE;

    read_well("k = 3 mm; b=2*k\nSe>1a>R{b/k};1a>I");
    ck_assert_int_eq(ha_resolve(bg_graph_dag(graph), bg_graph_lookup(graph, "b"), &e), HA_OK);
    ck_assert(ha_expr_is_constant(bg_graph_dag(graph), e, &x));
    ck_assert_same(x, 6e-3);
    ck_assert_int_eq(bg_graph_n_elements(graph), 4);
}
END_TEST

/* --- errors ---------------------------------------------------------------------------------- */

START_TEST(errors_of_structure_have_their_place)
{
    expect_error("Load>1a", HA_ERR_NAME, 1, 1, 1, "`Load` begins with no element type");
    expect_error("Se>1a;\n  1a>Quux;1a>R", HA_ERR_NAME, 1, 2, 6, "`Quux`");
    expect_error("Se>", HA_ERR_SYNTAX, 1, 1, 4, "needs an element after");
    expect_error("Se>1a>;1a>R", HA_ERR_SYNTAX, 1, 1, 7, "needs an element after");
    expect_error("Se>1a\n>R", HA_ERR_SYNTAX, 1, 2, 1, "begins with the name");
    expect_error("Se>>1a", HA_ERR_SYNTAX, 1, 1, 4, "`>`");
    expect_error("Se 1a", HA_ERR_SYNTAX, 1, 1, 4, "there is `1`");
    expect_error("Se=0>1a", HA_ERR_SYNTAX, 1, 1, 3, "dimension");
    expect_error("Se>1a=2", HA_ERR_SYNTAX, 1, 1, 6, "dimension");
    expect_error("Se>1a=>R", HA_ERR_SYNTAX, 1, 1, 6, "dimension");
    expect_error("Se=3>1a>R", HA_ERR_VALUE, 1, 1, 8, "dimension 1 at `1a`");
    expect_error("Se>R.x", HA_ERR_SYNTAX, 1, 1, 5, "there is `.`");
    expect_error("Se>\xff", HA_ERR_SYNTAX, 1, 1, 4, "no character");
    expect_error("Se>\xc2\xb7", HA_ERR_SYNTAX, 1, 1, 4, "\xc2\xb7");
    expect_error("Se=9999>1a", HA_ERR_VALUE, 2, 1, 1, "4096");
}
END_TEST

START_TEST(errors_of_bonds_name_the_element)
{
    expect_error("Se>1a>R;0b>R", HA_ERR_VALUE, 1, 1, 11, "`R` is bonded 2 times");
    expect_error("1a>TF>0b;TF>0c", HA_ERR_VALUE, 1, 1, 12, "`TF` is bonded 3 times");
    expect_error("1a>1a", HA_ERR_VALUE, 1, 1, 3, "`1a`");
}
END_TEST

START_TEST(errors_of_values_have_their_place)
{
    expect_error("Se>1a>R{2;1a>C{3}", HA_ERR_SYNTAX, 1, 1, 8, "not closed");
    expect_error("Se>1a>R{2\n}", HA_ERR_SYNTAX, 2, 1, 8, "not closed");
    expect_error("R{}", HA_ERR_SYNTAX, 1, 1, 3, "value is missing");
    expect_error("R{2|}", HA_ERR_SYNTAX, 1, 1, 5, "value is missing");
    expect_error("R{2}{3}>1a", HA_ERR_SYNTAX, 1, 1, 5, "one pair of braces");
    expect_error("R{2}>1a;R{2}", HA_ERR_VALUE, 1, 1, 10, "line 1, column 2");
    expect_error("R{2, 3}", HA_ERR_VALUE, 1, 1, 6, "second value");
    expect_error("C{q=2, q=3}", HA_ERR_VALUE, 1, 1, 8, "second start value");
    expect_error("R{2 flup}", HA_ERR_UNIT, 1, 1, 5, "flup");
    expect_error("I{q=2}", HA_ERR_VALUE, 1, 1, 2, "`p`");
    expect_error("R{q=2}", HA_ERR_VALUE, 1, 1, 2, "no start value `q`");
    expect_error("1a{2}", HA_ERR_VALUE, 1, 1, 3, "`1a`");
    expect_error("Re{2}>1a", HA_ERR_VALUE, 1, 1, 3, "`Re`");
    expect_error("R{2|3}>1a", HA_ERR_VALUE, 1, 1, 2, "2 components; give 1 or 1");
    expect_error("Se=3>TF{2}=2>1a", HA_ERR_VALUE, 1, 1, 8, "2 rows of 3");
    expect_error("Se=3>TF=2>1a", HA_ERR_VALUE, 1, 1, 6, "2 rows of 3");
    expect_error("MSe{2*}>1a", HA_ERR_SYNTAX, 1, 1, 7, "MSe");
    expect_error("MSe{2*Q.e}>1a", HA_ERR_NAME, 1, 1, 7, "Q.e");
    expect_error("I{-2}", HA_ERR_VALUE, 1, 1, 1, "-2");
}
END_TEST

START_TEST(errors_of_parameters_have_their_place)
{
    expect_error("k =", HA_ERR_SYNTAX, 1, 1, 4, "`k` has no value");
    expect_error("Se>1a>R;R=3", HA_ERR_NAME, 1, 1, 9, "`R` is an element");
    expect_error("k=3;k=4", HA_ERR_NAME, 1, 1, 5, "`k`");
    expect_error("k=2*t", HA_ERR_VALUE, 1, 1, 3, "not a constant");
    expect_error("t=2", HA_ERR_NAME, 1, 1, 1, "`t`");
    expect_error("pi=3;Se{pi}>1a>R", HA_ERR_NAME, 1, 1, 1, "`pi`");
    expect_error("3=2", HA_ERR_NAME, 1, 1, 1, "`3`");
}
END_TEST

START_TEST(all_errors_are_reported_in_one_go)
{
    /* the element of unknown type gives no second error where it is bonded or read */
    expect_error("Se{1 flup}>1a>Quux\n1a>MSe{2*Quux.f}\n1a>\nR{", HA_ERR_NAME, 4, 1, 15, "Quux");
}
END_TEST

START_TEST(columns_count_on_from_the_place_of_the_text)
{
    const ha_diag *diag;

    ck_assert_int_eq(bg_compact_read(graph, "Se>;R{2 zz}>", 12, (ha_where){ "m.yaml", 7, 11 }),
                     HA_ERR_SYNTAX);
    diag = ha_ctx_diag(ctx, 0);
    ck_assert_int_eq(diag->where.line, 7);
    ck_assert_int_eq(diag->where.column, 14);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 3);
}
END_TEST

START_TEST(a_zero_byte_is_refused)
{
    ck_assert_int_eq(bg_compact_read(graph, "Se\0>1a", 6, HA_NOWHERE), HA_ERR_SYNTAX);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
}
END_TEST

START_TEST(a_name_that_is_too_long_is_refused)
{
    char text[301];

    memset(text, 'R', 300);
    text[300] = '\0';
    expect_error(text, HA_ERR_LIMIT, 1, 1, 1, "300 bytes");
}
END_TEST

/* --- settings -------------------------------------------------------------------------------- */

static ha_status read_set(const char *text, const char *const *sets, int n)
{
    bg_graph_free(graph);
    graph = bg_graph_new(ctx);
    return bg_compact_read_set(graph, text, strlen(text), HA_NOWHERE, sets, n);
}

START_TEST(settings_replace_values_before_they_are_used)
{
    static const char *const sets[] = { "R=7 ohm", "C.q=2", "parameters.k=5", "I.value=3",
                                        "Se=1|2" };
    double x = 0.0;

    ck_assert_int_eq(
        read_set("k=3;m=2*k;Se=2>1a;1a=2>R{k};C{9,q=1}>1b;1b>I{m};1b>TF{m}>0c", sets, 5), HA_OK);
    ck_assert_same(value_of("R", 0), 7.0);
    ck_assert_same(value_of("C", 0), 9.0);
    ck_assert_same(start_of("C", 0), 2.0);
    ck_assert_same(value_of("I", 0), 3.0);
    ck_assert_same(value_of("Se", 1), 2.0);
    ha_expr m = bg_element_value(graph, bg_graph_find(graph, "TF"), 0);
    ck_assert_int_eq(ha_resolve(bg_graph_dag(graph), m, &m), HA_OK);
    ck_assert(ha_expr_is_constant(bg_graph_dag(graph), m, &x));
    ck_assert_same(x, 10.0);
}
END_TEST

START_TEST(wrong_settings_are_refused)
{
    static const struct {
        const char *set;
        ha_status status;
        const char *part;
    } cases[] = {
        { "R", HA_ERR_SYNTAX, "PATH=VALUE" },
        { "=3", HA_ERR_SYNTAX, "PATH=VALUE" },
        { "Q=3", HA_ERR_NAME, "`Q`" },
        { "R1x=3", HA_ERR_NAME, "do you mean `R1`" },
        { "parameters.x=3", HA_ERR_NAME, "`x`" },
        { "R1=", HA_ERR_SYNTAX, "missing" },
        { "R1=3 flup", HA_ERR_UNIT, "flup" },
        { "R1.q=3", HA_ERR_VALUE, "start value" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        ha_status found = read_set("Se>1a>R1;1a>I", &cases[i].set, 1);
        ck_assert_msg(found == cases[i].status, "%s gives %s", cases[i].set, ha_status_name(found));
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, cases[i].part) != NULL, "%s: %s",
                      cases[i].set, ha_ctx_diag(ctx, 0)->text);
        ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "--set");
        ha_ctx_clear(ctx);
    }
}
END_TEST

/* --- size and memory ------------------------------------------------------------------------- */

/* Processor time of reading an RC ladder of 4 n + 2 bonds [s]. */
static double time_ladder(int n)
{
    ha__strbuf text = HA_STRBUF(ctx);
    clock_t begin;

    bg_graph_free(graph);
    graph = bg_graph_new(ctx);
    ha__strbuf_add(&text, "Se>1n0\n");
    for (int i = 0; i < n; i++) {
        ha__strbuf_addf(&text, "1n%d>R%d{2 kohm};1n%d>0n%d>C%d{1 nF};0n%d>1n%d\n", i, i, i, i, i, i,
                        i + 1);
    }
    ha__strbuf_addf(&text, "1n%d>R", n);
    ck_assert_int_eq(text.status, HA_OK);
    begin = clock();
    read_well(ha__strbuf_text(&text));
    begin = clock() - begin;
    ck_assert_int_eq(bg_graph_n_bonds(graph), 4 * n + 2);
    ha__strbuf_clear(&text);
    return (double) begin / CLOCKS_PER_SEC;
}

START_TEST(a_ladder_of_a_million_bonds_takes_time_in_proportion)
{
    double small = time_ladder(2500), large = time_ladder(250000);

    /* a hundred times for linear growth, ten thousand for quadratic, whatever the machine does */
    ck_assert_msg(large < 1000.0 * small, "%g s for 10^4 bonds, %g s for 10^6", small, large);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const char text[] = "k = 3 mm\nSe{12 V}>1a>R{k*2};1a=1>C{10 uF, q=1e-6}\n"
                               "MSe=3>TF{1|2|3|4|5|6}=2>I{2|3, p=1};MSe{2*sin(3*t)*C.q}";
    ha_status status = HA_ERR_MEMORY;
    size_t n = 0;

    for (n = 1; status == HA_ERR_MEMORY; n++) {
        bg_graph_free(graph);
        ha_ctx_clear(ctx);
        graph = bg_graph_new(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_compact_read(graph, text, sizeof text - 1, HA_NOWHERE);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "%s", ha_status_name(status));
        /* the first diagnostic says it; what follows from it may add another */
        ck_assert(status == HA_OK || ha_ctx_diag(ctx, 0)->status == HA_ERR_MEMORY);
    }
    ck_assert_uint_gt(n, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compact");
    TCase *tests = tcase_create("compact");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_chain_makes_elements_and_bonds_in_order);
    tcase_add_test(tests, the_longest_type_wins);
    tcase_add_test(tests, blanks_comments_lines_and_empty_items_are_free);
    tcase_add_test(tests, an_empty_text_is_an_empty_graph);
    tcase_add_test(tests, multibonds_give_their_elements_components);
    tcase_add_test(tests, a_transformer_between_two_dimensions_has_a_matrix);
    tcase_add_test(tests, a_transformer_of_equal_dimensions_has_moduli_or_a_matrix);
    tcase_add_test(tests, values_are_converted_to_si);
    tcase_add_test(tests, an_element_alone_as_an_item_takes_its_value);
    tcase_add_test(tests, one_start_value_serves_all_components);
    tcase_add_test(tests, detectors_start_their_integrals);
    tcase_add_test(tests, expressions_may_name_later_elements);
    tcase_add_test(tests, commas_inside_functions_do_not_end_a_value);
    tcase_add_test(tests, parameters_are_constants_over_those_before);
    tcase_add_test(tests, errors_of_structure_have_their_place);
    tcase_add_test(tests, errors_of_bonds_name_the_element);
    tcase_add_test(tests, errors_of_values_have_their_place);
    tcase_add_test(tests, errors_of_parameters_have_their_place);
    tcase_add_test(tests, all_errors_are_reported_in_one_go);
    tcase_add_test(tests, columns_count_on_from_the_place_of_the_text);
    tcase_add_test(tests, a_zero_byte_is_refused);
    tcase_add_test(tests, a_name_that_is_too_long_is_refused);
    tcase_add_test(tests, settings_replace_values_before_they_are_used);
    tcase_add_test(tests, wrong_settings_are_refused);
    tcase_add_test(tests, a_ladder_of_a_million_bonds_takes_time_in_proportion);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
