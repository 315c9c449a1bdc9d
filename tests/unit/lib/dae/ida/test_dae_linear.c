/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear solver of a run on random matrices: the residual tells whether a solution is right. */
#include <config.h>

#include "lib/dae/ida/dae_linear.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { MOST = 40, N_SEEDS = 200 };

static ha_ctx *ctx;
static SUNContext sundials;
static uint64_t state;
static int n_solved;
static double density = 0.4; /* share of the entries that are there at random */

/* A system of places, speeds and multipliers, and a matrix of it. */
static ha_dae dae;
static ha_dae_unknown unknowns[MOST];
static int64_t start[MOST + 1], row[MOST * MOST];
static double dense[MOST][MOST];
static bool is_there[MOST][MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_int_eq(SUNContext_Create(NULL, &sundials), 0);
}

static void tear_down(void)
{
    SUNContext_Free(&sundials);
    ha_ctx_free(ctx);
}

/* In [0, 1). */
static double next_random(void)
{
    return random_in(&state, 0.0, 1.0);
}

/* Fills the pattern: a diagonal, for a place its speed and whom it acts on, else at random. */
static void make_pattern(int n_places, int n)
{
    int64_t k = 0;

    memset(is_there, 0, sizeof is_there);
    for (int j = 0; j < n; j++) {
        unknowns[j].motion = j < n_places       ? HA_POSITION
                             : j < 2 * n_places ? HA_VELOCITY
                                                : HA_NO_MOTION;
        is_there[j][j] = true;
        for (int i = 0; i < n; i++) {
            bool is_in_place = i < n_places;
            is_there[i][j] = is_there[i][j] || (!is_in_place && next_random() < density);
        }
        if (j < n_places) {
            is_there[j][j + n_places] = true;
        }
    }
    for (int i = 2 * n / 3; i < n; i++) { /* a multiplier and the speed that it holds */
        int j = i - n / 3;
        if (j >= n_places) {
            is_there[i][j] = is_there[j][i] = true;
        }
    }
    if (n_places > 3) {
        is_there[0][3] = true; /* a place in the row of another */
    }
    for (int j = 0; j < n; j++) {
        start[j] = k;
        for (int i = 0; i < n; i++) {
            if (is_there[i][j]) {
                row[k++] = i;
            }
        }
    }
    start[n] = k;
    dae = (ha_dae){ .n = n, .unknowns = unknowns, .column_start = start, .row = row };
}

/* Values of very different sizes by row; the diagonals of the last third, which are those of
   multipliers, are next to zero. */
static void fill(SUNMatrix matrix, int n, double cj)
{
    for (int j = 0; j <= n; j++) {
        SM_INDEXPTRS_S(matrix)[j] = start[j];
    }
    for (int j = 0; j < n; j++) {
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            int i = (int) row[k];
            double size = pow(10.0, (double) (i % 7) - 3.0);
            double value = (i == j && unknowns[i].motion == HA_POSITION) ? cj
                           : i == j && i >= 2 * n / 3                    ? 1e-12 * next_random()
                                                                         : next_random() - 0.5;
            SM_INDEXVALS_S(matrix)[k] = row[k];
            SM_DATA_S(matrix)[k] = value * size;
            dense[i][j] = value * size;
        }
    }
}

/* The largest residual beside the terms of its row. */
static double residual_of(int n, const double *x, const double *b)
{
    double largest = 0.0;

    for (int i = 0; i < n; i++) {
        double sum = b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            double term = is_there[i][j] ? dense[i][j] * x[j] : 0.0;
            sum -= term;
            size += fabs(term);
        }
        largest = fmax(largest, size > 0.0 ? fabs(sum) / size : 0.0);
    }
    return largest;
}

/* Solves with matrices of one pattern one after the other, so that the pivots of one meet another.
 */
static void solve_some(int n_places, int n)
{
    N_Vector x = N_VNew_Serial(n, sundials), b = N_VNew_Serial(n, sundials);
    make_pattern(n_places, n);
    SUNMatrix matrix = SUNSparseMatrix(n, n, start[n], CSC_MAT, sundials);
    SUNLinearSolver solver = ha__linear_new(ctx, sundials, &dae);

    ck_assert_ptr_nonnull(solver);
    for (int round = 0; round < 6; round++) {
        fill(matrix, n, pow(10.0, 3.0 * next_random()));
        for (int i = 0; i < n; i++) {
            NV_Ith_S(b, i) = next_random() - 0.5;
        }
        if (SUNLinSolSetup(solver, matrix) != 0) {
            continue; /* singular by its pattern: not what is tested */
        }
        ck_assert_int_eq(SUNLinSolSolve(solver, matrix, x, b, 0.0), 0);
        if (N_VMaxNorm(x) > 1e9) {
            continue; /* nearly singular: an unknown is what 1e-12 on the diagonal makes of it */
        }
        double residual = residual_of(n, NV_DATA_S(x), NV_DATA_S(b));
        ck_assert_msg(residual < 1e-10, "n = %d, round %d: residual %g", n, round, residual);
        n_solved++;
    }
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    N_VDestroy(b);
}

