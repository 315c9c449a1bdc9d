/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results read back from files. Texts and bytes are written out by hand from RFC 4180 and from the
   description of MATLAB's version 4. */
#include <config.h>

#include "lib/result.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ha_ctx *ctx;
static char path[64];

static void set_up(void)
{
    int file = -1;

    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    strcpy(path, "/tmp/ha-test-files-XXXXXX");
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void tear_down(void)
{
    unlink(path);
    ha_ctx_free(ctx);
}

static void put(const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

static void expect_failure(ha_status status, ha_status expected, const char *part)
{
    ck_assert_int_eq(status, expected);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, part) != NULL, "`%s` is not in: %s", part,
                  ha_ctx_diag(ctx, 0)->text);
    ha_ctx_clear(ctx);
}

static ha_result *filled(void)
{
    const double rows[3][3] = { { 0.0, 0.1, -0.5 }, { 1.5, 1.0 / 3.0, 1e22 }, { 2, 5e-324, -7 } };
    ha_result *result = ha_result_new(ctx);

    ck_assert_ptr_nonnull(result);
    expect_ok(ha_result_add_column(result, "t", "s"));
    expect_ok(ha_result_add_column(result, "a, \"b\" [c] \xc3\xa4", "rad"));
    expect_ok(ha_result_add_column(result, "ratio", ""));
    for (int i = 0; i < 3; i++) {
        expect_ok(ha_result_add_row(result, rows[i]));
    }
    return result;
}

static void expect_equal(const ha_result *a, const ha_result *b)
{
    ck_assert_uint_eq(ha_result_n_columns(a), ha_result_n_columns(b));
    ck_assert_uint_eq(ha_result_n_rows(a), ha_result_n_rows(b));
    for (size_t j = 0; j < ha_result_n_columns(a); j++) {
        ck_assert_str_eq(ha_result_name(a, j), ha_result_name(b, j));
        ck_assert_str_eq(ha_result_unit(a, j), ha_result_unit(b, j));
        for (size_t i = 0; i < ha_result_n_rows(a); i++) {
            double x = ha_result_value(a, i, j), y = ha_result_value(b, i, j);
            ck_assert(memcmp(&x, &y, sizeof x) == 0);
        }
    }
}

/* Both formats keep every bit of every number, every name and every unit. */
START_TEST(what_was_written_is_read_back)
{
    ha_result *result = filled(), *back = NULL;

    expect_ok(ha_result_write_csv(result, path));
    expect_ok(ha_result_read_csv(ctx, path, &back));
    expect_equal(result, back);
    ha_result_free(back);
    expect_ok(ha_result_write_mat(result, path));
    expect_ok(ha_result_read_mat(ctx, path, &back));
    expect_equal(result, back);
    ha_result_free(back);
    ha_result_free(result);
}
END_TEST

START_TEST(csv_of_other_programs_is_read)
{
    static const char text[] = "t [s],\"x, y [m]\",plain,\"a\"\"b\"\r\n"
                               "0,nan,-1e3,\"2.5\"\r\n\r\n1,inf,-inf,4";
    ha_result *result = NULL;

    put(text, sizeof text - 1);
    expect_ok(ha_result_read(ctx, path, &result));
    ck_assert_uint_eq(ha_result_n_columns(result), 4);
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
    ck_assert_str_eq(ha_result_name(result, 1), "x, y");
    ck_assert_str_eq(ha_result_unit(result, 1), "m");
    ck_assert_str_eq(ha_result_name(result, 3), "a\"b");
    ck_assert(isnan(ha_result_value(result, 0, 1)));
    ck_assert(ha_result_value(result, 0, 2) == -1000.0);
    ck_assert(ha_result_value(result, 0, 3) == 2.5);
    ck_assert(isinf(ha_result_value(result, 1, 1)) && ha_result_value(result, 1, 1) > 0.0);
    ck_assert(isinf(ha_result_value(result, 1, 2)) && ha_result_value(result, 1, 2) < 0.0);
    ha_result_free(result);
}
END_TEST

