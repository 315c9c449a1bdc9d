/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page holds packed: bytes as text. */
#ifndef TOOLS_PAGE_PACK_H
#define TOOLS_PAGE_PACK_H

#include "lib/core/strbuf.h"

/* Adds a script of type text/plain that holds bytes: their number, a blank, and digits to the base
   93, which live_engine.js reads. */
void page_add_bytes(const char *id, const unsigned char *bytes, size_t length, ha__strbuf *out);

/* The same with a text, packed as gzip does. */
HA_MUST_CHECK ha_status page_add_packed(const char *id, const char *text, ha__strbuf *out);

#endif
