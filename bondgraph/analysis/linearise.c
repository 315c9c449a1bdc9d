/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linearisation on the tangent space of the constraints.
 *
 * Small deviations of F(t, y, y', w) = 0, with y_d the differential and y_a the algebraic unknowns:
 *     K [y_d'; y_a] = -F_yd y_d - F_w w,     K = [F_y'd  F_ya],
 * where K is regular, for constraints are differentiated and stabilised. That is an ordinary system
 * in y_d, but one with too many states: it also has the motions that leave the constraints, which
 * the stabilisation lets die out. Motions that keep them lie in the tangent space of the manifold
 * P(t, y, w) = 0 (positions and flows of the residual sinks): P_yd y_d + P_w w = 0. Elimination
 * (tangent.c) chooses independent unknowns x and gives
 *     y_d = N x + M w,      N, M the identity and 0 in the rows of x.
 * The rows of x in the ordinary system are then
 *     x' = A x + B w,       A = (y_d' of N)_x,   B = (y_d' of M and w)_x,
 * also along a motion, where N changes with the time: its rows of x do not. The outputs
 * h(t, y, y', w) follow by h_y y + h_y' y' + h_w w of the same solutions.
 *
 * The rate of an input that is a coordinate counts, too; it is an input of its own.
 *
 * Check: at rest N is constant, and the tangent space is invariant: y_d' of N must be N A in all
 * rows, not only in those of x. What differs is an error of this file, of the model's constraints,
 * or of round-off, and is not let out.
 *
 * States are sorted: independent positions, their speeds in the same order, the contents of other
 * storages (momentum or displacement: the unknown times the derivative of the content), the rest.
 */
#include <config.h>

#include "bondgraph/analysis/linear_priv.h"
#include "lib/core/need.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <string.h>

static const double AT_REST = 1e-6;  /* rates of deviations this small beside the usual sizes */
static const double UNCLOSED = 1e-8; /* relative defect of the tangent space that is an error */

enum {
    MOST_DENSE = 300
}; /* states of which the eigenvalues are found, at the cost of their cube */

/* --- directions ----------------------------------------------------------------------------- */

/* Solves for y' and the algebraic unknowns of the direction in l->column: (n) unknowns, of which
   the algebraic ones are 0, and the inputs. */
static void solve(bg__linearisation *l)
{
    const bg_model *m = l->m;
    int n = m->dae.n;

    memset(l->right, 0, (size_t) n * sizeof *l->right);
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->block != BG__LINEAR_EQUATION) {
            continue;
        }
        if (e->column >= 2 * n) {
            l->right[e->row] -= l->values[i] * l->column[e->column - n];
        } else if (e->column < n && bg__linear_is_differential(l, e->column)) {
            l->right[e->row] -= l->values[i] * l->column[e->column];
        }
    }
    ha__lu_solve_at_once(l->lu, l->k_value, l->right, l->solution);
}

/* Adds to `out` (n_outputs), column by column `step` apart, what the direction does to them. */
static void read_outputs(const bg__linearisation *l, double *out, size_t step)
{
    const bg_model *m = l->m;
    int n = m->dae.n;

    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        double x = 0.0;
        if (e->block != BG__LINEAR_OUTPUT) {
            continue;
        }
        if (e->column >= 2 * n) {
            x = l->column[e->column - n];
        } else if (e->column >= n) {
            x = bg__linear_is_differential(l, e->column - n) ? l->solution[e->column - n] : 0.0;
        } else {
            x = bg__linear_is_differential(l, e->column) ? l->column[e->column]
                                                         : l->solution[e->column];
        }
        out[(size_t) e->row * step] += l->values[i] * x;
    }
}

/* N and M: of each variable, for each state and then each input. */
static ha_status find_basis(bg__linearisation *l)
{
    int n = l->m->dae.n, n_all = n + l->m->n_inputs;
    int width = l->out->n_states + l->out->n_inputs;
    int *direction = NULL;

    HA_TRY_ALLOC(l->ctx, l->basis, (size_t) n_all * (size_t) width);
    HA_TRY_ALLOC(l->ctx, direction, n_all);
    for (int j = 0; j < n_all; j++) {
        direction[j] = -1;
    }
    for (int k = 0; k < l->out->n_states; k++) {
        direction[l->state[k]] = k;
    }
    for (int k = 0; k < l->out->n_inputs; k++) {
        direction[n + l->level[k]] = l->out->n_states + k;
    }
    bg__tangent_basis(&l->tangent, direction, width, l->basis);
    ha__free(direction);
    return HA_OK;
}

