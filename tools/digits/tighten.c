/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tolerance by default was chosen by nobody. A motion that makes small errors large, as that of
 * balls which hit each other again and again, may need a tighter one: then the estimate says that
 * hardly a digit is right, and whoever reads the end values alone takes a wrong result for one. So
 * the run is repeated with a hundredth of the tolerance, and once more. An error that grows from
 * the tolerance to the size of the result loses two digits less each time; a motion that is chaotic
 * over the time of the run, or what hangs on alpha and not on the tolerance, stays without digits,
 * which the first line of the summary says.
 *
 * A tolerance that was chosen is kept, and so is one of `--digits`, which has its own search.
 */
#include <config.h>

#include "tools/digits/tighten.h"

#include "lib/core/clock.h"
#include "tools/shared/cli.h"

static const double TIGHTER = 0.01; /* times the tolerance */
static const double ENOUGH = 3.0;   /* digits: an estimate may be wrong by nearly one of them */

enum { MOST_AGAIN = 2 }; /* runs with tighter ones */

/* Solves the run again in place of what is there; false where that does not get to the end. Of the
   model nothing is said that was not said of the first run. */
static ha_status solve_again(const cli_call *cli, cli_run *run, bool *is_done)
{
    cli_call own = *cli;
    double seconds_setup = run->seconds_setup;

    HA_TRY_GET(own.ctx, ha_ctx_new());
    cli_share_interrupt(own.ctx);
    *run = (cli_run){ .name = run->name,
                      .model = run->model,
                      .report = cli_run_new(NULL).report,
                      .ctx = own.ctx,
                      .is_compiled = run->is_compiled };
    ha_status status = cli_run_solve(&own, run, ha__clock());
    run->seconds_setup = seconds_setup;
    *is_done = status == HA_OK && run->status == HA_OK;
    return status == HA_ERR_MEMORY || run->status == HA_ERR_MEMORY ? HA_ERR_MEMORY : HA_OK;
}

/* True of a tolerance that somebody gave. */
static bool is_chosen(const ha_dae_options *options)
{
    return options->rtol != ha_dae_options_default().rtol || options->atol > 0.0;
}

/* Repeats the run with the tighter tolerance; where that does not succeed it stays as it is. */
static ha_status tighten(const cli_call *cli, cli_run *run, estimate *e, bool *is_done)
{
    cli_run kept = *run;
    estimate found = *e;

    run->model.options.solver.rtol *= TIGHTER;
    run->model.options.last = NULL;
    ha_status status = solve_again(cli, run, is_done);
    HA_THEN(status, *is_done ? estimate_digits(run, &found) : HA_OK);
    *is_done = *is_done && status == HA_OK;
    cli_run_drop_results(*is_done ? &kept : run);
    if (!*is_done) {
        *run = kept;
        return status;
    }
    found.n_tightened = e->n_tightened + 1;
    found.first_rtol = e->n_tightened > 0 ? e->first_rtol : kept.model.options.solver.rtol;
    found.first_digits = e->n_tightened > 0 ? e->first_digits : e->digits;
    *e = found;
    return HA_OK;
}

ha_status tighten_run(const cli_call *cli, cli_run *run, estimate *out)
{
    HA_TRY(estimate_digits(run, out));
    bool goes_on = !is_chosen(&run->model.options.solver);

    while (goes_on && out->n_tightened < MOST_AGAIN && out->digits < ENOUGH) {
        HA_TRY(tighten(cli, run, out, &goes_on));
    }
    return HA_OK;
}
