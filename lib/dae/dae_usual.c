/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usual condition of the constraints in a run: the largest of those at the ends of steps, of
 * which each forgets a hundredth,
 *
 *     usual' = max(c, 0.99^m usual),   m steps after the last position looked at.
 *
 * A condition costs an evaluation and factors, about as much as a step of an explicit method, and
 * is asked for only before a hop. So positions are kept, some steps apart, and looked at when it is
 * asked for: all that were not looked at yet. Where there are more than can be kept the oldest are
 * left out: others that came later tell as much.
 */
#include <config.h>

#include "lib/dae/dae_usual.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double GETTING_USUAL = 0.99; /* from step to step: it forgets in a hundred */

enum {
    EVERY = 8, /* steps between two positions: the condition changes little in less */
    KEPT = 16  /* positions, over as many steps as it takes to forget */
};

void ha__usual_init(ha__usual *u, ha_ctx *ctx, const ha_dae *dae, ha__projector *projector)
{
    *u = (ha__usual){ .ctx = ctx, .dae = dae, .projector = projector };
}

void ha__usual_clear(ha__usual *u)
{
    HA_FREE(u->t, u->y);
    *u = (ha__usual){ 0 };
}

/* Where the position of a step stands. */
static size_t slot_of(long step)
{
    return (size_t) (step / EVERY % KEPT);
}

ha_status ha__usual_note(ha__usual *u, double t, const double *y)
{
    size_t n = (size_t) u->dae->n, slot = slot_of(u->steps);

    if (u->steps++ % EVERY != 0) {
        return HA_OK;
    }
    if (u->y == NULL) {
        HA_TRY_ALLOC(u->ctx, u->t, KEPT);
        HA_TRY_ALLOC(u->ctx, u->y, KEPT * n);
    }
    u->t[slot] = t;
    memcpy(u->y + slot * n, y, n * sizeof *y);
    return HA_OK;
}

ha_status ha__usual_find(ha__usual *u, const double *yp)
{
    long oldest = (u->steps + EVERY - 1) / EVERY * EVERY - EVERY * KEPT;

    for (; u->looked_at < u->steps; u->looked_at += EVERY) {
        size_t slot = slot_of(u->looked_at);
        u->condition *= pow(GETTING_USUAL, EVERY);
        if (u->looked_at >= oldest) {
            const double *y = u->y + slot * (size_t) u->dae->n;
            HA_TRY(ha__projection_look(u->projector, u->t[slot], y, yp));
            u->condition = fmax(u->condition, ha__projection_condition(u->projector));
        }
    }
    return HA_OK;
}
