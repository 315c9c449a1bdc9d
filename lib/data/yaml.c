/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a model file: making nodes, finding keys, merging, setting.
 *
 * Nodes are never changed after they were made, so trees share them freely: an alias, a merge and a
 * set share every part that stays the same. A mapping with many keys has a hash table of them.
 */
#include <config.h>

#include "lib/data/yaml.h"

#include "lib/data/yaml_priv.h"

#include "lib/core/hash.h"
#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "lib/core/utf8.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_KEYS = 8 }; /* up to here a mapping is searched from its beginning */

const ha__yaml_node *ha__yaml_root(const ha__yaml *doc)
{
    return doc->root;
}

void ha__yaml_set_root(ha__yaml *doc, const ha__yaml_node *root)
{
    doc->root = root;
}

void ha__yaml_free(ha__yaml *doc)
{
    if (doc != NULL) {
        ha__arena_clear(&doc->arena);
        ha__free(doc);
    }
}

/* --- keys ------------------------------------------------------------------------------------ */

/* The slot of a key, or the empty one where it belongs. */
static size_t slot_of(const int *slots, size_t n_slots, const ha__yaml_pair *pairs, const char *key)
{
    size_t slot = ha__hash_fold(ha__hash_bytes(0, key, strlen(key))) & (n_slots - 1);

    while (slots[slot] != 0 && strcmp(pairs[slots[slot] - 1].key, key) != 0) {
        slot = (slot + 1) & (n_slots - 1);
    }
    return slot;
}

/* Gives a mapping with many keys its hash table; of equal keys the first is found. */
static ha_status index_keys(ha__yaml *doc, ha__yaml_node *mapping)
{
    size_t n_slots = 4 * FEW_KEYS;

    if (mapping->n <= FEW_KEYS) {
        return HA_OK;
    }
    while (n_slots < 2 * mapping->n) {
        n_slots *= 2;
    }
    int *slots = ha__arena_alloc(doc->ctx, &doc->arena, n_slots, sizeof *slots);
    HA_TRY_MEMORY(slots);
    for (size_t i = 0; i < mapping->n; i++) {
        size_t slot = slot_of(slots, n_slots, mapping->pairs, mapping->pairs[i].key);
        slots[slot] = slots[slot] == 0 ? (int) i + 1 : slots[slot];
    }
    mapping->slots = slots;
    mapping->n_slots = n_slots;
    return HA_OK;
}

static const ha__yaml_pair *find_pair(const ha__yaml_node *mapping, const char *key)
{
    if (mapping->n_slots > 0) {
        int found = mapping->slots[slot_of(mapping->slots, mapping->n_slots, mapping->pairs, key)];
        return found == 0 ? NULL : &mapping->pairs[found - 1];
    }
    for (size_t i = 0; i < mapping->n; i++) {
        if (strcmp(mapping->pairs[i].key, key) == 0) {
            return &mapping->pairs[i];
        }
    }
    return NULL;
}

const ha__yaml_pair *ha__yaml_find(const ha__yaml_node *node, const char *key)
{
    return node == NULL || node->kind != HA__YAML_MAPPING ? NULL : find_pair(node, key);
}

const ha__yaml_node *ha__yaml_get(const ha__yaml_node *node, const char *key)
{
    const ha__yaml_pair *pair = ha__yaml_find(node, key);

    return pair == NULL ? NULL : pair->value;
}

/* --- making nodes ---------------------------------------------------------------------------- */

static ha__yaml_node *new_node(ha__yaml *doc, ha__yaml_kind kind, ha_where where)
{
    ha__yaml_node *node = ha__arena_alloc(doc->ctx, &doc->arena, 1, sizeof *node);

    if (node != NULL) {
        node->kind = kind;
        node->where = where;
    }
    return node;
}

ha_status ha__yaml_scalar(ha__yaml *doc, const char *text, size_t length, bool is_quoted,
                          ha_where where, const ha__yaml_node **out)
{
    ha__yaml_node *node = new_node(doc, HA__YAML_SCALAR, where);
    const char *copy = node == NULL ? NULL : ha__arena_text(doc->ctx, &doc->arena, text, length);

    HA_TRY_MEMORY(copy);
    node->text = copy;
    node->is_quoted = is_quoted;
    *out = node;
    return HA_OK;
}

