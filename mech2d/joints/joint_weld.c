/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The weld: the points coincide and so do the axes.
 *
 *   x:      MN . x_0 = 0
 *   y:      MN . y_0 = 0
 *   angle:  x_jl . y_il = 0, the sine of the angle between the axes
 *
 * The sine does not tell turns apart, but it vanishes at pi, too, where the second body would be
 * upside down: assembly brings the angle itself to the nearest multiple of 2 pi.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

#include <math.h>

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);
    ha_expr angle = ha_sub(f->dag, f->theta_j, f->theta_i);

    row[0] = (m2d__row){ .label = "x", .phi = m2d__dot(f->dag, MN, f->x_0) };
    row[1] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, MN, f->y_0) };
    row[2] = (m2d__row){ .label = "angle",
                         .is_angle = true,
                         .phi = m2d__dot(f->dag, f->x_jl, f->y_il),
                         .angle = angle,
                         .period = 2.0 * M_PI };
}

static const char *const formulas[] = { "MN . x_0 = 0", "MN . y_0 = 0", "x_j . y_i = 0" };

const m2d__joint_type m2d__joint_weld = {
    .name = "weld",
    .symbol = M2D_SYMBOL_WELD,
    .title = "No relative motion.",
    .formulas = formulas,
    .n_rows = 3,
    .rows = rows,
};
