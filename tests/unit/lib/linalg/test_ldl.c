/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Systems of masses and constraints: solutions against the dense matrix they must satisfy,
 * dependent constraints against right-hand sides that are made from a solution.
 */
#include <config.h>

#include "lib/linalg/ldl.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <string.h>

enum { PLACES = 6, SPEEDS = 6, BODIES = 12, MOST = 5 * BODIES };

static ha_ctx *ctx;
static uint64_t state;
static double dense[MOST][MOST];
static int64_t start[MOST + 1], row[MOST * MOST];
static int place[MOST * MOST];
static double value[MOST * MOST];
static signed char first[MOST];
static ha__ldl_system pattern;
static ha__ldl *ldl;
static bool is_done;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    ldl = NULL;
}

static void tear_down(void)
{
    ha__ldl_free(ldl);
    ha_ctx_free(ctx);
}

/* In [-1, 1). */
static double next_random(void)
{
    return random_in(&state, -1.0, 1.0);
}

static int size(int n_constraints)
{
    return PLACES + SPEEDS + n_constraints;
}

/* Places known at once, speeds of which the first two share a mass matrix, constraints that act
   back on the speeds and read the rates of the places, every third with a compliance. */
static void fill(int n_constraints)
{
    const int n = size(n_constraints);

    memset(dense, 0, sizeof dense);
    for (int j = 0; j < PLACES; j++) {
        dense[j][j] = 1.0;
        first[j] = 1;
    }
    for (int j = PLACES; j < PLACES + SPEEDS; j++) {
        dense[j][j] = 2.0 + next_random();
        first[j] = j != PLACES + 1;
    }
    dense[PLACES][PLACES + 1] = dense[PLACES + 1][PLACES] = 0.3;
    for (int i = PLACES + SPEEDS; i < n; i++) {
        for (int j = 0; j < PLACES + SPEEDS; j++) {
            double g = (i + j) % 3 != 0 ? next_random() : 0.0;
            dense[i][j] = g;
            dense[j][i] = j < PLACES ? 0.0 : -g;
        }
        dense[i][i] = i % 3 == 0 ? 0.1 : 0.0;
        first[i] = 0;
    }
}

/* Row i becomes x times row j, with what acts back. */
static void repeat(int i, int j, double x)
{
    for (int k = 0; k < PLACES + SPEEDS; k++) {
        dense[i][k] = x * dense[j][k];
        dense[k][i] = x * dense[k][j];
    }
    dense[i][i] = dense[j][j] = 0.0;
}

/* The dense matrix as columns; the pattern has the places of a constraint's row whether zero or
 * not. */
static void compress(int n)
{
    int64_t k = 0;

    for (int j = 0; j < n; j++) {
        start[j] = k;
        for (int i = 0; i < n; i++) {
            bool is_back = j >= PLACES && i >= PLACES && dense[j][i] != 0.0;
            if (i == j || is_back || dense[i][j] != 0.0) {
                row[k] = i;
                value[k++] = dense[i][j];
            }
        }
    }
    start[n] = k;
    for (int i = 0; i < (int) k; i++) {
        place[i] = i;
    }
    pattern = (ha__ldl_system){ n, start, row, place, (int) k, first };
}

/* Gives equal entries across the diagonal one place, and puts what never changes behind what does:
   the entries of some speeds. */
static void share_places(bool (*never_changes)(int speed))
{
    double shared[MOST * MOST];
    int n_shared = 0;

    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        for (int j = 0; j < pattern.n; j++) {
            for (int64_t k = start[j]; k < start[j + 1]; k++) {
                int i = (int) row[k];
                if (never_changes(i < j ? i : j) != (is_fixed == 1)) {
                    continue;
                }
                place[k] = n_shared;
                for (int64_t l = start[i]; l < start[i + 1] && i < j; l++) {
                    place[k] = row[l] == j && value[l] == value[k] ? place[l] : place[k];
                }
                if (place[k] == n_shared) {
                    shared[n_shared++] = value[k];
                }
            }
        }
        pattern.n_changing = is_fixed == 0 ? n_shared : pattern.n_changing;
    }
    memcpy(value, shared, sizeof value);
}

static bool is_even_speed(int j)
{
    return j >= PLACES && j < PLACES + SPEEDS && j % 2 == 0;
}

static bool is_speed_in_plane(int j)
{
    return j < 3 * BODIES && j % 3 < 2;
}

