/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Newton's method for F(x) = 0,
 *
 *     A dx = -F(x),  x = x + s dx,  A near dF/dx,
 *
 * with s = 1, or the first of 1, 1/2, 1/4, ... that makes F smaller. Who calls it gives the
 * equations, how they are solved, and what is enough:
 *
 *     equations            matrix                   steps     enough
 *     dae_start.c          at each iterate          halved    F is round-off of its terms
 *     dae_refine.c         kept while it serves     whole     F is next to nothing beside the first
 *     explicit/dae_rates.c at each iterate          whole     dx is round-off of x
 *     ida/dae_newton.c     at the predicted values  whole     what is left is below a bound
 *
 * What is left is estimated from the changes d_1, d_2, ... With the matrix at the first iterate
 * the method converges quadratically at first: of d_1 there is left
 *
 *     |d_2| = c |d_1|^2,
 *
 * which a second iteration measures every few systems; in between c is believed with a wide margin
 * and one iteration is enough. Later it converges with the rate r = |d_k| / |d_k-1|, and what is
 * left after d_k is r / (1 - r) |d_k|. Changes that stay as they are, far below the bound, are
 * round-off.
 */
#include <config.h>

#include "lib/dae/method/newton.h"

#include <stddef.h>

enum { CHECK_EVERY = 8 /* systems between two measurements of c */ };

static const double MARGIN = 100.0;    /* by which c may have grown since it was measured */
static const double TOO_SLOW = 0.9;    /* rate from which on another start is the better way */
static const double STILL = 1e-2;      /* changes this share of the bound that stay as they are */
static const double NEGLIGIBLE = 1e-4; /* a change this share of the bound ends it at once */

/* Takes the step, halved until it makes something better; false where nothing does. */
static bool take_step(const ha__newton *method, void *user)
{
    double share = 1.0;

    for (int halving = 0; halving <= method->most_halvings; halving++) {
        if (method->move(user, share)) {
            return true;
        }
        share *= 0.5;
    }
    return false;
}

ha__newton_state ha__newton_iterate(const ha__newton *method, void *user)
{
    ha__newton_state state = HA__NEWTON_GOES_ON;

    for (int k = 0; k < method->most && state == HA__NEWTON_GOES_ON; k++) {
        state = method->solve(user, k);
        if (state == HA__NEWTON_GOES_ON && !take_step(method, user)) {
            state = HA__NEWTON_STUCK;
        }
        if (state == HA__NEWTON_GOES_ON && method->judge != NULL) {
            state = method->judge(user, k);
        }
    }
    return state == HA__NEWTON_GOES_ON ? HA__NEWTON_STUCK : state;
}

ha__newton_state ha__newton_judge(ha__newton_changes *changes, int k, double size, double bound)
{
    const double before = changes->before, rate = k > 0 ? size / before : 0.0;

    changes->before = size;
    if (k == 0 && changes->believed > 0 && MARGIN * changes->c * size * size <= bound) {
        changes->believed--;
        return HA__NEWTON_DONE;
    }
    if (k == 1) {
        changes->c = size / (before * before);
        changes->believed = CHECK_EVERY;
    }
    if (size <= NEGLIGIBLE * bound && (k > 0 || size == 0.0)) {
        return HA__NEWTON_DONE;
    }
    if (k > 0 && !(rate < TOO_SLOW)) { /* what does not get smaller may be round-off */
        return size <= STILL * bound ? HA__NEWTON_DONE : HA__NEWTON_STUCK;
    }
    return k > 0 && rate / (1.0 - rate) * size <= bound ? HA__NEWTON_DONE : HA__NEWTON_GOES_ON;
}
