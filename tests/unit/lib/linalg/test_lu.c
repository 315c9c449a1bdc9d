/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KLU behind unknowns that are eliminated first, against dense elimination. */
#include <config.h>

#include "lib/linalg/lu.h"

#include "tests/util/memory.h"
#include "tests/util/sparse.h"
#include "tests/util/util.h"

#include <limits.h>
#include <stdbool.h>

static ha_ctx *ctx;
static uint64_t state;
static sparse s;
static signed char eliminated[SPARSE_MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    state = 1;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

/* Values at random; those of pivots outweigh the others of their columns. */
static void fill(double size)
{
    sparse_fill(&s, &state, size);
    for (int j = 0; j < s.n; j++) {
        for (int64_t k = s.start[j]; k < s.start[j + 1]; k++) {
            if (eliminated[j] != 0 && s.row[k] == j) {
                s.value[k] = s.dense[j * s.n + j] = 20.0 * size;
            }
        }
    }
}

/* A pattern with a diagonal where `n_eliminated` unknowns, no two of which meet, come first. */
static void make(int n, int n_eliminated, bool has_diagonal)
{
    sparse_make(&s, &state, n, random_in(&state, 0.05, 0.3));
    for (int i = 0; i < n; i++) {
        eliminated[i] = i < n_eliminated;
        for (int j = 0; j < n; j++) {
            bool meets = i != j && i < n_eliminated && j < n_eliminated;
            s.dense[i * n + j] = meets ? 0.0 : s.dense[i * n + j];
        }
        s.dense[i * n + i] = has_diagonal || i < n_eliminated ? 1.0 : s.dense[i * n + i];
    }
    sparse_list(&s, 0);
    fill(1.0);
}

static ha__lu *new_solver(void)
{
    ha__lu *lu = NULL;

    ck_assert_int_eq(ha__lu_new(ctx, s.n, s.start, s.row, eliminated, &lu), HA_OK);
    return lu;
}

static bool is_regular(void)
{
    double b[SPARSE_MOST] = { 0.0 }, x[SPARSE_MOST];

    return dense_solve(s.n, s.dense, b, x) > 1e-10;
}

static void expect_solutions(ha__lu *lu)
{
    double b[SPARSE_MOST], x[SPARSE_MOST];

    sparse_right(&s, &state, b);
    ck_assert_int_eq(ha__lu_solve(lu, s.value, b, x), HA__LU_DONE);
    dense_expect(s.n, s.dense, b, x);
}

START_TEST(random_systems_are_solved)
{
    int n_regular = 0;

    for (int round = 0; round < 200; round++) {
        int n = 1 + random_below(&state, SPARSE_MOST);
        make(n, random_below(&state, n + 1), round % 2 == 0);
        if (!is_regular()) {
            continue;
        }
        ha__lu *lu = new_solver();
        for (int turn = 0; turn < 4; turn++) { /* with old pivots from the second on */
            ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
            expect_solutions(lu);
            fill(turn == 2 ? 1e6 : 1.0); /* scales are old ones, too */
            turn = is_regular() ? turn : 4;
        }
        ha__lu_free(lu);
        n_regular++;
    }
    ck_assert_int_gt(n_regular, 120);
}
END_TEST

START_TEST(factors_made_safely_need_no_look)
{
    int n_regular = 0;

    for (int round = 0; round < 200; round++) {
        double b[SPARSE_MOST], x[SPARSE_MOST];
        int n = 1 + random_below(&state, SPARSE_MOST);
        make(n, random_below(&state, n + 1), true);
        ha__lu *lu = new_solver();
        for (int turn = 0; turn < 4 && is_regular(); turn++, fill(1.0)) {
            ck_assert_int_eq(ha__lu_factor_safely(lu, s.value), HA__LU_DONE);
            ck_assert_double_gt(ha__lu_condition(lu), 1e-14);
            ck_assert_double_le(ha__lu_condition(lu), 1.0);
            sparse_right(&s, &state, b);
            ha__lu_solve_at_once(lu, s.value, b, x);
            double rcond = dense_solve(s.n, s.dense, b, b);
            for (int i = 0; i < s.n; i++) { /* pivots that are kept may lose two digits */
                ck_assert_double_eq_tol(x[i], b[i], 1e-11 * s.n / rcond * (1.0 + fabs(b[i])));
            }
            n_regular++;
        }
        ha__lu_free(lu);
    }
    ck_assert_int_gt(n_regular, 400);
}
END_TEST

/* Each row and each column has one pivot, those of the eliminated ones in the diagonal. */
START_TEST(pivots_are_of_all_rows_and_columns)
{
    int p[SPARSE_MOST], q[SPARSE_MOST];

    for (int n_eliminated = 0; n_eliminated <= 12; n_eliminated += 4) {
        bool has_row[SPARSE_MOST] = { false }, has_column[SPARSE_MOST] = { false };
        make(12, n_eliminated, true);
        ha__lu *lu = new_solver();
        ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
        ha__lu_pivots(lu, p, q);
        for (int k = 0; k < s.n; k++) {
            ck_assert(!has_row[p[k]] && !has_column[q[k]]);
            ck_assert(k >= n_eliminated || (p[k] == k && q[k] == k));
            has_row[p[k]] = has_column[q[k]] = true;
        }
        ha__lu_free(lu);
    }
}
END_TEST

/* [[1, 1], [1, 1 + e]] */
static void make_pair(double e)
{
    s.n = 2;
    s.dense[0] = s.dense[1] = s.dense[2] = 1.0;
    s.dense[3] = 1.0 + e;
    sparse_list(&s, 0);
    eliminated[0] = eliminated[1] = 0;
}

START_TEST(singular_matrices_are_told)
{
    double b[2] = { 1.0, 2.0 }, x[2];

    make_pair(1.0);
    ha__lu *lu = new_solver();
    ck_assert_int_eq(ha__lu_solve(lu, s.value, b, x), HA__LU_SINGULAR); /* not factored yet */
    ck_assert_double_eq(ha__lu_condition(lu), 0.0);
    ck_assert_int_eq(ha__lu_factor_safely(lu, s.value), HA__LU_DONE);
    s.value[3] = 1.0;
    ck_assert_int_eq(ha__lu_factor_safely(lu, s.value), HA__LU_SINGULAR);
    ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_SINGULAR);
    s.value[3] = 1.0 + 1e-15; /* but for round-off */
    ck_assert_int_eq(ha__lu_factor_safely(lu, s.value), HA__LU_SINGULAR);
    s.value[3] = 1.0 + 1e-12;
    ck_assert_int_eq(ha__lu_factor_safely(lu, s.value), HA__LU_DONE);
    ck_assert_double_eq_tol(ha__lu_condition(lu), 1e-12, 1e-15);
    ha__lu_free(lu);
}
END_TEST

