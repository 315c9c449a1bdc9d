/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors whose arithmetic costs less than SUNDIALS' own. Not installed. */
#ifndef LIB_DAE_VECTOR_H
#define LIB_DAE_VECTOR_H

#include <nvector/nvector_serial.h>

/* Replaces operations of a serial vector, and so of its clones; NULL is legal. Returns it. */
N_Vector ha__vector_tune(N_Vector vector);

/* weights = tightness / (relaxed (rtol |y| + atol sizes)) */
void ha__vector_weigh(N_Vector y, N_Vector sizes, N_Vector tightness, double relaxed, double rtol,
                      double atol, N_Vector weights);

#endif
