/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bond graphs as model files and in the compact notation: what is written reads back alike. */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model/run_options.h"
#include "mech2d/read.h"
#include "mech2d/write.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdbool.h>
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

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* True for `X = X`: the symbol of a mechanism stands for the element's of the same name. */
static bool says_nothing(const char *line)
{
    const char *equals = strstr(line, " = ");
    size_t n = equals == NULL ? 0 : (size_t) (equals - line);

    return equals != NULL && strlen(equals + 3) == n && strncmp(line, equals + 3, n) == 0;
}

/* The class, the strokes by the ends of each bond, and the equations, in sorted lines. */
static char *digest(bg_graph *g)
{
    enum { SIZE = 65536, MAX_LINES = 2000 };
    static char text[SIZE], sorted[SIZE];
    static char *lines[MAX_LINES];
    bg_causality *c = NULL;
    char *equations = NULL;
    int n = 0, at = 0;

    ck_assert_int_eq(bg_causality_assign(g, &c), HA_OK);
    at += snprintf(text, SIZE, "%s\n", bg_class_name(bg_causality_class(c)));
    const bg_graph *scalar = bg_causality_scalar_graph(c);
    for (bg_bond b = 0; b < bg_graph_n_bonds(scalar); b++) {
        at += snprintf(text + at, (size_t) (SIZE - at), "%s>%s %d\n",
                       bg_element_name(scalar, bg_bond_tail(scalar, b)),
                       bg_element_name(scalar, bg_bond_head(scalar, b)),
                       bg_causality_scalar_stroke(c, b));
    }
    ck_assert_int_eq(bg_equations_text(c, &equations), HA_OK);
    snprintf(text + at, (size_t) (SIZE - at), "%s", equations);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_int_lt(n, MAX_LINES);
        if (!says_nothing(line)) {
            lines[n++] = line;
        }
    }
    qsort(lines, (size_t) n, sizeof lines[0], compare_lines);
    at = 0;
    for (int i = 0; i < n; i++) {
        at += snprintf(sorted + at, (size_t) (SIZE - at), "%s\n", lines[i]);
    }
    free(equations);
    bg_causality_free(c);
    return strdup(sorted);
}

static void read_compact(bg_graph *g, const char *text)
{
    ck_assert_msg(bg_compact_read(g, text, strlen(text), HA_NOWHERE) == HA_OK, "%s: %s", text,
                  ha_ctx_diag(ctx, 0)->text);
}

static const char *const texts[] = {
    "Se{12}>1a>R{0.5};1a>I{0.1, p=0.25};1a>C{10 uF, q=-1e-6}",
    "k=3;h=0.1;Se{k*sin(2*t)}>1a>R{k/(1 + h)};1a>I{h^2}",
    "wish=0.1;MSe{-3*(Df.q - wish) - Df.f}>1m>I{2};1m>Df{q=0.4};1m>R{if(t < 1, 2, 3)}",
    "Se>1a;1a>I1;1a>MTF{0.7*cos(Df.q)}>0x>1x>I2;1a>Df{q=0.4};0x>Re1",
    "Sf{sin(t)}>0a>De{p=1};0a>C{2};0a>R{-De.p}",
    "1a>I;TF{1/3}>1a;Se>TF;GY{-2}>1b;1a>GY;R>1b",
    "Se_quelle{1}>1_knoten>I_\xc3\xa4;1_knoten>R_\xce\xb1{I_\xc3\xa4.f^2}",
    "Se{0.1}>1y;1y>I_yes;1y>R_null",
};

