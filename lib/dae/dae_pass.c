/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Singular positions in a run: what all methods do there, and every number that decides it.
 *
 * Where the constraint matrix loses rank two motions cross, and the constraints read x y = phi with
 * x along the one and y along the other. On the wanted motion y = 0; the drift phi of its own makes
 * it y = phi / x, which the error test follows with ever shorter steps, until the motion turns into
 * the other branch or the steps end (the sooner the tighter the tolerances are). So:
 *
 * 1. When the steps collapse and the drift, weighed as a change of velocities, is worth what the
 *    error test allows, positions and velocities are brought back to the constraints
 *    (dae_project.c), and the method starts again there. From then on drift is taken back after
 *    each step, inside the solution of the step, so that the error test sees it (Eich 1993).
 * 2. Without drift only round-off is left: about 1e-15 / x in the positions, and 1e-15 / x^2 in the
 *    velocities that go with them. It is new in each step. The error test of a multistep method
 *    sees it enlarged, and shorter steps make nothing better. What it amounts to, the noise, is
 * known from the projection; the tolerances are relaxed to what it leaves, up to a limit.
 * 3. A step that ends where even that is not enough is tried again and again with shorter steps,
 *    each of which ends where the noise is larger. So where the noise has risen to the tolerance,
 *    and wherever the steps collapse, the singular position is passed by single explicit steps of
 *    the typical length (dae_hop.c), until the noise has fallen behind it. Their error may be large
 *    only where round-off makes it so: where it is for another reason the motion is not smooth, the
 *    position cannot be passed, and what lies before it is for short steps.
 *
 * A multistep method (dae_ida_pass.c) knows drift and noise at each step, and passes a position by
 * a hop of several explicit steps (ha__pass_over). An explicit method (dae_explicit.c) takes single
 * ones instead of steps that fail (ha__pass_try), and knows the condition of the equations at each
 * stage. It weighs the drift of each step and takes back what is worth it: that is near singular
 * positions, where phi / x is large. A step of it ends anywhere, perhaps so near a position that
 * neither a step nor a hop leads on from there. Such a step is made anew, to end behind it if its
 * error lets it, else before it.
 *
 * Each hop is counted and told.
 */
#include <config.h>

#include "lib/dae/dae_pass.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- short steps ---- */

/* The typical step h_t is a maximum that forgets: h_t' = max(h, h_t - FORGETTING h). A step of half
   the size takes h_t down by a factor of two in 1 / FORGETTING steps. The larger, the sooner the
   motion's own changes of velocity are followed; the smaller, the longer the way to a singular
   position that is seen as a collapse. */
static const double FORGETTING = 0.003;

/* A step is short below this share of h_t. Steps of a smooth motion vary by about ten, so that the
   margin is three; the error test makes the distance to the singular position as much shorter
   before anything is done. */
static const double COLLAPSED = 1.0 / 30.0;

/* So short, a step leads nowhere: 1e4 of them make a typical one. */
static const double HOPELESS = 1e-4;

enum {
    SETTLED = 20,    /* steps after a start, of order 1 and short, before anything is concluded */
    SUDDEN = 16,     /* short steps that tell of drift where they came at once: something small and
                        quick is over by then */
    MOST_SHORT = 300 /* short steps in a row, that is ten typical ones: it does not go on so */
};

/* Drift of the velocities in units of what the error test allows. At 1 it makes half of the errors
   seen; below, shorter steps have another reason. */
static const double DRIFT_ALLOWED = 2.0;

/* Drift of the velocities, in the same units, from which an explicit method takes it back. In a
   smooth motion a step leaves 1e-4 to 2e-3, so that this is seldom: a projection takes as
   long as two steps. Next to a singular position it grows as 1 / x, and what is left there is still
   small beside the error of a step. */
static const double DRIFT_IGNORED = 3e-3;

/* ---- noise ---- */

/* An error test of order k sees noise through differences of k + 1 values, which enlarge it by up
   to 2^k: 20 is near to that of the orders 4 and 5. */
static const double NOISE_MARGIN = 20.0;

/* The tolerances are relaxed by no more than this: beyond, explicit steps, which see the noise as
   it is, lose less. */
static const double MOST_RELAXED = 10.0;

static const double NOISE_KEPT = 0.5; /* from step to step: it is new in each, and may be small by
                                         chance once */

