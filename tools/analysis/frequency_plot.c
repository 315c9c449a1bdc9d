/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frequency responses as plots.
 *
 * Bode: the magnitude in decibels, 20 log10 of it in SI units, and below it the phase, over one
 * logarithmic axis. Peaks have their frequency, margins a line at theirs. Nyquist: the response to
 * positive frequencies, and dashed its mirror image, that to negative ones. The map of poles and
 * zeros has both axes through 0.
 */
#include <config.h>

#include "tools/analysis/frequency_plot.h"

#include "lib/core/number.h"
#include "tools/analysis/frequency_write.h"

#include <math.h>
#include <string.h>

enum { MOST_PEAKS = 8 };         /* that have their frequency beside them */
static const double NEAR = 1.02; /* peaks nearer than this ratio have one label */
static const double FAR = 0.1;   /* a response that is smaller is far from -1 */

/* The numbers of a table, its name and unit by column. */
static ha_status add_table(ha_ctx *ctx, frequency_panels *p, int n_columns, ha_result **out)
{
    static const char *const names[] = { "a", "b", "c" };

    HA_TRY_ROOM(ctx, &p->tables, 1);
    ha_result *table = ha_result_new(ctx);
    HA_TRY_MEMORY(table);
    p->tables.items[p->tables.count++] = table;
    for (int i = 0; i < n_columns; i++) {
        HA_TRY(ha_result_add_column(table, names[i], ""));
    }
    *out = table;
    return HA_OK;
}

static double decibels(double factor)
{
    return 20.0 * log10(factor);
}

/* "C.e/Se"; what begins it may be "". */
static const char *pair_title(ha_ctx *ctx, frequency_panels *p, const bg_response *r, int pair,
                              const char *before)
{
    return ha__arena_format(ctx, &p->arena, "%s%s/%s", before, r->outputs[pair / r->n_inputs],
                            r->inputs[pair % r->n_inputs]);
}

/* --- Bode ----------------------------------------------------------------------------------- */

typedef HA_ARRAY(plot_guide) guide_list;

/* "NAME 12.3 UNIT" at a value of x, of y, or at a point. */
static ha_status add_guide(ha_ctx *ctx, frequency_panels *p, void *to, double x, double y,
                           const char *name, double value, const char *unit)
{
    guide_list *guides = to;
    char number[HA__NUMBER_SIZE];
    plot_guide guide = { x, y,
                         ha__arena_format(ctx, &p->arena, "%s%s%s", name,
                                          ha__print_rounded_number(number, value, 4), unit) };

    HA_TRY_MEMORY(guide.text);
    HA_TRY_PUSH(ctx, guides, guide);
    return HA_OK;
}

/* The frequencies of peaks, one for peaks of several responses that are next to each other. */
static ha_status add_peaks(ha_ctx *ctx, frequency_panels *p, const bg_response *r, int pair,
                           guide_list *guides)
{
    double largest = 0.0; /* a peak without bound is drawn there */

    for (int k = 0; k < r->n; k++) {
        double magnitude = r->magnitude[(size_t) pair * (size_t) r->n + (size_t) k];
        largest = isfinite(magnitude) ? fmax(largest, magnitude) : largest;
    }
    for (int k = 0; k < r->n_peaks[pair] && guides->count < MOST_PEAKS; k++) {
        double frequency = r->peaks[pair][2 * k];
        double magnitude = fmin(r->peaks[pair][2 * k + 1], largest);
        bool is_new = true;
        for (size_t i = 0; i < guides->count && is_new; i++) {
            is_new = fabs(log(frequency / guides->items[i].x)) > log(NEAR);
        }
        if (is_new) {
            HA_TRY(add_guide(ctx, p, guides, frequency, decibels(magnitude), "", frequency, " Hz"));
        }
    }
    return HA_OK;
}

/* Lines at the margins of the first response, and at what they are measured from. */
static ha_status add_margins(ha_ctx *ctx, frequency_panels *p, const bg_response *r,
                             guide_list *above, guide_list *below)
{
    const double any = (double) NAN;
    frequency_margins margins = frequency_margins_of(r, 0);

    if (!isnan(margins.gain)) {
        HA_TRY(add_guide(ctx, p, above, margins.gain_frequency, any, "gain margin ",
                         decibels(margins.gain), " dB"));
        HA_TRY_PUSH(ctx, below, ((plot_guide){ margins.gain_frequency, any, "" }));
        HA_TRY_PUSH(ctx, below, ((plot_guide){ any, -180.0, "" }));
    }
    if (!isnan(margins.phase)) {
        HA_TRY(add_guide(ctx, p, below, margins.phase_frequency, any, "phase margin ",
                         margins.phase, " deg"));
        HA_TRY_PUSH(ctx, above, ((plot_guide){ margins.phase_frequency, any, "" }));
        HA_TRY_PUSH(ctx, above, ((plot_guide){ any, 0.0, "" }));
    }
    return HA_OK;
}

