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
 * The only file besides dae_newton.c that includes SUNDIALS. Written for 6.4; what differs in 7 is in the first section.
 */
#include <config.h>

#include "lib/dae.h"

#include "lib/context_priv.h"
#include "lib/dae_newton.h"
#include "lib/dae_priv.h"
#include "lib/mem.h"
#include "lib/versions.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MESSAGE_SIZE = 256,  /* of IDA's own messages */
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

/* What a run needs; freed with run_clear(). */
typedef struct run {
    ha_ctx *ctx;
    const ha_dae *dae;
    const ha_dae_options *options;
    ha_dae_stats *stats;
    double *work; /* scratch of the callbacks */
    ha__recorder recorder;
    ha__sides sides;
    int *found;       /* (n_switches) by IDA's root finder, which sees no clocks */
    int *watched;     /* (n_watched) the switching functions that it sees */
    int n_watched;
    double next_stop; /* time of the next event of a clock, or t_end */

    SUNContext sundials;
    void *ida;
    N_Vector y; /* the caller's arrays */
    N_Vector yp;
    N_Vector y_in; /* inside a step, and scratch of the failure report */
    N_Vector yp_in;
    N_Vector mask; /* 1 for unknowns in the error test */
    N_Vector tolerance;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    SUNNonlinearSolver newton; /* NULL: IDA's own */
    char message[MESSAGE_SIZE]; /* IDA's last message */

    int64_t bad_equation; /* that was last not finite, -1: none */
    double bad_value;
    double bad_time;
    double *bad_y; /* (n) where it was not finite */
    double *bad_yp;
} run;

/* ---- what depends on the version of SUNDIALS ---- */

#ifndef SUN_COMM_NULL
#define SUN_COMM_NULL NULL /* before 7 the communicator is a pointer */
#endif

static void keep_message(run *r, const char *message)
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

static int collect_messages(run *r)
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

static int collect_messages(run *r)
{
    return IDASetErrHandlerFn(r->ida, on_message, r);
}

#endif

/* ---- callbacks ---- */

/* Notes an equation that is not finite, for the report should the run fail of it. */
static void note_not_finite(run *r, int64_t equation, double value, double t, const double *y,
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
    run *r = user;
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
    run *r = user;
    const ha_dae *dae = r->dae;
    const double *y = NV_DATA_S(y_vector);
    const double *yp = NV_DATA_S(yp_vector);
    double *values = SM_DATA_S(matrix);

    (void) r_vector, (void) a, (void) b, (void) c;
    dae->jacobian(dae->model, r->work, t, cj, y, yp, values);
    int64_t bad = ha__first_not_finite(values, dae->column_start[dae->n]);
    if (bad >= 0) {
        note_not_finite(r, dae->row[bad], values[bad], t, y, yp);
        return 1;
    }
    return 0;
}

static int switching(sunrealtype t, N_Vector y_vector, N_Vector yp_vector, sunrealtype *values,
                     void *user)
{
    run *r = user;

    r->dae->switching(r->dae->model, r->work, t, NV_DATA_S(y_vector), NV_DATA_S(yp_vector),
                      r->sides.g);
    for (int i = 0; i < r->n_watched; i++) {
        values[i] = r->sides.g[r->watched[i]];
    }
    return ha__first_not_finite(values, r->n_watched) >= 0 ? 1 : 0;
}

/* IDA zeroes the matrix, its pattern included, before each Jacobian; ours is overwritten whole. */
static int keep_pattern(SUNMatrix matrix)
{
    (void) matrix;
    return 0;
}

/* The solution inside the step just taken. */
static void dense(void *user, double t, double *y, double *yp)
{
    run *r = user;

    (void) y; /* the arrays are those of y_in and yp_in */
    IDAGetDky(r->ida, t, 0, r->y_in);
    if (yp != NULL) {
        IDAGetDky(r->ida, t, 1, r->yp_in);
    }
}

/* ---- set-up ---- */

