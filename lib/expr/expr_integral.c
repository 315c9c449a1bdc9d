/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Antiderivatives of expressions of one symbol x, where they have a closed form that is found by
 * rule; "free" means that x does not occur.
 *
 *   sums, free factors and divisors, products of sums multiplied out;
 *   monomials         x^n |x|^m            ->  x^(n+1) |x|^m / (n+m+1)
 *                     sign(x) x^n |x|^m    ->  |x| x^n |x|^m / (n+m+1)
 *   of u = a x + b    u^c, sqrt, exp, sin, cos, sinh, cosh, tanh, abs, sign
 *   max, min          max(v, w) = w + max(v-w, 0); of a linear u max(u, 0) -> u max(u, 0) / (2a)
 *   if(x < c, A, B)   if(x < c, F_A(x) - F_A(c), F_B(x) - F_B(c)), which is continuous at c;
 *                     none where F_A(c) or F_B(c) is a number that is not finite
 *
 * What is returned is continuous wherever the integrand has no pole, if F_A(c) and F_B(c) are
 * finite for the values of other symbols.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>

/* Bounds of the search; products of many sums would take for ever. */
enum { MAX_DEPTH = 200, MAX_STEPS = 200000 };

typedef struct {
    ha_dag *dag;
    ha_expr x;
    int *n_steps;
} integral;

static ha_expr integrate(const integral *p, ha_expr e, int depth);

