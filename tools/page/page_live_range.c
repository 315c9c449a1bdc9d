/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trial runs while a live page is written: how far a value can go. A range is tried at about a
 * quarter, a half, three quarters and all of the way to both of its ends, and ends before the first
 * that fails, at a sixteenth where the first one does. A run that takes ten times the steps of the
 * file's own run fails, too: it would not be live. Where all trials together would take too long,
 * later ones are left out: how many steps that is does not depend on the clock, so that a page is
 * the same on all machines.
 */
#include <config.h>

#include "tools/page/page_live.h"

#include "lib/core/clock.h"
#include "lib/core/number.h"
#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- ranges of the command line --------------------------------------------------------------- */

static ha_status fail_range(const page_live *live, const char *range, const char *why)
{
    return ha_fail(live->page->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "--live `%s` %s; write PATH=LOW:HIGH, as `parameters.r=20 mm:40 mm`", range,
                   why);
}

/* A bound in the unit of the value; a plain number is in it already. */
static ha_status read_bound(const page_live *live, const char *range, const char *text,
                            size_t length, const char *unit, double *out)
{
    ha_ctx *ctx = live->page->cli->ctx;
    ha__strbuf own = HA_STRBUF(ctx), one = HA_STRBUF(ctx);
    size_t n = 0;
    double factor = 1.0;

    ha__strbuf_add_bytes(&own, text, length);
    ha__strbuf_addf(&one, "1 %s", unit);
    ha_status status = own.status != HA_OK ? own.status : one.status;
    HA_THEN(status, ha__quantity_read(ctx, ha__strbuf_text(&own), HA__QUANTITY_ANY, HA_NOWHERE,
                                      range, out));
    if (status == HA_OK && ha__quantity_unit_in(ha__strbuf_text(&own), &n) != NULL &&
        unit[0] != '\0') {
        status = ha__quantity_check_like(ctx, ha__strbuf_text(&own), ha__strbuf_text(&one),
                                         HA_NOWHERE, range);
        HA_THEN(status, ha__quantity_read(ctx, ha__strbuf_text(&one), HA__QUANTITY_ANY, HA_NOWHERE,
                                          range, &factor));
    }
    ha__strbuf_clear(&own);
    ha__strbuf_clear(&one);
    *out = status == HA_OK ? *out / factor : *out;
    return status;
}

ha_status live_given_range(const page_live *live, const char *path, const char *unit, double *low,
                           double *high, bool *is_given)
{
    const cli_call *cli = live->page->cli;
    size_t length = strlen(path);

    for (size_t i = 0; i < cli->ranges.count; i++) {
        const char *range = cli->ranges.items[i], *colon = NULL;
        if (strncmp(range, path, length) != 0 || range[length] != '=') {
            continue;
        }
        colon = strchr(range, ':');
        if (colon == NULL) {
            return fail_range(live, range, "has no colon");
        }
        HA_TRY(read_bound(live, range, range + length + 1, (size_t) (colon - range) - length - 1,
                          unit, low));
        HA_TRY(read_bound(live, range, colon + 1, strlen(colon + 1), unit, high));
        if (!(*low < *high)) {
            return fail_range(live, range, "does not go upwards");
        }
        *is_given = true;
    }
    return HA_OK;
}

/* --- trial runs ------------------------------------------------------------------------------- */

ha_status live_call_begin(const page_live *live, const char *const *sets, size_t n, live_call *out)
{
    const cli_call *cli = live->page->cli;

    *out = (live_call){ .cli = *cli };
    out->cli.ctx = ha_ctx_new();
    HA_TRY_MEMORY(out->cli.ctx);
    cli_share_interrupt(out->cli.ctx);
    for (size_t i = 0; i < cli->sets.count + n; i++) {
        const char *set = i < cli->sets.count ? cli->sets.items[i] : sets[i - cli->sets.count];
        HA_TRY_PUSH(out->cli.ctx, &out->sets, set);
    }
    memcpy(&out->cli.sets, &out->sets, sizeof out->sets);
    out->cli.variants.count = cli->variants.count > 0 ? 1 : 0;
    return HA_OK;
}

void live_call_end(live_call *call)
{
    HA_ARRAY_CLEAR(&call->sets);
    ha_ctx_free(call->cli.ctx);
    *call = (live_call){ 0 };
}

static ha_status solve(page_live *live, live_call *call, cli_run *run)
{
    HA_TRY(cli_load(&call->cli, &run->model));
    HA_TRY(cli_check_end(&call->cli, &run->model));
    run->model.options.solver.max_steps = live->most;
    HA_TRY(m2d__kit_prepare(&run->model));
    HA_TRY(cli_run_solve(&call->cli, run, ha__clock()));
    return run->status;
}

bool live_runs(page_live *live, const char *const *sets, size_t n)
{
    cli_run run = cli_run_new(NULL);
    live_call call;
    ha_status status = live_call_begin(live, sets, n, &call);

    HA_THEN(status, solve(live, &call, &run));
    live->left -= 100 + run.report.solver.steps; /* a model that does not run costs, too */
    cli_run_clear(&run);
    live_call_end(&call);
    return status == HA_OK;
}

static bool runs_with(page_live *live, const live_value *v, double value)
{
    char digits[HA__NUMBER_SIZE], set[512];
    const char *const sets[1] = { set };

    ha__print_short_number(digits, value);
    snprintf(set, sizeof set, "%s=%s%s%s", v->path, digits, v->unit[0] != '\0' ? " " : "", v->unit);
    return live_runs(live, sets, 1);
}

/* How much of the way to one end runs work. */
static double reach(page_live *live, const live_value *v, double end)
{
    static const double parts[] = { 0.237, 0.489, 0.763, 1.0 }; /* no whole numbers */
    double good = 0.0;

    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        if (!runs_with(live, v, v->value + parts[i] * (end - v->value))) {
            const double least = parts[0] / 4.0;
            return good > 0.0                                                ? good
                   : runs_with(live, v, v->value + least * (end - v->value)) ? least
                                                                             : 0.0;
        }
        good = parts[i];
    }
    return good;
}

ha_status live_check_range(page_live *live, live_value *v)
{
    if (live->left <= 0) {
        return HA_OK;
    }
    double low = v->low, high = v->high;
    v->low = v->value + reach(live, v, low) * (low - v->value);
    v->high = v->value + reach(live, v, high) * (high - v->value);
    return ha_ctx_is_interrupted(live->page->cli->ctx) ? HA_ERR_INTERRUPTED : HA_OK;
}
