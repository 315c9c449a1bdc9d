/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of bgt_read.c where programs have to be small. */
#include <config.h>

#include "bondgraph/bgt.h"

ha_status bg_bgt_read(bg_graph *graph, const char *text, size_t length, const char *name,
                      const char *const *sets, int n_sets)
{
    (void) text;
    (void) length;
    (void) sets;
    (void) n_sets;
    return ha_fail(bg_graph_ctx(graph), HA_ERR_UNSUPPORTED, (ha_where){ name, 0, 0 },
                   "files of BondGraphTools are not read here; convert it before with "
                   "`halfarrow convert`");
}
