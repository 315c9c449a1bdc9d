/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Friction in joints: loads from the reactions, which the friction itself changes, against closed
 * forms and a pendulum by hand; a block that sticks and slips.
 */
#include <config.h>

#include "mech2d/forces/friction_law.h"
#include "tests/unit/mech2d/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "halfarrow: 1\n"
#define TIGHT "rtol: 1e-9, atol: 1e-10, max_steps: 1000000"

/* --- guides ----------------------------------------------------------------------------------- */

START_TEST(a_block_slides_down_a_rough_incline)
{
    const double slope = 0.5, mu = 0.3;
    run r = run_text(HEAD "ground: {points: {O: {at: [0, 0], axis: -0.5}}}\n"
                          "bodies: {b: {mass: 3, inertia: 1, points: {C: [0, 0]}, "
                          "start: {angle: -0.5}}}\n"
                          "joints: {J: {type: translational, between: [ground.O, b.C]}}\n"
                          "forces: {f: {type: friction, on: J, friction: 0.3, "
                          "friction_speed: 1e-5}}\n"
                          "simulate: {t_end: 1, " TIGHT "}\n");

    run_expect(&r, "J.speed", 9.81 * (sin(slope) - mu * cos(slope)), 1e-4);
    run_expect(&r, "f.load", 3.0 * 9.81 * cos(slope), 1e-7);
    run_expect(&r, "f.force", -mu * 3.0 * 9.81 * cos(slope), 1e-7);
    run_expect_near(&r, "energy.error", 0.0, 1e-6);
    run_end(&r);
}
END_TEST

/* What is as light as an insect, or lighter: the load counts, not what keeps its root smooth. */
START_TEST(the_lightest_blocks_slow_down_as_heavy_ones_do)
{
    static const char *const masses[] = { "1 kg", "1e-6 kg", "1e-9 kg" };

    for (size_t i = 0; i < HA_COUNT(masses); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: %s, inertia: 1e-9, points: {C: [0, 0]}, "
                      "start: {x: 0, vx: 10, fixed: [x, vx]}}}\n"
                      "joints: {J: {type: translational, between: [ground.O, b.C]}}\n"
                      "forces: {f: {type: friction, on: J, friction: 0.3, "
                      "friction_law: karnopp}}\n"
                      "simulate: {t_end: 1, rtol: 1e-9}\n",
                 masses[i]);
        run r = run_text(text);
        run_expect(&r, "b.vx", 10.0 - 0.3 * 9.81, 2e-8);
        run_end(&r);
    }
}
END_TEST

START_TEST(the_load_of_a_guide_is_solved_together_with_the_friction)
{
    /* the mass centre is h above the guide of length L, which is pulled at its middle: the couple
       m a h presses both ends, m a = P - mu 2 m a h / L */
    const double m = 2.0, P = 100.0, h = 0.4, L = 0.1, mu = 0.2,
                 a = P / (m * (1.0 + 2.0 * mu * h / L));
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 2, inertia: 1, points: {C: [0, -0.4]}, "
                          "start: {y: 0.4, vx: 1}}}\n"
                          "joints: {J: {type: translational, between: [ground.O, b.C]}}\n"
                          "forces:\n"
                          "  P: {type: force, on: b.C, value: [100, 0]}\n"
                          "  f: {type: friction, on: J, friction: 0.2, length: 0.1}\n"
                          "simulate: {t_end: 0.5, " TIGHT "}\n");

    run_expect(&r, "J.speed", 1.0 + 0.5 * a, 1e-7);
    run_expect(&r, "f.load", 2.0 * m * a * h / L, 1e-7);
    ck_assert_double_lt(r.report.energy_error, 1e-6);
    run_end(&r);
}
END_TEST

/* --- pins ------------------------------------------------------------------------------------- */

static const double M = 1.5, J = 0.02, d = 0.3, radius = 0.05, mu_pin = 0.4, v_f = 1e-3, g = 9.81;

/* The angular acceleration of a pendulum whose pin has friction: the reaction is that of the
   acceleration, which the friction changes. */
static double pendulum(double angle, double omega)
{
    double alpha = 0.0;

    for (int i = 0; i < 200; i++) {
        double ax = -d * (alpha * sin(angle) + omega * omega * cos(angle));
        double ay = d * (alpha * cos(angle) - omega * omega * sin(angle));
        double load = hypot(M * ax, M * (ay + g));
        double torque = -mu_pin * radius * load * tanh(radius * omega / v_f);
        alpha = (-M * g * d * cos(angle) + torque) / (J + M * d * d);
    }
    return alpha;
}

