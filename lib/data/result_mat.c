/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as MATLAB files of version 4 in the layout of Dymola, "binTrans". A file is a sequence of
 * matrices, each of
 *
 *     five 32-bit integers   type, rows, columns, 0 (real), bytes of the name with its zero
 *     name                   with its zero
 *     values                 by columns
 *
 * with type = 1000 M + 10 P + T; M: 0 little endian, 1 big endian; P: 0 double, 1 float, 2 int32,
 * 3 int16, 4 uint16, 5 uint8; T: 1 text, else 0. The matrices are
 *
 *     Aclass       (4 x 11)  rows of text "Atrajectory", "1.1", "", "binTrans"
 *     name         (longest x n)  a column of text for each variable, the time first
 *     description  (longest x n)  "[unit]"
 *     dataInfo     (4 x n)   table, signed row in it, 0: linear interpolation, -1: no extrapolation
 *     data_1       (m x 2)   what is constant; first row the time of the start and of the end
 *     data_2       (n x n_times)  what varies; first row the time
 *
 * of which "binNormal", which is read too, has name, description, dataInfo and the data transposed.
 * A minus of dataInfo's row tells that the sign is turned: files of Dymola store an alias so.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/data/mat4.h"
#include "lib/data/result_parse.h"

#include "lib/core/input.h"
#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HEADER_SIZE = 20, CLASS_ROWS = 4, CLASS_COLUMNS = 11, INFO_ROWS = 4 };

static const size_t sizes[HA__MAT_FORMATS] = { 8, 4, 4, 2, 2, 1 };

static const char class_text[CLASS_ROWS][CLASS_COLUMNS + 1] = { "Atrajectory", "1.1        ",
                                                                "           ", "binTrans   " };

/* --- writing -------------------------------------------------------------------------------- */

static void put_class(ha__output *out)
{
    ha__mat_header(out, "Aclass", 10 * HA__MAT_BYTES + 1, CLASS_ROWS, CLASS_COLUMNS);
    for (int column = 0; column < CLASS_COLUMNS; column++) {
        for (int row = 0; row < CLASS_ROWS; row++) {
            ha__output_add(out, &class_text[row][column], 1);
        }
    }
}

/* Column 0 is the time, which these files call so. */
static const char *name_of(const ha_result *result, size_t column)
{
    return column == 0 ? "time" : ha_result_name(result, column);
}

/* A matrix of texts, one per column, filled up with blanks: names, or units in brackets. */
static void put_texts(ha__output *out, const ha_result *result, const char *title, bool is_units)
{
    size_t n = ha_result_n_columns(result), longest = 1;

    for (size_t j = 0; j < n; j++) {
        size_t length =
            is_units ? strlen(ha_result_unit(result, j)) + 2 : strlen(name_of(result, j));
        longest = length > longest ? length : longest;
    }
    ha__mat_header(out, title, 10 * HA__MAT_BYTES + 1, longest, n);
    for (size_t j = 0; j < n; j++) {
        const char *unit = is_units ? ha_result_unit(result, j) : "";
        const char *text = is_units ? unit : name_of(result, j);
        size_t used = strlen(text);
        if (unit[0] != '\0') {
            ha__output_add(out, "[", 1);
        }
        ha__output_add(out, text, used);
        if (unit[0] != '\0') {
            ha__output_add(out, "]", 1);
            used += 2;
        }
        for (; used < longest; used++) {
            ha__output_add(out, " ", 1);
        }
    }
}

/* All vary, so that data_1 has the time alone; the time itself belongs to no table. */
static void put_info(ha__output *out, size_t n)
{
    ha__mat_header(out, "dataInfo", 10 * HA__MAT_INTS, INFO_ROWS, n);
    for (size_t j = 0; j < n; j++) {
        ha__mat_int(out, j == 0 ? 0 : 2);
        ha__mat_int(out, (int32_t) j + 1);
        ha__mat_int(out, 0);
        ha__mat_int(out, -1);
    }
}

