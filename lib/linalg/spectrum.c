/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison of lists of eigenvalues.
 *
 * All 2 n of them are joined to clusters along the shortest distances first, as in Kruskal's tree.
 * A cluster stands when both lists have m members in it and
 *
 *     error = max(|mean of the first - mean of the second| / u, (s / u)^m)
 *
 * is within the tolerance, s being the largest distance from the mean of all and u the magnitude of
 * that, but at least FLOOR of the largest eigenvalue or of the given scale. A distance is looked at
 * only where it leads from a cluster that does not stand. The power m is that of perturbation
 * theory: an error of order e in a matrix moves an eigenvalue with a Jordan block of size m by
 * e^(1/m), but the mean of all m by e.
 */
#include <config.h>

#include "lib/linalg/spectrum.h"

#include "lib/core/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double FLOOR = 1e-3; /* round-off is that of the largest eigenvalue */

/* A distance between two of the eigenvalues. */
typedef struct {
    double length;
    int ends[2];
} edge;

typedef struct {
    int n; /* of each list */
    const double *lists[2];
    int *leader;  /* (2 n) an eigenvalue of the same cluster; itself: it stands for all */
    bool *stands; /* (2 n) by leader */
    edge *edges;
    double unit; /* largest magnitude, or the scale */
} comparison;

static const double *value_of(const comparison *c, int i)
{
    return i < c->n ? c->lists[0] + 2 * i : c->lists[1] + 2 * (i - c->n);
}

static int leader_of(const comparison *c, int i)
{
    while (c->leader[i] != i) {
        c->leader[i] = c->leader[c->leader[i]];
        i = c->leader[i];
    }
    return i;
}

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;

    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    if (x->ends[0] != y->ends[0]) {
        return x->ends[0] < y->ends[0] ? -1 : 1;
    }
    return (x->ends[1] > y->ends[1]) - (x->ends[1] < y->ends[1]);
}

/* What there is to say of a cluster. */
static ha__spectrum_difference describe(const comparison *c, int leader)
{
    ha__spectrum_difference d = { 0 };
    double all[2] = { 0.0, 0.0 }, spread = 0.0;
    int *const count[] = { &d.n_first, &d.n_second };

    for (int i = 0; i < 2 * c->n; i++) {
        int list = i >= c->n;
        if (leader_of(c, i) == leader) {
            ++*count[list];
            d.mean[list][0] += value_of(c, i)[0];
            d.mean[list][1] += value_of(c, i)[1];
        }
    }
    for (int part = 0; part < 2; part++) {
        all[part] = (d.mean[0][part] + d.mean[1][part]) / (d.n_first + d.n_second);
        d.mean[0][part] /= d.n_first > 0 ? d.n_first : 1;
        d.mean[1][part] /= d.n_second > 0 ? d.n_second : 1;
    }
    for (int i = 0; i < 2 * c->n; i++) {
        if (leader_of(c, i) == leader) {
            spread = fmax(spread, hypot(value_of(c, i)[0] - all[0], value_of(c, i)[1] - all[1]));
        }
    }
    double unit = fmax(hypot(all[0], all[1]), FLOOR * c->unit);
    double apart = hypot(d.mean[0][0] - d.mean[1][0], d.mean[0][1] - d.mean[1][1]);
    bool is_exact = spread == 0.0 && d.n_first == d.n_second;
    d.error = is_exact ? 0.0
              : d.n_first == d.n_second
                  ? fmax(apart / unit, pow(fmin(spread / unit, 1.0), d.n_first))
                  : (double) INFINITY;
    return d;
}

static ha_status make_room(ha_ctx *ctx, comparison *c)
{
    size_t n = 2 * (size_t) c->n, k = 0;

    HA_TRY_ALLOC_EACH(ctx, n, c->leader, c->stands);
    HA_TRY_ALLOC(ctx, c->edges, n * (n - 1) / 2);
    for (int i = 0; i < 2 * c->n; i++) {
        const double *x = value_of(c, i);
        c->leader[i] = i;
        c->unit = fmax(c->unit, hypot(x[0], x[1]));
        for (int j = 0; j < i; j++) {
            const double *y = value_of(c, j);
            c->edges[k++] = (edge){ hypot(x[0] - y[0], x[1] - y[1]), { i, j } };
        }
    }
    qsort(c->edges, k, sizeof *c->edges, compare_edges);
    return HA_OK;
}

/* Joins clusters until all stand. */
static void join(comparison *c, double tolerance)
{
    size_t n = 2 * (size_t) c->n, n_edges = n * (n - 1) / 2;
    int n_open = 2 * c->n;

    for (size_t k = 0; k < n_edges && n_open > 0; k++) {
        int a = leader_of(c, c->edges[k].ends[0]), b = leader_of(c, c->edges[k].ends[1]);
        if (a == b || (c->stands[a] && c->stands[b])) {
            continue;
        }
        n_open -= !c->stands[a] + !c->stands[b];
        c->leader[a] = b;
        c->stands[b] = describe(c, b).error <= tolerance;
        n_open += !c->stands[b];
    }
}

ha_status ha__compare_spectra(ha_ctx *ctx, int n, const double *first, const double *second,
                              double scale, double tolerance, ha__spectrum_difference *out)
{
    comparison c = { .n = n, .lists = { first, second }, .unit = scale };

    *out = (ha__spectrum_difference){ 0 };
    if (n == 0) {
        return HA_OK;
    }
    ha_status status = make_room(ctx, &c);
    if (status == HA_OK) {
        join(&c, tolerance);
        for (int i = 0; i < 2 * n; i++) {
            ha__spectrum_difference d = { 0 };
            if (c.leader[i] == i) {
                d = describe(&c, i);
            }
            *out = d.error > out->error ? d : *out;
        }
    }
    HA_FREE(c.leader, c.stands, c.edges);
    return status;
}
