/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halfarrow animate: a mechanism in motion as a film, or as one SVG for each picture.
 *
 * A film has 25 pictures a second, evenly spread over the run, each with the row at or before its
 * time.
 */
#include <config.h>

#include "tools/page/film.h"
#include "tools/shared/solve.h"

#include <math.h>
#include <string.h>

enum { MAX_PICTURES = 9999 };

/* What the command works with. */
typedef struct {
    cli_call *cli;
    cli_run run;
    scene scene;
    scene_view view;
    double duration; /* [s] of the film */
    int n_pictures;
} job;

/* The run takes as long as it does, where that can be watched, else six seconds. */
static ha_status choose_duration(job *f)
{
    double t_end = f->run.report.solver.t_reached;

    f->duration = t_end >= 2.0 && t_end <= 20.0 ? t_end : 6.0;
    if (cli_has(f->cli, CLI_DURATION)) {
        HA_TRY(cli_number(f->cli, CLI_DURATION, &f->duration));
    }
    if (!(f->duration > 0.0 && f->duration * FILM_RATE < MAX_PICTURES)) {
        return ha_fail(
            f->cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
            "--duration is %g s; give a time above 0 and below %d s, since a film has %d "
            "pictures a second and at most %d",
            f->duration, MAX_PICTURES / FILM_RATE, FILM_RATE, MAX_PICTURES);
    }
    f->n_pictures = (int) ceil(f->duration * FILM_RATE) + 1;
    return HA_OK;
}

/* The last row at or before the time of a picture. */
static size_t row_of(const void *user, int picture)
{
    const job *f = user;
    size_t low = 0, high = cli_run_n_rows(&f->run) - 1;
    double part = (double) picture / (f->n_pictures - 1);
    /* a row at this very time must not be missed by rounding */
    double time = part * ha_result_value(f->run.result, high, 0) * (1.0 + 1e-12);

    if (picture == f->n_pictures - 1) {
        return high;
    }
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (ha_result_value(f->run.result, middle, 0) <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* --- the command ------------------------------------------------------------------------------ */

/* A format of films. */
typedef struct {
    ha__suffix name;
    ha_status (*write)(const film *f, const char *path);
} format;

static const format formats[] = {
    { { ".gif", "a film, which needs the programs rsvg-convert and ffmpeg" }, film_write_gif },
    { { ".mp4", NULL }, film_write_mp4 },
    { { ".svg", "a picture FILE-0001.svg and so on of each moment" }, film_write_pictures },
};

const ha__suffixes cmd_animate_formats = { HA__SUFFIXES(formats), .what = "the film" };

/* Reads and solves; the model must have bodies, which alone can be seen to move. */
static ha_status prepare(job *f)
{
    cli_call *cli = f->cli;
    int variant = cli->variants.count > 0 ? 0 : -1;

    if (cli->variants.count > 1) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`animate` takes one --variant, %zu are given", cli->variants.count);
    }
    HA_TRY(cli_solve(cli, variant, true, &f->run));
    if (f->run.model.system == NULL || m2d_system_n_bodies(f->run.model.system) == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, (ha_where){ f->run.model.name, 0, 0 },
                       "the model has no bodies, nothing of it can be seen to move; `report` shows "
                       "the powers in a bond graph");
    }
    if (cli_run_n_rows(&f->run) == 0) {
        return f->run.status;
    }
    HA_TRY(choose_duration(f));
    HA_TRY(scene_open(cli->ctx, m2d_model_mechanism(f->run.model.file), f->run.result, &f->scene));
    HA_TRY(cli_has(cli, CLI_ARROWS) ? scene_show_forces(&f->scene) : HA_OK);
    scene_extend(&f->scene, &f->view);
    scene_fit(&f->view);
    for (size_t row = 0; row < cli_run_n_rows(&f->run); row++) {
        scene_fit_forces(&f->scene, &f->view, row);
    }
    scene_fit_sample(&f->scene, &f->view);
    return HA_OK;
}

static ha_status animate(job *f)
{
    const char *path = f->cli->text[CLI_OUTPUT];
    const format *to = ha__suffix_find(&cmd_animate_formats, path);

    HA_TRY(prepare(f));
    const film pictures = { .ctx = f->cli->ctx,
                            .title = cli_model_title(f->cli, &f->run.model),
                            .scene = &f->scene,
                            .view = &f->view,
                            .n_pictures = f->n_pictures,
                            .row_of = row_of,
                            .user = f };
    cli_begin_work(f->cli);
    ha_status status = to->write(&pictures, path);
    cli_end_work(f->cli);
    return f->run.status != HA_OK ? f->run.status : status;
}

ha_status cmd_animate(cli_call *cli)
{
    job f = { .cli = cli, .view = scene_view_new() };
    ha_status status = animate(&f);

    scene_clear(&f.scene);
    cli_run_clear(&f.run);
    return status;
}
