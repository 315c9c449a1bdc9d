/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures that have the shape of what they show. The picture falls into blocks: an outermost group
 * with all that is in it, or elements without group that are bonded to each other. Graphviz places
 * what is inside of a block; the block goes where the options say its group is, scaled so that
 * there is room for all, or to the middle of its neighbours. Then blocks that overlap push each
 * other apart, along the axis on which that takes less, until none do. Last, what is empty between
 * them closes, so that the picture is small and its text large in print: for each cut between two
 * neighbours along an axis all that is beyond comes nearer, as far as no two blocks touch and the
 * order of the centres along the axis stays, which is what the eye takes for the shape.
 */
#include <config.h>

#include "bondgraph/export_priv.h"
#include "bondgraph/export_text.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 400, /* above which the blocks would be a heap; `dot` decides then */
    MOST_PUSHES = 2000,
    ROUNDS = 20,
    MIRROR_ROUNDS = 3,
    CLOSE_ROUNDS = 4
};

#define GAP 0.4    /* between blocks [in] */
#define ROOM 1.6   /* area of the picture over that of its blocks */
#define CLOSE 0.5  /* most of the distance of two centres that a round closes */
#define WIDEST 2.0 /* scale of what is long and thin over that of a square */

typedef struct {
    bool is_given; /* its place, in the unit of the options */
    bool is_known; /* given, or from neighbours */
    bg__place place;
    bg__box box;                /* as it is inside */
    double x, y, width, height; /* [in] centre and size */
    double title;               /* height of its title */
    double flip_x, flip_y;      /* -1: mirrored */
} block;

typedef struct {
    bg__picture *picture;
    const bg_draw_options *options;
    int *block_of; /* (nodes) */
    block *blocks;
    int n;
} arranger;

/* --- blocks ----------------------------------------------------------------------------------- */

static int find_root(int *root, int node)
{
    while (root[node] != node) {
        root[node] = root[root[node]];
        node = root[node];
    }
    return node;
}

/* The place of this name; NULL: none. */
static const bg_draw_place *find_place(const bg_draw_options *options, const char *name)
{
    for (int i = 0; i < options->n_places; i++) {
        if (strcmp(options->places[i].name, name) == 0) {
            return &options->places[i];
        }
    }
    return NULL;
}

/* Joins the nodes that belong together; root is a forest over them. */
static ha_status join_nodes(arranger *a, int *root)
{
    bg__picture *p = a->picture;
    int *first_of = NULL;

    HA_TRY_ALLOC(p->ctx, first_of, p->groups.count + 1);
    for (int i = 0; i < (int) p->nodes.count; i++) {
        int group = bg__outermost(p, p->nodes.items[i].group);
        root[i] = i;
        if (group >= 0 && first_of[group] == 0) {
            first_of[group] = i + 1;
        } else if (group >= 0) {
            root[i] = find_root(root, first_of[group] - 1);
        }
    }
    ha__free(first_of);
    for (size_t i = 0; i < p->edges.count; i++) {
        const bg__edge *e = &p->edges.items[i];
        const bg__node *tail = &p->nodes.items[e->tail], *head = &p->nodes.items[e->head];
        bool is_loose = tail->group < 0 && head->group < 0 && !tail->is_box && !head->is_box;
        if (is_loose && find_place(a->options, tail->name) == NULL &&
            find_place(a->options, head->name) == NULL) {
            root[find_root(root, e->tail)] = find_root(root, e->head);
        }
    }
    return HA_OK;
}

static ha_status number_blocks(arranger *a, int *root)
{
    int n = (int) a->picture->nodes.count, *number = NULL;

    HA_TRY_ALLOC(a->picture->ctx, number, n + 1);
    for (int i = 0; i < n; i++) {
        int r = find_root(root, i);
        number[r] = number[r] == 0 ? ++a->n : number[r];
        a->block_of[i] = number[r] - 1;
    }
    ha__free(number);
    return HA_OK;
}

static ha_status make_blocks(arranger *a)
{
    bg__picture *p = a->picture;
    int *root = NULL;

    HA_TRY_ALLOC(p->ctx, a->block_of, p->nodes.count + 1);
    HA_TRY_ALLOC(p->ctx, root, p->nodes.count + 1);
    ha_status status = join_nodes(a, root);
    if (status == HA_OK) {
        status = number_blocks(a, root);
    }
    ha__free(root);
    HA_TRY(status);
    HA_TRY_ALLOC(p->ctx, a->blocks, a->n + 1);
    return HA_OK;
}

