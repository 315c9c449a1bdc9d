/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result tables and their CSV files. Texts are written out by hand from RFC 4180. */
#include <config.h>

#include "lib/result.h"

#include "lib/core/output.h"
#include "tests/util/util.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ha_ctx *ctx;
static ha_result *result;
static char directory[] = "/tmp/ha-test-result-XXXXXX";
static char path[256];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    result = ha_result_new(ctx);
    ck_assert_ptr_nonnull(result);
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/out.csv", directory);
}

/* Number of files in the directory. */
static int n_files(void)
{
    int count = 0;
    DIR *dir = opendir(directory);

    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    closedir(dir);
    return count;
}

static void tear_down(void)
{
    char command[300];

    ha_result_free(result);
    ha_ctx_free(ctx);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
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

/* What a file holds; valid until the next call. */
static const char *content(const char *name)
{
    static char text[4096];
    FILE *file = fopen(name, "rb");

    ck_assert_ptr_nonnull(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void fill(void)
{
    const double rows[2][3] = { { 0.0, 0.1, -0.5 }, { 1.5, 1.0 / 3.0, 1e22 } };

    expect_ok(ha_result_add_column(result, "t", "s"));
    expect_ok(ha_result_add_column(result, "K1.angle", "rad"));
    expect_ok(ha_result_add_column(result, "ratio", ""));
    expect_ok(ha_result_add_row(result, rows[0]));
    expect_ok(ha_result_add_row(result, rows[1]));
}

static const char filled[] = "t [s],K1.angle [rad],ratio\n"
                             "0,0.10000000000000001,-0.5\n"
                             "1.5,0.33333333333333331,1e+22\n";

START_TEST(an_empty_table_has_nothing)
{
    ck_assert_uint_eq(ha_result_n_columns(result), 0);
    ck_assert_uint_eq(ha_result_n_rows(result), 0);
    ck_assert_int_eq(ha_result_find(result, "t"), -1);
    expect_ok(ha_result_add_row(result, NULL));
    ck_assert_uint_eq(ha_result_n_rows(result), 1);
    ha_result_free(NULL);
}
END_TEST

START_TEST(rows_are_cut_off_and_others_appended)
{
    const double row[3] = { 2.0, 0.2, 7.0 };

    fill();
    ha_result_cut(result, 5);
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
    ha_result_cut(result, 1);
    ck_assert_uint_eq(ha_result_n_rows(result), 1);
    ck_assert_double_eq(ha_result_value(result, 0, 2), -0.5);
    expect_ok(ha_result_add_row(result, row));
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
    ck_assert_double_eq(ha_result_value(result, 1, 2), 7.0);
}
END_TEST

START_TEST(values_and_columns_come_back)
{
    fill();
    ck_assert_uint_eq(ha_result_n_columns(result), 3);
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
    ck_assert_str_eq(ha_result_name(result, 1), "K1.angle");
    ck_assert_str_eq(ha_result_unit(result, 1), "rad");
    ck_assert_str_eq(ha_result_unit(result, 2), "");
    ck_assert_int_eq(ha_result_find(result, "ratio"), 2);
    ck_assert_int_eq(ha_result_find(result, "K1"), -1);
    ck_assert_double_eq(ha_result_value(result, 1, 1), 1.0 / 3.0);
    ck_assert_double_eq(ha_result_value(result, 0, 2), -0.5);
}
END_TEST

START_TEST(column_strings_are_copied)
{
    char name[] = "x";
    char unit[] = "m";

    expect_ok(ha_result_add_column(result, name, unit));
    name[0] = unit[0] = '?';
    ck_assert_str_eq(ha_result_name(result, 0), "x");
    ck_assert_str_eq(ha_result_unit(result, 0), "m");
}
END_TEST

START_TEST(wrong_columns_are_refused)
{
    expect_ok(ha_result_add_column(result, "x", ""));
    expect_failure(ha_result_add_column(result, "x", "m"), HA_ERR_NAME, "`x`");
    ck_assert_uint_eq(ha_result_n_columns(result), 1);
    expect_ok(ha_result_add_row(result, (const double[]){ 1.0 }));
    expect_failure(ha_result_add_column(result, "y", ""), HA_ERR_ARGUMENT, "`y`");
}
END_TEST

START_TEST(reserved_rows_need_no_memory)
{
    expect_ok(ha_result_add_column(result, "x", ""));
    expect_ok(ha_result_reserve(result, 1000));
    ha_ctx_fail_allocation(ctx, 1);
    for (int i = 0; i < 1000; i++) {
        const double x = i;
        expect_ok(ha_result_add_row(result, &x));
    }
    ck_assert_double_eq(ha_result_value(result, 999, 0), 999.0);
    expect_failure(ha_result_reserve(result, 100000), HA_ERR_MEMORY, "memory");
    expect_failure(ha_result_reserve(result, SIZE_MAX), HA_ERR_MEMORY, "memory");
}
END_TEST

START_TEST(a_csv_file_is_as_specified)
{
    fill();
    expect_ok(ha_result_write_csv(result, path));
    ck_assert_str_eq(content(path), filled);
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

START_TEST(special_names_are_quoted)
{
    expect_ok(ha_result_add_column(result, "relative(A.P, B.Q).x", "m"));
    expect_ok(ha_result_add_column(result, "say \"x\"", ""));
    expect_ok(ha_result_write_csv(result, path));
    ck_assert_str_eq(content(path), "\"relative(A.P, B.Q).x [m]\",\"say \"\"x\"\"\"\n");
}
END_TEST

START_TEST(values_that_are_not_finite_have_a_spelling)
{
    const double row[] = { (double) NAN, copysign((double) NAN, -1.0), (double) INFINITY,
                           -(double) INFINITY };

    expect_ok(ha_result_add_column(result, "a", ""));
    expect_ok(ha_result_add_column(result, "b", ""));
    expect_ok(ha_result_add_column(result, "c", ""));
    expect_ok(ha_result_add_column(result, "d", ""));
    expect_ok(ha_result_add_row(result, row));
    expect_ok(ha_result_write_csv(result, path));
    ck_assert_str_eq(content(path), "a,b,c,d\nnan,nan,inf,-inf\n");
}
END_TEST

START_TEST(numbers_do_not_depend_on_the_locale)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8" };

    for (size_t i = 0; i < HA_COUNT(names) && setlocale(LC_ALL, names[i]) == NULL; i++) {
    }
    fill();
    expect_ok(ha_result_write_csv(result, path));
    setlocale(LC_ALL, "C");
    ck_assert_str_eq(content(path), filled);
}
END_TEST

START_TEST(an_old_file_is_replaced_with_its_permissions)
{
    struct stat info;

    put(path, "old\n");
    ck_assert_int_eq(chmod(path, 0640), 0);
    fill();
    expect_ok(ha_result_write_csv(result, path));
    ck_assert_str_eq(content(path), filled);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0640);
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

START_TEST(a_link_is_followed)
{
    char link[300];
    struct stat info;

    put(path, "old\n");
    snprintf(link, sizeof link, "%s/link.csv", directory);
    ck_assert_int_eq(symlink("out.csv", link), 0);
    fill();
    expect_ok(ha_result_write_csv(result, link));
    ck_assert_int_eq(lstat(link, &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    ck_assert_str_eq(content(path), filled);
}
END_TEST

START_TEST(places_that_cannot_be_written_are_named)
{
    char missing[300];

    fill();
    snprintf(missing, sizeof missing, "%s/no/out.csv", directory);
    expect_failure(ha_result_write_csv(result, missing), HA_ERR_OUTPUT, "No such file");
    expect_failure(ha_result_write_csv(result, directory), HA_ERR_OUTPUT, "Is a directory");
    expect_failure(ha_result_write_csv(result, ""), HA_ERR_OUTPUT, "``");
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    fill();
    if (access("/dev/full", W_OK) == 0) {
        expect_failure(ha_result_write_csv(result, "/dev/full"), HA_ERR_OUTPUT,
                       "`/dev/full` cannot be written: No space left");
    }
}
END_TEST

START_TEST(a_large_table_on_a_full_disk_gives_one_diagnostic)
{
    expect_ok(ha_result_add_column(result, "x", ""));
    for (int i = 0; i < 20000; i++) {
        expect_ok(ha_result_add_row(result, (const double[]){ 1.0 / 3.0 }));
    }
    if (access("/dev/full", W_OK) == 0) {
        expect_failure(ha_result_write_csv(result, "/dev/full"), HA_ERR_OUTPUT, "/dev/full");
    }
}
END_TEST

START_TEST(standard_output_is_a_dash)
{
    int keep = dup(STDOUT_FILENO);

    fill();
    fflush(stdout);
    ck_assert_ptr_nonnull(freopen(path, "w", stdout));
    ha_status status = ha_result_write_csv(result, "-");
    fflush(stdout);
    dup2(keep, STDOUT_FILENO);
    close(keep);
    expect_ok(status);
    ck_assert_str_eq(content(path), filled);
}
END_TEST

START_TEST(a_pipe_is_written_directly)
{
    char command[600];
    char fifo[100];
    char copy[100];

    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    snprintf(copy, sizeof copy, "%s/copy", directory);
    snprintf(command, sizeof command, "mkfifo '%s' && cat '%s' > '%s' &", fifo, fifo, copy);
    ck_assert_int_eq(system(command), 0);
    while (access(fifo, F_OK) != 0) {
        usleep(10000);
    }
    fill();
    expect_ok(ha_result_write_csv(result, fifo));
    while (strcmp(content(copy), filled) != 0) {
        usleep(10000);
    }
}
END_TEST

START_TEST(abandoned_output_leaves_the_old_file)
{
    ha__output out;

    put(path, "old\n");
    expect_ok(ha__output_open(ctx, path, &out));
    ha__output_add(&out, "new", 3);
    ck_assert_int_eq(n_files(), 2);
    ha__output_abandon(&out);
    ck_assert_str_eq(content(path), "old\n");
    ck_assert_int_eq(n_files(), 1);
    expect_ok(ha__output_write(ctx, path, "new\n", 4));
    ck_assert_str_eq(content(path), "new\n");
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    for (size_t n = 1;; n++) {
        ha_result_free(result);
        ha_ctx_clear(ctx);
        result = NULL;
        ha_ctx_fail_allocation(ctx, n);
        result = ha_result_new(ctx);
        ha_status status = result == NULL ? HA_ERR_MEMORY : HA_OK;
        if (status == HA_OK) {
            status = ha_result_add_column(result, "t", "s");
        }
        if (status == HA_OK) {
            status = ha_result_add_row(result, (const double[]){ 1.0 });
        }
        if (status == HA_OK) {
            status = ha_result_write_csv(result, path);
        }
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_le(n_files(), 1);
        if (status == HA_OK) {
            break;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ck_assert_int_eq(n_files(), 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_empty_table_has_nothing,
        rows_are_cut_off_and_others_appended,
        values_and_columns_come_back,
        column_strings_are_copied,
        wrong_columns_are_refused,
        reserved_rows_need_no_memory,
        a_csv_file_is_as_specified,
        special_names_are_quoted,
        values_that_are_not_finite_have_a_spelling,
        numbers_do_not_depend_on_the_locale,
        an_old_file_is_replaced_with_its_permissions,
        a_link_is_followed,
        places_that_cannot_be_written_are_named,
        a_full_disk_is_noticed,
        a_large_table_on_a_full_disk_gives_one_diagnostic,
        standard_output_is_a_dash,
        a_pipe_is_written_directly,
        abandoned_output_leaves_the_old_file,
        lack_of_memory_is_reported_wherever_it_strikes,
    };

    return test_run_all("result", set_up, tear_down, tests, HA_COUNT(tests));
}
