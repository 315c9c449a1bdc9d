/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system of equations that the strokes give.
 *
 * Every scalar bond b has two symbols, e_b and f_b. The stroke says which end computes which, and
 * the element at that end defines it by its law. A definition reads other definitions, states,
 * multipliers, parameters and the time. Sorting the definitions by what they read gives the causal
 * order; a strongly connected set of them is an algebraic loop (see tear.c). A definition that is
 * the total time derivative of an expression (a storage in derivative causality) is inserted in
 * that order, when everything it reads is known in terms of states.
 */
#include <config.h>

#include "bondgraph/elements/causal_system.h"

#include "bondgraph/elements/emit.h"
#include "lib/core/format.h"
#include "lib/expr/expr_priv.h"
#include "lib/graph/digraph.h"

#include <stdlib.h>
#include <string.h>

/* --- frame ---------------------------------------------------------------------------------- */

/* The bonds in order of their printed numbers. To be freed with ha__free(). */
static ha_status sorted_bonds(bg__system *s, int **out)
{
    size_t n = s->graph->bonds.count;
    int *order = ha__alloc(s->ctx, n, sizeof *order);
    ha_status status = order == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t b = 0; b < n && status == HA_OK; b++) {
        int number = 0;
        status = bg_graph_bond_number(s->graph, (int) b, &number);
        if (status == HA_OK) {
            order[number - 1] = (int) b;
        }
    }
    if (status != HA_OK) {
        ha__free(order);
        return status;
    }
    *out = order;
    return HA_OK;
}

/* The place of a bond at an element: its port, or at a junction, whose bonds are all alike, the
   next free one. */
static void place_bond(bg__system *s, int *n_placed, int element, int port, int bond)
{
    if (bg__is_junction(&s->graph->elements.items[element])) {
        port = n_placed[element]++;
    }
    s->port_bonds[s->port_start[element] + port] = bond;
}

/* Bonds of each element: compressed rows. Those of a junction in order of their printed numbers, so
   that nothing that follows depends on the order in which the graph was built. */
static ha_status list_ports(bg__system *s)
{
    const bg_graph *graph = s->graph;
    size_t n = graph->elements.count, n_bonds = graph->bonds.count;
    int *order = NULL;

    HA_TRY_ALLOC(s->ctx, s->port_start, n + 1);
    HA_TRY_ALLOC(s->ctx, s->port_bonds, 2 * n_bonds);
    for (size_t i = 0; i < n; i++) {
        s->port_start[i + 1] = s->port_start[i] + graph->elements.items[i].n_ports;
    }
    HA_TRY(sorted_bonds(s, &order));

    int *n_placed = ha__alloc(s->ctx, n, sizeof *n_placed);
    for (size_t i = 0; i < n_bonds && n_placed != NULL; i++) {
        const bg__bond *bond = &graph->bonds.items[order[i]];
        place_bond(s, n_placed, bond->tail, bond->tail_port, order[i]);
        place_bond(s, n_placed, bond->head, bond->head_port, order[i]);
    }
    ha_status status = n_placed == NULL ? HA_ERR_MEMORY : HA_OK;
    ha__free(order);
    ha__free(n_placed);
    return status;
}

static ha_status build_frame(bg__system *s)
{
    size_t n_bonds = s->graph->bonds.count;

    HA_TRY_ALLOC(s->ctx, s->heads, n_bonds);
    memset(s->heads, -1, n_bonds);
    return list_ports(s);
}

ha_status bg__system_new(bg_graph *scalar, bg__system **out)
{
    bg__system *s = ha__alloc(scalar->ctx, 1, sizeof *s);

    if (s == NULL) {
        bg_graph_free(scalar);
        return HA_ERR_MEMORY;
    }
    s->ctx = scalar->ctx;
    s->graph = scalar;

    ha_status status = build_frame(s);
    if (status != HA_OK) {
        bg__system_free(s);
        return status;
    }
    *out = s;
    return HA_OK;
}

void bg__system_free(bg__system *s)
{
    if (s == NULL) {
        return;
    }
    bg_graph_free(s->graph);
    ha__free(s->heads);
    ha__free(s->port_start);
    ha__free(s->port_bonds);
    ha__free(s->e);
    ha__free(s->f);
    ha__free(s->value);
    ha__free(s->content);
    ha__free(s->energy);
    ha__free(s->contained);
    HA_ARRAY_CLEAR(&s->definitions);
    HA_ARRAY_CLEAR(&s->unknowns);
    HA_ARRAY_CLEAR(&s->rows);
    ha__free(s->need_start);
    HA_ARRAY_CLEAR(&s->needs);
    ha__free(s->order);
    ha__free(s->loop_of);
    ha__free(s);
}

int bg__n_ports(const bg__system *s, int element)
{
    return s->port_start[element + 1] - s->port_start[element];
}

int bg__port_bond(const bg__system *s, int element, int port)
{
    return s->port_bonds[s->port_start[element] + port];
}

