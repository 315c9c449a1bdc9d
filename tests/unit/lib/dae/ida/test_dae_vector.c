/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector arithmetic of a run against that of SUNDIALS: equal bits but for the order of sums. */
#include <config.h>

#include "lib/dae/ida/dae_vector.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 21, N_VECTORS = 5 };

static SUNContext sundials;
static uint64_t state;

static void set_up(void)
{
    ck_assert_int_eq(SUNContext_Create(NULL, &sundials), 0);
    state = 1;
}

static void tear_down(void)
{
    SUNContext_Free(&sundials);
}

static void fill(N_Vector x)
{
    for (sunindextype i = 0; i < NV_LENGTH_S(x); i++) {
        NV_Ith_S(x, i) = random_in(&state, -8.0, 8.0);
    }
}

/* Vectors of ours and of SUNDIALS with the same entries. */
static void make(sunindextype n, N_Vector *ours, N_Vector *theirs)
{
    for (int k = 0; k < N_VECTORS; k++) {
        theirs[k] = N_VNew_Serial(n, sundials);
        ours[k] = ha__vector_tune(N_VNew_Serial(n, sundials));
        ck_assert(theirs[k] != NULL && ours[k] != NULL);
        fill(theirs[k]);
        if (n > 0) { /* without entries they have no data */
            memcpy(NV_DATA_S(ours[k]), NV_DATA_S(theirs[k]), (size_t) n * sizeof(double));
        }
    }
}

static void clear(N_Vector *ours, N_Vector *theirs)
{
    for (int k = 0; k < N_VECTORS; k++) {
        N_VDestroy(ours[k]);
        N_VDestroy(theirs[k]);
    }
}

static void check_same(N_Vector *ours, N_Vector *theirs)
{
    for (int k = 0; k < N_VECTORS; k++) {
        for (sunindextype i = 0; i < NV_LENGTH_S(ours[k]); i++) {
            ck_assert(NV_Ith_S(ours[k], i) == NV_Ith_S(theirs[k], i));
        }
    }
}

/* Into a vector of its own, and into each of the operands. */
START_TEST(sums_and_products_have_the_same_bits)
{
    for (sunindextype n = 0; n <= LONGEST; n++) {
        N_Vector x[N_VECTORS], y[N_VECTORS];
        make(n, x, y);
        for (int to = 0; to < 3; to++) {
            N_VLinearSum(0.3, x[0], -1.7, x[1], x[to]);
            N_VLinearSum(0.3, y[0], -1.7, y[1], y[to]);
            N_VScale(1.9, x[1], x[to]);
            N_VScale(1.9, y[1], y[to]);
            check_same(x, y);
        }
        N_VConst(-0.25, x[2]);
        N_VConst(-0.25, y[2]);
        check_same(x, y);
        clear(x, y);
    }
}
END_TEST

/* The weights of unknowns by the formula of their tolerances. */
START_TEST(weights_follow_values_sizes_and_tightness)
{
    for (sunindextype n = 0; n <= LONGEST; n++) {
        N_Vector x[N_VECTORS], y[N_VECTORS];
        make(n, x, y);
        ha__vector_weigh(x[0], x[1], x[2], 2.0, 1e-3, 1e-5, x[3]);
        for (sunindextype i = 0; i < n; i++) {
            double tolerance = 1e-3 * fabs(NV_Ith_S(y[0], i)) + 1e-5 * NV_Ith_S(y[1], i);
            NV_Ith_S(y[3], i) = NV_Ith_S(y[2], i) / (2.0 * tolerance);
        }
        check_same(x, y);
        clear(x, y);
    }
}
END_TEST

START_TEST(combinations_and_norms_agree)
{
    double c[N_VECTORS] = { 1.5, -0.2, 3.0, 0.7, -1.1 };

    for (sunindextype n = 1; n <= LONGEST; n++) {
        for (int k = 1; k < N_VECTORS; k++) {
            N_Vector x[N_VECTORS], y[N_VECTORS];
            make(n, x, y);
            for (sunindextype i = 0; i < n; i++) { /* the mask */
                NV_Ith_S(x[3], i) = NV_Ith_S(y[3], i) = i % 3 == 0 ? 0.0 : 1.0;
            }
            double norm = N_VWrmsNormMask(y[0], y[1], y[3]);
            ck_assert_double_eq_tol(N_VWrmsNormMask(x[0], x[1], x[3]), norm, 1e-14 * (1.0 + norm));
            ck_assert_int_eq(N_VLinearCombination(k, c, x, x[4]), 0);
            ck_assert_int_eq(N_VLinearCombination(k, c, y, y[4]), 0);
            for (sunindextype i = 0; i < n; i++) {
                ck_assert_double_eq_tol(NV_Ith_S(x[4], i), NV_Ith_S(y[4], i), 1e-13);
            }
            clear(x, y);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_vector");
    TCase *tests = tcase_create("dae_vector");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, sums_and_products_have_the_same_bits);
    tcase_add_test(tests, weights_follow_values_sizes_and_tightness);
    tcase_add_test(tests, combinations_and_norms_agree);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