START_TEST(the_friction_of_a_pin_is_solved_together_with_its_reaction)
{
    const double h = 1e-5, t_end = 1.0;
    double q = 0.0, w = 8.0;
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1.5, inertia: 0.02, points: {O: [-0.3, 0]}, "
                          "start: {x: 0.3, omega: 8}}}\n"
                          "joints: {O: {type: revolute, between: [ground.O, b.O]}}\n"
                          "forces: {f: {type: friction, on: O, friction: 0.4, radius: 5 cm}}\n"
                          "simulate: {t_end: 1, " TIGHT "}\n");

    for (int i = 0; i < (int) (t_end / h + 0.5); i++) {
        double k1 = pendulum(q, w), w2 = w + 0.5 * h * k1, k2 = pendulum(q + 0.5 * h * w, w2);
        double w3 = w + 0.5 * h * k2, k3 = pendulum(q + 0.5 * h * w2, w3);
        double w4 = w + h * k3, k4 = pendulum(q + h * w3, w4);
        q += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    run_expect_near(&r, "O.angle", q, 1e-5);
    run_expect_near(&r, "O.omega", w, 1e-5);
    ck_assert_double_gt(run_last(&r, "energy.dissipated"), 1.0);
    ck_assert_double_lt(r.report.energy_error, 1e-5);
    run_end(&r);
}
END_TEST

START_TEST(a_given_load_may_vary)
{
    /* J w' = -r mu N(t): w = 10 - 0.1 0.5 (100 t) / 2 */
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 2, points: {O: [0, 0]}, "
                          "start: {omega: 10}}}\n"
                          "joints: {O: {type: revolute, between: [ground.O, b.O]}}\n"
                          "forces: {f: {type: friction, on: O.angle, friction: 0.5, radius: 0.1, "
                          "load: 100*t}}\n"
                          "simulate: {t_end: 1, " TIGHT "}\n");

    run_expect(&r, "O.omega", 10.0 - 0.1 * 0.5 * 50.0 / 2.0, 1e-7);
    run_expect(&r, "f.torque", -5.0, 1e-7);
    run_end(&r);
}
END_TEST

/* A coefficient of 0, as a variant may give it, is friction without force; nu N v is left. */
START_TEST(a_coefficient_of_zero_is_no_friction)
{
    static const char *const laws[] = { "coulomb", "lugre", "stribeck" };

    for (size_t i = 0; i < HA_COUNT(laws); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 2, inertia: 1, points: {P: [0, 0]}, start: {vx: 3}}}\n"
                      "joints: {S: {type: translational, between: [ground.O, b.P]}}\n"
                      "forces: {f: {type: friction, on: S, friction: 0, load: 10, "
                      "friction_law: %s, viscous_friction: %s}}\n"
                      "simulate: {t_end: 1, " TIGHT "}\n",
                 laws[i], i == 0 ? "0" : "0.1");
        run r = run_text(text);
        run_expect(&r, "S.speed", i == 0 ? 3.0 : 3.0 * exp(-0.1 * 10.0 / 2.0), 1e-7);
        run_end(&r);
    }
}
END_TEST

/* --- stick and slip --------------------------------------------------------------------------- */

/* Runs the example under a law: it must alternate, and the spring reach the static friction. */
static void expect_stick_slip(const char *law)
{
    char set[80];
    const char *const sets[] = { set };
    const m2d_read_def def = { .sets = sets, .n_sets = 1 };
    double peak = 0.0;
    int slips = 0;
    bool is_slipping = false;

    snprintf(set, sizeof set, "forces.friction.friction_law=%s", law);
    run r = run_file("examples/stick_slip.yaml", &def);
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double speed = run_value(&r, i, "slide.speed");
        peak = fmax(peak, run_value(&r, i, "spring.e"));
        slips += speed > 0.1 && !is_slipping ? 1 : 0;
        is_slipping = speed > 0.1 || (is_slipping && speed > 2e-3);
    }
    ck_assert_msg(fabs(peak - 1.5) <= 0.02 * 1.5, "%s: the peak is %g N", law, peak);
    ck_assert_msg(slips >= 4, "%s: %d slips", law, slips);
    ck_assert_msg(!is_slipping || slips > 4, "%s", law);
    ck_assert_double_lt(r.report.energy_error, 1e-5);
    run_end(&r);
}

START_TEST(a_pulled_block_sticks_and_slips_and_the_spring_reaches_the_static_friction)
{
    expect_stick_slip("lugre");
    expect_stick_slip("stribeck");
    expect_stick_slip("bengisu-akay");
    expect_stick_slip("brown-mcphee");
    expect_stick_slip("karnopp");
    expect_stick_slip("zimmer");
}
END_TEST

/* What the spring of the example ends up with under the ideal law: from F_s and rest y = S - F_c -
   nu V goes as y'' + nu y' + k y = 0 (m = 1 kg) from y = F_s - F_c - nu V, y' = k V; the first
   maximum. */
static double ideal_peak(void)
{
    const double F_s = 1.5, F_c = 1.0, nu = 0.4, V = 0.1, k = 2.0;
    double omega = sqrt(k - 0.25 * nu * nu), A = F_s - F_c - nu * V, peak = 0.0;
    double B = (k * V + 0.5 * nu * A) / omega;

    for (double t = 0.0; t < 1.0; t += 1e-4) {
        double y = exp(-0.5 * nu * t) * (A * cos(omega * t) + B * sin(omega * t));
        peak = fmax(peak, F_c + nu * V + y);
    }
    return peak;
}

