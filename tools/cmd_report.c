/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halfarrow report: a model, its bond graph and its runs as one page. Whatever could be found is on
 * the page: of an unsound graph its causal analysis, of a run that failed or was interrupted the
 * rows before that. An interrupt ends the runs, not the drawing of what they gave.
 */
#include <config.h>

#include "lib/core/output.h"
#include "tools/digits/tighten.h"
#include "tools/page/page.h"
#include "tools/page/page_analysis.h"
#include "tools/page/page_live.h"

/* Draws and solves with one variant of the command line, or as the file stands. */
static ha_status add_run(page *p, int variant)
{
    cli_call *cli = p->cli;

    HA_TRY_PUSH(cli->ctx, &p->runs, (page_run){ 0 }); /* freed with the others, also on failure */
    page_run *run = &p->runs.items[p->runs.count - 1];
    run->window.body = -1;
    run->estimate = estimate_none("");
    HA_TRY(cli_solve(cli, variant, true, &run->run));
    cli_begin_work(cli);
    tighten_run(cli, &run->run, &run->estimate);
    cli_end_work(cli);
    if (cli_run_n_rows(&run->run) == 0 || run->run.model.system == NULL ||
        m2d_system_n_bodies(run->run.model.system) == 0) {
        return HA_OK;
    }
    HA_TRY(scene_open(cli->ctx, m2d_model_mechanism(run->run.model.file), run->run.result,
                      &run->scene));
    run->has_scene = true;
    scene_extend(&run->scene, &p->view);
    return HA_OK;
}

/* What the page shows first of each run. */
static void find_windows(page *p)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        if (cli_run_n_rows(&p->runs.items[i].run) > 0) {
            page_find_window(&p->runs.items[i]);
        }
    }
}

static ha_status add_runs(page *p)
{
    if (p->cli->variants.count == 0) {
        return add_run(p, -1);
    }
    for (size_t i = 0; i < p->cli->variants.count; i++) {
        HA_TRY(add_run(p, (int) i));
        if (p->runs.items[i].run.status == HA_ERR_INTERRUPTED) {
            break;
        }
    }
    return HA_OK;
}

/* The worst that happened to a run. */
static ha_status status_of(const page *p)
{
    ha_status status = HA_OK;

    for (size_t i = 0; i < p->runs.count; i++) {
        ha_status one = p->runs.items[i].run.status;
        HA_THEN(status, one);
    }
    return status;
}

static ha_status draw_graphs(page *p)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        if (p->runs.items[i].run.model.causality != NULL) {
            HA_TRY(page_draw_graph(&p->runs.items[i]));
        }
    }
    return HA_OK;
}

static ha_status write_page(page *p)
{
    ha__strbuf text = HA_STRBUF(p->cli->ctx);
    ha_status status = page_write(p, &text);

    HA_THEN(status, ha__output_write(p->cli->ctx, p->cli->text[CLI_OUTPUT], ha__strbuf_text(&text),
                                     text.length));
    p->cli->has_written = status == HA_OK;
    return ha__strbuf_drop(&text, status);
}

static ha_status report(page *p, page_analysis *analysis, page_live *live)
{
    cli_call *cli = p->cli;

    if (!cli_has(cli, CLI_OUTPUT)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`report` needs a file to write: -o FILE.html, or `-o -` for standard "
                       "output");
    }
    HA_TRY(add_runs(p));
    scene_fit(&p->view);
    if (status_of(p) == HA_ERR_INTERRUPTED) {
        ha_ctx_set_interrupt(cli->ctx, NULL);
    }
    HA_TRY(page_read_limits(p));
    find_windows(p);
    ha_status drawn = draw_graphs(p);
    if (drawn != HA_OK && drawn != HA_ERR_PROCESS && drawn != HA_ERR_INTERRUPTED) {
        return drawn;
    }
    if (status_of(p) != HA_ERR_INTERRUPTED) {
        cli_begin_work(cli);
        ha_status analysed = page_analyse(p, analysis);
        cli_end_work(cli);
        HA_TRY(analysed);
    }
    HA_TRY(cli_has(cli, CLI_LIVE) && status_of(p) != HA_ERR_INTERRUPTED ? page_live_find(p, live)
                                                                        : HA_OK);
    HA_TRY(write_page(p));
    return status_of(p) != HA_OK ? status_of(p) : drawn;
}

ha_status cmd_report(cli_call *cli)
{
    page p = { .cli = cli, .view = scene_view_new() };
    page_analysis analysis = { 0 };
    page_live live = { 0 };
    ha_status status = report(&p, &analysis, &live);

    for (size_t i = 0; i < p.runs.count; i++) {
        HA_FREE(p.runs.items[i].words, p.runs.items[i].diagram);
        scene_clear(&p.runs.items[i].scene);
        cli_run_clear(&p.runs.items[i].run);
    }
    HA_ARRAY_CLEAR(&p.runs);
    json_decref(p.panels.list);
    page_limits_clear(&p.limits);
    page_live_clear(&live);
    page_analysis_clear(&analysis);
    return status;
}
