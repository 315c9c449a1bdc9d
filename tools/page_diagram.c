/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pictures of bond graphs on a page. Graphviz gives each bond a group with the identifier
 * `bond-NUMBER`, by which the script finds it. Identifiers are made unique by a prefix, prologue and
 * comments are left out.
 */
#include <config.h>

#include "tools/page.h"

#include "bondgraph/export.h"
#include "lib/process.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SCALAR_BONDS = 120 }; /* of a trace that is shown in the scalar graph */

static ha_status draw(cli_call *cli, bg_graph *graph, const bg_causality *causality,
                      bg_draw_level level, char **out)
{
    static const char *const arguments[] = { "dot", "-Tsvg", NULL };
    bg_draw_options options = bg_draw_options_default();
    char *text = NULL;
    size_t length = 0;

    options.level = level;
    HA_TRY(bg_graph_dot(graph, causality, &options, &text));
    const ha__process process = { .arguments = arguments,
                                  .input = text,
                                  .input_length = strlen(text),
                                  .time_limit = 600.0,
                                  .title = "Graphviz's `dot`",
                                  .advice = "install the package graphviz; the page is written "
                                            "without bond graphs" };
    ha_status status = ha__process_run(cli->ctx, &process, out, &length);
    ha__free(text);
    return status;
}

ha_status page_draw_graph(cli_call *cli, page_run *run)
{
    const cli_model *model = &run->run.model;

    run->is_bare_scalar = bg_causality_n_bonds(model->causality) <= MAX_SCALAR_BONDS;
    HA_TRY(draw(cli, model->graph, model->causality, BG_DRAW_MULTIBOND, &run->diagram));
    return draw(cli, model->graph, NULL,
                run->is_bare_scalar ? BG_DRAW_SCALAR : BG_DRAW_MULTIBOND, &run->bare);
}

/* Adds an SVG from its start tag on, with `prefix` before each identifier. */
static void add_svg(const char *svg, const char *prefix, ha__strbuf *out)
{
    const char *at = strstr(svg, "<svg");

    while (at != NULL && *at != '\0') {
        size_t n = strcspn(at, "< ");
        ha__strbuf_add_bytes(out, at, n);
        at += n;
        if (strncmp(at, "<!--", 4) == 0) {
            const char *end = strstr(at, "-->");
            at = end == NULL ? at + strlen(at) : end + 3;
            at += *at == '\n' ? 1 : 0;
        } else if (strncmp(at, " id=\"", 5) == 0) {
            ha__strbuf_addf(out, " id=\"%s", prefix);
            at += 5;
        } else if (*at != '\0') {
            ha__strbuf_add_bytes(out, at, 1);
            at++;
        }
    }
}

ha_status page_add_diagrams(const page *p, bool is_bare, ha__strbuf *out)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        const page_run *run = &p->runs.items[i];
        const char *svg = is_bare ? run->bare : run->diagram;
        char prefix[32];
        if (svg == NULL) {
            continue;
        }
        snprintf(prefix, sizeof prefix, "%c%zu-", is_bare ? 't' : 'd', i);
        ha__strbuf_addf(out, "<div class=\"canvas\" data-run=\"%zu\">\n", i);
        add_svg(svg, prefix, out);
        ha__strbuf_add(out, "</div>\n");
    }
    return out->status;
}
