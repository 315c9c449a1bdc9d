/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The motion of a mechanism in one of its modes. */
#ifndef TOOLS_MODES_MOTION_H
#define TOOLS_MODES_MOTION_H

#include "tools/analysis/modes_write.h"

enum { MODES_PICTURES = 50 }; /* of a cycle */

/*
 * A table of `t`, then x, y and angle of all bodies: row 0 is the operating point, the others one
 * cycle of 2 s in MODES_PICTURES + 1 rows, of which the last is the first again. The swing is as
 * large as can be seen well. To be freed with ha_result_free(); NULL for a graph without bodies.
 */
HA_MUST_CHECK ha_status modes_motion(cli_call *cli, const modes_shown *shown, int mode,
                                     ha_result **out);

#endif
