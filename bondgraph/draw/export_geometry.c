/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The geometry of pictures: boxes around what is placed, ends and points of the Bezier curves that
 * bonds are, and where there is room for titles. All in inches, y up.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 24 }; /* of a curve, to see what it goes through */

void bg__add_decimal(ha__strbuf *out, double x)
{
    long thousandths = lround(x * 1000.0); /* the printing of fractions depends on the locale */

    ha__strbuf_addf(out, "%s%ld.%03ld", thousandths < 0 ? "-" : "", labs(thousandths) / 1000,
                    labs(thousandths) % 1000);
}

/* --- boxes ---------------------------------------------------------------------------------- */

static const bg__box nothing = { HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

static void include_place(bg__box *box, double x, double y)
{
    box->left = fmin(box->left, x);
    box->right = fmax(box->right, x);
    box->bottom = fmin(box->bottom, y);
    box->top = fmax(box->top, y);
}

static void include_node(bg__box *box, const bg__node *node)
{
    include_place(box, node->x - node->width / 2.0, node->y - node->height / 2.0);
    include_place(box, node->x + node->width / 2.0, node->y + node->height / 2.0);
}

const bg__letters *bg__letters_of(const bg__picture *picture)
{
    static const bg__letters usual = { 12, 15, 9, 8, 10, 0.2, 0.075, "0.35" },
                             large = { 14, 17, 12, 12, 14, 0.27, 0.105, "0.5" };

    return picture != NULL && picture->has_large_letters ? &large : &usual;
}

double bg__title_width(const bg__picture *picture, const char *title)
{
    return 0.12 + bg__letters_of(picture)->title_character * (double) strlen(title);
}

bg__box bg__group_box(const bg__picture *p, int group)
{
    const double margin = 0.1, title_height = bg__letters_of(p)->title_height;
    bg__box box = nothing;

    for (size_t i = 0; i < p->nodes.count; i++) {
        int depth = 0, at = p->nodes.items[i].group;
        bg__node node = p->nodes.items[i];
        for (; at >= 0 && at != group; at = p->groups.items[at].parent) {
            depth++;
        }
        if (at == group) {
            node.width += 2.0 * depth * margin; /* the boxes in between */
            node.height += 2.0 * depth * (margin + title_height);
            include_node(&box, &node);
        }
    }
    double more = bg__title_width(p, p->groups.items[group].title) - (box.right - box.left);
    box.right += margin + fmax(more, 0.0) / 2.0;
    box.left -= margin + fmax(more, 0.0) / 2.0;
    box.bottom -= margin;
    box.top += margin + title_height;
    return box;
}

bg__box bg__picture_box(const bg__picture *p)
{
    bg__box box = nothing;

    for (size_t i = 0; i < p->nodes.count; i++) {
        include_node(&box, &p->nodes.items[i]);
    }
    for (size_t g = 0; g < p->groups.count; g++) {
        bg__box inside = bg__group_box(p, (int) g);
        include_place(&box, inside.left, inside.bottom);
        include_place(&box, inside.right, inside.top);
    }
    for (size_t i = 0; i < p->edges.count; i++) {
        for (int k = 0; k < p->edges.items[i].n_places; k++) {
            include_place(&box, p->edges.items[i].places[k].x, p->edges.items[i].places[k].y);
        }
    }
    return p->nodes.count > 0 ? box : (bg__box){ 0.0, 0.0, 0.0, 0.0 };
}

/* --- curves --------------------------------------------------------------------------------- */

static bg__place between(bg__place a, bg__place b, double t)
{
    return (bg__place){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
}

/* The part of a Bezier curve from its first point to parameter t (de Casteljau). */
static void cut(const bg__place *p, double t, bg__place out[4])
{
    bg__place a = between(p[0], p[1], t), b = between(p[1], p[2], t), c = between(p[2], p[3], t);
    bg__place d = between(a, b, t), e = between(b, c, t);

    out[0] = p[0];
    out[1] = a;
    out[2] = d;
    out[3] = between(d, e, t);
}

void bg__shorten(bg__place *places, int n, bool at_head, double length)
{
    bg__place curve[4], part[4];
    int first = at_head ? n - 1 : 0, way = at_head ? -1 : 1;
    double low = 0.0, high = 1.0; /* of the parameter, from the far end of the last curve */

    for (int i = 0; i < 4; i++) { /* from the far end to the end itself */
        curve[i] = places[first + way * (3 - i)];
    }
    for (int step = 0; step < 40; step++) {
        double t = (low + high) / 2.0;
        cut(curve, t, part);
        bool is_far = hypot(part[3].x - curve[3].x, part[3].y - curve[3].y) > length;
        low = is_far ? t : low;
        high = is_far ? high : t;
    }
    cut(curve, fmax(low, 0.1), part); /* something is left of a curve that is too short */
    for (int i = 0; i < 4; i++) {
        places[first + way * (3 - i)] = part[i];
    }
}

bg__place bg__place_beside(bg__place from, bg__place along, double s, bool is_right)
{
    return is_right ? (bg__place){ from.x + s * along.y, from.y - s * along.x }
                    : (bg__place){ from.x + s * along.x, from.y + s * along.y };
}

/* The unit vector from a to b; to the right where they are one. */
static bg__place direction(bg__place a, bg__place b)
{
    double x = b.x - a.x, y = b.y - a.y, size = hypot(x, y);

    return size > 0.0 ? (bg__place){ x / size, y / size } : (bg__place){ 1.0, 0.0 };
}

bg__place bg__direction_at(const bg__edge *e, bool at_head)
{
    int last = e->n_places - 1;

    for (int k = 1; k <= last; k++) {
        bg__place a = e->places[at_head ? last - k : 0], b = e->places[at_head ? last : k];
        if (hypot(b.x - a.x, b.y - a.y) > 1e-3) {
            return direction(a, b);
        }
    }
    return (bg__place){ 1.0, 0.0 };
}

bg__place bg__point_at(const bg__edge *e, double fraction, bg__place *along)
{
    const bg__place *p = e->places;
    double length = 0.0;
    bg__place part[4];

    for (int i = 0; i + 3 < e->n_places; i += 3) {
        length += hypot(p[i + 3].x - p[i].x, p[i + 3].y - p[i].y);
    }
    double rest = length * fraction, chord = hypot(p[3].x - p[0].x, p[3].y - p[0].y);
    for (int left = e->n_places - 4; left >= 3 && chord < rest; left -= 3) {
        rest -= chord;
        p += 3;
        chord = hypot(p[3].x - p[0].x, p[3].y - p[0].y);
    }
    cut(p, chord > 0.0 ? fmin(rest / chord, 1.0) : 0.5, part);
    *along = direction(part[2], part[3]);
    return part[3];
}

/* --- titles --------------------------------------------------------------------------------- */

bool bg__goes_through(const bg__edge *e, const bg__box *box)
{
    for (int i = 0; i + 3 < e->n_places; i += 3) {
        for (int k = 0; k <= SAMPLES; k++) {
            bg__place part[4];
            cut(&e->places[i], (double) k / SAMPLES, part);
            if (part[3].x > box->left && part[3].x < box->right && part[3].y > box->bottom &&
                part[3].y < box->top) {
                return true;
            }
        }
    }
    return false;
}

bg__place bg__title_place(const bg__picture *p, int group)
{
    bg__box box = bg__group_box(p, group);
    double half = bg__title_width(p, p->groups.items[group].title) / 2.0;
    const double x[] = { box.right - half, box.left + half, (box.left + box.right) / 2.0 };
    const double height = bg__letters_of(p)->title_height;
    int best = 0, fewest = INT_MAX;

    for (int i = 0; i < (int) HA_COUNT(x); i++) {
        const bg__box title = { x[i] - half, box.top - height, x[i] + half, box.top };
        int n = 0;
        for (size_t k = 0; k < p->edges.count; k++) {
            n += bg__goes_through(&p->edges.items[k], &title);
        }
        best = n < fewest ? i : best;
        fewest = n < fewest ? n : fewest;
    }
    return (bg__place){ x[best], box.top - height / 2.0 };
}
