/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eigenvalues of large matrices by Arnoldi's method.
 *
 * An orthonormal basis V of x, A x, A^2 x, ... makes A V = V H + h v e_m', H of m rows with zeros
 * below its first subdiagonal. With H s = mu s the pair (mu, V s) has the residual |h s_m|. The
 * basis grows, by half each time, until that is little for all that are wanted. It is made
 * orthogonal twice, which is enough for round-off. Golub and Van Loan, Matrix Computations, 10.5.
 */
#include <config.h>

#include "lib/linalg/arnoldi.h"

#include "lib/core/mem.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SPARE = 30, MOST = 900 }; /* vectors more than are wanted at first, and of the basis */

typedef struct {
    ha_ctx *ctx;
    int n, m, most;    /* of the matrix; vectors of the basis, and room for them */
    double *v;         /* (most + 1 x n) the basis */
    double *h;         /* (most + 1 x most) by rows */
    double *square;    /* (m x m) of H */
    double *values;    /* (m x 2) */
    double *vectors;   /* (m x m x 2) */
    bool is_invariant; /* the basis holds all that A makes of it */
} krylov;

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void begin(krylov *k)
{
    uint64_t seed = 1;
    double length = 0.0;

    for (int i = 0; i < k->n; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        k->v[i] = (double) (seed >> 11) * 0x1p-52 - 1.0;
    }
    length = sqrt(dot(k->n, k->v, k->v));
    for (int i = 0; i < k->n; i++) {
        k->v[i] /= length;
    }
}

/* Adds vectors until there are m. */
static void extend(krylov *k, int m, ha__product product, void *user)
{
    size_t n = (size_t) k->n;

    for (; k->m < m && !k->is_invariant; k->m++) {
        const double *last = k->v + (size_t) k->m * n;
        double *next = k->v + (size_t) (k->m + 1) * n;
        product(user, last, next);
        double before = sqrt(dot(k->n, next, next));
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j <= k->m; j++) {
                double share = dot(k->n, k->v + (size_t) j * n, next);
                k->h[(size_t) j * (size_t) k->most + (size_t) k->m] += share;
                for (size_t i = 0; i < n; i++) {
                    next[i] -= share * k->v[(size_t) j * n + i];
                }
            }
        }
        double length = sqrt(dot(k->n, next, next));
        k->is_invariant = !(length > 1e-14 * before);
        k->h[(size_t) (k->m + 1) * (size_t) k->most + (size_t) k->m] =
            k->is_invariant ? 0.0 : length;
        for (size_t i = 0; i < n && !k->is_invariant; i++) {
            next[i] /= length;
        }
    }
}

/* The eigenvalues of H; those of largest magnitude are the last. */
static ha_status decompose(krylov *k)
{
    size_t m = (size_t) k->m;

    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            k->square[i * m + j] = k->h[i * (size_t) k->most + j];
        }
    }
    return ha__eigenvalues(k->ctx, k->m, k->square, k->values, k->vectors);
}

/* The largest relative residual of the `count` last ones. */
static double worst_of(const krylov *k, int count)
{
    size_t m = (size_t) k->m;
    double below = k->h[m * (size_t) k->most + m - 1], worst = 0.0;

    for (size_t j = m - (size_t) count; j < m; j++) {
        const double *s = k->vectors + 2 * ((m - 1) * m + j);
        double size = hypot(k->values[2 * j], k->values[2 * j + 1]);
        worst = fmax(worst, size > 0.0 ? below * hypot(s[0], s[1]) / size : (double) INFINITY);
    }
    return worst;
}

/* Number of those that are let out: no pair is cut. */
static int count_whole(const krylov *k, int count)
{
    bool is_cut = false;

    for (int j = k->m - count; j < k->m; j++) {
        double im = k->values[2 * j + 1];
        bool has_partner = false;
        for (int i = k->m - count; i < k->m && im != 0.0; i++) {
            has_partner |= k->values[2 * i + 1] == -im && k->values[2 * i] == k->values[2 * j];
        }
        is_cut |= im != 0.0 && !has_partner;
    }
    return is_cut ? count - 1 : count;
}

static void copy_out(const krylov *k, int count, double *values, double *vectors)
{
    size_t n = (size_t) k->n, m = (size_t) k->m;

    memset(vectors, 0, 2 * n * (size_t) count * sizeof *vectors);
    for (size_t c = 0; c < (size_t) count; c++) {
        size_t j = m - 1 - c;
        values[2 * c] = k->values[2 * j];
        values[2 * c + 1] = k->values[2 * j + 1];
        for (size_t i = 0; i < m; i++) {
            const double *s = k->vectors + 2 * (i * m + j);
            for (size_t r = 0; r < n; r++) {
                vectors[2 * (c * n + r)] += s[0] * k->v[i * n + r];
                vectors[2 * (c * n + r) + 1] += s[1] * k->v[i * n + r];
            }
        }
    }
}

static ha_status iterate(krylov *k, ha__product product, void *user, int wanted, double tolerance)
{
    int m = wanted + SPARE < k->most ? wanted + SPARE : k->most;
    double worst = (double) INFINITY;

    begin(k);
    for (;;) {
        extend(k, m, product, user);
        HA_TRY(decompose(k));
        int count = wanted < k->m ? wanted : k->m;
        worst = worst_of(k, count);
        if (worst <= tolerance || k->is_invariant || k->m >= k->n) {
            return HA_OK;
        }
        if (m == k->most) {
            break;
        }
        m = m + m / 2 < k->most ? m + m / 2 : k->most;
    }
    return ha_fail(k->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the eigenvalues could not be found: %d of them did not converge with %d "
                   "vectors (relative residual %.2g); ask for fewer",
                   wanted, k->m, worst);
}

ha_status ha__arnoldi(ha_ctx *ctx, int n, ha__product product, void *user, int n_wanted,
                      double tolerance, double *values, double *vectors, int *n_found)
{
    krylov k = { .ctx = ctx, .n = n, .most = n < MOST ? n : MOST };
    size_t most = (size_t) k.most;

    *n_found = 0;
    if (n == 0 || n_wanted == 0) {
        return HA_OK;
    }
    k.v = ha__alloc(ctx, (most + 1) * (size_t) n, sizeof *k.v);
    k.h = ha__alloc(ctx, (most + 1) * most, sizeof *k.h);
    k.square = ha__alloc(ctx, most * most, sizeof *k.square);
    k.values = ha__alloc(ctx, 2 * most, sizeof *k.values);
    k.vectors = ha__alloc(ctx, 2 * most * most, sizeof *k.vectors);
    ha_status status =
        k.v == NULL || k.h == NULL || k.square == NULL || k.values == NULL || k.vectors == NULL
            ? HA_ERR_MEMORY
            : HA_OK;
    status = status == HA_OK ? iterate(&k, product, user, n_wanted, tolerance) : status;
    if (status == HA_OK) {
        *n_found = count_whole(&k, n_wanted < k.m ? n_wanted : k.m);
        copy_out(&k, *n_found, values, vectors);
    }
    HA_FREE(k.v, k.h, k.square, k.values, k.vectors);
    return status;
}
