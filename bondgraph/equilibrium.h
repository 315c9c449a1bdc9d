/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Equilibria of a compiled model: where it stays when it is let go at rest, with the forces and
 * currents there.
 */
#ifndef BONDGRAPH_EQUILIBRIUM_H
#define BONDGRAPH_EQUILIBRIUM_H

#include "bondgraph/model.h"

HA_BEGIN_DECLS

/** Which equilibrium is looked for. */
typedef struct bg_equilibrium_options {
    double t;                /**< sources and other functions of time are as at this time [s] */
    const char *const *held; /**< (n_held) unknowns that stay, as `rod.angle`, whatever effort that
                                  takes; positions that one velocity moves */
    int n_held;              /**< number of these */
    double *efforts;         /**< (n_held) out: what holds each of these, [N] or [N.m] in the sense
                                  of its velocity; NULL: not wanted */
    double *outputs;         /**< (n_outputs of bg_model_dae()) out: the outputs there, with
                                  nothing that moves or accelerates; NULL: not wanted */
} bg_equilibrium_options;

/** Whether deviations from an equilibrium die out. */
typedef enum bg_stability {
    BG_STABLE,        /**< none grows */
    BG_UNSTABLE,      /**< one grows */
    BG_STABILITY_OPEN /**< not known: on the edge of a switch, something held, or of more than 300
                           states with forces that have no potential, of which no low mode grows */
} bg_stability;

/**
 * Looks for an equilibrium, from start values on: downhill where forces have a potential, else by
 * Newton's method. Where the one found is unstable and the start values were not already there, it
 * leaves it along the motion that grows and goes on to the next.
 * @param y (n_unknowns) in: start values that meet the constraints, as of bg_model_start(); out:
 *          the equilibrium, or what was reached
 * @param stability may be NULL; else the model must be one of bg_model_compile_linear()
 * @param stats may be NULL
 * @return HA_ERR_SOLVER (there is none, or none was found: what goes on moving is named),
 *         HA_ERR_NAME (of `held`), HA_ERR_SINGULAR, HA_ERR_VALUE, HA_ERR_INTERRUPTED, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_equilibrium(ha_ctx *ctx, const bg_model *model,
                                       const bg_equilibrium_options *options, double *y,
                                       bg_stability *stability, ha_dae_rest_stats *stats);

HA_END_DECLS

#endif
