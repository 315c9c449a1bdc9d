/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bond graphs: elements, bonds, outputs and parameters as the user makes them. */
#include <config.h>

#include "bondgraph/graph.h"

#include "bondgraph/graph/graph_priv.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEF_COOKIE = 0x62676564, MAX_DIM = 4096 };

bg_element_def bg_element_def_default(void)
{
    return (bg_element_def){ .dim = 1, .cookie = DEF_COOKIE };
}

bg_graph *bg_graph_new(ha_ctx *ctx)
{
    ha_dag *dag = ha_dag_new(ctx);
    ha_expr time = dag == NULL ? HA_EXPR_NONE : ha_symbol(dag, "t");
    bg_graph *graph = NULL;

    if (dag != NULL && time != HA_EXPR_NONE) {
        ha_symbol_set_derivative(dag, time, ha_constant(dag, 1.0));
        graph = bg_graph_new_with(ctx, dag, time);
    }
    ha_dag_free(dag);
    return graph;
}

bg_graph *bg_graph_new_with(ha_ctx *ctx, const ha_dag *dag, ha_expr time)
{
    bg_graph *graph = ha__alloc(ctx, 1, sizeof *graph);

    if (graph == NULL) {
        return NULL;
    }
    graph->ctx = ctx;
    graph->dag = ha_dag_clone(dag);
    graph->time = time;
    if (graph->dag == NULL || ha_dag_status(graph->dag) != HA_OK) {
        bg_graph_free(graph);
        return NULL;
    }
    return graph;
}

void bg_graph_free(bg_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    ha_dag_free(graph->dag);
    ha__symtab_clear(&graph->names);
    ha__symtab_clear(&graph->output_names);
    ha__symtab_clear(&graph->unit_names);
    ha__symtab_clear(&graph->parameter_names);
    HA_ARRAY_CLEAR(&graph->elements);
    HA_ARRAY_CLEAR(&graph->bonds);
    HA_ARRAY_CLEAR(&graph->outputs);
    HA_ARRAY_CLEAR(&graph->parameters);
    HA_ARRAY_CLEAR(&graph->rates);
    HA_ARRAY_CLEAR(&graph->ranks);
    ha__symtab_clear(&graph->instance_names);
    HA_ARRAY_CLEAR(&graph->instances);
    HA_ARRAY_CLEAR(&graph->ports);
    HA_ARRAY_CLEAR(&graph->attachments);
    HA_ARRAY_CLEAR(&graph->numbers);
    ha__arena_clear(&graph->arena);
    ha__free(graph);
}

/* --- elements ------------------------------------------------------------------------------- */

bg__extras *bg__own_extra(bg_graph *graph, bg__element *element)
{
    if (element->extra == NULL) {
        element->extra = ha__arena_alloc(graph->ctx, &graph->arena, 1, sizeof *element->extra);
    }
    return element->extra;
}

bool bg__graph_is_scalar(const bg_graph *graph)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        if (graph->elements.items[i].dim != 1 || graph->elements.items[i].dim2 != 0) {
            return false;
        }
    }
    return true;
}

static ha_status copy_exprs(bg_graph *graph, const ha_expr *from, int n, ha_expr **to)
{
    if (from == NULL) {
        *to = NULL;
        return HA_OK;
    }

    ha_expr *copy = ha__arena_alloc(graph->ctx, &graph->arena, (size_t) n, sizeof *copy);
    if (copy == NULL) {
        return HA_ERR_MEMORY;
    }
    memcpy(copy, from, (size_t) n * sizeof *copy);
    *to = copy;
    return HA_OK;
}

ha_status bg__copy_texts(bg_graph *graph, const char *const *from, int n, const char *const **to)
{
    if (from == NULL) {
        *to = NULL;
        return HA_OK;
    }

    const char **copy = ha__arena_alloc(graph->ctx, &graph->arena, (size_t) n, sizeof *copy);
    for (int i = 0; i < n && copy != NULL; i++) {
        copy[i] = ha__arena_text(graph->ctx, &graph->arena, from[i], strlen(from[i]));
        if (copy[i] == NULL) {
            return HA_ERR_MEMORY;
        }
    }
    *to = copy;
    return copy == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* Says why a constant value is refused. */
static ha_status refuse_value(bg_graph *graph, const bg__element *element, double x, ha_where where)
{
    const bg__type *type = element->type;
    char digits[HA__NUMBER_SIZE], lowest[HA__NUMBER_SIZE];

    ha__print_short_number(digits, x);
    ha__print_short_number(lowest, type->lowest);
    if (!isfinite(x)) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                       "the value of `%s` is %s; give a finite number", element->name, digits);
    }
    if (x == 0.0 && type->excludes_zero != 0) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                       "the value of `%s` is 0; give a value other than 0, as %s %s needs",
                       element->name, bg__article(type), type->title);
    }
    return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                   "the value of `%s` is %s; give a value %s %s, as %s %s needs", element->name,
                   digits, type->excludes_lowest != 0 ? "above" : "of at least", lowest,
                   bg__article(type), type->title);
}

