/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions that jump or bend: their switching functions, and what they are on either side. */
#include <config.h>

#include "lib/expr/expr_switch.h"

#include "lib/expr/expr_beyond.h"
#include "lib/expr/expr_odd.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <string.h>

void ha__switches_clear(ha__switches *switches)
{
    HA_ARRAY_CLEAR(&switches->resting, &switches->items, &switches->number_of,
                   &switches->is_clock_side, &switches->is_side, &switches->held);
}

/* What the walk over one expression needs. */
typedef struct {
    ha__switches *switches;
    ha_ctx *ctx;
    ha_dag *dag;
} walk;

/* Makes an array by node as long as the graph, new entries being 0. */
static ha_status grow(ha_ctx *ctx, ha__marks *marks, size_t size)
{
    size_t n = marks->count;

    if (size <= n) {
        return HA_OK;
    }
    HA_TRY_ROOM(ctx, marks, size - n);
    for (size_t i = n; i < size; i++) {
        marks->items[i] = 0;
    }
    marks->count = size;
    return HA_OK;
}

bool ha__is_fixed(const ha__switches *switches, ha_expr symbol)
{
    for (size_t i = 0; i < switches->n_fixed; i++) {
        if (switches->fixed[i] == symbol) {
            return true;
        }
    }
    return false;
}

/* True when nothing but the time, sides of such functions, and what is fixed, is in g. */
static ha_status is_clock_function(walk *w, ha_expr g, bool *out)
{
    const ha__switches *s = w->switches;
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(w->dag, g, &symbols, &n));
    *out = true;
    for (size_t i = 0; i < n; i++) {
        bool is_side =
            (size_t) symbols[i] < s->is_clock_side.count && s->is_clock_side.items[symbols[i]] != 0;
        *out = *out && (symbols[i] == s->time || is_side || ha__is_fixed(s, symbols[i]));
    }
    return HA_OK;
}

/* Adds a switching function. */
static ha_status add_switch(walk *w, ha_expr g, bool is_turned, ha_expr *side)
{
    ha__switches *s = w->switches;
    bool is_clock = false;

    *side = ha_symbol(w->dag, "side");
    HA_TRY(ha_dag_status(w->dag));
    HA_TRY(is_clock_function(w, g, &is_clock));
    HA_TRY(grow(w->ctx, &s->number_of, (size_t) g + 1));
    HA_TRY(grow(w->ctx, &s->is_clock_side, (size_t) *side + 1));
    HA_TRY(grow(w->ctx, &s->is_side, (size_t) *side + 1));
    HA_TRY_PUSH(w->ctx, &s->items, ((ha__switch){ g, *side, is_turned, is_clock }));
    s->number_of.items[g] = (int) s->items.count;
    s->is_clock_side.items[*side] = is_clock;
    s->is_side.items[*side] = 1;
    return HA_OK;
}

/* True of a switching function that was met. */
static bool is_known(const ha__switches *s, ha_expr g)
{
    return (size_t) g < s->number_of.count && s->number_of.items[g] > 0;
}

/* The side of a switching function. */
static ha_status side_of(walk *w, ha_expr g, bool is_turned, ha_expr *side)
{
    const ha__switches *s = w->switches;

    if (is_known(s, g)) {
        *side = s->items.items[s->number_of.items[g] - 1].side;
        return HA_OK;
    }
    return add_switch(w, g, is_turned, side);
}

/* 2 floor((a + shift) / 2) */
static ha_expr even_part(ha_dag *dag, ha_expr a, double shift)
{
    ha_expr two = ha_constant(dag, 2.0);
    ha_expr half = ha_div(dag, ha_add(dag, a, ha_constant(dag, shift)), two);

    return ha_mul(dag, two, ha_apply(dag, HA_OP_FLOOR, half, HA_EXPR_NONE, HA_EXPR_NONE));
}

/* What a switching function depends on. */
typedef struct {
    bool is_sides; /* on sides alone */
    bool may_stay; /* it may stay 0 for a while: by the time, or where sides make it 0 */
} nature;

