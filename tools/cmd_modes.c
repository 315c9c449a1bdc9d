/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow modes: eigenvalues with their shapes and where their energy sits. */
#include <config.h>

#include "bondgraph/modes.h"
#include "tools/analysis/modes_write.h"
#include "tools/analysis/operating.h"

#include <math.h>

/* What the command works with. */
typedef struct {
    operating op;
    bg_modal modal;
    modes_shown shown;
} job;

/* The mode that is drawn. */
static ha_status choose_mode(cli_call *cli, job *j)
{
    double mode = 0.0;

    if (!cli_has(cli, CLI_MODE)) {
        return HA_OK;
    }
    HA_TRY(cli_number(cli, CLI_MODE, &mode));
    if (!(mode >= 1.0 && mode <= j->modal.n_modes && mode == floor(mode))) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--mode is %g; give the number of one of the %d modes", mode,
                       j->modal.n_modes);
    }
    j->shown.mode = (int) mode - 1;
    return HA_OK;
}

static ha_status find(cli_call *cli, job *j)
{
    double count = 0.0;

    if (cli_has(cli, CLI_COUNT)) {
        HA_TRY(cli_number(cli, CLI_COUNT, &count));
        if (!(count >= 1.0 && count <= 10000.0 && count == floor(count))) {
            return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "--count is %g; give the number of modes, a whole number from 1 on",
                           count);
        }
    }
    HA_TRY(operating_prepare(cli, true, &j->op));
    HA_TRY(bg_modes(cli->ctx, j->op.run.model.compiled, &j->op.point, (int) count, &j->modal));
    HA_TRY(modes_show(cli, &j->op.run.model, &j->modal, &j->shown));
    return choose_mode(cli, j);
}

static ha_status show(cli_call *cli, job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(modes_write(cli, &j->shown, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return modes_print_json(cli, &j->shown);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : modes_write(cli, &j->shown, "-");
}

ha_status cmd_modes(cli_call *cli)
{
    job j = { .op = operating_new() };

    cli_begin_work(cli);
    ha_status status = find(cli, &j);
    cli_end_work(cli);
    status = status == HA_OK ? show(cli, &j) : status;
    modes_clear(&j.shown);
    bg_modal_clear(&j.modal);
    operating_clear(&j.op);
    return status;
}
