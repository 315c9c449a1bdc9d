/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals: the parts of the equations, and behind them those of the outputs, that depend on the
 * time alone, which the solver looks at before each step (lib/dae/dae_foresee.c).
 *
 * The equations and switching functions are taken with the sides of their clocks held, which are
 * constant from one event to the next. Each function of the time is a signal, and so is what is
 * inside of products, powers, roots and choices: what is narrow beside something large, in a sum or
 * in a product or root of one, has to be seen for itself. Products with constants are none, as
 * their operands tell of them, nor are polynomials of the time, which no step passes unseen.
 *
 * Of a sum the operands do not tell all: tanh((t - 2)/w) - tanh((t - 3)/w) is narrow, but a long
 * step has each of both at its ends. So the sum of those operands that are functions of the time is
 * a signal, too, whatever else is in the sum, as of all forces on a body. A sum that is only a term
 * of larger sums is a part of them; one that is an equation, or a factor or the like anywhere, is a
 * signal of its own. Vibrations are left out: their periods tell of them, and a pulse would be
 * small beside them.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <string.h>

/* What is known of a node. */
enum {
    CHANGES = 1,
    WITH_OTHERS = 2,
    IS_NARROW = 4,
    VISITED = 8,
    OF_SEVERAL = 16,
    IS_WHOLE = 32,  /* an equation, or an operand of what is no sum; perhaps a term of sums, too */
    SUM_LISTED = 64 /* its sum is a signal already */
};

/* What a node has from its operands. */
enum { INHERITED = CHANGES | WITH_OTHERS | IS_NARROW };

typedef struct {
    bg__compiler *c;
    unsigned char *known; /* (nodes) */
    ha_expr *sums; /* (nodes) the sum of what is narrow in the time; HA_EXPR_NONE: nothing is */
    ha__exprs stack, signals;
} search;

/* What a symbol changes with. */
static unsigned char kind_of_symbol(const search *s, ha_expr symbol)
{
    const ha__switches *w = &s->c->switches;
    bool is_clock = (size_t) symbol < w->is_clock_side.count && w->is_clock_side.items[symbol] != 0;

    return symbol == s->c->q->time               ? CHANGES
           : is_clock || ha__is_fixed(w, symbol) ? 0
                                                 : WITH_OTHERS;
}

static bool is_constant(const search *s, ha_expr e)
{
    return (s->known[e] & (CHANGES | WITH_OTHERS)) == 0;
}

/* True unless a node is a polynomial of its operands that change, of low order. */
static bool may_be_narrow(const search *s, ha_expr e)
{
    enum { LOW = 4 };
    const ha_dag *dag = s->c->dag;
    double power = 0.0;

    switch ((int) ha_expr_op(dag, e)) {
    case HA_OP_CONSTANT:
    case HA_OP_SYMBOL:
    case HA_OP_ADD:
    case HA_OP_SUB:
    case HA_OP_NEG:
    case HA_OP_MUL:
        return false;
    case HA_OP_DIV:
        return !is_constant(s, ha_expr_operand(dag, e, 1));
    case HA_OP_POW:
        return !ha_expr_is_constant(dag, ha_expr_operand(dag, e, 1), &power) ||
               !(power >= 0.0 && power <= LOW && power == floor(power));
    default:
        return true;
    }
}

static bool is_sum(const search *s, ha_expr e)
{
    ha_op op = ha_expr_op(s->c->dag, e);

    return op == HA_OP_ADD || op == HA_OP_SUB || op == HA_OP_NEG;
}

/* True of a sine of a polynomial of the time, and of a multiple of one. */
static bool is_vibration(const search *s, ha_expr e)
{
    const ha_dag *dag = s->c->dag;
    const ha_expr a = ha_expr_operand(dag, e, 0), b = ha_expr_operand(dag, e, 1);
    ha_op op = ha_expr_op(dag, e);

    if (op == HA_OP_SIN || op == HA_OP_COS) {
        return (s->known[a] & IS_NARROW) == 0;
    }
    if ((op == HA_OP_MUL || op == HA_OP_DIV) && is_constant(s, b)) {
        return s->sums[a] == HA_EXPR_NONE;
    }
    return op == HA_OP_MUL && is_constant(s, a) && s->sums[b] == HA_EXPR_NONE;
}

/* Finds the sum of what is narrow in the time in a node, that of its operands being known. */
static void find_sum(search *s, ha_expr e)
{
    ha_dag *dag = s->c->dag;
    const ha_expr a = ha_expr_operand(dag, e, 0), b = ha_expr_operand(dag, e, 1);
    ha_expr of_a = s->sums[a], of_b = s->sums[b];

    if (!is_sum(s, e)) {
        bool is_one = (s->known[e] & INHERITED) == (CHANGES | IS_NARROW) && !is_vibration(s, e);
        s->sums[e] = is_one ? e : HA_EXPR_NONE;
        return;
    }
    s->known[e] |= (s->known[a] | s->known[b]) & OF_SEVERAL;
    s->known[e] |= of_a != HA_EXPR_NONE && of_b != HA_EXPR_NONE ? OF_SEVERAL : 0;
    if (of_a != HA_EXPR_NONE || of_b != HA_EXPR_NONE) {
        ha_expr zero = ha_constant(dag, 0.0);
        of_a = of_a == HA_EXPR_NONE ? zero : of_a;
        of_b = of_b == HA_EXPR_NONE && b != HA_EXPR_NONE ? zero : of_b;
        s->sums[e] = ha_apply(dag, ha_expr_op(dag, e), of_a, of_b, HA_EXPR_NONE);
    }
}