START_TEST(random_systems_are_solved)
{
    for (unsigned seed = 1; seed <= N_SEEDS; seed++) {
        state = seed;
        int n_places = (int) (10.0 * next_random());
        solve_some(n_places, 2 * n_places + 1 + (int) (10.0 * next_random()));
    }
    ck_assert_int_gt(n_solved, 3 * N_SEEDS);
}
END_TEST

/* With so few entries that matrices fall into blocks, and unknowns meet one another or do not. */
START_TEST(sparse_random_systems_are_solved)
{
    n_solved = 0;
    for (unsigned seed = 1; seed <= N_SEEDS; seed++) {
        state = seed;
        density = 0.02 + 0.15 * next_random();
        int n_places = (int) (8.0 * next_random());
        solve_some(n_places, 2 * n_places + 1 + (int) (22.0 * next_random()));
    }
    density = 0.4;
    ck_assert_int_gt(n_solved, N_SEEDS);
}
END_TEST

/* One place alone: there is nothing for KLU but itself. */
START_TEST(a_single_place_is_solved)
{
    double value = 4.0;
    const ha_dae_unknown place = { .motion = HA_POSITION };
    const int64_t column[2] = { 0, 1 }, rows[1] = { 0 };
    ha_dae one = { .n = 1, .unknowns = &place, .column_start = column, .row = rows };
    SUNMatrix matrix = SUNSparseMatrix(1, 1, 1, CSC_MAT, sundials);
    N_Vector x = N_VNew_Serial(1, sundials), b = N_VNew_Serial(1, sundials);
    SUNLinearSolver solver = ha__linear_new(ctx, sundials, &one);

    ck_assert_ptr_nonnull(solver);
    SM_DATA_S(matrix)[0] = value;
    NV_Ith_S(b, 0) = 2.0;
    ck_assert_int_eq(SUNLinSolSetup(solver, matrix), 0);
    ck_assert_int_eq(SUNLinSolSolve(solver, matrix, x, b, 0.0), 0);
    ck_assert(NV_Ith_S(x, 0) == 0.5);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    N_VDestroy(b);
}
END_TEST

/* Pivots that were good in one matrix are zero in the next. */
START_TEST(pivots_that_vanish_are_replaced)
{
    const int64_t column[3] = { 0, 2, 4 }, rows[4] = { 0, 1, 0, 1 };
    const double first[4] = { 1.0, 0.1, 0.1, 1.0 }, second[4] = { 1e-30, 1.0, 1.0, 1e-30 };
    const ha_dae_unknown still[2] = { { .name = "a" }, { .name = "b" } };
    ha_dae two = { .n = 2, .unknowns = still, .column_start = column, .row = rows };
    SUNMatrix matrix = SUNSparseMatrix(2, 2, 4, CSC_MAT, sundials);
    N_Vector x = N_VNew_Serial(2, sundials), b = N_VNew_Serial(2, sundials);
    SUNLinearSolver solver = ha__linear_new(ctx, sundials, &two);

    ck_assert_ptr_nonnull(solver);
    for (const double *values = first; values != NULL; values = values == first ? second : NULL) {
        memcpy(SM_DATA_S(matrix), values, sizeof first);
        NV_Ith_S(b, 0) = 3.0;
        NV_Ith_S(b, 1) = 5.0;
        ck_assert_int_eq(SUNLinSolSetup(solver, matrix), 0);
        ck_assert_int_eq(SUNLinSolSolve(solver, matrix, x, b, 0.0), 0);
    }
    ck_assert_double_eq_tol(NV_Ith_S(x, 0), 5.0, 1e-14);
    ck_assert_double_eq_tol(NV_Ith_S(x, 1), 3.0, 1e-14);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    N_VDestroy(b);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    SUNLinearSolver solver = NULL;

    state = 3;
    make_pattern(4, 12);
    for (size_t n = 1; solver == NULL; n++) {
        ck_assert_uint_lt(n, 100);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        solver = ha__linear_new(ctx, sundials, &dae);
        ha_ctx_fail_allocation(ctx, 0);
    }
    SUNLinSolFree(solver);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_linear");
    TCase *tests = tcase_create("dae_linear");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_systems_are_solved);
    tcase_add_test(tests, sparse_random_systems_are_solved);
    tcase_add_test(tests, a_single_place_is_solved);
    tcase_add_test(tests, pivots_that_vanish_are_replaced);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
