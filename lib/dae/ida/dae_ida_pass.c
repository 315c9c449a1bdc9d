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
 * 2. Without drift what is left is round-off: about 1e-15 / x in the places, and 1e-15 / x^2 in the
 *    speeds that go with them. It is new in each step, so that the error test sees it enlarged and
 *    shorter steps make nothing better. What it amounts to is known from the projection; the
 *    tolerances are relaxed to what it leaves, up to a limit.
 * 3. A step that ends where even that is not enough is tried again and again with shorter steps,
 *    each of which ends where the noise is larger. So where the noise has risen to the tolerance,
 *    and wherever the steps collapse, the singular position is passed by single explicit steps of
 *    the length that was typical before (dae_hop.c), until the noise has fallen behind it, and IDA
 *    starts again there. Their error may be large only where round-off makes it so: where it is for
 *    another reason the motion is not smooth, the position cannot be passed, and what lies before
 *    it is for short steps.
 *
 * Each is counted and told.
 */
#include <config.h>

#include "lib/dae/ida/dae_ida.h"

#include <math.h>
#include <string.h>

static const double DRIFT_ALLOWED = 2.0;    /* of what the error test allows */
static const double COLLAPSED = 1.0 / 30.0; /* steps beside the typical one */
static const double HOPELESS = 1e-4;        /* the same; too short to arrive */
static const double NEAREST = 2.0;          /* end of a hop, in typical steps */
static const double FARTHEST = 64.0;        /* and when the last ones were followed by another */
static const double LEAST_ERROR = 1.0;      /* of an explicit step, beside what IDA allows one */
static const double SMALL_ERROR = 10.0;     /* the most, unless round-off makes more of it: */
static const double NOISE_SHARE = 1e3;      /* so many times what it leaves in places and speeds, */
static const double MOST_ERROR = 1e4;       /* up to this */
static const double FORGETTING = 0.003;     /* share of a shorter step taken off the typical one */

static const double NOISE_MARGIN = 20.0; /* of the tolerance over the noise */
static const double NOISE_KEPT = 0.5;    /* from step to step */
static const double MOST_RELAXED = 10.0; /* beyond, explicit steps do better */
static const double QUIET = 0.05;        /* noise in which IDA does well */
static const double LOUD = 0.5;          /* noise that has risen to this, */
static const double RISEN = 30.0;        /* and so many times, tells of a singular position ahead */
static const double FALLEN = 0.3;        /* noise behind it, of that before it */

static const double DECAY = 0.5;   /* rate at which drift dies out times the time scale */
static const double NOTICED = 1.5; /* a rate this much larger is set */

enum {
    WINDOW = 64,      /* steps whose mean tells the time scale */
    SUDDEN = 16,      /* short steps that tell of drift where they came at once */
    SETTLED = 20,     /* steps after a start before anything is concluded */
    MOST_SHORT = 300, /* collapsed steps in a row */
    MOST_HOPS = 200   /* steps of one hop */
};

/* What is left out of the rank: only what is singular to round-off. */
static const double REGULAR = 1e-9;

/* What the drift of the speeds amounts to, in units of what the error test allows: for the rows e
   of the conditions and the matrix A of the last step A z = cj f e gives speeds z with J z = f. */
static double weigh_drift(ha__ida *r)
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
        double term = dae->unknowns[j].motion == HA_SPEED ? z[j] * weight[j] : 0.0;
        sum += term * term;
    }
    return sqrt(sum / dae->n);
}

/* Takes drift back in y at time t and keeps book of the rank. */
static ha_status project(ha__ida *r, double t, double *y)
{
    int rank = 0;

    HA_TRY(ha__project(r->projector, t, REGULAR, y, NV_DATA_S(r->yp), &rank));
    ha__count_projection(r->stats, r->dae, rank, t);
    return HA_OK;
}

/* What round-off left in the last projection, of y, in units of the tolerances asked for. */
static double noise_of(const ha__ida *r, const double *y)
{
    return ha__projection_noise(r->projector, r->options->rtol, r->options->atol, y);
}

/* The error test of order k sees noise through differences of k + 1 values. Where it would fail of
   that its tolerances are relaxed, since shorter steps would make nothing better. */
static void follow_noise(ha__ida *r, const double *y)
{
    r->noise = fmax(noise_of(r, y), NOISE_KEPT * r->noise);
    r->relaxed = fmax(1.0, fmin(NOISE_MARGIN * r->noise, MOST_RELAXED));
    if (r->relaxed > fmax(r->stats->relaxed, 1.0)) {
        r->stats->relaxed = r->relaxed;
        r->stats->t_relaxed = r->stats->t_reached;
    }
}

int ha__ida_weigh(N_Vector y_vector, N_Vector weights, void *user)
{
    const ha__ida *r = user;
    const double *y = NV_DATA_S(y_vector);
    double *weight = NV_DATA_S(weights), relaxed = fmax(r->relaxed, 1.0);

    for (int j = 0; j < r->dae->n; j++) {
        double tolerance = ha__tolerance(r->dae, j, r->options->rtol, r->options->atol, y[j]);
        weight[j] = 1.0 / (relaxed * tolerance);
    }
    return 0;
}

