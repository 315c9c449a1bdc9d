/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings of joint and force types: one row of a descriptor's table for each key that a model file
 * may give ("stiffness: 4530 N/m", "value: [fx, fy]", "spring: 800*q + 2e4*q^3"). Not installed.
 */
#ifndef MECH2D_KEY_H
#define MECH2D_KEY_H

#include "lib/data/units.h"

#include <stdbool.h>
#include <stddef.h>

enum { M2D__MAX_COMPONENTS = 3 }; /* values of one key */

/* The law that a setting gives: an expression over the displacement q of a force and its rate f. */
typedef enum m2d__law {
    M2D__NO_LAW,     /* none, it is a value */
    M2D__LAW_OF_Q,   /* what a storage gives: it reads q and parameters alone */
    M2D__LAW_OF_Q_F, /* what a resistor gives: it reads q, f, the time and outputs, too */
    M2D__LAW_OF_SLIP /* the force of a tyre: it reads the slips of its wheel, and outputs, too */
} m2d__law;

typedef struct m2d__key {
    const char *name;                             /* "stiffness" */
    int n_values;                                 /* 1, or the length of a list */
    ha__quantity quantities[M2D__MAX_COMPONENTS]; /* of each value */
    bool is_required;                             /* else 0 when it is not given, */
    bool is_optional;                             /* or, with this, HA_EXPR_NONE */
    m2d__law law;                                 /* of one value */
    bool is_constant;                             /* no time, no outputs */
    bool is_positive;                             /* constant and at least 0 */
    bool excludes_zero;                           /* and positive: above 0 */
    double most;                                  /* of what is positive; 0: no limit */
    const char *(*choice)(size_t i); /* its value is one of these names, NULL behind the last, kept
                                        as its number; NULL: it is not a name */
    bool is_matrix; /* of joint models: one value for n rows of a joint, or n, or n * n, all of the
                       first quantity */
} m2d__key;

/* The row of a length that is needed, a number above 0. */
#define M2D__SIZE_KEY(NAME)                                                                        \
    {                                                                                              \
        .name = (NAME), .n_values = 1, .quantities = { HA__QUANTITY_LENGTH }, .is_required = true, \
        .is_constant = true, .is_positive = true, .excludes_zero = true                            \
    }

/* The row of a number that is not below 0, nor 0 where EXCLUDES_ZERO says so. */
#define M2D__POSITIVE_KEY(NAME, QUANTITY, EXCLUDES_ZERO)                                           \
    {                                                                                              \
        .name = (NAME), .n_values = 1, .quantities = { HA__QUANTITY_##QUANTITY },                  \
        .is_constant = true, .is_positive = true, .excludes_zero = (EXCLUDES_ZERO)                 \
    }

enum { M2D__MAX_MATRIX = 9 }; /* values of one key that is a matrix */

#endif
