/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an output that jumps or bends is on both sides of its edges.
 *
 * The switches of the equations have sides that a run holds. An output may have others, with
 * functions g_1 ... g_m and sides s_1 ... s_m (lib/expr/expr_switch.h), which no run watches. A
 * linearisation has to know them: on an edge, g_k = 0, the output may have another value or other
 * derivatives on either side, and then it has no linear model there. With the output written as
 * h(y, s), there are for each k
 *
 *   g_k,   d_k = h(s_k = 1) - h(s_k = 0),   and the derivatives of d_k,
 *
 * all other sides being s_j = (g_j >= 0). d_k is left out where g_k hangs on the time alone: a step
 * in time is none in the states. With all sides so, h has a derivative on the edge, too: that of
 * the side s = 1.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"

#include <stdlib.h>

/* One output under way. */
typedef struct {
    bg__compiler *c;
    bg__edges *out;
    ha__switches own;
    ha_expr *g, *side, *chosen; /* (n) functions, symbols of their sides, what these are by them */
    size_t n;
} walk;

/* Each side by its function, which may read sides that were met before. */
static ha_status choose_sides(walk *w)
{
    ha_dag *dag = w->c->dag;

    w->n = w->own.items.count;
    HA_TRY_ALLOC_EACH(w->c->q->ctx, w->n, w->g, w->side, w->chosen);
    for (size_t k = 0; k < w->n; k++) {
        w->g[k] = ha_expr_replace(dag, w->own.items.items[k].g, w->side, w->chosen, k);
        w->side[k] = w->own.items.items[k].side;
        w->chosen[k] = ha_apply(dag, HA_OP_GE, w->g[k], ha_constant(dag, 0.0), HA_EXPR_NONE);
    }
    return ha_dag_status(dag);
}

/* The output, in h, with side k as given and all others by their functions. */
static ha_expr with_side(const walk *w, ha_expr h, size_t k, double side)
{
    ha_dag *dag = w->c->dag;
    const ha_expr given = ha_constant(dag, side);

    h = ha_expr_replace(dag, h, &w->side[k], &given, 1);
    return ha_expr_replace(dag, h, w->side, w->chosen, w->n);
}

static ha_status add_root(walk *w, ha_expr value)
{
    HA_TRY_PUSH(w->c->q->ctx, &w->out->roots, value);
    return HA_OK;
}

/* Adds the derivatives of d_k that do not vanish. */
static ha_status add_bends(walk *w, ha_expr d, int *n_bends)
{
    const bg__compiler *c = w->c;
    ha_expr *symbols = NULL, *partials = NULL;
    ha_status status = HA_OK;
    size_t n = 0;

    HA_TRY(ha_gradient(c->dag, d, &symbols, &partials, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        bool is_column = symbols[i] < c->n_nodes && c->column_of[symbols[i]] >= 0;
        if (is_column && !ha_expr_is(c->dag, partials[i], 0.0)) {
            status = add_root(w, partials[i]);
            ++*n_bends;
        }
    }
    free(symbols);
    free(partials);
    return status;
}

static ha_status add_edge(walk *w, ha_expr h, int output, size_t k)
{
    bg__compiler *c = w->c;
    const ha__switch *s = &w->own.items.items[k];
    bg__edge edge = { .output = output, .is_turned = s->is_turned };

    ha_expr d = ha_sub(c->dag, with_side(w, h, k, 1.0), with_side(w, h, k, 0.0));
    HA_TRY(bg__model_name_condition(c, w->g[k], s->is_turned, &edge.text));
    HA_TRY(add_root(w, w->g[k]));
    HA_TRY(add_root(w, s->is_clock ? ha_constant(c->dag, 0.0) : d));
    HA_TRY(add_bends(w, d, &edge.n_bends));
    HA_TRY_PUSH(c->q->ctx, &w->out->edges, edge);
    return ha_dag_status(c->dag);
}

static ha_status add_edges(walk *w, ha_expr value, int output, ha_expr *chosen)
{
    ha_expr h = HA_EXPR_NONE;

    HA_TRY(ha__hold_sides(&w->own, w->c->q->ctx, w->c->dag, value, &h));
    HA_TRY(choose_sides(w));
    for (size_t k = 0; k < w->n; k++) {
        HA_TRY(add_edge(w, h, output, k));
    }
    *chosen = ha_expr_replace(w->c->dag, h, w->side, w->chosen, w->n);
    return ha_dag_status(w->c->dag);
}

ha_status bg__edges_add(bg__compiler *c, bg__edges *edges, int output, ha_expr *value)
{
    walk w = { .c = c, .out = edges };

    w.own.time = c->q->time;
    w.own.fixed = c->switches.fixed;
    w.own.n_fixed = c->switches.n_fixed;
    w.own.resting = c->switches.resting; /* borrowed */
    ha_status status = add_edges(&w, *value, output, value);
    w.own.resting = (ha__switches){ 0 }.resting;
    ha__switches_clear(&w.own);
    HA_FREE(w.g, w.side, w.chosen);
    return status;
}
