/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as text. The truth is strtod and printf of the C locale (correctly rounded), asked before
 * any other locale is set.
 */
#include <config.h>

#include "lib/core/number.h"

#include "lib/status.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Numbers where digits are hard to get right, and 20,000 random bit patterns. */
enum { N_EDGES = 21, N_SAMPLES = N_EDGES + 20000 };

static double sample(int i)
{
    static const double edges[N_EDGES] = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        1.0 / 3.0,
        DBL_MAX,
        -DBL_MAX,
        DBL_MIN,
        0x1p-1074,
        -0x1p-1074,
        0x1.fffffffffffffp-1023,
        0x1p-1023,
        1e22,
        1e23,
        5e-324,
        9007199254740993.0,
        123456789012345678.0,
        1.7976931348623157e308,
        2.2250738585072011e-308,
        100.0,
    };
    static uint64_t state = 1;
    double x = (double) NAN;

    if (i < N_EDGES) {
        return edges[i];
    }
    while (!isfinite(x)) {
        uint64_t bits = random_bits(&state);
        memcpy(&x, &bits, sizeof x);
    }
    return x;
}

static bool reads_as(const char *text, int shift, double wanted)
{
    double x = 12345.0;

    return ha__read_number(text, strlen(text), shift, &x) && is_same(x, wanted);
}

/* --- printing -------------------------------------------------------------------------------- */

START_TEST(seventeen_digits_are_those_of_printf)
{
    char text[HA__NUMBER_SIZE], wanted[64];

    for (int i = 0; i < N_SAMPLES; i++) {
        double x = sample(i);
        snprintf(wanted, sizeof wanted, "%.17g", x);
        if (ha__print_number(text, x) != text || strcmp(text, wanted) != 0) {
            ck_abort_msg("%s is printed as %s", wanted, text);
        }
    }
}
END_TEST

START_TEST(what_is_no_number_has_a_name)
{
    char text[HA__NUMBER_SIZE];

    ck_assert_str_eq(ha__print_number(text, HUGE_VAL), "inf");
    ck_assert_str_eq(ha__print_number(text, -HUGE_VAL), "-inf");
    ck_assert_str_eq(ha__print_number(text, (double) NAN), "nan");
    ck_assert_str_eq(ha__print_short_number(text, HUGE_VAL), "inf");
    ck_assert_str_eq(ha__print_short_number(text, -HUGE_VAL), "-inf");
    ck_assert_str_eq(ha__print_short_number(text, (double) NAN), "nan");
}
END_TEST

START_TEST(a_nan_has_no_sign)
{
    char text[HA__NUMBER_SIZE];

    ck_assert_str_eq(ha__print_number(text, copysign((double) NAN, -1.0)), "nan");
    ck_assert_str_eq(ha__print_short_number(text, copysign((double) NAN, -1.0)), "nan");
}
END_TEST

START_TEST(the_short_form_reads_back_and_none_is_shorter)
{
    char text[HA__NUMBER_SIZE], shorter[64];

    for (int i = 0; i < N_SAMPLES; i++) {
        double x = sample(i);
        ha__print_short_number(text, x);
        if (!is_same(strtod(text, NULL), x)) {
            ck_abort_msg("%.17g is printed as %s", x, text);
        }
        int n_digits = 0;
        for (const char *c = text; *c != '\0' && *c != 'e'; c++) {
            n_digits += (*c >= '1' && *c <= '9') || (*c == '0' && n_digits > 0);
        }
        for (int digits = 1; digits < n_digits && digits < 17; digits++) {
            snprintf(shorter, sizeof shorter, "%.*g", digits, x);
            if (strtod(shorter, NULL) == x && strlen(shorter) < strlen(text)) {
                ck_abort_msg("%s could be %s", text, shorter);
            }
        }
    }
}
END_TEST

