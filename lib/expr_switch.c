/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions that jump or bend: their switching functions, and what they are on either side. */
#include <config.h>

#include "lib/expr_switch.h"

#include "lib/expr_priv.h"

#include <math.h>
#include <string.h>

void ha__switches_clear(ha__switches *switches)
{
    HA_ARRAY_CLEAR(&switches->items);
    HA_ARRAY_CLEAR(&switches->number_of);
}

/* What the walk over one expression needs. */
typedef struct {
    ha__switches *switches;
    ha_ctx *ctx;
    ha_dag *dag;
    bool is_closed;
} walk;

/* True when nothing but the time, and sides of such functions, is in g. */
static ha_status is_clock_function(walk *w, ha_expr g, bool *out)
{
    const ha__switches *s = w->switches;
    ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(w->dag, g, &symbols, &n));
    *out = true;
    for (size_t i = 0; i < n; i++) {
        bool is_known = symbols[i] == s->time;
        for (size_t k = 0; k < s->items.count; k++) {
            is_known = is_known || (s->items.items[k].side == symbols[i] &&
                                    s->items.items[k].is_clock);
        }
        *out = *out && is_known;
    }
    ha__free(symbols);
    return HA_OK;
}

/* Adds a switching function. */
static ha_status add_switch(walk *w, ha_expr g, ha_expr *side)
{
    ha__switches *s = w->switches;
    size_t n = s->number_of.count;

    *side = ha_symbol(w->dag, "side");
    HA_TRY(ha_dag_status(w->dag));
    if ((size_t) g >= n) {
        HA_TRY_ROOM(w->ctx, &s->number_of, (size_t) g + 1 - n);
        for (size_t i = n; i <= (size_t) g; i++) {
            s->number_of.items[i] = 0;
        }
        s->number_of.count = (size_t) g + 1;
    }
    bool is_clock = false;
    HA_TRY(is_clock_function(w, g, &is_clock));
    HA_TRY_PUSH(w->ctx, &s->items, ((ha__switch){ g, *side, is_clock }));
    s->number_of.items[g] = (int) s->items.count;
    return HA_OK;
}

/* The side of a switching function; HA_EXPR_NONE for a new one of a closed list. */
static ha_status side_of(walk *w, ha_expr g, ha_expr *side)
{
    const ha__switches *s = w->switches;
    int number = (size_t) g < s->number_of.count ? s->number_of.items[g] : 0;

    *side = HA_EXPR_NONE;
    if (number > 0) {
        *side = s->items.items[number - 1].side;
        return HA_OK;
    }
    return w->is_closed ? HA_OK : add_switch(w, g, side);
}

/* True for the operations that hang on a switching function. */
static bool switches_at(ha_op op)
{
    return op == HA_OP_LT || op == HA_OP_LE || op == HA_OP_GT || op == HA_OP_GE ||
           op == HA_OP_MIN || op == HA_OP_MAX || op == HA_OP_ABS || op == HA_OP_SIGN ||
           op == HA_OP_FLOOR;
}

/* 2 floor((a + shift) / 2) */
static ha_expr even_part(ha_dag *dag, ha_expr a, double shift)
{
    ha_expr two = ha_constant(dag, 2.0);
    ha_expr half = ha_div(dag, ha_add(dag, a, ha_constant(dag, shift)), two);

    return ha_mul(dag, two, ha_apply(dag, HA_OP_FLOOR, half, HA_EXPR_NONE, HA_EXPR_NONE));
}

