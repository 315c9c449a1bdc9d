/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over the expression graph: order of evaluation, symbols that occur, values, and the
 * replacement of symbols by what they stand for. All walks keep their own stack, so that the depth
 * of an expression is bounded by memory alone.
 */
#include <config.h>

#include "lib/expr_priv.h"

#include <math.h>
#include <stdlib.h>

/* --- memos ---------------------------------------------------------------------------------- */

ha_status ha__memo_prepare(ha_dag *dag, ha__memo *memo, bool fresh)
{
    size_t wanted = dag->nodes.count;

    if (memo->stamps.count < wanted) {
        HA_TRY_ROOM(dag->ctx, &memo->stamps, wanted - memo->stamps.count);
        HA_TRY_ROOM(dag->ctx, &memo->values, wanted - memo->values.count);
        for (size_t i = memo->stamps.count; i < wanted; i++) {
            memo->stamps.items[i] = -1;
        }
        memo->stamps.count = memo->values.count = wanted;
    }
    memo->generation += fresh ? 1 : 0;
    return HA_OK;
}

/* --- order ---------------------------------------------------------------------------------- */

/* Depth-first post-order: a node is listed when all its operands are, and then has a position. */
ha_status ha__dag_order(ha_dag *dag, const ha_expr *roots, size_t n)
{
    HA_TRY(ha__memo_prepare(dag, &dag->visited, true));
    dag->order.count = 0;
    dag->stack.count = 0;
    for (size_t i = 0; i < n; i++) {
        HA_TRY_PUSH(dag->ctx, &dag->stack, roots[i]);
        while (dag->stack.count > 0) {
            ha_expr e = dag->stack.items[dag->stack.count - 1];
            size_t before = dag->stack.count;
            bool is_listed = ha__memo_get(&dag->visited, e) != HA_EXPR_NONE;
            for (int k = ha_op_arity(ha_expr_op(dag, e)) - 1; k >= 0 && !is_listed; k--) {
                ha_expr operand = ha_expr_operand(dag, e, k);
                if (ha__memo_get(&dag->visited, operand) == HA_EXPR_NONE) {
                    HA_TRY_PUSH(dag->ctx, &dag->stack, operand);
                }
            }
            if (dag->stack.count == before) {
                dag->stack.count--;
                if (!is_listed) {
                    ha__memo_set(&dag->visited, e, (int) dag->order.count);
                    HA_TRY_PUSH(dag->ctx, &dag->order, e);
                }
            }
        }
    }
    return HA_OK;
}

/* Where a node is in the order. */
static int position(const ha_dag *dag, ha_expr e)
{
    return ha__memo_get(&dag->visited, e);
}

ha_status ha_expr_symbols(ha_dag *dag, ha_expr e, ha_expr **symbols, size_t *n)
{
    HA_TRY(ha__dag_order(dag, &e, 1));

    ha_expr *found = ha__alloc(dag->ctx, dag->order.count, sizeof *found);
    size_t count = 0;
    if (found == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < dag->order.count; i++) {
        if (ha_expr_op(dag, dag->order.items[i]) == HA_OP_SYMBOL) {
            found[count++] = dag->order.items[i];
        }
    }
    *symbols = found;
    *n = count;
    return HA_OK;
}

double ha_expr_value(ha_dag *dag, ha_expr e, double (*value_of)(void *user, ha_expr symbol),
                     void *user)
{
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
            x[k] = values[position(dag, ha_expr_operand(dag, node, k))];
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

/* The node made again from operands that were made before; `made` by position. */
static ha_expr remade(ha_dag *dag, ha_expr e, const ha_expr *made)
{
    ha_expr x[3] = { HA_EXPR_NONE, HA_EXPR_NONE, HA_EXPR_NONE };
    ha_op op = ha_expr_op(dag, e);

    if (ha_op_arity(op) == 0) {
        return e;
    }
    for (int k = 0; k < ha_op_arity(op); k++) {
        x[k] = made[position(dag, ha_expr_operand(dag, e, k))];
    }
    return ha_apply(dag, op, x[0], x[1], x[2]);
}

ha_expr ha_expr_replace(ha_dag *dag, ha_expr e, const ha_expr *from, const ha_expr *to, size_t n)
{
    ha_expr result = HA_EXPR_NONE;

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
        made[i] = remade(dag, node, made);
        for (size_t k = 0; k < n; k++) {
            made[i] = from[k] == node ? to[k] : made[i];
        }
    }
    result = made[n_nodes - 1];
    ha__free(made);
    return result;
}

