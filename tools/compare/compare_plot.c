/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a comparison through gnuplot: of a sweep how the differences fall, else for each
 * of the chosen outputs the curves of all runs over each other, and below them their differences
 * from the first.
 */
#include <config.h>

#include "tools/compare/comparison.h"

/* What the panels are made of. */
typedef struct {
    HA_ARRAY(ha_result *) tables; /* of differences */
    HA_ARRAY(plot_panel) panels;
    ha__arena arena; /* texts and curves */
} picture;

ha_status compare_difference(const compare_set *set, size_t j, const ha_difference *d,
                             ha_result **out)
{
    const ha_compare *compare = set->compares.items[j];
    const ha_result *b = set->jobs.items[j]->run.result;
    const ha_result *a = set->jobs.items[set->jobs.items[j]->against]->run.result;
    ha_result *table = ha_result_new(set->cli->ctx);
    ha_status status = table == NULL ? HA_ERR_MEMORY : ha_result_add_column(table, "t", "s");

    HA_THEN(status, ha_result_add_column(table, "difference", ""));
    for (size_t i = 0; status == HA_OK && i < ha_compare_n_times(compare); i++) {
        size_t row_a = 0, row_b = 0;
        ha_compare_rows(compare, i, &row_a, &row_b);
        const double row[2] = { ha_result_value(a, row_a, 0),
                                ha_result_value(b, row_b, d->column_b) -
                                    ha_result_value(a, row_a, d->column_a) };
        status = ha_result_add_row(table, row);
    }
    return HA_GIVE(status, table, ha_result_free, out);
}

static ha_status add_panel(ha_ctx *ctx, picture *p, const char *label, const char *name,
                           const char *unit, const plot_curve *curves, size_t n, bool is_size)
{
    const char *y_label =
        ha__arena_format(ctx, &p->arena, "%s%s%s%s%s", label, name, unit[0] == '\0' ? "" : " [",
                         unit, unit[0] == '\0' ? "" : "]");
    plot_panel panel = { .x_label = "t [s]",
                         .y_label = y_label,
                         .log_y = is_size,
                         .is_size = is_size,
                         .curves = curves,
                         .n = n };

    HA_TRY_MEMORY(y_label);
    HA_TRY_PUSH(ctx, &p->panels, panel);
    return HA_OK;
}

static ha_status add_difference(const compare_set *set, picture *p, size_t j,
                                const ha_difference *d, ha_result **out)
{
    HA_TRY_ROOM(set->cli->ctx, &p->tables, 1);
    HA_TRY(compare_difference(set, j, d, out));
    p->tables.items[p->tables.count++] = *out;
    return HA_OK;
}

/* The curves of all runs that have an output, and those of their differences; dashes go with the
   runs in both. */
static ha_status add_output(const compare_set *set, picture *p, const char *name)
{
    ha_ctx *ctx = set->cli->ctx;
    size_t n_jobs = set->jobs.count, n = 0, n_differences = 0;
    plot_curve *curves = ha__arena_alloc(ctx, &p->arena, n_jobs, sizeof *curves);
    plot_curve *differences = ha__arena_alloc(ctx, &p->arena, n_jobs, sizeof *differences);
    const ha_result *first = set->jobs.items[0]->run.result;
    int column = first == NULL ? -1 : ha_result_find(first, name);
    const char *unit = column < 0 ? "" : ha_result_unit(first, (size_t) column);

    HA_TRY(curves == NULL || differences == NULL ? HA_ERR_MEMORY : HA_OK);
    for (size_t j = 0; j < n_jobs; j++) {
        const compare_job *job = set->jobs.items[j];
        const char *title = compare_job_name(job);
        const ha_difference *d = compare_find(set, j, name);
        ha_result *table = NULL;
        int own = job->run.result == NULL ? -1 : ha_result_find(job->run.result, name);
        if (own >= 0) {
            curves[n++] =
                (plot_curve){ job->run.result, (size_t) own, title, (int) j, PLOT_LINE, 0 };
        }
        if (d != NULL) {
            HA_TRY(add_difference(set, p, j, d, &table));
            HA_TRY_GET(title, ha__arena_format(ctx, &p->arena, "%s - %s", title,
                                               compare_job_name(set->jobs.items[0])));
            differences[n_differences++] =
                (plot_curve){ table, 1, title, (int) j - 1, PLOT_LINE, 0 };
        }
    }
    if (n > 0) {
        HA_TRY(add_panel(ctx, p, "", name, unit, curves, n, false));
    }
    return n_differences == 0 ? HA_OK
                              : add_panel(ctx, p, "difference of ", name, unit, differences,
                                          n_differences, cli_has(set->cli, CLI_LOG));
}

static ha_status plot_outputs(const compare_set *set, picture *p, const char *path)
{
    for (size_t i = 0; i < set->chosen.count; i++) {
        HA_TRY(add_output(set, p, set->chosen.items[i]));
    }
    if (p->panels.count == 0) {
        return ha_fail(set->cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there is nothing to draw in `%s`: no run has outputs that differ; name "
                       "some with --y",
                       path);
    }
    return gnuplot_write(set->cli->ctx, p->panels.items, p->panels.count, path);
}

static ha_status plot_sweep(const compare_set *set, const char *path)
{
    compare_sweep_plot plot;

    HA_TRY(compare_sweep_plot_init(set, &plot));
    ha_status status = gnuplot_write(set->cli->ctx, &plot.panel, 1, path);
    compare_sweep_plot_clear(&plot);
    return status;
}

ha_status compare_plot(const compare_set *set, const char *path)
{
    picture p = { 0 };

    if (set->sweep.path != NULL) {
        return plot_sweep(set, path);
    }
    ha_status status = plot_outputs(set, &p, path);
    for (size_t i = 0; i < p.tables.count; i++) {
        ha_result_free(p.tables.items[i]);
    }
    HA_ARRAY_CLEAR(&p.tables, &p.panels);
    ha__arena_clear(&p.arena);
    return status;
}
