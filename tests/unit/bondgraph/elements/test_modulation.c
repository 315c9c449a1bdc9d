/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modulation: values of sources, resistors and converters that are expressions of the time, of
 * states, of what detectors read and of multipliers, against closed forms.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"

#include "tests/unit/bondgraph/differences.h"
#include "tests/util/util.h"

#include <math.h>
#include <string.h>

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static const char *last_text(void)
{
    size_t n = ha_ctx_n_diags(ctx);

    return n == 0 ? "" : ha_ctx_diag(ctx, n - 1)->text;
}

/* What an output must be at time t. */
typedef struct {
    const char *text, *output;
    double (*truth)(double t);
} modulation;

static double by_time(double t)
{
    return 1.0 - cos(t);
}

static double by_state(double t)
{
    return exp(-2.0 * t);
}

static double twice_time(double t)
{
    return 2.0 + t;
}

static double square_time(double t)
{
    return (2.0 + t) * (2.0 + t) * 3.0;
}

static double logistic(double t)
{
    return 1.0 / (1.0 + 3.0 * exp(-t));
}

static double growing(double t)
{
    return exp(t) - 1.0;
}

static double harmonic(double t)
{
    return cos(2.0 * t);
}

static double reciprocal(double t)
{
    return 1.0 / (1.0 + t);
}

static double logarithm(double t)
{
    return 0.5 * log(2.0 * exp(2.0 * t) - 1.0);
}

static double five(double t)
{
    (void) t;
    return 5.0;
}

static double four_thirds(double t)
{
    (void) t;
    return 4.0 / 3.0;
}

static const modulation cases[] = {
    /* MSe by the time, by a state, by a detector's integral */
    { "MSe{sin(t)} > 1 > I", "I.f", by_time },
    { "MSe{-2*I.f} > 1 > I{1, p=1}", "I.f", by_state },
    { "MSe{-4*Df.q} > 1 > I{1, p=0}; 1 > Df{q=1}", "Df.q", harmonic },
    /* MSf: q' = f */
    { "MSf{sin(t)} > 0 > C", "C.q", by_time },
    { "MSf{C.q*(1 - C.q)} > 0 > C{1, q=0.25}", "C.q", logistic },
    { "MSf{1 + De.e} > 0 > C; 0 > De", "C.q", growing },
    { "MSf{-4*De.p} > 0 > C{1, q=0}; 0 > De{p=1}", "De.p", harmonic },
    /* MR: e = R f, p' = -R f */
    { "Sf{1} > MR{2 + t}", "MR.e", twice_time },
    { "1 > I{1, p=1}; 1 > MR{I.f}", "I.f", reciprocal },
    { "1 > I{1, p=1}; 1 > MR{Df.f}; 1 > Df", "I.f", reciprocal },
    { "0 > C{1, q=1}; 0 > MR{1/De.e}; 0 > De", "C.q", reciprocal },
    /* MTF, f2 = m f1 and e1 = m e2: a resistance m^2 R */
    { "Sf{1} > MTF{2 + t} > R{3}", "Sf.e", square_time },
    { "MSf{1} > MTF{2 + C.q} > R{3}; MSf2{1} > 0 > C", "MSf.e", square_time },
    { "MSf{1} > MTF{2 + Df.q} > R{3}; Sf2{1} > 1 > Df; 1 > R2", "MSf.e", square_time },
    /* MGY, e1 = r f2 and e2 = r f1: a conductance r^2 / R */
    { "Sf{1} > MGY{2 + t} > R{1/3}", "Sf.e", square_time },
    { "Sf{1} > MGY{2 + C.q} > R{1/3}; Sf2{1} > 0 > C", "Sf.e", square_time },
    { "Sf{1} > MGY{2 + Df.q} > R{1/3}; Sf2{1} > 1 > Df; 1 > R2", "Sf.e", square_time },
    /* by the multiplier of a constraint, which is the effort that holds the inertia */
    { "Se{3} > 1 > I; 1 > Re; Sf{1} > MR{2 + Re.e}", "MR.e", five },
    { "Se{sin(t)} > 1 > I; 1 > Re; MSe{Re.e} > 1b > I2", "I2.f", by_time },
    /* by its own effort, which is a loop: e = 1 + e/4 */
    { "Sf{1} > MR{1 + MR.e/4}", "MR.e", four_thirds },
    /* v' = 1 + exp(-2 v) */
    { "MSe{1 + exp(-2*I.f)} > 1 > I", "I.f", logarithm },
};

START_TEST(a_value_follows_time_states_and_detectors)
{
    const modulation *x = &cases[_i];
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    options.solver.t_end = 1.0;
    options.solver.step = 0.125;
    options.solver.rtol = options.solver.atol = 1e-11;
    ha_status status = bg_compact_read(graph, x->text, strlen(x->text), HA_NOWHERE);
    status = status != HA_OK ? status : bg_graph_add_element_outputs(graph);
    status = status != HA_OK ? status : bg_causality_assign(graph, &causality);
    status = status != HA_OK ? status : bg_causality_status(causality);
    status = status != HA_OK ? status : bg_equations_derive(causality, &equations);
    status = status != HA_OK ? status : bg_model_compile(equations, NULL, 0, &model);
    ck_assert_msg(status == HA_OK, "%s: %s", x->text, last_text());
    double error = jacobian_error(model);
    ck_assert_msg(error <= 2e-6, "%s: Jacobian %g", x->text, error);
    status = bg_model_run(ctx, model, &options, result, &report);
    ck_assert_msg(status == HA_OK, "%s: %s", x->text, last_text());
    int column = ha_result_find(result, x->output);
    ck_assert_int_ge(column, 0);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double found = ha_result_value(result, row, (size_t) column);
        double truth = x->truth(ha_result_value(result, row, 0));
        ck_assert_msg(fabs(found - truth) <= 1e-8 * (1 + fabs(truth)),
                      "%s, row %zu: %.12g, not %.12g", x->text, row, found, truth);
    }
    ck_assert_msg(report.energy_error <= 1e-8, "%s: energy error %g", x->text, report.energy_error);
    ha_result_free(result);
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modulation");
    TCase *tests = tcase_create("modulation");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, a_value_follows_time_states_and_detectors, 0, (int) HA_COUNT(cases));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
