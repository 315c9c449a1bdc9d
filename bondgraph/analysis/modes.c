/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes of a linear model.
 *
 * Small models: all eigenvalues and vectors of A. An eigenvalue 0 has as many modes as A lacks of
 * its full rank; rigid motion makes it double for each, with a defect, and round-off moves it by
 * its own root. So these modes come from the rank: elimination with full pivoting of A, its rows
 * scaled to 1, gives vectors z with A z = 0, and vectors y with A' y = 0. Where the matrix y' z is
 * singular by k the range of A holds k of the z, and 0 is k times more often an eigenvalue than it
 * has vectors; so many of the smallest are left out.
 *
 * Large models: modes_sparse.c.
 *
 * The outputs of a mode follow from its unknowns y = N x, with y' and the algebraic ones solved
 * for: the real and the imaginary part, one after the other.
 */
#include <config.h>

#include "bondgraph/analysis/modes_priv.h"
#include "lib/core/need.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <string.h>

enum { FEW = 10 /* modes of a large model, where no number is asked for */ };

static const double NOTHING = 1e-11; /* of a row scaled to 1: it depends on others */
static const double WRONG = 1e-6;    /* residual of a mode that is an error */

typedef bg__mode_search search;

/* --- what a mode does ----------------------------------------------------------------------- */

void bg__mode_take_unknowns(search *s, int part)
{
    bg__linearisation *l = s->l;

    memset(l->column, 0, ((size_t) l->m->dae.n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int k = 0; k < l->out->n_states; k++) {
        l->column[l->state[k]] = s->x[2 * k + part] * s->unit[k] / l->content[k];
    }
    bg__tangent_follow(&l->tangent, l->column);
}

void bg__mode_take_part(search *s, int part)
{
    bg__mode_take_unknowns(s, part);
    bg__linear_solve(s->l);
}

/* How far the rates are from lambda times the unknowns, in units of sizes. */
static double defect_of(search *s, const double *lambda)
{
    bg__linearisation *l = s->l;
    double worst = 0.0, largest = 0.0;

    for (int part = 0; part < 2; part++) {
        /* the rate of part 0 is re x0 - im x1, that of part 1 re x1 + im x0 */
        bg__mode_take_part(s, part);
        for (int k = 0; k < l->out->n_states; k++) {
            double other = s->x[2 * k + 1 - part], own = s->x[2 * k + part];
            double wanted = lambda[0] * own + (part == 0 ? -lambda[1] : lambda[1]) * other;
            double rate = l->solution[l->state[k]] * l->content[k] / s->unit[k];
            worst = fmax(worst, fabs(rate - wanted));
            largest = fmax(largest, fabs(rate));
        }
    }
    return largest > 0.0 ? worst / fmax(largest, 1e-6 * l->usual) : 0.0;
}

/* Appends the mode at hand to those of all. */
static ha_status keep_shape(search *s)
{
    size_t n = 2 * (size_t) s->l->out->n_states, k = (size_t) s->out->n_modes;
    void *room = ha__resize(s->l->ctx, s->shapes, (k + 1) * n, sizeof *s->shapes);

    HA_TRY_MEMORY(room);
    s->shapes = room;
    memcpy(s->shapes + k * n, s->x, n * sizeof *s->x);
    return HA_OK;
}

ha_status bg__mode_add(search *s, const double *lambda)
{
    bg_modal *out = s->out;
    bg_mode *mode = &out->modes[out->n_modes];
    double largest = 0.0;

    for (int k = 0; k < s->l->out->n_states; k++) {
        largest = fmax(largest, hypot(s->x[2 * k], s->x[2 * k + 1]));
    }
    for (int k = 0; k < 2 * s->l->out->n_states && largest > 0.0; k++) {
        s->x[k] /= largest;
    }
    *mode = (bg_mode){ .eigenvalue = { lambda[0], lambda[1] } };
    HA_TRY(keep_shape(s));
    HA_TRY_ALLOC(s->l->ctx, mode->outputs, 2 * (size_t) out->n_outputs);
    out->n_modes++;
    for (int part = 0; part < 2; part++) {
        bg__mode_take_part(s, part);
        bg__linear_read_outputs(s->l, mode->outputs + part, 2);
    }
    if (lambda[0] != 0.0 || lambda[1] != 0.0) {
        out->residual = fmax(out->residual, defect_of(s, lambda));
    }
    return HA_OK;
}

/* --- rank ----------------------------------------------------------------------------------- */

static void swap(double *a, double *b)
{
    double keep = *a;

    *a = *b;
    *b = keep;
}

/* Reduces `a` (n x n by rows), overwritten, by elimination with full pivoting to the identity in
   the first columns of `order` (n); returns the rank. */
static int eliminate(int n, double *a, int *order)
{
    int rank = 0;

    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        order[i] = i;
        for (int j = 0; j < n; j++) {
            largest = fmax(largest, fabs(a[i * n + j]));
        }
        for (int j = 0; j < n && largest > 0.0; j++) {
            a[i * n + j] /= largest;
        }
    }
    for (; rank < n; rank++) {
        int row = rank, column = rank;
        for (int i = rank; i < n; i++) {
            for (int j = rank; j < n; j++) {
                if (fabs(a[i * n + j]) > fabs(a[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        if (!(fabs(a[row * n + column]) > NOTHING)) {
            break;
        }
        for (int j = 0; j < n; j++) {
            swap(&a[row * n + j], &a[rank * n + j]);
        }
        for (int i = 0; i < n; i++) {
            swap(&a[i * n + column], &a[i * n + rank]);
        }
        int keep = order[column];
        order[column] = order[rank];
        order[rank] = keep;
        for (int i = 0; i < n; i++) {
            double factor = i == rank ? 0.0 : a[i * n + rank] / a[rank * n + rank];
            for (int j = rank; j < n && factor != 0.0; j++) {
                a[i * n + j] -= factor * a[rank * n + j];
            }
        }
        for (int j = n - 1; j >= rank; j--) {
            a[rank * n + j] /= a[rank * n + rank];
        }
    }
    return rank;
}

/* The vectors z with a z = 0 as rows of `out` (n - rank x n), which has room for all; `a` is
   overwritten. Returns their number. */
static int find_null(int n, double *a, int *order, double *out)
{
    int rank = eliminate(n, a, order);

    for (int c = rank; c < n; c++) {
        double *z = out + (size_t) (c - rank) * (size_t) n;
        memset(z, 0, (size_t) n * sizeof *z);
        z[order[c]] = 1.0;
        for (int i = 0; i < rank; i++) {
            z[order[i]] = -a[i * n + c];
        }
    }
    return n - rank;
}

/* A in units of the states' sizes. */
static void scale_matrix(const search *s, double *out)
{
    size_t n = (size_t) s->l->out->n_states;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = s->l->out->a[i * n + j] * s->unit[j] / s->unit[i];
        }
    }
}

/* Transposes a matrix (n x n) without what is nothing in its rows: a column may hold no more than
   the round-off of other terms, which would count where it becomes a row of its own. */
static void transpose(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0;
        for (size_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(a[i * n + j]));
        }
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = fabs(a[i * n + j]) > NOTHING * largest ? a[i * n + j] : 0.0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            swap(&a[i * n + j], &a[j * n + i]);
        }
    }
}

