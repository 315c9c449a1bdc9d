/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow plot: outputs of results over time, or over another output; those of one unit on one
   pair of axes. Or the friction circles of wheels. */
#include <config.h>

#include "lib/data/result_format.h"
#include "tools/plot/friction_circle.h"
#include "tools/plot/plot_table.h"
#include "tools/shared/load.h"
#include "tools/shared/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OUTPUTS = 12 }; /* of a plot without --y */

/* Where the name of a file begins behind its directory. */
static const char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Its length without the suffix of a result. */
static size_t stem_length(const char *name)
{
    const ha__suffix *row = ha__suffix_of(&ha__result_formats, name);

    return strlen(name) - (row == NULL ? 0 : strlen(row->suffix));
}

static bool same_stem(const char *a, const char *b)
{
    size_t length = stem_length(stem_of(a));

    return length == stem_length(stem_of(b)) && strncmp(stem_of(a), stem_of(b), length) == 0;
}

/* The tables, what is shown of them, and the panels made of it. */
typedef struct {
    HA_ARRAY(ha_result *) results;
    char *text;       /* of --y, cut to names */
    plot_names names; /* of all panels, or of the one that is being made */
    bool is_chosen;   /* all of these share a panel, whatever their units */
    ha__arena arena;
    HA_ARRAY(plot_panel) panels;
    HA_ARRAY(ha_result *) wheels; /* tables of their forces and circles */
    HA_ARRAY(plot_curve) curves;  /* of these */
} plot;

/* A model or a picture instead of a result is told apart by its suffix. */
static ha_status check_suffix(cli_call *cli, const char *path)
{
    if (ha__suffix_of(cli->command->formats, path) != NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` is a picture, and `plot` takes results, such as result.csv; write a "
                       "picture with -o %s",
                       path, path);
    }
    return ha__suffix_of(&cmd_convert_formats, path) == NULL
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "`%s` is a model, and `plot` takes results; `halfarrow run %s -o "
                         "result.csv` makes one",
                         path, path);
}

static ha_status read_results(cli_call *cli, plot *p)
{
    for (size_t i = 0; i < cli->files.count; i++) {
        ha_result *result = NULL;
        HA_TRY(check_suffix(cli, cli->files.items[i]));
        HA_TRY_ROOM(cli->ctx, &p->results, 1);
        HA_TRY(ha_result_read(cli->ctx, cli->files.items[i], &result));
        p->results.items[p->results.count++] = result;
        if (ha_result_n_rows(result) == 0) {
            return ha_fail(cli->ctx, HA_ERR_VALUE, (ha_where){ cli->files.items[i], 0, 0 },
                           "the result has no rows to plot; run the model to a later end time");
        }
    }
    return HA_OK;
}

/* Magnitudes that options ask for, and display units. */
static ha_status prepare_tables(cli_call *cli, plot *p)
{
    static const cli_option naming[] = { CLI_Y, CLI_X, CLI_PANELS };

    for (size_t i = 0; i < p->results.count; i++) {
        for (size_t k = 0; k < HA_COUNT(naming); k++) {
            HA_TRY(cli_has(cli, naming[k])
                       ? plot_add_magnitudes(cli->ctx, &p->results.items[i], cli->text[naming[k]])
                       : HA_OK);
        }
    }
    return cli_has(cli, CLI_UNIT)
               ? plot_convert(cli->ctx, p->results.items, p->results.count, cli->text[CLI_UNIT])
               : HA_OK;
}

