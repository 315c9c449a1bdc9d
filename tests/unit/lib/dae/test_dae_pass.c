/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is decided at singular positions: each decision by itself, and runs over the crossing of two
 * lines against the motion in closed form.
 */
#include <config.h>

#include "lib/dae/dae_pass.h"

#include "tests/unit/lib/dae/crossing.h"
#include "tests/util/memory.h"

static ha_ctx *ctx;
static ha_dae dae;
static ha_dae_options options;
static ha_dae_stats stats;
static ha_result *result;
static ha__run run;
static ha__pass pass;
static double work[1], y[5], yp[5], y_in[5], yp_in[5];

/* A run that stands at time t of the motion that goes over the crossing at time 1. */
static void stand(double t)
{
    stats.t_reached = t;
    crossing_exact(0.0, 2.0, t - 1.0, y);
    crossing_exact_rates(y, yp);
}

static ha_status make(void)
{
    run = (ha__run){ .ctx = ctx,
                     .dae = &dae,
                     .options = &options,
                     .stats = &stats,
                     .work = work,
                     .y = y,
                     .yp = yp,
                     .y_in = y_in,
                     .yp_in = yp_in };
    pass = (ha__pass){ 0 };
    result = ha_result_new(ctx);
    HA_TRY(result == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(ha__record_init(&run.recorder, ctx, &dae, &options, work, result, NULL));
    return ha__pass_init(&pass, &run, true);
}

static void clear(void)
{
    ha__pass_clear(&pass);
    ha__record_clear(&run.recorder);
    ha_result_free(result);
    run = (ha__run){ 0 };
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dae = crossing_system(true);
    options = ha_dae_options_default();
    options.t_end = 4.0;
    options.step = 0.25;
    options.rtol = options.atol = 1e-8;
    stats = (ha_dae_stats){ 0 };
    ck_assert_int_eq(make(), HA_OK);
    stand(0.9);
    pass.typical = 0.1;
}

static void tear_down(void)
{
    clear();
    ha_ctx_free(ctx);
}

/* --- steps ----------------------------------------------------------------------------------- */

START_TEST(the_typical_step_forgets_slowly)
{
    ck_assert(!ha__pass_is_short(&pass, 0.1 / 29.0));
    ck_assert(ha__pass_is_short(&pass, 0.1 / 31.0));
    ha__pass_note_step(&pass, 0.2);
    ck_assert_double_eq(pass.typical, 0.2); /* a longer one at once */
    int n = 0;
    for (; pass.typical > 0.1; n++) {
        ha__pass_note_step(&pass, 0.1);
    }
    ck_assert_int_ge(n, 300);
    ck_assert_int_le(n, 350);
}
END_TEST

/* Takes n steps of a size; true when the method is stuck after the last. */
static bool take(int n, double h)
{
    bool is_stuck = false;

    for (int i = 0; i < n; i++) {
        ha__pass_follow(&pass, h, ha__pass_is_short(&pass, h));
        is_stuck = ha__pass_is_stuck(&pass, h, 0.0);
    }
    return is_stuck;
}

START_TEST(steps_that_stay_short_are_stuck)
{
    ha__pass_settle(&pass);
    ck_assert(!take(19, 1e-9)); /* those of a start are, whatever they are */
    ck_assert_int_eq(pass.short_steps, 0);
    ck_assert(!take(30, 0.1));
    ck_assert(!take(299, 0.1 / 40.0));
    ck_assert(take(1, 0.1 / 40.0));
    ck_assert_int_eq(pass.short_steps, 300);
    ha__pass_give_way(&pass, 0.1 / 40.0);
    ck_assert_int_eq(pass.short_steps, 0);
    ck_assert_double_eq_tol(pass.typical, 0.1 / sqrt(40.0), 1e-3);
    ck_assert(!take(10, 0.1 / 40.0)); /* that is not short now */
    ck_assert_int_eq(pass.short_steps, 0);
    ck_assert(take(1, 1e-7)); /* hopeless at once */
}
END_TEST

START_TEST(drift_is_looked_at_where_steps_are_short)
{
    options.projection = HA_PROJECTION_AUTO;
    take(30, 0.1);
    ck_assert(!ha__pass_may_drift(&pass));
    take(1, 1e-3);
    ha__pass_set_patience(&pass, true); /* short at once: something quick may do that */
    ck_assert(!ha__pass_may_drift(&pass));
    take(15, 1e-3);
    ck_assert(ha__pass_may_drift(&pass));
    take(1, 0.1);
    take(1, 1e-3);
    ha__pass_set_patience(&pass, false); /* one after the other */
    ck_assert(ha__pass_may_drift(&pass));
    ck_assert(!ha__pass_is_stuck(&pass, 1e-3, 1.9));
    ck_assert(ha__pass_is_stuck(&pass, 1e-3, 2.1));
    ha__pass_begin_projecting(&pass);
    ck_assert(pass.projects);
    ck_assert_double_eq(stats.t_projects, 0.9);
    ck_assert(!ha__pass_may_drift(&pass));
}
END_TEST

START_TEST(nothing_is_projected_where_that_is_not_wanted)
{
    options.projection = HA_PROJECTION_NONE;
    ha__pass_begin_projecting(&pass);
    ck_assert(!pass.projects);
    clear();
    options.projection = HA_PROJECTION_STEPS;
    ck_assert_int_eq(make(), HA_OK);
    ck_assert(pass.projects);
}
END_TEST

/* --- noise ----------------------------------------------------------------------------------- */

/* Noise that has risen thirtyfold and to half of the tolerance tells of a position ahead. */
START_TEST(loud_noise_is_stuck)
{
    ha__pass_settle(&pass);
    take(30, 0.1);
    pass.noise = 0.01;
    ck_assert(!ha__pass_is_stuck(&pass, 0.1, 0.0));
    pass.noise = 0.49;
    ck_assert(!ha__pass_is_stuck(&pass, 0.1, 0.0));
    pass.noise = 0.51;
    ck_assert(ha__pass_is_stuck(&pass, 0.1, 0.0));
    pass.least_noise = 0.02; /* less than thirtyfold */
    ck_assert(!ha__pass_is_stuck(&pass, 0.1, 0.0));
}
END_TEST

START_TEST(tolerances_are_relaxed_to_the_noise)
{
    ck_assert_int_eq(ha__pass_project(&pass, 0.9, y, yp), HA_OK);
    ck_assert_int_eq(stats.projections, 1);
    pass.noise = 0.02;
    ha__pass_follow_noise(&pass, y);
    ck_assert_double_eq_tol(pass.noise, 0.01, 1e-6); /* half is kept */
    ck_assert_double_eq(pass.relaxed, 1.0);
    ck_assert_double_eq(stats.relaxed, 0.0);
    pass.noise = 0.2;
    ha__pass_follow_noise(&pass, y);
    ck_assert_double_eq_tol(pass.relaxed, 2.0, 1e-4);
    ck_assert_double_eq_tol(stats.relaxed, 2.0, 1e-4);
    ck_assert_double_eq(stats.t_relaxed, 0.9);
    pass.noise = 100.0;
    ha__pass_follow_noise(&pass, y);
    ck_assert_double_eq(pass.relaxed, 10.0);
}
END_TEST

/* --- time scale ------------------------------------------------------------------------------ */

static double rate_set;

static void set_rate(const void *model, double *room, double rate)
{
    (void) model, (void) room;
    rate_set = rate;
}

/* 64 steps of h, rtol = (h / T)^6: drift dies out at 1 / (2 T). */
START_TEST(drift_dies_out_as_fast_as_the_motion)
{
    options.drift_rate = 1.0;
    dae.set_drift_rate = set_rate;
    rate_set = 0.0;
    ha__pass_settle(&pass);
    for (int i = 1; i <= 128; i++) {
        stats.t_reached += 1e-3;
        ha__pass_follow(&pass, 1e-3, false);
        ck_assert(i == 128 || rate_set == 0.0);
    }
    ck_assert_double_eq_tol(rate_set, 0.5 / (1e-3 * pow(1e-8, -1.0 / 6.0)), 1e-6);
    ck_assert_double_eq(stats.drift_rate, rate_set);
    double before = rate_set;
    for (int i = 0; i < 64; i++) { /* no faster than before by half */
        stats.t_reached += 0.8e-3;
        ha__pass_follow(&pass, 0.8e-3, false);
    }
    ck_assert_double_eq(rate_set, before);
}
END_TEST

/* --- condition ------------------------------------------------------------------------------- */

START_TEST(a_condition_below_the_usual_is_near)
{
    ha__pass_note_condition(&pass, 0.1);
    ha__pass_settle_condition(&pass);
    ck_assert_double_eq(pass.usual, 0.1);
    ha__pass_note_condition(&pass, 0.02);
    ha__pass_note_condition(&pass, 0.05);
    ck_assert(!ha__pass_is_near(&pass));
    ha__pass_settle_condition(&pass);
    ck_assert_double_eq(pass.usual, 0.99 * 0.1); /* forgotten slowly */
    ha__pass_note_condition(&pass, 0.9e-3);
    ck_assert(ha__pass_is_near(&pass));
}
END_TEST

/* --- explicit steps -------------------------------------------------------------------------- */

START_TEST(steps_end_elsewhere_than_next_to_a_position)
{
    ha__pass_note_condition(&pass, 0.1);
    ha__pass_settle_condition(&pass);
    ck_assert(ha__pass_leads_on(&pass, 0.1, 1.1e-4));
    ck_assert(!ha__pass_leads_on(&pass, 0.1, 0.9e-4));
    ck_assert(!ha__pass_leads_on(&pass, 1.0e-3, 0.9e-4));
    ck_assert(ha__pass_leads_on(&pass, 0.8e-3, 0.9e-4)); /* it stays where it is */
}
END_TEST

START_TEST(explicit_steps_take_back_what_drift_is_worth_it)
{
    options.projection = HA_PROJECTION_AUTO;
    ck_assert(!ha__pass_projects_now(&pass, 1.0)); /* nothing was hindered by it so far */
    ha__pass_begin_projecting(&pass);
    ck_assert(ha__pass_projects_now(&pass, 3.1e-3));
    ck_assert(ha__pass_projects_now(&pass, (double) INFINITY));
    ck_assert(!ha__pass_projects_now(&pass, 2.9e-3));
    options.projection = HA_PROJECTION_STEPS;
    ck_assert(ha__pass_projects_now(&pass, 0.0));
}
END_TEST

START_TEST(more_error_is_allowed_as_far_as_round_off_makes_it)
{
    ck_assert_double_eq(pass.allowed, 1.0);
    ck_assert(ha__pass_allow_more(&pass));
    ck_assert_double_eq(pass.allowed, 10.0);
    ck_assert(!ha__pass_allow_more(&pass));
    pass.loudest = 0.05; /* 1000 times that */
    ck_assert(ha__pass_allow_more(&pass));
    ck_assert_double_eq_tol(pass.allowed, 50.0, 1e-12);
    pass.loudest = 1e3;
    while (ha__pass_allow_more(&pass)) {
        ck_assert_double_le(pass.allowed, 1e4);
    }
    ck_assert_double_eq(pass.allowed, 1e4);
    ha__pass_note_step(&pass, 0.1); /* behind it, all is as before */
    ck_assert_double_eq(pass.allowed, 1.0);
    ck_assert_double_eq(pass.loudest, 0.0);
}
END_TEST

START_TEST(hops_over_singular_positions_are_told_from_others)
{
    pass.hopper.lowest = 0.01;
    pass.hopper.highest = 1.0;
    ha__pass_count(&pass, 1.0, 2.0);
    ck_assert_int_eq(stats.hops, 1);
    ck_assert_int_eq(stats.singular_passes, 0);
    ck_assert_double_eq(stats.t_hop, 1.0);
    pass.hopper.lowest = 1e-4;
    ha__pass_count(&pass, 3.0, 4.0);
    ha__pass_count(&pass, 5.0, 6.0);
    ck_assert_int_eq(stats.hops, 3);
    ck_assert_int_eq(stats.singular_passes, 2);
    ck_assert_double_eq(stats.t_singular, 3.0);
    ck_assert_double_eq(stats.t_hop, 1.0);
}
END_TEST

/* Stands at a position whose gradient has an angle to the first axis: equilibrated, the condition
   of the constraint hangs on that alone, and is best along an axis. */
static void stand_at(double angle)
{
    const double a = crossing_a, b = crossing_b, u = a * sin(angle) - b * cos(angle);
    const double w = a * cos(angle) + b * sin(angle);

    stand(0.5);
    y[0] = a * u - b * w;
    y[1] = b * u + a * w;
}

static double condition_at(double angle)
{
    stand_at(angle);
    ck_assert_int_eq(ha__projection_look(pass.projector, 0.5, y, yp), HA_OK);
    return ha__projection_condition(pass.projector);
}

/* Notes n steps that end there, and finds the usual condition then. */
static double usual_after(int n, double angle)
{
    stand_at(angle);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(ha__pass_note_position(&pass, 0.5), HA_OK);
    }
    ck_assert_int_eq(ha__usual_find(&pass.usual_position, yp), HA_OK);
    return pass.usual_position.condition;
}

