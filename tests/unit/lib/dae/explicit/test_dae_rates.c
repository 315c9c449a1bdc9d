/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerations and multipliers, against dense elimination: by LDL, by KLU, by Newton's method. */
#include <config.h>

#include "lib/dae/explicit/dae_rates.h"

#include "tests/unit/lib/dae/crossing.h"
#include "tests/util/memory.h"
#include "tests/util/random.h"

static ha_ctx *ctx;
static ha_dae dae;
static ha_dae_stats stats;
static double work[1];
static uint64_t state;

static void set_up(void)
{
    ctx = ha_ctx_new();
    stats = (ha_dae_stats){ 0 };
    state = 1;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static ha__rates *new_rates(void)
{
    ha__rates *g = NULL;

    ck_assert_int_eq(ha__rates_new(ctx, &dae, work, &stats, &g), HA_OK);
    return g;
}

static double skew; /* makes K not symmetric: added to the entry (2, lambda) */

/* x of K x = r at y. */
static void solve_densely_for(const double *y, const double *r, double *x)
{
    double j[2], u, w;
    const double m = crossing_mass;

    crossing_gradient(y, j, &u, &w);
    const double k[25] = { 1, 0,           0, 0, 0, 0, 1,    0, 0, 0,    0,    0, m,
                           0, j[0] + skew, 0, 0, 0, m, j[1], 0, 0, j[0], j[1], 0 };
    ck_assert_double_gt(dense_solve(5, k, r, x), 0.0);
}

/* y' of x, y, vx, vy and lambda by the definition. */
static void solve_densely(const double *y, double *x)
{
    double at[5], none[5] = { 0.0 }, r[5];

    memcpy(at, y, sizeof at);
    at[4] = 0.0;
    crossing_residual(NULL, work, 0.0, at, none, r);
    for (int i = 0; i < 5; i++) {
        r[i] = -r[i];
    }
    solve_densely_for(y, r, x);
}

static void expect_rates(ha__rates *g, double distance)
{
    double y[5], yp[5] = { 0.0 }, x[5];
    bool is_good = false;

    for (int i = 0; i < 5; i++) {
        y[i] = random_in(&state, -1.0, 1.0) * (i < 2 ? distance : 1.0);
    }
    ck_assert_int_eq(ha__rates_evaluate(g, 0.0, y, yp, &is_good), HA_OK);
    ck_assert(is_good);
    solve_densely(y, x);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(yp[i], x[i], 1e-12 * (1.0 + fabs(x[i])) / fmin(distance, 1.0));
    }
    ck_assert_double_eq_tol(y[4], x[4], 1e-11 * (1.0 + fabs(x[4])) / fmin(distance, 1.0));
    double value = -1.0;
    ck_assert_int_eq(ha__rates_bad(g, &value), -1);
    ck_assert_double_gt(ha__rates_condition(g), 0.0);
    double off[5] = { 0.1, -0.2, 0.3, 0.4, 0.5 };
    solve_densely_for(y, off, x);
    ck_assert_int_eq(ha__rates_solve(g, off, &is_good), HA_OK);
    ck_assert(is_good);
    for (int i = 0; i < 5; i++) {
        double size = 1.0 + fabs(x[i]);
        ck_assert_double_eq_tol(off[i], x[i], 1e-11 * size / fmin(distance, 1.0));
    }
}

START_TEST(rates_are_those_of_dense_elimination)
{
    dae = crossing_system(_i == 0);
    ha__rates *g = new_rates();
    ck_assert_double_eq(ha__rates_condition(g), 0.0); /* nothing solved yet */
    for (int round = 0; round < 100; round++) {
        expect_rates(g, pow(10.0, random_in(&state, -3.0, 1.0)));
    }
    ck_assert_int_eq(stats.residual_evaluations > 0, 1);
    ck_assert_int_eq(stats.newton_iterations > 0, _i == 1);
    ha__rates_free(g);
    ha__rates_free(NULL);
}
END_TEST

/* --- K that is symmetric at first only ----------------------------------------------------------
 */

static void skewed_system(const void *model, double *room, double t, const double *y,
                          double *values)
{
    double u, w;

    crossing_start_system(model, room, t, y, values + 1);
    crossing_gradient(y, values + 1, &u, &w);
    values[0] = values[1] + skew;
}

