/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structural report of `check` and `causality`, as text and as JSON. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include "tools/shared/json.h"
#include "tools/shared/load.h"

/* Bonds in the order of their printed numbers: bond (n) is to be freed with ha__free(). */
HA_MUST_CHECK ha_status report_bonds(const cli_model *model, bg_bond **bonds);

/* For each joint with constraints whether its reaction is determined; an empty object for a bond
   graph. */
json_t *report_reactions(const cli_model *model, cli_json *json);

/* Adds the keys of `check` and `causality`. */
HA_MUST_CHECK ha_status report_to_json(cli_call *cli, const cli_model *model, cli_json *json);

/* Prints class, storages, constraints, loops and what to do about them. */
HA_MUST_CHECK ha_status report_print(cli_call *cli, const cli_model *model);

/* The stroke of a component as a word: "head", "tail", "-". */
const char *report_stroke(bg_stroke stroke);

/* True when all components of a bond have their strokes at the same end. */
bool report_is_uniform(const cli_model *model, bg_bond bond);

#endif
