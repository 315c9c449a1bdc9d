/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse linear systems of masses and constraints: the order of elimination and the pattern of the
 * factor (see ldl.c).
 *
 * Unknowns with a good pivot, of which no two meet, are eliminated first. What is left of the
 * others, the rest, has an entry wherever two of them meet in a row or both meet one of the first;
 * its order is that of approximate minimum degree. A column of its factor has the rows of the
 * matrix and those of columns whose first row it is. Two neighbours with the same rows, as the two
 * multipliers of a hinge, are a block: pivot, entry between them, pivot of the second, then the
 * entries of both row by row. What is eliminated first goes right before the first block that it
 * enters.
 *
 * The slot of each product is found once, so that a factor is made without a search. Products of
 * what never changes, as those of the masses of bodies with the rows of their hinges for x and y,
 * are not listed at all: they are in the matrix from which each elimination of the rest starts.
 */
#include <config.h>

#include "lib/core/sort.h"
#include "lib/linalg/ldl_priv.h"
#include "lib/linalg/lu_klu.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const size_t MOST_UPDATES = 64; /* for each unknown; beyond, other methods serve better */
static const size_t MOST_ROWS = INT_MAX / 4; /* of the factor, whose values are numbered by int */

/* What is found on the way. */
typedef struct {
    ha__ldl *s;
    const ha__ldl_system *of;
    const double *a;
    signed char *is_known;      /* (n) its row has nothing but the diagonal entry */
    signed char *flip;          /* (n) sign of each unknown */
    int *column;                /* (n) of each unknown */
    int m;                      /* number of those of the rest */
    int *number;                /* (n) of each unknown among them, -1: it is none */
    int *others;                /* (m) unknown of each */
    int *seen;                  /* (m) last column that has the row, plus one */
    int64_t *rest_start;        /* (m + 1) what is left of the matrix, */
    HA_ARRAY(int64_t) rest_row; /* by number */
    int *start;                 /* (m + 1) columns of its factor, each with its diagonal first */
    HA_ARRAY(int) row;
    signed char *width; /* (m) 2, 0: this column and the next are a block; 1: one of its own */
    int *value;         /* (m) first value of the block of a column */
    size_t n_products;  /* found so far */
} pattern;

/* --- size ------------------------------------------------------------------------------------ */

static size_t n_products(size_t length)
{
    return length * (length + 1) / 2;
}

/* True when there are not too many products so far. */
static bool is_small(const pattern *p)
{
    return p->n_products <= MOST_UPDATES * (size_t) p->of->n && p->row.count < MOST_ROWS;
}

/* Counts the products of columns that are eliminated first, before anything is listed: each adds
   two entries at most to what is left of the matrix. */
static void count_first(pattern *p)
{
    for (int j = 0; j < p->of->n && is_small(p); j++) {
        if (p->of->first[j] != 0 && p->is_known[j] == 0) {
            p->n_products += n_products((size_t) (p->of->start[j + 1] - p->of->start[j] - 1));
        }
    }
}

/* --- signs ----------------------------------------------------------------------------------- */