static ha_status out_of_memory(const run *r)
{
    ha__ctx_out_of_memory(r->ctx);
    return HA_ERR_MEMORY;
}

/* HA_OK for IDA_SUCCESS, else a failure of a call that can only fail for lack of memory or of us.
 */
static ha_status from_ida(const run *r, int flag)
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

/* The weighted root mean square of the entries whose mask is 1 (0 elsewhere): without the branch in
   SUNDIALS' own function, which takes a tenth of the time of a run. */
static sunrealtype masked_norm(N_Vector x_vector, N_Vector weight_vector, N_Vector mask_vector)
{
    const double *x = NV_DATA_S(x_vector);
    const double *weight = NV_DATA_S(weight_vector);
    const double *mask = NV_DATA_S(mask_vector);
    sunindextype n = NV_LENGTH_S(x_vector);
    double sum[4] = { 0.0, 0.0, 0.0, 0.0 };

    for (sunindextype i = 0; i < n; i++) {
        double term = x[i] * weight[i] * mask[i];
        sum[i % 4] += term * term;
    }
    return sqrt((sum[0] + sum[1] + sum[2] + sum[3]) / (double) n);
}

static ha_status make_vectors(run *r, double *y, double *yp)
{
    sunindextype n = r->dae->n;

    if (SUNContext_Create(SUN_COMM_NULL, &r->sundials) != 0) {
        return out_of_memory(r);
    }
    r->y = N_VMake_Serial(n, y, r->sundials);
    r->yp = N_VMake_Serial(n, yp, r->sundials);
    r->y_in = N_VNew_Serial(n, r->sundials);
    r->yp_in = N_VNew_Serial(n, r->sundials);
    r->mask = N_VNew_Serial(n, r->sundials);
    r->tolerance = N_VNew_Serial(n, r->sundials);
    if (r->y == NULL || r->yp == NULL || r->y_in == NULL || r->yp_in == NULL || r->mask == NULL ||
        r->tolerance == NULL) {
        return out_of_memory(r);
    }
    r->y->ops->nvwrmsnormmask = masked_norm; /* IDA's vectors are clones */
    return HA_OK;
}

/* The error test: tolerances, and which unknowns are in. */
static ha_status set_error_test(run *r)
{
    const ha_dae *dae = r->dae;
    double *tolerance = NV_DATA_S(r->tolerance);
    double *mask = NV_DATA_S(r->mask);
    bool is_scaled = false;
    bool has_differential = false;
    bool is_masked = false;

    for (int j = 0; j < dae->n; j++) {
        has_differential = has_differential || dae->unknowns[j].kind == HA_DIFFERENTIAL;
    }
    for (int j = 0; j < dae->n; j++) {
        tolerance[j] = r->options->atol * dae->unknowns[j].scale;
        is_scaled = is_scaled || dae->unknowns[j].scale != 1.0;
        bool is_out = dae->unknowns[j].kind == HA_ALGEBRAIC && has_differential;
        mask[j] = is_out ? 0.0 : 1.0;
        is_masked = is_masked || is_out;
    }
    HA_TRY(from_ida(r, is_scaled ? IDASVtolerances(r->ida, r->options->rtol, r->tolerance)
                                 : IDASStolerances(r->ida, r->options->rtol, r->options->atol)));
    HA_TRY(from_ida(r, IDASetId(r->ida, r->mask)));
    return from_ida(r, IDASetSuppressAlg(r->ida, is_masked));
}

static ha_status set_linear_solver(run *r)
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
    r->solver = SUNLinSol_KLU(r->y, r->matrix, r->sundials);
    if (r->solver == NULL) {
        return out_of_memory(r);
    }
    HA_TRY(from_ida(r, IDASetLinearSolver(r->ida, r->solver, r->matrix)));
    return from_ida(r, IDASetJacFn(r->ida, jacobian));
}

