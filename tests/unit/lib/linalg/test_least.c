/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares, against solutions known in whole numbers. */
#include <config.h>

#include "lib/linalg/least.h"

#include "tests/util/util.h"

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

/* A line through (0, 1), (1, 3), (2, 4), (3, 4): 1.5 + x. */
START_TEST(more_equations_than_unknowns)
{
    const double a[8] = { 1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0 };
    const double b[4] = { 1.0, 3.0, 4.0, 4.0 };
    double x[2] = { 7.0, 7.0 };
    int rank = 0;

    ck_assert_int_eq(ha__least_squares(ctx, 4, 2, a, b, 1e-12, x, &rank), HA_OK);
    ck_assert_int_eq(rank, 2);
    ck_assert_double_eq_tol(x[0], 1.5, 1e-14);
    ck_assert_double_eq_tol(x[1], 1.0, 1e-14);
}
END_TEST

/* The shortest of all solutions of a singular system. */
START_TEST(the_shortest_of_many_solutions)
{
    const double a[6] = { 1.0, 2.0, 2.0, 4.0, 3.0, 6.0 }, b[3] = { 5.0, 10.0, 15.0 };
    double x[2] = { 0.0, 0.0 };
    int rank = 0;

    ck_assert_int_eq(ha__least_squares(ctx, 3, 2, a, b, 1e-12, x, &rank), HA_OK);
    ck_assert_int_eq(rank, 1);
    ck_assert_double_eq_tol(x[0], 1.0, 1e-14);
    ck_assert_double_eq_tol(x[1], 2.0, 1e-14);
}
END_TEST

/* Numbers whose squares are at the ends of the range; what is below `tiny` counts as nothing. */
START_TEST(the_size_of_the_numbers_does_not_count)
{
    for (double size = 1e-100; size < 1e101; size *= 1e100) {
        const double a[4] = { size, size, size, -size }, b[2] = { 3.0 * size, size };
        double x[2] = { 0.0, 0.0 };
        int rank = 0;
        ck_assert_int_eq(ha__least_squares(ctx, 2, 2, a, b, 1e-12, x, &rank), HA_OK);
        ck_assert_int_eq(rank, 2);
        ck_assert_double_eq_tol(x[0], 2.0, 1e-13);
        ck_assert_double_eq_tol(x[1], 1.0, 1e-13);
    }
    const double a[4] = { 1.0, 0.0, 0.0, 1e-9 }, b[2] = { 1.0, 1.0 };
    double x[2] = { 0.0, 0.0 };
    int rank = 0;
    ck_assert_int_eq(ha__least_squares(ctx, 2, 2, a, b, 1e-8, x, &rank), HA_OK);
    ck_assert_int_eq(rank, 1);
    ck_assert_double_eq(x[1], 0.0);
}
END_TEST

START_TEST(memory_may_fail)
{
    const double a[1] = { 1.0 }, b[1] = { 1.0 };
    double x[1] = { 0.0 };
    int rank = 0;

    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_int_eq(ha__least_squares(ctx, 1, 1, a, b, 1e-12, x, &rank), HA_ERR_MEMORY);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("least");
    TCase *tcase = tcase_create("least");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, more_equations_than_unknowns);
    tcase_add_test(tcase, the_shortest_of_many_solutions);
    tcase_add_test(tcase, the_size_of_the_numbers_does_not_count);
    tcase_add_test(tcase, memory_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
