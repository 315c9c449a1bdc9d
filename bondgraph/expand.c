/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From multibonds to scalar bonds.
 *
 * A plain element of n components becomes n scalar elements, a bond n scalar bonds; a field of n
 * ports becomes n one-ports that share its law (law.c), each with its own causality. A matrix
 * transformer with f2 = M f1, e1 = M^T e2 (M of dim2 x dim) becomes
 *   a 1-junction `NAME.1.j` for each flow of port 1, which the entries of column j share,
 *   a 0-junction `NAME.2.i` for each flow of port 2, which sums the entries of row i,
 *   and between them, for each entry M_ij that is not 0: a bond when it is +1, a bond drawn the
 *   other way when it is -1, else a scalar transformer `NAME.i_j` with modulus M_ij.
 * The sums of flows at the 0-junctions and of efforts at the 1-junctions are the two equations.
 */
#include <config.h>

#include "bondgraph/expand.h"

#include "bondgraph/graph_priv.h"
#include "lib/format.h"

#include <string.h>

/* An expansion under way. */
typedef struct {
    bg_graph *from;
    bg_graph *to;
    int *first; /* first scalar element of each element; of a matrix: the first 1-junction */
} expansion;

/* The label of component i of port 2 of a matrix, in `buffer` where it is only a number. */
static const char *row_label(const bg__element *e, int i, char buffer[16])
{
    if (e->labels != NULL) {
        return e->labels[i];
    }
    ha__format(buffer, 16, "%d", i + 1);
    return buffer;
}

static ha_status add(expansion *x, const bg__element *e, const char *type, const char *name,
                     ha_expr value)
{
    bg_element_def def = bg_element_def_default();
    bg_element added = 0;

    def.type = type;
    def.name = name;
    def.value = &value;
    def.n_values = value == HA_EXPR_NONE ? 0 : 1;
    def.group = e->group;
    def.where = e->where;
    return name == NULL ? HA_ERR_MEMORY : bg_graph_add_element(x->to, &def, &added);
}

/* The type of the one-port that component `c` becomes: of an IC a C or an I. */
static const char *component_type(const expansion *x, const bg__element *e, int c)
{
    bool is_mixed = (e->type->signals & BG__HAS_P) != 0 && (e->type->signals & BG__HAS_Q) != 0;

    if (!is_mixed || e->law == NULL) {
        return e->type->name;
    }
    return bg__law_is_inertia(x->from->dag, e->law, c) ? "I" : "C";
}

/* True for an element whose scalar elements share a law or a matrix. */
static bool has_field(const bg__element *e)
{
    return e->is_field || e->law != NULL || (e->type->laws & BG__LAW_NEEDED) != 0;
}

/* Gives a scalar element what it shares with the other ports of its element. */
static ha_status set_field(expansion *x, const bg__element *e, const bg__field **shared, int c,
                           int added)
{
    bg__element *scalar = &x->to->elements.items[added];

    if (!has_field(e)) {
        return HA_OK;
    }
    if (!e->is_field || *shared == NULL) {
        HA_TRY(bg__field_new(x->to, e, e->is_field ? e->name : scalar->name, added, shared));
    }
    scalar->field = *shared;
    scalar->field_port = e->is_field ? c : 0;
    return HA_OK;
}

/* Gives a scalar element the unit of its value. */
static ha_status copy_unit(expansion *x, const bg__element *e, int c, int added)
{
    if (e->n_units == 0 || e->is_field) {
        return HA_OK;
    }
    return bg_graph_set_units(x->to, added, &e->units[e->n_units == 1 ? 0 : c], 1);
}

