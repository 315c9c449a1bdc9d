/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices in files of MATLAB version 4: a header of five 32-bit integers (type, rows, columns,
 * imaginary flag, length of the name with its zero), the name, the values by columns; all with the
 * least significant byte first. Not installed.
 */
#ifndef LIB_MAT4_H
#define LIB_MAT4_H

#include "lib/core/output.h"

#include <stdint.h>

/* What the first digits of a type say, P. */
enum {
    HA__MAT_DOUBLES = 0,
    HA__MAT_FLOATS = 1,
    HA__MAT_INTS = 2,
    HA__MAT_SHORTS = 3,
    HA__MAT_WORDS = 4,
    HA__MAT_BYTES = 5,
    HA__MAT_FORMATS = 6
};

/* The parts of a matrix; failures stick to the file. */
void ha__mat_header(ha__output *out, const char *name, int type, size_t rows, size_t columns);
void ha__mat_int(ha__output *out, int32_t value);
void ha__mat_double(ha__output *out, double value);

/* A matrix of doubles that is stored by rows. */
void ha__mat_matrix(ha__output *out, const char *name, const double *values, size_t rows,
                    size_t columns);

/* Texts as the rows of a matrix of characters, filled up with blanks. */
void ha__mat_texts(ha__output *out, const char *name, char *const *texts, size_t n);

#endif
