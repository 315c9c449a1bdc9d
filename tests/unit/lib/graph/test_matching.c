/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matchings that cover what they must. The truth is the list of all matchings of small random
 * graphs, and matchings that large graphs were built around.
 */
#include <config.h>

#include "lib/graph/matching.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 10, MOST_EDGES = 16, N_GRAPHS = 4000 };

static uint64_t random_state;

static int chance(int n)
{
    return random_below(&random_state, n);
}

typedef struct {
    int n, m;
    int a[MOST_EDGES], b[MOST_EDGES];
    bool is_optional[MOST_VERTICES];
    int settled[MOST_EDGES]; /* 1: in, 0: out, -1: not settled */
} small;

static small random_graph(void)
{
    small g = { .n = 2 + chance(MOST_VERTICES - 1) };

    g.m = 1 + chance(MOST_EDGES);
    for (int k = 0; k < g.m; k++) {
        g.a[k] = chance(g.n);
        g.b[k] = (g.a[k] + 1 + chance(g.n - 1)) % g.n;
        g.settled[k] = -1;
    }
    for (int v = 0; v < g.n; v++) {
        g.is_optional[v] = chance(4) == 0;
    }
    return g;
}

/* True when a set of edges is a matching that obeys what is settled and covers the wanted set. */
static bool is_legal(const small *g, unsigned edges, unsigned wanted)
{
    unsigned covered = 0;

    for (int k = 0; k < g->m; k++) {
        unsigned ends = 1u << g->a[k] | 1u << g->b[k];
        bool is_in = (edges >> k & 1u) != 0;
        if ((g->settled[k] >= 0 && is_in != (g->settled[k] == 1)) ||
            (is_in && (covered & ends) != 0)) {
            return false;
        }
        covered |= is_in ? ends : 0;
    }
    return (wanted & ~covered) == 0;
}

static bool exists(const small *g, unsigned wanted)
{
    for (unsigned edges = 0; edges < 1u << g->m; edges++) {
        if (is_legal(g, edges, wanted)) {
            return true;
        }
    }
    return false;
}

static unsigned edges_of(const small *g, const ha__matching *x)
{
    unsigned edges = 0;

    for (int k = 0; k < g->m; k++) {
        edges |= (ha__matching_has(x, k) ? 1u : 0u) << k;
    }
    return edges;
}

/* The vertices that must be covered and are. */
static unsigned covered_now(const small *g, const ha__matching *x)
{
    unsigned covered = 0;

    for (int k = 0; k < g->m; k++) {
        for (int end = 0; end < 2 && ha__matching_has(x, k); end++) {
            int v = end == 0 ? g->a[k] : g->b[k];
            covered |= g->is_optional[v] ? 0u : 1u << v;
        }
    }
    return covered;
}

/* Covers what must be covered as far as it can be; returns the set. */
static unsigned cover_all(const small *g, ha__matching *x)
{
    for (int v = 0; v < g->n; v++) {
        if (!g->is_optional[v]) {
            unsigned wanted = covered_now(g, x) | 1u << v;
            bool expected = exists(g, wanted);
            ck_assert_int_eq(ha__matching_cover(x, v), expected);
            ck_assert(is_legal(g, edges_of(g, x), expected ? wanted : wanted & ~(1u << v)));
        }
    }
    return covered_now(g, x);
}

static void settle_all(small *g, ha__matching *x, unsigned wanted)
{
    int first = chance(g->m);

    for (int i = 0; i < g->m; i++) {
        int k = (first + i) % g->m;
        int way = chance(2);
        g->settled[k] = way;
        bool expected = exists(g, wanted);
        ck_assert_int_eq(ha__matching_settle(x, k, way == 1), expected);
        if (!expected) {
            g->settled[k] = 1 - way;
            ck_assert(ha__matching_settle(x, k, way == 0));
        }
        ck_assert(is_legal(g, edges_of(g, x), wanted));
    }
}

