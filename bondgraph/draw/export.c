/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of bond graphs: texts, and files that the program `dot` of Graphviz renders from them.
 * Graphviz is run as a process and not linked.
 */
#include <config.h>

#include "bondgraph/export.h"

#include "bondgraph/draw/export_formats.h"
#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "lib/core/output.h"

#include <math.h>
#include <string.h>

enum {
    DRAW_COOKIE = 0x64726177,
    MOST_LABELLED = 500 /* nodes of a picture whose labels are looked after */
};

static const char *const level_names[BG_DRAW_LEVEL_COUNT] = { "word", "multibond", "scalar" };

bg_draw_options bg_draw_options_default(void)
{
    return (bg_draw_options){ BG_DRAW_MULTIBOND, (double) NAN, (double) NAN, 1, NULL, 0, 0,
                              DRAW_COOKIE };
}

bg_draw_level bg_draw_level_find(const char *name)
{
    HA_NEED_ELSE(name != NULL, BG_DRAW_LEVEL_COUNT);
    int level = 0;

    while (level < BG_DRAW_LEVEL_COUNT && strcmp(name, level_names[level]) != 0) {
        level++;
    }
    return (bg_draw_level) level;
}

/* --- texts ----------------------------------------------------------------------------------- */

ha_status bg__check_draw_options(ha_ctx *ctx, const bg_draw_options *options)
{
    if (options->cookie != DRAW_COOKIE || (int) options->level < 0 ||
        options->level >= BG_DRAW_LEVEL_COUNT) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the options of a picture do not come from bg_draw_options_default(), or "
                       "their level is unknown; start from that");
    }
    return HA_OK;
}

ha_status bg_graph_dot(bg_graph *graph, const bg_causality *causality,
                       const bg_draw_options *options, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && options != NULL && out != NULL);
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    bg__picture picture = { 0 };
    ha_status status = bg__picture_make(graph, causality, options, &picture);

    if (status == HA_OK) {
        bg__dot_write(&picture, BG__DOT_SHOW, &text);
    }
    bg__picture_clear(&picture);
    return ha__strbuf_finish(&text, status, out);
}

/* DOT text with places: those that the options give, else those that `dot` finds, so that labels
   are where there is room; of a large graph without, which takes `dot` once. */
ha_status bg__graph_arranged(bg_graph *graph, const bg_causality *causality,
                             const bg_draw_options *options, char **out)
{
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    bg__picture picture = { 0 };
    ha_status status = bg__picture_make(graph, causality, options, &picture);

    HA_THEN(status, bg__picture_arrange(&picture, options));
    if (status == HA_OK && !picture.is_placed && picture.nodes.count > 0 &&
        picture.nodes.count <= MOST_LABELLED) {
        status = bg__picture_layout(&picture);
        picture.is_placed = status == HA_OK;
    }
    if (status == HA_OK && picture.is_placed) {
        status =
            bg__picture_place_labels(&picture, BG__DOT_CHARACTER * bg__letters_of(&picture)->edge /
                                                   bg__letters_of(NULL)->edge);
    }
    if (status == HA_OK) {
        bg__dot_write(&picture, BG__DOT_SHOW, &text);
    }
    bg__picture_clear(&picture);
    return ha__strbuf_finish(&text, status, out);
}

ha_status bg_graph_tikz(bg_graph *graph, const bg_causality *causality,
                        const bg_draw_options *options, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && options != NULL && out != NULL);
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    bg__picture picture = { 0 };
    ha_status status = bg__picture_make(graph, causality, options, &picture);

    HA_THEN(status, bg__picture_arrange(&picture, options));
    HA_THEN(status, bg__picture_layout(&picture));
    HA_THEN(status, bg__picture_place_labels(&picture, BG__TIKZ_CHARACTER));
    if (status == HA_OK) {
        const char *foreign = bg__tikz_foreign(&picture);
        if (foreign != NULL) {
            ha_note(bg_graph_ctx(graph), HA_NOWHERE,
                    "`%s` has letters that pdflatex has not, which prints their numbers as U+XXXX; "
                    "xelatex and lualatex print them in a font that has them, set by "
                    "`\\usepackage{fontspec}\\setsansfont{...}`",
                    foreign);
        }
        bg__tikz_write(&picture, &text);
    }
    bg__picture_clear(&picture);
    return ha__strbuf_finish(&text, status, out);
}

