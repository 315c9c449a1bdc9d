/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growable text that every writer uses. Its first failure sticks. Not installed. */
#ifndef LIB_STRBUF_H
#define LIB_STRBUF_H

#include "lib/context.h"
#include "lib/core/mem.h"

/* Set up with HA_STRBUF(ctx), freed with ha__strbuf_clear(). */
typedef struct ha__strbuf {
    ha_ctx *ctx;
    char *text;       /* zero-terminated once something was added; NULL before */
    size_t length;    /* bytes without the terminating zero */
    size_t capacity;  /* bytes allocated */
    ha_status status; /* HA_OK or the first failure */
} ha__strbuf;

#define HA_STRBUF(ctx) ((ha__strbuf){ (ctx), NULL, 0, 0, HA_OK })

/* Appends a text. */
void ha__strbuf_add(ha__strbuf *buffer, const char *text);

/* Appends `length` bytes. */
void ha__strbuf_add_bytes(ha__strbuf *buffer, const char *text, size_t length);

/* Appends `length` bytes of the buffer itself, those from `begin` on, which must be there. */
void ha__strbuf_repeat(ha__strbuf *buffer, size_t begin, size_t length);

/* Appends a formatted text; no floating-point conversions, they depend on the locale. */
void ha__strbuf_addf(ha__strbuf *buffer, const char *format, ...) HA_PRINTF(2, 3);

/* Appends a number with 17 significant digits. */
void ha__strbuf_add_number(ha__strbuf *buffer, double x);

/* Appends a number with the fewest digits that read back to it. */
void ha__strbuf_add_short_number(ha__strbuf *buffer, double x);

/* Appends a text as content of XML or HTML or between double quotes there: what has a meaning as an
   entity, what XML does not have as a blank. */
void ha__strbuf_add_markup(ha__strbuf *buffer, const char *text);

/* The text so far, "" when empty; borrowed until the next call. */
const char *ha__strbuf_text(const ha__strbuf *buffer);

/* Takes the text out of the buffer (to be freed with ha__free); NULL after a failure. */
char *ha__strbuf_take(ha__strbuf *buffer);

/* Frees a text that has served; returns `status`. */
HA_MUST_CHECK ha_status ha__strbuf_drop(ha__strbuf *buffer, ha_status status);

/* ha_fail() with the text of a buffer among its arguments, which is freed; where the text could not
   be made, that is what is returned. */
#define HA_FAIL_WITH(buffer, ...)                                                                  \
    ha__strbuf_drop(&(buffer), (buffer).status == HA_OK ? ha_fail(__VA_ARGS__) : (buffer).status)

/* Ends a text: `*out` gets it (to be freed with ha__free) where making it ended with HA_OK and
   memory sufficed. The buffer is freed in any case. */
HA_MUST_CHECK ha_status ha__strbuf_finish(ha__strbuf *buffer, ha_status made, char **out);

/* Copies the text to an arena, and frees it in any case. */
HA_MUST_CHECK ha_status ha__strbuf_keep(ha__strbuf *buffer, ha__arena *arena, const char **out);

/* Frees the text. */
void ha__strbuf_clear(ha__strbuf *buffer);

#endif
