/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow linearise: the state space form of small deviations. */
#include <config.h>

#include "bondgraph/equilibrium.h"
#include "bondgraph/linearise.h"
#include "tools/analysis/linear_write.h"
#include "tools/shared/solve.h"

#include <string.h>

/* What the command works with. */
typedef struct {
    cli_run run;
    bg_linear linear;
    char *text[2]; /* copies of the lists of names, cut at their commas */
    HA_ARRAY(const char *) inputs;
    HA_ARRAY(const char *) outputs;
    HA_ARRAY(const char *) preferred;
    ha__arena names;
    double *last; /* unknowns at the operating time */
} job;

typedef HA_ARRAY(const char *) name_list;

/* The end of a name in a list: a comma that is not between parentheses, or the end of the text. */
static char *end_of_name(char *text)
{
    int depth = 0;

    for (; *text != '\0' && (*text != ',' || depth > 0); text++) {
        depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
    }
    return text;
}

/* Cuts "a, b" into names, in a copy of the text. */
static ha_status split(cli_call *cli, cli_option option, char **copy, void *names)
{
    name_list *list = names;

    if (!cli_has(cli, option)) {
        return HA_OK;
    }
    *copy = ha__copy_text(cli->ctx, cli->text[option], strlen(cli->text[option]));
    HA_TRY_MEMORY(*copy);
    for (char *at = *copy, *end = NULL; at != NULL; at = end) {
        end = end_of_name(at);
        bool is_last = *end == '\0';
        at += strspn(at, " ");
        for (char *last = end; last > at && last[-1] == ' '; last--) {
            last[-1] = '\0';
        }
        *end = '\0';
        if (*at == '\0') {
            return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "--%s `%s` has an empty name; give names separated by commas",
                           cli_option_name(option), cli->text[option]);
        }
        HA_TRY_PUSH(cli->ctx, list, at);
        end = is_last ? NULL : end + 1;
    }
    return HA_OK;
}

/* Coordinates that are fixed in the file, then the angles of all bodies. */
static ha_status prefer(cli_call *cli, job *j)
{
    static const char *const coordinates[] = { "x", "y", "angle" };
    const cli_model *model = &j->run.model;
    int n = model->system == NULL ? 0 : m2d_system_n_bodies(model->system);

    for (int wish = 0; wish < 2; wish++) {
        for (int k = 0; k < 3 * n; k++) {
            m2d_coordinate c = (m2d_coordinate) (k % 3);
            bool counts = wish == 0 ? m2d_assembly_is_fixed(model->assembly, k / 3, c) : k % 3 == 2;
            const char *name =
                ha__arena_format(cli->ctx, &j->names, "%s.%s",
                                 m2d_system_body_name(model->system, k / 3), coordinates[k % 3]);
            HA_TRY_MEMORY(name);
            if (counts) {
                HA_TRY_PUSH(cli->ctx, &j->preferred, name);
            }
        }
    }
    return HA_OK;
}

/* Goes to the equilibrium from the assembled start. */
static ha_status settle(cli_call *cli, job *j)
{
    const bg_equilibrium_options options = { 0 };
    const cli_model *model = &j->run.model;

    return bg_equilibrium(cli->ctx, model->compiled, &options, model->start, NULL, NULL);
}

/* Runs to the operating time. */
static ha_status advance(cli_call *cli, job *j, double t)
{
    cli_model *model = &j->run.model;

    model->options.solver.t_end = t;
    model->options.last = j->last;
    HA_TRY(cli_run_solve(cli, &j->run, 0.0));
    return j->run.status;
}

static ha_status linearise(cli_call *cli, job *j)
{
    cli_model *model = &j->run.model;
    bg_operating_point point = { .force = cli_has(cli, CLI_FORCE) };

    bool is_at_rest = cli_has(cli, CLI_AT) && strcmp(cli->text[CLI_AT], "equilibrium") == 0;
    if (cli_has(cli, CLI_AT) && !is_at_rest) {
        HA_TRY(cli_number(cli, CLI_AT, &point.t));
    }
    HA_TRY(split(cli, CLI_U, &j->text[0], &j->inputs));
    HA_TRY(split(cli, CLI_Y, &j->text[1], &j->outputs));
    HA_TRY(cli_load(cli, model));
    model->is_linear = true;
    if (model->file != NULL) {
        HA_TRY(m2d_keep_parameters(m2d_model_mechanism(model->file), model->graph));
    }
    model->inputs = j->inputs.items;
    model->n_inputs = (int) j->inputs.count;
    ha__free(model->outputs);
    model->outputs = ha__alloc(cli->ctx, j->outputs.count, sizeof *model->outputs);
    HA_TRY_MEMORY(model->outputs);
    for (size_t i = 0; i < j->outputs.count; i++) {
        model->outputs[i] = j->outputs.items[i];
    }
    model->n_outputs = (int) j->outputs.count;
    HA_TRY(cli_prepare(model));
    HA_TRY(prefer(cli, j));
    HA_TRY_ALLOC(cli->ctx, j->last, bg_model_n_unknowns(model->compiled));
    if (is_at_rest) {
        HA_TRY(settle(cli, j));
    }
    if (point.t > 0.0) {
        HA_TRY(advance(cli, j, point.t));
    }
    point.y = point.t > 0.0 ? j->last : model->start;
    point.preferred = j->preferred.items;
    point.n_preferred = (int) j->preferred.count;
    return bg_linearise(cli->ctx, model->compiled, &point, &j->linear);
}

static ha_status show(cli_call *cli, job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(linear_write(cli, &j->linear, j->run.model.name, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return linear_print_json(cli, &j->linear);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : linear_write(cli, &j->linear, j->run.model.name, "-");
}

ha_status cmd_linearise(cli_call *cli)
{
    job j = { .run = cli_run_new(NULL) };

    cli_begin_work(cli);
    ha_status status = linearise(cli, &j);
    cli_end_work(cli);
    HA_THEN(status, show(cli, &j));
    bg_linear_clear(&j.linear);
    HA_ARRAY_CLEAR(&j.inputs);
    HA_ARRAY_CLEAR(&j.outputs);
    HA_ARRAY_CLEAR(&j.preferred);
    ha__arena_clear(&j.names);
    HA_FREE(j.last, j.text[0], j.text[1]);
    cli_run_clear(&j.run);
    return status;
}
