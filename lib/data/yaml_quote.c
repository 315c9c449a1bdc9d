/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as YAML has them between double quotes. */
#include <config.h>

#include "lib/data/yaml_quote.h"

void ha__yaml_add_quoted(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            ha__strbuf_add(out, "\\");
        }
        if ((unsigned char) *text < 0x20) {
            ha__strbuf_addf(out, "\\x%02x", (unsigned) *text);
        } else {
            ha__strbuf_add_bytes(out, text, 1);
        }
    }
    ha__strbuf_add(out, "\"");
}
