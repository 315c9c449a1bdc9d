/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digital control: signals that are sampled, delayed and quantised, against recursions in exact
 * arithmetic of the linear system between samples.
 *
 * A rotor J with a bearing b under the torque u: with a = exp(-b T / J)
 *
 *   w_(k+1) = a w_k + (1 - a) u_k / b,   e_k = r - w_k,
 *   s_k = s_(k-1) + ki T e_k,            u_k = kp e_k + s_k
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define ROTOR                                                                                      \
    HEAD "values: {error: 50 - rotor.f}\n"                                                         \
         "bondgraph:\n"                                                                            \
         "  elements: {M: {type: MSe, value: control}, rotor: {type: I, value: 2e-4},\n"           \
         "             bearing: {type: R, value: 3e-3}, 1m: {type: \"1\"}}\n"                      \
         "  bonds: [M > 1m, 1m > rotor, 1m > bearing]\n"                                           \
         "  signals:\n"                                                                            \
         "    sum: {type: sample, input: sum + 4*1e-3*error, period: 1 ms, start: 0.01}\n"         \
         "    control: {type: sample, input: 0.02*error + sum + 4*1e-3*error, period: 1 ms}\n"     \
         "simulate: {t_end: 0.1, step: 5e-4, rtol: 1e-12, driver: %s}\n"

static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };

START_TEST(a_discrete_pi_follows_its_recursion_by_every_driver)
{
    const double J = 2e-4, b = 3e-3, T = 1e-3, kp = 0.02, ki = 4.0, r = 50.0;
    const double a = exp(-b * T / J);
    char text[2048];

    snprintf(text, sizeof text, ROTOR, drivers[_i]);
    run found = run_text(text);
    double w = 0.0, s = 0.01;
    for (size_t k = 0; 2 * k + 1 < ha_result_n_rows(found.result); k++) {
        s += ki * T * (r - w);
        double u = kp * (r - w) + s, at = run_value(&found, 2 * k, "rotor.f");
        ck_assert_msg(fabs(at - w) <= 1e-9 * r, "w at %zu T is %.17g, not %.17g", k, at, w);
        at = run_value(&found, 2 * k + 1, "control"); /* between two samples */
        ck_assert_msg(fabs(at - u) <= 1e-9 * r, "u at %zu T is %.17g, not %.17g", k, at, u);
        w = a * w + (1.0 - a) * u / b;
    }
    ck_assert_int_eq(found.report.solver.events, 99);
    run_end(&found);
}
END_TEST

START_TEST(a_delay_gives_the_sample_before)
{
    run r = run_text(HEAD "bondgraph:\n"
                          "  elements: {F: {type: Sf, value: 1}, C: {type: C, value: 1}}\n"
                          "  bonds: [F > C]\n"
                          "  signals:\n"
                          "    now: {type: sample, input: C.q^2, period: 0.1}\n"
                          "    late: {type: delay, input: C.q^2, period: 0.1, start: -1}\n"
                          "simulate: {t_end: 1, step: 0.05, rtol: 1e-12}\n");

    for (int k = 0; k < 10; k++) {
        size_t row = (size_t) (2 * k + 1);
        double now = 0.01 * k * k, late = k == 0 ? -1.0 : 0.01 * (k - 1) * (k - 1);
        ck_assert_double_eq_tol(run_value(&r, row, "now"), now, 1e-10);
        ck_assert_double_eq_tol(run_value(&r, row, "late"), late, 1e-10);
    }
    run_end(&r);
}
END_TEST

/* The same rotor under a discrete PID with limits, by hand: its integral gives back what they cut.
 */
START_TEST(a_discrete_pid_follows_its_recursion)
{
    const double J = 2e-4, b = 3e-3, T = 1e-3, kp = 0.05, ki = 3.0, kd = 1e-5, most = 0.4;
    const double a = exp(-b * T / J);
    run r = run_text(HEAD
                     "bondgraph:\n"
                     "  elements: {M: {type: MSe, value: c}, rotor: {type: I, value: 2e-4},\n"
                     "             bearing: {type: R, value: 3e-3}, 1m: {type: \"1\"}}\n"
                     "  bonds: [M > 1m, 1m > rotor, 1m > bearing]\n"
                     "  signals:\n"
                     "    c: {type: discrete-pid, input: 50 - rotor.f, kp: 0.05, ki: 3, kd: 1e-5,\n"
                     "        limits: [-0.4, 0.4], period: 1 ms, start: 0.02, filter_start: 50}\n"
                     "simulate: {t_end: 0.2, step: 5e-4, rtol: 1e-12}\n");
    double w = 0.0, i = 0.02, z = 50.0;
    int n_limited = 0;

    for (size_t k = 0; 2 * k + 1 < ha_result_n_rows(r.result); k++) {
        double e = 50.0 - w, v = kp * e + i + ki * T * e + kd * (e - z) / T;
        double y = fmin(fmax(v, -most), most), found = run_value(&r, 2 * k + 1, "c");
        ck_assert_msg(fabs(found - y) <= 1e-9, "y at %zu T is %.17g, not %.17g", k, found, y);
        n_limited += y != v;
        i += ki * T * e + y - v;
        z = e;
        w = a * w + (1.0 - a) * y / b;
    }
    ck_assert_int_gt(n_limited, 5);
    ck_assert_int_lt(n_limited, 150);
    ck_assert_double_eq_tol(w, 50.0, 0.5);
    run_end(&r);
}
END_TEST

