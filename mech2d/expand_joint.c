/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A joint in the bond graph: its rows with a residual sink on their 0-junction. The effort of the
 * sink is the multiplier lambda: M a + J^T lambda = f, and the force and torque on the second body
 * at its own point are -(d phi / d (x, y, angle) of N)^T lambda.
 */
#include <config.h>

#include "mech2d/expand_priv.h"

/* The outputs of the free directions: the relative coordinates and their rates. */
static ha_status add_directions(m2d__expander *x, const m2d__connection *joint,
                                const m2d__frame *frame, const m2d__rowset *set)
{
    ha_expr coordinates[M2D__MAX_DIRECTIONS] = { 0 };

    if (joint->joint->n_directions > 0) {
        joint->joint->coordinates(frame, coordinates);
    }
    for (int i = 0; i < joint->joint->n_directions; i++) {
        const m2d__direction *direction = &joint->joint->directions[i];
        ha_expr rate = HA_EXPR_NONE;
        HA_TRY(ha_dag_status(x->dag));
        HA_TRY(m2d__rate(x, coordinates[i], set->ends, &rate));
        HA_TRY(m2d__output(x, joint->name, direction->name, NULL, direction->is_angle ? "rad" : "m",
                           coordinates[i]));
        HA_TRY(m2d__output(x, joint->name, direction->rate, NULL,
                           direction->is_angle ? "rad/s" : "m/s", rate));
    }
    return HA_OK;
}

/* The reaction on the second body at its point, in inertial axes. */
static ha_status add_reaction(m2d__expander *x, const m2d__rowset *set, bg_element sink)
{
    static const struct {
        const char *name, *unit;
    } outputs[3] = { { "fx", "N" }, { "fy", "N" }, { "torque", "N.m" } };

    for (int i = 0; i < 3; i++) {
        ha_expr sum = ha_constant(x->dag, 0.0);
        for (int k = 0; k < set->n; k++) {
            ha_expr lambda = bg_graph_signal(x->graph, sink, k, BG_SIGNAL_E);
            sum = ha_add(x->dag, sum, ha_mul(x->dag, set->moduli[1][k][i], lambda));
        }
        HA_TRY(
            m2d__output(x, set->name, outputs[i].name, NULL, outputs[i].unit, ha_neg(x->dag, sum)));
    }
    return HA_OK;
}

static ha_status add_sink(m2d__expander *x, const m2d__rowset *set, bg_element *sink)
{
    const char *labels[M2D__MAX_ROWS];
    ha_expr position[M2D__MAX_ROWS];
    bg_element_def def = bg_element_def_default();

    for (int k = 0; k < set->n; k++) {
        labels[k] = set->rows[k].label;
        position[k] = set->rows[k].phi;
    }
    def.type = "Re";
    def.name = set->name;
    def.dim = set->n;
    def.labels = labels;
    def.position = position;
    def.group = set->name;
    def.where = set->where;
    HA_TRY(m2d__element(x, &def, sink));
    return m2d__bond(x, set->junction, *sink, set->n, set->where);
}

/* What assembly needs to know of the constraints. */
static ha_status keep_rows(m2d__expander *x, const m2d__rowset *set, bg_element sink)
{
    for (int k = 0; k < set->n; k++) {
        const m2d__row *row = &set->rows[k];
        m2d__constraint constraint = { .name = bg_element_component(x->graph, sink, k),
                                       .joint = bg_element_name(x->graph, sink),
                                       .is_angle = row->is_angle,
                                       .phi = row->phi,
                                       .closed = row->phi,
                                       .where = set->where };
        if (row->angle != HA_EXPR_NONE) {
            constraint.is_angle = true;
            constraint.closed = row->angle;
            constraint.period = row->period;
        }
        HA_TRY_PUSH(x->ctx, &x->system->rows, constraint);
    }
    return HA_OK;
}

ha_status m2d__expand_joint(m2d__expander *x, int i)
{
    const m2d__connection *joint = &x->mechanism->joints.items[i];
    m2d__row rows[M2D__MAX_ROWS] = { 0 };
    m2d__rowset set = { .name = joint->name,
                        .ends = { m2d__end(x, joint, 0), m2d__end(x, joint, 1) },
                        .n = joint->joint->n_rows,
                        .rows = rows };
    m2d__frame frame = m2d__frame_of(x, set.ends[0], set.ends[1], joint->settings);
    bg_element sink = 0;

    HA_TRY(ha_dag_status(x->dag));
    set.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, joint->where);
    joint->joint->rows(&frame, rows);
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(m2d__expand_rows(x, &set));
    HA_TRY(add_sink(x, &set, &sink));
    HA_TRY(keep_rows(x, &set, sink));
    HA_TRY(add_directions(x, joint, &frame, &set));
    return add_reaction(x, &set, sink);
}