/* Whether the time or one of the outputs that a panel shows has a unit. */
static bool shows_unit(const plot_panel *panel, const char *unit, size_t length)
{
    for (size_t i = 0; i < panel->n; i++) {
        const plot_curve *c = &panel->curves[i];
        const char *const units[] = { ha_result_unit(c->result, 0),
                                      ha_result_unit(c->result, c->column) };
        for (size_t k = 0; k < HA_COUNT(units); k++) {
            if (strlen(units[k]) == length && strncmp(units[k], unit, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Refuses the list of --unit when no curve has a quantity of one of its units. */
static ha_status check_units(cli_call *cli, const plot *p)
{
    const char *units = cli_has(cli, CLI_UNIT) ? cli->text[CLI_UNIT] : "";
    bool is_shown = units[0] == '\0';

    for (const char *c = units; *c != '\0' && !is_shown;) {
        size_t length = strcspn(c, ",");
        for (size_t i = 0; i < p->panels.count; i++) {
            is_shown = is_shown || shows_unit(&p->panels.items[i], c, length);
        }
        c += length + (c[length] == ',' ? 1 : 0);
    }
    return is_shown
               ? HA_OK
               : ha_fail(cli->ctx, HA_ERR_UNIT, HA_NOWHERE,
                         "--unit %s: nothing that is plotted is of this dimension; give a unit "
                         "of its own, or leave it out",
                         units);
}

/* Without --y all outputs, if they are few. */
static ha_status choose(cli_call *cli, plot *p)
{
    const ha_result *first = p->results.items[0];
    size_t n = ha_result_n_columns(first);

    if (cli_has(cli, CLI_Y)) {
        p->text = ha__copy_text(cli->ctx, cli->text[CLI_Y], strlen(cli->text[CLI_Y]));
        return p->text == NULL ? HA_ERR_MEMORY
                               : plot_choose(cli->ctx, (const ha_result *const *) p->results.items,
                                             p->results.count, p->text, &p->names);
    }
    if (n - 1 > MOST_OUTPUTS || n < 2) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` has %zu outputs; say which to plot: --y NAME,NAME",
                       cli->files.items[0], n - 1);
    }
    for (size_t c = 1; c < n; c++) {
        HA_TRY_PUSH(cli->ctx, &p->names, ha_result_name(first, c));
    }
    return HA_OK;
}

/* A table with its first column and another one exchanged. */
static ha_status exchange(ha_ctx *ctx, const ha_result *from, size_t with, ha_result *to)
{
    size_t n = ha_result_n_columns(from);
    double *row = NULL;
    ha_status status = HA_OK;

    for (size_t c = 0; c < n; c++) {
        size_t k = c == 0 ? with : c == with ? 0 : c;
        HA_TRY(ha_result_add_column(to, ha_result_name(from, k), ha_result_unit(from, k)));
    }
    HA_TRY_ALLOC(ctx, row, n);
    for (size_t i = 0; i < ha_result_n_rows(from) && status == HA_OK; i++) {
        for (size_t c = 0; c < n; c++) {
            row[c] = ha_result_value(from, i, c == 0 ? with : c == with ? 0 : c);
        }
        status = ha_result_add_row(to, row);
    }
    ha__free(row);
    return status;
}

/* The output that --x names, with one name in all tables. */
static ha_status find_over(cli_call *cli, plot *p, const char **out)
{
    plot_names names = { 0 };
    char *text = ha__copy_text(cli->ctx, cli->text[CLI_X], strlen(cli->text[CLI_X]));

    HA_TRY_MEMORY(text);
    ha_status status = plot_choose(cli->ctx, (const ha_result *const *) p->results.items,
                                   p->results.count, text, &names);
    if (status == HA_OK && names.count != 1) {
        status =
            ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                    "`--x %s` stands for %zu outputs; name one", cli->text[CLI_X], names.count);
    }
    if (status == HA_OK) {
        *out = ha__arena_text(cli->ctx, &p->arena, names.items[0], strlen(names.items[0]));
        status = *out == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    HA_ARRAY_CLEAR(&names);
    ha__free(text);
    return status;
}

/* Puts the output of --x instead of the time in all tables. */
static ha_status plot_over(cli_call *cli, plot *p)
{
    const char *name = NULL;

    HA_TRY(find_over(cli, p, &name));
    for (size_t i = 0; i < p->results.count; i++) {
        int column = ha_result_find(p->results.items[i], name);
        if (column < 0) {
            return ha_fail(cli->ctx, HA_ERR_NAME, (ha_where){ cli->files.items[i], 0, 0 },
                           "there is no output `%s` to plot over", name);
        }
        ha_result *table = ha_result_new(cli->ctx);
        HA_TRY_MEMORY(table);
        ha_status status = exchange(cli->ctx, p->results.items[i], (size_t) column, table);
        if (status != HA_OK) {
            ha_result_free(table);
            return status;
        }
        ha_result_free(p->results.items[i]);
        p->results.items[i] = table;
    }
    return HA_OK;
}

/* "NAME [UNIT]", of which either may be missing. */
static const char *label(ha_ctx *ctx, plot *p, const char *name, const char *unit)
{
    return unit[0] == '\0' ? ha__arena_format(ctx, &p->arena, "%s", name)
                           : ha__arena_format(ctx, &p->arena, "%s%s[%s]", name,
                                              name[0] == '\0' ? "" : " ", unit);
}

/* The unit of an output in the first table that has it. */
static const char *unit_of(const plot *p, const char *name)
{
    for (size_t i = 0; i < p->results.count; i++) {
        int column = ha_result_find(p->results.items[i], name);
        if (column >= 0) {
            return ha_result_unit(p->results.items[i], (size_t) column);
        }
    }
    return "";
}

/* What an output without unit is by its name, "R1.f": "f"; "" of others. */
static const char *signal_of(const char *name)
{
    static const char *const signals[] = { "e", "f", "p", "q" };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < HA_COUNT(signals); i++) {
        if (dot[1] == signals[i][0] && strspn(dot + 2, "0123456789") == strlen(dot + 2)) {
            return signals[i];
        }
    }
    return "";
}

/* Whether two outputs belong on one axis: of one unit, or both an effort, a flow ... without. */
static bool share_axis(const plot *p, const char *a, const char *b)
{
    const char *unit = unit_of(p, a);

    if (p->is_chosen) {
        return true;
    }
    return strcmp(unit, unit_of(p, b)) == 0 &&
           (unit[0] != '\0' || strcmp(signal_of(a), signal_of(b)) == 0);
}

/* What tells a table from the others: the name of its file, without directory and suffix where no
   other file has that name, too. */
static const char *file_title(cli_call *cli, plot *p, size_t file)
{
    const char *const *paths = (const char *const *) cli->files.items;
    const char *name = NULL;

    for (size_t i = 0; i < cli->files.count; i++) {
        if (i != file && same_stem(paths[i], paths[file])) {
            return paths[file];
        }
    }
    name = stem_of(paths[file]);
    return ha__arena_text(cli->ctx, &p->arena, name, stem_length(name));
}

/* Whether the outputs of a panel have different units, so that each is told by its curve. */
static bool has_units(const plot *p)
{
    for (size_t k = 1; p->is_chosen && k < p->names.count; k++) {
        if (strcmp(unit_of(p, p->names.items[k]), unit_of(p, p->names.items[0])) != 0) {
            return true;
        }
    }
    return false;
}

/* The title of a curve: the name of the output where the axis does not have it, the file where
   there are several. NULL: there is no memory. */
static const char *curve_title(cli_call *cli, plot *p, const char *name, size_t file, bool is_named)
{
    const char *title = p->results.count > 1 ? file_title(cli, p, file) : "";

    if (title == NULL || is_named) {
        return title;
    }
    if (has_units(p)) {
        name = label(cli->ctx, p, name, unit_of(p, name));
        if (name == NULL) {
            return NULL;
        }
    }
    return title[0] == '\0' ? name : ha__arena_format(cli->ctx, &p->arena, "%s, %s", name, title);
}

/* Outputs to show on one axis with this one. */
static size_t count_beside(const plot *p, const char *name)
{
    size_t n = 0;

    for (size_t k = 0; k < p->names.count; k++) {
        n += share_axis(p, p->names.items[k], name) ? 1 : 0;
    }
    return n;
}

/* Widens a range by the values of a column. */
static void widen(const ha_result *result, size_t column, double range[2])
{
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double x = ha_result_value(result, i, column);
        range[0] = isfinite(x) ? fmin(range[0], x) : range[0];
        range[1] = isfinite(x) ? fmax(range[1], x) : range[1];
    }
}

/* Whether curves go far in both directions, so that they can be seen where units are as long
   upwards as sideways. */
static bool is_wide(const plot_curve *curves, size_t n)
{
    const double least = 0.4; /* of the longer side: its ticks need room */
    double x[2] = { (double) INFINITY, (double) -INFINITY }, y[2] = { x[0], x[1] };

    for (size_t i = 0; i < n; i++) {
        widen(curves[i].result, 0, x);
        widen(curves[i].result, curves[i].column, y);
    }
    double width = x[1] - x[0], height = y[1] - y[0];
    return fmin(width, height) > least * fmax(width, height);
}

/* All curves that share an axis with an output, of all tables. */
static ha_status add_panel(cli_call *cli, plot *p, const char *beside)
{
    size_t n_files = p->results.count, n = 0;
    bool is_named = count_beside(p, beside) == 1; /* by the axis */
    const ha_result *first = p->results.items[0];
    plot_curve *curves =
        ha__arena_alloc(cli->ctx, &p->arena, p->names.count * n_files, sizeof *curves);
    const char *only = NULL;

    HA_TRY_MEMORY(curves);
    for (size_t k = 0; k < p->names.count; k++) {
        const char *name = p->names.items[k];
        if (!share_axis(p, name, beside)) {
            continue;
        }
        only = name;
        for (size_t i = 0; i < n_files; i++) {
            int column = ha_result_find(p->results.items[i], name);
            const char *title = curve_title(cli, p, name, i, is_named);
            HA_TRY_MEMORY(title);
            if (column >= 0) {
                curves[n++] = (plot_curve){ p->results.items[i], (size_t) column, title,
                                            (int) i % 5,         PLOT_LINE,       0 };
            }
        }
    }
    plot_panel panel = {
        .x_label = label(cli->ctx, p, ha_result_name(first, 0), ha_result_unit(first, 0)),
        .y_label = label(cli->ctx, p, is_named ? only : "", has_units(p) ? "" : unit_of(p, beside)),
        .is_square = cli_has(cli, CLI_X) && unit_of(p, beside)[0] != '\0' &&
                     strcmp(unit_of(p, beside), ha_result_unit(first, 0)) == 0 &&
                     is_wide(curves, n),
        .curves = curves,
        .n = n
    };
    if (panel.x_label == NULL || panel.y_label == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY_PUSH(cli->ctx, &p->panels, panel);
    return HA_OK;
}

/* A panel for each axis, in order of appearance. */
static ha_status add_panels(cli_call *cli, plot *p)
{
    for (size_t k = 0; k < p->names.count; k++) {
        bool is_new = true;
        for (size_t i = 0; i < k && is_new; i++) {
            is_new = !share_axis(p, p->names.items[i], p->names.items[k]);
        }
        if (is_new) {
            HA_TRY(add_panel(cli, p, p->names.items[k]));
        }
    }
    return HA_OK;
}

/* The panels that --panels names: lists of outputs, with `;` between them. */
static ha_status choose_panels(cli_call *cli, plot *p)
{
    HA_TRY_GET(p->text,
               ha__copy_text(cli->ctx, cli->text[CLI_PANELS], strlen(cli->text[CLI_PANELS])));
    p->is_chosen = true;
    for (char *list = p->text, *rest = NULL; list != NULL; list = rest) {
        rest = strchr(list, ';');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        p->names.count = 0;
        HA_TRY(plot_choose(cli->ctx, (const ha_result *const *) p->results.items, p->results.count,
                           list, &p->names));
        HA_TRY(add_panel(cli, p, p->names.items[0]));
    }
    return HA_OK;
}

/* --- friction circles ------------------------------------------------------------------------- */

/* Adds a table, if there is one, as a curve in the colour of a wheel; there is room for it. */
static ha_status add_table(cli_call *cli, plot *p, ha_result *table, const char *title, int dash,
                           int colour)
{
    const plot_curve curve = { table, 1, title, dash, PLOT_LINE, colour };

    if (table == NULL) {
        return HA_OK;
    }
    p->wheels.items[p->wheels.count++] = table;
    HA_TRY_PUSH(cli->ctx, &p->curves, curve);
    return HA_OK;
}

/* A wheel of a result: its forces, and its circles. */
static ha_status add_wheel(cli_call *cli, plot *p, const char *wheel, size_t file, int colour)
{
    const ha_result *from = p->results.items[file];
    const char *title = curve_title(cli, p, wheel, file, false);
    ha_result *table = NULL;

    HA_TRY_MEMORY(title);
    HA_TRY_ROOM(cli->ctx, &p->wheels, 1 + FRICTION_BOUND_COUNT);
    HA_TRY(friction_forces(cli->ctx, from, wheel, &table));
    HA_TRY(add_table(cli, p, table, title, 0, colour));
    for (int bound = 0; bound < FRICTION_BOUND_COUNT; bound++) {
        HA_TRY(friction_circle(cli->ctx, from, wheel, (friction_bound) bound, &table));
        HA_TRY(add_table(cli, p, table, "", 1, colour));
    }
    return HA_OK;
}

/* The panel of all wheels that --wheels names, of all results. */
static ha_status plot_wheels(cli_call *cli, plot *p)
{
    int colour = 0;

    HA_TRY_GET(p->text,
               ha__copy_text(cli->ctx, cli->text[CLI_WHEELS], strlen(cli->text[CLI_WHEELS])));
    for (char *name = p->text, *rest = NULL; name != NULL; name = rest) {
        rest = strchr(name, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        for (size_t i = 0; i < p->results.count; i++) {
            HA_TRY(add_wheel(cli, p, name, i, ++colour));
        }
    }
    const plot_panel panel = { .title = "circles: adhesion times load, the least and the largest",
                               .x_label = "f_long [N]",
                               .y_label = "f_lat [N]",
                               .is_square = true,
                               .curves = p->curves.items,
                               .n = p->curves.count };
    HA_TRY_PUSH(cli->ctx, &p->panels, panel);
    return HA_OK;
}

static ha_status check_wheels(cli_call *cli)
{
    return cli_has(cli, CLI_X) || cli_has(cli, CLI_Y) || cli_has(cli, CLI_PANELS)
               ? ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "--wheels plots the forces of wheels over each other; leave --x and --y "
                         "out, and --panels")
               : HA_OK;
}

static ha_status check_panels(cli_call *cli)
{
    return cli_has(cli, CLI_Y) ? ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                         "--panels names the outputs; leave --y out")
                               : HA_OK;
}

/* What --size says: two whole numbers of millimetres, neither tiny nor more than a poster. */
static ha_status read_size(cli_call *cli, plot_paper *paper)
{
    enum { LEAST = 10, MOST = 2000 };
    char rest;

    if (!cli_has(cli, CLI_SIZE)) {
        return HA_OK;
    }
    int n = sscanf(cli->text[CLI_SIZE], "%5dx%5d%c", &paper->width, &paper->height, &rest);
    bool is_good = n == 2 && paper->width >= LEAST && paper->width <= MOST &&
                   paper->height >= LEAST && paper->height <= MOST;
    return is_good ? HA_OK
                   : ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                             "`--size %s` is no size of %d to %d mm; write --size 84x60",
                             cli->text[CLI_SIZE], LEAST, MOST);
}

/* --- the command ------------------------------------------------------------------------------ */

static ha_status make(cli_call *cli, plot *p)
{
    const char *path = cli_has(cli, CLI_OUTPUT) ? cli->text[CLI_OUTPUT] : NULL;
    plot_paper paper = { 0, 0 };

    HA_TRY(read_size(cli, &paper));
    HA_TRY(read_results(cli, p));
    if (cli_has(cli, CLI_WHEELS)) {
        HA_TRY(check_wheels(cli));
        HA_TRY(plot_wheels(cli, p));
    } else {
        HA_TRY(prepare_tables(cli, p));
        HA_TRY(cli_has(cli, CLI_X) ? plot_over(cli, p) : HA_OK);
        if (cli_has(cli, CLI_PANELS)) {
            HA_TRY(check_panels(cli));
            HA_TRY(choose_panels(cli, p));
        } else {
            HA_TRY(choose(cli, p));
            HA_TRY(add_panels(cli, p));
        }
        HA_TRY(check_units(cli, p));
    }
    for (size_t i = 0; i < p->panels.count; i++) {
        p->panels.items[i].is_grey = cli_has(cli, CLI_GREY);
    }
    return gnuplot_print(cli->ctx, p->panels.items, p->panels.count, path, paper);
}

ha_status cmd_plot(cli_call *cli)
{
    plot p = { 0 };

    cli_begin_work(cli);
    ha_status status = make(cli, &p);
    cli_end_work(cli);
    for (size_t i = 0; i < p.results.count; i++) {
        ha_result_free(p.results.items[i]);
    }
    for (size_t i = 0; i < p.wheels.count; i++) {
        ha_result_free(p.wheels.items[i]);
    }
    HA_ARRAY_CLEAR(&p.results, &p.wheels, &p.curves, &p.names, &p.panels);
    ha__free(p.text);
    ha__arena_clear(&p.arena);
    return status;
}
