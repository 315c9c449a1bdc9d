/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growable text with a sticky status. */
#include <config.h>

#include "lib/core/strbuf.h"

#include "lib/core/format.h"
#include "lib/core/number.h"
#include "lib/core/utf8.h"

#include <stdarg.h>
#include <string.h>

/* Room for `extra` bytes and a zero; NULL (and the sticky status) on failure. */
static char *room(ha__strbuf *buffer, size_t extra)
{
    if (buffer->status != HA_OK) {
        return NULL;
    }

    char *text =
        ha__room(buffer->ctx, buffer->text, buffer->length, extra + 1, &buffer->capacity, 1);
    if (text == NULL) {
        buffer->status = HA_ERR_MEMORY;
        return NULL;
    }
    buffer->text = text;
    return text + buffer->length;
}

void ha__strbuf_add_bytes(ha__strbuf *buffer, const char *text, size_t length)
{
    char *end = room(buffer, length);

    if (end != NULL) {
        memcpy(end, text, length);
        end[length] = '\0';
        buffer->length += length;
    }
}

void ha__strbuf_repeat(ha__strbuf *buffer, size_t begin, size_t length)
{
    char *end = room(buffer, length); /* this may move the text */

    if (end != NULL) {
        memcpy(end, buffer->text + begin, length);
        end[length] = '\0';
        buffer->length += length;
    }
}

void ha__strbuf_add(ha__strbuf *buffer, const char *text)
{
    ha__strbuf_add_bytes(buffer, text, strlen(text));
}

void ha__strbuf_addf(ha__strbuf *buffer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = ha__vformat(NULL, 0, format, arguments);
    va_end(arguments);
    char *end = length < 0 ? NULL : room(buffer, (size_t) length);
    if (end != NULL) {
        va_start(arguments, format);
        (void) ha__vformat(end, (size_t) length + 1, format, arguments);
        va_end(arguments);
        buffer->length += (size_t) length;
    }
}

void ha__strbuf_add_number(ha__strbuf *buffer, double x)
{
    char digits[HA__NUMBER_SIZE];

    ha__strbuf_add(buffer, ha__print_number(digits, x));
}

void ha__strbuf_add_short_number(ha__strbuf *buffer, double x)
{
    char digits[HA__NUMBER_SIZE];

    ha__strbuf_add(buffer, ha__print_short_number(digits, x));
}

static const char *entity(char c)
{
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

void ha__strbuf_add_markup(ha__strbuf *buffer, const char *text)
{
    for (size_t length = strlen(text), n = 0; length > 0; text += n, length -= n) {
        unsigned code = 0;
        n = ha__utf8_read(text, length, &code);
        bool is_legal = n > 0 && code >= 0x20 && code != 0xfffe && code != 0xffff;
        n = n == 0 ? 1 : n;
        if (!is_legal) {
            ha__strbuf_add(buffer, " ");
        } else if (entity(*text) != NULL) {
            ha__strbuf_add(buffer, entity(*text));
        } else {
            ha__strbuf_add_bytes(buffer, text, n);
        }
    }
}

const char *ha__strbuf_text(const ha__strbuf *buffer)
{
    return buffer->text == NULL ? "" : buffer->text;
}

char *ha__strbuf_take(ha__strbuf *buffer)
{
    char *text = NULL;

    if (room(buffer, 0) != NULL) {
        text = buffer->text;
        text[buffer->length] = '\0';
        *buffer = HA_STRBUF(buffer->ctx);
    } else { /* who takes it has no more to free */
        ha__free(buffer->text);
        buffer->text = NULL;
        buffer->length = buffer->capacity = 0;
    }
    return text;
}

ha_status ha__strbuf_drop(ha__strbuf *buffer, ha_status status)
{
    ha__strbuf_clear(buffer);
    return status;
}

ha_status ha__strbuf_finish(ha__strbuf *buffer, ha_status made, char **out)
{
    ha_status status = made == HA_OK ? buffer->status : made;
    char *text = status == HA_OK ? ha__strbuf_take(buffer) : NULL;

    ha__strbuf_clear(buffer);
    if (text == NULL) {
        return status == HA_OK ? HA_ERR_MEMORY : status;
    }
    *out = text;
    return HA_OK;
}

ha_status ha__strbuf_keep(ha__strbuf *buffer, ha__arena *arena, const char **out)
{
    ha_status status = buffer->status;
    const char *kept = status != HA_OK ? NULL
                                       : ha__arena_text(buffer->ctx, arena, ha__strbuf_text(buffer),
                                                        buffer->length);

    ha__strbuf_clear(buffer);
    HA_TRY(status);
    HA_TRY_MEMORY(kept);
    *out = kept;
    return HA_OK;
}

void ha__strbuf_clear(ha__strbuf *buffer)
{
    ha__free(buffer->text);
    *buffer = HA_STRBUF(buffer->ctx);
}