/* The next step ends at the next event of a clock, or at the end of the run. */
static ha_status set_stop(run *r)
{
    r->next_stop = ha__sides_next(&r->sides, r->stats->t_reached, r->options->t_end);
    return from_ida(r, IDASetStopTime(r->ida, r->next_stop));
}

/* Unknowns out of the error test call for a Newton's method that does without them too. */
static ha_status set_newton(run *r)
{
    if (N_VMin(r->mask) > 0.0) {
        return HA_OK;
    }
    r->newton = ha__newton_new(r->ctx, r->sundials, r->mask, NULL, r);
    if (r->newton == NULL) {
        return out_of_memory(r);
    }
    return from_ida(r, IDASetNonlinearSolver(r->ida, r->newton));
}

static ha_status make_integrator(run *r)
{
    const ha_dae_options *options = r->options;

    r->ida = IDACreate(r->sundials);
    if (r->ida == NULL) {
        return out_of_memory(r);
    }
    HA_TRY(from_ida(r, collect_messages(r)));
    HA_TRY(from_ida(r, IDAInit(r->ida, residual, 0.0, r->y, r->yp)));
    HA_TRY(from_ida(r, IDASetUserData(r->ida, r)));
    HA_TRY(set_error_test(r));
    HA_TRY(set_newton(r));
    HA_TRY(set_linear_solver(r));
    HA_TRY(from_ida(r, IDASetNonlinConvCoef(r->ida, NEWTON_SHARE)));
    HA_TRY(from_ida(r, IDASetMaxOrd(r->ida, (int) options->max_order)));
    HA_TRY(from_ida(r, IDASetMaxStep(r->ida, options->max_step)));
    HA_TRY(from_ida(r, IDASetMaxNumSteps(r->ida, -1))); /* counted here, over the run */
    HA_TRY(from_ida(r, IDASetMaxErrTestFails(r->ida, MAX_REPEATS)));
    if (r->n_watched > 0) {
        HA_TRY(from_ida(r, IDARootInit(r->ida, r->n_watched, switching)));
        HA_TRY(from_ida(r, IDASetNoInactiveRootWarn(r->ida)));
    }
    return set_stop(r);
}

static void run_clear(run *r)
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
    N_VDestroy(r->tolerance);
    if (r->sundials != NULL) {
        SUNContext_Free(&r->sundials);
    }
    ha__record_clear(&r->recorder);
    ha__sides_clear(&r->sides);
    ha__free(r->found);
    ha__free(r->watched);
    ha__free(r->work);
    ha__free(r->bad_y);
    ha__free(r->bad_yp);
}

/* Adds IDA's counts since its last start to those before. */
static void add_counts(const run *r)
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

/* ---- failures ---- */

/* Adds the tested unknown with the largest local error in units of its tolerance. */
static void add_largest_error(const run *r, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    const double *error = NV_DATA_S(r->y_in);
    const double *weight = NV_DATA_S(r->yp_in);
    const double *mask = NV_DATA_S(r->mask);
    int64_t worst = 0;
    double largest = -1.0;

    if (IDAGetEstLocalErrors(r->ida, r->y_in) != IDA_SUCCESS ||
        IDAGetErrWeights(r->ida, r->yp_in) != IDA_SUCCESS) {
        return;
    }
    for (int j = 0; j < r->dae->n; j++) {
        double size = fabs(error[j]) * weight[j];
        if (mask[j] > 0.0 && size > largest) {
            largest = size;
            worst = j;
        }
    }
    if (largest < 1e-3) {
        return; /* the error is not what stopped it */
    }
    ha__strbuf_addf(text, "; the largest local error is in `%s`, %s times its tolerance",
                    r->dae->unknowns[worst].name, ha__dae_number(number, largest));
}

/* Adds the equation with the largest residual, measured by what a change of its unknowns within
   their tolerances would do. */
