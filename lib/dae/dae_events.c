/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events: where a system jumps or bends.
 *
 * Between events the sides of the switching functions g_k are held, so that the solver sees smooth
 * equations (lib/expr/expr_switch.h). At an event the sides that changed are set and a consistent
 * state is sought with the differential unknowns held; that may bring other g_k to the wrong side,
 * whose sides are then set, too, until all agree. A side that was set stays for this event: its g
 * is about 0.
 *
 * The unknowns are known to their tolerances, and so is g, which near 0 tells nothing of its side
 * then. Behind an event a step may be so short that g goes to and fro within that, and would switch
 * with each. So a side that was set may be off by a tenth of what the tolerances make of g, until g
 * has been on that side by more. Of a g that reads but states it is a ten-thousandth of that: they
 * go on from the event without a jump, by steps that are short and err by as little, and what is
 * pressed in by less than the tolerance has to be let go at the same place as what is pressed in by
 * more. Efforts are solved for anew in each step, of states that are known to their tolerances.
 *
 * When the next function of the time alone, a clock, changes is known before any step is taken
 * (dae_clocks.c). All other functions are looked at inside each step (dae_look.c).
 *
 * An unknown that holds a value (ha_dae_hold) gets its new one when the side of its condition is
 * set, from the state at the event, and is one of the differential unknowns from then on.
 *
 * What only an infinite effort can make jump (the stored energy, constraints) is compared before
 * and after each event. The sides meet on the surface g = 0, and an event is found near it, so that
 * a smooth c differs from side to side by about c' g there: by nothing that can be compared with c
 * itself, since constraints are about 0, nor with a length, since c' may be large. A jump J that is
 * one hardly changes where the unknowns do within their noise, while one that is only c' g does so
 * by as much as itself. So J is one when
 *
 *     |J| > rtol (|before| + |after|) + 4 max |J(y + noise) - J(y)|,
 *
 * for a few signs of the noise; round-off of large coordinates is in the difference, too.
 *
 * A condition that throws the system back as soon as it is met would switch for ever (sign() in dry
 * friction at rest): the surface between its sides is held then (dae_slide.c). Where that cannot be
 * done too many events in too short a time are refused.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIGNS = 4 };         /* tried of a change within the noise */
enum { MOST_EVENTS = 500 }; /* in a share of the run of */
static const double MOMENT = 1e-4;
enum { MOST_SETTLES = 8 };              /* conditions within conditions */
static const double AT_ONCE = 1e-200;   /* a time after 0 that is no time at all [s] */
static const double NOISE = 0.1;        /* share of the tolerances that tells nothing of a side, */
static const double STATE_NOISE = 1e-4; /* times that, of what reads but states */
static const double JUMP = 1e-9;        /* relative change that is no round-off */
static const double VARIES = 4.0;       /* times what a jump changes by in the noise: it is none */

