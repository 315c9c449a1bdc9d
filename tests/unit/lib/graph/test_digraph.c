/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graph algorithms against brute force on small random graphs: reachability by Warshall's method,
 * matchings and feedback sets by trying all subsets.
 */
#include <config.h>

#include "lib/graph/digraph.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <igraph/igraph.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10, MOST_EDGES = 40 };

static ha_ctx *ctx;
static int n;
static int m;
static int from[MOST_EDGES];
static int to[MOST_EDGES];
static bool reaches[MOST][MOST]; /* over one edge or more */
static int distance[MOST][MOST]; /* without direction */

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

/* A random graph with loops and parallel edges, and its reachability and distances. */
static void make_graph(uint64_t *state)
{
    n = 1 + random_below(state, MOST);
    m = random_below(state, random_below(state, 2) == 0 ? MOST_EDGES : 2 * n);
    memset(reaches, 0, sizeof reaches);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            distance[i][j] = i == j ? 0 : MOST;
        }
    }
    for (int k = 0; k < m; k++) {
        from[k] = random_below(state, n);
        to[k] = random_below(state, n);
        reaches[from[k]][to[k]] = true;
        if (from[k] != to[k]) {
            distance[from[k]][to[k]] = distance[to[k]][from[k]] = 1;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int way = distance[i][k] + distance[k][j];
                reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
                distance[i][j] = way < distance[i][j] ? way : distance[i][j];
            }
        }
    }
}

START_TEST(strong_components_agree_with_reachability)
{
    uint64_t state = 1;

    for (int round = 0; round < 3000; round++) {
        int component[MOST];
        int lowest[MOST];
        int count = 0;
        make_graph(&state);
        expect_ok(ha__digraph_strong(ctx, n, m, from, to, component, &count));
        for (int i = n - 1; i >= 0; i--) {
            ck_assert(component[i] >= 0 && component[i] < count);
            lowest[component[i]] = i;
            for (int j = 0; j < n; j++) {
                bool same = i == j || (reaches[i][j] && reaches[j][i]);
                ck_assert_int_eq(same, component[i] == component[j]);
                ck_assert(!reaches[i][j] || component[i] <= component[j]);
            }
        }
        /* the lowest vertex first: c before a component of lower vertex only when that one is
           reached from c or from what stands between the two */
        for (int c = 0; c + 1 < count; c++) {
            if (lowest[c + 1] < lowest[c]) {
                ck_assert(reaches[lowest[c]][lowest[c + 1]]);
            }
        }
    }
}
END_TEST

START_TEST(weak_components_agree_with_distances)
{
    uint64_t state = 2;

    for (int round = 0; round < 1000; round++) {
        int component[MOST];
        int count = 0;
        int next = 0;
        make_graph(&state);
        expect_ok(ha__digraph_weak(ctx, n, m, from, to, component, &count));
        for (int i = 0; i < n; i++) {
            ck_assert_int_le(component[i], next);
            next = component[i] == next ? next + 1 : next;
            for (int j = 0; j < n; j++) {
                ck_assert_int_eq(distance[i][j] < MOST, component[i] == component[j]);
            }
        }
        ck_assert_int_eq(next, count);
    }
}
END_TEST

START_TEST(the_topological_order_takes_the_lowest_first)
{
    uint64_t state = 3;

    for (int round = 0; round < 1000; round++) {
        int order[MOST];
        int count = -1;
        bool done[MOST] = { false };
        make_graph(&state);
        expect_ok(ha__digraph_order(ctx, n, m, from, to, order, &count));
        for (int step = 0; step <= count; step++) {
            /* the lowest vertex whose predecessors have all come, -1 when there is none */
            int expected = -1;
            for (int i = n - 1; i >= 0; i--) {
                bool ready = !done[i];
                for (int k = 0; k < m; k++) {
                    ready = ready && (to[k] != i || done[from[k]]);
                }
                expected = ready ? i : expected;
            }
            ck_assert_int_eq(step < count ? order[step] : -1, expected);
            if (step < count) {
                done[order[step]] = true;
            }
        }
        bool has_cycle = false;
        for (int i = 0; i < n; i++) {
            has_cycle = has_cycle || reaches[i][i];
        }
        ck_assert_int_eq(has_cycle, count < n);
    }
}
END_TEST