/* Noise is loud where MOST_RELAXED is reached, and quiet where nothing is to be relaxed: both
   follow from NOISE_MARGIN. Loud, and RISEN times its least value since the start, it tells of a
   singular position ahead: as 1 / x^2, that is at a fifth of the distance. */
static const double RISEN = 30.0;

/* Behind the position it has fallen to this share of what it was where the hop began, so that the
   method starts again at about twice the distance. */
static const double FALLEN = 0.3;

/* ---- explicit steps ---- */

/* Error of an explicit step in tolerances: that of any step where it can be, up to what a short
   loss of accuracy may cost for any reason, */
static const double LEAST_ERROR = 1.0;
static const double SMALL_ERROR = 10.0;

/* and, as far as round-off makes it necessary, so many times the noise that it leaves (a stage at a
   thirtieth of the distance sees as much more of it), up to a bound: what is off by more than that
   is another motion. */
static const double NOISE_SHARE = 1e3;
static const double MOST_ERROR = 1e4;

static const double HARDER = 10.0; /* from try to try */

/* End of a hop in typical steps: 2 lead over a position that lies within the first. Where the
   method is stuck again soon after it the next one is twice as long, up to FARTHEST. */
static const double NEAREST = 2.0;
static const double FARTHEST = 64.0;

enum { MOST_HOPS = 200 /* steps of one hop, should they get short */ };

/* ---- condition ---- */

/* So far below the usual condition it tells of a singular position: a stage is at a hundredth of
   the usual distance, or at a tenth where the condition goes with its square. */
static const double NEAR = 1e-2;

/* A step that ends at this share of the usual condition leads to a step with wrong accelerations:
   positions that are off by delta make them wrong by delta / x at the distance x. The error of that
   step is h times as much, so that steps get shorter and shorter. One step in five over a singular
   position ends so near. A step that begins near, by less than the second share, may end near, too:
   a mechanism that stays at a position has no other end. */
static const double AT_ONE = 1e-3;
static const double NEARER = 0.1;

static const double GETTING_USUAL = 0.99; /* from step to step: it forgets in a hundred */

/* Condition of the constraints where a hop begins beside what it usually is (dae_usual.c): where it
   is more there is nothing singular ahead. */
static const double MET = 0.4;

/* What is left out of the rank: only what is singular to round-off. */
static const double REGULAR = 1e-9;

/* ---- time scale ---- */

enum { WINDOW = 64 /* steps whose mean tells the time scale */ };

static const double DECAY = 0.5;        /* rate at which drift dies out times the time scale */
static const double UNSEEN = 0.1;       /* share of what the error test allows that it may see */
static const double NOTICED = 1.5;      /* a rate this much larger is set, */
static const double MUCH_SLOWER = 10.0; /* or smaller */

/* --- set-up ---------------------------------------------------------------------------------- */

static ha_status allocate(ha__pass *p)
{
    const ha__run *run = p->run;

    HA_TRY_ALLOC_EACH(run->ctx, run->dae->n, p->y_good, p->yp_good);
    HA_TRY(ha__mark_init(&p->good, &run->recorder));
    return ha__mark_init(&p->vain, &run->recorder);
}

ha_status ha__pass_init(ha__pass *p, ha__run *run, bool has_sizes)
{
    ha_ctx *ctx = run->ctx;

    *p = (ha__pass){ .run = run, .reach = NEAREST, .allowed = LEAST_ERROR, .lowest = 1.0 };
    HA_TRY(ha__projector_new(ctx, run->dae, run->work, has_sizes, &p->projector));
    if (p->projector == NULL) {
        return HA_OK;
    }
    if (has_sizes) {
        HA_TRY(ha__refiner_new(ctx, run->dae, run->work, true, &p->refiner));
    }
    ha__usual_init(&p->usual_position, ctx, run->dae, p->projector);
    HA_TRY(ha__hopper_init(&p->hopper, ctx, run->dae, run->work, p->projector,
                           has_sizes ? p->refiner : run->recorder.refiner));
    p->hopper.t_end = run->options->t_end;
    p->projects = run->options->projection == HA_PROJECTION_STEPS;
    return allocate(p);
}

void ha__pass_clear(ha__pass *p)
{
    HA_FREE(p->y_good, p->yp_good);
    ha__mark_clear(&p->good);
    ha__mark_clear(&p->vain);
    ha__hopper_clear(&p->hopper);
    ha__usual_clear(&p->usual_position);
    ha__refiner_free(p->refiner);
    ha__projector_free(p->projector);
    *p = (ha__pass){ 0 };
}

