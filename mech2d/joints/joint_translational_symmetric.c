/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The translational joint in the symmetric form of Marquis-Favre, Bideaux & Scavarda 2006, part I,
 * eqs 21-30: each point is on the line through the other along its own axis.
 *
 *   y:        MN . y_il = 0
 *   y_other:  MN . y_jl = 0
 *
 * With M and N apart it is the joint `translational`, and its two multipliers are forces on both
 * lines. Where M and N meet the two rows say the same and nothing holds the angle: prefer
 * `translational` unless the points stay apart. Free direction: slide = MN . x_il.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    row[0] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, MN, f->y_il) };
    row[1] = (m2d__row){ .label = "y_other", .phi = m2d__dot(f->dag, MN, f->y_jl) };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "MN . x_i" } };

static const char *const formulas[] = { "MN . y_i = 0", "MN . y_j = 0" };

const m2d__joint_type m2d__joint_translational_symmetric = {
    .name = "translational-symmetric",
    .symbol = M2D_SYMBOL_SLIDER,
    .title = "A slider written as each point on the line through the other. Where the "
             "points meet nothing holds the angle: prefer `translational`.",
    .source = "Marquis-Favre et al. 2006, part I, eqs 21-30",
    .formulas = formulas,
    .n_rows = 2,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
