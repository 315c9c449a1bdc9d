/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equations that jump or bend, against closed forms put together piece by piece: the places where
 * they do are met, so that the tolerance of the smooth pieces holds for the whole.
 */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bg_run_report report;
static ha_driver driver;

static void begin(void)
{
    driver = HA_DRIVER_IDA;
    set_up();
}

static ha_status simulate(const char *text, double t_end, double tolerance)
{
    bg_run_options options = bg_run_options_default();

    read_text(text);
    options.solver.t_end = t_end;
    options.solver.driver = (int) driver;
    options.solver.rtol = options.solver.atol = tolerance;
    return bg_simulate(graph, &options, result, &report);
}

START_TEST(source_is_switched_on_at_its_time)
{
    ck_assert_int_eq(simulate("MSe{if(t > 0.3, 1, 0)}>1>R;1>C", 3.0, 1e-10), HA_OK);
    ck_assert_int_eq(report.solver.events, 1);
    ck_assert_double_eq_tol(last("C.e"), 1.0 - exp(-2.7), 1e-9);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-9);
    /* nothing moves before, and the row at the event's own side of it */
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double t = ha_result_value(result, i, 0);
        double e = ha_result_value(result, i, (size_t) ha_result_find(result, "C.e"));
        ck_assert_double_eq_tol(e, t < 0.3 ? 0.0 : 1.0 - exp(0.3 - t), 1e-9);
    }
}
END_TEST

/* A condition that stays at its limit for a while is not met then: a source of 2 until 1 s, and of
   1 from then on, by what is 0 before, and by what is 0 after. */
static const char *const limits[] = {
    "if(max(0, t - 1) > 0, 1, 2)",     "if(floor(t) > 0, 1, 2)",
    "if((t > 1) > 0, 1, 2)",           "if(0 >= floor(t), 2, 1)",
    "if(max(1 - t, 0) > 0, 2, 1)",     "if(floor(2 - t)*(t < 1) > 0, 2, 1)",
    "if((t < 1)*(C.e + 1) > 0, 2, 1)", "2 - sign(max(0, t - 1))",
};

START_TEST(a_condition_may_stay_at_its_limit)
{
    char text[128];

    (void) snprintf(text, sizeof text, "MSe{%s}>1>R;1>C", limits[_i]);
    ck_assert_int_eq(simulate(text, 2.0, 1e-10), HA_OK);
    ck_assert_double_eq_tol(last("C.e"), 1.0 + (1.0 - 2.0 * exp(-1.0)) * exp(-1.0), 1e-8);
}
END_TEST

START_TEST(rectified_sine_charges_as_its_pieces_do)
{
    /* q' + q = |sin t|: on each half wave q = C exp(-t) + s (sin t - cos t) / 2 */
    double q = 0.0, t = 0.0;

    for (int k = 0; k < 4; k++) {
        double end = k < 3 ? (k + 1) * pi : 10.5, s = k % 2 == 0 ? 1.0 : -1.0;
        double c = q - s * (sin(t) - cos(t)) / 2.0;
        q = c * exp(t - end) + s * (sin(end) - cos(end)) / 2.0;
        t = end;
    }
    ck_assert_int_eq(simulate("MSe{abs(sin(t))}>1>R;1>C", 10.5, 1e-10), HA_OK);
    ck_assert_double_eq_tol(last("C.q"), q, 1e-8);
    ck_assert_int_ge(report.solver.events, 3);
    ck_assert_int_le(report.solver.events, 4); /* the sine starts at its zero */
}
END_TEST

START_TEST(square_wave_drives_a_coil)
{
    /* i' + i = +-1 with period 1 */
    double i = 0.0;

    for (int k = 0; k < 15; k++) {
        double s = k % 2 == 0 ? 1.0 : -1.0;
        i = s + (i - s) * exp(-0.5);
    }
    ck_assert_int_eq(simulate("MSe{if(sin(2*pi*t + 1e-9) > 0, 1, -1)}>1>R;1>I", 7.5, 1e-10), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), i, 1e-8);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-8);
}
END_TEST

