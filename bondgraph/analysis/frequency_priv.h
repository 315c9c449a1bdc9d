/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of a frequency response, shared by its parts. Not installed. */
#ifndef BONDGRAPH_FREQUENCY_PRIV_H
#define BONDGRAPH_FREQUENCY_PRIV_H

#include "bondgraph/analysis/linear_pencil.h"
#include "bondgraph/frequency.h"
#include "lib/linalg/lu_klu.h"

#include <complex.h>

/* A frequency and the response there. */
typedef struct {
    double frequency;
    double complex *value; /* (n_outputs x n_inputs) */
} bg__sample;

/* The work. */
typedef struct {
    ha_ctx *ctx;
    bg__linearisation *l;
    bg_response *out;
    bg__linear_pencil pencil;
    ha__klu_pattern pattern;
    ha__klu *klu;
    double *matrix;    /* (entries x 2) */
    double *x, *rest;  /* (unknowns x 2) the solution; what it makes of the right-hand side */
    bool has_pivots;   /* those of another frequency are in `klu` */
    double complex *y; /* (unknowns) */
    HA_ARRAY(bg__sample) samples;
} bg__sweep;

/* frequency.c: the response (n_outputs x n_inputs) at a frequency [Hz]. */
HA_MUST_CHECK ha_status bg__sweep_respond(bg__sweep *s, double frequency, double complex *value);

/* frequency_grid.c: all samples, in the order of their frequencies, and the peaks; the poles are
   known where they are to be had. */
HA_MUST_CHECK ha_status bg__sweep_fill(bg__sweep *s, const bg_frequency_range *range);

#endif
