/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What modes do to the outputs in second order.
 *
 * Let a mechanism pass its position of rest with the displacements z of a mode as velocities, its
 * independent velocities being constant. Then the flow f of a bond, of which the effort is e, takes
 * the power
 *
 *     e f = (e0 + de) f0 = e0 f0 + ...,      f = J v,   f' = J' v + J v',
 *
 * to second order in z: de f + e0 f'. The first part is that of linear deviations; the second one
 * is where effort at rest works: weight on a path that bends, a spring under tension that turns.
 * Over a cycle the mean of this form is half the sum of those of the real and the imaginary part.
 *
 * The velocities are those of the mode itself, |lambda| z, and the result is divided by |lambda|^2:
 * so they make forces of the size of those at rest. The rate f' is exact. The unknowns move at the
 * rates that solve F(t, y, y') = 0 with these velocities, less what the independent rates other
 * than those of positions make of them; that is the direction of the linear solution at that point
 * (linearise.c), whose outputs are the f'.
 */
#include <config.h>

#include "bondgraph/analysis/modes_priv.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 20 };

static const double CONVERGED = 1e-9; /* last correction beside the first and what is corrected */

/* The point with velocities. */
typedef struct {
    bg__mode_search *s;
    double *y, *yp; /* (n) */
    double *rates;  /* (n_outputs) of one part */
    double pace;    /* |lambda| */
} passage;

static ha_status find_values(bg__mode_search *s)
{
    const bg__linearisation *l = s->l;
    const ha_dae *dae = &l->m->dae;
    double *integrals = NULL;

    HA_TRY_ALLOC(l->ctx, integrals, dae->n_integrals);
    ha_status status = HA_OK;
    s->out->values = ha__alloc(l->ctx, (size_t) dae->n_outputs, sizeof *s->out->values);
    if (s->out->values == NULL) {
        status = HA_ERR_MEMORY;
    } else {
        dae->output(l->m, l->work, l->point->t, l->y, l->yp, integrals, s->out->values);
    }
    ha__free(integrals);
    return status;
}

/* The point at rest with one part of the mode at hand as velocities; false where it has none. */
static bool take_velocities(passage *p, int part)
{
    bg__linearisation *l = p->s->l;
    int n = l->m->dae.n;
    bool moves = false;

    bg__mode_take_unknowns(p->s, part);
    memset(l->right, 0, (size_t) n * sizeof *l->right);
    for (int j = 0; j < n; j++) {
        if (l->partner[j] >= 0) {
            l->right[l->partner[j]] = p->pace * l->column[j];
            moves = moves || l->column[j] != 0.0;
        }
    }
    memcpy(l->column, l->right, (size_t) n * sizeof *l->column);
    bg__tangent_follow(&l->tangent, l->column);
    for (int j = 0; j < n; j++) {
        p->y[j] = l->y[j] + l->column[j];
        p->yp[j] = l->yp[j];
    }
    return moves;
}

/* Newton's method for y' and the algebraic unknowns; the matrix is made anew where the equations
   are not linear in them. */
static ha_status find_rates(passage *p)
{
    bg__linearisation *l = p->s->l;
    const ha_dae *dae = &l->m->dae;
    double t = l->point->t, usual = 0.0;

    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double most = 0.0;
        if (i > 1) {
            bg__linear_differentiate(l, t, p->y, p->yp);
            HA_TRY(bg__linear_refactor(l));
        }
        dae->residual(l->m, l->work, t, p->y, p->yp, l->right);
        ha__lu_solve_at_once(l->lu, l->k_value, l->right, l->solution);
        for (int j = 0; j < dae->n; j++) {
            double *unknown = bg__linear_is_differential(l, j) ? &p->yp[j] : &p->y[j];
            usual = i == 0 ? fmax(usual, fabs(*unknown)) : usual;
            *unknown -= l->solution[j];
            most = isnan(l->solution[j]) ? (double) INFINITY : fmax(most, fabs(l->solution[j]));
        }
        usual += i == 0 ? most : 0.0;
        if (most <= CONVERGED * usual) {
            return HA_OK;
        }
    }
    return ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the potential energy of the modes cannot be found: where the model passes its "
                   "position of rest with the velocities of a mode its equations are not solved; "
                   "values that differ by many powers of ten do this");
}

/* Adds the rates of the outputs at the point, the independent velocities being constant, for the
   displacements of the mode. */
static ha_status add_rates(passage *p, double *out)
{
    bg__linearisation *l = p->s->l;
    size_t n_all = (size_t) l->m->dae.n + (size_t) l->m->n_inputs;

    bg__linear_differentiate(l, l->point->t, p->y, p->yp);
    HA_TRY(bg__linear_refactor(l));
    memset(l->column, 0, n_all * sizeof *l->column);
    for (int k = l->out->n_positions; k < l->out->n_states; k++) {
        l->column[l->state[k]] = p->yp[l->state[k]];
    }
    bg__tangent_follow(&l->tangent, l->column);
    for (int j = 0; j < l->m->dae.n; j++) {
        l->column[j] = bg__linear_is_differential(l, j) ? p->yp[j] - l->column[j] : 0.0;
    }
    bg__linear_solve(l);
    memset(p->rates, 0, (size_t) l->m->dae.n_outputs * sizeof *p->rates);
    bg__linear_read_outputs(l, p->rates, 1);
    for (int i = 0; i < l->m->dae.n_outputs; i++) {
        out[i] += p->rates[i] / (p->pace * p->pace);
    }
    return HA_OK;
}

static ha_status find_all(passage *p)
{
    bg__mode_search *s = p->s;
    size_t width = 2 * (size_t) s->l->out->n_states;

    HA_TRY_ALLOC_EACH(s->l->ctx, s->l->m->dae.n, p->y, p->yp);
    HA_TRY_ALLOC(s->l->ctx, p->rates, s->out->n_outputs);
    for (int k = 0; k < s->out->n_modes; k++) {
        bg_mode *mode = &s->out->modes[k];
        HA_TRY_ALLOC(s->l->ctx, mode->second, s->out->n_outputs);
        p->pace = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        memcpy(s->x, s->shapes + (size_t) k * width, width * sizeof *s->x);
        for (int part = 0; part < 2; part++) {
            if (k >= s->out->n_rigid && take_velocities(p, part)) {
                HA_TRY(find_rates(p));
                HA_TRY(add_rates(p, mode->second));
            }
        }
    }
    return HA_OK;
}

ha_status bg__modes_find_second(bg__mode_search *s)
{
    passage p = { .s = s };

    if (!s->out->is_equilibrium || s->out->n_outputs == 0) {
        return HA_OK;
    }
    HA_TRY(find_values(s));
    ha_status status = find_all(&p);
    HA_FREE(p.y, p.yp, p.rates);
    return status;
}
