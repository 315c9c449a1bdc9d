/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A method for all systems: integrates F(t, y, y') = 0 with the variable-order BDF method of IDA
 * and KLU.
 *
 * The exact Jacobian dF/dy + cj dF/dy' is written straight into a sparse matrix whose pattern is
 * copied once. Unknowns out of the error test are masked by IDA's "suppress algebraic" switch,
 * whose only other use, IDACalcIC, is not needed (see dae_start.c). IDA returns after every step
 * (dae_run.c); with a stop time the last step ends exactly at t_end.
 *
 * With dae_linear.c, dae_newton.c and dae_vector.c the only file that includes SUNDIALS. Written
 * for
 * 6.4; what differs in 7 is in the first section.
 */
#include <config.h>

#include "lib/dae/ida/dae_ida.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/versions.h"
#include "lib/dae/ida/dae_linear.h"
#include "lib/dae/ida/dae_newton.h"
#include "lib/dae/ida/dae_vector.h"

#include <sundials/sundials_version.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_REPEATS = 50 /* of one step: the first, guessed from the end time, may be far too long */
};

/*
 * Newton's method ends when what is left is this share of the tolerance (IDA's default is 0.33).
 * IDA estimates it with the rate of convergence of an older step; where the Jacobian has aged
 * since, one iteration is accepted too early, and the error, divided by the step, goes into
 * derivatives and multipliers, which no error test sees. In a mechanism whose motion is prescribed
 * nothing damps it: it grows from step to step. With this share it stays small, for few more
 * Jacobians and no more iterations.
 */
static const double NEWTON_SHARE = 1e-2;

/* ---- what depends on the version of SUNDIALS ---- */

#ifndef SUN_COMM_NULL
#define SUN_COMM_NULL NULL /* before 7 the communicator is a pointer */
#endif

static void keep_message(ha__ida *r, const char *message)
{
    snprintf(r->message, sizeof r->message, "%s", message == NULL ? "" : message);
}

#if SUNDIALS_VERSION_MAJOR >= 7

static void on_message(int line, const char *function, const char *file, const char *message,
                       SUNErrCode code, void *user, SUNContext context)
{
    (void) line, (void) function, (void) file, (void) code, (void) context;
    keep_message(user, message);
}

static int collect_messages(ha__ida *r)
{
    SUNContext_ClearErrHandlers(r->sundials);
    return SUNContext_PushErrHandler(r->sundials, on_message, r) == 0 ? IDA_SUCCESS : IDA_MEM_FAIL;
}

#else

static void on_message(int code, const char *module, const char *function, char *message,
                       void *user)
{
    (void) code, (void) module, (void) function;
    keep_message(user, message);
}

static int collect_messages(ha__ida *r)
{
    return IDASetErrHandlerFn(r->ida, on_message, r);
}

#endif

/* ---- callbacks ---- */

static int residual(sunrealtype t, N_Vector y_vector, N_Vector yp_vector, N_Vector r_vector,
                    void *user)
{
    ha__ida *r = user;
    const ha_dae *dae = r->dae;
    const double *y = NV_DATA_S(y_vector);
    const double *yp = NV_DATA_S(yp_vector);
    double *value = NV_DATA_S(r_vector);

    dae->residual(dae->model, r->work, t, y, yp, value);
    int64_t bad = ha__first_not_finite(value, dae->n);
    if (bad >= 0) {
        ha__run_note_not_finite(r->run, bad, value[bad], t, y, yp);
        return 1; /* recoverable: IDA takes a shorter step */
    }
    return 0;
}

static int jacobian(sunrealtype t, sunrealtype cj, N_Vector y_vector, N_Vector yp_vector,
                    N_Vector r_vector, SUNMatrix matrix, void *user, N_Vector a, N_Vector b,
                    N_Vector c)
{
    ha__ida *r = user;
    const ha_dae *dae = r->dae;
    const double *y = NV_DATA_S(y_vector);
    const double *yp = NV_DATA_S(yp_vector);
    double *values = SM_DATA_S(matrix);

    (void) r_vector, (void) b, (void) c;
    r->cj = cj;
    dae->jacobian(dae->model, r->work, t, cj, y, yp, values);
    int64_t bad = ha__first_not_finite(values, dae->column_start[dae->n]);
    if (bad >= 0) { /* a law may be upright at this point alone */
        ha__move_aside(dae, y, NV_DATA_S(a));
        dae->jacobian(dae->model, r->work, t, cj, NV_DATA_S(a), yp, values);
        bad = ha__first_not_finite(values, dae->column_start[dae->n]);
    }
    if (bad >= 0) {
        ha__run_note_not_finite(r->run, dae->row[bad], values[bad], t, y, yp);
        return 1;
    }
    return 0;
}

