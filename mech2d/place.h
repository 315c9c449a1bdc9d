/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Places of the parts of a mechanism, for pictures of its bond graph.
 */
#ifndef MECH2D_PLACE_H
#define MECH2D_PLACE_H

#include "bondgraph/export.h"
#include "mech2d/assemble.h"

HA_BEGIN_DECLS

/**
 * Where the bodies, joints and forces of an assembled mechanism are [m], for
 * bg_draw_options.places: a body at its mass centre, a joint or force in the middle of its points.
 * @param out to be freed with free(); the names are borrowed from the system
 * @param n   their number
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_assembly_places(const m2d_assembly *assembly, bg_draw_place **out,
                                            int *n);

HA_END_DECLS

#endif
