/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Narrow functions of the time: what a step would pass without having seen it.
 *
 * A method sees what depends on the time at its steps. A pulse between two of them is not there for
 * it: no error is estimated that would make the step shorter. But signals, the parts of the
 * equations that depend on nothing but the time, have bounds before any step is taken. Let
 *
 *     low <= s(t) <= high   at the ends of the last steps and at the planned end of the next.
 *
 * Steps far shorter than the next do not count: what they have seen it would not see.
 *
 * Where s gets off these bounds inside the planned step by more than their distance, the method
 * knows nothing of it: the step ends there, at the largest such value (within a half), and the
 * method finds its error. Smooth motion never gets so far off in a step that follows it: it has the
 * distance of the last steps, several times as far. The largest value is looked for by bounds over
 * pieces (lib/tape/range.c), the piece with the highest bound first.
 *
 * Bounds that only round-off keeps apart, as of a vibration that is met at whole periods, tell no
 * distance: it is at least a tenth of what the signal may do in the planned step.
 *
 * Next to a singular position steps are far shorter than one that leads over it (dae_pass.c). That
 * one has to see what lies ahead as any other, and its two ends and steps of its length tell what
 * was seen.
 *
 * Where something is held, or what switches has to be solved for, a step is not interpolated but
 * looked at in points. A pulse between these would not be seen there, so that the crests of the
 * signals between them are points, too. The same holds for peaks of outputs, some of which hang on
 * functions of the time that no equation has: these are signals behind those of the equations.
 *
 * A value at which a planned step then ended as planned does no harm if the next one is taken as
 * planned, too, since the method saw it and did not care: such values are within the bounds from
 * then on. So a ripple that is too small to matter costs a few steps, not one at each crest. A step
 * may end half-way up a flank and be content; the next one, which has to cross the pulse, is not.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum {
    KEPT = 10,        /* steps whose ends are remembered */
    MOST_PIECES = 128 /* of a step that a signal is looked at in */
};

static const double FAR_SHORTER = 0.1;
static const double MUCH = 1.0;   /* off the bounds, in their distance */
static const double ENOUGH = 0.5; /* of the largest value */
static const double EARLY = 1e-3; /* of it, that counts at half of the way */
static const double WHOLE = 0.5; /* share of the planned step that tells that a value is harmless */
static const double LITTLE = 0.1; /* of what a signal may do in the step: no distance is less */
static const double LEAST = 1e-200;
static const double CREST = 0.02; /* off the points, in their distance, that makes another one */
static const double NEARLY = 1.0 - 1e-6; /* of a crest */

/* The number of all signals, those of the outputs behind those of the equations. */
static int count_all(const ha__run *run)
{
    return run->dae->n_signals + run->dae->n_output_signals;
}

ha_status ha__foresight_init(ha__foresight *f, ha__run *run)
{
    size_t n = (size_t) run->dae->n_signals, n_all = (size_t) count_all(run);

    *f = (ha__foresight){ .stop = (double) INFINITY };
    HA_TRY_ALLOC(run->ctx, f->recent, KEPT * n, f->lengths, KEPT, f->harmless, 2 * n);
    HA_TRY_ALLOC(run->ctx, f->bounds, 2 * n_all);
    HA_TRY_ALLOC_EACH(run->ctx, n_all, f->low, f->high, f->least);
    for (size_t k = 0; k < n; k++) {
        f->harmless[k] = (double) INFINITY;
        f->harmless[n + k] = -(double) INFINITY;
    }
    return HA_OK;
}

void ha__foresight_clear(ha__foresight *f)
{
    HA_FREE(f->recent, f->lengths, f->low, f->high, f->least, f->harmless, f->bounds);
    *f = (ha__foresight){ 0 };
}

/* Bounds of the signals from t0 to t1 into f->bounds: the lower ones, then the upper ones. */
static void bound(ha__run *run, double t0, double t1)
{
    ha__foresight *f = &run->foresight;

    run->dae->signals(run->dae->model, run->work, t0, t1, f->bounds, f->bounds + count_all(run));
}

/* --- what the method has seen ---------------------------------------------------------------- */

/* Widens bounds by the values of the signals at one time. */
static void widen(const double *values, int n, double *low, double *high)
{
    for (int k = 0; k < n; k++) {
        low[k] = fmin(low[k], values[k]); /* not a number does not count */
        high[k] = fmax(high[k], values[k]);
    }
}

/* The values of the n signals where the last step ended. */
static double *recent_values(const ha__foresight *f, size_t n)
{
    return f->recent + (size_t) (f->n_seen % KEPT) * n;
}

