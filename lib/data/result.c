/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results: a table of time series, stored by rows, so that a run appends one block per time and a
 * writer reads in order. Column names are unique and found by hashing.
 */
#include <config.h>

#include "lib/result.h"

#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "lib/data/result_format.h"
#include "lib/data/result_parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct ha_result {
    ha_ctx *ctx;
    ha__symtab names;             /* a column's number is its name's number */
    ha__arena arena;              /* units */
    HA_ARRAY(const char *) units; /* (n_columns) */
    HA_ARRAY(double) values;      /* (n_rows * n_columns) row by row */
    size_t n_rows;
};

ha_result *ha_result_new(ha_ctx *ctx)
{
    ha_result *result = ha__alloc(ctx, 1, sizeof *result);

    if (result != NULL) {
        result->ctx = ctx;
    }
    return result;
}

void ha_result_free(ha_result *result)
{
    if (result != NULL) {
        ha__symtab_clear(&result->names);
        ha__arena_clear(&result->arena);
        HA_ARRAY_CLEAR(&result->units, &result->values);
        ha__free(result);
    }
}

ha_status ha_result_add_column(ha_result *result, const char *name, const char *unit)
{
    HA_NEED_OF(result, name != NULL && unit != NULL);
    ha_ctx *ctx = result->ctx;
    int number = 0;

    if (result->n_rows > 0) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the column `%s` cannot be added: the table has %zu rows already; add "
                       "columns first",
                       name, result->n_rows);
    }
    if (ha__symtab_find(&result->names, name, strlen(name)) >= 0) {
        return ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                       "the column `%s` is in the table already; give each output one name", name);
    }
    HA_TRY_ROOM(ctx, &result->units, 1);
    const char *copy = ha__arena_text(ctx, &result->arena, unit, strlen(unit));
    HA_TRY_MEMORY(copy);
    HA_TRY(ha__symtab_add(ctx, &result->names, name, strlen(name), &number, NULL));
    result->units.items[result->units.count++] = copy;
    return HA_OK;
}

ha_status ha_result_reserve(ha_result *result, size_t rows)
{
    HA_NEED(NULL, result != NULL);
    size_t columns = result->units.count;
    size_t wanted = columns == 0 || rows <= SIZE_MAX / 8 / columns ? rows * columns : SIZE_MAX / 8;

    if (wanted > result->values.capacity) {
        double *values = ha__resize(result->ctx, result->values.items, wanted, sizeof *values);
        HA_TRY_MEMORY(values);
        result->values.items = values;
        result->values.capacity = wanted;
    }
    return HA_OK;
}

ha_status ha_result_add_row(ha_result *result, const double *values)
{
    HA_NEED_OF(result, values != NULL || result->units.count == 0);
    size_t columns = result->units.count;

    HA_TRY_ROOM(result->ctx, &result->values, columns);
    if (columns > 0) {
        memcpy(result->values.items + result->values.count, values, columns * sizeof *values);
    }
    result->values.count += columns;
    result->n_rows++;
    return HA_OK;
}

void ha_result_cut(ha_result *result, size_t rows)
{
    HA_NEED_ELSE(result != NULL, );
    if (rows < result->n_rows) {
        result->n_rows = rows;
        result->values.count = rows * result->units.count;
    }
}

ha_ctx *ha_result_ctx(const ha_result *result)
{
    HA_NEED_ELSE(result != NULL, NULL);
    return result->ctx;
}

size_t ha_result_n_columns(const ha_result *result)
{
    HA_NEED_ELSE(result != NULL, 0);
    return result->units.count;
}

size_t ha_result_n_rows(const ha_result *result)
{
    HA_NEED_ELSE(result != NULL, 0);
    return result->n_rows;
}

const char *ha_result_name(const ha_result *result, size_t column)
{
    HA_NEED_ELSE(column < ha_result_n_columns(result), "");
    return ha__symtab_name(&result->names, (int) column);
}

const char *ha_result_unit(const ha_result *result, size_t column)
{
    HA_NEED_ELSE(column < ha_result_n_columns(result), "");
    return result->units.items[column];
}

