/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks: when the next switching function of the time alone changes its side.
 *
 * Clocks have bounds over a range of time before any step is taken. Bounds of one sign tell that
 * none changes in it; a range that may hold a change is halved until it is a moment. So no pulse is
 * missed, however short and rare: where too many ranges would have to be looked at, the step ends
 * at the last that is known to be clear.
 *
 * Two clocks that a user has at one time, as multiples of 0.1 s and of 0.3 s, are there some units
 * in the last place apart. They change in one event, behind the later of them: else a sample of a
 * sample would have the old value or the new one by these digits. A pulse as short as that is
 * missed.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include <float.h>
#include <math.h>

enum {
    MOST_RANGES = 100000, /* looked at before a stop, */
    MOST_IDLE = 30        /* and stops in a row without an event because that was not enough */
};
static const double INSTANT = 1e-18; /* a share of the run that is not divided further */

/* True when all clocks keep their sides from t0 to t1. */
static bool keep_sides(ha__sides *sides, double t0, double t1)
{
    sides->dae->clocks(sides->dae->model, sides->work, t0, t1, sides->low, sides->high);
    for (int k = 0; k < sides->dae->n_switches; k++) {
        bool keeps = sides->side[k] != 0 ? sides->low[k] >= 0.0 : sides->high[k] <= 0.0;
        if (sides->dae->is_clock[k] != 0 && !keeps) {
            return false;
        }
    }
    return true;
}

/* The end of the first instant in (t0, t1] in which a clock leaves its side; infinite when none
   does. `left` ranges may be looked at; then it is the time up to which none leaves. */
static double first_change(ha__sides *sides, double t0, double t1, double instant, int *left)
{
    if (--*left < 0) {
        return t0;
    }
    if (keep_sides(sides, t0, t1)) {
        return (double) INFINITY;
    }
    if (t1 - t0 <= fmax(instant, 4.0 * DBL_EPSILON * fabs(t1))) {
        return keep_sides(sides, t1, t1) ? (double) INFINITY : t1;
    }
    double middle = 0.5 * (t0 + t1);
    double found = first_change(sides, t0, middle, instant, left);
    return isinf(found) ? first_change(sides, middle, t1, instant, left) : found;
}

static ha_status fail_to_tell(const ha__sides *sides, double t)
{
    char time[HA__NUMBER_SIZE];
    const char *name = "";

    for (int k = 0; k < sides->dae->n_switches; k++) {
        name = sides->dae->is_clock[k] != 0 ? sides->dae->switches[k] : name;
    }
    return ha_fail(sides->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the solver stopped at t = %s s: it cannot tell when a condition on the time "
                   "(such as `%s` > 0) changes there, because it stays at its limit; write it so "
                   "that it passes the limit",
                   ha__dae_number(time, t), name);
}

/* True when a clock has another side at t0 than at t1. */
static bool change_between(ha__sides *sides, double t0, double t1)
{
    const ha_dae *dae = sides->dae;
    bool is_found = false;

    dae->clocks(dae->model, sides->work, t0, t0, sides->low, sides->g_at);
    dae->clocks(dae->model, sides->work, t1, t1, sides->high, sides->g_at);
    for (int k = 0; k < dae->n_switches; k++) {
        bool differs = (sides->low[k] < 0.0) != (sides->high[k] < 0.0);
        is_found = is_found || (dae->is_clock[k] != 0 && differs);
    }
    return is_found;
}

ha_status ha__sides_next(ha__sides *sides, double t, double t_end, double *next)
{
    int left = MOST_RANGES;
    bool has_clock = false;

    for (int k = 0; k < sides->dae->n_switches; k++) {
        has_clock = has_clock || sides->dae->is_clock[k] != 0;
    }
    *next = t_end;
    if (has_clock) {
        *next = fmin(t_end, first_change(sides, t, t_end, INSTANT * t_end, &left));
        bool others_change = left >= 0 && change_between(sides, *next, ha__late(*next));
        *next = others_change ? ha__late(*next) : *next;
    }
    *next = ha__late(*next) < t_end ? *next : t_end;
    sides->n_idle = left < 0 ? sides->n_idle + 1 : 0;
    return *next <= t || sides->n_idle > MOST_IDLE ? fail_to_tell(sides, t) : HA_OK;
}