START_TEST(ball_bounces_on_a_spring_again_and_again)
{
    /* free flight from h, then half a swing on the spring: contact from v0 to -v0 lasts
       2 (pi - atan(v0 w / g)) / w; after n periods the ball is at h again */
    const double g = 9.81, h = 0.5, k = 4000.0, w = sqrt(k), v0 = sqrt(2.0 * g * h);
    const double period = 2.0 * v0 / g + 2.0 * (pi - atan(v0 * w / g)) / w;
    const double t_end = 3.0 * period + 0.1;
    char text[256];

    snprintf(text, sizeof text,
             "Se{-9.81}>1m;MSe{if(Df.q < 0, -4000*Df.q, 0)}>1m;1m>I;1m>Df{q=0.5}");
    ck_assert_int_eq(simulate(text, t_end, 1e-12), HA_OK);
    ck_assert_int_eq(report.solver.events, 6);
    ck_assert_double_eq_tol(last("Df.q"), h - g * 0.01 / 2.0, 1e-7);
    ck_assert_double_eq_tol(last("I.f"), -g * 0.1, 1e-7);
}
END_TEST

START_TEST(condition_on_a_multiplier_or_rate_is_met)
{
    /* a mass on a moving base, m x'' = F with x'' = -sin t: the force decides on an extra load that
       hangs beside it; it changes its sign at pi */
    ck_assert_int_eq(
        simulate("MSf{cos(t)}>1m;1m>I;MSe{if(I.e < 0, 1, 3)}>1n;1n>I2;1n>R2", 4.0, 1e-10), HA_OK);
    /* v' + v = 1 to pi, 3 from then on */
    double v = (1.0 - exp(-pi) - 3.0) * exp(pi - 4.0) + 3.0;
    ck_assert_double_eq_tol(last("I2.f"), v, 1e-8);
}
END_TEST

/* Sources of short pulses that no step of the solver would end at. */
static const struct {
    const char *text;
    double t_end, wanted; /* I.f at the end */
    int events;
} pulses[] = {
    /* i' = 1 while sin(1000 t) > 0: half the time; t_end is 0.0493 into a half wave behind 3183 */
    { "Se{if(sin(1000*t)>0,1,0)}>1>I{1}", 10.0, 0.0, 3183 },
    /* a share acos(0.9)/pi of each period */
    { "Se{if(sin(2*pi*50*t)>0.9,1,0)}>1>I{1}", 10.0, 0.0, 1000 },
    /* three tenths of each millisecond */
    { "Se{if(t-floor(t/0.001)*0.001<0.0003,1,0)}>1>I{1}", 1.0, 0.3, 1999 },
    { "Se{if((t-2)*(t-2.01)<0,10,0)}>1>I{1}", 5.0, 0.1, 2 },
    { "Se{if((t>2)*(t<2.000001),1e6,0)}>1>I{1}", 1000.0, 1.0, 2 },
    { "Se{floor(4*t)}>1>I{1}", 1.0, 1.5, 3 },
    { "Se{if(floor(t) == 2, 1, 0)}>1>I{1}", 5.0, 1.0, 4 },
    { "Se{if(floor(t) != 2, 1, 0)}>1>I{1}", 5.0, 4.0, 4 },
};

static double wanted_of(int i)
{
    if (i == 0) {
        double half = pi / 1000.0, rest = 10.0 - 3182.0 * half; /* the last wave is positive */
        return 1591.0 * half + fmin(rest, half);
    }
    return i == 1 ? 10.0 * acos(0.9) / pi : pulses[i].wanted;
}

START_TEST(pulses_are_not_missed)
{
    ck_assert_int_eq(simulate(pulses[_i].text, pulses[_i].t_end, 1e-8), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), wanted_of(_i), 1e-9);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-9);
    ck_assert_int_eq(report.solver.events, pulses[_i].events);
}
END_TEST

/* The same by every method: steps end at pulses, at the steps of a staircase and at the points of a
   table. */
