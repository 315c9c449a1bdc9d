/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of lists of eigenvalues: what agrees, and what does not. */
#include <config.h>

#include "lib/linalg/spectrum.h"
#include "tests/util/util.h"

#include <math.h>

static ha__spectrum_difference compare(int n, const double *a, const double *b)
{
    ha_ctx *ctx = ha_ctx_new();
    ha__spectrum_difference d = { 0 };

    ck_assert_int_eq(ha__compare_spectra(ctx, n, a, b, 0.0, 1e-8, &d), HA_OK);
    ha_ctx_free(ctx);
    return d;
}

START_TEST(the_order_does_not_matter)
{
    const double a[] = { 1.0, 2.0, 1.0, -2.0, 3.0, 0.0 }, b[] = { 3.0, 0.0, 1.0, -2.0, 1.0, 2.0 };

    ck_assert_double_eq(compare(3, a, b).error, 0.0);
    ck_assert_double_eq(compare(0, a, b).error, 0.0);
}
END_TEST

/* Round-off e moves a double eigenvalue by sqrt(e), to both sides. */
START_TEST(a_double_eigenvalue_counts_by_its_mean)
{
    const double a[] = { -7.0 + 1e-7, 0.0, -7.0 - 1e-7, 0.0 }, b[] = { -7.0, 0.0, -7.0, 0.0 };

    ck_assert_double_le(compare(2, a, b).error, 1e-13);
}
END_TEST

START_TEST(one_that_is_off_is_told)
{
    const double a[] = { 5.0, 0.0, -7.0, 0.0, 9.0, 0.0 };
    const double b[] = { 5.0, 0.0, -7.0 + 1e-6, 0.0, 9.0, 0.0 };
    ha__spectrum_difference d = compare(3, a, b);

    ck_assert_double_ge(d.error, 1e-8);
    /* and so is a double one whose mean is off by as much */
    const double c[] = { -7.0 + 1e-6, 0.0, -7.0 + 1e-6, 0.0 }, e[] = { -7.0, 0.0, -7.0, 0.0 };
    ck_assert_double_ge(compare(2, c, e).error, 1e-8);
}
END_TEST

START_TEST(one_too_many_is_told)
{
    const double a[] = { 1.0, 0.0, 1.0, 0.0, 4.0, 0.0 }, b[] = { 1.0, 0.0, 4.0, 0.0, 4.0, 0.0 };

    ck_assert_double_ge(compare(3, a, b).error, 0.1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spectra");
    TCase *tcase = tcase_create("compare");

    tcase_add_test(tcase, the_order_does_not_matter);
    tcase_add_test(tcase, a_double_eigenvalue_counts_by_its_mean);
    tcase_add_test(tcase, one_that_is_off_is_told);
    tcase_add_test(tcase, one_too_many_is_told);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
