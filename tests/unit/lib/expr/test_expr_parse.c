/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expression parser: values against the C compiler's, positions and advice of errors, limits.
 */
#include <config.h>

#include "lib/expr.h"

#include "tests/util/util.h"

#include <check.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const struct {
    const char *name;
    double value;
} values[] = {
    { "a", 2.5 },    { "b", -1.25 },     { "c", 0.75 },           { "t", 0.3 },
    { "x_1", 7.0 },  { "J.angle", 0.4 }, { "1a.f", 11.0 },        { "0x", 13.0 },
    { "1e", 17.0 },  { "1.f", 19.0 },    { "min", 23.0 },         { "K1.H.vx", 29.0 },
    { "e", 31.0 },   { "E1", 37.0 },     { "k\u00f6rper", 41.0 }, { "\u03c9.x", 43.0 },
    { "a.1", 47.0 }, { "_u", 53.0 },     { "1e.f", 59.0 },
};

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr symbols[HA_COUNT(values)];

static ha_expr lookup(void *user, const char *name)
{
    (void) user;
    for (size_t i = 0; i < HA_COUNT(values); i++) {
        if (strcmp(values[i].name, name) == 0) {
            return symbols[i];
        }
    }
    return HA_EXPR_NONE;
}

static double value_of_symbol(void *user, ha_expr symbol)
{
    (void) user;
    for (size_t i = 0; i < HA_COUNT(values); i++) {
        if (symbols[i] == symbol) {
            return values[i].value;
        }
    }
    return -1e99;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
    for (size_t i = 0; i < HA_COUNT(values); i++) {
        symbols[i] = ha_symbol(dag, values[i].name);
    }
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_parse_def def_at(int line, int column)
{
    static const char *const known[] = { "gain", "radius", "J.angle", "K1.omega" };

    return (ha_parse_def){ .where = { "m.yaml", line, column },
                           .lookup = lookup,
                           .object = "value of `drive`",
                           .known = known,
                           .n_known = HA_COUNT(known) };
}

static ha_expr parse(const char *text)
{
    ha_parse_def def = def_at(1, 1);
    ha_expr e = HA_EXPR_NONE;
    ha_status status = ha_expr_parse(dag, text, &def, &e);

    ck_assert_msg(status == HA_OK, "`%.80s`: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "?");
    ck_assert_int_ne(e, HA_EXPR_NONE);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    return e;
}

static void expect_value(const char *text, double value)
{
    double x = ha_expr_value(dag, parse(text), value_of_symbol, NULL);

    ck_assert_msg(fabs(x - value) <= 4e-16 * fabs(value), "`%s` is %.17g, should be %.17g", text, x,
                  value);
}

/* Refused with one error at byte `byte` from 1, whose text names the object and has `part`. */
static void expect_error(const char *text, ha_status status, int byte, const char *part)
{
    ha_parse_def def = def_at(5, 101);
    ha_expr e = 12345;
    ha_status found = ha_expr_parse(dag, text, &def, &e);

    ck_assert_msg(found == status, "`%.80s` gives %s", text, ha_status_name(found));
    ck_assert_int_eq(e, 12345);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    const ha_diag *diag = ha_ctx_diag(ctx, 0);
    ck_assert_msg(strstr(diag->text, part) != NULL, "`%.80s`: %s", text, diag->text);
    ck_assert_msg(strncmp(diag->text, "value of `drive`: ", 18) == 0, "%s", diag->text);
    ck_assert_str_eq(diag->where.file, "m.yaml");
    ck_assert_int_eq(diag->where.line, 5);
    ck_assert_msg(diag->where.column == 100 + byte, "`%.80s`: byte %d: %s", text,
                  diag->where.column - 100, diag->text);
    ha_ctx_clear(ctx);
}

/* --- meaning --------------------------------------------------------------------------------- */

START_TEST(precedence_and_associativity_are_those_of_mathematics)
{
    expect_value("-2^2", -4.0);
    expect_value("(-2)^2", 4.0);
    expect_value("2^-1", 0.5);
    expect_value("2^3^2", 512.0);
    expect_value("2^-2^2", pow(2.0, -4.0));
    expect_value("-2^-2", -0.25);
    expect_value("--3", 3.0);
    expect_value("- -3", 3.0);
    expect_value("+3 - +4", -1.0);
    expect_value("10 - 4 - 3", 3.0);
    expect_value("100/10/2", 5.0);
    expect_value("2 + 3*4", 14.0);
    expect_value("(2 + 3)*4", 20.0);
    expect_value("2*-3", -6.0);
    expect_value("6/-3*2", -4.0);
    expect_value("a - b - c", 2.5 + 1.25 - 0.75);
    expect_value("a/b/c", 2.5 / -1.25 / 0.75);
    expect_value("-a^2", -6.25);
    expect_value("1 + 2 < 4", 1.0);
    expect_value("2*3 == 6", 1.0);
    expect_value("(1 < 2) < 2", 1.0);
}
END_TEST

START_TEST(comparisons_give_one_or_zero)
{
    static const char *const operators[] = { "<", "<=", ">", ">=", "==", "!=" };
    static const int truth[][6] = { { 1, 1, 0, 0, 0, 1 },
                                    { 0, 1, 0, 1, 1, 0 },
                                    { 0, 0, 1, 1, 0, 1 } };

    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 6; i++) {
            char text[32];
            snprintf(text, sizeof text, "%d%s2", k + 1, operators[i]);
            expect_value(text, truth[k][i]);
            snprintf(text, sizeof text, "x_1 %s %d", operators[i], 8 - k);
            expect_value(text, truth[k][i]);
        }
    }
    expect_value("if(a > b, 1, 2)", 1.0);
    expect_value("if(a < b, 1, 2)", 2.0);
    expect_value("if(t >= 0.3, a, b)", 2.5);
}
END_TEST

