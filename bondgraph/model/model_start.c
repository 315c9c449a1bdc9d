/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start system of a model: the equations F = K x + r that are affine in x, the derivatives of
 * the differential unknowns and the algebraic unknowns.
 *
 * A constraint acts back on the speeds that it reads: what is in a row of K is in a column, too,
 * and other entries are constants. So an expression is evaluated once, wherever it stands in K, and
 * a constant never. Since equal expressions are one node, entries that are always equal have one
 * slot.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/expr/expr_priv.h"

#include <stdlib.h>
#include <string.h>

/* True for y' of a differential unknown and for an algebraic one: x. */
static bool is_sought(const bg__compiler *c, ha_expr symbol)
{
    int n = (int) c->q->unknowns.count;
    int column = symbol < c->n_nodes ? c->column_of[symbol] : -1;

    return column >= 2 * n ? false /* an input, of a model with derivatives by inputs */
           : column >= n   ? c->is_differential[column - n]
                           : column >= 0 && !c->is_differential[column];
}

/* Whether an expression is free of x. */
static ha_status is_free(bg__compiler *c, ha_expr e, bool *is_so)
{
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(c->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        *is_so = *is_so && !is_sought(c, symbols[i]);
    }
    return HA_OK;
}

/* A row at x = 0. */
static ha_status without_sought(bg__compiler *c, ha_expr row, ha_expr *out)
{
    ha_expr *symbols = NULL, *zeros = NULL;
    size_t n = 0, n_sought = 0;

    HA_TRY(ha_expr_symbols(c->dag, row, &symbols, &n));
    zeros = ha__alloc(c->q->ctx, n, sizeof *zeros);
    for (size_t i = 0; zeros != NULL && i < n; i++) {
        if (is_sought(c, symbols[i])) {
            symbols[n_sought] = symbols[i];
            zeros[n_sought++] = ha_constant(c->dag, 0.0);
        }
    }
    if (zeros != NULL) {
        *out = ha_expr_replace(c->dag, row, symbols, zeros, n_sought);
    }
    ha__free(zeros);
    free(symbols);
    return zeros == NULL ? HA_ERR_MEMORY : ha_dag_status(c->dag);
}

/* The entry of K that an entry of the Jacobian stands for, HA_EXPR_NONE: 0. */
static ha_expr entry_of(const bg__compiler *c, const entry *e)
{
    return c->is_differential[e->column] ? e->by_yp : e->by_y;
}

/* K in compressed columns, its entries into `values`. */
static ha_status list_matrix(bg__compiler *c, ha_expr *values)
{
    bg_model *m = c->m;
    size_t n = c->q->unknowns.count;

    HA_TRY_ALLOC(m->ctx, m->start_column, n + 1, m->start_row, c->entries.count);
    for (size_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        m->start_column[e->column + 1] += entry_of(c, e) != HA_EXPR_NONE ? 1 : 0;
    }
    for (size_t j = 0; j < n; j++) {
        m->start_column[j + 1] += m->start_column[j];
    }
    int64_t n_entries = m->start_column[n];
    for (size_t i = c->entries.count; i-- > 0;) { /* from the end: the rows of a column ascend */
        const entry *e = &c->entries.items[i];
        if (entry_of(c, e) != HA_EXPR_NONE) {
            int64_t slot = --m->start_column[e->column + 1];
            m->start_row[slot] = e->row;
            values[slot] = entry_of(c, e);
        }
    }
    /* each start has moved to that of its own column: back by one */
    memmove(m->start_column, m->start_column + 1, n * sizeof *m->start_column);
    m->start_column[n] = n_entries;
    return HA_OK;
}

/* Gives each entry its slot: that of its expression, or behind all that changes that of its
   number. The expressions go to `roots`. */
static ha_status place_values(bg__compiler *c, const ha_expr *values, int *number, ha_expr *roots,
                              bool *is_affine)
{
    bg_model *m = c->m;
    const int n = (int) c->q->unknowns.count;
    const int64_t n_entries = m->start_column[n];
    int n_values = 0, n_constants = 0;

    HA_TRY_ALLOC_EACH(m->ctx, n_entries, m->start_index, m->start_constant);
    for (int64_t k = 0; k < n_entries && *is_affine; k++) {
        int *of = &number[values[k]]; /* 1 + the slot, -1 - number of the constant, 0: none yet */
        if (*of == 0 && ha_expr_is_constant(c->dag, values[k], &m->start_constant[n_constants])) {
            *of = -1 - n_constants++;
        } else if (*of == 0) {
            HA_TRY(is_free(c, values[k], is_affine));
            roots[n_values++] = values[k];
            *of = n_values;
        }
        m->start_index[k] = *of;
    }
    for (int64_t k = 0; k < n_entries; k++) {
        int of = m->start_index[k];
        m->start_index[k] = of > 0 ? of - 1 : n_values + n - 1 - of;
    }
    m->dae.n_start_values = n_values;
    m->dae.n_start_constants = n_constants;
    return HA_OK;
}

/* Lists K and its indices. */
static ha_status place_matrix(bg__compiler *c, ha_expr *roots, bool *is_affine)
{
    ha_expr *values = ha__alloc(c->m->ctx, c->entries.count, sizeof *values);
    int *number = ha__alloc(c->m->ctx, (size_t) ha_dag_size(c->dag), sizeof *number);
    ha_status status = values == NULL || number == NULL ? HA_ERR_MEMORY : list_matrix(c, values);

    HA_THEN(status, place_values(c, values, number, roots, is_affine));
    HA_FREE(values, number);
    return status;
}

ha_status bg__model_compile_start(bg__compiler *c)
{
    const size_t n = c->q->rows.count;
    ha_dae *dae = &c->m->dae;
    ha_expr *roots = ha__alloc(c->m->ctx, c->entries.count + n, sizeof *roots);
    bool is_affine = c->is_for_explicit;
    ha_status status = roots == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK && is_affine) {
        status = place_matrix(c, roots, &is_affine);
    }
    size_t n_values = (size_t) dae->n_start_values;
    for (size_t i = 0; i < n && is_affine && status == HA_OK; i++) {
        status = without_sought(c, c->rows[i], &roots[n_values + i]);
    }
    HA_THEN(status, bg__model_add_tape(c, BG__TAPE_START, roots, is_affine ? n_values + n : 0));
    ha__free(roots);
    dae->start_column = c->m->start_column;
    dae->start_row = c->m->start_row;
    dae->start_index = c->m->start_index;
    dae->start_constant = c->m->start_constant;
    if (!is_affine) {
        dae->start_system = NULL;
    }
    return status;
}
