/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of expressions from one graph into another. Not installed. */
#ifndef LIB_EXPR_COPY_H
#define LIB_EXPR_COPY_H

#include "lib/core/mem.h"
#include "lib/expr.h"

/* A copy under way; no expression may be added to `from` meanwhile. */
typedef struct ha__copy {
    ha_dag *from, *to;
    int size;     /* nodes of `from` */
    ha_expr *map; /* (size) what a node becomes in `to`, HA_EXPR_NONE: not known yet */
    HA_ARRAY(ha_expr) stack;
} ha__copy;

/* Starts a copy; end it with ha__copy_end(), also after a failure. */
HA_MUST_CHECK ha_status ha__copy_begin(ha__copy *copy, ha_dag *from, ha_dag *to);

/* Frees what a copy holds. */
void ha__copy_end(ha__copy *copy);

/* Says what a symbol of the first graph becomes; HA_EXPR_NONE as a symbol is ignored. */
void ha__copy_map(ha__copy *copy, ha_expr symbol, ha_expr becomes);

/* Copies an expression, HA_EXPR_NONE to itself. HA_ERR_NAME when it has a symbol that is not in the
   map and stands for nothing, or for an expression of itself; HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status ha__copy_expr(ha__copy *copy, ha_expr e, ha_expr *out);

#endif
