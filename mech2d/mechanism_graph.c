/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding elements of any domain and their bonds to a mechanism. */
#include <config.h>

#include "bondgraph/element.h"
#include "mech2d/mechanism_priv.h"

#include <string.h>

enum { ELEMENT_COOKIE = 0x6d326465 };

m2d_element_def m2d_element_def_default(void)
{
    return (m2d_element_def){
        .value = HA_EXPR_NONE, .p = HA_EXPR_NONE, .q = HA_EXPR_NONE, .cookie = ELEMENT_COOKIE
    };
}

/* The start value of an element, which its type must have. */
static ha_status take_start(m2d_mechanism *mechanism, const m2d_element_def *def,
                            const bg__type *type, ha_expr *out)
{
    const struct {
        const char *key;
        ha_expr value;
        bg_signal signal;
    } starts[2] = { { "p", def->p, BG_SIGNAL_P }, { "q", def->q, BG_SIGNAL_Q } };
    double number = 0.0;

    *out = HA_EXPR_NONE;
    for (size_t i = 0; i < HA_COUNT(starts); i++) {
        const m2d__owner owner = { "element", def->name, starts[i].key, def->where };
        if (starts[i].value == HA_EXPR_NONE) {
            continue;
        }
        if ((type->signals >> starts[i].signal & 1u) == 0) {
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                           "element `%s` has the start value `%s`, but a %s has none; remove it",
                           def->name, starts[i].key, type->title);
        }
        HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, starts[i].value, owner, &number));
        *out = starts[i].value;
    }
    return ha_dag_status(mechanism->dag);
}

ha_status m2d_mechanism_add_element(m2d_mechanism *mechanism, const m2d_element_def *def)
{
    m2d__element_part part = { .value = def->value };
    const bg__type *type = NULL;
    int number = 0;

    if (def->cookie != ELEMENT_COOKIE) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of an element does not come from "
                       "m2d_element_def_default(); start from that");
    }
    HA_TRY(m2d__check_new_name(mechanism, "element", def->name, true, def->where));
    type = def->type == NULL ? NULL : bg__type_find(def->type, strlen(def->type));
    if (type == NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, def->where,
                       "element `%s` has the unknown type `%s`; use one of Se Sf MSe MSf I C R TF "
                       "MTF GY MGY 0 1 De Df Re Rf",
                       def->name, def->type == NULL ? "" : def->type);
    }
    HA_TRY(take_start(mechanism, def, type, &part.start));
    part.type = type->name;
    part.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->elements, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->element_names, def->name, strlen(def->name),
                          &number, NULL));
    part.name = ha__symtab_name(&mechanism->element_names, number);
    mechanism->elements.items[mechanism->elements.count++] = part;
    return HA_OK;
}

/* What an end of a bond names. */
static ha_status find_end(m2d_mechanism *mechanism, const char *name, m2d__owner user,
                          m2d__bond_end *out)
{
    const char *nearest = NULL;

    out->element = ha__symtab_find(&mechanism->element_names, name, strlen(name));
    if (out->element >= 0) {
        return HA_OK;
    }
    if (strchr(name, '.') != NULL) {
        return m2d__find_direction(mechanism, name, user, &out->joint, &out->direction);
    }
    nearest = ha__symtab_nearest(&mechanism->element_names, name);
    return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` ends at `%s`, which is no element of the bond graph; %s%s%s", user.kind,
                   user.name, name,
                   nearest != NULL ? "did you mean `"
                                   : "add it to the elements, or write JOINT.axis for a joint",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

static void make_port(m2d_mechanism *mechanism, const m2d__bond_end *end)
{
    if (end->element < 0) {
        mechanism->joints.items[end->joint].is_port[end->direction] = true;
    }
}

ha_status m2d_mechanism_add_bond(m2d_mechanism *mechanism, const char *tail, const char *head,
                                 ha_where where)
{
    const char *const names[2] = { tail == NULL ? "" : tail, head == NULL ? "" : head };
    m2d__bond_part bond = { .where = where };
    const char *text =
        ha__arena_format(mechanism->ctx, &mechanism->arena, "%s > %s", names[0], names[1]);

    if (text == NULL) {
        return HA_ERR_MEMORY;
    }
    for (int end = 0; end < 2; end++) {
        HA_TRY(find_end(mechanism, names[end], (m2d__owner){ "bond", text, NULL, where },
                        &bond.ends[end]));
    }
    bond.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    HA_TRY_PUSH(mechanism->ctx, &mechanism->bonds, bond);
    make_port(mechanism, &bond.ends[0]);
    make_port(mechanism, &bond.ends[1]);
    return HA_OK;
}

ha_status m2d_mechanism_add_port(m2d_mechanism *mechanism, const char *direction, ha_where where)
{
    m2d__bond_end end = { .element = -1 };
    const m2d__owner user = { "the port", direction == NULL ? "" : direction, NULL, where };

    HA_TRY(m2d__find_direction(mechanism, direction, user, &end.joint, &end.direction));
    make_port(mechanism, &end);
    return HA_OK;
}
