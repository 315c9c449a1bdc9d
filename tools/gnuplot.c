/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots through gnuplot, which is a process of its own: it gets a script with the data in it on its
 * standard input and answers with the picture.
 *
 * Texts stand in single quotes, in which only the quote has a meaning, and "enhanced" text is off,
 * so that names are shown as they are.
 */
#include <config.h>

#include "tools/plot.h"

#include "lib/number.h"
#include "lib/output.h"
#include "lib/process.h"
#include "lib/symtab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 800, FIRST_HEIGHT = 480, NEXT_HEIGHT = 280, TEXT_WIDTH = 79, TEXT_HEIGHT = 24 };

static const struct {
    const char *suffix, *terminal, *unit; /* of sizes: unit pixels or inches */
} formats[] = { { ".svg", "svg noenhanced dynamic background 'white'", "px" },
                { ".pdf", "pdfcairo noenhanced", "in" },
                { ".png", "pngcairo noenhanced", "px" },
                { ".gp", NULL, NULL } };

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);

    return n > m && strcmp(path + n - m, suffix) == 0;
}

static size_t find_format(const char *path)
{
    size_t i = 0;

    while (i < HA_COUNT(formats) && !has_suffix(path, formats[i].suffix)) {
        i++;
    }
    return i;
}

bool gnuplot_has_format(const char *path)
{
    return find_format(path) < HA_COUNT(formats);
}

/* --- names ---------------------------------------------------------------------------------- */

static ha_status check_name(ha_ctx *ctx, const ha_result *const *results, size_t n,
                            const char *name)
{
    const char *known[1024], *near = NULL;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        if (ha_result_find(results[i], name) >= 0) {
            return HA_OK;
        }
        for (size_t c = 0; c < ha_result_n_columns(results[i]) && n_known < HA_COUNT(known); c++) {
            known[n_known++] = ha_result_name(results[i], c);
        }
    }
    near = ha__nearest(name, known, n_known);
    return ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE, "there is no output `%s` to show%s%s%s", name,
                   near == NULL ? "; the header of the CSV file names them all" : ", do you mean `",
                   near == NULL ? "" : near, near == NULL ? "" : "`?");
}

/* Where the name that a list begins with ends: the longest that is one of a column, since names may
   have commas in them; else the first comma. */
static char *name_end(const ha_result *const *results, size_t n, char *text)
{
    char *end = text + strlen(text);

    while (end > text) {
        char kept = *end;
        bool is_name = false;
        *end = '\0';
        for (size_t i = 0; i < n && !is_name; i++) {
            is_name = ha_result_find(results[i], text) >= 0;
        }
        *end = kept;
        if (is_name) {
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
    for (char *name = text; *name != '\0';) {
        char *end = name_end(results, n, name);
        bool is_last = *end == '\0';
        *end = '\0';
        if (*name != '\0') {
            HA_TRY(check_name(ctx, results, n, name));
            HA_TRY_PUSH(ctx, names, name);
        }
        name = is_last ? end : end + 1;
    }
    return names->count > 0 ? HA_OK
                            : ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                      "--y names no output; write --y NAME,NAME");
}

/* --- the script ----------------------------------------------------------------------------- */

static void add_quoted(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "'");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            ha__strbuf_add(out, "''");
        } else {
            ha__strbuf_add_bytes(out, (unsigned char) *c < ' ' ? " " : c, 1);
        }
    }
    ha__strbuf_add(out, "'");
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

