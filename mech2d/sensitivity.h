/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Sensitivities of a run of a model to any values of its file: lengths, masses, start values.
 */
#ifndef MECH2D_SENSITIVITY_H
#define MECH2D_SENSITIVITY_H

#include "bondgraph/sensitivity.h"
#include "mech2d/prepared.h"

HA_BEGIN_DECLS

/** What to find. */
typedef struct m2d_sensitivity_def {
    const m2d_source *source;      /**< the model */
    const char *const *parameters; /**< (n_parameters) paths, as in an override PATH=VALUE
                                        ("parameters.length", "bodies.K1.mass"), of a bond graph
                                        elements ("R"), too */
    int n_parameters;              /**< number of these */
    /** Changes the options that the file gives; NULL: they stay. */
    ha_status (*adjust)(void *user, bg_run_options *options);
    void *user;        /**< its first argument */
    ha_result *curves; /**< as in bg_sensitivity_def; NULL: none */
} m2d_sensitivity_def;

/**
 * Reads a model, runs it, and differentiates the run: bg_sensitivities() with the parameters called
 * by their paths. Start positions depend on parameters through assembly; where the file does not
 * fix them, they deviate as those do that assembly finds for values nearby. At a value of 0 the
 * derivatives are those towards values above: of an element that the model lacks there, too.
 * @param values (n_parameters) where the values of the parameters go [SI]; NULL: nowhere
 * @param out to be freed with bg_sensitivity_clear(), also on failure
 * @return HA_ERR_NAME (the file has no value there), HA_ERR_VALUE (the start is no smooth
 *         function of a value), HA_ERR_UNSUPPORTED (a value that is read as a number while the
 *         model is built, by name); what m2d_prepare() and bg_sensitivities() return
 */
HA_MUST_CHECK ha_status m2d_sensitivities(ha_ctx *ctx, const m2d_sensitivity_def *def,
                                          double *values, bg_sensitivity *out);

HA_END_DECLS

#endif
