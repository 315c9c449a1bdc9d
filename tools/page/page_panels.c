/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots on a page. A panel is the object
 *
 *   x, y, logX, logY, size, step   the axes, as in plot.h
 *   guides                         [x or null, y or null, text]
 *   curves                         [title, dash, look, colour, rows, x, y], the last two packed
 */
#include <config.h>

#include "tools/page/page_panels.h"

#include "lib/core/mem.h"
#include "tools/page/page.h"
#include "tools/shared/json.h"

#include <math.h>

enum { MOST_ROWS = 1200, PIECES = 300 /* with four rows each */ };

/* The rows of a piece that are kept, ascending, each once; returns their number. */
static size_t keep_piece(const plot_curve *curve, size_t from, size_t to, size_t *rows)
{
    size_t low = from, high = from, n = 0;

    for (size_t row = from; row < to; row++) {
        double y = ha_result_value(curve->result, row, curve->column);
        low = y < ha_result_value(curve->result, low, curve->column) ? row : low;
        high = y > ha_result_value(curve->result, high, curve->column) ? row : high;
    }
    const size_t all[] = { from, low < high ? low : high, low < high ? high : low, to - 1 };
    for (int i = 0; i < 4; i++) {
        if (i == 0 || all[i] > all[i - 1]) {
            rows[n++] = all[i];
        }
    }
    return n;
}

/* Fills `rows`, which has room for MOST_ROWS; returns how many there are. */
static size_t choose_rows(const plot_curve *curve, size_t *rows)
{
    size_t n = ha_result_n_rows(curve->result), kept = 0;

    if (n <= MOST_ROWS) {
        for (; kept < n; kept++) {
            rows[kept] = kept;
        }
        return n;
    }
    for (size_t i = 0; i < PIECES; i++) {
        kept += keep_piece(curve, i * n / PIECES, (i + 1) * n / PIECES, rows + kept);
    }
    return kept;
}

static json_t *pack_curve(ha_ctx *ctx, const plot_curve *curve)
{
    size_t *rows = ha__alloc(ctx, MOST_ROWS, sizeof *rows);
    double *values = ha__alloc(ctx, 2 * MOST_ROWS, sizeof *values);
    json_t *packed = NULL;

    if (rows != NULL && values != NULL) {
        size_t n = choose_rows(curve, rows);
        for (size_t i = 0; i < n; i++) {
            values[i] = ha_result_value(curve->result, rows[i], 0);
            values[MOST_ROWS + i] = ha_result_value(curve->result, rows[i], curve->column);
        }
        packed = json_pack("[s, i, i, i, i, o, o]", curve->title, curve->dash, (int) curve->look,
                           curve->colour, (int) n, page_pack(ctx, values, n),
                           page_pack(ctx, values + MOST_ROWS, n));
    }
    HA_FREE(rows, values);
    return packed;
}

static json_t *pack_guides(const plot_panel *panel)
{
    json_t *all = json_array();

    for (size_t i = 0; i < panel->n_guides; i++) {
        const plot_guide *guide = &panel->guides[i];
        (void) cli_json_append(all, json_pack("[o, o, s]", cli_json_real(guide->x),
                                              cli_json_real(guide->y), guide->text));
    }
    return all;
}

ha_status page_add_panel(page_panels *panels, const plot_panel *panel, ha__strbuf *out)
{
    json_t *curves = json_array(), *object = NULL;
    bool is_good = curves != NULL;

    for (size_t i = 0; i < panel->n && is_good; i++) {
        is_good = cli_json_append(curves, pack_curve(out->ctx, &panel->curves[i]));
    }
    object = json_pack("{s:s, s:s, s:b, s:b, s:b, s:f, s:o, s:o}", "x", panel->x_label, "y",
                       panel->y_label, "logX", panel->log_x, "logY", panel->log_y, "size",
                       panel->is_size, "step", panel->step_y, "guides", pack_guides(panel),
                       "curves", curves);
    panels->list = panels->list == NULL ? json_array() : panels->list;
    if (!cli_json_append(panels->list, object) || !is_good) {
        return ha_fail(out->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                       "out of memory while the plots of the page were made");
    }
    ha__strbuf_addf(out, "<div class=\"chart\" data-panel=\"%d\"></div>\n", panels->n++);
    return out->status;
}

ha_status page_add_panels_data(const page_panels *panels, ha__strbuf *out)
{
    json_t *list = panels->list == NULL ? json_array() : json_incref(panels->list);
    json_t *all = json_pack("{s:o}", "panels", list);
    ha_status status = page_add_json(all, out);

    json_decref(all);
    return status;
}
