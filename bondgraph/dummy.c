/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which derivatives become unknowns of their own.
 *
 * Of the differentiated rows that are matched with derivatives of signals (reduce.c) both r = 0 and
 * dr/dt = 0 are kept: the one is for the signal s, the other for s'. So the rows r_T as they stand have
 * to determine their signals s_D: the block dr_T/ds_D must be regular. A matching sees that each row
 * contains a signal of its own, not that terms cancel. Two dependent inertias on one 1-junction have
 *     p_a - I_a f = 0, p_b - I_b f = 0
 * with f of two tears: either row contains both tears, and yet they say the same of them; one tear has
 * to come from another row, and p_a from these.
 *
 * The block is eliminated in residues (dr'/ds' = dr/ds, so that its entries are those of the
 * differentiated rows), column by column, and the first columns that are independent are taken: tears
 * before all others, since nothing gives them a start value if they become states, then the signals of
 * the matching, then the rest. Independent columns are a matroid, for which to take the best that is
 * left gives the best set. Rows without a column constrain states; they are stabilised.
 */
#include <config.h>

#include "bondgraph/reduce_priv.h"

#include "lib/digraph.h"
#include "lib/modular.h"

#include <string.h>

enum { MAX_ROWS = 300 }; /* that are eliminated at once, as a dense matrix */

/* Rows that share signals, and these. */
typedef struct {
    bg__reducer *x;
    int n_rows, n_columns;
    int *row;        /* (n_rows) */
    int *column;     /* (n_columns) unknowns */
    uint64_t *value; /* (n_rows * n_columns) dr/ds, then eliminated */
    int *pivot;      /* (n_rows) column that was eliminated with it, -1 */
} block;

bool bg__is_signal(const bg__reducer *x, int j)
{
    bg__unknown_kind kind = x->s->unknowns.items[j].kind;

    return kind == BG__TEAR || kind == BG__CONTENT || kind == BG__MULTIPLIER;
}

bool bg__is_settled(const bg__reducer *x, int j)
{
    int row = j < 0 ? -1 : x->row_of[j];

    return row >= 0 && x->times[row] == 1 && x->level[j] == 1 && bg__is_signal(x, j);
}

/* True for an entry by a signal whose derivative is the highest one. */
static bool is_candidate(const bg__reducer *x, const bg__incidence *entry)
{
    return bg__holds_highest(x, entry) && x->level[entry->j] == 1 && bg__is_signal(x, entry->j);
}

/* True for a row that is matched with the derivative of a signal. */
static bool is_chosen(const bg__reducer *x, int row)
{
    return x->times[row] == 1 && bg__is_settled(x, x->unknown_of[row]);
}

static uint64_t *value_at(const block *b, int i, int j)
{
    return &b->value[(size_t) i * (size_t) b->n_columns + (size_t) j];
}

/* --- the columns and their order -------------------------------------------------------------- */

/* 0: to be taken first. */
static int rank_of(const bg__reducer *x, int j)
{
    return x->s->unknowns.items[j].kind == BG__TEAR ? 0 : bg__is_settled(x, j) ? 1 : 2;
}

/* Lists the signals in the rows by their rank; `place` (x->n) is where each is, -1. */
static void list_columns(block *b, int *place)
{
    const bg__reducer *x = b->x;

    for (int rank = 0; rank <= 2; rank++) {
        for (int i = 0; i < b->n_rows; i++) {
            for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
                int j = x->entries.items[e].j;
                if (is_candidate(x, &x->entries.items[e]) && place[j] < 0 && rank_of(x, j) == rank) {
                    place[j] = b->n_columns;
                    b->column[b->n_columns++] = j;
                }
            }
        }
    }
}

