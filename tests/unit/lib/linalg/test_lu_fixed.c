/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors with pivots that are known: the right-hand side of a solution that is known gives it
 * back. */
#include <config.h>

#include "lib/linalg/lu_fixed.h"

#include "lib/linalg/lu_plan.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 24, N_SEEDS = 300, LINKS = 200 };

static ha_ctx *ctx;
static uint64_t state;

/* A matrix in compressed columns, and pivots for it. */
typedef struct {
    int n;
    int64_t start[6 * LINKS + 1], row[40 * LINKS];
    double value[40 * LINKS];
    int p[6 * LINKS], q[6 * LINKS];
} system;

static system s;

static void set_up(void)
{
    ctx = ha_ctx_new();
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

/* In [0, 1). */
static double next_random(void)
{
    return random_in(&state, 0.0, 1.0);
}

/* Numbers 0 ... n - 1 in a random order. */
static void shuffle(int *items, int n)
{
    for (int i = 0; i < n; i++) {
        int j = (int) ((i + 1) * next_random());
        items[i] = items[j];
        items[j] = i;
    }
}

/* A random matrix whose entries at the pivots outweigh the rest of their columns. */
static void make_random(void)
{
    double density = 0.05 + 0.3 * next_random();
    int64_t k = 0;

    s.n = 1 + (int) ((MOST - 1) * next_random());
    shuffle(s.p, s.n);
    shuffle(s.q, s.n);
    for (int j = 0; j < s.n; j++) {
        int pivot = 0;
        while (s.q[pivot] != j) {
            pivot++;
        }
        s.start[j] = k;
        for (int i = 0; i < s.n; i++) {
            if (i == s.p[pivot] || next_random() < density) {
                s.row[k] = i;
                s.value[k++] = next_random() - 0.5 + (i == s.p[pivot] ? s.n : 0.0);
            }
        }
    }
    s.start[s.n] = k;
}

static void multiply(const double *x, double *b)
{
    memset(b, 0, (size_t) s.n * sizeof *b);
    for (int j = 0; j < s.n; j++) {
        for (int64_t e = s.start[j]; e < s.start[j + 1]; e++) {
            b[s.row[e]] += s.value[e] * x[j];
        }
    }
}

static void expect_solution(ha__lu_fixed *lu)
{
    double x[6 * LINKS], b[6 * LINKS], found[6 * LINKS];

    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < s.n; j++) {
            x[j] = next_random() - 0.5;
        }
        multiply(x, b);
        ck_assert(k == 0 ? ha__lu_fixed_factor(lu, s.value, b, found)
                         : ha__lu_fixed_solve(lu, s.value, b, found));
        for (int j = 0; j < s.n; j++) {
            ck_assert_double_eq_tol(found[j], x[j], 1e-12);
        }
    }
}

START_TEST(random_systems_are_solved)
{
    for (unsigned seed = 1; seed <= N_SEEDS; seed++) {
        ha__lu_fixed *lu = NULL;
        state = seed;
        make_random();
        ck_assert_int_eq(ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu), HA_OK);
        ck_assert_ptr_nonnull(lu);
        for (int round = 0; round < 20; round++) {
            expect_solution(lu);
            for (int64_t e = 0; e < s.start[s.n]; e++) {
                s.value[e] *= 0.9 + 0.2 * next_random();
            }
        }
        ha__lu_fixed_free(lu);
    }
}
END_TEST

/* A chain of masses, each tied to the one before by a multiplier: m v' = lambda - lambda', and the
   speeds are equal. */
