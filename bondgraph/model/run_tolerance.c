/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether an absolute tolerance was small enough for what a run found.
 *
 * The error of a step is weighed by rtol |y| + atol, so a state that stays below 10^4 atol is
 * solved for with a relative error of atol / |y| > 1e-4, whatever rtol says. That matters when the
 * state matters: one that is near 0 by nature, such as the transverse velocity of a slider, may be
 * as wrong as it likes. What a set S of states carries is measured by the stored energy E,
 *
 *   change(S) = |E(y with y_i = X_i for i in S) - E(y with y_i = 0 for i in S)|,
 *
 * X_i being the largest magnitude of the run and y its end. The set of the small states matters
 * when its change is a hundredth or more of that of all states of storages. Which of them is named
 * is found by halving. Where nothing is stored, it matters when no state is larger.
 *
 * A body whose positions, and velocities in a second, stay below a billionth of the size of its
 * mechanism stands still: what is left of it is round-off and the decay of constraint errors, which
 * no tolerance makes a motion.
 */
#include <config.h>

#include "bondgraph/model/run_priv.h"
#include "lib/core/number.h"

#include <math.h>
#include <string.h>

static const double COARSE = 1e4;      /* times the absolute tolerance: what a state should reach */
static const double NOTICEABLE = 1e-2; /* share of the energy */

static const double STILL = 1e-9; /* of the size of a mechanism, below which nothing moves */

/* The ends of a run, and room. */
typedef struct {
    const bg_model *m;
    const ha_dae_unknown *unknowns;
    const double *y, *yp;
    const double *largest;
    double *work, *trial; /* (n) */
} ends;

static double change_of(const ends *e, const int *states, int n)
{
    double energy[2];

    memcpy(e->trial, e->y, (size_t) e->m->dae.n * sizeof *e->trial);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) {
            e->trial[states[i]] = k == 0 ? 0.0 : e->largest[states[i]];
        }
        energy[k] = bg__model_stored(e->m, e->work, e->trial, e->yp);
    }
    return fabs(energy[1] - energy[0]);
}

/* Of some states one that carries much of what they carry together. */
static int heaviest(const ends *e, const int *states, int n)
{
    while (n > 1) {
        int half = n / 2;
        bool is_first = change_of(e, states, half) >= change_of(e, states + half, n - half);
        states += is_first ? 0 : half;
        n = is_first ? half : n - half;
    }
    return states[0];
}

/* True when a state is 0 all the time, or is one of a body that stands still. */
static bool is_still(const ends *e, int i)
{
    return !(e->largest[i] > STILL * e->m->unknowns[i].size);
}

static void warn(ha_ctx *ctx, const ha_dae_unknown *state, double atol, double largest)
{
    char size[HA__NUMBER_SIZE], given[HA__NUMBER_SIZE], better[HA__NUMBER_SIZE];

    /* the power of ten at or below a millionth of the state */
    double advised = pow(10.0, floor(log10(1e-6 * largest)));
    ha_warn(ctx, HA_NOWHERE,
            "`%s` does not get beyond %s (in SI units), which is little beside the absolute "
            "tolerance of %s: it and what depends on it are less accurate than rtol says; give an "
            "atol of %s or less",
            state->name, ha__print_rounded_number(size, largest, 3),
            ha__print_rounded_number(given, atol * state->scale, 3),
            ha__print_rounded_number(better, advised, 1));
}

/* The state to be named, -1 when there is none; `small` and `stored` (n) are room. */
static int find_coarse(const ends *e, double atol, int *small, int *stored)
{
    int n_small = 0, n_stored = 0, n_moving = 0;

    for (int i = 0; i < e->m->dae.n; i++) {
        if (e->m->unknowns[i].kind != HA_DIFFERENTIAL || is_still(e, i)) {
            continue;
        }
        n_moving++;
        if (e->m->unknowns[i].is_stored) {
            stored[n_stored++] = i;
        }
        double tolerance = atol * e->unknowns[i].scale / e->m->unknowns[i].tightness;
        if (e->largest[i] < COARSE * tolerance) {
            small[n_small++] = i;
        }
    }
    if (n_small == 0) {
        return -1;
    }
    double share = change_of(e, small, n_small), all = change_of(e, stored, n_stored);
    return (share > 0.0 && share >= NOTICEABLE * all) || n_small == n_moving
               ? heaviest(e, small, n_small)
               : -1;
}

ha_status bg__warn_of_coarse_tolerance(ha_ctx *ctx, const ha_dae *dae, double atol,
                                       const double *largest, double *work, const double *y,
                                       const double *yp)
{
    const size_t n = (size_t) dae->n;
    int *room = ha__alloc(ctx, 2 * n, sizeof *room);
    double *trial = ha__alloc(ctx, n, sizeof *trial);
    ha_status status = room == NULL || trial == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        const ends e = { dae->model, dae->unknowns, y, yp, largest, work, trial };
        int state = find_coarse(&e, atol, room, room + n);
        if (state >= 0) {
            warn(ctx, &dae->unknowns[state], atol, largest[state]);
        }
    }
    HA_FREE(room, trial);
    return status;
}
