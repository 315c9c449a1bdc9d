/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as a page: tables, and plots that its script draws. */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/number.h"
#include "tools/page/page.h"
#include "tools/shared/report.h"

#include <math.h>
#include <string.h>

enum {
    MAX_PLOTTED = 100, /* outputs with plots, of all comparisons together */
    MIN_PLOTTED = 30,  /* and of each */
    MAX_ROWS = 40,     /* outputs in a table that is open at first */
    MAX_OPEN = 12      /* of the joint forces and of the others so many are open at first */
};

/* What the page is made of. */
typedef struct {
    const compare_set *set;
    page_panels *panels;
} comparison;

/* --- cells ---------------------------------------------------------------------------------- */

static void add_tagged(ha__strbuf *out, const char *tag, const char *text)
{
    ha__strbuf_addf(out, "<%s>", tag);
    ha__strbuf_add_markup(out, text);
    ha__strbuf_addf(out, "</%s>", tag);
}

static void add_number(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE] = "–";

    if (!isnan(x)) {
        ha__print_rounded_number(number, x, 6);
    }
    ha__strbuf_addf(out, "<td class=\"number\">%s</td>", number);
}

static void add_title(ha__strbuf *out, const compare_set *set, size_t j)
{
    ha__strbuf title = HA_STRBUF(out->ctx);

    compare_job_title(set, set->jobs.items[j], &title);
    ha__strbuf_add_markup(out, ha__strbuf_text(&title));
    ha__strbuf_clear(&title);
}

/* --- runs and structure --------------------------------------------------------------------- */

