/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: their values and derivatives, what they are between and beyond their points, bounds over
 * ranges, and copies. The truth is the textbook formula, finite differences, or a polynomial of
 * which the points were taken.
 */
#include <config.h>

#include "lib/expr/expr_copy.h"
#include "lib/expr_table.h"
#include "lib/tape/tape.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };
static const double xs[N] = { -1.0, 0.0, 0.5, 2.0, 2.25, 4.0 };
static const double ys[N] = { 1.0, -2.0, 3.0, 3.5, 3.5, 7.0 };
static const double round_ys[N] = { 1.0, -2.0, 3.0, 3.5, 3.5, 1.0 }; /* ends where it begins */

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr x;
static double at;

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    x = ha_symbol(dag, "x");
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_table_def points(const char *name, ha_table_kind kind)
{
    ha_table_def def = ha_table_def_default();

    def.name = name;
    def.kind = kind;
    def.n = N;
    def.x = xs;
    def.y = kind == HA_TABLE_PERIODIC ? round_ys : ys;
    return def;
}

static ha_expr table(const char *name, ha_table_kind kind)
{
    ha_table_def def = points(name, kind);
    int number = -1;

    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_OK);
    return ha_table_apply(dag, number, x);
}

static double value_of_symbol(void *user, ha_expr symbol)
{
    (void) user;
    (void) symbol;
    return at;
}

static double value(ha_expr e, double where)
{
    at = where;
    return ha_expr_value(dag, e, value_of_symbol, NULL);
}

START_TEST(a_linear_table_is_linear_between_its_points_and_constant_beyond)
{
    ha_expr t = table("T", HA_TABLE_LINEAR);

    for (int k = 0; k + 1 < N; k++) {
        for (double s = 0.0; s <= 1.0; s += 0.125) {
            double wanted = (1.0 - s) * ys[k] + s * ys[k + 1];
            ck_assert_double_eq_tol(value(t, (1.0 - s) * xs[k] + s * xs[k + 1]), wanted, 1e-14);
        }
    }
    ck_assert_double_eq(value(t, -1e9), ys[0]);
    ck_assert_double_eq(value(t, -INFINITY), ys[0]);
    ck_assert_double_eq(value(t, 4.5), ys[N - 1]);
    ck_assert_double_eq(value(t, INFINITY), ys[N - 1]);
    ck_assert(isnan(value(t, (double) NAN)));
}
END_TEST

START_TEST(a_cubic_table_goes_through_its_points_and_rises_only_where_they_do)
{
    ha_expr t = table("T", HA_TABLE_CUBIC);

    for (int k = 0; k < N; k++) {
        ck_assert_double_eq_tol(value(t, xs[k]), ys[k], 1e-14);
    }
    for (int k = 0; k + 1 < N; k++) {
        double before = ys[k], direction = ys[k + 1] - ys[k];
        for (int i = 1; i <= 1000; i++) {
            double now = value(t, xs[k] + (xs[k + 1] - xs[k]) * i / 1000.0);
            ck_assert_double_ge((now - before) * direction, -1e-13);
            before = now;
        }
    }
    ck_assert_double_eq_tol(value(t, -7.0), ys[0], 1e-14);
    ck_assert_double_eq_tol(value(t, 70.0), ys[N - 1], 1e-14);
}
END_TEST

START_TEST(a_cubic_table_has_a_continuous_slope_at_inner_points)
{
    ha_expr slope = ha_partial(dag, table("T", HA_TABLE_CUBIC), x);

    for (int k = 1; k + 1 < N; k++) {
        ck_assert_double_eq_tol(value(slope, xs[k] - 1e-9), value(slope, xs[k] + 1e-9), 1e-6);
    }
}
END_TEST

/* Of a monotone function the interpolation error falls with h^3 at least. */
START_TEST(a_cubic_table_of_a_smooth_function_comes_close_to_it)
{
    double error[2] = { 0.0, 0.0 };

    for (int level = 0; level < 2; level++) {
        enum { MOST = 41 };
        double px[MOST], py[MOST];
        size_t n = level == 0 ? 21 : MOST;
        for (size_t i = 0; i < n; i++) {
            px[i] = (double) i / (double) (n - 1);
            py[i] = exp(px[i]);
        }
        ha_table_def def = ha_table_def_default();
        int number = -1;
        def.name = level == 0 ? "coarse" : "fine";
        def.kind = HA_TABLE_CUBIC;
        def.n = n;
        def.x = px;
        def.y = py;
        ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_OK);
        ha_expr t = ha_table_apply(dag, number, x);
        for (double s = 0.0; s <= 1.0; s += 1.0 / 512.0) {
            error[level] = fmax(error[level], fabs(value(t, s) - exp(s)));
        }
    }
    ck_assert_double_le(error[0], 2e-5);
    ck_assert_double_le(error[1], error[0] / 6.0);
}
END_TEST

