/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which derivatives become unknowns of their own.
 *
 * Of the differentiated rows that are matched with derivatives of signals (reduce.c) both r = 0 and
 * dr/dt = 0 are kept: the one is for the signal s, the other for s'. So the rows r_T as they stand
 * have to determine their signals s_D: the block dr_T/ds_D must be regular. A matching sees that
 * each row contains a signal of its own, not that terms cancel. Two dependent inertias on one
 * 1-junction have
 *     p_a - I_a f = 0, p_b - I_b f = 0
 * with f of two tears: either row contains both tears, and yet they say the same of them; one tear
 * has to come from another row, and p_a from these.
 *
 * The block is eliminated in residues (dr'/ds' = dr/ds, so that its entries are those of the
 * differentiated rows; lib/linalg/modular_columns.c), column by column, and the first columns that
 * are independent are taken: tears before all others, since nothing gives them a start value if
 * they become states, then the signals of the matching, then the rest. Independent columns are a
 * matroid, for which to take the best that is left gives the best set. Rows without a column
 * constrain states; they are stabilised.
 */
#include <config.h>

#include "bondgraph/equations/reduce_priv.h"

#include "lib/graph/digraph.h"
#include "lib/linalg/modular.h"

#include <string.h>

/* Rows that share signals, and these. */
typedef struct {
    bg__reducer *x;
    int n_rows, n_columns;
    int *row;        /* (n_rows) */
    int *column;     /* (n_columns) unknowns */
    int *start;      /* (n_columns + 1) entries of each column */
    int *entry_row;  /* by entry: row of the block */
    uint64_t *value; /* by entry: dr/ds */
    int *pivot;      /* (n_rows) column that was taken with it, -1 */
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

/* --- the columns and their order -------------------------------------------------------------- */

/* 0: to be taken first. */
static int rank_of(const bg__reducer *x, int j)
{
    return x->s->unknowns.items[j].kind == BG__TEAR ? 0 : bg__is_settled(x, j) ? 1 : 2;
}

/* Lists the signals in the rows by their rank; `column` (x->n) is where each is, -1. */
static void list_columns(block *b, int *column)
{
    const bg__reducer *x = b->x;

    for (int rank = 0; rank <= 2; rank++) {
        for (int i = 0; i < b->n_rows; i++) {
            for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
                int j = x->entries.items[e].j;
                if (is_candidate(x, &x->entries.items[e]) && column[j] < 0 &&
                    rank_of(x, j) == rank) {
                    column[j] = b->n_columns;
                    b->column[b->n_columns++] = j;
                }
            }
        }
    }
}

/* The entries of the columns, those of each in the order of their rows; `column` as above. */
static void fill(block *b, const int *column)
{
    const bg__reducer *x = b->x;

    for (int i = 0; i < b->n_rows; i++) {
        for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
            if (is_candidate(x, &x->entries.items[e])) {
                b->start[column[x->entries.items[e].j]]++;
            }
        }
    }
    for (int j = 0; j < b->n_columns; j++) { /* start[j] is the end for now */
        b->start[j + 1] += b->start[j];
    }
    for (int i = b->n_rows - 1; i >= 0; i--) {
        for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            if (is_candidate(x, entry)) {
                int at = --b->start[column[entry->j]];
                b->entry_row[at] = i;
                b->value[at] = x->residue[entry->partial];
            }
        }
    }
}

static ha_status make_columns(block *b)
{
    const bg__reducer *x = b->x;
    int *column = ha__alloc(x->s->ctx, (size_t) x->n, sizeof *column);

    HA_TRY_MEMORY(column);
    memset(column, -1, (size_t) x->n * sizeof *column);
    list_columns(b, column);
    fill(b, column);
    ha__free(column);
    return HA_OK;
}

/* Takes columns until every row has one, if it can; `*is_new`: they are not those of the
   matching. */
static ha_status take_columns(block *b, bool *is_new)
{
    const ha__mod_columns m = { b->n_rows, b->n_columns, b->start, b->entry_row, b->value };

    HA_TRY(ha__mod_take_columns(b->x->s->ctx, &m, b->pivot));
    *is_new = false;
    for (int i = 0; i < b->n_rows; i++) {
        *is_new = *is_new || b->pivot[i] < 0 || !bg__is_settled(b->x, b->column[b->pivot[i]]);
    }
    return HA_OK;
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
    HA_FREE(is_taken, left, right, right_of);
    return status;
}

/* Makes sure that the rows of a block determine their signals. */
static ha_status mend(block *b)
{
    ha_ctx *ctx = b->x->s->ctx;
    bool is_new = false;
    int most = 0;

    for (int i = 0; i < b->n_rows; i++) {
        most += b->x->start[b->row[i] + 1] - b->x->start[b->row[i]];
    }
    HA_TRY_ALLOC(ctx, b->start, most + 1, b->pivot, b->n_rows);
    HA_TRY_ALLOC_EACH(ctx, most, b->column, b->entry_row, b->value);
    HA_TRY(make_columns(b));
    HA_TRY(take_columns(b, &is_new));
    return is_new ? match_again(b) : HA_OK;
}

/* --- the blocks ------------------------------------------------------------------------------- */

/* Collects the rows that are connected with a row through signals; `first` (x->n) and `next`
   (entries) link the entries of each signal. */
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
    memset(first, -1, (size_t) x->n * sizeof *first);
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
        status = b.n_rows > 1 ? mend(&b) : HA_OK;
        HA_FREE(b.column, b.start, b.entry_row, b.value, b.pivot);
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
    ha_status status =
        rows == NULL || first == NULL || next == NULL || is_seen == NULL ? HA_ERR_MEMORY : HA_OK;

    HA_THEN(status, mend_all(x, rows, first, next, is_seen));
    HA_FREE(rows, first, next, is_seen);
    return status;
}
