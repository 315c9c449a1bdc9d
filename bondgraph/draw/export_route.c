/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways of bonds and signals between blocks. A way is the shortest chain of straight lines from
 * the middle of one node to the middle of the other that comes through no obstacle: no block but
 * those at its ends, and no other node of these. A shortest way bends at corners of obstacles only.
 * Only obstacles that are in the way matter, so that they are found one after the other:
 *
 *   1. the shortest way along corners of the obstacles known so far (Dijkstra)
 *   2. done when it meets no other obstacle; else these are known, too, and again
 *
 * Bonds that bend at the same corner take it one outside of the other. Then the way is cut at the
 * outlines of its ends, and its bends are made round: an arc inside of the triangle of a bend whose
 * sides are ROUND long stays clear of the obstacle, whose corner is sqrt(2) MARGIN away from the
 * bend. Bonds between the same two nodes lie side by side.
 */
#include <config.h>

#include "bondgraph/draw/export_block.h"

#include <math.h>
#include <string.h>

#define MARGIN 0.09  /* [in] from a block to a bend */
#define LANE 0.065   /* [in] to the next bond around the same corner */
#define SHARED 0.3   /* [in] of length that running over another bond there is worth */
#define NARROW 0.05  /* [in] from a node to a bend */
#define CLEAR 0.04   /* [in] less than the margin: what a way may not come into */
#define ROUND 0.12   /* [in] */
#define STRAIGHT 0.2 /* [in] of a way at its ends, for strokes and arrows */
#define BEND 0.12    /* [in] of length that a bend is worth */
#define BESIDE 0.12  /* [in] between bonds of the same two nodes */
#define ENOUGH 0.015 /* [in] between the outline of a node and a bond */

enum { LANES = 3, MOST_KNOWN = 60 };

typedef struct {
    bg__box box;
    double margin;
    int bends[4]; /* ways that bend at its corners */
} obstacle;

/* A corner of an obstacle, or an end of the way. */
typedef struct {
    bg__place place;
    int corner;    /* 4 obstacle + number, -1: an end */
    double more;   /* counts as length */
    double length; /* from the start */
    int before;
    bool is_done;
} stop;

typedef struct {
    bg__blocks *blocks;
    obstacle *obstacles; /* (blocks + nodes) */
    bool *is_in_way;     /* likewise, for this bond */
    int known[MOST_KNOWN], n_known;
    stop stops[8 * MOST_KNOWN + 2];
    int n_stops;
    int *bends; /* (n_bends) stops of the way that was found, from the head to the tail */
    int n_bends;
    bg__place *points; /* room for a way */
} router;

/* --- obstacles -------------------------------------------------------------------------------- */

static bg__box widen(bg__box box, double by)
{
    return (bg__box){ box.left - by, box.bottom - by, box.right + by, box.top + by };
}

static bg__box node_box(const bg__node *n)
{
    return (bg__box){ n->x - n->width / 2.0, n->y - n->height / 2.0, n->x + n->width / 2.0,
                      n->y + n->height / 2.0 };
}

static ha_status make_obstacles(router *r)
{
    const bg__picture *p = r->blocks->picture;
    size_t n = (size_t) r->blocks->n + p->nodes.count;

    HA_TRY_ALLOC_EACH(p->ctx, n + 1, r->obstacles, r->is_in_way);
    HA_TRY_ALLOC_EACH(p->ctx, 8 * MOST_KNOWN + 2, r->bends, r->points);
    for (int i = 0; i < r->blocks->n; i++) {
        r->obstacles[i] = (obstacle){ bg__block_box(&r->blocks->items[i]), MARGIN, { 0 } };
    }
    for (size_t i = 0; i < p->nodes.count; i++) {
        r->obstacles[(size_t) r->blocks->n + i] =
            (obstacle){ node_box(&p->nodes.items[i]), NARROW, { 0 } };
    }
    return HA_OK;
}

/* What may be in the way of a bond: other blocks, and other nodes of its own two. */
static void find_obstacles(router *r, const bg__edge *e, bool has_nodes)
{
    const bg__blocks *blocks = r->blocks;
    int tail = blocks->block_of[e->tail], head = blocks->block_of[e->head];

    for (int i = 0; i < blocks->n; i++) {
        r->is_in_way[i] = i != tail && i != head;
    }
    for (int i = 0; i < (int) blocks->picture->nodes.count; i++) {
        bool is_theirs = blocks->block_of[i] == tail || blocks->block_of[i] == head;
        r->is_in_way[blocks->n + i] = has_nodes && is_theirs && i != e->tail && i != e->head;
    }
    r->n_known = 0;
}

static bool meets(const router *r, int number, bg__place a, bg__place b)
{
    const obstacle *o = &r->obstacles[number];
    bg__box box = widen(o->box, o->margin - CLEAR);

    return bg__segment_meets(a, b, &box);
}

/* --- the shortest way ------------------------------------------------------------------------- */

