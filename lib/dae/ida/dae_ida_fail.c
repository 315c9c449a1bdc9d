/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a run with IDA stopped, in the words of the model: the time, the step, the unknown or the
 * equation that stands in the way, what is nearly singular there, and what was tried.
 */
#include <config.h>

#include "lib/dae/ida/dae_ida.h"

#include "lib/core/context_priv.h"

#include <math.h>
#include <string.h>

/* Adds the tested unknown with the largest local error in units of its tolerance. */
static void add_largest_error(const ha__ida *r, ha__strbuf *text)
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
static void add_largest_residual(ha__ida *r, ha__strbuf *text)
{
    const ha_dae *dae = r->dae;
    double *value = NV_DATA_S(r->y_in);
    double *weight = NV_DATA_S(r->yp_in);
    double *change = NV_DATA_S(r->change);
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

/* Adds what was tried on the way. */
static void add_attempts(const ha__ida *r, ha__strbuf *text)
{
    char time[HA__NUMBER_SIZE];
    char number[HA__NUMBER_SIZE];

    if (r->pass.projects && r->options->projection == HA_PROJECTION_AUTO) {
        ha__strbuf_addf(text,
                        "; from t = %s s on drift from the constraints was taken back after each "
                        "step",
                        ha__dae_number(time, r->stats->t_projects));
    }
    if (r->stats->relaxed > 0.0) {
        ha__strbuf_addf(text, "; round-off made the tolerances up to %s times as large",
                        ha__dae_number(number, r->stats->relaxed));
    }
    if (r->stats->t_reached < r->pass.t_vain) {
        ha__strbuf_addf(text, "; explicit steps, which %s, do not lead further",
                        r->stats->hops > 0 ? "led on before" : "pass singular positions");
    }
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

/* A first step of 0 is what IDA calls an end that lies behind the start. */
static const failure TOO_FAST = { IDA_ILL_INPUT,
                                  "a rate is so large that no first step is short enough",
                                  "look for a value or a unit that is wrong by powers of ten",
                                  true };

ha_status ha__ida_fail(ha__ida *r, int flag)
{
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];
    char step[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(r->ctx), head = HA_STRBUF(r->ctx);
    failure f = { flag, r->message, "change rtol and atol", true };
    double h = 0.0;

    if (flag == IDA_MEM_FAIL) {
        ha__ctx_out_of_memory(r->ctx);
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < HA_COUNT(failures); i++) {
        f = failures[i].flag == flag ? failures[i] : f;
    }
    IDAGetCurrentStep(r->ida, &h);
    f = h == 0.0 && flag == IDA_ILL_INPUT ? TOO_FAST : f;
    ha__strbuf_addf(&text,
                    "the solver stopped at t = %s s of %s s after %ld steps, the step down "
                    "to %s s: %s",
                    ha__dae_number(time, r->stats->t_reached),
                    ha__dae_number(end, r->options->t_end), r->stats->steps,
                    ha__dae_number(step, h), f.reason);
    bool is_told = ha__run_add_not_finite(r->run, &text);
    if (!is_told && f.is_error_test) {
        add_largest_error(r, &text);
    } else if (!is_told) {
        add_largest_residual(r, &text);
    }
    ha_status status = ha__run_add_place(r->run, &head, &text);
    add_attempts(r, &text);
    ha__strbuf_addf(&text, "; %s; %s", STOPS_SHORT, f.advice);
    HA_THEN(status, text.status);
    HA_THEN(status, ha_fail(r->ctx, HA_ERR_SOLVER, HA_NOWHERE, "%s%s", ha__strbuf_text(&head),
                            ha__strbuf_text(&text)));
    ha__strbuf_clear(&head);
    return ha__strbuf_drop(&text, status);
}

ha_status ha__ida_stop(ha__run *run, const char *reason, const char *advice)
{
    ha__ida *r = run->state;
    char time[HA__NUMBER_SIZE];
    char end[HA__NUMBER_SIZE];
    char step[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(r->ctx), head = HA_STRBUF(r->ctx);
    double h = 0.0;

    IDAGetLastStep(r->ida, &h);
    if (!ha__run_add_not_finite(r->run, &text)) {
        add_largest_error(r, &text);
    }
    ha_status status = ha__run_add_place(r->run, &head, &text);
    add_attempts(r, &text);
    HA_THEN(status, text.status);
    if (status == HA_OK) {
        status = ha_fail(r->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "%sthe solver stopped at t = %s s of %s s after %ld steps, the last of %s "
                         "s: %s%s; %s",
                         ha__strbuf_text(&head), ha__dae_number(time, r->stats->t_reached),
                         ha__dae_number(end, r->options->t_end), r->stats->steps,
                         ha__dae_number(step, h), reason, ha__strbuf_text(&text), advice);
    }
    ha__strbuf_clear(&head);
    return ha__strbuf_drop(&text, status);
}
