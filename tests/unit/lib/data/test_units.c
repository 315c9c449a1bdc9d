/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities. The truth comes from strtod (correct rounding), from udunits2's own parser (meaning
 * of every name of our table with every prefix) and from closed forms.
 */
#include <config.h>

#include "lib/data/dimension.h"
#include "lib/data/units.h"

#include "lib/data/units_priv.h"

#include "tests/util/context.h"
#include "tests/util/random.h"

#include <check.h>
#include <udunits2.h>

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const char *text, ha__quantity expected)
{
    double x = -1.0;
    ha_status status = ha__quantity_read(ctx, text, expected, HA_NOWHERE, "test", &x);

    ck_assert_msg(status == HA_OK, "%s: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    return x;
}

static void expect_equal(const char *text, ha__quantity expected, double value)
{
    double x = value_of(text, expected);

    ck_assert_msg(x >= value && x <= value, "%s: %.17g, should be %.17g", text, x, value);
}

/* The text is refused with one error of this status whose text has `part`. */
static void expect_error(const char *text, ha__quantity expected, ha_status status,
                         const char *part)
{
    double x = 12345.0;
    ha_where where = { "model.yaml", 7, 11 };
    ha_status found = ha__quantity_read(ctx, text, expected, where, "`mass` of body `K1`", &x);

    ck_assert_msg(found == status, "`%s` gives %s", text, ha_status_name(found));
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    const ha_diag *diag = ha_ctx_diag(ctx, 0);
    ck_assert_msg(strstr(diag->text, part) != NULL, "`%s`: %s", text, diag->text);
    ck_assert_ptr_nonnull(strstr(diag->text, "`mass` of body `K1`"));
    ck_assert_str_eq(diag->where.file, "model.yaml");
    ck_assert_int_eq(diag->where.line, 7);
    ck_assert_int_ge(diag->where.column, 11);
    ck_assert_int_le(diag->where.column, 11 + (int) strlen(text));
    ck_assert(x > 12344.0 && x < 12346.0);
    ha_ctx_clear(ctx);
}

/* --- values ---------------------------------------------------------------------------------- */

START_TEST(decimal_prefixes_are_correctly_rounded)
{
    static const struct {
        const char *unit;
        int ten;
    } cases[] = { { "mm", -3 }, { "um", -6 }, { "\u00b5m", -6 }, { "nm", -9 },
                  { "km", 3 },  { "g", -3 },  { "mg", -6 },      { "t", 3 },
                  { "ms", -3 }, { "kN", 3 },  { "N/mm", 3 },     { "g.mm2", -9 },
                  { "bar", 5 }, { "L", -3 },  { "cm/s2", -2 },   { "N.ms/m", -3 } };
    uint64_t seed = 12345;

    for (int i = 0; i < 20000; i++) {
        char digits[64], text[96], shifted[96];
        int a = random_below(&seed, i % 7 == 0 ? 10 : 100000);
        int b = random_below(&seed, 1000);
        snprintf(digits, sizeof digits, "%d.%0*d", a, 1 + i % 9, b);
        size_t k = (size_t) i % HA_COUNT(cases);
        snprintf(text, sizeof text, "%s %s", digits, cases[k].unit);
        snprintf(shifted, sizeof shifted, "%se%d", digits, cases[k].ten);
        expect_equal(text, HA__QUANTITY_ANY, strtod(shifted, NULL));
    }
}
END_TEST

START_TEST(values_of_the_documentation_are_exact)
{
    expect_equal("72 mm", HA__QUANTITY_LENGTH, 72e-3);
    expect_equal("43.25 g", HA__QUANTITY_MASS, 43.25e-3);
    expect_equal("0.1 ms", HA__QUANTITY_TIME, 0.1e-3);
    expect_equal("77.85 mm", HA__QUANTITY_LENGTH, 77.85e-3);
    expect_equal("2.194e-6 kg.m2", HA__QUANTITY_INERTIA, 2.194e-6);
    expect_equal("0.033 N.m", HA__QUANTITY_TORQUE, 0.033);
    expect_equal("4530 N/m", HA__QUANTITY_STIFFNESS, 4530.0);
    expect_equal("1e3 N.s/m", HA__QUANTITY_DAMPING, 1e3);
    expect_equal("-9.81 m/s2", HA__QUANTITY_ACCELERATION, -9.81);
    expect_equal("10 uF", HA__QUANTITY_ANY, 10e-6);
    expect_equal("1.2 ohm", HA__QUANTITY_ANY, 1.2);
    expect_equal("12 V", HA__QUANTITY_ANY, 12.0);
    expect_equal("0.3kg", HA__QUANTITY_MASS, 0.3);
    expect_equal("  5  ", HA__QUANTITY_MASS, 5.0);
    expect_equal("36 km/h", HA__QUANTITY_VELOCITY, 10.0);
}
END_TEST

START_TEST(angles_and_speeds_cost_one_multiplication)
{
    expect_equal("30 deg", HA__QUANTITY_ANGLE, 30.0 * (HA__PI / 180.0));
    expect_equal("180 \u00b0", HA__QUANTITY_ANGLE, HA__PI);
    expect_equal("1500 rev/min", HA__QUANTITY_ANGULAR_VELOCITY, 1500.0 * (2.0 * HA__PI / 60.0));
    expect_equal("1500 tr/min", HA__QUANTITY_ANGULAR_VELOCITY, 1500.0 * (2.0 * HA__PI / 60.0));
    expect_equal("1500 rpm", HA__QUANTITY_ANGULAR_VELOCITY, 1500.0 * (2.0 * HA__PI / 60.0));
    expect_equal("2 rev", HA__QUANTITY_ANGLE, 4.0 * HA__PI);
    expect_equal("90 deg/s2", HA__QUANTITY_ANGULAR_ACCELERATION, 90.0 * (HA__PI / 180.0));
    ck_assert_double_eq_tol(value_of("1 N.m/deg", HA__QUANTITY_ANGULAR_STIFFNESS), 180.0 / HA__PI,
                            1e-13);
}
END_TEST

START_TEST(powers_and_joints_are_read_in_every_spelling)
{
    static const char *const spellings[] = {
        "g.mm2",       "g*mm2", "g.mm^2",  "g*mm**2",   "g.mm\u00b2", "g\u00b7mm2",
        "g\u22c5mm^2", "mm2.g", "g.mm.mm", "(g.mm).mm", "g / mm-2",   "g/(mm^-2)"
    };

    for (size_t i = 0; i < HA_COUNT(spellings); i++) {
        char text[64];
        snprintf(text, sizeof text, "7 %s", spellings[i]);
        expect_equal(text, HA__QUANTITY_INERTIA, 7e-9);
    }
    expect_equal("4 1/s", HA__QUANTITY_FREQUENCY, 4.0);
    expect_equal("4 s-1", HA__QUANTITY_FREQUENCY, 4.0);
    expect_equal("4 s^-1", HA__QUANTITY_FREQUENCY, 4.0);
    expect_equal("4 s\u207b\u00b9", HA__QUANTITY_FREQUENCY, 4.0);
    /* from left to right, as udunits2 does */
    expect_equal("3 N/mm.s", HA__QUANTITY_ANY, 3e3);
    expect_equal("3 kN.mm/s/mm", HA__QUANTITY_ANY, 3e3);
}
END_TEST

/* udunits2's own reading of a unit: its factor to SI and whether it has the dimension of `si`. */
static bool foreign_factor(ut_system *units, const char *name, const char *si, double *factor)
{
    ut_unit *unit = ut_parse(units, name, UT_UTF8), *to = ut_parse(units, si, UT_UTF8);
    cv_converter *converter = unit == NULL || to == NULL ? NULL : ut_get_converter(unit, to);

    if (converter != NULL) {
        *factor = cv_convert_double(converter, 1.0);
        cv_free(converter);
    }
    ut_free(unit);
    ut_free(to);
    return converter != NULL;
}

/* The SI unit of our unit in udunits2's spelling. */
static void si_text(const int *powers, char *buffer, size_t size)
{
    static const char *const symbols[] = { "kg", "m", "s", "A", "K", "mol", "cd", "rad" };

    snprintf(buffer, size, "1");
    for (int i = 0; i < HA__N_BASES; i++) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, ".%s%d", symbols[i], powers[i]);
    }
}

