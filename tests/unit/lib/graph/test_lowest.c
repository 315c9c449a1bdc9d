/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets from which the lowest number is taken, against a search through marks. */
#include <config.h>

#include "lib/graph/lowest.h"

#include "lib/core/mem.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST = 300000 };

static ha_ctx *ctx;
static bool is_in[MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static int lowest_marked(int n)
{
    int i = 0;

    while (i < n && !is_in[i]) {
        i++;
    }
    return i;
}

START_TEST(the_lowest_is_taken_whatever_came_before)
{
    static const int sizes[] = { 1, 2, 63, 64, 65, 4096, 4097, 20000 };
    uint64_t seed = 1;
    int n = sizes[_i], count = 0;
    ha__lowest set;

    ck_assert_int_eq(ha__lowest_init(ctx, &set, (size_t) n), HA_OK);
    for (int i = 0; i < n; i++) {
        is_in[i] = false;
    }
    for (int i = 0; i < 20000; i++) {
        int number = random_below(&seed, n);
        ck_assert_int_eq(ha__lowest_is_empty(&set), count == 0);
        if (count == 0 || random_below(&seed, 3) != 0) {
            count += is_in[number] ? 0 : 1;
            is_in[number] = true;
            ha__lowest_add(&set, number);
        } else {
            int lowest = lowest_marked(n);
            ck_assert_int_eq(ha__lowest_take(&set), lowest);
            is_in[lowest] = false;
            count--;
        }
    }
    ha__lowest_clear(&set);
}
END_TEST

START_TEST(all_numbers_come_out_in_order)
{
    ha__lowest set;

    ck_assert_int_eq(ha__lowest_init(ctx, &set, MOST), HA_OK);
    for (int i = MOST - 1; i >= 0; i--) {
        ha__lowest_add(&set, i);
    }
    for (int i = 0; i < MOST; i++) {
        ck_assert_int_eq(ha__lowest_take(&set), i);
    }
    ck_assert(ha__lowest_is_empty(&set));
    ha__lowest_clear(&set);
}
END_TEST

START_TEST(a_set_of_no_numbers_is_empty)
{
    ha__lowest set;

    ck_assert_int_eq(ha__lowest_init(ctx, &set, 0), HA_OK);
    ck_assert(ha__lowest_is_empty(&set));
    ha__lowest_clear(&set);
    ha__lowest_clear(&set);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    for (size_t n = 1; n <= 3; n++) {
        ha__lowest set;
        ha_ctx_fail_allocation(ctx, n);
        ck_assert_int_eq(ha__lowest_init(ctx, &set, 5000), HA_ERR_MEMORY);
        ha_ctx_fail_allocation(ctx, 0);
        ha__lowest_clear(&set);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lowest");
    TCase *tests = tcase_create("lowest");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, the_lowest_is_taken_whatever_came_before, 0, 8);
    tcase_add_test(tests, all_numbers_come_out_in_order);
    tcase_add_test(tests, a_set_of_no_numbers_is_empty);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
