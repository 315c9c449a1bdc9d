/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values with a name, outputs by expression, and the names that expressions use before they have a
 * meaning. A name stands for, in this order: a value, an energy, an output or signal of the graph,
 * what exists only when it is asked for (asked.c).
 *
 * A name has the dimension of the unit of its output, so that the dimension of an expression over
 * names follows as far as lib/expr/expr_dimension.c can tell: it gives an output its unit, or
 * refuses the one that the user wrote.
 */
#include <config.h>

#include "lib/core/hint.h"
#include "lib/expr/expr_dimension.h"
#include "mech2d/expand/expand_priv.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 160 };

/* What a name stands for, HA_EXPR_NONE: nothing; and the unit of the output that it is, NULL: none
   is known. */
typedef struct {
    ha_expr value;
    const char *unit;
} meaning;

/* The unit of the output of this name, NULL where there is none. */
static const char *unit_of(const m2d__expander *x, const char *name)
{
    int i = bg_graph_find_output(x->graph, name);

    return i < 0 ? NULL : bg_output_unit(x->graph, i);
}

/* A value of the user's; an output by expression is none for laws. */
static ha_status find_value(m2d__expander *x, const m2d__stand_in *stand_in, int i, meaning *out)
{
    const m2d__value *value = &x->mechanism->values.items[i];

    *out = (meaning){ value->value, value->unit };
    if (value->is_output && stand_in->in_law) {
        return ha_fail(x->ctx, HA_ERR_NAME, stand_in->where,
                       "an expression uses `%s`, which is an output by expression, for results "
                       "alone; put it under `values` to use it here",
                       value->name);
    }
    return HA_OK;
}

/* What the system says of a name. */
static ha_status find_meaning(m2d__expander *x, const m2d__stand_in *stand_in, const char *name,
                              meaning *out)
{
    int i = ha__symtab_find(&x->mechanism->value_names, name, strlen(name));
    const m2d__wanted wanted = { name, stand_in->where };

    if (i >= 0) {
        return find_value(x, stand_in, i, out);
    }
    *out = (meaning){ bg_graph_lookup(x->graph, name), unit_of(x, name) };
    if (out->value == HA_EXPR_NONE && !stand_in->in_law) {
        *out = (meaning){ bg_graph_energy(x->graph, name), "J" };
    }
    HA_TRY(ha_dag_status(x->dag));
    return out->value != HA_EXPR_NONE
               ? HA_OK
               : m2d__find_asked(x->ctx, x->system, &wanted, &out->value, &out->unit);
}

