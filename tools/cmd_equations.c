/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow equations: what the strokes say, in causal order. */
#include <config.h>

#include "lib/output.h"
#include "tools/load.h"

#include <stdlib.h>
#include <string.h>

static ha_status print(cli_call *cli, cli_model *model)
{
    const char *path = cli_has(cli, CLI_OUTPUT) ? cli->text[CLI_OUTPUT] : "-";
    char *text = NULL;
    ha_status status = HA_OK;

    if (cli_has(cli, CLI_FORMAT) && strcmp(cli->text[CLI_FORMAT], "text") != 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "equations have no format `%s`; use --format text", cli->text[CLI_FORMAT]);
    }
    HA_TRY(cli_load(cli, model));
    HA_TRY(cli_assign(model));
    HA_TRY(cli_soundness(model));
    HA_TRY(bg_equations_text(model->causality, &text));
    status = ha__output_write(cli->ctx, path, text, strlen(text));
    free(text);
    return status;
}

ha_status cmd_equations(cli_call *cli)
{
    cli_model model = { 0 };
    ha_status status = print(cli, &model);

    cli_model_clear(&model);
    return status;
}