START_TEST(a_matrix_that_is_symmetric_by_chance_is_solved_in_general)
{
    static const int places[] = { 8, 8, 9, 1, 9, 2, 0, 2 };
    static const double constants[] = { 1.0, CROSSING_MASS };

    dae = crossing_system(true);
    dae.n_start_values = 3;
    dae.start_index = places;
    dae.start_constant = constants;
    dae.start_system = skewed_system;
    skew = 0.0;
    ha__rates *g = new_rates();
    expect_rates(g, 1.0);
    skew = 0.25;
    for (int round = 0; round < 10; round++) {
        expect_rates(g, 1.0);
    }
    skew = 0.0;
    ha__rates_free(g);
}
END_TEST

START_TEST(singular_systems_have_no_rates)
{
    double y[5] = { 0.0, 0.0, 1.0, 1.0, 0.0 }, yp[5] = { 0.0 };
    bool is_good = true;

    dae = crossing_system(_i == 0);
    ha__rates *g = new_rates();
    expect_rates(g, 1.0);
    ck_assert_int_eq(ha__rates_evaluate(g, 0.0, y, yp, &is_good), HA_OK);
    ck_assert(!is_good);
    ck_assert_double_lt(ha__rates_condition(g), 1e-14);
    expect_rates(g, 1.0);
    ha__rates_free(g);
}
END_TEST

START_TEST(what_is_not_finite_is_named)
{
    double y[5] = { 1.0, 1.0, 1.0, 1.0, 0.0 }, yp[5] = { 0.0 }, value = 0.0;
    bool is_good = true;

    dae = crossing_system(_i == 0);
    ha__rates *g = new_rates();
    expect_rates(g, 1.0);
    y[2] = (double) INFINITY;
    ck_assert_int_eq(ha__rates_evaluate(g, 0.0, y, yp, &is_good), HA_OK);
    ck_assert(!is_good);
    ck_assert_int_eq(ha__rates_bad(g, &value), 0);
    ck_assert(!isfinite(value));
    ck_assert_double_eq(ha__rates_condition(g), 0.0);
    ha__rates_free(g);
}
END_TEST

/* exp(z) = 5 is no affine system, and so far away eight steps are not enough. */
static void root_residual(const void *model, double *room, double t, const double *y,
                          const double *yp, double *r)
{
    (void) model, (void) room, (void) t, (void) yp;
    r[0] = exp(y[0]) - 5.0;
}

static void root_jacobian(const void *model, double *room, double t, double cj, const double *y,
                          const double *yp, double *values)
{
    (void) model, (void) room, (void) t, (void) cj, (void) yp;
    values[0] = exp(y[0]);
}

START_TEST(equations_that_are_not_affine_are_iterated)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "z", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const int64_t start[] = { 0, 1 }, row[] = { 0 };
    double y[1] = { 1.0 }, yp[1] = { 0.0 };
    bool is_good = false;

    dae = (ha_dae){ .n = 1,
                    .unknowns = unknowns,
                    .column_start = start,
                    .row = row,
                    .residual = root_residual,
                    .jacobian = root_jacobian };
    ha__rates *g = new_rates();
    ck_assert_int_eq(ha__rates_evaluate(g, 0.0, y, yp, &is_good), HA_OK);
    ck_assert(is_good);
    ck_assert_double_eq_tol(y[0], log(5.0), 1e-15);
    y[0] = 20.0;
    ck_assert_int_eq(ha__rates_evaluate(g, 0.0, y, yp, &is_good), HA_OK);
    ck_assert(!is_good);
    ha__rates_free(g);
}
END_TEST

static ha_status use_all(void *user)
{
    double y[5] = { 1.0, 0.0, 1.0, 1.0, 0.0 }, yp[5] = { 0.0 };
    bool is_good = false;
    ha__rates *g = NULL;

    (void) user;
    ha_status status = ha__rates_new(ctx, &dae, work, &stats, &g);
    status = status == HA_OK ? ha__rates_evaluate(g, 0.0, y, yp, &is_good) : status;
    ha__rates_free(g);
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    dae = crossing_system(_i == 0);
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_rates");
    TCase *tests = tcase_create("dae_rates");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, rates_are_those_of_dense_elimination, 0, 2);
    tcase_add_test(tests, a_matrix_that_is_symmetric_by_chance_is_solved_in_general);
    tcase_add_loop_test(tests, singular_systems_have_no_rates, 0, 2);
    tcase_add_loop_test(tests, what_is_not_finite_is_named, 0, 2);
    tcase_add_test(tests, equations_that_are_not_affine_are_iterated);
    tcase_add_loop_test(tests, out_of_memory_is_survived, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