/* Notes what the signals are where the last step ended. */
static void note(ha__run *run, double t)
{
    ha__foresight *f = &run->foresight;
    size_t n = (size_t) run->dae->n_signals;

    if (f->may_do_none && t - f->begin >= WHOLE * (f->end - f->begin)) {
        widen(recent_values(f, n), (int) n, f->harmless, f->harmless + n);
    }
    f->n_seen++;
    bound(run, t, t);
    memcpy(recent_values(f, n), f->bounds, n * sizeof *f->bounds);
    f->lengths[f->n_seen % KEPT] = t - f->begin;
    f->may_do_none = t == f->stop && f->is_first && t - f->begin >= WHOLE * f->planned;
    f->is_first = false;
}

/* The bounds of what was seen, and will be at the ends of a planned step. */
static void gather(ha__run *run, double t0, double t1, double planned)
{
    ha__foresight *f = &run->foresight;
    int n = run->dae->n_signals, n_kept = f->n_seen < KEPT ? (int) f->n_seen : KEPT;

    memcpy(f->low, f->harmless, (size_t) n * sizeof *f->low);
    memcpy(f->high, f->harmless + n, (size_t) n * sizeof *f->high);
    for (int i = 0; i < n_kept; i++) {
        if (f->lengths[i] >= FAR_SHORTER * planned) {
            widen(f->recent + i * n, n, f->low, f->high);
        }
    }
    bound(run, t0, t0);
    widen(f->bounds, n, f->low, f->high);
    bound(run, t1, t1);
    widen(f->bounds, n, f->low, f->high);
}

/* --- what lies ahead ------------------------------------------------------------------------- */

/* By how much signal k may get off what was seen, at most, the bounds being known; in units of the
   distance of those bounds. */
static double get_off(const ha__run *run, int k)
{
    const ha__foresight *f = &run->foresight;
    double off = fmax(f->low[k] - f->bounds[k], f->bounds[count_all(run) + k] - f->high[k]);

    return off / fmax(f->high[k] - f->low[k], fmax(f->least[k], LEAST));
}

typedef struct {
    double begin, end, most;
} piece;

/* A piece of the step, and by how much signal k may get off in it. */
static piece look_at(ha__run *run, int k, double begin, double end)
{
    bound(run, begin, end);
    return (piece){ begin, end, get_off(run, k) };
}

/* A look for where signal k is off by most. */
typedef struct {
    piece pieces[MOST_PIECES];
    int n;
    double most;  /* that it is off by at the moments looked at; at first what is not much */
    double stop;  /* when */
    double share; /* of the largest value that is enough */
} search;

/* The piece in which the signal may get off by most. */
static piece *find_worst(search *s)
{
    piece *worst = &s->pieces[0];

    for (int i = 1; i < s->n; i++) {
        worst = s->pieces[i].most >= worst->most ? &s->pieces[i] : worst;
    }
    return worst;
}

/* The first piece before the stop in which it may get nearly as far off as there; NULL: none. */
static piece *find_earliest(search *s)
{
    piece *first = NULL;

    for (int i = 0; i < s->n; i++) {
        piece *p = &s->pieces[i];
        bool is_one = p->most > s->share * s->most && p->end < s->stop;
        first = is_one && (first == NULL || p->begin < first->begin) ? p : first;
    }
    return first;
}

/* Halves a piece and looks at its middle, which becomes the stop where it is off by `enough`. */
static void halve(ha__run *run, search *s, int k, piece *p, double enough)
{
    double begin = p->begin, middle = 0.5 * (p->begin + p->end), end = p->end;
    double here = look_at(run, k, middle, middle).most;

    s->stop = here > enough ? middle : s->stop;
    s->most = fmax(s->most, here);
    *p = look_at(run, k, begin, middle);
    s->pieces[s->n++] = look_at(run, k, middle, end);
}

/* The time from t0 to t1 at which signal k is off by most, or the first one at which it is by a
   share of that; t1 when it is not off by more than `*most`, which becomes by how much it is. */
static double find_stop(ha__run *run, int k, double t0, double t1, double share, double *most)
{
    search s = { { look_at(run, k, t0, t1) }, .n = 1, .most = *most, .stop = t1, .share = share };
    piece *p = find_worst(&s);

    while (s.n < MOST_PIECES && p->most > s.most && (s.stop == t1 || share * p->most > s.most)) {
        halve(run, &s, k, p, s.most);
        p = find_worst(&s);
    }
    p = find_earliest(&s);
    while (s.stop < t1 && s.n < MOST_PIECES && p != NULL) {
        halve(run, &s, k, p, share * s.most);
        p = find_earliest(&s);
    }
    *most = s.most;
    return s.stop;
}

