/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system of equations that the strokes give.
 *
 * Every scalar bond b has two symbols, e_b and f_b. The stroke says which end computes which, and
 * the element at that end defines it by its law. A definition reads other definitions, states,
 * multipliers, parameters and the time.
 */
#include <config.h>

#include "bondgraph/causality/causal_order.h"
#include "bondgraph/elements/emit.h"
#include "bondgraph/graph/names_priv.h"
#include "lib/core/format.h"
#include "lib/expr/expr_priv.h"

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
    HA_TRY_ALLOC_EACH(s->ctx, n_bonds, s->e, s->f);
    HA_TRY_ALLOC_EACH(s->ctx, s->graph->elements.count, s->value, s->energy, s->content);
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
