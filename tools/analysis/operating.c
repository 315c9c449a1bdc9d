/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operating point of commands that linearise, from the command line. */
#include <config.h>

#include "tools/analysis/operating.h"

#include "bondgraph/equilibrium.h"
#include "bondgraph/modes.h"
#include "lib/core/strbuf.h"
#include "tools/shared/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates that are fixed in the file, then the angles of all bodies. */
static ha_status prefer(cli_call *cli, operating *j)
{
    const cli_model *model = &j->run.model;
    int n = model->system == NULL ? 0 : m2d_system_n_bodies(model->system);

    for (int wish = 0; wish < 2; wish++) {
        for (int k = 0; k < 3 * n; k++) {
            m2d_coordinate c = (m2d_coordinate) (k % 3);
            bool counts = wish == 0 ? m2d_assembly_is_fixed(model->assembly, k / 3, c) : k % 3 == 2;
            const char *name = ha__arena_format(cli->ctx, &j->names, "%s.%s",
                                                m2d_system_body_name(model->system, k / 3),
                                                m2d_coordinate_name((m2d_coordinate) (k % 3)));
            HA_TRY_MEMORY(name);
            if (counts) {
                HA_TRY_PUSH(cli->ctx, &j->preferred, name);
            }
        }
    }
    return HA_OK;
}

/* Goes to the equilibrium from the assembled start. */
static ha_status settle(cli_call *cli, operating *j)
{
    const bg_equilibrium_options options = { 0 };
    const cli_model *model = &j->run.model;

    return bg_equilibrium(cli->ctx, model->compiled, &options, model->start, NULL, NULL);
}

/* Runs to the operating time. */
static ha_status advance(cli_call *cli, operating *j, double t)
{
    cli_model *model = &j->run.model;

    model->options.solver.t_end = t;
    model->options.last = j->last;
    HA_TRY(cli_run_solve(cli, &j->run, 0.0));
    return j->run.status;
}

/* Adds an output that is wanted. */
static ha_status want(cli_call *cli, operating *j, const char *name)
{
    HA_TRY_MEMORY(name);
    HA_TRY_PUSH(cli->ctx, &j->outputs, name);
    return HA_OK;
}

/* The outputs of modes: all positions, then effort and flow of storages and resistors. */
static ha_status list_modal(cli_call *cli, operating *j)
{
    cli_model *model = &j->run.model;
    int n = model->system == NULL ? 0 : m2d_system_n_bodies(model->system), n_bonds = 0;
    char **bonds = NULL;

    for (int k = 0; k < 3 * n; k++) {
        HA_TRY(want(cli, j,
                    ha__arena_format(cli->ctx, &j->names, "%s.%s",
                                     m2d_system_body_name(model->system, k / 3),
                                     m2d_coordinate_name((m2d_coordinate) (k % 3)))));
    }
    ha_status status = bg_mode_outputs(cli->ctx, model->causality, &bonds, &n_bonds);
    for (int i = 0; i < n_bonds; i++) {
        HA_THEN(status,
                want(cli, j, ha__arena_text(cli->ctx, &j->names, bonds[i], strlen(bonds[i]))));
        free(bonds[i]);
    }
    free(bonds);
    return status;
}

/* The outputs go to the model, which takes over the list but not the names. */
static ha_status set_outputs(cli_call *cli, operating *j)
{
    cli_model *model = &j->run.model;

    ha__free(model->outputs);
    HA_TRY_ALLOC(cli->ctx, model->outputs, j->outputs.count);
    for (size_t i = 0; i < j->outputs.count; i++) {
        model->outputs[i] = j->outputs.items[i];
    }
    model->n_outputs = (int) j->outputs.count;
    return HA_OK;
}

static ha_status compile(cli_call *cli, bool is_modal, operating *j)
{
    cli_model *model = &j->run.model;

    HA_TRY(m2d__kit_assign(model));
    HA_TRY(bg_causality_status(model->causality));
    HA_TRY(m2d__kit_assemble(model));
    HA_TRY(is_modal ? list_modal(cli, j) : HA_OK);
    HA_TRY(set_outputs(cli, j));
    if (model->compile == NULL) { /* that of a cycle is linear, too */
        model->compile = bg_model_compile_linear;
    }
    model->with_bonds = is_modal;
    model->inputs = j->inputs.items;
    model->n_inputs = (int) j->inputs.count;
    return m2d__kit_compile(model);
}