static void multiply(int n, const double *x, double *b)
{
    for (int i = 0; i < n; i++) {
        b[i] = 0.0;
        for (int j = 0; j < n; j++) {
            b[i] += dense[i][j] * x[j];
        }
    }
}

static void make_solver(void)
{
    ck_assert_int_eq(ha__ldl_new(ctx, &pattern, value, &ldl), HA_OK);
    ck_assert_ptr_nonnull(ldl);
}

static void make(int n)
{
    compress(n);
    make_solver();
}

/* Changes what changes, and makes a solution up. */
static void change_values(double *x)
{
    for (int k = 0; k < pattern.n_changing; k++) {
        value[k] *= 1.0 + 0.2 * next_random();
    }
    memset(dense, 0, sizeof dense);
    for (int j = 0; j < pattern.n; j++) {
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            dense[row[k]][j] = value[place[k]];
        }
        x[j] = next_random();
    }
}

static void expect_solution(int n, const double *x)
{
    double b[MOST], y[MOST];

    multiply(n, x, b);
    ck_assert(ha__ldl_solve(ldl, value, b, y, &is_done));
    ck_assert(is_done);
    for (int i = 0; i < n; i++) {
        ck_assert_double_eq_tol(y[i], x[i], 1e-12 / fmin(1.0, ha__ldl_condition(ldl)));
    }
}

START_TEST(random_systems_are_solved)
{
    double x[MOST];
    int n = size(_i);

    state = (uint64_t) _i + 1;
    fill(_i);
    make(n);
    for (int i = 0; i < n; i++) {
        x[i] = next_random();
    }
    expect_solution(n, x);
    ck_assert_double_gt(ha__ldl_condition(ldl), 1e-6);
}
END_TEST

/* Bodies with three speeds, each hinged to one before it or to the ground: two constraints, which
   have 1 in the first two speeds of a body and anything in the third. `branches` is in how many
   ways a body finds the one before it: 1 makes a chain. */
static void fill_tree(int branches)
{
    memset(dense, 0, sizeof dense);
    for (int b = 0; b < BODIES; b++) {
        const int before = b - 1 - (int) (fabs(next_random()) * branches);
        const int rows = 3 * BODIES + 2 * b;
        for (int d = 0; d < 3; d++) {
            dense[3 * b + d][3 * b + d] = d < 2 ? 2.0 : 0.5;
            first[3 * b + d] = 1;
        }
        for (int i = 0; i < 2; i++) {
            dense[rows + i][3 * b + i] = 1.0;
            dense[rows + i][3 * b + 2] = next_random();
            first[rows + i] = 0;
            if (before >= 0) {
                dense[rows + i][3 * before + i] = -1.0;
                dense[rows + i][3 * before + 2] = next_random();
            }
        }
    }
    for (int i = 3 * BODIES; i < MOST; i++) {
        for (int j = 0; j < 3 * BODIES; j++) {
            dense[j][i] = dense[i][j];
        }
    }
}

/* The factor is sparse, and most of what is eliminated first never changes. */
START_TEST(chains_and_trees_are_solved)
{
    double x[MOST];

    state = 20 + (uint64_t) _i;
    fill_tree(_i + 1);
    compress(MOST);
    share_places(is_speed_in_plane);
    make_solver();
    change_values(x);
    expect_solution(MOST, x);
}
END_TEST

/* With a solver that was made for other values, but of those that never change. */
START_TEST(values_change_but_for_those_that_do_not)
{
    double x[MOST];
    const int n = size(4);

    state = 5;
    fill(4);
    for (int i = PLACES + SPEEDS; i < n; i++) { /* what acts back is the same, not the opposite */
        for (int j = PLACES; j < PLACES + SPEEDS; j++) {
            dense[j][i] = dense[i][j];
        }
    }
    compress(n);
    share_places(is_even_speed);
    make_solver();
    for (int run = 0; run < 3; run++) {
        change_values(x);
        expect_solution(n, x);
    }
    ck_assert_int_lt(pattern.n_changing, (int) start[n]);
}
END_TEST

