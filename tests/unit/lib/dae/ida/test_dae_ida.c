/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IDA as a method of a run: what it does not interpolate, and where it begins anew. */
#include <config.h>

#include "lib/dae/dae_run.h"

#include "tests/unit/lib/dae/dae_systems.h"

static ha__run its_run;
static ha_dae dae;
static ha_dae_options options;
static double work[1], y_in[MOST], yp_in[MOST];

/* y' = -y from 1, opened and one step on. */
static void decay_residual(const void *model, double *scratch, double t, const double *u,
                           const double *up, double *r)
{
    (void) model, (void) scratch, (void) t;
    r[0] = up[0] + u[0];
}

static void decay_jacobian(const void *model, double *scratch, double t, double cj, const double *u,
                           const double *up, double *v)
{
    (void) model, (void) scratch, (void) t, (void) u, (void) up;
    v[0] = cj + 1.0;
}

static void make_run(void)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "y", .kind = HA_DIFFERENTIAL, .scale = 1.0 }
    };
    static const char *const equations[] = { "rate of y" };

    set_up();
    dae = full_system(1, unknowns, equations);
    dae.residual = decay_residual;
    dae.jacobian = decay_jacobian;
    options = options_to(10.0);
    stats = (ha_dae_stats){ 0 };
    y[0] = 1.0;
    yp[0] = -1.0;
    its_run = (ha__run){ .ctx = ctx,
                         .dae = &dae,
                         .options = &options,
                         .stats = &stats,
                         .work = work,
                         .y = y,
                         .yp = yp,
                         .y_in = y_in,
                         .yp_in = yp_in,
                         .share = 1.0,
                         .next_clock = 10.0,
                         .next_stop = 10.0 };
}

START_TEST(what_is_not_in_the_step_is_no_number_and_a_failure)
{
    const ha__method *ida = &ha__method_ida;
    double t0 = 0.0, t1 = 0.0;

    expect_ok(ida->open(&its_run));
    for (int k = 0; k < 4; k++) {
        expect_ok(ida->step(&its_run, &t0, &t1));
        stats.t_reached = t1;
    }
    ida->dense(&its_run, 0.5 * (t0 + t1), y_in, yp_in);
    EXPECT_NEAR(y_in[0], exp(-0.5 * (t0 + t1)), 1e-5);
    EXPECT_NEAR(yp_in[0], -exp(-0.5 * (t0 + t1)), 1e-2);
    expect_ok(ida->watch(&its_run, t1 - t0));
    ida->dense(&its_run, -1.0, y_in, yp_in); /* IDA checks the begin of its step only */
    ck_assert(isnan(y_in[0]) && isnan(yp_in[0]));
    EXPECT_FAILURE(ida->watch(&its_run, t1 - t0), HA_ERR_INTERNAL, "did not interpolate");
    ida->close(&its_run);
}
END_TEST

static int n_restarts;

static ha_status count_restart(ha__run *run_of_it)
{
    (void) run_of_it;
    n_restarts++;
    return HA_OK;
}

static ha_status land_nowhere(ha__run *run_of_it, double t)
{
    (void) run_of_it, (void) t;
    return HA_OK;
}

/* y - 0.5, which is held to be positive. */
static void half(const void *model, double *scratch, double t, const double *u, const double *up,
                 double *g)
{
    (void) model, (void) scratch, (void) t, (void) up;
    g[0] = u[0] - 0.5;
}

static void any_side(const void *model, double *scratch, const signed char *side)
{
    (void) model, (void) scratch, (void) side;
}

/* A step that was cut short for an event, which by round-off is not there: a method that is at the
   end of its own step has to begin anew, one that took the step again has not. */
START_TEST(a_step_cut_short_is_begun_anew_without_an_event_too)
{
    static const char *const switches[] = { "y - 0.5" };
    static const signed char no_clock[] = { 0 };
    ha__method method = { .restart = count_restart };
    bool is_event = true;

    dae.n_switches = 1;
    dae.switches = switches;
    dae.is_clock = no_clock;
    dae.switching = half;
    dae.set_sides = any_side;
    its_run.method = &method;
    expect_ok(ha__sides_init(&its_run.sides, ctx, &dae, work));
    its_run.sides.side[0] = 1;
    for (int k = 0; k < 4; k++) {
        bool is_cut = k % 2 != 0, takes_again = k / 2 != 0;
        n_restarts = 0;
        stats.restarts = 0;
        method.land = takes_again ? land_nowhere : NULL;
        expect_ok(ha__run_handle_event(&its_run, is_cut, &is_event));
        ck_assert(!is_event);
        ck_assert_int_eq(n_restarts, is_cut && !takes_again ? 1 : 0);
        ck_assert_int_eq(stats.restarts, n_restarts);
    }
    ha__sides_clear(&its_run.sides);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_not_in_the_step_is_no_number_and_a_failure,
        a_step_cut_short_is_begun_anew_without_an_event_too,
    };
    Suite *suite = suite_create("dae_ida");

    add_tests(suite, "ida", make_run, tests, HA_COUNT(tests));
    return test_run(suite);
}
