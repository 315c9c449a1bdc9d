/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of the start system and its factors.
 *
 * Unknowns of the start system are y'_j where unknown j is differential and y_j elsewhere; its
 * matrix A has the columns dF/dy'_j and dF/dy_j. As the Jacobian is affine in cj,
 *
 *     dF/dy = J(0),   dF/dy' = (J(c) - J(0)) / c,
 *
 * and with c = 2^100 no figure of dF/dy' is lost beside dF/dy, while entries without y' give an
 * exact zero. A is equilibrated: B = R A C with R and C diagonal, largest entry of each row and
 * column about 1, so that the pivots of B tell a singular from an ill-scaled system.
 *
 * Largest entries alone let units decide: a hinge has entries of 1 for x and y and of lever arms
 * for the angle, which outweigh them in micrometres and vanish in kilometres. So where asked for,
 * positions and velocities are first taken in units of their sizes s_j. With E the largest of all
 * m_j s_j^2
 *
 *     c_j = s_j,  r_j = s_j / E   for a velocity,   c_j = s_j,  r_j = 1 / s_j   for a position,
 *     r_i = 1 / max over such j of |a_ij| c_j       for a condition,
 *     c_k = 1 / max over such i of r_i |a_ik|       for a multiplier,
 *
 * and so on for what has entries with these. With lengths times L and masses times M all of this
 * makes the same B, and the same pivots, ranks and noise.
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum { MAX_PASSES = 8 };

static const double LARGE_CJ = 0x1p100; /* separates dF/dy' from dF/dy without loss */
static const double STEADY = 1e-3;      /* of a pivot in the diagonal of B, beside its column */

ha_status ha__start_matrix_init(ha__start_matrix *matrix, ha_ctx *ctx, const ha_dae *dae,
                                double *work)
{
    *matrix = (ha__start_matrix){ .ctx = ctx, .dae = dae, .work = work };
    matrix->n_entries = dae->column_start[dae->n];
    HA_TRY(ha__klu_copy(ctx, dae->n, dae->column_start, dae->row, &matrix->pattern));
    HA_TRY_ALLOC_EACH(ctx, matrix->n_entries, matrix->by_y, matrix->by_yp, matrix->values);
    HA_TRY_ALLOC_EACH(ctx, dae->n, matrix->row_scale, matrix->column_scale, matrix->largest);
    /* COLAMD: the rows of constraints have no diagonal for AMD */
    return ha__klu_new(ctx, &matrix->pattern, HA__KLU_COLAMD, STEADY, &matrix->klu);
}

void ha__start_matrix_clear(ha__start_matrix *matrix)
{
    ha__klu_free(matrix->klu);
    ha__klu_pattern_clear(&matrix->pattern);
    HA_FREE(matrix->by_y, matrix->by_yp, matrix->values, matrix->row_scale, matrix->column_scale,
            matrix->largest);
    *matrix = (ha__start_matrix){ 0 };
}

int64_t ha__start_matrix_evaluate(ha__start_matrix *matrix, double t, const double *y,
                                  const double *yp)
{
    const ha_dae *dae = matrix->dae;

    dae->jacobian(dae->model, matrix->work, t, 0.0, y, yp, matrix->by_y);
    dae->jacobian(dae->model, matrix->work, t, LARGE_CJ, y, yp, matrix->by_yp);
    int64_t bad = ha__first_not_finite(matrix->by_y, matrix->n_entries);
    bad = bad < 0 ? ha__first_not_finite(matrix->by_yp, matrix->n_entries) : bad;
    for (int j = 0; j < dae->n; j++) {
        bool differential = dae->unknowns[j].kind == HA_DIFFERENTIAL;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            matrix->by_yp[k] = (matrix->by_yp[k] - matrix->by_y[k]) / LARGE_CJ;
            matrix->values[k] = differential ? matrix->by_yp[k] : matrix->by_y[k];
        }
    }
    return bad;
}

/* --- scales ---------------------------------------------------------------------------------- */

double ha__weight_of_mass(const ha_dae *dae, int unknown, double mass)
{
    double size = dae->unknowns[unknown].size > 0.0 ? dae->unknowns[unknown].size : 1.0;

    return fabs(mass) * size * size;
}

/* Diagonal entry of a column. */
static double diagonal(const ha__start_matrix *matrix, int j)
{
    const ha_dae *dae = matrix->dae;
    double value = 0.0;

    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        value = dae->row[k] == j ? matrix->values[k] : value;
    }
    return value;
}

/* Positions and velocities in units of their sizes, forces in those that give the heaviest mass 1;
   0 for the rows and columns of others. */
static void scale_motions(ha__start_matrix *matrix)
{
    const ha_dae *dae = matrix->dae;
    double heaviest = 0.0;

    for (int j = 0; j < dae->n; j++) {
        ha_motion motion = dae->unknowns[j].motion;
        double weight =
            motion == HA_VELOCITY ? ha__weight_of_mass(dae, j, diagonal(matrix, j)) : 0.0;
        heaviest = fmax(heaviest, weight);
    }
    heaviest = heaviest > 0.0 ? heaviest : 1.0;
    for (int j = 0; j < dae->n; j++) {
        ha_motion motion = dae->unknowns[j].motion;
        double size = sqrt(ha__weight_of_mass(dae, j, 1.0));
        matrix->column_scale[j] = motion != HA_NO_MOTION ? size : 0.0;
        matrix->row_scale[j] = motion == HA_VELOCITY   ? size / heaviest
                               : motion == HA_POSITION ? 1.0 / size
                                                       : 0.0;
    }
}