ha_status ha__yaml_collect(ha__yaml *doc, ha__yaml_kind kind, ha_where where,
                           const ha__yaml_pair *pairs, size_t n, const ha__yaml_node **out)
{
    ha__yaml_node *node = new_node(doc, kind, where);

    HA_TRY_MEMORY(node);
    if (kind == HA__YAML_SEQUENCE) {
        const ha__yaml_node **items = ha__arena_alloc(doc->ctx, &doc->arena, n, sizeof *items);
        HA_TRY_MEMORY(items);
        for (size_t i = 0; i < n; i++) {
            items[i] = pairs[i].value;
        }
        node->items = items;
    } else {
        ha__yaml_pair *copies = ha__arena_alloc(doc->ctx, &doc->arena, n, sizeof *copies);
        HA_TRY_MEMORY(copies);
        if (n > 0) {
            memcpy(copies, pairs, n * sizeof *copies);
        }
        node->pairs = copies;
    }
    node->n = n;
    HA_TRY(kind == HA__YAML_MAPPING ? index_keys(doc, node) : HA_OK);
    *out = node;
    return HA_OK;
}

/* --- merging --------------------------------------------------------------------------------- */

typedef HA_ARRAY(ha__yaml_pair) pair_list;

static ha_status merge_pairs(ha__yaml *doc, const ha__yaml_node *base, const ha__yaml_node *overlay,
                             pair_list *list)
{
    for (size_t i = 0; i < base->n; i++) {
        ha__yaml_pair pair = base->pairs[i];
        const ha__yaml_pair *over = find_pair(overlay, pair.key);
        if (over != NULL) {
            pair.where = over->where;
            HA_TRY(ha__yaml_merge(doc, pair.value, over->value, &pair.value));
        }
        HA_TRY_PUSH(doc->ctx, list, pair);
    }
    for (size_t i = 0; i < overlay->n; i++) {
        if (find_pair(base, overlay->pairs[i].key) == NULL) {
            HA_TRY_PUSH(doc->ctx, list, overlay->pairs[i]);
        }
    }
    return HA_OK;
}

ha_status ha__yaml_merge(ha__yaml *doc, const ha__yaml_node *base, const ha__yaml_node *overlay,
                         const ha__yaml_node **out)
{
    pair_list list = { 0 };

    if (base == NULL || overlay == NULL) {
        *out = overlay == NULL ? base : overlay;
        return HA_OK;
    }
    if (base->kind == HA__YAML_MAPPING && ha__yaml_is_null(overlay)) {
        *out = base; /* `joints:` with nothing behind it is a mapping without keys */
        return HA_OK;
    }
    if (base->kind != HA__YAML_MAPPING || overlay->kind != HA__YAML_MAPPING) {
        *out = overlay;
        return HA_OK;
    }

    ha_status status = merge_pairs(doc, base, overlay, &list);
    HA_THEN(status,
            ha__yaml_collect(doc, HA__YAML_MAPPING, base->where, list.items, list.count, out));
    HA_ARRAY_CLEAR(&list);
    return status;
}

/* --- setting --------------------------------------------------------------------------------- */

/* PATH=VALUE on its way into the tree. */
typedef struct setting {
    ha__yaml *doc;
    const char *text; /* all of it, for messages */
    int path_length;  /* bytes of PATH */
    ha_where where;   /* of the first byte */
    const ha__yaml_node *value;
    bool only_present; /* of the entries that `*` stands for, those that have the rest of PATH */
    char *keys[HA__YAML_DEEPEST]; /* parts of PATH */
    int n_keys;
} setting;

/* The location of key number i. */
static ha_where key_where(const setting *s, int i)
{
    ha_where where = s->where;

    if (where.column > 0) {
        where.column += (int) (s->keys[i] - s->keys[0]);
    }
    return where;
}

static ha_status fail_key(const setting *s, int i, const ha__yaml_node *node)
{
    ha_where where = key_where(s, i);
    const char *nearest = NULL;

    if (node->kind == HA__YAML_SEQUENCE) {
        return ha_fail(
            s->doc->ctx, HA_ERR_NAME, where,
            "cannot set `%.*s`: `%s` is no item of a sequence of %zu; items are numbered "
            "from 0",
            s->path_length, s->text, s->keys[i], node->n);
    }
    if (node->kind == HA__YAML_SCALAR) {
        return ha_fail(s->doc->ctx, HA_ERR_NAME, where,
                       "cannot set `%.*s`: there is no `%s` in the scalar `%.*s`; shorten the path",
                       s->path_length, s->text, s->keys[i],
                       ha__utf8_clip(node->text, strlen(node->text), 60), node->text);
    }
    const char **keys = ha__alloc(s->doc->ctx, node->n, sizeof *keys);
    HA_TRY_MEMORY(keys);
    for (size_t k = 0; k < node->n; k++) {
        keys[k] = node->pairs[k].key;
    }
    nearest = ha__nearest(s->keys[i], keys, node->n);
    if (nearest != NULL) {
        ha_fail(s->doc->ctx, HA_ERR_NAME, where,
                "cannot set `%.*s`: there is no key `%s`; did you mean `%s`?", s->path_length,
                s->text, s->keys[i], nearest);
    } else {
        ha_fail(
            s->doc->ctx, HA_ERR_NAME, where,
            "cannot set `%.*s`: there is no key `%s`; all but the last key of a path must be in "
            "the file",
            s->path_length, s->text, s->keys[i]);
    }
    ha__free(keys);
    return HA_ERR_NAME;
}

