/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start values of the free directions of joints and of points of bodies. */
#include <config.h>

#include "lib/core/need.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <string.h>

/* The names of the start values of a point. */
static const char *const of_points[4] = { "x", "y", "vx", "vy" };

/* Finds the direction of a joint, or its rate, by its name. */
static ha_status find_direction(m2d_mechanism *mechanism, const char *name, m2d__start *start)
{
    const m2d__connection *joint = &mechanism->joints.items[start->joint];
    const m2d__joint_type *type = joint->joint;

    for (int i = 0; i < type->n_directions; i++) {
        const m2d__direction *direction = &type->directions[i];
        start->is_rate = strcmp(direction->rate, name) == 0;
        start->is_angle = direction->is_angle;
        start->component = i;
        if (start->is_rate || strcmp(direction->name, name) == 0) {
            return HA_OK;
        }
    }
    if (type->n_directions == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, start->where,
                       "joint `%s` has no `%s` to start with: its type `%s` has no free direction "
                       "with a name",
                       joint->name, name, type->name);
    }
    return ha_fail(
        mechanism->ctx, HA_ERR_NAME, start->where,
        "joint `%s` has no `%s` to start with; its free directions are `%s` and its rate "
        "`%s`%s",
        joint->name, name, type->directions[0].name, type->directions[0].rate,
        type->n_directions > 1 ? ", and others" : "");
}

/* Finds what "O.angle" or "rod.P.x" names. */
static ha_status find(m2d_mechanism *mechanism, const char *what, m2d__start *start)
{
    const char *dot = strrchr(what, '.');
    size_t n = dot == NULL ? 0 : (size_t) (dot - what);

    start->joint = ha__symtab_find(&mechanism->joint_names, what, n);
    start->point = ha__symtab_find(&mechanism->point_names, what, n);
    if (n > 0 && start->joint >= 0) {
        return find_direction(mechanism, dot + 1, start);
    }
    bool is_point =
        n > 0 && start->point >= 0 && mechanism->points.items[start->point].body != M2D__GROUND;
    for (int i = 0; is_point && i < 4; i++) {
        if (strcmp(of_points[i], dot + 1) == 0) {
            start->is_rate = i >= 2;
            start->component = i % 2;
            return HA_OK;
        }
    }
    return ha_fail(mechanism->ctx, HA_ERR_NAME, start->where,
                   "the start value `%s` is of nothing in the mechanism; write JOINT.angle, "
                   "JOINT.slide or their rates, or BODY.POINT.x, .y, .vx, .vy",
                   what);
}

/* A motion says where its direction starts. */
static ha_status check_motion(m2d_mechanism *mechanism, const m2d__start *start)
{
    const m2d__connection *joint = start->joint < 0 ? NULL : &mechanism->joints.items[start->joint];

    if (joint == NULL || joint->motions[start->component] == HA_EXPR_NONE) {
        return HA_OK;
    }
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, start->where,
                   "`%s` has a start value and a prescribed motion, which starts where it says; "
                   "take one out",
                   start->name);
}

ha_status m2d_mechanism_add_start(m2d_mechanism *mechanism, const char *what, ha_expr value,
                                  bool is_fixed, ha_where where)
{
    HA_NEED_OF(mechanism, what != NULL);
    m2d__start start = { .value = value, .is_fixed = is_fixed };
    const char *resolved = m2d__resolve(mechanism, what);
    double number = 0.0;

    HA_TRY_MEMORY(resolved);
    start.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    HA_TRY_GET(start.name,
               ha__arena_text(mechanism->ctx, &mechanism->arena, resolved, strlen(resolved)));
    HA_TRY(find(mechanism, start.name, &start));
    HA_TRY(check_motion(mechanism, &start));
    for (size_t i = 0; i < mechanism->starts.count; i++) {
        if (strcmp(mechanism->starts.items[i].name, start.name) == 0) {
            return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                           "the start value `%s` is given twice; remove one", start.name);
        }
    }
    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, value,
                         (m2d__owner){ "start value", start.name, "value", where }, &number));
    start.is_placed = start.joint < 0 && m2d__part_axes(mechanism, start.axes);
    HA_TRY_PUSH(mechanism->ctx, &mechanism->starts, start);
    return HA_OK;
}
