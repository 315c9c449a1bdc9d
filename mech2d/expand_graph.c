/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of the bond graph that are no part of the mechanism, and their bonds, to each other and
   to the axes of joints. */
#include <config.h>

#include "mech2d/expand_priv.h"

/* The outputs of the signals that the element's type has; the domain, and so the unit, is open. */
static ha_status add_outputs(m2d__expander *x, const char *name)
{
    static const char *const suffixes[] = { "e", "f", "p", "q", "e1", "f1", "e2", "f2" };

    for (size_t i = 0; i < HA_COUNT(suffixes); i++) {
        const char *signal = m2d__name(x, name, suffixes[i], NULL);
        if (signal == NULL) {
            return HA_ERR_MEMORY;
        }
        ha_expr value = bg_graph_lookup(x->graph, signal);
        HA_TRY(ha_dag_status(x->dag));
        if (value != HA_EXPR_NONE) {
            HA_TRY(m2d__output(x, name, suffixes[i], NULL, "", value));
        }
    }
    return HA_OK;
}

static ha_status add_element(m2d__expander *x, const m2d__element_part *part)
{
    bg_element_def def = bg_element_def_default();
    bg_element element = 0;

    def.type = part->type;
    def.name = part->name;
    def.value = &part->value;
    def.n_values = part->value == HA_EXPR_NONE ? 0 : 1;
    def.start = part->start == HA_EXPR_NONE ? NULL : &part->start;
    def.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, part->where);
    HA_TRY(m2d__element(x, &def, &element));
    return add_outputs(x, part->name);
}

/* The element at an end of a bond. */
static ha_status element_at(m2d__expander *x, const m2d__bond_end *end, bg_element *out)
{
    const char *name = NULL;

    if (end->element >= 0) {
        name = x->mechanism->elements.items[end->element].name;
    } else {
        name = m2d__axis_name(x, &x->mechanism->joints.items[end->joint], end->direction);
    }
    if (name == NULL) {
        return HA_ERR_MEMORY;
    }
    *out = bg_graph_find(x->graph, name);
    return HA_OK;
}

ha_status m2d__expand_graph(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;

    for (size_t i = 0; i < mechanism->elements.count; i++) {
        HA_TRY(add_element(x, &mechanism->elements.items[i]));
    }
    for (size_t i = 0; i < mechanism->bonds.count; i++) {
        const m2d__bond_part *bond = &mechanism->bonds.items[i];
        ha_where where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, bond->where);
        bg_element tail = 0, head = 0;
        HA_TRY(element_at(x, &bond->ends[0], &tail));
        HA_TRY(element_at(x, &bond->ends[1], &head));
        HA_TRY(m2d__bond(x, tail, head, 1, where));
    }
    return HA_OK;
}