static void add_largest_residual(run *r, ha__strbuf *text)
{
    const ha_dae *dae = r->dae;
    double *value = NV_DATA_S(r->y_in);
    double *weight = NV_DATA_S(r->yp_in);
    double *change = NV_DATA_S(r->tolerance);
    const double *entry = SM_DATA_S(r->matrix);
    N_Vector y = NULL;
    N_Vector yp = NULL;
    double t = 0.0;
    int64_t worst = -1;

    if (IDAGetCurrentY(r->ida, &y) != IDA_SUCCESS || IDAGetCurrentYp(r->ida, &yp) != IDA_SUCCESS ||
        IDAGetErrWeights(r->ida, r->yp_in) != IDA_SUCCESS ||
        IDAGetCurrentTime(r->ida, &t) != IDA_SUCCESS) {
        return;
    }
    dae->residual(dae->model, r->work, t, NV_DATA_S(y), NV_DATA_S(yp), value);
    memset(change, 0, (size_t) dae->n * sizeof(double));
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            change[dae->row[k]] += fabs(entry[k]) / weight[j];
        }
    }
    for (int i = 0; i < dae->n; i++) {
        if (worst < 0 || fabs(value[i]) * change[worst] > fabs(value[worst]) * change[i]) {
            worst = i;
        }
    }
    ha__strbuf_addf(text, "; the largest residual is in the equation `%s`", dae->equations[worst]);
}

/* Adds which equation could not be evaluated, and where, if that was tried since the last accepted
   step; true when it was. */
static bool add_not_finite(const run *r, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    char time[HA__NUMBER_SIZE];

    if (r->bad_equation < 0 || r->bad_time < r->stats->t_reached) {
        return false;
    }
    ha__strbuf_addf(text, "; the equation `%s` or a derivative of it was %s at t = %s s with ",
                    r->dae->equations[r->bad_equation], ha__dae_number(number, r->bad_value),
                    ha__dae_number(time, r->bad_time));
    ha__dae_add_values(text, r->dae, r->bad_equation, r->bad_y, r->bad_yp);
    return true;
}

/* Adds a remark when the equations are nearly singular where the run stopped. */
static ha_status add_condition(run *r, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    ha__strbuf names = HA_STRBUF(r->ctx);
    double rcond = 1.0;
    ha_status status = ha__dae_condition(r->ctx, r->dae, r->work, r->stats->t_reached,
                                         NV_DATA_S(r->y), NV_DATA_S(r->yp), &rcond, &names);

    if (status == HA_OK && names.length > 0) {
        ha__strbuf_addf(text,
                        "; the equations are nearly singular there (reciprocal condition %s): %s",
                        ha__dae_number(number, rcond), ha__strbuf_text(&names));
    }
    ha__strbuf_clear(&names);
    return status;
}

/* What to say about a failure of IDA. */
typedef struct failure {
    int flag;
    const char *reason;
    const char *advice;
    bool is_error_test; /* name the unknown with the largest error, else the equation */
} failure;

static const char STOPS_SHORT[] = "near this time look for a jump, a division by zero or a "
                                  "singular position";

static const failure failures[] = {
    { IDA_TOO_MUCH_ACC, "the tolerances are tighter than double precision can resolve",
      "loosen rtol and atol", true },
    { IDA_ERR_FAIL, "the error test failed again and again, even with very short steps",
      "loosen rtol and atol; for a constraint that drifts change alpha and beta", true },
    { IDA_CONV_FAIL, "Newton's method does not converge, even with very short steps",
      "change alpha and beta where there are constraints, or tighten rtol and atol", false },
    { IDA_NLS_FAIL, "Newton's method does not converge", "tighten rtol and atol", false },
    { IDA_LSETUP_FAIL, "the Jacobian is singular",
      "change alpha and beta where there are constraints, or start elsewhere", false },
    { IDA_LSOLVE_FAIL, "the linear equations cannot be solved", "start elsewhere", false },
    { IDA_REP_RES_ERR, "the equations cannot be evaluated, even with very short steps",
      "keep the unknowns in the range of the functions they enter", false },
    { IDA_FIRST_RES_FAIL, "the equations cannot be evaluated",
      "keep the unknowns in the range of the functions they enter", false },
};

