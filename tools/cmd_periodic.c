/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow periodic: the steady cycle, its stability, and all outputs over it. */
#include <config.h>

#include "lib/core/clock.h"
#include "lib/core/number.h"
#include "lib/data/result_format.h"
#include "tools/shared/cycle.h"
#include "tools/shared/final.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the command works with. */
typedef struct {
    cli_run run;
    bg_cycle cycle;
    double seconds; /* of the search */
} job;

static ha_status find(cli_call *cli, job *j)
{
    cli_model *model = &j->run.model;
    double begin = ha__clock();

    HA_TRY(cli_load(cli, model));
    cli_seek_cycle(model);
    HA_TRY(m2d__kit_prepare(model));
    double searched = ha__clock();
    HA_TRY(cycle_find(cli, model, &j->cycle));
    j->seconds = ha__clock() - searched;
    model->options.solver.t_end = j->cycle.period;
    if (!cli_has(cli, CLI_RUN_step)) {
        model->options.solver.step = 0.0;
    }
    HA_TRY(cli_run_solve(cli, &j->run, begin));
    return j->run.status;
}

/* --- output --------------------------------------------------------------------------------- */

/* True of multipliers that are off by more than stable ones may be in magnitude: no numbers. */
static bool is_nonsense(const bg_cycle *cycle)
{
    return cycle->is_open && !(cycle->floquet_error < 1.0);
}

static ha_status print_json(cli_call *cli, const job *j)
{
    const bg_cycle *cycle = &j->cycle;
    cli_json json = cli_json_new();
    json_t *turns = json_object(), *drift = json_object();

    for (int k = 0; k < cycle->n_turns; k++) {
        json.has_failed |=
            json_object_set_new(turns, cycle->turns[k], json_integer(cycle->turned[k])) != 0;
    }
    for (int k = 0; k < cycle->n_drifts; k++) {
        json.has_failed |=
            json_object_set_new(drift, cycle->drifts[k], cli_json_real(cycle->drift[k])) != 0;
    }
    const cli_member members[] = {
        cli_text("status", cli_status_word(HA_OK)),
        cli_real("period", cycle->period),
        cli_value("floquet", is_nonsense(cycle)
                                 ? json_null()
                                 : cli_json_matrix(cycle->floquet, cycle->n_states, 2)),
        cli_real("floquet_error", cycle->floquet_error),
        cli_value("stable", cycle->is_open ? json_null() : json_boolean(cycle->is_stable)),
        cli_bool("marginal", cycle->is_marginal),
        cli_int("iterations", cycle->iterations),
        cli_int("runs", cycle->runs),
        cli_real("error", cycle->error),
        cli_real("seconds", j->seconds),
        cli_value("states", cli_json_texts(cycle->states, cycle->n_states)),
        cli_value("turns", turns),
        cli_value("drift", drift),
        cli_value("peaks", final_peaks(&j->run, &json)),
        cli_value("final", final_object(&j->run, &json)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}

static void print_floquet(const bg_cycle *cycle)
{
    if (is_nonsense(cycle)) {
        printf("  Floquet multipliers      not found: a singular position in the cycle, or parts "
               "that are stiff, make them\n                           off by %.1g\n",
               cycle->floquet_error);
        return;
    }
    for (int k = 0; k < cycle->n_states; k++) {
        const double *value = cycle->floquet + 2 * (size_t) k;
        printf("  %-24s %.9g", k == 0 ? "Floquet multipliers" : "", ha__plain_sign(value[0]));
        if (value[1] != 0.0) {
            printf(" %s %.9gi", value[1] < 0.0 ? "-" : "+", fabs(value[1]));
        }
        printf(k == 0 ? ", to about %.1g\n" : "\n", cycle->floquet_error);
    }
}

static void print_text(const job *j)
{
    const bg_cycle *cycle = &j->cycle;

    printf("%s: a cycle\n", j->run.model.name);
    printf("  period                   %.12g s%s\n", cycle->period,
           j->run.model.drive.is_driven ? "" : ", its own: nothing drives it");
    printf("  stability                %s\n",
           cycle->is_open     ? "not known: the multipliers are not found well enough"
           : cycle->is_stable ? "stable"
           : cycle->is_marginal
               ? "marginal: as near as can be told deviations neither die out nor grow"
               : "unstable");
    print_floquet(cycle);
    printf("  search                   %d Newton step%s, %d runs, %.3g s\n", cycle->iterations,
           cycle->iterations == 1 ? "" : "s", cycle->runs, j->seconds);
    printf("  error                    %.2g of the sizes of the states\n", cycle->error);
    for (int k = 0; k < cycle->n_turns; k++) {
        printf("  %-24s turns %d time%s\n", cycle->turns[k], cycle->turned[k],
               abs(cycle->turned[k]) == 1 ? "" : "s");
    }
    for (int k = 0; k < cycle->n_drifts; k++) {
        printf("  %-24s acts on nothing and goes on by %.9g\n", cycle->drifts[k], cycle->drift[k]);
    }
    final_print(&j->run);
}

static ha_status show(cli_call *cli, const job *j)
{
    const char *path = cli->text[CLI_OUTPUT];

    if (cli_has(cli, CLI_OUTPUT)) {
        const ha__result_format *to = ha__suffix_find(&ha__result_formats, path);
        HA_TRY(to->write(j->run.result, path));
    }
    if (cli_has(cli, CLI_JSON)) {
        return print_json(cli, j);
    }
    if (!cli_has(cli, CLI_OUTPUT)) {
        print_text(j);
    }
    return HA_OK;
}

ha_status cmd_periodic(cli_call *cli)
{
    job j = { .run = cli_run_new(NULL) };

    cli_begin_work(cli);
    ha_status status = find(cli, &j);
    cli_end_work(cli);
    cli_print_diags(cli);
    status = status == HA_OK ? show(cli, &j) : status;
    bg_cycle_clear(&j.cycle);
    cli_run_clear(&j.run);
    return status;
}
