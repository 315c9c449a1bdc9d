/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graph algorithms on plain arrays: n vertices 0 ... n - 1 and m edges from[k] -> to[k]; parallel
 * edges and loops are legal. Every answer depends on the graph and the numbering alone. Not
 * installed.
 *
 * A number outside 0 ... n - 1 is HA_ERR_ARGUMENT; outputs are untouched on failure. May be called
 * from any thread; calls wait for each other.
 */
#ifndef LIB_DIGRAPH_H
#define LIB_DIGRAPH_H

#include "lib/context.h"

#include <stdbool.h>

/* HA_ERR_ARGUMENT unless `from` is in 0 ... n_from - 1 and `to` in 0 ... n_to - 1 everywhere. */
HA_MUST_CHECK ha_status ha__digraph_check(ha_ctx *ctx, int n_from, int n_to, int m, const int *from,
                                          const int *to);

/*
 * Strongly connected components: `component` (n) in topological order, every edge between
 * components leads from a lower to a higher number; among those that could come next, the one with
 * the lowest vertex does. `n_components` may be NULL.
 */
HA_MUST_CHECK ha_status ha__digraph_strong(ha_ctx *ctx, int n, int m, const int *from,
                                           const int *to, int *component, int *n_components);

/* Components without regard to direction, numbered in the order of their lowest vertices. */
HA_MUST_CHECK ha_status ha__digraph_weak(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                         int *component, int *n_components);

/*
 * Topological order: `order` (n) holds the vertices, the lowest first of those that could come
 * next.
 * `*n_ordered` < n when there is a cycle; the vertices on and behind cycles are then missing.
 */
HA_MUST_CHECK ha_status ha__digraph_order(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                          int *order, int *n_ordered);

/*
 * Maximum matching between `n_left` and `n_right` vertices with edges left[k] - right[k]:
 * `right_of` (n_left) and `left_of` (n_right) hold the partner or -1; any may be NULL, `size` too.
 */
HA_MUST_CHECK ha_status ha__digraph_matching(ha_ctx *ctx, int n_left, int n_right, int m,
                                             const int *left, const int *right, int *right_of,
                                             int *left_of, int *size);

/*
 * A feedback vertex set: `is_in` (n) marks vertices without which no cycle is left. `*is_smallest`
 * (may be NULL) tells whether it is proved to have the fewest vertices possible, which is so unless
 * a strong component keeps more than 64 vertices after the reductions or resists a long search; a
 * good set is then given. igraph offers the smallest set for arcs only.
 */
HA_MUST_CHECK ha_status ha__digraph_feedback(ha_ctx *ctx, int n, int m, const int *from,
                                             const int *to, bool *is_in, bool *is_smallest);

#endif
