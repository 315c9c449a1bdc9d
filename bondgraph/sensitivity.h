/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Sensitivities of a run: derivatives of its outputs with respect to parameters, exact ones, along
 * the motion and through the events on it.
 */
#ifndef BONDGRAPH_SENSITIVITY_H
#define BONDGRAPH_SENSITIVITY_H

#include "bondgraph/model.h"

HA_BEGIN_DECLS

/** What to find. Zero-initialised but for `options` and `start_rates`: values at the end only. */
typedef struct bg_sensitivity_def {
    const bg_run_options *options; /**< of the run; `start` is given, `from` is BG_FROM_GIVEN */
    const char *const *names;  /**< (n_parameters) what the parameters are called; NULL: as they are
                                    in the model */
    const double *start_rates; /**< (n_parameters x unknowns) derivative of each start value by each
                                    parameter [SI]; of dependent unknowns what it is is found from
                                    the constraints */
    const double *sizes;  /**< (n_parameters) usual magnitude of each parameter: what start_rates
                               times it are below 1e-8 of a start value's size is round-off;
                               NULL: 1 [SI] */
    const double *scales; /**< (n_parameters) derivatives are divided by it: what a parameter
                               that is a factor is a factor of; NULL: 1 [SI] */
    ha_result
        *curves; /**< an empty table for the derivatives at the rows of the run (its
                      `step` or `times`), each as a column `d(OUTPUT)/d(PARAMETER)`; NULL: none */
} bg_sensitivity_def;

/** Sensitivities. Zero-initialised is empty. */
typedef struct bg_sensitivity {
    int n_parameters;     /**< number of parameters, the inputs of the model */
    int n_outputs;        /**< number of outputs of the model */
    char **parameters;    /**< (n_parameters) names */
    char **outputs;       /**< (n_outputs) names */
    char **units;         /**< (n_outputs) units, "" of a number */
    double *end;          /**< (n_outputs) outputs at the end [their units] */
    double *value;        /**< (n_outputs x n_parameters) derivatives at the end [unit of the output
                               by the SI unit of the parameter]; NAN of an output that is integrated
                               over the run, as `energy.loss` */
    double *error;        /**< (n_outputs x n_parameters) what they may be off by, found by a second
                               run with another tolerance [as `value`] */
    double t;             /**< time of the end [s] */
    long events;          /**< events passed */
    bg_run_report report; /**< of the run with the tighter tolerance */
} bg_sensitivity;

/**
 * Runs a model that bg_model_compile_sensitive() made, of equations with the parameters as inputs
 * (bg_equations_derive_with()), and differentiates it. Deviations jump at events:
 *     s+ = s- + (y'- - y'+) dt*,   dt* = -(g_w + g_y s-) / (g_t + g_y y'-)
 * for the time t* at which a condition g changes its sign (Rozenvasser, Automation and Remote
 * Control 28, 1967; Galan, Feehery and Barton, Applied Numerical Mathematics 31, 1999, equation
 * 24).
 * @param out to be freed with bg_sensitivity_clear(), also on failure
 * @return what bg_model_run() returns; HA_ERR_UNSUPPORTED (the motion goes along the
 *         surface between two sides), HA_ERR_SINGULAR (at a singular
 *         position), HA_ERR_VALUE (an event is only grazed, two come at once, a derivative is not
 *         finite, the start jumps), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_sensitivities(ha_ctx *ctx, const bg_model *model,
                                         const bg_sensitivity_def *def, bg_sensitivity *out);

/** Frees what it holds. */
void bg_sensitivity_clear(bg_sensitivity *sensitivity);

HA_END_DECLS

#endif
