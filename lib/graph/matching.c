/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matchings in a general graph by alternating paths (Edmonds 1965; the paths through blossoms as in
 * Galil, ACM Computing Surveys 18, 1986).
 *
 * From an exposed vertex, the root, a tree is grown breadth first in which edges outside and inside
 * the matching alternate. A vertex is outer when an alternating path of even length leads to it,
 * inner when only odd ones are known. An edge between two outer vertices closes a blossom, an odd
 * cycle: walked round the other way, its inner vertices become outer too. The search ends
 *   at an exposed vertex: the path to it is flipped and covers both its ends;
 *   at an outer vertex that is optional: the path is flipped and exposes it instead of the root.
 * The sets of vertices that matchings cover are the independent sets of a matroid. So when neither
 * is found, no matching covers the root together with those that are covered now, whatever they are
 * matched with.
 *
 * A search that fails leaves a tight part of the graph. Its blossoms, single outer vertices counted
 * among them, are one more than its inner vertices and have no neighbours besides these. When the
 * search was for an edge to an optional vertex that has no other, one vertex more is next to them:
 * that at the other end of the edge. So in every matching asked for they need all of these, which
 * rules out the edges that lead from the inner vertices to others. No optional vertex of this kind
 * is next to a tight part any more, so failing searches for such edges do not meet it again: all of
 * them together are linear.
 *
 * An edge that is settled as in the matching takes its ends out of the graph, one that is settled
 * as outside is taken out itself: the search does not enter them.
 */
#include <config.h>

#include "lib/graph/matching.h"

#include "lib/core/mem.h"

#include <string.h>

/* What a search knows of a vertex. */
enum { UNSEEN, INNER, OUTER, WAS_INNER };

/* A piece of a path: from an outer vertex to one above it. */
typedef struct {
    int from, to;
} stretch;

/* A vertex and the edge that it was matched by. */
typedef struct {
    int vertex, edge;
} change;

struct ha__matching {
    int n, m;
    int *ends;         /* (2 m) */
    int *start;        /* (n + 1) into incident */
    int *incident;     /* edges of each vertex */
    int *mate;         /* (n) matched edge, -1: exposed */
    bool *is_optional; /* (n) */
    bool *is_settled;  /* (n) its matched edge stays for good */
    bool *is_out;      /* (m) never in the matching any more */
    /* of the last search; entries hold for vertices whose label is not UNSEEN */
    signed char *label; /* (n) */
    int *entry;         /* (n) inner, or once so: the edge by which it was met */
    int *bridge;        /* (n) once inner: the edge that closed the blossom */
    int *near;          /* (n) once inner: the end of that edge on its own side */
    int *base;          /* (n) towards the base of the blossom it is in */
    int *mark;          /* (n) number of the walk that passed */
    int n_walks;
    int *queue; /* (n) vertices met, the outer ones to be looked at */
    int n_met, n_queued;
    int *met;           /* (n) vertices with a label */
    stretch *stretches; /* (n + 1) */
    int *path;          /* (n + 1) edges */
    change *changes;    /* (4 n + 8) since the last settling began */
    int n_changes;
};

static ha_status list_incident(ha_ctx *ctx, ha__matching *x, const int *a, const int *b)
{
    HA_TRY_ALLOC(ctx, x->start, (size_t) x->n + 2);
    HA_TRY_ALLOC_EACH(ctx, 2 * (size_t) x->m, x->ends, x->incident);
    for (int k = 0; k < x->m; k++) {
        x->ends[2 * k] = a[k];
        x->ends[2 * k + 1] = b[k];
        x->start[a[k] + 2]++;
        x->start[b[k] + 2]++;
    }
    for (int v = 0; v <= x->n; v++) {
        x->start[v + 1] += x->start[v];
    }
    for (int k = 0; k < 2 * x->m; k++) {
        x->incident[x->start[x->ends[k] + 1]++] = k / 2;
    }
    return HA_OK;
}

