/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of numbers, and what the operations of the expression graph make of them. Not installed.
 */
#ifndef LIB_RANGE_H
#define LIB_RANGE_H

#include "lib/expr/expr_priv.h"

/* All numbers from low to high. */
typedef struct ha__range {
    double low, high;
} ha__range;

/* All numbers. */
extern const ha__range ha__anything;

/* A range that holds every value of an operation (ha_op) for operands in theirs; unused ones are
   not looked at. One number where all operands are one. */
ha__range ha__range_apply(const ha__tables *tables, int op, const ha__range x[3]);

/* Those of a product with itself, which is never negative. */
ha__range ha__range_square(ha__range x);

/*
 * The range of the slope of an operation's value r where its operands x have slopes d, both over
 * the same time: the chain rule; all numbers where the value jumps or bends upright.
 */
ha__range ha__range_slope(const ha__tables *tables, int op, const ha__range x[3],
                          const ha__range d[3], ha__range r);

#endif