static ha_status add_components(expansion *x, int number)
{
    bg__element *e = &x->from->elements.items[number];
    const bg__field *field = NULL;

    for (int c = 0; c < e->dim; c++) {
        bg_element_def def = bg_element_def_default();
        ha_expr value = e->is_field ? HA_EXPR_NONE : bg__component_value(x->from, e, c);
        bg_element added = 0;
        def.type = component_type(x, e, c);
        def.name = bg_element_component(x->from, number, c);
        def.value = &value;
        def.n_values = e->n_values == 0 || e->is_field ? 0 : 1;
        def.start = e->start == NULL ? NULL : &e->start[c];
        def.position = e->position == NULL ? NULL : &e->position[c];
        def.potential = e->potential == NULL ? NULL : &e->potential[c];
        def.tightness = e->tightness == NULL ? NULL : &e->tightness[c];
        def.size = e->size == NULL ? NULL : &e->size[c];
        def.if_zero = e->if_zero == NULL ? NULL : &e->if_zero[c];
        def.group = e->group;
        def.priority = e->priority;
        def.where = e->where;
        HA_TRY(bg_graph_add_element(x->to, &def, &added));
        HA_TRY(set_field(x, e, &field, c, added));
        HA_TRY(e->hold == NULL ? HA_OK
                               : bg_graph_set_hold(x->to, added, e->hold[0], e->hold[1]));
        HA_TRY(copy_unit(x, e, c, added));
        if (e->signals != NULL) {
            x->to->elements.items[added].signals = ha__arena_alloc(
                x->to->ctx, &x->to->arena, BG_SIGNAL_COUNT, sizeof *e->signals);
            HA_TRY(x->to->elements.items[added].signals == NULL ? HA_ERR_MEMORY : HA_OK);
            memcpy(x->to->elements.items[added].signals, e->signals + c * (int) BG_SIGNAL_COUNT,
                   BG_SIGNAL_COUNT * sizeof *e->signals);
        }
    }
    return HA_OK;
}

static ha_status add_matrix(expansion *x, const bg__element *e)
{
    ha__arena *arena = &x->to->arena;
    char buffer[16];

    for (int j = 0; j < e->dim; j++) {
        HA_TRY(add(x, e, "1", ha__arena_format(x->to->ctx, arena, "%s.1.%d", e->name, j + 1),
                   HA_EXPR_NONE));
    }
    for (int i = 0; i < e->dim2; i++) {
        HA_TRY(add(x, e, "0",
                   ha__arena_format(x->to->ctx, arena, "%s.2.%s", e->name,
                                    row_label(e, i, buffer)),
                   HA_EXPR_NONE));
    }
    return HA_OK;
}

/* All ports of an element must be bonded. */
static ha_status check_ports(const expansion *x, const bg__element *e)
{
    int needed = e->is_field ? e->dim : e->type->min_ports;

    if (e->n_ports >= needed) {
        return HA_OK;
    }
    return ha_fail(x->from->ctx, HA_ERR_VALUE, e->where,
                   "`%s` has %d bond%s; %s %s needs %d, bond %s", e->name, e->n_ports,
                   e->n_ports == 1 ? "" : "s", e->is_field ? "this" : bg__article(e->type),
                   e->type->title, needed,
                   e->n_ports == 0 ? "it" : needed == 2 ? "the other port too" : "all ports");
}

static ha_status add_elements(expansion *x)
{
    for (size_t n = 0; n < x->from->elements.count; n++) {
        const bg__element *e = &x->from->elements.items[n];
        x->first[n] = (int) x->to->elements.count;
        HA_TRY(check_ports(x, e));
        HA_TRY(e->dim2 > 0 ? add_matrix(x, e) : add_components(x, (int) n));
    }
    return HA_OK;
}

/* The scalar element that component `c` of port `port` of an element became. */
static int scalar_end(const expansion *x, int element, int port, int c)
{
    const bg__element *e = &x->from->elements.items[element];

    return x->first[element] + (e->dim2 > 0 && port == 1 ? e->dim : 0) + c;
}

/* The port of that scalar element: the next of a junction, the only one of a field's, else the
   same. */
static int scalar_port(const expansion *x, int element, int port)
{
    const bg__element *e = &x->from->elements.items[element];

    return e->dim2 > 0 || bg__is_junction(e) ? -1 : e->is_field ? 0 : port;
}

