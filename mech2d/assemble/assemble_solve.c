/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assembly: the search for positions and velocities.
 *
 * Positions: Gauss-Newton on phi(q) = 0. Each step d is the one of least weighted length with
 * J d = -phi; it is shortened so that no angle turns by more than 0.5 rad, and halved until the
 * residual falls. First the positions that were not given follow the angles, then all that was not
 * given follows what was, and only then do guesses move. Last, what moved is brought to the nearest
 * point of the constraints: with u = q0 - q the step is d = u + s, J s = -phi - J u, s of least
 * weighted length. Starts that lead nowhere, such as a linkage drawn in one line, are disturbed
 * by known angles and tried again.
 *
 * Velocities: v = v0 + s with J s = -(d phi / dt)_t - J v0, in the same order of freedom.
 *
 * Where elastic rows cannot be met, the one violated most is opened and all is sought again. So are
 * guesses of start values, each of which is a row. They say on which branch the mechanism is to be:
 * all is sought again from where all of them are met, with joints left open where these forbid it.
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_STEPS = 100, /* of one search: the longest turn, pi, takes 7 */
    MAX_HALVINGS = 10,
    MAX_ATTEMPTS = 6,
    MAX_REFINEMENTS = 30
};

static const double largest_turn = 0.5; /* [rad] of one step: the constraints bend beyond */
static const double round_off = 1e-15;  /* residual at which no step is tried any more */

/* --- positions ------------------------------------------------------------------------------ */

/* The factor that keeps all angles of a step within the largest turn. */
static double limit_of(const m2d_assembly *a)
{
    double largest = 0.0;

    for (int j = 2; j < a->n; j += 3) {
        largest = fmax(largest, fabs(a->step[j]));
    }
    return largest > largest_turn ? largest_turn / largest : 1.0;
}

/* The positions that a part of the step leads to; false where the numbers of none change. */
static bool set_trial(m2d_assembly *a, const double *q, double factor)
{
    bool moves = false;

    for (int j = 0; j < a->n; j++) {
        a->trial[j] = q[j] + factor * a->step[j];
        moves = moves || a->trial[j] != q[j];
    }
    return moves;
}

/* Goes along the step until the residual falls below `*size`, which becomes the new residual; false
   when it does not. */
static bool advance(m2d_assembly *a, double *q, double *size)
{
    double factor = limit_of(a);

    for (int k = 0; k <= MAX_HALVINGS && set_trial(a, q, factor); k++, factor /= 2.0) {
        double trial_size = m2d__residual(a, a->trial);
        if (trial_size < *size) {
            memcpy(q, a->trial, (size_t) a->n * sizeof *q);
            *size = trial_size;
            return true;
        }
    }
    return false;
}

/* Takes what the free coordinates do to a row out of the Jacobian where it is round-off of the row,
   as the cosine of a slider at 90 deg to them: divided by that a step would get any size. */
static void drop_round_off(m2d_assembly *a)
{
    const m2d_system *system = a->system;
    double *whole = a->whole, *share = a->right;
    bool is_any = false;

    for (int i = 0; i < a->n_rows; i++) {
        whole[i] = share[i] = 0.0;
    }
    for (int j = 0; j < a->n; j++) {
        double unit = j % 3 == 2 ? 1.0 / system->length : 1.0;
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            int64_t row = system->entry_row[k];
            double size = fabs(a->velocity_out[k]) * unit;
            whole[row] = size > whole[row] ? size : whole[row];
            share[row] = a->free_scale[j] > 0.0 && size > share[row] ? size : share[row];
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        is_any = is_any || share[i] <= 1e-12 * whole[i];
    }
    for (int j = 0; j < a->n && is_any; j++) {
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            int64_t row = system->entry_row[k];
            if (a->free_scale[j] > 0.0 && share[row] <= 1e-12 * whole[row]) {
                a->velocity_out[k] = 0.0;
            }
        }
    }
}

ha_status m2d__search_positions(m2d_assembly *a, m2d__freedom freedom, double *q, double *size)
{
    a->is_stuck = false;
    if (*size <= round_off || m2d__set_free(a, freedom, false) == 0) {
        return HA_OK;
    }
    for (int step = 0; step<MAX_STEPS && * size> 0.0; step++) {
        if (ha_ctx_is_interrupted(a->system->ctx)) {
            return ha_fail(a->system->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE,
                           "interrupted while the mechanism was assembled");
        }
        double before = *size;
        m2d__jacobian(a, q);
        drop_round_off(a);
        for (int i = 0; i < a->n_rows; i++) {
            a->right[i] = -a->residual[i];
        }
        HA_TRY(m2d__least_norm(a, a->right, a->step));
        a->n_steps++;
        if (!advance(a, q, size)) {
            *size = m2d__residual(a, q);
            a->is_stuck = true;
            break;
        }
        if (*size < 1e-12 && *size > 0.5 * before) {
            break;
        }
    }
    return HA_OK;
}

