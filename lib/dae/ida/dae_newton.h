/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton's method for systems with multipliers, as IDA calls it. Not installed. */
#ifndef LIB_DAE_NEWTON_H
#define LIB_DAE_NEWTON_H

#include "lib/context.h"

#include <stdbool.h>
#include <sundials/sundials_nonlinearsolver.h>

/*
 * What is done with each solution before IDA tests its error: y = predicted + correction; whoever
 * moves y changes the correction. Returns 0, or less than 0 to stop the run.
 */
typedef int (*ha__newton_finish)(void *user, N_Vector predicted, N_Vector correction,
                                 N_Vector weights);

/*
 * Makes the solver; NULL without memory. `mask` is 1 for the unknowns that are measured, 0 for the
 * others; borrowed, as is `user`. With `is_retried` what does not converge is tried again with more
 * matrices. `finish` may be NULL.
 */
SUNNonlinearSolver ha__newton_new(ha_ctx *ctx, SUNContext context, N_Vector mask, bool is_retried,
                                  ha__newton_finish finish, void *user);

#endif
