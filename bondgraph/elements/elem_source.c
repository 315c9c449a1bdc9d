/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources. Se, MSe: e = value, the flow is whatever the rest asks for. Sf, MSf: f = value. The
 * value may be any expression; M only marks in the picture that it is modulated.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

static ha_status se_emit(bg__emitter *em)
{
    return bg__set_effort(em, 0, bg__value(em));
}

static ha_status sf_emit(bg__emitter *em)
{
    return bg__set_flow(em, 0, bg__value(em));
}

#define SOURCE(NAME, TITLE, BASE, EMIT)                                                            \
    {                                                                                              \
        .name = NAME, .title = TITLE, .min_ports = 1, .max_ports = 1, .gives_power = 1,            \
        .stage = BG__STAGE_FIXED, .rule = BG_RULE_COUNT, .base = BASE,                             \
        .measure = (BASE) == 0 ? BG__MEASURE_EFFORT : BG__MEASURE_FLOW, .default_value = 1.0,      \
        .lowest = -HUGE_VAL, .signals = BG__HAS_EF, .book = BG_BOOK_SUPPLY, .emit = EMIT           \
    }

const bg__type bg__type_se = SOURCE("Se", "effort source", 0, se_emit);
const bg__type bg__type_mse = SOURCE("MSe", "modulated effort source", 0, se_emit);
const bg__type bg__type_sf = SOURCE("Sf", "flow source", 1, sf_emit);
const bg__type bg__type_msf = SOURCE("MSf", "modulated flow source", 1, sf_emit);
