/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow fit: values of a model fitted to measurements. */
#include <config.h>

#include "tools/analysis/fit_write.h"
#include "tools/shared/source.h"

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

ha_status cmd_fit(cli_call *cli)
{
    m2d__study *study = NULL;
    fit_job job = { 0 };

    m2d_source source;
    HA_TRY(cli_study(cli,
                     "a model and the file of a study with `fit`, or a model with the section "
                     "`study`: `halfarrow fit FILE STUDY`",
                     &source, &study));
    ha_status status = study->fit.data != NULL
                           ? HA_OK
                           : ha_fail(cli->ctx, HA_ERR_NAME, (ha_where){ study->file, 0, 0 },
                                     "the study has no `fit`; add "
                                     "`fit: {data: FILE.csv, parameters: {PATH: {start: VALUE}}}`");
    cli_begin_work(cli);
    HA_THEN(status, fit_find(cli, &source, study, &job));
    cli_end_work(cli);
    HA_THEN(status, show(cli, &job));
    m2d_fit_clear(&job.fit);
    m2d__study_free(study);
    return status;
}
