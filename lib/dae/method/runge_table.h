/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coefficients of explicit Runge-Kutta methods. Not installed. */
#ifndef LIB_RUNGE_TABLE_H
#define LIB_RUNGE_TABLE_H

/* The coefficients of a method; k_i are numbered from 0. */
typedef struct ha__runge_table {
    int order;
    int power;    /* the error, as it is estimated, goes with this power of h */
    int n_stages; /* the last two of them at the end of the step, the last with the values there */
    int n_extra;  /* stages more, for the interpolant */
    const double *node;      /* (n_stages + n_extra) c_i */
    const double *weight;    /* (n_stages + n_extra, n_stages + n_extra - 1) a_ij by rows */
    const double *error;     /* (n_stages) the method less one of lower order */
    const double *low_error; /* (n_stages) and less one of still lower order; NULL: none */
    int n_dense;
    const double *dense; /* (n_dense, n_stages + n_extra) of the interpolant, by rows */
    double stable;       /* h |lambda| of steps that are limited by it */
    double smooth;       /* up to which the interpolant is about as exact as the end */
} ha__runge_table;

extern const ha__runge_table ha__runge_order5, ha__runge_order8;

#endif
