/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models without unknowns: formulas of time and quadratures with known integrals. */
#include <config.h>

#include "lib/dae.h"

#include "tests/unit/lib/dae/dae_systems.h"

static void formula_rate(const void *model, double *work, double t, const double *u,
                         const double *up, double *rates)
{
    const int *jumps = model;

    (void) work, (void) u, (void) up;
    rates[0] = cos(3.0 * t);
    rates[1] = *jumps != 0 && t < 1.0 / 3.0 ? 1.0 : 2.0;
}

static void formula_output(const void *model, double *work, double t, const double *u,
                           const double *up, const double *integrals, double *out)
{
    (void) model, (void) work, (void) u, (void) up;
    out[0] = t * t;
    out[1] = integrals[0];
    out[2] = integrals[1];
}

static void square_output(const void *model, double *work, double t, const double *u,
                          const double *up, const double *integrals, double *out)
{
    (void) model, (void) work, (void) u, (void) up, (void) integrals;
    out[0] = t * t;
}

static void formula_check(const void *model, double *work, double t, const double *u,
                          const double *up, const double *integrals, double *watched)
{
    (void) model, (void) work, (void) u, (void) up, (void) integrals;
    watched[0] = -t;
}

static const ha_dae_output formula_outputs[] = { { "square", "s2" },
                                                 { "sine", "" },
                                                 { "steps", "" } };

static ha_dae formulas(const int *jumps)
{
    static const int64_t no_column[1] = { 0 };

    return (ha_dae){ .model = jumps,
                     .column_start = no_column,
                     .prepare = prepare_nothing,
                     .output = formula_output,
                     .n_outputs = 3,
                     .outputs = formula_outputs,
                     .rate = formula_rate,
                     .n_integrals = 2,
                     .check = formula_check,
                     .n_checks = 1 };
}

START_TEST(a_model_without_unknowns_gives_its_formulas)
{
    const int jumps = 1;
    ha_dae dae = formulas(&jumps);
    ha_dae_options options = options_to(2.0);
    double extreme = 0.0;

    options.step = 0.25;
    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, NULL, NULL, result, &extreme, &stats));
    ck_assert_uint_eq(ha_result_n_rows(result), 9);
    for (size_t row = 0; row < 9; row++) {
        double t = 0.25 * (double) row;
        EXPECT_NEAR(ha_result_value(result, row, 0), t, 0.0);
        EXPECT_NEAR(ha_result_value(result, row, 1), t * t, 0.0);
        EXPECT_NEAR(ha_result_value(result, row, 2), sin(3.0 * t) / 3.0, 1e-6);
        double steps = t < 1.0 / 3.0 ? t : 2.0 * t - 1.0 / 3.0;
        EXPECT_NEAR(ha_result_value(result, row, 3), steps, 1e-6);
    }
    ck_assert_double_eq(extreme, 2.0);
    ck_assert_double_eq(stats.t_reached, 2.0);
}
END_TEST

START_TEST(formulas_without_quadratures_and_with_end_time_zero)
{
    const int jumps = 0;
    ha_dae dae = formulas(&jumps);
    ha_dae_options options = options_to(0.0);
    ha_dae_structure structure;

    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, NULL, NULL, result, NULL, NULL));
    ck_assert_uint_eq(ha_result_n_rows(result), 1);
    expect_ok(ha_dae_start(ctx, &dae, NULL, 0.0, NULL, NULL));
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, NULL, NULL, &structure));
    ck_assert_int_eq(structure.structural_rank, 0);

    tear_down();
    set_up();
    dae = formulas(&jumps);
    dae.n_integrals = 0;
    dae.n_outputs = 1;
    dae.output = square_output;
    options = options_to(1.0);
    options.step = 0.01;
    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, NULL, NULL, result, NULL, &stats));
    ck_assert_uint_eq(ha_result_n_rows(result), 101);
    ck_assert_double_eq(ha_result_value(result, 100, 1), 1.0);
}
END_TEST

static volatile sig_atomic_t stop;

START_TEST(formulas_can_be_interrupted_and_limited)
{
    const int jumps = 1;
    ha_dae dae = formulas(&jumps);
    ha_dae_options options = options_to(2.0);

    options.max_steps = 3;
    EXPECT_FAILURE(ha_dae_run(ctx, &dae, &options, NULL, NULL, NULL, result, NULL, NULL),
                   HA_ERR_SOLVER, "number of steps, 3,", "max-steps");

    tear_down();
    set_up();
    stop = 1;
    ha_ctx_set_interrupt(ctx, &stop);
    options.max_steps = 1000;
    EXPECT_FAILURE(ha_dae_run(ctx, &dae, &options, NULL, NULL, NULL, result, NULL, NULL),
                   HA_ERR_INTERRUPTED, "interrupted at t = ");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_model_without_unknowns_gives_its_formulas,
        formulas_without_quadratures_and_with_end_time_zero,
        formulas_can_be_interrupted_and_limited,
    };

    return run_tests("dae_formulas", tests, HA_COUNT(tests));
}
