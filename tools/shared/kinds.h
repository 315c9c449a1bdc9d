/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs of one kind: those that could be added to each other. */
#ifndef TOOLS_KINDS_H
#define TOOLS_KINDS_H

#include "tools/shared/load.h"

/*
 * The sizes of the outputs of a result, from their extremes: `largest`, the largest magnitude of
 * all outputs of the same kind, and `beside`, that of all that may be of it. With a unit both are
 * of the unit.
 *
 * Without one, an effort, flow, momentum or displacement of an element is of a kind with those of
 * the elements that it shares junctions with: efforts that add up at a 1-junction are alike, and
 * flows at a 0-junction. A pressure of 1e7 and a voltage of 1e-3, with a transformer between them
 * or nothing, are not. What may be of it are those of the same letter, and
 * what efforts or flows would add up to over the run. Any other output without a
 * unit is of its own kind, and all of these are beside it.
 */
HA_MUST_CHECK ha_status kinds_measure(ha_ctx *ctx, const cli_model *model, const ha_result *result,
                                      const ha_peak *peaks, double *largest, double *beside);

#endif
