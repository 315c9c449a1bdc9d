/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outputs that a model file asks for. An entry is an output ("K1.angle"), or stands for
 * several: the first part of their names ("K1", "energy"), or JOINT.force for fx, fy and torque.
 * Some exist only when they are asked for (mech2d/expand/asked.c).
 */
#include <config.h>

#include "lib/core/hint.h"
#include "lib/core/need.h"
#include "mech2d/expand/system_priv.h"
#include "mech2d/read/read_priv.h"

#include <stdlib.h>
#include <string.h>

/* Outputs that the bond graph adds to every model. */
static const char *const energies[] = { "energy.kinetic", "energy.potential", "energy.supplied",
                                        "energy.dissipated", "energy.error" };

/* The names found so far; those of the system are in its table. */
typedef struct {
    const m2d_model *model;
    m2d_system *system;
    HA_ARRAY(const char *) names;
} selection;

/* Adds a name unless it is there. */
static ha_status add(selection *s, const char *name)
{
    for (size_t i = 0; i < s->names.count; i++) {
        if (strcmp(s->names.items[i], name) == 0) {
            return HA_OK;
        }
    }
    HA_TRY_PUSH(s->model->ctx, &s->names, name);
    return HA_OK;
}

static bool is_in_group(const char *entry, const char *name)
{
    size_t length = strlen(entry);

    return strncmp(name, entry, length) == 0 && (name[length] == '.' || name[length] == '[');
}

/* JOINT.force: the components of a joint's reaction; FORCE.force: those of a load. */
static bool is_force(const char *entry, const char *name)
{
    static const char *const components[] = { "fx", "fy", "torque", "e", "x.e", "y.e", "angle.e" };
    const char *dot = strrchr(entry, '.');
    size_t length = dot == NULL ? 0 : (size_t) (dot - entry) + 1;

    if (dot == NULL || strcmp(dot, ".force") != 0 || strncmp(name, entry, length) != 0) {
        return false;
    }
    for (size_t k = 0; k < HA_COUNT(components); k++) {
        if (strcmp(name + length, components[k]) == 0) {
            return true;
        }
    }
    return false;
}

int m2d_output_is_of(const char *entry, const char *name)
{
    HA_NEED_ELSE(entry != NULL && name != NULL, 0);
    return is_in_group(entry, name) || is_force(entry, name);
}

/* Adds all of `n` names that the entry stands for in one of these ways, and counts them. */
static ha_status add_all(selection *s, const char *const *names, size_t n, const char *entry,
                         bool (*is_one)(const char *entry, const char *name), int *found)
{
    for (size_t i = 0; i < n; i++) {
        if (is_one(entry, names[i])) {
            HA_TRY(add(s, names[i]));
            (*found)++;
        }
    }
    return HA_OK;
}

/* The unit of a signal of an element's component "K1.angle" or "F.x": by its last letter and by
   whether the component turns. */
static const char *unit_of(const char *name)
{
    static const struct {
        const char *suffix, *of_lengths, *of_angles;
    } units[] = { { ".e", "N", "N.m" },
                  { ".f", "m/s", "rad/s" },
                  { ".q", "m", "rad" },
                  { ".p", "N.s", "N.m.s" } };
    const char *suffix = strrchr(name, '.');
    bool turns = suffix - name >= 6 && strncmp(suffix - 6, ".angle", 6) == 0;

    for (size_t i = 0; i < HA_COUNT(units); i++) {
        if (strcmp(units[i].suffix, suffix) == 0) {
            return turns ? units[i].of_angles : units[i].of_lengths;
        }
    }
    return "";
}

