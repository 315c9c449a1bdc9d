/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow causality: the causal bond graph as a table. */
#include <config.h>

#include "tools/shared/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The widest name at one end of the bonds. */
static int name_width(const cli_model *model, bool at_head)
{
    size_t width = 4;

    for (int b = 0; b < bg_graph_n_bonds(model->graph); b++) {
        bg_element e = at_head ? bg_bond_head(model->graph, b) : bg_bond_tail(model->graph, b);
        size_t length = strlen(bg_element_name(model->graph, e));
        width = length > width ? length : width;
    }
    return (int) width;
}

static ha_status print_table(const cli_model *model)
{
    int tail_width = name_width(model, false), head_width = name_width(model, true);
    bg_bond *bonds = NULL;

    HA_TRY(report_bonds(model, &bonds));
    printf("%6s  %-*s  %-*s  %3s  %s\n", "bond", tail_width, "tail", head_width, "head", "dim",
           "stroke");
    for (int i = 0; i < bg_graph_n_bonds(model->graph); i++) {
        bg_bond b = bonds[i];
        int n = report_is_uniform(model, b) ? 1 : bg_bond_dim(model->graph, b);
        printf("%6d  %-*s  %-*s  %3d ", i + 1, tail_width,
               bg_element_name(model->graph, bg_bond_tail(model->graph, b)), head_width,
               bg_element_name(model->graph, bg_bond_head(model->graph, b)),
               bg_bond_dim(model->graph, b));
        for (int c = 0; c < n; c++) {
            printf(" %s", report_stroke(bg_causality_stroke(model->causality, b, c)));
        }
        putchar('\n');
    }
    putchar('\n');
    ha__free(bonds);
    return HA_OK;
}

static ha_status print_trace(const cli_model *model)
{
    char *trace = NULL;

    HA_TRY(bg_causality_trace(model->causality, &trace));
    printf("%s\n", trace);
    free(trace);
    return HA_OK;
}

static ha_status put_trace(const cli_model *model, cli_json *json)
{
    char *trace = NULL;

    HA_TRY(bg_causality_trace(model->causality, &trace));
    cli_json_put(json, "trace", json_string(trace));
    free(trace);
    return HA_OK;
}

static ha_status print_json(cli_call *cli, const cli_model *model)
{
    cli_json json = cli_json_new();
    ha_status status = report_to_json(cli, model, &json);

    HA_THEN(status, cli_has(cli, CLI_TRACE) ? put_trace(model, &json) : HA_OK);
    return cli_json_end(cli, &json, status);
}

static ha_status print(cli_call *cli, const cli_model *model)
{
    if (cli_has(cli, CLI_JSON)) {
        return print_json(cli, model);
    }
    if (cli_has(cli, CLI_TRACE)) {
        HA_TRY(print_trace(model));
    }
    HA_TRY(print_table(model));
    return report_print(cli, model);
}

static ha_status show(cli_call *cli, cli_model *model)
{
    HA_TRY(cli_load(cli, model));
    HA_TRY(m2d__kit_assign(model));
    ha_status found = bg_causality_status(model->causality);
    HA_THEN(found, m2d__kit_assemble(model));
    ha_status status = print(cli, model);
    return found != HA_OK ? found : status;
}

ha_status cmd_causality(cli_call *cli)
{
    return cli_on_model(cli, show);
}
