/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse linear systems of masses and constraints, one pattern and many values. Not installed. */
#ifndef LIB_LDL_H
#define LIB_LDL_H

#include "lib/context.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ha__ldl ha__ldl;

/* What all matrices have in common; not needed any more when the solver is made. */
typedef struct ha__ldl_system {
    int n;                    /* rows */
    const int64_t *start;     /* (n + 1) compressed columns */
    const int64_t *row;       /* (start[n]) row of each entry, ascending in a column */
    const int *slot;          /* (start[n]) where its value is among those given; entries of one
                                  slot are equal at all times */
    int n_changing;           /* values from here on are the same at all times */
    const signed char *first; /* (n) 1: unknown with a good pivot in its diagonal entry, eliminated
                                 before the others; no two of them meet in a row or column */
} ha__ldl_system;

/* Makes a solver; `a` are the values of one of the matrices. `*out` is NULL where unknowns times 1
   or -1 do not make it symmetric, or where its factor would be large. */
HA_MUST_CHECK ha_status ha__ldl_new(ha_ctx *ctx, const ha__ldl_system *system, const double *a,
                                    ha__ldl **out);

/* Frees it; NULL is legal. */
void ha__ldl_free(ha__ldl *ldl);

/* x = A^-1 b (n) for the matrix with the values `a`; the unknown of a row that follows from the
   others is 0, and `*is_done` is false where such a row contradicts them. False where the matrix is
   no longer symmetric in that sense. */
bool ha__ldl_solve(ha__ldl *ldl, const double *a, const double *b, double *x, bool *is_done);

/* The least pivot of the matrix solved last beside what it was before unknowns not marked were
   eliminated: about the reciprocal condition; 0 where a row follows from the others. */
double ha__ldl_condition(const ha__ldl *ldl);

#endif
