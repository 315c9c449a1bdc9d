/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions as C text. Not installed. */
#ifndef LIB_EXPR_C_H
#define LIB_EXPR_C_H

#include "lib/core/strbuf.h"
#include "lib/expr.h"

/* Tells how a symbol is called in the text: adds it to `out`. */
typedef void (*ha__c_name)(void *user, ha_expr symbol, ha__strbuf *out);

/* Adds statements that assign n expressions to `target`[0] ..., in the arithmetic of a tape: the
   operations of lib/expr_ops.def in double. What is used more than once goes to a variable vN
   first. The text needs <math.h>. */
HA_MUST_CHECK ha_status ha__expr_c(ha_dag *dag, const ha_expr *roots, size_t n, const char *target,
                                   ha__c_name name, void *user, ha__strbuf *out);

/* Adds an operation; `operand` adds operand k of it. */
void ha__c_operation(ha__strbuf *out, ha_op op, void (*operand)(void *user, int k, ha__strbuf *out),
                     void *user);

/* Adds the tables of a graph, which what ha__expr_c() writes may call. */
void ha__c_tables(const ha_dag *dag, ha__strbuf *out);

/* Adds a number that C reads back as the same double. */
void ha__c_number(ha__strbuf *out, double x);

/* Adds a text as a string literal, with its quotes. */
void ha__c_string(ha__strbuf *out, const char *text);

#endif
