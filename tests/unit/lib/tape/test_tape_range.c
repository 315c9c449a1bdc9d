/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes over ranges and spans of time: the bounds hold every value that the tape has at points of
 * the ranges, they close in on the value as the ranges shrink, and a range of one point gives the
 * value itself.
 */
#include <config.h>

#include "lib/tape/tape.h"

#include "lib/core/mem.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr inputs[2];
static ha__tape *tape;
static double *work, *low, *high;

static ha_expr lookup(void *user, const char *name)
{
    (void) user;
    return name[1] != '\0' ? HA_EXPR_NONE : name[0] == 'x' ? inputs[0] : inputs[1];
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    inputs[0] = ha_symbol(dag, "x");
    inputs[1] = ha_symbol(dag, "y");
}

static void tear_down(void)
{
    free(work);
    free(low);
    free(high);
    ha__tape_free(tape);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static void compile(const char *text)
{
    const ha_parse_def def = { .lookup = lookup };
    ha_expr root = HA_EXPR_NONE;

    ck_assert_int_eq(ha_expr_parse(dag, text, &def, &root), HA_OK);
    ck_assert_int_eq(ha__tape_new(ctx, dag, &root, 1, inputs, 2, &tape), HA_OK);
    work = calloc(ha__tape_work_size(tape), sizeof *work);
    low = calloc(ha__tape_work_size(tape), sizeof *low);
    high = calloc(ha__tape_work_size(tape), sizeof *high);
    ha__tape_prepare(tape, work);
    ha__tape_prepare(tape, low);
    ha__tape_prepare(tape, high);
}

static double value(double x, double y)
{
    double out = 0.0;

    work[0] = x;
    work[1] = y;
    ha__tape_run(tape, work, &out);
    return out;
}

static void bounds(double x0, double x1, double y0, double y1, double out[2])
{
    low[0] = x0;
    high[0] = x1;
    low[1] = y0;
    high[1] = y1;
    ha__tape_range(tape, low, high, &out[0], &out[1]);
}

static const char *const expressions[] = {
    "x + y",
    "x - y",
    "x*y",
    "x/y",
    "-x",
    "x^2",
    "x^3",
    "x^-2",
    "x^0.5",
    "x^y",
    "sqrt(x)",
    "exp(x)",
    "log(x)",
    "sin(3*x)",
    "cos(3*x)",
    "tan(x)",
    "asin(x)",
    "acos(x)",
    "atan(x)",
    "atan2(y, x)",
    "sinh(x)",
    "cosh(x)",
    "tanh(x)",
    "abs(x)",
    "sign(x)",
    "floor(2*x)",
    "min(x, y)",
    "max(x, y)",
    "x < y",
    "x <= y",
    "x > y",
    "x >= y",
    "x == y",
    "x != y",
    "if(x < y, x, y^2)",
    "if(x, 1, 2)",
    "sin(50*x) - 0.9",
    "x - floor(x/0.1)*0.1 - 0.03",
    "(x - y)*(x + y)/(1 + x^2)",
};

static double next_random(void)
{
    static uint64_t seed = 99;

    return random_in(&seed, -1.0, 1.0);
}

START_TEST(bounds_hold_every_value)
{
    compile(expressions[_i]);
    for (int trial = 0; trial < 300; trial++) {
        double size = pow(10.0, -3.0 * fabs(next_random())), out[2];
        double x = 2.0 * next_random(), y = 2.0 * next_random();
        bounds(x, x + size, y, y + 0.5 * size, out);
        for (int i = 0; i < 50; i++) {
            double v = value(x + size * fabs(next_random()), y + 0.5 * size * fabs(next_random()));
            ck_assert_msg(isnan(v) || (out[0] <= v && v <= out[1]), "%s: %g not in %g..%g",
                          expressions[_i], v, out[0], out[1]);
        }
    }
}
END_TEST

START_TEST(a_point_has_its_value)
{
    compile(expressions[_i]);
    for (int trial = 0; trial < 100; trial++) {
        double x = 2.0 * next_random(), y = trial % 4 == 0 ? x : 2.0 * next_random(), out[2];
        double v = value(x, y);
        bounds(x, x, y, y, out);
        ck_assert(isfinite(v) ? out[0] == v && out[1] == v : !isfinite(out[0]));
    }
}
END_TEST

START_TEST(bounds_close_in)
{
    double out[2];

    compile("sin(50*x)*y - x^3/(1 + y^2) + exp(x)*cos(y)");
    for (double size = 1e-2; size > 1e-8; size *= 0.1) {
        bounds(0.3, 0.3 + size, -0.7, -0.7 + size, out);
        ck_assert_double_lt(out[1] - out[0], 100.0 * size);
    }
}
END_TEST

/* --- spans of time --------------------------------------------------------------------------- */

static double polynomial(const double c[4], double u)
{
    return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
}

/* Both inputs are cubics of the time u, from -half to half. */
static void enclose(double c[2][4], double half, ha__range *out, ha__range *slope)
{
    int n = (int) ha__tape_work_size(tape);
    double *slopes = calloc(2 * (size_t) n, sizeof *slopes), middle = 0.0;
    const ha__tape_span span = { half, work, low, high, slopes, slopes + n, &middle };

    for (int i = 0; i < 2; i++) {
        double far =
            fabs(c[i][1]) * half + fabs(c[i][2]) * half * half + fabs(c[i][3]) * half * half * half;
        double bend = 2.0 * fabs(c[i][2]) * half + 3.0 * fabs(c[i][3]) * half * half;
        work[i] = c[i][0];
        low[i] = c[i][0] - far;
        high[i] = c[i][0] + far;
        slopes[i] = c[i][1] - bend;
        slopes[n + i] = c[i][1] + bend;
    }
    ha__tape_enclose(tape, &span, out, slope);
    free(slopes);
}

static void draw_cubics(double c[2][4])
{
    for (int i = 0; i < 8; i++) {
        c[i / 4][i % 4] = 2.0 * next_random();
    }
}

START_TEST(enclosures_hold_every_value_and_slope)
{
    compile(expressions[_i]);
    for (int trial = 0; trial < 300; trial++) {
        double c[2][4], half = pow(10.0, -3.0 * fabs(next_random()));
        ha__range r, d;
        draw_cubics(c);
        enclose(c, half, &r, &d);
        double room = 1e-13 * (1.0 + fmax(fabs(r.low), fabs(r.high))), before = (double) NAN;
        for (int i = 0; i <= 60; i++) {
            double u = half * (i / 30.0 - 1.0), step = half / 30.0;
            double v = value(polynomial(c[0], u), polynomial(c[1], u)), rate = (v - before) / step;
            ck_assert_msg(isnan(v) || (r.low - room <= v && v <= r.high + room),
                          "%s: %.17g not in %.17g..%.17g", expressions[_i], v, r.low, r.high);
            ck_assert_msg(isnan(rate) || (d.low - 2.0 * room / step <= rate &&
                                          rate <= d.high + 2.0 * room / step),
                          "%s: slope %g not in %g..%g", expressions[_i], rate, d.low, d.high);
            before = v;
        }
    }
}
END_TEST

/* Of large places that move together the distance is known by the square of the span. */
START_TEST(enclosures_close_in_by_the_square)
{
    double c[2][4] = { { 100.0, 30.0, 1.0, 0.0 }, { 99.0, 30.0, -1.0, 0.0 } };
    ha__range r, d;

    compile("sqrt((x - y)^2 + 1e-24) - 0.5");
    for (double half = 1e-1; half > 1e-5; half *= 0.1) {
        enclose(c, half, &r, &d);
        ck_assert_double_gt(r.low, 0.5 - 10.0 * half * half);
        ck_assert_double_lt(r.high, 0.5 + 10.0 * half * half);
        ck_assert_double_lt(fmax(fabs(d.low), fabs(d.high)), 5.0 * half);
    }
}
END_TEST

/* A product with itself is never negative. */
START_TEST(squares_are_not_negative)
{
    double out[2];

    compile("sqrt((x + y)*(x + y))");
    bounds(-1.0, 2.0, 0.0, 0.5, out);
    ck_assert_double_eq(out[0], 0.0);
    ck_assert_double_eq_tol(out[1], 2.5, 1e-12);
}
END_TEST

/* Where an expression is defined in all of a range, its bounds are finite. */
START_TEST(bounds_are_finite_where_the_value_is)
{
    double out[2];

    compile(expressions[_i]);
    bounds(0.2, 0.4, 0.5, 0.7, out);
    ck_assert_msg(isfinite(out[0]) && isfinite(out[1]), "%s: %g..%g", expressions[_i], out[0],
                  out[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tape_range");
    TCase *tests = tcase_create("tape_range");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, bounds_hold_every_value, 0, (int) HA_COUNT(expressions));
    tcase_add_loop_test(tests, a_point_has_its_value, 0, (int) HA_COUNT(expressions));
    tcase_add_loop_test(tests, bounds_are_finite_where_the_value_is, 0,
                        (int) HA_COUNT(expressions));
    tcase_add_test(tests, bounds_close_in);
    tcase_add_loop_test(tests, enclosures_hold_every_value_and_slope, 0,
                        (int) HA_COUNT(expressions));
    tcase_add_test(tests, enclosures_close_in_by_the_square);
    tcase_add_test(tests, squares_are_not_negative);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
