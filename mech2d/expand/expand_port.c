/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A point of a body: the rigid transport from the mass centre. With the body's coordinates x, y,
 * theta and the point's own xH, yH and axis angle theta_l,
 *
 *   pose:      x + xH cos theta - yH sin theta,  y + xH sin theta + yH cos theta,  theta + theta_l
 *   velocity:  vx - omega (xH sin theta + yH cos theta),
 *              vy + omega (xH cos theta - yH sin theta),  omega
 *
 * The moduli of the transformer are the partial derivatives of the pose.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <stdlib.h>

static ha_expr function(ha_dag *dag, ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* The pose of a point of a body over the body's coordinates. */
static void pose_of(ha_dag *dag, const m2d__point *point, const ha_expr q[3], ha_expr pose[3])
{
    ha_expr c = function(dag, HA_OP_COS, q[2]), s = function(dag, HA_OP_SIN, q[2]);

    pose[0] = ha_add(dag, q[0], ha_sub(dag, ha_mul(dag, point->x, c), ha_mul(dag, point->y, s)));
    pose[1] = ha_add(dag, q[1], ha_add(dag, ha_mul(dag, point->x, s), ha_mul(dag, point->y, c)));
    pose[2] = ha_add(dag, q[2], point->axis);
}

/* Outputs of a point of a body. */
static ha_status add_outputs(m2d__expander *x, const m2d__port *port)
{
    static const struct {
        const char *q, *f, *a;
    } names[2] = { { "x", "vx", "ax" }, { "y", "vy", "ay" } };

    for (int k = 0; k < 2; k++) {
        HA_TRY(m2d__output(x, port->name, names[k].q, NULL, "m", port->pose[k]));
    }
    for (int k = 0; k < 2; k++) {
        HA_TRY(m2d__output(x, port->name, names[k].f, NULL, "m/s", port->velocity[k]));
    }
    for (int k = 0; k < 2; k++) {
        const char *name = m2d__name(x, port->name, names[k].a, NULL);
        HA_TRY_MEMORY(name);
        HA_TRY(m2d__output(x, port->name, names[k].a, NULL, "m/s2",
                           bg_graph_rate(x->graph, port->velocity[k], name)));
    }
    return HA_OK;
}

/* The partial derivatives of a function with respect to the coordinates. */
static ha_status gradient(ha_dag *dag, ha_expr value, const ha_expr q[3], ha_expr moduli[3])
{
    ha_expr *symbols = NULL, *partials = NULL;
    size_t n = 0;

    HA_TRY(ha_gradient(dag, value, &symbols, &partials, &n));
    for (int j = 0; j < 3; j++) {
        moduli[j] = ha_constant(dag, 0.0);
        for (size_t i = 0; i < n; i++) {
            moduli[j] = symbols[i] == q[j] ? partials[i] : moduli[j];
        }
    }
    free(symbols);
    free(partials);
    return HA_OK;
}

/* Moduli and velocities from the pose over the body's coordinates. */
static ha_status derive(m2d__expander *x, m2d__port *port, const m2d__mass *mass,
                        const ha_expr pose[3])
{
    HA_TRY(ha_dag_status(x->dag));
    for (int i = 0; i < 3; i++) {
        ha_expr *moduli = &port->moduli[3 * i];
        HA_TRY(gradient(x->dag, pose[i], mass->q, moduli));
        port->velocity[i] = ha_constant(x->dag, 0.0);
        for (int j = 0; j < 3; j++) {
            port->velocity[i] =
                ha_add(x->dag, port->velocity[i], ha_mul(x->dag, moduli[j], mass->f[j]));
        }
    }
    return HA_OK;
}

ha_status m2d__prepare_port(m2d__expander *x, int i)
{
    const m2d__point *point = &x->mechanism->points.items[i];
    const m2d__mass *mass =
        point->body == M2D__GROUND ? NULL : &x->system->masses.items[point->body];
    m2d__port *port = &x->ports[i];
    ha_expr pose[3] = { point->x, point->y, point->axis };

    *port = (m2d__port){ .name = point->full_name, .body = point->body, .element = -1 };
    port->is_centre = m2d__number(x->dag, point->x) == 0.0 && m2d__number(x->dag, point->y) == 0.0;
    if (mass != NULL) {
        pose_of(x->dag, point, mass->q, pose);
        HA_TRY(derive(x, port, mass, pose));
    }
    for (int k = 0; k < 3; k++) {
        const char *name = m2d__name(x, port->name, m2d__labels[k], NULL);
        HA_TRY_MEMORY(name);
        port->pose[k] = ha_symbol(x->dag, name);
        ha_symbol_define(x->dag, port->pose[k], pose[k]);
        if (mass == NULL) {
            port->velocity[k] = ha_constant(x->dag, 0.0);
        } else {
            /* the symbol moves as what it stands for does */
            ha_symbol_set_derivative(x->dag, port->pose[k], port->velocity[k]);
        }
    }
    HA_TRY(ha_dag_status(x->dag));
    return mass == NULL ? HA_OK : add_outputs(x, port);
}

ha_status m2d__expand_port(m2d__expander *x, int i)
{
    const m2d__point *point = &x->mechanism->points.items[i];
    m2d__port *port = &x->ports[i];

    if (port->body == M2D__GROUND || port->n_uses == 0) {
        return HA_OK;
    }

    const m2d__mass *mass = &x->system->masses.items[port->body];
    ha_where where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, point->where);
    bg_element transport = 0;
    if (port->is_centre) {
        port->element = mass->junction;
        return HA_OK;
    }
    HA_TRY(m2d__check_turning(x, port->body, "what acts at the point", port->name, where));

    const bg_element_def turn = { .type = "MTF",
                                  .name = m2d__name(x, port->name, "transport", NULL),
                                  .dim = 3,
                                  .dim2 = 3,
                                  .labels = m2d__labels,
                                  .value = port->moduli,
                                  .n_values = 9,
                                  .group = mass->name,
                                  .where = where };
    HA_TRY(m2d__element(x, &turn, &transport));
    HA_TRY(m2d__bond(x, mass->junction, transport, 3, where));
    port->element = transport;
    if (port->n_uses == 1) {
        return HA_OK;
    }

    const bg_element_def junction = { .type = "1",
                                      .name = m2d__name(x, port->name, "1", NULL),
                                      .dim = 3,
                                      .labels = m2d__labels,
                                      .group = mass->name,
                                      .where = where };
    HA_TRY(m2d__element(x, &junction, &port->element));
    return m2d__bond(x, transport, port->element, 3, where);
}
