/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs of one model are compared by. Columns are those of the result, from 1 on. */
#ifndef TOOLS_AGREEMENT_H
#define TOOLS_AGREEMENT_H

#include "tools/shared/solve.h"

/* The value of an output at the end. */
double agreement_end(const cli_run *run, size_t column);

/* Its largest magnitude over the run; NAN: not known. */
double agreement_magnitude(const cli_run *run, size_t column);

/* The largest magnitude of all outputs of its unit. */
double agreement_largest(const cli_run *run, size_t column);

/* True for the reaction of a joint that others could replace. */
bool agreement_is_open(const cli_model *model, const char *name);

/* True for an output of a point of a body, BODY.POINT.x, that a joint holds in its place but for
   drift up to `drift`; those that were asked for count. */
bool agreement_is_held(const cli_run *run, size_t column, double drift);

#endif
