/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What passes through the energy book, against closed forms, and the warning where it does not
 * close.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "lib/dae/dae_priv.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ha_ctx *ctx;
static bg_run_report report;
static size_t rows;
static ha_status expected; /* of a run */
static long driver;        /* of the runs */

static void setup(void)
{
    ctx = ha_ctx_new();
    expected = HA_OK;
    driver = HA_DRIVER_AUTO;
}

static void teardown(void)
{
    ha_ctx_free(ctx);
}

static void run_with(const char *text, double t_end, double alpha, double rtol, double atol)
{
    bg_graph *graph = bg_graph_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = t_end;
    options.solver.rtol = rtol;
    options.solver.atol = atol;
    options.solver.driver = driver;
    options.alpha = alpha;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), expected);
    rows = ha_result_n_rows(result);
    ha_result_free(result);
    bg_graph_free(graph);
}

static void run(const char *text, double t_end, double alpha, double tolerance)
{
    run_with(text, t_end, alpha, tolerance, tolerance);
}

static const double pi = 3.14159265358979323846;

/* The first message about the book, NULL: there is none. */
static const char *find_warning(void)
{
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        const ha_diag *diag = ha_ctx_diag(ctx, i);
        if (strstr(diag->text, "the energy book") != NULL) {
            return diag->text;
        }
    }
    return NULL;
}

/* A mass of 1 kg on a spring of 4 N/m, drawn out by 0.2 m: all of 0.08 J is exchanged four times in
   a period of pi, and counted once where it goes and once where it comes. Turning points lie
   between steps: where a step of h straddles one up to (w h)^2 / 4 of a swing is missed. */
START_TEST(what_a_mass_and_a_spring_exchange_has_passed)
{
    driver = HA_DRIVER_IDA; /* of short steps */
    run("1a>I{1};1a>C{0.25, q=0.2}", 3.0 * pi, (double) NAN, 1e-9);
    ck_assert_double_eq_tol(report.energy_passed, 0.08 * (1.0 + 3 * 4 * 2), 0.01);
    ck_assert_double_le(report.energy_error, 1e-6);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}
END_TEST

/* v = 10 (1 - exp(-t)): the source gives 10 v, the brake takes v^2, and v^2 / 2 is stored. */
START_TEST(what_a_source_gives_passes_to_storage_and_dissipator)
{
    const double t = 2.0, fall = exp(-t), v = 10.0 * (1.0 - fall);
    const double given = 100.0 * (t - 1.0 + fall);
    const double taken = 100.0 * (t - 2.0 * (1.0 - fall) + 0.5 * (1.0 - fall * fall));

    run("Se{10}>1a>I{1};1a>R{1}", t, (double) NAN, 1e-9);
    ck_assert_double_eq_tol(report.energy_passed, given + taken + v * v, 1e-5);
    ck_assert_double_eq_tol(given - taken, 0.5 * v * v, 1e-12); /* so is the closed form */
}
END_TEST

/* Two sources of 10 V, the one against the other, while 3 A flow: what one gives the other takes.
 */
START_TEST(powers_of_opposite_sources_do_not_cancel)
{
    run("Se{10}>1a>I{1, p=3};Se2{-10}>1a", 2.0, (double) NAN, 1e-9);
    ck_assert_double_eq_tol(report.energy_passed, 4.5 + 2 * 10.0 * 3.0 * 2.0, 1e-6);
}
END_TEST

/* Nothing stored: 2 cos(t) V at 4 ohm, given and taken; the bends of |power| make no steps short.
 */
START_TEST(what_passes_without_storage_is_counted)
{
    run("MSe{2*cos(t)}>1a>R{4}", 2.0 * pi, (double) NAN, 1e-9);
    ck_assert_double_eq_tol(report.energy_passed, 2.0 * pi, 1e-6);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}
END_TEST

/* A flow of 5e-8 that a constraint forbids, too little to contradict it, of a mass so large that it
   carries 1 J. It dies out as exp(-2 alpha t), and its energy with it, in nothing that dissipates:
   half of what passed is missing. */
#define VIOLATED "1a>I{8e14, p=4e7};1a>Re"

START_TEST(a_violated_constraint_opens_the_book_and_is_named)
{
    const double alpha = 2.5;

    expected = HA_ERR_SOLVER;
    run_with(VIOLATED, 1.0, alpha, 1e-9, 1e-16);
    ck_assert_double_eq_tol(report.energy_error, 1.0 - exp(-4.0 * alpha), 1e-6);
    ck_assert_double_eq_tol(report.energy_passed, 2.0 - exp(-4.0 * alpha), 1e-6);
    const char *said = find_warning();
    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, "it is off by 1 J, at t = 1 s, where 2 J passed") != NULL, "%s",
                  said);
    ck_assert_msg(strstr(said, "J, went between t = 0.") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "a constraint that is violated") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "singular") == NULL, "%s", said);
    ck_assert_uint_eq(rows, 501); /* they are kept */
}
END_TEST

/* 0.5 J in a spring of 1e14 N/m that nothing damps, and places of 1e-7 m that the tolerances let
   go: what implicit steps take is told, and not that a constraint is violated, which the model has
   not. A little of the energy that there was is a warning. */
