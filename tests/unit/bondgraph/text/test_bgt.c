/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of BondGraphTools. The expected numbers are solutions by hand of the laws of its components
 * as its library states them: each port counts its flow into its component,
 *   R e = r f, C q = C e, I p = L f, Se e_0 = e, Sf f_0 = -f, TF e_1 = r e_0, f_0 = -r f_1,
 *   GY e_1 = -R f_0, e_0 = R f_1,
 * and over a bond the efforts are equal and the flows opposite.
 */
#include <config.h>

#include "bondgraph/bgt.h"
#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;

static void setup(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
}

static void teardown(void)
{
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static ha_status read_text(const char *text)
{
    return bg_bgt_read(graph, text, strlen(text), "test.bg", NULL, 0);
}

/* A file of one model with these lists. */
#define FILE_OF(components, netlist)                                                               \
    "version: 0.1\nroot: test\nmodels:\n  /:\n    components: [" components                        \
    "]\n    netlist: [" netlist "]\n"

/* Reads a file and runs it to `t_end`; the value of an output at the end. */
static ha_result *run(const char *text, double t_end)
{
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();

    ck_assert_msg(read_text(text) == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    options.solver.t_end = t_end;
    options.solver.rtol = options.solver.atol = 1e-10;
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
    return result;
}

static double at_end(const ha_result *result, const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "no output %s", name);
    return ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column);
}

/* q'' L + r q' + q / C = e from rest: q = C e (1 - exp(-a t) (cos w t + a / w sin w t)). */
START_TEST(a_series_circuit_oscillates)
{
    ha_result *result = run(FILE_OF("S base/Se e=3, R base/R r=0.4, L base/I L=2, K base/C C=0.5, "
                                    "j base/1",
                                    "S j.non_inverting, j.inverting R, j.inverting L, "
                                    "j.inverting K"),
                            1.7);
    double a = 0.4 / (2.0 * 2.0), w = sqrt(1.0 / (2.0 * 0.5) - a * a), t = 1.7;
    double q = 0.5 * 3.0 * (1.0 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));

    ck_assert_double_eq_tol(at_end(result, "K.q"), q, 1e-8);
    ha_result_free(result);
}
END_TEST

/* Bonds without named ports at a 1-junction: inverting at the tail, non_inverting at the head; a
   named port counts whatever the arrow. 4 f' = 12 - 2 f. */
START_TEST(the_sign_at_a_junction_is_the_ports_not_the_arrows)
{
    ha_result *result = run(
        FILE_OF("S base/Se 12, R base/R 2, L base/I 4, j base/1", "S j, j L, R j.inverting"), 1.0);

    ck_assert_double_eq_tol(at_end(result, "R.e"), 12.0 * (1.0 - exp(-0.5)), 1e-8);
    ck_assert_double_eq_tol(at_end(result, "L.e"), 12.0 * exp(-0.5), 1e-8);
    ha_result_free(result);
}
END_TEST

START_TEST(a_flow_source_gives_its_flow_to_the_outside)
{
    ha_result *result = run(FILE_OF("S base/Sf f=3, R base/R r=5, z base/0", "z S, z R"), 0.0);

    ck_assert_double_eq_tol(at_end(result, "R.e"), 15.0, 1e-12);
    ha_result_free(result);
}
END_TEST

/* e_1 = 2 * 10 at 5 ohm: 4 leave port 1, f_0 = 8 enter port 0. In either order of the bonds. */
START_TEST(a_transformer_multiplies_the_effort_at_port_1)
{
    static const char *const texts[] = {
        FILE_OF("S base/Se e=10, T base/TF r=2, R base/R r=5", "S T.0, T.1 R"),
        FILE_OF("S base/Se e=10, T base/TF r=2, R base/R r=5", "R T.1, T.0 S"),
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ha_result *result = run(texts[i], 0.0);
        ck_assert_double_eq_tol(at_end(result, "R.e"), 20.0, 1e-12);
        ck_assert_double_eq_tol(fabs(at_end(result, "R.f")), 4.0, 1e-12);
        ck_assert_double_eq_tol(fabs(at_end(result, "S.f")), 8.0, 1e-12);
        ha_result_free(result);
        teardown();
        setup();
    }
}
END_TEST