static ha_status fill(block *b)
{
    const bg__reducer *x = b->x;
    int *place = ha__alloc(x->s->ctx, (size_t) x->n, sizeof *place);

    if (place == NULL) {
        return HA_ERR_MEMORY;
    }
    memset(place, -1, (size_t) x->n * sizeof *place);
    list_columns(b, place);
    b->value = ha__alloc(x->s->ctx, (size_t) b->n_rows * (size_t) b->n_columns, sizeof *b->value);
    for (int i = 0; i < b->n_rows && b->value != NULL; i++) {
        for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            if (is_candidate(x, entry)) {
                *value_at(b, i, place[entry->j]) = x->residue[entry->partial];
            }
        }
    }
    ha__free(place);
    return b->value == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* --- elimination ------------------------------------------------------------------------------ */

/* Takes a column when a row is left that contains it; false: it depends on those taken. */
static bool take(block *b, int j)
{
    int p = 0;

    while (p < b->n_rows && (b->pivot[p] >= 0 || *value_at(b, p, j) == 0)) {
        p++;
    }
    if (p == b->n_rows) {
        return false;
    }
    b->pivot[p] = j;
    uint64_t inverse = ha__mod_inverse(*value_at(b, p, j));
    for (int i = 0; i < b->n_rows; i++) {
        uint64_t f = b->pivot[i] >= 0 ? 0 : ha__mod_mul(*value_at(b, i, j), inverse);
        for (int k = j; k < b->n_columns && f != 0; k++) {
            uint64_t *to = value_at(b, i, k);
            *to = ha__mod_sub(*to, ha__mod_mul(f, *value_at(b, p, k)));
        }
    }
    return true;
}

/* Takes columns until every row has one; true when these are not those of the matching. */
static bool eliminate(block *b)
{
    int n_taken = 0, n_new = 0;

    for (int i = 0; i < b->n_rows; i++) {
        b->pivot[i] = -1;
    }
    for (int j = 0; j < b->n_columns && n_taken < b->n_rows; j++) {
        if (take(b, j)) {
            n_taken++;
            n_new += !bg__is_settled(b->x, b->column[j]);
        }
    }
    return n_new > 0 || n_taken < b->n_rows;
}

/* --- the new choice --------------------------------------------------------------------------- */

static void unmatch(bg__reducer *x, int row)
{
    if (row >= 0 && x->unknown_of[row] >= 0) {
        x->row_of[x->unknown_of[row]] = -1;
        x->unknown_of[row] = -1;
    }
}

/* The entries of rows with a pivot in columns that were taken; their number. */
static int list_pairs(const block *b, const bool *is_taken, int *left, int *right)
{
    const bg__reducer *x = b->x;
    int n = 0;

    for (int i = 0; i < b->n_rows; i++) {
        for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1] && b->pivot[i] >= 0; e++) {
            int j = x->entries.items[e].j;
            if (is_candidate(x, &x->entries.items[e]) && is_taken[j]) {
                left[n] = i;
                right[n++] = j;
            }
        }
    }
    return n;
}

/* Matches the rows that have a pivot with the signals that were taken. */
static ha_status match_again(block *b)
{
    bg__reducer *x = b->x;
    ha_ctx *ctx = x->s->ctx;
    bool *is_taken = ha__alloc(ctx, (size_t) x->n, sizeof *is_taken);
    int *left = ha__alloc(ctx, x->entries.count, sizeof *left);
    int *right = ha__alloc(ctx, x->entries.count, sizeof *right);
    int *right_of = ha__alloc(ctx, (size_t) b->n_rows, sizeof *right_of);
    ha_status status = is_taken == NULL || left == NULL || right == NULL || right_of == NULL
                           ? HA_ERR_MEMORY
                           : HA_OK;

    for (int i = 0; i < b->n_rows && status == HA_OK; i++) {
        if (b->pivot[i] >= 0) {
            is_taken[b->column[b->pivot[i]]] = true;
        }
    }
    if (status == HA_OK) {
        int n = list_pairs(b, is_taken, left, right);
        status = ha__digraph_matching(ctx, b->n_rows, x->n, n, left, right, right_of, NULL, NULL);
    }
    for (int i = 0; i < b->n_rows && status == HA_OK; i++) {
        unmatch(x, b->row[i]);
    }
    for (int i = 0; i < b->n_rows && status == HA_OK; i++) {
        if (right_of[i] >= 0) {
            unmatch(x, x->row_of[right_of[i]]);
            x->row_of[right_of[i]] = b->row[i];
            x->unknown_of[b->row[i]] = right_of[i];
        }
    }
    ha__free(is_taken);
    ha__free(left);
    ha__free(right);
    ha__free(right_of);
    return status;
}

