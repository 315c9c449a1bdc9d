/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mechanisms that are timed, and what is known about their motion.
 *
 * Andrews' mechanism: IVP test set data; seven angles at 0.03 s in 113-bit arithmetic.
 * Chain of n bars of 1 m and 1 kg, let go from the horizontal.
 * Row of n squares: all uprights stay parallel, so that
 *   angle'' = -k cos(angle), k = (g / L) ((n + 1) / 2 + n) / ((n + 1) / 3 + n),
 * from pi/2 at -1 rad/s; integrated here by the classical Runge-Kutta method with small steps.
 */
#include <config.h>

#include "bench/bench_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int allocate(scene *s, int n_bodies, int n_hinges, int n_springs)
{
    *s = (scene){ .n_bodies = n_bodies, .n_hinges = n_hinges, .n_springs = n_springs };
    s->bodies = calloc((size_t) n_bodies, sizeof *s->bodies);
    s->hinges = calloc((size_t) n_hinges, sizeof *s->hinges);
    s->springs = calloc((size_t) n_springs + 1, sizeof *s->springs);
    if (s->bodies == NULL || s->hinges == NULL || s->springs == NULL) {
        scene_clear(s);
        return -1;
    }
    return 0;
}

void scene_clear(scene *s)
{
    free(s->bodies);
    free(s->hinges);
    free(s->springs);
    *s = (scene){ 0 };
}

void scene_start(const scene *s, double *state)
{
    for (int b = 0; b < s->n_bodies; b++) {
        memcpy(state + SCENE_BODY_STATE * b, s->bodies[b].place, sizeof s->bodies[b].place);
        memcpy(state + SCENE_BODY_STATE * b + 3, s->bodies[b].rate, sizeof s->bodies[b].rate);
    }
}

double scene_energy(const scene *s, const double *state)
{
    double sum = 0;

    for (int b = 0; b < s->n_bodies; b++) {
        const double *q = state + SCENE_BODY_STATE * b;
        const scene_body *body = &s->bodies[b];
        sum += 0.5 * body->mass * (q[3] * q[3] + q[4] * q[4]) + 0.5 * body->inertia * q[5] * q[5];
        sum += body->mass * s->gravity * q[1] - body->torque * q[2];
    }
    for (int k = 0; k < s->n_springs; k++) {
        const scene_spring *spring = &s->springs[k];
        const double *q = state + SCENE_BODY_STATE * spring->body;
        double cosine = cos(q[2]), sine = sin(q[2]);
        double dx = q[0] + spring->at[0] * cosine - spring->at[1] * sine - spring->ground[0];
        double dy = q[1] + spring->at[0] * sine + spring->at[1] * cosine - spring->ground[1];
        double stretch = hypot(dx, dy) - spring->length;
        sum += 0.5 * spring->stiffness * stretch * stretch;
    }
    return sum;
}

/* --- Andrews -------------------------------------------------------------------------------- */

static const double XA = -0.06934, YA = -0.00227, XB = -0.03635, YB = 0.03273;

/* A body whose point (lx, ly) from the mass centre is at (x, y). */
static scene_body body_at(double mass, double inertia, double x, double y, double angle, double lx,
                          double ly)
{
    double c = cos(angle), s = sin(angle);

    return (scene_body){
        mass, inertia, { x - (lx * c - ly * s), y - (lx * s + ly * c), angle }, { 0, 0, 0 }, 0
    };
}

int scene_andrews(int n, scene *s)
{
    const double beta = -0.0617138900142764496, gamma = 0.455279819163070380;
    const double phi = 0.222668390165885885, delta = 0.487364979543842550;
    const double epsilon = 1.230547444549821192;
    const double hx = 0.007 * cos(beta), hy = 0.007 * sin(beta);
    const double fx = XA + 0.04 * cos(delta), fy = YA + 0.04 * sin(delta);
    const double gx = XA + 0.04 * sin(epsilon), gy = YA - 0.04 * cos(epsilon);
    const scene_body bodies[] = {
        body_at(0.04325, 2.194e-6, 0, 0, beta, -0.00092, 0),
        body_at(0.00365, 4.410e-7, hx, hy, beta, 0.0115, 0),
        body_at(0.02373, 5.255e-6, XB, YB, gamma, -0.01043, 0.01874),
        body_at(0.00706, 5.667e-7, fx, fy, phi + delta, 0, 0.00579),
        body_at(0.07050, 1.169e-5, XA, YA, delta, -0.02308, -0.00916),
        body_at(0.00706, 5.667e-7, gx, gy, epsilon - phi, -0.00579, 0),
        body_at(0.05498, 1.912e-5, XA, YA, epsilon, 0.00449, 0.01228),
    };
    const scene_hinge hinges[] = {
        { { -1, 0 }, { { 0, 0 }, { -0.00092, 0 } } },
        { { 0, 1 }, { { 0.00608, 0 }, { 0.0115, 0 } } },
        { { -1, 2 }, { { XB, YB }, { -0.01043, 0.01874 } } },
        { { 1, 2 }, { { -0.0165, 0 }, { -0.01043, -0.01626 } } },
        { { 1, 3 }, { { -0.0165, 0 }, { 0, -0.01421 } } },
        { { 1, 5 }, { { -0.0165, 0 }, { 0.01421, 0 } } },
        { { 4, 3 }, { { 0.01692, -0.00916 }, { 0, 0.00579 } } },
        { { -1, 4 }, { { XA, YA }, { -0.02308, -0.00916 } } },
        { { 6, 5 }, { { 0.00449, -0.02772 }, { -0.00579, 0 } } },
        { { -1, 6 }, { { XA, YA }, { 0.00449, 0.01228 } } },
    };
    const scene_spring spring = { 2, { 0.00957, 0.00074 }, { 0.014, 0.072 }, 4530, 0.07785 };

    (void) n;
    if (allocate(s, 7, 10, 1) != 0) {
        return -1;
    }
    memcpy(s->bodies, bodies, sizeof bodies);
    memcpy(s->hinges, hinges, sizeof hinges);
    s->springs[0] = spring;
    s->bodies[0].torque = 0.033;
    s->t_end = 0.03;
    return 0;
}