/* Whether some sides make g vanish; beyond `MOST_SIDES` one alone must do it. */
static ha_status may_vanish(walk *w, ha_expr g, const ha_expr *sides, int n, bool *out)
{
    enum { MOST_SIDES = 4 };
    ha_expr values[MOST_SIDES] = { 0 };
    int at_once = n <= MOST_SIDES ? n : 1;

    for (int from = 0; from + at_once <= n && !*out; from++) {
        for (unsigned bits = 0; bits < 1U << at_once && !*out; bits++) {
            for (int i = 0; i < at_once; i++) {
                values[i] = ha_constant(w->dag, (bits >> i & 1U) != 0 ? 1.0 : 0.0);
            }
            ha_expr made = ha_expr_replace(w->dag, g, sides + from, values, (size_t) at_once);
            HA_TRY(ha_dag_status(w->dag));
            *out = ha_expr_is(w->dag, made, 0.0);
        }
    }
    return HA_OK;
}

/* True of a symbol that keeps its value from event to event. */
static bool rests(const ha__switches *s, ha_expr symbol)
{
    bool is_side = (size_t) symbol < s->is_side.count && s->is_side.items[symbol] != 0;

    for (size_t i = 0; i < s->resting.count; i++) {
        is_side = is_side || s->resting.items[i] == symbol;
    }
    return is_side || ha__is_fixed(s, symbol);
}

/* Whether what keeps its value from event to event makes g 0: all of it or a factor. */
static ha_status may_rest(walk *w, ha_expr g, bool *out)
{
    enum { RESTS = 1, MAY_BE_0 = 2 };
    ha__marks known = { 0 };

    HA_TRY(ha__dag_order(w->dag, &g, 1));
    HA_TRY(grow(w->ctx, &known, (size_t) g + 1));
    for (size_t i = 0; i < w->dag->order.count; i++) {
        ha_expr e = w->dag->order.items[i];
        ha_op op = ha_expr_op(w->dag, e);
        int all = op == HA_OP_SYMBOL && !rests(w->switches, e) ? 0 : RESTS, any = 0;
        for (int k = 0; k < ha_op_arity(op); k++) {
            int operand = known.items[ha_expr_operand(w->dag, e, k)];
            all &= operand;
            any |= k == 0 || op == HA_OP_MUL ? operand & MAY_BE_0 : 0;
        }
        all = op == HA_OP_FLOOR ? RESTS : all;
        known.items[e] = all | (all != 0 ? MAY_BE_0 : ha__is_product(w->dag, e) ? any : 0);
        known.items[e] = op == HA_OP_CONSTANT ? RESTS : known.items[e];
    }
    *out = *out || (known.items[g] & MAY_BE_0) != 0;
    HA_ARRAY_CLEAR(&known);
    return HA_OK;
}

