/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: a tree of YAML nodes that know their location in the text. Not installed.
 *
 * Scalars keep their text verbatim; nothing is taken for a number or a truth value before somebody
 * asks. Nodes never change: merging and setting make new ones and share the rest. Nodes live as
 * long as the document. JSON text is YAML too.
 *
 * Refused with an error that has the location: text that is not UTF-8 or holds control characters,
 * files over 64 MiB, nesting over 64, more than 4 million nodes with aliases expanded, an alias
 * inside of what it names, several documents, an empty one, a root that is no mapping, keys that
 * are no scalars, duplicate keys, merge keys, tags other than those of YAML's core schema.
 */
#ifndef LIB_YAML_H
#define LIB_YAML_H

#include "lib/context.h"

#include <stdbool.h>
#include <stddef.h>

/* What a node is. */
typedef enum ha__yaml_kind { HA__YAML_SCALAR, HA__YAML_SEQUENCE, HA__YAML_MAPPING } ha__yaml_kind;

typedef struct ha__yaml_node ha__yaml_node;

/* A key of a mapping and its value. */
typedef struct ha__yaml_pair {
    const char *key;
    ha_where where; /* of the key */
    const ha__yaml_node *value;
} ha__yaml_pair;

/* A node. */
struct ha__yaml_node {
    ha__yaml_kind kind;
    bool is_quoted;   /* scalar: in quotes or a block, so that it is text whatever it looks like */
    ha_where where;   /* of its first byte; of a quoted scalar, the quote */
    const char *text; /* scalar: its text, zero-terminated, "" for an empty one; else NULL */
    size_t n;         /* number of items or pairs */
    const ha__yaml_node *const *items; /* sequence: (n); else NULL */
    const ha__yaml_pair *pairs;        /* mapping: (n) in order of the text; else NULL */
    const int *slots; /* mapping with many keys: hash table of pair numbers + 1; else NULL */
    size_t n_slots;   /* a power of two, 0: no table */
};

/* A document. */
typedef struct ha__yaml ha__yaml;

/* Reads a file, "-" standard input. HA_ERR_FILE, HA_ERR_SYNTAX, HA_ERR_NAME, HA_ERR_LIMIT or
   HA_ERR_MEMORY. Free the document with ha__yaml_free(). */
HA_MUST_CHECK ha_status ha__yaml_read_file(ha_ctx *ctx, const char *path, ha__yaml **out);

/* Reads `length` bytes; `name` stands for the file in messages. */
HA_MUST_CHECK ha_status ha__yaml_read_text(ha_ctx *ctx, const char *text, size_t length,
                                           const char *name, ha__yaml **out);

/* Frees a document and its nodes; NULL is legal. */
void ha__yaml_free(ha__yaml *doc);

/* The root, a mapping. */
const ha__yaml_node *ha__yaml_root(const ha__yaml *doc);

/* Makes a node of this document its root, for example the result of a merge, or the root of before
   some ha__yaml_set(). */
void ha__yaml_set_root(ha__yaml *doc, const ha__yaml_node *root);

/* --- looking around (never fails) ------------------------------------------------------------ */

/* "a scalar", "a sequence", "a mapping". */
const char *ha__yaml_kind_text(ha__yaml_kind kind);

/* True for a plain scalar that is empty, `~` or `null`. */
bool ha__yaml_is_null(const ha__yaml_node *node);

/* The value of a key, NULL when the node is no mapping or has no such key. */
const ha__yaml_node *ha__yaml_get(const ha__yaml_node *node, const char *key);

/* The pair of a key, NULL when there is none. */
const ha__yaml_pair *ha__yaml_find(const ha__yaml_node *node, const char *key);

/* The location of the first byte of a scalar's text: behind the quote of a quoted one. */
ha_where ha__yaml_text_where(const ha__yaml_node *node);

/* --- checked access: each adds one error when it fails, and the caller may go on ------------- */
/* `object` names in messages whose node it is: "body `K1`", "`mass` of body `K1`". */

/* Reports every key that is not among the `n` known ones, with the nearest of them. HA_ERR_NAME
   when there is one. A node that is no mapping is HA_ERR_SYNTAX, a null one is an empty mapping. */
HA_MUST_CHECK ha_status ha__yaml_check_keys(ha_ctx *ctx, const ha__yaml_node *node,
                                            const char *object, const char *const *keys, size_t n);

/* The value of a key that must be there; HA_ERR_NAME when it is not. */
HA_MUST_CHECK ha_status ha__yaml_require(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                                         const char *key, const ha__yaml_node **out);

/* HA_ERR_SYNTAX unless the node is of this kind. A null node is accepted as an empty sequence or
   mapping (its n is 0), but not as a scalar. */
HA_MUST_CHECK ha_status ha__yaml_expect(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                                        ha__yaml_kind kind);

/* The text of a scalar that is not null. */
HA_MUST_CHECK ha_status ha__yaml_text(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                                      const char **out);

/* The items of a sequence of exactly n. */
HA_MUST_CHECK ha_status ha__yaml_items(ha_ctx *ctx, const ha__yaml_node *node, const char *object,
                                       size_t n, const ha__yaml_node *const **out);

/* --- changing -------------------------------------------------------------------------------- */

/* `base` with `overlay` on it: mappings are merged key by key, new keys behind the old ones, and
   everything else is replaced. Either may be NULL. Both live in `doc`, as does the result. */
HA_MUST_CHECK ha_status ha__yaml_merge(ha__yaml *doc, const ha__yaml_node *base,
                                       const ha__yaml_node *overlay, const ha__yaml_node **out);

/* Sets a value of the document's root: `text` is PATH=VALUE with PATH made of keys, and numbers of
   items from 0, joined by dots, and VALUE is read as YAML. All of PATH but its last key must exist.
   A key `*` stands for every key or item, unless there is a key `*`.
   `where` is the location of the first byte of `text`. HA_ERR_SYNTAX, HA_ERR_NAME, HA_ERR_LIMIT. */
HA_MUST_CHECK ha_status ha__yaml_set(ha__yaml *doc, const char *text, ha_where where);

/* As ha__yaml_set(), where PATH leads to something already: in `*n_places` places, perhaps none. */
HA_MUST_CHECK ha_status ha__yaml_set_present(ha__yaml *doc, const char *text, ha_where where,
                                             size_t *n_places);

#endif
