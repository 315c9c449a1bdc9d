/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes are a model file or an error, never a crash. What stands behind a byte
 * 0x1E, which no model file may hold, is PATH=VALUE to be set in it.
 */
#include <config.h>

#include "lib/data/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENOUGH = 100000 }; /* nodes to look at: aliases may make a small text large */

/* Looks at every node; returns how many more may be looked at. */
static long walk(const ha__yaml_node *node, int depth, long n)
{
    if (node->where.line < 1 || node->where.column < 1 || depth > 2 * 64 + 1) {
        abort();
    }
    for (size_t i = 0; i < node->n && n > 0; i++) {
        bool is_mapping = node->kind == HA__YAML_MAPPING;
        if (is_mapping && ha__yaml_find(node, node->pairs[i].key) != &node->pairs[i]) {
            abort();
        }
        n = walk(is_mapping ? node->pairs[i].value : node->items[i], depth + 1, n - 1);
    }
    return n;
}

static void use(ha_ctx *ctx, ha__yaml *doc, const char *setting)
{
    static const char *const keys[] = { "halfarrow", "bodies", "joints" };
    const ha__yaml_node *root = ha__yaml_root(doc), *out = NULL;
    ha_where where = { "--set", 1, 1 };

    (void) walk(root, 0, ENOUGH);
    ha_status status = ha__yaml_check_keys(ctx, root, "model", keys, HA_COUNT(keys));
    if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0)) {
        abort();
    }
    ha_ctx_clear(ctx);
    if (setting != NULL && ha__yaml_set(doc, setting, where) == HA_OK) {
        (void) walk(ha__yaml_root(doc), 0, ENOUGH);
    }
    if (ha__yaml_merge(doc, root, ha__yaml_root(doc), &out) == HA_OK) {
        (void) walk(out, 0, ENOUGH);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    char *text = malloc(size + 1);
    ha__yaml *doc = NULL;

    if (ctx != NULL && text != NULL) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        text[size] = '\0';
        char *setting = memchr(text, 0x1E, size);
        size_t length = setting == NULL ? size : (size_t) (setting - text);
        ha_status status = ha__yaml_read_text(ctx, text, length, "fuzz", &doc);
        if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0) ||
            (status == HA_OK) != (doc != NULL)) {
            abort();
        }
        if (doc != NULL) {
            use(ctx, doc, setting == NULL ? NULL : setting + 1);
        }
    }
    ha__yaml_free(doc);
    free(text);
    ha_ctx_free(ctx);
    return 0;
}
