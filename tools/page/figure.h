/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a mechanism for a paper: where it is at a time, where at others, ways of points. */
#ifndef TOOLS_FIGURE_H
#define TOOLS_FIGURE_H

#include "lib/core/suffix.h"
#include "tools/shared/cli.h"

/* `draw --mechanism`: draws into the file of -o what the times of --at and the points of -y say. */
HA_MUST_CHECK ha_status figure_draw(cli_call *cli);

/* Formats of the picture. */
extern const ha__suffixes figure_formats;

#endif