START_TEST(own_units_agree_with_udunits2)
{
    /* what udunits2 does not know or takes for something else */
    static const char *const own[] = { "Ohm",   "Nm",   "Nmm", "Ncm", "Ns",  "Nms", "deg",
                                       "rev",   "revs", "tr",  "oz",  "lbs", "lbm", "ozf",
                                       "PS",    "thou", "kmh", "kph", "mph", "ksi", "Wh",
                                       "Ah",    "kp",   "gf",  "gon", "rps", "ohm", "degrees",
                                       "turns", "psi",  "l" };
    static const struct {
        const char *name;
        int prefix;
    } rows[] = {
#define X(name, times, over, ten, prefix, kg, m, s, A, K, mol, cd, rad) { name, prefix },
#include "lib/data/unit_names.def"
#undef X
    };
    static const char *const prefixes[] = { "", "m", "k", "\u00b5", "u", "M", "G", "n", "c", "da" };
    int n_compared = 0;

    ut_set_error_message_handler(ut_ignore);
    ut_system *units = ut_read_xml(NULL);
    ck_assert_ptr_nonnull(units);
    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        bool is_own = false;
        for (size_t k = 0; k < HA_COUNT(own); k++) {
            is_own |= strcmp(own[k], rows[i].name) == 0;
        }
        size_t n_prefixes = rows[i].prefix ? HA_COUNT(prefixes) : 1;
        for (size_t k = 0; k < n_prefixes && !is_own; k++) {
            char name[64], si[128];
            ha__unit unit = HA__UNIT_ONE;
            double factor = 0.0;
            snprintf(name, sizeof name, "%s%s", prefixes[k], rows[i].name);
            ck_assert_int_eq(ha__unit_find(name, strlen(name), true, &unit), HA__UNIT_FINE);
            si_text(unit.powers, si, sizeof si);
            ck_assert_msg(foreign_factor(units, name, si, &factor), "%s is no %s", name, si);
            double ours = unit.times / unit.over * pow(10.0, unit.ten);
            ck_assert_msg(fabs(ours / factor - 1.0) < 5e-7, "%s: %.17g, udunits2 has %.17g", name,
                          ours, factor);
            n_compared++;
        }
    }
    ck_assert_int_gt(n_compared, 250);
    ut_free_system(units);
}
END_TEST