/* e_0 = R f_1: 10 / 2 = 5 enter port 1, so 5 leave the resistor: e = -15; e_1 = -R f_0: f_0 = 7.5.
   In either order of the bonds. */
START_TEST(a_gyrator_turns_the_sign)
{
    static const char *const texts[] = {
        FILE_OF("S base/Se e=10, G base/GY R=2, R base/R r=3", "S G.0, G.1 R"),
        FILE_OF("S base/Se e=10, G base/GY R=2, R base/R r=3", "G.1 R, S G.0"),
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ha_result *result = run(texts[i], 0.0);
        ck_assert_double_eq_tol(at_end(result, "R.e"), -15.0, 1e-12);
        ck_assert_double_eq_tol(at_end(result, "R.f"), -5.0, 1e-12);
        ck_assert_double_eq_tol(at_end(result, "S.f"), 7.5, 1e-12);
        ha_result_free(result);
        teardown();
        setup();
    }
}
END_TEST

/* Two 1-junctions bonded with the same sign on both sides have opposite flows: 4 f' = 12 - 2 f in
   L, and R sees -f. */
START_TEST(equal_signs_of_two_junctions_turn_the_flow)
{
    ha_result *result = run(FILE_OF("S base/Se 12, L base/I 4, a base/1, b base/1, R base/R 2",
                                    "S a, a L, a.inverting b.inverting, b R"),
                            1.0);

    ck_assert_double_eq_tol(at_end(result, "L.f"), 6.0 * (1.0 - exp(-0.5)), 1e-8);
    ck_assert_double_eq_tol(at_end(result, "R.f"), -6.0 * (1.0 - exp(-0.5)), 1e-8);
    ck_assert_double_eq_tol(at_end(result, "R.e"), -12.0 * (1.0 - exp(-0.5)), 1e-8);
    ha_result_free(result);
}
END_TEST

/* The circuit of the first test with its resistor and its capacitance in sub-models, one inside the
   other. The only port of a sub-model needs no name. */
START_TEST(sub_models_are_taken_apart)
{
    ha_result *result =
        run("version: 0.1\nroot: test\nmodels:\n"
            "  /: {components: [S base/Se e=3, L base/I L=2, rest /rc, j base/1],\n"
            "      netlist: [S j, j L, j rest.in]}\n"
            "  /rc: {components: [p base/SS, j base/1, R base/R r=0.4, tank /tank],\n"
            "        netlist: [p j, j R, j tank], ports: [p in]}\n"
            "  /tank: {components: [p base/SS, K base/C C=0.5], netlist: [p K], ports: [p way]}\n",
            1.7);
    double a = 0.4 / (2.0 * 2.0), w = sqrt(1.0 / (2.0 * 0.5) - a * a), t = 1.7;
    double q = 0.5 * 3.0 * (1.0 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));

    ck_assert_double_eq_tol(at_end(result, "rest.tank.K.q"), q, 1e-8);
    ck_assert_int_eq(bg_graph_n_elements(graph), 6);
    ck_assert_int_eq(bg_graph_n_bonds(graph), 5);
    ha_result_free(result);
}
END_TEST

START_TEST(a_value_that_is_not_given_is_the_librarys)
{
    ha_result *result = run(FILE_OF("S base/Se e=2000, R base/R", "S R"), 0.0);

    ck_assert_double_eq_tol(at_end(result, "R.f"), 2.0, 1e-12);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "1000"));
    ha_result_free(result);
}
END_TEST

