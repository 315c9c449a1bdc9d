/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The steady cycle of a compiled model: the motion that repeats after a period, found without
 * waiting for it, and whether deviations from it die out.
 */
#ifndef BONDGRAPH_PERIODIC_H
#define BONDGRAPH_PERIODIC_H

#include "bondgraph/model.h"

HA_BEGIN_DECLS

/** Which cycle is looked for; zero-initialised but for `run`, from bg_run_options_default(). */
typedef struct bg_cycle_options {
    int is_driven;      /**< not 0: the equations read the time (bg_equations_drive()) */
    double period;      /**< of what drives the model [s]; where nothing does, a guess; 0: none */
    double horizon;     /**< where nothing drives it: about the time in which it goes through one
                             cycle or some [s]; needed where there is no guess */
    bg_run_options run; /**< method, tolerances and limits of its runs; `start`, `last`, times and
                             rows are not read; tolerances are made no looser than 1e-10, of the
                             implicit method 1e-9 */
} bg_cycle_options;

/** A cycle. */
typedef struct bg_cycle {
    double period;        /**< [s] */
    int n_states;         /**< number of independent states that act on something */
    char **states;        /**< (n_states) their names */
    double *floquet;      /**< (n_states x 2) Floquet multipliers, real and imaginary part, by
                               magnitude: by what a small deviation is multiplied in a period */
    double floquet_error; /**< what they may be off by: the integration's error; of differences
                               that by which finer ones changed them; its root where two of them
                               nearly agree, as a double one has */
    int is_exact;         /**< not 0: they are from exact derivatives; else from differences, as
                               where events or stiff parts are in the cycle */
    int is_stable;        /**< not 0: all of them are inside the unit circle, but for one 1 of a
                               cycle that nothing drives */
    int is_marginal; /**< not 0: none is outside, but one is on the circle as near as can be told,
                          as of a model that loses nothing: a deviation neither dies out nor
                          grows as a power. It is not stable then */
    int is_open;     /**< not 0: whether it is stable is not known, as multipliers may be off
                          by more than they are from the circle */
    int iterations;  /**< Newton steps */
    int runs;        /**< runs over a period or less */
    double error;    /**< what the state is off by after a period, in its sizes */
    int n_turns;     /**< number of angles that turn */
    char **turns;    /**< (n_turns) their names */
    int *turned;     /**< (n_turns) full turns in a period */
    int n_drifts;    /**< number of states that act on nothing and so need not come back */
    char **drifts;   /**< (n_drifts) their names */
    double *drift;   /**< (n_drifts) by how much they change in a period [SI] */
} bg_cycle;

/**
 * Looks for a cycle, from start values on: by shooting, with Newton's method on what the
 * independent states are off by after a period. An angle may come back a number of full turns
 * later. Where Newton's method does not converge the model goes on by itself for some periods.
 * @param model of bg_model_compile_periodic()
 * @param y   (n_unknowns) in: start values that meet the constraints; out: the cycle at t = 0, or
 *            what was reached
 * @param out to be freed with bg_cycle_clear(), also on failure
 * @return HA_ERR_SOLVER (none was found: what does not come back is named), HA_ERR_ARGUMENT (no
 *         period), HA_ERR_VALUE (of it), what bg_model_run() returns, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_periodic(ha_ctx *ctx, const bg_model *model,
                                    const bg_cycle_options *options, double *y, bg_cycle *out);

/** Frees what it holds. */
void bg_cycle_clear(bg_cycle *cycle);

HA_END_DECLS

#endif
