/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equilibria of a model, and whether they are stable.
 *
 * lib/dae/direct/dae_rest.c goes downhill and so comes to stable equilibria; but where forces have
 * no potential, or the start lies just on a ridge, it may end at an unstable one. The linear model
 * there (linearise.c) has eigenvalues with a positive real part then. The search leaves it along
 * the real part of such an eigenvector, by a small share of the sizes of the positions, and begins
 * again. A start that is an equilibrium itself is what was asked for, stable or not.
 *
 * The outputs at rest are those of F(t, y, 0) = 0 itself. Where something is held, the model would
 * leave it when it is let go, and its equations solved for the accelerations would say how.
 */
#include <config.h>

#include "bondgraph/equilibrium.h"

#include "bondgraph/analysis/linear_priv.h"
#include "bondgraph/model/model_priv.h"
#include "bondgraph/modes.h"
#include "lib/core/need.h"
#include "lib/dae/dae_priv.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPARTURES = 4 /* from equilibria that are unstable */ };

static const double DEPARTURE = 0.02; /* from an unstable equilibrium, in sizes */

/* The search and what it knows of where it is. */
typedef struct {
    ha_ctx *ctx;
    const bg_model *m;
    double t;
    double *y;
    bool *is_held;  /* (n) */
    double *effort; /* (n) */
    bg_linear linear;
    double *vectors; /* (n_states x n_states x 2) */
} equilibrium;

/* The number of an unknown; that of unknowns: it is none. */
static int number_of(const bg_model *m, const char *name)
{
    int j = 0;

    while (j < m->dae.n && strcmp(m->dae.unknowns[j].name, name) != 0) {
        j++;
    }
    return j;
}

static ha_status find_held(equilibrium *e, const bg_equilibrium_options *options)
{
    HA_TRY_ALLOC_EACH(e->ctx, e->m->dae.n, e->is_held, e->effort);
    for (int i = 0; i < options->n_held; i++) {
        int j = number_of(e->m, options->held[i]);
        if (j == e->m->dae.n) {
            return ha_fail(e->ctx, HA_ERR_NAME, HA_NOWHERE,
                           "there is no unknown `%s` that could be held", options->held[i]);
        }
        e->is_held[j] = true;
    }
    return HA_OK;
}

/* --- stability ------------------------------------------------------------------------------ */

/* Moves the positions along the motion that grows. */
static ha_status depart(equilibrium *e, int growing)
{
    const bg_linear *linear = &e->linear;
    size_t ns = (size_t) linear->n_states;
    double *way = NULL, most = 0.0;

    ha__free(e->vectors);
    e->vectors = NULL;
    HA_TRY_ALLOC(e->ctx, e->vectors, 2 * ns * ns);
    HA_TRY(ha__eigenvalues(e->ctx, (int) ns, linear->a, linear->eigenvalues, e->vectors));
    HA_TRY_ALLOC(e->ctx, way, e->m->dae.n);
    for (int j = 0; j < e->m->dae.n; j++) {
        const ha_dae_unknown *u = &e->m->dae.unknowns[j];
        for (size_t k = 0; k < ns && u->motion != HA_VELOCITY; k++) {
            way[j] +=
                linear->shape[(size_t) j * ns + k] * e->vectors[(k * ns + (size_t) growing) * 2];
        }
        most = fmax(most, fabs(way[j]) / (u->size > 0.0 ? u->size : 1.0));
    }
    for (int j = 0; j < e->m->dae.n && most > 0.0; j++) {
        e->y[j] += DEPARTURE / most * way[j];
    }
    ha__free(way);
    return HA_OK;
}

/* --- search --------------------------------------------------------------------------------- */

