/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instances of submodels: flat copies of a body with a prefix on every name.
 *
 * The expressions of the body live in an expression graph of their own. They are copied with a map
 * (lib/expr/expr_copy.h) in which
 *
 *   the time                  becomes the time,
 *   parameter R               becomes the new parameter `M1.R`, which stands for the value that the
 *                             instance gives, else for a copy of what R stands for in the body,
 *   a signal of element Ra    becomes the signal of `M1.Ra`,
 *   a rate                    becomes a rate of the copy of its argument,
 *   other symbols             become copies of what they stand for.
 *
 * So elements come first, then the map, then their values.
 */
#include <config.h>

#include "bondgraph/submodel.h"

#include "bondgraph/graph/bonds_priv.h"
#include "bondgraph/graph/extras_priv.h"
#include "bondgraph/graph/group.h"
#include "bondgraph/graph/submodel_priv.h"
#include "lib/expr/expr_copy.h"
#include "lib/expr/expr_dimension.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    INSTANCE_COOKIE = 0x6267696e,
    MOST_PARTS = 2 * 1000 * 1000 /* of a graph with instances; a few lines can ask for more */
};

/* An instance being made. */
typedef struct {
    bg_graph *graph;
    const bg_submodel *submodel;
    const bg_graph *body;
    const bg_instance_def *def;
    int instance;      /* its number */
    int first_element; /* in the graph: that of the body's first */
    int first_port;    /* in the graph: that of the body's first, behind its own */
    ha__copy copy;
    HA_ARRAY(ha_expr) values; /* copied values of one element */
} maker;

bg_instance_def bg_instance_def_default(void)
{
    return (bg_instance_def){ .cookie = INSTANCE_COOKIE };
}

/* "M1.Ra"; NULL without memory. */
static const char *path(maker *m, const char *name)
{
    return ha__arena_format(m->graph->ctx, &m->graph->arena, "%s.%s", m->def->name, name);
}

/* --- elements ------------------------------------------------------------------------------- */

/* Adds an element without its values; a matrix gets one of ones. */
static ha_status add_element(maker *m, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);

    bg_element_def def = bg_element_def_default();
    bg_element added = 0;

    def.type = e->type->name;
    def.name = path(m, e->name);
    def.group = e->group == NULL || e->group[0] == '\0' ? m->def->name : path(m, e->group);
    def.dim = e->dim;
    def.dim2 = e->dim2;
    def.is_field = e->is_field;
    def.labels = extra->labels;
    def.where = bg__keep_place(m->graph, e->where);
    if (def.name == NULL || def.group == NULL) {
        return HA_ERR_MEMORY;
    }
    m->values.count = 0;
    for (int i = 0; i < e->dim * e->dim2; i++) {
        HA_TRY_PUSH(m->graph->ctx, &m->values, ha_constant(m->graph->dag, 1.0));
    }
    def.value = m->values.items;
    def.n_values = (int) m->values.count;
    return bg_graph_add_element(m->graph, &def, &added);
}

/* The bonds of the body, with the ports that are left to it. */
static ha_status add_bond(maker *m, const bg__bond *b)
{
    const bg_bond_def def = { .tail = m->first_element + b->tail,
                              .head = m->first_element + b->head,
                              .dim = b->dim,
                              .tail_first = b->tail_first,
                              .head_first = b->head_first,
                              .where = m->def->where };
    const int ports[2] = { bg__inner_port(m->submodel, b->tail, b->tail_port),
                           bg__inner_port(m->submodel, b->head, b->head_port) };
    bg_bond added = 0;

    return bg__add_bond_at(m->graph, &def, ports, &added);
}

static ha_status add_elements_and_bonds(maker *m)
{
    size_t first_bond = m->graph->bonds.count;

    m->first_element = (int) m->graph->elements.count;
    for (size_t i = 0; i < m->body->elements.count; i++) {
        HA_TRY(add_element(m, &m->body->elements.items[i]));
    }
    for (size_t i = 0; i < m->body->bonds.count; i++) {
        HA_TRY(add_bond(m, &m->body->bonds.items[i]));
    }
    for (size_t i = 0; i < m->body->elements.count; i++) {
        m->graph->elements.items[(size_t) m->first_element + i].is_inside = true;
        m->graph->elements.items[(size_t) m->first_element + i].is_numbered =
            m->body->elements.items[i].is_numbered;
    }
    for (size_t i = 0; i < m->body->attachments.count; i++) {
        bg__attachment at = m->body->attachments.items[i];
        at.bond += (int) first_bond;
        at.port += m->first_port;
        HA_TRY_PUSH(m->graph->ctx, &m->graph->attachments, at);
    }
    return HA_OK;
}

