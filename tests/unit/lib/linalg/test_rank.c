/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank, dependent rows and least-norm solutions. The truth comes from matrices that are built with
 * a known rank, from Gram and Schmidt's method on dense rows, and from the normal equations.
 */
#include <config.h>

#include "lib/linalg/rank.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static ha_ctx *ctx;
static double dense[MOST][MOST]; /* rows */
static int64_t column_start[MOST + 1];
static int64_t row[MOST * MOST];
static double value[MOST * MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    memset(dense, 0, sizeof dense);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

/* The dense array in compressed columns; its zeros are left out. */
static ha__matrix matrix(int m, int n)
{
    int64_t k = 0;

    for (int j = 0; j < n; j++) {
        column_start[j] = k;
        for (int i = 0; i < m; i++) {
            if (dense[i][j] != 0.0) {
                row[k] = i;
                value[k++] = dense[i][j];
            }
        }
    }
    column_start[n] = k;
    return (ha__matrix){ m, n, column_start, row, value };
}

static void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

/* Dependent rows by Gram and Schmidt's method, twice for each row. */
static int dependent_rows(int m, int n, int *dependent)
{
    static double basis[MOST][MOST];
    int rank = 0;
    int count = 0;

    for (int i = 0; i < m; i++) {
        double v[MOST];
        double length = 0.0;
        for (int j = 0; j < n; j++) {
            v[j] = dense[i][j];
            length = hypot(length, v[j]);
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int b = 0; b < rank; b++) {
                double product = 0.0;
                for (int j = 0; j < n; j++) {
                    product += v[j] * basis[b][j];
                }
                for (int j = 0; j < n; j++) {
                    v[j] -= product * basis[b][j];
                }
            }
        }
        double left = 0.0;
        for (int j = 0; j < n; j++) {
            left = hypot(left, v[j]);
        }
        if (left <= 1e-11 * length) {
            dependent[count++] = i;
            continue;
        }
        for (int j = 0; j < n; j++) {
            basis[rank][j] = v[j] / left;
        }
        rank++;
    }
    return count;
}

START_TEST(the_later_of_equal_rows_is_dependent)
{
    const ha__rank_options options = { 0 };
    int rank = -1;
    int dependent[5];

    /* row 1 = 2 row 0; row 2 = 0; row 4 = row 0 + row 3 */
    const double rows[5][4] = {
        { 1, 0, 0, 0 }, { 2, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 1, 1, 0 }, { 1, 1, 1, 0 }
    };
    for (int i = 0; i < 5; i++) {
        memcpy(dense[i], rows[i], sizeof rows[i]);
    }
    ha__matrix a = matrix(5, 4);
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, 2);
    ck_assert_int_eq(dependent[0], 1);
    ck_assert_int_eq(dependent[1], 2);
    ck_assert_int_eq(dependent[2], 4);
}
END_TEST

START_TEST(a_matrix_of_full_rank_has_no_dependent_row)
{
    const ha__rank_options options = { 0 };
    int rank = -1;
    int dependent[3] = { 7, 7, 7 };

    dense[0][1] = dense[1][0] = dense[2][2] = 1.0;
    dense[2][0] = 3.0;
    ha__matrix a = matrix(3, 5);
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, 3);
    ck_assert_int_eq(dependent[0], 7);
}
END_TEST

START_TEST(empty_and_zero_matrices_have_rank_zero)
{
    const ha__rank_options options = { 0 };
    int rank = -1;
    int dependent[2] = { -1, -1 };
    double x[2] = { 9.0, 9.0 };
    const double b[2] = { 0.0, 0.0 };

    ha__matrix a = matrix(0, 0);
    expect_ok(ha__rank(ctx, &a, &options, &rank, NULL));
    ck_assert_int_eq(rank, 0);
    a = matrix(0, 2);
    expect_ok(ha__least_norm(ctx, &a, &options, NULL, x, &rank, NULL));
    ck_assert_int_eq(rank, 0);
    ck_assert_double_eq(x[1], 0.0);
    a = matrix(2, 0);
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, 0);
    ck_assert_int_eq(dependent[1], 1);
    a = matrix(2, 2);
    expect_ok(ha__least_norm(ctx, &a, &options, b, x, &rank, dependent));
    ck_assert_int_eq(rank, 0);
    ck_assert_double_eq(x[0], 0.0);
}
END_TEST

