/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of an elimination: which products go where, for pivots that are known.
 *
 * Column k of L and U holds what is in the column of A and, for each entry U_jk, the rows of column
 * j of L. Pivot k changes nothing but the entries (i, j) with L_ik and U_kj, so that every order in
 * which it comes before all these i and j has the same factors. They are among its ancestors in the
 * elimination tree of the pattern of A + A' (Liu 1990),
 *
 *     parent(k) = min of all i > k with an entry (i, k) in the factor of that pattern,
 *
 * and the order taken is the post-order of this tree: what a pivot changes is read soon after,
 * while it is still near the processor.
 *
 * Like parts of a model have like slots in that order, and what is done with their pivots is the
 * same when slots are counted from the pivot's own. These lists, shapes, are kept once each: for a
 * mechanism of many like parts they are few and stay near the processor, too, whatever its size.
 */
#include <config.h>

#include "lib/linalg/lu_plan.h"

#include "lib/core/hash.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILL = 8,               /* entries of L, and of U, by entry of A */
    MOST_PRODUCTS = 16,          /* by entry of the factors */
    MOST_ENTRIES = INT_MAX / 16, /* of L, of U and of the diagonal, with which, */
    MOST_LISTED = INT_MAX / 2    /* and with so many products, all lists stay below INT_MAX */
};

/* Patterns of the factors, in numbers of pivots. */
typedef struct {
    ha_ctx *ctx;
    int n;
    const int64_t *a_start, *a_row;
    int *p, *q;       /* (n) */
    int *pivot_of;    /* (n) of a row of A */
    int *mark;        /* (n) 1 + the last column that has the row */
    int *below_start; /* (n + 1) L by columns */
    HA_ARRAY(int) below;
    int *above_start; /* (n + 1) U by columns */
    HA_ARRAY(int) above;
    int *right_start, *right; /* (n + 1) U by rows */
    bool pays;
} patterns;

/* --- the order ------------------------------------------------------------------------------- */

/* The elimination tree. */
typedef struct {
    int *start;        /* (n + 2) of the lists in `earlier`, of each pivot: */
    int *earlier;      /* (entries of A) those up to it that have one with it */
    int *parent;       /* (n) n: none */
    int *root;         /* (n) an ancestor of each, as far up as is known; n: itself */
    int *child, *next; /* (n + 1) the first child, n of those without parent, and (n) the next of
                          the same parent; n: none */
    int *order;        /* (n) post-order */
} tree;

static ha_status tree_init(const patterns *t, tree *r)
{
    HA_TRY_ALLOC(t->ctx, r->start, t->n + 2, r->earlier, t->a_start[t->n], r->child, t->n + 1);
    HA_TRY_ALLOC_EACH(t->ctx, t->n, r->parent, r->root, r->next, r->order);
    return HA_OK;
}

static void tree_clear(tree *r)
{
    HA_FREE(r->start, r->earlier, r->parent, r->root, r->child, r->next, r->order);
}

/* The entries (i, j) of A: min(i, j) in the list of max(i, j), numbers of pivots. */
static void list_earlier(const patterns *t, const int *q, tree *r)
{
    for (int k = 0; k < t->n; k++) {
        for (int64_t e = t->a_start[q[k]]; e < t->a_start[q[k] + 1]; e++) {
            int i = t->pivot_of[t->a_row[e]];
            r->start[(i > k ? i : k) + 2]++;
        }
    }
    for (int k = 0; k <= t->n; k++) {
        r->start[k + 1] += r->start[k];
    }
    for (int k = 0; k < t->n; k++) { /* start[k + 1] goes from the begin of list k to its end */
        for (int64_t e = t->a_start[q[k]]; e < t->a_start[q[k] + 1]; e++) {
            int i = t->pivot_of[t->a_row[e]];
            r->earlier[r->start[(i > k ? i : k) + 1]++] = i < k ? i : k;
        }
    }
}

/* The pivot k is above all that share an entry with it, and above what is above these so far. */
static void find_parents(int n, tree *r)
{
    for (int k = 0; k < n; k++) {
        r->parent[k] = r->root[k] = n;
        for (int e = r->start[k]; e < r->start[k + 1]; e++) {
            int i = r->earlier[e];
            while (i < k) {
                int up = r->root[i];
                r->parent[i] = up == n ? k : r->parent[i];
                r->root[i] = k;
                i = up;
            }
        }
    }
}

