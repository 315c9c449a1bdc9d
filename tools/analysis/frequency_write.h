/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency responses as text, tables and JSON. */
#ifndef TOOLS_FREQUENCY_WRITE_H
#define TOOLS_FREQUENCY_WRITE_H

#include "bondgraph/frequency.h"
#include "tools/shared/json.h"

/* Writes to a file whose suffix chooses the format; `title` is the name of the model. */
HA_MUST_CHECK ha_status frequency_write(cli_call *cli, const bg_response *response,
                                        const char *title, const char *path);

/* Prints one JSON object. */
HA_MUST_CHECK ha_status frequency_print_json(cli_call *cli, const bg_response *response);

#endif
