/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions that jump or bend, made smooth between the points where they do. Not installed.
 *
 * What makes an expression jump or bend is a comparison of two values, also inside abs, sign, min
 * and max. It hangs on the sign of one switching function g, their difference:
 *
 *   a < b, a <= b    1 - s       g = a - b      s = 1 where g >= 0, else 0
 *   a > b, a >= b    s
 *   min(a, b)        if(s, b, a)
 *   max(a, b)        if(s, a, b)
 *   abs(a)           if(s, a, -a)               g = a
 *   sign(a)          if(s, 1, -1)
 *   floor(a)         if(s, 2 floor((a + 1/2) / 2), 2 floor((a - 1/2) / 2) + 1)
 *                                               g = floor_side(a), >= 0 where floor(a) is even, at
 *                                               whole numbers too; the inner floors jump half a
 *                                               unit away from the event
 *
 * Where both sides of a comparison may stay equal for a while, because they hang on the time or on
 * other sides, floors or samples alone, it is what it says then: a > b is 1 - s with g = b - a,
 * a <= b is s. Then sign(a) is s(a) - s(-a).
 *
 * What reads nothing but sides, as a comparison of a comparison does, changes with those alone and
 * stays as it is.
 *
 * A root of abs(a) keeps its abs: with the side held it would have no value beyond the event, where
 * a solver must be able to look. It bends at the event alone, as the rest does. So do roots in the
 * branches of if, min and max that end where the branch does (expr_beyond.h).
 *
 * With the side s held, as a symbol, the expression is smooth; a solver that watches the signs of
 * all g stops where one changes, sets its s and goes on. Equality is left as it is: it holds at
 * single points only.
 */
#ifndef LIB_EXPR_SWITCH_H
#define LIB_EXPR_SWITCH_H

#include "lib/core/mem.h"
#include "lib/expr.h"

/* A switching function and the symbol of its side. */
typedef struct ha__switch {
    ha_expr g, side;
    bool is_turned; /* g is less what the user compares with 0: b - a for a > b */
    bool is_clock;  /* g changes with the time alone, and with the sides of other such;
                       it may read what is fixed */
} ha__switch;

/* A number for each node. */
typedef HA_ARRAY(int) ha__marks;

/* The switching functions of some expressions of a graph; start from zero but for the time. */
typedef struct ha__switches {
    ha_expr time;         /* the symbol of the time */
    bool is_closed;       /* no more are added: what hangs on others is left as it is */
    const ha_expr *fixed; /* (n_fixed) symbols that keep one value in a run; borrowed */
    size_t n_fixed;
    HA_ARRAY(ha_expr) resting; /* symbols that keep a value from event to event: samples */
    HA_ARRAY(ha__switch) items;
    ha__marks number_of;     /* by node g: 1 + its number, 0: none */
    ha__marks is_clock_side; /* by node: 1: the side of a clock */
    ha__marks is_side;       /* by node: 1: a side */
    ha__marks held; /* by node: the expression with its sides held; HA_EXPR_NONE: not met */
} ha__switches;

/* The expression with all sides held, in `*out`; new switching functions are added. It must be
   resolved. */
HA_MUST_CHECK ha_status ha__hold_sides(ha__switches *switches, ha_ctx *ctx, ha_dag *dag, ha_expr e,
                                       ha_expr *out);

/* The number of the switching function g > 0, in `*out`, which is added where it is new; g is
   resolved and not constant. */
HA_MUST_CHECK ha_status ha__hold_side(ha__switches *switches, ha_ctx *ctx, ha_dag *dag, ha_expr g,
                                      int *out);

/* True for a symbol that keeps one value in a run. */
bool ha__is_fixed(const ha__switches *switches, ha_expr symbol);

/* Frees the lists. */
void ha__switches_clear(ha__switches *switches);

#endif