/* Puts the tree in post-order, like children in their order. */
static void walk(int n, tree *r)
{
    for (int k = 0; k <= n; k++) {
        r->child[k] = n;
    }
    for (int k = n - 1; k >= 0; k--) {
        r->next[k] = r->child[r->parent[k]];
        r->child[r->parent[k]] = k;
    }
    for (int k = r->child[n], count = 0; k < n;) {
        while (r->child[k] < n) { /* down */
            int below = r->child[k];
            r->child[k] = n;
            k = below;
        }
        r->order[count++] = k;
        k = r->next[k] < n ? r->next[k] : r->parent[k];
    }
}

/* Numbers the pivots p, q in post-order. */
static void renumber(patterns *t, const int *order, const int *p, const int *q)
{
    for (int k = 0; k < t->n; k++) {
        t->p[k] = p[order[k]];
        t->q[k] = q[order[k]];
        t->pivot_of[t->p[k]] = k;
    }
}

static ha_status choose_order(patterns *t, const int *p, const int *q)
{
    tree r = { 0 };
    ha_status status = tree_init(t, &r);

    if (status == HA_OK) {
        for (int k = 0; k < t->n; k++) {
            t->pivot_of[p[k]] = k;
        }
        list_earlier(t, q, &r);
        find_parents(t->n, &r);
        walk(t->n, &r);
        renumber(t, r.order, p, q);
    }
    tree_clear(&r);
    return status;
}

/* --- patterns -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* Adds row i to column k. */
static ha_status add_row(patterns *t, int k, int i)
{
    if (t->mark[i] == k + 1) {
        return HA_OK;
    }
    t->mark[i] = k + 1;
    if (i < k) {
        HA_TRY_PUSH(t->ctx, &t->above, i);
    } else if (i > k) {
        HA_TRY_PUSH(t->ctx, &t->below, i);
    }
    return HA_OK;
}

static ha_status find_column(patterns *t, int k)
{
    int j = t->q[k];

    for (int64_t e = t->a_start[j]; e < t->a_start[j + 1]; e++) {
        HA_TRY(add_row(t, k, t->pivot_of[t->a_row[e]]));
    }
    for (size_t u = (size_t) t->above_start[k]; u < t->above.count; u++) {
        int from = t->above.items[u];
        for (int l = t->below_start[from]; l < t->below_start[from + 1]; l++) {
            HA_TRY(add_row(t, k, t->below.items[l]));
        }
    }
    size_t first = (size_t) t->below_start[k];
    if (t->below.count > first) { /* there may be no list yet */
        qsort(t->below.items + first, t->below.count - first, sizeof(int), compare);
    }
    t->below_start[k + 1] = (int) t->below.count;
    t->above_start[k + 1] = (int) t->above.count;
    return HA_OK;
}

/* L and U by columns; t->pays is false when there would be too many entries. */
static ha_status find_columns(patterns *t)
{
    size_t most = MOST_FILL * (size_t) t->a_start[t->n];

    most = most < MOST_ENTRIES ? most : MOST_ENTRIES;
    t->pays = t->n <= MOST_ENTRIES;
    for (int k = 0; k < t->n && t->pays; k++) {
        HA_TRY(find_column(t, k));
        t->pays = t->below.count <= most && t->above.count <= most;
    }
    return HA_OK;
}

/* U by rows, from U by columns. */
static ha_status transpose(patterns *t)
{
    int *next = NULL;

    HA_TRY_ALLOC(t->ctx, t->right, t->above.count, next, t->n);
    for (size_t u = 0; u < t->above.count; u++) {
        t->right_start[t->above.items[u] + 1]++;
    }
    for (int i = 0; i < t->n; i++) {
        t->right_start[i + 1] += t->right_start[i];
        next[i] = t->right_start[i];
    }
    for (int k = 0; k < t->n; k++) {
        for (int u = t->above_start[k]; u < t->above_start[k + 1]; u++) {
            t->right[next[t->above.items[u]]++] = k;
        }
    }
    ha__free(next);
    return HA_OK;
}

