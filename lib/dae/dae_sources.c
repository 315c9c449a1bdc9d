/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poles of sources.
 *
 * A source c / |t - t*|^p with p >= 1 brings any body to any speed: no motion gets over it. A
 * method whose steps end on both sides of t* has seen nothing of that. The parts of the equations
 * that depend on the time alone have bounds over each step; where one is infinite the step is
 * halved, and the half kept that has an infinite bound, down to the time t*. The sources are what
 * the equations F(t, 0, 0) have without any unknown. With d of the length of the step,
 *
 *     d |F(t* +- d)|   falls as d^(1 - p).
 *
 * Bounds are as wide as the same time several times in an expression makes them: one that gets
 * finite over a shorter piece was no pole. A signal that is no source, as a modulus, is left to the
 * error test.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>

enum { HALVINGS = 60, NEARER = 20 /* halvings of d */ };

static const double FALLS = 0.25;
static const double RESOLVED = 1e-13; /* of the time */
static const double LEAST = 1e-6;     /* of the time: shorter steps tell nothing */

/* What is looked at. */
typedef struct {
    ha__run *run;
    double *zero;       /* (n) no unknown at all */
    double *far, *near; /* (n) the sources at a distance, and nearer */
    double *low, *high; /* (n_signals) */
} look;

static bool is_infinite(const look *l, double t0, double t1)
{
    const ha_dae *dae = l->run->dae;
    bool is_one = false;

    dae->signals(dae->model, l->run->work, t0, t1, l->low, l->high);
    for (int k = 0; k < dae->n_signals; k++) {
        is_one = is_one || isinf(l->low[k]) || isinf(l->high[k]);
    }
    return is_one;
}

/* Where a bound is infinite however short the piece is; NAN: nowhere. */
static double find_pole(const look *l, double t0, double t1)
{
    for (int k = 0; k < HALVINGS && t1 - t0 > RESOLVED * fabs(t1); k++) {
        double middle = 0.5 * (t0 + t1);
        bool is_left = is_infinite(l, t0, middle);
        if (!is_left && !is_infinite(l, middle, t1)) {
            return (double) NAN;
        }
        t0 = is_left ? t0 : middle;
        t1 = is_left ? middle : t1;
    }
    return 0.5 * (t0 + t1);
}

/* The larger of the magnitudes of each source at t - d and t + d. */
static void measure(const look *l, double t, double d, double *sizes)
{
    const ha__run *run = l->run;
    const ha_dae *dae = run->dae;

    dae->residual(dae->model, run->work, t - d, l->zero, l->zero, run->yp_in);
    dae->residual(dae->model, run->work, t + d, l->zero, l->zero, sizes);
    for (int i = 0; i < dae->n; i++) {
        sizes[i] = fmax(fabs(sizes[i]), fabs(run->yp_in[i]));
    }
}

/* The equation with a source that has a pole at t; -1: none. */
static int find_equation(const look *l, double t, double d)
{
    const double share = ldexp(1.0, -NEARER), nearest = fmax(share * d, 1e3 * RESOLVED * fabs(t));
    int worst = -1;

    measure(l, t, d, l->far);
    measure(l, t, nearest, l->near);
    for (int i = 0; i < l->run->dae->n; i++) {
        bool is_pole = isfinite(l->near[i]) && l->near[i] * nearest > FALLS * l->far[i] * d;
        bool grows = l->near[i] > l->far[i] / FALLS;
        worst = is_pole && grows && (worst < 0 || l->near[i] > l->near[worst]) ? i : worst;
    }
    return worst;
}

static ha_status fail(const ha__run *run, int equation, double t)
{
    char time[HA__NUMBER_SIZE], end[HA__NUMBER_SIZE];

    return ha_fail(run->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the solver stopped at t = %s s of %s s: a source in the equation `%s` grows "
                   "beyond all bounds there, and brings anything to any speed; look for what "
                   "divides by 0 at that time, and give the source a limit",
                   ha__dae_number(time, t), ha__dae_number(end, run->options->t_end),
                   run->dae->equations[equation]);
}

static ha_status check(look *l, double t0, double t1)
{
    const ha_dae *dae = l->run->dae;
    const size_t n = (size_t) dae->n;

    HA_TRY_ALLOC(l->run->ctx, l->zero, 3 * n);
    l->far = l->zero + n;
    l->near = l->far + n;
    double t = find_pole(l, t0, t1);
    int equation = isnan(t) ? -1 : find_equation(l, t, fmax(t1 - t0, LEAST * t1));
    return equation < 0 ? HA_OK : fail(l->run, equation, t);
}

ha_status ha__run_check_sources(ha__run *run, double t0, double t1)
{
    const size_t n = (size_t) run->dae->n_signals;
    double *bounds = run->foresight.bounds;
    look l = { .run = run, .low = bounds };

    l.high = n > 0 ? bounds + n + run->dae->n_output_signals : NULL;
    if (n == 0 || !is_infinite(&l, t0, t1)) {
        return HA_OK;
    }
    ha_status status = check(&l, t0, t1); /* which allocates what is freed here */
    ha__free(l.zero);
    return status;
}
