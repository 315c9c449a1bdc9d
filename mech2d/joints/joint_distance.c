/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The distance joint, a massless rod hinged at both ends: the points keep the distance L.
 *
 *   length:  (MN . MN - L^2) / (2 L) = 0
 *
 * Near MN = L this is |MN| - L, but has no square root to fail where the points meet. The rod can
 * turn and the bodies can turn against each other; of these the second has a name:
 * angle = theta_j - theta_i.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

enum { LENGTH };

static const m2d__key keys[] = {
    [LENGTH] = M2D__SIZE_KEY("length"),
};

static void rows(const m2d__frame *f, m2d__row *row)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);
    ha_expr L = f->settings[LENGTH * M2D__MAX_COMPONENTS];
    ha_expr difference = ha_sub(f->dag, m2d__dot(f->dag, MN, MN), ha_mul(f->dag, L, L));
    ha_expr twice = ha_mul(f->dag, ha_constant(f->dag, 2.0), L);

    row[0] = (m2d__row){ .label = "length", .phi = ha_div(f->dag, difference, twice) };
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = { { "angle", "omega", true, "theta_j - theta_i" } };

static const char *const formulas[] = { "(MN . MN - L^2) / (2 L) = 0" };

const m2d__joint_type m2d__joint_distance = {
    .name = "distance",
    .symbol = M2D_SYMBOL_ROD,
    .title = "A massless rod of length L, hinged at both ends.",
    .source = "Marquis-Favre et al. 2006, part II, 5 (perspectives)",
    .formulas = formulas,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .n_rows = 1,
    .rows = rows,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
