/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linear actuator without mass, hinged at both ends (Marquis-Favre et al. 2006, part II, 3.3). It
 * constrains nothing; its length is a free direction, along which motions, springs, dampers and
 * bonded elements act:
 *
 *   length = |MN|
 *
 * An actuator with masses is two bodies with a translational joint between them.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__length(f->dag, m2d__from_to(f->dag, f->OM, f->ON));
}

static const m2d__direction directions[] = { { "length", "speed", false, "|MN|" } };

const m2d__joint_type m2d__joint_actuator = {
    .name = "actuator",
    .symbol = M2D_SYMBOL_CYLINDER,
    .title = "A cylinder without mass, hinged at both ends. It constrains nothing; its "
             "length can be driven.",
    .source = "Marquis-Favre et al. 2006, part II, 3.3",
    .keeps_apart = true,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
    .coordinates = coordinates,
};
