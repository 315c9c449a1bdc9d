/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dry friction: it holds its flow at 0 with an effort of at most the limit L, its value, and gives
 * L against the flow where that is not enough. Where L is not above 0 it gives nothing. With c the
 * change that a constraint would want to be 0, df/dt + 2 alpha f, and an unknown x
 *
 *   e = the nearest to x in [-L, L],   c = x - e
 *
 * says c = 0 where |x| < L and, as x is then L + c, c > 0 where it slides: x says by how much the
 * flow gets away, and so when it will stop doing so. What switches are limits of x, which does not
 * jump there; the effort itself would have to be compared with df/dt, of which a solver knows less.
 *
 * A body that is slowed by L alone has f' = -L / m, and c < 0 below f = L / (2 alpha m), while it
 * still slides. So where x is beyond L only a gain counts: c = max(f', 0) + 2 alpha f, which gets
 * to 0 with the flow. (Below -L likewise.)
 *
 * What moves is not held, though with f' = -2 alpha f an effort below L could bring it to rest: a
 * brake that comes on would take its time, and alpha, a number of the method, would decide how far
 * it goes. So what is compared with the limits is not x alone but
 *
 *   x + (L + x^2 / L) (f / f_0)^3,
 *
 * which is x where something is held. Beyond f_0 it has the sign of f, however large x is: what
 * slows a body down faster than L does not make it slide the other way, where x = L + f' would
 * bear that out. Only what is met below f_0, by an impact, as a start value or where L comes on, is
 * held from there.
 *
 * Where it holds c = epsilon e, and epsilon decides what nothing else does: how several that hold
 * the same body share it (evenly), and what comes of a flow that is prescribed and goes through 0,
 * where e = f' / epsilon is beyond the limit to which the flow goes. What is held gives way at
 * epsilon e / (2 alpha) for it, as to a damper: with G the flows that are held and M the masses,
 * G M^-1 G' + epsilon is what x is solved from, positive whatever is held.
 * The only one of a model shares with none, and epsilon need only keep the equations regular where
 * the flow is prescribed; for one that is `alone` it is next to nothing.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

static const double YIELD = 1e-9;        /* epsilon, rate of flow per effort */
static const double YIELD_ONLY = 1e-12;  /* of one that has none to share with, */
static const double YIELD_ALONE = 1e-15; /* and of one where no motion is prescribed either */
static const double REST = 1e-3;         /* f_0 [m/s, rad/s], if none is given */

static ha_expr compare(bg__emitter *em, ha_op op, ha_expr a, ha_expr b)
{
    return ha_apply(em->dag, op, a, b, HA_EXPR_NONE);
}

static ha_expr choose(bg__emitter *em, ha_expr when, ha_expr value, ha_expr otherwise)
{
    return ha_apply(em->dag, HA_OP_IF, when, value, otherwise);
}

/* What tells that a flow is none that can be held: (room + x^2 / room) (f / f_0)^3. */
static ha_expr beyond(bg__emitter *em, ha_expr f, ha_expr x, ha_expr room)
{
    ha_expr rest = bg__rest(em);

    rest = rest == HA_EXPR_NONE ? ha_constant(em->dag, REST) : rest;
    ha_expr share = ha_div(em->dag, f, rest);
    ha_expr size = ha_add(em->dag, room, ha_div(em->dag, ha_mul(em->dag, x, x), room));
    return ha_mul(em->dag, size, ha_mul(em->dag, share, ha_mul(em->dag, share, share)));
}

static ha_status dry_emit(bg__emitter *em)
{
    ha_expr zero = ha_constant(em->dag, 0.0), limit = bg__value(em), f = bg__flow(em, 0);
    ha_expr x = HA_EXPR_NONE, unused = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    HA_TRY(bg__add_unknown(em, BG__MULTIPLIER, "x", HA_EXPR_NONE, &x, &unused));
    HA_TRY(bg__rate_of(em, f, &rate));
    ha_expr is_off = compare(em, HA_OP_LE, limit, zero);
    /* without a limit nothing is to be watched */
    ha_expr room = choose(em, is_off, ha_constant(em->dag, 1.0), limit);
    ha_expr pull = choose(em, is_off, zero, ha_add(em->dag, x, beyond(em, f, x, room)));
    ha_expr is_above = compare(em, HA_OP_GT, pull, room);
    ha_expr is_below = compare(em, HA_OP_LT, pull, ha_neg(em->dag, room));
    ha_expr within =
        choose(em, is_above, room,
               choose(em, is_below, ha_neg(em->dag, room), choose(em, is_off, zero, x)));
    ha_expr twice = ha_mul(em->dag, ha_constant(em->dag, 2.0), em->system->alpha);
    ha_expr pace = ha_mul(em->dag, twice, f);
    double epsilon = bg__is_alone(em) ? YIELD_ALONE : bg__is_only(em) ? YIELD_ONLY : YIELD;
    ha_expr held = choose(em, is_above, zero, choose(em, is_below, zero, within));
    ha_expr yield = ha_mul(em->dag, ha_constant(em->dag, epsilon), held);
    /* What does not slide watches no rate, which is 0 but for round-off; what begins to slide does
       so without a gain, until its rate is known: it would look like a pull of that many newtons
       the other way. */
    ha_expr one = ha_constant(em->dag, 1.0), loss = ha_neg(em->dag, one);
    ha_expr up = ha_apply(em->dag, HA_OP_MAX, choose(em, is_above, rate, loss), zero, HA_EXPR_NONE);
    ha_expr down =
        ha_apply(em->dag, HA_OP_MIN, choose(em, is_below, rate, one), zero, HA_EXPR_NONE);
    ha_expr gain = choose(em, is_above, up, choose(em, is_below, down, rate));
    ha_expr change = ha_sub(em->dag, ha_add(em->dag, gain, pace), yield);
    ha_expr excess = ha_sub(em->dag, ha_sub(em->dag, x, within), change);

    HA_TRY(bg__set_effort(em, 0, within));
    /* where it holds x and e are the same, to the last digit */
    return bg__add_switched_row(em, BG__ROW_CONSTRAINT, f, HA_EXPR_NONE, ha_constant(em->dag, 1.0),
                                choose(em, is_off, x, excess));
}

const bg__type bg__type_dry = {
    .name = "Dry",
    .title = "dry friction",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_RESISTOR,
    .rule = BG_RULE_COUNT,
    .preferred = 0,
    .default_value = 1.0,
    .lowest = 0.0,
    .signals = BG__HAS_EF,
    .book = BG_BOOK_LOSS,
    .reads_alpha = true,
    .emit = dry_emit,
};
