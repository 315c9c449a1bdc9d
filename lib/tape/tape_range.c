/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes over intervals: bounds of what the roots can be while the inputs run over ranges.
 *
 * Each operation gives an interval that holds every value it has for operands in theirs (natural
 * interval extension, Moore 1966). An operand that occurs twice is taken as two, so that bounds may
 * be too wide; they close in as the inputs' ranges shrink, and a single point has the value of the
 * tape itself. Rounding is outward by a few units in the last place. Where an operation has no
 * value somewhere in the range the bounds are infinite.
 */
#include <config.h>

#include "lib/tape/tape_priv.h"

#include <float.h>
#include <math.h>

/* Bounds. */
typedef struct {
    double low, high;
} range;

static const range anything = { -HUGE_VAL, HUGE_VAL };

/* Bounds that hold a and b, with room for rounding; anything where one is not a number. */
static range between(double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b), room = 4.0 * DBL_EPSILON;

    if (isnan(a) || isnan(b)) {
        return anything;
    }
    if (a == b) { /* of single values: exactly what the tape gives for them */
        return (range){ a, a };
    }
    return (range){ low - room * fabs(low), high + room * fabs(high) };
}

static range of_four(double a, double b, double c, double d)
{
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) {
        return anything;
    }
    return between(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

static range divide(range a, range b)
{
    if (b.low <= 0.0 && b.high >= 0.0) {
        return anything;
    }
    return of_four(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

/* A function that is monotonic over the range. */
static range by_ends(range a, double (*f)(double))
{
    return between(f(a.low), f(a.high));
}

/* sin, with `shift` quarter turns added: the ends, and the crests that lie in between. */
static range sine(range a, double shift)
{
    const double quarter = 1.57079632679489661923;

    if (!(a.high - a.low < 4.0 * quarter)) {
        return (range){ -1.0, 1.0 };
    }
    if (a.low == a.high) {
        return by_ends(a, shift == 0.0 ? sin : cos);
    }
    range r = shift == 0.0 ? between(sin(a.low), sin(a.high)) : between(cos(a.low), cos(a.high));
    /* the first crest (1 quarter) and trough (3 quarters) at or above the low end */
    double low = a.low / quarter + shift, high = a.high / quarter + shift, room = 1e-9;
    double crest = 1.0 + 4.0 * ceil((low - room - 1.0) / 4.0);
    double trough = 3.0 + 4.0 * ceil((low - room - 3.0) / 4.0);
    r.high = crest <= high + room ? 1.0 : r.high;
    r.low = trough <= high + room ? -1.0 : r.low;
    return r;
}

static range tangent(range a)
{
    const double half = 1.57079632679489661923;

    if (floor(a.low / (2.0 * half) + 0.5) != floor(a.high / (2.0 * half) + 0.5)) {
        return anything;
    }
    return by_ends(a, tan);
}

/* atan2(a, b): the angle at a corner of the rectangle, unless it holds the cut where b <= 0 = a. */
static range angle(range a, range b)
{
    if (b.low <= 0.0 && a.low <= 0.0 && a.high >= 0.0 && (a.low < a.high || b.low < b.high)) {
        return (range){ -3.14159265358979323847, 3.14159265358979323847 };
    }
    return of_four(atan2(a.low, b.low), atan2(a.low, b.high), atan2(a.high, b.low),
                   atan2(a.high, b.high));
}

static range absolute(range a)
{
    if (a.low >= 0.0) {
        return a;
    }
    return a.high <= 0.0 ? (range){ -a.high, -a.low } : (range){ 0.0, fmax(-a.low, a.high) };
}

/* a^b with a constant b; whole powers of any base, others of bases that are not negative. */
static range power(range a, range b)
{
    double n = b.low;

    if (b.high != n) {
        return a.low > 0.0 ? of_four(pow(a.low, b.low), pow(a.low, b.high), pow(a.high, b.low),
                                     pow(a.high, b.high))
                           : anything;
    }
    if (floor(n) == n && fmod(n, 2.0) == 0.0) {
        a = absolute(a);
    }
    if ((floor(n) != n && a.low < 0.0) || (n < 0.0 && a.low <= 0.0 && a.high >= 0.0)) {
        return anything;
    }
    return between(pow(a.low, n), pow(a.high, n));
}

/* A comparison: 1 where it holds all over, 0 where nowhere, either in between. */
static range truth(bool always, bool never)
{
    return (range){ always ? 1.0 : 0.0, never ? 0.0 : 1.0 };
}

static range choice(range c, range a, range b)
{
    bool is_zero = c.low == 0.0 && c.high == 0.0, has_zero = c.low <= 0.0 && c.high >= 0.0;

    if (is_zero || !has_zero) {
        return is_zero ? b : a;
    }
    return (range){ fmin(a.low, b.low), fmax(a.high, b.high) };
}

static range inside(range a, double low, double high, double (*f)(double))
{
    return a.low >= low && a.high <= high ? by_ends(a, f) : anything;
}

static range hyperbolic_cosine(range a)
{
    range r = absolute(a);

    return by_ends(r, cosh);
}

static double sign_of(double x)
{
    return (double) ((x > 0.0) - (x < 0.0));
}

/* The place among the points of a table, which increases. */
static range knot(const ha__tables *tables, range x, range table)
{
    return between(ha__table_knot(tables, x.low, table.low),
                   ha__table_knot(tables, x.high, table.low));
}

static range piece(const ha__tables *tables, range k, range x, range table)
{
    double bounds[2];

    if (isinf(x.low) || isinf(x.high)) {
        return anything;
    }
    ha__table_piece_range(tables, (const double[]){ k.low, k.high },
                          (const double[]){ x.low, x.high }, table.low, bounds);
    return between(bounds[0], bounds[1]);
}

static range apply(const ha__tables *tables, int op, range a, range b, range c)
{
    switch (op) {
    case HA_OP_KNOT:
        return knot(tables, a, b);
    case HA_OP_PIECE:
        return piece(tables, a, b, c);
    case HA_OP_ADD:
        return between(a.low + b.low, a.high + b.high);
    case HA_OP_SUB:
        return between(a.low - b.high, a.high - b.low);
    case HA_OP_MUL:
        return of_four(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
    case HA_OP_DIV:
        return divide(a, b);
    case HA_OP_NEG:
        return (range){ -a.high, -a.low };
    case HA_OP_POW:
        return power(a, b);
    case HA_OP_SQRT:
        return inside(a, 0.0, HUGE_VAL, sqrt);
    case HA_OP_EXP:
        return by_ends(a, exp);
    case HA_OP_LOG:
        return inside(a, DBL_MIN, HUGE_VAL, log);
    case HA_OP_SIN:
        return sine(a, 0.0);
    case HA_OP_COS:
        return sine(a, 1.0);
    case HA_OP_TAN:
        return tangent(a);
    case HA_OP_ASIN:
        return inside(a, -1.0, 1.0, asin);
    case HA_OP_ACOS:
        return inside(a, -1.0, 1.0, acos);
    case HA_OP_ATAN:
        return by_ends(a, atan);
    case HA_OP_ATAN2:
        return angle(a, b);
    case HA_OP_SINH:
        return by_ends(a, sinh);
    case HA_OP_COSH:
        return hyperbolic_cosine(a);
    case HA_OP_TANH:
        return by_ends(a, tanh);
    case HA_OP_ABS:
        return absolute(a);
    case HA_OP_SIGN:
        return by_ends(a, sign_of);
    case HA_OP_FLOOR:
        return (range){ floor(a.low), floor(a.high) };
    case HA_OP_MIN:
        return (range){ fmin(a.low, b.low), fmin(a.high, b.high) };
    case HA_OP_MAX:
        return (range){ fmax(a.low, b.low), fmax(a.high, b.high) };
    case HA_OP_LT:
        return truth(a.high < b.low, a.low >= b.high);
    case HA_OP_LE:
        return truth(a.high <= b.low, a.low > b.high);
    case HA_OP_GT:
        return truth(a.low > b.high, a.high <= b.low);
    case HA_OP_GE:
        return truth(a.low >= b.high, a.high < b.low);
    case HA_OP_EQ:
        return truth(false, a.high < b.low || a.low > b.high);
    case HA_OP_NE:
        return truth(a.high < b.low || a.low > b.high, false);
    case HA_OP_IF:
        return choice(a, b, c);
    default:
        return anything;
    }
}

void ha__tape_range(const ha__tape *tape, double *low, double *high, double *out_low,
                    double *out_high)
{
    const int *slot = tape->slots.items;

    for (size_t i = 0; i < tape->runs.count; i++) {
        ha__tape_part run = tape->runs.items[i];
        int arity = ha_op_arity((ha_op) run.op);
        for (int k = 0; k < run.n; k++, slot += arity + 1) {
            range x[3] = { { 0.0, 0.0 }, { 0.0, 0.0 }, { 0.0, 0.0 } };
            for (int a = 0; a < arity; a++) {
                x[a] = (range){ low[slot[a]], high[slot[a]] };
            }
            range r = apply(&tape->tables, run.op, x[0], x[1], x[2]);
            low[slot[arity]] = r.low;
            high[slot[arity]] = r.high;
        }
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        out_low[i] = low[tape->roots.items[i]];
        out_high[i] = high[tape->roots.items[i]];
    }
}
