/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drift taken back from positions and velocities of a mass on two crossing lines, against the step
 * of least kinetic energy by dense elimination of
 *
 *     [ M  J' ] [ s ]   [  0 ]
 *     [ J  0  ] [ l ] = [ -f ].
 */
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

static ha__projector *new_projector(bool has_sizes)
{
    ha__projector *p = NULL;

    ck_assert_int_eq(ha__projector_new(ctx, &dae, work, has_sizes, &p), HA_OK);
    ck_assert_ptr_nonnull(p);
    return p;
}

/* What keeps a drift f of the speeds from the place q, by the definition. */
static void least_step(const double *q, double f, double s[3])
{
    double j[2], u, w;

    crossing_gradient(q, j, &u, &w);
    const double kkt[9] = { crossing_mass, 0.0, j[0], 0.0, crossing_mass, j[1], j[0], j[1], 0.0 };
    const double right[3] = { 0.0, 0.0, -f };
    ck_assert_double_gt(dense_solve(3, kkt, right, s), 0.0);
}

/* Places near the line w = 0, at a distance u from where the lines cross. */
static void make(double u, double off, double *y, double *yp)
{
    crossing_exact(u, 1.0, 0.0, y);
    crossing_exact_rates(y, yp);
    for (int i = 0; i < 4; i++) {
        y[i] += random_in(&state, -off, off);
    }
}

START_TEST(the_step_is_the_least_one)
{
    ha__projector *p = new_projector(_i == 1);

    for (int round = 0; round < 50; round++) {
        double y[5], yp[5], before[5], phi, f, s[3];
        int rank = -1;
        make(pow(10.0, random_in(&state, -4.0, 1.0)), 1e-6, y, yp);
        memcpy(before, y, sizeof y);
        ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
        ck_assert_int_eq(rank, 1);
        crossing_condition(NULL, work, 0.0, y, &phi, &f);
        double size = hypot(y[0], y[1]);
        ck_assert_double_le(fabs(phi), 1e-15 * size);
        ck_assert_double_le(fabs(f), 1e-15 * (1.0 + size));
        ck_assert_double_eq(ha__drift(p, 0.0, y)[0], f);
        double at_rest[5] = { y[0], y[1], before[2], before[3], 0.0 };
        crossing_condition(NULL, work, 0.0, at_rest, &phi, &f); /* f at the places arrived at */
        least_step(y, f, s);
        /* J is that of the place before: its direction is off by 1e-6 of the size */
        for (int i = 0; i < 2; i++) {
            double most = hypot(s[0], s[1]) * 1e-5 / size + 1e-15 * (1.0 + 1.0 / size);
            ck_assert_double_eq_tol(y[2 + i] - before[2 + i], s[i], most);
        }
        ck_assert_double_gt(ha__projection_condition(p), 0.0);
    }
    ha__projector_free(p);
}
END_TEST

/* What a projection says of round-off is about what it leaves, in tolerances: 1e-16 by the distance
   in the places, by its square in the speeds. */
START_TEST(noise_grows_towards_the_crossing)
{
    ha__projector *p = new_projector(true);

    for (double u = 1.0; u > 1e-5; u *= 0.01) {
        double y[5], yp[5], least = (double) INFINITY, most = 0.0;
        int rank = 0;
        for (int k = 0; k < 16; k++) { /* now more and now less */
            make(u, 1e-9, y, yp);
            ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
            double noise = ha__projection_noise(p, 1e-10, 1e-10, y);
            least = fmin(least, noise);
            most = fmax(most, noise);
        }
        ck_assert_double_le(least, 1e-15 / (u * u) / 1e-10 + 1e-4);
        ck_assert(isfinite(most));
        ck_assert(u > 1e-3 || most > 1e-18 / (u * u) / 1e-10);
    }
    ha__projector_free(p);
}
END_TEST

/* However near to the crossing, the gradient has its direction, and the step is the least one: the
   place stays near, and of the speed the part along the line w = 0 is left, but for the
   share by which the gradient turns on the way there. Right at it nothing is moved, and the
   condition tells. */
START_TEST(a_lost_rank_is_left_out)
{
    ha__projector *p = new_projector(_i == 1);
    ha_dae_stats stats = { 0 };
    double y[5] = { 1e-20, 0.0, 1.0, 0.2, 0.0 }, yp[5] = { 0.0 }, before[5];
    const double along = crossing_a * y[2] + crossing_b * y[3];
    int rank = -1;

    ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
    ck_assert_int_eq(rank, 1);
    ck_assert_double_le(hypot(y[0], y[1]), 1e-20);
    ck_assert_double_eq_tol(y[2], along * crossing_a, 1e-3);
    ck_assert_double_eq_tol(y[3], along * crossing_b, 1e-3);
    ck_assert_double_eq(y[4], 0.0);
    memset(y, 0, 2 * sizeof *y); /* right at it */
    memcpy(before, y, sizeof y);
    ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
    ck_assert_mem_eq(y, before, sizeof y);
    ck_assert_double_eq(ha__projection_condition(p), 0.0);
    ha__count_projection(&stats, &dae, 1, 1.0);
    ck_assert_int_eq(stats.rank_losses, 0);
    ha__count_projection(&stats, &dae, 0, 2.0);
    ha__count_projection(&stats, &dae, 0, 3.0);
    ck_assert_int_eq(stats.projections, 3);
    ck_assert_int_eq(stats.rank_losses, 2);
    ck_assert_int_eq(stats.lowest_rank, 0);
    ck_assert_double_eq(stats.t_lowest_rank, 2.0);
    ha__projector_free(p);
}
END_TEST

START_TEST(what_is_not_finite_stays)
{
    ha__projector *p = new_projector(true);
    double y[5], yp[5], before[5];
    int rank = 0;

    make(1.0, 1e-6, y, yp);
    y[1] = (double) NAN;
    memcpy(before, y, sizeof y);
    ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
    ck_assert_mem_eq(y, before, sizeof y);
    make(1.0, 1e-6, y, yp);
    yp[2] = (double) INFINITY; /* in the matrix, not in the drift */
    memcpy(before, y, sizeof y);
    ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
    ck_assert_mem_eq(y, before, sizeof y);
    ha__projector_free(p);
}
END_TEST

/* From far away the way back is no round-off. */
START_TEST(noise_is_told_of_arrivals_only)
{
    ha__projector *p = new_projector(true);
    double y[5], yp[5];
    int rank = 0;

    crossing_exact(1.0, 1.0, 0.0, y);
    crossing_exact_rates(y, yp);
    y[0] -= 30.0;
    y[1] += 41.0; /* near to both lines' bisector */
    ck_assert_int_eq(ha__project(p, 0.0, 1e-9, y, yp, &rank), HA_OK);
    ck_assert_double_eq(ha__projection_noise(p, 1e-16, 1e-16, y), 0.0);
    ha__projector_free(p);
}
END_TEST

START_TEST(without_conditions_there_is_none)
{
    ha__projector *p = NULL;

    dae.n_conditions = 0;
    ck_assert_int_eq(ha__projector_new(ctx, &dae, work, true, &p), HA_OK);
    ck_assert_ptr_null(p);
    ha__projector_free(p);
}
END_TEST

/* Both ways to solve. */
static ha_status use_all(void *user)
{
    double y[5], yp[5], at[5] = { 0.0, 1e-30, 1.0, 1.0, 0.0 };
    ha__projector *p = NULL;
    int rank = 0;

    (void) user;
    state = 3;
    make(1.0, 1e-3, y, yp);
    ha_status status = ha__projector_new(ctx, &dae, work, true, &p);
    status = status == HA_OK ? ha__project(p, 0.0, 1e-9, y, yp, &rank) : status;
    status = status == HA_OK ? ha__project(p, 0.0, 1e-9, at, yp, &rank) : status;
    ha__projector_free(p);
    return status;
}

START_TEST(out_of_memory_is_survived)
{
    ck_assert_uint_gt(memory_survives(ctx, 0, use_all, NULL), 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_project");
    TCase *tests = tcase_create("dae_project");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, the_step_is_the_least_one, 0, 2);
    tcase_add_test(tests, noise_grows_towards_the_crossing);
    tcase_add_loop_test(tests, a_lost_rank_is_left_out, 0, 2);
    tcase_add_test(tests, what_is_not_finite_stays);
    tcase_add_test(tests, noise_is_told_of_arrivals_only);
    tcase_add_test(tests, without_conditions_there_is_none);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
