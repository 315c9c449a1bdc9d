/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver: integrates F(t, y, y') = 0 with the variable-order BDF method of IDA and KLU.
 *
 * The exact Jacobian dF/dy + cj dF/dy' is written straight into a sparse matrix whose pattern is
 * copied once. Unknowns out of the error test are masked by IDA's "suppress algebraic" switch,
 * whose only other use, IDACalcIC, is not needed (see dae_start.c). IDA returns after every step,
 * so that rows, quadratures, watched quantities, interrupts and limits are handled here; with a
 * stop time the last step ends exactly at t_end.
 *
 * With dae_linear.c, dae_newton.c and dae_vector.c the only file that includes SUNDIALS. Written for
 * 6.4; what differs in 7 is in the first section.
 */
#include <config.h>

#include "lib/dae_ida.h"

#include "lib/context_priv.h"
#include "lib/dae_linear.h"
#include "lib/dae_newton.h"
#include "lib/dae_vector.h"
#include "lib/mem.h"
#include "lib/versions.h"

#include <sundials/sundials_version.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MAX_STANDSTILL = 50, /* steps in a row that do not advance the time */
    MAX_REPEATS = 50     /* of one step: the first, guessed from the end time, may be far too long */
};

static const double REPORT_EVERY = 1e-3; /* share of the run between two reports of progress */

/*
 * Newton's method ends when what is left is this share of the tolerance (IDA's default is 0.33).
 * IDA estimates it with the rate of convergence of an older step; where the Jacobian has aged since,
 * one iteration is accepted too early, and the error, divided by the step, goes into derivatives and
 * multipliers, which no error test sees. In a mechanism whose motion is prescribed nothing damps it:
 * it grows from step to step. With this share it stays small, for few more Jacobians and no more
 * iterations.
 */
static const double NEWTON_SHARE = 1e-2;


/* ---- what depends on the version of SUNDIALS ---- */

#ifndef SUN_COMM_NULL
#define SUN_COMM_NULL NULL /* before 7 the communicator is a pointer */
#endif

static void keep_message(ha__run *r, const char *message)
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

static int collect_messages(ha__run *r)
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

static int collect_messages(ha__run *r)
{
    return IDASetErrHandlerFn(r->ida, on_message, r);
}

#endif

/* ---- callbacks ---- */

/* Notes an equation that is not finite, for the report should the run fail of it. */
static void note_not_finite(ha__run *r, int64_t equation, double value, double t, const double *y,
                            const double *yp)
{
    size_t bytes = (size_t) r->dae->n * sizeof(double);

    r->bad_equation = equation;
    r->bad_value = value;
    r->bad_time = t;
    memcpy(r->bad_y, y, bytes);
    memcpy(r->bad_yp, yp, bytes);
}

static int residual(sunrealtype t, N_Vector y_vector, N_Vector yp_vector, N_Vector r_vector,
                    void *user)
{
    ha__run *r = user;
    const ha_dae *dae = r->dae;
    const double *y = NV_DATA_S(y_vector);
    const double *yp = NV_DATA_S(yp_vector);
    double *value = NV_DATA_S(r_vector);

    dae->residual(dae->model, r->work, t, y, yp, value);
    int64_t bad = ha__first_not_finite(value, dae->n);
    if (bad >= 0) {
        note_not_finite(r, bad, value[bad], t, y, yp);
        return 1; /* recoverable: IDA takes a shorter step */
    }
    return 0;
}

