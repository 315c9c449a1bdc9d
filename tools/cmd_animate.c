/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halfarrow animate: a mechanism in motion as a film, or as one SVG for each picture.
 *
 * A film has 25 pictures a second, evenly spread over the run, each with the row at or before its
 * time. Pictures are drawn as SVG; `rsvg-convert` makes bitmaps of them and `ffmpeg` joins these to
 * a GIF or MP4. Both are run as processes and not linked.
 */
#include <config.h>

#include "lib/core/output.h"
#include "lib/core/process.h"
#include "tools/page/page_files.h"
#include "tools/shared/scene_svg.h"
#include "tools/shared/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RATE = 25 /* pictures a second */, MAX_PICTURES = 9999 };

/* What a film is made of. */
typedef struct {
    cli_call *cli;
    cli_run run;
    scene scene;
    scene_view view;
    double duration; /* [s] of the film */
    int n_pictures;
} film;

/* The run takes as long as it does, where that can be watched, else six seconds. */
static ha_status choose_duration(film *f)
{
    double t_end = f->run.report.solver.t_reached;

    f->duration = t_end >= 2.0 && t_end <= 20.0 ? t_end : 6.0;
    if (cli_has(f->cli, CLI_DURATION)) {
        HA_TRY(cli_number(f->cli, CLI_DURATION, &f->duration));
    }
    if (!(f->duration > 0.0 && f->duration * RATE < MAX_PICTURES)) {
        return ha_fail(
            f->cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
            "--duration is %g s; give a time above 0 and below %d s, since a film has %d "
            "pictures a second and at most %d",
            f->duration, MAX_PICTURES / RATE, RATE, MAX_PICTURES);
    }
    f->n_pictures = (int) ceil(f->duration * RATE) + 1;
    return HA_OK;
}