/* IDA zeroes the matrix, its pattern included, before each Jacobian; ours is overwritten whole. */
static int keep_pattern(SUNMatrix matrix)
{
    (void) matrix;
    return 0;
}

static void dense(void *user, double t, double *y, double *yp)
{
    ha__run *run = user;
    ha__ida *r = run->state;

    (void) y; /* the arrays are those of y_in and yp_in */
    int flag = IDAGetDky(r->ida, t, 0, r->y_in);
    if (flag == IDA_SUCCESS && yp != NULL) {
        flag = IDAGetDky(r->ida, t, 1, r->yp_in);
    }
    if (flag != IDA_SUCCESS) { /* the end of the step says so */
        N_VConst((double) NAN, r->y_in);
        N_VConst((double) NAN, r->yp_in);
        r->dense_flag = r->dense_flag == 0 ? flag : r->dense_flag;
    }
}

/* What IDA interpolates with, by its derivatives at the end of the step, where u is 0. */
static int unfold(ha__run *run, double *out, double *base, double *h)
{
    ha__ida *r = run->state;
    const ha_dae *dae = run->dae;
    const int n = dae->n_switch_inputs;
    double factor = 1.0; /* h^k / k! */
    int degree = -1;

    if (IDAGetLastOrder(r->ida, &degree) != IDA_SUCCESS ||
        IDAGetCurrentTime(r->ida, base) != IDA_SUCCESS) {
        return -1;
    }
    *h = *base - run->stats->t_reached;
    memset(out, 0, (size_t) n * (HA__MOST_DEGREE + 1) * sizeof *out);
    for (int k = 0; k <= degree; factor *= *h / ++k) {
        if (IDAGetDky(r->ida, *base, k, r->y_in) != IDA_SUCCESS) {
            return -1;
        }
        for (int i = 0; i < n; i++) {
            int j = dae->switch_inputs[i];
            if (j < dae->n) {
                out[k * n + i] = factor * run->y_in[j];
            } else if (k > 0) { /* h^(k-1) / (k-1)! of a derivative */
                out[(k - 1) * n + i] = factor * k / *h * run->y_in[j - dae->n];
            }
        }
    }
    return degree;
}

/* ---- set-up ---- */

static ha_status out_of_memory(const ha__ida *r)
{
    ha__ctx_out_of_memory(r->ctx);
    return HA_ERR_MEMORY;
}

/* HA_OK for IDA_SUCCESS, else a failure of a call that can only fail for lack of memory or of us.
 */
ha_status ha__from_ida(const ha__ida *r, int flag)
{
    if (flag == IDA_SUCCESS) {
        return HA_OK;
    }
    if (flag == IDA_MEM_FAIL) {
        return out_of_memory(r);
    }
    return ha_fail(r->ctx, HA_ERR_INTERNAL, HA_NOWHERE, "IDA refused its set-up (%d): %s", flag,
                   r->message);
}

static ha_status make_vectors(ha__ida *r)
{
    sunindextype n = r->dae->n;

    if (SUNContext_Create(SUN_COMM_NULL, &r->sundials) != 0) {
        return out_of_memory(r);
    }
    r->y = ha__vector_tune(N_VMake_Serial(n, r->run->y, r->sundials));
    r->yp = ha__vector_tune(N_VMake_Serial(n, r->run->yp, r->sundials));
    r->y_in = ha__vector_tune(N_VMake_Serial(n, r->run->y_in, r->sundials));
    r->yp_in = ha__vector_tune(N_VMake_Serial(n, r->run->yp_in, r->sundials));
    r->mask = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->solved = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->sizes = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->tightness = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->change = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->scratch = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    if (r->y == NULL || r->yp == NULL || r->y_in == NULL || r->yp_in == NULL || r->mask == NULL ||
        r->solved == NULL || r->sizes == NULL || r->tightness == NULL || r->change == NULL ||
        r->scratch == NULL) {
        return out_of_memory(r);
    }
    return HA_OK;
}

