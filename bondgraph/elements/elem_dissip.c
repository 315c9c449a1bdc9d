/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resistor: e = R f, or f = e / R. A resistance of 0 has the first sense only. With a law by
   expressions: elem_law.c; ports coupled by a matrix: elem_field.c. */
#include <config.h>

#include "bondgraph/elements/elem_law.h"

#include <math.h>

static int r_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

static ha_status r_emit(bg__emitter *em)
{
    if (bg__field_of(em) != NULL) {
        return bg__field_of(em)->law != NULL ? bg__law_resistor_emit(em)
                                             : bg__field_resistor_emit(em);
    }
    if (bg__effort_arrives(em, 0) == 0) {
        return bg__set_effort(em, 0, ha_mul(em->dag, bg__value(em), bg__flow(em, 0)));
    }
    return bg__set_flow(em, 0, ha_div(em->dag, bg__effort(em, 0), bg__value(em)));
}

#define RESISTOR(NAME, TITLE)                                                                      \
    {                                                                                              \
        .name = NAME, .title = TITLE, .min_ports = 1, .max_ports = 1, .stage = BG__STAGE_RESISTOR, \
        .rule = BG_RULE_FREE, .preferred = 0, .default_value = 1.0, .lowest = -HUGE_VAL,           \
        .laws = BG__LAW_EFFORT | BG__LAW_FLOW, .signals = BG__HAS_EF, .book = BG_BOOK_LOSS,        \
        .is_resistor = 1, .measure = BG__MEASURE_RESISTANCE, .pin = r_pin,                         \
        .pin_reason = "its resistance is 0, by which nothing can be divided", .emit = r_emit       \
    }

const bg__type bg__type_r = RESISTOR("R", "resistor");
const bg__type bg__type_mr = RESISTOR("MR", "modulated resistor");
