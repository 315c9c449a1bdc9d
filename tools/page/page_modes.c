/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes of vibration on a page. Table and legends need no script; the script (modes.js) marks one
 * mode, gives its bonds their widths and lets the mechanism swing. It works on one JSON object:
 *
 *   scale    units of the picture for a metre
 *   points   as of a run (page_data.c)
 *   motions  for each mode the series x, y, angle of each body in turn, packed; empty without
 * bodies bonds    for each mode [number, colour, width] of the bonds that have energy
 */
#include <config.h>

#include "tools/page/page_modes.h"

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "tools/analysis/modes_graph.h"
#include "tools/analysis/modes_motion.h"
#include "tools/page/page.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_MODES = 40, MOST_NAMED = 3 /* parts of an energy in the table */ };

/* --- what is shown -------------------------------------------------------------------------- */

static ha_status find_motion(cli_call *cli, page_modes *m, int k)
{
    HA_TRY(modes_motion(cli, m->shown, k, &m->motions[k]));
    if (m->motions[k] == NULL) {
        return HA_OK;
    }
    HA_TRY(scene_open(cli->ctx, m2d_model_mechanism(m->shown->model->file), m->motions[k],
                      &m->scenes[k]));
    scene_extend(&m->scenes[k], &m->view);
    return HA_OK;
}

ha_status page_modes_new(cli_call *cli, const modes_shown *shown, page_modes *out)
{
    int n = shown->modal->n_modes < MOST_MODES ? shown->modal->n_modes : MOST_MODES;

    *out = (page_modes){ .cli = cli, .shown = shown, .n = n, .view = scene_view_new() };
    HA_TRY_ALLOC_EACH(cli->ctx, n + 1, out->motions, out->scenes);
    for (int k = 0; k < n; k++) {
        HA_TRY(find_motion(cli, out, k));
    }
    scene_fit(&out->view);
    return modes_draw_graph(shown, &out->graph);
}

void page_modes_clear(page_modes *m)
{
    for (int k = 0; k < m->n; k++) {
        if (m->scenes != NULL) {
            scene_clear(&m->scenes[k]);
        }
        if (m->motions != NULL) {
            ha_result_free(m->motions[k]);
        }
    }
    HA_FREE(m->motions, m->scenes);
    free(m->graph);
    *m = (page_modes){ 0 };
}

/* --- the section ---------------------------------------------------------------------------- */

static void add_cell(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, "<td class=\"number\">%s</td>",
                    ha__print_rounded_number(number, ha__plain_sign(x), 6));
}

/* "-0.5 + 3.8i" */
static void add_eigenvalue(ha__strbuf *out, const double *z)
{
    char numbers[2][HA__NUMBER_SIZE];

    ha__strbuf_addf(out, "<td class=\"number\">%s",
                    ha__print_rounded_number(numbers[0], ha__plain_sign(z[0]), 6));
    if (z[1] != 0.0) {
        ha__strbuf_addf(out, " &#177; %si", ha__print_rounded_number(numbers[1], z[1], 6));
    }
    ha__strbuf_add(out, "</td>");
}

/* The largest parts of each energy in words. */
static void add_summary(ha__strbuf *out, const modes_parts *parts)
{
    int n[BG_MODE_ENERGY_COUNT] = { 0 };
    char number[HA__NUMBER_SIZE];

    ha__strbuf_add(out, "<td>");
    for (size_t i = 0; i < parts->items.count; i++) {
        const modes_part *part = &parts->items.items[i];
        if (!modes_is_shown(part) || n[part->kind]++ >= MOST_NAMED) {
            continue;
        }
        if (n[part->kind] == 1) {
            ha__strbuf_addf(out, "%s<span class=\"energy-%d\">%s</span> ", i > 0 ? "; " : "",
                            (int) part->kind, modes_energy_word(part->kind));
        }
        ha__strbuf_add(out, n[part->kind] > 1 ? ", " : "");
        ha__strbuf_add_markup(out, part->element);
        ha__strbuf_addf(out, " %s %%", ha__print_rounded_number(number, 100.0 * part->share, 3));
    }
    ha__strbuf_add(out, "</td>");
}

