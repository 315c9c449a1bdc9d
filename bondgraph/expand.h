/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From multibonds to scalar bonds: every component becomes an element and a bond of its own, a
 * matrix transformer becomes junctions and scalar transformers.
 */
#ifndef BONDGRAPH_EXPAND_H
#define BONDGRAPH_EXPAND_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/**
 * Makes the scalar graph of a graph. Bond `b`, component `c` becomes the scalar bond number
 * (sum of the dimensions of the bonds before b) + c; the inner bonds of matrix transformers follow.
 * @return HA_ERR_VALUE when an element has fewer bonds than ports; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_expand(bg_graph *graph, bg_graph **out);

HA_END_DECLS

#endif
