/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checked access to nodes. Every failure adds one error that names the object, says what was found
 * and what was expected; nothing is remembered, so that the caller may go on and collect more.
 */
#include <config.h>

#include "lib/data/yaml.h"

#include "lib/data/yaml_priv.h"

#include "lib/core/symtab.h"
#include "lib/core/utf8.h"

#include <stdlib.h>
#include <string.h>

const char *ha__yaml_kind_text(ha__yaml_kind kind)
{
    static const char *const texts[] = {
        [HA__YAML_SCALAR] = "a scalar",
        [HA__YAML_SEQUENCE] = "a sequence",
        [HA__YAML_MAPPING] = "a mapping",
    };

    return texts[kind];
}

bool ha__yaml_is_null(const ha__yaml_node *node)
{
    return node->kind == HA__YAML_SCALAR && !node->is_quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

ha_where ha__yaml_text_where(const ha__yaml_node *node)
{
    ha_where where = node->where;

    if (node->is_quoted && where.column > 0) {
        where.column++;
    }
    return where;
}

/* Bytes of a text to show in a message. */
static int shown(const char *text)
{
    enum { WIDEST = 60 };

    return ha__utf8_clip(text, strlen(text), WIDEST);
}

/* How each kind is written, for "a sequence is expected". */
static const char *example_of(ha__yaml_kind kind)
{
    static const char *const texts[] = {
        [HA__YAML_SCALAR] = "a single value",
        [HA__YAML_SEQUENCE] = "a sequence such as [a, b]",
        [HA__YAML_MAPPING] = "a mapping such as {key: value}",
    };

    return texts[kind];
}

ha_status ha__yaml_expect(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                          ha__yaml_kind kind)
{
    bool is_null = ha__yaml_is_null(node);

    if ((node->kind == kind && !is_null) || (is_null && kind != HA__YAML_SCALAR)) {
        return HA_OK;
    }
    if (is_null) {
        return ha_fail(ctx, HA_ERR_SYNTAX, node->where,
                       "%s has no value; %s is expected, or leave the key out", object,
                       example_of(kind));
    }
    if (node->kind == HA__YAML_SCALAR) {
        return ha_fail(ctx, HA_ERR_SYNTAX, node->where, "%s is `%.*s`; %s is expected", object,
                       shown(node->text), node->text, example_of(kind));
    }
    return ha_fail(ctx, HA_ERR_SYNTAX, node->where, "%s is %s; %s is expected", object,
                   ha__yaml_kind_text(node->kind), example_of(kind));
}

/* "a, b, c" of the known keys for messages, shortened when there are many. */
static void list_keys(const char *const *keys, size_t n, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(buffer), wanted = strlen(keys[i]) + (i > 0 ? 2 : 0);
        if (used + wanted + sizeof ", ..." > size) {
            strcat(buffer, ", ...");
            return;
        }
        strcat(buffer, i > 0 ? ", " : "");
        strcat(buffer, keys[i]);
    }
}

static bool is_among(const char *key, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether pair `i` is what YAML makes of the rest of `key: a, b`: a key without a value behind a
   scalar. */
static bool is_rest(const ha__yaml_node *node, size_t i)
{
    return i > 0 && ha__yaml_is_null(node->pairs[i].value) &&
           node->pairs[i - 1].value->kind == HA__YAML_SCALAR &&
           !ha__yaml_is_null(node->pairs[i - 1].value);
}

ha_status ha__yaml_check_keys(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                              const char *const *keys, size_t n)
{
    ha_status status = HA_OK;
    char known[800];

    HA_TRY(ha__yaml_expect(ctx, node, object, HA__YAML_MAPPING));
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->pairs[i].key;
        ha_where where = node->pairs[i].where;
        if (is_among(key, keys, n)) {
            continue;
        }
        const char *nearest = ha__nearest(key, keys, n);
        if (is_rest(node, i)) {
            const ha__yaml_pair *last = &node->pairs[i - 1];
            const char *value = last->value->text;
            status = ha_fail(ctx, HA_ERR_NAME, where,
                             "`%s` of %s has more than one value; write them in brackets: "
                             "%s: [%.*s, %.*s]",
                             last->key, object, last->key, shown(value), value, shown(key), key);
        } else if (nearest != NULL) {
            status =
                ha_fail(ctx, HA_ERR_NAME, where, "unknown key `%.*s` in %s; did you mean `%s`?",
                        shown(key), key, object, nearest);
        } else if (n == 0) {
            status = ha_fail(ctx, HA_ERR_NAME, where, "unknown key `%.*s` in %s, which takes none",
                             shown(key), key, object);
        } else {
            list_keys(keys, n, known, sizeof known);
            status = ha_fail(ctx, HA_ERR_NAME, where, "unknown key `%.*s` in %s; known are %s",
                             shown(key), key, object, known);
        }
    }
    return status;
}

ha_status ha__yaml_require(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                           const char *key, const ha__yaml_node **out)
{
    HA_TRY(ha__yaml_expect(ctx, node, object, HA__YAML_MAPPING));

    const ha__yaml_node *value = ha__yaml_get(node, key);
    if (value == NULL) {
        return ha_fail(ctx, HA_ERR_NAME, node->where, "%s has no `%s`; add it", object, key);
    }
    *out = value;
    return HA_OK;
}

ha_status ha__yaml_text(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                        const char **out)
{
    HA_TRY(ha__yaml_expect(ctx, node, object, HA__YAML_SCALAR));
    *out = node->text;
    return HA_OK;
}

ha_status ha__yaml_items(ha_ctx *ctx, const ha__yaml_node *node, const char *object, size_t n,
                         const ha__yaml_node *const **out)
{
    HA_TRY(ha__yaml_expect(ctx, node, object, HA__YAML_SEQUENCE));
    if (node->n != n) {
        const ha__yaml_node *only = node->n == 1 ? node->items[0] : NULL;
        if (only != NULL && only->kind == HA__YAML_SCALAR && strchr(only->text, ';') != NULL) {
            return ha_fail(ctx, HA_ERR_SYNTAX, node->where,
                           "%s is a sequence of 1, `%.*s`; exactly %zu are expected: separate them "
                           "by commas",
                           object, shown(only->text), only->text, n);
        }
        return ha_fail(ctx, HA_ERR_SYNTAX, node->where,
                       "%s is a sequence of %zu; exactly %zu are expected", object, node->n, n);
    }
    *out = node->items;
    return HA_OK;
}