static int jacobian(sunrealtype t, sunrealtype cj, N_Vector y_vector, N_Vector yp_vector,
                    N_Vector r_vector, SUNMatrix matrix, void *user, N_Vector a, N_Vector b,
                    N_Vector c)
{
    ha__run *r = user;
    const ha_dae *dae = r->dae;
    const double *y = NV_DATA_S(y_vector);
    const double *yp = NV_DATA_S(yp_vector);
    double *values = SM_DATA_S(matrix);

    (void) r_vector, (void) a, (void) b, (void) c;
    r->cj = cj;
    dae->jacobian(dae->model, r->work, t, cj, y, yp, values);
    int64_t bad = ha__first_not_finite(values, dae->column_start[dae->n]);
    if (bad >= 0) {
        note_not_finite(r, dae->row[bad], values[bad], t, y, yp);
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

void ha__run_dense(void *user, double t, double *y, double *yp)
{
    ha__run *r = user;

    (void) y; /* the arrays are those of y_in and yp_in */
    IDAGetDky(r->ida, t, 0, r->y_in);
    if (yp != NULL) {
        IDAGetDky(r->ida, t, 1, r->yp_in);
    }
}

/* ---- set-up ---- */

static ha_status out_of_memory(const ha__run *r)
{
    ha__ctx_out_of_memory(r->ctx);
    return HA_ERR_MEMORY;
}

/* HA_OK for IDA_SUCCESS, else a failure of a call that can only fail for lack of memory or of us.
 */
ha_status ha__from_ida(const ha__run *r, int flag)
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

static ha_status make_vectors(ha__run *r, double *y, double *yp)
{
    sunindextype n = r->dae->n;

    if (SUNContext_Create(SUN_COMM_NULL, &r->sundials) != 0) {
        return out_of_memory(r);
    }
    r->y = ha__vector_tune(N_VMake_Serial(n, y, r->sundials));
    r->yp = ha__vector_tune(N_VMake_Serial(n, yp, r->sundials));
    r->y_in = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->yp_in = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->mask = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->change = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    r->scratch = ha__vector_tune(N_VNew_Serial(n, r->sundials));
    if (r->y == NULL || r->yp == NULL || r->y_in == NULL || r->yp_in == NULL || r->mask == NULL ||
        r->change == NULL || r->scratch == NULL) {
        return out_of_memory(r);
    }
    return HA_OK;
}

/* Which unknowns are in the error test. */
static ha_status set_mask(ha__run *r)
{
    const ha_dae *dae = r->dae;
    double *mask = NV_DATA_S(r->mask);
    bool has_differential = false;
    bool is_masked = false;

    for (int j = 0; j < dae->n; j++) {
        has_differential = has_differential || dae->unknowns[j].kind == HA_DIFFERENTIAL;
    }
    for (int j = 0; j < dae->n; j++) {
        bool is_out = dae->unknowns[j].kind == HA_ALGEBRAIC && has_differential;
        mask[j] = is_out ? 0.0 : 1.0;
        is_masked = is_masked || is_out;
    }
    HA_TRY(ha__from_ida(r, IDASetId(r->ida, r->mask)));
    return ha__from_ida(r, IDASetSuppressAlg(r->ida, is_masked));
}

static ha_status set_linear_solver(ha__run *r)
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

/* Unknowns out of the error test call for a Newton's method that does without them too. */
static ha_status set_newton(ha__run *r)
{
    if (N_VMin(r->mask) > 0.0) {
        return HA_OK;
    }
    HA_TRY(ha__projector_new(r->ctx, r->dae, r->work, &r->projector));
    if (r->projector != NULL) {
        HA_TRY_ALLOC(r->ctx, r->y_good, r->dae->n);
        HA_TRY_ALLOC(r->ctx, r->yp_good, r->dae->n);
        HA_TRY(ha__hopper_init(&r->hopper, r->ctx, r->dae, r->projector, r->recorder.refiner));
        r->hopper.t_end = r->options->t_end;
    }
    r->projects = r->projector != NULL && r->options->projection == HA_PROJECTION_STEPS;
    r->newton = ha__newton_new(r->ctx, r->sundials, r->mask, ha__run_finish, r);
    if (r->newton == NULL) {
        return out_of_memory(r);
    }
    return ha__from_ida(r, IDASetNonlinearSolver(r->ida, r->newton));
}

static ha_status make_integrator(ha__run *r)
{
    const ha_dae_options *options = r->options;

    r->ida = IDACreate(r->sundials);
    if (r->ida == NULL) {
        return out_of_memory(r);
    }
    HA_TRY(ha__from_ida(r, collect_messages(r)));
    HA_TRY(ha__from_ida(r, IDAInit(r->ida, residual, 0.0, r->y, r->yp)));
    HA_TRY(ha__from_ida(r, IDASetUserData(r->ida, r)));
    HA_TRY(ha__from_ida(r, IDAWFtolerances(r->ida, ha__run_weigh)));
    HA_TRY(set_mask(r));
    HA_TRY(set_newton(r));
    HA_TRY(set_linear_solver(r));
    HA_TRY(ha__from_ida(r, IDASetNonlinConvCoef(r->ida, NEWTON_SHARE)));
    HA_TRY(ha__from_ida(r, IDASetMaxOrd(r->ida, (int) options->max_order)));
    HA_TRY(ha__from_ida(r, IDASetMaxStep(r->ida, options->max_step)));
    HA_TRY(ha__from_ida(r, IDASetMaxNumSteps(r->ida, -1))); /* counted here, over the run */
    HA_TRY(ha__from_ida(r, IDASetMaxErrTestFails(r->ida, MAX_REPEATS)));
    HA_TRY(ha__run_watch_switches(r));
    return ha__run_set_stop(r);
}

static void run_clear(ha__run *r)
{
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
    N_VDestroy(r->change);
    N_VDestroy(r->scratch);
    if (r->sundials != NULL) {
        SUNContext_Free(&r->sundials);
    }
    ha__record_clear(&r->recorder);
    ha__sides_clear(&r->sides);
    ha__free(r->found);
    ha__free(r->watched);
    ha__free(r->y_good);
    ha__free(r->yp_good);
    ha__hopper_clear(&r->hopper);
    ha__projector_free(r->projector);
    ha__free(r->work);
    ha__free(r->bad_y);
    ha__free(r->bad_yp);
}

/* Adds IDA's counts to those of the start. */
void ha__run_count(const ha__run *r)
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

/* ---- the loop ---- */

static ha_status fail_interrupted(ha__run *r)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];

    return ha_fail(r->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE,
                   "interrupted at t = %s s of %s s; the result ends there, after %zu rows",
                   ha__dae_number(time, r->stats->t_reached),
                   ha__dae_number(end, r->options->t_end), ha_result_n_rows(r->recorder.result));
}

