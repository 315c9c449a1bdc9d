/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Singular positions in a run.
 *
 * Where the constraint matrix loses rank two motions cross, and the constraints read x y = phi with
 * x along the one and y along the other. On the wanted motion y = 0; the drift phi of its own makes
 * it y = phi / x, which the error test follows with ever shorter steps, until the motion turns into
 * the other branch or the steps end (the sooner the tighter the tolerances are). So:
 *
 * 1. When the steps collapse and the drift, weighed as a change of speeds, is worth what the error
 *    test allows, places and speeds are brought back to the constraints (dae_project.c) and IDA is
 *    started again there. From then on drift is taken back after each step, inside the solution of
 *    the step, so that the error test sees it and IDA's history stays smooth (Eich 1993).
 * 2. Without drift what is left is round-off, about 1e-15 / x in the speeds. A step that ends where
 *    that counts in the error test is tried again and again with shorter steps, each of which ends
 *    where it counts more. So wherever the steps collapse the singular position is passed by single
 *    explicit steps of the length that was typical before (dae_hop.c), and IDA starts again behind.
 *
 * Either is counted and told.
 */
#include <config.h>

#include "lib/dae_ida.h"

#include <math.h>
#include <string.h>

static const double DRIFT_ALLOWED = 2.0;    /* of what the error test allows */
static const double COLLAPSED = 1.0 / 30.0; /* steps beside the typical one */
static const double HOPELESS = 1e-4;        /* the same; too short to arrive */
static const double NEAREST = 2.0;          /* end of a hop, in typical steps */
static const double FARTHEST = 64.0;        /* and when the last ones were followed by another */
static const double LEAST_ERROR = 1.0;      /* of an explicit step, beside what IDA allows one */
static const double MOST_ERROR = 1e4;
static const double FORGETTING = 0.99;      /* of the typical step, from step to step */

static const double DECAY = 0.5;   /* rate at which drift dies out times the time scale */
static const double NOTICED = 1.5; /* a rate this much larger is set */

enum {
    WINDOW = 64,     /* steps whose mean tells the time scale */
    SETTLED = 20,    /* steps after a start before anything is concluded */
    MOST_SHORT = 300, /* collapsed steps in a row */
    MOST_HOPS = 200   /* steps of one hop */
};

/* What is left out of the rank: only what is singular to round-off. */
static const double REGULAR = 1e-9;

/* What the drift of the speeds amounts to, in units of what the error test allows: for the rows e of
   the conditions and the matrix A of the last step A z = cj f e gives speeds z with J z = f. */
static double weigh_drift(ha__run *r)
{
    const ha_dae *dae = r->dae;
    const double *f = ha__drift(r->projector, r->stats->t_reached, NV_DATA_S(r->y));
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
        double term = dae->motions[j] == HA_SPEED ? z[j] * weight[j] : 0.0;
        sum += term * term;
    }
    return sqrt(sum / dae->n);
}

/* Takes drift back in y at time t and keeps book of the rank. */
static ha_status project(ha__run *r, double t, double *y)
{
    int rank = 0;

    HA_TRY(ha__project(r->projector, t, REGULAR, y, NV_DATA_S(r->yp), &rank));
    r->stats->projections++;
    if (rank < r->dae->n_conditions) {
        if (r->stats->rank_losses == 0 || rank < r->stats->lowest_rank) {
            r->stats->lowest_rank = rank;
            r->stats->t_lowest_rank = t;
        }
        r->stats->rank_losses++;
    }
    return HA_OK;
}

int ha__run_finish(void *user, N_Vector predicted, N_Vector correction, N_Vector weights)
{
    ha__run *r = user;
    double t = 0.0;

    (void) weights;
    if (!r->projects) {
        return 0;
    }
    N_VLinearSum(1.0, predicted, 1.0, correction, r->scratch);
    IDAGetCurrentTime(r->ida, &t);
    r->finish_status = project(r, t, NV_DATA_S(r->scratch));
    N_VLinearSum(1.0, r->scratch, -1.0, predicted, correction);
    return r->finish_status == HA_OK ? 0 : -1;
}

/* Notes the values reached, as those of a step that was not short. */
static void keep_good(ha__run *r)
{
    size_t bytes = (size_t) r->dae->n * sizeof(double);

    r->t_good = r->stats->t_reached;
    memcpy(r->y_good, NV_DATA_S(r->y), bytes);
    memcpy(r->yp_good, NV_DATA_S(r->yp), bytes);
}

void ha__run_settle(ha__run *r)
{
    if (r->projector != NULL) {
        keep_good(r);
    }
    r->t_window = 0.0;
    r->window_steps = 0;
    r->steps_since = r->short_steps = 0;
}

/* Starts IDA again from the values reached, with short steps of order 1. */
static ha_status start_again(ha__run *r)
{
    double t = r->stats->t_reached;
    bool is_done = false;

    ha__run_count(r);
    if (r->projects) {
        HA_TRY(project(r, t, NV_DATA_S(r->y)));
    }
    HA_TRY(ha__refine(r->recorder.refiner, t, NV_DATA_S(r->y), NV_DATA_S(r->yp), &is_done));
    HA_TRY(ha__from_ida(r, IDAReInit(r->ida, t, r->y, r->yp)));
    HA_TRY(ha__from_ida(r, IDASetInitStep(r->ida, 1e-3 * r->typical)));
    HA_TRY(ha__run_set_stop(r));
    ha__run_settle(r);
    r->stats->restarts++;
    return HA_OK;
}