START_TEST(every_function_of_the_table_is_read)
{
    int n_functions = 0;

    for (int op = 0; op < (int) HA_OP_COUNT; op++) {
        const char *name = ha_op_text((ha_op) op);
        int arity = ha_op_arity((ha_op) op);
        if (arity == 0 || name[0] < 'a') {
            continue;
        }
        char text[64];
        snprintf(text, sizeof text, "%s(%s)", name,
                 arity == 1   ? "c"
                 : arity == 2 ? "c,a"
                              : "c, a,b");
        expect_value(text, arity == 1 ? ha_op_value((ha_op) op, 0.75, 0.0, 0.0)
                                      : ha_op_value((ha_op) op, 0.75, 2.5, -1.25));
        n_functions++;
    }
    ck_assert_int_ge(n_functions, 19);
    expect_value("atan2(1, -1)", 0.75 * pi);
    expect_value("sqrt(2)*sin(pi/4)", sqrt(2.0) * sin(pi / 4.0));
    expect_value("-3*(J.angle - 0.1*sin(2*pi*t))", -3.0 * (0.4 - 0.1 * sin(2.0 * pi * 0.3)));
    expect_value("exp(log(a))", exp(log(2.5)));
    expect_value("max(a, max(b, x_1))", 7.0);
}
END_TEST

START_TEST(names_and_numbers_are_told_apart)
{
    expect_value("1a.f", 11.0);
    expect_value("2*1a.f", 22.0);
    expect_value("0x", 13.0);
    expect_value("1e", 17.0);
    expect_value("1e.f", 59.0);
    expect_value("1.f", 19.0);
    expect_value("1e3", 1000.0);
    expect_value("1e+3", 1000.0);
    expect_value("1.e3", 1000.0);
    expect_value("1e-3", 1e-3);
    expect_value("1e3-1", 999.0);
    expect_value("1e+E1", 17.0 + 37.0);
    expect_value("2-e", -29.0);
    expect_value(".5", 0.5);
    expect_value("5.", 5.0);
    expect_value("5.+.5", 5.5);
    expect_value("K1.H.vx", 29.0);
    expect_value("a.1", 47.0);
    expect_value("_u", 53.0);
    expect_value("min", 23.0);
    expect_value("min(min, 2)", 2.0);
    expect_value("k\u00f6rper + \u03c9.x", 84.0);
    expect_value(" \t a\n +\r\n b ", 1.25);
    expect_value("pi", pi);
    expect_value("0.1", 0.1);
    expect_value("123456789.123456789e-3", 123456789.123456789e-3);
    expect_value("1e-310", 1e-310);
}
END_TEST

