/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resistor: e = R f, or f = e / R. A resistance of 0 has the first sense only. */
#include <config.h>

#include "bondgraph/emit.h"

#include <math.h>

static int r_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

static ha_status r_emit(bg__emitter *em)
{
    if (bg__effort_arrives(em, 0) == 0) {
        return bg__set_effort(em, 0, ha_mul(em->dag, bg__value(em), bg__flow(em, 0)));
    }
    return bg__set_flow(em, 0, ha_div(em->dag, bg__effort(em, 0), bg__value(em)));
}

const bg__type bg__type_r = {
    .name = "R", .title = "resistor", .min_ports = 1, .max_ports = 1,
    .stage = BG__STAGE_RESISTOR, .rule = BG__RULE_FREE, .preferred = 0, .default_value = 1.0,
    .lowest = -HUGE_VAL, .signals = BG__HAS_EF, .book = BG__BOOK_LOSS, .is_resistor = 1,
    .pin = r_pin,
    .pin_reason = "its resistance is 0, by which nothing can be divided",
    .emit = r_emit,
};
