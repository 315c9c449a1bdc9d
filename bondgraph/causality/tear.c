/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tearing of algebraic loops.
 *
 * A loop is a strongly connected set of definitions s_i = g_i(...). Tears are signals of it without
 * which no cycle is left, as few as can be found: a feedback vertex set. A tear s becomes an
 * unknown of the solver with the row
 *     s - g(...) = 0;
 * everything else in the loop is then explicit in causal order. Nothing has to be linear.
 *
 * A storage in derivative causality in a loop, s = dh/dt with the content h that depends on s, is
 * cut there: its content x becomes an unknown with the row
 *     x - h(...) = 0
 * and s is x'. So it is a state after all where h depends on x' (an element of one sense may have
 * put it into derivative causality), and else the index is reduced as for a tear (reduce.c).
 * Likewise a storage in derivative causality behind a loop, which may leave it more freedom than
 * the strokes say, and one behind another, which would need a second derivative. Rates that outputs
 * ask for are no tears: their readers count as reading what the rate is taken of.
 *
 * The fewest tears are not the best of a large loop, as a grid of resistors is one: what follows
 * from them is inserted wherever it is read, and each row comes to contain nearly all tears. A loop
 * with more than MAX_FEWEST tears is therefore torn at every signal that is read more than once,
 * too. Then every other signal is inserted once, so that the rows have together no more
 * entries than the loop has edges, and the sparse factorisation of the solver finds an order
 * itself.
 *
 * Of a chain in which each signal is read by the next alone, any may be torn: a resistor's output
 * is preferred, a junction's comes last. Vertices are numbered by that preference and by name, so
 * that the choice does not depend on the order in which the graph was built.
 */
#include <config.h>

#include "bondgraph/causality/causal_order.h"

#include "bondgraph/elements/emit.h"
#include "lib/core/sort.h"
#include "lib/graph/digraph.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FEWEST = 100 };

/* The signals of the loops as a graph; of rates, those of storages, which no edge enters. */
typedef struct {
    bg__system *s;
    int n, m;
    int *definition;             /* (n) of each vertex, the preferred first */
    int *vertex;                 /* (definitions) -1: none */
    HA_ARRAY(int) from;          /* (m) read */
    HA_ARRAY(int) to;            /* (m) reader */
    int *need_start, *needs;     /* (n + 1), (m) what a vertex reads */
    int *reader_start, *readers; /* (n + 1), (m) what reads a vertex */
    bool *is_tear;               /* (n) */
} loop_graph;

/* --- preference ----------------------------------------------------------------------------- */

typedef struct {
    int rank;
    const char *name;
    int definition;
} candidate;

/* True for the rate of a storage in a loop. */
static bool is_cut(const bg__system *s, int definition)
{
    const bg__definition *d = &s->definitions.items[definition];

    return d->is_rate && d->element >= 0 && s->loop_of[definition] >= 0 &&
           s->graph->elements.items[d->element].type->stage == BG__STAGE_STORAGE;
}

/* What is torn with preference has a low rank. */
static int rank_of(const bg__system *s, int definition)
{
    int element = s->definitions.items[definition].element;

    if (element < 0) {
        return 5;
    }
    const bg__type *type = s->graph->elements.items[element].type;
    return is_cut(s, definition)  ? 0
           : type->is_resistor    ? 1
           : type->max_ports == 1 ? 2
           : type->max_ports > 1  ? 3
                                  : 4;
}

/* The name by which a definition is sorted: a rate goes by its storage. */
static const char *name_of(const bg__system *s, int definition)
{
    const bg__definition *d = &s->definitions.items[definition];

    return is_cut(s, definition) ? s->graph->elements.items[d->element].name
                                 : ha_symbol_name(s->graph->dag, d->symbol);
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = x->rank != y->rank ? x->rank - y->rank : strcmp(x->name, y->name);

    return order != 0 ? order : x->definition - y->definition;
}