/* The number of an item from a key made of digits; `n` when it is none. */
static size_t item_number(const char *key, size_t n)
{
    enum { MOST_DIGITS = 9 };
    size_t length = strspn(key, "0123456789");

    if (length == 0 || length > MOST_DIGITS || key[length] != '\0') {
        return n;
    }
    size_t i = (size_t) strtoul(key, NULL, 10);
    return i < n ? i : n;
}

/* A key `*` stands for every entry, unless there is one of this name. */
static bool is_wild(const setting *s, int i, const ha__yaml_node *node)
{
    return strcmp(s->keys[i], "*") == 0 && node->kind != HA__YAML_SCALAR &&
           ha__yaml_find(node, "*") == NULL;
}

/* Entry k of a mapping or a sequence; the latter's have no key. */
static ha__yaml_pair entry_of(const ha__yaml_node *node, size_t k)
{
    return node->kind == HA__YAML_MAPPING ? node->pairs[k]
                                          : (ha__yaml_pair){ "", node->where, node->items[k] };
}

/* In how many places the path, from key i on, leads to something. */
static size_t count_places(const setting *s, int i, const ha__yaml_node *node)
{
    size_t n = 0;

    if (i == s->n_keys || node == NULL) {
        return node == NULL ? 0 : 1;
    }
    if (is_wild(s, i, node)) {
        for (size_t k = 0; k < node->n; k++) {
            n += count_places(s, i + 1, entry_of(node, k).value);
        }
        return n;
    }
    if (node->kind == HA__YAML_SEQUENCE) {
        size_t item = item_number(s->keys[i], node->n);
        return item == node->n ? 0 : count_places(s, i + 1, node->items[item]);
    }
    return count_places(s, i + 1, ha__yaml_get(node, s->keys[i]));
}

static ha_status set_in(const setting *s, int i, const ha__yaml_node *node,
                        const ha__yaml_node **out);

/* The value that stands where key i leads: the new one at the end of the path. */
static ha_status set_below(const setting *s, int i, const ha__yaml_node *old,
                           const ha__yaml_node **out)
{
    if (i + 1 == s->n_keys) {
        *out = s->value;
        return HA_OK;
    }
    return set_in(s, i + 1, old, out);
}

static ha_status set_item(const setting *s, int i, const ha__yaml_node *node, pair_list *list,
                          const ha__yaml_node **out)
{
    size_t item = item_number(s->keys[i], node->n);

    if (item == node->n) {
        return fail_key(s, i, node);
    }
    for (size_t k = 0; k < node->n; k++) {
        ha__yaml_pair pair = { "", node->where, node->items[k] };
        HA_TRY(k == item ? set_below(s, i, node->items[k], &pair.value) : HA_OK);
        HA_TRY_PUSH(s->doc->ctx, list, pair);
    }
    return ha__yaml_collect(s->doc, HA__YAML_SEQUENCE, node->where, list->items, list->count, out);
}

static ha_status set_pair(const setting *s, int i, const ha__yaml_node *node, pair_list *list,
                          const ha__yaml_node **out)
{
    const ha__yaml_pair *old = ha__yaml_find(node, s->keys[i]);
    ha__yaml_pair pair = { s->keys[i], key_where(s, i), NULL };
    bool is_last = i + 1 == s->n_keys;

    if (old == NULL && (!is_last || (node->kind == HA__YAML_SCALAR && !ha__yaml_is_null(node)))) {
        return fail_key(s, i, node);
    }
    HA_TRY(set_below(s, i, old == NULL ? NULL : old->value, &pair.value));
    for (size_t k = 0; k < node->n; k++) {
        HA_TRY_PUSH(s->doc->ctx, list, &node->pairs[k] == old ? pair : node->pairs[k]);
    }
    if (old == NULL) {
        HA_TRY_PUSH(s->doc->ctx, list, pair);
    }
    return ha__yaml_collect(s->doc, HA__YAML_MAPPING, node->where, list->items, list->count, out);
}