ha_status ha__sides_init(ha__sides *sides, ha_ctx *ctx, const ha_dae *dae, double *work)
{
    size_t n = (size_t) dae->n_switches;

    *sides = (ha__sides){ .ctx = ctx, .dae = dae, .work = work };
    if (n == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC_EACH(ctx, n, sides->g, sides->side, sides->is_set, sides->slack, sides->g_at,
                      sides->low, sides->high);
    HA_TRY_ALLOC_EACH(ctx, dae->n, sides->nearby, sides->nearby_p);
    HA_TRY_ALLOC_EACH(ctx, dae->n_holds, sides->samples, sides->is_taken);
    HA_TRY_ALLOC_EACH(ctx, dae->n_continuous, sides->before, sides->after, sides->jump,
                      sides->varies, sides->beyond, sides->jump_nearby);
    return HA_OK;
}

void ha__sides_clear(ha__sides *sides)
{
    HA_FREE(sides->g, sides->side, sides->is_set, sides->slack, sides->g_at, sides->nearby,
            sides->nearby_p, sides->low, sides->high, sides->samples, sides->is_taken,
            sides->before, sides->after, sides->jump, sides->varies, sides->beyond,
            sides->jump_nearby);
    *sides = (ha__sides){ 0 };
}

/* Evaluates the switching functions. */
static void evaluate(ha__sides *sides, double t, const double *y, const double *yp)
{
    sides->dae->switching(sides->dae->model, sides->work, t, y, yp, sides->g);
}

static void put(ha__sides *sides)
{
    sides->dae->set_sides(sides->dae->model, sides->work, sides->side);
}

/* How far g is from leaving the side that is held; off it below 0. */
static double margin(const ha__sides *sides, int k)
{
    return (sides->side[k] != 0 ? sides->g[k] : -sides->g[k]) + sides->slack[k];
}

/* A g that has jumped to 0 is on the side from 0 on. */
static bool is_off(const ha__sides *sides, int k)
{
    bool is_at_0 = sides->side[k] == 0 && sides->g[k] == 0.0 && sides->slack[k] == 0.0;
    return is_at_0 || margin(sides, k) < 0.0;
}

/* --- all switching functions ---------------------------------------------------------------- */

double ha__sides_margin(ha__sides *sides, double t, const double *y, const double *yp,
                        const signed char *kinds, int kind)
{
    double least = (double) INFINITY;

    evaluate(sides, t, y, yp);
    for (int k = 0; k < sides->dae->n_switches; k++) {
        if (sides->dae->is_clock[k] == 0 && (kinds == NULL || kinds[k] == kind)) {
            least = fmin(least, margin(sides, k)); /* not a number does not count */
        }
    }
    return least;
}

/* Puts unknowns that are changed by a share of their tolerances into `nearby`, with signs that
   `random` goes on with; what has to be solved for fits them. What holds a value has no error. */
static ha_status move_nearby(ha__sides *sides, double t, const double *y, const double *yp,
                             uint32_t *random)
{
    const ha_dae *dae = sides->dae;

    memcpy(sides->nearby_p, yp, (size_t) dae->n * sizeof *yp);
    for (int j = 0; j < dae->n; j++) {
        double allowed = NOISE * ha__tolerance(dae, j, sides->rtol, sides->atol, y[j]);
        sides->nearby[j] = y[j] + (ha__random(random) >= 0.5 ? allowed : -allowed);
    }
    for (int i = 0; i < dae->n_holds; i++) {
        sides->nearby[dae->holds[i].unknown] = y[dae->holds[i].unknown];
    }
    return dae->switching_reads_solved != 0
               ? ha__refine(sides->refiner, t, sides->nearby, sides->nearby_p, NULL)
               : HA_OK;
}

/* A side that has been reached by more than its slack needs none any more. */
static void forget_noise(ha__sides *sides)
{
    for (int k = 0; k < sides->dae->n_switches; k++) {
        if (margin(sides, k) > 2.0 * sides->slack[k]) {
            sides->slack[k] = 0.0;
        }
    }
}

/* Lets the sides that were set in this event be off by a share of what the tolerances of the
   unknowns make of them: |sum of dg/dy_j (+-) tolerance_j|, for the largest of a few signs. Those
   that were set before may be so no more than by what it is now: near a singular position a
   multiplier is known to nothing, and behind it to its tolerance again. */
static ha_status allow_noise(ha__sides *sides, double t, const double *y, const double *yp)
{
    const ha_dae *dae = sides->dae;
    const size_t bytes = (size_t) dae->n_switches * sizeof *sides->g;
    double *noise = sides->low;
    uint32_t random = 1;

    if (!(sides->rtol > 0.0)) {
        return HA_OK;
    }
    evaluate(sides, t, y, yp);
    memcpy(sides->g_at, sides->g, bytes);
    memset(noise, 0, bytes);
    for (int i = 0; i < SIGNS; i++) {
        HA_TRY(move_nearby(sides, t, y, yp, &random));
        evaluate(sides, t, sides->nearby, sides->nearby_p);
        for (int k = 0; k < dae->n_switches; k++) {
            double share = dae->switch_reads_solved[k] != 0 ? 1.0 : STATE_NOISE;
            double change = share * fabs(sides->g[k] - sides->g_at[k]);
            noise[k] = isfinite(change) ? fmax(noise[k], change) : noise[k];
        }
    }
    memcpy(sides->g, sides->g_at, bytes);
    for (int k = 0; k < dae->n_switches; k++) {
        if (dae->is_clock[k] == 0 && isfinite(sides->slack[k])) { /* else it is held */
            sides->slack[k] = sides->is_set[k] != 0 ? noise[k] : fmin(sides->slack[k], noise[k]);
        }
    }
    forget_noise(sides); /* an event may jump right to its other side */
    return HA_OK;
}

/* Sets the sides that are off and were not set in this event; how many. What reads a side that was
   set is judged only when all is solved with it: in min(1/abs(t - 1), L) `abs`, on its old side
   beyond t = 1, makes -infinity of what `min` compares. It has a higher number than that side. */
static int set_off(ha__sides *sides, double t, const double *y, const double *yp)
{
    const size_t bytes = (size_t) sides->dae->n_switches * sizeof *sides->g;
    int n = 0;

    memcpy(sides->g_at, sides->g, bytes);
    for (int k = 0; k < sides->dae->n_switches; k++) {
        bool is_judged = sides->g[k] == sides->g_at[k];
        if (is_judged && sides->is_set[k] == 0 && is_off(sides, k)) {
            sides->side[k] = sides->side[k] == 0;
            sides->is_set[k] = 1;
            sides->slack[k] = 0.0;
            n++;
            put(sides);
            evaluate(sides, t, y, yp);
        }
    }
    memcpy(sides->g, sides->g_at, bytes);
    return n;
}

/* Gives the unknowns that hold a value a new one where the side of their condition was set, or all
   of them. What is sampled may be made of the value before, and changes once in an event. */
static void take_samples(const ha__sides *sides, double t, double *y, const double *yp, bool all)
{
    const ha_dae *dae = sides->dae;

    if (dae->n_holds == 0 || sides->keeps_held) {
        return;
    }
    dae->sample(dae->model, sides->work, t, y, yp, sides->samples);
    for (int i = 0; i < dae->n_holds; i++) {
        const ha_dae_hold *hold = &dae->holds[i];
        bool is_due = all || sides->is_set[hold->condition] != 0;
        if (is_due && hold->is_sampled != 0 && sides->is_taken[i] == 0) {
            y[hold->unknown] = sides->samples[i];
            sides->is_taken[i] = 1;
        } else if (is_due && hold->is_sampled == 0) {
            y[hold->unknown] = sides->side[hold->condition] != 0 ? sides->samples[i] : hold->rest;
        }
    }
}

/* An event begins: nothing was sampled in it. True where something is to be. */
static bool begin_samples(ha__sides *sides)
{
    bool is_any = false;

    for (int i = 0; i < sides->dae->n_holds; i++) {
        sides->is_taken[i] = 0;
        is_any = is_any || sides->dae->holds[i].is_sampled != 0;
    }
    return is_any;
}

/* Where the sides have no solution: a velocity is to be held that no effort has a lever on, as the
   angle of a rocker that turns back, or only one far beyond what can be had. It goes on to where it
   is pushed: the effort of the row that is off most gets beyond its limit there. True where that
   sets a side. */
static bool let_through(ha__sides *sides, double t, const double *y, const double *yp)
{
    const double far = 1e30;
    const ha_dae *dae = sides->dae;
    double *r = sides->nearby_p;
    int most = -1;

    if (dae->is_switched == NULL) {
        return false;
    }
    dae->residual(dae->model, sides->work, t, y, yp, r);
    for (int i = 0; i < dae->n; i++) {
        bool is_more = most < 0 || fabs(r[i]) > fabs(r[most]);
        most = dae->is_switched[i] != 0 && is_more ? i : most;
    }
    memcpy(sides->nearby, y, (size_t) dae->n * sizeof *y);
    sides->nearby[most] = r[most] > 0.0 ? -far : far;
    evaluate(sides, t, sides->nearby, yp);
    return set_off(sides, t, sides->nearby, yp) > 0;
}

/* A consistent state with the sides as they are, or with others where there is none. */
static ha_status solve(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    const size_t n_diags = ha_ctx_n_diags(sides->ctx), bytes = (size_t) sides->dae->n_switches;
    signed char *before = (signed char *) sides->high;
    ha_status status = HA_OK;

    do {
        ha__ctx_forget(sides->ctx, n_diags);
        put(sides);
        memcpy(before, sides->side, bytes);
        status = ha__dae_start(sides, t, y, yp, stats);
        if (status == HA_ERR_SOLVER) { /* it has tried others */
            memcpy(sides->side, before, bytes);
            put(sides);
        }
    } while (status == HA_ERR_SOLVER && let_through(sides, t, y, yp));
    return status;
}

/* A consistent state with sides that agree, those of is_set being right already. Each round sets
   one side at least, so that it ends. */
static ha_status settle(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    do {
        put(sides);
        take_samples(sides, t, y, yp, false);
        HA_TRY(solve(sides, t, y, yp, stats));
        evaluate(sides, t, y, yp);
    } while (set_off(sides, t, y, yp) > 0);
    return HA_OK;
}

void ha__sides_undo(ha__sides *sides)
{
    for (int k = 0; k < sides->dae->n_switches; k++) {
        sides->side[k] = (sides->side[k] != 0) != (sides->is_set[k] != 0);
        sides->is_set[k] = 0;
    }
    put(sides);
}

void ha__settle_sides(const ha_dae *dae, double *work, double t, const double *y, const double *yp,
                      bool keeps_clocks, double *g, signed char *side)
{
    bool is_same = dae->n_switches == 0;

    for (int i = 0; i < MOST_SETTLES && !is_same; i++) {
        is_same = true;
        dae->set_sides(dae->model, work, side);
        dae->switching(dae->model, work, t, y, yp, g);
        for (int k = 0; k < dae->n_switches; k++) {
            bool is_fixed = keeps_clocks && dae->is_clock[k] != 0;
            signed char found = is_fixed ? side[k] : (signed char) !(g[k] < 0.0);
            is_same = is_same && found == side[k];
            side[k] = found;
        }
    }
    if (dae->n_switches > 0) {
        dae->set_sides(dae->model, work, side);
    }
}

void ha__sides_follow(ha__sides *sides, double t, const double *y, const double *yp)
{
    const ha_dae *dae = sides->dae;

    if (dae->n_switches == 0) {
        return;
    }
    evaluate(sides, t, y, yp);
    for (int k = 0; k < dae->n_switches; k++) {
        bool is_fixed = dae->is_clock[k] != 0;
        for (int i = 0; i < dae->n_holds; i++) {
            is_fixed = is_fixed || dae->holds[i].condition == k;
        }
        sides->side[k] = is_fixed ? sides->side[k] : (signed char) !(sides->g[k] < 0.0);
    }
    put(sides);
}

/* Sets all sides to what the functions are at a time; they may hang on the sides of others, and are
   right only after as many rounds as one is inside the other. */
static void find_sides(ha__sides *sides, double t, const double *y, const double *yp)
{
    const ha_dae *dae = sides->dae;
    bool is_changed = true;

    for (int round = 0; round <= dae->n_switches && is_changed; round++) {
        is_changed = false;
        evaluate(sides, t, y, yp);
        for (int k = 0; k < dae->n_switches; k++) {
            signed char side = !(sides->g[k] < 0.0);
            is_changed = is_changed || side != sides->side[k];
            sides->side[k] = side;
            sides->is_set[k] = dae->is_clock[k];
        }
        put(sides);
    }
}

ha_status ha__sides_start(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    if (sides->dae->n_switches == 0) {
        return ha__dae_start(sides, t, y, yp, stats);
    }
    put(sides);
    /* clocks an instant later: they have the side that they are going to */
    find_sides(sides, t + 4.0 * DBL_EPSILON * fabs(t) + AT_ONCE, y, yp);
    sides->mark = t;
    if (begin_samples(sides) && !sides->keeps_held) { /* they read what is solved for */
        HA_TRY(ha__dae_start(sides, t, y, yp, stats));
    }
    take_samples(sides, t, y, yp, true);
    HA_TRY(settle(sides, t, y, yp, stats));
    if (ha__slide_begin(sides->slide, t, y, yp, stats) > 0) {
        HA_TRY(settle(sides, t, y, yp, stats));
    }
    HA_TRY(ha__slide_status(sides->slide));
    for (int k = 0; k < sides->dae->n_switches; k++) { /* start values are exact, efforts are not */
        sides->is_set[k] = sides->side[k] != 0 && sides->dae->switch_reads_solved[k] != 0;
    }
    return allow_noise(sides, t, y, yp);
}

/* Sets the sides that this event has set to what they were before it, and back. */
static void swap_sides(ha__sides *sides)
{
    for (int k = 0; k < sides->dae->n_switches; k++) {
        sides->side[k] = (sides->side[k] != 0) != (sides->is_set[k] != 0);
    }
    put(sides);
}

/* What the sides that were set change in what must not jump, at one point. */
static void find_jump(ha__sides *sides, double t, const double *y, const double *yp, double *jump)
{
    const ha_dae *dae = sides->dae;

    dae->keep(dae->model, sides->work, t, y, yp, jump);
    swap_sides(sides);
    dae->keep(dae->model, sides->work, t, y, yp, sides->beyond);
    swap_sides(sides);
    for (int i = 0; i < dae->n_continuous; i++) {
        jump[i] -= sides->beyond[i];
    }
}

/* How much the jumps change within the noise of the unknowns and of the time, into `varies`. */
static ha_status find_variation(ha__sides *sides, double t, const double *y, const double *yp)
{
    const ha_dae *dae = sides->dae;
    double late = 8.0 * DBL_EPSILON * fabs(t);
    double *there = sides->jump_nearby;
    uint32_t random = 1;

    find_jump(sides, t, y, yp, sides->jump);
    memset(sides->varies, 0, (size_t) dae->n_continuous * sizeof *sides->varies);
    for (int i = 0; i < SIGNS; i++) {
        HA_TRY(move_nearby(sides, t, y, yp, &random));
        find_jump(sides, i % 2 == 0 ? t + late : t - late, sides->nearby, sides->nearby_p, there);
        for (int k = 0; k < dae->n_continuous; k++) {
            double change = fabs(there[k] - sides->jump[k]);
            sides->varies[k] = isfinite(change) ? fmax(sides->varies[k], change) : sides->varies[k];
        }
    }
    return HA_OK;
}

/* The first quantity that jumps by more than its share and what it varies by; -1: none does. */
static int find_jumping(const ha__sides *sides)
{
    double share = fmax(JUMP, sides->rtol);

    for (int i = 0; i < sides->dae->n_continuous; i++) {
        double a = sides->before[i], b = sides->after[i];
        double allowed = sides->dae->round_off[i] + VARIES * sides->varies[i];
        if (!(fabs(b - a) <= share * (fabs(a) + fabs(b)) + allowed)) {
            return i;
        }
    }
    return -1;
}

/* HA_OK when nothing has jumped that cannot; the sides are those after the event. */
static ha_status check_jumps(ha__sides *sides, double t, const double *y, const double *yp)
{
    char jump[HA__NUMBER_SIZE], time[HA__NUMBER_SIZE];
    const char *condition = "";

    if (sides->dae->n_continuous == 0) {
        return HA_OK;
    }
    memset(sides->varies, 0, (size_t) sides->dae->n_continuous * sizeof *sides->varies);
    if (find_jumping(sides) < 0) {
        return HA_OK;
    }
    HA_TRY(find_variation(sides, t, y, yp));
    int i = find_jumping(sides);
    for (int k = sides->dae->n_switches - 1; k >= 0; k--) {
        condition = sides->is_set[k] != 0 ? sides->dae->switches[k] : condition;
    }
    return i < 0
               ? HA_OK
               : ha_fail(sides->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the %s jumps by %s at t = %s s, where `%s` changes its sign: that would "
                         "take an infinite effort; let what a source or motion prescribes change "
                         "smoothly there, or put a compliance, inertia or resistance behind it",
                         sides->dae->continuous[i],
                         ha__dae_number(jump, sides->after[i] - sides->before[i]),
                         ha__dae_number(time, t), condition);
}

/* Evaluates what must not jump, if there is an event. */
static void note_kept(const ha__sides *sides, double t, const double *y, const double *yp,
                      double *values)
{
    if (sides->dae->n_continuous > 0) {
        sides->dae->keep(sides->dae->model, sides->work, t, y, yp, values);
    }
}

/* The equation that side k changes most at this point. */
static const char *changed_by(ha__sides *sides, int k, double t, const double *y, const double *yp)
{
    const ha_dae *dae = sides->dae;
    double *values[2] = { sides->nearby, sides->nearby_p };
    int worst = 0;

    for (int i = 0; i < 2; i++) {
        sides->side[k] = sides->side[k] == 0;
        put(sides);
        dae->residual(dae->model, sides->work, t, y, yp, values[i]);
    }
    for (int i = 0; i < dae->n; i++) {
        values[0][i] = fabs(values[0][i] - values[1][i]);
        worst = values[0][i] > values[0][worst] ? i : worst;
    }
    return dae->n > 0 ? dae->equations[worst] : "";
}

static ha_status fail_chatter(ha__sides *sides, double t, const double *y, const double *yp)
{
    char time[HA__NUMBER_SIZE];
    int last = 0;

    for (int k = 0; k < sides->dae->n_switches; k++) {
        last = sides->is_set[k] != 0 ? k : last;
    }
    return ha_fail(
        sides->ctx, HA_ERR_SOLVER, HA_NOWHERE,
        "the solver stopped at t = %s s: the condition `%s` > 0 changes again and again "
        "there, %d times within %g of the run; what it switches most is the equation `%s`; write "
        "what you switch there as a smooth function, for example tanh(x/small) for sign(x), or "
        "give the two sides different limits; a contact or friction of a joint there needs more "
        "damping, a smoother law or looser tolerances",
        ha__dae_number(time, t), sides->dae->switches[last], (int) MOST_EVENTS, MOMENT,
        changed_by(sides, last, t, y, yp));
}

/* HA_OK unless there were too many events in a moment. */
static ha_status count_event(ha__sides *sides, double t, double t_end, const double *y,
                             const double *yp)
{
    if (t - sides->mark > MOMENT * t_end) {
        sides->mark = t;
        sides->n_recent = 0;
    }
    return ++sides->n_recent > MOST_EVENTS ? fail_chatter(sides, t, y, yp) : HA_OK;
}

/* A consistent state after an event, on the surfaces to which both sides lead. */
static ha_status settle_on_surfaces(ha__sides *sides, double t, double *y, double *yp,
                                    ha_dae_stats *stats)
{
    enum { ROUNDS = 20 };

    for (int round = 0; round < ROUNDS; round++) {
        HA_TRY(settle(sides, t, y, yp, stats));
        if (ha__slide_leave(sides->slide, t, y, yp) > 0) {
            continue;
        }
        if (ha__slide_enter(sides->slide, t, y, yp, stats) == 0) {
            break;
        }
    }
    return ha__slide_status(sides->slide);
}

ha_status ha__sides_step(ha__sides *sides, double t, double t_end, double *y, double *yp,
                         ha_dae_stats *stats, bool *is_event)
{
    evaluate(sides, t, y, yp);
    memset(sides->is_set, 0, (size_t) sides->dae->n_switches * sizeof *sides->is_set);
    int n_left = ha__slide_leave(sides->slide, t, y, yp);
    *is_event = set_off(sides, t, y, yp) + n_left > 0;
    forget_noise(sides);
    if (!*is_event) {
        return HA_OK;
    }
    stats->events++;
    HA_TRY(count_event(sides, t, t_end, y, yp));
    swap_sides(sides); /* what was before it */
    if (sides->dae->switching_reads_solved != 0) {
        HA_TRY(ha__refine(sides->refiner, t, y, yp, NULL));
    }
    note_kept(sides, t, y, yp, sides->before);
    swap_sides(sides);
    (void) begin_samples(sides);
    HA_TRY(settle_on_surfaces(sides, t, y, yp, stats));
    note_kept(sides, t, y, yp, sides->after);
    HA_TRY(allow_noise(sides, t, y, yp));
    return check_jumps(sides, t, y, yp);
}
