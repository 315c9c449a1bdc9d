/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots through gnuplot, which is a process of its own: it gets a script with the data in it on its
 * standard input and answers with the picture.
 *
 * Texts stand in single quotes, in which only the quote has a meaning, and are not "enhanced", so
 * that names are shown as they are. Only the powers of ten on logarithmic axes are.
 *
 * Panels below each other share their x-axis: it has its label below the last, and the left margins
 * are equal, so that equal times stand below each other. A key that repeats that of the panel above
 * is left out.
 */
#include <config.h>

#include "tools/shared/plot.h"

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/process.h"
#include "lib/core/symtab.h"
#include "mech2d/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 8 }; /* outputs in a message */

enum {
    WIDTH = 800,
    FIRST_HEIGHT = 400,
    NEXT_HEIGHT = 240,
    SQUARE_HEIGHT = 640,
    TEXT_WIDTH = 79,
    TEXT_HEIGHT = 24
};

/* Colours of curves that differ in grey, too, and their dashes: full, long, short, mixed, dots. */
static const char *const colours[] = { "#1d4ed8", "#c2410c", "#15803d",
                                       "#7e22ce", "#b91c1c", "#0e7490" };
static const char *const greys[] = { "#000000", "#4b5563", "#8a8f98" };
static const char *const dashes[] = { "1", "(12,5)", "(4,4)", "(14,4,3,4)", "(2,5)" };

/* What draws the points of a curve. */
static const char *const looks[PLOT_LOOK_COUNT] = {
    [PLOT_LINE] = "lines",
    [PLOT_BOTH] = "linespoints pointtype 7",
    [PLOT_BAR] = "lines",
    [PLOT_CROSS] = "points pointtype 2",
    [PLOT_CIRCLE] = "points pointtype 6",
};

/* A format of plots. */
typedef struct {
    ha__suffix name;
    const char *terminal; /* of gnuplot; NULL: the script itself */
    const char *unit;     /* of sizes: pixels or inches */
    const char *paper;    /* the terminal for a printed page, with letters of 8 pt */
    int density;          /* of its pixels in an inch; 0: sizes are inches */
} format;

static const format formats[] = {
    { { ".svg", "the plot as a picture" },
      "svg dynamic background 'white' font 'sans,13'",
      "px",
      "svg fixed background 'white' font 'sans,10.7'",
      96 },
    { { ".pdf", NULL }, "pdfcairo font 'sans,10'", "in", "pdfcairo font 'sans,8'", 0 },
    { { ".png", NULL },
      "pngcairo font 'sans,11'",
      "px",
      "pngcairo font 'sans,8' fontscale 4.17 linewidth 3",
      300 },
    { { ".gp", "the script for gnuplot with its data, for changes by hand" }, NULL, NULL, NULL, 0 },
};

const ha__suffixes gnuplot_formats = { HA__SUFFIXES(formats), .what = "the plot" };

/* --- names ---------------------------------------------------------------------------------- */

/* Whether a column shows what an entry asks for: it is, or is part of, the output of this name, or
   a derivative of it, `d(OUTPUT)/d(PARAMETER)`. */
static bool shows(const char *entry, const char *column)
{
    size_t n = strlen(entry);
    bool is_derivative =
        strncmp(column, "d(", 2) == 0 && strncmp(column + 2, entry, n) == 0 && n > 0;

    return m2d_output_is_of(entry, column) ||
           (is_derivative && strncmp(column + 2 + n, ")/d(", 4) == 0);
}

/* How often an entry of --y is in the tables: as an output, or as what stands for several. */
static size_t count_matches(const ha_result *const *results, size_t n, const char *entry)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t c = 1; c < ha_result_n_columns(results[i]); c++) {
            found += shows(entry, ha_result_name(results[i], c)) ? 1 : 0;
        }
        found += ha_result_find(results[i], entry) >= 0;
    }
    return found;
}

static ha_status add_name(ha_ctx *ctx, plot_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return HA_OK;
        }
    }
    HA_TRY_PUSH(ctx, names, name);
    return HA_OK;
}

