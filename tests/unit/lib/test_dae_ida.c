/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver on hand-written systems. The truth comes from closed forms, from an independent
 * Runge-Kutta integration, and for Robertson's problem from the solution published in the Test Set
 * for Initial Value Problem Solvers (Bari and Geneva).
 */
#include <config.h>

#include "lib/dae.h"

#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 }; /* unknowns of a test system */

static ha_ctx *ctx;
static ha_result *result;
static ha_dae_stats stats;
static double y[MOST];
static double yp[MOST];

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    result = ha_result_new(ctx);
    ck_assert_ptr_nonnull(result);
    memset(y, 0, sizeof y);
    memset(yp, 0, sizeof yp);
}

static void tear_down(void)
{
    ha_result_free(result);
    ha_ctx_free(ctx);
}

/* Patterns of full matrices of 1 to MOST rows, entry (i, j) of n at n * j + i. */
static const int64_t *full_start(int n)
{
    static int64_t start[MOST + 1][MOST + 1];

    for (int j = 0; j <= n; j++) {
        start[n][j] = n * j;
    }
    return start[n];
}

static const int64_t *full_row(int n)
{
    static int64_t row[MOST + 1][MOST * MOST];

    for (int k = 0; k < n * n; k++) {
        row[n][k] = k % n;
    }
    return row[n];
}

static void prepare_nothing(const void *model, const double *parameters, double *work)
{
    (void) model, (void) parameters, (void) work;
}

/* A system of n unknowns with a full pattern. */
static ha_dae full_system(int n, const ha_dae_unknown *unknowns, const char *const *equations)
{
    return (ha_dae){ .n = n,
                     .unknowns = unknowns,
                     .equations = equations,
                     .column_start = full_start(n),
                     .row = full_row(n),
                     .prepare = prepare_nothing };
}

static ha_dae_options options_to(double t_end)
{
    ha_dae_options options = ha_dae_options_default();

    options.t_end = t_end;
    options.step = t_end;
    return options;
}

static ha_status run(const ha_dae *dae, const ha_dae_options *options)
{
    return ha_dae_run(ctx, dae, options, NULL, y, yp, result, NULL, &stats);
}

static const char *message(void)
{
    return ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic";
}

static void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status), message());
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* The call failed with this status and one diagnostic that has all `parts` (NULL-terminated). */
static void expect_failure(ha_status status, ha_status expected, const char *const *parts)
{
    if (getenv("SHOW_MESSAGES") != NULL) {
        fprintf(stderr, "%s\n", message());
    }
    ck_assert_msg(status == expected, "%s instead of %s: %s", ha_status_name(status),
                  ha_status_name(expected), message());
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->status, expected);
    for (; *parts != NULL; parts++) {
        ck_assert_msg(strstr(message(), *parts) != NULL, "`%s` is not in: %s", *parts, message());
    }
}

#define EXPECT_FAILURE(status, expected, ...)                                                      \
    expect_failure((status), (expected), (const char *const[]){ __VA_ARGS__, NULL })

#define EXPECT_NEAR(a, b, tolerance)                                                               \
    ck_assert_msg(fabs((a) - (b)) <= (tolerance), "%s = %.17g, %s = %.17g", #a, (double) (a), #b,  \
                  (double) (b))

/* ---- x' = v, v' = -OMEGA^2 x: x = cos(OMEGA t) ---- */

static const double OMEGA = 2.0;

static void oscillator_residual(const void *model, double *work, double t, const double *u,
                                const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] - u[1];
    r[1] = up[1] + OMEGA * OMEGA * u[0];
}

static void oscillator_jacobian(const void *model, double *work, double t, double cj,
                                const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    v[0] = cj;
    v[1] = OMEGA * OMEGA;
    v[2] = -1.0;
    v[3] = cj;
}

static void oscillator_output(const void *model, double *work, double t, const double *u,
                              const double *up, const double *integrals, double *out)
{
    (void) model, (void) work, (void) t;
    out[0] = u[0];
    out[1] = up[1];
    out[2] = integrals[0];
}

/* v^2: its integral is OMEGA^2 (t / 2 - sin(2 OMEGA t) / (4 OMEGA)). */
static void oscillator_rate(const void *model, double *work, double t, const double *u,
                            const double *up, double *rates)
{
    (void) model, (void) work, (void) t, (void) up;
    rates[0] = u[1] * u[1];
}

static void oscillator_check(const void *model, double *work, double t, const double *u,
                             const double *up, const double *integrals, double *watched)
{
    (void) model, (void) work, (void) t, (void) up, (void) integrals;
    watched[0] = u[1];
    watched[1] = 0.5 * (u[1] * u[1] + OMEGA * OMEGA * u[0] * u[0]) - 0.5 * OMEGA * OMEGA;
}

static const ha_dae_unknown oscillator_unknowns[] = { { "mass.x", HA_DIFFERENTIAL, 1.0 },
                                                      { "mass.v", HA_DIFFERENTIAL, 1.0 } };
static const char *const oscillator_equations[] = { "rate of mass.x", "rate of mass.v" };
static const ha_dae_output oscillator_outputs[] = { { "mass.x", "m" },
                                                    { "mass.a", "m/s2" },
                                                    { "work", "J" } };