static const struct {
    const char *text;
    double t_end, wanted, within; /* I.f at the end */
} known_times[] = {
    { "Se{if((t > 1/3)*(t < 1/3 + 1e-7),1e7,0)}>1>I{1}", 3.0, 1.0, 1e-9 },
    { "Se{floor(4*t)}>1>I{1}", 1.0, 1.5, 1e-9 },
    { "Se{max(0, 1 - abs(t - 2)/1e-6)*1e6}>1>I{1}", 5.0, 1.0, 1e-7 }, /* of a tent */
    /* 2 + log(2000) + log(1000): a pole that is cut off, on whose both sides `abs` is another */
    { "Se{min(1/abs(t - 2), 1000)}>1>I{1}", 3.0, 16.508657738524219, 3e-5 },
};

START_TEST(known_times_are_met_by_every_method)
{
    int n = (int) HA_COUNT(known_times), i = _i % n;

    driver = (ha_driver) (_i / n);
    ck_assert_int_eq(simulate(known_times[i].text, known_times[i].t_end, 1e-8), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), known_times[i].wanted, known_times[i].within);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, known_times[i].within);
}
END_TEST

/* Smooth functions of the time that no step would end in: one pulse, a train of them, one beside
   something large, a doublet that takes back half of what it gave, one that multiplies a motion,
   and such inside of what bends, products and roots, which grow by more meanwhile. */
static const struct {
    const char *text;
    double t_end, wanted, rtol; /* I.f at the end */
} narrow[] = {
    { "Se{1e5*exp(-((t-1.2345)/1e-5)^2)}>1>I{2}", 300.0, 0.88622692545275801, 1e-6 },
    { "Se{1e5*exp(-(sin(pi*t)/1e-5)^2/pi^2)}>1>I{1}", 3.5, 3.5 * 1.7724538509055159, 1e-6 },
    { "Se{1e5*exp(-((t-1.2345)/1e-5)^2) + 1e6}>1;Se2{-1e6}>1;1>I{1}", 3.0, 1.7724538509055159,
      1e-6 },
    { "Se{if(t < 2, 1, -1/2)*1e5*exp(-((t-2)/1e-5)^2)}>1>I{1}", 9.0, 0.88622692545275801 / 2.0,
      1e-6 },
    { "Sf{1}>1m;1m>Df{q=0};MSe{Df.q*1e5*exp(-((t-2)/1e-5)^2)}>1n;1n>I", 9.0,
      2.0 * 1.7724538509055159, 1e-6 },
    { "Se{t*abs(4*t - 2*exp(-((t-1.7)/1e-3)^2)) - 4*t^2}>1>I{1}", 2.0, -3.4e-3 * 1.7724538509055159,
      1e-8 },
    { "Se{max(4*t, 8*t - 2*exp(-((t-1.7)/1e-3)^2)) - 8*t}>1>I{1}", 2.0, -2e-3 * 1.7724538509055159,
      1e-8 },
    { "Se{(5*t + 2*exp(-((t-1.7)/1e-3)^2))^2 - 25*t^2}>1>I{1}", 2.0,
      (34.0 + 4.0 / 1.4142135623730951) * 1e-3 * 1.7724538509055159, 1e-8 },
    /* sums of steps, which are narrow where none of them is: in one source, in two, beside a force
       of the motion, and within a product with one */
    { "Se{5*(tanh((t-20)/1e-2) - tanh((t-21)/1e-2))}>1>I{1}", 50.0, 10.0, 1e-6 },
    { "Se{5*tanh((t-20)/1e-2)}>1;Se2{-5*tanh((t-21)/1e-2)}>1;1>I{1}", 50.0, 10.0, 1e-6 },
    { "Se{-5*tanh((t-21)/1e-2)}>1;Se2{5*tanh((t-20)/1e-2)}>1;1>R{1e-12};1>I{1}", 50.0, 10.0, 1e-6 },
    /* beside a vibration, which gives 1000 (1 - cos 50) */
    { "Se{100*tanh((t-38.374)/3e-6) - 100*tanh((t-38.377)/3e-6) + 1000*sin(t)}>1>I{1}", 50.0,
      0.6 + 1000.0 * (1.0 - 0.96496602849211327), 1e-9 },
    { "MSe{(1 + 0*I.f)*(5*tanh((t-20)/1e-2) + 1 - (1 + 5*tanh((t-21)/1e-2)))}>1;1>I{1}", 50.0, 10.0,
      1e-6 },
    /* a part of a larger sum that hides it, and elsewhere a factor of the motion */
    { "Se{tanh((t-20)/1e-2) - tanh((t-21)/1e-2) + 1e9*exp(t/100)}>1a;1a>Ia{1};"
      "MSe{(1 + 1e-9*I.f)*(tanh((t-20)/1e-2) - tanh((t-21)/1e-2))}>1;1>I{1}",
      50.0, 2.0, 1e-9 },
};