/* g(x) = 16807 x mod 2^31 - 1 in whole numbers: from 1 it is 1043618065 after 10000 steps (Park and
   Miller 1988). */
static long long next_random(long long x)
{
    return 16807 * x % 2147483647;
}

/* The numbers are those of the generator, one after the other, and normal. */
START_TEST(noise_is_normal_and_comes_again)
{
    run r = run_text(HEAD "bondgraph:\n"
                          "  signals:\n"
                          "    n: {type: noise, period: 1 ms, deviation: 3, seed: 7}\n"
                          "    m: {type: noise, period: 1 ms, seed: 8}\n"
                          "simulate: {t_end: 2, step: 5e-4}\n");
    double mean = 0.0, square = 0.0, cube = 0.0, both = 0.0;
    long long x = 1;
    int n = 2000;

    for (int k = 0; k < 10000; k++) {
        x = next_random(x);
    }
    ck_assert_int_eq(x, 1043618065);
    x = (long long) run_value(&r, 1, "n.drawn.q");
    for (int k = 1; k <= n; k++) {
        double y = run_value(&r, (size_t) (2 * k - 1), "n") / 3.0;
        mean += y / n;
        square += y * y / n;
        cube += y * y * y / n;
        both += y * run_value(&r, (size_t) (2 * k - 1), "m") / n;
        if (k < n) {
            long long one = next_random(x), two = next_random(one);
            double wanted = 3.0 * sqrt(-2.0 * log((double) one / 2147483647.0)) *
                            cos(2.0 * acos(-1.0) * (double) two / 2147483647.0);
            ck_assert_double_eq_tol(run_value(&r, (size_t) (2 * k + 1), "n"), wanted, 1e-9);
            ck_assert_double_eq(run_value(&r, (size_t) (2 * k + 1), "n.drawn.q"), (double) two);
            x = two;
        }
    }
    /* within four standard deviations of what 2000 normal numbers give */
    ck_assert_double_eq_tol(mean, 0.0, 4.0 / sqrt(n));
    ck_assert_double_eq_tol(square, 1.0, 4.0 * sqrt(2.0 / n));
    ck_assert_double_eq_tol(cube, 0.0, 4.0 * sqrt(15.0 / n));
    ck_assert_double_eq_tol(both, 0.0, 4.0 / sqrt(n));
    run_end(&r);
}
END_TEST

/* Multiples of 0.1 s and of 0.3 s meet at 0.6 s but for their last digits: whatever the steps, what
   is sampled there is the value from before, of 0.5 s. */
START_TEST(clocks_of_one_time_change_in_one_event)
{
    static const char *const tolerances[] = { "1e-6", "1e-8", "1e-9", "1e-10", "1e-11", "1e-12" };
    char text[512];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\n"
                  "bodies: {b: {mass: 1, start: {vx: 1}}}\n"
                  "outputs: [{held: \"hold(b.x, b.x - 0.35)\"}, "
                  "{both: \"sample(sample(b.x, 0.1), 0.3)\"}]\n"
                  "simulate: {t_end: 0.75, rtol: %s, driver: %s}\n",
             tolerances[_i % 6], drivers[_i / 6]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "both"), 0.5, 1e-9);
    ck_assert_double_eq_tol(run_last(&r, "held"), 0.35, 1e-9);
    run_end(&r);
}
END_TEST

/* Calls are signals: the same as those with a name. */
START_TEST(calls_sample_delay_and_hold)
{
    run r =
        run_text(HEAD "gravity: [0, 0]\n"
                      "parameters: {T: 0.1}\n"
                      "values: {twice: \"2*sample(b.x^2, T)\", late: \"delay(sin(b.x), 2*T)\"}\n"
                      "bodies: {b: {mass: 1, start: {vx: 1}}}\n"
                      "bondgraph:\n"
                      "  signals:\n"
                      "    now: {type: sample, input: b.x^2, period: T}\n"
                      "    before: {type: delay, input: sin(b.x), period: 2*T}\n"
                      "    held: {type: hold, input: b.x, when: b.x - 0.35}\n"
                      "outputs: [{held2: \"hold(b.x, b.x - 0.35)\", both: \"sample(sample(b.x, T), "
                      "3*T)\"}]\n"
                      "simulate: {t_end: 1, step: 0.05, rtol: 1e-10}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        ck_assert_double_eq_tol(run_value(&r, i, "twice"), 2.0 * run_value(&r, i, "now"), 1e-14);
        ck_assert_double_eq_tol(run_value(&r, i, "late"), run_value(&r, i, "before"), 1e-14);
        ck_assert_double_eq_tol(run_value(&r, i, "held2"), run_value(&r, i, "held"), 1e-14);
    }
    ck_assert_double_eq_tol(run_value(&r, 15, "both"), 0.5, 1e-9); /* at 0.75 what was at 0.5 */
    run_end(&r);
}
END_TEST

