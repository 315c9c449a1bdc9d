/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end values of a run and the extremes over it, as JSON and as text. */
#ifndef TOOLS_FINAL_H
#define TOOLS_FINAL_H

#include "tools/shared/json.h"
#include "tools/shared/solve.h"

/* True where there is a last row: the run got that far. */
bool final_is_there(const cli_run *run);

/* The values of all outputs in the last row. */
json_t *final_object(const cli_run *run, cli_json *json);

/* The extremes of all outputs in it, if there is one. */
json_t *final_peaks(const cli_run *run, cli_json *json);

/* Prints both, of the first outputs where there are many. */
void final_print(const cli_run *run);

/* Names the joints whose reactions are one way of many to share a load, where outputs are among
   these. */
void final_print_shared(const cli_model *model);

#endif