START_TEST(units_beyond_our_table_come_from_udunits2)
{
    expect_equal("3 millimeter", HA__QUANTITY_LENGTH, 3e-3);
    expect_equal("3 millimeters", HA__QUANTITY_LENGTH, 3e-3);
    expect_equal("2 kilonewton", HA__QUANTITY_FORCE, 2e3);
    expect_equal("5 slug", HA__QUANTITY_MASS, 5.0 * 14.5939);
    expect_equal("2 hours", HA__QUANTITY_TIME, 7200.0);
    ck_assert_double_eq_tol(value_of("1 revolution/minute", HA__QUANTITY_ANGULAR_VELOCITY),
                            2.0 * HA__PI / 60.0, 1e-15);
    ck_assert_double_eq_tol(value_of("1 arcmin", HA__QUANTITY_ANGLE), HA__PI / 180.0 / 60.0, 1e-18);
}
END_TEST

START_TEST(trade_units_have_their_legal_values)
{
    ck_assert_double_eq_tol(value_of("1 lbf", HA__QUANTITY_FORCE), 0.45359237 * 9.80665, 1e-15);
    ck_assert_double_eq_tol(value_of("1 psi", HA__QUANTITY_PRESSURE),
                            0.45359237 * 9.80665 / (0.0254 * 0.0254), 1e-11);
    ck_assert_double_eq_tol(value_of("1 hp", HA__QUANTITY_POWER),
                            550.0 * 0.3048 * 0.45359237 * 9.80665, 1e-11);
    ck_assert_double_eq_tol(value_of("1 PS", HA__QUANTITY_POWER), 75.0 * 9.80665, 1e-12);
    ck_assert_double_eq_tol(value_of("16 oz", HA__QUANTITY_MASS), 0.45359237, 1e-16);
    ck_assert_double_eq_tol(value_of("1 mph", HA__QUANTITY_VELOCITY), 1609.344 / 3600.0, 1e-16);
    ck_assert_double_eq_tol(value_of("1 kgf", HA__QUANTITY_FORCE), 9.80665, 1e-15);
    ck_assert_double_eq_tol(value_of("1 kWh", HA__QUANTITY_ENERGY), 3.6e6, 1e-9);
    ck_assert_double_eq_tol(value_of("1000 thou", HA__QUANTITY_LENGTH), 0.0254, 1e-17);
    ck_assert_double_eq_tol(value_of("5 %", HA__QUANTITY_NUMBER), 0.05, 1e-17);
}
END_TEST