static ha_dae oscillator(void)
{
    ha_dae dae = full_system(2, oscillator_unknowns, oscillator_equations);

    dae.residual = oscillator_residual;
    dae.jacobian = oscillator_jacobian;
    dae.output = oscillator_output;
    dae.rate = oscillator_rate;
    dae.check = oscillator_check;
    dae.n_outputs = 3;
    dae.outputs = oscillator_outputs;
    dae.n_integrals = 1;
    dae.n_checks = 2;
    y[0] = 1.0;
    return dae;
}

static double oscillator_integral(double t)
{
    return OMEGA * OMEGA * (0.5 * t - sin(2.0 * OMEGA * t) / (4.0 * OMEGA));
}

START_TEST(oscillator_follows_the_closed_form)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(10.0);

    options.rtol = 1e-12;
    options.atol = 1e-14;
    expect_ok(run(&dae, &options));
    EXPECT_NEAR(y[0], cos(OMEGA * 10.0), 1e-9);
    EXPECT_NEAR(y[1], -OMEGA * sin(OMEGA * 10.0), 1e-9);
    EXPECT_NEAR(yp[1], -OMEGA * OMEGA * cos(OMEGA * 10.0), 1e-6);
    ck_assert_double_eq(stats.t_reached, 10.0);
    ck_assert_int_gt(stats.steps, 100);
    ck_assert_int_ge(stats.residual_evaluations, stats.steps);
    ck_assert_int_gt(stats.jacobian_evaluations, 0);
    ck_assert(stats.seconds > 0.0);
}
END_TEST

START_TEST(rows_stand_at_the_grid_and_at_the_end)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    options.step = 0.3; /* does not divide the end time */
    options.rtol = 1e-9;
    options.atol = 1e-10;
    expect_ok(run(&dae, &options));
    ck_assert_uint_eq(ha_result_n_rows(result), 5);
    ck_assert_uint_eq(ha_result_n_columns(result), 4);
    ck_assert_str_eq(ha_result_name(result, 0), "t");
    ck_assert_str_eq(ha_result_unit(result, 0), "s");
    ck_assert_str_eq(ha_result_name(result, 3), "work");
    for (size_t row = 0; row < 5; row++) {
        double t = row == 4 ? 1.0 : 0.3 * (double) row;
        EXPECT_NEAR(ha_result_value(result, row, 0), t, 0.0);
        EXPECT_NEAR(ha_result_value(result, row, 1), cos(OMEGA * t), 3e-8);
    }
    ck_assert_double_eq(ha_result_value(result, 4, 1), y[0]);
}
END_TEST

START_TEST(a_step_that_divides_the_end_up_to_round_off_gives_no_double_row)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(0.7);

    options.step = 0.1; /* 7 * 0.1 > 0.7 in binary */
    expect_ok(run(&dae, &options));
    ck_assert_uint_eq(ha_result_n_rows(result), 8);
    ck_assert_double_eq(ha_result_value(result, 7, 0), 0.7);
}
END_TEST

START_TEST(without_a_step_there_are_five_hundred)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    options.step = 0.0;
    expect_ok(run(&dae, &options));
    ck_assert_uint_eq(ha_result_n_rows(result), 501);
}
END_TEST

/* The quadrature is right at the end and inside the steps, coarse and fine grid. */
START_TEST(quadratures_are_right_at_every_row)
{
    const double steps[] = { 10.0, 0.77, 0.001 };

    for (size_t k = 0; k < HA_COUNT(steps); k++) {
        tear_down();
        set_up();
        ha_dae dae = oscillator();
        ha_dae_options options = options_to(10.0);
        options.step = steps[k];
        options.rtol = 1e-10;
        options.atol = 1e-11;
        expect_ok(run(&dae, &options));
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            double t = ha_result_value(result, row, 0);
            EXPECT_NEAR(ha_result_value(result, row, 3), oscillator_integral(t), 2e-7);
        }
    }
}
END_TEST

/* v^2 = (x v)' + OMEGA^2 x^2 = (x v)' / 2 + E: when the energy E of the solution is off by d, the
   integral over 10 s is off by about 10 d, and the quadrature must not add to that. */
START_TEST(quadratures_are_as_accurate_as_the_solution)
{
    for (double rtol = 1e-3; rtol > 1e-13; rtol *= 1e-2) {
        tear_down();
        set_up();
        ha_dae dae = oscillator();
        ha_dae_options options = options_to(10.0);
        options.rtol = rtol;
        options.atol = rtol * 1e-2;
        expect_ok(run(&dae, &options));
        double work = ha_result_value(result, ha_result_n_rows(result) - 1, 3);
        double drift = 0.5 * (y[1] * y[1] + OMEGA * OMEGA * (y[0] * y[0] - 1.0));
        EXPECT_NEAR(work, oscillator_integral(10.0), 20.0 * fabs(drift) + rtol);
    }
}
END_TEST

START_TEST(extremes_are_the_largest_magnitudes)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(10.0);
    double extremes[2] = { -1.0, -1.0 };

    options.rtol = 1e-8;
    options.atol = 1e-9;
    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, y, yp, result, extremes, NULL));
    EXPECT_NEAR(extremes[0], OMEGA, 1e-2); /* seen at steps only */
    ck_assert(extremes[1] > 0.0 && extremes[1] < 1e-5);
}
END_TEST

