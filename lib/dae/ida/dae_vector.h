/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors whose arithmetic costs less than SUNDIALS' own. Not installed. */
#ifndef LIB_DAE_VECTOR_H
#define LIB_DAE_VECTOR_H

#include <nvector/nvector_serial.h>

/* Replaces operations of a serial vector, and so of its clones; NULL is legal. Returns it. */
N_Vector ha__vector_tune(N_Vector vector);

#endif