/* --- kinds ----------------------------------------------------------------------------------- */

START_TEST(every_row_accepts_its_own_unit_and_examples)
{
    static const struct {
        const char *si, *example, *other;
    } rows[] = {
#define X(name, words, si, example, other, kg, m, s, A, K, mol, cd, rad) { si, example, other },
#include "lib/data/quantities.def"
#undef X
    };

    for (int i = 0; i < (int) HA_COUNT(rows); i++) {
        char text[64];
        snprintf(text, sizeof text, "3 %s", rows[i].si);
        expect_equal(text, (ha__quantity) i, 3.0);
        snprintf(text, sizeof text, "3 %s", rows[i].example);
        ck_assert_double_gt(value_of(text, (ha__quantity) i), 0.0);
        snprintf(text, sizeof text, "3 %s", rows[i].other);
        ck_assert_double_gt(value_of(text, (ha__quantity) i), 0.0);
    }
}
END_TEST

START_TEST(wrong_dimensions_are_named_in_words)
{
    expect_error("28 mm", HA__QUANTITY_MASS, HA_ERR_UNIT,
                 "28 mm is a length, a mass in kg is expected; write for example 28 kg");
    expect_error("3 kg", HA__QUANTITY_NUMBER, HA_ERR_UNIT, "a number without a unit is expected");
    expect_error("3 kg.m3/s", HA__QUANTITY_MASS, HA_ERR_UNIT, "of the dimension kg.m3.s-1");
    expect_error("3 m3/s", HA__QUANTITY_MASS, HA_ERR_UNIT, "of the dimension m3.s-1");
    expect_error("3 deg", HA__QUANTITY_NUMBER, HA_ERR_UNIT, "is an angle");
    expect_error("3 m", HA__QUANTITY_ANGLE, HA_ERR_UNIT, "an angle in rad is expected");
}
END_TEST

START_TEST(a_frequency_is_no_angular_velocity)
{
    expect_error("50 Hz", HA__QUANTITY_ANGULAR_VELOCITY, HA_ERR_UNIT, "50 rad/s or 50 rev/min");
    expect_error("50 1/s", HA__QUANTITY_ANGULAR_VELOCITY, HA_ERR_UNIT, "50 rad/s or 50 rev/min");
    expect_error("50 rad/s", HA__QUANTITY_FREQUENCY, HA_ERR_UNIT, "an angular velocity");
    expect_error("5 m/m", HA__QUANTITY_ANGLE, HA_ERR_UNIT, "5 rad or 5 deg");
}
END_TEST

START_TEST(an_energy_is_no_torque_but_may_be_written_as_one)
{
    expect_error("3 J", HA__QUANTITY_TORQUE, HA_ERR_UNIT, "3 J is an energy");
    expect_error("3 kW.h", HA__QUANTITY_TORQUE, HA_ERR_UNIT, "an energy");
    expect_error("3 Wh", HA__QUANTITY_TORQUE, HA_ERR_UNIT, "an energy");
    expect_equal("3 Nm", HA__QUANTITY_TORQUE, 3.0);
    expect_equal("3 mNm", HA__QUANTITY_TORQUE, 3e-3);
    expect_equal("3 N.m", HA__QUANTITY_ENERGY, 3.0);
    expect_equal("3 N.m", HA__QUANTITY_ANGULAR_STIFFNESS, 3.0);
    expect_equal("3 N.m.s", HA__QUANTITY_ANGULAR_DAMPING, 3.0);
    expect_error("3 N.m/rad", HA__QUANTITY_TORQUE, HA_ERR_UNIT, "an angular stiffness");
}
END_TEST

/* --- refusals -------------------------------------------------------------------------------- */

