/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow check: what kind of problem a model is. */
#include <config.h>

#include "bondgraph/model_priv.h"
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

/* Whether the equations can be solved at the start. Redundant constraints have been named already
   and are no obstacle. */
static ha_status probe(cli_call *cli, cli_model *model)
{
    double parameters[BG__PARAMETER_COUNT] = { 0 };
    const ha_dae *dae = NULL;
    double *rates = NULL;
    ha_status status = HA_OK;

    if (bg_causality_status(model->causality) != HA_OK) {
        return HA_OK;
    }
    if (model->assembly != NULL && m2d_assembly_n_redundant(model->assembly) > 0) {
        return HA_OK;
    }
    HA_TRY(cli_compile(model));
    dae = bg_model_dae(model->compiled);
    HA_TRY_ALLOC(cli->ctx, rates, dae->n);
    status = ha_dae_start(cli->ctx, dae, parameters, 0.0, model->start, rates);
    ha__free(rates);
    return status;
}

/* The report is printed for unsound models and for those that cannot be assembled too. */
static ha_status check(cli_call *cli, cli_model *model)
{
    ha_status found = HA_OK, status = HA_OK;

    HA_TRY(cli_load(cli, model));
    HA_TRY(cli_assign(model));
    found = report_soundness(cli, model);
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
