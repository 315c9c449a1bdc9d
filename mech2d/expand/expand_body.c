/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A body in the bond graph: Newton and Euler about the mass centre, in inertial axes
 * (Marquis-Favre et al. 2006, part II, eqs 1-5).
 *
 *   K1.1 (1-junction: vx, vy, omega) -> K1 (I: m, m, J)
 *                                    -> K1.position (Df: its integrals are x, y, angle)
 *   K1.weight (Se: m gx, m gy) -> K1.1, with the potential -m g . r
 *
 * Where stiff joints hold the body, an error d of its position makes it swing with the velocity w
 * d: w^2 = sum k / m, of the angle w^2 = sum (k r^2 + k_angle) / J. The tolerances of the position
 * are divided by w where w is above 1 rad/s. The error of the position then weighs as much as the
 * error of the velocity that it causes.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <math.h>
#include <string.h>

/* What the system keeps of a body. */
static ha_status keep_body(m2d__expander *x, const m2d__body *body)
{
    m2d__mass mass = { .mass = m2d__number(x->dag, body->mass),
                       .inertia = m2d__number(x->dag, body->inertia) };

    HA_TRY_GET(mass.name,
               ha__arena_text(x->ctx, &x->system->arena, body->name, strlen(body->name)));
    mass.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, body->where);
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        mass.is_given[i] = body->start[i] != HA_EXPR_NONE;
        mass.is_fixed[i] = body->is_fixed[i];
        ha_expr start = m2d__start_of(body, i);
        mass.is_sought[i] = start != HA_EXPR_NONE && !mass.is_given[i];
        mass.start[i] = start == HA_EXPR_NONE ? 0.0 : m2d__number(x->dag, start);
    }
    HA_TRY_PUSH(x->ctx, &x->system->masses, mass);
    return HA_OK;
}

static ha_status add_weight(m2d__expander *x, const m2d__body *body, const m2d__mass *mass)
{
    ha_dag *dag = x->dag;
    static const bg_unit newton = { "N", 1.0 };
    ha_expr value[2], potential[2];
    bool is_zero = true;
    bg_element weight = 0;

    for (int i = 0; i < 2; i++) {
        ha_expr gravity =
            body->gravity[0] == HA_EXPR_NONE ? x->mechanism->gravity[i] : body->gravity[i];
        value[i] = ha_mul(dag, body->mass, gravity);
        potential[i] = ha_neg(dag, ha_mul(dag, value[i], mass->q[i]));
        is_zero = is_zero && m2d__number(dag, gravity) == 0.0;
    }
    if (is_zero || mass->mass == 0.0) {
        return HA_OK;
    }

    const bg_element_def def = { .type = "Se",
                                 .name = m2d__name(x, body->name, "weight", NULL),
                                 .dim = 2,
                                 .labels = m2d__labels,
                                 .value = value,
                                 .n_values = 2,
                                 .potential = potential,
                                 .group = body->name,
                                 .where = mass->where };
    HA_TRY(m2d__element(x, &def, &weight));
    HA_TRY(bg_graph_set_units(x->graph, weight, &newton, 1));
    return m2d__bond_to(x, weight, mass->junction, 0, 2, mass->where);
}

