/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow draw: the bond graph as a picture. */
#include <config.h>

#include "bondgraph/draw/export_formats.h"
#include "mech2d/place.h"
#include "tools/page/figure.h"
#include "tools/shared/load.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether the picture has the shape of the mechanism: `*is_shaped`. */
static ha_status read_layout(const cli_call *cli, bool *is_shaped)
{
    const char *name = cli->text[CLI_LAYOUT];

    *is_shaped = !cli_has(cli, CLI_LAYOUT) || strcmp(name, "shape") == 0;
    if (!*is_shaped && strcmp(name, "rows") != 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "there is no layout `%s`; use shape or rows", name);
    }
    return HA_OK;
}

/* Finds where the parts of a mechanism are. One that cannot be assembled is drawn as far as that
   came, and still reported. */
static ha_status find_places(cli_model *model, bg_draw_options *options, bg_draw_place **places)
{
    ha_status status = m2d__kit_assemble(model);

    if (model->assembly != NULL) {
        HA_TRY(m2d_assembly_places(model->assembly, places, &options->n_places));
        options->places = *places;
    }
    return status;
}

static ha_status draw(cli_call *cli, cli_model *model, bg_draw_options *options,
                      bg_draw_place **places)
{
    const char *file = cli->text[CLI_OUTPUT];
    const bg__draw_format *to = ha__suffix_find(&bg__draw_formats, file);
    ha_status found = HA_OK, status = HA_OK;
    bool is_shaped = false;

    HA_TRY(read_level(cli, options));
    HA_TRY(read_layout(cli, &is_shaped));
    options->has_legend = !cli_has(cli, CLI_NO_LEGEND);
    HA_TRY(cli_load(cli, model));
    if (is_shaped && model->system != NULL && to->has_positions) {
        found = find_places(model, options, places);
    }
    /* an unsound graph is drawn as far as its causality goes, and still reported */
    if (!cli_has(cli, CLI_ACAUSAL) && options->level != BG_DRAW_WORD) {
        HA_TRY(m2d__kit_assign(model));
        found = found == HA_OK ? bg_causality_status(model->causality) : found;
    }
    status = bg_graph_draw(model->graph, model->causality, options, file);
    return found != HA_OK ? found : status;
}

/* A picture of the graph has no times and no ways of points. */
static ha_status check_options(const cli_call *cli)
{
    static const struct {
        cli_option option;
        const char *text;
    } of_mechanisms[] = { { CLI_AT, "--at" }, { CLI_Y, "-y" }, { CLI_ARROWS, "--arrows" } };

    for (size_t i = 0; i < HA_COUNT(of_mechanisms); i++) {
        if (cli_has(cli, of_mechanisms[i].option)) {
            return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "%s is for pictures of the mechanism; add --mechanism, or leave it out "
                           "for the bond graph",
                           of_mechanisms[i].text);
        }
    }
    return HA_OK;
}

ha_status cmd_draw(cli_call *cli)
{
    bg_draw_options options = bg_draw_options_default();
    bg_draw_place *places = NULL;
    cli_model model = { 0 };

    if (cli_has(cli, CLI_MECHANISM)) {
        return figure_draw(cli);
    }
    HA_TRY(check_options(cli));
    cli_begin_work(cli);
    ha_status status = draw(cli, &model, &options, &places);
    cli_end_work(cli);
    free(places);
    m2d__kit_clear(&model);
    return status;
}