static ha_status list_vertices(loop_graph *g)
{
    bg__system *s = g->s;
    size_t n = s->definitions.count;
    candidate *candidates = ha__alloc(s->ctx, n, sizeof *candidates);

    HA_TRY_MEMORY(candidates);
    for (size_t i = 0; i < n; i++) {
        g->vertex[i] = -1;
        if (s->loop_of[i] >= 0 && (!s->definitions.items[i].is_rate || is_cut(s, (int) i))) {
            candidates[g->n++] = (candidate){ rank_of(s, (int) i), name_of(s, (int) i), (int) i };
        }
    }
    if (g->n > 0) {
        qsort(candidates, (size_t) g->n, sizeof *candidates, compare_candidates);
    }
    for (int v = 0; v < g->n; v++) {
        g->definition[v] = candidates[v].definition;
        g->vertex[candidates[v].definition] = v;
    }
    ha__free(candidates);
    return HA_OK;
}

/* --- edges ---------------------------------------------------------------------------------- */

/* Adds the edges into a vertex: from what its definition reads, past rates that are no vertices. */
static ha_status list_edges_into(loop_graph *g, int v, int *seen, int *stack)
{
    const bg__system *s = g->s;
    int n = 0, loop = s->loop_of[g->definition[v]];

    if (is_cut(s, g->definition[v])) {
        return HA_OK;
    }
    stack[n++] = g->definition[v];
    while (n > 0) {
        int at = stack[--n];
        for (int k = s->need_start[at]; k < s->need_start[at + 1]; k++) {
            int need = s->needs.items[k];
            if (s->loop_of[need] != loop || seen[need] == v + 1) {
                continue;
            }
            seen[need] = v + 1;
            if (g->vertex[need] < 0) {
                stack[n++] = need;
            } else {
                HA_TRY_PUSH(s->ctx, &g->from, g->vertex[need]);
                HA_TRY_PUSH(s->ctx, &g->to, v);
            }
        }
    }
    return HA_OK;
}

static ha_status list_edges(loop_graph *g)
{
    size_t n = g->s->definitions.count;
    int *seen = ha__alloc(g->s->ctx, n, sizeof *seen);
    int *stack = ha__alloc(g->s->ctx, n + 1, sizeof *stack);
    ha_status status = seen == NULL || stack == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int v = 0; v < g->n && status == HA_OK; v++) {
        status = list_edges_into(g, v, seen, stack);
    }
    g->m = (int) g->from.count;
    HA_FREE(seen, stack);
    return status;
}

static ha_status build_graph(loop_graph *g)
{
    ha_ctx *ctx = g->s->ctx;
    size_t n = g->s->definitions.count;

    HA_TRY_ALLOC_EACH(ctx, n, g->definition, g->vertex);
    HA_TRY(list_vertices(g));
    HA_TRY(list_edges(g));
    HA_TRY_ALLOC(ctx, g->is_tear, g->n);
    HA_TRY_ALLOC_EACH(ctx, g->n + 1, g->need_start, g->reader_start);
    HA_TRY_ALLOC_EACH(ctx, g->m, g->needs, g->readers);
    ha__group(g->m, g->to.items, g->from.items, g->n, g->need_start, g->needs);
    ha__group(g->m, g->from.items, g->to.items, g->n, g->reader_start, g->readers);
    return HA_OK;
}

static void clear_graph(loop_graph *g)
{
    HA_FREE(g->definition, g->vertex);
    HA_ARRAY_CLEAR(&g->from, &g->to);
    HA_FREE(g->need_start, g->needs, g->reader_start, g->readers, g->is_tear);
}

/* --- choice --------------------------------------------------------------------------------- */

/* The only neighbour of a vertex that is no tear, -1 when there are several or none. */
static int only_neighbour(const loop_graph *g, const int *start, const int *list, int v)
{
    int only = -1;

    for (int k = start[v]; k < start[v + 1]; k++) {
        if (g->is_tear[list[k]] || list[k] == only) {
            continue;
        }
        if (only >= 0) {
            return -1;
        }
        only = list[k];
    }
    return only;
}

/* The most preferred vertex through which all cycles through v go as well, along chains one way. */
static int best_of_chain(const loop_graph *g, const int *start, const int *list, int v)
{
    int best = v, at = v;

    for (int steps = 0; steps < g->n; steps++) {
        at = only_neighbour(g, start, list, at);
        if (at < 0 || at == v) {
            break;
        }
        best = at < best ? at : best;
    }
    return best;
}

