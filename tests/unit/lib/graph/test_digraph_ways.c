/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own searches against igraph's on random graphs: the same parts, and as many pairs, each along
   an edge. */
#include <config.h>

#include "lib/graph/digraph_ways.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdbool.h>

enum { GRAPHS = 2000, MOST = 60, MOST_EDGES = 150 };

static ha_ctx *ctx;
static int from[MOST_EDGES], to[MOST_EDGES];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static int make_edges(uint64_t *state, int n_from, int n_to)
{
    int m = random_below(state, 1 + random_below(state, MOST_EDGES));

    for (int k = 0; k < m; k++) {
        from[k] = random_below(state, n_from);
        to[k] = random_below(state, n_to);
    }
    return m;
}

START_TEST(parts_are_those_of_igraph)
{
    uint64_t state = 1;
    int n_joined = 0;

    for (int g = 0; g < GRAPHS; g++) {
        int n = 1 + random_below(&state, MOST), m = make_edges(&state, n, n);
        int own[MOST], other[MOST];
        ck_assert_int_eq(ha__digraph_own.weak(ctx, n, m, from, to, own), HA_OK);
        ck_assert_int_eq(ha__digraph_igraph.weak(ctx, n, m, from, to, other), HA_OK);
        bool same = true; /* each assertion of Check takes its time */
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                same = same && (own[i] == own[j]) == (other[i] == other[j]);
                n_joined += own[i] == own[j];
            }
        }
        ck_assert(same);
    }
    ck_assert_int_gt(n_joined, GRAPHS);
}
END_TEST

START_TEST(as_many_pairs_as_by_igraph)
{
    uint64_t state = 2;
    int n_left_alone = 0;

    for (int g = 0; g < GRAPHS; g++) {
        int n_left = 1 + random_below(&state, MOST), n_right = 1 + random_below(&state, MOST);
        int m = make_edges(&state, n_left, n_right);
        int own[2 * MOST], other[2 * MOST], own_size = -1, other_size = -1, n_pairs = 0;
        ck_assert_int_eq(ha__digraph_own.match(ctx, n_left, n_right, m, from, to, own, &own_size),
                         HA_OK);
        ck_assert_int_eq(
            ha__digraph_igraph.match(ctx, n_left, n_right, m, from, to, other, &other_size), HA_OK);
        ck_assert_int_eq(own_size, other_size);
        for (int i = 0; i < n_left; i++) {
            bool is_edge = false;
            for (int k = 0; k < m; k++) {
                is_edge = is_edge || (from[k] == i && n_left + to[k] == own[i]);
            }
            ck_assert(own[i] == -1 || (is_edge && own[own[i]] == i));
            n_pairs += own[i] != -1;
        }
        ck_assert_int_eq(n_pairs, own_size);
        n_left_alone += n_left - n_pairs;
    }
    ck_assert_int_gt(n_left_alone, GRAPHS);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { parts_are_those_of_igraph, as_many_pairs_as_by_igraph };

    return test_run_all("digraph_ways", set_up, tear_down, tests, HA_COUNT(tests));
}