/* The time of --at. */
static ha_status read_time(cli_call *cli, double *t)
{
    if (isalpha((unsigned char) cli->text[CLI_AT][0])) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--at: `%s` is no time; give a time, such as 0.25 or 28 ms, or "
                       "`equilibrium`",
                       cli->text[CLI_AT]);
    }
    HA_TRY(cli_number(cli, CLI_AT, t));
    return *t >= 0.0 ? HA_OK
                     : ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                               "--at is %g s, before the run begins; give a time from 0 on, or "
                               "`equilibrium`",
                               *t);
}

/* Values that inputs stand for must have derivatives. */
static ha_status check_inputs(cli_call *cli, const operating *j)
{
    m2d_source source;

    if (j->inputs.count == 0) {
        return HA_OK;
    }
    HA_TRY(cli_source(cli, &source));
    source.outputs = j->outputs.count > 0 ? j->outputs.items : NULL;
    source.n_outputs = (int) j->outputs.count;
    return m2d_check_inputs(cli->ctx, &source, j->inputs.items, (int) j->inputs.count);
}

ha_status operating_prepare(cli_call *cli, bool is_modal, operating *j)
{
    cli_model *model = &j->run.model;
    int n_held = 0;

    j->point = (bg_operating_point){ .force = cli_has(cli, CLI_FORCE) };
    bool is_at_rest = cli_has(cli, CLI_AT) && strcmp(cli->text[CLI_AT], "equilibrium") == 0;
    if (cli_has(cli, CLI_AT) && !is_at_rest) {
        HA_TRY(read_time(cli, &j->point.t));
    }
    HA_TRY(cli_names_read(cli, CLI_U, &j->text[0], &j->inputs));
    HA_TRY(cli_names_read(cli, CLI_Y, &j->text[1], &j->outputs));
    HA_TRY(cli_load(cli, model));
    if (model->file != NULL) {
        HA_TRY(m2d_keep_parameters(m2d_model_mechanism(model->file), model->graph));
    }
    HA_TRY(check_inputs(cli, j));
    HA_TRY(compile(cli, is_modal, j));
    HA_TRY(prefer(cli, j));
    HA_TRY_ALLOC(cli->ctx, j->last, bg_model_n_unknowns(model->compiled));
    if (is_at_rest) {
        HA_TRY(settle(cli, j));
    }
    HA_TRY(j->point.force ? bg_held_warn(cli->ctx, model->compiled, &n_held) : HA_OK);
    if (j->point.t > 0.0 || n_held > 0) { /* the start has the samples taken there */
        HA_TRY(advance(cli, j, j->point.t));
    }
    bool is_run = j->point.t > 0.0 || n_held > 0;
    j->point.y = is_run ? j->last : model->start;
    if (!is_at_rest) { /* there the search has said it */
        HA_TRY(bg_held_noise(cli->ctx, model->compiled,
                             is_run ? "held at its value of this time" : "at its mean, 0"));
    }
    j->point.preferred = j->preferred.items;
    j->point.n_preferred = (int) j->preferred.count;
    return HA_OK;
}

ha_status operating_places(cli_call *cli, operating *op, double *out)
{
    const m2d_system *system = op->run.model.system;
    ha__strbuf name = HA_STRBUF(cli->ctx);
    ha_status status = HA_OK;

    if (op->run.result == NULL) { /* it is the start, which is a run without duration */
        HA_TRY(advance(cli, op, 0.0));
    }
    for (int i = 0; i < 3 * m2d_system_n_bodies(system) && status == HA_OK; i++) {
        ha__strbuf_clear(&name);
        ha__strbuf_addf(&name, "%s.%s", m2d_system_body_name(system, i / 3),
                        m2d_coordinate_name((m2d_coordinate) (i % 3)));
        int column = ha_result_find(op->run.result, ha__strbuf_text(&name));
        status = name.status != HA_OK || column >= 0
                     ? name.status
                     : ha_fail(cli->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                               "the operating point lacks `%s`; report this as a fault of the "
                               "program",
                               ha__strbuf_text(&name));
        out[i] = status == HA_OK
                     ? ha_result_value(op->run.result, ha_result_n_rows(op->run.result) - 1,
                                       (size_t) column)
                     : 0.0;
    }
    return ha__strbuf_drop(&name, status);
}

operating operating_new(void)
{
    return (operating){ .run = cli_run_new(NULL) };
}

void operating_clear(operating *j)
{
    HA_ARRAY_CLEAR(&j->inputs, &j->outputs, &j->preferred);
    ha__arena_clear(&j->names);
    HA_FREE(j->last, j->text[0], j->text[1]);
    cli_run_clear(&j->run);
}
