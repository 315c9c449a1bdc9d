/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The book of a run: what passed, and where what it is off by jumped. */
#include <config.h>

#include "lib/dae/dae_priv.h"
#include "tests/util/util.h"

#include <math.h>

static ha_ctx *ctx;
static ha__book book;
static ha_dae_stats stats;

static void setup(void)
{
    ctx = ha_ctx_new();
    stats = (ha_dae_stats){ 0 };
}

static void teardown(void)
{
    ha__book_clear(&book);
    ha_ctx_free(ctx);
}

/* Off by a drift of 0.001 t and a rise of 1 from t = 4 to 4.01, which takes many short steps. */
static double off(double t)
{
    return 0.001 * t + fmin(fmax((t - 4.0) / 0.01, 0.0), 1.0);
}

/* From 0 to 10 by steps of 0.5, of 1e-4 where it rises; grain 0.1. */
static void keep_book(void)
{
    double t = 0.0, start[2] = { 3.0, off(0.0) };

    ck_assert_int_eq(ha__book_init(&book, ctx, 1, 0.1), HA_OK);
    ha__book_begin(&book, 0.0, start);
    while (t < 10.0) {
        t = t >= 4.0 && t < 4.02 ? t + 1e-4 : fmin(t + 0.5, 10.0);
        double entries[2] = { 3.0 + cos(3.14159265358979323846 * t), off(t) };
        ha__book_go_on(&book, t, entries, t >= 10.0);
    }
    ha__book_report(&book, &stats);
}

START_TEST(a_jump_in_many_short_steps_is_found_as_one)
{
    keep_book();
    ck_assert_double_eq_tol(stats.lost, 1.0, 0.002);
    ck_assert_double_le(stats.t_lost[0], 4.0);
    ck_assert_double_ge(stats.t_lost[1], 4.01);
    ck_assert_double_le(stats.t_lost[1] - stats.t_lost[0], 0.6);
    ck_assert_int_eq(stats.is_lost_in_pass, 0);
}
END_TEST

START_TEST(a_position_that_was_passed_there_is_found)
{
    keep_book();
    ha__book_note(&book, 8.0, 8.5); /* elsewhere */
    ha__book_report(&book, &stats);
    ck_assert_int_eq(stats.is_lost_in_pass, 0);
    ha__book_note(&book, 3.99, 4.03);
    ha__book_report(&book, &stats);
    ck_assert_int_eq(stats.is_lost_in_pass, 1);
}
END_TEST

/* What is infinite once leaves no number behind: where it began is kept. */
START_TEST(what_is_not_finite_is_found_where_it_begins)
{
    const double entries[5] = { 0.0, 2.0, (double) INFINITY, (double) NAN, 3.0 };

    ck_assert_int_eq(ha__book_init(&book, ctx, 0, 0.1), HA_OK);
    ha__book_begin(&book, 0.0, entries);
    for (int i = 1; i < 5; i++) {
        ha__book_go_on(&book, (double) i, entries + i, i == 4);
    }
    ha__book_report(&book, &stats);
    ck_assert(isinf(stats.lost));
    ck_assert_double_eq(stats.t_lost[0], 1.0);
    ck_assert_double_eq(stats.t_lost[1], 2.0);
}
END_TEST

/* A column that goes there and back has passed twice. */
START_TEST(what_goes_and_comes_has_passed_twice)
{
    const double entries[3][3] = { { 1.0, 5.0, 0.0 }, { 3.0, 4.0, 0.0 }, { 1.0, 5.0, 0.0 } };

    ck_assert_int_eq(ha__book_init(&book, ctx, 2, 0.1), HA_OK);
    ha__book_begin(&book, 0.0, entries[0]);
    ha__book_go_on(&book, 1.0, entries[1], false);
    ha__book_go_on(&book, 2.0, entries[2], true);
    ha__book_report(&book, &stats);
    ck_assert_double_eq_tol(stats.passed, 2.0 * (2.0 + 1.0), 1e-12);
    ck_assert_double_eq(stats.lost, 0.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_book");
    TCase *tests = tcase_create("dae_book");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_jump_in_many_short_steps_is_found_as_one);
    tcase_add_test(tests, a_position_that_was_passed_there_is_found);
    tcase_add_test(tests, what_is_not_finite_is_found_where_it_begins);
    tcase_add_test(tests, what_goes_and_comes_has_passed_twice);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