static void make_chain(int n_links)
{
    int64_t k = 0;

    s.n = 2 * n_links;
    for (int j = 0; j < n_links;
         j++) { /* speed j is in its own row, in its own joint's and the next */
        s.start[2 * j] = k;
        s.row[k] = 2 * j;
        s.value[k++] = 3.0;
        s.row[k] = 2 * j + 1;
        s.value[k++] = 1.0;
        if (j + 1 < n_links) {
            s.row[k] = 2 * j + 3;
            s.value[k++] = -1.0;
        }
        s.start[2 * j + 1] = k; /* and multiplier j acts on speeds j and j - 1 */
        if (j > 0) {
            s.row[k] = 2 * j - 2;
            s.value[k++] = -1.0;
        }
        s.row[k] = 2 * j;
        s.value[k++] = 1.0;
        s.p[2 * j] = s.q[2 * j] = 2 * j;
        s.p[2 * j + 1] = s.q[2 * j + 1] = 2 * j + 1;
    }
    s.start[s.n] = k;
}

START_TEST(like_parts_share_what_is_done_with_them)
{
    size_t length = 0;

    for (int n_links = 10; n_links <= LINKS; n_links *= 2) {
        ha__lu_plan *plan = NULL;
        ha__lu_fixed *lu = NULL;
        make_chain(n_links);
        ck_assert_int_eq(ha__lu_plan_new(ctx, s.n, s.start, s.row, s.p, s.q, &plan), HA_OK);
        ck_assert_ptr_nonnull(plan);
        ck_assert(length == 0 || plan->shapes.count == length);
        length = plan->shapes.count;
        ha__lu_plan_free(plan);
        state = 1;
        ck_assert_int_eq(ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu), HA_OK);
        expect_solution(lu);
        ha__lu_fixed_free(lu);
    }
}
END_TEST

/* An arrow that points the wrong way: its factors have all entries. */
START_TEST(factors_with_too_many_entries_are_left_alone)
{
    ha__lu_fixed *lu = NULL;
    int64_t k = 0;

    s.n = LINKS;
    for (int j = 0; j < s.n; j++) {
        s.start[j] = k;
        for (int i = 0; i < s.n; i++) {
            if (i == 0 || j == 0 || i == j) {
                s.row[k] = i;
                s.value[k++] = i == j ? 10.0 * s.n : 1.0;
            }
        }
        s.p[j] = s.q[j] = j;
    }
    s.start[s.n] = k;
    ck_assert_int_eq(ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu), HA_OK);
    ck_assert_ptr_null(lu);
}
END_TEST

/*
 * Pivot 0 makes what pivot 7 is, whose own entry is 0, and leads to the pivots 1, 6 and 9
 * otherwise: they have nothing to do with 7, which must come after 0 all the same.
 */
START_TEST(a_pivot_waits_for_all_that_changes_it)
{
    static const int rows[] = { 0, 1, 7, 1, 2, 3, 4, 5, 1, 6, 0, 1, 7, 8, 6, 9 };
    static const int64_t starts[] = { 0, 3, 4, 5, 6, 7, 8, 10, 13, 14, 16 };
    ha__lu_fixed *lu = NULL;

    s.n = 10;
    for (int j = 0; j < s.n; j++) {
        s.start[j] = starts[j];
        for (int64_t e = starts[j]; e < starts[j + 1]; e++) {
            s.row[e] = rows[e];
            s.value[e] = j == 7 && rows[e] == 7 ? 0.0 : 1.0 + (double) e / 8.0;
        }
        s.p[j] = s.q[j] = j;
    }
    s.start[s.n] = starts[s.n];
    state = 1;
    ck_assert_int_eq(ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu), HA_OK);
    ck_assert_ptr_nonnull(lu);
    expect_solution(lu);
    ha__lu_fixed_free(lu);
}
END_TEST

static const int64_t two_start[] = { 0, 2, 4 }, two_row[] = { 0, 1, 0, 1 };
static const int two_pivots[] = { 0, 1 };

static ha__lu_fixed *new_of_two(void)
{
    ha__lu_fixed *lu = NULL;

    ck_assert_int_eq(ha__lu_fixed_new(ctx, 2, two_start, two_row, two_pivots, two_pivots, &lu),
                     HA_OK);
    return lu;
}

