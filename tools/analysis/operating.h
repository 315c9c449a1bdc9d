/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands that linearise have in common: inputs, outputs, the operating point. */
#ifndef TOOLS_OPERATING_H
#define TOOLS_OPERATING_H

#include "bondgraph/linearise.h"
#include "lib/core/mem.h"
#include "tools/shared/names.h"
#include "tools/shared/solve.h"

/* A model at an operating point. */
typedef struct operating {
    cli_run run;
    char *text[2]; /* copies of the lists of names, cut at their commas */
    cli_names inputs;
    cli_names outputs;
    cli_names preferred;
    ha__arena names;
    double *last; /* unknowns at the operating time */
    bg_operating_point point;
} operating;

/* One of which nothing is known yet. */
operating operating_new(void);

/*
 * Reads and compiles the model of the command line, with its inputs (--u) and outputs (--y), and
 * finds the operating point (--at). With `is_modal` the outputs are positions and orientations of
 * all bodies and what bg_mode_shares() reads.
 */
HA_MUST_CHECK ha_status operating_prepare(cli_call *cli, bool is_modal, operating *op);

/* Positions and orientations (3 x bodies) of all bodies there, of one prepared with `is_modal`. */
HA_MUST_CHECK ha_status operating_places(cli_call *cli, operating *op, double *out);

/* Frees what it holds. */
void operating_clear(operating *op);

#endif
