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

/* --- a pole ---------------------------------------------------------------------------------- */

/* x ((t - 1)^2 + d) = 1, so that x has a peak of 1 / d at the time 1, or a pole there. */
static double peak_floor;

enum { PEAK_N = 3, PEAK_ALPHA = 2 };

static double stretch(double t)
{
    return (t - 1.0) * (t - 1.0) + peak_floor;
}

static void peak_condition(const void *model, double *room, double t, const double *q, double *phi,
                           double *f)
{
    (void) model, (void) room;
    phi[0] = q[0] * stretch(t) - 1.0;
    f[0] = q[1] * stretch(t) + 2.0 * (t - 1.0) * q[0];
}

static void peak_residual(const void *model, double *room, double t, const double *q,
                          const double *rate, double *r)
{
    double phi, f;

    peak_condition(model, room, t, q, &phi, &f);
    r[0] = rate[0] - q[1];
    r[1] = rate[1] + q[2] * stretch(t);
    r[2] = stretch(t) * rate[1] + 4.0 * (t - 1.0) * q[1] + 2.0 * q[0] + 2.0 * PEAK_ALPHA * f +
           PEAK_ALPHA * PEAK_ALPHA * phi;
}

static void peak_jacobian(const void *model, double *room, double t, double cj, const double *q,
                          const double *rate, double *values)
{
    const double g = stretch(t), s = t - 1.0, a = PEAK_ALPHA;

    (void) model, (void) room, (void) q, (void) rate;
    const double full[9] = { cj,   0.0, 2.0 + 4.0 * a * s + a * a * g,
                             -1.0, cj,  cj * g + 4.0 * s + 2.0 * a * g,
                             0.0,  g,   0.0 };
    memcpy(values, full, sizeof full);
}

static void peak_start_system(const void *model, double *room, double t, const double *q,
                              double *values)
{
    const double none[PEAK_N] = { 0.0 }, at[PEAK_N] = { q[0], q[1], 0.0 };

    values[0] = stretch(t);
    peak_residual(model, room, t, at, none, values + 1);
}

static ha_dae peak_system(void)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_POSITION },
        { .name = "v", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_VELOCITY },
        { .name = "lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 },
    };
    static const char *const equations[] = { "rate", "force", "condition" };
    static const int64_t start_of[] = { 0, 3, 6, 9 }, row[] = { 0, 1, 2, 0, 1, 2, 0, 1, 2 };
    static const int64_t start_column[] = { 0, 1, 3, 4 }, start_row[] = { 0, 1, 2, 1 };
    static const int start_index[] = { 4, 4, 0, 0 }, condition_row[] = { 2 };
    static const double constants[] = { 1.0 };

    return (ha_dae){ .n = PEAK_N,
                     .unknowns = unknowns,
                     .equations = equations,
                     .work_size = 1,
                     .n_conditions = 1,
                     .condition_row = condition_row,
                     .column_start = start_of,
                     .row = row,
                     .start_column = start_column,
                     .start_row = start_row,
                     .n_start_values = 1,
                     .n_start_constants = 1,
                     .start_constant = constants,
                     .start_index = start_index,
                     .prepare = crossing_prepare,
                     .residual = peak_residual,
                     .jacobian = peak_jacobian,
                     .start_system = peak_start_system,
                     .condition = peak_condition };
}

/* From 0.9 on, with tolerances that let any step be taken. */
static bool goes_over(double d)
{
    double t1 = 0.0, g = 0.0;
    bool is_done = false;

    clear();
    peak_floor = d;
    dae = peak_system();
    ck_assert_int_eq(make(), HA_OK);
    g = stretch(0.9);
    y[0] = 1.0 / g;
    y[1] = yp[0] = 0.2 / (g * g);
    yp[1] = -2.0 / (g * g) + 0.08 / (g * g * g);
    y[2] = -yp[1] / g;
    yp[2] = 0.0;
    ck_assert_int_eq(ha__hop(&hopper, 1e9, 1e9, 0.9, 0.2, y, yp, &t1, &is_done), HA_OK);
    if (is_done) {
        ck_assert_double_gt(t1, 1.0);
        ck_assert_double_eq_tol(y[0], 1.0 / stretch(t1), 1e-9 / stretch(t1));
    }
    return is_done;
}

/* A peak is gone over, as high as it may be beside the ends of the step; beyond it is a pole. */
START_TEST(nothing_gets_over_a_pole)
{
    ck_assert(goes_over(1e-2));
    ck_assert(goes_over(1e-3));
    ck_assert(!goes_over(1e-9));
    ck_assert(!goes_over(0.0));
    clear();
    dae = crossing_system(true);
    ck_assert_int_eq(make(), HA_OK);
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
    tcase_add_test(tests, nothing_gets_over_a_pole);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
