/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Expressions: a directed acyclic graph in which equal expressions are one node (hash-consed), so
 * that the sine of a body's angle exists once however often it is written. Constructors simplify
 * (constants are folded, x + 0, x * 1, x - x ...) and never fail visibly: the first failure sticks
 * to the graph, every later constructor returns HA_EXPR_NONE, and ha_dag_status() tells at the end.
 *
 * A node's operands always have smaller numbers than the node itself.
 */
#ifndef LIB_EXPR_H
#define LIB_EXPR_H

#include "lib/context.h"

#include <stdbool.h>
#include <stddef.h>

HA_BEGIN_DECLS

/** A graph of expressions. */
typedef struct ha_dag ha_dag;

/** An expression: the number of its node in the graph it was made in, from 1. */
typedef int ha_expr;

/** No expression: the result after a failure, and what is in a struct of zeros. */
#define HA_EXPR_NONE 0

/** What a node is: a constant, a symbol, or an operation of lib/expr_ops.def. */
typedef enum ha_op {
    HA_OP_CONSTANT, /**< a number */
    HA_OP_SYMBOL,   /**< a named quantity whose value is given from outside */
    HA_OP_KNOT,     /**< of x and a table: the position of x among its points (lib/expr_table.h) */
    HA_OP_PIECE,    /**< of a position, x and a table: its polynomial there */
#define X(name, text, arity, value, p0, p1, p2) HA_OP_##name, /**< see lib/expr_ops.def */
#include "lib/expr_ops.def"
#undef X
    HA_OP_COUNT /**< number of kinds */
} ha_op;

/** Makes an empty graph; NULL when there is no memory. Free it with ha_dag_free(). */
ha_dag *ha_dag_new(ha_ctx *ctx);

/**
 * A copy in which every expression has the same number; NULL when there is no memory. It shares the
 * names of symbols with the original, so that both belong to one thread.
 */
ha_dag *ha_dag_clone(const ha_dag *dag);

/** Frees a graph; NULL is legal. */
void ha_dag_free(ha_dag *dag);

/** HA_OK, or the failure that made a constructor return HA_EXPR_NONE. */
HA_MUST_CHECK ha_status ha_dag_status(const ha_dag *dag);

/** A number above all those of nodes: an array by node has this size. */
int ha_dag_size(const ha_dag *dag);

/** The constant `value`. */
ha_expr ha_constant(ha_dag *dag, double value);

/**
 * A new symbol. The name is copied, need not be unique and serves printing only. Its value, if it
 * has one, is set by ha_symbol_define(); its total time derivative is zero until
 * ha_symbol_set_derivative().
 */
ha_expr ha_symbol(ha_dag *dag, const char *name);

/** Gives a symbol its total time derivative; HA_EXPR_NONE: it has none, ha_dt() then
    fails. */
void ha_symbol_set_derivative(ha_dag *dag, ha_expr symbol, ha_expr derivative);

/**
 * Says what a symbol stands for: ha_resolve() replaces it. A parameter stands for a constant, a
 * signal for the expression that was derived for it. HA_EXPR_NONE takes the meaning back.
 */
void ha_symbol_define(ha_dag *dag, ha_expr symbol, ha_expr meaning);

/** What a symbol stands for, HA_EXPR_NONE when nothing was said. */
ha_expr ha_symbol_definition(const ha_dag *dag, ha_expr symbol);

/** The name of a symbol; borrowed from the graph. */
const char *ha_symbol_name(const ha_dag *dag, ha_expr symbol);

/** The operation `op` of one, two or three operands (unused ones HA_EXPR_NONE), simplified. For
    those on tables use ha_table_apply(). */
ha_expr ha_apply(ha_dag *dag, ha_op op, ha_expr a, ha_expr b, ha_expr c);

/** a + b. */
ha_expr ha_add(ha_dag *dag, ha_expr a, ha_expr b);

/** a - b. */
ha_expr ha_sub(ha_dag *dag, ha_expr a, ha_expr b);

/** a * b. */
ha_expr ha_mul(ha_dag *dag, ha_expr a, ha_expr b);

/** a / b. */
ha_expr ha_div(ha_dag *dag, ha_expr a, ha_expr b);

/** -a. */
ha_expr ha_neg(ha_dag *dag, ha_expr a);

/** The operation of a node. */
ha_op ha_expr_op(const ha_dag *dag, ha_expr e);

/** Operand `i` (0, 1, 2) of a node, HA_EXPR_NONE where there is none. */
ha_expr ha_expr_operand(const ha_dag *dag, ha_expr e, int i);

/** True when the expression is a constant; `*value` (may be NULL) is then set. */
bool ha_expr_is_constant(const ha_dag *dag, ha_expr e, double *value);

/** True when the expression is the constant `value`. */
bool ha_expr_is(const ha_dag *dag, ha_expr e, double value);

/** Number of operands of an operation: 0 to 3. */
int ha_op_arity(ha_op op);

/** How an operation is written: the function's name or the operator; "" for leaves. */
const char *ha_op_text(ha_op op);

/** The value of an operation for given operands. Constants, symbols and tables give nan. */
double ha_op_value(ha_op op, double a, double b, double c);

/**
 * The symbols that occur in `e`, each once, in a fixed order, definitions not looked into.
 * `*symbols` (n) is to be freed with free().
 */
HA_MUST_CHECK ha_status ha_expr_symbols(ha_dag *dag, ha_expr e, ha_expr **symbols, size_t *n);

