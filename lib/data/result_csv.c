/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results from CSV files: RFC 4180, the header `t [s],K1.angle [rad],...` and then rows of numbers.
 * The unit of a column is what stands in brackets at the end of its name.
 */
#include <config.h>

#include "lib/data/result_parse.h"

#include "lib/core/input.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a field in messages */

/* Where reading is. */
typedef struct {
    ha_ctx *ctx;
    const char *path;
    ha_result *result;
    const char *line; /* where the line began */
    const char *at;
    const char *end;
    int number;              /* of the line, from 1 */
    char *field;             /* the last field, its quotes taken off; room for all of the text */
    size_t length;           /* bytes of it */
    bool is_last;            /* it ended its row */
    HA_ARRAY(double) values; /* of a row */
} reader;

static ha_where location(const reader *r)
{
    return (ha_where){ r->path, r->number, (int) (r->at - r->line) + 1 };
}

/* What stands behind a field: a comma, or the end of the row, which is passed over. */
static ha_status end_field(reader *r)
{
    r->is_last = r->at == r->end || *r->at != ',';
    if (!r->is_last) {
        r->at++;
        return HA_OK;
    }
    if (r->at < r->end && *r->at == '\r') {
        r->at++;
    }
    if (r->at < r->end && *r->at != '\n') {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r),
                       "a field goes on behind its closing quote; double the quotes inside of it");
    }
    if (r->at < r->end) {
        r->at++;
    }
    return HA_OK;
}

/* The text of a quoted field, in which quotes are doubled and lines may break. */
static ha_status read_quoted(reader *r)
{
    ha_where where = location(r);

    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
            r->at++;
            return end_field(r);
        }
        r->at += *r->at == '"' ? 1 : 0;
        r->field[r->length++] = *r->at;
    }
    return ha_fail(r->ctx, HA_ERR_SYNTAX, where, "a quoted field does not end; close its quote");
}

static ha_status read_field(reader *r)
{
    r->length = 0;
    if (r->at < r->end && *r->at == '"') {
        HA_TRY(read_quoted(r));
    } else {
        size_t n = 0;
        while (r->at + n < r->end && strchr(",\r\n", r->at[n]) == NULL) {
            n++;
        }
        memcpy(r->field, r->at, n);
        r->length = n;
        r->at += n;
        HA_TRY(end_field(r));
    }
    r->field[r->length] = '\0';
    return HA_OK;
}

bool ha__csv_is_formula(char first)
{
    return first != '\0' && strchr("=+-@\t'", first) != NULL;
}

/* "K1.angle [rad]" is a name and a unit. */
static ha_status take_name(reader *r)
{
    char *bracket = NULL;
    const char *unit = "";

    if (memchr(r->field, '\0', r->length) != NULL) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, r->number, 0 },
                       "a name in the header has a byte 0; give a CSV file of results");
    }
    if (r->field[0] == '\'' && ha__csv_is_formula(r->field[1])) {
        memmove(r->field, r->field + 1, r->length--);
    }
    for (char *c = r->field; (c = strstr(c, " [")) != NULL; c++) {
        bracket = c;
    }
    if (bracket != NULL && bracket > r->field && r->field[r->length - 1] == ']') {
        r->field[r->length - 1] = '\0';
        bracket[0] = '\0';
        unit = bracket + 2;
    }
    if (r->field[0] == '\0') {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, r->number, 0 },
                       "column %zu of the header has no name; give a CSV file of results, whose "
                       "first line is `t [s],NAME [UNIT],...`",
                       ha_result_n_columns(r->result) + 1);
    }
    if (ha_result_find(r->result, r->field) >= 0) {
        return ha_fail(r->ctx, HA_ERR_NAME, (ha_where){ r->path, r->number, 0 },
                       "two columns are called `%s`; give each its own name", r->field);
    }
    return ha_result_add_column(r->result, r->field, unit);
}