START_TEST(texts_that_are_no_finite_decimal_number_are_refused)
{
    expect_error("", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "no value");
    expect_error("   ", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "no value");
    expect_error("nan", HA__QUANTITY_MASS, HA_ERR_VALUE, "not finite");
    expect_error(".NaN", HA__QUANTITY_MASS, HA_ERR_VALUE, "not finite");
    expect_error("-.inf", HA__QUANTITY_MASS, HA_ERR_VALUE, "not finite");
    expect_error("Infinity", HA__QUANTITY_MASS, HA_ERR_VALUE, "not finite");
    expect_error("1e400", HA__QUANTITY_MASS, HA_ERR_VALUE, "too large");
    expect_error("1e300 Ym", HA__QUANTITY_LENGTH, HA_ERR_VALUE, "too large");
    expect_error("1e-400", HA__QUANTITY_MASS, HA_ERR_VALUE, "too small");
    expect_error("1e-320 mg", HA__QUANTITY_MASS, HA_ERR_VALUE, "too small");
    expect_error("0x10", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "hexadecimal");
    expect_error("-0X1p3", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "hexadecimal");
    expect_error("1,5 kg", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "decimal comma");
    expect_error("1 000 kg", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "blank in the number");
    expect_error("1_000 kg", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "between its digits");
    expect_error("heavy", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "does not begin with a number");
    expect_error("--3", HA__QUANTITY_MASS, HA_ERR_SYNTAX, "does not begin with a number");
    expect_equal("0.000", HA__QUANTITY_MASS, 0.0);
    expect_equal("0e-999 g", HA__QUANTITY_MASS, 0.0);
}
END_TEST

START_TEST(units_outside_the_grammar_are_refused)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        { "3 N/m^1.5", "no power" },
        { "3 m^(1/2)", "no power" },
        { "3 m^0", "no power" },
        { "3 m^", "no power" },
        { "3 m-", "no power" },
        { "3 m100", "no power" },
        { "3 s since 2000", "since" },
        { "3 s @ 5", "after a blank" },
        { "3 s@5", "unexpected" },
        { "3 N m", "join units by" },
        { "3 K + 5", "join units by" },
        { "3 kg/", "ends too early" },
        { "3 (kg", "ends too early" },
        { "3 kg)", "unexpected" },
        { "3 /s", "unexpected" },
        { "3 kg..m", "unexpected" },
        { "3 kg/2", "unexpected" },
        { "25 degC", "offset" },
        { "25 celsius", "offset" },
        { "25 \u00b0C", "`\u00b0C`" },
        { "3 kgg", "did you mean `kg`" },
        { "3 kgm2", "did you mean `kg.m`" },
        { "3 gcm2", "did you mean `g.cm`" },
        { "3 rpms", "did you mean `rpm`" },
        { "3 kg*9.81", "`9` is unexpected in a unit; write for example N.m/rad, g.mm2 or 1/s; a "
                       "quantity stands alone" },
        { "3 KG", "did you mean `kg`" },
        { "3 RPM", "did you mean `rpm`" },
        { "3 Newtonmetre", "unknown unit" },
        { "50 N * sin(t)", "`sin` is no unit" },
        { "2 pi", "2*pi" },
        { "2 e", "unknown unit" },
        { "3 \xff", "unexpected" },
        { "3 ((((((((((m))))))))))", "parentheses" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        expect_error(cases[i].text, HA__QUANTITY_ANY, HA_ERR_UNIT, cases[i].part);
    }
}
END_TEST