/* --- files ---------------------------------------------------------------------------------- */

static const bg__draw_format formats[] = {
#define X(suffix, sentence, write, argument, has_positions)                                        \
    { { suffix, sentence }, write, argument, has_positions },
#include "bondgraph/draw_formats.def"
#undef X
};

const ha__suffixes bg__draw_formats = { HA__SUFFIXES(formats), .what = "the picture",
                                        .has_plain = true };

/* Lets `dot` render a text; pictures of large graphs take it minutes. */
static ha_status render(ha_ctx *ctx, const char *text, const char *argument, char **picture,
                        size_t *length)
{
    const char *arguments[] = { "dot", argument, "-Gdpi=144", NULL };

    if (strcmp(argument, "-Tpng") != 0) {
        arguments[2] = NULL; /* SVG and PDF have sizes of their own */
    }
    return bg__run_dot(ctx, arguments, text, picture, length);
}

ha_status bg_graph_svg(bg_graph *graph, const bg_causality *causality,
                       const bg_draw_options *options, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && options != NULL && out != NULL);
    char *text = NULL;
    size_t length = 0;

    HA_TRY(bg__graph_arranged(graph, causality, options, &text));
    return ha__then_free(render(bg_graph_ctx(graph), text, "-Tsvg", out, &length), text);
}

static ha_status render_to(ha_ctx *ctx, const char *text, const char *argument, const char *path)
{
    char *picture = NULL;
    size_t length = 0;

    HA_TRY(render(ctx, text, argument, &picture, &length));
    return ha__then_free(ha__output_write(ctx, path, picture, length), picture);
}

static ha_status draw(bg_graph *graph, const bg_causality *causality,
                      const bg_draw_options *options, const bg__draw_format *format,
                      const char *path)
{
    ha_ctx *ctx = bg_graph_ctx(graph);
    char *text = NULL;

    HA_TRY(format->write(graph, causality, options, &text));
    return ha__then_free(format->argument == NULL ? ha__output_write(ctx, path, text, strlen(text))
                                                  : render_to(ctx, text, format->argument, path),
                         text);
}

/* Without `dot` the picture is left as the text that it would have been made from. */
static ha_status leave_text(bg_graph *graph, const bg_causality *causality,
                            const bg_draw_options *options, const bg__draw_format *format,
                            const char *path)
{
    ha_ctx *ctx = bg_graph_ctx(graph);
    ha__strbuf beside = HA_STRBUF(ctx);
    char *text = NULL;
    ha_status status = HA_OK;

    ha__strbuf_add_bytes(&beside, path, strlen(path) - strlen(format->name.suffix));
    ha__strbuf_add(&beside, ".dot");
    status =
        beside.status != HA_OK ? beside.status : bg_graph_dot(graph, causality, options, &text);
    HA_THEN(status, ha__output_write(ctx, ha__strbuf_text(&beside), text, strlen(text)));
    if (status == HA_OK) {
        ha_note(ctx, HA_NOWHERE,
                "the picture is in `%s` as DOT text; where `dot` is installed this command makes "
                "`%s`",
                ha__strbuf_text(&beside), path);
    }
    ha__free(text);
    return ha__strbuf_drop(&beside, status);
}

ha_status bg_graph_draw(bg_graph *graph, const bg_causality *causality,
                        const bg_draw_options *options, const char *path)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && options != NULL && path != NULL);
    const bg__draw_format *format = ha__suffix_find(&bg__draw_formats, path);

    HA_TRY(ha__suffix_check(bg_graph_ctx(graph), &bg__draw_formats, path));
    ha_status status = draw(graph, causality, options, format, path);
    if (status == HA_ERR_PROCESS) {
        HA_TRY(leave_text(graph, causality, options, format, path));
    }
    return status;
}
