/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the command line to a model. A file whose name ends in .bgl and the argument of --graph are
 * bond graphs in the compact notation, one whose name ends in .bg is a file of BondGraphTools,
 * everything else is a model file.
 */
#include <config.h>

#include "tools/shared/load.h"

#include "bondgraph/bgt.h"
#include "bondgraph/compact.h"
#include "bondgraph/model/run_options.h"
#include "lib/core/input.h"
#include "mech2d/read.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- bond graphs ---------------------------------------------------------------------------- */

static ha_status read_graph(cli_call *cli, cli_model *model, const char *text, size_t length,
                            bool is_bgt)
{
    const char *const *sets = cli->sets.items;
    int n_sets = (int) cli->sets.count;

    if (cli_has(cli, CLI_VARIANT)) {
        return ha_fail(
            cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE, "%s has no variants; leave out --variant",
            is_bgt ? "a file of BondGraphTools" : "a bond graph in the compact notation");
    }
    HA_TRY_GET(model->own, bg_graph_new(cli->ctx));
    model->graph = model->own;
    HA_TRY(is_bgt ? bg_bgt_read(model->own, text, length, model->name, sets, n_sets)
                  : bg_compact_read_set(model->own, text, length, (ha_where){ model->name, 1, 1 },
                                        sets, n_sets));
    HA_TRY((cli->command->options & CLI_SOLVES) != 0 ? bg_graph_add_element_outputs(model->own)
                                                     : HA_OK);
    return bg_graph_find_domains(model->own);
}

static ha_status load_graph_file(cli_call *cli, cli_model *model, bool is_bgt)
{
    char *text = NULL;
    size_t length = 0;
    ha_status status = HA_OK;

    HA_TRY(ha__input_read(cli->ctx, cli->file, CLI_MOST_BYTES, &text, &length));
    status = read_graph(cli, model, text, length, is_bgt);
    ha__free(text);
    return status;
}

/* --- mechanisms ----------------------------------------------------------------------------- */

/* Time does not go on. */
static void stop(ha_dag *dag, ha_expr time)
{
    ha_symbol_set_derivative(dag, time, ha_constant(dag, 0.0));
}

