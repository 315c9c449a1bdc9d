/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events in a run: where steps end for them. Clocks end a step by a stop time, functions of
 * unknowns by looks into the step (dae_look.c), for all methods alike. What an event does is told
 * in dae_events.c; the method then begins anew.
 *
 * A look reads the interpolated solution, which is cheap and not quite exact: the algebraic
 * unknowns in it do not fit the others, and an explicit step taken to that time would end a little
 * beside it. An event is taken only where the solution, as exact as the method has it, is beyond it
 * with the sides that are held. The equations of both sides agree where the function is 0, so the
 * other side is then the right one, and the function does not come back at once for the error of an
 * interpolation. So the time goes on from the moment that the interpolation tells until the exact
 * solution is beyond it, too. If that does not come true within a tenth of the step, there was no
 * event; a step that can be taken again ends there, since the interpolation in it is no good then,
 * in any other what is left is looked at. Where the exact solution is far beyond the event at that
 * moment the time goes back. Where an event hangs on what has to be solved for, the interpolation
 * may miss it altogether: the end of each step is then solved for, too, and so is each crest of
 * what depends on the time alone.
 *
 * A step that is taken again to a shorter end is another step, with stages elsewhere: that the long
 * one passed the test of its error says nothing of it. One that fails is rejected as any other is,
 * and the run goes on with a shorter one from where it began.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

ha_status ha__run_set_stop(ha__run *run)
{
    HA_TRY(
        ha__sides_next(&run->sides, run->stats->t_reached, run->options->t_end, &run->next_clock));
    run->next_stop = run->next_clock;
    return run->method->set_stop(run);
}

/* The solution at a time inside the step, as exact as the method has it, into run->y, run->yp; how
   far it is from an event; not a number where that step was rejected. */
static ha_status land(ha__run *run, double t, double *from_event)
{
    size_t bytes = (size_t) run->dae->n * sizeof *run->y;

    run->method->dense(run, t, run->y_in, run->yp_in);
    memcpy(run->y, run->y_in, bytes);
    memcpy(run->yp, run->yp_in, bytes);
    HA_TRY(run->method->land != NULL ? run->method->land(run, t)
                                     : ha__refine(run->recorder.refiner, t, run->y, run->yp, NULL));
    *from_event = run->is_rejected ? (double) NAN
                                   : ha__sides_margin(&run->sides, t, run->y, run->yp, NULL, 0);
    return HA_OK;
}

/* Times around an event, with how far the exact solution is from it there: not beyond it, and
   beyond it. */
typedef struct {
    double on, off, margin_on, margin_off;
} bracket;

/* Goes on from the time `*t` that the interpolation tells, at most to `last`, until the exact
   solution is beyond the event, too; `h` is the length of the step. */
static ha_status walk(ha__run *run, double h, double last, double speed, double *t, bracket *found)
{
    const double overshoot = 2.0, first = 1e-9, growth = 4.0;
    double further = first * h, from_event = 0.0;

    HA_TRY(land(run, *t, &from_event));
    while (from_event >= 0.0 && *t < last) {
        found->on = *t;
        found->margin_on = from_event;
        further = fmax(growth * further, overshoot * from_event / speed);
        *t = *t + further < last ? *t + further : last; /* also where it is not a number */
        HA_TRY(land(run, *t, &from_event));
    }
    found->off = *t;
    found->margin_off = from_event;
    return HA_OK;
}

/* Goes back to where the exact solution has just got beyond the event: further on with the sides
   that are held it would get energies that it has not. By secants, a little beyond; where one left
   more than half of a bracket that counts the solution is no straight line there, and the next is
   the middle. */
