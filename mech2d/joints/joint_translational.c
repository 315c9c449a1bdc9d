/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The translational joint: point N stays on the line through M along the first body's axis, and the
 * axes stay parallel (Marquis-Favre et al. 2006, part I, eq 21, in the form that they give as the
 * alternative: their symmetric pair loses rank where M and N coincide).
 *
 *   y:      MN . y_il = 0
 *   angle:  x_jl . y_il = 0, the sine of the angle between the axes
 *
 * The sine vanishes at 0 and at pi: assembly goes to whichever is nearer. Free direction:
 * slide = MN . x_il.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

#include <math.h>

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);
    ha_expr angle = ha_sub(f->dag, f->theta_j, f->theta_i);

    row[0] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, MN, f->y_il) };
    row[1] = (m2d__row){ .label = "angle",
                         .is_angle = true,
                         .phi = m2d__dot(f->dag, f->x_jl, f->y_il),
                         .angle = angle,
                         .period = M_PI };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "MN . x_i" } };

static const char *const formulas[] = { "MN . y_i = 0", "x_j . y_i = 0" };

const m2d__joint_type m2d__joint_translational = {
    .name = "translational",
    .symbol = M2D_SYMBOL_SLIDER,
    .title = "A slider: N stays on the line through M along x_i, and the axes stay parallel.",
    .source = "Marquis-Favre et al. 2006, part I, eq 21, alternative form",
    .formulas = formulas,
    .n_rows = 2,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