/* Says which outputs there are, where one is near in spelling that one. */
static ha_status fail_name(ha_ctx *ctx, const ha_result *const *results, size_t n,
                           const char *entry)
{
    const char *known[1024], *near = NULL;
    ha__strbuf some = HA_STRBUF(ctx);
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t c = 1; c < ha_result_n_columns(results[i]) && n_known < HA_COUNT(known); c++) {
            known[n_known++] = ha_result_name(results[i], c);
        }
    }
    near = ha__nearest(entry, known, n_known);
    for (size_t c = 1; c < ha_result_n_columns(results[0]) && c <= MOST_NAMED; c++) {
        ha__strbuf_addf(&some, "%s`%s`", c > 1 ? ", " : "", ha_result_name(results[0], c));
    }
    ha__strbuf_add(&some, ha_result_n_columns(results[0]) > MOST_NAMED + 1 ? ", ..." : "");
    ha_status status =
        near != NULL ? ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                               "there is no output `%s` to show, do you mean `%s`?", entry, near)
                     : ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                               "there is no output `%s` to show; the result has %s", entry,
                               n_known == 0 ? "none" : ha__strbuf_text(&some));
    return ha__strbuf_drop(&some, status);
}

/* Adds the outputs of an entry, in the order of the tables. */
static ha_status add_entry(ha_ctx *ctx, const ha_result *const *results, size_t n,
                           const char *entry, plot_names *names)
{
    for (size_t i = 0; i < n; i++) {
        if (ha_result_find(results[i], entry) >= 0) {
            return add_name(ctx, names, entry);
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 1; c < ha_result_n_columns(results[i]); c++) {
            const char *name = ha_result_name(results[i], c);
            HA_TRY(shows(entry, name) ? add_name(ctx, names, name) : HA_OK);
        }
    }
    return HA_OK;
}

/* Where the entry that a list begins with ends: the longest that the tables have, since names may
   have commas in them; else the first comma. */
static char *entry_end(const ha_result *const *results, size_t n, char *text)
{
    char *end = text + strlen(text);

    while (end > text) {
        char kept = *end;
        *end = '\0';
        bool is_found = count_matches(results, n, text) > 0;
        *end = kept;
        if (is_found) {
            return end;
        }
        do {
            end--;
        } while (end > text && *end != ',');
    }
    return text + strcspn(text, ",");
}

ha_status plot_choose(ha_ctx *ctx, const ha_result *const *results, size_t n, char *text,
                      plot_names *names)
{
    for (char *entry = text; *entry != '\0';) {
        char *end = entry_end(results, n, entry);
        bool is_last = *end == '\0';
        *end = '\0';
        if (*entry != '\0' && count_matches(results, n, entry) == 0) {
            return fail_name(ctx, results, n, entry);
        }
        HA_TRY(*entry != '\0' ? add_entry(ctx, results, n, entry, names) : HA_OK);
        entry = is_last ? end : end + 1;
    }
    return names->count > 0 ? HA_OK
                            : ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                      "no output is named here; write NAME,NAME");
}

/* --- the script ----------------------------------------------------------------------------- */

/* A string. Between single quotes nothing means anything to gnuplot but `'`, which doubled does not
   always mean one. A text with it goes between double quotes, where octal codes stand for all that
   means something there. */
static void add_quoted(ha__strbuf *out, const char *text)
{
    bool is_plain = strchr(text, '\'') == NULL;

    ha__strbuf_add(out, is_plain ? "'" : "\"");
    for (const char *c = text; *c != '\0'; c++) {
        if (!is_plain && strchr("\"'\\`@$%", *c) != NULL) {
            ha__strbuf_addf(out, "\\%03o", (unsigned) (unsigned char) *c);
        } else {
            ha__strbuf_add_bytes(out, (unsigned char) *c < ' ' ? " " : c, 1);
        }
    }
    ha__strbuf_add(out, is_plain ? "'" : "\"");
}

/* The points of a curve; what is not finite is left to gnuplot, which leaves it out. */
static void add_data(ha__strbuf *out, const plot_curve *curve, size_t panel, size_t i)
{
    ha__strbuf_addf(out, "$data_%zu_%zu << END\n", panel + 1, i + 1);
    for (size_t row = 0; row < ha_result_n_rows(curve->result); row++) {
        ha__strbuf_add_number(out, ha_result_value(curve->result, row, 0));
        ha__strbuf_add(out, " ");
        ha__strbuf_add_number(out, ha_result_value(curve->result, row, curve->column));
        ha__strbuf_add(out, "\n");
    }
    ha__strbuf_add(out, "END\n");
}

