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
 * Friction that holds yields by next to nothing, so that several may share what they hold: its rows
 * read G y_d' + ... + epsilon x = 0. What is meant is epsilon -> 0. Where the shares stay open
 * without it K is singular then; but the solution for epsilon, put into the equations without it,
 * leaves epsilon x, and solving for that again leaves the square (the proximal point method): by
 * the mass m that is held each turn makes the error smaller by epsilon m, and the shares stay even.
 *
 * The rate of an input that is a coordinate counts, too; it is an input of its own. Whether all of
 * this is right is looked at in linear_check.c.
 *
 * States are sorted: independent positions, their speeds in the same order, the contents of other
 * storages (momentum or displacement: the unknown times the derivative of the content), the rest.
 */
#include <config.h>

#include "bondgraph/analysis/linear_priv.h"
#include "lib/core/need.h"
#include "lib/linalg/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double AT_REST = 1e-6; /* rates of deviations this small beside the usual sizes */
static const double NOISE = 1e-11;  /* of the largest such rate: round-off */
static const double LEAST = 1e-12;  /* [SI/s] a rate that is none */

enum {
    BLOCK = 8,      /* directions that are read at once: a line of the cache */
    CORRECTIONS = 2 /* by what yields: up to 1e4 kg exact to round-off */
};

/* --- directions ----------------------------------------------------------------------------- */

void bg__linear_correct(bg__linearisation *l, ha__lu *lu, const double *matrix, const double *scale,
                        const double *size)
{
    const size_t n = (size_t) l->m->dae.n;
    const double *last = l->solution;

    for (int turn = 0; turn < CORRECTIONS && l->n_own > 0; turn++, last = l->correction) {
        memset(l->right, 0, n * sizeof *l->right);
        for (int k = 0; k < l->n_own; k++) {
            const int row = l->m->linear[l->own[k]].row;
            const double unit = scale == NULL ? 1.0 : scale[row] * size[row];
            l->right[row] = unit * bg__linear_yield(l->values[l->own[k]]) * last[row];
        }
        ha__lu_solve_at_once(lu, matrix, l->right, l->correction);
        for (size_t j = 0; j < n; j++) {
            l->solution[j] += l->correction[j];
        }
    }
}

/* `time` is how much the time itself goes on. */
static void solve(bg__linearisation *l, double time)
{
    const bg_model *m = l->m;

    memset(l->right, 0, (size_t) m->dae.n * sizeof *l->right);
    for (int k = 0; k < l->n_push; k++) {
        const bg__linear_push *p = &l->push[k];
        l->right[p->row] -= l->values[p->at] * l->column[p->column];
    }
    for (int i = 0; i < m->n_linear && time != 0.0; i++) {
        if (m->linear[i].block == BG__LINEAR_TIME) {
            l->right[m->linear[i].row] -= l->values[i] * time;
        }
    }
    ha__lu_solve_at_once(l->lu, l->k_value, l->right, l->solution);
    bg__linear_correct(l, l->lu, l->k_value, NULL, NULL);
}

void bg__linear_solve(bg__linearisation *l)
{
    solve(l, 0.0);
}

void bg__linear_solve_along(bg__linearisation *l)
{
    solve(l, 1.0);
}

double bg__linear_change(const bg__linearisation *l, int column)
{
    int n = l->m->dae.n;

    if (column >= 2 * n) {
        return l->column[column - n];
    }
    if (column >= n) {
        return bg__linear_is_differential(l, column - n) ? l->solution[column - n] : 0.0;
    }
    return bg__linear_is_differential(l, column) ? l->column[column] : l->solution[column];
}

void bg__linear_read_outputs(const bg__linearisation *l, double *out, size_t step)
{
    for (int i = l->first_output; i < l->end_output; i++) {
        const bg__linear_entry *e = &l->m->linear[i];
        out[(size_t) e->row * step] += l->values[i] * bg__linear_change(l, e->column);
    }
}

/* N of each variable, for each state by its content, is the shape; the inputs' rows of it are 0. M
   is only wanted a column at a time, and the shape of a large model is large: it is the only one.
 */
