/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures that have the shape of what they show. The picture falls into blocks: an outermost group
 * with all that is in it, or elements without group that are bonded to each other. Graphviz places
 * what is inside of a block; the block goes where the options say its group is, or to the middle of
 * its neighbours. Blocks whose places are one, as joints that share a point, begin a little apart,
 * each towards its neighbours, so that they end around the point in the order of these.
 *
 * Places become inches by two scales, of x and of y, of which several are tried. For each, blocks
 * are packed (export_pack.c) and mirrored. The scales with the least cost (export_improve.c) are
 * taken and improved further; bonds between blocks are led around what is not theirs
 * (export_route.c).
 */
#include <config.h>

#include "bondgraph/draw/export_block.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 400, /* above which the blocks would be a heap; `dot` decides then */
    MOST_TRIED = 150,  /* blocks, for which several scales are tried */
    ROUNDS = 20,
    MIRROR_ROUNDS = 3,
    IMPROVE_ROUNDS = 4
};

#define ROOM 1.6   /* area of the picture over that of its blocks */
#define APART 0.02 /* of the way to the neighbours, for blocks of one place */
#define WIDEST 2.0 /* scale of what is long and thin over that of a square */

typedef struct {
    bg__picture *picture;
    const bg_draw_options *options;
    bg__blocks blocks;
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
        number[r] = number[r] == 0 ? ++a->blocks.n : number[r];
        a->blocks.block_of[i] = number[r] - 1;
    }
    ha__free(number);
    return HA_OK;
}

static ha_status make_blocks(arranger *a)
{
    bg__picture *p = a->picture;
    int *root = NULL;

    HA_TRY_ALLOC_EACH(p->ctx, p->nodes.count + 1, a->blocks.block_of, root);
    ha_status status = join_nodes(a, root);
    HA_THEN(status, number_blocks(a, root));
    ha__free(root);
    HA_TRY(status);
    HA_TRY_ALLOC(p->ctx, a->blocks.items, a->blocks.n + 1);
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
        bg__block *b = &a->blocks.items[a->blocks.block_of[i]];
        int group = bg__outermost(p, node->group);
        const bg_draw_place *place =
            find_place(a->options, group >= 0 ? p->groups.items[group].name : node->name);
        bg__box box = { node->x - node->width / 2.0, node->y - node->height / 2.0,
                        node->x + node->width / 2.0, node->y + node->height / 2.0 };
        if (group >= 0 && b->width == 0.0) {
            box = bg__group_box(p, group);
            b->title = bg__letters_of(p)->title_height;
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

/* Puts blocks without a given place in the middle of their neighbours that have one; `sum` and
   `count` (blocks) are zero. */
static void guess_once(arranger *a, bg__place *sum, int *count)
{
    for (size_t i = 0; i < a->picture->edges.count; i++) {
        const bg__edge *e = &a->picture->edges.items[i];
        int ends[2] = { a->blocks.block_of[e->tail], a->blocks.block_of[e->head] };
        for (int k = 0; k < 2 && ends[0] != ends[1]; k++) {
            const bg__block *other = &a->blocks.items[ends[1 - k]];
            if (other->is_known && !a->blocks.items[ends[k]].is_given) {
                sum[ends[k]].x += other->place.x;
                sum[ends[k]].y += other->place.y;
                count[ends[k]]++;
            }
        }
    }
    for (int b = 0; b < a->blocks.n; b++) {
        if (count[b] > 0) {
            a->blocks.items[b].place = (bg__place){ sum[b].x / count[b], sum[b].y / count[b] };
            a->blocks.items[b].is_known = true;
        }
    }
}

/* The same for all blocks, from those that have a place outwards. */
static ha_status guess_places(arranger *a)
{
    bg__place *sum = ha__alloc(a->picture->ctx, (size_t) a->blocks.n + 1, sizeof *sum);
    int *count = ha__alloc(a->picture->ctx, (size_t) a->blocks.n + 1, sizeof *count);
    ha_status status = sum == NULL || count == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int round = 0; round < ROUNDS && status == HA_OK; round++) {
        memset(sum, 0, (size_t) a->blocks.n * sizeof *sum);
        memset(count, 0, (size_t) a->blocks.n * sizeof *count);
        guess_once(a, sum, count);
    }
    HA_FREE(sum, count);
    return status;
}

/* The name of the group or of the first element of a block. */
static const char *name_of(const arranger *a, int number)
{
    const bg__picture *p = a->picture;

    for (size_t i = 0; i < p->nodes.count; i++) {
        int group = bg__outermost(p, p->nodes.items[i].group);
        if (a->blocks.block_of[i] == number) {
            return group >= 0 ? p->groups.items[group].name : p->nodes.items[i].name;
        }
    }
    return "";
}

/* A block without place or neighbours goes to what it belongs to by its name, as `B.held` to `B`;
   else below all. */
static void place_others(arranger *a)
{
    double left = HUGE_VAL, bottom = HUGE_VAL, top = -HUGE_VAL;

    for (int i = 0; i < a->blocks.n; i++) {
        const bg__block *b = &a->blocks.items[i];
        left = b->is_known ? fmin(left, b->place.x) : left;
        bottom = b->is_known ? fmin(bottom, b->place.y) : bottom;
        top = b->is_known ? fmax(top, b->place.y) : top;
    }
    for (int i = 0; i < a->blocks.n; i++) {
        bg__block *b = &a->blocks.items[i];
        const char *name = name_of(a, i), *dot = strchr(name, '.');
        if (b->is_known) {
            continue;
        }
        b->place = (bg__place){ left, bottom - (top - bottom) / 2.0 };
        for (int k = 0; k < a->blocks.n && dot != NULL; k++) {
            const char *other = name_of(a, k);
            size_t length = (size_t) (dot - name);
            if (strncmp(name, other, length) == 0 && other[length] == '\0') {
                b->place = a->blocks.items[k].place;
            }
        }
    }
    for (int i = 0; i < a->blocks.n; i++) {
        a->blocks.items[i].is_known = true;
    }
}

/* The area over which the places are spread: of a rectangle with the same second moments, which
   does not depend on how it is turned. */
static double spread_of(const arranger *a)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;

    for (int i = 0; i < a->blocks.n; i++) {
        n += a->blocks.items[i].is_known;
        x += a->blocks.items[i].is_known ? a->blocks.items[i].place.x : 0.0;
        y += a->blocks.items[i].is_known ? a->blocks.items[i].place.y : 0.0;
    }
    for (int i = 0; i < a->blocks.n; i++) {
        double dx = a->blocks.items[i].place.x - x / n, dy = a->blocks.items[i].place.y - y / n;
        xx += a->blocks.items[i].is_known ? dx * dx / n : 0.0;
        xy += a->blocks.items[i].is_known ? dx * dy / n : 0.0;
        yy += a->blocks.items[i].is_known ? dy * dy / n : 0.0;
    }
    return 12.0 * sqrt(fmax(xx * yy - xy * xy, 0.0));
}

