/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models that are read more than once, and studies beside them, by the command line. */
#include <config.h>

#include "tools/shared/source.h"

#include "lib/data/result_format.h"

#include <string.h>

/* A table instead of a model is told apart by its suffix. */
static ha_status check_suffix(cli_call *cli, const char *path)
{
    return path == NULL || ha__suffix_of(&ha__result_formats, path) == NULL
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, (ha_where){ path, 0, 0 },
                         "this is a table of results, and `%s` works on a model, a file .yaml or "
                         ".bgl; `halfarrow plot` draws tables",
                         cli->command->name);
}

ha_status cli_source(cli_call *cli, m2d_source *out)
{
    const char *path = cli->file;

    if (path == NULL && !cli_has(cli, CLI_GRAPH) && cli->files.count > 0) {
        path = cli->files.items[0];
    }
    if (cli->variants.count > 1) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` takes one --variant, %zu are given", cli->command->name,
                       cli->variants.count);
    }
    HA_TRY(check_suffix(cli, path));
    HA_TRY(cli_read_input(cli, path));
    *out = (m2d_source){ .path = path,
                         .text = cli->input,
                         .text_length = cli->input_length,
                         .graph = cli->text[CLI_GRAPH],
                         .variant = cli->variants.count == 1 ? cli->variants.items[0] : NULL,
                         .sets = cli->sets.items,
                         .n_sets = (int) cli->sets.count,
                         .libraries = cli->libraries.items,
                         .n_libraries = (int) cli->libraries.count };
    return HA_OK;
}

ha_status cli_study(cli_call *cli, const char *needs, m2d_source *source, m2d__study **study)
{
    const bool has_graph = cli_has(cli, CLI_GRAPH);
    const size_t n = cli->files.count, least = has_graph ? 0 : 1;

    if (n < least || n > least + 1 || (has_graph && n == 0)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE, "`%s` needs %s", cli->command->name,
                       needs);
    }
    HA_TRY(cli_source(cli, source));
    return m2d__study_read(cli->ctx, cli->files.items[n - 1], n == least, study);
}