START_TEST(bad_csv_is_refused_with_its_place)
{
    static const struct {
        const char *text, *part;
        ha_status status;
        int line;
    } cases[] = {
        { "", "empty", HA_ERR_SYNTAX, 0 },
        { "0,1\n2,3\n", "names of the columns", HA_ERR_SYNTAX, 1 },
        { "t [s],x\n0,1\n1\n", "2 columns", HA_ERR_SYNTAX, 3 },
        { "t [s],x\n0,1\n1,2,3\n", "more fields", HA_ERR_SYNTAX, 3 },
        { "t [s],x\n\n0,zero\n", "`zero` in column `x`", HA_ERR_SYNTAX, 3 },
        { "t [s],x\n0,\"1\n", "close its quote", HA_ERR_SYNTAX, 2 },
        { "t [s],x\n0,\"1\"2\n", "behind its closing quote", HA_ERR_SYNTAX, 2 },
        { "t [s],\n0,1\n", "column 2", HA_ERR_SYNTAX, 1 },
        { "t [s],x,x\n0,1,1\n", "`x`", HA_ERR_NAME, 1 },
    };
    ha_result *result = NULL;

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        put(cases[i].text, strlen(cases[i].text));
        ha_status status = ha_result_read_csv(ctx, path, &result);
        ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, cases[i].line);
        expect_failure(status, cases[i].status, cases[i].part);
        ck_assert_ptr_null(result);
    }
    expect_failure(ha_result_read_csv(ctx, "/no/such/file.csv", &result), HA_ERR_FILE,
                   "cannot read");
}
END_TEST

/* --- MATLAB --------------------------------------------------------------------------------- */

static unsigned char bytes[4096];
static size_t n_bytes;

static void add_big(uint64_t value, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        bytes[n_bytes++] = (unsigned char) (value >> (8 * i));
    }
}

static void add_big_header(const char *name, int type, int rows, int columns)
{
    const int head[5] = { type, rows, columns, 0, (int) strlen(name) + 1 };

    for (int i = 0; i < 5; i++) {
        add_big((uint64_t) head[i], 4);
    }
    memcpy(bytes + n_bytes, name, strlen(name) + 1);
    n_bytes += strlen(name) + 1;
}

/* A matrix of text: `rows` rows of `columns` characters, stored by columns. */
static void add_big_text(const char *name, const char *const *rows, int n_rows, int columns)
{
    add_big_header(name, 1051, n_rows, columns);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n_rows; i++) {
            bytes[n_bytes++] = (unsigned char) rows[i][j];
        }
    }
}

/* binNormal, most significant bytes first, with a parameter, an alias of opposite sign and floats:
   what the layout allows and our writer does not use. */
START_TEST(other_forms_of_matlab_files_are_read)
{
    static const char *const kind[4] = { "Atrajectory", "1.1        ", "           ",
                                         "binNormal  " };
    static const char *const names[4] = { "Time", "x   ", "k   ", "minx" };
    static const char *const texts[4] = { "Time in [s]", "x [m|Length]", "k          ",
                                          "minus x [m]" };
    static const int info[4][4] = {
        { 0, 1, 0, -1 }, { 2, 2, 0, -1 }, { 1, 2, 0, -1 }, { 2, -2, 0, -1 }
    };
    static const float data[2][3] = { { 0.0f, 0.5f, 1.0f }, { 3.0f, 4.0f, 5.5f } };
    ha_result *result = NULL;

    n_bytes = 0;
    add_big_text("Aclass", kind, 4, 11);
    add_big_text("name", names, 4, 4);
    add_big_text("description", texts, 4, 11);
    add_big_header("dataInfo", 1020, 4, 4); /* (n x 4) */
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) {
            add_big((uint64_t) (uint32_t) info[i][j], 4);
        }
    }
    add_big_header("data_1", 1000, 2, 2); /* (times x parameters), doubles 0, 1 | 8, 8 */
    add_big(0, 8);
    add_big(UINT64_C(0x3ff0000000000000), 8);
    add_big(UINT64_C(0x4020000000000000), 8);
    add_big(UINT64_C(0x4020000000000000), 8);
    add_big_header("data_2", 1010, 3, 2);
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 3; i++) {
            uint32_t u = 0;
            memcpy(&u, &data[j][i], sizeof u);
            add_big(u, 4);
        }
    }
    put(bytes, n_bytes);
    expect_ok(ha_result_read_mat(ctx, path, &result));
    ck_assert_str_eq(ha_result_name(result, 0), "t");
    ck_assert_str_eq(ha_result_unit(result, 0), "s");
    ck_assert_str_eq(ha_result_unit(result, 1), "m");
    ck_assert_str_eq(ha_result_unit(result, 2), "");
    ck_assert_uint_eq(ha_result_n_rows(result), 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert(ha_result_value(result, i, 0) == (double) data[0][i]);
        ck_assert(ha_result_value(result, i, 1) == (double) data[1][i]);
        ck_assert(ha_result_value(result, i, 2) == 8.0);
        ck_assert(ha_result_value(result, i, 3) == -(double) data[1][i]);
    }
    ha_result_free(result);
}
END_TEST