/* The switching function of an operation on x. */
static ha_expr function_of(ha_dag *dag, ha_op op, const ha_expr x[3])
{
    if (op == HA_OP_FLOOR) {
        ha_expr turn = ha_mul(dag, ha_constant(dag, M_PI), x[0]);
        return ha_apply(dag, HA_OP_SIN, turn, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return ha_op_arity(op) == 1 ? x[0] : ha_sub(dag, x[0], x[1]);
}

/* The operation on a known side. */
static ha_expr held(ha_dag *dag, ha_op op, ha_expr side, ha_expr a, ha_expr b)
{
    ha_expr one = ha_constant(dag, 1.0);
    bool is_less = op == HA_OP_LT || op == HA_OP_LE;

    if (op == HA_OP_FLOOR) {
        ha_expr odd = ha_add(dag, even_part(dag, a, -0.5), one);
        return ha_apply(dag, HA_OP_IF, side, even_part(dag, a, 0.5), odd);
    }
    if (op == HA_OP_MIN || op == HA_OP_MAX) {
        return ha_apply(dag, HA_OP_IF, side, op == HA_OP_MIN ? b : a, op == HA_OP_MIN ? a : b);
    }
    if (op == HA_OP_ABS || op == HA_OP_SIGN) {
        ha_expr above = op == HA_OP_ABS ? a : one;
        return ha_apply(dag, HA_OP_IF, side, above, ha_neg(dag, above));
    }
    return is_less ? ha_sub(dag, one, side) : side;
}

/* A node made again from its operands x with the sides held. */
static ha_status make(walk *w, ha_expr node, const ha_expr x[3], ha_expr *out)
{
    ha_op op = ha_expr_op(w->dag, node);
    ha_expr side = HA_EXPR_NONE;

    *out = ha_apply(w->dag, op, x[0], x[1], x[2]);
    HA_TRY(ha_dag_status(w->dag));
    if (!switches_at(op) || ha_expr_op(w->dag, *out) != op) {
        return HA_OK; /* or it was simplified away */
    }
    ha_expr g = function_of(w->dag, op, x);
    HA_TRY(ha_dag_status(w->dag));
    if (ha_expr_is_constant(w->dag, g, NULL)) {
        return HA_OK;
    }
    HA_TRY(side_of(w, g, &side));
    if (side != HA_EXPR_NONE) {
        *out = held(w->dag, op, side, x[0], x[1]);
    }
    return ha_dag_status(w->dag);
}

/* Makes the nodes of `order` (n), operands first, into `made` by node. */
static ha_status make_all(walk *w, const ha_expr *order, size_t n, ha_expr *made)
{
    for (size_t i = 0; i < n; i++) {
        ha_expr node = order[i], x[3] = { HA_EXPR_NONE, HA_EXPR_NONE, HA_EXPR_NONE };
        int arity = ha_op_arity(ha_expr_op(w->dag, node));
        for (int k = 0; k < arity; k++) {
            x[k] = made[ha_expr_operand(w->dag, node, k)];
        }
        made[node] = node;
        if (arity > 0) {
            HA_TRY(make(w, node, x, &made[node]));
        }
    }
    return HA_OK;
}

/* True when one of the nodes jumps or bends. */
static bool has_switch(const ha_dag *dag, const ha_expr *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (switches_at(ha_expr_op(dag, order[i]))) {
            return true;
        }
    }
    return false;
}

ha_status ha__hold_sides(ha__switches *switches, ha_ctx *ctx, ha_dag *dag, ha_expr e,
                         bool is_closed, ha_expr *out)
{
    walk w = { switches, ctx, dag, is_closed };

    HA_TRY(ha_dag_status(dag));
    HA_TRY(ha__dag_order(dag, &e, 1));
    if (!has_switch(dag, dag->order.items, dag->order.count)) {
        *out = e;
        return HA_OK;
    }

    /* a copy of the order, because adding a switching function walks the graph, too */
    size_t n = dag->order.count;
    ha_expr *order = ha__alloc(ctx, n, sizeof *order);
    ha_expr *made = ha__alloc(ctx, (size_t) e + 1, sizeof *made);
    ha_status status = order == NULL || made == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK) {
        memcpy(order, dag->order.items, n * sizeof *order);
        status = make_all(&w, order, n, made);
    }
    if (status == HA_OK) {
        *out = made[e];
    }
    ha__free(order);
    ha__free(made);
    return status;
}
