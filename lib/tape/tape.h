/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes: expressions as a straight list of instructions over an array of doubles. Not installed.
 *
 * The work array of a tape is [inputs | constants | one temporary per instruction]. A tape is
 * immutable; each thread brings its own work array. Nothing is allocated and no name is looked up
 * when a tape runs.
 */
#ifndef LIB_TAPE_H
#define LIB_TAPE_H

#include "lib/expr.h"
#include "lib/tape/range.h"

#include <stdbool.h>

/* A compiled set of expressions. */
typedef struct ha__tape ha__tape;

/*
 * Compiles `roots` (n_roots), which must be resolved: the only symbols in them are the `inputs`
 * (n_inputs), of which input i is read from work[i]. A root may be HA_EXPR_NONE and then gives 0.
 */
HA_MUST_CHECK ha_status ha__tape_new(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots, size_t n_roots,
                                     const ha_expr *inputs, size_t n_inputs, ha__tape **out);

/* The same for a tape that ha__tape_continue() goes on from. */
HA_MUST_CHECK ha_status ha__tape_begin(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots,
                                       size_t n_roots, const ha_expr *inputs, size_t n_inputs,
                                       ha__tape **out);

/*
 * The same for a tape that goes on where `base`, of the same inputs, ends: its work array begins
 * with that of `base`, which has to be run there before, so that nothing is computed twice. Of the
 * graph nothing may be gone since `base` was compiled; a tape can be continued once.
 */
HA_MUST_CHECK ha_status ha__tape_continue(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots,
                                          size_t n_roots, const ha_expr *inputs, size_t n_inputs,
                                          ha__tape *base, ha__tape **out);

/* Frees a tape; NULL is legal. */
void ha__tape_free(ha__tape *tape);

/* Doubles of the work array. */
size_t ha__tape_work_size(const ha__tape *tape);

/* Number of instructions. */
size_t ha__tape_length(const ha__tape *tape);

/* True when the tape reads one of the n inputs from `first` on. */
bool ha__tape_reads(const ha__tape *tape, size_t first, size_t n);

/* Sets is_read[i] where the tape reads input number first + i, of n. */
void ha__tape_mark_inputs(const ha__tape *tape, size_t first, size_t n, bool *is_read);

/* Writes the constants into a work array, once for all runs of the tape with that array. */
void ha__tape_prepare(const ha__tape *tape, double *work);

/* Evaluates: the inputs are in work[0 .. n_inputs - 1], the results go to out (n_roots). */
void ha__tape_run(const ha__tape *tape, double *work, double *out);

/*
 * Evaluates over ranges: two work arrays, each prepared, hold the lower and upper bounds of the
 * inputs; out_low, out_high (n_roots) get bounds of the results, infinite where there are none.
 */
void ha__tape_range(const ha__tape *tape, double *low, double *high, double *out_low,
                    double *out_high);

/* A span of time over which a tape is enclosed: work arrays, each prepared. What the inputs are in
   its middle, the bounds of their values and of their slopes are set by the caller; constants have
   slopes of 0. */
typedef struct ha__tape_span {
    double half; /* of its length */
    double *middle, *low, *high, *slope_low, *slope_high;
    double *out; /* (n_roots) values in the middle */
} ha__tape_span;

/*
 * Evaluates over a span: values and slopes (n_roots) get bounds of the results, up to round-off,
 * and of how fast they change, where they change without a jump. Not for a tape that runs as
 * machine code, which keeps no temporaries.
 */
void ha__tape_enclose(const ha__tape *tape, const ha__tape_span *span, ha__range *values,
                      ha__range *slopes);

#endif
