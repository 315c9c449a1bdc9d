/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nominal sizes of the unknowns of a run that is given no absolute tolerance. Not installed. */
#ifndef LIB_DAE_NOMINAL_H
#define LIB_DAE_NOMINAL_H

#include "lib/core/mem.h"
#include "lib/dae/dae_priv.h"

/* y_j' = rate * y_of + ... of an integral. */
typedef struct ha__nominal_term {
    int j, of;
    double rate; /* its magnitude */
} ha__nominal_term;

/* What is known of the sizes; `dae` is what the run goes by. */
typedef struct ha__nominal {
    ha_ctx *ctx;
    bool is_on;   /* false: an absolute tolerance was given */
    ha_dae dae;   /* the system with its own unknowns */
    double *work; /* of the callbacks; borrowed, prepared */
    double t_end;
    ha_dae_unknown *unknowns; /* (n) with nominal values */
    double *reached;          /* (n) M */
    double *mass, *self;      /* (n) dF_j/dy_j' and dF_j/dy_j at the start */
    double *r;                /* (n) room for a residual */
    bool *is_guess;           /* (n) nothing is known of it: 1 */
    long n_grown;             /* how often a nominal value may have changed */
    HA_ARRAY(ha__nominal_term) terms;
} ha__nominal;

/* Makes the system of a run out of `dae`; with `is_on` its tolerances follow sizes. To be freed
   with ha__nominal_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__nominal_init(ha__nominal *nominal, ha_ctx *ctx, const ha_dae *dae,
                                         bool is_on, double t_end, double *work);

/* Finds the sizes at the consistent start. */
HA_MUST_CHECK ha_status ha__nominal_start(ha__nominal *nominal, const double *y, const double *yp);

/* Goes on after a step. */
void ha__nominal_go_on(ha__nominal *nominal, const double *y);

/* Begins anew after an event. */
void ha__nominal_resume(ha__nominal *nominal, const double *y, const double *yp);

/* The least and the largest absolute tolerance of an unknown in the error test into range (2);
   both `atol` without one. */
void ha__nominal_range(const ha__nominal *nominal, double atol, double *range);

/* Frees it. */
void ha__nominal_clear(ha__nominal *nominal);

#endif
