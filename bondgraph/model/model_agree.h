/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two compiled models are the same. Not installed. */
#ifndef BONDGRAPH_MODEL_AGREE_H
#define BONDGRAPH_MODEL_AGREE_H

#include "bondgraph/model.h"

/* Sets `*agree` when two models have the same unknowns and outputs and, but for round-off, the same
   start values, equations, outputs, powers, switching functions and what is watched, at points
   drawn around the starts. */
HA_MUST_CHECK ha_status bg__models_agree(ha_ctx *ctx, const bg_model *a, const bg_model *b,
                                         bool *agree);

/* True when something else than start values reads variable `i`. */
bool bg__model_reads(const bg_model *model, int i);

/* Calls the conditions of a model as those of another one, which are the same ones. */
HA_MUST_CHECK ha_status bg__model_name_switches(bg_model *m, const bg_model *like);

#endif
