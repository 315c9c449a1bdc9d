/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes of large models.
 *
 * The sparse equations of everything, (A + s E) y = 0 (linear_pencil.h), are shifted and inverted:
 * y <- (A + shift E)^-1 E y has the eigenvalues 1 / (shift - s), whose largest Arnoldi's method
 * finds. Each vector is put on the tangent space of the constraints by its states, so that no root
 * of the stabilisation is found. Where A is regular the shift is 0; else the rank of A says how
 * many rigid modes there are: parts of vectors at random that A maps to 0.
 */
#include <config.h>

#include "bondgraph/analysis/linear_pencil.h"
#include "bondgraph/analysis/modes_priv.h"
#include "lib/core/random.h"
#include "lib/linalg/arnoldi.h"
#include "lib/linalg/rank.h"

#include <math.h>
#include <string.h>

static const double CONVERGED = 1e-11;  /* relative residual in Arnoldi's method */
static const double SINGULAR = 1e-13;   /* condition of A where there are rigid modes */
static const double RIGID_SHIFT = 1e-2; /* of the usual rates */
static const double SAME = 1e-3;        /* of a direction that is new: it is one of those known */

/* The search. */
typedef struct {
    bg__mode_search *s;
    bg__linear_pencil pencil;
    double *shifted; /* its values at the shift */
    double *b, *z;   /* (unknowns) */
    ha__lu *lu;      /* of it */
} krylov;