/* In a plot of characters there is no room for the label of the y-axis but above it. */
static void add_panel(ha__strbuf *out, const plot_panel *panel, size_t number, bool is_text)
{
    ha__strbuf_add(out, "set xlabel ");
    add_quoted(out, panel->x_label);
    ha__strbuf_add(out, "\nset ylabel ");
    add_quoted(out, is_text ? "" : panel->y_label);
    ha__strbuf_add(out, "\nset title ");
    add_quoted(out, panel->title != NULL ? panel->title : is_text ? panel->y_label : "");
    ha__strbuf_add(out, panel->is_log ? "\nset logscale xy\nset format '10^{%T}'\n" : "\n");
    ha__strbuf_add(out, "plot \\\n");
    for (size_t i = 0; i < panel->n; i++) {
        ha__strbuf_addf(out, "    $data_%zu_%zu using 1:2 with %s linewidth 1.5 dashtype %d title ",
                        number + 1, i + 1, panel->is_log ? "linespoints" : "lines",
                        panel->curves[i].dash + 1);
        add_quoted(out, panel->curves[i].title);
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
    } else {
        ha__strbuf_add(out, "set termoption noenhanced\n");
    }
    ha__strbuf_add(out, "set grid\nset key outside top center horizontal\n");
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < panels[p].n; i++) {
            add_data(out, &panels[p].curves[i], p, i);
        }
    }
    if (n > 1) {
        ha__strbuf_addf(out, "set multiplot layout %zu,1\n", n);
    }
    for (size_t p = 0; p < n; p++) {
        add_panel(out, &panels[p], p, terminal != NULL && strncmp(terminal, "dumb", 4) == 0);
    }
    ha__strbuf_add(out, n > 1 ? "unset multiplot\n" : "");
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
static ha_status keep_script(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path)
{
    ha__strbuf script = HA_STRBUF(ctx), name = HA_STRBUF(ctx);

    add_script(&script, panels, n, NULL, NULL);
    ha__strbuf_add_bytes(&name, path, strlen(path) - 4); /* .svg, .pdf, .png */
    ha__strbuf_add(&name, ".gp");
    ha_status status = script.status != HA_OK ? script.status : name.status;
    if (status == HA_OK) {
        status = ha__output_write(ctx, name.text, script.text, script.length);
    }
    if (status == HA_OK) {
        ha_note(ctx, HA_NOWHERE,
                "the script and its data are in `%s`; where gnuplot is, `gnuplot -p %s` shows the "
                "plot",
                name.text, name.text);
    }
    ha__strbuf_clear(&script);
    ha__strbuf_clear(&name);
    return status;
}

static ha_status write_script(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path)
{
    ha__strbuf script = HA_STRBUF(ctx);

    add_script(&script, panels, n, NULL, NULL);
    ha_status status = script.status;
    if (status == HA_OK) {
        status = ha__output_write(ctx, path, script.text, script.length);
    }
    ha__strbuf_clear(&script);
    return status;
}

ha_status gnuplot_write(ha_ctx *ctx, const plot_panel *panels, size_t n, const char *path)
{
    size_t format = path == NULL ? 0 : find_format(path);
    int height = FIRST_HEIGHT + (n > 0 ? (int) n - 1 : 0) * NEXT_HEIGHT;
    ha__strbuf script = HA_STRBUF(ctx);
    char size[64], *picture = NULL;
    size_t length = 0;

    if (path != NULL && formats[format].terminal == NULL) {
        return write_script(ctx, panels, n, path);
    }
    if (path == NULL) {
        snprintf(size, sizeof size, "%d,%zu", TEXT_WIDTH, TEXT_HEIGHT * n);
    } else if (strcmp(formats[format].unit, "px") == 0) {
        snprintf(size, sizeof size, "%d,%d", WIDTH, height);
    } else { /* 100 pixels in an inch; whole numbers do not depend on the locale */
        snprintf(size, sizeof size, "%d/100.0,%d/100.0", WIDTH, height);
    }
    add_script(&script, panels, n, path == NULL ? "dumb noenhanced" : formats[format].terminal,
               size);
    ha_status status = run_gnuplot(ctx, &script, &picture, &length);
    ha__strbuf_clear(&script);
    if (status != HA_OK) {
        if (status == HA_ERR_PROCESS && path != NULL) {
            HA_TRY(keep_script(ctx, panels, n, path));
        }
        return status;
    }
    status = ha__output_write(ctx, path == NULL ? "-" : path, picture, length);
    ha__free(picture);
    return status;
}