/* --- places ----------------------------------------------------------------------------------- */

static void include_box(bg__box *box, const bg__box *other, bool is_first)
{
    box->left = is_first ? other->left : fmin(box->left, other->left);
    box->right = is_first ? other->right : fmax(box->right, other->right);
    box->bottom = is_first ? other->bottom : fmin(box->bottom, other->bottom);
    box->top = is_first ? other->top : fmax(box->top, other->top);
}

/* The boxes of the blocks as Graphviz made them, and the places that are given. */
static void measure_blocks(arranger *a)
{
    bg__picture *p = a->picture;

    for (size_t i = 0; i < p->nodes.count; i++) {
        const bg__node *node = &p->nodes.items[i];
        block *b = &a->blocks[a->block_of[i]];
        int group = bg__outermost(p, node->group);
        const bg_draw_place *place =
            find_place(a->options, group >= 0 ? p->groups.items[group].name : node->name);
        bg__box box = { node->x - node->width / 2.0, node->y - node->height / 2.0,
                        node->x + node->width / 2.0, node->y + node->height / 2.0 };
        if (group >= 0 && b->width == 0.0) {
            box = bg__group_box(p, group);
            b->title = BG__TITLE_HEIGHT;
        }
        include_box(&b->box, &box, b->width == 0.0);
        b->width = b->box.right - b->box.left;
        b->height = b->box.top - b->box.bottom;
        if (place != NULL) {
            b->is_given = b->is_known = true;
            b->place = (bg__place){ place->x, place->y };
        }
    }
}

/* Blocks without a place go to the middle of their neighbours, from those that have one outwards.
 */
static ha_status guess_places(arranger *a)
{
    bg__place *sum = NULL;
    int *count = NULL;

    HA_TRY_ALLOC(a->picture->ctx, sum, a->n + 1);
    count = ha__alloc(a->picture->ctx, (size_t) a->n + 1, sizeof *count);
    for (int round = 0; round < ROUNDS && count != NULL; round++) {
        memset(sum, 0, (size_t) a->n * sizeof *sum);
        memset(count, 0, (size_t) a->n * sizeof *count);
        for (size_t i = 0; i < a->picture->edges.count; i++) {
            const bg__edge *e = &a->picture->edges.items[i];
            int ends[2] = { a->block_of[e->tail], a->block_of[e->head] };
            for (int k = 0; k < 2; k++) {
                const block *other = &a->blocks[ends[1 - k]];
                if (ends[0] != ends[1] && other->is_known && !a->blocks[ends[k]].is_given) {
                    sum[ends[k]].x += other->place.x;
                    sum[ends[k]].y += other->place.y;
                    count[ends[k]]++;
                }
            }
        }
        for (int b = 0; b < a->n; b++) {
            if (count[b] > 0) {
                a->blocks[b].place = (bg__place){ sum[b].x / count[b], sum[b].y / count[b] };
                a->blocks[b].is_known = true;
            }
        }
    }
    ha__free(sum);
    ha__free(count);
    return count == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* The area over which the places are spread: of a rectangle with the same second moments, which
   does not depend on how it is turned. */
static double spread_of(const arranger *a)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;

    for (int i = 0; i < a->n; i++) {
        n += a->blocks[i].is_known;
        x += a->blocks[i].is_known ? a->blocks[i].place.x : 0.0;
        y += a->blocks[i].is_known ? a->blocks[i].place.y : 0.0;
    }
    for (int i = 0; i < a->n; i++) {
        double dx = a->blocks[i].place.x - x / n, dy = a->blocks[i].place.y - y / n;
        xx += a->blocks[i].is_known ? dx * dx / n : 0.0;
        xy += a->blocks[i].is_known ? dx * dy / n : 0.0;
        yy += a->blocks[i].is_known ? dy * dy / n : 0.0;
    }
    return 12.0 * sqrt(fmax(xx * yy - xy * xy, 0.0));
}