START_TEST(the_usual_condition_is_the_largest_lately)
{
    double good = condition_at(0.05), bad = condition_at(0.25 * M_PI);

    ck_assert_double_gt(good, 1.5 * bad);
    ck_assert_double_eq_tol(usual_after(8, 0.05), good, 1e-12);
    ck_assert_double_eq_tol(usual_after(16, 0.25 * M_PI), good * pow(0.99, 16.0), 1e-12);
    ck_assert_double_eq_tol(usual_after(400, 0.25 * M_PI), bad, 1e-12);
}
END_TEST

START_TEST(the_usual_condition_does_not_hang_on_when_it_is_asked_for)
{
    double good = condition_at(0.05), once = 0.0, often = 0.0;

    (void) usual_after(800, 0.25 * M_PI);
    stand_at(0.05);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(ha__pass_note_position(&pass, 0.5), HA_OK);
    }
    once = usual_after(32, 0.25 * M_PI);
    ck_assert_double_eq_tol(once, good * pow(0.99, 32.0), 1e-12);
    (void) usual_after(800, 0.25 * M_PI);
    (void) usual_after(8, 0.05);
    for (int i = 0; i < 32; i++) {
        often = usual_after(1, 0.25 * M_PI);
    }
    ck_assert_double_eq_tol(often, once, 1e-12);
}
END_TEST

