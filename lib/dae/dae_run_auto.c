/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice between the methods of a run.
 *
 * With the driver `auto` a run begins with explicit steps where the equations are linear in the
 * accelerations and multipliers, so that one linear system gives them. These steps are limited
 * either by their error or by the stability of the method: then h |lambda| stays at its bound
 * (runge.c), the system is stiff, and IDA goes on. It may cease to be stiff: after a number of
 * steps, doubled each time, explicit steps are tried again, which costs little when they give up
 * soon.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

static const long FIRST_TRIAL = 500; /* steps of IDA before explicit steps are tried again */

static void use(ha__run *run, ha_driver driver)
{
    run->method = driver == HA_DRIVER_IDA ? &ha__method_ida : &ha__method_explicit;
    run->stats->driver = (int) driver;
    run->gives_up = NULL;
    run->steps_at_switch = run->stats->steps;
}

void ha__run_choose(ha__run *run)
{
    bool is_auto = run->options->driver == HA_DRIVER_AUTO;
    bool is_linear = run->dae->start_system != NULL;

    run->on_trial = FIRST_TRIAL;
    use(run, !is_auto    ? (ha_driver) run->options->driver
             : is_linear ? HA_DRIVER_EXPLICIT
                         : HA_DRIVER_IDA);
    run->stats->first_driver = run->stats->driver;
    if (is_auto && !is_linear) {
        run->stats->switch_reason = "the equations are not linear in derivatives and algebraic "
                                    "unknowns";
    }
}

/* True when IDA has had its steps and explicit ones may be tried again. */
static bool is_time_for_trial(const ha__run *run)
{
    return run->stats->driver == HA_DRIVER_IDA && run->stats->switches > 0 &&
           run->stats->steps - run->steps_at_switch >= run->on_trial;
}

ha_status ha__run_reconsider(ha__run *run, bool *is_changed)
{
    const char *reason = run->gives_up;

    *is_changed = false;
    if (run->options->driver != HA_DRIVER_AUTO || run->stats->t_reached >= run->options->t_end) {
        return HA_OK;
    }
    if (is_time_for_trial(run)) {
        reason = "it may no longer be stiff";
        run->on_trial *= 2;
    }
    if (reason == NULL) {
        return HA_OK;
    }
    run->method->count(run);
    run->method->close(run);
    if (run->stats->switches++ == 0) {
        run->stats->t_switch = run->stats->t_reached;
        run->stats->switch_reason = reason;
    }
    use(run, run->stats->driver == HA_DRIVER_IDA ? HA_DRIVER_EXPLICIT : HA_DRIVER_IDA);
    HA_TRY(run->method->open(run));
    HA_TRY(ha__record_resume(&run->recorder, run->stats->t_reached, run->y, run->yp));
    *is_changed = true;
    return ha__run_set_stop(run);
}
