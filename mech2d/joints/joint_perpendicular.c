/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coupling of two perpendicular planes of motion, first kind (Marquis-Favre et al. 2006, part
 * II, eqs 28-32): two hinges with perpendicular axes that meet on the common line of the planes,
 * which is the x axis of both. The second body moves in the other plane: its y is the other plane's
 * y_0', and it takes its own gravity.
 *
 *   x:        MN . x_0 = 0
 *   y:        OM . y_0 = 0
 *   y_other:  ON . y_0' = 0
 *
 * Both bodies turn freely and the point moves along the common line. No direction has a name: none
 * of them is a coordinate of one body against the other.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    row[0] = (m2d__row){ .label = "x", .phi = m2d__dot(f->dag, MN, f->x_0) };
    row[1] = (m2d__row){ .label = "y", .phi = f->OM.y };
    row[2] = (m2d__row){ .label = "y_other", .phi = f->ON.y };
}

static const char *const formulas[] = { "MN . x_0 = 0", "OM . y_0 = 0", "ON . y_0' = 0" };

const m2d__joint_type m2d__joint_perpendicular = {
    .name = "perpendicular",
    .title = "Couples two planes at right angles that share their x axis: two hinges that "
             "meet there. The second body's y is that of its own plane.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 28-32",
    .formulas = formulas,
    .n_rows = 3,
    .rows = rows,
};
