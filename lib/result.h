/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Results: a table of time series, one named column per quantity, one row per time.
 */
#ifndef LIB_RESULT_H
#define LIB_RESULT_H

#include "lib/context.h"

#include <stddef.h>

HA_BEGIN_DECLS

/** A table of time series. */
typedef struct ha_result ha_result;

/** Makes an empty table; NULL when there is no memory. Free it with ha_result_free(). */
ha_result *ha_result_new(ha_ctx *ctx);

/** Frees a table; NULL is legal. */
void ha_result_free(ha_result *result);

/** Adds a column; only while there are no rows. The strings are copied. */
HA_MUST_CHECK ha_status ha_result_add_column(ha_result *result, const char *name, const char *unit);

/** Makes room for `rows` rows in all, so that appending them cannot fail. */
HA_MUST_CHECK ha_status ha_result_reserve(ha_result *result, size_t rows);

/** Appends a row of ha_result_n_columns() values. */
HA_MUST_CHECK ha_status ha_result_add_row(ha_result *result, const double *values);

/** Removes the rows but the first `rows`; without effect where there are no more. */
void ha_result_cut(ha_result *result, size_t rows);

/** Number of columns. */
size_t ha_result_n_columns(const ha_result *result);

/** Number of rows. */
size_t ha_result_n_rows(const ha_result *result);

/** Name of a column; borrowed. */
const char *ha_result_name(const ha_result *result, size_t column);

/** Unit of a column, "" for a number; borrowed. */
const char *ha_result_unit(const ha_result *result, size_t column);

/** The number of the column of this name, -1 when there is none. */
int ha_result_find(const ha_result *result, const char *name);

/** All values (rows x columns), row by row; borrowed until a row is added; NULL while there are
    none. */
const double *ha_result_data(const ha_result *result);

/** A value. */
double ha_result_value(const ha_result *result, size_t row, size_t column);

/**
 * Writes the table as CSV (RFC 4180 with LF; header `t [s],K1.angle [rad],...`, a quantity without
 * unit without brackets; 17 significant digits) to a file that appears complete or not at all; "-"
 * is standard output.
 * @return HA_ERR_OUTPUT with a diagnostic that names the file and the reason; the table is kept.
 */
HA_MUST_CHECK ha_status ha_result_write_csv(const ha_result *result, const char *path);

/** The context that a table was made with. */
ha_ctx *ha_result_ctx(const ha_result *result);

/**
 * Writes the table as a MATLAB file of version 4 in the layout of Dymola (Aclass, name, description
 * with the unit, dataInfo, data_1, data_2), which OpenModelica's tools, DyMat, Octave and SciPy
 * read; the first column is called `time` there. The file appears complete or not at all.
 * @return HA_ERR_OUTPUT, HA_ERR_LIMIT (no column, or more than the format counts)
 */
HA_MUST_CHECK ha_status ha_result_write_mat(const ha_result *result, const char *path);

/**
 * Reads a CSV file as ha_result_write_csv() writes it; "-" is standard input. Free the table with
 * ha_result_free().
 * @return HA_ERR_FILE, HA_ERR_SYNTAX with the location, HA_ERR_NAME (two columns of one name),
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_result_read_csv(ha_ctx *ctx, const char *path, ha_result **out);

/**
 * Reads a MATLAB file of version 4 in the layout of Dymola, of either byte order; parameters become
 * columns, `time` is called `t`. Free the table with ha_result_free().
 * @return HA_ERR_FILE, HA_ERR_SYNTAX, HA_ERR_NAME (two variables of one name), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_result_read_mat(ha_ctx *ctx, const char *path, ha_result **out);

/** As ha_result_read_mat() where the name ends in `.mat`, else as ha_result_read_csv(). */
HA_MUST_CHECK ha_status ha_result_read(ha_ctx *ctx, const char *path, ha_result **out);

HA_END_DECLS

#endif
