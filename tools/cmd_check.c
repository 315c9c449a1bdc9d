/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow check: what kind of problem a model is. */
#include <config.h>

#include "tools/shared/report.h"

#include <string.h>

static ha_status print(cli_call *cli, const cli_model *model)
{
    if (!cli_has(cli, CLI_JSON)) {
        return report_print(cli, model);
    }
    cli_json json = cli_json_new();
    return cli_json_end(cli, &json, report_to_json(cli, model, &json));
}

/* Whether the equations can be solved at the start; redundant constraints are released for it. */
static ha_status probe(cli_call *cli, cli_model *model)
{
    HA_TRY(m2d__kit_compile(model));
    ha_status status = bg_model_probe(cli->ctx, model->compiled, model->start);
    model->is_singular = status == HA_ERR_SINGULAR;
    return status;
}

/* Reads each variant of a file that is checked as it stands, for what is wrong in the variant
   itself: it would show in a run of that variant only. The first fault of all. */
static ha_status check_variants(cli_call *cli, const cli_model *model)
{
    int n =
        model->file == NULL || cli_has(cli, CLI_VARIANT) ? 0 : m2d_model_n_variants(model->file);
    ha_status first = HA_OK;

    for (int i = 0; i < n && first != HA_ERR_MEMORY; i++) {
        m2d_read_def def = { .variant = m2d_model_variant(model->file, i),
                             .sets = cli->sets.items,
                             .n_sets = (int) cli->sets.count,
                             .libraries = cli->libraries.items,
                             .n_libraries = (int) cli->libraries.count };
        m2d_model *file = NULL;
        ha_status status =
            cli->input == NULL
                ? m2d_read_file(cli->ctx, cli->file, &def, &file)
                : m2d_read_text(cli->ctx, cli->input, cli->input_length, cli->file, &def, &file);
        m2d_model_free(file);
        first = first == HA_OK || status == HA_ERR_MEMORY ? status : first;
    }
    return first;
}

/* The report is printed for unsound models and for those that cannot be assembled too. */
static ha_status check(cli_call *cli, cli_model *model)
{
    HA_TRY(cli_load(cli, model));
    HA_TRY(m2d__kit_assign(model));
    ha_status found = bg_causality_status(model->causality);
    HA_THEN(found, m2d__kit_assemble(model));
    HA_THEN(found, probe(cli, model));
    ha_status printed = print(cli, model);
    ha_status checked = check_variants(cli, model);
    return found != HA_OK ? found : printed != HA_OK ? printed : checked;
}

ha_status cmd_check(cli_call *cli)
{
    return cli_on_model(cli, check);
}