static int n_below(const patterns *t, int k)
{
    return t->below_start[k + 1] - t->below_start[k];
}

static int n_right(const patterns *t, int k)
{
    return t->right_start[k + 1] - t->right_start[k];
}

/* True when the products are so few that a list of them pays. */
static bool is_short(const patterns *t)
{
    int64_t n = 0, n_entries = (int64_t) t->below.count + (int64_t) t->above.count + t->n;

    for (int k = 0; k < t->n; k++) {
        n += (int64_t) n_below(t, k) * n_right(t, k);
    }
    return n <= MOST_PRODUCTS * n_entries && n <= MOST_LISTED;
}

static ha_status find_patterns(patterns *t)
{
    HA_TRY(find_columns(t));
    if (t->pays) {
        HA_TRY(transpose(t));
        t->pays = is_short(t);
    }
    return HA_OK;
}

/* --- slots and shapes ----------------------------------------------------------------------- */

/* The number of a value in an ascending list that holds it. */
static int find(const int *list, int n, int value)
{
    int low = 0, high = n - 1;

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The slot of the entry (i, j) of the factors, both numbers of pivots. */
static int slot_of(const patterns *t, const ha__lu_plan *plan, int i, int j)
{
    if (i == j) {
        return plan->base[i];
    }
    if (i > j) {
        return plan->base[j] + 1 + find(t->below.items + t->below_start[j], n_below(t, j), i);
    }
    return plan->base[i] + 1 + n_below(t, i) + find(t->right + t->right_start[i], n_right(t, i), j);
}

/* Appends the shape of pivot k. */
static ha_status add_shape(const patterns *t, ha__lu_plan *plan, int k)
{
    const int *rows = t->below.items + t->below_start[k], *columns = t->right + t->right_start[k];
    int n_rows = n_below(t, k), n_columns = n_right(t, k);

    HA_TRY_ROOM(t->ctx, &plan->shapes, 2 + 2 * n_rows + n_columns + n_rows * n_columns);
    int *to = plan->shapes.items + plan->shapes.count;
    *to++ = n_rows;
    *to++ = n_columns;
    for (int i = 0; i < n_rows; i++) {
        *to++ = rows[i] - k;
    }
    for (int i = 0; i < n_rows; i++) {
        int j = n_columns > 0 ? find(columns, n_columns, rows[i]) : 0;
        *to++ = n_columns > 0 && columns[j] == rows[i] ? j : -1;
    }
    for (int j = 0; j < n_columns; j++) {
        *to++ = columns[j] - k;
    }
    for (int i = 0; i < n_rows; i++) {
        for (int j = 0; j < n_columns; j++) {
            *to++ = slot_of(t, plan, rows[i], columns[j]) - plan->base[k];
        }
    }
    plan->shapes.count = (size_t) (to - plan->shapes.items);
    return HA_OK;
}

/* The shape that begins at `at` and ends the list: where it was before, or where it is. The table
   of 1 + a pivot of each shape is of a power of two, larger than the number of pivots. */
static int unite(ha__lu_plan *plan, int *table, size_t size, int k, size_t at)
{
    const int *items = plan->shapes.items;
    size_t n = plan->shapes.count - at;
    size_t slot = ha__hash_fold(ha__hash_bytes(0, items + at, n * sizeof *items)) & (size - 1);

    for (; table[slot] != 0; slot = (slot + 1) & (size - 1)) {
        size_t other = (size_t) plan->shape[table[slot] - 1];
        if (other + n <= at && memcmp(items + other, items + at, n * sizeof *items) == 0) {
            plan->shapes.count = at;
            return (int) other;
        }
    }
    table[slot] = k + 1;
    return (int) at;
}

static ha_status find_shapes(const patterns *t, ha__lu_plan *plan)
{
    size_t size = 2;

    while (size <= (size_t) t->n) {
        size *= 2;
    }
    int *table = ha__alloc(t->ctx, size, sizeof *table);
    ha_status status = table == NULL ? HA_ERR_MEMORY : HA_OK;
    for (int k = 0; k < t->n && status == HA_OK; k++) {
        size_t at = plan->shapes.count;
        status = add_shape(t, plan, k);
        if (status == HA_OK) {
            plan->shape[k] = unite(plan, table, size, k, at);
        }
    }
    ha__free(table);
    return status;
}

/* Where the entries of A go; marks these. */
static void place_entries(const patterns *t, ha__lu_plan *plan, signed char *is_filled)
{
    for (int k = 0; k < t->n; k++) {
        int j = t->q[k];
        for (int64_t e = t->a_start[j]; e < t->a_start[j + 1]; e++) {
            plan->slot[e] = slot_of(t, plan, t->pivot_of[t->a_row[e]], k);
            is_filled[plan->slot[e]] = 1;
        }
    }
}

static ha_status list_fill(ha_ctx *ctx, ha__lu_plan *plan, const signed char *is_filled)
{
    for (int slot = 0; slot < plan->n_slots; slot++) {
        if (is_filled[slot] == 0) {
            HA_TRY_PUSH(ctx, &plan->fill, slot);
        }
    }
    return HA_OK;
}

static ha_status find_places(const patterns *t, ha__lu_plan *plan)
{
    signed char *is_filled = ha__alloc(t->ctx, (size_t) plan->n_slots, sizeof *is_filled);

    HA_TRY_MEMORY(is_filled);
    place_entries(t, plan, is_filled);
    return ha__then_free(list_fill(t->ctx, plan, is_filled), is_filled);
}

static ha_status make_plan(const patterns *t, ha__lu_plan *plan)
{
    HA_TRY_ALLOC_EACH(t->ctx, t->n, plan->base, plan->shape);
    HA_TRY_ALLOC(t->ctx, plan->slot, plan->n_entries);
    for (int k = 0; k < t->n; k++) {
        plan->base[k] = plan->n_slots;
        plan->n_slots += 1 + n_below(t, k) + n_right(t, k);
    }
    HA_TRY(find_shapes(t, plan));
    return find_places(t, plan);
}

/* --- the plan -------------------------------------------------------------------------------- */

static ha_status prepare(patterns *t)
{
    HA_TRY_ALLOC_EACH(t->ctx, t->n, t->p, t->q, t->pivot_of, t->mark);
    HA_TRY_ALLOC_EACH(t->ctx, t->n + 1, t->below_start, t->above_start, t->right_start);
    HA_TRY_ROOM(t->ctx, &t->below, t->n); /* not without items, though a diagonal has none */
    HA_TRY_ROOM(t->ctx, &t->above, t->n);
    return HA_OK;
}

static ha_status plan_patterns(patterns *t, const int *p, const int *q)
{
    HA_TRY(prepare(t));
    HA_TRY(choose_order(t, p, q));
    return find_patterns(t);
}

static void clear(patterns *t)
{
    HA_FREE(t->p, t->q, t->pivot_of, t->mark, t->below_start);
    HA_ARRAY_CLEAR(&t->below);
    ha__free(t->above_start);
    HA_ARRAY_CLEAR(&t->above);
    HA_FREE(t->right_start, t->right);
}

ha_status ha__lu_plan_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                          const int *p, const int *q, ha__lu_plan **out)
{
    patterns t = { .ctx = ctx, .n = n, .a_start = start, .a_row = row };
    ha__lu_plan *plan = NULL;
    ha_status status = plan_patterns(&t, p, q);

    if (status == HA_OK && t.pays) {
        plan = ha__alloc(ctx, 1, sizeof *plan);
        status = plan == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    if (plan != NULL) {
        *plan = (ha__lu_plan){ .n = n, .n_entries = (int) start[n], .p = t.p, .q = t.q };
        status = make_plan(&t, plan);
        t.p = t.q = NULL; /* they are the plan's */
    }
    clear(&t);
    return HA_GIVE(status, plan, ha__lu_plan_free, out);
}

void ha__lu_plan_free(ha__lu_plan *plan)
{
    if (plan != NULL) {
        HA_FREE(plan->p, plan->q, plan->base, plan->shape);
        HA_ARRAY_CLEAR(&plan->shapes);
        ha__free(plan->slot);
        HA_ARRAY_CLEAR(&plan->fill);
        ha__free(plan);
    }
}
