/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The element types that users have registered in a context. Not installed. */
#ifndef BONDGRAPH_REGISTRY_H
#define BONDGRAPH_REGISTRY_H

#include "bondgraph/graph/element.h"
#include "lib/core/mem.h"

/* What a context keeps: every graph and reader of it finds the types. */
typedef struct bg__registry {
    ha__arena arena;
    HA_ARRAY(const bg__type *) types; /* in the arena: they must not move */
} bg__registry;

/* The registry of a context, made where there is none. */
HA_MUST_CHECK ha_status bg__registry_of(ha_ctx *ctx, bg__registry **out);

#endif
