/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues against known spectra, traces of powers and determinants. */
#include <config.h>

#include "lib/linalg/eigen.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 60 };

static ha_ctx *ctx;
static double a[MOST * MOST];
static double values[2 * MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    memset(a, 0, sizeof a);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static void find(int n)
{
    ck_assert_int_eq(ha__eigenvalues(ctx, n, a, values), HA_OK);
    for (int i = 1; i < n; i++) {
        double before = hypot(values[2 * i - 2], values[2 * i - 1]);
        ck_assert_double_le(before, hypot(values[2 * i], values[2 * i + 1]) * (1.0 + 1e-11));
    }
}

/* One of the eigenvalues is there. */
static void has(int n, double re, double im, double tolerance)
{
    double nearest = INFINITY;

    for (int i = 0; i < n; i++) {
        nearest = fmin(nearest, hypot(values[2 * i] - re, values[2 * i + 1] - im));
    }
    ck_assert_msg(nearest <= tolerance, "%g %+g i is missed by %g", re, im, nearest);
}

/* x^n = 1: the shifts of the first step are those of its last rows, which are 0. */
START_TEST(a_cyclic_permutation_has_the_roots_of_unity)
{
    for (int n = 1; n <= 50; n++) {
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            a[i * n + (i + 1) % n] = 1.0;
        }
        find(n);
        for (int k = 0; k < n; k++) {
            double angle = 2.0 * acos(-1.0) * k / n;
            has(n, cos(angle), sin(angle), 1e-13);
        }
    }
}
END_TEST

/* A chain of masses and springs, x'' = x[i-1] - 2 x[i] + x[i+1]: +-2 i sin(k pi / (2 n + 2)). */
START_TEST(a_chain_has_its_frequencies_and_no_damping)
{
    enum { N = 20 };

    for (int i = 0; i < N; i++) {
        a[i * 2 * N + N + i] = 1.0;
        a[(N + i) * 2 * N + i] = -2.0;
        if (i > 0) {
            a[(N + i) * 2 * N + i - 1] = a[(N + i - 1) * 2 * N + i] = 1.0;
        }
    }
    find(2 * N);
    for (int k = 1; k <= N; k++) {
        double wanted = 2.0 * sin(k * acos(-1.0) / (2 * N + 2));
        ck_assert_double_eq_tol(values[4 * (k - 1) + 1], wanted, 1e-13);
        ck_assert_double_eq_tol(values[4 * (k - 1) + 3], -wanted, 1e-13);
        ck_assert_double_le(fabs(values[4 * (k - 1)]), 1e-13);
    }
}
END_TEST

/* T D T^-1 with T unit lower triangular of small integers: the values of D, 2 x 2 blocks in it. */
START_TEST(the_values_of_similar_matrices_are_the_same)
{
    uint64_t state = 1;

    for (int round = 0; round < 300; round++) {
        int n = 2 + random_below(&state, 12);
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            a[i * n + i] = i < 2 ? 3.0 : 5.0 + 2.0 * i;
        }
        a[1] = 4.0;
        a[n] = -4.0; /* 3 +- 4 i */
        for (int step = 0; step < 2 * n; step++) {
            int i = random_below(&state, n), j = random_below(&state, n);
            double f = 0.25 * (1 + random_below(&state, 4));
            for (int k = 0; k < n && i != j; k++) {
                a[i * n + k] += f * a[j * n + k];
            }
            for (int k = 0; k < n && i != j; k++) {
                a[k * n + j] -= f * a[k * n + i];
            }
        }
        find(n);
        has(n, 3.0, 4.0, 1e-7);
        has(n, 3.0, -4.0, 1e-7);
        for (int i = 2; i < n; i++) {
            has(n, 5.0 + 2.0 * i, 0.0, 1e-7);
        }
    }
}
END_TEST

