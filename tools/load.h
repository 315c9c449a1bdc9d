/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to a model: reading, expansion, causality, in one object. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "bondgraph/causality.h"
#include "bondgraph/model.h"
#include "mech2d/system.h"
#include "tools/cli.h"

/* What a command works on. */
typedef struct cli_model {
    const char *name;          /* of the file, as messages call it */
    bg_graph *graph;           /* borrowed from `own` or from `system` */
    bg_graph *own;             /* of a bond graph in the compact notation; else NULL */
    m2d_system *system;        /* of a mechanism; else NULL */
    bg_causality *causality;   /* NULL until cli_assign() */
    bg_run_options options;    /* what the file says, then the command line */
    const char *const *outputs; /* (n_outputs) asked for in the file; NULL: all */
    int n_outputs;
    void *file;                /* what `outputs` lives in */
} cli_model;

/* Reads the model that the command line names; to be freed with cli_model_clear(). */
HA_MUST_CHECK ha_status cli_load(cli *cli, cli_model *model);

/* Assigns causality. */
HA_MUST_CHECK ha_status cli_assign(cli_model *model);

/* Frees what a model holds. */
void cli_model_clear(cli_model *model);

#endif
