/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deviations at events.
 *
 * At an event the condition g(t, y, y', p) that changes its sign does so at another time,
 *
 *     dt* = -(g_w + g_y s + g_y' s') / (g_t + g_y y' + g_y' y''),
 *
 * with the equations before it. The unknowns are continuous there, their rates are not, and
 *
 *     s+ = s- + (y'- - y'+) dt*.
 *
 * What s' and the algebraic unknowns deviate by, and y'' along the motion, are solutions of the
 * same linear system K (linearise.c) for the directions s and y', the latter with F_t. A value
 * h(t, y, p) that is held from then on deviates by h_y s- + h_w + (h_t + h_y y'-) dt*; between
 * events neither it nor its deviation changes. So samples are no more than events at given times.
 */
#include <config.h>

#include "bondgraph/analysis/sensitivity_priv.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <string.h>

static const double GRAZES = 1e-9;    /* a condition's rate beside its usual terms */
static const double NEAR = 1e-6;      /* of a step: a change of sign that is now */
static const double JUMPS = 1e-6;     /* of the terms of an equation: a change at a condition */
static const double SAME_TIME = 1e-6; /* of the deviations of the times of two conditions */

/* --- directions ----------------------------------------------------------------------------- */

/* Solves for what a deviation does, at the point of the last derivatives. */
void bg__sense_deviation(bg__sensing *s, int k)
{
    bg__linearisation *l = &s->l;
    size_t n = (size_t) s->m->dae.n;
    const double *v = bg__follow_columns(s->follow) + (size_t) k * n;

    memset(l->column, 0, (n + (size_t) s->m->n_inputs) * sizeof *l->column);
    memcpy(l->column, v, n * sizeof *v);
    l->column[n + (size_t) s->input[k]] = 1.0;
    bg__linear_solve(l);
}

/* The same for the motion itself. */
static void take_motion(bg__sensing *s, const double *yp)
{
    bg__linearisation *l = &s->l;
    size_t n = (size_t) s->m->dae.n;

    memset(l->column, 0, (n + (size_t) s->m->n_inputs) * sizeof *l->column);
    for (size_t j = 0; j < n; j++) {
        l->column[j] = bg__linear_is_differential(l, (int) j) ? yp[j] : 0.0;
    }
    bg__linear_solve_along(l);
}

/* What a condition, or a value to be held, changes by in the direction solved for last; `*size` is
   that of its terms. */
static double change_of(const bg__sensing *s, bg__linear_block block, int row, bool is_motion,
                        double *size)
{
    const bg_model *m = s->m;
    double sum = 0.0;

    *size = 0.0;
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->block == block && e->row == row) {
            bool is_time = e->column == 2 * m->dae.n + m->n_inputs;
            double by = is_time ? (is_motion ? 1.0 : 0.0) : bg__linear_change(&s->l, e->column);
            sum += s->l.values[i] * by;
            *size += fabs(s->l.values[i] * by);
        }
    }
    return sum;
}

/* --- events --------------------------------------------------------------------------------- */

/* By how much later each condition would change its sign at time t, if it does, and what the values
   that are held then would deviate by. */
ha_status bg__sense_foresee(bg__sensing *s, double t)
{
    const ha_dae *dae = &s->m->dae;
    int n_parameters = s->n_parameters;
    double size = 0.0;

    HA_TRY(bg__linear_refactor(&s->l));
    dae->switching(s->m, s->l.work, t, s->y, s->yp_before, s->g);
    take_motion(s, s->yp_before);
    for (int i = 0; i < dae->n_switches; i++) {
        s->rate[i] = change_of(s, BG__LINEAR_SWITCH, i, true, &size);
        s->is_still[i] = fabs(s->rate[i]) <= GRAZES * size;
        s->ahead[i] = s->g[i] == 0.0 ? 0.0 : fabs(s->g[i] / s->rate[i]);
        s->grazes[i] = false;
    }
    for (int i = 0; i < dae->n_holds; i++) {
        s->hold_rate[i] = change_of(s, BG__LINEAR_HOLD, i, true, &size);
    }
    for (int k = 0; k < n_parameters; k++) {
        bg__sense_deviation(s, k);
        for (int i = 0; i < dae->n_switches; i++) {
            double change = change_of(s, BG__LINEAR_SWITCH, i, false, &size);
            s->delay[i * n_parameters + k] = change == 0.0 ? 0.0 : -change / s->rate[i];
            s->grazes[i] = s->grazes[i] || (change != 0.0 && s->is_still[i]);
        }
        for (int i = 0; i < dae->n_holds; i++) {
            s->held[i * n_parameters + k] = change_of(s, BG__LINEAR_HOLD, i, false, &size);
        }
    }
    return HA_OK;
}

