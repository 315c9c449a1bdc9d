/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits: `--limit NAME=VALUE`, a line in the plots of an output and a row in a table, which says
 * what the runs come to and what is left. A limit above 0 is for the largest value, one below 0 for
 * the least. `JOINT.force` is the size of the force of a joint, and a circle in its polar plot.
 */
#include <config.h>

#include "tools/page/page_load.h"
#include "tools/page/page_table.h"

#include "lib/core/mem.h"
#include "lib/data/units.h"

#include <math.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

/* The joint that a name like `O.force` is about; -1: none. */
static int find_joint(const page_run *run, const char *name)
{
    const char *dot = strrchr(name, '.');

    for (int i = 0; run->has_scene && dot != NULL && strcmp(dot, ".force") == 0 &&
                    i < m2d_mechanism_n_joints(run->scene.mechanism);
         i++) {
        const char *joint = m2d_joint_name(run->scene.mechanism, i);
        if (strlen(joint) == (size_t) (dot - name) && strncmp(joint, name, strlen(joint)) == 0) {
            return i;
        }
    }
    return -1;
}

/* The unit of what is limited; NULL: no run has it. */
static const char *find_unit(const page *p, const char *name)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        const page_run *run = &p->runs.items[i];
        int column = cli_run_n_rows(&run->run) == 0 ? -1 : ha_result_find(run->run.result, name);
        if (column >= 1) {
            return ha_result_unit(run->run.result, (size_t) column);
        }
        if (find_joint(run, name) >= 0) {
            return "N";
        }
    }
    return NULL;
}

/* A value in the unit of what is limited; it may have a unit of its own. */
static ha_status read_value(ha_ctx *ctx, const char *text, const char *unit, const char *name,
                            double *out)
{
    ha__strbuf words = HA_STRBUF(ctx), one = HA_STRBUF(ctx);
    size_t length = 0;
    double factor = 1.0;

    ha__strbuf_addf(&words, "the limit of `%s`", name);
    ha__strbuf_addf(&one, "1 %s", unit);
    ha_status status = words.status != HA_OK ? words.status : one.status;
    HA_THEN(status, ha__quantity_read(ctx, text, HA__QUANTITY_ANY, HA_NOWHERE,
                                      ha__strbuf_text(&words), out));
    if (status == HA_OK && ha__quantity_unit_in(text, &length) != NULL && unit[0] != '\0') {
        status = ha__quantity_check_like(ctx, text, ha__strbuf_text(&one), HA_NOWHERE,
                                         ha__strbuf_text(&words));
        HA_THEN(status, ha__quantity_read(ctx, ha__strbuf_text(&one), HA__QUANTITY_ANY, HA_NOWHERE,
                                          ha__strbuf_text(&words), &factor));
    }
    ha__strbuf_clear(&words);
    ha__strbuf_clear(&one);
    *out = status == HA_OK ? *out / factor : *out;
    return status;
}

static ha_status read_limit(page *p, const char *argument, page_limit *out)
{
    ha_ctx *ctx = p->cli->ctx;
    size_t length = strcspn(argument, "=");

    if (argument[length] == '\0' || length == 0) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--limit is `%s`; write NAME=VALUE, as `O.force=300 N`", argument);
    }
    HA_TRY_GET(out->name, ha__copy_text(ctx, argument, length));
    const char *unit = find_unit(p, out->name);
    if (unit == NULL) {
        return ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                       "--limit: there is no output `%s`; `halfarrow run` lists them, and the size "
                       "of the force of a joint is `JOINT.force`",
                       out->name);
    }
    HA_TRY_GET(out->unit, ha__copy_text(ctx, unit, strlen(unit)));
    return read_value(ctx, argument + length + 1, unit, out->name, &out->value);
}

static bool has_rows(const page *p)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        if (cli_run_n_rows(&p->runs.items[i].run) > 0) {
            return true;
        }
    }
    return false;
}

ha_status page_read_limits(page *p)
{
    const cli_call *cli = p->cli;

    if (!has_rows(p)) { /* there are no outputs, and the page says why */
        return HA_OK;
    }
    HA_TRY_ALLOC(cli->ctx, p->limits.items, cli->limits.count + 1);
    for (size_t i = 0; i < cli->limits.count; i++) {
        p->limits.n = i + 1;
        HA_TRY(read_limit(p, cli->limits.items[i], &p->limits.items[i]));
    }
    return HA_OK;
}

