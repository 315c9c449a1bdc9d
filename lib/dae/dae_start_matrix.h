/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of the start system and its factors, shared by all that solve it. Not installed. */
#ifndef LIB_DAE_START_MATRIX_H
#define LIB_DAE_START_MATRIX_H

#include "lib/dae/dae_priv.h"
#include "lib/linalg/lu_klu.h"

/* Reciprocal condition estimate below which the start system counts as singular. */
#define HA__SINGULAR_RCOND 1e-14

/* The start system; zero-initialised is empty. */
typedef struct ha__start_matrix {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;      /* scratch of the callbacks, borrowed */
    int64_t n_entries; /* of the pattern */
    ha__klu_pattern pattern;
    double *by_y;         /* (n_entries) dF/dy */
    double *by_yp;        /* (n_entries) dF/dy' */
    double *values;       /* (n_entries) A, equilibrated in place to B */
    double *row_scale;    /* (n) R */
    double *column_scale; /* (n) C */
    double *largest;      /* (n) room */
    bool has_sizes;       /* sizes are taken out first; its owner sets it */
    ha__klu *klu;         /* factors of B */
} ha__start_matrix;

/* Copies the pattern and allocates. */
HA_MUST_CHECK ha_status ha__start_matrix_init(ha__start_matrix *matrix, ha_ctx *ctx,
                                              const ha_dae *dae, double *work);

/* Frees what was allocated. */
void ha__start_matrix_clear(ha__start_matrix *matrix);

/* Evaluates by_y, by_yp and A (values); the first entry that is not finite, -1 when all are. */
int64_t ha__start_matrix_evaluate(ha__start_matrix *matrix, double t, const double *y,
                                  const double *yp);

/* What a mass weighs beside those of other velocities, whose units may be others: its kinetic
   energy where the velocity is the size of the unknown. */
double ha__weight_of_mass(const ha_dae *dae, int unknown, double mass);

/* Replaces A by B and fills the scales. */
void ha__start_matrix_equilibrate(ha__start_matrix *matrix);

/* Factors B; `*rcond` is the reciprocal condition estimate, 0 when a pivot is zero. */
HA_MUST_CHECK ha_status ha__start_matrix_factor(ha__start_matrix *matrix, double *rcond);

/* x = A^-1 x (n) by the factors of B, which there must be. */
void ha__start_matrix_solve(ha__start_matrix *matrix, double *x);

/* dae_singular.c: adds the HA_ERR_SINGULAR diagnostic of a system whose `matrix` was equilibrated
   at this point and found singular; returns its status or HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status ha__report_singular(ha__start_matrix *matrix, double t, const double *y,
                                            const double *yp, double rcond);

#endif
