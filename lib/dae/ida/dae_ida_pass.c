/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Singular positions in a run with IDA: what dae_pass.c needs to know of it, and what IDA has to be
 * told. Drift is taken back inside the solution of each step, so that IDA's history stays smooth; a
 * hop over a singular position ends with a start of IDA there.
 */
#include <config.h>

#include "lib/dae/ida/dae_ida.h"
#include "lib/dae/ida/dae_vector.h"

#include <math.h>
#include <string.h>

/* What the drift of the velocities amounts to, in units of what the error test allows: for the rows
   e of the conditions and the matrix A of the last step A z = cj f e gives velocities z with J z =
   f. */
static double weigh_drift(ha__ida *r)
{
    const ha_dae *dae = r->dae;
    const double *f = ha__drift(r->pass.projector, r->stats->t_reached, NV_DATA_S(r->y));
    double *right = NV_DATA_S(r->yp_in), *z = NV_DATA_S(r->y_in);
    const double *weight = NV_DATA_S(r->scratch);
    double sum = 0.0;

    N_VConst(0.0, r->yp_in);
    for (int i = 0; i < dae->n_conditions; i++) {
        right[dae->condition_row[i]] = f[i] * r->cj;
    }
    if (IDAGetErrWeights(r->ida, r->scratch) != IDA_SUCCESS ||
        SUNLinSolSolve(r->solver, r->matrix, r->y_in, r->yp_in, 0.0) != 0) {
        return 0.0;
    }
    for (int j = 0; j < dae->n; j++) {
        double term = dae->unknowns[j].motion == HA_VELOCITY ? z[j] * weight[j] : 0.0;
        sum += term * term;
    }
    return sqrt(sum / dae->n);
}

/* What the tolerances of the unknowns (ha__tolerance) take from them, in vectors. */
static void set_tolerances(ha__ida *r)
{
    const int n = r->first_tight = r->dae->n;

    for (int j = n - 1; j >= 0; j--) {
        const ha_dae_unknown *u = &r->dae->unknowns[j];
        NV_DATA_S(r->sizes)[j] = ha__usual_size(u);
        NV_DATA_S(r->tightness)[j] = u->tightness > 0.0 ? u->tightness : 1.0;
        r->first_tight = u->tightness > 1.0 ? j : r->first_tight;
    }
    r->n_grown = r->run->nominal.n_grown;
}

int ha__ida_weigh(N_Vector y_vector, N_Vector weights, void *user)
{
    ha__ida *r = user;
    const double *y = NV_DATA_S(y_vector);
    double *weight = NV_DATA_S(weights);
    const double relaxed = fmax(r->pass.relaxed, 1.0), share = r->run->share;
    const double rtol = share * r->options->rtol, atol = share * r->options->atol;

    if (r->n_grown != r->run->nominal.n_grown) {
        set_tolerances(r);
    }
    ha__vector_weigh(y_vector, r->sizes, r->tightness, relaxed, rtol, atol, weights);
    for (int j = r->first_tight; j < r->dae->n; j++) {
        if (r->dae->unknowns[j].tightness > 1.0) { /* no tighter than round-off */
            weight[j] = 1.0 / (relaxed * ha__tolerance(r->dae, j, rtol, atol, y[j]));
        }
    }
    return 0;
}

int ha__ida_finish(void *user, N_Vector predicted, N_Vector correction, N_Vector weights)
{
    ha__ida *r = user;
    double t = 0.0;

    (void) weights;
    if (!r->pass.projects) {
        return 0;
    }
    N_VLinearSum(1.0, predicted, 1.0, correction, r->scratch);
    IDAGetCurrentTime(r->ida, &t);
    r->finish_status = ha__pass_project(&r->pass, t, NV_DATA_S(r->scratch), NV_DATA_S(r->yp));
    ha__pass_follow_noise(&r->pass, NV_DATA_S(r->scratch));
    N_VLinearSum(1.0, r->scratch, -1.0, predicted, correction);
    return r->finish_status == HA_OK ? 0 : -1;
}

