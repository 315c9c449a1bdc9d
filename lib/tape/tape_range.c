/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes over ranges: bounds of what the roots can be while the inputs run over ranges.
 *
 * Each operation gives a range that holds every value it has for operands in theirs (range.c). An
 * operand that occurs twice is taken as two, but for a product with itself, so that bounds may be
 * too wide; they close in as the inputs' ranges shrink, and a single point has the value of the
 * tape itself.
 *
 * Over a span of time of half length h about its middle the inputs have slopes, too, and with them
 * each operation. A value is then also within
 *
 *     r(middle) +- h max |r'|,
 *
 * which is far closer where large values that move together are subtracted: that bound is too wide
 * by a square of h, the other by h. What is known of a value is where both agree.
 */
#include <config.h>

#include "lib/tape/range.h"
#include "lib/tape/tape_priv.h"

#include <float.h>
#include <math.h>

/* The values of an instruction; a product with itself is a square. */
static ha__range apply(const ha__tape *tape, int op, const int *slot, const ha__range x[3])
{
    bool is_square = op == HA_OP_MUL && slot[0] == slot[1];

    return is_square ? ha__range_square(x[0]) : ha__range_apply(&tape->tables, op, x);
}

void ha__tape_range(const ha__tape *tape, double *low, double *high, double *out_low,
                    double *out_high)
{
    const int *slot = tape->slots.items;

    for (size_t i = 0; i < tape->runs.count; i++) {
        ha__tape_part run = tape->runs.items[i];
        int arity = ha_op_arity((ha_op) run.op);
        for (int k = 0; k < run.n; k++, slot += arity + 1) {
            ha__range x[3] = { { 0.0, 0.0 }, { 0.0, 0.0 }, { 0.0, 0.0 } };
            for (int a = 0; a < arity; a++) {
                x[a] = (ha__range){ low[slot[a]], high[slot[a]] };
            }
            ha__range r = apply(tape, run.op, slot, x);
            low[slot[arity]] = r.low;
            high[slot[arity]] = r.high;
        }
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        out_low[i] = low[tape->roots.items[i]];
        out_high[i] = high[tape->roots.items[i]];
    }
}

/* What both bounds of a value agree on; `room` for what round-off makes of the middle. */
static ha__range close_in(ha__range r, double middle, double half, ha__range slope)
{
    double reach = half * fmax(fabs(slope.low), fabs(slope.high));
    double room = 8.0 * DBL_EPSILON * fmax(fabs(r.low), fabs(r.high)) + reach * 1e-15;

    if (isfinite(middle) && isfinite(reach)) {
        r.low = fmax(r.low, middle - reach - (isfinite(room) ? room : 0.0));
        r.high = fmin(r.high, middle + reach + (isfinite(room) ? room : 0.0));
    }
    return r;
}

/* True where an operand moves. */
static bool moves(const ha__range d[3])
{
    bool is_any = false;

    for (int a = 0; a < 3; a++) {
        is_any = is_any || d[a].low != 0.0 || d[a].high != 0.0;
    }
    return is_any;
}

/* One instruction, whose operands and result are in the slots. A value that stays the same over a
   span has no slope; at a point it may have one. */
static void enclose(const ha__tape *tape, int op, const int *slot, const ha__tape_span *w)
{
    ha__range x[3] = { { 0.0, 0.0 }, { 0.0, 0.0 }, { 0.0, 0.0 } }, d[3] = { x[0], x[0], x[0] };
    int arity = ha_op_arity((ha_op) op), at = slot[arity];

    for (int a = 0; a < arity; a++) {
        x[a] = (ha__range){ w->low[slot[a]], w->high[slot[a]] };
        d[a] = (ha__range){ w->slope_low[slot[a]], w->slope_high[slot[a]] };
    }
    ha__range r = apply(tape, op, slot, x);
    ha__range slope = ha__anything;
    if (r.low == r.high && (w->half > 0.0 || !moves(d))) {
        slope = (ha__range){ 0.0, 0.0 };
    } else {
        slope = ha__range_slope(&tape->tables, op, x, d, r);
        r = close_in(r, w->middle[at], w->half, slope);
    }
    w->low[at] = r.low;
    w->high[at] = r.high;
    w->slope_low[at] = slope.low;
    w->slope_high[at] = slope.high;
}

void ha__tape_enclose(const ha__tape *tape, const ha__tape_span *w, ha__range *values,
                      ha__range *slopes)
{
    const int *slot = tape->slots.items;

    ha__tape_run(tape, w->middle, w->out);
    for (size_t i = 0; i < tape->runs.count; i++) {
        ha__tape_part run = tape->runs.items[i];
        int arity = ha_op_arity((ha_op) run.op);
        for (int k = 0; k < run.n; k++, slot += arity + 1) {
            enclose(tape, run.op, slot, w);
        }
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        int at = tape->roots.items[i];
        values[i] = (ha__range){ w->low[at], w->high[at] };
        slopes[i] = (ha__range){ w->slope_low[at], w->slope_high[at] };
    }
}
