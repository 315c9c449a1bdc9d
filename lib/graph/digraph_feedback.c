/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feedback vertex sets: vertices without which a directed graph has no cycle.
 *
 * Reductions that keep the size of a smallest set (Levy and Low, J. Algorithms 9, 1988): edges
 * between strong components go; a vertex with a loop belongs to the set; a vertex with a single
 * predecessor (or successor) is merged into it, since every cycle through the one passes the other.
 * What remains of a component, if it has at most 64 vertices, is searched exhaustively: some vertex
 * of a shortest cycle must be in the set; disjoint cycles give a lower bound on its size. From
 * larger components the vertex with the largest product of degrees is taken, and the rest reduced
 * again; when that takes too long, the vertices are lined up and those with edges back are taken.
 */
#include <config.h>

#include "lib/graph/digraph.h"

#include "lib/core/mem.h"
#include "lib/graph/feedback_exact.h"

#include <stdint.h>
#include <string.h>

static const int64_t MAX_WORK = 20000000; /* vertices and edges gone through; then haste is made */

/* ---- reductions of the whole graph ---- */

/* What is left of the graph; freed with rest_clear(). Vertices keep their numbers. */
typedef struct rest {
    ha_ctx *ctx;
    int n;
    int m;
    int *from;      /* (m) */
    int *to;        /* (m) */
    int *component; /* (n) */
    int *slot;      /* (n) scratch */
    int *active;    /* (n) vertices with edges */
    int *label;     /* (n) component of each of these */
    int *in;        /* (n) number of predecessors */
    int *out;       /* (n) number of successors */
    int *into;      /* (n) vertex that each vertex is merged into */
    int *start;     /* (n + 1) */
    int *sorted;    /* (m) */
    bool *is_in;    /* (n) the set */
    bool is_smallest;
    int64_t work; /* vertices and edges gone through so far */
} rest;

static ha_status rest_init(rest *g, ha_ctx *ctx, int n, int m, const int *from, const int *to)
{
    *g = (rest){ .ctx = ctx, .n = n, .m = m, .is_smallest = true };
    HA_TRY_ALLOC(ctx, g->start, (size_t) n + 1);
    HA_TRY_ALLOC_EACH(ctx, m, g->from, g->to, g->sorted);
    HA_TRY_ALLOC_EACH(ctx, n, g->component, g->slot, g->active, g->label, g->in, g->out, g->into,
                      g->is_in);
    for (int k = 0; k < m; k++) {
        g->from[k] = from[k];
        g->to[k] = to[k];
    }
    return HA_OK;
}

static void rest_clear(rest *g)
{
    HA_FREE(g->from, g->to, g->component, g->slot, g->active, g->label, g->in, g->out, g->into,
            g->start, g->sorted, g->is_in);
}

/* Numbers the vertices with edges in `slot`, in their order, and lists them; how many they are. */
static int number_active(rest *g)
{
    int n = 0;

    memset(g->slot, -1, (size_t) g->n * sizeof *g->slot);
    for (int k = 0; k < g->m; k++) {
        g->slot[g->from[k]] = g->slot[g->to[k]] = 0;
    }
    for (int i = 0; i < g->n; i++) {
        if (g->slot[i] == 0) {
            g->slot[i] = n;
            g->active[n++] = i;
        }
    }
    return n;
}

/* Keeps the edges inside strong components; numbers those of the vertices with edges. */
static ha_status keep_cycles(rest *g)
{
    int kept = 0, n = number_active(g);

    for (int k = 0; k < g->m; k++) {
        g->from[k] = g->slot[g->from[k]];
        g->to[k] = g->slot[g->to[k]];
    }
    HA_TRY(ha__digraph_strong(g->ctx, n, g->m, g->from, g->to, g->label, NULL));
    for (int i = 0; i < n; i++) {
        g->component[g->active[i]] = g->label[i];
    }
    for (int k = 0; k < g->m; k++) {
        if (g->label[g->from[k]] == g->label[g->to[k]]) {
            g->from[kept] = g->active[g->from[k]];
            g->to[kept++] = g->active[g->to[k]];
        }
    }
    g->m = kept;
    return HA_OK;
}

/* Sorts the edges by their tails and keeps one of parallel ones. */
static void merge_parallel(rest *g)
{
    int kept = 0;

    for (int i = 0; i <= g->n; i++) {
        g->start[i] = 0;
    }
    for (int k = 0; k < g->m; k++) {
        g->start[g->from[k]]++;
    }
    for (int i = 1; i <= g->n; i++) {
        g->start[i] += g->start[i - 1];
    }
    for (int k = g->m - 1; k >= 0; k--) {
        g->sorted[--g->start[g->from[k]]] = g->to[k];
    }
    for (int i = 0; i < g->n; i++) {
        g->slot[i] = -1; /* last tail from which the vertex was seen */
    }
    for (int i = 0; i < g->n; i++) {
        for (int k = g->start[i]; k < g->start[i + 1]; k++) {
            if (g->slot[g->sorted[k]] != i) {
                g->slot[g->sorted[k]] = i;
                g->from[kept] = i;
                g->to[kept++] = g->sorted[k];
            }
        }
    }
    g->m = kept;
}

