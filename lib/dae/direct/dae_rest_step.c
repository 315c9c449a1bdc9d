/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of the search for an equilibrium: dae_rest.c says which.
 */
#include <config.h>

#include "lib/dae/direct/dae_rest_priv.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_CUTS = 60 /* halvings of a step on the way to a change of sides */ };

static const double LONGEST = 1.0;  /* of a step, in sizes of the unknowns */
static const double WORSE = 2.0;    /* |e| / |d| from which a step is not taken */
static const double TINY = 1e-7;    /* the work of a step this short is round-off */
static const double REGULAR = 1e-9; /* condition of the constraints that are kept */
static const double FIRM = 1e3;     /* c [1/s] below which what yields does so in proportion */

/* --- evaluation ----------------------------------------------------------------------------- */

/* Says of the rows that are conditions on velocities where they are switched whether they are here:
   such a row has next to nothing of its own unknown then. */
static void find_holding(ha__rest *it, const double *y)
{
    const ha_dae *dae = it->dae;

    if (it->entries == NULL) {
        return;
    }
    dae->jacobian(dae->model, it->work, it->t, 0.0, y, it->yp, it->entries);
    for (int j = 0; j < dae->n; j++) {
        it->holds[j] = true;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            bool is_own = dae->row[k] == j && dae->is_switched[j] != 0;
            it->holds[j] = it->holds[j] && !(is_own && fabs(it->entries[k]) > HA__YIELDS);
        }
    }
}

bool ha__rest_evaluate(ha__rest *it, const double *y, double *r)
{
    find_holding(it, y);
    ha__held_residual(&it->held, it->work, it->t, y, it->yp, r);
    for (int i = 0; i < it->dae->n; i++) {
        bool is_met = it->is_kept[i] && (it->entries == NULL || it->holds[i]);
        r[i] = it->pin[i] >= 0 || is_met ? 0.0 : r[i];
    }
    return ha__first_not_finite(r, it->dae->n) < 0;
}

/* True of a row that holds a velocity and yields, so that several may share what they hold. */
static bool yields(const ha__rest *it, int i)
{
    return it->entries != NULL && it->dae->is_switched[i] != 0 && it->holds[i];
}

/* What yields goes the farther the longer a step is: (c + ..) c dq = epsilon dx. epsilon in
   proportion to c leaves the shares as they are, and next to nothing of the way. */
ha_status ha__rest_factor(ha__rest *it, bool *is_regular)
{
    const ha_dae *dae = &it->held.system;
    ha__start_matrix *m = &it->matrix;
    double rcond = 0.0;

    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int pin = it->pin[dae->row[k]];
            double value = m->by_y[k] + it->c * m->by_yp[k];
            value *= dae->row[k] == j && yields(it, j) ? fmin(1.0, it->c / FIRM) : 1.0;
            m->values[k] = pin < 0 ? value : pin == j ? 1.0 : 0.0;
        }
    }
    ha__start_matrix_equilibrate(m);
    HA_TRY(ha__start_matrix_factor(m, &rcond));
    *is_regular = rcond > 0.0;
    return HA_OK;
}

void ha__rest_solve(ha__rest *it, const double *r, double *x)
{
    for (int i = 0; i < it->dae->n; i++) {
        x[i] = -r[i];
    }
    ha__start_matrix_solve(&it->matrix, x);
}

double ha__rest_length(ha__rest *it, const double *x)
{
    double most = 0.0;

    for (int j = 0; j < it->dae->n; j++) {
        if (!ha__rest_is_measured(it, j)) {
            continue;
        }
        double size = it->dae->unknowns[j].size;
        if (it->dae->unknowns[j].motion != HA_POSITION || !(size > 0.0)) {
            it->size[j] = fmax(it->size[j], fmax(fabs(it->y[j]), fabs(x[j])));
            size = it->size[j];
        }
        most = size > 0.0 || isnan(x[j]) ? fmax(most, fabs(x[j]) / size) : most;
    }
    return most;
}

double ha__rest_noise(ha__rest *it)
{
    uint64_t random = 1;

    for (int i = 0; i < it->dae->n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double unit = it->pin[i] >= 0 ? 0.0 : DBL_EPSILON * it->terms[i];
        it->r_try[i] = (random >> 63) != 0 ? unit : -unit;
    }
    ha__rest_solve(it, it->r_try, it->e);
    return ha__rest_length(it, it->e);
}

