/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on ranges (interval arithmetic, Moore 1966): the value holds every value that the
 * operation has for operands in theirs. Rounding is outward by a few units in the last place. Where
 * an operation has no value somewhere in the range the bounds are infinite.
 *
 * Slopes are ranges, too: with r = f(a, b, c) over some time,
 *
 *     r' in  f_a(a, b, c) a' + f_b(a, b, c) b' + f_c(a, b, c) c'
 *
 * for all partial derivatives at values of the operands in their ranges. Of abs, min and max, which
 * bend, it holds the slopes on both sides, so that r(t) - r(s) is still within (t - s) r'; what
 * jumps has all slopes.
 */
#include <config.h>

#include "lib/tape/range.h"

#include <float.h>
#include <math.h>

typedef ha__range range;

const ha__range ha__anything = { -HUGE_VAL, HUGE_VAL };

/* Bounds that hold a and b, with room for rounding; ha__anything where one is not a number. */
static range between(double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b), room = 4.0 * DBL_EPSILON;

    if (isnan(a) || isnan(b)) {
        return ha__anything;
    }
    if (a == b) { /* of single values: exactly what the tape gives for them */
        return (range){ a, a };
    }
    return (range){ low - room * fabs(low), high + room * fabs(high) };
}

static range of_four(double a, double b, double c, double d)
{
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) {
        return ha__anything;
    }
    return between(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

static range divide(range a, range b)
{
    if (b.low <= 0.0 && b.high >= 0.0) {
        return ha__anything;
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

/* What the operation gives for a single value. */
static double floor_side(double a)
{
    return ha_op_value(HA_OP_FLOOR_SIDE, a, 0.0, 0.0);
}

/* sin(pi a), with the sign that it has at whole numbers. */
static range side_of_floor(range a)
{
    const double pi = 3.14159265358979323846;
    range s = sine((range){ pi * a.low, pi * a.high }, 0.0);

    if (!(a.high - a.low < 2.0)) {
        return s;
    }
    range ends = between(floor_side(a.low), floor_side(a.high));
    return (range){ s.low == -1.0 ? s.low : ends.low, s.high == 1.0 ? s.high : ends.high };
}

static range tangent(range a)
{
    const double half = 1.57079632679489661923;

    if (floor(a.low / (2.0 * half) + 0.5) != floor(a.high / (2.0 * half) + 0.5)) {
        return ha__anything;
    }
    return by_ends(a, tan);
}

/* True when a rectangle holds the cut of atan2(a, b), where b <= 0 = a. */
static bool is_cut(range a, range b)
{
    return b.low <= 0.0 && a.low <= 0.0 && a.high >= 0.0 && (a.low < a.high || b.low < b.high);
}

/* atan2(a, b): the angle at a corner of the rectangle, unless that is cut. */
static range angle(range a, range b)
{
    if (is_cut(a, b)) {
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
                           : ha__anything;
    }
    if (floor(n) == n && fmod(n, 2.0) == 0.0) {
        a = absolute(a);
    }
    if ((floor(n) != n && a.low < 0.0) || (n < 0.0 && a.low <= 0.0 && a.high >= 0.0)) {
        return ha__anything;
    }
    return between(pow(a.low, n), pow(a.high, n));
}

/* A comparison: 1 where it holds all over, 0 where nowhere, either in between. */
static range truth(bool always, bool never)
{
    return (range){ always ? 1.0 : 0.0, never ? 0.0 : 1.0 };
}

static bool is_single(range a)
{
    return a.low == a.high;
}

/* a == b, or where that is asked a != b: known of single values, and of ranges that are apart. */
static range equality(range a, range b, bool is_wanted)
{
    bool is_same = is_single(a) && is_single(b) && a.low == b.low;
    bool is_apart = a.high < b.low || a.low > b.high;

    return is_wanted ? truth(is_same, is_apart) : truth(is_apart, is_same);
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
    return a.low >= low && a.high <= high ? by_ends(a, f) : ha__anything;
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

/* The position among the points of a table, which increases. */
static range knot(const ha__tables *tables, range x, range table)
{
    return between(ha__table_knot(tables, x.low, table.low),
                   ha__table_knot(tables, x.high, table.low));
}

static range piece(const ha__tables *tables, range k, range x, range table)
{
    double bounds[2];

    if (isinf(x.low) || isinf(x.high)) {
        return ha__anything;
    }
    ha__table_piece_range(tables, (const double[]){ k.low, k.high },
                          (const double[]){ x.low, x.high }, table.low, bounds);
    return between(bounds[0], bounds[1]);
}

ha__range ha__range_apply(const ha__tables *tables, int op, const range x[3])
{
    const range a = x[0], b = x[1], c = x[2];

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
    case HA_OP_FLOOR_SIDE:
        return side_of_floor(a);
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
        return equality(a, b, true);
    case HA_OP_NE:
        return equality(a, b, false);
    case HA_OP_IF:
        return choice(a, b, c);
    default:
        return ha__anything;
    }
}

ha__range ha__range_square(range a)
{
    range r = absolute(a);

    return between(r.low * r.low, r.high * r.high);
}

/* --- slopes ---------------------------------------------------------------------------------- */

static const range ONE = { 1.0, 1.0 };

static range add(range a, range b)
{
    return between(a.low + b.low, a.high + b.high);
}

static range subtract(range a, range b)
{
    return between(a.low - b.high, a.high - b.low);
}

/* A slope of 0 stays 0 whatever it is multiplied by: the operand does not change. */
static range times(range a, range slope)
{
    if (slope.low == 0.0 && slope.high == 0.0) {
        return slope;
    }
    return of_four(a.low * slope.low, a.low * slope.high, a.high * slope.low, a.high * slope.high);
}

static range hull(range a, range b)
{
    return (range){ fmin(a.low, b.low), fmax(a.high, b.high) };
}

/* a^b: b a^(b-1) a' of a constant b, else a^b (b' log a + b a'/a). */
static range slope_of_power(const range x[3], const range d[3], range r)
{
    if (is_single(x[1])) {
        range less = { x[1].low - 1.0, x[1].low - 1.0 };
        return times(times(x[1], power(x[0], less)), d[0]);
    }
    range by_exponent = times(inside(x[0], DBL_MIN, HUGE_VAL, log), d[1]);
    return times(r, add(by_exponent, times(divide(x[1], x[0]), d[0])));
}

/* The slope of atan2(a, b): (b a' - a b')/(a^2 + b^2). */
static range slope_of_angle(const range x[3], const range d[3])
{
    range top = subtract(times(x[1], d[0]), times(x[0], d[1]));

    return is_cut(x[0], x[1]) ? ha__anything
                              : divide(top, add(ha__range_square(x[0]), ha__range_square(x[1])));
}

/* Of min (`is_least`) and max: that of the operand which it is, or either's. */
static range slope_of_extreme(const range x[3], const range d[3], bool is_least)
{
    bool is_first = is_least ? x[0].high < x[1].low : x[0].low > x[1].high;
    bool is_second = is_least ? x[1].high < x[0].low : x[1].low > x[0].high;

    return is_first ? d[0] : is_second ? d[1] : hull(d[0], d[1]);
}

/* The value of a table is continuous; what its derivatives are between its points is not known. */
static range slope_of_piece(const ha__tables *tables, const range x[3], const range d[3])
{
    range next = { x[2].low + 1.0, x[2].low + 1.0 }; /* the table with the derivative */

    return fmod(x[2].low, 4.0) == 0.0 ? times(piece(tables, x[0], x[1], next), d[1]) : ha__anything;
}

/* Of sums and products. */
static range slope_of_sum(int op, const range x[3], const range d[3], range r)
{
    switch (op) {
    case HA_OP_ADD:
        return add(d[0], d[1]);
    case HA_OP_SUB:
        return subtract(d[0], d[1]);
    case HA_OP_MUL:
        return add(times(x[0], d[1]), times(x[1], d[0]));
    default: /* a division */
        return divide(subtract(d[0], times(r, d[1])), x[1]);
    }
}

/* The derivative of a function of one value a, which is r. */
static range derivative(int op, range a, range r)
{
    switch (op) {
    case HA_OP_NEG:
        return (range){ -1.0, -1.0 };
    case HA_OP_SQRT:
        return divide((range){ 0.5, 0.5 }, r);
    case HA_OP_EXP:
        return r;
    case HA_OP_LOG:
        return divide(ONE, a);
    case HA_OP_SIN:
        return sine(a, 1.0);
    case HA_OP_COS: {
        range s = sine(a, 0.0);
        return (range){ -s.high, -s.low };
    }
    case HA_OP_FLOOR_SIDE: {
        const range pi = { M_PI, M_PI };
        return times(pi, sine(times(pi, a), 1.0));
    }
    case HA_OP_TAN:
        return add(ONE, ha__range_square(r));
    case HA_OP_ASIN:
        return divide(ONE, inside(subtract(ONE, ha__range_square(a)), 0.0, HUGE_VAL, sqrt));
    case HA_OP_ACOS:
        return divide((range){ -1.0, -1.0 },
                      inside(subtract(ONE, ha__range_square(a)), 0.0, HUGE_VAL, sqrt));
    case HA_OP_ATAN:
        return divide(ONE, add(ONE, ha__range_square(a)));
    case HA_OP_SINH:
        return hyperbolic_cosine(a);
    case HA_OP_COSH:
        return by_ends(a, sinh);
    case HA_OP_TANH:
        return subtract(ONE, ha__range_square(r));
    case HA_OP_ABS:
        return a.low > 0.0 ? ONE : a.high < 0.0 ? (range){ -1.0, -1.0 } : (range){ -1.0, 1.0 };
    default:
        return ha__anything;
    }
}

ha__range ha__range_slope(const ha__tables *tables, int op, const range x[3], const range d[3],
                          range r)
{
    switch (op) {
    case HA_OP_ADD:
    case HA_OP_SUB:
    case HA_OP_MUL:
    case HA_OP_DIV:
        return slope_of_sum(op, x, d, r);
    case HA_OP_POW:
        return slope_of_power(x, d, r);
    case HA_OP_ATAN2:
        return slope_of_angle(x, d);
    case HA_OP_MIN:
    case HA_OP_MAX:
        return slope_of_extreme(x, d, op == HA_OP_MIN);
    case HA_OP_PIECE:
        return slope_of_piece(tables, x, d);
    case HA_OP_IF: {
        bool is_zero = x[0].low == 0.0 && x[0].high == 0.0;
        bool has_zero = x[0].low <= 0.0 && x[0].high >= 0.0;
        return is_zero ? d[2] : has_zero ? ha__anything : d[1];
    }
    default:
        return times(derivative(op, x[0], r), d[0]);
    }
}
