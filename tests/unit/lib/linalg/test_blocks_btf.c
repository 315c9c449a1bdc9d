/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings against augmenting paths, blocks against matrices that are built of them. */
#include <config.h>

#include "lib/linalg/blocks_btf.h"

#include "tests/util/sparse.h"
#include "tests/util/util.h"

#include <stdbool.h>

static uint64_t state;
static sparse s;

static void set_up(void)
{
    state = 1;
}

/* Finds another row for a column, moving others where it must (Kuhn 1955). */
static bool augment(int column, int *column_of, bool *is_seen)
{
    for (int i = 0; i < s.n; i++) {
        if (s.dense[i * s.n + column] != 0.0 && !is_seen[i]) {
            is_seen[i] = true;
            if (column_of[i] < 0 || augment(column_of[i], column_of, is_seen)) {
                column_of[i] = column;
                return true;
            }
        }
    }
    return false;
}

static int most_pairs(void)
{
    int column_of[SPARSE_MOST], n_pairs = 0;

    for (int i = 0; i < s.n; i++) {
        column_of[i] = -1;
    }
    for (int j = 0; j < s.n; j++) {
        bool is_seen[SPARSE_MOST] = { false };
        n_pairs += augment(j, column_of, is_seen) ? 1 : 0;
    }
    return n_pairs;
}

START_TEST(as_many_rows_are_matched_as_can_be)
{
    int column_of[SPARSE_MOST], room[7 * SPARSE_MOST], bounds[SPARSE_MOST + 1], n_deficient = 0;

    for (int round = 0; round < 200; round++) {
        s.n = 1 + random_below(&state, SPARSE_MOST);
        memset(s.dense, 0, sizeof s.dense);
        for (int k = 0; k < 2 * s.n; k++) {
            s.dense[random_below(&state, s.n * s.n)] = 1.0;
        }
        sparse_list(&s, 0);
        int n_pairs = ha__match_rows(s.n, s.start_int, s.row_int, column_of, room), count = 0;
        bool is_taken[SPARSE_MOST] = { false };
        for (int i = 0; i < s.n; i++) {
            if (column_of[i] >= 0) {
                ck_assert(s.dense[i * s.n + column_of[i]] != 0.0);
                ck_assert(!is_taken[column_of[i]]);
                is_taken[column_of[i]] = true;
                count++;
            }
        }
        ck_assert_int_eq(n_pairs, count);
        ck_assert_int_eq(n_pairs, most_pairs());
        n_deficient += n_pairs < s.n ? 1 : 0;
        int n_matched = -1;
        ck_assert_int_ge(ha__find_blocks(s.n, s.start_int, s.row_int, bounds, &n_matched, room), 1);
        ck_assert_int_eq(n_matched, n_pairs);
    }
    ck_assert_int_gt(n_deficient, 20);
    ck_assert_int_lt(n_deficient, 200);
}
END_TEST

/* Full blocks along the diagonal, entries at random above them, rows and columns in any order. */
static void make_blocks(int n_blocks, int *sizes)
{
    int block_of[SPARSE_MOST], p[SPARSE_MOST], q[SPARSE_MOST];

    s.n = 0;
    for (int b = 0; b < n_blocks; b++) {
        sizes[b] = 1 + random_below(&state, 5);
        for (int k = 0; k < sizes[b]; k++) {
            block_of[s.n++] = b;
        }
    }
    for (int i = 0; i < s.n; i++) {
        int j = random_below(&state, i + 1), k = random_below(&state, i + 1);
        p[i] = p[j], p[j] = i;
        q[i] = q[k], q[k] = i;
    }
    memset(s.dense, 0, sizeof s.dense);
    for (int i = 0; i < s.n; i++) {
        for (int j = 0; j < s.n; j++) {
            bool is_above = block_of[i] < block_of[j] && random_below(&state, 3) == 0;
            s.dense[p[i] * s.n + q[j]] = block_of[i] == block_of[j] || is_above ? 1.0 : 0.0;
        }
    }
    sparse_list(&s, 0);
}

START_TEST(blocks_are_found)
{
    int bounds[SPARSE_MOST + 1], room[7 * SPARSE_MOST], n_matched = 0;

    for (int round = 0; round < 100; round++) {
        int n_blocks = 1 + random_below(&state, 8), sizes[8], wanted[6] = { 0 }, found[6] = { 0 };
        make_blocks(n_blocks, sizes);
        ck_assert_int_eq(ha__find_blocks(s.n, s.start_int, s.row_int, bounds, &n_matched, room),
                         n_blocks);
        ck_assert_int_eq(n_matched, s.n);
        for (int b = 0; b < n_blocks; b++) {
            wanted[sizes[b]]++;
            found[bounds[b + 1] - bounds[b]]++;
        }
        ck_assert_mem_eq(found, wanted, sizeof found);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("blocks_btf");
    TCase *tests = tcase_create("blocks_btf");

    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, as_many_rows_are_matched_as_can_be);
    tcase_add_test(tests, blocks_are_found);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
