/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow sensitivity: how the outputs of a run depend on values of the model. */
#include <config.h>

#include "mech2d/sensitivity.h"

#include "lib/core/mem.h"
#include "tools/analysis/sensitivity_write.h"
#include "tools/shared/load.h"
#include "tools/shared/names.h"
#include "tools/shared/source.h"

#include <math.h>
#include <string.h>

/* The names that the command line has. */
typedef struct {
    char *text[2];
    cli_names parameters, outputs;
} request;

static ha_status read_request(cli_call *cli, request *r)
{
    HA_TRY(cli_names_read(cli, CLI_PARAMETER, &r->text[0], &r->parameters));
    HA_TRY(cli_names_read(cli, CLI_Y, &r->text[1], &r->outputs));
    if (r->parameters.count == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`sensitivity` needs what to differentiate with respect to: --parameter "
                       "PATH,..., such as parameters.length or bodies.rod.mass");
    }
    return HA_OK;
}

static ha_status adjust(void *user, bg_run_options *options)
{
    return cli_read_run_options(user, options);
}

static ha_status find(cli_call *cli, const request *r, sensitivity_job *j)
{
    m2d_source source;

    HA_TRY(cli_source(cli, &source));
    source.outputs = r->outputs.count > 0 ? r->outputs.items : NULL;
    source.n_outputs = (int) r->outputs.count;
    const m2d_sensitivity_def def = { .source = &source,
                                      .parameters = r->parameters.items,
                                      .n_parameters = (int) r->parameters.count,
                                      .adjust = adjust,
                                      .user = cli,
                                      .curves = j->curves };

    return m2d_sensitivities(cli->ctx, &def, j->values, &j->result);
}

static ha_status prepare(cli_call *cli, request *r, sensitivity_job *j)
{
    const char *path = cli->text[CLI_OUTPUT], *slash = NULL;

    HA_TRY(read_request(cli, r));
    slash = cli->file == NULL ? NULL : strrchr(cli->file, '/');
    j->title = cli->file == NULL ? cli->text[CLI_GRAPH] : slash == NULL ? cli->file : slash + 1;
    HA_TRY_ALLOC(cli->ctx, j->values, r->parameters.count);
    if (path != NULL && sensitivity_needs_curves(path)) {
        HA_TRY_GET(j->curves, ha_result_new(cli->ctx));
    }
    return HA_OK;
}

/* HA_OK when an output has a derivative. */
static ha_status check_derivatives(const cli_call *cli, const bg_sensitivity *r)
{
    for (int i = 0; i < r->n_outputs; i++) {
        if (!isnan(r->value[(size_t) i * (size_t) r->n_parameters])) {
            return HA_OK;
        }
    }
    return r->n_outputs == 0
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "`%s`%s no derivative: what reads energy.error is what the energies are "
                         "off by; ask for other outputs with -y",
                         r->outputs[0], r->n_outputs > 1 ? " and the others have" : " has");
}

static ha_status show(cli_call *cli, const sensitivity_job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(sensitivity_write(cli, j, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return sensitivity_print_json(cli, j);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : sensitivity_write(cli, j, "-");
}

ha_status cmd_sensitivity(cli_call *cli)
{
    request r = { 0 };
    sensitivity_job j = { 0 };
    ha_status status = prepare(cli, &r, &j);

    cli_begin_work(cli);
    HA_THEN(status, find(cli, &r, &j));
    cli_end_work(cli);
    HA_THEN(status, check_derivatives(cli, &j.result));
    HA_THEN(status, show(cli, &j));
    bg_sensitivity_clear(&j.result);
    ha_result_free(j.curves);
    HA_ARRAY_CLEAR(&r.parameters, &r.outputs);
    HA_FREE(j.values, r.text[0], r.text[1]);
    return status;
}
