/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modulating signals of a picture: from every element whose quantity the value or the law of
 * another reads. Rates, and symbols that stand for something, are read through.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "lib/expr.h"

#include <stdlib.h>

enum { MAX_DEPTH = 8 /* definitions inside definitions that arrows follow */ };

typedef struct {
    bg__picture *picture;
    bg_graph *graph;
    int *reader_of;  /* (elements) modulated element whose arrow from here was drawn last, + 1 */
    int *element_of; /* (nodes of the dag) the element whose quantity a symbol is, + 1 */
    int *rate_of;    /* (nodes of the dag) the rate that a symbol is, + 1 */
    size_t n_symbols;
} finder;

static ha_status index_symbols(finder *x)
{
    bg_graph *g = x->graph;

    x->n_symbols = (size_t) ha_dag_size(g->dag);
    HA_TRY_ALLOC_EACH(g->ctx, x->n_symbols, x->element_of, x->rate_of);
    HA_TRY_ALLOC(g->ctx, x->reader_of, g->elements.count);
    for (size_t i = 0; i < g->elements.count; i++) {
        const bg__element *e = &g->elements.items[i];
        int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;
        for (int s = 0; s < n && e->signals != NULL; s++) {
            if (e->signals[s] != HA_EXPR_NONE) {
                x->element_of[e->signals[s]] = (int) i + 1;
            }
        }
    }
    for (size_t i = 0; i < g->rates.count; i++) {
        x->rate_of[g->rates.items[i].symbol] = (int) i + 1;
    }
    return HA_OK;
}

static ha_status add_signal(finder *x, int from, int to)
{
    bg__edge edge = {
        .kind = BG__EDGE_SIGNAL, .tail = from, .head = to, .dim = 1, .label = { "", "" }
    };

    if (from == to || x->reader_of[from] == to + 1) {
        return HA_OK;
    }
    x->reader_of[from] = to + 1;
    HA_TRY_PUSH(x->graph->ctx, &x->picture->edges, edge);
    return HA_OK;
}

static ha_status add_signals_of(finder *x, int reader, ha_expr value, int depth)
{
    ha_dag *dag = x->graph->dag;
    ha_expr *symbols = NULL;
    size_t n = 0;
    ha_status status = HA_OK;

    if (value == HA_EXPR_NONE || ha_expr_is_constant(dag, value, NULL) || depth > MAX_DEPTH) {
        return HA_OK;
    }
    HA_TRY(ha_expr_symbols(dag, value, &symbols, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        size_t s = (size_t) symbols[i];
        if (s < x->n_symbols && x->element_of[s] > 0) {
            status = add_signal(x, x->element_of[s] - 1, reader);
        } else if (s < x->n_symbols && x->rate_of[s] > 0) {
            ha_expr argument = x->graph->rates.items[x->rate_of[s] - 1].argument;
            status = add_signals_of(x, reader, argument, depth + 1);
        } else {
            ha_expr definition = ha_symbol_definition(dag, symbols[i]);
            status = add_signals_of(x, reader, definition, depth + 1);
        }
    }
    free(symbols);
    return status;
}

static ha_status add_all(finder *x)
{
    HA_TRY(index_symbols(x));
    for (size_t i = 0; i < x->graph->elements.count; i++) {
        const bg__element *e = &x->graph->elements.items[i];
        const bg__extras *extra = bg__extra(e);
        for (int k = 0; k < e->n_values; k++) {
            HA_TRY(add_signals_of(x, (int) i, e->value[k], 0));
        }
        if (extra->law != NULL) {
            HA_TRY(add_signals_of(x, (int) i, extra->law->effort, 0));
            HA_TRY(add_signals_of(x, (int) i, extra->law->flow, 0));
            HA_TRY(add_signals_of(x, (int) i, extra->law->energy, 0));
        }
    }
    return HA_OK;
}

ha_status bg__picture_signals(bg__picture *picture, bg_graph *graph)
{
    finder x = { .picture = picture, .graph = graph };
    ha_status status = add_all(&x);

    HA_FREE(x.reader_of, x.element_of, x.rate_of);
    return status;
}