void page_limits_clear(page_limits *limits)
{
    for (size_t i = 0; i < limits->n; i++) {
        HA_FREE(limits->items[i].name, limits->items[i].unit);
    }
    ha__free(limits->items);
    *limits = (page_limits){ 0 };
}

/* --- the table -------------------------------------------------------------------------------- */

/* What a run comes to, and when; NAN: it has no such output. */
static double extreme_of(const page_run *run, const page_limit *limit, double *time)
{
    const page_window all = { -(double) INFINITY, (double) INFINITY, "", -1 };
    int joint = find_joint(run, limit->name), column = -1;
    page_load load = { 0 };

    *time = (double) NAN;
    if (cli_run_n_rows(&run->run) == 0) {
        return (double) NAN;
    }
    column = ha_result_find(run->run.result, limit->name);
    if (column >= 1 && run->run.peaks != NULL) {
        const ha_peak peak = run->run.peaks[column - 1];
        *time = limit->value < 0.0 ? peak.t_min : peak.t_max;
        return limit->value < 0.0 ? peak.min : peak.max;
    }
    if (column < 1 && joint >= 0 && page_find_load(run, joint, &all, &load)) {
        *time = load.time;
        return load.size;
    }
    return (double) NAN;
}

static void add_row(const page_run *run, const char *run_name, const page_limit *limit,
                    ha__strbuf *out)
{
    double time = (double) NAN, x = extreme_of(run, limit, &time), left = 1.0 - x / limit->value;
    bool is_over = x / limit->value > 1.0;

    ha__strbuf_add(out, "<tr data-output=\"");
    ha__strbuf_add_markup(out, limit->name);
    ha__strbuf_add(out, "\"");
    if (isfinite(time)) {
        ha__strbuf_add(out, " data-time=\"");
        ha__strbuf_add_short_number(out, time);
        ha__strbuf_add(out, "\"");
    }
    ha__strbuf_addf(out, "%s><th scope=\"row\">", is_over ? " class=\"over\"" : "");
    ha__strbuf_add_markup(out, limit->name);
    if (run_name[0] != '\0') {
        ha__strbuf_add(out, " <small>");
        ha__strbuf_add_markup(out, run_name);
        ha__strbuf_add(out, "</small>");
    }
    ha__strbuf_add(out, "</th>");
    page_add_number(out, limit->value, limit->unit);
    page_add_number(out, x, limit->unit);
    page_add_number(out, time, "s");
    page_add_number(out, limit->value == 0.0 ? (double) NAN : round(1000.0 * left) / 10.0, "%");
    ha__strbuf_addf(out, "<td>%s</td></tr>\n",
                    isnan(x)  ? "\xe2\x80\x93"
                    : is_over ? "<strong>exceeded</strong>"
                              : "kept");
}

ha_status page_add_limits(const void *user, ha__strbuf *out)
{
    const page *p = user;

    if (p->limits.n == 0) {
        return out->status;
    }
    ha__strbuf_add(out, "<div class=\"scroll\"><table class=\"limits\">\n<caption>Limits, over the "
                        "whole run</caption>\n<thead><tr><th scope=\"col\">output</th>"
                        "<th scope=\"col\">limit</th><th scope=\"col\">comes to</th>"
                        "<th scope=\"col\">at</th><th scope=\"col\">left</th>"
                        "<th scope=\"col\"></th></tr></thead>\n");
    for (size_t i = 0; i < p->limits.n; i++) {
        for (size_t k = 0; k < p->runs.count; k++) {
            add_row(&p->runs.items[k], page_run_name(&p->runs.items[k]), &p->limits.items[i], out);
        }
    }
    page_end_table(out);
    return out->status;
}

json_t *page_limits_data(const page_limits *limits)
{
    json_t *all = json_array();

    for (size_t i = 0; i < limits->n && all != NULL; i++) {
        json_t *one = json_pack("[s, f]", limits->items[i].name, limits->items[i].value);
        if (!cli_json_append(all, one)) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}