static bool is_seen(const router *r, bg__place a, bg__place b)
{
    for (int i = 0; i < r->n_known; i++) {
        if (meets(r, r->known[i], a, b)) {
            return false;
        }
    }
    return true;
}

static void add_stop(router *r, bg__place place, int corner, double more)
{
    r->stops[r->n_stops++] = (stop){ place, corner, more, HUGE_VAL, -1, false };
}

/* A corner of an obstacle, in the lane with that number. */
static void add_corner(router *r, int number, int corner, int lane, double more)
{
    const obstacle *o = &r->obstacles[number];
    bg__box box = widen(o->box, o->margin + LANE * lane);

    add_stop(r,
             (bg__place){ (corner & 1) != 0 ? box.right : box.left,
                          (corner & 2) != 0 ? box.top : box.bottom },
             4 * number + corner, more);
}

/* The corners of the known obstacles, each in the lane that is next there; and in the first one, as
   another obstacle may take the room of the others. */
static void make_stops(router *r, bg__place from, bg__place to)
{
    r->n_stops = 0;
    add_stop(r, from, -1, 0.0);
    add_stop(r, to, -1, 0.0);
    for (int i = 0; i < r->n_known; i++) {
        for (int corner = 0; corner < 4; corner++) {
            int lane = r->obstacles[r->known[i]].bends[corner] % LANES;
            add_corner(r, r->known[i], corner, 0, lane > 0 ? SHARED : 0.0);
            if (lane > 0) {
                add_corner(r, r->known[i], corner, lane, 0.0);
            }
        }
    }
}

/* The way through the stops (Dijkstra); false when there is none. */
static bool find_shortest(router *r)
{
    int at = 0;

    for (r->stops[0].length = 0.0; at != 1;) {
        int next = -1;
        r->stops[at].is_done = true;
        for (int i = 0; i < r->n_stops; i++) {
            stop *s = &r->stops[i];
            double length =
                r->stops[at].length + BEND + s->more +
                hypot(s->place.x - r->stops[at].place.x, s->place.y - r->stops[at].place.y);
            if (!s->is_done && length < s->length && is_seen(r, r->stops[at].place, s->place)) {
                s->length = length;
                s->before = at;
            }
            if (!s->is_done && s->length < (next < 0 ? HUGE_VAL : r->stops[next].length)) {
                next = i;
            }
        }
        if (next < 0) {
            return false;
        }
        at = next;
    }
    r->n_bends = 0;
    for (int i = 1; i >= 0; i = r->stops[i].before) {
        r->bends[r->n_bends++] = i;
    }
    return true;
}

/* Knows what the way that was found meets; true when that is nothing new. */
static bool is_clear(router *r)
{
    int n = r->blocks->n + (int) r->blocks->picture->nodes.count, before = r->n_known;

    for (int o = 0; o < n; o++) {
        for (int i = 0; r->is_in_way[o] && i + 1 < r->n_bends && r->n_known < MOST_KNOWN; i++) {
            if (meets(r, o, r->stops[r->bends[i]].place, r->stops[r->bends[i + 1]].place)) {
                r->known[r->n_known++] = o;
                r->is_in_way[o] = false;
            }
        }
    }
    return r->n_known == before;
}

static bool find_way(router *r, const bg__edge *e, bool has_nodes, bg__place from, bg__place to)
{
    find_obstacles(r, e, has_nodes);
    do {
        make_stops(r, from, to);
        if (!find_shortest(r)) {
            return false;
        }
    } while (!is_clear(r));
    return true;
}

/* --- ends and bends --------------------------------------------------------------------------- */

/* Whether a place is inside of the outline of a node. */
static bool is_inside(const bg__node *n, bg__place at)
{
    double x = fabs(at.x - n->x), y = fabs(at.y - n->y);

    if (n->is_junction && n->small[0][0] == '\0') {
        return hypot(x, y) < n->width / 2.0 + ENOUGH;
    }
    return x < n->width / 2.0 + ENOUGH && y < n->height / 2.0 + ENOUGH;
}