static ha_status read_header(reader *r)
{
    double number = 0.0;

    do {
        HA_TRY(read_field(r));
        if (ha__read_number(r->field, r->length, 0, &number)) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, r->number, 0 },
                           "the first line has a number, `%s`, where the names of the columns "
                           "should be; give it the header `t [s],NAME [UNIT],...`",
                           r->field);
        }
        HA_TRY(take_name(r));
    } while (!r->is_last);
    return HA_OK;
}

/* Numbers as results have them, which need not be finite. */
static bool read_value(const reader *r, double *out)
{
    static const struct {
        const char *text;
        double value;
    } words[] = { { "nan", (double) NAN },
                  { "-nan", (double) NAN },
                  { "inf", (double) INFINITY },
                  { "-inf", -(double) INFINITY } };

    for (size_t i = 0; i < HA_COUNT(words); i++) {
        if (strcmp(r->field, words[i].text) == 0) {
            *out = words[i].value;
            return true;
        }
    }
    return ha__read_number(r->field, r->length, 0, out);
}

static ha_status read_row(reader *r)
{
    size_t columns = ha_result_n_columns(r->result);

    r->values.count = 0;
    do {
        ha_where where = location(r);
        double value = 0.0;
        HA_TRY(read_field(r));
        if (r->values.count == columns) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, where,
                           "the row has more fields than the header, which names %zu columns",
                           columns);
        }
        if (r->length == 0) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, where,
                           "column `%s` is empty here; give a number, or leave out the row",
                           ha_result_name(r->result, r->values.count));
        }
        if (!read_value(r, &value) && strpbrk(r->field, ";\t") != NULL) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, where,
                           "`%.*s` is more than one number; separate the columns by commas, and "
                           "give numbers with a decimal point",
                           ha__utf8_clip(r->field, r->length, SHOWN), r->field);
        }
        if (!read_value(r, &value)) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, where,
                           "`%.*s` in column `%s` is no number; give a number with a decimal point",
                           ha__utf8_clip(r->field, r->length, SHOWN), r->field,
                           ha_result_name(r->result, r->values.count));
        }
        HA_TRY_PUSH(r->ctx, &r->values, value);
    } while (!r->is_last);
    if (r->values.count < columns) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, r->number, 0 },
                       "the row has %zu fields, but the header names %zu columns", r->values.count,
                       columns);
    }
    return ha_result_add_row(r->result, r->values.items);
}

static ha_status read_lines(reader *r)
{
    if (r->at == r->end) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, 0, 0 },
                       "the file is empty; give a CSV file of results");
    }
    r->number = 1;
    HA_TRY(read_header(r));
    while (r->at < r->end) {
        for (const char *c = r->line; c < r->at; c++) {
            r->number += *c == '\n' ? 1 : 0;
        }
        r->line = r->at;
        if (*r->at == '\n' || *r->at == '\r') { /* an empty line is no row */
            r->at++;
            continue;
        }
        HA_TRY(read_row(r));
    }
    return HA_OK;
}

ha_status ha__result_parse_csv(ha_ctx *ctx, const char *path, const char *text, size_t length,
                               ha_result **out)
{
    reader r = { .ctx = ctx, .path = path, .line = text, .at = text, .end = text + length };
    ha_status status = HA_ERR_MEMORY;

    r.field = ha__alloc(ctx, length + 1, 1);
    r.result = ha_result_new(ctx);
    if (r.field != NULL && r.result != NULL) {
        status = read_lines(&r);
    }
    HA_ARRAY_CLEAR(&r.values);
    ha__free(r.field);
    return HA_GIVE(status, r.result, ha_result_free, out);
}

ha_status ha_result_read_csv(ha_ctx *ctx, const char *path, ha_result **out)
{
    HA_NEED(ctx, ctx != NULL && path != NULL && out != NULL);
    char *text = NULL;
    size_t length = 0;

    HA_TRY(ha__input_read(ctx, path, SIZE_MAX, &text, &length));
    return ha__then_free(ha__result_parse_csv(ctx, path, text, length, out), text);
}
