/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over the expression graph: order of evaluation, symbols that occur, values, and the
 * replacement of symbols by what they stand for. All walks keep their own stack, so that the depth
 * of an expression is bounded by memory alone.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>

/* --- memos ---------------------------------------------------------------------------------- */

ha_status ha__memo_prepare(ha_dag *dag, ha__memo *memo, bool fresh)
{
    size_t wanted = dag->nodes.count;

    if (memo->count < wanted) {
        if (memo->capacity < wanted) { /* as much as the graph has, to grow when that does */
            HA_TRY_ROOM(dag->ctx, memo, dag->nodes.capacity - memo->count);
        }
        for (size_t i = memo->count; i < wanted; i++) {
            memo->items[i].stamp = -1;
        }
        memo->count = wanted;
    }
    memo->generation += fresh ? 1 : 0;
    return HA_OK;
}

/* --- order ---------------------------------------------------------------------------------- */

/* Stands in a memo for a node that waits for its operands or its meaning. */
enum { WAITING = -2 };

/* Pushes the operands that were not met; a node with none has nothing to wait for. */
static ha_status push_operands(ha_dag *dag, ha_expr e)
{
    const ha__node *node = &dag->nodes.items[e];

    for (int k = ha__arity[node->op] - 1; k >= 0; k--) {
        if (ha__memo_get(&dag->visited, node->x[k]) == HA_EXPR_NONE) {
            HA_TRY_PUSH(dag->ctx, &dag->stack, node->x[k]);
        }
    }
    return HA_OK;
}

/* Depth-first post-order: a node is listed when all its operands are, and then has a position. */
static ha_status order_stack(ha_dag *dag)
{
    while (dag->stack.count > 0) {
        ha_expr e = dag->stack.items[dag->stack.count - 1];
        size_t before = dag->stack.count;
        ha_expr known = ha__memo_get(&dag->visited, e);
        if (known == HA_EXPR_NONE) {
            HA_TRY(push_operands(dag, e));
        }
        if (dag->stack.count > before) {
            ha__memo_set(&dag->visited, e, WAITING);
            continue;
        }
        dag->stack.count--;
        if (known <= 0) {
            HA_TRY_PUSH(dag->ctx, &dag->order, e);
            ha__memo_set(&dag->visited, e, (int) dag->order.count);
        }
    }
    return HA_OK;
}

ha_status ha__dag_order(ha_dag *dag, const ha_expr *roots, size_t n)
{
    HA_TRY(ha__memo_prepare(dag, &dag->visited, true));
    dag->order.count = 0;
    dag->stack.count = 0;
    for (size_t i = 0; i < n; i++) {
        if (ha__memo_get(&dag->visited, roots[i]) == HA_EXPR_NONE) {
            HA_TRY_PUSH(dag->ctx, &dag->stack, roots[i]);
            HA_TRY(order_stack(dag));
        }
    }
    return HA_OK;
}

ha_status ha__dag_symbols(ha_dag *dag, ha_expr e, const ha_expr **symbols, size_t *n)
{
    size_t count = 0;

    HA_TRY(ha__dag_order(dag, &e, 1));
    for (size_t i = 0; i < dag->order.count; i++) {
        ha_expr node = dag->order.items[i];
        if (dag->nodes.items[node].op == HA_OP_SYMBOL) {
            dag->order.items[count++] = node;
        }
    }
    dag->order.count = count;
    *symbols = dag->order.items;
    *n = count;
    return HA_OK;
}

ha_status ha_expr_symbols(ha_dag *dag, ha_expr e, ha_expr **symbols, size_t *n)
{
    HA_NEED_OF(dag, ha__is_expr(dag, e) && symbols != NULL && n != NULL);
    const ha_expr *found = NULL;
    ha_expr *copy = NULL;
    size_t count = 0;

    HA_TRY(ha__dag_symbols(dag, e, &found, &count));
    HA_TRY_ALLOC(dag->ctx, copy, count);
    for (size_t i = 0; i < count; i++) {
        copy[i] = found[i];
    }
    *symbols = copy;
    *n = count;
    return HA_OK;
}

