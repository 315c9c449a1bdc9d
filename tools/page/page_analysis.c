/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small motions on a page. Where nobody asks for them they are found quietly: a start that is no
 * equilibrium, a switch on its edge, or equations that are singular there leave the section out.
 */
#include <config.h>

#include "tools/page/page_analysis.h"

#include "tools/page/page_frequency.h"
#include "tools/page/page_linear.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 1500, FREQUENCIES = 400 };

static const double PI = 3.14159265358979323846;

/* The command line with the variant of the first run alone. */
static cli_call first_variant(const cli_call *cli)
{
    cli_call one = *cli;

    one.variants.count = one.variants.count > 0 ? 1 : 0;
    if (one.variants.count > 0 && strcmp(one.variants.items[0], "base") == 0) {
        one.variants.count = 0;
    }
    if (one.variants.count == 0) {
        one.given[CLI_VARIANT] = false;
    }
    return one;
}

/* --- modes ---------------------------------------------------------------------------------- */

static ha_status find_modes(page_analysis *a)
{
    cli_call without = a->cli; /* modes have outputs of their own */

    without.given[CLI_U] = without.given[CLI_Y] = false;
    HA_TRY(operating_prepare(&without, true, &a->at[0]));
    HA_TRY(bg_modes(without.ctx, a->at[0].run.model.compiled, &a->at[0].point, 0, &a->modal));
    if (a->modal.n_modes == 0 || (!a->modal.is_equilibrium && !cli_has(&a->cli, CLI_AT))) {
        return HA_OK;
    }
    HA_TRY(modes_show(&a->cli, &a->at[0], &a->modal, &a->shown));
    a->has_modes = true;
    ha_status status = page_modes_new(&a->cli, &a->shown, &a->modes);
    return status == HA_ERR_PROCESS ? HA_OK : status; /* that `dot` is missing is said elsewhere */
}

/* As find_modes(), without a word where it fails. */
static ha_status try_modes(page_analysis *a, ha_ctx *quiet)
{
    ha_ctx *loud = a->cli.ctx;

    a->cli.ctx = quiet;
    cli_share_interrupt(quiet);
    ha_status status = find_modes(a);
    a->cli.ctx = loud;
    a->has_modes = a->has_modes && status == HA_OK;
    return status == HA_ERR_MEMORY || status == HA_ERR_INTERRUPTED ? status : HA_OK;
}

/* --- frequency response --------------------------------------------------------------------- */

/* From a tenth of the lowest to ten times the highest frequency of the modes, where --from and --to
   do not say it. */
static ha_status choose_range(page_analysis *a, bg_frequency_range *range)
{
    double low = (double) INFINITY, high = 0.0;

    for (int k = 0; k < a->modal.n_modes; k++) {
        const double *z = a->modal.modes[k].eigenvalue;
        double f = hypot(z[0], z[1]) / (2.0 * PI);
        low = f > 0.0 ? fmin(low, f) : low;
        high = fmax(high, f);
    }
    *range = (bg_frequency_range){ high > 0.0 ? low / 10.0 : 0.01, high > 0.0 ? 10.0 * high : 100.0,
                                   FREQUENCIES };
    if (cli_has(&a->cli, CLI_FROM)) {
        HA_TRY(cli_number(&a->cli, CLI_FROM, &range->from));
    }
    if (cli_has(&a->cli, CLI_TO)) {
        HA_TRY(cli_number(&a->cli, CLI_TO, &range->to));
    }
    return HA_OK;
}

/* The matrices from these inputs to these outputs. */
static ha_status add_linear(page_analysis *a)
{
    bg_linear linear = { 0 };
    ha_status status =
        bg_linearise(a->cli.ctx, a->at[1].run.model.compiled, &a->at[1].point, &linear);

    HA_THEN(status, page_add_linear(&linear, &a->frequency));
    bg_linear_clear(&linear);
    return status;
}

static ha_status find_response(page *p, page_analysis *a)
{
    bg_frequency_range range = { 0 };

    if (!cli_has(&a->cli, CLI_U) || !cli_has(&a->cli, CLI_Y)) {
        return ha_fail(a->cli.ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "a frequency response needs an input and an output: --u NAME --y NAME");
    }
    HA_TRY(choose_range(a, &range));
    HA_TRY(operating_prepare(&a->cli, false, &a->at[1]));
    HA_TRY(bg_frequency(a->cli.ctx, a->at[1].run.model.compiled, &a->at[1].point, &range,
                        &a->response));
    HA_TRY(page_add_frequency(&a->response, &p->panels, &a->frequency));
    HA_TRY(add_linear(a));
    p->frequency = ha__strbuf_text(&a->frequency);
    return HA_OK;
}

/* -------------------------------------------------------------------------------------------- */

ha_status page_analyse(page *p, page_analysis *out)
{
    const cli_run *run = &p->runs.items[0].run;
    bool is_asked = cli_has(p->cli, CLI_AT);
    bool has_response = cli_has(p->cli, CLI_U) || cli_has(p->cli, CLI_Y);

    *out = (page_analysis){ .cli = first_variant(p->cli),
                            .at = { operating_new(), operating_new() },
                            .frequency = HA_STRBUF(p->cli->ctx) };
    if (run->model.compiled == NULL) {
        return HA_OK; /* nothing to linearise */
    }
    if (is_asked) {
        HA_TRY(find_modes(out));
    } else if (bg_model_n_unknowns(run->model.compiled) <= MOST_UNKNOWNS) {
        out->quiet = ha_ctx_new();
        HA_TRY(out->quiet == NULL ? HA_ERR_MEMORY : try_modes(out, out->quiet));
    }
    p->modes = out->has_modes ? &out->modes : NULL;
    return has_response ? find_response(p, out) : HA_OK;
}

void page_analysis_clear(page_analysis *a)
{
    page_modes_clear(&a->modes);
    modes_clear(&a->shown);
    bg_modal_clear(&a->modal);
    bg_response_clear(&a->response);
    operating_clear(&a->at[0]);
    operating_clear(&a->at[1]);
    ha__strbuf_clear(&a->frequency);
    if (a->quiet != NULL) {
        ha_ctx_free(a->quiet);
    }
}
