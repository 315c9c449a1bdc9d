/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GraphML, read back by igraph: nodes, edges and attributes are those of the graph. */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/export.h"
#include "tests/util/memory.h"
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

/* The edge of the bond with this number. */
static igraph_integer_t edge_numbered(int number)
{
    for (igraph_integer_t i = 0; i < igraph_ecount(&read_back); i++) {
        if (EAN(&read_back, "number", i) == number) {
            return i;
        }
    }
    ck_abort_msg("no edge %d", number);
    return -1;
}

/* Every element and bond of the graph, with its ends and strokes, is what igraph read. */
static void expect_equal(void)
{
    int n_bonds = bg_graph_n_bonds(graph), n_numbered = 0;

    ck_assert_int_eq(igraph_vcount(&read_back), bg_graph_n_elements(graph));
    for (igraph_integer_t i = 0; i < igraph_ecount(&read_back); i++) {
        n_numbered += !isnan(EAN(&read_back, "number", i));
    }
    ck_assert_int_eq(n_numbered, n_bonds);
    for (int i = 0; i < bg_graph_n_elements(graph); i++) {
        igraph_integer_t id = node(bg_element_name(graph, i));
        ck_assert_str_eq(VAS(&read_back, "type", id), bg_element_type_name(graph, i));
    }
    for (int bond = 0; bond < n_bonds; bond++) {
        int number = 0;
        igraph_integer_t from = 0, to = 0;
        ck_assert_int_eq(bg_graph_bond_number(graph, bond, &number), HA_OK);
        igraph_integer_t id = edge_numbered(number);
        ck_assert_int_eq(igraph_edge(&read_back, id, &from, &to), IGRAPH_SUCCESS);
        ck_assert_int_eq(from, node(bg_element_name(graph, bg_bond_tail(graph, bond))));
        ck_assert_int_eq(to, node(bg_element_name(graph, bg_bond_head(graph, bond))));
        ck_assert_double_eq(EAN(&read_back, "dim", id), bg_bond_dim(graph, bond));
        const char *stroke = EAS(&read_back, "stroke", id);
        for (int c = 0; c < bg_bond_dim(graph, bond); c++) {
            static const char *const words[] = {
                [BG_STROKE_NONE] = "", [BG_STROKE_HEAD] = "head", [BG_STROKE_TAIL] = "tail"
            };
            const char *word = words[bg_causality_stroke(causality, bond, c)];
            ck_assert_msg(strncmp(stroke, word, strlen(word)) == 0, "bond %d: %s", number, stroke);
            stroke += strlen(word) + 1;
        }
    }
}

START_TEST(igraph_reads_what_was_written)
{
    static const char *const names[] = { "rc",   "motor",     "multibond", "conflict", "loop",
                                         "ring", "modulated", "sink",      "ports",    "names" };
    static char text[4096];
    char path[100];

    snprintf(path, sizeof path, "tests/golden/%s.bgl", names[_i]);
    FILE *file = fopen(test_source(path), "r");
    ck_assert_msg(file != NULL, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    exchange(text, true);
    expect_equal();
    igraph_destroy(&read_back);
}
END_TEST

START_TEST(any_name_survives)
{
    static const char *const hard[] = { "A \"b\" <c> & \\d", "]]>", "&amp;", "back\\",
                                        "\xce\xb1\xe6\xb1\x89 \xf0\x9f\x94\xa7" };
    bg_element_def def = bg_element_def_default();
    bg_element centre, leaf;
    bg_bond bond;
    char *written = NULL;

    def.type = "1";
    def.name = "centre";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &centre), HA_OK);
    def.type = "R";
    for (size_t i = 0; i < HA_COUNT(hard); i++) {
        def.name = def.group = hard[i];
        ck_assert_int_eq(bg_graph_add_element(graph, &def, &leaf), HA_OK);
        ck_assert_int_eq(bg_graph_add_bond(graph, centre, leaf, 1, HA_NOWHERE, &bond), HA_OK);
    }
    ck_assert_int_eq(bg_graph_graphml(graph, NULL, &options, &written), HA_OK);
    FILE *file = fmemopen(written, strlen(written), "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(igraph_read_graph_graphml(&read_back, file, 0), IGRAPH_SUCCESS);
    fclose(file);
    free(written);
    for (size_t i = 0; i < HA_COUNT(hard); i++) {
        ck_assert_str_eq(VAS(&read_back, "group", node(hard[i])), hard[i]);
    }
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

static ha_status write_again(void *user)
{
    char *out = NULL;
    ha_status status = bg_graph_graphml(user, causality, &options, &out);

    ck_assert((status == HA_OK) == (out != NULL));
    free(out);
    return status;
}

START_TEST(lack_of_memory_is_reported)
{
    static const char text[] = "MSe{-3*Df.q + I.f}>1m>I{k, p=2};1m>Df;k=2";

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    memory_survives(ctx, 0, write_again, graph);
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
    tcase_add_loop_test(tests, igraph_reads_what_was_written, 0, 10);
    tcase_add_test(tests, any_name_survives);
    tcase_add_test(tests, words_are_refused);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