/* Moves each tear to the most preferred signal that does the same. */
static void prefer(loop_graph *g)
{
    for (int v = g->n - 1; v >= 0; v--) {
        if (!g->is_tear[v] || is_cut(g->s, g->definition[v])) {
            continue;
        }
        g->is_tear[v] = false;
        int back = best_of_chain(g, g->need_start, g->needs, v);
        int on = best_of_chain(g, g->reader_start, g->readers, v);
        g->is_tear[back < on ? back : on] = true;
    }
}

/* Tears large loops at what is read more than once. */
static ha_status tear_large_loops(loop_graph *g)
{
    const bg__system *s = g->s;
    int *n_tears = NULL;

    HA_TRY_ALLOC(s->ctx, n_tears, s->n_loops);
    for (int v = 0; v < g->n; v++) {
        n_tears[s->loop_of[g->definition[v]]] += g->is_tear[v] ? 1 : 0;
    }
    for (int v = 0; v < g->n; v++) {
        bool is_large = n_tears[s->loop_of[g->definition[v]]] > MAX_FEWEST;
        if (is_large && g->reader_start[v + 1] - g->reader_start[v] > 1) {
            g->is_tear[v] = true;
        }
    }
    ha__free(n_tears);
    return HA_OK;
}

/* --- unknowns and rows ---------------------------------------------------------------------- */

static ha_status push_unknown(bg__system *s, const bg__unknown *unknown, ha_expr value)
{
    ha_dag *dag = s->graph->dag;
    bg__row row = { .name = unknown->element < 0 ? unknown->name
                                                 : s->graph->elements.items[unknown->element].name,
                    .element = unknown->element,
                    .kind = BG__ROW_LOOP,
                    .value = ha_sub(dag, unknown->y, value) };

    row.shown = row.value;

    ha_symbol_set_derivative(dag, unknown->y, unknown->yp);
    ha_symbol_set_derivative(dag, unknown->yp, HA_EXPR_NONE);
    HA_TRY(ha_dag_status(dag));
    HA_TRY_PUSH(s->ctx, &s->unknowns, *unknown);
    HA_TRY_PUSH(s->ctx, &s->rows, row);
    return HA_OK;
}

static ha_status make_tear(bg__system *s, int definition)
{
    const bg__definition *d = &s->definitions.items[definition];
    ha_dag *dag = s->graph->dag;
    const char *name = ha_symbol_name(dag, d->symbol);
    const char *rate = ha__arena_format(s->ctx, &s->graph->arena, "der(%s)", name);

    HA_TRY_MEMORY(rate);
    bg__unknown unknown = { .name = name,
                            .element = d->element,
                            .kind = BG__TEAR,
                            .y = d->symbol,
                            .yp = ha_symbol(dag, rate),
                            .loop = s->loop_of[definition],
                            .measures = bg__measures_of(NULL) };
    ha_symbol_define(dag, d->symbol, HA_EXPR_NONE);
    return push_unknown(s, &unknown, d->value);
}

/* What the unknown of a content is called; a registered type may ask for the rate of anything. */
static const char *content_suffix(const bg__type *type)
{
    return (type->signals & BG__HAS_P) != 0   ? "p"
           : (type->signals & BG__HAS_Q) != 0 ? "q"
                                              : "content";
}

/* The content of a storage, whose derivative the symbol of the definition becomes. */
static ha_status make_content(bg__system *s, int definition)
{
    bg__definition *d = &s->definitions.items[definition];
    const bg__element *e = &s->graph->elements.items[d->element];
    const bg__extras *extra = bg__extra(e);
    const bg__emitter em = { .system = s, .dag = s->graph->dag, .element = d->element };
    const char *name = bg__quantity_name(&em, content_suffix(e->type));

    HA_TRY_MEMORY(name);
    bg__unknown unknown = { .name = name,
                            .element = d->element,
                            .kind = BG__CONTENT,
                            .y = ha_symbol(s->graph->dag, name),
                            .yp = d->symbol,
                            .start = extra->start == NULL ? HA_EXPR_NONE : extra->start[0],
                            .loop = s->loop_of[definition],
                            .measures = bg__measures_of(NULL) };
    d->is_rate = false;
    return push_unknown(s, &unknown, d->value);
}