/* The direction of a state, or of an input behind the states; contents are 1. */
static void take_direction(bg__linearisation *l, int k)
{
    int width = l->out->n_states + l->out->n_inputs, n_all = l->m->dae.n + l->m->n_inputs;
    double scale = k < l->out->n_states ? 1.0 / l->content[k] : 1.0;

    for (int j = 0; j < n_all; j++) {
        l->column[j] = scale * l->basis[(size_t) j * (size_t) width + (size_t) k];
    }
}

static ha_status make_room(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t n = (size_t) l->m->dae.n, ns = (size_t) out->n_states, nu = (size_t) out->n_inputs;

    out->n_unknowns = (int) n;
    HA_TRY_ALLOC(l->ctx, out->a, ns * ns);
    HA_TRY_ALLOC(l->ctx, out->b, ns * nu);
    HA_TRY_ALLOC(l->ctx, out->c, (size_t) out->n_outputs * ns);
    HA_TRY_ALLOC(l->ctx, out->d, (size_t) out->n_outputs * nu);
    HA_TRY_ALLOC(l->ctx, out->shape, n * ns);
    HA_TRY_ALLOC(l->ctx, l->column, n + (size_t) l->m->n_inputs);
    HA_TRY_ALLOC(l->ctx, l->right, n);
    HA_TRY_ALLOC(l->ctx, l->solution, n);
    return HA_OK;
}

static ha_status find_matrices(bg__linearisation *l)
{
    bg_linear *out = l->out;
    int ns = out->n_states, nu = out->n_inputs;

    HA_TRY(make_room(l));
    HA_TRY(find_basis(l));
    for (int k = 0; k < ns + nu; k++) {
        int width = k >= ns ? nu : ns, at = k >= ns ? k - ns : k;
        double *rows = k >= ns ? out->b : out->a;
        take_direction(l, k);
        solve(l);
        for (int i = 0; i < ns; i++) {
            rows[(size_t) i * (size_t) width + (size_t) at] =
                l->solution[l->state[i]] * l->content[i];
        }
        read_outputs(l, (k >= ns ? out->d : out->c) + at, (size_t) width);
        for (int j = 0; j < out->n_unknowns && k < ns; j++) {
            out->shape[(size_t) j * (size_t) ns + (size_t) k] = l->column[j];
        }
    }
    return HA_OK;
}

/* --- rest and check ------------------------------------------------------------------------- */

/* At rest when what moves would be made up for by a deviation that is small beside the sizes. */
static void tell_rest(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states;

    out->is_equilibrium = true;
    for (size_t i = 0; i < ns; i++) {
        double rate = fabs(l->yp[l->state[i]] * l->content[i]), usual = 0.0;
        bool is_place = i < (size_t) out->n_positions;
        double *most = is_place ? &out->velocity : &out->acceleration;
        for (size_t k = 0; k < ns; k++) {
            usual += fabs(out->a[i * ns + k] * l->size[l->state[k]] * l->content[k]);
        }
        if (rate > *most) {
            *most = rate;
            out->fastest = is_place ? out->fastest : out->states[i];
        }
        out->is_equilibrium = out->is_equilibrium && rate <= AT_REST * usual + 1e-12;
    }
}