/* Removes the edges at vertices that are in the set; true when there were any. */
static bool remove_chosen(rest *g)
{
    int kept = 0;
    int before = g->m;

    for (int k = 0; k < g->m; k++) {
        if (!g->is_in[g->from[k]] && !g->is_in[g->to[k]]) {
            g->from[kept] = g->from[k];
            g->to[kept++] = g->to[k];
        }
    }
    g->m = kept;
    return kept < before;
}

/* Takes the vertices with loops; true when there were any. */
static bool take_loops(rest *g)
{
    for (int k = 0; k < g->m; k++) {
        if (g->from[k] == g->to[k]) {
            g->is_in[g->from[k]] = true;
        }
    }
    return remove_chosen(g);
}

static void count_degrees(rest *g)
{
    for (int i = 0; i < g->n; i++) {
        g->in[i] = g->out[i] = 0;
    }
    for (int k = 0; k < g->m; k++) {
        g->out[g->from[k]]++;
        g->in[g->to[k]]++;
    }
}

/* Where vertex i ends up when merges, which form no rings, are followed; shortens the way. */
static int follow(rest *g, int i)
{
    int end = i;

    while (g->into[end] != end) {
        end = g->into[end];
    }
    while (g->into[i] != end && i != end) {
        int next = g->into[i];
        g->into[i] = end;
        i = next;
    }
    return end;
}

/* Merges each vertex that is the head of one edge into the tail of that edge, which goes; true when
   there was one. A ring of merges is cut at its lowest vertex, whose edge becomes a loop. */
static bool merge_single(rest *g, int *tail, int *head, const int *degree)
{
    int kept = 0;

    for (int i = 0; i < g->n; i++) {
        g->into[i] = i;
        g->slot[i] = -1;
    }
    for (int k = 0; k < g->m; k++) {
        if (degree[head[k]] == 1 && tail[k] != head[k]) {
            g->into[head[k]] = tail[k];
        }
    }
    /* cut the rings: walk from each vertex once, `slot` tells on which walk it was seen */
    for (int i = 0; i < g->n; i++) {
        int v = i;
        for (; g->slot[v] < 0; v = g->into[v]) {
            g->slot[v] = i;
        }
        if (g->slot[v] == i && g->into[v] != v) {
            int low = v;
            for (int w = g->into[v]; w != v; w = g->into[w]) {
                low = w < low ? w : low;
            }
            g->into[low] = low;
        }
    }
    bool any = false;
    for (int k = 0; k < g->m; k++) {
        if (g->into[head[k]] != head[k] && degree[head[k]] == 1) {
            any = true; /* the edge along which the vertex is merged */
            continue;
        }
        int end = follow(g, tail[k]);
        tail[kept] = end;
        head[kept++] = head[k];
    }
    g->m = kept;
    return any;
}

/* All reductions until none applies or time is up. */
static ha_status reduce(rest *g)
{
    for (bool changed = true; changed && g->m > 0 && g->work <= MAX_WORK;) {
        g->work += (int64_t) g->n + g->m;
        HA_TRY(keep_cycles(g));
        merge_parallel(g);
        changed = take_loops(g);
        count_degrees(g);
        changed = merge_single(g, g->from, g->to, g->in) || changed;
        merge_parallel(g);
        changed = take_loops(g) || changed;
        count_degrees(g);
        changed = merge_single(g, g->to, g->from, g->out) || changed;
    }
    return HA_OK;
}

/* ---- the components ---- */

/* Solves a component, or takes its best vertex when it is too large. */
static void solve_component(rest *g, const int *members, int n, const int *edges, int n_edges)
{
    ha__feedback_search s = { .n = n };
    uint64_t chosen = 0;

    if (n <= HA__LARGEST_EXACT) {
        for (int i = 0; i < n; i++) {
            g->slot[members[i]] = i;
        }
        for (int k = 0; k < n_edges; k++) {
            int a = g->slot[g->from[edges[k]]];
            int b = g->slot[g->to[edges[k]]];
            s.out[a] |= ha__vertex(b);
            s.in[b] |= ha__vertex(a);
        }
        if (ha__feedback_solve(&s, &chosen)) {
            for (uint64_t set = chosen; set != 0; set &= set - 1) {
                g->is_in[members[ha__lowest_vertex(set)]] = true;
            }
            return;
        }
    }
    int best = 0;
    for (int i = 1; i < n; i++) {
        int64_t product = (int64_t) g->in[members[i]] * g->out[members[i]];
        if (product > (int64_t) g->in[members[best]] * g->out[members[best]]) {
            best = i;
        }
    }
    g->is_in[members[best]] = true;
    g->is_smallest = false;
}