START_TEST(the_spring_overshoots_by_what_it_gains_until_the_block_is_as_fast)
{
    static const double speeds[2] = { 1e-6, 1e-3 };
    const double m = 1.0, k = 2.0, V = 0.1;

    for (int i = 0; i < 2; i++) {
        char set[80];
        const char *const sets[] = { set, "forces.friction.friction_law=karnopp",
                                     "simulate.t_end=10" };
        const m2d_read_def def = { .sets = sets, .n_sets = 3 };
        double peak = 0.0;
        snprintf(set, sizeof set, "forces.friction.friction_speed=%g", speeds[i]);
        run r = run_file("examples/stick_slip.yaml", &def);
        for (size_t row = 0; row < ha_result_n_rows(r.result); row++) {
            peak = fmax(peak, run_value(&r, row, "spring.e"));
        }
        /* the creep up to v_f: v = k V t^2 / (2 m) */
        ck_assert_double_eq_tol(peak, ideal_peak() + sqrt(2.0 * m * k * V * speeds[i]), 1.5e-3);
        run_end(&r);
    }
}
END_TEST

START_TEST(a_block_on_a_belt_sticks_and_slips_under_laws_without_and_with_a_state)
{
    static const char *const laws[] = { "stribeck", "bengisu-akay", "brown-mcphee", "lugre",
                                        "karnopp" };

    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        char set[80];
        const char *const sets[] = { set, "simulate.rtol=1e-9" };
        const m2d_read_def def = { .sets = sets, .n_sets = 2 };
        double peak = 0.0;
        int slips = 0;
        bool is_slipping = false;
        snprintf(set, sizeof set, "forces.friction.friction_law=%s", laws[k]);
        run r = run_file("examples/belt.yaml", &def);
        for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
            double slip = fabs(run_value(&r, i, "top.speed"));
            peak = fmax(peak, fabs(run_value(&r, i, "spring.e")));
            slips += slip > 0.1 && !is_slipping ? 1 : 0;
            is_slipping = slip > 0.1 || (is_slipping && slip > 2e-3);
        }
        ck_assert_msg(fabs(peak - 1.5) <= 0.02 * 1.5, "%s: the peak is %g N", laws[k], peak);
        ck_assert_msg(slips >= 4, "%s: %d slips", laws[k], slips);
        ck_assert_msg(r.report.energy_error < 1e-5, "%s: %g J", laws[k], r.report.energy_error);
        run_end(&r);
    }
}
END_TEST

/* What holds does not creep: a block on an incline that is not steep enough stays, one that is
   slides, and one that climbs comes to rest and stays. */
START_TEST(friction_of_karnopp_holds_a_block_on_an_incline)
{
    const double slope = 0.25, weight = 3.0 * 9.81, mu = 0.2;
    const double brake = 9.81 * (sin(slope) + mu * cos(slope));
    static const struct {
        double mu_s, start;
    } blocks[] = { { 0.3, 0.0 }, { 0.3, -1.0 }, { 0.2, 0.0 } };

    for (size_t i = 0; i < HA_COUNT(blocks); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: {at: [0, 0], axis: -0.25}}}\n"
                      "bodies: {b: {mass: 3, inertia: 1, points: {C: [0, 0]}, "
                      "start: {angle: -0.25, vx: %.17g, vy: %.17g}}}\n"
                      "joints: {J: {type: translational, between: [ground.O, b.C]}}\n"
                      "forces: {f: {type: friction, on: J, friction: 0.2, static_friction: %.17g, "
                      "friction_law: karnopp, friction_speed: 1e-5}}\n"
                      "simulate: {t_end: 2, " TIGHT "}\n",
                 blocks[i].start * cos(slope), -blocks[i].start * sin(slope), blocks[i].mu_s);
        run r = run_text(text);
        if (i < 2) {
            run_expect_near(&r, "J.speed", 0.0, 1e-9);
            run_expect_near(&r, "J.slide", i == 0 ? 0.0 : -0.5 / brake, 1e-6);
            run_expect(&r, "f.force", -weight * sin(slope), 1e-6);
        } else {
            run_expect(&r, "J.speed", 2.0 * 9.81 * (sin(slope) - mu * cos(slope)), 1e-4);
            run_expect(&r, "f.force", -mu * weight * cos(slope), 1e-6);
        }
        ck_assert_double_lt(r.report.energy_error, 1e-6);
        ck_assert_int_le(r.report.solver.events, 4);
        run_end(&r);
    }
}
END_TEST

/* A block that is pulled to and fro, by hand: between events v and x are integrals of a sin(w t) -+
   c, accelerations all, with c = `holds` below |v| = v_f and `slides` beyond; at v = 0 it stands
   until a |sin(w t)| is above `holds`. */
typedef struct {
    double a, w, holds, slides;
    double t, x, v, heat; /* where the phase began, the heat of 1 kg */
    double sense, c;      /* of the motion, 0: it stands; what rubs */
    bool rubs;            /* by `holds`, in the zone of v_f */
    int n_events;
} pulled;