/* Makes sure that the rows of a block determine their signals. */
static ha_status mend(block *b)
{
    ha_ctx *ctx = b->x->s->ctx;
    int most = 0;

    for (int i = 0; i < b->n_rows; i++) {
        most += b->x->start[b->row[i] + 1] - b->x->start[b->row[i]];
    }
    HA_TRY_ALLOC(ctx, b->column, most);
    HA_TRY_ALLOC(ctx, b->pivot, b->n_rows);
    HA_TRY(fill(b));
    return eliminate(b) ? match_again(b) : HA_OK;
}

/* --- the blocks ------------------------------------------------------------------------------- */

/* Collects the rows that are connected with a row through signals; `first` (x->n) and `next` (entries)
   link the entries of each signal. */
static void collect(block *b, int row, const int *first, const int *next, bool *is_seen)
{
    const bg__reducer *x = b->x;

    b->row[b->n_rows++] = row;
    is_seen[row] = true;
    for (int i = 0; i < b->n_rows; i++) {
        for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
            if (!is_candidate(x, &x->entries.items[e])) {
                continue;
            }
            for (int k = first[x->entries.items[e].j]; k >= 0; k = next[k]) {
                int other = x->entries.items[k].row;
                if (!is_seen[other]) {
                    is_seen[other] = true;
                    b->row[b->n_rows++] = other;
                }
            }
        }
    }
}

/* The entries of chosen rows by their signals, linked. */
static void link_entries(const bg__reducer *x, int *first, int *next)
{
    for (int j = 0; j < x->n; j++) {
        first[j] = -1;
    }
    for (int row = 0; row < x->n; row++) {
        for (int e = x->start[row]; e < x->start[row + 1] && is_chosen(x, row); e++) {
            int j = x->entries.items[e].j;
            if (is_candidate(x, &x->entries.items[e])) {
                next[e] = first[j];
                first[j] = e;
            }
        }
    }
}

static ha_status mend_all(bg__reducer *x, int *rows, int *first, int *next, bool *is_seen)
{
    ha_status status = HA_OK;

    link_entries(x, first, next);
    for (int row = 0; row < x->n && status == HA_OK; row++) {
        block b = { .x = x, .row = rows };
        if (is_seen[row] || !is_chosen(x, row)) {
            continue;
        }
        collect(&b, row, first, next, is_seen);
        status = b.n_rows > 1 && b.n_rows <= MAX_ROWS ? mend(&b) : HA_OK;
        ha__free(b.column);
        ha__free(b.value);
        ha__free(b.pivot);
    }
    return status;
}

ha_status bg__choose_dummies(bg__reducer *x)
{
    ha_ctx *ctx = x->s->ctx;
    int *rows = ha__alloc(ctx, (size_t) x->n, sizeof *rows);
    int *first = ha__alloc(ctx, (size_t) x->n, sizeof *first);
    int *next = ha__alloc(ctx, x->entries.count, sizeof *next);
    bool *is_seen = ha__alloc(ctx, (size_t) x->n, sizeof *is_seen);
    ha_status status = rows == NULL || first == NULL || next == NULL || is_seen == NULL
                           ? HA_ERR_MEMORY
                           : HA_OK;

    if (status == HA_OK) {
        status = mend_all(x, rows, first, next, is_seen);
    }
    ha__free(rows);
    ha__free(first);
    ha__free(next);
    ha__free(is_seen);
    return status;
}
