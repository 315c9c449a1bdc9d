/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Factors of one sparse matrix after another, of one pattern and with pivots chosen before.
 *
 * In the matrices of mechanisms a column holds a handful of entries, and to find them costs more
 * than the arithmetic. So it is planned once what is done with each pivot (lu_plan.c), and then,
 * with the pivots d_k in that order,
 *
 *     L_ik = A_ik / d_k,   A_ij = A_ij - L_ik U_kj
 *
 * for all rows i below and all columns j right of it, U being what A has become. L z = b and U x =
 * z follow.
 *
 * Near a singular position the terms of a pivot cancel,
 *
 *     |d_k| <= LEAST sum over i of |L_ki U_ik|,
 *
 * and such matrices are for a solver that looks for better pivots. Whether they are good otherwise
 * is seen from the solution: each row of A x = b has to hold but for roundings of its terms,
 *
 *     |b - A x|_i <= SURE (|b| + |A| |x|)_i,
 *
 * which means that x is exact for a matrix and a right-hand side that differ by as little in each
 * entry (Oettli and Prager 1964). Where a disturbance has hardly arrived, at the far end of a long
 * chain, all terms of a row are nothing beside the largest of the solution, and what they leave
 * means nothing: with scales r and c that bring the entries r_i A_ij c_j to about 1,
 *
 *     r_i |b - A x|_i <= NOTHING max over j of |x_j / c_j|
 *
 * will do, too. To look costs as much as to solve, and matrices change little from one to the next:
 * when a few solutions have been good a look now and then is enough.
 */
#include <config.h>

#include "lib/linalg/lu_fixed.h"

#include "lib/core/mem.h"
#include "lib/linalg/lu_plan.h"

#include <math.h>
#include <string.h>

enum {
    SETTLED = 8,   /* good solutions after which not all are looked at, */
    LOOK_EVERY = 4 /* but of so many one */
};

static const double LEAST = 1e-3;    /* pivot beside the terms that went into it */
static const double SURE = 1e-12;    /* residual beside the terms of its row */
static const double NOTHING = 1e-24; /* and beside the whole solution, where entries are about 1 */

/* What is left of a row, and the sum of its terms' magnitudes. */
typedef struct {
    double left, size;
} leftover;

struct ha__lu_fixed {
    ha__lu_plan *plan;
    const int64_t *a_start; /* borrowed */
    int *a_row;             /* (entries) */
    double *f;              /* (plan->n_slots) */
    double *z;              /* (n) in the order of the pivots */
    double *terms;          /* (n) of each pivot, the sum of the magnitudes of what it lost */
    leftover *leftovers;    /* (n) */
    double *row_scale;      /* (n) with column_scale, brings the entries of a matrix to about 1 */
    double *column_scale;
    int n_good; /* solutions since one was not; from SETTLED on since a look */
};

static ha_status init(ha_ctx *ctx, ha__lu_fixed *s, const int64_t *row)
{
    const ha__lu_plan *plan = s->plan;

    HA_TRY_ALLOC(ctx, s->a_row, plan->n_entries, s->f, plan->n_slots);
    HA_TRY_ALLOC_EACH(ctx, plan->n, s->z, s->terms, s->leftovers, s->row_scale, s->column_scale);
    for (int e = 0; e < plan->n_entries; e++) {
        s->a_row[e] = (int) row[e];
    }
    return HA_OK;
}

ha_status ha__lu_fixed_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                           const int *p, const int *q, ha__lu_fixed **out)
{
    ha__lu_plan *plan = NULL;

    HA_TRY(ha__lu_plan_new(ctx, n, start, row, p, q, &plan));
    if (plan == NULL) {
        return HA_OK;
    }
    ha__lu_fixed *s = ha__alloc(ctx, 1, sizeof *s);
    if (s == NULL) {
        ha__lu_plan_free(plan);
        return HA_ERR_MEMORY;
    }
    *s = (ha__lu_fixed){ .plan = plan, .a_start = start };
    ha_status status = init(ctx, s, row);
    return HA_GIVE(status, s, ha__lu_fixed_free, out);
}

