/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A look into a step: where a switching function first leaves its side.
 *
 * Between the ends of a step each unknown is a polynomial, the interpolant of the method. Over a
 * piece of the step about its middle m, of half length d,
 *
 *     y(t) = sum over k of c_k (t - m)^k   is within   c_0 +- sum over k > 0 of |c_k| d^k,
 *
 * and its rate likewise. From these ranges the switching functions g are enclosed, and their rates
 * (lib/tape/tape_range.c). For every g that is watched the piece is clear when
 *
 *   - the range of g lies on its side; or
 *   - that of g' lies on one side of 0, and g is on its side at the end of the piece; or
 *   - g can leave its side by no more than the tolerances of the unknowns let it be wrong, as in a
 *     contact at rest, and is on it at the end.
 *
 * Any other piece is halved, the first half first. So no event is missed, however short, as far as
 * the interpolant is right: the pieces become as short as distance, velocity and its change ask for
 * (conservative advancement), and where nothing is near one look over all of the step is enough.
 * Two functions that only touch 0 would be halved for ever: after so many pieces only the ends of
 * what is left are compared.
 *
 * What reads algebraic unknowns or derivatives has no such polynomial in an explicit method, which
 * solves for them at points. There the signs are compared at the rows, at some times between, and
 * at the crests of what depends on the time alone.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_SPANS = 200, /* pieces of a step that are enclosed */
    DEEPEST = 40,     /* halvings of one */
    LOOKS = 4         /* at what is compared at points */
};

/* What a function may be off its side beside what the tolerances let it be wrong. */
static const double UNDECIDED = 0.1;
static const double ROUND_OFF = 1e-15; /* of a polynomial */

enum { CLOCK, ENCLOSED, SAMPLED };