/* An operation of constants that has no finite value, 1/0, stays an operation. */
static ha_status check_fixed(bg_graph *graph, const bg__element *element, ha_expr value,
                             ha_where where)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(graph->dag, value, &symbols, &n));
    free(symbols);
    if (n > 0) {
        return HA_OK;
    }
    double number = ha_expr_value(graph->dag, value, NULL, NULL);
    HA_TRY(ha_dag_status(graph->dag)); /* without memory there is no value */
    return refuse_value(graph, element, number, where);
}

ha_status bg__check_range(bg_graph *graph, const bg__element *element, ha_expr value)
{
    ha_where where = element->where;
    const bg__type *type = element->type;
    double x = 0.0;

    if (value == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(ha_resolve(graph->dag, value, &value)); /* parameters stand for constants */
    if (!ha_expr_is_constant(graph->dag, value, &x)) {
        return check_fixed(graph, element, value, where);
    }
    if (!isfinite(x) || x < type->lowest || (type->excludes_lowest != 0 && x <= type->lowest) ||
        (type->excludes_zero != 0 && x == 0.0)) {
        return refuse_value(graph, element, x, where);
    }
    return HA_OK;
}

/* The entries of a field's matrix are judged together, when its strokes are set. */
static ha_status check_ranges(bg_graph *graph, const bg__element *element, const ha_expr *value,
                              int n_values)
{
    for (int i = 0; i < n_values && !element->is_field; i++) {
        HA_TRY(bg__check_range(graph, element, value[i]));
    }
    return HA_OK;
}

static ha_status check_field_values(bg_graph *graph, const bg_element_def *def)
{
    int matrix = def->dim * def->dim;

    return def->n_values == 0 || def->n_values == matrix
               ? HA_OK
               : ha_fail(graph->ctx, HA_ERR_VALUE, def->where,
                         "`%s` has %d ports and %d values; give its matrix of %d, row by row, or a "
                         "law",
                         def->name, def->dim, def->n_values, matrix);
}

static ha_status check_dims(bg_graph *graph, const bg__type *type, const bg_element_def *def)
{
    if (def->dim < 1 || def->dim > MAX_DIM || def->dim2 < 0 || def->dim2 > MAX_DIM) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, def->where, "`%s` has %d components; give 1 to %d",
                       def->name, def->dim2 > def->dim ? def->dim2 : def->dim, MAX_DIM);
    }

    int matrix = def->dim2 * def->dim;
    if (def->dim2 > 0 && type->has_matrix == 0) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, def->where,
                       "`%s` is %s %s and cannot have a matrix; use a transformer", def->name,
                       bg__article(type), type->title);
    }
    if (def->is_field) {
        return check_field_values(graph, def);
    }
    if (def->dim2 > 0 ? def->n_values != matrix
                      : def->n_values != 0 && def->n_values != 1 && def->n_values != def->dim) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, def->where, "`%s` has %d values; give %s %d",
                       def->name, def->n_values,
                       def->dim2 > 0 ? "the matrix of" : "none, one, or one for each component:",
                       def->dim2 > 0 ? matrix : def->dim);
    }
    return HA_OK;
}

static ha_status refuse_name(bg_graph *graph, const char *name, ha_where where)
{
    return ha_fail(graph->ctx, HA_ERR_NAME, where,
                   "the name `%s` is given to two elements; rename one", name);
}

