/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a text must be before it is read as YAML: printable UTF-8. */
#include <config.h>

#include "lib/core/utf8.h"
#include "lib/data/yaml_priv.h"

#include <string.h>

/* The characters that YAML texts are made of. */
static bool is_printable(unsigned code)
{
    return (code >= 0x20 && code < 0x7F) || code == '\n' || code == '\r' || code == '\t' ||
           code == 0x85 || (code >= 0xA0 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF);
}

ha_status ha__yaml_check_text(ha_ctx *ctx, const char *text, size_t length, ha_where where)
{
    size_t line = 0, start = 0, n = 0;

    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return ha_fail(ctx, HA_ERR_SYNTAX, where, "the text is UTF-16; save it as UTF-8");
    }
    for (size_t i = 0; i < length; i += n) {
        unsigned code = 0;
        n = ha__utf8_read(text + i, length - i, &code);
        if (n > 0 && is_printable(code)) {
            line += code == '\n' ? 1 : 0;
            start = code == '\n' ? i + 1 : start;
            continue;
        }
        if (where.line > 0) {
            where.column = (int) (i - start) + (line == 0 ? where.column : 1);
            where.line += (int) line;
        }
        return ha_fail(ctx, HA_ERR_SYNTAX, where,
                       n == 0 ? "the byte 0x%02X is no UTF-8; save the text as UTF-8"
                              : "the text holds the control character 0x%02X; is it a binary file?",
                       n == 0 ? (unsigned) (unsigned char) text[i] : code);
    }
    return HA_OK;
}