int scene_compliant(int n, scene *s)
{
    if (scene_andrews(n, s) != 0) {
        return -1;
    }
    s->stiffness = 1e10;
    s->damping = 1e3;
    return 0;
}

double scene_andrews_error(const double *state)
{
    const double exact[7] = { 15.81077119515370709711939,   -15.75637105841183946972775,
                              0.04082224011964580485828232, -0.5347301163420795937701850,
                              0.5244099658799540693716558,  0.5347301163420795937701850,
                              1.048080741041937873068515 };
    double a[7], worst = 0.0;

    for (int i = 0; i < 7; i++) {
        a[i] = state[SCENE_BODY_STATE * i + 2];
    }
    const double angle[7] = { a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6] };
    for (int i = 0; i < 7; i++) {
        worst = fmax(worst, fabs((angle[i] - exact[i]) / exact[i]));
    }
    return worst;
}

/* --- a row of squares ----------------------------------------------------------------------- */

int scene_fourbar(int n, scene *s)
{
    const double quarter = 1.5707963267948966;

    if (allocate(s, 2 * n + 1, 3 * n + 1, 0) != 0) {
        return -1;
    }
    scene_hinge *hinge = s->hinges;
    for (int i = 0; i <= n; i++) {
        s->bodies[i] = (scene_body){ 1, 1.0 / 12, { i, 0.5, quarter }, { 0.5, 0, -1 }, 0 };
        *hinge++ = (scene_hinge){ { -1, i }, { { i, 0 }, { -0.5, 0 } } };
    }
    for (int i = 0; i < n; i++) {
        s->bodies[n + 1 + i] = (scene_body){ 1, 1.0 / 12, { i + 0.5, 1, 0 }, { 1, 0, 0 }, 0 };
        *hinge++ = (scene_hinge){ { i, n + 1 + i }, { { 0.5, 0 }, { -0.5, 0 } } };
        *hinge++ = (scene_hinge){ { i + 1, n + 1 + i }, { { 0.5, 0 }, { 0.5, 0 } } };
    }
    s->gravity = 9.81;
    s->t_end = 10.0;
    return 0;
}

/* The angle of the uprights. */
static double fourbar_angle(int n, double t)
{
    const double k = 9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
    const int steps = 100000;
    const double h = t / steps;
    double a = 1.5707963267948966, w = -1;

    for (int i = 0; i < steps; i++) {
        double a1 = w, w1 = -k * cos(a);
        double a2 = w + h / 2 * w1, w2 = -k * cos(a + h / 2 * a1);
        double a3 = w + h / 2 * w2, w3 = -k * cos(a + h / 2 * a2);
        double a4 = w + h * w3, w4 = -k * cos(a + h * a3);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    return a;
}

double scene_fourbar_error(int n, double t, const double *state)
{
    double exact = fourbar_angle(n, t), worst = 0.0;

    for (int i = 0; i <= n; i++) {
        worst = fmax(worst, fabs(state[SCENE_BODY_STATE * i + 2] - exact));
    }
    return worst;
}

/* --- an open chain -------------------------------------------------------------------------- */

int scene_chain(int n, scene *s)
{
    if (allocate(s, n, n, 0) != 0) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        s->bodies[i] = (scene_body){ 1, 1.0 / 12, { i + 0.5, 0, 0 }, { 0, 0, 0 }, 0 };
        s->hinges[i] = (scene_hinge){ { i - 1, i }, { { i > 0 ? 0.5 : 0, 0 }, { -0.5, 0 } } };
    }
    s->gravity = 9.81;
    s->t_end = 1.0;
    return 0;
}
