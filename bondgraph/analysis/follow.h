/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small deviations of a motion, followed over the steps of a run. Not installed. */
#ifndef BONDGRAPH_FOLLOW_H
#define BONDGRAPH_FOLLOW_H

#include "bondgraph/analysis/linear_priv.h"

typedef struct bg__follow bg__follow;

/*
 * Deviations of the differential unknowns, in columns, each with an input that deviates by 1.
 * `l` has begun, and is borrowed. `input` (n_columns) is the number of each one's input among the
 * model's; -1: none. `tolerance`: the error of a step beside the largest deviation of its column,
 * both by the sizes of the unknowns.
 */
HA_MUST_CHECK ha_status bg__follow_new(bg__linearisation *l, int n_columns, const int *input,
                                       double tolerance, bg__follow **out);

/* Frees it; NULL is legal. */
void bg__follow_free(bg__follow *follow);

/* The deviations (n x n_columns by columns of n), to be set before the first step. Those of
   algebraic unknowns are not used. */
double *bg__follow_columns(bg__follow *follow);

/* Takes them over a step of a run, inside which `inside` and `run` give the motion; the switches of
   `l` must be on their sides. HA_ERR_SINGULAR, HA_ERR_VALUE (a derivative is not finite). */
HA_MUST_CHECK ha_status bg__follow_step(bg__follow *follow, double t0, double t1,
                                        ha_dae_inside inside, void *run);

/* Says that the equations are others from now on. */
void bg__follow_switch(bg__follow *follow);

#endif
