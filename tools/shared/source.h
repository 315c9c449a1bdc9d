/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models that are read more than once, and studies beside them, by the command line. */
#ifndef TOOLS_SOURCE_H
#define TOOLS_SOURCE_H

#include "mech2d/study/study.h"
#include "tools/shared/cli.h"

/* The model that the command line names. HA_ERR_ARGUMENT where it cannot be read again. */
HA_MUST_CHECK ha_status cli_source(cli_call *cli, m2d_source *out);

/* The model, and the study in its own section or in a second file, which is to be freed. `needs`
   says what the command needs. */
HA_MUST_CHECK ha_status cli_study(cli_call *cli, const char *needs, m2d_source *source,
                                  m2d__study **study);

#endif
