/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extremes of outputs and rows at events, against closed forms. */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <math.h>
#include <string.h>

static ha_peak peaks[64];

/* Runs a bond graph to t_end. */
static void run_by_rows(const char *text, double t_end, double step, ha_driver driver, long events)
{
    bg_run_options options = bg_run_options_default();

    read_text(text);
    options.solver.t_end = t_end;
    options.solver.step = step;
    options.solver.driver = (long) driver;
    options.solver.rtol = options.solver.atol = 1e-9;
    options.solver.events = events;
    options.solver.peaks = peaks;
    ck_assert_msg(bg_simulate(graph, &options, result, NULL) == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    ck_assert_uint_le(ha_result_n_columns(result), HA_COUNT(peaks));
}

/* The same with few rows. */
static void run(const char *text, double t_end, ha_driver driver, long events)
{
    run_by_rows(text, t_end, t_end, driver, events);
}

static const ha_peak *peak_of(const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_int_gt(column, 0);
    return &peaks[column - 1];
}

static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8,
                                     HA_DRIVER_AUTO };

/* q = sin t from 0 to 10: extremes between the two rows, the first maximum at pi/2; the rate of a
   storage, -sin t, is an output that is solved for. */
START_TEST(extremes_lie_between_rows)
{
    const double close = 2e-7; /* of a run at 1e-9, which adds up its errors */

    run("1a>I{1, p=1};1a>C{1}", 10.0, drivers[_i], HA_EVENT_ROWS_NONE);
    ck_assert_uint_eq(ha_result_n_rows(result), 2);
    const ha_peak *q = peak_of("C.q"), *rate = peak_of("I.e"),
                  *stored = peak_of("energy.potential");
    ck_assert_double_eq_tol(q->max, 1.0, close);
    ck_assert_double_eq_tol(q->min, -1.0, close);
    ck_assert_double_eq_tol(q->t_min, 1.5 * acos(-1.0), 2e-3);
    ck_assert(fabs(q->t_max - 0.5 * acos(-1.0)) < 2e-3 || fabs(q->t_max - 2.5 * acos(-1.0)) < 2e-3);
    ck_assert_double_eq_tol(rate->max, 1.0, close);
    ck_assert_double_eq_tol(rate->min, -1.0, close);
    ck_assert_double_eq_tol(stored->max, 0.5, close);
    ck_assert_double_eq(stored->min, 0.0);
    ck_assert_double_eq(stored->t_min, 0.0);
}
END_TEST

/* e = f^3 + f = sin(10 t), which no error test sees: the extremes are the roots of f^3 + f = 1 and
   -1. IDA's interpolation is off by 3e-11 there, and is no more than a guide. */
START_TEST(extremes_of_what_is_solved_for_are_solved_for)
{
    const double root = 0.68232780382801932737, close = drivers[_i] == HA_DRIVER_IDA ? 2e-13 : 1e-8;

    run("MSe{sin(10*t)}>1a;1a>R{e = f^3 + f}; Se>1b;1b>I;1b>R2", 3.0, drivers[_i],
        HA_EVENT_ROWS_NONE);
    ck_assert_double_eq_tol(peak_of("R.f")->max, root, close);
    ck_assert_double_eq_tol(peak_of("R.f")->min, -root, close);
}
END_TEST

/* A source of power sin(t) into a resistor: the energy supplied, 2 integrals of sin^2, grows; that
   into a storage comes and goes, (1 - cos t)^2 / 2, at most 2 at pi. */
START_TEST(energies_are_followed_inside_steps)
{
    run("Se{sin(t)}>1a>I{1}", 5.0, drivers[_i], HA_EVENT_ROWS_NONE);
    const ha_peak *supplied = peak_of("energy.supplied");
    ck_assert_double_eq_tol(supplied->max, 2.0, 1e-6);
    ck_assert_double_eq_tol(supplied->t_max, acos(-1.0), 5e-3);
    ck_assert_double_eq_tol(peak_of("energy.error")->max, 0.0, 1e-6);
    ck_assert_double_eq_tol(peak_of("energy.error")->min, 0.0, 1e-6);
}
END_TEST

