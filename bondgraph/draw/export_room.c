/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where there is room for what stands beside a bond. A label that is alone is tried at points along
 * its bond, from the middle outwards, on the side without barb and then on the other; it stands
 * where the cost is least:
 *
 *   a node, a title or another label   HIDDEN each, since neither can be read
 *   below it
 *   another bond through it            CROSSED each
 *   the side of the barb               ASKEW
 *   away from the middle               AWAY times the distance, as a fraction of the bond
 *
 * Two labels of one bond stand at their ends, on the side that costs less. All in inches, y up.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"

#include <math.h>
#include <string.h>

#define TALL 1.78  /* height of a label over the width of a character */
#define ASIDE 0.03 /* between a bond and what stands beside it */

#define HIDDEN 4.0
#define CROSSED 1.0
#define ASKEW 0.6
#define AWAY 0.5

typedef struct {
    bg__picture *picture;
    double character;
    bg__box *boxes;  /* (edges) around their ways */
    bg__box *labels; /* titles of groups and the labels that are placed */
    size_t n_labels;
} placer;

static double height_of(const placer *l)
{
    return TALL * l->character;
}

/* The centre of a text of that width beside a place, on the left of a direction or on the right. */
static bg__place beside(const placer *l, bg__place at, bg__place along, double width, bool is_right)
{
    double room = (width * fabs(along.y) + height_of(l) * fabs(along.x)) / 2.0 + ASIDE;

    return bg__place_beside(at, along, is_right ? room : -room, true);
}

bool bg__shows_dim(const bg__edge *e)
{
    return e->number == 0 && e->kind == BG__EDGE_BOND && e->dim > 1;
}

static bool do_overlap(const bg__box *a, const bg__box *b)
{
    return a->left < b->right && b->left < a->right && a->bottom < b->top && b->bottom < a->top;
}

/* The box of a text of that width. */
static bg__box label_box(const placer *l, bg__place at, double width)
{
    const double height = height_of(l);

    return (bg__box){ at.x - width / 2.0, at.y - height / 2.0, at.x + width / 2.0,
                      at.y + height / 2.0 };
}

static double width_of(const placer *l, const bg__edge *e, bool at_head)
{
    return l->character * (double) strlen(e->label[at_head]);
}

/* What a text hides or is crossed by there. */
static double cost_of(const placer *l, int edge, const bg__box *box)
{
    const bg__picture *p = l->picture;
    double cost = 0.0;

    for (size_t i = 0; i < p->nodes.count; i++) {
        const bg__node *n = &p->nodes.items[i];
        bg__box other = { n->x - n->width / 2.0, n->y - n->height / 2.0, n->x + n->width / 2.0,
                          n->y + n->height / 2.0 };
        cost += do_overlap(box, &other) ? HIDDEN : 0.0;
    }
    for (size_t i = 0; i < l->n_labels; i++) {
        cost += do_overlap(box, &l->labels[i]) ? HIDDEN : 0.0;
    }
    for (size_t i = 0; i < p->edges.count; i++) {
        bool is_near = (int) i != edge && do_overlap(box, &l->boxes[i]);
        cost += is_near && bg__goes_through(&p->edges.items[i], box) ? CROSSED : 0.0;
    }
    return cost;
}

/* The place of the only label of an edge. */
static bg__place find_place(const placer *l, int edge, double width)
{
    static const double fractions[] = { 0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8 };
    const bg__edge *e = &l->picture->edges.items[edge];
    bg__place best = { 0.0, 0.0 };
    double least = HUGE_VAL;

    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < HA_COUNT(fractions) && least > 0.0; i++) {
            bg__place along, at = bg__point_at(e, fractions[i], &along);
            at = beside(l, at, along, width, side != 0);
            bg__box box = label_box(l, at, width);
            double cost = cost_of(l, edge, &box) + (side != 0 ? ASKEW : 0.0) +
                          AWAY * fabs(fractions[i] - 0.5);
            best = cost < least ? at : best;
            least = fmin(cost, least);
        }
    }
    return best;
}