/* True when a panel has the curves of another by their titles, or no titles. */
static bool repeats_key(const plot_panel *panel, const plot_panel *above)
{
    bool is_same = above != NULL && panel->n == above->n, is_empty = true;

    for (size_t i = 0; i < panel->n; i++) {
        is_same = is_same && strcmp(panel->curves[i].title, above->curves[i].title) == 0;
        is_empty = is_empty && panel->curves[i].title[0] == '\0';
    }
    return is_same || is_empty;
}

static void add_curve(ha__strbuf *out, const plot_panel *panel, size_t p, size_t i)
{
    const plot_curve *curve = &panel->curves[i];
    size_t number = curve->colour > 0 ? (size_t) curve->colour - 1 : i;
    size_t dash = panel->is_grey ? i : (size_t) curve->dash;
    const char *colour =
        panel->is_grey ? greys[number % HA_COUNT(greys)] : colours[number % HA_COUNT(colours)];

    ha__strbuf_addf(out,
                    "    $data_%zu_%zu using 1:%s with %s linewidth %s linecolor rgb '%s' "
                    "dashtype %s title ",
                    p + 1, i + 1, panel->is_size ? "(abs($2))" : "2", looks[curve->look],
                    curve->look == PLOT_BAR ? "9" : "1.5", colour, dashes[dash % HA_COUNT(dashes)]);
    add_quoted(out, curve->title);
    ha__strbuf_add(out, " noenhanced");
}

/* Lines across the axes, and the words at them: beside the upper end of one that is upright, above
   the left end of one that lies. */
static void add_guides(ha__strbuf *out, const plot_panel *panel)
{
    static const char LOOK[] = "nohead dashtype 3 linecolor rgb '#4b5563'";

    ha__strbuf_add(out, "unset arrow\nunset label\n");
    for (size_t i = 0; i < panel->n_guides; i++) {
        const plot_guide *guide = &panel->guides[i];
        char x[HA__NUMBER_SIZE], y[HA__NUMBER_SIZE];
        bool has_x = !isnan(guide->x), has_y = !isnan(guide->y);
        ha__print_number(x, guide->x);
        ha__print_number(y, guide->y);
        if (has_x != has_y) {
            ha__strbuf_addf(out, "set arrow from %s %s, %s %s to %s %s, %s %s %s\n",
                            has_x ? "first" : "graph", has_x ? x : "0", has_y ? "first" : "graph",
                            has_y ? y : "0", has_x ? "first" : "graph", has_x ? x : "1",
                            has_y ? "first" : "graph", has_y ? y : "1", LOOK);
        }
        ha__strbuf_add(out, "set label ");
        add_quoted(out, guide->text);
        ha__strbuf_addf(out, " at %s %s, %s %s offset character 0.6, 0.6 front noenhanced\n",
                        has_x ? "first" : "graph", has_x ? x : "0", has_y ? "first" : "graph",
                        has_y ? y : "0.03");
    }
}

/* The axes: which are logarithmic, where ticks are, as long upwards as sideways. */
static void add_axes(ha__strbuf *out, const plot_panel *panel, bool is_text)
{
    ha__strbuf_add(out, "unset logscale\nset format\nset ytics autofreq\nset offsets\n");
    if (panel->log_x || panel->log_y) {
        const char *axes = panel->log_x && panel->log_y ? "xy" : panel->log_x ? "x" : "y";
        ha__strbuf_addf(out, "set logscale %s\nset format %s '%s'\n", axes, axes,
                        is_text ? "%g" : "10^{%T}");
    }
    if (panel->step_y > 0.0) {
        ha__strbuf_add(out, "set ytics ");
        ha__strbuf_add_number(out, panel->step_y);
        ha__strbuf_add(out, "\n");
    }
    ha__strbuf_add(out, panel->is_bars ? "set ytics 1\nset format y ''\n" : "");
    ha__strbuf_add(out, panel->is_plane || panel->is_bars
                            ? "set autoscale x\nset offsets graph 0.06, graph 0.06, "
                              "graph 0.06, graph 0.06\n"
                            : "");
    ha__strbuf_add(out, panel->n_guides > 0 && !panel->is_plane && !panel->is_bars
                            ? "set offsets 0, 0, graph 0.12, graph 0.04\n"
                            : "");
    ha__strbuf_add(out, panel->is_square ? "set size ratio -1\n" : "");
}

