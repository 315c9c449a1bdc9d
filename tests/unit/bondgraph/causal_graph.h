/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph in the compact notation and its causality: what many tests begin with. */
#ifndef TESTS_UNIT_BONDGRAPH_CAUSAL_GRAPH_H
#define TESTS_UNIT_BONDGRAPH_CAUSAL_GRAPH_H

#include "bondgraph/causality.h"
#include "bondgraph/compact.h"
#include "tests/util/util.h"

#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;

static inline void setup(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
}

static inline void teardown(void)
{
    bg_causality_free(causality);
    causality = NULL;
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static inline void read_and_assign(const char *text)
{
    ck_assert_msg(bg_compact_read(graph, text, strlen(text), HA_NOWHERE) == HA_OK, "%s", text);
    ck_assert_msg(bg_causality_assign(graph, &causality) == HA_OK, "%s: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
}

#endif