/* --- drift ----------------------------------------------------------------------------------- */

ha_status ha__pass_project(ha__pass *p, double t, double *y, const double *yp)
{
    int rank = 0;

    HA_TRY(ha__project(p->projector, t, REGULAR, y, yp, &rank));
    ha__count_projection(p->run->stats, p->run->dae, rank, t);
    return HA_OK;
}

void ha__pass_begin_projecting(ha__pass *p)
{
    if (p->run->options->projection == HA_PROJECTION_AUTO && !p->projects) {
        p->projects = true;
        p->run->stats->t_projects = p->run->stats->t_reached;
    }
}

bool ha__pass_projects_now(const ha__pass *p, double drift)
{
    return p->projects &&
           (p->run->options->projection == HA_PROJECTION_STEPS || drift > DRIFT_IGNORED);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* Notes the values reached, as those of a step that was not short. */
static void keep_good(ha__pass *p)
{
    const ha__run *run = p->run;
    size_t bytes = (size_t) run->dae->n * sizeof(double);

    p->t_good = run->stats->t_reached;
    memcpy(p->y_good, run->y, bytes);
    memcpy(p->yp_good, run->yp, bytes);
    ha__mark_set(&p->good, &run->recorder);
}

void ha__pass_settle(ha__pass *p)
{
    if (p->projector != NULL) {
        keep_good(p);
    }
    p->t_window = 0.0;
    p->window_steps = 0;
    p->steps_since = p->short_steps = 0;
    p->noise = 0.0;
    p->least_noise = (double) INFINITY;
}

bool ha__pass_is_short(const ha__pass *p, double h)
{
    return h < COLLAPSED * p->typical;
}

void ha__pass_note_step(ha__pass *p, double h)
{
    p->typical = fmax(h, p->typical - FORGETTING * h);
    p->allowed = LEAST_ERROR;
    p->loudest = 0.0;
}

/*
 * The highest rate b at which drift may die out. What round-off makes of a position of size s, an
 * acceleration b^2 eps s, is off by b^2 eps s h in a step h = b^-1 DECAY rtol^(1/6). The error test
 * would see more than a share of what it allows, and make steps short that raise the rate again.
 */
static double highest_rate(const ha__run *run, double root)
{
    double highest = (double) INFINITY;

    for (int j = 0; j < run->dae->n; j++) {
        const ha_dae_unknown *u = &run->dae->unknowns[j];
        if (u->motion == HA_VELOCITY && u->size > 0.0) {
            double allowed =
                ha__tolerance(run->dae, j, run->options->rtol, run->options->atol, run->y[j]);
            highest = fmin(highest, UNSEEN * allowed / (DBL_EPSILON * u->size * DECAY * root));
        }
    }
    return highest;
}

/*
 * Lets drift die out faster where the steps tell of fast motion. A step h of order k = 5 that just
 * meets the tolerance has (h / T)^(k + 1) = rtol with T the time scale of the motion; h is the mean
 * of the last steps. Where the motion gets slower again the rate does, too: drift that dies out
 * fast makes steps short itself, which would let it die out ever faster.
 */
static void follow_time_scale(ha__pass *p)
{
    const ha__run *run = p->run;
    const double least = run->options->drift_rate;
    double t = run->stats->t_reached, rate = fmax(run->stats->drift_rate, least);
    bool is_first = p->t_window == 0.0; /* the steps of a start are short */

    if (least == 0.0 || run->dae->set_drift_rate == NULL || ++p->window_steps < WINDOW) {
        return;
    }
    const double root = pow(run->options->rtol, 1.0 / 6.0);
    double scale = (t - p->t_window) / (WINDOW * root);
    p->t_window = t;
    p->window_steps = 0;
    double wanted = fmax(fmin(DECAY / scale, highest_rate(run, root)), least);
    bool is_other = wanted > NOTICED * rate || rate > MUCH_SLOWER * wanted;
    if (!is_first && p->relaxed <= 1.0 && is_other) {
        run->stats->drift_rate = wanted;
        run->dae->set_drift_rate(run->dae->model, run->work, run->stats->drift_rate);
    }
}

void ha__pass_follow(ha__pass *p, double h, bool is_short)
{
    if (!is_short) {
        p->reach = p->steps_since > SETTLED ? NEAREST : p->reach;
        keep_good(p);
        follow_time_scale(p);
        ha__pass_note_step(p, h);
    }
    p->steps_since++;
    p->short_steps = is_short && p->steps_since >= SETTLED ? p->short_steps + 1 : 0;
}

void ha__pass_set_patience(ha__pass *p, bool is_sudden)
{
    p->patience = is_sudden ? SUDDEN : 1;
}

bool ha__pass_may_drift(const ha__pass *p)
{
    return p->steps_since >= SETTLED && p->short_steps > 0 && p->short_steps >= p->patience &&
           !p->projects && p->run->options->projection == HA_PROJECTION_AUTO;
}

bool ha__pass_is_stuck(ha__pass *p, double h, double drift)
{
    if (p->noise > 0.0) {
        p->least_noise = fmin(p->least_noise, p->noise);
    }
    bool is_loud = p->noise > MOST_RELAXED / NOISE_MARGIN && p->noise > RISEN * p->least_noise;
    bool is_hopeless = p->short_steps > 0 && h < HOPELESS * p->typical;
    return p->steps_since >= SETTLED &&
           (drift > DRIFT_ALLOWED || is_loud || is_hopeless || p->short_steps >= MOST_SHORT);
}

void ha__pass_give_way(ha__pass *p, double h)
{
    p->typical = sqrt(p->typical * h);
    p->short_steps = 0;
    p->least_noise = p->noise;
}

/* --- noise ----------------------------------------------------------------------------------- */

/* What round-off left in the last projection, of y, in units of the tolerances asked for. */
static double noise_of(const ha__pass *p, const double *y)
{
    const ha_dae_options *options = p->run->options;

    return ha__projection_noise(p->projector, options->rtol, options->atol, y);
}

void ha__pass_follow_noise(ha__pass *p, const double *y)
{
    ha_dae_stats *stats = p->run->stats;

    p->noise = fmax(noise_of(p, y), NOISE_KEPT * p->noise);
    p->relaxed = fmax(1.0, fmin(NOISE_MARGIN * p->noise, MOST_RELAXED));
    if (p->relaxed > fmax(stats->relaxed, 1.0)) {
        stats->relaxed = p->relaxed;
        stats->t_relaxed = stats->t_reached;
    }
}

/* --- condition ------------------------------------------------------------------------------- */

void ha__pass_note_condition(ha__pass *p, double condition)
{
    p->lowest = ha__smaller(condition, p->lowest);
}

void ha__pass_settle_condition(ha__pass *p)
{
    p->usual = fmax(p->lowest, GETTING_USUAL * p->usual);
    p->lowest = 1.0;
}

bool ha__pass_is_near(const ha__pass *p)
{
    return p->lowest < NEAR * p->usual;
}

/* --- explicit steps -------------------------------------------------------------------------- */

ha_status ha__pass_try(ha__pass *p, double t, double *t1, bool *is_done)
{
    ha__run *run = p->run;
    const ha_dae_options *options = run->options;
    const double end = p->hopper.t_end;

    /* what lies between the stages of a step is not seen: it ends at the first such thing */
    p->hopper.t_end = ha__run_unseen(run, t, fmin(end, t + ha__hop_longest(p->typical)));
    double h = fmin(p->typical, p->hopper.t_end - t);
    ha_status status = ha__hop(&p->hopper, p->allowed * options->rtol, p->allowed * options->atol,
                               t, h, run->y, run->yp, t1, is_done);
    p->hopper.t_end = end;
    HA_TRY(status);
    p->loudest = fmax(p->loudest, p->allowed * p->hopper.noise);
    if (*is_done) {
        run->stats->hop_error = fmax(run->stats->hop_error, p->allowed);
    }
    return HA_OK;
}

bool ha__pass_leads_on(const ha__pass *p, double begin, double end)
{
    return p->projector == NULL || !(end < AT_ONE * p->usual && end < NEARER * begin);
}

bool ha__pass_allow_more(ha__pass *p)
{
    double most = fmin(fmax(SMALL_ERROR, NOISE_SHARE * p->loudest), MOST_ERROR);
    double before = p->allowed;

    p->allowed = fmin(HARDER * p->allowed, most);
    return p->allowed > before;
}

bool ha__pass_has_met(const ha__pass *p)
{
    return ha__pass_is_near(p) && ha__hopper_has_crossed(&p->hopper) &&
           p->hopper.first < MET * p->usual_position.condition;
}

ha_status ha__pass_note_position(ha__pass *p, double t)
{
    return p->projector != NULL ? ha__usual_note(&p->usual_position, t, p->run->y) : HA_OK;
}

ha_status ha__pass_begin_hop(ha__pass *p)
{
    ha__pass_begin_projecting(p);
    ha__hopper_begin(&p->hopper);
    return ha__usual_find(&p->usual_position, p->run->yp);
}

void ha__pass_count(const ha__pass *p, double t0, double t1)
{
    ha_dae_stats *stats = p->run->stats;

    stats->t_hop = stats->hops == 0 ? t0 : stats->t_hop;
    stats->hops++;
    if (ha__hopper_has_crossed(&p->hopper)) {
        stats->t_singular = stats->singular_passes == 0 ? t0 : stats->t_singular;
        stats->singular_passes++;
        ha__book_note(&p->run->recorder.book, t0, t1);
    }
}

/* One step of a hop from *t, as exact as can be. */
static ha_status leap(ha__pass *p, double *t, bool *is_done)
{
    double t0 = *t;

    p->allowed = LEAST_ERROR;
    do {
        HA_TRY(ha__pass_try(p, t0, t, is_done));
    } while (!*is_done && ha__pass_allow_more(p));
    return HA_OK;
}

/* Records a step of a hop from t0 to t1, which the steps that were taken in vain may have left
   behind already. */
static ha_status record(ha__pass *p, double t0, double t1)
{
    ha__run *run = p->run;

    HA_TRY(ha__run_check_sources(run, t0, t1));
    run->stats->t_reached = fmax(run->stats->t_reached, t1);
    run->stats->steps++;
    run->recorder.gain = ha__hop_gain;
    run->recorder.gain_user = &p->hopper;
    run->recorder.peaks.n_crests = 0; /* those known are of another step */
    ha_status status = ha__record_step(&run->recorder, t0, t1, run->y, run->yp, ha__hop_dense,
                                       &p->hopper, run->y_in, run->yp_in);
    run->recorder.gain = NULL;
    return status == HA_OK ? p->hopper.status : status;
}

/* True when a hop has led to t, where the method may start again: at `end` or beyond it, and no
   nearer to a singular position than it began, if that is within reach; the noise tells. */
static bool is_behind(const ha__pass *p, double t, double end, double before, double noise)
{
    double farthest = fmin(end + FARTHEST * p->typical, p->run->options->t_end);

    return t >= farthest || (t >= end && noise <= fmax(FALLEN * before, 1.0 / NOISE_MARGIN));
}

/* The steps of a hop from the good values at *t to `end` or beyond it. */
static ha_status leap_on(ha__pass *p, double end, double *t)
{
    double before = noise_of(p, p->run->y), noise = before;
    bool is_done = true;

    p->loudest = before;
    for (int k = 0; k < MOST_HOPS && is_done && !is_behind(p, *t, end, before, noise); k++) {
        double t0 = *t;
        HA_TRY(leap(p, t, &is_done));
        if (is_done) {
            noise = noise_of(p, p->run->y);
            HA_TRY(record(p, t0, *t));
        }
    }
    return HA_OK;
}

ha_status ha__pass_over(ha__pass *p, bool *is_done)
{
    ha__run *run = p->run;
    size_t bytes = (size_t) run->dae->n * sizeof(double);
    double t = p->t_good, begin = run->stats->t_reached;
    double end = fmin(begin + p->reach * p->typical, run->options->t_end);
    int rank = 0;

    memcpy(run->y, p->y_good, bytes);
    memcpy(run->yp, p->yp_good, bytes);
    HA_TRY(ha__project(p->projector, t, REGULAR, run->y, run->yp, &rank));
    HA_TRY(ha__record_rewind(&run->recorder, &p->good, &p->vain));
    ha__hopper_begin(&p->hopper);
    HA_TRY(leap_on(p, end, &t));
    *is_done = t > begin;
    if (!*is_done) {
        p->t_vain = end;
        return ha__record_take_up(&run->recorder, &p->good, &p->vain);
    }
    p->reach = fmin(2.0 * p->reach, FARTHEST); /* if the method does not get away from there */
    ha__pass_count(p, begin, t);
    return HA_OK;
}
