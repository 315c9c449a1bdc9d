/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as one HTML file that needs nothing else: no script, no network, pictures as SVG in
 * the page. Its own content policy forbids everything but its style sheet.
 */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/number.h"
#include "tools/shared/report.h"

#include <math.h>
#include <string.h>

enum {
    MAX_PLOTTED = 100, /* outputs with plots, of all comparisons together */
    MIN_PLOTTED = 30,  /* and of each */
    MAX_ROWS = 40,     /* outputs in a table that is open at first */
    MAX_OPEN = 12      /* of the joint forces and of the others so many are open at first */
};

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

static const char style[] =
    "<style>\n"
    ":root { --page: #ffffff; --text: #1f2937; --faint: #d1d5db; --c0: #1d4ed8; --c1: #c2410c;\n"
    "  --c2: #15803d; --c3: #7e22ce; --c4: #b91c1c; --c5: #0e7490; }\n"
    "@media (prefers-color-scheme: dark) { :root { --page: #111827; --text: #e5e7eb;\n"
    "  --faint: #4b5563; --c0: #93c5fd; --c1: #fdba74; --c2: #86efac; --c3: #d8b4fe;\n"
    "  --c4: #fca5a5; --c5: #67e8f9; } }\n"
    "body { background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif;\n"
    "  margin: 0 auto; max-width: 72rem; padding: 1rem; }\n"
    "table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 0.875rem; }\n"
    "th, td { border-bottom: 1px solid var(--faint); padding: 0.2rem 0.7rem; text-align: right;\n"
    "  font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "th:first-child, td:first-child { text-align: left; }\n"
    "h1, h2, summary { overflow-wrap: anywhere; }\n"
    "summary { cursor: pointer; font-weight: 600; margin: 0.4rem 0; }\n"
    "code, pre { font-size: 0.8125rem; } pre { overflow-x: auto; }\n"
    ".pair { display: grid; gap: 1rem; overflow-x: auto;\n"
    "  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }\n"
    "svg { width: 100%; height: auto; min-width: 26rem; max-width: 48rem; }\n"
    "svg text { fill: var(--text); font: 12px system-ui, sans-serif; }\n"
    ".tick { text-anchor: middle; } .end { text-anchor: end; } .tick.end { text-anchor: end; }\n"
    ".label { font-weight: 600; }\n"
    ".grid, .axis { fill: none; stroke: var(--faint); } .axis { stroke: var(--text); }\n"
    ".curve { fill: none; stroke-width: 1.6; stroke-linecap: round; } .d1 { stroke-dasharray: 7 4; "
    "}\n"
    "circle { fill: var(--page); }\n"
    ".c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }\n"
    ".c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); }\n"
    "@media print { :root { --page: #ffffff; --text: #000000; --faint: #cccccc; }\n"
    "  details, svg { break-inside: avoid; } }\n"
    "</style>\n";

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
    add_tagged(out, "td", number);
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

    ha__strbuf_add(out, "<h2>Runs</h2>\n<table>\n<tr><th></th>");
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
    ha__strbuf_add(out, "</table>\n");
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
                    "end</summary>\n<table><tr><th>bond</th><th>first</th><th>other</th></tr>\n",
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
    ha__strbuf_add(out, "</table></details>\n");
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
                        "or are in one only</summary>\n<table><tr><th>element</th><th>role</th>"
                        "<th>in</th></tr>\n",
                        s.first_roles.count + s.other_roles.count > MAX_OPEN ? "" : " open",
                        s.first_roles.count + s.other_roles.count);
        add_roles(set, 0, s.first_roles.items, s.first_roles.count, out);
        add_roles(set, j, s.other_roles.items, s.other_roles.count, out);
        ha__strbuf_add(out, "</table></details>\n");
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
static ha_status add_plots(const compare_set *set, size_t j, const ha_difference *d, bool is_open,
                           ha__strbuf *out)
{
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
    const plot_curve both[2] = { { other->run.result, d->column_a, ha__strbuf_text(&titles[0]), 0 },
                                 { job->run.result, d->column_b, ha__strbuf_text(&titles[1]), 1 } };
    const plot_curve one = { difference, 1, name, 0 };
    plot_panel panel = {
        .x_label = "t [s]", .y_label = ha__strbuf_text(&label), .curves = both, .n = 2
    };
    ha__strbuf_add(out, is_open ? "<details open><summary>" : "<details><summary>");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, "</summary>\n<div class=\"pair\">\n<div>");
    svg_plot(out, &panel);
    ha__strbuf_add(out, "</div>\n<div>");
    ha__strbuf_clear(&label);
    ha__strbuf_addf(&label, "difference%s%s%s", unit[0] == '\0' ? "" : " [", unit,
                    unit[0] == '\0' ? "" : "]");
    panel.y_label = ha__strbuf_text(&label);
    panel.curves = &one;
    panel.n = 1;
    svg_plot(out, &panel);
    ha__strbuf_add(out, "</div>\n</div></details>\n");
    ha__strbuf_clear(&titles[0]);
    ha__strbuf_clear(&titles[1]);
    ha__strbuf_clear(&label);
    ha_result_free(difference);
    return HA_OK;
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

    ha__strbuf_add(out, "<table>\n<tr><th>output</th><th>unit</th><th>largest</th><th>at [s]</th>"
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
    ha__strbuf_add(out, "</table>\n");
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
static ha_status add_outputs(const compare_set *set, size_t j, ha__strbuf *out)
{
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
            HA_TRY(add_plots(set, j, d, n_open++ < MAX_OPEN, out));
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
    ha__strbuf_add(out, "<h3>Energy dissipated [J]</h3>\n<table>\n<tr><th>in</th><th>");
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
    ha__strbuf_add(out, "</table>\n");
}

/* --- a sweep -------------------------------------------------------------------------------- */

/* A row for each run of what is measured of the outputs chosen. */
static void add_sweep_table(const compare_set *set, compare_measure measure, ha__strbuf *out)
{
    ha__strbuf_add(out, "<table>\n<tr><th>run</th><th>status</th><th>steps</th><th>seconds</th>");
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
    ha__strbuf_add(out, "</table>\n");
}

static ha_status add_sweep(const compare_set *set, ha__strbuf *out)
{
    compare_sweep_plot plot;

    ha__strbuf_add(out, "<h2>Largest differences over ");
    ha__strbuf_add_markup(out, set->sweep.path);
    ha__strbuf_add(out, "</h2>\n");
    HA_TRY(compare_sweep_plot_init(set, &plot));
    ha__strbuf_add(out, "<div class=\"pair\">\n");
    svg_plot(out, &plot.panel);
    ha__strbuf_add(out, "</div>\n");
    compare_sweep_plot_clear(&plot);
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

static ha_status add_comparison(const compare_set *set, size_t j, ha__strbuf *out)
{
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
    return add_outputs(set, j, out);
}

ha_status compare_html(const compare_set *set, ha__strbuf *out)
{
    const char *path = set->cli->file != NULL ? set->cli->file : "--graph";
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;

    ha__strbuf_add(out, head);
    ha__strbuf_add(out, "<title>");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, ": comparison</title>\n");
    ha__strbuf_add(out, style);
    ha__strbuf_add(out, "</head>\n<body>\n");
    add_tagged(out, "h1", name);
    ha__strbuf_addf(out, "\n<p>%zu runs compared by halfarrow " PACKAGE_VERSION ".</p>\n",
                    set->jobs.count);
    add_faults(set, out);
    if (set->sweep.path != NULL) {
        HA_TRY(add_sweep(set, out));
    }
    add_runs(set, out);
    for (size_t j = compare_next_shown(set, 1); j < set->jobs.count;
         j = compare_next_shown(set, j + 1)) {
        HA_TRY(add_comparison(set, j, out));
    }
    ha__strbuf_add(out, "</body>\n</html>\n");
    return out->status;
}
