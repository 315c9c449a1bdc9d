/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of element types and how to find one by its name. */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "lib/core/symtab.h"

#include <stdio.h>
#include <string.h>

static const bg__type *const types[] = {
#define X(type) &type,
#include "bondgraph/elements.def"
#undef X
};

const bg__type *bg__type_at(const ha_ctx *ctx, size_t i)
{
    return i < HA_COUNT(types) ? types[i] : bg__type_registered(ctx, i - HA_COUNT(types));
}

const bg__type *bg__type_find(const ha_ctx *ctx, const char *name, size_t length)
{
    const bg__type *type = NULL;

    for (size_t i = 0; (type = bg__type_at(ctx, i)) != NULL; i++) {
        if (strncmp(type->name, name, length) == 0 && type->name[length] == '\0') {
            return type;
        }
    }
    return NULL;
}

const bg__type *bg__type_of_prefix(const ha_ctx *ctx, const char *text, size_t length)
{
    const bg__type *best = NULL, *type = NULL;

    for (size_t i = 0; (type = bg__type_at(ctx, i)) != NULL; i++) {
        size_t n = strlen(type->name);
        if (n <= length && strncmp(type->name, text, n) == 0 &&
            (best == NULL || n > strlen(best->name))) {
            best = type;
        }
    }
    return best;
}

const char *bg__article(const bg__type *type)
{
    return strchr("aeiou", type->title[0]) != NULL ? "an" : "a";
}

const char *bg__type_list(const ha_ctx *ctx, char *text, size_t size)
{
    const bg__type *type = NULL;
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; (type = bg__type_at(ctx, i)) != NULL; i++) {
        size_t n = strlen(type->name) + (i == 0 ? 0 : 1);
        if (length + n < size) {
            length += (size_t) snprintf(text + length, size - length, "%s%s", i == 0 ? "" : " ",
                                        type->name);
        }
    }
    return text;
}

const char *bg__type_remedy(const ha_ctx *ctx, const char *name, char *text, size_t size)
{
    enum { MOST = 64 };
    const char *names[MOST];
    const bg__type *type = NULL;
    size_t n = 0;

    while (n < MOST && (type = bg__type_at(ctx, n)) != NULL) {
        names[n++] = type->name;
    }
    const char *nearest = ha__nearest(name, names, n);
    if (nearest != NULL) {
        snprintf(text, size, "did you mean `%s`?", nearest);
    } else {
        int used = snprintf(text, size, "use one of ");
        bg__type_list(ctx, text + used, size - (size_t) used);
    }
    return text;
}