/* The largest error of a spline through n points of a sine over a period. */
static double error_of_sine(ha_table_kind kind, int n, const char *name)
{
    const double period = 2.0 * acos(-1.0);
    double sx[65], sy[65], largest = 0.0;
    ha_table_def def = { 0 };
    int number = -1;

    for (int i = 0; i < n; i++) {
        sx[i] = period * i / (n - 1);
        sy[i] = i == n - 1 ? 0.0 : sin(sx[i]);
    }
    def = points(name, kind);
    def.n = (size_t) n;
    def.x = sx;
    def.y = sy;
    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_OK);
    ha_expr t = ha_table_apply(dag, number, x);
    for (int i = 0; i <= 1000; i++) {
        double s = period * i / 1000.0;
        largest = fmax(largest, fabs(value(t, s) - sin(s)));
    }
    return largest;
}

/* The error of a spline is 5/384 h^4 of the largest fourth derivative at most, by Hall and Meyer
   (J. Approx. Theory 16, 1976), for natural ones where the second derivative vanishes at the ends;
   the sine has 1 there, and 0 at the ends. */
START_TEST(splines_of_a_sine_have_the_error_of_theory)
{
    const ha_table_kind kind = _i == 0 ? HA_TABLE_NATURAL : HA_TABLE_PERIODIC;
    double h = 2.0 * acos(-1.0) / 32.0;
    double coarse = error_of_sine(kind, 33, "A"), fine = error_of_sine(kind, 65, "B");

    ck_assert_double_le(coarse, 5.0 / 384.0 * pow(h, 4.0));
    ck_assert_double_ge(coarse, 0.1 * pow(h, 4.0) / 384.0);
    ck_assert_double_eq_tol(coarse / fine, 16.0, 1.0);
}
END_TEST

/* Value and two derivatives are the same on both sides of each point, where a period ends, too. */
START_TEST(splines_have_two_continuous_derivatives)
{
    const ha_table_kind kind = _i == 0 ? HA_TABLE_NATURAL : HA_TABLE_PERIODIC;
    ha_expr of = table("S", kind);

    for (int order = 0; order <= 2; order++) {
        for (int i = _i == 0 ? 1 : 0; i < N - 1; i++) {
            double before = value(of, xs[i] - 1e-9), behind = value(of, xs[i] + 1e-9);
            ck_assert_double_eq_tol(before, behind, 1e-6);
        }
        of = ha_partial(dag, of, x);
    }
    of = table("T", kind);
    for (int i = 0; i < N; i++) {
        ck_assert_double_eq_tol(value(of, xs[i]), _i == 0 ? ys[i] : round_ys[i], 1e-14);
    }
}
END_TEST

START_TEST(a_natural_spline_is_straight_at_its_ends_and_constant_beyond)
{
    ha_expr of = table("S", HA_TABLE_NATURAL);
    ha_expr second = ha_partial(dag, ha_partial(dag, of, x), x);

    ck_assert_double_eq_tol(value(second, xs[0] + 1e-12), 0.0, 1e-9);
    ck_assert_double_eq_tol(value(second, xs[N - 1] - 1e-12), 0.0, 1e-9);
    ck_assert_double_eq(value(of, 99.0), ys[N - 1]);
    ck_assert_double_eq(value(of, -99.0), ys[0]);
}
END_TEST

START_TEST(a_periodic_table_repeats_itself)
{
    ha_expr of = table("P", HA_TABLE_PERIODIC);
    double period = xs[N - 1] - xs[0];

    for (double s = -0.93; s < 4.0; s += 0.21) {
        for (int turns = -3; turns <= 1000; turns += 17) {
            ck_assert_double_eq_tol(value(of, s + turns * period), value(of, s), 1e-10);
        }
    }
    ck_assert(isnan(value(of, (double) INFINITY)));
}
END_TEST