/* Starts IDA again from the values reached, with short steps of order 1. */
static ha_status start_again(ha__ida *r)
{
    double t = r->stats->t_reached;
    bool is_done = false;

    ha__ida_count(r);
    if (r->pass.projects) {
        HA_TRY(ha__pass_project(&r->pass, t, NV_DATA_S(r->y), NV_DATA_S(r->yp)));
    }
    HA_TRY(ha__refine(r->run->recorder.refiner, t, NV_DATA_S(r->y), NV_DATA_S(r->yp), &is_done));
    HA_TRY(ha__from_ida(r, IDAReInit(r->ida, t, r->y, r->yp)));
    HA_TRY(ha__from_ida(r, IDASetInitStep(r->ida, 1e-3 * r->pass.typical)));
    HA_TRY(ha__run_set_stop(r->run));
    ha__pass_settle(&r->pass);
    r->stats->restarts++;
    return HA_OK;
}

/* The values that were reached, which steps in vain have overwritten. Behind a restart IDA has no
   derivative to interpolate; the equations have it. */
static ha_status take_back(ha__ida *r)
{
    double t = r->stats->t_reached;
    int order = 0;

    HA_TRY(ha__from_ida(r, IDAGetDky(r->ida, t, 0, r->y)));
    HA_TRY(ha__from_ida(r, IDAGetLastOrder(r->ida, &order)));
    if (order > 0) {
        return ha__from_ida(r, IDAGetDky(r->ida, t, 1, r->yp));
    }
    memcpy(NV_DATA_S(r->yp), r->pass.yp_good, (size_t) r->dae->n * sizeof(double));
    return ha__refine(r->run->recorder.refiner, t, NV_DATA_S(r->y), NV_DATA_S(r->yp), NULL);
}

ha_status ha__ida_recover(ha__ida *r, bool *goes_on)
{
    *goes_on = false;
    /* explicit steps would pass an event unseen */
    if (r->pass.projector == NULL || !(r->pass.typical > 0.0) || r->dae->n_switches > 0) {
        return HA_OK;
    }
    ha__pass_begin_projecting(&r->pass);
    HA_TRY(ha__pass_over(&r->pass, goes_on));
    if (!*goes_on) {
        return take_back(r);
    }
    return r->stats->t_reached < r->options->t_end ? start_again(r) : HA_OK;
}

/* Towards a singular position steps become shorter one after the other. Where many tries of a
   single step have failed IDA makes it as short at once, and begins at order 1: something small and
   quick does that too, such as a velocity that goes through 0 and its tolerance with it. If it was
   nothing else the steps grow again soon. */
static ha_status choose_patience(ha__ida *r)
{
    int order = 0;

    HA_TRY(ha__from_ida(r, IDAGetLastOrder(r->ida, &order)));
    ha__pass_set_patience(&r->pass, order == 1);
    return HA_OK;
}

ha_status ha__ida_watch(ha__run *run, double h)
{
    ha__ida *r = run->state;
    ha__pass *p = &r->pass;
    bool is_cut = r->stats->t_reached >= run->next_stop, goes_on = false;

    if (r->dense_flag != 0) {
        return ha_fail(run->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "IDA did not interpolate in its last step (%d): %s; report this as a fault "
                       "of the program",
                       r->dense_flag, r->message);
    }
    if (p->projector == NULL) {
        return HA_OK;
    }
    ha__pass_follow(p, h, ha__pass_is_short(p, h) && !is_cut);
    if (p->short_steps == 1) {
        HA_TRY(choose_patience(r));
    }
    if (!ha__pass_is_stuck(p, h, ha__pass_may_drift(p) ? weigh_drift(r) : 0.0)) {
        return HA_OK;
    }
    HA_TRY(ha__ida_recover(r, &goes_on));
    if (!goes_on) {
        ha__pass_give_way(p, h);
    }
    return HA_OK;
}
