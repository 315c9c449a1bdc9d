/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many digits of the end values of a run are right, as far as can be told. */
#ifndef TOOLS_ESTIMATE_H
#define TOOLS_ESTIMATE_H

#include "tools/shared/solve.h"

/* An estimate; NAN: there is none. */
typedef struct estimate {
    double digits;          /* correct decimal digits of the end values */
    const char *worst;      /* the output with the fewest, borrowed; NULL: none */
    const char *reason;     /* why so few, or why there is none; a text that lasts */
    double peak_digits;     /* correct decimal digits of the extremes */
    const char *peak_worst; /* the output with the fewest of these, borrowed; NULL: none */
    int n_tightened;        /* hundredths that the tolerance was tightened by for want of digits */
    double first_rtol;      /* the tolerance before that, */
    double first_digits;    /* and the digits that it left */
    bool is_alpha_raised;   /* alpha was made larger with it */
    double failed_rtol;     /* a tighter one, with which the run does not get to the end; 0: none */
} estimate;

/* No estimate. */
estimate estimate_none(const char *reason);

/* Makes the alpha of a run twice that of another one, where a law reads it: what two runs of one
   alpha agree to may hang on it. */
void estimate_make_firmer(bg_run_options *options, const bg_run_report *than);

/* Estimates the digits of a run, of which the model is still there. Where that fails there is none,
   and the reason says so. */
void estimate_digits(const cli_run *run, estimate *out);

/* Adds to the first line of the summary of a run that little or nothing is right, if that is so,
   and what helps; or that the tolerance was tightened. */
void estimate_print_doubt(const estimate *e, const cli_run *run);

/* Prints it, or why there is none, as a line of the summary. */
void estimate_print(const estimate *e);

#endif
