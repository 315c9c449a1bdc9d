/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of a page. A result has many columns of equal content: all flows at a 1-junction, all
 * efforts at a 0-junction. Each content is kept once.
 *
 * A series is one of
 *   ["c", x]             the constant x
 *   ["f", BASE64]        single precision, little endian
 *   ["u", a, b, BASE64]  numbers n of 16 bits, little endian, for a + n (b - a) / 65535
 * The last is for large models, so that a page stays of a size that can be sent: 1,000 rows of 500
 * series are 1.3 MB. Rows are left out, evenly, only where that does not do.
 */
#include <config.h>

#include "tools/page/page.h"

#include "lib/core/hash.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ROWS = 1001,
    MIN_ROWS = 201,
    MAX_FINE = 750000, /* bytes of all series in single precision */
    MAX_COARSE = 1050000
};

/* What columns are compared by before their numbers: hashes, row by row as these lie. */
static ha_status hash_columns(page_series *s, size_t n)
{
    for (size_t row = 0; row < ha_result_n_rows(s->result); row++) {
        HA_TRY(ha_ctx_is_interrupted(s->ctx) ? HA_ERR_INTERRUPTED : HA_OK);
        for (size_t c = 0; c < n; c++) {
            float x = (float) ha_result_value(s->result, row, c);
            x = isnan(x) ? NAN : x + 0.0f; /* one nan, and one 0 */
            s->content[c] = ha__hash_bytes(s->content[c], &x, sizeof x);
        }
    }
    return HA_OK;
}

ha_status page_series_new(ha_ctx *ctx, const ha_result *result, page_series *out)
{
    size_t n = ha_result_n_columns(result);

    *out = (page_series){ .ctx = ctx, .result = result };
    HA_TRY_ALLOC_EACH(ctx, n + 1, out->series_of, out->column_of, out->is_exact, out->content,
                      out->next, out->table);
    out->n_table = n + 1;
    for (size_t c = 0; c <= n; c++) {
        out->series_of[c] = out->table[c] = -1;
    }
    return hash_columns(out, n);
}

void page_series_clear(page_series *s)
{
    HA_FREE(s->series_of, s->column_of, s->is_exact, s->content, s->next, s->table);
}

/* Whether two columns have the same numbers. */
static bool are_equal(const ha_result *result, size_t a, size_t b)
{
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        float x = (float) ha_result_value(result, row, a),
              y = (float) ha_result_value(result, row, b);
        if (!(x >= y && x <= y) && !(isnan(x) && isnan(y))) {
            return false;
        }
    }
    return true;
}

/* The series of a column: one with its content, or a new one. */
static int find_series(page_series *s, int column)
{
    int *first = &s->table[s->content[column] % s->n_table], k = *first;

    while (k >= 0 && !(s->content[s->column_of[k]] == s->content[column] &&
                       are_equal(s->result, (size_t) s->column_of[k], (size_t) column))) {
        k = s->next[k];
    }
    if (k < 0) {
        k = s->n_series++;
        s->column_of[k] = column;
        s->next[k] = *first;
        *first = k;
    }
    return k;
}

int page_series_want(page_series *s, int column, bool is_exact)
{
    if (column < 0) {
        return -1;
    }
    if (s->series_of[column] < 0) {
        s->series_of[column] = find_series(s, column);
    }
    int k = s->series_of[column];
    s->is_exact[k] |= is_exact;
    return k;
}

void page_series_plan(page_series *s)
{
    size_t n = s->n_series > 0 ? (size_t) s->n_series : 1, most = 0;

    s->n_rows = ha_result_n_rows(s->result);
    s->n_rows = s->n_rows < MAX_ROWS ? s->n_rows : MAX_ROWS;
    s->is_coarse = n * s->n_rows * sizeof(float) > MAX_FINE;
    most = MAX_COARSE / (n * sizeof(uint16_t));
    most = most < MIN_ROWS ? MIN_ROWS : most;
    s->n_rows = s->n_rows < most ? s->n_rows : most;
}

size_t page_series_row(const page_series *s, size_t i)
{
    size_t last = ha_result_n_rows(s->result) - 1;

    return s->n_rows < 2 ? 0 : (i * last + (s->n_rows - 1) / 2) / (s->n_rows - 1);
}

static double value_at(const page_series *s, size_t i, size_t column)
{
    return ha_result_value(s->result, page_series_row(s, i), column);
}