static ha_status refuse(m2d__expander *x, const m2d__stand_in *stand_in, const char *name)
{
    const char *nearest = ha__symtab_nearest(&x->mechanism->value_names, name);
    ha__strbuf hint = HA_STRBUF(x->ctx);

    if (strncmp(name, "energy.", strlen("energy.")) == 0 && stand_in->in_law) {
        return ha_fail(x->ctx, HA_ERR_NAME, stand_in->where,
                       "an expression uses `%s`, but energies are summed up from the results: "
                       "outputs by expression can read them, nothing else; "
                       "use outputs of bodies, joints, forces and elements",
                       name);
    }
    ha__hint_member(&hint, &x->system->outputs, name, "correct the name");
    return HA_FAIL_WITH(hint, x->ctx, HA_ERR_NAME, stand_in->where,
                        "an expression uses `%s`, which is no output of the model; %s%s%s", name,
                        nearest != NULL ? "did you mean `" : ha__strbuf_text(&hint),
                        nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

/* Gives a name the dimension of a unit. */
static ha_status take_dimension(m2d__expander *x, ha_expr symbol, const char *unit)
{
    ha__dimension is;

    return unit != NULL && ha__dimension_of_unit(unit, &is, NULL)
               ? ha__symbol_set_dimension(x->dag, symbol, is)
               : HA_OK;
}

ha_status m2d__define_stand_ins(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;
    ha_status first = HA_OK;

    for (size_t i = 0; i < mechanism->stand_ins.count && first != HA_ERR_MEMORY; i++) {
        const m2d__stand_in *stand_in = &mechanism->stand_ins.items[i];
        const char *name =
            m2d__through_ports(x->mechanism, ha_symbol_name(x->dag, stand_in->symbol));
        HA_TRY_MEMORY(name);
        meaning found = { HA_EXPR_NONE, NULL };
        ha_status status = find_meaning(x, stand_in, name, &found);
        if (status == HA_OK && found.value == HA_EXPR_NONE) {
            status = refuse(x, stand_in, name);
        }
        HA_THEN(status, take_dimension(x, stand_in->symbol, found.unit));
        ha_symbol_define(x->dag, stand_in->symbol, found.value);
        first = first == HA_OK || status == HA_ERR_MEMORY ? status : first;
    }
    return first;
}

/* --- outputs -------------------------------------------------------------------------------- */

static const char *kind_of(const m2d__value *value)
{
    return value->is_output ? "output" : "value";
}

/* In Hz turns are meant, in 1/s perhaps radians. */
static ha_status refuse_turns(m2d__expander *x, const m2d__value *value)
{
    return ha_fail(x->ctx, HA_ERR_UNIT, value->where,
                   "`unit` of %s `%s`: %s does not say what angle it counts, and the expression is "
                   "in rad/s by the units of what it reads; give rad/s or rev/min, or divide the "
                   "expression by 2*pi",
                   kind_of(value), value->name, value->unit);
}

/* The unit that the output of a value has; one that the user wrote must fit. */
static ha_status find_unit(m2d__expander *x, const m2d__value *value, const char **out)
{
    char words[2][MOST_WORDS];
    ha__dimension is;

    if (value->unit == NULL) {
        bool is_known = ha__expr_dimension_likely(x->dag, value->value, &is);
        const char *unit = is_known ? ha__dimension_unit(is, words[0], sizeof words[0]) : "";
        HA_TRY_GET(*out, ha__arena_text(x->ctx, &x->names, unit, strlen(unit)));
        return HA_OK;
    }
    *out = value->unit;
    if (!ha__expr_dimension(x->dag, value->value, &is)) {
        return HA_OK;
    }
    if (ha__dimension_is_like(is, value->is)) {
        return ha__dimension_counts_turns(is, value->is) ? refuse_turns(x, value) : HA_OK;
    }
    return ha_fail(x->ctx, HA_ERR_UNIT, value->where,
                   "`unit` of %s `%s`: %s is %s, but the expression is %s by the units of what it "
                   "reads; give a unit of that, or leave it out",
                   kind_of(value), value->name, value->unit,
                   ha__dimension_words(value->is, words[0], sizeof words[0]),
                   ha__dimension_words(is, words[1], sizeof words[1]));
}

/* A value that needs itself has no meaning. */
static ha_status check_circle(m2d__expander *x, const m2d__value *value)
{
    ha_expr resolved = HA_EXPR_NONE;
    ha_status status = ha_resolve(x->dag, value->value, &resolved);

    return status != HA_ERR_NAME
               ? status
               : ha_fail(x->ctx, status, value->where,
                         "%s `%s` needs itself, directly or through others; take it out of its own "
                         "expression",
                         kind_of(value), value->name);
}

static ha_status add_output(m2d__expander *x, const m2d__value *value)
{
    const char *unit = NULL;
    int number = 0, is_new = 0;

    HA_TRY(check_circle(x, value));
    HA_TRY(find_unit(x, value, &unit));
    ha_expr shown = value->size == 1.0
                        ? value->value
                        : ha_div(x->dag, value->value, ha_constant(x->dag, value->size));
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(ha__symtab_add(x->ctx, &x->system->outputs, value->name, strlen(value->name), &number,
                          &is_new));
    if (!is_new) {
        return ha_fail(x->ctx, HA_ERR_NAME, value->where,
                       "%s `%s` has the name of an output that the model has anyway; choose "
                       "another",
                       kind_of(value), value->name);
    }
    return bg_graph_add_output(x->graph, value->name, unit, shown);
}

ha_status m2d__expand_values(m2d__expander *x)
{
    ha_status first = HA_OK;

    for (size_t i = 0; i < x->mechanism->values.count && first != HA_ERR_MEMORY; i++) {
        ha_status status = add_output(x, &x->mechanism->values.items[i]);
        first = first == HA_OK || status == HA_ERR_MEMORY ? status : first;
    }
    return first;
}
