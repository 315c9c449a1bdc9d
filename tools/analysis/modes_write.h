/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes as text, tables and JSON. */
#ifndef TOOLS_MODES_WRITE_H
#define TOOLS_MODES_WRITE_H

#include "bondgraph/modes.h"
#include "tools/analysis/operating.h"
#include "tools/shared/json.h"

/* Modes with what is shown of them. */
typedef struct modes_shown {
    operating *op;
    const cli_model *model; /* of it */
    const bg_modal *modal;
    int n_bodies;
    int mode;               /* that is drawn, from 0; -1: none */
    double (*shape)[2];     /* (modes x bodies x 3) x, y, angle: the largest of a mode is 1 */
    bg_mode_share **shares; /* (modes) of each, shares_n[k] of them */
    int *n_shares;
    int *numbers; /* (bodies x 3) outputs that are the positions of bodies */
} modes_shown;

/* Normalises shapes and finds the shares of energy; to be freed with modes_clear(), also on
   failure. */
HA_MUST_CHECK ha_status modes_show(cli_call *cli, operating *op, const bg_modal *modal,
                                   modes_shown *out);

/* The shape (3 x bodies) of a mode: x, y and angle of each body, complex. */
const double (*modes_shape(const modes_shown *shown, int mode))[2];

/* Frequency [Hz] and damping ratio of a mode. */
double modes_frequency(const bg_mode *mode);
double modes_damping(const bg_mode *mode);

/* What a kind of energy is called. */
const char *modes_energy_word(bg_mode_energy kind);

/* Frees what it holds. */
void modes_clear(modes_shown *shown);

/* Adds them as they are printed, and as a table of CSV. */
void modes_add_text(ha__strbuf *out, const modes_shown *shown);
void modes_add_csv(ha__strbuf *out, const modes_shown *shown);

/* Prints one JSON object. */
HA_MUST_CHECK ha_status modes_print_json(cli_call *cli, const modes_shown *shown);

#endif
