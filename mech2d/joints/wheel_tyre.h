/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of tyres: the force of a wheel on the ground by its slip. Not installed. */
#ifndef MECH2D_WHEEL_TYRE_H
#define MECH2D_WHEEL_TYRE_H

#include "mech2d/mechanism/mechanism_priv.h"

/* The models of a wheel, in the order of their names. */
typedef enum m2d__wheel_model {
    M2D__WHEEL_IDEAL,
    M2D__WHEEL_DRY,
    M2D__WHEEL_SLIP,
    M2D__WHEEL_LINEAR,
    M2D__WHEEL_LAW,
    M2D__WHEEL_COUNT
} m2d__wheel_model;

/* The settings of a wheel, in the order of its keys. */
enum {
    M2D__WHEEL_MODEL,
    M2D__WHEEL_RADIUS,
    M2D__WHEEL_LOAD,
    M2D__WHEEL_STEER,
    M2D__WHEEL_INERTIA,
    M2D__WHEEL_OMEGA,
    M2D__WHEEL_BRAKE,
    M2D__WHEEL_RESISTANCE,
    M2D__WHEEL_ADHESION,
    M2D__WHEEL_SLIDING,
    M2D__WHEEL_ADHESION_SPEED,
    M2D__WHEEL_SLIDING_SPEED,
    M2D__WHEEL_ADHESION_SLIP,
    M2D__WHEEL_SLIDING_SLIP,
    M2D__WHEEL_SLIP_FLOOR,
    M2D__WHEEL_STIFFNESS,
    M2D__WHEEL_SPEED_FLOOR,
    M2D__WHEEL_RELAXATION,
    M2D__WHEEL_CONTACT_STIFFNESS,
    M2D__WHEEL_CONTACT_DAMPING,
    M2D__WHEEL_NOMINAL_LOAD,
    M2D__WHEEL_F_LONG,
    M2D__WHEEL_F_LAT,
    M2D__WHEEL_N_KEYS
};

/* A tyre: its settings, and what its force depends on. */
typedef struct m2d__tyre {
    ha_dag *dag;
    m2d__wheel_model model;
    ha_expr adhesion, sliding; /* coefficients of friction before and after the peak */
    double adhesion_speed,
        sliding_speed;                  /* [m/s] slip speeds of the peak and of its end, at least */
    double adhesion_slip, sliding_slip; /* the same as shares of the speed that it rolls with */
    double slip_floor, speed_floor;     /* [m/s] */
    double stiffness[2];                /* [N] per unit of slip */
    double contact[2];                  /* [N/m] between wheel and contact; 0: it is rigid */
    double damping;                     /* [N.s/m] beside these at rest */
    ha_expr law[2];                     /* of the user, over the symbols of the mechanism */
    const ha_expr *symbols;             /* (M2D__N_SLIPS) these symbols */
    ha_expr slip[2];                    /* [m/s] along and across the driving direction */
    ha_expr rolling, along;             /* [m/s] R omega, v_long */
    ha_expr load;                       /* [N] not below 0 */
    double least_load;                  /* [N] by which a spring may be divided */
} m2d__tyre;

/* Name of model `i`, NULL behind the last. */
const char *m2d__wheel_model_name(size_t i);

/* The numbers among the settings of a wheel, NAN where they are none, to a tyre. */
void m2d__tyre_read(m2d__tyre *tyre, const m2d__connection *wheel);

/* What is wrong with the settings, NULL: nothing. */
const char *m2d__tyre_fault(const m2d__tyre *tyre, const m2d__connection *wheel);

/* Where a law of the user pushes, if it does at one of many slips, speeds and loads: these. */
typedef struct m2d__push {
    double slip[2], along, rolling, load, power;
} m2d__push;

/* True when it does; never of a law that reads the time or outputs. */
bool m2d__tyre_pushes(m2d_mechanism *mechanism, const m2d__tyre *tyre, m2d__push *push);

/* The force of a rigid tyre in direction 0 (along) or 1 (across), opposite to the force on the
   wheel. */
ha_expr m2d__tyre_force(const m2d__tyre *tyre, int direction);

/* Of a tyre with a spring: the rate at which the contact slides for each unit of force [m/(s.N)].
 */
ha_expr m2d__tyre_leak(const m2d__tyre *tyre, int direction);

/* Of the same: the resistance [N.s/m] of its damper, which goes to 0 as the wheel rolls. */
ha_expr m2d__tyre_damping(const m2d__tyre *tyre);

/* Whether anything on the port of a wheel, joint number `wheel`, gives its roll speed. */
HA_MUST_CHECK ha_status m2d__wheel_is_turned(const m2d_mechanism *mechanism, int wheel, bool *out);

#endif
