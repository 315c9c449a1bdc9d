/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of joint loads: for each run the largest force of each joint, the largest first, with
 * its time, the angle of the body that turns, and how many digits of extremes are right. There is
 * one for the last cycle, where there is one, and one for the whole run; the script shows one.
 */
#include <config.h>

#include "tools/page/page_load.h"
#include "tools/page/page_table.h"

#include "lib/core/mem.h"
#include "lib/core/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 5, /* loads that are always shown */
    MOST_DIGITS = 6
};

static const double HALF_TURN = 180.0;

static int by_size(const void *a, const void *b)
{
    const page_load *x = a, *y = b;

    return x->size != y->size ? (x->size < y->size) - (x->size > y->size) : x->joint - y->joint;
}

static void add_head(const page *p, const page_run *run, bool has_change, ha__strbuf *out)
{
    ha__strbuf_add(out, "<thead><tr><th scope=\"col\">joint</th><th scope=\"col\">force</th>"
                        "<th scope=\"col\">at</th>");
    if (run->window.body >= 0) {
        ha__strbuf_add(out, "<th scope=\"col\">angle of ");
        ha__strbuf_add_markup(out, m2d_body_name(run->scene.mechanism, run->window.body));
        ha__strbuf_add(out, "</th>");
    }
    ha__strbuf_add(out, "<th scope=\"col\">correct digits</th>");
    if (has_change) {
        ha__strbuf_add(out, "<th scope=\"col\">against ");
        ha__strbuf_add_markup(out, page_run_name(&p->runs.items[0]));
        ha__strbuf_add(out, "</th>");
    }
    ha__strbuf_add(out, "</tr></thead>\n");
}

/* By how much the load of a joint differs from that in the first run, in percent. */
static void add_change(const page *p, const page_load *load, const char *joint, bool is_cycle,
                       ha__strbuf *out)
{
    const page_run *base = &p->runs.items[0];
    page_window window = base->window;
    page_load other = { 0 };
    bool is_found = false;

    if (!is_cycle || !(window.from < window.to)) {
        window.from = -(double) INFINITY;
        window.to = (double) INFINITY;
    }
    for (int i = 0; i < m2d_mechanism_n_joints(base->scene.mechanism) && !is_found; i++) {
        is_found = strcmp(m2d_joint_name(base->scene.mechanism, i), joint) == 0 &&
                   page_find_load(base, i, &window, &other);
    }
    double change =
        is_found && other.size > 0.0 ? 100.0 * (load->size / other.size - 1.0) : (double) NAN;
    if (isnan(change)) {
        ha__strbuf_add(out, "<td>\xe2\x80\x93</td>");
    } else {
        char number[HA__NUMBER_SIZE];
        ha__strbuf_addf(out, "<td class=\"number\">%s%s %%</td>", change > 0.0 ? "+" : "",
                        ha__print_rounded_number(number, round(10.0 * change) / 10.0, 4));
    }
}

static void add_digits(const page_run *run, ha__strbuf *out)
{
    double digits = run->estimate.peak_digits;

    if (isnan(digits)) {
        ha__strbuf_add(out, "<td>\xe2\x80\x93</td>");
    } else {
        ha__strbuf_addf(out, "<td class=\"number\">%d</td>", (int) fmax(0.0, floor(digits)));
    }
}

/* Digits of a load that are worth printing: those that are right and one more. */
static int shown_digits(const page_run *run)
{
    double digits = run->estimate.peak_digits;

    return isnan(digits) ? MOST_DIGITS : (int) fmax(2.0, fmin(MOST_DIGITS, floor(digits) + 1.0));
}

static void add_load(const page *p, const page_run *run, const page_load *load, bool is_cycle,
                     ha__strbuf *out)
{
    const char *name = m2d_joint_name(run->scene.mechanism, load->joint);

    ha__strbuf_add(out, "<tr data-output=\"");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, ".force\" data-time=\"");
    ha__strbuf_add_short_number(out, load->time);
    ha__strbuf_add(out, "\"><th scope=\"row\">");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, "</th>");
    page_add_rounded(out, load->size, "N", shown_digits(run));
    page_add_number(out, load->time, "s");
    if (run->window.body >= 0) {
        double degrees = load->angle * HALF_TURN / acos(-1.0);
        double once = fmod(fmod(degrees, 2.0 * HALF_TURN) + 2.0 * HALF_TURN, 2.0 * HALF_TURN);
        page_add_number(out, round(100.0 * once) / 100.0, "deg");
    }
    add_digits(run, out);
    if (run != &p->runs.items[0] && p->runs.items[0].has_scene) {
        add_change(p, load, name, is_cycle, out);
    }
    ha__strbuf_add(out, "</tr>\n");
}

static void add_table(const page *p, const page_run *run, const page_load *loads, int n,
                      bool is_cycle, ha__strbuf *out)
{
    ha__strbuf_add(out, "<div class=\"scroll\"><table class=\"loads\">\n");
    add_head(p, run, run != &p->runs.items[0] && p->runs.items[0].has_scene, out);
    for (int i = 0; i < n; i++) {
        add_load(p, run, &loads[i], is_cycle, out);
    }
    page_end_table(out);
}

/* The loads of a run in a part of its time. */
static ha_status add_window(const page *p, const page_run *run, const page_window *window,
                            bool is_cycle, ha__strbuf *out)
{
    int n_joints = m2d_mechanism_n_joints(run->scene.mechanism), n = 0;
    page_load *loads = NULL;

    HA_TRY_ALLOC(out->ctx, loads, n_joints + 1);
    for (int i = 0; i < n_joints; i++) {
        n += page_find_load(run, i, window, &loads[n]);
    }
    qsort(loads, (size_t) n, sizeof *loads, by_size);
    if (n > 0) {
        ha__strbuf_addf(out, "<div data-run=\"%d\" data-window=\"%s\">\n<h3>",
                        (int) (run - p->runs.items), is_cycle ? "cycle" : "all");
        ha__strbuf_addf(out, "%s largest joint loads, %s", n > FIRST ? "The five" : "The",
                        is_cycle ? window->what : "whole run");
        if (p->runs.count > 1) {
            ha__strbuf_add(out, ", ");
            ha__strbuf_add_markup(out, page_run_name(run));
        }
        ha__strbuf_add(out, "</h3>\n");
        add_table(p, run, loads, n < FIRST ? n : FIRST, is_cycle, out);
        if (n > FIRST) {
            ha__strbuf_addf(out, "<details><summary>The other %d joints</summary>\n", n - FIRST);
            add_table(p, run, loads + FIRST, n - FIRST, is_cycle, out);
            ha__strbuf_add(out, "</details>\n");
        }
        ha__strbuf_add(out, "</div>\n");
    }
    ha__free(loads);
    return out->status;
}

ha_status page_add_loads(const void *user, ha__strbuf *out)
{
    const page *p = user;

    for (size_t i = 0; i < p->runs.count; i++) {
        const page_run *run = &p->runs.items[i];
        page_window all = run->window;
        all.from = -(double) INFINITY;
        all.to = (double) INFINITY;
        if (!run->has_scene) {
            continue;
        }
        if (run->window.from < run->window.to) {
            HA_TRY(add_window(p, run, &run->window, true, out));
        }
        HA_TRY(add_window(p, run, &all, false, out));
    }
    return out->status;
}
