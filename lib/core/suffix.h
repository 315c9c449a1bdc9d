/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats of files that are chosen by the suffix of a name. Each kind of export has one table of
 * them: what writes it, its check, its messages, the help and the documents follow from the rows.
 * Not installed.
 */
#ifndef LIB_SUFFIX_H
#define LIB_SUFFIX_H

#include "lib/core/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* A format; the first member of the rows of a table. */
typedef struct ha__suffix {
    const char *suffix;   /* ".csv" */
    const char *sentence; /* what such a file is; NULL: what the row before says */
} ha__suffix;

/* A table of formats. */
typedef struct ha__suffixes {
    const void *rows; /* (count) of any struct that begins with a ha__suffix */
    size_t count, size;
    const char *what;                /* is written: "the results" */
    bool has_plain;                  /* `-`, a device and a pipe get the first format */
    const struct ha__suffixes *more; /* another table whose formats serve, too; NULL: none */
} ha__suffixes;

/* The first members of a table whose rows are in an array. */
#define HA__SUFFIXES(array) .rows = (array), .count = HA_COUNT(array), .size = sizeof *(array)

/* True when a name ends in a suffix and has something before it. */
bool ha__has_suffix(const char *path, const char *suffix);

/* Row number `i` of a table and of those behind it, NULL behind the last. */
const ha__suffix *ha__suffix_at(const ha__suffixes *table, size_t i);

/* The row whose suffix a name has, NULL: none. */
const ha__suffix *ha__suffix_of(const ha__suffixes *table, const char *path);

/* The row of a file, to be cast to that of the table, NULL: its suffix says no known format, or one
   of a table behind. */
const void *ha__suffix_find(const ha__suffixes *table, const char *path);

/* Adds the suffixes as ".svg, .pdf or .png". */
void ha__suffix_add_list(ha__strbuf *out, const ha__suffixes *table);

/* HA_OK when the format of a file is known; else HA_ERR_ARGUMENT. */
HA_MUST_CHECK ha_status ha__suffix_check(ha_ctx *ctx, const ha__suffixes *table, const char *path);

#endif
