/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extremes of the outputs of a run, also between its rows and steps (dae_peaks.c). */
#ifndef LIB_DAE_PEAKS_H
#define LIB_DAE_PEAKS_H

#include "lib/dae.h"

#include <stdbool.h>

/* The solution at a time inside the step just taken: writes y, and y' unless yp is NULL. */
typedef void (*ha__dense)(void *user, double t, double *y, double *yp);

enum { HA__MOST_SAMPLES = 24 }; /* of a step; more rows than that are samples enough for another */

/* A step and what is needed of the solution inside. */
typedef struct ha__inside {
    double t0, t1;
    const double *y, *yp; /* at t1 */
    ha__dense dense;
    void *user;
    double *y_in, *yp_in; /* where it goes */
    ha_status (*settle)(void *settler, double t, double *y, double *yp);
    void *settler;
    bool settles_all;        /* what is interpolated is no guide to what is solved for */
    double t_left;           /* the last time before an event that may be at t1; NAN: none is */
    const double *integrals; /* at t1 */
} ha__inside;

typedef struct ha__peaks {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;
    ha_peak *found;    /* (n_outputs) the caller's; NULL: nothing is looked for */
    int n_inner;       /* samples between the ends of a step */
    double *values;    /* (HA__MOST_SAMPLES, n_outputs) of a step */
    double *rates;     /* (HA__MOST_SAMPLES, n_integrals) */
    double *integrals; /* (n_integrals) at the begin of the step */
    double *inner;     /* (n_integrals) at a time inside */
    double *row;       /* (n_outputs) */
    double *best;      /* (n_outputs, 2) the largest and minus the smallest sample so far */
    double *ends;      /* (4, n_outputs) at the ends of the last steps, the last at the end */
    double t_end[4];   /* their times */
    int n_ends;        /* how many there are */
    int *unit;         /* (n_outputs) the first output of the same unit */
    double *largest;   /* (n_outputs) magnitude of all of a unit, at its first output */
    double rtol;
    double t_looked; /* where outputs were evaluated last; negative: not in this step */
    double t[HA__MOST_SAMPLES];
    int n; /* samples so far */
} ha__peaks;

/* Sets it up; `found` NULL: nothing is looked for. To be freed with ha__peaks_clear(). */
HA_MUST_CHECK ha_status ha__peaks_init(ha__peaks *peaks, ha_ctx *ctx, const ha_dae *dae,
                                       double *work, double rtol, ha_peak *found);

/* Frees it. */
void ha__peaks_clear(ha__peaks *peaks);

/* Notes outputs (n_outputs) that are right: at a row, at the start, beside a jump. */
void ha__peaks_note(ha__peaks *peaks, double t, const double *outputs);

/* Begins a step; at the start of the run or after an event, where y and yp are consistent, the
   outputs are noted. */
void ha__peaks_begin(ha__peaks *peaks, double t, const double *y, const double *yp,
                     const double *integrals, bool is_start);

/* Chooses how many samples a step gets in which there were so many rows; `n_nodes` tells of the
   method's order (ha__recorder). */
void ha__peaks_sample(ha__peaks *peaks, int n_nodes, int64_t n_rows);

/* Looks for extremes in a step that was begun. */
HA_MUST_CHECK ha_status ha__peaks_step(ha__peaks *peaks, const ha__inside *in);

#endif