START_TEST(one_entry_is_enough)
{
    const ha__rank_options options = { 0 };
    int rank = -1;
    double x = 0.0;
    const double b = 3.0;

    dense[0][0] = 1e-200;
    ha__matrix a = matrix(1, 1);
    expect_ok(ha__least_norm(ctx, &a, &options, &(const double){ 3e-200 }, &x, &rank, NULL));
    ck_assert_int_eq(rank, 1);
    ck_assert_double_eq_tol(x, b, 1e-15);
}
END_TEST

START_TEST(units_of_a_row_do_not_matter_unless_wanted)
{
    ha__rank_options options = { 0 };
    int rank = -1;

    dense[0][0] = 1.0;
    dense[1][1] = 1e-18;
    ha__matrix a = matrix(2, 2);
    expect_ok(ha__rank(ctx, &a, &options, &rank, NULL));
    ck_assert_int_eq(rank, 2);
    options.keep_row_lengths = true;
    expect_ok(ha__rank(ctx, &a, &options, &rank, NULL));
    ck_assert_int_eq(rank, 1);
}
END_TEST

START_TEST(the_tolerance_decides_near_dependence)
{
    ha__rank_options options = { 0 };
    int rank = -1;
    int dependent[2];

    dense[0][0] = dense[1][0] = 1.0;
    dense[1][1] = 1e-8;
    ha__matrix a = matrix(2, 2);
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, 2);
    options.tolerance = 1e-6;
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, 1);
    ck_assert_int_eq(dependent[0], 1);
}
END_TEST

/* Sparse random rows, some replaced by combinations of others. */
static void fill_randomly(uint64_t *state, int m, int n)
{
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < m; i++) {
        if (i > 1 && random_below(state, 3) == 0) {
            int a = random_below(state, i);
            int b = random_below(state, i);
            for (int j = 0; j < n; j++) {
                dense[i][j] = dense[a][j] - 2.0 * dense[b][j];
            }
            continue;
        }
        for (int entries = 0; entries < 3; entries++) {
            dense[i][random_below(state, n)] = random_below(state, 7) - 3;
        }
    }
}

START_TEST(dependent_rows_agree_with_gram_and_schmidt)
{
    const ha__rank_options options = { 0 };
    uint64_t state = 5;

    for (int round = 0; round < 3000; round++) {
        int m = 1 + random_below(&state, round % 50 == 0 ? MOST : 12);
        int n = 1 + random_below(&state, round % 50 == 0 ? MOST : 12);
        int expected[MOST];
        int found[MOST];
        int rank = -1;
        fill_randomly(&state, m, n);
        int count = dependent_rows(m, n, expected);
        ha__matrix a = matrix(m, n);
        expect_ok(ha__rank(ctx, &a, &options, &rank, found));
        ck_assert_msg(rank == m - count, "round %d: rank %d, should be %d", round, rank, m - count);
        for (int i = 0; i < count; i++) {
            ck_assert_msg(found[i] == expected[i], "round %d: row %d, should be %d", round,
                          found[i], expected[i]);
        }
    }
}
END_TEST

/* With b = A z the solution satisfies A x = b and is no longer than z, nor than x + (z - x) / 1000;
   with weights the same holds for x / w. */
