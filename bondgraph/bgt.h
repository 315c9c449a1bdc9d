/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of BondGraphTools (`.bg`: YAML, version 0.1). Its signs and moduli are others than ours:
 * they are converted, so that a model means the same on both sides.
 */
#ifndef BONDGRAPH_BGT_H
#define BONDGRAPH_BGT_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/**
 * Reads a file into a graph. Sub-models are taken apart: their components are called by their path,
 * `motor.R`. A parameter without value gets the default of BondGraphTools, a source 0, and a
 * warning says so.
 * @param name stands for the file in messages; borrowed as long as the graph lives
 * @param sets (n_sets) settings NAME=VALUE of components, in terms of the file
 * @return HA_ERR_SYNTAX, HA_ERR_NAME (components without counterpart among them), HA_ERR_VALUE,
 *         HA_ERR_LIMIT, HA_ERR_MEMORY; all errors of the file are reported in one go
 */
HA_MUST_CHECK ha_status bg_bgt_read(bg_graph *graph, const char *text, size_t length,
                                    const char *name, const char *const *sets, int n_sets);

/**
 * Writes a graph as one model without sub-models; multibonds as their components.
 * @param name of the model
 * @param out  to be freed with free()
 * @return HA_ERR_UNSUPPORTED (residual sinks, detectors, values that vary: what the format does not
 *         have), HA_ERR_VALUE (an element lacks a bond), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_bgt_write(bg_graph *graph, const char *name, char **out);

HA_END_DECLS

#endif
