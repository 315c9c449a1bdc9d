/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Tables: functions of one variable that are given by points, for use in expressions.
 *
 * Between the points a table is linear, a monotone cubic with a continuous first derivative, or a
 * spline with a continuous second one. Outside of them it keeps the value of the nearest end, or is
 * periodic. Its derivatives are exact. Where a linear table bends, and at both ends of a cubic one
 * or of a natural spline, a run has an event, so that no sample of a source is stepped over.
 */
#ifndef LIB_EXPR_TABLE_H
#define LIB_EXPR_TABLE_H

#include "lib/expr.h"

HA_BEGIN_DECLS

/** What a table is between its points. */
typedef enum ha_table_kind {
    HA_TABLE_LINEAR,  /**< straight lines */
    HA_TABLE_CUBIC,   /**< cubics by Fritsch and Carlson, rising only where the points do */
    HA_TABLE_NATURAL, /**< the cubic spline that is not bent at its ends */
    HA_TABLE_PERIODIC /**< the cubic spline that repeats itself: the last y is the first */
} ha_table_kind;

/** The definition of a table; start from ha_table_def_default(). Everything in it is copied. */
typedef struct ha_table_def {
    const char *name;   /**< how expressions call it: letters, digits and `_`, a letter first */
    ha_table_kind kind; /**< what it is between the points */
    size_t n;           /**< number of points, at least 2 */
    const double *x;    /**< (n) where the points are, strictly increasing */
    const double *y;    /**< (n) the values there */
    ha_where where;     /**< where the user wrote it, for diagnostics */
    int cookie;         /**< set by ha_table_def_default() */
} ha_table_def;

/** A definition of a linear table without points. */
ha_table_def ha_table_def_default(void);

/**
 * Adds a table to a graph. From then on ha_expr_parse() knows it as a function of its name.
 * @param out (may be NULL) its number in the graph
 * @return HA_ERR_ARGUMENT, HA_ERR_NAME (ill-formed, taken or that of a function), HA_ERR_VALUE (too
 *         few points, a number that is not finite, x that do not increase), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_table_add(ha_dag *dag, const ha_table_def *def, int *out);

/** True when a table can have this name: letters, digits and `_`, a letter first, no function. */
bool ha_table_is_name(const char *name);

/** The number of the table of this name, -1 when there is none. */
int ha_table_find(const ha_dag *dag, const char *name);

/** Number of tables of a graph. */
int ha_table_count(const ha_dag *dag);

/** The name of a table; borrowed. */
const char *ha_table_name(const ha_dag *dag, int table);

/** The number of the table of an operation HA_OP_PIECE. */
int ha_table_of(const ha_dag *dag, ha_expr piece);

/** The table as a function of x. */
ha_expr ha_table_apply(ha_dag *dag, int table, ha_expr x);

HA_END_DECLS

#endif
