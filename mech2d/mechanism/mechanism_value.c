/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that the user names: sub-expressions, which all expressions can use, and outputs by
 * expression, which only other such outputs can. Both are outputs of the model, shown in a unit.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/data/units.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <string.h>

enum { MOST_BYTES = 256 }; /* of a name or unit */

/* A name of one or more parts with dots between them. */
static ha_status check_name(m2d_mechanism *mechanism, const char *kind, const char *name,
                            ha_where where)
{
    char part[MOST_BYTES];
    const char *from = name == NULL ? "" : name;

    from = m2d__short_name(mechanism, from);
    if (strchr(from, '.') == NULL) {
        HA_TRY(m2d__check_symbol(mechanism->ctx, kind, from, where));
        return m2d__check_new_name(mechanism, kind, name, false, where);
    }
    if (strlen(from) >= sizeof part) {
        return ha_fail(mechanism->ctx, HA_ERR_LIMIT, where,
                       "the name of %s %s has more than %d bytes; shorten it", m2d__article(kind),
                       kind, (int) sizeof part - 1);
    }
    for (;;) {
        size_t n = strcspn(from, ".");
        memcpy(part, from, n);
        part[n] = '\0';
        HA_TRY(m2d__check_name(mechanism->ctx, kind, part, false, where));
        if (from[n] == '\0') {
            return HA_OK;
        }
        from += n + 1;
    }
}

static ha_status check_free(m2d_mechanism *mechanism, const char *kind, const char *name,
                            ha_where where)
{
    bool is_parameter = ha__symtab_find(&mechanism->parameter_names, name, strlen(name)) >= 0;

    if (is_parameter) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                       "`%s` is a parameter already and cannot be the name of %s %s; choose "
                       "another",
                       name, m2d__article(kind), kind);
    }
    if (ha__symtab_find(&mechanism->value_names, name, strlen(name)) >= 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                       "the name `%s` is given twice, to values or outputs by expression; rename "
                       "one",
                       name);
    }
    return HA_OK;
}

/* The size and the dimension of a unit. */
static ha_status read_unit(m2d_mechanism *mechanism, const char *unit, m2d__value *value)
{
    char text[MOST_BYTES];
    const char *const parts[3] = { "`unit` of ", value->is_output ? "output `" : "value `",
                                   value->name };
    char object[2 * MOST_BYTES];

    if (strlen(unit) + sizeof "1 " > sizeof text) {
        return ha_fail(mechanism->ctx, HA_ERR_LIMIT, value->where,
                       "the unit of `%s` has more than %d bytes; shorten it", value->name,
                       (int) (sizeof text - sizeof "1 "));
    }
    memcpy(text, "1 ", 2);
    memcpy(text + 2, unit, strlen(unit) + 1);
    object[0] = '\0';
    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        strncat(object, parts[i], sizeof object - strlen(object) - 2);
    }
    strcat(object, "`");
    HA_TRY(ha__quantity_read(mechanism->ctx, text, HA__QUANTITY_ANY, value->where, object,
                             &value->size));
    if (!ha__dimension_read(text, &value->is)) {
        return ha_fail(mechanism->ctx, HA_ERR_UNIT, value->where,
                       "%s: `%s` is no unit; write one such as deg, kN or m/s", object, unit);
    }
    return HA_OK;
}

static ha_status add_named(m2d_mechanism *mechanism, const char *kind, const m2d_value_def *def)
{
    m2d__value value = { .value = def->value,
                         .size = 1.0,
                         .is_output = strcmp(kind, "value") != 0 };
    int number = 0;

    HA_TRY(ha_dag_status(mechanism->dag));
    HA_TRY(check_name(mechanism, kind, def->name, def->where));
    HA_TRY(check_free(mechanism, kind, def->name, def->where));
    if (def->value == HA_EXPR_NONE) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "%s `%s` has no expression; give one", kind, def->name);
    }
    value.name = def->name;
    value.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    if (def->unit != NULL) {
        HA_TRY(read_unit(mechanism, def->unit, &value));
        HA_TRY_GET(value.unit,
                   ha__arena_text(mechanism->ctx, &mechanism->arena, def->unit, strlen(def->unit)));
    }
    HA_TRY_ROOM(mechanism->ctx, &mechanism->values, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->value_names, def->name, strlen(def->name),
                          &number, NULL));
    value.name = ha__symtab_name(&mechanism->value_names, number);
    mechanism->values.items[mechanism->values.count++] = value;
    return HA_OK;
}

/* Adds a value under its full name. */
static ha_status add(m2d_mechanism *mechanism, const char *kind, const m2d_value_def *def)
{
    m2d_value_def named = *def;

    HA_TRY_GET(named.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    return add_named(mechanism, kind, &named);
}

ha_status m2d_mechanism_add_value(m2d_mechanism *mechanism, const m2d_value_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    return add(mechanism, "value", def);
}

ha_status m2d_mechanism_add_output(m2d_mechanism *mechanism, const m2d_value_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    return add(mechanism, "output", def);
}
