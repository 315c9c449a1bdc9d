/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usual condition of the constraints in a run: the largest of those at the ends of steps, of
 * which each forgets a hundredth,
 *
 *     usual' = max(c, 0.99^m usual),   m steps after the last position looked at.
 *
 * A condition costs an evaluation and factors, about as much as a step of an explicit method, and
 * is asked for only before a hop. So positions are kept, some steps apart, and looked at when it is
 * asked for: all that were not looked at yet. Where there are more than can be kept every second
 * one is left out, so that they stand the farther apart the longer ago they are: before a singular
 * position steps are many, and what was usual lies far behind.
 */
#include <config.h>

#include "lib/dae/dae_usual.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double GETTING_USUAL = 0.99; /* from step to step: it forgets in a hundred */

enum {
    EVERY = 8, /* steps between two positions: the condition changes little in less */
    KEPT = 16  /* positions */
};

void ha__usual_init(ha__usual *u, ha_ctx *ctx, const ha_dae *dae, ha__projector *projector)
{
    *u = (ha__usual){ .ctx = ctx, .dae = dae, .projector = projector };
}

void ha__usual_clear(ha__usual *u)
{
    HA_FREE(u->step, u->t, u->y);
    *u = (ha__usual){ 0 };
}

static void keep(ha__usual *u, int slot, long step, double t, const double *y)
{
    size_t n = (size_t) u->dae->n;

    u->step[slot] = step;
    u->t[slot] = t;
    memcpy(u->y + (size_t) slot * n, y, n * sizeof *y);
}

/* Leaves every second position out. */
static void thin_out(ha__usual *u)
{
    int n = u->dae->n;

    for (int k = 1; 2 * k < u->n_kept; k++) {
        keep(u, k, u->step[2 * k], u->t[2 * k], u->y + 2 * (size_t) k * (size_t) n);
    }
    u->n_kept = (u->n_kept + 1) / 2;
}

ha_status ha__usual_note(ha__usual *u, double t, const double *y)
{
    long step = u->steps++;

    if (step % EVERY != 0) {
        return HA_OK;
    }
    if (u->y == NULL) {
        HA_TRY_ALLOC(u->ctx, u->y, KEPT * (size_t) u->dae->n);
        HA_TRY_ALLOC_EACH(u->ctx, KEPT, u->step, u->t);
    }
    if (u->n_kept == KEPT) {
        thin_out(u);
    }
    keep(u, u->n_kept++, step, t, y);
    return HA_OK;
}

ha_status ha__usual_find(ha__usual *u, const double *yp)
{
    for (int k = 0; k < u->n_kept; k++) {
        const double *y = u->y + (size_t) k * (size_t) u->dae->n;
        HA_TRY(ha__projection_look(u->projector, u->t[k], y, yp));
        u->condition =
            fmax(ha__projection_condition(u->projector),
                 pow(GETTING_USUAL, (double) (u->step[k] - u->looked_at)) * u->condition);
        u->looked_at = u->step[k];
    }
    u->n_kept = 0;
    return HA_OK;
}
