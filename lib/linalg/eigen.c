/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eigenvalues of dense matrices, by the QR method.
 *
 * 1. Scaling: all of A by a power of 2, so that no square overflows.
 * 2. Balancing: D^-1 A D, D of powers of 2 that make row and column i alike in size. The error of
 *    an eigenvalue grows with the norm of the matrix, which becomes less.
 * 3. Q' A Q = H with zeros below the first subdiagonal, column by column: the reflection I - 2 v v'
 *    with |v| = 1 takes a column to a multiple of its first unit vector.
 * 4. Steps of Francis: H is to become (H - s1)(H - s2) = Q R, then R Q, with both shifts from its
 *    last two rows, which may be conjugate. The first column of the product has three entries;
 *    a reflection that takes them to one makes a bulge, which further reflections chase out of H at
 *    its end. All stays real. A subdiagonal entry that is nothing beside its neighbours splits H;
 *    what is left are blocks of one and two rows.
 *
 * The sums are in a fixed order and no library is called: an eigenvalue has the same digits on each
 * processor. Golub and Van Loan, Matrix Computations, 4th ed., 7.5.
 */
#include <config.h>

#include "lib/linalg/eigen.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Steps for one eigenvalue; three are usual. */
#define MOST_STEPS 60
/* Every so many steps without success other shifts are tried. */
#define PATIENCE 10
/* A row is balanced again where that makes the sum of its magnitudes and its column's less by this
   factor. */
#define WORTHWHILE 0.95

/* Nothing beside a largest entry of 1, though its inverse is finite. */
#define NOTHING 1e-290

typedef struct matrix {
    int n;
    double *h; /* (n x n) by rows */
} matrix;

static double *entry(const matrix *m, int i, int j)
{
    return &m->h[(size_t) i * (size_t) m->n + (size_t) j];
}

static double magnitude(const double *value)
{
    return hypot(value[0], value[1]);
}

/* By magnitude, then by real part; the positive imaginary part first. */
static int compare(const double *x, const double *y)
{
    double a = magnitude(x), b = magnitude(y);

    if (fabs(a - b) > 1e-12 * fmax(a, b)) {
        return a < b ? -1 : 1;
    }
    if (fabs(x[0] - y[0]) > 1e-12 * fmax(a, b)) {
        return x[0] < y[0] ? -1 : 1;
    }
    return x[1] > y[1] ? -1 : x[1] < y[1] ? 1 : 0;
}

/* Insertion keeps the order of what compares alike. */
static void sort_values(int n, double *values)
{
    for (int i = 0; i < n; i++) {
        double value[2] = { values[2 * i], values[2 * i + 1] };
        int k = i;
        for (; k > 0 && compare(value, values + 2 * (k - 1)) < 0; k--) {
            memcpy(values + 2 * k, values + 2 * (k - 1), sizeof value);
        }
        memcpy(values + 2 * k, value, sizeof value);
    }
}

/* H = A / 2^exponent, the largest entry below 1; false where an entry is not finite. */
static bool scale(const matrix *m, const double *a, int *exponent)
{
    size_t size = (size_t) m->n * (size_t) m->n;
    double largest = 0.0;

    for (size_t i = 0; i < size; i++) {
        if (!isfinite(a[i])) {
            return false;
        }
        largest = fmax(largest, fabs(a[i]));
    }
    (void) frexp(largest, exponent);
    for (size_t i = 0; i < size; i++) {
        m->h[i] = ldexp(a[i], -*exponent);
    }
    return true;
}

/* Balances row and column i; false where there is nothing to gain. */
static bool balance_row(const matrix *m, int i)
{
    double row = 0.0, column = 0.0;
    int exponent = 0;

    for (int j = 0; j < m->n; j++) {
        row += j == i ? 0.0 : fabs(*entry(m, i, j));
        column += j == i ? 0.0 : fabs(*entry(m, j, i));
    }
    if (row == 0.0 || column == 0.0) {
        return false;
    }
    (void) frexp(sqrt(row) / sqrt(column), &exponent);
    double f = ldexp(0.5, exponent);
    if (column * f + row / f >= WORTHWHILE * (row + column)) {
        return false;
    }
    for (int j = 0; j < m->n; j++) {
        *entry(m, i, j) /= f;
        *entry(m, j, i) *= f;
    }
    return true;
}

