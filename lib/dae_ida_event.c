/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events in a run: where steps end for them. Clocks end a step by a stop time, functions of unknowns
 * by IDA's root finder, or by a look inside the step where they change twice. What an event does is
 * told in dae_events.c; IDA is then started anew.
 */
#include <config.h>

#include "lib/dae_ida.h"

#include "lib/mem.h"

#include <float.h>

ha_status ha__run_list_switches(ha__run *r)
{
    HA_TRY_ALLOC(r->ctx, r->found, r->dae->n_switches);
    HA_TRY_ALLOC(r->ctx, r->watched, r->dae->n_switches);
    for (int k = 0; k < r->dae->n_switches; k++) {
        if (r->dae->is_clock[k] == 0) {
            r->watched[r->n_watched++] = k;
        }
    }
    return HA_OK;
}

/* The functions that IDA watches. */
static int switching(sunrealtype t, N_Vector y, N_Vector yp, sunrealtype *values, void *user)
{
    ha__run *r = user;

    r->dae->switching(r->dae->model, r->work, t, NV_DATA_S(y), NV_DATA_S(yp), r->sides.g);
    for (int i = 0; i < r->n_watched; i++) {
        values[i] = r->sides.g[r->watched[i]];
    }
    return ha__first_not_finite(values, r->n_watched) >= 0 ? 1 : 0;
}

ha_status ha__run_watch_switches(ha__run *r)
{
    if (r->n_watched == 0) {
        return HA_OK;
    }
    HA_TRY(ha__from_ida(r, IDARootInit(r->ida, r->n_watched, switching)));
    return ha__from_ida(r, IDASetNoInactiveRootWarn(r->ida));
}

ha_status ha__run_set_stop(ha__run *r)
{
    HA_TRY(ha__sides_next(&r->sides, r->stats->t_reached, r->options->t_end, &r->next_stop));
    return ha__from_ida(r, IDASetStopTime(r->ida, r->next_stop));
}

bool ha__run_ends_inside(ha__run *r, double t0, double *t1)
{
    enum { LOOKS = 4, HALVINGS = 50 };
    double *y = NV_DATA_S(r->y_in), *yp = NV_DATA_S(r->yp_in), on = t0, off = t0;

    for (int i = 1; i < LOOKS && off == t0 && r->n_watched > 0; i++) {
        double t = t0 + (*t1 - t0) * i / LOOKS;
        ha__run_dense(r, t, y, yp);
        *(ha__sides_are_off(&r->sides, t, y, yp) ? &off : &on) = t;
    }
    if (off == t0) {
        return false;
    }
    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double t = 0.5 * (on + off);
        ha__run_dense(r, t, y, yp);
        *(ha__sides_are_off(&r->sides, t, y, yp) ? &off : &on) = t;
    }
    ha__run_dense(r, off, y, yp);
    N_VScale(1.0, r->y_in, r->y);
    N_VScale(1.0, r->yp_in, r->yp);
    *t1 = off;
    return true;
}

/* What IDA's root finder has seen. */
static ha_status read_roots(ha__run *r)
{
    HA_TRY(ha__from_ida(r, IDAGetRootInfo(r->ida, r->found)));
    /* spread over all switching functions, from the end, as the numbers only grow */
    for (int k = r->dae->n_switches - 1, i = r->n_watched - 1; k >= 0; k--) {
        r->found[k] = i >= 0 && r->watched[i] == k ? r->found[i--] : 0;
    }
    return HA_OK;
}

ha_status ha__run_handle_event(ha__run *r, bool is_root, bool *is_event)
{
    double t = r->stats->t_reached, *y = NV_DATA_S(r->y), *yp = NV_DATA_S(r->yp);

    *is_event = false;
    if (r->dae->n_switches == 0) {
        return HA_OK;
    }
    if (is_root) {
        HA_TRY(read_roots(r));
    }
    HA_TRY(ha__sides_step(&r->sides, is_root ? r->found : NULL, t, r->options->t_end, y, yp,
                          r->stats, is_event));
    if (*is_event) {
        ha__run_count(r);
        ha__run_settle(r);
        ha__record_resume(&r->recorder, t, y, yp);
        HA_TRY(ha__from_ida(r, IDAReInit(r->ida, t, r->y, r->yp)));
    }
    return *is_event || t >= r->next_stop ? ha__run_set_stop(r) : HA_OK;
}
