/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Derivatives on the expression graph; the rules are columns of expr_ops.def.
 *
 * Reverse sweep (ha_gradient): with adjoint(root) = 1, operations before their operands,
 *     adjoint(operand k) += adjoint(node) * d node / d operand k,
 * and the adjoint of a symbol is the partial derivative of the root. The branch of an `if` that is
 * not taken may be undefined, so that its rules give inf or nan, while its adjoint is 0: such an
 * adjoint is an `if` itself and stays one, which multiplies only where it is not 0.
 *
 * Forward sweep (ha_dt): for each node, operands first,
 *     dt(node) = sum over k of (d node / d operand k) * dt(operand k),
 * with dt(symbol) as set by ha_symbol_set_derivative(), and dt(if(c, a, b)) = if(c, dt(a), dt(b)).
 * It is remembered in the graph, so that expressions that share parts share the derivatives of
 * these parts.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>

/* The columns of expr_ops.def in terms of the constructors. */
#define ZERO ha_constant(d, 0.0)
#define ONE ha_constant(d, 1.0)
#define MINUS_ONE ha_constant(d, -1.0)
#define HALF ha_constant(d, 0.5)
#define PI ha_constant(d, M_PI)
#define NONE HA_EXPR_NONE
#define A ha_expr_operand(d, S, 0)
#define B ha_expr_operand(d, S, 1)
#define APPLY1(op, x) ha_apply(d, HA_OP_##op, (x), HA_EXPR_NONE, HA_EXPR_NONE)
#define APPLY2(op, x, y) ha_apply(d, HA_OP_##op, (x), (y), HA_EXPR_NONE)
#define ADD(x, y) APPLY2(ADD, x, y)
#define SUB(x, y) APPLY2(SUB, x, y)
#define MUL(x, y) APPLY2(MUL, x, y)
#define DIV(x, y) APPLY2(DIV, x, y)
#define POW(x, y) APPLY2(POW, x, y)
#define LT(x, y) APPLY2(LT, x, y)
#define GT(x, y) APPLY2(GT, x, y)
#define NEG(x) APPLY1(NEG, x)
#define SQRT(x) APPLY1(SQRT, x)
#define LOG(x) APPLY1(LOG, x)
#define SIN(x) APPLY1(SIN, x)
#define COS(x) APPLY1(COS, x)
#define SINH(x) APPLY1(SINH, x)
#define COSH(x) APPLY1(COSH, x)
#define SIGN(x) APPLY1(SIGN, x)
#define IF(x, y, z) ha_apply(d, HA_OP_IF, (x), (y), (z))

static ha_expr partial_rule(ha_dag *d, ha_expr S, int i)
{
    switch (ha_expr_op(d, S)) {
#define X(name, text, arity, value, p0, p1, p2)                                                    \
    case HA_OP_##name:                                                                             \
        return i == 0 ? (p0) : i == 1 ? (p1) : (p2);
#include "lib/expr_ops.def"
#undef X
    case HA_OP_PIECE:
        return i == 1 ? ha__table_slope(d, S) : ZERO;
    case HA_OP_KNOT: /* what is made of it is constant from point to point */
        return ZERO;
    case HA_OP_CONSTANT:
    case HA_OP_SYMBOL:
    case HA_OP_COUNT:
        break;
    }
    return HA_EXPR_NONE;
}

/* `value` where the adjoint that it contains is not 0, else 0; marks it as possibly undefined. */
static ha_expr where_taken(ha_dag *d, ha_expr adjoint, ha_expr value)
{
    return value == adjoint && ha_expr_op(d, value) == HA_OP_IF ? value : IF(adjoint, value, ZERO);
}

/* True when an adjoint comes from the branch of an `if`. */
static bool is_branch(const ha_dag *dag, ha_expr adjoint)
{
    return adjoint != HA_EXPR_NONE && ha_expr_op(dag, adjoint) == HA_OP_IF;
}

