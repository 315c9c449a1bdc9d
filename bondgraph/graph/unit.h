/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The units that values of elements are shown in. Not installed. */
#ifndef BONDGRAPH_UNIT_H
#define BONDGRAPH_UNIT_H

#include "bondgraph/graph.h"
#include "lib/core/mem.h"

/* The unit in which a value is written, its name in the arena; "" where the text is no quantity
   with a unit. The text must have been read as a value before. */
HA_MUST_CHECK ha_status bg__unit_of(ha_ctx *ctx, ha__arena *arena, const char *text, bg_unit *out);

#endif
