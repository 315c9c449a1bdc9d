/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A linear model on a page. */
#ifndef TOOLS_PAGE_LINEAR_H
#define TOOLS_PAGE_LINEAR_H

#include "bondgraph/linearise.h"
#include "lib/core/strbuf.h"

/* Adds the section: A, B, C and D as one table; of large models how large they are. */
HA_MUST_CHECK ha_status page_add_linear(const bg_linear *linear, ha__strbuf *out);

#endif