static void put_data(ha__output *out, const ha_result *result)
{
    size_t rows = ha_result_n_rows(result), columns = ha_result_n_columns(result);

    ha__mat_header(out, "data_1", 10 * HA__MAT_DOUBLES, 1, 2);
    ha__mat_double(out, rows == 0 ? 0.0 : ha_result_value(result, 0, 0));
    ha__mat_double(out, rows == 0 ? 0.0 : ha_result_value(result, rows - 1, 0));
    ha__mat_header(out, "data_2", 10 * HA__MAT_DOUBLES, columns, rows);
    for (size_t row = 0; row < rows; row++) {
        for (size_t j = 0; j < columns; j++) {
            ha__mat_double(out, ha__plain_sign(ha_result_value(result, row, j)));
        }
    }
}

ha_status ha_result_write_mat(const ha_result *result, const char *path)
{
    HA_NEED(ha_result_ctx(result), result != NULL && path != NULL);
    ha_ctx *ctx = ha_result_ctx(result);
    ha__output out;

    if (ha_result_n_columns(result) == 0 || ha_result_n_columns(result) > INT32_MAX ||
        ha_result_n_rows(result) > INT32_MAX) {
        return ha_fail(ctx, HA_ERR_LIMIT, HA_NOWHERE,
                       "`%s` cannot hold %zu columns of %zu rows; MATLAB files of version 4 hold 1 "
                       "to %ld of each, write a .csv file",
                       path, ha_result_n_columns(result), ha_result_n_rows(result),
                       (long) INT32_MAX);
    }
    HA_TRY(ha__output_open(ctx, path, &out));
    put_class(&out);
    put_texts(&out, result, "name", false);
    put_texts(&out, result, "description", true);
    put_info(&out, ha_result_n_columns(result));
    put_data(&out, result);
    return ha__output_close(&out);
}

/* --- reading -------------------------------------------------------------------------------- */

/* A matrix where it lies in the file; `start` NULL: not found. */
typedef struct {
    const unsigned char *start;
    size_t rows, columns;
    int format;
    bool is_big; /* most significant byte first */
} matrix;

enum { CLASS, NAME, DESCRIPTION, INFO, DATA_1, DATA_2, N_MATRICES };

static const char *const titles[N_MATRICES] = { "Aclass",   "name",   "description",
                                                "dataInfo", "data_1", "data_2" };

/* What is read. */
typedef struct {
    ha_ctx *ctx;
    const char *path;
    const unsigned char *at, *end;
    matrix matrices[N_MATRICES];
    bool is_by_rows; /* binNormal */
    ha_result *result;
} reader;

static ha_status fail_file(const reader *r, const char *what)
{
    return ha_fail(r->ctx, HA_ERR_SYNTAX, (ha_where){ r->path, 0, 0 },
                   "%s; give a MATLAB file of version 4 with results in the layout of Dymola",
                   what);
}

/* Bytes as a number, in the machine's own order in the end. */
static uint64_t gather(const unsigned char *bytes, size_t n, bool is_big)
{
    uint64_t u = 0;

    for (size_t i = 0; i < n; i++) {
        u = u << 8 | bytes[is_big ? i : n - 1 - i];
    }
    return u;
}

static double value_of(const matrix *m, size_t row, size_t column)
{
    size_t size = sizes[m->format];
    uint64_t u = gather(m->start + size * (column * m->rows + row), size, m->is_big);
    uint32_t u32 = (uint32_t) u;
    double d = 0.0;
    float f = 0.0f;

    switch (m->format) {
    case HA__MAT_DOUBLES:
        memcpy(&d, &u, sizeof d);
        return d;
    case HA__MAT_FLOATS:
        memcpy(&f, &u32, sizeof f);
        return (double) f;
    case HA__MAT_INTS:
        return u32 <= INT32_MAX ? (double) u32 : (double) u32 - 4294967296.0;
    case HA__MAT_SHORTS:
        return u32 <= INT16_MAX ? (double) u32 : (double) u32 - 65536.0;
    default:
        return (double) u32;
    }
}

/* Entry (i, j) as "binTrans" counts. */
static double entry(const reader *r, int which, size_t i, size_t j)
{
    const matrix *m = &r->matrices[which];

    return r->is_by_rows ? value_of(m, j, i) : value_of(m, i, j);
}