static void add_row(const page_modes *m, int k, const modes_parts *parts, ha__strbuf *out)
{
    const bg_modal *modal = m->shown->modal;
    const bg_mode *mode = &modal->modes[k];

    ha__strbuf_addf(out, "<tr data-mode=\"%d\"><th scope=\"row\">%d%s</th>", k, k + 1,
                    k < modal->n_rigid ? " rigid" : "");
    add_cell(out, modes_frequency(mode));
    add_cell(out, modes_damping(mode));
    add_eigenvalue(out, mode->eigenvalue);
    add_summary(out, parts);
    ha__strbuf_add(out, "</tr>\n");
}

/* All numbers of a mode. */
static void add_legend(int k, const modes_parts *parts, ha__strbuf *out)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(
        out,
        "<div class=\"scroll legend\" data-mode=\"%d\"><table><caption>Mode %d</caption>"
        "<thead><tr><th scope=\"col\">energy</th><th scope=\"col\">element</th><th "
        "scope=\"col\">bond</th><th scope=\"col\">share [%%]</th></tr></thead>\n",
        k, k + 1);
    for (size_t i = 0; i < parts->items.count; i++) {
        const modes_part *part = &parts->items.items[i];
        if (modes_is_shown(part)) {
            ha__strbuf_addf(out, "<tr><td class=\"energy-%d\">%s</td><td>", (int) part->kind,
                            modes_energy_word(part->kind));
            ha__strbuf_add_markup(out, part->element);
            ha__strbuf_addf(out, "</td><td>%d</td><td class=\"number\">%s</td></tr>\n", part->bond,
                            ha__print_rounded_number(number, 100.0 * part->share, 4));
        }
    }
    ha__strbuf_add(out, "</table></div>\n");
}

static void add_sentence(const page_modes *m, ha__strbuf *out)
{
    const bg_modal *modal = m->shown->modal;
    char numbers[2][HA__NUMBER_SIZE];

    ha__strbuf_addf(out, "<p>%d mode%s of %d states, %d rigid", modal->n_modes,
                    modal->n_modes == 1 ? "" : "s", modal->n_states, modal->n_rigid);
    if (m->n < modal->n_modes) {
        ha__strbuf_addf(out, "; the first %d are shown", m->n);
    }
    if (!modal->is_equilibrium) {
        ha__strbuf_addf(out,
                        ". The operating point is no equilibrium: the largest acceleration is %s, "
                        "the largest velocity %s [SI]. These are no modes of vibration",
                        ha__print_rounded_number(numbers[0], modal->acceleration, 4),
                        ha__print_rounded_number(numbers[1], modal->velocity, 4));
    }
    ha__strbuf_add(out, ".</p>\n");
}

/* The mechanism at rest, faint, and once more to be moved. */
static ha_status add_mechanism(const page_modes *m, ha__strbuf *out)
{
    if (m->n == 0 || m->motions[0] == NULL) {
        return HA_OK;
    }
    ha__strbuf_add(out, "<div class=\"picture\">\n");
    scene_begin(&m->view, "the mechanism in a mode", out);
    ha__strbuf_add(out, "<g class=\"run behind\">\n");
    HA_TRY(scene_draw(&m->scenes[0], &m->view, 0, out));
    ha__strbuf_add(out, "</g>\n<g class=\"run swing\">\n");
    HA_TRY(scene_draw(&m->scenes[0], &m->view, 1 + MODES_PICTURES / 8, out));
    ha__strbuf_add(out, "</g>\n</svg>\n</div>\n");
    return out->status;
}

static ha_status add_tables(const page_modes *m, ha__strbuf *out, ha__strbuf *legends)
{
    for (int k = 0; k < m->n; k++) {
        modes_parts parts = { 0 };
        ha_status status = modes_find_parts(m->shown, k, &parts);
        if (status == HA_OK) {
            add_row(m, k, &parts, out);
            add_legend(k, &parts, legends);
        }
        HA_ARRAY_CLEAR(&parts.items);
        HA_TRY(status);
    }
    return legends->status;
}

