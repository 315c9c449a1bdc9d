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
 * Large models: the sparse equations of everything, (A + s E) y = 0 (linear_pencil.h), shifted and
 * inverted: y <- (A + shift E)^-1 E y has the eigenvalues 1 / (shift - s), whose largest Arnoldi's
 * method finds. Each vector is put on the tangent space of the constraints by its states, so that
 * no root of the stabilisation is found. Where A is regular the shift is 0; else the rank of A says
 * how many rigid modes there are, and they are independent ones of the vectors found at 0.
 *
 * The outputs of a mode follow from its unknowns y = N x, with y' and the algebraic ones solved
 * for: the real and the imaginary part, one after the other.
 */
#include <config.h>

#include "bondgraph/modes.h"

#include "bondgraph/analysis/linear_pencil.h"
#include "lib/core/need.h"
#include "lib/linalg/arnoldi.h"
#include "lib/linalg/eigen.h"
#include "lib/linalg/rank.h"

#include <math.h>
#include <string.h>

enum { FEW = 10 };

static const double NOTHING = 1e-11;    /* of a row scaled to 1: it depends on others */
static const double CONVERGED = 1e-11;  /* relative residual in Arnoldi's method */
static const double SINGULAR = 1e-13;   /* condition of A where there are rigid modes */
static const double WRONG = 1e-6;       /* residual of a mode that is an error */
static const double RIGID_SHIFT = 1e-2; /* of the usual rates */
static const double SAME = 1e-3;        /* of a direction that is new: it is one of those known */

typedef struct {
    bg__linearisation *l;
    bg_modal *out;
    double *unit; /* (n_states) size of each state */
    double *x;    /* (n_states x 2) of the mode at hand, in these units */
    bg__linear_pencil pencil;
    double *shifted; /* its values at the shift */
    double *b, *z;   /* (unknowns) */
    ha__lu *lu;      /* of it */
} search;

/* --- what a mode does ----------------------------------------------------------------------- */

