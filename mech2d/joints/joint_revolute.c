/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The revolute joint: the two points coincide (Marquis-Favre et al. 2006, part II, eqs 13-17).
 *
 *   x:  MN . x_0 = 0
 *   y:  MN . y_0 = 0
 *
 * Free direction: angle = theta_j - theta_i.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    row[0] = (m2d__row){ .label = "x", .phi = m2d__dot(f->dag, MN, f->x_0) };
    row[1] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, MN, f->y_0) };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = { { "angle", "omega", true, "theta_j - theta_i" } };

static const char *const formulas[] = { "MN . x_0 = 0", "MN . y_0 = 0" };

const m2d__joint_type m2d__joint_revolute = {
    .name = "revolute",
    .symbol = M2D_SYMBOL_PIN,
    .title = "A hinge: the two points coincide.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 13-17",
    .formulas = formulas,
    .n_rows = 2,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
