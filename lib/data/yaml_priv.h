/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files yaml*.c share. Not installed. */
#ifndef LIB_YAML_PRIV_H
#define LIB_YAML_PRIV_H

#include "lib/core/mem.h"
#include "lib/data/yaml.h"

enum {
    HA__YAML_DEEPEST = 64,                /* collections inside each other */
    HA__YAML_MOST_NODES = 4 * 1000 * 1000 /* of a document, aliases expanded */
};

struct ha__yaml {
    ha_ctx *ctx;
    ha__arena arena;
    const ha__yaml_node *root;
};

/* The collection whose items or pairs are copied from `pairs` (n; a sequence uses the values). */
HA_MUST_CHECK ha_status ha__yaml_collect(ha__yaml *doc, ha__yaml_kind kind, ha_where where,
                                         const ha__yaml_pair *pairs, size_t n,
                                         const ha__yaml_node **out);

/* A scalar with a copy of the text. */
HA_MUST_CHECK ha_status ha__yaml_scalar(ha__yaml *doc, const char *text, size_t length,
                                        bool is_quoted, ha_where where, const ha__yaml_node **out);

/* Reads one value of any kind into a document; no text gives the empty scalar. `where` is the
   location of the first byte. */
HA_MUST_CHECK ha_status ha__yaml_read_value(ha__yaml *doc, const char *text, size_t length,
                                            ha_where where, const ha__yaml_node **out);

/* Checks that the text is printable UTF-8, so that libyaml need not complain. */
HA_MUST_CHECK ha_status ha__yaml_check_text(ha_ctx *ctx, const char *text, size_t length,
                                            ha_where where);

#endif
