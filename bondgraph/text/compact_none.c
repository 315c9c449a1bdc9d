/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of compact.c where programs have to be small. */
#include <config.h>

#include "bondgraph/compact.h"

ha_status bg_compact_read_set(bg_graph *graph, const char *text, size_t length, ha_where where,
                              const char *const *sets, int n_sets)
{
    (void) text;
    (void) length;
    (void) sets;
    (void) n_sets;
    return ha_fail(bg_graph_ctx(graph), HA_ERR_UNSUPPORTED, where,
                   "bond graphs in the compact notation are not read here; write it as a model "
                   "file before with `halfarrow convert`");
}
