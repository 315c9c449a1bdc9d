/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors by KLU against dense elimination with full pivoting. */
#include <config.h>

#include "lib/linalg/lu_klu.h"

#include "tests/util/memory.h"
#include "tests/util/sparse.h"
#include "tests/util/util.h"

#include <SuiteSparse_config.h>

#include <limits.h>
#include <stdbool.h>

static ha_ctx *ctx;
static uint64_t state;
static sparse s;

static void set_up(void)
{
    ctx = ha_ctx_new();
    state = 1;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static ha__klu *new_solver(ha__klu_ordering ordering)
{
    const ha__klu_pattern pattern = { s.n, s.start_int, s.row_int };
    ha__klu *klu = NULL;

    ck_assert_int_eq(ha__klu_new(ctx, &pattern, ordering, 0.1, &klu), HA_OK);
    return klu;
}

static void transpose(double *a)
{
    for (int i = 0; i < s.n; i++) {
        for (int j = 0; j < s.n; j++) {
            a[j * s.n + i] = s.dense[i * s.n + j];
        }
    }
}

static void expect_solutions(ha__klu *klu)
{
    double b[SPARSE_MOST], x[SPARSE_MOST], transposed[SPARSE_MOST * SPARSE_MOST];

    sparse_right(&s, &state, b);
    memcpy(x, b, sizeof x);
    ha__klu_solve(klu, x);
    dense_expect(s.n, s.dense, b, x);
    memcpy(x, b, sizeof x);
    ha__klu_solve_transposed(klu, x);
    transpose(transposed);
    dense_expect(s.n, transposed, b, x);
}

/* Each row and each column has one pivot, in an entry of the matrix. */
static void expect_pivots(const ha__klu *klu)
{
    int p[SPARSE_MOST], q[SPARSE_MOST], rows = 0, columns = 0;
    bool has_row[SPARSE_MOST] = { false }, has_column[SPARSE_MOST] = { false };

    ha__klu_pivots(klu, p, q);
    for (int k = 0; k < s.n; k++) {
        rows += has_row[p[k]] ? 0 : 1;
        columns += has_column[q[k]] ? 0 : 1;
        has_row[p[k]] = has_column[q[k]] = true;
    }
    ck_assert_int_eq(rows, s.n);
    ck_assert_int_eq(columns, s.n);
}

START_TEST(random_systems_are_solved)
{
    for (int round = 0; round < 60; round++) {
        sparse_make(&s, &state, 1 + random_below(&state, SPARSE_MOST), random_in(&state, 0.0, 0.3));
        ha__klu *klu = new_solver(round % 2 == 0 ? HA__KLU_AMD : HA__KLU_COLAMD);
        ck_assert(!ha__klu_is_factored(klu));
        ck_assert(!ha__klu_refactor(klu, s.value));
        ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
        ck_assert(ha__klu_is_factored(klu));
        ck_assert_double_gt(ha__klu_condition(klu), 0.0);
        ck_assert_double_le(ha__klu_condition(klu), 1.0);
        ck_assert(!ha__klu_is_worse(klu));
        expect_pivots(klu);
        expect_solutions(klu);
        for (int64_t k = 0; k < s.start[s.n]; k++) { /* a matrix near it, with its pivots */
            s.value[k] *= random_in(&state, 0.9, 1.1);
        }
        for (int j = 0; j < s.n; j++) {
            for (int64_t k = s.start[j]; k < s.start[j + 1]; k++) {
                s.dense[s.row[k] * s.n + j] = s.value[k];
            }
        }
        if (ha__klu_refactor(klu, s.value) && !ha__klu_is_worse(klu)) {
            double b[SPARSE_MOST], x[SPARSE_MOST];
            sparse_right(&s, &state, b);
            memcpy(x, b, sizeof x);
            ha__klu_solve(klu, x);
            for (int i = 0; i < s.n; i++) { /* old pivots lose two digits at most */
                double left = b[i], size = fabs(b[i]);
                for (int j = 0; j < s.n; j++) {
                    left -= s.dense[i * s.n + j] * x[j];
                    size += fabs(s.dense[i * s.n + j] * x[j]);
                }
                ck_assert_double_le(fabs(left), 1e-11 * size);
            }
        } else {
            ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
            expect_solutions(klu);
        }
        ha__klu_free(klu);
    }
}
END_TEST

/* A column that is the sum of two others, in whole numbers, leaves a pivot that is exactly 0. */
START_TEST(singular_matrices_have_no_factors)
{
    static const double singular[] = { 1, 2, 3, 4, 1, 5, 2, 3, 5 };
    double b[3] = { 1.0, 2.0, 3.0 }, x[3];

    s.n = 3;
    memcpy(s.dense, singular, sizeof singular);
    sparse_list(&s, 0);
    ck_assert_double_lt(dense_solve(3, s.dense, b, x), 1e-15);
    ha__klu *klu = new_solver(HA__KLU_COLAMD);
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    ck_assert(ha__klu_condition(klu) < 1e-15);
    s.dense[8] = s.value[8] = 6.0; /* regular now, */
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    expect_solutions(klu);
    memset(s.value, 0, sizeof s.value); /* and 0 */
    ck_assert(!ha__klu_refactor(klu, s.value));
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    ck_assert(!ha__klu_is_factored(klu));
    ck_assert_double_eq(ha__klu_condition(klu), 0.0);
    ha__klu_free(klu);
}
END_TEST

/* Two columns with entries in one row only. */
START_TEST(singular_patterns_have_no_factors)
{
    static const double pattern[] = { 1, 2, 3, 0, 0, 4, 0, 0, 5 };

    s.n = 3;
    memcpy(s.dense, pattern, sizeof pattern);
    sparse_list(&s, 0);
    ha__klu *klu = new_solver(HA__KLU_COLAMD);
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    ck_assert(!ha__klu_is_factored(klu));
    ck_assert(!ha__klu_refactor(klu, s.value));
    ha__klu_free(klu);
}
END_TEST

/* [[1, 1], [1, 1 + e]] has the condition e: old pivots are told from new ones where it falls by
   more than a factor of 100. */
START_TEST(a_worse_condition_is_told)
{
    static const double all[] = { 1, 1, 1, 2 };

    s.n = 2;
    memcpy(s.dense, all, sizeof all);
    sparse_list(&s, 0);
    ha__klu *klu = new_solver(HA__KLU_AMD);
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    double chosen = ha__klu_condition(klu);
    s.value[3] = 1.0 + 0.02 * chosen;
    ck_assert(ha__klu_refactor(klu, s.value));
    ck_assert_double_eq_tol(ha__klu_condition(klu), 0.02 * chosen, 1e-14);
    ck_assert(!ha__klu_is_worse(klu));
    s.value[3] = 1.0 + 0.005 * chosen;
    ck_assert(ha__klu_refactor(klu, s.value));
    ck_assert(ha__klu_is_worse(klu));
    ck_assert_int_eq(ha__klu_factor(klu, s.value), HA_OK);
    ck_assert(!ha__klu_is_worse(klu));
    ha__klu_free(klu);
}
END_TEST

START_TEST(patterns_that_are_none_are_refused)
{
    int start[] = { 0, 2, 3 }, row[] = { 0, 0, 1 }; /* an entry twice */
    const ha__klu_pattern pattern = { 2, start, row };
    double values[] = { 1.0, 1.0, 1.0 };
    ha__klu *klu = NULL;

    ck_assert_int_eq(ha__klu_new(ctx, &pattern, HA__KLU_AMD, 0.1, &klu), HA_OK);
    ck_assert_int_eq(ha__klu_factor(klu, values), HA_ERR_INTERNAL);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ha__klu_free(klu);
    ha__klu_free(NULL);
}
END_TEST

START_TEST(more_entries_than_int_counts_are_refused)
{
    ck_assert_int_eq(ha__klu_check_size(ctx, 7, INT_MAX), HA_OK);
    ck_assert_int_eq(ha__klu_check_size(ctx, 7, (int64_t) INT_MAX + 1), HA_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "7 unknowns has 2147483648 entries"));
}
END_TEST

