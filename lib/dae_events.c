/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events: where a system jumps or bends.
 *
 * Between events the sides of the switching functions g_k are held, so that the solver sees smooth
 * equations (lib/expr_switch.h). At an event the sides that changed are set and a consistent state is
 * sought with the differential unknowns held; that may bring other g_k to the wrong side, whose sides
 * are then set, too, until all agree. A side that was set stays for this event: its g is about 0.
 *
 * A condition that throws the system back as soon as it is met would switch for ever (sign() in dry
 * friction at rest). Too many events in too short a time are therefore refused.
 */
#include <config.h>

#include "lib/dae_priv.h"

#include "lib/mem.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 500 };         /* in a share of the run of */
static const double MOMENT = 1e-4;

ha_status ha__sides_init(ha__sides *sides, ha_ctx *ctx, const ha_dae *dae, double *work)
{
    size_t n = (size_t) dae->n_switches;

    *sides = (ha__sides){ .ctx = ctx, .dae = dae, .work = work };
    if (n == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(ctx, sides->g, n);
    HA_TRY_ALLOC(ctx, sides->side, n);
    HA_TRY_ALLOC(ctx, sides->is_set, n);
    return HA_OK;
}

void ha__sides_clear(ha__sides *sides)
{
    ha__free(sides->g);
    ha__free(sides->side);
    ha__free(sides->is_set);
    *sides = (ha__sides){ 0 };
}

/* Evaluates the switching functions. */
static void evaluate(ha__sides *sides, double t, const double *y, const double *yp)
{
    sides->dae->switching(sides->dae->model, sides->work, t, y, yp, sides->g);
}

static void put(ha__sides *sides)
{
    sides->dae->set_sides(sides->dae->model, sides->work, sides->side);
}

/* True when g is off the side that is held. */
static bool is_off(const ha__sides *sides, int k)
{
    return sides->side[k] != 0 ? sides->g[k] < 0.0 : sides->g[k] > 0.0;
}

/* Sets the sides that are off and were not set in this event; how many. */
static int set_off(ha__sides *sides)
{
    int n = 0;

    for (int k = 0; k < sides->dae->n_switches; k++) {
        if (sides->is_set[k] == 0 && is_off(sides, k)) {
            sides->side[k] = sides->side[k] == 0;
            sides->is_set[k] = 1;
            n++;
        }
    }
    return n;
}

/* A consistent state with sides that agree, those of is_set being right already. Each round sets one
   side at least, so that it ends. */
static ha_status settle(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    do {
        put(sides);
        HA_TRY(ha__dae_start(sides->ctx, sides->dae, sides->work, t, y, yp, stats));
        evaluate(sides, t, y, yp);
    } while (set_off(sides) > 0);
    return HA_OK;
}

ha_status ha__sides_start(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    if (sides->dae->n_switches == 0) {
        return ha__dae_start(sides->ctx, sides->dae, sides->work, t, y, yp, stats);
    }
    evaluate(sides, t, y, yp);
    for (int k = 0; k < sides->dae->n_switches; k++) {
        sides->side[k] = !(sides->g[k] < 0.0);
        sides->is_set[k] = 0;
    }
    sides->mark = t;
    return settle(sides, t, y, yp, stats);
}

static ha_status fail_chatter(const ha__sides *sides, double t)
{
    char time[HA__NUMBER_SIZE];
    const char *name = "";

    for (int k = 0; k < sides->dae->n_switches; k++) {
        name = sides->is_set[k] != 0 ? sides->dae->switches[k] : name;
    }
    return ha_fail(sides->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the solver stopped at t = %s s: the condition `%s` > 0 changes again and again "
                   "there, %d times within %g of the run; write what switches as a smooth function, "
                   "for example tanh(x/small) for sign(x), or give the two sides different limits",
                   ha__dae_number(time, t), name, (int) MOST_EVENTS, MOMENT);
}

/* HA_OK unless there were too many events in a moment. */
static ha_status count_event(ha__sides *sides, double t, double t_end)
{
    if (t - sides->mark > MOMENT * t_end) {
        sides->mark = t;
        sides->n_recent = 0;
    }
    return ++sides->n_recent > MOST_EVENTS ? fail_chatter(sides, t) : HA_OK;
}

ha_status ha__sides_step(ha__sides *sides, const int *found, double t, double t_end, double *y,
                         double *yp, ha_dae_stats *stats, bool *is_event)
{
    int n = 0;

    evaluate(sides, t, y, yp);
    for (int k = 0; k < sides->dae->n_switches; k++) {
        sides->is_set[k] = 0;
        if (found != NULL && found[k] != 0 && sides->side[k] != (found[k] > 0)) {
            sides->side[k] = found[k] > 0;
            sides->is_set[k] = 1;
            n++;
        }
    }
    n += set_off(sides);
    *is_event = n > 0;
    if (n == 0) {
        return HA_OK;
    }
    stats->events++;
    HA_TRY(count_event(sides, t, t_end));
    return settle(sides, t, y, yp, stats);
}