static void balance(const matrix *m)
{
    bool is_new = true;

    /* each change takes 5 % from a sum of magnitudes at least: the rounds come to an end */
    while (is_new) {
        is_new = false;
        for (int i = 0; i < m->n; i++) {
            is_new = balance_row(m, i) || is_new;
        }
    }
}

/* Makes x (n) the unit vector v of the reflection that takes it to a multiple of its first unit
   vector; false where it is one already. */
static bool make_reflection(int n, double *x)
{
    double most = 0.0, sum = 0.0;

    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    for (int i = 0; i < n && most > 0.0; i++) {
        x[i] /= most;
        sum += i > 0 ? x[i] * x[i] : 0.0;
    }
    if (sum == 0.0) {
        return false;
    }
    x[0] += copysign(sqrt(sum + x[0] * x[0]), x[0]);
    double length = sqrt(sum + x[0] * x[0]);
    for (int i = 0; i < n; i++) {
        x[i] /= length;
    }
    return true;
}

/* The block at hand: rows and columns from `low` to `high`. */
typedef struct window {
    int low, high;
} window;

/* H <- P H P inside a window, P the reflection by v (count) of the rows from `first` on. Left of
   column first - 1 these rows are zero, and so are the columns below row first + count. */
static void reflect(const matrix *m, window w, int first, int count, const double *v, double *sums)
{
    int left = first > w.low ? first - 1 : w.low;
    int bottom = first + count < w.high ? first + count : w.high;

    for (int j = left; j <= w.high; j++) {
        sums[j] = 0.0;
    }
    for (int k = 0; k < count; k++) {
        for (int j = left; j <= w.high; j++) {
            sums[j] += v[k] * *entry(m, first + k, j);
        }
    }
    for (int k = 0; k < count; k++) {
        for (int j = left; j <= w.high; j++) {
            *entry(m, first + k, j) -= 2.0 * v[k] * sums[j];
        }
    }
    for (int i = w.low; i <= bottom; i++) {
        double sum = 0.0;
        for (int k = 0; k < count; k++) {
            sum += v[k] * *entry(m, i, first + k);
        }
        for (int k = 0; k < count; k++) {
            *entry(m, i, first + k) -= 2.0 * v[k] * sum;
        }
    }
}

/* Takes column first - 1 from row `first` on to one entry, and what that does to the rest. `v` and
   `sums` (n) are scratch. */
static void clear_column(const matrix *m, window w, int first, int count, double *v, double *sums)
{
    for (int k = 0; k < count; k++) {
        v[k] = *entry(m, first + k, first - 1);
    }
    if (make_reflection(count, v)) {
        reflect(m, w, first, count, v, sums);
    }
    for (int k = 1; k < count; k++) {
        *entry(m, first + k, first - 1) = 0.0;
    }
}

/* Where the block that ends at `high` begins: the entry left of it is nothing, and made 0. */
static int find_block(const matrix *m, int high)
{
    int low = high;

    for (; low > 0; low--) {
        double *sub = entry(m, low, low - 1);
        double beside = fabs(*entry(m, low, low)) + fabs(*entry(m, low - 1, low - 1));
        if (fabs(*sub) <= DBL_EPSILON * beside || fabs(*sub) <= NOTHING) {
            *sub = 0.0;
            break;
        }
    }
    return low;
}

/* The eigenvalues of the two rows from i on: with p = (a - d)/2, d + p +- sqrt(p^2 + b c). */
static void solve_pair(const matrix *m, int i, double *values)
{
    double a = *entry(m, i, i), b = *entry(m, i, i + 1);
    double c = *entry(m, i + 1, i), d = *entry(m, i + 1, i + 1);
    double p = (a - d) / 2.0, q = p * p + b * c;

    if (q < 0.0) {
        values[0] = values[2] = d + p;
        values[1] = sqrt(-q);
        values[3] = -values[1];
        return;
    }
    double z = p + copysign(sqrt(q), p);
    values[0] = d + z;
    values[2] = z == 0.0 ? d : d - b * c / z;
    values[1] = values[3] = 0.0;
}