/* What a symbol stands for, noting that it was asked; HA_EXPR_NONE for everything else. */
static ha_expr meaning_of(ha_dag *dag, ha_expr e)
{
    if (ha_expr_op(dag, e) != HA_OP_SYMBOL) {
        return HA_EXPR_NONE;
    }

    ha__symbol *symbol = &dag->symbols.items[dag->nodes.items[e].a];
    symbol->was_resolved = true;
    return symbol->meaning;
}

/* The node made again from the resolved operands or meaning; all of them are remembered. */
static ha_expr rebuilt(ha_dag *dag, ha_expr e)
{
    ha_expr x[3] = { HA_EXPR_NONE, HA_EXPR_NONE, HA_EXPR_NONE };
    ha_op op = ha_expr_op(dag, e);
    ha_expr meaning = meaning_of(dag, e);

    if (meaning != HA_EXPR_NONE) {
        return ha__memo_get(&dag->resolved, meaning);
    }
    if (ha_op_arity(op) == 0) {
        return e;
    }
    for (int k = 0; k < ha_op_arity(op); k++) {
        x[k] = ha__memo_get(&dag->resolved, ha_expr_operand(dag, e, k));
    }
    return ha_apply(dag, op, x[0], x[1], x[2]);
}

/* push_needed() and what it calls: the node waits for its operands or its meaning. */
enum { WAITING = 1 };

/* Names a symbol of the circle that was closed: of the nodes that wait, the latest with a meaning,
   because operands alone cannot make a circle. */
static ha_status refuse_circle(ha_dag *dag)
{
    size_t i = dag->stack.count;

    while (i-- > 0) {
        ha_expr e = dag->stack.items[i];
        if (ha__memo_get(&dag->visited, e) == WAITING && meaning_of(dag, e) != HA_EXPR_NONE) {
            return ha_fail(dag->ctx, HA_ERR_NAME, HA_NOWHERE,
                           "`%s` is defined by an expression of itself; take it out of its own "
                           "definition",
                           ha_symbol_name(dag, e));
        }
    }
    return HA_ERR_INTERNAL;
}

/* Pushes what must be resolved before e; a node met again while it waits for itself is a circle. */
static ha_status push_needed(ha_dag *dag, ha_expr e)
{
    ha_expr needs[3] = { meaning_of(dag, e), HA_EXPR_NONE, HA_EXPR_NONE };

    for (int k = 0; k < ha_op_arity(ha_expr_op(dag, e)); k++) {
        needs[k] = ha_expr_operand(dag, e, k);
    }
    HA_TRY(ha__memo_prepare(dag, &dag->visited, false));
    ha__memo_set(&dag->visited, e, WAITING);
    for (int k = 0; k < 3; k++) {
        if (needs[k] == HA_EXPR_NONE || ha__memo_get(&dag->resolved, needs[k]) != HA_EXPR_NONE) {
            continue;
        }
        if (ha__memo_get(&dag->visited, needs[k]) == WAITING) {
            return refuse_circle(dag);
        }
        HA_TRY_PUSH(dag->ctx, &dag->stack, needs[k]);
    }
    return HA_OK;
}

ha_status ha_resolve(ha_dag *dag, ha_expr e, ha_expr *out)
{
    HA_TRY(dag->status);
    HA_TRY(ha__memo_prepare(dag, &dag->resolved, false));
    HA_TRY(ha__memo_prepare(dag, &dag->visited, true));
    dag->stack.count = 0;
    HA_TRY_PUSH(dag->ctx, &dag->stack, e);
    while (dag->stack.count > 0) {
        ha_expr top = dag->stack.items[dag->stack.count - 1];
        size_t before = dag->stack.count;
        bool is_done = ha__memo_get(&dag->resolved, top) != HA_EXPR_NONE;
        if (!is_done) {
            HA_TRY(push_needed(dag, top));
        }
        if (dag->stack.count == before) {
            dag->stack.count--;
            ha_expr value = is_done ? HA_EXPR_NONE : rebuilt(dag, top);
            HA_TRY(dag->status);
            if (!is_done) {
                HA_TRY(ha__memo_prepare(dag, &dag->resolved, false));
                ha__memo_set(&dag->resolved, top, value);
                ha__memo_set(&dag->visited, top, 0);
            }
        }
    }
    *out = ha__memo_get(&dag->resolved, e);
    return HA_OK;
}