START_TEST(a_looser_scale_takes_fewer_steps)
{
    ha_dae_unknown loose[2] = { oscillator_unknowns[0], oscillator_unknowns[1] };
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(10.0);

    options.rtol = 1e-12;
    options.atol = 1e-10;
    expect_ok(run(&dae, &options));
    long tight = stats.steps;

    tear_down();
    set_up();
    dae = oscillator();
    loose[0].scale = loose[1].scale = 1e5;
    dae.unknowns = loose;
    expect_ok(run(&dae, &options));
    ck_assert_int_lt(stats.steps, tight / 2);
    EXPECT_NEAR(y[0], cos(OMEGA * 10.0), 1e-2);
}
END_TEST

START_TEST(an_end_time_of_zero_gives_the_start)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(0.0);
    double extremes[2];

    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, y, yp, result, extremes, &stats));
    ck_assert_uint_eq(ha_result_n_rows(result), 1);
    EXPECT_NEAR(ha_result_value(result, 0, 2), -OMEGA * OMEGA, 1e-15);
    ck_assert_int_eq(stats.steps, 0);
    ck_assert_double_eq(extremes[0], 0.0);
}
END_TEST

START_TEST(tiny_end_times_work)
{
    const double ends[] = { 1e-3, 1e-9, 1e-12, 1e-20, 1e-30, 1e-100 };

    for (size_t k = 0; k < HA_COUNT(ends); k++) {
        tear_down();
        set_up();
        ha_dae dae = oscillator();
        ha_dae_options options = options_to(ends[k]);
        expect_ok(run(&dae, &options));
        EXPECT_NEAR(y[0], cos(OMEGA * ends[k]), 1e-6 * ends[k]);
        EXPECT_NEAR(y[1], -OMEGA * sin(OMEGA * ends[k]), 1e-4 * ends[k]);
        ck_assert_double_eq(ha_result_value(result, 1, 0), ends[k]);
    }
}
END_TEST

START_TEST(the_number_of_steps_is_limited)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1000.0);

    options.max_steps = 100;
    options.step = 0.01;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "100 steps", "max-steps", "mass.");
    ck_assert_int_eq(stats.steps, 100);
    ck_assert(stats.t_reached > 0.0 && stats.t_reached < 1000.0);
    ck_assert_uint_gt(ha_result_n_rows(result), 1);
    /* what was computed is right, and y is the state at the time reached */
    EXPECT_NEAR(y[0], cos(OMEGA * stats.t_reached), 1e-2);
}
END_TEST

START_TEST(max_step_and_max_order_are_kept)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    options.max_step = 1e-3;
    options.max_order = 1;
    expect_ok(run(&dae, &options));
    ck_assert_int_ge(stats.steps, 1000);
    ck_assert_int_eq(stats.last_order, 1);
}
END_TEST

static volatile sig_atomic_t stop;

static void stopping_rate(const void *model, double *work, double t, const double *u,
                          const double *up, double *rates)
{
    (void) model, (void) work, (void) u, (void) up;
    rates[0] = 0.0;
    stop = t > 5.0;
}

START_TEST(an_interrupt_keeps_the_rows)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(10.0);

    stop = 0;
    ha_ctx_set_interrupt(ctx, &stop);
    dae.rate = stopping_rate;
    options.step = 0.1;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_INTERRUPTED, "interrupted at t = 5", "of 10 s",
                   "rows");
    ck_assert_uint_ge(ha_result_n_rows(result), 51);
    ck_assert_uint_lt(ha_result_n_rows(result), 70);
}
END_TEST

static double last_report;
static int n_reports;

static void on_progress(void *user, double done)
{
    (void) user;
    ck_assert(done >= last_report && done <= 1.0);
    last_report = done;
    n_reports++;
}

START_TEST(progress_is_reported)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(10.0);

    last_report = 0.0;
    n_reports = 0;
    ha_ctx_set_progress(ctx, on_progress, NULL);
    expect_ok(run(&dae, &options));
    ck_assert_double_eq(last_report, 1.0);
    ck_assert_int_gt(n_reports, 10);
}
END_TEST

START_TEST(too_many_rows_are_refused)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    options.step = 1e-9;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "1e+09 rows", "longer step");
    ck_assert_uint_eq(ha_result_n_rows(result), 0);
}
END_TEST

START_TEST(a_used_result_is_refused)
{
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    expect_ok(ha_result_add_column(result, "x", ""));
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_ARGUMENT, "empty table");
}
END_TEST

START_TEST(a_scale_must_be_positive)
{
    ha_dae_unknown wrong[2] = { oscillator_unknowns[0], oscillator_unknowns[1] };
    ha_dae dae = oscillator();
    ha_dae_options options = options_to(1.0);

    wrong[1].scale = 0.0;
    dae.unknowns = wrong;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_ARGUMENT, "`mass.v`", "positive");
}
END_TEST

/* ---- a pendulum in Cartesian coordinates, index 1 with Baumgarte's stabilisation ----
   x' = vx, y' = vy, vx' = -2 x lambda, vy' = -2 y lambda - g,
   0 = phi'' + 2 ALPHA phi' + ALPHA^2 phi with phi = x^2 + y^2 - 1. */

static const double GRAVITY = 9.81;
static const double ALPHA = 10.0;

