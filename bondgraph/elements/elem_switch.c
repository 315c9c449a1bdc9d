/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ideal switch. Its value is a condition: where it is not 0 the switch is closed and its effort is
 * 0, else it is open and its flow is 0. The strokes say which of the two it imposes, as an unknown
 * u:
 *
 *   effort u:  u = 0 where closed, f = 0 where open
 *   flow u:    u = 0 where open, e = 0 where closed
 *
 * The second of each pair is a constraint as that of a residual sink: where f (e) follows from
 * states it is stabilised, df/dt + 2 alpha f = 0, so that a current that is cut dies out within
 * 1/(2 alpha) as in an arc, whose loss is in the energy book: alpha, a number of the method,
 * decides how much flows meanwhile. With a condition on its own effort and flow it is an ideal
 * diode: closed (e = 0) while f > 0, open (f = 0) while e < 0, so closed where e + f > 0.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

static ha_status sw_emit(bg__emitter *em)
{
    ha_expr u = HA_EXPR_NONE, rate = HA_EXPR_NONE, is_closed = bg__value(em);
    ha_expr is_open =
        ha_apply(em->dag, HA_OP_EQ, is_closed, ha_constant(em->dag, 0.0), HA_EXPR_NONE);

    if (bg__effort_arrives(em, 0) == 0) {
        HA_TRY(bg__add_unknown(em, BG__MULTIPLIER, "e", HA_EXPR_NONE, &u, &rate));
        HA_TRY(bg__set_effort(em, 0, u));
        return bg__add_switched_row(em, BG__ROW_CONSTRAINT, bg__flow(em, 0), HA_EXPR_NONE,
                                    is_closed, u);
    }
    HA_TRY(bg__add_unknown(em, BG__MULTIPLIER, "f", HA_EXPR_NONE, &u, &rate));
    HA_TRY(bg__set_flow(em, 0, u));
    return bg__add_switched_row(em, BG__ROW_CONSTRAINT, bg__effort(em, 0), HA_EXPR_NONE, is_open,
                                u);
}

const bg__type bg__type_sw = {
    .name = "Sw",
    .title = "switch",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_RESISTOR,
    .rule = BG_RULE_FREE,
    .preferred = 0,
    .default_value = 1.0,
    .reads_alpha = true,
    .lowest = -HUGE_VAL,
    .signals = BG__HAS_EF,
    .book = BG_BOOK_LOSS,
    .emit = sw_emit,
};
