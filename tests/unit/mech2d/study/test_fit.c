/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits by the library's call: of the charge of a capacitance, u(t) = U (1 - exp(-t/RC)), in closed
 * form; with standard deviations; what the data do not determine; what is wrong; without memory.
 */
#include <config.h>

#include "mech2d/fit.h"
#include "tests/util/context.h"
#include "tests/util/memory.h"

#include <math.h>
#include <string.h>

enum { ROWS = 21 };

static const double TAU = 1.3; /* s */
static const m2d_source circuit = { .graph = "Se{10}>1a>R;1a>C" };

static ha_status set_options(void *user, bg_run_options *options)
{
    options->solver.rtol = *(const double *) user;
    return HA_OK;
}

/* The voltage at 0, 0.1 s, ... */
static ha_status make_data(const char *output, ha_result **out)
{
    ha_result *data = ha_result_new(ctx);
    ha_status status = data == NULL ? HA_ERR_MEMORY : HA_OK;

    *out = data;
    status = status == HA_OK ? ha_result_add_column(data, "t", "s") : status;
    status = status == HA_OK ? ha_result_add_column(data, output, "") : status;
    for (int i = 0; i < ROWS && status == HA_OK; i++) {
        double t = 0.1 * i;
        status = ha_result_add_row(data, (double[]){ t, 10.0 * (1.0 - exp(-t / TAU)) });
    }
    return status;
}

static m2d_fit_parameter parameter(const char *path, double start)
{
    return (m2d_fit_parameter){ { .path = path, .value = start }, -INFINITY, INFINITY };
}

static ha_status fit(const char *output, const m2d_fit_parameter *p, int n,
                     const m2d_fit_sigma *sigma, double rtol, m2d_fit *out)
{
    ha_result *data = NULL;
    ha_status status = make_data(output, &data);
    const m2d_fit_def def = { .source = &circuit,
                              .parameters = p,
                              .n_parameters = n,
                              .data = data,
                              .sigmas = sigma,
                              .n_sigmas = sigma == NULL ? 0 : 1,
                              .adjust = set_options,
                              .user = &rtol };

    *out = (m2d_fit){ 0 };
    status = status == HA_OK ? m2d_fit_find(ctx, &def, out) : status;
    ha_result_free(data);
    return status;
}

START_TEST(exact_data_give_back_what_they_were_made_with)
{
    const m2d_fit_parameter r = parameter("R", 0.9);
    m2d_fit f;

    ck_assert_int_eq(fit("C.e", &r, 1, NULL, 1e-10, &f), HA_OK);
    ck_assert_int_eq(f.end, M2D_FIT_DONE);
    ck_assert_double_eq_tol(f.value[0], TAU, 1e-7);
    ck_assert_int_eq(f.n_data, ROWS);
    ck_assert_int_eq(f.freedom, ROWS - 1);
    ck_assert_uint_eq(ha_result_n_rows(f.table), ROWS);
    ck_assert_str_eq(ha_result_name(f.table, 3), "residual(C.e)");
    m2d_fit_clear(&f);
}
END_TEST

/* The standard error is sigma / |du/dR|, and du/dR = -U t/(R^2 C) exp(-t/RC). */
START_TEST(a_standard_error_follows_from_that_of_the_data)
{
    const m2d_fit_parameter r = parameter("R", 0.9);
    const m2d_fit_sigma sigma = { "C.e", 0.25, HA_NOWHERE };
    double sum = 0.0;
    m2d_fit f;

    for (int i = 0; i < ROWS; i++) {
        double t = 0.1 * i, slope = 10.0 * t / (TAU * TAU) * exp(-t / TAU);
        sum += slope * slope;
    }
    ck_assert_int_eq(fit("C.e", &r, 1, &sigma, 1e-9, &f), HA_OK);
    ck_assert_double_eq_tol(f.deviation[0], 0.25 / sqrt(sum), 1e-6);
    m2d_fit_clear(&f);
}
END_TEST

