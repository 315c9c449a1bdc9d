/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic modulo 2^61 - 1 against schoolbook addition of bits, and sparse eliminations against
 * Gauss on a dense matrix.
 */
#include <config.h>

#include "lib/core/mem.h"
#include "lib/linalg/modular.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 30 };

static ha_ctx *ctx;
static uint64_t random_state;

static void setup(void)
{
    ctx = ha_ctx_new();
    random_state = 1;
}

static void teardown(void)
{
    ha_ctx_free(ctx);
}

static uint64_t chance(uint64_t n)
{
    return (random_bits(&random_state) >> 20) % n;
}

static uint64_t any_residue(void)
{
    return chance(4) == 0 ? HA__PRIME - 1 - chance(3)
                          : (chance(UINT64_C(1) << 40) << 21 | chance(1 << 21)) % HA__PRIME;
}

/* a b by doubling: sums only, and the remainder as the definition says. */
static uint64_t product_by_sums(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;

    for (; b > 0; b >>= 1) {
        sum = (b & 1) != 0 ? (sum + a) % HA__PRIME : sum;
        a = (a + a) % HA__PRIME;
    }
    return sum;
}

START_TEST(products_are_those_of_repeated_sums)
{
    for (int i = 0; i < 2000; i++) {
        uint64_t a = any_residue(), b = any_residue();
        ck_assert_uint_eq(ha__mod_mul(a, b), product_by_sums(a, b));
        ck_assert_uint_eq(ha__mod_add(a, b), (a + b) % HA__PRIME);
        ck_assert_uint_eq(ha__mod_add(ha__mod_sub(a, b), b), a);
    }
}
END_TEST

START_TEST(an_inverse_gives_one)
{
    ck_assert_uint_eq(ha__mod_inverse(0), 0);
    for (int i = 0; i < 200; i++) {
        uint64_t a = any_residue();
        ck_assert_uint_eq(product_by_sums(a, ha__mod_inverse(a)), a == 0 ? 0 : 1);
    }
}
END_TEST

START_TEST(doubles_have_exact_images)
{
    ck_assert_uint_eq(ha__mod_of_double(0.0), 0);
    ck_assert_uint_eq(ha__mod_of_double(1.0), 1);
    ck_assert_uint_eq(ha__mod_of_double(-1.0), HA__PRIME - 1);
    ck_assert_uint_eq(ha__mod_of_double(12345678.0), 12345678);
    ck_assert_uint_eq(product_by_sums(ha__mod_of_double(0.375), 8), 3);
    ck_assert_uint_eq(ha__mod_of_double(ldexp(1.0, 61)), 1);
    ck_assert_uint_eq(ha__mod_of_double(ldexp(1.0, 63)), 4);
    /* the smallest and the largest: the power of two turns round */
    ck_assert_uint_eq(ha__mod_of_double(ldexp(1.0, -1074)),
                      ha__mod_power(ha__mod_inverse(2), 1074));
    ck_assert_uint_eq(ha__mod_of_double(ldexp(1.0, 1023)), ha__mod_power(2, 1023));
    /* sums that doubles round stay apart */
    ck_assert_uint_ne(ha__mod_add(ha__mod_of_double(0.1), ha__mod_of_double(0.2)),
                      ha__mod_of_double(0.3));
    ck_assert_uint_eq(ha__mod_add(ha__mod_of_double(0.5), ha__mod_of_double(0.25)),
                      ha__mod_of_double(0.75));
}
END_TEST