/* One step with IDA from *t0 to *t1, with another try where it gives up; none when that reaches the
   end itself. */
static ha_status step(ha__run *r, double *t0, double *t1, bool *is_root)
{
    bool goes_on = true;

    for (;;) {
        *t0 = *t1 = r->stats->t_reached;
        if (*t0 >= r->options->t_end) {
            return HA_OK;
        }
        int flag = IDASolve(r->ida, r->options->t_end, t1, r->y, r->yp, IDA_ONE_STEP);
        HA_TRY(r->finish_status);
        *is_root = flag == IDA_ROOT_RETURN;
        if (flag >= 0) {
            return HA_OK;
        }
        goes_on = false;
        if (flag != IDA_MEM_FAIL) {
            HA_TRY(ha__run_recover(r, &goes_on));
        }
        if (!goes_on) {
            return ha__run_fail(r, flag);
        }
    }
}

static ha_status integrate(ha__run *r)
{
    const double t_end = r->options->t_end;
    double next_report = 0.0;
    int standstill = 0;

    while (r->stats->t_reached < t_end) {
        double t0 = 0.0, t1 = 0.0;
        bool is_root = false;
        if (ha_ctx_is_interrupted(r->ctx)) {
            return fail_interrupted(r);
        }
        if (r->stats->steps >= r->options->max_steps) {
            return ha__run_fail_at_limit(r, "the allowed number of steps is used up",
                                 "allow more (max-steps) or loosen rtol and atol");
        }
        HA_TRY(step(r, &t0, &t1, &is_root));
        if (t0 >= t_end) {
            break;
        }
        bool is_inside = ha__run_ends_inside(r, t0, &t1);
        r->stats->steps++;
        r->stats->t_reached = t1;
        HA_TRY(ha__record_step(&r->recorder, t0, t1, NV_DATA_S(r->y), NV_DATA_S(r->yp), ha__run_dense,
                               r,
                               NV_DATA_S(r->y_in), NV_DATA_S(r->yp_in)));
        bool is_event = false;
        if (t1 < t_end) {
            HA_TRY(ha__run_handle_event(r, is_root && !is_inside, &is_event));
        }
        standstill = t1 - t0 <= 4.0 * DBL_EPSILON * t1 && !is_event ? standstill + 1 : 0;
        if (standstill > MAX_STANDSTILL && t1 < t_end) {
            return ha__run_fail_at_limit(r, "the steps have become too short to advance the time",
                                 "there the solution grows beyond all bounds, jumps, or "
                                 "passes a singular position");
        }
        HA_TRY(ha__run_watch(r, t1 - t0));
        if (t1 >= next_report) {
            ha_ctx_report_progress(r->ctx, t1 / t_end);
            next_report = t1 + REPORT_EVERY * t_end;
        }
    }
    ha_ctx_report_progress(r->ctx, 1.0);
    return HA_OK;
}