START_TEST(narrow_functions_of_the_time_are_seen_by_every_method)
{
    int n = (int) HA_COUNT(narrow), i = _i % n;

    driver = (ha_driver) (_i / n);
    ck_assert_int_eq(simulate(narrow[i].text, narrow[i].t_end, narrow[i].rtol), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), narrow[i].wanted, 3e-4 * fabs(narrow[i].wanted));
}
END_TEST

/* Pulses that are too small to matter, 95,000 of them, are not met one by one. */
START_TEST(a_ripple_that_does_no_harm_costs_little)
{
    driver = (ha_driver) _i;
    ck_assert_int_eq(simulate("Se{1 + 1e-9*exp(-(sin(1e5*t)/1e-3)^2)}>1>I{1}", 3.0, 1e-6), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), 3.0, 1e-6);
    ck_assert_int_le(report.solver.steps, 100);
}
END_TEST

/* 3 < t < 3 + 2e-5 where the condition only touches its limit otherwise: nothing is lost when many
   ranges must be looked at. */
START_TEST(a_condition_that_nearly_touches_its_limit_is_seen)
{
    ck_assert_int_eq(simulate("Se{if((t-3)^2 < 1e-10, 1e5, 0)}>1a>I;1a>R{1e-9}", 10.0, 1e-8),
                     HA_OK);
    ck_assert_double_eq_tol(last("I.f"), 2.0 * exp(-7e-9), 1e-7);
}
END_TEST

START_TEST(a_condition_that_stays_at_its_limit_is_named)
{
    ck_assert_int_eq(simulate("Se{if(sin(t)^2+cos(t)^2-1 > 0, 1, 0)}>1a>I;1a>R", 10.0, 1e-8),
                     HA_ERR_SOLVER);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, "sin(t)*sin(t) + cos(t)*cos(t) - 1") != NULL, "%s", text);
}
END_TEST

/* Many clocks cost no more than their number. */
START_TEST(hundreds_of_clocks_are_followed)
{
    static char text[64 * 400];
    int n = 0;

    for (int i = 0; i < 400; i++) {
        n += snprintf(text + n, sizeof text - (size_t) n, "Se%d{if(t<%d.5,0,1)}>1a;", i, i);
    }
    snprintf(text + n, sizeof text - (size_t) n, "1a>I");
    ck_assert_int_eq(simulate(text, 400.0, 1e-8), HA_OK);
    ck_assert_int_eq(report.solver.events, 400);
    /* the sum of 400 - (i + 1/2) */
    ck_assert_double_eq_tol(last("I.f"), 80000.0, 1e-6);
}
END_TEST

START_TEST(a_condition_that_is_undone_inside_a_step_is_seen)
{
    /* x' = 1, so that x = t; a bump of 0.02 s in a run whose steps would be seconds long: the force
       depends on the displacement, not on the time */
    ck_assert_int_eq(simulate("Sf{1}>1m;1m>Df{q=0};MSe{if((Df.q-2)*(Df.q-2.5)<0,1,0)}>1n;"
                              "1n>I",
                              5.0, 1e-8),
                     HA_OK);
    ck_assert_double_eq_tol(last("I.f"), 0.5, 1e-8);
    ck_assert_int_eq(report.solver.events, 2);
}
END_TEST

static const struct {
    const char *text, *part;
} jumps[] = {
    { "Sf{if(t>0.5,1,0)}>1>I{1}", "stored energy jumps by 0.5 at t = 0.5 s, where `t - 0.5`" },
    { "Se{if(t>0.5,1,0)}>0>C{1};0>R", "stored energy jumps" },
    { "Sf{if(t>0.5,1,0)}>1>I{1};1>I2;1>R;Se>1b>I3;1b>R2", "stored energy jumps by 1 " },
};