/* Texts may be of any format; what is no byte is no letter. */
START_TEST(names_of_doubles_are_read)
{
    static const char *const kind[4] = { "Atrajectory", "1.1        ", "           ",
                                         "binNormal  " };
    static const double names[2][2] = { { 't', 'x' }, { ' ', 1e300 } };
    static const int info[4][2] = { { 0, 2 }, { 1, 2 }, { 0, 0 }, { -1, -1 } };
    ha_result *result = NULL;

    n_bytes = 0;
    add_big_text("Aclass", kind, 4, 11);
    add_big_header("name", 1000, 2, 2);
    for (int i = 0; i < 4; i++) {
        uint64_t u = 0;
        memcpy(&u, &names[i / 2][i % 2], sizeof u);
        add_big(u, 8);
    }
    add_big_header("dataInfo", 1020, 2, 4);
    for (int i = 0; i < 8; i++) {
        add_big((uint64_t) (uint32_t) info[i / 2][i % 2], 4);
    }
    for (int i = 1; i <= 2; i++) { /* one time, all 0 */
        add_big_header(i == 1 ? "data_1" : "data_2", 1000, 1, 2);
        add_big(0, 8);
        add_big(0, 8);
    }
    put(bytes, n_bytes);
    expect_ok(ha_result_read_mat(ctx, path, &result));
    ck_assert_str_eq(ha_result_name(result, 0), "t");
    ck_assert_str_eq(ha_result_name(result, 1), "x?");
    ha_result_free(result);
}
END_TEST

/* A file that was cut anywhere, or with any byte of it wrong, is refused or read, but nothing else
   is touched (the sanitizers watch). */
START_TEST(damaged_matlab_files_do_no_harm)
{
    ha_result *result = filled(), *back = NULL;
    size_t length = 0;

    expect_ok(ha_result_write_mat(result, path));
    ha_result_free(result);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ck_assert_uint_gt(length, 300);
    for (size_t n = 0; n < length; n += 7) { /* a file each time */
        put(bytes, n);
        ck_assert_int_ne(ha_result_read_mat(ctx, path, &back), HA_OK);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ha_ctx_clear(ctx);
    }
    for (size_t n = 0; n < length; n += 3) {
        bytes[n] = (unsigned char) ~bytes[n];
        put(bytes, length);
        if (ha_result_read_mat(ctx, path, &back) == HA_OK) {
            ha_result_free(back);
        }
        ha_ctx_clear(ctx);
        bytes[n] = (unsigned char) ~bytes[n];
    }
}
END_TEST

/* Reading gives up cleanly whichever allocation fails. */
START_TEST(no_memory_is_an_error)
{
    static ha_status (*const reads[])(ha_ctx *, const char *,
                                      ha_result **) = { ha_result_read_csv, ha_result_read_mat };
    ha_result *result = filled(), *back = NULL;

    for (size_t k = 0; k < HA_COUNT(reads); k++) {
        ha_status status = HA_ERR_MEMORY;
        expect_ok(k == 0 ? ha_result_write_csv(result, path) : ha_result_write_mat(result, path));
        for (size_t n = 1; status != HA_OK; n++) {
            ha_ctx_fail_allocation(ctx, n);
            status = reads[k](ctx, path, &back);
            ha_ctx_fail_allocation(ctx, 0);
            ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
            ha_ctx_clear(ctx);
        }
        expect_equal(result, back);
        ha_result_free(back);
    }
    ha_result_free(result);
}
END_TEST

START_TEST(an_empty_table_is_no_matlab_file)
{
    ha_result *result = ha_result_new(ctx);

    expect_failure(ha_result_write_mat(result, path), HA_ERR_LIMIT, "0 columns");
    ha_result_free(result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("result_files");
    TCase *tests = tcase_create("result_files");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_was_written_is_read_back);
    tcase_add_test(tests, csv_of_other_programs_is_read);
    tcase_add_test(tests, bad_csv_is_refused_with_its_place);
    tcase_add_test(tests, other_forms_of_matlab_files_are_read);
    tcase_add_test(tests, names_of_doubles_are_read);
    tcase_add_test(tests, damaged_matlab_files_do_no_harm);
    tcase_add_test(tests, no_memory_is_an_error);
    tcase_add_test(tests, an_empty_table_is_no_matlab_file);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
