/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Start values of joints and points, as rows for assembly: phi = c - c_0 of a coordinate c that
 * starts at c_0, phi = c of one whose rate starts at r. They are no constraints: nothing of them is
 * in the bond graph. They stand behind all other rows.
 *
 * The start of a point P in a part is one in its axes. These have their origin at O, are turned by
 * R, and move with v_O and w:
 *
 *   c = R' (P - O)   dc/dt = R' v_P, which starts at r + R' v_O + w * (-c_y, c_x)
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <math.h>

/* The coordinate of a start value over the ports' symbols. */
static ha_status find_coordinate(m2d__expander *x, const m2d__start *start, ha_expr *out)
{
    ha_expr coordinates[M2D__MAX_DIRECTIONS] = { 0 };

    if (start->joint < 0) {
        *out = x->ports[start->point].pose[start->component];
        return HA_OK;
    }
    const m2d__connection *joint = &x->mechanism->joints.items[start->joint];
    m2d__frame frame = m2d__frame_of(x, m2d__end(x, joint, 0), m2d__end(x, joint, 1), joint);
    HA_TRY(ha_dag_status(x->dag));
    joint->joint->coordinates(&frame, coordinates);
    *out = coordinates[start->component];
    return ha_dag_status(x->dag);
}

/* Where the point of a rate starts along the other axis of its part. */
static ha_status find_other(m2d__expander *x, const m2d__start *start, double *out)
{
    for (size_t i = 0; i < x->mechanism->starts.count; i++) {
        const m2d__start *other = &x->mechanism->starts.items[i];
        if (other->joint < 0 && other->point == start->point && !other->is_rate &&
            other->component != start->component) {
            *out = m2d__number(x->dag, other->value);
            return HA_OK;
        }
    }
    return ha_fail(x->ctx, HA_ERR_VALUE, start->where,
                   "the start value `%s` is a velocity in a part that turns at the start, and "
                   "where along `%s` is not known; give the start of that, too",
                   start->name, start->component == 0 ? "y" : "x");
}

/* The coordinate of a point along an axis of its part, and the start of it or of its rate. */
static ha_status take_to_part(m2d__expander *x, const m2d__start *start, ha_expr *coordinate,
                              double *given)
{
    const ha_expr *P = x->ports[start->point].pose;
    double axes[M2D_N_COORDINATES], other = 0.0;

    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        axes[i] = m2d__number(x->dag, start->axes[i]);
    }
    double c = cos(axes[M2D_ANGLE]), s = sin(axes[M2D_ANGLE]);
    double along[2] = { start->component == 0 ? c : -s, start->component == 0 ? s : c };
    ha_expr dx = ha_sub(x->dag, P[0], ha_constant(x->dag, axes[M2D_X]));
    ha_expr dy = ha_sub(x->dag, P[1], ha_constant(x->dag, axes[M2D_Y]));
    *coordinate = ha_add(x->dag, ha_mul(x->dag, ha_constant(x->dag, along[0]), dx),
                         ha_mul(x->dag, ha_constant(x->dag, along[1]), dy));
    if (!start->is_rate) {
        return HA_OK;
    }
    if (axes[M2D_OMEGA] != 0.0) {
        HA_TRY(find_other(x, start, &other));
    }
    *given += along[0] * axes[M2D_VX] + along[1] * axes[M2D_VY];
    *given += (start->component == 0 ? -1.0 : 1.0) * axes[M2D_OMEGA] * other;
    return HA_OK;
}

ha_status m2d__expand_start(m2d__expander *x, const m2d__start *start)
{
    ha__arena *arena = &x->system->arena;
    m2d__constraint row = { .name = ha__arena_format(x->ctx, arena, "%s", start->name),
                            .kind = "start value",
                            .is_angle = start->is_angle,
                            .is_start = true,
                            .is_rate = start->is_rate,
                            .is_fixed = start->is_fixed,
                            .given = m2d__number(x->dag, start->value) };
    ha_expr coordinate = HA_EXPR_NONE;

    HA_TRY_MEMORY(row.name);
    row.joint = row.name;
    row.where = m2d__keep_where(x->ctx, arena, &x->system->file, start->where);
    HA_TRY(start->is_placed ? take_to_part(x, start, &coordinate, &row.given)
                            : find_coordinate(x, start, &coordinate));
    row.phi = row.closed =
        start->is_rate ? coordinate : ha_sub(x->dag, coordinate, ha_constant(x->dag, row.given));
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY_PUSH(x->ctx, &x->system->rows, row);
    x->system->n_starts++;
    return HA_OK;
}