int bg__ein(const bg__system *s, int element, int bond)
{
    if (s->heads[bond] < 0) {
        return -1;
    }
    return s->graph->bonds.items[bond].head == element ? s->heads[bond] : 1 - s->heads[bond];
}

/* --- laws ----------------------------------------------------------------------------------- */

ha_status bg__system_define(bg__system *s, ha_expr symbol, int element, ha_expr value, bool is_rate)
{
    HA_TRY(ha_dag_status(s->graph->dag));
    HA_TRY_PUSH(s->ctx, &s->definitions,
                (bg__definition){ symbol, element, value, is_rate, false });
    if (!is_rate) {
        ha_symbol_define(s->graph->dag, symbol, value);
    }
    return HA_OK;
}

/* The number in the names of a bond's quantities: of the bond between junctions, else of the port
   of `owner`, where that has several; 0: none. */
static ha_status number_of(bg__system *s, int b, const bg__element *owner, int port, int *out)
{
    const bg__field *field = bg__extra(owner)->field;

    if (bg__is_junction(owner)) {
        return bg_graph_bond_number(s->graph, b, out);
    }
    *out = owner->type->max_ports > 1            ? port + 1
           : field != NULL && field->n_ports > 1 ? bg__extra(owner)->field_port + 1
                                                 : 0;
    return HA_OK;
}

/* The end that gives a bond its name in equations: a one-port, else a two-port, else its number. */
static ha_status bond_symbols(bg__system *s, int b)
{
    const bg__bond *bond = &s->graph->bonds.items[b];
    const bg__element *tail = &s->graph->elements.items[bond->tail];
    const bg__element *head = &s->graph->elements.items[bond->head];
    bool tail_first = tail->type->max_ports != 0 &&
                      (head->type->max_ports == 0 || tail->type->max_ports < head->type->max_ports);
    const bg__element *owner = tail_first ? tail : head;
    const bg__field *field = bg__extra(owner)->field;
    bool is_bond = bg__is_junction(owner);
    char buffer[HA__DIGITS_SIZE];
    int number = 0;

    HA_TRY(number_of(s, b, owner, tail_first ? bond->tail_port : bond->head_port, &number));
    const char *digits = number > 0 ? ha__digits(number, buffer) : "";
    /* "R1.e", "TF.f2", "bond.e_7" */
    const char *name = is_bond ? "bond" : field != NULL ? field->name : owner->name;
    s->e[b] = ha__symbol_of(s->graph->dag, name, is_bond ? ".e_" : ".e", digits);
    s->f[b] = ha__symbol_of(s->graph->dag, name, is_bond ? ".f_" : ".f", digits);
    return ha_dag_status(s->graph->dag);
}

static ha_status emit_element(bg__system *s, int element)
{
    bg__emitter em = { s,
                       s->graph->dag,
                       element,
                       s->port_bonds + s->port_start[element],
                       bg__n_ports(s, element),
                       0,
                       0 };
    const bg__type *type = s->graph->elements.items[element].type;

    HA_TRY(type->emit(&em));
    HA_TRY(ha_dag_status(s->graph->dag));
    for (int port = 0; port < em.n_ports && port < type->max_ports && port < 2; port++) {
        HA_TRY(
            bg__define_signal(&em, port == 0 ? BG_SIGNAL_E : BG_SIGNAL_E2, bg__effort(&em, port)));
        HA_TRY(bg__define_signal(&em, port == 0 ? BG_SIGNAL_F : BG_SIGNAL_F2,
                                 bg__bond_flow(&em, port)));
    }
    for (int k = 0; k < BG_SIGNAL_COUNT; k++) {
        if (bg__is_read(&em, (bg_signal) k) && (type->signals >> k & 1u) == 0) {
            const bg__element *e = &s->graph->elements.items[element];
            return ha_fail(s->ctx, HA_ERR_NAME, e->where,
                           "`%s.%s` is read, but %s %s has no such quantity", e->name,
                           bg__signal_suffix(type, (bg_signal) k), bg__article(type), type->title);
        }
    }
    return HA_OK;
}

/* A constant value goes by the element's name in the equations. */
static ha_status name_value(bg__system *s, int element)
{
    const bg__element *e = &s->graph->elements.items[element];
    ha_expr value = bg__component_value(s->graph, e, 0), resolved = HA_EXPR_NONE;

    if (bg__extra(e)->field != NULL) { /* its law or matrix says all */
        s->value[element] = value;
        return ha_dag_status(s->graph->dag);
    }
    HA_TRY(ha_resolve(s->graph->dag, value, &resolved));
    if (e->type->wants_constant != 0 && !ha_expr_is_constant(s->graph->dag, resolved, NULL)) {
        return ha_fail(s->ctx, HA_ERR_UNSUPPORTED, e->where,
                       "the value of the %s `%s` varies, and the energy it stores cannot be told "
                       "from that; give a constant, or move what varies to a transformer",
                       e->type->title, e->name);
    }

    if (e->type->max_ports > 0 && ha_expr_is_constant(s->graph->dag, value, NULL)) {
        ha_expr symbol = ha_symbol(s->graph->dag, e->name);
        ha_symbol_define(s->graph->dag, symbol, value);
        value = symbol;
    }
    s->value[element] = value;
    return ha_dag_status(s->graph->dag);
}

