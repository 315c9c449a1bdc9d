/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extremes of the outputs of a run, also between its rows and steps (dae_peaks.c). */
#ifndef LIB_DAE_PEAKS_H
#define LIB_DAE_PEAKS_H

#include "lib/dae/dae_samples.h"

#include <stdbool.h>

/* The solution at a time inside the step just taken: writes y, and y' unless yp is NULL. */
typedef void (*ha__dense)(void *user, double t, double *y, double *yp);

/* What the quadratures gain from a to b in the step just taken, for methods that integrate them
   along with the motion: writes `gain` (n_integrals). */
typedef void (*ha__gain)(void *user, double a, double b, double *gain);

/* Brings positions and velocities back to their conditions (dae_project.c). */
typedef struct ha__projector ha__projector;

enum { HA__MOST_CRESTS = 32 /* times in a step at which functions of the time are extreme */ };

/* A step and what is needed of the solution inside. */
typedef struct ha__inside {
    double t0, t1;
    const double *y, *yp; /* at t1 */
    ha__dense dense;
    void *user;
    ha__projector *projector; /* of what lies before t1; NULL: it is as `dense` has it */
    double *y_in, *yp_in;     /* where it goes */
    ha_status (*settle)(void *settler, double t, double *y, double *yp);
    void *settler;
    bool is_exact;           /* what is solved for is right at t1 */
    double t_left;           /* the last time before an event that may be at t1; NAN: none is */
    const double *integrals; /* at t1 */
    int n_nodes;             /* of Gauss' rule for them */
    ha__gain gain;           /* NULL: they are integrated by that rule */
    void *gain_user;
} ha__inside;

typedef struct ha__peaks {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;
    double rtol;
    ha_peak *found;      /* (n_outputs) the caller's; NULL: nothing is looked for */
    int n;               /* how many of the first outputs are looked for */
    ha__samples samples; /* of the last step and before */
    int begin;           /* the sample at its begin */
    double *high, *low;  /* (n_outputs) what an extremum must exceed to be looked at */
    long n_steps;
    double *extremes; /* (ha__peaks_size()) what was found (dae_peaks.c) */
    int *unit;        /* (n_outputs) numbers of their units */
    int n_units;
    double *largest; /* (n_units) magnitude of all of a unit */
    int *turns;      /* (n_outputs) outputs with an extremum in the span looked at */
    int n_turns;
    double *inner; /* (2, n_integrals) quadratures and rates at a time inside */
    int rough;     /* an output of which samples are too far apart to tell, -1: none */
    int *credit;   /* (n_outputs) looks in a row at which samples that are guides were right, or,
                      negative, useless */
    int *n_vain;   /* (n_outputs) times that it was so whatever was done */
    int n_crests;  /* times to look at in the step: */
    double crests[HA__MOST_CRESTS]; /* those at which functions of the time are extreme */
} ha__peaks;

/* Sets it up for what the options ask for. To be freed with ha__peaks_clear(). */
HA_MUST_CHECK ha_status ha__peaks_init(ha__peaks *peaks, ha_ctx *ctx, const ha_dae *dae,
                                       double *work, const ha_dae_options *options);

/* Gives the caller what was found, and frees it. */
void ha__peaks_clear(ha__peaks *peaks);

/* Notes outputs (n_outputs) that are right: at a row, at the start, beside a jump. */
void ha__peaks_note(ha__peaks *peaks, double t, const double *outputs);

/* Begins anew at the start of the run, after an event, or, where `is_start` is false, where the
   record went back to; at a start y and yp are consistent, and the outputs are noted. */
void ha__peaks_begin(ha__peaks *peaks, double t, const double *y, const double *yp,
                     const double *integrals, bool is_start);

/* dae_peaks_at.c: puts a sample at time t in, outputs to come, with these quadratures
   (n_integrals); its number. */
int ha__peaks_add(ha__peaks *peaks, double t, const double *integrals);

/* dae_peaks_at.c: the same, with its outputs from y and yp. */
int ha__peaks_evaluate(ha__peaks *peaks, double t, const double *y, const double *yp,
                       const double *integrals);

/* dae_peaks_at.c: the same at a time in the step, with all that is solved for. */
HA_MUST_CHECK ha_status ha__peaks_sample_at(ha__peaks *peaks, const ha__inside *in, double t,
                                            int *sample);

/* Number of the first values in `extremes` that are the result. */
int ha__peaks_size(const ha__peaks *peaks);

/* Forgets the samples: the record goes back, and `extremes` with it. */
void ha__peaks_forget(ha__peaks *peaks);

/* True where a run stands at what was looked at last. */
bool ha__peaks_are_at(const ha__peaks *peaks, double t);

/* Takes the outputs of a row at time t in the step that ends at t1 for a sample, if one is of use
   there; what is solved for must be as right as at the end of the step. */
void ha__peaks_row(ha__peaks *peaks, double t1, double t, const double *integrals,
                   const double *outputs);

/* How much a value of an output, of a minimum its negative (`sign` -1), is above what was found and
   counts. */
double ha__peaks_room(const ha__peaks *peaks, int output, double sign, double value);

/* Evaluates all outputs at a time in the step and notes them; the value of one. */
HA_MUST_CHECK ha_status ha__peaks_look_at(ha__peaks *peaks, const ha__inside *in, double t,
                                          int output, double *value);

/* dae_kinks.c: looks into a step for extremes of outputs that may jump or bend inside. */
HA_MUST_CHECK ha_status ha__peaks_search(ha__peaks *peaks, const ha__inside *in);

/* Looks for extremes in a step, which begins where the last one ended. */
HA_MUST_CHECK ha_status ha__peaks_step(ha__peaks *peaks, const ha__inside *in);

#endif
