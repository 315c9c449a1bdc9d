/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Antiderivatives by rule against quadrature and differences, what has none, quadrature against
 * closed forms, and the replacement of symbols.
 */
#include <config.h>

#include "lib/core/mem.h"
#include "lib/expr.h"
#include "lib/expr/quadrature.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr x, a;

static ha_expr lookup(void *user, const char *name)
{
    (void) user;
    return name[1] != '\0' ? HA_EXPR_NONE : name[0] == 'x' ? x : name[0] == 'a' ? a : HA_EXPR_NONE;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    x = ha_symbol(dag, "x");
    a = ha_symbol(dag, "a");
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_expr parse(const char *text)
{
    const ha_parse_def def = { .lookup = lookup };
    ha_expr e = HA_EXPR_NONE;

    ck_assert_int_eq(ha_expr_parse(dag, text, &def, &e), HA_OK);
    return e;
}

/* --- antiderivatives ------------------------------------------------------------------------- */

typedef struct {
    ha_expr e;
    double at;
} function;

static double value_of(void *user, ha_expr symbol)
{
    const function *f = user;

    return symbol == x ? f->at : 0.7;
}

static double value(void *user, double at)
{
    function *f = user;

    f->at = at;
    return ha_expr_value(dag, f->e, value_of, f);
}

static double next_random(void)
{
    static uint64_t seed = 7;

    return random_in(&seed, 0.0, 1.0);
}

static const struct {
    const char *text;
    double low, high;
} integrands[] = {
    { "a", -1e4, 1e4 },
    { "x", -1e4, 1e4 },
    { "3*x^3 - x/a + 2", -20, 20 },
    { "(x + 1)*(x - a)", -20, 20 },
    { "x^2*abs(x)^1.5", -20, 20 },
    { "sign(x)*x^2", -20, 20 },
    { "a*x*abs(x)", -1e4, 1e4 },
    { "(2*x + 50)^0.5", -24, 1e4 },
    { "(2*x + 50)^-2", -24, 1e4 },
    { "sqrt(50 - 2*x)", -1e4, 24 },
    { "exp(a*x - 1)", -40, 40 },
    { "sin(a*x + 1)", -30, 30 },
    { "-cos(1 - 3*x)/a", -30, 30 },
    { "sinh(a*x)", -40, 40 },
    { "cosh(1 - x)", -40, 40 },
    { "tanh(x)", -1e4, 1e4 },
    { "tanh(3*x/a - 2)", -1e4, 1e4 },
    { "5*tanh(1000*x)", -1e4, 1e4 },
    { "abs(2*x - 1)", -1e4, 1e4 },
    { "sign(x + 3)", -1e4, 1e4 },
    { "max(x - 1, 2*a*x)", -1e4, 1e4 },
    { "min(2, x)", -1e4, 1e4 },
    { "max(0, 3*x - a)", -1e4, 1e4 },
    { "if(x < 1, x^2, 2*x - 1)", -20, 20 },
    { "if(x >= a, exp(-x), 3)", -20, 20 },
    { "if(0 > x, tanh(x), if(x <= 2, x, (x + 1)^-2))", -1e3, 1e3 },
};

/* F(high) - F(low) is the integral between random ends, also across kinks and steps. */
START_TEST(differences_are_integrals)
{
    function f = { parse(integrands[_i].text), 0.0 };
    function F = { ha_antiderivative(dag, f.e, x), 0.0 };

    ck_assert_msg(F.e != HA_EXPR_NONE, "%s", integrands[_i].text);
    for (int trial = 0; trial < 40; trial++) {
        double width = integrands[_i].high - integrands[_i].low, exact = 0.0;
        double from = integrands[_i].low + width * next_random();
        double to = integrands[_i].low + width * next_random();
        ck_assert(ha__integrate(value, &f, from, to, &exact));
        double high = value(&F, to), low = value(&F, from);
        double bound = 1e-9 * (fabs(to - from) + fabs(high) + fabs(low));
        ck_assert_msg(fabs(high - low - exact) <= bound, "%s from %g to %g: %.15g, not %.15g",
                      integrands[_i].text, from, to, high - low, exact);
    }
}
END_TEST

/* The partial derivative of F is the integrand, away from kinks to rounding. */
START_TEST(the_derivative_is_the_integrand)
{
    function f = { parse(integrands[_i].text), 0.0 };
    function slope = { ha_partial(dag, ha_antiderivative(dag, f.e, x), x), 0.0 };

    for (int trial = 0; trial < 200; trial++) {
        double width = integrands[_i].high - integrands[_i].low;
        double at = integrands[_i].low + width * next_random(), wanted = value(&f, at);
        ck_assert_msg(fabs(value(&slope, at) - wanted) <= 1e-9 * (1.0 + fabs(wanted)),
                      "%s at %g: %.15g, not %.15g", integrands[_i].text, at, value(&slope, at),
                      wanted);
    }
}
END_TEST

static const char *const refused[] = {
    "1/x",
    "(2*x + 1)^-1",
    "exp(x^2)",
    "sin(x)*cos(x)",
    "x*exp(x)",
    "log(x)",
    "a^x",
    "sin(x)^2",
    "if(x^2 < 1, 1, 2)",
    "if(x == 1, 1, 2)",
    "if(x < 1, 1, 1/x)",
    "max(x^2, 1)",
    /* one piece has a pole, or no value, where the pieces meet */
    "if(x < 0, 1, x^-2)",
    "if(x < 1, 0, (x - 1)^-2)",
    "if(x > 2, 1, sqrt(1 - x))",
};

START_TEST(what_has_no_rule_has_no_antiderivative)
{
    ck_assert_msg(ha_antiderivative(dag, parse(refused[_i]), x) == HA_EXPR_NONE, "%s", refused[_i]);
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
}
END_TEST

/* --- quadrature ------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    double from, to, integral;
} integrals[] = {
    { "exp(x)", 0, 1, 1.71828182845904523536 },
    { "exp(x)", 1, 0, -1.71828182845904523536 },
    { "abs(x - 0.3)", 0, 1, 0.5 * (0.09 + 0.49) }, /* a kink */
    { "if(x < 0.3, 1, 5)", 0, 1, 3.8 },            /* a step */
    { "x^-0.5", 0, 4, 4.0 },                       /* an integrable pole at the end */
    { "1/(1 + x^2)", -1e3, 1e3, 2.0 * 1.5697963271282298 },
    { "x^2", 2, 2, 0.0 },
};

