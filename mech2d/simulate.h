/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a mechanism to results in one call: expansion, assembly, causality, equations, compilation,
 * run. Who wants to look at what is between, or to run a model more than once, takes the steps one
 * by one.
 */
#ifndef MECH2D_SIMULATE_H
#define MECH2D_SIMULATE_H

#include "bondgraph/model.h"
#include "mech2d/mechanism.h"

HA_BEGIN_DECLS

/**
 * Runs a mechanism with all its outputs.
 * @param options options->start is not looked at: the start comes from the assembly
 * @param result  an empty table; rows so far are kept on failure
 * @param report  may be NULL
 * @return what the steps return: m2d_expand(), m2d_assemble(), bg_causality_assign(),
 *         bg_equations_derive(), bg_model_compile(), bg_model_run()
 */
HA_MUST_CHECK ha_status m2d_simulate(m2d_mechanism *mechanism, const bg_run_options *options,
                                     ha_result *result, bg_run_report *report);

HA_END_DECLS

#endif
