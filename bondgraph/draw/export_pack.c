/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packs blocks. Those that overlap push each other apart, along the axis on which that takes less,
 * until none do. What is empty between them closes: for each cut between two neighbours along an
 * axis all that is beyond comes nearer, as far as no two blocks touch and the order of the centres
 * along the axis stays, which is what the eye takes for the shape.
 */
#include <config.h>

#include "bondgraph/draw/export_block.h"

#include <math.h>

enum { MOST_PUSHES = 2000, CLOSE_ROUNDS = 4 };

#define CLOSE 0.5 /* most of the distance of two centres that a round closes */

/* --- overlaps --------------------------------------------------------------------------------- */

/* Pushes two blocks apart; false when they do not overlap. */
static bool push(bg__block *a, bg__block *b)
{
    double over_x = (a->width + b->width) / 2.0 + BG__GAP - fabs(a->x - b->x);
    double over_y = (a->height + b->height) / 2.0 + BG__GAP - fabs(a->y - b->y);

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

void bg__blocks_push(bg__blocks *blocks)
{
    bool is_moved = true;

    for (int n = 0; n < MOST_PUSHES && is_moved; n++) {
        is_moved = false;
        for (int i = 0; i < blocks->n; i++) {
            for (int k = i + 1; k < blocks->n; k++) {
                is_moved = push(&blocks->items[i], &blocks->items[k]) || is_moved;
            }
        }
    }
}

/* --- gaps ------------------------------------------------------------------------------------- */

/* The coordinate and the size of a block along an axis. */
static double *centre_of(bg__block *b, bool is_x)
{
    return is_x ? &b->x : &b->y;
}

static double size_of(const bg__block *b, bool is_x)
{
    return is_x ? b->width : b->height;
}

/* Sorts numbers of blocks by their coordinates along an axis; few, and nearly sorted already. */
static void sort_blocks(bg__blocks *blocks, int *order, bool is_x)
{
    for (int i = 1; i < blocks->n; i++) {
        int moved = order[i], k = i;
        double at = *centre_of(&blocks->items[moved], is_x);
        for (; k > 0 && *centre_of(&blocks->items[order[k - 1]], is_x) > at; k--) {
            order[k] = order[k - 1];
        }
        order[k] = moved;
    }
}

/* How far two blocks can approach along an axis; HUGE_VAL when they pass each other. */
static double slack_of(bg__block *before, bg__block *after, bool is_x)
{
    double across = fabs(*centre_of(before, !is_x) - *centre_of(after, !is_x));
    double along = *centre_of(after, is_x) - *centre_of(before, is_x);

    if (across > (size_of(before, !is_x) + size_of(after, !is_x)) / 2.0 + BG__GAP - 1e-6) {
        return HUGE_VAL;
    }
    return along - (size_of(before, is_x) + size_of(after, is_x)) / 2.0 - BG__GAP;
}

static void close_axis(bg__blocks *blocks, int *order, bool is_x)
{
    sort_blocks(blocks, order, is_x);
    for (int cut = 1; cut < blocks->n; cut++) {
        double step = CLOSE * (*centre_of(&blocks->items[order[cut]], is_x) -
                               *centre_of(&blocks->items[order[cut - 1]], is_x));
        for (int i = 0; i < cut; i++) {
            for (int k = cut; k < blocks->n; k++) {
                step =
                    fmin(step, slack_of(&blocks->items[order[i]], &blocks->items[order[k]], is_x));
            }
        }
        for (int k = cut; k < blocks->n && step > 0.0; k++) {
            *centre_of(&blocks->items[order[k]], is_x) -= step;
        }
    }
}

ha_status bg__blocks_close(bg__blocks *blocks)
{
    int *order = NULL;

    HA_TRY_ALLOC(blocks->picture->ctx, order, blocks->n + 1);
    for (int i = 0; i < blocks->n; i++) {
        order[i] = i;
    }
    for (int round = 0; round < CLOSE_ROUNDS; round++) {
        close_axis(blocks, order, true);
        close_axis(blocks, order, false);
    }
    ha__free(order);
    return HA_OK;
}
