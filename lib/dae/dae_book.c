/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The book of a run: how much passed through its columns c_i, and where what they are off by, e,
 * changed most.
 *
 *     passed = sum over the steps of sum over i of |c_i(t_k) - c_i(t_k-1)|
 *
 * Steps are short where the solution is hard, which is where a book jumps; so that a jump of many
 * short steps is seen as one, e is compared over intervals that are not shorter than the grain: one
 * step, or as many as it takes.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

ha_status ha__book_init(ha__book *book, ha_ctx *ctx, int n_columns, double grain)
{
    *book = (ha__book){ .n = n_columns, .grain = grain };
    HA_TRY_ALLOC(ctx, book->last, n_columns);
    return HA_OK;
}

void ha__book_clear(ha__book *book)
{
    ha__free(book->last);
    *book = (ha__book){ 0 };
}

/* True when the largest change was where a singular position was passed, or next to that. */
static bool is_in_pass(const ha__book *book)
{
    return book->t_pass[1] > 0.0 && book->t_lost[0] <= book->t_pass[1] + book->grain &&
           book->t_lost[1] >= book->t_pass[0] - book->grain;
}

void ha__book_note(ha__book *book, double t0, double t1)
{
    book->t_pass[0] = t0;
    book->t_pass[1] = t1;
    book->is_in_pass |= book->lost > 0.0 && is_in_pass(book);
}

void ha__book_begin(ha__book *book, double t, const double *entries)
{
    memcpy(book->last, entries, (size_t) book->n * sizeof *entries);
    book->t0 = t;
    book->off = entries[book->n];
}

void ha__book_look(ha__book *book, double t, double off)
{
    /* the first that is not finite is the worst */
    if (isfinite(book->worst) && !(fabs(off) <= book->worst)) {
        book->worst = fabs(off);
        book->t_worst = t;
    }
}

void ha__book_go_on(ha__book *book, double t, const double *entries, bool is_last)
{
    double lost = fabs(entries[book->n] - book->off);

    ha__book_look(book, t, entries[book->n]);
    book->end = entries[book->n];
    for (int i = 0; i < book->n; i++) {
        book->passed += fabs(entries[i] - book->last[i]);
        book->last[i] = entries[i];
    }
    if (t - book->t0 < book->grain && !is_last) {
        return;
    }
    /* the first change that is not finite is the largest */
    if (isfinite(book->lost) && !(lost <= book->lost)) {
        book->lost = lost;
        book->t_lost[0] = book->t0;
        book->t_lost[1] = t;
        book->is_in_pass = is_in_pass(book);
    }
    book->t0 = t;
    book->off = entries[book->n];
}

void ha__book_report(const ha__book *book, ha_dae_stats *stats)
{
    stats->passed = book->passed;
    stats->lost = book->lost;
    stats->t_worst = book->t_worst;
    stats->off_at_end = book->end;
    memcpy(stats->t_lost, book->t_lost, sizeof stats->t_lost);
    stats->is_lost_in_pass = book->is_in_pass ? 1 : 0;
}
