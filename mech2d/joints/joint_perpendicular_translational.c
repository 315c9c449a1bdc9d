/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coupling of two perpendicular planes of motion, second kind (Marquis-Favre et al. 2006, part
 * II, eqs 33-37): as the first kind, with a translational joint on the first body whose axis goes
 * through the point where the hinges' axes meet. The second body moves in the other plane: its y is
 * the other plane's y_0', and N appears in the first plane as (x_N, 0).
 *
 *   y:        (ON - OM) . y_il = 0  with  ON = (x_N, 0)
 *   y_other:  ON . y_0' = 0
 *
 * Free direction with a name: slide = (ON - OM) . x_il.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

/* MN as the first plane sees it. */
static m2d__vector in_first_plane(const m2d__frame *f)
{
    return m2d__from_to(f->dag, f->OM, (m2d__vector){ f->ON.x, ha_constant(f->dag, 0.0) });
}

static void rows(const m2d__frame *f, m2d__row *row)
{
    row[0] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, in_first_plane(f), f->y_il) };
    row[1] = (m2d__row){ .label = "y_other", .phi = f->ON.y };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, in_first_plane(f), f->x_il);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "((x_N, 0) - OM) . x_i" } };

static const char *const formulas[] = { "((x_N, 0) - OM) . y_i = 0", "ON . y_0' = 0" };

const m2d__joint_type m2d__joint_perpendicular_translational = {
    .name = "perpendicular-translational",
    .title = "The same with a slider between the first body and the hinges, along x_i.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 33-37",
    .formulas = formulas,
    .n_rows = 2,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