/* From the unit of the options to inches, so that there is room for all blocks. */
static double find_scale(const arranger *a)
{
    double area = 0.0, left = HUGE_VAL, right = -HUGE_VAL, bottom = HUGE_VAL, top = -HUGE_VAL;

    for (int i = 0; i < a->blocks.n; i++) {
        const bg__block *b = &a->blocks.items[i];
        area += (b->width + BG__GAP) * (b->height + BG__GAP);
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
    return fmin(fmax(scale, least), WIDEST * least);
}

/* The middle of the places of the neighbours of each block, itself where there is none. */
static ha_status find_middles(const arranger *a, bg__place *middle)
{
    int *count = NULL;

    HA_TRY_ALLOC(a->picture->ctx, count, a->blocks.n + 1);
    for (size_t i = 0; i < a->picture->edges.count; i++) {
        const bg__edge *e = &a->picture->edges.items[i];
        int ends[2] = { a->blocks.block_of[e->tail], a->blocks.block_of[e->head] };
        for (int k = 0; k < 2 && ends[0] != ends[1] && e->kind != BG__EDGE_SIGNAL; k++) {
            middle[ends[k]].x += a->blocks.items[ends[1 - k]].place.x;
            middle[ends[k]].y += a->blocks.items[ends[1 - k]].place.y;
            count[ends[k]]++;
        }
    }
    for (int b = 0; b < a->blocks.n; b++) {
        middle[b].x = count[b] > 0 ? middle[b].x / count[b] : a->blocks.items[b].place.x;
        middle[b].y = count[b] > 0 ? middle[b].y / count[b] : a->blocks.items[b].place.y;
    }
    ha__free(count);
    return HA_OK;
}

/* Puts the blocks where their places are by two scales, those of one place a little apart. */
static void put_blocks(arranger *a, const bg__place *middle, double scale_x, double scale_y)
{
    for (int i = 0; i < a->blocks.n; i++) {
        bg__block *b = &a->blocks.items[i];
        b->flip_x = b->flip_y = 1.0;
        b->x = scale_x * (b->place.x + APART * (middle[i].x - b->place.x));
        b->y = scale_y * (b->place.y + APART * (middle[i].y - b->place.y));
    }
}

/* --- mirrors ---------------------------------------------------------------------------------- */

/* The length of the bonds and signals between a block and others. */
static double length_at(const arranger *a, int number)
{
    double sum = 0.0;

    for (size_t i = 0; i < a->picture->edges.count; i++) {
        const bg__edge *e = &a->picture->edges.items[i];
        int tail = a->blocks.block_of[e->tail], head = a->blocks.block_of[e->head];
        if (tail != head && (tail == number || head == number)) {
            bg__place from = bg__block_place(&a->blocks, e->tail),
                      to = bg__block_place(&a->blocks, e->head);
            sum += hypot(to.x - from.x, to.y - from.y);
        }
    }
    return sum;
}

static void mirror_blocks(arranger *a)
{
    const double less = 0.98; /* of the length, so that nothing turns for nothing */

    for (int round = 0; round < MIRROR_ROUNDS; round++) {
        for (int i = 0; i < a->blocks.n; i++) {
            bg__block *b = &a->blocks.items[i], best = *b;
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
        bg__place place = bg__block_place(&a->blocks, (int) i);
        p->nodes.items[i].x = place.x;
        p->nodes.items[i].y = place.y;
    }
    for (size_t i = 0; i < p->edges.count; i++) {
        bg__edge *e = &p->edges.items[i];
        const bg__block *b = &a->blocks.items[a->blocks.block_of[e->tail]];
        e->n_places = a->blocks.block_of[e->head] == a->blocks.block_of[e->tail] ? e->n_places : 0;
        for (int k = 0; k < e->n_places; k++) {
            e->places[k] = bg__block_move(b, e->places[k]);
        }
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Tries a pair of scales, and keeps the blocks where it costs less than what is in `best`. */
static ha_status try_scales(arranger *a, const bg__place *middle, bg__place scale, bg__block *best,
                            double *least)
{
    double cost = 0.0;

    put_blocks(a, middle, scale.x, scale.y);
    bg__blocks_push(&a->blocks);
    HA_TRY(bg__blocks_close(&a->blocks));
    mirror_blocks(a);
    HA_TRY(bg__blocks_cost(&a->blocks, &cost));
    if (cost < *least) {
        *least = cost;
        memcpy(best, a->blocks.items, (size_t) a->blocks.n * sizeof *best);
    }
    return HA_OK;
}

/* Places all blocks by the best of several scales. */
static ha_status try_all(arranger *a, bg__place *middle, bg__block *best)
{
    static const double parts[] = { 1.0, 0.7, 0.45, 1.4 };
    size_t n = a->blocks.n > MOST_TRIED ? 1 : HA_COUNT(parts);
    double scale = find_scale(a), least = HUGE_VAL;

    HA_TRY(find_middles(a, middle));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            bg__place scales = { scale * parts[i], scale * parts[k] };
            HA_TRY(try_scales(a, middle, scales, best, &least));
        }
    }
    memcpy(a->blocks.items, best, (size_t) a->blocks.n * sizeof *best);
    return HA_OK;
}

/* Improves the blocks and closes what is empty between them, in turn, as long as that costs less;
   `best` has room for them. */
static ha_status improve(arranger *a, bg__block *best)
{
    double least = HUGE_VAL, cost = 0.0;

    for (int round = 0; round < IMPROVE_ROUNDS; round++) {
        HA_TRY(bg__blocks_improve(&a->blocks));
        HA_TRY(bg__blocks_cost(&a->blocks, &cost));
        if (cost >= least) {
            break;
        }
        least = cost;
        memcpy(best, a->blocks.items, (size_t) a->blocks.n * sizeof *best);
        HA_TRY(bg__blocks_close(&a->blocks));
    }
    memcpy(a->blocks.items, best, (size_t) a->blocks.n * sizeof *best);
    return HA_OK;
}

static ha_status place_blocks(arranger *a)
{
    bg__place *middle = ha__alloc(a->picture->ctx, (size_t) a->blocks.n + 1, sizeof *middle);
    bg__block *best = ha__alloc(a->picture->ctx, (size_t) a->blocks.n + 1, sizeof *best);
    ha_status status = middle == NULL || best == NULL ? HA_ERR_MEMORY : try_all(a, middle, best);

    HA_THEN(status, improve(a, best));
    HA_FREE(middle, best);
    return status;
}

static ha_status arrange(arranger *a)
{
    HA_TRY(make_blocks(a));
    if (a->blocks.n > MOST_BLOCKS || a->blocks.n == 0) {
        return HA_OK;
    }
    HA_TRY(bg__picture_place_blocks(a->picture));
    measure_blocks(a);
    HA_TRY(guess_places(a));
    place_others(a);
    HA_TRY(place_blocks(a));
    move_all(a);
    HA_TRY(bg__blocks_route(&a->blocks));
    a->picture->is_placed = true;
    return HA_OK;
}

ha_status bg__picture_arrange(bg__picture *picture, const bg_draw_options *options)
{
    arranger a = { .picture = picture, .options = options, .blocks = { .picture = picture } };

    if (options->n_places == 0) {
        return HA_OK;
    }
    ha_status status = arrange(&a);
    HA_FREE(a.blocks.block_of, a.blocks.items);
    return status;
}
