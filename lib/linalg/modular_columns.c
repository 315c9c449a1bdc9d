/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first independent columns of a sparse matrix modulo p, by elimination that looks to the left
 * (Gilbert and Peierls 1988): the columns keep their order, since the order says which are wanted.
 *
 * Step k has taken a column with the pivot row r_k; l_k is what was left of it then in the rows
 * without pivot, over its entry in r_k. From the next column c each step k with c_(r_k) != 0, in
 * their order, takes c_(r_k) l_k. What is left is in rows without pivot: nothing, when c is a
 * combination of those before; else the first of these rows becomes the pivot of the next step.
 *
 * l_k lies in rows that get their pivots later, if at all, so that the steps that c needs are
 * those that are reached from its own rows; a search in depth lists them, each before those it
 * leads to. So the work goes with the entries that there are and come to be, not with the size.
 */
#include <config.h>

#include "lib/linalg/modular.h"

#include "lib/core/mem.h"

#include <stdbool.h>

typedef struct {
    int row;
    uint64_t value;
} entry;

typedef struct {
    ha_ctx *ctx;
    const ha__mod_columns *m;
    HA_ARRAY(entry) left; /* l_k, one behind the other */
    size_t *start;        /* (steps + 1) of each in `left` */
    int *pivot_row;       /* (steps) */
    int n_steps;
    int *step_of; /* (n_rows) the step whose pivot is there, -1: none */
    uint64_t *c;  /* (n_rows) the column under way */
    int *rows;    /* (n_rows) those of its rows that have no pivot */
    int n_rows;
    int *seen;  /* (n_rows) by row: 1 + the last column that met it */
    int *order; /* (n_rows) the steps it needs, from `first` on */
    int first;
    int *stack; /* (n_rows) */
    size_t *at; /* (n_rows) how far each of the stack is looked through */
} taker;

/* --- the steps that a column needs ------------------------------------------------------------ */

/* Meets a row: true when it has a step that was not met before. */
static bool meet(taker *t, int row, int stamp)
{
    if (t->seen[row] == stamp) {
        return false;
    }
    t->seen[row] = stamp;
    if (t->step_of[row] < 0) {
        t->rows[t->n_rows++] = row;
        return false;
    }
    return true;
}

/* Lists a step and all that it leads to, from the end of `order`. */
static void search(taker *t, int step, int stamp)
{
    int depth = 0;

    t->stack[0] = step;
    t->at[0] = t->start[step];
    while (depth >= 0) {
        int k = t->stack[depth], next = -1;
        while (t->at[depth] < t->start[k + 1] && next < 0) {
            int row = t->left.items[t->at[depth]++].row;
            next = meet(t, row, stamp) ? t->step_of[row] : -1;
        }
        if (next >= 0) {
            depth++;
            t->stack[depth] = next;
            t->at[depth] = t->start[next];
        } else {
            t->order[--t->first] = k;
            depth--;
        }
    }
}

/* --- elimination ------------------------------------------------------------------------------ */

/* What is left of a column by the steps before. */
static void reduce(taker *t, int column)
{
    const ha__mod_columns *m = t->m;

    t->n_rows = 0;
    t->first = m->n_rows;
    for (int i = m->start[column]; i < m->start[column + 1]; i++) {
        t->c[m->row[i]] = m->value[i];
        if (meet(t, m->row[i], column + 1)) {
            search(t, t->step_of[m->row[i]], column + 1);
        }
    }
    for (int i = t->first; i < m->n_rows; i++) {
        int k = t->order[i], pivot = t->pivot_row[k];
        uint64_t factor = t->c[pivot];
        t->c[pivot] = 0;
        for (size_t e = t->start[k]; e < t->start[k + 1] && factor != 0; e++) {
            const entry *l = &t->left.items[e];
            t->c[l->row] = ha__mod_sub(t->c[l->row], ha__mod_mul(factor, l->value));
        }
    }
}

/* Makes a step of what is left; no pivot: the column is a combination of those before. */
static ha_status add_step(taker *t, int column, int *pivot)
{
    int best = -1;

    for (int i = 0; i < t->n_rows; i++) {
        int row = t->rows[i];
        best = t->c[row] != 0 && (best < 0 || row < best) ? row : best;
    }
    if (best >= 0) {
        uint64_t inverse = ha__mod_inverse(t->c[best]);
        pivot[best] = column;
        t->step_of[best] = t->n_steps;
        t->pivot_row[t->n_steps] = best;
        for (int i = 0; i < t->n_rows; i++) {
            entry l = { t->rows[i], ha__mod_mul(t->c[t->rows[i]], inverse) };
            if (l.row != best && l.value != 0) {
                HA_TRY_PUSH(t->ctx, &t->left, l);
            }
        }
        t->start[++t->n_steps] = t->left.count;
    }
    for (int i = 0; i < t->n_rows; i++) {
        t->c[t->rows[i]] = 0;
    }
    return HA_OK;
}

/* --- all of it -------------------------------------------------------------------------------- */

static ha_status allocate(taker *t)
{
    HA_TRY_ALLOC(t->ctx, t->start, t->m->n_rows + 1);
    HA_TRY_ALLOC_EACH(t->ctx, t->m->n_rows, t->pivot_row, t->step_of, t->c, t->rows, t->seen,
                      t->order, t->stack, t->at);
    return HA_OK;
}

static ha_status take(taker *t, int *pivot)
{
    HA_TRY(allocate(t));
    for (int i = 0; i < t->m->n_rows; i++) {
        pivot[i] = t->step_of[i] = -1;
    }
    for (int j = 0; j < t->m->n_columns && t->n_steps < t->m->n_rows; j++) {
        reduce(t, j);
        HA_TRY(add_step(t, j, pivot));
    }
    return HA_OK;
}

ha_status ha__mod_take_columns(ha_ctx *ctx, const ha__mod_columns *matrix, int *pivot)
{
    taker t = { .ctx = ctx, .m = matrix };
    ha_status status = take(&t, pivot);

    HA_ARRAY_CLEAR(&t.left);
    HA_FREE(t.start, t.pivot_row, t.step_of, t.c, t.rows, t.seen, t.order, t.stack, t.at);
    return status;
}
