/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampled values at rest.
 *
 * A value h that is sampled from u(t, y, y') is constant between the samples, h' = 0, and at rest
 * each sample is as the last one. So the row of h reads
 *
 *     h' + c (h - u(t, y, 0)) = 0,       c = 1 / s,
 *
 * whose equilibria are those of the sampled system, and which leads there as a lag would. The
 * derivatives of u are differences, which are good enough for Newton's method: what is left is
 * measured by h - u itself.
 *
 * A row of random numbers has no next one at rest; there it is its mean, which is its start value.
 *
 * A value that is held from a moment of the motion on is known only where the condition has never
 * been met: then it is its start value.
 */
#include <config.h>

#include "lib/dae/direct/dae_held.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double STEP = 0x1p-17; /* of a difference, in sizes: both errors about 1e-10 */

/* Random numbers follow from nothing at rest: there they are their mean. */
static bool is_random(const ha_dae *dae, int i)
{
    return dae->holds[i].is_sampled == 2;
}

static bool is_sampled(const ha_dae *dae, int i)
{
    return dae->holds[i].is_sampled != 0;
}

/* The hold whose sampled value an unknown is; -1: none. */
static int hold_of(const ha_dae *dae, int unknown)
{
    for (int i = 0; i < dae->n_holds; i++) {
        if (is_sampled(dae, i) && dae->holds[i].unknown == unknown) {
            return i;
        }
    }
    return -1;
}

/* --- the Jacobian --------------------------------------------------------------------------- */

/* du/dy_j of all samples, into held->above. */
static void differentiate(const ha__held *held, double *work, double t, const double *yp, int j)
{
    const ha_dae *dae = held->dae;
    double *y = held->y, before = y[j], size = dae->unknowns[j].size;
    double step = STEP * fmax(fabs(before), size > 0.0 ? size : 1.0);

    y[j] = before + step;
    dae->sample(dae->model, work, t, y, yp, held->above);
    y[j] = before - step;
    dae->sample(dae->model, work, t, y, yp, held->below);
    y[j] = before;
    for (int i = 0; i < dae->n_holds; i++) {
        double slope = (held->above[i] - held->below[i]) / (2.0 * step);
        held->above[i] = is_random(dae, i) ? 0.0 : slope;
    }
}

static void jacobian(const void *model, double *work, double t, double cj, const double *y,
                     const double *yp, double *values)
{
    const ha__held *held = model;
    const ha_dae *dae = held->dae;

    dae->jacobian(dae->model, work, t, cj, y, yp, held->inner);
    memcpy(held->y, y, (size_t) dae->n * sizeof *y);
    for (int j = 0; j < dae->n; j++) {
        if (held->is_read[j]) {
            differentiate(held, work, t, yp, j);
        }
        for (int64_t k = held->column_start[j]; k < held->column_start[j + 1]; k++) {
            int i = held->hold[k];
            values[k] = held->from[k] >= 0 ? held->inner[held->from[k]] : 0.0;
            values[k] += i >= 0 && dae->holds[i].unknown == j ? 1.0 : 0.0;
            values[k] -= i >= 0 && held->is_read[j] ? held->above[i] : 0.0;
        }
    }
}

/* --- the pattern ---------------------------------------------------------------------------- */

/* Puts an entry where its row belongs in a column that began at `first`; returns its place. */
static int64_t put(ha__held *held, int64_t first, int64_t end, int64_t row)
{
    int64_t k = end;

    for (; k > first && held->row[k - 1] > row; k--) {
        held->row[k] = held->row[k - 1];
        held->from[k] = held->from[k - 1];
        held->hold[k] = held->hold[k - 1];
    }
    held->row[k] = row;
    held->from[k] = -1;
    held->hold[k] = -1;
    return k;
}

/* Column j, with the rows of all samples where they may read it. Returns its end. */
static int64_t add_column(ha__held *held, int j, int64_t end)
{
    const ha_dae *dae = held->dae;
    const int64_t first = end;

    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++, end++) {
        held->row[end] = dae->row[k];
        held->from[end] = k;
        held->hold[end] = hold_of(dae, (int) dae->row[k]);
    }
    for (int i = 0; i < dae->n_holds; i++) {
        int h = dae->holds[i].unknown;
        bool is_wanted = is_sampled(dae, i) && (held->is_read[j] || h == j);
        for (int64_t k = first; k < end && is_wanted; k++) {
            is_wanted = held->row[k] != h;
        }
        if (is_wanted) {
            held->hold[put(held, first, end++, h)] = i;
        }
    }
    return end;
}

