/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that start on the steady cycle of a model. */
#ifndef TOOLS_CYCLE_H
#define TOOLS_CYCLE_H

#include "bondgraph/periodic.h"
#include "tools/shared/load.h"

/* Finds the cycle of a model that was compiled with options.from = BG_FROM_PERIODIC: its start
   values become those of the model, which from then on starts from these. `cycle` is to be freed
   with bg_cycle_clear(), also on failure. */
HA_MUST_CHECK ha_status cycle_find(cli_call *cli, cli_model *model, bg_cycle *cycle);

#endif