START_TEST(small_graphs_are_matched_as_enumerated)
{
    int n_whole = 0;

    random_state = (uint64_t) _i + 1;
    for (int round = 0; round < N_GRAPHS / 8; round++) {
        ha_ctx *ctx = ha_ctx_new();
        ha__matching *x = NULL;
        small g = random_graph();
        ck_assert_int_eq(ha__matching_new(ctx, g.n, g.m, g.a, g.b, g.is_optional, &x), HA_OK);
        for (int i = chance(4); i > 0; i--) {
            ha__matching_join(x, chance(g.m));
        }
        unsigned wanted = cover_all(&g, x);
        /* settling asks for a matching that covers all it must */
        bool is_whole = true;
        for (int v = 0; v < g.n; v++) {
            is_whole = is_whole && (g.is_optional[v] || (wanted >> v & 1u) != 0);
        }
        if (is_whole) {
            n_whole++;
            settle_all(&g, x, wanted);
        }
        ha__matching_free(x);
        ha_ctx_free(ctx);
    }
    ck_assert_int_gt(n_whole, 50);
}
END_TEST

/* A perfect matching, hidden under cycles of odd length through all vertices. */
START_TEST(a_planted_matching_is_found)
{
    enum { N = 3000, M = N / 2 + 3 * N };
    static int order[N], a[M], b[M];
    static bool is_optional[N];
    ha_ctx *ctx = ha_ctx_new();
    ha__matching *x = NULL;
    int m = 0;

    random_state = (uint64_t) _i + 100;
    for (int i = 0; i < N; i++) {
        order[i] = i;
    }
    for (int i = N - 1; i > 0; i--) {
        int k = chance(i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < N; i += 2) {
        a[m] = order[i];
        b[m++] = order[i + 1];
    }
    /* triangles and pentagons of neighbours tempt a greedy choice */
    for (int i = 0; i + 4 < N && m + 3 <= M; i += 2) {
        static const int steps[3] = { 1, 2, 4 };
        for (int k = 0; k < 3; k++) {
            a[m] = order[i + chance(2)];
            b[m] = order[i + chance(2) + steps[k] - 1];
            m += a[m] != b[m];
        }
    }
    ck_assert_int_eq(ha__matching_new(ctx, N, m, a, b, is_optional, &x), HA_OK);
    for (int k = m - 1; k >= 0; k -= 3) {
        ha__matching_join(x, k);
    }
    for (int v = 0; v < N; v++) {
        ck_assert(ha__matching_cover(x, v));
    }
    for (int k = 0; k < N / 2; k++) {
        ck_assert(ha__matching_settle(x, k, true));
    }
    ha__matching_free(x);
    ha_ctx_free(ctx);
}
END_TEST

START_TEST(an_odd_ring_leaves_an_optional_vertex_out)
{
    enum { N = 7 };
    int a[N], b[N];
    bool is_optional[N] = { false };
    ha_ctx *ctx = ha_ctx_new();
    ha__matching *x = NULL;

    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = (i + 1) % N;
    }
    for (int optional = -1; optional < N; optional++) {
        if (optional >= 0) {
            is_optional[optional] = true;
        }
        ck_assert_int_eq(ha__matching_new(ctx, N, N, a, b, is_optional, &x), HA_OK);
        bool is_covered = true;
        for (int v = 0; v < N; v++) {
            is_covered = is_covered && (is_optional[v] || ha__matching_cover(x, v));
        }
        ck_assert_int_eq(is_covered, optional >= 0);
        ha__matching_free(x);
        if (optional >= 0) {
            is_optional[optional] = false;
        }
    }
    ha_ctx_free(ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("matching");
    TCase *tests = tcase_create("matching");

    tcase_add_loop_test(tests, small_graphs_are_matched_as_enumerated, 0, 8);
    tcase_add_loop_test(tests, a_planted_matching_is_found, 0, 4);
    tcase_add_test(tests, an_odd_ring_leaves_an_optional_vertex_out);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
