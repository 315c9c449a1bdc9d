/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The motion that inverse signals leave free. */
#ifndef TOOLS_ZERO_DYNAMICS_H
#define TOOLS_ZERO_DYNAMICS_H

#include "tools/shared/cli.h"

/* Warns where it grows at the start, by the names of its states; `shows` says so on standard output
   where it does not. */
HA_MUST_CHECK ha_status zero_dynamics_tell(cli_call *cli, bool shows);

#endif