START_TEST(short_forms_are_what_people_write)
{
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        { 0.0, "0" },
        { -0.0, "-0" },
        { 1.0, "1" },
        { 0.1, "0.1" },
        { -2.5, "-2.5" },
        { 0.3, "0.3" },
        { 100.0, "100" },
        { 1e-3, "0.001" },
        { 12000.0, "12000" },
        { -10000.0, "-10000" },
        { 2.1e11, "2.1e+11" },
        { 1e5, "1e+05" },
        { 1e15, "1e+15" },
        { 123456.0, "123456" },
        { 5e-324, "5e-324" },
        { 1.0 / 3.0, "0.3333333333333333" },
        { 1.7976931348623157e308, "1.7976931348623157e+308" },
    };
    char text[HA__NUMBER_SIZE];

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        ck_assert_str_eq(ha__print_short_number(text, cases[i].x), cases[i].text);
    }
}
END_TEST

/* --- reading --------------------------------------------------------------------------------- */

START_TEST(rounded_numbers_show_the_digits_asked_for)
{
    static const struct {
        double x;
        int digits;
        const char *text;
    } known[] = { { 0.009809999999999996, 6, "0.00981" },
                  { 1.0000000000000002e30, 6, "1e+30" },
                  { -0.0, 6, "0" },
                  { 0.0, 3, "0" },
                  { -1.0 / 3.0, 3, "-0.333" },
                  { 100.0, 2, "100" },
                  { 10.0, 1, "10" },
                  { 2.5e-8, 6, "2.5e-08" },
                  { HUGE_VAL, 6, "inf" },
                  { -(double) NAN, 6, "nan" } };
    char text[HA__NUMBER_SIZE];

    for (size_t i = 0; i < HA_COUNT(known); i++) {
        ck_assert_str_eq(ha__print_rounded_number(text, known[i].x, known[i].digits),
                         known[i].text);
    }
}
END_TEST

START_TEST(signs_that_say_nothing_go_and_all_else_is_kept)
{
    ck_assert(!signbit(ha__plain_sign(-0.0)));
    ck_assert(!signbit(ha__plain_sign(copysign((double) NAN, -1.0))));
    for (int i = 0; i < N_SAMPLES; i++) {
        double x = sample(i);
        ck_assert(x == 0.0 || is_same(ha__plain_sign(x), x));
    }
}
END_TEST

START_TEST(the_length_of_a_number_is_found)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        { "", 0 },     { ".", 0 },     { "e5", 0 },    { "-1", 0 },   { "+1", 0 },     { "nan", 0 },
        { "inf", 0 },  { ".e5", 0 },   { "0", 1 },     { "12", 2 },   { "1.", 2 },     { ".5", 2 },
        { "1.5", 3 },  { "1.5.5", 3 }, { "1e5", 3 },   { "1E-5", 4 }, { "1e+05x", 5 }, { "1e", 1 },
        { "1e+", 1 },  { "1.e2", 4 },  { "10 mm", 2 }, { "1e-", 1 },  { "0x10", 1 },   { "1,5", 1 },
        { ".5e1", 4 }, { "1eV", 1 },   { "3em", 1 },   { "1..2", 2 }, { "1_000", 1 },  { " 1", 0 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        ck_assert_msg(ha__number_length(cases[i].text) == cases[i].length, "`%s`: %zu",
                      cases[i].text, ha__number_length(cases[i].text));
    }
}
END_TEST

START_TEST(reading_is_correctly_rounded)
{
    char text[64];

    for (int i = 0; i < N_SAMPLES; i++) {
        double x = sample(i);
        snprintf(text, sizeof text, "%.*g", 1 + i % 25, x);
        double wanted = strtod(text, NULL);
        if (isfinite(wanted) && !reads_as(text, 0, wanted)) {
            ck_abort_msg("%s", text);
        }
    }
    ck_assert(reads_as("9007199254740993", 0, 9007199254740992.0));
    ck_assert(reads_as("2.2250738585072011e-308", 0, 2.2250738585072011e-308));
    ck_assert(reads_as("+1.5", 0, 1.5));
    ck_assert(reads_as("-1.5E1", 0, -15.0));
    ck_assert(reads_as("-0", 0, -0.0));
}
END_TEST

