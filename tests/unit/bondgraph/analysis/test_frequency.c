/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency responses against closed forms: gain and phase, poles, zeros, the grid at a resonance.
 */
#include <config.h>

#include "bondgraph/frequency.h"
#include "tests/unit/bondgraph/graph_fixture.h"

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
    tcase_add_test(tcase, constraints_and_their_stabilisation_cancel);
    tcase_add_test(tcase, a_range_that_is_none_is_refused);
    tcase_add_test(tcase, an_input_is_needed);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
