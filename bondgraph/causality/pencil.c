/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linear pencil of a system of equations, modulo p = 2^61 - 1.
 *
 * The system has a definition x_i = g_i for each effort, flow and signal, x_i = d g_i / dt for each
 * rate, and a row r_k(...) = 0 for each unknown y_k. Linearised at some point, with s for d/dt, the
 * perturbations obey P(s) z = inputs, z = (x, y):
 *     definition   x_i - sum over j of dg_i/dz_j z_j
 *     rate         x_i - s * sum over j of dg_i/dz_j z_j
 *     row          sum over j of dr_k/dz_j z_j, where a derivative y_j' counts as s y_j.
 *
 * The laws say nothing about types here: every derivative is found by one reverse sweep over the
 * expression, in residues. Sums, products, quotients and whole powers are exact. The values of
 * signals, states and time are residues drawn by chance, the same wherever they occur, and so are
 * the values and derivatives of other functions (an identity between functions, like sin^2 + cos^2
 * = 1, is not seen). For any values of the elements the constants other than 0, 1 and -1 are drawn
 * too, for each element its own; the given ones are the exact images of the doubles, or of what
 * these were rounded from.
 */
#include <config.h>

#include "bondgraph/causality/pencil.h"

#include "lib/linalg/modular.h"

#include <math.h>
#include <string.h>

enum { WHOLE_POWERS = 64, KEYS_OF_NODE = 4 };

/* A sweep over the expressions of the rows, one after the other. */
typedef struct {
    const bg__system *s;
    ha_dag *dag;
    bg__values values;
    uint64_t seed;
    uint64_t salt; /* of the element whose law is looked at */
    bg__pencil *p;
    bool *is_rate; /* by node: the symbol is the derivative of its column's unknown */
    int *met;      /* by node: the last sweep that met it */
    int sweep;
    uint64_t *value, *adjoint; /* by node */
    bool *varies;              /* by node: it reads a signal, a state or the time */
    HA_ARRAY(int) order;       /* nodes, operands before operations */
    HA_ARRAY(int) stack;       /* nodes under way; -1 - node: its operands are done */
} lineariser;

/* --- values --------------------------------------------------------------------------------- */

/* A residue by chance for number `key` of a node, the same in all elements or in one. */
static uint64_t drawn(const lineariser *x, ha_expr node, int key, bool is_common)
{
    return ha__mod_chance(x->seed + (is_common ? 0 : x->salt),
                          (uint64_t) node * KEYS_OF_NODE + (uint64_t) key);
}

/* What belongs to one element where its values are free. */
static uint64_t drawn_value(const lineariser *x, ha_expr node, int key)
{
    return drawn(x, node, key, x->values != BG__VALUES_ANY);
}

static uint64_t number_value(const lineariser *x, double number)
{
    return x->values == BG__VALUES_MEANT ? ha__mod_of_meant(number) : ha__mod_of_double(number);
}

static uint64_t constant_value(const lineariser *x, ha_expr node)
{
    double value = 0.0;

    (void) ha_expr_is_constant(x->dag, node, &value);
    bool is_sign = value == 0.0 || fabs(value) == 1.0;
    return isfinite(value) && (is_sign || x->values != BG__VALUES_ANY) ? number_value(x, value)
                                                                       : drawn_value(x, node, 0);
}

/* What a symbol that is no column stands for, HA_EXPR_NONE: for itself, or for any constant. */
static ha_expr meaning_of(const lineariser *x, ha_expr symbol)
{
    ha_expr meaning = ha_symbol_definition(x->dag, symbol);

    if (x->p->column_of[symbol] >= 0 || (x->values == BG__VALUES_ANY && meaning != HA_EXPR_NONE &&
                                         ha_expr_is_constant(x->dag, meaning, NULL))) {
        return HA_EXPR_NONE;
    }
    return meaning;
}

static uint64_t symbol_value(const lineariser *x, ha_expr symbol)
{
    ha_expr meaning = meaning_of(x, symbol);

    if (meaning != HA_EXPR_NONE) {
        return x->value[meaning];
    }
    return x->p->column_of[symbol] >= 0 ? drawn(x, symbol, 0, true) : drawn_value(x, symbol, 0);
}

/* The whole exponent of a power, 0 when it has none that is small. */
static int whole_exponent(const lineariser *x, ha_expr node)
{
    double exponent = 0.0;

    if (ha_expr_op(x->dag, node) != HA_OP_POW ||
        !ha_expr_is_constant(x->dag, ha_expr_operand(x->dag, node, 1), &exponent) ||
        exponent != floor(exponent) || fabs(exponent) > WHOLE_POWERS) {
        return 0;
    }
    return (int) exponent;
}

static uint64_t power(uint64_t base, int exponent)
{
    return exponent < 0 ? ha__mod_inverse(ha__mod_power(base, (uint64_t) -exponent))
                        : ha__mod_power(base, (uint64_t) exponent);
}