START_TEST(what_was_meant_is_found_behind_rounding)
{
    /* decimals and fractions over all sizes, each after one more rounding */
    for (int i = 0; i < 5000; i++) {
        uint64_t p = 1 + chance(2000), q = 1 + chance(2000), tens = chance(30);
        double x = (double) p / (double) q, down = pow(10.0, -(double) tens);
        uint64_t residue = ha__mod_mul(p, ha__mod_inverse(q));
        ck_assert_uint_eq(ha__mod_of_meant(x), residue);
        ck_assert_uint_eq(ha__mod_of_meant(-x), ha__mod_sub(0, residue));
        ck_assert_uint_eq(ha__mod_of_meant(nextafter(x, 1e9)), residue);
        ck_assert_uint_eq(ha__mod_mul(ha__mod_of_meant(x * down), ha__mod_power(10, tens)),
                          residue);
    }
    ck_assert_uint_eq(ha__mod_of_meant(0.1 + 0.2), ha__mod_of_meant(0.3));
    ck_assert_uint_eq(ha__mod_of_meant(0.0), 0);
    ck_assert_uint_eq(ha__mod_of_meant(1.0), 1);
    /* numbers that differ by more than rounding stay apart; any double has an answer */
    for (int i = 0; i < 5000; i++) {
        double x = ldexp((double) chance(UINT64_C(1) << 40), (int) chance(200) - 140);
        ck_assert(x == 0.0 || ha__mod_of_meant(x) != ha__mod_of_meant(x * (1 + 1e-12)));
    }
    ck_assert_uint_eq(ha__mod_of_meant(ldexp(1.0, -1074)), ha__mod_of_double(ldexp(1.0, -1074)));
}
END_TEST

START_TEST(chance_is_repeatable_and_never_zero)
{
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(ha__mod_chance(i, 7), ha__mod_chance(i, 7));
        ck_assert_uint_ne(ha__mod_chance(i, 7), ha__mod_chance(i + 1, 7));
        ck_assert_uint_ne(ha__mod_chance(i, 7), ha__mod_chance(i, 8));
        ck_assert_uint_lt(ha__mod_chance(i, 7), HA__PRIME);
        ck_assert_uint_gt(ha__mod_chance(i, 7), 0);
    }
}
END_TEST

/* --- elimination ----------------------------------------------------------------------------- */

typedef struct {
    int n;
    uint64_t a[MAX_N][MAX_N];
} dense;

/* Rank and determinant by Gauss, the first pivot in each column. */
static ha__mod_answer gauss(dense m)
{
    ha__mod_answer answer = { 0, 1 };

    for (int j = 0; j < m.n; j++) {
        int p = answer.rank;
        while (p < m.n && m.a[p][j] == 0) {
            p++;
        }
        if (p == m.n) {
            answer.determinant = 0;
            continue;
        }
        for (int k = 0; k < m.n && p != answer.rank; k++) {
            uint64_t swap = m.a[p][k];
            m.a[p][k] = m.a[answer.rank][k];
            m.a[answer.rank][k] = swap;
        }
        if (p != answer.rank) {
            answer.determinant = ha__mod_sub(0, answer.determinant);
        }
        p = answer.rank++;
        answer.determinant = ha__mod_mul(answer.determinant, m.a[p][j]);
        for (int i = p + 1; i < m.n; i++) {
            uint64_t factor = ha__mod_mul(m.a[i][j], ha__mod_inverse(m.a[p][j]));
            for (int k = j; k < m.n; k++) {
                m.a[i][k] = ha__mod_sub(m.a[i][k], ha__mod_mul(factor, m.a[p][k]));
            }
        }
    }
    return answer;
}

/* A sparse matrix; some rows are combinations of others, many entries are 1 or -1 and cancel. */
static dense sparse_by_chance(void)
{
    dense m = { .n = 1 + (int) chance(MAX_N) };
    int per_row = 1 + (int) chance(4), n_dependent = (int) chance(3);

    for (int i = 0; i < m.n; i++) {
        m.a[i][chance(3) == 0 ? chance((uint64_t) m.n) : (uint64_t) i] = 1;
        for (int k = 0; k < per_row; k++) {
            uint64_t kind = chance(4);
            m.a[i][chance((uint64_t) m.n)] = kind == 0   ? any_residue()
                                             : kind == 1 ? HA__PRIME - 1
                                                         : 1;
        }
    }
    for (int d = 0; d < n_dependent && m.n > 2; d++) {
        uint64_t to = chance((uint64_t) m.n), a = chance((uint64_t) m.n);
        uint64_t b = chance((uint64_t) m.n), factor = any_residue();
        for (int k = 0; k < m.n && to != a && to != b; k++) {
            m.a[to][k] = ha__mod_add(m.a[a][k], ha__mod_mul(factor, m.a[b][k]));
        }
    }
    return m;
}