START_TEST(what_a_product_hides_is_named)
{
    const m2d_fit_parameter p[] = { parameter("R", 2.0), parameter("C", 0.5) };
    m2d_fit f;

    ck_assert_int_eq(fit("C.e", p, 2, NULL, 1e-8, &f), HA_OK);
    ck_assert_int_eq(f.end, M2D_FIT_UNDETERMINED);
    ck_assert_int_eq(f.n_loose, 1);
    ck_assert_double_eq_tol(f.loose[0] * f.loose[1], -1.0, 1e-3); /* R : C = 1 : -1 */
    ck_assert_double_eq_tol(f.value[0] * f.value[1], TAU, 1e-5);
    ck_assert(isnan(f.deviation[0]) && isnan(f.deviation[1]));
    m2d_fit_clear(&f);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *output, *path;
        double start;
        const char *says;
    } cases[] = {
        { "C.nothing", "R", 1.0, "C.nothing" },
        { "C.e", "L", 1.0, "`L`" },
        { "sigma(C.e)", "R", 1.0, "stands without a column `C.e`" },
    };
    const m2d_fit_parameter p = parameter(cases[_i].path, cases[_i].start);
    m2d_fit f;

    ck_assert_int_ne(fit(cases[_i].output, &p, 1, NULL, 1e-6, &f), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    const char *said = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(said, cases[_i].says) != NULL, "%s", said);
    m2d_fit_clear(&f);
}
END_TEST

START_TEST(bounds_are_checked)
{
    static const struct {
        double start, least, most;
        const char *says;
    } cases[] = {
        { 1.0, 2.0, 3.0, "is not within its bounds, 2 to 3" },
        { 4.0, 2.0, 3.0, "is not within its bounds, 2 to 3" },
        { NAN, 2.0, 3.0, "is not within its bounds" },
        { INFINITY, -INFINITY, INFINITY, "is not within its bounds" },
        { 2.0, 2.0, 2.0, "are crossed" },
        { 2.0, NAN, 3.0, "are crossed" },
    };
    m2d_fit_parameter p = parameter("R", cases[_i].start);
    m2d_fit f;

    p.least = cases[_i].least;
    p.most = cases[_i].most;
    ck_assert_int_eq(fit("C.e", &p, 1, NULL, 1e-6, &f), HA_ERR_VALUE);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    const char *said = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(said, cases[_i].says) != NULL, "%s", said);
    m2d_fit_clear(&f);
}
END_TEST

START_TEST(a_value_is_fitted_once)
{
    const m2d_fit_parameter p[] = { parameter("R", 2.0), parameter("R", 0.5) };
    m2d_fit f;

    ck_assert_int_eq(fit("C.e", p, 2, NULL, 1e-6, &f), HA_ERR_NAME);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "`R` is given twice; name each value once");
    m2d_fit_clear(&f);
}
END_TEST

static ha_status attempt(void *user)
{
    const m2d_fit_parameter r = parameter("R", 0.9);
    m2d_fit f;
    ha_status status = fit("C.e", &r, 1, NULL, *(const double *) user, &f);

    m2d_fit_clear(&f);
    return status;
}

START_TEST(memory_may_fail)
{
    double rtol = 1e-4;

    ck_assert_uint_gt(memory_survives(ctx, 0, attempt, &rtol), 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tcase = tcase_create("fit");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, exact_data_give_back_what_they_were_made_with);
    tcase_add_test(tcase, a_standard_error_follows_from_that_of_the_data);
    tcase_add_test(tcase, what_a_product_hides_is_named);
    tcase_add_loop_test(tcase, what_is_wrong_is_said, 0, 3);
    tcase_add_loop_test(tcase, bounds_are_checked, 0, 6);
    tcase_add_test(tcase, a_value_is_fitted_once);
    tcase_add_test(tcase, memory_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
