/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command again at each save of a file that it reads. */
#ifndef TOOLS_WATCH_H
#define TOOLS_WATCH_H

#include "tools/shared/cli.h"

/* Runs the command of a command line, and again whenever a file that it has read changes, until an
   interrupt, after which it is done: HA_OK. */
HA_MUST_CHECK ha_status watch(cli_call *cli);

#endif
