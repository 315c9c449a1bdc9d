/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the model on the command line, from reading to results. */
#include <config.h>

#include "tools/shared/solve.h"

#include "lib/core/clock.h"
#include "tools/shared/cycle.h"
#include "tools/shared/kinds.h"

#include <math.h>
#include <string.h>

static bool has_variant(const cli_model *model, const char *name)
{
    for (int i = 0; model->file != NULL && i < m2d_model_n_variants(model->file); i++) {
        if (strcmp(m2d_model_variant(model->file, i), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Loads with one of the variants of the command line, as if it were the only one; `base` is the
   file as it stands, unless the file has a variant of this name. */
static ha_status load(cli_call *cli, int variant, cli_model *model)
{
    cli_call one = *cli;

    one.variants.count = 0;
    one.given[CLI_VARIANT] = false;
    if (variant < 0) {
        return cli_load(&one, model);
    }
    if (strcmp(cli->variants.items[variant], "base") == 0) {
        HA_TRY(cli_load(&one, model));
        if (!has_variant(model, "base")) {
            return HA_OK;
        }
        m2d__kit_clear(model);
    }
    one.given[CLI_VARIANT] = true;
    one.variants.items = &cli->variants.items[variant];
    one.variants.count = 1;
    return cli_load(&one, model);
}

cli_run cli_run_new(const char *name)
{
    const double none = (double) NAN;

    return (cli_run){ .name = name,
                      .seconds_setup = none,
                      .report = { .alpha = none,
                                  .beta = none,
                                  .energy_error = none,
                                  .energy_passed = none,
                                  .constraint_error = none,
                                  .velocity_error = none,
                                  .atol = none } };
}

ha_status cli_check_end(cli_call *cli, const cli_model *model)
{
    return model->options.solver.t_end >= 0.0
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_VALUE, (ha_where){ model->name, 0, 0 },
                         "the model has no end time; give --t-end TIME%s",
                         model->system != NULL ? ", or `simulate: {t_end: TIME}` in the file" : "");
}

ha_status cli_run_solve(cli_call *cli, cli_run *run, double begin)
{
    cli_model *model = &run->model;

    run->from = model->options.from;
    if (model->options.from == BG_FROM_PERIODIC) {
        bg_cycle cycle;
        run->status = cycle_find(cli, model, &cycle);
        bg_cycle_clear(&cycle);
        HA_TRY(run->status);
    }
    HA_TRY_GET(run->result, ha_result_new(cli->ctx));
    HA_TRY_ALLOC_EACH(cli->ctx, bg_model_dae(model->compiled)->n_outputs, run->peaks, run->largest,
                      run->beside);
    run->seconds_setup = ha__clock() - begin;
    HA_TRY(m2d__kit_warn(model));
    run->n_said = ha_ctx_n_diags(cli->ctx);
    run->status = m2d__kit_run(cli->ctx, model, run->peaks, run->result, &run->report);
    return run->status == HA_ERR_MEMORY
               ? HA_OK
               : kinds_measure(cli->ctx, model, run->result, run->peaks, run->largest, run->beside);
}

ha_status cli_solve(cli_call *cli, int variant, bool with_bonds, cli_run *run)
{
    const double begin = ha__clock();

    *run = cli_run_new(variant < 0 ? NULL : cli->variants.items[variant]);
    HA_TRY(load(cli, variant, &run->model));
    HA_TRY(cli_check_end(cli, &run->model));
    run->model.with_bonds = with_bonds;
    run->model.extend = with_bonds ? cli_find_drive : run->model.extend;
    run->model.options.solver.events =
        HA_EVENT_ROWS_NONE; /* runs are laid over each other by row */
    run->status = m2d__kit_prepare(&run->model);
    if (run->status != HA_OK) {
        return HA_OK;
    }
    cli_begin_work(cli);
    ha_status status = cli_run_solve(cli, run, begin);
    cli_end_work(cli);
    return status;
}

void cli_run_drop_results(cli_run *run)
{
    ha_result_free(run->result);
    HA_FREE(run->peaks, run->largest, run->beside);
    run->result = NULL;
    run->peaks = NULL;
    run->largest = NULL;
    run->beside = NULL;
    if (run->ctx != NULL) {
        ha_ctx_free(run->ctx);
    }
    run->ctx = NULL;
}

void cli_run_clear(cli_run *run)
{
    m2d__kit_clear(&run->model);
    cli_run_drop_results(run);
}

size_t cli_run_n_rows(const cli_run *run)
{
    return run->result == NULL ? 0 : ha_result_n_rows(run->result);
}