/* Through two points, 1 and -1, each a third of the period wide on one side: M = 6 (d1 - d0) / P at
   the second, and its opposite at the first. */
START_TEST(the_shortest_periodic_table_has_two_points)
{
    static const double two_x[3] = { 0.0, 1.0, 3.0 }, two_y[3] = { 1.0, -1.0, 1.0 };
    ha_table_def def = points("P", HA_TABLE_PERIODIC);
    int number = -1;

    def.n = 3;
    def.x = two_x;
    def.y = two_y;
    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_OK);
    ha_expr second = ha_table_apply(dag, number, x);
    second = ha_partial(dag, ha_partial(dag, second, x), x);
    ck_assert_double_eq_tol(value(second, 1.0), 6.0, 1e-12);
    ck_assert_double_eq_tol(value(second, 3.0), -6.0, 1e-12);
    def.name = "Q";
    def.y = two_x;
    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "begins with y = 0 and ends with 3"));
    def.n = 2;
    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_ERR_VALUE);
}
END_TEST

START_TEST(derivatives_agree_with_finite_differences)
{
    ha_expr t[4] = { table("L", HA_TABLE_LINEAR), table("C", HA_TABLE_CUBIC),
                     table("S", HA_TABLE_NATURAL), table("P", HA_TABLE_PERIODIC) };

    for (int i = 0; i < 4; i++) {
        ha_expr of = ha_mul(dag, t[i], t[i]);
        for (int order = 1; order <= 3; order++) {
            ha_expr slope = ha_partial(dag, of, x);
            for (double s = -1.87; s < 5.0; s += 0.31) { /* no point of the table is near */
                double h = 1e-5, found = value(slope, s);
                double wanted = (value(of, s + h) - value(of, s - h)) / (2.0 * h);
                ck_assert_double_eq_tol(found, wanted, 1e-6 * fmax(1.0, fabs(wanted)));
            }
            of = slope;
        }
    }
}
END_TEST

START_TEST(the_parser_knows_a_table_as_a_function)
{
    const ha_parse_def def = { .object = "value" };
    ha_expr e = HA_EXPR_NONE;

    (void) table("valve", HA_TABLE_LINEAR);
    ck_assert_int_eq(ha_expr_parse(dag, "2*valve(0.25) + 1", &def, &e), HA_OK);
    ck_assert(ha_expr_is(dag, e, 2.0));
    ck_assert_int_eq(ha_expr_parse(dag, "valve'(0.25) + valve''(0.25)", &def, &e), HA_OK);
    ck_assert(ha_expr_is(dag, e, 10.0));
    ck_assert_int_eq(ha_expr_parse(dag, "valve(1, 2)", &def, &e), HA_ERR_SYNTAX);
    ck_assert_int_eq(ha_expr_parse(dag, "valv(1)", &def, &e), HA_ERR_NAME);
    ck_assert_int_eq(ha_expr_parse(dag, "valve", &def, &e), HA_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "takes 1 argument, not 2"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 1)->text, "did you mean `valve`"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 2)->text, "is a function"));
}
END_TEST

START_TEST(tables_print_as_they_are_called)
{
    ha_expr t = table("T", HA_TABLE_LINEAR);
    char *text = ha_expr_text(dag, t), *slope = ha_expr_text(dag, ha_partial(dag, t, x));

    ck_assert_str_eq(text, "T(x)");
    ck_assert_str_eq(slope, "T'(x)");
    free(text);
    free(slope);
}
END_TEST

/* Runs a tape of e at a point and over a range. */
typedef struct {
    ha__tape *tape;
    double *work, *low, *high;
} machine;

static machine machine_of(ha_expr e)
{
    machine m = { 0 };

    ck_assert_int_eq(ha__tape_new(ctx, dag, &e, 1, &x, 1, &m.tape), HA_OK);
    m.work = calloc(ha__tape_work_size(m.tape), sizeof *m.work);
    m.low = calloc(ha__tape_work_size(m.tape), sizeof *m.low);
    m.high = calloc(ha__tape_work_size(m.tape), sizeof *m.high);
    ha__tape_prepare(m.tape, m.work);
    ha__tape_prepare(m.tape, m.low);
    ha__tape_prepare(m.tape, m.high);
    return m;
}

