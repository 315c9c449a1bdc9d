/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inverse dynamics: a mechanism all of whose motions are prescribed, without integration.
 *
 * There are as many independent conditions phi(t, q) = 0 as velocities. So at each time
 *
 *     phi(t, q) = 0          gives the positions, by Newton's method (dae_project.c),
 *     f(t, q, v) = 0         the velocities, linear,
 *     F(t, y, y') = 0        accelerations and multipliers, linear: the efforts of the drives and
 *                            the reactions (dae_refine.c),
 *
 * each to round-off, whatever went before. There are steps all the same: Newton's method begins
 * from the positions of the step before, moved on by velocity and acceleration, so that it stays on
 * its branch, and quadratures are summed over steps. A step is as long as to the next row, or as
 * brings no position farther than a small share of its size; inside it the solution is found anew
 * at each time that is asked for, from the cubic through its ends. Gauss'
 * rule then sums quadratures with a relative error of about 1e-12.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double LONGEST = 0.05; /* of a step, in sizes of the positions */
static const double REGULAR = 1e-9; /* conditions whose independent part is smaller depend */
static const double MEETS = 1e-9;   /* relative to sizes: what a condition may be off by */
static const double SHORT = 1e-7;   /* of a step that the way makes shorter, beside the run */

enum {
    NODES = 3, /* of Gauss' rule for the quadratures */
    MOST_HALVINGS = 40,
    TURNS = 2,        /* the matrix of the second is that of the right positions */
    MOST_SHORT = 1000 /* such steps in a row: the motion has no end */
};

typedef struct {
    ha__projector *projector;
    ha__refiner *refiner;
    double t0, t1;      /* of the last step */
    double *y0, *yp0;   /* (n) at its begin */
    double *y1, *yp1;   /* (n) at its end */
    double *trial;      /* (n) */
    double *conditions; /* (2 n_conditions) what positions and velocities are off by */
    double stop;        /* where the next step ends at the latest */
    int n_short;        /* short steps in a row */
    ha_status status;   /* of what failed inside a step */
} kinematic;

/* --- one time ------------------------------------------------------------------------------- */

/* Positions and velocities near those in y, then all that follows. */
static ha_status solve(ha__run *run, double t, double *y, double *yp, bool *is_done)
{
    kinematic *k = run->state;
    int rank = 0;

    for (int turn = 0; turn < TURNS && k->projector != NULL; turn++) {
        HA_TRY(ha__project(k->projector, t, REGULAR, y, yp, &rank));
    }
    HA_TRY(ha__refine(k->refiner, t, y, yp, is_done));
    for (int j = 0; j < run->dae->n; j++) {
        *is_done = *is_done && isfinite(y[j]) && isfinite(yp[j]);
    }
    return HA_OK;
}

/* From the begin of a step on: q + h q', v + h v'. */
static void predict(const ha__run *run, double h, double *y, double *yp)
{
    const kinematic *k = run->state;

    for (int j = 0; j < run->dae->n; j++) {
        bool moves = run->dae->unknowns[j].kind == HA_DIFFERENTIAL;
        y[j] = k->y0[j] + (moves ? h * k->yp0[j] : 0.0);
        yp[j] = k->yp0[j];
    }
}

/* Inside the last step: near the cubic through its ends. */
static void dense(void *user, double t, double *y, double *yp)
{
    ha__run *run = user;
    kinematic *k = run->state;
    double h = k->t1 - k->t0, s = h > 0.0 ? (t - k->t0) / h : 1.0, r = 1.0 - s;
    bool is_done = false;

    for (int j = 0; j < run->dae->n; j++) {
        bool moves = run->dae->unknowns[j].kind == HA_DIFFERENTIAL;
        double cubic = r * r * (1.0 + 2.0 * s) * k->y0[j] + s * s * (1.0 + 2.0 * r) * k->y1[j] +
                       h * s * r * (r * k->yp0[j] - s * k->yp1[j]);
        y[j] = moves ? cubic : r * k->y0[j] + s * k->y1[j];
        k->trial[j] = r * k->yp0[j] + s * k->yp1[j];
    }
    ha_status status = solve(run, t, y, k->trial, &is_done);
    k->status = k->status == HA_OK ? status : k->status;
    if (yp != NULL) {
        memcpy(yp, k->trial, (size_t) run->dae->n * sizeof *yp);
    }
}

/* --- the method ----------------------------------------------------------------------------- */

/* True of a differential unknown that the conditions, or events, decide. */
static bool is_decided(const ha_dae *dae, int j)
{
    for (int i = 0; i < dae->n_holds; i++) {
        if (dae->holds[i].unknown == j) {
            return true;
        }
    }
    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        for (int i = 0; i < dae->n_conditions; i++) {
            if (dae->row[k] == dae->condition_row[i]) {
                return true;
            }
        }
    }
    return false;
}

