/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency responses against closed forms: gain and phase, poles, zeros, the grid at a resonance.
 */
#include <config.h>

#include "bondgraph/frequency.h"
#include "tests/unit/bondgraph/graph_fixture.h"

#include <stdio.h>

static bg_response response;

static void setup(void)
{
    begin_model();
    response = (bg_response){ 0 };
}

static void teardown(void)
{
    bg_response_clear(&response);
    end_model();
}

static ha_status respond(const char *text, const char *input, const char *output, double from,
                         double to, int count)
{
    const bg_frequency_range range = { from, to, count };
    double *y = NULL;

    HA_TRY(compile(text, input, output, &y));
    bg_operating_point point = { .y = y };
    ha_status status = bg_frequency(ctx, model, &point, &range, &response);
    free(y);
    return status;
}

#define RLC "Se{0}>1a>R{50};1a>I{0.1};1a>C{1e-5}"

/* u_C/u = 1 / (1 - w^2 L C + i w R C): at 1000 rad/s 2 and -90 deg; poles -250 +- 968.25 i. */
START_TEST(rlc_has_its_gain_and_phase)
{
    const double f = 1000.0 / (2.0 * acos(-1.0));

    expect_ok(respond(RLC, "Se", "C.e", f, 10.0 * f, 11));
    test_near(response.magnitude[0], 2.0, 1e-12);
    test_near(response.phase[0], -90.0, 1e-10);
    for (int k = 0; k < response.n; k++) {
        double w = 2.0 * acos(-1.0) * response.frequency[k];
        test_near(response.magnitude[k], 1.0 / hypot(1.0 - w * w * 1e-6, w * 5e-4), 1e-12);
        test_near(response.phase[k], -atan2(w * 5e-4, 1.0 - w * w * 1e-6) * 180.0 / acos(-1.0),
                  1e-9);
    }
    ck_assert_int_eq(response.n_poles, 2);
    test_near(response.poles[0], -250.0, 1e-9);
    test_near(response.poles[1], 968.245836551854, 1e-9);
    ck_assert_int_eq(response.n_zeros[0], 0);
}
END_TEST

/* The current has a zero at 0: i/u = C s / (L C s^2 + R C s + 1). */
START_TEST(the_current_has_a_zero)
{
    expect_ok(respond(RLC, "Se", "I.f", 1.0, 10.0, 5));
    ck_assert_int_eq(response.n_zeros[0], 1);
    test_near(response.zeros[0][0], 0.0, 1e-9);
    test_near(response.zeros[0][1], 0.0, 1e-9);
}
END_TEST

/* Damping ratio 1e-4: between 2 of 5 frequencies the phase turns by 180 deg; more are taken. */
START_TEST(a_resonance_is_not_missed)
{
    const double f = 1.0 / (2.0 * acos(-1.0));

    expect_ok(respond("Se{0}>1a>R{2e-4};1a>I{1};1a>C{1}", "Se", "C.e", 0.1 * f, 11.0 * f, 5));
    double most = 0.0;
    for (int k = 0; k < response.n; k++) {
        most = fmax(most, response.magnitude[k]);
        if (k > 0) {
            double ratio = response.frequency[k] / response.frequency[k - 1];
            ck_assert(fabs(response.phase[k] - response.phase[k - 1]) <= 10.0 || ratio < 1.00001);
        }
    }
    ck_assert_double_ge(most, 0.99 * 5000.0);
    test_near(response.phase[response.n - 1], -180.0, 1.0);
    ck_assert_int_le(response.n, 100);
}
END_TEST

/* u_C/u = 1 / (1 - w^2 + 2 z i w): largest at w^2 = 1 - 2 z^2, where it is
   1 / (2 z sqrt(1 - z^2)). What the damping ratio z leaves of the digits is 1e-16 / z. */
START_TEST(a_peak_has_its_closed_form)
{
    static const double ratios[] = { 0.5, 0.1, 1e-3, 1e-6, 1e-9 };
    const double f = 1.0 / (2.0 * acos(-1.0));

    for (size_t i = 0; i < HA_COUNT(ratios); i++) {
        char text[100];
        double z = ratios[i], wanted = 1.0 / (2.0 * z * sqrt(1.0 - z * z));
        snprintf(text, sizeof text, "Se{0}>1a>R{%.17g};1a>I{1};1a>C{1}", 2.0 * z);
        teardown();
        setup();
        expect_ok(respond(text, "Se", "C.e", 0.1 * f, 11.0 * f, 5));
        ck_assert_int_eq(response.n_peaks[0], 1);
        test_near(response.peaks[0][0], f * sqrt(1.0 - 2.0 * z * z), 1e-5 * z * f + 1e-15);
        test_near(response.peaks[0][1], wanted, wanted * (1e-9 + 1e-14 / z));
    }
}
END_TEST

