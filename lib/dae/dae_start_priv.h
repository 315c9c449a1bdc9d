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
 *
 * Largest entries alone let units decide: a hinge has entries of 1 for x and y and of lever arms
 * for the angle, which outweigh them in micrometres and vanish in kilometres. So where asked for,
 * places and speeds are first taken in units of their sizes s_j, and with E the heaviest m_j s_j^2
 * of the masses
 *
 *     c_j = s_j,  r_j = s_j / E   for a speed,      c_j = s_j,  r_j = 1 / s_j   for a place,
 *     r_i = 1 / max over such j of |a_ij| c_j       for a condition,
 *     c_k = 1 / max over such i of r_i |a_ik|       for a multiplier,
 *
 * and so on for what has entries with these. With lengths times L and masses times M all of this
 * makes the same B, and the same pivots, ranks and noise.
 */
#ifndef LIB_DAE_START_PRIV_H
#define LIB_DAE_START_PRIV_H

#include "lib/dae/dae_priv.h"

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
    double *largest;         /* (n) room */
    bool has_sizes;          /* sizes are taken out first; its owner sets it */
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

/* What a mass weighs beside those of other speeds, whose units may be others: its kinetic energy
   where the speed is the size of the unknown. */
double ha__weight_of_mass(const ha_dae *dae, int unknown, double mass);

/* Replaces A by B and fills the scales. */
void ha__start_matrix_equilibrate(ha__start_matrix *matrix);

/* Factors B; `*rcond` is the reciprocal condition estimate, 0 when a pivot is zero. */
HA_MUST_CHECK ha_status ha__start_matrix_factor(ha__start_matrix *matrix, double *rcond);

/* dae_singular.c: adds the HA_ERR_SINGULAR diagnostic of a system whose `matrix` was equilibrated
   at this point and found singular; returns its status or HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status ha__report_singular(ha__start_matrix *matrix, double t, const double *y,
                                            const double *yp, double rcond);

#endif