/* --- errors ---------------------------------------------------------------------------------- */

START_TEST(errors_have_the_place_of_the_offending_byte)
{
    expect_error("", HA_ERR_SYNTAX, 1, "there is no expression");
    expect_error("  ", HA_ERR_SYNTAX, 1, "there is no expression");
    expect_error("a +", HA_ERR_SYNTAX, 4, "the expression ends where a number, a name");
    expect_error("a + * b", HA_ERR_SYNTAX, 5, "found `*`");
    expect_error("(a + b", HA_ERR_SYNTAX, 7, "ends where an operator or `)`");
    expect_error("a + b)", HA_ERR_SYNTAX, 6, "found `)` where an operator or the end");
    expect_error("sin(a", HA_ERR_SYNTAX, 6, "ends where an operator, `,` or `)`");
    expect_error("()", HA_ERR_SYNTAX, 2, "found `)`");
    expect_error("a $ b", HA_ERR_SYNTAX, 3, "found `$`");
    expect_error("a b", HA_ERR_SYNTAX, 3, "found `b` where an operator");
    expect_error("2 mm + 3", HA_ERR_SYNTAX, 3, "a quantity with a unit stands alone");
    expect_error("2*3 mm", HA_ERR_SYNTAX, 5, "a quantity with a unit stands alone");
    expect_error("-(150 mm + 2)", HA_ERR_SYNTAX, 7, "found `mm`");
    expect_error("sin(60 deg)", HA_ERR_SYNTAX, 8, "found `deg`");
    expect_error("1.5a", HA_ERR_SYNTAX, 4, "an operator is missing between the number 1.5 and `a`");
    expect_error("1e3a", HA_ERR_SYNTAX, 4, "an operator is missing");
    expect_error("2(a)", HA_ERR_SYNTAX, 2, "found `(`");
    expect_error("J..x", HA_ERR_NAME, 1, "unknown name `J`");
    expect_error("a.", HA_ERR_SYNTAX, 2, "found `.`");
    expect_error("a < b < c", HA_ERR_SYNTAX, 7, "comparisons do not chain");
    expect_error("a + \xff", HA_ERR_SYNTAX, 5, "byte 0xFF");
    expect_error("a + \x01", HA_ERR_SYNTAX, 5, "byte 0x01");
}
END_TEST

START_TEST(slips_are_recognized)
{
    expect_error("a**2", HA_ERR_SYNTAX, 2, "write `^`");
    expect_error("a = b", HA_ERR_SYNTAX, 3, "write `==`");
    expect_error("a <> b", HA_ERR_SYNTAX, 3, "write `!=`");
    expect_error("a => b", HA_ERR_SYNTAX, 3, "write `>=`");
    expect_error("a =< b", HA_ERR_SYNTAX, 3, "write `<=`");
    expect_error("a && b", HA_ERR_SYNTAX, 3, "product of two comparisons");
    expect_error("a || b", HA_ERR_SYNTAX, 3, "max(a, b)");
    expect_error("!a", HA_ERR_SYNTAX, 1, "if(c, 0, 1)");
    expect_error("a ? b : c", HA_ERR_SYNTAX, 3, "if(c, a, b)");
    expect_error("1,5", HA_ERR_SYNTAX, 2, "decimal point");
    expect_error("a\u00b7b", HA_ERR_SYNTAX, 2, "write `*`");
    expect_error("a \u00d7 b", HA_ERR_SYNTAX, 3, "write `*`");
    expect_error("\u2212a", HA_ERR_SYNTAX, 1, "write `-`");
    expect_error("a\u00b2", HA_ERR_SYNTAX, 2, "write ^2");
    expect_error(".inf", HA_ERR_SYNTAX, 1, "finite");
}
END_TEST