/* Records what is new of a step of the hop from t0 to t1. */
static ha_status record(ha__run *r, double t0, double t1)
{
    if (t1 <= r->stats->t_reached) {
        return HA_OK; /* steps that IDA took in vain reach further */
    }
    t0 = fmax(t0, r->stats->t_reached);
    r->stats->t_reached = t1;
    r->stats->steps++;
    return ha__record_step(&r->recorder, t0, t1, NV_DATA_S(r->y), NV_DATA_S(r->yp), ha__hop_dense,
                           &r->hopper, NV_DATA_S(r->y_in), NV_DATA_S(r->yp_in));
}

/* One explicit step from *t of at most h, as exact as can be. */
static ha_status leap(ha__run *r, double h, double *t, bool *is_done)
{
    const ha_dae_options *options = r->options;
    double t0 = *t;

    *is_done = false;
    for (double allowed = LEAST_ERROR; allowed <= MOST_ERROR && !*is_done; allowed *= 10.0) {
        HA_TRY(ha__hop(&r->hopper, allowed * options->rtol, allowed * options->atol, t0, h,
                       NV_DATA_S(r->y), NV_DATA_S(r->yp), t, is_done));
        if (*is_done) {
            r->stats->hop_error = fmax(r->stats->hop_error, allowed);
        }
    }
    return HA_OK;
}

/* Passes what lies ahead of the last step that was not short; `*is_done` is false where it cannot be
   passed. */
static ha_status hop(ha__run *r, bool *is_done)
{
    size_t bytes = (size_t) r->dae->n * sizeof(double);
    double *y = NV_DATA_S(r->y), *yp = NV_DATA_S(r->yp);
    double t = r->t_good, begin = r->stats->t_reached;
    double end = fmin(begin + r->reach * r->typical, r->options->t_end);

    memcpy(y, r->y_good, bytes);
    memcpy(yp, r->yp_good, bytes);
    *is_done = true;
    for (int k = 0; k < MOST_HOPS && t < end && *is_done; k++) {
        double t0 = t, h = fmin(r->typical, end - t0);
        HA_TRY(leap(r, h, &t, is_done));
        if (*is_done) {
            r->hopper.t1 = t = end - t <= 1e-9 * h ? end : t;
            HA_TRY(record(r, t0, t));
        }
    }
    *is_done = t > begin;
    if (*is_done) {
        r->reach = fmin(2.0 * r->reach, FARTHEST); /* if IDA does not get away from there */
        r->stats->t_hop = r->stats->hops == 0 ? begin : r->stats->t_hop;
        r->stats->hops++;
    }
    return HA_OK;
}

/* From now on drift is taken back after each step. */
static void begin_projecting(ha__run *r)
{
    if (r->options->projection == HA_PROJECTION_AUTO && !r->projects) {
        r->projects = true;
        r->stats->t_projects = r->stats->t_reached;
    }
}

ha_status ha__run_recover(ha__run *r, bool *goes_on)
{
    bool is_done = false;

    *goes_on = false;
    /* explicit steps would pass an event unseen */
    if (r->projector == NULL || !(r->typical > 0.0) || r->dae->n_switches > 0) {
        return HA_OK;
    }
    begin_projecting(r);
    HA_TRY(hop(r, &is_done));
    *goes_on = is_done;
    if (!is_done) {
        HA_TRY(ha__from_ida(r, IDAGetDky(r->ida, r->stats->t_reached, 0, r->y)));
        return ha__from_ida(r, IDAGetDky(r->ida, r->stats->t_reached, 1, r->yp));
    }
    return r->stats->t_reached < r->options->t_end ? start_again(r) : HA_OK;
}

/*
 * Lets drift die out faster where the steps tell of fast motion. A step h of order k = 5 that just
 * meets the tolerance has (h / T)^(k + 1) = rtol with T the time scale of the motion; h is the mean
 * of the last steps.
 */
static void follow_time_scale(ha__run *r)
{
    double t = r->stats->t_reached, rate = r->stats->drift_rate;
    bool is_first = r->t_window == 0.0; /* the steps of a start are short */

    if (r->options->drift_rate == 0.0 || r->dae->set_drift_rate == NULL ||
        ++r->window_steps < WINDOW) {
        return;
    }
    double scale = (t - r->t_window) / WINDOW * pow(r->options->rtol, -1.0 / 6.0);
    r->t_window = t;
    r->window_steps = 0;
    if (!is_first && DECAY / scale > NOTICED * fmax(rate, r->options->drift_rate)) {
        r->stats->drift_rate = DECAY / scale;
        r->dae->set_drift_rate(r->dae->model, r->work, r->stats->drift_rate);
    }
}

ha_status ha__run_watch(ha__run *r, double h)
{
    bool is_short = h < COLLAPSED * r->typical, goes_on = false;

    if (r->projector == NULL) {
        return HA_OK;
    }
    if (!is_short) {
        r->reach = r->steps_since > SETTLED ? NEAREST : r->reach;
        keep_good(r);
        follow_time_scale(r);
    }
    r->steps_since++;
    r->typical = is_short ? r->typical : fmax(h, FORGETTING * r->typical);
    if (r->steps_since < SETTLED || !is_short) {
        r->short_steps = 0;
        return HA_OK;
    }
    r->short_steps++;
    bool is_drift = !r->projects && r->options->projection == HA_PROJECTION_AUTO &&
                    weigh_drift(r) > DRIFT_ALLOWED;
    if (!is_drift && r->short_steps < MOST_SHORT && h >= HOPELESS * r->typical) {
        return HA_OK;
    }
    HA_TRY(ha__run_recover(r, &goes_on));
    if (!goes_on) {
        r->typical = sqrt(r->typical * h); /* perhaps this is how short they must be */
        r->short_steps = 0;
    }
    return HA_OK;
}
