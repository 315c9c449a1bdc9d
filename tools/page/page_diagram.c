/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pictures of bond graphs on a page. Graphviz gives each bond a group with the identifier
 * `bond-NUMBER`, by which the script finds it.
 */
#include <config.h>

#include "tools/page/page.h"

#include "mech2d/place.h"

#include <stdio.h>
#include <stdlib.h>

/* elements of a graph of which all bonds are drawn: more cannot be read, and take `dot` long */
enum { MOST_ELEMENTS = 900 };

/* parts that are drawn in the shape of the mechanism: more are a heap, and rows are read sooner */
enum { MOST_PLACED = 150 };

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

/* Whether the graph has parts: groups of elements, as bodies and joints are. */
static bool has_parts(const bg_graph *graph)
{
    for (int i = 0; i < bg_graph_n_elements(graph); i++) {
        if (bg_element_group(graph, i)[0] != '\0') {
            return true;
        }
    }
    return false;
}

static ha_status draw_levels(page_run *run, bg_draw_options *options)
{
    const cli_model *model = &run->run.model;

    if (has_parts(model->graph)) {
        options->level = BG_DRAW_WORD;
        HA_TRY(bg_graph_svg(model->graph, NULL, options, &run->words));
    }
    options->level = BG_DRAW_MULTIBOND;
    return run->words == NULL || bg_graph_n_elements(model->graph) <= MOST_ELEMENTS
               ? bg_graph_svg(model->graph, model->causality, options, &run->diagram)
               : HA_OK;
}

ha_status page_draw_graph(page_run *run)
{
    bg_draw_options options = bg_draw_options_default();
    bg_draw_place *places = NULL;

    options.has_legend = 0; /* the page has it beside the picture */
    options.has_large_letters = 1;
    ha_status status = find_places(&run->run.model, &options, &places);
    options.places = options.n_places > MOST_PLACED ? NULL : options.places;
    options.n_places = options.places == NULL ? 0 : options.n_places;
    HA_THEN(status, draw_levels(run, &options));
    free(places);
    return status;
}

ha_status page_add_diagrams(const void *user, ha__strbuf *out)
{
    const page *p = user;

    for (size_t i = 0; i < p->runs.count; i++) {
        const page_run *run = &p->runs.items[i];
        const char *const pictures[] = { run->words, run->diagram };
        static const char *const levels[] = { "words", "bonds" };
        for (size_t k = 0; k < HA_COUNT(pictures); k++) {
            char prefix[32];
            if (pictures[k] == NULL) {
                continue;
            }
            snprintf(prefix, sizeof prefix, "%c%zu-", "wd"[k], i);
            ha__strbuf_addf(out, "<div class=\"canvas %s\" data-run=\"%zu\">\n", levels[k], i);
            page_add_svg(pictures[k], prefix, out);
            ha__strbuf_add(out, "</div>\n");
        }
    }
    return out->status;
}
