/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting in linear time against the order of qsort() and strcmp(). */
#include <config.h>

#include "lib/core/sort.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static uint64_t random_state;

static unsigned chance(unsigned n)
{
    return (unsigned) random_below(&random_state, (int) n);
}

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
    random_state = 1;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

START_TEST(keys_are_sorted_and_equal_ones_keep_their_order)
{
    static const size_t sizes[] = { 0, 1, 2, 23, 24, 25, 1000, MOST };
    static const uint64_t masks[] = { UINT64_MAX, 3, UINT64_C(0xFF00000000000000), 0 };
    static uint64_t keys[MOST], sorted[MOST];
    static int values[MOST];

    for (size_t s = 0; s < HA_COUNT(sizes); s++) {
        for (size_t m = 0; m < HA_COUNT(masks); m++) {
            for (size_t i = 0; i < sizes[s]; i++) {
                keys[i] = ((uint64_t) chance(1u << 24) << 40 ^ (uint64_t) chance(1u << 24) << 20 ^
                           chance(1u << 24)) &
                          masks[m];
                sorted[i] = keys[i];
                values[i] = (int) i;
            }
            ck_assert_int_eq(ha__sort_by_keys(ctx, sizes[s], sorted, values), HA_OK);
            for (size_t i = 0; i < sizes[s]; i++) {
                ck_assert(sorted[i] == keys[values[i]]);
                ck_assert(i == 0 || sorted[i - 1] < sorted[i] ||
                          (sorted[i - 1] == sorted[i] && values[i - 1] < values[i]));
            }
        }
    }
}
END_TEST

static const char *names[MOST];

static int compare_names(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;
    int by_name = strcmp(names[x], names[y]);

    return by_name != 0 ? by_name : x - y;
}

static void expect_sorted_names(int n)
{
    static int found[MOST], wanted[MOST];

    for (int i = 0; i < n; i++) {
        wanted[i] = i;
    }
    qsort(wanted, (size_t) n, sizeof wanted[0], compare_names);
    ck_assert_int_eq(ha__sort_names(ctx, n, names, found), HA_OK);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(found[i], wanted[i]);
    }
}

START_TEST(names_come_in_the_order_of_strcmp)
{
    static char texts[MOST][64];

    for (int i = 0; i < MOST; i++) {
        /* shared beginnings of all lengths, bytes above 127, repetitions */
        int n = (int) chance(30);
        for (int k = 0; k < n; k++) {
            texts[i][k] = (char) (k < n - 2 ? 'a' : "ab\xc3z"[chance(4)]);
        }
        texts[i][n] = '\0';
        names[i] = texts[i];
    }
    expect_sorted_names(0);
    expect_sorted_names(1);
    expect_sorted_names(30);
    expect_sorted_names(MOST);
    for (int i = 0; i < MOST; i++) {
        snprintf(texts[i], sizeof texts[i], "mechanism.body%u.x", chance(100000));
    }
    expect_sorted_names(MOST);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sort");
    TCase *tests = tcase_create("sort");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, keys_are_sorted_and_equal_ones_keep_their_order);
    tcase_add_test(tests, names_come_in_the_order_of_strcmp);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
