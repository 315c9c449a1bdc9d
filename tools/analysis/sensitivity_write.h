/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensitivities as text, table, plot and JSON. */
#ifndef TOOLS_SENSITIVITY_WRITE_H
#define TOOLS_SENSITIVITY_WRITE_H

#include "bondgraph/sensitivity.h"
#include "tools/shared/cli.h"

/* What there is to write. */
typedef struct sensitivity_job {
    const char *title;
    bg_sensitivity result;
    double *values;    /* (parameters) of the parameters [SI] */
    ha_result *curves; /* over the run; NULL: not wanted */
} sensitivity_job;

/* p/y dy/dp: by how many per cent an output grows when the parameter grows by one; NAN where the
   output or the parameter is 0. */
double sensitivity_relative(const sensitivity_job *j, int output, int parameter);

/* True when a file is of a format that shows the run, not its end alone. */
bool sensitivity_needs_curves(const char *path);

/* Writes by the suffix of the path, "-": text. */
HA_MUST_CHECK ha_status sensitivity_write(cli_call *cli, const sensitivity_job *job,
                                          const char *path);

HA_MUST_CHECK ha_status sensitivity_print_json(cli_call *cli, const sensitivity_job *job);

#endif
