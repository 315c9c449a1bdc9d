/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Signals with a state, for controllers: integrators, lags, filtered derivatives, PID controllers;
 * and values that are held.
 *
 * A block is made of bond graph elements without power: a flow source `NAME.rate` whose flow is the
 * rate of the state, bonded to a sensor `NAME.state` whose displacement is the state; a PID has the
 * sources and sensors `NAME.filter` and `NAME.filtered` as well. Its output is an expression of the
 * states and the input; the name of the block stands for it in expressions, and is an output.
 */
#ifndef BONDGRAPH_BLOCK_H
#define BONDGRAPH_BLOCK_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/** What a block does with its input u; y is its output. */
typedef enum bg_block_kind {
    BG_BLOCK_INTEGRATOR, /**< y' = gain u, y = start at first */
    BG_BLOCK_LAG,        /**< time_constant y' = gain u - y, y = start at first */
    BG_BLOCK_DERIVATIVE, /**< y = gain (u - x) / time_constant, time_constant x' = u - x, x = start
                            at first: the derivative of u, filtered */
    BG_BLOCK_PID,        /**< y = v limited to [low, high], v = kp u + i + kd (u - x) / filter_time,
                              i' = ki u + (y - v) / tracking_time, filter_time x' = u - x; i = start
                              and x = filter_start at first */
    BG_BLOCK_HOLD,       /**< y = the value that u had when `when` got above 0, while it is; else
                              start */
    BG_BLOCK_SAMPLE,     /**< y = the value that u had at the last of the times 0, T, 2 T, ..., T
                            being `period`; start is what y is before the first: u may read y */
    BG_BLOCK_DELAY,     /**< y = the value that u had one time earlier; start before there is one */
    BG_BLOCK_QUANTISER, /**< y = step floor(u / step + 1/2): u in whole steps */
    BG_BLOCK_DISCRETE_PID, /**< at the times of a sample y = v limited to [low, high], v = kp u + i
                              + kd (u - z) / T, i = i + ki T u + (y - v) T / tracking_time, z = u; i
                              = start and z = filter_start at first, y = 0 before the first time */
    BG_BLOCK_NOISE,        /**< at these times y = deviation times the next of a row of independent
                                normal numbers, which `seed` chooses; it has no input */
    BG_BLOCK_INVERSE, /**< y = what makes u 0, on which it acts: the effort of a drive by what is
                           prescribed elsewhere */
    BG_BLOCK_COUNT    /**< number of kinds */
} bg_block_kind;

/** The definition of a block; start from bg_block_def_default(). HA_EXPR_NONE: not given. */
typedef struct bg_block_def {
    const char *name;      /**< unique among elements, outputs and parameters; copied */
    const char *group;     /**< the part of the model it belongs to, for drawing; NULL: its name;
                                copied */
    bg_block_kind kind;    /**< what it does */
    ha_expr input;         /**< u, any expression */
    ha_expr gain;          /**< of integrator, lag and derivative; not given: 1 */
    ha_expr time_constant; /**< of lag and derivative, required, positive [s] */
    ha_expr kp, ki, kd;    /**< of both PIDs; not given: 0, no such part */
    ha_expr filter_time;   /**< of a PID, required where kd is given, positive [s] */
    ha_expr low, high;     /**< of both PIDs: limits of the output; not given: none */
    ha_expr tracking_time; /**< of PIDs with ki and a limit: how fast the integral follows what the
                                limits leave of the output, positive [s]; not given: kp / ki, of a
                                discrete one the period */
    ha_expr when;          /**< of a hold: the condition is that this is above 0; required, not a
                                constant */
    ha_expr period;        /**< of what happens at times, required, constant, positive [s] */
    ha_expr step;          /**< of a quantiser, required, positive */
    ha_expr deviation;     /**< of a noise: its standard deviation; not given: 1 */
    ha_expr seed;          /**< of a noise, constant, whole, from 0 to 2^53; not given: 0 */
    ha_expr start;         /**< start of the state, constant; not given: 0 */
    ha_expr filter_start;  /**< start of a PID's filter, constant; not given: 0 */
    ha_where where;        /**< where the user wrote it, for diagnostics */
    int cookie;            /**< set by bg_block_def_default() */
} bg_block_def;

/** A definition in which nothing is given. */
bg_block_def bg_block_def_default(void);

/** The kind of this name ("integrator", "lag", "derivative-filter", "pid", "hold", "sample",
   "delay", "quantiser", "discrete-pid", "noise", "inverse"), BG_BLOCK_COUNT: none. */
bg_block_kind bg_block_kind_find(const char *name);

/** The name of a kind; static. */
const char *bg_block_kind_name(bg_block_kind kind);

/**
 * Adds a block.
 * @param output (may be NULL) the expression that is its output
 * @return HA_ERR_NAME (name taken), HA_ERR_VALUE (a parameter that is missing or out of its range),
 *         HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_block(bg_graph *graph, const bg_block_def *def,
                                           ha_expr *output);

HA_END_DECLS

#endif