/* Finds what each node of some expressions changes with, the operands first. */
static ha_status mark(search *s, const ha_expr *roots, size_t n)
{
    ha_dag *dag = s->c->dag;

    HA_TRY(ha__dag_order(dag, roots, n));
    for (size_t i = 0; i < dag->order.count; i++) {
        ha_expr e = dag->order.items[i];
        ha_op op = ha_expr_op(dag, e);
        s->known[e] |= op == HA_OP_SYMBOL ? kind_of_symbol(s, e) : 0;
        for (int k = 0; k < ha_op_arity(op); k++) {
            ha_expr operand = ha_expr_operand(dag, e, k);
            s->known[e] |= s->known[operand] & INHERITED;
            s->known[operand] |= is_sum(s, e) ? 0 : IS_WHOLE;
        }
        s->known[e] |= may_be_narrow(s, e) ? IS_NARROW : 0;
        find_sum(s, e);
    }
    return HA_OK;
}

/* True for what its operands tell all of. */
static bool is_told_by_operands(const search *s, ha_expr e)
{
    const ha_dag *dag = s->c->dag;
    ha_op op = ha_expr_op(dag, e);
    bool is_product = op == HA_OP_MUL || op == HA_OP_DIV;

    if ((s->known[e] & WITH_OTHERS) != 0) {
        return true;
    }
    return op == HA_OP_SYMBOL || op == HA_OP_ADD || op == HA_OP_SUB || op == HA_OP_NEG ||
           (is_product && (is_constant(s, ha_expr_operand(dag, e, 1)) ||
                           (op == HA_OP_MUL && is_constant(s, ha_expr_operand(dag, e, 0)))));
}

/* True of what is as narrow as its operands are. */
static bool shows_operands(const search *s, ha_expr e)
{
    switch ((int) ha_expr_op(s->c->dag, e)) {
    case HA_OP_MUL:
    case HA_OP_DIV:
    case HA_OP_POW:
    case HA_OP_SQRT:
    case HA_OP_ABS:
    case HA_OP_MIN:
    case HA_OP_MAX:
    case HA_OP_IF:
        return true;
    default:
        return is_told_by_operands(s, e);
    }
}

/* Lists the sum of several functions of the time, once, where it is not only a term of others. */
static ha_status add_sum(search *s, ha_expr e)
{
    enum { WANTED = OF_SEVERAL | IS_WHOLE };

    if ((s->known[e] & (WANTED | SUM_LISTED)) == WANTED) {
        s->known[e] |= SUM_LISTED;
        HA_TRY_PUSH(s->c->q->ctx, &s->signals, s->sums[e]);
    }
    return HA_OK;
}

/* Lists the signals of what is on the stack. */
static ha_status collect(search *s)
{
    ha_ctx *ctx = s->c->q->ctx;
    ha_dag *dag = s->c->dag;

    while (s->stack.count > 0) {
        ha_expr e = s->stack.items[--s->stack.count];
        if ((s->known[e] & CHANGES) == 0 || (s->known[e] & IS_NARROW) == 0) {
            continue;
        }
        HA_TRY(add_sum(s, e));
        if ((s->known[e] & VISITED) != 0) {
            continue;
        }
        s->known[e] |= VISITED;
        if (!is_told_by_operands(s, e)) {
            HA_TRY_PUSH(ctx, &s->signals, e);
        }
        for (int k = 0; shows_operands(s, e) && k < ha_op_arity(ha_expr_op(dag, e)); k++) {
            HA_TRY_PUSH(ctx, &s->stack, ha_expr_operand(dag, e, k));
        }
    }
    return HA_OK;
}

/* Lists those of some expressions. */
static ha_status find(search *s, const ha_expr *roots, size_t n)
{
    HA_TRY(mark(s, roots, n));
    for (size_t i = 0; i < n; i++) {
        s->known[roots[i]] |= IS_WHOLE;
        HA_TRY_PUSH(s->c->q->ctx, &s->stack, roots[i]);
        HA_TRY(collect(s));
    }
    return ha_dag_status(s->c->dag);
}

/* Lists those of the equations and of what switches in them, and then those of the outputs that are
   left. */
static ha_status find_all(search *s)
{
    bg__compiler *c = s->c;
    const size_t n_outputs = (size_t) c->m->dae.n_outputs;
    ha_expr *values = NULL;

    HA_TRY_ALLOC_EACH(c->q->ctx, (size_t) ha_dag_size(c->dag), s->known, s->sums);
    HA_TRY(find(s, c->rows, c->q->rows.count));
    for (size_t k = 0; k < c->switches.items.count; k++) {
        HA_TRY(find(s, &c->switches.items.items[k].g, 1));
    }
    c->m->dae.n_signals = (int) s->signals.count;
    HA_TRY_ALLOC(c->q->ctx, values, n_outputs);
    for (size_t i = 0; i < n_outputs; i++) {
        values[i] = c->q->outputs.items[c->wanted[i]].value;
    }
    ha_status status = find(s, values, n_outputs);
    c->m->dae.n_output_signals = (int) s->signals.count - c->m->dae.n_signals;
    ha__free(values);
    return status;
}

ha_status bg__model_compile_signals(bg__compiler *c)
{
    bg_model *m = c->m;
    search s = { .c = c };
    ha_status status = find_all(&s);

    HA_THEN(status, bg__model_add_tape(c, BG__TAPE_SIGNAL, s.signals.items, s.signals.count));
    if (status == HA_OK) {
        m->signal_high = m->dae.work_size;
        m->dae.work_size += ha__tape_work_size(m->tapes[BG__TAPE_SIGNAL]);
    }
    HA_FREE(s.known, s.sums);
    HA_ARRAY_CLEAR(&s.stack, &s.signals);
    return status;
}