START_TEST(unknown_names_and_functions_get_a_suggestion)
{
    expect_error("2*gian", HA_ERR_NAME, 3, "unknown name `gian`; did you mean `gain`?");
    expect_error("J.angel", HA_ERR_NAME, 1, "did you mean `J.angle`?");
    expect_error("zzzzzz", HA_ERR_NAME, 1, "unknown name `zzzzzz`; define it");
    expect_error("p1", HA_ERR_NAME, 1, "did you mean `pi`?");
    expect_error("sn(a)", HA_ERR_NAME, 1, "unknown function `sn`; did you mean `sin`?");
    expect_error("1 + sqr(a)", HA_ERR_NAME, 5, "did you mean `sqrt`?");
    expect_error("a(b + c)", HA_ERR_NAME, 1, "unknown function `a`; write *");
    expect_error("pi(2)", HA_ERR_NAME, 1, "unknown function `pi`");
    expect_error("sin a", HA_ERR_NAME, 1, "`sin` is a function");
    expect_error("if", HA_ERR_NAME, 1, "`if` is a function");
    expect_error("2a", HA_ERR_NAME, 1, "write 2*a");
    expect_error("0x1F", HA_ERR_NAME, 1, "hexadecimal");
    expect_error("nan", HA_ERR_NAME, 1, "no finite number");
    expect_error("-Inf", HA_ERR_NAME, 2, "no finite number");
}
END_TEST

START_TEST(wrong_argument_counts_are_told)
{
    expect_error("sin()", HA_ERR_SYNTAX, 1, "`sin` takes 1 argument, not 0");
    expect_error("2*sin(1, 2)", HA_ERR_SYNTAX, 3, "`sin` takes 1 argument, not 2");
    expect_error("atan2(a)", HA_ERR_SYNTAX, 1, "`atan2` takes 2 arguments, not 1");
    expect_error("if(a, b)", HA_ERR_SYNTAX, 1, "`if` takes 3 arguments, not 2");
    expect_error("max(1, 2, 3, 4, 5)", HA_ERR_SYNTAX, 1, "`max` takes 2 arguments, not 5");
    expect_error("max(1,)", HA_ERR_SYNTAX, 7, "found `)`");
}
END_TEST

START_TEST(numbers_beyond_doubles_are_refused)
{
    char digits[600];

    expect_error("1e400", HA_ERR_VALUE, 1, "too large");
    expect_error("2*1e-400", HA_ERR_VALUE, 3, "too small");
    memset(digits, '9', sizeof digits);
    digits[sizeof digits - 1] = '\0';
    expect_error(digits, HA_ERR_VALUE, 1, "400 digits");
    expect_value("0e999", 0.0);
    expect_value("0.000e-999", 0.0);
}
END_TEST

START_TEST(places_follow_lines_and_may_be_missing)
{
    ha_parse_def def = { .where = { "m.yaml", 3, 9 } };
    ha_expr e = HA_EXPR_NONE;

    ck_assert_int_eq(ha_expr_parse(dag, "1 +\n  2 + q", &def, &e), HA_ERR_NAME);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 4);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.column, 7);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text,
                     "expression: unknown name `q`; define it before it is used, or correct its "
                     "spelling");
    ha_ctx_clear(ctx);
    def.where = HA_NOWHERE;
    ck_assert_int_eq(ha_expr_parse(dag, "1 + )", &def, &e), HA_ERR_SYNTAX);
    ck_assert_ptr_null(ha_ctx_diag(ctx, 0)->where.file);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "(byte 5 of `1 + )`)"));
    ck_assert_int_eq(e, HA_EXPR_NONE);
}
END_TEST

/* --- limits ---------------------------------------------------------------------------------- */

/* head, n times part, middle, n times tail */
static char *nested(int n, const char *part, const char *middle, const char *tail)
{
    size_t size = (size_t) n * (strlen(part) + strlen(tail)) + strlen(middle) + 1;
    char *text = malloc(size);

    ck_assert_ptr_nonnull(text);
    char *end = text;
    for (int i = 0; i < n; i++) {
        end = stpcpy(end, part);
    }
    end = stpcpy(end, middle);
    for (int i = 0; i < n; i++) {
        end = stpcpy(end, tail);
    }
    return text;
}