START_TEST(an_encoder_counts_exactly)
{
    run r = run_text(HEAD "bondgraph:\n"
                          "  elements: {F: {type: Sf, value: \"3*sin(t)\"}, C: {type: C}}\n"
                          "  bonds: [F > C]\n"
                          "  signals: {count: {type: quantiser, input: C.q, step: 0.25}}\n"
                          "simulate: {t_end: 12, step: 0.01, rtol: 1e-10}\n");
    size_t n = 0;

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double truth = 3.0 * (1.0 - cos(run_value(&r, i, "t"))), in_steps = truth / 0.25 + 0.5;
        if (fabs(in_steps - round(in_steps)) > 1e-6) { /* on no step */
            ck_assert_double_eq(run_value(&r, i, "count"), 0.25 * floor(in_steps));
            n++;
        }
    }
    ck_assert_uint_gt(n, 1000);
    run_end(&r);
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
    static const char *const cases[][2] = {
        { "{type: sample, input: t, period: 0}", "`period` of signal `s` is 0 s; give a positive" },
        { "{type: delay, input: t, period: -1 ms}", "give a positive time" },
        { "{type: sample, input: t}", "has no `period`" },
        { "{type: sample, input: t, period: t}", "it must be constant" },
        { "{type: quantiser, input: t, step: 0}", "`step` of signal `s` is 0" },
        { "{type: quantiser, input: t}", "has no `step`" },
        { "{type: noise, period: 1, seed: 0.5}", "`seed` of signal `s` is 0.5" },
        { "{type: noise, period: 1, seed: -1}", "`seed` of signal `s` is -1" },
        { "{type: noise}", "has no `period`" },
        { "{type: discrete-pid, input: t, kp: 1}", "has no `period`" },
        { "{type: discrete-pid, input: t, kp: 1, period: 1, limits: [1, 0]}",
          "the lower one first" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "bondgraph: {signals: {s: %s}}\nsimulate: {t_end: 1}\n",
                 cases[i][0]);
        run_expect_failure(text, HA_ERR_VALUE, cases[i][1]);
    }
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    static const struct {
        const char *text;
        ha_status status;
        const char *part;
    } cases[] = {
        { "values: {a: sample(t)}\n", HA_ERR_SYNTAX, "`sample` takes two arguments" },
        { "values: {a: \"sample(t, 1, 2)\"}\n", HA_ERR_SYNTAX, "`sample` takes two arguments" },
        { "values: {a: \"sample(t, 0)\"}\n", HA_ERR_VALUE, "`period` of signal `sample_1` is 0 s" },
        { "values: {a: \"delay(t, t)\"}\n", HA_ERR_VALUE, "must be constant" },
        { "values: {a: \"sample(zz, 1)\"}\n", HA_ERR_NAME, "unknown name `zz`" },
        { "functions: {f: {of: [x], is: \"sample(x, 1)\"}}\n", HA_ERR_NAME, "cannot stand in" },
        { "bondgraph: {elements: {R: {type: R, e: \"sample(f, 1)\"}, V: {type: Se}}, bonds: [V > "
          "R]}\n",
          HA_ERR_NAME, "cannot stand in" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "bodies: {b: {mass: 1}}\n%ssimulate: {t_end: 1}\n",
                 cases[i].text);
        run_expect_failure(text, cases[i].status, cases[i].part);
    }
}
END_TEST

START_TEST(a_function_of_the_user_may_be_called_sample)
{
    run r = run_text(HEAD "functions: {sample: {of: [a, b], is: a + b}}\n"
                          "values: {s: \"sample(t, 2)\"}\nbodies: {b: {mass: 1}}\n"
                          "simulate: {t_end: 1}\n");

    run_expect(&r, "s", 3.0, 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    run_survives(HEAD "bodies: {b: {mass: 1}}\nvalues: {a: \"hold(delay(b.x, 1), t - 1)\"}\n"
                      "bondgraph: {signals: {n: {type: noise, period: 1}, c: {type: discrete-pid, "
                      "input: n, ki: 1, kd: 1, period: 1}}}\nsimulate: {t_end: 1}\n",
                 run_expand);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("digital");
    TCase *tcase = tcase_create("digital");

    tcase_add_loop_test(tcase, a_discrete_pi_follows_its_recursion_by_every_driver, 0, 4);
    tcase_add_test(tcase, a_delay_gives_the_sample_before);
    tcase_add_test(tcase, a_discrete_pid_follows_its_recursion);
    tcase_add_test(tcase, noise_is_normal_and_comes_again);
    tcase_add_loop_test(tcase, clocks_of_one_time_change_in_one_event, 0, 24);
    tcase_add_test(tcase, calls_sample_delay_and_hold);
    tcase_add_test(tcase, wrong_calls_are_refused);
    tcase_add_test(tcase, a_function_of_the_user_may_be_called_sample);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, an_encoder_counts_exactly);
    tcase_add_test(tcase, what_is_wrong_is_refused);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
