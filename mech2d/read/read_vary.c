/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: values that vary. Each becomes a parameter: `parameters.r` is one already and gets
 * its number; any other PATH gets the name of a new one instead, as if the file said
 *
 *   parameters: {varied__1: 0.2}
 *   bodies: {K1: {mass: varied__1}}
 *
 * A factor leaves what the file says, which may depend on other values,
 *
 *   parameters: {varied__1__base: 2*m, varied__1: 1}
 *   bodies: {K1: {mass: varied__1__base*varied__1}}
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/data/yaml_priv.h"
#include "mech2d/read/read_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char section[] = "parameters.";

/* The name behind `parameters.`, NULL: the path is another one, or of an instance. */
static const char *own_name(const char *path)
{
    size_t length = sizeof section - 1;

    return strncmp(path, section, length) == 0 && strchr(path + length, '.') == NULL ? path + length
                                                                                     : NULL;
}

void m2d_variable_name(const m2d_variable *variable, int i, char *name, size_t size)
{
    const char *own = variable->is_factor ? NULL : own_name(variable->path);

    if (own != NULL) {
        snprintf(name, size, "%s", own);
    } else {
        snprintf(name, size, "varied__%d", i + 1);
    }
}

/* The value of a key, or the item of a number from 0 on; NULL: there is none. */
static const ha__yaml_node *child_of(const ha__yaml_node *node, const char *key)
{
    size_t i = 0;

    if (node->items == NULL) {
        return ha__yaml_get(node, key);
    }
    for (; *key >= '0' && *key <= '9' && i < node->n; key++) {
        i = 10 * i + (size_t) (*key - '0');
    }
    return *key == '\0' && i < node->n ? node->items[i] : NULL;
}

/* The text of the value that the file has at a path; NULL: it has none. */
static const char *text_at(m2d__reader *r, const char *path)
{
    const ha__yaml_node *node = ha__yaml_root(r->doc);

    while (node != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        const char *key = ha__arena_text(r->ctx, &r->arena, path, length);
        node = key == NULL ? NULL : child_of(node, key);
        path += length + (path[length] == '.');
    }
    return node != NULL && node->kind == HA__YAML_SCALAR ? node->text : NULL;
}

/* Adds the parameter to the file, before all others or behind them: each reads those before it. */
static ha_status add_parameter(m2d__reader *r, const char *name, const char *number, bool is_first,
                               ha_where where)
{
    const ha__yaml_node *node = NULL, *root = ha__yaml_root(r->doc);
    const char *const keys[2] = { name, "parameters" };

    HA_TRY(ha__yaml_read_value(r->doc, number, strlen(number), where, &node));
    for (int i = 0; i < 2; i++) {
        const ha__yaml_pair pair = { keys[i], where, node };
        HA_TRY(ha__yaml_collect(r->doc, HA__YAML_MAPPING, where, &pair, 1, &node));
    }
    HA_TRY(ha__yaml_merge(r->doc, is_first ? node : root, is_first ? root : node, &root));
    ha__yaml_set_root(r->doc, root);
    return HA_OK;
}

/* Adds a parameter with the value that the file has at the path. */
static ha_status name_value(m2d__reader *r, const m2d_variable *v, int i)
{
    const char *text = text_at(r, v->path);
    const char *name = ha__arena_format(r->ctx, &r->arena, "varied__%d", i + 1);

    HA_TRY_MEMORY(name);
    return text != NULL
               ? add_parameter(r, name, text, false, v->where)
               : ha_fail(r->ctx, HA_ERR_NAME, v->where,
                         "the file gives no value at `%s`; name a value that it has, such as "
                         "`bodies.BODY.mass`, or make it a parameter, `parameters.NAME`",
                         v->path);
}

/* True of a number with or without a unit, which reads no other values. */
static bool is_quantity(const char *text)
{
    ha_ctx *quiet = ha_ctx_new();
    double value = 0.0;
    bool is_so = quiet != NULL &&
                 ha__quantity_read(quiet, text, HA__QUANTITY_ANY, HA_NOWHERE, "", &value) == HA_OK;

    ha_ctx_free(quiet);
    return is_so;
}

/* The value at the path becomes a product. The factor is the first parameter; what it is a factor
   of, too, if it is a number, behind all others where it may read them, and in its place where
   others may read it in turn. */
static ha_status scale(m2d__reader *r, const m2d_variable *v, int i)
{
    const char *text = text_at(r, v->path);
    const char *name = ha__arena_format(r->ctx, &r->arena, "varied__%d", i + 1);
    const char *base = ha__arena_format(r->ctx, &r->arena, "varied__%d__base", i + 1);
    char digits[HA__NUMBER_SIZE];

    HA_TRY(name == NULL || base == NULL ? HA_ERR_MEMORY : HA_OK);
    if (text == NULL) {
        return name_value(r, v, i); /* which says so */
    }
    bool is_number = is_quantity(text), is_inside = own_name(v->path) != NULL && !is_number;
    const char *set = is_inside
                          ? ha__arena_format(r->ctx, &r->arena, "%s=(%s)*%s", v->path, text, name)
                          : ha__arena_format(r->ctx, &r->arena, "%s=%s*%s", v->path, base, name);
    HA_TRY_MEMORY(set);
    HA_TRY(is_inside ? HA_OK : add_parameter(r, base, text, is_number, v->where));
    ha__print_number(digits, v->value);
    HA_TRY(add_parameter(r, name, digits, true, v->where));
    return ha__yaml_set(r->doc, set, v->where);
}

static ha_status vary(m2d__reader *r, const m2d_variable *v, int i)
{
    const bool is_own = own_name(v->path) != NULL;
    char digits[HA__NUMBER_SIZE], name[32];

    if (isnan(v->value)) {
        return is_own ? HA_OK : name_value(r, v, i);
    }
    if (v->is_factor) {
        return scale(r, v, i);
    }
    ha__print_number(digits, v->value);
    snprintf(name, sizeof name, "varied__%d", i + 1);
    const char *number =
        ha__arena_format(r->ctx, &r->arena, "%s%s%s", digits, v->unit != NULL ? " " : "",
                         v->unit != NULL ? v->unit : "");
    const char *set = ha__arena_format(r->ctx, &r->arena, "%s=%s", v->path,
                                       is_own && number != NULL ? number : name);
    const char *made = ha__arena_format(r->ctx, &r->arena, "%s", name);
    if (set == NULL || number == NULL || made == NULL) {
        return HA_ERR_MEMORY;
    }
    if (m2d__is_set_of_instance(set)) {
        HA_TRY(add_parameter(r, made, number, false, v->where));
        return m2d__set_of_instance(r, set, v->where);
    }
    HA_TRY(m2d__check_parameter(r, set, v->where));
    if (!is_own) {
        HA_TRY(add_parameter(r, made, number, false, v->where));
    }
    return ha__yaml_set(r->doc, set, v->where);
}

ha_status m2d__vary(m2d__reader *r, const m2d_read_def *def)
{
    ha_status first = HA_OK;

    for (int i = 0; i < def->n_variables; i++) {
        ha_status status = vary(r, &def->variables[i], i);
        first = first == HA_OK ? status : first;
    }
    return first;
}
