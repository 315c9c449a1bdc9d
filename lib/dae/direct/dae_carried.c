/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What velocities carry along besides positions, over a finite way.
 *
 * The oil in a cylinder obeys V' = g(q) v + leaks: where nothing leaks, V is a function of the
 * positions that no equation knows. A step d of the search for an equilibrium is straight, dV =
 * g(q) dq, and what closes the joints behind it moves the positions once more; after both, V is off
 * by the square of the step, which is never made good. So over the way dq from y0 to y1
 *
 *     V1 = V0 + dV - g(y0) d + integral from 0 to 1 of g(y0 + s (y1 - y0)) dq ds,
 *
 * by Gauss's formula over more and more parts; dV - g(y0) d is what d says of leaks. As V is a
 * function of the positions, it does not matter that the straight way leaves the joints.
 *
 * The velocities v that take positions over the way in a unit of time follow from the rows of
 * these, a q' + b v + b2 v2 = 0, one after the other as they were found to stop; then V' from its
 * row.
 */
#include <config.h>

#include "lib/dae/direct/dae_carried.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum { POINTS = 5, MOST_PARTS = 256 };

static const double SAME = 2e-15; /* of what is carried: more parts say no more */

/* Gauss's abscissae from 0 to 1, and weights. */
static const double abscissa[POINTS] = { 0.046910077030668004, 0.23076534494715846, 0.5,
                                         0.76923465505284154, 0.953089922969332 };
static const double weight[POINTS] = { 0.11846344252809454, 0.23931433524968324,
                                       0.28444444444444444, 0.23931433524968324,
                                       0.11846344252809454 };

static double diagonal(const ha_dae *dae, const double *values, int j)
{
    double value = 0.0;

    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        value = dae->row[k] == j ? values[k] : value;
    }
    return value;
}

/* --- what is carried ------------------------------------------------------------------------ */

/* Marks the positions whose rows have velocities that stop, and say of none that it does. */
static void mark(const ha_dae *dae, const ha__stops *stops, bool *is_carried)
{
    for (int i = 0; i < stops->n; i++) {
        int j = stops->velocity[i];
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int row = (int) dae->row[k];
            is_carried[row] = dae->unknowns[row].kind == HA_DIFFERENTIAL &&
                              dae->unknowns[row].motion == HA_POSITION;
        }
    }
    for (int i = 0; i < stops->n; i++) {
        is_carried[stops->row[i]] = false;
    }
}

/* What is carried where each position moves by its size. */
static void find_spans(ha__carried *c, const ha__start_matrix *matrix)
{
    const ha_dae *dae = matrix->dae;

    memset(c->row, 0, (size_t) dae->n * sizeof *c->row);
    for (int i = 0; i < c->stops->n; i++) {
        int j = c->stops->velocity[i];
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            c->row[dae->row[k]] += fabs(matrix->by_y[k]) * dae->unknowns[c->stops->row[i]].size;
        }
    }
    for (int i = 0; i < c->n; i++) {
        double a = fabs(diagonal(dae, matrix->by_yp, c->unknown[i]));
        c->span[i] = a > 0.0 ? c->row[c->unknown[i]] / a : 0.0;
    }
}

static ha_status list(ha__carried *c, ha_ctx *ctx, const ha_dae *dae, const ha__stops *stops)
{
    bool *is_carried = NULL;

    HA_TRY_ALLOC(ctx, is_carried, dae->n);
    c->unknown = ha__alloc(ctx, (size_t) dae->n, sizeof *c->unknown);
    if (c->unknown != NULL) {
        mark(dae, stops, is_carried);
    }
    for (int j = 0; j < dae->n && c->unknown != NULL; j++) {
        if (is_carried[j]) {
            c->unknown[c->n++] = j;
        }
    }
    ha__free(is_carried);
    return c->unknown == NULL ? HA_ERR_MEMORY : HA_OK;
}

ha_status ha__carried_init(ha__carried *c, ha_ctx *ctx, const ha__start_matrix *matrix,
                           const ha__stops *stops)
{
    const ha_dae *dae = matrix->dae;

    c->stops = stops;
    HA_TRY(list(c, ctx, dae, stops));
    if (c->n == 0) {
        return HA_OK;
    }
    HA_TRY(ha__start_matrix_init(&c->matrix, ctx, dae, matrix->work));
    HA_TRY_ALLOC_EACH(ctx, c->n, c->span, c->rate, c->sum, c->finer);
    HA_TRY_ALLOC_EACH(ctx, dae->n, c->y, c->move, c->row);
    find_spans(c, matrix);
    return HA_OK;
}

