/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Junctions. 0: one effort, the flows sum to zero; exactly one bond brings the effort in. 1: one
 * flow, the efforts sum to zero; exactly one bond brings the flow in. In the sums a bond counts
 * with +1 when its half arrow points to the junction, else with -1.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include <math.h>

/* The port whose ein differs from all others. */
static int strong_port(const bg__emitter *em, int ein)
{
    int port = 0;

    while (port < em->n_ports - 1 && bg__effort_arrives(em, port) != ein) {
        port++;
    }
    return port;
}

/* What the summed quantity of the strong bond must be: -sign_s * sum of sign_b * x_b. */
static ha_expr balance(const bg__emitter *em, int strong,
                       ha_expr (*quantity)(const bg__emitter *em, int port))
{
    ha_expr sum = ha_constant(em->dag, 0.0);

    for (int port = 0; port < em->n_ports; port++) {
        if (port != strong) {
            ha_expr x = quantity(em, port);
            sum = bg__sign(em, port) == bg__sign(em, strong) ? ha_sub(em->dag, sum, x)
                                                             : ha_add(em->dag, sum, x);
        }
    }
    return sum;
}

static ha_status zero_emit(bg__emitter *em)
{
    int strong = strong_port(em, 1);

    for (int port = 0; port < em->n_ports; port++) {
        if (port != strong) {
            HA_TRY(bg__set_effort(em, port, bg__effort(em, strong)));
        }
    }
    return bg__set_bond_flow(em, strong, balance(em, strong, bg__bond_flow));
}

static ha_status one_emit(bg__emitter *em)
{
    int strong = strong_port(em, 0);

    for (int port = 0; port < em->n_ports; port++) {
        if (port != strong) {
            HA_TRY(bg__set_bond_flow(em, port, bg__bond_flow(em, strong)));
        }
    }
    return bg__set_effort(em, strong, balance(em, strong, bg__effort));
}

const bg__type bg__type_0 = {
    .name = "0",
    .title = "0-junction",
    .min_ports = 1,
    .max_ports = 0,
    .stage = BG__STAGE_STRUCTURE,
    .rule = BG_RULE_COUNT,
    .base = 1,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .emit = zero_emit,
};

const bg__type bg__type_1 = {
    .name = "1",
    .title = "1-junction",
    .min_ports = 1,
    .max_ports = 0,
    .stage = BG__STAGE_STRUCTURE,
    .rule = BG_RULE_COUNT,
    .base = -1,
    .slope = 1,
    .default_value = 1.0,
    .lowest = -HUGE_VAL,
    .emit = one_emit,
};
