/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model file and all that it includes, as one file: the tree of YAML nodes with the sections
 * merged, in block style; what is short and has no mapping in it stands in one line. Comments are
 * not kept, and tables keep the names of their files.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "lib/data/yaml_quote.h"
#include "mech2d/read/read_priv.h"
#include "mech2d/write.h"

#include <string.h>

enum { LONGEST = 80 }; /* bytes of what stands in one line */

/* Adds a scalar: plain where it was, else in double quotes. */
static void add_scalar(ha__strbuf *out, const char *text, bool is_quoted)
{
    static const char unsafe[] = "[]{},&*!|>'\"%@`";
    bool is_plain = !is_quoted && text[0] != '\0' && !ha__yaml_needs_escape(text) &&
                    strpbrk(text, "[]{},") == NULL && strchr(unsafe, text[0]) == NULL &&
                    strstr(text, ": ") == NULL && strstr(text, " #") == NULL &&
                    text[strlen(text) - 1] != ':' && strchr(" #-?:", text[0]) == NULL;
    bool is_negative = text[0] == '-' && text[1] >= '0' && text[1] <= '9' &&
                       !ha__yaml_needs_escape(text) && strpbrk(text, "[]{},:#") == NULL &&
                       !is_quoted;

    if (is_plain || is_negative) {
        ha__strbuf_add(out, text);
        return;
    }
    ha__yaml_add_quoted(out, text);
}

static void add_flow(ha__strbuf *out, const ha__yaml_node *node)
{
    if (node->kind == HA__YAML_SCALAR) {
        if (!ha__yaml_is_null(node)) {
            add_scalar(out, node->text, node->is_quoted);
        } else {
            ha__strbuf_add(out, "null");
        }
        return;
    }
    bool is_list = node->kind == HA__YAML_SEQUENCE;
    ha__strbuf_add(out, is_list ? "[" : "{");
    for (size_t i = 0; i < node->n; i++) {
        ha__strbuf_add(out, i > 0 ? ", " : "");
        if (!is_list) {
            add_scalar(out, node->pairs[i].key, false);
            ha__strbuf_add(out, ": ");
        }
        add_flow(out, is_list ? node->items[i] : node->pairs[i].value);
    }
    ha__strbuf_add(out, is_list ? "]" : "}");
}

/* True when a node fits into a line. */
static ha_status fits(ha_ctx *ctx, const ha__yaml_node *node, bool *out)
{
    ha__strbuf text = HA_STRBUF(ctx);

    if (node->n > LONGEST) {
        *out = false;
        return HA_OK;
    }
    add_flow(&text, node);
    *out = text.length <= LONGEST;
    return ha__strbuf_drop(&text, text.status);
}

/* Adds what stands behind a key or a dash, `depth` levels down. */
static ha_status add_block(ha_ctx *ctx, ha__strbuf *out, const ha__yaml_node *node, int depth)
{
    bool is_short = false;

    HA_TRY(fits(ctx, node, &is_short));
    if (node->kind == HA__YAML_SCALAR || node->n == 0 || (is_short && depth > 1)) {
        ha__strbuf_add(out, depth > 0 ? " " : "");
        add_flow(out, node);
        ha__strbuf_add(out, "\n");
        return out->status;
    }
    ha__strbuf_add(out, depth > 0 ? "\n" : "");
    for (size_t i = 0; i < node->n; i++) {
        ha__strbuf_addf(out, "%*s", 2 * depth, "");
        if (node->kind == HA__YAML_SEQUENCE) {
            ha__strbuf_add(out, "- ");
            add_flow(out, node->items[i]);
            ha__strbuf_add(out, "\n");
            continue;
        }
        add_scalar(out, node->pairs[i].key, false);
        ha__strbuf_add(out, ":");
        HA_TRY(add_block(ctx, out, node->pairs[i].value, depth + 1));
    }
    return out->status;
}