/* The last row at or before the time of a picture. */
static size_t row_of(const film *f, int picture)
{
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

static ha_status draw_picture(const film *f, int picture, ha__strbuf *out)
{
    ha__strbuf_clear(out);
    ha__strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    scene_begin(&f->view, f->run.model.name, out);
    ha__strbuf_add(out, "<style>\n");
    ha__strbuf_add(out, page_file("scene.css"));
    ha__strbuf_add(out, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    HA_TRY(scene_draw(&f->scene, &f->view, row_of(f, picture), out));
    ha__strbuf_add(out, "</svg>\n");
    return out->status;
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Writes film-0001.svg and so on for film.svg. */
static ha_status write_pictures(const film *f, const char *path)
{
    ha__strbuf text = HA_STRBUF(f->cli->ctx), name = HA_STRBUF(f->cli->ctx);
    ha_status status = HA_OK;

    for (int i = 0; i < f->n_pictures && status == HA_OK; i++) {
        ha__strbuf_clear(&name);
        ha__strbuf_add_bytes(&name, path, strlen(path) - strlen(".svg"));
        ha__strbuf_addf(&name, "-%04d.svg", i + 1);
        status = draw_picture(f, i, &text);
        HA_THEN(status, name.status);
        HA_THEN(status, ha__output_write(f->cli->ctx, ha__strbuf_text(&name),
                                         ha__strbuf_text(&text), text.length));
    }
    ha__strbuf_clear(&text);
    ha__strbuf_clear(&name);
    return status;
}

/* --- films ------------------------------------------------------------------------------------ */

/* Adds a picture as PNG. */
static ha_status add_bitmap(const film *f, int picture, ha__strbuf *text, ha__strbuf *bitmaps)
{
    static const char *const arguments[] = { "rsvg-convert", "--width=800", "--keep-aspect-ratio",
                                             "--format=png", NULL };
    char *bitmap = NULL;
    size_t length = 0;

    HA_TRY(draw_picture(f, picture, text));
    const ha__process process = { .arguments = arguments,
                                  .input = ha__strbuf_text(text),
                                  .input_length = text->length,
                                  .advice = "install the package librsvg2-bin, or write pictures "
                                            "with -o FILE.svg" };
    HA_TRY(ha__process_run(f->cli->ctx, &process, &bitmap, &length));
    ha__strbuf_add_bytes(bitmaps, bitmap, length);
    ha__free(bitmap);
    return bitmaps->status;
}

static ha_status make_bitmaps(const film *f, ha__strbuf *bitmaps)
{
    ha__strbuf text = HA_STRBUF(f->cli->ctx);
    ha_status status = HA_OK;

    for (int i = 0; i < f->n_pictures && status == HA_OK; i++) {
        status = add_bitmap(f, i, &text, bitmaps);
    }
    ha__strbuf_clear(&text);
    return status;
}

/* Lets ffmpeg join bitmaps. A GIF gets colours of its own; an MP4 even sides and a form that can be
   written without going back in it. */
static ha_status join(const film *f, bool is_gif, const ha__strbuf *bitmaps, const char *path)
{
    static const char *const gif[] = { "ffmpeg",
                                       "-v",
                                       "error",
                                       "-f",
                                       "image2pipe",
                                       "-framerate",
                                       "25",
                                       "-c:v",
                                       "png",
                                       "-i",
                                       "-",
                                       "-filter_complex",
                                       "split[a][b];[a]palettegen[p];[b][p]paletteuse",
                                       "-f",
                                       "gif",
                                       "pipe:1",
                                       NULL };
    static const char *const mp4[] = { "ffmpeg",
                                       "-v",
                                       "error",
                                       "-f",
                                       "image2pipe",
                                       "-framerate",
                                       "25",
                                       "-c:v",
                                       "png",
                                       "-i",
                                       "-",
                                       "-vf",
                                       "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                       "-pix_fmt",
                                       "yuv420p",
                                       "-movflags",
                                       "frag_keyframe+empty_moov",
                                       "-f",
                                       "mp4",
                                       "pipe:1",
                                       NULL };
    const ha__process process = { .arguments = is_gif ? gif : mp4,
                                  .input = ha__strbuf_text(bitmaps),
                                  .input_length = bitmaps->length,
                                  .time_limit = 600.0,
                                  .advice = "install the package ffmpeg, or write pictures with -o "
                                            "FILE.svg" };
    char *joined = NULL;
    size_t length = 0;

    HA_TRY(ha__process_run(f->cli->ctx, &process, &joined, &length));
    ha_status status = ha__output_write(f->cli->ctx, path, joined, length);
    ha__free(joined);
    return status;
}

static ha_status write_film(const film *f, bool is_gif, const char *path)
{
    ha__strbuf bitmaps = HA_STRBUF(f->cli->ctx);
    ha_status status = make_bitmaps(f, &bitmaps);

    HA_THEN(status, join(f, is_gif, &bitmaps, path));
    ha__strbuf_clear(&bitmaps);
    return status;
}

/* --- the command ------------------------------------------------------------------------------ */

static ha_status write_gif(const film *f, const char *path)
{
    return write_film(f, true, path);
}

static ha_status write_mp4(const film *f, const char *path)
{
    return write_film(f, false, path);
}

/* A format of films. */
typedef struct {
    ha__suffix name;
    ha_status (*write)(const film *f, const char *path);
} format;

static const format formats[] = {
    { { ".gif", "a film, which needs the programs rsvg-convert and ffmpeg" }, write_gif },
    { { ".mp4", NULL }, write_mp4 },
    { { ".svg", "a picture FILE-0001.svg and so on of each moment" }, write_pictures },
};

const ha__suffixes cmd_animate_formats = { HA__SUFFIXES(formats), .what = "the film" };

/* Reads and solves; the model must have bodies, which alone can be seen to move. */
static ha_status prepare(film *f)
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
    scene_extend(&f->scene, &f->view);
    scene_fit(&f->view);
    return HA_OK;
}

static ha_status animate(film *f)
{
    const char *path = f->cli->text[CLI_OUTPUT];
    const format *to = ha__suffix_find(&cmd_animate_formats, path);

    HA_TRY(prepare(f));
    cli_begin_work(f->cli);
    ha_status status = to->write(f, path);
    cli_end_work(f->cli);
    return f->run.status != HA_OK ? f->run.status : status;
}

ha_status cmd_animate(cli_call *cli)
{
    film f = { .cli = cli, .view = scene_view_new() };
    ha_status status = animate(&f);

    scene_clear(&f.scene);
    cli_run_clear(&f.run);
    return status;
}
