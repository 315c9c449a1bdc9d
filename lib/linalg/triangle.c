/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Row k of R and a guest w that both start in column k are turned in their plane,
 *
 *     | R_k |     |  c  s | | R_k |
 *     |  w  |  <- | -s  c | |  w  |,    c = R_kk / h,  s = w_k / h,  h = sqrt(R_kk^2 + w_k^2),
 *
 * which leaves w 0 in column k; its pattern becomes the union of both. Then w goes on to the row of
 * its next column, until it finds an empty one and stays there, or nothing is left of it [GH].
 *
 * [GH] A. George, M. T. Heath: Solution of sparse linear least squares problems using Givens
 *      rotations, Linear Algebra and its Applications 34 (1980), 69-83. Small pivots are taken out
 *      as in M. T. Heath: Some extensions of an algorithm for sparse linear least squares problems,
 *      SIAM Journal on Scientific and Statistical Computing 3 (1982), 223-237.
 */
#include <config.h>

#include "lib/linalg/triangle.h"

#include <limits.h>
#include <math.h>
#include <string.h>

ha_status ha__triangle_init(ha__triangle *triangle, ha_ctx *ctx, int n)
{
    if (n > triangle->room) {
        ha__triangle_clear(triangle);
        HA_TRY_ALLOC(ctx, triangle->rows, n);
        triangle->room = n;
    }
    triangle->ctx = ctx;
    triangle->n = n;
    for (int k = 0; k < n; k++) {
        triangle->rows[k].count = 0;
    }
    return HA_OK;
}

void ha__triangle_clear(ha__triangle *triangle)
{
    for (int k = 0; k < triangle->room; k++) {
        HA_ARRAY_CLEAR(&triangle->rows[k]);
    }
    ha__free(triangle->rows);
    HA_ARRAY_CLEAR(&triangle->guest, &triangle->stays, &triangle->leaves);
    *triangle = (ha__triangle){ 0 };
}

static ha_status copy(ha_ctx *ctx, ha__terms *to, const ha__term *from, size_t count)
{
    to->count = 0;
    HA_TRY_ROOM(ctx, to, count);
    if (count > 0) {
        memcpy(to->items, from, count * sizeof *from);
    }
    to->count = count;
    return HA_OK;
}

static void swap(ha__terms *a, ha__terms *b)
{
    ha__terms kept = *a;

    *a = *b;
    *b = kept;
}

/* The terms of both rows in a column, 0 where one has none. */
typedef struct pair {
    int column;
    double of_row;
    double of_guest;
} pair;

/* Takes the next column off both rows. */
static pair next_pair(const ha__terms *row, size_t *i, const ha__terms *guest, size_t *j)
{
    int a = *i < row->count ? row->items[*i].column : INT_MAX;
    int b = *j < guest->count ? guest->items[*j].column : INT_MAX;
    pair next = { a < b ? a : b, 0.0, 0.0 };

    if (a <= b) {
        next.of_row = row->items[(*i)++].value;
    }
    if (b <= a) {
        next.of_guest = guest->items[(*j)++].value;
    }
    return next;
}

/* Turns the guest and the row of its first column. */
static ha_status rotate(ha__triangle *t, ha__terms *row)
{
    const ha__terms *guest = &t->guest;
    double h = hypot(row->items[0].value, guest->items[0].value);
    double c = row->items[0].value / h;
    double s = guest->items[0].value / h;
    size_t i = 1;
    size_t j = 1;

    t->stays.count = t->leaves.count = 0;
    HA_TRY_ROOM(t->ctx, &t->stays, row->count + guest->count);
    HA_TRY_ROOM(t->ctx, &t->leaves, row->count + guest->count);
    t->stays.items[t->stays.count++] = (ha__term){ row->items[0].column, h };
    while (i < row->count || j < guest->count) {
        pair p = next_pair(row, &i, guest, &j);
        double left = c * p.of_guest - s * p.of_row;
        t->stays.items[t->stays.count++] = (ha__term){ p.column, c * p.of_row + s * p.of_guest };
        if (left != 0.0) {
            t->leaves.items[t->leaves.count++] = (ha__term){ p.column, left };
        }
    }
    swap(&t->guest, &t->leaves);
    swap(row, &t->stays);
    return HA_OK;
}

/* The guest goes down the rows to the one where it stays. */
static ha_status work_in(ha__triangle *t)
{
    while (t->guest.count > 0) {
        ha__terms *row = &t->rows[t->guest.items[0].column];
        if (row->count == 0) {
            return copy(t->ctx, row, t->guest.items, t->guest.count);
        }
        HA_TRY(rotate(t, row));
    }
    return HA_OK;
}

ha_status ha__triangle_add(ha__triangle *triangle, const ha__term *terms, size_t count)
{
    HA_TRY(copy(triangle->ctx, &triangle->guest, terms, count));
    return work_in(triangle);
}

ha_status ha__triangle_settle(ha__triangle *triangle, double tolerance)
{
    for (int k = 0; k < triangle->n; k++) {
        ha__terms *row = &triangle->rows[k];
        if (row->count == 0 || fabs(row->items[0].value) > tolerance) {
            continue;
        }
        HA_TRY(copy(triangle->ctx, &triangle->guest, row->items + 1, row->count - 1));
        row->count = 0;
        HA_TRY(work_in(triangle));
    }
    return HA_OK;
}

void ha__triangle_solve(const ha__triangle *triangle, double *c)
{
    for (int k = 0; k < triangle->n; k++) {
        const ha__terms *row = &triangle->rows[k];
        c[k] = row->count == 0 ? 0.0 : c[k] / row->items[0].value;
        for (size_t i = 1; i < row->count; i++) {
            c[row->items[i].column] -= row->items[i].value * c[k];
        }
    }
    for (int k = triangle->n - 1; k >= 0; k--) {
        const ha__terms *row = &triangle->rows[k];
        for (size_t i = 1; i < row->count; i++) {
            c[k] -= row->items[i].value * c[row->items[i].column];
        }
        c[k] = row->count == 0 ? 0.0 : c[k] / row->items[0].value;
    }
}
