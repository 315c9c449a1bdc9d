/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a helper program with text on its standard input and collects what it writes. Not installed.
 *
 * No shell is involved, signal handlers and masks of the host stay as they are, and a helper that
 * stops reading does not raise SIGPIPE.
 */
#ifndef LIB_PROCESS_H
#define LIB_PROCESS_H

#include "lib/context.h"

#include <stddef.h>

/* What to run; zero-initialised members are the defaults. */
typedef struct ha__process {
    const char *const *arguments; /* program (looked for on PATH) and arguments, then NULL */
    const char *input;            /* for its standard input; NULL: empty */
    size_t input_length;
    double time_limit;  /* [s]; 0: 60 s */
    size_t max_output;  /* bytes it may write; 0: 1 GiB */
    const char *title;  /* "Graphviz's `dot`"; NULL: the program's name */
    const char *advice; /* for a missing program: "install the package graphviz"; may be NULL */
} ha__process;

/*
 * Runs the program to its end. `*output` gets its standard output, with a zero behind the
 * `*output_length` bytes, to be freed with ha__free(). HA_ERR_PROCESS with a diagnostic when the
 * program is missing, ends with another status than 0 (what it wrote to standard error is quoted),
 * or takes too long or writes too much; HA_ERR_INTERRUPTED when the interrupt flag is set: it is
 * killed then.
 */
HA_MUST_CHECK ha_status ha__process_run(ha_ctx *ctx, const ha__process *process, char **output,
                                        size_t *output_length);

#endif