static ha_expr one_operand(const integral *p, ha_op op, ha_expr a)
{
    return ha_apply(p->dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

static ha_expr two_operands(const integral *p, ha_op op, ha_expr a, ha_expr b)
{
    return ha_apply(p->dag, op, a, b, HA_EXPR_NONE);
}

static bool is_free(const integral *p, ha_expr e)
{
    return ha__dag_order(p->dag, &e, 1) == HA_OK && ha__dag_position(p->dag, p->x) < 0;
}

/* The slope of an expression that is linear in x and not free; HA_EXPR_NONE: it is neither. */
static ha_expr slope_of(const integral *p, ha_expr e)
{
    ha_expr slope = ha_partial(p->dag, e, p->x);

    return slope != HA_EXPR_NONE && !ha_expr_is(p->dag, slope, 0.0) && is_free(p, slope)
               ? slope
               : HA_EXPR_NONE;
}

/* --- monomials ------------------------------------------------------------------------------ */

/* coefficient * x^n * |x|^m * sign(x)^s. */
typedef struct {
    ha_expr coefficient;
    double n, m;
    int s;
} monomial;

static bool read_power(const integral *p, ha_expr base, double exponent, monomial *out)
{
    ha_op op = ha_expr_op(p->dag, base);

    if (base == p->x && exponent >= 0.0 && exponent == floor(exponent)) {
        out->n += exponent;
        return true;
    }
    if (op == HA_OP_ABS && ha_expr_operand(p->dag, base, 0) == p->x && exponent >= 0.0) {
        out->m += exponent;
        return true;
    }
    return false;
}

/* Multiplies `out` by e; false when e is no monomial. */
static bool read_monomial(const integral *p, ha_expr e, int depth, monomial *out)
{
    ha_op op = ha_expr_op(p->dag, e);
    ha_expr a = ha_expr_operand(p->dag, e, 0), b = ha_expr_operand(p->dag, e, 1);
    double exponent = 0.0;

    if (depth > MAX_DEPTH) {
        return false;
    }
    if (is_free(p, e)) {
        out->coefficient = ha_mul(p->dag, out->coefficient, e);
        return true;
    }
    if (op == HA_OP_NEG) {
        out->coefficient = ha_neg(p->dag, out->coefficient);
        return read_monomial(p, a, depth + 1, out);
    }
    if (op == HA_OP_MUL) {
        return read_monomial(p, a, depth + 1, out) && read_monomial(p, b, depth + 1, out);
    }
    if (op == HA_OP_DIV && is_free(p, b)) {
        out->coefficient = ha_div(p->dag, out->coefficient, b);
        return read_monomial(p, a, depth + 1, out);
    }
    if (op == HA_OP_POW && ha_expr_is_constant(p->dag, b, &exponent)) {
        return read_power(p, a, exponent, out);
    }
    if (op == HA_OP_SIGN && a == p->x) {
        out->s++;
        return true;
    }
    return read_power(p, e, 1.0, out);
}

static ha_expr power(const integral *p, ha_expr base, double exponent)
{
    return exponent == 0.0 ? ha_constant(p->dag, 1.0)
                           : two_operands(p, HA_OP_POW, base, ha_constant(p->dag, exponent));
}

static ha_expr integrate_monomial(const integral *p, const monomial *m)
{
    ha_expr size = one_operand(p, HA_OP_ABS, p->x);
    ha_expr f = ha_mul(p->dag, power(p, p->x, m->n), power(p, size, m->m));

    f = ha_mul(p->dag, f, m->s % 2 == 0 ? p->x : size);
    f = ha_div(p->dag, f, ha_constant(p->dag, m->n + m->m + 1.0));
    return ha_mul(p->dag, m->coefficient, f);
}

/* --- functions of a linear argument ---------------------------------------------------------- */

/* log(2 cosh u) = |u| + log(1 + exp(-2 |u|)), which does not overflow. */
static ha_expr log_cosh(const integral *p, ha_expr u)
{
    ha_expr size = one_operand(p, HA_OP_ABS, u);
    ha_expr small = one_operand(p, HA_OP_EXP, ha_mul(p->dag, ha_constant(p->dag, -2.0), size));

    small = ha_add(p->dag, ha_constant(p->dag, 1.0), small);
    return ha_add(p->dag, size, one_operand(p, HA_OP_LOG, small));
}

/* The antiderivative of an operation with respect to its operand u. */
static ha_expr primitive(const integral *p, ha_op op, ha_expr u)
{
    ha_dag *dag = p->dag;

    switch ((int) op) {
    case HA_OP_SQRT:
        return ha_mul(dag, ha_constant(dag, 2.0 / 3.0), ha_mul(dag, u, one_operand(p, op, u)));
    case HA_OP_EXP:
        return one_operand(p, op, u);
    case HA_OP_SIN:
        return ha_neg(dag, one_operand(p, HA_OP_COS, u));
    case HA_OP_COS:
        return one_operand(p, HA_OP_SIN, u);
    case HA_OP_SINH:
        return one_operand(p, HA_OP_COSH, u);
    case HA_OP_COSH:
        return one_operand(p, HA_OP_SINH, u);
    case HA_OP_TANH:
        return log_cosh(p, u);
    case HA_OP_ABS:
        return ha_mul(dag, ha_constant(dag, 0.5), ha_mul(dag, u, one_operand(p, op, u)));
    case HA_OP_SIGN:
        return one_operand(p, HA_OP_ABS, u);
    default:
        return HA_EXPR_NONE;
    }
}

/* u^c; u^-1 has a pole, at which nothing continuous can be given. */
static ha_expr integrate_power(const integral *p, ha_expr u, ha_expr c)
{
    double exponent = 0.0;
    ha_expr slope = slope_of(p, u);

    if (slope == HA_EXPR_NONE || !ha_expr_is_constant(p->dag, c, &exponent) || exponent == -1.0) {
        return HA_EXPR_NONE;
    }
    return ha_div(p->dag, power(p, u, exponent + 1.0),
                  ha_mul(p->dag, slope, ha_constant(p->dag, exponent + 1.0)));
}

static ha_expr integrate_function(const integral *p, ha_op op, ha_expr u)
{
    ha_expr slope = slope_of(p, u);
    ha_expr f = slope == HA_EXPR_NONE ? HA_EXPR_NONE : primitive(p, op, u);

    return f == HA_EXPR_NONE ? HA_EXPR_NONE : ha_div(p->dag, f, slope);
}

/* --- sums, products, pieces ------------------------------------------------------------------ */

/* max(a, b) = b + max(a - b, 0), min(a, b) = b + min(a - b, 0). */
static ha_expr integrate_extreme(const integral *p, ha_op op, ha_expr a, ha_expr b, int depth)
{
    ha_expr u = ha_sub(p->dag, a, b), slope = slope_of(p, u);
    ha_expr rest = slope == HA_EXPR_NONE ? HA_EXPR_NONE : integrate(p, b, depth + 1);

    if (rest == HA_EXPR_NONE) {
        return HA_EXPR_NONE;
    }
    ha_expr part = two_operands(p, op, u, ha_constant(p->dag, 0.0));
    part = ha_div(p->dag, ha_mul(p->dag, u, part), ha_mul(p->dag, ha_constant(p->dag, 2.0), slope));
    return ha_add(p->dag, part, rest);
}

/* True for a number that is not finite; false for what reads symbols. */
static bool is_undefined(const integral *p, ha_expr e)
{
    if (ha__dag_order(p->dag, &e, 1) != HA_OK) {
        return true;
    }
    for (size_t i = 0; i < p->dag->order.count; i++) {
        if (ha_expr_op(p->dag, p->dag->order.items[i]) == HA_OP_SYMBOL) {
            return false;
        }
    }
    return !isfinite(ha_expr_value(p->dag, e, NULL, NULL));
}

/* F less its value where x = c; HA_EXPR_NONE where that is not finite. */
static ha_expr from(const integral *p, ha_expr f, ha_expr c)
{
    ha_expr at_c = ha_expr_replace(p->dag, f, &p->x, &c, 1);

    return at_c == HA_EXPR_NONE || is_undefined(p, at_c) ? HA_EXPR_NONE : ha_sub(p->dag, f, at_c);
}

static ha_expr integrate_if(const integral *p, ha_expr e, int depth)
{
    ha_expr test = ha_expr_operand(p->dag, e, 0);
    ha_op op = ha_expr_op(p->dag, test);
    bool is_order = op == HA_OP_LT || op == HA_OP_LE || op == HA_OP_GT || op == HA_OP_GE;
    ha_expr a = is_order ? ha_expr_operand(p->dag, test, 0) : HA_EXPR_NONE;
    ha_expr b = is_order ? ha_expr_operand(p->dag, test, 1) : HA_EXPR_NONE;
    ha_expr c = a == p->x ? b : a;

    if (!is_order || (a != p->x && b != p->x) || !is_free(p, c)) {
        return HA_EXPR_NONE;
    }
    a = from(p, integrate(p, ha_expr_operand(p->dag, e, 1), depth + 1), c);
    b = from(p, integrate(p, ha_expr_operand(p->dag, e, 2), depth + 1), c);
    return a == HA_EXPR_NONE || b == HA_EXPR_NONE ? HA_EXPR_NONE
                                                  : ha_apply(p->dag, HA_OP_IF, test, a, b);
}

/* (a + b) c = a c + b c, either way round; HA_EXPR_NONE when neither factor is a sum. */
static ha_expr multiplied_out(const integral *p, ha_expr a, ha_expr b)
{
    for (int side = 0; side < 2; side++) {
        ha_expr sum = side == 0 ? a : b, other = side == 0 ? b : a;
        ha_op op = ha_expr_op(p->dag, sum);
        if (op == HA_OP_ADD || op == HA_OP_SUB) {
            return two_operands(p, op, ha_mul(p->dag, ha_expr_operand(p->dag, sum, 0), other),
                                ha_mul(p->dag, ha_expr_operand(p->dag, sum, 1), other));
        }
    }
    return HA_EXPR_NONE;
}

static ha_expr integrate_product(const integral *p, ha_expr a, ha_expr b, int depth)
{
    if (is_free(p, a) || is_free(p, b)) {
        ha_expr factor = is_free(p, a) ? a : b, f = integrate(p, factor == a ? b : a, depth + 1);
        return f == HA_EXPR_NONE ? f : ha_mul(p->dag, factor, f);
    }
    ha_expr sum = multiplied_out(p, a, b);
    return sum == HA_EXPR_NONE ? sum : integrate(p, sum, depth + 1);
}

static ha_expr integrate_sum(const integral *p, ha_op op, ha_expr a, ha_expr b, int depth)
{
    ha_expr f = integrate(p, a, depth + 1);
    ha_expr g = f == HA_EXPR_NONE ? HA_EXPR_NONE : integrate(p, b, depth + 1);

    return g == HA_EXPR_NONE ? HA_EXPR_NONE : two_operands(p, op, f, g);
}

static ha_expr integrate(const integral *p, ha_expr e, int depth)
{
    ha_op op = ha_expr_op(p->dag, e);
    ha_expr a = ha_expr_operand(p->dag, e, 0), b = ha_expr_operand(p->dag, e, 1);
    monomial m = { ha_constant(p->dag, 1.0), 0.0, 0.0, 0 };

    if (depth > MAX_DEPTH || ++*p->n_steps > MAX_STEPS || p->dag->status != HA_OK) {
        return HA_EXPR_NONE;
    }
    if (is_free(p, e)) {
        return ha_mul(p->dag, e, p->x);
    }
    if (read_monomial(p, e, 0, &m)) {
        return integrate_monomial(p, &m);
    }
    switch ((int) op) {
    case HA_OP_ADD:
    case HA_OP_SUB:
        return integrate_sum(p, op, a, b, depth);
    case HA_OP_NEG:
        return integrate_product(p, ha_constant(p->dag, -1.0), a, depth);
    case HA_OP_MUL:
        return integrate_product(p, a, b, depth);
    case HA_OP_DIV:
        return is_free(p, b)
                   ? integrate_product(p, ha_div(p->dag, ha_constant(p->dag, 1.0), b), a, depth)
                   : HA_EXPR_NONE;
    case HA_OP_POW:
        return integrate_power(p, a, b);
    case HA_OP_MIN:
    case HA_OP_MAX:
        return integrate_extreme(p, op, a, b, depth);
    case HA_OP_IF:
        return integrate_if(p, e, depth);
    default:
        return ha_op_arity(op) == 1 ? integrate_function(p, op, a) : HA_EXPR_NONE;
    }
}

ha_expr ha_antiderivative(ha_dag *dag, ha_expr e, ha_expr symbol)
{
    HA_NEED_ELSE(ha__is_expr(dag, e) && ha__is_symbol(dag, symbol), HA_EXPR_NONE);
    int n_steps = 0;
    const integral p = { dag, symbol, &n_steps };

    return e == HA_EXPR_NONE ? HA_EXPR_NONE : integrate(&p, e, 0);
}
