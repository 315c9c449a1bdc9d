/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Assembly: start positions and velocities that meet all constraints of a mechanism.
 *
 * Fixed start values stay exactly. The others move as little as possible: those that were not given
 * first, and those that were given, as guesses, only where that is not enough; a light body sooner
 * than a heavy one. Every position residual is brought to round-off, then every velocity residual.
 * So are the rows of compliant joints, which only start deformed where they cannot be closed.
 */
#ifndef MECH2D_ASSEMBLE_H
#define MECH2D_ASSEMBLE_H

#include "bondgraph/model.h"
#include "mech2d/system.h"

HA_BEGIN_DECLS

/** The start of an expanded mechanism. */
typedef struct m2d_assembly m2d_assembly;

/**
 * Assembles a mechanism at t = 0. The system must outlive the result.
 * @return HA_ERR_ASSEMBLY when the constraints cannot be met (the joint, its residual, and whether
 *         fixed values contradict each other), HA_ERR_SINGULAR when a line spring or an
 *         actuator starts at length zero, HA_ERR_INTERRUPTED, HA_ERR_MEMORY; warns where gears and
 *         racks start at other distances than their radii ask for
 */
HA_MUST_CHECK ha_status m2d_assemble(const m2d_system *system, m2d_assembly **out);

/**
 * As m2d_assemble(), but what an attempt that failed came to is given too: the positions that met
 * the constraints best, with their residuals. What it did not get to is NAN, and its mobility -1.
 * @return as m2d_assemble(); *out is untouched only where it returns HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_try_assemble(const m2d_system *system, m2d_assembly **out);

/** Frees it; NULL is legal. */
void m2d_assembly_free(m2d_assembly *assembly);

/** The start value of a coordinate or rate of body `body` after assembly [m, rad, m/s, rad/s]. */
double m2d_assembly_value(const m2d_assembly *assembly, int body, m2d_coordinate coordinate);

/** The start value that the user gave, 0 when there was none. */
double m2d_assembly_guess(const m2d_assembly *assembly, int body, m2d_coordinate coordinate);

/** True when the user gave a start value. */
bool m2d_assembly_is_given(const m2d_assembly *assembly, int body, m2d_coordinate coordinate);

/** True when the start value was fixed. */
bool m2d_assembly_is_fixed(const m2d_assembly *assembly, int body, m2d_coordinate coordinate);

/** The residual of row `row` of the system at position level [m, rad]: of a compliant joint how far
   it starts deformed. */
double m2d_assembly_residual(const m2d_assembly *assembly, int row);

/** The residual of row `row` at velocity level [m/s, rad/s]. */
double m2d_assembly_rate(const m2d_assembly *assembly, int row);

/** A start value that was given at a joint or a point. */
typedef struct m2d_start_value {
    const char *name; /**< "O.angle", "rod.P.vx"; borrowed */
    const char *unit; /**< static */
    double given;     /**< as it was given */
    double value;     /**< after assembly, NAN where that did not get so far */
    bool is_fixed;    /**< else a guess */
} m2d_start_value;

/** Number of start values given at joints and points. */
int m2d_assembly_n_starts(const m2d_assembly *assembly);

/** Start value number `i` of these, in the order of the mechanism. */
m2d_start_value m2d_assembly_start(const m2d_assembly *assembly, int i);

/** Number of steps that the positions took. */
int m2d_assembly_n_steps(const m2d_assembly *assembly);

/** Number of starts that were tried before one could be assembled; above 1 the guesses as given led
    nowhere and were disturbed, so that another branch may have been found. */
int m2d_assembly_n_attempts(const m2d_assembly *assembly);

/** Degrees of freedom by counting: three for each body less the constraints on positions, of which
    elastic rows are none; may be negative. */
int m2d_assembly_mobility_count(const m2d_assembly *assembly);

/** Degrees of freedom by the rank of the constraints on positions at the start, -1 when no
    positions were found. A wheel that cannot slip sideways takes none: it can still get everywhere.
 */
int m2d_assembly_mobility(const m2d_assembly *assembly);

/** As m2d_assembly_mobility_count() with the constraints on velocities: how many velocities can be
    chosen. */
int m2d_assembly_speed_count(const m2d_assembly *assembly);

/** As m2d_assembly_mobility() with the constraints on velocities. */
int m2d_assembly_speed_mobility(const m2d_assembly *assembly);

/** Number of constraints that follow from those before them. */
int m2d_assembly_n_redundant(const m2d_assembly *assembly);

/** Number of these that are constraints on velocities. */
int m2d_assembly_n_redundant_rates(const m2d_assembly *assembly);

/** Name of redundant constraint `i`: "E6.x"; borrowed. */
const char *m2d_assembly_redundant(const m2d_assembly *assembly, int i);

/**
 * True when the multiplier of constraint `row`, its share in the joint's reaction, follows from the
 * motion at the start; false where redundant constraints share a load in a way that rigid bodies do
 * not determine, or when no positions were found.
 */
bool m2d_assembly_is_unique(const m2d_assembly *assembly, int row);

/**
 * Start positions that the fixed values and the joints do not decide, after those that were given
 * as guesses: the mechanism is under-fixed by them. Fixing all of them, numbers 3 * body +
 * coordinate (x, y, angle), leaves no freedom.
 * @param out (3 * bodies) their numbers, ascending; NULL: they are only counted, which takes far
 *        less time where there are hundreds of bodies
 * @param n how many there are, -1 when no positions were found
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_assembly_choices(const m2d_assembly *assembly, int *out, int *n);

/**
 * Takes the redundant constraints out of equations that were derived from the system's graph, so
 * that they have one solution: the motion is the same, the reactions of the joints concerned are
 * one of many possible ones.
 * @return HA_ERR_NAME when the equations are of another graph; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_release_redundant(const m2d_assembly *assembly,
                                              bg_equations *equations);

/**
 * Fills the start values of the unknowns of a model that was compiled from the system's graph: the
 * model's own start, then the positions and velocities of the assembly.
 * @param y (bg_model_n_unknowns) start values
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_start(const m2d_assembly *assembly, const bg_model *model, double *y);

/**
 * Warns of each contact and stop whose spring the start presses so hard that it throws the bodies
 * away, or, where a contact dissipates all, holds them where they are: it stores 10 times the
 * energy, and pushes 10 times as hard, as all bodies that fall onto it by the size of what
 * touches.
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_warn_of_depth(const m2d_assembly *assembly);

/**
 * Poses of a mechanism near one that meets its constraints: each is displaced as asked, as by the
 * shape of a mode of vibration, then brought back onto the constraints by Newton's method on the
 * shortest way, light bodies sooner than heavy ones. So links stay rigid; compliant joints give
 * way.
 * @param t             prescribed motions are as at this time [s]
 * @param base          (3 x bodies) x, y, angle of each body [m, rad], on the constraints
 * @param displacements (n_poses x 3 x bodies) from there
 * @param poses         (n_poses x 3 x bodies) what was found
 * @param are_met       false: a displacement is so large that the constraints cannot be met near
 *                      it; the poses from there on are then not known
 * @return HA_ERR_VALUE (constraints that are not finite there), HA_ERR_INTERRUPTED, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_project(const m2d_system *system, double t, const double *base,
                                    const double *displacements, int n_poses, double *poses,
                                    bool *are_met);

HA_END_DECLS

#endif