ha_status page_add_modes(const page_modes *m, ha__strbuf *out)
{
    ha__strbuf legends = HA_STRBUF(out->ctx);

    ha__strbuf_add(out,
                   "<section id=\"modes\" data-title=\"Modes\">\n<h2>Modes of vibration</h2>\n");
    add_sentence(m, out);
    ha__strbuf_add(out, "<div class=\"scroll\"><table id=\"mode-table\"><thead><tr><th "
                        "scope=\"col\">mode</th><th scope=\"col\">frequency [Hz]</th><th "
                        "scope=\"col\">damping</th><th scope=\"col\">eigenvalue [1/s]</th><th "
                        "scope=\"col\">energy</th></tr></thead>\n");
    ha_status status = add_tables(m, out, &legends);
    ha__strbuf_add(out, "</table></div>\n<div class=\"bar\" hidden><button type=\"button\" "
                        "id=\"swing\" aria-pressed=\"false\">Play</button><span class=\"tools\">"
                        "</span><output id=\"mode-said\"></output></div>\n"
                        "<div class=\"halves\">\n");
    HA_THEN(status, add_mechanism(m, out));
    if (m->graph != NULL) {
        ha__strbuf_add(out, "<div class=\"stage\"><div class=\"canvas\">\n");
        page_add_svg(m->graph, "m-", out);
        ha__strbuf_add(out, "</div></div>\n");
    }
    ha__strbuf_add(out, "</div>\n");
    ha__strbuf_add(out, ha__strbuf_text(&legends));
    ha__strbuf_add(out, "</section>\n");
    ha__strbuf_clear(&legends);
    return status == HA_OK ? out->status : status;
}

/* --- data ----------------------------------------------------------------------------------- */

static json_t *motion_of(const page_modes *m, int k)
{
    const ha_result *motion = m->motions[k];
    json_t *all = json_array();

    for (size_t c = 1; motion != NULL && c < ha_result_n_columns(motion); c++) {
        double cycle[MODES_PICTURES];
        for (size_t i = 0; i < MODES_PICTURES; i++) {
            cycle[i] = ha_result_value(motion, i + 1, c);
        }
        (void) cli_json_append(all, page_pack(ha_result_ctx(motion), cycle, MODES_PICTURES));
    }
    return all;
}

static json_t *bonds_of(const page_modes *m, int k)
{
    json_t *all = json_array();
    modes_parts parts = { 0 };

    if (modes_find_parts(m->shown, k, &parts) == HA_OK) {
        for (size_t i = 0; i < parts.items.count; i++) {
            const modes_part *part = &parts.items.items[i];
            if (modes_is_shown(part)) {
                (void) cli_json_append(all, json_pack("[i, s, f]", part->bond,
                                                      modes_colour(part->kind), modes_width(part)));
            }
        }
    }
    HA_ARRAY_CLEAR(&parts.items);
    return all;
}

json_t *page_modes_data(const page_modes *m)
{
    cli_json json = cli_json_new();
    json_t *motions = json_array(), *bonds = json_array();

    for (int k = 0; k < m->n; k++) {
        (void) cli_json_append(motions, motion_of(m, k));
        (void) cli_json_append(bonds, bonds_of(m, k));
    }
    cli_json_put_int(&json, "rows", MODES_PICTURES);
    cli_json_put_real(&json, "scale", m->view.scale);
    cli_json_put_int(&json, "first",
                     m->shown->mode < 0 || m->shown->mode >= m->n ? 0 : m->shown->mode);
    cli_json_put(&json, "motions", motions);
    cli_json_put(&json, "bonds", bonds);
    if (m->n > 0 && m->motions[0] != NULL) {
        page_put_points(&m->scenes[0], &json);
    }
    return json.object;
}

/* --- the page ------------------------------------------------------------------------------- */

static ha_status add_title(const void *user, ha__strbuf *out)
{
    const page_modes *m = user;

    ha__strbuf_add_markup(out, cli_model_title(m->cli, m->shown->model));
    return out->status;
}

static ha_status add_section(const void *user, ha__strbuf *out)
{
    return page_add_modes(user, out);
}

static ha_status add_data(const void *user, ha__strbuf *out)
{
    json_t *all = json_pack("{s:o}", "modes", page_modes_data(user));
    ha_status status = page_add_json(all, out);

    json_decref(all);
    return status;
}

ha_status page_modes_write(cli_call *cli, const modes_shown *shown, const char *path)
{
    static const page_part parts[] = { { "title", add_title },
                                       { "section", add_section },
                                       { "data", add_data } };
    ha__strbuf out = HA_STRBUF(cli->ctx);
    page_modes modes = { 0 };
    ha_status drawn = page_modes_new(cli, shown, &modes);
    /* without `dot` the page has all but the graph, and the command still says so */
    ha_status status = drawn == HA_ERR_PROCESS ? HA_OK : drawn;

    HA_THEN(status, page_fill("modes.html", parts, HA_COUNT(parts), &modes, &out));
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length));
    ha__strbuf_clear(&out);
    page_modes_clear(&modes);
    return status == HA_OK ? drawn : status;
}