/* A ramp that falls to 0 at 1 s: its supremum is the value on the left of the jump. */
START_TEST(both_sides_of_a_jump_count)
{
    static const char *const texts[] = { "Se{if(t < 1, t, -t)}>1a>I;1a>R",
                                         "Se{if(t < 1, t, -t)}>R" };

    run(texts[_i / 4], 1.5, drivers[_i % 4], HA_EVENT_ROWS);
    const ha_peak *e = peak_of("Se.e");
    ck_assert_double_eq_tol(e->max, 1.0, 1e-12);
    ck_assert_double_eq_tol(e->t_max, 1.0, 1e-12);
    ck_assert_double_eq_tol(e->min, -1.5, 1e-12);

    /* the start, both sides of the jump, the end */
    size_t column = (size_t) ha_result_find(result, "Se.e");
    ck_assert_uint_eq(ha_result_n_rows(result), 4);
    ck_assert_double_eq(ha_result_value(result, 1, 0), ha_result_value(result, 2, 0));
    ck_assert_double_eq_tol(ha_result_value(result, 1, 0), 1.0, 1e-12);
    ck_assert_double_eq_tol(ha_result_value(result, 1, column), 1.0, 1e-12);
    ck_assert_double_eq_tol(ha_result_value(result, 2, column), -1.0, 1e-12);
}
END_TEST

/* A ball of 1 kg hits a sphere, F = K d^1.5, at 1 m/s: all its energy is in the contact at
   d = (5 m v^2 / 4 K)^0.4 while it is still in contact at the next row. */
START_TEST(the_force_of_an_impact_is_found)
{
    const double stiffness = 1e6, depth = pow(1.25 / stiffness, 0.4);

    run("MSe{-1e6*max(Df.q, 0)^1.5}>1m>I{1, p=1};1m>Df{q=-0.01}", 0.02, drivers[_i],
        HA_EVENT_ROWS_NONE);
    ck_assert_double_eq_tol(peak_of("MSe.e")->min / (-stiffness * pow(depth, 1.5)), 1.0, 1e-6);
    ck_assert_double_eq_tol(peak_of("Df.q")->max / depth, 1.0, 1e-6);
}
END_TEST

/* Of equal extremes the first counts: a constant has both at the start. */
START_TEST(the_earliest_of_equals_counts)
{
    run("Se{3}>1a>I;1a>R", 2.0, drivers[_i], HA_EVENT_ROWS_NONE);
    const ha_peak *e = peak_of("Se.e");
    ck_assert_double_eq(e->max, 3.0);
    ck_assert_double_eq(e->min, 3.0);
    ck_assert_double_eq(e->t_max, 0.0);
    ck_assert_double_eq(e->t_min, 0.0);
}
END_TEST

/* A pendulum on a spring by its energy, and what drives it: outputs of many kinds. */
static const char busy[] = "MSe{sin(7*t)-9*sin(Df.q)}>1a>I{1, p=2};1a>Df{q=0.3};1a>0b;0b>C{0.05};"
                           "0b>1c;1c>I2{0.1};1c>R{0.05};1c>C2{0.02}";

static ha_peak many[64];

/* Runs what was run again, with so many rows that nothing lies between: they have the extremes that
   were found. */
