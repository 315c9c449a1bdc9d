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

#include "bondgraph/graph/bonds_priv.h"
#include "bondgraph/graph/extras_priv.h"
#include "bondgraph/graph/law_priv.h"
#include "lib/core/format.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"

#include <string.h>

/* An expansion under way. */
typedef struct {
    bg_graph *from;
    bg_graph *to;
    int *first;      /* first scalar element of each element; of a matrix: the first 1-junction */
    ha__strbuf name; /* of the element at hand */
} expansion;

/* Begins the name of an element that a matrix becomes: "OWNER" and what follows it. */
static void begin_name(expansion *x, const bg__element *e, const char *follows)
{
    x->name.length = 0;
    ha__strbuf_addf(&x->name, "%s%s", e->name, follows);
}

static void add_number(expansion *x, int number)
{
    char digits[HA__DIGITS_SIZE];

    ha__strbuf_add(&x->name, ha__digits(number, digits));
}

/* Adds the label of component i of port 2 of a matrix. */
static void add_row_label(expansion *x, const bg__element *e, int i)
{
    const char *const *labels = bg__extra(e)->labels;

    if (labels != NULL) {
        ha__strbuf_add(&x->name, labels[i]);
    } else {
        add_number(x, i + 1);
    }
}

static ha_status copy_expressions(expansion *x, const ha_expr *from, int n, ha_expr **to)
{
    *to = NULL;
    if (from != NULL) {
        HA_TRY_GET(*to, ha__arena_alloc(x->to->ctx, &x->to->arena, (size_t) n, sizeof **to));
        memcpy(*to, from, (size_t) n * sizeof **to);
    }
    return HA_OK;
}

/* Adds a scalar element with the value, HA_EXPR_NONE: the type's default. */
static ha_status add(expansion *x, const bg__element *e, bg__element scalar, ha_expr value,
                     int *added)
{
    scalar.dim = 1;
    scalar.where = e->where;
    if (value != HA_EXPR_NONE) {
        HA_TRY(bg__check_range(x->to, &scalar, value));
        HA_TRY(copy_expressions(x, &value, 1, &scalar.value));
        scalar.n_values = 1;
    }
    HA_TRY(bg__keep_group(x->to, e->group, &scalar.group));
    return bg__push_element(x->to, scalar, added);
}

/* Adds an element that a matrix becomes, under the name at hand. */
static ha_status add_part(expansion *x, const bg__element *e, const bg__type *type, ha_expr value)
{
    const bg__element part = { .type = type, .name = ha__strbuf_text(&x->name) };
    int added = 0;

    HA_TRY(x->name.status);
    return add(x, e, part, value, &added);
}

/* The type of the one-port that component `c` becomes: of an IC a C or an I. */
static const bg__type *component_type(const expansion *x, const bg__element *e, int c)
{
    bool is_mixed = (e->type->signals & BG__HAS_P) != 0 && (e->type->signals & BG__HAS_Q) != 0;

    if (!is_mixed || bg__extra(e)->law == NULL) {
        return e->type;
    }
    /* asked of the copy of the expressions: a failure would stick to those of the user */
    return bg__law_is_inertia(x->to->dag, bg__extra(e)->law, c) ? &bg__type_i : &bg__type_c;
}

/* True for an element whose scalar elements share a law or a matrix. */
static bool has_field(const bg__element *e)
{
    return e->is_field || bg__extra(e)->law != NULL || (e->type->laws & BG__LAW_NEEDED) != 0;
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
    bg__extras *extra = bg__own_extra(x->to, scalar);
    HA_TRY_MEMORY(extra);
    extra->field = *shared;
    extra->field_port = e->is_field ? c : 0;
    return HA_OK;
}

/* Gives a scalar element the unit of its value. */
static ha_status copy_unit(expansion *x, const bg__element *e, int c, int added)
{
    const bg__extras *extra = bg__extra(e);

    if (extra->n_units == 0 || e->is_field) {
        return HA_OK;
    }
    return bg_graph_set_units(x->to, added, &extra->units[extra->n_units == 1 ? 0 : c], 1);
}

/* Gives component `c` of an element what only some elements have. */
static ha_status copy_extra(expansion *x, const bg__element *e, int c, bg__element *scalar)
{
    for (int row = 0; row < bg__n_extras() && e->extra != NULL; row++) {
        if (bg__has_extra(e, row)) {
            bg__given given = bg__extra_of(e, row, c);
            HA_TRY(bg__give_extra(x->to, scalar, row, &given));
        }
    }
    return HA_OK;
}

