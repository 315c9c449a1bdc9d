/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graph algorithms on plain arrays.
 *
 * Weak components and matchings come from a library or from our own searches (digraph_ways.h).
 * Strong components come from Tarjan's algorithm, which needs a fraction of the memory that igraph
 * takes, unless a topological sort shows that there is no cycle. Their numbers come from a
 * topological sort that takes the lowest vertex first.
 */
#include <config.h>

#include "lib/graph/digraph.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/sort.h"
#include "lib/graph/digraph_ways.h"
#include "lib/graph/lowest.h"

#include <string.h>

#ifdef HA_WITHOUT_IGRAPH
static const ha__digraph_ways *const ways = &ha__digraph_own;
#else
static const ha__digraph_ways *const ways = &ha__digraph_igraph;
#endif

ha_status ha__digraph_check(ha_ctx *ctx, int n_from, int n_to, int m, const int *from,
                            const int *to)
{
    for (int k = 0; k < m; k++) {
        if (from[k] < 0 || from[k] >= n_from || to[k] < 0 || to[k] >= n_to) {
            return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "edge %d of a graph joins %d and %d; the vertices end at %d and %d", k,
                           from[k], to[k], n_from - 1, n_to - 1);
        }
    }
    return HA_OK;
}

/* Scratch of a search for strong components (Tarjan 1972). */
typedef struct tarjan {
    int *start;  /* (n + 1) of each vertex's targets */
    int *target; /* (m) */
    int *next;   /* (n) the target to look at next */
    int *met;    /* (n) how many had been met with it, 0: not met */
    int *low;    /* (n) the least such number of an open vertex that it is known to reach */
    int *open;   /* (n) vertices whose component is not complete */
    int *path;   /* (n) vertices from the root to the one at hand */
    int n_met, n_open, n_path, n_labels;
} tarjan;

static ha_status tarjan_init(tarjan *x, ha_ctx *ctx, int n, int m, const int *from, const int *to)
{
    *x = (tarjan){ 0 };
    HA_TRY_ALLOC(ctx, x->start, (size_t) n + 1, x->target, m);
    HA_TRY_ALLOC_EACH(ctx, n, x->next, x->met, x->low, x->open, x->path);
    ha__group(m, from, to, n, x->start, x->target);
    return HA_OK;
}

static void tarjan_clear(tarjan *x)
{
    HA_FREE(x->start, x->target, x->next, x->met, x->low, x->open, x->path);
}

static void tarjan_meet(tarjan *x, int v)
{
    x->met[v] = x->low[v] = ++x->n_met;
    x->next[v] = x->start[v];
    x->open[x->n_open++] = v;
    x->path[x->n_path++] = v;
}

/* Leaves a vertex all of whose targets have been looked at. */
static void tarjan_leave(tarjan *x, int v, int *label)
{
    int above = --x->n_path > 0 ? x->path[x->n_path - 1] : -1;

    if (x->low[v] == x->met[v]) {
        do {
            label[x->open[--x->n_open]] = x->n_labels;
        } while (x->open[x->n_open] != v);
        x->n_labels++;
    } else if (x->low[v] < x->low[above]) {
        x->low[above] = x->low[v];
    }
}

/* Labels the components of all that `root` reaches; -1: no label yet. */
static void tarjan_search(tarjan *x, int root, int *label)
{
    tarjan_meet(x, root);
    while (x->n_path > 0) {
        int v = x->path[x->n_path - 1];
        if (x->next[v] == x->start[v + 1]) {
            tarjan_leave(x, v, label);
            continue;
        }
        int w = x->target[x->next[v]++];
        if (x->met[w] == 0) {
            tarjan_meet(x, w);
        } else if (label[w] < 0 && x->met[w] < x->low[v]) {
            x->low[v] = x->met[w];
        }
    }
}

/* Strong components, in no order to rely on. */
static ha_status strong_components(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                   int *component)
{
    tarjan x;
    ha_status status = tarjan_init(&x, ctx, n, m, from, to);

    for (int i = 0; i < n; i++) {
        component[i] = -1;
    }
    for (int i = 0; i < n && status == HA_OK; i++) {
        if (x.met[i] == 0) {
            tarjan_search(&x, i, component);
        }
    }
    tarjan_clear(&x);
    return status;
}

/* Renumbers labels 0 ... n - 1 in the order of first appearance; `map` (n) is scratch. Returns how
   many there are. */
