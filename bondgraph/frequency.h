/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Frequency response of a compiled model at an operating point: what a small sinusoidal input does
 * to the outputs in the steady state.
 */
#ifndef BONDGRAPH_FREQUENCY_H
#define BONDGRAPH_FREQUENCY_H

#include "bondgraph/linearise.h"

HA_BEGIN_DECLS

/** The frequencies that are wanted. */
typedef struct bg_frequency_range {
    double from; /**< [Hz], > 0 */
    double to;   /**< [Hz], > from; = from of one */
    int count;   /**< frequencies with equal ratios; more are added at resonances; 1: just one */
} bg_frequency_range;

/** The response of each output to each input. */
typedef struct bg_response {
    int n;             /**< number of frequencies */
    int n_inputs;      /**< number of inputs */
    int n_outputs;     /**< number of outputs */
    char **inputs;     /**< (n_inputs) names */
    char **outputs;    /**< (n_outputs) names */
    double *frequency; /**< (n) ascending [Hz] */
    double
        *magnitude; /**< (n_outputs x n_inputs x n) amplitude of the output by that of the input */
    double *phase;  /**< (n_outputs x n_inputs x n) [deg], continuous, the first in (-180, 180] */
    int n_poles;    /**< number of poles, -1: not found above 300 states */
    double *poles;  /**< (n_poles x 2) real and imaginary part [1/s], by magnitude */
    int *n_zeros;   /**< (n_outputs x n_inputs) number of zeros, -1: not found, above 300 states or
                         where a rate of the input counts, too */
    double **zeros; /**< (n_outputs x n_inputs) each (n_zeros x 2) [1/s] */
    int *n_peaks;   /**< (n_outputs x n_inputs) number of peaks of the magnitude */
    double **peaks; /**< (n_outputs x n_inputs) each (n_peaks x 2) frequency [Hz], ascending, and
                         magnitude; INFINITY where nothing bounds it, as without damping */
    bool is_equilibrium; /**< nothing moves at the operating point */
    char **sides;        /**< (n_sides) conditions of switches and the side they are on, and signals
                              that are held */
    int n_sides;         /**< number of these */
} bg_response;

/**
 * Finds the response of a model that bg_model_compile_linear() made, to the inputs it was derived
 * with: exactly at each frequency, from the sparse equations of everything.
 * @param out to be freed with bg_response_clear(), also on failure
 * @return as bg_linearise(); HA_ERR_ARGUMENT (no input or output), HA_ERR_VALUE (the range)
 */
HA_MUST_CHECK ha_status bg_frequency(ha_ctx *ctx, const bg_model *model,
                                     const bg_operating_point *point,
                                     const bg_frequency_range *range, bg_response *out);

/** Frees what it holds. */
void bg_response_clear(bg_response *response);

HA_END_DECLS

#endif
