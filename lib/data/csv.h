/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of numbers in text files. Not installed. */
#ifndef LIB_CSV_H
#define LIB_CSV_H

#include "lib/context.h"
#include "lib/core/mem.h"

/* A column. */
typedef HA_ARRAY(double) ha__column;

/*
 * Reads two columns (from 1) of a file. Fields are separated by commas, semicolons or tabs, or by
 * blanks in lines that have none of these. Empty lines and lines that begin with `#` are passed
 * over, and so is the first other line when its fields are no numbers: the header. What stands in
 * brackets at the end of its titles is the unit of the column, as in `t [ms]`; numbers are in SI.
 * @return HA_ERR_FILE, HA_ERR_SYNTAX or HA_ERR_UNIT with the line, HA_ERR_LIMIT, HA_ERR_MEMORY; the
 * columns, which were empty, are to be freed with HA_ARRAY_CLEAR() in any case
 */
HA_MUST_CHECK ha_status ha__csv_read(ha_ctx *ctx, const char *path, const int numbers[2],
                                     ha__column columns[2]);

#endif
