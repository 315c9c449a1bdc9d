/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow run: assembles, solves, writes the results; what was computed is kept on every end. */
#include <config.h>

#include "lib/core/clock.h"
#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "lib/data/result_format.h"
#include "mech2d/branch.h"
#include "tools/analysis/zero_dynamics.h"
#include "tools/digits/digits.h"
#include "tools/digits/tighten.h"
#include "tools/shared/final.h"
#include "tools/shared/inverse.h"
#include "tools/shared/json.h"
#include "tools/shared/report.h"
#include "tools/shared/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- printing ------------------------------------------------------------------------------- */

/* False where no step was tried: the run failed at its start, or ends there. */
static bool has_driver(const ha_dae_stats *s)
{
    return s->steps > 0 || s->first_driver != HA_DRIVER_IDA || s->switch_reason != NULL;
}

/* A count of the compiled model, null when the work failed before there was one. */
static json_t *count_of(const cli_model *model, int (*count)(const bg_model *compiled))
{
    return model->compiled == NULL ? json_null() : json_integer(count(model->compiled));
}

/* The absolute tolerances as used; null where no run began. */
static json_t *absolute(const ha_dae_stats *s)
{
    return s->atol[1] > 0.0 ? json_pack("{s:o,s:o}", "least", cli_json_real(s->atol[0]), "largest",
                                        cli_json_real(s->atol[1]))
                            : json_null();
}

