/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Two results side by side: how far each column of one is from the column of the same name of the
 * other, and how such distances fall over a parameter.
 */
#ifndef LIB_COMPARE_H
#define LIB_COMPARE_H

#include "lib/result.h"

HA_BEGIN_DECLS

/** How far a column b is from the column a of the same name, over the times that both have. */
typedef struct ha_difference {
    size_t column_a; /**< number of the column in the first table */
    size_t column_b; /**< number of the column in the second table */
    double largest;  /**< largest |b - a|; NAN where one of them is not finite somewhere */
    double t;        /**< the first time at which it is that large */
    double rms;      /**< sqrt(1/T integral of (b - a)^2 dt), T all the time, trapezoidal */
    double range;    /**< largest |a|: what the differences are to be measured by */
    double end;      /**< b - a at the last time that both have */
} ha_difference;

/** A comparison of two tables, whose first columns are the time. */
typedef struct ha_compare ha_compare;

/**
 * Compares two tables over the times of both; times that agree to 1e-9 of the longer one's span
 * count as one. Columns that only one has are left out. The tables are borrowed.
 * @return HA_ERR_VALUE when they have no time in common; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_compare_results(const ha_result *a, const ha_result *b,
                                           ha_compare **out);

/** Frees it; NULL is legal. */
void ha_compare_free(ha_compare *compare);

/** Number of times that both have. */
size_t ha_compare_n_times(const ha_compare *compare);

/** The rows of common time number `i` in the two tables. */
void ha_compare_rows(const ha_compare *compare, size_t i, size_t *row_a, size_t *row_b);

/** Number of columns that both have, the time left out. */
size_t ha_compare_n(const ha_compare *compare);

/** What came out for common column number `i`, in order of the first table; borrowed. */
const ha_difference *ha_compare_get(const ha_compare *compare, size_t i);

/** The integral over time of the product of two columns (of an effort and a flow: the work) by the
    trapezoidal rule on the rows of the table. */
double ha_result_work(const ha_result *result, size_t effort, size_t flow);

/**
 * Fits y = factor x^order through points by least squares of the logarithms. Points that are not
 * positive and finite are left out.
 * @return the number of points used; fewer than 2, or all of one x: order and factor are NAN
 */
size_t ha_fit_power(size_t n, const double *x, const double *y, double *order, double *factor);

HA_END_DECLS

#endif