/* What stands against it. */
static ha_status check(const ha__run *run)
{
    const ha_dae *dae = run->dae;
    int n_velocities = 0;

    for (int i = 0; i < dae->n_conditions; i++) {
        if (dae->lacks_place[i] != 0) {
            int row = dae->condition_row[i];
            return ha_fail(run->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                           "inverse dynamics does not know `%s`: it is a constraint on velocities, "
                           "and where these lead only integration over the time tells; use `run`",
                           dae->unknowns[row].name);
        }
    }
    for (int j = 0; j < dae->n; j++) {
        n_velocities += dae->unknowns[j].motion == HA_VELOCITY;
        if (dae->unknowns[j].kind == HA_DIFFERENTIAL && dae->unknowns[j].motion != HA_VELOCITY &&
            !is_decided(dae, j)) {
            return ha_fail(run->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                           "inverse dynamics does not find `%s`: no joint and no prescribed motion "
                           "decides it, only integration over the time; give a `motion`, or use "
                           "`run`",
                           dae->unknowns[j].name);
        }
    }
    return dae->n_conditions >= n_velocities
               ? HA_OK
               : ha_fail(run->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                         "inverse dynamics needs all motions to be prescribed: %d of %d are free; "
                         "give a `motion` to as many joints or bodies, or use `run`",
                         n_velocities - dae->n_conditions, n_velocities);
}