static size_t n_variables(const reader *r, int which)
{
    return r->is_by_rows ? r->matrices[which].rows : r->matrices[which].columns;
}

static size_t n_entries(const reader *r, int which)
{
    return r->is_by_rows ? r->matrices[which].columns : r->matrices[which].rows;
}

/* Notes the next matrix and passes over it. */
static ha_status find_matrix(reader *r)
{
    uint64_t head[5];
    matrix m = { 0 };

    if (r->end - r->at < HEADER_SIZE) {
        return fail_file(r, "the file ends within a matrix");
    }
    m.is_big = gather(r->at, 4, false) > 9999;
    for (int i = 0; i < 5; i++) {
        head[i] = gather(r->at + 4 * i, 4, m.is_big);
    }
    m.format = (int) (head[0] / 10 % 10);
    m.rows = (size_t) head[1];
    m.columns = (size_t) head[2];
    if (head[0] > 9999 || head[0] / 1000 != (m.is_big ? 1u : 0u) || m.format >= HA__MAT_FORMATS ||
        head[1] > INT32_MAX || head[2] > INT32_MAX || head[3] != 0 || head[4] == 0) {
        return fail_file(r, "the file has no matrices of MATLAB's version 4");
    }
    r->at += HEADER_SIZE;
    if (head[4] > (uint64_t) (r->end - r->at) || r->at[head[4] - 1] != '\0') {
        return fail_file(r, "the file ends within the name of a matrix");
    }
    const char *title = (const char *) r->at;
    r->at += head[4];
    m.start = r->at;
    size_t left = (size_t) (r->end - r->at) / sizes[m.format];
    if (m.rows > 0 && m.columns > left / m.rows) {
        return fail_file(r, "the file ends within a matrix");
    }
    r->at += sizes[m.format] * m.rows * m.columns;
    for (int i = 0; i < N_MATRICES; i++) {
        if (strcmp(title, titles[i]) == 0) {
            r->matrices[i] = m;
        }
    }
    return HA_OK;
}

/* Row `row` of Aclass begins with a word. */
static bool class_has(const reader *r, size_t row, const char *word)
{
    const matrix *m = &r->matrices[CLASS];
    size_t n = strlen(word);
    bool is_so = row < m->rows && n <= m->columns;

    for (size_t i = 0; is_so && i < n; i++) {
        is_so = value_of(m, row, i) == (double) (unsigned char) word[i]; /* small whole numbers */
    }
    return is_so;
}

static ha_status check_matrices(reader *r)
{
    char what[80];

    for (int i = 0; i < N_MATRICES; i++) {
        if (r->matrices[i].start == NULL && i != DESCRIPTION) {
            snprintf(what, sizeof what, "the file has no matrix `%s`", titles[i]);
            return fail_file(r, what);
        }
    }
    r->is_by_rows = class_has(r, 3, "binNormal");
    if (!class_has(r, 0, "Atrajectory") || !(r->is_by_rows || class_has(r, 3, "binTrans"))) {
        return fail_file(r, "the matrix `Aclass` does not say that the file has trajectories");
    }
    size_t n = n_variables(r, NAME);
    if (n == 0 || n_variables(r, INFO) != n || n_entries(r, INFO) < 2 ||
        (r->matrices[DESCRIPTION].start != NULL && n_variables(r, DESCRIPTION) != n)) {
        return fail_file(r, "the matrices `name`, `description` and `dataInfo` do not go together");
    }
    if (n_entries(r, DATA_2) == 0) { /* else no bytes could stand for any number of times */
        return fail_file(r, "the matrix `data_2` has no time");
    }
    return HA_OK;
}

/* The text of variable j, without the blanks and zeros behind it; valid until the buffer changes.
 */
static const char *read_text(const reader *r, int which, size_t j, ha__strbuf *buffer)
{
    size_t n = r->matrices[which].start == NULL ? 0 : n_entries(r, which);

    ha__strbuf_clear(buffer);
    while (n > 0 && (entry(r, which, n - 1, j) <= 32.0)) {
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        double code = entry(r, which, i, j); /* texts may be stored in any format */
        char c = code >= 0.0 && code < 256.0 ? (char) (unsigned char) code : '?';
        ha__strbuf_add_bytes(buffer, &c, 1);
    }
    return ha__strbuf_text(buffer);
}

