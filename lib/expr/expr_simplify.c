/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on expressions, simplified. Simplifications are local and exact in real arithmetic:
 *   0 + x = x, x - x = 0, 0 x = 0, 1 x = x, x / 1 = x, 0 / x = 0, x / x = 1, -(-x) = x,
 *   -(x - y) = y - x, x + (-y) = x - y, x - (-c) = c + x,
 *   (-x) y = -(x y), c (d x) = (c d) x, x^0 = 1, x^1 = x, x^2 = x x, x^(1/2) = sqrt x,
 *   sin(-x) = -sin x, cos(-x) = cos x, if(constant, x, y), and operations of constants;
 *   x |x|^p = sgn x |x|^(p + 1) for 0 < p < 1: its derivative at 0 is 0, not 0 times infinity.
 *
 * An operation of constants that is not finite stays as it is, so that 1/0 is found by name when it
 * is evaluated. The operands of + and * are ordered, a constant first.
 */
#include <config.h>

#include "lib/expr.h"

#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

#include <math.h>

enum { MOST_FACTORS = 8 }; /* deep in a product, that are looked at */

static bool is_op(const ha_dag *dag, ha_expr e, ha_op op)
{
    return dag->nodes.items[e].op == (int) op;
}

/* These constants are one node each. */
static bool is_zero(const ha_dag *dag, ha_expr e)
{
    return e == dag->zero;
}

static bool is_one(const ha_dag *dag, ha_expr e)
{
    return e == dag->one;
}

static ha_expr operand(const ha_dag *dag, ha_expr e, int i)
{
    return ha_expr_operand(dag, e, i);
}

static ha_expr plain(ha_dag *dag, ha_op op, ha_expr a, ha_expr b)
{
    return ha__node_of(dag, (ha__node){ (int) op, { a, b, HA_EXPR_NONE } });
}

/* Orders the operands of a commutative operation: a constant first, then by number. */
static void order_operands(const ha_dag *dag, ha_expr *a, ha_expr *b)
{
    bool a_is = is_op(dag, *a, HA_OP_CONSTANT), b_is = is_op(dag, *b, HA_OP_CONSTANT);

    if ((b_is && !a_is) || (a_is == b_is && *a > *b)) {
        ha_expr swap = *a;
        *a = *b;
        *b = swap;
    }
}

static ha_expr simple_neg(ha_dag *dag, ha_expr a)
{
    double value = 0.0;

    if (ha_expr_is_constant(dag, a, &value)) {
        return ha_constant(dag, -value);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return operand(dag, a, 0);
    }
    if (is_op(dag, a, HA_OP_SUB)) {
        return ha_sub(dag, operand(dag, a, 1), operand(dag, a, 0));
    }
    if (is_op(dag, a, HA_OP_MUL) && is_op(dag, operand(dag, a, 0), HA_OP_CONSTANT)) {
        return ha_mul(dag, ha_neg(dag, operand(dag, a, 0)), operand(dag, a, 1));
    }
    return plain(dag, HA_OP_NEG, a, HA_EXPR_NONE);
}

static ha_expr simple_sub(ha_dag *dag, ha_expr a, ha_expr b)
{
    double value = 0.0;

    if (a == b) {
        return ha_constant(dag, 0.0);
    }
    if (is_zero(dag, b)) {
        return a;
    }
    if (is_zero(dag, a)) {
        return ha_neg(dag, b);
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_add(dag, a, operand(dag, b, 0));
    }
    if (ha_expr_is_constant(dag, b, &value) && value < 0.0) {
        return ha_add(dag, a, ha_constant(dag, -value));
    }
    return plain(dag, HA_OP_SUB, a, b);
}

static ha_expr simple_add(ha_dag *dag, ha_expr a, ha_expr b)
{
    order_operands(dag, &a, &b);
    if (is_zero(dag, a)) {
        return b;
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_sub(dag, a, operand(dag, b, 0));
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_sub(dag, b, operand(dag, a, 0));
    }
    return plain(dag, HA_OP_ADD, a, b);
}

