/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hand-written systems that the tests of the driver share, and how they are run and judged. */
#ifndef TESTS_UNIT_LIB_DAE_SYSTEMS_H
#define TESTS_UNIT_LIB_DAE_SYSTEMS_H

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
static long driver = HA_DRIVER_IDA; /* of options_to() */

static inline void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    result = ha_result_new(ctx);
    ck_assert_ptr_nonnull(result);
    memset(y, 0, sizeof y);
    memset(yp, 0, sizeof yp);
}

static inline void set_up_ida(void)
{
    set_up();
    driver = HA_DRIVER_IDA;
}

static inline void set_up_explicit(void)
{
    set_up();
    driver = HA_DRIVER_EXPLICIT;
}

static inline void set_up_explicit8(void)
{
    set_up();
    driver = HA_DRIVER_EXPLICIT8;
}

static inline void tear_down(void)
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

static inline void prepare_nothing(const void *model, const double *parameters, double *work)
{
    (void) model, (void) parameters, (void) work;
}

/* A system of n unknowns with a full pattern. */
static inline ha_dae full_system(int n, const ha_dae_unknown *unknowns,
                                 const char *const *equations)
{
    return (ha_dae){ .n = n,
                     .unknowns = unknowns,
                     .equations = equations,
                     .column_start = full_start(n),
                     .row = full_row(n),
                     .prepare = prepare_nothing };
}

static inline ha_dae_options options_to(double t_end)
{
    ha_dae_options options = ha_dae_options_default();

    options.t_end = t_end;
    options.step = t_end;
    options.driver = driver;
    return options;
}

static inline ha_status run(const ha_dae *dae, const ha_dae_options *options)
{
    return ha_dae_run(ctx, dae, options, NULL, y, yp, result, NULL, &stats);
}

static const char *message(void)
{
    return ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic";
}

static inline void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status), message());
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* The call failed with this status and one diagnostic that has all `parts` (NULL-terminated). */
static inline void expect_failure(ha_status status, ha_status expected, const char *const *parts)
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

static inline void oscillator_residual(const void *model, double *work, double t, const double *u,
                                       const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] - u[1];
    r[1] = up[1] + OMEGA * OMEGA * u[0];
}

static inline void oscillator_jacobian(const void *model, double *work, double t, double cj,
                                       const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    v[0] = cj;
    v[1] = OMEGA * OMEGA;
    v[2] = -1.0;
    v[3] = cj;
}

static inline void oscillator_output(const void *model, double *work, double t, const double *u,
                                     const double *up, const double *integrals, double *out)
{
    (void) model, (void) work, (void) t;
    out[0] = u[0];
    out[1] = up[1];
    out[2] = integrals[0];
}

/* v^2: its integral is OMEGA^2 (t / 2 - sin(2 OMEGA t) / (4 OMEGA)). */
static inline void oscillator_rate(const void *model, double *work, double t, const double *u,
                                   const double *up, double *rates)
{
    (void) model, (void) work, (void) t, (void) up;
    rates[0] = u[1] * u[1];
}

static inline void oscillator_check(const void *model, double *work, double t, const double *u,
                                    const double *up, const double *integrals, double *watched)
{
    (void) model, (void) work, (void) t, (void) up, (void) integrals;
    watched[0] = u[1];
    watched[1] = 0.5 * (u[1] * u[1] + OMEGA * OMEGA * u[0] * u[0]) - 0.5 * OMEGA * OMEGA;
}

static const ha_dae_unknown oscillator_unknowns[] = {
    { .name = "mass.x", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
    { .name = "mass.v", .kind = HA_DIFFERENTIAL, .scale = 1.0 }
};
static const char *const oscillator_equations[] = { "rate of mass.x", "rate of mass.v" };
static const ha_dae_output oscillator_outputs[] = { { "mass.x", "m" },
                                                    { "mass.a", "m/s2" },
                                                    { "work", "J" } };

static inline ha_dae oscillator(void)
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

static inline double oscillator_integral(double t)
{
    return OMEGA * OMEGA * (0.5 * t - sin(2.0 * OMEGA * t) / (4.0 * OMEGA));
}

/* ---- a pendulum in Cartesian coordinates, index 1 with Baumgarte's stabilisation ----
   x' = vx, y' = vy, vx' = -2 x lambda, vy' = -2 y lambda - g,
   0 = phi'' + 2 ALPHA phi' + ALPHA^2 phi with phi = x^2 + y^2 - 1. */

static const double GRAVITY = 9.81;
static const double ALPHA = 10.0;

static inline void pendulum_residual(const void *model, double *work, double t, const double *u,
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

static inline void pendulum_jacobian(const void *model, double *work, double t, double cj,
                                     const double *u, const double *up, double *v)
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
    { .name = "bob.x", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
    { .name = "bob.y", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
    { .name = "bob.vx", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
    { .name = "bob.vy", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
    { .name = "rod.lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 },
};
static const char *const pendulum_equations[] = { "rate of bob.x", "rate of bob.y",
                                                  "forces on bob.x", "forces on bob.y",
                                                  "constraint rod" };

static inline ha_dae pendulum(void)
{
    ha_dae dae = full_system(5, pendulum_unknowns, pendulum_equations);

    dae.residual = pendulum_residual;
    dae.jacobian = pendulum_jacobian;
    y[0] = 1.0; /* horizontal, at rest */
    return dae;
}

/* x' = -1, and z = log(x) ends at x = 0, t = x(0). */
static inline void log_residual(const void *model, double *work, double t, const double *u,
                                const double *up, double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = up[0] + 1.0;
    r[1] = u[1] - log(u[0]);
}

static inline void log_jacobian(const void *model, double *work, double t, double cj,
                                const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) up;
    v[0] = cj;
    v[1] = -1.0 / u[0];
    v[2] = 0.0;
    v[3] = 1.0;
}

static inline ha_dae logarithm(double start)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "tank.level", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
        { .name = "gauge.z", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "rate of tank.level", "reading of gauge" };
    ha_dae dae = full_system(2, unknowns, equations);

    dae.residual = log_residual;
    dae.jacobian = log_jacobian;
    y[0] = start;
    return dae;
}

/* Runs tests as a suite, each with a fresh context; returns the exit status. */
/* Adds a test case of n tests, each after `prepare`. */
static inline void add_tests(Suite *suite, const char *name, SFun prepare,
                             const TTest *const *tests, size_t n)
{
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, prepare, tear_down);
    for (size_t i = 0; i < n; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
}

static inline int run_tests(const char *name, const TTest *const *tests, size_t n)
{
    Suite *suite = suite_create(name);

    add_tests(suite, name, set_up, tests, n);
    return test_run(suite);
}

#endif
