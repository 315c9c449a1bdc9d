/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and numbers. The truth about distances is a second method: the recursive definition of the
 * optimal string alignment distance, with remembered results.
 */
#include <config.h>

#include "lib/core/symtab.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static ha_ctx *ctx;
static ha__symtab table;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    table = (ha__symtab){ 0 };
}

static void tear_down(void)
{
    ha__symtab_clear(&table);
    ha_ctx_free(ctx);
}

static int add(const char *name, int *is_new)
{
    int number = -2;

    ck_assert_int_eq(ha__symtab_add(ctx, &table, name, strlen(name), &number, is_new), HA_OK);
    return number;
}

static int find(const char *name)
{
    return ha__symtab_find(&table, name, strlen(name));
}

/* --- names and numbers ----------------------------------------------------------------------- */

START_TEST(an_empty_table_knows_nothing)
{
    ck_assert_int_eq(find("x"), -1);
    ck_assert_int_eq(find(""), -1);
    ck_assert_ptr_null(ha__symtab_nearest(&table, "x"));
    ha__symtab_clear(&table);
}
END_TEST

START_TEST(each_different_name_gets_the_next_number)
{
    int is_new = -1;

    ck_assert_int_eq(add("a", &is_new), 0);
    ck_assert_int_eq(is_new, 1);
    ck_assert_int_eq(add("b", NULL), 1);
    ck_assert_int_eq(add("a", &is_new), 0);
    ck_assert_int_eq(is_new, 0);
    ck_assert_int_eq(add("", &is_new), 2);
    ck_assert_int_eq(add("ab", &is_new), 3);
    ck_assert_int_eq(add("", NULL), 2);
    ck_assert_int_eq(find("b"), 1);
    ck_assert_int_eq(find("c"), -1);
    ck_assert_int_eq(find("A"), -1);
    ck_assert_str_eq(ha__symtab_name(&table, 3), "ab");
}
END_TEST

START_TEST(a_name_is_its_length_and_is_copied)
{
    char text[] = "motor.torque";
    int number = -1;

    ck_assert_int_eq(ha__symtab_add(ctx, &table, text, 5, &number, NULL), HA_OK);
    memset(text, '#', 5);
    ck_assert_str_eq(ha__symtab_name(&table, 0), "motor");
    ck_assert_int_eq(find("motor"), 0);
    ck_assert_int_eq(find("moto"), -1);
    ck_assert_int_eq(find("motor."), -1);
    ck_assert_int_eq(ha__symtab_find(&table, "motor.x", 5), 0);
}
END_TEST

START_TEST(a_zero_byte_is_part_of_a_name)
{
    static const char with_zero[300] = "a";
    int number = -1;

    ck_assert_int_eq(add("a", NULL), 0);
    ck_assert_int_eq(ha__symtab_find(&table, with_zero, 2), -1);
    ck_assert_int_eq(ha__symtab_find(&table, with_zero, sizeof with_zero), -1);
    ck_assert_int_eq(ha__symtab_add(ctx, &table, with_zero, 2, &number, NULL), HA_OK);
    ck_assert_int_ne(number, 0);
}
END_TEST

START_TEST(a_hundred_thousand_names)
{
    enum { N = 100000 };
    char name[32];

    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "K%d.x", i);
        if (add(name, NULL) != i) {
            ck_abort_msg("%s", name);
        }
    }
    for (int i = 0; i < N; i++) {
        int is_new = 1;
        snprintf(name, sizeof name, "K%d.x", i);
        if (find(name) != i || strcmp(ha__symtab_name(&table, i), name) != 0 ||
            add(name, &is_new) != i || is_new != 0) {
            ck_abort_msg("%s", name);
        }
        snprintf(name, sizeof name, "K%d.y", i);
        if (find(name) != -1) {
            ck_abort_msg("%s", name);
        }
    }
}
END_TEST

START_TEST(a_copy_has_the_same_numbers_and_its_own_names)
{
    ha__symtab copy = { 0 };
    char name[16];

    ck_assert_int_eq(ha__symtab_copy(ctx, &table, &copy), HA_OK);
    ck_assert_int_eq(ha__symtab_find(&copy, "n0", 2), -1);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        add(name, NULL);
    }
    ck_assert_int_eq(ha__symtab_copy(ctx, &table, &copy), HA_OK);
    ha__symtab_clear(&table);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        ck_assert_int_eq(ha__symtab_find(&copy, name, strlen(name)), i);
        ck_assert_str_eq(ha__symtab_name(&copy, i), name);
    }
    int number = -1, is_new = -1;
    ck_assert_int_eq(ha__symtab_add(ctx, &copy, "new", 3, &number, &is_new), HA_OK);
    ck_assert_int_eq(number, 1000);
    ha__symtab_clear(&copy);
}
END_TEST

START_TEST(a_failed_addition_changes_nothing)
{
    char name[32];

    add("first", NULL);
    for (size_t n = 1; n <= 6; n++) {
        int number = -7, is_new = -7, i = 0;
        ha_status status = HA_OK;
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        for (i = 0; i < 100000 && status == HA_OK; i++) {
            number = is_new = -7;
            snprintf(name, sizeof name, "round %zu name %d", n, i);
            status = ha__symtab_add(ctx, &table, name, strlen(name), &number, &is_new);
        }
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        ck_assert_int_eq(number, -7);
        ck_assert_int_eq(is_new, -7);
        ck_assert_int_eq(find(name), -1);
        ck_assert_int_eq(find("first"), 0);
        ck_assert_int_eq(add(name, &is_new), find(name));
        ck_assert_int_eq(is_new, 1);
    }
}
END_TEST

