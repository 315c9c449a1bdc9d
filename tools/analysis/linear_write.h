/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear models as text, JSON and files for other programs. */
#ifndef TOOLS_LINEAR_WRITE_H
#define TOOLS_LINEAR_WRITE_H

#include "bondgraph/linearise.h"
#include "tools/shared/json.h"

/* Writes to a file whose suffix chooses the format; `title` is the name of the model. */
HA_MUST_CHECK ha_status linear_write(cli_call *cli, const bg_linear *linear, const char *title,
                                     const char *path);

/* Prints one JSON object. */
HA_MUST_CHECK ha_status linear_print_json(cli_call *cli, const bg_linear *linear);

#endif