/* Size of a maximum matching of the left vertices from i on, `used` being taken on the right. */
static int best_matching(int i, unsigned used)
{
    int best = i < n ? best_matching(i + 1, used) : 0;

    for (int k = 0; k < m && i < n; k++) {
        if (from[k] == i && (used & 1u << to[k]) == 0) {
            int size = 1 + best_matching(i + 1, used | 1u << to[k]);
            best = size > best ? size : best;
        }
    }
    return best;
}

START_TEST(matchings_are_maximum)
{
    uint64_t state = 4;

    for (int round = 0; round < 1000; round++) {
        int right_of[6];
        int left_of[6];
        int size = -1;
        int pairs = 0;
        n = 1 + random_below(&state, 6);
        int n_right = 1 + random_below(&state, 6);
        m = random_below(&state, 14);
        for (int k = 0; k < m; k++) {
            from[k] = random_below(&state, n);
            to[k] = random_below(&state, n_right);
        }
        expect_ok(ha__digraph_matching(ctx, n, n_right, m, from, to, right_of, left_of, &size));
        for (int i = 0; i < n; i++) {
            bool exists = right_of[i] < 0;
            for (int k = 0; k < m; k++) {
                exists = exists || (from[k] == i && to[k] == right_of[i]);
            }
            ck_assert(exists);
            ck_assert(right_of[i] < 0 || left_of[right_of[i]] == i);
            pairs += right_of[i] >= 0 ? 1 : 0;
        }
        ck_assert_int_eq(pairs, size);
        ck_assert_int_eq(size, best_matching(0, 0));
    }
}
END_TEST

/* True when no cycle is left without the vertices of the set. */
static bool breaks_all_cycles(const bool *is_in)
{
    bool gone[MOST];

    memcpy(gone, is_in, (size_t) n * sizeof *gone);
    for (int round = 0; round < n; round++) {
        for (int i = 0; i < n; i++) {
            bool has_predecessor = false;
            for (int k = 0; k < m; k++) {
                has_predecessor = has_predecessor || (to[k] == i && !gone[from[k]]);
            }
            gone[i] = gone[i] || !has_predecessor;
        }
    }
    for (int i = 0; i < n; i++) {
        if (!gone[i]) {
            return false;
        }
    }
    return true;
}

START_TEST(feedback_sets_are_smallest)
{
    uint64_t state = 6;

    for (int round = 0; round < 1500; round++) {
        bool is_in[MOST];
        bool is_smallest = false;
        int size = 0;
        make_graph(&state);
        expect_ok(ha__digraph_feedback(ctx, n, m, from, to, is_in, &is_smallest));
        ck_assert(is_smallest);
        ck_assert(breaks_all_cycles(is_in));
        for (int i = 0; i < n; i++) {
            size += is_in[i] ? 1 : 0;
        }
        for (unsigned subset = 0; subset < 1u << n; subset++) {
            bool other[MOST];
            int others = 0;
            for (int i = 0; i < n; i++) {
                other[i] = (subset >> i & 1u) != 0;
                others += other[i] ? 1 : 0;
            }
            ck_assert_msg(others >= size || !breaks_all_cycles(other),
                          "round %d: %d vertices are enough, not %d", round, others, size);
        }
    }
}
END_TEST

/* K rings of LENGTH vertices that share nothing, and chords that the reductions remove. */
START_TEST(feedback_of_long_rings_is_one_each)
{
    enum { K = 50, LENGTH = 1000 };
    int *a = calloc(2 * K * LENGTH, sizeof *a);
    int *b = calloc(2 * K * LENGTH, sizeof *b);
    bool *is_in = calloc(K * LENGTH, sizeof *is_in);
    bool is_smallest = false;
    int size = 0;
    int count = 0;

    for (int i = 0; i < K * LENGTH; i++) {
        int ring = i / LENGTH * LENGTH;
        a[count] = i;
        b[count++] = ring + (i - ring + 1) % LENGTH;
        if (i % 5 == 0 && i - ring + 2 < LENGTH) {
            a[count] = i;
            b[count++] = i + 2;
        }
    }
    expect_ok(ha__digraph_feedback(ctx, K * LENGTH, count, a, b, is_in, &is_smallest));
    for (int i = 0; i < K * LENGTH; i++) {
        size += is_in[i] ? 1 : 0;
    }
    ck_assert(is_smallest);
    ck_assert_int_eq(size, K);
    free(a);
    free(b);
    free(is_in);
}
END_TEST