static void pendulum_residual(const void *model, double *work, double t, const double *u,
                              const double *up, double *r)
{
    double phi = u[0] * u[0] + u[1] * u[1] - 1.0;
    double phi_t = 2.0 * (u[0] * u[2] + u[1] * u[3]);
    double phi_tt = 2.0 * (u[2] * u[2] + u[3] * u[3] + u[0] * up[2] + u[1] * up[3]);

    (void) model, (void) work, (void) t;
    r[0] = up[0] - u[2];
    r[1] = up[1] - u[3];
    r[2] = up[2] + 2.0 * u[0] * u[4];
    r[3] = up[3] + 2.0 * u[1] * u[4] + GRAVITY;
    r[4] = phi_tt + 2.0 * ALPHA * phi_t + ALPHA * ALPHA * phi;
}

static void pendulum_jacobian(const void *model, double *work, double t, double cj, const double *u,
                              const double *up, double *v)
{
    (void) model, (void) work, (void) t;
    memset(v, 0, 25 * sizeof *v);
    v[0 * 5 + 0] = cj;
    v[2 * 5 + 0] = -1.0;
    v[1 * 5 + 1] = cj;
    v[3 * 5 + 1] = -1.0;
    v[2 * 5 + 2] = cj;
    v[0 * 5 + 2] = 2.0 * u[4];
    v[4 * 5 + 2] = 2.0 * u[0];
    v[3 * 5 + 3] = cj;
    v[1 * 5 + 3] = 2.0 * u[4];
    v[4 * 5 + 3] = 2.0 * u[1];
    v[0 * 5 + 4] = 2.0 * up[2] + 4.0 * ALPHA * u[2] + 2.0 * ALPHA * ALPHA * u[0];
    v[1 * 5 + 4] = 2.0 * up[3] + 4.0 * ALPHA * u[3] + 2.0 * ALPHA * ALPHA * u[1];
    v[2 * 5 + 4] = 4.0 * u[2] + 4.0 * ALPHA * u[0] + 2.0 * u[0] * cj;
    v[3 * 5 + 4] = 4.0 * u[3] + 4.0 * ALPHA * u[1] + 2.0 * u[1] * cj;
}

static const ha_dae_unknown pendulum_unknowns[] = {
    { "bob.x", HA_DIFFERENTIAL, 1.0 },   { "bob.y", HA_DIFFERENTIAL, 1.0 },
    { "bob.vx", HA_DIFFERENTIAL, 1.0 },  { "bob.vy", HA_DIFFERENTIAL, 1.0 },
    { "rod.lambda", HA_ALGEBRAIC, 1.0 },
};
static const char *const pendulum_equations[] = { "rate of bob.x", "rate of bob.y",
                                                  "forces on bob.x", "forces on bob.y",
                                                  "constraint rod" };

static ha_dae pendulum(void)
{
    ha_dae dae = full_system(5, pendulum_unknowns, pendulum_equations);

    dae.residual = pendulum_residual;
    dae.jacobian = pendulum_jacobian;
    y[0] = 1.0; /* horizontal, at rest */
    return dae;
}

/* theta'' = -g cos(theta) from theta = 0 with theta' = 0 (angle from the x axis), by the classical
   Runge-Kutta method with 200,000 steps. */
static void swing(double t_end, double *theta, double *omega)
{
    const int n = 200000;
    double h = t_end / n;
    double a = 0.0;
    double w = 0.0;

    for (int i = 0; i < n; i++) {
        double k1 = -GRAVITY * cos(a);
        double k2 = -GRAVITY * cos(a + 0.5 * h * w);
        double k3 = -GRAVITY * cos(a + 0.5 * h * w + 0.25 * h * h * k1);
        double k4 = -GRAVITY * cos(a + h * w + 0.5 * h * h * k2);
        a += h * w + h * h / 6.0 * (k1 + k2 + k3);
        w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    *theta = a;
    *omega = w;
}

START_TEST(pendulum_agrees_with_its_minimal_form)
{
    ha_dae dae = pendulum();
    ha_dae_options options = options_to(2.0);
    double theta = 0.0;
    double omega = 0.0;

    options.rtol = 1e-10;
    options.atol = 1e-11;
    expect_ok(run(&dae, &options));
    swing(2.0, &theta, &omega);
    EXPECT_NEAR(y[0], cos(theta), 1e-7);
    EXPECT_NEAR(y[1], sin(theta), 1e-7);
    EXPECT_NEAR(y[2], -omega * sin(theta), 1e-6);
    double energy = 0.5 * (y[2] * y[2] + y[3] * y[3]) + GRAVITY * y[1];
    EXPECT_NEAR(energy, 0.0, 1e-7);
    /* 2 lambda = omega^2 - g sin(theta): the rod's force per mass and length */
    EXPECT_NEAR(2.0 * y[4], omega * omega - GRAVITY * sin(theta), 1e-4);
}
END_TEST

START_TEST(the_start_is_made_consistent)
{
    ha_dae dae = pendulum();

    y[0] = 0.6;
    y[1] = -0.8;
    y[2] = 0.8;
    y[3] = 0.6;
    y[4] = 123.0; /* a poor guess */
    yp[0] = -7.0;
    yp[4] = 1e9; /* means nothing */
    expect_ok(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp));
    EXPECT_NEAR(y[0], 0.6, 0.0);
    EXPECT_NEAR(yp[0], 0.8, 1e-15);
    EXPECT_NEAR(yp[4], 0.0, 0.0);
    EXPECT_NEAR(2.0 * y[4], 1.0 + 0.8 * GRAVITY, 1e-13);
    double r[5];
    pendulum_residual(NULL, NULL, 0.0, y, yp, r);
    for (int i = 0; i < 5; i++) {
        EXPECT_NEAR(r[i], 0.0, 1e-12);
    }
}
END_TEST

