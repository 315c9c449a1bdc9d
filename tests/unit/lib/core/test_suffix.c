/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of files by suffix. */
#include <config.h>

#include "lib/core/suffix.h"

#include "lib/core/mem.h"
#include "tests/util/util.h"

typedef struct {
    ha__suffix name;
    int number;
} format;

static const format pictures[] = { { { ".svg", "a picture" }, 10 }, { { ".png", NULL }, 11 } };
static const format texts[] = { { { ".txt", "a text" }, 1 }, { { ".tar.txt", "texts" }, 2 } };

static const ha__suffixes alone = { HA__SUFFIXES(pictures), .what = "the picture" };
static const ha__suffixes both = { HA__SUFFIXES(texts), .what = "the text", .has_plain = true,
                                   .more = &alone };

static int number_of(const ha__suffixes *table, const char *path)
{
    const format *row = ha__suffix_find(table, path);

    return row == NULL ? 0 : row->number;
}

START_TEST(a_name_ends_in_a_suffix_behind_something)
{
    ck_assert(ha__has_suffix("a.txt", ".txt"));
    ck_assert(!ha__has_suffix(".txt", ".txt"));
    ck_assert(!ha__has_suffix("a.txt", ".csv"));
    ck_assert(!ha__has_suffix("", ".txt"));
}
END_TEST

START_TEST(the_row_of_a_file_is_that_of_its_suffix)
{
    ck_assert_int_eq(number_of(&alone, "x.png"), 11);
    ck_assert_int_eq(number_of(&alone, "x.txt"), 0);
    ck_assert_int_eq(number_of(&both, "x.txt"), 1);
    ck_assert_int_eq(number_of(&both, "x.svg"), 0); /* its row is of another table */
    ck_assert_str_eq(ha__suffix_of(&both, "x.svg")->sentence, "a picture");
    ck_assert_ptr_null(ha__suffix_at(&both, 4));
}
END_TEST

START_TEST(standard_output_and_devices_get_the_first_format_if_there_is_a_plain_one)
{
    ck_assert_int_eq(number_of(&both, "-"), 1);
    ck_assert_int_eq(number_of(&both, "/dev/null"), 1);
    ck_assert_int_eq(number_of(&both, "/"), 0);
    ck_assert_int_eq(number_of(&alone, "-"), 0);
    ck_assert_ptr_null(ha__suffix_of(&both, "-"));
}
END_TEST

START_TEST(a_message_lists_all_suffixes)
{
    ha_ctx *ctx = ha_ctx_new();

    ck_assert_int_eq(ha__suffix_check(ctx, &both, "x.svg"), HA_OK);
    ck_assert_int_eq(ha__suffix_check(ctx, &both, "x.c"), HA_ERR_ARGUMENT);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text,
                     "the text cannot be written as `x.c`, whose suffix says no known format; use "
                     ".txt, .tar.txt, .svg or .png");
    ha_ctx_free(ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suffix");
    TCase *tests = tcase_create("suffix");

    tcase_add_test(tests, a_name_ends_in_a_suffix_behind_something);
    tcase_add_test(tests, the_row_of_a_file_is_that_of_its_suffix);
    tcase_add_test(tests, standard_output_and_devices_get_the_first_format_if_there_is_a_plain_one);
    tcase_add_test(tests, a_message_lists_all_suffixes);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
