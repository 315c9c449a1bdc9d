/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A guess of the period of a model that nothing drives.
 *
 * It goes on by itself, in a run that is looked at some times in each step. With a reference point
 * p and the direction f of the motion there, it has come back when it crosses the plane through p
 * across f in the sense of f, near p, in units of what its states have ranged over. It goes on for
 * some such returns, until the next one is close to the last. The reference
 * is renewed each time that the number of looks has doubled: a transient that is left behind is
 * forgotten.
 */
#include <config.h>

#include "bondgraph/analysis/periodic_priv.h"
#include "lib/core/number.h"

#include <math.h>
#include <string.h>

static const double NEAR = 0.35;          /* of the range: it has come back, */
static const double CLOSE = 0.03;         /* and goes on where it was */
static const double MOST_HORIZONS = 50.0; /* that it may take to come back */
static const double NOWHERE = 1e-4;       /* of the size, in a return: a hundred tolerances */
static const double WHOLE = 1e-7;         /* turns: what a whole number of them is off by */
static const double STILL = 1e-9;         /* of the size, in a step: at rest */

enum {
    LOOKS = 6 /* in a step */,
    FIRST_REFERENCE = 50,
    MOST_RETURNS = 12,
    MOST_STILL = 100,
    MOST_SMALL = 30,
    MOST_PARTS = 50 /* of a turn */
};

/* The way that was gone. */
typedef struct {
    bg__shooting *s;
    double *low, *high;  /* (n) the range of each unknown, */
    double *now[2];      /* (n) and since the reference */
    double *last;        /* (n) at the last look */
    double *point, *way; /* (n) the reference, and the motion from there */
    double t, t_point;   /* [s] of the last look, of the reference */
    double side;         /* of the plane */
    int n_looks, n_next; /* number at which the reference is renewed */
    int n_still, n_returns;
    int n_small; /* returns that went next to nowhere */
    bool is_back;
} march;

/* What an unknown has ranged over; of an angle that turns no more than a turn. */
static double range_of(const march *w, int j)
{
    double turns = 0.0, range = w->high[j] - w->low[j];

    (void) bg__cycle_change(w->s->m, j, w->low[j], w->high[j], &turns);
    return turns != 0.0 ? 2.0 * acos(-1.0) : range;
}

/* Takes a look into account; false where nothing has moved. */
static bool measure(march *w, const double *y)
{
    bool moves = false;

    for (int k = 0; k < w->s->n_states; k++) {
        int j = w->s->state[k];
        w->low[j] = fmin(w->low[j], y[j]);
        w->high[j] = fmax(w->high[j], y[j]);
        w->now[0][j] = fmin(w->now[0][j], y[j]);
        w->now[1][j] = fmax(w->now[1][j], y[j]);
        double size = fmax(fabs(w->high[j]), fabs(w->low[j]));
        moves = moves || fabs(y[j] - w->last[j]) > STILL * size;
    }
    return moves;
}

/* True where it went no farther since the reference than the tolerance of the run lets it. */
static bool is_small(const march *w)
{
    bool is_so = true;

    for (int k = 0; k < w->s->n_states; k++) {
        int j = w->s->state[k];
        double size = fmax(fabs(w->high[j]), fabs(w->low[j]));
        is_so = is_so && w->now[1][j] - w->now[0][j] <= NOWHERE * size;
    }
    return is_so;
}

/* On which side of the plane it is, and how far from the reference. */
static double look(const march *w, const double *y, double *distance)
{
    double sum = 0.0, turns = 0.0;

    *distance = 0.0;
    for (int k = 0; k < w->s->n_states; k++) {
        int j = w->s->state[k];
        double range = range_of(w, j);
        if (range > 0.0) {
            double off = bg__cycle_change(w->s->m, j, w->point[j], y[j], &turns) / range;
            sum += off * w->way[j] / range;
            *distance = fmax(*distance, fabs(off));
        }
    }
    return sum;
}

/* The last look becomes the reference. */
static void refer(march *w, double t, const double *y)
{
    for (int j = 0; j < w->s->m->dae.n; j++) {
        w->point[j] = w->last[j];
        w->way[j] = y[j] - w->last[j];
        w->now[0][j] = fmin(y[j], w->last[j]);
        w->now[1][j] = fmax(y[j], w->last[j]);
    }
    w->t_point = t;
    w->side = 1.0;
    w->n_next = w->n_looks < FIRST_REFERENCE ? FIRST_REFERENCE : 2 * w->n_looks;
}

static void go_on(march *w, double t, const double *y)
{
    bool moves = measure(w, y);
    double before = w->side, distance = 0.0;

    if (w->n_looks == 0 || w->n_looks >= w->n_next) {
        refer(w, w->t, y);
    } else {
        w->side = look(w, y, &distance);
        bool crosses = before < 0.0 && w->side >= 0.0 && distance <= NEAR;
        if (crosses && is_small(w)) {
            w->n_small++;
            refer(w, t, y);
        } else if (crosses) { /* since the last look */
            double crossed = t - (t - w->t) * w->side / (w->side - before);
            w->s->period = crossed - w->t_point;
            w->n_returns++;
            w->is_back = distance <= CLOSE || w->n_returns >= MOST_RETURNS;
            refer(w, crossed, y);
        }
    }
    w->n_looks++;
    w->n_still = moves ? 0 : w->n_still + 1;
    w->t = t;
    memcpy(w->last, y, (size_t) w->s->m->dae.n * sizeof *y);
}

