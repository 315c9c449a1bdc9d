/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares, against solutions known in whole numbers. */
#include <config.h>

#include "lib/linalg/least.h"

#include "tests/util/context.h"

#include <math.h>

/* The solution of `n` equations in two unknowns is x, of the given rank. */
static void expect(int n, const double *a, const double *b, double tiny, int rank,
                   const double x[2], double tolerance)
{
    double got[2] = { 7.0, 7.0 };
    int found = 0;

    ck_assert_int_eq(ha__least_squares(ctx, n, 2, a, b, tiny, got, &found), HA_OK);
    ck_assert_int_eq(found, rank);
    ck_assert_double_eq_tol(got[0], x[0], tolerance);
    ck_assert_double_eq_tol(got[1], x[1], tolerance);
}

/* A line through (0, 1), (1, 3), (2, 4), (3, 4): 1.5 + x. */
START_TEST(more_equations_than_unknowns)
{
    const double a[8] = { 1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0 };
    const double b[4] = { 1.0, 3.0, 4.0, 4.0 };

    expect(4, a, b, 1e-12, 2, (const double[]){ 1.5, 1.0 }, 1e-14);
}
END_TEST

/* The shortest of all solutions of a singular system. */
START_TEST(the_shortest_of_many_solutions)
{
    const double a[6] = { 1.0, 2.0, 2.0, 4.0, 3.0, 6.0 }, b[3] = { 5.0, 10.0, 15.0 };

    expect(3, a, b, 1e-12, 1, (const double[]){ 1.0, 2.0 }, 1e-14);
}
END_TEST

/* Numbers whose squares are at the ends of the range; what is below `tiny` counts as nothing. */
START_TEST(the_size_of_the_numbers_does_not_count)
{
    for (double size = 1e-100; size < 1e101; size *= 1e100) {
        const double a[4] = { size, size, size, -size }, b[2] = { 3.0 * size, size };
        expect(2, a, b, 1e-12, 2, (const double[]){ 2.0, 1.0 }, 1e-13);
    }
    const double a[4] = { 1.0, 0.0, 0.0, 1e-9 }, b[2] = { 1.0, 1.0 };
    expect(2, a, b, 1e-8, 1, (const double[]){ 1.0, 0.0 }, 1e-15);
}
END_TEST

/* [3 0; 4 5] has the singular values 3 sqrt 5 and sqrt 5, with (1, 1) and (1, -1) on the right, the
   largest first whichever column is longer. */
START_TEST(singular_values_are_sorted)
{
    double u[4] = { 3.0, 4.0, 0.0, 5.0 }, values[2], v[4], twice[2] = { 0.0, 2.0 }, one[2];

    ha__singular_values(2, 2, u, values, v);
    ck_assert_double_eq_tol(values[0], 3.0 * sqrt(5.0), 1e-14);
    ck_assert_double_eq_tol(values[1], sqrt(5.0), 1e-14);
    ck_assert_double_eq_tol(fabs(v[0]), sqrt(0.5), 1e-14);
    ck_assert_double_eq_tol(v[0], v[1], 1e-14);
    ck_assert_double_eq_tol(v[2], -v[3], 1e-14);
    double small_first[4] = { 1.0, 0.0, 0.0, 2.0 };
    ha__singular_values(2, 2, small_first, one, v);
    ck_assert_double_eq(one[0], 2.0);
    ck_assert_double_eq(one[1], 1.0);
    ck_assert_double_eq(v[0], 0.0);
    ck_assert_double_eq(v[1], 1.0);
    ck_assert_double_eq(small_first[0], twice[0]);
    ck_assert_double_eq(small_first[1], twice[1]);
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
    tcase_add_test(tcase, singular_values_are_sorted);
    tcase_add_test(tcase, memory_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
