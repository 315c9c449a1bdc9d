/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Element types as a user registers them, one of each kind and rule.
 *
 *   Lin      resistor      e = R f, either sense; R = 0 has the first only
 *   Quad     resistor      e = K f |f|, effort out only
 *   Hard     storage       e = sinh(q) / C, energy (cosh q - 1) / C; inverse q = asinh(C e)
 *   Fast     storage       f = c p / sqrt(p^2 + m^2 c^2), c = 10: energy c sqrt(p^2 + m^2 c^2);
 *                          inverse p = m f / sqrt(1 - f^2 / c^2)
 *   Lever    converter     e1 = n e2, f2 = n f1
 *   Gyr      converter     e1 = n f2, e2 = n f1, by the rule that both ports are alike
 *   Circ     converter     three ports, f_k = G (e_k+1 - e_k+2)
 *   Sup      source        of effort
 */
#ifndef TESTS_UNIT_BONDGRAPH_REGISTERED_H
#define TESTS_UNIT_BONDGRAPH_REGISTERED_H

#include "bondgraph/element_type.h"

#include <math.h>

enum { N_REGISTERED = 8 };

static const double fast_limit = 10.0; /* c of Fast */

static inline ha_expr reg_function(ha_dag *dag, ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

static inline int reg_pin_zero(const ha_dag *dag, ha_expr value, ha_expr position)
{
    (void) position;
    return ha_expr_is(dag, value, 0.0) ? 0 : -1;
}

static inline ha_status lin_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr r = bg_emitter_value(em);

    if (bg_emitter_effort_arrives(em, 0)) {
        return bg_emitter_set_flow(em, 0, ha_div(dag, bg_emitter_effort(em, 0), r));
    }
    return bg_emitter_set_effort(em, 0, ha_mul(dag, r, bg_emitter_flow(em, 0)));
}

static inline ha_status quad_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr f = bg_emitter_flow(em, 0);
    ha_expr square = ha_mul(dag, f, reg_function(dag, HA_OP_ABS, f));

    return bg_emitter_set_effort(em, 0, ha_mul(dag, bg_emitter_value(em), square));
}

/* log(u + sqrt(u^2 + 1)) */
static inline ha_expr reg_asinh(ha_dag *dag, ha_expr u)
{
    ha_expr one = ha_constant(dag, 1.0);
    ha_expr root = reg_function(dag, HA_OP_SQRT, ha_add(dag, ha_mul(dag, u, u), one));

    return reg_function(dag, HA_OP_LOG, ha_add(dag, u, root));
}

static inline ha_status hard_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr c = bg_emitter_value(em), q = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    if (bg_emitter_effort_arrives(em, 0)) {
        q = reg_asinh(dag, ha_mul(dag, c, bg_emitter_effort(em, 0)));
        HA_TRY(bg_emitter_set_content(em, BG_SIGNAL_Q, q));
        HA_TRY(bg_emitter_rate_of(em, q, &rate));
        return bg_emitter_set_flow(em, 0, rate);
    }
    HA_TRY(bg_emitter_add_state(em, "q", bg_emitter_start(em), &q));
    HA_TRY(bg_emitter_set_rate(em, q, bg_emitter_flow(em, 0)));
    HA_TRY(bg_emitter_set_content(em, BG_SIGNAL_Q, q));
    return bg_emitter_set_effort(em, 0, ha_div(dag, reg_function(dag, HA_OP_SINH, q), c));
}

static inline ha_expr hard_energy(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr cosh_q = reg_function(dag, HA_OP_COSH, bg_emitter_content(em));

    return ha_div(dag, ha_sub(dag, cosh_q, ha_constant(dag, 1.0)), bg_emitter_value(em));
}

/* sqrt(p^2 + m^2 c^2) */
static inline ha_expr fast_root(bg_emitter *em, ha_expr p)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr mc = ha_mul(dag, bg_emitter_value(em), ha_constant(dag, fast_limit));

    return reg_function(dag, HA_OP_SQRT, ha_add(dag, ha_mul(dag, p, p), ha_mul(dag, mc, mc)));
}

static inline ha_status fast_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr p = HA_EXPR_NONE, rate = HA_EXPR_NONE, c = ha_constant(dag, fast_limit);

    if (!bg_emitter_effort_arrives(em, 0)) {
        ha_expr u = ha_div(dag, bg_emitter_flow(em, 0), c);
        ha_expr root =
            reg_function(dag, HA_OP_SQRT, ha_sub(dag, ha_constant(dag, 1.0), ha_mul(dag, u, u)));
        p = ha_div(dag, ha_mul(dag, bg_emitter_value(em), bg_emitter_flow(em, 0)), root);
        HA_TRY(bg_emitter_set_content(em, BG_SIGNAL_P, p));
        HA_TRY(bg_emitter_rate_of(em, p, &rate));
        return bg_emitter_set_effort(em, 0, rate);
    }
    HA_TRY(bg_emitter_add_state(em, "p", bg_emitter_start(em), &p));
    HA_TRY(bg_emitter_set_rate(em, p, bg_emitter_effort(em, 0)));
    HA_TRY(bg_emitter_set_content(em, BG_SIGNAL_P, p));
    return bg_emitter_set_flow(em, 0, ha_div(dag, ha_mul(dag, c, p), fast_root(em, p)));
}