static ha_status fail_stopped(run *r, int flag)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];
    char step[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(r->ctx);
    failure f = { flag, r->message, "change rtol and atol", true };
    double h = 0.0;

    if (flag == IDA_MEM_FAIL) {
        return out_of_memory(r);
    }
    for (size_t i = 0; i < HA_COUNT(failures); i++) {
        f = failures[i].flag == flag ? failures[i] : f;
    }
    IDAGetCurrentStep(r->ida, &h);
    ha__strbuf_addf(&text,
                    "the solver stopped at t = %s s of %s s after %ld steps, the step down "
                    "to %s s: %s",
                    ha__dae_number(time, r->stats->t_reached),
                    ha__dae_number(end, r->options->t_end), r->stats->steps,
                    ha__dae_number(step, h), f.reason);
    bool is_told = add_not_finite(r, &text);
    if (!is_told && f.is_error_test) {
        add_largest_error(r, &text);
    } else if (!is_told) {
        add_largest_residual(r, &text);
    }
    ha_status status = add_condition(r, &text);
    ha__strbuf_addf(&text, "; %s; %s", STOPS_SHORT, f.advice);
    status = status == HA_OK ? text.status : status;
    if (status == HA_OK) {
        status = ha_fail(r->ctx, HA_ERR_SOLVER, HA_NOWHERE, "%s", ha__strbuf_text(&text));
    }
    ha__strbuf_clear(&text);
    return status;
}

static ha_status fail_at_limit(run *r, const char *reason, const char *advice)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];
    char step[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(r->ctx);
    double h = 0.0;

    IDAGetLastStep(r->ida, &h);
    if (!add_not_finite(r, &text)) {
        add_largest_error(r, &text);
    }
    ha_status status = add_condition(r, &text);
    status = status == HA_OK ? text.status : status;
    if (status == HA_OK) {
        status = ha_fail(r->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the solver stopped at t = %s s of %s s after %ld steps, the last of %s "
                         "s: %s%s; %s",
                         ha__dae_number(time, r->stats->t_reached),
                         ha__dae_number(end, r->options->t_end), r->stats->steps,
                         ha__dae_number(step, h), reason, ha__strbuf_text(&text), advice);
    }
    ha__strbuf_clear(&text);
    return status;
}

static ha_status fail_interrupted(run *r)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];

    return ha_fail(r->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE,
                   "interrupted at t = %s s of %s s; the %zu rows up to there are kept",
                   ha__dae_number(time, r->stats->t_reached),
                   ha__dae_number(end, r->options->t_end), ha_result_n_rows(r->recorder.result));
}

/* ---- the loop ---- */

/* True when a switching function leaves its side inside the step from t0 to *t1 and comes back,
   which the root finder cannot see: the step then ends where it leaves. */
static bool ends_inside(run *r, double t0, double *t1)
{
    enum { LOOKS = 4, HALVINGS = 50 };
    double *y = NV_DATA_S(r->y_in), *yp = NV_DATA_S(r->yp_in), on = t0, off = t0;

    for (int i = 1; i < LOOKS && off == t0; i++) {
        double t = t0 + (*t1 - t0) * i / LOOKS;
        dense(r, t, y, yp);
        *(ha__sides_are_off(&r->sides, t, y, yp) ? &off : &on) = t;
    }
    if (off == t0) {
        return false;
    }
    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double t = 0.5 * (on + off);
        dense(r, t, y, yp);
        *(ha__sides_are_off(&r->sides, t, y, yp) ? &off : &on) = t;
    }
    dense(r, off, y, yp);
    N_VScale(1.0, r->y_in, r->y);
    N_VScale(1.0, r->yp_in, r->yp);
    *t1 = off;
    return true;
}

