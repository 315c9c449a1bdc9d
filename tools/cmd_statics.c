/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow statics: where a model comes to rest, with all forces there. */
#include <config.h>

#include "bondgraph/equilibrium.h"
#include "lib/core/number.h"
#include "tools/analysis/branch_write.h"
#include "tools/shared/final.h"
#include "tools/shared/json.h"
#include "tools/shared/report.h"
#include "tools/shared/solve.h"
#include "tools/shared/source.h"

#include <stdio.h>
#include <string.h>

/* What the command works with. */
typedef struct {
    cli_run run;
    bg_stability stability;
    ha_dae_rest_stats stats;
    ha__arena names;
    HA_ARRAY(const char *) held;
    double *efforts; /* by held */
    double *outputs;
} job;

/* Positions that the file fixes; they stay where the command line asks for it. */
static ha_status hold_fixed(cli_call *cli, job *j)
{
    const cli_model *model = &j->run.model;
    int n = model->system == NULL ? 0 : m2d_system_n_bodies(model->system);

    for (int k = 0; k < 3 * n; k++) {
        if (!m2d_assembly_is_fixed(model->assembly, k / 3, (m2d_coordinate) (k % 3))) {
            continue;
        }
        const char *name = ha__arena_format(cli->ctx, &j->names, "%s.%s",
                                            m2d_system_body_name(model->system, k / 3),
                                            m2d_coordinate_name((m2d_coordinate) (k % 3)));
        HA_TRY(name == NULL ? HA_ERR_MEMORY : HA_OK);
        HA_TRY_PUSH(cli->ctx, &j->held, name);
    }
    return HA_OK;
}

static ha_status find(cli_call *cli, job *j)
{
    cli_model *model = &j->run.model;
    bg_equilibrium_options options = { 0 };

    HA_TRY(cli_load_still(cli, NULL, model));
    model->compile = bg_model_compile_linear;
    HA_TRY(m2d__kit_prepare(model));
    if (cli_has(cli, CLI_KEEP_FIXED)) {
        HA_TRY(hold_fixed(cli, j));
    }
    options.held = j->held.items;
    options.n_held = (int) j->held.count;
    HA_TRY_ALLOC(cli->ctx, j->efforts, j->held.count);
    HA_TRY_ALLOC(cli->ctx, j->outputs, bg_model_dae(model->compiled)->n_outputs);
    options.efforts = j->efforts;
    options.outputs = j->outputs;
    return bg_equilibrium(cli->ctx, model->compiled, &options, model->start, &j->stability,
                          &j->stats);
}