static int renumber(int n, int *label, int *map)
{
    int count = 0;

    for (int i = 0; i < n; i++) {
        map[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        int *number = &map[label[i]];
        *number = *number < 0 ? count++ : *number;
        label[i] = *number;
    }
    return count;
}

/* ---- topological order, lowest vertex first ---- */

/* Scratch of sort(). */
typedef struct sorter {
    int *start;         /* (n + 1) of each vertex's targets */
    int *target;        /* (m) */
    int *missing;       /* (n) predecessors that have not come yet */
    ha__lowest waiting; /* vertices that could come next */
} sorter;

static ha_status sorter_init(sorter *s, ha_ctx *ctx, int n, int m)
{
    *s = (sorter){ 0 };
    HA_TRY_ALLOC(ctx, s->start, (size_t) n + 1, s->target, m, s->missing, n);
    return ha__lowest_init(ctx, &s->waiting, (size_t) n);
}

static void sorter_clear(sorter *s)
{
    HA_FREE(s->start, s->target, s->missing);
    ha__lowest_clear(&s->waiting);
}

/* Sorts n groups; edge k leads from group_of[from[k]] to group_of[to[k]] (NULL: the vertices
   themselves), those inside a group of several do not count. Returns how many came into `order`. */
static int sort(sorter *s, int n, int m, const int *from, const int *to, const int *group_of,
                int *order)
{
    int n_ordered = 0;

    for (int k = 0; k < m; k++) {
        int a = group_of == NULL ? from[k] : group_of[from[k]];
        int b = group_of == NULL ? to[k] : group_of[to[k]];
        if (group_of == NULL || a != b) {
            s->start[a]++;
            s->missing[b]++;
        }
    }
    /* start[i]: first the end of the targets of i, moving down to their begin as they come in */
    for (int i = 0; i < n; i++) {
        s->start[i] += i > 0 ? s->start[i - 1] : 0;
    }
    s->start[n] = n > 0 ? s->start[n - 1] : 0;
    for (int k = m - 1; k >= 0; k--) {
        int a = group_of == NULL ? from[k] : group_of[from[k]];
        int b = group_of == NULL ? to[k] : group_of[to[k]];
        if (group_of == NULL || a != b) {
            s->target[--s->start[a]] = b;
        }
    }

    for (int i = 0; i < n; i++) {
        if (s->missing[i] == 0) {
            ha__lowest_add(&s->waiting, i);
        }
    }
    while (!ha__lowest_is_empty(&s->waiting)) {
        int i = ha__lowest_take(&s->waiting);
        order[n_ordered++] = i;
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            if (--s->missing[s->target[k]] == 0) {
                ha__lowest_add(&s->waiting, s->target[k]);
            }
        }
    }
    return n_ordered;
}

ha_status ha__digraph_order(ha_ctx *ctx, int n, int m, const int *from, const int *to, int *order,
                            int *n_ordered)
{
    sorter s;

    HA_TRY(ha__digraph_check(ctx, n, n, m, from, to));
    ha_status status = sorter_init(&s, ctx, n, m);
    if (status == HA_OK) {
        *n_ordered = sort(&s, n, m, from, to, NULL, order);
    }
    sorter_clear(&s);
    return status;
}

/* ---- components ---- */

/* Numbers the components in `label` topologically; `order` (n) is scratch. */
static ha_status number_topologically(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                      int *label, int *order, int *n_components)
{
    sorter s;
    int count = renumber(n, label, order);
    ha_status status = sorter_init(&s, ctx, count, m);

    if (status == HA_OK) {
        sort(&s, count, m, from, to, label, order);
        for (int i = 0; i < count; i++) {
            s.missing[order[i]] = i; /* the new number of each component */
        }
        for (int i = 0; i < n; i++) {
            label[i] = s.missing[label[i]];
        }
        *n_components = count;
    }
    sorter_clear(&s);
    return status;
}

/* Strong components in topological order. Where a topological order of the vertices has them all,
   there is no cycle and each is a component. */
static ha_status order_components(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                  int *label, int *order, int *n_components)
{
    int n_ordered = 0;

    HA_TRY(ha__digraph_order(ctx, n, m, from, to, order, &n_ordered));
    for (int i = 0; i < n_ordered; i++) {
        label[order[i]] = i;
    }
    if (n_ordered == n) {
        *n_components = n;
        return HA_OK;
    }
    HA_TRY(strong_components(ctx, n, m, from, to, label));
    return number_topologically(ctx, n, m, from, to, label, order, n_components);
}

/* Both kinds of components, into fresh memory until all has gone well. */
static ha_status find_components(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                 bool strong, int *component, int *n_components)
{
    int *label = NULL;
    int *scratch = NULL;
    int count = 0;

    HA_TRY(ha__digraph_check(ctx, n, n, m, from, to));
    HA_TRY_ALLOC(ctx, label, n);
    scratch = ha__alloc(ctx, (size_t) n, sizeof *scratch);
    ha_status status = scratch == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK && strong) {
        status = order_components(ctx, n, m, from, to, label, scratch, &count);
    } else if (status == HA_OK) {
        status = ways->weak(ctx, n, m, from, to, label);
        count = status == HA_OK ? renumber(n, label, scratch) : 0;
    }
    if (status == HA_OK) {
        if (n > 0) {
            memcpy(component, label, (size_t) n * sizeof *component);
        }
        if (n_components != NULL) {
            *n_components = count;
        }
    }
    HA_FREE(label, scratch);
    return status;
}

ha_status ha__digraph_strong(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                             int *component, int *n_components)
{
    return find_components(ctx, n, m, from, to, true, component, n_components);
}

ha_status ha__digraph_weak(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                           int *component, int *n_components)
{
    return find_components(ctx, n, m, from, to, false, component, n_components);
}

/* ---- matching ---- */

ha_status ha__digraph_matching(ha_ctx *ctx, int n_left, int n_right, int m, const int *left,
                               const int *right, int *right_of, int *left_of, int *size)
{
    int *partner = NULL;
    int pairs = 0;

    HA_TRY(ha__digraph_check(ctx, n_left, n_right, m, left, right));
    HA_TRY_ALLOC(ctx, partner, (size_t) n_left + (size_t) n_right);
    ha_status status = ways->match(ctx, n_left, n_right, m, left, right, partner, &pairs);
    for (int i = 0; status == HA_OK && right_of != NULL && i < n_left; i++) {
        right_of[i] = partner[i] < 0 ? -1 : partner[i] - n_left;
    }
    for (int i = 0; status == HA_OK && left_of != NULL && i < n_right; i++) {
        left_of[i] = partner[n_left + i];
    }
    if (status == HA_OK && size != NULL) {
        *size = pairs;
    }
    ha__free(partner);
    return status;
}
