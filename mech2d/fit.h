/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Fits of values of a model to measurements: lengths, masses, start values, anything that its file
 * says, by least squares with exact derivatives along the motion.
 */
#ifndef MECH2D_FIT_H
#define MECH2D_FIT_H

#include "lib/result.h"
#include "mech2d/prepared.h"

HA_BEGIN_DECLS

/** A value that is fitted, with its bounds. */
typedef struct m2d_fit_parameter {
    m2d_variable variable; /**< its path, with the start value [SI] */
    double least;          /**< the least it may be [SI]; -INFINITY: no bound */
    double most;           /**< the most it may be [SI]; INFINITY: no bound */
} m2d_fit_parameter;

/** The standard deviation of what is measured of an output. */
typedef struct m2d_fit_sigma {
    const char *output; /**< its name */
    double value;       /**< above 0 [unit of the output] */
    ha_where where;     /**< where the user gave it */
} m2d_fit_sigma;

/** What to fit to what. Zero-initialised but for `source`, `parameters` and `data`: each value
 * counts alike, with the options of the file. */
typedef struct m2d_fit_def {
    const m2d_source *source;            /**< the model; its outputs are those measured */
    const m2d_fit_parameter *parameters; /**< (n_parameters) */
    int n_parameters;                    /**< number of these, 1 or more */
    const ha_result *data; /**< measurements: first the time, `t`, ascending from 0 on, then columns
                                named as outputs, in their units or those given; beside OUTPUT there
                                may be `sigma(OUTPUT)`, the standard deviation of each value, or
                                `weight(OUTPUT)`, what the square of its residual counts, 0: nothing
                                */
    ha_where where;        /**< the file of the data, for messages; lines are those of a CSV file */
    const m2d_fit_sigma *sigmas; /**< (n_sigmas) of all outputs or none; NULL: none */
    int n_sigmas;                /**< number of these */
    /** Changes the options that the file gives, but for the end time and rows; NULL: they stay. */
    ha_status (*adjust)(void *user, bg_run_options *options);
    void *user; /**< its first argument */
} m2d_fit_def;

/** How a fit ended. */
typedef enum m2d_fit_end {
    M2D_FIT_DONE,          /**< at the least sum of squares nearby */
    M2D_FIT_UNDETERMINED,  /**< there, but the data do not determine all of the parameters */
    M2D_FIT_NOT_CONVERGED, /**< too many runs */
    M2D_FIT_END_COUNT      /**< number of these */
} m2d_fit_end;

/** What came of a fit. Zero-initialised is empty. */
typedef struct m2d_fit {
    m2d_fit_end end;     /**< how it ended */
    int n;               /**< number of parameters */
    int n_outputs;       /**< number of outputs measured */
    long n_data;         /**< number of values that count */
    double *value;       /**< (n) estimates [SI] */
    bool *is_held;       /**< (n) at a bound beyond which the fit would be better */
    double *deviation;   /**< (n) standard errors [SI]; NAN: of what is held or not determined */
    double *correlation; /**< (n x n) of the estimates; NAN likewise */
    double chi2;         /**< sum of the squares of the weighted residuals */
    double rms;          /**< root of the mean square of the residuals, not weighted, where all have
                              one unit; else NAN */
    long freedom;        /**< values less the parameters that were fitted */
    double condition;    /**< of the derivatives of the residuals by relative changes: largest
                              singular value over the least */
    int n_loose;         /**< number of combinations of parameters that are not determined */
    double *loose;       /**< (n_loose x n) their shares, as relative changes, the largest 1 */
    int runs;            /**< number of runs without derivatives */
    int jacobians;       /**< and with them */
    int failed;          /**< of the runs; a step was shortened for each */
    ha_result *table; /**< t, then `OUTPUT`, `data(OUTPUT)` and `residual(OUTPUT)` of each output */
} m2d_fit;

/**
 * Finds the parameters for which
 *     chi^2 = sum over all data (f (y(t; p) - y_measured))^2,   f = 1 / sigma or sqrt(weight),
 * is least near their start: Levenberg and Marquardt (Marquardt, Journal of the Society for
 * Industrial and Applied Mathematics 11, 1963), with the derivatives of m2d_sensitivities(). Each
 * run ends at the last time of the data. A run that fails makes the step shorter.
 * @param out to be freed with m2d_fit_clear(), also on failure; an end other than M2D_FIT_DONE is
 *            no failure of the call
 * @return HA_ERR_NAME (no such output or value), HA_ERR_VALUE (data that cannot be fitted to,
 *         a start value beyond its bounds),
 *         HA_ERR_UNSUPPORTED (an output without derivatives); of the first run what
 *         m2d_prepared_run() returns; what m2d_sensitivities() returns
 */
HA_MUST_CHECK ha_status m2d_fit_find(ha_ctx *ctx, const m2d_fit_def *def, m2d_fit *out);

/** Frees what it holds. */
void m2d_fit_clear(m2d_fit *fit);

HA_END_DECLS

#endif
