/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse elimination modulo p. There is no rounding, so pivots are chosen for sparsity alone: a
 * column with one entry left costs nothing; else the shortest row, and in it the column with the
 * fewest entries (after Markowitz 1957). Trees and ladders then fill in nothing, and the work is
 * linear in their size.
 *
 * Step k takes the pivot u in row r, column c and subtracts m = a_ic / u times row r from every
 * other row i that has an entry a_ic. What is left when no row has an entry: rows of zeros and as
 * many columns without a pivot, n - rank of each.
 *   right: such columns get residues by chance; a pivot's column follows from its row,
 *          x_c = -(sum over the row's other entries of a_rj x_j) / u, the last pivot first.
 *   left:  rows of zeros get residues by chance. Each is the sum of the given rows with the factors
 *          that the steps undone in reverse give: y_r -= m y_i.
 *   determinant = product of the pivots * sign of the permutation that takes r to c.
 *
 * Rows live in a pool; a row that outgrows its room moves to the end. A column is a list of rows
 * that may name rows which are gone or have lost the entry; its count is exact.
 */
#include <config.h>

#include "lib/linalg/modular.h"

#include "lib/core/mem.h"

#include <stdbool.h>
#include <string.h>

enum { NONE = -1 };

typedef struct {
    int column;
    uint64_t value;
} entry;

/* A row of a column's list. */
typedef struct {
    int row;
    int next;
} listed;

/* A row was subtracted from another. */
typedef struct {
    int from, row;
    uint64_t factor;
} step;

typedef struct {
    ha_ctx *ctx;
    int n;
    HA_ARRAY(entry) pool;
    size_t *start; /* (n) of each row in the pool; after its turn as it was then */
    int *length;   /* (n) */
    int *room;     /* (n) entries that fit where the row is */
    HA_ARRAY(listed) links;
    int *head;                     /* (n) of each column in links, NONE: end */
    int *count;                    /* (n) entries of each column in rows that are left */
    bool *is_gone;                 /* (n) rows that were pivots or are zero */
    int *pivot_column;             /* (n) by row, NONE: none */
    bool *has_pivot;               /* (n) by column */
    HA_ARRAY(int) single;          /* columns that came down to one entry */
    int *bucket, *next, *previous; /* rows by length: heads (n + 1), links (n) */
    int shortest;
    int *slot;            /* (n) by column: 1 + slot in the row under way, 0: not in it */
    int *touched;         /* (n) by row: 1 + the last step that met it */
    HA_ARRAY(step) steps; /* for the left vector, where it is asked for */
    bool keeps_steps;
    int *order; /* (n) rows that were pivots, in that order */
    int rank;
} elimination;

/* --- rows by length ------------------------------------------------------------------------- */

static void take_out(elimination *x, int row)
{
    int before = x->previous[row], after = x->next[row];

    if (before == NONE) {
        x->bucket[x->length[row]] = after;
    } else {
        x->next[before] = after;
    }
    if (after != NONE) {
        x->previous[after] = before;
    }
}

static void put_in(elimination *x, int row)
{
    int length = x->length[row], after = x->bucket[length];

    x->next[row] = after;
    x->previous[row] = NONE;
    if (after != NONE) {
        x->previous[after] = row;
    }
    x->bucket[length] = row;
    x->shortest = length < x->shortest ? length : x->shortest;
}

/* The shortest row that is left, NONE when there is none; rows of zeros go. */
static int shortest_row(elimination *x)
{
    while (x->bucket[0] != NONE) {
        int row = x->bucket[0];
        take_out(x, row);
        x->is_gone[row] = true;
    }
    x->shortest = x->shortest < 1 ? 1 : x->shortest;
    while (x->shortest <= x->n && x->bucket[x->shortest] == NONE) {
        x->shortest++;
    }
    return x->shortest > x->n ? NONE : x->bucket[x->shortest];
}

/* --- columns -------------------------------------------------------------------------------- */

static ha_status add_to_column(elimination *x, int row, int column)
{
    HA_TRY_PUSH(x->ctx, &x->links, (listed){ row, x->head[column] });
    x->head[column] = (int) x->links.count - 1;
    x->count[column]++;
    return HA_OK;
}

static ha_status drop_from_column(elimination *x, int column)
{
    if (--x->count[column] == 1) {
        HA_TRY_PUSH(x->ctx, &x->single, column);
    }
    return HA_OK;
}

/* The entry of a row in a column, NULL when there is none. */
static entry *find(const elimination *x, int row, int column)
{
    entry *items = x->pool.items + x->start[row];

    for (int k = 0; k < x->length[row]; k++) {
        if (items[k].column == column) {
            return &items[k];
        }
    }
    return NULL;
}

/* --- set up --------------------------------------------------------------------------------- */

static ha_status allocate(elimination *x)
{
    int n = x->n;

    HA_TRY_ALLOC_EACH(x->ctx, n, x->start, x->length, x->room, x->head, x->count, x->is_gone,
                      x->pivot_column, x->has_pivot);
    HA_TRY_ALLOC(x->ctx, x->bucket, n + 1);
    HA_TRY_ALLOC_EACH(x->ctx, n, x->next, x->previous, x->slot, x->touched, x->order);
    return HA_OK;
}

static ha_status load(elimination *x, const ha__mod_matrix *matrix)
{
    HA_TRY(allocate(x));
    HA_TRY_ROOM(x->ctx, &x->pool, (size_t) matrix->row_start[x->n]);
    for (int i = 0; i < x->n; i++) {
        x->head[i] = x->pivot_column[i] = x->bucket[i] = NONE;
    }
    x->bucket[x->n] = NONE;
    x->shortest = x->n;
    for (int i = 0; i < x->n; i++) {
        x->start[i] = x->pool.count;
        for (int k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
            if (matrix->value[k] != 0) {
                x->pool.items[x->pool.count++] = (entry){ matrix->column[k], matrix->value[k] };
                HA_TRY(add_to_column(x, i, matrix->column[k]));
            }
        }
        x->length[i] = x->room[i] = (int) (x->pool.count - x->start[i]);
        put_in(x, i);
    }
    for (int j = 0; j < x->n; j++) {
        if (x->count[j] == 1) {
            HA_TRY_PUSH(x->ctx, &x->single, j);
        }
    }
    return HA_OK;
}

static void clear(elimination *x)
{
    HA_ARRAY_CLEAR(&x->pool);
    HA_FREE(x->start, x->length, x->room);
    HA_ARRAY_CLEAR(&x->links);
    HA_FREE(x->head, x->count, x->is_gone, x->pivot_column, x->has_pivot);
    HA_ARRAY_CLEAR(&x->single);
    HA_FREE(x->bucket, x->next, x->previous, x->slot, x->touched);
    HA_ARRAY_CLEAR(&x->steps);
    ha__free(x->order);
}

/* --- elimination ---------------------------------------------------------------------------- */

/* The next pivot; false when none is left. */
static bool choose(elimination *x, int *row, int *column)
{
    while (x->single.count > 0) {
        int j = x->single.items[--x->single.count];
        if (x->count[j] != 1) {
            continue;
        }
        for (int l = x->head[j]; l != NONE; l = x->links.items[l].next) {
            int i = x->links.items[l].row;
            if (!x->is_gone[i] && find(x, i, j) != NULL) {
                *row = i;
                *column = j;
                return true;
            }
        }
    }
    *row = shortest_row(x);
    if (*row == NONE) {
        return false;
    }
    const entry *items = x->pool.items + x->start[*row];
    *column = items[0].column;
    for (int k = 1; k < x->length[*row]; k++) {
        *column = x->count[items[k].column] < x->count[*column] ? items[k].column : *column;
    }
    return true;
}

/* Makes room for `extra` more entries behind those of row i. */
static ha_status make_room(elimination *x, int i, int extra)
{
    int wanted = x->length[i] + extra;
    size_t old = x->start[i];

    if (wanted <= x->room[i]) {
        return HA_OK;
    }
    x->room[i] = 2 * wanted;
    HA_TRY_ROOM(x->ctx, &x->pool, (size_t) x->room[i]);
    x->start[i] = x->pool.count;
    x->pool.count += (size_t) x->room[i];
    memcpy(x->pool.items + x->start[i], x->pool.items + old,
           (size_t) x->length[i] * sizeof *x->pool.items);
    return HA_OK;
}

/* Marks the entries of row i in `slot`; how many of the pivot's row are new to it, but for
 * `column`. */
static int mark(elimination *x, int pivot, int column, int i)
{
    int n_new = 0;

    for (int k = 0; k < x->length[i]; k++) {
        x->slot[x->pool.items[x->start[i] + (size_t) k].column] = k + 1;
    }
    for (int k = 0; k < x->length[pivot]; k++) {
        int j = x->pool.items[x->start[pivot] + (size_t) k].column;
        n_new += j != column && x->slot[j] == 0 ? 1 : 0;
    }
    return n_new;
}

/* Adds `factor` times the pivot's row but for `column` to row i, whose entries are marked. */
static ha_status add_pivot_row(elimination *x, int pivot, int column, int i, uint64_t factor)
{
    entry *items = x->pool.items + x->start[i];

    for (int k = 0; k < x->length[pivot]; k++) {
        entry e = x->pool.items[x->start[pivot] + (size_t) k];
        uint64_t more = ha__mod_mul(factor, e.value);
        if (e.column == column) {
            continue;
        }
        if (x->slot[e.column] > 0) {
            entry *at = &items[x->slot[e.column] - 1];
            at->value = ha__mod_add(at->value, more);
        } else {
            items[x->length[i]++] = (entry){ e.column, more };
            HA_TRY(add_to_column(x, i, e.column));
        }
    }
    return HA_OK;
}

/* Takes the entries that vanished out of a row, and its marks. */
static ha_status tidy(elimination *x, int i)
{
    entry *items = x->pool.items + x->start[i];
    int n = x->length[i];

    x->length[i] = 0;
    for (int k = 0; k < n; k++) {
        x->slot[items[k].column] = 0;
        if (items[k].value != 0) {
            items[x->length[i]++] = items[k];
        } else {
            HA_TRY(drop_from_column(x, items[k].column));
        }
    }
    return HA_OK;
}

/* Subtracts the pivot's row from row i so that its entry in `column` vanishes. That entry goes
   first, so that a row in a chain, which loses one and gains one, stays where it is. */
static ha_status subtract(elimination *x, int pivot, int column, uint64_t inverse, int i)
{
    entry *at = find(x, i, column);
    uint64_t factor = ha__mod_mul(at->value, inverse);

    if (x->keeps_steps) {
        HA_TRY_PUSH(x->ctx, &x->steps, (step){ pivot, i, factor });
    }
    take_out(x, i);
    *at = x->pool.items[x->start[i] + (size_t) --x->length[i]];
    HA_TRY(drop_from_column(x, column));
    HA_TRY(make_room(x, i, mark(x, pivot, column, i)));
    HA_TRY(add_pivot_row(x, pivot, column, i, ha__mod_sub(0, factor)));
    HA_TRY(tidy(x, i));
    put_in(x, i);
    return HA_OK;
}

static ha_status pivot_on(elimination *x, int row, int column)
{
    uint64_t inverse = ha__mod_inverse(find(x, row, column)->value);

    take_out(x, row);
    x->is_gone[row] = true;
    x->pivot_column[row] = column;
    x->has_pivot[column] = true;
    x->order[x->rank++] = row;
    for (int l = x->head[column]; l != NONE; l = x->links.items[l].next) {
        int i = x->links.items[l].row;
        if (!x->is_gone[i] && x->touched[i] != x->rank && find(x, i, column) != NULL) {
            x->touched[i] = x->rank;
            HA_TRY(subtract(x, row, column, inverse, i));
        }
    }
    for (int k = 0; k < x->length[row]; k++) {
        HA_TRY(drop_from_column(x, x->pool.items[x->start[row] + (size_t) k].column));
    }
    return HA_OK;
}

/* --- answers -------------------------------------------------------------------------------- */

/* The sign of a permutation is (-1)^(n - cycles). */
static ha_status determinant(elimination *x, uint64_t *out)
{
    uint64_t product = 1;
    bool *seen = NULL, is_odd = false;

    if (x->rank < x->n) {
        *out = 0;
        return HA_OK;
    }
    HA_TRY_ALLOC(x->ctx, seen, x->n);
    for (int i = 0; i < x->n; i++) {
        product = ha__mod_mul(product, find(x, i, x->pivot_column[i])->value);
        /* one change for each member of a cycle and one for the cycle */
        is_odd = seen[i] ? is_odd : !is_odd;
        for (int j = i; !seen[j]; j = x->pivot_column[j]) {
            seen[j] = true;
            is_odd = !is_odd;
        }
    }
    ha__free(seen);
    *out = is_odd ? ha__mod_sub(0, product) : product;
    return HA_OK;
}

static void right_vector(const elimination *x, uint64_t *right)
{
    for (int j = 0; j < x->n; j++) {
        right[j] = x->has_pivot[j] ? 0 : ha__mod_chance(1, (uint64_t) j);
    }
    for (int k = x->rank; k-- > 0;) {
        int row = x->order[k];
        uint64_t sum = 0, pivot = 1;
        for (int j = 0; j < x->length[row]; j++) {
            entry e = x->pool.items[x->start[row] + (size_t) j];
            if (e.column == x->pivot_column[row]) {
                pivot = e.value;
            } else {
                sum = ha__mod_add(sum, ha__mod_mul(e.value, right[e.column]));
            }
        }
        right[x->pivot_column[row]] =
            sum == 0 ? 0 : ha__mod_sub(0, ha__mod_mul(sum, ha__mod_inverse(pivot)));
    }
}

static void left_vector(const elimination *x, uint64_t *left)
{
    for (int i = 0; i < x->n; i++) {
        left[i] = x->pivot_column[i] != NONE ? 0 : ha__mod_chance(2, (uint64_t) i);
    }
    for (size_t k = x->steps.count; k-- > 0;) {
        step s = x->steps.items[k];
        left[s.from] = ha__mod_sub(left[s.from], ha__mod_mul(s.factor, left[s.row]));
    }
}

ha_status ha__mod_eliminate(ha_ctx *ctx, const ha__mod_matrix *matrix, uint64_t *right,
                            uint64_t *left, ha__mod_answer *out)
{
    elimination x = { .ctx = ctx, .n = matrix->n, .keeps_steps = left != NULL };
    ha__mod_answer answer = { 0, 0 };
    int row = NONE, column = NONE;
    ha_status status = load(&x, matrix);

    while (status == HA_OK && choose(&x, &row, &column)) {
        status = pivot_on(&x, row, column);
    }
    if (status == HA_OK) {
        answer.rank = x.rank;
        status = determinant(&x, &answer.determinant);
    }
    if (status == HA_OK) {
        *out = answer;
        if (right != NULL) {
            right_vector(&x, right);
        }
        if (left != NULL) {
            left_vector(&x, left);
        }
    }
    clear(&x);
    return status;
}