/* Beyond the exact search a set is still given, and it is not claimed to be smallest. */
START_TEST(feedback_of_a_large_dense_graph_is_a_feedback_set)
{
    enum { SIZE = 300, EDGES = 3000 };
    static int a[EDGES];
    static int b[EDGES];
    static int c[EDGES];
    static int d[EDGES];
    static bool is_in[SIZE];
    static int order[SIZE];
    bool is_smallest = true;
    int count = 0;
    int kept = 0;
    uint64_t state = 9;

    for (int k = 0; k < EDGES; k++) {
        a[k] = random_below(&state, SIZE);
        b[k] = random_below(&state, SIZE);
    }
    expect_ok(ha__digraph_feedback(ctx, SIZE, EDGES, a, b, is_in, &is_smallest));
    ck_assert(!is_smallest);
    for (int k = 0; k < EDGES; k++) {
        if (!is_in[a[k]] && !is_in[b[k]]) {
            c[kept] = a[k];
            d[kept++] = b[k];
        }
    }
    expect_ok(ha__digraph_order(ctx, SIZE, kept, c, d, order, &count));
    ck_assert_int_eq(count, SIZE);
    ck_assert_int_gt(kept, SIZE / 4);
}
END_TEST

START_TEST(empty_graphs_and_single_vertices_are_legal)
{
    int one[1] = { -1 };
    int count = -1;
    bool is_in[1] = { true };

    expect_ok(ha__digraph_strong(ctx, 0, 0, NULL, NULL, NULL, &count));
    ck_assert_int_eq(count, 0);
    expect_ok(ha__digraph_weak(ctx, 0, 0, NULL, NULL, NULL, &count));
    ck_assert_int_eq(count, 0);
    expect_ok(ha__digraph_order(ctx, 0, 0, NULL, NULL, NULL, &count));
    ck_assert_int_eq(count, 0);
    expect_ok(ha__digraph_matching(ctx, 0, 0, 0, NULL, NULL, NULL, NULL, &count));
    ck_assert_int_eq(count, 0);
    expect_ok(ha__digraph_matching(ctx, 1, 0, 0, NULL, NULL, one, NULL, NULL));
    ck_assert_int_eq(one[0], -1);
    expect_ok(ha__digraph_feedback(ctx, 1, 0, NULL, NULL, is_in, NULL));
    ck_assert(!is_in[0]);
    expect_ok(ha__digraph_strong(ctx, 1, 0, NULL, NULL, one, NULL));
    ck_assert_int_eq(one[0], 0);
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
    const int a[1] = { 0 };
    const int b[1] = { 2 };
    int out[2] = { 5, 5 };
    int count = 5;
    bool is_in[2];

    ck_assert_int_eq(ha__digraph_strong(ctx, 2, 1, a, b, out, &count), HA_ERR_ARGUMENT);
    ck_assert(strstr(ha_ctx_diag(ctx, 0)->text, "edge 0") != NULL);
    ck_assert_int_eq(ha__digraph_order(ctx, 2, 1, b, a, out, &count), HA_ERR_ARGUMENT);
    ck_assert_int_eq(ha__digraph_matching(ctx, 2, 2, 1, a, b, out, NULL, NULL), HA_ERR_ARGUMENT);
    ck_assert_int_eq(ha__digraph_feedback(ctx, 2, 1, a, b, is_in, NULL), HA_ERR_ARGUMENT);
    ck_assert_int_eq(out[0], 5);
    ck_assert_int_eq(count, 5);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 4);
}
END_TEST

static int n_host_warnings;

static void host_warning(const char *reason, const char *file, int line)
{
    (void) reason, (void) file, (void) line;
    n_host_warnings++;
}

static void host_error(const char *reason, const char *file, int line, igraph_error_t error)
{
    (void) reason, (void) file, (void) line, (void) error;
}