/* What IDA's root finder has seen. */
static ha_status read_roots(run *r)
{
    HA_TRY(from_ida(r, IDAGetRootInfo(r->ida, r->found)));
    /* spread over all switching functions, from the end, as the numbers only grow */
    for (int k = r->dae->n_switches - 1, i = r->n_watched - 1; k >= 0; k--) {
        r->found[k] = i >= 0 && r->watched[i] == k ? r->found[i--] : 0;
    }
    return HA_OK;
}

/* After a step: switches where an event was, and begins anew there. */
static ha_status handle_event(run *r, bool is_root, bool *is_event)
{
    double t = r->stats->t_reached, *y = NV_DATA_S(r->y), *yp = NV_DATA_S(r->yp);

    if (r->dae->n_switches == 0) {
        return HA_OK;
    }
    if (is_root) {
        HA_TRY(read_roots(r));
    }
    HA_TRY(ha__sides_step(&r->sides, is_root ? r->found : NULL, t, r->options->t_end, y, yp,
                          r->stats, is_event));
    if (*is_event) {
        add_counts(r);
        ha__record_resume(&r->recorder, t, y, yp);
        HA_TRY(from_ida(r, IDAReInit(r->ida, t, r->y, r->yp)));
    }
    return *is_event || t >= r->next_stop ? set_stop(r) : HA_OK;
}

static ha_status integrate(run *r)
{
    const double t_end = r->options->t_end;
    double next_report = 0.0;
    int standstill = 0;

    while (r->stats->t_reached < t_end) {
        double t0 = r->stats->t_reached;
        double t1 = t0;
        if (ha_ctx_is_interrupted(r->ctx)) {
            return fail_interrupted(r);
        }
        if (r->stats->steps >= r->options->max_steps) {
            return fail_at_limit(r, "the allowed number of steps is used up",
                                 "allow more (max-steps) or loosen rtol and atol");
        }
        int flag = IDASolve(r->ida, t_end, &t1, r->y, r->yp, IDA_ONE_STEP);
        if (flag < 0) {
            return fail_stopped(r, flag);
        }
        bool is_inside = r->n_watched > 0 && ends_inside(r, t0, &t1);
        r->stats->steps++;
        r->stats->t_reached = t1;
        HA_TRY(ha__record_step(&r->recorder, t0, t1, NV_DATA_S(r->y), NV_DATA_S(r->yp), dense, r,
                               NV_DATA_S(r->y_in), NV_DATA_S(r->yp_in)));
        bool is_event = false;
        if (t1 < t_end) {
            HA_TRY(handle_event(r, flag == IDA_ROOT_RETURN && !is_inside, &is_event));
        }
        standstill = t1 - t0 <= 4.0 * DBL_EPSILON * t1 && !is_event ? standstill + 1 : 0;
        if (standstill > MAX_STANDSTILL && t1 < t_end) {
            return fail_at_limit(r, "the steps have become too short to advance the time",
                                 "there the solution grows beyond all bounds, jumps, or "
                                 "passes a singular position");
        }
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

/* Lists the switching functions that are no clocks. */
static ha_status list_watched(run *r)
{
    HA_TRY_ALLOC(r->ctx, r->found, r->dae->n_switches);
    HA_TRY_ALLOC(r->ctx, r->watched, r->dae->n_switches);
    for (int k = 0; k < r->dae->n_switches; k++) {
        if (r->dae->is_clock[k] == 0) {
            r->watched[r->n_watched++] = k;
        }
    }
    return HA_OK;
}

static ha_status run_with_unknowns(run *r, double *y, double *yp)
{
    HA_TRY_ALLOC(r->ctx, r->bad_y, r->dae->n);
    HA_TRY_ALLOC(r->ctx, r->bad_yp, r->dae->n);
    r->bad_equation = -1;
    HA_TRY(list_watched(r));
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
    run r = { .ctx = ctx, .dae = dae, .options = options };

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
    add_counts(&r);
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
