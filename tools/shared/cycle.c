/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that start on the steady cycle of a model. */
#include <config.h>

#include "tools/shared/cycle.h"

#include <math.h>

/* The period, from the command line or from what drives the model. */
static ha_status find_period(cli_call *cli, const cli_model *model, double *period)
{
    const bg_drive *drive = &model->drive;

    *period = drive->period;
    if (cli_has(cli, CLI_PERIOD)) {
        HA_TRY(cli_number(cli, CLI_PERIOD, period));
        return *period > 0.0 && isfinite(*period)
                   ? HA_OK
                   : ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                             "--period is %g s; give a time above 0", *period);
    }
    if (!drive->is_driven || *period > 0.0) {
        return HA_OK;
    }
    return model->breaks != NULL
               ? ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "no period is found: in the equation `%s` the time stands otherwise than "
                         "in sin, cos, a sawtooth t - T floor(t/T) or an angle that turns; if the "
                         "model repeats all the same, give its period with --period",
                         model->breaks)
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "no period is found: the frequencies of what drives the model have no "
                         "common multiple; change them, or give a period with --period");
}

ha_status cycle_find(cli_call *cli, cli_model *model, bg_cycle *cycle)
{
    bg_cycle_options options = { .is_driven = model->drive.is_driven,
                                 .horizon = model->options.solver.t_end,
                                 .run = model->options };

    *cycle = (bg_cycle){ 0 };
    HA_TRY(find_period(cli, model, &options.period));
    HA_TRY(bg_periodic(cli->ctx, model->compiled, &options, model->start, cycle));
    model->options.from = BG_FROM_GIVEN;
    return HA_OK;
}
