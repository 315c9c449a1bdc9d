/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all options of a run. Not installed. */
#ifndef BONDGRAPH_MODEL_RUN_OPTIONS_H
#define BONDGRAPH_MODEL_RUN_OPTIONS_H

#include "bondgraph/model.h"
#include "lib/data/options.h"

/* The number of each option of a run, in the order of the table. */
typedef enum bg__run_option {
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    BG__RUN_##field,
#include "lib/dae_opts.def"

#include "bondgraph/run_opts.def"
#undef HA_OPTION
    BG__RUN_COUNT
} bg__run_option;

/* The rows: fields of bg_run_options. */
extern const ha__option bg__run_options[BG__RUN_COUNT];

#endif