START_TEST(the_longest_texts_are_refused_or_read)
{
    char text[2000];

    memset(text, '1', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_error(text, HA__QUANTITY_MASS, HA_ERR_LIMIT, "more than 512 bytes");
    ck_assert(!ha__quantity_is_number_with_unit(text));
    text[300] = '\0';
    ck_assert_double_eq_tol(value_of(text, HA__QUANTITY_MASS) / 1.1111111111111111e299, 1.0, 1e-15);
    text[401] = '\0';
    memset(text, '1', 401);
    expect_error(text, HA__QUANTITY_MASS, HA_ERR_VALUE, "too many digits");
    strcpy(text, "3 ");
    while (strlen(text) < 500) {
        strcat(text, "m/m.");
    }
    strcat(text, "m");
    expect_equal(text, HA__QUANTITY_LENGTH, 3.0);
    memset(text + 2, 'm', 500);
    text[502] = '\0';
    expect_error(text, HA__QUANTITY_LENGTH, HA_ERR_UNIT, "unknown unit");
}
END_TEST

START_TEST(a_missing_database_is_named_with_what_to_install)
{
    setenv("UDUNITS2_XML_PATH", "/nonexistent/udunits2.xml", 1);
    expect_error("3 slug", HA__QUANTITY_MASS, HA_ERR_UNIT, "libudunits2-data");
    expect_equal("3 kg", HA__QUANTITY_MASS, 3.0);
    unsetenv("UDUNITS2_XML_PATH");
    expect_equal("1 kiloslug", HA__QUANTITY_MASS, 14593.9);
}
END_TEST

/* --- form ------------------------------------------------------------------------------------ */

START_TEST(a_number_a_blank_and_a_word_is_a_quantity)
{
    static const char *const quantities[] = { "5",        "-5.5e3", "28 mm", "0.3kg", "+3 nonsense",
                                              "2 pi",     "30deg",  "5 1/s", " 3 % ", "3%",
                                              "4 \u00b0", ".5 m",   "1e3m",  "5\tkg", "3 \u03a9" };
    static const char *const expressions[] = { "",     "a",          "2*3",   "-a",    "5 * 3",
                                               "5/s",  "5 / s",      "1a.f",  "0x.f",  "1e",
                                               "1m.f", "1m.e",       "(3)",   "3 - 2", "3kgg",
                                               "nan",  "- 3 m",      "3 + 2", "0x10",  "3 < 4",
                                               "2^3",  "5 \u00b7 3", "1.f" };

    for (size_t i = 0; i < HA_COUNT(quantities); i++) {
        ck_assert_msg(ha__quantity_is_number_with_unit(quantities[i]), "%s", quantities[i]);
    }
    for (size_t i = 0; i < HA_COUNT(expressions); i++) {
        ck_assert_msg(!ha__quantity_is_number_with_unit(expressions[i]), "%s", expressions[i]);
    }
}
END_TEST

static void *read_many(void *argument)
{
    ha_ctx *own = ha_ctx_new();
    int *n_wrong = argument;

    for (int i = 0; i < 300 && own != NULL; i++) {
        double x = 0.0, y = 0.0;
        if (ha__quantity_read(own, "2 slug", HA__QUANTITY_MASS, HA_NOWHERE, "m", &x) != HA_OK ||
            ha__quantity_read(own, "3 furlong", HA__QUANTITY_ANY, HA_NOWHERE, "l", &y) != HA_OK ||
            fabs(x - 29.1878) > 1e-9 || fabs(y - 603.505) > 1e-2) {
            ++*n_wrong;
        }
    }
    ha_ctx_free(own);
    return NULL;
}

START_TEST(units_of_different_dimensions_are_unlike)
{
    static const struct {
        const char *text, *like;
        ha_status status;
    } cases[] = { { "3 mm", "1 ft", HA_OK },
                  { "3 kg", "1 m", HA_ERR_UNIT },
                  { "3 V/A", "1 ohm", HA_OK },
                  { "3 mH", "1 ohm", HA_ERR_UNIT },
                  { "3", "1 ohm", HA_OK },
                  { "3 ohm", "1", HA_OK },
                  { "2*x", "1 ohm", HA_OK },
                  { "3 ohm", "R/2", HA_OK },
                  { "3 parsnips", "1 ohm", HA_OK },
                  { "3 rad/s", "1 Hz", HA_ERR_UNIT },
                  { "3 N.m.s/rad", "1 N.m.s", HA_OK },
                  { "3 N.m.s", "1 N.m.s/rad", HA_OK },
                  { "", "1 ohm", HA_OK } };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        ha_status status = ha__quantity_check_like(ctx, cases[i].text, cases[i].like,
                                                   (ha_where){ "a.yaml", 2, 5 }, "`R`");
        ck_assert_msg(status == cases[i].status, "%s like %s: %s", cases[i].text, cases[i].like,
                      ha_status_name(status));
    }
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "3 kg is a mass"));
}
END_TEST