/* Another function: a number where all that it reads is given, else drawn. */
static ha_status function_value(lineariser *x, ha_expr node, uint64_t *out)
{
    ha_expr resolved = node;
    double value = 0.0;

    if (x->values != BG__VALUES_ANY && !x->varies[node]) {
        HA_TRY(ha_resolve(x->dag, node, &resolved));
    }
    *out = x->values != BG__VALUES_ANY && ha_expr_is_constant(x->dag, resolved, &value) &&
                   isfinite(value)
               ? number_value(x, value)
               : drawn_value(x, node, 0);
    return HA_OK;
}

static bool is_varying(const lineariser *x, ha_expr node)
{
    ha_op op = ha_expr_op(x->dag, node);
    bool varies = false;

    if (op == HA_OP_SYMBOL) {
        ha_expr meaning = meaning_of(x, node);
        return meaning == HA_EXPR_NONE || x->varies[meaning];
    }
    for (int k = 0; k < ha_op_arity(op); k++) {
        varies = varies || x->varies[ha_expr_operand(x->dag, node, k)];
    }
    return varies;
}

static ha_status evaluate(lineariser *x, ha_expr node)
{
    ha_op op = ha_expr_op(x->dag, node);
    int n = ha_op_arity(op);
    uint64_t a = n > 0 ? x->value[ha_expr_operand(x->dag, node, 0)] : 0;
    uint64_t b = n > 1 ? x->value[ha_expr_operand(x->dag, node, 1)] : 0;
    int exponent = whole_exponent(x, node);

    x->varies[node] = is_varying(x, node);
    if (op == HA_OP_CONSTANT) {
        x->value[node] = constant_value(x, node);
    } else if (op == HA_OP_SYMBOL) {
        x->value[node] = symbol_value(x, node);
    } else if (op == HA_OP_ADD) {
        x->value[node] = ha__mod_add(a, b);
    } else if (op == HA_OP_SUB) {
        x->value[node] = ha__mod_sub(a, b);
    } else if (op == HA_OP_NEG) {
        x->value[node] = ha__mod_sub(0, a);
    } else if (op == HA_OP_MUL) {
        x->value[node] = ha__mod_mul(a, b);
    } else if (op == HA_OP_DIV && b != 0) {
        x->value[node] = ha__mod_mul(a, ha__mod_inverse(b));
    } else if (exponent > 0 || (exponent < 0 && a != 0)) {
        x->value[node] = power(a, exponent);
    } else {
        return function_value(x, node, &x->value[node]);
    }
    return HA_OK;
}

/* --- derivatives ---------------------------------------------------------------------------- */

/* True for operations whose derivatives vanish almost everywhere. */
static bool is_flat(ha_op op, int k)
{
    return op == HA_OP_SIGN || op == HA_OP_FLOOR || (op >= HA_OP_LT && op <= HA_OP_NE) ||
           (op == HA_OP_IF && k == 0) || op == HA_OP_KNOT || (op == HA_OP_PIECE && k != 1);
}

/* The partial derivative of a node by its operand k. */
static uint64_t partial(const lineariser *x, ha_expr node, int k)
{
    ha_op op = ha_expr_op(x->dag, node);
    uint64_t a = x->value[ha_expr_operand(x->dag, node, 0)];
    uint64_t b = ha_op_arity(op) > 1 ? x->value[ha_expr_operand(x->dag, node, 1)] : 0;
    int exponent = whole_exponent(x, node);

    if (op == HA_OP_ADD || (op == HA_OP_SUB && k == 0)) {
        return 1;
    }
    if (op == HA_OP_SUB || op == HA_OP_NEG) {
        return HA__PRIME - 1;
    }
    if (op == HA_OP_MUL) {
        return k == 0 ? b : a;
    }
    if (op == HA_OP_DIV && b != 0) {
        uint64_t inverse = ha__mod_inverse(b);
        return k == 0 ? inverse : ha__mod_sub(0, ha__mod_mul(x->value[node], inverse));
    }
    if (exponent > 0 || (exponent < 0 && a != 0)) {
        return ha__mod_mul(ha__mod_of_double((double) exponent), power(a, exponent - 1));
    }
    return is_flat(op, k) ? 0 : drawn_value(x, node, 1 + k);
}

/* --- one expression ------------------------------------------------------------------------- */

static ha_status push(lineariser *x, ha_expr node)
{
    if (x->met[node] != x->sweep) {
        HA_TRY_PUSH(x->s->ctx, &x->stack, node);
    }
    return HA_OK;
}

/* Lists the nodes below `root`, through symbols that stand for others, and gives them values. */
static ha_status list_nodes(lineariser *x, ha_expr root)
{
    x->order.count = x->stack.count = 0;
    x->sweep++;
    HA_TRY(push(x, root));
    while (x->stack.count > 0) {
        int node = x->stack.items[--x->stack.count];
        if (node < 0) {
            node = -1 - node;
            x->adjoint[node] = 0;
            HA_TRY(evaluate(x, node));
            HA_TRY_PUSH(x->s->ctx, &x->order, node);
            continue;
        }
        if (x->met[node] == x->sweep) {
            continue;
        }
        x->met[node] = x->sweep;
        HA_TRY_PUSH(x->s->ctx, &x->stack, -1 - node);
        if (ha_expr_op(x->dag, node) == HA_OP_SYMBOL) {
            ha_expr meaning = meaning_of(x, node);
            HA_TRY(meaning != HA_EXPR_NONE ? push(x, meaning) : HA_OK);
        }
        for (int k = 0; k < ha_op_arity(ha_expr_op(x->dag, node)); k++) {
            HA_TRY(push(x, ha_expr_operand(x->dag, node, k)));
        }
    }
    return HA_OK;
}

