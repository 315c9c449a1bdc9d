/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of a model that was made in a context of its own, told where the user wrote what is wrong.
 * Not installed.
 *
 * Outputs, and values of a graph, are handed over as overrides, which no file has.
 */
#ifndef MECH2D_PASS_ERRORS_H
#define MECH2D_PASS_ERRORS_H

#include "mech2d/prepared.h"

/* What was handed over, and where the user wrote it; borrowed. Zero-initialised is nothing. */
typedef struct m2d__handed_over {
    const char *const *outputs;    /* (n_outputs) */
    const ha_where *output_wheres; /* (n_outputs); NULL: all are at `where` */
    size_t n_outputs;
    ha_where where;
    const m2d_variable *variables; /* (n_variables) */
    size_t n_variables;
} m2d__handed_over;

/* Tells the errors of `from`, which ended with `status`, to `to`; returns the status. */
ha_status m2d__pass_errors(ha_ctx *to, const ha_ctx *from, ha_status status,
                           const m2d__handed_over *given);

#endif
