/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of the expression graph. The structs are for lib/expr and lib/tape only. The functions
   ha__dag_...() and ha__symbol_of() are for all layers. Not installed. */
#ifndef LIB_EXPR_PRIV_H
#define LIB_EXPR_PRIV_H

#include "lib/core/mem.h"
#include "lib/data/dimension.h"
#include "lib/expr.h"
#include "lib/expr_table.h"

#include <stdint.h>

/* A node: operands of an operation, (in x[0]) the index of a constant, or what a symbol has. */
typedef struct ha__node {
    int op;       /* ha_op */
    ha_expr x[3]; /* HA_EXPR_NONE where there is none */
} ha__node;

/* What x of a symbol is. */
enum {
    HA__NUMBER,     /* among the symbols */
    HA__DERIVATIVE, /* total time derivative, HA_EXPR_NONE: it has none */
    HA__MEANING     /* what it stands for, HA_EXPR_NONE: itself */
};

/* Who has looked at what a symbol has. */
enum {
    HA__RESOLVED = 1, /* ha_resolve(), at the meaning */
    HA__DERIVED = 2   /* ha_dt(), at the derivative */
};

/* Number of operands by operation. */
extern const signed char ha__arity[HA_OP_COUNT];

/* True for the operations that hang on a switching function (lib/expr/expr_switch.h). */
static inline bool ha__op_switches(int op)
{
    return op == HA_OP_LT || op == HA_OP_LE || op == HA_OP_GT || op == HA_OP_GE ||
           op == HA_OP_MIN || op == HA_OP_MAX || op == HA_OP_ABS || op == HA_OP_SIGN ||
           op == HA_OP_FLOOR;
}

/* What is remembered of a node. */
typedef struct ha__memo_entry {
    int stamp;
    ha_expr value;
} ha__memo_entry;

/* A memo over nodes: an entry is valid when its stamp is the memo's generation. */
typedef struct ha__memo {
    ha__memo_entry *items;
    size_t count;
    size_t capacity;
    int generation;
} ha__memo;

/* A list of nodes. */
typedef HA_ARRAY(ha_expr) ha__exprs;

/* A table; arrays live in the arena of its list. */
typedef struct ha__table {
    const char *name;
    ha_table_kind kind;
    size_t n;        /* points */
    const double *x; /* (n) */
    const double *c; /* (n + 1, 4) coefficients of the polynomials, the first left of x[0] */
    bool is_foreign; /* it came with an expression of another graph: its name is not known here */
} ha__table;

/* Tables. */
typedef struct ha__tables {
    ha__table *items;
    size_t count;
    size_t capacity;
    ha__arena arena;
} ha__tables;

/* The names of the symbols of a graph and its clones, which never change; freed with the last. */
typedef struct ha__names {
    ha__arena arena;
    int n_graphs;
} ha__names;

/* A slot of the hash table: the tag spares looking at most nodes that are not meant. */
typedef struct ha__slot {
    int node;     /* its number, 0: empty */
    uint32_t tag; /* upper half of the hash */
} ha__slot;

/* Of which dimension a symbol is. */
typedef struct ha__symbol_dimension {
    ha_expr symbol;
    ha__dimension is;
} ha__symbol_dimension;

struct ha_dag {
    ha_ctx *ctx;
    ha_status status;
    HA_ARRAY(ha__node) nodes; /* the first is none, HA_EXPR_NONE */
    HA_ARRAY(double) constants;
    HA_ARRAY(const char *) symbols; /* their names */
    HA_ARRAY(unsigned char) asked;  /* of each symbol: HA__RESOLVED, HA__DERIVED */
    ha__names *names;               /* NULL before the first symbol */
    ha__tables tables;
    HA_ARRAY(ha__symbol_dimension) dimensions;
    ha_expr zero, one; /* these constants, once they are there */
    bool has_switch;   /* there is a node of which ha__op_switches(), */
    bool has_root;     /* and a power of |x|, or its root */
    ha__slot *slots;   /* hash table of nodes but symbols */
    size_t n_slots;
    ha__memo resolved; /* ha_resolve() */
    ha__memo derived;  /* ha_dt() */
    ha__memo adjoint;  /* ha_gradient() */
    ha__memo visited;  /* ha__dag_order(): 1 + position in the order */
    ha__exprs stack;   /* ha__dag_order() */
    ha__exprs order;   /* ha__dag_order() */
};

/* The node, found or made; HA_EXPR_NONE after a failure, which sticks to the graph. */
ha_expr ha__node_of(ha_dag *dag, ha__node node);

/* Makes a failure that a caller met while it wanted to add to the graph stick to it, as if a
   constructor had failed. */