/* True when c (d x) can be (c d) x: the product of the constants neither overflows nor vanishes. */
static bool joins(const ha_dag *dag, ha_expr a, ha_expr b, double *product)
{
    double c = 0.0, d = 0.0;

    if (!ha_expr_is_constant(dag, a, &c) || !is_op(dag, b, HA_OP_MUL) ||
        !ha_expr_is_constant(dag, operand(dag, b, 0), &d)) {
        return false;
    }
    *product = c * d;
    return isnormal(*product);
}

/* The x of a root of |x|, or of another power below 1; HA_EXPR_NONE: it is none. */
static ha_expr root_of(const ha_dag *dag, ha_expr e, double *power)
{
    bool is_root = is_op(dag, e, HA_OP_SQRT);

    *power = 0.5;
    if (is_op(dag, e, HA_OP_POW)) {
        is_root =
            ha_expr_is_constant(dag, operand(dag, e, 1), power) && *power > 0.0 && *power < 1.0;
    }
    return is_root && is_op(dag, operand(dag, e, 0), HA_OP_ABS)
               ? operand(dag, operand(dag, e, 0), 0)
               : HA_EXPR_NONE;
}

/* Whether x is a factor of a product, not of what it is divided by. */
static bool has_factor(const ha_dag *dag, ha_expr product, ha_expr x, int depth)
{
    bool is_div = is_op(dag, product, HA_OP_DIV);

    if (product == x || depth == 0 || (!is_div && !is_op(dag, product, HA_OP_MUL))) {
        return product == x;
    }
    return has_factor(dag, operand(dag, product, 0), x, depth - 1) ||
           (!is_div && has_factor(dag, operand(dag, product, 1), x, depth - 1));
}

/* A product without one factor x that it has. */
static ha_expr without(ha_dag *dag, ha_expr product, ha_expr x, int depth)
{
    if (product == x) {
        return ha_constant(dag, 1.0);
    }
    bool is_div = is_op(dag, product, HA_OP_DIV);
    ha_expr a = operand(dag, product, 0), b = operand(dag, product, 1);
    if (!has_factor(dag, a, x, depth - 1)) {
        return ha_mul(dag, a, without(dag, b, x, depth - 1));
    }
    a = without(dag, a, x, depth - 1);
    return is_div ? ha_div(dag, a, b) : ha_mul(dag, a, b);
}

/* The y of y, c y and y/c, and the constant. */
static ha_expr divide_off(const ha_dag *dag, ha_expr x, double *c)
{
    double divisor = 0.0;

    *c = 1.0;
    if (is_op(dag, x, HA_OP_MUL) && ha_expr_is_constant(dag, operand(dag, x, 0), c)) {
        return operand(dag, x, 1);
    }
    if (is_op(dag, x, HA_OP_DIV) && ha_expr_is_constant(dag, operand(dag, x, 1), &divisor)) {
        *c = 1.0 / divisor;
        return operand(dag, x, 0);
    }
    return x;
}

/* The factor of a product that is a root of |x|, where x, but for a constant, is a factor of
   another product; HA_EXPR_NONE: there is none. */
static ha_expr find_root(const ha_dag *dag, ha_expr product, ha_expr other, int depth)
{
    double power = 0.0, c = 0.0;
    ha_expr x = root_of(dag, product, &power);
    bool is_div = is_op(dag, product, HA_OP_DIV);

    if (x != HA_EXPR_NONE && has_factor(dag, other, divide_off(dag, x, &c), MOST_FACTORS)) {
        return product;
    }
    if (depth == 0 || (!is_div && !is_op(dag, product, HA_OP_MUL))) {
        return HA_EXPR_NONE;
    }
    ha_expr found = find_root(dag, operand(dag, product, 0), other, depth - 1);
    return found != HA_EXPR_NONE || is_div
               ? found
               : find_root(dag, operand(dag, product, 1), other, depth - 1);
}

