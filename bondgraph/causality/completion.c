/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completing strokes as a matching.
 *
 * Every rule is put in terms of bonds that are "special" at an element:
 *   0-junction, transformer  exactly one bond, the one with ein = 1   one vertex, to be covered
 *   1-junction               exactly one bond, the one with ein = 0   one vertex, to be covered
 *   gyrator                  both bonds or none                       two vertices and an edge
 *   storage, sink, resistor  each bond or not                         optional vertex for each port
 * A bond whose special senses at both ends are opposite ein is special at both or at neither: an
 * edge between the vertices, in the matching when the bond is special. One whose special senses are
 * the same ein is special at exactly one end: a vertex to be covered, with an edge to either.
 * A gyrator's own edge is in the matching when neither bond is special.
 *
 * The matchings that cover all vertices but the optional ones are then the completions. Gyrators
 * make the graph a general one, not bipartite: an odd ring of them is a blossom.
 */
#include <config.h>

#include "bondgraph/causality/completion.h"

#include "lib/graph/matching.h"

#include <string.h>

struct bg__completion {
    const bg__system *system;
    const int *n_in;
    int *vertex;        /* (elements) its first vertex, -1: none */
    int *edge;          /* (bonds) its first edge: the only one or that at the tail; -1: none */
    signed char *sense; /* (bonds) special ein at the tail; + 2: the same at the head */
    HA_ARRAY(int) a;    /* ends of edges */
    HA_ARRAY(int) b;
    HA_ARRAY(bool) is_optional; /* by vertex */
    HA_ARRAY(int) owner;        /* by vertex: the element */
    ha__matching *matching;
};

static const bg__type *type_at(const bg__completion *x, int element)
{
    return x->system->graph->elements.items[element].type;
}

static bool is_open(const bg__completion *x, int bond)
{
    return x->system->heads[bond] < 0;
}

/* --- vertices -------------------------------------------------------------------------------- */

static ha_status add_vertex(bg__completion *x, int element, bool is_optional, int *out)
{
    HA_TRY_PUSH(x->system->ctx, &x->is_optional, is_optional);
    HA_TRY_PUSH(x->system->ctx, &x->owner, element);
    *out = (int) x->owner.count - 1;
    return HA_OK;
}

static ha_status add_edge(bg__completion *x, int a, int b, int *out)
{
    HA_TRY_PUSH(x->system->ctx, &x->a, a);
    HA_TRY_PUSH(x->system->ctx, &x->b, b);
    *out = (int) x->a.count - 1;
    return HA_OK;
}

/* One vertex for an element that counts, else one for each port. */
static ha_status add_element(bg__completion *x, int element)
{
    const bg__type *type = type_at(x, element);
    int n = bg__n_ports(x->system, element), n_open = 0, vertex = 0, edge = 0;

    for (int port = 0; port < n; port++) {
        n_open += is_open(x, bg__port_bond(x->system, element, port));
    }
    if (n_open == 0) {
        return HA_OK;
    }
    x->vertex[element] = (int) x->owner.count;
    if (type->rule == BG_RULE_COUNT) {
        return add_vertex(x, element, false, &vertex);
    }
    for (int port = 0; port < n; port++) {
        HA_TRY(add_vertex(x, element, type->rule == BG_RULE_FREE, &vertex));
    }
    return type->rule == BG_RULE_EQUAL ? add_edge(x, vertex - 1, vertex, &edge) : HA_OK;
}

/* The vertex of an element at its port with this bond. */
static int vertex_at(const bg__completion *x, int element, int bond)
{
    int port = 0;

    if (type_at(x, element)->rule == BG_RULE_COUNT) {
        return x->vertex[element];
    }
    while (bg__port_bond(x->system, element, port) != bond) {
        port++;
    }
    return x->vertex[element] + port;
}

/* --- edges ----------------------------------------------------------------------------------- */

/* The ein that is special at an element, -1 where either may be: one port more must have it. */
static int special_ein(const bg__completion *x, int element)
{
    const bg__type *type = type_at(x, element);
    int wanted = type->base + type->slope * bg__n_ports(x->system, element);

    if (type->rule == BG_RULE_FREE) {
        return -1;
    }
    return type->rule == BG_RULE_EQUAL || wanted - x->n_in[element] == 1 ? 1 : 0;
}

static ha_status add_bond(bg__completion *x, int bond)
{
    const bg__bond *b = &x->system->graph->bonds.items[bond];
    int tail = vertex_at(x, b->tail, bond), head = vertex_at(x, b->head, bond);
    int at_tail = special_ein(x, b->tail), at_head = special_ein(x, b->head);
    int middle = 0, unused = 0;

    at_tail = at_tail >= 0 ? at_tail : at_head >= 0 ? 1 - at_head : 1;
    at_head = at_head >= 0 ? at_head : 1 - at_tail;
    x->sense[bond] = (signed char) (at_tail + (at_tail == at_head ? 2 : 0));
    if (at_tail != at_head) {
        return add_edge(x, tail, head, &x->edge[bond]);
    }
    HA_TRY(add_vertex(x, b->head, false, &middle));
    HA_TRY(add_edge(x, middle, tail, &x->edge[bond]));
    return add_edge(x, middle, head, &unused);
}

