/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the model on the command line, from reading to results. */
#ifndef TOOLS_SOLVE_H
#define TOOLS_SOLVE_H

#include "tools/shared/load.h"

/* A run; zero-initialised is empty. */
typedef struct cli_run {
    const char *name; /* of the variant; NULL: the file as it stands */
    cli_model model;
    ha_result *result;    /* NULL: it did not get that far */
    ha_peak *peaks;       /* (outputs of the result) */
    double *largest;      /* (outputs of the result) the largest magnitude of all of its kind */
    double *beside;       /* (outputs of the result) that of all that may be of its kind: kinds.h */
    bg_run_report report; /* what is not known is NAN */
    ha_status status;     /* how it ended */
    ha_ctx *ctx;          /* of its own; NULL: that of the command line */
    size_t n_said;        /* diagnostics of its context before it was solved */
    long from;            /* a bg_from: where it was to start */
    double seconds_setup; /* everything before the solver; NAN: not known */
    bool is_compiled;     /* the equations, to machine code */
} cli_run;

/* A run of which nothing is known yet. */
cli_run cli_run_new(const char *name);

/* HA_OK when the model that was read has an end time. */
HA_MUST_CHECK ha_status cli_check_end(cli_call *cli, const cli_model *model);

/* Solves run->model, which was read and prepared since `begin` on ha__clock(). */
HA_MUST_CHECK ha_status cli_run_solve(cli_call *cli, cli_run *run, double begin);

/*
 * Loads the model with variant number `variant` of the command line (-1: as it stands) and solves
 * it, with effort and flow of all bonds among the outputs where `with_bonds` says so. What the work
 * ends with is run->status, and what was found until then is kept: the causality of a graph that
 * cannot be solved, the rows before a failure. To be freed with cli_run_clear(), also on failure.
 * @return HA_OK even then; errors of the command line and of reading
 */
HA_MUST_CHECK ha_status cli_solve(cli_call *cli, int variant, bool with_bonds, cli_run *run);

/* Frees what it holds. */
void cli_run_clear(cli_run *run);

/* The same of what was found; the model stays. */
void cli_run_drop_results(cli_run *run);

/* Number of rows of its result. */
size_t cli_run_n_rows(const cli_run *run);

#endif
