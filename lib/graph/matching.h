/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matchings in a general graph, kept while edges are settled one by one.
 *
 * A matching is a set of edges without common vertices. Here every vertex must be covered by it
 * but for those that are optional. Not installed.
 */
#ifndef LIB_MATCHING_H
#define LIB_MATCHING_H

#include "lib/context.h"

#include <stdbool.h>

typedef struct ha__matching ha__matching;

/* The empty matching of a graph with vertices 0 ... n - 1 and edges a[k] - b[k], a[k] != b[k];
   parallel edges are legal. `is_optional` (n). All arrays are copied. */
HA_MUST_CHECK ha_status ha__matching_new(ha_ctx *ctx, int n, int m, const int *a, const int *b,
                                         const bool *is_optional, ha__matching **out);

/* Frees it; NULL is legal. */
void ha__matching_free(ha__matching *matching);

/* Takes an edge into the matching when both its ends are exposed; to start from a good guess. */
void ha__matching_join(ha__matching *matching, int edge);

/* Covers a vertex, and leaves covered all others that must be. False: no matching does; nothing has
   changed. O(edges). */
HA_MUST_CHECK bool ha__matching_cover(ha__matching *matching, int vertex);

/* After ha__matching_cover() has failed: true for the vertices that cannot all be covered, each of
   which could be exposed instead of the one asked for. */
bool ha__matching_contests(const ha__matching *matching, int vertex);

/* Settles for good whether an edge is in the matching, all vertices that must be covered being so.
   False: no matching is like that; nothing has changed. O(1) when the edge is as wanted already,
   else O(edges). */
HA_MUST_CHECK bool ha__matching_settle(ha__matching *matching, int edge, bool is_in);

/* True when the edge is in the matching. */
bool ha__matching_has(const ha__matching *matching, int edge);

#endif
