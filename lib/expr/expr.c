/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The expression graph: nodes that exist once, and symbols.
 *
 * A node is stored once: its operation and operands are looked up in a hash table before a new one
 * is made. Symbols are all different and not in the table.
 */
#include <config.h>

#include "lib/expr.h"

#include "lib/core/hash.h"
#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

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
    HA_NEED_ELSE(HA_IS_INDEX((int) op, (int) HA_OP_COUNT), 0);
    return ha__arity[op];
}

const char *ha_op_text(ha_op op)
{
    HA_NEED_ELSE(HA_IS_INDEX((int) op, (int) HA_OP_COUNT), "");
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

enum { LEAST_SLOTS = 256 };

static ha_status reserve(ha_dag *dag, size_t n_nodes, size_t n_symbols)
{
    HA_TRY_ROOM(dag->ctx, &dag->nodes, n_nodes);
    HA_TRY_ROOM(dag->ctx, &dag->symbols, n_symbols);
    HA_TRY_ROOM(dag->ctx, &dag->asked, n_symbols);
    return HA_OK;
}

ha_dag *ha_dag_new(ha_ctx *ctx)
{
    ha_dag *dag = ha__alloc(ctx, 1, sizeof *dag);

    if (dag == NULL) {
        return NULL;
    }
    dag->ctx = ctx;
    if (reserve(dag, 1, 0) != HA_OK) {
        ha_dag_free(dag);
        return NULL;
    }
    dag->nodes.items[dag->nodes.count++] = (ha__node){ .op = HA_OP_COUNT }; /* HA_EXPR_NONE */
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
    ha__dag_rest(dag);
    HA_ARRAY_CLEAR(&dag->nodes, &dag->constants, &dag->symbols, &dag->asked);
    leave_names(dag->names);
    ha__tables_clear(&dag->tables);
    HA_ARRAY_CLEAR(&dag->dimensions);
    ha__free(dag);
}

void ha__dag_forget(ha_dag *dag)
{
    HA_ARRAY_CLEAR(&dag->resolved, &dag->derived, &dag->adjoint, &dag->visited, &dag->stack,
                   &dag->order);
}

void ha__dag_rest(ha_dag *dag)
{
    ha__dag_forget(dag);
    ha__free(dag->slots);
    dag->slots = NULL;
    dag->n_slots = 0;
}

/* Copies the items of an array into an empty one of the same type with room for more. */
#define COPY_ARRAY(ctx, to, from, more)                                                            \
    do {                                                                                           \
        HA_TRY_ROOM(ctx, to, (from)->count + (more));                                              \
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
    /* a copy is made to be added to, operations more than symbols */
    COPY_ARRAY(to->ctx, &to->nodes, &from->nodes, from->nodes.count);
    COPY_ARRAY(to->ctx, &to->constants, &from->constants, 0);
    COPY_ARRAY(to->ctx, &to->symbols, &from->symbols, from->symbols.count / 4);
    COPY_ARRAY(to->ctx, &to->asked, &from->asked, from->asked.count / 4);
    COPY_ARRAY(to->ctx, &to->dimensions, &from->dimensions, 0);
    HA_TRY_ALLOC(to->ctx, to->slots, from->n_slots);
    to->n_slots = from->n_slots;
    to->zero = from->zero;
    to->one = from->one;
    to->has_switch = from->has_switch;
    to->has_root = from->has_root;
    for (size_t i = 0; i < from->n_slots; i++) {
        to->slots[i] = from->slots[i];
    }
    memset(to->asked.items, 0, to->asked.count * sizeof *to->asked.items);
    return HA_OK;
}

ha_dag *ha_dag_clone(const ha_dag *dag)
{
    HA_NEED_ELSE(dag != NULL, NULL);
    ha_dag *copy = ha_dag_new(dag->ctx);

    if (copy != NULL && copy_into(copy, dag) != HA_OK) {
        ha_dag_free(copy);
        copy = NULL;
    }
    return copy;
}

ha_status ha_dag_status(const ha_dag *dag)
{
    HA_NEED(NULL, dag != NULL);
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
    HA_NEED_ELSE(dag != NULL, 0);
    return (int) dag->nodes.count;
}

void ha__dag_reserve(ha_dag *dag, size_t n_nodes, size_t n_symbols)
{
    if (dag->status == HA_OK) {
        dag->status = reserve(dag, n_nodes, n_symbols);
    }
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t hash_of(const ha_dag *dag, const ha__node *node)
{
    uint64_t hash = ha__hash_word(0, (uint64_t) node->op);

    if (node->op == HA_OP_CONSTANT) {
        return ha__hash_word(hash, bits_of(dag->constants.items[node->x[0]]));
    }
    hash = ha__hash_word(hash,
                         (uint64_t) (uint32_t) node->x[0] | (uint64_t) (uint32_t) node->x[1] << 32);
    return ha__hash_word(hash, (uint64_t) (uint32_t) node->x[2]);
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

/* True when the node is in this slot. */
static bool is_at(const ha_dag *dag, const ha__slot *slot, uint32_t tag, const ha__node *node)
{
    return slot->tag == tag && is_same(dag, &dag->nodes.items[slot->node], node);
}

static ha_expr latest_operand(const ha__node *node)
{
    ha_expr latest = node->x[0] > node->x[1] ? node->x[0] : node->x[1];

    return latest > node->x[2] ? latest : node->x[2];
}

/*
 * The slot of a node in the table, or the empty one where it belongs. Nodes lie where their latest
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

/* True when one more node would leave a third of the slots empty. */
static bool has_room(const ha_dag *dag, size_t n_slots)
{
    return 3 * (dag->nodes.count - dag->symbols.count) <= 2 * n_slots;
}

/* Keeps the hash table at most two thirds full. */
static ha_status grow(ha_dag *dag)
{
    if (has_room(dag, dag->n_slots)) {
        return HA_OK;
    }
    HA_TRY(check_size(dag));

    size_t n_slots = dag->n_slots == 0 ? LEAST_SLOTS : 2 * dag->n_slots;
    while (!has_room(dag, n_slots)) { /* the table was dropped */
        n_slots *= 2;
    }
    ha__slot *slots = ha__alloc(dag->ctx, n_slots, sizeof *slots);
    HA_TRY_MEMORY(slots);
    ha__free(dag->slots);
    dag->slots = slots;
    dag->n_slots = n_slots;
    for (size_t i = 1; i < dag->nodes.count; i++) {
        const ha__node *node = &dag->nodes.items[i];
        if (node->op != HA_OP_SYMBOL) {
            uint64_t hash = hash_of(dag, node);
            *slot_of(dag, node, hash) = (ha__slot){ (int) i, (uint32_t) (hash >> 32) };
        }
    }
    return HA_OK;
}

/* True of a root of |x|, or another power of it. */
static bool is_power_of_size(const ha_dag *dag, const ha__node *node)
{
    return (node->op == HA_OP_SQRT || node->op == HA_OP_POW) &&
           dag->nodes.items[node->x[0]].op == HA_OP_ABS;
}

/* The node, found or made. */
static ha_status intern(ha_dag *dag, ha__node node, ha_expr *out)
{
    HA_TRY(grow(dag));

    uint64_t hash = hash_of(dag, &node);
    ha__slot *slot = slot_of(dag, &node, hash);
    if (slot->node == 0) {
        HA_TRY_PUSH(dag->ctx, &dag->nodes, node);
        *slot = (ha__slot){ (int) dag->nodes.count - 1, (uint32_t) (hash >> 32) };
        dag->has_switch = dag->has_switch || ha__op_switches(node.op);
        dag->has_root = dag->has_root || is_power_of_size(dag, &node);
    }
    *out = slot->node;
    return HA_OK;
}

ha_expr ha__node_of(ha_dag *dag, ha__node node)
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
    ha_status status = intern(dag, (ha__node){ HA_OP_CONSTANT, { index } }, out);
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
    HA_NEED_ELSE(dag != NULL, HA_EXPR_NONE);
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
    HA_TRY(check_size(dag));
    if (dag->names == NULL) {
        HA_TRY_ALLOC(dag->ctx, dag->names, 1);
        dag->names->n_graphs = 1;
    }
    const char *name = ha__arena_join(dag->ctx, &dag->names->arena, parts);
    HA_TRY_MEMORY(name);
    HA_TRY(reserve(dag, 1, 1));
    dag->asked.items[dag->asked.count++] = 0;
    dag->symbols.items[dag->symbols.count++] = name;
    dag->nodes.items[dag->nodes.count++] =
        (ha__node){ HA_OP_SYMBOL,
                    { [HA__NUMBER] = (int) dag->symbols.count - 1, [HA__DERIVATIVE] = dag->zero } };
    *out = (ha_expr) dag->nodes.count - 1;
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
    HA_NEED_ELSE(dag != NULL && name != NULL, HA_EXPR_NONE);
    return ha__symbol_of(dag, name, "", "");
}

/* Whether somebody has asked for what is about to change; from now on nobody has. */
static bool was_asked(ha_dag *dag, const ha__node *symbol, unsigned char who)
{
    unsigned char *asked = &dag->asked.items[symbol->x[HA__NUMBER]];
    bool was = (*asked & who) != 0;

    *asked = (unsigned char) (*asked & ~who);
    return was;
}

void ha_symbol_set_derivative(ha_dag *dag, ha_expr symbol, ha_expr derivative)
{
    HA_NEED_ELSE(ha__is_symbol(dag, symbol) && ha__may_be(dag, derivative), );
    if (symbol == HA_EXPR_NONE) {
        return;
    }

    ha__node *node = &dag->nodes.items[symbol];
    dag->derived.generation += was_asked(dag, node, HA__DERIVED) ? 1 : 0;
    node->x[HA__DERIVATIVE] = derivative;
}

void ha_symbol_define(ha_dag *dag, ha_expr symbol, ha_expr meaning)
{
    HA_NEED_ELSE(ha__is_symbol(dag, symbol) && ha__may_be(dag, meaning), );
    if (symbol == HA_EXPR_NONE) {
        return;
    }

    ha__node *node = &dag->nodes.items[symbol];
    dag->resolved.generation += was_asked(dag, node, HA__RESOLVED) ? 1 : 0;
    node->x[HA__MEANING] = meaning;
}

ha_expr ha_symbol_definition(const ha_dag *dag, ha_expr symbol)
{
    HA_NEED_ELSE(ha__is_symbol(dag, symbol), HA_EXPR_NONE);
    return dag->nodes.items[symbol].x[HA__MEANING];
}

const char *ha_symbol_name(const ha_dag *dag, ha_expr symbol)
{
    HA_NEED_ELSE(ha__is_symbol(dag, symbol), "");
    return dag->symbols.items[dag->nodes.items[symbol].x[HA__NUMBER]];
}

ha_op ha_expr_op(const ha_dag *dag, ha_expr e)
{
    HA_NEED_ELSE(ha__is_expr(dag, e), HA_OP_COUNT);
    return (ha_op) dag->nodes.items[e].op;
}

ha_expr ha_expr_operand(const ha_dag *dag, ha_expr e, int i)
{
    HA_NEED_ELSE(i >= 0 && ha__is_expr(dag, e), HA_EXPR_NONE);
    const ha__node *node = &dag->nodes.items[e];

    return i < ha__arity[node->op] ? node->x[i] : HA_EXPR_NONE;
}

bool ha_expr_is_constant(const ha_dag *dag, ha_expr e, double *value)
{
    HA_NEED_ELSE(ha__is_expr(dag, e), false);
    const ha__node *node = &dag->nodes.items[e];

    if (node->op != HA_OP_CONSTANT) {
        return false;
    }
    if (value != NULL) {
        *value = dag->constants.items[node->x[0]];
    }
    return true;
}

bool ha_expr_is(const ha_dag *dag, ha_expr e, double value)
{
    double found = 0.0;

    return ha_expr_is_constant(dag, e, &found) && bits_of(found) == bits_of(value);
}
