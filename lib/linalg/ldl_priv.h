/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a solver for masses and constraints, for the files ldl*.c. Not installed. */
#ifndef LIB_LDL_PRIV_H
#define LIB_LDL_PRIV_H

#include "lib/core/mem.h"
#include "lib/linalg/ldl.h"

typedef HA_ARRAY(int) ha__ldl_ints;

/* An entry of a column that is eliminated first. */
typedef struct {
    int from; /* value of A */
    int to;   /* row of the rest */
} ha__ldl_entry;

/* A column that is eliminated first; those that are known at once have no entries. */
typedef struct {
    int unknown;  /* as `order` has it, beside the rest of what a solution reads */
    int count;    /* entries below the pivot; these of all columns follow one another */
    int is_fixed; /* 1: neither the pivot nor what is below it changes */
} ha__ldl_first;

/* An entry by which an unknown that is known at once enters a row of the rest. */
typedef struct {
    int from;
    int unknown;
    int to;
} ha__ldl_tie;

/* An entry among the rows and columns of the rest that changes. */
typedef struct {
    int from;
    int to; /* value of the factor */
    double sign;
} ha__ldl_own;

/* Two values that have to agree, or to be opposite. */
typedef struct {
    int from, mirror;
    double sign;
} ha__ldl_pair;

/* Columns of the rest. */
typedef struct {
    int width; /* 2: two with the same rows, 1: one */
    int count; /* rows below both */
    int first; /* end of the columns that are eliminated first and enter this block first */
} ha__ldl_block;

struct ha__ldl {
    ha_ctx *ctx;
    int n;
    int n_known; /* columns of unknowns that are known at once, */
    int n_first; /* and of these and those that are eliminated first, by the rows of the rest that
                    they enter; others are the rest */
    int *order;  /* (n) unknown of each column */
    signed char *sign; /* (n) of the unknown of each column */
    HA_ARRAY(ha__ldl_pair) pairs;
    HA_ARRAY(ha__ldl_tie) ties;

    int *pivot;            /* (n_first) value of A on the diagonal */
    ha__ldl_ints changing; /* columns whose pivot changes */
    ha__ldl_first *firsts; /* (n_first) */
    HA_ARRAY(ha__ldl_entry) entries;
    ha__ldl_ints update; /* where each product of a column that is not fixed goes */

    HA_ARRAY(ha__ldl_block) blocks;
    ha__ldl_ints row;         /* those below each block */
    ha__ldl_ints rest_update; /* where each product of a block goes */
    HA_ARRAY(ha__ldl_own) own;
    size_t n_values;
    double *base;    /* (n_values) what never changes of the rest before it is eliminated */
    double *value;   /* (n_values) the factor of the rest */
    double *inverse; /* (n) 1 / pivot, 0: the row follows from others */
    double *taken;   /* (n - n_first) what other columns of the rest have taken off a pivot */
    double *y;       /* (n - n_first) right-hand side, then unknowns */
    double *column;  /* (n) a column */
    double condition;
    int n_dependent;
};

/* ldl_pattern.c: finds all but the numbers, and of these those that never change. False where the
   matrix is not symmetric up to signs, or its factor large. */
HA_MUST_CHECK ha_status ha__ldl_analyse(ha__ldl *ldl, const ha__ldl_system *system, const double *a,
                                        bool *is_fit);

#endif
