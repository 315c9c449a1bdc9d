/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bond graph in the compact notation and the result of its run, made anew for each test. */
#ifndef TESTS_UNIT_BONDGRAPH_SIMULATED_H
#define TESTS_UNIT_BONDGRAPH_SIMULATED_H

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/util.h"

#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static ha_result *result;

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
}

static void tear_down(void)
{
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* Reads the graph, with the outputs of its elements. */
static inline void read_text(const char *text)
{
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
}

static inline double last(const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "no column %s", name);
    return ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column);
}

#endif