/* --- small models --------------------------------------------------------------------------- */

/* How many of the smallest eigenvalues are 0: the rigid modes `z` (n_rigid x n), and the rest of
   their chains. `room` (2 n x n). */
static int count_zeros(const search *s, int n_rigid, const double *z, double *room, int *order)
{
    size_t n = (size_t) s->l->out->n_states, r = (size_t) n_rigid;
    double *y = room + n * n, *product = room;

    scale_matrix(s, room);
    transpose(n, room);
    int n_left = find_null((int) n, room, order, y);
    if (n_left != n_rigid) {
        return n_rigid;
    }
    for (size_t i = 0; i < r; i++) {
        for (size_t j = 0; j < r; j++) {
            product[i * r + j] = 0.0;
            for (size_t k = 0; k < n; k++) {
                product[i * r + j] += y[i * n + k] * z[j * n + k];
            }
            product[i * r + j] =
                fabs(product[i * r + j]) > NOTHING * (double) n ? product[i * r + j] : 0.0;
        }
    }
    return 2 * n_rigid - eliminate(n_rigid, product, order);
}

static ha_status add_rigid(search *s, int n_rigid, const double *z)
{
    const double zero[2] = { 0.0, 0.0 };
    size_t n = (size_t) s->l->out->n_states;

    s->out->n_rigid = n_rigid;
    for (size_t i = 0; i < (size_t) n_rigid; i++) {
        for (size_t k = 0; k < n; k++) {
            s->x[2 * k] = z[i * n + k];
            s->x[2 * k + 1] = 0.0;
        }
        HA_TRY(bg__mode_add(s, zero));
    }
    return HA_OK;
}

