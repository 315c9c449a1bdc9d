/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The units that values of elements are shown in: those that they were written in. */
#include <config.h>

#include "bondgraph/graph/unit.h"

#include "lib/data/units.h"

ha_status bg__unit_of(ha_ctx *ctx, ha__arena *arena, const char *text, bg_unit *out)
{
    size_t length = 0;
    const char *unit = ha__quantity_unit_in(text, &length);
    bg_unit found = { "", 1.0 };

    if (unit != NULL) {
        char *one = ha__arena_format(ctx, arena, "1 %.*s", (int) length, unit);
        HA_TRY_MEMORY(one);
        HA_TRY(ha__quantity_read(ctx, one, HA__QUANTITY_ANY, HA_NOWHERE, "a unit", &found.size));
        found.name = one + 2;
    }
    *out = found;
    return HA_OK;
}