START_TEST(the_structure_is_analysed)
{
    ha_dae dae = pendulum();
    ha_dae_structure structure;

    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 5);
    /* x' and y' stand alone; vx', vy' and lambda belong together */
    ck_assert_int_eq(structure.n_blocks, 3);
    ck_assert_int_eq(structure.largest_block, 3);
    ck_assert(structure.rcond > 1e-3 && structure.rcond <= 1.0);

    y[0] = 0.0; /* no length: the constraint has no direction */
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 5);
    EXPECT_NEAR(structure.rcond, 0.0, 1e-14);
}
END_TEST

START_TEST(a_numerically_singular_start_is_named)
{
    ha_dae dae = pendulum();
    ha_dae_options options = options_to(1.0);

    y[0] = 0.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SINGULAR, "numerically", "`rod.lambda`",
                   "`constraint rod`", "t = 0 s");
    ck_assert_uint_eq(ha_result_n_rows(result), 0);
}
END_TEST

/* ---- Robertson: stiff, with a conservation law in place of the third equation ---- */

static void robertson_residual(const void *model, double *work, double t, const double *u,
                               const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] + 0.04 * u[0] - 1e4 * u[1] * u[2];
    r[1] = up[1] - 0.04 * u[0] + 1e4 * u[1] * u[2] + 3e7 * u[1] * u[1];
    r[2] = u[0] + u[1] + u[2] - 1.0;
}

static void robertson_jacobian(const void *model, double *work, double t, double cj,
                               const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) up;
    v[0] = cj + 0.04;
    v[1] = -0.04;
    v[2] = 1.0;
    v[3] = -1e4 * u[2];
    v[4] = cj + 1e4 * u[2] + 6e7 * u[1];
    v[5] = 1.0;
    v[6] = -1e4 * u[1];
    v[7] = 1e4 * u[1];
    v[8] = 1.0;
}

START_TEST(robertson_reaches_the_published_solution)
{
    static const ha_dae_unknown unknowns[] = { { "A", HA_DIFFERENTIAL, 1.0 },
                                               { "B", HA_DIFFERENTIAL, 1e-5 },
                                               { "C", HA_ALGEBRAIC_TESTED, 1.0 } };
    static const char *const equations[] = { "rate of A", "rate of B", "balance" };
    ha_dae dae = full_system(3, unknowns, equations);
    ha_dae_options options = options_to(1e11);

    dae.residual = robertson_residual;
    dae.jacobian = robertson_jacobian;
    y[0] = 1.0;
    options.rtol = 1e-9;
    options.atol = 1e-16;
    expect_ok(run(&dae, &options));
    EXPECT_NEAR(y[0] / 0.2083340149701255e-07, 1.0, 1e-5);
    EXPECT_NEAR(y[1] / 0.8333360770334713e-13, 1.0, 1e-5);
    EXPECT_NEAR(y[2], 0.9999999791665050, 1e-12);
}
END_TEST

/* ---- algebraic only: z + z^3 = sin(10 t) ---- */

static void loop_residual(const void *model, double *work, double t, const double *u,
                          const double *up, double *r)
{
    (void) model, (void) work, (void) up;
    r[0] = u[0] + u[0] * u[0] * u[0] - sin(10.0 * t);
}

static void loop_jacobian(const void *model, double *work, double t, double cj, const double *u,
                          const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) cj, (void) up;
    v[0] = 1.0 + 3.0 * u[0] * u[0];
}

static void loop_output(const void *model, double *work, double t, const double *u,
                        const double *up, const double *integrals, double *out)
{
    (void) model, (void) work, (void) t, (void) up, (void) integrals;
    out[0] = u[0];
}

static const ha_dae_output loop_outputs[] = { { "z", "" } };

START_TEST(an_algebraic_system_is_right_in_every_row)
{
    static const ha_dae_unknown unknowns[] = { { "z", HA_ALGEBRAIC, 1.0 } };
    static const char *const equations[] = { "loop z" };
    ha_dae dae = full_system(1, unknowns, equations);
    ha_dae_options options = options_to(10.0);

    dae.residual = loop_residual;
    dae.jacobian = loop_jacobian;
    dae.output = loop_output;
    dae.n_outputs = 1;
    dae.outputs = loop_outputs;
    options.step = 0.01;
    y[0] = 5.0;
    expect_ok(run(&dae, &options));
    ck_assert_uint_eq(ha_result_n_rows(result), 1001);
    for (size_t row = 0; row < 1001; row++) {
        double z = ha_result_value(result, row, 1);
        EXPECT_NEAR(z + z * z * z, sin(10.0 * ha_result_value(result, row, 0)), 1e-4);
    }
}
END_TEST

/* A slow state beside a fast loop: the loop is interpolated between steps, so it has to be in the
   error test. */
static void beside_residual(const void *model, double *work, double t, const double *u,
                            const double *up, double *r)
{
    loop_residual(model, work, t, u, up, r);
    r[1] = up[1] - 1.0;
}

static void beside_jacobian(const void *model, double *work, double t, double cj, const double *u,
                            const double *up, double *v)
{
    loop_jacobian(model, work, t, cj, u, up, v);
    v[1] = v[2] = 0.0;
    v[3] = cj;
}