START_TEST(settings_replace_values_before_they_are_converted)
{
    static const char text[] =
        FILE_OF("S base/Se e=10, T base/TF r=7, R base/R r=5", "S T.0, T.1 R");
    static const char *const sets[] = { "T=2" };
    static const char *const wrong[] = { "X=2" };
    double value = 0.0;

    ck_assert_int_eq(bg_bgt_read(graph, text, strlen(text), "x", sets, 1), HA_OK);
    bg_element t = bg_graph_find(graph, "T");
    ck_assert(ha_expr_is_constant(bg_graph_dag(graph), bg_element_value(graph, t, 0), &value));
    ck_assert_double_eq(value, 0.5);
    teardown();
    setup();
    ck_assert_int_eq(bg_bgt_read(graph, text, strlen(text), "x", wrong, 1), HA_ERR_NAME);
}
END_TEST

/* Each wrong file, its status, and a word of the message. */
static const struct {
    const char *text;
    ha_status status;
    const char *word;
    int line, column;
} wrongs[] = {
    { "version: 0.2\nmodels: {/: {components: []}}\n", HA_ERR_VALUE, "0.2", 1, 10 },
    { "version: 0.1\nmodels: {other: {components: []}}\n", HA_ERR_NAME, "root", 2, 9 },
    { "version: 0.1\nmodels: {/: {components: [D elec/Di]}}\n", HA_ERR_NAME, "elec/Di", 2, 29 },
    { "version: 0.1\nmodels: {/: {components: [X base/PH]}}\n", HA_ERR_NAME, "base/PH", 2, 29 },
    { "version: 0.1\nmodels: {/: {components: [X BioChem/Re]}}\n", HA_ERR_NAME, "BioChem/Re", 2,
      29 },
    { "version: 0.1\nmodels: {/: {components: [X nothing]}}\n", HA_ERR_NAME, "nothing", 2, 29 },
    { "version: 0.1\nmodels: {/: {components: [a /]}}\n", HA_ERR_LIMIT, "itself", 2, 10 },
    { "version: 0.1\nmodels: {/: {components: [R base/R L=1]}}\n", HA_ERR_VALUE, "`r`", 2, 36 },
    { "version: 0.1\nmodels: {/: {components: [R base/R r=k]}}\n", HA_ERR_NAME, "`k`", 2, 38 },
    { "version: 0.1\nmodels: {/: {components: [R base/R 1, R base/R 2]}}\n", HA_ERR_NAME, "rename",
      2, 39 },
    { FILE_OF("R base/R 1, S base/Se 1", "R X"), HA_ERR_NAME, "`X`", 6, 17 },
    { FILE_OF("T base/TF 1, S base/Se 1", "S T"), HA_ERR_NAME, "NAME.0", 6, 17 },
    { FILE_OF("j base/1, S base/Se 1", "S j.2"), HA_ERR_NAME, "inverting", 6, 17 },
    { FILE_OF("z base/0, S base/Se 1", "S z, S z"), HA_ERR_VALUE, "second", 6, 20 },
    { FILE_OF("p base/SS, S base/Se 1", "S p"), HA_ERR_VALUE, "base/SS", 5, 18 },
    { FILE_OF("T base/TF 0, S base/Se 1, R base/R 1", "S T.0, T.1 R"), HA_ERR_VALUE, "ratio", 5,
      18 },
    { FILE_OF("S base/Se 1", "S"), HA_ERR_SYNTAX, "two", 6, 15 },
};

/* Each of 40 models has two of the next: 2^40 components at the end, or a chain of long names. */
START_TEST(sub_models_without_bound_are_refused)
{
    static char text[64 * 512];
    size_t at = 0;

    for (int is_long = 0; is_long < 2; is_long++) {
        at = (size_t) snprintf(text, sizeof text,
                               "version: 0.1\nmodels:\n  /: {components: [a m1]}\n");
        for (int i = 1; i <= 40; i++) {
            at += (size_t) snprintf(text + at, sizeof text - at,
                                    is_long ? "  m%d: {components: [a_component_of_a_name m%d]}\n"
                                            : "  m%d: {components: [a m%d, b m%d]}\n",
                                    i, i + 1, i + 1);
        }
        snprintf(text + at, sizeof text - at, "  m41: {components: [R base/R 1]}\n");
        ck_assert_int_eq(read_text(text), HA_ERR_LIMIT);
        teardown();
        setup();
    }
}
END_TEST

