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
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "bondgraph: {signals: {s: %s}}\nsimulate: {t_end: 1}\n",
                 cases[i][0]);
        run_expect_failure(text, HA_ERR_VALUE, cases[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("digital");
    TCase *tcase = tcase_create("digital");

    tcase_add_loop_test(tcase, a_discrete_pi_follows_its_recursion_by_every_driver, 0, 4);
    tcase_add_test(tcase, a_delay_gives_the_sample_before);
    tcase_add_test(tcase, an_encoder_counts_exactly);
    tcase_add_test(tcase, what_is_wrong_is_refused);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