/* --- the map -------------------------------------------------------------------------------- */

/* The value that the instance gives to a parameter, NULL: none. */
static const bg_parameter_value *given_value(const maker *m, const char *name)
{
    for (int i = 0; i < m->def->n_parameters; i++) {
        if (strcmp(m->def->parameters[i].name, name) == 0) {
            return &m->def->parameters[i];
        }
    }
    return NULL;
}

static ha_status check_constant(maker *m, const bg_parameter_value *given)
{
    ha_expr resolved = HA_EXPR_NONE;
    double value = (double) NAN;

    if (given->value == HA_EXPR_NONE) {
        return ha_fail(m->graph->ctx, HA_ERR_ARGUMENT, given->where,
                       "parameter `%s` of the instance `%s` has no value; give one", given->name,
                       m->def->name);
    }
    HA_TRY(ha_resolve(m->graph->dag, given->value, &resolved));
    if (!ha_expr_is_constant(m->graph->dag, resolved, &value) || !isfinite(value)) {
        return ha_fail(m->graph->ctx, HA_ERR_VALUE, given->where,
                       "parameter `%s` of the instance `%s` is no finite constant; use numbers and "
                       "parameters only",
                       given->name, m->def->name);
    }
    return HA_OK;
}

/* A parameter inside is of the dimension of what it is given, or of its default. */
static ha_status take_dimension(maker *m, const bg__output *parameter,
                                const bg_parameter_value *given, ha_expr symbol)
{
    char is_words[160], own_words[160];
    ha__dimension is, own;
    bool has_own = ha__expr_dimension(m->body->dag, parameter->value, &own);

    if (given == NULL || !ha__expr_dimension(m->graph->dag, given->value, &is)) {
        return has_own ? ha__symbol_set_dimension(m->graph->dag, symbol, own) : HA_OK;
    }
    if (has_own && !ha__dimension_is_like(is, own)) {
        return ha_fail(m->graph->ctx, HA_ERR_UNIT, given->where,
                       "parameter `%s` of the instance `%s` is %s, but its default is %s; give "
                       "both the same dimension",
                       given->name, m->def->name,
                       ha__dimension_words(is, is_words, sizeof is_words),
                       ha__dimension_words(own, own_words, sizeof own_words));
    }
    return ha__symbol_set_dimension(m->graph->dag, symbol, is);
}

static ha_status add_parameter(maker *m, const bg__output *parameter)
{
    const bg_parameter_value *given = given_value(m, parameter->name);
    const char *name = path(m, parameter->name);
    ha_expr meaning = HA_EXPR_NONE, symbol = HA_EXPR_NONE;

    HA_TRY_MEMORY(name);
    if (given != NULL) {
        HA_TRY(check_constant(m, given));
        meaning = given->value;
    } else {
        HA_TRY(ha__copy_expr(&m->copy, ha_symbol_definition(m->body->dag, parameter->value),
                             &meaning));
    }
    symbol = ha_symbol(m->graph->dag, name);
    ha_symbol_define(m->graph->dag, symbol, meaning);
    HA_TRY(ha_dag_status(m->graph->dag));
    HA_TRY(take_dimension(m, parameter, given, symbol));
    ha__copy_map(&m->copy, parameter->value, symbol);
    return bg_graph_name_parameter(m->graph, name, symbol);
}

/* Signals that the body's expressions use. */
static void map_signals(maker *m)
{
    for (size_t i = 0; i < m->body->elements.count; i++) {
        const bg__element *e = &m->body->elements.items[i];
        int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;
        for (int s = 0; s < n && e->signals != NULL; s++) {
            if (e->signals[s] != HA_EXPR_NONE) {
                ha__copy_map(&m->copy, e->signals[s],
                             bg_graph_signal(m->graph, m->first_element + (int) i,
                                             s / (int) BG_SIGNAL_COUNT,
                                             (bg_signal) (s % (int) BG_SIGNAL_COUNT)));
            }
        }
    }
}

