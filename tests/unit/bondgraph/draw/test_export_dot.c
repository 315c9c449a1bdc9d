/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures as DOT text. The truth: the strokes that theory prescribes (a source of effort has the
 * stroke at the far end, a resistor that gets the flow at the junction, ...), what the notation of
 * export_dot.c says of them, and Graphviz itself, which has to accept the text.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/expand.h"
#include "bondgraph/export.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_draw_options options;
static char *dot;

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    causality = NULL;
    dot = NULL;
    options = bg_draw_options_default();
    ck_assert_ptr_nonnull(graph);
}

static void clear(void)
{
    free(dot);
    bg_causality_free(causality);
    bg_graph_free(graph);
    dot = NULL;
    causality = NULL;
    graph = NULL;
}

static void tear_down(void)
{
    clear();
    ha_ctx_free(ctx);
}

static void read_graph(const char *text)
{
    ha_status status = bg_compact_read(graph, text, strlen(text), HA_NOWHERE);

    ck_assert_msg(status == HA_OK, "%s: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

static void draw(const char *text, bool is_causal)
{
    read_graph(text);
    if (is_causal) {
        ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    }
    ck_assert_int_eq(bg_graph_dot(graph, causality, &options, &dot), HA_OK);
}

/* The line that holds a text; "" when there is none. Valid until the next call. */
static const char *line_with(const char *part)
{
    static char line[2048];
    const char *found = strstr(dot, part), *end;

    line[0] = '\0';
    if (found != NULL) {
        while (found > dot && found[-1] != '\n') {
            found--;
        }
        end = strchr(found, '\n');
        snprintf(line, sizeof line, "%.*s", (int) (end - found), found);
    }
    return line;
}

/* The line of a bond has this part. */
static void expect_bond(const char *tail, const char *head, const char *part)
{
    char name[200];

    snprintf(name, sizeof name, "\"%s\" -> \"%s\" [", tail, head);
    ck_assert_msg(strstr(line_with(name), part) != NULL, "%s: `%s` is not in\n%s", name, part,
                  line_with(name));
}

static size_t count(const char *part)
{
    size_t n = 0;

    for (const char *at = dot; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

#define HEAD "arrowhead=teervee, arrowtail=none"
#define TAIL "arrowhead=rvee, arrowtail=tee"
#define NONE "arrowhead=rvee, arrowtail=none"

START_TEST(strokes_stand_where_effort_arrives)
{
    draw("Se{12}>1a>R{2};1a>I{3};1a>C{4}", true);
    expect_bond("Se", "1a", HEAD);
    expect_bond("1a", "I", HEAD); /* the inertia gets the effort and gives the flow */
    expect_bond("1a", "C", TAIL);
    expect_bond("1a", "R", TAIL);
    ck_assert_uint_eq(count(" -> "), 4);
    ck_assert_uint_eq(count("penwidth=2"), 0);
}
END_TEST

START_TEST(strokes_do_not_follow_the_half_arrow)
{
    draw("Se>1a;R>1a;I>1a;C>1a", true);
    expect_bond("Se", "1a", HEAD);
    expect_bond("I", "1a", TAIL);
    expect_bond("C", "1a", HEAD);
    expect_bond("R", "1a", HEAD);
}
END_TEST

START_TEST(an_acausal_picture_has_no_strokes)
{
    draw("Se>1a>R;1a>I", false);
    expect_bond("Se", "1a", NONE);
    expect_bond("1a", "I", NONE);
    ck_assert_uint_eq(count("=tee"), 0);
}
END_TEST

START_TEST(derivative_causality_is_marked_by_more_than_colour)
{
    draw("Se>1a>I1;1a>TF>1b>I2;1b>R", true);
    expect_bond("1b", "I2", TAIL);
    expect_bond("1b", "I2", "penwidth=2, style=dashed");
    ck_assert_uint_eq(count("style=dashed"), 1);
    expect_bond("1b", "I2", "class=\"bond derivative\"");
}
END_TEST

/* The smallest size of letters in a picture [pt]. */
static int smallest_letters(void)
{
    int least = 100;

    for (const char *at = dot; (at = strpbrk(at, "fp")) != NULL; at++) {
        static const char *const keys[] = { "fontsize=", "point-size=\"" };
        for (int i = 0; i < 2; i++) {
            size_t length = strlen(keys[i]);
            int size = strncmp(at, keys[i], length) == 0 ? atoi(at + length) : least;
            least = size < least ? size : least;
        }
    }
    return least;
}

START_TEST(letters_are_large_where_that_is_asked_for)
{
    draw("Se{12 V}>1a>R1{5 ohm}", true);
    ck_assert_int_eq(smallest_letters(), 8);
    clear();
    graph = bg_graph_new(ctx);
    options.has_large_letters = 1;
    draw("Se{12 V}>1a>R1{5 ohm}", true);
    ck_assert_int_eq(smallest_letters(), 12);
}
END_TEST

START_TEST(multibonds_are_double_lines_with_their_dimension)
{
    draw("Se{1|2|3}=3>1a;1a=3>I{5};1a=3>R", true);
    expect_bond("Se", "1a", HEAD);
    expect_bond("Se", "1a", "color=\"#111827:#111827\"");
    ck_assert_uint_eq(count("n=3\""), 3);
    ck_assert_ptr_nonnull(strstr(line_with("\"Se\" ["), "1, 2, 3"));
    ck_assert_ptr_nonnull(strstr(line_with("\"I\" ["), "<b>I: 5</b>")); /* one for all */
}
END_TEST

START_TEST(components_whose_strokes_differ_are_named_at_their_ends)
{
    bg_element_def def = bg_element_def_default();
    bg_element body, force, x_only, speed;
    bg_bond bond;
    const char *labels[2] = { "x", "y" };

    /* an effort source on x, a flow source on y: the strokes on the way to the resistors differ */
    def.type = "1";
    def.name = "1a";
    def.dim = 2;
    def.labels = labels;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &body), HA_OK);
    def.name = "1b";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &x_only), HA_OK);
    def.dim = 1;
    def.labels = NULL;
    def.type = "Sf";
    def.name = "Sf";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &force), HA_OK);
    def.type = "I";
    def.name = "I";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &speed), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, body, x_only, 2, HA_NOWHERE, &bond), HA_OK);
    bg_bond_def part = { .tail = force, .head = body, .dim = 1, .head_first = 1 };
    ck_assert_int_eq(bg_graph_add_partial_bond(graph, &part, &bond), HA_OK);
    part = (bg_bond_def){ .tail = x_only, .head = speed, .dim = 1 };
    ck_assert_int_eq(bg_graph_add_partial_bond(graph, &part, &bond), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_graph_dot(graph, causality, &options, &dot), HA_OK);
    /* y: the flow comes from Sf through 1a, so that 1b gives the effort: the stroke at 1a */
    expect_bond("1a", "1b", "arrowhead=teervee, arrowtail=tee");
    ck_assert_int_ne(bg_causality_stroke(causality, 0, 0), bg_causality_stroke(causality, 0, 1));
    const char *at_head = bg_causality_stroke(causality, 0, 0) == BG_STROKE_HEAD ? "x\"" : "y\"";
    const char *label = strstr(line_with("\"1a\" -> \"1b\""), "headlabel=\"");
    ck_assert_ptr_nonnull(label);
    ck_assert_ptr_nonnull(strstr(label, at_head));
}
END_TEST