/* Where the line from a place inside of a node to one outside leaves it. */
static bg__place leave(const bg__node *n, bg__place inside, bg__place outside)
{
    for (int step = 0; step < 40; step++) {
        bg__place middle = { (inside.x + outside.x) / 2.0, (inside.y + outside.y) / 2.0 };
        if (is_inside(n, middle)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return outside;
}

/* Cuts the points of a way at the outlines of its ends; returns their number. */
static int cut_ends(const bg__picture *p, const bg__edge *e, bg__place *points, int n)
{
    const bg__node *tail = &p->nodes.items[e->tail], *head = &p->nodes.items[e->head];
    int first = 0, last = n - 1;

    while (first + 1 < last && is_inside(tail, points[first + 1])) {
        first++;
    }
    while (last - 1 > first && is_inside(head, points[last - 1])) {
        last--;
    }
    bg__place start = leave(tail, points[first], points[first + 1]);
    points[last] = leave(head, points[last], points[last - 1]);
    points[first] = start;
    memmove(points, points + first, (size_t) (last - first + 1) * sizeof *points);
    return last - first + 1;
}

static bg__place part_of(bg__place a, bg__place b, double t)
{
    return (bg__place){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
}

static double distance(bg__place a, bg__place b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

/* How much of the line from a bend to its neighbour is round; `is_end`: that is where a node is. */
static double round_part(bg__place bend, bg__place next, bool is_end)
{
    double length = distance(bend, next);

    return fmin(ROUND, is_end ? fmax(length - STRAIGHT, 0.0) : length / 2.0);
}

/* Adds a straight line as a Bezier curve. */
static void add_line(bg__edge *e, bg__place to)
{
    bg__place from = e->places[e->n_places - 1];

    for (int i = 1; i <= 3; i++) {
        e->places[e->n_places++] = part_of(from, to, i / 3.0);
    }
}

/* The points of a way as Bezier curves: lines, and arcs of second order at the bends. */
static ha_status make_curves(router *r, bg__edge *e, int n)
{
    bg__picture *p = r->blocks->picture;
    const bg__place *at = r->points;

    HA_TRY_GET(e->places, ha__arena_alloc(p->ctx, &p->arena, (size_t) (6 * n), sizeof *e->places));
    e->places[0] = at[0];
    e->n_places = 1;
    for (int i = 1; i + 1 < n; i++) {
        double in = distance(at[i - 1], at[i]), out = distance(at[i], at[i + 1]);
        double size =
            fmin(round_part(at[i], at[i - 1], i == 1), round_part(at[i], at[i + 1], i + 2 == n));
        bg__place start = part_of(at[i], at[i - 1], in > 0.0 ? size / in : 0.0);
        bg__place end = part_of(at[i], at[i + 1], out > 0.0 ? size / out : 0.0);
        add_line(e, start);
        e->places[e->n_places++] = part_of(start, at[i], 2.0 / 3.0);
        e->places[e->n_places++] = part_of(end, at[i], 2.0 / 3.0);
        e->places[e->n_places++] = end;
    }
    add_line(e, at[n - 1]);
    return HA_OK;
}

/* --- all ways --------------------------------------------------------------------------------- */

static bool is_same_pair(const bg__edge *a, const bg__edge *b)
{
    return (a->tail == b->tail && a->head == b->head) || (a->tail == b->head && a->head == b->tail);
}

/* How far from the middles of its nodes a bond runs, to the right of the way from the node with the
   lower number, so that those between the same two lie side by side. */
static double lane_of(const bg__picture *p, size_t edge)
{
    const bg__edge *e = &p->edges.items[edge];
    int before = 0, n = 0;

    for (size_t i = 0; i < p->edges.count; i++) {
        if (is_same_pair(e, &p->edges.items[i])) {
            before += i < edge;
            n++;
        }
    }
    double side = BESIDE * (before - (n - 1) / 2.0);
    return e->tail < e->head ? side : -side;
}

static ha_status route(router *r, size_t edge)
{
    bg__picture *p = r->blocks->picture;
    bg__edge *e = &p->edges.items[edge];
    const bg__node *tail = &p->nodes.items[e->tail], *head = &p->nodes.items[e->head];
    bg__place from = { tail->x, tail->y }, to = { head->x, head->y };
    double length = distance(from, to), lane = lane_of(p, edge);

    if (length > 0.0 && lane != 0.0) {
        bg__place along = { (to.x - from.x) / length, (to.y - from.y) / length };
        from = bg__place_beside(from, along, lane, true);
        to = bg__place_beside(to, along, lane, true);
    }
    /* nodes may lie so close together that there is no way between them; blocks do not */
    if (!find_way(r, e, true, from, to) && !find_way(r, e, false, from, to)) {
        r->bends[0] = 1;
        r->bends[1] = 0;
        r->n_bends = 2;
    }
    for (int i = 0; i < r->n_bends; i++) {
        const stop *s = &r->stops[r->bends[r->n_bends - 1 - i]];
        r->points[i] = s->place;
        if (s->corner >= 0) {
            r->obstacles[s->corner / 4].bends[s->corner % 4]++;
        }
    }
    return make_curves(r, e, cut_ends(p, e, r->points, r->n_bends));
}

ha_status bg__blocks_route(bg__blocks *blocks)
{
    bg__picture *p = blocks->picture;
    router *r = ha__alloc(p->ctx, 1, sizeof *r);
    ha_status status = r == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        r->blocks = blocks;
        status = make_obstacles(r);
    }
    for (size_t i = 0; i < p->edges.count && status == HA_OK; i++) {
        const bg__edge *e = &p->edges.items[i];
        if (blocks->block_of[e->tail] != blocks->block_of[e->head]) {
            status = route(r, i);
        }
    }
    if (r != NULL) {
        HA_FREE(r->obstacles, r->is_in_way, r->bends, r->points);
    }
    ha__free(r);
    return status;
}