START_TEST(a_resonance_without_damping_has_no_bound)
{
    const double f = 1.0 / (2.0 * acos(-1.0));

    expect_ok(respond("Se{0}>1a;1a>I{1};1a>C{1}", "Se", "C.e", 0.1 * f, 11.0 * f, 5));
    ck_assert_int_eq(response.n_peaks[0], 1);
    ck_assert(isinf(response.peaks[0][1]));
    test_near(response.peaks[0][0], f, 1e-11 * f);
}
END_TEST

/* A peak that the three points of a parabola put elsewhere: a first-order lag has none, a constant
   has none. */
START_TEST(what_only_falls_has_no_peak)
{
    expect_ok(respond("Se{0}>1a>R{1};1a>C{1}", "Se", "C.e", 0.001, 100.0, 400));
    ck_assert_int_eq(response.n_peaks[0], 0);
    teardown();
    setup();
    expect_ok(respond("Se{0}>1a>R{3};1a>0b;0b>R2{0.7};0b>R3{0.1}", "Se", "R3.f", 1.0, 2.0, 400));
    ck_assert_int_eq(response.n_peaks[0], 0);
}
END_TEST

/* |v1 + v2| / F of two oscillators, v = i w / (w0^2 - w^2 + 2 z i w0 w). */
static double mobility(const double *w0, double z, double w)
{
    double re = 0.0, im = 0.0;

    for (int k = 0; k < 2; k++) {
        double a = w0[k] * w0[k] - w * w, b = 2.0 * z * w0[k] * w;
        re += w * b / (a * a + b * b);
        im += w * a / (a * a + b * b);
    }
    return hypot(re, im);
}

/* Two oscillators under one force, w2/w1 = 1.001, damping ratios 1e-5: each a hundredth of their
   distance wide, and both between 2 of 5 frequencies. */
START_TEST(two_close_resonances_are_two)
{
    const double f = 1.0 / (2.0 * acos(-1.0)), z = 1e-5, w0[2] = { 1.0, 1.001 };
    char text[200];

    snprintf(text, sizeof text,
             "Se{0}>0a;0a>1a;0a>1b;1a>I1{1};1a>C1{1};1a>R1{%.17g};1b>I2{1};1b>C2{%.17g};"
             "1b>R2{%.17g}",
             2.0 * z, 1.0 / (w0[1] * w0[1]), 2.0 * z * w0[1]);
    expect_ok(respond(text, "Se", "Se.f", 0.1 * f, 11.0 * f, 5));
    ck_assert_int_eq(response.n_peaks[0], 2);
    for (int k = 0; k < 2; k++) {
        double w = response.peaks[0][2 * k] / f, m = response.peaks[0][2 * k + 1];
        test_near(w, w0[k], 0.1 * z);
        test_near(m, mobility(w0, z, w), 1e-8 * m);
        ck_assert_double_gt(m, mobility(w0, z, w * (1.0 - 1e-3 * z)));
        ck_assert_double_gt(m, mobility(w0, z, w * (1.0 + 1e-3 * z)));
    }
}
END_TEST

/* A chain of N masses and springs with one end free, where a force acts; more states than poles are
   found of. w_k = 2 sin((2 k - 1) pi / (4 N + 2)); dampers of the springs make the ratios c w_k
   / 2. Each of the resonances in the range is a peak of the speed there, though most are far
   narrower than the 40 frequencies are apart. */
START_TEST(resonances_of_large_models_are_found_by_the_curve)
{
    enum { N = 160, WANTED = 12 };
    const double turn = 2.0 * acos(-1.0), c = 1e-3;
    static char text[N * 120];
    size_t at = 0;

    for (int i = 0; i < N; i++) {
        at += (size_t) snprintf(text + at, sizeof text - at,
                                "%s>1m%d;1m%d>I%d{1};1m%d>0s%d;0s%d>1d%d;1d%d>C%d{1};1d%d>R%d{%g}",
                                i == 0 ? "Se{0}" : "", i, i, i, i, i, i, i, i, i, i, i, c);
        if (i + 1 < N) {
            at += (size_t) snprintf(text + at, sizeof text - at, ";0s%d", i);
        }
    }
    double last = 2.0 * sin((2 * WANTED) * turn / 2.0 / (4 * N + 2));
    expect_ok(respond(text, "Se", "I0.f", 1e-3 / turn, last / turn, 40));
    ck_assert_int_eq(response.n_poles, -1);
    ck_assert_int_eq(response.n_peaks[0], WANTED);
    for (int k = 0; k < WANTED; k++) {
        double w = 2.0 * sin((2 * k + 1) * turn / 2.0 / (4 * N + 2));
        test_near(response.peaks[0][2 * k] * turn, w, c * w * w);
    }
}
END_TEST