/* Puts the body of a submodel that has a file instead of it. */
static ha_status take_file(m2d__reader *r, const ha__yaml_pair *pair, const ha__yaml_node **out)
{
    static const char *const kept[] = { "submodels", "tables", "functions" };
    static const char *const left_out[] = { "halfarrow", "name" };
    const ha__yaml_node *file = ha__yaml_get(pair->value, "file");
    const char *name = NULL;
    ha__yaml *doc = NULL;

    if (file == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__yaml_text(r->ctx, file, m2d__object(r, "file", "submodel", pair->key), &name));
    const char *path = m2d__path_of(r, name, file->where.file);
    HA_TRY_MEMORY(path);
    HA_TRY_ROOM(r->ctx, &r->docs, 1);
    HA_TRY(ha__yaml_read_file(r->ctx, path, &doc));
    r->docs.items[r->docs.count++] = doc;
    *out = ha__yaml_root(doc);
    for (size_t i = 0; i < HA_COUNT(kept); i++) {
        if (ha__yaml_get(*out, kept[i]) != NULL) {
            return ha_fail(r->ctx, HA_ERR_UNSUPPORTED, file->where,
                           "the submodel `%s` has `%s` of its own in `%s`, which nobody else sees, "
                           "and cannot be packed; `include` that file instead",
                           pair->key, kept[i], path);
        }
    }
    for (size_t i = 0; i < HA_COUNT(left_out); i++) {
        HA_TRY(m2d__without_key(r, *out, left_out[i], out));
    }
    return HA_OK;
}

static ha_status take_files(m2d__reader *r)
{
    const ha__yaml_node *root = ha__yaml_root(r->doc);
    const ha__yaml_node *section = ha__yaml_get(root, "submodels");

    if (section == NULL || section->kind != HA__YAML_MAPPING) {
        return HA_OK;
    }
    ha__yaml_pair *pairs = ha__arena_alloc(r->ctx, &r->arena, section->n, sizeof *pairs);
    ha__yaml_pair *all = ha__arena_alloc(r->ctx, &r->arena, root->n, sizeof *all);
    ha__yaml_node *nodes = ha__arena_alloc(r->ctx, &r->arena, 2, sizeof *nodes);
    if (pairs == NULL || all == NULL || nodes == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < section->n; i++) {
        pairs[i] = section->pairs[i];
        HA_TRY(take_file(r, &section->pairs[i], &pairs[i].value));
    }
    nodes[0] = (ha__yaml_node){
        .kind = HA__YAML_MAPPING, .where = section->where, .n = section->n, .pairs = pairs
    };
    for (size_t i = 0; i < root->n; i++) {
        all[i] = root->pairs[i];
        all[i].value = root->pairs[i].value == section ? &nodes[0] : root->pairs[i].value;
    }
    nodes[1] = (ha__yaml_node){
        .kind = HA__YAML_MAPPING, .where = root->where, .n = root->n, .pairs = all
    };
    ha__yaml_set_root(r->doc, &nodes[1]);
    return HA_OK;
}

static ha_status pack(m2d__reader *r, const m2d_read_def *def, char **out)
{
    ha__strbuf text = HA_STRBUF(r->ctx);

    HA_TRY(m2d__include(r, def));
    HA_TRY(take_files(r));
    return ha__strbuf_finish(&text, add_block(r->ctx, &text, ha__yaml_root(r->doc), 0), out);
}

ha_status m2d_pack_file(ha_ctx *ctx, const char *path, const m2d_read_def *def, char **out)
{
    HA_NEED(ctx, ctx != NULL && path != NULL && out != NULL);
    static const m2d_read_def plain = { 0 };
    m2d__reader r = { .ctx = ctx };

    HA_TRY(ha__yaml_read_file(ctx, path, &r.doc));
    r.mechanism = m2d_mechanism_new(ctx);
    ha_status status = r.mechanism == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, pack(&r, def == NULL ? &plain : def, out));
    m2d_mechanism_free(r.mechanism);
    ha__yaml_free(r.doc);
    for (size_t i = 0; i < r.docs.count; i++) {
        ha__yaml_free(r.docs.items[i]);
    }
    HA_ARRAY_CLEAR(&r.docs);
    ha__arena_clear(&r.arena);
    return status;
}