/* Eliminated first, the hub of a star would tie all others to one another: it comes last or last
   but one. */
START_TEST(orders_have_little_fill)
{
    int order[SPARSE_MOST];
    bool is_there[SPARSE_MOST] = { false };

    s.n = SPARSE_MOST;
    memset(s.dense, 0, sizeof s.dense);
    for (int i = 0; i < s.n; i++) {
        s.dense[i * s.n + i] = s.dense[i] = s.dense[i * s.n] = 1.0;
    }
    sparse_list(&s, 1);
    ck_assert_int_eq(ha__klu_order(ctx, s.n, s.start, s.row, order), HA_OK);
    for (int k = 0; k < s.n; k++) {
        ck_assert(!is_there[order[k]]);
        is_there[order[k]] = true;
        ck_assert(order[k] != 0 || k >= s.n - 2);
    }
    ck_assert_int_eq(ha__klu_order(ctx, 0, s.start, s.row, order), HA_OK);
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

static ha_status use_all(void *user)
{
    const ha__klu_pattern borrowed = { s.n, s.start_int, s.row_int };
    ha__klu_pattern pattern;
    ha__klu *klu = NULL;
    int order[SPARSE_MOST];

    (void) user;
    ha_status status = ha__klu_copy(ctx, s.n, s.start, s.row, &pattern);
    status = status == HA_OK ? ha__klu_new(ctx, &borrowed, HA__KLU_COLAMD, 0.1, &klu) : status;
    status = status == HA_OK ? ha__klu_factor(klu, s.value) : status;
    status = status == HA_OK ? ha__klu_order(ctx, s.n, s.start, s.row, order) : status;
    ha__klu_free(klu);
    ha__klu_pattern_clear(&pattern);
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    sparse_make(&s, &state, 10, 0.2);
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 3);
}
END_TEST