/* The causal order of what is not torn: edges into tears do not count. */
static ha_status order_again(bg__system *s)
{
    int n = (int) s->definitions.count, m = 0, n_ordered = 0;
    int *from = NULL, *to = NULL;
    ha_status status = bg__system_edges(s, &from, &to);

    for (size_t k = 0; k < s->needs.count && status == HA_OK; k++) {
        if (!s->definitions.items[to[k]].is_tear) {
            from[m] = from[k];
            to[m++] = to[k];
        }
    }
    HA_THEN(status, ha__digraph_order(s->ctx, n, m, from, to, s->order, &n_ordered));
    HA_FREE(from, to);
    if (status == HA_OK && n_ordered < n) {
        status = ha_fail(s->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                         "a loop is left among %d signals after tearing; report this as a fault of "
                         "the program",
                         n - n_ordered);
    }
    return status;
}

/* --- storages behind loops and derivatives --------------------------------------------------- */

static bool is_rate_of_storage(const bg__system *s, int definition)
{
    const bg__definition *d = &s->definitions.items[definition];

    return d->is_rate && d->element >= 0 &&
           s->graph->elements.items[d->element].type->stage == BG__STAGE_STORAGE;
}

/* Cuts each storage in derivative causality whose content follows from a loop or another such rate;
   `is_behind` (definitions) is scratch. */
static ha_status cut_followers(bg__system *s, bool *is_behind, int *n_cut)
{
    for (size_t i = 0; i < s->definitions.count; i++) {
        int at = s->order[i];
        for (int k = s->need_start[at]; k < s->need_start[at + 1] && !is_behind[at]; k++) {
            is_behind[at] = is_behind[s->needs.items[k]];
        }
        if (is_behind[at] && is_rate_of_storage(s, at)) {
            HA_TRY(make_content(s, at));
            s->definitions.items[at].is_tear = true;
            (*n_cut)++;
        }
        is_behind[at] = is_behind[at] || s->loop_of[at] >= 0 || is_rate_of_storage(s, at);
    }
    return HA_OK;
}

static ha_status cut_all_followers(bg__system *s)
{
    bool *is_behind = ha__alloc(s->ctx, s->definitions.count, sizeof *is_behind);
    int n_cut = 0;
    ha_status status = is_behind == NULL ? HA_ERR_MEMORY : cut_followers(s, is_behind, &n_cut);

    ha__free(is_behind);
    HA_TRY(status);
    if (n_cut == 0) {
        return HA_OK;
    }
    HA_TRY(order_again(s));
    return bg__system_mark_unknowns(s);
}

static ha_status tear(loop_graph *g)
{
    bg__system *s = g->s;

    HA_TRY(build_graph(g));
    HA_TRY(ha__digraph_feedback(s->ctx, g->n, g->m, g->from.items, g->to.items, g->is_tear, NULL));
    for (int v = 0; v < g->n; v++) {
        g->is_tear[v] = g->is_tear[v] || is_cut(s, g->definition[v]);
    }
    prefer(g);
    HA_TRY(tear_large_loops(g));
    for (int v = 0; v < g->n; v++) {
        int definition = g->definition[v];
        if (g->is_tear[v]) {
            HA_TRY(is_cut(s, definition) ? make_content(s, definition) : make_tear(s, definition));
            s->definitions.items[definition].is_tear = true;
        }
    }
    HA_TRY(order_again(s));
    return bg__system_mark_unknowns(s);
}

ha_status bg__system_tear(bg__system *s)
{
    loop_graph g = { .s = s };

    if (s->n_loops > 0) {
        ha_status status = tear(&g);
        clear_graph(&g);
        HA_TRY(status);
    }
    HA_TRY(cut_all_followers(s));
    return bg__system_keep_signals(s);
}