static void machine_free(machine *m)
{
    free(m->work);
    free(m->low);
    free(m->high);
    ha__tape_free(m->tape);
}

static double run(machine *m, double where)
{
    double out = 0.0;

    m->work[0] = where;
    ha__tape_run(m->tape, m->work, &out);
    return out;
}

START_TEST(bounds_over_ranges_hold_and_close_in)
{
    ha_expr t[4] = { table("L", HA_TABLE_LINEAR), table("C", HA_TABLE_CUBIC),
                     table("S", HA_TABLE_NATURAL), table("P", HA_TABLE_PERIODIC) };

    for (int i = 0; i < 8; i++) {
        machine m = machine_of(i < 4 ? t[i] : ha_partial(dag, t[i - 4], x));
        for (double from = -2.0; from < 5.0; from += 0.17) {
            for (double width = 3.0; width > 1e-3; width /= 4.0) {
                double low = 0.0, high = 0.0;
                m.low[0] = from;
                m.high[0] = from + width;
                ha__tape_range(m.tape, m.low, m.high, &low, &high);
                for (int k = 0; k <= 64; k++) {
                    double found = run(&m, from + width * k / 64.0);
                    ck_assert(found >= low && found <= high);
                }
            }
            double low = 0.0, high = 0.0;
            m.low[0] = m.high[0] = from;
            ha__tape_range(m.tape, m.low, m.high, &low, &high);
            ck_assert_double_eq(low, run(&m, from));
            ck_assert_double_eq(high, low);
        }
        machine_free(&m);
    }
}
END_TEST

/* A piece counts where it is, not what its polynomial would be beyond. A monotone cubic stays
   between its points, and so do its control points, which are the bounds; those of others lie up to
   three times as far out as the curve. */
START_TEST(bounds_over_many_pieces_are_no_wider_than_the_pieces)
{
    const double few_xs[] = { 0.0, 4.0, 4.05, 4.1, 10.0 }, few_ys[] = { 0.0, 0.0, 1.0, 0.0, 0.0 };
    const ha_table_kind kinds[] = { HA_TABLE_CUBIC, HA_TABLE_NATURAL, HA_TABLE_PERIODIC };
    const double wider[] = { 1.0 + 1e-12, 3.0, 3.0 };
    ha_table_def def = ha_table_def_default();
    double low = 0.0, high = 0.0, least = 0.0, most = 0.0;
    int number = -1;

    def.name = "W";
    def.kind = kinds[_i];
    def.n = HA_COUNT(few_xs);
    def.x = few_xs;
    def.y = few_ys;
    ck_assert_int_eq(ha_table_add(dag, &def, &number), HA_OK);
    machine m = machine_of(ha_table_apply(dag, number, x));
    m.low[0] = 0.0;
    m.high[0] = 10.0;
    ha__tape_range(m.tape, m.low, m.high, &low, &high);
    for (int k = 0; k <= 10000; k++) {
        double found = run(&m, 1e-3 * k);
        least = fmin(least, found);
        most = fmax(most, found);
    }
    ck_assert_msg(high - low <= wider[_i] * (most - least), "bounds %g to %g of %g to %g", low,
                  high, least, most);
    machine_free(&m);
}
END_TEST

START_TEST(copies_and_clones_keep_their_tables)
{
    ha_expr t = table("T", HA_TABLE_CUBIC), out = HA_EXPR_NONE, again = HA_EXPR_NONE;
    ha_dag *other = ha_dag_new(ctx), *clone = ha_dag_clone(dag);
    double wanted = value(t, 1.3), found = 0.0;
    ha__copy copy;

    ck_assert_double_eq(ha_expr_value(clone, t, value_of_symbol, NULL), wanted);
    ha_expr y = ha_symbol(other, "y");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ha__copy_begin(&copy, dag, other), HA_OK);
        ha__copy_map(&copy, x, y);
        ck_assert_int_eq(ha__copy_expr(&copy, t, i == 0 ? &out : &again), HA_OK);
        ha__copy_end(&copy);
    }
    found = ha_expr_value(other, out, value_of_symbol, NULL);
    ck_assert_double_eq(found, wanted);
    ck_assert_int_eq(out, again);
    ck_assert_int_eq(ha_table_count(other), 1);
    ck_assert_int_eq(ha_table_find(other, "T"), -1); /* a name of the other graph */
    ha_dag_free(other);
    ha_dag_free(clone);
}
END_TEST