static inline ha_expr fast_energy(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);

    return ha_mul(dag, ha_constant(dag, fast_limit), fast_root(em, bg_emitter_content(em)));
}

static inline ha_status lever_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr n = bg_emitter_value(em);

    if (bg_emitter_effort_arrives(em, 0)) {
        HA_TRY(bg_emitter_set_flow(em, 0, ha_div(dag, bg_emitter_flow(em, 1), n)));
        return bg_emitter_set_effort(em, 1, ha_div(dag, bg_emitter_effort(em, 0), n));
    }
    HA_TRY(bg_emitter_set_effort(em, 0, ha_mul(dag, n, bg_emitter_effort(em, 1))));
    return bg_emitter_set_flow(em, 1, ha_mul(dag, n, bg_emitter_flow(em, 0)));
}

static inline ha_status gyr_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr n = bg_emitter_value(em);

    for (int k = 0; k < 2; k++) {
        HA_TRY(bg_emitter_effort_arrives(em, 0)
                   ? bg_emitter_set_flow(em, k, ha_div(dag, bg_emitter_effort(em, 1 - k), n))
                   : bg_emitter_set_effort(em, k, ha_mul(dag, n, bg_emitter_flow(em, 1 - k))));
    }
    return HA_OK;
}

static inline ha_status circ_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);

    for (int k = 0; k < 3; k++) {
        ha_expr next = bg_emitter_effort(em, (k + 1) % 3),
                last = bg_emitter_effort(em, (k + 2) % 3);
        HA_TRY(
            bg_emitter_set_flow(em, k, ha_mul(dag, bg_emitter_value(em), ha_sub(dag, next, last))));
    }
    return HA_OK;
}

static inline ha_status sup_emit(bg_emitter *em)
{
    return bg_emitter_set_effort(em, 0, bg_emitter_value(em));
}

/* The types, of which `i` is below N_REGISTERED. */
static inline bg_element_type registered_type(int i)
{
    bg_element_type types[N_REGISTERED];

    for (int k = 0; k < N_REGISTERED; k++) {
        types[k] = bg_element_type_default();
    }
    types[0].name = "Lin", types[0].title = "linear resistor", types[0].emit = lin_emit;
    types[0].rule = BG_RULE_FREE, types[0].pin = reg_pin_zero;
    types[0].pin_reason = "its resistance is 0, by which nothing can be divided";
    types[1].name = "Quad", types[1].title = "quadratic resistor", types[1].emit = quad_emit;
    types[1].lowest = 0.0;
    types[2].name = "Hard", types[2].title = "hardening spring", types[2].emit = hard_emit;
    types[2].kind = BG_KIND_STORAGE, types[2].rule = BG_RULE_FREE, types[2].preferred = 0;
    types[2].excludes_zero = types[2].has_displacement = types[2].wants_constant = 1;
    types[2].book = BG_BOOK_POTENTIAL, types[2].energy = hard_energy;
    types[3].name = "Fast", types[3].title = "fast mass", types[3].emit = fast_emit;
    types[3].kind = BG_KIND_STORAGE, types[3].rule = BG_RULE_FREE, types[3].preferred = 1;
    types[3].lowest = 0.0, types[3].excludes_lowest = types[3].has_momentum = 1;
    types[3].wants_constant = 1;
    types[3].book = BG_BOOK_KINETIC, types[3].energy = fast_energy;
    types[4].name = "Lever", types[4].title = "lever", types[4].emit = lever_emit;
    types[4].kind = BG_KIND_CONVERTER, types[4].n_ports = 2, types[4].gives_power = 2;
    types[4].n_efforts = 1, types[4].excludes_zero = 1, types[4].book = BG_BOOK_NONE;
    types[5] = types[4];
    types[5].name = "Gyr", types[5].title = "transducer", types[5].emit = gyr_emit;
    types[5].rule = BG_RULE_EQUAL;
    types[6].name = "Circ", types[6].title = "circulator", types[6].emit = circ_emit;
    types[6].kind = BG_KIND_CONVERTER, types[6].n_ports = types[6].n_efforts = 3;
    types[6].book = BG_BOOK_NONE;
    types[7].name = "Sup", types[7].title = "supply", types[7].emit = sup_emit;
    types[7].kind = BG_KIND_SOURCE, types[7].gives_power = 1, types[7].book = BG_BOOK_SUPPLY;
    return types[i];
}

/* Registers them all. */
static inline ha_status register_types(ha_ctx *ctx)
{
    for (int i = 0; i < N_REGISTERED; i++) {
        bg_element_type type = registered_type(i);
        HA_TRY(bg_element_type_register(ctx, &type));
    }
    return HA_OK;
}

#endif
