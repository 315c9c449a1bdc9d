/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pictures of bond graphs on a page. Graphviz gives each bond a group with the identifier
 * `bond-NUMBER`, by which the script finds it. Identifiers are made unique by a prefix, prologue
 * and comments are left out.
 */
#include <config.h>

#include "tools/page/page.h"

#include "mech2d/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCALAR_BONDS = 120 }; /* of a trace that is shown in the scalar graph */

/* Where the parts of a mechanism are, which was assembled for its run. */
static ha_status find_places(const cli_model *model, bg_draw_options *options,
                             bg_draw_place **places)
{
    if (model->assembly != NULL) {
        HA_TRY(m2d_assembly_places(model->assembly, places, &options->n_places));
        options->places = *places;
    }
    return HA_OK;
}

/* Draws the bond graph, and once more without strokes and legend for the trace. */
static ha_status draw_both(page_run *run, bg_draw_options *options)
{
    const cli_model *model = &run->run.model;

    HA_TRY(bg_graph_svg(model->graph, model->causality, options, &run->diagram));
    options->level = run->is_bare_scalar ? BG_DRAW_SCALAR : BG_DRAW_MULTIBOND;
    options->has_legend = 0;
    return bg_graph_svg(model->graph, NULL, options, &run->bare);
}

ha_status page_draw_graph(page_run *run)
{
    const cli_model *model = &run->run.model;
    bg_draw_options options = bg_draw_options_default();
    bg_draw_place *places = NULL;

    run->is_bare_scalar = bg_causality_n_bonds(model->causality) <= MAX_SCALAR_BONDS;
    ha_status status = find_places(model, &options, &places);
    HA_THEN(status, draw_both(run, &options));
    free(places);
    return status;
}

void page_add_svg(const char *svg, const char *prefix, ha__strbuf *out)
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
        page_add_svg(svg, prefix, out);
        ha__strbuf_add(out, "</div>\n");
    }
    return out->status;
}