void ha__lu_fixed_free(ha__lu_fixed *s)
{
    if (s != NULL) {
        ha__lu_plan_free(s->plan);
        HA_FREE(s->a_row, s->f, s->z, s->terms, s->leftovers, s->row_scale, s->column_scale, s);
    }
}

/* Puts the entries of A in their slots. */
static void place_entries(ha__lu_fixed *s, const double *a)
{
    const ha__lu_plan *plan = s->plan;

    for (size_t i = 0; i < plan->fill.count; i++) {
        s->f[plan->fill.items[i]] = 0.0;
    }
    for (int e = 0; e < plan->n_entries; e++) {
        s->f[plan->slot[e]] = a[e];
    }
}

/* L and U, and z = L^-1 z along with them: each entry of L is at hand then. False when a pivot is
   0, or little beside its terms. */
static bool eliminate(ha__lu_fixed *s)
{
    const ha__lu_plan *plan = s->plan;

    memset(s->terms, 0, (size_t) plan->n * sizeof *s->terms);
    for (int k = 0; k < plan->n; k++) {
        const int *shape = plan->shapes.items + plan->shape[k];
        int n_below = shape[0], n_right = shape[1];
        const int *row = shape + 2, *same = row + n_below, *to = same + n_below + n_right;
        double *pivot = s->f + plan->base[k], *lower = pivot + 1, *upper = lower + n_below;
        double *z = s->z + k, *terms = s->terms + k;
        const double inverse = 1.0 / *pivot, z_k = *z;

        if (!(fabs(*pivot) > LEAST * *terms) || !isfinite(inverse)) {
            return false;
        }
        *pivot = inverse;
        for (int i = 0; i < n_below; i++, to += n_right) {
            const double l = lower[i] * inverse;
            lower[i] = l;
            z[row[i]] -= l * z_k;
            for (int j = 0; j < n_right; j++) {
                pivot[to[j]] -= l * upper[j];
            }
            if (same[i] >= 0) {
                terms[row[i]] += fabs(l * upper[same[i]]);
            }
        }
    }
    return true;
}

/* z = L^-1 z */
static void solve_lower(const ha__lu_fixed *s)
{
    const ha__lu_plan *plan = s->plan;

    for (int k = 0; k < plan->n; k++) {
        const int *shape = plan->shapes.items + plan->shape[k], *row = shape + 2;
        const double *lower = s->f + plan->base[k] + 1;
        double *z = s->z + k;
        const double z_k = *z;
        for (int i = 0; i < shape[0]; i++) {
            z[row[i]] -= lower[i] * z_k;
        }
    }
}

/* z = U^-1 z */
static void solve_upper(const ha__lu_fixed *s)
{
    const ha__lu_plan *plan = s->plan;

    for (int k = plan->n - 1; k >= 0; k--) {
        const int *shape = plan->shapes.items + plan->shape[k], *column = shape + 2 + 2 * shape[0];
        const double *pivot = s->f + plan->base[k], *upper = pivot + 1 + shape[0];
        const double *z = s->z + k;
        double sum = *z;
        for (int j = 0; j < shape[1]; j++) {
            sum -= upper[j] * z[column[j]];
        }
        s->z[k] = sum * *pivot; /* its reciprocal is there */
    }
}

