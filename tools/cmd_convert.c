/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow convert: the bond graph of a model in another format. */
#include <config.h>

#include "bondgraph/bgt.h"
#include "bondgraph/compact.h"
#include "lib/core/output.h"
#include "mech2d/write.h"
#include "tools/shared/load.h"

#include <string.h>

/* What the model is called: what its file says, or the name of the file without its suffix. */
static const char *name_of(cli_model *model, char buffer[256])
{
    const char *name = model->file == NULL ? "" : m2d_model_name(model->file);
    const char *slash = strrchr(model->name, '/'), *base = slash == NULL ? model->name : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t) (dot - base);

    if (name[0] != '\0') {
        return name;
    }
    if (model->name[0] == '-' || length >= 256) {
        return "model"; /* from standard input or the command line */
    }
    memcpy(buffer, base, length);
    buffer[length] = '\0';
    return buffer;
}

static ha_status write_compact(cli_model *model, char **out)
{
    return bg_compact_write(model->graph, out);
}

static ha_status write_yaml(cli_model *model, char **out)
{
    char buffer[256];

    return m2d_write_graph(model->graph, name_of(model, buffer), &model->options, out);
}

static ha_status write_bgt(cli_model *model, char **out)
{
    char buffer[256];

    return bg_bgt_write(model->graph, name_of(model, buffer), out);
}

/* A format of bond graphs. */
typedef struct {
    ha__suffix name;
    ha_status (*write)(cli_model *model, char **out);
    bool keeps_options; /* of a run */
    bool keeps_parameters;
} format;

static const format formats[] = {
    { { ".bgl", "compact notation" }, write_compact, false, true },
    { { ".yaml", "model file" }, write_yaml, true, true },
    { { ".yml", NULL }, write_yaml, true, true },
    { { ".bg", "BondGraphTools" }, write_bgt, false, false },
};

const ha__suffixes cmd_convert_formats = { HA__SUFFIXES(formats), .what = "the bond graph" };

/* Tells what of a model file stays behind. */
static void warn_of_losses(cli_call *cli, cli_model *model, const format *to)
{
    m2d_model *file = model->file;
    bool has_options = model->options.solver.t_end >= 0.0 && !to->keeps_options;
    bool has_parameters = file != NULL && !to->keeps_parameters &&
                          m2d_mechanism_n_parameters(m2d_model_mechanism(file)) > 0;

    if (file != NULL && (has_options || has_parameters ||
                         m2d_model_n_outputs(file) + m2d_model_n_variants(file) > 0)) {
        ha_warn(cli->ctx, HA_NOWHERE,
                "the bond graph is written, not what the file says of %soutputs and variants%s",
                has_options ? "the run, " : "",
                has_parameters ? "; parameters are replaced by their values" : "");
    }
}

/* The model file itself, with what it includes. */
static ha_status write_packed(cli_call *cli)
{
    const m2d_read_def def = { .libraries = cli->libraries.items,
                               .n_libraries = (int) cli->libraries.count };
    char *text = NULL;

    if (cli_has(cli, CLI_GRAPH) || cli->sets.count + cli->variants.count > 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--pack writes a model file as it stands; leave out --graph, --set and "
                       "--variant");
    }
    HA_TRY(m2d_pack_file(cli->ctx, cli->file, &def, &text));
    return ha__then_free(ha__output_write(cli->ctx, cli->text[CLI_OUTPUT], text, strlen(text)),
                         text);
}

static ha_status convert(cli_call *cli, cli_model *model)
{
    const format *to = ha__suffix_find(&cmd_convert_formats, cli->text[CLI_OUTPUT]);
    char *text = NULL;

    if (cli_has(cli, CLI_PACK)) {
        return write_packed(cli);
    }
    HA_TRY(cli_load(cli, model));
    if (model->file != NULL && to->keeps_parameters) {
        HA_TRY(m2d_keep_parameters(m2d_model_mechanism(model->file), model->graph));
    }
    HA_TRY(to->write(model, &text));
    warn_of_losses(cli, model, to);
    return ha__then_free(ha__output_write(cli->ctx, cli->text[CLI_OUTPUT], text, strlen(text)),
                         text);
}

ha_status cmd_convert(cli_call *cli)
{
    return cli_on_model(cli, convert);
}
