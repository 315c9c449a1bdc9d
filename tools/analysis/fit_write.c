/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fit as text, table, plot and JSON. */
#include <config.h>

#include "tools/analysis/fit_write.h"

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "tools/shared/json.h"
#include "tools/shared/load.h"
#include "tools/shared/plot.h"
#include "tools/shared/written.h"

#include <math.h>
#include <string.h>

static const char *path_of(const fit_job *j, int i)
{
    return j->study->fit.parameters.items[i].variable.path;
}

static const char *unit_of(const fit_job *j, int i)
{
    const char *unit = j->study->fit.parameters.items[i].variable.unit;

    return unit == NULL ? "" : unit;
}

static bool is_correlated(const fit_job *j, int i)
{
    return !isnan(j->fit.correlation[i * j->fit.n + i]);
}

static ha_status adjust(void *user, bg_run_options *options)
{
    cli_call *cli = user;

    return cli_read_run_options(cli, options);
}

ha_status fit_find(cli_call *cli, const m2d_source *source, m2d__study *study, fit_job *job)
{
    const m2d__fit_plan *plan = &study->fit;
    ha_result *data = NULL;

    *job = (fit_job){ .study = study };
    HA_TRY(ha_result_read_csv(cli->ctx, plan->data, &data));
    const m2d_fit_def def = { .source = source,
                              .parameters = plan->parameters.items,
                              .n_parameters = (int) plan->parameters.count,
                              .data = data,
                              .where = { plan->data, 0, 0 },
                              .sigmas = plan->sigmas.items,
                              .n_sigmas = (int) plan->sigmas.count,
                              .adjust = adjust,
                              .user = cli };
    ha_status status = m2d_fit_find(cli->ctx, &def, &job->fit);
    ha_result_free(data);
    return status;
}

/* --- text ----------------------------------------------------------------------------------- */

/* "`a` : `b` = 1 : -0.5" of a combination, in relative changes. */
static void add_combination(ha__strbuf *out, const fit_job *j, int k)
{
    const double *share = j->fit.loose + (size_t) k * (size_t) j->fit.n;
    char number[HA__NUMBER_SIZE];
    const char *between = "";

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < j->fit.n; i++) {
            if (share[i] != 0.0 && pass == 0) {
                ha__strbuf_addf(out, "%s`%s`", between, path_of(j, i));
            } else if (share[i] != 0.0) {
                ha__strbuf_addf(out, "%s%s", between,
                                ha__print_rounded_number(number, share[i], 4));
            }
            between = share[i] != 0.0 ? " : " : between;
        }
        between = pass == 0 ? " = " : between;
    }
}

static void add_row(ha__strbuf *out, const fit_job *j, int i)
{
    const m2d_fit *f = &j->fit;
    char text[3][HA__NUMBER_SIZE];

    ha__strbuf_addf(
        out, "%-32s %18s %14s %14s  %s%s\n", path_of(j, i),
        ha__print_rounded_number(text[0], f->value[i], 10),
        isnan(f->deviation[i]) ? "-" : ha__print_rounded_number(text[1], f->deviation[i], 4),
        ha__print_rounded_number(text[2], j->study->fit.parameters.items[i].variable.value, 6),
        unit_of(j, i), f->is_held[i] ? "  at its bound" : "");
}

static void add_correlations(ha__strbuf *out, const fit_job *j)
{
    int n = j->fit.n;
    const char *before = "\ncorrelations\n";

    for (int i = 0; i < n; i++) {
        if (!is_correlated(j, i)) {
            continue;
        }
        ha__strbuf_addf(out, "%s%-32s", before, path_of(j, i));
        before = "";
        for (int k = 0; k <= i; k++) {
            if (is_correlated(j, k)) {
                ha__strbuf_addf(out, " %8.4f", j->fit.correlation[i * n + k]);
            }
        }
        ha__strbuf_add(out, "\n");
    }
}

