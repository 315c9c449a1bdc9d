/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GraphML, read back by igraph: nodes, edges and attributes are those of the graph. */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/export.h"
#include "tests/util/util.h"

#include <igraph/igraph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_draw_options options;
static igraph_t read_back;

static void setup(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    causality = NULL;
    options = bg_draw_options_default();
    igraph_set_attribute_table(&igraph_cattribute_table);
}

static void teardown(void)
{
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* Writes the graph of a text and lets igraph read it. */
static void exchange(const char *text, bool is_causal)
{
    char *written = NULL;

    ck_assert_msg(bg_compact_read(graph, text, strlen(text), HA_NOWHERE) == HA_OK, "%s", text);
    if (is_causal) {
        ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    }
    ck_assert_int_eq(bg_graph_graphml(graph, causality, &options, &written), HA_OK);
    FILE *file = fmemopen(written, strlen(written), "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(igraph_read_graph_graphml(&read_back, file, 0), IGRAPH_SUCCESS);
    fclose(file);
    free(written);
    ck_assert(igraph_is_directed(&read_back));
}

static igraph_integer_t node(const char *name)
{
    for (igraph_integer_t i = 0; i < igraph_vcount(&read_back); i++) {
        if (strcmp(VAS(&read_back, "name", i), name) == 0) {
            return i;
        }
    }
    ck_abort_msg("no node %s", name);
    return -1;
}

static igraph_integer_t edge(const char *tail, const char *head)
{
    igraph_integer_t id = -1;

    ck_assert_int_eq(igraph_get_eid(&read_back, &id, node(tail), node(head), true, true),
                     IGRAPH_SUCCESS);
    return id;
}

START_TEST(igraph_reads_elements_and_bonds)
{
    exchange("Se{12}>1a>R{0.5};1a>I{k, p=0.25};1a>TF>0b;C>0b;0b>R2;k=2", true);
    ck_assert_int_eq(igraph_vcount(&read_back), 8);
    ck_assert_int_eq(igraph_ecount(&read_back), 7);
    ck_assert_str_eq(VAS(&read_back, "type", node("R2")), "R");
    ck_assert_str_eq(VAS(&read_back, "value", node("R")), "0.5");
    ck_assert_str_eq(VAS(&read_back, "value", node("I")), "k");
    ck_assert_str_eq(VAS(&read_back, "start", node("I")), "0.25");
    ck_assert_str_eq(VAS(&read_back, "value", node("1a")), "");
    ck_assert_double_eq(VAN(&read_back, "dim", node("1a")), 1.0);
    /* the source has its stroke at the far end, the inertia at its own, C at the junction */
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("Se", "1a")), "head");
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("1a", "I")), "head");
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("C", "0b")), "head");
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("0b", "R2")), "head");
    ck_assert_double_eq(EAN(&read_back, "number", edge("Se", "1a")), 1.0);
    ck_assert_double_eq(EAN(&read_back, "head_port", edge("1a", "TF")), 1.0);
    ck_assert_double_eq(EAN(&read_back, "tail_port", edge("TF", "0b")), 2.0);
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(igraph_reads_signals)
{
    exchange("MSe{-3*Df.q + I.f}>1m>I;1m>Df", true);
    ck_assert_int_eq(igraph_ecount(&read_back), 5);
    igraph_integer_t id = edge("Df", "MSe");
    ck_assert_str_eq(EAS(&read_back, "signal", id), "Df.q");
    ck_assert(isnan(EAN(&read_back, "number", id)));
    ck_assert_str_eq(EAS(&read_back, "signal", edge("I", "MSe")), "I.f");
    ck_assert_str_eq(EAS(&read_back, "signal", edge("1m", "I")), "");
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(igraph_reads_laws)
{
    exchange("MSe{1}>1a>C{e = 2*q};1a>R{e = f^3 + C.q*f}", true);
    ck_assert_str_eq(VAS(&read_back, "law_e", node("C")), "2*q");
    ck_assert_str_eq(VAS(&read_back, "law_e", node("1a")), "");
    ck_assert_str_eq(VAS(&read_back, "law_inverse", node("C")), "");
    ck_assert_str_eq(EAS(&read_back, "signal", edge("C", "R")), "C.q");
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(igraph_reads_multibonds)
{
    exchange("Se=2>1a=2>I{1|3};1a=2>R", true);
    ck_assert_double_eq(EAN(&read_back, "dim", edge("1a", "I")), 2.0);
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("1a", "I")), "head,head");
    ck_assert_str_eq(VAS(&read_back, "value", node("I")), "1 | 3");
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(igraph_reads_the_scalar_level)
{
    options.level = BG_DRAW_SCALAR;
    exchange("Se=2>1a=2>I{1|3};1a=2>R", true);
    ck_assert_int_eq(igraph_vcount(&read_back), 8);
    ck_assert_str_eq(VAS(&read_back, "value", node("I.2")), "3");
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("1a.2", "I.2")), "head");
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(without_causality_there_are_no_strokes)
{
    exchange("Se>1a>I;1a>R", false);
    ck_assert_str_eq(EAS(&read_back, "stroke", edge("1a", "I")), "");
    igraph_destroy(&read_back);
}
END_TEST

/* Signs of XML in values, and letters of any alphabet. */
START_TEST(texts_survive)
{
    exchange("Se_\xce\xb1\xe6\xb1\x89{if(t < 1, 2, 3) + (t >= 2)}>R", true);
    ck_assert_str_eq(VAS(&read_back, "value", node("Se_\xce\xb1\xe6\xb1\x89")),
                     "if(t < 1, 2, 3) + (t >= 2)");
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(words_are_refused)
{
    char *out = NULL;

    options.level = BG_DRAW_WORD;
    ck_assert_int_eq(bg_graph_graphml(graph, NULL, &options, &out), HA_ERR_ARGUMENT);
    options.cookie = 0;
    ck_assert_int_eq(bg_graph_graphml(graph, NULL, &options, &out), HA_ERR_ARGUMENT);
    ck_assert_ptr_null(out);
}
END_TEST

START_TEST(lack_of_memory_is_reported)
{
    static const char text[] = "MSe{-3*Df.q + I.f}>1m>I{k, p=2};1m>Df;k=2";
    ha_status status = HA_ERR_MEMORY;

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    for (size_t n = 1; status != HA_OK; n++) {
        char *out = NULL;
        ha_ctx_fail_allocation(ctx, n);
        status = bg_graph_graphml(graph, causality, &options, &out);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ck_assert((status == HA_OK) == (out != NULL));
        free(out);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("export_graphml");
    TCase *tests = tcase_create("export_graphml");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, igraph_reads_elements_and_bonds);
    tcase_add_test(tests, igraph_reads_signals);
    tcase_add_test(tests, igraph_reads_laws);
    tcase_add_test(tests, igraph_reads_multibonds);
    tcase_add_test(tests, igraph_reads_the_scalar_level);
    tcase_add_test(tests, without_causality_there_are_no_strokes);
    tcase_add_test(tests, texts_survive);
    tcase_add_test(tests, words_are_refused);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
