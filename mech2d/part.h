/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Parts: sub-assemblies of a mechanism, built once and used everywhere.
 *
 * Between m2d_mechanism_begin_part() and m2d_mechanism_end_part() all that is added belongs to the
 * part. Names are then those inside: body `rod` of part `left` is added as `rod`, expressions in
 * the part call it `rod.angle`, and everybody else `left.rod.angle`. Parameters that are added
 * there are the part's; their values are expressions of what surrounds it. A C function that adds a
 * part is a type of parts; parts may be made inside of parts. The mechanism is flat: a part costs
 * nothing when it runs.
 *
 * The ground is the same for all: points of the ground that a part has of its own are at positions
 * in the inertial frame.
 */
#ifndef MECH2D_PART_H
#define MECH2D_PART_H

#include "mech2d/mechanism.h"

HA_BEGIN_DECLS

/** What a part is made of; start from m2d_part_def_default(). */
typedef struct m2d_part_def {
    const char *name; /**< unique among what it stands beside; may end in an index, `link[3]`;
                           copied */
    const char *type; /**< what it is, "jack", for pictures and messages; NULL: "part"; copied */
    ha_expr start[M2D_N_COORDINATES]; /**< how the part as a whole stands and moves at the start, as
                                           a rigid body whose axes the starts of its bodies and
                                           points are given in; constants of what surrounds it; not
                                         given: 0 */
    ha_where where;                   /**< where the user wrote it, for diagnostics */
    int cookie;                       /**< set by m2d_part_def_default() */
} m2d_part_def;

/** A definition in which nothing is given. */
m2d_part_def m2d_part_def_default(void);

/**
 * Begins a part: what is added from here on is inside of it.
 * @return HA_ERR_NAME (malformed or taken), HA_ERR_VALUE (start not constant), HA_ERR_LIMIT (too
 *         many parts, or too deep), HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_mechanism_begin_part(m2d_mechanism *mechanism, const m2d_part_def *def);

/**
 * Makes known outside what the part that is being built has, as `PART.PORT`: a point
 * ("boom.P"), a free direction of a joint ("J.axis"), an element of the bond graph ("1i", "T.1") or
 * a port of a part or of an instance of a submodel inside ("stage1.out"). To be called when that
 * exists.
 * @param name  of the port; copied
 * @param inner what it is, by its name inside of the part; copied
 * @param where where the user wrote it, for diagnostics
 * @return HA_ERR_NAME (malformed or taken; no such thing, with the nearest one), HA_ERR_MEMORY,
 *         HA_ERR_ARGUMENT when no part is being built
 */
HA_MUST_CHECK ha_status m2d_mechanism_add_part_port(m2d_mechanism *mechanism, const char *name,
                                                    const char *inner, ha_where where);

/** Ends the part that was begun last; HA_ERR_ARGUMENT when there is none. */
HA_MUST_CHECK ha_status m2d_mechanism_end_part(m2d_mechanism *mechanism);

/** Number of parts, those inside of others included. */
int m2d_mechanism_n_parts(const m2d_mechanism *mechanism);

/** Name of part `i` with those around it, "crane.left"; borrowed. */
const char *m2d_part_name(const m2d_mechanism *mechanism, int i);

/** What part `i` is, "jack"; borrowed. */
const char *m2d_part_type(const m2d_mechanism *mechanism, int i);

HA_END_DECLS

#endif
