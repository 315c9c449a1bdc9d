/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Storages.
 *
 * I, integral causality: the flow f is the state, d(I f)/dt = e. So tolerances act on velocities,
 * and an inertia of 0 is no special case: the row then reads 0 = e. Derivative causality:
 * e = d(I f)/dt of the flow that arrives. Momentum p = I f, energy I f^2 / 2.
 *
 * C, integral causality: the displacement q is the state, q' = f, e = q / C. Where the model gives
 * q as an expression of positions, it is taken from there and is no state. Derivative causality:
 * f = d(C e)/dt. Energy q^2 / (2 C).
 *
 * With a law by expressions: elem_law.c; ports coupled by a matrix: elem_field.c. An IC, ports of
 * both kinds coupled by an energy, is made of such C and I when the graph is expanded.
 */
#include <config.h>

#include "bondgraph/elements/elem_law.h"

#include <math.h>

/* Whether the value is 0, also by way of parameters. */
static bool is_zero(const bg__emitter *em)
{
    ha_expr value = bg__value(em);
    double x = (double) NAN;

    if (value == HA_EXPR_NONE || ha_expr_is_constant(em->dag, value, &x)) {
        return x == 0.0;
    }
    return ha_resolve(em->dag, value, &value) == HA_OK &&
           ha_expr_value(em->dag, value, NULL, NULL) == 0.0;
}

/* The start of the flow that gives the start of the momentum; of a zero inertia 0. */
static ha_expr start_flow(const bg__emitter *em)
{
    ha_expr p = bg__start(em);

    return p == HA_EXPR_NONE || is_zero(em) ? HA_EXPR_NONE : ha_div(em->dag, p, bg__value(em));
}

static ha_status i_emit(bg__emitter *em)
{
    ha_expr rate = HA_EXPR_NONE, y = HA_EXPR_NONE, yp = HA_EXPR_NONE, p = HA_EXPR_NONE;

    if (bg__field_of(em) != NULL) {
        return bg__field_of(em)->law != NULL ? bg__law_store_emit(em, true)
                                             : bg__field_store_emit(em, true);
    }
    p = ha_mul(em->dag, bg__value(em), bg__flow(em, 0));
    HA_TRY(bg__define_signal(em, BG_SIGNAL_P, p));
    if (bg__effort_arrives(em, 0) == 0) {
        HA_TRY(bg__rate_of(em, p, &rate));
        return bg__set_effort(em, 0, rate);
    }
    HA_TRY(bg__add_unknown(em, BG__STATE, "f", start_flow(em), &y, &yp));
    HA_TRY(bg__set_flow(em, 0, y));
    HA_TRY(bg__rate_of(em, ha_mul(em->dag, bg__value(em), y), &rate));
    HA_TRY(bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, rate, bg__effort(em, 0)), HA_EXPR_NONE));
    bg__last_unknown(em)->is_rate_absent = is_zero(em);
    bg__last_unknown(em)->measures.curvature = bg__value(em);
    return HA_OK;
}

static ha_expr i_energy(bg__emitter *em)
{
    ha_expr f = bg__flow(em, 0);

    if (bg__field_of(em) != NULL) {
        return bg__field_of(em)->law != NULL ? bg__law_energy(em) : bg__field_energy(em, true);
    }
    return ha_mul(em->dag, ha_constant(em->dag, 0.5),
                  ha_mul(em->dag, bg__value(em), ha_mul(em->dag, f, f)));
}

static int c_pin(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) dag;
    (void) value;
    return position != HA_EXPR_NONE ? 0 : -1;
}

static ha_status c_emit(bg__emitter *em)
{
    ha_expr rate = HA_EXPR_NONE, q = bg__position(em), qp = HA_EXPR_NONE;

    if (bg__field_of(em) != NULL) {
        return bg__field_of(em)->law != NULL ? bg__law_store_emit(em, false)
                                             : bg__field_store_emit(em, false);
    }
    if (bg__effort_arrives(em, 0) == 1) {
        ha_expr charge = ha_mul(em->dag, bg__value(em), bg__effort(em, 0));
        HA_TRY(bg__define_signal(em, BG_SIGNAL_Q, charge));
        HA_TRY(bg__rate_of(em, charge, &rate));
        return bg__set_flow(em, 0, rate);
    }
    if (q == HA_EXPR_NONE) {
        HA_TRY(bg__add_unknown(em, BG__STATE, "q", bg__start(em), &q, &qp));
        bg__last_unknown(em)->measures.curvature =
            ha_div(em->dag, ha_constant(em->dag, 1.0), bg__value(em));
        HA_TRY(bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, qp, bg__flow(em, 0)), HA_EXPR_NONE));
    }
    HA_TRY(bg__define_signal(em, BG_SIGNAL_Q, q));
    return bg__set_effort(em, 0, ha_div(em->dag, q, bg__value(em)));
}

/* e q / 2 = q^2 / (2 C) in either causality. */
static ha_expr c_energy(bg__emitter *em)
{
    ha_expr e = bg__effort(em, 0);

    if (bg__field_of(em) != NULL) {
        return bg__field_of(em)->law != NULL ? bg__law_energy(em) : bg__field_energy(em, false);
    }
    return ha_mul(em->dag, ha_constant(em->dag, 0.5),
                  ha_mul(em->dag, bg__value(em), ha_mul(em->dag, e, e)));
}

const bg__type bg__type_i = {
    .name = "I",
    .title = "inertia",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_STORAGE,
    .rule = BG_RULE_FREE,
    .preferred = 1,
    .default_value = 1.0,
    .lowest = 0.0,
    .measure = BG__MEASURE_INERTIA,
    .laws = BG__LAW_FLOW | BG__LAW_ENERGY | BG__LAW_INVERSE,
    .wants_constant = 1,
    .signals = BG__HAS_EF | BG__HAS_P,
    .book = BG_BOOK_KINETIC,
    .emit = i_emit,
    .energy = i_energy,
};

const bg__type bg__type_c = {
    .name = "C",
    .title = "capacitance",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_STORAGE,
    .rule = BG_RULE_FREE,
    .preferred = 0,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .excludes_zero = 1,
    .measure = BG__MEASURE_CAPACITANCE,
    .laws = BG__LAW_EFFORT | BG__LAW_ENERGY | BG__LAW_INVERSE,
    .wants_constant = 1,
    .signals = BG__HAS_EF | BG__HAS_Q,
    .book = BG_BOOK_POTENTIAL,
    .pin = c_pin,
    .pin_reason = "its displacement follows from positions of the model, so that it gives the "
                  "effort",
    .emit = c_emit,
    .energy = c_energy,
};

const bg__type bg__type_ic = {
    .name = "IC",
    .title = "storage field",
    .min_ports = 1,
    .max_ports = 1,
    .stage = BG__STAGE_STORAGE,
    .rule = BG_RULE_FREE,
    .preferred = 0,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .laws = BG__LAW_ENERGY | BG__LAW_NEEDED,
    .signals = BG__HAS_EF | BG__HAS_P | BG__HAS_Q,
    .book = BG_BOOK_POTENTIAL,
    .emit = c_emit,
    .energy = c_energy,
};