static void expect_exact(double t, const double *found, double error)
{
    double wanted[5];

    crossing_exact(0.0, 2.0, t - 1.0, wanted);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(found[i], wanted[i], error);
    }
}

START_TEST(a_step_is_tried_within_what_is_allowed)
{
    double t1 = 0.0;
    bool is_done = false;

    stand(0.97);
    ck_assert_int_eq(ha__pass_try(&pass, 0.97, &t1, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert_double_gt(t1, 1.0);
    ck_assert_double_eq(stats.hop_error, 1.0);
    expect_exact(t1, y, 1e-6);
}
END_TEST

/* Begins at time t with rows up to there, and goes on in vain to `vain`. */
static void begin_hop(double t, double vain)
{
    stand(t);
    ck_assert_int_eq(ha__record_start(&run.recorder, y, yp), HA_OK);
    ha__pass_settle(&pass);
    stats.t_reached = vain;
    y[0] = y[1] = (double) NAN; /* of steps that led nowhere */
}

START_TEST(a_hop_ends_behind_the_crossing)
{
    bool is_done = false;

    begin_hop(0.95, 0.99);
    ck_assert_int_eq(ha__pass_over(&pass, &is_done), HA_OK);
    ck_assert(is_done);
    ck_assert_double_ge(stats.t_reached, 0.99 + 2.0 * 0.1 - 1e-12);
    ck_assert_double_eq(pass.reach, 4.0); /* of the next one, should it be due soon */
    expect_exact(stats.t_reached, y, 1e-6);
    ck_assert_int_eq(stats.hops, 1);
    size_t n_rows = ha_result_n_rows(result);
    ck_assert_uint_ge(n_rows, 2);
    for (size_t k = 1; k < n_rows; k++) {
        double row[4], t = ha_result_value(result, k, 0);
        for (size_t i = 0; i < 4; i++) {
            row[i] = ha_result_value(result, k, i + 1);
        }
        if (t > 0.95) {
            expect_exact(t, row, 1e-5);
        }
    }
}
END_TEST

/* No explicit step leads on: rows, and what was written after them, are as before. */
START_TEST(a_hop_that_leads_nowhere_is_taken_back)
{
    bool is_done = true;

    begin_hop(0.95, 0.99);
    options.rtol = options.atol = 1e-18;
    size_t n_rows = ha_result_n_rows(result);
    ck_assert_int_eq(ha__pass_over(&pass, &is_done), HA_OK);
    ck_assert(!is_done);
    ck_assert_double_eq_tol(pass.t_vain, 0.99 + 2.0 * 0.1, 1e-12);
    ck_assert_double_eq(stats.t_reached, 0.99);
    ck_assert_uint_eq(ha_result_n_rows(result), n_rows);
    ck_assert_int_eq(stats.hops, 0);
}
END_TEST

/* --- runs ------------------------------------------------------------------------------------ */

/* Four times over the crossing, at tight tolerances and at default ones, by all methods. */
START_TEST(runs_keep_to_the_line)
{
    static const long drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8 };
    static const double tolerances[] = { 1e-6, 1e-8, 1e-10 };
    static const long projections[] = { HA_PROJECTION_AUTO, HA_PROJECTION_STEPS };
    double start[5], rates[5], wanted[5];

    options.driver = drivers[_i % 3];
    options.rtol = options.atol = tolerances[_i / 3 % 3];
    options.projection = projections[_i / 9];
    options.t_end = 7.0;
    crossing_exact(0.0, 2.0, -1.0, start);
    crossing_exact_rates(start, rates);
    ha_result *table = ha_result_new(ctx);
    ha_dae_stats counts;
    ha_status status = ha_dae_run(ctx, &dae, &options, NULL, start, rates, table, NULL, &counts);
    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    crossing_exact(0.0, 2.0, 6.0, wanted);
    size_t last = ha_result_n_rows(table) - 1;
    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(ha_result_value(table, last, i + 1), wanted[i], 2e3 * options.rtol);
    }
    ha_result_free(table);
}
END_TEST

