/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text in the C locale, whatever locale the host program has set. Not installed. */
#ifndef LIB_NUMBER_H
#define LIB_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { HA__NUMBER_SIZE = 32 }; /* bytes that hold any number printed here */

/* Writes x with 17 significant digits ("nan", "inf", "-inf" included); returns buffer. */
char *ha__print_number(char buffer[HA__NUMBER_SIZE], double x);

/* Writes x with the fewest significant digits that read back to x, a whole number without exponent
   where that is not longer; returns buffer. */
char *ha__print_short_number(char buffer[HA__NUMBER_SIZE], double x);

/* Writes x rounded to `digits` significant digits, for messages: -0 as 0, a whole number without
   exponent where that is not longer; returns buffer. */
char *ha__print_rounded_number(char buffer[HA__NUMBER_SIZE], double x, int digits);

/* x, without a sign that says nothing to those who read results: that of a zero, and what a
   processor gives to what is not a number. */
double ha__plain_sign(double x);

/* The length of the decimal number (digits, point, exponent; no sign, no hexadecimal, no nan or
   inf) that `text` starts with, 0 when there is none. An exponent without digits is not part. */
size_t ha__number_length(const char *text);

/* Reads a decimal number of exactly `length` bytes with `shift` added to its decimal exponent, so
   that the result is correctly rounded (72 with shift -3 reads as 72e-3). False when it is not a
   number or overflows. A leading sign is allowed. */
bool ha__read_number(const char *text, size_t length, int shift, double *out);

#endif