static ha_status check_system(ha_ctx *ctx, const ha_dae *dae)
{
    char number[HA__NUMBER_SIZE];

    for (int j = 0; j < dae->n; j++) {
        double scale = dae->unknowns[j].scale;
        if (!(scale > 0.0) || !isfinite(scale)) {
            return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "the scale of the unknown `%s` is %s; it must be positive",
                           dae->unknowns[j].name, ha__dae_number(number, scale));
        }
    }
    return HA_OK;
}

static ha_status run_with_unknowns(ha__run *r, double *y, double *yp)
{
    HA_TRY_ALLOC(r->ctx, r->bad_y, r->dae->n);
    HA_TRY_ALLOC(r->ctx, r->bad_yp, r->dae->n);
    r->bad_equation = -1;
    r->reach = 2.0;
    HA_TRY(ha__run_list_switches(r));
    HA_TRY(ha__sides_init(&r->sides, r->ctx, r->dae, r->work));
    HA_TRY(ha__sides_start(&r->sides, 0.0, y, yp, r->stats));
    HA_TRY(ha__record_start(&r->recorder, y, yp));
    if (r->options->t_end == 0.0) {
        return HA_OK;
    }
    HA_TRY(make_vectors(r, y, yp));
    HA_TRY(make_integrator(r));
    return integrate(r);
}

static double now(void)
{
    struct timespec time = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

ha_status ha_dae_run(ha_ctx *ctx, const ha_dae *dae, const ha_dae_options *options,
                     const double *parameters, double *y, double *yp, ha_result *result,
                     double *extremes, ha_dae_stats *stats)
{
    ha_dae_stats unwanted;
    ha__run r = { .ctx = ctx, .dae = dae, .options = options };

    r.stats = stats != NULL ? stats : &unwanted;
    *r.stats = (ha_dae_stats){ 0 };
    HA_TRY(ha__dae_options_check(ctx, options));
    HA_TRY(check_system(ctx, dae));

    HA_TRY_ALLOC(ctx, r.work, dae->work_size);
    dae->prepare(dae->model, parameters, r.work);
    ha_status status = ha__record_init(&r.recorder, ctx, dae, options, r.work, result, extremes);
    double begin = now();
    if (status == HA_OK) {
        status = dae->n > 0 ? run_with_unknowns(&r, y, yp)
                            : ha__dae_run_formulas(&r.recorder, options, r.stats);
    }
    ha__run_count(&r);
    r.stats->seconds = now() - begin;
    run_clear(&r);
    return status;
}

void ha__sundials_version(char *text, size_t size)
{
    if (SUNDIALSGetVersion(text, (int) size) != 0) {
        snprintf(text, size, "?");
    }
}
