/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Films of mechanisms: pictures are drawn as SVG; `rsvg-convert` makes bitmaps of them and `ffmpeg`
 * joins these to a GIF or MP4. Both are run as processes and not linked.
 */
#include <config.h>

#include "tools/page/film.h"

#include "lib/core/output.h"
#include "lib/core/process.h"
#include "tools/page/page_files.h"

#include <string.h>

static ha_status draw_picture(const film *f, int picture, ha__strbuf *out)
{
    ha__strbuf_clear(out);
    ha__strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    scene_begin(f->view, f->title, out);
    ha__strbuf_add(out, "<style>\n");
    ha__strbuf_add(out, page_file("scene.css"));
    ha__strbuf_add(out, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    if (f->has_rest) {
        ha__strbuf_add(out, "<g opacity=\"0.25\">\n");
        HA_TRY(scene_draw(f->scene, f->view, 0, out));
        ha__strbuf_add(out, "</g>\n");
    }
    HA_TRY(scene_draw(f->scene, f->view, f->row_of(f->user, picture), out));
    scene_draw_sample(f->scene, f->view, out);
    ha__strbuf_add(out, "</svg>\n");
    return out->status;
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Writes film-0001.svg and so on for film.svg. */
ha_status film_write_pictures(const film *f, const char *path)
{
    ha__strbuf text = HA_STRBUF(f->ctx), name = HA_STRBUF(f->ctx);
    ha_status status = HA_OK;

    for (int i = 0; i < f->n_pictures && status == HA_OK; i++) {
        ha__strbuf_clear(&name);
        ha__strbuf_add_bytes(&name, path, strlen(path) - strlen(".svg"));
        ha__strbuf_addf(&name, "-%04d.svg", i + 1);
        status = draw_picture(f, i, &text);
        HA_THEN(status, name.status);
        HA_THEN(status, ha__output_write(f->ctx, ha__strbuf_text(&name), ha__strbuf_text(&text),
                                         text.length));
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
    HA_TRY(ha__process_run(f->ctx, &process, &bitmap, &length));
    ha__strbuf_add_bytes(bitmaps, bitmap, length);
    ha__free(bitmap);
    return bitmaps->status;
}

static ha_status make_bitmaps(const film *f, ha__strbuf *bitmaps)
{
    ha__strbuf text = HA_STRBUF(f->ctx);
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
    /* a GIF ends where the settings of an MP4 begin */
    const char *const arguments[] = { "ffmpeg",
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
                                      is_gif ? "-filter_complex" : "-vf",
                                      is_gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse"
                                             : "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                      "-f",
                                      is_gif ? "gif" : "mp4",
                                      is_gif ? "pipe:1" : "-pix_fmt",
                                      is_gif ? NULL : "yuv420p",
                                      "-movflags",
                                      "frag_keyframe+empty_moov",
                                      "pipe:1",
                                      NULL };
    const ha__process process = { .arguments = arguments,
                                  .input = ha__strbuf_text(bitmaps),
                                  .input_length = bitmaps->length,
                                  .time_limit = 600.0,
                                  .advice = "install the package ffmpeg, or write pictures with -o "
                                            "FILE.svg" };
    char *joined = NULL;
    size_t length = 0;

    HA_TRY(ha__process_run(f->ctx, &process, &joined, &length));
    return ha__then_free(ha__output_write(f->ctx, path, joined, length), joined);
}

static ha_status write_film(const film *f, bool is_gif, const char *path)
{
    ha__strbuf bitmaps = HA_STRBUF(f->ctx);
    ha_status status = make_bitmaps(f, &bitmaps);

    HA_THEN(status, join(f, is_gif, &bitmaps, path));
    ha__strbuf_clear(&bitmaps);
    return status;
}

ha_status film_write_gif(const film *f, const char *path)
{
    return write_film(f, true, path);
}

ha_status film_write_mp4(const film *f, const char *path)
{
    return write_film(f, false, path);
}
