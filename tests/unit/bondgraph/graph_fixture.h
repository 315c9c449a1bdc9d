/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bond graph in the compact notation as a model, made anew for each test. */
#ifndef TESTS_UNIT_BONDGRAPH_GRAPH_FIXTURE_H
#define TESTS_UNIT_BONDGRAPH_GRAPH_FIXTURE_H

#include "bondgraph/compact.h"
#include "bondgraph/linearise.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_equations *equations;
static bg_model *model;

static inline void begin_model(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
}

/* Frees all but the context. */
static inline void clear_model(void)
{
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
    model = NULL;
    equations = NULL;
    causality = NULL;
    graph = NULL;
}

static inline void end_model(void)
{
    clear_model();
    ha_ctx_free(ctx);
}

/* Compiles the graph of a text with an input and an output, either NULL: none; its start goes to
   `y`, to be freed. */
static inline ha_status compile(const char *text, const char *input, const char *output, double **y)
{
    HA_TRY(bg_compact_read(graph, text, strlen(text), HA_NOWHERE));
    HA_TRY(bg_graph_add_element_outputs(graph));
    HA_TRY(bg_causality_assign(graph, &causality));
    HA_TRY(bg_equations_derive_with(causality, &input, input != NULL, &equations));
    HA_TRY(bg_model_compile_linear(equations, &output, output != NULL, &model));
    *y = calloc((size_t) bg_model_n_unknowns(model) + 1, sizeof **y);
    bg_model_start(model, *y);
    return HA_OK;
}

static inline void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

#endif
