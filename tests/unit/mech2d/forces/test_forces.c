/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Springs and dampers by expressions, end stops, the coupling of one-dimensional elements to the
 * plane, and loads from signals. The truth comes from closed forms and from a Runge-Kutta
 * integration of the reduced equation by small steps.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\ngravity: [0, 0]\n"
#define RUN(T_END) "simulate: {t_end: " T_END ", rtol: 1e-11, atol: 1e-11}\n"

/* A mass of 2 kg on a slide along x from the ground's origin, from x at speed v. */
#define SLIDER(X, V)                                                                               \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {m: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: " X                    \
    ", vx: " V ", fixed: [x, vx]}}}\n"                                                             \
    "joints: {S: {type: translational, between: [ground.O, m.P]}}\n"

/* x'' = a(t, x, x') from state[2] over the time `t_end`, by the classical Runge-Kutta method. */
static void integrate(double (*a)(double t, double x, double v), double t_end, double state[2])
{
    const int n = 200000;
    double h = t_end / n, *s = state;

    for (int i = 0; i < n; i++) {
        double t = i * h;
        double k1 = a(t, s[0], s[1]);
        double k2 = a(t + h / 2, s[0] + h / 2 * s[1], s[1] + h / 2 * k1);
        double k3 = a(t + h / 2, s[0] + h / 2 * s[1] + h * h / 4 * k1, s[1] + h / 2 * k2);
        double k4 = a(t + h, s[0] + h * s[1] + h * h / 2 * k2, s[1] + h * k3);
        s[0] += h * s[1] + h * h / 6 * (k1 + k2 + k3);
        s[1] += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
}

/* --- laws by expressions --------------------------------------------------------------------- */

static double hardening(double t, double x, double v)
{
    double q = x - 0.1;

    (void) t;
    return -(40.0 * q + 900.0 * q * q * q + 3.0 * v * fabs(v)) / 2.0;
}

START_TEST(hardening_spring_and_drag_act_on_a_slide)
{
    double state[2] = { 0.5, 0.2 }, q = 0.0;
    run r = run_text(SLIDER(
        "0.5", "0.2") "parameters: {k: 40}\n"
                      "forces: {s: {type: spring-damper, on: S, spring: k*q + 900*q^3, damper: "
                      "3*f*abs(f), free_length: 0.1}}\n" RUN("1.3"));

    integrate(hardening, 1.3, state);
    q = state[0] - 0.1;
    run_expect(&r, "S.slide", state[0], 1e-8);
    run_expect(&r, "S.speed", state[1], 1e-8);
    run_expect(&r, "s.C.e", 40.0 * q + 900.0 * q * q * q, 1e-7);
    run_expect(&r, "s.R.e", 3.0 * state[1] * fabs(state[1]), 1e-7);
    run_expect(&r, "energy.potential", 20.0 * q * q + 225.0 * q * q * q * q, 1e-7);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

static double sine_spring(double t, double x, double v)
{
    (void) t;
    (void) v;
    return -3.0 * sin(x) / 1.5;
}

START_TEST(energy_alone_is_a_law_too)
{
    double state[2] = { 2.5, 0.0 };
    run r = run_text(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {d: {mass: 1, inertia: 1.5, points: {O: [0, 0]}, start: {angle: 2.5, "
             "fixed: [angle]}}}\n"
             "joints: {J: {type: revolute, between: [ground.O, d.O]}}\n"
             "forces: {s: {type: spring-damper, on: J, energy: 3*(1 - cos(q))}}\n" RUN("4"));

    integrate(sine_spring, 4.0, state);
    run_expect_near(&r, "J.angle", state[0], 1e-7);
    run_expect_near(&r, "J.omega", state[1], 1e-7);
    run_expect_near(&r, "energy.potential", 3.0 * (1.0 - cos(state[0])), 1e-7);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

static double gas_spring(double t, double x, double v)
{
    (void) t;
    (void) v;
    return (5.0 / x - 9.0 * x) / 2.0;
}

START_TEST(law_between_points_acts_along_their_line)
{
    /* an effort without antiderivative by rule, with its energy given beside it */
    double state[2] = { 0.5, 0.0 };
    run r = run_text(
        HEAD "ground: {points: {O: [0.3, 0.4]}}\n"
             "bodies: {m: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 0.3 + "
             "0.5*cos(1), y: 0.4 + 0.5*sin(1), fixed: [x, y]}}}\n"
             "forces: {s: {type: spring-damper, between: [ground.O, m.P], spring: 9*q - 5/q, "
             "energy: 4.5*q^2 - 5*log(q)}}\n" RUN("1.5"));

    integrate(gas_spring, 1.5, state);
    run_expect(&r, "m.x", 0.3 + state[0] * cos(1.0), 1e-8);
    run_expect(&r, "m.y", 0.4 + state[0] * sin(1.0), 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

static double controlled(double t, double x, double v)
{
    return -(8.0 * x * v + 0.5 * sin(3.0 * t) * v + 6.0 * x) / 2.0;
}

START_TEST(damper_may_read_place_time_and_outputs)
{
    double state[2] = { 0.4, 0.7 };
    run r = run_text(SLIDER(
        "0.4", "0.7") "forces: {s: {type: spring-damper, on: S, stiffness: 6, damper: 8*q*f + "
                      "0.5*sin(3*t)*m.vx}}\n" RUN("2"));

    integrate(controlled, 2.0, state);
    run_expect(&r, "S.slide", state[0], 1e-8);
    run_expect(&r, "S.speed", state[1], 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

/* --- end stops ------------------------------------------------------------------------------- */

/* The rebound of a mass m at speed 1 from a stop k d + c d' that lets go when that is 0: the ratio
   of the speeds and the time in contact. With a = c / 2m, w^2 = k/m - a^2 the depth is exp(-a t)
   sin(w t) / w; the push k d + c d' vanishes where tan(w t) = -c w / (k - a c). */
static double rebound(double m, double k, double c, double *time)
{
    double a = c / (2.0 * m), w = sqrt(k / m - a * a);
    double phase = atan2(c * w, -(k - a * c));

    *time = phase / w;
    return -exp(-a * *time) * (cos(phase) - a / w * sin(phase));
}

START_TEST(slide_bounces_between_two_stops)
{
    /* to the upper stop, back to the lower one, up again: three flights and two contacts */
    const double v0 = 1.5, t_end = 1.1;
    double contact = 0.0, e = rebound(2.0, 5e3, 40.0, &contact);
    double depth = exp(-10.0 * contact) / sqrt(2400.0) * sin(sqrt(2400.0) * contact);
    double back = 0.3 + v0 * depth, v1 = e * v0; /* where it lets go */
    double t1 = 0.2 / v0 + contact, t2 = t1 + (back + 0.2) / v1 + contact;
    double x2 = -0.2 - v1 * depth, v2 = e * v1;
    run r = run_text(SLIDER(
        "0.1", "1.5") "forces: {s: {type: stop, on: S, lower: -20 cm, upper: 0.3, stiffness: 5e3, "
                      "damping: 40}}\n" RUN("1.1"));

    ck_assert_double_gt(t_end, t2);
    ck_assert_double_lt(x2 + v2 * (t_end - t2), 0.3);
    run_expect(&r, "S.speed", v2, 1e-7);
    run_expect(&r, "S.slide", x2 + v2 * (t_end - t2), 1e-7);
    run_expect(&r, "energy.dissipated", v0 * v0 - v2 * v2, 1e-7);
    run_expect_near(&r, "energy.potential", 0.0, 1e-12);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(stop_of_an_angle_pushes_and_never_pulls)
{
    double largest = 0.0;
    run r =
        run_text("halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
                 "bodies: {rod: {mass: 2, inertia: 1, points: {O: [1, 0]}, start: {angle: 0.5, "
                 "fixed: [angle]}}}\n"
                 "joints: {J: {type: revolute, between: [ground.O, rod.O]}}\n"
                 "forces: {s: {type: stop, on: J.angle, lower: -1 rad, upper: 1 rad, stiffness: "
                 "1e3, damping: 60}}\n"
                 "simulate: {t_end: 3, step: 2 ms, rtol: 1e-9, atol: 1e-9}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double push = run_value(&r, i, "s.C.e") + run_value(&r, i, "s.R.e");
        double angle = run_value(&r, i, "J.angle"), lost = run_value(&r, i, "s.R.e");
        double room = 1e-6 * (1.0 + fabs(lost));
        ck_assert_double_ge(push * (angle > 0.0 ? 1.0 : -1.0), -room);
        ck_assert(fabs(angle) > 1.0 + 1e-6 || fabs(push) <= 1e-2);
        ck_assert_double_ge(lost * run_value(&r, i, "J.omega"), -room); /* it takes energy away */
        largest = fmax(largest, fabs(push));
    }
    ck_assert_double_gt(largest, 20.0);
    ck_assert_double_le(r.report.energy_error, 1e-5);
    run_end(&r);
}
END_TEST

START_TEST(stop_by_a_law_is_a_hertz_contact)
{
    /* m d'' = -K d^1.5: deepest at D^2.5 = 5 m v^2 / (4 K), in contact for 2 D / v times the
       integral of dz / sqrt(1 - z^2.5) from 0 to 1, which is 1.471637... = sqrt(pi) Gamma(1.4) /
       Gamma(0.9) */
    const double K = 1e6, v = 2.0, u = 0.25;
    double D = pow(5.0 * 2.0 * v * v / (4.0 * K), 0.4);
    double contact = 2.0 * D / v * sqrt(acos(-1.0)) * tgamma(1.4) / tgamma(0.9);
    run r = run_text(SLIDER(
        "0", "2") "forces: {s: {type: stop, on: S, upper: 0.25, spring: 1e6*q^1.5}}\n" RUN("0.2"));

    run_expect(&r, "S.speed", -v, 1e-7);
    run_expect(&r, "S.slide", u - v * (0.2 - u / v - contact), 1e-7);
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(stop_between_points_is_a_rope)
{
    /* released at 0.2 m from its end a mass on a rope of 1 m falls freely, then swings below it */
    const double t = sqrt(2.0 * 0.5 / 9.81);
    run r =
        run_text("halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
                 "bodies: {m: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 0, y: -0.5, "
                 "fixed: [x, y]}}}\n"
                 "forces: {s: {type: stop, between: [ground.O, m.P], upper: 1, stiffness: 2e4, "
                 "damper: 300*f}}\n"
                 "simulate: {t_end: 6, step: 1 ms, rtol: 1e-9, atol: 1e-9}\n");
    size_t row = (size_t) (0.9 * t / 1e-3);

    run_expect_near(&r, "m.y", -1.0 - 2.0 * 9.81 / 2e4, 1e-6); /* hangs */
    run_expect(&r, "s.C.e", 2.0 * 9.81, 1e-5);
    ck_assert_double_eq_tol(run_value(&r, row, "m.vy"), -9.81 * (double) row * 1e-3, 1e-7);
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        ck_assert_double_ge(run_value(&r, i, "s.C.e") + run_value(&r, i, "s.R.e"), -1e-6);
    }
    run_expect_near(&r, "energy.error", 0.0, 1e-5);
    run_end(&r);
}
END_TEST

START_TEST(stop_by_an_energy_is_preloaded_where_that_has_a_slope)
{
    /* E = 50 d: a constant push of 50 N brakes 2 kg from 1 m/s in 0.04 s and sends them back */
    run r = run_text(
        SLIDER("0", "1") "forces: {s: {type: stop, on: S, upper: 0.1, energy: 50*q}}\n" RUN("0.3"));

    run_expect(&r, "S.speed", -1.0, 1e-8);
    run_expect(&r, "S.slide", 0.1 - (0.3 - 0.1 - 0.08), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(wrong_laws_and_stops_are_refused)
{
    static const char *const cases[][2] = {
        { "type: spring-damper, on: S, stiffness: 3, spring: 2*q", "both `stiffness` and the law" },
        { "type: spring-damper, on: S, damping: 3, damper: 2*f", "both `damping` and the law" },
        { "type: spring-damper, on: S, spring: 2*f", "depends on `f`" },
        { "type: spring-damper, on: S, spring: 2*t*q", "depends on `t`" },
        { "type: spring-damper, on: S, energy: m.x*q", "depends on `m.x`" },
        { "type: spring-damper, on: S, spring: 3 m", "a force in N is expected" },
        { "type: spring-damper, on: S, spring: exp(q^2)", "give its energy" },
        { "type: stop, on: S, stiffness: 3", "the stop `s` has no limit" },
        { "type: stop, on: S, lower: 1, upper: -1, stiffness: 3", "lower limit 1 above" },
        { "type: stop, on: S, upper: 1", "nothing to push with" },
        { "type: stop, on: S, upper: 1, stiffness: 3, energy: q^2", "`stiffness` and the law" },
        { "type: stop, on: S, upper: 1, stiffness: 3, damping: 1, damper: f", "and the law" },
        { "type: stop, on: S, upper: 1, spring: exp(q^2)", "no antiderivative of `spring`" },
        { "type: stop, on: S, upper: 1, spring: q - 1", "pushes with -1" },
        { "type: stop, on: S, upper: 1, energy: log(q)", "finite" },
        { "type: stop, on: S, upper: t, stiffness: 3", "depends on `t`; it must be constant" },
        { "type: stop, between: [ground.O, m.P], lower: -1, stiffness: 3", "at least 0" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[1024];
        run r = run_new();
        snprintf(text, sizeof text, "%sforces: {s: {%s}}\nsimulate: {t_end: 0}\n",
                 SLIDER("0.1", "0"), cases[i][0]);
        ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model);
        status = status == HA_OK ? run_model(&r) : status;
        ck_assert_int_ne(status, HA_OK);
        ck_assert_msg(strstr(ha_ctx_diag(r.ctx, 0)->text, cases[i][1]) != NULL, "%s: %s",
                      cases[i][0], ha_ctx_diag(r.ctx, 0)->text);
        run_end(&r);
    }
}
END_TEST

START_TEST(laws_are_made_from_c)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    m2d_force_def def = m2d_force_def_default();
    m2d_system *system = NULL;
    ha_expr q = m2d_law_lookup(m, "q");
    ha_expr law = ha_mul(m2d_mechanism_dag(m), q, ha_mul(m2d_mechanism_dag(m), q, q));
    const m2d_setting setting = { "spring", &law, 1, HA_NOWHERE };

    ck_assert_int_eq(m2d_law_lookup(m, "no_such_name"), HA_EXPR_NONE);
    ck_assert_int_eq(scene_body(m, "d", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "d", "O", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_joint(m, "revolute", "J", "ground.O", "d.O"), HA_OK);
    def.type = "spring-damper";
    def.name = "s";
    def.ends[0] = "J";
    def.settings = &setting;
    def.n_settings = 1;
    ck_assert_int_eq(m2d_mechanism_add_force(m, &def), HA_OK);
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    ck_assert_int_ge(bg_graph_find(m2d_system_graph(system), "s"), 0);
    m2d_system_free(system);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}
END_TEST

/* --- one dimension in the plane -------------------------------------------------------------- */

static double carried(double t, double x, double v)
{
    /* 2 kg and 3 kg that move along together against k = 40, c = 1.5, pulled by 6 cos(2 t) */
    return (6.0 * cos(2.0 * t) - 40.0 * x - 1.5 * v) / 5.0;
}

START_TEST(bond_graph_is_carried_on_a_fixed_axis)
{
    /* the axis is at 30 deg; across it the body goes on with its start velocity */
    double state[2] = { 0.2, 0.5 };
    run r = run_text(HEAD "ground: {points: {O: {at: [1, 1], axis: 30 deg}}}\n"
                          "bodies: {m: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {x: 1 + "
                          "0.2*cos(pi/6), y: 1 + "
                          "0.2*sin(pi/6), vx: 0.5*cos(pi/6) - 0.3*sin(pi/6), vy: 0.5*sin(pi/6) + "
                          "0.3*cos(pi/6), fixed: "
                          "[x, y, vx, vy]}}}\n"
                          "joints: {A: {type: free, between: [ground.O, m.P]}}\n"
                          "bondgraph:\n"
                          "  elements: {F: {type: Se, value: 6*cos(2*t)}, M: {type: I, value: 3}, "
                          "K: {type: C, value: "
                          "1/40, q: 0.2}, B: {type: R, value: 1.5}, 1s: {type: \"1\"}}\n"
                          "  bonds: [F > 1s, 1s > M, 1s > K, 1s > B, 1s > A.slide_x]\n" RUN("1.7"));

    integrate(carried, 1.7, state);
    run_expect(&r, "A.slide_x", state[0], 1e-8);
    run_expect(&r, "A.speed_x", state[1], 1e-8);
    run_expect(&r, "M.f", state[1], 1e-8);
    run_expect(&r, "A.slide_y", 0.3 * 1.7, 1e-9);
    run_expect_near(&r, "A.angle", -acos(-1.0) / 6.0, 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(effort_on_a_turning_axis_acts_on_both_bodies_along_one_line)
{
    /* an effort F along x_i at N: at the start the first body feels -F there, arm slide_y = 0.2 */
    run r = run_text(
        HEAD "bodies:\n"
             "  A: {mass: 4, inertia: 3, points: {P: {at: [0, 0], axis: 0.4}}, start: {x: 0, "
             "y: 0, angle: 0, fixed: [x, y, angle]}}\n"
             "  B: {mass: 2, inertia: 1, points: {Q: [0, 0]}, start: {x: 0.5*cos(0.4) - "
             "0.2*sin(0.4), y: 0.5*sin(0.4) + 0.2*cos(0.4), fixed: [x, y]}}\n"
             "joints: {J: {type: free, between: [A.P, B.Q]}}\n"
             "bondgraph: {elements: {F: {type: Se, value: 7}}, bonds: [F > J.slide_x]}\n"
             "simulate: {t_end: 0}\n");

    run_expect(&r, "J.slide_x", 0.5, 1e-12);
    run_expect(&r, "J.slide_y", 0.2, 1e-12);
    run_expect(&r, "B.ax", 7.0 * cos(0.4) / 2.0, 1e-10);
    run_expect(&r, "B.ay", 7.0 * sin(0.4) / 2.0, 1e-10);
    run_expect_near(&r, "B.alpha", 0.0, 1e-10);
    run_expect(&r, "A.ax", -7.0 * cos(0.4) / 4.0, 1e-10);
    run_expect(&r, "A.ay", -7.0 * sin(0.4) / 4.0, 1e-10);
    run_expect(&r, "A.alpha", 0.2 * 7.0 / 3.0, 1e-10);
    run_end(&r);
}
END_TEST

START_TEST(linear_actuator_with_masses_is_two_bodies_and_a_slide)
{
    /* cylinder 3 kg and rod 1 kg between fixed hinges 2 m apart, upright: the rod cannot move, so
       the actuator's force is what the drive says; the lower hinge carries both weights */
    run r =
        run_text("halfarrow: 1\nground: {points: {A: {at: [0, 0], axis: 90 deg}, B: [0, 0]}}\n"
                 "bodies:\n"
                 "  c: {mass: 3, inertia: 0.2, points: {A: [-0.4, 0], S: [0, 0]}, start: {angle: "
                 "90 deg, fixed: [angle]}}\n"
                 "  r: {mass: 1, inertia: 0.1, points: {S: [0, 0], B: [0.5, 0]}}\n"
                 "joints:\n"
                 "  foot: {type: weld, between: [ground.A, c.A]}\n"
                 "  S: {type: translational, between: [c.S, r.S], motion: 0.3 + 0.1*sin(4*t)}\n"
                 "simulate: {t_end: 0.6, rtol: 1e-9, atol: 1e-9}\n");
    double a = -1.6 * sin(2.4);

    run_expect(&r, "r.y", 0.4 + 0.3 + 0.1 * sin(2.4), 1e-8);
    run_expect(&r, "S.drive", 9.81 + a, 1e-7);
    run_expect(&r, "foot.fy", 3.0 * 9.81 + 9.81 + a, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(wrench_takes_tables_and_signals)
{
    /* fx by a table, fy from a lag of a constant, cz by an expression of an output */
    const double t = 1.2, tau = 0.5;
    run r = run_text(
        HEAD
        "tables: {ramp: {x: [0, 1, 2], y: [0, 2, 2]}}\n"
        "bodies: {m: {mass: 2, inertia: 0.5, points: {P: [0, 0]}, start: {omega: 1}}}\n"
        "forces: {W: {type: wrench, on: m.P, value: [ramp(t), 3*slow, -0.8*m.omega]}}\n"
        "bondgraph: {signals: {slow: {type: lag, input: 1, time_constant: 0.5}}}\n" RUN("1.2"));

    run_expect(&r, "m.vx", (1.0 + 2.0 * (t - 1.0)) / 2.0, 1e-8);
    run_expect(&r, "m.vy", 1.5 * (t - tau * (1.0 - exp(-t / tau))), 1e-8);
    run_expect(&r, "m.omega", exp(-1.6 * t), 1e-8);
    run_end(&r);
}
END_TEST

/* --- narrow functions of the time ------------------------------------------------------------- */

/* A wheel at rest, and beside it a body that turns freely, which the pulse does not concern but
   whose steps meet it. A momentum of sqrt(pi) is all there is, whatever the width. */
START_TEST(a_narrow_torque_is_felt_by_every_method)
{
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    static const double widths[] = { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7 };
    const double width = widths[_i / 8];
    const bool has_other = _i / 4 % 2 != 0;
    char text[800];

    snprintf(text, sizeof text,
             HEAD "ground: {points: {O: [0, 0]}}\n"
                  "bodies: {w: {mass: 1, inertia: 1, points: {C: [0, 0]}}%s}\n"
                  "joints: {j: {type: revolute, between: [ground.O, w.C]}%s}\n"
                  "forces: {m: {type: torque, on: w, value: \"exp(-((t-1.2345)/%g)^2)/%g\"}}\n"
                  "simulate: {t_end: 3, driver: %s}\n",
             has_other ? ", k: {mass: 1, inertia: 0.2, points: {C: [0.2, 0]}, start: {omega: 2}}"
                       : "",
             has_other ? ", h: {type: revolute, between: [ground.O, k.C]}" : "", width, width,
             drivers[_i % 4]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "w.omega"), sqrt(3.14159265358979323846), 1e-4);
    run_end(&r);
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

START_TEST(every_failing_allocation_is_survived)
{
    run_survives(
        SLIDER("0.1", "1") "forces:\n"
                           "  s: {type: spring-damper, on: S, spring: q^3, damper: f*abs(f) + q}\n"
                           "  p: {type: stop, between: [ground.O, m.P], upper: 1, spring: q^1.5, "
                           "damping: 2}\n",
        run_expand);
}
END_TEST

/* 2 kg at 3 m/s under -4 v, and 0.5 kg.m2 at 6 rad/s under -3 omega: v = 3 exp(-2 t), omega = 6
   exp(-6 t), and all that they lose is a loss. */
START_TEST(a_law_of_the_user_is_a_loss_where_it_is_booked_so)
{
    static const char text[] =
        "halfarrow: 1\ngravity: [0, 0]\n"
        "bodies: {b: {mass: 2, inertia: 0.5, points: {C: [0, 0]}, start: {vx: 3, omega: 6}}}\n"
        "forces:\n"
        "  f: {type: force, on: b.C, value: [-4*b.vx, 0]%s}\n"
        "  c: {type: torque, on: b, value: -3*b.omega%s}\n"
        "simulate: {t_end: 0.3, rtol: 1e-10}\n";
    const double first = 9.0 * (1.0 - exp(-4.0 * 0.3)), second = 9.0 * (1.0 - exp(-12.0 * 0.3));
    char both[1024], one[1024];

    snprintf(both, sizeof both, text, ", book: dissipated", ", book: dissipated");
    run r = run_text(both);
    run_expect(&r, "energy.dissipated", first + second, 1e-8);
    ck_assert_double_eq_tol(run_last(&r, "energy.supplied"), 0.0, 1e-12);
    ck_assert_double_eq_tol(run_last(&r, "energy.error"), 0.0, 1e-7);
    run_end(&r);
    snprintf(one, sizeof one, text, ", book: dissipated", "");
    r = run_text(one);
    run_expect(&r, "energy.dissipated", first, 1e-8);
    run_expect(&r, "energy.supplied", -second, 1e-8);
    run_end(&r);
    snprintf(one, sizeof one, text, ", book: lost", "");
    run_expect_failure(one, HA_ERR_NAME, "`lost`");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forces");
    TCase *tests = tcase_create("forces");

    tcase_add_test(tests, hardening_spring_and_drag_act_on_a_slide);
    tcase_add_test(tests, a_law_of_the_user_is_a_loss_where_it_is_booked_so);
    tcase_add_test(tests, energy_alone_is_a_law_too);
    tcase_add_test(tests, law_between_points_acts_along_their_line);
    tcase_add_test(tests, damper_may_read_place_time_and_outputs);
    tcase_add_test(tests, slide_bounces_between_two_stops);
    tcase_add_test(tests, stop_of_an_angle_pushes_and_never_pulls);
    tcase_add_test(tests, stop_by_a_law_is_a_hertz_contact);
    tcase_add_test(tests, stop_between_points_is_a_rope);
    tcase_add_test(tests, stop_by_an_energy_is_preloaded_where_that_has_a_slope);
    tcase_add_test(tests, wrong_laws_and_stops_are_refused);
    tcase_add_test(tests, laws_are_made_from_c);
    tcase_add_test(tests, bond_graph_is_carried_on_a_fixed_axis);
    tcase_add_test(tests, effort_on_a_turning_axis_acts_on_both_bodies_along_one_line);
    tcase_add_test(tests, linear_actuator_with_masses_is_two_bodies_and_a_slide);
    tcase_add_test(tests, wrench_takes_tables_and_signals);
    tcase_add_loop_test(tests, a_narrow_torque_is_felt_by_every_method, 0, 40);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
