/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test of an explicit step, of one tried and of one that is cut for an event alike. Its error
 * is that of its end (runge.c). Where rows, quadratures or events read what is inside, the step
 * must be good there, too, to MOST_INSIDE tolerances: its bulge and, where it may be worse than its
 * end, its defect.
 *
 * The interpolant of y' = lambda y, Re lambda <= 0, is off by up to 3.4 estimates of the error of
 * the end by order 5, and by order 8 for h |lambda| <= 4.25 (test_runge.c); next to its bound of
 * stability, 6, it is off by hundreds. So the defect is asked for where h |lambda| is more: as the
 * last stages tell it, which is the lambda of what is largest in their difference, and of what is
 * fastest in the equations (explicit_fastest.c), which may have died out but for some tolerances.
 * It is asked for near singular positions, too, where a step may begin with wrong accelerations.
 *
 * A step that fails is followed by one of
 *
 *     h_new = h max(0.9 err^(-1/k), 0.2),   k the power of h in err.
 */
#include <config.h>

#include "lib/dae/explicit/explicit_priv.h"

#include <math.h>
#include <string.h>

static const double MOST_INSIDE = 10.0; /* tolerances: less exact than the end */
static const double SAFETY = 0.9;
static const double LEAST_GROWTH = 0.2;
static const double NO_VALUE = 0.25; /* share of a step in which a stage has no value */

/* 1 / tolerance of the differential unknowns, for the larger of two values. */
void ha__explicit_weigh(ha__explicit *e, const double *a, const double *b)
{
    const ha_dae_options *options = e->run->options;

    for (int i = 0; i < e->n; i++) {
        double size = ha__larger(fabs(b[i]), fabs(a[i]));
        e->weights[i] =
            1.0 / ha__tolerance(e->run->dae, e->number[i], options->rtol, options->atol, size);
    }
}

/* True when what is interpolated in the step goes into the result. */
static bool looks_inside(const ha__run *run, double t1)
{
    return (run->dae->n_integrals > 0 && run->dae->rate_is_zero == 0) || run->look.n_watched > 0 ||
           ha__record_next(&run->recorder) < t1;
}

/* True where what is inside the step may be worse than its end. */
static ha_status doubts(ha__explicit *e, double t, double h, bool *is_doubtful)
{
    const double most = ha__runge_smoothness(e->runge);

    HA_TRY(isfinite(most) ? ha__explicit_find_fastest(e, t) : HA_OK);
    *is_doubtful = h * e->fastest > most || e->stiffness > most || ha__pass_is_near(&e->pass);
    return HA_OK;
}

/* The error inside the step; the stages that it takes leave e->y, e->yp as they are at its end. */
static ha_status find_inside(ha__explicit *e, double t, double h, double *error)
{
    size_t bytes = (size_t) e->run->dae->n * sizeof *e->y;
    double defect = 0.0;
    bool is_doubtful = false;

    memcpy(e->end, e->y, bytes);
    memcpy(e->end_p, e->yp, bytes);
    HA_TRY(ha__runge_bulge(e->runge, e->weights, error));
    HA_TRY(doubts(e, t, h, &is_doubtful));
    if (is_doubtful) {
        HA_TRY(ha__runge_defect(e->runge, e->weights, &defect));
        *error = fmax(*error, defect);
    }
    memcpy(e->y, e->end, bytes);
    memcpy(e->yp, e->end_p, bytes);
    return HA_OK;
}

/* What the drift of the velocities at the end t of the step amounts to, in tolerances: K s = f,
   with the rows of the conditions f alone, gives velocities s with J s = f. */
static ha_status weigh_drift(ha__explicit *e, double t)
{
    const ha_dae *dae = e->run->dae;
    const double *f = ha__drift(e->pass.projector, t, e->y);
    double *s = e->end_p, sum = 0.0; /* room here, as in find_inside() */
    bool is_done = false;

    memset(s, 0, (size_t) dae->n * sizeof *s);
    for (int i = 0; i < dae->n_conditions; i++) {
        s[dae->condition_row[i]] = f[i];
    }
    HA_TRY(ha__rates_solve(e->rates, s, &is_done));
    for (int i = 0; i < e->n; i++) {
        bool is_velocity = dae->unknowns[e->number[i]].motion == HA_VELOCITY;
        double term = is_velocity ? s[e->number[i]] * e->weights[i] : 0.0;
        sum += term * term;
    }
    e->drift = is_done ? sqrt(sum / e->n) : (double) INFINITY;
    return HA_OK;
}

ha_status ha__explicit_test(ha__explicit *e, double t, double h, double *error)
{
    double inside = 0.0;

    /* the last stage is the end */
    e->condition = ha__rates_is_symmetric(e->rates) ? ha__rates_condition(e->rates) : 1.0;
    e->drift = 0.0;
    ha__explicit_weigh(e, e->y0, e->y1);
    *error = ha__runge_error(e->runge, e->weights);
    e->stiffness = ha__runge_stiffness(e->runge, e->weights);
    if (*error <= 1.0 && e->pass.projects) {
        HA_TRY(weigh_drift(e, t + h));
    }
    if (*error <= 1.0 && looks_inside(e->run, t + h)) {
        HA_TRY(find_inside(e, t + h, h, &inside));
        *error = inside > MOST_INSIDE ? inside / MOST_INSIDE : *error;
    }
    *error = isfinite(*error) ? *error : (double) INFINITY;
    return HA_OK;
}

double ha__explicit_shorter(const ha__explicit *e, double h, double error)
{
    double growth = SAFETY * pow(error, -1.0 / ha__runge_power(e->runge));

    return h * (isfinite(error) ? fmax(growth, LEAST_GROWTH) : NO_VALUE);
}