/* `factor` times the partial derivative of node e with respect to its operand k. Of sums and
   differences nothing is multiplied, as in most of what is derived. */
static ha_expr times_partial(ha_dag *d, ha_expr e, int k, ha_expr factor)
{
    ha_op op = ha_expr_op(d, e);

    if (op == HA_OP_ADD || (op == HA_OP_SUB && k == 0)) {
        return factor;
    }
    return op == HA_OP_SUB || op == HA_OP_NEG ? NEG(factor) : MUL(factor, partial_rule(d, e, k));
}

/* What node e with the adjoint `own` adds to the adjoint of its operand k. */
static ha_expr share_of(ha_dag *d, ha_expr e, int k, ha_expr own)
{
    if (ha_expr_op(d, e) == HA_OP_IF && k > 0) {
        ha_expr condition = ha_expr_operand(d, e, 0);
        return k == 1 ? IF(condition, own, ZERO) : IF(condition, ZERO, own);
    }

    ha_expr share = times_partial(d, e, k, own);
    return share != HA_EXPR_NONE && is_branch(d, own) ? where_taken(d, own, share) : share;
}

/* The sum of two adjoints. */
static ha_expr sum_of(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (a == HA_EXPR_NONE) {
        return b;
    }

    ha_expr sum = ha_add(dag, a, b);
    return sum != HA_EXPR_NONE && is_branch(dag, a) && is_branch(dag, b)
               ? where_taken(dag, sum, sum)
               : sum;
}

/* Adds adjoint(node) * rule to the adjoint of each operand. */
static ha_status spread(ha_dag *dag, ha_expr e)
{
    const ha__node node = dag->nodes.items[e];
    ha_expr own = ha__memo_get(&dag->adjoint, e);

    for (int k = 0; k < ha__arity[node.op]; k++) {
        ha_expr operand = node.x[k];
        if (dag->nodes.items[operand].op == HA_OP_CONSTANT) {
            continue;
        }
        ha_expr share = share_of(dag, e, k, own);
        HA_TRY(dag->status);
        ha_expr sum = sum_of(dag, ha__memo_get(&dag->adjoint, operand), share);
        HA_TRY(dag->status);
        ha__memo_set(&dag->adjoint, operand, sum);
    }
    return HA_OK;
}

/* Leaves the adjoints of all nodes below e in the memo and the nodes in dag->order. */
static ha_status sweep(ha_dag *dag, ha_expr e)
{
    ha_expr one = ha_constant(dag, 1.0);

    HA_TRY(dag->status);
    HA_TRY(ha__dag_order(dag, &e, 1));
    HA_TRY(ha__memo_prepare(dag, &dag->adjoint, true));
    ha__memo_set(&dag->adjoint, e, one);
    for (size_t i = dag->order.count; i-- > 0;) {
        HA_TRY(spread(dag, dag->order.items[i]));
    }
    return HA_OK;
}

ha_status ha_gradient(ha_dag *dag, ha_expr e, ha_expr **symbols, ha_expr **partials, size_t *n)
{
    HA_NEED_OF(dag, (dag->status != HA_OK || ha__is_expr(dag, e)) && symbols != NULL &&
                        partials != NULL && n != NULL);
    HA_TRY(sweep(dag, e));

    size_t count = 0;
    ha_expr *names = ha__alloc(dag->ctx, dag->order.count, sizeof *names);
    ha_expr *values = ha__alloc(dag->ctx, dag->order.count, sizeof *values);
    if (names == NULL || values == NULL) {
        HA_FREE(names, values);
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < dag->order.count; i++) {
        ha_expr node = dag->order.items[i];
        if (ha_expr_op(dag, node) == HA_OP_SYMBOL) {
            names[count] = node;
            values[count++] = ha__memo_get(&dag->adjoint, node);
        }
    }
    *symbols = names;
    *partials = values;
    *n = count;
    return HA_OK;
}

