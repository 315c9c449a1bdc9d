/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables: parameters that stay symbols of the equations.
 *
 * A parameter stands for a number. Where it is a variable, its symbol stands for nothing in the
 * copy of the graph's expressions that the equations have, so that it stays in them wherever they
 * read it, and becomes an input of the tapes. The numbers that are needed while the equations are
 * derived are those of the value it had.
 */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"

#include <math.h>
#include <string.h>

static ha_status add(bg_equations *q, const char *name)
{
    int number = bg__find_parameter(q, name);
    ha_expr resolved = HA_EXPR_NONE;

    if (number < 0) {
        return bg__refuse_name(q, name, false);
    }
    const bg__output *parameter = &q->causality->system->graph->parameters.items[number];
    bg__eq_variable variable = { .name = bg__equation_text(q, parameter->name),
                                 .symbol = parameter->value };
    HA_TRY_MEMORY(variable.name);
    HA_TRY(ha_resolve(q->dag, variable.symbol, &resolved));
    if (!ha_expr_is_constant(q->dag, resolved, &variable.value)) {
        return ha_fail(q->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "the parameter `%s` is no number, so that it cannot be a variable",
                       parameter->name);
    }
    HA_TRY_PUSH(q->ctx, &q->variables, variable);
    HA_TRY_PUSH(q->ctx, &q->fixed, variable.symbol);
    return HA_OK;
}

ha_status bg__add_variables(bg_equations *q, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        HA_TRY(add(q, names[i]));
    }
    for (size_t i = 0; i < q->variables.count; i++) { /* they may have been defined by each other */
        ha_symbol_define(q->dag, q->variables.items[i].symbol, HA_EXPR_NONE);
    }
    return ha_dag_status(q->dag);
}