/* The place of one of two labels of an edge, on one side. */
static bg__place beside_end(const placer *l, const bg__edge *e, bool at_head, double width,
                            bool is_right)
{
    bg__place along = bg__direction_at(e, at_head);
    double back = (width * fabs(along.x) + height_of(l) * fabs(along.y)) / 2.0 + 2.0 * ASIDE;
    bg__place end = e->places[at_head ? e->n_places - 1 : 0];

    return beside(l, bg__place_beside(end, along, at_head ? -back : back, false), along, width,
                  is_right);
}

static bg__place end_place(const placer *l, int edge, bool at_head, double width)
{
    const bg__edge *e = &l->picture->edges.items[edge];
    bg__place left = beside_end(l, e, at_head, width, false);
    bg__place right = beside_end(l, e, at_head, width, true);
    bg__box boxes[2] = { label_box(l, left, width), label_box(l, right, width) };

    return cost_of(l, edge, &boxes[0]) <= cost_of(l, edge, &boxes[1]) + ASKEW ? left : right;
}

static void place_label(placer *l, int edge, bool at_head)
{
    bg__edge *e = &l->picture->edges.items[edge];
    double width = width_of(l, e, at_head);

    if (e->label[at_head][0] == '\0' || e->n_places == 0) {
        return;
    }
    e->label_at[at_head] = e->label[!at_head][0] == '\0' ? find_place(l, edge, width)
                                                         : end_place(l, edge, at_head, width);
    l->labels[l->n_labels++] = label_box(l, e->label_at[at_head], width);
}

static void place_dim(placer *l, int edge)
{
    bg__edge *e = &l->picture->edges.items[edge];
    double width = l->character * (e->dim < 10 ? 1.0 : 2.0);

    if (bg__shows_dim(e) && e->n_places > 0) {
        e->dim_at = find_place(l, edge, width);
        l->labels[l->n_labels++] = label_box(l, e->dim_at, width);
    }
}

/* The box around the way of an edge: Bezier curves stay inside of the hull of their points. */
static bg__box way_box(const bg__edge *e)
{
    bg__box box = { HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

    for (int k = 0; k < e->n_places; k++) {
        box.left = fmin(box.left, e->places[k].x);
        box.right = fmax(box.right, e->places[k].x);
        box.bottom = fmin(box.bottom, e->places[k].y);
        box.top = fmax(box.top, e->places[k].y);
    }
    return box;
}

static void add_titles(placer *l)
{
    const double height = bg__letters_of(l->picture)->title_height;

    for (int g = 0; g < (int) l->picture->groups.count; g++) {
        bg__place at = bg__title_place(l->picture, g);
        double half = bg__title_width(l->picture, l->picture->groups.items[g].title) / 2.0;
        l->labels[l->n_labels++] =
            (bg__box){ at.x - half, at.y - height / 2.0, at.x + half, at.y + height / 2.0 };
    }
}

static ha_status place_labels(placer *l)
{
    int n = (int) l->picture->edges.count;

    HA_TRY_ALLOC(l->picture->ctx, l->boxes, n + 1);
    HA_TRY_ALLOC(l->picture->ctx, l->labels, 3 * (size_t) n + l->picture->groups.count + 1);
    for (int i = 0; i < n; i++) {
        l->boxes[i] = way_box(&l->picture->edges.items[i]);
    }
    add_titles(l);
    for (int i = 0; i < n; i++) {
        place_label(l, i, false);
        place_label(l, i, true);
        place_dim(l, i);
    }
    return HA_OK;
}

ha_status bg__picture_place_labels(bg__picture *picture, double character)
{
    placer l = { .picture = picture, .character = character };
    ha_status status = place_labels(&l);

    HA_FREE(l.boxes, l.labels);
    return status;
}
