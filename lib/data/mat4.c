/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices in files of MATLAB version 4. */
#include <config.h>

#include "lib/data/mat4.h"

#include <string.h>

void ha__mat_int(ha__output *out, int32_t value)
{
    uint32_t u = (uint32_t) value;
    const unsigned char bytes[4] = { (unsigned char) u, (unsigned char) (u >> 8),
                                     (unsigned char) (u >> 16), (unsigned char) (u >> 24) };

    ha__output_add(out, bytes, sizeof bytes);
}

enum { BYTES = 8, AT_ONCE = 512 /* numbers that are written in one go */ };

static void put_double(double value, unsigned char bytes[BYTES])
{
    uint64_t u = 0;

    memcpy(&u, &value, sizeof u);
    for (int i = 0; i < BYTES; i++) {
        bytes[i] = (unsigned char) (u >> (8 * i));
    }
}

void ha__mat_double(ha__output *out, double value)
{
    unsigned char bytes[BYTES];

    put_double(value, bytes);
    ha__output_add(out, bytes, sizeof bytes);
}

void ha__mat_header(ha__output *out, const char *name, int type, size_t rows, size_t columns)
{
    ha__mat_int(out, type);
    ha__mat_int(out, (int32_t) rows);
    ha__mat_int(out, (int32_t) columns);
    ha__mat_int(out, 0);
    ha__mat_int(out, (int32_t) strlen(name) + 1);
    ha__output_add(out, name, strlen(name) + 1);
}

void ha__mat_matrix(ha__output *out, const char *name, const double *values, size_t rows,
                    size_t columns)
{
    unsigned char bytes[BYTES * AT_ONCE];
    size_t n = 0;

    ha__mat_header(out, name, 10 * HA__MAT_DOUBLES, rows, columns);
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < rows; i++) {
            put_double(values[i * columns + j], bytes + BYTES * n++);
            if (n == AT_ONCE) {
                ha__output_add(out, bytes, sizeof bytes);
                n = 0;
            }
        }
    }
    ha__output_add(out, bytes, BYTES * n);
}

void ha__mat_texts(ha__output *out, const char *name, char *const *texts, size_t n)
{
    size_t longest = 1;

    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(texts[i]);
        longest = length > longest ? length : longest;
    }
    ha__mat_header(out, name, 10 * HA__MAT_BYTES + 1, n, longest);
    for (size_t j = 0; j < longest; j++) {
        for (size_t i = 0; i < n; i++) {
            ha__output_add(out, j < strlen(texts[i]) ? texts[i] + j : " ", 1);
        }
    }
}
