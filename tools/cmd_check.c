/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow check: what kind of problem a model is. */
#include <config.h>

#include "tools/report.h"

static ha_status print(cli *cli, const cli_model *model, const m2d_assembly *assembly)
{
    cli_json json = { 0 };
    ha_status status = HA_OK;

    if (!cli_has(cli, CLI_JSON)) {
        return report_print(cli, model, assembly);
    }
    json = cli_json_new();
    status = report_to_json(cli, model, assembly, &json);
    if (status != HA_OK) {
        json_decref(json.object);
        return status;
    }
    return cli_json_print(cli, &json);
}

/* The report is printed for unsound models and for those that cannot be assembled too. */
static ha_status check(cli *cli, cli_model *model)
{
    m2d_assembly *assembly = NULL;
    ha_status found = HA_OK, status = HA_OK;

    HA_TRY(cli_load(cli, model));
    HA_TRY(cli_assign(model));
    found = bg_causality_status(model->causality);
    if (found == HA_OK) {
        found = model->system != NULL ? m2d_assemble(model->system, &assembly) : HA_OK;
    }
    if (found == HA_OK) {
        found = cli_probe(cli, model, assembly);
    }
    status = print(cli, model, assembly);
    m2d_assembly_free(assembly);
    return found != HA_OK ? found : status;
}

ha_status cmd_check(cli *cli)
{
    cli_model model = { 0 };
    ha_status status = check(cli, &model);

    cli_model_clear(&model);
    return status;
}
