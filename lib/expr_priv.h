/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of the expression graph, for the files expr*.c and tape.c; and ha__dag_fail() for all.
   Not installed. */
#ifndef LIB_EXPR_PRIV_H
#define LIB_EXPR_PRIV_H

#include "lib/expr.h"
#include "lib/mem.h"

/* A node: operands of an operation, or (in a) the index of a constant or symbol. */
typedef struct ha__node {
    int op; /* ha_op */
    int a, b, c;
} ha__node;

/* A symbol. */
typedef struct ha__symbol {
    const char *name;
    ha_expr node;
    ha_expr derivative; /* total time derivative, HA_EXPR_NONE: it has none */
    ha_expr meaning;    /* what it stands for, HA_EXPR_NONE: itself */
    bool was_resolved;  /* ha_resolve() has looked at the meaning */
    bool was_derived;   /* ha_dt() has looked at the derivative */
} ha__symbol;

/* A memo over nodes: an entry is valid when its stamp is the memo's generation. */
typedef struct ha__memo {
    HA_ARRAY(int) stamps;
    HA_ARRAY(ha_expr) values;
    int generation;
} ha__memo;

/* A list of nodes. */
typedef HA_ARRAY(ha_expr) ha__exprs;

struct ha_dag {
    ha_ctx *ctx;
    ha_status status;
    HA_ARRAY(ha__node) nodes;
    HA_ARRAY(double) constants;
    HA_ARRAY(ha__symbol) symbols;
    ha__arena names;
    ha_expr zero; /* the constant 0, once there is a symbol */
    int *slots; /* hash table of nodes but symbols + 1, 0: empty; linear probing */
    size_t n_slots;
    ha__memo resolved; /* ha_resolve() */
    ha__memo derived;  /* ha_dt() */
    ha__memo adjoint;  /* ha_gradient() */
    ha__memo visited;  /* ha__dag_order() */
    ha__exprs stack;   /* ha__dag_order() */
    ha__exprs order;   /* ha__dag_order() */
};

/* Makes a failure that a caller met while it wanted to add to the graph stick to it, as if a
   constructor had failed. */
void ha__dag_fail(ha_dag *dag, ha_status status);

/* The nodes that `roots` reach, operands before operations, in dag->order, which the next call
   overwrites. */
HA_MUST_CHECK ha_status ha__dag_order(ha_dag *dag, const ha_expr *roots, size_t n);

/* Makes the memo as long as the graph and starts a new generation when `fresh`. */
HA_MUST_CHECK ha_status ha__memo_prepare(ha_dag *dag, ha__memo *memo, bool fresh);

/* The remembered value of a node, HA_EXPR_NONE when there is none. */
ha_expr ha__memo_get(const ha__memo *memo, ha_expr e);

/* Remembers a value. */
void ha__memo_set(ha__memo *memo, ha_expr e, ha_expr value);

/* The partial derivative of node e with respect to its operand i; HA_EXPR_NONE after a failure. */
ha_expr ha__partial_rule(ha_dag *dag, ha_expr e, int i);

#endif