/* In a plot of characters there is no room for the label of the y-axis but above it. */
static void add_panel(ha__strbuf *out, const plot_panel *panels, size_t p, size_t n, bool is_text)
{
    const plot_panel *panel = &panels[p];
    const char *title = panel->title != NULL ? panel->title : is_text ? panel->y_label : "";

    ha__strbuf_add(out, "set xlabel ");
    add_quoted(
        out, p + 1 < n && strcmp(panel->x_label, panels[p + 1].x_label) == 0 ? "" : panel->x_label);
    ha__strbuf_add(out, " noenhanced\nset ylabel ");
    add_quoted(out, is_text ? "" : panel->y_label);
    ha__strbuf_add(out, " noenhanced\nset title ");
    add_quoted(out, title);
    ha__strbuf_add(out, " noenhanced\n");
    add_axes(out, panel, is_text);
    add_guides(out, panel);
    ha__strbuf_add(out, repeats_key(panel, p > 0 ? &panels[p - 1] : NULL)
                            ? "unset key\n"
                            : "set key outside top center horizontal\n");
    ha__strbuf_add(out, "plot \\\n");
    for (size_t i = 0; i < panel->n; i++) {
        add_curve(out, panel, p, i);
        ha__strbuf_add(out, i + 1 < panel->n ? ", \\\n" : "\n");
    }
}

/* `terminal` NULL: what gnuplot takes by itself. */
static void add_script(ha__strbuf *out, const plot_panel *panels, size_t n, const char *terminal,
                       const char *size)
{
    ha__strbuf_add(out, "# plots of halfarrow with their data; gnuplot -p FILE shows them\n"
                        "set encoding utf8\n");
    if (terminal != NULL) {
        ha__strbuf_addf(out, "set terminal %s size %s\n", terminal, size);
    }
    ha__strbuf_add(out, "set grid\nset autoscale xfix\nset rmargin 3\n");
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < panels[p].n; i++) {
            add_data(out, &panels[p].curves[i], p, i);
        }
    }
    if (n > 1) {
        ha__strbuf_addf(out, "set lmargin 13\nset multiplot layout %zu,1\n", n);
    }
    for (size_t p = 0; p < n; p++) {
        add_panel(out, panels, p, n, terminal != NULL && strncmp(terminal, "dumb", 4) == 0);
    }
    ha__strbuf_add(out, n > 1 ? "unset multiplot\n" : "");
}

/* --- the picture ---------------------------------------------------------------------------- */

/* The picture where `]]>`, which gnuplot leaves in texts, ends nothing but what it began: no text
   of XML may have it. Nothing else in a picture is changed. */
static ha_status mend_svg(ha_ctx *ctx, char **picture, size_t *length)
{
    static const char BEGIN[] = "<![CDATA[", END[] = "]]>";
    ha__strbuf out = HA_STRBUF(ctx);
    bool is_open = false;

    for (const char *c = *picture, *end = c + *length; c < end; c++) {
        size_t left = (size_t) (end - c);
        bool is_end = left >= 3 && memcmp(c, END, 3) == 0;
        is_open = is_open || (left >= 9 && memcmp(c, BEGIN, 9) == 0);
        if (is_end && !is_open) {
            ha__strbuf_add(&out, "]]&gt;");
            c += 2;
        } else {
            ha__strbuf_add_bytes(&out, c, 1);
        }
        is_open = is_open && !is_end;
    }
    HA_TRY(out.status);
    ha__free(*picture);
    *picture = out.text;
    *length = out.length;
    return HA_OK;
}

/* --- the process ---------------------------------------------------------------------------- */