/* Which unknowns are in the error test, and in which Newton's method has to converge. */
static ha_status set_mask(ha__ida *r)
{
    const ha_dae *dae = r->dae;
    double *mask = NV_DATA_S(r->mask), *solved = NV_DATA_S(r->solved);
    bool has_differential = false;
    bool is_masked = false;

    for (int j = 0; j < dae->n; j++) {
        has_differential = has_differential || dae->unknowns[j].kind == HA_DIFFERENTIAL;
    }
    for (int j = 0; j < dae->n; j++) {
        ha_unknown_kind kind = dae->unknowns[j].kind;
        bool is_share = dae->is_switched != NULL && dae->is_switched[j] != 0; /* linear, too */
        bool is_linear = (kind == HA_ALGEBRAIC || is_share) && has_differential;
        bool is_out = is_linear || (kind == HA_ALGEBRAIC_NONLINEAR && has_differential);
        mask[j] = is_out ? 0.0 : 1.0;
        solved[j] = is_linear ? 0.0 : 1.0;
        is_masked = is_masked || is_out;
    }
    HA_TRY(ha__from_ida(r, IDASetId(r->ida, r->mask)));
    return ha__from_ida(r, IDASetSuppressAlg(r->ida, is_masked));
}

static ha_status set_linear_solver(ha__ida *r)
{
    const ha_dae *dae = r->dae;
    int64_t n_entries = dae->column_start[dae->n];

    r->matrix = SUNSparseMatrix(dae->n, dae->n, n_entries, CSC_MAT, r->sundials);
    if (r->matrix == NULL) {
        return out_of_memory(r);
    }
    for (int j = 0; j <= dae->n; j++) {
        SM_INDEXPTRS_S(r->matrix)[j] = dae->column_start[j];
    }
    for (int64_t k = 0; k < n_entries; k++) {
        SM_INDEXVALS_S(r->matrix)[k] = dae->row[k];
    }
    r->matrix->ops->zero = keep_pattern;
    r->solver = ha__linear_new(r->ctx, r->sundials, r->dae);
    if (r->solver == NULL) {
        return out_of_memory(r);
    }
    HA_TRY(ha__from_ida(r, IDASetLinearSolver(r->ida, r->solver, r->matrix)));
    return ha__from_ida(r, IDASetJacFn(r->ida, jacobian));
}

/* Unknowns out of the error test call for a Newton's method that does without them too; where
   derivatives are read in other equations it must leave little behind, and where these are not
   linear in them it must not hang on the predicted values. */
static ha_status set_newton(ha__ida *r)
{
    const ha_dae *dae = r->dae;

    if (N_VMin(r->mask) > 0.0 && dae->shares_rates == 0 && dae->bends_rates == 0) {
        return HA_OK;
    }
    HA_TRY(ha__pass_init(&r->pass, r->run, false));
    const bool is_bent = dae->bends_rates != 0 || dae->is_switched != NULL;
    r->newton = ha__newton_new(r->ctx, r->sundials, r->solved, is_bent, ha__ida_finish, r);
    if (r->newton == NULL) {
        return out_of_memory(r);
    }
    return ha__from_ida(r, IDASetNonlinearSolver(r->ida, r->newton));
}

static ha_status make_integrator(ha__ida *r)
{
    const ha_dae_options *options = r->options;

    r->ida = IDACreate(r->sundials);
    if (r->ida == NULL) {
        return out_of_memory(r);
    }
    HA_TRY(ha__from_ida(r, collect_messages(r)));
    HA_TRY(ha__from_ida(r, IDAInit(r->ida, residual, r->stats->t_reached, r->y, r->yp)));
    HA_TRY(ha__from_ida(r, IDASetUserData(r->ida, r)));
    HA_TRY(ha__from_ida(r, IDAWFtolerances(r->ida, ha__ida_weigh)));
    HA_TRY(set_mask(r));
    HA_TRY(set_newton(r));
    HA_TRY(set_linear_solver(r));
    HA_TRY(ha__from_ida(r, IDASetNonlinConvCoef(r->ida, NEWTON_SHARE)));
    HA_TRY(ha__from_ida(r, IDASetMaxOrd(r->ida, (int) options->max_order)));
    HA_TRY(ha__from_ida(r, IDASetMaxStep(r->ida, options->max_step)));
    HA_TRY(ha__from_ida(r, IDASetMaxNumSteps(r->ida, -1))); /* counted here, over the run */
    return ha__from_ida(r, IDASetMaxErrTestFails(r->ida, MAX_REPEATS));
}

static void close_ida(ha__run *run)
{
    ha__ida *r = run->state;

    if (r == NULL) {
        return;
    }
    IDAFree(&r->ida);
    if (r->newton != NULL) {
        SUNNonlinSolFree(r->newton);
    }
    if (r->solver != NULL) {
        SUNLinSolFree(r->solver);
    }
    if (r->matrix != NULL) {
        SUNMatDestroy(r->matrix);
    }
    N_VDestroy(r->y);
    N_VDestroy(r->yp);
    N_VDestroy(r->y_in);
    N_VDestroy(r->yp_in);
    N_VDestroy(r->mask);
    N_VDestroy(r->solved);
    N_VDestroy(r->sizes);
    N_VDestroy(r->tightness);
    N_VDestroy(r->change);
    N_VDestroy(r->scratch);
    if (r->sundials != NULL) {
        SUNContext_Free(&r->sundials);
    }
    ha__pass_clear(&r->pass);
    ha__free(r);
    run->state = NULL;
}