static ha_status allocate(ha_ctx *ctx, ha__matching *x)
{
    size_t n = (size_t) x->n;

    HA_TRY_ALLOC(ctx, x->is_out, x->m, x->changes, 4 * n + 8);
    HA_TRY_ALLOC_EACH(ctx, n, x->mate, x->is_optional, x->is_settled, x->label, x->entry, x->bridge,
                      x->near, x->base);
    HA_TRY_ALLOC_EACH(ctx, n, x->mark, x->queue, x->met);
    HA_TRY_ALLOC_EACH(ctx, n + 1, x->stretches, x->path);
    memset(x->mate, -1, n * sizeof *x->mate);
    return HA_OK;
}

ha_status ha__matching_new(ha_ctx *ctx, int n, int m, const int *a, const int *b,
                           const bool *is_optional, ha__matching **out)
{
    ha__matching *x = ha__alloc(ctx, 1, sizeof *x);

    HA_TRY_MEMORY(x);
    x->n = n;
    x->m = m;
    ha_status status = list_incident(ctx, x, a, b);
    HA_THEN(status, allocate(ctx, x));
    if (status != HA_OK) {
        ha__matching_free(x);
        return status;
    }
    if (n > 0) {
        memcpy(x->is_optional, is_optional, (size_t) n * sizeof *is_optional);
    }
    *out = x;
    return HA_OK;
}

void ha__matching_free(ha__matching *x)
{
    if (x == NULL) {
        return;
    }
    HA_FREE(x->ends, x->start, x->incident, x->mate, x->is_optional, x->is_settled, x->is_out,
            x->label, x->entry, x->bridge, x->near, x->base, x->mark, x->queue, x->met,
            x->stretches, x->path, x->changes, x);
}

static int other_end(const ha__matching *x, int edge, int vertex)
{
    return x->ends[2 * edge] + x->ends[2 * edge + 1] - vertex;
}

static int partner(const ha__matching *x, int vertex)
{
    return x->mate[vertex] < 0 ? -1 : other_end(x, x->mate[vertex], vertex);
}

static void set_mate(ha__matching *x, int vertex, int edge)
{
    x->changes[x->n_changes++] = (change){ vertex, x->mate[vertex] };
    x->mate[vertex] = edge;
}

bool ha__matching_has(const ha__matching *x, int edge)
{
    return x->mate[x->ends[2 * edge]] == edge;
}

void ha__matching_join(ha__matching *x, int edge)
{
    int a = x->ends[2 * edge], b = x->ends[2 * edge + 1];

    if (x->mate[a] < 0 && x->mate[b] < 0) {
        x->mate[a] = x->mate[b] = edge;
    }
}

/* --- flipping a path ------------------------------------------------------------------------- */

/*
 * The edges outside the matching on the even path from an outer vertex to the root. The edges from
 * an outer vertex upwards are its matched one and the one by which its inner partner was met. From
 * a vertex that was inner the path leads down to its partner, on through the blossom to the edge
 * that closed it, and up from there:
 *   path(x, top) = x, reversed path(near end of the closing edge, partner of x), path(far end,
 * top).
 */
static int collect_path(ha__matching *x, int from, int root)
{
    int n_stretches = 0, n = 0;

    x->stretches[n_stretches++] = (stretch){ from, root };
    while (n_stretches > 0) {
        stretch s = x->stretches[--n_stretches];
        while (s.from != s.to) {
            int p = partner(x, s.from);
            if (x->label[s.from] == OUTER) {
                x->path[n++] = x->entry[p];
                s.from = other_end(x, x->entry[p], p);
            } else {
                int edge = x->bridge[s.from], near = x->near[s.from];
                x->path[n++] = edge;
                x->stretches[n_stretches++] = (stretch){ near, p };
                s.from = other_end(x, edge, near);
            }
        }
    }
    return n;
}