static void expect_those_of_rows(double t_end, double step, ha_driver driver)
{
    bg_run_options options = bg_run_options_default();
    ha_result *rows = ha_result_new(ctx);

    options.solver.t_end = t_end;
    options.solver.step = step;
    options.solver.driver = (long) driver;
    options.solver.rtol = options.solver.atol = 1e-9;
    options.solver.peaks = many;
    ck_assert_int_eq(bg_simulate(graph, &options, rows, NULL), HA_OK);
    for (size_t i = 0; i + 1 < ha_result_n_columns(rows); i++) {
        const char *name = ha_result_name(rows, i + 1);
        double high = -HUGE_VAL, low = HUGE_VAL;
        for (size_t row = 0; row < ha_result_n_rows(rows); row++) {
            high = fmax(high, ha_result_value(rows, row, i + 1));
            low = fmin(low, ha_result_value(rows, row, i + 1));
        }
        double close = 1e-5 * (strcmp(name, "energy.error") == 0 ? 1.0 : fmax(high, -low));
        ck_assert_msg(fabs(peaks[i].max - high) <= close && fabs(peaks[i].min - low) <= close,
                      "%s: %.9g to %.9g, rows %.9g to %.9g", name, peaks[i].min, peaks[i].max, low,
                      high);
    }
    ha_result_free(rows);
}

START_TEST(peaks_do_not_hang_on_rows)
{
    run(busy, 10.0, drivers[_i], HA_EVENT_ROWS_NONE);
    expect_those_of_rows(10.0, 1e-4, drivers[_i]);
}
END_TEST

/* A swing that is pushed to and fro a hundred times a second: explicit steps go from push to push,
   and rows lie inside of them, at the ends or in the middle. */
START_TEST(a_row_inside_a_step_hides_no_extremum)
{
    static const double steps[] = { 10e-3, 5e-3, 2.5e-3 };
    const ha_driver driver = drivers[_i % (int) HA_COUNT(drivers)];

    run_by_rows("MSe{if(sin(100*pi*t) > 0, 1, -1)}>1a>I{1, p=2};1a>C{0.01};1a>R{0.2}", 0.5,
                steps[_i / (int) HA_COUNT(drivers)], driver, HA_EVENT_ROWS_NONE);
    expect_those_of_rows(0.5, 1e-5, driver);
}
END_TEST

/* Those of the first outputs are the same, those of the others are not known. */
START_TEST(the_first_can_be_asked_for)
{
    bg_run_options options = bg_run_options_default();

    run(busy, 10.0, drivers[_i], HA_EVENT_ROWS_NONE);
    int n = (int) ha_result_n_columns(result) - 1;
    options.solver.t_end = options.solver.step = 10.0;
    options.solver.driver = (long) drivers[_i];
    options.solver.rtol = options.solver.atol = 1e-9;
    options.solver.peaks = many;
    for (options.solver.n_peaks = 0; options.solver.n_peaks <= n; options.solver.n_peaks += 3) {
        ha_result *other = ha_result_new(ctx);
        ck_assert_int_eq(bg_simulate(graph, &options, other, NULL), HA_OK);
        for (int i = 0; i < n; i++) {
            double close = 1e-7 * fmax(fabs(peaks[i].max), fabs(peaks[i].min));
            bool is_asked = i < options.solver.n_peaks;
            ck_assert(isnan(many[i].max) != is_asked && isnan(many[i].t_min) != is_asked);
            ck_assert(!is_asked || (fabs(many[i].max - peaks[i].max) <= close &&
                                    fabs(many[i].min - peaks[i].min) <= close));
        }
        ha_result_free(other);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("peaks");
    Suite *suite = suite_create("peaks");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, extremes_lie_between_rows, 0, (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, extremes_of_what_is_solved_for_are_solved_for, 0,
                        (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, energies_are_followed_inside_steps, 0, (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, both_sides_of_a_jump_count, 0, 2 * (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, the_force_of_an_impact_is_found, 0, (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, the_earliest_of_equals_counts, 0, (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, peaks_do_not_hang_on_rows, 0, (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, a_row_inside_a_step_hides_no_extremum, 0,
                        3 * (int) HA_COUNT(drivers));
    tcase_add_loop_test(tests, the_first_can_be_asked_for, 0, (int) HA_COUNT(drivers));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
