/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions with their sides held: with the sides as the switching functions say they have the
 * value of the expression itself, with a side turned they go on smoothly.
 */
#include <config.h>

#include "lib/expr/expr_switch.h"

#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr x, y;
static ha__switches switches;
static double at[2];            /* values of x and y */
static signed char turned = -1; /* number of a switching function on the wrong side; -1: none */

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    x = ha_symbol(dag, "x");
    y = ha_symbol(dag, "y");
    turned = -1;
}

static void tear_down(void)
{
    ha__switches_clear(&switches);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_expr lookup(void *user, const char *name)
{
    (void) user;
    return strcmp(name, "x") == 0 ? x : strcmp(name, "y") == 0 ? y : HA_EXPR_NONE;
}

static ha_expr parse(const char *text)
{
    const ha_parse_def def = { .lookup = lookup };
    ha_expr e = HA_EXPR_NONE;

    ck_assert_int_eq(ha_expr_parse(dag, text, &def, &e), HA_OK);
    return e;
}

static double value_of(void *user, ha_expr symbol)
{
    const double *sides = user;

    if (symbol == x || symbol == y) {
        return at[symbol == y];
    }
    for (size_t i = 0; i < switches.items.count; i++) {
        if (switches.items.items[i].side == symbol) {
            return sides[i];
        }
    }
    return (double) NAN;
}

/* The value with the sides as the switching functions are, but for the one that is turned. A
   function reads only sides that come before its own. */
static double value(ha_expr e)
{
    double sides[8] = { 0.0 };

    ck_assert_uint_le(switches.items.count, HA_COUNT(sides));
    for (size_t i = 0; i < switches.items.count; i++) {
        bool is_above = ha_expr_value(dag, switches.items.items[i].g, value_of, sides) >= 0.0;
        sides[i] = (double) (turned == (int) i ? !is_above : is_above);
    }
    return ha_expr_value(dag, e, value_of, sides);
}

static ha_expr hold(const char *text)
{
    ha_expr out = HA_EXPR_NONE;

    ck_assert_int_eq(ha__hold_sides(&switches, ctx, dag, parse(text), &out), HA_OK);
    return out;
}

static const struct {
    const char *text;
    int n; /* switching functions */
} expressions[] = {
    { "x + y^2*sin(x)", 0 },
    { "(x == y) + (x != y)", 0 },
    { "floor(5*x)*y + floor(y)", 2 },
    { "abs(x)", 1 },
    { "sign(y)*x", 1 },
    { "min(x, y) + max(x, y)", 1 },
    { "if(x < y, x^2, 3*y)", 1 },
    { "if(x >= y, x^2, 3*y) + if(x <= y, 1, 2) + if(x > y, 4, 8)", 2 }, /* at the limit, too */
    { "if((x > 0) > 0, x, y) + abs(sign(x > 0) - 2)", 1 }, /* the others change with it */
    { "abs(x - min(y, 0.3)) + abs(y)", 3 },
    { "if((x > 0)*(y > 0), x*y, if(x > 0.5, 1, abs(x*y)))", 4 },
    { "max(0, x)^2 - max(0, -x)", 2 },
    { "abs(2 - 5)*x", 0 },
};

static const char *const limits[] = { "if(x > y, 1, 2)", "if(x >= y, 1, 2)", "if(x < y, 1, 2)",
                                      "if(x <= y, 1, 2)", "(x > y) + 3*(y < x) + 5*(x >= y)" };

/* A motion may start where two values are equal, or stay there. */
START_TEST(a_comparison_of_equals_is_what_it_says)
{
    ha_expr held = hold(limits[_i]), e = parse(limits[_i]);

    at[0] = at[1] = 0.3;
    ck_assert_double_eq(value(held), value(e));
}
END_TEST

START_TEST(value_is_that_of_the_expression)
{
    ha_expr held = hold(expressions[_i].text), e = parse(expressions[_i].text);

    ck_assert_uint_eq(switches.items.count, (size_t) expressions[_i].n);
    for (int i = 0; i < 200; i++) {
        at[0] = sin(12.9898 * i + 1.0);
        at[1] = sin(78.233 * i + 2.0);
        ck_assert_double_eq(value(held), value(e));
    }
}
END_TEST

/* Where both sides of a comparison stay equal it is what it says, not what it will be. */
START_TEST(what_stays_at_its_limit_is_on_the_right_side)
{
    ha_expr held = hold("if(max(x, 0) > 0, 1, 2) + if(0 < max(x, 0), 10, 20) + "
                        "if(max(x, 0) <= 0, 100, 200) + if(0 >= max(x, 0), 1e3, 2e3)");

    at[0] = -0.5;
    ck_assert_double_eq(value(held), 1122.0);
    at[0] = 0.5;
    ck_assert_double_eq(value(held), 2211.0);
}
END_TEST

START_TEST(the_sign_of_what_stays_0_is_0)
{
    ha_expr held = hold("sign(max(x, 0))");
    at[0] = 0.5;
    ck_assert_double_eq(value(held), 1.0);
    at[0] = -0.5;
    ck_assert_double_eq(value(held), 0.0);
}
END_TEST

START_TEST(a_held_side_goes_on_smoothly)
{
    ha_expr held = hold("abs(x) + max(x, y)");

    ck_assert_uint_eq(switches.items.count, 2);
    at[0] = -0.2;
    at[1] = 0.7;
    turned = 0; /* abs as for a positive x */
    ck_assert_double_eq(value(held), -0.2 + 0.7);
    turned = 1; /* max as for x above y */
    ck_assert_double_eq(value(held), 0.2 - 0.2);
    ha_expr slope = ha_partial(dag, held, x);
    turned = 0;
    ck_assert_double_eq(value(slope), 1.0);
}
END_TEST

/* With the side held for x = 0.2, y = -0.5 each is what it says there, and a number beyond. */
static const char *const roots[] = {
    "max(x, 0)^1.5",
    "if(x > 0, sqrt(3*x), 0)",
    "if(x <= 0, 0, x^y)",
    "if(x > y, (x - y)^1.5, y)",
    "if((x > 0)*(y < 0), sqrt(x)*(-2*y)^0.3, 1)",
    "if(y < 0, sqrt(-y), sqrt(y))",
};

START_TEST(a_root_has_a_value_beyond_its_side)
{
    ha_expr held = hold(roots[_i]), e = parse(roots[_i]);
    signed char sides = (signed char) switches.items.count;

    for (turned = -1; turned < sides; turned++) {
        at[0] = 0.2;
        at[1] = -0.5;
        ck_assert(turned >= 0 || value(held) == value(e));
        ck_assert(isfinite(value(held)));
    }
    turned = -1;
    at[0] = -0.2;
    at[1] = 0.5;
    ck_assert(value(held) == value(e));
}
END_TEST

/* A root that does not end at the condition has none where it had none. */
START_TEST(another_root_is_left_as_it_is)
{
    ha_expr held = hold("if(x > 0, sqrt(y), 0) + if(x > 0, 0, sqrt(x))");

    at[0] = 0.2;
    at[1] = -0.5;
    ck_assert(isnan(value(held)));
    at[0] = -0.2;
    ck_assert_double_nan(value(held));
}
END_TEST

START_TEST(functions_of_the_time_alone_are_clocks)
{
    switches.time = x;
    hold("if(x > 0.5, 1, 0) + abs(x - floor(3*x)/3 - 0.1) + max(x, y) + abs(sign(y) - x)");
    ck_assert_uint_eq(switches.items.count, 6);
    for (size_t i = 0; i < switches.items.count; i++) {
        char *text = ha_expr_text(dag, switches.items.items[i].g);
        /* the last stands behind a side that is no clock */
        ck_assert_msg(switches.items.items[i].is_clock == (i < 3), "%s", text);
        free(text);
    }
}
END_TEST

/* Products that are smooth as they are have no switching function; the others have theirs. */
static const struct {
    const char *text;
    size_t n;
} products[] = {
    { "x*abs(x)", 0 },
    { "3*x/y*abs(x)", 0 },
    { "-y*abs(x)*2*x", 0 },
    { "sign(x)*sqrt(abs(x))/y", 0 },
    { "sign(x - y)*abs(x - y)^0.6", 0 },
    { "x*abs(x)^1.5", 0 },
    { "abs(x)*abs(x)", 0 },
    { "min(x, y)*abs(min(x, y))", 1 },
    { "y*abs(x)", 1 },
    { "x*sign(x)", 1 },
    { "abs(x)/x", 1 },
    { "x*abs(x) + abs(x)", 1 },
    { "sign(x)*abs(x)^(0-1)", 1 },
};

START_TEST(smooth_products_are_left_as_they_are)
{
    ha_expr e = parse(products[_i].text), out = HA_EXPR_NONE;

    ck_assert_int_eq(ha__hold_sides(&switches, ctx, dag, e, &out), HA_OK);
    ck_assert_uint_eq(switches.items.count, products[_i].n);
    for (int k = 0; k < 4; k++) {
        at[0] = (k & 1) != 0 ? -1.5 : 0.7;
        at[1] = (k & 2) != 0 ? -0.4 : 2.0;
        ck_assert_double_eq_tol(value(out), ha_expr_value(dag, e, value_of, NULL), 1e-15);
    }
}
END_TEST

START_TEST(lack_of_memory_is_reported)
{
    for (size_t i = 1;; i++) {
        ha_expr out = HA_EXPR_NONE, e = parse("abs(x - min(y, 0.3)) + if(x > y, x, y)*x*abs(x)");
        ha_ctx_fail_allocation(ctx, i);
        ha_status status = ha__hold_sides(&switches, ctx, dag, e, &out);
        ha_ctx_fail_allocation(ctx, 0);
        if (status == HA_OK) {
            ck_assert_uint_gt(i, 3);
            break;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        tear_down();
        set_up();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_switch");
    TCase *tests = tcase_create("expr_switch");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, a_comparison_of_equals_is_what_it_says, 0, (int) HA_COUNT(limits));
    tcase_add_loop_test(tests, value_is_that_of_the_expression, 0, (int) HA_COUNT(expressions));
    tcase_add_test(tests, what_stays_at_its_limit_is_on_the_right_side);
    tcase_add_test(tests, the_sign_of_what_stays_0_is_0);
    tcase_add_test(tests, a_held_side_goes_on_smoothly);
    tcase_add_test(tests, functions_of_the_time_alone_are_clocks);
    tcase_add_loop_test(tests, a_root_has_a_value_beyond_its_side, 0,
                        (int) (sizeof roots / sizeof *roots));
    tcase_add_test(tests, another_root_is_left_as_it_is);
    tcase_add_loop_test(tests, smooth_products_are_left_as_they_are, 0, (int) HA_COUNT(products));
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