/* A signal of an element that is no output yet. */
static ha_status add_signal(selection *s, const char *name, int *found)
{
    ha_expr value =
        strchr(name, '.') == NULL ? HA_EXPR_NONE : bg_graph_lookup(s->system->graph, name);
    int number = 0;

    HA_TRY(ha_dag_status(bg_graph_dag(s->system->graph)));
    if (value == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(bg_graph_add_output(s->system->graph, name, unit_of(name), value));
    HA_TRY(ha__symtab_add(s->model->ctx, &s->system->outputs, name, strlen(name), &number, NULL));
    (*found)++;
    return add(s, ha__symtab_name(&s->system->outputs, number));
}

/* Outputs that exist only when they are asked for. */
static ha_status add_asked(selection *s, const m2d__wanted *entry, int *found)
{
    int first = 0;

    HA_TRY(m2d__add_asked(s->model->ctx, s->system, entry, &first, found));
    for (int i = 0; i < *found; i++) {
        HA_TRY(add(s, ha__symtab_name(&s->system->outputs, first + i)));
    }
    return HA_OK;
}

/* True when an entry has a parenthesis without its other: YAML takes a list apart at commas. */
static bool is_half(const char *name)
{
    return (strchr(name, '(') == NULL) != (strchr(name, ')') == NULL);
}

static ha_status select_entry(selection *s, const m2d__wanted *entry);

/* What a part asks for, where the entry is its name. */
static ha_status add_of_part(selection *s, const m2d__wanted *entry, int *found)
{
    const m2d_mechanism *mechanism = s->model->mechanism;
    int part = ha__symtab_find(&mechanism->part_names, entry->name, strlen(entry->name));

    for (size_t i = 0; part >= 0 && i < s->model->part_outputs.count; i++) {
        if (s->model->part_outputs.items[i].part == part) {
            HA_TRY(select_entry(s, &s->model->part_outputs.items[i].wanted));
            (*found)++;
        }
    }
    return HA_OK;
}

static ha_status refuse_entry(const selection *s, const ha__symtab *table, const m2d__wanted *entry)
{
    ha__strbuf hint = HA_STRBUF(s->model->ctx);

    const char *member = strrchr(entry->name, '.');

    ha__hint_member(&hint, table, entry->name, "correct the name");
    if (member != NULL && strcmp(member, ".drive") == 0) {
        ha__strbuf_add(&hint, "; a joint or a body has a `.drive` where its `motion` is given");
    }
    return HA_FAIL_WITH(hint, s->model->ctx, HA_ERR_NAME, entry->where,
                        "`outputs` asks for `%s`, which is no output of the model; %s", entry->name,
                        ha__strbuf_text(&hint));
}

/* An entry as it is, or behind a port what that is. */
static ha_status select_named(selection *s, const m2d__wanted *entry)
{
    const ha__symtab *table = &s->system->outputs;
    int number = ha__symtab_find(table, entry->name, strlen(entry->name)), found = 0;

    if (number >= 0) {
        return add(s, ha__symtab_name(table, number));
    }
    for (size_t i = 0; i < HA_COUNT(energies); i++) {
        if (strcmp(energies[i], entry->name) == 0) {
            return add(s, energies[i]);
        }
    }
    HA_TRY(add_all(s, table->names.items, table->names.count, entry->name, is_in_group, &found));
    HA_TRY(add_all(s, energies, HA_COUNT(energies), entry->name, is_in_group, &found));
    if (found == 0) {
        HA_TRY(add_asked(s, entry, &found));
    }
    if (found == 0) {
        HA_TRY(add_all(s, table->names.items, table->names.count, entry->name, is_force, &found));
    }
    if (found == 0) {
        HA_TRY(add_signal(s, entry->name, &found));
    }
    if (found == 0) {
        if (is_half(entry->name)) {
            return ha_fail(
                s->model->ctx, HA_ERR_NAME, entry->where,
                "`outputs` asks for `%s`, which is half of an entry; put what has a comma "
                "in quotes",
                entry->name);
        }
        return refuse_entry(s, table, entry);
    }
    return HA_OK;
}

static ha_status select_entry(selection *s, const m2d__wanted *entry)
{
    m2d__wanted named = *entry;
    int found = 0;

    HA_TRY(add_of_part(s, entry, &found));
    if (found > 0) {
        return HA_OK;
    }
    HA_TRY_GET(named.name, m2d__through_ports(s->model->mechanism, entry->name));
    return select_named(s, &named);
}

ha_status m2d_model_select(const m2d_model *model, m2d_system *system, const char ***names, int *n)
{
    HA_NEED_OF(model, system != NULL && names != NULL && n != NULL);
    selection s = { .model = model, .system = system };
    ha_status first = HA_OK;

    for (size_t i = 0; i < model->outputs.count && first != HA_ERR_MEMORY; i++) {
        ha_status status = select_entry(&s, &model->outputs.items[i]);
        first = first == HA_OK || status == HA_ERR_MEMORY ? status : first;
    }
    if (first != HA_OK) {
        HA_ARRAY_CLEAR(&s.names);
        return first;
    }
    *names = s.names.items;
    *n = (int) s.names.count;
    return HA_OK;
}