/* From the unit of the options to inches, so that there is room for all blocks. */
static void scale_places(arranger *a)
{
    double area = 0.0, left = HUGE_VAL, right = -HUGE_VAL, bottom = HUGE_VAL, top = -HUGE_VAL;

    for (int i = 0; i < a->n; i++) {
        const block *b = &a->blocks[i];
        area += (b->width + GAP) * (b->height + GAP);
        if (b->is_known) {
            left = fmin(left, b->place.x);
            right = fmax(right, b->place.x);
            bottom = fmin(bottom, b->place.y);
            top = fmax(top, b->place.y);
        }
    }
    double extent = fmax(right - left, top - bottom);
    double least = extent > 0.0 ? sqrt(ROOM * area) / extent : 0.0;
    double spread = spread_of(a);
    double scale = spread > 0.0 ? sqrt(ROOM * area / spread) : HUGE_VAL;
    scale = fmin(fmax(scale, least), WIDEST * least);
    for (int i = 0; i < a->n; i++) {
        block *b = &a->blocks[i];
        b->flip_x = b->flip_y = 1.0;
        b->x = b->is_known ? (b->place.x - left) * scale : 0.0;
        b->y = b->is_known ? (b->place.y - bottom) * scale : -1.0;
    }
}

/* --- overlaps --------------------------------------------------------------------------------- */

/* Pushes two blocks apart; false when they do not overlap. */
static bool push(block *a, block *b)
{
    double over_x = (a->width + b->width) / 2.0 + GAP - fabs(a->x - b->x);
    double over_y = (a->height + b->height) / 2.0 + GAP - fabs(a->y - b->y);

    if (over_x <= 1e-6 || over_y <= 1e-6) {
        return false;
    }
    if (over_x < over_y) {
        double step = (a->x <= b->x ? -over_x : over_x) / 2.0;
        a->x += step;
        b->x -= step;
    } else {
        double step = (a->y >= b->y ? over_y : -over_y) / 2.0;
        a->y += step;
        b->y -= step;
    }
    return true;
}

static void push_apart(arranger *a)
{
    bool is_moved = true;

    for (int n = 0; n < MOST_PUSHES && is_moved; n++) {
        is_moved = false;
        for (int i = 0; i < a->n; i++) {
            for (int k = i + 1; k < a->n; k++) {
                is_moved = push(&a->blocks[i], &a->blocks[k]) || is_moved;
            }
        }
    }
}

/* --- gaps ------------------------------------------------------------------------------------- */

/* The coordinate and the size of a block along an axis. */
static double *centre_of(block *b, bool is_x)
{
    return is_x ? &b->x : &b->y;
}

static double size_of(const block *b, bool is_x)
{
    return is_x ? b->width : b->height;
}

/* Sorts numbers of blocks by their coordinates along an axis; few, and nearly sorted already. */
static void sort_blocks(arranger *a, int *order, bool is_x)
{
    for (int i = 1; i < a->n; i++) {
        int moved = order[i], k = i;
        double at = *centre_of(&a->blocks[moved], is_x);
        for (; k > 0 && *centre_of(&a->blocks[order[k - 1]], is_x) > at; k--) {
            order[k] = order[k - 1];
        }
        order[k] = moved;
    }
}

/* How far two blocks can approach along an axis; HUGE_VAL when they pass each other. */
static double slack_of(block *before, block *after, bool is_x)
{
    double across = fabs(*centre_of(before, !is_x) - *centre_of(after, !is_x));
    double along = *centre_of(after, is_x) - *centre_of(before, is_x);

    if (across > (size_of(before, !is_x) + size_of(after, !is_x)) / 2.0 + GAP - 1e-6) {
        return HUGE_VAL;
    }
    return along - (size_of(before, is_x) + size_of(after, is_x)) / 2.0 - GAP;
}

static void close_axis(arranger *a, int *order, bool is_x)
{
    sort_blocks(a, order, is_x);
    for (int cut = 1; cut < a->n; cut++) {
        double step = CLOSE * (*centre_of(&a->blocks[order[cut]], is_x) -
                               *centre_of(&a->blocks[order[cut - 1]], is_x));
        for (int i = 0; i < cut; i++) {
            for (int k = cut; k < a->n; k++) {
                step = fmin(step, slack_of(&a->blocks[order[i]], &a->blocks[order[k]], is_x));
            }
        }
        for (int k = cut; k < a->n && step > 0.0; k++) {
            *centre_of(&a->blocks[order[k]], is_x) -= step;
        }
    }
}

