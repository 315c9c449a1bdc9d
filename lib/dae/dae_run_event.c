/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events in a run: where steps end for them. Clocks end a step by a stop time, functions of
 * unknowns by looks inside the step, for all methods alike. What an event does is told in
 * dae_events.c; the method then begins anew.
 *
 * A look reads the interpolated solution, which is cheap and not quite exact: the algebraic
 * unknowns in it do not fit the others, and an explicit step taken to that time would end a little
 * beside it. An event is taken only where the solution, as exact as the method has it, is beyond it
 * with the sides that are held. The equations of both sides agree where the function is 0, so the
 * other side is then the right one, and the function does not come back at once for the error of an
 * interpolation. So the time goes on from the moment that the interpolation tells until the exact
 * solution is beyond it, too. If that does not come true before the end of the step, there was no
 * event. A step that can be taken again ends a tenth of its length on at the latest, since the
 * interpolation in it is no good then.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <float.h>
#include <string.h>

ha_status ha__run_list_switches(ha__run *run)
{
    HA_TRY_ALLOC(run->ctx, run->watched, run->dae->n_switches);
    for (int k = 0; k < run->dae->n_switches; k++) {
        if (run->dae->is_clock[k] == 0) {
            run->watched[run->n_watched++] = k;
        }
    }
    return HA_OK;
}

ha_status ha__run_set_stop(ha__run *run)
{
    HA_TRY(
        ha__sides_next(&run->sides, run->stats->t_reached, run->options->t_end, &run->next_stop));
    return run->method->set_stop(run);
}

/* How far from an event the solution is inside the step. */
static double margin(ha__run *run, double t)
{
    run->method->dense(run, t, run->y_in, run->yp_in);
    return ha__sides_margin(&run->sides, t, run->y_in, run->yp_in);
}

/* The first look into the step that finds it beyond an event, `*off`, and the one before it, `*on`;
   `*speed` is how fast the margin falls between. False: there is none. */
static bool look(ha__run *run, double t0, double t1, double *on, double *off, double *speed)
{
    enum { LOOKS = 4 };
    double before = 0.0;

    *off = t0;
    for (int i = 1; i <= LOOKS; i++) {
        *on = *off;
        *off = i == LOOKS ? t1 : t0 + (t1 - t0) * i / LOOKS;
        double after = margin(run, *off);
        if (after < 0.0) {
            *speed = (before - after) / (*off - *on);
            return true;
        }
        before = after;
    }
    return false;
}

/* The first moment beyond an event between two looks. */
static double close_in(ha__run *run, double on, double off)
{
    enum { HALVINGS = 50 };

    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double t = 0.5 * (on + off);
        *(margin(run, t) < 0.0 ? &off : &on) = t;
    }
    return off;
}

/* The solution at a time inside the step, as exact as the method has it, into run->y, run->yp; how
   far it is from an event. */
static ha_status land(ha__run *run, double t, double *from_event)
{
    size_t bytes = (size_t) run->dae->n * sizeof *run->y;

    run->method->dense(run, t, run->y_in, run->yp_in);
    memcpy(run->y, run->y_in, bytes);
    memcpy(run->yp, run->yp_in, bytes);
    HA_TRY(run->method->land != NULL ? run->method->land(run, t)
                                     : ha__refine(run->recorder.refiner, t, run->y, run->yp, NULL));
    *from_event = ha__sides_margin(&run->sides, t, run->y, run->yp);
    return HA_OK;
}

ha_status ha__run_end_at_event(ha__run *run, double t0, double *t1)
{
    const double overshoot = 2.0, first = 1e-9, growth = 4.0, farthest = 0.1;
    double on = t0, off = t0, speed = 0.0, from_event = 0.0;

    if (run->n_watched == 0 || !look(run, t0, *t1, &on, &off, &speed)) {
        return HA_OK;
    }
    double t = close_in(run, on, off), further = first * (*t1 - t0), last = *t1;
    if (run->method->land != NULL) {
        last = fmin(last, t + farthest * (*t1 - t0));
    }
    HA_TRY(land(run, t, &from_event));
    while (from_event >= 0.0 && t < last) {
        further = fmax(growth * further, overshoot * from_event / speed);
        t = t + further < last ? t + further : last; /* also where `further` is not a number */
        HA_TRY(land(run, t, &from_event));
    }
    *t1 = t;
    return HA_OK;
}

ha_status ha__run_handle_event(ha__run *run, bool *is_event)
{
    double t = run->stats->t_reached;

    *is_event = false;
    if (run->dae->n_switches == 0) {
        return HA_OK;
    }
    HA_TRY(
        ha__sides_step(&run->sides, t, run->options->t_end, run->y, run->yp, run->stats, is_event));
    if (*is_event) {
        ha__record_resume(&run->recorder, t, run->y, run->yp);
        HA_TRY(run->method->restart(run));
        run->stats->restarts++;
    }
    return *is_event || t >= run->next_stop ? ha__run_set_stop(run) : HA_OK;
}
