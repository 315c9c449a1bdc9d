/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which reactions are determined where constraints are redundant. In M a + J^T lambda = f the
 * multipliers are determined up to the left null space of J, {n : J^T n = 0}: lambda_i is unique if
 * and only if n_i = 0 for all of it (Wojtyra 2009, Mech. Mach. Theory 44:2265).
 *
 * Each dependent row r of J is a combination of the independent ones, which gives one vector of a
 * basis. A sum of the basis with weights of which no two are alike has a zero only where the whole
 * space has one, but for weights of measure zero. So one system is solved: J_ind^T c = sum_r w_r
 * J_r.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"

#include "lib/linalg/rank.h"

#include <math.h>

static const double round_off = 1e-8; /* of a component, beside the largest */

/* The transpose of the Jacobian: angles as displacements at the model length, rows of length 1. */
typedef struct {
    int64_t *column_start; /* (n_rows + 1) */
    int64_t *row;          /* (entries) */
    double *value;         /* (entries) */
    double *weight;        /* (n_rows) 0 of dependent rows */
    double *right;         /* (n) */
    double *c;             /* (n_rows) */
} transpose;

static void clear(transpose *t)
{
    HA_FREE(t->column_start, t->row, t->value, t->weight, t->right, t->c);
}

static ha_status allocate(const m2d_assembly *a, transpose *t)
{
    ha_ctx *ctx = a->system->ctx;
    size_t m = (size_t) a->n_rows;

    HA_TRY_ALLOC(ctx, t->column_start, m + 2, t->right, a->n);
    HA_TRY_ALLOC_EACH(ctx, a->system->n_entries, t->row, t->value);
    HA_TRY_ALLOC_EACH(ctx, m, t->weight, t->c);
    return HA_OK;
}

static void set_length(transpose *t, int i)
{
    double square = 0.0;

    for (int64_t k = t->column_start[i]; k < t->column_start[i + 1]; k++) {
        square += t->value[k] * t->value[k];
    }
    for (int64_t k = t->column_start[i]; k < t->column_start[i + 1] && square > 0.0; k++) {
        t->value[k] /= sqrt(square);
    }
}

static void fill(const m2d_assembly *a, transpose *t)
{
    const m2d_system *system = a->system;
    int64_t *next = t->column_start + 1; /* becomes column_start as its entries are filled */

    for (size_t k = 0; k < system->n_entries; k++) {
        next[system->entry_row[k] + 1]++;
    }
    for (int i = 0; i < a->n_rows; i++) {
        next[i + 1] += next[i];
    }
    for (int j = 0; j < a->n; j++) {
        double scale = j % 3 == 2 ? 1.0 / system->length : 1.0;
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            int64_t at = next[system->entry_row[k]]++;
            t->row[at] = j;
            t->value[at] = a->velocity_out[k] * scale;
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        set_length(t, i);
        t->weight[i] = 1.0;
    }
}

/* right = sum of w_r J_r over the dependent rows, which do not count as columns. */
static void set_right(const m2d_assembly *a, transpose *t)
{
    for (int k = 0; k < a->n_redundant; k++) {
        int i = a->redundant[k];
        double w = 1.5 + sin(1.0 + 2.4 * k);
        t->weight[i] = 0.0;
        for (int64_t at = t->column_start[i]; at < t->column_start[i + 1]; at++) {
            t->right[t->row[at]] += w * t->value[at];
        }
    }
}

static ha_status solve(m2d_assembly *a, transpose *t)
{
    HA_TRY(allocate(a, t));
    fill(a, t);
    set_right(a, t);

    const ha__matrix matrix = { a->n, a->n_rows, t->column_start, t->row, t->value };
    const ha__rank_options options = { .column_scale = t->weight };
    double largest = 1.0;
    HA_TRY(ha__least_norm(a->system->ctx, &matrix, &options, t->right, t->c, NULL, NULL));
    for (int i = 0; i < a->n_rows; i++) {
        largest = fmax(largest, fabs(t->c[i]));
    }
    for (int i = 0; i < a->n_rows; i++) {
        a->is_shared[i] = t->weight[i] == 0.0 || !(fabs(t->c[i]) <= round_off * largest);
    }
    return HA_OK;
}

ha_status m2d__find_shared(m2d_assembly *a)
{
    transpose t = { 0 };

    if (a->n_redundant == 0) {
        return HA_OK;
    }
    ha_status status = solve(a, &t);
    clear(&t);
    return status;
}

bool m2d_assembly_is_unique(const m2d_assembly *assembly, int row)
{
    return assembly->is_ranked && !assembly->is_shared[row];
}