/* What is written as a model file, expanded with its outputs, and the graph with its own. */
START_TEST(a_model_file_reads_back_alike)
{
    char *written = NULL, *first = NULL, *second = NULL;
    m2d_model *model = NULL;
    m2d_system *system = NULL;

    read_compact(graph, texts[_i]);
    ck_assert_int_eq(m2d_write_graph(graph, "a \"name\"", NULL, &written), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    ck_assert_msg(m2d_read_text(ctx, written, strlen(written), "written", NULL, &model) == HA_OK,
                  "%s: %s", written, ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    ck_assert_str_eq(m2d_model_name(model), "a \"name\"");
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    first = digest(graph);
    second = digest(m2d_system_graph(system));
    ck_assert_msg(strcmp(first, second) == 0, "%s\ngives\n%s\nnot\n%s", written, second, first);
    free(first);
    free(second);
    free(written);
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

START_TEST(the_compact_notation_reads_back_alike)
{
    static const char *const more[] = {
        "Se=3>1a=3>I{1 | 2 | 3, p=0.1|0.2|0.3};1a=3>R{2}",
        "Sf=2>TF{1|2|3|4|5|6};TF=3>0b=3>C;0b=3>R{1|2|3}",
        "1a=2>TF{1|2|3|4};TF=2>0b;1a=2>I;0b=2>C{q=1|-2}",
        "Se=2>1a=2>R{I.1.f + 2|2*I.2.f};1a=2>I",
    };
    const char *text = _i < (int) HA_COUNT(texts) ? texts[_i] : more[_i - (int) HA_COUNT(texts)];
    bg_graph *copy = bg_graph_new(ctx);
    char *written = NULL, *again = NULL, *first = NULL, *second = NULL;

    read_compact(graph, text);
    ck_assert_int_eq(bg_compact_write(graph, &written), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    read_compact(copy, written);
    first = digest(graph);
    second = digest(copy);
    ck_assert_msg(strcmp(first, second) == 0, "%s\ngives\n%s\nnot\n%s", written, second, first);
    ck_assert_int_eq(bg_compact_write(copy, &again), HA_OK);
    ck_assert_str_eq(written, again);
    free(written);
    free(again);
    free(first);
    free(second);
    bg_graph_free(copy);
}
END_TEST

/* Names that a format cannot hold are changed, where values read them, too. */
START_TEST(names_are_changed_where_they_must_be)
{
    static const char text[] = "halfarrow: 1\n"
                               "parameters: {k: 3}\n"
                               "bondgraph:\n"
                               "  elements: {V: {type: Se, value: \"k*x.f\"}, R: {type: I}, I_R: "
                               "{type: R}, j: {type: \"1\"},\n"
                               "             x: {type: Df, q: 1}}\n"
                               "  bonds: [V > j, j > R, j > I_R, j > x]\n";
    m2d_model *model = NULL;
    m2d_system *system = NULL;
    char *written = NULL;

    ck_assert_int_eq(m2d_read_text(ctx, text, sizeof text - 1, "x", NULL, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ck_assert_int_eq(bg_compact_write(m2d_system_graph(system), &written), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->severity, HA_WARNING);
    read_compact(graph, written);
    /* V is an Se; R, an I, becomes I_R, which no other element of that name may be */
    ck_assert_str_eq(bg_element_type_name(graph, bg_graph_find(graph, "Se_V")), "Se");
    ck_assert_str_eq(bg_element_type_name(graph, bg_graph_find(graph, "I_R")), "I");
    ck_assert_str_eq(bg_element_type_name(graph, bg_graph_find(graph, "R_I_R")), "R");
    ck_assert_str_eq(bg_element_type_name(graph, bg_graph_find(graph, "1_j")), "1");
    ck_assert_ptr_nonnull(strstr(written, "Df_x.f"));
    free(written);
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

/* A mechanism without joints can be written: its positions are integrals of flows. The fall from
   rest is the same: y = -9.81 t^2 / 2. */
START_TEST(a_free_body_can_be_written)
{
    static const char text[] = "halfarrow: 1\nbodies: {B: {mass: 2, inertia: 0.1}}\n";
    m2d_model *model = NULL;
    m2d_system *system = NULL;
    char *written = NULL;
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();

    ck_assert_int_eq(m2d_read_text(ctx, text, sizeof text - 1, "x", NULL, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ck_assert_int_eq(bg_compact_write(m2d_system_graph(system), &written), HA_OK);
    read_compact(graph, written);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    options.solver.t_end = 1.0;
    ck_assert_int_eq(bg_simulate(graph, &options, result, NULL), HA_OK);
    int column = ha_result_find(result, "I_B_y.f");
    ck_assert_msg(column >= 0, "%s", written);
    ck_assert_double_eq_tol(ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column),
                            -9.81, 1e-9);
    free(written);
    ha_result_free(result);
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

/* A joint's constraint and a spring follow from positions, which no file can say. */
START_TEST(joints_are_refused_by_name)
{
    static const char text[] = "halfarrow: 1\n"
                               "ground: {points: {O: [0, 0]}}\n"
                               "bodies: {B: {mass: 2, inertia: 0.1, points: {P: [0, 1]}}}\n"
                               "joints: {pin: {type: revolute, between: [ground.O, B.P]}}\n";
    m2d_model *model = NULL;
    m2d_system *system = NULL;
    char *written = NULL;

    ck_assert_int_eq(m2d_read_text(ctx, text, sizeof text - 1, "x", NULL, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ck_assert_int_eq(bg_compact_write(m2d_system_graph(system), &written), HA_ERR_UNSUPPORTED);
    ck_assert_ptr_null(written);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "pin"));
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

/* The options that come back from a file. */
static bg_run_options rewritten(const bg_run_options *options)
{
    char *written = NULL;
    m2d_model *model = NULL;

    ck_assert_int_eq(m2d_write_graph(graph, NULL, options, &written), HA_OK);
    ck_assert_int_eq(m2d_read_text(ctx, written, strlen(written), "x", NULL, &model), HA_OK);
    bg_run_options read = *m2d_model_options(model);
    free(written);
    m2d_model_free(model);
    return read;
}

/* A value of an option that is not its default. */
static double another(const ha__option *row)
{
    return row->words != NULL ? (row->value > 0.0 ? 0.0 : 1.0)
           : row->is_long     ? fmin(row->low + 2.0, row->high)
                              : fmax(0.004, 2.0 * row->low);
}

/* Every option of the table, by itself, and all of them. */
START_TEST(the_options_of_a_run_are_kept)
{
    bg_run_options all = bg_run_options_default();

    read_compact(graph, texts[0]);
    for (size_t i = 0; i < BG__RUN_COUNT; i++) {
        const ha__option *row = &bg__run_options[i];
        bg_run_options one = bg_run_options_default();
        ck_assert_int_eq(ha__option_set(ctx, row, NULL, &one, another(row), HA_NOWHERE), HA_OK);
        ck_assert_int_eq(ha__option_set(ctx, row, NULL, &all, another(row), HA_NOWHERE), HA_OK);
        const bg_run_options read = rewritten(&one);
        for (size_t k = 0; k < BG__RUN_COUNT; k++) {
            const ha__option *other = &bg__run_options[k];
            double value = ha__option_get(other, &read),
                   wanted = k == i ? another(row) : other->value;
            ck_assert_msg(value == wanted || (isnan(value) && isnan(wanted)) ||
                              (k != i && value == ha__option_get(other, &one)),
                          "%s: %s is %g, not %g", row->key, other->key, value, wanted);
        }
    }
    const bg_run_options read = rewritten(&all);
    for (size_t k = 0; k < BG__RUN_COUNT; k++) {
        ck_assert_double_eq(ha__option_get(&bg__run_options[k], &read),
                            another(&bg__run_options[k]));
    }
}
END_TEST

static ha_status write_again(void *user)
{
    char *compact = NULL, *file = NULL;
    ha_status status = bg_compact_write(user, &compact);

    ck_assert((status == HA_OK) == (compact != NULL));
    if (status == HA_OK) {
        status = m2d_write_graph(user, "x", NULL, &file);
        ck_assert((status == HA_OK) == (file != NULL));
    }
    free(compact);
    free(file);
    return status;
}

START_TEST(lack_of_memory_is_reported)
{
    read_compact(graph, texts[3]);
    memory_survives(ctx, 0, write_again, graph);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("write");
    TCase *tests = tcase_create("write");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_model_file_reads_back_alike, 0, (int) HA_COUNT(texts));
    tcase_add_loop_test(tests, the_compact_notation_reads_back_alike, 0, (int) HA_COUNT(texts) + 4);
    tcase_add_test(tests, names_are_changed_where_they_must_be);
    tcase_add_test(tests, a_free_body_can_be_written);
    tcase_add_test(tests, joints_are_refused_by_name);
    tcase_add_test(tests, the_options_of_a_run_are_kept);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