static ha_status close_gaps(arranger *a)
{
    int *order = NULL;

    HA_TRY_ALLOC(a->picture->ctx, order, a->n + 1);
    for (int i = 0; i < a->n; i++) {
        order[i] = i;
    }
    for (int round = 0; round < CLOSE_ROUNDS; round++) {
        close_axis(a, order, true);
        close_axis(a, order, false);
    }
    ha__free(order);
    return HA_OK;
}

/* --- mirrors ---------------------------------------------------------------------------------- */

/* Where a place inside of a block goes with it. */
static bg__place move_place(const block *b, double x, double y)
{
    double middle_x = (b->box.left + b->box.right) / 2.0;
    double middle_y =
        (b->box.bottom + b->box.top - b->title) / 2.0; /* the title stays at the top */

    return (bg__place){ b->x + b->flip_x * (x - middle_x),
                        b->y - b->title / 2.0 + b->flip_y * (y - middle_y) };
}

/* Where a node goes with its block. */
static bg__place place_of(const arranger *a, int number)
{
    const bg__node *node = &a->picture->nodes.items[number];

    return move_place(&a->blocks[a->block_of[number]], node->x, node->y);
}

/* The length of the bonds and signals between a block and others. */
static double length_at(const arranger *a, int number)
{
    double sum = 0.0;

    for (size_t i = 0; i < a->picture->edges.count; i++) {
        const bg__edge *e = &a->picture->edges.items[i];
        int tail = a->block_of[e->tail], head = a->block_of[e->head];
        if (tail != head && (tail == number || head == number)) {
            bg__place from = place_of(a, e->tail), to = place_of(a, e->head);
            sum += hypot(to.x - from.x, to.y - from.y);
        }
    }
    return sum;
}

static void mirror_blocks(arranger *a)
{
    const double less = 0.98; /* of the length, so that nothing turns for nothing */

    for (int round = 0; round < MIRROR_ROUNDS; round++) {
        for (int i = 0; i < a->n; i++) {
            block *b = &a->blocks[i], best = *b;
            double shortest = length_at(a, i);
            for (int flips = 0; flips < 4; flips++) {
                b->flip_x = (flips & 1) != 0 ? -1.0 : 1.0;
                b->flip_y = (flips & 2) != 0 ? -1.0 : 1.0;
                double length = length_at(a, i);
                if (length < less * shortest) {
                    shortest = length;
                    best = *b;
                }
            }
            *b = best;
        }
    }
}

/* Moves nodes with their blocks and the ways of bonds inside of them; the others have none yet. */
static void move_all(arranger *a)
{
    bg__picture *p = a->picture;

    for (size_t i = 0; i < p->nodes.count; i++) {
        bg__place place = place_of(a, (int) i);
        p->nodes.items[i].x = place.x;
        p->nodes.items[i].y = place.y;
    }
    for (size_t i = 0; i < p->edges.count; i++) {
        bg__edge *e = &p->edges.items[i];
        const block *b = &a->blocks[a->block_of[e->tail]];
        e->n_places = a->block_of[e->head] == a->block_of[e->tail] ? e->n_places : 0;
        for (int k = 0; k < e->n_places; k++) {
            e->places[k] = move_place(b, e->places[k].x, e->places[k].y);
        }
    }
}

/* -------------------------------------------------------------------------------------------- */

static ha_status arrange(arranger *a)
{
    HA_TRY(make_blocks(a));
    if (a->n > MOST_BLOCKS) {
        return HA_OK;
    }
    HA_TRY(bg__picture_place(a->picture, BG__DOT_INSIDE));
    measure_blocks(a);
    HA_TRY(guess_places(a));
    scale_places(a);
    push_apart(a);
    HA_TRY(close_gaps(a));
    mirror_blocks(a);
    move_all(a);
    a->picture->is_placed = true;
    return HA_OK;
}

ha_status bg__picture_arrange(bg__picture *picture, const bg_draw_options *options)
{
    arranger a = { .picture = picture, .options = options };
    ha_status status = HA_OK;

    if (options->n_places == 0) {
        return HA_OK;
    }
    status = arrange(&a);
    ha__free(a.block_of);
    ha__free(a.blocks);
    return status;
}