/* Goes on after a search with fewer coordinates free, unless these are all the same: where no step
   helped, the same step would be tried again. */
static ha_status search_on(m2d_assembly *a, m2d__freedom before, m2d__freedom freedom, double *q,
                           double *size)
{
    bool is_same =
        a->is_stuck && m2d__set_free(a, before, false) == m2d__set_free(a, freedom, false);

    return is_same ? HA_OK : m2d__search_positions(a, freedom, q, size);
}

/* How far free coordinates are from q0, weighted. */
static double distance(const m2d_assembly *a, const double *q0, const double *q)
{
    double sum = 0.0;

    for (int j = 0; j < a->n; j++) {
        double d = a->free_scale[j] > 0.0 ? (q[j] - q0[j]) / a->free_scale[j] : 0.0;
        sum += d * d;
    }
    return sqrt(sum);
}

/* right = -phi - J u with u = q0 - q of the free coordinates; u goes into trial. */
static void set_nearest_right(m2d_assembly *a, const double *q0, const double *q)
{
    const m2d_system *system = a->system;

    for (int i = 0; i < a->n_rows; i++) {
        a->right[i] = -a->residual[i];
    }
    for (int j = 0; j < a->n; j++) {
        a->trial[j] = a->free_scale[j] > 0.0 ? q0[j] - q[j] : 0.0;
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            a->right[system->entry_row[k]] -= a->velocity_out[k] * a->trial[j];
        }
    }
}

/* From a point of the constraints towards the one nearest to q0, as long as that gets nearer;
   `best` is room. */
static ha_status refine(m2d_assembly *a, const double *q0, double *q, double *best, double *size)
{
    m2d__set_free(a, M2D__FREE_GUESSES, false);
    for (int k = 0; k < MAX_REFINEMENTS; k++) {
        double before = distance(a, q0, q), moved = 0.0;
        memcpy(best, q, (size_t) a->n * sizeof *q);
        double best_size = *size = m2d__residual(a, q);
        m2d__jacobian(a, q);
        set_nearest_right(a, q0, q);
        HA_TRY(m2d__least_norm(a, a->right, a->step));
        a->n_steps++;
        for (int j = 0; j < a->n; j++) {
            double d = a->step[j] + a->trial[j];
            moved = a->free_scale[j] > 0.0 ? fmax(moved, fabs(d / a->free_scale[j])) : moved;
            q[j] += d;
        }
        *size = m2d__residual(a, q);
        HA_TRY(m2d__search_positions(a, M2D__FREE_GUESSES, q, size));
        m2d__set_free(a, M2D__FREE_GUESSES, false);
        if (*size > m2d__accepted_residual || !(distance(a, q0, q) < before)) {
            memcpy(q, best, (size_t) a->n * sizeof *q);
            *size = best_size;
            break;
        }
        if (moved <= 1e-12 * before) {
            break;
        }
    }
    *size = m2d__residual(a, q);
    return HA_OK;
}

/* The start of attempt number `attempt`: as given, then with disturbed angles where these may
   move; in the turn that the rows want. */
static ha_status set_start(m2d_assembly *a, int attempt, double *q)
{
    for (int j = 0; j < a->n; j++) {
        const m2d__mass *mass = &a->system->masses.items[j / 3];
        q[j] = mass->start[j % 3];
        if (attempt > 1 && j % 3 == 2 && !mass->is_fixed[M2D_ANGLE]) {
            q[j] += 0.1 * attempt * sin(1.0 + 2.4 * j * attempt); /* no two alike */
        }
    }
    return m2d__take_turns(a, q);
}

/* One attempt from q; `room` (2 n) holds what refinement compares with. */
static ha_status attempt_from(m2d_assembly *a, double *q, double *room, double *size)
{
    double *q0 = room, *best = room + a->n;

    *size = m2d__residual(a, q);
    HA_TRY(m2d__search_positions(a, M2D__FREE_POSITIONS, q, size));
    HA_TRY(search_on(a, M2D__FREE_POSITIONS, M2D__FREE_UNGIVEN, q, size));
    memcpy(q0, q, (size_t) a->n * sizeof *q);
    bool guesses_move = *size > m2d__accepted_residual;
    HA_TRY(search_on(a, M2D__FREE_UNGIVEN, M2D__FREE_GUESSES, q, size));
    return guesses_move && *size <= m2d__accepted_residual ? refine(a, q0, q, best, size) : HA_OK;
}