/* Covers the root: takes the path's other edges, and `last` (-1: none) behind it. */
static void flip(ha__matching *x, int from, int root, int last)
{
    int n = collect_path(x, from, root);

    if (last >= 0) {
        x->path[n++] = last;
    } else {
        set_mate(x, from, -1);
    }
    for (int i = 0; i < n; i++) {
        set_mate(x, x->ends[2 * x->path[i]], x->path[i]);
        set_mate(x, x->ends[2 * x->path[i] + 1], x->path[i]);
    }
}

/* --- the search ------------------------------------------------------------------------------ */

static int base_of(ha__matching *x, int v)
{
    while (x->base[v] != v) {
        x->base[v] = x->base[x->base[v]];
        v = x->base[v];
    }
    return v;
}

static void meet(ha__matching *x, int vertex, int label)
{
    x->label[vertex] = (signed char) label;
    x->base[vertex] = vertex;
    x->met[x->n_met++] = vertex;
    if (label == OUTER) {
        x->queue[x->n_queued++] = vertex;
    }
}

/* The base of the next blossom above an outer base, -1 above the root. */
static int above(ha__matching *x, int base)
{
    int inner = partner(x, base);

    /* the partner of an outer base is inner, but for the root, which has none */
    return inner < 0 ? -1 : base_of(x, other_end(x, x->entry[inner], inner));
}

/* The lowest base that is above both. */
static int common_base(ha__matching *x, int a, int b)
{
    int walk = ++x->n_walks;

    for (;;) {
        if (a >= 0) {
            if (x->mark[a] == walk) {
                return a;
            }
            x->mark[a] = walk;
            a = above(x, a);
        }
        int swap = a;
        a = b;
        b = swap;
    }
}

/* Makes the inner vertices between the near end of a closing edge and the common base outer. */
static void shrink_side(ha__matching *x, int edge, int near, int top)
{
    int b = base_of(x, near);

    while (b != top) {
        int inner = partner(x, b);
        int next = above(x, b);
        x->label[inner] = WAS_INNER;
        x->bridge[inner] = edge;
        x->near[inner] = near;
        x->queue[x->n_queued++] = inner;
        x->base[b] = x->base[inner] = top;
        b = next;
    }
}

/* Looks at an edge from an outer vertex; true when the root has been covered. */
static bool look_at(ha__matching *x, int edge, int v, int root)
{
    int w = other_end(x, edge, v);

    if (x->is_out[edge] || x->is_settled[w] || edge == x->mate[v] || x->label[w] == INNER) {
        return false;
    }
    if (x->label[w] == UNSEEN) {
        int p = partner(x, w);
        if (p < 0) {
            flip(x, v, root, edge);
            return true;
        }
        meet(x, w, INNER);
        x->entry[w] = edge;
        meet(x, p, OUTER);
    } else if (base_of(x, v) != base_of(x, w)) {
        int top = common_base(x, base_of(x, v), base_of(x, w));
        shrink_side(x, edge, v, top);
        shrink_side(x, edge, w, top);
    }
    return false;
}

static bool search(ha__matching *x, int root)
{
    bool is_covered = false;

    for (int i = 0; i < x->n_met; i++) {
        x->label[x->met[i]] = UNSEEN;
    }
    x->n_met = x->n_queued = 0;
    meet(x, root, OUTER);
    for (int i = 0; i < x->n_queued && !is_covered; i++) {
        int v = x->queue[i];
        if (x->is_optional[v] && v != root) {
            flip(x, v, root, -1);
            is_covered = true;
        }
        for (int k = x->start[v]; k < x->start[v + 1] && !is_covered; k++) {
            is_covered = look_at(x, x->incident[k], v, root);
        }
    }
    return is_covered;
}

bool ha__matching_cover(ha__matching *x, int vertex)
{
    x->n_changes = 0;
    return x->mate[vertex] >= 0 || search(x, vertex);
}