static ha_status go_back(ha__run *run, double h, double speed, bracket *b)
{
    enum { MOST = 60 };
    const double enough = 1e-10, beyond = 0.05, counts = 1e-6;
    double t = b->off, from_event = b->margin_off;
    bool is_straight = true;

    for (int i = 0; i < MOST && !run->is_rejected && b->margin_off < -enough * speed * h; i++) {
        double length = b->off - b->on, slope = (b->margin_on - b->margin_off) / length;
        t = b->off + (1.0 - beyond) * b->margin_off / slope;
        if (!is_straight || !(t > b->on && t < b->off)) {
            t = 0.5 * (b->on + b->off);
        }
        HA_TRY(land(run, t, &from_event));
        *(from_event < 0.0 ? &b->off : &b->on) = t;
        *(from_event < 0.0 ? &b->margin_off : &b->margin_on) = from_event;
        is_straight = b->off - b->on <= fmax(0.5 * length, counts * h);
    }
    return run->is_rejected || t == b->off ? HA_OK : land(run, b->off, &from_event);
}

/* The first moment beyond an event that the interpolation does not have, though the exact solution
   at the end of the step from t0 to *t1 is beyond it. */
static ha_status halve(ha__run *run, double t0, double *t1)
{
    enum { HALVINGS = 50 };
    double on = t0, off = *t1, from_event = 0.0;

    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double middle = 0.5 * (on + off);
        HA_TRY(land(run, middle, &from_event));
        if (run->is_rejected) {
            return HA_OK;
        }
        *(from_event < 0.0 ? &off : &on) = middle;
    }
    *t1 = off;
    return land(run, off, &from_event);
}

/* Where an event hangs on what has to be solved for, the interpolation does not have the pulses of
   signals: ends the step at the first crest beyond an event. */
static ha_status end_at_crest(ha__run *run, double t0, double *t1)
{
    double crests[HA__MOST_CRESTS], from_event = 0.0;
    int n = ha__run_find_crests(run, run->dae->n_signals, t0, *t1, 1, crests);

    for (int i = 0; i < n; i++) {
        HA_TRY(land(run, crests[i], &from_event));
        if (from_event < 0.0) {
            *t1 = crests[i];
            return HA_OK;
        }
    }
    return HA_OK;
}

ha_status ha__run_end_at_event(ha__run *run, double t0, double *t1)
{
    const double farthest = 0.1, h = *t1 - t0;
    const bool is_solved = run->dae->switching_reads_solved != 0 && run->method->land == NULL;
    double t = t0, speed = 0.0, from_event = 0.0;
    bool is_any = false;

    if (run->look.n_watched == 0) {
        return HA_OK;
    }
    HA_TRY(is_solved ? end_at_crest(run, t0, t1) : HA_OK);
    const double t_end = *t1;
    ha__look_begin(&run->look, t_end);
    while (t < t_end && ha__look_next(&run->look, &t, &speed)) {
        bracket found = { .on = t0, .margin_on = speed * (t - t0) };
        is_any = true;
        HA_TRY(walk(run, h, fmin(t_end, t + farthest * h), speed, &t, &found));
        if (found.margin_off < 0.0) {
            HA_TRY(go_back(run, h, speed, &found));
        }
        if (run->is_rejected) {
            return HA_OK;
        }
        if (found.margin_off < 0.0 || run->method->land != NULL) { /* a step of its own */
            *t1 = found.off;
            return HA_OK;
        }
    }
    if (is_any || is_solved) {
        HA_TRY(land(run, t_end, &from_event));
    }
    return from_event < 0.0 ? halve(run, t0, t1) : HA_OK;
}

/* True where what is held is so far from being left, beside how much that changes in the step from
   t0 to t1, that it is not left inside; `end` is how far it is there. */
static bool stays_held(ha__run *run, double t0, double t1, double end)
{
    enum { PARTS = 4 };
    const double clear = 2.0; /* times what it changes by */
    double least = end, most = end;

    for (int i = 0; i < PARTS; i++) {
        double t = t0 + (t1 - t0) * i / PARTS;
        run->method->dense(run, t, run->y_in, run->yp_in);
        double margin = ha__slide_margin(run->sides.slide, t, run->y_in, run->yp_in);
        least = fmin(least, margin);
        most = fmax(most, margin);
    }
    return least > clear * (most - least);
}

