/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of the start system and its KLU factorisation, shared by the consistent start and the
 * search for singularities. Not installed.
 *
 * Unknowns of the start system are y'_j where unknown j is differential and y_j elsewhere; its
 * matrix A has the columns dF/dy'_j and dF/dy_j. As the Jacobian is affine in cj,
 *
 *     dF/dy = J(0),   dF/dy' = (J(c) - J(0)) / c,
 *
 * and with c = 2^100 no figure of dF/dy' is lost beside dF/dy, while entries without y' give an
 * exact zero. A is equilibrated: B = R A C with R and C diagonal, largest entry of each row and
 * column about 1, so that the pivots of B tell a singular from an ill-scaled system.
 */
#ifndef LIB_DAE_START_PRIV_H
#define LIB_DAE_START_PRIV_H

#include "lib/dae_priv.h"

#include <klu.h>

/* Reciprocal condition estimate below which the start system counts as singular. */
#define HA__SINGULAR_RCOND 1e-14

/* The start system; zero-initialised is empty. */
typedef struct ha__start_matrix {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;            /* scratch of the callbacks, borrowed */
    int64_t n_entries;       /* of the pattern */
    SuiteSparse_long *start; /* (n + 1) */
    SuiteSparse_long *row;   /* (n_entries) */
    double *by_y;            /* (n_entries) dF/dy */
    double *by_yp;           /* (n_entries) dF/dy' */
    double *values;          /* (n_entries) A, equilibrated in place to B */
    double *row_scale;       /* (n) R */
    double *column_scale;    /* (n) C */
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
    bool is_analysed;
    double rcond; /* when the pivots were chosen */
} ha__start_matrix;

/* Copies the pattern and allocates. */
HA_MUST_CHECK ha_status ha__start_matrix_init(ha__start_matrix *matrix, ha_ctx *ctx,
                                              const ha_dae *dae, double *work);

/* Frees what was allocated. */
void ha__start_matrix_clear(ha__start_matrix *matrix);

/* Evaluates by_y, by_yp and A (values); the first entry that is not finite, -1 when all are. */
int64_t ha__start_matrix_evaluate(ha__start_matrix *matrix, double t, const double *y,
                                  const double *yp);

/* Replaces A by B and fills the scales. */
void ha__start_matrix_equilibrate(ha__start_matrix *matrix);

/* Factors B; `*rcond` is the reciprocal condition estimate, 0 when a pivot is zero. */
HA_MUST_CHECK ha_status ha__start_matrix_factor(ha__start_matrix *matrix, double *rcond);

/* dae_singular.c: adds the HA_ERR_SINGULAR diagnostic of a system whose `matrix` was equilibrated
   at this point and found singular; returns its status or HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status ha__report_singular(ha__start_matrix *matrix, double t, const double *y,
                                            const double *yp, double rcond);

#endif