/* The edge that tells the stroke of a bond, and whether it is in the matching then. */
static int edge_of(const bg__completion *x, int bond, int head, bool *is_in)
{
    int at_tail = x->sense[bond] & 1;
    bool is_special = 1 - head == at_tail;

    if (x->sense[bond] < 2) {
        *is_in = is_special;
        return x->edge[bond];
    }
    *is_in = true;
    return x->edge[bond] + (is_special ? 0 : 1);
}

static ha_status add_bonds(bg__completion *x, const int *order)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        for (int port = 0; port < bg__n_ports(x->system, order[i]); port++) {
            int bond = bg__port_bond(x->system, order[i], port);
            if (is_open(x, bond) && x->edge[bond] < 0) {
                HA_TRY(add_bond(x, bond));
            }
        }
    }
    return HA_OK;
}

/* Starts from the strokes guessed; gyrators take the first `n_own` edges where nothing else does.
 */
static void start_from(bg__completion *x, const signed char *guess, int n_own)
{
    for (int bond = 0; bond < (int) x->system->graph->bonds.count; bond++) {
        bool is_in = false;
        int edge =
            is_open(x, bond) && guess[bond] >= 0 ? edge_of(x, bond, guess[bond], &is_in) : -1;
        if (is_in) {
            ha__matching_join(x->matching, edge);
        }
    }
    for (int edge = 0; edge < n_own; edge++) {
        ha__matching_join(x->matching, edge);
    }
}

static ha_status build(bg__completion *x, const int *order, const signed char *guess)
{
    size_t n = x->system->graph->elements.count, n_bonds = x->system->graph->bonds.count;

    HA_TRY_ALLOC(x->system->ctx, x->vertex, n);
    HA_TRY_ALLOC_EACH(x->system->ctx, n_bonds, x->edge, x->sense);
    memset(x->vertex, -1, n * sizeof *x->vertex);
    memset(x->edge, -1, n_bonds * sizeof *x->edge);
    for (size_t i = 0; i < n; i++) {
        HA_TRY(add_element(x, order[i]));
    }

    int n_own = (int) x->a.count;
    HA_TRY(add_bonds(x, order));
    HA_TRY(ha__matching_new(x->system->ctx, (int) x->owner.count, (int) x->a.count, x->a.items,
                            x->b.items, x->is_optional.items, &x->matching));
    start_from(x, guess, n_own);
    return HA_OK;
}

/* --- what it is used for --------------------------------------------------------------------- */

ha_status bg__completion_new(const bg__system *system, const int *n_in, const int *order,
                             const signed char *guess, bg__completion **out)
{
    bg__completion *x = ha__alloc(system->ctx, 1, sizeof *x);

    HA_TRY_MEMORY(x);
    x->system = system;
    x->n_in = n_in;

    ha_status status = build(x, order, guess);
    return HA_GIVE(status, x, bg__completion_free, out);
}

void bg__completion_free(bg__completion *x)
{
    if (x == NULL) {
        return;
    }
    HA_FREE(x->vertex, x->edge, x->sense);
    HA_ARRAY_CLEAR(&x->a, &x->b, &x->is_optional, &x->owner);
    ha__matching_free(x->matching);
    ha__free(x);
}

int bg__completion_find(bg__completion *x)
{
    for (size_t v = 0; v < x->owner.count; v++) {
        if (!x->is_optional.items[v] && !ha__matching_cover(x->matching, (int) v)) {
            return x->owner.items[v];
        }
    }
    return -1;
}

bool bg__completion_contests(const bg__completion *x, int element)
{
    int first = x->vertex[element];

    if (first < 0 || type_at(x, element)->rule == BG_RULE_FREE) {
        return false;
    }
    return ha__matching_contests(x->matching, first) ||
           (type_at(x, element)->rule == BG_RULE_EQUAL &&
            ha__matching_contests(x->matching, first + 1));
}

bool bg__completion_settle(bg__completion *x, int bond, int head)
{
    bool is_in = false;
    int edge = edge_of(x, bond, head, &is_in);

    return ha__matching_settle(x->matching, edge, is_in);
}

int bg__completion_head(const bg__completion *x, int bond)
{
    bool is_in = false;
    int edge = edge_of(x, bond, 1, &is_in);

    return ha__matching_has(x->matching, edge) == is_in ? 1 : 0;
}
