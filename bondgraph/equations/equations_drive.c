/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How equations depend on the time: whether they repeat, and after how long.
 *
 * Each expression is c t + p(t), with a constant rate c and p without growth, or none of that. Sums
 * and multiples keep the form. Of an argument c t + p
 *
 *     sin, cos, tan   repeat with the angular frequency |c|,
 *     floor           is c t less a sawtooth of the frequency |c|,
 *     anything else   repeats where c = 0, and is neither where it is not.
 *
 * An equation that itself is left with a rate c prescribes a coordinate that grows. Where that is
 * an angle it repeats with each turn. The period is the shortest that holds a whole number of each
 * of these: ratios of frequencies are looked for among fractions.
 */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"
#include "lib/core/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING = 1e-12; /* of the rates that cancel */
static const double EQUAL = 1e-10;   /* relative error of a fraction */

enum { MOST_PARTS = 10000 /* of a period */ };

/* What is known of a node. */
typedef struct {
    bool is_reached, is_other, is_constant;
    double rate, value;
} form;

typedef struct {
    const bg_equations *q;
    form *forms; /* by node */
    HA_ARRAY(double) frequencies;
    bool depends; /* on the time */
} walk;

/* --- nodes ---------------------------------------------------------------------------------- */

static bool is_wave(ha_op op)
{
    return op == HA_OP_SIN || op == HA_OP_COS || op == HA_OP_TAN;
}

/* The rate of a sum; what is left where rates cancel is round-off. */
static double add_rates(double a, double b)
{
    return fabs(a + b) > NOTHING * (fabs(a) + fabs(b)) ? a + b : 0.0;
}

/* A product or a quotient of which one operand grows: by a constant only. */
static void scale(ha_op op, const form *a, const form *b, form *out)
{
    if (b->is_constant) {
        out->rate = op == HA_OP_MUL ? a->rate * b->value : a->rate / b->value;
    } else if (a->is_constant && op == HA_OP_MUL) {
        out->rate = a->value * b->rate;
    } else {
        out->is_other = true;
    }
}

static ha_status note(walk *w, double frequency)
{
    HA_TRY_PUSH(w->q->ctx, &w->frequencies, fabs(frequency));
    return HA_OK;
}

/* The form of an operation by those of its operands, of which one grows with the time. */
static ha_status grow(walk *w, ha_op op, const form *const *x, form *out)
{
    if (op == HA_OP_ADD || op == HA_OP_SUB) {
        out->rate = add_rates(x[0]->rate, op == HA_OP_ADD ? x[1]->rate : -x[1]->rate);
    } else if (op == HA_OP_NEG) {
        out->rate = -x[0]->rate;
    } else if (op == HA_OP_MUL || op == HA_OP_DIV) {
        scale(op, x[0], x[1], out);
    } else if (is_wave(op)) {
        return note(w, x[0]->rate);
    } else if (op == HA_OP_FLOOR) {
        out->rate = x[0]->rate;
        return note(w, 2.0 * acos(-1.0) * x[0]->rate);
    } else if (op == HA_OP_FLOOR_SIDE) {
        return note(w, acos(-1.0) * x[0]->rate);
    } else {
        out->is_other = true;
    }
    return HA_OK;
}

static ha_status classify(walk *w, ha_expr e)
{
    static const form none = { 0 };
    const ha_dag *dag = w->q->dag;
    form *out = &w->forms[e];
    ha_op op = ha_expr_op(dag, e);
    const form *x[3] = { &none, &none, &none };
    bool grows = false, is_constant = ha_op_arity(op) > 0;

    for (int i = 0; i < ha_op_arity(op); i++) {
        x[i] = &w->forms[ha_expr_operand(dag, e, i)];
        grows = grows || x[i]->rate != 0.0;
        is_constant = is_constant && x[i]->is_constant;
        out->is_other = out->is_other || x[i]->is_other;
    }
    if (e == w->q->time) {
        out->rate = 1.0;
        w->depends = true;
    } else if (e == w->q->alpha || e == w->q->beta) {
        out->is_constant = true; /* any value but 0 will do */
        out->value = 1.0;
    } else if (is_constant) {
        out->is_constant = true;
        out->value = ha_op_value(op, x[0]->value, x[1]->value, x[2]->value);
    } else {
        out->is_constant = ha_expr_is_constant(dag, e, &out->value);
    }
    return grows && !out->is_other ? grow(w, op, x, out) : HA_OK;
}

