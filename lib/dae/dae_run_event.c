/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events in a run: where steps end for them. Clocks end a step by a stop time, functions of
 * unknowns by a root finder of the method, if it has one, or by a look inside the step. What an
 * event does is told in dae_events.c; the method then begins anew.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <float.h>
#include <string.h>

ha_status ha__run_list_switches(ha__run *run)
{
    HA_TRY_ALLOC(run->ctx, run->found, run->dae->n_switches);
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

bool ha__run_ends_inside(ha__run *run, double t0, double *t1)
{
    enum { LOOKS = 4, HALVINGS = 50 };
    double *y = run->y_in, *yp = run->yp_in, on = t0, off = t0;
    size_t bytes = (size_t) run->dae->n * sizeof *y;

    int looks = run->method->finds_roots ? LOOKS - 1 : LOOKS;

    for (int i = 1; i <= looks && off == t0 && run->n_watched > 0; i++) {
        double t = i == LOOKS ? *t1 : t0 + (*t1 - t0) * i / LOOKS;
        run->method->dense(run, t, y, yp);
        *(ha__sides_are_off(&run->sides, t, y, yp) ? &off : &on) = t;
    }
    if (off == t0) {
        return false;
    }
    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double t = 0.5 * (on + off);
        run->method->dense(run, t, y, yp);
        *(ha__sides_are_off(&run->sides, t, y, yp) ? &off : &on) = t;
    }
    run->method->dense(run, off, y, yp);
    memcpy(run->y, y, bytes);
    memcpy(run->yp, yp, bytes);
    *t1 = off;
    return true;
}

ha_status ha__run_handle_event(ha__run *run, bool is_root, bool *is_event)
{
    double t = run->stats->t_reached;

    *is_event = false;
    if (run->dae->n_switches == 0) {
        return HA_OK;
    }
    HA_TRY(ha__sides_step(&run->sides, is_root ? run->found : NULL, t, run->options->t_end, run->y,
                          run->yp, run->stats, is_event));
    if (*is_event) {
        ha__record_resume(&run->recorder, t, run->y, run->yp);
        HA_TRY(run->method->restart(run));
        run->stats->restarts++;
    }
    return *is_event || t >= run->next_stop ? ha__run_set_stop(run) : HA_OK;
}