void ha__carried_clear(ha__carried *c)
{
    ha__start_matrix_clear(&c->matrix);
    HA_FREE(c->unknown, c->span, c->y, c->move, c->row, c->rate, c->sum, c->finer);
}

/* --- over a way ----------------------------------------------------------------------------- */

/* The rates (n) of what is carried along where the positions move by `move`, at a place; false
   where they are not finite. */
static bool find_rates(ha__carried *c, double t, const double *y, const double *yp)
{
    const ha_dae *dae = c->matrix.dae;
    const double *by_y = c->matrix.by_y, *by_yp = c->matrix.by_yp;

    if (ha__start_matrix_evaluate(&c->matrix, t, y, yp) >= 0) {
        return false;
    }
    memset(c->row, 0, (size_t) dae->n * sizeof *c->row);
    for (int i = 0; i < c->stops->n; i++) {
        const int j = c->stops->velocity[i], row = c->stops->row[i];
        double b = 0.0, v = 0.0;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            b = dae->row[k] == row ? by_y[k] : b;
        }
        v = b != 0.0 ? -(diagonal(dae, by_yp, row) * c->move[row] + c->row[row]) / b : 0.0;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            c->row[dae->row[k]] += by_y[k] * v;
        }
    }
    for (int i = 0; i < c->n; i++) {
        double a = diagonal(dae, by_yp, c->unknown[i]);
        c->rate[i] = a != 0.0 ? -c->row[c->unknown[i]] / a : 0.0;
    }
    return true;
}

/* What is carried over the way in so many parts, into `finer`. */
static bool integrate(ha__carried *c, double t, const double *y0, const double *y1,
                      const double *yp, int parts)
{
    memset(c->finer, 0, (size_t) c->n * sizeof *c->finer);
    for (int i = 0; i < parts * POINTS; i++) {
        double s = (i / POINTS + abscissa[i % POINTS]) / parts;
        for (int j = 0; j < c->matrix.dae->n; j++) {
            c->y[j] = y0[j] + s * (y1[j] - y0[j]);
        }
        if (!find_rates(c, t, c->y, yp)) {
            return false;
        }
        for (int k = 0; k < c->n; k++) {
            c->finer[k] += weight[i % POINTS] / parts * c->rate[k];
        }
    }
    return true;
}

/* True where more parts changed nothing. */
static bool has_settled(const ha__carried *c, const double *y0)
{
    bool is_same = true;

    for (int k = 0; k < c->n; k++) {
        double size = fabs(c->finer[k]) + fabs(y0[c->unknown[k]]);
        is_same = is_same && fabs(c->finer[k] - c->sum[k]) <= SAME * size;
    }
    return is_same;
}

void ha__carried_follow(ha__carried *c, double t, const double *y0, const double *d, double share,
                        const double *yp, double *y1)
{
    bool is_finite = true, is_same = false, is_any = false;

    for (int j = 0; c->n > 0 && j < c->matrix.dae->n; j++) {
        c->move[j] = share * d[j];
    }
    if (c->n == 0 || !find_rates(c, t, y0, yp)) {
        return;
    }
    for (int k = 0; k < c->n; k++) {
        int j = c->unknown[k];
        y1[j] = y0[j] + share * d[j] - c->rate[k];
    }
    for (int j = 0; j < c->matrix.dae->n; j++) {
        c->move[j] = y1[j] - y0[j];
    }
    for (int parts = 1; parts <= MOST_PARTS && is_finite && !is_same; parts *= 2) {
        is_finite = integrate(c, t, y0, y1, yp, parts);
        is_same = is_finite && parts > 1 && has_settled(c, y0);
        if (is_finite) { /* else the last whole sum stands */
            memcpy(c->sum, c->finer, (size_t) c->n * sizeof *c->sum);
        }
        is_any = is_any || is_finite;
    }
    for (int k = 0; k < c->n; k++) {
        int j = c->unknown[k];
        y1[j] = is_any ? y1[j] + c->sum[k] : y0[j] + share * d[j];
    }
}