/**
 * Replaces every defined symbol in `e` by what it stands for, again in what comes of that, and so
 * on.
 * @return HA_ERR_NAME when a symbol stands, directly or through others, for an expression of
 *         itself; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_resolve(ha_dag *dag, ha_expr e, ha_expr *out);

/**
 * `e` with each symbol from[i] (n) replaced by to[i]; definitions are not looked into, and what is
 * put in is not searched again. Without memory HA_EXPR_NONE, and ha_dag_status() tells.
 */
ha_expr ha_expr_replace(ha_dag *dag, ha_expr e, const ha_expr *from, const ha_expr *to, size_t n);

/**
 * An expression whose partial derivative with respect to `symbol` is e (definitions not looked
 * into), continuous wherever e has no pole; HA_EXPR_NONE when none is found by rule. There are
 * rules for sums, powers, functions of linear arguments, pieces by if(). Pieces of which one has a
 * pole where they meet have none, as far as that can be told by numbers: resolve parameters before.
 */
ha_expr ha_antiderivative(ha_dag *dag, ha_expr e, ha_expr symbol);

/** The partial derivative of e with respect to a symbol (definitions not looked into). */
ha_expr ha_partial(ha_dag *dag, ha_expr e, ha_expr symbol);

/**
 * All partial derivatives of `e` by one reverse sweep: for each symbol that occurs in e its
 * derivative, in a fixed order.
 * @param symbols  (*n) the symbols, to be freed with free()
 * @param partials (*n) their derivatives, to be freed with free()
 */
HA_MUST_CHECK ha_status ha_gradient(ha_dag *dag, ha_expr e, ha_expr **symbols, ha_expr **partials,
                                    size_t *n);

/**
 * The total time derivative of e: the sum over its symbols of partial times derivative.
 * @return HA_ERR_UNSUPPORTED when a symbol has none, with a diagnostic that names it; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_dt(ha_dag *dag, ha_expr e, ha_expr *out);

/**
 * The value of e when symbol number s has value `value_of(user, s)`; undefined symbols give nan.
 * Without memory it is nan, and ha_dag_status() tells.
 * Slow: for checks and starts, not for loops.
 */
double ha_expr_value(ha_dag *dag, ha_expr e, double (*value_of)(void *user, ha_expr symbol),
                     void *user);

/**
 * Writes e in infix notation, in the grammar of model files, numbers with the fewest digits that
 * read back. The text is to be freed with free(); NULL when there is no memory, or when it would be
 * longer than 16 MiB (a graph with shared parts can be much longer as text).
 */
char *ha_expr_text(const ha_dag *dag, ha_expr e);

/**
 * As ha_expr_text(), but cut after at most `most` bytes, behind a whole character and with "..."
 * added: in time for these alone, however long the whole would be. NULL when there is no memory.
 */
char *ha_expr_text_cut(const ha_dag *dag, ha_expr e, size_t most);

/** Looks a name up for the parser: its expression, or HA_EXPR_NONE when it is unknown. */
typedef ha_expr (*ha_lookup)(void *user, const char *name);

/** A function of the user: an expression over symbols that stand for its arguments. */
typedef struct ha_function {
    const char *name;         /**< as it is called */
    const ha_expr *arguments; /**< (n) symbols */
    size_t n;                 /**< number of arguments, at most 16 */
    ha_expr is;               /**< the value over these symbols */
} ha_function;

/**
 * Looks a function up for the parser: `*out` is the function, or NULL when it is unknown.
 * @return an error that was reported already: the function is known, but what it is cannot be read
 */
typedef ha_status (*ha_function_lookup)(void *user, const char *name, const ha_function **out);

/**
 * Takes a whole call whose arguments are no expressions, "distance(A.P, B.Q)": its expression, and
 * the number of its bytes; 0 bytes when the text is none.
 */
typedef size_t (*ha_call_lookup)(void *user, const char *text, ha_expr *out);

/** What the expression parser needs to know. */
typedef struct ha_parse_def {
    ha_where where;               /**< where the text stands; errors count columns from there */
    ha_lookup lookup;             /**< meaning of names; NULL: no names are known */
    void *lookup_user;            /**< first argument of all look-ups */
    ha_function_lookup function;  /**< functions of the user; NULL: none */
    ha_call_lookup call;          /**< whole calls; NULL: none */
    const char *object;           /**< named in errors ("value of `drive`"); NULL: "expression" */
    const char *const *known;     /**< names to suggest for a misspelt one; NULL: none; borrowed */
    size_t n_known;               /**< number of names to suggest */
    const char *const *functions; /**< functions to suggest, likewise */
    size_t n_functions;           /**< number of functions to suggest */
} ha_parse_def;

/**
 * Reads an expression: `+ - * / ^` (right-associative, binds tighter than unary minus),
 * parentheses, comparisons, `if(c, a, b)`, the functions of lib/expr_ops.def, `pi`, and names made
 * of letters, digits, `_` and dots, with indices in brackets, `link[3].end`. A name may begin with
 * digits that are directly followed by a letter, or by a dot and a letter, when these form no
 * exponent: `1a.f` and `0x` are names, `1e3` is a number. Bounded in length (64 KiB) and nesting
 * (200).
 * @return HA_ERR_SYNTAX, HA_ERR_NAME, HA_ERR_VALUE (a number like 1e400), HA_ERR_LIMIT or
 *         HA_ERR_MEMORY, with a diagnostic that has the position.
 */
HA_MUST_CHECK ha_status ha_expr_parse(ha_dag *dag, const char *text, const ha_parse_def *def,
                                      ha_expr *out);

HA_END_DECLS

#endif