/* A list goes to the arena, and is freed. */
static ha_status keep_guides(ha_ctx *ctx, frequency_panels *p, guide_list *guides,
                             plot_panel *panel)
{
    plot_guide *kept = ha__arena_alloc(ctx, &p->arena, guides->count + 1, sizeof *kept);

    if (kept != NULL && guides->count > 0) {
        memcpy(kept, guides->items, guides->count * sizeof *kept);
    }
    panel->guides = kept;
    panel->n_guides = guides->count;
    HA_ARRAY_CLEAR(guides);
    return kept == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* The curves of all pairs: magnitudes, then phases. */
static ha_status add_bode_curves(ha_ctx *ctx, frequency_panels *p, const bg_response *r,
                                 plot_curve *curves)
{
    int n_pairs = r->n_outputs * r->n_inputs;

    for (int i = 0; i < n_pairs; i++) {
        const double *magnitude = r->magnitude + (size_t) i * (size_t) r->n;
        const double *phase = r->phase + (size_t) i * (size_t) r->n;
        const char *title = pair_title(ctx, p, r, i, "");
        ha_result *table = NULL;
        HA_TRY_MEMORY(title);
        HA_TRY(add_table(ctx, p, 3, &table));
        for (int k = 0; k < r->n; k++) {
            const double row[] = { r->frequency[k], decibels(magnitude[k]), phase[k] };
            HA_TRY(ha_result_add_row(table, row));
        }
        curves[i] = (plot_curve){ table, 1, title, i % r->n_inputs, PLOT_LINE, 0 };
        curves[n_pairs + i] = (plot_curve){ table, 2, title, i % r->n_inputs, PLOT_LINE, 0 };
    }
    return HA_OK;
}

static ha_status add_bode(ha_ctx *ctx, const bg_response *r, frequency_panels *p)
{
    size_t n = (size_t) r->n_outputs * (size_t) r->n_inputs;
    plot_curve *curves = ha__arena_alloc(ctx, &p->arena, 2 * n, sizeof *curves);
    guide_list guides[2] = { { 0 } };

    HA_TRY_MEMORY(curves);
    HA_TRY(add_bode_curves(ctx, p, r, curves));
    ha_status status = HA_OK;
    for (int i = 0; i < (int) n && status == HA_OK; i++) {
        status = add_peaks(ctx, p, r, i, &guides[0]);
    }
    HA_THEN(status, add_margins(ctx, p, r, &guides[0], &guides[1]));
    for (size_t k = 0; k < 2; k++) {
        plot_panel panel = { .x_label = "frequency [Hz]",
                             .y_label = k == 0 ? "magnitude [dB]" : "phase [deg]",
                             .log_x = true,
                             .step_y = k == 0 ? 0.0 : 90.0,
                             .curves = curves + k * n,
                             .n = n };
        HA_THEN(status, keep_guides(ctx, p, &guides[k], &panel));
        if (status == HA_OK) {
            HA_TRY_PUSH(ctx, &p->panels, panel);
        }
    }
    HA_ARRAY_CLEAR(&guides[0], &guides[1]);
    return status;
}

/* --- complex planes ------------------------------------------------------------------------- */

static ha_status push_plane(ha_ctx *ctx, frequency_panels *p, plot_panel panel)
{
    static const plot_guide axes[] = { { 0.0, (double) NAN, "" }, { (double) NAN, 0.0, "" } };

    panel.guides = axes;
    panel.n_guides = HA_COUNT(axes);
    panel.is_plane = true;
    HA_TRY_PUSH(ctx, &p->panels, panel);
    return HA_OK;
}

static ha_status add_nyquist(ha_ctx *ctx, const bg_response *r, frequency_panels *p)
{
    int n_pairs = r->n_outputs * r->n_inputs, n = 0;
    plot_curve *curves = ha__arena_alloc(ctx, &p->arena, 2 * (size_t) n_pairs + 1, sizeof *curves);
    ha_result *table = NULL;
    double largest = 0.0;

    HA_TRY_MEMORY(curves);
    for (int i = 0; i < n_pairs; i++) {
        const double *magnitude = r->magnitude + (size_t) i * (size_t) r->n;
        const double *phase = r->phase + (size_t) i * (size_t) r->n;
        const char *title = pair_title(ctx, p, r, i, "");
        HA_TRY_MEMORY(title);
        HA_TRY(add_table(ctx, p, 3, &table));
        for (int k = 0; k < r->n; k++) {
            double turn = phase[k] * acos(-1.0) / 180.0, im = magnitude[k] * sin(turn);
            const double row[] = { magnitude[k] * cos(turn), im, -im };
            HA_TRY(ha_result_add_row(table, row));
            largest = fmax(largest, magnitude[k]);
        }
        curves[i] = (plot_curve){ table, 1, title, 0, PLOT_LINE, 0 };
        curves[n_pairs + i] = (plot_curve){ table, 2, "", 2, PLOT_LINE, i + 1 };
        n += 2;
    }
    if (largest > FAR) {
        const double point[] = { -1.0, 0.0 };
        HA_TRY(add_table(ctx, p, 2, &table));
        HA_TRY(ha_result_add_row(table, point));
        curves[n++] = (plot_curve){ table, 1, "-1", 0, PLOT_CROSS, 0 };
    }
    return push_plane(ctx, p,
                      (plot_panel){ .x_label = "real part",
                                    .y_label = "imaginary part",
                                    .is_square = true,
                                    .curves = curves,
                                    .n = (size_t) n });
}

/* A curve of roots; the title may be NULL, without memory. */
static ha_status add_roots(ha_ctx *ctx, frequency_panels *p, const double *roots, int n,
                           const char *title, plot_look look, plot_curve *out)
{
    ha_result *table = NULL;

    HA_TRY_MEMORY(title);
    HA_TRY(add_table(ctx, p, 2, &table));
    for (int i = 0; i < n; i++) {
        HA_TRY(ha_result_add_row(table, roots + 2 * (size_t) i));
    }
    *out = (plot_curve){ table, 1, title, 0, look, 0 };
    return HA_OK;
}

static ha_status add_poles(ha_ctx *ctx, const bg_response *r, frequency_panels *p)
{
    int n_pairs = r->n_outputs * r->n_inputs;
    size_t n = 0;
    plot_curve *curves = ha__arena_alloc(ctx, &p->arena, (size_t) n_pairs + 1, sizeof *curves);

    HA_TRY_MEMORY(curves);
    if (r->n_poles < 0) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there are no poles to plot: they are found for up to 300 states; `modes` "
                       "finds the lowest of larger models");
    }
    HA_TRY(add_roots(ctx, p, r->poles, r->n_poles, "poles", PLOT_CROSS, &curves[n++]));
    for (int i = 0; i < n_pairs; i++) {
        if (r->n_zeros[i] > 0) {
            HA_TRY(add_roots(ctx, p, r->zeros[i], r->n_zeros[i],
                             pair_title(ctx, p, r, i, "zeros of "), PLOT_CIRCLE, &curves[n++]));
        }
    }
    return push_plane(ctx, p,
                      (plot_panel){ .x_label = "real part [1/s]",
                                    .y_label = "imaginary part [1/s]",
                                    .curves = curves,
                                    .n = n });
}

