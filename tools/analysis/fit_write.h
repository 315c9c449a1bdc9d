/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fit, found and shown as text, table, plot and JSON. */
#ifndef TOOLS_FIT_WRITE_H
#define TOOLS_FIT_WRITE_H

#include "mech2d/study/study.h"
#include "tools/shared/cli.h"

/* What there is to write. */
typedef struct fit_job {
    const m2d__study *study;
    m2d_fit fit;
} fit_job;

/* Fits what the study says, with the options of the command line; `job->fit` is to be cleared. */
HA_MUST_CHECK ha_status fit_find(cli_call *cli, const m2d_source *source, m2d__study *study,
                                 fit_job *job);

/* Writes by the suffix of the path, "-": text. */
HA_MUST_CHECK ha_status fit_write(cli_call *cli, const fit_job *job, const char *path);

HA_MUST_CHECK ha_status fit_print_json(cli_call *cli, const fit_job *job);

/* The status of how the fit ended, and what to do where it is no good one. */
HA_MUST_CHECK ha_status fit_judge(cli_call *cli, const fit_job *job);

#endif
