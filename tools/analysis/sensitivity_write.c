/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sensitivities as text, table, plot and JSON.
 *
 * The plot has an axis for each output, on which each parameter is a bar: by how many per cent the
 * output at the end changes when the parameter grows by one, in the unit of the output where that
 * is 0. A parameter has one colour on all axes, and one that is 0 has no bar; the largest is above,
 * which makes the shape that such plots are named after, a tornado.
 */
#include <config.h>

#include "tools/analysis/sensitivity_write.h"

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "tools/shared/json.h"
#include "tools/shared/plot.h"
#include "tools/shared/written.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 12, MOST_DIGITS = 15 };

static const double ROUND_OFF = 1e-12;

static double value_of(const sensitivity_job *j, int output, int parameter)
{
    return j->result.value[(size_t) output * (size_t) j->result.n_parameters + (size_t) parameter];
}

static double error_of(const sensitivity_job *j, int output, int parameter)
{
    return j->result.error[(size_t) output * (size_t) j->result.n_parameters + (size_t) parameter];
}

double sensitivity_relative(const sensitivity_job *j, int output, int parameter)
{
    double y = j->result.end[output];

    return y == 0.0 || j->values[parameter] == 0.0
               ? (double) NAN
               : j->values[parameter] / y * value_of(j, output, parameter);
}

/* --- text ----------------------------------------------------------------------------------- */

/* Decimal digits of a derivative that are right; what is round-off beside the output counts as a
   right 0. */
static double digits_of(const sensitivity_job *j, int i, int k)
{
    double value = value_of(j, i, k), error = error_of(j, i, k);
    double noise = ROUND_OFF * fabs(j->result.end[i] / j->values[k]);
    bool is_right = error == 0.0 || (isfinite(noise) && fabs(value) + error <= noise);

    return is_right       ? MOST_DIGITS
           : value == 0.0 ? 0.0
                          : fmin(fmax(-log10(error / fabs(value)), 0.0), MOST_DIGITS);
}

static void add_row(ha__strbuf *out, const sensitivity_job *j, int i, int k)
{
    char text[3][HA__NUMBER_SIZE];
    double value = value_of(j, i, k), relative = sensitivity_relative(j, i, k);

    ha__strbuf_addf(out, "%-24s %14s  ", k == 0 ? j->result.outputs[i] : "",
                    k == 0 ? ha__print_rounded_number(text[0], j->result.end[i], 8) : "");
    ha__strbuf_addf(out, "%-28s %16s %12s %7.1f\n", j->result.parameters[k],
                    ha__print_rounded_number(text[1], value, 10),
                    isnan(relative) ? "-" : ha__print_rounded_number(text[2], relative, 5),
                    digits_of(j, i, k));
}

/* What the energies are off by has no derivative. */
static void add_left_out(ha__strbuf *out, const sensitivity_job *j)
{
    const char *before = "\nwithout a derivative, for they read energy.error: ";

    for (int i = 0; i < j->result.n_outputs; i++) {
        if (isnan(value_of(j, i, 0))) {
            ha__strbuf_addf(out, "%s%s", before, j->result.outputs[i]);
            before = ", ";
        }
    }
    ha__strbuf_add(out, before[0] == ',' ? "\n" : "");
}

static void add_text(ha__strbuf *out, const void *job)
{
    const sensitivity_job *j = job;
    const bg_sensitivity *r = &j->result;
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, "%s: sensitivities at %s s, %ld event%s passed\n\n", j->title,
                    ha__print_rounded_number(number, r->t, 8), r->events,
                    r->events == 1 ? "" : "s");
    ha__strbuf_addf(out, "%-24s %14s  %-28s %16s %12s %7s\n", "output", "at the end", "parameter",
                    "derivative [SI]", "% for 1 %", "digits");
    for (int i = 0; i < r->n_outputs; i++) {
        for (int k = 0; k < r->n_parameters && !isnan(value_of(j, i, k)); k++) {
            add_row(out, j, i, k);
        }
    }
    add_left_out(out, j);
}

/* --- plot ----------------------------------------------------------------------------------- */

/* A bar under way. */
typedef struct {
    int parameter;
    double length;
} bar;

static int by_length(const void *first, const void *second)
{
    const bar *a = first, *b = second;
    double x = fabs(a->length), y = fabs(b->length);

    return x < y ? 1 : x > y ? -1 : (a->parameter > b->parameter) - (a->parameter < b->parameter);
}

/* What panels hold. */
typedef struct {
    ha__arena arena;
    HA_ARRAY(plot_panel) panels;
    HA_ARRAY(ha_result *) tables;
} tornado;

/* A line from 0 to the length of a bar. */
static ha_status add_bar(ha_ctx *ctx, tornado *t, const bar *b, double level, plot_curve *curve)
{
    HA_TRY_ROOM(ctx, &t->tables, 1);
    ha_result *table = ha_result_new(ctx);
    HA_TRY_MEMORY(table);
    t->tables.items[t->tables.count++] = table;
    HA_TRY(ha_result_add_column(table, "x", ""));
    HA_TRY(ha_result_add_column(table, "y", ""));
    HA_TRY(ha_result_add_row(table, (double[]){ 0.0, level }));
    HA_TRY(ha_result_add_row(table, (double[]){ b->length, level }));
    *curve = (plot_curve){
        .result = table, .column = 1, .title = "", .look = PLOT_BAR, .colour = b->parameter + 1
    };
    return HA_OK;
}