START_TEST(solutions_have_the_least_weighted_norm)
{
    uint64_t state = 11;

    for (int round = 0; round < 1000; round++) {
        int m = 1 + random_below(&state, 10);
        int n = 1 + random_below(&state, 14);
        double z[MOST];
        double w[MOST];
        double b[MOST] = { 0 };
        double x[MOST];
        fill_randomly(&state, m, n);
        for (int j = 0; j < n; j++) {
            z[j] = random_below(&state, 100) - 50;
            w[j] = round % 2 == 0 ? 1.0 : 0.25 + random_below(&state, 8);
        }
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                b[i] += dense[i][j] * z[j];
            }
        }
        const ha__rank_options options = { .column_scale = w };
        ha__matrix a = matrix(m, n);
        expect_ok(ha__least_norm(ctx, &a, &options, b, x, NULL, NULL));
        double product = 0.0;
        double length = 0.0;
        for (int j = 0; j < n; j++) {
            /* x / w is orthogonal to every solution of A W d = 0, (z - x) / w is one */
            product += x[j] / w[j] * (z[j] - x[j]) / w[j];
            length += fabs(x[j] / w[j] * (z[j] - x[j]) / w[j]);
        }
        ck_assert_double_le(fabs(product), 1e-8 * (1.0 + length));
        for (int i = 0; i < m; i++) {
            double left = -b[i];
            for (int j = 0; j < n; j++) {
                left += dense[i][j] * x[j];
            }
            ck_assert_double_le(fabs(left), 1e-9);
        }
    }
}
END_TEST

/* Two nearly parallel rows: x = (1, 1, 0) with an error that grows with the condition, 1e7, and not
   with its square. */
START_TEST(nearly_parallel_rows_cost_no_more_digits_than_they_must)
{
    const ha__rank_options options = { 0 };
    const double b[2] = { 1.0, 1.0 + 0x1p-23 };
    double x[3];

    dense[0][0] = dense[1][0] = 1.0;
    dense[1][1] = 0x1p-23;
    ha__matrix a = matrix(2, 3);
    expect_ok(ha__least_norm(ctx, &a, &options, b, x, NULL, NULL));
    ck_assert_double_eq_tol(x[0], 1.0, 1e-15);
    ck_assert_double_eq_tol(x[1], 1.0, 1e-8);
    ck_assert_double_eq(x[2], 0.0);
}
END_TEST

START_TEST(a_scale_of_zero_holds_a_column)
{
    const double w[3] = { 1.0, 0.0, 2.0 };
    const ha__rank_options options = { .column_scale = w };
    const double b = 5.0;
    double x[3];

    dense[0][0] = dense[0][1] = dense[0][2] = 1.0;
    ha__matrix a = matrix(1, 3);
    expect_ok(ha__least_norm(ctx, &a, &options, &b, x, NULL, NULL));
    /* least x0^2 + x2^2 / 4 with x0 + x2 = 5 */
    ck_assert_double_eq_tol(x[0], 1.0, 1e-14);
    ck_assert_double_eq(x[1], 0.0);
    ck_assert_double_eq_tol(x[2], 4.0, 1e-14);
}
END_TEST

/* What one call hands on to the next changes no bit, however many patterns of entries there are: a
   column that is held takes its entries out. */
START_TEST(room_that_is_handed_on_changes_nothing)
{
    enum { PATTERNS = 14, M = 9, N = 8 };
    ha__rank_room *room = NULL;
    uint64_t state = 1;

    for (int k = 0; k < 6 * PATTERNS; k++) {
        int pattern = k / 3 % PATTERNS, dependent[2][MOST], rank[2];
        double weight[N], b[M], x[2][N];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                dense[i][j] = (3 * i + 5 * j) % 7 < 3 ? random_in(&state, 0.5, 1.0) : 0.0;
            }
            b[i] = random_in(&state, -1.0, 1.0);
        }
        memcpy(dense[M - 2], dense[0], sizeof dense[0]); /* a dependent one */
        for (int j = 0; j < N; j++) {
            weight[j] = j == pattern % N || (pattern >= N && j == N - 1) ? 0.0 : 1.0 + j;
        }
        ha__matrix a = matrix(M, N);
        for (int with = 0; with < 2; with++) {
            const ha__rank_options options = { .column_scale = weight,
                                               .room = with == 1 ? &room : NULL };
            expect_ok(ha__least_norm(ctx, &a, &options, b, x[with], &rank[with], dependent[with]));
        }
        ck_assert_int_eq(rank[0], rank[1]);
        ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
        ck_assert_mem_eq(dependent[0], dependent[1], (size_t) (M - rank[0]) * sizeof(int));
    }
    ha__rank_room_free(room);
}
END_TEST