/* Nothing was looked at yet. */
static void set_out(march *w)
{
    const size_t bytes = (size_t) w->s->m->dae.n * sizeof *w->last;

    memcpy(w->last, w->s->y, bytes);
    memcpy(w->low, w->s->y, bytes);
    memcpy(w->high, w->s->y, bytes);
    w->t = 0.0;
    w->n_looks = w->n_still = w->n_small = w->n_returns = 0;
}

/* A step of the run. */
static ha_status step(void *user, double t0, double t1, const double *y, ha_dae_inside inside,
                      void *run)
{
    march *w = user;

    if (t0 < w->t) { /* it is taken again from the start */
        set_out(w);
    }
    for (int i = 1; i <= LOOKS && !w->is_back; i++) {
        double t = i == LOOKS ? t1 : t0 + (t1 - t0) * i / LOOKS;
        const double *at = y;
        if (i < LOOKS) {
            HA_TRY(inside(run, t, w->s->try_y, NULL));
            at = w->s->try_y;
        }
        go_on(w, t, at);
    }
    bool is_at_rest = w->n_still >= MOST_STILL || w->n_small >= MOST_SMALL;
    return w->is_back || is_at_rest ? HA_ERR_INTERRUPTED : HA_OK;
}

static ha_status fail(const march *w)
{
    char time[HA__NUMBER_SIZE];

    ha__print_rounded_number(time, w->t, 3);
    if (w->n_small >= MOST_SMALL) {
        return ha_fail(w->s->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                       "there is no cycle: nothing drives the model, and after %s s it moves no "
                       "farther than the tolerance of a run: it dies out, or changes between two "
                       "sides of a condition, such as a step of a quantiser, without end",
                       time);
    }
    return w->n_still >= MOST_STILL
               ? ha_fail(w->s->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "there is no cycle: nothing drives the model, and after %s s it is at "
                         "rest; `statics` finds such a state",
                         time)
               : ha_fail(w->s->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "no cycle is found: nothing that repeats drives the model, and in %s s it "
                         "did not come near a point where it was before; start nearer to the "
                         "cycle, or give about its period with --period",
                         time);
}

static ha_status search(march *w)
{
    bg__shooting *s = w->s;
    const double horizon = s->options->horizon > 0.0 ? s->options->horizon : s->period;
    const ha_dae_observer observer = { w, step };
    size_t bytes = (size_t) s->m->dae.n * sizeof *s->y;

    if (!(horizon > 0.0)) {
        return ha_fail(s->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "nothing drives the model, so that its period is unknown; give about how "
                       "long it is with --period, or an end time after some cycles");
    }
    HA_TRY(bg__cycle_rates(s, 0.0, s->y, s->yp));
    HA_TRY(bg__cycle_tangent(s));
    set_out(w);
    ha_status status = bg__shoot(s, s->y, MOST_HORIZONS * horizon, &observer, s->end);
    if (status != HA_OK && (status != HA_ERR_INTERRUPTED || ha_ctx_is_interrupted(s->ctx))) {
        return status;
    }
    memcpy(s->y, w->last, bytes);
    if (!w->is_back) {
        return fail(w);
    }
    /* what was looked at inside a step is on the constraints only as near as it interpolates */
    memset(w->low, 0, bytes);
    HA_TRY(bg__cycle_move(s, w->low, s->try_y));
    memcpy(s->y, s->try_y, bytes);
    return HA_OK;
}

ha_status bg__cycle_guess(bg__shooting *s)
{
    size_t n = (size_t) s->m->dae.n;
    double *room = ha__alloc(s->ctx, 7 * n, sizeof *room);

    HA_TRY_MEMORY(room);
    march w = { .s = s,
                .low = room,
                .high = room + n,
                .last = room + 2 * n,
                .point = room + 3 * n,
                .way = room + 4 * n,
                .now = { room + 5 * n, room + 6 * n } };
    return ha__then_free(search(&w), room);
}

int bg__cycle_whole_turns(const bg__shooting *s)
{
    int n = 1;

    for (int j = 0; j < s->m->dae.n; j++) {
        double turns = 0.0;
        bool is_free = !bg__cycle_acts(s->m, j);
        for (int k = 0; k < s->n_states; k++) {
            is_free = is_free || s->state[k] == j;
        }
        double part = bg__cycle_change(s->m, j, s->y[j], s->end[j], &turns) / (2.0 * acos(-1.0));
        for (int q = 1; q <= MOST_PARTS && !is_free && bg__cycle_turns(s->m, j); q++) {
            if (fabs(part * q - round(part * q)) <= WHOLE * q) {
                n = n % q == 0 ? n : n * q;
                break;
            }
        }
    }
    return n <= MOST_PARTS * MOST_PARTS ? n : 1;
}