static ha_status run_gnuplot(ha_ctx *ctx, const ha__strbuf *script, char **picture, size_t *length)
{
    static const char *const arguments[] = { "gnuplot", "-d", "-", NULL };
    ha__process process = { .arguments = arguments,
                            .input = script->text,
                            .input_length = script->length,
                            .title = "gnuplot",
                            .advice =
                                "install the package gnuplot-nox (or gnuplot), or write a .gp "
                                "file, which has the script and the data" };

    HA_TRY(script->status);
    return ha__process_run(ctx, &process, picture, length);
}

/* Without gnuplot the work is not lost: the script goes beside the file, under its name with .gp.
 */
static ha_status keep_script(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path,
                             const format *to)
{
    ha__strbuf script = HA_STRBUF(ctx), name = HA_STRBUF(ctx);

    add_script(&script, panels, n, NULL, NULL);
    ha__strbuf_add_bytes(&name, path, strlen(path) - strlen(to->name.suffix));
    ha__strbuf_add(&name, ".gp");
    ha_status status = script.status != HA_OK ? script.status : name.status;
    HA_THEN(status, ha__output_write(ctx, name.text, script.text, script.length));
    if (status == HA_OK) {
        ha_note(ctx, HA_NOWHERE,
                "the script and its data are in `%s`; where gnuplot is, `gnuplot -p %s` shows the "
                "plot",
                name.text, name.text);
    }
    ha__strbuf_clear(&script);
    return ha__strbuf_drop(&name, status);
}

static ha_status write_script(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path)
{
    ha__strbuf script = HA_STRBUF(ctx);

    add_script(&script, panels, n, NULL, NULL);
    ha_status status = script.status;
    HA_THEN(status, ha__output_write(ctx, path, script.text, script.length));
    return ha__strbuf_drop(&script, status);
}

ha_status gnuplot_write(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path)
{
    return gnuplot_print(ctx, panels, n, path, (plot_paper){ 0, 0 });
}

/* The size of a picture as its terminal takes it; gnuplot divides, so that no locale matters. */
static void print_size(char *size, size_t room, const format *to, const plot_panel *panels,
                       size_t n, plot_paper paper)
{
    int height = (n > 0 && panels[0].is_square ? SQUARE_HEIGHT : FIRST_HEIGHT) +
                 (n > 0 ? (int) n - 1 : 0) * NEXT_HEIGHT;

    if (to == NULL) {
        snprintf(size, room, "%d,%zu", TEXT_WIDTH, TEXT_HEIGHT * n);
    } else if (paper.width > 0 && to->density > 0) {
        snprintf(size, room, "int(%d*%d/25.4),int(%d*%d/25.4)", paper.width, to->density,
                 paper.height, to->density);
    } else if (paper.width > 0) {
        snprintf(size, room, "%d/25.4,%d/25.4", paper.width, paper.height);
    } else if (strcmp(to->unit, "px") == 0) {
        snprintf(size, room, "%d,%d", WIDTH, height);
    } else { /* 100 pixels in an inch */
        snprintf(size, room, "%d/100.0,%d/100.0", WIDTH, height);
    }
}

ha_status gnuplot_print(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path,
                        plot_paper paper)
{
    const format *to = path == NULL ? NULL : ha__suffix_find(&gnuplot_formats, path);
    ha__strbuf script = HA_STRBUF(ctx);
    char size[64], *picture = NULL;
    size_t length = 0;

    if (path != NULL && to->terminal == NULL) {
        return write_script(ctx, panels, n, path);
    }
    print_size(size, sizeof size, path == NULL ? NULL : to, panels, n, paper);
    add_script(&script, panels, n,
               path == NULL      ? "dumb"
               : paper.width > 0 ? to->paper
                                 : to->terminal,
               size);
    ha_status status = run_gnuplot(ctx, &script, &picture, &length);
    ha__strbuf_clear(&script);
    if (status != HA_OK) {
        if (status == HA_ERR_PROCESS && path != NULL) {
            HA_TRY(keep_script(ctx, panels, n, path, to));
        }
        return status;
    }
    if (path != NULL && strncmp(to->terminal, "svg", 3) == 0) {
        status = mend_svg(ctx, &picture, &length);
    }
    HA_THEN(status, ha__output_write(ctx, path == NULL ? "-" : path, picture, length));
    ha__free(picture);
    return status;
}