START_TEST(what_is_wrong_is_named_at_its_place)
{
    ck_assert_int_eq(read_text(wrongs[_i].text), wrongs[_i].status);
    ck_assert_uint_ge(ha_ctx_n_errors(ctx), 1);
    const ha_diag *d = NULL;
    for (size_t i = 0; d == NULL || d->severity != HA_ERROR; i++) {
        d = ha_ctx_diag(ctx, i);
    }
    ck_assert_msg(strstr(d->text, wrongs[_i].word) != NULL, "%s", d->text);
    ck_assert_msg(d->where.line == wrongs[_i].line && d->where.column == wrongs[_i].column,
                  "%d:%d: %s", d->where.line, d->where.column, d->text);
    ck_assert_str_eq(d->where.file, "test.bg");
}
END_TEST

/* What the format does not have is refused with the name of the element. */
START_TEST(what_the_format_lacks_is_not_written)
{
    static const char *const texts[][2] = {
        { "Se>1a;1a>Re;1a>I", "`Re`" },
        { "Se>1a;1a>Df;1a>R", "`Df`" },
        { "MSe{-2*I.f}>1a;1a>I", "`MSe`" },
        { "Se>MTF{2+t};MTF>R", "`MTF`" },
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        char *out = NULL;
        ck_assert_int_eq(bg_compact_read(graph, texts[i][0], strlen(texts[i][0]), HA_NOWHERE),
                         HA_OK);
        ck_assert_int_eq(bg_bgt_write(graph, "x", &out), HA_ERR_UNSUPPORTED);
        ck_assert_ptr_null(out);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, texts[i][1]));
        teardown();
        setup();
    }
}
END_TEST

/* 2 q' + q/0.5 = 3 sin 2t from q = 0.1: q = 0.3 sin 2t - 0.6 cos 2t + 0.7 exp(-t), and a momentum
   of 3 under 2 cos t: p = 3 + 2 sin t. */
static double charge(double t)
{
    return 0.3 * sin(2.0 * t) - 0.6 * cos(2.0 * t) + 0.7 * exp(-t);
}