static ha_status search(equilibrium *e, bg_stability *stability, ha_dae_rest_stats *stats)
{
    const double parameters[BG__PARAMETER_COUNT] = { BG__REST_DRIFT, BG__REST_DRIFT, 0.0 };
    const bg_operating_point point = { .t = e->t, .y = e->y };
    int growing = -1, steps = 0;
    bool started_at_rest = false;

    for (int k = 0; k <= MOST_DEPARTURES; k++) {
        HA_TRY(
            ha_dae_rest(e->ctx, &e->m->dae, parameters, e->t, e->is_held, e->y, e->effort, stats));
        steps += stats->iterations;
        stats->iterations = steps;
        started_at_rest = started_at_rest || (k == 0 && stats->was_at_rest);
        stats->was_at_rest = started_at_rest;
        if (stability == NULL) {
            return HA_OK;
        }
        HA_TRY(bg__stability(e->m, &point, &e->linear, &growing, stability));
        if (growing < 0 || started_at_rest || k == MOST_DEPARTURES) {
            return HA_OK;
        }
        HA_TRY(depart(e, growing));
    }
    return HA_OK;
}

/* --- results -------------------------------------------------------------------------------- */

static ha_status take_sides(ha_ctx *ctx, const bg_model *m, double *work, double t, const double *y,
                            const double *yp)
{
    size_t n = (size_t) m->dae.n_switches;
    double *g = NULL;
    signed char *sides = NULL;

    if (n == 0) {
        return HA_OK;
    }
    g = ha__alloc(ctx, n, sizeof *g);
    sides = ha__alloc(ctx, n, sizeof *sides);
    if (g != NULL && sides != NULL) {
        ha__settle_sides(&m->dae, work, t, y, yp, false, g, sides);
    }
    HA_FREE(g, sides);
    return g == NULL || sides == NULL ? HA_ERR_MEMORY : HA_OK;
}

ha_status bg__outputs_at_rest(ha_ctx *ctx, const bg_model *m, double t, double deviation,
                              const double *y, double *outputs)
{
    double parameters[BG__PARAMETER_COUNT] = { BG__REST_DRIFT, BG__REST_DRIFT, 0.0, deviation };
    double *work = ha__alloc(ctx, m->dae.work_size, sizeof *work);
    double *zeros = ha__alloc(ctx, (size_t) m->dae.n + (size_t) m->dae.n_integrals, sizeof *zeros);
    ha_status status = work == NULL || zeros == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        m->dae.prepare(m, parameters, work);
        parameters[BG__PARAMETER_ENERGY] =
            bg__model_stored(m, work, y, zeros); /* the book begins */
        m->dae.prepare(m, parameters, work);
        status = take_sides(ctx, m, work, t, y, zeros);
    }
    if (status == HA_OK) {
        m->dae.output(m, work, t, y, zeros, zeros + m->dae.n, outputs);
    }
    HA_FREE(work, zeros);
    return status;
}

static ha_status tell(const equilibrium *e, const bg_equilibrium_options *options)
{
    for (int i = 0; i < options->n_held && options->efforts != NULL; i++) {
        options->efforts[i] = e->effort[number_of(e->m, options->held[i])];
    }
    return options->outputs == NULL
               ? HA_OK
               : bg__outputs_at_rest(e->ctx, e->m, e->t, 0.0, e->y, options->outputs);
}

ha_status bg_equilibrium(ha_ctx *ctx, const bg_model *model, const bg_equilibrium_options *options,
                         double *y, bg_stability *stability, ha_dae_rest_stats *stats)
{
    ha_dae_rest_stats unseen = { 0 };

    HA_NEED(ctx, ctx != NULL && model != NULL && options != NULL);
    HA_NEED(ctx, y != NULL || model->dae.n == 0);
    HA_NEED(ctx, stability == NULL || model->is_linear);
    equilibrium e = { .ctx = ctx, .m = model, .t = options->t, .y = y };
    ha_status status = find_held(&e, options);
    HA_THEN(status,
            search(&e, options->n_held > 0 ? NULL : stability, stats == NULL ? &unseen : stats));
    if (stability != NULL && options->n_held > 0) {
        *stability = BG_STABILITY_OPEN;
    }
    HA_THEN(status, tell(&e, options));
    HA_THEN(status, bg_held_noise(ctx, model, "at its mean, 0"));
    bg_linear_clear(&e.linear);
    HA_FREE(e.is_held, e.effort, e.vectors);
    return status;
}