/* x <- (A + shift E)^-1 E N x among the states. */
static void apply_inverse(void *user, const double *x, double *out)
{
    krylov *q = user;
    bg__linearisation *l = q->s->l;
    const bg__linear_pencil *p = &q->pencil;

    memset(l->column, 0, ((size_t) p->n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int k = 0; k < l->out->n_states; k++) {
        l->column[l->state[k]] = x[k] * l->size[l->state[k]];
    }
    bg__tangent_follow(&l->tangent, l->column);
    memset(q->b, 0, (size_t) p->n * sizeof *q->b);
    for (int j = 0; j < p->n; j++) {
        double y = l->column[j] / p->size[j];
        for (int64_t k = p->start[j]; k < p->start[j + 1] && y != 0.0; k++) {
            q->b[p->row[k]] += p->e[k] * y;
        }
    }
    ha__lu_solve_at_once(q->lu, q->shifted, q->b, q->z);
    for (int k = 0; k < l->out->n_states; k++) {
        out[k] = q->z[l->state[k]];
    }
}

/* Factors A + shift E. */
static ha__lu_flag factor(krylov *q, double shift)
{
    const bg__linear_pencil *p = &q->pencil;

    for (int64_t k = 0; k < p->start[p->n]; k++) {
        q->shifted[k] = p->a[k] + shift * p->e[k];
    }
    return ha__lu_factor_safely(q->lu, q->shifted);
}

/* The largest rate of an unknown, by its size, in a direction that has a part of every state. */
static double usual_rate(bg__mode_search *s)
{
    bg__linearisation *l = s->l;
    double most = 0.0;

    for (int k = 0; k < l->out->n_states; k++) {
        s->x[2 * k] = k % 2 == 0 ? 1.0 : -0.7;
    }
    bg__mode_take_part(s, 0);
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

static ha_status prepare(krylov *q, double *shift)
{
    bg__linearisation *l = q->s->l;

    HA_TRY(bg__linear_pencil_new(l, &q->pencil));
    HA_TRY_ALLOC(l->ctx, q->shifted, q->pencil.start[q->pencil.n]);
    HA_TRY_ALLOC_EACH(l->ctx, q->pencil.n, q->b, q->z);
    HA_TRY(ha__lu_new(l->ctx, q->pencil.n, q->pencil.start, q->pencil.row, l->k_mark, &q->lu));
    l->usual = usual_rate(q->s);
    *shift = 0.0;
    ha__lu_flag flag = factor(q, *shift);
    if (flag != HA__LU_FAILED && (flag != HA__LU_DONE || ha__lu_condition(q->lu) < SINGULAR)) {
        *shift = RIGID_SHIFT * l->usual;
        flag = factor(q, *shift);
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
static ha_status count_rigid(const krylov *q, int *n_rigid)
{
    const bg__linear_pencil *p = &q->pencil;
    const ha__matrix a = { p->n, p->n, p->start, p->row, p->a };
    const ha__rank_options options = { 0 };
    int rank = 0;

    HA_TRY(ha__rank(q->s->l->ctx, &a, &options, &rank, NULL));
    *n_rigid = p->n - rank;
    for (int j = 0; j < p->n; j++) {
        *n_rigid -= bg__linear_is_held(q->s->l, j) ? 1 : 0;
    }
    return HA_OK;
}

/* Takes from one part of a vector (n_states x 2) what the rigid directions `known` (n_known) have
   of it, and appends the rest with the length 1; false where nothing is left. */
static bool is_new_direction(const bg__mode_search *s, const double *v, int part, double *known,
                             int n_known)
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
static void take_vector(bg__mode_search *s, const double *v, size_t step)
{
    for (size_t k = 0; k < (size_t) s->l->out->n_states; k++) {
        double unit = s->l->size[s->l->state[k]] * s->l->content[k] / s->unit[k];
        s->x[2 * k] = v[step * k] * unit;
        s->x[2 * k + 1] = step == 2 ? v[2 * k + 1] * unit : 0.0;
    }
}

/* The part of a vector at random that the equations of everything map to 0, by its states: y - s
   with A s = A y, s of least length. Values that are held stay. `y`, `right` and `s` (unknowns). */
static ha_status find_rigid(const krylov *q, const double *free, uint32_t *seed, double *right,
                            double *s)
{
    const bg__linear_pencil *p = &q->pencil;
    const ha__matrix a = { p->n, p->n, p->start, p->row, p->a };
    const ha__rank_options options = { .column_scale = free };
    bg__linearisation *l = q->s->l;

    memset(right, 0, (size_t) p->n * sizeof *right);
    for (int j = 0; j < p->n; j++) {
        q->z[j] = free[j] * ha__random_sign(seed);
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            right[p->row[k]] += p->a[k] * q->z[j];
        }
    }
    HA_TRY(ha__least_norm(l->ctx, &a, &options, right, s, NULL, NULL));
    for (int k = 0; k < l->out->n_states; k++) {
        int j = l->state[k];
        q->s->x[2 * k] = (q->z[j] - s[j]) * p->size[j] / l->size[j];
        q->s->x[2 * k + 1] = 0.0;
    }
    return HA_OK;
}

/* Adds rigid modes: as many independent vectors as A maps to 0. */
static ha_status add_sparse_rigid(krylov *q, int n_rigid)
{
    const double zero[2] = { 0.0, 0.0 };
    bg__mode_search *s = q->s;
    size_t ns = (size_t) s->l->out->n_states, n = (size_t) q->pencil.n;
    double *known = ha__alloc(s->l->ctx, ((size_t) n_rigid + 1) * ns + 3 * n, sizeof *known);
    uint32_t seed = 1;
    HA_TRY_MEMORY(known);
    ha_status status = HA_OK;
    double *free = known + ((size_t) n_rigid + 1) * ns, *right = free + n, *least = right + n;

    for (size_t j = 0; j < n && status == HA_OK; j++) {
        free[j] = bg__linear_is_held(s->l, (int) j) ? 0.0 : 1.0;
    }
    for (int c = 0; c < 2 * n_rigid && s->out->n_rigid < n_rigid && status == HA_OK; c++) {
        status = find_rigid(q, free, &seed, right, least);
        if (status == HA_OK && is_new_direction(s, s->x, 0, known, s->out->n_rigid)) {
            take_vector(s, known + (size_t) s->out->n_rigid * ns, 1);
            status = bg__mode_add(s, zero);
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

/* Adds what Arnoldi's method found: the conjugates with a positive imaginary part. */
static ha_status add_found(bg__mode_search *s, double shift, int n_lowest, int n,
                           const double *values, const double *vectors)
{
    for (int c = 0; c < n && s->out->n_modes < n_lowest; c++) {
        double lambda[2];
        eigenvalue_of(values + 2 * c, shift, lambda);
        if (!is_zero(lambda, shift) && lambda[1] >= 0.0) {
            take_vector(s, vectors + 2 * (size_t) c * (size_t) s->l->out->n_states, 2);
            HA_TRY(bg__mode_add(s, lambda));
        }
    }
    return HA_OK;
}

static ha_status find(krylov *q, int n_lowest)
{
    bg__mode_search *s = q->s;
    int n_rigid = 0, n_found = 0;
    size_t ns = (size_t) s->l->out->n_states;
    double shift = 0.0;

    HA_TRY(prepare(q, &shift));
    HA_TRY(shift > 0.0 ? count_rigid(q, &n_rigid) : HA_OK);
    int most = n_lowest > n_rigid ? n_lowest : n_rigid, wanted = 2 * most + 4;
    HA_TRY_ALLOC(s->l->ctx, s->out->modes, most + 1);
    double *values = ha__alloc(s->l->ctx, 2 * (size_t) wanted, sizeof *values);
    double *vectors = ha__alloc(s->l->ctx, 2 * (size_t) wanted * ns, sizeof *vectors);
    ha_status status = values == NULL || vectors == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, ha__arnoldi(s->l->ctx, (int) ns, apply_inverse, q, wanted, CONVERGED, values,
                                vectors, &n_found));
    HA_THEN(status, n_rigid > 0 ? add_sparse_rigid(q, n_rigid) : HA_OK);
    HA_THEN(status, add_found(s, shift, n_lowest, n_found, values, vectors));
    HA_FREE(values, vectors);
    return status;
}

ha_status bg__modes_find_sparse(bg__mode_search *s, int n_lowest)
{
    krylov q = { .s = s };
    ha_status status = find(&q, n_lowest);

    bg__linear_pencil_clear(&q.pencil);
    ha__lu_free(q.lu);
    HA_FREE(q.shifted, q.b, q.z);
    return status;
}