/* The same, but what is far before the stop must not be off by a share of that either: the step may
   become shorter for what is at the stop, and would then not see it. */
static double find_early_stop(ha__run *run, int k, double t0, double t1)
{
    double most = MUCH, stop = t1, end = t1;
    double found = find_stop(run, k, t0, end, ENOUGH, &most);

    while (found < end) {
        stop = found;
        end = 0.5 * (t0 + stop);
        most = fmax(MUCH, EARLY * most);
        found = find_stop(run, k, t0, end, ENOUGH, &most);
    }
    return stop;
}

/* The least distances of n signals that count from t0 to t1; leaves the bounds there. */
static void find_least(ha__run *run, int n, double t0, double t1)
{
    ha__foresight *f = &run->foresight;

    bound(run, t0, t1);
    for (int k = 0; k < n; k++) {
        double range = f->bounds[count_all(run) + k] - f->bounds[k];
        f->least[k] = isfinite(range) ? LITTLE * range : 0.0;
    }
}

/* The first of these times for all signals. */
static double find_first_stop(ha__run *run, double t0, double t1)
{
    const int n = run->dae->n_signals;
    double stop = t1;

    find_least(run, n, t0, t1);
    for (int k = 0; k < n; k++) {
        if (get_off(run, k) > MUCH) {
            stop = fmin(stop, find_early_stop(run, k, t0, t1));
            bound(run, t0, t1);
        }
    }
    return stop;
}

ha_status ha__run_foresee(ha__run *run)
{
    ha__foresight *f = &run->foresight;
    double t = run->stats->t_reached, before = run->next_stop;

    if (run->dae->n_signals == 0) {
        return HA_OK;
    }
    note(run, t);
    run->next_stop = run->next_clock;
    HA_TRY(run->method->plan(run, &f->planned));
    double t1 = fmin(t + f->planned, run->next_clock);
    gather(run, t, t1, f->planned);
    double stop = find_first_stop(run, t, t1);
    f->begin = t;
    f->end = stop;
    f->is_first = stop > t && stop < t1;
    f->stop = f->is_first ? stop : (double) INFINITY;
    run->next_stop = fmin(f->stop, run->next_clock);
    return run->next_stop != before ? run->method->set_stop(run) : HA_OK;
}

double ha__run_unseen(ha__run *run, double t0, double t1)
{
    if (run->dae->n_signals == 0 || !(t1 > t0)) {
        return t1;
    }
    gather(run, t0, t1, t1 - t0);
    return find_first_stop(run, t0, t1);
}

/* --- crests ---------------------------------------------------------------------------------- */

/* The bounds of what n signals are at evenly spaced times. */
static void gather_points(ha__run *run, int n, double t0, double t1, int n_points)
{
    ha__foresight *f = &run->foresight;

    for (int i = 0; i <= n_points; i++) {
        double t = i == n_points ? t1 : t0 + (t1 - t0) * i / n_points;
        bound(run, t, t);
        for (int k = 0; k < n && i == 0; k++) {
            f->low[k] = (double) INFINITY;
            f->high[k] = -(double) INFINITY;
        }
        widen(f->bounds, n, f->low, f->high);
    }
}

/* Puts a time among those in order. */
static void insert(double *times, int n, double t)
{
    for (; n > 0 && times[n - 1] > t; n--) {
        times[n] = times[n - 1];
    }
    times[n] = t;
}

int ha__run_find_crests(ha__run *run, int n, double t0, double t1, int n_points,
                        double crests[HA__MOST_CRESTS])
{
    enum { OF_ONE = 4 };
    ha__foresight *f = &run->foresight;
    int n_crests = 0;

    if (n == 0 || !(t1 > t0)) {
        return 0;
    }
    gather_points(run, n, t0, t1, n_points);
    find_least(run, n, t0, t1);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < OF_ONE && n_crests < HA__MOST_CRESTS; i++) {
            double most = CREST, t = find_stop(run, k, t0, t1, NEARLY, &most);
            if (!(t < t1)) {
                break;
            }
            insert(crests, n_crests++, t);
            bound(run, t, t);
            f->low[k] = fmin(f->low[k], f->bounds[k]);
            f->high[k] = fmax(f->high[k], f->bounds[k]);
        }
    }
    return n_crests;
}