static ha_status add_bonds(expansion *x)
{
    for (size_t n = 0; n < x->from->bonds.count; n++) {
        const bg__bond *b = &x->from->bonds.items[n];
        const int ports[2] = { scalar_port(x, b->tail, b->tail_port),
                               scalar_port(x, b->head, b->head_port) };
        for (int c = 0; c < b->dim; c++) {
            const bg_bond_def def = {
                .tail = scalar_end(x, b->tail, b->tail_port, b->tail_first + c),
                .head = scalar_end(x, b->head, b->head_port, b->head_first + c), .dim = 1
            };
            bg_bond added = 0;
            HA_TRY(bg__add_bond_at(x->to, &def, ports, &added));
        }
    }
    return HA_OK;
}

/* The entry in row i, column j, between its two junctions. */
static ha_status add_entry(expansion *x, int element, int i, int j)
{
    const bg__element *e = &x->from->elements.items[element];
    int one = x->first[element] + j, zero = x->first[element] + e->dim + i;
    ha_expr entry = HA_EXPR_NONE;
    bg_bond added = 0;
    char buffer[16];

    HA_TRY(ha_resolve(x->to->dag, e->value[i * e->dim + j], &entry));
    if (ha_expr_is(x->to->dag, entry, 0.0)) {
        return HA_OK;
    }
    if (ha_expr_is(x->to->dag, entry, 1.0)) {
        return bg_graph_add_bond(x->to, one, zero, 1, e->where, &added);
    }
    if (ha_expr_is(x->to->dag, entry, -1.0)) {
        return bg_graph_add_bond(x->to, zero, one, 1, e->where, &added);
    }

    int middle = (int) x->to->elements.count;
    HA_TRY(add(x, e, e->type->name,
               ha__arena_format(x->to->ctx, &x->to->arena, "%s.%s_%d", e->name,
                                row_label(e, i, buffer), j + 1),
               e->value[i * e->dim + j]));
    HA_TRY(bg_graph_add_bond(x->to, one, middle, 1, e->where, &added));
    return bg_graph_add_bond(x->to, middle, zero, 1, e->where, &added);
}

static ha_status add_entries(expansion *x)
{
    for (size_t n = 0; n < x->from->elements.count; n++) {
        const bg__element *e = &x->from->elements.items[n];
        for (int k = 0; k < e->dim2 * e->dim; k++) {
            HA_TRY(add_entry(x, (int) n, k / e->dim, k % e->dim));
        }
    }
    return HA_OK;
}

/* Partial bonds may have left a component of a junction without any. */
static ha_status check_bonded(const expansion *x)
{
    for (size_t i = 0; i < x->to->elements.count; i++) {
        const bg__element *e = &x->to->elements.items[i];
        if (e->n_ports == 0) {
            return ha_fail(x->from->ctx, HA_ERR_VALUE, e->where,
                           "`%s` has no bond; %s %s needs one, bond it or leave it out", e->name,
                           bg__article(e->type), e->type->title);
        }
    }
    return HA_OK;
}

static ha_status copy_outputs(expansion *x)
{
    bg_graph *to = x->to;

    HA_TRY(ha__symtab_copy(to->ctx, &x->from->parameter_names, &to->parameter_names));
    for (size_t i = 0; i < x->from->parameters.count; i++) {
        HA_TRY_PUSH(to->ctx, &to->parameters,
                    (bg__output){ ha__symtab_name(&to->parameter_names, (int) i), "",
                                  x->from->parameters.items[i].value });
    }
    HA_TRY(ha__symtab_copy(to->ctx, &x->from->output_names, &to->output_names));
    HA_TRY(ha__symtab_copy(to->ctx, &x->from->unit_names, &to->unit_names));
    HA_TRY_ROOM(to->ctx, &to->outputs, x->from->outputs.count);
    for (size_t i = 0; i < x->from->outputs.count; i++) {
        const bg__output *o = &x->from->outputs.items[i];
        int unit = ha__symtab_find(&to->unit_names, o->unit, strlen(o->unit));
        to->outputs.items[to->outputs.count++] =
            (bg__output){ ha__symtab_name(&to->output_names, (int) i),
                          ha__symtab_name(&to->unit_names, unit), o->value };
    }
    for (size_t i = 0; i < x->from->rates.count; i++) {
        HA_TRY_PUSH(x->to->ctx, &x->to->rates, x->from->rates.items[i]);
    }
    return HA_OK;
}

