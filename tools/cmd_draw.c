/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow draw: the bond graph as a picture. */
#include <config.h>

#include "bondgraph/export.h"
#include "tools/load.h"

static ha_status read_level(const cli_call *cli, bg_draw_options *options)
{
    const char *name = cli->text[CLI_LEVEL];

    if (!cli_has(cli, CLI_LEVEL)) {
        return HA_OK;
    }
    options->level = bg_draw_level_find(name);
    if (options->level == BG_DRAW_LEVEL_COUNT) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "there is no level `%s`; use word, multibond or scalar", name);
    }
    return HA_OK;
}

/* An unsound graph is drawn as far as its causality goes, and still reported. */
static ha_status draw(cli_call *cli, cli_model *model)
{
    bg_draw_options options = bg_draw_options_default();
    ha_status found = HA_OK, status = HA_OK;

    if (!cli_has(cli, CLI_OUTPUT)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`draw` needs a file to write: -o FILE with the suffix .dot, .svg, .pdf, "
                       ".png or .graphml, or `-o -` for DOT text");
    }
    HA_TRY(read_level(cli, &options));
    HA_TRY(cli_load(cli, model));
    if (!cli_has(cli, CLI_ACAUSAL) && options.level != BG_DRAW_WORD) {
        HA_TRY(cli_assign(model));
        found = bg_causality_status(model->causality);
    }
    status = bg_graph_draw(model->graph, model->causality, &options, cli->text[CLI_OUTPUT]);
    return found != HA_OK ? found : status;
}

ha_status cmd_draw(cli_call *cli)
{
    cli_model model = { 0 };
    ha_status status = HA_OK;

    cli_begin_work(cli);
    status = draw(cli, &model);
    cli_end_work(cli);
    cli_model_clear(&model);
    return status;
}
