/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a mechanism hangs together: its parts, and the branches of its loops, the ways in which they
 * can be put together. With its crank the same, a four-bar has two: coupler and rocker turn left or
 * right at their hinge.
 */
#ifndef MECH2D_BRANCH_H
#define MECH2D_BRANCH_H

#include "mech2d/assemble.h"
#include "mech2d/mechanism.h"

HA_BEGIN_DECLS

/** The turn at a hinge between two moving bodies of a loop, from one bar to the next. */
typedef struct m2d_turn {
    int joint;     /**< number of the hinge in the mechanism */
    int points[4]; /**< numbers of points: from the far end of the first bar to the hinge, and from
                      the hinge to the far end of the second bar */
    double angle;  /**< from the direction of the first bar to that of the second, from -pi to pi:
                        positive is a turn to the left [rad] */
    double
        given; /**< the same at the start angles that the user gave, NAN where one was not given */
} m2d_turn;

/**
 * The turns at all revolute joints between two moving bodies that may be in a loop. The far ends of
 * the bars are other joints of the same bodies, of two or more the first in the order of the
 * mechanism.
 * @param assembly of a system that the mechanism was expanded to
 * @param out the turns in the order of the joints; to be freed with free()
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_find_turns(m2d_mechanism *mechanism, const m2d_assembly *assembly,
                                       m2d_turn **out, int *n);

/**
 * The parts of the mechanism that no joint and no force between points joins.
 * @param part (bodies) of each body: 0 where it hangs on the ground, else the number of its part
 *        from 1, in the order of the bodies
 * @param n number of parts without the ground's
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_find_parts(const m2d_mechanism *mechanism, int *part, int *n);

/**
 * Says what the bodies do at the positions where a run stopped. As an error, of which the last one
 * becomes a note: contacts that are as deep as they may get. As a note: constraints that are
 * dependent there and not at the start, which, what bars are in line, and that prescribed motions
 * lock the mechanism.
 * @param assembly the start of the run, of a system that the mechanism was expanded to
 * @param model what was compiled from the system's graph
 * @param y (bg_model_n_unknowns) the values where it stopped: bg_run_options.last
 * @param t the time there [s]
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_explain_stop(m2d_mechanism *mechanism, const m2d_assembly *assembly,
                                         const bg_model *model, const double *y, double t);

HA_END_DECLS

#endif
