/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps over a singular position against the motion in closed form. */
#include <config.h>

#include "lib/dae/dae_hop.h"

#include "tests/unit/lib/dae/crossing.h"
#include "tests/util/memory.h"

static ha_ctx *ctx;
static ha_dae dae;
static double work[1];
static ha__projector *projector;
static ha__refiner *refiner;
static ha__hopper hopper;
static double y[5], yp[5];

static ha_status make(void)
{
    projector = NULL;
    refiner = NULL;
    hopper = (ha__hopper){ 0 };
    HA_TRY(ha__projector_new(ctx, &dae, work, true, &projector));
    HA_TRY(ha__refiner_new(ctx, &dae, work, true, &refiner));
    HA_TRY(ha__hopper_init(&hopper, ctx, &dae, work, projector, refiner));
    hopper.t_end = 100.0;
    ha__hopper_begin(&hopper);
    return HA_OK;
}

static void clear(void)
{
    ha__hopper_clear(&hopper);
    ha__refiner_free(refiner);
    ha__projector_free(projector);
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dae = crossing_system(true);
    ck_assert_int_eq(make(), HA_OK);
}

static void tear_down(void)
{
    clear();
    ha_ctx_free(ctx);
}

/* At time t of the motion that goes over the crossing at time 1 with speed 2. */
static void start(double t)
{
    crossing_exact(0.0, 2.0, t - 1.0, y);
    crossing_exact_rates(y, yp);
}

static void expect_exact(double t, const double *found, double error)
{
    double wanted[5];

    crossing_exact(0.0, 2.0, t - 1.0, wanted);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(found[i], wanted[i], error);
    }
}

START_TEST(a_step_goes_over)
{
    static const double begins[] = { 0.99, 0.97, 0.999999, 1.0 - 1e-9 };
    double t1 = 0.0, inside[5], rates[5], gain = 0.0;
    bool is_done = false;

    start(begins[_i]);
    double begin = y[0];
    ck_assert_int_eq(ha__hop(&hopper, 1e-8, 1e-8, begins[_i], 0.1, y, yp, &t1, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert_double_gt(t1, 1.0);
    expect_exact(t1, y, 1e-7);
    ck_assert_double_eq(hopper.t1, t1);
    ck_assert_double_gt(hopper.lowest, 0.0);
    ck_assert_double_le(hopper.lowest, hopper.highest);
    for (double s = 0.0; s <= 1.0; s += 0.25) {
        double t = begins[_i] + s * (t1 - begins[_i]);
        ha__hop_dense(&hopper, t, inside, rates);
        expect_exact(t, inside, 1e-6);
        ck_assert_double_eq_tol(rates[0], inside[2], 1e-4);
        ha__hop_dense(&hopper, t, inside, NULL);
        expect_exact(t, inside, 1e-6);
        ha__hop_gain(&hopper, begins[_i], t, &gain);
        ck_assert_double_eq_tol(begin + gain, inside[0], 1e-6);
    }
    ck_assert_int_eq(hopper.status, HA_OK);
}
END_TEST

/* The error of a step is that of order 5: one twice as long is off by 2^6 as much. */
START_TEST(the_order_is_kept_over_the_crossing)
{
    double errors[2];

    for (int k = 0; k < 2; k++) {
        double t1 = 0.0, wanted[5], h = k == 0 ? 0.4 : 0.2;
        bool is_done = false;
        start(1.0 - 0.43 * h);
        ck_assert_int_eq(ha__hop(&hopper, 1.0, 1.0, 1.0 - 0.43 * h, h, y, yp, &t1, &is_done),
                         HA_OK);
        ck_assert(is_done);
        crossing_exact(0.0, 2.0, t1 - 1.0, wanted);
        errors[k] = hypot(y[0] - wanted[0], y[1] - wanted[1]);
    }
    ck_assert_double_gt(errors[0] / errors[1], 20.0);
}
END_TEST

/* Where no length of a step does all is as it was. */
START_TEST(what_cannot_be_done_changes_nothing)
{
    double t1 = -1.0, before[5];
    bool is_done = true;

    start(0.99);
    memcpy(before, y, sizeof y);
    ck_assert_int_eq(ha__hop(&hopper, 1e-16, 1e-16, 0.99, 0.5, y, yp, &t1, &is_done), HA_OK);
    ck_assert(!is_done);
    ck_assert_mem_eq(y, before, sizeof y);
    hopper.t_end = 0.995; /* all steps are too long */
    ck_assert_int_eq(ha__hop(&hopper, 1e-6, 1e-6, 0.99, 0.1, y, yp, &t1, &is_done), HA_OK);
    ck_assert(!is_done);
    memset(y, 0, 2 * sizeof *y); /* it begins at the crossing: no accelerations */
    hopper.t_end = 10.0;
    ck_assert_int_eq(ha__hop(&hopper, 1e-6, 1e-6, 1.0, 0.1, y, yp, &t1, &is_done), HA_OK);
    ck_assert(!is_done);
}
END_TEST

START_TEST(a_step_ends_at_the_end)
{
    double t1 = 0.0, t_end = 1.05;
    bool is_done = false;

    start(0.95);
    hopper.t_end = t_end + 1e-13; /* that much would be left */
    ck_assert_int_eq(ha__hop(&hopper, 1e-6, 1e-6, 0.95, t_end - 0.95, y, yp, &t1, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert_double_eq(t1, hopper.t_end);
}
END_TEST

/* A failure inside of an interpolation, which cannot return it, is returned by the next step. */
START_TEST(failures_of_interpolations_are_kept)
{
    double t1 = 0.0, inside[5];
    bool is_done = false;

    start(0.99);
    ck_assert_int_eq(ha__hop(&hopper, 1e-6, 1e-6, 0.99, 0.1, y, yp, &t1, &is_done), HA_OK);
    hopper.status = HA_ERR_MEMORY;
    ha__hop_dense(&hopper, 1.0, inside, NULL);
    ck_assert_int_eq(ha__hop(&hopper, 1e-6, 1e-6, t1, 0.1, y, yp, &t1, &is_done), HA_ERR_MEMORY);
    hopper.status = HA_OK;
}
END_TEST

static ha_status use_all(void *user)
{
    double t1 = 0.0;
    bool is_done = false;

    (void) user;
    ha_status status = make();
    start(1.0);
    y[0] += 1e-30; /* by an orthogonal factorisation, which needs memory */
    status =
        status == HA_OK ? ha__hop(&hopper, 1e-6, 1e-6, 1.0, 0.1, y, yp, &t1, &is_done) : status;
    clear();
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    clear();
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 30);
    ck_assert_int_eq(make(), HA_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_hop");
    TCase *tests = tcase_create("dae_hop");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, a_step_goes_over, 0, 4);
    tcase_add_test(tests, the_order_is_kept_over_the_crossing);
    tcase_add_test(tests, what_cannot_be_done_changes_nothing);
    tcase_add_test(tests, a_step_ends_at_the_end);
    tcase_add_test(tests, failures_of_interpolations_are_kept);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
