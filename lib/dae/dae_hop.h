/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps over a singular position. Not installed. */
#ifndef LIB_DAE_HOP_H
#define LIB_DAE_HOP_H

#include "lib/dae/dae_priv.h"

/* What a hop needs besides where it starts; zero-initialised is empty. */
typedef struct ha__hopper {
    ha_ctx *ctx;
    const ha_dae *dae;
    ha__projector *projector; /* borrowed */
    ha__refiner *refiner;     /* borrowed */
    double *work;             /* borrowed */
    double *stages;           /* (7 n) derivatives */
    double *rates;            /* (7 n_integrals) what the quadratures integrate */
    double *point;            /* (5 n) both ends of the last step: y, yp, y, yp; and room */
    double t_end;             /* no step goes beyond; set by the caller */
    double t0, t1;            /* of the last step */
    double rtol, atol;        /* given last */
    double noise; /* the most that round-off left of positions and velocities wherever the last
                     attempt went, in units of the tolerances given */
    double lowest, highest; /* conditions on the way since the hop began, */
    double first;           /* and that where its last step did */
    ha_status status;       /* of what was asked for inside of it, which cannot return it */
} ha__hopper;

/* Allocates; borrows. */
HA_MUST_CHECK ha_status ha__hopper_init(ha__hopper *hopper, ha_ctx *ctx, const ha_dae *dae,
                                        double *work, ha__projector *projector,
                                        ha__refiner *refiner);

/* Frees what was allocated. */
void ha__hopper_clear(ha__hopper *hopper);

/* Begins a hop of one or several steps. */
void ha__hopper_begin(ha__hopper *hopper);

/* True when it went over a singular position. */
bool ha__hopper_has_crossed(const ha__hopper *hopper);

/* The longest step that is tried for one of h. */
double ha__hop_longest(double h);

/*
 * One step from t of about h, a tenth to seven times of it: y and yp (n) become those at `*t1`. The
 * local error of each differential unknown is below (rtol |y| + atol scale) in the mean. `*is_done`
 * is false, and all as it was, when none of the steps tried does that, or where an unknown gets
 * beyond all bounds in between.
 */
HA_MUST_CHECK ha_status ha__hop(ha__hopper *hopper, double rtol, double atol, double t, double h,
                                double *y, double *yp, double *t1, bool *is_done);

/* The solution inside the last step, brought back to the constraints; see ha__dense. `hopper` is
   the user. */
void ha__hop_dense(void *hopper, double t, double *y, double *yp);

/* What the quadratures gain from a to b inside the last step; see ha__gain. `hopper` is the user.
 */
void ha__hop_gain(void *hopper, double a, double b, double *gain);

#endif