START_TEST(quadrature_finds_closed_forms)
{
    function f = { parse(integrals[_i].text), 0.0 };
    double found = 0.0;

    ck_assert(ha__integrate(value, &f, integrals[_i].from, integrals[_i].to, &found));
    ck_assert_double_eq_tol(found, integrals[_i].integral, 1e-8);
}
END_TEST

START_TEST(a_pole_has_no_integral)
{
    static const struct {
        const char *text;
        double from, to;
    } poles[] = { { "1/x", 0, 1 }, { "x^-2", -1, 1 }, { "x^-2", 0, 1 }, { "log(x)", -1, 1 } };

    for (size_t i = 0; i < HA_COUNT(poles); i++) {
        function f = { parse(poles[i].text), 0.0 };
        double found = 0.0;
        ck_assert_msg(!ha__integrate(value, &f, poles[i].from, poles[i].to, &found), "%s: %g",
                      poles[i].text, found);
    }
}
END_TEST

/* --- replacement ----------------------------------------------------------------------------- */

START_TEST(symbols_are_replaced_at_once)
{
    ha_expr from[2] = { x, a }, to[2] = { a, x };

    ck_assert_int_eq(ha_expr_replace(dag, parse("x^2 - sin(a)*x"), from, to, 2),
                     parse("a^2 - sin(x)*a"));
    ck_assert_int_eq(ha_expr_replace(dag, x, from, to, 2), a);
    ck_assert_int_eq(ha_expr_replace(dag, parse("3"), from, to, 2), parse("3"));
    ck_assert_int_eq(ha_expr_replace(dag, HA_EXPR_NONE, from, to, 2), HA_EXPR_NONE);
}
END_TEST

/* What is put in is not looked into, and replaces below what is made of it too. */
START_TEST(what_is_put_in_is_not_replaced_again)
{
    ha_expr to = parse("x + 1");

    ck_assert_int_eq(ha_expr_replace(dag, parse("exp(x)*(x + a)"), &x, &to, 1),
                     parse("exp(x + 1)*(x + 1 + a)"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("integral");
    TCase *tests = tcase_create("integral");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, differences_are_integrals, 0, (int) HA_COUNT(integrands));
    tcase_add_loop_test(tests, the_derivative_is_the_integrand, 0, (int) HA_COUNT(integrands));
    tcase_add_loop_test(tests, what_has_no_rule_has_no_antiderivative, 0, (int) HA_COUNT(refused));
    tcase_add_loop_test(tests, quadrature_finds_closed_forms, 0, (int) HA_COUNT(integrals));
    tcase_add_test(tests, a_pole_has_no_integral);
    tcase_add_test(tests, symbols_are_replaced_at_once);
    tcase_add_test(tests, what_is_put_in_is_not_replaced_again);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