/* Scales rows that are not scaled yet by their largest entry in columns that are, or in all; false:
   there were none. */
static bool scale_rows(ha__start_matrix *matrix, bool by_all)
{
    const ha_dae *dae = matrix->dae;
    bool is_any = false;

    memset(matrix->largest, 0, (size_t) dae->n * sizeof *matrix->largest);
    for (int j = 0; j < dae->n; j++) {
        double scale = matrix->column_scale[j] == 0.0 && by_all ? 1.0 : matrix->column_scale[j];
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            double *largest = &matrix->largest[dae->row[k]];
            *largest = ha__larger(fabs(matrix->values[k]) * scale, *largest);
        }
    }
    for (int i = 0; i < dae->n; i++) {
        bool is_new = matrix->row_scale[i] == 0.0 && (by_all || matrix->largest[i] > 0.0);
        double scale = matrix->largest[i] > 0.0 ? 1.0 / matrix->largest[i] : 1.0;
        matrix->row_scale[i] = is_new ? scale : matrix->row_scale[i];
        is_any = is_any || is_new;
    }
    return is_any;
}

/* The same for columns. */
static bool scale_columns(ha__start_matrix *matrix, bool by_all)
{
    const ha_dae *dae = matrix->dae;
    bool is_any = false;

    for (int j = 0; j < dae->n; j++) {
        double largest = 0.0;
        for (int64_t k = dae->column_start[j];
             matrix->column_scale[j] == 0.0 && k < dae->column_start[j + 1]; k++) {
            double size = fabs(matrix->values[k]) * matrix->row_scale[dae->row[k]];
            largest = ha__larger(size, largest);
        }
        if (matrix->column_scale[j] == 0.0 && (by_all || largest > 0.0)) {
            matrix->column_scale[j] = largest > 0.0 ? 1.0 / largest : 1.0;
            is_any = true;
        }
    }
    return is_any;
}

static void apply_scales(ha__start_matrix *matrix)
{
    const ha_dae *dae = matrix->dae;

    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            matrix->values[k] *= matrix->row_scale[dae->row[k]] * matrix->column_scale[j];
        }
    }
}

/* Makes the largest entry of each row 1, then that of each column. */
static void even_out(ha__start_matrix *matrix)
{
    const ha_dae *dae = matrix->dae;
    double *largest = matrix->largest;

    memset(largest, 0, (size_t) dae->n * sizeof *largest);
    for (int64_t k = 0; k < matrix->n_entries; k++) {
        largest[dae->row[k]] = ha__larger(fabs(matrix->values[k]), largest[dae->row[k]]);
    }
    for (int i = 0; i < dae->n; i++) {
        largest[i] = largest[i] > 0.0 ? 1.0 / largest[i] : 1.0;
        matrix->row_scale[i] *= largest[i];
    }
    for (int j = 0; j < dae->n; j++) {
        double most = 0.0;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            matrix->values[k] *= largest[dae->row[k]];
            most = ha__larger(fabs(matrix->values[k]), most);
        }
        double scale = most > 0.0 ? 1.0 / most : 1.0;
        matrix->column_scale[j] *= scale;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            matrix->values[k] *= scale;
        }
    }
}

/* Takes everything in units of the sizes of positions and velocities. */
static void scale_by_sizes(ha__start_matrix *matrix)
{
    bool is_any = true;

    scale_motions(matrix);
    for (int pass = 0; pass < MAX_PASSES && is_any; pass++) {
        is_any = scale_rows(matrix, false);
        is_any = scale_columns(matrix, false) || is_any;
    }
    scale_rows(matrix, true);
    scale_columns(matrix, true);
    apply_scales(matrix);
}

void ha__start_matrix_equilibrate(ha__start_matrix *matrix)
{
    for (int i = 0; i < matrix->dae->n; i++) {
        matrix->row_scale[i] = matrix->column_scale[i] = 1.0;
    }
    if (matrix->has_sizes) {
        scale_by_sizes(matrix);
    }
    even_out(matrix);
}

ha_status ha__start_matrix_factor(ha__start_matrix *matrix, double *rcond)
{
    ha__klu *klu = matrix->klu;

    if (!ha__klu_refactor(klu, matrix->values) || ha__klu_is_worse(klu)) {
        HA_TRY(ha__klu_factor(klu, matrix->values));
    }
    *rcond = ha__klu_condition(klu);
    return HA_OK;
}

void ha__start_matrix_solve(ha__start_matrix *matrix, double *x)
{
    for (int i = 0; i < matrix->dae->n; i++) {
        x[i] *= matrix->row_scale[i];
    }
    ha__klu_solve(matrix->klu, x);
    for (int j = 0; j < matrix->dae->n; j++) {
        x[j] *= matrix->column_scale[j];
    }
}