static void add_text(ha__strbuf *out, const void *job)
{
    const fit_job *j = job;
    const m2d_fit *f = &j->fit;
    char text[HA__NUMBER_SIZE];

    ha__strbuf_addf(out,
                    "%ld values of %d output%s in %s; %d runs and %d with derivatives, %d "
                    "failed\n\n",
                    f->n_data, f->n_outputs, f->n_outputs == 1 ? "" : "s", j->study->fit.data,
                    f->runs, f->jacobians, f->failed);
    ha__strbuf_addf(out, "%-32s %18s %14s %14s\n", "parameter", "estimate", "standard error",
                    "start");
    for (int i = 0; i < f->n; i++) {
        add_row(out, j, i);
    }
    if (f->n > 1) {
        add_correlations(out, j);
    }
    ha__strbuf_addf(out, "\n%-32s %s\n", "chi^2", ha__print_rounded_number(text, f->chi2, 8));
    ha__strbuf_addf(out, "%-32s %ld\n", "degrees of freedom", f->freedom);
    if (!isnan(f->rms)) {
        ha__strbuf_addf(out, "%-32s %s\n", "residual, root mean square",
                        ha__print_rounded_number(text, f->rms, 8));
    }
    ha__strbuf_addf(out, "%-32s %s\n", "condition number",
                    ha__print_rounded_number(text, f->condition, 3));
    for (int k = 0; k < f->n_loose; k++) {
        ha__strbuf_add(out, k == 0 ? "\nnot determined by the data, in relative changes: " : "; ");
        add_combination(out, j, k);
    }
    ha__strbuf_add(out, f->n_loose > 0 ? "\n" : "");
}

/* --- files ---------------------------------------------------------------------------------- */

/* Axes for each output, with the data above the fit, and the residuals below. */
static ha_status write_plot(cli_call *cli, const void *job, const char *path)
{
    const fit_job *j = job;
    const size_t n_outputs = (size_t) j->fit.n_outputs;
    plot_panel *panels = NULL;
    plot_curve *curves = NULL;

    panels = ha__alloc(cli->ctx, 2 * n_outputs, sizeof *panels);
    curves = ha__alloc(cli->ctx, 3 * n_outputs, sizeof *curves);
    ha_status status = panels == NULL || curves == NULL ? HA_ERR_MEMORY : HA_OK;
    for (size_t k = 0; k < n_outputs && status == HA_OK; k++) {
        plot_curve *c = curves + 3 * k;
        const char *unit = ha_result_unit(j->fit.table, 1 + 3 * k);
        c[0] = (plot_curve){ .result = j->fit.table, .column = 1 + 3 * k, .title = "fit" };
        c[1] = (plot_curve){
            .result = j->fit.table, .column = 2 + 3 * k, .title = "data", .look = PLOT_CROSS
        };
        c[2] = (plot_curve){
            .result = j->fit.table, .column = 3 + 3 * k, .title = "data less fit", .look = PLOT_BOTH
        };
        panels[2 * k] = (plot_panel){ .title = ha_result_name(j->fit.table, 1 + 3 * k),
                                      .x_label = "t [s]",
                                      .y_label = unit,
                                      .curves = c,
                                      .n = 2 };
        panels[2 * k + 1] =
            (plot_panel){ .x_label = "t [s]", .y_label = unit, .curves = c + 2, .n = 1 };
    }
    HA_THEN(status, gnuplot_write(cli->ctx, panels, 2 * n_outputs, path));
    HA_FREE(panels, curves);
    return status;
}

static const cli_format formats[] = {
    { { ".txt", "text, as it is printed" }, CLI_FORMAT_TEXT },
    { { ".csv", "a table: time, then of each output the fit, the data and the difference" },
      CLI_FORMAT_CSV },
    { { ".mat", "the same as a MAT-file, version 4" }, CLI_FORMAT_MAT },
};

const ha__suffixes fit_formats = { HA__SUFFIXES(formats), .what = "the fit", .has_plain = true,
                                   .more = &gnuplot_formats };