int ha_result_find(const ha_result *result, const char *name)
{
    HA_NEED_ELSE(result != NULL && name != NULL, -1);
    return ha__symtab_find(&result->names, name, strlen(name));
}

const double *ha_result_data(const ha_result *result)
{
    HA_NEED_ELSE(result != NULL, NULL);
    return result->values.items;
}

double ha_result_value(const ha_result *result, size_t row, size_t column)
{
    HA_NEED_ELSE(row < ha_result_n_rows(result) && column < result->units.count, (double) NAN);
    return result->values.items[row * result->units.count + column];
}

/* A field of RFC 4180: quoted when it holds a comma, quote or line break, quotes doubled. A
   spreadsheet takes what begins as a formula for one, quoted or not, and as text behind a `'`. */
static void write_text(ha__output *out, const char *text)
{
    const char *mark = ha__csv_is_formula(text[0]) ? "'" : "";

    if (strpbrk(text, ",\"\r\n") == NULL) {
        ha__output_add(out, mark, strlen(mark));
        ha__output_add(out, text, strlen(text));
        return;
    }
    ha__output_add(out, "\"", 1);
    ha__output_add(out, mark, strlen(mark));
    for (const char *c = text; *c != '\0'; c++) {
        ha__output_add(out, c, 1);
        if (*c == '"') {
            ha__output_add(out, c, 1);
        }
    }
    ha__output_add(out, "\"", 1);
}

static ha_status write_header(const ha_result *result, ha__output *out)
{
    ha__strbuf field = HA_STRBUF(result->ctx);

    for (size_t j = 0; j < ha_result_n_columns(result); j++) {
        const char *unit = ha_result_unit(result, j);
        ha__strbuf_clear(&field);
        field = HA_STRBUF(result->ctx);
        ha__strbuf_add(&field, ha_result_name(result, j));
        if (unit[0] != '\0') {
            ha__strbuf_addf(&field, " [%s]", unit);
        }
        if (j > 0) {
            ha__output_add(out, ",", 1);
        }
        write_text(out, ha__strbuf_text(&field));
    }
    ha__output_add(out, "\n", 1);
    return ha__strbuf_drop(&field, field.status);
}

static void write_row(const ha_result *result, size_t row, ha__output *out)
{
    char number[HA__NUMBER_SIZE];

    for (size_t j = 0; j < ha_result_n_columns(result); j++) {
        double value = ha_result_value(result, row, j);
        ha__print_number(number, ha__plain_sign(value));
        if (j > 0) {
            ha__output_add(out, ",", 1);
        }
        ha__output_add(out, number, strlen(number));
    }
    ha__output_add(out, "\n", 1);
}

ha_status ha_result_write_csv(const ha_result *result, const char *path)
{
    HA_NEED_OF(result, path != NULL);
    ha__output out;

    HA_TRY(ha__output_open(result->ctx, path, &out));
    ha_status status = write_header(result, &out);
    for (size_t row = 0; status == HA_OK && row < result->n_rows; row++) {
        write_row(result, row, &out);
        status = ha__output_status(&out);
    }
    if (status != HA_OK) {
        ha__output_abandon(&out);
        return status;
    }
    return ha__output_close(&out);
}

static const ha__result_format formats[] = {
    { { ".csv", "a table as text: names with units, then rows of 17 digits; also for `-`" },
      ha_result_read_csv,
      ha_result_write_csv },
    { { ".mat", "MATLAB version 4, in the layout of Dymola" },
      ha_result_read_mat,
      ha_result_write_mat },
};

const ha__suffixes ha__result_formats = { HA__SUFFIXES(formats), .what = "the results",
                                          .has_plain = true };

ha_status ha_result_read(ha_ctx *ctx, const char *path, ha_result **out)
{
    HA_NEED(ctx, ctx != NULL && path != NULL && out != NULL);
    const ha__result_format *format = ha__suffix_find(&ha__result_formats, path);

    return format == NULL ? ha_result_read_csv(ctx, path, out) : format->read(ctx, path, out);
}
