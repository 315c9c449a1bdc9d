/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows made consistent, against dense elimination and a root in closed form. */
#include <config.h>

#include "tests/unit/lib/dae/crossing.h"
#include "tests/util/memory.h"
#include "tests/util/random.h"

static ha_ctx *ctx;
static ha_dae dae;
static double work[1];
static uint64_t state;

static void set_up(void)
{
    ctx = ha_ctx_new();
    dae = crossing_system(true);
    state = 1;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static ha__refiner *new_refiner(bool has_sizes)
{
    ha__refiner *r = NULL;

    ck_assert_int_eq(ha__refiner_new(ctx, &dae, work, has_sizes, &r), HA_OK);
    return r;
}

/* y' of x, y, vx, vy and lambda by the definition: K x = -r. */
static void solve_densely(const double *y, double *x)
{
    double at[5], none[5] = { 0.0 }, r[5], j0[25], j1[25], k[25];

    memcpy(at, y, sizeof at);
    at[4] = 0.0;
    crossing_residual(NULL, work, 0.0, at, none, r);
    crossing_jacobian(NULL, work, 0.0, 0.0, at, none, j0);
    crossing_jacobian(NULL, work, 0.0, 1.0, at, none, j1);
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 5; i++) {
            k[5 * i + j] = j < 4 ? j1[5 * j + i] - j0[5 * j + i] : j0[5 * j + i];
        }
        r[j] = -r[j];
    }
    ck_assert_double_gt(dense_solve(5, k, r, x), 0.0);
}

START_TEST(rows_are_made_consistent)
{
    ha__refiner *r = new_refiner(_i == 1);

    for (int round = 0; round < 50; round++) {
        double y[5], yp[5], x[5];
        bool is_done = false;
        for (int i = 0; i < 5; i++) {
            y[i] = random_in(&state, -2.0, 2.0);
            yp[i] = random_in(&state, -2.0, 2.0);
        }
        solve_densely(y, x);
        ck_assert_int_eq(ha__refine(r, 0.0, y, yp, round % 2 == 0 ? &is_done : NULL), HA_OK);
        ck_assert(is_done || round % 2 != 0);
        for (int i = 0; i < 4; i++) {
            ck_assert_double_eq_tol(yp[i], x[i], 1e-12 * (1.0 + fabs(x[i]) + fabs(x[4])));
        }
        ck_assert_double_eq_tol(y[4], x[4], 1e-11 * (1.0 + fabs(x[4])));
    }
    ha__refiner_free(r);
}
END_TEST

START_TEST(singular_rows_stay)
{
    ha__refiner *r = new_refiner(true);
    double y[5] = { 0.0, 0.0, 1.0, 2.0, 3.0 }, yp[5] = { 1.0, 2.0, 3.0, 4.0, 0.0 };
    bool is_done = true;

    ck_assert_int_eq(ha__refine(r, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(!is_done);
    ck_assert_double_eq(y[4], 3.0);
    ck_assert_double_eq(yp[2], 3.0);
    y[0] = (double) NAN;
    ck_assert_int_eq(ha__refine(r, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(!is_done);
    ha__refiner_free(r);
    ck_assert_int_eq(ha__refine(NULL, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(is_done);
}
END_TEST

/* --- an equation that is not linear ----------------------------------------------------------- */

static double pole; /* of the residual, not of the matrix */

static void root_residual(const void *model, double *room, double t, const double *y,
                          const double *yp, double *r)
{
    (void) model, (void) room, (void) t, (void) yp;
    r[0] = exp(y[0]) - 5.0 + pole;
}

static void root_jacobian(const void *model, double *room, double t, double cj, const double *y,
                          const double *yp, double *values)
{
    (void) model, (void) room, (void) t, (void) cj, (void) yp;
    values[0] = exp(y[0]);
}

static void make_root(void)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "z", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "root" };
    static const int64_t start[] = { 0, 1 }, row[] = { 0 };

    dae = (ha_dae){ .n = 1,
                    .unknowns = unknowns,
                    .equations = equations,
                    .column_start = start,
                    .row = row,
                    .residual = root_residual,
                    .jacobian = root_jacobian };
    pole = 0.0;
}

START_TEST(steps_go_on_with_new_matrices)
{
    make_root();
    ha__refiner *r = new_refiner(false);
    double y[1] = { 1.7 }, yp[1] = { 0.0 };
    bool is_done = false;

    ck_assert_int_eq(ha__refine(r, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert_double_eq_tol(y[0], log(5.0), 1e-14);
    y[0] = -6.0; /* the whole step leads to where exp() is beyond all numbers */
    ck_assert(ha__refiner_has_solved(r));
    ck_assert_int_eq(ha__refine(r, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert(!ha__refiner_has_solved(r)); /* -6 is no root */
    ck_assert_double_eq(y[0], -6.0);
    pole = (double) NAN;
    ck_assert_int_eq(ha__refine(r, 0.0, y, yp, &is_done), HA_OK);
    ck_assert(!is_done);
    ck_assert(!ha__refiner_has_solved(r));
    ck_assert(ha__refiner_has_solved(NULL));
    ck_assert_double_eq(y[0], -6.0);
    ha__refiner_free(r);
}
END_TEST

/* --- whether there is one --------------------------------------------------------------------- */

START_TEST(without_algebraic_unknowns_there_is_none)
{
    static const ha_dae_unknown unknowns[] = { { .name = "z", .scale = 1.0 } };

    make_root();
    dae.unknowns = unknowns;
    ck_assert_ptr_null(new_refiner(false));
    dae.rate_reads_solved = 1;
    ha__refiner *r = new_refiner(false);
    ck_assert_ptr_nonnull(r);
    ha__refiner_free(r);
    ha__refiner_free(NULL);
}
END_TEST

static ha_status use_all(void *user)
{
    double y[5] = { 1.0, 2.0, 1.0, 1.0, 0.0 }, yp[5] = { 0.0 };
    ha__refiner *r = NULL;

    (void) user;
    ha_status status = ha__refiner_new(ctx, &dae, work, true, &r);
    status = status == HA_OK ? ha__refine(r, 0.0, y, yp, NULL) : status;
    ha__refiner_free(r);
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_refine");
    TCase *tests = tcase_create("dae_refine");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, rows_are_made_consistent, 0, 2);
    tcase_add_test(tests, singular_rows_stay);
    tcase_add_test(tests, steps_go_on_with_new_matrices);
    tcase_add_test(tests, without_algebraic_unknowns_there_is_none);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