/* Solves for one part of the mode: the unknowns of x, then their rates. */
static void take_part(search *s, int part)
{
    bg__linearisation *l = s->l;

    memset(l->column, 0, ((size_t) l->m->dae.n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int k = 0; k < l->out->n_states; k++) {
        l->column[l->state[k]] = s->x[2 * k + part] * s->unit[k] / l->content[k];
    }
    bg__tangent_follow(&l->tangent, l->column);
    bg__linear_solve(l);
}

/* How far the rates are from lambda times the unknowns, in units of sizes. */
static double defect_of(search *s, const double *lambda)
{
    bg__linearisation *l = s->l;
    double worst = 0.0, largest = 0.0;

    for (int part = 0; part < 2; part++) {
        /* the rate of part 0 is re x0 - im x1, that of part 1 re x1 + im x0 */
        take_part(s, part);
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

/* Adds the mode in s->x: largest state 1, its outputs. */
static ha_status add_mode(search *s, const double *lambda)
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
    HA_TRY_ALLOC(s->l->ctx, mode->outputs, 2 * (size_t) out->n_outputs);
    out->n_modes++;
    for (int part = 0; part < 2; part++) {
        take_part(s, part);
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

/* A in units of the states' sizes, or its transpose. */
static void scale_matrix(const search *s, bool is_transposed, double *out)
{
    size_t n = (size_t) s->l->out->n_states;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double value = s->l->out->a[i * n + j] * s->unit[j] / s->unit[i];
            out[is_transposed ? j * n + i : i * n + j] = value;
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

    scale_matrix(s, true, room);
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
        HA_TRY(add_mode(s, zero));
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
        scale_matrix(s, false, room + n * n);
        int n_rigid = find_null((int) n, room + n * n, order, z);
        zeros = count_zeros(s, n_rigid, z, room + n * n, order);
        status = add_rigid(s, n_rigid, z);
        vectors = room + 2 * n * n;
        values = room + 4 * n * n;
        scale_matrix(s, false, room + n * n);
    }
    if (status == HA_OK) {
        status = ha__eigenvalues(s->l->ctx, (int) n, room + n * n, values, vectors);
    }
    for (size_t k = (size_t) zeros; k < n && status == HA_OK && s->out->n_modes < n_lowest; k++) {
        for (size_t i = 0; i < n; i++) {
            s->x[2 * i] = vectors[2 * (i * n + k)];
            s->x[2 * i + 1] = vectors[2 * (i * n + k) + 1];
        }
        status = values[2 * k + 1] < 0.0 ? HA_OK : add_mode(s, values + 2 * k);
    }
    HA_FREE(room, order);
    return status;
}

/* --- large models --------------------------------------------------------------------------- */

/* x <- (A + shift E)^-1 E N x among the states. */
static void apply_inverse(void *user, const double *x, double *out)
{
    search *s = user;
    bg__linearisation *l = s->l;
    const bg__linear_pencil *p = &s->pencil;

    memset(l->column, 0, ((size_t) p->n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int k = 0; k < l->out->n_states; k++) {
        l->column[l->state[k]] = x[k] * l->size[l->state[k]];
    }
    bg__tangent_follow(&l->tangent, l->column);
    memset(s->b, 0, (size_t) p->n * sizeof *s->b);
    for (int j = 0; j < p->n; j++) {
        double y = l->column[j] / p->size[j];
        for (int64_t k = p->start[j]; k < p->start[j + 1] && y != 0.0; k++) {
            s->b[p->row[k]] += p->e[k] * y;
        }
    }
    ha__lu_solve_at_once(s->lu, s->shifted, s->b, s->z);
    for (int k = 0; k < l->out->n_states; k++) {
        out[k] = s->z[l->state[k]];
    }
}

/* Factors A + shift E. */
static ha__lu_flag factor(search *s, double shift)
{
    const bg__linear_pencil *p = &s->pencil;

    for (int64_t k = 0; k < p->start[p->n]; k++) {
        s->shifted[k] = p->a[k] + shift * p->e[k];
    }
    return ha__lu_factor_safely(s->lu, s->shifted);
}

/* The largest rate of an unknown, by its size, in a direction that has a part of every state. */
static double usual_rate(search *s)
{
    bg__linearisation *l = s->l;
    double most = 0.0;

    for (int k = 0; k < l->out->n_states; k++) {
        s->x[2 * k] = k % 2 == 0 ? 1.0 : -0.7;
    }
    take_part(s, 0);
    for (int j = 0; j < l->m->dae.n; j++) {
        bool counts = bg__linear_is_differential(l, j);
        most = counts ? fmax(most, fabs(l->solution[j]) / l->size[j]) : most;
    }
    return most > 0.0 ? most : 1.0;
}

/* s = shift - 1 / mu. */
static void eigenvalue_of(const double *mu, double shift, double *lambda)
{
    double square = mu[0] * mu[0] + mu[1] * mu[1];

    lambda[0] = shift - mu[0] / square;
    lambda[1] = mu[1] / square;
}

/* Whether an eigenvalue is 0 beside the shift. */
static bool is_zero(const double *lambda, double shift)
{
    return hypot(lambda[0], lambda[1]) < 1e-5 * fabs(shift);
}

static ha_status prepare_sparse(search *s, double *shift)
{
    bg__linearisation *l = s->l;

    HA_TRY(bg__linear_pencil_new(l, &s->pencil));
    HA_TRY_ALLOC(l->ctx, s->shifted, s->pencil.start[s->pencil.n]);
    HA_TRY_ALLOC(l->ctx, s->b, s->pencil.n);
    HA_TRY_ALLOC(l->ctx, s->z, s->pencil.n);
    HA_TRY(ha__lu_new(l->ctx, s->pencil.n, s->pencil.start, s->pencil.row, l->k_mark, &s->lu));
    l->usual = usual_rate(s);
    *shift = 0.0;
    ha__lu_flag flag = factor(s, *shift);
    if (flag != HA__LU_FAILED && (flag != HA__LU_DONE || ha__lu_condition(s->lu) < SINGULAR)) {
        *shift = RIGID_SHIFT * l->usual;
        flag = factor(s, *shift);
    }
    if (flag == HA__LU_FAILED) {
        return HA_ERR_MEMORY;
    }
    return flag == HA__LU_DONE
               ? HA_OK
               : ha_fail(l->ctx, HA_ERR_SINGULAR, HA_NOWHERE,
                         "the modes cannot be found: the equations are singular at the shift %.6g",
                         *shift);
}

/* The directions in which nothing holds the model: those constant deviations that the equations of
   everything allow, by their rank. Values that are held are such by themselves, and no states. */
static ha_status count_rigid(search *s, int *n_rigid)
{
    const bg__linear_pencil *p = &s->pencil;
    const ha__matrix a = { p->n, p->n, p->start, p->row, p->a };
    const ha__rank_options options = { 0 };
    int rank = 0;

    HA_TRY(ha__rank(s->l->ctx, &a, &options, &rank, NULL));
    *n_rigid = p->n - rank;
    for (int j = 0; j < p->n; j++) {
        *n_rigid -= bg__linear_is_held(s->l, j) ? 1 : 0;
    }
    return HA_OK;
}

/* Takes from one part of a vector (n_states x 2) what the rigid directions `known` (n_known) have
   of it, and appends the rest with the length 1; false where nothing is left. */
static bool is_new_direction(const search *s, const double *v, int part, double *known, int n_known)
{
    size_t n = (size_t) s->l->out->n_states;
    double *rest = known + (size_t) n_known * n, before = 0.0, after = 0.0;

    for (size_t k = 0; k < n; k++) {
        rest[k] = v[2 * k + (size_t) part];
        before += rest[k] * rest[k];
    }
    for (int i = 0; i < n_known; i++) {
        const double *other = known + (size_t) i * n;
        double share = 0.0;
        for (size_t k = 0; k < n; k++) {
            share += other[k] * rest[k];
        }
        for (size_t k = 0; k < n; k++) {
            rest[k] -= share * other[k];
        }
    }
    for (size_t k = 0; k < n; k++) {
        after += rest[k] * rest[k];
    }
    for (size_t k = 0; k < n && after > 0.0; k++) {
        rest[k] /= sqrt(after);
    }
    return after > SAME * SAME && after > SAME * SAME * before;
}

/* The vector v (n_states x 2) of the sparse equations as the mode at hand. */
static void take_vector(search *s, const double *v, size_t step)
{
    for (size_t k = 0; k < (size_t) s->l->out->n_states; k++) {
        double unit = s->l->size[s->l->state[k]] * s->l->content[k] / s->unit[k];
        s->x[2 * k] = v[step * k] * unit;
        s->x[2 * k + 1] = step == 2 ? v[2 * k + 1] * unit : 0.0;
    }
}

/* Adds rigid modes: independent ones of the vectors (n) whose eigenvalues are 0 beside the shift.
 */
static ha_status add_sparse_rigid(search *s, double shift, int n_rigid, int n, const double *values,
                                  const double *vectors)
{
    const double zero[2] = { 0.0, 0.0 };
    size_t ns = (size_t) s->l->out->n_states;
    double *known = ha__alloc(s->l->ctx, ((size_t) n_rigid + 1) * ns, sizeof *known);
    ha_status status = known == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int c = 0; c < 2 * n && s->out->n_rigid < n_rigid && status == HA_OK; c++) {
        double lambda[2];
        eigenvalue_of(values + 2 * (c / 2), shift, lambda);
        if (is_zero(lambda, shift) && is_new_direction(s, vectors + (size_t) (c / 2) * 2 * ns,
                                                       c % 2, known, s->out->n_rigid)) {
            take_vector(s, known + (size_t) s->out->n_rigid * ns, 1);
            status = add_mode(s, zero);
            s->out->n_rigid++;
        }
    }
    ha__free(known);
    return status != HA_OK || s->out->n_rigid == n_rigid
               ? status
               : ha_fail(s->l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the model has %d rigid modes by its rank, and %d were found; values that "
                         "differ by many powers of ten do this",
                         n_rigid, s->out->n_rigid);
}

/* Adds what Arnoldi's method found: the rigid modes, then the conjugates with a positive imaginary
   part. */
static ha_status add_found(search *s, double shift, int n_rigid, int n_lowest, int n,
                           const double *values, const double *vectors)
{
    HA_TRY(n_rigid > 0 ? add_sparse_rigid(s, shift, n_rigid, n, values, vectors) : HA_OK);
    for (int c = 0; c < n && s->out->n_modes < n_lowest; c++) {
        double lambda[2];
        eigenvalue_of(values + 2 * c, shift, lambda);
        if (!is_zero(lambda, shift) && lambda[1] >= 0.0) {
            take_vector(s, vectors + 2 * (size_t) c * (size_t) s->l->out->n_states, 2);
            HA_TRY(add_mode(s, lambda));
        }
    }
    return HA_OK;
}

static ha_status find_sparse(search *s, int n_lowest)
{
    int n_rigid = 0, n_found = 0;
    size_t ns = (size_t) s->l->out->n_states;
    double shift = 0.0;

    HA_TRY(prepare_sparse(s, &shift));
    HA_TRY(shift > 0.0 ? count_rigid(s, &n_rigid) : HA_OK);
    int most = n_lowest > n_rigid ? n_lowest : n_rigid, wanted = 2 * most + 4;
    HA_TRY_ALLOC(s->l->ctx, s->out->modes, most + 1);
    double *values = ha__alloc(s->l->ctx, 2 * (size_t) wanted, sizeof *values);
    double *vectors = ha__alloc(s->l->ctx, 2 * (size_t) wanted * ns, sizeof *vectors);
    ha_status status = values == NULL || vectors == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK) {
        status = ha__arnoldi(s->l->ctx, (int) ns, apply_inverse, s, wanted, CONVERGED, values,
                             vectors, &n_found);
    }
    if (status == HA_OK) {
        status = add_found(s, shift, n_rigid, n_lowest, n_found, values, vectors);
    }
    HA_FREE(values, vectors);
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
    HA_TRY_ALLOC(l->ctx, s->unit, l->out->n_states);
    HA_TRY_ALLOC(l->ctx, s->x, 2 * (size_t) l->out->n_states);
    for (int k = 0; k < l->out->n_states; k++) {
        s->unit[k] = fabs(l->size[l->state[k]] * l->content[k]);
    }
    out->outputs = l->out->outputs; /* moved */
    out->n_outputs = l->out->n_outputs;
    l->out->outputs = NULL;
    l->out->n_outputs = 0;
    if (is_dense) {
        HA_TRY(bg__linear_finish(l));
    } else {
        bg__linear_tell_rest(l);
    }
    out->n_states = l->out->n_states;
    out->is_equilibrium = l->out->is_equilibrium;
    out->velocity = l->out->velocity;
    out->acceleration = l->out->acceleration;
    HA_TRY(is_dense ? find_dense(s, most) : find_sparse(s, most));
    return out->residual <= WRONG
               ? HA_OK
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
    bg__linear_pencil_clear(&s.pencil);
    ha__lu_free(s.lu);
    HA_FREE(s.unit, s.x, s.shifted, s.b, s.z);
    bg__linear_release(&l);
    bg_linear_clear(&linear);
    return status;
}

void bg_modal_clear(bg_modal *modal)
{
    for (int i = 0; i < modal->n_modes; i++) {
        ha__free(modal->modes[i].outputs);
    }
    for (int i = 0; i < modal->n_outputs; i++) {
        ha__free(modal->outputs[i]);
    }
    HA_FREE(modal->modes, modal->outputs);
    *modal = (bg_modal){ 0 };
}