/* -------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    ha_status (*add)(ha_ctx *ctx, const bg_response *r, frequency_panels *p);
} kinds[FREQUENCY_KIND_COUNT] = {
    [FREQUENCY_BODE] = { "bode", add_bode },
    [FREQUENCY_NYQUIST] = { "nyquist", add_nyquist },
    [FREQUENCY_POLES] = { "poles", add_poles },
};

ha_status frequency_read_kind(const cli_call *cli, frequency_kind *kind)
{
    *kind = FREQUENCY_BODE;
    for (int i = 0; cli_has(cli, CLI_PLOT) && i < FREQUENCY_KIND_COUNT; i++) {
        if (strcmp(cli->text[CLI_PLOT], kinds[i].name) == 0) {
            *kind = (frequency_kind) i;
            return HA_OK;
        }
    }
    return !cli_has(cli, CLI_PLOT)
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "there is no plot `%s` of a response; use bode, nyquist or poles",
                         cli->text[CLI_PLOT]);
}

ha_status frequency_panels_new(ha_ctx *ctx, const bg_response *response, frequency_kind kind,
                               frequency_panels *out)
{
    *out = (frequency_panels){ 0 };
    return kinds[kind].add(ctx, response, out);
}

void frequency_panels_clear(frequency_panels *panels)
{
    for (size_t i = 0; i < panels->tables.count; i++) {
        ha_result_free(panels->tables.items[i]);
    }
    HA_ARRAY_CLEAR(&panels->tables, &panels->panels);
    ha__arena_clear(&panels->arena);
}
