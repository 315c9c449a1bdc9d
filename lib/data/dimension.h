/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dimensions: exponents of the base units, of which the radian is one. Not installed. */
#ifndef LIB_DIMENSION_H
#define LIB_DIMENSION_H

#include "lib/data/units.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ha__dimension {
    signed char powers[8]; /* kg, m, s, A, K, mol, cd, rad */
} ha__dimension;

/* The dimension of a quantity with a unit, "28 mm"; false where the text is none. */
bool ha__dimension_read(const char *text, ha__dimension *out);

/* The dimension of a unit alone, "mm", and what one of it is in SI units (`factor`, NULL: not
   asked for); false where it is none that is known, then both stay as they are. */
bool ha__dimension_of_unit(const char *unit, ha__dimension *out, double *factor);

/* a b^n */
ha__dimension ha__dimension_times(ha__dimension a, ha__dimension b, int n);

/* Whether both are the same but for the radian, which few units of dampers and inertias count. */
bool ha__dimension_is_like(ha__dimension a, ha__dimension b);

/* Whether a value is an angular velocity and the unit a frequency, which says no angle. */
bool ha__dimension_counts_turns(ha__dimension is, ha__dimension unit);

/* Whether a value of this dimension may be given where a quantity is expected, radians not counted:
   what was computed, as an arc by its radius, need not say them. */
bool ha__dimension_is_of(ha__dimension is, ha__quantity expected);

/* What is measured, in words: "a capacitance", else "of the dimension kg.m/s3"; in `buffer` or
   static storage. */
const char *ha__dimension_words(ha__dimension is, char *buffer, size_t size);

/* The SI unit, "N", "kg.m.s-3", "" of a number; a frequency is not called Hz, which may be meant in
   radians. In `buffer` or static storage. */
const char *ha__dimension_unit(ha__dimension is, char *buffer, size_t size);

#endif