static double pulled_speed(const pulled *p, double t)
{
    double gained = p->a / p->w * (cos(p->w * p->t) - cos(p->w * t));

    return p->sense * (p->v + gained) - p->c * (t - p->t);
}

static double pulled_place(const pulled *p, double t)
{
    double past = t - p->t, w = p->w;
    double swung = cos(w * p->t) * past - (sin(w * t) - sin(w * p->t)) / w;

    return p->x + p->v * past + p->a / w * swung - 0.5 * p->sense * p->c * past * past;
}

/* What ends the phase is above 0. */
static double pulled_end(const pulled *p, double t)
{
    double v = pulled_speed(p, t);

    if (p->sense == 0.0) {
        return p->a * fabs(sin(p->w * t)) - p->holds;
    }
    return p->rubs ? fmax(v - v_f, t > p->t + 1e-6 ? -v : -1.0) : v_f - v;
}

/* The next phase, from time t on. */
static pulled pulled_on(const pulled *p, double t)
{
    bool stood = p->sense == 0.0, stands = !stood && pulled_speed(p, t) < 0.5 * v_f;
    pulled next = *p;

    next.t = t;
    next.x = stood ? p->x : pulled_place(p, t);
    next.heat = p->heat + p->c * fabs(next.x - p->x);
    next.sense = stands ? 0.0 : stood ? copysign(1.0, sin(p->w * t)) : p->sense;
    next.v = stood || stands ? 0.0 : p->sense * v_f;
    next.rubs = stood || stands || !p->rubs;
    next.c = next.rubs ? p->holds : p->slides;
    return next;
}

static pulled pull_until(pulled p, double t_end)
{
    const double step = 1e-4;

    p.c = p.holds;
    p.rubs = true;
    for (;;) {
        double low = p.t, high = fmin(p.t + step, t_end);
        for (; high < t_end && !(pulled_end(&p, high) > 0.0); high = fmin(high + step, t_end)) {
            low = high;
        }
        for (int i = 0; i < 60 && pulled_end(&p, high) > 0.0; i++) {
            double middle = 0.5 * (low + high);
            *(pulled_end(&p, middle) > 0.0 ? &high : &low) = middle;
        }
        double v = p.sense * pulled_speed(&p, high);
        p = pulled_on(&p, high);
        if (high >= t_end) {
            p.v = v;
            return p;
        }
        p.n_events++;
    }
}

START_TEST(friction_of_karnopp_slides_until_it_stands_whatever_alpha_is)
{
    static const double rates[] = { 5.0, 50.0 };
    const double g_n = 9.81, mass = 2.0;
    const pulled truth =
        pull_until((pulled){ .a = 6.0, .w = 1.0, .holds = 0.4 * g_n, .slides = 0.3 * g_n }, 10.0);

    for (size_t i = 0; i < HA_COUNT(rates); i++) {
        char set[40];
        snprintf(set, sizeof set, "simulate.alpha=%g", rates[i]);
        const char *const sets[] = { set, "simulate.rtol=1e-10" };
        const m2d_read_def def = { .sets = sets, .n_sets = 2 };
        run r = run_file("examples/pulled_block.yaml", &def);
        run_expect_near(&r, "block.x", truth.x, 1e-7);
        run_expect_near(&r, "block.vx", truth.v, 1e-6);
        run_expect_near(&r, "energy.dissipated", mass * truth.heat, 1e-5);
        run_end(&r);
    }
}
END_TEST

/* A slider-crank that its drive and a stop slow down by much more than friction does: the piston
   slides the way it moves until it stands. The truth is by the equations of the mechanism with the
   sign of the speed, integrated piece by piece in another program to 1e-10. */
START_TEST(friction_of_karnopp_has_the_sign_of_the_motion_whatever_else_slows_it)
{
    static const char *const drivers[] = { "ida", "explicit8", "explicit" };
    static const double rates[] = { 40.0, 80.0, 4000.0 };
    char text[1600];

    snprintf(text, sizeof text,
             HEAD "ground: {points: {O: [0, 0], guide: {at: [0, 0], axis: 0 deg}}}\n"
                  "bodies:\n"
                  "  crank: {mass: 1, inertia: 2e-3, points: {O: [0, 0], A: [50 mm, 0]},\n"
                  "    start: {angle: 90 deg, omega: 0, fixed: [angle, omega]}}\n"
                  "  rod: {mass: 0.3, inertia: 0.3*0.15^2/12, start: {angle: -20 deg},\n"
                  "    points: {A: [-75 mm, 0], B: [75 mm, 0]}}\n"
                  "  piston: {mass: 0.5, inertia: 1e-4, points: {B: [0, 0]}}\n"
                  "joints:\n"
                  "  O: {type: revolute, between: [ground.O, crank.O]}\n"
                  "  A: {type: revolute, between: [crank.A, rod.A]}\n"
                  "  B: {type: revolute, between: [rod.B, piston.B]}\n"
                  "  guide: {type: translational, between: [ground.guide, piston.B]}\n"
                  "forces:\n"
                  "  drive: {type: torque, on: crank, value: -0.6}\n"
                  "  wall: {type: stop, on: guide, upper: 190 mm, stiffness: 2e5, damping: 50}\n"
                  "  fr: {type: friction, on: guide, friction: 0.1, friction_law: karnopp}\n"
                  "simulate: {t_end: 0.5, driver: %s, alpha: %g, rtol: 1e-9}\n",
             drivers[_i % 3], rates[_i / 3]);
    run r = run_text(text);
    run_expect_near(&r, "crank.omega", 9.91006, 1e-4);
    run_end(&r);
}
END_TEST

