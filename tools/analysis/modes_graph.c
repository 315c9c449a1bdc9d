/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy of modes on the bond graph: bonds into storages and resistors are as wide as their
 * shares, each kind in its colour, and all others faint. The graph is drawn as `draw` draws it; the
 * share of an element is the sum of those of its components in the scalar graph.
 */
#include <config.h>

#include "tools/analysis/modes_graph.h"

#include "bondgraph/export.h"
#include "lib/core/number.h"
#include "mech2d/place.h"
#include "tools/shared/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST = 0.0005; /* a share that is not listed */

enum {
    TITLE = 26, /* pixels */
    ROW = 18,
    COLUMN = 250,
    MOST_LISTED = 12 /* parts of an energy in a legend */
};

static const char *const colours[] = { "#1d4ed8", "#15803d", "#b91c1c" };

const char *modes_colour(bg_mode_energy kind)
{
    return colours[kind];
}

double modes_width(const modes_part *part)
{
    return 1.0 + 6.0 * fmin(fabs(part->share), 1.0);
}

bool modes_is_shown(const modes_part *part)
{
    return fabs(part->share) >= LEAST;
}

/* --- parts ---------------------------------------------------------------------------------- */

/* The bond that each bond of the scalar graph is a component of. */
typedef struct {
    bg_bond *bonds; /* by printed number - 1 */
    int *number_of; /* by printed number in the scalar graph */
    int n_scalar;
} bond_map;

static ha_status map_bonds(const cli_model *model, bond_map *map)
{
    const bg_graph *graph = model->graph;
    int n = bg_graph_n_bonds(graph);

    map->n_scalar = bg_causality_n_bonds(model->causality);
    HA_TRY(report_bonds(model, &map->bonds));
    HA_TRY_ALLOC(bg_graph_ctx(graph), map->number_of, map->n_scalar + 1);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < bg_bond_dim(graph, map->bonds[i]); c++) {
            int number = 0;
            HA_TRY(bg_causality_scalar_number(model->causality, map->bonds[i], c, &number));
            if (number >= 0 && number <= map->n_scalar) {
                map->number_of[number] = i + 1;
            }
        }
    }
    return HA_OK;
}

/* The end of a bond that an element of the scalar graph is a component of. */
static const char *name_of(const bg_graph *graph, bg_bond bond, const char *scalar)
{
    const char *tail = bg_element_name(graph, bg_bond_tail(graph, bond));
    const char *head = bg_element_name(graph, bg_bond_head(graph, bond));
    size_t length = strlen(tail);
    bool is_tail =
        strncmp(tail, scalar, length) == 0 && (scalar[length] == '.' || scalar[length] == '\0');

    return is_tail && strlen(head) <= length          ? tail
           : strncmp(head, scalar, strlen(head)) == 0 ? head
           : is_tail                                  ? tail
                                                      : head;
}

static int by_share(const void *a, const void *b)
{
    const modes_part *x = a, *y = b;

    return x->kind != y->kind    ? (x->kind > y->kind) - (x->kind < y->kind)
           : x->share < y->share ? 1
           : x->share > y->share ? -1
                                 : (x->bond > y->bond) - (x->bond < y->bond);
}

static ha_status add_share(const modes_shown *s, const bond_map *map, const bg_mode_share *share,
                           modes_parts *out)
{
    int number = share->bond >= 0 && share->bond <= map->n_scalar ? map->number_of[share->bond] : 0;

    for (size_t i = 0; i < out->items.count; i++) {
        modes_part *part = &out->items.items[i];
        if (part->bond == number && part->kind == share->kind) {
            part->share += share->share;
            return HA_OK;
        }
    }
    if (number > 0) {
        modes_part part = { name_of(s->model->graph, map->bonds[number - 1], share->element),
                            number, share->kind, share->share };
        HA_TRY_PUSH(bg_graph_ctx(s->model->graph), &out->items, part);
    }
    return HA_OK;
}

ha_status modes_find_parts(const modes_shown *s, int mode, modes_parts *out)
{
    bond_map map = { 0 };

    *out = (modes_parts){ 0 };
    ha_status status = map_bonds(s->model, &map);
    for (int i = 0; i < s->n_shares[mode] && status == HA_OK; i++) {
        status = add_share(s, &map, &s->shares[mode][i], out);
    }
    HA_FREE(map.bonds, map.number_of);
    if (status == HA_OK && out->items.count > 0) {
        qsort(out->items.items, out->items.count, sizeof *out->items.items, by_share);
    }
    return status;
}

/* --- the picture ---------------------------------------------------------------------------- */

ha_status modes_check_drawn(cli_call *cli, const modes_shown *s)
{
    return s->mode >= 0
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                         "there is no mode to draw: %d were found, %d of them rigid, which have no "
                         "energy; choose one with --mode N",
                         s->modal->n_modes, s->modal->n_rigid);
}

ha_status modes_draw_graph(const modes_shown *s, char **svg)
{
    bg_draw_options options = bg_draw_options_default();
    bg_draw_place *places = NULL;
    ha_status status = HA_OK;

    options.has_legend = 0;
    if (s->model->assembly != NULL) {
        status = m2d_assembly_places(s->model->assembly, &places, &options.n_places);
        options.places = places;
    }
    HA_THEN(status, bg_graph_svg(s->model->graph, s->model->causality, &options, svg));
    free(places);
    return status;
}

