/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow check: what kind of problem a model is. */
#include <config.h>

#include "tools/report.h"

static ha_status print(cli_call *cli, const cli_model *model)
{
    cli_json json = { 0 };
    ha_status status = HA_OK;

    if (!cli_has(cli, CLI_JSON)) {
        return report_print(cli, model);
    }
    json = cli_json_new();
    status = report_to_json(cli, model, &json);
    if (status != HA_OK) {
        json_decref(json.object);
        return status;
    }
    return cli_json_print(cli, &json);
}

/* Whether the equations can be solved at the start; redundant constraints are released for it. */
static ha_status probe(cli_call *cli, cli_model *model)
{
    HA_TRY(cli_compile(model));
    ha_status status = bg_model_probe(cli->ctx, model->compiled, model->start);
    model->is_singular = status == HA_ERR_SINGULAR;
    return status;
}

/* The report is printed for unsound models and for those that cannot be assembled too. */
static ha_status check(cli_call *cli, cli_model *model)
{
    ha_status found = HA_OK, status = HA_OK;

    HA_TRY(cli_load(cli, model));
    HA_TRY(cli_assign(model));
    found = bg_causality_status(model->causality);
    if (found == HA_OK) {
        found = cli_assemble(model);
    }
    if (found == HA_OK) {
        found = probe(cli, model);
    }
    status = print(cli, model);
    return found != HA_OK ? found : status;
}

ha_status cmd_check(cli_call *cli)
{
    cli_model model = { 0 };
    ha_status status = check(cli, &model);

    cli_model_clear(&model);
    return status;
}
