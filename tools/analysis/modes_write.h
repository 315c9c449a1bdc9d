/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes as text, tables and JSON. */
#ifndef TOOLS_MODES_WRITE_H
#define TOOLS_MODES_WRITE_H

#include "bondgraph/modes.h"
#include "tools/analysis/operating.h"
#include "tools/shared/json.h"

/* Modes with what is shown of them. */
typedef struct modes_shown {
    const cli_model *model;
    const bg_modal *modal;
    int n_bodies;
    int mode;               /* that is drawn, from 0; -1: none */
    double (*shape)[2];     /* (modes x bodies x 3) x, y, angle: the largest of a mode is 1 */
    bg_mode_share **shares; /* (modes) of each, shares_n[k] of them */
    int *n_shares;
    int *numbers; /* (bodies x 3) outputs that are the places of bodies */
} modes_shown;

/* Normalises shapes and finds the shares of energy; to be freed with modes_clear(), also on
   failure. */
HA_MUST_CHECK ha_status modes_show(cli_call *cli, const cli_model *model, const bg_modal *modal,
                                   modes_shown *out);

/* Frees what it holds. */
void modes_clear(modes_shown *shown);

/* Writes to a file whose suffix chooses the format. */
HA_MUST_CHECK ha_status modes_write(cli_call *cli, const modes_shown *shown, const char *path);

/* Prints one JSON object. */
HA_MUST_CHECK ha_status modes_print_json(cli_call *cli, const modes_shown *shown);

#endif
