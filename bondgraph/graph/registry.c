/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The element types that users have registered in a context. */
#include <config.h>

#include "bondgraph/graph/registry.h"

#include "bondgraph/element_type.h"
#include "bondgraph/graph/graph_priv.h"
#include "lib/core/context_priv.h"

static void free_registry(void *kept)
{
    bg__registry *all = kept;

    HA_ARRAY_CLEAR(&all->types);
    ha__arena_clear(&all->arena);
    ha__free(all);
}

ha_status bg__registry_of(ha_ctx *ctx, bg__registry **out)
{
    bg__registry *all = ha__ctx_kept(ctx);

    if (all == NULL) {
        HA_TRY_ALLOC(ctx, all, 1);
        ha__ctx_keep(ctx, all, free_registry);
    }
    *out = all;
    return HA_OK;
}

const bg__type *bg__type_registered(const ha_ctx *ctx, size_t i)
{
    const bg__registry *all = ha__ctx_kept(ctx);

    return all != NULL && i < all->types.count ? all->types.items[i] : NULL;
}

bg_book bg_element_book(const bg_graph *graph, bg_element element)
{
    return graph->elements.items[element].type->book;
}
