/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs of one model are compared by. Columns are those of the result, from 1 on. */
#ifndef TOOLS_AGREEMENT_H
#define TOOLS_AGREEMENT_H

#include "tools/shared/solve.h"

/* The value of an output at the end. */
double agreement_end(const cli_run *run, size_t column);

/* Its largest magnitude over the run; NAN: not known. */
double agreement_magnitude(const cli_run *run, size_t column);

/* The largest magnitude of all outputs of its kind (kinds.h). */
double agreement_largest(const cli_run *run, size_t column);

/* The largest magnitude of the outputs of a unit; 0: there is none. */
double agreement_largest_of(const cli_run *run, const char *unit);

/* What is usual for an output: the largest magnitude of its kind, of a speed also that of a
   position divided by the end time, of an acceleration that of a speed, and of an angle 1 rad. */
double agreement_usual(const cli_run *run, size_t column);

/* True where all outputs of its kind are round-off: beside what is usual, and without a unit
   beside all that may be of the kind. */
bool agreement_is_round_off(const cli_run *run, size_t column);

/* True for the reaction of a joint that others could replace. */
bool agreement_is_open(const cli_model *model, const char *name);

/* True for an output of a point of a body, BODY.POINT.x, that a joint holds where it is but for
   drift up to `drift`; those that were asked for count. */
bool agreement_is_held(const cli_run *run, size_t column, double drift);

#endif
