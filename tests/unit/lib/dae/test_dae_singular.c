/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of a lock-up, by a mass m = 1 on the plane with two conditions: its x follows a
 * prescribed motion, and a rod of length 1 ties it to the origin,
 *
 *     drive   x - t = 0,             vx - 1 = 0
 *     rod     (x^2 + y^2 - 1) / 2 = 0,   x vx + y vy = 0
 *
 * At t = 1 the rod lies along x: y = 0, and vy = -x / y grows without bound before it.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"
#include "tests/util/util.h"

#include <math.h>

enum { X, Y, VX, VY, BY_DRIVE, BY_ROD, N };

static double wanted; /* speed that the drive asks for [1/s] */

static void prepare(const void *model, const double *parameters, double *work)
{
    (void) model, (void) parameters, (void) work;
}

static void residual(const void *model, double *work, double t, const double *y, const double *yp,
                     double *r)
{
    (void) model, (void) work, (void) t;
    r[0] = yp[X] - y[VX];
    r[1] = yp[Y] - y[VY];
    r[2] = yp[VX] + y[BY_DRIVE] + y[X] * y[BY_ROD];
    r[3] = yp[VY] + y[Y] * y[BY_ROD];
    r[4] = yp[VX];
    r[5] = y[X] * yp[VX] + y[Y] * yp[VY] + y[VX] * y[VX] + y[VY] * y[VY];
}

/* Full, entry (i, j) at N j + i. */
static void jacobian(const void *model, double *work, double t, double cj, const double *y,
                     const double *yp, double *values)
{
    (void) model, (void) work, (void) t;
    memset(values, 0, sizeof(double[N * N]));
    values[N * X + 0] = values[N * Y + 1] = values[N * VX + 2] = values[N * VY + 3] = cj;
    values[N * VX + 0] = values[N * VY + 1] = -1.0;
    values[N * BY_DRIVE + 2] = 1.0;
    values[N * X + 2] = values[N * Y + 3] = y[BY_ROD];
    values[N * BY_ROD + 2] = y[X];
    values[N * BY_ROD + 3] = y[Y];
    values[N * VX + 4] = cj;
    values[N * X + 5] = yp[VX];
    values[N * Y + 5] = yp[VY];
    values[N * VX + 5] = y[X] * cj + 2.0 * y[VX];
    values[N * VY + 5] = y[Y] * cj + 2.0 * y[VY];
}

static void condition(const void *model, double *work, double t, const double *y, double *phi,
                      double *f)
{
    (void) model, (void) work;
    phi[0] = y[X] - t;
    phi[1] = 0.5 * (y[X] * y[X] + y[Y] * y[Y] - 1.0);
    f[0] = y[VX] - wanted;
    f[1] = y[X] * y[VX] + y[Y] * y[VY];
}

static ha_dae system_of(int n_conditions)
{
    static const ha_dae_unknown unknowns[N] = {
        { .name = "x", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_POSITION },
        { .name = "y", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_POSITION },
        { .name = "vx", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_VELOCITY },
        { .name = "vy", .kind = HA_DIFFERENTIAL, .scale = 1.0, .motion = HA_VELOCITY },
        { .name = "by drive", .kind = HA_ALGEBRAIC, .scale = 1.0 },
        { .name = "by rod", .kind = HA_ALGEBRAIC, .scale = 1.0 },
    };
    static const char *const equations[N] = { "rate x",  "rate y", "force x",
                                              "force y", "drive",  "rod" };
    static const int condition_row[] = { 4, 5 };
    static int64_t start[N + 1], row[N * N];

    for (int k = 0; k < N * N; k++) {
        start[k / N + 1] = N * (k / N + 1);
        row[k] = k % N;
    }
    return (ha_dae){ .n = N,
                     .unknowns = unknowns,
                     .equations = equations,
                     .work_size = 1,
                     .n_conditions = n_conditions,
                     .condition_row = condition_row,
                     .column_start = start,
                     .row = row,
                     .prepare = prepare,
                     .residual = residual,
                     .jacobian = jacobian,
                     .condition = condition };
}

