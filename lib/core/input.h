/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are read. Not installed.
 *
 * A context may have been given texts that stand for files: they are found before what is on disk,
 * by their names. Where there are no files at all (HA_WITHOUT_FILES) nothing else is found.
 */
#ifndef LIB_INPUT_H
#define LIB_INPUT_H

#include "lib/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is read of a model: a byte more than it may have, which readers then say. */
enum { HA__MODEL_BYTES = (64 << 20) + 1 };

/* A text that stands for a file; borrowed. */
typedef struct ha__given {
    const char *name;
    const char *text;
    size_t length;
} ha__given;

/* What tells files apart however their names are written; zero-initialised is no file. */
typedef struct ha__file_id {
    bool is_known;
    uint64_t device, number;
} ha__file_id;

/* A file that is read line by line; a member is NULL where the other is in use. */
typedef struct ha__lines {
    FILE *stream;
    const char *text; /* where reading stands in a text given */
    size_t left;      /* bytes of it */
} ha__lines;

/*
 * Reads a file, "-" standard input, up to `most` bytes; what is beyond is left unread, so that one
 * byte more than a limit tells a file that exceeds it. A zero stands behind the `*length` bytes of
 * `*text`, which is to be freed with ha__free(). HA_ERR_FILE with the name and the reason.
 */
HA_MUST_CHECK ha_status ha__input_read(ha_ctx *ctx, const char *path, size_t most, char **text,
                                       size_t *length);

/* Finds a file; false when there is none of this name. */
bool ha__input_identify(const ha_ctx *ctx, const char *path, ha__file_id *out);

/* True when both are known and the same. */
bool ha__is_same_file(const ha__file_id *a, const ha__file_id *b);

/* Opens a file; HA_ERR_FILE. */
HA_MUST_CHECK ha_status ha__lines_open(ha_ctx *ctx, const char *path, ha__lines *out);

/* The next line with its end, as fgets() reads it; `*is_there` is false behind the last one.
   `*is_last` tells that nothing is behind it. HA_ERR_FILE. */
HA_MUST_CHECK ha_status ha__lines_next(ha_ctx *ctx, const char *path, ha__lines *lines, char *line,
                                       size_t size, bool *is_there, bool *is_last);

void ha__lines_close(ha__lines *lines);

/* Says that a file cannot be read, and errno `error` why. */
ha_status ha__input_fail(ha_ctx *ctx, const char *path, int error);

#endif