START_TEST(one_frequency_is_enough)
{
    const double f = 1000.0 / (2.0 * acos(-1.0));

    expect_ok(respond(RLC, "Se", "C.e", f, f, 1));
    ck_assert_int_eq(response.n, 1);
    test_near(response.magnitude[0], 2.0, 1e-12);
    ck_assert_int_eq(response.n_peaks[0], 0);
    teardown();
    setup();
    ck_assert_int_eq(respond(RLC, "Se", "C.e", f, 2.0 * f, 1), HA_ERR_VALUE);
}
END_TEST

/* Behind a constraint: two masses on one shaft are one, f/F = 1 / ((m1 + m2) s). */
START_TEST(constraints_and_their_stabilisation_cancel)
{
    expect_ok(respond("Se{0}>1a;1a>I1{1};1b>I2{3};1a>0d;0d>1b;0d>Re", "Se", "I2.f", 0.1, 100.0, 7));
    for (int k = 0; k < response.n; k++) {
        double wanted = 0.25 / (2.0 * acos(-1.0) * response.frequency[k]);
        test_near(response.magnitude[k], wanted, 1e-12 * wanted);
        test_near(response.phase[k], -90.0, 1e-9);
    }
}
END_TEST

START_TEST(a_range_that_is_none_is_refused)
{
    ck_assert_int_eq(respond(RLC, "Se", "C.e", 10.0, 1.0, 5), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "0 < from < to"));
}
END_TEST

/* What a passive body lets flow is within 90 deg of the effort on it: its phase falls at poles and
   rises at zeros, also where nothing damps it and the phase jumps. Poles are at the golden ratio
   and its inverse, the zero at the root of 2; at the range's middle is one of them itself. */
START_TEST(phases_jump_down_at_poles_and_up_at_zeros)
{
    static const char text[] = "Se{0}>1a>Ia{1};1a>0b>1c>Ic{1};0b>Cb{1};1c>Cc{1}";
    const double f = 1.0 / (2.0 * acos(-1.0)), golden = (1.0 + sqrt(5.0)) / 2.0;
    const double middle[] = { golden - 1.0, sqrt(2.0), golden };

    for (size_t i = 0; i < HA_COUNT(middle); i++) {
        expect_ok(respond(text, "Se", "Ia.f", 0.05 * middle[i] * f, 20.0 * middle[i] * f, 21));
        double w = 0.0;
        for (int k = 0; k < response.n; k++) {
            w = 2.0 * acos(-1.0) * response.frequency[k];
            bool rises = w < middle[0] || (w > middle[1] && w < middle[2]);
            bool is_edge = fabs(w - middle[0]) < 1e-4 || fabs(w - middle[1]) < 1e-4 ||
                           fabs(w - middle[2]) < 1e-4;
            double wanted = rises ? 90.0 : -90.0, off = fabs(response.phase[k] - wanted);
            ck_assert_msg(is_edge ? fabs(response.phase[k]) < 90.001 : off < 1e-3,
                          "%.17g deg at %.17g rad/s", response.phase[k], w);
        }
        bg_response_clear(&response);
        end_model();
        begin_model();
    }
}
END_TEST

START_TEST(an_input_is_needed)
{
    ck_assert_int_eq(respond(RLC, NULL, "C.e", 1.0, 10.0, 5), HA_ERR_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frequency");
    TCase *tcase = tcase_create("graphs");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, rlc_has_its_gain_and_phase);
    tcase_add_test(tcase, the_current_has_a_zero);
    tcase_add_test(tcase, a_resonance_is_not_missed);
    tcase_add_test(tcase, a_peak_has_its_closed_form);
    tcase_add_test(tcase, a_resonance_without_damping_has_no_bound);
    tcase_add_test(tcase, what_only_falls_has_no_peak);
    tcase_add_test(tcase, two_close_resonances_are_two);
    tcase_add_test(tcase, resonances_of_large_models_are_found_by_the_curve);
    tcase_add_test(tcase, one_frequency_is_enough);
    tcase_add_test(tcase, constraints_and_their_stabilisation_cancel);
    tcase_add_test(tcase, a_range_that_is_none_is_refused);
    tcase_add_test(tcase, phases_jump_down_at_poles_and_up_at_zeros);
    tcase_add_test(tcase, an_input_is_needed);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
