/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent variables of homogeneous linear equations, by elimination of one row at a time.
 *
 * A row is reduced by the pivots so far; what is left, beside the largest number that it held on
 * the way, is round-off or a new equation. Its pivot is the variable that is wanted least as an
 * independent one, among those whose coefficient, in units of the variables' sizes, is not small
 * beside the largest: coordinates that the user asked for stay, and the numbers stay small. Rows of
 * a mechanism have a few terms each, so that a chain of thousands of links costs little.
 */
#include <config.h>

#include "bondgraph/analysis/tangent.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-11; /* beside the row's largest term: round-off */
static const double SMALL = 1e-3;    /* beside the largest coefficient: no good pivot */

ha_status bg__tangent_new(ha_ctx *ctx, int n, const double *size, bg__tangent *out)
{
    *out = (bg__tangent){ .ctx = ctx, .n = n, .size = size };
    HA_TRY_ALLOC_EACH(ctx, n, out->keep, out->pivot_of, out->dense, out->touched, out->is_touched);
    memset(out->pivot_of, -1, (size_t) n * sizeof *out->pivot_of);
    HA_TRY_PUSH(ctx, &out->starts, 0);
    return HA_OK;
}

void bg__tangent_clear(bg__tangent *t)
{
    HA_FREE(t->keep, t->pivot_of, t->dense, t->touched, t->is_touched);
    HA_ARRAY_CLEAR(&t->pivots, &t->starts, &t->columns, &t->values);
}

/* Adds to the dense row, and notes where it is not 0. */
static inline void add_to(bg__tangent *t, int column, double value)
{
    if (t->is_touched[column] == 0) {
        t->is_touched[column] = 1;
        t->touched[t->n_touched++] = column;
    }
    t->dense[column] += value;
}

/* The dense row is 0 again. */
static void clear_row(bg__tangent *t)
{
    for (int i = 0; i < t->n_touched; i++) {
        t->dense[t->touched[i]] = 0.0;
        t->is_touched[t->touched[i]] = 0;
    }
    t->n_touched = 0;
}

/* Takes the pivots out of the dense row; returns the largest magnitude that was in it. A pivot's
   row holds no earlier pivots, so that one pass in their order does. */
static double reduce(bg__tangent *t, double largest)
{
    double *x = t->dense;

    for (size_t k = 0; k < t->pivots.count; k++) {
        double factor = x[t->pivots.items[k]];
        if (factor == 0.0) {
            continue;
        }
        for (int i = t->starts.items[k]; i < t->starts.items[k + 1]; i++) {
            int column = t->columns.items[i];
            double part = factor * t->values.items[i];
            add_to(t, column, -part);
            largest = fmax(largest, fabs(part) * t->size[column]);
        }
        x[t->pivots.items[k]] = 0.0;
    }
    return largest;
}

/* True of a pivot that is wanted less as an independent variable than another, or is larger; of
   those that are alike the first is taken. */
static bool is_better(const bg__tangent *t, int j, int other)
{
    double own = fabs(t->dense[j]) * t->size[j], its = fabs(t->dense[other]) * t->size[other];

    return t->keep[j] != t->keep[other] ? t->keep[j] < t->keep[other]
           : own != its                 ? own > its
                                        : j < other;
}

/* The pivot of the reduced row; -1: nothing is left of it. */
static int choose(const bg__tangent *t, double largest)
{
    double most = 0.0;
    int best = -1;

    for (int i = 0; i < t->n_touched; i++) {
        int j = t->touched[i];
        most = t->keep[j] >= 0 ? fmax(most, fabs(t->dense[j]) * t->size[j]) : most;
    }
    if (!(most > NOTHING * largest)) {
        return -1;
    }
    for (int i = 0; i < t->n_touched; i++) {
        int j = t->touched[i];
        bool is_good = t->keep[j] >= 0 && !(fabs(t->dense[j]) * t->size[j] < SMALL * most);
        best = is_good && (best < 0 || is_better(t, j, best)) ? j : best;
    }
    return best;
}

/* Keeps the dense row, divided by its pivot's coefficient. */
static ha_status push(bg__tangent *t, int pivot)
{
    double scale = t->dense[pivot];

    HA_TRY_ROOM(t->ctx, &t->columns, (size_t) t->n_touched);
    HA_TRY_ROOM(t->ctx, &t->values, (size_t) t->n_touched);
    for (int i = 0; i < t->n_touched; i++) {
        int j = t->touched[i];
        if (t->dense[j] != 0.0) {
            t->columns.items[t->columns.count++] = j;
            t->values.items[t->values.count++] = t->dense[j] / scale;
        }
    }
    t->pivot_of[pivot] = (int) t->pivots.count;
    HA_TRY_PUSH(t->ctx, &t->pivots, pivot);
    HA_TRY_PUSH(t->ctx, &t->starts, (int) t->columns.count);
    return HA_OK;
}

ha_status bg__tangent_add(bg__tangent *t, const bg__term *terms, int n_terms)
{
    double largest = 0.0;

    for (int i = 0; i < n_terms; i++) {
        add_to(t, terms[i].column, terms[i].value);
        largest = fmax(largest, fabs(terms[i].value) * t->size[terms[i].column]);
    }
    int pivot = choose(t, reduce(t, largest));
    ha_status status = pivot < 0 ? HA_OK : push(t, pivot);
    clear_row(t);
    return status;
}

/* Adds to a row of the basis what another variable contributes. */
static void add_term(const bg__tangent *t, const int *direction, int n_directions,
                     const bg__term *term, const double *basis, double *row)
{
    if (t->pivot_of[term->column] >= 0) {
        const double *other = basis + (size_t) term->column * (size_t) n_directions;
        for (int k = 0; k < n_directions; k++) {
            row[k] -= term->value * other[k];
        }
    } else if (direction[term->column] >= 0) {
        row[direction[term->column]] -= term->value;
    }
}

void bg__tangent_basis(const bg__tangent *t, const int *direction, int n_directions, double *basis)
{
    size_t width = (size_t) n_directions;

    for (int j = 0; j < t->n; j++) {
        if (t->pivot_of[j] < 0 && direction[j] >= 0) {
            basis[(size_t) j * width + (size_t) direction[j]] = 1.0;
        }
    }
    for (size_t k = t->pivots.count; k-- > 0;) {
        int pivot = t->pivots.items[k];
        for (int i = t->starts.items[k]; i < t->starts.items[k + 1]; i++) {
            const bg__term term = { t->columns.items[i], t->values.items[i] };
            if (term.column != pivot) {
                add_term(t, direction, n_directions, &term, basis, basis + (size_t) pivot * width);
            }
        }
    }
}

void bg__tangent_follow(const bg__tangent *t, double *x)
{
    for (size_t k = t->pivots.count; k-- > 0;) {
        double sum = 0.0;
        for (int i = t->starts.items[k]; i < t->starts.items[k + 1]; i++) {
            int column = t->columns.items[i];
            sum -= column == t->pivots.items[k] ? 0.0 : t->values.items[i] * x[column];
        }
        x[t->pivots.items[k]] = sum;
    }
}
