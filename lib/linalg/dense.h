/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small full systems. Not installed. */
#ifndef LIB_LINALG_DENSE_H
#define LIB_LINALG_DENSE_H

#include <stdbool.h>

/* Solves A x = b by elimination with row pivots; `a` (n n), by rows, and `b` (n) are changed. False
   where A is singular. */
bool ha__dense_solve(int n, double *a, double *b, double *x);

#endif