double ha_expr_value(ha_dag *dag, ha_expr e, double (*value_of)(void *user, ha_expr symbol),
                     void *user)
{
    HA_NEED_ELSE(ha__is_expr(dag, e), (double) NAN);
    double result = (double) NAN;

    if (e == HA_EXPR_NONE || dag->status != HA_OK) {
        return (double) NAN;
    }

    ha_status status = ha__dag_order(dag, &e, 1);
    size_t n = dag->order.count;
    double *values = status == HA_OK ? ha__alloc(dag->ctx, n, sizeof *values) : NULL;
    if (values == NULL) {
        ha__dag_fail(dag, HA_ERR_MEMORY);
        return (double) NAN;
    }
    for (size_t i = 0; i < n; i++) {
        ha_expr node = dag->order.items[i];
        ha_op op = ha_expr_op(dag, node);
        double x[3] = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < ha_op_arity(op); k++) {
            x[k] = values[ha__dag_position(dag, ha_expr_operand(dag, node, k))];
        }
        if (op == HA_OP_SYMBOL) {
            values[i] = value_of == NULL ? (double) NAN : value_of(user, node);
        } else if (!ha_expr_is_constant(dag, node, &values[i])) {
            values[i] = ha__op_value(&dag->tables, op, x);
        }
    }
    result = values[n - 1];
    ha__free(values);
    return result;
}

/* --- replacement ---------------------------------------------------------------------------- */

ha_expr ha__remade(ha_dag *dag, ha_expr e, const ha_expr *made)
{
    const ha__node node = dag->nodes.items[e];
    ha_expr x[3] = { 0 };
    bool is_new = false;

    for (int k = 0; k < ha__arity[node.op]; k++) {
        x[k] = made[ha__dag_position(dag, node.x[k])];
        is_new = is_new || x[k] != node.x[k];
    }
    return is_new ? ha_apply(dag, (ha_op) node.op, x[0], x[1], x[2]) : e;
}

ha_expr ha_expr_replace(ha_dag *dag, ha_expr e, const ha_expr *from, const ha_expr *to, size_t n)
{
    HA_NEED_ELSE(ha__is_expr(dag, e) && (n == 0 || (from != NULL && to != NULL)), HA_EXPR_NONE);

    if (e == HA_EXPR_NONE || dag->status != HA_OK) {
        return HA_EXPR_NONE;
    }

    ha_status status = ha__dag_order(dag, &e, 1);
    size_t n_nodes = dag->order.count;
    ha_expr *made = status == HA_OK ? ha__alloc(dag->ctx, n_nodes, sizeof *made) : NULL;
    if (made == NULL) {
        ha__dag_fail(dag, HA_ERR_MEMORY);
        return HA_EXPR_NONE;
    }
    for (size_t i = 0; i < n_nodes; i++) {
        ha_expr node = dag->order.items[i];
        made[i] = ha__remade(dag, node, made);
        for (size_t k = 0; k < n; k++) {
            made[i] = from[k] == node ? to[k] : made[i];
        }
    }
    ha_expr result = made[n_nodes - 1];
    ha__free(made);
    return result;
}

/* What a symbol stands for, noting that it was asked; HA_EXPR_NONE for everything else. */
static ha_expr meaning_of(ha_dag *dag, const ha__node *node)
{
    if (node->op != HA_OP_SYMBOL) {
        return HA_EXPR_NONE;
    }

    dag->asked.items[node->x[HA__NUMBER]] |= HA__RESOLVED;
    return node->x[HA__MEANING];
}

/* The node made again from the resolved operands or meaning, which are all remembered. */
static ha_expr rebuilt(ha_dag *dag, ha_expr e)
{
    const ha__node node = dag->nodes.items[e];
    ha_expr x[3] = { 0 };
    ha_expr meaning = meaning_of(dag, &node);
    bool is_new = false;

    if (meaning != HA_EXPR_NONE) {
        return ha__memo_get(&dag->resolved, meaning);
    }
    for (int k = 0; k < ha__arity[node.op]; k++) {
        x[k] = ha__memo_get(&dag->resolved, node.x[k]);
        is_new = is_new || x[k] != node.x[k];
    }
    return is_new ? ha_apply(dag, (ha_op) node.op, x[0], x[1], x[2]) : e;
}

