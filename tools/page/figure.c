/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture of a mechanism for a paper.
 *
 *   draw --mechanism --at 0.1,0.2,0.3 -y coupler.P -o figure.svg
 *
 * The mechanism is drawn where it is at the first time, the start by default; where it is at the
 * other times it stands behind that, paler. A point has its way over the run. A picture without
 * times and points needs no run: it shows the assembled start.
 */
#include <config.h>

#include "tools/page/figure.h"

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/process.h"
#include "lib/data/units.h"
#include "tools/page/page_files.h"
#include "tools/scene/scene_svg.h"
#include "tools/shared/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TIMES = 100, MAX_POINTS = 100 };

typedef struct {
    cli_call *cli;
    cli_run run;
    scene scene;
    scene_view view;
    size_t rows[MAX_TIMES]; /* (n_rows) of the times */
    int n_rows;
    int points[MAX_POINTS]; /* (n_points) of the mechanism; -1 - K: the mass centre of body K */
    int n_points;
} figure;

/* --- what is asked ---------------------------------------------------------------------------- */

/* Calls `take` for each part of a text with commas. */
static ha_status for_each_part(figure *f, const char *text,
                               ha_status (*take)(figure *f, const char *part))
{
    char *copy = ha__copy_text(f->cli->ctx, text, strlen(text)), *rest = copy;
    ha_status status = copy == NULL ? HA_ERR_MEMORY : HA_OK;

    while (status == HA_OK && rest != NULL) {
        char *comma = strchr(rest, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        status = take(f, rest);
        rest = comma == NULL ? NULL : comma + 1;
    }
    ha__free(copy);
    return status;
}

/* The row next to a time. */
static size_t row_next_to(const ha_result *result, double time)
{
    size_t best = 0;

    for (size_t row = 1; row < ha_result_n_rows(result); row++) {
        if (fabs(ha_result_value(result, row, 0) - time) <
            fabs(ha_result_value(result, best, 0) - time)) {
            best = row;
        }
    }
    return best;
}

static ha_status take_time(figure *f, const char *part)
{
    const ha_result *result = f->run.result;
    double time = 0.0, end = ha_result_value(result, ha_result_n_rows(result) - 1, 0);

    HA_TRY(ha__quantity_read(f->cli->ctx, part, HA__QUANTITY_TIME, HA_NOWHERE, "--at", &time));
    if (!(time >= 0.0 && time <= end * (1.0 + 1e-12))) {
        return ha_fail(f->cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "`%s` of --at is no time of this run; give one from 0 to %g s", part, end);
    }
    if (f->n_rows == MAX_TIMES) {
        return ha_fail(f->cli->ctx, HA_ERR_LIMIT, HA_NOWHERE, "--at has more than %d times",
                       MAX_TIMES);
    }
    f->rows[f->n_rows++] = row_next_to(result, time);
    return HA_OK;
}

/* A point "coupler.P", or a body "coupler" for its mass centre. */
static ha_status take_point(figure *f, const char *part)
{
    m2d_mechanism *m = f->scene.mechanism;
    int found = MAX_POINTS + m2d_mechanism_n_points(m);

    for (int i = 0; i < m2d_mechanism_n_points(m); i++) {
        found = strcmp(m2d_point_name(m, i), part) == 0 ? i : found;
    }
    for (int i = 0; i < m2d_mechanism_n_bodies(m); i++) {
        found = strcmp(m2d_body_name(m, i), part) == 0 ? -1 - i : found;
    }
    if (found > m2d_mechanism_n_points(m)) {
        return ha_fail(f->cli->ctx, HA_ERR_NAME, HA_NOWHERE,
                       "there is no point or body `%s` whose way could be drawn; name one as "
                       "`coupler.P` or `coupler`",
                       part);
    }
    if (f->n_points == MAX_POINTS) {
        return ha_fail(f->cli->ctx, HA_ERR_LIMIT, HA_NOWHERE, "-y has more than %d points",
                       MAX_POINTS);
    }
    f->points[f->n_points++] = found;
    return HA_OK;
}

/* Runs as far as the picture needs. */
static ha_status solve(figure *f)
{
    cli_call *cli = f->cli;
    bool moves = cli_has(cli, CLI_AT) || cli_has(cli, CLI_Y);

    f->run = cli_run_new(NULL);
    HA_TRY(cli_load(cli, &f->run.model));
    if (f->run.model.system == NULL || m2d_system_n_bodies(f->run.model.system) == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, (ha_where){ f->run.model.name, 0, 0 },
                       "the model has no bodies that could be drawn; leave --mechanism out for "
                       "its bond graph");
    }
    if (moves) {
        HA_TRY(cli_check_end(cli, &f->run.model));
    } else {
        f->run.model.options.solver.t_end = 0.0;
    }
    f->run.model.with_bonds = true; /* all outputs, those of the positions among them */
    f->run.model.options.solver.events = HA_EVENT_ROWS_NONE;
    HA_TRY(m2d__kit_prepare(&f->run.model));
    HA_TRY(cli_run_solve(cli, &f->run, 0.0));
    return cli_run_n_rows(&f->run) == 0 ? f->run.status : HA_OK;
}