static ha_status check_def(bg_graph *graph, const bg_element_def *def, const bg__type **type)
{
    if (def->cookie != DEF_COOKIE || def->type == NULL || def->name == NULL ||
        def->name[0] == '\0') {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, def->where,
                       "an element definition has no type or name, or does not come from "
                       "bg_element_def_default(); start from that and give both");
    }
    *type = bg__type_find(graph->ctx, def->type, strlen(def->type));
    if (*type == NULL) {
        char list[BG__TYPE_LIST_SIZE];
        return ha_fail(graph->ctx, HA_ERR_NAME, def->where,
                       "`%s` has the unknown type `%s`; use one of %s", def->name, def->type,
                       bg__type_list(graph->ctx, list, sizeof list));
    }
    if (bg_graph_find(graph, def->name) >= 0) {
        return refuse_name(graph, def->name, def->where);
    }
    if (ha__symtab_find(&graph->instance_names, def->name, strlen(def->name)) >= 0) {
        return ha_fail(graph->ctx, HA_ERR_NAME, def->where,
                       "the name `%s` is given to an element and an instance; rename one",
                       def->name);
    }
    return check_dims(graph, *type, def);
}

/* Copies what only some elements have. */
static ha_status copy_extra(bg_graph *graph, const bg_element_def *def, bg__element *to)
{
    int n_labels = def->dim2 > 0 ? def->dim2 : def->dim;

    if (def->law != NULL || def->labels != NULL) {
        bg__extras *extra = bg__own_extra(graph, to);
        HA_TRY(extra == NULL ? HA_ERR_MEMORY : HA_OK);
        HA_TRY(def->law == NULL ? HA_OK : bg__law_copy(graph, to, def->law, &extra->law));
        HA_TRY(bg__copy_texts(graph, def->labels, n_labels, &extra->labels));
    }
    HA_TRY(bg__give_extras(graph, to, def));
    return bg__check_hold(graph, to);
}

ha_status bg__keep_group(bg_graph *graph, const char *group, const char **out)
{
    if (group != NULL && (graph->group == NULL || strcmp(graph->group, group) != 0)) {
        const char *copy = ha__arena_text(graph->ctx, &graph->arena, group, strlen(group));
        HA_TRY(copy == NULL ? HA_ERR_MEMORY : HA_OK);
        graph->group = copy;
    }
    *out = group == NULL ? NULL : graph->group;
    return HA_OK;
}

ha_status bg__push_element(bg_graph *graph, bg__element element, bg_element *out)
{
    int number = 0, is_new = 0;

    HA_TRY_ROOM(graph->ctx, &graph->elements, 1);
    HA_TRY(ha__symtab_add(graph->ctx, &graph->names, element.name, strlen(element.name), &number,
                          &is_new));
    if (!is_new) {
        return refuse_name(graph, element.name, element.where);
    }
    element.name = ha__symtab_name(&graph->names, number);
    graph->elements.items[graph->elements.count++] = element;
    graph->ranks.count = graph->numbers.count = 0;
    *out = number;
    return HA_OK;
}

ha_status bg_graph_add_element(bg_graph *graph, const bg_element_def *def, bg_element *out)
{
    bg__element element = { .name = def->name,
                            .dim = def->dim,
                            .dim2 = def->dim2,
                            .n_values = def->n_values,
                            .is_field = def->is_field != 0,
                            .where = def->where };

    HA_TRY(check_def(graph, def, &element.type));
    HA_TRY(element.is_field ? bg__check_field(graph, &element) : HA_OK);
    HA_TRY(check_ranges(graph, &element, def->value, def->n_values));
    HA_TRY(copy_extra(graph, def, &element));
    HA_TRY(copy_exprs(graph, def->value, def->n_values, &element.value));
    HA_TRY(bg__keep_group(graph, def->group, &element.group));
    HA_TRY(bg__name_components(graph, &element));
    return bg__push_element(graph, element, out);
}

/* --- bonds ---------------------------------------------------------------------------------- */

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

/* --- values --------------------------------------------------------------------------------- */