/* Lists items of n by group in `list` with `start` (n_groups + 1); groups below 0 are left out. */
static void bucket(int n_items, int n_groups, const int *group, int *start, int *list)
{
    for (int i = 0; i <= n_groups; i++) {
        start[i] = 0;
    }
    for (int i = 0; i < n_items; i++) {
        if (group[i] >= 0) {
            start[group[i]]++;
        }
    }
    for (int i = 1; i <= n_groups; i++) {
        start[i] += start[i - 1];
    }
    for (int i = n_items - 1; i >= 0; i--) {
        if (group[i] >= 0) {
            list[--start[group[i]]] = i;
        }
    }
}

/* Scratch of one round over the components. */
typedef struct buckets {
    int *group;        /* (max(n, m)) */
    int *vertex_start; /* (n + 1) */
    int *vertices;     /* (n) */
    int *edge_start;   /* (n + 1) */
    int *edges;        /* (m) */
} buckets;

static ha_status buckets_init(buckets *b, const rest *g)
{
    *b = (buckets){ 0 };
    HA_TRY_ALLOC(g->ctx, b->group, g->n > g->m ? g->n : g->m, b->vertices, g->n, b->edges, g->m);
    HA_TRY_ALLOC_EACH(g->ctx, (size_t) g->n + 1, b->vertex_start, b->edge_start);
    return HA_OK;
}

static void buckets_clear(buckets *b)
{
    HA_FREE(b->group, b->vertex_start, b->vertices, b->edge_start, b->edges);
}

/* Goes once over the components of the reduced graph. */
static ha_status solve_components(rest *g)
{
    buckets b;

    HA_TRY(keep_cycles(g));
    count_degrees(g);
    ha_status status = buckets_init(&b, g);
    if (status == HA_OK) {
        for (int i = 0; i < g->n; i++) {
            b.group[i] = g->in[i] > 0 ? g->component[i] : -1;
        }
        bucket(g->n, g->n, b.group, b.vertex_start, b.vertices);
        for (int k = 0; k < g->m; k++) {
            b.group[k] = g->component[g->from[k]];
        }
        bucket(g->m, g->n, b.group, b.edge_start, b.edges);
        for (int c = 0; c < g->n; c++) {
            int size = b.vertex_start[c + 1] - b.vertex_start[c];
            if (size > 0) {
                solve_component(g, b.vertices + b.vertex_start[c], size, b.edges + b.edge_start[c],
                                b.edge_start[c + 1] - b.edge_start[c]);
            }
        }
        remove_chosen(g);
    }
    buckets_clear(&b);
    return status;
}

/* Lines the vertices up in the reverse order of leaving them on a depth-first walk, which sorts a
   graph without cycles; `component` gets their slots. */
static void line_up(rest *g)
{
    enum { NEW, OPEN };
    int *next = g->slot; /* next edge of a vertex on the walk */
    int *stack = g->into;
    int slot = g->n;

    for (int i = 0; i < g->n; i++) {
        g->in[i] = NEW;
        next[i] = g->start[i];
    }
    for (int root = 0; root < g->n; root++) {
        int depth = 0;
        if (g->in[root] == NEW) {
            stack[depth++] = root;
            g->in[root] = OPEN;
        }
        while (depth > 0) {
            int v = stack[depth - 1];
            if (next[v] == g->start[v + 1]) {
                g->component[v] = --slot;
                depth--;
                continue;
            }
            int w = g->sorted[next[v]++];
            if (g->in[w] == NEW) {
                g->in[w] = OPEN;
                stack[depth++] = w;
            }
        }
    }
}

/* Takes, along a line of the vertices, each with an edge back to one that was not taken: what is
   not taken then has edges forward only. */
static void take_backward(rest *g)
{
    int *at = g->into; /* vertex at each slot */

    g->is_smallest = false;
    merge_parallel(g);
    line_up(g);
    for (int i = 0; i < g->n; i++) {
        at[g->component[i]] = i;
    }
    for (int slot = 0; slot < g->n; slot++) {
        int v = at[slot];
        for (int k = g->start[v]; k < g->start[v + 1]; k++) {
            int w = g->sorted[k];
            g->is_in[v] = g->is_in[v] || (g->component[w] <= slot && !g->is_in[w]);
        }
    }
    g->m = 0;
}

static ha_status solve(rest *g)
{
    while (g->m > 0) {
        HA_TRY(reduce(g));
        if (g->m > 0 && g->work > MAX_WORK) {
            take_backward(g);
        } else if (g->m > 0) {
            HA_TRY(solve_components(g));
        }
    }
    return HA_OK;
}

ha_status ha__digraph_feedback(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                               bool *is_in, bool *is_smallest)
{
    rest g;

    HA_TRY(ha__digraph_check(ctx, n, n, m, from, to));
    ha_status status = rest_init(&g, ctx, n, m, from, to);

    HA_THEN(status, solve(&g));
    if (status == HA_OK) {
        for (int i = 0; i < n; i++) {
            is_in[i] = g.is_in[i];
        }
        if (is_smallest != NULL) {
            *is_smallest = g.is_smallest;
        }
    }
    rest_clear(&g);
    return status;
}
