/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that are held between events, in analyses of what is continuous. Not installed. */
#ifndef BONDGRAPH_HELD_H
#define BONDGRAPH_HELD_H

#include "bondgraph/linearise.h"
#include "bondgraph/model/model_priv.h"
#include "lib/core/strbuf.h"

/* True of an unknown that is in the equations or constraints other than by its own rate. */
bool bg__held_acts(const bg_model *m, int unknown);

/* Adds the name of the signal that an unknown is the held value of. */
void bg__held_add_name(const bg_model *m, int unknown, ha__strbuf *out);

/* Adds the names of the signals that are noise; returns how many. */
int bg__held_list_noise(const bg_model *m, ha__strbuf *out);

/* Fails where sampled values act on the model. */
HA_MUST_CHECK ha_status bg__held_refuse_samples(ha_ctx *ctx, const bg_model *m);

/* Fails where a value that is held since a condition was met acts on the model: by the sides of the
   conditions, those that are on their edges (n_switches each) and the derivatives (n_linear) at a
   point. */
HA_MUST_CHECK ha_status bg__held_refuse_active(ha_ctx *ctx, const bg_model *m,
                                               const signed char *sides, const bool *is_on_edge,
                                               const double *values);

#endif
