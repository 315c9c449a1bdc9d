/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow linearise: the state space form of small deviations. */
#include <config.h>

#include "tools/analysis/linear_write.h"
#include "tools/analysis/operating.h"

/* What the command works with. */
typedef struct {
    operating op;
    bg_linear linear;
} job;

static ha_status linearise(cli_call *cli, job *j)
{
    HA_TRY(operating_prepare(cli, false, &j->op));
    return bg_linearise(cli->ctx, j->op.run.model.compiled, &j->op.point, &j->linear);
}

static ha_status show(cli_call *cli, job *j)
{
    const char *title = cli_model_title(cli, &j->op.run.model);

    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(linear_write(cli, &j->linear, title, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return linear_print_json(cli, &j->linear);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : linear_write(cli, &j->linear, title, "-");
}

ha_status cmd_linearise(cli_call *cli)
{
    job j = { .op = operating_new() };

    cli_begin_work(cli);
    ha_status status = linearise(cli, &j);
    cli_end_work(cli);
    status = status == HA_OK ? show(cli, &j) : status;
    bg_linear_clear(&j.linear);
    operating_clear(&j.op);
    return status;
}
