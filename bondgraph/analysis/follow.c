/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small deviations along a motion.
 *
 * Deviations v of the differential unknowns and z_a of the algebraic ones obey
 *
 *     K z + F_yd v + F_w w = 0,    z = [v'; z_a],    K = [F_y'd  F_ya],
 *
 * with derivatives along the motion (linearise.c) and a constant deviation w of an input. The
 * equations may be stiff, as those of the motion are, so the step from t to t + h is one of the
 * method Radau IIA with five stages, of order 9: it is stable whatever the step, and what dies out
 * fast does so in its last stage (Hairer and Wanner, Solving Ordinary Differential Equations II,
 * section IV.5). With the nodes c and the weights a_ij, the integrals from 0 to c_i of Lagrange's
 * polynomials of the nodes, the stages are those z_i which obey
 *
 *     K_i z_i + h sum_j a_ij F_yd,i v'_j = -F_yd,i v - F_w,i w,
 *
 * one sparse linear system for all stages, for the equations are linear; then
 * v(t + h) = v + h sum_j a_5j v'_j.
 *
 * Two half steps are more accurate than a whole one by a factor of 2^9; their result is taken, and
 * the difference, which is too large an error for them, decides on the length of the steps. Most
 * steps of a run are so short that this need not be done: where the polynomial through the stages
 * v'_i has at the begin of the step, which is no stage, the rate v' there but for a part of the
 * tolerance, the whole step is right.
 */
#include <config.h>

#include "bondgraph/analysis/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5 };

static const double SHORTEST = 0.02; /* part of a step of the run */
static const double INSTANT = 1e-12; /* of the time: a step in which it hardly changes */
static const double SMALL = 0.1;     /* of the tolerance: a defect or error that is none */
static const double HELPS = 0.5;     /* of the error before: what is left by a step of half length,
                                        unless it is round-off */
static const double LARGEST = 1e200; /* deviations beyond are no numbers to go on with */

/* The zeros of the right Radau polynomial P_5 - P_4, moved to [0, 1]. */
static const double node[STAGES] = { 0.05710419611451768219, 0.27684301363812382768,
                                     0.58359043236891682006, 0.86024013565621944785, 1.0 };

/* An entry of the matrix of all stages: at `slot`, for block row i and block column j, from the
   derivative `entry`, which is of y' or algebraic unknowns (K) or of states (F_yd). */
typedef struct {
    int64_t slot;
    int entry;
    signed char i, j;
    bool is_k;
} term;

struct bg__follow {
    bg__linearisation *l;
    int n_columns;
    int *input;
    double tolerance;
    double a[STAGES][STAGES];
    double begin[STAGES]; /* Lagrange's polynomials at the begin of a step */
    bool has_rate;        /* `rate` is that at the begin of the step to come */
    ha__lu *lu;
    int64_t *start, *row;
    double *matrix;
    signed char *mark;
    term *terms;
    size_t n_terms;
    double *values;         /* (STAGES x n_linear) derivatives at the stages */
    double *y, *yp;         /* (n) of the motion */
    double *v;              /* (n_columns x n) */
    double *whole, *half;   /* (n_columns x n) after a whole step; after one half, then both */
    double *rate, *end;     /* (n_columns x n) at the begin of a step, at its end */
    double *guess;          /* (n_columns x n) at its begin by its stages */
    double *right, *stages; /* (STAGES x n) */
    double *largest;        /* (n_columns) largest deviation so far, by the sizes */
};

/* --- the method ----------------------------------------------------------------------------- */

/* a_ij: the integral from 0 to c_i of the product over k != j of (x - c_k) / (c_j - c_k). */
static void find_weights(double a[STAGES][STAGES], double begin[STAGES])
{
    for (int j = 0; j < STAGES; j++) {
        double p[STAGES] = { 1.0 }; /* coefficients, the constant one first */
        int degree = 0;
        for (int k = 0; k < STAGES; k++) {
            double scale = k == j ? 1.0 : 1.0 / (node[j] - node[k]);
            for (int m = degree + 1; m >= 0 && k != j; m--) {
                double up = m > 0 ? p[m - 1] : 0.0, here = m <= degree ? p[m] : 0.0;
                p[m] = scale * (up - node[k] * here);
            }
            degree += k != j;
        }
        begin[j] = p[0];
        for (int i = 0; i < STAGES; i++) {
            double sum = 0.0;
            for (int m = STAGES - 1; m >= 0; m--) {
                sum = (sum + p[m] / (m + 1)) * node[i];
            }
            a[i][j] = sum;
        }
    }
}

