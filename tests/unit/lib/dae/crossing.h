/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mechanism whose two motions cross: a mass m on the plane with the one condition
 *
 *     phi = u w = 0,   u = a x + b y,  w = -b x + a y,  a^2 + b^2 = 1,
 *
 * which holds along the line w = 0 and along the line u = 0; where they cross, at the origin, its
 * gradient vanishes. A spring of stiffness S pulls to the origin and a force -N u acts along w. On
 * w = 0 the motion is that of the spring alone and the multiplier is constant,
 *
 *     u = u_0 cos(omega t) + u'_0 / omega sin(omega t),  omega^2 = S / m,  lambda = -N,
 *
 * so that the truth is known through the singular position and beyond. Not installed.
 */
#ifndef TESTS_UNIT_LIB_DAE_CROSSING_H
#define TESTS_UNIT_LIB_DAE_CROSSING_H

#include "lib/dae/dae_priv.h"
#include "tests/util/dense.h"
#include "tests/util/util.h"

#include <math.h>

enum { CROSSING_N = 5, CROSSING_X = 0, CROSSING_V = 2, CROSSING_LAMBDA = 4 };

#define CROSSING_MASS 2.0
static const double crossing_mass = CROSSING_MASS, crossing_spring = 8.0, crossing_across = 3.0;
static const double crossing_a = 0.8, crossing_b = 0.6, crossing_alpha = 2.0;

/* The gradient J of phi; u and w. */
static inline void crossing_gradient(const double *q, double *j, double *u, double *w)
{
    const double a = crossing_a, b = crossing_b;

    *u = a * q[0] + b * q[1];
    *w = -b * q[0] + a * q[1];
    j[0] = *w * a - *u * b;
    j[1] = *w * b + *u * a;
}

static inline void crossing_condition(const void *model, double *work, double t, const double *y,
                                      double *phi, double *f)
{
    double j[2], u, w;

    (void) model, (void) work, (void) t;
    crossing_gradient(y, j, &u, &w);
    phi[0] = u * w;
    f[0] = j[0] * y[2] + j[1] * y[3];
}

static inline void crossing_residual(const void *model, double *work, double t, const double *y,
                                     const double *yp, double *r)
{
    const double a = crossing_a, b = crossing_b, m = crossing_mass, *v = y + 2;
    double j[2], u, w, phi, f;

    crossing_gradient(y, j, &u, &w);
    crossing_condition(model, work, t, y, &phi, &f);
    double du = a * v[0] + b * v[1], dw = -b * v[0] + a * v[1];
    r[0] = yp[0] - v[0];
    r[1] = yp[1] - v[1];
    r[2] = m * yp[2] + crossing_spring * y[0] - crossing_across * u * b + y[4] * j[0];
    r[3] = m * yp[3] + crossing_spring * y[1] + crossing_across * u * a + y[4] * j[1];
    r[4] = j[0] * yp[2] + j[1] * yp[3] + 2.0 * du * dw + 2.0 * crossing_alpha * f +
           crossing_alpha * crossing_alpha * phi;
}

/* Full, entry (i, j) at 5 j + i. */
static inline void crossing_jacobian(const void *model, double *work, double t, double cj,
                                     const double *y, const double *yp, double *values)
{
    const double a = crossing_a, b = crossing_b, m = crossing_mass, al = crossing_alpha;
    const double h[2][2] = { { -2.0 * a * b, a * a - b * b }, { a * a - b * b, 2.0 * a * b } };
    double j[2], u, w;

    (void) model, (void) work, (void) t;
    crossing_gradient(y, j, &u, &w);
    memset(values, 0, 25 * sizeof *values);
    for (int i = 0; i < 2; i++) {
        const double across[2] = { -b, a }, along[2] = { a, b };
        values[5 * i + i] = cj;
        values[5 * (2 + i) + i] = -1.0;
        values[5 * (2 + i) + 2 + i] = m * cj;
        values[5 * 4 + 2 + i] = j[i];
        for (int k = 0; k < 2; k++) {
            values[5 * k + 2 + i] = (i == k ? crossing_spring : 0.0) +
                                    crossing_across * across[i] * along[k] + y[4] * h[i][k];
        }
        double ha = h[i][0] * yp[2] + h[i][1] * yp[3], hv = h[i][0] * y[2] + h[i][1] * y[3];
        values[5 * i + 4] = ha + 2.0 * al * hv + al * al * j[i];
        values[5 * (2 + i) + 4] = cj * j[i] + 2.0 * hv + 2.0 * al * j[i];
    }
}

