/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system as y_d' = g(t, y_d), its algebraic unknowns eliminated. Not installed. */
#ifndef LIB_DAE_RATES_H
#define LIB_DAE_RATES_H

#include "lib/dae/dae_priv.h"

typedef struct ha__rates ha__rates;

/* Makes it; `work` and `stats`, in which evaluations are counted, are borrowed. */
HA_MUST_CHECK ha_status ha__rates_new(ha_ctx *ctx, const ha_dae *dae, double *work,
                                      ha_dae_stats *stats, ha__rates **out);

/* Frees it; NULL is legal. */
void ha__rates_free(ha__rates *rates);

/* Finds y' of the differential unknowns and the algebraic ones at time t, from guesses of them;
   `*is_good` is false where the equations are singular, not finite or not solved. */
HA_MUST_CHECK ha_status ha__rates_evaluate(ha__rates *rates, double t, double *y, double *yp,
                                           bool *is_good);

/* x = K^-1 x (n) with the matrix K of the last evaluation: the change of derivatives and algebraic
   unknowns that changes the equations by x. `*is_done` is false where K is singular, or the
   solution not finite. */
HA_MUST_CHECK ha_status ha__rates_solve(ha__rates *rates, double *x, bool *is_done);

/* The reciprocal condition estimate of what the last evaluation solved, 0: singular. */
double ha__rates_condition(const ha__rates *rates);

/* True when the estimate does not hang on units: that of symmetric factors compares each pivot with
   what its own row was. */
bool ha__rates_is_symmetric(const ha__rates *rates);

/* The equation that was not finite in the last evaluation, -1: none; and its value. */
int64_t ha__rates_bad(const ha__rates *rates, double *value);

#endif