/* What is said when a mass or inertia of 0 leaves the motion open. The element copies the texts. */
static ha_status explain_zeros(m2d__expander *x, const char *body, const char *texts[3])
{
    ha__arena *arena = &x->names;

    texts[0] = texts[1] = ha__arena_format(
        x->ctx, arena,
        "body `%s` has mass 0 and nothing determines its motion; give it a mass, or joints, "
        "motions or dampers that determine its velocity (a spring or a given force does not)",
        body);
    texts[2] = ha__arena_format(
        x->ctx, arena,
        "body `%s` has inertia 0 and nothing determines its rotation; give it an inertia, or "
        "joints, motions or dampers that determine its angular velocity (a spring or a given "
        "torque does not)",
        body);
    return texts[0] == NULL || texts[2] == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* w, at least 1. In a contact of the depth d the tolerance of a position of the size L, rtol L / w,
   is to be below 100 rtol d, so that the force is right to some tenths of a per cent by default. */
static ha_expr tightness_of(m2d__expander *x, ha_expr inertia, ha_expr stiffness, ha_expr per_depth)
{
    ha_expr w = ha_constant(x->dag, 1.0), share = ha_constant(x->dag, 100.0);

    if (m2d__number(x->dag, inertia) > 0.0) {
        ha_expr square = ha_div(x->dag, stiffness, inertia);
        ha_expr root = ha_apply(x->dag, HA_OP_SQRT, square, HA_EXPR_NONE, HA_EXPR_NONE);
        w = ha_apply(x->dag, HA_OP_MAX, root, w, HA_EXPR_NONE);
    }
    return ha_apply(x->dag, HA_OP_MAX, w, ha_div(x->dag, per_depth, share), HA_EXPR_NONE);
}

/* The junction, the inertias and the coordinates. */
static ha_status add_elements(m2d__expander *x, int number, m2d__mass *mass)
{
    static const bg_unit units[3] = { { "kg", 1.0 }, { "kg", 1.0 }, { "kg.m2", 1.0 } };
    const m2d__body *body = &x->mechanism->bodies.items[number];
    const ha_expr inertia[3] = { body->mass, body->mass, body->inertia };
    const ha_expr length = x->system->length_value;
    const ha_expr size[3] = { length, length, ha_constant(x->dag, 1.0) };
    const m2d__hold *hold = &x->holds[number];
    ha_expr start[3];
    const char *if_zero[3];

    for (int i = 0; i < 3; i++) {
        start[i] = m2d__start_of(body, i);
        start[i] = start[i] == HA_EXPR_NONE ? ha_constant(x->dag, 0.0) : start[i];
    }
    bg_element_def def = { .type = "1",
                           .name = m2d__name(x, body->name, "1", NULL),
                           .dim = 3,
                           .labels = m2d__labels,
                           .group = body->name,
                           .where = mass->where };
    HA_TRY(m2d__element(x, &def, &mass->junction));

    const ha_expr of_both =
        tightness_of(x, body->mass, hold->of_position, ha_mul(x->dag, length, hold->per_depth));
    const ha_expr tightness[3] = {
        of_both, of_both, tightness_of(x, body->inertia, hold->of_angle, hold->per_angle)
    };
    def.type = "Df";
    def.name = m2d__name(x, body->name, "position", NULL);
    def.start = start;
    def.tightness = tightness;
    def.size = size;
    HA_TRY(m2d__element(x, &def, &mass->position));

    def.type = "I";
    def.name = body->name;
    def.start = def.tightness = NULL;
    def.value = inertia;
    def.n_values = 3;
    if (mass->mass == 0.0 || mass->inertia == 0.0) {
        HA_TRY(explain_zeros(x, body->name, if_zero));
        def.if_zero = if_zero;
    }
    def.priority = 1; /* its flows are states that assembly starts, rather than those of a rotor */
    HA_TRY(m2d__element(x, &def, &mass->element));
    HA_TRY(bg_graph_set_units(x->graph, mass->element, units, 3));

    HA_TRY(m2d__bond(x, mass->junction, mass->element, 3, mass->where));
    return m2d__bond(x, mass->junction, mass->position, 3, mass->where);
}

static ha_status add_outputs(m2d__expander *x, const m2d__mass *mass)
{
    static const struct {
        const char *q, *f, *a;
        const char *q_unit, *f_unit, *a_unit;
    } names[3] = { { "x", "vx", "ax", "m", "m/s", "m/s2" },
                   { "y", "vy", "ay", "m", "m/s", "m/s2" },
                   { "angle", "omega", "alpha", "rad", "rad/s", "rad/s2" } };

    for (int i = 0; i < 3; i++) {
        HA_TRY(m2d__output(x, mass->name, names[i].q, NULL, names[i].q_unit, mass->q[i]));
    }
    for (int i = 0; i < 3; i++) {
        HA_TRY(m2d__output(x, mass->name, names[i].f, NULL, names[i].f_unit, mass->f[i]));
    }
    for (int i = 0; i < 3; i++) {
        const char *name = m2d__name(x, mass->name, names[i].a, NULL);
        HA_TRY_MEMORY(name);
        HA_TRY(m2d__output(x, mass->name, names[i].a, NULL, names[i].a_unit,
                           bg_graph_rate(x->graph, mass->f[i], name)));
    }
    return HA_OK;
}

ha_status m2d__check_turning(m2d__expander *x, int body, const char *kind, const char *name,
                             ha_where where)
{
    const m2d__body *turned = &x->mechanism->bodies.items[body];

    return !turned->is_point
               ? HA_OK
               : ha_fail(x->ctx, HA_ERR_VALUE, where,
                         "%s `%s` turns body `%s`, which has no `inertia`; give it one, 0 where "
                         "joints or motions determine how it turns",
                         kind, name, turned->name);
}

ha_status m2d__expand_body(m2d__expander *x, int i)
{
    const m2d__body *body = &x->mechanism->bodies.items[i];

    HA_TRY(keep_body(x, body));
    m2d__mass *mass = &x->system->masses.items[i];
    HA_TRY(add_elements(x, i, mass));
    for (int k = 0; k < 3; k++) {
        mass->q[k] = bg_graph_signal(x->graph, mass->position, k, BG_SIGNAL_Q);
        mass->f[k] = bg_graph_signal(x->graph, mass->element, k, BG_SIGNAL_F);
    }
    HA_TRY(ha_dag_status(x->dag));
    if (mass->f[2] == HA_EXPR_NONE || mass->q[2] == HA_EXPR_NONE) {
        return HA_ERR_MEMORY;
    }
    HA_TRY(add_weight(x, body, mass));
    return add_outputs(x, mass);
}