START_TEST(residual_sinks_say_what_they_are)
{
    draw("Se>1a>I1;1a>0c>1b>I2;1b>R;Re>0c", true);
    ck_assert_ptr_nonnull(strstr(line_with("\"Re\" ["), "rSe[\xce\xb1,\xce\xb2]"));
    free(dot);
    options.alpha = 50.0;
    options.beta = 12.5;
    ck_assert_int_eq(bg_graph_dot(graph, causality, &options, &dot), HA_OK);
    ck_assert_ptr_nonnull(strstr(line_with("\"Re\" ["), "rSe[50,12.5]"));
    free(dot);
    ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
    ck_assert_ptr_nonnull(strstr(line_with("\"Re\" ["), "<rSe>"));
}
END_TEST

START_TEST(an_explicit_sink_is_drawn_as_a_zero)
{
    draw("Se>1a>R;1a>0b>Re", true);
    ck_assert_ptr_nonnull(strstr(line_with("\"Re\" ["), "rSe: f=0"));
}
END_TEST

START_TEST(modulation_is_a_thin_arrow_from_what_is_read)
{
    draw("MSe{2*C.q - C.e + t}>1a>I;1a>C", true);
    expect_bond("C", "MSe", "arrowhead=normal");
    expect_bond("C", "MSe", "style=dotted");
    ck_assert_uint_eq(count("style=dotted"), 1);
}
END_TEST

