/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small full systems. Not installed. */
#ifndef LIB_LINALG_DENSE_H
#define LIB_LINALG_DENSE_H

#include <stdbool.h>

/* Solves A x = b by elimination with row pivots; `a` (n n), by rows, and `b` (n) are changed. False
   where A is singular. */
bool ha__dense_solve(int n, double *a, double *b, double *x);

/* The factor L of a symmetric A = L L', of which `a` (n n), by rows, has at least the lower half: L
   replaces it, with 0 above. False where A is not positive. */
bool ha__dense_cholesky(int n, double *a);

/* A <- L^-1 A L (n n), by rows, of a lower triangle L. */
void ha__dense_transform(int n, const double *l, double *a);

#endif