/* a b, where a has a root of |x| and b has y = x / c; HA_EXPR_NONE: they have not. */
static ha_expr odd_power(ha_dag *dag, ha_expr a, ha_expr b)
{
    double power = 0.0, c = 1.0;
    ha_expr root = find_root(dag, a, b, MOST_FACTORS);

    if (root == HA_EXPR_NONE) {
        return root;
    }
    ha_expr x = root_of(dag, root, &power), raised = ha_constant(dag, power + 1.0);
    ha_expr y = divide_off(dag, x, &c);
    if (!isnormal(1.0 / c)) {
        return HA_EXPR_NONE;
    }
    ha_expr sign = ha_apply(dag, HA_OP_SIGN, x, HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr rest =
        ha_mul(dag, without(dag, a, root, MOST_FACTORS), without(dag, b, y, MOST_FACTORS));
    raised = ha_apply(dag, HA_OP_POW, operand(dag, root, 0), raised, HA_EXPR_NONE);
    rest = c == 1.0 ? rest : ha_mul(dag, ha_constant(dag, 1.0 / c), rest);
    return ha_mul(dag, rest, ha_mul(dag, sign, raised));
}

static ha_expr simple_mul(ha_dag *dag, ha_expr a, ha_expr b)
{
    double product = 0.0;

    order_operands(dag, &a, &b);
    if (is_zero(dag, a)) {
        return a;
    }
    if (is_one(dag, a)) {
        return b;
    }
    if (ha_expr_is(dag, a, -1.0)) {
        return ha_neg(dag, b);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_neg(dag, ha_mul(dag, operand(dag, a, 0), b));
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_neg(dag, ha_mul(dag, a, operand(dag, b, 0)));
    }
    if (joins(dag, a, b, &product)) {
        return ha_mul(dag, ha_constant(dag, product), operand(dag, b, 1));
    }
    ha_expr odd = dag->has_root ? odd_power(dag, a, b) : HA_EXPR_NONE;
    odd = odd != HA_EXPR_NONE || !dag->has_root ? odd : odd_power(dag, b, a);
    if (odd != HA_EXPR_NONE) {
        return odd;
    }
    return plain(dag, HA_OP_MUL, a, b);
}

static ha_expr simple_div(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (is_one(dag, b)) {
        return a;
    }
    if (is_zero(dag, a) && !is_zero(dag, b)) {
        return a;
    }
    if (a == b && !is_op(dag, b, HA_OP_CONSTANT)) {
        return ha_constant(dag, 1.0);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_neg(dag, ha_div(dag, operand(dag, a, 0), b));
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_neg(dag, ha_div(dag, a, operand(dag, b, 0)));
    }
    return plain(dag, HA_OP_DIV, a, b);
}

static ha_expr simple_pow(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (is_zero(dag, b)) {
        return ha_constant(dag, 1.0);
    }
    if (is_one(dag, b)) {
        return a;
    }
    if (ha_expr_is(dag, b, 2.0)) {
        return ha_mul(dag, a, a);
    }
    if (ha_expr_is(dag, b, -1.0)) {
        return ha_div(dag, ha_constant(dag, 1.0), a);
    }
    if (ha_expr_is(dag, b, 0.5)) {
        return ha_apply(dag, HA_OP_SQRT, a, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return plain(dag, HA_OP_POW, a, b);
}

/* An odd function of a negated operand is negated; an even one does not see the sign. */
static ha_expr simple_parity(ha_dag *dag, ha_op op, ha_expr a)
{
    if (!is_op(dag, a, HA_OP_NEG)) {
        return plain(dag, op, a, HA_EXPR_NONE);
    }

    ha_expr value = ha_apply(dag, op, operand(dag, a, 0), HA_EXPR_NONE, HA_EXPR_NONE);
    bool is_even = op == HA_OP_COS || op == HA_OP_COSH || op == HA_OP_ABS;
    return is_even ? value : ha_neg(dag, value);
}

static ha_expr simple_if(ha_dag *dag, ha_expr a, ha_expr b, ha_expr c)
{
    double condition = 0.0;

    if (b == c) {
        return b;
    }
    if (ha_expr_is_constant(dag, a, &condition)) {
        return condition != 0.0 ? b : c;
    }
    return ha__node_of(dag, (ha__node){ HA_OP_IF, { a, b, c } });
}

/* The constant that an operation gives; false when its operands are none, or it is not finite. */
static bool fold(const ha_dag *dag, ha_op op, const ha_expr operands[3], double *value)
{
    double x[3] = { 0.0, 0.0, 0.0 };

    for (int i = 0; i < ha__arity[op]; i++) {
        const ha__node *node = &dag->nodes.items[operands[i]];
        if (node->op != HA_OP_CONSTANT) {
            return false;
        }
        x[i] = dag->constants.items[node->x[0]];
    }
    *value = ha__op_value(&dag->tables, op, x);
    return isfinite(*value);
}

/* The operation by its rule. */
static ha_expr simple(ha_dag *dag, ha_op op, ha_expr a, ha_expr b, ha_expr c)
{
    switch ((int) op) {
    case HA_OP_ADD:
        return simple_add(dag, a, b);
    case HA_OP_SUB:
        return simple_sub(dag, a, b);
    case HA_OP_MUL:
        return simple_mul(dag, a, b);
    case HA_OP_DIV:
        return simple_div(dag, a, b);
    case HA_OP_NEG:
        return simple_neg(dag, a);
    case HA_OP_POW:
        return simple_pow(dag, a, b);
    case HA_OP_IF:
        return simple_if(dag, a, b, c);
    case HA_OP_PIECE:
        return ha__node_of(dag, (ha__node){ (int) op, { a, b, c } });
    case HA_OP_SIN:
    case HA_OP_TAN:
    case HA_OP_ASIN:
    case HA_OP_ATAN:
    case HA_OP_SINH:
    case HA_OP_TANH:
    case HA_OP_SIGN:
    case HA_OP_COS:
    case HA_OP_COSH:
    case HA_OP_ABS:
        return simple_parity(dag, op, a);
    default:
        return plain(dag, op, a, ha__arity[op] > 1 ? b : HA_EXPR_NONE);
    }
}

static bool has_table(const ha_dag *dag, ha_op op, ha_expr b, ha_expr c)
{
    return op == HA_OP_KNOT ? ha__is_table(dag, b) : op != HA_OP_PIECE || ha__is_table(dag, c);
}

static ha_expr refuse_operand(ha_dag *dag, ha_expr operand)
{
    ha__dag_fail(dag, ha_fail(dag->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                              "the operand %d is none of the %d expressions of its graph; make it "
                              "in the graph where it is used",
                              operand, ha_dag_size(dag)));
    return HA_EXPR_NONE;
}

ha_expr ha_apply(ha_dag *dag, ha_op op, ha_expr a, ha_expr b, ha_expr c)
{
    HA_NEED_ELSE(dag != NULL && HA_IS_INDEX((int) op, (int) HA_OP_COUNT), HA_EXPR_NONE);
    const ha_expr operands[3] = { a, b, c };
    double value = 0.0;

    for (int i = 0; i < ha__arity[op]; i++) {
        if (!ha__is_expr(dag, operands[i])) {
            return operands[i] == HA_EXPR_NONE ? HA_EXPR_NONE : refuse_operand(dag, operands[i]);
        }
    }
    if (!has_table(dag, op, b, c)) {
        ha__dag_fail(dag, ha_fail(dag->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                  "an operation on a table has an operand that is none; use "
                                  "ha_table_apply()"));
        return HA_EXPR_NONE;
    }
    return fold(dag, op, operands, &value) ? ha_constant(dag, value) : simple(dag, op, a, b, c);
}

ha_expr ha_add(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_ADD, a, b, HA_EXPR_NONE);
}

ha_expr ha_sub(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_SUB, a, b, HA_EXPR_NONE);
}

ha_expr ha_mul(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_MUL, a, b, HA_EXPR_NONE);
}

ha_expr ha_div(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_DIV, a, b, HA_EXPR_NONE);
}

ha_expr ha_neg(ha_dag *dag, ha_expr a)
{
    return ha_apply(dag, HA_OP_NEG, a, HA_EXPR_NONE, HA_EXPR_NONE);
}