/* Appends bytes as base64 (RFC 4648, with padding). */
static void add_base64(ha__strbuf *out, const uint8_t *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t word = (uint32_t) bytes[i] << 16;
        word |= n > 1 ? (uint32_t) bytes[i + 1] << 8 : 0;
        word |= n > 2 ? (uint32_t) bytes[i + 2] : 0;
        const char four[4] = { digits[word >> 18 & 63], digits[word >> 12 & 63],
                               n > 1 ? digits[word >> 6 & 63] : '=',
                               n > 2 ? digits[word & 63] : '=' };
        ha__strbuf_add_bytes(out, four, 4);
    }
}

/* Bytes as a JSON string in base64; the bytes are freed. */
static json_t *base64_string(ha_ctx *ctx, uint8_t *bytes, size_t length)
{
    ha__strbuf text = HA_STRBUF(ctx);

    add_base64(&text, bytes, length);
    ha__free(bytes);
    json_t *string =
        text.status == HA_OK ? json_stringn_nocheck(ha__strbuf_text(&text), text.length) : NULL;
    ha__strbuf_clear(&text);
    return string;
}

json_t *page_series_time(const page_series *s)
{
    uint8_t *bytes = ha__alloc(s->ctx, s->n_rows, sizeof(double));

    for (size_t i = 0; bytes != NULL && i < s->n_rows; i++) {
        double x = value_at(s, i, 0);
        uint64_t bits = 0;
        memcpy(&bits, &x, sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++) {
            bytes[i * sizeof bits + k] = (uint8_t) (bits >> 8 * k & 0xff);
        }
    }
    return bytes == NULL ? NULL : base64_string(s->ctx, bytes, s->n_rows * sizeof(double));
}

json_t *page_pack(ha_ctx *ctx, const double *values, size_t n)
{
    uint8_t *bytes = ha__alloc(ctx, n + 1, sizeof(float));

    for (size_t i = 0; bytes != NULL && i < n; i++) {
        float x = (float) values[i];
        uint32_t bits = 0;
        memcpy(&bits, &x, sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++) {
            bytes[i * sizeof bits + k] = (uint8_t) (bits >> 8 * k & 0xff);
        }
    }
    return bytes == NULL ? NULL
                         : json_pack("[s, o]", "f", base64_string(ctx, bytes, n * sizeof(float)));
}

static json_t *fine_series(const page_series *s, size_t column)
{
    double *values = ha__alloc(s->ctx, s->n_rows, sizeof *values);
    json_t *packed = NULL;

    for (size_t i = 0; values != NULL && i < s->n_rows; i++) {
        values[i] = value_at(s, i, column);
    }
    packed = values == NULL ? NULL : page_pack(s->ctx, values, s->n_rows);
    ha__free(values);
    return packed;
}

static json_t *coarse_series(const page_series *s, size_t column, double low, double high)
{
    uint8_t *bytes = ha__alloc(s->ctx, s->n_rows, sizeof(uint16_t));

    for (size_t i = 0; bytes != NULL && i < s->n_rows; i++) {
        double part = (value_at(s, i, column) - low) / (high - low);
        unsigned n = (unsigned) lround(part * 65535.0);
        bytes[2 * i] = (uint8_t) (n & 0xff);
        bytes[2 * i + 1] = (uint8_t) (n >> 8 & 0xff);
    }
    return bytes == NULL ? NULL
                         : json_pack("[s, f, f, o]", "u", low, high,
                                     base64_string(s->ctx, bytes, s->n_rows * sizeof(uint16_t)));
}

static json_t *one_series(const page_series *s, int k)
{
    size_t column = (size_t) s->column_of[k];
    double low = INFINITY, high = -INFINITY;
    bool is_finite = true;

    for (size_t i = 0; i < s->n_rows; i++) {
        double x = value_at(s, i, column);
        is_finite = is_finite && isfinite(x);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (is_finite && !(high > low)) {
        return json_pack("[s, f]", "c", low);
    }
    return s->is_coarse && !s->is_exact[k] && is_finite && isfinite(high - low)
               ? coarse_series(s, column, low, high)
               : fine_series(s, column);
}

json_t *page_series_values(const page_series *s)
{
    json_t *all = json_array();

    for (int k = 0; k < s->n_series; k++) {
        if (json_array_append_new(all, one_series(s, k)) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}