/* Pivots of [[1, 0.1], [0.1, 1]] do not do for [[1e-18, 1], [1, 1]]: what is left of the rows tells
   and others are chosen, so that the solution is that of the reference. */
START_TEST(pivots_that_do_no_longer_are_chosen_anew)
{
    static const double first[] = { 1.0, 0.1, 0.1, 1.0 }, second[] = { 1e-18, 1.0, 1.0, 1.0 };

    make_pair(1.0);
    memcpy(s.dense, first, sizeof first);
    memcpy(s.value, first, sizeof first);
    ha__lu *lu = new_solver();
    ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
    expect_solutions(lu);
    memcpy(s.dense, second, sizeof second);
    memcpy(s.value, second, sizeof second);
    ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
    expect_solutions(lu);
    ha__lu_free(lu);
}
END_TEST

/* A solution that grows beyond all numbers is a poor one whatever the pivots. */
START_TEST(poor_solutions_are_told)
{
    double b[2] = { 1e300, -1e300 }, x[2];

    make_pair(1e-14);
    ha__lu *lu = new_solver();
    ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
    ck_assert_int_eq(ha__lu_solve(lu, s.value, b, x), HA__LU_POOR);
    ha__lu_free(lu);
}
END_TEST

/* Far along a chain a disturbance has hardly arrived: its rows hold terms that are nothing. */
START_TEST(rows_of_nothing_hold)
{
    double b[SPARSE_MOST] = { 1.0 }, x[SPARSE_MOST];

    s.n = SPARSE_MOST;
    memset(s.dense, 0, sizeof s.dense);
    memset(eliminated, 0, sizeof eliminated);
    for (int i = 0; i < s.n; i++) {
        s.dense[i * s.n + i] = 1.0;
        if (i > 0) {
            s.dense[i * s.n + i - 1] = s.dense[(i - 1) * s.n + i] = 0.1;
        }
    }
    sparse_list(&s, 0);
    ha__lu *lu = new_solver();
    ck_assert_int_eq(ha__lu_factor(lu, s.value), HA__LU_DONE);
    ck_assert_int_eq(ha__lu_solve(lu, s.value, b, x), HA__LU_DONE);
    dense_expect(s.n, s.dense, b, x);
    ck_assert_double_lt(fabs(x[s.n - 1]), 1e-35);
    ha__lu_free(lu);
}
END_TEST

START_TEST(more_entries_than_int_counts_are_refused)
{
    const int64_t start[] = { 0, (int64_t) INT_MAX + 1 };
    ha__lu *lu = NULL;

    ck_assert_int_eq(ha__lu_new(ctx, 1, start, NULL, eliminated, &lu), HA_ERR_LIMIT);
    ck_assert_ptr_null(lu);
    ha__lu_free(NULL);
}
END_TEST

static ha_status use_all(void *user)
{
    ha__lu *lu = NULL;
    ha_status status = ha__lu_new(ctx, s.n, s.start, s.row, eliminated, &lu);

    (void) user;
    status =
        status == HA_OK && ha__lu_factor(lu, s.value) == HA__LU_FAILED ? HA_ERR_MEMORY : status;
    ha__lu_free(lu);
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    make(20, 8, true);
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lu");
    TCase *tests = tcase_create("lu");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_systems_are_solved);
    tcase_add_test(tests, factors_made_safely_need_no_look);
    tcase_add_test(tests, pivots_are_of_all_rows_and_columns);
    tcase_add_test(tests, singular_matrices_are_told);
    tcase_add_test(tests, pivots_that_do_no_longer_are_chosen_anew);
    tcase_add_test(tests, poor_solutions_are_told);
    tcase_add_test(tests, rows_of_nothing_hold);
    tcase_add_test(tests, more_entries_than_int_counts_are_refused);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