static void add_runs(const compare_set *set, ha__strbuf *out)
{
    double facts[COMPARE_N_FACTS];

    ha__strbuf_add(out, "<h2>Runs</h2>\n<div class=\"scroll\"><table>\n<tr><th></th>");
    for (size_t j = 0; j < set->jobs.count; j++) {
        if (set->jobs.items[j]->keeps_model) {
            ha__strbuf_add(out, "<th>");
            add_title(out, set, j);
            ha__strbuf_add(out, "</th>");
        }
    }
    ha__strbuf_add(out, "</tr>\n");
    for (int i = -2; i < COMPARE_N_FACTS; i++) {
        ha__strbuf_add(out, "<tr>");
        add_tagged(out, "td", i == -2 ? "status" : i == -1 ? "class" : compare_fact_label(i));
        for (size_t j = 0; j < set->jobs.count; j++) {
            const compare_job *job = set->jobs.items[j];
            if (!job->keeps_model) {
                continue;
            }
            if (i < 0) {
                add_tagged(out, "td",
                           i == -2 ? cli_status_word(job->run.status) : compare_class(job));
            } else {
                compare_facts(job, facts);
                add_number(out, facts[i]);
            }
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    ha__strbuf_add(out, "</table></div>\n");
}

static void add_roles(const compare_set *set, size_t j, const compare_role *roles, size_t n,
                      ha__strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        ha__strbuf_add(out, "<tr>");
        add_tagged(out, "td", roles[i].name);
        add_tagged(out, "td", compare_role_word(roles[i].role));
        ha__strbuf_add(out, "<td>");
        add_title(out, set, j);
        ha__strbuf_add(out, "</td></tr>\n");
    }
}

static void add_lines(const compare_set *set, size_t j, const char *const *lines, size_t n,
                      ha__strbuf *out)
{
    if (n == 0) {
        return;
    }
    ha__strbuf_addf(out, "<details><summary>%zu equation%s only in ", n, n == 1 ? "" : "s");
    add_title(out, set, j);
    ha__strbuf_add(out, "</summary>\n<pre>");
    for (size_t i = 0; i < n; i++) {
        ha__strbuf_add_markup(out, lines[i]);
        ha__strbuf_add(out, "\n");
    }
    ha__strbuf_add(out, "</pre></details>\n");
}

static void add_strokes(const compare_structure *s, ha__strbuf *out)
{
    ha__strbuf_addf(out,
                    "<details><summary>%zu of %d common bonds have their strokes at the other "
                    "end</summary>\n<div "
                    "class=\"scroll\"><table><tr><th>bond</th><th>first</th><th>other</th></tr>\n",
                    s->strokes.count, s->n_common_bonds);
    for (size_t i = 0; i < s->strokes.count; i++) {
        ha__strbuf_add(out, "<tr><td>");
        ha__strbuf_add_markup(out, s->strokes.items[i].tail);
        ha__strbuf_add(out, " &gt; ");
        ha__strbuf_add_markup(out, s->strokes.items[i].head);
        ha__strbuf_addf(out, "</td><td>%s</td><td>%s</td></tr>\n",
                        report_stroke(s->strokes.items[i].first),
                        report_stroke(s->strokes.items[i].other));
    }
    ha__strbuf_add(out, "</table></div></details>\n");
}

static ha_status add_structure(const compare_set *set, size_t j, ha__strbuf *out)
{
    const compare_job *first = set->jobs.items[0], *other = set->jobs.items[j];
    compare_structure s;

    if (!compare_have_structures(first, other)) {
        return HA_OK;
    }
    HA_TRY(compare_structures(first, other, &s));
    ha__strbuf_add(out, "<h3>Causality and equations</h3>\n");
    if (s.first_roles.count + s.other_roles.count > 0) {
        ha__strbuf_addf(out,
                        "<details%s><summary>%zu storages and constraints have another role "
                        "or are in one only</summary>\n<div "
                        "class=\"scroll\"><table><tr><th>element</th><th>role</th>"
                        "<th>in</th></tr>\n",
                        s.first_roles.count + s.other_roles.count > MAX_OPEN ? "" : " open",
                        s.first_roles.count + s.other_roles.count);
        add_roles(set, 0, s.first_roles.items, s.first_roles.count, out);
        add_roles(set, j, s.other_roles.items, s.other_roles.count, out);
        ha__strbuf_add(out, "</table></div></details>\n");
    } else {
        ha__strbuf_add(out, "<p>All storages and constraints have the same roles.</p>\n");
    }
    add_strokes(&s, out);
    add_lines(set, 0, s.first_lines.items, s.first_lines.count, out);
    add_lines(set, j, s.other_lines.items, s.other_lines.count, out);
    compare_structure_clear(&s);
    return HA_OK;
}

/* --- outputs -------------------------------------------------------------------------------- */

/* Forces and torques of the joints, which are looked for first. */
static bool is_joint_force(const compare_job *job, const char *name)
{
    static const char *const suffixes[] = { ".fx", ".fy", ".torque", ".drive" };

    for (size_t i = 0; job->run.model.system != NULL && i < HA_COUNT(suffixes); i++) {
        if (ha__has_suffix(name, suffixes[i])) {
            return true;
        }
    }
    return false;
}

/* Both curves over each other, and their difference beside them. */
static ha_status add_plots(const comparison *c, size_t j, const ha_difference *d, bool is_open,
                           ha__strbuf *out)
{
    const compare_set *set = c->set;
    const compare_job *job = set->jobs.items[j], *other = set->jobs.items[job->against];
    const char *name = ha_result_name(job->run.result, d->column_b);
    const char *unit = ha_result_unit(job->run.result, d->column_b);
    ha__strbuf titles[2] = { HA_STRBUF(out->ctx), HA_STRBUF(out->ctx) };
    ha__strbuf label = HA_STRBUF(out->ctx);
    ha_result *difference = NULL;

    HA_TRY(compare_difference(set, j, d, &difference));
    compare_job_title(set, other, &titles[0]);
    compare_job_title(set, job, &titles[1]);
    ha__strbuf_addf(&label, "%s%s%s%s", name, unit[0] == '\0' ? "" : " [", unit,
                    unit[0] == '\0' ? "" : "]");
    const plot_curve both[2] = {
        { other->run.result, d->column_a, ha__strbuf_text(&titles[0]), 0, PLOT_LINE, 0 },
        { job->run.result, d->column_b, ha__strbuf_text(&titles[1]), 1, PLOT_LINE, 0 }
    };
    const plot_curve one = { difference, 1, name, 0, PLOT_LINE, 0 };
    plot_panel panel = {
        .x_label = "t [s]", .y_label = ha__strbuf_text(&label), .curves = both, .n = 2
    };
    ha__strbuf_add(out, is_open ? "<details open><summary>" : "<details><summary>");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, "</summary>\n<div class=\"charts\">\n");
    ha_status status = page_add_panel(c->panels, &panel, out);
    ha__strbuf_clear(&label);
    ha__strbuf_addf(&label, "difference%s%s%s", unit[0] == '\0' ? "" : " [", unit,
                    unit[0] == '\0' ? "" : "]");
    panel.y_label = ha__strbuf_text(&label);
    panel.curves = &one;
    panel.n = 1;
    HA_THEN(status, page_add_panel(c->panels, &panel, out));
    ha__strbuf_add(out, "</div></details>\n");
    ha__strbuf_clear(&titles[0]);
    ha__strbuf_clear(&titles[1]);
    ha__strbuf_clear(&label);
    ha_result_free(difference);
    return status;
}