START_TEST(numbers_are_those_of_the_bonds_and_do_not_depend_on_order)
{
    char first[200];

    draw("Se>1a>R;1a>I", true);
    snprintf(first, sizeof first, "%s", line_with("\"1a\" -> \"R\""));
    clear();
    graph = bg_graph_new(ctx);
    draw("1a>I;1a>R;Se>1a", true);
    ck_assert_str_eq(first, line_with("\"1a\" -> \"R\""));
}
END_TEST

START_TEST(the_same_graph_gives_the_same_bytes)
{
    char *again = NULL;

    draw("Se{sin(t)}>1a>R{1e-3};1a>I;1a>MTF{I.p}>0b>C", true);
    ck_assert_int_eq(bg_graph_dot(graph, causality, &options, &again), HA_OK);
    ck_assert_str_eq(dot, again);
    free(again);
}
END_TEST

START_TEST(values_are_short_in_the_label_and_whole_in_the_tooltip)
{
    draw("R1{1/3}>1a;R2{123456.75}>1a;MSe{sin(2*t) + cos(3*t) + sin(4*t) + cos(5*t) < 0.5}>1a",
         false);
    ck_assert_ptr_nonnull(strstr(line_with("\"R1\" ["), "R: 0.3333<"));
    ck_assert_ptr_nonnull(strstr(line_with("\"R2\" ["), "R: 123456.75<"));
    ck_assert_ptr_nonnull(strstr(line_with("\"MSe\" ["), "\xe2\x80\xa6"));
    ck_assert_ptr_nonnull(strstr(line_with("\"MSe\" ["), "cos(5*t) < 0.5\"")); /* the tooltip */
}
END_TEST

START_TEST(values_are_shown_in_their_units)
{
    draw("Se{5 kV}=2>1a;1a=2>R{2 ohm|300 mohm};1a=2>I{0 g};1a=2>C{k};k=3", false);
    ck_assert_ptr_nonnull(strstr(line_with("\"Se\" ["), "<b>Se: 5 kV</b>"));
    ck_assert_ptr_nonnull(strstr(line_with("\"R\" ["), ">2 ohm, 300 mohm<"));
    ck_assert_ptr_nonnull(strstr(line_with("\"I\" ["), "I: 0 g<"));
    ck_assert_ptr_nonnull(strstr(line_with("\"C\" ["), "C: k<"));
    free(dot);
    options.level = BG_DRAW_SCALAR;
    ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
    ck_assert_ptr_nonnull(strstr(line_with("\"R.2\" ["), "R: 300 mohm<"));
}
END_TEST

START_TEST(units_that_make_no_sense_are_refused)
{
    const bg_unit wrong[] = { { "m", 0.0 }, { "m", (double) NAN }, { "m", -1.0 } };
    const bg_unit two[] = { { "m", 1.0 }, { "s", 1.0 } };

    read_graph("Se{5 V}>R");
    for (size_t i = 0; i < HA_COUNT(wrong); i++) {
        ck_assert_int_eq(bg_graph_set_units(graph, 0, &wrong[i], 1), HA_ERR_ARGUMENT);
    }
    ck_assert_int_eq(bg_graph_set_units(graph, 0, two, 2), HA_ERR_ARGUMENT);
    ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
    ck_assert_ptr_nonnull(strstr(dot, "Se: 5 V")); /* as before */
}
END_TEST

START_TEST(conflicts_are_marked_on_their_path_and_in_words)
{
    draw("Se1>0a>TF>0b>R;Se2>0b", true);
    expect_bond("Se1", "0a", "class=\"bond conflict\"");
    expect_bond("0a", "TF", "class=\"bond conflict\"");
    expect_bond("Se2", "0b", "class=\"bond conflict\"");
    expect_bond("Se2", "0b", "\xc3\x97\"");
    ck_assert_ptr_null(strstr(line_with("\"0b\" -> \"R\""), "conflict"));
    ck_assert_ptr_nonnull(strstr(line_with("  \"Se1\" ["), ">conflict<"));
    ck_assert_ptr_null(strstr(line_with("  \"R\" ["), ">conflict<"));
}
END_TEST

