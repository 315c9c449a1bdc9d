/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding bonds: which ports and components an element has free, and which of them a bond takes. */
#include <config.h>

#include "bondgraph/graph.h"

#include "bondgraph/graph/bonds_priv.h"
#include "lib/core/need.h"

int bg__most_ports(const bg__element *element)
{
    return element->is_field ? element->dim : element->type->max_ports;
}

int bg__port_dim(const bg__element *element, int port)
{
    return element->is_field ? 1 : element->dim2 > 0 && port == 1 ? element->dim2 : element->dim;
}

/* True when an element has all bonds it can have. */
static bool is_full(const bg__element *element)
{
    return element->is_field
               ? element->n_ports >= element->dim
               : element->type->max_ports > 0 && element->n_ports >= element->type->max_ports;
}

static ha_status check_end(bg_graph *graph, const bg__element *element, int port, int first,
                           int dim, ha_where where)
{
    int has = element->is_field ? element->dim - port : bg__port_dim(element, port);
    bool joins_all = !bg__is_junction(element) && !element->is_field;

    if (is_full(element)) {
        int n_ports = element->is_field ? element->dim : element->type->max_ports;
        return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                       "`%s` is bonded %d times; %s %s has %d port%s%s, put a junction in front of "
                       "it",
                       element->name, element->n_ports + 1,
                       element->is_field ? "this" : bg__article(element->type),
                       element->type->title, n_ports, n_ports == 1 ? "" : "s",
                       element->type->laws != 0 && !element->is_field
                           ? " unless a matrix or an energy couples several"
                           : "");
    }
    first = element->is_field ? 0 : first; /* its port says which */
    if (first < 0 || dim < 1 || first + dim > has || (joins_all && dim != has)) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                       "a bond of dimension %d at `%s`, which has %d component%s there; give both "
                       "the same dimension",
                       dim, element->name, has, has == 1 ? "" : "s");
    }
    return HA_OK;
}

static ha_status check_range_of_ends(bg_graph *graph, const bg_bond_def *def)
{
    int n = (int) graph->elements.count;

    if (def->tail < 0 || def->tail >= n || def->head < 0 || def->head >= n) {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, def->where,
                       "a bond between elements %d and %d of a graph that has %d", def->tail,
                       def->head, n);
    }
    return HA_OK;
}

bool bg__is_taken(const bg_graph *graph, int element, int port)
{
    bool is_field = graph->elements.items[element].is_field;

    for (size_t i = 0; i < graph->bonds.count; i++) {
        const bg__bond *b = &graph->bonds.items[i];
        int first = b->tail == element ? b->tail_port : b->head_port;
        bool is_there = b->tail == element || b->head == element;
        if (is_there && port >= first && port < first + (is_field ? b->dim : 1)) {
            return true;
        }
    }
    return false;
}

/* The port at which a bond is added that asks for `wanted`, -1: the next one. */
static int place_at(const bg_graph *graph, int element, int wanted)
{
    const bg__element *e = &graph->elements.items[element];
    int port = 0;

    if (wanted >= 0 || !e->is_numbered) {
        return wanted >= 0 ? wanted : e->n_ports;
    }
    while (port < bg__most_ports(e) && bg__is_taken(graph, element, port)) {
        port++;
    }
    return port;
}

static ha_status check_untaken(const bg_graph *graph, int element, int port, ha_where where)
{
    const bg__element *e = &graph->elements.items[element];

    return !e->is_numbered || !bg__is_taken(graph, element, port)
               ? HA_OK
               : ha_fail(graph->ctx, HA_ERR_VALUE, where,
                         "port %d of `%s` is bonded a second time; give the bonds different ports "
                         "of it, or put a junction in front of it",
                         port + 1, e->name);
}

ha_status bg__add_bond_at(bg_graph *graph, const bg_bond_def *def, const int ports[2], bg_bond *out)
{
    bg__element *tail = &graph->elements.items[def->tail];
    bg__element *head = &graph->elements.items[def->head];
    bg__bond bond = { .tail = def->tail,
                      .head = def->head,
                      .tail_port = place_at(graph, def->tail, ports[0]),
                      .head_port = place_at(graph, def->head, ports[1]),
                      .tail_first = def->tail_first,
                      .head_first = def->head_first,
                      .dim = def->dim };

    /* the ports of a field are its components */
    bond.tail_first = tail->is_field ? bond.tail_port : bond.tail_first;
    bond.head_first = head->is_field ? bond.head_port : bond.head_first;
    if (tail == head) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, def->where,
                       "`%s` is bonded to itself; bond it to another element", tail->name);
    }
    HA_TRY(check_end(graph, tail, bond.tail_port, def->tail_first, def->dim, def->where));
    HA_TRY(check_end(graph, head, bond.head_port, def->head_first, def->dim, def->where));
    HA_TRY(check_untaken(graph, def->tail, bond.tail_port, def->where));
    HA_TRY(check_untaken(graph, def->head, bond.head_port, def->where));
    HA_TRY_PUSH(graph->ctx, &graph->bonds, bond);
    tail->n_ports += tail->is_field ? def->dim : 1;
    head->n_ports += head->is_field ? def->dim : 1;
    graph->numbers.count = 0;
    *out = (int) graph->bonds.count - 1;
    return HA_OK;
}

ha_status bg_graph_add_partial_bond(bg_graph *graph, const bg_bond_def *def, bg_bond *out)
{
    HA_NEED_OF(graph, def != NULL && out != NULL);
    static const int next[2] = { -1, -1 };

    HA_TRY(check_range_of_ends(graph, def));
    for (int end = 0; end < 2; end++) {
        const bg__element *e = &graph->elements.items[end == 0 ? def->tail : def->head];
        if (e->is_inside) {
            return ha_fail(graph->ctx, HA_ERR_VALUE, def->where,
                           "`%s` is inside of an instance of a submodel; bond a port of the "
                           "instance, with bg_graph_add_named_bond()",
                           e->name);
        }
    }
    return bg__add_bond_at(graph, def, next, out);
}

ha_status bg_graph_add_bond(bg_graph *graph, bg_element tail, bg_element head, int dim,
                            ha_where where, bg_bond *out)
{
    HA_NEED_OF(graph, out != NULL);
    const bg_bond_def def = { .tail = tail, .head = head, .dim = dim, .where = where };

    /* a whole bond joins all components, of junctions too */
    for (int end = 0; end < 2; end++) {
        bg_element e = end == 0 ? tail : head;
        if (e >= 0 && e < (int) graph->elements.count &&
            bg__is_junction(&graph->elements.items[e]) && graph->elements.items[e].dim != dim) {
            return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                           "a bond of dimension %d at `%s`, which has %d components; give both the "
                           "same dimension",
                           dim, graph->elements.items[e].name, graph->elements.items[e].dim);
        }
    }
    return bg_graph_add_partial_bond(graph, &def, out);
}
