/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The expression graph: hash-consed construction and simplification.
 *
 * A node is stored once: its operation and operands are looked up in a hash table before a new one
 * is made. Symbols are all different and not in the table. Simplifications are local and exact in real arithmetic:
 *   0 + x = x, x - x = 0, 0 x = 0, 1 x = x, x / 1 = x, 0 / x = 0, x / x = 1, -(-x) = x,
 *   -(x - y) = y - x, x + (-y) = x - y,
 *   (-x) y = -(x y), c (d x) = (c d) x, x^0 = 1, x^1 = x, x^2 = x x, x^(1/2) = sqrt x,
 *   sin(-x) = -sin x, cos(-x) = cos x, if(constant, x, y), and operations of constants.
 * An operation of constants that is not finite stays as it is, so that 1/0 is found by name when it
 * is evaluated. The operands of + and * are ordered, a constant first.
 */
#include <config.h>

#include "lib/expr.h"

#include "lib/expr_priv.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- operations ---------------------------------------------------------------------------- */

const signed char ha__arity[HA_OP_COUNT] = {
    [HA_OP_KNOT] = 2,
    [HA_OP_PIECE] = 3,
#define X(name, text, arity, value, p0, p1, p2) [HA_OP_##name] = (arity),
#include "lib/expr_ops.def"
#undef X
};

static const char *const texts[HA_OP_COUNT] = {
    [HA_OP_CONSTANT] = "",
    [HA_OP_SYMBOL] = "",
    [HA_OP_KNOT] = "",
    [HA_OP_PIECE] = "",
#define X(name, text, arity, value, p0, p1, p2) [HA_OP_##name] = text,
#include "lib/expr_ops.def"
#undef X
};

int ha_op_arity(ha_op op)
{
    return ha__arity[op];
}

const char *ha_op_text(ha_op op)
{
    return texts[op];
}

double ha_op_value(ha_op op, double a, double b, double c)
{
    (void) b;
    (void) c;
    switch (op) {
#define X(name, text, arity, value, p0, p1, p2)                                                    \
    case HA_OP_##name:                                                                             \
        return value;
#include "lib/expr_ops.def"
#undef X
    case HA_OP_CONSTANT:
    case HA_OP_SYMBOL:
    case HA_OP_KNOT:
    case HA_OP_PIECE:
    case HA_OP_COUNT:
        break;
    }
    return (double) NAN;
}

double ha__op_value(const ha__tables *tables, ha_op op, const double x[3])
{
    if (op == HA_OP_KNOT) {
        return ha__table_knot(tables, x[0], x[1]);
    }
    return op == HA_OP_PIECE ? ha__table_piece(tables, x[0], x[1], x[2])
                             : ha_op_value(op, x[0], x[1], x[2]);
}

/* --- the graph ------------------------------------------------------------------------------ */

ha_dag *ha_dag_new(ha_ctx *ctx)
{
    ha_dag *dag = ha__alloc(ctx, 1, sizeof *dag);

    if (dag != NULL) {
        dag->ctx = ctx;
        dag->zero = dag->one = HA_EXPR_NONE;
    }
    return dag;
}

static void leave_names(ha__names *names)
{
    if (names != NULL && --names->n_graphs == 0) {
        ha__arena_clear(&names->arena);
        ha__free(names);
    }
}

void ha_dag_free(ha_dag *dag)
{
    if (dag == NULL) {
        return;
    }
    ha__dag_forget(dag);
    HA_ARRAY_CLEAR(&dag->nodes);
    HA_ARRAY_CLEAR(&dag->constants);
    HA_ARRAY_CLEAR(&dag->symbols);
    leave_names(dag->names);
    ha__tables_clear(&dag->tables);
    ha__free(dag->slots);
    ha__free(dag);
}

void ha__dag_forget(ha_dag *dag)
{
    HA_ARRAY_CLEAR(&dag->resolved);
    HA_ARRAY_CLEAR(&dag->derived);
    HA_ARRAY_CLEAR(&dag->adjoint);
    HA_ARRAY_CLEAR(&dag->visited);
    HA_ARRAY_CLEAR(&dag->stack);
    HA_ARRAY_CLEAR(&dag->order);
}