int ha__ida_finish(void *user, N_Vector predicted, N_Vector correction, N_Vector weights)
{
    ha__ida *r = user;
    double t = 0.0;

    (void) weights;
    if (!r->projects) {
        return 0;
    }
    N_VLinearSum(1.0, predicted, 1.0, correction, r->scratch);
    IDAGetCurrentTime(r->ida, &t);
    r->finish_status = project(r, t, NV_DATA_S(r->scratch));
    follow_noise(r, NV_DATA_S(r->scratch));
    N_VLinearSum(1.0, r->scratch, -1.0, predicted, correction);
    return r->finish_status == HA_OK ? 0 : -1;
}

/* Notes the values reached, as those of a step that was not short. */
static void keep_good(ha__ida *r)
{
    size_t bytes = (size_t) r->dae->n * sizeof(double);

    r->t_good = r->stats->t_reached;
    memcpy(r->y_good, NV_DATA_S(r->y), bytes);
    memcpy(r->yp_good, NV_DATA_S(r->yp), bytes);
    ha__mark_set(&r->good, &r->run->recorder);
}

void ha__ida_settle(ha__ida *r)
{
    if (r->projector != NULL) {
        keep_good(r);
    }
    r->t_window = 0.0;
    r->window_steps = 0;
    r->steps_since = r->short_steps = 0;
    r->noise = 0.0;
    r->least_noise = (double) INFINITY;
}

/* Starts IDA again from the values reached, with short steps of order 1. */
static ha_status start_again(ha__ida *r)
{
    double t = r->stats->t_reached;
    bool is_done = false;

    ha__ida_count(r);
    if (r->projects) {
        HA_TRY(project(r, t, NV_DATA_S(r->y)));
    }
    HA_TRY(ha__refine(r->run->recorder.refiner, t, NV_DATA_S(r->y), NV_DATA_S(r->yp), &is_done));
    HA_TRY(ha__from_ida(r, IDAReInit(r->ida, t, r->y, r->yp)));
    HA_TRY(ha__from_ida(r, IDASetInitStep(r->ida, 1e-3 * r->typical)));
    HA_TRY(ha__run_set_stop(r->run));
    ha__ida_settle(r);
    r->stats->restarts++;
    return HA_OK;
}

/* Records a step of the hop from t0 to t1, which the steps that IDA took in vain may have left
   behind already. */
static ha_status record(ha__ida *r, double t0, double t1)
{
    r->stats->t_reached = fmax(r->stats->t_reached, t1);
    r->stats->steps++;
    HA_TRY(ha__record_step(&r->run->recorder, t0, t1, NV_DATA_S(r->y), NV_DATA_S(r->yp),
                           ha__hop_dense, &r->hopper, NV_DATA_S(r->y_in), NV_DATA_S(r->yp_in)));
    return r->hopper.status;
}

/* The largest error of an explicit step, in units of the tolerances, where round-off leaves
   `noise`. */
static double most_error(double noise)
{
    return fmin(fmax(SMALL_ERROR, NOISE_SHARE * noise), MOST_ERROR);
}

/* One explicit step from *t of about h, as exact as can be where round-off leaves `*noise`, which
   grows by what is left on the way. */
static ha_status leap(ha__ida *r, double h, double *noise, double *t, bool *is_done)
{
    const ha_dae_options *options = r->options;
    double t0 = *t;

    *is_done = false;
    for (double allowed = LEAST_ERROR, last = 0.0; allowed > last && !*is_done;
         last = allowed, allowed = fmin(10.0 * allowed, most_error(*noise))) {
        HA_TRY(ha__hop(&r->hopper, allowed * options->rtol, allowed * options->atol, t0, h,
                       NV_DATA_S(r->y), NV_DATA_S(r->yp), t, is_done));
        *noise = fmax(*noise, allowed * r->hopper.noise);
        if (*is_done) {
            r->stats->hop_error = fmax(r->stats->hop_error, allowed);
        }
    }
    return HA_OK;
}

/* True when the explicit steps have led to t, where IDA may start again: at `end` or beyond it, and
   no nearer to a singular position than they began, if that is within reach; the noise tells. */
static bool is_behind(const ha__ida *r, double t, double end, double before, double noise)
{
    double farthest = fmin(end + FARTHEST * r->typical, r->options->t_end);

    return t >= farthest || (t >= end && noise <= fmax(FALLEN * before, QUIET));
}

/* Passes what lies ahead of the last step that was not short; `*is_done` is false where it cannot
   be passed. */
