/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A joint in the bond graph: its rows with what its model puts on their 0-junction (a residual
 * sink, a spring and a damper). With its effort lambda the force and torque on the second body at
 * its own point are -(d phi / d (x, y, angle) of N)^T lambda.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <math.h>
#include <string.h>

/* The name of the derivative of a direction's rate: "alpha" of "omega", "acceleration_x" of
   "speed_x", "along_acceleration" of "along_rate"; NULL without memory. */
static const char *acceleration_name(m2d__expander *x, const char *joint,
                                     const m2d__direction *direction)
{
    static const char *const words[][2] = { { "omega", "alpha" }, { "speed", "acceleration" } };

    for (size_t i = 0; i < HA_COUNT(words); i++) {
        size_t n = strlen(words[i][0]);
        if (strncmp(direction->rate, words[i][0], n) == 0) {
            return ha__arena_format(x->ctx, &x->system->arena, "%s.%s%s", joint, words[i][1],
                                    direction->rate + n);
        }
    }
    return ha__arena_format(x->ctx, &x->system->arena, "%s.%s_acceleration", joint,
                            direction->name);
}

/* What the system keeps for the output JOINT.alpha and the like. */
static ha_status keep_acceleration(m2d__expander *x, const char *joint,
                                   const m2d__direction *direction, ha_expr rate)
{
    m2d__acceleration kept = { acceleration_name(x, joint, direction), rate, direction->is_angle };

    HA_TRY_MEMORY(kept.name);
    HA_TRY_PUSH(x->ctx, &x->system->accelerations, kept);
    return HA_OK;
}

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
        HA_TRY(keep_acceleration(x, joint->name, direction, rate));
    }
    return HA_OK;
}

static ha_status keep_line(m2d__expander *x, const m2d__connection *joint, m2d__line line)
{
    HA_TRY_GET(line.name,
               ha__arena_text(x->ctx, &x->system->arena, joint->name, strlen(joint->name)));
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY_PUSH(x->ctx, &x->system->lines, line);
    return HA_OK;
}

/* Notes that the points must not meet, and the length that the settings ask for. */
static ha_status keep_lines(m2d__expander *x, const m2d__connection *joint, const m2d__frame *frame,
                            ha_where where)
{
    m2d__line line = { .where = where };

    if (joint->joint->keeps_apart) {
        line.length = m2d__length(x->dag, m2d__from_to(x->dag, frame->OM, frame->ON));
        HA_TRY(keep_line(x, joint, line));
    }
    if (joint->joint->fit != NULL) {
        ha_expr asked = HA_EXPR_NONE;
        line.length = joint->joint->fit(frame, &asked);
        HA_TRY(ha_dag_status(x->dag));
        line.fit_name = joint->joint->fit_name;
        line.asked = fabs(m2d__number(x->dag, asked));
        HA_TRY(keep_line(x, joint, line));
    }
    return HA_OK;
}

void m2d__add_reaction(m2d__expander *x, const m2d__rowset *set, const ha_expr *efforts,
                       ha_expr reaction[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < set->n; k++) {
            ha_expr share = ha_mul(x->dag, set->moduli[1][k][i], efforts[k]);
            reaction[i] = ha_sub(x->dag, reaction[i], share);
        }
    }
}

static ha_status add_reaction_outputs(m2d__expander *x, const char *name, const ha_expr reaction[3])
{
    static const struct {
        const char *name, *unit;
    } outputs[3] = { { "fx", "N" }, { "fy", "N" }, { "torque", "N.m" } };

    for (int i = 0; i < 3; i++) {
        HA_TRY(m2d__output(x, name, outputs[i].name, NULL, outputs[i].unit, reaction[i]));
    }
    return HA_OK;
}

const char *m2d__axis_name(m2d__expander *x, const m2d__connection *joint, int direction)
{
    return m2d__has_axis(joint->joint)
               ? m2d__name(x, joint->name, "axis", NULL)
               : m2d__name(x, joint->name, joint->joint->directions[direction].name, "axis");
}

