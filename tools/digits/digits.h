/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that are repeated until so many digits agree: `run --digits N`. */
#ifndef TOOLS_DIGITS_H
#define TOOLS_DIGITS_H

#include "tools/digits/estimate.h"
#include "tools/shared/json.h"

/* Three of each tolerance from 1e-2 to 1e-13, and two more where explicit8 is given up. */
enum { DIGITS_MOST_RUNS = 38 };

/* A run that was made. */
typedef struct digits_run {
    long driver;
    double rtol;
    ha_status status;
} digits_run;

/* What was reached; zero-initialised is empty. */
typedef struct digits {
    int asked;
    double reached; /* fewest digits of all outputs that count */
    double *agreed; /* (outputs) digits; NAN: left out */
    int n_left_out; /* reactions that are not the only ones possible, and points that are held */
    int worst;      /* the output with the fewest; -1: none counts */
    bool is_one_method; /* there was only one that could */
    estimate estimate;  /* of a run that was asked for no digits */
    digits_run runs[DIGITS_MOST_RUNS];
    int n_runs;
} digits;

/*
 * Repeats a model until the digits that it asks for are there; `*out` becomes the run with the most
 * digits. To be freed with digits_clear(), and the run with cli_run_clear(), also on failure.
 * @return HA_ERR_SOLVER with a diagnostic when they cannot be had; what was reached is kept
 */
HA_MUST_CHECK ha_status digits_solve(cli_call *cli, long asked, digits *d, cli_run *out);

/* The parts of the object of `run --json`. */
json_t *digits_object(const digits *d, const cli_run *run, cli_json *json);
json_t *digits_runs(const digits *d, cli_json *json);

/* The names of the outputs that were left out, as an array of `--json`. */
json_t *digits_left_out(const digits *d, const cli_run *run, cli_json *json);

/* Prints what was reached. */
void digits_print(const digits *d, const cli_run *run);

/* Frees what it holds. */
void digits_clear(digits *d);

#endif
