/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The boxes of a picture: a group of elements is one, and an instance of a submodel is one around
 * those of its parts. They come in the order in which the elements name them.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"

#include <string.h>

size_t bg__box_length(const bg_graph *graph, const char *group, size_t length)
{
    do {
        length += length > 0; /* the dot */
        length += strcspn(group + length, ".");
    } while (group[length] != '\0' && ha__symtab_find(&graph->instance_names, group, length) < 0);
    return length;
}

int bg__outermost(const bg__picture *picture, int group)
{
    while (group >= 0 && picture->groups.items[group].parent >= 0) {
        group = picture->groups.items[group].parent;
    }
    return group;
}

/* Adds the group of a name's first `length` bytes, of which the first `outer` are the group around
   it, number `parent`. */
static ha_status add_group(bg__picture *p, ha__symtab *names, const char *name, size_t outer,
                           size_t length, int parent, int *out)
{
    int is_new = 0;

    HA_TRY(ha__symtab_add(p->ctx, names, name, length, out, &is_new));
    if (is_new) {
        bg__group group = { .parent = parent };
        HA_TRY_GET(group.name, ha__arena_text(p->ctx, &p->arena, name, length));
        group.title = group.name + outer + (outer > 0);
        HA_TRY_PUSH(p->ctx, &p->groups, group);
    }
    return HA_OK;
}

static ha_status add_all(bg__picture *p, ha__symtab *names, const bg_graph *drawn,
                         const bg_graph *whole)
{
    for (size_t i = 0; i < drawn->elements.count; i++) {
        const char *name = drawn->elements.items[i].group;
        size_t outer = 0, length = 0;
        int group = -1;
        for (; name != NULL && name[length] != '\0'; outer = length) {
            length = bg__box_length(whole, name, length);
            HA_TRY(add_group(p, names, name, outer, length, group, &group));
        }
        p->nodes.items[i].group = group;
    }
    return HA_OK;
}

ha_status bg__picture_group(bg__picture *p, const bg_graph *drawn, const bg_graph *whole)
{
    ha__symtab names = { 0 };
    ha_status status = add_all(p, &names, drawn, whole);

    ha__symtab_clear(&names);
    return status;
}
