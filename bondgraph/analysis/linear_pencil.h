/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deviations of the whole system, (A + s E) y = 0, with its multipliers and loops. Not
   installed. */
#ifndef BONDGRAPH_LINEAR_PENCIL_H
#define BONDGRAPH_LINEAR_PENCIL_H

#include "bondgraph/analysis/linear_priv.h"

/* A = F_y and E = F_y' in compressed columns of one pattern, y in units of the unknowns' sizes and
   the largest entry of both in each row 1. */
typedef struct bg__linear_pencil {
    int n;
    int64_t *start, *row; /* (n + 1), (start[n]) */
    double *a, *e;        /* (start[n]) */
    double *row_scale;    /* (n) what the rows of F were multiplied by */
    const double *size;   /* (n) of the unknowns; borrowed */
} bg__linear_pencil;

/* Makes it of the derivatives that bg__linear_evaluate() found; to be cleared, also on failure. */
HA_MUST_CHECK ha_status bg__linear_pencil_new(const bg__linearisation *work,
                                              bg__linear_pencil *out);

/* Frees what it holds. */
void bg__linear_pencil_clear(bg__linear_pencil *pencil);

#endif