START_TEST(a_tested_algebraic_unknown_is_right_in_every_row)
{
    static const ha_dae_unknown unknowns[] = { { "z", HA_ALGEBRAIC_TESTED, 1.0 },
                                               { "x", HA_DIFFERENTIAL, 1.0 } };
    static const char *const equations[] = { "loop z", "rate of x" };
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_options options = options_to(10.0);

    dae.residual = beside_residual;
    dae.jacobian = beside_jacobian;
    dae.output = loop_output;
    dae.n_outputs = 1;
    dae.outputs = loop_outputs;
    options.step = 0.01;
    expect_ok(run(&dae, &options));
    for (size_t row = 0; row < 1001; row++) {
        double z = ha_result_value(result, row, 1);
        EXPECT_NEAR(z + z * z * z, sin(10.0 * ha_result_value(result, row, 0)), 1e-4);
    }
    EXPECT_NEAR(y[1], 10.0, 1e-9);
}
END_TEST

/* z^2 - z + 1 = 0 has no real solution. */
static void no_solution_residual(const void *model, double *work, double t, const double *u,
                                 const double *up, double *r)
{
    (void) model, (void) work, (void) t, (void) up;
    r[0] = u[0] * u[0] - u[0] + 1.0;
}

static void no_solution_jacobian(const void *model, double *work, double t, double cj,
                                 const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) cj, (void) up;
    v[0] = 2.0 * u[0] - 1.0;
}

START_TEST(a_start_without_solution_names_the_equation)
{
    static const ha_dae_unknown unknowns[] = { { "valve.f", HA_ALGEBRAIC, 1.0 } };
    static const char *const equations[] = { "loop valve" };
    ha_dae dae = full_system(1, unknowns, equations);

    dae.residual = no_solution_residual;
    dae.jacobian = no_solution_jacobian;
    y[0] = 3.0;
    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.25, y, yp), HA_ERR_SOLVER, "`loop valve`",
                   "`valve.f` = ", "t = 0.25 s");
    ck_assert_double_eq(y[0], 3.0);
}
END_TEST

/* ---- no unknowns at all ---- */

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

/* ---- structurally singular: x' = v, v stands nowhere else, and x' is given twice ---- */

static void twice_residual(const void *model, double *work, double t, const double *u,
                           const double *up, double *r)
{
    (void) model, (void) work, (void) t, (void) u;
    r[0] = up[0] - 1.0;
    r[1] = up[0] - 2.0;
}

static void twice_jacobian(const void *model, double *work, double t, double cj, const double *u,
                           const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    v[0] = cj;
    v[1] = cj;
    v[2] = v[3] = 0.0;
}

START_TEST(a_structurally_singular_system_is_named)
{
    static const ha_dae_unknown unknowns[] = { { "A.x", HA_DIFFERENTIAL, 1.0 },
                                               { "B.lambda", HA_ALGEBRAIC, 1.0 } };
    static const char *const equations[] = { "rate of A.x", "constraint B" };
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_structure structure;

    dae.residual = twice_residual;
    dae.jacobian = twice_jacobian;
    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_SINGULAR,
                   "do not determine `B.lambda`", "structurally: 1 of 2", "`constraint B`",
                   "`rate of A.x`");
    ha_ctx_clear(ctx);
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 1);
    ck_assert_double_eq(structure.rcond, 0.0);
}
END_TEST

/* ---- values that do not exist ---- */

/* x' = -1, and z = log(x) ends at x = 0, t = x(0). */
static void log_residual(const void *model, double *work, double t, const double *u,
                         const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] + 1.0;
    r[1] = u[1] - log(u[0]);
}

static void log_jacobian(const void *model, double *work, double t, double cj, const double *u,
                         const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) up;
    v[0] = cj;
    v[1] = -1.0 / u[0];
    v[2] = 0.0;
    v[3] = 1.0;
}

static ha_dae logarithm(double start)
{
    static const ha_dae_unknown unknowns[] = { { "tank.level", HA_DIFFERENTIAL, 1.0 },
                                               { "gauge.z", HA_ALGEBRAIC, 1.0 } };
    static const char *const equations[] = { "rate of tank.level", "reading of gauge" };
    ha_dae dae = full_system(2, unknowns, equations);

    dae.residual = log_residual;
    dae.jacobian = log_jacobian;
    y[0] = start;
    return dae;
}

START_TEST(a_value_that_does_not_exist_at_the_start_is_named)
{
    ha_dae dae = logarithm(-2.0);
    ha_dae_options options = options_to(1.0);

    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`reading of gauge` is ", "nan", "t = 0 s",
                   "`tank.level` = -2");
}
END_TEST

START_TEST(an_unknown_that_is_not_finite_is_named_first)
{
    ha_dae dae = logarithm((double) NAN);

    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_VALUE,
                   "are `tank.level` = nan");
}
END_TEST

START_TEST(a_value_that_ceases_to_exist_stops_the_run)
{
    ha_dae dae = logarithm(0.5);
    ha_dae_options options = options_to(1.0);

    options.step = 0.01;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "stopped at t = 0.", "of 1 s",
                   "`reading of gauge`", "`tank.level` = -");
    ck_assert(stats.t_reached > 0.3 && stats.t_reached <= 0.5 + 1e-6);
    ck_assert_uint_gt(ha_result_n_rows(result), 30);
}
END_TEST

