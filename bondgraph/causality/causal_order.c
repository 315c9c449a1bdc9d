/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causal order of the system of equations.
 *
 * Sorting the definitions by what they read gives the causal order; a strongly connected set of
 * them is an algebraic loop (see tear.c). A definition that is the total time derivative of an
 * expression (a storage in derivative causality) is inserted in that order, when everything it
 * reads is known in terms of states.
 */
#include <config.h>

#include "bondgraph/causality/causal_order.h"
#include "lib/core/sort.h"
#include "lib/expr/expr_priv.h"
#include "lib/graph/digraph.h"

#include <string.h>

/* What a search for the definitions behind an expression needs. */
typedef struct {
    bg__system *system;
    int *definition_of; /* by node: definition of the symbol, -1: none */
    int *seen;          /* by node: 1 + the last definition that met this symbol */
    HA_ARRAY(ha_expr) pending;
} need_search;

static ha_status push_symbols(need_search *x, ha_expr value, int reader)
{
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(x->system->graph->dag, value, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        if (x->seen[symbols[i]] != reader + 1) {
            x->seen[symbols[i]] = reader + 1;
            HA_TRY_PUSH(x->system->ctx, &x->pending, symbols[i]);
        }
    }
    return HA_OK;
}

/* Lists the definitions that `reader` reads, looking through symbols that merely stand for
   others. */
static ha_status list_needs(need_search *x, int reader)
{
    bg__system *s = x->system;

    HA_TRY(push_symbols(x, s->definitions.items[reader].value, reader));
    while (x->pending.count > 0) {
        ha_expr symbol = x->pending.items[--x->pending.count];
        ha_expr meaning = ha_symbol_definition(s->graph->dag, symbol);
        if (x->definition_of[symbol] >= 0) {
            HA_TRY_PUSH(s->ctx, &s->needs, x->definition_of[symbol]);
        } else if (meaning != HA_EXPR_NONE) {
            HA_TRY(push_symbols(x, meaning, reader));
        }
    }
    s->need_start[reader + 1] = (int) s->needs.count;
    return HA_OK;
}

static ha_status list_all_needs(bg__system *s)
{
    size_t size = (size_t) ha_dag_size(s->graph->dag);
    need_search x = { .system = s };
    ha_status status = HA_OK;

    s->need_start = ha__alloc(s->ctx, s->definitions.count + 1, sizeof *s->need_start);
    x.definition_of = ha__alloc(s->ctx, size, sizeof *x.definition_of);
    x.seen = ha__alloc(s->ctx, size, sizeof *x.seen);
    if (s->need_start == NULL || x.definition_of == NULL || x.seen == NULL) {
        status = HA_ERR_MEMORY;
    } else {
        memset(x.definition_of, -1, size * sizeof *x.definition_of);
        for (size_t i = 0; i < s->definitions.count; i++) {
            x.definition_of[s->definitions.items[i].symbol] = (int) i;
        }
        for (size_t i = 0; i < s->definitions.count && status == HA_OK; i++) {
            status = list_needs(&x, (int) i);
        }
    }
    HA_FREE(x.definition_of, x.seen);
    HA_ARRAY_CLEAR(&x.pending);
    return status;
}

ha_status bg__system_edges(const bg__system *s, int **from, int **to)
{
    size_t n = s->needs.count;

    *from = ha__alloc(s->ctx, n, sizeof **from);
    *to = ha__alloc(s->ctx, n, sizeof **to);
    if (*from == NULL || *to == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        for (int k = s->need_start[i]; k < s->need_start[i + 1]; k++) {
            (*from)[k] = s->needs.items[k];
            (*to)[k] = (int) i;
        }
    }
    return HA_OK;
}

static bool reads_itself(const bg__system *s, int definition)
{
    for (int k = s->need_start[definition]; k < s->need_start[definition + 1]; k++) {
        if (s->needs.items[k] == definition) {
            return true;
        }
    }
    return false;
}

/*
 * From the strongly connected components, numbered in causal order: the order by counting sort, and
 * the loops, which are the components with more than one member.
 */
static ha_status order_components(bg__system *s, const int *component, int n_components)
{
    int *start = ha__alloc(s->ctx, (size_t) n_components + 1, sizeof *start);

    HA_TRY_MEMORY(start);
    ha__group((int) s->definitions.count, component, NULL, n_components, start, s->order);
    for (int c = 0; c < n_components; c++) {
        bool is_loop = start[c + 1] - start[c] > 1 || reads_itself(s, s->order[start[c]]);
        for (int i = start[c]; i < start[c + 1]; i++) {
            s->loop_of[s->order[i]] = is_loop ? s->n_loops : -1;
        }
        s->n_loops += is_loop ? 1 : 0;
    }
    ha__free(start);
    return HA_OK;
}

ha_status bg__system_sort(bg__system *s)
{
    size_t n = s->definitions.count;
    int *from = NULL, *to = NULL, *component = NULL;
    int n_components = 0;

    HA_TRY_ALLOC_EACH(s->ctx, n, s->order, s->loop_of);
    HA_TRY(list_all_needs(s));

    ha_status status = bg__system_edges(s, &from, &to);
    if (status == HA_OK) {
        component = ha__alloc(s->ctx, n, sizeof *component);
        status = component == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    HA_THEN(status, ha__digraph_strong(s->ctx, (int) n, (int) s->needs.count, from, to, component,
                                       &n_components));
    HA_THEN(status, order_components(s, component, n_components));
    HA_FREE(from, to, component);
    return status;
}

ha_status bg__system_derive(const bg__system *s, ha_dag *dag)
{
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[s->order[i]];
        ha_expr value = HA_EXPR_NONE, rate = HA_EXPR_NONE;
        if (!d->is_rate) {
            continue;
        }
        HA_TRY(ha_resolve(dag, d->value, &value));
        ha_status status = ha_dt(dag, value, &rate);
        if (status == HA_ERR_UNSUPPORTED && d->element >= 0) {
            const bg__element *e = &s->graph->elements.items[d->element];
            ha_note(s->ctx, e->where,
                    "`%s` is in derivative causality behind another derivative; give a compliance "
                    "or resistance between the two",
                    e->name);
        }
        HA_TRY(status);
        ha_symbol_define(dag, d->symbol, rate);
    }
    return HA_OK;
}

void bg__forget_values(ha_dag *dag)
{
    for (ha_expr e = 1; e < ha_dag_size(dag); e++) {
        ha_expr meaning =
            ha_expr_op(dag, e) == HA_OP_SYMBOL ? ha_symbol_definition(dag, e) : HA_EXPR_NONE;
        if (meaning != HA_EXPR_NONE && ha_expr_is_constant(dag, meaning, NULL) &&
            !ha_expr_is(dag, meaning, 0.0)) {
            ha_symbol_define(dag, e, HA_EXPR_NONE);
        }
    }
}
