/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes over a value of the model: a root locus, a Campbell diagram. */
#ifndef TOOLS_MODES_SWEEP_H
#define TOOLS_MODES_SWEEP_H

#include "tools/shared/cli.h"

/* Finds the modes at each value of --sweep, up to `n_lowest` of them (0: as without a sweep),
   follows them by their shapes, and prints or writes them. */
HA_MUST_CHECK ha_status modes_sweep(cli_call *cli, int n_lowest);

#endif