/* Parameters of which there are per cents. */
static int count_bars(const sensitivity_job *j)
{
    int n = 0;

    for (int k = 0; k < j->result.n_parameters; k++) {
        n += j->values[k] != 0.0 ? 1 : 0;
    }
    return n;
}

static ha_status add_panel(ha_ctx *ctx, const sensitivity_job *j, tornado *t, int output)
{
    int n = count_bars(j), shown = n < MOST_BARS ? n : MOST_BARS, at = 0;
    bool is_relative = j->result.end[output] != 0.0;
    bar *bars = ha__arena_alloc(ctx, &t->arena, (size_t) n, sizeof *bars);
    plot_curve *curves = ha__arena_alloc(ctx, &t->arena, (size_t) shown, sizeof *curves);
    plot_guide *guides = ha__arena_alloc(ctx, &t->arena, (size_t) shown, sizeof *guides);

    if (bars == NULL || curves == NULL || guides == NULL) {
        return HA_ERR_MEMORY;
    }
    for (int k = 0; k < j->result.n_parameters; k++) {
        if (j->values[k] == 0.0) {
            continue;
        }
        bars[at++] = (bar){ k, is_relative ? sensitivity_relative(j, output, k)
                                           : 0.01 * j->values[k] * value_of(j, output, k) };
    }
    qsort(bars, (size_t) n, sizeof *bars, by_length);
    for (int k = 0; k < shown; k++) {
        HA_TRY(add_bar(ctx, t, &bars[k], -(double) k, &curves[k]));
        guides[k] = (plot_guide){ 0.0, -(double) k, j->result.parameters[bars[k].parameter] };
    }
    const plot_panel panel = { .title = j->result.outputs[output],
                               .x_label =
                                   is_relative ? "change in % for 1 % more" : "change for 1 % more",
                               .y_label = "",
                               .is_bars = true,
                               .curves = curves,
                               .n = (size_t) shown,
                               .guides = guides,
                               .n_guides = (size_t) shown };
    HA_TRY_PUSH(ctx, &t->panels, panel);
    return HA_OK;
}

static ha_status write_plot(cli_call *cli, const void *job, const char *path)
{
    const sensitivity_job *j = job;
    tornado t = { 0 };
    ha_status status = count_bars(j) > 0
                           ? HA_OK
                           : ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                                     "bars show what one per cent of a value does, and all values "
                                     "are 0; write a table, -o FILE.csv");

    for (int i = 0; i < j->result.n_outputs && status == HA_OK; i++) {
        if (!isnan(value_of(j, i, 0))) {
            status = add_panel(cli->ctx, j, &t, i);
        }
    }
    HA_THEN(status, gnuplot_write(cli->ctx, t.panels.items, t.panels.count, path));
    for (size_t i = 0; i < t.tables.count; i++) {
        ha_result_free(t.tables.items[i]);
    }
    HA_ARRAY_CLEAR(&t.tables, &t.panels);
    ha__arena_clear(&t.arena);
    return status;
}

/* --- files ---------------------------------------------------------------------------------- */

static const cli_format formats[] = {
    { { ".txt", "text, as it is printed" }, CLI_FORMAT_TEXT },
    { { ".csv", "a table over the run: time, then each output by each parameter" },
      CLI_FORMAT_CSV },
    { { ".mat", "the same as a MAT-file, version 4" }, CLI_FORMAT_MAT },
};

const ha__suffixes sensitivity_formats = { HA__SUFFIXES(formats), .what = "the sensitivities",
                                           .has_plain = true, .more = &gnuplot_formats };

bool sensitivity_needs_curves(const char *path)
{
    const cli_format *to = ha__suffix_find(&sensitivity_formats, path);

    return to != NULL && to->kind != CLI_FORMAT_TEXT;
}

ha_status sensitivity_write(cli_call *cli, const sensitivity_job *job, const char *path)
{
    const cli_written what = { .formats = &sensitivity_formats,
                               .job = job,
                               .table = job->curves,
                               .add_text = add_text,
                               .write_plot = write_plot };

    return cli_write(cli, &what, path);
}

/* --- JSON ----------------------------------------------------------------------------------- */

typedef double number_of(const sensitivity_job *j, int output, int parameter);

/* {output: {parameter: number}}. */
static json_t *table_of(const sensitivity_job *j, number_of *number)
{
    json_t *all = json_object();

    for (int i = 0; i < j->result.n_outputs; i++) {
        json_t *row = json_object();
        for (int k = 0; k < j->result.n_parameters; k++) {
            json_object_set_new(row, j->result.parameters[k], cli_json_real(number(j, i, k)));
        }
        json_object_set_new(all, j->result.outputs[i], row);
    }
    return all;
}

ha_status sensitivity_print_json(cli_call *cli, const sensitivity_job *job)
{
    const bg_sensitivity *r = &job->result;
    cli_json json = cli_json_new();
    json_t *end = json_object(), *values = json_object();

    for (int i = 0; i < r->n_outputs; i++) {
        json_object_set_new(end, r->outputs[i], cli_json_real(r->end[i]));
    }
    for (int k = 0; k < r->n_parameters; k++) {
        json_object_set_new(values, r->parameters[k], cli_json_real(job->values[k]));
    }
    const cli_member members[] = {
        cli_real("t", r->t),
        cli_int("events", r->events),
        cli_value("parameters", values),
        cli_value("final", end),
        cli_value("sensitivity", table_of(job, value_of)),
        cli_value("relative", table_of(job, sensitivity_relative)),
        cli_value("error", table_of(job, error_of)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}