/* K and r: J twice over, then F at y' = 0, lambda = 0; the constants 1 and m are behind. */
static inline void crossing_start_system(const void *model, double *work, double t, const double *y,
                                         double *values)
{
    const double none[5] = { 0.0 };
    double at[5], u, w;

    memcpy(at, y, 4 * sizeof *at);
    at[4] = 0.0;
    crossing_gradient(y, values, &u, &w);
    crossing_residual(model, work, t, at, none, values + 2);
}

static inline void crossing_prepare(const void *model, const double *parameters, double *work)
{
    (void) model, (void) parameters, (void) work;
}

static inline void crossing_output(const void *model, double *work, double t, const double *y,
                                   const double *yp, const double *integrals, double *out)
{
    (void) model, (void) work, (void) t, (void) yp, (void) integrals;
    memcpy(out, y, 5 * sizeof *out);
}

/* One quadrature: that of vx, which is x. */
static inline void crossing_rate(const void *model, double *work, double t, const double *y,
                                 const double *yp, double *rates)
{
    (void) model, (void) work, (void) t, (void) yp;
    rates[0] = y[2];
}

/* The system; without `is_affine` it is one that is not known to be affine. */
static inline ha_dae crossing_system(bool is_affine)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_POSITION },
        { .name = "y", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_POSITION },
        { .name = "vx", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_VELOCITY },
        { .name = "vy", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_VELOCITY },
        { .name = "lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 },
    };
    static const char *const equations[] = { "rate of x", "rate of y", "force x", "force y",
                                             "condition" };
    static const ha_dae_output outputs[] = {
        { "x", "m" }, { "y", "m" }, { "vx", "m/s" }, { "vy", "m/s" }, { "lambda", "N/m" }
    };
    static const int64_t start[] = { 0, 5, 10, 15, 20, 25 };
    static const int64_t row[] = { 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2,
                                   3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4 };
    static const int64_t start_column[] = { 0, 1, 2, 4, 6, 8 };
    static const int64_t start_row[] = { 0, 1, 2, 4, 3, 4, 2, 3 };
    static const int start_index[] = { 7, 7, 8, 0, 8, 1, 0, 1 };
    static const double constants[] = { 1.0, CROSSING_MASS };
    static const int condition_row[] = { 4 };

    return (ha_dae){ .n = CROSSING_N,
                     .unknowns = unknowns,
                     .equations = equations,
                     .work_size = 1,
                     .n_outputs = 5,
                     .outputs = outputs,
                     .output_reads_solved = 1,
                     .n_integrals = 1,
                     .n_conditions = 1,
                     .condition_row = condition_row,
                     .column_start = start,
                     .row = row,
                     .start_column = start_column,
                     .start_row = start_row,
                     .n_start_values = 2,
                     .n_start_constants = 2,
                     .start_constant = constants,
                     .start_index = start_index,
                     .prepare = crossing_prepare,
                     .residual = crossing_residual,
                     .jacobian = crossing_jacobian,
                     .start_system = is_affine ? crossing_start_system : NULL,
                     .output = crossing_output,
                     .rate = crossing_rate,
                     .condition = crossing_condition };
}

/* The motion on w = 0 that has u, u' at time 0. */
static inline void crossing_exact(double u0, double du0, double t, double *y)
{
    const double a = crossing_a, b = crossing_b, omega = sqrt(crossing_spring / crossing_mass);
    double u = u0 * cos(omega * t) + du0 / omega * sin(omega * t);
    double du = -u0 * omega * sin(omega * t) + du0 * cos(omega * t);

    y[0] = a * u;
    y[1] = b * u;
    y[2] = a * du;
    y[3] = b * du;
    y[4] = -crossing_across;
}

/* y' of it. */
static inline void crossing_exact_rates(const double *y, double *yp)
{
    for (int i = 0; i < 2; i++) {
        yp[i] = y[2 + i];
        yp[2 + i] = -crossing_spring / crossing_mass * y[i];
    }
    yp[4] = 0.0;
}

#endif
