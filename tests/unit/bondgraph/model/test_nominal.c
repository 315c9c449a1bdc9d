/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute tolerances at default settings follow the size of each unknown: closed forms. */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <math.h>
#include <stdio.h>

static bg_run_report report;

static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8,
                                     HA_DRIVER_AUTO };

/* Runs a text by driver number _i, all else as it is by default. */
static void simulate(const char *text, double t_end, int driver)
{
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = t_end;
    options.solver.driver = drivers[driver];
    read_text(text);
    ha_status status = bg_simulate(graph, &options, result, &report);
    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* The largest difference from a closed form, in units of its own largest magnitude. */
static double error_of(const char *name, double (*exact)(double t))
{
    int column = ha_result_find(result, name);
    double error = 0.0, largest = 0.0;

    ck_assert_int_ge(column, 0);
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double want = exact(ha_result_value(result, i, 0));
        error = fmax(error, fabs(ha_result_value(result, i, (size_t) column) - want));
        largest = fmax(largest, fabs(want));
    }
    return error / largest;
}

/* 12 V on 50 ohm, 100 mH and 10 uF: s^2 + 2 a s + w^2 with a = 250 1/s, w = 1000 1/s. */
static double charge(double t)
{
    const double a = 250.0, w = sqrt(1e6 - a * a), q = 12.0 * 10e-6;

    return q * (1.0 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));
}

START_TEST(a_small_circuit_is_right_without_a_knob)
{
    simulate("Se{12}>1a>R{50};1a>I{0.1};1a>C{10e-6}", 0.02, _i);
    ck_assert_double_le(error_of("C.q", charge), 1e-5);
    ck_assert_double_le(report.solver.atol[1], 2e-7);
}
END_TEST

/* The same in units of q and f that are a million times smaller, and larger. */
START_TEST(other_units_give_the_same_steps)
{
    static const double units[] = { 0x1p-20, 1.0, 0x1p20 };
    long steps[3] = { 0 };

    for (int k = 0; k < 3; k++) {
        char text[160];
        double u = units[k];
        snprintf(text, sizeof text, "Se{12}>1a>R{%.17g};1a>I{%.17g};1a>C{%.17g}; 1a>Df", 64.0 / u,
                 0.125 / u, 0x1p-17 * u);
        simulate(text, 0.02, _i);
        steps[k] = report.solver.steps;
        tear_down();
        set_up();
    }
    ck_assert_int_eq(steps[0], steps[1]);
    ck_assert_int_eq(steps[2], steps[1]);
}
END_TEST

static double swing(double t)
{
    return 1e-7 * (t * cos(t) - sin(t)) * -0.5;
}

/* A source that is 0 at the start drives what is at rest, in resonance: q'' + q = 1e-7 sin t. */
START_TEST(what_begins_at_rest_gets_its_size)
{
    simulate("MSe{1e-7*sin(t)}>1a>I;1a>C", 20.0, _i);
    ck_assert_double_le(error_of("C.q", swing), 3e-5); /* errors of IDA add up in resonance */
}
END_TEST

static double decay(double t)
{
    return t < 1.0 ? 0.0 : 1e-9 * (1.0 - exp(1.0 - t));
}

/* One that is switched on later. */
START_TEST(what_begins_later_gets_its_size)
{
    simulate("MSe{if(t > 1, 1e-9, 0)}>1a>R;1a>C", 5.0, _i);
    ck_assert_double_le(error_of("C.q", decay), 1e-5);
}
END_TEST

/* A bridge in balance: nothing flows in its middle, and no step is lost for that. */
START_TEST(what_stays_at_0_costs_nothing)
{
    simulate("MSe{1e-3*sin(t)}>0a;0a>1l;1l>Rl;1l>0m;0a>1r;1r>Rr;0m>1x;1r>0n;1x>0n;"
             "0m>Cm{0.7};0n>Cn{0.7};1x>I;1x>Df",
             20.0, _i);
    ck_assert_int_le(report.solver.steps, 900);
}
END_TEST

/* A body that dry friction alone slows stands after v^2 m / (2 L), whatever alpha is. */
START_TEST(dry_friction_stops_a_body_where_it_should)
{
    simulate("1>I{1, p=1}; 1>Dry{1}; 1>Df", 2.0, _i);
    size_t last = ha_result_n_rows(result) - 1;
    int column = ha_result_find(result, "Df.q");
    ck_assert_double_eq_tol(ha_result_value(result, last, (size_t) column), 0.5, 2e-6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nominal");
    TCase *tests = tcase_create("nominal");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, a_small_circuit_is_right_without_a_knob, 0, 4);
    tcase_add_loop_test(tests, other_units_give_the_same_steps, 0, 4);
    tcase_add_loop_test(tests, what_begins_at_rest_gets_its_size, 0, 4);
    tcase_add_loop_test(tests, what_begins_later_gets_its_size, 0, 4);
    tcase_add_loop_test(tests, what_stays_at_0_costs_nothing, 0, 4);
    tcase_add_loop_test(tests, dry_friction_stops_a_body_where_it_should, 0, 4);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
