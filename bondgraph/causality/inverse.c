/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inverse signals: how their input depends on them.
 *
 * An inverse signal u takes the value that makes its input y 0. It acts on y through integrations:
 * the rate of a state depends on u, another state on that one, and at last y. As often as there are
 * integrations on the shortest of these paths y has to be differentiated before u appears: so many
 * derivatives of what is prescribed must exist, and the states at the start must agree with all
 * but the last.
 *
 * The path is that of least integrations, by a search from y back over the equations:
 *
 *     a state              is the integral of its rate: one integration;
 *     its rate             is made of what its equation reads;
 *     a multiplier         is made of the rates of what its constraint reads, which is
 *                          differentiated once: so an integration is made up for;
 *     a tear               is made of what its equation reads.
 */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "lib/core/need.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A variable is 2 j: unknown j, or 2 j + 1: its rate. */
typedef struct {
    const bg__system *s;
    ha_dag *dag;      /* a copy, to be resolved in */
    int *variable_of; /* by symbol; -1: none */
    ha_expr n_symbols;
    int *distance; /* by variable: integrations from y back; INT_MAX: not reached */
    int *before;   /* by variable: the one nearer to y; -1: y reads it */
    int *queue, n; /* reached with the distance at hand */
    int *later, n_later;
} search;

static bool is_state(const search *x, int j)
{
    bg__unknown_kind kind = x->s->unknowns.items[j].kind;

    return kind == BG__STATE || kind == BG__INTEGRAL;
}

static bool is_inverse(const bg__system *s, int j)
{
    const bg__element *e = &s->graph->elements.items[s->rows.items[j].element];

    return s->unknowns.items[j].kind == BG__MULTIPLIER && bg__extra(e)->is_inverse != 0;
}

