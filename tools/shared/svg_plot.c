/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots as SVG elements inside of an HTML page: no program, no script and no network is needed to
 * make or to show them. Colours come from the page's style sheet, so that dark mode changes them.
 *
 * Curves are thinned to what can be seen. Of the points that fall on one of the columns only the
 * first, the lowest, the highest and the last are taken; of these so few are kept that none is off
 * the line by more than TOLERANCE (Douglas & Peucker 1973): each piece of the line is cut at the
 * point farthest from it until none is far. Points are written by their distance from the one
 * before, in tenths of a pixel.
 */
#include <config.h>

#include "tools/shared/plot.h"

#include "lib/core/number.h"

#include <math.h>
#include <stdio.h>

enum {
    WIDTH = 640,
    HEIGHT = 240,
    LEFT = 78,
    RIGHT = 18,
    TOP = 24,
    BOTTOM = 42,
    N_TICKS = 5,
    N_COLOURS = 6,
    LEGEND_STEP = 16
};

/* What lines look like where the style sheet of the page is not let in. */
#define PLAIN "fill=\"none\" stroke=\"currentColor\" "

/* One axis: value to place; of a logarithmic one the values are logarithms to 10. */
typedef struct {
    double low, high;
    double from, to; /* places [px] */
    bool is_log;
} axis;

