/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Components and matchings without a library, for programs that have to be small.
 *
 * Components are sets that edges join. A matching grows by augmenting paths: from each left vertex
 * a search, depth first, for a free right vertex, along edges that are not in the matching and back
 * along edges that are. On such a path the edges that are in it and those that are not change
 * places. A left vertex without such a path stays without partner in some maximum matching (Berge
 * 1957), so each is tried once.
 */
#include <config.h>

#include "lib/graph/digraph_ways.h"

#include "lib/core/mem.h"
#include "lib/core/sort.h"

#include <stdbool.h>

/* --- components ----------------------------------------------------------------------------- */

/* The vertex that stands for the set of `i`; the way there is halved. */
static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static ha_status weak_components(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                 int *component)
{
    (void) ctx;
    for (int i = 0; i < n; i++) {
        component[i] = i;
    }
    for (int k = 0; k < m; k++) {
        int a = root_of(component, from[k]), b = root_of(component, to[k]);
        component[a > b ? a : b] = a > b ? b : a; /* the lowest vertex stands for the set */
    }
    for (int i = 0; i < n; i++) {
        component[i] = component[component[i]]; /* lower vertices have their roots already */
    }
    return HA_OK;
}

/* --- matching ------------------------------------------------------------------------------- */

typedef struct {
    int n_left;
    int *start;  /* (n_left + 1) of the edges of each left vertex */
    int *target; /* (m) right vertices */
    int *next;   /* (n_left) the edge to look at next */
    int *path;   /* (n_left) left vertices of the search */
    int *seen;   /* (n_right) the number of the search that came here, from 1 */
    int *partner;
} matcher;

static ha_status matcher_init(matcher *x, ha_ctx *ctx, int n_right, int m, const int *left,
                              const int *right)
{
    HA_TRY_ALLOC(ctx, x->start, (size_t) x->n_left + 1, x->target, m, x->seen, n_right);
    HA_TRY_ALLOC_EACH(ctx, x->n_left, x->next, x->path);
    ha__group(m, left, right, x->n_left, x->start, x->target);
    for (int i = 0; i < x->n_left + n_right; i++) {
        x->partner[i] = -1;
    }
    return HA_OK;
}

/* The last left vertex of an augmenting path from `root` in `path`, its free right vertex being the
   target of its next edge; -1: there is none. */
static int find_path(matcher *x, int root)
{
    int depth = 0;

    x->path[0] = root;
    x->next[root] = x->start[root];
    while (depth >= 0) {
        int i = x->path[depth];
        if (x->next[i] == x->start[i + 1]) {
            depth--;
            if (depth >= 0) {
                x->next[x->path[depth]]++;
            }
            continue;
        }
        int right = x->target[x->next[i]], other = x->partner[x->n_left + right];
        bool is_new = x->seen[right] != root + 1;
        x->seen[right] = root + 1;
        if (is_new && other < 0) {
            return depth;
        }
        if (is_new) {
            x->path[++depth] = other;
            x->next[other] = x->start[other];
        } else {
            x->next[i]++;
        }
    }
    return -1;
}

static ha_status match(ha_ctx *ctx, int n_left, int n_right, int m, const int *left,
                       const int *right, int *partner, int *size)
{
    matcher x = { .n_left = n_left, .partner = partner };
    ha_status status = matcher_init(&x, ctx, n_right, m, left, right);

    *size = 0;
    for (int root = 0; root < n_left && status == HA_OK; root++) {
        int last = find_path(&x, root);
        for (int d = last; d >= 0; d--) {
            int vertex = x.path[d], other = n_left + x.target[x.next[vertex]];
            partner[vertex] = other;
            partner[other] = vertex;
        }
        *size += last >= 0 ? 1 : 0;
    }
    HA_FREE(x.start, x.target, x.next, x.path, x.seen);
    return status;
}

const ha__digraph_ways ha__digraph_own = { weak_components, match };
