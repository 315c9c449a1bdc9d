/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equilibria: F(t, y, 0) = 0.
 *
 * Newton's method alone runs away from poor starts and stops at whatever equilibrium is near, the
 * unstable ones too. So each step is one of an implicit Euler method from rest, with the matrix
 *
 *     (dF/dy + c dF/dy') d = -F(t, y, 0),      c = 1 / length of the step [1/s],
 *
 * after which the velocities are set to 0 again (kinetic damping) and the positions are brought
 * back to their constraints. With mass M, stiffness K and the forces f of a mechanism that reads
 *
 *     (c^2 M + K) dq = f:
 *
 * a short step downhill for a large c, Newton's step for a small one. Between both, c decides:
 *
 *   - d must lead where the forces push, f' dq > 0. It does when c^2 M + K is positive, so that c
 *     stays above the growth rate of every direction that is unstable, and the search does not end
 *     on a saddle. f' dq is taken from the rows of the velocities, which are the forces with the
 *     multipliers; these do no work along dq. Where f' dq < 0 for what else moves, as oil that
 *     leaks, that part of d counts which f alone makes.
 *   - What the same matrix makes of F at the new values, e = -(..)^-1 F, must not be larger than d
 *     (the natural test of Deuflhard: it does not depend on units). The ratio |e| / |d| tells how
 *     good the linear model is, and how much is left.
 *   - No step is longer than a share of the sizes of the unknowns.
 *
 * Where one of them fails c grows; else it falls. Where the first cannot be met, as with forces
 * that follow the motion, it is given up.
 *
 * A step over which a switching function changes its side ends just behind the first change: the
 * equations are others there. So contacts are found one by one. Where the matrix is not positive
 * the steps of both sides may lead back over the change; then each goes next to nowhere, and c
 * grows until they agree.
 *
 * Only those velocities are set to 0 that have to vanish at rest: one that alone moves a position,
 * q' = v, and then whatever moves one with such velocities, q' = v2 - v1. The current of a coil is
 * none of them, nor is the speed of a shaft of which no angle is known: these have values at rest,
 * and are unknowns of the search like any other.
 *
 * Displacements that positions carry along, as the volume of closed oil, follow the whole way of a
 * step (dae_carried.c), so that they are those of the positions where the search ends.
 *
 * It is enough when each residual is round-off of its terms, or when the step is no longer than the
 * one that round-off of all terms makes. Multipliers and other algebraic unknowns have no size that
 * measures a step: they follow by Newton's method where the rest stands. A quantity that integrates
 * another one and acts on nothing has no equilibrium and needs none: it stays. Sampled values are
 * what they are sampled from (dae_held.c).
 */
#include <config.h>

#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "lib/dae/direct/dae_rest_priv.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 2000, MOST_FINISHES = 20 };

static const double FIRST_C = 1e3;         /* [1/s] */
static const double MOST_C = 1e18;         /* [1/s] a step this short leads nowhere */
static const double LEAST_C = 1e-9;        /* [1/s] */
static const double HARDER = 4.0;          /* c grows by */
static const double SOLVED = 1e-13;        /* residual beside its terms that is round-off */
static const double MET = 1e-6;            /* residual of an equilibrium at most, */
static const double FAINT = 1e-12;         /* and this [N, V ...], where nothing pushes at all */
static const double CLOSE = 1e-6;          /* a step this short may be round-off, */
static const double NOISE = 30.0;          /* being no longer than this many units of it */
static const double NOWHERE = 1e-6;        /* share of a step: it stays at a change of sides */
static const double CONFIRM = 0.1;         /* c falls by besides, then, to see the rest */
static const double SLOW = 1e-6;           /* [1/s] in a step this long nothing has inertia */
static const double CREEPS = 0.5;          /* |e| / |d| of such a step that goes on and on */
static const double STILL = 1e-14;         /* [1/s] sizes that creep at rest may go */
static const double FAR = 100.0;           /* sizes travelled: it runs away */
static const double MUCH_CONTRACTED = 0.1; /* |e| / |d| of a step after which c falls faster */

/* --- set-up ------------------------------------------------------------------------------- */

static ha_status make_room(ha__rest *it)
{
    size_t n = (size_t) it->dae->n;
    double **rooms[] = { &it->size, &it->origin, &it->y, &it->yp, &it->y_try, &it->y_cut,
                         &it->r,    &it->r_try,  &it->d, &it->e,  &it->terms, &it->still };

    for (size_t i = 0; i < HA_COUNT(rooms); i++) {
        HA_TRY_ALLOC(it->ctx, *rooms[i], n);
    }
    HA_TRY_ALLOC_EACH(it->ctx, n, it->pin, it->is_kept, it->holds);
    if (it->dae->is_switched != NULL) {
        HA_TRY_ALLOC(it->ctx, it->entries, it->dae->column_start[n]);
    }
    HA_TRY_ALLOC(it->ctx, it->side_before, it->dae->n_switches);
    return HA_OK;
}

static void clear(ha__rest *it)
{
    double *rooms[] = { it->size,  it->origin, it->y, it->yp,    it->y_try, it->y_cut, it->r,
                        it->r_try, it->d,      it->e, it->terms, it->still, it->work };

    for (size_t i = 0; i < HA_COUNT(rooms); i++) {
        ha__free(rooms[i]);
    }
    HA_FREE(it->pin, it->is_kept, it->holds, it->entries, it->side_before);
    ha__carried_clear(&it->carried);
    ha__stops_clear(&it->stops);
    ha__projector_free(it->projector);
    ha__sides_clear(&it->sides);
    ha__start_matrix_clear(&it->matrix);
    ha__held_clear(&it->held);
}

/* --- evaluation ----------------------------------------------------------------------------- */

/* What holds each unknown that is held, beside the forces that the equations know: the rest of the
   balance that its row would be. */
static void find_efforts(ha__rest *it, const bool *is_held, double *effort)
{
    const ha_dae *dae = it->dae;

    dae->residual(dae->model, it->work, it->t, it->y, it->yp, it->r_try);
    for (int j = 0; j < dae->n; j++) {
        int row =
            is_held != NULL && is_held[j] ? ha__velocity_of(&it->held.system, &it->matrix, j) : -1;
        effort[j] = row < 0 ? 0.0 : it->r_try[row];
    }
}

/* The largest residual at the iterate beside the terms of its equation, and which. */
static double measure(ha__rest *it, int *worst)
{
    const ha_dae *dae = &it->held.system;
    double most = 0.0;

    memset(it->terms, 0, (size_t) dae->n * sizeof *it->terms);
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            it->terms[dae->row[k]] += fabs(it->matrix.by_y[k] * it->y[j]);
        }
    }
    *worst = -1;
    for (int i = 0; i < dae->n; i++) {
        double size = fabs(it->r[i]), share = size > 0.0 ? size / (size + it->terms[i]) : 0.0;
        *worst = share > most ? i : *worst;
        most = fmax(most, share);
    }
    return most;
}