/* The first column of (H - s1)(H - s2) in the window, divided by its subdiagonal entry; s1 + s2 and
   s1 s2 are those of the last two rows, or in the wake of no success any that differ. */
static void first_column(const matrix *m, window w, bool is_stuck, double *v)
{
    double a = *entry(m, w.high - 1, w.high - 1), d = *entry(m, w.high, w.high);
    double c = *entry(m, w.high, w.high - 1);
    double sum = a + d, product = a * d - *entry(m, w.high - 1, w.high) * c;
    double h11 = *entry(m, w.low, w.low), h21 = *entry(m, w.low + 1, w.low);

    if (is_stuck) {
        double size = fabs(c) + fabs(*entry(m, w.high - 1, w.high - 2));
        sum = 1.5 * size;
        product = size * size;
    }
    v[0] = (h11 * (h11 - sum) + product) / h21 + *entry(m, w.low, w.low + 1);
    v[1] = h11 + *entry(m, w.low + 1, w.low + 1) - sum;
    v[2] = *entry(m, w.low + 2, w.low + 1);
}

static void francis_step(const matrix *m, window w, bool is_stuck, double *v, double *sums)
{
    first_column(m, w, is_stuck, v);
    if (make_reflection(3, v)) {
        reflect(m, w, w.low, 3, v, sums);
    }
    for (int first = w.low + 1; first < w.high; first++) {
        clear_column(m, w, first, first + 2 <= w.high ? 3 : 2, v, sums);
    }
}

/* All eigenvalues of H; false where they are not found. */
static bool iterate(const matrix *m, double *values, double *v, double *sums)
{
    int steps = 0;

    for (int high = m->n - 1; high >= 0;) {
        window w = { find_block(m, high), high };
        if (high - w.low > 1) {
            if (++steps > MOST_STEPS) {
                return false;
            }
            francis_step(m, w, steps % PATIENCE == 0, v, sums);
            continue;
        }
        if (w.low == high) {
            values[2 * high] = *entry(m, high, high);
            values[2 * high + 1] = 0.0;
        } else {
            solve_pair(m, w.low, values + 2 * w.low);
        }
        high = w.low - 1;
        steps = 0;
    }
    return true;
}

static ha_status find_values(ha_ctx *ctx, const matrix *m, const double *a, double *values,
                             double *room)
{
    int exponent = 0;

    if (!scale(m, a, &exponent)) {
        return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                       "the eigenvalues do not exist: the matrix has an entry that is not finite; "
                       "look for a law of the model that is infinite or undefined at this time");
    }
    balance(m);
    for (int first = 1; first + 1 < m->n; first++) {
        clear_column(m, (window){ 0, m->n - 1 }, first, m->n - first, room, room + m->n);
    }
    if (!iterate(m, values, room, room + m->n)) {
        return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                       "the eigenvalues could not be found: the QR method did not converge in %d "
                       "steps; look for values of the model that differ by many powers of ten",
                       MOST_STEPS);
    }
    for (int i = 0; i < 2 * m->n; i++) {
        values[i] = ldexp(values[i], exponent);
    }
    sort_values(m->n, values);
    return HA_OK;
}

ha_status ha__eigenvalues(ha_ctx *ctx, int n, const double *a, double *values)
{
    size_t size = (size_t) n;
    matrix m = { n, ha__alloc(ctx, size * size, sizeof *m.h) };
    double *room = ha__alloc(ctx, 2 * size + 3, sizeof *room);
    ha_status status =
        m.h == NULL || room == NULL ? HA_ERR_MEMORY : find_values(ctx, &m, a, values, room);

    ha__free(m.h);
    ha__free(room);
    return status;
}