static ha_status find_shape(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t n_all = (size_t) l->m->dae.n + (size_t) l->m->n_inputs, ns = (size_t) out->n_states;
    int *direction = NULL;

    HA_TRY_ALLOC(l->ctx, out->shape, n_all * ns, direction, n_all);
    memset(direction, -1, n_all * sizeof *direction);
    for (size_t k = 0; k < ns; k++) {
        direction[l->state[k]] = (int) k;
    }
    bg__tangent_basis(&l->tangent, direction, out->n_states, out->shape);
    ha__free(direction);
    for (size_t k = 0; k < ns; k++) {
        for (size_t j = 0; j < n_all && l->content[k] != 1.0; j++) {
            out->shape[j * ns + k] /= l->content[k];
        }
    }
    return HA_OK;
}

/* The directions of some states from number `first` on, one behind the other in `block`: the rows
   of the shape are read piece by piece, for its columns are far apart in memory. */
static void take_states(const bg__linearisation *l, int first, int count, double *block)
{
    size_t n_all = (size_t) l->m->dae.n + (size_t) l->m->n_inputs, ns = (size_t) l->out->n_states;

    for (size_t j = 0; j < n_all; j++) {
        const double *row = l->out->shape + j * ns + (size_t) first;
        for (size_t k = 0; k < (size_t) count; k++) {
            block[k * n_all + j] = row[k];
        }
    }
}

/* The direction of an input. */
static void take_input(bg__linearisation *l, int k)
{
    size_t n = (size_t) l->m->dae.n;

    memset(l->column, 0, (n + (size_t) l->m->n_inputs) * sizeof *l->column);
    l->column[n + (size_t) l->level[k]] = 1.0;
    bg__tangent_follow(&l->tangent, l->column);
}

static ha_status make_room(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states, nu = (size_t) out->n_inputs;

    out->n_unknowns = l->m->dae.n;
    HA_TRY_ALLOC(l->ctx, out->a, ns * ns, out->b, ns * nu);
    if (!l->skips_outputs) {
        HA_TRY_ALLOC(l->ctx, out->c, (size_t) out->n_outputs * ns);
        HA_TRY_ALLOC(l->ctx, out->d, (size_t) out->n_outputs * nu);
    }
    return HA_OK;
}

/* The rate of state i that a deviation of state k by its size makes. */
static double rate_by(const bg__linearisation *l, size_t i, size_t k)
{
    size_t ns = (size_t) l->out->n_states;

    return fabs(l->out->a[i * ns + k] * l->size[l->state[k]] * l->content[k]);
}

/* Takes out of A the columns that hold nothing but round-off of the rates of their rows. Terms that
   cancel leave it behind where a state acts on nothing, as the position of what is free; balancing
   before the search for eigenvalues would scale such a column up to the size of the others. */
static ha_status drop_noise(bg__linearisation *l)
{
    size_t ns = (size_t) l->out->n_states;
    double *largest = ha__alloc(l->ctx, ns, sizeof *largest);

    HA_TRY_MEMORY(largest);
    for (size_t i = 0; i < ns; i++) {
        for (size_t k = 0; k < ns; k++) {
            largest[i] = fmax(largest[i], rate_by(l, i, k));
        }
    }
    for (size_t k = 0; k < ns; k++) {
        bool is_noise = true;
        for (size_t i = 0; i < ns && is_noise; i++) {
            is_noise = rate_by(l, i, k) <= DBL_EPSILON * largest[i];
        }
        for (size_t i = 0; i < ns && is_noise; i++) {
            l->out->a[i * ns + k] = 0.0;
        }
    }
    ha__free(largest);
    return HA_OK;
}

/* Column number `at` of rows (n_states x width) and of those of the outputs, of the direction at
   hand. */
static void fill_column(bg__linearisation *l, double *rows, double *outputs, int width, int at)
{
    bg__linear_solve(l);
    for (int i = 0; i < l->out->n_states; i++) {
        rows[(size_t) i * (size_t) width + (size_t) at] = l->solution[l->state[i]] * l->content[i];
    }
    if (!l->skips_outputs) {
        bg__linear_read_outputs(l, outputs + at, (size_t) width);
    }
}