START_TEST(what_cannot_jump_is_named)
{
    ck_assert_int_eq(simulate(jumps[_i].text, 1.0, 1e-8), HA_ERR_SOLVER);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, jumps[_i].part) != NULL, "%s", text);
    ck_assert_double_eq_tol(report.solver.t_reached, 0.5, 1e-9);
}
END_TEST

/* A flow that nothing can follow, beside friction that holds: that rows near what is held may be
   off by its tolerance does not make a start of it. */
START_TEST(a_start_without_solution_is_refused_beside_what_holds)
{
    ck_assert_int_eq(simulate("MSe{t}>1>I{2};1>Dry{3};Se{-1}>1b>R{R.f}", 1.0, 1e-8), HA_ERR_SOLVER);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, "no consistent start is found") != NULL, "%s", text);
}
END_TEST

START_TEST(what_bends_may_drive_a_dependent_storage)
{
    /* f = min(t, 0.5): the effort jumps, the content does not */
    ck_assert_int_eq(simulate("Sf{min(t, 0.5)}>1>I{2};1>R", 1.0, 1e-9), HA_OK);
    ck_assert_int_eq(report.solver.events, 1);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-9);
    /* R: t^2 to 0.5, then 1/4 */
    ck_assert_double_eq_tol(last("energy.dissipated"), 0.125 / 3.0 + 0.125, 1e-9);
}
END_TEST

START_TEST(switches_of_powers_alone_are_events)
{
    /* the loss in R_s follows no state */
    ck_assert_int_eq(simulate("Se{1}>0;0>R_s{if(t<0.5,1,1e6)};0>1>I;1>R", 1.0, 1e-9), HA_OK);
    ck_assert_int_eq(report.solver.events, 1);
    ck_assert_double_eq_tol(last("energy.supplied"), 0.5 + 0.5e-6 + exp(-1.0), 1e-8);
}
END_TEST

START_TEST(an_equation_that_fails_behind_an_event_is_told_from_the_start)
{
    ck_assert_int_eq(simulate("Se{if(t>0.5,1/(t-t^2/t),0)}>1>I{1}", 1.0, 1e-8), HA_ERR_SOLVER);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, "at an event, t = 0.5 s") != NULL, "%s", text);
}
END_TEST

/* Frictions that stop one after the other, one more than can be held at once. */
START_TEST(what_switches_for_ever_is_named)
{
    enum { HELD = 16 };
    char model[64 * (HELD + 1)] = "";
    size_t length = 0;

    for (int i = 1; i <= HELD + 1; i++) {
        length += (size_t) snprintf(model + length, sizeof model - length,
                                    "1m%d>I%d{1, p=%d};1m%d>R%d{e=sign(f)};", i, i, i, i, i);
    }
    ck_assert_int_eq(simulate(model, 20.0, 1e-6), HA_ERR_SOLVER);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, "`I17.f` > 0 changes again and again") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "the equation `balance of I17`") != NULL, "%s", text);
    ck_assert_int_eq(report.solver.slides, HELD);
    ck_assert_double_eq_tol(report.solver.t_reached, HELD + 1, 1e-3);
    ck_assert_uint_gt(ha_result_n_rows(result), 300);
}
END_TEST

START_TEST(friction_holds_at_rest)
{
    ck_assert_int_eq(simulate("1m>I{1, p=1};MSe{-0.5*sign(I.f)}>1m", 3.0, 1e-8), HA_OK);
    ck_assert_int_eq(report.solver.events, 1);
    ck_assert_int_eq(report.solver.slides, 1);
    ck_assert_double_eq_tol(report.solver.t_slide, 2.0, 1e-6);
    ck_assert_double_eq_tol(last("I.f"), 0.0, 1e-9);
    ck_assert_double_eq_tol(last("MSe.e"), 0.0, 1e-9);
}
END_TEST

START_TEST(switch_closes_a_circuit)
{
    ck_assert_int_eq(simulate("Se>1>R;1>I;1>Sw{t>0.5}", 2.0, 1e-10), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), 1.0 - exp(-1.5), 1e-9);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-9);
}
END_TEST

