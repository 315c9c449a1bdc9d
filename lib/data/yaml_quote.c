/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as YAML has them between double quotes. */
#include <config.h>

#include "lib/data/yaml_quote.h"

#include "lib/core/utf8.h"

#include <string.h>

/* True for what readers of YAML refuse, take for the end of a line, or drop. */
static bool needs_escape(unsigned code)
{
    return ha__utf8_is_control(code) || code == 0xFFFE || code == 0xFFFF;
}

/* Bytes of the first character of a text, and its code; a byte that begins none is its own. */
static size_t read_character(const char *text, unsigned *code)
{
    enum { LONGEST = 4 };
    size_t n = ha__utf8_read(text, strnlen(text, LONGEST), code);

    if (n == 0) {
        *code = (unsigned char) *text;
    }
    return n > 0 ? n : 1;
}

bool ha__yaml_needs_escape(const char *text)
{
    unsigned code = 0;
    bool is_found = false;

    while (*text != '\0' && !is_found) {
        text += read_character(text, &code);
        is_found = needs_escape(code);
    }
    return is_found;
}

void ha__yaml_add_quoted(ha__strbuf *out, const char *text)
{
    unsigned code = 0;

    ha__strbuf_add(out, "\"");
    for (size_t n = 0; *text != '\0'; text += n) {
        n = read_character(text, &code);
        if (*text == '"' || *text == '\\') {
            ha__strbuf_add(out, "\\");
        }
        if (needs_escape(code)) {
            ha__strbuf_addf(out, "\\U%08x", code);
        } else {
            ha__strbuf_add_bytes(out, text, n);
        }
    }
    ha__strbuf_add(out, "\"");
}