START_TEST(the_handlers_of_the_host_are_kept)
{
    const int a[1] = { 0 };
    const int b[1] = { 1 };
    bool is_in[3];

    igraph_set_warning_handler(host_warning);
    igraph_set_error_handler(host_error);
    expect_ok(ha__digraph_feedback(ctx, 3, 1, a, b, is_in, NULL));
    ck_assert_int_eq(n_host_warnings, 0);
    ck_assert(igraph_set_warning_handler(NULL) == host_warning);
    ck_assert(igraph_set_error_handler(NULL) == host_error);
}
END_TEST

static void *work(void *seed)
{
    enum { SIZE = 200, EDGES = 400 };
    int a[EDGES];
    int b[EDGES];
    int component[SIZE];
    uint64_t state = *(const uint64_t *) seed;
    ha_ctx *own = ha_ctx_new();
    bool good = own != NULL;

    for (int round = 0; round < 200 && good; round++) {
        for (int k = 0; k < EDGES; k++) {
            a[k] = random_below(&state, SIZE);
            b[k] = random_below(&state, SIZE);
        }
        good = ha__digraph_strong(own, SIZE, EDGES, a, b, component, NULL) == HA_OK;
    }
    ha_ctx_free(own);
    return good ? seed : NULL;
}

START_TEST(threads_wait_for_each_other)
{
    pthread_t threads[4];
    uint64_t seeds[4] = { 1, 2, 3, 4 };

    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &seeds[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *out = NULL;
        pthread_join(threads[i], &out);
        ck_assert_ptr_nonnull(out);
    }
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    const int a[4] = { 0, 1, 2, 0 };
    const int b[4] = { 1, 2, 0, 2 };

    for (size_t k = 1;; k++) {
        int out[3] = { 9, 9, 9 };
        int count = 9;
        bool is_in[3];
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, k);
        ha_status status = ha__digraph_strong(ctx, 3, 4, a, b, out, &count);
        ck_assert(status == HA_OK || out[0] == 9);
        status = status == HA_OK ? ha__digraph_weak(ctx, 3, 4, a, b, out, NULL) : status;
        status = status == HA_OK ? ha__digraph_order(ctx, 3, 4, a, b, out, &count) : status;
        status =
            status == HA_OK ? ha__digraph_matching(ctx, 3, 3, 4, a, b, out, NULL, &count) : status;
        status = status == HA_OK ? ha__digraph_feedback(ctx, 3, 4, a, b, is_in, NULL) : status;
        if (status == HA_OK) {
            return;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    }
}
END_TEST

START_TEST(half_a_million_vertices_are_no_matter)
{
    enum { SIZE = 500000, EDGES = 1000000 };
    int *a = calloc(EDGES, sizeof *a);
    int *b = calloc(EDGES, sizeof *b);
    int *out = calloc(SIZE, sizeof *out);
    int count = 0;
    uint64_t state = 8;

    for (int k = 0; k < EDGES; k++) {
        a[k] = random_below(&state, SIZE);
        b[k] = random_below(&state, SIZE);
    }
    expect_ok(ha__digraph_strong(ctx, SIZE, EDGES, a, b, out, &count));
    ck_assert_int_gt(count, 1);
    for (int k = 0; k < EDGES; k++) {
        ck_assert_int_le(out[a[k]], out[b[k]]);
    }
    expect_ok(ha__digraph_weak(ctx, SIZE, EDGES, a, b, out, &count));
    for (int k = 0; k < EDGES; k++) {
        ck_assert_int_eq(out[a[k]], out[b[k]]);
    }
    free(a);
    free(b);
    free(out);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        strong_components_agree_with_reachability,
        weak_components_agree_with_distances,
        the_topological_order_takes_the_lowest_first,
        matchings_are_maximum,
        feedback_sets_are_smallest,
        feedback_of_long_rings_is_one_each,
        feedback_of_a_large_dense_graph_is_a_feedback_set,
        empty_graphs_and_single_vertices_are_legal,
        numbers_out_of_range_are_refused,
        the_handlers_of_the_host_are_kept,
        threads_wait_for_each_other,
        lack_of_memory_is_reported_wherever_it_strikes,
        half_a_million_vertices_are_no_matter,
    };

    return test_run_all("digraph", set_up, tear_down, tests, HA_COUNT(tests));
}