/* Names a symbol of the circle that was closed: of the nodes that wait, the latest with a meaning,
   because operands alone cannot make a circle. */
static ha_status refuse_circle(ha_dag *dag)
{
    size_t i = dag->stack.count;

    while (i-- > 0) {
        ha_expr e = dag->stack.items[i];
        if (ha__memo_get(&dag->resolved, e) == WAITING &&
            meaning_of(dag, &dag->nodes.items[e]) != HA_EXPR_NONE) {
            return ha_fail(dag->ctx, HA_ERR_NAME, HA_NOWHERE,
                           "`%s` is defined by an expression of itself; take it out of its own "
                           "definition",
                           ha_symbol_name(dag, e));
        }
    }
    return HA_ERR_INTERNAL;
}

/* Pushes what must be resolved first; what is met while it waits for itself closes a circle. */
static ha_status push_needed(ha_dag *dag, ha_expr needed)
{
    ha_expr known = ha__memo_get(&dag->resolved, needed);

    if (known == WAITING) {
        return refuse_circle(dag);
    }
    if (known == HA_EXPR_NONE) {
        HA_TRY_PUSH(dag->ctx, &dag->stack, needed);
    }
    return HA_OK;
}

/* Pushes the meaning or the operands of a node where they are not resolved. */
static ha_status push_all_needed(ha_dag *dag, ha_expr e)
{
    const ha__node node = dag->nodes.items[e];
    ha_expr meaning = meaning_of(dag, &node);

    ha__memo_set(&dag->resolved, e, WAITING);
    if (meaning != HA_EXPR_NONE) {
        return push_needed(dag, meaning);
    }
    for (int k = 0; k < ha__arity[node.op]; k++) {
        HA_TRY(push_needed(dag, node.x[k]));
    }
    return HA_OK;
}

/* Remembers the resolved node, and that nothing is left to resolve in it. */
static ha_status remember(ha_dag *dag, ha_expr e, ha_expr value)
{
    HA_TRY(dag->status);
    HA_TRY(ha__memo_prepare(dag, &dag->resolved, false));
    ha__memo_set(&dag->resolved, e, value);
    ha__memo_set(&dag->resolved, value, value);
    return HA_OK;
}

static ha_status resolve_all(ha_dag *dag, ha_expr e)
{
    dag->stack.count = 0;
    HA_TRY_PUSH(dag->ctx, &dag->stack, e);
    while (dag->stack.count > 0) {
        ha_expr top = dag->stack.items[dag->stack.count - 1];
        size_t before = dag->stack.count;
        ha_expr known = ha__memo_get(&dag->resolved, top);
        if (known == HA_EXPR_NONE) {
            HA_TRY(push_all_needed(dag, top));
        }
        if (dag->stack.count == before) {
            dag->stack.count--;
            if (known == HA_EXPR_NONE || known == WAITING) {
                HA_TRY(remember(dag, top, rebuilt(dag, top)));
            }
        }
    }
    return HA_OK;
}

ha_status ha_resolve(ha_dag *dag, ha_expr e, ha_expr *out)
{
    HA_NEED_OF(dag, (dag->status != HA_OK || ha__is_expr(dag, e)) && out != NULL);
    ha_expr known = ha__memo_get(&dag->resolved, e);

    HA_TRY(dag->status);
    if (known == HA_EXPR_NONE) {
        HA_TRY(ha__memo_prepare(dag, &dag->resolved, false));
        ha_status status = resolve_all(dag, e);
        if (status != HA_OK) {
            dag->resolved.generation++; /* nothing waits any more */
            return status;
        }
        known = ha__memo_get(&dag->resolved, e);
    }
    *out = known;
    return HA_OK;
}