/* Copies the items of an array into an empty one of the same type. */
#define COPY_ARRAY(ctx, to, from)                                                                  \
    do {                                                                                           \
        HA_TRY_ROOM(ctx, to, (from)->count);                                                       \
        for (size_t i_ = 0; i_ < (from)->count; i_++) {                                            \
            (to)->items[i_] = (from)->items[i_];                                                   \
        }                                                                                          \
        (to)->count = (from)->count;                                                               \
    } while (0)

static ha_status copy_into(ha_dag *to, const ha_dag *from)
{
    to->status = from->status;
    to->names = from->names;
    if (to->names != NULL) {
        to->names->n_graphs++;
    }
    HA_TRY(ha__tables_copy(to->ctx, &to->tables, &from->tables));
    COPY_ARRAY(to->ctx, &to->nodes, &from->nodes);
    COPY_ARRAY(to->ctx, &to->constants, &from->constants);
    COPY_ARRAY(to->ctx, &to->symbols, &from->symbols);
    HA_TRY_ALLOC(to->ctx, to->slots, from->n_slots);
    to->n_slots = from->n_slots;
    to->zero = from->zero;
    to->one = from->one;
    to->has_switch = from->has_switch;
    for (size_t i = 0; i < from->n_slots; i++) {
        to->slots[i] = from->slots[i];
    }
    for (size_t i = 0; i < to->symbols.count; i++) {
        to->symbols.items[i].was_resolved = to->symbols.items[i].was_derived = false;
    }
    return HA_OK;
}

ha_dag *ha_dag_clone(const ha_dag *dag)
{
    ha_dag *copy = ha_dag_new(dag->ctx);

    if (copy != NULL && copy_into(copy, dag) != HA_OK) {
        ha_dag_free(copy);
        copy = NULL;
    }
    return copy;
}

ha_status ha_dag_status(const ha_dag *dag)
{
    return dag->status;
}

void ha__dag_fail(ha_dag *dag, ha_status status)
{
    dag->status = dag->status == HA_OK ? status : dag->status;
}

void ha__dag_recover(ha_dag *dag)
{
    dag->status = HA_OK;
}