#if SUITESPARSE_VERSION < SUITESPARSE_VER_CODE(7, 0)

static int n_left;

static void *allocate(size_t size)
{
    return n_left-- > 0 ? malloc(size) : NULL;
}

/* SuiteSparse asks for memory by itself. */
START_TEST(out_of_memory_in_suitesparse_is_survived)
{
    ha_status status = HA_ERR_MEMORY;
    int n = 0;

    sparse_make(&s, &state, 10, 0.2);
    for (; status != HA_OK && n < 1000; n++) {
        ha_ctx_clear(ctx);
        n_left = n;
        SuiteSparse_config.malloc_func = allocate;
        status = use_all(NULL);
        SuiteSparse_config.malloc_func = malloc;
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), status == HA_OK ? 0 : 1);
    }
    ck_assert_int_gt(n, 5);
    ck_assert_int_lt(n, 1000);
}
END_TEST

#endif

/* The matrix of complex values, or its transpose, as one of real 2 x 2 blocks. */
static void expect_complex(const sparse *imaginary, bool transposed, const double *b,
                           const double *x)
{
    static double full[SPARSE_MOST * SPARSE_MOST];
    const int n = s.n, width = 2 * n;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int at = transposed ? j * n + i : i * n + j;
            double re = s.dense[at], im = imaginary->dense[at];
            full[2 * i * width + 2 * j] = full[(2 * i + 1) * width + 2 * j + 1] = re;
            full[2 * i * width + 2 * j + 1] = -im;
            full[(2 * i + 1) * width + 2 * j] = im;
        }
    }
    dense_expect(width, full, b, x);
}

START_TEST(complex_systems_are_solved)
{
    for (int round = 0; round < 60; round++) {
        static double values[2 * SPARSE_MOST * SPARSE_MOST];
        double b[SPARSE_MOST], x[SPARSE_MOST];
        ha__klu *klu = NULL;
        sparse_make(&s, &state, 1 + round % (SPARSE_MOST / 2), 0.2);
        sparse imaginary = s;
        const ha__klu_pattern pattern = { s.n, s.start_int, s.row_int };
        ck_assert_int_eq(ha__klu_new_complex(ctx, &pattern, &klu), HA_OK);
        for (int again = 0; again < 2; again++) { /* with the pivots chosen before */
            sparse_fill(&imaginary, &state, 1.0);
            for (int k = 0; k < s.start_int[s.n]; k++) {
                values[2 * k] = s.value[k];
                values[2 * k + 1] = imaginary.value[k];
            }
            if (again == 0 || !ha__klu_refactor(klu, values)) {
                ck_assert_int_eq(ha__klu_factor(klu, values), HA_OK);
            }
            ck_assert(ha__klu_is_factored(klu));
            for (int i = 0; i < 2 * s.n; i++) {
                b[i] = x[i] = random_in(&state, -1.0, 1.0);
            }
            ha__klu_solve(klu, x);
            expect_complex(&imaginary, false, b, x);
            memcpy(x, b, sizeof x);
            ha__klu_solve_transposed(klu, x);
            expect_complex(&imaginary, true, b, x);
        }
        ck_assert_double_eq(ha__klu_measure(klu, values), 0.0); /* real ones alone are measured */
        ha__klu_free(klu);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lu_klu");
    TCase *tests = tcase_create("lu_klu");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_systems_are_solved);
    tcase_add_test(tests, complex_systems_are_solved);
    tcase_add_test(tests, singular_matrices_have_no_factors);
    tcase_add_test(tests, singular_patterns_have_no_factors);
    tcase_add_test(tests, a_worse_condition_is_told);
    tcase_add_test(tests, patterns_that_are_none_are_refused);
    tcase_add_test(tests, more_entries_than_int_counts_are_refused);
    tcase_add_test(tests, orders_have_little_fill);
    tcase_add_test(tests, out_of_memory_is_survived);
#if SUITESPARSE_VERSION < SUITESPARSE_VER_CODE(7, 0)
    tcase_add_test(tests, out_of_memory_in_suitesparse_is_survived);
#endif
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
