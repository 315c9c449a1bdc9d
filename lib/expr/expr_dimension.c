/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dimension of an expression. With [x] for that of x,
 *
 *   [-a] = [abs a] = [a],  [a b] = [a] [b],  [a / b] = [a] / [b],  [a^n] = [a]^n,
 *   [sqrt a]^2 = [a],  [a + b] = [max(a, b)] = [if(c, a, b)] = [a] = [b].
 *
 * The radian may be left out: an arc, radius times angle, added to a length is a length.
 *
 * Only symbols say what they are: a plain number is in SI units of whatever is meant, a factor of
 * 9.81 may be an acceleration, one of 2 a mass. So nothing is known of what contains one. A small
 * whole number or its inverse, as the 12 of M L^2 / 12, most likely counts things and has none.
 */
#include <config.h>

#include "lib/expr/expr_dimension.h"

#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, MOST_COUNTED = 8, MOST_POWER = 6 };

ha_status ha__symbol_set_dimension(ha_dag *dag, ha_expr symbol, ha__dimension is)
{
    ha__symbol_dimension entry = { symbol, is };

    HA_TRY_PUSH(dag->ctx, &dag->dimensions, entry);
    return HA_OK;
}

static bool of_symbol(const ha_dag *dag, ha_expr e, ha__dimension *out)
{
    for (size_t i = dag->dimensions.count; i-- > 0;) {
        if (dag->dimensions.items[i].symbol == e) {
            *out = dag->dimensions.items[i].is;
            return true;
        }
    }
    return false;
}

ha_expr ha__quantity_symbol(ha_dag *dag, const char *text, double x)
{
    ha__dimension is;

    if (!ha__dimension_read(text, &is)) {
        return ha_constant(dag, x);
    }
    ha_expr symbol = ha_symbol(dag, text);
    if (symbol != HA_EXPR_NONE && !of_symbol(dag, symbol, &is) &&
        ha__symbol_set_dimension(dag, symbol, is) != HA_OK) {
        return HA_EXPR_NONE;
    }
    ha_symbol_define(dag, symbol, ha_constant(dag, x));
    return symbol;
}

bool ha__is_quantity(const ha_dag *dag, ha_expr symbol)
{
    ha__dimension is;

    return of_symbol(dag, symbol, &is) && ha__dimension_read(ha_symbol_name(dag, symbol), &is);
}

/* A number that counts: of no dimension. */
static bool counts(const ha_dag *dag, ha_expr e)
{
    double x = 0.0;

    if (!ha_expr_is_constant(dag, e, &x) || x == 0.0) {
        return false;
    }
    double size = fabs(x), inverse = 1.0 / size;
    return (size <= MOST_COUNTED && size == floor(size)) || size == 12.0 ||
           (inverse <= MOST_COUNTED && inverse == floor(inverse)) || inverse == 12.0;
}

/* A search: of whose expressions, and whether small whole numbers count. */
typedef struct {
    const ha_dag *dag;
    bool may_count;
} search;

static bool find(search s, ha_expr e, int depth, ha__dimension *out);

static bool of_power(search s, ha_expr e, int depth, ha__dimension *out)
{
    const ha__dimension none = { { 0 } };
    ha__dimension base;
    double power = 0.0;

    if (!ha_expr_is_constant(s.dag, ha_expr_operand(s.dag, e, 1), &power) ||
        power != floor(power) || fabs(power) > MOST_POWER ||
        !find(s, ha_expr_operand(s.dag, e, 0), depth, &base)) {
        return false;
    }
    *out = ha__dimension_times(none, base, (int) power);
    return true;
}

/* The root of a dimension: half its powers. */
static bool of_root(search s, ha_expr e, int depth, ha__dimension *out)
{
    ha__dimension square;

    if (!find(s, ha_expr_operand(s.dag, e, 0), depth, &square)) {
        return false;
    }
    for (size_t i = 0; i < sizeof square.powers; i++) {
        if (square.powers[i] % 2 != 0) {
            return false;
        }
        out->powers[i] = (signed char) (square.powers[i] / 2);
    }
    return true;
}

static bool of_two(search s, ha_expr e, int depth, ha__dimension *out)
{
    ha_op op = ha_expr_op(s.dag, e);
    int first = op == HA_OP_IF ? 1 : 0;
    ha__dimension a, b;

    if (!find(s, ha_expr_operand(s.dag, e, first), depth, &a) ||
        !find(s, ha_expr_operand(s.dag, e, first + 1), depth, &b)) {
        return false;
    }
    *out = op == HA_OP_MUL   ? ha__dimension_times(a, b, 1)
           : op == HA_OP_DIV ? ha__dimension_times(a, b, -1)
                             : a;
    if (op != HA_OP_MUL && op != HA_OP_DIV && memcmp(&a, &b, sizeof a) != 0) {
        enum { RAD = sizeof a.powers - 1 };
        *out = abs(b.powers[RAD]) < abs(a.powers[RAD]) ? b : a;
        return ha__dimension_is_like(a, b);
    }
    return true;
}

static bool find(search s, ha_expr e, int depth, ha__dimension *out)
{
    if (e == HA_EXPR_NONE || depth > DEEPEST || of_symbol(s.dag, e, out)) {
        return e != HA_EXPR_NONE && depth <= DEEPEST;
    }
    ha_op op = ha_expr_op(s.dag, e);
    ha_expr meaning = op == HA_OP_SYMBOL ? ha_symbol_definition(s.dag, e) : HA_EXPR_NONE;

    *out = (ha__dimension){ { 0 } };
    if (op == HA_OP_SYMBOL) {
        return meaning != HA_EXPR_NONE && !ha_expr_is_constant(s.dag, meaning, NULL) &&
               find(s, meaning, depth + 1, out);
    }
    if (op == HA_OP_NEG || op == HA_OP_ABS) {
        return find(s, ha_expr_operand(s.dag, e, 0), depth + 1, out);
    }
    if (op == HA_OP_SQRT) {
        return of_root(s, e, depth + 1, out);
    }
    if (op == HA_OP_ADD || op == HA_OP_SUB || op == HA_OP_MUL || op == HA_OP_DIV ||
        op == HA_OP_MIN || op == HA_OP_MAX || op == HA_OP_IF) {
        return of_two(s, e, depth + 1, out);
    }
    return op == HA_OP_POW ? of_power(s, e, depth + 1, out) : s.may_count && counts(s.dag, e);
}

static bool dimension(const ha_dag *dag, ha_expr e, bool may_count, ha__dimension *out)
{
    return dag->dimensions.count > 0 && e != HA_EXPR_NONE && !ha_expr_is_constant(dag, e, NULL) &&
           find((search){ dag, may_count }, e, 0, out);
}

bool ha__expr_dimension(const ha_dag *dag, ha_expr e, ha__dimension *out)
{
    return dimension(dag, e, false, out);
}

bool ha__expr_dimension_likely(const ha_dag *dag, ha_expr e, ha__dimension *out)
{
    return dimension(dag, e, true, out);
}