START_TEST(what_implicit_steps_take_is_told)
{
    expected = HA_ERR_SOLVER;
    run("1a>I{1};1a>C{1e-14, q=1e-7}", 1e-2, (double) NAN, 1e-4);
    const char *said = find_warning();
    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, "implicit steps take the energy of vibrations") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "constraint") == NULL, "%s", said);
    ck_assert_double_lt(report.solver.off_at_end, -0.25);
}
END_TEST

/* A swing of 0.5 J, of which implicit steps take some in each period: x = cos(t) has lost as much
   of its energy as the book says. What is no more than a twentieth is told, and with more the run
   has failed. */
static void swing(double t_end, ha_status wanted)
{
    driver = HA_DRIVER_IDA;
    expected = wanted;
    run("1a>I{1};1a>C{1, q=1}", t_end, (double) NAN, 1e-4);
    ck_assert_ptr_nonnull(find_warning());
}

START_TEST(a_hundredth_of_what_moved_is_told)
{
    swing(100.0, HA_OK);
    ck_assert_double_gt(report.energy_error, 0.01 * 0.5);
    ck_assert_double_lt(report.energy_error, 0.05 * 0.5);
}
END_TEST

START_TEST(a_twentieth_of_what_moved_is_wrong)
{
    swing(300.0, HA_ERR_SOLVER);
    ck_assert_double_gt(report.energy_error, 0.05 * 0.5);
    ck_assert_double_lt(report.energy_error, 0.2 * 0.5);
}
END_TEST

/* Rows between the steps are looked at, too: a book with a pulse between two steps. */
START_TEST(rows_are_looked_at)
{
    ha__book book;

    ck_assert_int_eq(ha__book_init(&book, ctx, 1, 0.1), HA_OK);
    ha__book_begin(&book, 0.0, (const double[]){ 1.0, 0.0 });
    ha__book_look(&book, 0.3, -7.0);
    ha__book_go_on(&book, 1.0, (const double[]){ 1.0, 0.5 }, true);
    ck_assert_double_eq(book.worst, 7.0);
    ck_assert_double_eq(book.t_worst, 0.3);
    ck_assert_double_eq(book.end, 0.5);
    ha__book_clear(&book);
}
END_TEST

/* A tolerance that nobody asked for more than explains much, but not half of the book. */
START_TEST(loose_tolerances_do_not_hide_an_open_book)
{
    expected = HA_ERR_SOLVER;
    run_with(VIOLATED, 1.0, 2.5, 1e-3, 1e-10);
    ck_assert_ptr_nonnull(find_warning());
}
END_TEST

/* 1/(t - 1) V give an infinite energy to a resistor, and no number after it. */
START_TEST(a_power_without_bound_is_told)
{
    expected = HA_ERR_SOLVER;
    run("MSe{1/(t-1)}>1a>R{4}", 2.0, (double) NAN, 1e-6);
    ck_assert(!isfinite(report.energy_error));
    const char *said = find_warning();
    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, "cannot be kept") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "between t = 0.99") != NULL, "%s", said);
    ck_assert_msg(strstr(said, " s and 1.0") != NULL, "%s", said);
}
END_TEST

/* Energies of 1e-16 J are below those of the absolute tolerances: nothing is said about them. */
START_TEST(a_book_of_what_is_below_the_tolerances_may_be_open)
{
    run("1a>I{2, p=2e-8};1a>Re", 1.0, 2.5, 1e-8);
    ck_assert_ptr_null(find_warning());
}
END_TEST

/* A constraint holds a capacitance at an effort of 0, whatever its source brings and in whatever
   units: nothing moves, and what round-off leaves is no open book. */
START_TEST(what_is_held_does_not_open_the_book)
{
    static const double sizes[] = { 1e-9, 1e-3, 1.0, 1e3, 1e9 };
    char text[128];

    driver = _i % 2 == 0 ? HA_DRIVER_IDA : HA_DRIVER_AUTO;
    for (size_t k = 0; k < HA_COUNT(sizes) * HA_COUNT(sizes); k++) {
        snprintf(text, sizeof text, "MSf{%g*(0.7+sin(3*t))}>0;0>C{%g};0>Rf", sizes[k / 5],
                 0.8 * sizes[k % 5]);
        run_with(text, 1.0, (double) NAN, _i / 2 == 0 ? 1e-11 : 1e-6, 0.0);
        ck_assert_msg(find_warning() == NULL, "%s: %s", text, find_warning());
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("book");
    TCase *tests = tcase_create("book");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_a_mass_and_a_spring_exchange_has_passed);
    tcase_add_test(tests, what_a_source_gives_passes_to_storage_and_dissipator);
    tcase_add_test(tests, powers_of_opposite_sources_do_not_cancel);
    tcase_add_test(tests, what_passes_without_storage_is_counted);
    tcase_add_test(tests, a_violated_constraint_opens_the_book_and_is_named);
    tcase_add_test(tests, loose_tolerances_do_not_hide_an_open_book);
    tcase_add_loop_test(tests, what_is_held_does_not_open_the_book, 0, 4);
    tcase_add_test(tests, what_implicit_steps_take_is_told);
    tcase_add_test(tests, a_hundredth_of_what_moved_is_told);
    tcase_add_test(tests, a_twentieth_of_what_moved_is_wrong);
    tcase_add_test(tests, rows_are_looked_at);
    tcase_add_test(tests, a_power_without_bound_is_told);
    tcase_add_test(tests, a_book_of_what_is_below_the_tolerances_may_be_open);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