/* --- the search ----------------------------------------------------------------------------- */

static void take(ha__rest *it, double left)
{
    double *y = it->y, *r = it->r;

    it->y = it->y_try;
    it->y_try = y;
    it->r = it->r_try;
    it->r_try = r;
    it->stats->iterations++;
    it->c = fmax(LEAST_C, it->c * (left > HA__REST_AS_GOOD  ? 1.0
                                   : left < MUCH_CONTRACTED ? 0.1
                                                            : 0.3));
}

/* A step that is not good enough: a shorter one is; false where none is. */
static bool harden(ha__rest *it)
{
    it->c *= HARDER;
    if (it->c > MOST_C && it->goes_down) {
        it->goes_down = false;
        it->c = FIRST_C;
    }
    return it->c <= MOST_C;
}

/* The differential unknown that has gone, or would go, farthest. */
static int farthest(const ha__rest *it)
{
    double most = -1.0;
    int worst = 0;

    for (int j = 0; j < it->dae->n; j++) {
        double size = it->dae->unknowns[j].size > 0.0 ? it->dae->unknowns[j].size : it->size[j];
        double way = fabs(it->y[j] - it->origin[j]) / (size > 0.0 ? size : 1.0);
        if (ha__rest_is_measured(it, j) && way > most) {
            most = way;
            worst = j;
        }
    }
    it->stats->travelled = most;
    return worst;
}

/* What may be travelled: a long chain goes far. */
static double limit_of(const ha__rest *it)
{
    return FAR + (double) it->dae->n;
}