/* Sets the rest of the path in every entry. */
static ha_status set_all(const setting *s, int i, const ha__yaml_node *node, pair_list *list,
                         const ha__yaml_node **out)
{
    for (size_t k = 0; k < node->n; k++) {
        ha__yaml_pair pair = entry_of(node, k);
        if (!s->only_present || count_places(s, i + 1, pair.value) > 0) {
            HA_TRY(set_below(s, i, pair.value, &pair.value));
        }
        HA_TRY_PUSH(s->doc->ctx, list, pair);
    }
    return ha__yaml_collect(s->doc, node->kind, node->where, list->items, list->count, out);
}

/* The node with the rest of the path, from key i on, set in it. */
static ha_status set_in(const setting *s, int i, const ha__yaml_node *node,
                        const ha__yaml_node **out)
{
    pair_list list = { 0 };
    ha_status status = is_wild(s, i, node)               ? set_all(s, i, node, &list, out)
                       : node->kind == HA__YAML_SEQUENCE ? set_item(s, i, node, &list, out)
                                                         : set_pair(s, i, node, &list, out);

    HA_ARRAY_CLEAR(&list);
    return status;
}

/* Splits a copy of PATH at its dots. */
static ha_status split_path(setting *s)
{
    char *path = ha__arena_text(s->doc->ctx, &s->doc->arena, s->text, (size_t) s->path_length);

    HA_TRY_MEMORY(path);
    for (char *key = path; key != NULL;) {
        char *dot = strchr(key, '.');
        if (*key == '\0' || dot == key) {
            return ha_fail(s->doc->ctx, HA_ERR_SYNTAX, s->where,
                           "cannot set `%.*s`: a key of the path is empty; write for example "
                           "parameters.mom=0.75",
                           s->path_length, s->text);
        }
        if (s->n_keys == HA__YAML_DEEPEST) {
            return ha_fail(s->doc->ctx, HA_ERR_LIMIT, s->where,
                           "cannot set a path of more than %d keys; shorten it",
                           (int) HA__YAML_DEEPEST);
        }
        if (dot != NULL) {
            *dot = '\0';
        }
        s->keys[s->n_keys++] = key;
        key = dot == NULL ? NULL : dot + 1;
    }
    return HA_OK;
}

/* Takes PATH=VALUE to pieces. */
static ha_status read_setting(setting *s)
{
    enum { LONGEST_PATH = 4096 };
    const char *equals = strchr(s->text, '=');
    ha_where value_where = s->where;

    if (equals == NULL || equals == s->text || equals - s->text > LONGEST_PATH) {
        return ha_fail(s->doc->ctx, HA_ERR_SYNTAX, s->where,
                       "cannot set `%.*s`: it is not PATH=VALUE; write for example "
                       "parameters.mom=0.75",
                       ha__utf8_clip(s->text, strlen(s->text), 60), s->text);
    }
    s->path_length = (int) (equals - s->text);
    while (s->path_length > 0 && isspace((unsigned char) s->text[s->path_length - 1])) {
        s->path_length--;
    }
    HA_TRY(split_path(s));
    if (value_where.column > 0) {
        value_where.column += (int) (equals + 1 - s->text);
    }
    return ha__yaml_read_value(s->doc, equals + 1, strlen(equals + 1), value_where, &s->value);
}

ha_status ha__yaml_set(ha__yaml *doc, const char *text, ha_where where)
{
    setting s = { .doc = doc, .text = text, .where = where };
    const ha__yaml_node *root = NULL;

    HA_TRY(read_setting(&s));
    HA_TRY(set_in(&s, 0, doc->root, &root));
    doc->root = root;
    return HA_OK;
}

ha_status ha__yaml_set_present(ha__yaml *doc, const char *text, ha_where where, size_t *n_places)
{
    setting s = { .doc = doc, .text = text, .where = where, .only_present = true };
    const ha__yaml_node *root = doc->root;

    HA_TRY(read_setting(&s));
    size_t n = count_places(&s, 0, doc->root);
    if (n > 0) {
        HA_TRY(set_in(&s, 0, doc->root, &root));
    }
    doc->root = root;
    *n_places = n;
    return HA_OK;
}