START_TEST(pivots_that_cancel_are_told)
{
    const double good[] = { 2.0, 1.0, 1.0, 2.0 }, zero[] = { 0.0, 1.0, 1.0, 2.0 };
    const double near[] = { 1.0, 1.0, 1.0, 1.0 + 1e-6 }, b[] = { 3.0, 5.0 };
    double x[2];
    ha__lu_fixed *lu = new_of_two();

    ck_assert(ha__lu_fixed_factor(lu, good, b, x));
    ck_assert(!ha__lu_fixed_factor(lu, zero, b, x));
    ck_assert(!ha__lu_fixed_factor(lu, near, b, x));
    ck_assert(ha__lu_fixed_factor(lu, good, b, x));
    ha__lu_fixed_free(lu);
}
END_TEST

/* The pivot is nothing beside the entry below it: round-off takes the solution. */
START_TEST(a_poor_solution_is_told)
{
    const double poor[] = { 1e-20, 1.0, 1.0, 1.0 }, b[] = { 3.0, 5.0 };
    ha__lu_fixed *lu = new_of_two();
    double x[2];

    ck_assert(!ha__lu_fixed_factor(lu, poor, b, x));
    ha__lu_fixed_free(lu);
}
END_TEST

/* Its residual is no larger than its terms are: all are infinite. */
START_TEST(a_solution_that_is_not_finite_is_told)
{
    const int64_t start[] = { 0, 1 }, row[] = { 0 };
    const double a[] = { 1e-300 }, b[] = { 1e10 };
    const int pivot[] = { 0 };
    ha__lu_fixed *lu = NULL;
    double x[1];

    ck_assert_int_eq(ha__lu_fixed_new(ctx, 1, start, row, pivot, pivot, &lu), HA_OK);
    ck_assert(!ha__lu_fixed_factor(lu, a, b, x));
    ha__lu_fixed_free(lu);
}
END_TEST

/* A disturbance at one end of a chain that takes a ten-thousandth of it from link to link. */
START_TEST(what_has_hardly_arrived_does_no_harm)
{
    ha__lu_fixed *lu = NULL;
    double b[LINKS] = { 1.0 }, x[LINKS];
    int64_t k = 0;

    s.n = 60;
    for (int j = 0; j < s.n; j++) {
        s.start[j] = k;
        for (int i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < s.n) {
                s.row[k] = i;
                s.value[k++] = i == j ? 1.0 : -1e-4 * (1.0 + 0.1 * sin(i + 3.0 * j));
            }
        }
        s.p[j] = s.q[j] = j;
    }
    s.start[s.n] = k;
    ck_assert_int_eq(ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu), HA_OK);
    ck_assert(ha__lu_fixed_factor(lu, s.value, b, x));
    ck_assert(x[s.n - 1] > 0.0 && x[s.n - 1] < 1e-200);
    ha__lu_fixed_free(lu);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha__lu_fixed *lu = NULL;

    state = 5;
    make_random();
    for (size_t n = 1; lu == NULL; n++) {
        ck_assert_uint_lt(n, 200);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = ha__lu_fixed_new(ctx, s.n, s.start, s.row, s.p, s.q, &lu);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert((status == HA_OK) == (lu != NULL));
        ck_assert_int_eq(ha_ctx_n_diags(ctx) > 0, status != HA_OK);
    }
    expect_solution(lu);
    ha__lu_fixed_free(lu);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lu_fixed");
    TCase *tests = tcase_create("lu_fixed");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_systems_are_solved);
    tcase_add_test(tests, like_parts_share_what_is_done_with_them);
    tcase_add_test(tests, factors_with_too_many_entries_are_left_alone);
    tcase_add_test(tests, a_pivot_waits_for_all_that_changes_it);
    tcase_add_test(tests, pivots_that_cancel_are_told);
    tcase_add_test(tests, a_poor_solution_is_told);
    tcase_add_test(tests, a_solution_that_is_not_finite_is_told);
    tcase_add_test(tests, what_has_hardly_arrived_does_no_harm);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