static ha_status load_mechanism(cli_call *cli, const m2d_variable *variable, bool is_still,
                                cli_model *model)
{
    m2d_read_def def = { .sets = cli->sets.items,
                         .n_sets = (int) cli->sets.count,
                         .where_present = cli->where_present,
                         .libraries = cli->libraries.items,
                         .n_libraries = (int) cli->libraries.count,
                         .variables = variable,
                         .n_variables = variable != NULL ? 1 : 0 };

    if (cli->variants.count > 1) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` takes one --variant, %zu are given", cli->command->name,
                       cli->variants.count);
    }
    def.variant = cli->variants.count == 1 ? cli->variants.items[0] : NULL;
    HA_TRY(cli->input == NULL ? m2d_read_file(cli->ctx, cli->file, &def, &model->file)
                              : m2d_read_text(cli->ctx, cli->input, cli->input_length, cli->file,
                                              &def, &model->file));
    model->options = *m2d_model_options(model->file);
    m2d_mechanism *mechanism = m2d_model_mechanism(model->file);
    if (is_still) {
        stop(m2d_mechanism_dag(mechanism), m2d_mechanism_time(mechanism));
    }
    HA_TRY(m2d_expand(mechanism, &model->system));
    model->graph = m2d_system_graph(model->system);
    return m2d_model_select(model->file, model->system, &model->outputs, &model->n_outputs);
}

/* --- options of a run ----------------------------------------------------------------------- */

/* A limit that the method has no use for, given here or in the file. */
static void warn_of_order(cli_call *cli, const ha_dae_options *solver)
{
    bool is_explicit =
        solver->driver == HA_DRIVER_EXPLICIT || solver->driver == HA_DRIVER_EXPLICIT8;

    if (is_explicit && (cli_has(cli, CLI_RUN_max_order) ||
                        solver->max_order != ha_dae_options_default().max_order)) {
        ha_warn(cli->ctx, HA_NOWHERE,
                "the highest order, max-order %ld, is that of the implicit method: the driver `%s` "
                "does not use it; leave it out, or take the driver ida or auto",
                solver->max_order, ha_driver_name((ha_driver) solver->driver));
    }
}

/* What the command line says about the run overrides the file. */
ha_status cli_read_run_options(cli_call *cli, bg_run_options *options)
{
    for (int i = 0; i < BG__RUN_COUNT; i++) {
        cli_option option = (cli_option) (CLI_RUN_FIRST + i);
        if (cli_has(cli, option)) {
            HA_TRY(ha__option_read(cli->ctx, &bg__run_options[i], options, cli->text[option],
                                   HA_NOWHERE));
        }
    }
    warn_of_order(cli, &options->solver);
    return HA_OK;
}

/* -------------------------------------------------------------------------------------------- */

/* Nothing can be said of an empty model, and it is hardly what was meant. */
static ha_status refuse_empty(cli_call *cli, const cli_model *model)
{
    const ha_where where = { model->name, 1, 1 };

    if (bg_graph_n_elements(model->graph) > 0) {
        return HA_OK;
    }
    return model->system == NULL
               ? ha_fail(cli->ctx, HA_ERR_SYNTAX, where,
                         "the bond graph is empty; give it elements and bonds, such as "
                         "`Se>1a>R;1a>I`")
               : ha_fail(cli->ctx, HA_ERR_SYNTAX, where,
                         "the mechanism has no bodies; give it some, such as `bodies: {K1: {mass: "
                         "2 kg, inertia: 0.1 kg.m2}}`");
}

static ha_status load(cli_call *cli, const m2d_variable *variable, bool is_still, cli_model *model)
{
    *model = (cli_model){ .options = bg_run_options_default() };
    model->name = cli->file != NULL ? cli->file : "--graph";
    if (cli->file == NULL) {
        const char *text = cli->text[CLI_GRAPH];
        HA_TRY(read_graph(cli, model, text, strlen(text), false));
    } else if (ha__has_suffix(cli->file, ".bgl") || ha__has_suffix(cli->file, ".bg")) {
        HA_TRY(load_graph_file(cli, model, ha__has_suffix(cli->file, ".bg")));
    } else {
        HA_TRY(load_mechanism(cli, variable, is_still, model));
    }
    HA_TRY(refuse_empty(cli, model));
    if (is_still) {
        stop(bg_graph_dag(model->graph), bg_graph_time(model->graph));
    }
    return cli_read_run_options(cli, &model->options);
}

ha_status cli_load(cli_call *cli, cli_model *model)
{
    return load(cli, NULL, false, model);
}

const char *cli_model_title(const cli_call *cli, const cli_model *model)
{
    const char *name = model->file == NULL ? "" : m2d_model_name(model->file);
    const char *slash = strrchr(model->name, '/');

    if (name[0] != '\0') {
        return name;
    }
    if (model->own != NULL && cli->file == NULL) {
        return cli->text[CLI_GRAPH];
    }
    return slash == NULL ? model->name : slash + 1;
}

ha_status cli_load_still(cli_call *cli, const m2d_variable *variable, cli_model *model)
{
    return load(cli, variable, true, model);
}

ha_status cli_assign(cli_model *model)
{
    return bg_causality_assign(model->graph, &model->causality);
}

ha_status cli_assemble(cli_model *model)
{
    return model->system == NULL ? HA_OK : m2d_try_assemble(model->system, &model->assembly);
}

/* Compiles for the driver asked for; outputs NULL: all. */
static ha_status compile_outputs(cli_model *model, bg_equations *equations,
                                 const char *const *outputs, int n)
{
    if (model->options.from == BG_FROM_PERIODIC) {
        return bg_model_compile_periodic(equations, outputs, n, &model->compiled);
    }
    if (model->is_linear) {
        return bg_model_compile_linear(equations, outputs, n, &model->compiled);
    }
    return bg_model_compile_for(equations, outputs, n, (ha_driver) model->options.solver.driver,
                                &model->compiled);
}

/* Compiles with the outputs wanted and what was dissipated in each element, if anything could
   be. */
static ha_status compile_with_losses(cli_model *model, bg_equations *equations)
{
    ha_ctx *ctx = bg_graph_ctx(model->graph);
    const char **wanted = NULL;
    int n = 0, n_losses = 0;

    HA_TRY(bg_equations_add_losses(equations, model->causality, &n_losses));
    if (model->outputs == NULL || n_losses == 0) {
        return compile_outputs(model, equations, model->outputs, model->n_outputs);
    }
    HA_TRY_ALLOC(ctx, wanted, model->n_outputs + 1);
    for (n = 0; n < model->n_outputs; n++) {
        wanted[n] = model->outputs[n];
    }
    wanted[n++] = "#dissipated";
    ha_status status = compile_outputs(model, equations, wanted, n);
    ha__free(wanted);
    return status;
}

/* How the model depends on the time, for a start on its cycle, and for what shows the last one. */
static ha_status find_drive(cli_model *model, const bg_equations *equations)
{
    if (model->options.from != BG_FROM_PERIODIC && !model->with_bonds) {
        return HA_OK;
    }
    HA_TRY(bg_equations_drive(equations, &model->drive));
    const char *breaks = model->drive.breaks;
    if (breaks != NULL) {
        HA_TRY_GET(model->breaks,
                   ha__copy_text(bg_graph_ctx(model->graph), breaks, strlen(breaks)));
    }
    model->drive.breaks = NULL; /* the equations are not kept */
    return HA_OK;
}

static ha_status compile(cli_model *model, bg_equations *equations)
{
    HA_TRY(find_drive(model, equations));
    if (model->assembly != NULL) {
        HA_TRY(m2d_release_redundant(model->assembly, equations));
    }
    if (model->with_bonds) {
        HA_TRY(bg_equations_add_bonds(equations, model->causality, &model->n_of_bonds));
        HA_TRY(compile_outputs(model, equations, NULL, 0));
    } else if (model->with_losses) {
        HA_TRY(compile_with_losses(model, equations));
    } else {
        HA_TRY(compile_outputs(model, equations, model->outputs, model->n_outputs));
    }
    HA_TRY_ALLOC(bg_graph_ctx(model->graph), model->start, bg_model_n_unknowns(model->compiled));
    if (model->assembly != NULL) {
        return m2d_start(model->assembly, model->compiled, model->start);
    }
    bg_model_start(model->compiled, model->start);
    return HA_OK;
}

ha_status cli_compile_and_keep(cli_model *model, bg_equations **equations)
{
    bg_equations *derived = NULL;

    HA_TRY(bg_equations_derive_with(model->causality, model->inputs, model->n_inputs, &derived));
    ha_status status = compile(model, derived);
    if (status != HA_OK) {
        bg_equations_free(derived);
        return status;
    }
    *equations = derived;
    return HA_OK;
}

ha_status cli_compile(cli_model *model)
{
    bg_equations *equations = NULL;

    HA_TRY(cli_compile_and_keep(model, &equations));
    bg_equations_free(equations);
    return HA_OK;
}

ha_status cli_prepare(cli_model *model)
{
    HA_TRY(cli_assign(model));
    HA_TRY(bg_causality_status(model->causality));
    HA_TRY(cli_assemble(model));
    return cli_compile(model);
}

/* One compiler at a time: equal models find the code of the first in the cache. */
static pthread_mutex_t translation = PTHREAD_MUTEX_INITIALIZER;

ha_status cli_translate(ha_ctx *ctx, const cli_model *model, bool *is_done)
{
    ha_ctx *own = ha_ctx_new(); /* its errors are our warnings */

    HA_TRY_MEMORY(own);
    cli_share_interrupt(own);
    pthread_mutex_lock(&translation);
    ha_status status = bg_model_build_native(own, model->compiled);
    pthread_mutex_unlock(&translation);
    *is_done = status == HA_OK;
    const char *text = ha_ctx_n_diags(own) > 0 ? ha_ctx_diag(own, 0)->text : ha_status_text(status);
    if (status == HA_ERR_INTERRUPTED) {
        status = ha_fail(ctx, status, HA_NOWHERE, "%s; nothing was computed", text);
    } else if (status != HA_OK) {
        ha_warn(ctx, HA_NOWHERE, "the equations are interpreted: %s", text);
        status = HA_OK;
    }
    ha_ctx_free(own);
    return status;
}

void cli_model_clear(cli_model *model)
{
    ha__free(model->start);
    ha__free(model->breaks);
    bg_model_free(model->compiled);
    m2d_assembly_free(model->assembly);
    bg_causality_free(model->causality);
    ha__free(model->outputs);
    m2d_system_free(model->system);
    m2d_model_free(model->file);
    bg_graph_free(model->own);
    *model = (cli_model){ 0 };
}
