/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8: all code points by a second method (the encoding rules), and what is not well-formed. */
#include <config.h>

#include "lib/core/utf8.h"

#include "tests/util/util.h"

#include <check.h>

#include <string.h>

/* The encoding of a code point by the definition of UTF-8; returns its length. */
static size_t encode(unsigned code, char bytes[4])
{
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned leads[] = { 0x00, 0xC0, 0xE0, 0xF0 };

    for (size_t i = n; i > 1; i--, code >>= 6) {
        bytes[i - 1] = (char) (0x80 | (code & 0x3F));
    }
    bytes[0] = (char) (leads[n - 1] | code);
    return n;
}

START_TEST(every_code_point_is_read_and_every_cut_is_noticed)
{
    unsigned n_wrong = 0; /* counted, since a million assertions take a minute */

    for (unsigned code = 0; code <= 0x10FFFF; code++) {
        char bytes[4];
        unsigned found = 0;
        size_t n = encode(code, bytes);
        bool is_surrogate = code >= 0xD800 && code < 0xE000;
        n_wrong += ha__utf8_read(bytes, n, &found) != (is_surrogate ? 0 : n);
        n_wrong += !is_surrogate && found != code;
        n_wrong += ha__utf8_read(bytes, n - 1, &found) != 0;
    }
    ck_assert_uint_eq(n_wrong, 0);
}
END_TEST

START_TEST(ill_formed_bytes_are_refused)
{
    static const char *const texts[] = { "\x80",
                                         "\xbf",
                                         "\xc0\x80",
                                         "\xc1\xbf",
                                         "\xe0\x80\x80",
                                         "\xe0\x9f\xbf",
                                         "\xf0\x80\x80\x80",
                                         "\xf4\x90\x80\x80",
                                         "\xf8\x88\x80\x80\x80",
                                         "\xff",
                                         "\xfe",
                                         "\xc3(",
                                         "\xe2\x82(",
                                         "\xf0\x9f\x98(" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        unsigned code = 0;
        ck_assert_uint_eq(ha__utf8_read(texts[i], strlen(texts[i]), &code), 0);
    }
}
END_TEST

START_TEST(letters_are_told_from_signs)
{
    static const unsigned letters[] = { 0xE4, 0xB5, 0x3A9, 0x3C9, 0x2126, 0x416, 0x4E2D };
    static const unsigned signs[] = {
        0xB7, 0xD7, 0xF7, 0xB0, 0xB2, 0x2212, 0x22C5, 0x207B, 0x2028
    };

    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        ck_assert(ha__utf8_is_letter(letters[i]));
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        ck_assert(!ha__utf8_is_letter(signs[i]));
    }
}
END_TEST

START_TEST(clipping_cuts_no_character)
{
    static const char text[] = "a\u00e4\u20ac";

    ck_assert_int_eq(ha__utf8_clip(text, 6, 100), 6);
    ck_assert_int_eq(ha__utf8_clip(text, 6, 6), 6);
    ck_assert_int_eq(ha__utf8_clip(text, 6, 5), 3);
    ck_assert_int_eq(ha__utf8_clip(text, 6, 4), 3);
    ck_assert_int_eq(ha__utf8_clip(text, 6, 2), 1);
    ck_assert_int_eq(ha__utf8_clip(text, 6, 0), 0);
    ck_assert_int_eq(ha__utf8_clip("", 0, 5), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("utf8");
    TCase *tests = tcase_create("utf8");

    tcase_add_test(tests, every_code_point_is_read_and_every_cut_is_noticed);
    tcase_add_test(tests, ill_formed_bytes_are_refused);
    tcase_add_test(tests, letters_are_told_from_signs);
    tcase_add_test(tests, clipping_cuts_no_character);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
