/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: a variant merged over a file or a submodel, "*" of a section first, then names.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

/* A mapping in which every key of `section` has the value `star`. */
static ha_status spread(m2d__reader *r, const ha__yaml_node *section, const ha__yaml_node *star,
                        const ha__yaml_node **out)
{
    ha__yaml_node *node = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *node);
    ha__yaml_pair *pairs = ha__arena_alloc(r->ctx, &r->arena, section->n + 1, sizeof *pairs);

    if (node == NULL || pairs == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < section->n; i++) {
        pairs[i] = (ha__yaml_pair){ section->pairs[i].key, star->where, star };
    }
    *node = (ha__yaml_node){
        .kind = HA__YAML_MAPPING, .where = star->where, .n = section->n, .pairs = pairs
    };
    *out = node;
    return HA_OK;
}

ha_status m2d__without_key(m2d__reader *r, const ha__yaml_node *node, const char *key,
                           const ha__yaml_node **out)
{
    ha__yaml_node *copy = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *copy);
    ha__yaml_pair *pairs = ha__arena_alloc(r->ctx, &r->arena, node->n + 1, sizeof *pairs);
    size_t n = 0;

    if (copy == NULL || pairs == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < node->n; i++) {
        if (strcmp(node->pairs[i].key, key) != 0) {
            pairs[n++] = node->pairs[i];
        }
    }
    *copy =
        (ha__yaml_node){ .kind = HA__YAML_MAPPING, .where = node->where, .n = n, .pairs = pairs };
    *out = copy;
    return HA_OK;
}

/* An entry of a variant changes one of the file; only one that has what such a thing needs adds a
   new one. */
static ha_status check_changed(m2d__reader *r, const char *variant, const ha__yaml_pair *section,
                               const ha__yaml_pair *entry, const ha__yaml_node *base)
{
    static const struct {
        const char *section, *kind, *needed;
    } kinds[] = { { "joints", "joint", "type" },
                  { "forces", "force", "type" },
                  { "bodies", "body", "mass" },
                  { "parts", "part", "type" } };

    for (size_t i = 0; i < HA_COUNT(kinds); i++) {
        if (strcmp(section->key, kinds[i].section) != 0 || strcmp(entry->key, "*") == 0 ||
            ha__yaml_get(entry->value, kinds[i].needed) != NULL ||
            (base != NULL && ha__yaml_get(base, entry->key) != NULL)) {
            continue;
        }
        const char *near = NULL;
        int limit = 3;
        for (size_t k = 0; base != NULL && base->pairs != NULL && k < base->n; k++) {
            int distance = ha__edit_distance(entry->key, base->pairs[k].key, limit);
            near = distance <= limit ? base->pairs[k].key : near;
            limit = distance <= limit ? distance - 1 : limit;
        }
        return ha_fail(r->ctx, HA_ERR_NAME, entry->where,
                       "the variant `%s` changes the %s `%s`, which the file does not have; %s%s%s",
                       variant, kinds[i].kind, entry->key,
                       near != NULL ? "did you mean `" : "correct the name",
                       near != NULL ? near : "", near != NULL ? "`?" : "");
    }
    return HA_OK;
}

/* Merges one key of a variant over a mapping of the file: first its "*" over every entry. */
static ha_status merge_key(m2d__reader *r, const char *variant, const ha__yaml_pair *pair,
                           const ha__yaml_node *base, const ha__yaml_node **out)
{
    const ha__yaml_node *overlay = pair->value, *star = ha__yaml_get(overlay, "*");
    const ha__yaml_node *merged = base;

    for (size_t i = 0; overlay->kind == HA__YAML_MAPPING && i < overlay->n; i++) {
        HA_TRY(check_changed(r, variant, pair, &overlay->pairs[i], base));
    }
    if (star != NULL && base != NULL && base->kind == HA__YAML_MAPPING) {
        const ha__yaml_node *all = NULL;
        HA_TRY(spread(r, base, star, &all));
        HA_TRY(ha__yaml_merge(r->doc, base, all, &merged));
    }
    if (star != NULL) {
        HA_TRY(m2d__without_key(r, overlay, "*", &overlay));
    }
    return ha__yaml_merge(r->doc, merged, overlay, out);
}

ha_status m2d__merge_variant(m2d__reader *r, const char *name, const ha__yaml_node *variant,
                             const ha__yaml_node *base, const ha__yaml_node **out)
{
    for (size_t i = 0; i < variant->n; i++) {
        const ha__yaml_pair *pair = &variant->pairs[i];
        const ha__yaml_node *value = NULL;
        HA_TRY(merge_key(r, name, pair, ha__yaml_get(base, pair->key), &value));

        ha__yaml_node *node = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *node);
        ha__yaml_pair *one = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *one);
        if (node == NULL || one == NULL) {
            return HA_ERR_MEMORY;
        }
        *one = (ha__yaml_pair){ pair->key, pair->where, value };
        *node = (ha__yaml_node){
            .kind = HA__YAML_MAPPING, .where = variant->where, .n = 1, .pairs = one
        };
        HA_TRY(ha__yaml_merge(r->doc, base, node, &base));
    }
    *out = base;
    return HA_OK;
}

/* There is no variant of this name. */
static ha_status refuse_variant(m2d__reader *r, const char *name, ha_where where,
                                const ha__yaml_node *variants)
{
    ha__strbuf known = HA_STRBUF(r->ctx);

    for (size_t i = 0; variants != NULL && variants->kind == HA__YAML_MAPPING && i < variants->n;
         i++) {
        ha__strbuf_addf(&known, "%s`%s`", i > 0 ? ", " : "", variants->pairs[i].key);
    }
    return HA_FAIL_WITH(known, r->ctx, HA_ERR_NAME, where,
                        "the variant `%s` is not known; %s%s, or `base` for the file as it stands",
                        name,
                        known.length > 0 ? "use one of " : "the file has no variants: use none",
                        ha__strbuf_text(&known));
}

ha_status m2d__apply_variant(m2d__reader *r, const char *name, ha_where where,
                             const ha__yaml_node *base, const ha__yaml_node **out)
{
    const ha__yaml_node *variants = ha__yaml_get(base, "variants");
    const ha__yaml_node *variant = variants == NULL ? NULL : ha__yaml_get(variants, name);

    if (variant != NULL) {
        HA_TRY(ha__yaml_expect(r->ctx, variant, m2d__object(r, NULL, "variant", name),
                               HA__YAML_MAPPING));
        return m2d__merge_variant(r, name, variant, base, out);
    }
    *out = base;
    return strcmp(name, "base") == 0 ? HA_OK : refuse_variant(r, name, where, variants);
}