START_TEST(what_is_no_function_of_x_is_refused)
{
    static const double twice[3] = { 0.0, 1.0, 1.0 }, back[3] = { 0.0, 2.0, 1.0 };
    static const double near[3] = { 0.0, 5e-324, 1.0 };
    double no_number[3] = { 0.0, (double) NAN, 1.0 };
    const double *const bad[] = { twice, back, near, no_number };
    static const char *const names[] = { "", "1a", "a.b", "sin", "if", "T" };
    ha_table_def def = points("T", HA_TABLE_LINEAR);

    ck_assert_int_eq(ha_table_add(dag, &def, NULL), HA_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        def.name = names[i];
        ck_assert_int_eq(ha_table_add(dag, &def, NULL), HA_ERR_NAME);
    }
    def.name = "U";
    def.n = 1;
    ck_assert_int_eq(ha_table_add(dag, &def, NULL), HA_ERR_VALUE);
    def.n = 3;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        def.x = bad[i];
        ck_assert_int_eq(ha_table_add(dag, &def, NULL), HA_ERR_VALUE);
    }
    def.x = NULL;
    ck_assert_int_eq(ha_table_add(dag, &def, NULL), HA_ERR_ARGUMENT);
    ck_assert_int_eq(ha_table_count(dag), 1);
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
}
END_TEST

START_TEST(an_operand_that_is_no_table_is_refused)
{
    ck_assert_int_eq(ha_apply(dag, HA_OP_KNOT, x, ha_constant(dag, 0.0), HA_EXPR_NONE),
                     HA_EXPR_NONE);
    ck_assert_int_eq(ha_dag_status(dag), HA_ERR_ARGUMENT);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status == HA_ERR_MEMORY; n++) {
        ha_dag *d = ha_dag_new(ctx), *clone = NULL;
        ha__tape *tape = NULL;
        ha_table_def def = points("T", HA_TABLE_PERIODIC);
        int number = -1;
        ha_ctx_fail_allocation(ctx, n);
        ha_expr s = ha_symbol(d, "s");
        status = ha_dag_status(d);
        status = status == HA_OK ? ha_table_add(d, &def, &number) : status;
        if (status == HA_OK) {
            ha_expr e = ha_table_apply(d, number, s);
            status = ha_dag_status(d);
            status = status == HA_OK ? ha__tape_new(ctx, d, &e, 1, &s, 1, &tape) : status;
            clone = status == HA_OK ? ha_dag_clone(d) : NULL;
            status = status == HA_OK && clone == NULL ? HA_ERR_MEMORY : status;
        }
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ha__tape_free(tape);
        ha_dag_free(clone);
        ha_dag_free(d);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_table");
    TCase *tcase = tcase_create("expr_table");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_linear_table_is_linear_between_its_points_and_constant_beyond);
    tcase_add_test(tcase, a_cubic_table_goes_through_its_points_and_rises_only_where_they_do);
    tcase_add_test(tcase, a_cubic_table_has_a_continuous_slope_at_inner_points);
    tcase_add_test(tcase, a_cubic_table_of_a_smooth_function_comes_close_to_it);
    tcase_add_loop_test(tcase, splines_of_a_sine_have_the_error_of_theory, 0, 2);
    tcase_add_loop_test(tcase, splines_have_two_continuous_derivatives, 0, 2);
    tcase_add_test(tcase, a_natural_spline_is_straight_at_its_ends_and_constant_beyond);
    tcase_add_test(tcase, a_periodic_table_repeats_itself);
    tcase_add_test(tcase, the_shortest_periodic_table_has_two_points);
    tcase_add_test(tcase, derivatives_agree_with_finite_differences);
    tcase_add_test(tcase, the_parser_knows_a_table_as_a_function);
    tcase_add_test(tcase, tables_print_as_they_are_called);
    tcase_add_test(tcase, bounds_over_ranges_hold_and_close_in);
    tcase_add_loop_test(tcase, bounds_over_many_pieces_are_no_wider_than_the_pieces, 0, 3);
    tcase_add_test(tcase, copies_and_clones_keep_their_tables);
    tcase_add_test(tcase, what_is_no_function_of_x_is_refused);
    tcase_add_test(tcase, an_operand_that_is_no_table_is_refused);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
