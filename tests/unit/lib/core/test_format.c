/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formatted texts: the same as from the C library, whichever way they are made. */
#include <config.h>

#include "lib/core/format.h"

#include "tests/util/util.h"

#include <limits.h>
#include <stdio.h>

/* Compares texts and lengths for every size of the buffer; __VA_ARGS__ begins with the format. */
#define CHECK_LIKE_SNPRINTF(...)                                                                   \
    do {                                                                                           \
        char expected[64], text[64];                                                               \
        for (size_t size = 1; size <= sizeof text; size++) {                                       \
            int length = snprintf(expected, size, __VA_ARGS__);                                    \
            text[size - 1] = '!';                                                                  \
            ck_assert_int_eq(ha__format(text, size, __VA_ARGS__), length);                         \
            ck_assert_str_eq(text, expected);                                                      \
        }                                                                                          \
        ck_assert_int_eq(ha__format(NULL, 0, __VA_ARGS__), snprintf(NULL, 0, __VA_ARGS__));        \
    } while (0)

/* Formats come from here, so that the compiler does not tell that short buffers cut the text. */
static const char *volatile ball = "ball", *volatile nothing = "";
static volatile int least = INT_MIN, most = INT_MAX, zero = 0, ten = 10;

START_TEST(plain_pieces_come_out_as_from_the_c_library)
{
    CHECK_LIKE_SNPRINTF("%s", ball);
    CHECK_LIKE_SNPRINTF("%s", nothing);
    CHECK_LIKE_SNPRINTF("%s.%s%s", ball, "f", nothing);
    CHECK_LIKE_SNPRINTF("der(%s)", ball);
    CHECK_LIKE_SNPRINTF("%d%d|%d and %d", least, most, zero, ten);
    CHECK_LIKE_SNPRINTF("%s_%d", ball, -ten);
}
END_TEST

START_TEST(a_text_without_conversions_is_copied)
{
    CHECK_LIKE_SNPRINTF("constraint of the hinge");
}
END_TEST

START_TEST(other_conversions_come_out_as_from_the_c_library)
{
    CHECK_LIKE_SNPRINTF("%s has %5.2f%% of %zu, %.3s, %3d", ball, 1.5, (size_t) 7, ball, ten);
    CHECK_LIKE_SNPRINTF("100%%");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("format");
    TCase *tests = tcase_create("format");

    tcase_add_test(tests, plain_pieces_come_out_as_from_the_c_library);
    tcase_add_test(tests, a_text_without_conversions_is_copied);
    tcase_add_test(tests, other_conversions_come_out_as_from_the_c_library);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
