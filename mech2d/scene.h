/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a picture of a mechanism shows: the outline of each body in its own axes and the symbol of
 * each joint and force. Where the points are that a symbol stands at, mechanism.h says; how it
 * looks is up to who draws.
 */
#ifndef MECH2D_SCENE_H
#define MECH2D_SCENE_H

#include "mech2d/mechanism.h"

HA_BEGIN_DECLS

/** How a joint or a force is drawn. M is the point on the first body of `between`, N the other. */
typedef enum m2d_symbol {
    M2D_SYMBOL_POINTS,   /**< dots at its points: a type without a picture of its own */
    M2D_SYMBOL_PIN,      /**< a circle at M */
    M2D_SYMBOL_SLIDER,   /**< a rail along the axis of M, a block on it at N */
    M2D_SYMBOL_SLOT,     /**< a rail along the axis of N, a pin on it at M */
    M2D_SYMBOL_WELD,     /**< a square at M */
    M2D_SYMBOL_ROD,      /**< a line from M to N of constant length, pinned at both ends */
    M2D_SYMBOL_CYLINDER, /**< a line from M to N of variable length, pinned at both ends */
    M2D_SYMBOL_WHEEL,    /**< a line along the axis of M, a circle about N */
    M2D_SYMBOL_WHEELS,   /**< circles about M and N */
    M2D_SYMBOL_TYRE,     /**< the tread of a wheel seen from above, at N, turned by the output
                              `steer` of the joint; nothing at M */
    M2D_SYMBOL_SPRING,   /**< a zigzag line from M to N */
    M2D_SYMBOL_COUNT     /**< number of symbols */
} m2d_symbol;

/** The name of a symbol: "pin", "slider"; static storage. */
const char *m2d_symbol_name(m2d_symbol symbol);

/** The symbol of joint `i`. */
m2d_symbol m2d_joint_symbol(const m2d_mechanism *mechanism, int i);

/** The symbol of force `i`, M2D_SYMBOL_POINTS where nothing is drawn. */
m2d_symbol m2d_force_symbol(const m2d_mechanism *mechanism, int i);

/** Radii [m] of the circles about M and N of joint `i`, into radii[2]; 0: no circle. Of a tyre that
 * of the wheel, at N. */
void m2d_joint_radii(m2d_mechanism *mechanism, int i, double *radii);

/**
 * The outline of body `i` in its own axes: the corners, anticlockwise, of the smallest convex
 * polygon around its mass centre and its points; two where all are on a line, one where there is
 * nothing but the mass centre.
 * @param corners (n_points + 1) pairs x, y [m], where n_points is m2d_mechanism_n_points()
 * @param n       number of corners
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_body_outline(m2d_mechanism *mechanism, int i, double (*corners)[2],
                                         int *n);

/** A plate of a body, or a hole in the last plate before it. */
typedef struct m2d_plate {
    m2d_shape shape; /**< what it is */
    int n_points;    /**< number of its points */
    double radius;   /**< of a circle or a bar [m], else 0 */
    bool is_hole;    /**< a hole */
} m2d_plate;

/** Number of plates and holes that the shape of body `i` is made of; 0 where it has none. */
int m2d_body_n_plates(const m2d_mechanism *mechanism, int i);

/** Plate or hole `k` of body `i`. */
m2d_plate m2d_body_plate(m2d_mechanism *mechanism, int i, int k);

/** Point `point` of plate `k` of body `i` in the body's axes [m], into at[2]. */
void m2d_body_plate_point(m2d_mechanism *mechanism, int i, int k, int point, double *at);

/** The colour that the user gave body `i`, "#c2410c", NULL: none; valid as long as the mechanism.
 */
const char *m2d_body_colour(const m2d_mechanism *mechanism, int i);

/** The layer of body `i` in pictures: those of higher ones lie over those of lower ones. */
int m2d_body_layer(const m2d_mechanism *mechanism, int i);

HA_END_DECLS

#endif
