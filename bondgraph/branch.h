/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A branch of equilibria over a value of the model, followed round its turning points.
 */
#ifndef BONDGRAPH_BRANCH_H
#define BONDGRAPH_BRANCH_H

#include "bondgraph/equilibrium.h"

HA_BEGIN_DECLS

/** Which branch. The value is that of the model plus a deviation. */
typedef struct bg_branch_options {
    double t;         /**< sources and other functions of time are as at this time [s] */
    double deviation; /**< the last deviation wanted, not 0; the first is 0 [SI] */
    int count;        /**< deviations wanted, at least 2, the first and the last among them, evenly
                           between; where the branch passes one more than once each counts */
} bg_branch_options;

/** A point of a branch. */
typedef struct bg_branch_point {
    double deviation;       /**< of the value [SI] */
    int is_turning;         /**< not 0: the value turns back here; else it is one that is wanted */
    bg_stability stability; /**< whether the equilibrium is stable; open at a turning point */
    double *outputs;        /**< (n_outputs of the model) */
} bg_branch_point;

/** A branch. */
typedef struct bg_branch {
    int n_points;            /**< number of points */
    bg_branch_point *points; /**< (n_points) as they lie along the branch */
    int n_turning;           /**< how many of them are turning points */
    int steps;               /**< steps along it */
    const char *ended;       /**< why it ends where it does; static text */
} bg_branch;

/**
 * Follows equilibria by arc length, from one at the model's own value on, in the direction of the
 * deviations. It ends at the last deviation, or where it comes back below the first.
 * @param model of bg_model_compile_linear(), of equations with one input
 *              (bg_equations_derive_with()): the value that deviates
 * @param y     (n_unknowns) an equilibrium, as of bg_equilibrium(); out: that at the last point
 * @param out   to be freed with bg_branch_clear(), also on failure: what was found is kept
 * @return HA_ERR_SINGULAR (equilibria are not isolated), HA_ERR_SOLVER (the branch cannot be
 *         followed further), HA_ERR_ARGUMENT, HA_ERR_INTERRUPTED, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_branch_follow(ha_ctx *ctx, const bg_model *model,
                                         const bg_branch_options *options, double *y,
                                         bg_branch *out);

/** Frees what it holds. */
void bg_branch_clear(bg_branch *branch);

HA_END_DECLS

#endif