/* x' = x^2 grows beyond all bounds at t = 1. */
static void burst_residual(const void *model, double *work, double t, const double *u,
                           const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] - u[0] * u[0];
}

static void burst_jacobian(const void *model, double *work, double t, double cj, const double *u,
                           const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) up;
    v[0] = cj - 2.0 * u[0];
}

START_TEST(a_solution_that_bursts_stops_the_run)
{
    static const ha_dae_unknown unknowns[] = { { "x", HA_DIFFERENTIAL, 1.0 } };
    static const char *const equations[] = { "rate of x" };
    ha_dae dae = full_system(1, unknowns, equations);
    ha_dae_options options = options_to(2.0);

    dae.residual = burst_residual;
    dae.jacobian = burst_jacobian;
    y[0] = 1.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "stopped at t = ", "of 2 s", "`x`",
                   "beyond all bounds");
    EXPECT_NEAR(stats.t_reached, 1.0, 1e-2);
}
END_TEST

/* Two constraints that become the same at t = 1: x1' = l1, x2' = l2, l1 + l2 = 1,
   l1 + (2 - t) l2 = 0, so that l2 = 1 / (t - 1). */
static void pole_residual(const void *model, double *work, double t, const double *u,
                          const double *up, double *r)
{
    (void) model, (void) work;
    r[0] = up[0] - u[2];
    r[1] = up[1] - u[3];
    r[2] = u[2] + u[3] - 1.0;
    r[3] = u[2] + (2.0 - t) * u[3];
}

static void pole_jacobian(const void *model, double *work, double t, double cj, const double *u,
                          const double *up, double *v)
{
    (void) model, (void) work, (void) u, (void) up;
    memset(v, 0, 16 * sizeof *v);
    v[0 * 4 + 0] = cj;
    v[1 * 4 + 1] = cj;
    v[2 * 4 + 0] = -1.0;
    v[3 * 4 + 1] = -1.0;
    v[2 * 4 + 2] = 1.0;
    v[3 * 4 + 2] = 1.0;
    v[2 * 4 + 3] = 1.0;
    v[3 * 4 + 3] = 2.0 - t;
}

START_TEST(a_rank_that_is_lost_on_the_way_is_told)
{
    static const ha_dae_unknown unknowns[] = { { "x1", HA_DIFFERENTIAL, 1.0 },
                                               { "x2", HA_DIFFERENTIAL, 1.0 },
                                               { "A.lambda", HA_ALGEBRAIC, 1.0 },
                                               { "B.lambda", HA_ALGEBRAIC, 1.0 } };
    static const char *const equations[] = { "rate of x1", "rate of x2", "constraint A",
                                             "constraint B" };
    ha_dae dae = full_system(4, unknowns, equations);
    ha_dae_options options = options_to(2.0);

    dae.residual = pole_residual;
    dae.jacobian = pole_jacobian;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "stopped at t = ", "of 2 s",
                   "nearly singular", "`A.lambda`", "`B.lambda`", "`constraint A`",
                   "`constraint B`");
    EXPECT_NEAR(stats.t_reached, 1.0, 1e-3);
}
END_TEST

/* ---- options ---- */

START_TEST(options_have_their_defaults)
{
    ha_dae_options options = ha_dae_options_default();

    ck_assert_double_eq(options.rtol, 1e-6);
    ck_assert_double_eq(options.atol, 1e-6);
    ck_assert_int_eq(options.max_order, 5);
    ck_assert_double_eq(options.step, 0.0);
}
END_TEST

START_TEST(options_are_set_by_name)
{
    ha_dae_options options = ha_dae_options_default();

    expect_ok(ha_dae_options_set(ctx, &options, "t-end", 3.0, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "rtol", 1e-8, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "max-steps", 77.0, HA_NOWHERE));
    ck_assert_double_eq(options.t_end, 3.0);
    ck_assert_double_eq(options.rtol, 1e-8);
    ck_assert_int_eq(options.max_steps, 77);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    ha_dae_options options = ha_dae_options_default();
    const ha_where where = { "a.yaml", 3, 5 };

    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "rtoll", 1.0, where), HA_ERR_NAME, "`rtoll`",
                   "did you mean `rtol`");
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 3);
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "banana", 1.0, where), HA_ERR_NAME,
                   "`banana`", " max-order");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "rtol", 2.0, where), HA_ERR_VALUE, "`rtol`",
                   "is 2;", "0.1");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "t-end", (double) NAN, where), HA_ERR_VALUE,
                   "`t-end`", "nan");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "max-order", 2.5, where), HA_ERR_VALUE,
                   "`max-order`", "whole number");
    ck_assert_double_eq(options.rtol, 1e-6);
}
END_TEST

START_TEST(a_run_checks_its_options)
{
    ha_dae dae = oscillator();
    ha_dae_options options = ha_dae_options_default();
    ha_dae_options unset;

    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "end time");
    ha_ctx_clear(ctx);
    memset(&unset, 0, sizeof unset);
    EXPECT_FAILURE(run(&dae, &unset), HA_ERR_ARGUMENT, "ha_dae_options_default");
    ha_ctx_clear(ctx);
    options.t_end = -5.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`t-end`", "-5");
    ha_ctx_clear(ctx);
    options.t_end = 1.0;
    options.rtol = 0.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`rtol`");
}
END_TEST

/* ---- lack of memory ---- */

