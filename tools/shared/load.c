/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to a model. */
#include <config.h>

#include "tools/shared/load.h"

#include "bondgraph/model/run_options.h"
#include "tools/shared/source.h"

#include <pthread.h>
#include <string.h>

/* --- options of a run ----------------------------------------------------------------------- */

/* A limit that the method has no use for, given here or in the file. */
static void warn_of_order(cli_call *cli, const ha_dae_options *solver)
{
    bool is_explicit =
        solver->driver == HA_DRIVER_EXPLICIT || solver->driver == HA_DRIVER_EXPLICIT8;

    if (is_explicit && (cli_has(cli, CLI_RUN_max_order) ||
                        solver->max_order != ha_dae_options_default().max_order)) {
        ha_warn(cli->ctx, HA_NOWHERE,
                "the highest order, max-order %ld, is that of the implicit method: the driver `%s` "
                "does not use it; leave it out, or take the driver ida or auto",
                solver->max_order, ha_driver_name((ha_driver) solver->driver));
    }
}

/* What the command line says about the run overrides the file. */
ha_status cli_read_run_options(cli_call *cli, bg_run_options *options)
{
    for (int i = 0; i < BG__RUN_COUNT; i++) {
        cli_option option = (cli_option) (CLI_RUN_FIRST + i);
        if (cli_has(cli, option)) {
            HA_TRY(ha__option_read(cli->ctx, &bg__run_options[i], options, cli->text[option],
                                   HA_NOWHERE));
        }
    }
    warn_of_order(cli, &options->solver);
    return HA_OK;
}

/* --- the model ------------------------------------------------------------------------------- */

static ha_status load(cli_call *cli, const m2d_variable *variable, bool is_still, cli_model *model)
{
    m2d_source source;
    char *text = NULL;
    size_t length = 0;

    *model = (cli_model){ 0 };
    HA_TRY(cli_source(cli, &source));
    HA_TRY(m2d__kit_text(cli->ctx, &source, &text, &length));
    const m2d__kit_def def = { .source = &source,
                               .text = text,
                               .length = length,
                               .where_present = cli->where_present,
                               .variables = variable,
                               .n_variables = variable != NULL && m2d__kit_is_file(&source) ? 1 : 0,
                               .use = M2D__KIT_EQUATIONS,
                               .is_still = is_still,
                               .is_bare = !cli_solves(cli->command) };
    ha_status status = m2d__kit_read(cli->ctx, &def, model);
    ha__free(text);
    HA_THEN(status, cli_read_run_options(cli, &model->options));
    if (model->options.from == BG_FROM_PERIODIC) {
        cli_seek_cycle(model);
    }
    return status;
}

void cli_seek_cycle(cli_model *model)
{
    model->options.from = BG_FROM_PERIODIC;
    model->extend = cli_find_drive;
    model->compile = bg_model_compile_periodic;
}

ha_status cli_load(cli_call *cli, cli_model *model)
{
    return load(cli, NULL, false, model);
}

ha_status cli_load_still(cli_call *cli, const m2d_variable *variable, cli_model *model)
{
    return load(cli, variable, true, model);
}

ha_status cli_on_model(cli_call *cli, ha_status (*work)(cli_call *cli, cli_model *model))
{
    cli_model model = { 0 };
    ha_status status = work(cli, &model);

    m2d__kit_clear(&model);
    return status;
}

const char *cli_model_title(const cli_call *cli, const cli_model *model)
{
    const char *name = model->file == NULL ? "" : m2d_model_name(model->file);
    const char *slash = strrchr(model->name, '/');

    if (name[0] != '\0') {
        return name;
    }
    if (model->own != NULL && cli->file == NULL) {
        return cli->text[CLI_GRAPH];
    }
    return slash == NULL ? model->name : slash + 1;
}

ha_status cli_find_drive(cli_model *model)
{
    HA_TRY(bg_equations_drive(model->equations, &model->drive));
    const char *breaks = model->drive.breaks;
    if (breaks != NULL) {
        HA_TRY_GET(model->breaks,
                   ha__copy_text(bg_graph_ctx(model->graph), breaks, strlen(breaks)));
    }
    model->drive.breaks = NULL; /* the equations are not kept */
    return HA_OK;
}

ha_status cli_add_losses(cli_model *model)
{
    int n = 0;

    HA_TRY(model->options.from == BG_FROM_PERIODIC ? cli_find_drive(model) : HA_OK);
    HA_TRY(bg_equations_add_losses(model->equations, model->causality, &n));
    model->more = n > 0 ? "#dissipated" : NULL;
    return HA_OK;
}

/* --- machine code ---------------------------------------------------------------------------- */

/* One compiler at a time: equal models find the code of the first in the cache. */
static pthread_mutex_t translation = PTHREAD_MUTEX_INITIALIZER;

ha_status cli_translate(ha_ctx *ctx, const cli_model *model, bool *is_done)
{
    ha_ctx *own = ha_ctx_new(); /* its errors are our warnings */

    HA_TRY_MEMORY(own);
    cli_share_interrupt(own);
    pthread_mutex_lock(&translation);
    ha_status status = bg_model_build_native(own, model->compiled);
    pthread_mutex_unlock(&translation);
    *is_done = status == HA_OK;
    const char *text = ha_ctx_n_diags(own) > 0 ? ha_ctx_diag(own, 0)->text : ha_status_text(status);
    if (status == HA_ERR_INTERRUPTED) {
        status = ha_fail(ctx, status, HA_NOWHERE, "%s; nothing was computed", text);
    } else if (status != HA_OK) {
        ha_warn(ctx, HA_NOWHERE, "the equations are interpreted: %s", text);
        status = HA_OK;
    }
    ha_ctx_free(own);
    return status;
}
