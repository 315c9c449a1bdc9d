/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of explicit Runge-Kutta methods,
 *
 *     k_i = f(t + c_i h, y_i),   y_i = y + h sum_j a_ij k_j,   y(t + h) = y + h sum_i b_i k_i.
 *
 * The method of Dormand and Prince (1980) has order 5, an error estimate of order 4, its last stage
 * at the end of the step, which is the first of the next one, and an interpolant of order 4 that costs
 * no stage (Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.6): with
 * s = (t - t0) / h and u = 1 - s
 *
 *     y = r_1 + s (r_2 + u (r_3 + s (r_4 + u r_5))).
 *
 * Why not ERKStep of ARKODE, which has the same tables: its interpolant is a Hermite cubic, or costs
 * evaluations for more; and it does not tell the last two stages, both at the end of the step, of which
 *
 *     h |lambda| = h |k_7 - k_6| / |y_7 - y_6|
 *
 * is seen that a step is limited by the stability of the method and not by its error (the same, II,
 * IV.2).
 */
#include <config.h>

#include "lib/runge.h"

#include "lib/mem.h"

#include <math.h>
#include <string.h>

enum { STAGES = 7, PARTS = 5 };

/* The stability region reaches to 3.3 along the negative axis, to 1 along the imaginary one, and to
   about 2.5 where a stiff joint with little damping has its eigenvalues; steps whose error is what
   limits them stay below this at all but the loosest tolerances. */
static const double STABLE = 2.0;

