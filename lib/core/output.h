/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that appear complete or not at all. Not installed.
 *
 * A regular file is written under another name in its directory and renamed at the end, with the
 * permissions of a file it replaces; a symbolic link is followed. What is not a regular file (a
 * pipe, a terminal, /dev/full) is written directly; "-" is standard output.
 */
#ifndef LIB_OUTPUT_H
#define LIB_OUTPUT_H

#include "lib/context.h"

#include <stddef.h>
#include <stdio.h>

/* A file being written. After ha__output_open() call ha__output_close() or ha__output_abandon(). */
typedef struct ha__output {
    ha_ctx *ctx;
    FILE *file;
    char *path;   /* as the user wrote it; for messages */
    char *target; /* NULL: written directly */
    char *temporary;
    int error; /* errno of the first failure, 0: none */
} ha__output;

/* Opens `path`; HA_ERR_OUTPUT with a diagnostic when it cannot be written. */
HA_MUST_CHECK ha_status ha__output_open(ha_ctx *ctx, const char *path, ha__output *out);

/* Adds bytes; a failure sticks. */
void ha__output_add(ha__output *out, const void *bytes, size_t length);

/* HA_OK or, with a diagnostic, HA_ERR_OUTPUT after a failure: long work may stop early. */
HA_MUST_CHECK ha_status ha__output_status(const ha__output *out);

/* Finishes the file; on failure adds the diagnostic, leaves what was there before, and returns
   HA_ERR_OUTPUT. */
HA_MUST_CHECK ha_status ha__output_close(ha__output *out);

/* Gives up: removes what was written under the other name. */
void ha__output_abandon(ha__output *out);

/* Opens, writes `length` bytes and closes. */
HA_MUST_CHECK ha_status ha__output_write(ha_ctx *ctx, const char *path, const void *bytes,
                                         size_t length);

#endif
