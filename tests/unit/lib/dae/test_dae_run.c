/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver on hand-written systems. The truth comes from closed forms, from an independent
 * Runge-Kutta integration, and for Robertson's problem from the solution published in the Test Set
 * for Initial Value Problem Solvers (Bari and Geneva).
 */
#include <config.h>

#include "lib/dae.h"
#include "lib/dae/dae_peaks.h"
#include "lib/dae/dae_run.h"

#include "tests/unit/lib/dae/dae_systems.h"

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
        options.rtol = 1e-12; /* the solution's own error, times 10 s, is in it too */
        options.atol = 1e-13;
        expect_ok(run(&dae, &options));
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            double t = ha_result_value(result, row, 0);
            EXPECT_NEAR(ha_result_value(result, row, 3), oscillator_integral(t), 2e-8);
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

static void stand_still(void *user, double t, double *u, double *up)
{
    (void) user, (void) t;
    u[0] = 1.0;
    u[1] = 0.0;
    if (up != NULL) {
        up[0] = 0.0;
        up[1] = -1.0;
    }
}

/* After an event, at 0.25 s, a step may be one unit in the last place of the time: there is nothing
   inside, and no polynomial through its samples. */
START_TEST(a_step_without_an_inside_has_its_extremes)
{
    ha_dae dae = oscillator();
    ha__peaks peaks;
    ha_peak found[3] = { 0 };
    double work[8] = { 0 }, integrals[1] = { 0.0 };
    double u[2] = { 1.0, 0.0 }, up[2] = { 0.0, -1.0 }, u_in[2], up_in[2];
    const ha__inside in = { .t0 = 0.25,
                            .t1 = nextafter(0.25, 1.0),
                            .y = u,
                            .yp = up,
                            .dense = stand_still,
                            .y_in = u_in,
                            .yp_in = up_in,
                            .t_left = (double) NAN,
                            .integrals = integrals };

    ck_assert_uint_le(dae.work_size, HA_COUNT(work));
    ha_dae_options asked = ha_dae_options_default();
    asked.rtol = 1e-6;
    asked.peaks = found;
    expect_ok(ha__peaks_init(&peaks, ctx, &dae, work, &asked));
    ha__peaks_begin(&peaks, in.t0, u, up, integrals, true);
    expect_ok(ha__peaks_step(&peaks, &in));
    ha__peaks_clear(&peaks);
    ck_assert_double_eq(found[0].max, 1.0);
    ck_assert_double_eq(found[0].min, 1.0);
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

/* The last row is where the run stopped, with the values there. */
static void expect_a_row_at_the_stop(void)
{
    size_t last = ha_result_n_rows(result) - 1;

    ck_assert_double_eq(ha_result_value(result, last, 0), stats.t_reached);
    ck_assert_double_eq_tol(ha_result_value(result, last, 1), y[0], 1e-9 * (1.0 + fabs(y[0])));
}

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
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_INTERRUPTED, "interrupted at t = 5", "of 10 s");
    ck_assert_uint_ge(ha_result_n_rows(result), 52);
    ck_assert_uint_lt(ha_result_n_rows(result), 70);
    expect_a_row_at_the_stop();
    EXPECT_NEAR(ha_result_value(result, ha_result_n_rows(result) - 1, 1),
                cos(OMEGA * stats.t_reached), 1e-3);
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

/* A tighter tolerance stays tighter by its share; all of it is left where the driver is said. */
START_TEST(the_share_of_the_tolerance_never_turns_it_round)
{
    static const signed char no_clock[] = { 0 };
    ha_dae dae = oscillator();
    ha_dae_options options = ha_dae_options_default();
    double before = 0.0;

    dae.n_switches = 1;
    dae.is_clock = no_clock;
    for (int k = -150; k <= -10; k++) {
        options.rtol = pow(10.0, k / 10.0);
        double share = ha__run_share(&dae, &options);
        ck_assert(share >= 0.1 && share <= 1.0);
        ck_assert_double_gt(share * options.rtol, before);
        before = share * options.rtol;
    }
    ck_assert_double_eq(ha__run_share(&dae, &options), 0.1);
    options.driver = HA_DRIVER_IDA;
    ck_assert_double_eq(ha__run_share(&dae, &options), 1.0);
}
END_TEST

