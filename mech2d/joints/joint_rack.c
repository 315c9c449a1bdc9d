/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rack and pinion. The pitch line of the rack lies along the first body's axis; N is the centre of
 * the pinion of pitch radius r, on the second body, on the side of the rack that y_il points to.
 *
 *   slip:  s - s(start) = 0  with  s = MN . x_il + r (theta_j - theta_i)
 *
 * At the start MN . y_il is r. What keeps the pinion at its distance from the rack are other
 * joints; the teeth mesh as these and the start values place them. Free directions: slide = MN .
 * x_il, angle = theta_j - theta_i.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

enum { RADIUS };

static const m2d__key keys[] = {
    [RADIUS] = M2D__SIZE_KEY("radius"),
};

/* s */
static ha_expr rolled(const m2d__frame *f)
{
    ha_expr slide = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
    ha_expr angle = ha_sub(f->dag, f->theta_j, f->theta_i);
    ha_expr r = f->settings[RADIUS * M2D__MAX_COMPONENTS];

    return ha_add(f->dag, slide, ha_mul(f->dag, r, angle));
}

static void rows(const m2d__frame *f, m2d__row *row)
{
    ha_expr slip = ha_sub(f->dag, rolled(f), f->origin);

    row[0] = (m2d__row){ .label = "slip", .phi = slip };
}

static ha_expr height(const m2d__frame *f, ha_expr *asked)
{
    *asked = f->settings[RADIUS * M2D__MAX_COMPONENTS];
    return m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->y_il);
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
    coordinate[1] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "MN . x_i" },
                                             { "angle", "omega", true, "theta_j - theta_i" } };

static const char *const formulas[] = { "MN . x_i + r (theta_j - theta_i) stays as at the start" };

const m2d__joint_type m2d__joint_rack = {
    .name = "rack",
    .symbol = M2D_SYMBOL_WHEEL,
    .title = "A pinion of pitch radius r with its centre in N meshes with a rack along x_i. "
             "Other joints hold the distance.",
    .formulas = formulas,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .n_rows = 1,
    .rows = rows,
    .origin = rolled,
    .fit_name = "the height of the pinion's centre over the rack, along its y axis,",
    .fit = height,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
