/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture in the shape of a mechanism is easy to read when few bonds cross. Its cost is
 *
 *   THROUGH   for each bond whose straight line comes through a block that is not at its end
 *   CROSSED   for each two bonds whose straight lines cross
 *   LENGTH    for each inch of a bond
 *   OVER      for each node of the blocks at its ends that its line comes through
 *   INSIDE    more for each inch of it that is inside of the blocks at its ends, among their bonds
 *   SIZE      for each inch of the width and of the height of the whole; WIDE more for each inch by
 *             which one of them is above PROPORTION times the other
 *   TURNED    for each two blocks that lie otherwise along an axis than their places do, times the
 *             difference of these over the extent of all places
 *   STRAY     for each inch between two blocks along an axis on which their places are one, over
 *             the number of blocks
 *
 * where a signal counts as a part of a bond, since it is drawn faintly. The search is a descent:
 * block by block, the best of moves on circles around it and to the sides of blocks that it is
 * bonded to or has one place with, with mirrors, and of exchanges with another block, as long as no
 * two blocks come nearer than the gap. It ends where no block can do better, or after a number of
 * tests of lines against boxes and lines, so that the same picture comes out every time and soon.
 */
#include <config.h>

#include "bondgraph/draw/export_block.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROUNDS = 12,
    MOST_TESTS = 20000000, /* of lines and boxes: about a second */
    DIRECTIONS = 16
};

#define THROUGH 3.0
#define CROSSED 1.5
#define LENGTH 0.15
#define OVER 1.0
#define INSIDE 0.5
#define SIZE 0.25
#define WIDE 0.5
#define PROPORTION 1.8
#define TURNED 4.0
#define STRAY 0.6
#define NEAR 0.05     /* of the extent: places that count as one */
#define SIGNAL 0.2    /* of a bond */
#define LESS 1e-3     /* by which a move has to be better */
#define CLEARANCE 0.1 /* between a bond and a block that it passes [in] */

typedef struct {
    bg__blocks *blocks;
    int *edges;      /* (n_edges) those between blocks */
    bg__place *ends; /* (2 n_edges) */
    double *weights; /* (n_edges) */
    int n_edges;
    bool *has_sides;   /* (blocks) it looks otherwise in a mirror */
    int *first, *next; /* (blocks), (nodes): the nodes of a block, -1: no other */
    double extent;     /* of the given places */
    long n_tests;
} searcher;

/* --- cost ------------------------------------------------------------------------------------- */

/* Twice the area of a triangle, with its sign. */
static double area(bg__place a, bg__place b, bg__place c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool do_cross(const bg__place a[2], const bg__place b[2])
{
    return area(a[0], a[1], b[0]) * area(a[0], a[1], b[1]) < 0.0 &&
           area(b[0], b[1], a[0]) * area(b[0], b[1], a[1]) < 0.0;
}

static int end_of(const searcher *s, int edge, bool at_head)
{
    const bg__edge *e = &s->blocks->picture->edges.items[s->edges[edge]];

    return s->blocks->block_of[at_head ? e->head : e->tail];
}

/* The ends of the bonds of a block; -1: of all. */
static void find_ends(searcher *s, int block)
{
    for (int i = 0; i < s->n_edges; i++) {
        const bg__edge *e = &s->blocks->picture->edges.items[s->edges[i]];
        if (block < 0 || end_of(s, i, false) == block || end_of(s, i, true) == block) {
            s->ends[2 * i] = bg__block_place(s->blocks, e->tail);
            s->ends[2 * i + 1] = bg__block_place(s->blocks, e->head);
        }
    }
}

/* The cost of a bond coming through a block. */
static double cost_through(const searcher *s, int edge, int block)
{
    bg__box box = bg__block_box(&s->blocks->items[block]);

    box.left -= CLEARANCE;
    box.right += CLEARANCE;
    box.bottom -= CLEARANCE;
    box.top += CLEARANCE;
    return bg__segment_meets(s->ends[2 * edge], s->ends[2 * edge + 1], &box)
               ? THROUGH * s->weights[edge]
               : 0.0;
}

/* The cost of the length of a bond. */
static double cost_of_length(const searcher *s, int edge)
{
    const bg__place *ends = &s->ends[2 * edge];
    double length = hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y), inside = 0.0;

    for (int at_head = 0; at_head < 2; at_head++) {
        bg__box box = bg__block_box(&s->blocks->items[end_of(s, edge, at_head != 0)]);
        inside += bg__segment_inside(ends[0], ends[1], &box);
    }
    return s->weights[edge] * length * (LENGTH + INSIDE * inside);
}

