/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What analyses write in the same formats: a text, a table over the time, a plot. */
#ifndef TOOLS_WRITTEN_H
#define TOOLS_WRITTEN_H

#include "lib/core/strbuf.h"
#include "lib/result.h"
#include "tools/shared/cli.h"

/* A row of a table of formats. */
typedef struct cli_format {
    ha__suffix name;
    enum { CLI_FORMAT_TEXT, CLI_FORMAT_CSV, CLI_FORMAT_MAT } kind;
} cli_format;

/* What there is to write, of one analysis. */
typedef struct cli_written {
    const ha__suffixes *formats; /* rows are cli_format; a suffix of none of them is a plot's */
    const void *job;
    const ha_result *table; /* NULL where no format has one */
    void (*add_text)(ha__strbuf *out, const void *job);
    ha_status (*write_plot)(cli_call *cli, const void *job, const char *path);
} cli_written;

/* Writes by the suffix of the path, "-": the first format. */
HA_MUST_CHECK ha_status cli_write(cli_call *cli, const cli_written *what, const char *path);

#endif
