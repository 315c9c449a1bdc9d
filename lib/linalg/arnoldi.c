/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eigenvalues of large matrices by Arnoldi's method.
 *
 * An orthonormal basis V of x, A x, A^2 x, ... makes A V = V H + h v e_m', H of m rows with zeros
 * below its first subdiagonal. With H s = mu s the pair (mu, V s) has the residual |h s_m|. The
 * basis grows, by half each time, until that is little for all that are wanted. It is made
 * orthogonal twice, which is enough for round-off. Golub and Van Loan, Matrix Computations, 10.5.
 *
 * Of an eigenvalue with several vectors one x has a part along one of them only; the others would
 * come, if at all, by round-off. So when all have converged there is another x, at right angles to
 * the basis, that is made longer in the same way: A V = V H + D G + h v e_m', D being the v with
 * which earlier ones ended and no more of V. It has next to nothing of what is known, so that what
 * is left of the wanted ones shows soon. Where it brings nothing the search is over.
 */
#include <config.h>

#include "lib/linalg/arnoldi.h"

#include "lib/core/mem.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SPARE = 30, /* vectors more than are wanted at first, and of another beginning */
    MOST = 900, /* vectors of the basis */
    ENDS = 60   /* beginnings */
};

static const double ANOTHER = 1e-7; /* relative change of a magnitude: it is that of another one */
static const double ROUND_OFF = 1e-14; /* what is left of a vector: nothing */

typedef struct {
    ha_ctx *ctx;
    int n, m, most; /* of the matrix; vectors of the basis, and room for them */
    double *v;      /* (most + 1 x n) the basis, and what comes next */
    double *h;      /* (most + 1 x most) by rows */
    int n_ends;     /* beginnings that are over, */
    double *d;      /* (ENDS x n) what would have come next, */
    double *g;      /* (ENDS x most) and its shares, by rows */
    uint64_t seed;
    double *square;    /* (m x m) of H */
    double *values;    /* (m x 2) */
    double *vectors;   /* (m x m x 2) */
    int *picked;       /* (most) eigenvalues that are wanted, */
    bool *is_picked;   /* (most) of each: whether it is one */
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

/* Takes from x what it has of a vector of length 1; returns how much that was. */
static double take_out(int n, const double *from, double *x)
{
    double share = dot(n, from, x);

    for (int i = 0; i < n; i++) {
        x[i] -= share * from[i];
    }
    return share;
}

/* Makes x orthogonal to the basis up to vector `m` and to the ends. */
static void straighten(const krylov *k, int m, double *x)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < m; j++) {
            (void) take_out(k->n, k->v + (size_t) j * (size_t) k->n, x);
        }
        for (int j = 0; j < k->n_ends; j++) {
            (void) take_out(k->n, k->d + (size_t) j * (size_t) k->n, x);
        }
    }
}

/* Begins with a vector at random. */
static void begin(krylov *k)
{
    double *x = k->v + (size_t) k->m * (size_t) k->n, length = 0.0, before = 0.0;

    for (int i = 0; i < k->n; i++) {
        k->seed = k->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = (double) (k->seed >> 11) * 0x1p-52 - 1.0;
    }
    before = sqrt(dot(k->n, x, x));
    straighten(k, k->m, x);
    length = sqrt(dot(k->n, x, x));
    k->is_invariant = !(length > ROUND_OFF * before); /* the basis is the whole space */
    for (int i = 0; i < k->n && !k->is_invariant; i++) {
        x[i] /= length;
    }
}

/* Ends what goes on, so that another can begin. */
static void end(krylov *k)
{
    size_t n = (size_t) k->n, m = (size_t) k->m, most = (size_t) k->most;
    double *left = &k->h[m * most + m - 1];

    if (!k->is_invariant) {
        memcpy(k->d + (size_t) k->n_ends * n, k->v + m * n, n * sizeof *k->d);
        k->g[(size_t) k->n_ends * most + m - 1] = *left;
        k->n_ends++;
    }
    *left = 0.0;
}

