/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What analyses write in the same formats: a text, a table over the time, a plot. */
#include <config.h>

#include "tools/shared/written.h"

#include "lib/core/output.h"

static ha_status write_text(cli_call *cli, const cli_written *what, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);

    what->add_text(&out, what->job);
    ha_status status = out.status;
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length));
    return ha__strbuf_drop(&out, status);
}

ha_status cli_write(cli_call *cli, const cli_written *what, const char *path)
{
    const cli_format *to = ha__suffix_find(what->formats, path);

    return to == NULL                    ? what->write_plot(cli, what->job, path)
           : to->kind == CLI_FORMAT_TEXT ? write_text(cli, what, path)
           : to->kind == CLI_FORMAT_CSV  ? ha_result_write_csv(what->table, path)
                                         : ha_result_write_mat(what->table, path);
}
