/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes are a bond graph of BondGraphTools or an error, never a crash; one that is
 * read can be written in both notations, and what was written reads back with as many elements.
 */
#include <config.h>

#include "bondgraph/bgt.h"
#include "bondgraph/causality.h"
#include "bondgraph/compact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENOUGH = 1000 }; /* elements to work on */

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void read_back(ha_ctx *ctx, const bg_graph *graph, const char *text, bool is_bgt)
{
    bg_graph *copy = bg_graph_new(ctx);
    ha_status status = is_bgt ? bg_bgt_read(copy, text, strlen(text), "copy", NULL, 0)
                              : bg_compact_read(copy, text, strlen(text), HA_NOWHERE);

    require(status == HA_OK);
    require(bg_graph_n_elements(copy) == bg_graph_n_elements(graph));
    require(bg_graph_n_bonds(copy) == bg_graph_n_bonds(graph));
    bg_graph_free(copy);
}

static void use(ha_ctx *ctx, bg_graph *graph)
{
    bg_causality *causality = NULL;
    char *text = NULL;

    if (bg_graph_n_elements(graph) > ENOUGH) {
        return;
    }
    require(bg_compact_write(graph, &text) == HA_OK);
    read_back(ctx, graph, text, false);
    free(text);
    require(bg_bgt_write(graph, "copy", &text) == HA_OK);
    read_back(ctx, graph, text, true);
    free(text);
    if (bg_causality_assign(graph, &causality) == HA_OK) {
        bg_causality_free(causality);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    char *text = malloc(size + 1);

    if (text != NULL && graph != NULL) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        ha_status status = bg_bgt_read(graph, text, size, "fuzz", NULL, 0);
        require((status == HA_OK) == (ha_ctx_n_errors(ctx) == 0));
        if (status == HA_OK) {
            use(ctx, graph);
        }
    }
    free(text);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return 0;
}