static ha_status map_rates(maker *m)
{
    for (size_t i = 0; i < m->body->rates.count; i++) {
        const bg__rate *rate = &m->body->rates.items[i];
        const char *name = path(m, ha_symbol_name(m->body->dag, rate->symbol));
        ha_expr argument = HA_EXPR_NONE;
        HA_TRY_MEMORY(name);
        HA_TRY(ha__copy_expr(&m->copy, rate->argument, &argument));
        ha__copy_map(&m->copy, rate->symbol, bg_graph_rate(m->graph, argument, name));
    }
    return ha_dag_status(m->graph->dag);
}

static ha_status make_map(maker *m)
{
    HA_TRY(ha__copy_begin(&m->copy, m->body->dag, m->graph->dag));
    ha__copy_map(&m->copy, m->body->time, m->graph->time);
    for (size_t i = 0; i < m->body->parameters.count; i++) {
        HA_TRY(add_parameter(m, &m->body->parameters.items[i]));
    }
    map_signals(m);
    return map_rates(m);
}

/* --- values --------------------------------------------------------------------------------- */

/* Copies `n` expressions to m->values; none where `from` is NULL. */
static ha_status copy_values(maker *m, const ha_expr *from, int n)
{
    m->values.count = 0;
    for (int i = 0; i < n && from != NULL; i++) {
        ha_expr copied = HA_EXPR_NONE;
        HA_TRY(ha__copy_expr(&m->copy, from[i], &copied));
        HA_TRY_PUSH(m->graph->ctx, &m->values, copied);
    }
    return HA_OK;
}

/* The law of an element by expressions: its own quantities become new symbols. */
static ha_status set_law(maker *m, int number)
{
    const bg__law *from = bg__extra(&m->body->elements.items[number])->law;
    bg_law law = bg_law_default();
    int n = from->n_ports;

    m->values.count = 0;
    for (int s = 0; s <= BG_SIGNAL_Q; s++) {
        for (int k = 0; k < n; k++) {
            ha_expr own = from->variables[s][k], symbol = HA_EXPR_NONE;
            if (own != HA_EXPR_NONE) {
                symbol = ha_symbol(m->graph->dag, ha_symbol_name(m->body->dag, own));
                HA_TRY(ha_dag_status(m->graph->dag));
                ha__copy_map(&m->copy, own, symbol);
            }
            HA_TRY_PUSH(m->graph->ctx, &m->values, symbol);
        }
    }
    law.e = m->values.items + BG_SIGNAL_E * n;
    law.f = m->values.items + BG_SIGNAL_F * n;
    law.p = m->values.items + BG_SIGNAL_P * n;
    law.q = m->values.items + BG_SIGNAL_Q * n;
    HA_TRY(ha__copy_expr(&m->copy, from->effort, &law.effort));
    HA_TRY(ha__copy_expr(&m->copy, from->flow, &law.flow));
    HA_TRY(ha__copy_expr(&m->copy, from->energy, &law.energy));
    HA_TRY(ha__copy_expr(&m->copy, from->inverse, &law.inverse));
    return bg_graph_set_law(m->graph, m->first_element + number, &law);
}

/* What only some elements have, with its expressions copied. */
static ha_status give_extras(maker *m, const bg__element *e, int number)
{
    for (int row = 0; row < bg__n_extras() && e->extra != NULL; row++) {
        if (!bg__has_extra(e, row)) {
            continue;
        }
        bg__given given = bg__extra_at(e, row);
        if (given.values != NULL) {
            HA_TRY(copy_values(m, given.values, given.count));
            given.values = m->values.items;
        }
        HA_TRY(bg__give_extra(m->graph, &m->graph->elements.items[number], row, &given));
    }
    return HA_OK;
}

static ha_status set_values(maker *m, int number)
{
    const bg__element *e = &m->body->elements.items[number];
    const bg__extras *extra = bg__extra(e);
    int added = m->first_element + number;

    if (e->n_values > 0) {
        HA_TRY(copy_values(m, e->value, e->n_values));
        HA_TRY(bg_graph_set_value(m->graph, added, m->values.items, e->n_values));
    }
    if (extra->n_units > 0) {
        HA_TRY(bg_graph_set_units(m->graph, added, extra->units, extra->n_units));
    }
    HA_TRY(extra->law != NULL ? set_law(m, number) : HA_OK);
    return give_extras(m, e, added);
}

