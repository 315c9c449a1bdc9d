/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No joint at all: the coupling of one-dimensional elements to the plane (Marquis-Favre et al.
 * 2006, part II, 3.3). It constrains nothing and gives names to all relative motion, seen from the
 * axes of the first point:
 *
 *   slide_x = MN . x_il,  slide_y = MN . y_il,  angle = theta_j - theta_i
 *
 * A translational bond graph bonded to slide_x is carried on the axis x_il: its effort acts on N
 * along that axis, and the opposite force on the first body along the same line. With M on the
 * ground the axis is fixed, else it turns with its body.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    coordinate[0] = m2d__dot(f->dag, MN, f->x_il);
    coordinate[1] = m2d__dot(f->dag, MN, f->y_il);
    coordinate[2] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = {
    { "slide_x", "speed_x", false, "MN . x_i" },
    { "slide_y", "speed_y", false, "MN . y_i" },
    { "angle", "omega", true, "theta_j - theta_i" },
};

const m2d__joint_type m2d__joint_free = {
    .name = "free",
    .title = "No constraint: carries springs, stops, drives and one-dimensional bond graphs along "
             "the axes of the first point.",
    .source = "Marquis-Favre et al. 2006, part II, 3.3",
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
