/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows must be differentiated so that the system has index 1. Not installed. */
#ifndef BONDGRAPH_REDUCE_H
#define BONDGRAPH_REDUCE_H

#include "bondgraph/causality/causal_order.h"

/* What becomes of a row with the value r. */
typedef enum bg__row_form {
    BG__AS_IT_STANDS, /* r = 0 */
    BG__STABILISED,   /* dr/dt + 2 alpha r + beta^2 phi = 0 */
    BG__TWICE         /* r = 0 and dr/dt = 0, which is for the derivative of an unknown */
} bg__row_form;

/* An unknown, or its derivative, that a row contains as it is written but does not depend on. */
typedef struct bg__absence {
    int row;
    ha_expr symbol;
} bg__absence;

/* The forms of all rows. */
typedef struct bg__reduction {
    bg__row_form *form; /* (rows) */
    int *rate_of;       /* (rows) of form BG__TWICE: the unknown whose derivative becomes one; -1 */
    ha_expr *value; /* (rows) what takes the place of a row's value, HA_EXPR_NONE: nothing; NULL:
                       of none */
    HA_ARRAY(bg__absence) absences; /* in order of rows */
} bg__reduction;

/* Finds the forms; `dag` is a copy of the graph's in which the rates are inserted. */
HA_MUST_CHECK ha_status bg__system_reduce(const bg__system *system, ha_dag *dag,
                                          bg__reduction *out);

/* Resolves the value of a row in `dag` and takes out what it does not depend on. */
HA_MUST_CHECK ha_status bg__reduced_row(const bg__system *system, const bg__reduction *reduction,
                                        ha_dag *dag, int row, ha_expr *out);

/* Copies an expression for each row (HA_EXPR_NONE: none), in place, between two copies of the
   graph's expressions. */
HA_MUST_CHECK ha_status bg__copy_alike(const bg__system *system, ha_dag *from, ha_dag *to,
                                       ha_expr *values);

/* Frees what is in it. */
void bg__reduction_clear(bg__reduction *reduction);

#endif
