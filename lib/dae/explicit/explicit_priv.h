/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the explicit method, which its files share. Not installed. */
#ifndef LIB_EXPLICIT_PRIV_H
#define LIB_EXPLICIT_PRIV_H

#include "lib/dae/dae_pass.h"
#include "lib/dae/explicit/dae_rates.h"
#include "lib/dae/method/runge.h"

#include <string.h>

/* The state of the method. */
typedef struct ha__explicit {
    ha__run *run;
    int n;         /* number of differential unknowns, */
    int n_leading; /* and of those that stand before all others */
    int *number;   /* (n) of each among all unknowns, */
    int *index;    /* (all) and of an unknown among these; -1: it is algebraic */
    ha__rates *rates;
    ha__solver *solver; /* for where these are hard to find; NULL: not met yet */
    ha__runge *runge;
    double *y, *yp;             /* (all) where the rates are evaluated, */
    double *y_guess, *yp_guess; /* (all) and what Newton's method began with */
    double *y0, *f0, *y1, *f1;  /* (n) the ends of a step */
    double *weights;            /* (n) 1 / tolerance */
    double *begin, *end;        /* (all) values at the ends of the last step, */
    double *begin_p, *end_p;    /* (all) and derivatives */
    double t0, t1;              /* of the last step, */
    double t_settled;           /* when the algebraic unknowns in y were right */
    double h;                   /* of the next step; 0: to be found */
    double error_before;
    double condition_before;    /* of the equations where the next step begins; 1: not known */
    double condition;           /* at the end of the step tried last, */
    double drift;               /* that of the velocities there, in tolerances, */
    double stiffness;           /* and h |lambda| as its last stages tell it */
    double *direction, *beside; /* (n) of explicit_fastest.c, and room for it */
    double rate;                /* found last in that direction [1/s]; 0: none yet */
    double fastest;             /* rate of the equations [1/s] */
    long n_looks;               /* at it since the start or an event */
    ha__pass pass;              /* over singular positions */
    int bound_steps;            /* at the bound of stability, */
    int free_steps;             /* others, in a row */
    int vain_steps;             /* steps tried in vain, less those taken */
    bool is_hindered; /* the last step is far shorter than its error asks for: drift does that */
    bool is_hop;      /* the last step was one */
    ha_status status; /* of interpolations, which cannot return it */
} ha__explicit;

/* Puts values of the differential unknowns in order (n) among those of all unknowns. */
static inline void ha__explicit_spread(const ha__explicit *e, const double *from, double *to)
{
    memcpy(to, from, (size_t) e->n_leading * sizeof *to);
    for (int i = e->n_leading; i < e->n; i++) {
        to[e->number[i]] = from[i];
    }
}

/* Takes them from there (all) into their order (n). */
static inline void ha__explicit_collect(const ha__explicit *e, const double *from, double *to)
{
    memcpy(to, from, (size_t) e->n_leading * sizeof *to);
    for (int i = e->n_leading; i < e->n; i++) {
        to[i] = from[e->number[i]];
    }
}

/* The derivatives at all unknowns; notes an equation that has no value. */
HA_MUST_CHECK ha_status ha__explicit_evaluate(ha__explicit *e, double t, double *y, double *yp,
                                              bool *is_good);

/* --- explicit_test.c -------------------------------------------------------------------------- */

/* 1 / tolerance of the differential unknowns, for the larger of two values, into e->weights. */
void ha__explicit_weigh(ha__explicit *e, const double *a, const double *b);

/* The error of the step of size h from t to e->y1 that was made last, in tolerances; infinite where
   it has no value. It begins in e->y0, which stays. */
HA_MUST_CHECK ha_status ha__explicit_test(ha__explicit *e, double t, double h, double *error);

/* The size of the step after one of size h that failed with an error. */
double ha__explicit_shorter(const ha__explicit *e, double h, double error);

/* --- explicit_fastest.c ----------------------------------------------------------------------- */

/* Now and then, finds the fastest rate of the equations at the end t of the step tried last, with
   weights; e->y, e->yp and e->f0 are room for it. */
HA_MUST_CHECK ha_status ha__explicit_find_fastest(ha__explicit *e, double t);

/* --- explicit_dense.c: as in ha__method ------------------------------------------------------- */

void ha__explicit_dense(void *user, double t, double *y, double *yp);
int ha__explicit_unfold(ha__run *run, double *out, double *base, double *h);
HA_MUST_CHECK ha_status ha__explicit_land(ha__run *run, double t);

#endif