/* A block that 1.5 mu m g sin(3 t) pulls to and fro, whatever its mass. */
START_TEST(friction_of_karnopp_knows_no_unit_of_force)
{
    static const double masses[] = { 1e-6, 1e-3, 1.0, 1e6 };
    static const char *const drivers[] = { "ida", "explicit8" };
    const double limit = 0.3 * 9.81;
    const pulled truth =
        pull_until((pulled){ .a = 1.5 * limit, .w = 3.0, .holds = limit, .slides = limit }, 5.0);

    for (size_t i = 0; i < HA_COUNT(masses) * HA_COUNT(drivers); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "parameters: {m: %g}\nground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: m, inertia: 1e-6, points: {P: [0, 0]}}}\n"
                      "joints: {J: {type: translational, between: [ground.O, b.P]}}\n"
                      "forces:\n  F: {type: force, on: b.P, value: [1.5*0.3*m*9.81*sin(3*t), 0]}\n"
                      "  f: {type: friction, on: J, friction: 0.3, friction_law: karnopp}\n"
                      "simulate: {t_end: 5, driver: %s, rtol: 1e-8}\n",
                 masses[i % HA_COUNT(masses)], drivers[i / HA_COUNT(masses)]);
        run r = run_text(text);
        ck_assert_int_eq(r.report.solver.events, truth.n_events);
        run_expect_near(&r, "b.x", truth.x, 1e-5);
        run_end(&r);
    }
}
END_TEST

/* A block that a drive moves by s = 0.1 sin(3 t) against 30 N: the drive gives m s'' and 30 N with
   the sign of s'. It rubs all the way, and 10 N more below v_f, which is 1e-6. */
START_TEST(friction_of_karnopp_turns_with_a_motion_that_is_prescribed)
{
    static const char *const drivers[] = { "ida", "explicit8" };
    const double way = 0.1 * (8.0 + sin(12.0)), late = 12.0;

    for (size_t i = 0; i < HA_COUNT(drivers); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "gravity: [0, 0]\n"
                      "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 2, inertia: 0.1, points: {P: [0, 0]}}}\n"
                      "joints: {J: {type: translational, between: [ground.O, b.P], "
                      "motion: {slide: 0.1*sin(3*t)}}}\n"
                      "forces: {f: {type: friction, on: J, load: 100, friction: 0.3, "
                      "static_friction: 0.4, friction_law: karnopp, friction_speed: 1e-6}}\n"
                      "simulate: {t_end: 4, driver: %s, " TIGHT "}\n",
                 drivers[i]);
        run r = run_text(text);
        run_expect(&r, "energy.dissipated", 30.0 * way, 1e-7);
        run_expect(&r, "f.force", cos(late) > 0.0 ? -30.0 : 30.0, 1e-9);
        run_expect(&r, "J.drive", -1.8 * sin(late) + (cos(late) > 0.0 ? 30.0 : -30.0), 1e-6);
        run_end(&r);
    }
}
END_TEST

/* A wheel that a torque rising by 1 N.m/s turns free of its pin at M = mu_s r N, once. */
START_TEST(friction_of_karnopp_holds_a_pin_until_the_torque_exceeds_its_limit)
{
    run r = run_text(HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 0.5, points: {O: [0, 0]}}}\n"
                          "joints: {O: {type: revolute, between: [ground.O, b.O]}}\n"
                          "forces:\n"
                          "  M: {type: torque, on: b, value: t}\n"
                          "  f: {type: friction, on: O, radius: 0.02, load: 100, friction: 0.2, "
                          "static_friction: 0.5, friction_law: karnopp, friction_speed: 1e-6}\n"
                          "simulate: {t_end: 2, step: 0.01, " TIGHT "}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t");
        if (t < 0.99) {
            ck_assert_double_eq_tol(run_value(&r, i, "O.omega"), 0.0, 1e-9);
            ck_assert_double_eq_tol(run_value(&r, i, "f.torque"), -t, 1e-7);
        }
    }
    /* from 1 s on (0.5 N.m are gained in the moment it gets away) w' = (t - 0.4) / 0.5 */
    run_expect(&r, "O.omega", (2.0 * 2.0 - 1.0) - 0.8, 5e-3);
    run_expect(&r, "f.torque", -0.4, 1e-9);
    run_end(&r);
}
END_TEST

