/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of bond graphs: DOT text, and files that the program `dot` of Graphviz renders from it.
 * Graphviz is run as a process and not linked.
 */
#include <config.h>

#include "bondgraph/export.h"

#include "bondgraph/expand.h"
#include "bondgraph/export_priv.h"
#include "bondgraph/graph_priv.h"
#include "lib/mem.h"
#include "lib/output.h"
#include "lib/process.h"

#include <math.h>
#include <string.h>

enum { DRAW_COOKIE = 0x64726177 };

static const char *const level_names[BG_DRAW_LEVEL_COUNT] = { "word", "multibond", "scalar" };

bg_draw_options bg_draw_options_default(void)
{
    return (bg_draw_options){ BG_DRAW_MULTIBOND, (double) NAN, (double) NAN, DRAW_COOKIE };
}

bg_draw_level bg_draw_level_find(const char *name)
{
    int level = 0;

    while (level < BG_DRAW_LEVEL_COUNT && strcmp(name, level_names[level]) != 0) {
        level++;
    }
    return (bg_draw_level) level;
}

/* --- DOT text ------------------------------------------------------------------------------- */

void bg__dot_quoted(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            ha__strbuf_add(out, "\\");
        }
        ha__strbuf_add_bytes(out, text, 1);
    }
    ha__strbuf_add(out, "\"");
}

void bg__dot_html(ha__strbuf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            ha__strbuf_add(out, "&amp;");
            break;
        case '<':
            ha__strbuf_add(out, "&lt;");
            break;
        case '>':
            ha__strbuf_add(out, "&gt;");
            break;
        case '"':
            ha__strbuf_add(out, "&quot;");
            break;
        default:
            ha__strbuf_add_bytes(out, text, 1);
        }
    }
}

size_t bg__box_length(const bg_graph *graph, const char *group, size_t length)
{
    do {
        length += length > 0; /* the dot */
        length += strcspn(group + length, ".");
    } while (group[length] != '\0' && ha__symtab_find(&graph->instance_names, group, length) < 0);
    return length;
}

static void add_head(ha__strbuf *out)
{
    ha__strbuf_add(out,
                   "digraph bondgraph {\n"
                   "  graph [rankdir=LR, nodesep=0.22, ranksep=0.5, splines=true, "
                   "outputorder=edgesfirst, fontname=\"Helvetica\", fontsize=10, "
                   "fontcolor=\"" BG__PALE "\", color=\"#d1d5db\", bgcolor=\"white\", "
                   "style=\"rounded,filled\", "
                   "fillcolor=\"#f3f4f6\", labeljust=r];\n");
    ha__strbuf_add(out, "  node [shape=plaintext, margin=\"0.04,0.02\", width=0, height=0, "
                        "fontname=\"Helvetica\", fontsize=12, fontcolor=\"" BG__INK "\"];\n"
                        "  edge [dir=both, arrowhead=lvee, arrowtail=none, arrowsize=0.75, "
                        "labeldistance=2.2, fontname=\"Helvetica\", fontsize=8, "
                        "fontcolor=\"" BG__PALE "\"];\n");
}

static ha_status write_level(bg_graph *graph, const bg_causality *causality,
                             const bg_draw_options *options, ha__strbuf *out)
{
    bg_graph *expanded = NULL;
    ha_status status = HA_OK;

    if (options->level == BG_DRAW_WORD) {
        return bg__dot_words(graph, out);
    }
    if (options->level == BG_DRAW_SCALAR) {
        HA_TRY(bg_graph_expand(graph, &expanded));
    }
    status = bg__dot_elements(graph, expanded, causality, options, out);
    bg_graph_free(expanded);
    return status;
}

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
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = HA_OK;

    HA_TRY(bg__check_draw_options(bg_graph_ctx(graph), options));
    add_head(&text);
    status = write_level(graph, causality, options, &text);
    ha__strbuf_add(&text, "}\n");
    status = status == HA_OK ? text.status : status;
    if (status == HA_OK) {
        *out = ha__strbuf_take(&text);
        status = *out == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    ha__strbuf_clear(&text);
    return status;
}

/* --- files ---------------------------------------------------------------------------------- */

/* The formats by suffix; `argument` is what `dot` is told, NULL: the text itself. */
static const struct {
    const char *suffix;
    ha_status (*write)(bg_graph *graph, const bg_causality *causality,
                       const bg_draw_options *options, char **out);
    const char *argument;
} formats[] = {
    { ".dot", bg_graph_dot, NULL },
    { ".gv", bg_graph_dot, NULL },
    { ".graphml", bg_graph_graphml, NULL },
    { ".svg", bg_graph_dot, "-Tsvg" },
    { ".pdf", bg_graph_dot, "-Tpdf" },
    { ".png", bg_graph_dot, "-Tpng" },
};

static ha_status find_format(ha_ctx *ctx, const char *path, size_t *out)
{
    size_t length = strlen(path);

    if (strcmp(path, "-") == 0) {
        *out = 0;
        return HA_OK;
    }
    for (size_t i = 0; i < HA_COUNT(formats); i++) {
        size_t n = strlen(formats[i].suffix);
        if (length > n && strcmp(path + length - n, formats[i].suffix) == 0) {
            *out = i;
            return HA_OK;
        }
    }
    return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "the picture `%s` has an unknown suffix; use .dot, .svg, .pdf, .png or .graphml",
                   path);
}

/* Lets `dot` render a text; pictures of large graphs take it minutes. */
static ha_status render(ha_ctx *ctx, const char *text, const char *argument, const char *path)
{
    const char *arguments[] = { "dot", argument, "-Gdpi=144", NULL };
    ha__process process = { .arguments = arguments, .input = text, .input_length = strlen(text),
                            .time_limit = 600.0, .title = "Graphviz's `dot`",
                            .advice = "install the package graphviz, or write a .dot file" };
    char *picture = NULL;
    size_t length = 0;
    ha_status status = HA_OK;

    if (strcmp(argument, "-Tpng") != 0) {
        arguments[2] = NULL; /* SVG and PDF have sizes of their own */
    }
    HA_TRY(ha__process_run(ctx, &process, &picture, &length));
    status = ha__output_write(ctx, path, picture, length);
    ha__free(picture);
    return status;
}

ha_status bg_graph_draw(bg_graph *graph, const bg_causality *causality,
                        const bg_draw_options *options, const char *path)
{
    ha_ctx *ctx = bg_graph_ctx(graph);
    size_t format = 0;
    char *text = NULL;
    ha_status status = HA_OK;

    HA_TRY(find_format(ctx, path, &format));
    HA_TRY(formats[format].write(graph, causality, options, &text));
    status = formats[format].argument == NULL
                 ? ha__output_write(ctx, path, text, strlen(text))
                 : render(ctx, text, formats[format].argument, path);
    ha__free(text);
    return status;
}