/* Work of the forces along a step from the iterate, times c. */
static double work_along(const ha__rest *it, const double *step)
{
    double work = 0.0;

    for (int j = 0; j < it->dae->n; j++) {
        work -= it->stops.is[j] ? it->r[j] * step[j] : 0.0;
    }
    return work;
}

/* True where the step leads where the forces push, or would without what leaks and creeps, whose
   way is not for the forces to say. */
static bool leads_down(ha__rest *it)
{
    if (work_along(it, it->d) >= 0.0) {
        return true;
    }
    for (int i = 0; i < it->dae->n; i++) {
        it->r_try[i] = it->stops.is[i] ? it->r[i] : 0.0;
    }
    ha__rest_solve(it, it->r_try, it->e);
    return work_along(it, it->e) >= 0.0;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Takes a share of the step, comes to rest there and goes back to the constraints, with what is
   carried along. */
static ha_status move(ha__rest *it, double share, double *y)
{
    int rank = 0;

    for (int j = 0; j < it->dae->n; j++) {
        y[j] = it->stops.is[j] ? it->y[j] : it->y[j] + share * it->d[j];
    }
    if (it->projector != NULL) {
        HA_TRY(ha__project(it->projector, it->t, REGULAR, y, it->yp, &rank));
    }
    for (int j = 0; j < it->dae->n; j++) {
        y[j] = it->stops.is[j] ? 0.0 : y[j];
    }
    ha__carried_follow(&it->carried, it->t, it->y, it->d, share, it->yp, y);
    return HA_OK;
}

/* Sets all sides. */
static void set_sides(ha__rest *it, const signed char *side)
{
    if (it->dae->n_switches > 0) {
        memcpy(it->sides.side, side, (size_t) it->dae->n_switches);
        it->dae->set_sides(it->dae->model, it->work, it->sides.side);
    }
}

/* Sets the sides at these values, but for those of clocks; true where they are others than those
   of the iterate. */
static bool has_changed(ha__rest *it, const double *y)
{
    size_t n = (size_t) it->dae->n_switches;

    set_sides(it, it->side_before);
    ha__settle_sides(it->dae, it->work, it->t, y, it->yp, true, it->sides.g, it->sides.side);
    return n > 0 && memcmp(it->sides.side, it->side_before, n) != 0;
}

/* Cuts a step over which a side changes, so that it ends just behind the first change. */
static ha_status cut(ha__rest *it)
{
    size_t bytes = (size_t) it->dae->n * sizeof(double);
    double low = 0.0, high = 1.0;

    for (int i = 0; i < MOST_CUTS && high - low > 1e-12 * high; i++) {
        double share = 0.5 * (low + high);
        HA_TRY(move(it, share, it->y_cut));
        if (has_changed(it, it->y_cut)) {
            high = share;
            memcpy(it->y_try, it->y_cut, bytes);
        } else {
            low = share;
        }
    }
    (void) has_changed(it, it->y_try);
    it->went = high;
    return HA_OK;
}

ha_status ha__rest_try(ha__rest *it, double size, double *left)
{
    *left = (double) INFINITY;
    if (!(size <= LONGEST) || (it->goes_down && size > TINY && !leads_down(it))) {
        return HA_OK;
    }
    if (it->dae->n_switches > 0) {
        memcpy(it->side_before, it->sides.side, (size_t) it->dae->n_switches);
    }
    it->went = 1.0;
    HA_TRY(move(it, 1.0, it->y_try));
    bool is_changed = has_changed(it, it->y_try);
    if (is_changed) {
        HA_TRY(cut(it));
    }
    if (ha__rest_evaluate(it, it->y_try, it->r_try)) {
        ha__rest_solve(it, it->r_try, it->e);
        *left = is_changed ? HA__REST_AS_GOOD + 0.01 : ha__rest_length(it, it->e) / size;
        *left = *left <= WORSE ? *left : (double) INFINITY;
    }
    if (isinf(*left)) {
        set_sides(it, it->side_before); /* those of the iterate again, */
        find_holding(it, it->y);        /* and what holds there */
    }
    return HA_OK;
}
