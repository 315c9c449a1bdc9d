/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digests for content security policies, and base64. */
#ifndef TOOLS_SHA256_H
#define TOOLS_SHA256_H

#include "lib/core/strbuf.h"

#include <stdint.h>

enum { SHA256_SIZE = 32 }; /* bytes of a digest */

/* The digest of `length` bytes. */
void sha256(const void *bytes, size_t length, uint8_t digest[SHA256_SIZE]);

/* Appends bytes as base64 (RFC 4648, with padding). */
void add_base64(ha__strbuf *out, const uint8_t *bytes, size_t length);

#endif
