/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes are a bond graph in the compact notation or an error, never a crash. */
#include <config.h>

#include "bondgraph/compact.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = ctx == NULL ? NULL : bg_graph_new(ctx);

    if (graph != NULL) {
        const char *text = size == 0 ? "" : (const char *) data;
        ha_status status = bg_compact_read(graph, text, size, (ha_where){ "fuzz", 1, 1 });
        /* a failure has its diagnostic, success has none */
        if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0)) {
            abort();
        }
    }
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return 0;
}
