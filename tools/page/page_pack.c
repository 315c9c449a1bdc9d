/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes as text. Digits are what is printed and can stand in a script: the characters from `!` to
 * `~` without `<`. Two of them are a number below 93^2 = 8649, which is 13 bits and some: bits are
 * taken 13 at a time, the lowest first, and where these are below 8649 - 2^13 = 457, 14 of them.
 * That makes 1.226 characters of a byte, where base64 makes 1.333.
 */
#include <config.h>

#include "tools/page/page_pack.h"

#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { BASE = 93, BITS = 13, FEW = BASE * BASE - (1 << BITS) };

static void add_digits(unsigned number, ha__strbuf *out)
{
    const unsigned digits[] = { number % BASE, number / BASE };
    char text[2];

    for (int i = 0; i < 2; i++) {
        char c = (char) ('!' + digits[i]);
        text[i] = c < '<' ? c : (char) (c + 1);
    }
    ha__strbuf_add_bytes(out, text, sizeof text);
}

void page_add_bytes(const char *id, const unsigned char *bytes, size_t length, ha__strbuf *out)
{
    unsigned bits = 0;
    int n = 0;

    ha__strbuf_addf(out, "<script type=\"text/plain\" id=\"%s\">%zu ", id, length);
    for (size_t i = 0; i < length; i++) {
        bits |= (unsigned) bytes[i] << n;
        n += 8;
        if (n > BITS) {
            int taken = (bits & ((1u << BITS) - 1u)) < FEW ? BITS + 1 : BITS;
            add_digits(bits & ((1u << taken) - 1u), out);
            bits >>= taken;
            n -= taken;
        }
    }
    if (n > 0) {
        add_digits(bits, out);
    }
    ha__strbuf_add(out, "</script>\n");
}

/* Packs into memory of its own, to be freed; NULL: there is none. */
static unsigned char *pack(ha_ctx *ctx, const char *text, size_t *length)
{
    const int window = 15, gzip = 16, memory = 9;
    z_stream stream = { .next_in = (const Bytef *) text, .avail_in = (uInt) strlen(text) };
    unsigned char *packed = NULL;

    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window + gzip, memory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    stream.avail_out = (uInt) deflateBound(&stream, stream.avail_in);
    packed = ha__alloc(ctx, stream.avail_out, 1);
    if (packed != NULL) {
        stream.next_out = packed;
        deflate(&stream, Z_FINISH);
        *length = stream.total_out;
    }
    deflateEnd(&stream);
    return packed;
}

ha_status page_add_packed(const char *id, const char *text, ha__strbuf *out)
{
    size_t length = 0;
    unsigned char *packed = pack(out->ctx, text, &length);

    if (packed == NULL) {
        return ha_fail(out->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                       "out of memory while a part of the page was packed");
    }
    page_add_bytes(id, packed, length, out);
    ha__free(packed);
    return out->status;
}