bool ha__matching_contests(const ha__matching *x, int vertex)
{
    return x->label[vertex] == OUTER || x->label[vertex] == WAS_INNER;
}

/* --- settling -------------------------------------------------------------------------------- */

/* Takes an edge into the matching; notes the vertices it leaves exposed, -1: none. */
static void force_in(ha__matching *x, int edge, int exposed[2])
{
    for (int end = 0; end < 2; end++) {
        int v = x->ends[2 * edge + end];
        exposed[end] = partner(x, v);
        if (exposed[end] >= 0) {
            set_mate(x, exposed[end], -1);
        }
    }
    for (int end = 0; end < 2; end++) {
        set_mate(x, x->ends[2 * edge + end], edge);
        x->is_settled[x->ends[2 * edge + end]] = true;
    }
}

static void force_out(ha__matching *x, int edge, int exposed[2])
{
    for (int end = 0; end < 2; end++) {
        exposed[end] = x->ends[2 * edge + end];
        set_mate(x, exposed[end], -1);
    }
    x->is_out[edge] = true;
}

static void take_back(ha__matching *x, int edge, bool is_in)
{
    while (x->n_changes > 0) {
        const change *c = &x->changes[--x->n_changes];
        x->mate[c->vertex] = c->edge;
    }
    if (is_in) {
        x->is_settled[x->ends[2 * edge]] = x->is_settled[x->ends[2 * edge + 1]] = false;
    } else {
        x->is_out[edge] = false;
    }
}

/* Rules out the edges of a vertex that do not lead to outer ones. */
static void keep_to_outer(ha__matching *x, int vertex)
{
    for (int k = x->start[vertex]; k < x->start[vertex + 1]; k++) {
        int edge = x->incident[k], label = x->label[other_end(x, edge, vertex)];
        x->is_out[edge] = x->is_out[edge] || (label != OUTER && label != WAS_INNER);
    }
}

/* True when a vertex is optional and has one edge only. */
static bool is_tip(const ha__matching *x, int vertex)
{
    return x->is_optional[vertex] && x->start[vertex + 1] - x->start[vertex] == 1;
}

/* After a search for an edge that failed and was taken back: draws the conclusions. */
static void separate(ha__matching *x, int edge, bool is_in)
{
    int *ends = &x->ends[2 * edge];

    if (!is_tip(x, ends[0]) && !is_tip(x, ends[1])) {
        return;
    }
    for (int i = 0; i < x->n_met; i++) {
        if (x->label[x->met[i]] == INNER) {
            keep_to_outer(x, x->met[i]);
        }
    }
    if (is_in) { /* the end was to be taken from the root, which needs it or another outer one does
                  */
        keep_to_outer(x, is_tip(x, ends[0]) ? ends[1] : ends[0]);
    }
}

bool ha__matching_settle(ha__matching *x, int edge, bool is_in)
{
    int *ends = &x->ends[2 * edge], exposed[2] = { -1, -1 };
    bool is_right = true;

    if (ha__matching_has(x, edge) == is_in) {
        x->is_settled[ends[0]] = x->is_settled[ends[0]] || is_in;
        x->is_settled[ends[1]] = x->is_settled[ends[1]] || is_in;
        x->is_out[edge] = !is_in;
        return true;
    }
    if (x->is_settled[ends[0]] || x->is_settled[ends[1]] || x->is_out[edge]) {
        return false;
    }
    x->n_changes = 0;
    if (is_in) {
        force_in(x, edge, exposed);
    } else {
        force_out(x, edge, exposed);
    }
    for (int i = 0; i < 2 && is_right; i++) {
        int v = exposed[i];
        if (v >= 0 && !x->is_optional[v] && x->mate[v] < 0) {
            is_right = search(x, v);
            if (!is_right) {
                take_back(x, edge, is_in);
                separate(x, edge, is_in);
            }
        }
    }
    return is_right;
}