static const double node[STAGES] = { 0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0 };
static const double weight[STAGES][STAGES - 1] = {
    { 0 },
    { 1.0 / 5 },
    { 3.0 / 40, 9.0 / 40 },
    { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
    { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
    { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
    { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 },
};
/* order 5 less order 4 */
static const double error_weight[STAGES] = { 71.0 / 57600,     0,           -71.0 / 16695, 71.0 / 1920,
                                             -17253.0 / 339200, 22.0 / 525, -1.0 / 40 };
/* r_5 */
static const double dense_weight[STAGES] = {
    -12715105075.0 / 11282082432, 0,
    87487479700.0 / 32700410799,  -10690763975.0 / 1880347072,
    701980252875.0 / 199316789632, -1453857185.0 / 822651844,
    69997945.0 / 29380423
};

struct ha__runge {
    ha__runge_rates rates;
    void *user;
    int n;
    double t0, h;    /* of the last step */
    double *k;       /* (STAGES n) */
    double *y0, *y1; /* (n) its ends */
    double *y6;      /* (n) its last stage but one */
    double *part;    /* (PARTS n) of the interpolant */
    bool is_dense;   /* they are those of the last step */
};

ha_status ha__runge_new(ha_ctx *ctx, int n, ha__runge_rates rates, void *user, ha__runge **out)
{
    ha__runge *m = ha__alloc(ctx, 1, sizeof *m);
    size_t size = (size_t) n;

    if (m == NULL) {
        return HA_ERR_MEMORY;
    }
    *m = (ha__runge){ .rates = rates, .user = user, .n = n };
    m->k = ha__alloc(ctx, STAGES * size, sizeof *m->k);
    m->y0 = ha__alloc(ctx, size, sizeof *m->y0);
    m->y1 = ha__alloc(ctx, size, sizeof *m->y1);
    m->y6 = ha__alloc(ctx, size, sizeof *m->y6);
    m->part = ha__alloc(ctx, PARTS * size, sizeof *m->part);
    if (m->k == NULL || m->y0 == NULL || m->y1 == NULL || m->y6 == NULL || m->part == NULL) {
        ha__runge_free(m);
        return HA_ERR_MEMORY;
    }
    *out = m;
    return HA_OK;
}

void ha__runge_free(ha__runge *m)
{
    if (m != NULL) {
        ha__free(m->k);
        ha__free(m->y0);
        ha__free(m->y1);
        ha__free(m->y6);
        ha__free(m->part);
        ha__free(m);
    }
}

static double *stage(const ha__runge *m, int i)
{
    return m->k + (size_t) i * (size_t) m->n;
}

/* y_i */
static void combine(const ha__runge *m, int i, double h, const double *y0, double *y)
{
    size_t bytes = (size_t) m->n * sizeof *y;

    memcpy(y, y0, bytes);
    for (int j = 0; j < i; j++) {
        const double *k = stage(m, j), a = h * weight[i][j];
        for (int l = 0; a != 0.0 && l < m->n; l++) {
            y[l] += a * k[l];
        }
    }
}

ha_status ha__runge_step(ha__runge *m, double t0, double h, const double *y0, const double *f0,
                         double *y1, double *f1, bool *is_good)
{
    size_t bytes = (size_t) m->n * sizeof *y0;

    m->t0 = t0;
    m->h = h;
    m->is_dense = false;
    memcpy(m->y0, y0, bytes);
    memcpy(stage(m, 0), f0, bytes);
    *is_good = true;
    for (int i = 1; i < STAGES && *is_good; i++) {
        combine(m, i, h, m->y0, m->y1);
        if (i == STAGES - 2) {
            memcpy(m->y6, m->y1, bytes);
        }
        HA_TRY(m->rates(m->user, t0 + node[i] * h, m->y1, stage(m, i), is_good));
    }
    if (*is_good) {
        memcpy(y1, m->y1, bytes);
        memcpy(f1, stage(m, STAGES - 1), bytes);
    }
    return HA_OK;
}

/* The estimated error of an unknown, times its weight. */
static double error_of(const ha__runge *m, int l, const double *weights)
{
    double error = 0.0;

    for (int i = 0; i < STAGES; i++) {
        error += error_weight[i] * stage(m, i)[l];
    }
    return m->h * weights[l] * error;
}

double ha__runge_error(const ha__runge *m, const double *weights)
{
    double sum = 0.0;

    for (int l = 0; l < m->n; l++) {
        double error = error_of(m, l, weights);
        sum += error * error;
    }
    return m->n > 0 ? sqrt(sum / m->n) : 0.0;
}

int ha__runge_worst(const ha__runge *m, const double *weights, double *error)
{
    int worst = -1;

    *error = 0.0;
    for (int l = 0; l < m->n; l++) {
        double size = fabs(error_of(m, l, weights));
        if (size > *error) {
            *error = size;
            worst = l;
        }
    }
    return worst;
}

double ha__runge_stiffness(const ha__runge *m, const double *weights)
{
    const double *last = stage(m, STAGES - 1), *before = stage(m, STAGES - 2);
    double rates = 0.0, places = 0.0;

    for (int l = 0; l < m->n; l++) {
        double a = (last[l] - before[l]) * weights[l], b = (m->y1[l] - m->y6[l]) * weights[l];
        rates += a * a;
        places += b * b;
    }
    return places > 0.0 ? m->h * sqrt(rates / places) : 0.0;
}

double ha__runge_stability(const ha__runge *m)
{
    (void) m;
    return STABLE;
}

int ha__runge_power(const ha__runge *m)
{
    (void) m;
    return 5;
}

/* r_2 to r_5; r_1 is y0. */
static void find_parts(ha__runge *m)
{
    size_t n = (size_t) m->n;

    for (size_t l = 0; l < n; l++) {
        double rise = m->y1[l] - m->y0[l], sum = 0.0;
        double bend = m->h * stage(m, 0)[l] - rise;
        for (int i = 0; i < STAGES; i++) {
            sum += dense_weight[i] * stage(m, i)[l];
        }
        m->part[l] = m->y0[l];
        m->part[n + l] = rise;
        m->part[2 * n + l] = bend;
        m->part[3 * n + l] = rise - m->h * stage(m, STAGES - 1)[l] - bend;
        m->part[4 * n + l] = m->h * sum;
    }
    m->is_dense = true;
}

void ha__runge_dense(ha__runge *m, double t, double *y, double *f)
{
    size_t n = (size_t) m->n;
    double s = (t - m->t0) / m->h, u = 1.0 - s;

    if (!m->is_dense) {
        find_parts(m);
    }
    for (size_t l = 0; l < n; l++) {
        const double *r = m->part + l;
        double a = r[3 * n] + u * r[4 * n];
        double b = r[2 * n] + s * a;
        double c = r[n] + u * b;
        y[l] = r[0] + s * c;
        if (f != NULL) { /* d/ds of each, of a it is -r_5 */
            double db = a - s * r[4 * n];
            f[l] = (c + s * (u * db - b)) / m->h;
        }
    }
}
