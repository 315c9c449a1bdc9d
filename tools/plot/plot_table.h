/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as they are plotted: with magnitudes, in display units. */
#ifndef TOOLS_PLOT_TABLE_H
#define TOOLS_PLOT_TABLE_H

#include "lib/result.h"

/*
 * Adds to a table a column for each `magnitude(NAME)` in a text, such as `magnitude(O.force)`,
 * `magnitude(rod.v)`: the root of the sum of the squares of the columns NAMEx and NAMEy, or NAME.fx
 * and NAME.fy; NAME may end in `.force`. What the table has no columns for is left out. On success
 * the table may be another one, the one given being freed.
 */
HA_MUST_CHECK ha_status plot_add_magnitudes(ha_ctx *ctx, ha_result **table, const char *text);

/*
 * Turns the columns of `n` tables that are of the dimension of a unit in the text UNIT,UNIT into
 * that unit. HA_ERR_UNIT when a unit is unknown or no column of any table is of its dimension. The
 * tables may become others.
 */
HA_MUST_CHECK ha_status plot_convert(ha_ctx *ctx, ha_result **tables, size_t n, const char *units);

#endif