static ha_status prepare(figure *f)
{
    cli_call *cli = f->cli;

    HA_TRY(solve(f));
    HA_TRY(scene_open(cli->ctx, m2d_model_mechanism(f->run.model.file), f->run.result, &f->scene));
    HA_TRY(cli_has(cli, CLI_ARROWS) ? scene_show_forces(&f->scene) : HA_OK);
    if (cli_has(cli, CLI_AT)) {
        HA_TRY(for_each_part(f, cli->text[CLI_AT], take_time));
    } else {
        f->rows[f->n_rows++] = 0;
    }
    if (cli_has(cli, CLI_Y)) {
        HA_TRY(for_each_part(f, cli->text[CLI_Y], take_point));
    }
    scene_extend(&f->scene, &f->view);
    scene_fit(&f->view);
    for (int i = 0; i < f->n_rows; i++) {
        scene_fit_forces(&f->scene, &f->view, f->rows[i]);
    }
    scene_fit_sample(&f->scene, &f->view);
    return HA_OK;
}

/* --- the picture ------------------------------------------------------------------------------ */

static void add_way(const figure *f, int point, ha__strbuf *out)
{
    double pose[3];

    ha__strbuf_addf(out, "<path class=\"way\" stroke=\"#111827\" d=\"");
    for (size_t row = 0; row < cli_run_n_rows(&f->run); row++) {
        if (point < 0) {
            scene_body_pose(&f->scene, row, -1 - point, pose);
        } else {
            scene_point_pose(&f->scene, row, point, pose);
        }
        ha__strbuf_add(out, row == 0 ? "M" : "L");
        for (int k = 0; k < 2; k++) {
            double at = k == 0 ? pose[0] - f->view.x[0] : f->view.y[1] - pose[1];
            ha__strbuf_add(out, k == 0 ? "" : " ");
            ha__strbuf_add_short_number(out, round(at * f->view.scale * 100.0) / 100.0);
        }
    }
    ha__strbuf_add(out, "\"/>\n");
}

static ha_status draw_picture(const figure *f, ha__strbuf *out)
{
    ha__strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    scene_begin(&f->view, cli_model_title(f->cli, &f->run.model), out);
    ha__strbuf_add(out, "<style>\n");
    ha__strbuf_add(out, page_file("scene.css"));
    ha__strbuf_add(out, ".scene .way { fill: none; stroke-width: 2; }\n"
                        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for (int i = f->n_rows - 1; i >= 0; i--) {
        ha__strbuf_add(out, i > 0 ? "<g class=\"ghost\" opacity=\"0.3\">\n" : "");
        for (int k = 0; i == 0 && k < f->n_points; k++) {
            add_way(f, f->points[k], out);
        }
        HA_TRY(scene_draw(&f->scene, &f->view, f->rows[i], out));
        ha__strbuf_add(out, i > 0 ? "</g>\n" : "");
    }
    scene_draw_sample(&f->scene, &f->view, out);
    ha__strbuf_add(out, "</svg>\n");
    return out->status;
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct {
    ha__suffix name;
    const char *argument; /* of rsvg-convert; NULL: the picture as it is */
} format;

static const format formats[] = {
    { { ".svg", "a picture of vectors" }, NULL },
    { { ".pdf", "the same, which needs the program rsvg-convert" }, "--format=pdf" },
    { { ".png", "1600 dots wide, which needs it too" }, "--format=png" },
};

const ha__suffixes figure_formats = { HA__SUFFIXES(formats), .what = "the picture",
                                      .has_plain = true };

static ha_status write_converted(const figure *f, const char *argument, const ha__strbuf *picture)
{
    const char *const arguments[] = { "rsvg-convert", "--width=1600", "--keep-aspect-ratio",
                                      argument, NULL };
    const ha__process process = { .arguments = arguments,
                                  .input = ha__strbuf_text(picture),
                                  .input_length = picture->length,
                                  .advice = "install the package librsvg2-bin, or write -o "
                                            "FILE.svg" };
    char *converted = NULL;
    size_t length = 0;

    HA_TRY(ha__process_run(f->cli->ctx, &process, &converted, &length));
    return ha__then_free(ha__output_write(f->cli->ctx, f->cli->text[CLI_OUTPUT], converted, length),
                         converted);
}

static ha_status write_picture(const figure *f)
{
    ha__strbuf picture = HA_STRBUF(f->cli->ctx);
    const format *to = ha__suffix_find(&figure_formats, f->cli->text[CLI_OUTPUT]);
    ha_status status = draw_picture(f, &picture);

    if (status == HA_OK && to->argument != NULL) {
        status = write_converted(f, to->argument, &picture);
    } else if (status == HA_OK) {
        status = ha__output_write(f->cli->ctx, f->cli->text[CLI_OUTPUT], ha__strbuf_text(&picture),
                                  picture.length);
    }
    ha__strbuf_clear(&picture);
    return status;
}

ha_status figure_draw(cli_call *cli)
{
    figure *f = NULL;
    ha_status status = ha__suffix_check(cli->ctx, &figure_formats, cli->text[CLI_OUTPUT]);

    HA_TRY(status);
    HA_TRY_ALLOC(cli->ctx, f, 1);
    f->cli = cli;
    f->view = scene_view_new();
    cli_begin_work(cli);
    status = prepare(f);
    HA_THEN(status, write_picture(f));
    HA_THEN(status, f->run.status);
    cli_end_work(cli);
    scene_clear(&f->scene);
    cli_run_clear(&f->run);
    ha__free(f);
    return status;
}
