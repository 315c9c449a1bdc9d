/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of results, through gnuplot. */
#ifndef TOOLS_PLOT_H
#define TOOLS_PLOT_H

#include "lib/result.h"
#include "tools/shared/cli.h"

/* How the points of a curve are shown. */
typedef enum plot_look {
    PLOT_LINE,   /* joined */
    PLOT_BOTH,   /* joined, with a dot at each */
    PLOT_CROSS,  /* a cross at each, as of poles */
    PLOT_BAR,    /* joined, as thick as a bar */
    PLOT_CIRCLE, /* a circle at each, as of zeros */
    PLOT_LOOK_COUNT
} plot_look;

/* A column of a table over its first column. */
typedef struct plot_curve {
    const ha_result *result;
    size_t column;
    const char *title;
    int dash; /* 0: a full line; others by number */
    plot_look look;
    int colour; /* that of curve number `colour` - 1 of the panel; 0: its own */
} plot_curve;

/* A line across the axes at a value of x or of y, with a word; both: the word at a point. */
typedef struct plot_guide {
    double x, y; /* NAN: any */
    const char *text;
} plot_guide;

/* Axes with curves. */
typedef struct plot_panel {
    const char *title; /* NULL: none */
    const char *x_label, *y_label;
    bool log_x, log_y; /* logarithmic axes */
    bool is_size;      /* magnitudes of the numbers are shown */
    bool is_plane;     /* a complex plane: with air around it */
    bool is_bars;      /* curves are bars: no numbers on the y-axis, and air around it */
    bool is_square;    /* units are as long upwards as sideways */
    bool is_grey;      /* curves are black and grey, told apart by their dashes */
    double step_y;     /* between ticks; 0: whatever is round */
    const plot_curve *curves;
    size_t n;
    const plot_guide *guides;
    size_t n_guides;
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

/* A picture for a printed page. */
typedef struct plot_paper {
    int width, height; /* mm; 0: a picture for the screen */
} plot_paper;

/*
 * Draws panels below each other into a file, by its suffix, of which .gp is the script with its
 * data; `path` NULL: characters on standard output. When gnuplot is missing the script is written
 * beside the file, and said.
 */
HA_MUST_CHECK ha_status gnuplot_write(ha_ctx *ctx, const plot_panel *panels, size_t n,
                                      const char *path);

/* The same in the size of a printed page, with letters of 8 pt. */
HA_MUST_CHECK ha_status gnuplot_print(ha_ctx *ctx, const plot_panel *panels, size_t n,
                                      const char *path, plot_paper paper);

#endif
