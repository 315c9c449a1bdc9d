/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read as a whole, by pieces: pipes do not tell their length. */
#include <config.h>

#include "lib/core/input.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/reason.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef HA_ARRAY(char) byte_list;

ha_status ha__input_fail(ha_ctx *ctx, const char *path, int error)
{
    char room[256];

    return ha_fail(ctx, HA_ERR_FILE, (ha_where){ path, 0, 0 },
                   "cannot read the file: %s; check its name and permissions",
                   ha__reason(error, room, sizeof room));
}

static ha_status read_stream(ha_ctx *ctx, FILE *stream, const char *path, size_t most,
                             byte_list *bytes)
{
    enum { PIECE = 65536 };
    size_t got = 0;

    do {
        size_t wanted = most - bytes->count < PIECE ? most - bytes->count : PIECE;
        HA_TRY_ROOM(ctx, bytes, PIECE + 1);
        errno = 0;
        got = fread(bytes->items + bytes->count, 1, wanted, stream);
        bytes->count += got;
        if (ferror(stream)) {
            return ha__input_fail(ctx, path, errno);
        }
    } while (got > 0);
    bytes->items[bytes->count] = '\0';
    return HA_OK;
}

ha_status ha__input_read(ha_ctx *ctx, const char *path, size_t most, char **text, size_t *length)
{
    byte_list bytes = { 0 };
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");

    if (!is_stdin) {
        ha__ctx_note_file(ctx, path);
    }
    if (stream == NULL) {
        return ha__input_fail(ctx, path, errno);
    }
    ha_status status = read_stream(ctx, stream, path, most, &bytes);
    if (!is_stdin) {
        fclose(stream);
    }
    if (status != HA_OK) {
        HA_ARRAY_CLEAR(&bytes);
        return status;
    }
    ha__ctx_note_input(ctx, bytes.items, bytes.count);
    *text = bytes.items;
    *length = bytes.count;
    return HA_OK;
}