static void add_style(ha__strbuf *out, const modes_parts *parts)
{
    ha__strbuf_add(out, "<style>.graph g.edge{opacity:0.35}");
    for (size_t i = 0; i < parts->items.count; i++) {
        const modes_part *part = &parts->items.items[i];
        const char *colour = modes_colour(part->kind);
        if (modes_is_shown(part)) {
            ha__strbuf_addf(out,
                            ".graph #bond-%d{opacity:1}#bond-%d path,#bond-%d polyline{stroke:%s;"
                            "stroke-width:%.2f}#bond-%d text{fill:%s}",
                            part->bond, part->bond, part->bond, colour, modes_width(part),
                            part->bond, colour);
        }
    }
    ha__strbuf_add(out, "</style>\n");
}

static void add_title(ha__strbuf *out, const modes_shown *s)
{
    const bg_mode *m = &s->modal->modes[s->mode];
    char numbers[2][HA__NUMBER_SIZE];

    ha__strbuf_addf(out,
                    "<text x=\"8\" y=\"17\" font-size=\"14\" font-weight=\"bold\">mode %d: %s Hz, "
                    "damping %s</text>\n",
                    s->mode + 1, ha__print_rounded_number(numbers[0], modes_frequency(m), 5),
                    ha__print_rounded_number(numbers[1], ha__plain_sign(modes_damping(m)), 3));
}

/* A line of the legend: a piece of the bond, and words. */
static void add_row(ha__strbuf *out, int x, double y, const char *colour, double width,
                    const char *words)
{
    if (width > 0.0) {
        ha__strbuf_addf(out, "<path d=\"M%d %.1fh24\" stroke=\"%s\" stroke-width=\"%.2f\"/>", x,
                        y - 4.0, colour, width);
    }
    ha__strbuf_addf(out, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">", width > 0.0 ? x + 30 : x, y,
                    colour);
    ha__strbuf_add_markup(out, words);
    ha__strbuf_add(out, "</text>\n");
}

/* The parts of one energy below its name; returns how many rows that takes. */
static int add_energy(ha__strbuf *out, const modes_parts *parts, bg_mode_energy kind, int x,
                      double y)
{
    ha__strbuf words = HA_STRBUF(out->ctx);
    char number[HA__NUMBER_SIZE];
    double rest = 0.0;
    int n = 0, n_rest = 0;

    for (size_t i = 0; i < parts->items.count; i++) {
        const modes_part *part = &parts->items.items[i];
        if (part->kind != kind || !modes_is_shown(part)) {
            continue;
        }
        if (n == 0) {
            add_row(out, x, y, modes_colour(kind), 0.0, modes_energy_word(kind));
        }
        if (n == MOST_LISTED) {
            rest += part->share;
            n_rest++;
            continue;
        }
        ha__strbuf_clear(&words);
        ha__strbuf_addf(&words, "%s %s %% (bond %d)", part->element,
                        ha__print_rounded_number(number, 100.0 * part->share, 3), part->bond);
        add_row(out, x, y + ROW * ++n, modes_colour(kind), modes_width(part),
                ha__strbuf_text(&words));
    }
    if (n_rest > 0) {
        ha__strbuf_clear(&words);
        ha__strbuf_addf(&words, "%d more: %s %%", n_rest,
                        ha__print_rounded_number(number, 100.0 * rest, 3));
        add_row(out, x, y + ROW * ++n, modes_colour(kind), 0.0, ha__strbuf_text(&words));
    }
    ha__strbuf_clear(&words);
    return n > 0 ? n + 1 : 0;
}

/* Rows of the legend, which has a column for each energy. */
static int add_legend(ha__strbuf *out, const modes_parts *parts, double y)
{
    int rows = 0, column = 0;

    for (int kind = 0; kind < BG_MODE_ENERGY_COUNT; kind++) {
        int n = add_energy(out, parts, (bg_mode_energy) kind, 8 + COLUMN * column, y);
        column += n > 0 ? 1 : 0;
        rows = n > rows ? n : rows;
    }
    return rows;
}

/* The graph that `dot` made, in a picture with title and legend. */
static ha_status compose(cli_call *cli, const modes_shown *s, const modes_parts *parts,
                         const char *svg, ha__strbuf *out)
{
    static const char BOX[] = "viewBox=\"0.00 0.00 ";
    const char *start = strstr(svg, "<svg"), *box = strstr(svg, BOX);
    double size[2] = { 0.0, 0.0 };
    ha__strbuf legend = HA_STRBUF(cli->ctx);

    if (start == NULL || box == NULL ||
        sscanf(box + strlen(BOX), "%lf %lf", &size[0], &size[1]) != 2) {
        return ha_fail(cli->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                       "the picture that `dot` made has no size; try another version of it");
    }
    /* `dot` counts in points, of which 3 are 4 pixels */
    double width = fmax(size[0] * 4.0 / 3.0, BG_MODE_ENERGY_COUNT * COLUMN);
    double bottom = TITLE + size[1] * 4.0 / 3.0 + ROW;
    int rows = add_legend(&legend, parts, bottom);
    ha__strbuf_addf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                    "width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
                    "font-size=\"13\">\n",
                    width, bottom + ROW * rows, width, bottom + ROW * rows);
    add_style(out, parts);
    ha__strbuf_add(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    add_title(out, s);
    ha__strbuf_addf(out, "<svg class=\"graph\" y=\"%d\"%s%s</svg>\n", (int) TITLE,
                    start + strlen("<svg"), ha__strbuf_text(&legend));
    return ha__strbuf_drop(&legend, legend.status);
}

ha_status modes_add_picture(cli_call *cli, const modes_shown *s, ha__strbuf *out)
{
    modes_parts parts = { 0 };
    char *svg = NULL;

    HA_TRY(modes_check_drawn(cli, s));
    ha_status status = modes_find_parts(s, s->mode, &parts);
    HA_THEN(status, modes_draw_graph(s, &svg));
    HA_THEN(status, compose(cli, s, &parts, svg, out));
    HA_ARRAY_CLEAR(&parts.items);
    free(svg);
    return status;
}