/* All attempts, the first from the best positions so far where it `goes_on`; the best q and its
   residual. `room` (4 n). */
static ha_status try_positions(m2d_assembly *a, bool goes_on, double *room, double *best_size)
{
    double *q = room + 2 * a->n;
    size_t bytes = (size_t) a->n * sizeof *q;

    *best_size = (double) INFINITY;
    if (!goes_on) {
        HA_TRY(set_start(a, 1, a->q));
    }
    for (int attempt = 1; attempt <= MAX_ATTEMPTS && !(*best_size <= m2d__accepted_residual);
         attempt++) {
        double size = (double) INFINITY;
        if (attempt == 1) {
            memcpy(q, a->q, bytes);
        } else {
            HA_TRY(set_start(a, attempt, q));
        }
        HA_TRY(attempt_from(a, q, room, &size));
        if (size < *best_size || attempt == 1) {
            *best_size = size;
            memcpy(a->q, q, bytes);
        }
        a->n_attempts = attempt;
    }
    return HA_OK;
}

/* The joint's row that is violated most, -1: none. */
static int worst_of_joints(const m2d_assembly *a)
{
    double largest = m2d__accepted_residual;
    int worst = -1;

    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        double size = fabs(a->residual[i]) / (row->is_angle ? 1.0 : a->system->length);
        if (!row->is_start && !a->is_open[i] && size > largest) {
            largest = size;
            worst = i;
        }
    }
    return worst;
}

/* Positions in which all start values are met, with joints left open where they are not, into a->q;
   `room` (2 n). What is open stays as it was. */
static ha_status seek_guesses(m2d_assembly *a, double *room)
{
    enum { MOST_OPENED = 12 };
    double *q = room + 2 * a->n, size = 0.0;
    bool *was_open = NULL;
    ha_status status = HA_OK;
    int worst = 0;

    HA_TRY_ALLOC(a->system->ctx, was_open, a->n_rows);
    memcpy(was_open, a->is_open, (size_t) a->n_rows * sizeof *was_open);
    for (int k = 0; k < MOST_OPENED && worst >= 0 && status == HA_OK; k++) {
        status = set_start(a, 1, q);
        size = m2d__residual(a, q);
        HA_THEN(status, m2d__search_positions(a, M2D__FREE_UNGIVEN, q, &size));
        HA_THEN(status, m2d__search_positions(a, M2D__FREE_GUESSES, q, &size));
        m2d__residual(a, q);
        worst = worst_of_joints(a);
        if (worst >= 0) {
            a->is_open[worst] = true;
        }
    }
    memcpy(a->is_open, was_open, (size_t) a->n_rows * sizeof *was_open);
    memcpy(a->q, q, (size_t) a->n * sizeof *q);
    ha__free(was_open);
    return status;
}

ha_status m2d__seek_positions(m2d_assembly *a, bool *is_assembled)
{
    double *room = ha__alloc(a->system->ctx, (size_t) a->n + 1, 3 * sizeof *room);
    double size = 0.0;
    ha_status status = room == NULL ? HA_ERR_MEMORY : HA_OK;
    bool goes_on = false;

    a->seeks_rates = false;
    m2d__open_rows(a, false);
    while (status == HA_OK) {
        status = try_positions(a, goes_on, room, &size);
        if (status != HA_OK || size <= m2d__accepted_residual) {
            break;
        }
        m2d__residual(a, a->q);
        int guess = m2d__worst_guess(a, a->residual);
        if (guess >= 0) {
            status = seek_guesses(a, room);
            a->is_open[guess] = goes_on = true;
        } else if (m2d__open_worst(a, a->residual)) {
            goes_on = false;
        } else {
            break;
        }
    }
    ha__free(room);
    *is_assembled = size <= m2d__accepted_residual;
    return status;
}

ha_status m2d__assemble_positions(m2d_assembly *a)
{
    bool is_assembled = false;
    double *room = NULL;

    HA_TRY(m2d__seek_positions(a, &is_assembled));
    if (is_assembled) {
        m2d__residual(a, a->q);
        return HA_OK;
    }
    HA_TRY_ALLOC(a->system->ctx, room, a->n);
    return ha__then_free(m2d__fail_positions(a, room), room);
}