/* The point-symmetric function of PlanarMechanics: three pieces of a cubic between levels. */
static double s_between(double x0, double x1, double y0, double y1, double x)
{
    double s = fmin(fmax((2.0 * x - x0 - x1) / (x1 - x0), -1.0), 1.0);

    return 0.5 * (y0 + y1) + 0.5 * (y1 - y0) * (1.5 * s - 0.5 * s * s * s);
}

static double triple_s(double v, double v_max, double v_end, double peak, double end)
{
    double sign = v < 0.0 ? -1.0 : 1.0;

    return fabs(v) > v_max ? sign * s_between(v_max, v_end, peak, end, fabs(v))
                           : s_between(-v_max, v_max, -peak, peak, v);
}

/* Brown and McPhee's force at a constant speed, whole: with the viscous part that comes with the
   load; and Stribeck's curve with the exponent 1. */
START_TEST(friction_has_the_size_of_its_law_at_every_speed)
{
    static const double loads[] = { 5.0, 50.0, 500.0 }, speeds[] = { -0.3, 0.004, 0.015, 2.0 };

    for (int k = 0; k < 36; k++) {
        const double N = loads[k % 3], v = speeds[k / 3 % 4];
        const bool is_brown = k < 12, is_zimmer = k >= 24;
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}}}\n"
                      "joints: {J: {type: translational, between: [ground.O, b.C], "
                      "motion: %.17g*t}}\n"
                      "forces: {f: {type: friction, on: J, load: %.17g, friction: 0.2, "
                      "static_friction: 0.35, friction_speed: 10 mm/s, stribeck_speed: 20 mm/s, "
                      "friction_law: %s}}\n"
                      "simulate: {t_end: 0.1}\n",
                 v, N,
                 is_brown    ? "brown-mcphee, viscous_damping: 3, transition_load: 80"
                 : is_zimmer ? "zimmer"
                             : "stribeck, stribeck_exponent: 1");
        run r = run_text(text);
        double ratio = v / 0.01, half = 0.25 * ratio * ratio + 0.75;
        double brown = N * (0.2 * tanh(4.0 * ratio) + 0.15 * ratio / (half * half)) +
                       3.0 * v * tanh(4.0 * N / 80.0);
        double stribeck = N * (0.2 + 0.15 * exp(-fabs(v / 0.02))) * tanh(ratio);
        double force = is_brown    ? brown
                       : is_zimmer ? N * triple_s(v, 0.01, 0.02, 0.35, 0.2)
                                   : stribeck;
        ck_assert_double_eq_tol(run_last(&r, "f.force"), -force, 2e-6 * fabs(force));
        run_end(&r);
    }
}
END_TEST

/* F = mu N (1 - exp(-s_0 x / mu)) after the way x, whatever the speed; back from x_1 and F_1
   F + mu N = (F_1 + mu N) exp(-s_0 (x_1 - x) / mu). */
START_TEST(friction_of_dahl_depends_on_the_way_alone)
{
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}}}\n"
                          "joints: {J: {type: translational, between: [ground.O, b.C], "
                          "motion: 0.01*sin(2*t)}}\n"
                          "forces: {f: {type: friction, on: J, load: 20 N, friction: 0.5, "
                          "friction_law: dahl, bristle_stiffness: 100}}\n"
                          "simulate: {t_end: 2, step: 0.01, " TIGHT "}\n");
    double turn = 10.0 * (1.0 - exp(-100.0 * 0.01 / 0.5));

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t"), x = 0.01 * sin(2.0 * t);
        double force = 2.0 * t <= acos(-1.0) / 2.0
                           ? 10.0 * (1.0 - exp(-100.0 * x / 0.5))
                           : (turn + 10.0) * exp(-100.0 * (0.01 - x) / 0.5) - 10.0;
        ck_assert_double_eq_tol(run_value(&r, i, "f.force"), -force, 1e-5);
    }
    run_end(&r);
}
END_TEST

/* With the exponent 2, dF/dx = s_0 (1 - F / mu N)^2: F = mu N s x / (1 + s x), s = s_0 / mu. */
START_TEST(friction_of_dahl_with_an_exponent_rises_as_its_solution)
{
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}}}\n"
                          "joints: {J: {type: translational, between: [ground.O, b.C], "
                          "motion: 0.05*t^2}}\n"
                          "forces: {f: {type: friction, on: J, load: 20 N, friction: 0.5, "
                          "friction_law: dahl, dahl_exponent: 2, bristle_stiffness: 100}}\n"
                          "simulate: {t_end: 2, step: 0.1, " TIGHT "}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t"), way = 200.0 * 0.05 * t * t;
        ck_assert_double_eq_tol(run_value(&r, i, "f.force"), -10.0 * way / (1.0 + way), 1e-5);
    }
    run_end(&r);
}
END_TEST

/* z' of lugre at x = A sin(w t). */
static double bristle_rate(double t, double z, double *v)
{
    *v = 0.01 * 3.0 * cos(3.0 * t);
    return *v - 1e3 * fabs(*v) * z / (0.3 + 0.2 * exp(-*v * *v / (0.01 * 0.01)));
}

