/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detectors. De reads an effort and takes no flow; its p is the integral of the effort. Df reads a
 * flow and takes no effort; its q is the integral of the flow: a position. An integral is a state
 * only when somebody reads it. A Df that was told to (bg_graph_set_hold()) gets the value of an
 * expression at events instead, and keeps it between them, its flow being 0.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

/* q' = x as a state, when the signal is read. */
static ha_status integrate(bg__emitter *em, bg_signal signal, const char *suffix, ha_expr x)
{
    ha_expr y = HA_EXPR_NONE, yp = HA_EXPR_NONE;

    if (!bg__is_read(em, signal)) {
        return HA_OK;
    }
    HA_TRY(bg__add_unknown(em, BG__INTEGRAL, suffix, bg__start(em), &y, &yp));
    HA_TRY(bg__define_signal(em, signal, y));
    return bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, yp, x), HA_EXPR_NONE);
}

static ha_status de_emit(bg__emitter *em)
{
    HA_TRY(bg__set_flow(em, 0, ha_constant(em->dag, 0.0)));
    return integrate(em, BG_SIGNAL_P, "p", bg__effort(em, 0));
}

static ha_status df_emit(bg__emitter *em)
{
    HA_TRY(bg__set_effort(em, 0, ha_constant(em->dag, 0.0)));
    return integrate(em, BG_SIGNAL_Q, "q", bg__flow(em, 0));
}

const bg__type bg__type_de = {
    .name = "De",
    .title = "effort detector",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_FIXED,
    .rule = BG_RULE_COUNT,
    .base = 1,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .signals = BG__HAS_EF | BG__HAS_P,
    .emit = de_emit,
};

const bg__type bg__type_df = {
    .name = "Df",
    .title = "flow detector",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_FIXED,
    .rule = BG_RULE_COUNT,
    .base = 0,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .signals = BG__HAS_EF | BG__HAS_Q,
    .emit = df_emit,
};
