/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formatted texts of a few pieces.
 *
 * Every element, bond and equation of a large model has names made of other names, and where some
 * library of the process has registered conversions of its own (libquadmath, behind LAPACK, does)
 * the C library's printf goes a long way round for each of them.
 */
#include <config.h>

#include "lib/core/format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *ha__digits(int number, char buffer[HA__DIGITS_SIZE])
{
    unsigned rest = number < 0 ? 0u - (unsigned) number : (unsigned) number;
    char *at = buffer + HA__DIGITS_SIZE - 1;

    *at = '\0';
    do {
        *--at = (char) ('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        *--at = '-';
    }
    return at;
}

/* Puts as much of a piece behind `length` bytes as there is room for. */
static void put(char *text, size_t size, size_t length, const char *piece, size_t n)
{
    if (length < size) {
        size_t room = size - length - 1;
        size_t taken = n < room ? n : room;
        memcpy(text + length, piece, taken);
        text[length + taken] = '\0';
    }
}

/* Bytes before the next conversion. */
static size_t literal_length(const char *format)
{
    size_t n = 0;

    while (format[n] != '\0' && format[n] != '%') {
        n++;
    }
    return n;
}

/* The whole text, of `*length` bytes; false where there is another conversion than %s and %d. */
static bool fill(char *text, size_t size, const char *format, va_list arguments, size_t *length)
{
    put(text, size, 0, "", 0);
    for (size_t n = 0; *format != '\0'; *length += n) {
        char buffer[HA__DIGITS_SIZE];
        const char *piece = format;
        if (*format != '%') {
            n = literal_length(format);
            format += n;
        } else if (format[1] == 's' || format[1] == 'd') {
            piece = format[1] == 's' ? va_arg(arguments, const char *)
                                     : ha__digits(va_arg(arguments, int), buffer);
            n = strlen(piece);
            format += 2;
        } else {
            return false;
        }
        put(text, size, *length, piece, n);
    }
    return true;
}

int ha__vformat(char *text, size_t size, const char *format, va_list arguments)
{
    va_list again;
    size_t length = 0;

    va_copy(again, arguments);
    bool is_plain = fill(text, size, format, arguments, &length);
    int result = !is_plain           ? vsnprintf(text, size, format, again)
                 : length <= INT_MAX ? (int) length
                                     : -1;
    va_end(again);
    return result;
}

int ha__format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = ha__vformat(text, size, format, arguments);
    va_end(arguments);
    return length;
}
