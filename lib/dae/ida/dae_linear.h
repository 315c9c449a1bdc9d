/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear solver of a run. Not installed. */
#ifndef LIB_DAE_LINEAR_H
#define LIB_DAE_LINEAR_H

#include "lib/dae.h"

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

/* Makes the solver of a system for matrices of its pattern (SUNMATRIX_SPARSE, compressed columns);
   NULL when there is no memory. To be freed with SUNLinSolFree(). */
SUNLinearSolver ha__linear_new(ha_ctx *ctx, SUNContext context, const ha_dae *dae);

#endif
