/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of the bond graph that are no part of the mechanism, instances of submodels, and their
   bonds, to each other and to the axes of joints. */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <stdio.h>
#include <string.h>

/* Calls `take` for a signal, if there is one of that name. */
static ha_status for_signal(m2d__expander *x, const char *name, const char *suffix,
                            ha_status (*take)(m2d__expander *x, const char *name,
                                              const char *suffix, ha_expr value))
{
    const char *signal = m2d__name(x, name, suffix, NULL);

    HA_TRY_MEMORY(signal);
    ha_expr value = bg_graph_lookup(x->graph, signal);
    HA_TRY(ha_dag_status(x->dag));
    return value != HA_EXPR_NONE ? take(x, name, suffix, value) : HA_OK;
}

/* Calls `take` for each signal that a component has: "Ra.e". */
static ha_status for_signals(m2d__expander *x, const char *name,
                             ha_status (*take)(m2d__expander *x, const char *name,
                                               const char *suffix, ha_expr value))
{
    static const char *const suffixes[] = { "e", "f", "p", "q", "e1", "f1", "e2", "f2" };

    for (size_t i = 0; i < HA_COUNT(suffixes); i++) {
        HA_TRY(for_signal(x, name, suffixes[i], take));
    }
    return HA_OK;
}

/* The same for the ports of a field: "C1.q2". */
static ha_status for_field_signals(m2d__expander *x, int element,
                                   ha_status (*take)(m2d__expander *x, const char *name,
                                                     const char *suffix, ha_expr value))
{
    int n = bg_element_dim(x->graph, element);

    for (int i = 0; i < 4 * n; i++) {
        char suffix[16] = "";
        if (n > 1) {
            snprintf(suffix, sizeof suffix, "%c%d", "efpq"[i / n], i % n + 1);
        } else {
            suffix[0] = "efpq"[i];
        }
        HA_TRY(for_signal(x, bg_element_name(x->graph, element), suffix, take));
    }
    return HA_OK;
}

static ha_status for_all_signals(m2d__expander *x, int first,
                                 ha_status (*take)(m2d__expander *x, const char *name,
                                                   const char *suffix, ha_expr value))
{
    for (int i = first; i < bg_graph_n_elements(x->graph); i++) {
        bool is_field = bg_element_is_field(x->graph, i) != 0;
        HA_TRY(is_field ? for_field_signals(x, i, take) : HA_OK);
        for (int c = 0; c < bg_element_dim(x->graph, i) && !is_field; c++) {
            HA_TRY(for_signals(x, bg_element_component(x->graph, i, c), take));
        }
    }
    return HA_OK;
}

/* The unit follows from the domain, if that is known. */
static ha_status add_output(m2d__expander *x, const char *name, const char *suffix, ha_expr value)
{
    return m2d__output(x, name, suffix, NULL, "", value);
}

static ha_status list_signal(m2d__expander *x, const char *name, const char *suffix, ha_expr value)
{
    const char *signal = m2d__name(x, name, suffix, NULL);
    int number = 0;

    (void) value;
    return signal == NULL
               ? HA_ERR_MEMORY
               : ha__symtab_add(x->ctx, &x->system->outputs, signal, strlen(signal), &number, NULL);
}

ha_status m2d__list_signals(m2d__expander *x)
{
    return for_all_signals(x, 0, list_signal);
}

/* The part that an element stands in is its group; NULL: none. */
static ha_status find_group(m2d__expander *x, const char *name, const char **out)
{
    size_t length = m2d__owner_length(name);

    *out = length == 0 ? NULL : ha__arena_text(x->ctx, &x->names, name, length);
    return length > 0 && *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

static ha_status add_element(m2d__expander *x, const m2d__element_part *part)
{
    bg_element element = 0;
    int n = part->n_ports;

    bg_element_def def = { .type = part->type,
                           .name = part->name,
                           .law = part->law,
                           .value = &part->value,
                           .n_values = part->value == HA_EXPR_NONE ? 0 : 1,
                           .start = part->start == HA_EXPR_NONE ? NULL : &part->start,
                           .domain = (int) part->domain,
                           .where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file,
                                                    part->where) };
    HA_TRY(find_group(x, part->name, &def.group));
    if (n > 0) {
        def.is_field = 1;
        def.dim = n;
        def.start = part->starts;
        def.value = part->matrix != NULL ? part->matrix : def.value;
        def.n_values = part->matrix != NULL ? n * n : def.n_values;
    }
    HA_TRY(m2d__element(x, &def, &element));
    return part->unit.name == NULL || def.n_values != 1
               ? HA_OK
               : bg_graph_set_units(x->graph, element, &part->unit, 1);
}

/* The name of an end of a bond; NULL without memory. */
static const char *name_of_end(m2d__expander *x, const m2d__bond_end *end)
{
    if (end->element < 0) {
        return m2d__axis_name(x, &x->mechanism->joints.items[end->joint], end->direction);
    }

    const m2d__element_part *part = &x->mechanism->elements.items[end->element];
    if (part->instance == NULL && end->port >= 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", end->port + 1);
        return m2d__name(x, part->name, number, NULL);
    }
    return part->instance == NULL
               ? part->name
               : m2d__name(x, part->name,
                           bg_submodel_port_name(part->instance->submodel, end->port), NULL);
}

static ha_status add_bond(m2d__expander *x, const m2d__bond_part *part)
{
    const char *tail = name_of_end(x, &part->ends[0]), *head = name_of_end(x, &part->ends[1]);
    ha_where where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, part->where);
    bg_bond bond = 0;

    return tail == NULL || head == NULL
               ? HA_ERR_MEMORY
               : bg_graph_add_named_bond(x->graph, tail, head, where, &bond);
}

ha_status m2d__add_graph(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;

    for (size_t i = 0; i < mechanism->elements.count; i++) {
        const m2d__element_part *part = &mechanism->elements.items[i];
        bg_instance instance = 0;
        HA_TRY(part->instance == NULL ? add_element(x, part)
                                      : bg_graph_add_instance(x->graph, part->instance, &instance));
    }
    for (size_t i = 0; i < mechanism->signals.count; i++) {
        bg_block_def def = mechanism->signals.items[i];
        def.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, def.where);
        m2d__drop_units(x, &def);
        HA_TRY(bg_graph_add_block(x->graph, &def, NULL));
    }
    for (size_t i = 0; i < mechanism->bonds.count; i++) {
        HA_TRY(add_bond(x, &mechanism->bonds.items[i]));
    }
    return HA_OK;
}

/* Outputs that bodies of submodels have of their own are in the graph already. */
static ha_status list_outputs(m2d__expander *x, int first)
{
    for (int i = first; i < bg_graph_n_outputs(x->graph); i++) {
        const char *name = bg_output_name(x->graph, i);
        int number = 0;
        HA_TRY(ha__symtab_add(x->ctx, &x->system->outputs, name, strlen(name), &number, NULL));
    }
    return HA_OK;
}

ha_status m2d__expand_graph(m2d__expander *x)
{
    int first = bg_graph_n_elements(x->graph), first_output = bg_graph_n_outputs(x->graph);

    HA_TRY(m2d__add_graph(x));
    HA_TRY(list_outputs(x, first_output));
    HA_TRY(for_all_signals(x, first, add_output));
    return bg_graph_find_domains(x->graph);
}