static ha_status hop(ha__ida *r, bool *is_done)
{
    size_t bytes = (size_t) r->dae->n * sizeof(double);
    double *y = NV_DATA_S(r->y), *yp = NV_DATA_S(r->yp);
    ha__recorder *recorder = &r->run->recorder;
    double t = r->t_good, begin = r->stats->t_reached;
    int rank = 0;
    double end = fmin(begin + r->reach * r->typical, r->options->t_end);

    memcpy(y, r->y_good, bytes);
    memcpy(yp, r->yp_good, bytes);
    HA_TRY(ha__project(r->projector, t, REGULAR, y, yp, &rank));
    HA_TRY(ha__record_rewind(recorder, &r->good, &r->vain));
    ha__hopper_begin(&r->hopper);
    double before = noise_of(r, y), noise = before, loudest = before;
    *is_done = true;
    for (int k = 0; k < MOST_HOPS && *is_done && !is_behind(r, t, end, before, noise); k++) {
        double t0 = t, t_end = r->options->t_end, h = fmin(r->typical, t_end - t0);
        HA_TRY(leap(r, h, &loudest, &t, is_done));
        if (*is_done) {
            noise = noise_of(r, y);
            r->hopper.t1 = t = t_end - t <= 1e-9 * h ? t_end : t;
            HA_TRY(record(r, t0, t));
        }
    }
    *is_done = t > begin;
    if (!*is_done) {
        HA_TRY(ha__record_take_up(recorder, &r->good, &r->vain));
    }
    r->t_vain = *is_done ? r->t_vain : end;
    if (*is_done) {
        r->reach = fmin(2.0 * r->reach, FARTHEST); /* if IDA does not get away from there */
        ha__hopper_count(&r->hopper, begin, t, &recorder->book, r->stats);
    }
    return HA_OK;
}

/* From now on drift is taken back after each step. */
static void begin_projecting(ha__ida *r)
{
    if (r->options->projection == HA_PROJECTION_AUTO && !r->projects) {
        r->projects = true;
        r->stats->t_projects = r->stats->t_reached;
    }
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
    memcpy(NV_DATA_S(r->yp), r->yp_good, (size_t) r->dae->n * sizeof(double));
    return ha__refine(r->run->recorder.refiner, t, NV_DATA_S(r->y), NV_DATA_S(r->yp), NULL);
}

ha_status ha__ida_recover(ha__ida *r, bool *goes_on)
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
        return take_back(r);
    }
    return r->stats->t_reached < r->options->t_end ? start_again(r) : HA_OK;
}

/*
 * Lets drift die out faster where the steps tell of fast motion. A step h of order k = 5 that just
 * meets the tolerance has (h / T)^(k + 1) = rtol with T the time scale of the motion; h is the mean
 * of the last steps.
 */
static void follow_time_scale(ha__ida *r)
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
    bool is_faster = DECAY / scale > NOTICED * fmax(rate, r->options->drift_rate);
    if (!is_first && r->relaxed <= 1.0 && is_faster) {
        r->stats->drift_rate = DECAY / scale;
        r->dae->set_drift_rate(r->dae->model, r->work, r->stats->drift_rate);
    }
}

/* Towards a singular position steps become shorter one after the other. Where many tries of a
   single step have failed IDA makes it as short at once, and begins at order 1: something small and
   quick does that too, such as a speed that goes through 0 and its tolerance with it. If it was
   nothing else the steps grow again soon. */
static ha_status choose_patience(ha__ida *r)
{
    int order = 0;

    HA_TRY(ha__from_ida(r, IDAGetLastOrder(r->ida, &order)));
    r->patience = order == 1 ? SUDDEN : 1;
    return HA_OK;
}

/* True when explicit steps are due: the steps have collapsed and lead no further, or are about
   to. */
static bool is_stuck(ha__ida *r, double h)
{
    if (r->noise > 0.0) {
        r->least_noise = fmin(r->least_noise, r->noise);
    }
    if (r->steps_since < SETTLED) {
        return false;
    }
    bool is_drift = r->short_steps > 0 && r->short_steps >= r->patience && !r->projects &&
                    r->options->projection == HA_PROJECTION_AUTO && weigh_drift(r) > DRIFT_ALLOWED;
    bool is_loud = r->noise > LOUD && r->noise > RISEN * r->least_noise;
    return is_drift || is_loud || r->short_steps >= MOST_SHORT ||
           (r->short_steps > 0 && h < HOPELESS * r->typical);
}

ha_status ha__ida_watch(ha__run *run, double h)
{
    ha__ida *r = run->state;
    bool is_cut = r->stats->t_reached >= run->next_stop;
    bool is_short = h < COLLAPSED * r->typical && !is_cut, goes_on = false;

    if (r->projector == NULL) {
        return HA_OK;
    }
    if (!is_short) {
        r->reach = r->steps_since > SETTLED ? NEAREST : r->reach;
        keep_good(r);
        follow_time_scale(r);
    }
    r->steps_since++;
    r->typical = is_short ? r->typical : fmax(h, r->typical - FORGETTING * h);
    r->short_steps = is_short && r->steps_since >= SETTLED ? r->short_steps + 1 : 0;
    if (r->short_steps == 1) {
        HA_TRY(choose_patience(r));
    }
    if (!is_stuck(r, h)) {
        return HA_OK;
    }
    HA_TRY(ha__ida_recover(r, &goes_on));
    if (!goes_on) {
        r->typical = sqrt(r->typical * h); /* perhaps this is how short they must be */
        r->short_steps = 0;
        r->least_noise = r->noise;
    }
    return HA_OK;
}