static ha_status add_components(expansion *x, int number)
{
    const bg__element *e = &x->from->elements.items[number];
    const bg__field *field = NULL;

    for (int c = 0; c < e->dim; c++) {
        bg__element scalar = { .type = component_type(x, e, c),
                               .name = bg_element_component(x->from, number, c) };
        bool has_value = e->n_values > 0 && !e->is_field;
        int added = 0;
        HA_TRY(copy_extra(x, e, c, &scalar));
        HA_TRY(copy_expressions(x,
                                e->signals == NULL ? NULL : e->signals + c * (int) BG_SIGNAL_COUNT,
                                BG_SIGNAL_COUNT, &scalar.signals));
        HA_TRY(add(x, e, scalar, has_value ? bg__component_value(x->from, e, c) : HA_EXPR_NONE,
                   &added));
        HA_TRY(set_field(x, e, &field, c, added));
        HA_TRY(copy_unit(x, e, c, added));
    }
    return HA_OK;
}

static ha_status add_matrix(expansion *x, const bg__element *e)
{
    for (int j = 0; j < e->dim; j++) {
        begin_name(x, e, ".1.");
        add_number(x, j + 1);
        HA_TRY(add_part(x, e, &bg__type_1, HA_EXPR_NONE));
    }
    for (int i = 0; i < e->dim2; i++) {
        begin_name(x, e, ".2.");
        add_row_label(x, e, i);
        HA_TRY(add_part(x, e, &bg__type_0, HA_EXPR_NONE));
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
                   e->n_ports == 0 ? "it"
                   : needed == 2   ? "the other port too"
                                   : "all ports");
}

/* The elements that come of the graph's, at most. */
static size_t most_elements(const bg_graph *graph)
{
    size_t n = 0;

    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        n += (size_t) e->dim + (size_t) e->dim2;
        for (int k = 0; k < e->dim2 * e->dim; k++) {
            n += ha_expr_is(graph->dag, e->value[k], 0.0) ? 0 : 1;
        }
    }
    return n;
}

static ha_status add_elements(expansion *x)
{
    HA_TRY_ROOM(x->to->ctx, &x->to->elements, most_elements(x->from));
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
            const bg_bond_def def = { .tail =
                                          scalar_end(x, b->tail, b->tail_port, b->tail_first + c),
                                      .head =
                                          scalar_end(x, b->head, b->head_port, b->head_first + c),
                                      .dim = 1 };
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
    begin_name(x, e, ".");
    add_row_label(x, e, i);
    ha__strbuf_add(&x->name, "_");
    add_number(x, j + 1);
    HA_TRY(add_part(x, e, e->type, e->value[i * e->dim + j]));
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
    memcpy(x->to->energies, x->from->energies, sizeof x->to->energies);
    for (size_t i = 0; i < x->from->rates.count; i++) {
        HA_TRY_PUSH(x->to->ctx, &x->to->rates, x->from->rates.items[i]);
    }
    return HA_OK;
}

/* --- graphs that are scalar already ---------------------------------------------------------- */

/* The element as it is, with its arrays in the new graph. */
static ha_status copy_element(expansion *x, size_t number)
{
    const bg__element *from = &x->from->elements.items[number];
    bg__element e = *from;

    HA_TRY(check_ports(x, from));
    e.name = ha__symtab_name(&x->to->names, (int) number);
    e.extra = NULL;
    HA_TRY(copy_extra(x, from, 0, &e));
    HA_TRY(copy_expressions(x, from->value, from->n_values, &e.value));
    HA_TRY(copy_expressions(x, from->signals, BG_SIGNAL_COUNT, &e.signals));
    HA_TRY(bg__keep_group(x->to, from->group, &e.group));
    x->to->elements.items[x->to->elements.count++] = e;
    return copy_unit(x, from, 0, (int) number);
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
    HA_NEED_OF(graph, out != NULL);
    expansion x = { .from = graph, .name = HA_STRBUF(graph->ctx) };

    HA_TRY(bg__check_ports(graph));
    x.to = bg_graph_new_with(graph->ctx, graph->dag, graph->time);
    ha_status status = x.to == NULL ? HA_ERR_MEMORY : expand_into(&x);

    ha__free(x.first);
    ha__strbuf_clear(&x.name);
    return HA_GIVE(status, x.to, bg_graph_free, out);
}
