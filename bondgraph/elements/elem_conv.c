/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converters, power into port 1 and out of port 2.
 *
 * Transformer with modulus n: f2 = n f1, e1 = n e2. A modulus that is 0 or not constant (a function
 * of positions or of time, which may pass through 0) has the sense that multiplies by it: flow in
 * at port 1, effort in at port 2.
 *
 * Gyrator with modulus r: e1 = r f2, e2 = r f1, or f2 = e1 / r, f1 = e2 / r.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

static int tf_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return !ha_expr_is_constant(dag, value, NULL) || ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

static ha_status tf_emit(bg__emitter *em)
{
    ha_expr n = bg__value(em);

    if (bg__effort_arrives(em, 0) == 0) {
        HA_TRY(bg__set_flow(em, 1, ha_mul(em->dag, n, bg__flow(em, 0))));
        return bg__set_effort(em, 0, ha_mul(em->dag, n, bg__effort(em, 1)));
    }
    HA_TRY(bg__set_flow(em, 0, ha_div(em->dag, bg__flow(em, 1), n)));
    return bg__set_effort(em, 1, ha_div(em->dag, bg__effort(em, 0), n));
}

static int gy_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

static ha_status gy_emit(bg__emitter *em)
{
    ha_expr r = bg__value(em);

    if (bg__effort_arrives(em, 0) == 0) {
        HA_TRY(bg__set_effort(em, 0, ha_mul(em->dag, r, bg__flow(em, 1))));
        return bg__set_effort(em, 1, ha_mul(em->dag, r, bg__flow(em, 0)));
    }
    HA_TRY(bg__set_flow(em, 1, ha_div(em->dag, bg__effort(em, 0), r)));
    return bg__set_flow(em, 0, ha_div(em->dag, bg__effort(em, 1), r));
}

#define CONVERTER(NAME, TITLE, RULE, BASE, MATRIX, MEASURE, PIN, EMIT)                             \
    {                                                                                              \
        .name = NAME, .title = TITLE, .min_ports = 2, .max_ports = 2, .gives_power = 2,            \
        .stage = BG__STAGE_STRUCTURE, .rule = RULE, .base = BASE, .default_value = 1.0,            \
        .lowest = -HUGE_VAL, .has_matrix = MATRIX, .signals = BG__HAS_EF | BG__HAS_EF2,            \
        .measure = MEASURE, .pin = PIN,                                                            \
        .pin_reason = "its modulus is 0 or varies, so that nothing can be divided by it",          \
        .emit = EMIT                                                                               \
    }

const bg__type bg__type_tf =
    CONVERTER("TF", "transformer", BG_RULE_COUNT, 1, 1, BG__MEASURE_TRANSFORMER, tf_pin, tf_emit);
const bg__type bg__type_mtf = CONVERTER("MTF", "modulated transformer", BG_RULE_COUNT, 1, 1,
                                        BG__MEASURE_TRANSFORMER, tf_pin, tf_emit);
const bg__type bg__type_gy =
    CONVERTER("GY", "gyrator", BG_RULE_EQUAL, 0, 0, BG__MEASURE_GYRATOR, gy_pin, gy_emit);
const bg__type bg__type_mgy = CONVERTER("MGY", "modulated gyrator", BG_RULE_EQUAL, 0, 0,
                                        BG__MEASURE_GYRATOR, gy_pin, gy_emit);