void ha__dag_fail(ha_dag *dag, ha_status status);

/* Takes the failure of what was added to a graph back: what was there before is whole. */
void ha__dag_recover(ha_dag *dag);

/* Makes room for as many more nodes, of which so many are symbols, at once rather than by and by;
   a failure sticks to the graph. */
void ha__dag_reserve(ha_dag *dag, size_t n_nodes, size_t n_symbols);

/* Frees what walks over the graph remember; they begin anew. */
void ha__dag_forget(ha_dag *dag);

/* The same, and frees what only adding to the graph needs: for a graph that is read from now on, or
   copied. Whatever is added makes it again. */
void ha__dag_rest(ha_dag *dag);

/* ha_symbol() with a name of three parts. */
ha_expr ha__symbol_of(ha_dag *dag, const char *owner, const char *quantity, const char *suffix);

/* The nodes that `roots` reach, operands before operations, in dag->order, and the position of each
   there in dag->visited; the next call overwrites both. */
HA_MUST_CHECK ha_status ha__dag_order(ha_dag *dag, const ha_expr *roots, size_t n);

/* As ha_expr_symbols(); `*symbols` is borrowed until something else walks over the graph. */
HA_MUST_CHECK ha_status ha__dag_symbols(ha_dag *dag, ha_expr e, const ha_expr **symbols, size_t *n);

/* Makes the memo as long as the graph and starts a new generation when `fresh`. */
HA_MUST_CHECK ha_status ha__memo_prepare(ha_dag *dag, ha__memo *memo, bool fresh);

/* True for the number of a node of the graph, which need not be there. */
static inline bool ha__is_expr(const ha_dag *dag, ha_expr e)
{
    return dag != NULL && e > 0 && (size_t) e < dag->nodes.count;
}

/* True for no expression, too. */
static inline bool ha__may_be(const ha_dag *dag, ha_expr e)
{
    return e == HA_EXPR_NONE || ha__is_expr(dag, e);
}

static inline bool ha__is_symbol(const ha_dag *dag, ha_expr e)
{
    return ha__is_expr(dag, e) && dag->nodes.items[e].op == HA_OP_SYMBOL;
}

/* The remembered value of a node, HA_EXPR_NONE when there is none. */
static inline ha_expr ha__memo_get(const ha__memo *memo, ha_expr e)
{
    return (size_t) e < memo->count && memo->items[e].stamp == memo->generation
               ? memo->items[e].value
               : HA_EXPR_NONE;
}

/* Where a node is in the order that ha__dag_order() made last, -1: nowhere. */
static inline int ha__dag_position(const ha_dag *dag, ha_expr e)
{
    return ha__memo_get(&dag->visited, e) - 1;
}

/* The node made again from operands that were made before; `made` by position in the order. */
ha_expr ha__remade(ha_dag *dag, ha_expr e, const ha_expr *made);

/* Remembers a value. */
static inline void ha__memo_set(ha__memo *memo, ha_expr e, ha_expr value)
{
    memo->items[e] = (ha__memo_entry){ memo->generation, value };
}

/* The value of an operation on operands x; `tables` are those that its graph has. */
double ha__op_value(const ha__tables *tables, ha_op op, const double x[3]);

/* The values of the operations on tables. The operand that is the table is 4 times its number, plus
   the order of the derivative. */
double ha__table_knot(const ha__tables *tables, double x, double operand);
double ha__table_piece(const ha__tables *tables, double k, double x, double operand);

/* Bounds of ha__table_piece() over ranges of k and x. */
void ha__table_piece_range(const ha__tables *tables, const double k[2], const double x[2],
                           double operand, double out[2]);

/* True when an operand stands for a table of the graph. */
bool ha__is_table(const ha_dag *dag, ha_expr operand);

/* The derivative of a piece of a table with respect to x. */
ha_expr ha__table_slope(ha_dag *dag, ha_expr piece);

/* Derivative `order` of a table as a function of x, up to the second. */
ha_expr ha__table_derivative(ha_dag *dag, int table, int order, ha_expr x);

/* The operand of an operation on a table of another graph, with the table taken over. */
ha_expr ha__table_operand_copy(const ha_dag *from, ha_dag *to, ha_expr operand);

/* The name of the table of an operation on it, and the primes of the derivative. */
const char *ha__table_text(const ha_dag *dag, ha_expr e, const char **primes);

/* Adds copies of all tables of another list to an empty one. */
HA_MUST_CHECK ha_status ha__tables_copy(ha_ctx *ctx, ha__tables *to, const ha__tables *from);

/* Frees the tables of a list. */
void ha__tables_clear(ha__tables *tables);

#endif