/* The cost of the nodes of its own blocks that a bond comes through. */
static double cost_over(searcher *s, int edge)
{
    const bg__picture *p = s->blocks->picture;
    const bg__edge *e = &p->edges.items[s->edges[edge]];
    double cost = 0.0;

    for (int at_head = 0; at_head < 2; at_head++) {
        int block = end_of(s, edge, at_head != 0);
        for (int i = s->first[block]; i >= 0; i = s->next[i]) {
            const bg__node *n = &p->nodes.items[i];
            bg__place at = bg__block_place(s->blocks, i);
            bg__box box = { at.x - n->width / 2.0, at.y - n->height / 2.0, at.x + n->width / 2.0,
                            at.y + n->height / 2.0 };
            bool is_hit = i != e->tail && i != e->head &&
                          bg__segment_meets(s->ends[2 * edge], s->ends[2 * edge + 1], &box);
            cost += is_hit ? OVER * s->weights[edge] : 0.0;
            s->n_tests++;
        }
    }
    return cost;
}

/* The cost of a bond for itself and with those that come after it, or, where it is one of a moved
   block, with all. */
static double cost_of_edge(searcher *s, int edge, int moved)
{
    const bg__place *ends = &s->ends[2 * edge];
    double cost = cost_of_length(s, edge) + cost_over(s, edge);

    for (int b = 0; b < s->blocks->n; b++) {
        if (b != end_of(s, edge, false) && b != end_of(s, edge, true)) {
            cost += cost_through(s, edge, b);
        }
    }
    for (int i = moved < 0 ? edge + 1 : 0; i < s->n_edges; i++) {
        cost += do_cross(ends, &s->ends[2 * i]) ? CROSSED * s->weights[edge] * s->weights[i] : 0.0;
    }
    return cost;
}

/* The cost of two blocks that do not lie along an axis as their places do, from the differences of
   their places and of their centres. */
static double cost_along(const searcher *s, double place, double centre)
{
    double part = place / s->extent;

    if (fabs(part) <= NEAR) {
        return STRAY * fabs(centre) / s->blocks->n;
    }
    return part * centre <= 0.0 ? TURNED * fabs(part) : 0.0;
}

static double cost_turned(const searcher *s, const bg__block *a, const bg__block *b)
{
    if (!a->is_given || !b->is_given) {
        return 0.0;
    }
    return cost_along(s, b->place.x - a->place.x, b->x - a->x) +
           cost_along(s, b->place.y - a->place.y, b->y - a->y);
}

static double cost_of_size(const searcher *s)
{
    bg__box all = bg__block_box(&s->blocks->items[0]);

    for (int i = 1; i < s->blocks->n; i++) {
        bg__box box = bg__block_box(&s->blocks->items[i]);
        all.left = fmin(all.left, box.left);
        all.right = fmax(all.right, box.right);
        all.bottom = fmin(all.bottom, box.bottom);
        all.top = fmax(all.top, box.top);
    }
    double width = all.right - all.left, height = all.top - all.bottom;
    return SIZE * (width + height) +
           WIDE * fmax(fmax(width, height) - PROPORTION * fmin(width, height), 0.0);
}

/* What changes when a block moves. */
static double cost_around(searcher *s, int block)
{
    double cost = cost_of_size(s);

    find_ends(s, block);
    s->n_tests += s->n_edges + s->blocks->n;
    for (int i = 0; i < s->n_edges; i++) {
        bool is_own = end_of(s, i, false) == block || end_of(s, i, true) == block;
        cost += is_own ? cost_of_edge(s, i, block) : cost_through(s, i, block);
        s->n_tests += is_own ? s->n_edges + s->blocks->n : 0;
    }
    for (int b = 0; b < s->blocks->n; b++) {
        cost += cost_turned(s, &s->blocks->items[block], &s->blocks->items[b]);
    }
    return cost;
}