START_TEST(algebraic_loops_are_numbered_at_their_elements)
{
    draw("Se>1a>R1;1a>R2;1a>C", true); /* the resistors share a flow that neither is given */
    expect_bond("1a", "R1", "class=\"bond loop\"");
    expect_bond("1a", "R2", "class=\"bond loop\"");
    ck_assert_ptr_null(strstr(line_with("\"Se\" -> \"1a\""), " loop"));
    ck_assert_ptr_null(strstr(line_with("\"1a\" -> \"C\""), " loop"));
    ck_assert_uint_eq(count(">loop 1<"), 3);
}
END_TEST

START_TEST(detectors_have_activated_bonds_without_strokes)
{
    draw("Se>1a>R;1a>Df;1a>0b>R2;0b>De", true);
    expect_bond("1a", "Df", "arrowhead=normal, arrowtail=none");
    expect_bond("1a", "Df", ": f\"");
    expect_bond("0b", "De", ": e\"");
    expect_bond("0b", "De", "class=\"bond activated\"");
}
END_TEST

START_TEST(ports_are_numbered_where_half_arrows_do_not_tell)
{
    draw("Se>1a;TF{2}>1a;TF>0b;0b>R;1a>I", true);
    ck_assert_uint_eq(count("port 1"), 1);
    ck_assert_uint_eq(count("port 2"), 1);
    clear();
    graph = bg_graph_new(ctx);
    draw("Se>1a>TF{2}>0b>R;1a>I", true);
    ck_assert_uint_eq(count("port "), 0);
}
END_TEST

START_TEST(the_scalar_level_draws_every_component)
{
    options.level = BG_DRAW_SCALAR;
    draw("Se{1|2|3}=3>1a;1a=3>I{5}", true);
    ck_assert_uint_eq(count(" -> "), 6);
    expect_bond("1a.2", "I.2", HEAD);
}
END_TEST

/* Two elements in a group and one outside. */
static void make_groups(void)
{
    bg_element_def def = bg_element_def_default();
    bg_element e[3];
    bg_bond bond;

    def.type = "1";
    def.name = "K1.1";
    def.group = "K1";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &e[0]), HA_OK);
    def.type = "I";
    def.name = "K1";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &e[1]), HA_OK);
    def.type = "Se";
    def.name = "a<\"b\\&";
    def.group = NULL;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &e[2]), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, e[0], e[1], 1, HA_NOWHERE, &bond), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, e[2], e[0], 1, HA_NOWHERE, &bond), HA_OK);
}

START_TEST(groups_are_boxes_and_names_are_escaped)
{
    make_groups();
    ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
    ck_assert_ptr_nonnull(strstr(dot, "subgraph \"cluster_1\" {\n    label=\"K1\""));
    ck_assert_ptr_nonnull(strstr(dot, "\"a<\\\"b\\\\&\""));
    ck_assert_ptr_nonnull(strstr(dot, "a&lt;&quot;b\\&amp;"));
}
END_TEST

START_TEST(the_word_level_draws_groups_as_one)
{
    make_groups();
    options.level = BG_DRAW_WORD;
    ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
    ck_assert_uint_eq(count(" -> "), 1);
    ck_assert_uint_eq(count("shape=box"), 1);
}
END_TEST

START_TEST(an_empty_graph_is_an_empty_picture)
{
    for (int level = 0; level < BG_DRAW_LEVEL_COUNT; level++) {
        options.level = (bg_draw_level) level;
        ck_assert_int_eq(bg_graph_dot(graph, NULL, &options, &dot), HA_OK);
        ck_assert_uint_eq(count(" -> "), 0);
        free(dot);
        dot = NULL;
    }
}
END_TEST

START_TEST(options_without_defaults_are_refused)
{
    bg_draw_options wrong = { 0 };

    ck_assert_int_eq(bg_graph_dot(graph, NULL, &wrong, &dot), HA_ERR_ARGUMENT);
    ck_assert_ptr_null(dot);
}
END_TEST

