/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: parameters. Each may use those above it, so that no order of evaluation has to be
 * found; one that is used further up, or by itself, is an error. When such parameters need each
 * other in a circle no order would help, and that is what is said, once for each circle.
 */
#include <config.h>

#include "mech2d/read/read_priv.h"

/* The value of a parameter; a harmless one where what is wrong was said already. */
static ha_expr read_parameter(m2d__reader *r, const ha__yaml_pair *pair, bool is_circular)
{
    ha_expr given = m2d__given_parameter(r, pair->key);

    if (given != HA_EXPR_NONE) {
        return given;
    }
    return is_circular ? ha_constant(r->mechanism->dag, 1.0)
                       : m2d__read_value(r, pair->value, HA__QUANTITY_ANY,
                                         m2d__object(r, NULL, "parameter", pair->key), 1.0);
}

void m2d__read_parameters(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section =
        m2d__section(r, root, "parameters", "`parameters`", HA__YAML_MAPPING);
    char *marks = NULL;

    r->parameters = section;
    if (section == NULL ||
        m2d__find_circles(r, section, M2D__PARAMETERS, &marks) == HA_ERR_MEMORY) {
        return;
    }
    for (size_t i = 0; i < section->n; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        ha_expr value = read_parameter(r, pair, marks[i] != 0), symbol = HA_EXPR_NONE;
        ha_status status =
            m2d_mechanism_add_parameter(r->mechanism, pair->key, value, pair->where, &symbol);
        HA_THEN(status, m2d__take_dimension(r, pair->value, symbol));
        if (status == HA_ERR_VALUE) {
            /* so that what uses it is read all the same */
            r->status = r->status == HA_OK ? status : r->status;
            status = m2d_mechanism_add_parameter(
                r->mechanism, pair->key, ha_constant(r->mechanism->dag, 1.0), pair->where, NULL);
        }
        m2d__reader_go_on(r, status);
    }
}