static double cost_of_all(searcher *s)
{
    double cost = cost_of_size(s);

    find_ends(s, -1);
    for (int i = 0; i < s->n_edges; i++) {
        cost += cost_of_edge(s, i, -1);
    }
    for (int a = 0; a < s->blocks->n; a++) {
        for (int b = a + 1; b < s->blocks->n; b++) {
            cost += cost_turned(s, &s->blocks->items[a], &s->blocks->items[b]);
        }
    }
    return cost;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* Whether a block has its gap to all others. */
static bool is_free(searcher *s, int block)
{
    const bg__block *a = &s->blocks->items[block];

    s->n_tests += s->blocks->n;
    for (int i = 0; i < s->blocks->n; i++) {
        const bg__block *b = &s->blocks->items[i];
        if (i != block && fabs(a->x - b->x) < (a->width + b->width) / 2.0 + BG__GAP - 1e-6 &&
            fabs(a->y - b->y) < (a->height + b->height) / 2.0 + BG__GAP - 1e-6) {
            return false;
        }
    }
    return true;
}

/* Keeps a block where it is now when that is free and better than what was best. */
static void consider(searcher *s, int block, bg__block *best, double *least)
{
    const bg__block moved = s->blocks->items[block];

    if (!is_free(s, block)) {
        return;
    }
    for (int flips = 0; flips < (s->has_sides[block] ? 4 : 1); flips++) {
        s->blocks->items[block].flip_x = (flips & 1) != 0 ? -moved.flip_x : moved.flip_x;
        s->blocks->items[block].flip_y = (flips & 2) != 0 ? -moved.flip_y : moved.flip_y;
        double cost = cost_around(s, block);
        if (cost < *least - LESS) {
            *least = cost;
            *best = s->blocks->items[block];
        }
    }
    s->blocks->items[block] = moved;
}

/* Whether two blocks are bonded, or their places are one. */
static bool belong_together(searcher *s, int i, int k)
{
    const bg__block *a = &s->blocks->items[i], *b = &s->blocks->items[k];

    s->n_tests += s->n_edges;
    for (int e = 0; e < s->n_edges; e++) {
        int tail = end_of(s, e, false), head = end_of(s, e, true);
        if ((tail == i && head == k) || (tail == k && head == i)) {
            return true;
        }
    }
    return fabs(a->place.x - b->place.x) <= NEAR * s->extent &&
           fabs(a->place.y - b->place.y) <= NEAR * s->extent;
}

/* Considers the four sides of a block. */
static void consider_sides(searcher *s, int block, int other, bg__block *best, double *least)
{
    bg__block *a = &s->blocks->items[block];
    const bg__block *b = &s->blocks->items[other];
    double x = (a->width + b->width) / 2.0 + BG__GAP, y = (a->height + b->height) / 2.0 + BG__GAP;
    const double sides[4][2] = { { x, 0.0 }, { -x, 0.0 }, { 0.0, y }, { 0.0, -y } };

    for (size_t i = 0; i < HA_COUNT(sides); i++) {
        a->x = b->x + sides[i][0];
        a->y = b->y + sides[i][1];
        consider(s, block, best, least);
    }
}

/* The best of all moves of one block; true when it moves. */
static bool move_block(searcher *s, int block)
{
    static const double steps[] = { 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2 };
    const double turn = 8.0 * atan(1.0) / DIRECTIONS;
    bg__block *b = &s->blocks->items[block];
    const bg__block start = *b;
    bg__block best = start;
    double before = cost_around(s, block), least = before;

    for (size_t i = 0; i < HA_COUNT(steps); i++) {
        for (int k = 0; k < (i == 0 ? 1 : DIRECTIONS); k++) {
            *b = start;
            b->x += steps[i] * cos(turn * k);
            b->y += steps[i] * sin(turn * k);
            consider(s, block, &best, &least);
        }
    }
    for (int other = 0; other < s->blocks->n; other++) {
        if (other != block && belong_together(s, block, other)) {
            *b = start;
            consider_sides(s, block, other, &best, &least);
        }
    }
    *b = best;
    find_ends(s, block);
    return least < before;
}

static void exchange(bg__block *a, bg__block *b)
{
    bg__place moved = { a->x, a->y };

    a->x = b->x;
    a->y = b->y;
    b->x = moved.x;
    b->y = moved.y;
}

/* Exchanges two blocks where that is better; true when it is. */
static bool exchange_blocks(searcher *s, int i, int k)
{
    bg__block *a = &s->blocks->items[i], *b = &s->blocks->items[k];

    exchange(a, b);
    bool is_allowed = is_free(s, i) && is_free(s, k);
    exchange(a, b);
    if (!is_allowed) {
        return false;
    }
    /* a bond or a pair that both share counts twice, before as after */
    double before = cost_around(s, i) + cost_around(s, k);
    exchange(a, b);
    find_ends(s, i);
    double after = cost_around(s, k) + cost_around(s, i);
    if (after < before - LESS) {
        return true;
    }
    exchange(a, b);
    find_ends(s, i);
    find_ends(s, k);
    return false;
}

static void descend(searcher *s)
{
    bool is_moved = true;

    find_ends(s, -1);
    for (int round = 0; round < MOST_ROUNDS && is_moved; round++) {
        is_moved = false;
        for (int i = 0; i < s->blocks->n && s->n_tests < MOST_TESTS; i++) {
            is_moved = move_block(s, i) || is_moved;
            for (int k = 0; k < i && s->n_tests < MOST_TESTS; k++) {
                is_moved = exchange_blocks(s, i, k) || is_moved;
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* The extent of the places that are given; 1 where there is none. */
static double extent_of(const bg__blocks *blocks)
{
    bg__box all = { HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

    for (int i = 0; i < blocks->n; i++) {
        const bg__block *b = &blocks->items[i];
        if (b->is_given) {
            all.left = fmin(all.left, b->place.x);
            all.right = fmax(all.right, b->place.x);
            all.bottom = fmin(all.bottom, b->place.y);
            all.top = fmax(all.top, b->place.y);
        }
    }
    double extent = fmax(all.right - all.left, all.top - all.bottom);
    return extent > 0.0 ? extent : 1.0;
}

static void list_nodes(searcher *s)
{
    memset(s->first, -1, (size_t) s->blocks->n * sizeof *s->first);
    for (int i = (int) s->blocks->picture->nodes.count - 1; i >= 0; i--) {
        int block = s->blocks->block_of[i];
        s->next[i] = s->first[block];
        s->first[block] = i;
    }
}

static ha_status make(bg__blocks *blocks, searcher *s)
{
    bg__picture *p = blocks->picture;

    *s = (searcher){ .blocks = blocks, .extent = extent_of(blocks) };
    HA_TRY_ALLOC(p->ctx, s->ends, 2 * p->edges.count + 1, s->next, p->nodes.count + 1);
    HA_TRY_ALLOC_EACH(p->ctx, p->edges.count + 1, s->edges, s->weights);
    HA_TRY_ALLOC_EACH(p->ctx, blocks->n + 1, s->has_sides, s->first);
    list_nodes(s);
    for (size_t i = 0; i < p->edges.count; i++) { /* it has a bond of its own */
        int tail = blocks->block_of[p->edges.items[i].tail];
        s->has_sides[tail] |= tail == blocks->block_of[p->edges.items[i].head];
    }
    for (int i = 0; i < (int) p->edges.count; i++) {
        const bg__edge *e = &p->edges.items[i];
        if (blocks->block_of[e->tail] != blocks->block_of[e->head]) {
            s->weights[s->n_edges] = e->kind == BG__EDGE_SIGNAL ? SIGNAL : 1.0;
            s->edges[s->n_edges++] = i;
        }
    }
    return HA_OK;
}

static void clear(searcher *s)
{
    HA_FREE(s->edges, s->ends, s->weights, s->has_sides, s->first, s->next);
}

ha_status bg__blocks_cost(bg__blocks *blocks, double *out)
{
    searcher s;
    ha_status status = make(blocks, &s);

    if (status == HA_OK) {
        *out = cost_of_all(&s);
    }
    clear(&s);
    return status;
}

ha_status bg__blocks_improve(bg__blocks *blocks)
{
    searcher s;
    ha_status status = make(blocks, &s);

    if (status == HA_OK) {
        descend(&s);
    }
    clear(&s);
    return status;
}