static void add_adjoint(lineariser *x, ha_expr node, uint64_t more)
{
    x->adjoint[node] = ha__mod_add(x->adjoint[node], more);
}

/* Adds the entries of factor * s^power * value to the row under way. */
static ha_status add_expression(lineariser *x, ha_expr value, uint64_t factor, int power_of_s)
{
    HA_TRY(list_nodes(x, value));
    x->adjoint[value] = factor;
    for (size_t i = x->order.count; i-- > 0;) {
        ha_expr node = x->order.items[i];
        uint64_t own = x->adjoint[node];
        if (own == 0) {
            x->p->has_zeros = true;
            continue;
        }
        if (ha_expr_op(x->dag, node) == HA_OP_SYMBOL) {
            int column = x->p->column_of[node];
            ha_expr meaning = meaning_of(x, node);
            if (column >= 0) {
                bg__pencil_entry entry = { column, power_of_s + (x->is_rate[node] ? 1 : 0), own };
                HA_TRY_PUSH(x->s->ctx, &x->p->entries, entry);
            } else if (meaning != HA_EXPR_NONE) {
                add_adjoint(x, meaning, own);
            }
        }
        for (int k = 0; k < ha_op_arity(ha_expr_op(x->dag, node)); k++) {
            add_adjoint(x, ha_expr_operand(x->dag, node, k), ha__mod_mul(own, partial(x, node, k)));
        }
    }
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void number_columns(lineariser *x)
{
    const bg__system *s = x->s;

    memset(x->p->column_of, -1, (size_t) x->p->n_nodes * sizeof *x->p->column_of);
    for (size_t i = 0; i < s->unknowns.count; i++) {
        x->p->column_of[s->unknowns.items[i].y] = x->p->n_definitions + (int) i;
        x->p->column_of[s->unknowns.items[i].yp] = x->p->n_definitions + (int) i;
        x->is_rate[s->unknowns.items[i].yp] = true;
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        x->p->column_of[s->definitions.items[i].symbol] = (int) i;
    }
}

static ha_status add_row(lineariser *x, int row)
{
    const bg__system *s = x->s;

    if (row < x->p->n_definitions) {
        const bg__definition *d = &s->definitions.items[row];
        x->salt = (uint64_t) (d->element + 2);
        HA_TRY_PUSH(s->ctx, &x->p->entries, (bg__pencil_entry){ row, 0, 1 });
        return add_expression(x, d->value, HA__PRIME - 1, d->is_rate ? 1 : 0);
    }
    const bg__row *r = &s->rows.items[row - x->p->n_definitions];
    x->salt = (uint64_t) (r->element + 2);
    HA_TRY(add_expression(x, r->value, 1, 0));
    /* a switch neither open nor closed: what cannot be solved then can be solved in no state of it
     */
    return r->instead == HA_EXPR_NONE
               ? HA_OK
               : add_expression(x, r->instead, drawn(x, r->instead, 0, false), 0);
}

static ha_status fill(lineariser *x, const bool *wanted)
{
    bg__pencil *p = x->p;

    p->n_definitions = (int) x->s->definitions.count;
    p->n = p->n_definitions + (int) x->s->rows.count;
    p->n_nodes = ha_dag_size(x->dag);
    HA_TRY_ALLOC(x->s->ctx, p->row_start, p->n + 1);
    HA_TRY_ALLOC_EACH(x->s->ctx, p->n_nodes, p->column_of, x->is_rate, x->met, x->value, x->adjoint,
                      x->varies);
    number_columns(x);
    for (int row = 0; row < p->n; row++) {
        if (wanted == NULL || wanted[row]) {
            HA_TRY(add_row(x, row));
        }
        p->row_start[row + 1] = p->entries.count;
    }
    return HA_OK;
}

ha_status bg__pencil_build(const bg__system *s, bg__values values, uint64_t seed,
                           const bool *wanted, bg__pencil *out)
{
    bg__pencil pencil = { 0 };
    lineariser x = {
        .s = s, .dag = s->graph->dag, .values = values, .seed = seed << 32, .p = &pencil
    };
    ha_status status = fill(&x, wanted);

    HA_FREE(x.is_rate, x.met, x.value, x.adjoint, x.varies);
    HA_ARRAY_CLEAR(&x.order, &x.stack);
    if (status != HA_OK) {
        bg__pencil_clear(&pencil);
        return status;
    }
    *out = pencil;
    return HA_OK;
}

void bg__pencil_clear(bg__pencil *p)
{
    HA_FREE(p->row_start, p->column_of);
    HA_ARRAY_CLEAR(&p->entries);
    *p = (bg__pencil){ 0 };
}