START_TEST(damping_of_bristles_fades_with_the_speed)
{
    const double h = 1e-4;
    double z = 0.0, v = 0.0;
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}}}\n"
                          "joints: {J: {type: translational, between: [ground.O, b.C], "
                          "motion: 0.01*sin(3*t)}}\n"
                          "forces: {f: {type: friction, on: J, load: 5 N, friction: 0.3, "
                          "static_friction: 0.5, stribeck_speed: 10 mm/s, friction_law: lugre, "
                          "bristle_stiffness: 1e3, bristle_damping: 40, fading_speed: 5 mm/s}}\n"
                          "simulate: {t_end: 2, step: 0.1, " TIGHT "}\n");

    for (int i = 0; i <= 20000; i++) {
        double t = i * h, rate = bristle_rate(t, z, &v);
        if (i % 1000 == 0) {
            double force = 5.0 * (1e3 * z + 40.0 * exp(-v * v / (0.005 * 0.005)) * rate);
            ck_assert_double_eq_tol(run_value(&r, (size_t) i / 1000, "f.force"), -force, 1e-4);
        }
        double k2 = bristle_rate(t + 0.5 * h, z + 0.5 * h * rate, &v);
        double k3 = bristle_rate(t + 0.5 * h, z + 0.5 * h * k2, &v);
        z += h / 6.0 * (rate + 2.0 * k2 + 2.0 * k3 + bristle_rate(t + h, z + h * k3, &v));
    }
    run_end(&r);
}
END_TEST

/* The power that bristles with fading damping give back per load, at the slip v and the bend z. */
static double power_given_back(ha_dag *dag, const m2d__friction *f, double v, double z)
{
    ha_expr slip = ha_constant(dag, v), bend = ha_constant(dag, z);
    double force = 0.0, rate = 0.0;

    ck_assert(ha_expr_is_constant(dag, f->law->force(dag, f, slip, bend), &force));
    ck_assert(ha_expr_is_constant(dag, f->law->rate(dag, f, slip, bend), &rate));
    return f->stiffness * z * rate - force * v;
}

/* At s_1 v_d = 4 sqrt(2 e) mu, and not beyond: there z = 2 mu / s_0 at v = v_d / sqrt(2) gives
   energy back, which breaking away at mu_s = 3 mu may leave. */
START_TEST(fading_damping_takes_energy_up_to_its_bound)
{
    const double mu = 0.2, v_d = 0.05, bound = 4.0 * sqrt(2.0 * exp(1.0)) * mu / v_d;
    m2d__friction f = { .mu = mu,
                        .mu_static = 3.0 * mu,
                        .v_stribeck = 1e-4,
                        .exponent = 2.0,
                        .stiffness = 1e3,
                        .v_fading = v_d };
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ha_dag_new(ctx);

    for (size_t i = 0; (f.law = m2d__friction_law_at(i)) != NULL; i++) {
        if (strcmp(f.law->name, "lugre") == 0) {
            break;
        }
    }
    ck_assert_ptr_nonnull(f.law);
    f.damping = bound;
    for (double v = -0.3; v < 0.3; v += 0.00123) {
        for (double z = -3.0 * mu / 1e3; z <= 3.0 * mu / 1e3; z += 0.03 * mu / 1e3) {
            ck_assert_double_le(power_given_back(dag, &f, v, z), 1e-12);
        }
    }
    f.damping = 1.01 * bound;
    ck_assert_double_gt(power_given_back(dag, &f, v_d / sqrt(2.0), 2.0 * mu / 1e3), 1e-5);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}
END_TEST

/* --- what is wrong ---------------------------------------------------------------------------- */

#define FRICTION(ON, SETTINGS)                                                                     \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"                               \
         "joints: {J: {type: revolute, between: [ground.O, b.P]}}\n"                               \
         "forces: {f: {type: friction, on: " ON ", " SETTINGS "}}\n"                               \
         "simulate: {t_end: 1}\n"

START_TEST(friction_that_is_wrong_is_refused_with_the_reason)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } wrong[] = {
        { FRICTION("J", "radius: 1 mm"), "give the coefficient", HA_ERR_VALUE },
        { FRICTION("J", "friction: 0.1"), "`radius`", HA_ERR_NAME },
        { FRICTION("J", "friction: -0.1, radius: 1 mm"), "at least 0", HA_ERR_VALUE },
        { FRICTION("J", "friction: 0.1, radius: 1 mm, length: 1 mm"), "unknown key `length`",
          HA_ERR_NAME },
        { FRICTION("K", "friction: 0.1, radius: 1 mm"), "`K`, which does not exist", HA_ERR_NAME },
        { FRICTION("J.slide", "friction: 0.1"), "no such free direction", HA_ERR_NAME },
        { FRICTION("J", "friction: 0.1, radius: 1 mm, load: 1 m"), "a force", HA_ERR_UNIT },
        { FRICTION("J", "friction: 0.1, radius: 1 mm, load: -3"),
          "`load` of force `f` is -3; it must be at least 0", HA_ERR_VALUE },
        { FRICTION("J", "friction: 0.1, radius: 1 mm, dahl_exponent: 0.5"), "at least that",
          HA_ERR_VALUE },
        { FRICTION("J", "friction: 0.1, radius: 1 mm, friction_law: zimmer, friction_speed: 0.1, "
                        "stribeck_speed: 0.1"),
          "must be above `friction_speed`", HA_ERR_VALUE },
        { FRICTION("J", "friction: 0, radius: 1 mm, static_friction: 0.1"), "give both",
          HA_ERR_VALUE },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_expect_failure(wrong[i].text, wrong[i].status, wrong[i].part);
    }
}
END_TEST

