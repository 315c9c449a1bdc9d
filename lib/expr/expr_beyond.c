/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roots that have a value a little beyond the event at which they end. */
#include <config.h>

#include "lib/expr/expr_beyond.h"

#include "lib/core/mem.h"
#include "lib/expr/expr_priv.h"

#include <math.h>

bool ha__is_root(const ha_dag *dag, ha_expr node)
{
    double power = 0.0;
    ha_op op = ha_expr_op(dag, node);

    if (op == HA_OP_POW && ha_expr_is_constant(dag, ha_expr_operand(dag, node, 1), &power)) {
        return power != floor(power);
    }
    return op == HA_OP_SQRT || op == HA_OP_POW;
}

/* The g of a side; HA_EXPR_NONE for all else. */
static ha_expr g_of(const ha__switches *s, const ha_dag *dag, ha_expr side)
{
    bool is_side = ha_expr_op(dag, side) == HA_OP_SYMBOL && (size_t) side < s->is_side.count &&
                   s->is_side.items[side] != 0;

    for (size_t i = 0; is_side && i < s->items.count; i++) {
        if (s->items.items[i].side == side) {
            return s->items.items[i].g;
        }
    }
    return HA_EXPR_NONE;
}

/* A root, or another operation, of x (power y). */
typedef struct {
    ha_op op;
    ha_expr x, y;
} ha__root;

/* What is put in, and for what: |g| for g or -|g|, also where g is written with the other sign. */
typedef struct {
    ha_expr from[2], to[2];
} exchange;

static exchange exchange_of(ha_dag *dag, ha_expr g, bool is_above)
{
    bool is_turned = ha_expr_op(dag, g) == HA_OP_NEG;
    ha_expr base = is_turned ? ha_expr_operand(dag, g, 0) : g;
    ha_expr size = ha_apply(dag, HA_OP_ABS, base, HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr other = ha_neg(dag, size);
    bool is_size = is_turned != is_above;

    return (exchange){ { base, ha_neg(dag, base) },
                       { is_size ? size : other, is_size ? other : size } };
}

/* Whether there is a root in `e`: most branches have none. */
static ha_status look_for_root(ha_dag *dag, ha_expr e, bool *out)
{
    *out = false;
    HA_TRY(ha__dag_order(dag, &e, 1));
    for (size_t i = 0; i < dag->order.count; i++) {
        *out = *out || ha__is_root(dag, dag->order.items[i]);
    }
    return HA_OK;
}

/* `e` with the sign of g put in inside of its roots. */
static ha_status roots_with_sign(ha_dag *dag, ha_expr e, ha_expr g, bool is_above, ha_expr *out)
{
    bool has_root = false;

    *out = e;
    HA_TRY(look_for_root(dag, e, &has_root));
    if (!has_root) {
        return HA_OK;
    }
    exchange x = exchange_of(dag, g, is_above);
    HA_TRY(ha_dag_status(dag));
    HA_TRY(ha__dag_order(dag, &e, 1));
    size_t n = dag->order.count;
    ha_expr *inside = ha__alloc(dag->ctx, n, sizeof *inside); /* of a root, by position */
    ha_expr *made = ha__alloc(dag->ctx, n, sizeof *made);
    ha_status status = inside == NULL || made == NULL ? HA_ERR_MEMORY : HA_OK;
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        ha_expr node = dag->order.items[i];
        inside[i] = node == x.from[0]   ? x.to[0]
                    : node == x.from[1] ? x.to[1]
                                        : ha__remade(dag, node, inside);
        made[i] = ha__is_root(dag, node) ? inside[i] : ha__remade(dag, node, made);
        status = ha_dag_status(dag);
    }
    *out = status == HA_OK ? made[n - 1] : e;
    HA_FREE(inside, made);
    return status;
}

ha_status ha__branch_beyond(const ha__switches *switches, ha_dag *dag, ha_expr condition,
                            bool is_met, ha_expr *branch)
{
    ha_op op = ha_expr_op(dag, condition);
    ha_expr g = g_of(switches, dag, condition);

    if (g != HA_EXPR_NONE) {
        return roots_with_sign(dag, *branch, g, is_met, branch);
    }
    if (op == HA_OP_SUB && ha_expr_is(dag, ha_expr_operand(dag, condition, 0), 1.0)) {
        return ha__branch_beyond(switches, dag, ha_expr_operand(dag, condition, 1), !is_met,
                                 branch);
    }
    for (int k = 0; k < 2 && op == HA_OP_MUL && is_met; k++) { /* all of them are met */
        HA_TRY(ha__branch_beyond(switches, dag, ha_expr_operand(dag, condition, k), true, branch));
    }
    return HA_OK;
}

/* The root of an `if` on a side, down to `depth` more of them in its branches: each doubles what is
   to be made. */
static ha_status root_of_if(const ha__switches *switches, ha_dag *dag, ha__root root, int depth,
                            ha_expr *out)
{
    bool is_if = depth > 0 && ha_expr_op(dag, root.x) == HA_OP_IF;
    ha_expr side = is_if ? ha_expr_operand(dag, root.x, 0) : HA_EXPR_NONE;

    if (!is_if || g_of(switches, dag, side) == HA_EXPR_NONE) {
        *out = ha_apply(dag, root.op, root.x, root.y, HA_EXPR_NONE);
        return ha_dag_status(dag);
    }
    ha_expr branch[2] = { 0 };
    for (int k = 0; k < 2; k++) {
        ha__root inner = { root.op, ha_expr_operand(dag, root.x, k + 1), root.y };
        HA_TRY(root_of_if(switches, dag, inner, depth - 1, &branch[k]));
        HA_TRY(ha__branch_beyond(switches, dag, side, k == 0, &branch[k]));
    }
    *out = ha_apply(dag, HA_OP_IF, side, branch[0], branch[1]);
    return ha_dag_status(dag);
}

ha_status ha__root_beyond(const ha__switches *switches, ha_dag *dag, ha_op op, ha_expr x, ha_expr y,
                          ha_expr *out)
{
    enum { MOST_DEPTH = 4 };

    return root_of_if(switches, dag, (ha__root){ op, x, y }, MOST_DEPTH, out);
}