/* So tight that round-off next to the crossing is more than the tolerances: IDA is led over it. */
START_TEST(round_off_is_passed)
{
    double start[5], rates[5], wanted[5];
    ha_dae_stats counts;

    options.driver = HA_DRIVER_IDA;
    options.rtol = options.atol = 1e-12;
    options.projection = _i == 0 ? HA_PROJECTION_AUTO : HA_PROJECTION_STEPS;
    options.t_end = 20.0;
    crossing_exact(0.0, 2.0, -1.0, start);
    crossing_exact_rates(start, rates);
    ha_result *table = ha_result_new(ctx);
    ck_assert_int_eq(ha_dae_run(ctx, &dae, &options, NULL, start, rates, table, NULL, &counts),
                     HA_OK);
    ck_assert_int_gt(counts.projections, 0); /* after hops, in the one case */
    ck_assert_int_eq(counts.restarts, counts.hops);
    crossing_exact(0.0, 2.0, 19.0, wanted);
    size_t last = ha_result_n_rows(table) - 1;
    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(ha_result_value(table, last, i + 1), wanted[i], 1e-7);
    }
    ha_result_free(table);
}
END_TEST

/* The equations end at t = 1.7. */
static void residual_that_ends(const void *model, double *room, double t, const double *u,
                               const double *up, double *r)
{
    crossing_residual(model, room, t, u, up, r);
    r[2] += t > 1.7 ? (double) NAN : 0.0;
}

