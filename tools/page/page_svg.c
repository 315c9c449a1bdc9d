/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture of Graphviz as a page holds it. Identifiers are made unique by a prefix, prologue and
 * comments are left out. Places are rounded to a tenth of a point, which nobody sees, and pieces
 * of curves that are straight become lines: Graphviz writes every line as a curve with four points.
 */
#include <config.h>

#include "tools/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double x, y;
} point;

static const double ROUND = 0.1; /* [pt] */

static void add_place(double value, ha__strbuf *out)
{
    long tenths = lround(value / ROUND), size = labs(tenths);

    ha__strbuf_addf(out, "%s%ld", tenths < 0 ? "-" : "", size / 10);
    if (size % 10 != 0) {
        ha__strbuf_addf(out, ".%ld", size % 10);
    }
}

/* Adds numbers up to an end, and what is between them. */
static void add_places(const char *at, const char *end, ha__strbuf *out)
{
    while (at < end) {
        char *next = NULL;
        double value =
            *at == ' ' ? 0.0 : strtod(at, &next); /* which would take the blank with it */
        if (next != NULL && next != at) {
            add_place(value, out);
            at = next;
        } else {
            ha__strbuf_add_bytes(out, at++, 1);
        }
    }
}

/* --- paths ------------------------------------------------------------------------------------ */

static bool read_point(const char **at, point *out)
{
    char *next = NULL;

    out->x = strtod(*at, &next);
    if (next == *at || *next != ',') {
        return false;
    }
    *at = next + 1;
    out->y = strtod(*at, &next);
    bool is_good = next != *at;
    *at = next;
    return is_good;
}

static void add_point(char command, point p, ha__strbuf *out)
{
    ha__strbuf_add_bytes(out, &command, 1);
    add_place(p.x, out);
    ha__strbuf_add(out, ",");
    add_place(p.y, out);
}

/* How far a point is from the line between two. */
static double distance(point p, point from, point to)
{
    double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    double s = square > 0.0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / square : 0.0;

    s = fmin(1.0, fmax(0.0, s));
    return hypot(p.x - from.x - s * dx, p.y - from.y - s * dy);
}

/* A path M point C point point point ...; false: it is of another kind, and nothing was added. */
static bool add_path(const char *at, const char *end, ha__strbuf *out)
{
    point p[4];
    const char *rest = at + 1;

    if (*at != 'M' || !read_point(&rest, &p[0]) || *rest != 'C' ||
        strcspn(rest + 1, "MLCZmlcz\"") < (size_t) (end - rest - 1)) {
        return false;
    }
    add_point('M', p[0], out);
    for (rest++; read_point(&rest, &p[1]) && read_point(&rest, &p[2]) && read_point(&rest, &p[3]);
         p[0] = p[3]) {
        if (distance(p[1], p[0], p[3]) < ROUND / 2.0 && distance(p[2], p[0], p[3]) < ROUND / 2.0) {
            add_point('L', p[3], out);
        } else {
            add_point('C', p[1], out);
            add_point(' ', p[2], out);
            add_point(' ', p[3], out);
        }
    }
    return true;
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Adds an attribute that has places, with the blank before it; NULL: it is another one. */
static const char *add_attribute(const char *at, ha__strbuf *out)
{
    static const char *const names[] = { " d=\"",  " points=\"", " x=\"",  " y=\"",
                                         " cx=\"", " cy=\"",     " rx=\"", " ry=\"" };

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if (strncmp(at, names[i], n) == 0) {
            const char *value = at + n, *end = value + strcspn(value, "\"");
            ha__strbuf_add(out, names[i]);
            if (i > 0 || !add_path(value, end, out)) {
                add_places(value, end, out);
            }
            return end;
        }
    }
    return NULL;
}

void page_add_svg(const char *svg, const char *prefix, ha__strbuf *out)
{
    const char *at = strstr(svg, "<svg"), *next = NULL;

    while (at != NULL && *at != '\0') {
        size_t n = strcspn(at, "< ");
        ha__strbuf_add_bytes(out, at, n);
        at += n;
        if (strncmp(at, "<!--", 4) == 0) {
            const char *end = strstr(at, "-->");
            at = end == NULL ? at + strlen(at) : end + 3;
            at += *at == '\n' ? 1 : 0;
        } else if (strncmp(at, " id=\"", 5) == 0) {
            ha__strbuf_addf(out, " id=\"%s", prefix);
            at += 5;
        } else if ((next = add_attribute(at, out)) != NULL) {
            at = next;
        } else if (*at != '\0') {
            ha__strbuf_add_bytes(out, at, 1);
            at++;
        }
    }
}