START_TEST(current_that_is_cut_dies_out_in_an_arc)
{
    /* alpha is 20/t_end or the like: read from the report */
    ck_assert_int_eq(simulate("Se>1>R;1>I;1>Sw{t<0.5}", 0.6, 1e-10), HA_OK);
    double i = (1.0 - exp(-0.5)) * exp(-2.0 * report.alpha * 0.1);
    ck_assert_double_eq_tol(last("I.f"), i, 1e-8);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-8);
}
END_TEST

START_TEST(switch_that_lies_across_a_capacitor_shorts_it)
{
    ck_assert_int_eq(simulate("Se>1>R;1>0;0>C;0>Sw{t>0.5}", 0.6, 1e-10), HA_OK);
    double q = (1.0 - exp(-0.5)) * exp(-2.0 * report.alpha * 0.1);
    ck_assert_double_eq_tol(last("C.q"), q, 1e-8);
    ck_assert_double_eq_tol(last("Sw.e"), q, 1e-8);
}
END_TEST

/* C v' = i - v / R2 behind a diode and R: the rate while it conducts or not. */
static double rectified(double t, double v, bool conducts)
{
    return (conducts ? (sin(2.0 * pi * t) - v) / 0.5 : 0.0) - v / 10.0;
}

/* One step of Runge-Kutta. */
static double rectifier_step(double t, double h, double v, bool conducts)
{
    double k1 = rectified(t, v, conducts), k2 = rectified(t + h / 2, v + h / 2 * k1, conducts);
    double k3 = rectified(t + h / 2, v + h / 2 * k2, conducts);
    double k4 = rectified(t + h, v + h * k3, conducts);

    return v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

/* Integrates up to t_end; a step in which the diode changes over is cut there by bisection. */
static double rectifier(double t_end)
{
    double t = 0.0, v = 0.0;
    bool conducts = true;

    while (t < t_end) {
        double h = fmin(1e-3, t_end - t), next = rectifier_step(t, h, v, conducts);
        bool is_over = (sin(2.0 * pi * (t + h)) > next) != conducts;
        double low = 0.0, high = h;
        for (int k = 0; k < 60 && is_over; k++) {
            double middle = 0.5 * (low + high);
            next = rectifier_step(t, middle, v, conducts);
            *((sin(2.0 * pi * (t + middle)) > next) != conducts ? &high : &low) = middle;
        }
        h = is_over ? high : h;
        v = rectifier_step(t, h, v, conducts);
        t += h;
        conducts = is_over ? !conducts : conducts;
    }
    return v;
}

static const struct {
    const char *compared;
    double slope;
} at_start[] = { { "I.f > 0", -1.0 }, { "I.f >= 0", 1.0 }, { "0 < I.f", -1.0 }, { "C.q > 0", -1.0 },
                 { "C.q >= 0", 1.0 }, { "C.q < 0", -1.0 }, { "C.q <= 0", 1.0 } };

/* The law goes on from 0 as the comparison says of 0, whichever way it is written, and the outputs
   say what the motion does. */
START_TEST(a_comparison_at_its_limit_is_what_it_says)
{
    char text[128];

    snprintf(text, sizeof text, "MSe{if(%s, 1, -1)}>1;1>I;Sf{0}>0;0>C", at_start[_i].compared);
    ck_assert_int_eq(simulate(text, 1.0, 1e-9), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), at_start[_i].slope, 1e-8);
    ck_assert_double_eq(last("MSe.e"), at_start[_i].slope);
}
END_TEST

START_TEST(switch_on_its_own_effort_and_flow_is_a_diode)
{
    ck_assert_int_eq(
        simulate("MSe{sin(2*pi*t)}>1>Sw{Sw.e+Sw.f>0};1>R{0.5};1>0;0>C;0>R2{10}", 3.3, 1e-10),
        HA_OK);
    ck_assert_double_eq_tol(last("C.e"), rectifier(3.3), 1e-7);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-7);
    ck_assert_int_eq(report.solver.events, 7); /* on as soon as it is above 0, off and on thrice */
}
END_TEST