/* The 1-junction of a direction: `O.axis`, with a row of its own. */
static ha_status add_axis(m2d__expander *x, const m2d__connection *joint, int direction)
{
    m2d__row row = { 0 };
    m2d__rowset set = { .name = m2d__axis_name(x, joint, direction), .where = joint->where };
    bg_element axis = 0;

    HA_TRY_MEMORY(set.name);
    HA_TRY(m2d__expand_direction(x, joint, direction, &row, &set));
    const bg_element_def def = { .type = "1",
                                 .name = set.name,
                                 .group = set.name,
                                 .where = set.where,
                                 .domain = row.is_angle ? BG_DOMAIN_ROTATIONAL
                                                        : BG_DOMAIN_TRANSLATIONAL };
    HA_TRY(m2d__element(x, &def, &axis));
    return m2d__bond(x, set.junction, axis, 1, set.where);
}

ha_status m2d__expand_axes(m2d__expander *x, int i)
{
    const m2d__connection *joint = &x->mechanism->joints.items[i];

    if (joint->joint->expand != NULL) {
        return HA_OK; /* it has its axis */
    }

    for (int k = 0; k < joint->joint->n_directions; k++) {
        if (joint->is_port[k]) {
            HA_TRY(add_axis(x, joint, k));
        }
    }
    return HA_OK;
}

/* The symbol of what the joint's origin is at the start, which is found later. */
static ha_status add_origin(m2d__expander *x, const m2d__connection *joint, m2d__frame *frame)
{
    const char *name = m2d__name(x, joint->name, "origin", NULL);
    m2d__origin origin = { HA_EXPR_NONE, joint->joint->origin(frame) };

    HA_TRY_MEMORY(name);
    frame->origin = origin.symbol = ha_symbol(x->dag, name);
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY_PUSH(x->ctx, &x->system->origins, origin);
    return HA_OK;
}

/* What holds the rows of a joint, and its drives, which have a set of their own where the joint is
   not exact; the force and torque of both. */
static ha_status add_rows(m2d__expander *x, const m2d__connection *joint, const m2d__frame *frame,
                          m2d__rowset *set, m2d__row *rows, m2d__rowset *drives,
                          ha_expr reaction[3])
{
    if (joint->model->is_exact) {
        HA_TRY(m2d__add_motion_rows(x, joint, frame, rows, &set->n));
    }
    HA_TRY(set->n > 0 ? joint->model->expand(x, joint, set, reaction) : HA_OK);
    if (!joint->model->is_exact && m2d__n_motions(joint) > 0) {
        HA_TRY(m2d__add_drives(x, joint, frame, drives, reaction));
    }
    return HA_OK;
}

/* A joint that is made of its rows. */
static ha_status expand_constraints(m2d__expander *x, const m2d__connection *joint)
{
    m2d__row rows[M2D__MAX_ROWS] = { 0 };
    m2d__rowset set = { .name = joint->name,
                        .ends = { m2d__end(x, joint, 0), m2d__end(x, joint, 1) },
                        .is_own = joint->own != NULL,
                        .rows = rows };
    m2d__frame frame = m2d__frame_of(x, set.ends[0], set.ends[1], joint);
    ha_expr zero = ha_constant(x->dag, 0.0), reaction[3] = { zero, zero, zero };

    HA_TRY(ha_dag_status(x->dag));
    set.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, joint->where);
    m2d__rowset drives = set;
    set.n = joint->joint->n_rows;
    if (joint->joint->origin != NULL) {
        HA_TRY(add_origin(x, joint, &frame));
        set.origin = &frame.origin;
    }
    if (joint->joint->n_rows > 0) {
        joint->joint->rows(&frame, rows);
    }
    HA_TRY(keep_lines(x, joint, &frame, set.where));
    HA_TRY(add_rows(x, joint, &frame, &set, rows, &drives, reaction));
    HA_TRY(add_directions(x, joint, &frame, &set));
    HA_TRY(add_reaction_outputs(x, joint->name, reaction));
    return joint->model->is_exact
               ? m2d__add_drive_outputs(x, joint->name, &set, joint->joint->n_rows)
               : m2d__add_drive_outputs(x, joint->name, &drives, 0);
}

ha_status m2d__expand_joint(m2d__expander *x, int i)
{
    const m2d__connection *joint = &x->mechanism->joints.items[i];

    return joint->joint->expand != NULL ? joint->joint->expand(x, joint)
                                        : expand_constraints(x, joint);
}