START_TEST(starts_and_inputs_go_to_a_file_and_back)
{
    static const char text[] =
        "MSe1{3*sin(2*t)}>1a;1a>R{2};1a>C{0.5, q=0.1};MSe2{2*cos(t)}>1b;1b>I{2, p=3}";
    bg_graph *written = bg_graph_new(ctx);
    char *out = NULL;

    ck_assert_int_eq(bg_compact_read(written, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_bgt_write(written, "x", &out), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    ck_assert_ptr_nonnull(strstr(out, "starts:\n  'C': 0.1\n  'I': 3\n"));
    ck_assert_ptr_nonnull(strstr(out, "- 'MSe1 base/Se'"));
    ha_result *result = run(out, 1.7);
    ck_assert_double_eq_tol(at_end(result, "C.q"), charge(1.7), 1e-8);
    ck_assert_double_eq_tol(at_end(result, "I.p"), 3.0 + 2.0 * sin(1.7), 1e-8);
    ha_result_free(result);
    bg_graph_free(written);
    free(out);
}
END_TEST

START_TEST(settings_replace_inputs)
{
    static const char text[] =
        FILE_OF("V base/Sf, C base/C C=1", "V C") "inputs: {V: t}\nstarts: {C: 2}\n";
    const char *set = "V=3";
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();

    ck_assert_int_eq(bg_bgt_read(graph, text, strlen(text), "test.bg", &set, 1), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    options.solver.t_end = 2.0;
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
    ck_assert_double_eq_tol(at_end(result, "C.q"), 8.0, 1e-9);
    ha_result_free(result);
}
END_TEST

START_TEST(starts_and_inputs_of_nothing_are_refused)
{
    static const char *const cases[][2] = {
        { "starts: {X: 1}\n", "`X` under `starts` is no component base/C or base/I" },
        { "starts: {R: 1}\n", "`R` under `starts` is no component" },
        { "starts: {C: t}\n", "the start of `C` depends on `t`" },
        { "starts: 3\n", "`starts`" },
        { "inputs: {C: 1}\n", "`C` under `inputs` is no component base/Se or base/Sf" },
        { "inputs: {V: C.q}\n", "unknown name `C.q`" },
        { "inputs: {W: t}\n", "`W` has a value among the components" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 FILE_OF("V base/Se, W base/Se e=1, R base/R r=1, C base/C C=1, j base/1",
                         "V j, j W, j R, j C") "%s",
                 cases[i][0]);
        bg_graph *g = bg_graph_new(ctx);
        size_t before = ha_ctx_n_diags(ctx);
        ck_assert_int_ne(bg_bgt_read(g, text, strlen(text), "test.bg", NULL, 0), HA_OK);
        ck_assert_uint_gt(ha_ctx_n_diags(ctx), before);
        ck_assert_msg(strstr(ha_ctx_diag(ctx, before)->text, cases[i][1]) != NULL, "%s",
                      ha_ctx_diag(ctx, before)->text);
        bg_graph_free(g);
    }
}
END_TEST

static ha_status read_and_write(void *own)
{
    static const char text[] =
        "version: 0.1\nmodels:\n  /: {components: [S base/Se e=3, a /sub, b /sub, j base/1],\n"
        "      netlist: [S j, j a.in, j b.in]}\n"
        "  /sub: {components: [p base/SS, R base/R r=1, C base/C C=1, j base/1, V base/Se], "
        "netlist: [p j, j R, j C, V j], ports: [p in]}\n"
        "starts: {a.C: 2}\ninputs: {b.V: sin(t), a.V: 0}\n";
    bg_graph *g = bg_graph_new(own);
    char *out = NULL;
    ha_status status =
        g == NULL ? HA_ERR_MEMORY : bg_bgt_read(g, text, sizeof text - 1, "x", NULL, 0);

    status = status == HA_OK ? bg_bgt_write(g, "x", &out) : status;
    ck_assert((status == HA_OK) == (out != NULL));
    free(out);
    bg_graph_free(g);
    return status;
}

START_TEST(lack_of_memory_is_reported)
{
    ha_ctx *own = ha_ctx_new();

    memory_survives(own, 0, read_and_write, own);
    ha_ctx_free(own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bgt");
    TCase *tests = tcase_create("bgt");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_series_circuit_oscillates);
    tcase_add_test(tests, the_sign_at_a_junction_is_the_ports_not_the_arrows);
    tcase_add_test(tests, a_flow_source_gives_its_flow_to_the_outside);
    tcase_add_test(tests, a_transformer_multiplies_the_effort_at_port_1);
    tcase_add_test(tests, a_gyrator_turns_the_sign);
    tcase_add_test(tests, equal_signs_of_two_junctions_turn_the_flow);
    tcase_add_test(tests, sub_models_are_taken_apart);
    tcase_add_test(tests, a_value_that_is_not_given_is_the_librarys);
    tcase_add_test(tests, settings_replace_values_before_they_are_converted);
    tcase_add_loop_test(tests, what_is_wrong_is_named_at_its_place, 0, (int) HA_COUNT(wrongs));
    tcase_add_test(tests, sub_models_without_bound_are_refused);
    tcase_add_test(tests, what_the_format_lacks_is_not_written);
    tcase_add_test(tests, starts_and_inputs_go_to_a_file_and_back);
    tcase_add_test(tests, settings_replace_inputs);
    tcase_add_test(tests, starts_and_inputs_of_nothing_are_refused);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
