/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linear systems of Newton's method in IDA, for lib/lu.c.
 *
 * The row of a place q is q' = a sum of speeds and others, so that its pivot cj is good and no other
 * place stands in it: places need no solver, and KLU gets a matrix that is a third smaller for a
 * mechanism.
 */
#include <config.h>

#include "lib/dae_linear.h"

#include "lib/lu.h"
#include "lib/mem.h"

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* Places whose row holds a diagonal entry and no other place. */
static void choose_places(const ha_dae *dae, signed char *eliminated)
{
    for (int j = 0; j < dae->n; j++) {
        eliminated[j] = dae->motions != NULL && dae->motions[j] == HA_PLACE;
    }
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int i = (int) dae->row[k];
            if (i != j && eliminated[j] != 0 && eliminated[i] != 0) {
                eliminated[i] = 0; /* another place in its row: it stays */
            }
        }
    }
}

/* What SUNDIALS calls it. */
static int flag_of(ha__lu_flag flag)
{
    switch (flag) {
    case HA__LU_DONE:
    case HA__LU_POOR: /* the error test will tell */
        return SUNLS_SUCCESS;
    case HA__LU_SINGULAR:
        return SUNLS_LUFACT_FAIL;
    case HA__LU_FAILED:
        break;
    }
    return SUNLS_PACKAGE_FAIL_UNREC;
}

static SUNLinearSolver_Type get_type(SUNLinearSolver solver)
{
    (void) solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int initialize(SUNLinearSolver solver)
{
    (void) solver;
    return SUNLS_SUCCESS;
}

static int setup(SUNLinearSolver solver, SUNMatrix matrix)
{
    return flag_of(ha__lu_factor(solver->content, SM_DATA_S(matrix)));
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 sunrealtype tolerance)
{
    (void) tolerance; /* it is a direct solver */
    return flag_of(ha__lu_solve(solver->content, SM_DATA_S(matrix), NV_DATA_S(b), NV_DATA_S(x)));
}

static int destroy(SUNLinearSolver solver)
{
    ha__lu_free(solver->content);
    solver->content = NULL;
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

SUNLinearSolver ha__linear_new(ha_ctx *ctx, SUNContext context, const ha_dae *dae)
{
    signed char *eliminated = ha__alloc(ctx, (size_t) dae->n, sizeof *eliminated);
    SUNLinearSolver solver = eliminated == NULL ? NULL : SUNLinSolNewEmpty(context);
    ha__lu *lu = NULL;

    if (solver != NULL) {
        choose_places(dae, eliminated);
        solver->ops->gettype = get_type;
        solver->ops->initialize = initialize;
        solver->ops->setup = setup;
        solver->ops->solve = solve;
        solver->ops->free = destroy;
        if (ha__lu_new(ctx, dae->n, dae->column_start, dae->row, eliminated, &lu) != HA_OK) {
            SUNLinSolFreeEmpty(solver);
            solver = NULL;
        }
    }
    if (solver != NULL) {
        solver->content = lu;
    }
    ha__free(eliminated);
    return solver;
}
