/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fastest rate of the equations y' = f(t, y), |lambda| of the largest eigenvalue of J = df/dy,
 * by the power method (Shampine, Sommeijer, Verwer 1998 have it in RKC): with a direction v
 *
 *     w = f(t, y + v) - f(t, y) = J v,   |lambda| = |w| / |v|,   v <- w / |w|.
 *
 * v goes on from step to step. So it finds what is fast also where the motion has none of it, and
 * one evaluation in PERIOD steps is enough. A pair of eigenvalues turns v, and |w| / |v| hangs on
 * the units of its components: the geometric mean of two is |lambda| of the pair. v is one
 * tolerance long.
 */
#include <config.h>

#include "lib/dae/explicit/explicit_priv.h"

#include "lib/core/random.h"

#include <math.h>
#include <string.h>

enum { FIRST = 4, PERIOD = 16 /* of the first steps each, later one in so many */ };

/* The length of a direction in tolerances. */
static double length(const ha__explicit *e, const double *v)
{
    double sum = 0.0;

    for (int i = 0; i < e->n; i++) {
        double x = v[i] * e->weights[i];
        sum += x * x;
    }
    return sqrt(sum / e->n);
}

/* In no special direction, so that it is hardly orthogonal to what is fast. */
static void set_off(ha__explicit *e)
{
    uint32_t random = 1;

    for (int i = 0; i < e->n; i++) {
        e->direction[i] = (0.5 + 0.5 * ha__random(&random)) / e->weights[i];
    }
}

ha_status ha__explicit_find_fastest(ha__explicit *e, double t)
{
    double *v = e->direction, *w = e->f0;
    const long k = e->n_looks++;
    bool is_good = false;

    if (k >= FIRST && k % PERIOD != 0) {
        return HA_OK;
    }
    if (e->rate == 0.0) {
        set_off(e);
    }
    const double before = length(e, v);
    for (int i = 0; i < e->n; i++) {
        e->beside[i] = e->y1[i] + v[i] / before;
    }
    ha__explicit_spread(e, e->beside, e->y);
    HA_TRY(ha__explicit_evaluate(e, t, e->y, e->yp, &is_good));
    ha__explicit_collect(e, e->yp, w);
    for (int i = 0; i < e->n; i++) {
        w[i] -= e->f1[i];
    }
    const double rate = is_good ? length(e, w) : 0.0;
    if (rate > 0.0 && isfinite(rate)) {
        memcpy(v, w, (size_t) e->n * sizeof *v);
        e->fastest = sqrt(rate * (e->rate > 0.0 ? e->rate : rate));
        e->rate = rate;
    }
    return HA_OK;
}