static ha_status fail(ha__rest *it, int equation)
{
    char steps[HA__NUMBER_SIZE], from[HA__NUMBER_SIZE], to[HA__NUMBER_SIZE];
    const char *name = it->dae->unknowns[farthest(it)].name;
    int j = farthest(it);

    if (it->stats->travelled > limit_of(it)) {
        return ha_fail(
            it->ctx, HA_ERR_SOLVER, HA_NOWHERE,
            "there is no equilibrium here: nothing holds `%s`, which went from %s to "
            "%s and on; give it a spring, a support or a joint, or hold its start value; "
            "dampers, and friction that is smooth in the speed, hold nothing at rest",
            name, ha__dae_number(from, it->origin[j]), ha__dae_number(to, it->y[j]));
    }
    return ha_fail(it->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "no equilibrium is found: `%s` is not met at rest, but off by %s of its terms "
                   "after %d steps; where a drive or a source goes on moving there is none, and it "
                   "has to be held; what a leak or a damper lets creep rests at its end only: "
                   "leave the leak out, or start nearer to an equilibrium",
                   equation >= 0 ? it->dae->equations[equation] : name,
                   ha__dae_number(steps, it->residual), it->stats->iterations);
}

/* What creeps for ever, and so slowly that nobody sees it in a year, is at rest: the round-off by
   which the laws of tyres and of friction keep clear of divisions by 0 is such a leak. True where
   the longest steps still go on as those before; the iterate is then that where it began. */
static bool stands_still(ha__rest *it, double size, double left)
{
    size_t bytes = (size_t) it->dae->n * sizeof *it->y;
    bool creeps = it->c <= SLOW && it->went == 1.0 && left >= CREEPS && left <= HA__REST_AS_GOOD &&
                  size * it->c <= STILL;

    if (creeps && !it->creeps) {
        memcpy(it->still, it->y, bytes);
    }
    it->creeps = creeps || (it->creeps && isinf(left));
    if (!creeps || it->c > LEAST_C) {
        return false;
    }
    memcpy(it->y, it->still, bytes);
    it->stats->error = size * it->c;
    it->c = SLOW;
    return ha__rest_evaluate(it, it->y, it->r) &&
           ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp) < 0;
}

/* One step from the iterate, as long as is good. `*is_done` where it is round-off. */
static ha_status go_on(ha__rest *it, bool *is_done)
{
    double left = (double) INFINITY, size = 0.0;

    while (isinf(left)) {
        bool is_regular = false;
        HA_TRY(ha__rest_factor(it, &is_regular));
        if (is_regular) {
            ha__rest_solve(it, it->r, it->d);
            size = it->stats->error = ha__rest_length(it, it->d);
            *is_done = size <= CLOSE && size <= NOISE * ha__rest_noise(it);
            if (*is_done) {
                return HA_OK;
            }
            HA_TRY(ha__rest_try(it, size, &left));
            *is_done = stands_still(it, size, left);
            if (*is_done) {
                return HA_OK;
            }
        }
        if (isinf(left) && !harden(it)) {
            return fail(it, -1);
        }
    }
    take(it, left);
    it->c *= size <= CLOSE ? CONFIRM : it->went < NOWHERE ? HARDER : 1.0;
    it->c = fmin(it->c, MOST_C);
    return HA_OK;
}

/* The largest residual beside the largest terms of all rows of its kind: balances, rates of
   positions, the rest. A balance of which all terms vanish has no measure of its own. */
static double measure_together(ha__rest *it, int *worst)
{
    double most[HA_VELOCITY + 1] = { 0.0 }, largest = 0.0;

    (void) measure(it, worst);
    for (int i = 0; i < it->dae->n; i++) {
        double *of_kind = &most[it->dae->unknowns[i].motion];
        *of_kind = fmax(*of_kind, fabs(it->r[i]) + it->terms[i]);
    }
    for (int i = 0; i < it->dae->n; i++) {
        double of_kind = most[it->dae->unknowns[i].motion];
        double share = fabs(it->r[i]) / (of_kind + FAINT / MET);
        *worst = share > largest ? i : *worst;
        largest = fmax(largest, share);
    }
    return largest;
}

/* The algebraic unknowns where the search came to: Newton's method until the residual falls no
   more. */
static ha_status finish(ha__rest *it)
{
    bool is_regular = false, falls = true;
    int worst = -1;

    it->residual = measure_together(it, &worst);
    for (int i = 0; i < MOST_FINISHES && falls && it->residual > 0.0; i++) {
        double before = it->residual;
        HA_TRY(ha__rest_factor(it, &is_regular));
        ha__rest_solve(it, it->r, it->d);
        for (int j = 0; j < it->dae->n && is_regular; j++) {
            it->y[j] += ha__rest_is_differential(it, j) ? 0.0 : it->d[j];
        }
        falls = is_regular && ha__rest_evaluate(it, it->y, it->r) &&
                ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp) < 0;
        it->residual = falls ? measure_together(it, &worst) : before;
        falls = falls && it->residual < 0.5 * before;
    }
    return it->residual <= MET ? HA_OK : fail(it, worst);
}