/* Outputs that are signals of elements are added by the graph that has them all. */
static bool is_signal(const maker *m, const bg__output *output)
{
    return ha_expr_op(m->body->dag, output->value) == HA_OP_SYMBOL &&
           strcmp(ha_symbol_name(m->body->dag, output->value), output->name) == 0;
}

static ha_status add_outputs(maker *m)
{
    for (size_t i = 0; i < m->body->outputs.count; i++) {
        const bg__output *output = &m->body->outputs.items[i];
        const char *name = path(m, output->name);
        ha_expr value = HA_EXPR_NONE;
        if (is_signal(m, output)) {
            continue;
        }
        HA_TRY_MEMORY(name);
        HA_TRY(ha__copy_expr(&m->copy, output->value, &value));
        HA_TRY(bg_graph_add_output(m->graph, name, output->unit, value));
    }
    return HA_OK;
}

/* --- instances and ports -------------------------------------------------------------------- */

/* Adds an instance of this name, which is like another; `where` is that of its user. */
static ha_status add_named(bg_graph *graph, const char *name, const bg__instance *like,
                           bool is_inside, ha_where where)
{
    bg__instance instance = *like;
    int number = 0, is_new = 0;

    HA_TRY_MEMORY(name);
    instance.submodel =
        ha__arena_text(graph->ctx, &graph->arena, like->submodel, strlen(like->submodel));
    instance.where = bg__keep_place(graph, like->where);
    instance.is_inside = is_inside;
    HA_TRY_MEMORY(instance.submodel);
    HA_TRY_ROOM(graph->ctx, &graph->instances, 1);
    HA_TRY(
        ha__symtab_add(graph->ctx, &graph->instance_names, name, strlen(name), &number, &is_new));
    if (!is_new) {
        return ha_fail(graph->ctx, HA_ERR_NAME, where,
                       "the name `%s` is given to two instances; rename one", name);
    }
    instance.name = ha__symtab_name(&graph->instance_names, number);
    graph->instances.items[graph->instances.count++] = instance;
    return HA_OK;
}

static ha_status add_instance(maker *m, const char *name, const bg__instance *like, bool is_inside)
{
    return add_named(m->graph, name, like, is_inside, m->def->where);
}

ha_status bg__add_group(bg_graph *graph, const char *name, const char *type, ha_where where)
{
    const bg__instance group = { .submodel = type,
                                 .first_port = (int) graph->ports.count,
                                 .where = where };

    return add_named(graph, name, &group, false, where);
}

static ha_status add_port(maker *m, const char *name, const bg__port *like, int instance)
{
    bg__port port = *like;

    port.name = ha__arena_text(m->graph->ctx, &m->graph->arena, name, strlen(name));
    port.instance = instance;
    HA_TRY_MEMORY(port.name);
    HA_TRY_PUSH(m->graph->ctx, &m->graph->ports, port);
    return HA_OK;
}

/* The instance itself, then those in the body. */
static ha_status add_instances(maker *m)
{
    int n_own = bg_submodel_n_ports(m->submodel);
    int first = (int) m->graph->ports.count;
    const bg__instance own = {
        .submodel = m->submodel->name, .first_port = first, .n_ports = n_own, .where = m->def->where
    };

    m->instance = (int) m->graph->instances.count;
    m->first_port = first + n_own;
    HA_TRY(add_instance(m, m->def->name, &own, false));
    for (size_t i = 0; i < m->body->instances.count; i++) {
        bg__instance inner = m->body->instances.items[i];
        inner.first_port += m->first_port;
        HA_TRY(add_instance(m, path(m, inner.name), &inner, true));
    }
    return HA_OK;
}