START_TEST(a_shift_of_the_exponent_is_as_if_it_were_written)
{
    char text[64], shifted[96];

    for (int i = 0; i < N_SAMPLES; i++) {
        double x = sample(i);
        int shift = i % 61 - 30;
        snprintf(text, sizeof text, "%.*g", 1 + i % 17, x);
        char *e = strchr(text, 'e');
        int exponent = e == NULL ? 0 : atoi(e + 1);
        size_t mantissa = e == NULL ? strlen(text) : (size_t) (e - text);
        snprintf(shifted, sizeof shifted, "%.*se%d", (int) mantissa, text, exponent + shift);
        double wanted = strtod(shifted, NULL), found = 12345.0;
        bool is_read = ha__read_number(text, strlen(text), shift, &found);
        if (is_read != (bool) isfinite(wanted) || (is_read && !is_same(found, wanted))) {
            ck_abort_msg("%s shifted by %d", text, shift);
        }
    }
    ck_assert(reads_as("72", -3, 72e-3)); /* not 72 * 1e-3 */
    ck_assert(reads_as("1e400", -400, 1.0));
    ck_assert(reads_as("1e-400", 400, 1.0));
}
END_TEST

START_TEST(too_large_is_refused_and_too_small_is_zero_or_denormal)
{
    static const char *const large[] = {
        "1e400", "-1e400", "1e309", "1.7976931348623159e308", "1e99999999999999999999999", "9e308",
    };
    double x = 12345.0;

    for (size_t i = 0; i < HA_COUNT(large); i++) {
        ck_assert_msg(!ha__read_number(large[i], strlen(large[i]), 0, &x), "%s", large[i]);
        ck_assert(x == 12345.0);
    }
    ck_assert(!ha__read_number("1e300", 5, 9, &x));
    ck_assert(x == 12345.0);
    ck_assert(reads_as("1e-400", 0, 0.0));
    ck_assert(reads_as("-1e-400", 0, -0.0));
    ck_assert(reads_as("5e-324", 0, 0x1p-1074));
    ck_assert(reads_as("3e-324", 0, 0x1p-1074));
    ck_assert(reads_as("2e-324", 0, 0.0));
    ck_assert(reads_as("0e400", 0, 0.0));
    ck_assert(reads_as("0e999999999999999999999", 0, 0.0));
    ck_assert(reads_as("1e-99999999999999999999999", 0, 0.0));
}
END_TEST

START_TEST(what_is_not_exactly_a_number_is_refused)
{
    static const char *const texts[] = {
        "",    "-",  "+",   ".",   "1x",   " 1", "1 ",       "--1",   "+-1", "0x10", "nan",
        "inf", "1e", "1e+", "1,5", "1.5.", "e1", "infinity", "1e5.0", "1d5", "1_0",
    };
    double x = 12345.0;

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ck_assert_msg(!ha__read_number(texts[i], strlen(texts[i]), 0, &x), "`%s`", texts[i]);
    }
    ck_assert(!ha__read_number("1\0002", 3, 0, &x)); /* a zero byte within */
    ck_assert(!ha__read_number("12", 0, 0, &x));
    ck_assert(x == 12345.0);
    ck_assert(ha__read_number("123", 2, 0, &x));
    ck_assert(x == 12.0);
}
END_TEST

START_TEST(many_digits_are_read_or_refused_but_never_cut)
{
    static char text[1200];
    double x = 12345.0;

    /* 1/3 to 300 digits; 10^-350 * 10^350 */
    memset(text, '3', 302);
    memcpy(text, "0.", 2);
    text[302] = '\0';
    ck_assert(reads_as(text, 0, 1.0 / 3.0));
    memset(text, '0', 352);
    memcpy(text, "0.", 2);
    memcpy(text + 351, "1e350", 6);
    ck_assert(reads_as(text, 0, 1.0));
    memset(text, '7', sizeof text - 1);
    ck_assert(!ha__read_number(text, sizeof text - 1, 0, &x));
    ck_assert(x == 12345.0);
}
END_TEST

/* --- other locales --------------------------------------------------------------------------- */

