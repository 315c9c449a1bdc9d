/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residual sinks: ideal constraints. Re wants the flow f that arrives on its bond to be zero.
 *
 * In the explicit sense it imposes that flow: f = -beta phi where the model gives the constraint
 * phi at position level (df/dt of it), else f = 0. In the implicit sense it imposes an unknown
 * effort, the Lagrange multiplier lambda. Its flow is a residual then, which is stabilised
 * (Baumgarte 1972):
 *
 *     df/dt + 2 alpha f + beta^2 phi = 0
 *
 * Rf is the dual: it wants the effort to be zero and imposes an unknown flow.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

/* What an explicit sink imposes. */
static ha_expr imposed(const bg__emitter *em)
{
    ha_expr phi = bg__position(em);

    return phi == HA_EXPR_NONE ? ha_constant(em->dag, 0.0)
                               : ha_neg(em->dag, ha_mul(em->dag, em->system->beta, phi));
}

static ha_status re_emit(bg__emitter *em)
{
    ha_expr lambda = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    if (bg__effort_arrives(em, 0) == 1) {
        return bg__set_flow(em, 0, imposed(em));
    }
    HA_TRY(bg__add_unknown(em, BG__MULTIPLIER, "e", HA_EXPR_NONE, &lambda, &rate));
    HA_TRY(bg__set_effort(em, 0, lambda));
    return bg__add_row(em, BG__ROW_CONSTRAINT, bg__flow(em, 0), bg__position(em));
}

static ha_status rf_emit(bg__emitter *em)
{
    ha_expr flow = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    if (bg__effort_arrives(em, 0) == 0) {
        return bg__set_effort(em, 0, imposed(em));
    }
    HA_TRY(bg__add_unknown(em, BG__MULTIPLIER, "f", HA_EXPR_NONE, &flow, &rate));
    HA_TRY(bg__set_flow(em, 0, flow));
    return bg__add_row(em, BG__ROW_CONSTRAINT, bg__effort(em, 0), bg__position(em));
}

const bg__type bg__type_re = {
    .name = "Re",
    .title = "residual sink (zero flow)",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_SINK,
    .rule = BG_RULE_FREE,
    .preferred = 1,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .signals = BG__HAS_EF,
    .emit = re_emit,
};

const bg__type bg__type_rf = {
    .name = "Rf",
    .title = "residual sink (zero effort)",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_SINK,
    .rule = BG_RULE_FREE,
    .preferred = 0,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .signals = BG__HAS_EF,
    .emit = rf_emit,
};
