/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formatted texts of a few pieces: names. Not installed. */
#ifndef LIB_FORMAT_H
#define LIB_FORMAT_H

#include "lib/context.h"

#include <stdarg.h>
#include <stddef.h>

/* As snprintf() and vsnprintf(), in a fraction of their time where the format has no conversions
   but %s and %d. */
int ha__format(char *text, size_t size, const char *format, ...) HA_PRINTF(3, 4);
int ha__vformat(char *text, size_t size, const char *format, va_list arguments) HA_PRINTF(3, 0);

enum { HA__DIGITS_SIZE = 12 }; /* of an int with its sign and a zero */

/* The digits of a number, at the end of `buffer`. */
const char *ha__digits(int number, char buffer[HA__DIGITS_SIZE]);

#endif
