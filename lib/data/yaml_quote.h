/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as YAML has them between double quotes. Not installed. */
#ifndef LIB_YAML_QUOTE_H
#define LIB_YAML_QUOTE_H

#include "lib/core/strbuf.h"

/* Adds a text in double quotes, with escapes for what could not stand there. */
void ha__yaml_add_quoted(ha__strbuf *out, const char *text);

#endif