/* A mass of 1 kg at 1 m/s that is pushed with 100 N between 0.5 m and 0.501 m, which no step would
   end at: v^2 = 1 + 0.2. */
START_TEST(a_window_of_the_motion_is_met_by_every_method)
{
    static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT, HA_DRIVER_EXPLICIT8,
                                         HA_DRIVER_AUTO };

    driver = drivers[_i];
    ck_assert_int_eq(
        simulate("1>I{1,p=1};1>Df;MSe{if((Df.q-0.5)*(Df.q-0.501)<0,100,0)}>1", 3.0, 1e-8), HA_OK);
    ck_assert_int_eq(report.solver.events, 2);
    ck_assert_double_eq_tol(last("I.f"), sqrt(1.2), 1e-6);
}
END_TEST

/* q'' + q = 0 for 32 periods, with a force that would begin far outside: IDA's errors add up. */
START_TEST(a_long_vibration_that_may_switch_is_right_by_default)
{
    double error[2];

    for (int k = 0; k < 2; k++) {
        driver = k == 0 ? HA_DRIVER_IDA : HA_DRIVER_AUTO;
        ck_assert_int_eq(simulate("1>I{1,p=1};1>C{1};MSe{if(C.q>10,1,0)}>1", 200.0, 1e-6), HA_OK);
        ck_assert_int_eq(report.solver.driver, HA_DRIVER_IDA);
        error[k] = hypot(last("C.q") - sin(200.0), last("I.f") - cos(200.0));
        tear_down();
        set_up();
    }
    ck_assert_double_lt(error[1], 0.5 * error[0]);
}
END_TEST

/* Dry friction: 2 v' = t - 3 once the force t exceeds the limit of 3; 0.5 for 2 s, then -1.5 until
   it stands at 8/3 s, after a way of 4/3, and is held by the force that is left; no limit; one that
   is taken away after 1 s. Breaking loose is one event, and so is coming to rest. */
static const struct {
    const char *text;
    double t_end, v, force, heat;
    int most_events;
} blocks[] = {
    { "MSe{t}>1>I{2};1>Dry{3}", 5.0, 1.0, 3.0, 2.0, 1 },
    { "MSe{if(t<2,1.5,-0.5)}>1>I{1};1>Dry{1}", 4.0, 0.0, -0.5, 4.0 / 3.0, 2 },
    { "MSe{t}>1>I{2};1>Dry{0}", 2.0, 1.0, 0.0, 0.0, 0 },
    { "MSe{2}>1>I{1};1>Dry{if(t<1,5,-1)}", 2.0, 2.0, 0.0, 0.0, 1 },
};

START_TEST(dry_friction_holds_up_to_its_limit_and_slides_beyond)
{
    ck_assert_int_eq(simulate(blocks[_i].text, blocks[_i].t_end, 1e-10), HA_OK);
    ck_assert_double_eq_tol(last("I.f"), blocks[_i].v, 1e-7);
    ck_assert_double_eq_tol(last("Dry.e"), blocks[_i].force, 1e-5);
    ck_assert_double_eq_tol(last("energy.dissipated"), blocks[_i].heat, 1e-8);
    ck_assert_double_eq_tol(last("energy.error"), 0.0, 1e-7);
    ck_assert_int_le(report.solver.events, blocks[_i].most_events);
}
END_TEST

/* A mass of 1 kg that dry friction holds, and every 10 s a pulse of 1 ms, F = 1000 exp(-(t/w)^2) N
   with w = 1 ms, whose crest alone may be above the limit L. It breaks away at -t1, F(t1) = L, and
   has the speed

       v = 500 sqrt(pi) w (erf(t/w) + erf(t1/w)) - L (t + t1)

   until it stands again; six times the way, the integral of v, is what is wanted. */