static ha__mod_answer eliminate(const dense *m, uint64_t *right, uint64_t *left)
{
    int row_start[MAX_N + 1] = { 0 }, column[MAX_N * MAX_N], n = 0;
    uint64_t value[MAX_N * MAX_N];
    ha__mod_answer answer;

    for (int i = 0; i < m->n; i++) {
        for (int j = 0; j < m->n; j++) {
            if (m->a[i][j] != 0) {
                column[n] = j;
                value[n++] = m->a[i][j];
            }
        }
        row_start[i + 1] = n;
    }
    const ha__mod_matrix matrix = { m->n, row_start, column, value };
    ck_assert_int_eq(ha__mod_eliminate(ctx, &matrix, right, left, &answer), HA_OK);
    return answer;
}

/* A x = 0, or x A = 0 when transposed; x = 0 just when A is regular. */
static void expect_null(const dense *m, const uint64_t *x, bool is_transposed, bool is_regular)
{
    bool is_zero = true;

    for (int i = 0; i < m->n; i++) {
        uint64_t sum = 0;
        for (int j = 0; j < m->n; j++) {
            sum = ha__mod_add(sum, ha__mod_mul(is_transposed ? m->a[j][i] : m->a[i][j], x[j]));
        }
        ck_assert_uint_eq(sum, 0);
        is_zero = is_zero && x[i] == 0;
    }
    ck_assert_int_eq(is_zero, is_regular);
}

START_TEST(elimination_agrees_with_gauss)
{
    int n_singular = 0;

    for (int round = 0; round < 3000; round++) {
        dense m = sparse_by_chance();
        uint64_t right[MAX_N], left[MAX_N];
        ha__mod_answer wanted = gauss(m), found = eliminate(&m, right, left);
        ck_assert_int_eq(found.rank, wanted.rank);
        ck_assert_uint_eq(found.determinant, wanted.determinant);
        expect_null(&m, right, false, wanted.rank == m.n);
        expect_null(&m, left, true, wanted.rank == m.n);
        n_singular += wanted.rank < m.n;
    }
    ck_assert_int_gt(n_singular, 300);
    ck_assert_int_lt(n_singular, 2700);
}
END_TEST

/* --- the first independent columns ------------------------------------------------------------ */

enum { MAX_SIDE = 420 };

static uint64_t whole[MAX_SIDE][MAX_SIDE], reduced[MAX_SIDE][MAX_SIDE];
static bool is_first[MAX_SIDE];

/* Fills a matrix by chance, about `n_entries` in a column; some columns are sums of two before. */
static void fill_whole(int n_rows, int n_columns, int n_entries)
{
    memset(whole, 0, sizeof whole);
    for (int j = 0; j < n_columns; j++) {
        bool is_sum = j >= 2 && chance(4) == 0;
        uint64_t a = is_sum ? chance((uint64_t) j) : 0, b = is_sum ? chance((uint64_t) j) : 0;
        for (int i = 0; i < n_rows; i++) {
            whole[i][j] = is_sum ? ha__mod_add(whole[i][a], whole[i][b])
                          : (int) chance((uint64_t) n_rows) < n_entries ? any_residue()
                                                                        : 0;
        }
    }
}

/* By Gauss, column by column, on rows and columns of a matrix; the rank. */
static int reduce_whole(int n_rows, int n_columns)
{
    int rank = 0;

    for (int j = 0; j < n_columns; j++) {
        int p = rank;
        while (p < n_rows && reduced[p][j] == 0) {
            p++;
        }
        is_first[j] = p < n_rows;
        if (p == n_rows) {
            continue;
        }
        for (int k = 0; k < n_columns; k++) {
            uint64_t other = reduced[p][k];
            reduced[p][k] = reduced[rank][k];
            reduced[rank][k] = other;
        }
        uint64_t inverse = ha__mod_inverse(reduced[rank][j]);
        for (int i = rank + 1; i < n_rows; i++) {
            uint64_t f = ha__mod_mul(reduced[i][j], inverse);
            for (int k = j; k < n_columns && f != 0; k++) {
                reduced[i][k] = ha__mod_sub(reduced[i][k], ha__mod_mul(f, reduced[rank][k]));
            }
        }
        rank++;
    }
    return rank;
}

