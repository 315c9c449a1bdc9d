/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is compared: programs that get the same task and tell the same of their runs. Whether a
 * result is right is not theirs to say: they give the state at the end, which is judged by one
 * measure (bench/judge.h).
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "bench/bench_scene.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A task. */
typedef struct bench_task {
    const scene *scene;
    const char *text; /* the scene as a model file; of yardsticks and peers not read */
    size_t length;    /* of the text */
    double tolerance; /* relative and absolute, of each step */
    double alpha;     /* stabilisation, alpha = beta [1/s]; NAN: the program's default */
    double patience;  /* what a run may take before it is given up [s]; only yardsticks give up */
    int driver;       /* a ha_driver; of yardsticks and peers not read */
    bool as_code;     /* equations as machine code; likewise */
} bench_task;

/* A run; what a program does not know is NAN or -1. */
typedef struct bench_run {
    double setup;    /* from the text to a consistent start, ready to run [s] */
    double compile;  /* translation to machine code, besides [s] */
    double solve;    /* from creating the integrator to the end time [s] */
    double memory;   /* the most that the process had up to the end of the set-up [MB] */
    double alpha;    /* stabilisation used [1/s] */
    double audit;    /* largest error of the program's own energy book over the run [J] */
    double t_switch; /* when `auto` changed its driver first [s] */
    long steps, evaluations, jacobians;
    long switches;      /* changes of the driver by `auto` */
    const char *driver; /* what ran at the end, "ida" or "explicit" */
    const char *reason; /* of `auto`: why; NULL: none */
    double *state;      /* (6 n_bodies) at the end; given by the caller */
} bench_run;

/* Programs; 0, or -1 when there is no result, after a message on stderr or none when it gave up. */
typedef int bench_program(const bench_task *task, bench_run *out);

/* halfarrow: from the model file on, as a user has it. */
bench_program bench_halfarrow;

/* Written by hand: multipliers as unknowns, IDA with KLU (bench/yardstick_ida.c). */
bench_program bench_limit_ida;

/* Written by hand: multipliers eliminated, explicit steps (bench/yardstick_schur.c). */
bench_program bench_limit_schur;

/* Another's program, where it was built with one (bench/peer_simbody.cpp, else bench/peer_none.c).
 */
bench_program bench_peer;

/* Its name and version, "Simbody 3.7"; NULL: there is none. */
const char *bench_peer_name(void);

/* Seconds since some moment: of the wall, and of this process on a processor. Times are told by the
   latter, because all programs have one thread and other work of the machine then counts less. */
double bench_clock(void);
double bench_processor(void);

#ifdef __cplusplus
}
#endif

#endif