/* Sets a locale, which is made in a temporary directory when it is not installed; false: no way. */
static bool set_locale(const char *name, const char *source, char *directory)
{
    char text[512];

    snprintf(text, sizeof text, "%s.UTF-8", name);
    if (setlocale(LC_ALL, text) != NULL) {
        return true;
    }
    strcpy(directory, "/tmp/test_number_XXXXXX");
    if (mkdtemp(directory) == NULL) {
        return false;
    }
    snprintf(text, sizeof text, "localedef -i %s -f UTF-8 %s/%s.UTF-8 >%s/log 2>&1", source,
             directory, name, directory);
    if (system(text) != 0) {
        return false;
    }
    setenv("LOCPATH", directory, 1);
    snprintf(text, sizeof text, "%s.UTF-8", name);
    return setlocale(LC_ALL, text) != NULL;
}

static void forget_locale(const char *directory)
{
    char text[512];

    setlocale(LC_ALL, "C");
    if (directory[0] != '\0') {
        unsetenv("LOCPATH");
        snprintf(text, sizeof text, "rm -rf %s", directory);
        if (system(text) != 0) {
            ck_abort_msg("%s stays", directory);
        }
    }
}

START_TEST(the_host_locale_does_not_matter)
{
    /* a comma, and a decimal point of two bytes */
    static const char *const names[] = { "de_DE", "ps_AF" };
    char directory[64] = "", text[HA__NUMBER_SIZE], point[16];
    char before[64];

    if (!set_locale(names[_i], names[_i], directory)) {
        forget_locale(directory);
        fprintf(stderr, "no locale %s here: not tested with it\n", names[_i]);
        return;
    }
    snprintf(point, sizeof point, "%s", localeconv()->decimal_point);
    snprintf(before, sizeof before, "%s", setlocale(LC_ALL, NULL));
    ck_assert_str_ne(point, ".");
    ck_assert_str_eq(ha__print_number(text, 0.5), "0.5");
    ck_assert_str_eq(ha__print_number(text, -1.7976931348623157e308), "-1.7976931348623157e+308");
    ck_assert_str_eq(ha__print_number(text, 1e5), "100000");
    ck_assert_str_eq(ha__print_short_number(text, 1.25e-7), "1.25e-07");
    ck_assert(reads_as("72.5", -3, 0.0725));
    ck_assert(reads_as("-.5e1", 0, -5.0));
    ck_assert(reads_as("1.", 0, 1.0));
    ck_assert(!reads_as("1,5", 0, 1.5));
    for (int i = 0; i < N_SAMPLES; i += 7) {
        double x = sample(i);
        ha__print_number(text, x);
        if (strchr(text, ',') != NULL || !reads_as(text, 0, x)) {
            ck_abort_msg("%s", text);
        }
        if (!reads_as(ha__print_short_number(text, x), 0, x)) {
            ck_abort_msg("%s", text);
        }
    }
    ck_assert_str_eq(setlocale(LC_ALL, NULL), before);
    forget_locale(directory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");
    TCase *tests = tcase_create("number");

    tcase_add_test(tests, seventeen_digits_are_those_of_printf);
    tcase_add_test(tests, what_is_no_number_has_a_name);
    tcase_add_test(tests, a_nan_has_no_sign);
    tcase_add_test(tests, the_short_form_reads_back_and_none_is_shorter);
    tcase_add_test(tests, short_forms_are_what_people_write);
    tcase_add_test(tests, rounded_numbers_show_the_digits_asked_for);
    tcase_add_test(tests, signs_that_say_nothing_go_and_all_else_is_kept);
    tcase_add_test(tests, the_length_of_a_number_is_found);
    tcase_add_test(tests, reading_is_correctly_rounded);
    tcase_add_test(tests, a_shift_of_the_exponent_is_as_if_it_were_written);
    tcase_add_test(tests, too_large_is_refused_and_too_small_is_zero_or_denormal);
    tcase_add_test(tests, what_is_not_exactly_a_number_is_refused);
    tcase_add_test(tests, many_digits_are_read_or_refused_but_never_cut);
    tcase_add_loop_test(tests, the_host_locale_does_not_matter, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
