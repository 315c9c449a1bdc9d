/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products in which one factor takes away the bend of another. */
#include <config.h>

#include "lib/expr/expr_odd.h"

bool ha__is_product(const ha_dag *dag, ha_expr e)
{
    ha_op op = ha_expr_op(dag, e);

    return op == HA_OP_MUL || op == HA_OP_DIV || op == HA_OP_NEG;
}

/* Adds a factor; false where there are too many. */
static bool add(ha__factors *factors, ha_expr e, bool is_below)
{
    if (factors->n == HA__MOST_FACTORS) {
        return false;
    }
    factors->items[factors->n++] = (ha__factor){ e, is_below, false };
    return true;
}

/* Adds the factors of e; false where there are too many. */
static bool collect(const ha_dag *dag, ha_expr e, int depth, ha__factors *factors)
{
    ha_op op = ha_expr_op(dag, e);

    if (!ha__is_product(dag, e)) {
        return add(factors, e, false);
    }
    if (depth == HA__MOST_FACTORS ||
        !collect(dag, ha_expr_operand(dag, e, 0), depth + 1, factors)) {
        return false;
    }
    ha_expr second = ha_expr_operand(dag, e, 1);
    return op == HA_OP_NEG || (op == HA_OP_DIV ? add(factors, second, true)
                                               : collect(dag, second, depth + 1, factors));
}

/* The a of abs(a) and its powers above 0, which is also that of sign(a); HA_EXPR_NONE: none. */
static ha_expr size_of(const ha_dag *dag, ha_expr e)
{
    double power = 1.0;
    ha_op op = ha_expr_op(dag, e);

    if (op == HA_OP_POW && !ha_expr_is_constant(dag, ha_expr_operand(dag, e, 1), &power)) {
        return HA_EXPR_NONE;
    }
    ha_expr size = op == HA_OP_POW || op == HA_OP_SQRT ? ha_expr_operand(dag, e, 0) : e;
    bool is_size = ha_expr_op(dag, size) == HA_OP_ABS && power > 0.0;
    return is_size ? ha_expr_operand(dag, size, 0) : HA_EXPR_NONE;
}

ha_expr ha__odd_inside(const ha_dag *dag, ha_expr factor)
{
    return ha_expr_op(dag, factor) == HA_OP_SIGN ? ha_expr_operand(dag, factor, 0)
                                                 : size_of(dag, factor);
}

/* Keeps a size of a, and each factor that makes the product with it smooth. */
static bool keep(const ha_dag *dag, ha__factors *factors, ha__factor *size, ha_expr a)
{
    bool is_any = false;

    for (int j = 0; j < factors->n; j++) {
        ha__factor *other = &factors->items[j];
        bool is_beside = other != size && !other->is_below;
        bool is_odd = is_beside && ha__odd_inside(dag, other->e) == a;
        other->is_kept = other->is_kept || is_odd;
        is_any = is_any || is_odd || (is_beside && other->e == a);
    }
    size->is_kept = size->is_kept || is_any;
    return is_any;
}

bool ha__find_odd(const ha_dag *dag, ha_expr product, ha__factors *factors)
{
    bool is_any = false;

    factors->n = 0;
    if (!ha__is_product(dag, product) || !collect(dag, product, 0, factors)) {
        return false;
    }
    for (int i = 0; i < factors->n; i++) {
        ha__factor *factor = &factors->items[i];
        ha_expr a = factor->is_below ? HA_EXPR_NONE : size_of(dag, factor->e);
        is_any = (a != HA_EXPR_NONE && keep(dag, factors, factor, a)) || is_any;
    }
    return is_any;
}