/* --- the matrix ----------------------------------------------------------------------------- */

/* A term with its row and column in the matrix. */
typedef struct {
    int64_t row, column;
    term term;
} placed;

static int by_place(const void *first, const void *second)
{
    const placed *a = first, *b = second;

    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

/* Lists what each derivative of the equations is part of; returns the number. */
static size_t list_terms(const bg__follow *f, placed *out)
{
    const bg_model *m = f->l->m;
    int n = m->dae.n;
    size_t count = 0;

    for (int e = 0; e < m->n_linear; e++) {
        const bg__linear_entry *entry = &m->linear[e];
        if (entry->block != BG__LINEAR_EQUATION || entry->column >= 2 * n) {
            continue;
        }
        int unknown = entry->column % n;
        bool is_rate = entry->column >= n, moves = bg__linear_is_differential(f->l, unknown);
        if (is_rate && !moves) {
            continue;
        }
        bool is_k = is_rate || !moves;
        for (int i = 0; i < STAGES; i++) {
            for (int j = is_k ? i : 0; j < (is_k ? i + 1 : STAGES); j++) {
                out[count++] = (placed){ (int64_t) i * n + entry->row,
                                         (int64_t) j * n + unknown,
                                         { 0, e, (signed char) i, (signed char) j, is_k } };
            }
        }
    }
    return count;
}

/* In compressed columns; terms of the same slot are added. */
static void compress(bg__follow *f, const placed *all)
{
    int64_t n_all = (int64_t) STAGES * f->l->m->dae.n, slot = -1, column = -1;

    for (size_t k = 0; k < f->n_terms; k++) {
        bool is_new = k == 0 || by_place(&all[k - 1], &all[k]) != 0;
        slot += is_new;
        for (; column < all[k].column; column++) {
            f->start[column + 1] = slot;
        }
        f->row[slot] = all[k].row;
        f->terms[k] = all[k].term;
        f->terms[k].slot = slot;
    }
    for (; column < n_all; column++) {
        f->start[column + 1] = slot + 1;
    }
}

static ha_status make_matrix(bg__follow *f)
{
    ha_ctx *ctx = f->l->ctx;
    size_t n = (size_t) f->l->m->dae.n * STAGES;
    size_t most = (size_t) f->l->m->n_linear * STAGES * STAGES;
    placed *all = ha__alloc(ctx, most, sizeof *all);

    HA_TRY_MEMORY(all);
    f->n_terms = list_terms(f, all);
    qsort(all, f->n_terms, sizeof *all, by_place);
    f->terms = ha__alloc(ctx, f->n_terms, sizeof *f->terms);
    f->start = ha__alloc(ctx, n + 1, sizeof *f->start);
    f->row = ha__alloc(ctx, f->n_terms, sizeof *f->row);
    f->matrix = ha__alloc(ctx, f->n_terms, sizeof *f->matrix);
    f->mark = ha__alloc(ctx, n, sizeof *f->mark);
    bool is_good = f->terms != NULL && f->start != NULL && f->row != NULL && f->matrix != NULL &&
                   f->mark != NULL;
    if (is_good) {
        compress(f, all);
    }
    ha__free(all);
    return is_good ? ha__lu_new(ctx, (int) n, f->start, f->row, f->mark, &f->lu) : HA_ERR_MEMORY;
}

/* The derivatives at the stages of a step, and the factors of its matrix. */
static ha_status prepare(bg__follow *f, double t, double h, ha_dae_inside inside, void *run)
{
    bg__linearisation *l = f->l;
    size_t n_linear = (size_t) l->m->n_linear;

    for (size_t i = 0; i < STAGES; i++) {
        HA_TRY(inside(run, t + node[i] * h, f->y, f->yp));
        bg__linear_differentiate(l, t + node[i] * h, f->y, f->yp);
        memcpy(f->values + i * n_linear, l->values, n_linear * sizeof *f->values);
    }
    memset(f->matrix, 0, (size_t) f->start[STAGES * l->m->dae.n] * sizeof *f->matrix);
    for (size_t k = 0; k < f->n_terms; k++) {
        const term *x = &f->terms[k];
        double value = f->values[(size_t) x->i * n_linear + (size_t) x->entry];
        f->matrix[x->slot] += x->is_k ? value : h * f->a[x->i][x->j] * value;
    }
    ha__lu_flag flag = ha__lu_factor_safely(f->lu, f->matrix);
    if (flag == HA__LU_FAILED) {
        return HA_ERR_MEMORY;
    }
    return flag == HA__LU_DONE
               ? HA_OK
               : ha_fail(l->ctx, HA_ERR_SINGULAR, HA_NOWHERE,
                         "deviations cannot be followed at %g s: there the equations do not "
                         "determine the accelerations, as at a singular position",
                         t);
}

/* --- steps ---------------------------------------------------------------------------------- */

/* The right side for one column. */
static void set_right(bg__follow *f, const double *v, int input)
{
    const bg_model *m = f->l->m;
    size_t n = (size_t) m->dae.n, n_linear = (size_t) m->n_linear;

    memset(f->right, 0, STAGES * n * sizeof *f->right);
    for (size_t e = 0; e < n_linear; e++) {
        const bg__linear_entry *entry = &m->linear[e];
        int column = entry->column;
        bool is_state = column < (int) n && bg__linear_is_differential(f->l, column);
        bool is_input = input >= 0 && column == 2 * (int) n + input;
        if (entry->block != BG__LINEAR_EQUATION || !(is_state || is_input)) {
            continue;
        }
        double by = is_state ? v[column] : 1.0;
        for (size_t i = 0; i < STAGES; i++) {
            f->right[i * n + (size_t) entry->row] -= f->values[i * n_linear + e] * by;
        }
    }
}

/* All columns over a step of length h, from `v` to `out`, which may be the same. */
static ha_status take_step(bg__follow *f, double t, double h, const double *v, double *out,
                           ha_dae_inside inside, void *run)
{
    size_t n = (size_t) f->l->m->dae.n;

    HA_TRY(prepare(f, t, h, inside, run));
    for (size_t k = 0; k < (size_t) f->n_columns; k++) {
        set_right(f, v + k * n, f->input[k]);
        ha__lu_solve_at_once(f->lu, f->matrix, f->right, f->stages);
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0, begin = 0.0;
            for (size_t i = 0; i < STAGES; i++) {
                sum += f->a[STAGES - 1][i] * f->stages[i * n + j];
                begin += f->begin[i] * f->stages[i * n + j];
            }
            bool moves = bg__linear_is_differential(f->l, (int) j);
            out[k * n + j] = moves ? v[k * n + j] + h * sum : 0.0;
            f->guess[k * n + j] = moves ? begin : 0.0;
            f->end[k * n + j] = moves ? f->stages[(STAGES - 1) * n + j] : 0.0;
        }
    }
    return HA_OK;
}