static const struct {
    const char *text;
    double wanted;
} thrusts[] = {
#define PULSES "MSe{1000*exp(-(sin(pi*(t - 5)/10)/(pi*1e-4))^2)}>1;1>I{1};1>Df;1>"
    { PULSES "Dry{3}", 3.1139087084521098 },
    { PULSES "Dry{600}", 0.002988004720669933 },
    { PULSES "Dry{800}", 0.0006189565910528665 },
    { PULSES "R{e=3*sign(f)}", 3.1139087084521098 },
    { PULSES "R{e=600*sign(f)}", 0.002988004720669933 },
    { PULSES "R{e=800*sign(f)}", 0.0006189565910528665 },
#undef PULSES
};

START_TEST(what_is_held_feels_every_pulse)
{
    int n = (int) HA_COUNT(thrusts), i = _i % n;
    bg_run_options options = bg_run_options_default();

    read_text(thrusts[i].text);
    options.solver.t_end = 60.0;
    options.solver.driver = _i / n;
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
    ck_assert_double_eq_tol(last("Df.q"), thrusts[i].wanted, 1e-3 * thrusts[i].wanted);
}
END_TEST

START_TEST(smooth_models_have_no_events)
{
    ck_assert_int_eq(simulate("Se>1>R;1>I;1>C", 3.0, 1e-8), HA_OK);
    ck_assert_int_eq(report.solver.events, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");

    tcase_add_checked_fixture(tests, begin, tear_down);
    tcase_add_test(tests, source_is_switched_on_at_its_time);
    tcase_add_loop_test(tests, a_condition_may_stay_at_its_limit, 0, (int) HA_COUNT(limits));
    tcase_add_test(tests, rectified_sine_charges_as_its_pieces_do);
    tcase_add_test(tests, square_wave_drives_a_coil);
    tcase_add_test(tests, ball_bounces_on_a_spring_again_and_again);
    tcase_add_test(tests, condition_on_a_multiplier_or_rate_is_met);
    tcase_add_loop_test(tests, pulses_are_not_missed, 0, (int) HA_COUNT(pulses));
    tcase_add_loop_test(tests, known_times_are_met_by_every_method, 0,
                        4 * (int) HA_COUNT(known_times));
    tcase_add_loop_test(tests, narrow_functions_of_the_time_are_seen_by_every_method, 0,
                        4 * (int) HA_COUNT(narrow));
    tcase_add_loop_test(tests, a_ripple_that_does_no_harm_costs_little, 0, 4);
    tcase_add_test(tests, a_condition_that_nearly_touches_its_limit_is_seen);
    tcase_add_test(tests, a_condition_that_stays_at_its_limit_is_named);
    tcase_add_test(tests, hundreds_of_clocks_are_followed);
    tcase_add_test(tests, a_condition_that_is_undone_inside_a_step_is_seen);
    tcase_add_loop_test(tests, what_cannot_jump_is_named, 0, (int) HA_COUNT(jumps));
    tcase_add_test(tests, a_start_without_solution_is_refused_beside_what_holds);
    tcase_add_test(tests, what_bends_may_drive_a_dependent_storage);
    tcase_add_test(tests, switches_of_powers_alone_are_events);
    tcase_add_test(tests, an_equation_that_fails_behind_an_event_is_told_from_the_start);
    tcase_add_test(tests, what_switches_for_ever_is_named);
    tcase_add_test(tests, friction_holds_at_rest);
    tcase_add_test(tests, switch_closes_a_circuit);
    tcase_add_test(tests, current_that_is_cut_dies_out_in_an_arc);
    tcase_add_test(tests, switch_that_lies_across_a_capacitor_shorts_it);
    tcase_add_loop_test(tests, a_comparison_at_its_limit_is_what_it_says, 0,
                        (int) HA_COUNT(at_start));
    tcase_add_test(tests, switch_on_its_own_effort_and_flow_is_a_diode);
    tcase_add_loop_test(tests, dry_friction_holds_up_to_its_limit_and_slides_beyond, 0,
                        (int) HA_COUNT(blocks));
    tcase_add_loop_test(tests, what_is_held_feels_every_pulse, 0, 4 * (int) HA_COUNT(thrusts));
    tcase_add_loop_test(tests, a_window_of_the_motion_is_met_by_every_method, 0, 4);
    tcase_add_test(tests, a_long_vibration_that_may_switch_is_right_by_default);
    tcase_add_test(tests, smooth_models_have_no_events);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