START_TEST(entries_that_are_not_finite_are_refused)
{
    const ha__rank_options options = { 0 };
    int rank = 77;

    dense[0][0] = (double) NAN;
    ha__matrix a = matrix(1, 1);
    ck_assert_int_eq(ha__rank(ctx, &a, &options, &rank, NULL), HA_ERR_VALUE);
    ck_assert_int_eq(rank, 77);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert(strstr(ha_ctx_diag(ctx, 0)->text, "not finite") != NULL);
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    const ha__rank_options options = { 0 };
    const double b[3] = { 1.0, 2.0, 3.0 };

    dense[0][0] = dense[1][0] = dense[2][1] = 1.0;
    dense[1][0] = 2.0;
    for (size_t n = 1;; n++) {
        double x[2] = { 7.0, 7.0 };
        int rank = 7;
        ha__matrix a = matrix(3, 2);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = ha__least_norm(ctx, &a, &options, b, x, &rank, NULL);
        if (status == HA_OK) {
            ck_assert_int_eq(rank, 2);
            return;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_int_eq(rank, 7);
        ck_assert_double_eq(x[0], 7.0);
    }
}
END_TEST

/* A closed chain: link i joins coordinates i and i + 1, the last row closes the ring and depends on
   all others. */
START_TEST(a_ring_of_a_hundred_thousand_has_one_dependent_row)
{
    const int n = 100000;
    const ha__rank_options options = { 0 };
    int64_t *start = calloc((size_t) n + 1, sizeof *start);
    int64_t *rows = calloc(2 * (size_t) n, sizeof *rows);
    double *values = calloc(2 * (size_t) n, sizeof *values);
    int *dependent = calloc((size_t) n, sizeof *dependent);
    int rank = -1;

    for (int j = 0; j < n; j++) {
        start[j + 1] = 2 * (j + 1);
        rows[2 * j] = j == 0 ? 0 : j - 1;
        values[2 * j] = j == 0 ? -1.0 : 1.0;
        rows[2 * j + 1] = j == 0 ? n - 1 : j;
        values[2 * j + 1] = j == 0 ? 1.0 : -1.0;
    }
    ha__matrix a = { n, n, start, rows, values };
    expect_ok(ha__rank(ctx, &a, &options, &rank, dependent));
    ck_assert_int_eq(rank, n - 1);
    ck_assert_int_eq(dependent[0], n - 1);
    free(start);
    free(rows);
    free(values);
    free(dependent);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_later_of_equal_rows_is_dependent,
        a_matrix_of_full_rank_has_no_dependent_row,
        empty_and_zero_matrices_have_rank_zero,
        one_entry_is_enough,
        units_of_a_row_do_not_matter_unless_wanted,
        the_tolerance_decides_near_dependence,
        dependent_rows_agree_with_gram_and_schmidt,
        solutions_have_the_least_weighted_norm,
        nearly_parallel_rows_cost_no_more_digits_than_they_must,
        a_scale_of_zero_holds_a_column,
        room_that_is_handed_on_changes_nothing,
        entries_that_are_not_finite_are_refused,
        lack_of_memory_is_reported_wherever_it_strikes,
        a_ring_of_a_hundred_thousand_has_one_dependent_row,
    };

    return test_run_all("rank", set_up, tear_down, tests, HA_COUNT(tests));
}