/* Scales that bring the largest entry of each row and then of each column to 1. */
static void find_scales(ha__lu_fixed *s, const double *a)
{
    memset(s->row_scale, 0, (size_t) s->plan->n * sizeof *s->row_scale);
    for (int e = 0; e < s->plan->n_entries; e++) {
        double *largest = &s->row_scale[s->a_row[e]];
        *largest = fmax(*largest, fabs(a[e]));
    }
    for (int i = 0; i < s->plan->n; i++) {
        s->row_scale[i] = s->row_scale[i] > 0.0 ? 1.0 / s->row_scale[i] : 1.0;
    }
    for (int j = 0; j < s->plan->n; j++) {
        double largest = 0.0;
        for (int64_t e = s->a_start[j]; e < s->a_start[j + 1]; e++) {
            largest = fmax(largest, fabs(a[e]) * s->row_scale[s->a_row[e]]);
        }
        s->column_scale[j] = largest > 0.0 ? 1.0 / largest : 1.0;
    }
}

/* The largest residual of a row that says nothing, where rows and columns are scaled. */
static double smallest_residual(ha__lu_fixed *s, const double *a, const double *x)
{
    double largest = 0.0;

    find_scales(s, a);
    for (int j = 0; j < s->plan->n; j++) {
        largest = fmax(largest, fabs(x[j]) / s->column_scale[j]);
    }
    return NOTHING * largest;
}

/* True when each row holds but for round-off of its terms or, where these are nothing, of the
   solution; both are finite then. */
static bool are_small(ha__lu_fixed *s, const double *a, const double *x)
{
    double smallest = -1.0; /* not known yet */
    bool is_good = true;

    for (int i = 0; i < s->plan->n && is_good; i++) {
        double left = fabs(s->leftovers[i].left), size = s->leftovers[i].size;
        if (!isfinite(size)) {
            return false;
        }
        if (left > SURE * size) {
            smallest = smallest < 0.0 ? smallest_residual(s, a, x) : smallest;
            is_good = left * s->row_scale[i] <= smallest;
        }
    }
    return is_good;
}

/* True when each row of A x = b holds so. */
static bool is_exact(ha__lu_fixed *s, const double *a, const double *b, const double *x)
{
    const ha__lu_plan *plan = s->plan;
    leftover *of = s->leftovers;

    for (int i = 0; i < plan->n; i++) {
        of[i] = (leftover){ b[i], fabs(b[i]) };
    }
    for (int j = 0; j < plan->n; j++) {
        double xj = x[j];
        for (int64_t e = s->a_start[j]; e < s->a_start[j + 1]; e++) {
            double term = a[e] * xj;
            leftover *row = &of[s->a_row[e]];
            row->left -= term;
            row->size += fabs(term);
        }
    }
    return are_small(s, a, x);
}

/* True when the solution need not be looked at. */
static bool is_settled(const ha__lu_fixed *s)
{
    return s->n_good > SETTLED;
}

/* Counts a good solution: SETTLED of them, and then over and over those from look to look. */
static void count_good(ha__lu_fixed *s)
{
    s->n_good = s->n_good < SETTLED + LOOK_EVERY - 1 ? s->n_good + 1 : SETTLED;
}

/* z in the order of the pivots. */
static void take_right_side(ha__lu_fixed *s, const double *b)
{
    for (int k = 0; k < s->plan->n; k++) {
        s->z[k] = b[s->plan->p[k]];
    }
}

/* x from U x = z; false when it was looked at and is poor. */
static bool finish(ha__lu_fixed *s, const double *a, const double *b, double *x)
{
    solve_upper(s);
    for (int k = 0; k < s->plan->n; k++) {
        x[s->plan->q[k]] = s->z[k];
    }
    if (!is_settled(s) && !is_exact(s, a, b, x)) {
        s->n_good = 0;
        return false;
    }
    count_good(s);
    return true;
}

bool ha__lu_fixed_factor(ha__lu_fixed *s, const double *a, const double *b, double *x)
{
    place_entries(s, a);
    take_right_side(s, b);
    return eliminate(s) && finish(s, a, b, x);
}

bool ha__lu_fixed_solve(ha__lu_fixed *s, const double *a, const double *b, double *x)
{
    take_right_side(s, b);
    solve_lower(s);
    return finish(s, a, b, x);
}