ha_status ha__look_init(ha__look *look, ha__run *run)
{
    const ha_dae *dae = run->dae;
    size_t n = (size_t) dae->n_switch_inputs, n_switches = (size_t) dae->n_switches;

    *look = (ha__look){ .run = run };
    if (n_switches == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(run->ctx, look->coefficients, n * (HA__MOST_DEGREE + 1), look->inputs, 5 * n);
    HA_TRY_ALLOC(run->ctx, look->bounds, 5 * n_switches, look->kind, n_switches);
    for (size_t k = 0; k < n_switches; k++) {
        look->n_watched += dae->is_clock[k] == 0 ? 1 : 0;
    }
    return HA_OK;
}

void ha__look_clear(ha__look *look)
{
    HA_FREE(look->coefficients, look->inputs, look->bounds, look->kind);
    *look = (ha__look){ 0 };
}

/* --- enclosures ------------------------------------------------------------------------------ */

/* The polynomial of an input about u instead of 0. */
static void shift(const ha__look *look, int i, double u, double c[HA__MOST_DEGREE + 1])
{
    const int n = look->run->dae->n_switch_inputs, degree = look->degree;

    for (int k = 0; k <= degree; k++) {
        c[k] = look->coefficients[k * n + i];
    }
    for (int k = 0; k < degree; k++) {
        for (int l = degree - 1; l >= k; l--) {
            c[l] += u * c[l + 1];
        }
    }
}

/* Bounds of an input over the shares u - d to u + d of the step. */
static void bound_input(ha__look *look, int i, double u, double d)
{
    double c[HA__MOST_DEGREE + 1] = { 0.0 }, reach[2] = { 0.0, 0.0 }, power = 1.0;
    int n = look->run->dae->n_switch_inputs;
    double *at = look->inputs + i, size = 0.0;

    shift(look, i, u, c);
    double low = c[0], high = c[0];
    for (int k = 1; k <= look->degree; k++) {
        reach[1] += k > 1 ? k * fabs(c[k]) * power : 0.0;
        power *= d;
        reach[0] = k % 2 == 1 ? fabs(c[k]) * power : 0.0;
        low -= k % 2 == 1 ? reach[0] : fmax(-c[k] * power, 0.0);
        high += k % 2 == 1 ? reach[0] : fmax(c[k] * power, 0.0);
        size += fabs(c[k]) * power;
    }
    double room = size > 0.0 ? ROUND_OFF * (fabs(c[0]) + size) : 0.0;
    double slope = look->degree > 0 ? c[1] : 0.0;
    at[0] = c[0];
    at[n] = low - room;
    at[2 * n] = high + room;
    at[3 * n] = (slope - reach[1]) / look->h;
    at[4 * n] = (slope + reach[1]) / look->h;
}

/* Encloses the functions over `half` about time t, the inputs being bounded. */
static void enclose(ha__look *look, double t, double half)
{
    const ha_dae *dae = look->run->dae;
    int n = dae->n_switch_inputs, n_switches = dae->n_switches;
    const double *in = look->inputs;
    double *out = look->bounds;
    const ha_dae_span span = { t, half, in, in + n, in + 2 * n, in + 3 * n, in + 4 * n };

    dae->enclose(dae->model, look->run->work, &span, out, out + n_switches, out + 2 * n_switches,
                 out + 3 * n_switches);
}

/* What the tolerances of the unknowns let each function be wrong at the end of the step. */
static void find_noise(ha__look *look)
{
    const ha__run *run = look->run;
    const ha_dae *dae = run->dae;
    int n = dae->n_switch_inputs;
    double *noise = look->bounds + 4 * dae->n_switches, *in = look->inputs;

    for (int i = 0; i < n; i++) {
        int number = dae->switch_inputs[i], j = number % dae->n;
        bound_input(look, i, look->end, 0.0);
        double y = number < dae->n ? in[i] : run->y[j];
        double tolerance = ha__tolerance(dae, j, run->options->rtol, run->options->atol, y);
        tolerance = number < dae->n ? tolerance : tolerance / look->h;
        in[n + i] -= UNDECIDED * tolerance;
        in[2 * n + i] += UNDECIDED * tolerance;
    }
    enclose(look, look->base + look->h * look->end, 0.0);
    for (int k = 0; k < dae->n_switches; k++) {
        double width = look->bounds[dae->n_switches + k] - look->bounds[k];
        noise[k] = isfinite(width) ? width : 0.0;
    }
    look->has_noise = true;
}

/* What the functions do over a piece. */
typedef enum { CLEAR, MONOTONIC, UNKNOWN } outcome;

static outcome judge(ha__look *look, double a, double b)
{
    const ha__run *run = look->run;
    int n = run->dae->n_switches;
    const double *low = look->bounds, *high = low + n, *noise = low + 4 * n;
    double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    outcome found = CLEAR;

    look->left--;
    for (int i = 0; i < run->dae->n_switch_inputs; i++) {
        bound_input(look, i, middle, half);
    }
    enclose(look, look->base + look->h * middle, look->h * half);
    for (int k = 0; k < n; k++) {
        double over = (run->sides.side[k] != 0 ? -low[k] : high[k]) - run->sides.slack[k];
        if (look->kind[k] != ENCLOSED || over <= 0.0) {
            continue;
        }
        bool is_monotonic = low[2 * n + k] >= 0.0 || low[3 * n + k] <= 0.0;
        bool is_small = look->has_noise && over <= noise[k];
        found = is_monotonic || is_small ? (found == CLEAR ? MONOTONIC : found) : UNKNOWN;
    }
    return found;
}

/* How far the functions that are enclosed are from leaving their sides at the share u of the
   step; below 0 where one is off. */
static double margin(ha__look *look, double u)
{
    ha__run *run = look->run;
    const ha_dae *dae = run->dae;
    double c[HA__MOST_DEGREE + 1];

    for (int i = 0; i < dae->n_switch_inputs; i++) {
        int number = dae->switch_inputs[i];
        shift(look, i, u, c);
        *(number < dae->n ? run->y_in + number : run->yp_in + number - dae->n) = c[0];
    }
    return ha__sides_margin(&run->sides, look->base + look->h * u, run->y_in, run->yp_in,
                            look->kind, ENCLOSED);
}

/* The first piece of that from a to b at whose end a function is off its side, into `piece`. */
static bool find_piece(ha__look *look, double a, double b, int depth, double piece[2])
{
    bool is_last = depth == DEEPEST || look->left <= 0;
    outcome found = is_last ? MONOTONIC : judge(look, a, b);

    if (found == UNKNOWN && !look->has_noise) {
        find_noise(look);
        found = judge(look, a, b);
    }
    if (found == UNKNOWN) {
        double middle = 0.5 * (a + b);
        return find_piece(look, a, middle, depth + 1, piece) ||
               find_piece(look, middle, b, depth + 1, piece);
    }
    piece[0] = a;
    piece[1] = b;
    return found == MONOTONIC && margin(look, b) < 0.0;
}

/* The moment in a piece from which on a function is off its side. */
static double find_moment(ha__look *look, const double piece[2])
{
    enum { HALVINGS = 60 };
    double on = piece[0], off = piece[1], least = 2.0 * DBL_EPSILON * fabs(look->t1) / look->h;

    for (int i = 0; i < HALVINGS && off - on > least; i++) {
        double u = 0.5 * (on + off);
        *(margin(look, u) < 0.0 ? &off : &on) = u;
    }
    return fmin(look->base + look->h * off, look->t1);
}

/* Looks at those that are enclosed; as ha__look_next(). */
static bool look_by_enclosures(ha__look *look, double *t, double *speed)
{
    double piece[2], begin = (*t - look->base) / look->h;

    if (look->n_enclosed == 0 || !(begin < look->end) ||
        !find_piece(look, begin, look->end, 0, piece)) {
        return false;
    }
    *speed = (margin(look, piece[0]) - margin(look, piece[1])) / (look->h * (piece[1] - piece[0]));
    *t = find_moment(look, piece);
    return true;
}

/* --- points ---------------------------------------------------------------------------------- */

/* How far the others are from leaving their sides at a time, as the method interpolates there. */
static double margin_at(ha__look *look, double t)
{
    ha__run *run = look->run;

    run->method->dense(run, t, run->y_in, run->yp_in);
    return ha__sides_margin(&run->sides, t, run->y_in, run->yp_in, look->kind, SAMPLED);
}

/* The times at which the others are looked at: rows, crests of signals, and some more. */
typedef struct {
    double begin, end;
    int64_t row;
    int look, crest, n_crests;
    double crests[HA__MOST_CRESTS];
} points;

/* The next of them; the last is the end. */
static double next_point(const ha__recorder *recorder, points *p)
{
    double look = p->look == LOOKS ? p->end : p->begin + (p->end - p->begin) * p->look / LOOKS;
    double crest = p->crest < p->n_crests ? p->crests[p->crest] : p->end;
    double row = p->row < recorder->n_grid ? ha__record_time(recorder, p->row) : p->end;

    if (row < look && row <= crest) {
        p->row++;
        return row;
    }
    if (crest < look) {
        p->crest++;
        return crest;
    }
    p->look++;
    return look;
}

/* Looks at the others up to t1. */
static bool look_at_points(ha__look *look, double t1, double *t, double *speed)
{
    enum { HALVINGS = 50 };
    const ha__recorder *recorder = &look->run->recorder;
    points p = { .begin = *t, .end = t1, .row = recorder->next, .look = 1 };
    double on = *t, off = *t, before = 0.0, after = 0.0;

    p.n_crests = ha__run_find_crests(look->run, look->run->dae->n_signals, *t, t1, LOOKS, p.crests);
    while (p.look <= LOOKS && !(after < 0.0)) {
        double t_point = next_point(recorder, &p);
        if (t_point > p.begin) {
            before = after;
            on = off;
            off = t_point;
            after = margin_at(look, t_point);
        }
    }
    if (!(after < 0.0)) {
        return false;
    }
    *speed = (before - after) / (off - on);
    for (int i = 0; i < HALVINGS && off - on > 4.0 * DBL_EPSILON * off; i++) {
        double middle = 0.5 * (on + off);
        *(margin_at(look, middle) < 0.0 ? &off : &on) = middle;
    }
    *t = off;
    return true;
}

/* --- the look -------------------------------------------------------------------------------- */

/* How each function is looked at in this step. */
static void choose_kinds(ha__look *look)
{
    const ha_dae *dae = look->run->dae;
    const ha__method *method = look->run->method;

    look->n_sampled = look->n_enclosed = 0;
    for (int k = 0; k < dae->n_switches; k++) {
        bool is_solved = dae->switch_reads_solved[k] != 0 && !method->unfolds_solved;
        look->kind[k] = dae->is_clock[k] != 0           ? CLOCK
                        : is_solved || look->degree < 0 ? SAMPLED
                                                        : ENCLOSED;
        look->n_sampled += look->kind[k] == SAMPLED ? 1 : 0;
        look->n_enclosed += look->kind[k] == ENCLOSED ? 1 : 0;
    }
}

void ha__look_begin(ha__look *look, double t1)
{
    look->degree = look->run->method->unfold(look->run, look->coefficients, &look->base, &look->h);
    look->degree = look->h > 0.0 ? look->degree : -1; /* a step that does not advance the time */
    choose_kinds(look);
    look->t1 = t1;
    look->end = (t1 - look->base) / look->h;
    look->left = MOST_SPANS;
    look->has_noise = false;
}

bool ha__look_next(ha__look *look, double *t, double *speed)
{
    double enclosed = *t, sampled = *t;
    bool is_any = look_by_enclosures(look, &enclosed, speed);
    double t1 = is_any ? enclosed : look->t1;

    if (look->n_sampled > 0 && look_at_points(look, t1, &sampled, speed)) {
        *t = sampled;
        return true;
    }
    *t = is_any ? enclosed : *t;
    return is_any;
}
