/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What finds components and matchings for digraph.c: igraph, or searches of our own where there is
   none. Not installed. */
#ifndef LIB_DIGRAPH_WAYS_H
#define LIB_DIGRAPH_WAYS_H

#include "lib/context.h"

/* A way to find them; the numbers of edges have been checked. */
typedef struct ha__digraph_ways {
    /* The components without regard to direction, numbered in any way: `component` (n). */
    ha_status (*weak)(ha_ctx *ctx, int n, int m, const int *from, const int *to, int *component);
    /* A maximum matching: `partner` (n_left + n_right) of each vertex, -1: none; right vertices are
       counted behind the left ones. */
    ha_status (*match)(ha_ctx *ctx, int n_left, int n_right, int m, const int *left,
                       const int *right, int *partner, int *size);
} ha__digraph_ways;

extern const ha__digraph_ways ha__digraph_igraph;
extern const ha__digraph_ways ha__digraph_own;

#endif
