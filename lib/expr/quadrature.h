/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrals of functions of one variable. Not installed. */
#ifndef LIB_QUADRATURE_H
#define LIB_QUADRATURE_H

#include <stdbool.h>

/* The integral of f from a to b (which may be below a) by the Gauss-Kronrod rule of 15 points,
   halving the worst piece until the error estimate is below 1e-13 of the integral of |f|. False
   when it is not even below 1e-9 of it after 400 halvings, or f is not finite. */
bool ha__integrate(double (*f)(void *user, double x), void *user, double a, double b, double *out);

#endif
