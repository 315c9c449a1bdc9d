/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The triangle of a sparse QR factorisation: R' R = M' M for random rows, in any order of them; a
 * column that others span has no row; solutions of R' R u = c.
 */
#include <config.h>

#include "lib/linalg/triangle.h"

#include "tests/util/util.h"

#include <stdbool.h>
#include <string.h>

enum { N = 9, ROWS = 14 };

static ha_ctx *ctx;
static ha__triangle triangle;
static double rows[ROWS][N];
static double product[N][N]; /* M' M */

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    triangle = (ha__triangle){ 0 };
}

static void tear_down(void)
{
    ha__triangle_clear(&triangle);
    ha_ctx_free(ctx);
}

static int random_int(unsigned *state, int n)
{
    *state = *state * 1664525u + 1013904223u;
    return (int) ((*state >> 8) % (unsigned) n);
}

/* Sparse rows, of which some columns may be sums of two before them. */
static void fill(unsigned *state, bool with_sums)
{
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 4; k++) {
            rows[i][random_int(state, N)] = random_int(state, 19) - 9;
        }
        rows[i][4] = with_sums ? rows[i][0] + rows[i][2] : rows[i][4];
        rows[i][7] = with_sums ? rows[i][4] - rows[i][1] : rows[i][7];
    }
    memset(product, 0, sizeof product);
    for (int i = 0; i < ROWS; i++) {
        for (int a = 0; a < N; a++) {
            for (int b = 0; b < N; b++) {
                product[a][b] += rows[i][a] * rows[i][b];
            }
        }
    }
}

static void add_rows(int first, int step)
{
    triangle = (ha__triangle){ 0 };
    ck_assert_int_eq(ha__triangle_init(&triangle, ctx, N), HA_OK);
    for (int i = 0; i < ROWS; i++) {
        ha__term terms[N];
        size_t count = 0;
        for (int j = 0; j < N; j++) {
            double value = rows[(first + i * step) % ROWS][j];
            if (value != 0.0) {
                terms[count++] = (ha__term){ j, value };
            }
        }
        ck_assert_int_eq(ha__triangle_add(&triangle, terms, count), HA_OK);
    }
}

static double entry(int k, int column)
{
    for (size_t i = 0; i < triangle.rows[k].count; i++) {
        if (triangle.rows[k].items[i].column == column) {
            return triangle.rows[k].items[i].value;
        }
    }
    return 0.0;
}

static void expect_product(void)
{
    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            double sum = 0.0;
            for (int k = 0; k < N; k++) {
                ck_assert(k <= b || entry(k, b) == 0.0);
                sum += entry(k, a) * entry(k, b);
            }
            ck_assert_double_eq_tol(sum, product[a][b], 1e-11);
        }
    }
}

START_TEST(the_square_of_the_triangle_is_that_of_the_rows)
{
    unsigned state = 3;

    for (int round = 0; round < 500; round++) {
        fill(&state, round % 2 == 0);
        add_rows(random_int(&state, ROWS), 1 + 2 * random_int(&state, 3));
        expect_product();
        ck_assert_int_eq(ha__triangle_settle(&triangle, 1e-10), HA_OK);
        expect_product();
        ha__triangle_clear(&triangle);
    }
}
END_TEST

START_TEST(a_column_that_others_span_has_no_row)
{
    unsigned state = 7;

    for (int round = 0; round < 500; round++) {
        fill(&state, true);
        add_rows(0, 1);
        ck_assert_int_eq(ha__triangle_settle(&triangle, 1e-10), HA_OK);
        ck_assert_uint_eq(triangle.rows[4].count, 0);
        ck_assert_uint_eq(triangle.rows[7].count, 0);
        ha__triangle_clear(&triangle);
    }
}
END_TEST

START_TEST(solutions_satisfy_the_normal_equations)
{
    unsigned state = 11;

    for (int round = 0; round < 500; round++) {
        double u[N];
        double c[N] = { 0 };
        fill(&state, false);
        for (int i = 0; i < N; i++) { /* regular: rows of their own */
            rows[i][i] += 40.0;
        }
        add_rows(0, 1);
        for (int a = 0; a < N; a++) {
            u[a] = random_int(&state, 21) - 10;
        }
        for (int i = 0; i < ROWS; i++) {
            double sum = 0.0;
            for (int a = 0; a < N; a++) {
                sum += rows[i][a] * u[a];
            }
            for (int a = 0; a < N; a++) {
                c[a] += rows[i][a] * sum;
            }
        }
        ha__triangle_solve(&triangle, c);
        for (int a = 0; a < N; a++) {
            ck_assert_double_eq_tol(c[a], u[a], 1e-11);
        }
        ha__triangle_clear(&triangle);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("triangle");
    TCase *tests = tcase_create("triangle");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_square_of_the_triangle_is_that_of_the_rows);
    tcase_add_test(tests, a_column_that_others_span_has_no_row);
    tcase_add_test(tests, solutions_satisfy_the_normal_equations);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