/* The variables that the equation of unknown j reads; to be freed. */
static ha_status read_row(search *x, int j, int **out, size_t *n)
{
    ha_expr value = HA_EXPR_NONE, *symbols = NULL;
    size_t n_symbols = 0;

    *out = NULL;
    *n = 0;
    HA_TRY(ha_resolve(x->dag, x->s->rows.items[j].value, &value));
    HA_TRY(ha_expr_symbols(x->dag, value, &symbols, &n_symbols));
    *out = ha__alloc(x->s->ctx, n_symbols, sizeof **out);
    for (size_t i = 0; i < n_symbols && *out != NULL; i++) {
        int variable = symbols[i] < x->n_symbols ? x->variable_of[symbols[i]] : -1;
        if (variable >= 0) {
            (*out)[(*n)++] = variable;
        }
    }
    free(symbols);
    return *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

static void reach(search *x, int variable, int from, int distance, bool is_later)
{
    if (distance < x->distance[variable]) {
        x->distance[variable] = distance;
        x->before[variable] = from;
        if (is_later) {
            x->later[x->n_later++] = variable;
        } else {
            x->queue[x->n++] = variable;
        }
    }
}

static bool contains(const int *read, size_t n, int variable)
{
    for (size_t i = 0; i < n; i++) {
        if (read[i] == variable) {
            return true;
        }
    }
    return false;
}

/* What a variable is made of. */
static ha_status expand(search *x, int variable)
{
    int j = variable / 2, distance = x->distance[variable], *read = NULL;
    size_t n = 0;

    if (is_state(x, j) && variable % 2 == 0) {
        reach(x, variable + 1, variable, distance + 1, true);
        return HA_OK;
    }
    HA_TRY(read_row(x, j, &read, &n));
    bool is_differentiated =
        x->s->unknowns.items[j].kind == BG__MULTIPLIER && !contains(read, n, variable);
    for (size_t i = 0; i < n; i++) {
        bool as_rate = is_differentiated && is_state(x, read[i] / 2);
        reach(x, as_rate ? read[i] | 1 : read[i], variable, distance, false);
    }
    ha__free(read);
    return HA_OK;
}

/* Searches from the input of signal u, an unknown, until it comes to u. */
static ha_status find(search *x, int u)
{
    size_t n = 0;
    int *read = NULL;

    HA_TRY(read_row(x, u, &read, &n));
    for (size_t i = 0; i < n; i++) {
        reach(x, read[i], -1, 0, false);
    }
    ha__free(read);
    while (x->n > 0 && x->distance[2 * u] == INT_MAX) {
        for (int i = 0; i < x->n && x->distance[2 * u] == INT_MAX; i++) {
            HA_TRY(expand(x, x->queue[i]));
        }
        int *done = x->queue;
        x->queue = x->later;
        x->n = x->n_later;
        x->later = done;
        x->n_later = 0;
    }
    return HA_OK;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The output that an unknown is, else its own name. */
static const char *title_of(const bg__system *s, int j)
{
    const bg__unknown *u = &s->unknowns.items[j];

    for (size_t i = 0; i < s->graph->outputs.count; i++) {
        if (s->graph->outputs.items[i].value == u->y) {
            return s->graph->outputs.items[i].name;
        }
    }
    return u->name;
}

/* The path from u, states only. */
static ha_status list_path(search *x, int u, bg_inverse *out)
{
    int n = 0;

    for (int v = 2 * u; v >= 0; v = x->before[v]) {
        n += is_state(x, v / 2) && v % 2 == 0;
    }
    HA_TRY_ALLOC(x->s->ctx, out->path, (size_t) n);
    for (int v = 2 * u; v >= 0; v = x->before[v]) {
        if (is_state(x, v / 2) && v % 2 == 0) {
            out->path[out->n_path++] = title_of(x->s, v / 2);
        }
    }
    return HA_OK;
}

static ha_status prepare(search *x)
{
    size_t n = 2 * x->s->unknowns.count;

    HA_TRY_GET(x->dag, ha_dag_clone(x->s->graph->dag));
    x->n_symbols = ha_dag_size(x->dag);
    HA_TRY_ALLOC(x->s->ctx, x->variable_of, x->n_symbols);
    HA_TRY_ALLOC_EACH(x->s->ctx, n, x->distance, x->before, x->queue, x->later);
    memset(x->variable_of, -1, (size_t) x->n_symbols * sizeof *x->variable_of);
    for (size_t v = 0; v < n; v++) {
        const bg__unknown *u = &x->s->unknowns.items[v / 2];
        ha_expr symbol = v % 2 == 0 ? u->y : u->yp;
        x->distance[v] = INT_MAX;
        x->before[v] = -1;
        if (symbol >= 0) {
            x->variable_of[symbol] = (int) v;
        }
    }
    return HA_OK;
}

/* The unknown that inverse signal number `i` is; -1: there are not so many. */
static int unknown_of(const bg__system *s, int i)
{
    for (int j = 0; j < (int) s->rows.count; j++) {
        if (is_inverse(s, j) && i-- == 0) {
            return j;
        }
    }
    return -1;
}

bool bg_graph_has_inverse(const bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, false);
    for (size_t i = 0; i < graph->elements.count; i++) {
        if (bg__extra(&graph->elements.items[i])->is_inverse != 0) {
            return true;
        }
    }
    return false;
}

int bg_causality_n_inverses(const bg_causality *c)
{
    int n = 0;

    HA_NEED_ELSE(c != NULL, 0);
    while (unknown_of(c->system, n) >= 0) {
        n++;
    }
    return n;
}

ha_status bg_causality_inverse(const bg_causality *c, int i, bg_inverse *out)
{
    HA_NEED_OF(c, out != NULL && i >= 0 && i < bg_causality_n_inverses(c));
    search x = { .s = c->system };
    int u = unknown_of(c->system, i);

    const char *sink = c->system->rows.items[u].name, *part = strrchr(sink, '.');
    size_t length = part == NULL ? strlen(sink) : (size_t) (part - sink);
    *out = (bg_inverse){ .n_derivatives = -1 };
    HA_TRY_GET(out->signal, ha__copy_text(c->system->ctx, sink, length));
    ha_status status = prepare(&x);
    HA_THEN(status, find(&x, u));
    if (status == HA_OK && x.distance[2 * u] != INT_MAX) {
        out->n_derivatives = x.distance[2 * u];
        status = list_path(&x, u, out);
    }
    HA_FREE(x.variable_of, x.distance, x.before, x.queue, x.later);
    ha_dag_free(x.dag);
    return status;
}

void bg_inverse_clear(bg_inverse *inverse)
{
    HA_FREE(inverse->signal, inverse->path);
    *inverse = (bg_inverse){ 0 };
}
