/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The polynomials of tables through the points (x_0, y_0) ... (x_n-1, y_n-1). Piece k, from x_k to
 * x_k+1, is a polynomial in s = x - x_k:
 *
 *   linear    y_k + d_k s                                  d_k = (y_k+1 - y_k) / h_k
 *   cubic     y_k + m_k s + c_2 s^2 + c_3 s^3              h_k = x_k+1 - x_k
 *             c_2 = (3 d_k - 2 m_k - m_k+1) / h_k,  c_3 = (m_k + m_k+1 - 2 d_k) / h_k^2
 *
 * with the slopes m_k of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984), which meet the
 * condition of Fritsch and Carlson (SIAM J. Numer. Anal. 17, 1980) for a monotone cubic: 0 where d
 * changes its sign, else the weighted harmonic mean
 *
 *   m_k = 3 (h_k-1 + h_k) / ((2 h_k + h_k-1) / d_k-1 + (h_k + 2 h_k-1) / d_k)
 *
 * and at the ends the slope of the parabola through three points, limited to 3 d and to the sign of
 * d. Of a spline, with its second derivatives M_k at the points,
 *
 *   spline    y_k + (d_k - h_k (2 M_k + M_k+1) / 6) s + M_k / 2 s^2 + (M_k+1 - M_k) / (6 h_k) s^3
 *
 * whose first derivative is continuous where
 *
 *   h_k-1 M_k-1 + 2 (h_k-1 + h_k) M_k + h_k M_k+1 = 6 (d_k - d_k-1).
 *
 * A natural spline has M_0 = M_n-1 = 0, and these equations for the points between. In a periodic
 * one point n - 1 is point 0, and each of the n - 1 points has its equation; the two corners that
 * this adds to the tridiagonal matrix, both h_n-2 =: e, are taken out by the formula of Sherman and
 * Morrison: with u = (g, 0, ..., 0, e) and v = (1, 0, ..., 0, e / g), for any g (here -b_0, b being
 * the diagonal), A = T + u v', and
 *
 *   A^-1 r = T^-1 r - T^-1 u (v' T^-1 r) / (1 + v' T^-1 u).
 *
 * All matrices are diagonally dominant, so that elimination needs no pivoting.
 *
 * Source of the splines: C. de Boor, A Practical Guide to Splines (1978), chapter IV.
 */
#include <config.h>

#include "lib/expr/expr_spline.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

/* A tridiagonal system: row i is lower[i] z_i-1 + diagonal[i] z_i + upper[i] z_i+1 = right[i]. */
typedef struct {
    double *lower, *diagonal, *upper, *right; /* (n) */
    size_t n;
} tridiagonal;

/* Factors the matrix in place: the diagonal becomes that of U, the lower band that of L. */
static void factor(tridiagonal *t)
{
    for (size_t i = 1; i < t->n; i++) {
        t->lower[i] /= t->diagonal[i - 1];
        t->diagonal[i] -= t->lower[i] * t->upper[i - 1];
    }
}

/* Solves for a right side in place. */
static void solve(const tridiagonal *t, double *right)
{
    for (size_t i = 1; i < t->n; i++) {
        right[i] -= t->lower[i] * right[i - 1];
    }
    for (size_t i = t->n; i-- > 0;) {
        double above = i + 1 < t->n ? t->upper[i] * right[i + 1] : 0.0;
        right[i] = (right[i] - above) / t->diagonal[i];
    }
}

/* Row i of the equation at a point with pieces of the lengths and slopes before and behind it. */
static void set_row(tridiagonal *t, size_t i, const double h[2], const double d[2])
{
    t->lower[i] = h[0];
    t->diagonal[i] = 2.0 * (h[0] + h[1]);
    t->upper[i] = h[1];
    t->right[i] = 6.0 * (d[1] - d[0]);
}

static double length(const double *x, size_t k)
{
    return x[k + 1] - x[k];
}

static double slope(const double *x, const double *y, size_t k)
{
    return (y[k + 1] - y[k]) / length(x, k);
}

/* The rows of the points `first`, first + 1, ...; before the first piece is the last one. */
static void set_rows(tridiagonal *t, const double *x, const double *y, size_t n, size_t first)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t k = first + i, before = k > 0 ? k - 1 : n - 2;
        const double h[2] = { length(x, before), length(x, k) };
        const double d[2] = { slope(x, y, before), slope(x, y, k) };
        set_row(t, i, h, d);
    }
}

static void solve_natural(tridiagonal *t, const double *x, const double *y, size_t n,
                          double *moments)
{
    t->n = n - 2;
    set_rows(t, x, y, n, 1);
    factor(t);
    solve(t, t->right);
    moments[0] = moments[n - 1] = 0.0;
    for (size_t i = 0; i < t->n; i++) {
        moments[i + 1] = t->right[i];
    }
}