static ha_status open_kinematic(ha__run *run)
{
    size_t n = (size_t) run->dae->n;
    kinematic *k = ha__alloc(run->ctx, 1, sizeof *k);

    run->state = k;
    HA_TRY(k == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(check(run));
    HA_TRY_ALLOC_EACH(run->ctx, n, k->y0, k->yp0, k->y1, k->yp1, k->trial);
    HA_TRY_ALLOC(run->ctx, k->conditions, 2 * (size_t) run->dae->n_conditions);
    HA_TRY(ha__projector_new(run->ctx, run->dae, run->work, true, &k->projector));
    HA_TRY(ha__refiner_new(run->ctx, run->dae, run->work, true, &k->refiner));
    k->t0 = k->t1 = run->stats->t_reached;
    run->recorder.n_nodes = NODES;
    run->recorder.ignores_poles = true; /* no positions are behind them */
    return HA_OK;
}

static void close_kinematic(ha__run *run)
{
    kinematic *k = run->state;

    if (k != NULL) {
        ha__projector_free(k->projector);
        ha__refiner_free(k->refiner);
        HA_FREE(k->y0, k->yp0, k->y1, k->yp1, k->trial, k->conditions);
    }
    ha__free(k);
    run->state = NULL;
}

static ha_status restart(ha__run *run)
{
    kinematic *k = run->state;

    k->t0 = k->t1 = run->stats->t_reached;
    return HA_OK;
}

static ha_status set_stop(ha__run *run)
{
    kinematic *k = run->state;

    k->stop = run->next_stop;
    return HA_OK;
}

static ha_status plan(ha__run *run, double *h)
{
    kinematic *k = run->state;
    double t = run->stats->t_reached, row = ha__record_next(&run->recorder);

    *h = fmin(k->stop, row > t ? row : k->stop) - t;
    *h = run->options->max_step > 0.0 ? fmin(*h, run->options->max_step) : *h;
    return HA_OK;
}

static ha_status stop(ha__run *run, const char *reason, const char *advice)
{
    char time[HA__NUMBER_SIZE];

    return ha_fail(run->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "inverse dynamics stopped at t = %s s: %s; %s",
                   ha__dae_number(time, run->stats->t_reached), reason, advice);
}

/* How far the positions go in a step, in their sizes. */
static double way(const ha__run *run)
{
    const kinematic *k = run->state;
    double most = 0.0;

    for (int j = 0; j < run->dae->n; j++) {
        const ha_dae_unknown *u = &run->dae->unknowns[j];
        if (u->motion == HA_POSITION) {
            most = fmax(most, fabs(k->y1[j] - k->y0[j]) / (u->size > 0.0 ? u->size : 1.0));
        }
    }
    return most;
}

/* The largest magnitude of one kind at the end of the step; with `by_size` the size of an unknown
   counts where it is known. */
static double largest(const ha__run *run, ha_motion motion, bool by_size)
{
    const kinematic *k = run->state;
    double most = 0.0;

    for (int j = 0; j < run->dae->n; j++) {
        const ha_dae_unknown *u = &run->dae->unknowns[j];
        double value = by_size && u->size > 0.0 ? u->size : fabs(k->y1[j]);
        most = u->motion == motion ? fmax(most, value) : most;
    }
    return most;
}

/* True where the conditions are met at the end of the step, in positions and in velocities:
   Newton's method stays at some distance where there is nothing that it could go to. */
static bool is_met(const ha__run *run)
{
    kinematic *k = run->state;
    const ha_dae *dae = run->dae;
    double *phi = k->conditions, *f = phi + dae->n_conditions;
    double length = largest(run, HA_POSITION, true), speed = largest(run, HA_VELOCITY, false);
    double round_off = HA__ROUND_OFF * largest(run, HA_POSITION, false);

    length = length > 0.0 ? length : 1.0;
    speed = fmax(speed, length / run->options->t_end);
    dae->condition(dae->model, run->work, k->t1, k->y1, phi, f);
    for (int i = 0; i < dae->n_conditions; i++) {
        if (!(fabs(phi[i]) <= MEETS * length + round_off) || !(fabs(f[i]) <= MEETS * speed)) {
            return false;
        }
    }
    return true;
}

/* HA_OK unless the positions go on and on in next to no time. */
static ha_status check_way(ha__run *run, bool is_halved)
{
    kinematic *k = run->state;

    k->n_short = is_halved && k->t1 - k->t0 < SHORT * run->options->t_end ? k->n_short + 1 : 0;
    return k->n_short <= MOST_SHORT
               ? HA_OK
               : stop(run, "what is prescribed runs away, ever faster",
                      "the motion has a pole there, as 1/(t - a) at a; let it end before");
}

static ha_status step(ha__run *run, double *t0, double *t1)
{
    kinematic *k = run->state;
    size_t bytes = (size_t) run->dae->n * sizeof *run->y;
    double h = 0.0;

    *t0 = k->t0 = run->stats->t_reached;
    memcpy(k->y0, run->y, bytes);
    memcpy(k->yp0, run->yp, bytes);
    HA_TRY(k->status);
    HA_TRY(plan(run, &h));
    for (int halving = 0; halving < MOST_HALVINGS; halving++) {
        bool is_done = false;
        k->t1 = halving == 0 && h == k->stop - k->t0 ? k->stop : k->t0 + h;
        predict(run, k->t1 - k->t0, k->y1, k->yp1);
        HA_TRY(solve(run, k->t1, k->y1, k->yp1, &is_done));
        if (is_done && is_met(run) && way(run) <= LONGEST) {
            memcpy(run->y, k->y1, bytes);
            memcpy(run->yp, k->yp1, bytes);
            run->stats->last_step = k->t1 - k->t0;
            *t1 = k->t1;
            return check_way(run, halving > 0);
        }
        h *= 0.5;
    }
    return stop(run, "no positions nearby meet all joints and prescribed motions",
                "the motion leads to a position that the mechanism cannot take, or to a singular "
                "one; let it end or turn back before, or change the lengths");
}

static int unfold(ha__run *run, double *out, double *base, double *h)
{
    (void) run;
    (void) out;
    (void) base;
    (void) h;
    return -1;
}

static ha_status land(ha__run *run, double t)
{
    kinematic *k = run->state;

    dense(run, t, run->y_in, run->yp_in);
    HA_TRY(k->status);
    memcpy(run->y, run->y_in, (size_t) run->dae->n * sizeof *run->y);
    memcpy(run->yp, run->yp_in, (size_t) run->dae->n * sizeof *run->yp);
    return HA_OK;
}

static ha_status watch(ha__run *run, double h)
{
    (void) h;
    return ((kinematic *) run->state)->status;
}

static void count(const ha__run *run)
{
    (void) run;
}

const ha__method ha__method_kinematic = {
    .name = "kinematic",
    .open = open_kinematic,
    .restart = restart,
    .set_stop = set_stop,
    .plan = plan,
    .step = step,
    .unfold = unfold,
    .dense = dense,
    .land = land,
    .watch = watch,
    .stop = stop,
    .count = count,
    .close = close_kinematic,
};