/* The largest number of a column, by the sizes. */
static double size_of(const bg__follow *f, const double *v)
{
    double largest = 0.0;

    for (int j = 0; j < f->l->m->dae.n; j++) {
        double x = fabs(v[j]) / f->l->size[j];
        largest = isfinite(x) ? fmax(largest, x) : (double) INFINITY;
    }
    return largest;
}

/* The error of a step, that of the worst column; `whole` becomes the difference. */
static double measure(bg__follow *f)
{
    size_t n = (size_t) f->l->m->dae.n;
    double worst = 0.0;

    for (size_t k = 0; k < (size_t) f->n_columns; k++) {
        double *difference = f->whole + k * n;
        double size = fmax(f->largest[k], size_of(f, f->half + k * n));
        if (!(size < LARGEST)) {
            return (double) INFINITY;
        }
        f->largest[k] = size;
        for (size_t j = 0; j < n; j++) {
            difference[j] -= f->half[k * n + j];
        }
        worst = size > 0.0 ? fmax(worst, size_of(f, difference) / size) : worst;
    }
    return worst;
}

/* What the defect at the begin of a whole step would change, that of the worst column. */
static double defect(bg__follow *f, double step)
{
    size_t n = (size_t) f->l->m->dae.n;
    double worst = 0.0;

    for (size_t k = 0; k < (size_t) f->n_columns; k++) {
        double *difference = f->guess + k * n;
        double size = fmax(f->largest[k], size_of(f, f->whole + k * n));
        for (size_t j = 0; j < n; j++) {
            difference[j] = step * (difference[j] - f->rate[k * n + j]);
        }
        worst = size > 0.0 ? fmax(worst, size_of(f, difference) / size) : worst;
    }
    return worst;
}

