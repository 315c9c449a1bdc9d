/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of expressions from one graph into another.
 *
 * A copy has a map: what each node of the first graph becomes in the second. The caller enters the
 * symbols that it knows; every other symbol is replaced by what it stands for, as ha_resolve()
 * would. Nodes that were copied stay in the map, so that a copy of many expressions costs no more
 * than the nodes that they have together. The walk keeps its own stack. Quantities as they are
 * written stay what they are.
 */
#include <config.h>

#include "lib/expr/expr_copy.h"

#include "lib/expr/expr_dimension.h"
#include "lib/expr/expr_priv.h"

enum { WAITING = -2 }; /* in the map: the node waits for what it is made of */

ha_status ha__copy_begin(ha__copy *copy, ha_dag *from, ha_dag *to)
{
    *copy = (ha__copy){ .from = from, .to = to, .size = ha_dag_size(from) };
    HA_TRY_ALLOC(from->ctx, copy->map, copy->size);
    return HA_OK;
}

void ha__copy_end(ha__copy *copy)
{
    ha__free(copy->map);
    HA_ARRAY_CLEAR(&copy->stack);
}

void ha__copy_map(ha__copy *copy, ha_expr symbol, ha_expr becomes)
{
    if (symbol > 0 && symbol < copy->size) {
        copy->map[symbol] = becomes;
    }
}

/* Says why a symbol cannot be copied. */
static ha_status refuse(const ha__copy *copy, ha_expr symbol, bool is_circle)
{
    return ha_fail(copy->from->ctx, HA_ERR_NAME, HA_NOWHERE,
                   is_circle
                       ? "`%s` is defined by an expression of itself; take it out of its own "
                         "definition"
                       : "an expression uses the symbol `%s`, which stands for nothing; define "
                         "it, or make it a parameter",
                   ha_symbol_name(copy->from, symbol));
}

/* Pushes what must be copied before e. */
static ha_status push_needed(ha__copy *copy, ha_expr e)
{
    ha_op op = ha_expr_op(copy->from, e);
    bool is_symbol = op == HA_OP_SYMBOL;
    int n = is_symbol ? 1 : ha_op_arity(op);

    for (int k = 0; k < n; k++) {
        ha_expr needed =
            is_symbol ? ha_symbol_definition(copy->from, e) : ha_expr_operand(copy->from, e, k);
        if (needed == HA_EXPR_NONE || needed >= copy->size) {
            return refuse(copy, e, false);
        }
        if (copy->map[needed] == WAITING) {
            return refuse(copy, is_symbol ? e : needed, true);
        }
        if (copy->map[needed] == HA_EXPR_NONE) {
            HA_TRY_PUSH(copy->from->ctx, &copy->stack, needed);
        }
    }
    copy->map[e] = WAITING;
    return HA_OK;
}

/* True when operand k of a node is a table. */
static bool is_table(ha_op op, int k)
{
    return (op == HA_OP_KNOT && k == 1) || (op == HA_OP_PIECE && k == 2);
}

/* The node made in the second graph, what it is made of being there. */
static ha_expr rebuilt(const ha__copy *copy, ha_expr e)
{
    ha_expr x[3] = { 0 };
    ha_op op = ha_expr_op(copy->from, e);
    double value = 0.0;

    if (ha_expr_is_constant(copy->from, e, &value)) {
        return ha_constant(copy->to, value);
    }
    if (op == HA_OP_SYMBOL) {
        ha_expr meaning = copy->map[ha_symbol_definition(copy->from, e)];
        bool is_number = ha_expr_is_constant(copy->to, meaning, &value);
        return is_number && ha__is_quantity(copy->from, e)
                   ? ha__quantity_symbol(copy->to, ha_symbol_name(copy->from, e), value)
                   : meaning;
    }
    for (int k = 0; k < ha_op_arity(op); k++) {
        ha_expr operand = ha_expr_operand(copy->from, e, k);
        x[k] = is_table(op, k) ? ha__table_operand_copy(copy->from, copy->to, operand)
                               : copy->map[operand];
    }
    return ha_apply(copy->to, op, x[0], x[1], x[2]);
}

static ha_status copy_all(ha__copy *copy)
{
    while (copy->stack.count > 0) {
        ha_expr top = copy->stack.items[copy->stack.count - 1];
        size_t before = copy->stack.count;
        if (copy->map[top] == HA_EXPR_NONE) {
            HA_TRY(push_needed(copy, top));
        }
        if (copy->stack.count == before) {
            copy->stack.count--;
            copy->map[top] = copy->map[top] == WAITING ? rebuilt(copy, top) : copy->map[top];
            HA_TRY(ha_dag_status(copy->to));
        }
    }
    return HA_OK;
}

ha_status ha__copy_expr(ha__copy *copy, ha_expr e, ha_expr *out)
{
    if (e == HA_EXPR_NONE) {
        *out = HA_EXPR_NONE;
        return HA_OK;
    }
    copy->stack.count = 0;
    HA_TRY_PUSH(copy->from->ctx, &copy->stack, e);
    ha_status status = copy_all(copy);
    if (status == HA_OK) {
        *out = copy->map[e];
        return HA_OK;
    }
    for (size_t i = 0; i < copy->stack.count; i++) {
        ha_expr *copied = &copy->map[copy->stack.items[i]];
        *copied = *copied == WAITING ? HA_EXPR_NONE : *copied; /* for the next expression */
    }
    return status;
}
