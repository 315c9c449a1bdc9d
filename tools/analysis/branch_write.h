/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A branch of equilibria as text, as a table and as JSON. */
#ifndef TOOLS_BRANCH_WRITE_H
#define TOOLS_BRANCH_WRITE_H

#include "bondgraph/branch.h"
#include "tools/analysis/sweep.h"
#include "tools/shared/load.h"

/* A branch with what it is of. */
typedef struct branch_shown {
    const cli_model *model;
    const sweep *range;
    const bg_branch *branch;
    ha_status status;
} branch_shown;

/* The words for stability, as bg_stability numbers them. */
extern const char *const stability_words[];

/* Prints it as --json or -o of the command line want it. */
HA_MUST_CHECK ha_status branch_show(cli_call *cli, const branch_shown *shown);

#endif
