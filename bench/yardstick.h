/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The yardstick: the same mechanism by equations written by hand, in IDA with KLU. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include "bench/scene.h"

/* What a run gives. */
typedef struct yardstick_result {
    double seconds;  /* from creating the integrator to the end time, with the consistent start */
    long steps;
    double *angle;   /* (n_bodies) at the end; given by the caller */
    double energy_error; /* kinetic + potential - torque work, less its start [J] */
} yardstick_result;

/* Runs a scene with rtol = atol = tol and alpha = beta; 0, or -1 when the solver failed. */
int yardstick_run(const scene *s, double tol, double alpha, yardstick_result *out);

#endif
