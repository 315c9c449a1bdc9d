/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of friction of a mechanism, and whether they hold what rests, for people and for
   programs. */
#ifndef TOOLS_FRICTION_H
#define TOOLS_FRICTION_H

#include "tools/shared/json.h"
#include "tools/shared/load.h"

/* Prints a line for each law, with what has it; nothing where nothing rubs. */
void friction_print(const cli_model *model);

/* Says what creeps and what to do about it; nothing where nothing creeps. */
void friction_print_advice(const cli_model *model);

/* Adds the key `friction`: name, law, the speed at which it creeps, null where it holds. */
void friction_to_json(const cli_model *model, cli_json *json);

#endif
