/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What messages suggest for a name that is none. Spelling tells which member of an object is meant
 * only where its name is long: .w is as near to .x as to .y, and .i of an inductor to nothing.
 */
#include <config.h>

#include "lib/core/hint.h"

#include "lib/core/mem.h"

#include <stdbool.h>
#include <string.h>

enum { SHORT = 2 /* letters of a member that spelling does not tell */, MOST = 16 };

const char *ha__function_meant(const char *name)
{
    static const char *const others[][2] = {
        { "sgn", "sign" },    { "signum", "sign" }, { "ln", "log" },      { "fabs", "abs" },
        { "arcsin", "asin" }, { "arccos", "acos" }, { "arctan", "atan" }, { "arctan2", "atan2" },
    };

    for (size_t i = 0; i < HA_COUNT(others); i++) {
        if (strcmp(name, others[i][0]) == 0) {
            return others[i][1];
        }
    }
    return NULL;
}

/* Whether a name is that of an object and a member without dots, "arm.x" of "arm.". */
static bool is_member(const char *name, const char *owner, size_t length)
{
    return strncmp(name, owner, length) == 0 && strchr(name + length, '.') == NULL;
}

/* Adds the members of the object whose name and dot are the first `length` bytes of `name`. */
static bool add_members(ha__strbuf *text, const ha__symtab *table, const char *name, size_t length)
{
    int n = 0;

    for (size_t i = 0; i < table->names.count; i++) {
        const char *known = table->names.items[i];
        if (is_member(known, name, length) && n++ < MOST) {
            if (n == 1) {
                ha__strbuf_addf(text, "`%.*s` has", (int) length - 1, name);
            }
            ha__strbuf_addf(text, "%s .%s", n == 1 ? "" : ",", known + length);
        }
    }
    ha__strbuf_add(text, n > MOST ? " and others" : "");
    return n > 0;
}

void ha__hint_member(ha__strbuf *text, const ha__symtab *table, const char *name,
                     const char *otherwise)
{
    const char *near = ha__symtab_nearest(table, name), *dot = strrchr(name, '.');
    size_t length = dot == NULL ? 0 : (size_t) (dot + 1 - name);
    bool is_told =
        near != NULL && (dot == NULL || (strlen(dot + 1) > SHORT && is_member(near, name, length)));

    if (is_told || dot == NULL || !add_members(text, table, name, length)) {
        ha__strbuf_addf(text, "%s%s%s", near == NULL ? otherwise : "did you mean `",
                        near == NULL ? "" : near, near == NULL ? "" : "`?");
    }
}