static ha_status print_json(cli_call *cli, const job *j)
{
    const ha_dae *dae = bg_model_dae(j->run.model.compiled);
    cli_json json = cli_json_new();
    json_t *final = json_object(), *held = json_object();

    for (size_t i = 0; i < j->held.count; i++) {
        json.has_failed |= json_object_set_new(held, j->held.items[i],
                                               cli_json_real(ha__plain_sign(j->efforts[i]))) != 0;
    }
    for (int i = 0; i < dae->n_outputs; i++) {
        json.has_failed |= json_object_set_new(final, dae->outputs[i].name,
                                               cli_json_real(ha__plain_sign(j->outputs[i]))) != 0;
    }
    const cli_member members[] = {
        cli_text("status", cli_status_word(HA_OK)),
        cli_value("stable", j->stability == BG_STABILITY_OPEN
                                ? json_null()
                                : json_boolean(j->stability == BG_STABLE)),
        cli_int("iterations", j->stats.iterations),
        cli_real("error", j->stats.error),
        cli_value("unique_reactions", report_reactions(&j->run.model, &json)),
        cli_value("held", held),
        cli_value("final", final),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}

static void print_text(const job *j)
{
    const ha_dae *dae = bg_model_dae(j->run.model.compiled);

    printf("%s: an equilibrium\n", j->run.model.name);
    printf("  stability                %s\n", stability_words[j->stability]);
    printf("  iterations               %d%s\n", j->stats.iterations,
           j->stats.was_at_rest ? ": the start is at rest already" : "");
    printf("  error                    %.2g of the size of the mechanism\n", j->stats.error);
    for (size_t i = 0; i < j->held.count; i++) {
        const char *name = j->held.items[i];
        bool is_angle = strcmp(strrchr(name, '.') + 1, m2d_coordinate_name(M2D_ANGLE)) == 0;
        printf("  held: %-18s by %.9g %s\n", name, ha__plain_sign(j->efforts[i]),
               is_angle ? "N.m" : "N");
    }
    printf("\n");
    for (int i = 0; i < dae->n_outputs; i++) {
        printf("  %-24s %17.9g %s\n", dae->outputs[i].name, ha__plain_sign(j->outputs[i]),
               dae->outputs[i].unit);
    }
    final_print_shared(&j->run.model);
}

/* --- over a value --------------------------------------------------------------------------- */

enum { MOST_NAME = 256 }; /* bytes of an input */

/* The value must stand for itself in the equations, else nothing would follow it. */
static ha_status check_value(cli_call *cli, const sweep *range)
{
    m2d_source source;

    HA_TRY(cli_source(cli, &source));
    return m2d_check_inputs(cli->ctx, &source, (const char *const *) &range->path, 1);
}

/* What failed at the first value may do well at others. */
static ha_status say_where(cli_call *cli, const sweep *range, ha_status status)
{
    if (status != HA_OK) {
        ha_warn(cli->ctx, HA_NOWHERE,
                "this is so at %s = %.9g%s%s, where --sweep begins; the others follow from there: "
                "begin at a value at which it comes to rest",
                range->path, range->from, range->unit[0] == '\0' ? "" : " ", range->unit);
    }
    return status;
}

static ha_status follow(cli_call *cli, job *j, sweep *range, bg_branch *branch)
{
    cli_model *model = &j->run.model;
    const bg_equilibrium_options options = { 0 };

    HA_TRY(sweep_read(cli, range));
    if (cli_has(cli, CLI_KEEP_FIXED)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--keep-fixed cannot be had with --sweep: all positions follow the value; "
                       "hold them by a joint or a `motion`");
    }
    /* any value of a model file can be followed: it becomes a parameter */
    const m2d_variable variable = { range->path,
                                    range->from,
                                    { "--sweep", 1, 1 },
                                    range->unit[0] == '\0' ? NULL : range->unit,
                                    false };
    char name[MOST_NAME];
    HA_TRY(cli_load_still(cli, &variable, model));
    HA_TRY(check_value(cli, range));
    m2d_variable_name(&variable, 0, name, sizeof name);
    const char *const inputs[] = { model->file != NULL ? name : range->path };
    model->compile = bg_model_compile_linear;
    model->inputs = inputs;
    model->n_inputs = 1;
    ha_status status = m2d__kit_prepare(model);
    model->inputs = NULL;
    status = status != HA_OK ? status
                             : bg_equilibrium(cli->ctx, model->compiled, &options, model->start,
                                              NULL, &j->stats);
    HA_TRY(say_where(cli, range, status));
    const bg_branch_options over = { .deviation = range->to - range->from, .count = range->count };
    return bg_branch_follow(cli->ctx, model->compiled, &over, model->start, branch);
}

static ha_status sweep_statics(cli_call *cli, job *j)
{
    sweep range = { 0 };
    bg_branch branch = { 0 };

    cli_begin_work(cli);
    ha_status status = follow(cli, j, &range, &branch);
    cli_end_work(cli);
    if (status == HA_OK || branch.n_points > 0) { /* what was found is shown */
        const branch_shown shown = { &j->run.model, &range, &branch, status };
        ha_status written = branch_show(cli, &shown);
        status = status == HA_OK ? written : status;
    }
    bg_branch_clear(&branch);
    sweep_clear(&range);
    return status;
}

static ha_status show_one(cli_call *cli, job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`statics` writes a table over the values of --sweep only; one equilibrium "
                       "goes to standard output");
    }
    cli_begin_work(cli);
    ha_status status = find(cli, j);
    cli_end_work(cli);
    if (status == HA_OK && cli_has(cli, CLI_JSON)) {
        status = print_json(cli, j);
    } else if (status == HA_OK) {
        print_text(j);
    }
    return status;
}

ha_status cmd_statics(cli_call *cli)
{
    job j = { .run = cli_run_new(NULL) };

    ha_status status = cli_has(cli, CLI_SWEEP) ? sweep_statics(cli, &j) : show_one(cli, &j);
    HA_ARRAY_CLEAR(&j.held);
    HA_FREE(j.efforts, j.outputs);
    ha__arena_clear(&j.names);
    cli_run_clear(&j.run);
    return status;
}
