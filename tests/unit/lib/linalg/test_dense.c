/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small full systems, against solutions known in whole numbers. */
#include <config.h>

#include "lib/linalg/dense.h"

#include "tests/util/util.h"

#include <math.h>
#include <string.h>

START_TEST(a_system_is_solved)
{
    /* without a pivot in its place */
    double a[9] = { 0.0, 2.0, 1.0, 1.0, -2.0, -3.0, -1.0, 1.0, 2.0 }, b[3], x[3];
    const double wanted[3] = { 3.0, -1.0, 2.0 };

    for (int i = 0; i < 3; i++) {
        b[i] = a[3 * i] * wanted[0] + a[3 * i + 1] * wanted[1] + a[3 * i + 2] * wanted[2];
    }
    ck_assert(ha__dense_solve(3, a, b, x));
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(x[i], wanted[i], 1e-14);
    }
    a[0] = 4.0;
    b[0] = 2.0;
    ck_assert(ha__dense_solve(1, a, b, x));
    ck_assert_double_eq(x[0], 0.5);
}
END_TEST

START_TEST(a_singular_one_is_not)
{
    double a[4] = { 1.0, 2.0, 2.0, 4.0 }, b[2] = { 1.0, 1.0 }, x[2] = { 0.0 };
    double unknown[1] = { NAN };

    ck_assert(!ha__dense_solve(2, a, b, x));
    ck_assert(!ha__dense_solve(1, unknown, b, x));
}
END_TEST

START_TEST(a_positive_matrix_has_its_factor)
{
    double a[9] = { 4.0, 0.0, 0.0, 2.0, 10.0, 0.0, -2.0, 5.0, 6.0 };
    const double wanted[9] = { 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, -1.0, 2.0, 1.0 };
    double indefinite[4] = { 1.0, 2.0, 2.0, 3.0 };

    ck_assert(ha__dense_cholesky(3, a));
    for (int i = 0; i < 9; i++) {
        ck_assert_double_eq(a[i], wanted[i]);
    }
    ck_assert(!ha__dense_cholesky(2, indefinite));
}
END_TEST

/* L B = A L, in whole numbers. */
START_TEST(a_matrix_is_transformed)
{
    const double l[9] = { 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, -1.0, 2.0, 1.0 };
    const double a[9] = { 1.0, 2.0, 3.0, 0.0, -1.0, 4.0, 5.0, 6.0, -2.0 };
    double b[9];

    memcpy(b, a, sizeof b);
    ha__dense_transform(3, l, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double left = 0.0, right = 0.0;
            for (int k = 0; k < 3; k++) {
                left += l[3 * i + k] * b[3 * k + j];
                right += a[3 * i + k] * l[3 * k + j];
            }
            ck_assert_double_eq_tol(left, right, 1e-14);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dense");
    TCase *tests = tcase_create("dense");

    tcase_add_test(tests, a_system_is_solved);
    tcase_add_test(tests, a_singular_one_is_not);
    tcase_add_test(tests, a_positive_matrix_has_its_factor);
    tcase_add_test(tests, a_matrix_is_transformed);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