/* Nothing leads further: what was reached stays, and the message tells where that is. */
START_TEST(what_cannot_be_passed_is_told)
{
    double start[5], rates[5], wanted[5];
    ha_dae_stats counts;

    options.driver = HA_DRIVER_IDA;
    options.t_end = 7.0;
    dae.residual = residual_that_ends;
    crossing_exact(0.0, 2.0, -1.0, start);
    crossing_exact_rates(start, rates);
    ha_result *table = ha_result_new(ctx);
    ck_assert_int_eq(ha_dae_run(ctx, &dae, &options, NULL, start, rates, table, NULL, &counts),
                     HA_ERR_SOLVER);
    ck_assert_double_eq_tol(counts.t_reached, 1.7, 1e-2);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "explicit steps"));
    size_t last = ha_result_n_rows(table) - 1;
    crossing_exact(0.0, 2.0, ha_result_value(table, last, 0) - 1.0, wanted);
    ck_assert_double_eq_tol(ha_result_value(table, last, 1), wanted[0], 1e-5);
    ha_result_free(table);
}
END_TEST

static ha_status use_all(void *user)
{
    (void) user;
    ha_status status = make();
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
    Suite *suite = suite_create("dae_pass");
    TCase *tests = tcase_create("dae_pass");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_typical_step_forgets_slowly);
    tcase_add_test(tests, steps_that_stay_short_are_stuck);
    tcase_add_test(tests, drift_is_looked_at_where_steps_are_short);
    tcase_add_test(tests, nothing_is_projected_where_that_is_not_wanted);
    tcase_add_test(tests, loud_noise_is_stuck);
    tcase_add_test(tests, tolerances_are_relaxed_to_the_noise);
    tcase_add_test(tests, drift_dies_out_as_fast_as_the_motion);
    tcase_add_test(tests, a_condition_below_the_usual_is_near);
    tcase_add_test(tests, steps_end_elsewhere_than_next_to_a_position);
    tcase_add_test(tests, explicit_steps_take_back_what_drift_is_worth_it);
    tcase_add_test(tests, more_error_is_allowed_as_far_as_round_off_makes_it);
    tcase_add_test(tests, hops_over_singular_positions_are_told_from_others);
    tcase_add_test(tests, the_usual_condition_is_the_largest_lately);
    tcase_add_test(tests, the_usual_condition_does_not_hang_on_when_it_is_asked_for);
    tcase_add_test(tests, a_step_is_tried_within_what_is_allowed);
    tcase_add_test(tests, a_hop_ends_behind_the_crossing);
    tcase_add_test(tests, a_hop_that_leads_nowhere_is_taken_back);
    tcase_add_loop_test(tests, runs_keep_to_the_line, 0, 18);
    tcase_add_loop_test(tests, round_off_is_passed, 0, 2);
    tcase_add_test(tests, what_cannot_be_passed_is_told);
    tcase_add_test(tests, out_of_memory_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
