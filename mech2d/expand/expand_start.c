/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Start values of joints and points, as rows for assembly: phi = c - c_0 of a coordinate c that
 * starts at c_0, phi = c of one whose rate starts at r. They are no constraints: nothing of them is
 * in the bond graph. They stand behind all other rows.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

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
    HA_TRY(find_coordinate(x, start, &coordinate));
    row.phi = row.closed =
        start->is_rate ? coordinate : ha_sub(x->dag, coordinate, ha_constant(x->dag, row.given));
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY_PUSH(x->ctx, &x->system->rows, row);
    x->system->n_starts++;
    return HA_OK;
}
