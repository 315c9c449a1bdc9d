/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linear systems of Newton's method in IDA.
 *
 * The row of a position q is q' = a sum of velocities and others: its pivot cj is good, and no
 * other position is in it. So positions need no solver, and KLU (lu.c) gets a matrix that is a
 * third smaller for a mechanism.
 *
 * Most matrices do with pivots that were chosen once, by KLU in the first matrix, in an order that
 * is fast (lu_fixed.c). Where such a solution is not as good as it can be, near singular positions,
 * that matrix goes to KLU, which looks for pivots; and so do the next ones, twice as many each time
 * in a row up to 2^OFTEN. When it has come to that the pivots of KLU are taken over, a few times in
 * a run.
 */
#include <config.h>

#include "lib/dae/ida/dae_linear.h"

#include "lib/core/mem.h"
#include "lib/linalg/lu.h"
#include "lib/linalg/lu_fixed.h"

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum {
    MOST_CHOICES = 4, /* of fixed pivots in a run */
    OFTEN = 6         /* failures in a row; more are counted as so many */
};

typedef struct {
    ha_ctx *ctx;
    const ha_dae *dae;
    ha__lu *lu;
    ha__lu_fixed *fixed; /* NULL: none yet, or it does not pay */
    bool is_fixed;       /* it is for the last matrix, */
    bool is_new;         /* which it has not factored yet */
    int n_choices;       /* so often was it made */
    int n_failed;        /* matrices in a row that it was not good for */
    int n_waits;         /* matrices until it is tried again */
} linear;

/* Positions whose row holds a diagonal entry and no other position. */
static void choose_positions(const ha_dae *dae, signed char *eliminated)
{
    for (int j = 0; j < dae->n; j++) {
        eliminated[j] = dae->unknowns[j].motion == HA_POSITION;
    }
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int i = (int) dae->row[k];
            if (i != j && eliminated[j] != 0 && eliminated[i] != 0) {
                eliminated[i] = 0; /* another position in its row: it stays */
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

/* Makes a solver with the pivots of the matrix that was factored last. */
static ha_status choose_pivots(linear *l)
{
    int n = l->dae->n, *p = ha__alloc(l->ctx, 2 * (size_t) n, sizeof *p);

    HA_TRY_MEMORY(p);
    ha__lu_fixed_free(l->fixed);
    l->fixed = NULL;
    l->n_choices++;
    ha__lu_pivots(l->lu, p, p + n);
    return ha__then_free(
        ha__lu_fixed_new(l->ctx, n, l->dae->column_start, l->dae->row, p, p + n, &l->fixed), p);
}

/* The solver with fixed pivots was not good enough. */
static void note_failure(linear *l)
{
    l->is_fixed = false;
    l->n_failed += l->n_failed < OFTEN ? 1 : 0;
    l->n_waits = 1 << l->n_failed;
}

/* Has KLU factor a matrix; takes its pivots over where that is due, for the matrices to come. */
static ha__lu_flag factor(linear *l, const double *a)
{
    ha__lu_flag flag = ha__lu_factor(l->lu, a);
    bool is_due = l->n_choices == 0 || l->n_failed == OFTEN;

    if (flag == HA__LU_DONE && is_due && l->n_choices < MOST_CHOICES) {
        l->n_failed = l->n_waits = 0;
        if (choose_pivots(l) != HA_OK) {
            return HA__LU_FAILED;
        }
    }
    return flag;
}

static int setup(SUNLinearSolver solver, SUNMatrix matrix)
{
    linear *l = solver->content;
    const double *a = SM_DATA_S(matrix);

    l->is_fixed = l->is_new = l->fixed != NULL && l->n_waits == 0;
    if (l->is_fixed) {
        return SUNLS_SUCCESS; /* it is factored when there is something to solve */
    }
    l->n_waits -= l->n_waits > 0 ? 1 : 0;
    return flag_of(factor(l, a));
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x_vector, N_Vector b_vector,
                 sunrealtype tolerance)
{
    linear *l = solver->content;
    const double *a = SM_DATA_S(matrix), *b = NV_DATA_S(b_vector);
    double *x = NV_DATA_S(x_vector);

    (void) tolerance; /* it is a direct solver */
    if (l->is_fixed) {
        bool is_good = l->is_new ? ha__lu_fixed_factor(l->fixed, a, b, x)
                                 : ha__lu_fixed_solve(l->fixed, a, b, x);
        l->is_new = false;
        if (is_good) {
            l->n_failed = 0;
            return SUNLS_SUCCESS;
        }
        note_failure(l);
        ha__lu_flag flag = factor(l, a);
        if (flag != HA__LU_DONE) {
            return flag_of(flag);
        }
    }
    return flag_of(ha__lu_solve(l->lu, a, b, x));
}

static int destroy(SUNLinearSolver solver)
{
    linear *l = solver->content;

    if (l != NULL) {
        ha__lu_free(l->lu);
        ha__lu_fixed_free(l->fixed);
        ha__free(l);
    }
    solver->content = NULL;
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

/* Sets what KLU needs. */
static ha_status init(linear *l)
{
    signed char *eliminated = ha__alloc(l->ctx, (size_t) l->dae->n, sizeof *eliminated);

    HA_TRY_MEMORY(eliminated);
    choose_positions(l->dae, eliminated);
    return ha__then_free(
        ha__lu_new(l->ctx, l->dae->n, l->dae->column_start, l->dae->row, eliminated, &l->lu),
        eliminated);
}

SUNLinearSolver ha__linear_new(ha_ctx *ctx, SUNContext context, const ha_dae *dae)
{
    linear *l = ha__alloc(ctx, 1, sizeof *l);
    SUNLinearSolver solver = l == NULL ? NULL : SUNLinSolNewEmpty(context);

    if (solver == NULL) {
        ha__free(l);
        return NULL;
    }
    *l = (linear){ .ctx = ctx, .dae = dae };
    solver->content = l;
    solver->ops->gettype = get_type;
    solver->ops->initialize = initialize;
    solver->ops->setup = setup;
    solver->ops->solve = solve;
    solver->ops->free = destroy;
    if (init(l) != HA_OK) {
        destroy(solver);
        return NULL;
    }
    return solver;
}