/* Fails the n-th allocation of a run for n = 1, 2, ... until one goes through. */
static void fail_allocations(ha_dae (*make)(void), ha_status normal)
{
    for (size_t n = 1;; n++) {
        tear_down();
        set_up();
        ha_dae dae = make();
        ha_dae_options options = options_to(0.5);
        ha_dae_structure structure;
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = run(&dae, &options);
        if (status == HA_OK) {
            status = ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure);
        }
        ck_assert_uint_lt(n, 1000);
        if (status == normal) {
            return;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    }
}

static ha_dae singular_pendulum(void)
{
    ha_dae dae = pendulum();

    y[0] = 0.0;
    return dae;
}

static ha_dae dry_logarithm(void)
{
    return logarithm(-1.0);
}

static ha_dae draining_logarithm(void)
{
    return logarithm(0.25);
}

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    fail_allocations(oscillator, HA_OK);
    fail_allocations(singular_pendulum, HA_ERR_SINGULAR);
    fail_allocations(dry_logarithm, HA_ERR_VALUE);
    fail_allocations(draining_logarithm, HA_ERR_SOLVER);
}
END_TEST

/* ---- a large system: n oscillators ---- */

static void many_residual(const void *model, double *work, double t, const double *u,
                          const double *up, double *r)
{
    const int *n = model;

    for (int i = 0; i < *n; i += 2) {
        oscillator_residual(NULL, work, t, u + i, up + i, r + i);
    }
}

static void many_jacobian(const void *model, double *work, double t, double cj, const double *u,
                          const double *up, double *v)
{
    const int *n = model;

    for (int i = 0; i < *n; i += 2) {
        oscillator_jacobian(NULL, work, t, cj, u + i, up + i, v + 2 * i);
    }
}

START_TEST(a_hundred_thousand_unknowns_are_no_matter)
{
    const int n = 100000;
    ha_dae_unknown *unknowns = calloc((size_t) n, sizeof *unknowns);
    const char **equations = calloc((size_t) n, sizeof *equations);
    int64_t *start = calloc((size_t) n + 1, sizeof *start);
    int64_t *row = calloc(2 * (size_t) n, sizeof *row);
    double *u = calloc((size_t) n, sizeof *u);
    double *up = calloc((size_t) n, sizeof *up);
    ha_dae_options options = options_to(1.0);

    for (int i = 0; i < n; i++) {
        unknowns[i] = (ha_dae_unknown){ "x", HA_DIFFERENTIAL, 1.0 };
        equations[i] = "e";
        start[i] = 2 * i;
        row[2 * i] = i - i % 2;
        row[2 * i + 1] = row[2 * i] + 1;
        u[i] = i % 2 == 0 ? 1.0 : 0.0;
    }
    start[n] = 2 * n;
    ha_dae dae = { .model = &n,
                   .n = n,
                   .unknowns = unknowns,
                   .equations = equations,
                   .column_start = start,
                   .row = row,
                   .prepare = prepare_nothing,
                   .residual = many_residual,
                   .jacobian = many_jacobian };
    ha_dae_structure structure;
    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, u, up, result, NULL, &stats));
    EXPECT_NEAR(u[n - 2], cos(OMEGA), 1e-4);
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, u, up, &structure));
    ck_assert_int_eq(structure.structural_rank, n);
    ck_assert_int_eq(structure.n_blocks, n); /* the derivatives are decoupled */
    free(unknowns);
    free(equations);
    free(start);
    free(row);
    free(u);
    free(up);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        oscillator_follows_the_closed_form,
        rows_stand_at_the_grid_and_at_the_end,
        a_step_that_divides_the_end_up_to_round_off_gives_no_double_row,
        without_a_step_there_are_five_hundred,
        quadratures_are_right_at_every_row,
        quadratures_are_as_accurate_as_the_solution,
        extremes_are_the_largest_magnitudes,
        a_looser_scale_takes_fewer_steps,
        an_end_time_of_zero_gives_the_start,
        tiny_end_times_work,
        the_number_of_steps_is_limited,
        max_step_and_max_order_are_kept,
        an_interrupt_keeps_the_rows,
        progress_is_reported,
        too_many_rows_are_refused,
        a_used_result_is_refused,
        a_scale_must_be_positive,
        pendulum_agrees_with_its_minimal_form,
        the_start_is_made_consistent,
        the_structure_is_analysed,
        a_numerically_singular_start_is_named,
        robertson_reaches_the_published_solution,
        an_algebraic_system_is_right_in_every_row,
        a_tested_algebraic_unknown_is_right_in_every_row,
        a_start_without_solution_names_the_equation,
        a_model_without_unknowns_gives_its_formulas,
        formulas_without_quadratures_and_with_end_time_zero,
        formulas_can_be_interrupted_and_limited,
        a_structurally_singular_system_is_named,
        a_value_that_does_not_exist_at_the_start_is_named,
        an_unknown_that_is_not_finite_is_named_first,
        a_value_that_ceases_to_exist_stops_the_run,
        a_solution_that_bursts_stops_the_run,
        a_rank_that_is_lost_on_the_way_is_told,
        options_have_their_defaults,
        options_are_set_by_name,
        wrong_options_are_refused,
        a_run_checks_its_options,
        lack_of_memory_is_reported_wherever_it_strikes,
        a_hundred_thousand_unknowns_are_no_matter,
    };
    Suite *suite = suite_create("dae_ida");
    TCase *tcase = tcase_create("dae_ida");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < HA_COUNT(tests); i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