START_TEST(robertson_reaches_the_published_solution)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "A", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
        { .name = "B", .kind = HA_DIFFERENTIAL, .scale = 1e-5 },
        { .name = "C", .kind = HA_ALGEBRAIC_TESTED, .scale = 1.0 }
    };
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
    static const ha_dae_unknown unknowns[] = {
        { .name = "z", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
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
    static const ha_dae_unknown unknowns[] = {
        { .name = "z", .kind = HA_ALGEBRAIC_TESTED, .scale = 1.0 },
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0 }
    };
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

/* What is left of the loop's equation at the ends of the steps. */
static void loop_check(const void *model, double *work, double t, const double *u, const double *up,
                       const double *integrals, double *watched)
{
    (void) integrals;
    loop_residual(model, work, t, u, up, watched);
}

/* The steps follow x alone and are long for z, so that one iteration from its predicted value,
   which is all that x needs, would leave z anywhere. */
START_TEST(an_untested_unknown_is_solved_for_where_the_equations_are_not_linear_in_it)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "z", .kind = HA_ALGEBRAIC_NONLINEAR, .scale = 1.0 },
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0 }
    };
    static const char *const equations[] = { "loop z", "rate of x" };
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_options options = options_to(10.0);
    double left = -1.0;

    dae.residual = beside_residual;
    dae.jacobian = beside_jacobian;
    dae.check = loop_check;
    dae.n_checks = 1;
    options.max_step = 0.1;
    expect_ok(ha_dae_run(ctx, &dae, &options, NULL, y, yp, result, &left, &stats));
    ck_assert(left >= 0.0 && left < 2e-6);
}
END_TEST

/* ---- values that do not exist ---- */

START_TEST(a_value_that_ceases_to_exist_stops_the_run)
{
    ha_dae dae = logarithm(0.5);
    ha_dae_options options = options_to(1.0);

    options.step = 0.01;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "stopped at t = 0.", "of 1 s",
                   "`reading of gauge`", "`tank.level` = -");
    ck_assert(stats.t_reached > 0.3 && stats.t_reached <= 0.5 + 1e-6);
    ck_assert_uint_gt(ha_result_n_rows(result), 30);
    ck_assert_double_eq(ha_result_value(result, ha_result_n_rows(result) - 1, 0), stats.t_reached);
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
    static const ha_dae_unknown unknowns[] = {
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0 }
    };
    static const char *const equations[] = { "rate of x" };
    ha_dae dae = full_system(1, unknowns, equations);
    ha_dae_options options = options_to(2.0);

    dae.residual = burst_residual;
    dae.jacobian = burst_jacobian;
    y[0] = 1.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SOLVER, "stopped at t = ", "of 2 s", "`x`",
                   "beyond all bounds");
    ck_assert_ptr_null(strstr(ha_ctx_diag(ctx, 0)->text, "round-off"));
    EXPECT_NEAR(stats.t_reached, 1.0, 1e-2);
    ck_assert_double_eq(ha_result_value(result, ha_result_n_rows(result) - 1, 0), stats.t_reached);
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
    static const ha_dae_unknown unknowns[] = {
        { .name = "x1", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
        { .name = "x2", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
        { .name = "A.lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 },
        { .name = "B.lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
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
        unknowns[i] = (ha_dae_unknown){ .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0 };
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
    const TTest *const of_all[] = {
        oscillator_follows_the_closed_form,
        rows_stand_at_the_grid_and_at_the_end,
        a_step_that_divides_the_end_up_to_round_off_gives_no_double_row,
        without_a_step_there_are_five_hundred,
        quadratures_are_right_at_every_row,
        quadratures_are_as_accurate_as_the_solution,
        extremes_are_the_largest_magnitudes,
        a_step_without_an_inside_has_its_extremes,
        a_looser_scale_takes_fewer_steps,
        an_end_time_of_zero_gives_the_start,
        tiny_end_times_work,
        the_number_of_steps_is_limited,
        an_interrupt_keeps_the_rows,
        progress_is_reported,
        too_many_rows_are_refused,
        a_used_result_is_refused,
        a_scale_must_be_positive,
        pendulum_agrees_with_its_minimal_form,
        an_algebraic_system_is_right_in_every_row,
        a_tested_algebraic_unknown_is_right_in_every_row,
        an_untested_unknown_is_solved_for_where_the_equations_are_not_linear_in_it,
        a_value_that_ceases_to_exist_stops_the_run,
        a_solution_that_bursts_stops_the_run,
        a_rank_that_is_lost_on_the_way_is_told,
        lack_of_memory_is_reported_wherever_it_strikes,
        a_hundred_thousand_unknowns_are_no_matter,
    };
    const TTest *const of_ida[] = {
        max_step_and_max_order_are_kept,
        robertson_reaches_the_published_solution,
        the_share_of_the_tolerance_never_turns_it_round,
    };
    Suite *suite = suite_create("dae_run");

    add_tests(suite, "explicit", set_up_explicit, of_all, HA_COUNT(of_all));
    add_tests(suite, "explicit8", set_up_explicit8, of_all, HA_COUNT(of_all));
    add_tests(suite, "ida", set_up_ida, of_all, HA_COUNT(of_all));
    add_tests(suite, "ida alone", set_up_ida, of_ida, HA_COUNT(of_ida));
    return test_run(suite);
}