static ha_status find_dense(search *s, int n_lowest)
{
    size_t n = (size_t) s->l->out->n_states;
    double *room = ha__alloc(s->l->ctx, 5 * n * n + 2 * n, sizeof *room);
    int *order = ha__alloc(s->l->ctx, n, sizeof *order);
    ha_status status = room == NULL || order == NULL ? HA_ERR_MEMORY : HA_OK;
    double *z = room, *vectors = NULL, *values = NULL;
    int zeros = 0;

    if (status == HA_OK) {
        scale_matrix(s, room + n * n);
        int n_rigid = find_null((int) n, room + n * n, order, z);
        zeros = count_zeros(s, n_rigid, z, room + n * n, order);
        status = add_rigid(s, n_rigid, z);
        vectors = room + 2 * n * n;
        values = room + 4 * n * n;
        scale_matrix(s, room + n * n);
    }
    HA_THEN(status, ha__eigenvalues(s->l->ctx, (int) n, room + n * n, values, vectors));
    for (size_t k = (size_t) zeros; k < n && status == HA_OK && s->out->n_modes < n_lowest; k++) {
        for (size_t i = 0; i < n; i++) {
            s->x[2 * i] = vectors[2 * (i * n + k)];
            s->x[2 * i + 1] = vectors[2 * (i * n + k) + 1];
        }
        status = values[2 * k + 1] < 0.0 ? HA_OK : bg__mode_add(s, values + 2 * k);
    }
    HA_FREE(room, order);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status search_modes(search *s, int n_lowest)
{
    bg__linearisation *l = s->l;
    bg_modal *out = s->out;

    HA_TRY(bg__linear_begin(l));
    bool is_dense = l->out->n_states <= BG__MOST_DENSE;
    int most = n_lowest > 0 ? n_lowest : is_dense ? l->out->n_states : FEW;
    if (is_dense) {
        HA_TRY_ALLOC(l->ctx, out->modes, most + l->out->n_states + 1);
    }
    HA_TRY_ALLOC(l->ctx, s->unit, l->out->n_states, s->x, 2 * (size_t) l->out->n_states);
    for (int k = 0; k < l->out->n_states; k++) {
        s->unit[k] = fabs(l->size[l->state[k]] * l->content[k]);
    }
    out->outputs = l->out->outputs; /* moved */
    out->n_outputs = l->out->n_outputs;
    l->out->outputs = NULL;
    l->out->n_outputs = 0;
    out->sides = l->out->sides;
    out->n_sides = l->out->n_sides;
    l->out->sides = NULL;
    l->out->n_sides = 0;
    if (is_dense) {
        HA_TRY(bg__linear_finish(l));
    } else {
        bg__linear_tell_rest(l);
    }
    out->n_states = l->out->n_states;
    out->is_equilibrium = l->out->is_equilibrium;
    out->velocity = l->out->velocity;
    out->acceleration = l->out->acceleration;
    HA_TRY(is_dense ? find_dense(s, most) : bg__modes_find_sparse(s, most));
    return out->residual <= WRONG
               ? bg__modes_find_second(s)
               : ha_fail(
                     l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                     "the modes fail their own check: put back into the equations one has a "
                     "relative error of %.2g; eigenvalues that are nearly the same do this, and "
                     "values that differ by many powers of ten",
                     out->residual);
}

ha_status bg_modes(ha_ctx *ctx, const bg_model *model, const bg_operating_point *point,
                   int n_lowest, bg_modal *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && point != NULL && point->y != NULL && out != NULL);
    bg_linear linear = { 0 };
    bg__linearisation l = {
        .ctx = ctx, .m = model, .point = point, .out = &linear, .skips_outputs = true
    };
    search s = { .l = &l, .out = out };

    *out = (bg_modal){ 0 };
    if (!model->is_linear) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for linearisation; compile it with "
                       "bg_model_compile_linear()");
    }
    ha_status status = search_modes(&s, n_lowest);
    HA_FREE(s.unit, s.x, s.shapes);
    bg__linear_release(&l);
    bg_linear_clear(&linear);
    return status;
}

void bg_modal_clear(bg_modal *modal)
{
    for (int i = 0; i < modal->n_modes; i++) {
        HA_FREE(modal->modes[i].outputs, modal->modes[i].second);
    }
    for (int i = 0; i < modal->n_outputs; i++) {
        ha__free(modal->outputs[i]);
    }
    for (int i = 0; i < modal->n_sides; i++) {
        ha__free(modal->sides[i]);
    }
    HA_FREE(modal->modes, modal->outputs, modal->values, modal->sides);
    *modal = (bg_modal){ 0 };
}