static ha_status find_matrices(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t n_all = (size_t) l->m->dae.n + (size_t) l->m->n_inputs;
    double *block = NULL;

    HA_TRY(make_room(l));
    HA_TRY(find_shape(l));
    HA_TRY_ALLOC(l->ctx, block, BLOCK * n_all);
    for (int first = 0; first < out->n_states; first += BLOCK) {
        int count = out->n_states - first < BLOCK ? out->n_states - first : BLOCK;
        take_states(l, first, count, block);
        for (int k = 0; k < count; k++) {
            memcpy(l->column, block + (size_t) k * n_all, n_all * sizeof *block);
            fill_column(l, out->a, out->c, out->n_states, first + k);
        }
    }
    ha__free(block);
    for (int k = 0; k < out->n_inputs; k++) {
        take_input(l, k);
        fill_column(l, out->b, out->d, out->n_inputs, k);
    }
    return drop_noise(l);
}

/* --- rest ------------------------------------------------------------------------------------- */

/* Takes the rate of an unknown of this size into account, that changes at rates like `usual`. */
static void note_rate(bg__linearisation *l, double rate, double usual, double size, bool is_place,
                      const char *name)
{
    bg_linear *out = l->out;
    double *most = is_place ? &out->velocity : &out->acceleration;

    if (rate > *most) {
        *most = rate;
        out->fastest = is_place ? out->fastest : name;
    }
    out->is_equilibrium = out->is_equilibrium && rate <= AT_REST * usual + l->noise;
    l->unrest = fmax(l->unrest, rate / fmax(usual, size));
}

/* What follows from the states is at rest with them, unless a prescribed motion moves it: then its
   own size per second is what it is measured by. */
static void note_others(bg__linearisation *l)
{
    for (int j = 0; j < l->m->dae.n; j++) {
        if (bg__linear_is_differential(l, j) && l->tangent.pivot_of[j] >= 0) {
            const ha_dae_unknown *unknown = &l->m->dae.unknowns[j];
            note_rate(l, fabs(l->yp[j]), l->size[j], l->size[j], unknown->motion == HA_POSITION,
                      unknown->name);
        }
    }
}

/* The rate of a state that deviations as large as the sizes make. */
static double usual_rate(const bg__linearisation *l, size_t i)
{
    const bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states;
    double usual = 0.0;

    if (out->a == NULL) {
        return fabs(l->size[l->state[i]] * l->content[i]);
    }
    for (size_t k = 0; k < ns; k++) {
        usual += fabs(out->a[i * ns + k] * l->size[l->state[k]] * l->content[k]);
    }
    return usual;
}

/* At rest when what moves would be made up for by a deviation that is small beside the sizes, or is
   round-off of the largest forces: a state that nothing holds feels these through its joints. */
void bg__linear_tell_rest(bg__linearisation *l)
{
    bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states;

    out->is_equilibrium = true;
    l->noise = LEAST;
    for (size_t i = 0; i < ns; i++) {
        l->noise = fmax(l->noise, NOISE * usual_rate(l, i));
    }
    for (size_t i = 0; i < ns; i++) {
        double usual = usual_rate(l, i);
        note_rate(l, fabs(l->yp[l->state[i]] * l->content[i]), usual,
                  fabs(l->size[l->state[i]] * l->content[i]), i < (size_t) out->n_positions,
                  out->states[i]);
    }
    if (out->is_equilibrium) {
        note_others(l);
    }
}