static ha_status make_pattern(ha__held *held, ha_ctx *ctx)
{
    const ha_dae *dae = held->dae;
    size_t n = (size_t) dae->n, room = (size_t) dae->column_start[n];

    HA_TRY_ALLOC(ctx, held->is_read, n);
    for (int k = 0; k < dae->n_sample_inputs; k++) {
        int j = dae->sample_inputs[k];
        if (j < dae->n) {
            held->is_read[j] = true;
        }
    }
    room += (n + 1) * (size_t) dae->n_holds;
    HA_TRY_ALLOC(ctx, held->column_start, n + 1);
    HA_TRY_ALLOC_EACH(ctx, room, held->row, held->from, held->hold);
    for (int j = 0; j < dae->n; j++) {
        held->column_start[j + 1] = add_column(held, j, held->column_start[j]);
    }
    return HA_OK;
}

ha_status ha__held_init(ha__held *held, ha_ctx *ctx, const ha_dae *dae)
{
    bool is_any = false;

    *held = (ha__held){ .dae = dae, .system = *dae };
    for (int i = 0; i < dae->n_holds; i++) {
        is_any = is_any || is_sampled(dae, i);
    }
    if (!is_any) {
        return HA_OK;
    }
    HA_TRY(make_pattern(held, ctx));
    HA_TRY_ALLOC(ctx, held->inner, dae->column_start[dae->n], held->y, dae->n);
    HA_TRY_ALLOC_EACH(ctx, dae->n_holds, held->above, held->below, held->sample);
    held->system.model = held;
    held->system.jacobian = jacobian;
    held->system.column_start = held->column_start;
    held->system.row = held->row;
    return HA_OK;
}

void ha__held_clear(ha__held *held)
{
    HA_FREE(held->column_start, held->row, held->from, held->hold, held->is_read, held->inner,
            held->y, held->above, held->below, held->sample);
    *held = (ha__held){ 0 };
}

/* -------------------------------------------------------------------------------------------- */

void ha__held_residual(const ha__held *held, double *work, double t, const double *y,
                       const double *yp, double *r)
{
    const ha_dae *dae = held->dae;

    dae->residual(dae->model, work, t, y, yp, r);
    if (held->sample == NULL) {
        return;
    }
    dae->sample(dae->model, work, t, y, yp, held->sample);
    for (int i = 0; i < dae->n_holds; i++) {
        int h = dae->holds[i].unknown;
        double sample = is_random(dae, i) ? dae->holds[i].rest : held->sample[i];
        r[h] = is_sampled(dae, i) ? y[h] - sample : r[h];
    }
}

void ha__held_unpin(const ha__held *held, int *pin)
{
    for (int i = 0; i < held->dae->n && held->is_read != NULL; i++) {
        bool is_observer = pin[i] >= 0 && held->dae->unknowns[pin[i]].motion == HA_NO_MOTION;
        pin[i] = is_observer && held->is_read[pin[i]] ? -1 : pin[i];
    }
}

/* True of a hold whose value changes an equation, a sample or a condition. At rest that of an
   impact, which only damps, changes none. */
static bool decides(const ha__held *held, int unknown, const double *by_y)
{
    const ha_dae *system = &held->system;
    bool acts = held->is_read != NULL && held->is_read[unknown];

    for (int64_t k = system->column_start[unknown]; k < system->column_start[unknown + 1]; k++) {
        acts = acts || (system->row[k] != unknown && by_y[k] != 0.0);
    }
    return acts;
}

ha_status ha__held_refuse(const ha__held *held, ha_ctx *ctx, const double *by_y,
                          const signed char *sides)
{
    const ha_dae *dae = held->dae;

    for (int i = 0; i < dae->n_holds; i++) {
        const ha_dae_hold *hold = &dae->holds[i];
        bool is_met = sides[hold->condition] != 0 || dae->is_clock[hold->condition] != 0;
        if (hold->is_sampled == 0 && is_met && decides(held, hold->unknown, by_y)) {
            return ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                           "no equilibrium can be told: `%s` holds a value from a moment of the "
                           "motion on, and where the model rests depends on which; let a long "
                           "`run` come to rest, or sample it (`type: sample`)",
                           dae->unknowns[hold->unknown].name);
        }
    }
    return HA_OK;
}
