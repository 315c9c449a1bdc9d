/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read. Not installed. */
#ifndef LIB_INPUT_H
#define LIB_INPUT_H

#include "lib/context.h"

#include <stddef.h>

/*
 * Reads a file, "-" standard input, up to `most` bytes; what is beyond is left unread, so that one
 * byte more than a limit tells a file that exceeds it. A zero stands behind the `*length` bytes of
 * `*text`, which is to be freed with ha__free(). HA_ERR_FILE with the name and the reason.
 */
HA_MUST_CHECK ha_status ha__input_read(ha_ctx *ctx, const char *path, size_t most, char **text,
                                       size_t *length);

/* Says that a file cannot be read, and errno `error` why. */
ha_status ha__input_fail(ha_ctx *ctx, const char *path, int error);

#endif