/* Sorts the derivatives out that each direction reads. */
static ha_status sort_out(bg__linearisation *l)
{
    const int n = l->m->dae.n;

    HA_TRY_ALLOC(l->ctx, l->push, l->m->n_linear, l->own, n);
    for (int i = 0; i < l->m->n_linear; i++) {
        const bg__linear_entry *e = &l->m->linear[i];
        bool is_unknown = e->column < n && bg__linear_is_differential(l, e->column);
        if (e->block == BG__LINEAR_EQUATION && (is_unknown || e->column >= 2 * n)) {
            int column = is_unknown ? e->column : e->column - n;
            l->push[l->n_push++] = (bg__linear_push){ e->row, column, i };
        }
        bool is_own = e->block == BG__LINEAR_EQUATION && e->row == e->column;
        if (is_own && l->m->is_switched[e->row] != 0) {
            l->own[l->n_own++] = i;
        }
        if (e->block == BG__LINEAR_OUTPUT) {
            l->first_output = l->end_output == 0 ? i : l->first_output;
            l->end_output = i + 1;
        }
    }
    return HA_OK;
}

ha_status bg__linear_begin(bg__linearisation *l)
{
    size_t n = (size_t) l->m->dae.n;

    HA_TRY_ALLOC(l->ctx, l->work, l->m->dae.work_size);
    HA_TRY_ALLOC_EACH(l->ctx, l->m->n_linear, l->values, l->room);
    HA_TRY_ALLOC_EACH(l->ctx, n, l->y, l->yp, l->state, l->right, l->solution, l->correction);
    HA_TRY_ALLOC_EACH(l->ctx, n + (size_t) l->m->n_inputs, l->size, l->column);
    HA_TRY(sort_out(l));
    HA_TRY(bg__linear_evaluate(l));
    HA_TRY(bg__linear_factor(l));
    HA_TRY(bg__linear_find_tangent(l));
    return bg__linear_list_states(l);
}

ha_status bg__linear_finish(bg__linearisation *l)
{
    HA_TRY(find_matrices(l));
    bg__linear_tell_rest(l);
    if (l->out->n_states <= BG__MOST_DENSE) {
        HA_TRY_ALLOC(l->ctx, l->out->eigenvalues, 2 * l->out->n_states);
        HA_TRY(ha__eigenvalues(l->ctx, l->out->n_states, l->out->a, l->out->eigenvalues, NULL));
    }
    return bg__linear_check(l);
}

void bg__linear_release(bg__linearisation *l)
{
    bg__tangent_clear(&l->tangent);
    ha__lu_free(l->lu);
    HA_FREE(l->work, l->values, l->room, l->y, l->yp, l->size, l->k_start, l->k_row, l->k_value,
            l->k_place, l->k_mark, l->push, l->own, l->partner, l->state, l->content, l->level,
            l->column, l->right, l->solution, l->correction);
}

/* Whether a derivative by an input or its rates occurs. */
static bool is_read(const bg_model *m, int input)
{
    const int first = 2 * m->dae.n + 3 * input;
    bool found = false;

    for (int i = 0; i < m->n_linear && !found; i++) {
        found = m->linear[i].column >= first && m->linear[i].column < first + 3;
    }
    return found;
}

ha_status bg__linear_check_inputs(const bg__linearisation *l)
{
    ha_status status = HA_OK;

    for (int i = 0; i < l->m->n_inputs / 3; i++) {
        if (!is_read(l->m, i)) {
            status = ha_fail(l->ctx, HA_ERR_VALUE, HA_NOWHERE,
                             "the input `%s` is in no equation and in none of the outputs wanted: "
                             "start values at most read it, and a linear model is one about a "
                             "state that is there; `sensitivity` differentiates a run by it",
                             l->m->inputs[3 * i]);
        }
    }
    return status;
}

ha_status bg_linearise(ha_ctx *ctx, const bg_model *model, const bg_operating_point *point,
                       bg_linear *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && point != NULL && point->y != NULL && out != NULL);
    bg__linearisation l = { .ctx = ctx, .m = model, .point = point, .out = out };

    *out = (bg_linear){ 0 };
    if (!model->is_linear) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for linearisation; compile it with "
                       "bg_model_compile_linear()");
    }
    ha_status status = bg__linear_begin(&l);
    HA_THEN(status, bg__linear_check_inputs(&l));
    HA_THEN(status, bg__linear_check_outputs(&l));
    HA_THEN(status, bg__linear_finish(&l));
    bg__linear_release(&l);
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
