/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles of models with values that are held between events.
 *
 * A run takes its first samples at t = 0. So the state at the begin of a period is that before the
 * samples there, and runs end just before those of the next one. That makes the map from one begin
 * to the next exact, if the period is a whole number of all times of samples and nothing is held
 * over the begin.
 */
#include <config.h>

#include "bondgraph/analysis/held.h"
#include "bondgraph/analysis/periodic_priv.h"
#include "lib/core/number.h"

#include <math.h>

static const double LATER = 1e-9;   /* of the period, after its begin and before its end */
static const double SAMPLED = 1e-6; /* of a sine at a time of a sample */

/* The equations repeat after a whole number of samples. */
ha_status bg__cycle_check_sampling(bg__shooting *s)
{
    const ha_dae *dae = &s->m->dae;
    char period[HA__NUMBER_SIZE];
    double *g = NULL;

    HA_TRY_ALLOC(s->ctx, g, dae->n_switches);
    if (dae->n_holds > 0) {
        dae->switching(dae->model, s->work, s->period, s->y, s->yp, g);
    }
    ha_status status = HA_OK;
    for (int i = 0; i < dae->n_holds && status == HA_OK; i++) {
        const ha_dae_hold *hold = &dae->holds[i];
        if (hold->is_sampled != 0 && fabs(g[hold->condition]) > SAMPLED) {
            status = ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                             "a period of %s s is no whole number of the times at which `%s` is "
                             "sampled; give a --period that is one of each",
                             ha__print_rounded_number(period, s->period, 6),
                             dae->unknowns[hold->unknown].name);
        }
    }
    ha__free(g);
    return status;
}

ha_status bg__cycle_refuse_noise(const bg__shooting *s)
{
    ha__strbuf names = HA_STRBUF(s->ctx);
    int n = bg__held_list_noise(s->m, &names);
    ha_status status = names.status;

    if (n > 0 && status == HA_OK) {
        status =
            ha_fail(s->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                    "there is no cycle: %s %s noise, and no period is like the one before; take "
                    "the noise out, or look at a long `run`",
                    ha__strbuf_text(&names), n == 1 ? "is" : "are");
    }
    return ha__strbuf_drop(&names, status);
}

/* Runs take a value that is held at their begin there; one that was taken before would be another.
 */
ha_status bg__cycle_check_held(bg__shooting *s)
{
    const ha_dae *dae = &s->m->dae;
    const double later = LATER * s->period;
    double *g = NULL;

    HA_TRY_ALLOC(s->ctx, g, 2 * (size_t) dae->n_switches);
    double *end = g + dae->n_switches;
    if (dae->n_holds > 0) {
        dae->switching(dae->model, s->work, later, s->y, s->yp, g);
        dae->switching(dae->model, s->work, s->period - later, s->end, s->end_p, end);
    }
    ha_status status = HA_OK;
    for (int i = 0; i < dae->n_holds && status == HA_OK; i++) {
        const ha_dae_hold *hold = &dae->holds[i];
        bool is_carried = g[hold->condition] >= 0.0 && end[hold->condition] >= 0.0;
        if (hold->is_sampled == 0 && is_carried && bg__cycle_acts(s->m, hold->unknown)) {
            status = ha_fail(s->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                             "no cycle can be told: `%s` holds over the begin of the period a "
                             "value that it took before; move the begin, t = 0, to where its "
                             "condition is not met, or look at a long `run`",
                             dae->unknowns[hold->unknown].name);
        }
    }
    ha__free(g);
    return status;
}