/* --- graphs that are scalar already ---------------------------------------------------------- */

static ha_status copy_expressions(expansion *x, const ha_expr *from, int n, ha_expr **to)
{
    *to = NULL;
    if (from != NULL) {
        *to = ha__arena_alloc(x->to->ctx, &x->to->arena, (size_t) n, sizeof **to);
        HA_TRY(*to == NULL ? HA_ERR_MEMORY : HA_OK);
        memcpy(*to, from, (size_t) n * sizeof **to);
    }
    return HA_OK;
}

/* The element as it is, with its arrays in the new graph. */
static ha_status copy_element(expansion *x, size_t number)
{
    const bg__element *from = &x->from->elements.items[number];
    bg__element e = *from;

    HA_TRY(check_ports(x, from));
    e.name = ha__symtab_name(&x->to->names, (int) number);
    e.labels = NULL;
    HA_TRY(copy_expressions(x, from->value, from->n_values, &e.value));
    e.n_units = 0;
    HA_TRY(copy_expressions(x, from->start, 1, &e.start));
    HA_TRY(copy_expressions(x, from->position, 1, &e.position));
    HA_TRY(copy_expressions(x, from->potential, 1, &e.potential));
    HA_TRY(copy_expressions(x, from->hold, 2, &e.hold));
    HA_TRY(copy_expressions(x, from->tightness, 1, &e.tightness));
    HA_TRY(copy_expressions(x, from->size, 1, &e.size));
    HA_TRY(copy_expressions(x, from->signals, BG_SIGNAL_COUNT, &e.signals));
    if (from->group != NULL) {
        e.group = ha__arena_text(x->to->ctx, &x->to->arena, from->group, strlen(from->group));
        HA_TRY(e.group == NULL ? HA_ERR_MEMORY : HA_OK);
    }
    x->to->elements.items[x->to->elements.count++] = e;
    return from->n_units == 0
               ? HA_OK
               : bg_graph_set_units(x->to, (bg_element) number, from->units, from->n_units);
}

/* A scalar graph has nothing to expand: its copy has the same elements, names and bonds. */
static ha_status copy_scalar(expansion *x)
{
    HA_TRY(ha__symtab_copy(x->to->ctx, &x->from->names, &x->to->names));
    HA_TRY_ROOM(x->to->ctx, &x->to->elements, x->from->elements.count);
    for (size_t i = 0; i < x->from->elements.count; i++) {
        HA_TRY(copy_element(x, i));
    }
    HA_TRY_ROOM(x->to->ctx, &x->to->bonds, x->from->bonds.count);
    for (size_t i = 0; i < x->from->bonds.count; i++) {
        x->to->bonds.items[x->to->bonds.count++] = x->from->bonds.items[i];
    }
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------- */

static ha_status expand_components(expansion *x)
{
    HA_TRY_ALLOC(x->from->ctx, x->first, x->from->elements.count);
    HA_TRY(add_elements(x));
    HA_TRY(add_bonds(x));
    return add_entries(x);
}

/* True when there is nothing to expand. */
static bool is_expanded(const bg_graph *graph)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        if (has_field(&graph->elements.items[i])) {
            return false;
        }
    }
    return bg__graph_is_scalar(graph);
}

static ha_status expand_into(expansion *x)
{
    HA_TRY(ha_dag_status(x->from->dag));
    HA_TRY(is_expanded(x->from) ? copy_scalar(x) : expand_components(x));
    HA_TRY(check_bonded(x));
    return copy_outputs(x);
}

ha_status bg_graph_expand(bg_graph *graph, bg_graph **out)
{
    expansion x = { graph, NULL, NULL };

    HA_TRY(bg__check_ports(graph));
    x.to = bg_graph_new_with(graph->ctx, graph->dag, graph->time);
    ha_status status = x.to == NULL ? HA_ERR_MEMORY : expand_into(&x);

    ha__free(x.first);
    if (status != HA_OK) {
        bg_graph_free(x.to);
        return status;
    }
    *out = x.to;
    return HA_OK;
}
