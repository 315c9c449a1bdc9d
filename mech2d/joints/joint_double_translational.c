/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The double translational joint: the axes stay parallel, the points move freely (Marquis-Favre et
 * al. 2006, part II, eqs 18-22).
 *
 *   angle:  x_jl . y_il = 0, the sine of the angle between the axes
 *
 * The sine vanishes at 0 and at pi: assembly goes to whichever is nearer. Free directions:
 * slide_x = MN . x_il, slide_y = MN . y_il.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

#include <math.h>

static void rows(const m2d__frame *f, m2d__row *row)
{
    ha_expr angle = ha_sub(f->dag, f->theta_j, f->theta_i);

    row[0] = (m2d__row){ .label = "angle",
                         .is_angle = true,
                         .phi = m2d__dot(f->dag, f->x_jl, f->y_il),
                         .angle = angle,
                         .period = M_PI };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    coordinate[0] = m2d__dot(f->dag, MN, f->x_il);
    coordinate[1] = m2d__dot(f->dag, MN, f->y_il);
}

static const m2d__direction directions[] = { { "slide_x", "speed_x", false, "MN . x_i" },
                                             { "slide_y", "speed_y", false, "MN . y_i" } };

static const char *const formulas[] = { "x_j . y_i = 0" };

const m2d__joint_type m2d__joint_double_translational = {
    .name = "double-translational",
    .title = "Two crossed slides: the axes stay parallel, the points are free.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 18-22",
    .formulas = formulas,
    .n_rows = 1,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