/* The unit is what a description has in brackets at its end; Dymola puts a type behind a `|`. */
static const char *unit_of(ha__strbuf *description)
{
    char *open = description->text == NULL ? NULL : strrchr(description->text, '[');

    if (open == NULL) {
        return "";
    }
    open[strcspn(open, "]|")] = '\0';
    return open + 1;
}

static ha_status add_columns(reader *r, ha__strbuf *name, ha__strbuf *description)
{
    for (size_t j = 0; j < n_variables(r, NAME); j++) {
        const char *text = read_text(r, NAME, j, name);
        (void) read_text(r, DESCRIPTION, j, description);
        HA_TRY(name->status);
        HA_TRY(description->status);
        HA_TRY(ha_result_add_column(r->result, j == 0 && strcasecmp(text, "time") == 0 ? "t" : text,
                                    unit_of(description)));
    }
    return HA_OK;
}

/* Where variable j is: in data_1 or data_2, in which row, and with which sign. */
static ha_status locate(const reader *r, size_t j, int *which, size_t *row, double *sign)
{
    double table = entry(r, INFO, 0, j), signed_row = entry(r, INFO, 1, j);
    double n = signed_row < 0.0 ? -signed_row : signed_row;

    *which = table == 1.0 ? DATA_1 : DATA_2; /* written as whole numbers; 0 is the time */
    if (!(table >= 0.0 && table <= 2.0 && n >= 1.0 && n <= (double) n_entries(r, *which)) ||
        n_variables(r, *which) == 0) {
        return fail_file(r, "the matrix `dataInfo` names data that are not there");
    }
    *row = (size_t) n - 1;
    *sign = signed_row < 0.0 ? -1.0 : 1.0;
    return HA_OK;
}

static ha_status add_rows(reader *r)
{
    size_t n = n_variables(r, NAME), n_times = n_variables(r, DATA_2);
    ha_status status = HA_OK;
    double *values = NULL;

    HA_TRY_ALLOC(r->ctx, values, n);
    for (size_t k = 0; k < n_times && status == HA_OK; k++) {
        for (size_t j = 0; j < n && status == HA_OK; j++) {
            int which = DATA_2;
            size_t row = 0;
            double sign = 1.0;
            status = locate(r, j, &which, &row, &sign);
            if (status == HA_OK) {
                values[j] = sign * entry(r, which, row, which == DATA_2 ? k : 0);
            }
        }
        HA_THEN(status, ha_result_add_row(r->result, values));
    }
    ha__free(values);
    return status;
}

static ha_status read_file(reader *r)
{
    ha__strbuf name = HA_STRBUF(r->ctx), description = HA_STRBUF(r->ctx);

    while (r->at < r->end) {
        HA_TRY(find_matrix(r));
    }
    HA_TRY(check_matrices(r));
    ha_status status = add_columns(r, &name, &description);
    ha__strbuf_clear(&name);
    ha__strbuf_clear(&description);
    return status == HA_OK ? add_rows(r) : status;
}

ha_status ha__result_parse_mat(ha_ctx *ctx, const char *path, const char *text, size_t length,
                               ha_result **out)
{
    reader r = { .ctx = ctx, .path = path, .at = (const unsigned char *) text };

    r.end = r.at + length;
    r.result = ha_result_new(ctx);
    ha_status status = r.result == NULL ? HA_ERR_MEMORY : read_file(&r);
    return HA_GIVE(status, r.result, ha_result_free, out);
}

ha_status ha_result_read_mat(ha_ctx *ctx, const char *path, ha_result **out)
{
    HA_NEED(ctx, ctx != NULL && path != NULL && out != NULL);
    char *text = NULL;
    size_t length = 0;

    HA_TRY(ha__input_read(ctx, path, SIZE_MAX, &text, &length));
    return ha__then_free(ha__result_parse_mat(ctx, path, text, length, out), text);
}
