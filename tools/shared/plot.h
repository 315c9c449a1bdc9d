/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of results: through gnuplot, and as SVG of our own for pages that must open anywhere. */
#ifndef TOOLS_PLOT_H
#define TOOLS_PLOT_H

#include "lib/core/strbuf.h"
#include "lib/result.h"
#include "tools/shared/cli.h"

/* A column of a table over its first column. */
typedef struct plot_curve {
    const ha_result *result;
    size_t column;
    const char *title;
    int dash; /* 0: a full line; others by number */
} plot_curve;

/* Axes with curves. */
typedef struct plot_panel {
    const char *title; /* NULL: none */
    const char *x_label, *y_label;
    bool is_log;  /* both axes logarithmic, and points on the curves */
    bool is_size; /* magnitudes, on a logarithmic y-axis; of gnuplot only */
    const plot_curve *curves;
    size_t n;
} plot_panel;

/* Names of outputs; zero-initialised is empty. */
typedef HA_ARRAY(const char *) plot_names;

/*
 * Cuts the text NAME,NAME in place and lists the outputs that it asks for; names may have commas in
 * them, and stand for several as in `outputs:` of a model file. Each must be in one of the tables
 * at least, else HA_ERR_NAME with the nearest. The names are borrowed from text and tables.
 */
HA_MUST_CHECK ha_status plot_choose(ha_ctx *ctx, const ha_result *const *results, size_t n,
                                    char *text, plot_names *names);

/*
 * Draws panels below each other into a file, by its suffix, of which .gp is the script with its
 * data; `path` NULL: characters on standard output. When gnuplot is missing the script is written
 * beside the file, and said.
 */
HA_MUST_CHECK ha_status gnuplot_write(ha_ctx *ctx, const plot_panel *panels, size_t n,
                                      const char *path);

/* Adds a panel as an <svg> element whose colours are of the classes axis, grid, c0 ... c5, d1. */
void svg_plot(ha__strbuf *out, const plot_panel *panel);

#endif
