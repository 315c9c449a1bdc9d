/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks to which the record of a run can go back: next to a singular position a method may take
 * steps that turn out to lead nowhere, whose rows, quadratures and watched quantities must not
 * stay. Multipliers, and what is lost by them, run away there.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"

#include <string.h>

/* Copies n values; returns the end of the copy. */
static double *copy(double *to, const double *from, int n)
{
    if (n > 0) {
        memcpy(to, from, (size_t) n * sizeof *to);
    }
    return n > 0 ? to + n : to;
}

/* Copies n values back; returns the end of what they were copied from. */
static const double *copy_back(const double *from, double *to, int n)
{
    (void) copy(to, from, n);
    return n > 0 ? from + n : from;
}

static int n_watched(const ha__recorder *recorder)
{
    return recorder->extremes != NULL ? recorder->dae->n_checks : 0;
}

ha_status ha__mark_init(ha__mark *mark, const ha__recorder *recorder)
{
    const ha_dae *dae = recorder->dae;

    *mark = (ha__mark){ 0 };
    HA_TRY_ALLOC(recorder->ctx, mark->values,
                 2 * (size_t) dae->n_integrals + (size_t) dae->n_checks + (size_t) dae->n_columns +
                     (size_t) ha__peaks_size(&recorder->peaks));
    return HA_OK;
}

void ha__mark_clear(ha__mark *mark)
{
    HA_FREE(mark->values, mark->rows);
    *mark = (ha__mark){ 0 };
}

void ha__mark_set(ha__mark *mark, const ha__recorder *recorder)
{
    double *to = copy(mark->values, recorder->integrals, recorder->dae->n_integrals);

    to = copy(to, recorder->rates, recorder->dae->n_integrals);
    to = copy(to, recorder->extremes, n_watched(recorder));
    to = copy(to, recorder->book.last, recorder->book.n);
    (void) copy(to, recorder->peaks.extremes, ha__peaks_size(&recorder->peaks));
    mark->book = recorder->book;
    mark->next = recorder->next;
    mark->n_rows = ha_result_n_rows(recorder->result);
}

/* What is no row. */
static void restore(ha__recorder *recorder, const ha__mark *mark)
{
    double *last = recorder->book.last;
    const double *from = copy_back(mark->values, recorder->integrals, recorder->dae->n_integrals);

    from = copy_back(from, recorder->rates, recorder->dae->n_integrals);
    from = copy_back(from, recorder->extremes, n_watched(recorder));
    from = copy_back(from, last, recorder->book.n);
    (void) copy_back(from, recorder->peaks.extremes, ha__peaks_size(&recorder->peaks));
    ha__peaks_forget(&recorder->peaks);
    recorder->book = mark->book;
    recorder->book.last = last;
}

ha_status ha__record_rewind(ha__recorder *recorder, const ha__mark *to, ha__mark *from)
{
    size_t n_columns = ha_result_n_columns(recorder->result);
    size_t first = to->n_rows, n = ha_result_n_rows(recorder->result) - first;

    ha__free(from->rows);
    from->rows = NULL;
    HA_TRY_ALLOC(recorder->ctx, from->rows, n * n_columns);
    for (size_t k = 0; k < n * n_columns; k++) {
        from->rows[k] = ha_result_value(recorder->result, first + k / n_columns, k % n_columns);
    }
    ha__mark_set(from, recorder);
    restore(recorder, to);
    ha_result_cut(recorder->result, first);
    recorder->next = to->next;
    return HA_OK;
}

ha_status ha__record_take_up(ha__recorder *recorder, const ha__mark *to, const ha__mark *from)
{
    size_t n_columns = ha_result_n_columns(recorder->result);

    ha_result_cut(recorder->result, to->n_rows);
    for (size_t k = 0; k < from->n_rows - to->n_rows; k++) {
        HA_TRY(ha_result_add_row(recorder->result, from->rows + k * n_columns));
    }
    recorder->next = from->next;
    restore(recorder, from);
    return HA_OK;
}