ha_status fit_write(cli_call *cli, const fit_job *job, const char *path)
{
    const cli_written what = { .formats = &fit_formats,
                               .job = job,
                               .table = job->fit.table,
                               .add_text = add_text,
                               .write_plot = write_plot };

    return cli_write(cli, &what, path);
}

/* --- JSON ----------------------------------------------------------------------------------- */

static const char *const ends[M2D_FIT_END_COUNT] = { "done", "undetermined", "not converged" };

/* {PATH: number}. */
static json_t *numbers_of(const fit_job *j, const double *numbers)
{
    json_t *all = json_object();

    for (int i = 0; i < j->fit.n; i++) {
        json_object_set_new(all, path_of(j, i), cli_json_real(numbers[i]));
    }
    return all;
}

/* {PATH: number} of what is not 0. */
static json_t *combination_of(const fit_job *j, const double *shares)
{
    json_t *all = json_object();

    for (int i = 0; i < j->fit.n; i++) {
        if (shares[i] != 0.0) {
            json_object_set_new(all, path_of(j, i), cli_json_real(shares[i]));
        }
    }
    return all;
}

ha_status fit_print_json(cli_call *cli, const fit_job *j)
{
    const m2d_fit *f = &j->fit;
    cli_json json = cli_json_new();
    json_t *correlation = json_object(), *held = json_array(), *loose = json_array();

    for (int i = 0; i < f->n; i++) {
        json_object_set_new(correlation, path_of(j, i),
                            numbers_of(j, f->correlation + (size_t) i * (size_t) f->n));
        if (f->is_held[i]) {
            json_array_append_new(held, json_string(path_of(j, i)));
        }
    }
    for (int k = 0; k < f->n_loose; k++) {
        json_array_append_new(loose, combination_of(j, f->loose + (size_t) k * (size_t) f->n));
    }
    const cli_member members[] = {
        cli_text("status", ends[f->end]),
        cli_value("parameters", numbers_of(j, f->value)),
        cli_value("standard_errors", numbers_of(j, f->deviation)),
        cli_value("correlation", correlation),
        cli_value("at_bound", held),
        cli_value("undetermined", loose),
        cli_real("chi2", f->chi2),
        cli_real("rms", f->rms),
        cli_real("condition", f->condition),
        cli_int("data", f->n_data),
        cli_int("degrees_of_freedom", f->freedom),
        cli_int("runs", f->runs),
        cli_int("runs_with_derivatives", f->jacobians),
        cli_int("failed_runs", f->failed),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}

/* --- the end -------------------------------------------------------------------------------- */

/* Says which estimates the data say next to nothing of. */
static void warn_of_large(cli_call *cli, const fit_job *j)
{
    for (int i = 0; i < j->fit.n; i++) {
        if (j->fit.deviation[i] > fabs(j->fit.value[i])) {
            ha_warn(cli->ctx, j->study->fit.parameters.items[i].variable.where,
                    "the standard error of `%s` is larger than its estimate, %g +- %g: unless it "
                    "is about 0, begin elsewhere, or measure what depends on it",
                    path_of(j, i), j->fit.value[i], j->fit.deviation[i]);
        }
    }
}

ha_status fit_judge(cli_call *cli, const fit_job *j)
{
    ha__strbuf text = HA_STRBUF(cli->ctx);

    if (j->fit.end == M2D_FIT_DONE) {
        warn_of_large(cli, j);
        return HA_OK;
    }
    if (j->fit.end == M2D_FIT_NOT_CONVERGED) {
        return ha_fail(cli->ctx, HA_ERR_SOLVER, j->study->fit.where,
                       "the fit has not converged after %d runs; begin nearer, or with tighter "
                       "bounds",
                       j->fit.runs);
    }
    add_combination(&text, j, 0);
    return HA_FAIL_WITH(text, cli->ctx, HA_ERR_SINGULAR, j->study->fit.where,
                        "the data do not determine all parameters: %s in relative changes "
                        "leaves the fit as it is; fix one of these, or measure what tells "
                        "them apart",
                        ha__strbuf_text(&text));
}