ha_expr ha_partial(ha_dag *dag, ha_expr e, ha_expr symbol)
{
    HA_NEED_ELSE(ha__is_expr(dag, e) && ha__is_symbol(dag, symbol), HA_EXPR_NONE);
    if (e == HA_EXPR_NONE || symbol == HA_EXPR_NONE || dag->status != HA_OK) {
        return HA_EXPR_NONE;
    }

    ha_status status = sweep(dag, e);
    if (status != HA_OK) {
        dag->status = status;
        return HA_EXPR_NONE;
    }
    ha_expr partial = ha__memo_get(&dag->adjoint, symbol);
    return partial == HA_EXPR_NONE ? ha_constant(dag, 0.0) : partial;
}

static ha_status symbol_dt(ha_dag *dag, ha_expr e, ha_expr *out)
{
    const ha__node *symbol = &dag->nodes.items[e];

    dag->asked.items[symbol->x[HA__NUMBER]] |= HA__DERIVED;
    if (symbol->x[HA__DERIVATIVE] == HA_EXPR_NONE) {
        return ha_fail(dag->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                       "the time derivative of `%s` is needed but not available; let something "
                       "smooth stand between it and what differentiates it",
                       ha_symbol_name(dag, e));
    }
    *out = symbol->x[HA__DERIVATIVE];
    return HA_OK;
}

/* dt of a node whose operands' derivatives are remembered. */
static ha_status node_dt(ha_dag *dag, ha_expr e, ha_expr *out)
{
    const ha__node node = dag->nodes.items[e];

    if (node.op == HA_OP_SYMBOL) {
        return symbol_dt(dag, e, out);
    }
    if (node.op == HA_OP_IF) {
        *out = ha_apply(dag, HA_OP_IF, node.x[0], ha__memo_get(&dag->derived, node.x[1]),
                        ha__memo_get(&dag->derived, node.x[2]));
        return dag->status;
    }

    ha_expr zero = ha_constant(dag, 0.0), sum = zero;
    for (int k = 0; k < ha__arity[node.op]; k++) {
        ha_expr rate = ha__memo_get(&dag->derived, node.x[k]);
        if (rate != zero) {
            sum = ha_add(dag, sum, times_partial(dag, e, k, rate));
        }
    }
    *out = sum;
    return dag->status;
}

/* Derives a node after its operands, those that are not derived yet. */
static ha_status derive_all(ha_dag *dag, ha_expr e)
{
    dag->stack.count = 0;
    HA_TRY_PUSH(dag->ctx, &dag->stack, e);
    while (dag->stack.count > 0) {
        ha_expr top = dag->stack.items[dag->stack.count - 1], rate = HA_EXPR_NONE;
        const ha__node node = dag->nodes.items[top];
        size_t before = dag->stack.count;
        bool is_derived = ha__memo_get(&dag->derived, top) != HA_EXPR_NONE;
        for (int k = ha__arity[node.op] - 1; k >= 0 && !is_derived; k--) {
            if (ha__memo_get(&dag->derived, node.x[k]) == HA_EXPR_NONE) {
                HA_TRY_PUSH(dag->ctx, &dag->stack, node.x[k]);
            }
        }
        if (dag->stack.count == before) {
            dag->stack.count--;
            if (!is_derived) {
                HA_TRY(node_dt(dag, top, &rate));
                ha__memo_set(&dag->derived, top, rate);
            }
        }
    }
    return HA_OK;
}

ha_status ha_dt(ha_dag *dag, ha_expr e, ha_expr *out)
{
    HA_NEED_OF(dag, (dag->status != HA_OK || ha__is_expr(dag, e)) && out != NULL);
    HA_TRY(dag->status);
    HA_TRY(ha__memo_prepare(dag, &dag->derived, false));
    HA_TRY(derive_all(dag, e));
    *out = ha__memo_get(&dag->derived, e);
    return HA_OK;
}
