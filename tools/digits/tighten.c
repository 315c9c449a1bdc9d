/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nobody chose the tolerance by default. A motion that makes small errors large, as that of balls
 * which hit each other again and again, may need a tighter one: then the estimate says that hardly
 * a digit is right, and who reads the end values alone takes a wrong result for a right one. So the
 * run is repeated with a hundredth of the tolerance, and once more. An error that grows from the
 * tolerance to the size of the result loses two digits less each time; a motion that is chaotic
 * over the time of the run stays without digits, which the first line of the summary says.
 *
 * Where a law reads alpha, by which friction holds and an ideal switch cuts, the error goes with
 * 1 / alpha: then alpha grows as the tolerance shrinks.
 *
 * A tolerance or an alpha that was chosen is kept, and so is one of `--digits`, which has its own
 * search. A repeat may take several times the steps of the run, but not many: friction that holds
 * ever more firmly can need a thousand times as many. Of the runs the one with the most digits is
 * taken, the tightest of equal ones. By chance a run may seem worse than a looser one: then the
 * next is made all the same.
 */
#include <config.h>

#include "tools/digits/tighten.h"

#include "lib/core/clock.h"
#include "lib/core/context_priv.h"
#include "tools/shared/cli.h"

#include <math.h>

static const double TIGHTER = 0.01; /* times the tolerance */
static const double ENOUGH = 3.0;   /* digits: an estimate may be wrong by nearly one of them */
static const double STEPS = 6.0;    /* times those of the run are allowed, */
static const double WORK = 3e5; /* and as many that steps times unknowns are no more than this */

enum { MOST_AGAIN = 2 }; /* runs with tighter ones */

/* Solves the run again in place of what is there; false where that does not get to the end. */
static bool solve_again(const cli_call *cli, cli_run *run)
{
    cli_call own = *cli;
    double seconds_setup = run->seconds_setup;

    own.ctx = ha_ctx_new();
    *run = (cli_run){ .name = run->name,
                      .model = run->model,
                      .report = cli_run_new(NULL).report,
                      .ctx = own.ctx,
                      .is_compiled = run->is_compiled };
    if (own.ctx == NULL) {
        return false;
    }
    cli_share_interrupt(own.ctx);
    ha_status status = cli_run_solve(&own, run, ha__clock());
    run->seconds_setup = seconds_setup;
    return status == HA_OK && run->status == HA_OK;
}

/* True of a tolerance that somebody gave; the default value in a file counts as not given. */
static bool is_chosen(const cli_call *cli, const ha_dae_options *options)
{
    return cli_has(cli, CLI_RUN_rtol) || options->rtol != ha_dae_options_default().rtol ||
           options->atol > 0.0;
}

/* A repeat: how much tighter than the first run, and of what that was. */
typedef struct {
    int n; /* of hundredths */
    double tighter;
    const cli_run *first; /* as it ended; its results may be gone */
    double first_digits;
    bool is_alpha_raised;
} repeat;

/* Makes the tolerance tighter, and alpha larger where a law reads it. */
static void change_options(cli_run *run, const repeat *of)
{
    bg_run_options *options = &run->model.options;
    const bg_run_options *first = &of->first->model.options;
    double most =
        STEPS * (double) run->report.solver.steps + WORK / bg_model_n_unknowns(run->model.compiled);

    options->solver.rtol = of->tighter * first->solver.rtol;
    options->solver.max_steps = (long) fmin(most, (double) first->solver.max_steps);
    options->last = NULL;
    options->from = run->from; /* a steady cycle is sought anew */
    if (of->is_alpha_raised) {
        options->alpha = of->first->report.alpha / of->tighter;
        options->beta = of->first->report.beta / of->tighter;
    }
}

/* Lets what was said of a run be that of another one, which has a context of its own. */
static void say_instead(ha_ctx *ctx, size_t n_said, const ha_ctx *other)
{
    ha__ctx_forget(ctx, n_said);
    for (size_t i = 0; i < ha_ctx_n_diags(other); i++) {
        const ha_diag *d = ha_ctx_diag(other, i);
        if (d->severity == HA_WARNING) {
            ha_warn(ctx, d->where, "%s", d->text);
        } else {
            ha_note(ctx, d->where, "%s", d->text);
        }
    }
}

/* Repeats the run more tightly; it stays as it is where that has fewer digits. False where that
   does not get to the end. */
static bool repeat_run(const cli_call *cli, cli_run *run, const repeat *of, estimate *e)
{
    cli_run kept = *run;
    estimate found = estimate_none("");

    change_options(run, of);
    const double rtol = run->model.options.solver.rtol;
    bool is_done = solve_again(cli, run), is_interrupted = run->status == HA_ERR_INTERRUPTED;
    if (is_done) {
        estimate_digits(run, &found);
    }
    if (!(found.digits >= e->digits)) {
        e->failed_rtol = is_done || is_interrupted ? 0.0 : rtol;
        cli_run_drop_results(run);
        *run = kept;
        return is_done && !isnan(found.digits);
    }
    say_instead(cli->ctx, kept.n_said, run->ctx);
    run->n_said = kept.n_said;
    run->report.alpha_reason =
        of->is_alpha_raised ? "raised for more digits" : run->report.alpha_reason;
    found.n_tightened = of->n;
    found.first_rtol = of->first->model.options.solver.rtol;
    found.first_digits = of->first_digits;
    found.is_alpha_raised = of->is_alpha_raised;
    *e = found;
    cli_run_drop_results(&kept);
    return true;
}

void tighten_run(const cli_call *cli, cli_run *run, estimate *out)
{
    const cli_run first = *run;
    const bg_run_options *options = &first.model.options;
    bool is_alpha_free = isnan(options->alpha) && isnan(options->beta);
    bool goes_on = !is_chosen(cli, &options->solver);

    estimate_digits(run, out);
    repeat of = { .tighter = 1.0,
                  .first = &first,
                  .first_digits = out->digits,
                  .is_alpha_raised = is_alpha_free && first.report.reads_alpha };
    while (of.n < MOST_AGAIN && goes_on && out->digits < ENOUGH) {
        of.n++;
        of.tighter *= TIGHTER;
        goes_on = repeat_run(cli, run, &of, out);
    }
}