/* --- distances ------------------------------------------------------------------------------- */

enum { LONGEST = 12 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* d(i, j) of the first i letters of a and j of b by its definition; memo entries are d + 1. */
static int defined_distance(const char *a, const char *b, size_t i, size_t j,
                            int memo[LONGEST + 1][LONGEST + 1])
{
    if (i == 0 || j == 0) {
        return (int) (i + j);
    }
    if (memo[i][j] == 0) {
        int best = defined_distance(a, b, i - 1, j, memo) + 1;
        best = smaller(best, defined_distance(a, b, i, j - 1, memo) + 1);
        best = smaller(best, defined_distance(a, b, i - 1, j - 1, memo) + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
            best = smaller(best, defined_distance(a, b, i - 2, j - 2, memo) + 1);
        }
        memo[i][j] = best + 1;
    }
    return memo[i][j] - 1;
}

static int distance(const char *a, const char *b)
{
    int memo[LONGEST + 1][LONGEST + 1] = { { 0 } };

    return defined_distance(a, b, strlen(a), strlen(b), memo);
}

START_TEST(distances_follow_the_definition)
{
    uint64_t state = 1;

    for (int round = 0; round < 5000; round++) {
        char words[2][LONGEST + 1];
        for (int w = 0; w < 2; w++) {
            size_t length = (size_t) random_below(&state, 8);
            for (size_t i = 0; i < length; i++) {
                words[w][i] = (char) ('a' + random_below(&state, 3));
            }
            words[w][length] = '\0';
        }
        int wanted = distance(words[0], words[1]);
        for (int limit = 0; limit < 10; limit++) {
            int found = ha__edit_distance(words[0], words[1], limit);
            if (found != (wanted <= limit ? wanted : limit + 1)) {
                ck_abort_msg("`%s` `%s`, limit %d: %d, not %d", words[0], words[1], limit, found,
                             wanted);
            }
        }
    }
}
END_TEST

START_TEST(long_names_are_compared_or_far)
{
    static char a[80], b[80];

    memset(a, 'x', 64);
    memset(b, 'x', 64);
    b[10] = 'y';
    ck_assert_int_eq(ha__edit_distance(a, b, 3), 1);
    a[64] = 'x';
    ck_assert_int_eq(ha__edit_distance(a, b, 3), 4);
    ck_assert_int_eq(ha__edit_distance(b, a, 3), 4);
}
END_TEST

START_TEST(the_nearest_name_is_suggested)
{
    static const char *const names[] = { "spring",  "damper", "revolute", "mass",
                                         "inertia", "C1",     "bodies",   "R" };
    static const char *const cases[][2] = {
        { "sprnig", "spring" }, { "dampr", "damper" },    { "revolut", "revolute" },
        { "mas", "mass" },      { "inertai", "inertia" }, { "c1", "C1" },
        { "masss", "mass" },    { "spring", "spring" },   { "bodys", "bodies" },
        { "Mass", "mass" },     { "MASS", "mass" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        const char *found = ha__nearest(cases[i][0], names, HA_COUNT(names));
        ck_assert_msg(found != NULL, "%s: none", cases[i][0]);
        ck_assert_str_eq(found, cases[i][1]);
    }
    ck_assert_ptr_null(ha__nearest("gearbox", names, HA_COUNT(names)));
    ck_assert_ptr_null(ha__nearest("xy", names, HA_COUNT(names)));
    ck_assert_ptr_null(ha__nearest("O", names, HA_COUNT(names)));
    ck_assert_ptr_null(ha__nearest("Ra", names, HA_COUNT(names)));
    ck_assert_ptr_null(ha__nearest("spring", names, 0));
}
END_TEST

START_TEST(the_nearest_of_a_table_wins)
{
    add("angle", NULL);
    add("angles", NULL);
    add("tangle", NULL);
    ck_assert_str_eq(ha__symtab_nearest(&table, "angels"), "angles");
    ck_assert_str_eq(ha__symtab_nearest(&table, "angel"), "angle");
    ck_assert_str_eq(ha__symtab_nearest(&table, "tangel"), "tangle");
    ck_assert_ptr_null(ha__symtab_nearest(&table, "moment"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("symtab");
    TCase *tests = tcase_create("symtab");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, an_empty_table_knows_nothing);
    tcase_add_test(tests, each_different_name_gets_the_next_number);
    tcase_add_test(tests, a_name_is_its_length_and_is_copied);
    tcase_add_test(tests, a_zero_byte_is_part_of_a_name);
    tcase_add_test(tests, a_hundred_thousand_names);
    tcase_add_test(tests, a_copy_has_the_same_numbers_and_its_own_names);
    tcase_add_test(tests, a_failed_addition_changes_nothing);
    tcase_add_test(tests, distances_follow_the_definition);
    tcase_add_test(tests, long_names_are_compared_or_far);
    tcase_add_test(tests, the_nearest_name_is_suggested);
    tcase_add_test(tests, the_nearest_of_a_table_wins);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