/* Adds IDA's counts to those of the start. */
void ha__ida_count(const ha__ida *r)
{
    ha_dae_stats *stats = r->stats;
    long count = 0;

    if (r->ida == NULL || IDAGetNumResEvals(r->ida, &count) != IDA_SUCCESS) {
        return;
    }
    stats->residual_evaluations += count;
    if (IDAGetNumJacEvals(r->ida, &count) == IDA_SUCCESS) {
        stats->jacobian_evaluations += count;
    }
    if (IDAGetNumNonlinSolvIters(r->ida, &count) == IDA_SUCCESS) {
        stats->newton_iterations += count;
    }
    if (IDAGetNumErrTestFails(r->ida, &count) == IDA_SUCCESS) {
        stats->error_test_failures += count;
    }
    if (IDAGetNumStepSolveFails(r->ida, &count) == IDA_SUCCESS) {
        stats->convergence_failures += count;
    }
    IDAGetLastStep(r->ida, &stats->last_step);
    IDAGetLastOrder(r->ida, &stats->last_order);
}

/* ---- the method ---- */

static ha_status open_ida(ha__run *run)
{
    ha__ida *r = ha__alloc(run->ctx, 1, sizeof *r);

    HA_TRY_MEMORY(r);
    *r = (ha__ida){ .run = run,
                    .ctx = run->ctx,
                    .dae = run->dae,
                    .options = run->options,
                    .stats = run->stats,
                    .work = run->work,
                    .n_grown = -1 };
    run->state = r;
    run->recorder.n_nodes = 0;
    run->recorder.settle = NULL;
    HA_TRY(make_vectors(r));
    return make_integrator(r);
}

static ha_status restart(ha__run *run)
{
    ha__ida *r = run->state;

    ha__ida_count(r);
    ha__pass_settle(&r->pass);
    return ha__from_ida(r, IDAReInit(r->ida, run->stats->t_reached, r->y, r->yp));
}

static ha_status set_stop(ha__run *run)
{
    const ha__ida *r = run->state;

    return ha__from_ida(r, IDASetStopTime(r->ida, run->next_stop));
}

/* IDA begins with a thousandth of what is left, or less. */
static ha_status plan(ha__run *run, double *h)
{
    const double first = 1e-3;
    const ha__ida *r = run->state;
    long n_steps = 0;

    HA_TRY(ha__from_ida(r, IDAGetNumSteps(r->ida, &n_steps)));
    *h = first * (run->options->t_end - run->stats->t_reached);
    return n_steps > 0 ? ha__from_ida(r, IDAGetCurrentStep(r->ida, h)) : HA_OK;
}

/* With another try where IDA gives up; without a step when that reaches the end itself. */
static ha_status step(ha__run *run, double *t0, double *t1)
{
    ha__ida *r = run->state;
    bool goes_on = true;

    for (;;) {
        *t0 = *t1 = r->stats->t_reached;
        if (*t0 >= r->options->t_end) {
            return HA_OK;
        }
        int flag = IDASolve(r->ida, r->options->t_end, t1, r->y, r->yp, IDA_ONE_STEP);
        HA_TRY(r->finish_status);
        if (flag >= 0) {
            return HA_OK;
        }
        goes_on = false;
        if (flag != IDA_MEM_FAIL) {
            HA_TRY(ha__ida_recover(r, &goes_on));
        }
        if (!goes_on) {
            return ha__ida_fail(r, flag);
        }
    }
}

static void count(const ha__run *run)
{
    if (run->state != NULL) {
        ha__ida_count(run->state);
    }
}

const ha__method ha__method_ida = {
    .name = "ida",
    .open = open_ida,
    .restart = restart,
    .set_stop = set_stop,
    .plan = plan,
    .step = step,
    .unfold = unfold,
    .unfolds_solved = true,
    .dense = dense,
    .watch = ha__ida_watch,
    .stop = ha__ida_stop,
    .count = count,
    .close = close_ida,
};

void ha__sundials_version(char *text, size_t size)
{
    if (SUNDIALSGetVersion(text, (int) size) != 0) {
        snprintf(text, size, "?");
    }
}
