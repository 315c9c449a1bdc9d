/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to a model. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "bondgraph/causality.h"
#include "bondgraph/model.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"
#include "mech2d/study/kit.h"
#include "mech2d/system.h"
#include "tools/shared/cli.h"

/* What a command works on. */
typedef m2d__kit cli_model;

/* Reads the model that the command line names; what this says about the run overrides the file. To
   be freed with m2d__kit_clear(), also on failure. */
HA_MUST_CHECK ha_status cli_load(cli_call *cli, cli_model *model);

/* The same with the time standing still: what is given as a function of time, as a prescribed
   motion, keeps its value at the start and has no rate. A value of a model file becomes a parameter
   where `variable` is not NULL. */
HA_MUST_CHECK ha_status cli_load_still(cli_call *cli, const m2d_variable *variable,
                                       cli_model *model);

/* Does a command's work on a model, which is empty before and cleared afterwards. */
HA_MUST_CHECK ha_status cli_on_model(cli_call *cli,
                                     ha_status (*work)(cli_call *cli, cli_model *model));

/* What the command line says about the run overrides the options. */
HA_MUST_CHECK ha_status cli_read_run_options(cli_call *cli, bg_run_options *options);

/* What pictures and pages call the model: what its file says, else the graph of the command line or
   the name of the file without its directory. Borrowed from `cli` or `model`. */
const char *cli_model_title(const cli_call *cli, const cli_model *model);

/* For models to be extended by: how they depend on the time. */
HA_MUST_CHECK ha_status cli_find_drive(cli_model *model);

/* Lets a model that was read, but not compiled yet, start on its steady cycle. */
void cli_seek_cycle(cli_model *model);

/* The same: the energy dissipated in each element is wanted, too. */
HA_MUST_CHECK ha_status cli_add_losses(cli_model *model);

/* Translates the equations of a compiled model to machine code; `*is_done` is false where that
   cannot be: they are interpreted then, and a warning says why. Fails when it is interrupted. One
   at a time of all threads. */
HA_MUST_CHECK ha_status cli_translate(ha_ctx *ctx, const cli_model *model, bool *is_done);

#endif