START_TEST(rows_that_follow_from_others_are_left_out)
{
    double x[MOST], b[MOST], y[MOST], back[MOST];
    const int n = size(4), a = n - 1, c = n - 3;

    state = 7;
    fill(4);
    repeat(a, c, -0.7);
    make(n);
    for (int i = 0; i < n; i++) {
        x[i] = next_random();
    }
    multiply(n, x, b);
    ck_assert(ha__ldl_solve(ldl, value, b, y, &is_done));
    ck_assert(is_done);
    ck_assert_double_lt(ha__ldl_condition(ldl), 1e-13);
    multiply(n, y, back);
    for (int i = 0; i < n; i++) {
        ck_assert_double_eq_tol(back[i], b[i], 1e-12);
    }
    for (int i = 0; i < PLACES + SPEEDS; i++) {
        ck_assert_double_eq_tol(y[i], x[i], 1e-11); /* rates are those of any choice */
    }
    ck_assert(y[a] == 0.0 || y[c] == 0.0);

    b[a] += 0.01; /* contradicts row c */
    ck_assert(ha__ldl_solve(ldl, value, b, y, &is_done));
    ck_assert(!is_done);
}
END_TEST

/* Two rows at an angle delta: the square of its sine is what is left. */
START_TEST(nearly_dependent_rows_tell_their_angle)
{
    const double delta = 1e-4, b[4] = { 0.0 };
    double x[4];

    memset(dense, 0, sizeof dense);
    memset(first, 0, sizeof first);
    dense[0][0] = dense[1][1] = 1.0;
    first[0] = first[1] = 1;
    dense[2][0] = 1.0;
    dense[3][0] = cos(delta);
    dense[3][1] = sin(delta);
    for (int i = 0; i < 2; i++) {
        dense[i][2] = -dense[2][i];
        dense[i][3] = -dense[3][i];
    }
    make(4);
    ck_assert(ha__ldl_solve(ldl, value, b, x, &is_done));
    ck_assert_double_eq_tol(ha__ldl_condition(ldl) / pow(sin(delta), 2), 1.0, 1e-6);
}
END_TEST

START_TEST(what_is_not_symmetric_is_refused)
{
    const int n = size(3), i = n - 2, j = PLACES + 2;
    double b[MOST] = { 0.0 }, x[MOST];

    state = 11;
    fill(3);
    dense[i][j] = 0.5;
    dense[j][i] = -0.5;
    make(n);
    for (int64_t k = start[j]; k < start[j + 1]; k++) {
        value[k] *= row[k] == i ? 1.001 : 1.0;
    }
    ck_assert(!ha__ldl_solve(ldl, value, b, x, &is_done)); /* it no longer is */
    ha__ldl_free(ldl);
    ck_assert_int_eq(ha__ldl_new(ctx, &pattern, value, &ldl), HA_OK);
    ck_assert_ptr_null(ldl);
}
END_TEST

/* All constraints on one speed: each has to do with each other. */
START_TEST(a_large_factor_is_refused)
{
    enum { N = 2000 };
    static int64_t starts[N + 2], rows[3 * N + 1];
    static int places[3 * N + 1];
    static double values[3 * N + 1];
    static signed char goes_first[N + 1] = { 1 };
    const ha__ldl_system star = { N + 1, starts, rows, places, 3 * N + 1, goes_first };
    int64_t k = 0;

    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i = j == 0 ? i + 1 : i == 0 ? j : N + 1) {
            places[k] = (int) k;
            rows[k] = i;
            values[k++] = i == 0 && j > 0 ? -1.0 : 1.0;
        }
        starts[j + 1] = k;
    }
    ck_assert_int_eq(k, 3 * N + 1);
    ck_assert_int_eq(ha__ldl_new(ctx, &star, values, &ldl), HA_OK);
    ck_assert_ptr_null(ldl);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    state = 3;
    fill(4);
    compress(size(4));
    for (size_t n = 1; ldl == NULL; n++) {
        ck_assert_uint_lt(n, 200);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = ha__ldl_new(ctx, &pattern, value, &ldl);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert(status == HA_OK ? ldl != NULL : status == HA_ERR_MEMORY);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ldl");
    TCase *tests = tcase_create("ldl");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, random_systems_are_solved, 0, 8);
    tcase_add_loop_test(tests, chains_and_trees_are_solved, 0, 6);
    tcase_add_test(tests, values_change_but_for_those_that_do_not);
    tcase_add_test(tests, rows_that_follow_from_others_are_left_out);
    tcase_add_test(tests, nearly_dependent_rows_tell_their_angle);
    tcase_add_test(tests, what_is_not_symmetric_is_refused);
    tcase_add_test(tests, a_large_factor_is_refused);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
