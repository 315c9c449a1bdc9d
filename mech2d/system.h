/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A mechanism expanded into a bond graph. All physics enters through the bond graph: bodies become
 * junctions with inertias, points transformers, joints and springs 0-junctions that sum the flows
 * of the transformers, with a residual sink or a storage on them. No equation of motion is written.
 *
 * The elements of a body K1 with a point H that is used: `K1` (I: x, y, angle), `K1.1` (its
 * 1-junction), `K1.position` (Df: the coordinates), `K1.weight` (Se), `K1.H.transport` (the rigid
 * transport from the mass centre to H), `K1.H.1` (the point's 1-junction, where more than one
 * connection uses it). Those of a joint O: `O.M` and `O.N` (transformers of both ends), `O.0` (its
 * 0-junction), `O` (residual sink: the constraints, that of a motion being `O.drive`), `O.time`
 * (Sf: the part of their flow that comes from a motion). A compliant joint has instead of the
 * residual sink `O.C` (C: the springs of its rows) and, with damping, `O.R` (R) on `O.1`
 * (1-junction); its motions are `O.drive` (residual sink), `O.drive.M`, `O.drive.N`, `O.drive.0`,
 * `O.drive.time`. Those of a motion of a body K1: `K1.drive`
 * (residual sink), `K1.drive.N`, `K1.drive.0`, `K1.drive.time`. Those of a free direction of a
 * joint that something is bonded to: `O.axis` (1-junction; `S.slide.axis` where joint S leaves
 * several free), `O.axis.M`, `O.axis.N`, `O.axis.0`.
 */
#ifndef MECH2D_SYSTEM_H
#define MECH2D_SYSTEM_H

#include "bondgraph/graph.h"
#include "mech2d/mechanism.h"

HA_BEGIN_DECLS

/** An expanded mechanism: its bond graph, and what assembly needs to know. */
typedef struct m2d_system m2d_system;

/**
 * Expands a mechanism; the mechanism may be changed or freed afterwards. O(size of the mechanism).
 * @return HA_ERR_NAME when an expression reads an output that the model does not have (with the
 *         nearest one); HA_ERR_SINGULAR when gears start with both centres at one point;
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_expand(m2d_mechanism *mechanism, m2d_system **out);

/**
 * Lets parameters take other values without expanding again: the constraints, masses, inertias and
 * start values that assembly reads are compiled as functions of them. For the equations of motion
 * see bg_equations_derive_varied(), which needs m2d_keep_parameters(). What else the expansion took
 * from their values, as the nominal sizes that tolerances count from, stays.
 * @param mechanism that was expanded, unchanged since
 * @param names     (n) of its parameters
 * @return HA_ERR_NAME; HA_ERR_UNSUPPORTED: something counts from the start (gears, rolling wheels),
 *         which has to be found again; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_system_vary(m2d_system *system, m2d_mechanism *mechanism,
                                        const char *const *names, int n);

/**
 * A copy with values of the varied parameters of its own, for assembly; it shares all else with the
 * system, which must outlive it. Copies may be used by several threads at once, each with a context
 * of its own.
 */
HA_MUST_CHECK ha_status m2d_system_copy(ha_ctx *ctx, const m2d_system *system, m2d_system **out);

/**
 * Gives the varied parameters of a copy other values.
 * @param system from m2d_system_copy()
 * @param values (n of m2d_system_vary()) [SI]
 * @return HA_ERR_VALUE: a body gets a mass, an inertia or a start that it cannot have;
 * HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_system_set(m2d_system *system, const double *values);

/** Frees it with its graph; NULL is legal. */
void m2d_system_free(m2d_system *system);

/** The bond graph; borrowed. Elements and bonds may be added to it. */
bg_graph *m2d_system_graph(m2d_system *system);

/** Number of bodies. */
int m2d_system_n_bodies(const m2d_system *system);

/** Name of body `i`; borrowed. */
const char *m2d_system_body_name(const m2d_system *system, int i);

/** Number of joints. */
int m2d_system_n_joints(const m2d_system *system);

/** Number of rows of all joints and motions: constraints, and what is held elastically. */
int m2d_system_n_rows(const m2d_system *system);

/** Number of rows that something elastic holds, those of compliant joints: no constraints. */
int m2d_system_n_elastic(const m2d_system *system);

/** True when something elastic holds row `i`. */
bool m2d_system_row_is_elastic(const m2d_system *system, int i);

/** Name of row `i`: "O.x"; borrowed. */
const char *m2d_system_row_name(const m2d_system *system, int i);

/** Name of the joint that row `i` belongs to, "K1.drive" for the motion of body K1;
 * borrowed.
 */
const char *m2d_system_row_joint(const m2d_system *system, int i);

/** Number of rows that are constraints on velocities: they have no position level. */
int m2d_system_n_rates(const m2d_system *system);

/** True when row `i` is a constraint on velocities. */
bool m2d_system_row_is_rate(const m2d_system *system, int i);

/** Unit of row `i` at position level: "m" or "rad"; of one on velocities, in m/s or rad/s, the unit
    times seconds; static storage. */
const char *m2d_system_row_unit(const m2d_system *system, int i);

HA_END_DECLS

#endif