/* Values that are taken over at an event deviate as foreseen, and by how they change until the
   event, that of condition `first`; -1: at the start, where samples are taken, and what is held
   already. */
void bg__sense_held(bg__sensing *s, int first)
{
    size_t n = (size_t) s->m->dae.n, n_parameters = (size_t) s->n_parameters;
    double *v = bg__follow_columns(s->follow);

    for (size_t i = 0; i < (size_t) s->m->dae.n_holds; i++) {
        const ha_dae_hold *hold = &s->m->dae.holds[i];
        bool is_on = s->sides[hold->condition] != 0;
        bool changes = first < 0 ? hold->is_sampled != 0 || is_on
                                 : s->sides[hold->condition] != s->sides_next[hold->condition];
        bool takes = first < 0 || hold->is_sampled != 0 || s->sides_next[hold->condition] != 0;
        for (size_t k = 0; k < n_parameters && changes; k++) {
            double delay = first < 0 ? 0.0 : s->delay[(size_t) first * n_parameters + k];
            double later = delay == 0.0 ? 0.0 : s->hold_rate[i] * delay;
            v[k * n + (size_t) hold->unknown] = takes ? s->held[i * n_parameters + k] + later : 0.0;
        }
    }
}

/* The condition that changes at the event, of those that did the nearest to its change of sign;
   others jump there with what the event changes. */
static int find_crossing(const bg__sensing *s)
{
    int first = -1;

    for (int i = 0; i < s->m->dae.n_switches; i++) {
        bool changes = s->sides[i] != s->sides_next[i];
        first = changes && (first < 0 || s->ahead[i] < s->ahead[first]) ? i : first;
    }
    return first;
}

/* The times of two conditions that come at once deviate alike, or what comes first depends on the
   parameter. */
static ha_status check_together(bg__sensing *s, int first, int other, double step)
{
    bool is_at_once = s->ahead[other] <= NEAR * step && s->sides[other] != s->sides_next[other];

    for (int k = 0; k < s->n_parameters && is_at_once; k++) {
        double a = s->delay[first * s->n_parameters + k], b = s->delay[other * s->n_parameters + k];
        if (!(fabs(a - b) <= SAME_TIME * (fabs(a) + fabs(b)))) {
            return ha_fail(
                s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                "there are no sensitivities at %g s: the conditions `%s` and `%s` change "
                "at the same time, and which comes first depends on `%s`; move the start "
                "a little, so that they come one after the other",
                s->t, s->m->switches[first], s->m->switches[other], s->out->parameters[k]);
        }
    }
    return HA_OK;
}

/* Whether the equations or what is held are others on the other side of a condition, at the state
   reached. What bends there, as max(x, 0) at 0, goes on as it is. */