static double place(const axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static double scaled(const axis *a, double value)
{
    return !a->is_log ? value : value > 0.0 ? log10(value) : (double) NAN;
}

/* A place with a tenth of a pixel, in any locale. */
static void add_place(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_add(out, ha__print_rounded_number(number, round(10.0 * x) / 10.0, 6));
}

/* --- axes ----------------------------------------------------------------------------------- */

/* Widens an axis to a value. */
static void include(axis *a, double value)
{
    if (isfinite(value)) {
        a->low = fmin(a->low, value);
        a->high = fmax(a->high, value);
    }
}

/* The range of all curves, with some air; something where there is nothing. */
static void find_ranges(const plot_panel *panel, axis *x, axis *y)
{
    for (size_t i = 0; i < panel->n; i++) {
        const plot_curve *curve = &panel->curves[i];
        for (size_t row = 0; row < ha_result_n_rows(curve->result); row++) {
            double v = scaled(y, ha_result_value(curve->result, row, curve->column));
            if (isfinite(v)) {
                include(x, scaled(x, ha_result_value(curve->result, row, 0)));
                include(y, v);
            }
        }
    }
    for (axis *a = x; a != NULL; a = a == x ? y : NULL) {
        if (!(a->low <= a->high)) {
            a->low = 0.0;
            a->high = 1.0;
        }
        double air = a->is_log ? 0.1 : a == y ? 0.04 * (a->high - a->low) : 0.0;
        double least = fmax(1e-12 * fmax(fabs(a->low), fabs(a->high)), 1e-300);
        if (a->high - a->low < least) {
            air = a->low == 0.0 ? 1.0 : 0.1 * fabs(a->low);
        }
        a->low -= air;
        a->high += air;
    }
}

/* A step of 1, 2 or 5 times a power of ten that makes about N_TICKS steps. */
static double tick_step(const axis *a)
{
    double raw = (a->high - a->low) / N_TICKS, power = pow(10.0, floor(log10(raw)));
    double lead = raw / power;

    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

/* The line of a tick, in the path of the grid, or its number beside the axis. */
static void add_tick(ha__strbuf *out, const axis *a, double value, bool is_x, bool is_line)
{
    char number[HA__NUMBER_SIZE];
    double at = place(a, value);

    if (is_line) {
        ha__strbuf_add(out, "M");
        add_place(out, is_x ? at : LEFT);
        ha__strbuf_add(out, " ");
        add_place(out, is_x ? TOP : at);
        ha__strbuf_add(out, is_x ? "V" : "H");
        add_place(out, is_x ? HEIGHT - BOTTOM : WIDTH - RIGHT);
        return;
    }
    ha__strbuf_addf(out, "<text class=\"tick%s\" x=\"", is_x ? "" : " end");
    add_place(out, is_x ? at : LEFT - 6);
    ha__strbuf_add(out, "\" y=\"");
    add_place(out, is_x ? HEIGHT - BOTTOM + 15 : at + 4);
    ha__strbuf_addf(out, "\">%s</text>\n",
                    ha__print_rounded_number(number, a->is_log ? pow(10.0, value) : value, 6));
}

/* Powers of ten, where these are few also 2 and 5 times them, where they are many some. */
static void add_log_ticks(ha__strbuf *out, const axis *a, bool is_x, bool is_line)
{
    static const double leads[] = { 1.0, 2.0, 5.0 };
    double span = a->high - a->low, step = fmax(1.0, ceil(span / (2 * N_TICKS)));
    size_t n = span < 2.5 ? HA_COUNT(leads) : 1;

    for (double power = floor(a->low); power <= a->high; power += step) {
        for (size_t i = 0; i < n; i++) {
            double value = power + log10(leads[i]);
            if (value >= a->low && value <= a->high) {
                add_tick(out, a, value, is_x, is_line);
            }
        }
    }
}

static void add_ticks(ha__strbuf *out, const axis *a, bool is_x, bool is_line)
{
    if (a->is_log) {
        add_log_ticks(out, a, is_x, is_line);
        return;
    }
    double step = tick_step(a);
    double first = ceil(a->low / step - 1e-9);

    for (int k = 0; k < 4 * N_TICKS; k++) {
        double value = (first + k) * step;
        if (value > a->high + 1e-9 * step) {
            return;
        }
        add_tick(out, a, value, is_x, is_line);
    }
}

/* --- curves --------------------------------------------------------------------------------- */

static const double TOLERANCE = 0.2; /* [px] */

typedef struct {
    double x, y;
    bool is_kept;
} point;

/* A path under way: the points since the pen was put down. */
typedef struct {
    ha__strbuf *out;
    HA_ARRAY(point) points;
} pen;

/* How far a point is from the piece of a line from a to b, squared. */
static double distance(const point *p, const point *a, const point *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, length = dx * dx + dy * dy;
    double s = length > 0.0 ? ((p->x - a->x) * dx + (p->y - a->y) * dy) / length : 0.0;

    s = fmin(fmax(s, 0.0), 1.0);
    return pow(a->x + s * dx - p->x, 2.0) + pow(a->y + s * dy - p->y, 2.0);
}

/* Marks the points that are needed: from the last kept one the next piece is halved until no point
   is off it. */
static void keep_seen(point *points, size_t n)
{
    size_t from = 0, to = n - 1;

    points[0].is_kept = points[to].is_kept = true;
    while (from + 1 < n) {
        double farthest = TOLERANCE * TOLERANCE;
        size_t cut = 0;
        for (size_t i = from + 1; i < to; i++) {
            double d = distance(&points[i], &points[from], &points[to]);
            if (d > farthest) {
                farthest = d;
                cut = i;
            }
        }
        if (cut > 0) {
            points[cut].is_kept = true;
            to = cut;
            continue;
        }
        from = to; /* on to the next piece, which ends where a point is kept */
        for (to = from + 1; to < n && !points[to].is_kept;) {
            to++;
        }
    }
}

/* Draws what was collected and takes the pen up. */
static void lift(pen *p)
{
    double x = 0.0, y = 0.0;

    if (p->points.count > 0) {
        keep_seen(p->points.items, p->points.count);
    }
    for (size_t i = 0; i < p->points.count; i++) {
        const point *next = &p->points.items[i];
        double new_x = round(10.0 * next->x), new_y = round(10.0 * next->y);
        if (!next->is_kept) {
            continue;
        }
        ha__strbuf_add(p->out, i == 0 ? "M" : "l");
        add_place(p->out, (new_x - x) / 10.0);
        ha__strbuf_add(p->out, new_y - y < 0.0 ? "" : " ");
        add_place(p->out, (new_y - y) / 10.0);
        x = new_x;
        y = new_y;
    }
    ha__strbuf_add(p->out, p->points.count == 1 ? "h0" : ""); /* a dot, by its round ends */
    p->points.count = 0;
}

static void draw_to(pen *p, double x, double y)
{
    void *items = ha__room(p->out->ctx, p->points.items, p->points.count, 1, &p->points.capacity,
                           sizeof *p->points.items);

    if (items == NULL) {
        p->out->status = HA_ERR_MEMORY;
        return;
    }
    p->points.items = items;
    p->points.items[p->points.count++] = (point){ x, y, false };
}

/* Points of one column of pixels. */
typedef struct {
    double x, first, low, high, last;
    bool has_points;
} bucket;

static void draw_bucket(pen *p, bucket *b)
{
    const double ys[4] = { b->first, b->low, b->high, b->last };

    for (int i = 0; b->has_points && i < 4; i++) {
        if (i == 0 || ys[i] != ys[i - 1]) {
            draw_to(p, b->x, ys[i]);
        }
    }
    b->has_points = false;
}

static void add_curve(ha__strbuf *out, const plot_curve *curve, const axis *x, const axis *y,
                      size_t number)
{
    pen p = { .out = out };
    bucket b = { 0 };
    size_t n = ha_result_n_rows(curve->result);
    double width = n > 2 * (size_t) (WIDTH - LEFT - RIGHT) ? 1.0 : 0.05; /* of a bucket [px] */

    ha__strbuf_addf(out, "<path class=\"curve c%d%s\" " PLAIN "d=\"", (int) (number % N_COLOURS),
                    curve->dash > 0 ? " d1" : "");
    for (size_t row = 0; row < n; row++) {
        double at_x = place(x, scaled(x, ha_result_value(curve->result, row, 0)));
        double at_y = place(y, scaled(y, ha_result_value(curve->result, row, curve->column)));
        if (!isfinite(at_x) || !isfinite(at_y)) {
            draw_bucket(&p, &b);
            lift(&p);
            continue;
        }
        if (b.has_points && !(at_x - b.x < width)) {
            draw_bucket(&p, &b);
        }
        if (!b.has_points) {
            b = (bucket){ at_x, at_y, at_y, at_y, at_y, true };
        }
        b.low = fmin(b.low, at_y);
        b.high = fmax(b.high, at_y);
        b.last = at_y;
    }
    draw_bucket(&p, &b);
    lift(&p);
    HA_ARRAY_CLEAR(&p.points);
    ha__strbuf_add(out, "\"/>\n");
}

static void add_points(ha__strbuf *out, const plot_curve *curve, const axis *x, const axis *y,
                       size_t number)
{
    for (size_t row = 0; row < ha_result_n_rows(curve->result); row++) {
        double at_x = place(x, scaled(x, ha_result_value(curve->result, row, 0)));
        double at_y = place(y, scaled(y, ha_result_value(curve->result, row, curve->column)));
        if (isfinite(at_x) && isfinite(at_y)) {
            ha__strbuf_addf(out, "<circle class=\"c%d\" r=\"3\" cx=\"", (int) (number % N_COLOURS));
            add_place(out, at_x);
            ha__strbuf_add(out, "\" cy=\"");
            add_place(out, at_y);
            ha__strbuf_add(out, "\"/>");
        }
    }
    ha__strbuf_add(out, "\n");
}

/* Which curve is which, below the axes. */
static void add_legend(ha__strbuf *out, const plot_panel *panel)
{
    for (size_t i = 0; i < panel->n; i++) {
        double y = HEIGHT + LEGEND_STEP * (double) i;
        ha__strbuf_addf(out, "<path class=\"curve c%d%s\" " PLAIN "d=\"M%d ", (int) (i % N_COLOURS),
                        panel->curves[i].dash > 0 ? " d1" : "", (int) LEFT);
        add_place(out, y);
        ha__strbuf_addf(out, "h24\"/><text class=\"key\" x=\"%d\" y=\"", (int) LEFT + 30);
        add_place(out, y + 4.0);
        ha__strbuf_add(out, "\">");
        ha__strbuf_add_markup(out, panel->curves[i].title);
        ha__strbuf_add(out, "</text>\n");
    }
}

void svg_plot(ha__strbuf *out, const plot_panel *panel)
{
    const double none = (double) INFINITY;
    axis x = { none, -none, LEFT, WIDTH - RIGHT, panel->is_log };
    axis y = { none, -none, HEIGHT - BOTTOM, TOP, panel->is_log };

    find_ranges(panel, &x, &y);
    ha__strbuf_addf(out,
                    "<svg viewBox=\"0 0 %d %d\" fill=\"currentColor\" role=\"img\" aria-label=\"",
                    (int) WIDTH, (int) HEIGHT + LEGEND_STEP * (int) panel->n);
    ha__strbuf_add_markup(out, panel->title == NULL ? panel->y_label : panel->title);
    ha__strbuf_add(out, "\">\n");
    ha__strbuf_add(out, "<path class=\"grid\" " PLAIN "d=\"");
    add_ticks(out, &x, true, true);
    add_ticks(out, &y, false, true);
    ha__strbuf_add(out, "\"/>\n");
    add_ticks(out, &x, true, false);
    add_ticks(out, &y, false, false);
    ha__strbuf_addf(out, "<path class=\"axis\" " PLAIN "d=\"M%d %dV%dH%d\"/>\n", (int) LEFT,
                    (int) TOP, (int) (HEIGHT - BOTTOM), (int) (WIDTH - RIGHT));
    for (size_t i = 0; i < panel->n; i++) {
        add_curve(out, &panel->curves[i], &x, &y, i);
        if (panel->is_log) {
            add_points(out, &panel->curves[i], &x, &y, i);
        }
    }
    ha__strbuf_addf(out, "<text class=\"label\" x=\"%d\" y=\"14\">", (int) LEFT);
    ha__strbuf_add_markup(out, panel->y_label);
    ha__strbuf_addf(out, "</text><text class=\"label end\" x=\"%d\" y=\"%d\">",
                    (int) (WIDTH - RIGHT), (int) HEIGHT - 10);
    ha__strbuf_add_markup(out, panel->x_label);
    ha__strbuf_add(out, "</text>\n");
    add_legend(out, panel);
    ha__strbuf_add(out, "</svg>\n");
}