int ha_dag_size(const ha_dag *dag)
{
    return (int) dag->nodes.count;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t hash_of(const ha_dag *dag, const ha__node *node)
{
    uint64_t hash = mix(0, (uint64_t) node->op);

    if (node->op == HA_OP_CONSTANT) {
        return mix(hash, bits_of(dag->constants.items[node->x[0]]));
    }
    hash = mix(hash, (uint64_t) (uint32_t) node->x[0] | (uint64_t) (uint32_t) node->x[1] << 32);
    return mix(hash, (uint64_t) (uint32_t) node->x[2]);
}

static bool is_same(const ha_dag *dag, const ha__node *x, const ha__node *y)
{
    if (x->op != y->op) {
        return false;
    }
    if (x->op == HA_OP_CONSTANT) {
        return bits_of(dag->constants.items[x->x[0]]) == bits_of(dag->constants.items[y->x[0]]);
    }
    return x->x[0] == y->x[0] && x->x[1] == y->x[1] && x->x[2] == y->x[2];
}

/* True when the node is at this place. */
static bool is_at(const ha_dag *dag, const ha__slot *slot, uint32_t tag, const ha__node *node)
{
    return slot->tag == tag && is_same(dag, &dag->nodes.items[slot->node - 1], node);
}

static ha_expr latest_operand(const ha__node *node)
{
    ha_expr latest = node->x[0] > node->x[1] ? node->x[0] : node->x[1];

    return latest > node->x[2] ? latest : node->x[2];
}

/*
 * The place of a node in the table, or the empty one where it belongs. Nodes lie where their latest
 * operand says, a few of them in the same line of the cache: what is made together is made of what
 * was made together, so that the table is walked along rather than jumped about in. Where a line is
 * full, as with an operand of very many nodes, and for constants, the hash says where to look.
 * Places are never emptied: an empty one in the line ends the search.
 */
static ha__slot *slot_of(const ha_dag *dag, const ha__node *node, uint64_t hash)
{
    enum { LINE = 8 };
    uint32_t tag = (uint32_t) (hash >> 32);
    size_t last = dag->n_slots - 1;

    if (node->op != HA_OP_CONSTANT) {
        size_t begin = (size_t) latest_operand(node) / 2 * LINE & last;
        for (size_t i = begin; i < begin + LINE; i++) {
            ha__slot *slot = &dag->slots[i];
            if (slot->node == 0 || is_at(dag, slot, tag, node)) {
                return slot;
            }
        }
    }
    size_t i = (size_t) hash & last;
    while (dag->slots[i].node != 0 && !is_at(dag, &dag->slots[i], tag, node)) {
        i = (i + 1) & last;
    }
    return &dag->slots[i];
}

static ha_status check_size(const ha_dag *dag)
{
    if (dag->nodes.count < INT_MAX / 4) {
        return HA_OK;
    }
    return ha_fail(dag->ctx, HA_ERR_LIMIT, HA_NOWHERE,
                   "the model's expressions have more than %zu nodes; make the model smaller",
                   dag->nodes.count);
}

/* Keeps the hash table at most half full. */
static ha_status grow(ha_dag *dag)
{
    if (2 * (dag->nodes.count - dag->symbols.count + 1) <= dag->n_slots) {
        return HA_OK;
    }
    HA_TRY(check_size(dag));

    size_t n_slots = dag->n_slots == 0 ? 256 : 2 * dag->n_slots;
    ha__slot *slots = ha__alloc(dag->ctx, n_slots, sizeof *slots);
    if (slots == NULL) {
        return HA_ERR_MEMORY;
    }
    ha__free(dag->slots);
    dag->slots = slots;
    dag->n_slots = n_slots;
    for (size_t i = 0; i < dag->nodes.count; i++) {
        const ha__node *node = &dag->nodes.items[i];
        if (node->op != HA_OP_SYMBOL) {
            uint64_t hash = hash_of(dag, node);
            *slot_of(dag, node, hash) = (ha__slot){ (int) i + 1, (uint32_t) (hash >> 32) };
        }
    }
    return HA_OK;
}

/* The node, found or made. */
static ha_status intern(ha_dag *dag, ha__node node, ha_expr *out)
{
    HA_TRY(grow(dag));

    uint64_t hash = hash_of(dag, &node);
    ha__slot *slot = slot_of(dag, &node, hash);
    if (slot->node == 0) {
        HA_TRY_PUSH(dag->ctx, &dag->nodes, node);
        *slot = (ha__slot){ (int) dag->nodes.count, (uint32_t) (hash >> 32) };
        dag->has_switch = dag->has_switch || ha__op_switches(node.op);
    }
    *out = slot->node - 1;
    return HA_OK;
}

/* intern() with the failure kept in the graph. */
static ha_expr node_of(ha_dag *dag, ha__node node)
{
    ha_expr e = HA_EXPR_NONE;

    if (dag->status == HA_OK) {
        dag->status = intern(dag, node, &e);
    }
    return e;
}

static ha_status intern_constant(ha_dag *dag, double value, ha_expr *out)
{
    /* the candidate's value must be in the table to be compared; it leaves if it was known */
    HA_TRY_PUSH(dag->ctx, &dag->constants, value);

    size_t n_nodes = dag->nodes.count;
    int index = (int) dag->constants.count - 1;
    ha_status status = intern(dag, (ha__node){ HA_OP_CONSTANT, { index, -1, -1 } }, out);
    if (dag->nodes.count == n_nodes) {
        dag->constants.count--;
    }
    return status;
}

/* The constant that is kept in `*known`, once it is there. */
static ha_expr common_constant(ha_dag *dag, double value, ha_expr *known)
{
    if (*known == HA_EXPR_NONE) {
        dag->status = intern_constant(dag, value, known);
    }
    return *known;
}

ha_expr ha_constant(ha_dag *dag, double value)
{
    ha_expr e = HA_EXPR_NONE;

    if (dag->status != HA_OK) {
        return HA_EXPR_NONE;
    }
    if (value == 0.0) { /* of either sign */
        return common_constant(dag, 0.0, &dag->zero);
    }
    if (value == 1.0) {
        return common_constant(dag, 1.0, &dag->one);
    }
    dag->status = intern_constant(dag, value, &e);
    return e;
}

static ha_status add_symbol(ha_dag *dag, const char *const parts[3], ha_expr *out)
{
    ha__symbol symbol = { .derivative = dag->zero, .meaning = HA_EXPR_NONE };

    HA_TRY(check_size(dag));
    symbol.node = (ha_expr) dag->nodes.count;
    if (dag->names == NULL) {
        HA_TRY_ALLOC(dag->ctx, dag->names, 1);
        dag->names->n_graphs = 1;
    }
    symbol.name = ha__arena_join(dag->ctx, &dag->names->arena, parts);
    if (symbol.name == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY_ROOM(dag->ctx, &dag->nodes, 1);
    HA_TRY_PUSH(dag->ctx, &dag->symbols, symbol);
    dag->nodes.items[dag->nodes.count++] =
        (ha__node){ HA_OP_SYMBOL, { (int) dag->symbols.count - 1, -1, -1 } };
    *out = symbol.node;
    return HA_OK;
}

ha_expr ha__symbol_of(ha_dag *dag, const char *owner, const char *quantity, const char *suffix)
{
    const char *const parts[3] = { owner, quantity, suffix };
    ha_expr e = HA_EXPR_NONE;

    (void) ha_constant(dag, 0.0); /* its derivative */
    if (dag->status == HA_OK) {
        dag->status = add_symbol(dag, parts, &e);
    }
    return e;
}

ha_expr ha_symbol(ha_dag *dag, const char *name)
{
    return ha__symbol_of(dag, name, "", "");
}

static ha__symbol *symbol_of(const ha_dag *dag, ha_expr e)
{
    return &dag->symbols.items[dag->nodes.items[e].x[0]];
}

void ha_symbol_set_derivative(ha_dag *dag, ha_expr symbol, ha_expr derivative)
{
    if (symbol == HA_EXPR_NONE) {
        return;
    }

    ha__symbol *s = symbol_of(dag, symbol);
    dag->derived.generation += s->was_derived ? 1 : 0;
    s->was_derived = false;
    s->derivative = derivative;
}

void ha_symbol_define(ha_dag *dag, ha_expr symbol, ha_expr meaning)
{
    if (symbol == HA_EXPR_NONE) {
        return;
    }

    ha__symbol *s = symbol_of(dag, symbol);
    dag->resolved.generation += s->was_resolved ? 1 : 0;
    s->was_resolved = false;
    s->meaning = meaning;
}

ha_expr ha_symbol_definition(const ha_dag *dag, ha_expr symbol)
{
    return symbol_of(dag, symbol)->meaning;
}

const char *ha_symbol_name(const ha_dag *dag, ha_expr symbol)
{
    return symbol_of(dag, symbol)->name;
}

ha_op ha_expr_op(const ha_dag *dag, ha_expr e)
{
    return (ha_op) dag->nodes.items[e].op;
}

ha_expr ha_expr_operand(const ha_dag *dag, ha_expr e, int i)
{
    const ha__node *node = &dag->nodes.items[e];

    return i < ha__arity[node->op] ? node->x[i] : HA_EXPR_NONE;
}

bool ha_expr_is_constant(const ha_dag *dag, ha_expr e, double *value)
{
    if (e == HA_EXPR_NONE || dag->nodes.items[e].op != HA_OP_CONSTANT) {
        return false;
    }
    if (value != NULL) {
        *value = dag->constants.items[dag->nodes.items[e].x[0]];
    }
    return true;
}

bool ha_expr_is(const ha_dag *dag, ha_expr e, double value)
{
    double found = 0.0;

    return ha_expr_is_constant(dag, e, &found) && bits_of(found) == bits_of(value);
}

/* --- simplification ------------------------------------------------------------------------- */

static bool is_op(const ha_dag *dag, ha_expr e, ha_op op)
{
    return dag->nodes.items[e].op == (int) op;
}

/* These constants are one node each. */
static bool is_zero(const ha_dag *dag, ha_expr e)
{
    return e == dag->zero;
}

static bool is_one(const ha_dag *dag, ha_expr e)
{
    return e == dag->one;
}

static ha_expr operand(const ha_dag *dag, ha_expr e, int i)
{
    return ha_expr_operand(dag, e, i);
}

static ha_expr plain(ha_dag *dag, ha_op op, ha_expr a, ha_expr b)
{
    return node_of(dag, (ha__node){ (int) op, { a, b, HA_EXPR_NONE } });
}

/* Orders the operands of a commutative operation: a constant first, then by number. */
static void order_operands(const ha_dag *dag, ha_expr *a, ha_expr *b)
{
    bool a_is = is_op(dag, *a, HA_OP_CONSTANT), b_is = is_op(dag, *b, HA_OP_CONSTANT);

    if ((b_is && !a_is) || (a_is == b_is && *a > *b)) {
        ha_expr swap = *a;
        *a = *b;
        *b = swap;
    }
}

static ha_expr simple_neg(ha_dag *dag, ha_expr a)
{
    double value = 0.0;

    if (ha_expr_is_constant(dag, a, &value)) {
        return ha_constant(dag, -value);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return operand(dag, a, 0);
    }
    if (is_op(dag, a, HA_OP_SUB)) {
        return ha_sub(dag, operand(dag, a, 1), operand(dag, a, 0));
    }
    if (is_op(dag, a, HA_OP_MUL) && is_op(dag, operand(dag, a, 0), HA_OP_CONSTANT)) {
        return ha_mul(dag, ha_neg(dag, operand(dag, a, 0)), operand(dag, a, 1));
    }
    return plain(dag, HA_OP_NEG, a, HA_EXPR_NONE);
}

static ha_expr simple_sub(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (a == b) {
        return ha_constant(dag, 0.0);
    }
    if (is_zero(dag, b)) {
        return a;
    }
    if (is_zero(dag, a)) {
        return ha_neg(dag, b);
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_add(dag, a, operand(dag, b, 0));
    }
    return plain(dag, HA_OP_SUB, a, b);
}

static ha_expr simple_add(ha_dag *dag, ha_expr a, ha_expr b)
{
    order_operands(dag, &a, &b);
    if (is_zero(dag, a)) {
        return b;
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_sub(dag, a, operand(dag, b, 0));
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_sub(dag, b, operand(dag, a, 0));
    }
    return plain(dag, HA_OP_ADD, a, b);
}

/* True when c (d x) can be (c d) x: the product of the constants neither overflows nor vanishes. */
static bool joins(const ha_dag *dag, ha_expr a, ha_expr b, double *product)
{
    double c = 0.0, d = 0.0;

    if (!ha_expr_is_constant(dag, a, &c) || !is_op(dag, b, HA_OP_MUL) ||
        !ha_expr_is_constant(dag, operand(dag, b, 0), &d)) {
        return false;
    }
    *product = c * d;
    return isnormal(*product);
}

static ha_expr simple_mul(ha_dag *dag, ha_expr a, ha_expr b)
{
    double product = 0.0;

    order_operands(dag, &a, &b);
    if (is_zero(dag, a)) {
        return a;
    }
    if (is_one(dag, a)) {
        return b;
    }
    if (ha_expr_is(dag, a, -1.0)) {
        return ha_neg(dag, b);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_neg(dag, ha_mul(dag, operand(dag, a, 0), b));
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_neg(dag, ha_mul(dag, a, operand(dag, b, 0)));
    }
    if (joins(dag, a, b, &product)) {
        return ha_mul(dag, ha_constant(dag, product), operand(dag, b, 1));
    }
    return plain(dag, HA_OP_MUL, a, b);
}

static ha_expr simple_div(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (is_one(dag, b)) {
        return a;
    }
    if (is_zero(dag, a) && !is_zero(dag, b)) {
        return a;
    }
    if (a == b && !is_op(dag, b, HA_OP_CONSTANT)) {
        return ha_constant(dag, 1.0);
    }
    if (is_op(dag, a, HA_OP_NEG)) {
        return ha_neg(dag, ha_div(dag, operand(dag, a, 0), b));
    }
    if (is_op(dag, b, HA_OP_NEG)) {
        return ha_neg(dag, ha_div(dag, a, operand(dag, b, 0)));
    }
    return plain(dag, HA_OP_DIV, a, b);
}

static ha_expr simple_pow(ha_dag *dag, ha_expr a, ha_expr b)
{
    if (is_zero(dag, b)) {
        return ha_constant(dag, 1.0);
    }
    if (is_one(dag, b)) {
        return a;
    }
    if (ha_expr_is(dag, b, 2.0)) {
        return ha_mul(dag, a, a);
    }
    if (ha_expr_is(dag, b, -1.0)) {
        return ha_div(dag, ha_constant(dag, 1.0), a);
    }
    if (ha_expr_is(dag, b, 0.5)) {
        return ha_apply(dag, HA_OP_SQRT, a, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return plain(dag, HA_OP_POW, a, b);
}

/* An odd function of a negated operand is negated; an even one does not see the sign. */
static ha_expr simple_parity(ha_dag *dag, ha_op op, ha_expr a)
{
    if (!is_op(dag, a, HA_OP_NEG)) {
        return plain(dag, op, a, HA_EXPR_NONE);
    }

    ha_expr value = ha_apply(dag, op, operand(dag, a, 0), HA_EXPR_NONE, HA_EXPR_NONE);
    bool is_even = op == HA_OP_COS || op == HA_OP_COSH || op == HA_OP_ABS;
    return is_even ? value : ha_neg(dag, value);
}

static ha_expr simple_if(ha_dag *dag, ha_expr a, ha_expr b, ha_expr c)
{
    double condition = 0.0;

    if (b == c) {
        return b;
    }
    if (ha_expr_is_constant(dag, a, &condition)) {
        return condition != 0.0 ? b : c;
    }
    return node_of(dag, (ha__node){ HA_OP_IF, { a, b, c } });
}

/* The constant that an operation of constants gives; false when they are not, or it is not finite. */
static bool fold(const ha_dag *dag, ha_op op, const ha_expr operands[3], double *value)
{
    double x[3] = { 0.0, 0.0, 0.0 };

    for (int i = 0; i < ha__arity[op]; i++) {
        if (!ha_expr_is_constant(dag, operands[i], &x[i])) {
            return false;
        }
    }
    *value = ha__op_value(&dag->tables, op, x);
    return isfinite(*value);
}

ha_expr ha_apply(ha_dag *dag, ha_op op, ha_expr a, ha_expr b, ha_expr c)
{
    const ha_expr operands[3] = { a, b, c };
    double value = 0.0;

    for (int i = 0; i < ha__arity[op]; i++) {
        if (operands[i] == HA_EXPR_NONE) {
            return HA_EXPR_NONE;
        }
    }
    if ((op == HA_OP_KNOT || op == HA_OP_PIECE) && !ha__is_table(dag, op == HA_OP_KNOT ? b : c)) {
        ha__dag_fail(dag, ha_fail(dag->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                  "an operation on a table has an operand that is none; use "
                                  "ha_table_apply()"));
        return HA_EXPR_NONE;
    }
    if (fold(dag, op, operands, &value)) {
        return ha_constant(dag, value);
    }
    switch ((int) op) {
    case HA_OP_ADD:
        return simple_add(dag, a, b);
    case HA_OP_SUB:
        return simple_sub(dag, a, b);
    case HA_OP_MUL:
        return simple_mul(dag, a, b);
    case HA_OP_DIV:
        return simple_div(dag, a, b);
    case HA_OP_NEG:
        return simple_neg(dag, a);
    case HA_OP_POW:
        return simple_pow(dag, a, b);
    case HA_OP_IF:
        return simple_if(dag, a, b, c);
    case HA_OP_PIECE:
        return node_of(dag, (ha__node){ (int) op, { a, b, c } });
    case HA_OP_SIN:
    case HA_OP_TAN:
    case HA_OP_ASIN:
    case HA_OP_ATAN:
    case HA_OP_SINH:
    case HA_OP_TANH:
    case HA_OP_SIGN:
    case HA_OP_COS:
    case HA_OP_COSH:
    case HA_OP_ABS:
        return simple_parity(dag, op, a);
    default:
        return plain(dag, op, a, ha__arity[op] > 1 ? b : HA_EXPR_NONE);
    }
}

ha_expr ha_add(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_ADD, a, b, HA_EXPR_NONE);
}

ha_expr ha_sub(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_SUB, a, b, HA_EXPR_NONE);
}

ha_expr ha_mul(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_MUL, a, b, HA_EXPR_NONE);
}

ha_expr ha_div(ha_dag *dag, ha_expr a, ha_expr b)
{
    return ha_apply(dag, HA_OP_DIV, a, b, HA_EXPR_NONE);
}

ha_expr ha_neg(ha_dag *dag, ha_expr a)
{
    return ha_apply(dag, HA_OP_NEG, a, HA_EXPR_NONE, HA_EXPR_NONE);
}
