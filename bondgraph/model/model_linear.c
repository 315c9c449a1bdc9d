/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compilation of the derivatives that a linearisation needs: of the equations F(t, y, y', w), the
 * outputs h(t, y, y', w), what is 0 on the manifold of the constraints, and the contents of
 * storages, with respect to y, y' and the inputs w with their rates. All are exact, and those that
 * vanish identically are left out.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/expr/expr_priv.h"

#include <stdlib.h>

/* Derivatives under way: each with its root on the tape. */
typedef struct {
    HA_ARRAY(bg__linear_entry) entries;
    HA_ARRAY(ha_expr) roots;
    bg__edges edges;
} collection;

static ha_status add_entry(bg__compiler *c, collection *all, bg__linear_entry what, ha_expr value)
{
    if (!ha_expr_is(c->dag, value, 0.0)) {
        HA_TRY_PUSH(c->q->ctx, &all->entries, what);
        HA_TRY_PUSH(c->q->ctx, &all->roots, value);
    }
    return HA_OK;
}

/* Derivatives of a value with respect to the variables of all columns; only: of one. */
static ha_status add_partials(bg__compiler *c, collection *all, bg__linear_block block, int row,
                              ha_expr value, int only)
{
    ha_expr *symbols = NULL, *partials = NULL;
    size_t n = 0;

    HA_TRY(ha_gradient(c->dag, value, &symbols, &partials, &n));
    ha_status status = HA_OK;
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        int column = symbols[i] < c->n_nodes ? c->column_of[symbols[i]] : -1;
        if (column >= 0 && (only < 0 || column == only)) {
            status = add_entry(c, all, (bg__linear_entry){ block, row, column }, partials[i]);
        }
    }
    free(symbols);
    free(partials);
    return status;
}

static ha_status add_gradient(bg__compiler *c, collection *all, bg__linear_block block, int row,
                              ha_expr value)
{
    return add_partials(c, all, block, row, value, -1);
}

/* True of what a run has behind it: the energy at its start, the work, the losses and what of them
   is. */
static bool is_of_run(const bg_equations *q, ha_expr symbol)
{
    bool is_one =
        symbol == q->energy_start || symbol == q->work || symbol == q->loss || symbol == q->passed;

    for (size_t i = 0; i < q->losses.count && !is_one; i++) {
        is_one = symbol == q->losses.items[i].heat;
    }
    return is_one;
}

/* Whether an output reads such, in `*out`. */
static ha_status reads_run(const bg__compiler *c, ha_expr value, signed char *out)
{
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(c->dag, value, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        *out = *out != 0 || is_of_run(c->q, symbols[i]);
    }
    return HA_OK;
}

/* The outputs that were asked for, in their order. */
static ha_status add_outputs(bg__compiler *c, collection *all)
{
    bg_model *m = c->m;

    HA_TRY_ALLOC(m->ctx, m->is_summed, m->dae.n_outputs);
    for (int i = 0; i < m->dae.n_outputs; i++) {
        ha_expr value = c->q->outputs.items[c->wanted[i]].value;
        HA_TRY(reads_run(c, value, &m->is_summed[i]));
        HA_TRY(bg__edges_add(c, &all->edges, i, &value));
        HA_TRY(add_gradient(c, all, BG__LINEAR_OUTPUT, i, value));
    }
    return HA_OK;
}

/* With the sides of switches held, as in the equations. */
static ha_status add_held(bg__compiler *c, collection *all, bg__linear_block block, int row,
                          ha_expr value)
{
    HA_TRY(ha__hold_sides(&c->switches, c->q->ctx, c->dag, value, &value));
    return add_gradient(c, all, block, row, value);
}

static ha_status collect(bg__compiler *c, collection *all)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;

    for (size_t i = 0; i < q->rows.count; i++) {
        HA_TRY(add_gradient(c, all, BG__LINEAR_EQUATION, (int) i, c->rows[i]));
    }
    HA_TRY(add_outputs(c, all));
    for (size_t i = 0; i < q->manifold.count; i++) {
        HA_TRY(add_held(c, all, BG__LINEAR_MANIFOLD, (int) i, q->manifold.items[i].value));
        m->conditions[i] = q->manifold.items[i].kind;
        m->switched_row[i] = q->manifold.items[i].switched - 1;
    }
    for (size_t i = 0; i < q->unknowns.count; i++) {
        m->has_content[i] = q->unknowns.items[i].content != HA_EXPR_NONE;
        if (m->has_content[i]) {
            HA_TRY(add_gradient(c, all, BG__LINEAR_CONTENT, (int) i, q->unknowns.items[i].content));
        }
    }
    for (size_t i = 0; i < q->holds.count; i++) {
        HA_TRY(add_gradient(c, all, BG__LINEAR_HOLD, (int) i, q->holds.items[i].sample));
    }
    return HA_OK;
}

/* What deviations at events need besides: of the switching functions with the time, and of the
   equations and of what is held then with respect to the time. */
static ha_status collect_events(bg__compiler *c, collection *all)
{
    int *column = &c->column_of[c->q->time], none = *column;
    ha_status status = HA_OK;

    *column = 2 * (int) c->q->unknowns.count + c->m->n_inputs;
    for (size_t i = 0; i < c->switches.items.count && status == HA_OK; i++) {
        status = add_held(c, all, BG__LINEAR_SWITCH, (int) i, c->switches.items.items[i].g);
    }
    for (size_t i = 0; i < c->q->holds.count && status == HA_OK; i++) {
        ha_expr sample = c->q->holds.items[i].sample;
        status = add_partials(c, all, BG__LINEAR_HOLD, (int) i, sample, *column);
    }
    for (size_t i = 0; i < c->q->rows.count && status == HA_OK; i++) {
        status = add_partials(c, all, BG__LINEAR_TIME, (int) i, c->rows[i], *column);
    }
    *column = none;
    return status;
}

ha_status bg__model_compile_linear(bg__compiler *c)
{
    bg_model *m = c->m;
    collection all = { 0 };

    m->is_linear = true;
    HA_TRY_ALLOC(m->ctx, m->has_content, c->q->unknowns.count);
    m->n_manifold = (int) c->q->manifold.count;
    HA_TRY_ALLOC(m->ctx, m->conditions, m->n_manifold);
    HA_TRY_ALLOC(m->ctx, m->switched_row, m->n_manifold);
    ha_status status = collect(c, &all);
    if (status == HA_OK && c->is_followed) {
        status = collect_events(c, &all);
    }
    HA_THEN(status, bg__model_add_tape(c, BG__TAPE_LINEAR, all.roots.items, all.roots.count));
    HA_THEN(status,
            bg__model_add_tape(c, BG__TAPE_EDGE, all.edges.roots.items, all.edges.roots.count));
    HA_ARRAY_CLEAR(&all.roots);
    HA_ARRAY_CLEAR(&all.edges.roots);
    m->linear = all.entries.items;
    m->n_linear = (int) all.entries.count;
    m->edges = all.edges.edges.items;
    m->n_edges = (int) all.edges.edges.count;
    return status;
}
