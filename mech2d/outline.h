/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The shape of a body: plates that lie on one another, with holes in them.
 *
 * A shape gives the mass, the mass centre and the inertia of a body where these are not given, and
 * it is what pictures show. The mathematics is in mech2d/mechanism/outline.c.
 */
#ifndef MECH2D_OUTLINE_H
#define MECH2D_OUTLINE_H

#include "lib/expr.h"

HA_BEGIN_DECLS

/** The shape of a plate or of a hole. */
typedef enum m2d_shape {
    M2D_SHAPE_POLYGON, /**< corners in order, either way round; no two sides meet but at corners */
    M2D_SHAPE_CIRCLE,  /**< a centre and a radius */
    M2D_SHAPE_BAR,     /**< all that is within the radius of the line between two points */
} m2d_shape;

/** A plate, or a hole in one. All values are constants or expressions of parameters. */
typedef struct m2d_plate_def {
    m2d_shape shape;            /**< what it is */
    const ha_expr (*points)[2]; /**< (n_points) pairs x, y [m]: corners; a centre; two ends */
    int n_points;               /**< 3 or more of a polygon, 1 of a circle, 2 of a bar */
    ha_expr radius;             /**< of a circle or a bar [m], above 0 */
    bool is_hole;   /**< a hole in the last plate before it in the list, and inside it */
    ha_expr weight; /**< mass for each area [kg/m2], above 0; only ratios count where the body has a
                         mass. HA_EXPR_NONE: as the plates of the others, of which none has one,
                         for a body with a mass. Of a hole not used: it is its plate's */
    ha_where where; /**< where the user wrote it, for diagnostics */
} m2d_plate_def;

HA_END_DECLS

#endif
