/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resistor with a port for its heat, the RS of Thoma: what it takes at port 1 leaves as heat at
 * port 2, whose effort is the temperature T and whose flow is that of entropy,
 *
 *   e1 = R f1 or any law of e1 and f1,   T f2 = e1 f1.
 *
 * Nothing is lost, and the energy book counts the heat where it is stored. f2 is not negative where
 * the law takes power, which is the second law. The temperature always arrives: f1 = 0 would leave
 * it open. T must stay above 0.
 */
#include <config.h>

#include "bondgraph/elements/elem_law.h"

#include <math.h>

static int rs_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

/* e1 = R f1, as of a resistor. */
static ha_status rs_emit_first(bg__emitter *em)
{
    if (bg__field_of(em) != NULL) {
        return bg__law_resistor_emit(em);
    }
    if (bg__effort_arrives(em, 0) == 0) {
        return bg__set_effort(em, 0, ha_mul(em->dag, bg__value(em), bg__flow(em, 0)));
    }
    return bg__set_flow(em, 0, ha_div(em->dag, bg__effort(em, 0), bg__value(em)));
}

static ha_status rs_emit(bg__emitter *em)
{
    HA_TRY(rs_emit_first(em));
    ha_expr power = ha_mul(em->dag, bg__effort(em, 0), bg__flow(em, 0));
    return bg__set_flow(em, 1, ha_div(em->dag, power, bg__effort(em, 1)));
}

const bg__type bg__type_rs = {
    .name = "RS",
    .title = "resistor with heat",
    .min_ports = 2,
    .max_ports = 2,
    .gives_power = 2,
    .heats = 2,
    .takes_effort = 2,
    .stage = BG__STAGE_RESISTOR,
    .rule = BG_RULE_FREE,
    .preferred = 0,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .laws = BG__LAW_EFFORT | BG__LAW_FLOW,
    .signals = BG__HAS_EF | BG__HAS_EF2,
    .is_resistor = 1,
    .measure = BG__MEASURE_RESISTANCE,
    .pin = rs_pin,
    .pin_reason = "its resistance is 0, by which nothing can be divided",
    .emit = rs_emit,
};
