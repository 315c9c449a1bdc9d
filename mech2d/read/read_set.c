/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: overrides of parameters of instances and parts, `parameters.M1.R=3 ohm`. They are
 * the same as
 *
 *   bondgraph: {elements: {M1: {parameters: {R: 3 ohm}}}}
 *   parts: {M1: {parameters: {R: 3 ohm}}}
 *
 * merged over the file; behind the first name the rest is the parameter, `parameters.G.stage1.n`.
 */
#include <config.h>

#include "lib/core/symtab.h"
#include "lib/data/yaml_priv.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

static const char section[] = "parameters.";

bool m2d__is_set_of_instance(const char *set)
{
    size_t length = sizeof section - 1;

    return strncmp(set, section, length) == 0 &&
           strcspn(set + length, ".") < strcspn(set + length, "=");
}

/* A mapping with one key. */
static ha_status wrap(m2d__reader *r, const char *key, ha_where where, const ha__yaml_node **node)
{
    const ha__yaml_pair pair = { key, where, *node };

    return ha__yaml_collect(r->doc, HA__YAML_MAPPING, where, &pair, 1, node);
}

/* The part whose name is near, NULL: there is none. */
static const char *nearest_part(m2d__reader *r, const ha__yaml_node *parts, const char *name)
{
    size_t n = parts == NULL || parts->pairs == NULL ? 0 : parts->n;
    const char **names = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *names);

    for (size_t i = 0; names != NULL && i < n; i++) {
        names[i] = parts->pairs[i].key;
    }
    return names == NULL ? NULL : ha__nearest(name, names, n);
}

/* The instance must be there, and of a submodel; what parameters that has is checked later. */
static ha_status check_instance(m2d__reader *r, const char *name, const char *path, ha_where where)
{
    const ha__yaml_node *root = ha__yaml_root(r->doc);
    const ha__yaml_node *elements = ha__yaml_get(ha__yaml_get(root, "bondgraph"), "elements");
    const ha__yaml_node *type = ha__yaml_get(ha__yaml_get(elements, name), "type");
    const char *nearest = NULL;
    size_t n = elements == NULL || elements->pairs == NULL ? 0 : elements->n;
    const char **names = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *names);

    HA_TRY_MEMORY(names);
    if (type != NULL && type->kind == HA__YAML_SCALAR &&
        ha__yaml_get(ha__yaml_get(root, "submodels"), type->text) != NULL) {
        return HA_OK;
    }
    for (size_t i = 0; i < n; i++) {
        names[i] = elements->pairs[i].key;
    }
    nearest = type == NULL ? ha__nearest(name, names, n) : NULL;
    nearest = nearest == NULL ? nearest_part(r, ha__yaml_get(root, "parts"), name) : nearest;
    return ha_fail(r->ctx, HA_ERR_NAME, where,
                   "cannot set `%s`: `%s` is no part and no instance of a submodel%s%s%s", path,
                   name, nearest == NULL ? "" : "; did you mean `", nearest == NULL ? "" : nearest,
                   nearest == NULL ? "" : "`?");
}

ha_status m2d__set_of_instance(m2d__reader *r, const char *set, ha_where where)
{
    const char *equals = strchr(set, '=');
    size_t length = strcspn(set, "= \t");
    char *path = ha__arena_text(r->ctx, &r->arena, set, length);
    char *name = ha__arena_text(r->ctx, &r->arena, set, length);
    ha_where value_where = where;
    const ha__yaml_node *node = NULL, *root = NULL;

    if (path == NULL || name == NULL) {
        return HA_ERR_MEMORY;
    }
    name += sizeof section - 1;
    char *parameter = strchr(name, '.');
    if (equals == NULL || parameter == NULL) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, where,
                       "cannot set `%s`: it is not PATH=VALUE; write for example parameters.M1.R=3",
                       path);
    }
    *parameter++ = '\0';
    bool is_part = ha__yaml_get(ha__yaml_get(ha__yaml_root(r->doc), "parts"), name) != NULL;
    HA_TRY(is_part ? HA_OK : check_instance(r, name, path, where));
    value_where.column += where.column > 0 ? (int) (equals + 1 - set) : 0;
    HA_TRY(ha__yaml_read_value(r->doc, equals + 1, strlen(equals + 1), value_where, &node));
    HA_TRY(wrap(r, parameter, where, &node));
    HA_TRY(wrap(r, "parameters", where, &node));
    HA_TRY(wrap(r, name, where, &node));
    HA_TRY(wrap(r, is_part ? "parts" : "elements", where, &node));
    HA_TRY(is_part ? HA_OK : wrap(r, "bondgraph", where, &node));
    HA_TRY(ha__yaml_merge(r->doc, ha__yaml_root(r->doc), node, &root));
    ha__yaml_set_root(r->doc, root);
    return HA_OK;
}
