/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a compiled model: start values, stabilisation, energy book, solver. */
#include <config.h>

#include "bondgraph/model_priv.h"

#include <math.h>
#include <string.h>

bg_run_options bg_run_options_default(void)
{
    return (bg_run_options){ .solver = ha_dae_options_default(), .alpha = (double) NAN,
                             .beta = (double) NAN };
}

/* What a run needs besides the model. */
typedef struct {
    double *y, *yp, *work, *extremes;
    double parameters[BG__PARAMETER_COUNT];
} scratch;

static void scratch_free(scratch *s)
{
    ha__free(s->y);
    ha__free(s->yp);
    ha__free(s->work);
    ha__free(s->extremes);
}

static ha_status scratch_new(ha_ctx *ctx, const bg_model *m, scratch *s)
{
    HA_TRY_ALLOC(ctx, s->y, m->dae.n);
    HA_TRY_ALLOC(ctx, s->yp, m->dae.n);
    HA_TRY_ALLOC(ctx, s->work, m->dae.work_size);
    HA_TRY_ALLOC(ctx, s->extremes, m->dae.n_checks);
    return HA_OK;
}

/* 10 / min(t_end, 1 s): a violation decays within a tenth of the run or of a second. */
static double default_alpha(double t_end)
{
    return t_end > 0.0 && t_end < 1.0 ? 10.0 / t_end : 10.0;
}

static ha_status check_stabilisation(ha_ctx *ctx, const char *name, double value)
{
    if (isfinite(value) && value >= 0.0) {
        return HA_OK;
    }
    return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                   "`%s` is %g; give a number of at least 0, about 10 divided by the time scale of "
                   "the motion in seconds",
                   name, value);
}

static void fill_report(const bg_model *m, const scratch *s, bg_run_report *report)
{
    int n = m->dae.n_checks - 1;

    report->energy_error = s->extremes[n];
    for (int i = 0; i < n; i++) {
        double *worst = m->is_position[i] ? &report->constraint_error : &report->velocity_error;
        *worst = fmax(*worst, s->extremes[i]);
    }
}

static ha_status run(ha_ctx *ctx, const bg_model *m, const bg_run_options *options, scratch *s,
                     ha_result *result, bg_run_report *report)
{
    double alpha = isnan(options->alpha) ? default_alpha(options->solver.t_end) : options->alpha;
    double beta = isnan(options->beta) ? alpha : options->beta;

    HA_TRY(check_stabilisation(ctx, "alpha", alpha));
    HA_TRY(check_stabilisation(ctx, "beta", beta));
    report->alpha = s->parameters[BG__PARAMETER_ALPHA] = alpha;
    report->beta = s->parameters[BG__PARAMETER_BETA] = beta;
    bg_model_start(m, s->y);
    if (options->start != NULL && m->dae.n > 0) {
        memcpy(s->y, options->start, (size_t) m->dae.n * sizeof *s->y);
    }

    /* the stored energy at the start may depend on what the consistent start finds */
    HA_TRY(ha_dae_start(ctx, &m->dae, s->parameters, 0.0, s->y, s->yp));
    m->dae.prepare(m, s->parameters, s->work);
    s->parameters[BG__PARAMETER_ENERGY] = bg__model_stored(m, s->work, s->y, s->yp);

    ha_status status = ha_dae_run(ctx, &m->dae, &options->solver, s->parameters, s->y, s->yp,
                                  result, s->extremes, &report->solver);
    fill_report(m, s, report);
    return status;
}

ha_status bg_model_run(ha_ctx *ctx, const bg_model *model, const bg_run_options *options,
                       ha_result *result, bg_run_report *report)
{
    scratch s = { 0 };
    bg_run_report found = { 0 };
    ha_status status = scratch_new(ctx, model, &s);

    if (status == HA_OK) {
        status = run(ctx, model, options, &s, result, &found);
    }
    scratch_free(&s);
    *report = found;
    return status;
}
