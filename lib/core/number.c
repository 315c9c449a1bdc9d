/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as text in the C locale.
 *
 * printf and strtod follow the decimal point of the host's locale; the text is translated from and
 * to it, so that no locale has to be switched.
 */
#include <config.h>

#include "lib/core/number.h"

#include <ctype.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host's decimal point; one byte or more. */
static const char *host_point(void)
{
    const char *point = nl_langinfo(RADIXCHAR); /* localeconv() may race with other threads */

    return point[0] != '\0' ? point : ".";
}

/* Replaces the host's decimal point in `buffer` by a dot. */
static void to_dot(char *buffer)
{
    const char *point = host_point();
    size_t length = strlen(point);
    char *found = strcmp(point, ".") == 0 ? NULL : strstr(buffer, point);

    if (found != NULL) {
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
}

static char *print(char *buffer, double x, int digits)
{
    snprintf(buffer, HA__NUMBER_SIZE, "%.*g", digits, isnan(x) ? fabs(x) : x);
    to_dot(buffer);
    return buffer;
}

char *ha__print_number(char buffer[HA__NUMBER_SIZE], double x)
{
    return print(buffer, x, 17);
}

/* Writes a whole number without exponent where that is not longer: 100, not 1e+02. */
static char *without_exponent(char *buffer, double x)
{
    char plain[HA__NUMBER_SIZE];

    if (strchr(buffer, 'e') != NULL && fabs(x) >= 1.0 && fabs(x) < 1e15) {
        print(plain, x, 15);
        if (strlen(plain) <= strlen(buffer)) {
            strcpy(buffer, plain);
        }
    }
    return buffer;
}

char *ha__print_short_number(char buffer[HA__NUMBER_SIZE], double x)
{
    for (int digits = 1; digits < 17; digits++) {
        double back = 0.0;
        print(buffer, x, digits);
        if (ha__read_number(buffer, strlen(buffer), 0, &back) && back == x) {
            return without_exponent(buffer, x);
        }
    }
    return print(buffer, x, 17);
}

double ha__plain_sign(double x)
{
    return x == 0.0 ? 0.0 : isnan(x) ? fabs(x) : x;
}

char *ha__print_rounded_number(char buffer[HA__NUMBER_SIZE], double x, int digits)
{
    print(buffer, ha__plain_sign(x), digits);
    return x == floor(x) ? without_exponent(buffer, x) : buffer;
}

static size_t digits_length(const char *text)
{
    size_t n = 0;

    while (isdigit((unsigned char) text[n])) {
        n++;
    }
    return n;
}

size_t ha__number_length(const char *text)
{
    size_t whole = digits_length(text);
    size_t fraction = text[whole] == '.' ? digits_length(text + whole + 1) : 0;

    if (whole + fraction == 0) {
        return 0;
    }

    size_t n = whole + (text[whole] == '.' ? 1 + fraction : 0);
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-' ? 1 : 0;
        size_t exponent = digits_length(text + n + 1 + sign);
        n += exponent == 0 ? 0 : 1 + sign + exponent;
    }
    return n;
}

/* Copies the mantissa with the host's decimal point; returns the bytes written. */
static size_t copy_mantissa(char *to, const char *from, size_t length)
{
    const char *point = host_point();
    size_t n = 0;

    for (size_t i = 0; i < length; i++) {
        if (from[i] == '.') {
            memcpy(to + n, point, strlen(point));
            n += strlen(point);
        } else {
            to[n++] = from[i];
        }
    }
    return n;
}

bool ha__read_number(const char *text, size_t length, int shift, double *out)
{
    enum { LONGEST = 400, MAX_EXPONENT = 100000 };
    char buffer[LONGEST + 64];
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;

    if (length > LONGEST || length <= sign) {
        return false;
    }
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    if (ha__number_length(buffer + sign) != length - sign) {
        return false;
    }

    size_t mantissa = strcspn(buffer, "eE");
    long exponent = mantissa < length ? strtol(buffer + mantissa + 1, NULL, 10) : 0;
    if (exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT) {
        exponent = exponent > 0 ? MAX_EXPONENT : -MAX_EXPONENT;
    }
    size_t n = copy_mantissa(buffer, text, mantissa);
    buffer[n] = '\0';
    if (exponent + shift != 0) {
        snprintf(buffer + n, 32, "e%ld", exponent + shift);
    }
    double x = strtod(buffer, NULL);
    if (!isfinite(x)) {
        return false;
    }
    *out = x;
    return true;
}