/* A joint of this type between a body and the ground, with friction on a direction of it. */
#define LOADED(TYPE, MORE, ON, LOAD)                                                               \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1, inertia: 1, points: {P: [1, 0]}, start: {x: 1}}}\n"                \
         "joints: {J: {type: " TYPE ", between: [ground.O, b.P]" MORE "}}\n"                       \
         "forces: {f: {type: friction, on: " ON ", friction: 0.1" LOAD "}}\n"                      \
         "simulate: {t_end: 0.1}\n"

/* Without reaction there would be no load, and without load no friction, and no word of it. */
START_TEST(friction_on_a_joint_without_reaction_needs_a_load)
{
    static const char *const texts[] = {
        LOADED("actuator", "", "J", ""),
        LOADED("actuator", "", "J.length", ""),
        LOADED("free", "", "J.slide_x", ""),
        LOADED("free", "", "J.slide_x", ", length: 10 mm"),
        LOADED("free", "", "J.angle", ", radius: 10 mm"),
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        run_expect_failure(texts[i], HA_ERR_VALUE, "friction `f` has no load");
    }
    run r = run_text(LOADED("actuator", "", "J", ", load: 100 N"));
    run_expect(&r, "f.load", 100.0, 1e-15);
    run_end(&r);
}
END_TEST

/* What a setting with a wrong unit would be beside the others is not asked. */
START_TEST(a_wrong_unit_is_one_error)
{
    static const char *const texts[] = {
        FRICTION("J", "friction: 0.1, radius: 1 mm, static_friction: 1 m"),
        FRICTION("J", "friction: 1 m, radius: 1 mm, static_friction: 0.3"),
        FRICTION("J", "friction: 0.1, radius: 1 mm, friction_law: zimmer, friction_speed: 0.1, "
                      "stribeck_speed: 1 m"),
        FRICTION("J", "friction: 0.1, radius: 1 mm, friction_law: lugre, bristle_stiffness: 1 N"),
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        run r = run_new();
        ha_status status =
            m2d_read_text(r.ctx, texts[i], strlen(texts[i]), "m.yaml", NULL, &r.model);
        ck_assert_int_eq(status, HA_ERR_UNIT);
        ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), 1);
        run_end(&r);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction");
    TCase *tcase = tcase_create("friction");

    tcase_add_test(tcase, a_block_slides_down_a_rough_incline);
    tcase_add_test(tcase, the_lightest_blocks_slow_down_as_heavy_ones_do);
    tcase_add_test(tcase, the_load_of_a_guide_is_solved_together_with_the_friction);
    tcase_add_test(tcase, the_friction_of_a_pin_is_solved_together_with_its_reaction);
    tcase_add_test(tcase, a_given_load_may_vary);
    tcase_add_test(tcase, a_coefficient_of_zero_is_no_friction);
    tcase_add_test(tcase,
                   a_pulled_block_sticks_and_slips_and_the_spring_reaches_the_static_friction);
    tcase_add_test(tcase, the_spring_overshoots_by_what_it_gains_until_the_block_is_as_fast);
    tcase_add_test(tcase, a_block_on_a_belt_sticks_and_slips_under_laws_without_and_with_a_state);
    tcase_add_test(tcase, friction_of_karnopp_holds_a_block_on_an_incline);
    tcase_add_test(tcase, friction_of_karnopp_knows_no_unit_of_force);
    tcase_add_test(tcase, friction_of_karnopp_turns_with_a_motion_that_is_prescribed);
    tcase_add_test(tcase, friction_of_karnopp_slides_until_it_stands_whatever_alpha_is);
    tcase_add_test(tcase, friction_of_karnopp_holds_a_pin_until_the_torque_exceeds_its_limit);
    tcase_add_test(tcase, friction_has_the_size_of_its_law_at_every_speed);
    tcase_add_test(tcase, friction_of_dahl_depends_on_the_way_alone);
    tcase_add_test(tcase, friction_of_dahl_with_an_exponent_rises_as_its_solution);
    tcase_add_test(tcase, damping_of_bristles_fades_with_the_speed);
    tcase_add_test(tcase, fading_damping_takes_energy_up_to_its_bound);
    tcase_add_test(tcase, friction_that_is_wrong_is_refused_with_the_reason);
    tcase_add_loop_test(
        tcase, friction_of_karnopp_has_the_sign_of_the_motion_whatever_else_slows_it, 0, 9);
    tcase_add_test(tcase, friction_on_a_joint_without_reaction_needs_a_load);
    tcase_add_test(tcase, a_wrong_unit_is_one_error);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
