/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vector arithmetic of IDA, which takes a third of the time of a run with compiled equations.
 *
 * SUNDIALS' own goes through memory once for each term of a linear combination and decides in the
 * inner loop of a masked norm. Here a combination is one pass, four entries at a time so that the
 * compiler has something to put into vector registers, which processors have of several sizes
 * (HA_WIDE). Entries are read before they are written: as in SUNDIALS the result may be one of the
 * operands.
 */
#include <config.h>

#include "lib/dae/ida/dae_vector.h"

#include <math.h>

enum { AT_ONCE = 4 };

/* z[i] = value(i) for all i < n. */
#define EACH(z, n, value)                                                                          \
    do {                                                                                           \
        sunindextype begin = 0;                                                                    \
        for (; begin + AT_ONCE <= (n); begin += AT_ONCE) {                                         \
            const double v0 = value(begin), v1 = value(begin + 1);                                 \
            const double v2 = value(begin + 2), v3 = value(begin + 3);                             \
            (z)[begin] = v0;                                                                       \
            (z)[begin + 1] = v1;                                                                   \
            (z)[begin + 2] = v2;                                                                   \
            (z)[begin + 3] = v3;                                                                   \
        }                                                                                          \
        if (begin + 2 <= (n)) { /* what is left, without a loop to be made wide */                 \
            const double v0 = value(begin), v1 = value(begin + 1);                                 \
            (z)[begin] = v0;                                                                       \
            (z)[begin + 1] = v1;                                                                   \
            begin += 2;                                                                            \
        }                                                                                          \
        if (begin < (n)) {                                                                         \
            (z)[begin] = value(begin);                                                             \
        }                                                                                          \
    } while (0)

/* z = a x + b y */
HA_WIDE static void linear_sum(sunrealtype a, N_Vector x_vector, sunrealtype b, N_Vector y_vector,
                               N_Vector z_vector)
{
    const double *x = NV_DATA_S(x_vector), *y = NV_DATA_S(y_vector);
    double *z = NV_DATA_S(z_vector);

#define SUM(j) (a * x[j] + b * y[j])
    EACH(z, NV_LENGTH_S(z_vector), SUM);
#undef SUM
}

/* z = c */
HA_WIDE static void set_all(sunrealtype c, N_Vector z_vector)
{
    double *z = NV_DATA_S(z_vector);

#define VALUE(j) ((void) (j), c)
    EACH(z, NV_LENGTH_S(z_vector), VALUE);
#undef VALUE
}

/* z = c x */
HA_WIDE static void scale(sunrealtype c, N_Vector x_vector, N_Vector z_vector)
{
    const double *x = NV_DATA_S(x_vector);
    double *z = NV_DATA_S(z_vector);

#define PRODUCT(j) (c * x[j])
    EACH(z, NV_LENGTH_S(z_vector), PRODUCT);
#undef PRODUCT
}

/* z = the sum of c[k] x[k], two at a time */
HA_WIDE static int linear_combination(int n, sunrealtype *c, N_Vector *x, N_Vector z)
{
    if (n == 1) {
        scale(c[0], x[0], z);
        return 0;
    }
    linear_sum(c[0], x[0], c[1], x[1], z);
    for (int k = 2; k < n; k += 2) {
        const double a = c[k], b = k + 1 < n ? c[k + 1] : 0.0;
        const double *u = NV_DATA_S(x[k]), *v = NV_DATA_S(x[k + 1 < n ? k + 1 : k]);
        double *to = NV_DATA_S(z);
#define MORE(j) (to[j] + a * u[j] + b * v[j])
#define ONE_MORE(j) (to[j] + a * u[j])
        if (k + 1 < n) {
            EACH(to, NV_LENGTH_S(z), MORE);
        } else {
            EACH(to, NV_LENGTH_S(z), ONE_MORE);
        }
#undef MORE
#undef ONE_MORE
    }
    return 0;
}

/* z[k] = a x[k] + b y[k] */
static int linear_sums(int n, sunrealtype a, N_Vector *x, sunrealtype b, N_Vector *y, N_Vector *z)
{
    for (int k = 0; k < n; k++) {
        linear_sum(a, x[k], b, y[k], z[k]);
    }
    return 0;
}

/* z[k] = c[k] x[k] */
static int scale_all(int n, sunrealtype *c, N_Vector *x, N_Vector *z)
{
    for (int k = 0; k < n; k++) {
        scale(c[k], x[k], z[k]);
    }
    return 0;
}

/* The weighted root mean square of the entries whose mask is 1, 0 elsewhere. */
HA_WIDE static sunrealtype masked_norm(N_Vector x_vector, N_Vector weight_vector,
                                       N_Vector mask_vector)
{
    const double *x = NV_DATA_S(x_vector);
    const double *weight = NV_DATA_S(weight_vector);
    const double *mask = NV_DATA_S(mask_vector);
    sunindextype n = NV_LENGTH_S(x_vector);
    double sum[AT_ONCE] = { 0.0 };
    sunindextype i = 0;

    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        for (int lane = 0; lane < AT_ONCE; lane++) {
            double term = x[i + lane] * weight[i + lane] * mask[i + lane];
            sum[lane] += term * term;
        }
    }
    for (; i < n; i++) {
        double term = x[i] * weight[i] * mask[i];
        sum[0] += term * term;
    }
    return sqrt((sum[0] + sum[1] + sum[2] + sum[3]) / (double) n);
}

HA_WIDE static void weigh(const double *y, const double *size, const double *tightness,
                          double relaxed, double rtol, double atol, sunindextype n, double *weight)
{
#define WEIGHT(j) (tightness[j] / (relaxed * (rtol * fabs(y[j]) + atol * size[j])))
    EACH(weight, n, WEIGHT);
#undef WEIGHT
}

void ha__vector_weigh(N_Vector y, N_Vector sizes, N_Vector tightness, double relaxed, double rtol,
                      double atol, N_Vector weights)
{
    weigh(NV_DATA_S(y), NV_DATA_S(sizes), NV_DATA_S(tightness), relaxed, rtol, atol, NV_LENGTH_S(y),
          NV_DATA_S(weights));
}

N_Vector ha__vector_tune(N_Vector vector)
{
    if (vector != NULL) {
        vector->ops->nvlinearsum = linear_sum;
        vector->ops->nvconst = set_all;
        vector->ops->nvscale = scale;
        vector->ops->nvlinearcombination = linear_combination;
        vector->ops->nvlinearsumvectorarray = linear_sums;
        vector->ops->nvscalevectorarray = scale_all;
        vector->ops->nvwrmsnormmask = masked_norm;
    }
    return vector;
}
