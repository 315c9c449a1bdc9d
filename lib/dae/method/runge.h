/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of explicit Runge-Kutta methods for y' = f(t, y). Not installed. */
#ifndef LIB_RUNGE_H
#define LIB_RUNGE_H

#include "lib/context.h"

#include <stdbool.h>

/* f (n) = f(t, y); `*is_good` is false where it has no value there. */
typedef ha_status (*ha__runge_rates)(void *user, double t, const double *y, double *f,
                                     bool *is_good);

typedef struct ha__runge ha__runge;

/* Makes a method of order 5 or 8 for n unknowns. */
HA_MUST_CHECK ha_status ha__runge_new(ha_ctx *ctx, int order, int n, ha__runge_rates rates,
                                      void *user, ha__runge **out);

/* Frees it; NULL is legal. */
void ha__runge_free(ha__runge *runge);

/* One step from t0 of the size h with f0 = f(t0, y0) into y1, f1; `*is_good` is false where a stage
   has no value. All arrays (n). */
HA_MUST_CHECK ha_status ha__runge_step(ha__runge *runge, double t0, double h, const double *y0,
                                       const double *f0, double *y1, double *f1, bool *is_good);

/* The last step again from where it began, with another size. */
HA_MUST_CHECK ha_status ha__runge_again(ha__runge *runge, double h, double *y1, double *f1,
                                        bool *is_good);

/* The estimated local error of the last step, as the mean square with the weights (n). */
double ha__runge_error(const ha__runge *runge, const double *weights);

/* The unknown with the largest of these errors, -1: there is none; `*error` is it. */
int ha__runge_worst(const ha__runge *runge, const double *weights, double *error);

/* h times the size of the eigenvalues that the last two stages of the last step saw: both lie at
   its end, and what they differ by is the fastest part of the solution. */
double ha__runge_stiffness(const ha__runge *runge, const double *weights);

/* h times that size up to which the method is stable. */
double ha__runge_stability(const ha__runge *runge);

/* h times that size up to which values inside a step are about as exact as its end; infinite: any.
 */
double ha__runge_smoothness(const ha__runge *runge);

/* The error goes with this power of h as it is estimated. */
int ha__runge_power(const ha__runge *runge);

int ha__runge_order(const ha__runge *runge);

/* The solution at t inside the last step, into y (n), and its derivative into f (n) unless NULL. A
   method of order 8 evaluates three more stages when it is asked for first in a step. */
HA_MUST_CHECK ha_status ha__runge_dense(ha__runge *runge, double t, double *y, double *f);

/* The largest error inside the last step that its ends tell nothing of, times its weight: by how
   much the interpolant of an unknown is off the cubic through its ends, where that is more than all
   that these move by; 0 where none is. */
HA_MUST_CHECK ha_status ha__runge_bulge(ha__runge *runge, const double *weights, double *error);

/* The largest error of the interpolant inside the last step as far as the equations tell it, times
   its weight, by three more evaluations; 0 where they have no value there. */
HA_MUST_CHECK ha_status ha__runge_defect(ha__runge *runge, const double *weights, double *error);

/* Makes ready for ha__runge_coefficients(); `*degree` is that of the polynomials. */
HA_MUST_CHECK ha_status ha__runge_unfold(ha__runge *runge, int *degree);

/* The polynomial of s = (t - t0) / h that unknown l is inside the last step: coefficient k goes to
   out[k * stride], from 0 up to the degree. */
void ha__runge_coefficients(const ha__runge *runge, int l, double *out, int stride);

#endif