/* u is room for n numbers. */
static void solve_periodic(tridiagonal *t, const double *x, const double *y, size_t n, double *u,
                           double *moments)
{
    size_t last = n - 2;
    double corner = length(x, last), gauge = 0.0;

    t->n = n - 1;
    set_rows(t, x, y, n, 0);
    gauge = -t->diagonal[0];
    t->diagonal[0] -= gauge;
    t->diagonal[last] -= corner * corner / gauge;
    memset(u, 0, t->n * sizeof *u);
    u[0] = gauge;
    u[last] = corner;
    factor(t);
    solve(t, t->right);
    solve(t, u);
    double share =
        (t->right[0] + corner / gauge * t->right[last]) / (1.0 + u[0] + corner / gauge * u[last]);
    for (size_t i = 0; i < t->n; i++) {
        moments[i] = t->right[i] - share * u[i];
    }
    moments[n - 1] = moments[0];
}

/* The second derivatives at all n points. */
static ha_status find_moments(ha_ctx *ctx, const ha_table_def *def, double *moments)
{
    const double *x = def->x, *y = def->y;
    size_t n = def->n;
    bool is_periodic = def->kind == HA_TABLE_PERIODIC;
    double *room = NULL;

    HA_TRY_ALLOC(ctx, room, 5 * n);
    tridiagonal t = { room, room + n, room + 2 * n, room + 3 * n, 0 };
    if (is_periodic && n == 3) { /* two points: both neighbours of each are the other */
        double h[2] = { length(x, 0), length(x, 1) };
        moments[1] = 6.0 * (slope(x, y, 1) - slope(x, y, 0)) / (h[0] + h[1]);
        moments[0] = moments[2] = -moments[1];
    } else if (is_periodic) {
        solve_periodic(&t, x, y, n, room + 4 * n, moments);
    } else {
        solve_natural(&t, x, y, n, moments);
    }
    ha__free(room);
    return HA_OK;
}

/* --- the polynomials -------------------------------------------------------------------------- */

static double sign(double x)
{
    return (double) ((x > 0.0) - (x < 0.0));
}

/* The slope at an end, d and h of the first piece from there and of the next. */
static double end_slope(double d0, double d1, double h0, double h1)
{
    double m = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);

    if (sign(m) != sign(d0)) {
        return 0.0;
    }
    return sign(d0) != sign(d1) && fabs(m) > fabs(3.0 * d0) ? 3.0 * d0 : m;
}

/* The slope at point k of a cubic table. */
static double slope_at(const double *x, const double *y, size_t n, size_t k)
{
    size_t last = n - 1, i = k == 0 ? 1 : k == last ? last - 1 : k; /* the point in the middle */

    if (n == 2) {
        return (y[1] - y[0]) / (x[1] - x[0]);
    }
    double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    double d0 = (y[i] - y[i - 1]) / h0, d1 = (y[i + 1] - y[i]) / h1;
    if (k == 0 || k == last) {
        return k == 0 ? end_slope(d0, d1, h0, h1) : end_slope(d1, d0, h1, h0);
    }
    if (sign(d0) * sign(d1) <= 0.0) {
        return 0.0;
    }
    return 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1);
}

/* The coefficients of piece k; moments are those of a spline. */
static void make_piece(const ha_table_def *def, const double *moments, size_t k,
                       double c[HA__TABLE_ORDERS])
{
    double h = def->x[k + 1] - def->x[k], d = (def->y[k + 1] - def->y[k]) / h;

    c[0] = def->y[k];
    c[1] = d;
    c[2] = c[3] = 0.0;
    if (moments != NULL) {
        c[1] = d - h * (2.0 * moments[k] + moments[k + 1]) / 6.0;
        c[2] = moments[k] / 2.0;
        c[3] = (moments[k + 1] - moments[k]) / (6.0 * h);
    } else if (def->kind == HA_TABLE_CUBIC) {
        double m0 = slope_at(def->x, def->y, def->n, k);
        double m1 = slope_at(def->x, def->y, def->n, k + 1);
        c[1] = m0;
        c[2] = (3.0 * d - 2.0 * m0 - m1) / h;
        c[3] = (m0 + m1 - 2.0 * d) / (h * h);
    }
}

ha_status ha__table_pieces(ha_ctx *ctx, const ha_table_def *def, double *c)
{
    double *moments = NULL;

    if (def->kind == HA_TABLE_NATURAL || def->kind == HA_TABLE_PERIODIC) {
        HA_TRY_ALLOC(ctx, moments, def->n);
        ha_status status = find_moments(ctx, def, moments);
        if (status != HA_OK) {
            ha__free(moments);
            return status;
        }
    }
    for (size_t k = 0; k + 1 < def->n; k++) {
        make_piece(def, moments, k, c + HA__TABLE_ORDERS * (k + 1));
    }
    c[0] = def->y[0];
    c[HA__TABLE_ORDERS * def->n] = def->y[def->n - 1];
    ha__free(moments);
    return HA_OK;
}
