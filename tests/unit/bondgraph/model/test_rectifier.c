/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A three-phase rectifier bridge: 60 uH in each phase, 30 mF on both sides of the star point, a
 * load of 500 A. Its six diodes are piecewise linear, 1 mohm above 2 V and 1 kohm below, so that
 * the time constants go from 60 ns to 30 ms and 62 events lie in 0.1 s. All methods must meet all
 * of them at all tolerances.
 */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static bg_run_report report;

static const char diode[] =
    "f = if(e > 2, (e - 2)/1e-3 + 2e-3, e/1e3), e = if(f > 2e-3, 2 + 1e-3*(f - 2e-3), 1e3*f)";

/* Adds a phase: source and coil in series, a diode up and one down, by type and law; NULL: they are
 * ideal. */
static void add_phase(char *text, size_t size, int k, const char *type, const char *law)
{
    static const char *const shift[] = { "0", "2/3", "4/3" };
    size_t length = strlen(text);
    char up[64], low[64]; /* conditions of ideal diodes, which name themselves */

    snprintf(up, sizeof up, "Sw_u%d.e + Sw_u%d.f > 0", k, k);
    snprintf(low, sizeof low, "Sw_l%d.e + Sw_l%d.f > 0", k, k);
    snprintf(text + length, size - length,
             "Se_%d{400*sqrt(2/3)*sin(100*pi*t - %s*pi)} > 1p%d; 0star > 1p%d; 1p%d > I_%d{60e-6}; "
             "1p%d > 0k%d; 0k%d > 1u%d; 1u%d > %s_u%d{%s}; 1u%d > 0pos; 0neg > 1l%d; "
             "1l%d > %s_l%d{%s}; 1l%d > 0k%d;",
             k, shift[k - 1], k, k, k, k, k, k, k, k, k, type, k, law == NULL ? up : law, k, k, k,
             type, k, law == NULL ? low : law, k, k);
}

static const struct {
    ha_driver driver;
    double rtol, tolerance;
} runs[] = {
    { HA_DRIVER_IDA, 1e-5, 3e-3 },       { HA_DRIVER_IDA, 1e-6, 6e-4 },
    { HA_DRIVER_IDA, 1e-7, 1e-4 },       { HA_DRIVER_IDA, 1e-8, 1e-5 },
    { HA_DRIVER_IDA, 1e-9, 1e-5 },       { HA_DRIVER_EXPLICIT, 1e-5, 1e-3 },
    { HA_DRIVER_EXPLICIT, 1e-6, 1e-4 },  { HA_DRIVER_EXPLICIT, 1e-8, 1e-5 },
    { HA_DRIVER_EXPLICIT8, 1e-6, 1e-4 }, { HA_DRIVER_AUTO, 1e-6, 1e-3 },
};

static void read_bridge(const char *type, const char *law)
{
    char text[4096] = "";

    for (int k = 1; k <= 3; k++) {
        add_phase(text, sizeof text, k, type, law);
    }
    strcat(text, "0pos > C_1{30e-3, q=6*sqrt(2)}; 0neg > C_2{30e-3, q=-6*sqrt(2)};"
                 "0pos > 1load; 1load > 0neg; Sf_d{500} > 1load");
    read_text(text);
}

START_TEST(bridge_of_diodes_runs_by_all_methods)
{
    const double truth = 258.514518; /* C_1.e at 0.1 s, by explicit8 from 1e-8 to 1e-10 */
    bg_run_options options = bg_run_options_default();

    read_bridge("R", diode);
    options.solver.t_end = 0.1;
    options.solver.driver = runs[_i].driver;
    options.solver.rtol = runs[_i].rtol;
    options.solver.atol = 1e-6; /* else what a current is off by where it ends makes events */
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
    int column = ha_result_find(result, "C_1.e");
    ck_assert_int_ge(column, 0);
    double found = ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column);
    ck_assert_double_eq_tol(found, truth, runs[_i].tolerance);
    ck_assert_int_eq(report.solver.events, 62);
}
END_TEST

/* Some states of ideal switches leave the coils no path: no one set of equations holds in all. What
   the message says instead of them runs. */
START_TEST(bridge_of_ideal_diodes_is_refused_with_what_to_do)
{
    static const char said_law[] = "f = if(e > 0, e/Ron, Goff*e), e = if(f > 0, Ron*f, f/Goff)";
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = 0.02;
    read_bridge("Sw", NULL);
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_ERR_SINGULAR);
    const char *said = ha_ctx_diag(ctx, 0)->text;
    ck_assert_ptr_eq(strstr(said, "the equations do not determine"), said);
    ck_assert_msg(strstr(said, "constraint of Sw_") != NULL, "%s", said);
    ck_assert_msg(strstr(said, said_law) != NULL, "%s", said);
    tear_down();
    set_up();
    read_bridge("R", "f = if(e > 0, e/1e-3, 1e-3*e), e = if(f > 0, 1e-3*f, f/1e-3)");
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rectifier");
    TCase *tests = tcase_create("rectifier");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, bridge_of_diodes_runs_by_all_methods, 0, (int) HA_COUNT(runs));
    tcase_add_test(tests, bridge_of_ideal_diodes_is_refused_with_what_to_do);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