static ha_status add_ports(maker *m)
{
    int offset = (int) m->graph->elements.count;

    for (int i = 0; i < bg_submodel_n_ports(m->submodel); i++) {
        bg__port port = { .element = offset + m->submodel->ports.items[i].element };
        HA_TRY(bg__outer_port(m->submodel, i, &port.port));
        HA_TRY(add_port(m, bg_submodel_port_name(m->submodel, i), &port, m->instance));
    }
    for (size_t i = 0; i < m->body->ports.count; i++) {
        bg__port port = m->body->ports.items[i];
        port.element += offset;
        HA_TRY(add_port(m, port.name, &port, m->instance + 1 + port.instance));
    }
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* A name may have those of groups that hold it in front. */
static ha_status check_name(const bg_graph *graph, const bg_instance_def *def)
{
    const char *dot = strrchr(def->name, '.');
    size_t length = dot == NULL ? 0 : (size_t) (dot - def->name);
    bool is_held = dot == NULL || ha__symtab_find(&graph->instance_names, def->name, length) >= 0;

    if (def->name[0] == '\0' || (dot != NULL && dot[1] == '\0') || !is_held) {
        return ha_fail(graph->ctx, HA_ERR_NAME, def->where,
                       "`%s` cannot be the name of an instance; give it a name without a dot",
                       def->name);
    }
    if (bg_graph_find(graph, def->name) >= 0 ||
        ha__symtab_find(&graph->instance_names, def->name, strlen(def->name)) >= 0) {
        return ha_fail(graph->ctx, HA_ERR_NAME, def->where,
                       "the name `%s` of an instance of `%s` is taken already; rename one",
                       def->name, def->submodel->name);
    }
    return HA_OK;
}

/* What a graph is made of; submodels inside each other make it grow by powers. */
static size_t count_parts(const bg_graph *graph)
{
    return graph->elements.count + graph->bonds.count + graph->instances.count +
           graph->ports.count + graph->parameters.count + graph->outputs.count;
}

static ha_status check_size(const bg_graph *graph, const bg_instance_def *def)
{
    if (count_parts(graph) + count_parts(def->submodel->body) + def->submodel->ports.count <
        MOST_PARTS) {
        return HA_OK;
    }
    return ha_fail(
        graph->ctx, HA_ERR_LIMIT, def->where,
        "with the instance `%s` of `%s` the graph would have more than %d elements, bonds, "
        "instances, ports and parameters; use fewer instances inside each other",
        def->name, def->submodel->name, (int) MOST_PARTS);
}

static ha_status check_parameters(const bg_instance_def *def)
{
    ha_status first = HA_OK;

    for (int i = 0; i < def->n_parameters; i++) {
        char user[256];
        snprintf(user, sizeof user, "the instance `%.100s` gives `%.100s`", def->name,
                 def->parameters[i].name);
        ha_status status = bg_submodel_check_parameter(def->submodel, def->parameters[i].name, user,
                                                       def->parameters[i].where);
        first = first == HA_OK ? status : first;
    }
    return first;
}

static ha_status check_def(const bg_graph *graph, const bg_instance_def *def)
{
    if (def->cookie != INSTANCE_COOKIE || def->name == NULL || def->submodel == NULL) {
        return ha_fail(
            graph->ctx, HA_ERR_ARGUMENT, def->where,
            "the definition of an instance has no name or submodel, or does not come from "
            "bg_instance_def_default(); start from that and give both");
    }
    if (def->submodel->body == graph) {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, def->where,
                       "the submodel `%s` would contain itself in the instance `%s`; take that out",
                       def->submodel->name, def->name);
    }
    HA_TRY(check_name(graph, def));
    HA_TRY(check_size(graph, def));
    return check_parameters(def);
}

static ha_status make(maker *m)
{
    HA_TRY(add_instances(m));
    HA_TRY(add_ports(m));
    HA_TRY(add_elements_and_bonds(m));
    HA_TRY(make_map(m));
    for (int i = 0; i < (int) m->body->elements.count; i++) {
        HA_TRY(set_values(m, i));
    }
    return add_outputs(m);
}

ha_status bg_graph_add_instance(bg_graph *graph, const bg_instance_def *def, bg_instance *out)
{
    maker m = { .graph = graph, .def = def };

    HA_TRY(check_def(graph, def));
    m.submodel = def->submodel;
    m.body = def->submodel->body;
    HA_TRY(ha_dag_status(m.body->dag));
    HA_TRY(ha_dag_status(graph->dag));
    ha_status status = make(&m);
    ha__copy_end(&m.copy);
    HA_ARRAY_CLEAR(&m.values);
    if (status != HA_OK) {
        if (status != HA_ERR_MEMORY) {
            ha_note(graph->ctx, def->where, "in the instance `%s` of the submodel `%s`", def->name,
                    def->submodel->name);
        }
        return status;
    }
    *out = m.instance;
    return HA_OK;
}

int bg_graph_n_instances(const bg_graph *graph)
{
    return (int) graph->instances.count;
}

const char *bg_instance_name(const bg_graph *graph, bg_instance instance)
{
    return graph->instances.items[instance].name;
}

const char *bg_instance_submodel_name(const bg_graph *graph, bg_instance instance)
{
    return graph->instances.items[instance].submodel;
}