ha_status ha__run_end_at_leave(ha__run *run, double t0, double *t1)
{
    enum { HALVINGS = 60, LOOKS = 16 };
    const double beyond = -1e-9; /* of the share of a side: clear of round-off */
    ha__slide *slide = run->sides.slide;
    double on = t0, off = *t1, from_event = 0.0;
    double end = ha__slide_margin(slide, off, run->y, run->yp);
    double crests[HA__MOST_CRESTS];
    int crest = 0, look = 1;
    bool is_left = false;

    if (isinf(end) && end > 0.0) { /* nothing is held */
        return HA_OK;
    }
    /* where all is held nothing moves, and steps are long: it may be left and held again inside */
    int n_crests = ha__run_find_crests(run, run->dae->n_signals, t0, *t1, LOOKS, crests);
    if (n_crests == 0 && stays_held(run, t0, *t1, end)) {
        return HA_OK;
    }
    while ((look < LOOKS || crest < n_crests) && !is_left) {
        double t = look < LOOKS ? t0 + (*t1 - t0) * look / LOOKS : *t1;
        bool is_crest = crest < n_crests && crests[crest] < t;
        t = is_crest ? crests[crest] : t;
        *(is_crest ? &crest : &look) += 1;
        run->method->dense(run, t, run->y_in, run->yp_in);
        is_left = ha__slide_margin(slide, t, run->y_in, run->yp_in) < beyond;
        *(is_left ? &off : &on) = t;
    }
    if (!is_left && !(end < beyond)) {
        return HA_OK;
    }
    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double middle = 0.5 * (on + off);
        run->method->dense(run, middle, run->y_in, run->yp_in);
        bool is_off = ha__slide_margin(slide, middle, run->y_in, run->yp_in) < beyond;
        *(is_off ? &off : &on) = middle;
    }
    if (off < *t1) {
        *t1 = off;
        return land(run, off, &from_event);
    }
    return HA_OK;
}

/* How far the interpolated solution is from an event. */
static double margin(ha__run *run, double t)
{
    run->method->dense(run, t, run->y_in, run->yp_in);
    return ha__sides_margin(&run->sides, t, run->y_in, run->yp_in, NULL, 0);
}

double ha__run_left_of_event(ha__run *run, double t0, double t1)
{
    const double round_off = 8.0 * DBL_EPSILON, growth = 8.0;
    const bool is_watched = run->look.n_watched > 0;

    if (t1 < run->next_clock &&
        !(is_watched && ha__sides_margin(&run->sides, t1, run->y, run->yp, NULL, 0) < 0.0)) {
        return (double) NAN;
    }
    double back = round_off * t1, t = t1 - back;
    while (is_watched && t > t0 && margin(run, t) < 0.0) {
        back *= growth;
        t = t1 - back;
    }
    return t > t0 ? t : t0;
}

ha_status ha__run_handle_event(ha__run *run, bool is_cut, bool *is_event)
{
    double t = run->stats->t_reached;
    bool is_beyond = is_cut && run->method->land == NULL; /* the method went on to its own end */

    *is_event = false;
    if (run->dae->n_switches == 0) {
        return HA_OK;
    }
    HA_TRY(
        ha__sides_step(&run->sides, t, run->options->t_end, run->y, run->yp, run->stats, is_event));
    if (*is_event) {
        HA_TRY(ha__record_resume(&run->recorder, t, run->y, run->yp));
        ha__nominal_resume(&run->nominal, run->y, run->yp);
    }
    if (*is_event || is_beyond) {
        HA_TRY(run->method->restart(run));
        run->stats->restarts++;
    }
    return *is_event || t >= run->next_clock ? ha__run_set_stop(run) : HA_OK;
}
