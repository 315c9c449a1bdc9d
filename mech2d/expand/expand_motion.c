/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prescribed motions in the bond graph: the constraint phi = q - m(t) on a coordinate q, with the
 * same residual sink as a joint's. Its flow is q' - m', of which the flow source on the 0-junction
 * adds -m': that source is where the work of the drive enters the energy book. The force or torque
 * of the drive, acting positively on the second body, is the negative effort of the sink. The rows
 * of a joint's motions join those of the joint; where these are not exact they have a sink of their
 * own, so that the motion holds exactly whatever else gives way.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

int m2d__n_motions(const m2d__connection *joint)
{
    int n = 0;

    for (int i = 0; i < joint->joint->n_directions; i++) {
        n += joint->motions[i] != HA_EXPR_NONE ? 1 : 0;
    }
    return n;
}

ha_status m2d__add_motion_rows(m2d__expander *x, const m2d__connection *joint,
                               const m2d__frame *frame, m2d__row *rows, int *n)
{
    ha_expr coordinates[M2D__MAX_DIRECTIONS] = { 0 };
    int n_motions = m2d__n_motions(joint);

    if (n_motions > 0) {
        joint->joint->coordinates(frame, coordinates);
    }
    for (int i = 0; i < joint->joint->n_directions; i++) {
        const m2d__direction *direction = &joint->joint->directions[i];
        const char *label = "drive";
        if (joint->motions[i] == HA_EXPR_NONE) {
            continue;
        }
        if (n_motions > 1) {
            HA_TRY_GET(label, ha__arena_format(x->ctx, &x->names, "drive_%s", direction->name));
        }
        ha_expr phi = ha_sub(x->dag, coordinates[i], joint->motions[i]);
        rows[(*n)++] = (m2d__row){
            .label = label, .is_angle = direction->is_angle, .phi = phi, .is_motion = true
        };
    }
    return ha_dag_status(x->dag);
}

ha_status m2d__add_drives(m2d__expander *x, const m2d__connection *joint, const m2d__frame *frame,
                          m2d__rowset *set, ha_expr reaction[3])
{
    m2d__row *rows = ha__arena_alloc(x->ctx, &x->names, M2D__MAX_DIRECTIONS, sizeof *rows);
    ha_expr efforts[M2D__MAX_DIRECTIONS];

    set->name = m2d__name(x, joint->name, "drive", NULL);
    set->rows = rows;
    HA_TRY(rows == NULL || set->name == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(m2d__add_motion_rows(x, joint, frame, rows, &set->n));
    HA_TRY(m2d__expand_rows(x, set));
    HA_TRY(m2d__add_sink(x, set, "motion", &set->sink));
    for (int k = 0; k < set->n; k++) {
        efforts[k] = bg_graph_signal(x->graph, set->sink, k, BG_SIGNAL_E);
    }
    m2d__add_reaction(x, set, efforts, reaction);
    return ha_dag_status(x->dag);
}

ha_status m2d__add_drive_outputs(m2d__expander *x, const char *name, const m2d__rowset *set,
                                 int first)
{
    for (int k = first; k < set->n; k++) {
        ha_expr lambda = bg_graph_signal(x->graph, set->sink, k, BG_SIGNAL_E);
        HA_TRY(m2d__output(x, name, set->rows[k].label, NULL, set->rows[k].is_angle ? "N.m" : "N",
                           ha_neg(x->dag, lambda)));
    }
    return HA_OK;
}

/* The rows of a body's motions; their number. */
static int body_rows(m2d__expander *x, const m2d__body *body, const m2d__mass *mass, m2d__row *rows)
{
    int n = 0;

    for (int k = 0; k < 3; k++) {
        if (body->motion[k] != HA_EXPR_NONE) {
            ha_expr phi = ha_sub(x->dag, mass->q[k], body->motion[k]);
            rows[n++] = (m2d__row){
                .label = m2d__labels[k], .is_angle = k == 2, .phi = phi, .is_motion = true
            };
        }
    }
    return n;
}

/* `K1.drive`, or `K1.drive_x` and so on where there are several. */
static ha_status add_body_outputs(m2d__expander *x, const m2d__body *body, const m2d__rowset *set,
                                  bg_element sink)
{
    for (int k = 0; k < set->n; k++) {
        const m2d__row *row = &set->rows[k];
        if (row->is_angle && body->is_point) {
            continue; /* it is 0 */
        }
        const char *name =
            set->n == 1 ? "drive" : ha__arena_format(x->ctx, &x->names, "drive_%s", row->label);
        ha_expr lambda = bg_graph_signal(x->graph, sink, k, BG_SIGNAL_E);
        HA_TRY_MEMORY(name);
        HA_TRY(m2d__output(x, body->name, name, NULL, row->is_angle ? "N.m" : "N",
                           ha_neg(x->dag, lambda)));
    }
    return HA_OK;
}

ha_status m2d__expand_motion(m2d__expander *x, int i)
{
    const m2d__body *body = &x->mechanism->bodies.items[i];
    const m2d__mass *mass = &x->system->masses.items[i];
    const m2d__port ground = { .body = M2D__GROUND };
    const m2d__port own = { .body = i,
                            .pose = { mass->q[0], mass->q[1], mass->q[2] },
                            .element = mass->junction };
    m2d__row rows[3] = { 0 };
    m2d__rowset set = { .ends = { &ground, &own }, .rows = rows, .where = mass->where };
    bg_element sink = 0;

    set.n = body_rows(x, body, mass, rows);
    if (set.n == 0) {
        return ha_dag_status(x->dag);
    }
    set.name = m2d__name(x, body->name, "drive", NULL);
    HA_TRY(set.name == NULL ? HA_ERR_MEMORY : ha_dag_status(x->dag));
    HA_TRY(m2d__expand_rows(x, &set));
    HA_TRY(m2d__add_sink(x, &set, "motion", &sink));
    return add_body_outputs(x, body, &set, sink);
}
