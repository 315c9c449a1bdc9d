/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wheel that rolls on a straight line without slipping. The line goes through M along the first
 * body's axis; N is the centre of the wheel of radius r, on the second body.
 *
 *   gap:   MN . y_il - r = 0
 *   slip:  s - s(start) = 0  with  s = MN . x_il + r (theta_j - theta_i)
 *
 * The wheel stands at the start as the other constraints and the start values place it. Free
 * direction: slide = MN . x_il.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

enum { RADIUS };

static const m2d__key keys[] = {
    [RADIUS] = M2D__SIZE_KEY("radius"),
};

static ha_expr radius(const m2d__frame *f)
{
    return f->settings[RADIUS * M2D__MAX_COMPONENTS];
}

/* s */
static ha_expr rolled(const m2d__frame *f)
{
    ha_expr slide = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
    ha_expr angle = ha_sub(f->dag, f->theta_j, f->theta_i);

    return ha_add(f->dag, slide, ha_mul(f->dag, radius(f), angle));
}

static void rows(const m2d__frame *f, m2d__row *row)
{
    ha_expr height = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->y_il);
    ha_expr gap = ha_sub(f->dag, height, radius(f));
    ha_expr slip = ha_sub(f->dag, rolled(f), f->origin);

    row[0] = (m2d__row){ .label = "gap", .phi = gap };
    row[1] = (m2d__row){ .label = "slip", .phi = slip };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->x_il);
}

static const m2d__direction directions[] = { { "slide", "speed", false, "MN . x_i" } };

static const char *const formulas[] = {
    "MN . y_i - r = 0",
    "MN . x_i + r (theta_j - theta_i) stays as at the start",
};

const m2d__joint_type m2d__joint_rolling = {
    .name = "rolling",
    .symbol = M2D_SYMBOL_WHEEL,
    .title = "A wheel of radius r with its centre in N rolls on the line through M along "
             "x_i without slipping.",
    .formulas = formulas,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .n_rows = 2,
    .rows = rows,
    .origin = rolled,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
