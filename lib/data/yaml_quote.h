/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as YAML has them between double quotes. Not installed. */
#ifndef LIB_YAML_QUOTE_H
#define LIB_YAML_QUOTE_H

#include "lib/core/strbuf.h"

#include <stdbool.h>

/* True for a text with characters that can stand in YAML as escapes only: controls, marks of
   direction, separators of lines. */
bool ha__yaml_needs_escape(const char *text);

/* Adds a text in double quotes, with escapes for what could not stand there. */
void ha__yaml_add_quoted(ha__strbuf *out, const char *text);

#endif