/* Takes columns of `whole` in its sparse form. */
static void take_columns(int n_rows, int n_columns, int *pivot)
{
    static int start[MAX_SIDE + 1], row[MAX_SIDE * MAX_SIDE];
    static uint64_t value[MAX_SIDE * MAX_SIDE];
    const ha__mod_columns m = { n_rows, n_columns, start, row, value };
    int count = 0;

    for (int j = 0; j < n_columns; j++) {
        start[j] = count;
        for (int i = 0; i < n_rows; i++) {
            if (whole[i][j] != 0) {
                row[count] = i;
                value[count++] = whole[i][j];
            }
        }
    }
    start[n_columns] = count;
    ck_assert_int_eq(ha__mod_take_columns(ctx, &m, pivot), HA_OK);
}

/* Expects the columns that Gauss finds, and a regular part in the rows they were taken with. */
static void expect_first_columns(int n_rows, int n_columns)
{
    static int pivot[MAX_SIDE];
    int n_taken = 0;

    memcpy(reduced, whole, sizeof whole);
    int rank = reduce_whole(n_rows, n_columns);
    take_columns(n_rows, n_columns, pivot);
    for (int i = 0; i < n_rows; i++) {
        if (pivot[i] >= 0) {
            ck_assert(is_first[pivot[i]]);
            is_first[pivot[i]] = false; /* once */
            n_taken++;
        }
    }
    ck_assert_int_eq(n_taken, rank);
    for (int i = 0, r = 0; i < n_rows; i++) {
        for (int k = 0, c = 0; k < n_rows && pivot[i] >= 0; k++) {
            if (pivot[k] >= 0) {
                reduced[r][c++] = whole[i][pivot[k]];
            }
        }
        r += pivot[i] >= 0;
    }
    ck_assert_int_eq(reduce_whole(n_taken, n_taken), n_taken);
}

START_TEST(the_first_independent_columns_are_those_of_gauss)
{
    for (int i = 0; i < 2000; i++) {
        int n_rows = 1 + (int) chance(12), n_columns = (int) chance(16);
        fill_whole(n_rows, n_columns, 1 + (int) chance(4));
        expect_first_columns(n_rows, n_columns);
    }
}
END_TEST

START_TEST(the_first_columns_are_found_in_large_matrices_too)
{
    fill_whole(400, MAX_SIDE, 3);
    expect_first_columns(400, MAX_SIDE);
    fill_whole(350, 300, 8);
    expect_first_columns(350, 300);
}
END_TEST

START_TEST(taking_columns_survives_every_failed_allocation)
{
    static int pivot[MAX_SIDE], start[] = { 0, 2, 4 }, row[] = { 0, 1, 0, 1 };
    static const uint64_t value[] = { 1, 2, 3, 4 };
    const ha__mod_columns m = { 2, 2, start, row, value };
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status != HA_OK; n++) {
        ck_assert_uint_lt(n, 100);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = ha__mod_take_columns(ctx, &m, pivot);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), status == HA_OK ? 0 : 1);
    }
    ck_assert_int_eq(pivot[0], 0);
    ck_assert_int_eq(pivot[1], 1);
}
END_TEST

START_TEST(a_matrix_of_size_zero_is_regular)
{
    const dense m = { 0 };

    ha__mod_answer answer = eliminate(&m, NULL, NULL);
    ck_assert_int_eq(answer.rank, 0);
    ck_assert_uint_eq(answer.determinant, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modular");
    TCase *tcase = tcase_create("modular");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, products_are_those_of_repeated_sums);
    tcase_add_test(tcase, an_inverse_gives_one);
    tcase_add_test(tcase, doubles_have_exact_images);
    tcase_add_test(tcase, what_was_meant_is_found_behind_rounding);
    tcase_add_test(tcase, chance_is_repeatable_and_never_zero);
    tcase_add_test(tcase, elimination_agrees_with_gauss);
    tcase_add_test(tcase, a_matrix_of_size_zero_is_regular);
    tcase_add_test(tcase, the_first_independent_columns_are_those_of_gauss);
    tcase_add_test(tcase, the_first_columns_are_found_in_large_matrices_too);
    tcase_add_test(tcase, taking_columns_survives_every_failed_allocation);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
