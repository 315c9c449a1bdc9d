/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pin in a slot: point M of the first body stays on the line through N along the second body's
 * axis (Marquis-Favre et al. 2006, part II, eqs 23-27, "double translational-revolute"; eq 23 is
 * printed with y_il, the equations after it have y_jl).
 *
 *   y:  MN . y_jl = 0
 *
 * Free directions: slide = MN . x_jl, angle = theta_j - theta_i.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    row[0] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, MN, f->y_jl) };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_jl);
    coordinate[1] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "MN . x_j" },
                                             { "angle", "omega", true, "theta_j - theta_i" } };

static const char *const formulas[] = { "MN . y_j = 0" };

const m2d__joint_type m2d__joint_translational_revolute = {
    .name = "translational-revolute",
    .symbol = M2D_SYMBOL_SLOT,
    .title = "A pin in a slot: M stays on the line through N along x_j.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 23-27",
    .formulas = formulas,
    .n_rows = 1,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
