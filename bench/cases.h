/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cases, and by what a result of each is judged. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "bench/bench_scene.h"

#include <stdbool.h>

/* A size of a case with the tolerances that are tried. */
typedef struct bench_size {
    int n;
    int loosest, tightest; /* exponents: 10^-loosest to 10^-tightest */
} bench_size;

/* A case. */
typedef struct bench_case {
    const char *name;                /* "four-bar" */
    const char *measure;             /* what `error` gives, for the head of the table */
    int (*build)(int n, scene *out); /* 0, or -1 without memory */
    /* How far a state at the end is from the truth; `reference` is a state for cases that have one.
     */
    double (*error)(int n, const scene *s, const double *state, const double *reference);
    bool has_reference;    /* nothing is known in closed form: a run of a yardstick stands for it */
    bool is_for_all;       /* yardsticks, explicit steps and peers run it, too */
    double alpha;          /* stabilisation of halfarrow [1/s]; NAN: its default */
    double alpha_ida;      /* of limit_ida [1/s] */
    double alpha_schur[2]; /* of limit_schur up to 200 bodies and above [1/s] */
    const bench_size *sizes;
    int n_sizes;
} bench_case;

/* The cases, `*n` of them. */
const bench_case *bench_cases(int *n);

/* What a user may ask of a result. */
typedef struct bench_goal {
    const char *name; /* of the case */
    int size;
    const char *text;     /* "6 digits" */
    double error, energy; /* neither is larger; energy [J] */
} bench_goal;

/* The goals, `*n` of them. */
const bench_goal *bench_goals(int *n);

#endif
