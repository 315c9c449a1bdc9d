/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws of orifices, which are flat or upright where the flow is 0, at that point: they start there,
 * come to rest there, and stay. Through R a source of 1 fills C = 1,
 *
 *     q' = (1 - q)^(1/n)  for e = f^n:   q = 1 - (1 - (1 - 1/n) t)^(n/(n - 1))  until q = 1.
 */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bg_run_report report;

static void simulate(const char *text, ha_driver driver, double t_end, double rtol, double atol)
{
    bg_run_options options = bg_run_options_default();

    read_text(text);
    options.solver.t_end = t_end;
    options.solver.rtol = rtol;
    options.solver.atol = atol;
    options.solver.driver = driver;
    options.solver.max_steps = 1000000;
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
}

static const struct {
    const char *text;
    ha_driver driver;
    double n, sign;
} laws[] = {
    { "Se{1}>1a>R{e = f*abs(f)}; 1a>C{1}", HA_DRIVER_IDA, 2.0, 1.0 },
    { "Se{1}>1a>R{e = f*abs(f)}; 1a>C{1}", HA_DRIVER_AUTO, 2.0, 1.0 },
    { "Se{-1}>1a>R{e = f*abs(f)}; 1a>C{1}", HA_DRIVER_IDA, 2.0, -1.0 },
    { "Se{1}>1a>R{e = f^3}; 1a>C{1}", HA_DRIVER_IDA, 3.0, 1.0 },
    { "Se{1}>1a>R{e = f*abs(f)}; 1a>C{1}", HA_DRIVER_EXPLICIT, 2.0, 1.0 },
    { "Se{-1}>1a>R{e = f*abs(f)}; 1a>C{1}", HA_DRIVER_EXPLICIT8, 2.0, -1.0 },
    { "Se{1}>1a>R{e = f^3}; 1a>C{1}", HA_DRIVER_EXPLICIT, 3.0, 1.0 },
    { "Se{1}>1a>R{e = f^3}; 1a>C{1}", HA_DRIVER_EXPLICIT8, 3.0, 1.0 },
    { "Se{1}>1a>R{f = sign(e)*sqrt(abs(e))}; 1a>C{1}", HA_DRIVER_IDA, 2.0, 1.0 },
    { "Se{1}>1a>R{f = sign(e)*sqrt(abs(e))}; 1a>C{1}", HA_DRIVER_EXPLICIT, 2.0, 1.0 },
    { "Se{1}>1a>R{f = sign(e)*sqrt(abs(e))}; 1a>C{1}", HA_DRIVER_EXPLICIT8, 2.0, 1.0 },
    { "Se{-1}>1a>R{f = sign(e)*abs(e)^0.6}; 1a>C{1}", HA_DRIVER_IDA, 1.0 / 0.6, -1.0 },
};

START_TEST(law_is_met_from_no_flow_to_no_flow)
{
    double n = laws[_i].n, sign = laws[_i].sign;

    simulate(laws[_i].text, laws[_i].driver, 3.0, 1e-7, 1e-7);
    int column = ha_result_find(result, "C.q");
    ck_assert_int_ge(column, 0);
    ck_assert_uint_eq(ha_result_n_rows(result), 501);
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double left = 1.0 - (1.0 - 1.0 / n) * ha_result_value(result, i, 0);
        double q = sign * (1.0 - pow(fmax(left, 0.0), n / (n - 1.0)));
        ck_assert_double_eq_tol(ha_result_value(result, i, (size_t) column), q, 3e-5);
    }
}
END_TEST

/* A source that swings drives them to and fro through the point, from a start at rest. The two
   ways of writing a law are one law. */
static const struct {
    const char *text, *inverse;
} pairs[] = {
    { "Se{sin(3*t)}>1a>R{e = f*abs(f)}; 1a>C{1}",
      "Se{sin(3*t)}>1a>R{f = sign(e)*sqrt(abs(e))}; 1a>C{1}" },
    { "Se{sin(3*t)}>1a>R{e = f^3}; 1a>C{1}",
      "Se{sin(3*t)}>1a>R{f = sign(e)*abs(e)^(1/3)}; 1a>C{1}" },
    { "Se{cos(3*t)}>1a>R{e = sign(f)*abs(f)^1.5}; 1a>I{1}; 1a>C{1}",
      "Se{cos(3*t)}>1a>R{e = f*sqrt(abs(f))}; 1a>I{1}; 1a>C{1}" },
};

static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8 };

START_TEST(law_is_passed_to_and_fro)
{
    double ends[6];
    int n = 0;

    for (size_t i = 0; i < HA_COUNT(drivers); i++) {
        for (int inverse = 0; inverse < 2; inverse++) {
            tear_down();
            set_up();
            simulate(inverse != 0 ? pairs[_i].inverse : pairs[_i].text, drivers[i], 5.0, 1e-9,
                     1e-9);
            ends[n++] = last("C.q");
        }
    }
    for (int i = 1; i < n; i++) {
        ck_assert_double_eq_tol(ends[i], ends[0], 2e-5);
    }
}
END_TEST