/* The entry (i, j), -1: there is none. */
static int64_t find(const ha__ldl_system *of, int64_t i, int j)
{
    int64_t low = of->start[j], high = of->start[j + 1];

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (of->row[middle] < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < of->start[j + 1] && of->row[low] == i ? low : -1;
}

static double value_of(const pattern *p, int64_t entry)
{
    return p->a[p->of->slot[entry]];
}

static bool is_changing(const pattern *p, int64_t entry)
{
    return p->of->slot[entry] < p->of->n_changing;
}

/* Finds rows with nothing but a good pivot. */
static void find_known(pattern *p)
{
    const ha__ldl_system *of = p->of;

    for (int j = 0; j < of->n; j++) {
        p->is_known[j] = of->first[j];
    }
    for (int j = 0; j < of->n; j++) {
        for (int64_t k = of->start[j]; k < of->start[j + 1]; k++) {
            if (of->row[k] != j) {
                p->is_known[of->row[k]] = 0;
            }
        }
    }
}

/* Signs of unknowns that make the matrix symmetric: 1 for those marked, for another what its
   entries with these say. False where an entry has no counterpart. */
static bool find_signs(pattern *p)
{
    const ha__ldl_system *of = p->of;

    for (int j = 0; j < of->n; j++) {
        double largest = 0.0;
        p->flip[j] = of->first[j] != 0 ? 1 : -1;
        for (int64_t k = of->start[j]; k < of->start[j + 1] && p->is_known[j] == 0; k++) {
            int i = (int) of->row[k];
            int64_t mirror = find(of, j, i);
            if (mirror < 0) {
                return false;
            }
            double x = value_of(p, k), back = value_of(p, mirror);
            if (of->first[j] == 0 && of->first[i] != 0 && fabs(x) > largest && back != 0.0) {
                largest = fabs(x);
                p->flip[j] = (x > 0.0) == (back > 0.0) ? 1 : -1;
            }
        }
    }
    return true;
}

/* The values whose agreement is not certain. */
static ha_status find_pairs(pattern *p)
{
    const ha__ldl_system *of = p->of;

    for (int j = 0; j < of->n; j++) {
        for (int64_t k = of->start[j]; k < of->start[j + 1] && p->is_known[j] == 0; k++) {
            int i = (int) of->row[k];
            int from = of->slot[k], mirror = of->slot[find(of, j, i)];
            double sign = p->flip[i] == p->flip[j] ? 1.0 : -1.0;
            if (i > j && (from != mirror || sign < 0.0)) {
                HA_TRY_PUSH(p->s->ctx, &p->s->pairs, (ha__ldl_pair){ from, mirror, sign });
            }
        }
    }
    return HA_OK;
}

/* --- order ----------------------------------------------------------------------------------- */

/* Adds rows of a column of A to a column of what is left. */
static ha_status add_rows(pattern *p, int column, int unknown)
{
    const ha__ldl_system *of = p->of;

    for (int64_t k = of->start[unknown]; k < of->start[unknown + 1]; k++) {
        int i = p->number[of->row[k]];
        if (i >= 0 && p->seen[i] != column + 1) {
            p->seen[i] = column + 1;
            HA_TRY_PUSH(p->s->ctx, &p->rest_row, i);
        }
    }
    return HA_OK;
}

static ha_status find_rest(pattern *p)
{
    const ha__ldl_system *of = p->of;

    for (int c = 0; c < p->m; c++) {
        int j = p->others[c];
        HA_TRY(add_rows(p, c, j));
        for (int64_t k = of->start[j]; k < of->start[j + 1]; k++) {
            if (p->number[of->row[k]] < 0) {
                HA_TRY(add_rows(p, c, (int) of->row[k]));
            }
        }
        p->rest_start[c + 1] = (int64_t) p->rest_row.count;
    }
    return HA_OK;
}

/* What is known at once, the others of those marked, and then the rest. */
static ha_status find_order(pattern *p)
{
    ha__ldl *s = p->s;
    int *order = NULL;

    for (int j = 0; j < s->n; j++) {
        p->number[j] = p->of->first[j] != 0 ? -1 : p->m;
        if (p->is_known[j] != 0) {
            s->order[s->n_known++] = j;
        } else if (p->of->first[j] == 0) {
            p->others[p->m++] = j;
        }
    }
    s->n_first = s->n_known;
    for (int j = 0; j < s->n; j++) {
        if (p->of->first[j] != 0 && p->is_known[j] == 0) {
            s->order[s->n_first++] = j;
        }
    }
    HA_TRY(find_rest(p));
    HA_TRY_ALLOC(s->ctx, order, p->m);
    ha_status status = ha__klu_order(s->ctx, p->m, p->rest_start, p->rest_row.items, order);
    for (int k = 0; k < p->m && status == HA_OK; k++) {
        s->order[s->n_first + k] = p->others[order[k]];
    }
    ha__free(order);
    for (int k = 0; k < s->n && status == HA_OK; k++) {
        p->column[s->order[k]] = k;
        s->sign[k] = p->flip[s->order[k]];
    }
    return status;
}

/* --- the factor of the rest ------------------------------------------------------------------ */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* Adds a row to column j of the factor unless it is there. */
static ha_status add_row(pattern *p, int j, int row)
{
    if (row > j && p->seen[row] != -1 - j) {
        p->seen[row] = -1 - j;
        HA_TRY_PUSH(p->s->ctx, &p->row, row);
    }
    return HA_OK;
}

/* The rows of each column: those of the matrix, and those of columns whose first row it is; not of
   all columns where there are too many. */
static ha_status find_rows(pattern *p, int *child, int *sibling)
{
    for (int j = 0; j < p->m && is_small(p); j++) {
        int c = p->number[p->s->order[p->s->n_first + j]], head = (int) p->row.count;
        p->start[j] = head;
        HA_TRY_PUSH(p->s->ctx, &p->row, j);
        for (int64_t k = p->rest_start[c]; k < p->rest_start[c + 1]; k++) {
            HA_TRY(add_row(p, j, p->column[p->others[p->rest_row.items[k]]] - p->s->n_first));
        }
        for (c = child[j] - 1; c >= 0; c = sibling[c] - 1) {
            for (int k = p->start[c] + 1; k < p->start[c + 1]; k++) {
                HA_TRY(add_row(p, j, p->row.items[k]));
            }
        }
        int count = (int) p->row.count - head;
        p->start[j + 1] = head + count;
        p->n_products += n_products((size_t) count - 1);
        qsort(p->row.items + head + 1, (size_t) count - 1, sizeof *p->row.items, compare_ints);
        if (count > 1) {
            int parent = p->row.items[head + 1];
            sibling[j] = child[parent];
            child[parent] = j + 1;
        }
    }
    return HA_OK;
}

/* Joins neighbours with the same rows. */
static ha_status find_blocks(pattern *p)
{
    ha__ldl *s = p->s;

    for (int j = 0; j < p->m; j += p->width[j]) {
        int count = p->start[j + 1] - p->start[j] - 1;
        bool is_pair = j + 1 < p->m && count > 0 && p->row.items[p->start[j] + 1] == j + 1 &&
                       count == p->start[j + 2] - p->start[j + 1];
        p->width[j] = is_pair ? 2 : 1;
        p->value[j] = (int) s->n_values;
        if (is_pair) {
            p->width[j + 1] = 0;
            p->value[j + 1] = (int) s->n_values;
            count--;
        }
        s->n_values += is_pair ? 3 + 2 * (size_t) count : 1 + (size_t) count;
        HA_TRY_PUSH(s->ctx, &s->blocks, (ha__ldl_block){ is_pair ? 2 : 1, count, 0 });
        for (int k = 0; k < count; k++) {
            HA_TRY_PUSH(s->ctx, &s->row, p->row.items[p->start[j + 1] - count + k]);
        }
    }
    return HA_OK;
}

/* Entry `k` of column j of the factor, 0: the diagonal one, as a value. */
static int value_at(const pattern *p, int j, int k)
{
    switch (p->width[j]) {
    case 2:
        return p->value[j] + (k < 2 ? k : 2 * k - 1);
    case 0:
        return p->value[j] + 2 * k + 2;
    default:
        return p->value[j] + k;
    }
}

/* Adds the slots of the products of each two of these rows, which ascend, to a list. */
static ha_status add_products(const pattern *p, const int *rows, int count, ha__ldl_ints *list)
{
    HA_TRY_ROOM(p->s->ctx, list, n_products((size_t) count));
    for (int k = 0; k < count; k++) {
        int j = rows[k], at = p->start[j];
        for (int i = k; i < count; i++) {
            while (p->row.items[at] != rows[i]) {
                at++;
            }
            list->items[list->count++] = value_at(p, j, at - p->start[j]);
        }
    }
    return HA_OK;
}

/* The first row of the rest in which a column has an entry, m: none. */
static int first_row(const pattern *p, int unknown)
{
    int row = p->m;

    for (int64_t k = p->of->start[unknown]; k < p->of->start[unknown + 1]; k++) {
        int to = p->column[p->of->row[k]] - p->s->n_first;
        row = to >= 0 && to < row ? to : row;
    }
    return row;
}

/* Sorts the columns that are eliminated first by the blocks that they enter. */
static ha_status sort_first(pattern *p)
{
    ha__ldl *s = p->s;
    int *order = s->order + s->n_known, n = s->n_first - s->n_known, j = 0, k = 0;
    uint64_t *keys = ha__alloc(s->ctx, (size_t) n, sizeof *keys);

    HA_TRY_MEMORY(keys);
    for (int i = 0; i < n; i++) {
        keys[i] = (uint64_t) first_row(p, order[i]);
    }
    ha_status status = ha__sort_by_keys(s->ctx, (size_t) n, keys, order);
    for (int i = 0; i < n; i++) {
        p->column[order[i]] = s->n_known + i;
    }
    for (size_t q = 0; q < s->blocks.count && status == HA_OK; q++) {
        j += s->blocks.items[q].width;
        while (k < n && first_row(p, order[k]) < j) {
            k++;
        }
        s->blocks.items[q].first = s->n_known + k;
    }
    ha__free(keys);
    return status;
}

static ha_status list_rest_updates(pattern *p)
{
    ha__ldl *s = p->s;
    const int *rows = s->row.items;

    for (size_t q = 0; q < s->blocks.count; q++) {
        HA_TRY(add_products(p, rows, s->blocks.items[q].count, &s->rest_update));
        rows += s->blocks.items[q].count;
    }
    return HA_OK;
}

/* --- columns that are eliminated first ------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
    return compare_ints(&((const ha__ldl_entry *) a)->to, &((const ha__ldl_entry *) b)->to);
}

/* Takes the products of a column that never changes off what the rest starts from. */
static ha_status begin_with(pattern *p, const ha__ldl_entry *entries, const int *rows, int count,
                            double pivot)
{
    ha__ldl *s = p->s;
    size_t n = s->update.count;

    HA_TRY(add_products(p, rows, count, &s->update));
    s->update.count = n; /* needed only here */
    for (int k = 0; k < count; k++) {
        for (int i = k; i < count; i++) {
            s->base[s->update.items[n++]] -= p->a[entries[i].from] / pivot * p->a[entries[k].from];
        }
    }
    return HA_OK;
}

/* Lists column j, one of those that are eliminated first but not known at once. */
static ha_status list_column(pattern *p, int j, int *rows)
{
    ha__ldl *s = p->s;
    const ha__ldl_system *of = p->of;
    ha__ldl_first *first = &s->firsts[j];
    const size_t head = s->entries.count;
    int count = 0;

    for (int64_t k = of->start[first->unknown]; k < of->start[first->unknown + 1]; k++) {
        int to = p->column[of->row[k]] - s->n_first;
        first->is_fixed = is_changing(p, k) ? 0 : first->is_fixed;
        if (to >= 0) {
            HA_TRY_PUSH(s->ctx, &s->entries, (ha__ldl_entry){ of->slot[k], to });
            count++;
        }
    }
    first->count = count;
    if (count == 0) {
        return HA_OK;
    }
    ha__ldl_entry *entries = s->entries.items + head;
    qsort(entries, (size_t) count, sizeof *entries, compare_entries);
    for (int k = 0; k < count; k++) {
        rows[k] = entries[k].to;
    }
    return first->is_fixed != 0 ? begin_with(p, entries, rows, count, p->a[s->pivot[j]])
                                : add_products(p, rows, count, &s->update);
}

/* Lists what an unknown that is known at once does in other rows. */
static ha_status list_ties(pattern *p, int unknown)
{
    const ha__ldl_system *of = p->of;
    ha__ldl *s = p->s;

    for (int64_t k = of->start[unknown]; k < of->start[unknown + 1]; k++) {
        int to = p->column[of->row[k]] - s->n_first;
        if (of->row[k] != unknown) {
            HA_TRY_PUSH(s->ctx, &s->ties, (ha__ldl_tie){ of->slot[k], unknown, to });
        }
    }
    return HA_OK;
}

/* Lists the pivots of what is not the rest. */
static ha_status list_pivots(pattern *p)
{
    ha__ldl *s = p->s;

    for (int j = 0; j < s->n_first; j++) {
        int64_t diagonal = find(p->of, s->order[j], s->order[j]);
        s->pivot[j] = p->of->slot[diagonal];
        s->inverse[j] = 1.0 / value_of(p, diagonal);
        s->firsts[j] = (ha__ldl_first){ .unknown = s->order[j], .is_fixed = 1 };
        if (is_changing(p, diagonal)) {
            HA_TRY_PUSH(s->ctx, &s->changing, j);
        }
    }
    return HA_OK;
}

static ha_status list_first(pattern *p)
{
    ha__ldl *s = p->s;
    int *rows = NULL;
    ha_status status = HA_OK;

    HA_TRY(list_pivots(p));
    HA_TRY_ALLOC(s->ctx, rows, p->m);
    for (int j = 0; j < s->n_first && status == HA_OK; j++) {
        status = j < s->n_known ? list_ties(p, s->order[j]) : list_column(p, j, rows);
    }
    ha__free(rows);
    return status;
}

/* Lists the entries of the rest itself, those above the diagonal left out. */
static ha_status list_own(pattern *p)
{
    ha__ldl *s = p->s;
    const ha__ldl_system *of = p->of;

    for (int j = 0; j < p->m; j++) {
        int unknown = s->order[s->n_first + j];
        double sign = (double) s->sign[s->n_first + j];
        for (int64_t k = of->start[unknown]; k < of->start[unknown + 1]; k++) {
            int i = p->column[of->row[k]] - s->n_first, at = p->start[j];
            if (i < j) {
                continue;
            }
            while (p->row.items[at] != i) {
                at++;
            }
            int to = value_at(p, j, at - p->start[j]);
            if (is_changing(p, k)) {
                HA_TRY_PUSH(s->ctx, &s->own, (ha__ldl_own){ of->slot[k], to, sign });
            } else {
                s->base[to] += sign * value_of(p, k);
            }
        }
    }
    return HA_OK;
}

/* --- all ------------------------------------------------------------------------------------- */

static ha_status find_pattern(pattern *p)
{
    ha_ctx *ctx = p->s->ctx;
    int *scratch = NULL;

    HA_TRY_ALLOC_EACH(ctx, p->m + 1, p->start, p->width, p->value);
    HA_TRY_ALLOC(ctx, scratch, 2 * (size_t) p->m);
    ha_status status = find_rows(p, scratch, scratch + p->m);
    ha__free(scratch);
    HA_TRY(status);
    return is_small(p) ? find_blocks(p) : HA_OK;
}

static ha_status list_numbers(pattern *p)
{
    ha__ldl *s = p->s;

    HA_TRY_ALLOC_EACH(s->ctx, s->n_values, s->base, s->value);
    HA_TRY_ALLOC_EACH(s->ctx, p->m, s->taken, s->y);
    HA_TRY_ALLOC_EACH(s->ctx, s->n_first, s->pivot, s->firsts);
    HA_TRY(sort_first(p));
    HA_TRY(list_rest_updates(p));
    HA_TRY(list_first(p));
    return list_own(p);
}

/* Lists that stay empty have room for one, too, which what begins 0 behind it needs. */
static ha_status open_lists(ha__ldl *s)
{
    HA_TRY_ROOM(s->ctx, &s->changing, 1);
    HA_TRY_ROOM(s->ctx, &s->entries, 1);
    HA_TRY_ROOM(s->ctx, &s->update, 1);
    HA_TRY_ROOM(s->ctx, &s->blocks, 1);
    HA_TRY_ROOM(s->ctx, &s->row, 1);
    HA_TRY_ROOM(s->ctx, &s->rest_update, 1);
    HA_TRY_ROOM(s->ctx, &s->own, 1);
    return HA_OK;
}

static ha_status analyse(pattern *p, bool *is_fit)
{
    ha_ctx *ctx = p->s->ctx;
    const int n = p->of->n;

    HA_TRY_ALLOC_EACH(ctx, n, p->is_known, p->flip, p->column, p->number, p->others, p->seen);
    HA_TRY_ALLOC(ctx, p->rest_start, n + 1);
    HA_TRY(open_lists(p->s));
    HA_TRY_ROOM(ctx, &p->row, 1);
    find_known(p);
    count_first(p);
    *is_fit = p->of->start[n] < INT_MAX && is_small(p) && find_signs(p);
    if (*is_fit) {
        HA_TRY(find_pairs(p));
        HA_TRY(find_order(p));
        HA_TRY(find_pattern(p));
        *is_fit = is_small(p);
    }
    return *is_fit ? list_numbers(p) : HA_OK;
}

ha_status ha__ldl_analyse(ha__ldl *s, const ha__ldl_system *system, const double *a, bool *is_fit)
{
    pattern p = { .s = s, .of = system, .a = a };
    ha_status status = analyse(&p, is_fit);

    HA_FREE(p.is_known, p.flip, p.column, p.number, p.others, p.seen, p.rest_start);
    HA_ARRAY_CLEAR(&p.rest_row);
    ha__free(p.start);
    HA_ARRAY_CLEAR(&p.row);
    HA_FREE(p.width, p.value);
    return status;
}