static ha_status print_json(cli_call *cli, const cli_run *run, const digits *d)
{
    cli_json json = cli_json_new();
    const cli_model *model = &run->model;
    const bg_run_report *r = &run->report;
    const ha_dae_stats *s = &r->solver;

    const cli_member members[] = {
        cli_text("status", cli_status_word(run->status)),
        cli_real("t_end", model->options.solver.t_end),
        cli_real("t_reached", s->t_reached),
        cli_value("unknowns", count_of(model, bg_model_n_unknowns)),
        cli_value("states", count_of(model, bg_model_n_states)),
        cli_value("multipliers", count_of(model, bg_model_n_multipliers)),
        cli_value("driver",
                  has_driver(s) ? json_string(ha_driver_name((ha_driver) s->driver)) : json_null()),
        cli_int("driver_switches", s->switches),
        cli_text("driver_reason", s->switch_reason),
        cli_real("rtol", model->options.solver.rtol),
        cli_value("atol", absolute(s)),
        cli_int("steps", s->steps),
        cli_int("residual_evaluations", s->residual_evaluations),
        cli_int("jacobian_evaluations", s->jacobian_evaluations),
        cli_int("newton_iterations", s->newton_iterations),
        cli_int("error_test_failures", s->error_test_failures),
        cli_int("convergence_failures", s->convergence_failures),
        cli_int("events", s->events),
        cli_int("slides", s->slides),
        cli_int("restarts", s->restarts),
        cli_real("seconds_setup", run->seconds_setup),
        cli_real("seconds_solve", s->seconds),
        cli_bool("compiled", run->is_compiled),
        cli_real("energy_error", r->energy_error),
        cli_real("energy_passed", r->energy_passed),
        cli_real("max_constraint_error", r->constraint_error),
        cli_real("max_velocity_error", r->velocity_error),
        cli_real("alpha", r->alpha),
        cli_real("beta", r->beta),
        cli_int("projections", s->projections),
        cli_int("explicit_passes", s->hops),
        cli_int("singular_passes", s->singular_passes),
        cli_int("rank_losses", s->rank_losses),
        cli_value("unique_reactions", report_reactions(model, &json)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    if (d->n_runs > 0) {
        cli_json_put(&json, "digits", digits_object(d, run, &json));
        cli_json_put(&json, "digits_left_out", digits_left_out(d, run, &json));
        cli_json_put(&json, "runs", digits_runs(d, &json));
    } else {
        cli_json_put_real(&json, "digits_estimate", d->estimate.digits);
        cli_json_put_real(&json, "peaks_digits_estimate", d->estimate.peak_digits);
        cli_json_put(&json, "tightened", json_integer(d->estimate.n_tightened));
    }
    cli_json_put(&json, "peaks", final_peaks(run, &json));
    cli_json_put(&json, "final", final_object(run, &json));
    return cli_json_print(cli, &json);
}

/* How the run went over singular positions and what became of drift. */
static void print_passes(const cli_model *model, const ha_dae_stats *s)
{
    if (s->projections > 0 && model->options.solver.projection == HA_PROJECTION_AUTO) {
        printf("  drift                    in the way at %.6g s, from there on taken back\n",
               s->t_projects);
    }
    if (s->singular_passes > 0) {
        printf("  singular positions       passed by explicit steps, %ld time%s, first at %.6g s\n",
               s->singular_passes, s->singular_passes == 1 ? "" : "s", s->t_singular);
    }
    if (s->hops > s->singular_passes) {
        printf("  collapsed steps          replaced by explicit ones, %ld time%s, nothing singular "
               "there\n",
               s->hops - s->singular_passes, s->hops - s->singular_passes == 1 ? "" : "s");
    }
    if (s->hops > 0) {
        printf("  explicit steps           first at %.6g s, with errors of up to %.6g times the "
               "tolerance\n",
               s->t_hop, s->hop_error);
    }
    if (s->relaxed > 0.0) {
        printf("  round-off                made the tolerances %.3g times as large near them, most "
               "at %.6g s\n",
               s->relaxed, s->t_relaxed);
    }
    if (s->rank_losses > 0) {
        printf("  rank                     %d constraints were independent at %.6g s\n",
               s->lowest_rank, s->t_lowest_rank);
    }
}

/* Which method ran, and why. */
static void print_driver(const ha_dae_stats *s)
{
    if (!has_driver(s)) {
        return;
    }
    printf("  driver                   %s", ha_driver_name((ha_driver) s->first_driver));
    if (s->switches > 0) {
        printf(", at %.6g s %s: %s", s->t_switch,
               s->first_driver == HA_DRIVER_IDA ? "explicit8" : "ida", s->switch_reason);
    } else {
        printf("%s%s", s->switch_reason == NULL ? ", as chosen" : ": ",
               s->switch_reason == NULL ? "" : s->switch_reason);
    }
    if (s->switches > 1) {
        printf("; at the end %s after %ld changes", ha_driver_name((ha_driver) s->driver),
               s->switches);
    }
    printf("\n");
}

static void print_summary(const cli_run *run, const digits *d)
{
    const cli_model *model = &run->model;
    const bg_run_report *r = &run->report;
    const ha_dae_stats *s = &r->solver;

    printf("%s: %s at %.9g of %.9g s, %zu rows", model->name, cli_status_word(run->status),
           s->t_reached, model->options.solver.t_end, ha_result_n_rows(run->result));
    if (d->n_runs == 0) {
        estimate_print_doubt(&d->estimate, run);
    }
    printf("\n\n");
    printf("  unknowns                 %d: %d states, %d multipliers\n",
           bg_model_n_unknowns(model->compiled), bg_model_n_states(model->compiled),
           bg_model_n_multipliers(model->compiled));
    print_driver(s);
    printf("  steps                    %ld, %ld residuals, %ld Jacobians\n", s->steps,
           s->residual_evaluations, s->jacobian_evaluations);
    digits_print(d, run);
    if (run->is_compiled) {
        printf("  equations                as machine code\n");
    }
    if (s->events > 0) {
        printf("  events                   %ld, %ld restart%s\n", s->events, s->restarts,
               s->restarts == 1 ? "" : "s");
    }
    if (s->slides > 0) {
        printf("  held between two sides   %ld time%s, first at %.9g s\n", s->slides,
               s->slides == 1 ? "" : "s", s->t_slide);
    }
    printf("  seconds                  %.3g for the set-up, %.3g for the solution\n",
           run->seconds_setup, s->seconds);
    if (final_is_there(run)) {
        printf("  energy error             %.3g J of %.3g J that passed\n", r->energy_error,
               r->energy_passed);
    }
    if (bg_model_n_multipliers(model->compiled) > 0) {
        if (final_is_there(run)) {
            printf("  constraint error         %.3g at position, %.3g at velocity level\n",
                   r->constraint_error, r->velocity_error);
        }
        printf("  alpha, beta              %.6g, %.6g 1/s, %s\n", r->alpha, r->beta,
               r->alpha_reason);
        print_passes(model, s);
    }
}

/* --- running -------------------------------------------------------------------------------- */

static ha_status check_options(cli_call *cli, const cli_model *model)
{
    if (cli_has(cli, CLI_JSON) && cli_has(cli, CLI_OUTPUT) &&
        strcmp(cli->text[CLI_OUTPUT], "-") == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--json and `-o -` both want standard output; write the results to a file");
    }
    return cli_check_end(cli, model);
}

/* Says in the words of the mechanism why a run stopped, if its joints are why. */
static ha_status explain(const cli_run *run, const double *last)
{
    const cli_model *model = &run->model;
    bool is_stopped = run->status == HA_ERR_SOLVER || run->status == HA_ERR_SINGULAR;

    return is_stopped && model->assembly != NULL && final_is_there(run)
               ? m2d_explain_stop(m2d_model_mechanism(model->file), model->assembly,
                                  model->compiled, last, run->report.solver.t_reached)
               : HA_OK;
}

static ha_status solve(cli_call *cli, cli_run *run, double begin)
{
    double *last = NULL;

    HA_TRY_ALLOC(cli->ctx, last, bg_model_n_unknowns(run->model.compiled));
    run->model.options.last = last;
    cli_begin_work(cli);
    ha_status status = cli_run_solve(cli, run, begin);
    cli_end_work(cli);
    HA_THEN(status, explain(run, last));
    run->model.options.last = NULL;
    ha__free(last);
    return status;
}

/* True when a summary goes out besides the table. */
static bool shows_summary(const cli_call *cli)
{
    return cli_has(cli, CLI_JSON) || !cli_has(cli, CLI_OUTPUT) ||
           (strcmp(cli->text[CLI_OUTPUT], "-") != 0 && !cli_has(cli, CLI_QUIET));
}

/* Writes what there is; no file when the run failed before its first row. */
static ha_status write_results(cli_call *cli, const cli_run *run, const digits *d)
{
    const char *path = cli->text[CLI_OUTPUT];

    if (cli_has(cli, CLI_OUTPUT) && final_is_there(run)) {
        const ha__result_format *to = ha__suffix_find(&ha__result_formats, path);
        HA_TRY(to->write(run->result, path));
    }
    if (cli_has(cli, CLI_JSON)) {
        return print_json(cli, run, d);
    }
    if (shows_summary(cli)) {
        print_summary(run, d);
    }
    if (!cli_has(cli, CLI_OUTPUT)) {
        final_print(run);
    }
    return HA_OK;
}

/* Runs until the digits asked for agree; what was reached is written in any case. */
static ha_status run_digits(cli_call *cli, cli_run *run, digits *d)
{
    const long asked = run->model.options.digits;

    cli_run_clear(run);
    cli_begin_work(cli);
    ha_status found = digits_solve(cli, asked, d, run);
    cli_end_work(cli);
    cli_print_diags(cli);
    ha_status status = final_is_there(run) ? write_results(cli, run, d) : HA_OK;
    return found != HA_OK ? found : status;
}

/* Inverse dynamics with inverse signals leave motions free, which are integrated; false without. */
static bool take_inverse(cli_model *model)
{
    bool has_inverse =
        model->options.solver.driver == HA_DRIVER_KINEMATIC && bg_graph_has_inverse(model->graph);

    model->options.solver.driver = has_inverse ? HA_DRIVER_AUTO : model->options.solver.driver;
    return has_inverse;
}

static ha_status tell_inverse(cli_call *cli, const cli_run *run)
{
    bool shows = !cli_has(cli, CLI_OUTPUT) && !cli_has(cli, CLI_JSON);

    if (shows) {
        printf("\n");
        HA_TRY(inverse_print(&run->model));
    }
    ha_status status = zero_dynamics_tell(cli, shows);
    cli_print_diags(cli);
    return status;
}

static ha_status run(cli_call *cli, cli_run *run, digits *d)
{
    double begin = ha__clock();
    ha_status status = HA_OK;

    HA_TRY(cli_load(cli, &run->model));
    HA_TRY(check_options(cli, &run->model));
    bool has_inverse = take_inverse(&run->model);
    if (run->model.options.digits > 0) {
        return run_digits(cli, run, d);
    }
    run->status = m2d__kit_prepare(&run->model);
    if (run->status != HA_OK) {
        /* a model that is right but cannot be run has an object, too */
        if (cli_has(cli, CLI_JSON) && ha_status_exit(run->status) == 1) {
            HA_TRY(print_json(cli, run, d));
        }
        return run->status;
    }
    if (cli_has(cli, CLI_COMPILE)) {
        cli_begin_work(cli);
        status = cli_translate(cli->ctx, &run->model, &run->is_compiled);
        cli_end_work(cli);
        HA_TRY(status);
    }
    HA_TRY(solve(cli, run, begin));
    cli_begin_work(cli);
    tighten_run(cli, run, &d->estimate); /* a table is the same where nothing is said, too */
    cli_end_work(cli);
    cli_print_diags(cli);
    status = write_results(cli, run, d);
    HA_THEN(status, has_inverse ? tell_inverse(cli, run) : HA_OK);
    return run->status != HA_OK ? run->status : status;
}

ha_status cmd_run(cli_call *cli)
{
    cli_run one = cli_run_new(NULL);
    digits d = { .estimate = estimate_none("there was no run") };
    ha_status status = run(cli, &one, &d);

    digits_clear(&d);
    cli_run_clear(&one);
    return status;
}

/* The same without integration. */
ha_status cmd_inverse(cli_call *cli)
{
    cli->given[CLI_RUN_driver] = true;
    cli->text[CLI_RUN_driver] = "kinematic";
    return cmd_run(cli);
}
