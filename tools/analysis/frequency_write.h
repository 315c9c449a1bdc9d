/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency responses as text, tables and JSON. */
#ifndef TOOLS_FREQUENCY_WRITE_H
#define TOOLS_FREQUENCY_WRITE_H

#include "bondgraph/frequency.h"
#include "tools/shared/json.h"

/* Margins of a loop that is closed over a response; NAN: there is none. */
typedef struct frequency_margins {
    double gain, gain_frequency;   /* a factor; Hz */
    double phase, phase_frequency; /* deg; Hz */
} frequency_margins;

/* Those of the response number `number`: output * inputs + input. */
frequency_margins frequency_margins_of(const bg_response *response, int number);

/* Writes to a file whose suffix chooses the format, of a picture what --plot says; `title` is the
   name of the model. */
HA_MUST_CHECK ha_status frequency_write(cli_call *cli, const bg_response *response,
                                        const char *title, const char *path);

/* Prints one JSON object. */
HA_MUST_CHECK ha_status frequency_print_json(cli_call *cli, const bg_response *response);

#endif
