/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bond graphs: elements, bonds, outputs and parameters as the user makes them. */
#include <config.h>

#include "bondgraph/graph.h"

#include "bondgraph/graph/extras_priv.h"
#include "bondgraph/graph/law_priv.h"
#include "bondgraph/graph/names_priv.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/expr/expr_priv.h"

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
    HA_NEED_ELSE(ha__is_symbol(dag, time), NULL);
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
    HA_ARRAY_CLEAR(&graph->elements, &graph->bonds, &graph->outputs, &graph->parameters,
                   &graph->rates, &graph->ranks);
    ha__symtab_clear(&graph->instance_names);
    HA_ARRAY_CLEAR(&graph->instances, &graph->ports, &graph->attachments, &graph->numbers);
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
    HA_TRY_MEMORY(copy);
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
        HA_TRY_GET(copy[i], ha__arena_text(graph->ctx, &graph->arena, from[i], strlen(from[i])));
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
    HA_TRY(bg__check_name(graph->ctx, def->name, def->where));
    *type = bg__type_find(graph->ctx, def->type, strlen(def->type));
    if (*type == NULL) {
        char list[BG__TYPE_LIST_SIZE];
        return ha_fail(graph->ctx, HA_ERR_NAME, def->where, "`%s` has the unknown type `%s`; %s",
                       def->name, def->type,
                       bg__type_remedy(graph->ctx, def->type, list, sizeof list));
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
        HA_TRY_MEMORY(extra);
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
        HA_TRY_MEMORY(copy);
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
    HA_NEED_OF(graph, def != NULL && out != NULL);
    bg__element element = { .name = def->name,
                            .dim = def->dim,
                            .dim2 = def->dim2,
                            .n_values = def->n_values,
                            .is_field = def->is_field != 0,
                            .where = def->where };

    HA_TRY(check_def(graph, def, &element.type));
    HA_NEED_OF(graph, def->value != NULL || def->n_values == 0);
    HA_TRY(element.is_field ? bg__check_field(graph, &element) : HA_OK);
    HA_TRY(check_ranges(graph, &element, def->value, def->n_values));
    HA_TRY(copy_extra(graph, def, &element));
    HA_TRY(copy_exprs(graph, def->value, def->n_values, &element.value));
    HA_TRY(bg__keep_group(graph, def->group, &element.group));
    HA_TRY(bg__name_components(graph, &element));
    return bg__push_element(graph, element, out);
}

/* --- values --------------------------------------------------------------------------------- */

ha_status bg_graph_set_value(bg_graph *graph, bg_element element, const ha_expr *value,
                             int n_values)
{
    HA_NEED_OF(graph, HA_IS_INDEX(element, bg_graph_n_elements(graph)) &&
                          (value != NULL || n_values == 0));
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
    HA_NEED_OF(graph, HA_IS_INDEX(element, bg_graph_n_elements(graph)) && n_units >= 0 &&
                          (units != NULL || n_units == 0));
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
        HA_TRY_GET(copy[i].name,
                   ha__arena_text(graph->ctx, &graph->arena, units[i].name, strlen(units[i].name)));
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
    HA_NEED_ELSE(graph != NULL, NULL);
    return graph->ctx;
}

ha_dag *bg_graph_dag(bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, NULL);
    return graph->dag;
}

ha_expr bg_graph_time(const bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, HA_EXPR_NONE);
    return graph->time;
}

int bg_graph_n_elements(const bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, 0);
    return (int) graph->elements.count;
}

int bg_graph_n_bonds(const bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, 0);
    return (int) graph->bonds.count;
}

bg_element bg_graph_find(const bg_graph *graph, const char *name)
{
    HA_NEED_ELSE(graph != NULL && name != NULL, -1);
    return ha__symtab_find(&graph->names, name, strlen(name));
}

const char *bg_element_name(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), "");
    return graph->elements.items[element].name;
}

const char *bg_element_type_name(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), "");
    return graph->elements.items[element].type->name;
}

const char *bg_element_group(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), "");
    const char *group = graph->elements.items[element].group;

    return group == NULL ? "" : group;
}

int bg_element_dim(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), 0);
    return graph->elements.items[element].dim;
}

ha_expr bg_element_value(const bg_graph *graph, bg_element element, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)) && i >= 0, HA_EXPR_NONE);
    const bg__element *e = &graph->elements.items[element];

    return i < e->n_values ? e->value[i] : HA_EXPR_NONE;
}

int bg_element_n_values(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), 0);
    return graph->elements.items[element].n_values;
}

bg_element bg_bond_tail(const bg_graph *graph, bg_bond bond)
{
    HA_NEED_ELSE(HA_IS_INDEX(bond, bg_graph_n_bonds(graph)), -1);
    return graph->bonds.items[bond].tail;
}

bg_element bg_bond_head(const bg_graph *graph, bg_bond bond)
{
    HA_NEED_ELSE(HA_IS_INDEX(bond, bg_graph_n_bonds(graph)), -1);
    return graph->bonds.items[bond].head;
}

int bg_bond_tail_first(const bg_graph *graph, bg_bond bond)
{
    HA_NEED_ELSE(HA_IS_INDEX(bond, bg_graph_n_bonds(graph)), 0);
    return graph->bonds.items[bond].tail_first;
}

int bg_bond_head_first(const bg_graph *graph, bg_bond bond)
{
    HA_NEED_ELSE(HA_IS_INDEX(bond, bg_graph_n_bonds(graph)), 0);
    return graph->bonds.items[bond].head_first;
}

int bg_bond_dim(const bg_graph *graph, bg_bond bond)
{
    HA_NEED_ELSE(HA_IS_INDEX(bond, bg_graph_n_bonds(graph)), 0);
    return graph->bonds.items[bond].dim;
}
