/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second opinion on the structure of a compiled model.
 *
 * The causal analysis lets a graph pass when its pencil P(s) is regular, constraints with a
 * position level being taken as independent. Eliminating the definitions from P(s) leaves the
 * matrix dF/dy + s dF/dy' of the unknowns, whose determinant is the same but for factors that are
 * not zero. So for a graph that passed, this matrix, with a diagonal entry more in the rows of such
 * constraints, must have a matching of all rows with all columns. The pattern comes from the
 * symbolic derivatives of the finished equations, the matching from another library: neither knows
 * of strokes or residues. Where they disagree about a multiplier the values are at fault: a switch
 * that stays closed beside an effort source has a constraint that says nothing of its flow. About
 * anything else the program is.
 */
#include <config.h>

#include "bondgraph/model/model_priv.h"

#include "lib/graph/digraph.h"

/* The pairs (row, column) of the pattern; *n of them. */
static void list_pairs(const bg_equations *q, const bg_model *m, int *row, int *column, int *n)
{
    for (int j = 0; j < m->dae.n; j++) {
        for (int64_t k = m->column_start[j]; k < m->column_start[j + 1]; k++) {
            row[*n] = (int) m->row[k];
            column[(*n)++] = j;
        }
    }
    for (size_t i = 0; i < q->checks.count; i++) {
        if (q->checks.items[i].is_position) {
            row[*n] = column[*n] = q->checks.items[i].row;
            (*n)++;
        }
    }
}

static ha_status report(const bg_equations *q, const int *row_of)
{
    int j = 0;

    while (row_of[j] >= 0) {
        j++;
    }
    if (q->unknowns.items[j].kind == BG__MULTIPLIER) {
        return ha_fail(q->ctx, HA_ERR_CAUSALITY, HA_NOWHERE,
                       "nothing decides `%s`: what it is to hold at 0 is decided already, by a "
                       "source or another switch or sink, with the values given; put a resistor or "
                       "a storage in between, or for a switch that stays on one side give a "
                       "condition that changes",
                       q->unknowns.items[j].title);
    }
    return ha_fail(q->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                   "the causal analysis calls the equations solvable, but none is left for the "
                   "unknown `%s`; report this as a fault of the program",
                   q->unknowns.items[j].title);
}

ha_status bg__model_check_structure(const bg_equations *q, const bg_model *m)
{
    size_t most = (size_t) m->column_start[m->dae.n] + q->checks.count;
    int *row = ha__alloc(q->ctx, most, sizeof *row);
    int *column = ha__alloc(q->ctx, most, sizeof *column);
    int *row_of = ha__alloc(q->ctx, (size_t) m->dae.n, sizeof *row_of);
    int n = 0, size = 0;
    ha_status status = row == NULL || column == NULL || row_of == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        list_pairs(q, m, row, column, &n);
        status =
            ha__digraph_matching(q->ctx, m->dae.n, m->dae.n, n, row, column, NULL, row_of, &size);
    }
    if (status == HA_OK && size < m->dae.n) {
        status = report(q, row_of);
    }
    HA_FREE(row, column, row_of);
    return status;
}
