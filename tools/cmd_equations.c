/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow equations: what the strokes say, in causal order, as text or LaTeX; or what the solver
   gets, as C. */
#include <config.h>

#include "lib/core/output.h"
#include "tools/shared/load.h"

#include <stdlib.h>
#include <string.h>

static ha_status write_text(cli_model *model, char **out)
{
    return bg_equations_text(model->causality, out);
}

static ha_status write_latex(cli_model *model, char **out)
{
    return bg_equations_latex(model->causality, out);
}

/* The solver starts from the assembled mechanism, without its redundant constraints. */
static ha_status write_c(cli_model *model, char **out)
{
    model->keeps_equations = true;
    HA_TRY(m2d__kit_assemble(model));
    HA_TRY(m2d__kit_compile(model));
    return bg_equations_c(model->equations, model->causality, model->start, out);
}

static const struct {
    const char *name;
    ha_status (*write)(cli_model *model, char **out);
} formats[] = {
    { "text", write_text },
    { "latex", write_latex },
    { "c", write_c },
};

static ha_status find_format(cli_call *cli, size_t *out)
{
    *out = 0;
    for (size_t i = 0; cli_has(cli, CLI_FORMAT) && i < HA_COUNT(formats); i++) {
        if (strcmp(cli->text[CLI_FORMAT], formats[i].name) == 0) {
            *out = i;
            return HA_OK;
        }
    }
    return !cli_has(cli, CLI_FORMAT)
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "equations have no format `%s`; use --format text, latex or c",
                         cli->text[CLI_FORMAT]);
}

/* Equations are no model: under the name of one they could only overwrite it. */
static ha_status check_suffix(cli_call *cli, const char *path)
{
    return ha__suffix_of(&cmd_convert_formats, path) == NULL
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "`%s` has the suffix of a model, which equations are not; use another "
                         "such as .txt, .tex or .c, or `convert` for a model in another format",
                         path);
}

static ha_status print(cli_call *cli, cli_model *model)
{
    const char *path = cli_has(cli, CLI_OUTPUT) ? cli->text[CLI_OUTPUT] : "-";
    char *text = NULL;
    size_t format = 0;
    ha_status found = HA_OK, status = HA_OK;

    HA_TRY(find_format(cli, &format));
    HA_TRY(check_suffix(cli, path));
    HA_TRY(cli_load(cli, model));
    HA_TRY(m2d__kit_assign(model));
    found = bg_causality_status(model->causality);
    if (found != HA_OK && found != HA_ERR_SINGULAR) { /* at other values they can be solved */
        return found;
    }
    HA_TRY(formats[format].write(model, &text));
    status = ha__output_write(cli->ctx, path, text, strlen(text));
    free(text);
    return status != HA_OK ? status : found;
}

ha_status cmd_equations(cli_call *cli)
{
    return cli_on_model(cli, print);
}