/* All nodes that an expression is made of; operands have lower numbers. */
static ha_status classify_all(walk *w)
{
    for (ha_expr e = ha_dag_size(w->q->dag) - 1; e > 0; e--) {
        ha_op op = ha_expr_op(w->q->dag, e);
        for (int i = 0; i < ha_op_arity(op) && w->forms[e].is_reached; i++) {
            w->forms[ha_expr_operand(w->q->dag, e, i)].is_reached = true;
        }
    }
    for (ha_expr e = 1; e < ha_dag_size(w->q->dag); e++) {
        HA_TRY(w->forms[e].is_reached ? classify(w, e) : HA_OK);
    }
    return HA_OK;
}

/* --- period --------------------------------------------------------------------------------- */

/* The denominator of the fraction in lowest terms that x is, by its continued fraction; 0: x is
   none. */
static long denominator(double x)
{
    long before = 0, q = 1;
    double rest = x;

    while (q <= MOST_PARTS) {
        double p = round(x * (double) q);
        if (fabs(x * (double) q - p) <= EQUAL * fmax(1.0, x * (double) q)) {
            return q;
        }
        rest = 1.0 / (rest - floor(rest));
        if (!(rest < (double) MOST_PARTS)) {
            return 0;
        }
        long next = (long) floor(rest) * q + before;
        before = q;
        q = next;
    }
    return 0;
}

static long common(long a, long b)
{
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The shortest time with a whole number of each; 0: there is none. */
static double common_period(const double *frequencies, size_t n)
{
    long turns = 1;

    for (size_t i = 1; i < n; i++) {
        long parts = denominator(frequencies[i] / frequencies[0]);
        turns = parts == 0 ? 0 : turns / common(turns, parts) * parts;
        if (turns == 0 || turns > MOST_PARTS) {
            return 0.0;
        }
    }
    return n == 0 ? 0.0 : (double) turns * 2.0 * acos(-1.0) / frequencies[0];
}

/* --- equations ------------------------------------------------------------------------------ */

static void reach(walk *w, ha_expr e)
{
    w->forms[e].is_reached = true;
}

/* True of an equation in which the angle of a body stands. */
static ha_status reads_angle(walk *w, ha_expr row, bool *is_so)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(w->q->dag, row, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        int j = bg__unknown_of(w->q, symbols[i]);
        const char *name = j < 0 ? "" : w->q->unknowns.items[j].title, *end = strrchr(name, '.');
        *is_so = *is_so || (end != NULL && strcmp(end, ".angle") == 0);
    }
    free(symbols);
    return HA_OK;
}

/* The condition by which a value is held; of one that is sampled at each change of the sign of a
   sine its argument, as it repeats twice as fast. */
static ha_expr clock_of(const bg_equations *q, const bg__eq_hold *hold)
{
    bool is_clock = hold->is_sampled && ha_expr_op(q->dag, hold->when) == HA_OP_SIN;

    return is_clock ? ha_expr_operand(q->dag, hold->when, 0) : hold->when;
}

static ha_status find(walk *w, bg_drive *out)
{
    const bg_equations *q = w->q;

    for (size_t i = 0; i < q->rows.count; i++) {
        reach(w, q->rows.items[i].value);
    }
    for (size_t i = 0; i < q->holds.count; i++) {
        reach(w, clock_of(q, &q->holds.items[i]));
        reach(w, q->holds.items[i].sample);
    }
    HA_TRY(classify_all(w));
    for (size_t i = 0; i < q->holds.count; i++) {
        ha_expr clock = clock_of(q, &q->holds.items[i]);
        bool is_own = clock != q->holds.items[i].when;
        HA_TRY(is_own ? note(w, 2.0 * w->forms[clock].rate) : HA_OK);
    }
    for (size_t i = 0; i < q->rows.count && out->breaks == NULL; i++) {
        const form *row = &w->forms[q->rows.items[i].value];
        bool grows = !row->is_other && row->rate != 0.0, turns = false;
        HA_TRY(grows ? reads_angle(w, q->rows.items[i].value, &turns) : HA_OK);
        HA_TRY(turns ? note(w, row->rate) : HA_OK);
        out->breaks = row->is_other || (grows && !turns) ? q->rows.items[i].name : NULL;
    }
    out->is_driven = w->depends;
    out->period =
        out->breaks == NULL ? common_period(w->frequencies.items, w->frequencies.count) : 0.0;
    return HA_OK;
}

ha_status bg_equations_drive(const bg_equations *equations, bg_drive *out)
{
    HA_NEED_OF(equations, out != NULL);
    walk w = { .q = equations };

    *out = (bg_drive){ 0 };
    HA_TRY_ALLOC(equations->ctx, w.forms, ha_dag_size(equations->dag));
    ha_status status = find(&w, out);
    ha__free(w.forms);
    HA_ARRAY_CLEAR(&w.frequencies);
    return status;
}