/* Where a row's angle starts just between two multiples of its period, either would do. */
ha_status m2d__note_ties(m2d_assembly *a)
{
    const double tie = 0.5 - 1e-6; /* of a period */
    const double degree = acos(-1.0) / 180.0;
    bool has_period = false;

    for (int i = 0; i < a->n_rows; i++) {
        has_period = has_period || a->system->rows.items[i].period > 0.0;
    }
    if (!has_period) {
        return HA_OK;
    }
    HA_TRY(set_start(a, 1, a->trial));
    m2d__residual(a, a->trial);
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        if (row->period > 0.0 && fabs(a->residual[i]) >= tie * row->period) {
            ha_note(
                a->system->ctx, row->where,
                "the axes of %s `%s` start at %.6g deg to each other, just between two positions "
                "that it allows, of which the assembly takes one; where the other is meant, give "
                "a body a start angle nearer to it",
                row->kind, row->joint, fabs(a->residual[i]) / degree);
        }
    }
    m2d__residual(a, a->q);
    return HA_OK;
}

/* --- velocities ----------------------------------------------------------------------------- */

double m2d__rates(m2d_assembly *a, const double *v)
{
    const m2d_system *system = a->system;
    const double *of_time = a->velocity_out + system->n_entries;
    double *terms = a->right, largest = 0.0;

    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &system->rows.items[i];
        double given = row->is_start && row->is_rate && !a->is_open[i] ? row->given : 0.0;
        a->rate[i] = of_time[i] - given;
        terms[i] = fabs(of_time[i]) + fabs(given);
    }
    for (int j = 0; j < a->n; j++) {
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            double term = a->velocity_out[k] * v[j];
            a->rate[system->entry_row[k]] += term;
            terms[system->entry_row[k]] += fabs(term);
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        double size = a->rate[i] == 0.0 ? 0.0 : fabs(a->rate[i]) / terms[i];
        largest = isfinite(size) ? fmax(largest, size) : (double) INFINITY;
    }
    return largest;
}

/* True when the rates at v are round-off of velocities of the size that occurs in the model. */
static bool are_met(m2d_assembly *a, const double *v, double fastest)
{
    if (m2d__rates(a, v) <= m2d__accepted_residual) {
        return true;
    }
    for (int i = 0; i < a->n_rows; i++) {
        double unit = a->system->rows.items[i].is_angle ? 1.0 / a->system->length : 1.0;
        if (!(fabs(a->rate[i]) <= 1e-12 * fastest * unit)) {
            return false;
        }
    }
    return true;
}

/* The largest velocity, angular ones at the model length. */
static double fastest_of(const m2d_assembly *a, const double *v)
{
    double fastest = 0.0;

    for (int j = 0; j < a->n; j++) {
        fastest = fmax(fastest, fabs(v[j]) * (j % 3 == 2 ? a->system->length : 1.0));
    }
    return fastest;
}

/* Seeks velocities that meet the rows that are not open; the Jacobian is in place. */
static ha_status seek_velocities(m2d_assembly *a, bool *are_found)
{
    static const m2d__freedom order[] = { M2D__FREE_POSITIONS, M2D__FREE_UNGIVEN, M2D__FREE_GUESSES,
                                          M2D__FREE_GUESSES };

    for (int j = 0; j < a->n; j++) {
        a->v[j] = a->system->masses.items[j / 3].start[M2D_VX + j % 3];
    }
    double fastest = fastest_of(a, a->v);
    for (size_t k = 0; k < HA_COUNT(order) && m2d__rates(a, a->v) > round_off; k++) {
        if (m2d__set_free(a, order[k], true) == 0 || (k > 0 && are_met(a, a->v, fastest))) {
            continue;
        }
        drop_round_off(a);
        m2d__rates(a, a->v);
        for (int i = 0; i < a->n_rows; i++) {
            a->right[i] = -a->rate[i];
        }
        HA_TRY(m2d__least_norm(a, a->right, a->step));
        for (int j = 0; j < a->n; j++) {
            a->v[j] += a->step[j];
        }
        fastest = fmax(fastest, fastest_of(a, a->v));
    }
    *are_found = are_met(a, a->v, fastest);
    return HA_OK;
}

ha_status m2d__assemble_velocities(m2d_assembly *a)
{
    bool are_found = false;

    a->seeks_rates = true;
    m2d__open_rows(a, false);
    do {
        m2d__jacobian(a, a->q);
        HA_TRY(seek_velocities(a, &are_found));
    } while (!are_found && m2d__open_worst(a, a->rate));
    return are_found ? HA_OK : m2d__fail_velocities(a);
}
