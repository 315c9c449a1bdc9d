/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container of the system of equations: its frame, definitions and unknowns. */
#include <config.h>

#include "bondgraph/elements/causal_system.h"

#include "lib/expr/expr_priv.h"

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
    return HA_GIVE(status, order, ha__free, out);
}

/* The slot of a bond at an element: its port, or at a junction, whose bonds are all alike, the
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

    HA_TRY_ALLOC(s->ctx, s->port_start, n + 1, s->port_bonds, 2 * n_bonds);
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
    HA_FREE(order, n_placed);
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
    return HA_GIVE(status, s, bg__system_free, out);
}

void bg__system_free(bg__system *s)
{
    if (s == NULL) {
        return;
    }
    bg_graph_free(s->graph);
    HA_FREE(s->heads, s->port_start, s->port_bonds, s->e, s->f, s->value, s->content, s->energy,
            s->contained);
    HA_ARRAY_CLEAR(&s->definitions, &s->unknowns, &s->rows, &s->kept);
    ha__free(s->need_start);
    HA_ARRAY_CLEAR(&s->needs);
    HA_FREE(s->order, s->loop_of, s);
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

/* --- definitions and unknowns -------------------------------------------------------------------
 */

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

ha_status bg__system_mark_unknowns(bg__system *s)
{
    int n = ha_dag_size(s->graph->dag);
    int *contained = ha__alloc(s->ctx, (size_t) n, sizeof *contained);

    HA_TRY_MEMORY(contained);
    for (size_t i = 0; i < s->unknowns.count; i++) {
        contained[s->unknowns.items[i].y] = 1 << s->unknowns.items[i].kind;
        contained[s->unknowns.items[i].yp] = BG__ANY_DERIVATIVE;
    }
    ha__free(s->contained);
    s->contained = contained;
    s->n_nodes = n;
    return HA_OK;
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