/* What is said where the rod is off its dead centre by y; the texts are to be cleared. */
static double say(ha_ctx *ctx, const ha_dae *dae, double off, ha__strbuf *lock_up, ha__strbuf *text)
{
    const double x = sqrt(1.0 - off * off), vx = wanted, vy = -x / off * vx;
    const double y[N] = { x, off, vx, vy, 0.0, 0.0 }, yp[N] = { vx, vy, 0.0, 0.0, 0.0, 0.0 };
    double work[1] = { 0.0 }, rcond = NAN;

    ck_assert_int_eq(ha__dae_condition(ctx, dae, work, x, y, yp, &rcond, lock_up, text), HA_OK);
    return rcond;
}

static ha_ctx *ctx;
static ha__strbuf lock_up, text;

static void set_up(void)
{
    ctx = ha_ctx_new();
    lock_up = text = HA_STRBUF(ctx);
    wanted = 1.0;
}

static void tear_down(void)
{
    ha__strbuf_clear(&lock_up);
    ha__strbuf_clear(&text);
    ha_ctx_free(ctx);
}

START_TEST(a_motion_that_the_others_do_not_allow_is_a_lock_up)
{
    const ha_dae dae = system_of(2);

    ck_assert_double_le(say(ctx, &dae, 1e-5, &lock_up, &text), 1e-6);
    ck_assert_str_eq(
        ha__strbuf_text(&lock_up),
        "this is a lock-up: `drive` asks for a motion that the other constraints do "
        "not allow beyond this position, it would need without bound the derivative of "
        "`vy`; ");
    ck_assert_ptr_nonnull(strstr(ha__strbuf_text(&text), "let the prescribed motion end"));
}
END_TEST

/* At rest the same position is singular, and nothing is asked of it. */
START_TEST(without_a_motion_that_is_asked_for_it_is_none)
{
    const ha_dae dae = system_of(2);

    wanted = 0.0;
    (void) say(ctx, &dae, 1e-6, &lock_up, &text);
    ck_assert_str_eq(ha__strbuf_text(&lock_up), "");
    ck_assert_ptr_nonnull(strstr(ha__strbuf_text(&text), "hardly determine"));
}
END_TEST

START_TEST(a_system_without_conditions_has_none)
{
    const ha_dae dae = system_of(0);

    (void) say(ctx, &dae, 1e-5, &lock_up, &text);
    ck_assert_str_eq(ha__strbuf_text(&lock_up), "");
}
END_TEST

START_TEST(a_good_position_is_said_nothing_of)
{
    const ha_dae dae = system_of(2);

    ck_assert_double_ge(say(ctx, &dae, 0.5, &lock_up, &text), 1e-3);
    ck_assert_str_eq(ha__strbuf_text(&lock_up), "");
    ck_assert_str_eq(ha__strbuf_text(&text), "");
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    const ha_dae dae = system_of(2);
    const double y[N] = { 1.0, 1e-5, 1.0, -1e5, 0.0, 0.0 }, yp[N] = { 1.0, -1e5 };
    ha_status status = HA_ERR_MEMORY;

    for (size_t k = 1; status != HA_OK; k++) {
        double work[1] = { 0.0 }, rcond = NAN;
        ha__strbuf_clear(&lock_up);
        ha__strbuf_clear(&text);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, k);
        status = ha__dae_condition(ctx, &dae, work, 1.0, y, yp, &rcond, &lock_up, &text);
        status = status == HA_OK ? text.status : status;
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_singular");
    TCase *tests = tcase_create("lock-up");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_motion_that_the_others_do_not_allow_is_a_lock_up);
    tcase_add_test(tests, without_a_motion_that_is_asked_for_it_is_none);
    tcase_add_test(tests, a_system_without_conditions_has_none);
    tcase_add_test(tests, a_good_position_is_said_nothing_of);
    tcase_add_test(tests, lack_of_memory_is_reported_wherever_it_strikes);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
