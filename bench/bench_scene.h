/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanisms of bodies, hinges and springs as plain numbers, for the program and the yardstick. */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

/* A body and its start. */
typedef struct scene_body {
    double mass, inertia; /* [kg], [kg m2] */
    double place[3];      /* x, y [m], angle [rad] */
    double rate[3];       /* [m/s], [rad/s] */
    double torque;        /* constant, on the body [N m] */
} scene_body;

/* A hinge between points in body axes; body -1 is the ground. */
typedef struct scene_hinge {
    int body[2];
    double at[2][2]; /* [m] */
} scene_hinge;

/* A spring from a point of a body to a point of the ground. */
typedef struct scene_spring {
    int body;
    double at[2], ground[2];  /* [m] */
    double stiffness, length; /* [N/m], free length [m] */
} scene_spring;

/* A mechanism. */
typedef struct scene {
    int n_bodies, n_hinges, n_springs;
    scene_body *bodies;
    scene_hinge *hinges;
    scene_spring *springs;
    double stiffness, damping; /* of the hinges [N/m], [N s/m]; 0: they are ideal */
    double gravity;            /* downwards [m/s2] */
    double t_end;              /* [s] */
} scene;

/* What is known of a body at a time, in this order: x, y, angle, vx, vy, omega. */
enum { SCENE_BODY_STATE = 6 };

/* Andrews' seven-body mechanism; 0, or -1 without memory. `n` is not read. */
int scene_andrews(int n, scene *out);

/* The same with springs of 10^10 N/m and dampers of 10^3 N s/m in the place of all pins: stiff. */
int scene_compliant(int n, scene *out);

/* A row of n four-bar squares, 2 n + 1 bars of 1 m and 1 kg, moving at 1 m/s. */
int scene_fourbar(int n, scene *out);

/* A chain of n bars of 1 m and 1 kg, hinged to the ground, at rest in the horizontal. */
int scene_chain(int n, scene *out);

/* Frees the arrays. */
void scene_clear(scene *s);

/* The state (6 n_bodies) at the start. */
void scene_start(const scene *s, double *state);

/* Kinetic and potential energy of a state less the work of the torques [J]: of ideal hinges
 * constant. */
double scene_energy(const scene *s, const double *state);

/* Largest relative error of Andrews' seven angles at 0.03 s. */
double scene_andrews_error(const double *state);

/* Largest error of an upright of the row of n squares at time t, from its one degree of freedom
   [rad]. */
double scene_fourbar_error(int n, double t, const double *state);

#endif