START_TEST(a_dimension_has_the_unit_that_engineers_write)
{
    static const char *const cases[][2] = { { "3 N.m.s", "N.m.s" },
                                            { "3 N.mm.s/rad", "N.m.s/rad" },
                                            { "3 kN.mm", "N.m" },
                                            { "3 rev/min", "rad/s" },
                                            { "3 kg.m/s", "kg.m.s-1" } };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char buffer[64];
        ha__dimension is;
        ck_assert(ha__dimension_read(cases[i][0], &is));
        ck_assert_str_eq(ha__dimension_unit(is, buffer, sizeof buffer), cases[i][1]);
    }
}
END_TEST

START_TEST(a_unit_has_a_dimension_and_a_factor)
{
    static const struct {
        const char *unit, *si;
        double factor;
    } known[] = {
        { "mm", "m", 1e-3 },    { "rev/min", "rad/s", 2.0 * 3.14159265358979323846 / 60.0 },
        { "1/ms", "1/s", 1e3 }, { "kN.cm/deg", "N.m/rad", 10.0 * 180.0 / 3.14159265358979 },
        { "kW.h", "J", 3.6e6 }, { "m", "m", 1.0 },
    };
    ha__dimension is, of;
    double factor = 7.0;

    for (size_t i = 0; i < HA_COUNT(known); i++) {
        ck_assert(ha__dimension_of_unit(known[i].unit, &is, &factor));
        ck_assert(ha__dimension_of_unit(known[i].si, &of, NULL));
        ck_assert_mem_eq(&is, &of, sizeof is);
        ck_assert_double_eq_tol(factor / known[i].factor, 1.0, 1e-13);
    }
    ck_assert(!ha__dimension_of_unit("", &is, &factor));
    ck_assert(!ha__dimension_of_unit("blorp", &is, &factor));
    ck_assert(!ha__dimension_of_unit("degC", &is, &factor));
    ck_assert_mem_eq(&is, &of, sizeof is);
    ck_assert_double_eq(factor, 1.0);
}
END_TEST

START_TEST(threads_share_udunits2)
{
    pthread_t threads[4];
    int n_wrong[4] = { 0 };

    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_many, &n_wrong[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(n_wrong[i], 0);
    }
}
END_TEST

static int said(const char *format, va_list arguments)
{
    (void) format;
    (void) arguments;
    ck_abort_msg("udunits2 printed something");
}

START_TEST(the_host_keeps_its_message_handler)
{
    ut_set_error_message_handler(said);
    expect_error("3 blorp", HA__QUANTITY_MASS, HA_ERR_UNIT, "unknown unit");
    expect_equal("1 slug", HA__QUANTITY_MASS, 14.5939);
    ck_assert(ut_set_error_message_handler(ut_write_to_stderr) == said);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("units");
    TCase *tests = tcase_create("units");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, decimal_prefixes_are_correctly_rounded);
    tcase_add_test(tests, values_of_the_documentation_are_exact);
    tcase_add_test(tests, angles_and_speeds_cost_one_multiplication);
    tcase_add_test(tests, powers_and_joints_are_read_in_every_spelling);
    tcase_add_test(tests, a_missing_database_is_named_with_what_to_install);
    tcase_add_test(tests, own_units_agree_with_udunits2);
    tcase_add_test(tests, units_beyond_our_table_come_from_udunits2);
    tcase_add_test(tests, trade_units_have_their_legal_values);
    tcase_add_test(tests, every_row_accepts_its_own_unit_and_examples);
    tcase_add_test(tests, wrong_dimensions_are_named_in_words);
    tcase_add_test(tests, a_frequency_is_no_angular_velocity);
    tcase_add_test(tests, an_energy_is_no_torque_but_may_be_written_as_one);
    tcase_add_test(tests, texts_that_are_no_finite_decimal_number_are_refused);
    tcase_add_test(tests, units_outside_the_grammar_are_refused);
    tcase_add_test(tests, the_longest_texts_are_refused_or_read);
    tcase_add_test(tests, a_number_a_blank_and_a_word_is_a_quantity);
    tcase_add_test(tests, units_of_different_dimensions_are_unlike);
    tcase_add_test(tests, a_dimension_has_the_unit_that_engineers_write);
    tcase_add_test(tests, a_unit_has_a_dimension_and_a_factor);
    tcase_add_test(tests, threads_share_udunits2);
    tcase_add_test(tests, the_host_keeps_its_message_handler);
    suite_add_tcase(suite, tests);

    return test_run(suite);
}
