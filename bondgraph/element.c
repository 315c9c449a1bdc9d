/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of element types and how to find one by its name. */
#include <config.h>

#include "bondgraph/element.h"

#include <stdio.h>
#include <string.h>

static const bg__type *const types[] = {
#define X(type) &type,
#include "bondgraph/elements.def"
#undef X
};

const bg__type *bg__type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < HA_COUNT(types); i++) {
        if (strlen(types[i]->name) == length && strncmp(types[i]->name, name, length) == 0) {
            return types[i];
        }
    }
    return NULL;
}

const bg__type *bg__type_of_prefix(const char *text, size_t length)
{
    const bg__type *best = NULL;

    for (size_t i = 0; i < HA_COUNT(types); i++) {
        size_t n = strlen(types[i]->name);
        if (n <= length && strncmp(types[i]->name, text, n) == 0 &&
            (best == NULL || n > strlen(best->name))) {
            best = types[i];
        }
    }
    return best;
}

const char *bg__type_name(size_t i)
{
    return i < HA_COUNT(types) ? types[i]->name : NULL;
}

const char *bg__article(const bg__type *type)
{
    return strchr("aeiou", type->title[0]) != NULL ? "an" : "a";
}

const char *bg__type_list(char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < HA_COUNT(types) && length < size; i++) {
        int n = snprintf(text + length, size - length, "%s%s", i == 0 ? "" : " ", types[i]->name);
        length += n < 0 ? 0 : (size_t) n;
    }
    return text;
}
