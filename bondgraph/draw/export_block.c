/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The geometry of blocks: where they and what is in them are, and what a line comes through. */
#include <config.h>

#include "bondgraph/draw/export_block.h"

#include <math.h>

bg__place bg__block_move(const bg__block *b, bg__place at)
{
    double middle_x = (b->box.left + b->box.right) / 2.0;
    double middle_y = (b->box.bottom + b->box.top - b->title) / 2.0; /* titles stay at the top */

    return (bg__place){ b->x + b->flip_x * (at.x - middle_x),
                        b->y - b->title / 2.0 + b->flip_y * (at.y - middle_y) };
}

bg__place bg__block_place(const bg__blocks *blocks, int node)
{
    const bg__node *n = &blocks->picture->nodes.items[node];

    return bg__block_move(&blocks->items[blocks->block_of[node]], (bg__place){ n->x, n->y });
}

bg__box bg__block_box(const bg__block *b)
{
    return (bg__box){ b->x - b->width / 2.0, b->y - b->height / 2.0, b->x + b->width / 2.0,
                      b->y + b->height / 2.0 };
}

/* Narrows the part [t0, t1] of a segment to where p + t d > 0. */
static void clip(double p, double d, double *t0, double *t1)
{
    if (d > 0.0) {
        *t0 = fmax(*t0, -p / d);
    } else if (d < 0.0) {
        *t1 = fmin(*t1, -p / d);
    } else if (p <= 0.0) {
        *t1 = -1.0;
    }
}

double bg__segment_inside(bg__place a, bg__place b, const bg__box *box)
{
    double t0 = 0.0, t1 = 1.0, dx = b.x - a.x, dy = b.y - a.y;

    clip(a.x - box->left, dx, &t0, &t1);
    clip(box->right - a.x, -dx, &t0, &t1);
    clip(a.y - box->bottom, dy, &t0, &t1);
    clip(box->top - a.y, -dy, &t0, &t1);
    return fmax(t1 - t0, 0.0);
}

bool bg__segment_meets(bg__place a, bg__place b, const bg__box *box)
{
    return bg__segment_inside(a, b, box) > 0.0;
}