/* A step, and its error by two half ones unless the whole one is right. */
static ha_status try_step(bg__follow *f, double t, double step, ha_dae_inside inside, void *run,
                          double *error)
{
    size_t bytes = (size_t) f->n_columns * (size_t) f->l->m->dae.n * sizeof *f->v;

    HA_TRY(take_step(f, t, step, f->v, f->whole, inside, run));
    double unexplained = f->has_rate ? defect(f, step) : (double) INFINITY;
    if (unexplained <= SMALL * f->tolerance) {
        memcpy(f->half, f->whole, bytes);
        *error = fmax(unexplained, measure(f));
        return HA_OK;
    }
    HA_TRY(take_step(f, t, 0.5 * step, f->v, f->half, inside, run));
    HA_TRY(take_step(f, t + 0.5 * step, 0.5 * step, f->half, f->half, inside, run));
    *error = measure(f);
    return HA_OK;
}

ha_status bg__follow_step(bg__follow *f, double t0, double t1, ha_dae_inside inside, void *run)
{
    size_t bytes = (size_t) f->n_columns * (size_t) f->l->m->dae.n * sizeof *f->v;
    double t = t0, h = t1 - t0, before = (double) INFINITY;

    while (t < t1) {
        if (ha_ctx_is_interrupted(f->l->ctx)) {
            return HA_ERR_INTERRUPTED;
        }
        bool is_last = t + h >= t1 - 1e-9 * h;
        double step = is_last ? t1 - t : h;
        double error = 0.0;
        HA_TRY(try_step(f, t, step, inside, run, &error));
        bool helps = error < HELPS * before || !isfinite(before);
        if (error > f->tolerance && helps && step > fmax(SHORTEST * (t1 - t0), INSTANT * fabs(t))) {
            h = 0.5 * step;
            before = error;
            continue;
        }
        before = (double) INFINITY;
        if (!isfinite(error)) {
            return ha_fail(f->l->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "deviations cannot be followed at %g s: they grow beyond all bounds, or "
                           "a derivative of the equations is not a finite number there",
                           t);
        }
        memcpy(f->v, f->half, bytes);
        memcpy(f->rate, f->end, bytes);
        f->has_rate = true;
        t = is_last ? t1 : t + step;
        h = error <= SMALL * f->tolerance ? 2.0 * step : step;
    }
    return HA_OK;
}

/* --- the object ----------------------------------------------------------------------------- */

static ha_status make(bg__follow *f, const int *input)
{
    ha_ctx *ctx = f->l->ctx;
    size_t n = (size_t) f->l->m->dae.n, all = n * (size_t) f->n_columns;

    HA_TRY_ALLOC(ctx, f->input, f->n_columns);
    for (int k = 0; k < f->n_columns; k++) {
        f->input[k] = input[k];
    }
    HA_TRY_ALLOC(ctx, f->values, (size_t) f->l->m->n_linear * STAGES, f->largest, f->n_columns);
    HA_TRY_ALLOC_EACH(ctx, n, f->y, f->yp);
    HA_TRY_ALLOC_EACH(ctx, all, f->v, f->whole, f->half, f->rate, f->end, f->guess);
    HA_TRY_ALLOC_EACH(ctx, n * STAGES, f->right, f->stages);
    find_weights(f->a, f->begin);
    return make_matrix(f);
}

ha_status bg__follow_new(bg__linearisation *l, int n_columns, const int *input, double tolerance,
                         bg__follow **out)
{
    bg__follow *f = ha__alloc(l->ctx, 1, sizeof *f);

    HA_TRY_MEMORY(f);
    f->l = l;
    f->n_columns = n_columns;
    f->tolerance = tolerance;
    ha_status status = make(f, input);
    return HA_GIVE(status, f, bg__follow_free, out);
}

void bg__follow_free(bg__follow *f)
{
    if (f != NULL) {
        ha__lu_free(f->lu);
        HA_FREE(f->input, f->start, f->row, f->matrix, f->mark, f->terms, f->values, f->y, f->yp,
                f->v, f->whole, f->half, f->rate, f->end, f->guess, f->right, f->stages, f->largest,
                f);
    }
}

double *bg__follow_columns(bg__follow *f)
{
    return f->v;
}

void bg__follow_switch(bg__follow *f)
{
    f->has_rate = false;
}