START_TEST(an_unknown_suffix_is_refused)
{
    ck_assert_int_eq(bg_graph_draw(graph, NULL, &options, "picture.jpg"), HA_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, ".svg"));
}
END_TEST

START_TEST(graphviz_accepts_the_text)
{
    static const char *const suffixes[] = { "dot", "svg", "png", "pdf" };
    static const char *const starts[] = { "digraph", "<?xml", "\x89PNG", "%PDF" };
    char path[100], bytes[8] = { 0 };

    make_groups();
    for (size_t i = 0; i < HA_COUNT(suffixes); i++) {
        snprintf(path, sizeof path, "/tmp/test_export_dot_%ld.%s", (long) getpid(), suffixes[i]);
        ha_status status = bg_graph_draw(graph, NULL, &options, path);
        if (status == HA_ERR_PROCESS && system("command -v dot >/dev/null") != 0) {
            return; /* no Graphviz here: the error is right */
        }
        ck_assert_msg(status == HA_OK, "%s: %s", suffixes[i],
                      ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
        FILE *file = fopen(path, "rb");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_gt(fread(bytes, 1, 7, file), 3);
        fclose(file);
        remove(path);
        ck_assert_int_eq(strncmp(bytes, starts[i], strlen(starts[i])), 0);
    }
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    for (int level = 0; level < BG_DRAW_LEVEL_COUNT; level++) {
        ha_status status = HA_ERR_MEMORY;
        clear();
        graph = bg_graph_new(ctx);
        read_graph("MSe{2*C.q}>1a>I;1a>C;Se{1|2}=2>1b;1b=2>R");
        ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
        options.level = (bg_draw_level) level;
        for (size_t n = 1; status == HA_ERR_MEMORY; n++) {
            ha_ctx_clear(ctx);
            ha_ctx_fail_allocation(ctx, n);
            status = bg_graph_dot(graph, causality, &options, &dot);
            ha_ctx_fail_allocation(ctx, 0);
            ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
            ck_assert(status == HA_OK || dot == NULL);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("export_dot");
    TCase *tests = tcase_create("export_dot");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, strokes_stand_where_effort_arrives);
    tcase_add_test(tests, strokes_do_not_follow_the_half_arrow);
    tcase_add_test(tests, an_acausal_picture_has_no_strokes);
    tcase_add_test(tests, derivative_causality_is_marked_by_more_than_colour);
    tcase_add_test(tests, letters_are_large_where_that_is_asked_for);
    tcase_add_test(tests, multibonds_are_double_lines_with_their_dimension);
    tcase_add_test(tests, components_whose_strokes_differ_are_named_at_their_ends);
    tcase_add_test(tests, residual_sinks_say_what_they_are);
    tcase_add_test(tests, an_explicit_sink_is_drawn_as_a_zero);
    tcase_add_test(tests, modulation_is_a_thin_arrow_from_what_is_read);
    tcase_add_test(tests, numbers_are_those_of_the_bonds_and_do_not_depend_on_order);
    tcase_add_test(tests, the_same_graph_gives_the_same_bytes);
    tcase_add_test(tests, values_are_short_in_the_label_and_whole_in_the_tooltip);
    tcase_add_test(tests, values_are_shown_in_their_units);
    tcase_add_test(tests, units_that_make_no_sense_are_refused);
    tcase_add_test(tests, conflicts_are_marked_on_their_path_and_in_words);
    tcase_add_test(tests, algebraic_loops_are_numbered_at_their_elements);
    tcase_add_test(tests, detectors_have_activated_bonds_without_strokes);
    tcase_add_test(tests, ports_are_numbered_where_half_arrows_do_not_tell);
    tcase_add_test(tests, the_scalar_level_draws_every_component);
    tcase_add_test(tests, groups_are_boxes_and_names_are_escaped);
    tcase_add_test(tests, the_word_level_draws_groups_as_one);
    tcase_add_test(tests, an_empty_graph_is_an_empty_picture);
    tcase_add_test(tests, options_without_defaults_are_refused);
    tcase_add_test(tests, an_unknown_suffix_is_refused);
    tcase_add_test(tests, graphviz_accepts_the_text);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
