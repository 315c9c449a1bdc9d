/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sparse pencil of the whole system. The derivatives come by rows, so that those of a column
 * are ascending; an entry may have a part in both matrices.
 */
#include <config.h>

#include "bondgraph/analysis/linear_pencil.h"

#include <math.h>
#include <string.h>

/* The unknown that an entry is a derivative by, -1: it is none of an equation by an unknown. */
static int column_of(const bg__linearisation *l, const bg__linear_entry *e, bool *is_rate)
{
    int n = l->m->dae.n, column = e->column % (n > 0 ? n : 1);

    *is_rate = e->column >= n;
    if (e->block != BG__LINEAR_EQUATION || e->column >= 2 * n ||
        (*is_rate && !bg__linear_is_differential(l, column))) {
        return -1;
    }
    return column;
}

/* The slots of the entries: one for both parts. `last` (n) by column: the row placed last. */
static ha_status find_pattern(const bg__linearisation *l, bg__linear_pencil *p, int *last,
                              int64_t *slot)
{
    for (int pass = 0; pass < 2; pass++) {
        memset(last, -1, (size_t) p->n * sizeof *last);
        for (int i = 0; i < l->m->n_linear; i++) {
            const bg__linear_entry *e = &l->m->linear[i];
            bool is_rate = false;
            int j = column_of(l, e, &is_rate);
            if (j < 0) {
                continue;
            }
            bool is_new = last[j] != e->row;
            last[j] = e->row;
            if (pass == 0) {
                p->start[j + 1] += is_new;
            } else {
                slot[j] += is_new;
                p->row[slot[j] - 1] = e->row;
                *(is_rate ? &p->e[slot[j] - 1] : &p->a[slot[j] - 1]) += l->values[i] * p->size[j];
            }
        }
        if (pass == 0) {
            for (int j = 0; j < p->n; j++) {
                p->start[j + 1] += p->start[j];
                slot[j] = p->start[j];
            }
            HA_TRY_ALLOC_EACH(l->ctx, p->start[p->n], p->row, p->a, p->e);
        }
    }
    return HA_OK;
}

static void scale_rows(bg__linear_pencil *p)
{
    for (int64_t k = 0; k < p->start[p->n]; k++) {
        double largest = fmax(fabs(p->a[k]), fabs(p->e[k]));
        p->row_scale[p->row[k]] = fmax(p->row_scale[p->row[k]], largest);
    }
    for (int i = 0; i < p->n; i++) {
        p->row_scale[i] = p->row_scale[i] > 0.0 ? 1.0 / p->row_scale[i] : 1.0;
    }
    for (int64_t k = 0; k < p->start[p->n]; k++) {
        p->a[k] *= p->row_scale[p->row[k]];
        p->e[k] *= p->row_scale[p->row[k]];
    }
}

ha_status bg__linear_pencil_new(const bg__linearisation *l, bg__linear_pencil *out)
{
    size_t n = (size_t) l->m->dae.n;
    int *last = NULL;
    int64_t *slot = NULL;

    *out = (bg__linear_pencil){ .n = (int) n, .size = l->size };
    HA_TRY_ALLOC(l->ctx, out->start, n + 1, out->row_scale, n);
    last = ha__alloc(l->ctx, n, sizeof *last);
    slot = ha__alloc(l->ctx, n, sizeof *slot);
    ha_status status = last == NULL || slot == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, find_pattern(l, out, last, slot));
    if (status == HA_OK) {
        scale_rows(out);
    }
    HA_FREE(last, slot);
    return status;
}

void bg__linear_pencil_clear(bg__linear_pencil *p)
{
    HA_FREE(p->start, p->row, p->a, p->e, p->row_scale);
    *p = (bg__linear_pencil){ 0 };
}