/* A direction at random, the same for each run: each state between -1 and 1 of its size. */
static void take_probe(bg__linearisation *l, uint64_t *seed, double *x)
{
    size_t ns = (size_t) l->out->n_states;

    for (size_t k = 0; k < ns; k++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        double share = (double) (*seed >> 11) * 0x1p-52 - 1.0;
        x[k] = share * l->size[l->state[k]] * l->content[k];
    }
    memset(l->column, 0, ((size_t) l->m->dae.n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (size_t j = 0; j < (size_t) l->m->dae.n; j++) {
        for (size_t k = 0; k < ns; k++) {
            l->column[j] += l->out->shape[j * ns + k] * x[k];
        }
    }
}

/* How far y_d' of N x is from N A x, beside the terms of that. `x` and `rate` (n_states). */
static double defect_of(bg__linearisation *l, const double *x, double *rate)
{
    const bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states;
    double defect = 0.0, unit = 0.0;

    solve(l);
    for (size_t i = 0; i < ns; i++) {
        rate[i] = 0.0;
        for (size_t k = 0; k < ns; k++) {
            rate[i] += out->a[i * ns + k] * x[k];
        }
    }
    for (size_t j = 0; j < (size_t) l->m->dae.n; j++) {
        if (!bg__linear_is_differential(l, (int) j) || bg__linear_is_held(l, (int) j)) {
            continue;
        }
        double difference = l->solution[j], terms = fabs(difference);
        for (size_t k = 0; k < ns; k++) {
            difference -= out->shape[j * ns + k] * rate[k];
            terms += fabs(out->shape[j * ns + k] * rate[k]);
        }
        defect = fmax(defect, fabs(difference) / l->size[j]);
        unit = fmax(unit, terms / l->size[j]);
    }
    return unit > 0.0 ? defect / unit : 0.0;
}

/* y_d' of N x must be N A x, for a few x at random. */
static ha_status check_closed(bg__linearisation *l)
{
    enum { PROBES = 4 };
    bg_linear *out = l->out;
    uint64_t seed = 1;
    double *x = NULL;

    out->residual = (double) NAN;
    if (!out->is_equilibrium) {
        return HA_OK;
    }
    out->residual = 0.0;
    HA_TRY_ALLOC(l->ctx, x, 2 * out->n_states);
    for (int probe = 0; probe < PROBES; probe++) {
        take_probe(l, &seed, x);
        out->residual = fmax(out->residual, defect_of(l, x, x + out->n_states));
    }
    ha__free(x);
    return out->residual <= UNCLOSED
               ? HA_OK
               : ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the linearisation fails its own check: the motions that keep the "
                         "constraints do not stay among themselves (relative error %.2g); "
                         "constraints that are nearly dependent do this: look at `assemble` and at "
                         "redundant joints",
                         out->residual);
}

static ha_status linearise(bg__linearisation *l)
{
    size_t n = (size_t) l->m->dae.n;

    HA_TRY_ALLOC(l->ctx, l->work, l->m->dae.work_size);
    HA_TRY_ALLOC(l->ctx, l->values, l->m->n_linear);
    HA_TRY_ALLOC(l->ctx, l->y, n);
    HA_TRY_ALLOC(l->ctx, l->yp, n);
    HA_TRY_ALLOC(l->ctx, l->size, n + (size_t) l->m->n_inputs);
    HA_TRY_ALLOC(l->ctx, l->state, n);
    HA_TRY(bg__linear_evaluate(l));
    HA_TRY(bg__linear_factor(l));
    HA_TRY(bg__linear_find_tangent(l));
    HA_TRY(bg__linear_list_states(l));
    HA_TRY(find_matrices(l));
    tell_rest(l);
    HA_TRY(check_closed(l));
    if (l->out->n_states > MOST_DENSE) {
        return HA_OK;
    }
    HA_TRY_ALLOC(l->ctx, l->out->eigenvalues, 2 * l->out->n_states);
    return ha__eigenvalues(l->ctx, l->out->n_states, l->out->a, l->out->eigenvalues, NULL);
}

ha_status bg_linearise(ha_ctx *ctx, const bg_model *model, const bg_operating_point *point,
                       bg_linear *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && point != NULL && point->y != NULL && out != NULL);
    bg__linearisation l = { .ctx = ctx, .m = model, .point = point, .out = out };

    *out = (bg_linear){ 0 };
    if (model->linear == NULL) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for linearisation; compile it with "
                       "bg_model_compile_linear()");
    }
    ha_status status = linearise(&l);
    bg__tangent_clear(&l.tangent);
    ha__lu_free(l.lu);
    HA_FREE(l.work, l.values, l.y, l.yp, l.size, l.k_start, l.k_row, l.k_value, l.k_mark, l.partner,
            l.state, l.content, l.level, l.column, l.right, l.solution, l.basis);
    return status;
}

/* Names are copies. */
static void free_names(char **names, int n)
{
    for (int i = 0; i < n && names != NULL; i++) {
        ha__free(names[i]);
    }
    ha__free(names);
}

void bg_linear_clear(bg_linear *linear)
{
    free_names(linear->states, linear->states == NULL ? 0 : linear->n_states);
    free_names(linear->inputs, linear->n_inputs);
    free_names(linear->outputs, linear->n_outputs);
    free_names(linear->sides, linear->n_sides);
    HA_FREE(linear->a, linear->b, linear->c, linear->d, linear->eigenvalues, linear->shape);
    *linear = (bg_linear){ 0 };
}