ha_status bg__system_mark_unknowns(bg__system *s)
{
    int n = ha_dag_size(s->graph->dag);
    int *contained = ha__alloc(s->ctx, (size_t) n, sizeof *contained);

    if (contained == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->unknowns.count; i++) {
        contained[s->unknowns.items[i].y] = 1 << s->unknowns.items[i].kind;
        contained[s->unknowns.items[i].yp] = BG__ANY_DERIVATIVE;
    }
    ha__free(s->contained);
    s->contained = contained;
    s->n_nodes = n;
    return HA_OK;
}

/* Two signals for each bond, and for each element a named value and about one operation. */
static ha_status make_room(bg__system *s)
{
    size_t n_bonds = s->graph->bonds.count, n_elements = s->graph->elements.count;

    ha__dag_reserve(s->graph->dag, 2 * (n_bonds + n_elements), 2 * n_bonds + n_elements);
    HA_TRY_ROOM(s->ctx, &s->definitions, 2 * n_bonds + n_elements);
    return ha_dag_status(s->graph->dag);
}

ha_status bg__system_emit(bg__system *s)
{
    size_t n_bonds = s->graph->bonds.count;

    HA_TRY(make_room(s));
    HA_TRY_ALLOC(s->ctx, s->e, n_bonds);
    HA_TRY_ALLOC(s->ctx, s->f, n_bonds);
    HA_TRY_ALLOC(s->ctx, s->value, s->graph->elements.count);
    HA_TRY_ALLOC(s->ctx, s->energy, s->graph->elements.count);
    HA_TRY_ALLOC(s->ctx, s->content, s->graph->elements.count);
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        s->energy[i] = s->content[i] = HA_EXPR_NONE;
    }
    s->alpha = ha_symbol(s->graph->dag, "alpha");
    s->beta = ha_symbol(s->graph->dag, "beta");
    /* values first: products then read "R*R.f" */
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        HA_TRY(name_value(s, (int) i));
    }
    for (size_t b = 0; b < n_bonds; b++) {
        HA_TRY(bond_symbols(s, (int) b));
    }
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        HA_TRY(emit_element(s, (int) i));
    }
    for (size_t i = 0; i < s->graph->rates.count; i++) {
        const bg__rate *rate = &s->graph->rates.items[i];
        HA_TRY(bg__system_define(s, rate->symbol, -1, rate->argument, true));
    }
    return bg__system_mark_unknowns(s);
}

ha_status bg__contains(const bg__system *s, ha_dag *dag, ha_expr value, int set, bool *out)
{
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(dag, value, &symbols, &n));
    *out = false;
    for (size_t i = 0; i < n; i++) {
        *out = *out || (symbols[i] < s->n_nodes && (s->contained[symbols[i]] & set) != 0);
    }
    return HA_OK;
}

/* --- causal order --------------------------------------------------------------------------- */

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
    ha__free(x.definition_of);
    ha__free(x.seen);
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
    size_t n = s->definitions.count;
    int *start = ha__alloc(s->ctx, (size_t) n_components + 1, sizeof *start);

    if (start == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        start[component[i] + 1]++;
    }
    for (int c = 0; c < n_components; c++) {
        start[c + 1] += start[c];
    }
    for (size_t i = 0; i < n; i++) {
        s->order[start[component[i]]++] = (int) i;
    }
    ha__free(start);

    for (size_t first = 0, next = 0; first < n; first = next) {
        int c = component[s->order[first]];
        for (next = first; next < n && component[s->order[next]] == c; next++) {
        }
        bool is_loop = next - first > 1 || reads_itself(s, s->order[first]);
        for (size_t i = first; i < next; i++) {
            s->loop_of[s->order[i]] = is_loop ? s->n_loops : -1;
        }
        s->n_loops += is_loop ? 1 : 0;
    }
    return HA_OK;
}

ha_status bg__system_sort(bg__system *s)
{
    size_t n = s->definitions.count;
    int *from = NULL, *to = NULL, *component = NULL;
    int n_components = 0;

    HA_TRY_ALLOC(s->ctx, s->order, n);
    HA_TRY_ALLOC(s->ctx, s->loop_of, n);
    HA_TRY(list_all_needs(s));

    ha_status status = bg__system_edges(s, &from, &to);
    if (status == HA_OK) {
        component = ha__alloc(s->ctx, n, sizeof *component);
        status = component == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    if (status == HA_OK) {
        status = ha__digraph_strong(s->ctx, (int) n, (int) s->needs.count, from, to, component,
                                    &n_components);
    }
    if (status == HA_OK) {
        status = order_components(s, component, n_components);
    }
    ha__free(from);
    ha__free(to);
    ha__free(component);
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
