/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of files by suffix. */
#include <config.h>

#include "lib/core/suffix.h"

#include "lib/core/mem.h"

#include <string.h>
#include <sys/stat.h>

bool ha__has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), n = strlen(suffix);

    return length > n && strcmp(path + length - n, suffix) == 0;
}

const ha__suffix *ha__suffix_at(const ha__suffixes *table, size_t i)
{
    for (; table != NULL && i >= table->count; table = table->more) {
        i -= table->count;
    }
    return table == NULL ? NULL : (const void *) ((const char *) table->rows + i * table->size);
}

/* A device or a pipe needs no suffix. */
static bool is_plain(const char *path)
{
    struct stat found;

    return strcmp(path, "-") == 0 ||
           (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

const ha__suffix *ha__suffix_of(const ha__suffixes *table, const char *path)
{
    const ha__suffix *row = NULL;
    size_t i = 0;

    do {
        row = ha__suffix_at(table, i++);
    } while (row != NULL && !ha__has_suffix(path, row->suffix));
    return row;
}

static const ha__suffix *find(const ha__suffixes *table, const char *path)
{
    const ha__suffix *row = ha__suffix_of(table, path);

    return row == NULL && table->has_plain && is_plain(path) ? ha__suffix_at(table, 0) : row;
}

const void *ha__suffix_find(const ha__suffixes *table, const char *path)
{
    ha__suffixes alone = *table;

    alone.more = NULL;
    return find(&alone, path);
}

void ha__suffix_add_list(ha__strbuf *out, const ha__suffixes *table)
{
    const ha__suffix *row = NULL;

    for (size_t i = 0; (row = ha__suffix_at(table, i)) != NULL; i++) {
        const char *comma = ha__suffix_at(table, i + 1) == NULL ? " or " : ", ";
        ha__strbuf_addf(out, "%s%s", i == 0 ? "" : comma, row->suffix);
    }
}

ha_status ha__suffix_check(ha_ctx *ctx, const ha__suffixes *table, const char *path)
{
    ha__strbuf list = HA_STRBUF(ctx);

    if (find(table, path) != NULL) {
        return HA_OK;
    }
    ha__suffix_add_list(&list, table);
    ha_status status =
        list.status != HA_OK
            ? list.status
            : ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                      "%s cannot be written as `%s`, whose suffix says no known format; use %s",
                      table->what, path, ha__strbuf_text(&list));
    return ha__strbuf_drop(&list, status);
}
