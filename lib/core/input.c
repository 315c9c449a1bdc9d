/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read as a whole, by pieces, as pipes do not tell their length; or line by line. */
#include <config.h>

#include "lib/core/input.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/reason.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef HA_WITHOUT_FILES
ha_status ha__input_fail(ha_ctx *ctx, const char *path, int error)
{
    (void) error;
    return ha_fail(ctx, HA_ERR_FILE, (ha_where){ path, 0, 0 },
                   "cannot read the file: it is not among those that were given");
}
#else
ha_status ha__input_fail(ha_ctx *ctx, const char *path, int error)
{
    char room[256];

    return ha_fail(ctx, HA_ERR_FILE, (ha_where){ path, 0, 0 },
                   "cannot read the file: %s; check its name and permissions",
                   ha__reason(error, room, sizeof room));
}
#endif

/* --- files and what stands for them --------------------------------------------------------- */

#ifdef HA_WITHOUT_FILES
static bool identify_file(const char *path, ha__file_id *out)
{
    (void) path;
    (void) out;
    return false;
}
#else
static bool identify_file(const char *path, ha__file_id *out)
{
    struct stat file;
    bool is_there = stat(path, &file) == 0;

    if (is_there) {
        *out = (ha__file_id){ true, (uint64_t) file.st_dev, (uint64_t) file.st_ino };
    }
    return is_there;
}
#endif

bool ha__input_identify(const ha_ctx *ctx, const char *path, ha__file_id *out)
{
    const ha__given *given = ha__ctx_given(ctx, path);

    if (given == NULL) {
        return identify_file(path, out);
    }
    *out = (ha__file_id){ true, UINT64_MAX, (uint64_t) (uintptr_t) given };
    return true;
}

bool ha__is_same_file(const ha__file_id *a, const ha__file_id *b)
{
    return a->is_known && b->is_known && a->device == b->device && a->number == b->number;
}

/* --- as a whole ----------------------------------------------------------------------------- */

#ifdef HA_WITHOUT_FILES
static ha_status read_file(ha_ctx *ctx, const char *path, size_t most, char **text, size_t *length)
{
    (void) most;
    (void) text;
    (void) length;
    return ha__input_fail(ctx, path, ENOENT);
}
#else
typedef HA_ARRAY(char) byte_list;

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

static ha_status read_file(ha_ctx *ctx, const char *path, size_t most, char **text, size_t *length)
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
    *text = bytes.items;
    *length = bytes.count;
    return HA_OK;
}
#endif

/* A copy of a text given, and no more of it than asked for. */
static ha_status copy_given(ha_ctx *ctx, const ha__given *given, size_t most, char **text,
                            size_t *length)
{
    *length = given->length < most ? given->length : most;
    HA_TRY_GET(*text, ha__copy_text(ctx, given->text, *length));
    return HA_OK;
}

ha_status ha__input_read(ha_ctx *ctx, const char *path, size_t most, char **text, size_t *length)
{
    const ha__given *given = ha__ctx_given(ctx, path);
    char *read = NULL;
    size_t n = 0;

    HA_TRY(given != NULL ? copy_given(ctx, given, most, &read, &n)
                         : read_file(ctx, path, most, &read, &n));
    ha__ctx_note_input(ctx, read, n);
    *text = read;
    *length = n;
    return HA_OK;
}

/* --- line by line --------------------------------------------------------------------------- */

#ifdef HA_WITHOUT_FILES
static ha_status open_stream(ha_ctx *ctx, const char *path, ha__lines *out)
{
    (void) out;
    return ha__input_fail(ctx, path, ENOENT);
}

static ha_status next_of_stream(ha_ctx *ctx, const char *path, ha__lines *lines, char *line,
                                size_t size, bool *is_there, bool *is_last)
{
    (void) ctx;
    (void) path;
    (void) lines;
    (void) line;
    (void) size;
    *is_there = false;
    *is_last = true;
    return HA_OK;
}

static void close_stream(FILE *stream)
{
    (void) stream;
}
#else
static ha_status open_stream(ha_ctx *ctx, const char *path, ha__lines *out)
{
    out->stream = fopen(path, "rb");
    return out->stream != NULL ? HA_OK : ha__input_fail(ctx, path, errno);
}

static ha_status next_of_stream(ha_ctx *ctx, const char *path, ha__lines *lines, char *line,
                                size_t size, bool *is_there, bool *is_last)
{
    *is_there = fgets(line, (int) size, lines->stream) != NULL;
    *is_last = feof(lines->stream) != 0;
    return ferror(lines->stream) != 0 ? ha__input_fail(ctx, path, errno) : HA_OK;
}

static void close_stream(FILE *stream)
{
    fclose(stream);
}
#endif

ha_status ha__lines_open(ha_ctx *ctx, const char *path, ha__lines *out)
{
    const ha__given *given = ha__ctx_given(ctx, path);

    *out = (ha__lines){ 0 };
    ha__ctx_note_file(ctx, path);
    if (given != NULL) {
        out->text = given->text;
        out->left = given->length;
        return HA_OK;
    }
    return open_stream(ctx, path, out);
}

/* As fgets() and feof() of a text. */
static void next_of_text(ha__lines *lines, char *line, size_t size, bool *is_there, bool *is_last)
{
    size_t most = lines->left < size - 1 ? lines->left : size - 1;
    const char *end = memchr(lines->text, '\n', most);
    size_t n = end != NULL ? (size_t) (end - lines->text) + 1 : most;

    memcpy(line, lines->text, n);
    line[n] = '\0';
    *is_there = n > 0;
    lines->text += n;
    lines->left -= n;
    *is_last = end == NULL && lines->left == 0;
}

ha_status ha__lines_next(ha_ctx *ctx, const char *path, ha__lines *lines, char *line, size_t size,
                         bool *is_there, bool *is_last)
{
    if (lines->stream == NULL) {
        next_of_text(lines, line, size, is_there, is_last);
        return HA_OK;
    }
    return next_of_stream(ctx, path, lines, line, size, is_there, is_last);
}

void ha__lines_close(ha__lines *lines)
{
    if (lines->stream != NULL) {
        close_stream(lines->stream);
    }
    *lines = (ha__lines){ 0 };
}
