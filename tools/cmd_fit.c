/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow fit: values of a model fitted to measurements. */
#include <config.h>

#include "tools/analysis/fit_write.h"

#include <string.h>

static ha_status show(cli_call *cli, const fit_job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(fit_write(cli, j, cli->text[CLI_OUTPUT]));
    }
    HA_TRY(cli_has(cli, CLI_JSON)     ? fit_print_json(cli, j)
           : cli_has(cli, CLI_OUTPUT) ? HA_OK
                                      : fit_write(cli, j, "-"));
    return fit_judge(cli, j);
}

static ha_status check_call(cli_call *cli)
{
    const bool has_graph = cli_has(cli, CLI_GRAPH);
    const size_t n = cli->files.count, needed = has_graph ? 0 : 1;

    if (n < needed || n > needed + 1 || (has_graph && n == 0)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`fit` needs a model and the file of a study with `fit`, or a model with "
                       "the section `study`: `halfarrow fit FILE STUDY`");
    }
    if (!has_graph && strcmp(cli->files.items[0], "-") == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`fit` reads its model more than once; give a file instead of `-`");
    }
    return cli->variants.count <= 1
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "`fit` takes one --variant, %zu are given", cli->variants.count);
}

ha_status cmd_fit(cli_call *cli)
{
    m2d__study *study = NULL;
    fit_job job = { 0 };

    HA_TRY(check_call(cli));
    const bool has_graph = cli_has(cli, CLI_GRAPH);
    const size_t n = cli->files.count;
    const char *last = cli->files.items[n - 1];
    const m2d_source source = { .path = has_graph ? NULL : cli->files.items[0],
                                .graph = cli->text[CLI_GRAPH],
                                .variant = cli->variants.count == 1 ? cli->variants.items[0] : NULL,
                                .sets = cli->sets.items,
                                .n_sets = (int) cli->sets.count,
                                .libraries = cli->libraries.items,
                                .n_libraries = (int) cli->libraries.count };
    HA_TRY(m2d__study_read(cli->ctx, last, n == 1 && !has_graph, &study));
    ha_status status = study->fit.data != NULL
                           ? HA_OK
                           : ha_fail(cli->ctx, HA_ERR_NAME, (ha_where){ last, 0, 0 },
                                     "the study has no `fit`; add "
                                     "`fit: {data: FILE.csv, parameters: {PATH: {start: VALUE}}}`");
    cli_begin_work(cli);
    HA_THEN(status, fit_find(cli, &source, study, &job));
    cli_end_work(cli);
    HA_THEN(status, show(cli, &job));
    m2d__fit_clear(&job.fit);
    m2d__study_free(study);
    return status;
}