/* The sum of the eigenvalues is the trace, the sum of their squares that of the square. */
START_TEST(random_matrices_have_their_traces)
{
    uint64_t state = 2;

    for (int round = 0; round < 400; round++) {
        int n = 1 + random_below(&state, MOST);
        double trace = 0.0, square = 0.0;
        for (int i = 0; i < n * n; i++) {
            a[i] = random_below(&state, 3) == 0 ? 0.0 : random_in(&state, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            trace += a[i * n + i];
            for (int j = 0; j < n; j++) {
                square += a[i * n + j] * a[j * n + i];
            }
        }
        find(n);
        for (int i = 0; i < n; i++) {
            double re = values[2 * i], im = values[2 * i + 1];
            trace -= re;
            square -= re * re - im * im;
            has(n, re, -im, 1e-300);
        }
        ck_assert_double_le(fabs(trace), 1e-12 * n);
        ck_assert_double_le(fabs(square), 1e-12 * n * n);
    }
}
END_TEST

/* States in other units, by up to 1e12: D^-1 A D has the same eigenvalues to the last digits. */
START_TEST(units_do_not_matter)
{
    enum { N = 12 };
    uint64_t state = 3;
    double plain[2 * N];

    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < N * N; i++) {
            a[i] = random_in(&state, -1.0, 1.0);
        }
        find(N);
        memcpy(plain, values, sizeof plain);
        for (int i = 0; i < N; i++) {
            double unit = pow(10.0, 12.0 * random_in(&state, -1.0, 1.0));
            for (int j = 0; j < N; j++) {
                a[i * N + j] /= unit;
                a[j * N + i] *= unit;
            }
        }
        find(N);
        for (int i = 0; i < N; i++) {
            has(N, plain[2 * i], plain[2 * i + 1], 1e-11);
        }
    }
}
END_TEST

/* Diagonal, triangular and zero matrices, and those near the ends of the range of doubles. */
START_TEST(what_needs_no_step_is_exact)
{
    const double upper[16] = { 1, 9, 9, 9, 0, -2, 9, 9, 0, 0, 3e-200, 9, 0, 0, 0, 4 };
    const double large[4] = { 0.0, 1e300, -1e300, 0.0 }, small[4] = { 0.0, 1e-300, 1e-300, 0.0 };

    find(0);
    find(3);
    ck_assert(values[0] == 0.0 && values[2] == 0.0 && values[4] == 0.0);
    memcpy(a, upper, sizeof upper);
    find(4);
    ck_assert(values[0] == 3e-200 && values[2] == 1.0 && values[4] == -2.0 && values[6] == 4.0);
    memcpy(a, large, sizeof large);
    find(2);
    ck_assert_double_eq_tol(values[1] / 1e300, 1.0, 1e-15);
    ck_assert_double_eq_tol(values[3] / 1e300, -1.0, 1e-15);
    memcpy(a, small, sizeof small);
    find(2);
    has(2, 1e-300, 0.0, 1e-315);
    has(2, -1e-300, 0.0, 1e-315);
}
END_TEST

/* Entries of any size, also ones whose squares are no numbers: it comes to an end. */
START_TEST(no_sizes_of_entries_keep_it_going)
{
    uint64_t state = 4;

    for (int round = 0; round < 2000; round++) {
        int n = 3 + random_below(&state, 8), range = 1 + random_below(&state, 300);
        for (int i = 0; i < n * n; i++) {
            bool is_zero = random_below(&state, 3) == 0;
            a[i] = is_zero ? 0.0
                           : random_in(&state, -1.0, 1.0) *
                                 pow(10.0, range * random_in(&state, -1.0, 1.0));
        }
        find(n);
        for (int i = 0; i < 2 * n; i++) {
            ck_assert(isfinite(values[i]));
        }
    }
}
END_TEST

START_TEST(what_is_not_finite_is_refused)
{
    const double bad[3] = { NAN, INFINITY, -INFINITY };

    for (size_t k = 0; k < HA_COUNT(bad); k++) {
        a[7] = bad[k];
        ha_ctx_clear(ctx);
        ck_assert_int_eq(ha__eigenvalues(ctx, 3, a, values), HA_ERR_SOLVER);
        ck_assert(strstr(ha_ctx_diag(ctx, 0)->text, "not finite") != NULL);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cyclic_permutation_has_the_roots_of_unity,
        a_chain_has_its_frequencies_and_no_damping,
        the_values_of_similar_matrices_are_the_same,
        random_matrices_have_their_traces,
        units_do_not_matter,
        what_needs_no_step_is_exact,
        no_sizes_of_entries_keep_it_going,
        what_is_not_finite_is_refused,
    };
    Suite *suite = suite_create("eigen");
    TCase *tcase = tcase_create("eigen");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < HA_COUNT(tests); i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