/* Goes on where the last one ended. */
static void resume(krylov *k)
{
    size_t n = (size_t) k->n, m = (size_t) k->m, most = (size_t) k->most;
    const size_t e = (size_t) --k->n_ends;

    memcpy(k->v + m * n, k->d + e * n, n * sizeof *k->v);
    memcpy(k->h + m * most, k->g + e * most, m * sizeof *k->h);
    memset(k->g + e * most, 0, most * sizeof *k->g);
    k->is_invariant = false;
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
                k->h[(size_t) j * (size_t) k->most + (size_t) k->m] +=
                    take_out(k->n, k->v + (size_t) j * n, next);
            }
            for (int j = 0; j < k->n_ends; j++) {
                k->g[(size_t) j * (size_t) k->most + (size_t) k->m] +=
                    take_out(k->n, k->d + (size_t) j * n, next);
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

/* A row of H below the square, or of G, times eigenvector j: the square of its magnitude. */
static double square_of(const krylov *k, const double *row, size_t j)
{
    size_t m = (size_t) k->m;
    double re = 0.0, im = 0.0;

    for (size_t i = 0; i < m; i++) {
        const double *s = k->vectors + 2 * (i * m + j);
        re += row[i] * s[0];
        im += row[i] * s[1];
    }
    return re * re + im * im;
}

/* The partner of a conjugate pair; itself: it has none. */
static int partner_of(const krylov *k, int j)
{
    for (int i = k->m - 1; i >= 0 && k->values[2 * j + 1] != 0.0; i--) {
        if (k->values[2 * i] == k->values[2 * j] && k->values[2 * i + 1] == -k->values[2 * j + 1]) {
            return i;
        }
    }
    return j;
}

/* Picks those of largest magnitude, up to `wanted` of them, no pair without its partner; returns
   their number. Of several equal pairs each is one of them. */
static int pick(krylov *k, int wanted)
{
    int n = 0;

    memset(k->is_picked, 0, (size_t) k->m * sizeof *k->is_picked);
    for (int j = k->m - 1; j >= 0 && n < wanted; j--) {
        int other = k->is_picked[j] ? j : partner_of(k, j);
        if (k->is_picked[j] || (other != j && n + 2 > wanted)) {
            continue;
        }
        k->picked[n++] = j;
        k->is_picked[j] = true;
        if (other != j && !k->is_picked[other]) {
            k->picked[n++] = other;
            k->is_picked[other] = true;
        }
    }
    return n;
}

/* The largest relative residual of those that are picked. */
static double worst_of(const krylov *k, int count)
{
    size_t m = (size_t) k->m, most = (size_t) k->most;
    double worst = 0.0;

    for (int c = 0; c < count; c++) {
        size_t j = (size_t) k->picked[c];
        double size = hypot(k->values[2 * j], k->values[2 * j + 1]);
        double square = square_of(k, k->h + m * most, j);
        for (size_t i = 0; i < (size_t) k->n_ends; i++) {
            square += square_of(k, k->g + i * most, j);
        }
        worst = fmax(worst, size > 0.0 ? sqrt(square) / size : (double) INFINITY);
    }
    return worst;
}

static void copy_out(const krylov *k, int count, double *values, double *vectors)
{
    size_t n = (size_t) k->n, m = (size_t) k->m;

    memset(vectors, 0, 2 * n * (size_t) count * sizeof *vectors);
    for (size_t c = 0; c < (size_t) count; c++) {
        size_t j = (size_t) k->picked[c];
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

static ha_status fail(const krylov *k, int wanted, double worst)
{
    return ha_fail(k->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the eigenvalues could not be found: %d of them did not converge with %d "
                   "vectors (relative residual %.2g); ask for fewer",
                   wanted, k->m, worst);
}

/* Goes on until those wanted have converged, with m vectors at first. */
static ha_status converge(krylov *k, ha__product product, void *user, int wanted, double tolerance,
                          int m)
{
    double worst = (double) INFINITY;

    for (m = m < k->most ? m : k->most;; m = m + m / 2 < k->most ? m + m / 2 : k->most) {
        extend(k, m, product, user);
        HA_TRY(decompose(k));
        worst = worst_of(k, pick(k, wanted));
        /* the basis and what ended fill the space: all of it is left to be looked at */
        bool is_full = k->n_ends > 0 && k->m + k->n_ends >= k->n && k->m < k->most;
        if ((worst <= tolerance && !is_full) || k->m >= k->n ||
            (k->is_invariant && k->n_ends == 0)) {
            return HA_OK;
        }
        if (k->m == k->most) {
            return fail(k, wanted, worst);
        }
        if (k->is_invariant) {
            resume(k);
        }
    }
}

/* Keeps the magnitudes of those that are wanted; true where they are what they were. */
static bool are_known(krylov *k, int wanted, double *magnitudes)
{
    int n = pick(k, wanted);
    bool is_same = true;

    for (int c = 0; c < wanted; c++) {
        int j = c < n ? k->picked[c] : -1;
        double size = j >= 0 ? hypot(k->values[2 * j], k->values[2 * j + 1]) : 0.0;
        is_same = is_same && fabs(size - magnitudes[c]) <= ANOTHER * size;
        magnitudes[c] = size;
    }
    return is_same;
}

static ha_status iterate(krylov *k, ha__product product, void *user, int wanted, double tolerance)
{
    double *magnitudes = NULL;

    HA_TRY_ALLOC(k->ctx, magnitudes, wanted);
    begin(k);
    ha_status status = converge(k, product, user, wanted, tolerance, wanted + SPARE);
    bool is_done = status != HA_OK || are_known(k, wanted, magnitudes);
    while (!is_done && k->m < k->most && k->n_ends < ENDS) {
        end(k);
        begin(k);
        status = converge(k, product, user, wanted, tolerance, k->m + SPARE);
        is_done = status != HA_OK || are_known(k, wanted, magnitudes);
    }
    ha__free(magnitudes);
    return status == HA_OK && !is_done && k->m < k->n
               ? ha_fail(k->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the eigenvalues could not be found: so many are the same that there may "
                         "be more of them than those that %d vectors tell; ask for fewer",
                         k->m)
               : status;
}

ha_status ha__arnoldi(ha_ctx *ctx, int n, ha__product product, void *user, int n_wanted,
                      double tolerance, double *values, double *vectors, int *n_found)
{
    krylov k = { .ctx = ctx, .n = n, .most = n < MOST ? n : MOST, .seed = 1 };
    size_t most = (size_t) k.most;

    *n_found = 0;
    if (n == 0 || n_wanted == 0) {
        return HA_OK;
    }
    k.v = ha__alloc(ctx, (most + 1) * (size_t) n, sizeof *k.v);
    k.h = ha__alloc(ctx, (most + 1) * most, sizeof *k.h);
    k.d = ha__alloc(ctx, ENDS * (size_t) n, sizeof *k.d);
    k.g = ha__alloc(ctx, ENDS * most, sizeof *k.g);
    k.picked = ha__alloc(ctx, most, sizeof *k.picked);
    k.is_picked = ha__alloc(ctx, most, sizeof *k.is_picked);
    k.square = ha__alloc(ctx, most * most, sizeof *k.square);
    k.values = ha__alloc(ctx, 2 * most, sizeof *k.values);
    k.vectors = ha__alloc(ctx, 2 * most * most, sizeof *k.vectors);
    ha_status status = k.v == NULL || k.h == NULL || k.d == NULL || k.g == NULL ||
                               k.picked == NULL || k.is_picked == NULL || k.square == NULL ||
                               k.values == NULL || k.vectors == NULL
                           ? HA_ERR_MEMORY
                           : HA_OK;
    status = status == HA_OK ? iterate(&k, product, user, n_wanted, tolerance) : status;
    if (status == HA_OK) {
        *n_found = pick(&k, n_wanted);
        copy_out(&k, *n_found, values, vectors);
    }
    HA_FREE(k.v, k.h, k.d, k.g, k.picked, k.is_picked, k.square, k.values, k.vectors);
    return status;
}
