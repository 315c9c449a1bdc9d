/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of sensitivities, shared by its parts. Not installed. */
#ifndef BONDGRAPH_SENSITIVITY_PRIV_H
#define BONDGRAPH_SENSITIVITY_PRIV_H

#include "bondgraph/analysis/follow.h"
#include "bondgraph/sensitivity.h"

/* One run with its deviations. */
typedef struct bg__sensing {
    ha_ctx *ctx;
    const bg_model *m;
    const bg_sensitivity_def *def;
    bg_sensitivity *out;
    bg__linearisation l;
    bg__follow *follow;
    int n_parameters;
    int *input;               /* (n_parameters) number among the model's inputs */
    double *start;            /* (n_parameters x n) deviations at the start */
    double *y, *yp;           /* (n) */
    double *yp_before;        /* (n) at the end of the step before */
    double *hold_rate;        /* (n_holds) rate of what would be held */
    double *held;             /* (n_holds x n_parameters) what it would deviate by */
    double *delay;            /* (n_switches x n_parameters) dt* if it were the end of a phase */
    double *rate;             /* (n_switches) of the condition */
    double *ahead;            /* (n_switches) magnitude of the time from its change of sign */
    bool *is_still;           /* (n_switches) the condition hardly changes with the time */
    bool *grazes;             /* (n_switches) nor does it, but with a parameter */
    signed char *sides;       /* (n_switches) */
    signed char *sides_next;  /* (n_switches) */
    double *g;                /* (n_switches) */
    double *r, *r_beyond;     /* (n) of the equations; on the other side of a condition */
    bool has_sides, is_first; /* step of the run */
    double last_step;         /* length of the step before */
    double t, t_row;          /* reached; of the next row */
    long row;                 /* number of the next row */
    double step, t_end;       /* of rows; of the run */
    double *derivative;       /* (n_outputs x n_parameters) */
    double *values;           /* (1 + n_outputs * n_parameters) a row */
    bool writes;              /* rows go to the table of curves */
} bg__sensing;

/* sensitivity_events.c: solves for what the deviation of parameter k does, at the point of the last
   derivatives. */
void bg__sense_deviation(bg__sensing *s, int k);

/* sensitivity_events.c: by how much later each condition would change its sign at time t, if it
   does, and what the values that are held then would deviate by; at the point of the last
   derivatives. */
HA_MUST_CHECK ha_status bg__sense_foresee(bg__sensing *s, double t);

/* sensitivity_events.c: values that are taken over at the event of condition `first` deviate as
   foreseen, and by how they change until then; -1: at the start, where samples are taken, and
   what is held already. */
void bg__sense_held(bg__sensing *s, int first);

/* sensitivity_events.c: the start or the end of the run, at time t, is no event whose time depends
   on a parameter: there derivatives differ from side to side. At the point that was foreseen;
   `step` is the length of the step beside it. */
HA_MUST_CHECK ha_status bg__sense_edges(bg__sensing *s, double t, double step);

/* sensitivity_events.c: the sides in the step from t0 to t1; where they are others than before, an
   event was at t0, and the deviations jump. */
HA_MUST_CHECK ha_status bg__sense_enter(bg__sensing *s, double t0, double t1, ha_dae_inside inside,
                                        void *run);

#endif