/* One of the outputs that the text table and a sweep are about. */
static bool is_chosen(const compare_set *set, const char *name)
{
    for (size_t i = 0; i < set->chosen.count; i++) {
        if (strcmp(set->chosen.items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A table of outputs; with `only_chosen` of those that are shown first. */
static void add_rows(const compare_set *set, size_t j, bool only_chosen, ha__strbuf *out)
{
    const ha_compare *compare = set->compares.items[j];
    const ha_result *result = set->jobs.items[j]->run.result;

    ha__strbuf_add(
        out,
        "<div class=\"scroll\"><table>\n<tr><th>output</th><th>unit</th><th>largest</th><th>at "
        "[s]</th>"
        "<th>RMS</th><th>range</th><th>largest/range</th><th>at the "
        "end</th><th>peak</th><th>changes by</th></tr>\n");
    for (size_t i = 0; i < ha_compare_n(compare); i++) {
        const ha_difference *d = ha_compare_get(compare, i);
        double peaks[2];
        compare_peaks(set, j, d, peaks);
        const double numbers[] = { d->largest,
                                   d->t,
                                   d->rms,
                                   d->range,
                                   d->range > 0.0 ? d->largest / d->range : (double) NAN,
                                   d->end,
                                   peaks[1],
                                   peaks[1] - peaks[0] };
        const char *name = ha_result_name(result, d->column_b);
        if (!compare_is_listed(set, name) || (only_chosen && !is_chosen(set, name))) {
            continue;
        }
        ha__strbuf_add(out, "<tr>");
        add_tagged(out, "td", name);
        add_tagged(out, "td", ha_result_unit(result, d->column_b));
        for (size_t k = 0; k < HA_COUNT(numbers); k++) {
            add_number(out, numbers[k]);
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    ha__strbuf_add(out, "</table></div>\n");
}

/* Few outputs as they are; of many the chosen ones, and all where the reader opens them. */
static void add_table(const compare_set *set, size_t j, ha__strbuf *out)
{
    const ha_compare *compare = set->compares.items[j];
    bool is_long = ha_compare_n(compare) > MAX_ROWS && !cli_has(set->cli, CLI_Y);

    ha__strbuf_addf(out, "<h3>Differences over %zu common times</h3>\n",
                    ha_compare_n_times(compare));
    add_rows(set, j, is_long, out);
    if (is_long) {
        ha__strbuf_addf(out, "<details><summary>All %zu outputs</summary>\n",
                        ha_compare_n(compare));
        add_rows(set, j, false, out);
        ha__strbuf_add(out, "</details>\n");
    }
}

/* The plots of the outputs that differ: joint forces first, then the others. */
static ha_status add_outputs(const comparison *c, size_t j, ha__strbuf *out)
{
    const compare_set *set = c->set;
    const ha_compare *compare = set->compares.items[j];
    const compare_job *job = set->jobs.items[j];
    size_t n_plotted = 0, n_open = 0;
    size_t share = MAX_PLOTTED / (set->variants.count > 1 ? set->variants.count - 1 : 1);
    size_t most = share < MIN_PLOTTED ? MIN_PLOTTED : share;

    for (int pass = 0; pass < 2; pass++) {
        bool has_title = false;
        for (size_t i = 0; i < ha_compare_n(compare) && n_plotted < most; i++) {
            const ha_difference *d = ha_compare_get(compare, i);
            const char *name = ha_result_name(job->run.result, d->column_b);
            if (!compare_is_listed(set, name) || d->largest == 0.0 ||
                is_joint_force(job, name) != (pass == 0)) {
                continue;
            }
            if (!has_title) {
                ha__strbuf_add(out, pass == 0 ? "<h3>Joint forces over time</h3>\n"
                                              : "<h3>Outputs over time</h3>\n");
                has_title = true;
                n_open = 0;
            }
            n_plotted++;
            HA_TRY(add_plots(c, j, d, n_open++ < MAX_OPEN, out));
        }
    }
    return HA_OK;
}

static void add_dissipated(const compare_set *set, size_t j, ha__strbuf *out)
{
    const compare_job *first = set->jobs.items[0], *other = set->jobs.items[j];

    if (isnan(compare_dissipated(first, NULL)) && isnan(compare_dissipated(other, NULL)) &&
        compare_dissipator(set, j, 0) == NULL) {
        return;
    }
    ha__strbuf_add(
        out, "<h3>Energy dissipated [J]</h3>\n<div class=\"scroll\"><table>\n<tr><th>in</th><th>");
    add_title(out, set, 0);
    ha__strbuf_add(out, "</th><th>");
    add_title(out, set, j);
    ha__strbuf_add(out, "</th></tr>\n<tr><td>all</td>");
    add_number(out, compare_dissipated(first, NULL));
    add_number(out, compare_dissipated(other, NULL));
    ha__strbuf_add(out, "</tr>\n");
    for (size_t i = 0; compare_dissipator(set, j, i) != NULL; i++) {
        const char *name = compare_dissipator(set, j, i);
        ha__strbuf_add(out, "<tr>");
        add_tagged(out, "td", name);
        add_number(out, compare_dissipated(first, name));
        add_number(out, compare_dissipated(other, name));
        ha__strbuf_add(out, "</tr>\n");
    }
    ha__strbuf_add(out, "</table></div>\n");
}

/* --- a sweep -------------------------------------------------------------------------------- */

/* A row for each run of what is measured of the outputs chosen. */
static void add_sweep_table(const compare_set *set, compare_measure measure, ha__strbuf *out)
{
    ha__strbuf_add(
        out,
        "<div "
        "class=\"scroll\"><table>\n<tr><th>run</th><th>status</th><th>steps</th><th>seconds</th>");
    for (size_t i = 0; i < set->chosen.count; i++) {
        add_tagged(out, "th", set->chosen.items[i]);
    }
    ha__strbuf_add(out, "</tr>\n");
    for (size_t j = 0; j < set->jobs.count; j++) {
        const compare_job *job = set->jobs.items[j];
        if (job->against == j && job->run.status == HA_OK) {
            continue;
        }
        ha__strbuf_add(out, "<tr><td>");
        add_title(out, set, j);
        ha__strbuf_add(out, "</td>");
        add_tagged(out, "td", cli_status_word(job->run.status));
        add_number(out,
                   job->run.result == NULL ? (double) NAN : (double) job->run.report.solver.steps);
        add_number(out, job->run.result == NULL ? (double) NAN : job->run.report.solver.seconds);
        for (size_t i = 0; i < set->chosen.count; i++) {
            add_number(out, compare_measured(set, j, set->chosen.items[i], measure));
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    ha__strbuf_add(out, "</table></div>\n");
}

static ha_status add_sweep(const comparison *c, ha__strbuf *out)
{
    const compare_set *set = c->set;
    compare_sweep_plot plot;

    ha__strbuf_add(out, "<h2>Largest differences over ");
    ha__strbuf_add_markup(out, set->sweep.path);
    ha__strbuf_add(out, "</h2>\n");
    HA_TRY(compare_sweep_plot_init(set, &plot));
    ha_status status = page_add_panel(c->panels, &plot.panel, out);
    compare_sweep_plot_clear(&plot);
    HA_TRY(status);
    add_sweep_table(set, COMPARE_LARGEST, out);
    ha__strbuf_add(out, "<h3>Changes of the peaks</h3>\n");
    add_sweep_table(set, COMPARE_PEAK, out);
    return HA_OK;
}

/* -------------------------------------------------------------------------------------------- */

static void add_faults(const compare_set *set, ha__strbuf *out)
{
    for (size_t j = 0; j < set->jobs.count; j++) {
        const char *fault = compare_fault(set->jobs.items[j]);
        if (fault != NULL) {
            ha__strbuf_add(out, "<p>");
            add_title(out, set, j);
            ha__strbuf_add(out, " failed: ");
            ha__strbuf_add_markup(out, fault);
            ha__strbuf_add(out, "</p>\n");
        }
    }
}

static ha_status add_comparison(const comparison *c, size_t j, ha__strbuf *out)
{
    const compare_set *set = c->set;

    ha__strbuf_add(out, "<h2>");
    add_title(out, set, j);
    ha__strbuf_add(out, " against ");
    add_title(out, set, set->jobs.items[j]->against);
    ha__strbuf_add(out, "</h2>\n");
    HA_TRY(add_structure(set, j, out));
    if (set->compares.items[j] == NULL) {
        ha__strbuf_add(out, "<p>There are no outputs to compare.</p>\n");
        return HA_OK;
    }
    add_dissipated(set, j, out);
    add_table(set, j, out);
    return add_outputs(c, j, out);
}

static ha_status add_name(const void *user, ha__strbuf *out)
{
    const comparison *c = user;
    const char *path = c->set->cli->file != NULL ? c->set->cli->file : "--graph";
    const char *slash = strrchr(path, '/');

    ha__strbuf_add_markup(out, slash == NULL ? path : slash + 1);
    return out->status;
}

static ha_status add_body(const void *user, ha__strbuf *out)
{
    const comparison *c = user;
    const compare_set *set = c->set;

    ha__strbuf_addf(out, "<p>%zu runs compared.</p>\n", set->jobs.count);
    add_faults(set, out);
    if (set->sweep.path != NULL) {
        HA_TRY(add_sweep(c, out));
    }
    add_runs(set, out);
    for (size_t j = compare_next_shown(set, 1); j < set->jobs.count;
         j = compare_next_shown(set, j + 1)) {
        HA_TRY(add_comparison(c, j, out));
    }
    return out->status;
}

static ha_status add_data(const void *user, ha__strbuf *out)
{
    const comparison *c = user;

    return page_add_panels_data(c->panels, out);
}

ha_status compare_html(const compare_set *set, ha__strbuf *out)
{
    static const page_part parts[] = { { "title", add_name },
                                       { "body", add_body },
                                       { "data", add_data } };
    page_panels panels = { 0 };
    const comparison c = { set, &panels };
    ha_status status = page_fill("compare.html", parts, HA_COUNT(parts), &c, out);

    json_decref(panels.list);
    return status;
}