ha_status bg_graph_set_value(bg_graph *graph, bg_element element, const ha_expr *value,
                             int n_values)
{
    bg__element *e = &graph->elements.items[element];
    bg_element_def def = { .name = e->name,
                           .dim = e->dim,
                           .dim2 = e->dim2,
                           .n_values = n_values,
                           .is_field = e->is_field,
                           .where = e->where };

    HA_TRY(check_dims(graph, e->type, &def));
    HA_TRY(check_ranges(graph, e, value, n_values));
    if (bg__extra(e)->law != NULL && n_values > 0) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` has a law and a value; leave one of them out", e->name);
    }
    HA_TRY(copy_exprs(graph, value, n_values, &e->value));
    e->n_values = n_values;
    if (bg__extra(e)->n_units > 1 && bg__extra(e)->n_units != n_values) {
        e->extra->n_units = 0;
    }
    return HA_OK;
}

ha_status bg_graph_set_units(bg_graph *graph, bg_element element, const bg_unit *units, int n_units)
{
    bg__element *e = &graph->elements.items[element];
    bg_unit *copy = ha__arena_alloc(graph->ctx, &graph->arena, (size_t) n_units + 1, sizeof *copy);
    bg__extras *extra = bg__own_extra(graph, e);

    HA_TRY(copy == NULL || extra == NULL ? HA_ERR_MEMORY : HA_OK);
    for (int i = 0; i < n_units; i++) {
        copy[i] = units[i];
        if (!(units[i].size > 0.0 && isfinite(units[i].size)) ||
            (n_units > 1 && n_units != e->n_values)) {
            return ha_fail(
                graph->ctx, HA_ERR_ARGUMENT, e->where,
                "the values of `%s` cannot be shown in %d units of which one is %g: give "
                "one positive finite size, or one for each of %d values",
                e->name, n_units, units[i].size, e->n_values);
        }
        copy[i].name =
            ha__arena_text(graph->ctx, &graph->arena, units[i].name, strlen(units[i].name));
        HA_TRY(copy[i].name == NULL ? HA_ERR_MEMORY : HA_OK);
    }
    extra->units = copy;
    extra->n_units = n_units;
    return HA_OK;
}

ha_status bg__check_hold(bg_graph *graph, const bg__element *e)
{
    if (bg__extra(e)->hold == NULL || (strcmp(e->type->name, "Df") == 0 && e->dim == 1)) {
        return HA_OK;
    }
    return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                   "`%s` is %s %s with %d components and cannot hold a value; use a flow detector "
                   "(Df) with one",
                   e->name, bg__article(e->type), e->type->title, e->dim);
}

ha_expr bg__component_value(const bg_graph *graph, const bg__element *element, int component)
{
    if (element->n_values == 0) {
        return ha_constant(graph->dag, element->type->default_value);
    }
    return element->value[element->n_values == 1 ? 0 : component];
}

/* --- what is in it -------------------------------------------------------------------------- */

ha_ctx *bg_graph_ctx(const bg_graph *graph)
{
    return graph->ctx;
}

ha_dag *bg_graph_dag(bg_graph *graph)
{
    return graph->dag;
}

ha_expr bg_graph_time(const bg_graph *graph)
{
    return graph->time;
}

int bg_graph_n_elements(const bg_graph *graph)
{
    return (int) graph->elements.count;
}

int bg_graph_n_bonds(const bg_graph *graph)
{
    return (int) graph->bonds.count;
}

bg_element bg_graph_find(const bg_graph *graph, const char *name)
{
    return ha__symtab_find(&graph->names, name, strlen(name));
}

const char *bg_element_name(const bg_graph *graph, bg_element element)
{
    return graph->elements.items[element].name;
}

const char *bg_element_type_name(const bg_graph *graph, bg_element element)
{
    return graph->elements.items[element].type->name;
}

const char *bg_element_group(const bg_graph *graph, bg_element element)
{
    const char *group = graph->elements.items[element].group;

    return group == NULL ? "" : group;
}

int bg_element_dim(const bg_graph *graph, bg_element element)
{
    return graph->elements.items[element].dim;
}

ha_expr bg_element_value(const bg_graph *graph, bg_element element, int i)
{
    const bg__element *e = &graph->elements.items[element];

    return i < e->n_values ? e->value[i] : HA_EXPR_NONE;
}

int bg_element_n_values(const bg_graph *graph, bg_element element)
{
    return graph->elements.items[element].n_values;
}

bg_element bg_bond_tail(const bg_graph *graph, bg_bond bond)
{
    return graph->bonds.items[bond].tail;
}

bg_element bg_bond_head(const bg_graph *graph, bg_bond bond)
{
    return graph->bonds.items[bond].head;
}

int bg_bond_tail_first(const bg_graph *graph, bg_bond bond)
{
    return graph->bonds.items[bond].tail_first;
}

int bg_bond_head_first(const bg_graph *graph, bg_bond bond)
{
    return graph->bonds.items[bond].head_first;
}

int bg_bond_dim(const bg_graph *graph, bg_bond bond)
{
    return graph->bonds.items[bond].dim;
}