static bool jumps(bg__sensing *s, double t, int i)
{
    const ha_dae *dae = &s->m->dae;
    bool is_one = false;

    for (int h = 0; h < dae->n_holds; h++) {
        is_one = is_one || dae->holds[h].condition == i;
    }
    dae->residual(s->m, s->l.work, t, s->y, s->yp_before, s->r);
    memcpy(s->sides_next, s->sides, (size_t) dae->n_switches);
    s->sides_next[i] = s->sides[i] == 0;
    dae->set_sides(s->m, s->l.work, s->sides_next);
    dae->residual(s->m, s->l.work, t, s->y, s->yp_before, s->r_beyond);
    dae->set_sides(s->m, s->l.work, s->sides);
    for (int row = 0; row < dae->n && !is_one; row++) {
        double size = 0.0, change = fabs(s->r_beyond[row] - s->r[row]);
        for (int e = 0; e < s->m->n_linear && change > 0.0; e++) {
            const bg__linear_entry *entry = &s->m->linear[e];
            bool is_here = entry->block == BG__LINEAR_EQUATION && entry->row == row;
            int j = entry->column < dae->n ? entry->column : entry->column - dae->n;
            bool is_rate = entry->column >= dae->n;
            double by = j >= dae->n ? 0.0 : is_rate ? s->yp_before[j] : s->y[j];
            size += is_here ? fabs(s->l.values[e] * by) : 0.0;
        }
        is_one = change > JUMPS * size;
    }
    return is_one;
}

ha_status bg__sense_edges(bg__sensing *s, double t, double step)
{
    for (int i = 0; i < s->m->dae.n_switches; i++) {
        for (int k = 0; k < s->n_parameters && s->ahead[i] <= NEAR * step; k++) {
            bool is_moved = s->delay[i * s->n_parameters + k] != 0.0;
            if (is_moved && jumps(s, t, i)) {
                return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                               "there are no sensitivities: the condition `%s` is on its edge at "
                               "%g s, where the run %s, and `%s` decides on which side; let the "
                               "run %s a little earlier or later",
                               s->m->switches[i], t, t > 0.0 ? "ends" : "starts",
                               s->out->parameters[k], t > 0.0 ? "end" : "pass it");
            }
        }
    }
    return HA_OK;
}

/* The deviations over the event at the time reached, with the rates y' after it; `step` is the
   length of the step before. */
static ha_status jump(bg__sensing *s, double step)
{
    size_t n = (size_t) s->m->dae.n;
    int first = find_crossing(s);

    if (s->grazes[first]) {
        return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there are no sensitivities at %g s: the condition `%s` is only grazed, "
                       "and a small change decides whether it changes at all",
                       s->t, s->m->switches[first]);
    }
    for (int i = 0; i < s->m->dae.n_switches; i++) {
        HA_TRY(check_together(s, first, i, step));
    }
    double *v = bg__follow_columns(s->follow);
    for (size_t k = 0; k < (size_t) s->n_parameters; k++) {
        double delay = s->delay[(size_t) first * (size_t) s->n_parameters + k];
        for (size_t j = 0; j < n; j++) {
            bool moves = bg__linear_is_differential(&s->l, (int) j);
            v[k * n + j] += moves ? (s->yp_before[j] - s->yp[j]) * delay : 0.0;
        }
    }
    bg__sense_held(s, first);
    bg__follow_switch(s->follow);
    s->out->events++;
    return HA_OK;
}

/* The sides in the step that begins at t0; where they are others than before, an event was there.
 */
ha_status bg__sense_enter(bg__sensing *s, double t0, double t1, ha_dae_inside inside, void *run)
{
    const ha_dae *dae = &s->m->dae;
    size_t n = (size_t) dae->n_switches;

    if (n == 0) {
        return HA_OK;
    }
    HA_TRY(inside(run, 0.5 * (t0 + t1), s->y, s->yp));
    memcpy(s->sides_next, s->sides, n);
    ha__settle_sides(dae, s->l.work, 0.5 * (t0 + t1), s->y, s->yp, false, s->g, s->sides_next);
    if (s->has_sides && memcmp(s->sides, s->sides_next, n) != 0) {
        HA_TRY(inside(run, t0, s->y, s->yp));
        HA_TRY(jump(s, s->last_step));
    }
    memcpy(s->sides, s->sides_next, n);
    s->has_sides = true;
    dae->set_sides(s->m, s->l.work, s->sides);
    return HA_OK;
}