START_TEST(nesting_is_limited_to_200)
{
    static const struct {
        const char *part, *middle, *tail;
    } forms[] = { { "(", "a", ")" },    { "-", "a", "" },        { "a^", "a", "" },
                  { "sin(", "a", ")" }, { "if(a,b,", "c", ")" }, { "1-(", "a", ")" } };

    for (size_t i = 0; i < HA_COUNT(forms); i++) {
        char *text = nested(199, forms[i].part, forms[i].middle, forms[i].tail);
        parse(text);
        free(text);
        text = nested(200, forms[i].part, forms[i].middle, forms[i].tail);
        ha_parse_def def = def_at(1, 1);
        ha_expr e = HA_EXPR_NONE;
        ck_assert_int_eq(ha_expr_parse(dag, text, &def, &e), HA_ERR_LIMIT);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "more than 200 levels"));
        ha_ctx_clear(ctx);
        free(text);
        text = nested(9000, forms[i].part, forms[i].middle, forms[i].tail);
        ck_assert_int_eq(ha_expr_parse(dag, text, &def, &e), HA_ERR_LIMIT);
        ha_ctx_clear(ctx);
        free(text);
    }
}
END_TEST

START_TEST(length_is_limited_to_64_kib)
{
    char *text = nested(65535 / 2, "a+", "a", "");

    ck_assert_uint_eq(strlen(text), 65535);
    ck_assert_double_eq_tol(ha_expr_value(dag, parse(text), value_of_symbol, NULL), 2.5 * 32768.0,
                            1e-6);
    free(text);
    text = nested(65536 / 2, "a+", "a", "");
    expect_error(text, HA_ERR_LIMIT, 1, "more than 65536 bytes");
    free(text);
    text = nested(300, "n", "", "");
    expect_error(text, HA_ERR_LIMIT, 1, "a name has more than 255 bytes");
    free(text);
}
END_TEST

START_TEST(failing_allocations_are_reported)
{
    for (size_t n = 1; n < 40; n++) {
        ha_ctx *own = ha_ctx_new();
        ha_dag *small = ha_dag_new(own);
        ha_parse_def def = { .object = "test" };
        ha_expr e = 12345;
        ha_ctx_fail_allocation(own, n);
        ha_status status =
            ha_expr_parse(small, "sin(1.5*2)^3 + if(1 < 2, max(3, 4), pi)", &def, &e);
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ck_assert_int_eq(status == HA_OK, ha_ctx_n_errors(own) == 0);
        ck_assert_int_eq(status == HA_OK, e != 12345);
        ck_assert(n > 1 || status == HA_ERR_MEMORY);
        ha_ctx_fail_allocation(own, 0);
        ck_assert_int_eq(ha_expr_parse(small, "1", &def, &e), status);
        ha_dag_free(small);
        ha_ctx_free(own);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_parse");
    TCase *tests = tcase_create("expr_parse");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, precedence_and_associativity_are_those_of_mathematics);
    tcase_add_test(tests, comparisons_give_one_or_zero);
    tcase_add_test(tests, every_function_of_the_table_is_read);
    tcase_add_test(tests, names_and_numbers_are_told_apart);
    tcase_add_test(tests, errors_have_the_place_of_the_offending_byte);
    tcase_add_test(tests, slips_are_recognized);
    tcase_add_test(tests, unknown_names_and_functions_get_a_suggestion);
    tcase_add_test(tests, wrong_argument_counts_are_told);
    tcase_add_test(tests, numbers_beyond_doubles_are_refused);
    tcase_add_test(tests, places_follow_lines_and_may_be_missing);
    tcase_add_test(tests, nesting_is_limited_to_200);
    tcase_add_test(tests, length_is_limited_to_64_kib);
    tcase_add_test(tests, failing_allocations_are_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