START_TEST(what_is_at_rest_stays)
{
    static const char *const texts[] = { "Se{0}>1a>R{e = f*abs(f)}; 1a>C{1}",
                                         "Se{0}>1a>R{e = f^3}; 1a>C{1}",
                                         "Se{0}>1a>R{f = sign(e)*sqrt(abs(e))}; 1a>C{1}" };

    simulate(texts[_i % 3], drivers[_i / 3], 1.0, 1e-6, 1e-6);
    ck_assert_double_eq(last("C.q"), 0.0);
}
END_TEST

START_TEST(no_start_is_refused_where_a_law_is_flat)
{
    simulate("Se{1}>1a>R{e = f*abs(f)}; 1a>R_2{e = 2*f^3}; 1a>C{1}", HA_DRIVER_IDA, 0.0, 1e-6,
             1e-6);
    double f = last("R.f");
    ck_assert_double_eq_tol(f * fabs(f) + 2.0 * f * f * f, 1.0, 1e-9);
}
END_TEST

/* Charged to 0.2 J from 0.05 J with 1e-7 of charge at 2e6: what the orifice takes is 0.05 J. */
START_TEST(small_store_behind_an_orifice_fills)
{
    simulate("Se{2e6} > 1v > R{e=1e12*f*abs(f)+1e9*f}; 1v > 0c > C{1e-13, q=1e-7}", HA_DRIVER_IDA,
             1.0, 1e-8, 1e-15);
    ck_assert_double_eq_tol(last("C.q"), 2e-7, 1e-13);
    ck_assert_double_eq_tol(last("energy.dissipated"), 0.05, 1e-6);
}
END_TEST

/* A spring e = 1000 q^1.5 that has no value below 0 throws a mass of 1 back under a force of -1,
   with 0.4*1000*0.1^2.5 + 0.1 J in both from q = 0.1; beyond 0 the mass falls freely. */
static const char *const springs[] = {
    "e=1000*max(q,0)^1.5",
    "e=if(q>0,1000*q^1.5,0)",
    "e=if((q>0)*(q<1),1000*(2*q)^1.5/2^1.5,0)",
    "e=-if(0>=q,0,-1000*sqrt(q)*q)",
};

START_TEST(spring_with_a_root_ends_where_its_condition_does)
{
    char text[128];
    snprintf(text, sizeof text, "Se{-1}>1a;1a>I{1};1a>C{%s,q=0.1}", springs[_i % 4]);
    simulate(text, drivers[_i / 4], 1.0, 1e-9, 1e-10);

    int q = ha_result_find(result, "C.q"), f = ha_result_find(result, "I.f");
    size_t n = ha_result_n_rows(result), n_free = 0;
    for (size_t i = 0; i < n; i++) {
        double at = ha_result_value(result, i, (size_t) q),
               speed = ha_result_value(result, i, (size_t) f);
        double left = 400.0 * (pow(0.1, 2.5) - pow(fmax(at, 0.0), 2.5)) + 0.1 - at;
        ck_assert_double_eq_tol(speed * speed / 2.0, left, 1e-6);
        if (at < 0.0) {
            double rest = ha_result_value(result, n - 1, 0) - ha_result_value(result, i, 0);
            ck_assert_double_eq_tol(speed, last("I.f") + rest, 1e-9);
            n_free++;
        }
    }
    ck_assert_uint_gt(n_free, 400);
}
END_TEST

/* An orifice written with `if` stops a mass of 1 as f = (1 - t/2)^2 does, and starts it again. */
START_TEST(orifice_with_an_if_is_passed)
{
    simulate("1a>I{1,p=1};1a>R{e=if(f>0,sqrt(f),-sqrt(-f))}", drivers[_i], 1.9, 1e-9, 1e-10);
    ck_assert_double_eq_tol(last("I.f"), 0.0025, 1e-7);
    tear_down();
    set_up();
    simulate("Se{cos(t)}>1a;1a>I{1};1a>R{e=if(f>0,sqrt(f),-sqrt(-f))}", drivers[_i], 5.0, 1e-9,
             1e-10);
    double one = last("I.f");
    tear_down();
    set_up();
    simulate("Se{cos(t)}>1a;1a>I{1};1a>R{e=sign(f)*sqrt(abs(f))}", drivers[_i], 5.0, 1e-9, 1e-10);
    ck_assert_double_eq_tol(one, last("I.f"), 1e-6);
}
END_TEST

/* The energy from 0 to 0 is 0 whatever the law; what has no value is the law itself. */
START_TEST(law_without_a_value_at_the_start_is_named)
{
    static const char text[] = "Se{1}>1; 1>C{e = log(q), q=0}; 1>R{1}";
    bg_run_options options = bg_run_options_default();

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    options.solver.t_end = 1.0;
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "balance of C"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`C.q` = 0"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("orifice");
    TCase *tests = tcase_create("orifice");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, law_is_met_from_no_flow_to_no_flow, 0, (int) HA_COUNT(laws));
    tcase_add_loop_test(tests, law_is_passed_to_and_fro, 0, (int) HA_COUNT(pairs));
    tcase_add_loop_test(tests, what_is_at_rest_stays, 0, 9);
    tcase_add_test(tests, no_start_is_refused_where_a_law_is_flat);
    tcase_add_loop_test(tests, spring_with_a_root_ends_where_its_condition_does, 0, 12);
    tcase_add_loop_test(tests, orifice_with_an_if_is_passed, 0, 3);
    tcase_add_test(tests, law_without_a_value_at_the_start_is_named);
    tcase_add_test(tests, small_store_behind_an_orifice_fills);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