static ha_status search(ha__rest *it)
{
    int worst = -1;
    bool is_done = false;

    for (int k = 0; !is_done; k++) {
        if (ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp) >= 0) {
            return ha_fail(it->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "no equilibrium is found: a derivative of the equations is not finite "
                           "where the search came after %d steps; start elsewhere",
                           it->stats->iterations);
        }
        it->residual = measure(it, &worst);
        if (it->residual <= SOLVED) {
            it->stats->error = 0.0;
            return HA_OK;
        }
        if (k >= MOST_STEPS + 4 * it->dae->n ||
            (k % 32 == 31 && (farthest(it), it->stats->travelled > limit_of(it)))) {
            return fail(it, worst);
        }
        if (ha_ctx_is_interrupted(it->ctx)) {
            return HA_ERR_INTERRUPTED;
        }
        HA_TRY(go_on(it, &is_done));
    }
    return finish(it);
}

/* From the start values: consistent, and at rest where something moves freely. */
static ha_status begin(ha__rest *it, const double *parameters, const bool *is_held, const double *y)
{
    const ha_dae *dae = it->dae;
    size_t bytes = (size_t) dae->n * sizeof(double);
    ha_dae_stats stats = { 0 };

    HA_TRY(make_room(it));
    HA_TRY_ALLOC(it->ctx, it->work, dae->work_size);
    dae->prepare(dae->model, parameters, it->work);
    HA_TRY(ha__sides_init(&it->sides, it->ctx, dae, it->work));
    HA_TRY(ha__held_init(&it->held, it->ctx, dae));
    const ha_dae *system = &it->held.system;
    HA_TRY(ha__start_matrix_init(&it->matrix, it->ctx, system, it->work));
    HA_TRY(ha__projector_new(it->ctx, dae, it->work, true, &it->projector));
    memcpy(it->y, y, bytes);
    ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp);
    HA_TRY(ha__find_stops(it->ctx, system, &it->matrix, &it->stops));
    ha__find_kept(system, it->stops.is, it->is_kept);
    HA_TRY(ha__carried_init(&it->carried, it->ctx, &it->matrix, &it->stops));
    for (int j = 0; j < dae->n; j++) {
        it->y[j] = it->stops.is[j] ? 0.0 : it->y[j];
    }
    for (int k = 0; k < it->carried.n; k++) {
        it->size[it->carried.unknown[k]] = it->carried.span[k];
    }
    memcpy(it->origin, it->y, bytes);
    it->sides.keeps_held = true;
    HA_TRY(ha__sides_start(&it->sides, it->t, it->y, it->e, &stats));
    ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp);
    HA_TRY(ha__choose_pins(it->ctx, system, &it->matrix, is_held, it->pin));
    ha__held_unpin(&it->held, it->pin);
    if (!ha__rest_evaluate(it, it->y, it->r)) {
        return ha_fail(it->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "no equilibrium is found: the equations are not finite at the start");
    }
    return HA_OK;
}

ha_status ha_dae_rest(ha_ctx *ctx, const ha_dae *dae, const double *parameters, double t,
                      const bool *is_held, double *y, double *effort, ha_dae_rest_stats *stats)
{
    ha_dae_rest_stats unseen = { 0 };

    HA_NEED(ctx, ctx != NULL && dae != NULL && (y != NULL || dae->n == 0));
    stats = stats == NULL ? &unseen : stats;
    *stats = unseen;
    if (dae->n == 0) {
        return HA_OK;
    }
    ha__rest it = {
        .ctx = ctx, .dae = dae, .t = t, .c = FIRST_C, .goes_down = true, .stats = stats
    };
    ha_status status = begin(&it, parameters, is_held, y);
    if (status == HA_OK) {
        status = search(&it);
        HA_THEN(status, ha__held_refuse(&it.held, ctx, it.matrix.by_y, it.sides.side));
        stats->was_at_rest = status == HA_OK && stats->iterations == 0;
        memcpy(y, it.y, (size_t) dae->n * sizeof *y);
        if (effort != NULL) {
            find_efforts(&it, is_held, effort);
        }
    }
    clear(&it);
    return status;
}