static ha_status judge(walk *w, ha_expr g, nature *out)
{
    const ha__switches *s = w->switches;
    ha_expr *symbols = NULL;
    size_t n = 0, n_sides = 0;

    *out = (nature){ 0 };
    HA_TRY(is_clock_function(w, g, &out->may_stay));
    HA_TRY(ha_expr_symbols(w->dag, g, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        if ((size_t) symbols[i] < s->is_side.count && s->is_side.items[symbols[i]] != 0) {
            symbols[n_sides++] = symbols[i];
        }
    }
    out->is_sides = n_sides == n;
    return ha__then_free(
        out->may_stay ? HA_OK : may_vanish(w, g, symbols, (int) n_sides, &out->may_stay), symbols);
}

/* A side holds from 0 on. Where a comparison is not to hold at its limit, or the other one is, both
   operands are exchanged: a motion may start there, or stay. */
static bool turns(ha_op op)
{
    return op == HA_OP_GT || op == HA_OP_LE;
}

/* The switching function of an operation on x. */
static ha_expr function_of(ha_dag *dag, ha_op op, const ha_expr x[3])
{
    if (op == HA_OP_FLOOR) {
        return ha_apply(dag, HA_OP_FLOOR_SIDE, x[0], HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return ha_op_arity(op) == 1 ? x[0] : ha_sub(dag, x[0], x[1]);
}

/* The operation on a known side. */
static ha_expr held(ha_dag *dag, ha_op op, bool is_turned, ha_expr side, ha_expr a, ha_expr b)
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
    return is_less != is_turned ? ha_sub(dag, one, side) : side;
}

/* The sign of what may stay 0, where it is 0. */
static ha_status sign_of(walk *w, ha_expr a, ha_expr *out)
{
    ha_expr above = HA_EXPR_NONE, below = HA_EXPR_NONE;

    HA_TRY(side_of(w, a, false, &above));
    HA_TRY(side_of(w, ha_neg(w->dag, a), true, &below));
    *out = ha_sub(w->dag, above, below);
    return ha_dag_status(w->dag);
}

/* A node made again from its operands x with the sides held. */
static ha_status make(walk *w, ha_expr node, const ha_expr x[3], ha_expr *out)
{
    ha_op op = ha_expr_op(w->dag, node);
    ha_expr side = HA_EXPR_NONE;
    nature of = { 0 };

    *out = ha_apply(w->dag, op, x[0], x[1], x[2]);
    HA_TRY(ha_dag_status(w->dag));
    if (!ha__op_switches((int) op) || ha_expr_op(w->dag, *out) != op) {
        return HA_OK; /* or it was simplified away */
    }
    ha_expr g = function_of(w->dag, op, x);
    HA_TRY(ha_dag_status(w->dag));
    if (ha_expr_is_constant(w->dag, g, NULL)) {
        return HA_OK;
    }
    HA_TRY(judge(w, g, &of));
    bool is_turned = turns(op);
    g = is_turned ? ha_sub(w->dag, x[1], x[0]) : g;
    HA_TRY(ha_dag_status(w->dag));
    if (of.is_sides || (w->switches->is_closed && !is_known(w->switches, g))) {
        return HA_OK;
    }
    if (op == HA_OP_SIGN && !w->switches->is_closed) {
        HA_TRY(may_rest(w, g, &of.may_stay));
        if (of.may_stay) {
            return sign_of(w, g, out);
        }
    }
    HA_TRY(side_of(w, g, is_turned, &side));
    *out = held(w->dag, op, is_turned, side, x[0], x[1]);
    return ha_dag_status(w->dag);
}

/* A factor that is kept, of what is inside it with its sides held. */
static ha_expr keep_factor(walk *w, ha_expr factor)
{
    ha_dag *dag = w->dag;
    ha_op op = ha_expr_op(dag, factor);
    ha_expr x = w->switches->held.items[ha__odd_inside(dag, factor)];
    ha_expr power = op == HA_OP_POW ? ha_expr_operand(dag, factor, 1) : HA_EXPR_NONE;

    if (op == HA_OP_POW || op == HA_OP_SQRT) {
        x = ha_apply(dag, HA_OP_ABS, x, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return ha_apply(dag, op, x, power, HA_EXPR_NONE);
}

/* A product made again from its factors. */
static ha_expr multiply(walk *w, ha_expr e, const ha__factor **next, bool is_below)
{
    ha_op op = ha_expr_op(w->dag, e);
    ha_expr second = HA_EXPR_NONE;

    if (is_below || !ha__is_product(w->dag, e)) {
        bool is_kept = (*next)++->is_kept;
        return is_kept ? keep_factor(w, e) : w->switches->held.items[e];
    }
    ha_expr first = multiply(w, ha_expr_operand(w->dag, e, 0), next, false);
    if (op != HA_OP_NEG) {
        second = multiply(w, ha_expr_operand(w->dag, e, 1), next, op == HA_OP_DIV);
    }
    return ha_apply(w->dag, op, first, second, HA_EXPR_NONE);
}

/* A node made again from its operands, which were made before. */
static ha_status remake(walk *w, ha_expr node)
{
    ha__factors factors;
    const ha__factor *first = factors.items;
    ha__switches *s = w->switches;

    if (ha__find_odd(w->dag, node, &factors)) {
        s->held.items[node] = multiply(w, node, &first, false);
        return ha_dag_status(w->dag);
    }
    ha_op op = ha_expr_op(w->dag, node);
    ha_expr x[3] = { 0 }, made = node;
    bool is_new = ha__op_switches((int) op);

    for (int k = 0; k < ha_op_arity(op); k++) {
        ha_expr operand = ha_expr_operand(w->dag, node, k);
        x[k] = s->held.items[operand];
        if (k == 0 && ha__is_root(w->dag, node) && ha_expr_op(w->dag, operand) == HA_OP_ABS) {
            ha_expr inside = s->held.items[ha_expr_operand(w->dag, operand, 0)];
            x[k] = ha_apply(w->dag, HA_OP_ABS, inside, HA_EXPR_NONE, HA_EXPR_NONE);
        }
        is_new = is_new || x[k] != operand;
    }
    if (op == HA_OP_IF) {
        HA_TRY(ha__branch_beyond(s, w->dag, x[0], true, &x[1]));
        HA_TRY(ha__branch_beyond(s, w->dag, x[0], false, &x[2]));
        is_new = true;
    }
    if (ha__is_root(w->dag, node)) {
        HA_TRY(ha__root_beyond(s, w->dag, op, x[0], x[1], &made));
    } else if (is_new) {
        HA_TRY(make(w, node, x, &made));
    }
    s->held.items[node] = made;
    return HA_OK;
}

/* Marks, by number in the order, the nodes that a node is made again from. */
static void mark_read(const walk *w, ha_expr node, ha__marks *is_read)
{
    ha__factors factors;

    if (ha__find_odd(w->dag, node, &factors)) {
        for (int i = 0; i < factors.n; i++) {
            const ha__factor *f = &factors.items[i];
            ha_expr read = f->is_kept ? ha__odd_inside(w->dag, f->e) : f->e;
            is_read->items[ha__dag_position(w->dag, read)] = 1;
        }
        return;
    }
    for (int k = 0; k < ha_op_arity(ha_expr_op(w->dag, node)); k++) {
        ha_expr operand = ha_expr_operand(w->dag, node, k);
        if (ha__is_expr(w->dag, operand)) {
            is_read->items[ha__dag_position(w->dag, operand)] = 1;
        }
    }
}

/* True when e, whose nodes are those of the graph's order, jumps or bends somewhere. */
static bool has_switch(const ha_dag *dag)
{
    for (size_t i = 0; i < dag->order.count; i++) {
        if (ha__op_switches((int) ha_expr_op(dag, dag->order.items[i]))) {
            return true;
        }
    }
    return false;
}

/* The nodes that are still to be made for e, in the graph's order: a copy, because adding a
   switching function walks the graph, too. */
static ha_status list_nodes(walk *w, ha__marks *nodes)
{
    ha__marks is_read = { 0 };

    size_t n = w->dag->order.count, count = 0;
    ha_status status = grow(w->ctx, nodes, n);
    HA_THEN(status, grow(w->ctx, &is_read, n));
    for (size_t i = n; i-- > 0 && status == HA_OK;) {
        ha_expr node = w->dag->order.items[i];
        is_read.items[i] = i == n - 1 ? 1 : is_read.items[i];
        if (is_read.items[i] != 0 && w->switches->held.items[node] == HA_EXPR_NONE) {
            mark_read(w, node, &is_read);
            nodes->items[n - ++count] = node;
        }
    }
    if (status == HA_OK) {
        memmove(nodes->items, nodes->items + n - count, count * sizeof *nodes->items);
        nodes->count = count;
    }
    HA_ARRAY_CLEAR(&is_read);
    return status;
}

ha_status ha__hold_sides(ha__switches *switches, ha_ctx *ctx, ha_dag *dag, ha_expr e, ha_expr *out)
{
    walk w = { switches, ctx, dag };
    ha__marks nodes = { 0 };

    HA_TRY(ha_dag_status(dag));
    *out = e;
    if (!dag->has_switch) {
        return HA_OK;
    }
    HA_TRY(ha__dag_order(dag, &e, 1));
    if (!has_switch(dag)) {
        return HA_OK;
    }
    HA_TRY(grow(ctx, &switches->held, (size_t) ha_dag_size(dag)));
    ha_status status = list_nodes(&w, &nodes);
    for (size_t i = 0; i < nodes.count && status == HA_OK; i++) {
        status = remake(&w, nodes.items[i]);
    }
    if (status == HA_OK) {
        *out = switches->held.items[e];
    }
    HA_ARRAY_CLEAR(&nodes);
    return status;
}

ha_status ha__hold_side(ha__switches *switches, ha_ctx *ctx, ha_dag *dag, ha_expr g, int *out)
{
    walk w = { switches, ctx, dag };
    ha_expr side = HA_EXPR_NONE, one = ha_constant(dag, 1.0);
    nature of = { 0 };

    HA_TRY(ha__hold_sides(switches, ctx, dag, g, &g));
    HA_TRY(judge(&w, g, &of));
    if (of.is_sides) { /* never 0, of which side that is */
        ha_expr is_above = ha_apply(dag, HA_OP_GT, g, ha_constant(dag, 0.0), HA_EXPR_NONE);
        g = ha_apply(dag, HA_OP_IF, is_above, one, ha_neg(dag, one));
        HA_TRY(ha_dag_status(dag));
    }
    HA_TRY(side_of(&w, g, false, &side));
    *out = switches->number_of.items[g] - 1;
    return HA_OK;
}
