/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random bond graphs written to files and read back: strokes, names and equations are the same. */
#include <config.h>

#include "bondgraph/bgt.h"
#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/unit/bondgraph/random_graph.h"

#include <check.h>

enum { N_SEEDS = 1000 };

/* What a graph comes to: strokes, roles, loops, diagnostics, and its equations in sorted lines. */
static void digest(bg_graph *graph, char text[2 * MAX_TEXT])
{
    static char lines[400][128];
    bg_causality *c = NULL;
    char *equations = NULL;
    int n = 0;

    ck_assert_int_eq(bg_causality_assign(graph, &c), HA_OK);
    summarise(c, text);
    if (bg_equations_text(c, &equations) == HA_OK) {
        for (char *line = strtok(equations, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            ck_assert_int_lt(n, (int) HA_COUNT(lines));
            snprintf(lines[n++], sizeof lines[0], "%s", line);
        }
    }
    qsort(lines, (size_t) n, sizeof lines[0], compare_lines);
    size_t at = strlen(text);
    for (int i = 0; i < n; i++) {
        at += (size_t) snprintf(text + at, 2 * MAX_TEXT - at, "\n%s", lines[i]);
    }
    free(equations);
    bg_causality_free(c);
}

typedef ha_status (*graph_writer)(bg_graph *graph, char **out);
typedef ha_status (*graph_reader)(bg_graph *graph, const char *text);

static ha_status read_compact(bg_graph *graph, const char *text)
{
    return bg_compact_read(graph, text, strlen(text), HA_NOWHERE);
}

static ha_status write_bgt(bg_graph *graph, char **out)
{
    return bg_bgt_write(graph, "model", out);
}

static ha_status read_bgt(bg_graph *graph, const char *text)
{
    return bg_bgt_read(graph, text, strlen(text), "model.bg", NULL, 0);
}

/* Writes a graph and compares what is read back; false when the format cannot hold it. */
static bool reads_back(const char *text, graph_writer write, graph_reader read)
{
    static char digests[2][2 * MAX_TEXT];
    char *written = NULL;
    ha_ctx *contexts[2] = { ha_ctx_new(), ha_ctx_new() };
    bg_graph *graphs[2] = { bg_graph_new(contexts[0]), bg_graph_new(contexts[1]) };
    ck_assert_int_eq(read_compact(graphs[0], text), HA_OK);
    ha_status status = write(graphs[0], &written);

    ck_assert(status == HA_OK || status == HA_ERR_UNSUPPORTED);
    ha_ctx_clear(contexts[0]);
    if (status == HA_OK) {
        ck_assert_msg(read(graphs[1], written) == HA_OK, "%s: %s", written,
                      last_error(contexts[1]));
        digest(graphs[0], digests[0]);
        digest(graphs[1], digests[1]);
        ck_assert_msg(strcmp(digests[0], digests[1]) == 0, "%s\ngives\n%s\nnot\n%s", written,
                      digests[1], digests[0]);
    }
    free(written);
    for (int i = 0; i < 2; i++) {
        bg_graph_free(graphs[i]);
        ha_ctx_free(contexts[i]);
    }
    return status == HA_OK;
}

START_TEST(written_graphs_read_back_alike)
{
    static char text[MAX_TEXT];
    int n_exchanged = 0;

    for (unsigned seed = 1; seed <= N_SEEDS; seed++) {
        description d = random_graph(seed);
        write_text(&d, true, text);
        ck_assert_msg(reads_back(text, bg_compact_write, read_compact), "%s is refused", text);
        /* files of BondGraphTools hold no values that vary, no sinks and no detectors */
        for (int e = 0; e < d.n_elements; e++) {
            if (strchr(d.e[e].value, 't') != NULL) {
                snprintf(d.e[e].value, sizeof d.e[e].value, "{%d.37}", e + 1);
            }
        }
        write_text(&d, true, text);
        n_exchanged += reads_back(text, write_bgt, read_bgt);
    }
    ck_assert_int_gt(n_exchanged, 50);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random_files");
    TCase *tests = tcase_create("random_files");

    tcase_add_test(tests, written_graphs_read_back_alike);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
