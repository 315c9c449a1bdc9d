/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow frequency: the response to small sinusoidal inputs. */
#include <config.h>

#include "bondgraph/frequency.h"
#include "tools/analysis/frequency_plot.h"
#include "tools/analysis/frequency_write.h"
#include "tools/analysis/operating.h"

#include <math.h>

/* What the command works with. */
typedef struct {
    operating op;
    bg_response response;
} job;

static ha_status read_range(cli_call *cli, bg_frequency_range *range)
{
    double count = 400.0;

    if (!cli_has(cli, CLI_FROM) || !cli_has(cli, CLI_TO)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`frequency` needs a range: --from FREQUENCY --to FREQUENCY, in Hz");
    }
    HA_TRY(cli_number(cli, CLI_FROM, &range->from));
    HA_TRY(cli_number(cli, CLI_TO, &range->to));
    if (cli_has(cli, CLI_COUNT)) {
        HA_TRY(cli_number(cli, CLI_COUNT, &count));
    }
    if (!(count >= 1.0 && count <= 100000.0 && count == floor(count))) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--count is %g; give the number of frequencies, a whole number from 1 to "
                       "100000",
                       count);
    }
    range->count = (int) count;
    return HA_OK;
}

static ha_status find(cli_call *cli, job *j)
{
    bg_frequency_range range = { 0 };
    frequency_kind kind = FREQUENCY_BODE;

    HA_TRY(frequency_read_kind(cli, &kind)); /* what it is about is found out before the work */
    HA_TRY(read_range(cli, &range));
    if (!cli_has(cli, CLI_U) || !cli_has(cli, CLI_Y)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`frequency` needs an input and an output: --u NAME --y NAME");
    }
    HA_TRY(operating_prepare(cli, false, &j->op));
    return bg_frequency(cli->ctx, j->op.run.model.compiled, &j->op.point, &range, &j->response);
}

static ha_status show(cli_call *cli, job *j)
{
    const char *title = cli_model_title(cli, &j->op.run.model);

    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(frequency_write(cli, &j->response, title, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return frequency_print_json(cli, &j->response);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : frequency_write(cli, &j->response, title, "-");
}

ha_status cmd_frequency(cli_call *cli)
{
    job j = { .op = operating_new() };

    cli_begin_work(cli);
    ha_status status = find(cli, &j);
    cli_end_work(cli);
    status = status == HA_OK ? show(cli, &j) : status;
    bg_response_clear(&j.response);
    operating_clear(&j.op);
    return status;
}
